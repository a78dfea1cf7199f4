"""Wildcards and patterns where texts are compared as they stand: `target: delete_*`, `contains` with `ORD-\\d+`.

Recorded names are matched by wildcards under `match.targets` only, texts by patterns in `regex` only. Elsewhere such a
text is looked for letter by letter, so that a behavior matches nothing and a `never` always holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from abs_compiler.ir import Ir
from abs_compiler.ir.build import merged_targets
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.spec.behavior import is_tool_response
from abs_compiler.spec.model import Behavior, Literal, Name, Value
from abs_compiler.spec.vocabulary import category_of
from abs_compiler.spec.walk import flattened

if TYPE_CHECKING:
    from abs_compiler.spec.evaluation_model import Evaluation

# Without one of these no text is a pattern. Compiling the patterns below takes longer than most files.
_SIGNS = frozenset("*\\^$|+[/?")
_ALTERNATIVES = r"[\w./-]+(?:\|[\w./-]+)+"
_SLASHED = r"/.+/[a-z]*"
# Signs of a pattern that no name of a tool holds.
_IN_NAMES = r"\*|\\[dwsDWSb.]|^\^|\.\+|\$$|\[[\w-]+\]|[\w-]\s?\|\s?[\w-]"
# In texts that are said or sent, `*`, `|` and brackets are common: only what hardly is a text counts.
_IN_TEXTS = (
    r"\\[dwsDWS](?:[+*?{.\\)\]]|$)|\\b\w|\w\\b|(?<!\.)\.[*+](?=[\w\\\[(.]|$)"
    r"|\[(?:0-9|a-z|A-Z)[\w-]*\]|\(\?[:i]|\(\w+(?:\|\w+)+\)|[\w-]\*$"
)


def check(context: FileContext) -> Iterator[Report]:
    """Report targets with wildcards, and texts that `contains` looks for which are patterns."""
    seen: set[int] = set()
    for ir in context.irs:
        mapped = merged_targets(ir.session.match, context.options)
        for target in _targets(ir):
            if target.span.start not in seen and target.text not in mapped and _is_glob(target.text):
                seen.add(target.span.start)
                yield _target(target)
        for value in _contained(ir):
            if value.span.start not in seen and _is_pattern(str(value.value)):
                seen.add(value.span.start)
                yield _text(value)


def _targets(ir: Ir) -> Iterator[Name]:
    """The targets of calls, of their answers and of selectors; those of other behaviors name people and elements."""
    for step in ir.steps:
        behavior = step.behavior
        if behavior.target is not None and (_is_call(behavior) or is_tool_response(behavior.actor, behavior.action)):
            yield behavior.target
        yield from _targets_of(behavior.evaluations)
    yield from _targets_of(ir.session.evaluations)


def _targets_of(evaluations: tuple[Evaluation, ...]) -> Iterator[Name]:
    if not evaluations:
        return
    from abs_compiler.spec.evaluation_model import ToolCall  # slow to import, and many specs have none
    from abs_compiler.spec.evaluation_walk import selectors_of

    for evaluation in flattened(evaluations):
        if isinstance(evaluation.check, ToolCall) and evaluation.check.target is not None:
            yield evaluation.check.target
        for selector in selectors_of(evaluation.check):
            if selector.target is not None:
                yield selector.target


def _is_call(behavior: Behavior) -> bool:
    return category_of(behavior.action.text) == "execution"


def _contained(ir: Ir) -> Iterator[Literal]:
    """The texts without references that are looked for in other texts."""
    for step in ir.steps:
        found = step.behavior.matches_when
        values = [found.value] if found is not None and found.type.text == "contains" else []
        values += _contained_of(step.behavior.evaluations)
        yield from (value for value in values if isinstance(value, Literal) and isinstance(value.value, str))


def _contained_of(evaluations: tuple[Evaluation, ...]) -> list[Value]:
    if not evaluations:
        return []
    from abs_compiler.spec.evaluation_model import Contains  # as above

    return [one.check.value for one in flattened(evaluations) if isinstance(one.check, Contains)]


def _is_glob(name: str) -> bool:
    return not _SIGNS.isdisjoint(name) and re.search(_IN_NAMES, name) is not None


def _is_pattern(text: str) -> bool:
    if _SIGNS.isdisjoint(text):
        return False
    if re.fullmatch(_SLASHED, text) and text.count("/") == 2:
        return text[-1] != "/" or re.search(_IN_TEXTS, text) is not None  # `/orders/` is a path
    anchored = len(text) > 2 and text[0] == "^" and text[-1] == "$"
    return anchored or re.fullmatch(_ALTERNATIVES, text) is not None or re.search(_IN_TEXTS, text) is not None


def _target(target: Name) -> Report:
    shown = f"'{target.text}'" if "*" in target.text and "." not in target.text else "…"
    mapping = f"`match: {{targets: {{NAME: [{shown}]}}}}`, where `*` is a wildcard"
    helps: tuple[str, ...] = ("name one tool", f"give several tools one name, and write that name here: {mapping}")
    if target.text in ("*", ".*"):
        helps = ("leave `target` out: then any target matches",)
    return Report(
        "patterns-as-text",
        f"the target `{target.text}` is no pattern: only a target with this very name matches",
        target.span,
        "compared letter by letter",
        helps=helps,
    )


def _text(value: Literal) -> Report:
    text = str(value.value)
    if re.fullmatch(_ALTERNATIVES, text):
        help_ = "for one of several texts, write `any_of` with a `contains` for each, or a `regex`"
    else:
        help_ = "for a pattern, write `{type: regex, pattern: …}`; `(?i)` at its start ignores case, as `contains` does"
    return Report(
        "patterns-as-text",
        "`contains` takes no pattern: it looks for this very text",
        value.span,
        "compared letter by letter",
        helps=(help_,),
    )
