"""Which files to lint: files as they are named, and the specs below folders, unless git or the configuration leaves
them out.

Below a folder, `*.abs.yaml`, `*.abs.yml` and `*.abs.json` are specs; hidden files and folders, and what `.gitignore`
files name, are not looked at. A file named itself is linted whatever its name.
"""

from __future__ import annotations

import os

from abs_compiler.lint.globs import Globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

ENDINGS = (".abs.yaml", ".abs.yml", ".abs.json")
_IGNORE_FILE = ".gitignore"
_OWN_IGNORES = os.path.join(".git", "info", "exclude")

# The folder that patterns are written for, and the patterns.
_Ignores = tuple["tuple[str, Globs]", ...]


class UnreadableFolderError(Exception):
    """A folder that cannot be searched."""

    def __init__(self, folder: str, error: OSError) -> None:
        super().__init__(folder)
        self.folder = folder
        self.error = error


def find_specs(
    paths: Iterable[str], excluded: Callable[[str], bool], *, named_too: bool = False
) -> tuple[list[str], dict[str, str]]:
    """The files to lint, in the order of the arguments and of names, each once; and the folders that hold none, with
    the reason.

    `excluded` says what the configuration leaves out; with `named_too`, of files that are named as well. Raises
    UnreadableFolderError.
    """
    found: dict[str, str] = {}
    empty: dict[str, str] = {}
    for path in paths:
        if not os.path.isdir(path):
            if not (named_too and excluded(path)):
                found.setdefault(os.path.realpath(path), path)
            continue
        present = list(_below(path, _ignores_above(path)))
        inside = [item for item in present if not excluded(item)]
        if not inside:
            empty[path] = _why_none(path, present)
        for item in inside:
            real = os.path.realpath(item)
            if real not in found or (os.path.islink(found[real]) and not os.path.islink(item)):
                found[real] = item  # the file's own path, where there is also a link to it
    return list(found.values()), empty


def _why_none(folder: str, excluded: list[str]) -> str:
    """Why there is no spec to lint in a folder of which those were left out."""
    if excluded:
        return "`exclude` or `--exclude` leaves out all that are there"
    if any(True for _ in _below(folder, None)):
        return "git ignores all that are there"
    return f"names of specs end in {', '.join(ENDINGS)}"


def _below(folder: str, ignored: _Ignores | None) -> Iterator[str]:
    """The specs below a folder, without what git ignores; with None, all of them."""
    pending = [(folder, ignored or ())]
    while pending:
        place, ignores = pending.pop()
        try:
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except OSError as error:
            raise UnreadableFolderError(place, error) from None
        if ignored is not None and any(entry.name == _IGNORE_FILE for entry in entries):
            ignores = (*ignores, *_read(place, _IGNORE_FILE))
        folders = []
        for entry in entries:
            if entry.name.startswith("."):
                continue
            is_folder, wanted = _look_at(entry)
            path = entry.name if place == "." else os.path.join(place, entry.name)
            if not wanted or (ignores and _ignored(path, is_folder, ignores)):
                continue
            if is_folder:
                folders.append((path, ignores))
            else:
                yield path
        pending.extend(reversed(folders))


def _look_at(entry: os.DirEntry[str]) -> tuple[bool, bool]:
    """Whether an entry is a folder, and whether it is searched or linted. Folders are not searched through links; a
    link that leads nowhere is linted if its name is that of a spec, so that a report says so."""
    try:
        if entry.is_dir():
            return True, not entry.is_symlink()
        is_file = entry.is_file()
    except OSError:  # a link that leads to itself
        is_file = False
    return False, entry.name.lower().endswith(ENDINGS) and (is_file or entry.is_symlink())


def _ignored(path: str, is_folder: bool, ignores: _Ignores) -> bool:
    """Whether git leaves out something in a folder that it does not leave out: the nearest patterns decide first."""
    full = os.path.abspath(path)
    for folder, globs in reversed(ignores):
        decision = globs.decide(os.path.relpath(full, folder).replace(os.sep, "/"), is_folder=is_folder)
        if decision is not None:
            return decision
    return False


def _ignores_above(folder: str) -> _Ignores:
    """The patterns that hold in a folder without its own: those of the folders above it, up to the repository's."""
    above = []
    current = os.path.abspath(folder)
    while not os.path.exists(os.path.join(current, ".git")):
        parent = os.path.dirname(current)
        if parent == current:
            return ()  # no repository
        current = parent
        above.append(current)
    found = _read(current, _OWN_IGNORES)
    for place in reversed(above):
        found += _read(place, _IGNORE_FILE)
    return found


def _read(folder: str, name: str) -> _Ignores:
    try:
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
            globs = Globs(file)
    except OSError:
        return ()
    return ((os.path.abspath(folder), globs),) if globs else ()
