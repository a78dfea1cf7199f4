"""Definitions of tools, read from files: MCP `tools/list` output, OpenAI and Anthropic `tools` arrays, JSON Schemas.

Takes paths; gives `Tools`, which knows each tool by name with the schema of its arguments. In a folder every `.json`
file counts: a file that holds no list of tools is the schema of the tool it is named after.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.targets import glob_matches

if TYPE_CHECKING:
    from pathlib import Path

_MOST_BYTES = 16 * 1024 * 1024
_SCHEMA_KEYS = ("inputSchema", "input_schema", "parameters")
_LOOKS_LIKE_A_SCHEMA = ("type", "properties", "$schema", "anyOf", "oneOf", "allOf", "$ref")


class ToolsError(Exception):
    """A file of tools that cannot be used; the text says which and why."""


@attrs.frozen(slots=False, repr=False, eq=False)
class Tool(ReprMixin):
    """One tool. `schema` is that of its arguments, None where nothing is said about them."""

    name: str
    schema: Any


@attrs.frozen(slots=False, repr=False, eq=False)
class Tools(ReprMixin):
    """All tools. Several may have one name: a call of it may mean any of them. `notes` tell what in their schemas is
    not looked at."""

    each: tuple[Tool, ...]
    notes: tuple[str, ...] = ()

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the tools, in order, each once."""
        return tuple(sorted(self._named))

    def meant_by(self, name: str, patterns: Iterable[str]) -> list[Tool]:
        """The tools of a name, and those whose names patterns fit, in the order of the list."""
        places = {*self._named.get(name, ())}
        for pattern in patterns:
            places.update(at for fitting in _fitting(self, pattern) for at in self._named[fitting])
        return [self.each[at] for at in sorted(places)]

    def knows(self, pattern: str) -> bool:
        """Whether a pattern fits the name of any tool."""
        return bool(_fitting(self, pattern))

    @functools.cached_property
    def _named(self) -> dict[str, list[int]]:
        """The places of the tools of each name."""
        found: dict[str, list[int]] = {}
        for at, tool in enumerate(self.each):
            found.setdefault(tool.name, []).append(at)
        return found

    def plain(self) -> list[list[Any]]:
        """The tools as plain data, the same for the same tools."""
        rows = {(tool.name, json.dumps(tool.schema, sort_keys=True)): tool for tool in self.each}
        return [[tool.name, tool.schema] for _, tool in sorted(rows.items(), key=lambda row: row[0])]

    @classmethod
    def from_plain(cls, data: Iterable[Iterable[Any]]) -> Tools:
        """The tools of such data."""
        return cls(tuple(Tool(name, schema) for name, schema in data))


@functools.lru_cache(maxsize=1024)
def _fitting(tools: Tools, pattern: str) -> tuple[str, ...]:
    """The names of tools that a pattern fits."""
    if "*" not in pattern:
        return (pattern,) if pattern in tools._named else ()
    return tuple(name for name in tools.names if glob_matches(pattern, name))


def read_tools(paths: Iterable[str]) -> Tools:
    """The tools of files and folders. ToolsError."""
    from pathlib import Path  # slow to import, and most runs name no tools

    found: list[Tool] = []
    notes: list[str] = []
    for path in paths:
        for file, tools in _of_path(Path(path)):
            _refuse_one_name_for_two(file, tools)
            for tool in tools:
                found.append(_checked(file, tool, notes))
    return Tools(tuple(found), tuple(notes))


def _of_path(path: Path) -> list[tuple[Path, list[Tool]]]:
    """The tools of a file, or those of every file of a folder."""
    if not path.is_dir():
        tools = tools_in(_read(path))
        if tools is None:
            raise ToolsError(f"{path}: no tools found; it should be MCP `tools/list` output or a `tools` array")
        if not tools:
            raise ToolsError(f"{path}: no tools found; its list of tools is empty")
        return [(path, tools)]
    found = []
    for file in sorted(path.glob("*.json")):
        data = _read(file)
        tools = tools_in(data)
        if tools is None and isinstance(data, dict) and any(key in data for key in _LOOKS_LIKE_A_SCHEMA):
            tools = [Tool(file.stem, data)]
        if tools is None:
            raise ToolsError(f"{file}: neither tools nor a JSON Schema")
        found.append((file, tools))
    if not found:
        raise ToolsError(f"{path}: the folder holds no .json file")
    if not any(tools for _, tools in found):
        raise ToolsError(f"{path}: no tools found; every list of tools in the folder is empty")
    return found


def _refuse_one_name_for_two(file: Path, tools: list[Tool]) -> None:
    """Files may describe different agents, and their tools share names; in one list a name can mean one tool only."""
    first: dict[str, Tool] = {}
    for tool in tools:
        if first.setdefault(tool.name, tool).schema != tool.schema:
            raise ToolsError(f"{file}: two different tools are called `{tool.name}`")


def _checked(file: Path, tool: Tool, notes: list[str]) -> Tool:
    """A tool whose schema can be used. ToolsError."""
    if tool.schema is None:
        return tool
    from abs_compiler.lint.tool_schemas import BrokenSchemaError, outside_references, sound_schema

    try:
        schema = sound_schema(tool.schema)
    except BrokenSchemaError as error:
        raise ToolsError(f"{file}: the schema of the tool `{tool.name}` is no JSON Schema: {error}") from None
    for reference in outside_references(schema):
        notes.append(
            f"{file}: the schema of the tool `{tool.name}` refers to `{reference}`, which is not found in it; "
            "what that says is not looked at"
        )
    return Tool(tool.name, schema)


def _read(path: Path) -> Any:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ToolsError(f"{path}: larger than {_MOST_BYTES:,} bytes")
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise ToolsError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise ToolsError(f"{path}: not JSON: {error}") from None


def tools_in(data: Any) -> list[Tool] | None:
    """The tools of decoded JSON; None where it holds no list of tools."""
    match data:
        case {"result": {"tools": list() as items}} | {"tools": list() as items}:
            return _listed(items)
        case list() as items:
            return _listed(items)
        case {"name": str()} | {"function": {"name": str()}}:
            return _listed([data])
        case _:
            return None


def _listed(items: list[Any]) -> list[Tool] | None:
    found = []
    for item in items:
        tools = list(_tools(item))
        if not tools:
            return None
        found += tools
    return found


def _tools(item: Any) -> Iterator[Tool]:
    """The tool that an entry of a list defines; Gemini's entries define several."""
    match item:
        case {"functionDeclarations": list() as inner} | {"function_declarations": list() as inner}:
            for each in inner:
                yield from (Tool(tool.name, _plain_types(tool.schema)) for tool in _tools(each))
        case {"function": {"name": str() as name} as function}:
            yield Tool(name, _schema(function))
        case {"name": str() as name}:
            yield Tool(name, _schema(item))
        case {"type": str() as kind}:  # one that the provider runs, known by its type alone
            yield Tool(kind, None)
        case _:
            return


def _plain_types(schema: Any) -> Any:
    """A schema of Gemini's with the names of types as JSON Schema writes them: `string` for `STRING`."""
    match schema:
        case dict():
            return {
                key: value.lower() if key == "type" and isinstance(value, str) else _plain_types(value)
                for key, value in schema.items()
            }
        case list():
            return [_plain_types(item) for item in schema]
        case _:
            return schema


def _schema(item: dict[str, Any]) -> Any:
    return next((item[key] for key in _SCHEMA_KEYS if item.get(key) is not None), None)
