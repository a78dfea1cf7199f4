"""The code registry: one row a code. Codes are never reused; names must read well after "ignore"."""

from __future__ import annotations

import attrs

from abs_compiler.diagnostics.record import Severity
from abs_compiler.repr_mixin import ReprMixin


@attrs.frozen(slots=False, repr=False)
class Code(ReprMixin):
    """A registered code: `ABS104`, its name, its default severity."""

    code: str
    name: str
    severity: Severity


_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

_ROWS: tuple[Code, ...] = (
    # ABS0xx reading
    Code("ABS001", "unreadable-file", _E),
    Code("ABS002", "not-utf8", _E),
    Code("ABS003", "too-large", _E),
    Code("ABS004", "yaml-syntax", _E),
    Code("ABS005", "json-syntax", _E),
    Code("ABS006", "too-deep", _E),
    Code("ABS007", "alias-expansion-limit", _E),
    Code("ABS008", "forbidden-characters", _E),
    Code("ABS009", "too-many-nodes", _E),
    Code("ABS010", "scalar-too-long", _E),
    Code("ABS011", "empty-file", _E),
    Code("ABS012", "missing-yaml-parser", _E),
    # ABS1xx YAML hazards
    Code("ABS101", "duplicate-keys", _E),
    Code("ABS102", "ambiguous-scalars", _W),
    Code("ABS103", "bad-merge-keys", _E),
    Code("ABS104", "non-string-keys", _E),
    Code("ABS105", "unused-anchors", _W),
    Code("ABS106", "unknown-tags", _E),
    Code("ABS107", "bad-numbers", _E),
    Code("ABS108", "unknown-aliases", _E),
    Code("ABS109", "mistagged-values", _E),
    Code("ABS110", "cyclic-aliases", _E),
    Code("ABS111", "empty-values", _W),
    Code("ABS112", "text-lost-to-comment", _W),
    Code("ABS113", "block-scalar-surprise", _W),
    Code("ABS114", "replaced-merges", _W),
    Code("ABS115", "eaten-backslashes", _W),
    Code("ABS116", "lookalike-characters", _W),
    # ABS2xx shape
    Code("ABS201", "unknown-key", _E),
    Code("ABS202", "missing-key", _E),
    Code("ABS203", "wrong-kind", _E),
    Code("ABS204", "with-and-with-only", _E),
    Code("ABS205", "unsupported-version", _E),
    Code("ABS206", "missing-version", _W),
    Code("ABS207", "newer-feature", _E),
    Code("ABS208", "empty-collection", _E),
    Code("ABS209", "misplaced-evaluation", _E),
    Code("ABS210", "misplaced-ordered-false", _E),
    Code("ABS211", "bad-value", _E),
    Code("ABS212", "nothing-to-check", _E),
    Code("ABS213", "unsupported-feature", _E),
    Code("ABS214", "unknown-evaluation-type", _E),
    Code("ABS215", "unknown-evaluation-field", _W),
    Code("ABS216", "contradicting-targets", _E),
    Code("ABS217", "bad-json-schema", _E),
    Code("ABS218", "unknown-schema-keyword", _W),
    Code("ABS219", "mismatched-roles", _W),
    # ABS3xx names
    Code("ABS301", "unknown-fragment", _E),
    Code("ABS302", "fragment-cycle", _E),
    Code("ABS303", "unknown-behavior-id", _E),
    Code("ABS304", "duplicate-id", _E),
    Code("ABS305", "bad-requires", _E),
    Code("ABS306", "bad-reference", _E),
    Code("ABS307", "misplaced-reference", _E),
    Code("ABS308", "unknown-dataset", _E),
    Code("ABS309", "unknown-action", _W),
    Code("ABS310", "unknown-actor", _W),
    Code("ABS311", "duplicate-fragment", _E),
    Code("ABS312", "unknown-variable", _E),
    Code("ABS313", "unused-fragment", _W),
    Code("ABS314", "unused-capture", _W),
    Code("ABS315", "unused-id", _I),
    Code("ABS316", "near-miss-names", _W),
    Code("ABS317", "references-as-text", _W),
    Code("ABS318", "patterns-as-text", _W),
    Code("ABS319", "misplaced-values", _W),
    Code("ABS320", "types-as-text", _W),
    Code("ABS321", "early-references", _W),
    # ABS4xx expressions: predicates, `when`, patterns, and the reserved mappings $is, $literal and $from
    Code("ABS401", "predicate-syntax", _E),
    Code("ABS402", "extra-keys-beside-is", _E),
    Code("ABS403", "predicate-not-text", _E),
    Code("ABS404", "misplaced-predicate", _E),
    Code("ABS405", "extra-keys-beside-literal", _E),
    Code("ABS406", "misplaced-from", _E),
    Code("ABS407", "when-syntax", _E),
    Code("ABS408", "operand-type", _E),
    Code("ABS409", "bad-regex", _E),
    Code("ABS410", "too-complex", _E),
    Code("ABS411", "unknown-word", _E),
    Code("ABS412", "misplaced-absent", _E),
    Code("ABS413", "unquoted-predicate", _E),
    Code("ABS414", "predicates-as-text", _W),
    # ABS5xx predicate logic
    Code("ABS501", "always-true-predicates", _W),
    Code("ABS502", "unsatisfiable-predicates", _E),
    Code("ABS503", "redundant-parts", _W),
    Code("ABS504", "negation-admits-other-types", _I),
    # ABS6xx sequence
    Code("ABS601", "contradicting-constraints", _W),
    Code("ABS602", "no-effect-ordered-false", _W),
    Code("ABS603", "state-limit", _E),
    Code("ABS604", "optional-in-sequence", _E),
    Code("ABS605", "vacuous-evaluations", _W),
    Code("ABS606", "contradicting-evaluations", _W),
    Code("ABS607", "unreachable-behaviors", _W),
    Code("ABS608", "indistinguishable-steps", _W),
    Code("ABS609", "overlapping-steps", _W),
    Code("ABS610", "constant-conditions", _W),
    Code("ABS611", "results-after-groups", _W),
    Code("ABS612", "texts-for-numbers", _W),
    Code("ABS613", "vacuous-sessions", _W),
    # with the definitions of tools
    Code("ABS621", "unknown-tools", _E),
    Code("ABS622", "unknown-arguments", _E),
    Code("ABS623", "missing-arguments", _E),
    Code("ABS624", "impossible-arguments", _E),
    # ABS7xx portability
    Code("ABS701", "regex-unanchored", _W),
    Code("ABS702", "regex-dialect-difference", _W),
    Code("ABS703", "extension-not-portable", _I),
    # ABS9xx the tool
    Code("ABS901", "internal-error", _E),
    Code("ABS902", "unused-suppression", _W),
    Code("ABS903", "unknown-suppression-code", _W),
    Code("ABS904", "bad-config", _E),
    Code("ABS905", "bad-suppression", _W),
    Code("ABS906", "unreadable-artifact", _E),
    Code("ABS907", "unfinished-rules", _I),
)

_BY_NAME = {row.name: row for row in _ROWS}


def registry() -> tuple[Code, ...]:
    """Every code, in numeric order."""
    return _ROWS


def code_named(name: str) -> Code:
    """The code of a registered name; KeyError for a name that is not registered (a programmer's mistake)."""
    return _BY_NAME[name]
