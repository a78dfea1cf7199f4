"""The rules on hazards of YAML, on names and on patterns: what they find, and what they leave alone."""

from __future__ import annotations

import pytest

from abs_compiler.lint.fixes import apply_edits, best_fix
from abs_compiler.lint.rules.names.near_miss_names import _is_slip
from abs_compiler.lint.selection import Selection
from abs_compiler.lint.table import RULES
from tests.unit.lint.linting import CALL, HEAD, marked, named, names, shown

WITH = HEAD + CALL + "    with:\n"
SAYS = HEAD + "behaviors:\n  - actor: assistant\n    action: informs\n    evaluations:\n"


def marks(text: str, name: str) -> list[str]:
    return [marked(item) for item in named(text, name)]


def test_every_code_of_the_table_is_registered_and_every_rule_can_be_loaded() -> None:
    for rule in RULES:
        assert callable(rule.load())
        assert rule.codes


@pytest.mark.parametrize(
    ("value", "expected"),
    [("", ["a"]), ("null", []), ("~", []), ("''", []), ("&x", ["a"]), ("[x, ]", []), ("{b: , c: d}", ["b"]),
     ("{b, c: d}", ["b"]), ("\n        - x\n        -\n        - y", [""]), ("#1", [])],
)  # fmt: skip
def test_empty_values(value: str, expected: list[str]) -> None:
    assert marks(WITH + f"      a: {value}\n      z: x\n", "empty-values") == expected


@pytest.mark.parametrize(
    ("written", "lost", "mended"),
    [
        ("order #12 is late", "#12 is late", '"order #12 is late"'),
        ("order #{{id}}", "#{{id}}", '"order #{{id}}"'),
        ("#fff", "#fff", '"#fff"'),
        ("order #general", "#general", '"order #general"'),
        ('say "x" #A1', "#A1", '"say \\"x\\" #A1"'),
    ],
)
def test_text_lost_to_comment(written: str, lost: str, mended: str) -> None:
    text = WITH + f"      a: {written}\n"
    (item,) = named(text, "text-lost-to-comment")
    assert marked(item) == lost
    fix = best_fix(item, unsafe=True)
    assert fix is not None
    assert apply_edits(text, fix.edits) == WITH + f"      a: {mended}\n"


@pytest.mark.parametrize(
    "written",
    ["order # 12 is late", "order #the order tool", "order  #12", "5 #12", "'order' #12", "order #todo", "a#12",
     "x ## 1", "order #- note", "true #12"],
)  # fmt: skip
def test_comments_for_people(written: str) -> None:
    assert marks(WITH + f"      a: {written}\n", "text-lost-to-comment") == []


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (WITH + "      a: |\n        x\n", ["|"]),
        (WITH + "      a: >+\n        x\n\n", [">+"]),
        (WITH + "      a: |2\n          x\n", ["|2"]),
        (WITH + "      a: |-\n        x\n", []),
        (WITH + "      content: |\n        x\n", ["|"]),
        (WITH + "      a:\n        $is: |\n          string\n", []),
        (SAYS + "      - type: contains\n        value: |\n          x\n", ["|"]),
        (SAYS + "      - type: regex\n        pattern: >\n          x\n", [">"]),
        (SAYS + "      - type: llm_judge\n        criteria: |\n          x\n", []),
        (HEAD + "description: |\n  x\nbehaviors:\n  - actor: user\n    action: says\n    content: |\n      x\n", []),
    ],
)
def test_block_scalar_surprise(spec: str, expected: list[str]) -> None:
    assert marks(spec, "block-scalar-surprise") == expected


@pytest.mark.parametrize(
    ("header", "better"), [("|", "|-"), (">", ">-"), ("|+", "|-"), (">2", ">2-"), ("|2+", "|2-"), ("|+2", "|2-")]
)
def test_the_fix_of_a_block(header: str, better: str) -> None:
    (item,) = named(WITH + f"      a: {header}\n        x\n", "block-scalar-surprise")
    fix = best_fix(item, unsafe=True)
    assert fix is not None
    assert fix.edits[0].text == better


