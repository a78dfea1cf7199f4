"""The inline expression language: predicates on values.

    predicate = parse(text)            a tree with offsets, or PredicateSyntaxError at the exact character
    findings(predicate)                parts that never hold, always hold, or add nothing
    lower(predicate)                   the data that the runtime tests; equal sets give equal data
    references(predicate)              the `{{names}}` in it
    admits_absent(predicate)           whether the argument may be missing

Names are resolved on first use: a spec without predicates does not load what decides sets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from abs_compiler.predicate.analysis import findings
    from abs_compiler.predicate.errors import Advice, Edit, Place, PredicateSyntaxError
    from abs_compiler.predicate.finding import Finding
    from abs_compiler.predicate.lowering import admits_absent, lower
    from abs_compiler.predicate.parser import parse
    from abs_compiler.predicate.tree import Predicate, references

__all__ = [
    "Advice",
    "Edit",
    "Finding",
    "Place",
    "Predicate",
    "PredicateSyntaxError",
    "admits_absent",
    "findings",
    "lower",
    "parse",
    "references",
]

_HOME = {
    "Advice": "errors",
    "Edit": "errors",
    "Finding": "finding",
    "Place": "errors",
    "Predicate": "tree",
    "PredicateSyntaxError": "errors",
    "admits_absent": "lowering",
    "findings": "analysis",
    "lower": "lowering",
    "parse": "parser",
    "references": "tree",
}


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value: object = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
