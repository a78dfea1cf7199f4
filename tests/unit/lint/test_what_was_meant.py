"""What `--fix` and `--unsafe-fixes` make of a mistake: what was meant, or nothing at all."""

from __future__ import annotations

import pytest

from abs_compiler.lint.analysis import analyse_bytes
from abs_compiler.lint.fixes import fix_text
from abs_compiler.options import CompileOptions

HEAD = 'session: s\nabs_version: "0.2"\n'
CALL = "behaviors: [{actor: assistant, action: calls, target: a}]\n"


def fixed(text: str, *, unsafe: bool, name: str = "s.abs.yaml") -> str:
    return fix_text(
        text, lambda new: analyse_bytes(new.encode(), name, CompileOptions()).diagnostics, unsafe=unsafe
    ).text


def with_arguments(text: str) -> str:
    return f"{HEAD}behaviors:\n  - actor: assistant\n    action: calls\n    target: t\n    with:\n      {text}\n"


def with_key(text: str) -> str:
    return f"{HEAD}behaviors:\n  - {{actor: assistant, action: calls, target: a, {text}}}\n"


def with_evaluation(text: str) -> str:
    return f"{HEAD}{CALL}evaluations:\n  - {text}\n"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (with_key("required: false"), with_key("optional: true")),
        (with_key("mandatory: false"), with_key("optional: true")),
        (
            with_evaluation("{type: count, match: {target: b}, less_than: 3}"),
            with_evaluation("{type: count, match: {target: b}, max: 2}"),
        ),
        (
            with_evaluation("{type: count, match: {target: b}, more_than: 3}"),
            with_evaluation("{type: count, match: {target: b}, min: 4}"),
        ),
        (
            with_evaluation("{type: count, match: {target: b}, no_more_than: 3}"),
            with_evaluation("{type: count, match: {target: b}, max: 3}"),
        ),
        (
            with_evaluation("{type: llm_judge, criteria: x, min_score: 0.8}"),
            with_evaluation("{type: llm_judge, criteria: x, threshold: 0.8}"),
        ),
    ],
)
def test_an_unsafe_fix_writes_what_was_meant(written: str, meant: str) -> None:
    assert fixed(written, unsafe=True) == meant
    assert fixed(written, unsafe=False) == written


@pytest.mark.parametrize(
    "text",
    [
        with_evaluation("{type: within, after: {target: b}, match: {target: c}, min_steps: 3}"),
        with_key("with_any: {b: 1}"),
        with_key("required: true"),
        with_key("forbidden: true"),
        f"{HEAD}match: {{allow_nonempty: true}}\n{CALL}",
        with_evaluation("{type: any_of, min: 2, evaluations: [{type: eventually, match: {target: b}}]}"),
    ],
)
def test_nothing_is_turned_round(text: str) -> None:
    assert fixed(text, unsafe=True) == text


@pytest.mark.parametrize("number", [".inf", "-.INF", "1e400", ".nan", "1e-400"])
def test_no_safe_fix_turns_a_number_into_a_text(number: str) -> None:
    text = with_arguments(f"amount: {number}")
    assert fixed(text, unsafe=False) == text


@pytest.mark.parametrize(
    "written", ["Infinity", "NaN", "1e400", "007", "1_000", "undefined", r'"\d+"', r'"C:\new\dir"']
)
def test_no_safe_fix_guesses_in_json(written: str) -> None:
    behavior = f'{{"actor": "assistant", "action": "calls", "target": "a", "with": {{"b": {written}}}}}'
    text = f'{{"session": "s", "abs_version": "0.2", "behaviors": [{behavior}]}}\n'
    assert fixed(text, unsafe=False, name="s.abs.json") == text


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("b: Order #5 shipped", 'b: "Order #5 shipped"'),
        ("b: Order #5 shipped # the first", 'b: "Order #5 shipped" # the first'),
        ("b: Order #5 shipped #the first one", 'b: "Order #5 shipped" #the first one'),
        ("b: Order #5 and #6   # two", 'b: "Order #5 and #6"   # two'),
        ("b: an\n        Order #5 shipped", 'b: "an Order #5 shipped"'),
        ("b: #5 shipped # so far", 'b: "#5 shipped" # so far'),
        ("b: {c: Order #5 shipped}", "b: {c: 'Order #5 shipped'}"),
        ("b: [Order #5 shipped, more]", "b: ['Order #5 shipped', more]"),
        ("b: [one # first\n       two]", "b: [one, # first\n       two]"),
    ],
)
def test_a_text_cut_by_a_comment_is_quoted_whole(written: str, meant: str) -> None:
    assert fixed(with_arguments(written), unsafe=True) == with_arguments(meant)
    assert fixed(with_arguments(written), unsafe=False) == with_arguments(written)


