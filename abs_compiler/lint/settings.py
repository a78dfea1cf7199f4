"""What holds for each file that is linted: its configuration file and the command line over it.

Imports nothing of the compiler where there is no configuration, so that cached results stay quick.
"""

from __future__ import annotations

import os

from abs_compiler.artifact.project import configuration_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from abs_compiler.diagnostics import Diagnostic
    from abs_compiler.lint.config import Config
    from abs_compiler.lint.selection import Selection

    PlainOptions = dict[str, Any]


class Overrides:
    """What the command line says; it wins over every configuration file."""

    __slots__ = ("exclude", "extend_select", "fail_on", "ignore", "observe", "select", "targets", "tools")

    def __init__(
        self,
        select: tuple[str, ...] | None = None,
        extend_select: tuple[str, ...] = (),
        ignore: tuple[str, ...] = (),
        exclude: tuple[str, ...] = (),
        fail_on: str | None = None,
        observe: str | None = None,
        targets: dict[str, list[str]] | None = None,
        tools: tuple[str, ...] = (),
    ) -> None:
        self.select = select
        self.extend_select = extend_select
        self.ignore = ignore
        self.exclude = exclude
        self.fail_on = fail_on
        self.observe = observe
        self.targets = targets or {}
        self.tools = tools

    @property
    def selects(self) -> bool:
        """Whether they say anything about which findings are shown."""
        return self.select is not None or bool(self.extend_select or self.ignore)


class Settings:
    """The settings of all files of a run. `config` is the path of the one configuration file to use, "" for none at
    all, None for the nearest of each file. `problems` are mistakes in the configuration files that were read,
    `notes` what is to be said of the tools that were."""

    def __init__(self, overrides: Overrides, config: str | None = None) -> None:
        self.problems: list[Diagnostic] = []
        self.notes: list[str] = []
        self._overrides = overrides
        self._config = config
        self._files: dict[str, str | None] = {}
        self._configs: dict[str, Config] = {}
        self._tools: dict[tuple[str, ...], list[Any]] = {}

    def config(self, path: str) -> Config | None:
        """The configuration that holds for a file."""
        file = self._config
        if file is None:
            folder = os.path.dirname(path)
            if folder not in self._files:
                self._files[folder] = configuration_file(folder or ".")
            file = self._files[folder]
        if not file:
            return None
        if file not in self._configs:
            from abs_compiler.lint.config import read_config

            self._configs[file], problems = read_config(file)
            self.problems.extend(problems)
        return self._configs[file]

    def options(self, path: str) -> PlainOptions:
        """The options a file is compiled and linted with, as plain data."""
        config = self.config(path)
        over = self._overrides
        options: PlainOptions = {"observe": over.observe, "targets": over.targets, "limits": None, "extra": []}
        tools = over.tools or self._tools_of(path, config)
        if tools:
            options["tools"] = self._read_tools(tools)
        if config is not None:
            options["observe"] = over.observe or config.observe
            options["targets"] = {**{name: list(names) for name, names in config.targets.items()}, **over.targets}
            if config.limits:
                options["limits"] = all_limits(config.limits)
        if config is not None or over.selects:
            options["extra"] = list(self.selection(path).extra)
        return options

    def _tools_of(self, path: str, config: Config | None) -> tuple[str, ...]:
        """The files of tools that a configuration names, beside it."""
        if config is None or not config.tools:
            return ()
        file = self._config if self._config is not None else self._files[os.path.dirname(path)]
        return tuple(os.path.join(os.path.dirname(file or ""), name) for name in config.tools)

    def _read_tools(self, paths: tuple[str, ...]) -> list[Any]:
        """The tools of some files as plain data, read once. `lint.tool_files.ToolsError`."""
        if paths not in self._tools:
            from abs_compiler.lint.tool_files import read_tools

            tools = read_tools(paths)
            self._tools[paths] = tools.plain()
            self.notes.extend(tools.notes)
        return self._tools[paths]

    def selection(self, path: str) -> Selection:
        """What to show of a file."""
        from abs_compiler.lint.selection import Selection

        config = self.config(path)
        found = Selection() if config is None else config.selection(path)
        over = self._overrides
        if not over.selects:
            return found
        # What is ignored in single files is so whatever a run asks for, as by a comment in them.
        ignore = over.ignore if config is None else (*over.ignore, *config.ignored_in(path))
        return Selection(over.select, over.extend_select, ignore, found.severities, found)

    def fail_on(self, path: str) -> str:
        """The least severity of a finding that fails a run."""
        config = self.config(path)
        return self._overrides.fail_on or (config.fail_on if config is not None else None) or "error"

    def excludes(self, path: str) -> bool:
        """Whether a file is left out when folders are searched."""
        if self._overrides.exclude:
            from abs_compiler.lint.globs import Globs

            if Globs(self._overrides.exclude).hold(os.path.normpath(path).replace(os.sep, "/").lstrip("/")):
                return True
        config = self.config(path)
        return config is not None and config.excludes(path)


def fails(severities: Sequence[str], least: str) -> bool:
    """Whether any of the severities is at least as bad as another."""
    order = ("info", "warning", "error")
    return any(order.index(severity) >= order.index(least) for severity in severities)


def all_limits(given: Any) -> dict[str, int]:
    """All limits, where some are given."""
    import attrs

    from abs_compiler.syntax import Limits

    return attrs.asdict(Limits(**given), recurse=False)
