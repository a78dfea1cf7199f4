"""Names that are most likely one name, written in two ways: targets, arguments of one target, captured names.

Two names count as one where they differ only in case, in spaces, dashes, underscores and dots or in their Unicode form;
and two targets also where one, used once, is a slip of the other: two letters swapped, one doubled or left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from abs_compiler.diagnostics import Edit, Fix, Help, Label
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.rules.names.usage import Slip, usage
from abs_compiler.spec.model import Arguments, Evaluation, Name, ToolCall
from abs_compiler.spec.walk import flattened, selectors_of

_SHORTEST = 6  # below this many letters a slip cannot be told from another name
_WORD = re.compile(r"[^\W_]+")


def check(context: FileContext) -> Iterator[Report]:
    """Report the rarer of two ways to write a name; of equally frequent ones, the later."""
    for slip in context.shared(usage).slips:
        yield _captured(slip)
    uses = _uses(context)
    targets: dict[str, list[Name]] = {}
    for target, _ in uses:
        targets.setdefault(target.text, []).append(target)
    yield from _one_name_in_two_ways(targets, "targets")
    yield from _slips_of_targets(targets)
    yield from _arguments(uses)


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
    found: dict[int, tuple[Name, Arguments | None]], evaluations: Iterable[Evaluation], target: Name | None
) -> None:
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


def _one_name_in_two_ways(names: dict[str, list[Name]], what: str, of: str = "") -> Iterator[Report]:
    """`names` are the places of each way to write a name; gives one report a way, for the first place of each."""
    alike: dict[str, list[str]] = {}
    for text in names:
        alike.setdefault(same_name(text), []).append(text)
    for ways in alike.values():
        best = _commonest(ways, names)
        for way in ways:
            if way != best:
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


def _slips_of_targets(targets: dict[str, list[Name]]) -> Iterator[Report]:
    common = [text for text, places in targets.items() if len(places) > 1]
    for text, places in targets.items():
        if len(places) > 1:
            continue
        usual = next((other for other in common if _is_slip(text, other)), None)
        if usual is not None:
            yield Report(
                "near-miss-names",
                f"the target `{text}` looks like a slip of `{usual}`",
                places[0].span,
                "written like this once",
                also=(Label(targets[usual][0].span, f"written like this {len(targets[usual])} times"),),
                helps=(f"if they are one, write `{usual}` here",),
            )


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
    together: dict[str, set[frozenset[str]]] = {}
    for target, arguments in uses:
        if arguments is None:
            continue
        names = of_target.setdefault(target.text, {})
        for entry in arguments.keys:
            names.setdefault(entry.key, []).append(Name(entry.key, entry.key_span))
        together.setdefault(target.text, set()).add(frozenset(entry.key for entry in arguments.keys))
    for target_name, names in of_target.items():
        apart = {
            text: places
            for text, places in names.items()
            if not any(
                text in keys and any(other != text and same_name(other) == same_name(text) for other in keys)
                for keys in together[target_name]
            )
        }
        yield from _one_name_in_two_ways(apart, "arguments", f" of `{target_name}`")
