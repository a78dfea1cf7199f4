"""Deferred evaluations: what a judge is asked, and what its answer means.

A judge is a callable that takes a `JudgeRequest` and returns a score in [0, 1] or a bool, alone or with a reason
(`(score, reason)` or `{"score": ..., "reason": ...}`); it may be asynchronous. One that raises or returns anything
else makes its check inconclusive, and nothing more.
"""

from __future__ import annotations

from .outcome import FAILED, INCONCLUSIVE, PASSED, Outcome, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    Judge = Callable[["JudgeRequest"], Any]

DEFAULT_THRESHOLD = 0.5
MAX_WORDS = 300


class JudgeRequest:
    """One deferred evaluation, ready to be judged. `rule` is its type (`llm_judge`, `Groundedness`, `custom`, ...);
    `query`, `context` and `response` are texts or None; `event` the matched event (None at session level) and
    `events` the whole trace, as ABS dictionaries; `behavior` the index, `behavior_id` the id of the behavior; `at` the
    place of the evaluation in the spec (line, column)."""

    __slots__ = (
        "_events",
        "adapter",
        "at",
        "behavior",
        "behavior_id",
        "context",
        "criteria",
        "dataset",
        "event",
        "id",
        "prompt",
        "query",
        "response",
        "rule",
        "session",
        "threshold",
    )

    def __init__(
        self,
        events: Callable[[], list[dict[str, Any]]],
        rule: str,
        threshold: float,
        session: str,
        *,
        at: tuple[int, int],
        id: str | None = None,
        criteria: str | None = None,
        behavior: int | None = None,
        behavior_id: str | None = None,
        event: dict[str, Any] | None = None,
        query: str | None = None,
        context: str | None = None,
        response: str | None = None,
        adapter: str | None = None,
        dataset: str | None = None,
        prompt: str | None = None,
    ) -> None:
        self._events = events
        self.rule = rule
        self.threshold = threshold
        self.session = session
        self.at = at
        self.id = id
        self.criteria = criteria
        self.behavior = behavior
        self.behavior_id = behavior_id
        self.event = event
        self.query = query
        self.context = context
        self.response = response
        self.adapter = adapter
        self.dataset = dataset
        self.prompt = prompt

    @property
    def events(self) -> list[dict[str, Any]]:
        return self._events()

    def to_dict(self) -> dict[str, Any]:
        """All fields but the whole trace."""
        return {name: getattr(self, name) for name in self.__slots__[1:]}


def ask(judge: Judge | None, request: JudgeRequest, event: int | None) -> Outcome:
    """The outcome of a deferred evaluation. Without a judge it is inconclusive."""
    if judge is None:
        return Outcome(INCONCLUSIVE, f"`{request.rule}` needs a judge", event=event, request=request)
    try:
        answer = settled(judge(request))
    except Exception as error:
        text = f"the judge raised {type(error).__name__}: {_words(error)}"
        return Outcome(INCONCLUSIVE, text, event=event, request=request)
    return _verdict(answer, request, event)


def _verdict(answer: Any, request: JudgeRequest, event: int | None) -> Outcome:
    score, reason = answer, None
    if isinstance(answer, tuple) and len(answer) == 2:
        score, reason = answer
    elif isinstance(answer, dict) and "score" in answer and answer.keys() <= {"score", "reason"}:
        score, reason = answer["score"], answer.get("reason")
    value = _score(score)
    if value is None or not (reason is None or isinstance(reason, str)):
        text = f"the judge returned {_words(answer)}, not a score from 0 to 1 or a bool, alone or with a reason"
        return Outcome(INCONCLUSIVE, text, event=event, request=request)
    text = f"score {number(value)}, threshold {number(request.threshold)}" + (f": {reason}" if reason else "")
    state = PASSED if value >= request.threshold else FAILED
    return Outcome(state, text, event=event, low=value, high=value, request=request)


def _score(score: Any) -> float | None:
    """A score as a number from 0 to 1, or None. The number types of other libraries count, texts do not."""
    if isinstance(score, str | bytes) or not hasattr(score, "__float__"):
        return None
    try:
        value = float(score)
    except Exception:
        return None
    return value if 0 <= value <= 1 else None


def _words(value: Any) -> str:
    """A short text of anything at all."""
    try:
        text = str(value) if isinstance(value, BaseException) else repr(value)
    except Exception:
        return f"<{type(value).__name__}>"
    return text if len(text) <= MAX_WORDS else f"{text[:MAX_WORDS]}…"


def settled(answer: Any) -> Any:
    """The value of an answer that may have to be awaited; on a thread of its own where a loop already runs here."""
    if not hasattr(answer, "__await__"):
        return answer
    import asyncio

    async def wait() -> Any:
        return await answer

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(wait())
    return _on_a_thread(wait)


def _on_a_thread(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a coroutine function to its end in a loop of its own. The thread is a daemon, so that an interrupt here
    ends the waiting at once, whatever the judge is doing."""
    import asyncio
    import contextvars
    import threading

    answers: list[Any] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(asyncio.run(work()))
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=contextvars.copy_context().run, args=(run,), name="judge", daemon=True)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]
    return answers[0]
