"""Recorded runs in every format that has a reader, against the answer key and for their own sake.

The recordings lie beside the repository; each row of a file is one run (or one exchange of one).
"""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from abs_compiler.runtime.errors import TraceError
from abs_compiler.runtime.events import Event, Trace
from abs_compiler.traces import FORMATS, read_text, read_trace
from tests.support.shared import needs_shared, shared_root

pytestmark = needs_shared


def rows(name: str) -> list[str]:
    """The lines of a file of recorded data."""
    root = shared_root()
    assert root is not None, "no recorded data beside the repository (../shared)"
    path = root / "data" / name
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [line for line in data.decode("utf-8").split("\n") if line.strip()]


def answer_key() -> dict[str, Any]:
    return {row["run"]: row for row in map(json.loads, rows("formats/events.jsonl"))}


def as_recorded(event: Event) -> dict[str, Any]:
    """A tool event in the form of the answer key, which has results as text."""
    written: dict[str, Any] = {"actor": event.actor, "action": event.action, "target": event.target}
    if event.action == "calls":
        return written | {"with": event.arguments}
    return written | {"content": event.content if event.raw is None else event.raw}


def tool_events(trace: Trace) -> list[Event]:
    return [event for event in trace if event.action is not None]


def by_call(events: list[dict[str, Any]], marks: list[dict[str, Any]]) -> list[Any]:
    """The calls in order, each followed by its result: the order that interleaved logs agree on."""
    calls = [[event, None] for event in events if event["action"] == "calls"]
    for event, mark in zip(events, marks, strict=True):
        if event["action"] == "responds":
            calls[mark["call"]][1] = event
    return calls


def marks_of(events: list[Event]) -> list[dict[str, Any]]:
    """The number of the call that each event is or answers, as the trace links them."""
    numbers = {event.call_id: number for number, event in enumerate(e for e in events if e.action == "calls")}
    return [{"call": numbers[event.call_id]} for event in events]


@pytest.mark.parametrize(
    ("name", "runs", "errors"),
    [("openai-chat", 30, False), ("mcp-jsonrpc-sdk1", 29, True), ("mcp-jsonrpc-sdk2", 29, True)],
)
def test_every_run_gives_the_events_of_the_answer_key(name: str, runs: int, errors: bool) -> None:
    key = answer_key()
    seen, reordered = [], []
    for line in rows(f"formats/{name}.jsonl.gz"):
        run = json.loads(line)["run"]
        expected, marks = key[run]["events"], key[run]["marks"]
        trace = read_text(line)
        events = tool_events(trace)
        seen.append(run)
        assert trace.format == name.removesuffix("-sdk1").removesuffix("-sdk2")
        assert trace.unread == {}
        assert by_call([as_recorded(event) for event in events], marks_of(events)) == by_call(expected, marks), run
        if [as_recorded(event) for event in events] == expected:
            assert [mark["call"] for mark in marks_of(events)] == [mark["call"] for mark in marks]
            if name == "openai-chat":
                assert [event.turn for event in events] == [mark["step"] for mark in marks]
            failed = [mark.get("error", False) for mark in marks if errors]
            for event, error in zip(events, failed, strict=False):
                if event.action == "responds":
                    assert event.status == ("error" if error else "ok"), run
        else:
            reordered.append(run)
        if not errors:
            assert {event.status for event in events} <= {None}
    assert len(seen) == len(set(seen)) == runs
    # In this one log the server answered parallel calls before the last of them was sent.
    assert reordered == (["f27"] if name == "mcp-jsonrpc-sdk1" else [])


def test_the_comparison_notices_a_changed_argument_a_swapped_result_and_a_lost_flag() -> None:
    key = answer_key()
    line = next(line for line in rows("formats/mcp-jsonrpc-sdk2.jsonl.gz") if json.loads(line)["run"] == "f26")
    events = tool_events(read_text(line))
    expected = by_call(key["f26"]["events"], key["f26"]["marks"])

    def found() -> list[Any]:
        return by_call([as_recorded(event) for event in events], marks_of(events))

    assert found() == expected
    assert Counter(event.status for event in events if event.action == "responds")["error"] == sum(
        mark.get("error", False) for mark in key["f26"]["marks"] if "error" in mark
    )
    events[0].arguments = {**events[0].arguments, "user_id": "somebody"}
    assert found() != expected
    events = tool_events(read_text(line))
    first, second = [
        event for event in events if event.action == "responds" and event.target == "get_reservation_details"
    ][:2]
    first.call_id, second.call_id = second.call_id, first.call_id
    assert found() != expected


