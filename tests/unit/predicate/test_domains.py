"""Sets of values where it is delicate: the edges of numbers, counting, what is not known, bounded work."""

import itertools
import json
import math
import random
import time

import pytest

from abs_compiler.bounds import OutOfWorkError, allowance, remembered, spend
from abs_compiler.predicate import findings, lower, parse
from abs_compiler.predicate.denote import denote
from abs_compiler.predicate.domains import Known, complement, emptiness, members, size
from abs_compiler.predicate.domains.cover import cover
from abs_compiler.predicate.domains.formulas import atom, conj, cubes, disj, evaluate, neg
from abs_compiler.predicate.domains.intervals import (
    FRACTIONS,
    INTEGERS,
    bounded_fractions,
    intersection,
    union,
)
from abs_compiler.predicate.domains.intervals import (
    complement as without,
)
from abs_compiler.predicate.domains.intervals import (
    contains as inside,
)


def domain(text):
    return denote(parse(text).root).inside


def empty(text):
    return emptiness(denote(parse(text).root).around)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("number > 5 and < 6", False),
        ("integer > 5 and < 6", True),
        ("number > 1.0 and < 1.0000000000000002", True),
        ("number > 1.0 and < 1.0000000000000004", False),
        ("number > 9007199254740992 and < 9007199254740993", True),
        ("integer > 9007199254740992 and < 9007199254740994", False),
        ("number and not integer and > 4503599627370495 and < 4503599627370496", False),
        ("number and not integer and > 4503599627370496", True),
        ("number and not integer and < -4503599627370495.5", True),
        ("== 0.1 and in 0..1", False),
        ("== 1e300 and integer", False),
        ("number in 1..1 and != 1", True),
        ("boolean and != true and != false", True),
        ('string starts with "ab" and length == 2 and != "ab"', True),
        ('string starts with "ab" and ends with "bc" and length == 3 and != "abc"', True),
        ('string starts with "ab" and ends with "bc" and length == 4', False),
        ('> "a" and < "a\\u0000"', True),
        ('>= "a" and < "a\\u0000" and != "a"', True),
        ('> "a" and < "a\\u0001"', False),
        ('> "b" and starts with "a"', True),
        ('string contains "ab" and not contains "a"', True),
        ("string matches /^[ab]{2}$/ and not in ['aa', 'ab', 'ba', 'bb']", True),
        ("string matches /^[ab]{2}$/ and not in ['aa', 'ab', 'ba']", False),
        (r"string matches /^\d+$/ and contains 'a'", True),
        (r"string matches /^\d+$/ and matches /[^0-9]/", True),
        (r"string matches /^(aa)+$/ and matches /^(aaa)+$/ and length < 6", True),
        (r"string matches /^(aa)+$/ and matches /^(aaa)+$/ and length < 7", False),
        (r"string matches /^(aa)+$/ and length == 100000001", True),
        (r"string matches /^(aa)+$/ and length == 100000000", False),
        (r"string matches /a\b\w/", True),
        (r"string matches /(?m)^b/ and starts with 'a' and not contains '\n'", True),
        ("string and not length >= 0", False),  # only strings with lone surrogates
        ('starts with "\\ud800"', True),
        ('== "\\ud800" and length == 1', True),
        ("array each boolean and length == 1 and not in [[true], [false]]", True),
        ("array each boolean and length == 2 and not in [[true, true], [false, false]]", False),
        ("array each boolean and length == 2 and not in [[true,true],[false,false],[true,false],[false,true]]", True),
        ("array each in [1, 2] and length == 2 and some == 1 and not same items as [1, 2] and != [1, 1]", True),
        ("array each in [1, 2] and length == 2 and some == 1 and not same items as [1, 2]", False),
        ("array each null and length in 3..5 and not in [[null, null, null]]", False),
        ("array some string and each number", True),
        ("array some > 3 and some < 2 and length == 1", True),
        ("array some > 3 and some < 2 and length == 2", False),
        ("array each string and not each string", True),
        ("array length == 0 and != []", True),
        ("array same items as [1, 2] and length == 3", True),
        ("array length == 1000000000 and each boolean", False),
        ("array each each each string", False),
        ("has {a: > 1} and has {a: < 2} and has {a: integer}", True),
        ("has {a: any, b: any} and length == 1", True),
        ("has {a: any, b: (absent)} and length == 1", False),
        ("has {a: boolean} and length == 1 and not in [{\"a\": true}, {\"a\": false}]", True),
        ("has {a: boolean} and length == 2 and not in [{\"a\": true}, {\"a\": false}]", False),
        ("object and length < 1 and != {}", True),
        ("object and not has {a: (absent or any)}", True),
        ("has {a: (absent)} and has {a: any}", True),
        ("not any", True),
        ("not not absent", True),
        ("absent and any", True),
        ("length == 2.5", True),
        ("length < 0", True),
        ("in []", True),
        ("any in 2..1", True),
    ],
)  # fmt: skip
def test_emptiness(text, expected):
    assert empty(text) is (Known.YES if expected else Known.NO)
    enormous = "length == 100" in text
    assert len(list(members(domain(text), 1))) == (not expected and not enormous)


