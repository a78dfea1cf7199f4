"""Step checks: one evaluation against the event a behavior matched.

`exact_match`, `schema` and `contains`/`regex` look at the event's content; an Execution event without content is
looked at through its arguments. `contains` and `regex` see the raw text of a decoded tool result, else a text, else
the JSON text of a scalar; arrays and objects have no text.
"""

from __future__ import annotations

import json

from .errors import BindError
from .mismatch import argument_mismatches
from .outcome import FAILED, INCONCLUSIVE, Outcome, decided
from .templates import ResolvedArguments, UnsourcedError, is_blank, resolve
from .values import as_text, json_equal, kind_of, show
from .vocabulary import CATEGORY_OF, is_result
from .when import WhenError, evaluate_when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .checks import Check
    from .events import Event
    from .targets import TargetNames

    Lookup = Callable[[str], Any]

MAX_ROWS = 5
LONG = 2000


def observed_value(event: Event) -> tuple[str | None, Any]:
    """What there is to look at, and its value: the content, or of an Execution event without any its arguments
    ("with"); None where there is nothing."""
    if event.has_content and (event.content is not None or is_result(event.actor, event.action)):
        return "content", event.content
    known = event.category if event.action is None else CATEGORY_OF.get(event.action)
    if known != "execution":
        return None, None
    return "with", {} if event.arguments is None or is_blank(event.arguments) else event.arguments


def observed_text(event: Event) -> str | None:
    """The text of an event, or None where it has none: the raw text of a decoded result, a text, or the JSON text of
    another scalar."""
    if event.raw is not None:
        return event.raw
    there, value = observed_value(event)
    if there is None:
        return None
    try:
        return as_text(value)
    except ValueError:
        return None


def judged_text(event: Event) -> str | None:
    """The text of an event for a judge: its text, or the JSON text of an array or object."""
    text = observed_text(event)
    there, value = observed_value(event) if text is None else (None, None)
    if there is None:
        return text
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return None


def step_outcome(check: Check, event: Event, number: int, lookup: Lookup, names: TargetNames) -> Outcome:
    """The outcome of a deterministic step check (compositions and deferred checks are taken apart by the caller).

    A value that has no source or does not fit its place leaves the check inconclusive."""
    fields = check.fields
    try:
        if check.type == "tool_call":
            return _tool_call(check, event, number, lookup, names)
        if check.type == "exact_match":
            return _exact_match(resolve(fields["value"], lookup)[1], event, number)
        if check.type == "contains":
            return _contains(text_value(fields["value"], lookup), event, number)
        if check.type == "regex":
            return _regex(pattern_text(fields["pattern"], lookup), event, number)
        return _schema(check, event, number, lookup)
    except UnsourcedError as missing:
        return Outcome(INCONCLUSIVE, f"`{missing.name}` has no value here", event=number)
    except (BindError, ValueError) as error:
        return Outcome(INCONCLUSIVE, str(error), event=number)


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
    where = f"`{check.name}` at {check.at[0]}:{check.at[1]}"
    try:
        if check.when is not None and not evaluate_when(check.when, lookup):
            return
    except UnsourcedError:
        return
    except WhenError as error:
        raise BindError(f"`when` of {where}: {error}") from None
    for child in check.children:
        check_values(child, lookup)
    fields = check.fields
    try:
        for field in ("value", "pattern", "schema", "criteria"):
            template = fields.get(field)
            if template is not None and template[0] != "=":  # constants were checked when they were compiled
                _check_value(check, field, template, lookup)
        for constraint in fields.get("args", ()):
            ResolvedArguments(constraint, lookup)
    except UnsourcedError:
        return
    except (BindError, ValueError) as error:
        raise BindError(f"{where}: {error}") from None


def _check_value(check: Check, field: str, template: Any, lookup: Lookup) -> None:
    if field == "pattern":
        from .patterns import compile_pattern

        compile_pattern(pattern_text(template, lookup))
    elif field == "schema":
        _compiled_schema(check, lookup)
    elif field == "criteria" or check.type == "contains":
        text_value(template, lookup)
    else:
        resolve(template, lookup)


def _exact_match(expected: Any, event: Event, number: int) -> Outcome:
    there, value = observed_value(event)
    if there is None:
        return Outcome(FAILED, lambda: f"expected {show(expected)}, observed no content", event=number)
    if json_equal(value, expected):
        return decided(True, lambda: f"observed {show(value)}", number)
    return decided(False, lambda: _difference(expected, value), number)


def _difference(expected: Any, value: Any) -> str:
    wanted, seen = show(expected), show(value)
    if kind_of(expected) != kind_of(value):
        wanted, seen = f"{wanted} ({kind_of(expected)})", f"{seen} ({kind_of(value)})"
    elif wanted == seen:  # they differ where the short texts were cut
        wanted, seen = show(expected, LONG), show(value, LONG)
    return f"expected {wanted}, observed {seen}"


def _contains(expected: str, event: Event, number: int) -> Outcome:
    text = observed_text(event)
    if text is None:
        return Outcome(FAILED, lambda: f"expected text with {show(expected)}, observed {_what(event)}", event=number)
    if expected.casefold() in text.casefold():
        return decided(True, lambda: f"{show(expected)} is in {show(text)}", number)
    return decided(False, lambda: f"expected text with {show(expected)}, observed {show(text)}", number)


def _regex(pattern: str, event: Event, number: int) -> Outcome:
    from .patterns import compile_pattern

    search = compile_pattern(pattern).search
    text = observed_text(event)
    if text is None:
        return decided(False, lambda: f"expected text that matches /{pattern}/, observed {_what(event)}", number)
    found = search(text)
    if found is None:
        return decided(False, lambda: f"{show(text)} is no Unicode text, so /{pattern}/ cannot match it", number)
    if found:
        return decided(True, lambda: f"/{pattern}/ matches {show(text)}", number)
    return decided(False, lambda: f"expected text that matches /{pattern}/, observed {show(text)}", number)


def _schema(check: Check, event: Event, number: int, lookup: Lookup) -> Outcome:
    validate = _compiled_schema(check, lookup)
    there, value = observed_value(event)
    if there is None:
        return Outcome(FAILED, "no content to hold against the schema", event=number)
    outcome = validate(value, there)
    outcome.event = number
    return outcome


def _compiled_schema(check: Check, lookup: Lookup) -> Callable[..., Outcome]:
    """The validator of a schema check; kept with the check where the schema holds no references."""
    template = check.fields["schema"]
    if template[0] == "=" and check.compiled is not None:
        kept: Callable[..., Outcome] = check.compiled
        return kept
    from .schemas import schema_check

    validate = schema_check(resolve(template, lookup)[1])
    if template[0] == "=":
        check.compiled = validate
    return validate


def _tool_call(check: Check, event: Event, number: int, lookup: Lookup, names: TargetNames) -> Outcome:
    target = check.fields["target"]
    if not names.matches(target, event.target):
        return Outcome(FAILED, f"expected target {show(target)}, observed {show(event.target)}", event=number)
    rows = [
        str(row)
        for constraint in check.arguments
        for row in argument_mismatches(ResolvedArguments(constraint, lookup), event.arguments)
    ]
    if rows:
        return decided(False, "; ".join(rows[:MAX_ROWS]), number)
    return decided(True, lambda: f"{event.target or 'the call'} with {show(event.arguments or {})}", number)


def _what(event: Event) -> str:
    there, value = observed_value(event)
    return "no content" if there is None else f"{show(value)} ({kind_of(value)})"
