"""The tables of a grammar, as lark makes and writes them, in an order of their own: the same in every run."""

from __future__ import annotations

import json
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from abs_compiler.predicate.grammar import build, digest, grammar_text

_SHIFT = 0


def tables_text(name: str) -> str:
    """The content of `grammar/NAME.tables.json`."""
    text = grammar_text(name)
    data, memo = build(text).memo_serialize([TerminalDef, Rule])
    _put_in_order(data["parser"]["parser"])
    del data["options"]["_plugins"]
    tables = {"lark": lark.__version__, "grammar": digest(text), "data": data, "memo": memo}
    return json.dumps(tables, separators=(",", ":")) + "\n"


def _put_in_order(table: dict[str, Any]) -> None:
    """Number the symbols by their names, and the states as they are reached from the first one."""
    names, states = table["tokens"], table["states"]
    actions = {state: {names[symbol]: action for symbol, action in row.items()} for state, row in states.items()}
    reached = [table["start_states"][start] for start in sorted(table["start_states"])]
    for state in reached:  # grows on the way
        targets = (target for _, (kind, target) in sorted(actions[state].items()) if kind == _SHIFT)
        reached.extend(dict.fromkeys(target for target in targets if target not in reached))
    number = {state: index for index, state in enumerate(reached)}
    symbols = sorted(names.values())
    table["tokens"] = dict(enumerate(symbols))
    table["states"] = {
        number[state]: {
            index: (kind, number[target] if kind == _SHIFT else target)
            for index, name in enumerate(symbols)
            if name in actions[state]
            for kind, target in [actions[state][name]]
        }
        for state in reached
    }
    for key in ("start_states", "end_states"):
        table[key] = {start: number[state] for start, state in sorted(table[key].items())}