@pytest.mark.parametrize(
    ("base", "written", "expected"),
    [
        ("with: {a: 1, b: 2}", "with: {a: 3}", ["with"]),
        ("with: {a: 1}", "with: {a: 3, b: 4}", []),
        ("with: {a: 1}", "with: x", []),
        ("evaluations: [{type: tool_call, target: T}]", "evaluations: [{type: tool_call}]", ["evaluations"]),
        ("with: {a: 1, b: 2}", "target: U", []),
        ("id: x", "id: y", []),
    ],
)
def test_replaced_merges(base: str, written: str, expected: list[str]) -> None:
    call = "actor: assistant, action: calls"
    text = HEAD + f"behaviors:\n  - &b {{{call}, {base}}}\n  - <<: *b\n    {written}\n"
    assert marks(text, "replaced-merges") == expected


def test_eaten_backslashes() -> None:
    text = SAYS + "      - {type: regex, pattern: \"\\bpaid\\b\"}\n      - {type: regex, pattern: '\\bpaid\\b'}\n"
    (item,) = named(text, "eaten-backslashes")
    fix = best_fix(item, unsafe=True)
    assert fix is not None
    assert '"\\\\bpaid\\\\b"' in apply_edits(text, fix.edits)
    assert names(WITH + '      a: "\\b"\n') == []


# --- names ----------------------------------------------------------------------------------------------------------


def test_unused_fragments() -> None:
    text = (
        HEAD + "fragments:\n  a: [{include: b}]\n  b: [{actor: user, action: says}]\n  c: [{include: d}]\n"
        "  d: [{actor: user, action: says}]\nbehaviors:\n  - include: a\n"
    )
    assert marks(text, "unused-fragment") == ["c", "d"]
    other = HEAD + "behaviors:\n  - include: c\n"
    assert marks(f"{text}---\n{other}", "unused-fragment") == []


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("  - {actor: user, action: says}\n", ["x"]),
        ("  - {actor: assistant, action: calls, target: T, with: {a: '{{x}}'}}\n", []),
        ("  - {actor: assistant, action: calls, target: T, with: {a: {$is: '== {{x}}'}}}\n", []),
        ("evaluations:\n  - {type: variable_consistency, variable: x}\n", []),
        ("evaluations:\n  - {type: never, match: {action: calls}, when: '{{x}} == 1'}\n", []),
        ("  - {actor: user, action: says, capture: {x: '{{x}}'}}\n", ["x"]),
    ],
)
def test_unused_captures(rest: str, expected: list[str]) -> None:
    text = HEAD + "behaviors:\n  - {actor: user, action: says, capture: {x: '1'}}\n" + rest
    assert marks(text, "unused-capture") == expected


def test_a_capture_of_a_fragment_is_used_where_any_session_uses_it() -> None:
    first = (
        HEAD + "fragments:\n  f: [{actor: user, action: says, capture: {x: '1'}}]\nbehaviors:\n  - include: f\n"
        "  - {actor: assistant, action: calls, target: T, with: {a: '{{x}}'}}\n"
    )
    assert names(f"{first}---\n{HEAD}behaviors:\n  - include: f\n") == []


