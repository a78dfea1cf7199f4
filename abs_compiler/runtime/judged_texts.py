"""Sessions in which a judge says whether texts match (`matches_when` of type `llm_judge`).

Takes a plan, a sequence and a judge or None; gives the verdict. A question is one behavior's criteria and one text,
asked once. What no judge answers is taken both ways: where every combination of answers gives one status, that is the
status; else the session is inconclusive.
"""

from __future__ import annotations

from .decision import decide
from .judging import DEFAULT_THRESHOLD, JudgeRequest, ask, settled
from .outcome import FAILED, INCONCLUSIVE, PASSED
from .verdict import conclude

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .judging import Judge
    from .plan import Plan
    from .program import Program
    from .sequence import Sequence
    from .verdict import Verdict

    Question = tuple[int, str, str]

MAX_COMBINATIONS = 64


class Answers:
    """What is known and what is assumed; state: the questions asked so far."""

    def __init__(self, program: Program, judge: Judge | None) -> None:
        self._program = program
        self.judge = None if judge is None else _once(judge)
        self._known: dict[Question, bool] = {}
        self.open: dict[Question, str] = {}
        """The questions without an answer, with the reason."""
        self.requests: list[JudgeRequest] = []
        self.assumed: dict[Question, bool] = {}

    def __call__(self, index: int, criteria: str, text: str) -> bool:
        question = (index, criteria, text)
        known = self._known.get(question)
        if known is not None:
            return known
        if question not in self.open and self._ask(question):
            return self._known[question]
        return self.assumed.setdefault(question, True)

    def _ask(self, question: Question) -> bool:
        """Ask the judge; whether it answered."""
        index, criteria, text = question
        behavior = self._program.behaviors[index]
        request = JudgeRequest(
            list,
            "llm_judge",
            DEFAULT_THRESHOLD,
            self._program.session,
            at=behavior.at,
            criteria=criteria,
            behavior=index,
            behavior_id=behavior.id,
            response=text,
        )
        self.requests.append(request)
        outcome = ask(self.judge, request, None)
        if outcome.state == INCONCLUSIVE:
            self.open[question] = f"`matches_when` of step {index + 1}: {outcome.reason}"
            return False
        self._known[question] = outcome.state == PASSED
        return True


def verdict_of(plan: Plan, sequence: Sequence, judge: Judge | None) -> Verdict:
    """The verdict on a sequence. Raises TraceError for a malformed event."""
    answers = Answers(plan.program, judge)
    pending: list[dict[Question, bool]] = [{}]
    first: Verdict | None = None
    for _ in range(MAX_COMBINATIONS):
        prefix = pending.pop()
        answers.assumed = dict(prefix)
        verdict = conclude(decide(plan.judged_by(answers), sequence), answers.judge)
        if first is None:
            first = verdict
            if verdict.lacks_required:
                break  # with fewer texts matching, what is required cannot match either
        elif verdict.status != first.status:
            return (verdict if first.status == FAILED else first).doubted(_reason(answers), answers.requests)
        taken = list(answers.assumed.items())
        for count in range(len(prefix), len(taken)):
            pending.append({**dict(taken[:count]), taken[count][0]: False})
        if not pending:
            break
    else:
        assert first is not None
        return first.doubted(_reason(answers), answers.requests)
    return first.asked(answers.requests)


def _once(judge: Judge) -> Judge:
    """The judge, asked once for each request, however many combinations are tried."""
    answers: list[tuple[dict[str, Any], Any]] = []

    def judged(request: JudgeRequest) -> Any:
        wanted = request.to_dict()
        for known, answer in answers:
            if known == wanted:
                return answer
        answer = settled(judge(request))
        answers.append((wanted, answer))
        return answer

    return judged


def _reason(answers: Answers) -> str:
    reasons = list(dict.fromkeys(answers.open.values()))
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    return f"{reasons[0]}{more}"
