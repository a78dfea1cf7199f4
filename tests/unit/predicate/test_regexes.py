"""Patterns as machines against RE2 itself, on random patterns and texts."""

import random

import pytest

from abs_compiler.predicate.domains.character_sets import EVERY, ask_re2, complement, fold_ascii, holds, normal
from abs_compiler.predicate.domains.regex_machine import RegexMachine, TooLargeError
from abs_compiler.predicate.domains.regex_syntax import as_plain, prefix_of, read_regex
from abs_compiler.runtime.patterns import PatternError, compile_pattern

ATOMS = [
    "a", "b", "k", "S", "é", "ß", ".", "^", "$", r"\d", r"\w", r"\W", r"\s", r"\b", r"\B", r"\A", r"\z", "[ab]", "[^a]",
    "[a-c]", r"[\w-]", r"[^\d_]", "[[:alpha:]]", "[^[:space:]]", r"\pL", r"\PN", r"\p{Greek}", r"\x41", r"\x{1F600}",
    r"\n", r"\.", r"\/", "(?i)", "(?m)", "(?s)", "(?-i)", r"\Qa.b\E", r"\012", "-", "_", " ", "[]a]", "[Kk]", "[é-ü]",
]  # fmt: skip
REPEATS = ["", "", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,1}", "*?", "+?", "{2,}"]
LETTERS = [
    "a",
    "b",
    "c",
    "k",
    "K",
    "s",
    "S",
    "\u212a",
    "\u017f",
    "é",
    "É",
    "ß",
    "1",
    "_",
    "-",
    " ",
    "\n",
    ".",
    "😀",
    "α",
]


def drawn(chosen, depth=2):
    parts = []
    for _ in range(chosen.randrange(1, 4)):
        pick = chosen.random()
        if depth and pick < 0.2:
            inner = drawn(chosen, depth - 1)
            parts.append(f"({chosen.choice(['', '?:', '?i:', '?P<n>'])}{inner})" + chosen.choice(REPEATS))
        elif depth and pick < 0.3:
            parts.append(f"(?:{drawn(chosen, depth - 1)}|{drawn(chosen, depth - 1)})")
        else:
            parts.append(chosen.choice(ATOMS) + chosen.choice(REPEATS))
    return "".join(parts)


def accepts(machine, text):
    state = machine.start
    for char in text:
        state = machine.step(state, machine.classify(ord(char)))
    return machine.accepts(state)


def test_machines_accept_what_re2_finds():
    chosen = random.Random(1)
    compared = followed = plain = 0
    for _ in range(4_000):
        pattern = drawn(chosen)
        ignore_case = chosen.random() < 0.3
        try:
            compiled = compile_pattern(pattern, ignore_case=ignore_case)
        except PatternError:
            continue
        compared += 1
        tree = read_regex(pattern, ignore_case=ignore_case)
        if tree is None:
            continue
        followed += 1
        machine = RegexMachine(tree)
        simple = as_plain(tree)
        for _ in range(12):
            text = "".join(chosen.choices(LETTERS, k=chosen.randrange(0, 7)))
            expected = compiled.test(text)
            assert compiled.search(text) is expected
            assert accepts(machine, text) is expected, (pattern, ignore_case, text)
            assert not expected or text.startswith(prefix_of(tree)), (pattern, text)
            if simple is not None:
                assert plain_answer(*simple, text) is expected, (pattern, text)
        plain += simple is not None
    assert compared > 2_000
    assert followed > 0.95 * compared
    assert plain > 50


def plain_answer(how, part, text):
    return {
        "is": text == part,
        "starts": text.startswith(part),
        "ends": text.endswith(part),
        "contains": part in text,
    }[how]


@pytest.mark.parametrize("single", [".", r"\pL", "[^a]", "[[:^alpha:]]", r"[\D]", "é", "[k-t]", r"\x{10FFFF}"])
@pytest.mark.parametrize("flags", ["", "i", "s"])
def test_classes_are_those_of_re2(single, flags):
    ranges = ask_re2(single, flags)
    compiled = compile_pattern(f"^(?:{single})$" if not flags else f"(?{flags})^(?:{single})$")
    points = [
        0,
        9,
        10,
        0x41,
        0x61,
        0x6B,
        0x7F,
        0x80,
        0x17F,
        0x7FF,
        0x800,
        0x212A,
        0xD7FF,
        0xE000,
        0xFFFF,
        0x10000,
        0x10FFFF,
    ]
    for point in points:
        assert holds(ranges, point) is compiled.test(chr(point)), hex(point)
    assert normal([*ranges, *complement(ranges)]) == EVERY


@pytest.mark.parametrize("text", ["[a-z]", "[A-C0-9]", "[_]", "k", "s", "[!-~]"])
def test_ignoring_case_is_that_of_re2(text):
    plain = ask_re2(text, "")
    assert fold_ascii(plain) == ask_re2(text, "i")


def test_a_machine_stays_within_its_bounds():
    tree = read_regex("(?:[ab]{100}){50}", ignore_case=False)
    with pytest.raises(TooLargeError):
        RegexMachine(tree)
    machine = RegexMachine(read_regex("(?:a|b)*a(?:a|b){14}$", ignore_case=False))
    chosen = random.Random(2)
    with pytest.raises(TooLargeError):
        accepts(machine, "".join(chosen.choices("ab", k=200_000)))
