"""The table of rules: one row a rule, in families. A rule's module is imported when it is to run, not before."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from abs_compiler.lint.contract import Report


class Scope:
    """When a rule runs and what its `check` gets."""

    TEXT = "text"  # FileContext; whenever the text could be read
    FILE = "file"  # FileContext; the file compiled without errors
    SESSION = "session"  # SessionContext; once for every session of a file that compiled without errors


class Rule:
    """A row. `module` lies below `abs_compiler.lint.rules`; `codes` are names of registered codes; `mentions` are
    texts of which the source must hold one, or the rule cannot find anything. A rule that is not `default` runs only
    where one of its codes is selected; one that `needs_tools`, only where tools are given."""

    __slots__ = ("codes", "default", "mentions", "module", "needs_tools", "scope")

    def __init__(
        self,
        module: str,
        codes: tuple[str, ...],
        scope: str = Scope.SESSION,
        *,
        mentions: tuple[str, ...] = (),
        default: bool = True,
        needs_tools: bool = False,
    ) -> None:
        self.module = module
        self.codes = codes
        self.scope = scope
        self.mentions = mentions
        self.default = default
        self.needs_tools = needs_tools

    def load(self) -> Callable[[Any], Iterator[Report]]:
        """The rule's `check`."""
        import importlib

        check: Callable[[Any], Iterator[Report]] = importlib.import_module(
            f"abs_compiler.lint.rules.{self.module}"
        ).check
        return check


# What predicates are written with besides the names of types.
_SIGNS = ("<", "> ", ">=", "'>", '">', "==", "!=", "matches", "length", "starts with", "ends with", "in [", "..")

# Curly quotes, and spaces that are no plain ones.
_LOOKALIKES = (
    *"“”„‟‘’‛",
    *"\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u2060\u3000\ufeff",
)

RULES: tuple[Rule, ...] = (
    # hazards of YAML
    Rule("hazards.empty_values", ("empty-values",), Scope.FILE),
    Rule("hazards.text_lost_to_comment", ("text-lost-to-comment",), Scope.TEXT, mentions=(" #", "\t#")),
    Rule("hazards.block_scalar_surprise", ("block-scalar-surprise",), Scope.FILE, mentions=("|", ">")),
    Rule("hazards.replaced_merges", ("replaced-merges",), Scope.FILE, mentions=("<<",)),
    Rule("hazards.eaten_backslashes", ("eaten-backslashes",), Scope.TEXT, mentions=("\\b", "\\a", ":\\")),
    Rule(
        "hazards.predicates_as_text",
        ("predicates-as-text",),
        Scope.FILE,
        mentions=(
            "is:",
            '"is"',
            "$is",
            "integer",
            "number",
            "string",
            "boolean",
            "array",
            "object",
            "absent",
            "^",
            *_SIGNS,
        ),
    ),
    Rule(
        "hazards.operators_as_data",
        ("predicates-as-text",),
        Scope.FILE,
        mentions=(
            *("$gt", "$ge", "$lt", "$le", "$eq", "$ne", "$in", "$nin", "$exists", "$regex", "$match", "$type", "$not"),
            *("$contains", "$starts", "$ends", "$size", "$length", "$and", "$or", "$nor", "$all", "$elem", "$between"),
            *("$absent", "$any"),
        ),
    ),
    Rule("hazards.lookalike_characters", ("lookalike-characters",), Scope.FILE, mentions=_LOOKALIKES),
    # names
    Rule(
        "names.references_as_text",
        ("references-as-text",),
        Scope.FILE,
        mentions=("capture", "${", "{{", "<%", "%{", "#{"),
    ),
    Rule(
        "names.patterns_as_text",
        ("patterns-as-text",),
        Scope.FILE,
        mentions=("*", "\\", "^", "$", "|", ".+", "[", "/", "(?"),
    ),
    Rule("names.misplaced_values", ("misplaced-values",), Scope.FILE, mentions=("with", "content")),
    Rule(
        "names.types_as_text",
        ("types-as-text",),
        Scope.FILE,
        mentions=("number", "float", "int", "bool", "array", "list", "object", "dict"),
    ),
    Rule("names.mismatched_roles", ("mismatched-roles",), Scope.FILE, mentions=("tool", "responds")),
    Rule("names.unused_fragment", ("unused-fragment",), Scope.FILE, mentions=("fragments",)),
    Rule("names.unused_capture", ("unused-capture",), Scope.FILE, mentions=("capture",)),
    Rule("names.early_references", ("early-references",), Scope.FILE, mentions=("capture",)),
    Rule("names.unused_id", ("unused-id",), Scope.FILE, default=False),
    Rule("names.near_miss_names", ("near-miss-names",), Scope.FILE),
    # sequence, evaluations, predicates, tools: decided on the automaton and on sets of values
    Rule("sequence.texts_for_numbers", ("texts-for-numbers",), mentions=("$is",)),
    Rule(
        "sequence.unreachable_behaviors",
        ("unreachable-behaviors", "contradicting-constraints"),
        mentions=("$is", "tool_call"),
    ),
    Rule("sequence.results_after_groups", ("results-after-groups",), mentions=("ordered",)),
    Rule(
        "sequence.indistinguishable_steps",
        ("indistinguishable-steps", "no-effect-ordered-false"),
        mentions=("ordered",),
    ),
    Rule("sequence.overlapping_steps", ("overlapping-steps",), mentions=("$is",)),
    Rule("sequence.constant_conditions", ("constant-conditions",), mentions=("when",)),
    Rule("sequence.vacuous_sessions", ("vacuous-sessions",), mentions=("optional", "observe")),
    Rule("sequence.vacuous_evaluations", ("vacuous-evaluations",), mentions=("evaluations",)),
    Rule(
        "sequence.step_evaluations",
        ("contradicting-evaluations", "vacuous-evaluations"),
        mentions=("evaluations", "matches_when"),
    ),
    Rule(
        "sequence.texts_of_calls",
        ("contradicting-evaluations", "vacuous-evaluations"),
        mentions=("contains", "regex", "exact_match"),
    ),
    Rule("sequence.thresholds", ("vacuous-evaluations",), Scope.FILE, mentions=("threshold",)),
    Rule(
        "sequence.repeated_evaluations",
        ("vacuous-evaluations", "contradicting-evaluations"),
        Scope.FILE,
        mentions=("evaluations",),
    ),
    Rule("sequence.contradicting_evaluations", ("contradicting-evaluations",), mentions=("evaluations",)),
    Rule("tools.unknown_tools", ("unknown-tools",), needs_tools=True),
    Rule("tools.arguments", ("unknown-arguments", "missing-arguments"), needs_tools=True),
    Rule("tools.impossible_values", ("impossible-arguments",), needs_tools=True),
    # portability
    Rule("portability.regex_unanchored", ("regex-unanchored",), Scope.FILE, mentions=("matches", "regex")),
    Rule(
        "portability.regex_dialect_difference",
        ("regex-dialect-difference",),
        Scope.FILE,
        mentions=("\\", "'/", '"/', ": /"),
    ),
    Rule("portability.extension_not_portable", ("extension-not-portable",), Scope.TEXT, default=False),
)
