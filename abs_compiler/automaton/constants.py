"""Values of names that the spec itself fixes: the IR of a session and a behavior in, what it knows of a name out."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import attrs

from abs_compiler.ir import Ir
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.values import as_text
from abs_compiler.spec.model import Capture, Literal, Reference, Text


@attrs.frozen(slots=False, repr=False, eq=False)
class Constant(ReprMixin):
    """The value of a name that the spec itself fixes."""

    value: Any


Constants: TypeAlias = Callable[[str], Constant | None]


def nothing_known(_name: str) -> None:
    """Constants where none is known."""


def supplier_of(ir: Ir, index: int, name: str) -> tuple[int, Capture] | None:
    """The nearest behavior before one that captures a name, and its capture."""
    for position in range(index - 1, -1, -1):
        for capture in ir.steps[position].behavior.capture:
            if capture.name.text == name:
                return position, capture
    return None


def constant_at(ir: Ir, index: int, name: str) -> Constant | None:
    """The value of a name as a behavior sees it, where the spec fixes it: the nearest capture before it is one of a
    behavior that is certainly matched, and captures a constant."""
    found = supplier_of(ir, index, name)
    if found is None:
        return None
    position, capture = found
    if not is_certain(ir, position):
        return None
    match capture.value:
        case Literal(value=value):
            return Constant(value)
        case Reference(name=other):
            return constant_at(ir, position, other)
        case Text(parts=parts):
            text = constant_text(parts, functools.partial(constant_at, ir, position))
            return None if text is None else Constant(text)
        case _:
            return None


def is_certain(ir: Ir, index: int) -> bool:
    """Whether a behavior is required whatever happens: neither optional nor hanging on one that is."""
    at: int | None = index
    while at is not None:
        if ir.steps[at].behavior.optional:
            return False
        at = ir.steps[at].requires
    return True


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
