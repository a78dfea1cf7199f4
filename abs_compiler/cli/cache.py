"""Show or empty the cache of compiled specs.

  info    where it is, how many results it holds, how large they are and may become
  clean   remove every result
  dir     print its folder and nothing else

The cache lies in ABS_CACHE_DIR, else in .abs_cache beside the configuration file (abs-compiler.toml, or pyproject.toml
with a table tool.abs-compiler), else in .abs_cache in the working directory. Results are found by their content: a spec
that did not change, compiled by the same compiler with the same options, is not compiled again. Removing them is always
safe. `--no-cache` of `absc match` and `absc compile` does without.

exit status: 0 done; 2 usage, or a folder that cannot be read or emptied
"""

from __future__ import annotations

from abs_compiler.artifact.cache import Cache, Stored
from abs_compiler.artifact.project import cache_folder
from abs_compiler.cli.console import report
from abs_compiler.cli.failure import CommandError
from abs_compiler.files import reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("action", choices=("info", "clean", "dir"))


def run(arguments: Namespace) -> int:
    """Show or empty the cache; the exit status."""
    cache = Cache(cache_folder())
    with report() as out:
        try:
            match arguments.action:
                case "dir":
                    out.write(f"{cache.folder}\n")
                case "clean":
                    files = cache.files()
                    cache.remove(files)
                    out.write(f"removed {_results(files)} from {cache.folder}\n")
                case _:
                    out.write(f"folder   {cache.folder}\n{_info(cache)}")
        except OSError as error:
            raise CommandError(f"cannot look into the cache in `{cache.folder}`: {reason(error)}") from None
    return 0


def _info(cache: Cache) -> str:
    return f"results  {_results(cache.files())}\nlimit    {_size(cache.limit)}; beyond it the oldest results go\n"


def _results(files: list[Stored]) -> str:
    entries = [item for item in files if item.is_entry]
    unfinished = len(files) - len(entries)
    text = f"{len(entries)} result{'' if len(entries) == 1 else 's'} ({_size(sum(item.size for item in files))})"
    return text + (f" and {unfinished} never finished" if unfinished else "")


def _size(count: int) -> str:
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes"
