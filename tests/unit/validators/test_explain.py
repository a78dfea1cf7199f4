"""Results for people: the text of a result, the paths that differ, and the failure of a test."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from abs_compiler.validators import (
    ArgumentMismatch,
    Literal,
    OutOfOrderToolCall,
    ToolCall,
    assert_tool_calls,
    evaluate_tool_calls,
)


def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
    return {"toolName": tool, "arguments": arguments}


def text(expected: Any, actual: Any, **options: Any) -> list[str]:
    return evaluate_tool_calls(expected, actual, **options).explain().splitlines()


def test_passes_say_what_matched() -> None:
    assert text([call("a")], [call("a")]) == ["passed: 1 expected call matched"]
    assert text([call("a"), call("b")], [call("b"), call("x"), call("a")]) == [
        "passed: 2 expected calls matched, and 1 extra call allowed"
    ]
    assert text([], [], is_negative_test=True) == ["passed: no tool was called"]


def test_other_arguments_path_by_path() -> None:
    expected = [call("createTask", priority="high", tags=["a", "b"], due={"day": 1}, owner="string")]
    actual = [call("createTask", priority="low", tags=["a", "c"], due={"day": "1"}, owner=7)]
    before = '{"priority": "high", "tags": ["a", "b"], "due": {"day": 1}, "owner": "string"}'
    after = '{"priority": "low", "tags": ["a", "c"], "due": {"day": "1"}, "owner": 7}'
    assert text(expected, actual) == [
        "failed: 0 of 1 expected call matched",
        f"other arguments: expected[0] createTask {before}, nearest actual[0] createTask {after}",
        '  arguments.priority: expected "high", observed "low"',
        '  arguments.tags[1]: expected "b", observed "c"',
        '  arguments.due.day: expected 1 (number), observed "1" (string)',
        "  arguments.owner: expected a text, observed 7",
    ]
    (row,) = evaluate_tool_calls(expected, actual).argument_mismatches
    assert (row.expected_index, row.actual_index) == (0, 0)
    assert [difference.path for difference in row.differences] == [
        "arguments.priority",
        "arguments.tags[1]",
        "arguments.due.day",
        "arguments.owner",
    ]


def test_missing_and_unexpected_keys() -> None:
    rows = text([call("t", a=1)], [call("t", b=2)], argument_matching="exact")
    assert rows[2:] == [
        "  arguments.a: expected 1, observed missing",
        "  arguments.b: expected not to be there, observed 2",
    ]


def test_where_a_missing_call_may_have_gone() -> None:
    assert text([call("deploy")], [call("Deploy")])[1:] == [
        "missing: expected[0] deploy",
        '  actual[0] is "Deploy": it differs in upper and lower case',
        "extra (allowed): actual[0] Deploy",
    ]
    assert text([call("deploy")], [call("x")])[2] == '  "deploy" was never called'
    assert text([call("a"), call("a")], [call("a")])[2] == '  every call of "a" is taken by another expected call'
    assert text([call("a"), call("b")], [call("b"), call("a")], tool_call_order="superset")[2] == (
        "  actual[0] fits, but it is not where the order of calls needs it"
    )
    rows = text([call("a"), call("b"), call("c")], [call("a"), call("c")], tool_call_order="positional")
    assert rows[2::2] == ["  in its place: actual[1] c", "  the run ended before it"]


def test_calls_out_of_order() -> None:
    assert text([call("a"), call("b")], [call("b"), call("a")], tool_call_order="strict") == [
        "failed: 2 expected calls matched, but not in order",
        "out of order: b: expected[1] is actual[0], before a call that was expected earlier",
    ]


def test_extra_calls() -> None:
    assert text([call("a")], [call("a"), call("b", x=1)], allow_extra_tool_calls=False) == [
        "failed: 1 expected call matched, but 1 call more",
        'extra (none allowed): actual[1] b {"x": 1}',
    ]
    assert text([], [call("a")] * 3, max_extra_tool_calls=1)[1] == "extra (1 allowed): actual[0] a"


def test_runs_without_calls() -> None:
    assert text([], []) == ["failed: no tool was called; expect that with is_negative_test"]
    assert text([call("a")], []) == [
        "failed: no tool was called",
        "missing: expected[0] a",
        '  "a" was never called',
    ]
    assert text([], [call("a"), call("b")], is_negative_test=True) == [
        "failed: expected no tool call, 2 were made",
        "called: actual[0] a",
        "called: actual[1] b",
    ]


def test_hints_about_words_for_types() -> None:
    assert text([call("t", x="number")], [call("t", x=5)], argument_matching="exact")[-1] == (
        '  "number" is a text here: only partial matching takes the word for a type'
    )
    assert text([call("t", x="number")], [call("t", x="number")])[-1] == (
        "  \"number\" stands for the type; Literal('number') is the text"
    )
    assert text([call("t", x="integer")], [call("t", x=5)])[-1] == (
        '  "integer" is a text, no placeholder; those are any, string, number, boolean, object, array, null'
    )
    literal = [ToolCall("t", {"x": Literal("number")})]
    assert text(literal, [call("t", x=5)])[-1] == '  arguments.x: expected "number" (string), observed 5 (number)'


def test_long_reports_are_cut() -> None:
    rows = text([call(f"tool-{n}") for n in range(500)], [call("x", n=n) for n in range(500)])
    assert len(rows) < 100
    assert "... and 480 more missing calls" in rows
    assert rows[-1] == "... and 480 more extra calls"
    rows = text([call("t", a=n) for n in range(500)], [call("t", b=n) for n in range(500)])
    assert len(rows) < 100
    assert rows[-1] == "... and 470 more with other arguments"
    rows = text([call("t", **{f"a{n}": "int" for n in range(500)})], [call("t", **{f"a{n}": 5 for n in range(500)})])
    assert [row.split(":")[0] for row in rows[2:21]] == [f"  arguments.a{n}" for n in range(19)]
    assert rows[21] == "  ... and more"
    assert len(rows) == 27


@pytest.mark.parametrize("options", [{}, {"argument_matching": "exact"}], ids=["partial", "exact"])
def test_only_what_is_shown_is_rendered(options: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of differing arguments or calls: rendering each of them, or counting each against each, took ages."""
    import abs_compiler.runtime.mismatch as mismatch
    import abs_compiler.validators.explain as explain

    shown: list[str] = []

    def show(value: Any, limit: int = 120) -> str:
        shown.append(whole := mismatch_show(value, limit))
        return whole

    mismatch_show = mismatch.show
    monkeypatch.setattr(mismatch, "show", show)
    monkeypatch.setattr(explain, "show", show)
    many = 20_000
    wide = {f"a{n}": n for n in range(many)}
    result = evaluate_tool_calls(
        [call("t", **wide)], [call("t", **{key: str(n) for key, n in wide.items()})], **options
    )
    assert len(result.explain()) < 2000
    result = evaluate_tool_calls([call("t", **wide)], [call("t", **{f"b{n}": n for n in range(many)})], **options)
    assert len(result.explain()) < 2000
    nested = evaluate_tool_calls([call("t", x=wide)], [call("t", x={f"b{n}": n for n in range(many)})], **options)
    assert len(nested.explain()) < 2000
    long = evaluate_tool_calls(
        [call("t", x=list(range(many)))], [call("t", x=[str(n) for n in range(many)])], **options
    )
    assert len(long.explain()) < 2000
    names = [f"tool-{n}" for n in range(4000)]
    result = evaluate_tool_calls([call(name) for name in names], [call(f"{name}-x") for name in names], **options)
    assert len(result.explain()) < 5000
    assert len(shown) < 500


