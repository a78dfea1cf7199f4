"""List every code that a report may hold, with its name, its severity and what it is about.

`absc explain CODE` shows the page of one of them.

exit status: 0
"""

from __future__ import annotations

import json

from abs_compiler.cli.console import report
from abs_compiler.diagnostics import Code, registry
from abs_compiler.diagnostics.explain import summary
from abs_compiler.lint.selection import OPT_IN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

JSON_VERSION = 1
_FAMILIES = {
    "0": "reading",
    "1": "hazards of YAML",
    "2": "shape",
    "3": "names",
    "4": "expressions",
    "5": "logic of predicates",
    "6": "sequence and evaluations",
    "7": "portability",
    "8": "tools",
    "9": "the tool itself",
}


def configure(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(arguments: Namespace) -> int:
    """List; the exit status."""
    with report() as out:
        if arguments.format == "json":
            out.write(
                json.dumps({"version": JSON_VERSION, "rules": [_data(row) for row in registry()]}, indent=2) + "\n"
            )
        else:
            out.write(_text())
    return 0


def family(code: str) -> str:
    """What the codes that begin like this one are about."""
    return _FAMILIES[code[3]]


def _data(row: Code) -> dict[str, Any]:
    return {
        "code": row.code,
        "name": row.name,
        "family": family(row.code),
        "severity": row.severity.value,
        "default": row.code not in OPT_IN,
        "summary": summary(row.code),
    }


def _text() -> str:
    width = max(len(row.name) for row in registry())
    lines: list[str] = []
    shown = ""
    for row in registry():
        if family(row.code) != shown:
            shown = family(row.code)
            lines += ([""] if lines else []) + [f"{row.code[:4]}xx {shown}"]
        extra = " (only where selected)" if row.code in OPT_IN else ""
        lines.append(f"  {row.code}  {row.name:<{width}}  {row.severity.value:<7}  {summary(row.code)}{extra}".rstrip())
    return "\n".join(lines) + "\n"