@pytest.mark.parametrize("number", range(4))
def test_a_run_one_message_a_line_is_the_same_run(number: int) -> None:
    for name, key in (("openai-chat", "messages"), ("mcp-jsonrpc-sdk1", "frames")):
        line = rows(f"formats/{name}.jsonl.gz")[number * 7]
        parts = json.loads(line)[key]
        whole = [event.to_dict() for event in read_text(line)]
        for text in (json.dumps(parts), "\n".join(map(json.dumps, parts)), json.dumps(parts, indent=1)):
            assert [event.to_dict() for event in read_text(text)] == whole
        bare = [part["msg"] for part in parts] if key == "frames" else parts
        assert [event.to_dict() for event in read_text("\n".join(map(json.dumps, bare)))] == whole


def test_native_events_of_the_answer_key_read_as_they_are() -> None:
    for row in answer_key().values():
        trace = read_text("\n".join(map(json.dumps, row["events"])) if row["events"] else "[]")
        assert trace.format == "abs"
        assert [event.to_dict() for event in trace] == row["events"]
        assert not any(event.recorded for event in trace)


@pytest.mark.parametrize(
    ("name", "runs", "counts"),
    [
        (
            "tau-bench/trajectories.jsonl.gz",
            100,
            {("assistant", "calls"): 621, ("tool", "responds"): 621, ("user", "calls"): 0},
        ),
        (
            "tau2/trajectories.jsonl.gz",
            15,
            {("assistant", "calls"): 47, ("tool", "responds"): 52, ("user", "calls"): 5},
        ),
    ],
)
def test_every_trajectory_reads_completely(name: str, runs: int, counts: dict[tuple[str, str], int]) -> None:
    found: Counter[tuple[str, str | None]] = Counter()
    lines = rows(name)
    assert len(lines) == runs
    for line in lines:
        trace = read_text(line)
        assert (trace.format, trace.unread) == ("openai-chat", {})
        found.update((event.actor, event.action) for event in trace)
        # Every call is answered, and by one result only: none of these runs ends inside a step.
        events = tool_events(trace)
        calls = [event.call_id for event in events if event.action == "calls"]
        assert sorted(calls) == sorted(event.call_id for event in events if event.action == "responds")
        messages = json.loads(line)["messages"]
        texts = [m["content"] for m in messages if m["role"] != "tool" and (m.get("content") or "").strip()]
        assert [event.content for event in trace if event.action is None] == texts
    assert {key: found[key] for key in counts} == counts


@pytest.mark.parametrize(
    ("name", "format", "read", "unread"),
    [
        ("openai-chat", "openai-chat", 25, {"input_audio parts": 5, "error responses": 5}),
        ("openai-compatible-chat", "openai-chat", 25, {"image_url parts": 1}),
        ("groq-chat", "openai-chat", 25, {"image_url parts": 2}),
        ("mistral-chat", "openai-chat", 25, {"image_url parts": 2, "document_url parts": 4}),
        ("mcp-jsonrpc", "mcp-jsonrpc", 6, {}),
    ],
)
def test_every_exchange_on_the_wire_reads(name: str, format: str, read: int, unread: dict[str, int]) -> None:
    missed: Counter[str] = Counter()
    lines = rows(f"wire/{name}.jsonl")
    assert len(lines) == read
    for line in lines:
        trace = read_text(line)
        assert trace.format == format
        missed.update(trace.unread)
    assert missed == unread


