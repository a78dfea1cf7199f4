"""Sets of values: what predicates denote, with exact emptiness, membership, union, intersection and complement."""

from abs_compiler.predicate.domains.sets import (
    ABSENCE,
    ANY,
    NOTHING,
    Domain,
    Known,
    complement,
    contains,
    difference,
    emptiness,
    intersection,
    members,
    size,
    union,
)

__all__ = [
    "ABSENCE",
    "ANY",
    "NOTHING",
    "Domain",
    "Known",
    "complement",
    "contains",
    "difference",
    "emptiness",
    "intersection",
    "members",
    "size",
    "union",
]
