"""Configuration: what each key says, every mistake with its place, which file holds for which spec."""

from __future__ import annotations

import tomllib
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.diagnostics import Severity, registry
from abs_compiler.lint.config import LIMITS, Config, code_problem, read_config
from abs_compiler.lint.settings import Overrides, Settings, fails
from abs_compiler.lint.toml_places import Placed, places
from abs_compiler.syntax import Limits


def read(folder: Path, text: str, name: str = "abs-compiler.toml") -> tuple[Config, list[tuple[str, int, int]]]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    config, problems = read_config(str(path))
    return config, [
        (item.message, *item.source.position(item.labels[0].span.start)) for item in problems if item.source
    ]


def test_every_key(tmp_path: Path) -> None:
    text = """
select = ["ABS1", "all"]
extend-select = ["unused-id"]
ignore = ["ABS111"]
fail-on = "info"
exclude = ["drafts/"]
cache-dir = ".cache"
observe = "tools"
tools = "tools.json"
per-file-ignores = { "old/**" = ["ABS102"] }
targets = { "Order MCP" = ["get_order", "orders/*"] }
[severity]
ABS102 = "error"
[limits]
file-bytes = 100
"""
    config, problems = read(tmp_path, text)
    assert problems == []
    assert config.select == ("ABS1", "all")
    assert config.extend_select == ("unused-id",)
    assert config.severity == {"ABS102": Severity.ERROR}
    assert config.limits == {"file_bytes": 100}
    assert config.targets == {"Order MCP": ("get_order", "orders/*")}
    assert (config.fail_on, config.observe, config.tools) == ("info", "tools", ("tools.json",))
    assert config.cache_dir == ".cache"
    assert config.excludes(str(tmp_path / "drafts" / "a.abs.yaml"))
    assert not config.excludes(str(tmp_path / "specs" / "a.abs.yaml"))
    assert config.selection(str(tmp_path / "old" / "a.abs.yaml")).ignore == ("ABS111", "ABS102")
    assert config.selection(str(tmp_path / "new" / "a.abs.yaml")).ignore == ("ABS111",)


_NO_HEADER = "`{}` is not written in `abs-compiler.toml`, where every key belongs to the configuration"


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ('ignroe = ["ABS1"]', "unknown key `ignroe` in the configuration", 1, 1),
        ("select = 5", "`select` must be a list of texts, not a number", 1, 10),
        ('select = ["ABS1", 5]', "an item of `select` must be text, not a number", 1, 19),
        ('select = [\n  "ABS1",\n  "ABSX",\n]', "there is no code `ABSX`", 3, 3),
        ('ignore = ["wrong-kind"]', "`wrong-kind` is an error, and errors cannot be ignored", 1, 11),
        ('fail-on = "never"', "`fail-on` must be `error`, `warning` or `info`", 1, 11),
        ('severity = { ABS102 = "bad" }', "a severity is `error`, `warning` or `info`", 1, 23),
        ('severity.ABS102 = "bad"', "a severity is `error`, `warning` or `info`", 1, 19),
        ('[severity]\n"ABS1O2" = "error"', "there is no code `ABS1O2`", 2, 1),
        ('[severity]\nABS201 = "info"', "`ABS201` is an error, and errors stay errors", 2, 1),
        ('severity = { wrong-kind = "warning" }', "`wrong-kind` is an error, and errors stay errors", 1, 14),
        ('[tool.abs-compiler]\nselect = ["ABS1"]', _NO_HEADER.format("tool.abs-compiler"), 1, 1),
        ("[tool.abs_compiler.limits]\ndepth = 1", _NO_HEADER.format("tool.abs_compiler"), 1, 7),
        ("select = []\n[abs-compiler]\ndepth = 1", _NO_HEADER.format("abs-compiler"), 2, 1),
        ("[limits]\ndepth = true", "`depth` must be a whole number above 0", 2, 9),
        ("[limits]\nfile_bytes = 1", "unknown key `file_bytes` in `limits`", 2, 1),
        ("limits = []", "`limits` must be a table of limits with numbers, not a list", 1, 10),
        (
            'per-file-ignores = ["a"]',
            "`per-file-ignores` must be a table of patterns with lists of codes, not a list",
            1,
            20,
        ),
        ('[per-file-ignores]\n"a/*" = "ABS1"', "`per-file-ignores` must be a list of texts, not text", 2, 9),
        ("exclude = 1979-05-27", "`exclude` must be a list of texts, not a date or time", 1, 11),
        ('cache-dir = ""', "`cache-dir` must be text, not an empty text", 1, 13),
        ("[targets]\nA = 1", "`A` must be a list of texts, not a number", 2, 5),
        ("a == 1", "this is no TOML: invalid value", 1, 4),
    ],
)
def test_mistakes_have_places(tmp_path: Path, text: str, message: str, line: int, column: int) -> None:
    assert read(tmp_path, text)[1] == [(message, line, column)]