def test_unused_ids() -> None:
    text = HEAD + (
        "behaviors:\n  - {id: a, actor: user, action: says, optional: true}\n  - {id: b, actor: user, action: says}\n"
        "  - {id: c, actor: user, action: says, requires: a}\n  - {id: d, actor: user, action: asks}\n"
        "evaluations:\n  - {type: Relevance, query: b.says}\n  - {type: expected, behavior: a}\n"
    )
    found = shown(text, Selection(select=("unused-id",))).diagnostics
    assert [marked(item) for item in found] == ["c", "d"]


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ("Order MCP", "order mcp", "upper and lower case"),
        ("get_order", "get-order", "spaces, dashes or underscores"),
        ("get_order", "get.order", "spaces, dashes, underscores or dots"),
        ("get_order", "GetOrder", "how their words are joined"),
        ("café", "cafe\u0301", "how an accented character is encoded"),
        ("get2", "get\u00b2", "the form of a character"),
    ],
)
def test_one_target_in_two_ways(one: str, other: str, difference: str) -> None:
    call = "  - {{actor: assistant, action: calls, target: {}}}\n"
    text = HEAD + "behaviors:\n" + call.format(one) + call.format(one) + call.format(other)
    (item,) = named(text, "near-miss-names")
    assert marked(item) == other
    assert item.message.endswith(f"differ only in {difference}")


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        ("cancle_order", "cancel_order", True), ("refund_oder", "refund_order", True),
        ("issue_reffund", "issue_refund", True),
        ("get_orders", "get_order", False), ("set_order", "get_order", False), ("add_item2", "add_item1", False),
        ("send_mail", "send_email", False), ("list", "lsit", False), ("get_user", "get_order", False),
        ("order_get", "get_order", False), ("get_order_21", "get_order_12", False),
    ],
)  # fmt: skip
def test_slips(text: str, other: str, expected: bool) -> None:
    assert _is_slip(text, other) is expected


def test_slips_count_where_the_other_name_is_common() -> None:
    call = "  - {{actor: assistant, action: calls, target: {}}}\n"
    common = call.format("cancel_order") * 2
    assert marks(HEAD + "behaviors:\n" + common + call.format("cancle_order"), "near-miss-names") == ["cancle_order"]
    rare = call.format("cancel_order") + call.format("cancle_order")
    assert marks(HEAD + "behaviors:\n" + rare, "near-miss-names") == []


def test_targets_under_match_count() -> None:
    match = "match: {targets: {order mcp: [get_order]}}\n"
    call = "  - {actor: assistant, action: calls, target: Order MCP}\n"
    assert marks(HEAD + match + "behaviors:\n" + call * 2, "near-miss-names") == ["order mcp"]


def test_arguments_in_two_ways() -> None:
    call = "  - {{actor: assistant, action: calls, target: {}, with: {{{}}}}}\n"
    text = HEAD + "behaviors:\n" + call.format("T", "order_id: 1") * 2 + call.format("T", "orderId: 1")
    assert marks(text, "near-miss-names") == ["orderId"]
    assert marks(text + call.format("U", "OrderID: 1"), "near-miss-names") == ["orderId"]
    assert marks(text + call.format("T", "order_id: 1, orderId: 2"), "near-miss-names") == []


def test_a_name_that_nothing_captures() -> None:
    text = HEAD + "behaviors:\n  - {actor: user, action: says, capture: {orderId: '1'}}\n"
    use = "  - {{actor: assistant, action: calls, target: T, with: {{a: '{{{{{}}}}}'}}}}\n"
    assert marks(text + use.format("orderld"), "near-miss-names") == ["{{orderld}}"]
    assert names(text + use.format("orderId")) == []
    assert names(text + use.format("customer")) == ["unused-capture"]
    assert names(text + use.format("orderId") + use.format("orderld")) == []


# --- patterns -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "accepts"),
    [
        (r"\d{4}", "11111"), (r"[A-Z]{3}", "AAAA"), (r"ORD-\d{4,8}", "ORD-111111111"), (r"^ORD-\d{4}", "ORD-11111"),
        (r"USD|EUR", "xUSDx"), (r"\d{2}-x", "x11-x"), (r"^USD|EUR$", "USDx"), (r"^a{2}|b{2}$", "aax"),
    ],
)  # fmt: skip
def test_regex_unanchored(pattern: str, accepts: str) -> None:
    (item,) = named(WITH + f"      a: {{$is: 'matches /{pattern}/'}}\n", "regex-unanchored")
    assert marked(item) == pattern
    assert item.labels[0].text == f"accepts `{accepts}`"


