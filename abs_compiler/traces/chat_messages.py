"""Chat messages to events: one message after the other.

Text becomes a communication event, each call a `calls` event after the text beside it, each tool message a `responds`
event joined to its call. A step is an assistant message; its number is the `turn` of its events and their results.
"""

from __future__ import annotations

from .parts import is_parts, text_of
from .run import NO_CALL, Links, Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from abs_compiler.runtime.events import Trace

_UNKNOWN_CALL = "calls of no known kind"


class Chat:
    """A conversation being read. `seen` counts the messages, `errors` holds the texts of error responses."""

    __slots__ = ("_links", "_turn", "errors", "run", "seen")

    def __init__(self) -> None:
        self.run = Run()
        self.seen = 0
        self.errors: list[str] = []
        self._links = Links()
        self._turn = -1

    def add_all(self, messages: list[Any]) -> None:
        for message in messages:
            self.add(message)

    def add(self, message: Any) -> None:
        """Read one message."""
        role = message.get("role") if isinstance(message, dict) else None
        if not isinstance(role, str):
            self.run.miss("items that are no messages")
            return
        self.seen += 1
        match role:
            case "assistant":
                self._turn += 1
                self._speak(message, "assistant", self._turn)
            case "user":
                self._links.close_step()
                self._speak(message, "user", None)
            case "system" | "developer":
                self._links.close_step()
                self._speak(message, "system", None)
            case "tool" | "function":
                self._answer(message)
            case _:
                self.seen -= 1
                self.run.miss(f"messages of the role {role[:40]!a}")

    def fail(self, error: Any) -> None:
        """An error that was recorded in place of a message."""
        text = error.get("message") if isinstance(error, dict) else error
        shown = "".join(sign if sign.isprintable() else " " for sign in text[:200]) if isinstance(text, str) else ""
        self.errors.append(shown or "no message given")
        self.run.miss("error responses")

    def trace(self, format: str) -> Trace:
        self.run.miss(NO_CALL, self._links.finish())
        return self.run.trace(format)

    def _speak(self, message: dict[str, Any], actor: str, turn: int | None) -> None:
        id = _id(message.get("id"))
        text = text_of(message.get("content"), self.run)
        audio = message.get("audio")
        if isinstance(audio, dict) and not text.strip():
            transcript = audio.get("transcript")
            text = transcript if isinstance(transcript, str) else ""
            if not text.strip() and (audio.get("data") or audio.get("id")):
                self.run.miss("audio parts")
        self.run.say(actor, text, turn, id)
        refusal = message.get("refusal")
        if isinstance(refusal, str):
            self.run.say(actor, refusal, turn, id)
        self._calls(message, actor, turn)

    def _calls(self, message: dict[str, Any], actor: str, turn: int | None) -> None:
        listed = message.get("tool_calls")
        if listed and not isinstance(listed, list):
            self.run.miss(_UNKNOWN_CALL)
        elif listed:
            for call in listed:
                self._call(call, actor, turn)
            return
        older = message.get("function_call")
        if isinstance(older, dict):
            self._call({"function": older}, actor, turn)
        elif older is not None:
            self.run.miss(_UNKNOWN_CALL)

    def _call(self, call: Any, actor: str, turn: int | None) -> None:
        if not isinstance(call, dict):
            self.run.miss(_UNKNOWN_CALL)
            return
        function, custom = call.get("function"), call.get("custom")
        free_text = False
        if isinstance(function, dict) and (function.get("name") or not custom):
            name, arguments = function.get("name"), function.get("arguments")
        elif isinstance(custom, dict):
            name, arguments, free_text = custom.get("name"), custom.get("input"), True
        else:
            name = function if isinstance(function, str) else call.get("name")
            arguments = call.get("arguments")
        id = _id(call.get("id"))
        if not isinstance(name, str) or not name:
            if name or arguments or id:  # all empty: a placeholder that some servers send with every message
                self.run.miss("calls without a name")
            return
        if call.get("requestor") == "user":
            actor, turn = "user", None
        event = self.run.call(name, arguments, id=id, actor=actor, turn=turn, free_text=free_text)
        self._links.add(event, id)

    def _answer(self, message: dict[str, Any]) -> None:
        id = _id(message.get("tool_call_id"))
        if id is None and self._links.knows(_id(message.get("id"))):
            id = _id(message.get("id"))
        name = message.get("name")
        name = name if isinstance(name, str) and name else None
        content = message.get("content")
        if content is None or isinstance(content, str):
            content = content or ""
        elif is_parts(content):
            content = text_of(content, self.run)
        error = message.get("error", message.get("is_error"))
        failed = error if isinstance(error, bool) else True if isinstance(error, dict) and error else None
        call = self._links.find(id, name)
        result = self.run.result(call, content, failed=failed, target=name, id=id)
        if call is None:
            self._links.wait(id, result)


def _id(value: Any) -> str | None:
    """A recorded id as text; empty ones are none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value else None
