"""Lists of tools in decoded JSON: MCP `tools/list` output, the `tools` of OpenAI, Anthropic and Gemini, one tool.

Gives the tools with their places. What cannot be read as a tool raises MalformedToolsError, which has the place, too;
so does a key that is misspelt, where a name or a schema would be lost by it. Other misspelt keys are but told.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator
from typing import Any

import attrs

from abs_compiler.lint.json_places import Path
from abs_compiler.lint.tools import Tool
from abs_compiler.repr_mixin import ReprMixin

FORMS = (
    "known are MCP `tools/list` output (`tools` with `name` and `inputSchema`), `tools` arrays of OpenAI (`function`"
    " with `name` and `parameters`) and Anthropic (`name` and `input_schema`), and folders of JSON Schemas"
)
SCHEMA_KEYS = ("inputSchema", "input_schema", "parameters", "parametersJsonSchema", "parameters_json_schema")
# What other descriptions of tools call the schema of the arguments.
_OTHER_SCHEMA_KEYS = frozenset(
    (
        "schema",
        "args",
        "args_schema",
        "argsSchema",
        "arguments",
        "params",
        "input",
        "inputs",
        "json_schema",
        "jsonSchema",
    )
)
_DECLARATIONS = ("functionDeclarations", "function_declarations")
# The keys that the descriptions of tools have in one format or another.
_KNOWN = (
    "name", "title", "description", "type", "function", "custom", *SCHEMA_KEYS, *_DECLARATIONS, "outputSchema",
    "strict", "annotations", "_meta", "icons", "execution", "cache_control", "input_examples", "defer_loading",
    "allowed_callers", "response", "responseJsonSchema", "behavior", "format", "id", "tags", "version", "examples",
    "category",
)  # fmt: skip
_MOST_KEYS = 50  # of one tool, that may be misspelt
# What is written in a list of something else.
_OTHER_THINGS = {
    "jsonrpc": "a JSON-RPC message, not a tool: give the answer to `tools/list` alone",
    "role": "a message, not a tool",
    "actor": "an event, not a tool",
    "toolSpec": "a tool in a form that is not known",
}
JSON_TYPES = frozenset(("array", "boolean", "integer", "null", "number", "object", "string"))


class MalformedToolsError(ValueError):
    """What stands for a list of tools, or for one of them, is none. `path` leads to it, or to the key of it
    (`at_key`)."""

    def __init__(self, path: Path, text: str, *, at_key: bool = False) -> None:
        super().__init__(text)
        self.path = path
        self.at_key = at_key


@attrs.frozen(slots=False, repr=False, eq=False)
class Entry(ReprMixin):
    """A tool in a list: `where` it stands, in words, and the path to its schema. `misspelt` are keys that say nothing,
    each with the known one that is close to it."""

    tool: Tool
    where: str
    schema: Path
    misspelt: tuple[tuple[str, str], ...] = ()


def tools_in(data: Any) -> list[Tool] | None:
    """The tools of decoded JSON; None where it holds no list of tools. MalformedToolsError."""
    entries = entries_of(data)
    return None if entries is None else [entry.tool for entry in entries]


def entries_of(data: Any) -> list[Entry] | None:
    """The same with their places."""
    match data:
        case {"result": {"tools": items}}:
            return _listed(items, ("result", "tools"))
        case {"tools": items}:
            return _listed(items, ("tools",))
        case list():
            return _listed(data, ())
        case dict() if says_tool(data):
            return list(_entries(data, (), "the tool"))
        case dict():
            lists = [key for key, value in data.items() if isinstance(value, list)][:_MOST_KEYS]
            slip = "functions" if "functions" in lists else _nearest("tools", lists)
            if slip is not None:
                raise MalformedToolsError((slip,), f"unknown key `{slip}`; did you mean `tools`?", at_key=True)
            return None
        case _:
            return None


def says_tool(item: Any) -> bool:
    """Whether something is meant as the description of a tool: it has the schema of one's arguments, or nearly."""
    if not isinstance(item, dict) or any(key in item for key in _OTHER_THINGS):
        return False
    if any(isinstance(item.get(key), dict) for key in ("function", *SCHEMA_KEYS)):
        return True
    return any(key in item for key in _DECLARATIONS) or ("name" in item and _schema_slip(item) is not None)


def what_is(data: Any) -> str:
    """What decoded JSON is, in words."""
    match data:
        case {"error": _, "jsonrpc": _}:
            return "an answer that tells an error"
        case dict() if data:
            keys = [f"`{key[:40]}`" for key in list(data)[:4]]
            more = f" and {len(data) - 4} more" if len(data) > 4 else ""
            return f"an object with the {'key' if len(data) == 1 else 'keys'} {', '.join(keys)}{more}"
        case dict():
            return "an empty object"
        case list():
            return "a list" if data else "an empty list"
        case str():
            return "text"
        case None:
            return "null"
        case bool():
            return "a boolean"
        case _:
            return "a number"


# --- entries --------------------------------------------------------------------------------------------------------


def _listed(items: Any, path: Path) -> list[Entry]:
    name = ".".join(str(step) for step in path) or "tools"
    if not isinstance(items, list):
        raise MalformedToolsError(path, f"`{name}` must be a list of tools, not {what_is(items)}")
    if not items:
        raise MalformedToolsError(path, "no tools found; its list of tools is empty")
    each = enumerate(items)
    return [entry for index, item in each for entry in _entries(item, (*path, index), f"`{name}[{index}]`")]


