"""Files of tools: paths in, the tools out, or one error that says where a file is wrong.

In a folder, and in those below it, every `.json` file counts: one that holds no list of tools is the schema of the tool
that it is named after. What is neither (`package.json`) is passed over, and a note says so.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs

from abs_compiler.files import read_at_most, reason
from abs_compiler.lint.json_places import line_and_column, offset_of
from abs_compiler.lint.tool_lists import FORMS, JSON_TYPES, Entry, MalformedToolsError, entries_of, says_tool, what_is
from abs_compiler.lint.tool_schemas import BrokenSchemaError, outside_references, sound_schema
from abs_compiler.lint.tools import Tool, Tools
from abs_compiler.repr_mixin import ReprMixin

_MOST_BYTES = 16 * 1024 * 1024
_MOST_BYTES_TOGETHER = 4 * _MOST_BYTES
_MOST_FILES = 10_000
_MOST_NOTES = 20  # of one kind, for one file or folder
_ENDING = ".json"
_SCHEMA_ENDING = ".schema.json"
# One of these makes an object a JSON Schema; `$schema` alone does not, since settings of many programs have it.
_SCHEMA_WORDS = {
    "properties": dict, "$defs": dict, "anyOf": list, "oneOf": list, "allOf": list, "$ref": str, "enum": list
}  # fmt: skip


class ToolsError(Exception):
    """A file of tools that cannot be used; the text says which and why."""


@attrs.frozen(slots=False, repr=False, eq=False)
class _File(ReprMixin):
    """A file that was read."""

    path: Path
    text: str
    data: Any

    def error(self, path: tuple[str | int, ...], text: str, *, at_key: bool = False) -> ToolsError:
        """The error about what a path leads to."""
        line, column = line_and_column(self.text, offset_of(self.text, path, key=at_key))
        return ToolsError(f"{self.path}:{line}:{column}: {text}")


def read_tools(paths: Iterable[str]) -> Tools:
    """The tools of files and folders. ToolsError."""
    found: list[Tool] = []
    notes: list[str] = []
    for path in paths:
        for file, entries in _of_path(Path(path), notes):
            _refuse_one_name_for_two(file, entries)
            found += [_checked(file, entry, notes) for entry in entries]
            notes += [f"{file.path}: {text}" for text in _doubts(file, entries)]
    return Tools(tuple(found), tuple(notes))


def _of_path(path: Path, notes: list[str]) -> list[tuple[_File, list[Entry]]]:
    """The tools of a file, or those of every file of a folder."""
    if path.is_dir():
        return _of_folder(path, notes)
    file = _read(path)
    entries = _listed(file)
    if entries is not None:
        return [(file, entries)]
    if _is_schema(file):
        advice = (
            "it is the schema of one tool, whose name it does not say: name its folder, and the file tells the name"
        )
        raise ToolsError(f"{path}: no tools found; {advice}")
    raise ToolsError(f"{path}: no tools found; it is {what_is(file.data)}; {FORMS}")


def _of_folder(folder: Path, notes: list[str]) -> list[tuple[_File, list[Entry]]]:
    found = []
    passed_over = []
    size = 0
    for number, path in enumerate(_below(folder)):
        file = _read(path)
        size += len(file.text)
        if number >= _MOST_FILES or size > _MOST_BYTES_TOGETHER:
            most = f"{_MOST_FILES:,} files and {_MOST_BYTES_TOGETHER:,} characters"
            raise ToolsError(f"{folder}: too many .json files for a folder of tools ({most} at most)")
        if _says_tools(file.data):
            found.append((file, _listed(file) or []))
        elif _is_schema(file):
            name = path.name[: -len(_SCHEMA_ENDING if _is_named_schema(path) else _ENDING)]
            found.append((file, [Entry(Tool(name, file.data), f"the tool `{name}`", ())]))
        else:
            passed_over.append(f"{path}: passed over: neither tools nor a JSON Schema, but {what_is(file.data)}")
    if found:
        notes += _shortened(passed_over)
        return found
    if passed_over:
        raise ToolsError(f"{folder}: no tools found in the folder; {passed_over[0]}")
    raise ToolsError(f"{folder}: the folder holds no .json file")


def _below(folder: Path) -> Iterator[Path]:
    """The `.json` files below a folder, in order, but for hidden ones. Links to folders are not followed."""

    def refuse(error: OSError) -> None:
        raise ToolsError(f"{error.filename}: cannot be read: {reason(error)}")

    for place, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.lower().endswith(_ENDING) and not name.startswith("."):
                yield Path(place, name)


def _says_tools(data: Any) -> bool:
    """Whether something in a folder is meant as tools, and not as a schema or as something else."""
    match data:
        case {"result": {"tools": _}} | {"tools": [] | {}}:
            return True
        case {"tools": list() as items}:
            return any(isinstance(item, dict) for item in items)
        case list() as items:
            return not items or any(says_tool(item) for item in items)
        case _:
            return says_tool(data)


def _is_schema(file: _File) -> bool:
    """Whether a file is a JSON Schema: by its name, or by a word that only a schema has."""
    data = file.data
    if _is_named_schema(file.path):
        return isinstance(data, dict | bool)
    if not isinstance(data, dict):
        return False
    kinds = data.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if any(isinstance(kind, str) and kind in JSON_TYPES for kind in kinds):
        return True
    if "json-schema.org/" in str(data.get("$schema")):
        return True
    return any(isinstance(data.get(word), kind) for word, kind in _SCHEMA_WORDS.items())


def _is_named_schema(path: Path) -> bool:
    return path.name.lower().endswith(_SCHEMA_ENDING) and len(path.name) > len(_SCHEMA_ENDING)


def _listed(file: _File) -> list[Entry] | None:
    try:
        return entries_of(file.data)
    except MalformedToolsError as error:
        raise file.error(error.path, str(error), at_key=error.at_key) from None


def _refuse_one_name_for_two(file: _File, entries: list[Entry]) -> None:
    """Files may describe different agents, and their tools share names; in one list a name can mean one tool only."""
    first: dict[str, Entry] = {}
    for entry in entries:
        other = first.setdefault(entry.tool.name, entry)
        if other.tool.schema != entry.tool.schema:
            text = f"two different tools are called `{entry.tool.name}`; the other is {other.where.partition(' (')[0]}"
            raise file.error(entry.schema, text, at_key=True)


def _checked(file: _File, entry: Entry, notes: list[str]) -> Tool:
    """A tool whose schema can be used. ToolsError."""
    tool = entry.tool
    if tool.schema is None:
        return tool
    try:
        schema = sound_schema(tool.schema)
    except BrokenSchemaError as error:
        text = f"{entry.where}: the schema of its arguments is no JSON Schema: {error}"
        raise file.error((*entry.schema, *error.path), text) from None
    for reference in outside_references(schema):
        notes.append(
            f"{file.path}: the schema of the tool `{tool.name}` refers to `{reference}`, which is not found in it; "
            "what that says is not looked at"
        )
    return Tool(tool.name, schema)


def _doubts(file: _File, entries: list[Entry]) -> list[str]:
    """What is to be said of a list that can be used."""
    first: dict[tuple[str, str], str] = {}
    for entry in entries:
        for pair in entry.misspelt:
            first.setdefault(pair, entry.where)
    found = [f"{where}: `{key[:80]}` is not read; did you mean `{near}`?" for (key, near), where in first.items()]
    match file.data:
        case {"nextCursor": str() as cursor} | {"result": {"nextCursor": str() as cursor}} if cursor:
            found.append("the list goes on (`nextCursor`); tools that are not in it count as unknown")
    return _shortened(found)


def _shortened(notes: list[str]) -> list[str]:
    left = len(notes) - _MOST_NOTES
    return notes if left <= 0 else [*notes[:_MOST_NOTES], f"{left} more like this"]


def _read(path: Path) -> _File:
    try:
        data = read_at_most(path, _MOST_BYTES)
    except OSError as error:
        raise ToolsError(f"{path}: cannot be read: {error.strerror or error}") from None
    if len(data) > _MOST_BYTES:
        raise ToolsError(f"{path}: larger than {_MOST_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig")
        return _File(path, text, json.loads(text, parse_constant=_refuse_constant))
    except json.JSONDecodeError as error:
        advice = "; one JSON value is wanted, not several" if error.msg == "Extra data" else ""
        what = f"{error.msg[:1].lower()}{error.msg[1:]}{advice}"
        raise ToolsError(f"{path}:{error.lineno}:{error.colno}: not JSON: {what}") from None
    except UnicodeDecodeError as error:
        raise ToolsError(f"{path}: not JSON: byte {error.start:,} is no UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise ToolsError(f"{path}: not JSON: {error}") from None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number in JSON")
