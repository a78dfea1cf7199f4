"""The options that hold for a spec: those of the command line over those of its configuration file.

Imports nothing of the compiler where no configuration file says anything about compiling.
"""

from __future__ import annotations

import functools
import os

from abs_compiler.artifact.project import configuration_file
from abs_compiler.cli.failure import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from abs_compiler.plain_options import PlainOptions

_KEYS = (b"limits", b"observe", b"targets")


def configured(path: str | os.PathLike[str], options: PlainOptions) -> PlainOptions:
    """The options of a spec. Raises CommandError for a configuration file with a mistake."""
    file = configuration_file(os.fspath(path).rpartition(os.sep)[0] or ".")
    own = None if file is None else _own(file)
    if own is None:
        return options
    return {
        "observe": options["observe"] or own["observe"],
        "targets": {**own["targets"], **options["targets"]},
        "limits": options["limits"] or own["limits"],
    }


@functools.cache
def _own(file: str) -> dict[str, Any] | None:
    """What a configuration file says about compiling; None for nothing."""
    try:
        with open(file, "rb") as opened:
            data = opened.read(1 << 20)
    except OSError:  # reading it whole will say why
        data = b"limits"
    if not any(key in data for key in _KEYS):
        return None
    from abs_compiler.lint.config import read_config
    from abs_compiler.lint.settings import all_limits

    config, problems = read_config(file)
    if problems:
        item = problems[0]
        where = item.path
        if item.source is not None and item.labels:
            where += ":{}:{}".format(*item.source.position(item.labels[0].span.start))
        raise CommandError(f"{where}: {item.message} (`absc lint` shows the place)")
    return {
        "observe": config.observe,
        "targets": {name: list(names) for name, names in config.targets.items()},
        "limits": all_limits(config.limits) if config.limits else None,
    }