def test_names_that_would_confuse_are_quoted() -> None:
    assert text([call("a b\n"), call("")], [call("x")])[1::2] == [
        'missing: expected[0] "a b\\n"',
        'missing: expected[1] ""',
        "extra (allowed): actual[0] x",
    ]


def test_a_failing_assertion_says_the_same() -> None:
    expected, actual = [call("t", x=1)], [call("t", x=2)]
    with pytest.raises(AssertionError) as caught:
        assert_tool_calls(expected, actual, argument_matching="exact")
    assert str(caught.value) == evaluate_tool_calls(expected, actual, argument_matching="exact").explain()
    result = assert_tool_calls(expected, actual, argument_matching="ignore")
    assert result.pairs == ((0, 0),)


def test_a_failing_assertion_points_at_the_test(tmp_path: Path) -> None:
    output = failing_test(tmp_path, "assert_tool_calls([{'toolName': 'a'}], [{'toolName': 'b'}])")
    assert "AssertionError: failed: 0 of 1 expected call matched" in output


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("match_no_tool_calls('no-such-run.json')", "UnreadableCallsError: actual: no-such-run.json: no such file"),
        ("assert_tool_calls([], [{'toolName': 'a', 'args': {}}])", "the call has no 'arguments', but 'args'"),
        ("evaluate_tool_calls([], [], order='strict')", "unknown match option 'order'"),
        ("compile_expected([{'toolName': 't', 'arguments': {'x': {1}}}])", "is a value of type set"),
        ("match_tool_argument('t', 'x', 1, [ToolCall('t', {'x': float('nan')})])", "is nan"),
        ("to_abs([], session='')", "`session` is empty"),
        ("ToolCall(5)", "the name of a tool is a text"),
    ],
)
def test_a_mistake_points_at_the_test(line: str, message: str, tmp_path: Path) -> None:
    assert message in failing_test(tmp_path, line)


