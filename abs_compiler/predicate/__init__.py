"""The inline expression language: predicates on values.

predicate = parse(text)            a tree with offsets, or PredicateSyntaxError at the exact character
findings(predicate)                parts that never hold, always hold, or add nothing
lower(predicate)                   the data that the runtime tests; equal sets give equal data
references(predicate)              the `{{names}}` in it
admits_absent(predicate)           whether the argument may be missing
"""

from abs_compiler.predicate.errors import Advice, Edit, Place, PredicateSyntaxError
from abs_compiler.predicate.finding import Finding
from abs_compiler.predicate.findings import findings
from abs_compiler.predicate.lower import admits_absent, lower
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
