"""Mistakes that people make about what runs there can be, and the code that names each.

The rules of sequences and of tools were written from this list. Beside every mistake stands what was meant, of which
there is nothing to say.
"""

from __future__ import annotations

import pytest

from tests.support.findings import HEAD, names

TOOLS = [
    {
        "name": "get_order",
        "input_schema": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}, "page": {"type": "integer", "minimum": 1}},
            "required": ["order_id"],
            "additionalProperties": False,
        },
    },
    {
        "name": "refund",
        "input_schema": {
            "type": "object",
            "properties": {"amount": {"type": "number", "maximum": 500}, "currency": {"enum": ["USD", "EUR"]}},
        },
    },
]

CALL = "behaviors:\n  - {actor: assistant, action: calls, target: refund%s}\n"
TWO = CALL + CALL.partition("\n")[2]
CHAIN = CALL % "" + "evaluations:\n  - {type: %s}\n"
TEXT = "behaviors:\n  - {actor: assistant, action: informs, evaluations: [{type: contains, value: x, when: '%s'}]}\n"
ASKED = "behaviors:\n  - {actor: user, action: asks, capture: {most: %s}}\n" + CALL.partition("\n")[2]
STEP = "behaviors:\n  - {actor: assistant, action: informs, evaluations: [%s]}\n"
ANSWER = "behaviors:\n  - {actor: tool, action: responds, content: {status: x}, evaluations: [%s]}\n"
PARALLEL = """behaviors:
  - {actor: assistant, action: calls, target: a}
  - {actor: assistant, action: calls, target: b, evaluations: [{type: tool_call, ordered: false}]}
  - {actor: tool, action: responds, target: a}
  - {actor: tool, action: responds, target: b}
"""
ONE_BY_ONE = """behaviors:
  - {actor: assistant, action: calls, target: a}
  - {actor: tool, action: responds, target: a}
  - {actor: assistant, action: calls, target: b}
  - {actor: tool, action: responds, target: b}
"""
SHOP = "match: {targets: {refund: ['get_*']}}\n" + CALL

