"""Suppression comments: where they hold, what they name, what is said of idle and wrong ones."""

from __future__ import annotations

import pytest

from abs_compiler.lint.fixes import apply_edits, best_fix
from abs_compiler.lint.selection import Selection
from tests.unit.lint.linting import CALL, HEAD, marked, named, names, shown

WITH = HEAD + CALL + "    with:\n"


@pytest.mark.parametrize("word", ["ABS102", "abs102", "ambiguous-scalars", "ABS111, ABS102", " ABS102 ", "ABS102,"])
def test_at_the_end_of_a_line(word: str) -> None:
    text = WITH + f"      country: no  # abs: ignore[{word}]\n      other: no\n"
    assert [marked(item) for item in named(text, "ambiguous-scalars")] == ["no"]
    (hidden,) = shown(text).suppressed
    assert hidden.diagnostic.labels[0].span.start == text.index("no  #")


@pytest.mark.parametrize("between", ["", "\n", "      # a comment\n", "\n      # one\n\n      # two\n"])
def test_alone_above_the_line(between: str) -> None:
    text = WITH + f"      # abs: ignore[ABS102] -- Norway\n{between}      country: no\n      other: no\n"
    assert len(named(text, "ambiguous-scalars")) == 1
    assert shown(text).suppressed[0].suppression.reason == "Norway"


@pytest.mark.parametrize("head", ["# abs: file-ignore[ABS102]\n", ""])
def test_for_the_whole_file(head: str) -> None:
    foot = "" if head else "# abs: file-ignore[ABS102]\n"
    text = head + WITH + "      country: no\n      other: no\n" + foot
    assert names(text) == []
    assert len(shown(text).suppressed) == 2


@pytest.mark.parametrize(
    "value",
    [
        "'# abs: ignore[ABS102]'",
        '"x # abs: ignore[ABS102]"',
        "|-\n        # abs: ignore[ABS102]",
        "a#abs:ignore[ABS102]",
    ],
)
def test_inside_a_text_it_is_no_comment(value: str) -> None:
    text = WITH + f"      country: no\n      note: {value}\n"
    assert names(text) == ["ambiguous-scalars"]


@pytest.mark.parametrize("header", ["|", ">", "|2", ">+", "&note |", "!!str |"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_at_the_end_of_the_first_line_of_a_block(header: str, line_break: str) -> None:
    text = WITH + f"      note: {header}  # abs: ignore[block-scalar-surprise, unused-anchors]\n        two\n"
    found = shown(text.replace("\n", line_break))
    assert {item.diagnostic.name for item in found.suppressed} >= {"block-scalar-surprise"}
    assert "block-scalar-surprise" not in names(text)


def test_errors_cannot_be_suppressed() -> None:
    text = HEAD + "behaviors:\n  - {actor: user, action: says, x: 1}  # abs: ignore[unknown-key]\n"
    assert names(text) == ["unknown-key", "bad-suppression"]
    assert "errors cannot be suppressed" in named(text, "bad-suppression")[0].message


@pytest.mark.parametrize(
    ("comment", "marks", "help_"),
    [
        ("ignore", "# abs: ignore", "write `# abs: ignore[ABS102]`"),
        ("ignore[]", "# abs: ignore[]", "write `# abs: ignore[ABS102]`"),
        ("ignroe[ABS102]", "ignroe", "the word is `ignore`"),
        ("disable[ABS102]", "disable", "the word is `ignore`"),
        ("whatever[ABS102]", "whatever", "write `# abs: ignore[ABS102]`"),
        ("ignore[ABS102] because", "because", "write `--` before a reason"),
    ],
)
def test_what_is_not_understood(comment: str, marks: str, help_: str) -> None:
    text = WITH + f"      a: x\n      # abs: {comment}\n      country: no\n"
    (item,) = named(text, "bad-suppression")
    assert marked(item) == marks
    assert help_ in item.helps[0].text


@pytest.mark.parametrize("comment", ["the brakes", "works", "see the manual -- twice"])
def test_other_comments_are_left_alone(comment: str) -> None:
    assert names(WITH + f"      a: x  # abs: {comment}\n") == []


def test_unknown_codes() -> None:
    text = WITH + "      country: no  # abs: ignore[ABS102, ambiguous-scalar, ABS999]\n"
    found = named(text, "unknown-suppression-code")
    assert [marked(item) for item in found] == ["ambiguous-scalar", "ABS999"]
    assert [item.helps[0].text for item in found] == [
        "one close to it is `ambiguous-scalars`", "see `absc rules` for all codes"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("      a: x  # abs: ignore[ABS102]\n", "      a: x\n"),
        ("      # abs: ignore[ABS102] -- why\n      a: x\n", "      a: x\n"),
        ("      a: no  # abs: ignore[ABS111, ABS102]\n", "      a: no  # abs: ignore[ABS102]\n"),
        ("      a: no  # abs: ignore[ABS111 , ABS102, ABS113] -- why\n", "      a: no  # abs: ignore[ABS102] -- why\n"),
        ("      a: x  # abs: ignore[ABS102]\r\n", "      a: x\r\n"),
    ],
)
def test_idle_ones_are_taken_out(before: str, after: str) -> None:
    (item,) = named(WITH + before, "unused-suppression")
    fix = best_fix(item, unsafe=False)
    assert fix is not None
    assert apply_edits(WITH + before, fix.edits) == WITH + after


def test_nothing_is_idle_that_was_not_looked_for() -> None:
    text = WITH + "      a: x  # abs: ignore[ABS102, unused-id, ABS621]\n"
    assert "unused-suppression" not in names(text, Selection(ignore=("ABS102",)))
    broken = text + "      b: [\n"
    assert "unused-suppression" not in names(broken)


def test_json_has_no_comments() -> None:
    text = '{"session": "t", "behaviors": [{"actor": "user", "action": "says", "content": "# abs: ignore"}]}'
    assert [item.name for item in shown(text, name="t.abs.json").diagnostics] == ["missing-version"]


def many(count: int, comment: str) -> str:
    return "".join(f"      k{number}: no{comment}\n" for number in range(count))


def test_what_is_suppressed_takes_no_room_in_the_report() -> None:
    """Of one code 200 findings are shown; those that comments suppress are none of them."""
    text = WITH + many(250, "  # abs: ignore[ABS102]") + "      last: yes\n"
    assert [marked(item) for item in named(text, "ambiguous-scalars")] == ["yes"]
    assert names(text) == ["ambiguous-scalars"]
    assert len(shown(text).suppressed) == 250


def test_a_comment_on_what_is_no_longer_shown_is_not_idle() -> None:
    text = WITH + many(201, "") + "      last: no  # abs: ignore[ABS102]\n"
    assert len(named(text, "ambiguous-scalars")) == 200
    assert set(names(text)) == {"ambiguous-scalars"}


def test_what_the_whole_file_suppresses() -> None:
    assert names("# abs: file-ignore[ABS102]\n" + WITH + many(250, "")) == []
