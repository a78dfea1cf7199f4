"""Names that are most likely one name, written in two ways: targets, arguments of one target, captured names, columns
of a dataset.

Two names count as one where they differ only in case, in spaces, dashes, underscores and dots or in their Unicode form;
and two targets also where one, used once, is a slip of the other: two letters swapped, one doubled or left out. The
other is used more often, or called where the slip only answers.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from abs_compiler.diagnostics import Edit, Fix, Help, Label
from abs_compiler.lint.contract import FileContext, Report, UnfinishedError
from abs_compiler.lint.rules.names.usage import Slip, usage
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.spec.behavior import is_tool_response
from abs_compiler.spec.model import Arguments, Name, Reference
from abs_compiler.spec.walk import behavior_references, evaluation_references, flattened

if TYPE_CHECKING:
    from abs_compiler.spec.evaluation_model import Evaluation

_SHORTEST = 6  # below this many letters a slip cannot be told from another name
_LONGEST = 100  # beyond it is no name, but a text
_WORD = re.compile(r"[^\W_]+")


@attrs.frozen(slots=False, repr=False)
class Called(ReprMixin):
    """The targets that something is done to, and those that only answer."""

    called: frozenset[str]
    only_answering: frozenset[str]


def check(context: FileContext) -> Iterator[Report]:
    """Report the rarer of two ways to write a name; of equally frequent ones, the later."""
    used = context.shared(usage)
    for slip in used.slips:
        yield _captured(slip)
    uses = _uses(context)
    targets: dict[str, list[Name]] = {}
    for target, _ in uses:
        targets.setdefault(target.text, []).append(target)
    tools = frozenset(() if context.tools is None else context.tools.names)
    yield from _one_name_in_two_ways(targets, "targets", right=tools)
    yield from _slips_of_targets(targets, _called(context), right=tools)
    yield from _arguments(uses)
    yield from _columns(context)
    if not used.finished:
        raise UnfinishedError("too many names are captured and not used, beside too many that nothing captures")


@functools.lru_cache(maxsize=4096)
def same_name(text: str) -> str:
    """What two ways to write one name have in common."""
    return re.sub(r"[\s_\-.]+", "", unicodedata.normalize("NFKC", text)).casefold()


# --- names that nothing captures ------------------------------------------------------------------------------------


def _captured(slip: Slip) -> Report:
    wrong, right = slip.reference, slip.capture
    written = f"{{{{{right.text}}}}}"
    return Report(
        "near-miss-names",
        f"nothing captures `{wrong.name}`, and nothing uses `{right.text}`, which is captured",
        wrong.span,
        "most likely the captured value",
        also=(Label(right.span, "captured here"),),
        notes=(f"as it stands, `{wrong.name}` must be given from outside, by a dataset or `--var`",),
        helps=(Help("for the captured value, write", Fix(f"write {written}", (Edit(wrong.span, written),))),),
    )


# --- targets --------------------------------------------------------------------------------------------------------


def _uses(context: FileContext) -> list[tuple[Name, Arguments | None]]:
    """Every target of the sessions with the arguments that stand beside it, in the order of the text, each once."""
    found: dict[int, tuple[Name, Arguments | None]] = {}
    for ir in context.irs:
        for step in ir.steps:
            behavior = step.behavior
            if behavior.target is not None:
                found[behavior.target.span.start] = (behavior.target, behavior.arguments)
            _add_evaluations(found, behavior.evaluations, behavior.target)
        _add_evaluations(found, ir.session.evaluations, None)
        for mapped in ir.session.match.targets:
            found[mapped.target.span.start] = (mapped.target, None)
    return [found[start] for start in sorted(found)]


def _add_evaluations(
    found: dict[int, tuple[Name, Arguments | None]], evaluations: Sequence[Evaluation], target: Name | None
) -> None:
    if not evaluations:
        return
    from abs_compiler.spec.evaluation_model import ToolCall  # slow to import, and many specs have none
    from abs_compiler.spec.evaluation_walk import selectors_of

    for evaluation in flattened(evaluations):
        check = evaluation.check
        if isinstance(check, ToolCall):
            named = check.target or target
            if named is not None and (check.target is not None or check.arguments is not None):
                place = check.target.span if check.target is not None else evaluation.span
                found[place.start] = (Name(named.text, place), check.arguments)
        for selector in selectors_of(check):
            if selector.target is not None:
                found[selector.target.span.start] = (selector.target, selector.arguments)


def _one_name_in_two_ways(
    names: dict[str, list[Name]], what: str, of: str = "", right: frozenset[str] = frozenset()
) -> Iterator[Report]:
    """`names` are the places of each way to write a name; gives one report a way, for the first place of each. Those
    that are known to be right are reported of no other."""
    alike: dict[str, list[str]] = {}
    for text in names:
        alike.setdefault(same_name(text), []).append(text)
    for ways in alike.values():
        best = _commonest(ways, names)
        for way in ways:
            if way != best and way not in right:
                yield _two_ways(names[way][0], names[best][0], what + of, _difference(way, best))


def _commonest(ways: list[str], names: dict[str, list[Name]]) -> str:
    return max(ways, key=lambda way: (len(names[way]), -names[way][0].span.start))


def _two_ways(odd: Name, usual: Name, what: str, difference: str) -> Report:
    return Report(
        "near-miss-names",
        f"the {what} `{odd.text}` and `{usual.text}` differ only in {difference}",
        odd.span,
        "written in another way here",
        also=(Label(usual.span, "written like this here"),),
        notes=("names are compared character by character",),
        helps=(f"if they are one, write `{usual.text}` here",),
    )


def _difference(one: str, other: str) -> str:
    if unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other):
        return "how an accented character is encoded"
    if unicodedata.normalize("NFKC", one) == unicodedata.normalize("NFKC", other):
        return "the form of a character"
    if one.casefold() == other.casefold():
        return "upper and lower case"
    if re.sub(r"[\s_\-.]+", "", one) == re.sub(r"[\s_\-.]+", "", other):
        return "spaces, dashes, underscores or dots" if "." in one + other else "spaces, dashes or underscores"
    return "how their words are joined"


def _called(context: FileContext) -> Called:
    """Which targets are called, and which only answer."""
    called: set[str] = set()
    answering: set[str] = set()
    for ir in context.irs:
        for step in ir.steps:
            behavior = step.behavior
            if behavior.target is not None:
                answers = is_tool_response(behavior.actor, behavior.action)
                (answering if answers else called).add(behavior.target.text)
    return Called(frozenset(called), frozenset(answering - called))


def _slips_of_targets(
    targets: dict[str, list[Name]], called: Called, right: frozenset[str] = frozenset()
) -> Iterator[Report]:
    """Targets that are written once, and look like a slip of one that is written more often, or that is called where
    they only answer. Those that are known to be right are no slips."""
    common = {
        text: number
        for number, (text, places) in enumerate(targets.items())
        if len(places) > 1 or (called.only_answering and text in called.called)
    }
    rare = {text for text, places in targets.items() if len(places) == 1 and text not in right}
    near: dict[str, set[str]] = {text: set() for text in targets if text in rare}
    for text in rare:
        near[text].update(other for other in (*_one_less(text), *_swapped(text)) if other in common)
    for text in common:
        for other in _one_less(text):
            if other in rare:
                near[other].add(text)
    for text, candidates in near.items():
        answers = text in called.only_answering
        likely = (other for other in candidates if answers or len(targets[other]) > 1)
        usual = min((other for other in likely if _is_slip(text, other)), key=common.__getitem__, default=None)
        if usual is not None:
            times = len(targets[usual])
            label = f"written like this {times} times" if times > 1 else "called here"
            yield Report(
                "near-miss-names",
                f"the target `{text}` looks like a slip of `{usual}`",
                targets[text][0].span,
                "written like this once" if times > 1 else "nothing calls this",
                also=(Label(targets[usual][0].span, label),),
                helps=(f"if they are one, write `{usual}` here",),
            )


def _one_less(text: str) -> Iterator[str]:
    """A text without one of its characters, in every way."""
    if len(text) <= _LONGEST:
        for at in range(len(text)):
            yield text[:at] + text[at + 1 :]


def _swapped(text: str) -> Iterator[str]:
    """A text with two neighbours swapped, in every way."""
    if len(text) <= _LONGEST:
        for at in range(len(text) - 1):
            yield text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def _is_slip(text: str, other: str) -> bool:
    """Whether one text comes from the other by swapping two neighbours, or by leaving out or adding one letter within
    a word. Words that people tell apart on purpose do not count: numbers, plurals, another first letter."""
    if min(len(text), len(other)) < _SHORTEST or abs(len(text) - len(other)) > 1:
        return False
    words, others = _WORD.findall(text), _WORD.findall(other)
    if len(words) != len(others):
        return False
    different = [(one, two) for one, two in zip(words, others, strict=True) if one != two]
    if len(different) != 1:
        return False
    one, two = different[0]
    if len(one) == len(two):
        places = [at for at in range(len(one)) if one[at] != two[at]]
        return (
            len(places) == 2
            and places[1] == places[0] + 1
            and one[places[0]] == two[places[1]]
            and (one[places[1]] == two[places[0]] and one.isalpha())
        )
    shorter, longer = sorted((one, two), key=len)
    at = next((at for at, char in enumerate(shorter) if longer[at] != char), len(shorter))
    return 0 < at < len(shorter) and shorter[at:] == longer[at + 1 :] and longer[at].isalpha()


# --- arguments ------------------------------------------------------------------------------------------------------


def _arguments(uses: list[tuple[Name, Arguments | None]]) -> Iterator[Report]:
    """Names of arguments of one target, written in two ways by different calls."""
    of_target: dict[str, dict[str, list[Name]]] = {}
    together: dict[str, set[str]] = {}
    for target, arguments in uses:
        if arguments is None:
            continue
        names = of_target.setdefault(target.text, {})
        seen: set[str] = set()
        for entry in arguments.keys:
            names.setdefault(entry.key, []).append(Name(entry.key, entry.key_span))
            same = same_name(entry.key)
            if same in seen:  # one call has both, so they are two
                together.setdefault(target.text, set()).add(same)
            seen.add(same)
    for target_name, names in of_target.items():
        two = together.get(target_name, set())
        apart = {text: places for text, places in names.items() if same_name(text) not in two}
        yield from _one_name_in_two_ways(apart, "arguments", f" of `{target_name}`")


# --- columns --------------------------------------------------------------------------------------------------------


def _columns(context: FileContext) -> Iterator[Report]:
    """Columns of one dataset, `{{cases.orderId}}` and `{{cases.order_id}}`."""
    text = context.source.text
    if "\\" not in text and not any("." in behind.partition("}}")[0] for behind in text.split("{{")[1:]):
        return  # most files have none, and this is quick
    of_dataset: dict[str, dict[int, Name]] = {}
    for ir in context.irs:
        for step in ir.steps:
            _add_columns(of_dataset, behavior_references(step.behavior))
        _add_columns(of_dataset, evaluation_references(ir.session.evaluations))
    for dataset, places in of_dataset.items():
        columns: dict[str, list[Name]] = {}
        for start in sorted(places):
            columns.setdefault(places[start].text, []).append(places[start])
        yield from _one_name_in_two_ways(columns, "columns", f" of `{dataset}`")


def _add_columns(of_dataset: dict[str, dict[int, Name]], references: Iterable[Reference]) -> None:
    for reference in references:
        dataset, dot, column = reference.name.partition(".")
        if dot:
            of_dataset.setdefault(dataset, {})[reference.span.start] = Name(column, reference.span)
