"""Files of tools that are wrong: which entry it is, where, and what was most likely meant; folders of schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.cli import main
from abs_compiler.lint.json_places import line_and_column, offset_of
from abs_compiler.lint.tool_files import ToolsError, read_tools

SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}}
FIND = {"name": "find", "inputSchema": SCHEMA}
OTHERS = "known are MCP `tools/list` output (`tools` with `name` and `inputSchema`)"


def error_of(data: Any, folder: Path, marker: str | None = None) -> str:
    """What is said of a file of tools, without its name; `marker` is the text that must stand at the place."""
    path = folder / "t.json"
    text = json.dumps(data, indent=1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ToolsError) as caught:
        read_tools([str(path)])
    place, _, message = str(caught.value).removeprefix(f"{path}").partition(": ")
    if marker is None:
        assert place == ""
    else:
        _, line, column = place.split(":")
        assert text.splitlines()[int(line) - 1][int(column) - 1 :].startswith(marker), place
    return message


@pytest.mark.parametrize(
    ("entry", "marker", "message"),
    [
        (5, "5", "`tools[1]` is a number, not an object that describes a tool"),
        ("get", '"get"', "`tools[1]` is text, not an object that describes a tool"),
        (None, "null", "`tools[1]` is null, not an object that describes a tool"),
        ({}, "{", "`tools[1]` has no `name`; it is an empty object"),
        ({"nmae": "get"}, '"nmae"', "`tools[1]`: unknown key `nmae`; did you mean `name`?"),
        ({"Name": "get", "inputSchema": {}}, '"Name"', "`tools[1]`: unknown key `Name`; did you mean `name`?"),
        ({"name": 7}, "7", "`tools[1]`: `name` must be text, not a number"),
        ({"name": ""}, '""', "`tools[1]`: `name` must be text, not an empty text"),
        (SCHEMA, "{", "`tools[1]` is a JSON Schema without a tool: a list has `name` beside it, a folder its file"),
        ({"role": "user", "content": "x"}, "{", "`tools[1]` is a message, not a tool"),
        ({"jsonrpc": "2.0", "result": {}}, "{",
         "`tools[1]` is a JSON-RPC message, not a tool: give the answer to `tools/list` alone"),
        ({"name": "get", "inputSchem": {}}, '"inputSchem"',
         "`tools[1]` (`get`): unknown key `inputSchem`; did you mean `inputSchema`?"),
        ({"name": "get", "input-schema": {}}, '"input-schema"',
         "`tools[1]` (`get`): unknown key `input-schema`; did you mean `input_schema`?"),
        ({"name": "get", "paramters": {}}, '"paramters"',
         "`tools[1]` (`get`): unknown key `paramters`; did you mean `parameters`?"),
        ({"name": "get", "args_schema": {}}, '"args_schema"',
         "`tools[1]` (`get`): unknown key `args_schema`; did you mean `inputSchema`?"),
        ({"type": "function", "function": {"name": "get", "strict": True, "schema": {}}}, '"schema"',
         "`tools[1]` (`get`): unknown key `schema`; did you mean `parameters`?"),
        ({"type": "function", "fucntion": {"name": "get"}}, '"fucntion"',
         "`tools[1]`: unknown key `fucntion`; did you mean `function`?"),
        ({"type": "function"}, "{", "`tools[1]` has no `name`; it is an object with the key `type`"),
        ({"type": "function", "function": {"parameters": {}}}, "{",
         "`tools[1]` has no `name`; it is an object with the key `parameters`"),
        ({"type": "function", "function": "get"}, '"get"', "`tools[1]`: `function` must be an object, not text"),
        ({"type": "function", "function": {"name": "get"}, "parameters": {}}, '"parameters"',
         "`tools[1]` (`get`): `parameters` belongs inside `function`"),
        ({"name": "get", "inputSchema": {}, "parameters": SCHEMA}, '"parameters"',
         "`tools[1]` (`get`) has both `inputSchema` and `parameters`, which differ; leave one out"),
        ({"name": "get", "inputSchema": "{}"}, '"{}"',
         "`tools[1]` (`get`): the schema of its arguments is no JSON Schema: expected object or boolean, observed"),
        ({"name": "get", "inputSchema": {"properties": {"a": {"type": "strng"}}}}, '"strng"',
         "`tools[1]` (`get`): the schema of its arguments is no JSON Schema: `properties.a.type`: expected one of"),
        ({"functionDeclarations": [{"nmae": "x"}]}, '"nmae"',
         "`tools[1]`, `functionDeclarations[0]`: unknown key `nmae`; did you mean `name`?"),
        ({"functionDeclarations": {"name": "x"}}, "{",
         "`tools[1]`: `functionDeclarations` must be a list of tools, not an object with the key `name`"),
        ({"name": "find", "inputSchema": True}, '"inputSchema"',
         "two different tools are called `find`; the other is `tools[0]`"),
    ],
)  # fmt: skip
def test_an_entry_that_is_no_tool(entry: Any, marker: str, message: str, tmp_path: Path) -> None:
    for data in ([FIND, entry], {"tools": [FIND, entry]}):
        assert error_of(data, tmp_path, marker).startswith(message)
    nested = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [FIND, entry]}}
    assert error_of(nested, tmp_path, marker).startswith(message.replace("`tools[", "`result.tools["))


@pytest.mark.parametrize(
    ("data", "marker", "message"),
    [
        ({"tools": FIND}, "{", "`tools` must be a list of tools, not an object with the keys `name`, `inputSchema`"),
        ({"tolls": [FIND]}, '"tolls"', "unknown key `tolls`; did you mean `tools`?"),
        ({"functions": [FIND]}, '"functions"', "unknown key `functions`; did you mean `tools`?"),
        ({"find": SCHEMA, "b": {}}, None, f"no tools found; it is an object with the keys `find`, `b`; {OTHERS}"),
        ({"jsonrpc": "2.0", "id": 1, "error": {}}, None, "no tools found; it is an answer that tells an error"),
        ("x", None, "no tools found; it is text; known are"),
        (SCHEMA, None, "no tools found; it is the schema of one tool, whose name it does not say: name its folder"),
    ],
)  # fmt: skip
def test_a_file_without_a_list(data: Any, marker: str | None, message: str, tmp_path: Path) -> None:
    assert error_of(data, tmp_path, marker).startswith(message)


def test_what_is_misspelt_without_harm_is_told_once(tmp_path: Path) -> None:
    tools = [{**FIND, "name": name, "descripton": "d"} for name in "abc"]
    (tmp_path / "t.json").write_text(json.dumps({"tools": tools, "nextCursor": "x"}), encoding="utf-8")
    found = read_tools([str(tmp_path / "t.json")])
    assert found.names == ("a", "b", "c")
    assert [note.partition("t.json: ")[2] for note in found.notes] == [
        "`tools[0]` (`a`): `descripton` is not read; did you mean `description`?",
        "the list goes on (`nextCursor`); tools that are not in it count as unknown",
    ]


def folder_of(tmp_path: Path, files: dict[str, Any]) -> str:
    for name, data in files.items():
        path = tmp_path / "tools" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(data), encoding="utf-8")
    return str(tmp_path / "tools")


def test_a_folder_names_tools_after_files(tmp_path: Path) -> None:
    files = {
        "find.json": {"title": "Find an order", **SCHEMA}, "refund.schema.json": {}, "deep/er/close.Schema.JSON": True,
        "more.json": [{"name": "get", "input_schema": SCHEMA}], ".hidden.json": 1, ".git/x.json": 1, "a.txt": 1,
        "one.json": {"name": "alone", "parameters": SCHEMA},
    }  # fmt: skip
    found = read_tools([folder_of(tmp_path, files)])
    assert (found.names, found.notes) == (("alone", "close", "find", "get", "refund"), ())


OTHER_FILES = {
    "package.json": {"name": "shop", "version": "1.0.0", "type": "module", "description": "d", "scripts": {}},
    "tsconfig.json": {"$schema": "https://json.schemastore.org/tsconfig", "compilerOptions": {}},
    "runs.json": [{"role": "user", "content": "x"}],
    "agent.json": {"model": "m", "tools": ["find"]},
    "deep/data.json": {"type": "FeatureCollection"},
    "number.json": 5,
}


def test_what_is_no_schema_in_a_folder_is_passed_over_with_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.abs.yaml").write_text('session: s\nabs_version: "0.2"\nbehaviors: []\n', encoding="utf-8")
    folder = folder_of(tmp_path, {"find.json": SCHEMA, **OTHER_FILES})
    assert read_tools([folder]).names == ("find",)
    main(["lint", "--no-cache", "--tools", "tools", "s.abs.yaml"])
    lines = [line for line in capsys.readouterr().err.splitlines() if "passed over" in line]
    assert len(lines) == len(OTHER_FILES)
    assert lines[0].startswith("absc: tools/agent.json: passed over: neither tools nor a JSON Schema, but an object")


def test_a_folder_without_tools(tmp_path: Path) -> None:
    with pytest.raises(ToolsError, match=r"no tools found in the folder; .*agent\.json: passed over"):
        read_tools([folder_of(tmp_path, OTHER_FILES)])


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.json", {"properties": {"x": {"type": "strng"}}},
         "a.json:1:31: the tool `a`: the schema of its arguments is no JSON Schema: `properties.x.type`"),
        ("a.schema.json", {"type": "module"}, "a.schema.json:1:10: the tool `a`: the schema of its arguments is no"),
        ("a.json", {"name": "a", "input_schem": {}}, "a.json:1:15: the tool (`a`): unknown key `input_schem`; did"),
        ("a.json", [FIND, {"nmae": "x"}], "`tools[1]`: unknown key `nmae`; did you mean `name`?"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_folder(name: str, data: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ToolsError) as caught:
        read_tools([folder_of(tmp_path, {name: data})])
    assert message in str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)


@given(JSON, st.sampled_from((None, 1)), st.randoms())
def test_places_are_those_of_the_values(data: Any, indent: int | None, random: Any) -> None:
    text = json.dumps(data, indent=indent)
    path: tuple[Any, ...] = ()
    found = data
    while isinstance(found, list | dict) and found and random.random() < 0.8:
        step = random.choice(list(found) if isinstance(found, dict) else range(len(found)))
        path, found = (*path, step), found[step]
    at = offset_of(text, path)
    assert json.JSONDecoder().raw_decode(text, at)[0] == found
    if path and isinstance(path[-1], str):
        assert json.JSONDecoder().raw_decode(text, offset_of(text, path, key=True))[0] == path[-1]


def test_places_of_what_is_not_there() -> None:
    text = '{"a": [1, 2], "a": [3]}'
    assert text[offset_of(text, ("a",)) :] == "[3]}", "the last of equal keys counts"
    assert offset_of(text, ("b",)) == 0
    assert text[offset_of(text, ("a", 5)) :] == "[3]}"
    assert text[offset_of(text, ("a", 0, "x")) :] == "3]}"
    assert offset_of(text, (0,)) == 0
    assert line_and_column("a\nbc", 3) == (2, 2)
