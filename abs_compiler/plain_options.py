"""Compile options as plain data, which keys of the cache are made of and other processes are given, and back."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from abs_compiler.options import CompileOptions

    PlainOptions = dict[str, Any]

# What `plain_options` gives for options that were left alone.
NO_OPTIONS: PlainOptions = {"observe": None, "targets": {}, "limits": None}


def plain_options(options: CompileOptions | None) -> PlainOptions:
    """Compile options as plain JSON data."""
    if options is None:
        return NO_OPTIONS
    import attrs

    from abs_compiler.syntax import Limits

    limits = None if options.limits == Limits() else attrs.asdict(options.limits, recurse=False)
    targets = {name: list(globs) for name, globs in options.targets.items()}
    return {"observe": options.observe, "targets": targets, "limits": limits}


def full_options(options: PlainOptions) -> CompileOptions:
    """The compile options that plain data stand for."""
    from abs_compiler.options import CompileOptions
    from abs_compiler.syntax import Limits

    limits = Limits() if options["limits"] is None else Limits(**options["limits"])
    targets = {name: tuple(globs) for name, globs in options["targets"].items()}
    return CompileOptions(observe=options["observe"], targets=targets, limits=limits)
