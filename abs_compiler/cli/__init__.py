"""The command line: `absc COMMAND ...`. One module per command, imported only when that command runs.

Exit status: 0 all fine; 1 findings, or a spec that did not match; 2 usage, configuration, input that cannot be read;
3 nothing failed but something is inconclusive; 130 interrupted.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

USAGE_STATUS = 2
INTERRUPTED_STATUS = 130
_MARK = "\0"  # which no word of a command line can hold

# Each command's module has `configure(parser)` and `run(arguments) -> int`; one whose values may begin like options
# has `is_value(word) -> bool`, too.
COMMANDS = {
    "match": "match recorded runs against specs",
    "check": "report the mistakes in specs",
    "lint": "report what is wrong or doubtful in specs, and mend it",
    "compile": "make artifacts of specs, which are matched like them",
    "eval": "try a predicate on values",
    "explain": "explain a code of a report",
    "rules": "list every code of a report",
    "schema": "print the schema of specs, for editors",
    "dump": "print one stage of the compilation of a spec as JSON",
    "cache": "show or empty the cache of compiled specs",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status. Never raises for anything a user or the system did."""
    try:
        return _guarded(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED_STATUS


def _guarded(argv: list[str]) -> int:
    from abs_compiler.cli.failure import CommandError, internal_error

    try:
        return _run(argv)
    except CommandError as error:
        _complain(str(error))
        return error.status
    except Exception as error:  # the last resort: a message instead of a traceback
        _complain(internal_error(error))
        return USAGE_STATUS


def _run(argv: list[str]) -> int:
    name = argv[0] if argv else ""
    if name not in COMMANDS:
        return _no_command(name)

    import argparse
    import importlib

    command = importlib.import_module(f"abs_compiler.cli.{name}")
    parser = argparse.ArgumentParser(
        prog=f"absc {name}",
        description=command.__doc__,
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=_width()),
        allow_abbrev=False,
    )
    command.configure(parser)
    try:
        arguments = parser.parse_intermixed_args(_marked(argv[1:], getattr(command, "is_value", None)))
    except SystemExit as stop:  # argparse has printed its help or its complaint
        return int(stop.code or 0)
    for option, value in vars(arguments).items():
        setattr(arguments, option, _unmarked(value))
    status: int = command.run(arguments)
    return status


def _marked(words: list[str], is_value: Callable[[str], bool] | None) -> list[str]:
    """The words of a command line without the `--` that ends the options. Those behind it that look like options are
    marked, since argparse has no such end where options and other words may be mixed; and those before it that the
    command takes for values, but for the value of an option, which argparse may want to show."""
    end = words.index("--") if "--" in words else len(words)
    before, behind = words[:end], words[end + 1 :]
    if is_value is not None:
        previous = ["", *before]
        before = [
            _MARK + word if word[:1] == "-" and is_value(word) and (last[:2] != "--" or "=" in last) else word
            for last, word in zip(previous, before, strict=False)
        ]
    return [*before, *(_MARK + word if word[:1] == "-" != word else word for word in behind)]


def _unmarked(value: object) -> object:
    if isinstance(value, list):
        return [_unmarked(item) for item in value]
    return value.removeprefix(_MARK) if isinstance(value, str) else value


def _width() -> int:
    """How wide help may be. Parsing asks for it too, and argparse would import `shutil` to find out."""
    try:
        columns = int(os.environ.get("COLUMNS", "0")) or os.get_terminal_size().columns
    except (OSError, ValueError):  # no terminal
        columns = 0
    return max(20, (columns or 80) - 2)


def _no_command(name: str) -> int:
    from abs_compiler import __version__
    from abs_compiler.cli.console import report
    from abs_compiler.cli.failure import CommandError

    if name in ("-h", "--help", "-V", "--version"):
        with report() as out:
            out.write(f"absc {__version__}\n" if name in ("-V", "--version") else _overview() + "\n")
        return 0
    if not name:
        raise CommandError("no command given (see `absc --help`)")
    import difflib  # only on the way to an error

    near = difflib.get_close_matches(name, COMMANDS, 1)
    hint = f"; one close to it is `{near[0]}`" if near else ""
    raise CommandError(f"there is no {'option' if name[0] == '-' else 'command'} `{name}`{hint} (see `absc --help`)")


def _overview() -> str:
    commands = "\n".join(f"  {name:<8}{summary}" for name, summary in COMMANDS.items())
    return f"""usage: absc COMMAND ... | absc --version | absc COMMAND --help

Compile ABS (Agent Behavior Specification) files and match them against recorded runs of an agent.

commands:
{commands}

exit status: 0 all fine; 1 findings, or a spec that did not match; 2 usage, configuration or input that cannot
be read; 3 nothing failed but something is inconclusive"""


def _complain(message: str) -> None:
    from abs_compiler.cli.console import note

    note(f"absc: {message}")