@pytest.mark.parametrize(
    "predicate",
    [r"matches /^\d{4}$/", r"matches /refund/", r"matches /\d+/", r"matches /\d{4}$/", r"string not matches /\d{4}/",
     r"matches /^(?:USD|EUR)$/", r"matches /paid|shipped/", r"matches /\b\d{4}\b/", r"matches /^a$|^b$/",
     r"matches /a?/", r"matches /^a|^b/", r"matches /(?i)^x/", r"not (string matches /\d{4}/)"],
)  # fmt: skip
def test_patterns_that_search_on_purpose(predicate: str) -> None:
    assert marks(WITH + f"      a: {{$is: '{predicate}'}}\n", "regex-unanchored") == []


@pytest.mark.parametrize(
    "text",
    [
        WITH + "      a: {$is: 'string not matches /^USD|EUR$/'}\n",
        SAYS + "      - {type: regex, pattern: '^yes|no$'}\n",
        HEAD + CALL + "    evaluations:\n      - {type: tool_call, with: {a: {$is: 'matches /^USD|EUR$/'}}}\n",
        HEAD + CALL + "    evaluations:\n      - {type: tool_call, with: {a: {$is: 'matches /\\d{4}/'}}}\n",
    ],
)
def test_a_pattern_that_may_forbid_is_not_made_narrower(text: str) -> None:
    (item,) = named(text, "regex-unanchored")
    assert [help_.fix for help_ in item.helps] == [None]


def test_a_negation_that_may_forbid_is_not_made_narrower() -> None:
    evaluation = "{type: tool_call, target: T, with: {a: {$is: 'not matches /^a/'}}}"
    (item,) = named(SAYS + f"      - {evaluation}\n", "negation-admits-other-types")
    assert [help_.fix for help_ in item.helps] == [None]
    (item,) = named(WITH + "      a: {$is: 'not matches /^a/'}\n", "negation-admits-other-types")
    assert all(help_.fix for help_ in item.helps)


def test_in_a_file_with_very_many_mistakes_the_rest_gets_words() -> None:
    wrong = f'= "{"x" * 250}"'
    text = WITH + "".join(f"      a{index}: {{$is: '{wrong}'}}\n" for index in range(100))
    found = named(text, "predicate-syntax")
    assert found[0].helps[0].fix is not None
    assert found[-1].helps[0].fix is None
    assert "write `==`" in found[-1].helps[0].text


def test_patterns_of_texts_search() -> None:
    assert names(SAYS + "      - {type: regex, pattern: '\\d{5}'}\n") == []
    assert marks(SAYS + "      - {type: regex, pattern: '^yes|no$'}\n", "regex-unanchored") == ["^yes|no$"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [(r"\bétage\b", [r"\b"]), (r"é\w+", [r"\w"]), (r"\bstage\b", []), (r"étage \d", []), (r"x\\b é", [])],
)
def test_regex_dialect_difference(pattern: str, expected: list[str]) -> None:
    assert marks(SAYS + f"      - {{type: regex, pattern: '{pattern}'}}\n", "regex-dialect-difference") == expected


def test_extensions() -> None:
    text = HEAD + (
        "match: {extras: forbid}\nbehaviors:\n  - &b {actor: assistant, action: calls, target: T, status: ok}\n"
        "  - {<<: *b, with: {status: ok, match: x, a: {$is: string}, b: {$literal: {}}}}\n"
        "  - unordered: [{actor: user, action: says}]\n"
    )
    found = shown(text, Selection(select=("ABS703",))).diagnostics
    reported = [marked(item) for item in found if item.code == "ABS703"]
    assert reported == ["match", "status", "<<", "$is", "$literal", "unordered"]
    assert "extension-not-portable" not in names(text)
