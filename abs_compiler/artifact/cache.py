"""The cache: a folder of compiled results, one file for every key.

Writers write a file of their own and rename it into place, so readers see whole entries whoever is killed when, and
the last of several writers of one key wins with equal bytes. A damaged entry counts as none and is written anew. A
folder that cannot be written costs a note and nothing else. What there is to tell the user collects in `notes`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time

from abs_compiler.artifact.entry import DamagedEntryError, decode_entry
from abs_compiler.files import UNFINISHED, reason, replace_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SIZE_LIMIT = 256 * 1024 * 1024

_KEY_LENGTH = 64
_ENTRY = ".entry"
_ABANDONED_AFTER = 3600  # seconds
_MISSING = (errno.ENOENT, errno.ENOTDIR)

# Other tools leave a folder alone that says it is a cache; git, one that ignores all it holds.
_MARKS = {
    ".gitignore": "*\n",
    "CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n# The cache of absc.\n",
}


class Stored:
    """One file of the cache: an entry, or what a writer left unfinished."""

    __slots__ = ("modified", "name", "size")

    def __init__(self, name: str, size: int, modified: int) -> None:
        self.name = name
        self.size = size
        self.modified = modified

    @property
    def is_entry(self) -> bool:
        return self.name.endswith(_ENTRY)


class Cache:
    """One folder. `limit` bounds the bytes of its files: beyond it, the oldest entries go."""

    __slots__ = ("_damaged", "_failed", "_size", "folder", "limit", "notes")

    def __init__(self, folder: str, limit: int = SIZE_LIMIT) -> None:
        self.folder = folder
        self.limit = limit
        self.notes: list[str] = []
        self._damaged: set[str] = set()
        self._failed = False
        self._size: int | None = None

    def get(self, key: str) -> tuple[list[Any], bytes] | None:
        """The warnings and the artifact kept under a key, or None."""
        try:
            with open(self._path(key), "rb") as file:
                return decode_entry(key, file.read())
        except OSError as error:
            if error.errno not in _MISSING:
                self._damaged.add(key)
        except DamagedEntryError:
            self._damaged.add(key)
        return None

    def refuse(self, key: str) -> None:
        """Count an entry as damaged that was whole but cannot be used."""
        self._damaged.add(key)

    def put(self, key: str, entry: bytes, name: str) -> None:
        """Keep an entry (see `entry.encode_entry`); `name` stands for its spec in a note."""
        if self._failed:
            return
        try:
            self._write(key, entry)
        except OSError as error:
            self._failed = True
            self.notes.append(
                f"warning: the cache in `{self.folder}` cannot be written ({reason(error)}); nothing is kept there"
            )
            return
        if key in self._damaged:
            self._damaged.discard(key)
            self.notes.append(f"note: the cached result of `{name}` was damaged; it was made anew")
        self._bound(len(entry))

    def files(self) -> list[Stored]:
        """Every file of the cache, oldest first. A folder that is not there holds none; raises OSError otherwise."""
        found = []
        try:
            with os.scandir(self.folder) as items:
                for item in items:
                    if _is_ours(item.name):
                        with contextlib.suppress(FileNotFoundError):
                            status = item.stat(follow_symlinks=False)
                            found.append(Stored(item.name, status.st_size, status.st_mtime_ns))
        except FileNotFoundError:
            return []
        return sorted(found, key=lambda item: (item.modified, item.name))

    def remove(self, items: list[Stored]) -> None:
        """Remove files of the cache; those that are gone already do not matter. Raises OSError."""
        for item in items:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(self.folder, item.name))

    def _path(self, key: str) -> str:
        return os.path.join(self.folder, key + _ENTRY)

    def _write(self, key: str, entry: bytes) -> None:
        for tries_left in (2, 1, 0):
            try:
                self._make_folder()
                replace_file(self._path(key), entry)
                return
            except FileNotFoundError:  # somebody empties the cache at this moment, unfinished files included
                if not tries_left:
                    raise

    def _make_folder(self) -> None:
        if os.path.isdir(self.folder):
            return
        os.makedirs(self.folder, exist_ok=True)
        for name, text in _MARKS.items():
            with open(os.path.join(self.folder, name), "w", encoding="ascii") as file:
                file.write(text)

    def _bound(self, added: int) -> None:
        """Keep the size below the limit. Counts what this process adds; looks at the folder at first and when full."""
        if self._size is not None:
            self._size += added
            if self._size <= self.limit:
                return
        with contextlib.suppress(OSError):
            files = self.files()
            before = time.time_ns() - _ABANDONED_AFTER * 1_000_000_000
            abandoned = [item for item in files if not item.is_entry and item.modified < before]
            kept = [item for item in files if item not in abandoned]
            size = sum(item.size for item in kept)
            surplus = []
            if size > self.limit:
                for item in kept:  # down to nine tenths, so that not every entry looks at the whole folder
                    if item.is_entry and size > self.limit * 9 // 10:
                        surplus.append(item)
                        size -= item.size
            self.remove(abandoned + surplus)
            self._size = size


def _is_ours(name: str) -> bool:
    key, _, rest = name.partition(".")
    return (
        len(key) == _KEY_LENGTH
        and all(char in "0123456789abcdef" for char in key)
        and f".{rest}".endswith((_ENTRY, UNFINISHED))
    )
