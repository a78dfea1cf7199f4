"""The explain pages: one Markdown text a code, `ABS101.md` beside this file."""

from __future__ import annotations

import functools

from abs_compiler.diagnostics.registry import Code, registry

_SUFFIX = ".md"


def find_code(word: str) -> Code | None:
    """The code that a user names: `ABS101`, `abs101` or `duplicate-keys`."""
    word = word.strip().lower()
    return next((row for row in registry() if word in (row.code.lower(), row.name)), None)


def has_page(code: str) -> bool:
    """Whether a code (`ABS101`) has a page."""
    return code in _pages()


def page(code: str) -> str | None:
    """The page of a code (`ABS101`) as Markdown, or None where there is none."""
    if not has_page(code):
        return None
    from importlib import resources  # slow to import, and seldom needed

    return resources.files(__package__).joinpath(code + _SUFFIX).read_text(encoding="utf-8")


def summary(code: str) -> str:
    """The first sentence of a code's page, in one line and without the severity; empty where it has none."""
    text = page(code) or ""
    return text.partition("\n\n")[2].partition("\n\n")[0].partition(": ")[2].replace("\n", " ").removesuffix(".")


@functools.cache
def _pages() -> frozenset[str]:
    from importlib import resources

    names = (entry.name for entry in resources.files(__package__).iterdir())
    return frozenset(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))
