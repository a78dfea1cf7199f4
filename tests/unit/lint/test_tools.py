"""Definitions of tools: every form is read alike, and what is no tools is refused with a reason."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from abs_compiler.cli import main
from abs_compiler.lint.analysis import analyse_bytes
from abs_compiler.lint.tool_files import ToolsError, read_tools
from abs_compiler.lint.tool_lists import tools_in
from abs_compiler.lint.tool_schemas import is_plain, sound_schema
from abs_compiler.lint.tools import Tools
from abs_compiler.options import CompileOptions
from tests.support.shared import needs_shared, shared_root

SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
FORMS: dict[str, Any] = {
    "mcp": {"tools": [{"name": "find", "description": "d", "inputSchema": SCHEMA}], "nextCursor": "x"},
    "mcp message": {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "find", "inputSchema": SCHEMA}]}},
    "openai chat": [{"type": "function", "function": {"name": "find", "parameters": SCHEMA, "strict": True}}],
    "openai request": {"tools": [{"type": "function", "function": {"name": "find", "parameters": SCHEMA}}], "n": 1},
    "openai responses": [{"type": "function", "name": "find", "parameters": SCHEMA}],
    "anthropic": [{"name": "find", "description": "d", "input_schema": SCHEMA}],
    "gemini": [{"functionDeclarations": [{"name": "find", "parameters": SCHEMA}]}],
    "one tool": {"name": "find", "input_schema": SCHEMA},
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read(form: str, tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_text(json.dumps(FORMS[form]), encoding="utf-8")
    assert read_tools([str(file)]).plain() == [["find", SCHEMA]]


def test_a_folder_of_schemas(tmp_path: Path) -> None:
    (tmp_path / "find.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    (tmp_path / "more.json").write_text(json.dumps(FORMS["anthropic"]), encoding="utf-8")
    (tmp_path / "list.json").write_text(json.dumps({"type": "object"}), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no tool", encoding="utf-8")
    assert read_tools([str(tmp_path)]).plain() == [["find", SCHEMA], ["list", {"type": "object"}]]


def test_tools_that_the_provider_runs_are_known_by_their_type() -> None:
    (tool,) = tools_in([{"type": "web_search"}]) or ()
    assert (tool.name, tool.schema) == ("web_search", None)


def test_tools_survive_as_plain_data() -> None:
    tools = Tools(tuple(tools_in(FORMS["mcp"]) or ()))
    assert Tools.from_plain(json.loads(json.dumps(tools.plain()))).plain() == tools.plain()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"3", "no tools found"),
        (b'[{"x": 1}]', r"1:2: `tools\[0\]` has no `name`; it is an object with the key `x`"),
        (b'{"type": "object"}', "no tools found"),
        (b'{"tools": []}', "no tools found; its list of tools is empty"),
        (b'{"result": {"tools": []}}', "its list of tools is empty"),
        (b"[]", "its list of tools is empty"),
        (b'[{"functionDeclarations": []}]', "must be a list of tools, not an empty list"),
        (b"[NaN]", "NaN is no number in JSON"),
        (b"{}\n{}", "2:1: not JSON: extra data; one JSON value is wanted"),
    ],
)
def test_what_is_no_tools_is_refused(content: bytes, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_bytes(content)
    with pytest.raises(ToolsError, match=reason):
        read_tools([str(file)])


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolsError, match="cannot be read"):
        read_tools([str(tmp_path / "missing.json")])
    with pytest.raises(ToolsError, match="holds no"):
        read_tools([str(tmp_path)])
    (tmp_path / "a.json").write_text("[]", encoding="utf-8")
    with pytest.raises(ToolsError, match=r"a\.json:1:1: no tools found; its list of tools is empty"):
        read_tools([str(tmp_path)])
    (tmp_path / "a.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(ToolsError, match=r"a\.json: passed over: neither tools nor a JSON Schema, but a list"):
        read_tools([str(tmp_path)])


def read(tmp_path: Path, *files: Any) -> Tools:
    """What is read from files that hold these values."""
    paths = [tmp_path / f"{number}.json" for number in range(len(files))]
    for path, data in zip(paths, files, strict=True):
        path.write_text(json.dumps(data), encoding="utf-8")
    return read_tools(map(str, paths))


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"type": "objekt"}, "`type`: expected one of"),
        (
            {"properties": {"a b": {"anyOf": [{"type": "text"}]}}},
            r'`properties\["a b"\]\.anyOf\[0\]\.type`: expected one',
        ),
        ({"properties": {"a": {"type": "string", "required": True}}}, "`properties.a.required`: expected array"),
        ({"properties": {"a": "string"}}, "`properties.a`: expected object or boolean"),
        ({"multipleOf": 0}, "`multipleOf`: expected more than 0"),
        (["id"], "expected object or boolean"),
    ],
)
def test_a_schema_that_is_none_is_refused(schema: Any, problem: str, tmp_path: Path) -> None:
    before = r"0.json:1:\d+: `tools\[0\]` \(`find`\): the schema of its arguments is no JSON Schema: "
    with pytest.raises(ToolsError, match=before + problem):
        read(tmp_path, [{"name": "find", "input_schema": schema}])


_PARTS: tuple[Any, ...] = (
    {"type": "string"}, {"type": []}, {"type": ["string", "null"]}, {"type": ["null", "null"]}, {"type": 5},
    {"required": ["a"]}, {"required": ["a", "a"]}, {"required": [1]}, {"minLength": 1}, {"minLength": -1},
    {"minLength": True}, {"maxItems": 1.5}, {"minimum": 1.5}, {"minimum": True}, {"minimum": "1"}, {"enum": []},
    {"enum": "a"}, {"items": {}}, {"items": 1}, {"anyOf": []}, {"anyOf": [True]}, {"oneOf": [{"type": "x"}]},
    {"properties": {"a": {"type": "x"}}}, {"properties": [1]}, {"$defs": {"a": {"$ref": "#/$defs/a"}}}, {"$ref": 1},
    {"pattern": "^(?!x)"}, {"pattern": 1}, {"description": 1}, {"uniqueItems": 1}, {"default": [1]}, {"const": None},
    {"examples": 1}, {"additionalProperties": False}, {"additionalProperties": "no"}, {"not": {"not": {}}}, {"not": 1},
)  # fmt: skip


@pytest.mark.parametrize("draft", [None, "http://json-schema.org/draft-07/schema#"])
def test_what_is_recognised_without_the_drafts_follows_them(draft: str | None) -> None:
    plain = 0
    for part, other in itertools.product(_PARTS, repeat=2):
        schema = {**({"$schema": draft} if draft else {}), **other, **part}
        for whole in (schema, {"items": part}, {"properties": {"p": part}, **other}):
            if is_plain(whole):
                plain += 1
                validator_for(whole, default=Draft202012Validator).check_schema(whole)
    assert plain > 500


def test_what_only_older_drafts_allow_is_read_as_one(tmp_path: Path) -> None:
    draft4 = {"properties": {"n": {"type": "integer", "minimum": 0, "exclusiveMinimum": True}}}
    draft7 = {"properties": {"n": {"items": [{}], "additionalItems": False}}}
    tools = read(tmp_path, [{"name": "a", "parameters": draft4}, {"name": "b", "parameters": draft7}])
    drafts = [tool.schema["$schema"].split("/")[3] for tool in tools.each]
    assert drafts == ["draft-04", "draft-07"]


def test_what_is_common_in_schemas_of_tools_is_no_mistake(tmp_path: Path) -> None:
    schema = {
        "$schema": "https://example.com/dialect",
        "properties": {"a": {"format": "int32", "nullable": True, "pattern": "^(?!x)", "x-order": 1}},
    }
    assert read(tmp_path, [{"name": "a", "parameters": schema}, {"name": "b", "parameters": None}]).notes == ()
    gemini = {"type": "OBJECT", "properties": {"type": {"type": "STRING"}}}
    (tool,) = read(tmp_path, [{"function_declarations": [{"name": "a", "parameters": gemini}]}]).each
    assert tool.schema == {"type": "object", "properties": {"type": {"type": "string"}}}


def test_a_reference_to_elsewhere_is_said_once(tmp_path: Path) -> None:
    schema = {
        "properties": {
            "a": {"$ref": "http://x/y.json"}, "b": {"$ref": "http://x/y.json"}, "c": {"$ref": "#/$defs/none"},
            "d": {"$ref": "#/$defs/some"}, "e": {"$ref": "#there"},
        },
        "$defs": {"some": {"$anchor": "there"}},
    }  # fmt: skip
    notes = read(tmp_path, [{"name": "find", "parameters": schema}]).notes
    assert [note.split("`")[3] for note in notes] == ["http://x/y.json", "#/$defs/none"]
    assert all("not looked at" in note for note in notes)


def test_one_name_for_two_tools(tmp_path: Path) -> None:
    one, other = ({"name": "find", "input_schema": {"type": "object", "required": [key]}} for key in "ab")
    with pytest.raises(
        ToolsError, match=r"0\.json:1:92: two different tools are called `find`; the other is `tools\[0\]`"
    ):
        read(tmp_path, [one, other])
    assert len(read(tmp_path, [one, one]).plain()) == 1
    assert len(read(tmp_path, [one], [other]).plain()) == 2, "two agents may each have a tool of this name"


@needs_shared
def test_tools_of_recorded_agents_are_read() -> None:
    root = shared_root()
    assert root is not None
    groups = json.loads((root / "data" / "formats" / "tools.json").read_text(encoding="utf-8"))
    for items in groups.values():
        tools = tools_in(items)
        assert tools is not None
        assert all(tool.schema for tool in tools)
        assert all(sound_schema(tool.schema) == tool.schema for tool in tools)


SPEC = """session: s
abs_version: "0.2"
behaviors:
  - {actor: assistant, action: calls, target: fnd, with: {id: x}}
