"""Chat completion chunks to the one assistant message they spell.

A call is spread over chunks by its index; ids and names come in the first of them only, or, from some servers, in
each. Servers that give no index, or the same one for every call, send whole calls with ids of their own.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .run import Run

_ENDS_EARLY = "streams that end early"
_TEXTS = ("content", "refusal")


def is_chunk(value: Any) -> bool:
    """Whether a value is a chunk of a streamed chat completion."""
    if not isinstance(value, dict):
        return False
    choices = value.get("choices")
    if value.get("object") == "chat.completion.chunk":
        return True
    return isinstance(choices, list) and any(isinstance(choice, dict) and "delta" in choice for choice in choices)


def join(chunks: list[Any], run: Run) -> dict[str, Any]:
    """The message of a stream's first choice."""
    message: dict[str, Any] = {"role": "assistant"}
    calls = _Calls(run)
    parts: list[Any] = []
    finished = False
    alternatives: set[Any] = set()
    for chunk in chunks:
        if not isinstance(chunk, dict):
            run.miss("stream chunks of no known kind")
            continue
        if chunk.get("error"):
            run.miss("error responses")
        choices = chunk.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if not isinstance(choice, dict):
                run.miss("stream chunks of no known kind")
                continue
            if choice.get("index") not in (None, 0):
                alternatives.add(repr(choice["index"]))
                continue
            finished = finished or choice.get("finish_reason") is not None
            delta = choice.get("delta")
            if isinstance(delta, dict):
                _add(delta, message, parts, calls, run)
    if parts:
        message["content"] = [
            *([{"type": "text", "text": message["content"]}] if message.get("content") else []),
            *parts,
        ]
    if calls.calls:
        message["tool_calls"] = calls.calls
    if not finished:
        run.miss(_ENDS_EARLY)
    run.miss("alternative choices", len(alternatives))
    return message


def _add(delta: dict[str, Any], message: dict[str, Any], parts: list[Any], calls: _Calls, run: Run) -> None:
    for key in _TEXTS:
        value = delta.get(key)
        if isinstance(value, str):
            message[key] = message.get(key, "") + value
        elif isinstance(value, list):
            parts += value
        elif value is not None:
            run.miss("message content that is no text")
    function = delta.get("function_call")
    if isinstance(function, dict):
        whole = message.setdefault("function_call", {})
        _join_function(function, whole)
    listed = delta.get("tool_calls")
    for call in listed if isinstance(listed, list) else ():
        calls.add(call)


class _Calls:
    """The calls of one streamed message, in the order they began."""

    def __init__(self, run: Run) -> None:
        self.calls: list[dict[str, Any]] = []
        self._by_index: dict[int, dict[str, Any]] = {}
        self._by_id: dict[str, dict[str, Any]] = {}
        self._run = run

    def add(self, delta: Any) -> None:
        if not isinstance(delta, dict):
            self._run.miss("calls of no known kind")
            return
        call = self._find(delta)
        for key, value in delta.items():
            if key == "function" and isinstance(value, dict):
                _join_function(value, call["function"])
            elif key != "function" and value is not None:
                call.setdefault(key, value)

    def _find(self, delta: dict[str, Any]) -> dict[str, Any]:
        index, id = delta.get("index"), delta.get("id")
        index = index if isinstance(index, int) else None
        id = id if isinstance(id, str) and id else None
        if id is not None and id in self._by_id:
            return self._by_id[id]
        call = self._by_index.get(index) if index is not None else self.calls[-1] if self.calls else None
        if call is None or (id is not None and call.get("id") not in (None, "", id)):
            call = {"function": {}}
            self.calls.append(call)
        if index is not None:
            self._by_index[index] = call
        if id is not None:
            call["id"] = id
            self._by_id[id] = call
        return call


def _join_function(delta: dict[str, Any], whole: dict[str, Any]) -> None:
    name = delta.get("name")
    if isinstance(name, str) and name != whole.get("name"):
        whole["name"] = whole.get("name", "") + name
    arguments = delta.get("arguments")
    if isinstance(arguments, str) and isinstance(whole.get("arguments", ""), str):
        whole["arguments"] = whole.get("arguments", "") + arguments
    elif arguments is not None:
        whole["arguments"] = arguments
