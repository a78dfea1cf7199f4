"""Which call a result answers, on random steps: ids unique, repeated, or missing."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.runtime.events import Event
from abs_compiler.traces.run import Links, Run

STEP = st.lists(st.sampled_from(["a", "b", "c", ""]), min_size=1, max_size=5)


@given(st.lists(st.tuples(STEP, st.randoms(use_true_random=False)), max_size=6))
def test_results_meet_their_calls_inside_the_step(steps: list[tuple[list[str], Random]]) -> None:
    run, links = Run(), Links()
    for ids, random in steps:
        calls = [run.call("t", {"n": len(run.events)}, id=id or None) for id in ids]
        for call, id in zip(calls, ids, strict=True):
            links.add(call, id or None)
        # Calls that have an id may be answered at any time; equal ids, and calls without one, in their order.
        order = list(range(len(ids)))
        random.shuffle(order)
        waiting = {id: [index for index, other in enumerate(ids) if other == id] for id in ids}
        answered = [waiting[ids[index]].pop(0) for index in order]
        if "" in ids:  # without an id the position in the whole step counts
            answered = list(range(len(ids)))
        for index in answered:
            assert links.find(ids[index] or None, None) is calls[index]
    assert links.finish() == 0
    used = [event.call_id for event in run.events]
    assert len(set(used)) == len(used)


@given(st.lists(st.sampled_from(["a", "b"]), max_size=5), st.lists(st.sampled_from(["a", "b"]), max_size=5))
def test_results_recorded_first_are_joined_in_their_order(results: list[str], calls: list[str]) -> None:
    run, links = Run(), Links()
    early = []
    for id in results:
        assert links.find(id, None) is None
        early.append(run.result(None, id, id=id))
        links.wait(id, early[-1])
    made = [run.call("t", {}, id=id) for id in calls]
    for call, id in zip(made, calls, strict=True):
        links.add(call, id)
    expected: dict[str, list[Event]] = {id: [c for c, o in zip(made, calls, strict=True) if o == id] for id in "ab"}
    alone = links.finish()
    for id, result in zip(results, early, strict=True):
        if expected[id]:
            assert (result.call_id, result.target) == (expected[id].pop(0).call_id, "t")
        else:
            alone -= 1
            assert result.target is None
    assert alone == 0


def test_many_results_take_time_in_proportion() -> None:
    run, links = Run(), Links()
    for name, id in (("same", "x"), ("none", None)):
        calls = [run.call(name, None, id=id) for _ in range(20_000)]
        for call in calls:
            links.add(call, id)
        assert all(links.find(id, None) is call for call in calls)
        links.close_step()
