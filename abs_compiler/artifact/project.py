"""Where a project begins: the names that artifacts know specs by, and where the cache lies.

The project of a file is the nearest folder above it with a configuration file (`abs-compiler.toml`, or a
`pyproject.toml` that holds a table `tool.abs-compiler`), else the nearest with a `.git`, else the file's own folder.
So a spec goes by the same name from whichever folder, and on whichever machine, it is compiled.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CACHE_FOLDER = ".abs_cache"
CACHE_VARIABLE = "ABS_CACHE_DIR"

_OWN_FILE = "abs-compiler.toml"
_SHARED_FILE = "pyproject.toml"
# The misspelt name counts as well: reading the table says what it is called.
_NAMES = ("abs-compiler", "abs_compiler")
_HEADERS = tuple(f"[tool.{name}".encode() for name in _NAMES)
_MOST_BYTES = 1 << 20


def project_path(path: str | os.PathLike[str]) -> str:
    """The name of a file within its project, with forward slashes."""
    full = os.path.abspath(path)
    folder = os.path.dirname(full)
    root = _configured(folder) or next((item for item in _upwards(folder) if _exists(item, ".git")), folder)
    return full[len(root) :].replace(os.sep, "/").lstrip("/")


def cache_folder() -> str:
    """The folder of the cache: `ABS_CACHE_DIR`, else what the configuration file of the working directory says, else
    `.abs_cache` beside that file, else in the working directory."""
    given = os.environ.get(CACHE_VARIABLE)
    if given:
        return given
    try:
        root = _configured(os.getcwd())
    except OSError:  # the working directory is gone
        root = None
    if root is None:
        return CACHE_FOLDER
    return os.path.join(root, _configured_cache(root) or CACHE_FOLDER)


def _configured_cache(root: str) -> str | None:
    """The `cache-dir` of a configuration file; a file with a mistake says nothing here, `absc lint` reports it."""
    own = _exists(root, _OWN_FILE)
    try:
        with open(os.path.join(root, _OWN_FILE if own else _SHARED_FILE), "rb") as file:
            data = file.read(1 << 20)
        if b"cache-dir" not in data:
            return None
        import tomllib

        table = tomllib.loads(data.decode("utf-8-sig"))
        found = table if own else table["tool"]["abs-compiler"]
        return found["cache-dir"] if isinstance(found["cache-dir"], str) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def configuration_file(folder: str) -> str | None:
    """The nearest configuration file, upwards from a folder."""
    root = _configured(os.path.abspath(folder))
    if root is None:
        return None
    return os.path.join(root, _OWN_FILE if _exists(root, _OWN_FILE) else _SHARED_FILE)


def _configured(folder: str) -> str | None:
    """The nearest folder, upwards from this one, that holds a configuration file."""
    for item in _upwards(folder):
        if _exists(item, _OWN_FILE) or (_exists(item, _SHARED_FILE) and _has_table(item)):
            return item
    return None


def _has_table(folder: str) -> bool:
    try:
        descriptor = os.open(f"{folder}{os.sep}{_SHARED_FILE}", os.O_RDONLY)
    except OSError:
        return False
    try:
        data = os.read(descriptor, min(os.fstat(descriptor).st_size, _MOST_BYTES))
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return any(header in data for header in _HEADERS) or _has_table_written_otherwise(data)


def _has_table_written_otherwise(data: bytes) -> bool:
    """Whether there is a table in one of the many ways to write one: `[tool."abs-compiler"]`, a key with dots."""
    if not any(name.encode() in data for name in _NAMES):
        return False
    import tomllib  # the name may also be that of a dependency

    try:
        tables = tomllib.loads(data.decode("utf-8-sig")).get("tool")
    except (ValueError, RecursionError):  # whoever the file is for will say so
        return False
    return isinstance(tables, dict) and not tables.keys().isdisjoint(_NAMES)


def _upwards(folder: str) -> Iterator[str]:
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent


def _exists(folder: str, name: str) -> bool:
    return os.access(f"{folder}{os.sep}{name}", os.F_OK)