# what somebody did, the document, the code, the document that was meant
MISTAKES = [
    (
        "forbade a call that is required",
        CHAIN % "never, match: {action: calls, target: refund}",
        "contradicting-evaluations",
        CHAIN % "never, match: {action: calls, target: wipe}",
    ),
    (
        "forbade all calls of the assistant, one of which is required",
        CHAIN % "never, match: {actor: assistant, action: calls}",
        "contradicting-evaluations",
        CHAIN % "never, match: {actor: user, action: calls}",
    ),
    (
        "allowed one call, and lists two",
        TWO % ("", "") + "evaluations:\n  - {type: count, match: {target: refund}, max: 1}\n",
        "contradicting-evaluations",
        TWO % ("", "") + "evaluations:\n  - {type: count, match: {target: refund}, max: 2}\n",
    ),
    (
        "asked for a call under `match.extras: forbid` without listing it",
        "match: {extras: forbid}\n" + CHAIN % "eventually, match: {actor: assistant, action: calls, target: mail}",
        "contradicting-evaluations",
        "match: {extras: 1}\n" + CHAIN % "eventually, match: {actor: assistant, action: calls, target: mail}",
    ),
    (
        "said never and eventually of the same",
        CHAIN % "never, match: {target: mail}" + "  - {type: eventually, match: {action: calls, target: mail}}\n",
        "contradicting-evaluations",
        CHAIN % "never, match: {target: post}" + "  - {type: eventually, match: {action: calls, target: mail}}\n",
    ),
    (
        "made a forbidden call optional instead of leaving it out",
        CALL % ", optional: true" + "evaluations:\n  - {type: never, match: {target: refund}}\n",
        "contradicting-evaluations",
        CALL % ", optional: true" + "evaluations:\n  - {type: never, match: {target: mail}}\n",
    ),
    (
        "wrote a pattern that need not match anything",
        STEP % "{type: regex, pattern: '[0-9]*'}",
        "vacuous-evaluations",
        STEP % "{type: regex, pattern: '[0-9]+'}",
    ),
    (
        "went on behind the end of the text",
        STEP % "{type: regex, pattern: 'done$!'}",
        "contradicting-evaluations",
        STEP % "{type: regex, pattern: 'done!$'}",
    ),
    (
        "changed the text but not what it must contain",
        STEP % "{type: exact_match, value: Your order has shipped}, {type: contains, value: delivered}",
        "contradicting-evaluations",
        STEP % "{type: exact_match, value: Your order has shipped}, {type: contains, value: Shipped}",
    ),
    (
        "compared an answer, an object, with a text",
        ANSWER % "{type: exact_match, value: shipped}",
        "contradicting-evaluations",
        ANSWER % "{type: exact_match, value: {status: shipped}}",
    ),
    (
        "swapped the bounds of a schema",
        STEP % "{type: schema, schema: {type: string, minLength: 9, maxLength: 3}}",
        "contradicting-evaluations",
        STEP % "{type: schema, schema: {type: string, minLength: 3, maxLength: 9}}",
    ),
    (
        "wrote a schema that only describes",
        STEP % "{type: schema, schema: {description: an order}}",
        "vacuous-evaluations",
        STEP % "{type: schema, schema: {description: an order, type: string}}",
    ),
    (
        "asked for nothing with `min: 0`",
        CHAIN % "count, match: {target: mail}, min: 0",
        "vacuous-evaluations",
        CHAIN % "count, match: {target: mail}, min: 1",
    ),
    (
        "asked again for what is required",
        CHAIN % "eventually, match: {action: calls, target: refund}",
        "vacuous-evaluations",
        CHAIN % "eventually, match: {action: calls, target: mail}",
    ),
    (
        "narrowed an argument to something else in `tool_call`",
        CALL % ", with: {amount: {$is: 'integer < 5'}}, evaluations: [{type: tool_call, with: {amount: 7}}]",
        "contradicting-constraints",
        CALL % ", with: {amount: {$is: 'integer < 5'}}, evaluations: [{type: tool_call, with: {amount: 4}}]",
    ),
    (
        "demanded an argument that `with_only` does not allow",
        CALL % ", with: {to: {$is: string}}, evaluations: [{type: tool_call, with_only: {amount: 7}}]",
        "contradicting-constraints",
        CALL % ", with: {amount: {$is: number}}, evaluations: [{type: tool_call, with_only: {amount: 7}}]",
    ),
    (
        "captured a limit below the range it bounds",
        ASKED % ("5", ", with: {amount: {$is: 'integer >= 10 and <= {{most}}'}}"),
        "unreachable-behaviors",
        ASKED % ("50", ", with: {amount: {$is: 'integer >= 10 and <= {{most}}'}}"),
    ),
    (
        "required a behavior that cannot match",
        CALL % ", optional: true, id: r, with: {a: {$is: '> 5'}}, evaluations: [{type: tool_call, with: {a: 1}}]"
        + "  - {actor: assistant, action: informs, requires: r}\n",
        "unreachable-behaviors",
        CALL % ", optional: true, id: r, with: {a: {$is: '> 5'}}, evaluations: [{type: tool_call, with: {a: 9}}]"
        + "  - {actor: assistant, action: informs, requires: r}\n",
    ),
    (
        "captured a number in quotes",
        ASKED % ('"100"', ", with: {amount: {$is: '<= {{most}}'}}"),
        "texts-for-numbers",
        ASKED % ("100", ", with: {amount: {$is: '<= {{most}}'}}"),
    ),
    (
        "put the number of a predicate in quotes",
        CALL % ", with: {amount: {$is: '> \"5\"'}}",
        "texts-for-numbers",
        CALL % ", with: {amount: {$is: '> 5'}}",
    ),
    (
        "let two ranges share an end",
        TWO % (", with: {a: {$is: 'number in 1..9'}}", ", with: {a: {$is: 'number in 9..20'}}"),
        "overlapping-steps",
        TWO % (", with: {a: {$is: 'number in 1..9'}}", ", with: {a: {$is: 'number > 9 and <= 20'}}"),
    ),
    (
        "copied a call of a group and changed only what is checked",
        TWO % ("", ", evaluations: [{type: tool_call, ordered: false}, {type: contains, value: x}]"),
        "indistinguishable-steps",
        TWO % (", with: {a: 1}", ", with: {a: 2}, evaluations: [{type: tool_call, ordered: false}]"),
    ),
    (
        "said that equal calls may come in any order",
        TWO % ("", ", evaluations: [{type: tool_call, ordered: false}]"),
        "no-effect-ordered-false",
        TWO % (", with: {a: 1}", ", with: {a: 2}, evaluations: [{type: tool_call, ordered: false}]"),
    ),
    (
        "listed the results of parallel calls below them",
        PARALLEL,
        "results-after-groups",
        ONE_BY_ONE,
    ),
    (
        "wrote `or` between two that are not",
        TEXT % '{{t}} != "a" or {{t}} != "b"',
        "constant-conditions",
        TEXT % '{{t}} != "a" and {{t}} != "b"',
    ),
    (
        "wrote `and` between two values of one name",
        TEXT % '{{t}} == "a" and {{t}} == "b"',
        "constant-conditions",
        TEXT % '{{t}} == "a" or {{t}} == "b"',
    ),
    ("left a condition over from trying", TEXT % "false", "constant-conditions", TEXT % "{{flag}}"),
]  # fmt: skip

