"""Sets of strings: formulas over tests of texts, decided exactly by reading all texts at once with machines.

Atoms: ("in", texts) ("text",) ("length", intervals) ("starts", t) ("ends", t) ("contains", t) ("from", t)
("matches", pattern, flags). All but "in" are false for a string with lone surrogates, which is no text.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping

import attrs

from abs_compiler.bounds import remembered, spend
from abs_compiler.predicate.domains.formulas import Atom
from abs_compiler.predicate.domains.intervals import Intervals
from abs_compiler.predicate.domains.regex_machine import TooLargeError
from abs_compiler.predicate.domains.text_machines import Product, ProductState, machine
from abs_compiler.predicate.domains.worlds import (
    AtomVariable,
    BlowupError,
    LengthVariable,
    World,
    Worlds,
    cell_of,
    holds_length,
    length_cells,
)
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.patterns import compile_pattern
from abs_compiler.runtime.predicate_forms import is_text

_MAX_STEPS = 50_000
_PRICE = 30  # of making machines and putting them together
_MAX_SAMPLED_LENGTH = 6_000
_MAX_OPEN = 5
# The order in which tests are given up where they say nothing new: the dearest first.
_ORDER = ("matches", "contains", "ends", "starts", "from")


def holds(atom: Atom, value: str) -> bool:
    """Whether an atom is true of a string."""
    if atom[0] == "in":
        return value in atom[1]
    if not is_text(value):
        return False
    match atom:
        case ("text",):
            return True
        case ("length", intervals):
            return holds_length(intervals, len(value))
        case ("starts", text):
            return value.startswith(text)
        case ("ends", text):
            return value.endswith(text)
        case ("contains", text):
            return text in value
        case ("from", text):
            return value >= str(text)
        case _:
            return compile_pattern(atom[1], ignore_case="i" in atom[2]).test(value)


def worlds(atoms: frozenset[Atom], cap: int, wanted: Mapping[Atom, bool] | None = None) -> Worlds:
    """The worlds of some atoms; with `wanted`, only those in which these atoms have these values. BlowupError."""
    spend(_PRICE)
    literals = sorted({text for atom in atoms if atom[0] == "in" for text in atom[1]})
    lengths = length_cells([atom[1] for atom in atoms if atom[0] == "length"])
    tested = tuple(sorted((atom for atom in atoms if atom[0] in _ORDER), key=_rank))
    machines = [machine(atom) for atom in tested]
    followed = tuple(atom for atom, item in zip(tested, machines, strict=True) if item is not None)
    open_atoms = tuple(atom for atom, item in zip(tested, machines, strict=True) if item is None)
    if len(open_atoms) > _MAX_OPEN:
        raise BlowupError
    fixed = frozenset((atom, value) for atom, value in (wanted or {}).items() if atom in followed)
    try:
        counts = _count(followed, lengths, cap + len(literals), fixed)
    except TooLargeError:
        raise BlowupError from None
    texts = [text for text in literals if is_text(text)]
    taken = [(cell_of(lengths, len(text)), tuple(holds(atom, text) for atom in followed)) for text in texts]
    found = [_literal_world(text, atoms) for text in literals]
    broken = functools.partial(_broken, frozenset(literals))
    found.append(World(frozenset(), cap, broken, case=(0,) * (len(tested) + 1)))
    for (cell, bits), count in counts.items():
        left = count - sum(1 for place in taken if place == (cell, bits))
        if left <= 0:
            continue
        region = _Region(followed, lengths, cell, bits, frozenset(texts))
        for guesses in itertools.product((False, True), repeat=len(open_atoms)):
            answers = dict(zip((*followed, *open_atoms), (*bits, *guesses), strict=True))
            true = [atom for atom, answer in answers.items() if answer]
            true += [atom for atom in atoms if atom[0] == "length" and holds_length(atom[1], lengths[cell][0])]
            true += [atom for atom in atoms if atom[0] == "text"]
            found.append(
                World(
                    frozenset(true),
                    min(left, cap),
                    region.words,
                    not open_atoms,
                    (*(int(answers[atom]) for atom in tested), cell + 1),
                    shortest=lengths[cell] == (0, 0),
                )
            )
    return Worlds(tuple(found), (*map(AtomVariable, tested), LengthVariable(lengths, True)))


def _rank(atom: Atom) -> tuple[int, Atom]:
    return _ORDER.index(atom[0]), atom


def _literal_world(text: str, atoms: frozenset[Atom]) -> World:
    true = frozenset(atom for atom in atoms if holds(atom, text))
    return World(true, 1, lambda _limit: iter([text]), True, None, text)


def _broken(literals: frozenset[str], limit: int) -> Iterator[str]:
    candidates = (chr(point) for point in range(0xD800, 0xE000))
    return itertools.islice((text for text in candidates if text not in literals), limit)


# --- counting -------------------------------------------------------------------------------------------------------

_Layer = dict[ProductState, int]
_Counts = dict[tuple[int, tuple[bool, ...]], int]


@functools.lru_cache(maxsize=256)
def _product(followed: tuple[Atom, ...]) -> Product:
    return Product(tuple(item for atom in followed if (item := machine(atom)) is not None))


@remembered(2048, BlowupError)
def _count(followed: tuple[Atom, ...], lengths: Intervals, cap: int, fixed: frozenset[tuple[Atom, bool]]) -> _Counts:
    """How many texts, up to `cap`, there are of each length cell with each answer of the machines.

    Texts are read length by length, all of one length at once; as soon as one length looks like an earlier one, so
    does everything behind it.
    """
    product = _product(followed)
    demanded = [dict(fixed).get(atom) for atom in followed]
    totals: _Counts = {}
    layers: list[_Layer] = [{product.start: 1}]
    seen = {frozenset(layers[0].items()): 0}
    work = 0
    for length in itertools.count(1):
        layer: _Layer = {}
        for state, count in layers[-1].items():
            for to, characters in product.steps(state):
                if fixed and _contradicts(product.settled(to), demanded):
                    continue
                layer[to] = min(cap, layer.get(to, 0) + count * characters)
        steps = 1 + len(layer) * product.weight
        spend(steps)
        work += steps
        if work > _MAX_STEPS:
            raise BlowupError
        before = seen.setdefault(frozenset(layer.items()), length)
        if before < length:
            _add_all(totals, product, layers, before, lengths, cap, demanded)
            return totals
        layers.append(layer)
    raise AssertionError("unreachable")


def _contradicts(settled: tuple[bool | None, ...], demanded: list[bool | None]) -> bool:
    return any(
        answer is not None and wanted is not None and answer is not wanted
        for answer, wanted in zip(settled, demanded, strict=True)
    )


def _add_all(
    totals: _Counts,
    product: Product,
    layers: list[_Layer],
    repeats_from: int,
    lengths: Intervals,
    cap: int,
    demanded: list[bool | None],
) -> None:
    """Add up the layers; from `repeats_from` on they come again and again."""
    period = len(layers) - repeats_from
    for length, layer in enumerate(layers):
        for cell, (low, high) in enumerate(lengths):
            times = _occurrences(length, period if length >= repeats_from else 0, low, high, cap)
            if not times:
                continue
            for state, count in layer.items():
                bits = product.accepted(state)
                if any(want is not None and want is not bit for want, bit in zip(demanded, bits, strict=True)):
                    continue
                key = (cell, bits)
                totals[key] = min(cap, totals.get(key, 0) + count * times)


def _occurrences(length: int, period: int, low: int, high: int | None, cap: int) -> int:
    """How often a layer comes within some lengths, where it comes again every `period` (0: never)."""
    if period == 0:
        return int(low <= length and (high is None or length <= high))
    if high is None:
        return cap
    first = length if length >= low else length + -(-(low - length) // period) * period
    return 0 if first > high else (high - first) // period + 1


# --- making texts ---------------------------------------------------------------------------------------------------


@attrs.frozen(slots=False, repr=False)
class _Region(ReprMixin):
    """The texts of one length cell with one answer of the machines, but for the texts that formulas name."""

    followed: tuple[Atom, ...]
    lengths: Intervals
    cell: int
    bits: tuple[bool, ...]
    named: frozenset[str]

    def words(self, limit: int) -> Iterator[str]:
        """Up to `limit` texts, short ones first. Very long ones are not made."""
        product = _product(self.followed)
        low, high = self.lengths[self.cell]
        wanted = limit + len(self.named)
        layer: dict[ProductState, list[str]] = {product.start: [""]}
        made = 0
        for length in range(_MAX_SAMPLED_LENGTH if high is None else min(high + 1, _MAX_SAMPLED_LENGTH)):
            if length >= low:
                for state, texts in layer.items():
                    if product.accepted(state) != self.bits:
                        continue
                    for text in texts:
                        if text not in self.named:
                            yield text
                            made += 1
                            if made >= limit:
                                return
            following: dict[ProductState, list[str]] = {}
            for state, texts in layer.items():
                for to, letter in product.lettered_steps(state, wanted):
                    kept = following.setdefault(to, [])
                    kept.extend(text + letter for text in texts[: wanted - len(kept)])
            layer = following
