"""One predicate tried on one value: true or false with the reason, and the set it denotes in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from abs_compiler.predicate.lowering import lower
from abs_compiler.predicate.tree import Predicate
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.predicates import compile_predicate, describe_predicate, explain_predicate

_NOTHING: Mapping[str, Any] = {}


@attrs.frozen(slots=False, repr=False)
class Answer(ReprMixin):
    """Whether a value is in the set of a predicate, and why in one line."""

    holds: bool
    reason: str


def set_in_words(predicate: Predicate, values: Mapping[str, Any] = _NOTHING) -> str:
    """What a predicate admits: "an integer from 1 to 500"; references with the values that are known."""
    return describe_predicate(lower(predicate), values)


def try_predicate(predicate: Predicate, value: Any, values: Mapping[str, Any] = _NOTHING) -> Answer:
    """The answer of a predicate for a JSON value, or for ABSENT. `values` holds those of its references.

    BindError where one is missing or has the wrong type for its place.
    """
    data = lower(predicate)
    holds = compile_predicate(data, values)(value)
    return Answer(holds, explain_predicate(data, value, values))