WITH_TOOLS = [
    (
        "called a tool by a name it does not have",
        CALL.replace("refund", "refunds") % "",
        "unknown-tools",
        CALL % "",
    ),
    (
        "mapped a target to a tool that was renamed",
        "match: {targets: {Shop: [get_orders]}}\n" + CALL % "",
        "unknown-tools",
        "match: {targets: {Shop: [get_order]}}\n" + CALL % "",
    ),
    ("misspelled an argument", CALL % ", with: {amuont: 1}", "unknown-arguments", CALL % ", with: {amount: 1}"),
    (
        "wrote an argument of a mapped target in another style",
        SHOP.replace("refund", "Shop") % ", with: {orderId: x}",
        "unknown-arguments",
        SHOP.replace("refund", "Shop") % ", with: {order_id: x}",
    ),
    (
        "left a required argument out of `with_only`",
        CALL.replace("refund", "get_order") % ", with_only: {page: 1}",
        "missing-arguments",
        CALL.replace("refund", "get_order") % ", with_only: {page: 1, order_id: x}",
    ),
    (
        "put a number in quotes that the tool takes as a number",
        CALL % ', with: {amount: "5"}',
        "impossible-arguments",
        CALL % ", with: {amount: 5}",
    ),
    (
        "wrote an option in another case",
        CALL % ", with: {currency: usd}",
        "impossible-arguments",
        CALL % ", with: {currency: USD}",
    ),
    (
        "asked for more than the tool allows",
        CALL % ", with: {amount: {$is: '> 500'}}",
        "impossible-arguments",
        CALL % ", with: {amount: {$is: '> 400'}}",
    ),
]


@pytest.mark.parametrize(("mistake", "text", "code", "meant"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_mistakes_about_runs(mistake: str, text: str, code: str, meant: str) -> None:
    found = names(HEAD + text)
    assert code in found, mistake
    assert set(found) <= {code, "contradicting-constraints"}, "one cause, one finding"
    assert names(HEAD + meant) == []


@pytest.mark.parametrize(("mistake", "text", "code", "meant"), WITH_TOOLS, ids=[row[0] for row in WITH_TOOLS])
def test_mistakes_about_tools(mistake: str, text: str, code: str, meant: str) -> None:
    assert names(HEAD + text, TOOLS) == [code], mistake
    assert names(HEAD + meant, TOOLS) == []
    assert code not in names(HEAD + text), "nothing is said of tools without their definitions"
