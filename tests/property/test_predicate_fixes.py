"""Fixes of mistakes in predicates, and of what findings say about them: none turns a check around, none admits more.

Plain seeded randomness, the same in every run. What a fix leads to is held against the meaning of the predicate that
was misspelt or found wanting, by sets of values, and by a count of negations that is not the project's own.
"""

import collections
import json
import random
import re

import pytest

from abs_compiler.predicate import PredicateSyntaxError, findings, parse
from abs_compiler.predicate.denote import denote
from abs_compiler.predicate.domains import Known, difference, emptiness, members
from abs_compiler.predicate.errors import apply
from abs_compiler.predicate.printer import print_test
from abs_compiler.predicate.when import parse_when
from tests.golden.test_predicate_mistakes import read_rows
from tests.support.predicates import Draw

MOST_FIXES = 8
NEGATION = re.compile(
    r"!~|!=+|!|≠|<>|\b(?i:not)\b|\bn(?:one|either|ever|or)(?=[\W_]|in\b)|\bnin\b|\bnon(?=null)|\bnmatches|\bunlike\b|n['’]t\b"
    r"|\bcannot\b|\bisnt\b|\b(?:notequals|unequal|neq?)\b|\bnot\w+|_not_|\bwithout\b"
)
NO_NEGATION = re.compile(
    r"\w+(?=\s*:)|\bnone\b(?! of|_of)|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|(?<=[ (])/(?:[^/\\]|\\.)+/"
)
# What takes the place of a word or sign, and stands beside another one.
STRAY = (
    *("not", "and", "or", "(", ")", "[", "]", ",", "..", "=", "!", "~", "=~", "!~", "&&", "||", "<>", "5", "-5"),
    *('"a"', "'b'", "/x/", "is", "is not", "must", "must not be", "does not", "doesn't", "nin", "no", "never", "foo"),
    *("none of", "any of", "one of", "but", "except", "between", "at least", "no more than", "empty", "unlike", "like"),
    *("nonnull", "nmatches", "not_in", "notequals", "does_not_contain", "text", "list", "int", "None", "True", "of"),
    *("some", "absent", "optional", "contains", "startswith", "in", "string", "number", "array", "has", "{a: 1}"),
    *("AND", "length", "each"),
    *("|", "&", "...", "..<", "to", "1 to 5", "12:30", "1, 2", "{{a}}", "{{b}} >", "today", "any", "url", "exists and"),
)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|/(?:[^/\\]|\\.)+/i?|\w+|[<>=!]+|\.\.|\S')
# Spellings of other languages, with the same meaning: what they replace, as a pattern, and they themselves.
RESPELLED = {
    r"==": ("=", "===", "equals", "is"),
    r"!=": ("<>", "is not", "ne", "notequals", "not equal to"),
    r">=": ("=>", "at least", "no less than"),
    r"<=": ("=<", "at most", "no more than"),
    r">": ("gt", "more than"),
    r"and": ("&&", "AND"),
    r"or": ("||", "OR"),
    r"not": ("!", "NOT"),
    r"not in": ("nin", "notin", "not_in", "none of"),
    r"in(?= \[)": ("one of", "oneof", "IN"),
    r"in (-?\d+)\.\.(\d+)": (r"between \1 and \2", r"from \1 to \2"),
    r"in (\d+)\.\.(\d+)": (r"in [\1-\2]", r"in [\1..\2]", r"in (\1..\2)", r"in \1-\2"),
    r"in \[([^][]*)\]": (r"in (\1)",),
    r"matches": ("=~", "~", "regex", "match"),
    r"not matches": ("!~", "nmatches", "must not match"),
    r"contains": ("includes", "contians", "Contains"),
    r"not contains": ("does not contain", "doesn't contain", "not_contains", "!contains"),
    r"starts with": ("starts", "startsWith", "begins with"),
    r"not starts with": ("must not start with", "!starts with"),
    r"string": ("str", "text", "String"),
    r"not string": ("is not a string", "notstring"),
    r"null": ("is null", "None"),
    r"not null": ("nonnull", "IS NOT NULL", "must not be null"),
    r"array": ("list", "arry"),
    r"object": ("dict", "mapping"),
    r"integer": ("int", "an integer"),
    r"length": ("len", "size"),
    r"each": ("every", "all"),
    r"true": ("True", "TRUE"),
}


def negations(text):
    return len(NEGATION.findall(NO_NEGATION.sub(" _ ", text)))


def mistake(text, read=parse):
    """The mistake in a predicate or condition; None where there is none."""
    try:
        read(text)
    except PredicateSyntaxError as error:
        return error
    return None


def followed(text, edit, read=parse):
    """The text after a fix and the first fixes of what it leads to; it must be right in the end."""
    start, steps = text, [apply(edit, text)]
    while (error := mistake(steps[-1], read)) is not None:
        assert len(steps) < MOST_FIXES, (start, steps)
        edit = error.helps[0].edit if error.helps else None
        assert edit, (start, steps, error)
        steps.append(apply(edit, steps[-1]))
    return steps[-1]


