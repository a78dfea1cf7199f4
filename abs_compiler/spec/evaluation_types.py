"""The evaluation types: where each may stand, which fields it takes and which it needs.

Pure data; `evaluations.py` reads by it.
"""

from __future__ import annotations

import attrs

from abs_compiler.repr_mixin import ReprMixin

STEP, CHAIN = "step", "chain"
BOTH = (STEP, CHAIN)

# Fields that every type takes.
COMMON = ("type", "blocking", "threshold", "when", "adapter", "dataset", "prompt")


@attrs.frozen(slots=False, repr=False, eq=False)
class EvaluationType(ReprMixin):
    """One type. `fields` are its own fields in writing order; `scored` says that a threshold means something."""

    name: str
    levels: tuple[str, ...]
    fields: tuple[str, ...]
    required: tuple[str, ...] = ()
    scored: bool = False

    @property
    def known(self) -> tuple[str, ...]:
        """All fields it takes."""
        return COMMON + self.fields


_JUDGED = ("Groundedness", "Relevance", "Coherence", "Fluency", "HateUnfairness", "Violence", "Sexual", "SelfHarm")
_PLACES = ("query", "context", "response")

_TYPES = (
    EvaluationType("exact_match", (STEP,), ("value",), ("value",)),
    EvaluationType("contains", (STEP,), ("value",), ("value",)),
    EvaluationType("regex", (STEP,), ("pattern",), ("pattern",)),
    EvaluationType("schema", (STEP,), ("schema",), ("schema",)),
    EvaluationType("tool_call", BOTH, ("target", "with", "with_only", "ordered")),
    EvaluationType("llm_judge", BOTH, ("criteria", *_PLACES), ("criteria",), scored=True),
    *(EvaluationType(name, BOTH, ("criteria", *_PLACES), scored=True) for name in _JUDGED),
    EvaluationType("custom", BOTH, ("id", "criteria", *_PLACES), ("id",), scored=True),
    EvaluationType("sequence", (CHAIN,), ("order",), ("order",)),
    EvaluationType("eventually", (CHAIN,), ("match", "after"), ("match",)),
    EvaluationType("never", (CHAIN,), ("match", "after"), ("match",)),
    EvaluationType("count", (CHAIN,), ("match", "min", "max", "after"), ("match",)),
    EvaluationType("within", (CHAIN,), ("after", "match", "max_steps"), ("after", "match", "max_steps")),
    EvaluationType("variable_consistency", (CHAIN,), ("variable",), ("variable",)),
    EvaluationType("expected", (CHAIN,), ("behavior", "after", "reason"), ("behavior",)),
    EvaluationType("preceded", (CHAIN,), ("match", "by", "same"), ("match", "by")),
    *(
        EvaluationType(name, BOTH, ("evaluations",), ("evaluations",), scored=True)
        for name in ("all_of", "any_of", "none_of")
    ),
)

TYPES: dict[str, EvaluationType] = {kind.name: kind for kind in _TYPES}
COMPOSITIONS = ("all_of", "any_of", "none_of")
