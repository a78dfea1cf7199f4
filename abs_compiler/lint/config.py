"""The configuration: `abs-compiler.toml`, or the table `tool.abs-compiler` of a `pyproject.toml`; the nearest one wins.

Takes a file; gives a `Config`, and reports what is wrong in it with its place. Paths and patterns in it count from
the folder it lies in.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from abs_compiler.diagnostics import Diagnostic, Severity, Sink, registry
from abs_compiler.files import display_name, reason
from abs_compiler.lint.globs import Globs
from abs_compiler.lint.selection import Selection, may_be_configured
from abs_compiler.lint.toml_places import Placed, places
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import SourceFile, Span

OWN_FILE = "abs-compiler.toml"
SHARED_FILE = "pyproject.toml"
_TABLE, _MISSPELT_TABLE = "abs-compiler", "abs_compiler"
SEVERITIES = tuple(severity.value for severity in Severity)
# Registered as an error, but only a warning in some places, where it may be ignored.
_SOMETIMES_ERROR = "optional-in-sequence"
LIMITS = (
    "file-bytes", "depth", "nodes", "scalar-bytes", "number-chars", "predicate-chars", "predicate-depth", "regex-chars"
)  # fmt: skip
_CODE_SLIP = re.compile(r"(?:[AaBbSs]{1,3}[-_ ]?)?([0-9OoIl]{1,3})")
_AS_DIGITS = str.maketrans("OoIl", "0011")
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


@attrs.frozen(slots=False, repr=False)
class Config(ReprMixin):
    """What a configuration file says; None and empty where it says nothing."""

    folder: str = "."
    path: str | None = None
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    severity: Mapping[str, Severity] = attrs.field(factory=dict)
    fail_on: str | None = None
    exclude: tuple[str, ...] = ()
    cache_dir: str | None = None  # read by `artifact.project`, without all this
    limits: Mapping[str, int] = attrs.field(factory=dict)
    targets: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    observe: str | None = None
    tools: tuple[str, ...] = ()

    def selection(self, path: str) -> Selection:
        """What to show of a file."""
        return Selection(self.select, self.extend_select, (*self.ignore, *self.ignored_in(path)), self.severity)

    def ignored_in(self, path: str) -> tuple[str, ...]:
        """What is ignored in one file, besides what is in all."""
        within = os.path.relpath(os.path.abspath(path), os.path.abspath(self.folder)).replace(os.sep, "/")
        return tuple(word for glob, words in self.per_file_ignores if Globs([glob]).hold(within) for word in words)

    def excludes(self, path: str) -> bool:
        """Whether a file is left out when folders are searched."""
        if not self.exclude:
            return False
        within = os.path.relpath(os.path.abspath(path), os.path.abspath(self.folder)).replace(os.sep, "/")
        return not within.startswith("../") and Globs(self.exclude).hold(within)


def read_config(path: str) -> tuple[Config, tuple[Diagnostic, ...]]:
    """The configuration in a file, and what is wrong in it."""
    name = display_name(path)
    folder = os.path.dirname(path) or "."
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        sink = Sink(None, name)
        what = reason(error) if isinstance(error, OSError) else "it is not UTF-8"
        sink.report("bad-config", f"cannot read the configuration: {what}")
        return Config(folder, path), tuple(sink.diagnostics())
    source = SourceFile(name, text.replace("\r\n", "\n"))
    sink = Sink(source, name)
    try:
        data = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        _report_syntax(sink, source, str(error))
        return Config(folder, path), tuple(sink.diagnostics())
    where = places(source.text)
    if os.path.basename(path) == SHARED_FILE:
        _report_other_name(sink, data, where)
        for key in ("tool", _TABLE):
            data, where = data.get(key, {}), where.keys.get(key, where)
            if not isinstance(data, dict):
                _Reader(sink).wrong_kind(key, data, where, "a table")
                return Config(folder, path), tuple(sink.diagnostics())
    else:
        data = _without_header(sink, data, where)
    fields = _Reader(sink).table(data, where, _KEYS, "the configuration")
    return Config(folder, path, **fields), tuple(sink.diagnostics())


def _report_other_name(sink: Sink, data: dict[str, Any], where: Placed) -> None:
    """Report a table whose name is nearly that of ours: nothing in it would count."""
    tables = data.get("tool", {})
    if isinstance(tables, dict) and _MISSPELT_TABLE in tables:
        place = where.keys["tool"].keys[_MISSPELT_TABLE]
        sink.report(
            "bad-config",
            f"the table of the configuration is `tool.{_TABLE}`, not `tool.{_MISSPELT_TABLE}`",
            place.key,
            "not read",
            helps=(f"write `{_TABLE}`",),
        )


def _without_header(sink: Sink, data: dict[str, Any], where: Placed) -> dict[str, Any]:
    """What a file of its own says; a table as in `pyproject.toml` is reported and left out."""
    outer = data.get("tool")
    inner = outer if isinstance(outer, dict) else data
    name = next((key for key in (_TABLE, _MISSPELT_TABLE) if isinstance(inner.get(key), dict)), None)
    if name is None:
        return data
    place = where.keys["tool"].keys[name] if inner is outer else where.keys[name]
    prefix = f"tool.{name}" if inner is outer else name
    sink.report(
        "bad-config",
        f"`{prefix}` is not written in `{OWN_FILE}`, where every key belongs to the configuration",
        place.span,
        f"only in `{SHARED_FILE}`",
        helps=(f"leave `[{prefix}]` out, and `{prefix}.` in other headers",),
    )
    return {key: value for key, value in data.items() if key != ("tool" if inner is outer else name)}


def _report_syntax(sink: Sink, source: SourceFile, message: str) -> None:
    found = _PLACE.search(message)
    offset = len(source.text.rstrip())
    if found is not None and found[1] is not None:
        offset = min(source.line_start(int(found[1])) + int(found[2]) - 1, len(source.text))
    plain = _PLACE.sub("", message)
    span = Span(offset, min(offset + 1, len(source.text)))
    sink.report("bad-config", f"this is no TOML: {plain[:1].lower()}{plain[1:]}", span, "reading stopped here")


class _Reader:
    """Reads values by their keys' readers; a value that is wrong is reported and left out."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink

    def table(self, data: Any, where: Placed, keys: Mapping[str, _Read], what: str) -> dict[str, Any]:
        """The values of a table, by their Python names."""
        fields = {}
        for key, value in data.items():
            place = where.keys.get(key, where)
            read = keys.get(key)
            if read is None:
                near = _near(key, keys)
                known = f"the keys are {_listed(keys)}"
                self.bad(
                    f"unknown key `{key}` in {what}",
                    place.key,
                    "not known",
                    near and f"the key is called `{near}`",
                    known,
                )
            else:
                found = read(self, value, place, key)
                if found is not None:
                    fields[key.replace("-", "_")] = found
        return fields

    def bad(self, message: str, span: Span, label: str, *helps: str | None) -> None:
        first = next((help_ for help_ in helps if help_), None)
        self.sink.report("bad-config", message, span, label, helps=() if first is None else (first,))

    def wrong_kind(self, key: str, value: Any, place: Placed, wanted: str) -> None:
        what = key if " " in key else f"`{key}`"
        self.bad(f"{what} must be {wanted}, not {_kind(value)}", place.span, f"this is {_kind(value)}")

    # Readers of values: the value and its place in, the field's value out, None where it was reported.

    def text(self, value: Any, place: Placed, key: str) -> str | None:
        if isinstance(value, str) and value:
            return value
        self.wrong_kind(key, value, place, "text")
        return None

    def texts(self, value: Any, place: Placed, key: str) -> tuple[str, ...] | None:
        if not isinstance(value, list):
            self.wrong_kind(key, value, place, "a list of texts")
            return None
        found = [self.text(item, at, f"an item of `{key}`") for item, at in zip(value, place.items, strict=False)]
        return tuple(item for item in found if item is not None)

    def codes(self, value: Any, place: Placed, key: str) -> tuple[str, ...] | None:
        words = self.texts(value, place, key)
        if words is None:
            return None
        return tuple(
            word
            for word, at in zip(value, place.items, strict=False)
            if isinstance(word, str) and self.code(word, at.span, ignored=key == "ignore" or key == "per-file-ignores")
        )

    def code(self, word: str, span: Span, *, ignored: bool = False) -> bool:
        problem, help_ = code_problem(word, ignored=ignored)
        if problem:
            self.bad(problem, span, "no such code" if "no code" in problem else "always reported", help_)
        return not problem

    def one_of(self, words: tuple[str, ...]) -> _Read:
        def read(reader: _Reader, value: Any, place: Placed, key: str) -> str | None:
            if value in words and isinstance(value, str):
                return value
            reader.bad(f"`{key}` must be {_listed(words, 'or')}", place.span, "not one of these")
            return None

        return read


