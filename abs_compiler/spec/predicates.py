"""Predicates of a spec: the text of `{$is: …}` in, a parsed predicate out, its mistakes and findings reported.

The predicate language says what is wrong at which character of the text; here that becomes a place in the source.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from abs_compiler.bounds import OutOfBudgetError, budget
from abs_compiler.diagnostics import Edit, Fix, Help, Label
from abs_compiler.predicate.errors import Advice, PredicateSyntaxError
from abs_compiler.source import Span
from abs_compiler.spec.model import Predicate, Reference
from abs_compiler.spec.reading import Context
from abs_compiler.spec.references import place
from abs_compiler.spec.unquoted import quote_with_comment
from abs_compiler.syntax import Scalar

if TYPE_CHECKING:
    from abs_compiler.predicate import Finding
    from abs_compiler.predicate.tree import Predicate as Tree

# Steps of work (see `abs_compiler.bounds`) for looking at all predicates of a file: a few seconds.
_MOST_WORK = 600_000
# Characters of wrong expressions for which fixes are tried out, by reading each a few times: a few seconds as well.
_MOST_TRIED = 20_000
_SEARCHED_FOR = (
    "`always-true-predicates`, `unsatisfiable-predicates`, `redundant-parts` or `negation-admits-other-types`"
)

_PLAIN_TEXT = re.compile(r"\"[^\"'\\]*\"")


def parse_predicate(ctx: Context, span: Span, scalar: Scalar, text: str, *, whole: bool = False) -> Predicate | None:
    """The predicate of a scalar; None after reporting what is wrong with it. `whole`: it tests all arguments."""
    from abs_compiler.predicate import parse, references

    try:
        tree = parse(text, ctx.limits, fixes=may_try(ctx))
    except PredicateSyntaxError as error:
        tried(ctx, text)
        quotes = None if ctx.sink.source is None else quote_with_comment(ctx.sink.source, scalar)
        report_expression(ctx, scalar, error, quotes)
        return None
    sound = True
    for finding in _findings(ctx, span, tree, whole):
        sound = sound and finding.code_name != "unsatisfiable-predicates"
        if ctx.in_evaluation and finding.narrows:
            # To accept less is to forbid less, where it is forbidden.
            finding = attrs.evolve(finding, helps=tuple(attrs.evolve(advice, edit=None) for advice in finding.helps))
        report_expression(ctx, scalar, finding)
    if not sound:
        return None
    names = tuple(Reference(place(ctx, scalar, item.start, item.end), item.name) for item in references(tree))
    return Predicate(span, scalar, tree, names)


def may_try(ctx: Context) -> bool:
    """Whether fixes of mistakes are still tried out; in a file with very many, the rest gets words."""
    return ctx.spent["tried characters"] < _MOST_TRIED


def tried(ctx: Context, text: str) -> None:
    """Note that there was a mistake in an expression."""
    ctx.spent["tried characters"] += len(text)


def _findings(ctx: Context, span: Span, tree: Tree, whole: bool) -> list[Finding]:
    """What is found in a predicate; nothing once all predicates of the file took too much work, which is reported."""
    from abs_compiler.predicate import findings

    left = _MOST_WORK - ctx.spent["predicates"]
    if left < 0:
        return []
    with budget(left) as spent:
        try:
            return findings(tree, whole=whole)
        except OutOfBudgetError:
            ctx.sink.report(
                "unfinished-rules",
                f"not all predicates of this file were searched for {_SEARCHED_FOR}",
                span,
                "from here on",
                notes=("that would take more work than is allowed for one file", "they are compiled all the same"),
                helps=("split the file: sessions need not live in one",),
            )
            return []
        finally:
            ctx.spent["predicates"] += spent()


def check_content(ctx: Context, predicate: Predicate) -> Predicate | None:
    """A predicate that is the whole content of a response: a response without content never matches, so `absent` alone
    is an error there, and beside other tests it never counts."""
    from abs_compiler.predicate import lower
    from abs_compiler.predicate.tree import Absent, walk
    from abs_compiler.runtime.predicates import admits_absent

    data = lower(predicate.tree)
    if not admits_absent(data):
        return predicate
    word = next((test for test in walk(predicate.tree.root) if isinstance(test, Absent)), predicate.tree.root)
    alone = data[0] == "set" and data[1].keys() == {"absent"}
    ctx.sink.report(
        "unsatisfiable-predicates" if alone else "redundant-parts",
        "no content can satisfy this predicate" if alone else "`absent` adds nothing here",
        place(ctx, predicate.scalar, word.start, word.end),
        "a response without content never matches where `content` is given",
        helps=("leave `content` out to accept any response" if alone else "leave `absent` out",),
    )
    return None if alone else predicate


def report_expression(
    ctx: Context, scalar: Scalar, problem: PredicateSyntaxError | Finding, likely: Help | None = None
) -> None:
    """Report what the expression language says of the text of a scalar; `likely` is better advice than its own."""
    ctx.sink.report(
        problem.code_name,
        problem.message,
        place(ctx, scalar, problem.start, problem.end),
        problem.label,
        also=[Label(place(ctx, scalar, other.start, other.end), other.label) for other in problem.also],
        helps=[likely] if likely else _helps(ctx, scalar, problem.helps),
    )


def _helps(ctx: Context, scalar: Scalar, advice: Sequence[Advice]) -> list[Help]:
    """Advice as helps. Where the first of them cannot be applied, none is: the others are less likely."""
    helps = [_help(ctx, scalar, item) for item in advice]
    if advice and advice[0].edit is not None and helps[0].fix is None:
        return [Help(item.text) for item in helps]
    return helps


def _help(ctx: Context, scalar: Scalar, advice: Advice) -> Help:
    """Advice with its edit as a fix, where the edited text stands in the source as it is written."""
    if advice.edit is None:
        return Help(advice.text)
    text, said = advice.edit.text, advice.text
    if scalar.style in ("double", "json") and text[:1] == '"' and _PLAIN_TEXT.fullmatch(text):
        text = f"'{text[1:-1]}'"  # expressions take either quotes
        said = said.replace(advice.edit.text, text)
    span = place(ctx, scalar, advice.edit.start, advice.edit.end)
    edited = ctx.sink.source.text[span.start : span.end] if ctx.sink.source is not None else ""
    if edited != scalar.text[advice.edit.start : advice.edit.end] or not _fits(text, scalar.style):
        return Help(advice.text)
    return Help(said, Fix(said, (Edit(span, text),)))


def _fits(text: str, style: str) -> bool:
    """Whether a text can stand in a scalar of a style without quoting it anew."""
    match style:
        case "single":
            return "'" not in text
        case "double" | "json":
            return '"' not in text and "\\" not in text
        case "plain":
            return not any(char in text for char in "#:{}[],&*!|>'\"%@`")
        case _:
            return "\n" not in text