@pytest.mark.parametrize(
    "text",
    ["any", "string or not string", "not (string and number)", 'not starts with "a" or starts with "a"', "!= 1 or == 1",
     "not has {a: 1} or has {a: 1}", "not each string or array", r"not matches /^\d$/ or length == 1"],
)  # fmt: skip
def test_universality(text):
    assert emptiness(complement(domain(text))) is Known.YES


def test_interval_sets_are_those_of_the_definition():
    chosen = random.Random(3)
    for line, points in (
        (INTEGERS, list(range(-6, 7))),
        (FRACTIONS, [x / 4 for x in range(-20, 21) if (x / 4) % 1] + [math.nextafter(1.0, 2), math.nextafter(2.0, 0)]),
    ):
        for _ in range(2_000):
            left, right = (drawn_intervals(chosen, sorted(points), line) for _ in range(2))
            both, either, rest = intersection(left, right), union(left, right, line=line), without(left, line)
            for point in points:
                a, b = inside(left, point), inside(right, point)
                assert inside(both, point) is (a and b)
                assert inside(either, point) is (a or b)
                assert inside(rest, point) is (not a)
            assert union(left, without(left, line), line=line) == ((None, None),)
            assert intersection(left, without(left, line)) == ()
            assert union(left, left, line=line) == left == without(without(left, line), line)


def drawn_intervals(chosen, points, line):
    found = ()
    for _ in range(chosen.randrange(4)):
        low, high = sorted(chosen.sample(points, 2))
        low, high = chosen.choice([(low, high), (low, low), (None, high), (low, None)])
        found = union(found, ((low, high),), line=line)
    return bounded_fractions(found) if line is FRACTIONS else found


def test_counting_fractions():
    assert FRACTIONS.count(0.5, 0.5) == 1
    assert FRACTIONS.count(4503599627370494.5, 4503599627370495.5) == 2
    assert FRACTIONS.count(2251799813685248.5, 2251799813685250.5) == 3
    point, count = 1 - 2**-53, 0
    while point <= 1 + 8 * 2**-52:
        count += not point.is_integer()
        point = math.nextafter(point, 2)
    assert FRACTIONS.count(1 - 2**-53, 1 + 8 * 2**-52) == count
    assert FRACTIONS.count(-0.25, 0.25) == 2 * FRACTIONS.count(5e-324, 0.25)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("boolean", 2), ("null or boolean", 3), ("integer in 1..5", 5), ("string matches /^[ab]{3}$/", 8), ("string", 99),
     ("array each boolean and length < 3", 7), ("array each boolean and some == true and length == 3", 7),
     ("has {a: boolean} and length == 1", 2), ("has {a: boolean, b: (absent or null)} and length == 1", 2),
     ("same items as [1, 1, 2]", 3), ("in [1, 1.0, true]", 2), ("array each null and length in 3..50", 48)],
)  # fmt: skip
def test_sizes(text, expected):
    assert size(domain(text), 99) == expected


def test_covers_are_exact():
    chosen = random.Random(5)
    for _ in range(500):
        sizes = [chosen.choice([2, 2, 3]) for _ in range(chosen.randrange(1, 4))]
        table = {case: chosen.choice([True, False, None]) for case in itertools.product(*map(range, sizes))}
        on = [case for case, value in table.items() if value is True]
        off = [case for case, value in table.items() if value is False]
        cubes_ = cover(sizes, on, off)
        for case, value in table.items():
            covered = any(all(cube[i] >> v & 1 for i, v in enumerate(case)) for cube in cubes_)
            assert value is None or covered is value


