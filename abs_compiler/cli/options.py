"""Options that several commands share. Imports nothing of the compiler, so that a cached result needs none of it."""

from __future__ import annotations

from abs_compiler.cli.failure import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from abs_compiler.plain_options import PlainOptions

ARTIFACT_ENDING = ".absc"

# Where a program holds what users wrote, in which a key `target` says nothing.
_WRITTEN = frozenset(("args", "content", "capture", "value", "schema"))


def add_compile_options(parser: ArgumentParser) -> None:
    """The options that change what a spec compiles to."""
    parser.add_argument(
        "--observe",
        choices=("all", "tools"),
        help="what the recorded runs show: everything, or tool events only (overrides the spec)",
    )
    parser.add_argument(
        "--target",
        action="append",
        default=[],
        metavar="NAME=RECORDED,...",
        help='the recorded names of a target, `*` for any text: --target "Order MCP=get_order,orders/*"',
    )


def plain_compile_options(arguments: Namespace) -> PlainOptions:
    """The compile options given, as plain data. Raises CommandError for a malformed `--target`."""
    targets: dict[str, list[str]] = {}
    for item in arguments.target:
        name, _, globs = item.partition("=")
        listed = [glob.strip() for glob in globs.split(",") if glob.strip()]
        if not name.strip() or not listed:
            raise CommandError(f'`--target {item}`: write "NAME=RECORDED,..." such as "Order MCP=get_order,orders/*"')
        targets.setdefault(name.strip(), []).extend(listed)
    return {"observe": arguments.observe, "targets": targets, "limits": None}


def refuse_unknown_targets(targets: Iterable[str], programs: Iterable[Mapping[str, Any]]) -> None:
    """Raise CommandError for a name of `--target` that no compiled session uses: a typo must not pass."""
    wanted = set(targets)
    if not wanted:
        return
    known: set[str] = set()
    for program in programs:
        known |= {*_targets(program["behaviors"]), *_targets(program["checks"]), *program["match"]["ignore"]}
    for name in sorted(wanted - known):
        import difflib  # only on the way to an error

        near = difflib.get_close_matches(name, sorted(known), 1, 0.5) or sorted(known)[:8]
        names = f"; there {'is' if len(near) == 1 else 'are'} {', '.join(f'`{item}`' for item in near)}" if near else ""
        raise CommandError(f"`--target`: no spec uses a target `{name}`{names}")


def _targets(data: Any) -> Iterator[str]:
    """The targets of behaviors, evaluations and selectors in a part of a program."""
    if isinstance(data, list):
        for item in data:
            yield from _targets(item)
    elif isinstance(data, dict):
        for key, value in data.items():
            if key == "target" and isinstance(value, str):
                yield value
            elif key not in _WRITTEN:
                yield from _targets(value)


def refuse_artifact(path: str, verb: str) -> None:
    """Raise CommandError for an artifact where a spec is wanted."""
    if path.lower().endswith(ARTIFACT_ENDING):
        raise CommandError(f"`{path}` is an artifact, a spec compiled already: {verb} the spec that it was made of")


def add_cache_options(parser: ArgumentParser) -> None:
    """Whether results are kept and taken from where they were kept."""
    parser.add_argument(
        "--no-cache", action="store_true", help="compile every spec anew, and keep nothing (see `absc cache --help`)"
    )


def add_report_options(parser: ArgumentParser, formats: Sequence[str]) -> None:
    """The options that say how and where the report is written."""
    parser.add_argument("--format", choices=formats, default=formats[0], help="default: %(default)s")
    parser.add_argument("--output", metavar="FILE", help="write the report to a file instead of standard output")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