def test_streams_on_the_wire_become_whole_calls() -> None:
    streams = [line for line in rows("wire/openai-chat.jsonl") if json.loads(line)["source"]["stream"]]
    assert len(streams) == 10
    for line in streams:
        trace = read_text(line)
        last = [event for event in trace if event.turn == max(e.turn for e in trace if e.turn is not None)]
        assert last, "the streamed answer is the last step"
        assert all(isinstance(event.arguments, dict) for event in last if event.action == "calls")


def test_exchanges_of_one_run_are_read_once() -> None:
    """Clients send the whole history with each request; several cassettes recorded more than one."""
    runs: dict[str, list[str]] = {}
    for name in ("openai-chat", "openai-compatible-chat", "groq-chat", "mistral-chat"):
        for line in sorted(rows(f"wire/{name}.jsonl"), key=lambda line: int(json.loads(line)["source"]["interaction"])):
            runs.setdefault(name + json.loads(line)["source"]["path"], []).append(line)
    outcomes: Counter[str] = Counter()
    for lines in runs.values():
        if len(lines) > 1:
            with suppress(TraceError):
                whole = [event.to_dict() for event in read_text("\n".join(lines))]
                outcomes["one run"] += 1
                assert whole == [event.to_dict() for event in read_text(lines[-1])]
                continue
            outcomes["several runs, or a rewritten history"] += 1
    assert outcomes == {"one run": 13, "several runs, or a rewritten history": 5}


@pytest.mark.parametrize("folder", ["formats", "wire"])
def test_auto_never_reads_another_format_wrongly(folder: str) -> None:
    """A row of another format is refused, or read with exactly the tool events it holds (none, in a run without)."""
    root = shared_root()
    assert root is not None
    key = answer_key()
    ours = ("openai-chat", "openai-compatible-chat", "groq-chat", "mistral-chat", "mcp-jsonrpc")
    for path in sorted(Path(root / "data" / folder).glob("*.jsonl*")):
        if path.name.startswith((*ours, "events", "vercel")):
            continue
        for line in rows(f"{folder}/{path.name}"):
            with suppress(TraceError):
                trace = read_text(line)
                if trace.format in ours:
                    assert folder == "formats", f"{path.name} was read as {trace.format}"
                    assert tool_events(trace) == [] == key[json.loads(line)["run"]]["events"]


def test_damaged_runs_never_crash_a_reader() -> None:
    generator = random.Random(20)
    lines = [
        rows("formats/openai-chat.jsonl.gz")[25],
        rows("formats/mcp-jsonrpc-sdk2.jsonl.gz")[5],
        rows("tau2/trajectories.jsonl.gz")[14],
        *(rows(f"wire/{name}.jsonl")[3] for name in ("openai-chat", "groq-chat", "mistral-chat", "mcp-jsonrpc")),
    ]
    outcomes: Counter[str] = Counter()
    for line in lines:
        for _ in range(60):
            damaged = json.dumps(_damage(json.loads(line), generator))
            data = bytearray(damaged.encode())
            if generator.random() < 0.3:
                del data[generator.randrange(len(data)) :]
            elif generator.random() < 0.3:
                data[generator.randrange(len(data))] = generator.randrange(256)
            for format in ("auto", *FORMATS):
                try:
                    read_trace(bytes(data), format)
                    outcomes["read"] += 1
                except TraceError:
                    outcomes["refused"] += 1
    assert min(outcomes.values()) > 300, outcomes


def _damage(value: Any, generator: random.Random) -> Any:
    """A value with a few of its parts dropped, doubled, moved or replaced."""
    for _ in range(generator.randint(1, 4)):
        containers = list(_containers(value))
        target = generator.choice(containers)
        if not target:
            continue
        key = generator.choice(list(target)) if isinstance(target, dict) else generator.randrange(len(target))
        junk = generator.choice(
            [None, "", "{", 0, True, [], {}, [[]], {"type": "text"}, {"role": "tool"}, "tool", -1.5]
        )
        match generator.randrange(4):
            case 0:
                del target[key]
            case 1 if isinstance(target, list):
                target.append(target[key])
            case 2:
                target[key] = json.loads(json.dumps(generator.choice(containers)))
            case _:
                target[key] = junk
    return value


def _containers(value: Any) -> Any:
    if isinstance(value, (dict, list)):
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _containers(inner)