"""


def test_the_command_holds_specs_against_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ABS_CACHE_DIR", str(tmp_path / "cache"))
    Path("s.abs.yaml").write_text(SPEC, encoding="utf-8")
    Path("tools.json").write_text(json.dumps(FORMS["mcp"]), encoding="utf-8")
    assert main(["lint", "s.abs.yaml"]) == 0
    assert main(["lint", "--tools", "tools.json", "s.abs.yaml"]) == 1
    assert "a tool close to it is `find`" in capsys.readouterr().out
    Path("tools.json").write_text(json.dumps(FORMS["mcp"]).replace("find", "fnd"), encoding="utf-8")
    assert main(["lint", "--tools", "tools.json", "s.abs.yaml"]) == 0, "changed tools, unchanged spec"
    assert main(["lint", "--tools", "none.json", "s.abs.yaml"]) == 2
    assert "none.json: cannot be read" in capsys.readouterr().err
    Path("tools.json").write_text('{"tools": []}', encoding="utf-8")
    assert main(["lint", "--tools", "tools.json", "s.abs.yaml"]) == 2
    assert "tools.json:1:11: no tools found; its list of tools is empty" in capsys.readouterr().err
    elsewhere = {"properties": {"id": {"$ref": "http://x/y.json"}}}
    Path("tools.json").write_text(json.dumps([{"name": "fnd", "parameters": elsewhere}]), encoding="utf-8")
    assert main(["lint", "--tools", "tools.json", "s.abs.yaml", "s.abs.yaml"]) == 0
    assert capsys.readouterr().err.count("not looked at") == 1


def test_no_tools_at_all_are_nothing_to_hold_a_spec_against() -> None:
    assert analyse_bytes(SPEC.encode(), "s.abs.yaml", CompileOptions(), tools=Tools(())).diagnostics == ()


def test_a_configuration_names_tools_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / "s.abs.yaml").write_text(SPEC, encoding="utf-8")
    (tmp_path / "abs-compiler.toml").write_text('tools = "tools.json"\n', encoding="utf-8")
    (tmp_path / "tools.json").write_text(json.dumps(FORMS["mcp"]), encoding="utf-8")
    monkeypatch.chdir(folder)
    assert main(["lint", "--no-cache", "s.abs.yaml"]) == 1
    assert "ABS621" in capsys.readouterr().out
