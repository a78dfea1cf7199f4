"""What every reader of a wire format builds its trace with.

`Run` collects events and counts what was not understood; `Links` finds the call a result answers. Also the two
decisions all formats share: what recorded arguments and recorded results are.
"""

from __future__ import annotations

from collections import deque

from abs_compiler.runtime.events import Event, Trace

from .jsontext import JsonError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NOT_JSON = "arguments that are not JSON"
NO_CALL = "tool results without a call"


class Run:
    """The events of one run, in the order they are added."""

    __slots__ = ("_names", "_used", "events", "unread")

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.unread: dict[str, int] = {}
        self._used: set[str] = set()
        self._names: dict[str, int] = {}

    def miss(self, name: str, count: int = 1) -> None:
        """Count parts that were not understood."""
        if count:
            self.unread[name] = self.unread.get(name, 0) + count

    def say(self, actor: str, text: str, turn: int | None = None, id: str | None = None) -> None:
        """A message's text; blank text is no event."""
        if text.strip():
            self.events.append(Event(actor, category="communication", content=text, turn=turn, id=id, recorded=True))

    def call(
        self,
        target: str,
        arguments: Any,
        *,
        id: str | None,
        actor: str = "assistant",
        turn: int | None = None,
        free_text: bool = False,
    ) -> Event:
        """A tool invocation. Its call id is the recorded one, made unique where that is empty or used again.

        Arguments given as text are decoded, unless the tool takes free text.
        """
        event = Event(
            actor,
            "calls",
            target=target,
            arguments=arguments if free_text else self._arguments(arguments),
            call_id=self._unique(id),
            turn=turn,
            recorded=True,
        )
        self.events.append(event)
        return event

    def result(
        self,
        call: Event | None,
        content: Any,
        *,
        raw: str | None = None,
        failed: bool | None = None,
        target: str | None = None,
        id: str | None = None,
    ) -> Event:
        """A tool's answer. `failed` None: the format does not say. `target` and `id` count only without a call."""
        if raw is None and isinstance(content, str):
            content, raw = decode_result(content)
        status = None if failed is None else "error" if failed else "ok"
        event = Event(
            "tool",
            "responds",
            target=target,
            content=content,
            has_content=True,
            status=status,
            call_id=id,
            raw=raw,
            recorded=True,
        )
        self.events.append(event)
        if call is not None:
            link(call, event)
        return event

    def trace(self, format: str) -> Trace:
        return Trace(self.events, unread=self.unread, format=format)

    def _arguments(self, recorded: Any) -> Any:
        if not isinstance(recorded, str):
            return recorded
        if not recorded.strip():
            return None
        try:
            value = loads(recorded)
        except JsonError:
            self.miss(NOT_JSON)
            return recorded
        return None if isinstance(value, str) and not value.strip() else value

    def _unique(self, recorded: str | None) -> str:
        base = recorded or "call"
        name = base if recorded else f"{base}#1"
        while name in self._used:
            number = self._names.get(base, 1) + 1
            self._names[base] = number
            name = f"{base}#{number}"
        self._used.add(name)
        return name


class Links:
    """Which call a result answers, where call ids may be empty, repeated, or of no call at all.

    A step is a batch of calls with no result or message between them. A result looks for its call in the current step
    (by id; without an id by name, else by position), then takes the nearest earlier call with its id. A result
    recorded before its call waits until `finish`.
    """

    __slots__ = (
        "_answered",
        "_by_id",
        "_by_name",
        "_calls",
        "_closed",
        "_in_order",
        "_latest",
        "_waiting",
        "_without_id",
    )

    def __init__(self) -> None:
        self._latest: dict[str, Event] = {}
        self._calls: list[tuple[str | None, Event]] = []
        self._answered: set[Event] = set()
        self._waiting: list[tuple[str, Event]] = []
        self._closed = False
        self._open_step()

    def _open_step(self) -> None:
        self._by_id: dict[str, deque[Event]] = {}
        self._by_name: dict[str, deque[Event]] = {}
        self._in_order: deque[Event] = deque()
        self._without_id: deque[Event] = deque()
        self._closed = False

    def add(self, call: Event, id: str | None) -> None:
        """A call, with its id as recorded."""
        if self._closed:
            self._open_step()
        self._calls.append((id, call))
        self._in_order.append(call)
        self._by_name.setdefault(call.target or "", deque()).append(call)
        if id:
            self._by_id.setdefault(id, deque()).append(call)
            self._latest[id] = call
        else:
            self._without_id.append(call)

    def knows(self, id: str | None) -> bool:
        """Whether a call with this id was recorded."""
        return id in self._latest

    def close_step(self) -> None:
        """The next call begins a step."""
        self._closed = True

    def find(self, id: str | None, name: str | None) -> Event | None:
        """The call that a result with this id (or name) answers."""
        self._closed = True
        if id:
            call = self._next(self._by_id.get(id)) or self._latest.get(id) or self._next(self._without_id)
        elif name:
            call = self._next(self._by_name.get(name))
        else:
            call = self._next(self._in_order)
        if call is not None:
            self._answered.add(call)
        return call

    def wait(self, id: str | None, result: Event) -> None:
        """A result for which no call was found (yet)."""
        self._waiting.append((id or "", result))

    def finish(self) -> int:
        """Join the waiting results with calls recorded after them; how many are left without one."""
        later: dict[str, deque[Event]] = {}
        for id, call in self._calls if self._waiting else ():
            if id and call not in self._answered:
                later.setdefault(id, deque()).append(call)
        alone = 0
        for id, result in self._waiting:
            calls = later.get(id)
            if calls:
                link(calls.popleft(), result)
            else:
                alone += 1
        self._waiting = []
        return alone

    def _next(self, calls: deque[Event] | None) -> Event | None:
        while calls:
            if calls[0] not in self._answered:
                return calls[0]
            calls.popleft()
        return None


def link(call: Event, result: Event) -> None:
    """Say that a result answers a call; the outcome then is the call's too."""
    result.target = call.target
    result.call_id = call.call_id
    result.turn = call.turn
    if result.status is not None:
        call.status = result.status


def decode_result(text: str) -> tuple[Any, str | None]:
    """A tool result's content and its raw text: decoded only where the whole text is a JSON object or array."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            return loads(text), text
        except JsonError:
            pass
    return text, None
