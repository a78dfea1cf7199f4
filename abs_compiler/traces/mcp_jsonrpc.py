"""Logs of the Model Context Protocol: JSON-RPC messages between a client and a server.

Takes frames `{t, dir, msg}` (one a line, or under `frames`), bare messages, batches, or HTTP requests with their
responses. `tools/call` requests become `calls`, their responses, whenever they come, `responds`; everything else the
protocol knows is no tool event. Requests and responses are joined by id and direction. Where a log does not say who
sent a message, a request is the client's unless only servers send its method, and a response goes to whoever waits.
"""

from __future__ import annotations

from abs_compiler.runtime.errors import TraceError

from . import sse
from .jsontext import JsonError, loads
from .parts import miss_part
from .reader import Reader, count
from .run import NO_CALL, Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from abs_compiler.runtime.events import Event, Trace

    from .recording import Recording

NAME = "mcp-jsonrpc"

_CLIENT, _SERVER = "c2s", "s2c"
_SERVER_METHODS = frozenset(("sampling/createMessage", "roots/list", "elicitation/create"))
# The first words of the protocol's methods; nothing but tools/call in them is a tool event.
_AREAS = (
    *("completion", "elicitation", "initialize", "logging", "notifications", "ping", "prompts", "resources"),
    *("roots", "sampling", "server", "subscriptions", "tasks", "tools"),
)
_MESSAGE_KEYS = frozenset(("jsonrpc", "id", "method", "params", "result", "error"))
_TOOL_RESULT_KEYS = frozenset(("content", "structuredContent", "isError", "task"))


def sniff(recording: Recording) -> str | None:
    """JSON-RPC messages, in any of the shapes they are logged in, and nothing else."""
    kinds: dict[str, int] = {}
    for item in recording.items:
        kind = _kind(item)
        if kind is None:
            return None
        number = len(item["frames"]) if isinstance(item, dict) and "frames" in item else 1
        kinds[kind] = kinds.get(kind, 0) + number
    return " and ".join(count(number, kind) for kind, number in kinds.items()) or None


def read(recording: Recording) -> Trace:
    """The run's trace."""
    log = _Log()
    for item in recording.items:
        for direction, message in _messages(item, log.run):
            log.add(direction, message)
    log.run.miss("stream payloads that are not JSON", recording.bad_payloads)
    if not log.seen and log.run.unread:
        raise TraceError(f"holds no JSON-RPC messages (not understood: {', '.join(log.run.unread)})")
    return log.run.trace(NAME)


class _Log:
    """A log being read: who waits for which response."""

    __slots__ = ("_tasks", "_waiting", "run", "seen")

    def __init__(self) -> None:
        self.run = Run()
        self.seen = 0
        # By sender and id: the call waiting for its result, or None for any other request.
        self._waiting: dict[tuple[str, str], Event | None] = {}
        self._tasks: dict[str, Event] = {}

    def add(self, direction: str | None, message: Any) -> None:
        if not isinstance(message, dict) or not _is_message(message):
            self.run.miss("items that are no JSON-RPC messages")
            return
        self.seen += 1
        for key, value in message.items():
            # A time or the like beside a message is no part of the run; what can hold more of it is.
            if key not in _MESSAGE_KEYS and isinstance(value, (list, dict)):
                self.run.miss(f"{key[:40]!a} in JSON-RPC messages")
        method = message.get("method")
        if isinstance(method, str):
            self._request(direction, message, method)
        elif "result" in message or "error" in message:
            self._response(direction, message)
        else:
            self.run.miss("JSON-RPC messages of no known kind")

    def _request(self, direction: str | None, message: dict[str, Any], method: str) -> None:
        sender = direction or self._sender(method, message.get("id"))
        parameters = message.get("params")
        parameters = parameters if isinstance(parameters, dict) else {}
        call: Event | None = None
        if method == "initialize":
            self._waiting.clear()  # a new session counts its ids from the start
        elif method == "tools/call" and sender == _CLIENT:
            name = parameters.get("name")
            if isinstance(name, str) and name:
                call = self.run.call(name, parameters.get("arguments"), id=_id_text(message.get("id")))
            else:
                self.run.miss("calls without a name")
        elif method == "tasks/result":
            call = self._tasks.get(_text(parameters.get("taskId")))
        elif method.split("/", 1)[0] not in _AREAS:
            self.run.miss(f"requests of the method {method[:40]!a}")
        if message.get("id") is not None:
            self._waiting[sender, _key(message["id"])] = call

    def _sender(self, method: str, id: Any) -> str:
        """Who sent a request, in a log that does not say."""
        # Nobody uses an id again while it waits, so such a request is the other side's (a ping, mostly).
        waits = id is not None and method != "tools/call" and (_CLIENT, _key(id)) in self._waiting
        return _SERVER if waits or method in _SERVER_METHODS else _CLIENT

    def _response(self, direction: str | None, message: dict[str, Any]) -> None:
        key = _key(message.get("id"))
        asker = self._asker(direction, key, message.get("result"))
        if (asker, key) not in self._waiting:
            if _is_tool_result(message.get("result")):
                self._result(None, message)
                self.run.miss(NO_CALL)
            return
        call = self._waiting.pop((asker, key))
        if call is not None:
            self._result(call, message)

    def _asker(self, direction: str | None, key: str, result: Any) -> str:
        """Who sent the request that a response answers."""
        if direction is not None:
            return _CLIENT if direction == _SERVER else _SERVER
        if (_SERVER, key) not in self._waiting:
            return _CLIENT
        if (_CLIENT, key) not in self._waiting:
            return _SERVER
        return _CLIENT if result is None or _is_tool_result(result) else _SERVER

    def _result(self, call: Event | None, message: dict[str, Any]) -> None:
        if "error" in message:
            error = message["error"]
            text = error.get("message") if isinstance(error, dict) else error
            self.run.result(call, text if isinstance(text, str) else error, failed=True)
            return
        result = message["result"]
        if not isinstance(result, dict):
            self.run.result(call, result, failed=False)
            return
        task = result.get("task")
        if call is not None and isinstance(task, dict) and "content" not in result:
            self._tasks[_text(task.get("taskId"))] = call
            return
        if result.get("resultType") not in (None, "complete"):
            self.run.miss("results that are not complete")
            return
        text = _content(result.get("content"), self.run)
        structured = result.get("structuredContent")
        failed = result.get("isError") is True
        if structured is None:
            self.run.result(call, text or "", failed=failed)
        else:
            self.run.result(call, structured, raw=text, failed=failed)