def test_formulas():
    a, b = atom("a"), atom("b")
    assert conj([a, True, a]) == a
    assert conj([a, neg(a)]) is False
    assert disj([a, neg(a)]) is True
    assert disj([]) is False
    assert conj([]) is True
    assert neg(neg(a)) == a
    formula = disj([conj([a, neg(b)]), b])
    for x, y in itertools.product((False, True), repeat=2):
        truth = {("a",): x, ("b",): y}
        assert evaluate(formula, truth.__getitem__) is (x or y)
        assert any(all(truth[k] is v for k, v in cube.items()) for cube in cubes(formula, 10)) is (x or y)
    wide = conj([disj([atom(i, j) for j in range(4)]) for i in range(8)])
    assert cubes(wide, 64) is None


# --- what is not known, and bounded work --------------------------------------------------------------------------


CONTRIVED = [
    "string contains 'a' and " + " and ".join(f"contains '{c}x'" for c in "bcdefghijklmno"),
    " and ".join(f"(starts with '{c}' or contains '{c}{c}')" for c in "abcdefghijklmnopqrs"),
    " or ".join(f"array some == {i}" for i in range(60)),
    " and ".join(f"array some (== {i} or == {i + 1})" for i in range(20)),
    r"matches /^(a|b)*a(a|b){12}$/ and length > 30 and not matches /^(a|b)*b(a|b){12}$/",
    r"matches /(\pL\d){100}/ and matches /^\p{Greek}{1,300}$/",
    " or ".join(f"> {i} and < {i + 1}" for i in range(0, 100, 2)),
    "has {" + ", ".join(f"k{i}: (absent or string)" for i in range(60)) + "} and not has {k0: string}",
    "same items as [" + ", ".join(map(str, range(300))) + "]",
    "not in [" + ", ".join(map(str, range(400))) + "]",
    " and ".join(f"!= {2 * i}" for i in range(160)),
    "number (" + " and ".join(f"!= {2 * i}" for i in range(150)) + ")",
    " and ".join(f"!= {i}.5" for i in range(160)),
    " and ".join(f"(some > {i} or each < {i + 3})" for i in range(60)),
    " and ".join(f"!= [{i}]" for i in range(140)),
    " and ".join(f"not contains '{i}'" for i in range(80)),
]


@pytest.mark.parametrize("text", CONTRIVED, ids=range(len(CONTRIVED)))
def test_contrived_predicates_take_bounded_time(text):
    predicate = parse(text)
    started = time.process_time()
    findings(predicate)
    lower(predicate)
    assert time.process_time() - started < 5


def test_a_blacklist_is_decided_whatever_its_length():
    words = " and ".join(f"not contains '{c}{c}'" for c in "abcdefghijklmnopqrstuvwxyz")
    assert empty(f"string {words}") is Known.NO
    assert empty(f"string {words} and contains 'mm'") is Known.YES
    many = ", ".join(f"k{i}: integer > {i}" for i in range(40))
    assert empty(f"has {{{many}}} and has {{k7: string}}") is Known.YES
    assert empty(f"has {{{many}}} and length == 39") is Known.YES
    assert empty(f"has {{{many}}} and length == 40") is Known.NO


def test_answers_do_not_depend_on_what_was_asked_before():
    """The work of a remembered answer counts like that of a new one."""
    texts = CONTRIVED[:4]
    first = [json.dumps([lower(parse(text)), [str(item) for item in findings(parse(text))]]) for text in texts]
    again = [json.dumps([lower(parse(text)), [str(item) for item in findings(parse(text))]]) for text in texts[::-1]]
    assert first == again[::-1]


def test_remembered_answers_cost_what_new_ones_do():
    calls = []

    @remembered(2, ValueError)
    def work(cost):
        calls.append(cost)
        spend(cost)
        if cost == 3:
            raise ValueError(cost)
        return cost

    def total(*costs):
        with allowance(10):
            for cost in costs:
                try:
                    work(cost)
                except ValueError:
                    assert cost == 3
            return True

    assert total(5, 5)
    assert calls == [5]
    with pytest.raises(OutOfWorkError):
        total(5, 5, 5)
    assert total(3, 3, 3)
    assert calls == [5, 3]
    with pytest.raises(OutOfWorkError):
        total(3, 3, 3, 3)
    with allowance(4), pytest.raises(OutOfWorkError), allowance(100):
        work(5)