def check_fixes(text):
    """Every fix of a mistake; how many there were."""
    error = mistake(text)
    edits = [advice.edit for advice in error.helps if advice.edit] if error else []
    for edit in edits:
        mended = followed(text, edit)
        if text.count('"') % 2 == 0:
            assert negations(mended) == negations(text), (text, mended)
        said = {finding.code_name for finding in findings(parse(mended))}
        assert not said & {"unsatisfiable-predicates", "always-true-predicates"}, (text, mended)
    return len(edits)


def worth_writing(draw):
    """A random predicate in which nothing is void or redundant."""
    while True:
        text = print_test(draw.test(draw.random.choice([0, 1, 1, 2])))
        if all(finding.code_name == "negation-admits-other-types" for finding in findings(parse(text))):
            return text


def scrambled(text, random):
    """A predicate with one or two of its words or signs taken out, doubled, exchanged or replaced."""
    pieces = TOKEN.findall(text)
    for _ in range(random.choice([1, 1, 2])):
        at = random.randrange(len(pieces))
        match random.choice(["out", "doubled", "exchanged", "replaced", "replaced", "inserted", "inserted"]):
            case "out" if len(pieces) > 1:
                del pieces[at]
            case "doubled":
                pieces.insert(at, pieces[at])
            case "exchanged":
                other = random.randrange(len(pieces))
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case "replaced":
                pieces[at] = random.choice(STRAY)
            case _:
                pieces.insert(at, random.choice(STRAY))
    return " ".join(pieces)


def test_fixes_of_scrambled_predicates_are_sound():
    fixes = 0
    for seed in range(4_000):
        draw = Draw(seed + 9_000_000, patterns=1)
        text = scrambled(worth_writing(draw), draw.random)
        fixes += check_fixes(text)
    assert fixes > 300, fixes


def test_fixes_of_what_is_typed_wrong_are_sound():
    """One letter too many, too few, or another one."""
    fixes = 0
    for seed in range(2_000):
        draw = Draw(seed + 10_000_000, patterns=1)
        text = worth_writing(draw)
        at = draw.random.randrange(len(text))
        letter = draw.random.choice(["", text[at] * 2, draw.random.choice("naioxt \"'=!/()[]")])
        fixes += check_fixes(text[:at] + letter + text[at + 1 :])
    assert fixes > 300, fixes


@pytest.mark.parametrize("row", read_rows("mistakes.txt")[1], ids=lambda row: row.title)
def test_fixes_of_common_mistakes_are_sound(row):
    check_fixes(row.expression)


def same(left, right):
    """Whether two predicates accept the same values."""
    one, other = denote(parse(left).root).inside, denote(parse(right).root).inside
    return emptiness(difference(one, other)) is Known.YES and emptiness(difference(other, one)) is Known.YES


def test_a_predicate_in_the_spelling_of_another_language_is_mended_to_the_same_set():
    mended = 0
    for seed in range(4_000):
        draw = Draw(seed + 11_000_000, patterns=1)
        text = worth_writing(draw)
        there = [pattern for pattern in RESPELLED if re.search(rf"(?<!\S){pattern}(?!\S)", text)]
        if not there:
            continue
        pattern = draw.random.choice(there)
        respelt = re.sub(rf"(?<!\S){pattern}(?!\S)", draw.random.choice(RESPELLED[pattern]), text, count=1)
        error = mistake(respelt)
        if error is None or not error.helps or error.helps[0].edit is None:
            continue
        found = followed(respelt, error.helps[0].edit)
        assert same(found, text), (text, respelt, found)
        mended += 1
    assert mended > 1_000, mended


def code_shown(advice):
    """The pieces of code in an advice, each without the places that it leaves open."""
    return [[part for part in re.split(r"…|\.\.\.", code) if part.strip()] for code in re.findall(r"`([^`]+)`", advice)]


@pytest.mark.parametrize(
    "row", [*read_rows("mistakes.txt")[1], *read_rows("findings.txt")[1]], ids=lambda row: row.title
)
def test_what_an_advice_shows_is_what_its_fix_writes(row):
    help_ = ""
    for line in row.report.splitlines():
        if line.startswith("  help: "):
            help_ = line.removeprefix("  help: ")
        elif line.startswith("   fix: "):
            shown = code_shown(help_)
            fixed = line.removeprefix("   fix: ")
            assert not shown or any(all(part.strip() in fixed for part in parts) for parts in shown), (help_, fixed)
            written = re.search(r"write `([^`…]+)`$", help_)
            if written and "..." not in written[1]:
                assert written[1].strip() in fixed


