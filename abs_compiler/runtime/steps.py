"""Step checks: one evaluation against the event a behavior matched.

`exact_match`, `schema` and `contains`/`regex` look at the event's content; an Execution event without content is
looked at through its arguments. `contains` and `regex` see the raw text of a decoded tool result, else a text, else
the JSON text of a scalar; arrays and objects have no text.
"""

from __future__ import annotations

from .errors import BindError
from .mismatch import argument_mismatches
from .outcome import FAILED, INCONCLUSIVE, Outcome, decided
from .templates import ResolvedArguments, UnsourcedError, resolve
from .values import as_text, json_equal, show
from .vocabulary import CATEGORY_OF
from .when import WhenError, evaluate_when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .checks import Check
    from .events import Event
    from .targets import TargetNames

    Lookup = Callable[[str], Any]


def observed_value(event: Event) -> tuple[bool, Any]:
    """Whether there is something to look at, and what: the content, or the arguments of an Execution event."""
    if event.has_content and not (event.content is None and not event.raw and event.action != "responds"):
        return True, event.content
    known = event.category if event.action is None else CATEGORY_OF.get(event.action)
    if known == "execution":
        return True, event.arguments or {}
    return False, None


def observed_text(event: Event) -> str | None:
    """The text of an event, or None where it has none."""
    if event.raw is not None:
        return event.raw
    there, value = observed_value(event)
    if not there or value.__class__ in (dict, list):
        return None
    return as_text(value)


def step_outcome(check: Check, event: Event, number: int, lookup: Lookup, names: TargetNames) -> Outcome:
    """The outcome of a deterministic step check (compositions and deferred checks are taken apart by the caller)."""
    try:
        if check.type == "tool_call":
            return _tool_call(check, event, number, lookup, names)
        if check.type == "exact_match":
            return _exact_match(resolve(check.fields["value"], lookup)[1], event, number)
        if check.type == "contains":
            return _contains(text_value(check.fields["value"], lookup), event, number)
        if check.type == "regex":
            return _regex(pattern_text(check.fields["pattern"], lookup), event, number)
        return _schema(resolve(check.fields["schema"], lookup)[1], event, number)
    except UnsourcedError as missing:
        return Outcome(INCONCLUSIVE, f"`{missing.name}` has no value here", event=number)


def text_value(template: Any, lookup: Lookup) -> str:
    """A value where text is needed: a whole placeholder gives text. ValueError for a structure."""
    return as_text(resolve(template, lookup)[1])


def pattern_text(template: Any, lookup: Lookup) -> str:
    """A pattern, with bound values inserted escaped. ValueError for a structure."""
    tag, body = template
    if tag == "=":
        return str(body)
    parts = [template] if tag == "ref" else body
    return "".join(part if isinstance(part, str) else _escaped(as_text(lookup(part[1]))) for part in parts)


def _escaped(text: str) -> str:
    """A text as a pattern that matches just it."""
    return "".join(
        char if char.isalnum() or not char.isascii() else f"\\x{ord(char):02x}" if char < " " else f"\\{char}"
        for char in text
    )


def check_values(check: Check, lookup: Lookup) -> None:
    """Resolve every value of a check once. Raises BindError where a bound value does not fit its place, or a `when`
    has no truth value; values that only a run can supply are left alone."""
    for child in check.children:
        check_values(child, lookup)
    where = f"`{check.name}` at {check.at[0]}:{check.at[1]}"
    try:
        if check.when is not None and not evaluate_when(check.when, lookup):
            return
        fields = check.fields
        for name in ("value", "criteria"):
            if fields.get(name) is not None:
                resolve(fields[name], lookup)
        if check.type == "contains":
            text_value(fields["value"], lookup)
        if check.type == "regex":
            pattern_text(fields["pattern"], lookup)
        if check.type == "schema":
            from .schemas import schema_check

            schema_check(resolve(fields["schema"], lookup)[1])
        for constraint in fields.get("args", ()):
            ResolvedArguments(constraint, lookup)
    except UnsourcedError:
        return
    except WhenError as error:
        raise BindError(f"`when` of {where}: {error}") from None
    except ValueError as error:
        raise BindError(f"{where}: {error}") from None


def _exact_match(expected: Any, event: Event, number: int) -> Outcome:
    there, value = observed_value(event)
    if not there:
        return Outcome(FAILED, f"expected {show(expected)}, observed no content", event=number)
    return decided(json_equal(value, expected), f"expected {show(expected)}, observed {show(value)}", number)


def _contains(expected: str, event: Event, number: int) -> Outcome:
    text = observed_text(event)
    if text is None:
        return Outcome(FAILED, f"expected text with {show(expected)}, observed {_what(event)}", event=number)
    holds = expected.casefold() in text.casefold()
    return decided(holds, f"expected text with {show(expected)}, observed {show(text)}", number)


def _regex(pattern: str, event: Event, number: int) -> Outcome:
    from .patterns import compile_pattern

    text = observed_text(event)
    if text is None:
        return Outcome(FAILED, f"expected text that matches /{pattern}/, observed {_what(event)}", event=number)
    holds = compile_pattern(pattern).test(text)
    return decided(holds, f"expected text that matches /{pattern}/, observed {show(text)}", number)


def _schema(schema: Any, event: Event, number: int) -> Outcome:
    from .schemas import schema_check

    there, value = observed_value(event)
    if not there:
        return Outcome(FAILED, "no content to hold against the schema", event=number)
    outcome = schema_check(schema)(value)
    outcome.event = number
    return outcome


def _tool_call(check: Check, event: Event, number: int, lookup: Lookup, names: TargetNames) -> Outcome:
    target = check.fields["target"]
    if not names.matches(target, event.target):
        return Outcome(FAILED, f"expected target {show(target)}, observed {show(event.target)}", event=number)
    rows = [
        str(row)
        for constraint in check.arguments
        for row in argument_mismatches(ResolvedArguments(constraint, lookup), event.arguments)
    ]
    return decided(not rows, "; ".join(rows) or "the call satisfies it", number)


def _what(event: Event) -> str:
    there, value = observed_value(event)
    return show(value) if there else "no content"
