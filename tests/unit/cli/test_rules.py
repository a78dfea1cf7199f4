"""The list of codes: a row for each, in families, as text and as JSON."""

import json

from abs_compiler.cli import main
from abs_compiler.diagnostics import registry


def test_every_code_has_a_row(capsys):
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [line.split() for line in lines if line.startswith("  ")]
    assert [row[:3] for row in rows] == [[item.code, item.name, item.severity.value] for item in registry()]
    assert all(len(row) > 4 for row in rows)
    assert lines[0] == "ABS0xx reading"
    assert max(map(len, lines)) <= 160


def test_as_json(capsys):
    assert main(["rules", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["version"] == 1
    assert [row["code"] for row in data["rules"]] == [item.code for item in registry()]
    by_name = {row["name"]: row for row in data["rules"]}
    assert by_name["unused-id"] == {
        "code": "ABS315",
        "name": "unused-id",
        "family": "names",
        "severity": "info",
        "default": False,
        "summary": "an id that nothing refers to",
    }
    assert by_name["empty-values"]["default"] is True
