"""Deferred evaluations: what a judge is asked, and what its answer means.

A judge is a callable that takes a `JudgeRequest` and returns a score in [0, 1] or a bool, alone or with a reason
(`(score, reason)` or `{"score": ..., "reason": ...}`); it may be asynchronous. One that raises or returns anything
else makes its check inconclusive, and nothing more.
"""

from __future__ import annotations

from .outcome import FAILED, INCONCLUSIVE, PASSED, Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .program import Program

    Judge = Callable[["JudgeRequest"], Any]

DEFAULT_THRESHOLD = 0.5


class JudgeRequest:
    """One deferred evaluation, ready to be judged. `rule` is its type (`llm_judge`, `Groundedness`, `custom`, ...);
    `query`, `context` and `response` are texts or None; `event` the matched event (None at session level) and
    `events` the whole trace, as ABS dictionaries; `behavior` the index, `behavior_id` the id of the behavior."""

    __slots__ = (
        "_events",
        "adapter",
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
        answer = _settled(judge(request))
    except Exception as error:
        text = f"the judge raised {type(error).__name__}: {error}"
        return Outcome(INCONCLUSIVE, text[:500], event=event, request=request)
    return _verdict(answer, request, event)


def text_judge(program: Program, judge: Judge, failures: list[str]) -> Callable[[int, str, str], bool]:
    """A decider of judged `matches_when` tests that asks the judge once for each behavior and text. Where the judge
    raises or returns nonsense the text is counted out and the reason is added to `failures`."""
    known: dict[tuple[int, str, str], bool] = {}

    def decide(index: int, criteria: str, text: str) -> bool:
        if (index, criteria, text) not in known:
            behavior = program.behaviors[index]
            request = JudgeRequest(
                list,
                "llm_judge",
                DEFAULT_THRESHOLD,
                program.session,
                criteria=criteria,
                behavior=index,
                behavior_id=behavior.id,
                response=text,
            )
            outcome = ask(judge, request, None)
            if outcome.state == INCONCLUSIVE:
                failures.append(f"`matches_when` of step {index + 1}: {outcome.reason}")
            known[index, criteria, text] = outcome.state == PASSED
        return known[index, criteria, text]

    return decide


def _verdict(answer: Any, request: JudgeRequest, event: int | None) -> Outcome:
    score, reason = answer, ""
    if isinstance(answer, tuple) and len(answer) == 2:
        score, reason = answer
    elif isinstance(answer, dict) and "score" in answer and answer.keys() <= {"score", "reason"}:
        score, reason = answer["score"], answer.get("reason") or ""
    if isinstance(score, bool):
        score = 1.0 if score else 0.0
    elif not isinstance(score, int | float) or not 0 <= score <= 1:
        text = f"the judge returned {answer!r:.200}, not a score from 0 to 1 or a bool"
        return Outcome(INCONCLUSIVE, text, event=event, request=request)
    held = score >= request.threshold
    text = f"score {score:g}, threshold {request.threshold:g}" + (f": {reason}" if reason else "")
    return Outcome(PASSED if held else FAILED, text, event=event, low=score, high=score, request=request)


def _settled(answer: Any) -> Any:
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
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, wait()).result()