def _is_tool_result(result: Any) -> bool:
    """Whether a result can only be a tool's (a model's and a person's answer have content too)."""
    return (
        isinstance(result, dict)
        and result.keys().isdisjoint(("role", "action"))
        and not result.keys().isdisjoint(_TOOL_RESULT_KEYS)
    )


def _content(parts: Any, run: Run) -> str | None:
    """The text of a result, or None where it has none."""
    if isinstance(parts, str):
        return parts
    if not isinstance(parts, list):
        if parts is not None:
            run.miss("results of no known kind")
        return None
    texts = []
    for part in parts:
        match part:
            case {"type": "text", "text": str(text)} | {"type": "resource", "resource": {"text": str(text)}}:
                texts.append(text)
            case _:
                miss_part(part.get("type") if isinstance(part, dict) else None, run)
    return "\n".join(texts) if texts else None


def _messages(item: Any, run: Run) -> Iterator[tuple[str | None, Any]]:
    """The messages of one stored item, each with its direction where the log says it."""
    match item:
        case {"frames": list(frames)}:
            for frame in frames:
                yield from _messages(frame, run)
        case list():
            for message in item:
                yield from _messages(message, run)
        case {"jsonrpc": _}:
            yield None, item
        case {"msg": message} | {"message": message}:
            direction = item.get("dir")
            known = direction if direction in (_CLIENT, _SERVER) else None
            for inner in _flat(message, run):
                yield known, inner
        case {"request": request, **rest}:
            for inner in _flat(request, run):
                yield _CLIENT, inner
            for inner in _flat(rest.get("response"), run):
                yield _SERVER, inner
        case _:
            yield None, item


def _flat(stored: Any, run: Run) -> list[Any]:
    """The messages of a body: one, a batch, or text that holds either or a stream of them."""
    if isinstance(stored, str):
        if not stored.strip():
            return []
        if sse.is_stream(stored):
            values, bad = sse.payloads(stored)
            run.miss("stream payloads that are not JSON", bad)
            return values
        try:
            stored = loads(stored)
        except JsonError:
            run.miss("messages that are not JSON")
            return []
    if stored is None:
        return []
    return stored if isinstance(stored, list) else [stored]


def _kind(item: Any) -> str | None:
    """What shape an item has, None for one that is not of this format."""
    match item:
        case {"jsonrpc": _}:
            return "JSON-RPC message" if _is_message(item) else None
        case {"frames": [first, *_]}:
            return "JSON-RPC frame" if _kind(first) else None
        case [first, *_]:
            return "JSON-RPC message list" if _kind(first) else None
        case {"msg": message} | {"message": message}:
            return "JSON-RPC frame" if _is_body(message) else None
        case {"request": request}:
            return "JSON-RPC exchange" if _is_body(request) else None
        case _:
            return None


def _is_body(stored: Any) -> bool:
    if isinstance(stored, str):
        try:
            stored = loads(stored)
        except JsonError:
            return False
    if isinstance(stored, list):
        stored = stored[0] if stored else None
    return isinstance(stored, dict) and _is_message(stored)


def _is_message(message: dict[str, Any]) -> bool:
    return message.get("jsonrpc") == "2.0"


def _key(id: Any) -> str:
    """An id to look up: a number and a text that read alike are different ids."""
    return repr(id) if isinstance(id, (str, int, float)) else ""


def _id_text(id: Any) -> str | None:
    return str(id) if isinstance(id, (str, int, float)) and not isinstance(id, bool) and id != "" else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


READER = Reader(NAME, sniff, read)