def test_what_a_predicate_raises_is_shown_whole(tmp_path: Path) -> None:
    output = failing_test(
        tmp_path, "match_tool_argument_with('t', 'x', lambda x: x.y, [ToolCall('t', {'x': 1})])", hidden=False
    )
    assert "arguments.py" in output


def failing_test(folder: Path, line: str, hidden: bool = True) -> str:
    """The output of pytest on a test of this line, which fails; `hidden`: no frame but the test's own."""
    (folder / "test_it.py").write_text(
        f"from abs_compiler.validators import *\n\ndef test_it():\n    {line}\n", encoding="utf-8"
    )
    root = Path(__file__).parents[3]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)],
        cwd=folder,
        env={"PYTHONPATH": str(root), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1, run.stdout + run.stderr
    frames = re.findall(r"^(\S+\.py):\d+: ", run.stdout, re.MULTILINE)
    assert frames
    assert frames[0] == "test_it.py"
    assert (len(frames) == 1) is hidden, run.stdout
    return run.stdout


@pytest.mark.parametrize(
    ("expected", "actual", "options", "reason"),
    [
        ([call("a"), call("b")], [call("a")], {}, "expected[1] b is missing"),
        ([call("a", x=1), call("b")], [call("a", x=2)], {}, "expected[0] a: arguments.x: expected 1, observed 2"),
        ([call("b"), call("a", x=1)], [call("a", x=2)], {}, "expected[0] b is missing"),
        ([call("a")], [], {}, "no tool was called"),
        ([], [], {}, "no tool was called; expect that with is_negative_test"),
        ([], [call("a")], {"is_negative_test": True}, "expected no tool call, 1 was made"),
        ([call("a")], [call("a")] * 3, {"max_extra_tool_calls": 1}, "1 expected call matched, but 2 calls more"),
        (
            [call("a"), call("b")],
            [call("b"), call("a")],
            {"tool_call_order": "strict"},
            "2 expected calls matched, but not in order",
        ),
    ],
)
def test_a_failed_result_shows_the_first_reason(expected: Any, actual: Any, options: Any, reason: str) -> None:
    assert repr(evaluate_tool_calls(expected, actual, **options)) == f"<ToolCallMatchResult failed: {reason}>"
    assert repr(evaluate_tool_calls([], [call("a")])) == "<ToolCallMatchResult passed>"


def test_results_show_what_they_are() -> None:
    result = evaluate_tool_calls([call("a", x=1), call("b")], [call("b"), call("a")], tool_call_order="strict")
    assert repr(result) == "<ToolCallMatchResult failed: expected[0] a: arguments.x: expected 1, observed missing>"
    assert repr(result.argument_mismatches[0]) == "<ArgumentMismatch 'a' expected[0] = actual[1]>"
    assert repr(result.out_of_order[0]) == "<OutOfOrderToolCall 'b' expected[1] = actual[0]>"
    assert isinstance(result.argument_mismatches[0], ArgumentMismatch)
    assert isinstance(result.out_of_order[0], OutOfOrderToolCall)
    assert repr(ToolCall("a", {"x": 1})) == "ToolCall('a', {'x': 1})"
    assert str(ToolCall("a", {"x": Literal("y")})) == 'a {"x": "y"}'
    assert ToolCall("a", {"x": 1}) == ToolCall("a", {"x": 1.0})
    assert ToolCall("a", {"x": 1}) != ToolCall("a", {"x": True})
    assert len({ToolCall("a"), ToolCall("a"), ToolCall("b")}) == 2
    assert Literal([1]) == Literal([1.0])
    assert len({Literal(1), Literal(1.0), Literal(True)}) == 2