def test_in_a_shared_file(tmp_path: Path) -> None:
    text = '[project]\nname = "x"\n\n[tool.abs-compiler]\nselect = ["ABS1"]\noops = 1\n[tool.other]\nselect = 5\n'
    config, problems = read(tmp_path, text, "pyproject.toml")
    assert config.select == ("ABS1",)
    assert problems == [("unknown key `oops` in the configuration", 6, 1)]


def test_a_table_of_another_name_is_no_configuration(tmp_path: Path) -> None:
    text = '[project]\nname = "x"\n[tool.abs_compiler]\nselect = ["ABS1"]\n'
    message = "the table of the configuration is `tool.abs-compiler`, not `tool.abs_compiler`"
    config, problems = read(tmp_path, text, "pyproject.toml")
    assert (config.select, problems) == (None, [(message, 3, 7)])
    settings = Settings(Overrides())
    settings.config(str(tmp_path / "a.abs.yaml"))
    assert [item.message for item in settings.problems] == [message]


def test_severities_that_may_be_set(tmp_path: Path) -> None:
    text = '[severity]\nABS201 = "error"\nABS6 = "info"\nunknown-tools = "info"\nABS623 = "warning"\n'
    config, problems = read(tmp_path, text)
    assert problems == []
    assert config.severity["unknown-tools"] is Severity.INFO


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "abs-compiler.toml").write_bytes(b"\xff\xfe")
    for path in (tmp_path / "abs-compiler.toml", tmp_path / "none.toml"):
        (problem,) = read_config(str(path))[1]
        assert problem.message.startswith("cannot read the configuration: ")


def test_limits_are_those_of_the_compiler() -> None:
    assert {name.replace("-", "_") for name in LIMITS} == {field.name for field in attrs.fields(Limits)}


def test_words() -> None:
    assert code_problem("ABS1") == code_problem("all") == code_problem("near-miss-names") == ("", "")
    for word, meant in {"abs1": "ABS1", "AB102": "ABS102", "102": "ABS102", "ABS-1O2": "ABS102"}.items():
        assert code_problem(word) == (f"there is no code `{word}`", f"one close to it is `{meant}`")
    assert code_problem("unsued-id")[1] == "one close to it is `unused-id`"
    for word in ("ABS199", "ABS1020", "ABS X", "ABS"[:2]):
        assert code_problem(word)[1] == "`absc rules` lists them all"
    assert code_problem("optional-in-sequence", ignored=True) == ("", "")
    assert code_problem("xyz") == ("there is no code `xyz`", "`absc rules` lists them all")


def test_the_nearest_file_holds(tmp_path: Path) -> None:
    (tmp_path / "abs-compiler.toml").write_text('ignore = ["ABS102"]\nfail-on = "warning"\n', encoding="utf-8")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "abs-compiler.toml").write_text("[limits]\ndepth = 5\n", encoding="utf-8")
    settings = Settings(Overrides())
    outer, inner = str(tmp_path / "a.abs.yaml"), str(tmp_path / "in" / "a.abs.yaml")
    assert settings.fail_on(outer) == "warning"
    assert settings.fail_on(inner) == "error"
    assert settings.options(inner)["limits"]["depth"] == 5
    assert settings.options(outer)["limits"] is None
    assert Settings(Overrides(), "").fail_on(outer) == "error"
    assert Settings(Overrides(), str(tmp_path / "abs-compiler.toml")).fail_on(inner) == "warning"


def test_the_command_line_wins(tmp_path: Path) -> None:
    (tmp_path / "abs-compiler.toml").write_text(
        'select = ["ABS1"]\nignore = ["ABS102"]\nobserve = "tools"\n[targets]\nA = ["x"]\nB = ["y"]\n', encoding="utf-8"
    )
    path = str(tmp_path / "a.abs.yaml")
    over = Overrides(extend_select=("ABS3",), ignore=("ABS111",), observe="all", targets={"B": ["z"]})
    selection = Settings(over).selection(path)
    shown = [row.code for row in registry() if selection.shows(row.code, row.name)]
    assert {code[:4] for code in shown} == {"ABS1", "ABS3"}
    assert not {"ABS102", "ABS111"} & set(shown)
    options = Settings(over).options(path)
    assert (options["observe"], options["targets"]) == ("all", {"A": ["x"], "B": ["z"]})
    assert Settings(Overrides(select=("ABS7",))).selection(path).ignore == ()