@pytest.mark.parametrize(
    "text", ["b: see #JIRA-12 about this", "b: retry #3: the last one", "b: retry # 3", "b: retry  #3", "b: 'x' #3"]
)
def test_what_may_be_a_remark_stays_one(text: str) -> None:
    assert fixed(with_arguments(text), unsafe=True) == with_arguments(text)


def test_the_number_of_a_step_stays_a_comment() -> None:
    text = f"{HEAD}behaviors:\n  - actor: assistant #1\n    action: calls #the first\n    target: t #2\n"
    assert fixed(text, unsafe=True) == text


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('matches "a # b"', "'matches \"a # b\"'"),
        ('matches "a # b"  # both', "'matches \"a # b\"'  # both"),
        ("text #1 # or more", "'text #1' # or more"),
        ("text and # more", "text and # more"),
    ],
)
def test_a_predicate_cut_by_a_comment(written: str, meant: str) -> None:
    before = with_arguments(f"b:\n        $is: {written}")
    found = analyse_bytes(before.encode(), "s.abs.yaml", CompileOptions()).diagnostics
    fixes = [help_.fix.title for item in found for help_ in item.helps if help_.fix and "comment" in help_.text]
    assert fixes == ([] if meant == written else [f"write {meant.partition('  # ')[0].partition(' # or')[0]}"])


BEHAVIOR = "behaviors:\n  - actor: assistant\n    action: calls\n"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (
            f"{BEHAVIOR}    with:\n    a: 1\n\n    # b\n    b: [1,\n      2]\n",
            "with:\n      a: 1\n\n      # b\n      b: [1,\n",
        ),
        (
            f"{BEHAVIOR}    with:\n    a: |-\n      x\n      y\n    id: z\n",
            "with:\n      a: |-\n        x\n        y\n    id: z\n",
        ),
        (f"{BEHAVIOR}evaluations:\ntype: never\nmatch: {{target: b}}\n", "\n  - type: never\n    match: {target: b}\n"),
        ("behaviors:\nactor: assistant\naction: calls\n", "behaviors:\n  - actor: assistant\n    action: calls\n"),
        ("behaviors:\n  - actor: assistant\n  action: calls\n", "  - actor: assistant\n    action: calls\n"),
        ("behaviors:\n  - actor:assistant\n    action:calls\n", "  - actor: assistant\n    action: calls\n"),
        ("behaviors:\n  - actor = assistant\n    action = calls\n", "  - actor: assistant\n    action: calls\n"),
        ("behaviors:\n  * actor: assistant\n    action: calls\n", "  - actor: assistant\n    action: calls\n"),
        ("behaviors:\n  - {actor: assistant; action: calls}\n", "  - {actor: assistant, action: calls}\n"),
    ],
)
def test_what_layout_was_meant(written: str, meant: str) -> None:
    text = f"{HEAD}{written}"
    assert fixed(text, unsafe=False) == text
    after = fixed(text, unsafe=True)
    assert meant in after
    assert not analyse_bytes(after.encode(), "s.abs.yaml", CompileOptions()).diagnostics


@pytest.mark.parametrize(
    "written",
    [
        f"{BEHAVIOR}    with:\n    forbidden: true\n",
        f"{BEHAVIOR}    with:\n    not: {{a: 1}}\n",
        f"{BEHAVIOR}    with:\n  a: 1\n",
        f"{BEHAVIOR}    target: t\n    actor: tool\n    action: responds\n",
    ],
)
def test_no_layout_is_guessed_where_it_may_demand_something_else(written: str) -> None:
    assert fixed(f"{HEAD}{written}", unsafe=True) == f"{HEAD}{written}"