def _entries(item: Any, path: Path, where: str) -> Iterator[Entry]:
    """The tool that an entry of a list describes; Gemini's entries describe several."""
    if not isinstance(item, dict):
        raise MalformedToolsError(path, f"{where} is {what_is(item)}, not an object that describes a tool")
    for key, what in _OTHER_THINGS.items():
        if key in item and "name" not in item:
            raise MalformedToolsError(path, f"{where} is {what}")
    declarations = next((key for key in _DECLARATIONS if key in item), None)
    if declarations is None:
        yield _entry(item, path, where)
        return
    inner = item[declarations]
    if not isinstance(inner, list) or not inner:
        what = "an empty list" if inner == [] else what_is(inner)
        raise MalformedToolsError(
            (*path, declarations), f"{where}: `{declarations}` must be a list of tools, not {what}"
        )
    for index, each in enumerate(inner):
        for entry in _entries(each, (*path, declarations, index), f"{where}, `{declarations}[{index}]`"):
            yield attrs.evolve(entry, tool=Tool(entry.tool.name, _plain_types(entry.tool.schema)))


def _entry(item: dict[str, Any], path: Path, where: str) -> Entry:
    outer = (
        "function" if "function" in item else "custom" if item.get("type") == "custom" and "custom" in item else None
    )
    inner = item if outer is None else item[outer]
    place = path if outer is None else (*path, outer)
    if not isinstance(inner, dict):
        raise MalformedToolsError(place, f"{where}: `{outer}` must be an object, not {what_is(inner)}")
    name = inner.get("name")
    if "name" not in inner:
        kind = item.get("type")
        if outer is None and isinstance(kind, str) and kind and kind not in JSON_TYPES and not _means_function(item):
            return Entry(Tool(kind, None), where, path)  # one that the provider runs, known by its type alone
        raise _nameless(item, inner, place, where)
    if not isinstance(name, str) or not name:
        what = "an empty text" if name == "" else what_is(name)
        raise MalformedToolsError((*place, "name"), f"{where}: `name` must be text, not {what}")
    where = f"{where} (`{name[:80]}`)"
    for key in SCHEMA_KEYS if outer is not None else ():
        if key in item:
            raise MalformedToolsError((*path, key), f"{where}: `{key}` belongs inside `{outer}`", at_key=True)
    schema_key = _schema_key(inner, place, where)
    misspelt = _misspelt(item, inner)
    if schema_key is None:
        return Entry(Tool(name, None), where, place, misspelt)
    return Entry(Tool(name, inner[schema_key]), where, (*place, schema_key), misspelt)


def _means_function(item: dict[str, Any]) -> bool:
    return item.get("type") == "function" or any(key in item for key in SCHEMA_KEYS) or _schema_slip(item) is not None


def _nameless(item: dict[str, Any], inner: dict[str, Any], place: Path, where: str) -> MalformedToolsError:
    """The error about a tool without a name."""
    slip = _nearest("name", _unknown(inner))
    if slip is not None:
        return _slip(place, where, slip, "name")
    slip = _nearest("function", _unknown(item)) if item.get("type") == "function" and inner is item else None
    if slip is not None:
        return _slip(place, where, slip, "function")
    if item.get("type") in JSON_TYPES or "properties" in item:
        advice = "a JSON Schema without a tool: a list has `name` beside it, a folder its file name"
        return MalformedToolsError(place, f"{where} is {advice}")
    return MalformedToolsError(place, f"{where} has no `name`; it is {what_is(inner)}")


def _slip(place: Path, where: str, key: str, right: str) -> MalformedToolsError:
    text = f"{where}: unknown key `{key[:80]}`; did you mean `{right}`?"
    return MalformedToolsError((*place, key), text, at_key=True)


def _schema_key(inner: dict[str, Any], place: Path, where: str) -> str | None:
    """The key under which a tool has the schema of its arguments; None where it has none."""
    present = [key for key in SCHEMA_KEYS if inner.get(key) is not None]
    for key in present[1:]:
        if inner[key] != inner[present[0]]:
            text = f"{where} has both `{present[0]}` and `{key}`, which differ; leave one out"
            raise MalformedToolsError((*place, key), text, at_key=True)
    if present:
        return present[0]
    slip = None if any(key in inner for key in SCHEMA_KEYS) else _schema_slip(inner)
    if slip is not None:
        raise _slip(place, where, *slip)
    return None


def _schema_slip(inner: dict[str, Any]) -> tuple[str, str] | None:
    """A key that most likely stands for that of the schema, with the right one."""
    for key in _unknown(inner):
        if not isinstance(inner[key], dict):
            continue
        near = _near(key)
        if near in SCHEMA_KEYS:
            return key, near
        if key in _OTHER_SCHEMA_KEYS:
            return key, "parameters" if "strict" in inner or inner.get("type") == "function" else "inputSchema"
    return None


def _misspelt(item: dict[str, Any], inner: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    found = {}
    for part in (item, inner):
        for key in _unknown(part):
            near = _near(key)
            if near is not None and near not in part:
                found[key] = near
    return tuple(found.items())


def _unknown(part: dict[str, Any]) -> list[str]:
    return [key for key in list(part)[:_MOST_KEYS] if key not in _KNOWN]


def _nearest(word: str, known: Collection[str]) -> str | None:
    from abs_compiler.spec.suggest import nearest  # the tools of most files need nothing of the compiler

    return nearest(word, known)


@functools.lru_cache(maxsize=1024)
def _near(key: str) -> str | None:
    return _nearest(key, _KNOWN)


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
