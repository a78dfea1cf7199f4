"""The machine laid out: segments, states, transitions, the limit."""

from __future__ import annotations

from typing import Any

from abs_compiler.automaton.explore import explore


def program(behaviors: int, groups: list[list[int]] | None = None, **changes: Any) -> dict[str, Any]:
    return {
        "session": "s",
        "version": "0.2",
        "match": {"extras": None, "ignore": [], "targets": {}, "observe": "all", "allow_empty": False},
        "behaviors": [
            {
                "id": None,
                "actor": "assistant",
                "action": "calls",
                "target": f"t{index}",
                "at": [1, 1],
                "optional": index in changes.get("optional", ()),
                "requires": None,
                "args": [],
                "capture": {},
                "shares": None,
                "checks": [],
            }
            for index in range(behaviors)
        ],
        "groups": groups or [],
        "parameters": [],
        "names": [],
        "file_names": [],
        "dataset": None,
        "checks": [],
        "source": {"path": "s.abs.yaml", "sha256": "0" * 64},
    }


def test_ordered_behaviors_are_a_chain() -> None:
    machine = explore(program(3))
    assert machine.segments == ((0,), (1,), (2,))
    assert [state.next for state in machine.states] == [{0: 1}, {1: 2}, {2: 3}, {}]
    assert [state.done for state in machine.states] == [0, 1, 2, 3]
    assert machine.complete


def test_a_group_is_a_lattice_and_optionals_stay_outside() -> None:
    machine = explore(program(5, [[1, 3]], optional=(4,)))
    assert machine.segments == ((0,), (1, 2), (3,))
    assert machine.optional == (4,)
    waits = [state.waits_for for state in machine.states]
    assert waits == [(0,), (1, 2), (2,), (1,), (3,), ()]
    assert machine.states[1].next == {1: 2, 2: 3}
    assert machine.states[2].next == {2: 4}
    assert machine.states[3].next == {1: 4}


def test_the_limit_is_said() -> None:
    machine = explore(program(20, [[0, 20]]), limit=50)
    assert len(machine.states) == 50
    assert not machine.complete
