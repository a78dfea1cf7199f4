"""Bounds on work, the same in every run.

Deciding sets can take long for contrived predicates. So work is counted (in small steps, not in seconds). A question
that needs more than its allowance ends in OutOfWorkError, and whoever asked does without the answer. Many questions
together have a budget; beyond it, OutOfBudgetError passes through all of them to whoever set it. Answers are remembered
together with what they cost, and a remembered answer costs as much as a new one: what was asked before never changes an
answer.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Hashable, Iterator
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class OutOfWorkError(Exception):
    """A question needs more work than it is allowed."""


class OutOfBudgetError(Exception):
    """Many questions together need more work than they are allowed. No question may catch it."""


class _Account(threading.local):
    spent = 0
    limit: float = float("inf")
    budget: float = float("inf")


_account = _Account()


def spend(steps: int) -> None:
    """Count some steps of work; OutOfWorkError beyond the allowance, OutOfBudgetError beyond the budget."""
    _account.spent += steps
    if _account.spent > _account.budget:
        raise OutOfBudgetError
    if _account.spent > _account.limit:
        raise OutOfWorkError


@contextlib.contextmanager
def allowance(steps: int) -> Iterator[None]:
    """Allow so many steps inside; never more than what is left outside."""
    outer = _account.limit
    _account.limit = min(outer, _account.spent + steps)
    try:
        yield
    finally:
        _account.limit = outer


@contextlib.contextmanager
def budget(steps: int) -> Iterator[Callable[[], int]]:
    """Allow so many steps for all questions inside; never more than what is left outside. Gives how many were spent."""
    outer, before = _account.budget, _account.spent
    _account.budget = min(outer, before + steps)
    try:
        yield lambda: _account.spent - before
    finally:
        _account.budget = outer


@contextlib.contextmanager
def unbounded() -> Iterator[None]:
    """Allow whatever it takes inside, for what must be answered."""
    outer = _account.limit, _account.budget
    _account.limit = _account.budget = float("inf")
    try:
        yield
    finally:
        _account.limit, _account.budget = outer


def is_bounded() -> bool:
    """Whether an allowance holds."""
    return _account.limit != float("inf")


def remembered(size: int, failure: type[Exception] | tuple[()] = ()) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Remember the latest answers of a function, and its failures of one kind, with what they cost."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        answers: dict[Hashable, tuple[Any, Exception | None, int]] = {}

        def keep(key: Hashable, answer: Any, error: Exception | None, cost: int) -> None:
            if len(answers) >= size:
                for old in list(answers)[: size // 4]:
                    answers.pop(old, None)
            answers[key] = (answer, error, cost)

        @functools.wraps(function)
        def ask(*args: P.args, **kwargs: P.kwargs) -> R:
            key = (args, tuple(sorted(kwargs.items())) if kwargs else ())
            known = answers.get(key)
            if known is not None:
                answer, error, cost = known
                spend(cost)
                if error is not None:
                    raise error
                return answer  # type: ignore[no-any-return]
            before = _account.spent
            try:
                answer = function(*args, **kwargs)
            except failure as found:
                keep(key, None, found.with_traceback(None), _account.spent - before)
                raise
            keep(key, answer, None, _account.spent - before)
            return answer

        return ask

    return decorate
