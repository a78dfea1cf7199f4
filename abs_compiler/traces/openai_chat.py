"""OpenAI chat messages, and what is recorded around them.

A run is a list of messages (bare, or under `messages` in an object with any other keys, or one a line), or requests
with their responses: a completion, a stream of chunks, or an error body. Flat tool calls (`id`, `name`, `arguments`
and `requestor` beside each other) and the older `function_call` are read too. Requests repeat the history: of several
exchanges each must continue the one before, and the history is read once.
"""

from __future__ import annotations

from abs_compiler.runtime.errors import TraceError
from abs_compiler.runtime.events import Trace

from . import sse
from .chat_messages import Chat
from .openai_stream import is_chunk, join
from .reader import Reader, count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from abs_compiler.runtime.events import Event

    from .recording import Recording

NAME = "openai-chat"

_ROLES = frozenset(("system", "developer", "user", "assistant", "tool", "function"))
_CONTENT_KEYS = frozenset(("content", "tool_calls", "function_call", "refusal", "audio"))
# Parts in which other formats keep their calls and results: messages that hold them are not of this format.
_FOREIGN_KEYS = frozenset(("toolUse", "toolResult", "functionCall", "functionResponse", "function_call"))
_FOREIGN_TYPES = _FOREIGN_KEYS | {
    *("tool_use", "tool_result", "server_tool_use", "mcp_tool_use", "mcp_tool_result", "mcp_call"),
    *("tool-call", "tool-result", "tool_call", "tool_call_response", "function_call_output"),
}


def sniff(recording: Recording) -> str | None:
    """Messages with roles, or requests and responses that hold them, and nothing else."""
    found: dict[str, int] = {}
    for item in recording.items:
        number = 1
        if is_chunk(item):
            name = "chat completion chunk"
        elif _is_message(item):
            name = "chat message"
        elif not _is_exchange(item):
            return None
        elif _response(item):
            name = "chat exchange"
        else:
            name, number = "chat message", len(_request(item) or ())
        found[name] = found.get(name, 0) + number
    return " and ".join(count(number, name) for name, number in found.items()) or None


def read(recording: Recording) -> Trace:
    """The run's trace."""
    chat = Chat()
    previous = ""
    rpc = sum(_is_envelope(item) and _holds_rpc(item) for item in recording.items)
    for where, messages, response, repeats in _exchanges(recording):
        if repeats and chat.run.events:
            earlier, chat = chat.run.events, Chat()
            chat.add_all(messages)
            if not _continues(earlier, chat.run.events):
                raise TraceError(
                    f"{where} does not continue {previous}: a trace is one run; give each run a file of its own, "
                    "and of a run whose history the client rewrote only the last exchange"
                )
        else:
            chat.add_all(messages)
        _respond(chat, response)
        previous = where
    chat.run.miss("stream payloads that are not JSON", recording.bad_payloads)
    chat.run.miss("JSON-RPC messages", rpc)
    if not chat.seen and (chat.run.unread or chat.errors):
        raise TraceError(_nothing(chat))
    return chat.trace(NAME)


def _exchanges(recording: Recording) -> Iterator[tuple[str, list[Any], Any, bool]]:
    """Place, messages, response, and whether the messages are a request, which repeats what came before."""
    messages: list[Any] = []
    chunks: list[Any] = []
    for index, item in enumerate(recording.items):
        if is_chunk(item):
            chunks.append(item)
        elif not _is_envelope(item):
            messages.append(item)
        else:
            if messages or chunks:
                yield recording.where(index - 1), messages, chunks, False
                messages, chunks = [], []
            request = _request(item)
            yield recording.where(index), request or [], _response(item), request is not None
    if messages or chunks:
        yield recording.where(len(recording.items) - 1), messages, chunks, False


def _respond(chat: Chat, response: Any) -> None:
    """Add what a response says; nothing recorded is no response."""
    if isinstance(response, str) and sse.is_stream(response):
        chunks, bad = sse.payloads(response)
        chat.run.miss("stream payloads that are not JSON", bad)
        response = chunks
    match response:
        case None | "" | []:
            return
        case list() if any(is_chunk(item) for item in response):
            chat.add(join(response, chat.run))
        case {"choices": [first, *others]}:
            message = first.get("message") if isinstance(first, dict) else None
            if isinstance(message, dict):
                chat.add({"role": "assistant", **message})
            else:
                chat.run.miss("choices without a message")
            chat.run.miss("alternative choices", len(others))
        case {"error": error} if error:
            chat.fail(error)
        case _:
            chat.run.miss("responses of no known kind")


def _continues(earlier: list[Event], later: list[Event]) -> bool:
    return [_essence(event) for event in earlier] == [_essence(event) for event in later[: len(earlier)]]


def _essence(event: Event) -> tuple[Any, ...]:
    # Without the ids: clients give calls new ids when they send them back.
    return event.actor, event.action, event.target, event.arguments, event.content


def _nothing(chat: Chat) -> str:
    if chat.errors:
        return f"holds an error response instead of messages: {chat.errors[0]}"
    return f"holds no chat messages (not understood: {', '.join(chat.run.unread)})"


def _request(item: dict[str, Any]) -> list[Any] | None:
    """The messages of a request, which may be the item itself."""
    request = item.get("request")
    for holder in (item, request if isinstance(request, dict) else {}):
        messages = holder.get("messages")
        if isinstance(messages, list):
            return messages
    return None


def _response(item: dict[str, Any]) -> Any:
    return item if "choices" in item or (_request(item) is None and item.get("error")) else item.get("response")


def _is_envelope(item: Any) -> bool:
    """Whether an item holds a request or a response and is no message itself."""
    return (
        isinstance(item, dict)
        and "role" not in item
        and not item.keys().isdisjoint(("messages", "request", "response", "choices", "error"))
    )


def _holds_rpc(item: dict[str, Any]) -> bool:
    """Whether the object that holds the messages, or would, is a JSON-RPC message."""
    return any(isinstance(holder, dict) and "jsonrpc" in holder for holder in (item, item.get("request")))


def _is_exchange(item: Any) -> bool:
    """Whether a request and a response, as far as the item has them, are of this format."""
    if not _is_envelope(item):
        return False
    request, response = _request(item), _response(item)
    if request is None and _holds_rpc(item):
        return False
    if request is None and (not response or item.get("request")):
        return False
    return all(_is_message(message) for message in request or ()) and (not response or _is_response(response))


def _is_response(response: Any) -> bool:
    match response:
        case str():
            return sse.is_stream(response) and _is_response(sse.payloads(response)[0])
        case list():
            return any(is_chunk(item) for item in response)
        case {"choices": list(choices)}:
            return all(isinstance(choice, dict) and "message" in choice for choice in choices)
        case {"error": dict() | str() as error}:
            return bool(error) and "jsonrpc" not in response
        case _:
            return False


def _is_message(item: Any) -> bool:
    if not isinstance(item, dict) or "parts" in item or item.keys().isdisjoint(_CONTENT_KEYS):
        return False
    role, content = item.get("role"), item.get("content")
    if not isinstance(role, str) or role not in _ROLES:
        return False
    return not (isinstance(content, list) and any(_is_foreign(part) for part in content))


def _is_foreign(part: Any) -> bool:
    if not isinstance(part, dict):
        return False
    kind = part.get("type")
    return kind in _FOREIGN_TYPES if isinstance(kind, str) else not part.keys().isdisjoint(_FOREIGN_KEYS)


READER = Reader(NAME, sniff, read)
