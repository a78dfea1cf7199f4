"""A pattern for a whole value without `^` and `$`: it is looked for anywhere in the text.

`/\\d{4}/` also accepts `12345`, and `/^USD|EUR$/` accepts `USDT`. Reported only where the pattern itself says that it
means the whole: it counts characters up to a number at an open end, or repeats them there without bound, which changes
nothing for a search (`/ORD-\\d+/` finds what `/ORD-\\d/` finds), or lists plain words, or anchors its alternatives
one-sidedly. A pattern with a space is taken for one that looks for a part of a longer text, and so is a kind of
character alone (`/\\d+/`). Every report names a text that the pattern accepts and that it was not meant for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from abs_compiler.diagnostics import Edit, Fix, Help
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.rules.portability.patterns import Pattern, patterns
from abs_compiler.predicate.domains.regex_syntax import Regex, read_regex
from abs_compiler.runtime.patterns import compile_pattern
from abs_compiler.source import Span

_START, _END = ("at", "text-start"), ("at", "text-end")
_LONGEST_SHOWN = 30
_OTHERS = "x1-!"
_SPACE = re.compile(r" |\\s|\\pZ")


def check(context: FileContext) -> Iterator[Report]:
    """Report every pattern that accepts more than its author most likely meant."""
    for pattern in context.shared(patterns):
        root = read_regex(pattern.text, ignore_case=pattern.ignore_case)
        if root is None:
            continue
        report = _one_sided(pattern, root)
        if report is None and pattern.tests_argument:
            report = _open(pattern, root)
        if report is not None:
            yield report


def _one_sided(pattern: Pattern, root: Regex) -> Report | None:
    """`^a|b$`: the anchors belong to one alternative each."""
    if root[0] != "alt" or not (pattern.text.startswith("^") and pattern.text.endswith("$")):
        return None
    first, last = _parts(root[1][0]), _parts(root[1][-1])
    inner = [_parts(branch) for branch in root[1][1:-1]]
    if first[-1] == _END or last[0] == _START or any(_START in parts or _END in parts for parts in inner):
        return None
    witness = _witness(pattern, _sample(root[1][0]) + "x")
    whole = f"^(?:{pattern.text[1:-1]})$"
    fix = Fix(f"write {whole}", (Edit(pattern.place(0, len(pattern.text)), whole),)) if pattern.demands else None
    return Report(
        "regex-unanchored",
        "`^` belongs to the first alternative only, and `$` to the last",
        pattern.place(0, len(pattern.text)),
        "accepts more than the alternatives" if witness is None else f"accepts `{witness}`",
        helps=(Help("to anchor them all, write" if fix else f"to anchor them all, write `{whole}`", fix),),
    )


def _open(pattern: Pattern, root: Regex) -> Report | None:
    """No anchor where the pattern counts characters, or lists words."""
    parts = _parts(root)
    starts, ends = parts[0] == _START, parts[-1] == _END
    if ends:
        return None
    if root[0] == "alt":
        words = None if any(part[0] == "at" for branch in root[1] for part in _parts(branch)) else _words(root)
        return None if words is None else _list_of_words(pattern, words)
    counted = _is_counted(parts[-1]) or (not starts and _is_counted(parts[0]))
    repeated = len(parts) > 1 and (_is_repeated(parts[-1]) or (not starts and _is_repeated(parts[0])))
    if not counted and (not repeated or _SPACE.search(pattern.text)):
        return None
    if any(part[0] == "at" and part != _START for part in parts):
        return None
    sample = _sample(root)
    if _is_counted(parts[-1]):
        more = sample + _sample(parts[-1])[-1:]
    elif _is_repeated(parts[-1]):
        more = sample + _other_character(parts[-1])
    elif _is_counted(parts[0]):
        more = "x" + sample
    else:
        more = _other_character(parts[0]) + sample
    witness = _witness(pattern, more)
    if witness is None:
        return None
    place = pattern.place(0, len(pattern.text))
    edits = [Edit(Span(place.end, place.end), "$")]
    if not starts:
        edits.insert(0, Edit(Span(place.start, place.start), "^"))
    fix = Fix("anchor the pattern", tuple(edits)) if pattern.demands else None
    whole = f"{'' if starts else '^'}{pattern.text}$"
    return Report(
        "regex-unanchored",
        "`matches` looks for the pattern anywhere in the text"
        if not starts
        else "nothing says that the text ends here",
        place,
        f"accepts `{witness}`",
        helps=(Help(f"for the whole text, write `/{whole}/`", fix),),
    )


def _list_of_words(pattern: Pattern, words: list[str]) -> Report | None:
    witness = _witness(pattern, f"x{words[0]}x")
    if witness is None:
        return None
    listed = ", ".join(f'"{word}"' for word in words)
    return Report(
        "regex-unanchored",
        "`matches` looks for these words anywhere in the text",
        pattern.place(0, len(pattern.text)),
        f"accepts `{witness}`",
        helps=(f"for one of these texts, write `in [{listed}]`",),
    )


def _parts(node: Regex) -> tuple[Regex, ...]:
    return node[1] or (node,) if node[0] == "cat" else (node,)


def _is_counted(node: Regex) -> bool:
    return node[0] == "repeat" and node[3] is not None and node[3] > 1


def _is_repeated(node: Regex) -> bool:
    """Whether a kind of character is repeated without bound. What may be any character goes on to the end anyway."""
    if node[0] != "repeat" or node[3] is not None or node[2] > 1 or node[1][0] != "chars":
        return False
    return any(not _holds(node[1][1], char) for char in _OTHERS)


def _other_character(node: Regex) -> str:
    """A character that a repeated kind of character leaves out."""
    return next(char for char in _OTHERS if not _holds(node[1][1], char))


def _holds(ranges: tuple[tuple[int, int], ...], char: str) -> bool:
    return any(low <= ord(char) <= high for low, high in ranges)


def _words(root: Regex) -> list[str] | None:
    """The texts of an alternation of plain words in capitals or digits, as codes are written; None for others."""
    words = []
    for branch in root[1]:
        points = [part[1][0] for part in _parts(branch) if part[0] == "chars" and len(part[1]) == 1]
        if len(points) != len(_parts(branch)) or any(low != high for low, high in points):
            return None
        words.append("".join(chr(low) for low, _ in points))
    return words if all(word.isascii() and word.isalnum() and word == word.upper() for word in words) else None


def _sample(node: Regex) -> str:
    """A text that a pattern is about; a guess where the pattern looks around itself."""
    match node[0]:
        case "chars":
            return _character(node[1])
        case "cat":
            return "".join(_sample(part) for part in node[1])
        case "alt":
            return _sample(node[1][0])
        case "repeat":
            times: int = node[2] if node[3] is None else node[3]
            return _sample(node[1]) * min(times, _LONGEST_SHOWN)
        case _:
            return ""


def _character(ranges: tuple[tuple[int, int], ...]) -> str:
    for wanted in "1aAx-_ ":
        if any(low <= ord(wanted) <= high for low, high in ranges):
            return wanted
    return chr(ranges[0][0]) if ranges else ""


def _witness(pattern: Pattern, text: str) -> str | None:
    """The text, where the pattern accepts it and it can be shown."""
    if len(text) > _LONGEST_SHOWN or not text.isprintable() or "`" in text:
        return None
    return text if compile_pattern(pattern.text, ignore_case=pattern.ignore_case).test(text) else None
