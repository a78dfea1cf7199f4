"""`absc eval`: which words of the command line are values."""

from __future__ import annotations

import pytest

from abs_compiler.cli import main


@pytest.mark.parametrize(
    ("words", "status", "shown"),
    [
        (["< 0", "-1e3", "-5"], 0, ["true   -1e3", "true   -5"]),
        (["--var-json", "n=0", "< {{n}}", "-1E+2", "--color", "never", "-0.5"], 0, ["true   -1E+2", "true   -0.5"]),
        (["< 0", "--color=never", "-1e3"], 0, ["true   -1e3"]),
        (["< 0", "--", "-1e3"], 0, ["true   -1e3"]),
        (["< 0", "-.5"], 2, ["`-.5`, column 1: not JSON"]),
        (["< 0", "-x"], 2, ["unrecognized arguments: -x"]),
        (["< 0", "--color", "-1e3"], 2, ["argument --color: expected one argument"]),
    ],
)
def test_what_looks_like_a_number_is_a_value(
    words: list[str], status: int, shown: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", *words]) == status
    captured = capsys.readouterr()
    text = captured.out + captured.err
    assert all(part in text for part in shown), text
    assert "\0" not in text