_Read = Callable[[_Reader, Any, Placed, str], Any]


def code_problem(word: str, *, ignored: bool = False) -> tuple[str, str]:
    """Why a word selects no code, and what to do about it; empty texts where it does."""
    rows = registry()
    named = [row for row in rows if word in (row.code, row.name)]
    if named:
        if ignored and _is_error(word):
            return f"`{word}` is an error, and errors cannot be ignored", "remove it here, and mend what it reports"
        return "", ""
    if word == "all" or (word.startswith("ABS") and any(row.code.startswith(word) for row in rows)):
        return "", ""
    near = _meant_code(word) or _near(word, [row.name for row in rows])
    return f"there is no code `{word}`", f"one close to it is `{near}`" if near else "`absc rules` lists them all"


def _meant_code(word: str) -> str | None:
    """The code, or beginning of codes, that a word of another case or with a slip in its letters stands for: `abs1`,
    `AB102`, `102`, `ABS-1O2`. Another number is no slip."""
    found = _CODE_SLIP.fullmatch(word.strip())
    code = "" if found is None else "ABS" + found[1].translate(_AS_DIGITS)
    return code if code and any(row.code.startswith(code) for row in registry()) else None


def _is_error(word: str) -> bool:
    """Whether a code or name is one of an error of compilation wherever it is reported."""
    return any(
        word in (row.code, row.name)
        and row.severity is Severity.ERROR
        and row.name != _SOMETIMES_ERROR
        and not may_be_configured(row.code)
        for row in registry()
    )


