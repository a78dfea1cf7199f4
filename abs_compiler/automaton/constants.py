"""Values of names that the spec itself fixes, and the texts made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.values import as_text
from abs_compiler.spec.model import Reference


@attrs.frozen(slots=False, repr=False, eq=False)
class Constant(ReprMixin):
    """The value of a name that the spec itself fixes."""

    value: Any


Constants: TypeAlias = Callable[[str], Constant | None]


def nothing_known(_name: str) -> None:
    """Constants where none is known."""


def constant_text(parts: Iterable[str | Reference], constant: Constants) -> str | None:
    """The text of parts where every name in it has a known value that has a text."""
    found = []
    for part in parts:
        if isinstance(part, str):
            found.append(part)
            continue
        known = constant(part.name)
        if known is None or isinstance(known.value, dict | list):
            return None
        found.append(as_text(known.value))
    return "".join(found)
