"""Values for a spec's variables from the command line, the environment and the rows of a dataset.

A row's column wins over `--var` and `--var-json`, and those win over `ABS_VAR_name` in the environment.
"""

from __future__ import annotations

import os
from pathlib import Path

from abs_compiler.cli.dataset import Dataset, parse_json, read_dataset
from abs_compiler.cli.failure import CommandError
from abs_compiler.runtime.errors import BindError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Protocol

    from abs_compiler.runtime import Matcher

    class Named(Protocol):
        """A spec or an artifact: its file, and how messages call it."""

        @property
        def path(self) -> Path: ...
        @property
        def name(self) -> str: ...


ENVIRONMENT_PREFIX = "ABS_VAR_"


def given_values(texts: Sequence[str], jsons: Sequence[str]) -> dict[str, Any]:
    """The values of `--var NAME=TEXT` and `--var-json NAME=JSON`. Raises CommandError for a malformed one."""
    values: dict[str, Any] = {}
    for option, items in (("--var", texts), ("--var-json", jsons)):
        for item in items:
            name, equals, text = item.partition("=")
            if not equals or not name:
                raise CommandError(f"`{option} {item}`: write NAME=VALUE")
            if name in values:
                raise CommandError(f"a value for `{name}` is given more than once")
            values[name] = text if option == "--var" else parse_json(text, f"the value of `--var-json {name}`")
    return values


def refuse_unknown_names(given: Mapping[str, Any], matchers: Iterable[Matcher]) -> None:
    """Raise CommandError for a given value whose name no spec mentions: a typo must not pass."""
    known = sorted({name for matcher in matchers for name in matcher.names})
    for name in given:
        if name not in known:
            names = f"; the names are {', '.join(f'`{item}`' for item in known)}" if known else ""
            raise CommandError(f"no spec mentions a variable `{name}`{names}")


class BoundMatcher:
    """A session with all its values, and the row of the dataset (1-based) they come from, if any."""

    __slots__ = ("matcher", "row")

    def __init__(self, matcher: Matcher, row: int | None) -> None:
        self.matcher = matcher
        self.row = row


def bind_rows(
    matcher: Matcher,
    spec: Named,
    given: Mapping[str, Any],
    override: Dataset | None,
    filters: Sequence[tuple[str, str]] = (),
    bad_row: Callable[[str], None] | None = None,
) -> Iterator[BoundMatcher]:
    """The session once for every row of its dataset, or once without a dataset; `override` is `--dataset`.

    Rows are read as they are needed. Raises CommandError for a dataset that cannot be read, an unknown column, or a
    name without a value; the message does not name the spec. With `bad_row`, a row that lacks something is told to it
    and passed over.
    """
    dataset = override or _own_dataset(matcher, spec.path, filters)
    fallbacks = _fallbacks(matcher, given)
    if dataset is None:
        yield BoundMatcher(_bind(matcher, fallbacks, "", {}), None)
        return
    for number, row in dataset.rows():
        where = f"row {number} of `{dataset.name}`: "
        try:
            values = fallbacks | _columns(matcher, dataset, number, row)
            bound = _bind(matcher, values, where, row)
        except CommandError as error:
            if bad_row is None:
                raise
            bad_row(str(error))
            continue
        yield BoundMatcher(bound, number)


def dataset_paths(matchers: Iterable[Matcher], spec: Path) -> set[Path]:
    """The dataset files that a spec's sessions name."""
    return {
        spec.parent / matcher.dataset["path"] for matcher in matchers if matcher.dataset and matcher.dataset["path"]
    }


def _own_dataset(matcher: Matcher, spec: Path, filters: Sequence[tuple[str, str]]) -> Dataset | None:
    path = (matcher.dataset or {}).get("path")
    return read_dataset(spec.parent / path, filters) if path else None


def _fallbacks(matcher: Matcher, given: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name in matcher.names:
        if name in given:
            values[name] = given[name]
        elif ENVIRONMENT_PREFIX + name in os.environ:
            values[name] = os.environ[ENVIRONMENT_PREFIX + name]
    return values


def _columns(matcher: Matcher, dataset: Dataset, number: int, row: dict[str, Any]) -> dict[str, Any]:
    prefix = f"{(matcher.dataset or {}).get('id')}."
    values = {}
    for name in matcher.names:
        column = name.removeprefix(prefix)
        if column in row:
            values[name] = row[column]
        elif column != name and name in matcher.parameters:
            columns = ", ".join(f"`{item}`" for item in row) or "none"
            raise CommandError(
                f"row {number} of `{dataset.name}` has no column `{column}` for `{{{{{name}}}}}`; it has {columns}"
            )
    return values


def _bind(matcher: Matcher, values: dict[str, Any], where: str, columns: Mapping[str, Any]) -> Matcher:
    missing = [name for name in matcher.missing if name not in values]
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        help_ = f"give it with `--var {missing[0]}=TEXT` or `--var-json`"
        raise CommandError(f"{where}no value for {names}{_near_names(matcher, missing, values, columns)}: {help_}")
    try:
        return matcher.bind(values)
    except BindError as error:
        raise CommandError(where + str(error)) from None


def _near_names(matcher: Matcher, missing: Sequence[str], values: Mapping[str, Any], columns: Mapping[str, Any]) -> str:
    """Names that are nearly the missing ones and do have a value, in words."""
    import difflib  # only on the way to an error

    captured = {name for behavior in matcher.program["behaviors"] for name in behavior["capture"]}
    kinds = dict.fromkeys(columns, "is a column") | dict.fromkeys(values, "is given")
    kinds |= dict.fromkeys(captured, "is captured")
    near = {found for name in missing for found in difflib.get_close_matches(name, sorted(kinds), 1)}
    return f" ({', '.join(f'`{name}` {kinds[name]}' for name in sorted(near))})" if near else ""