def only_left(left, right):
    """Values of one set that are not in another; those with lone surrogates hardly ever occur."""
    found = members(difference(left, right), 5)
    return [value for value in found if not re.search("[\ud800-\udfff]", json.dumps(value, ensure_ascii=False))]


def test_fixes_of_findings_accept_the_same_or_less():
    """Redundant parts go without a trace; other fixes accept less than before, if anything was accepted before."""
    counted = collections.Counter()
    for seed in range(8_000):
        draw = Draw(seed + 12_000_000, patterns=1)
        text = print_test(draw.test(draw.random.choice([1, 1, 2])))
        before = denote(parse(text).root).inside
        for finding in findings(parse(text)):
            for edit in (advice.edit for advice in finding.helps if advice.edit):
                after = denote(parse(apply(edit, text)).root).inside
                counted[finding.code_name] += 1
                if finding.code_name == "unsatisfiable-predicates":
                    continue  # what nothing satisfied is mended
                assert not only_left(after, before), (text, apply(edit, text))
                if finding.code_name != "negation-admits-other-types":
                    assert not only_left(before, after), (text, apply(edit, text))
    assert len(counted) == 4, counted


CONDITIONS = (
    '{{plan}} == "gold" and not {{late}}', '{{amount}} >= 5 or {{amount}} < 0', "not ({{a}} or {{b}} != null)",
    '({{a}} == true) and {{plan}} != "gold"', '{{plan}} == "gold" or {{plan}} == "silver" and !{{late}}',
)  # fmt: skip
STRAY_IN_CONDITIONS = (
    *(
        "not",
        "and",
        "or",
        "(",
        ")",
        "=",
        "!",
        "~",
        "!~",
        "&",
        "|",
        "<>",
        "!==",
        "=>",
        "is",
        "isnt",
        "ne",
        "nin",
        "none",
    ),
    *("in", "notin", "not_in", "gold", "not_paid", "NOT", "AND", "True", "None", "plan", "equals", "notequals", '"'),
    *("unlike", "contains", "never", "unless", "gt", "[1, 2]", "/x/", "'gold", '"{{plan}}"', "{{ plan }}", "5", "null"),
)


def test_fixes_of_scrambled_conditions_are_sound():
    """What they lead to is a condition, with as many negations as before and no comparison turned around."""
    fixes = 0
    for seed in range(6_000):
        chosen = random.Random(seed)
        pieces = re.findall(r'\{\{\w+\}\}|"\w*"|\w+|[<>=!]=?|\S', chosen.choice(CONDITIONS))
        for _ in range(chosen.choice([1, 1, 2])):
            at = chosen.randrange(len(pieces) + 1)
            pieces[at : at + chosen.choice([0, 1])] = chosen.choice([[], [chosen.choice(STRAY_IN_CONDITIONS)]])
        text = " ".join(pieces)
        error = mistake(text, parse_when)
        for edit in [advice.edit for advice in error.helps if advice.edit] if error else []:
            mended = followed(text, edit, parse_when)
            assert signs(mended) == signs(text), (text, mended)
            fixes += 1
    assert fixes > 300, fixes


def signs(text):
    """The negations and comparisons of a condition, each in one spelling."""
    found = re.findall(r"!==?|<>|=>|[<>=]+|\b(?i:not)\b|!|\b(?:is|isnt|ne|gt|equals|notequals)\b", text)
    same = {"!==": "!=", "<>": "!=", "=>": ">=", "=": "==", "!": "not", "NOT": "not", "is": "==", "equals": "=="}
    same |= {"ne": "!=", "notequals": "!=", "gt": ">", "isnt": "!="}
    return [same.get(sign, sign) for sign in found]


def test_signs_that_join_tests_are_mended_whether_or_not_they_stand_apart():
    """`string|null` and `a&&b`: no two words become one, and what is joined stays what it was."""
    mended = 0
    for seed in range(3_000):
        draw = Draw(seed + 13_000_000, patterns=1)
        text = worth_writing(draw)
        word = draw.random.choice(["and", "or"])
        if f" {word} " not in text:
            continue
        sign = draw.random.choice({"and": ["&", "&&"], "or": ["|", "||"]}[word])
        respelt = text.replace(f" {word} ", sign + draw.random.choice(["", " "]), 1)
        error = mistake(respelt)
        if error is None or not error.helps or error.helps[0].edit is None:
            continue
        found = followed(respelt, error.helps[0].edit)
        assert same(found, text), (text, respelt, found)
        mended += 1
    assert mended > 100, mended


@pytest.mark.parametrize("word", ["foo", "datetime", "url", "even", "unique", "lower", "truthy", "today", "TODO", "NA"])
@pytest.mark.parametrize("before", ["", "string ", "not ", "> ", "string or ", "array each "])
def test_a_lone_word_is_never_taken_for_a_text(before, word):
    error = mistake(before + word)
    assert error is not None
    assert not any(advice.edit for advice in error.helps)
