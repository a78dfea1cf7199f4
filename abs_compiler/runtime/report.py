"""The text report of a verdict: every behavior with the event that matched it, every evaluation with its place, event
and reason, then the one step to blame."""

from __future__ import annotations

from .values import printable, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .evaluate import CheckResult
    from .verdict import Verdict

_WORDS = {
    "matched": "ok",
    "unmatched": "MISSING",
    "skipped": "skipped",
    "undecided": "open",
    "unobserved": "unseen",
}
_CHECK_WORDS = {"passed": "ok", "failed": "FAILED", "inconclusive": "open", "skipped": "skipped"}
MAX_TITLE = 60


def report(verdict: Verdict) -> str:
    """Plain text, one line a behavior; ends without a line break."""
    lines = [f"{verdict.status}: {verdict.session}"]
    steps = verdict.steps
    width = min(MAX_TITLE, max((len(step.title) for step in steps), default=0))
    number_width = len(str(len(steps)))
    blame = verdict.blame if verdict.status == "failed" else None
    for step in steps:
        where = "" if step.event is None else f"event #{step.event}"
        head = f"  {_WORDS[step.state]:<8} {step.index + 1:>{number_width}}  {step.title:<{width}}  {where}"
        lines.append(head.rstrip())
        if blame is not None and blame.step == step.index:
            lines[-1] = f"{lines[-1]}".rstrip() + f"  at {verdict.path}:{step.at[0]}:{step.at[1]}"
            lines += [f"           {' ' * number_width}{line}" for line in blame.lines]
        for result in verdict.checks:
            if result.behavior == step.index:
                lines += _check_lines(result, 11 + number_width, verdict.path)
    if blame is not None and blame.step is None:
        lines += [f"  {line}" for line in blame.lines]
    for result in verdict.checks:
        if result.behavior is None:
            lines += _check_lines(result, 2, verdict.path)
    if verdict.status == "inconclusive":
        lines += [f"  because {reason}" for reason in verdict.reasons]
    else:
        lines += [f"  note: {words}" for words in verdict.unread]
    return "\n".join(map(printable, lines))


def _check_lines(result: CheckResult, indent: int, path: str) -> list[str]:
    """One line an evaluation, its parts indented below it; the whole place where there is something to look up."""
    line, column = result.check.at
    place = f"{path}:{line}:{column}" if result.state in ("failed", "inconclusive") else f"{line}:{column}"
    event = "" if result.outcome.event is None else f", event #{result.outcome.event}"
    reason = f": {result.reason}" if result.reason else ""
    text = f"{' ' * indent}{_CHECK_WORDS[result.state]:<8} {result.check.name} ({place}{event}){reason}"
    parts = [part for child in result.children for part in _check_lines(child, indent + 2, path)]
    return [text, *_request_lines(result, indent + 9), *parts]


def _request_lines(result: CheckResult, indent: int) -> list[str]:
    """What a judge would have to decide, where none has."""
    request = result.outcome.request
    if request is None or result.state != "inconclusive":
        return []
    texts = {name: getattr(request, name) for name in ("criteria", "query", "context", "response")}
    lines = [f"{name}: {show(text)}" for name, text in texts.items() if text is not None]
    return [f"{' ' * indent}{line}" for line in (*lines, f"threshold: {request.threshold:g}")]
