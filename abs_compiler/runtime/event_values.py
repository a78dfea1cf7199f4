"""Are the values of events JSON? Those of recorded runs are; events made in memory may hold anything.

To look through all values would cost more than the matching, so this is asked where a verdict is no pass, or where
something broke, and of events whose values something looks at: no value that is not JSON satisfies a test, so that only
then the answer matters.
"""

from __future__ import annotations

from .errors import TraceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TEXT = frozenset((str,))
_PLAIN = frozenset((str, int, bool, type(None)))
_MOST_STEPS = 12  # of a path that is told


def refuse_other_than_json(indices: list[int], arguments: list[Any], contents: list[Any]) -> None:
    """Raise TraceError for the first event with a value that is not JSON, or with a key that is no text. Given are the
    indices of events, their arguments and their contents."""
    if _all_json([arguments, contents]):
        return
    for index, *values in zip(indices, arguments, contents, strict=True):
        for key, value in zip(("with", "content"), values, strict=True):
            problem = _problem(value, (key,))
            if problem is not None:
                raise TraceError(f"events[{index}]: {problem}")


def _all_json(pending: list[Any]) -> bool:
    """Whether values are JSON; quickly, without telling where one is not."""
    seen: set[int] = set()
    while pending:
        item = pending.pop()
        kind = item.__class__
        if kind is dict:
            if not _TEXT.issuperset(map(type, item)):
                return False
            inner = item.values()
        elif kind is list:
            inner = item
        elif kind is float and item - item == 0:
            continue
        else:
            return False
        if not _PLAIN.issuperset(map(type, inner)) and id(item) not in seen:
            seen.add(id(item))
            pending.extend([one for one in inner if one.__class__ not in _PLAIN])
    return True


def _problem(value: Any, path: tuple[Any, ...]) -> str | None:
    """What is wrong in a value, and where. Containers that are there several times, or hold themselves, are looked at
    once."""
    seen: set[int] = set()
    # A path is kept as a chain of its last step and the rest, so that deep values cost no more than wide ones.
    pending: list[tuple[Any, Any]] = [(value, path)]
    while pending:
        item, at = pending.pop()
        kind = item.__class__
        if kind is dict or kind is list:
            if id(item) in seen:
                continue
            seen.add(id(item))
        if kind is dict:
            for key, inner in item.items():
                if key.__class__ is not str:
                    return f"`{_text(at)}` has a key of the type {key.__class__.__name__}; keys are texts in JSON"
                if inner.__class__ not in _PLAIN:
                    pending.append((inner, (key, at)))
        elif kind is list:
            pending.extend((inner, (index, at)) for index, inner in enumerate(item) if inner.__class__ not in _PLAIN)
        elif kind is float:
            if item - item != 0:
                return f"`{_text(at)}` is {item}, which is no number in JSON"
        elif kind not in _PLAIN:
            advice = "; make it a list" if kind in (tuple, set, frozenset) else ""
            return f"`{_text(at)}` is of the type {kind.__name__}, which JSON does not have{advice}"
    return None


def _text(at: tuple[Any, ...]) -> str:
    from .schema_run import path_text  # only on the way to an error

    steps = []
    while len(at) == 2:
        step, at = at
        steps.append(step)
    steps.reverse()
    more = " and deeper" if len(steps) > _MOST_STEPS else ""
    return path_text(at[0], tuple(steps[:_MOST_STEPS])) + more