@pytest.mark.parametrize(
    ("over", "file", "shows", "hides"),
    [
        (Overrides(extend_select=("ABS102",)), 'ignore = ["ABS102"]', "ABS102 ABS111", "ABS703"),
        (Overrides(extend_select=("ABS1",)), 'ignore = ["ambiguous-scalars"]', "ABS102", "ABS703"),
        (Overrides(extend_select=("all",)), 'ignore = ["ABS102"]', "ABS102 ABS703", ""),
        (Overrides(select=("ABS1",)), 'ignore = ["ABS102"]', "ABS102 ABS111", "ABS316"),
        (Overrides(ignore=("ABS1",)), 'extend-select = ["ABS102"]', "ABS316", "ABS102 ABS111"),
        (Overrides(ignore=("ABS1",)), 'select = ["ABS102", "ABS316"]', "ABS316", "ABS102 ABS601"),
        (Overrides(extend_select=("ABS1",), ignore=("ABS11",)), 'ignore = ["all"]', "ABS102", "ABS111 ABS316"),
        (Overrides(extend_select=("all",)), '[per-file-ignores]\n"a.*" = ["ABS102"]', "ABS111", "ABS102"),
        (Overrides(extend_select=("ABS102",)), '[per-file-ignores]\n"a.*" = ["ABS1"]', "ABS102", "ABS111"),
        (Overrides(select=("ABS102",)), '[per-file-ignores]\n"a.*" = ["ABS102"]', "", "ABS102 ABS111"),
        (Overrides(select=("ABS102",)), '[per-file-ignores]\n"b.*" = ["ABS102"]', "ABS102", "ABS111"),
    ],
)
def test_the_command_line_selects_over_the_file(
    tmp_path: Path, over: Overrides, file: str, shows: str, hides: str
) -> None:
    (tmp_path / "abs-compiler.toml").write_text(file, encoding="utf-8")
    selection = Settings(over).selection(str(tmp_path / "a.abs.yaml"))
    shown = {row.code for row in registry() if selection.shows(row.code, row.name)}
    assert set(shows.split()) <= shown
    assert not set(hides.split()) & shown


def test_what_fails() -> None:
    assert not fails([], "info")
    assert fails(["info"], "info")
    assert not fails(["info", "warning"], "error")
    assert fails(["error"], "warning")


# --- places in TOML -------------------------------------------------------------------------------------------------

TOML = """# comment
a = 1
"b c".d = 'x' # more
list = [ # comment
  "one", [2, 3], {k = "v", 'l' = [4]}, # last
]
text = \"\"\"
several
lines\"\"\"
[t.'u v']
x.y = true
[[array]]
n = 1
[[array]]
n = 1979-05-27T07:32:00Z
[array.inner]
deep = [[["x"]]]
"""


def texts(text: str, data: object, placed: Placed, found: list[tuple[object, str]]) -> list[tuple[object, str]]:
    """Every plain value with the text at its place."""
    if isinstance(data, dict):
        for key, value in data.items():
            texts(text, value, placed.keys[key], found)
    elif isinstance(data, list):
        for value, item in zip(data, placed.items, strict=True):
            texts(text, value, item, found)
    else:
        found.append((data, text[placed.span.start : placed.span.end]))
    return found


def test_every_value_has_its_place() -> None:
    for value, written in texts(TOML, tomllib.loads(TOML), places(TOML), []):
        assert tomllib.loads(f"v = {written}")["v"] == value


KEYS = st.sampled_from(["a", "b-c", '"d e"', "'f'", "g.h", '"é"'])
VALUES = st.recursive(
    st.sampled_from(["1", "true", '"x"', "'y # z'", '"""a\nb"""', "1.5", "07:32:00", '"[,]"']),
    lambda inner: st.lists(inner, max_size=3).map(lambda items: "[" + ", ".join(items) + "\n# c\n]"),
    max_leaves=5,
)


@given(st.lists(st.tuples(KEYS, VALUES), max_size=5, unique_by=lambda pair: pair[0]))
def test_places_agree_with_the_reader(pairs: list[tuple[str, str]]) -> None:
    text = "\n".join(f"{key} = {value}" for key, value in pairs) + "\n"
    for value, written in texts(text, tomllib.loads(text), places(text), []):
        assert tomllib.loads(f"v = {written}")["v"] == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool]\nabs-compiler = 5\n", "`abs-compiler` must be a table, not a number"),
        ("tool = 5  # abs-compiler\n", "`tool` must be a table, not a number"),
        ("[tool.abs-compiler.limits]\ndepth = 5000\n", "`depth` can be 150 at most"),
    ],
)
def test_tables_and_limits(tmp_path: Path, text: str, message: str) -> None:
    assert [found[0] for found in read(tmp_path, text, "pyproject.toml")[1]] == [message]