def _ignores(reader: _Reader, value: Any, place: Placed, key: str) -> Any:
    if not isinstance(value, dict):
        reader.wrong_kind(key, value, place, "a table of patterns with lists of codes")
        return None
    found = [(glob, reader.codes(words, place.keys.get(glob, place), key)) for glob, words in value.items()]
    return tuple((glob, words) for glob, words in found if words is not None)


def _severities(reader: _Reader, value: Any, place: Placed, key: str) -> Any:
    if not isinstance(value, dict):
        reader.wrong_kind(key, value, place, "a table of codes with severities")
        return None
    found = {}
    for word, severity in value.items():
        at = place.keys.get(word, place)
        if not reader.code(word, at.key):
            continue
        if severity not in SEVERITIES or not isinstance(severity, str):
            reader.bad(f"a severity is {_listed(SEVERITIES, 'or')}", at.span, "not one of these")
        elif _is_error(word) and severity != "error":
            help_ = "remove it here, and mend what it reports"
            reader.bad(f"`{word}` is an error, and errors stay errors", at.key, "always an error", help_)
        else:
            found[word] = Severity(severity)
    return found


def _targets(reader: _Reader, value: Any, place: Placed, key: str) -> Any:
    if not isinstance(value, dict):
        reader.wrong_kind(key, value, place, "a table of targets with lists of recorded names")
        return None
    found = {name: reader.texts(names, place.keys.get(name, place), name) for name, names in value.items()}
    return {name: names for name, names in found.items() if names}


def _tools(reader: _Reader, value: Any, place: Placed, key: str) -> Any:
    if isinstance(value, str):
        found = reader.text(value, place, key)
        return None if found is None else (found,)
    return reader.texts(value, place, key)


def _limits(reader: _Reader, value: Any, place: Placed, key: str) -> Any:
    if not isinstance(value, dict):
        reader.wrong_kind(key, value, place, "a table of limits with numbers")
        return None
    return reader.table(value, place, dict.fromkeys(LIMITS, _count), "`limits`")


# Beyond these, what reads and runs a spec has bounds of its own.
_LARGEST = {"depth": 150, "predicate-depth": 100}


def _count(reader: _Reader, value: Any, place: Placed, key: str) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        largest = _LARGEST.get(key, value)
        if value <= largest:
            return value
        reader.bad(f"`{key}` can be {largest} at most", place.span, "more than that", f"write {largest} or less")
        return None
    reader.bad(f"`{key}` must be a whole number above 0", place.span, "no such number")
    return None


def _near(word: str, known: Iterable[str]) -> str | None:
    from abs_compiler.spec.suggest import nearest  # a sound configuration needs nothing of it

    return nearest(word, list(known))


_KEYS: dict[str, _Read] = {
    "select": _Reader.codes,
    "extend-select": _Reader.codes,
    "ignore": _Reader.codes,
    "per-file-ignores": _ignores,
    "severity": _severities,
    "fail-on": _Reader(Sink(None, "")).one_of(SEVERITIES),
    "exclude": _Reader.texts,
    "cache-dir": _Reader.text,
    "limits": _limits,
    "targets": _targets,
    "observe": _Reader(Sink(None, "")).one_of(("all", "tools")),
    "tools": _tools,
}


def _kind(value: Any) -> str:
    match value:
        case bool():
            return "a boolean"
        case str():
            return "text" if value else "an empty text"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:
            return "a date or time"


def _listed(words: Iterable[str], joined: str = "and") -> str:
    quoted = [f"`{word}`" for word in words]
    return f"{', '.join(quoted[:-1])} {joined} {quoted[-1]}"
