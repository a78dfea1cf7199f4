"""Valid specs, and random changes to their text of the kinds that hands, editors and generators make."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

from tests.support.absc import ROOT
from tests.support.conformance import conformance_cases

_PIECES = (
    '$is', '$literal', '$from', '{{x}}', '{{', '}}', "'", '"', ':', ': ', '- ', '#', ' #', '\t', '  ', '\n', '|',
    '>', '&a ', '*a', '!', '!!int ', '<<: *a', '{', '}', '[', ']', ',', 'null', 'true', '0.2', '1e400', '.inf',
    '-1', '%', '@', '\\', '\\d', '\x00', '\x85', '\u2028', '\ufeff', '😀', 'é', '---\n', '...\n', 'with',
    'with_only', 'actor', 'action', 'evaluations', 'ordered: false', 'include: x', 'unordered', 'one_of', 'repeat',
    'optional: true', 'requires: a', 'type: never', 'match', "when: '{{x}}'", 'matches /(/', 'integer > 5 and < 3',
    'absent', '# abs: ignore[ABS102]', '# abs: file-ignore[x]', '# abs: ignore',
)  # fmt: skip
_TOKEN = re.compile(r"[\w.-]+|\s+|.", re.DOTALL)


@cache
def valid_specs() -> tuple[str, ...]:
    """Specs of the examples, the golden artifacts and the conformance cases that are text and compile."""
    texts = [path.read_text(encoding="utf-8") for path in _files()]
    for case in conformance_cases():
        if case.expected != "refused":
            texts.append(case.source.decode("utf-8"))
    return tuple(dict.fromkeys(texts))


def mutated(text: str, random_: random.Random) -> str:
    """The text with one to four changes."""
    for _ in range(random_.choice((1, 1, 1, 1, 2, 4))):
        text = random_.choice(_CHANGES)(text, random_)
    return text


def _files() -> list[Path]:
    return sorted(
        [*(ROOT / "specs" / "examples").glob("*.abs.yaml"), *(ROOT / "tests/golden/artifact/specs").iterdir()]
    )


def _delete(text: str, random_: random.Random) -> str:
    start = random_.randrange(len(text) + 1)
    return text[:start] + text[start + random_.choice((1, 1, 2, 5, 30)) :]


def _insert(text: str, random_: random.Random) -> str:
    at = random_.randrange(len(text) + 1)
    return text[:at] + random_.choice(_PIECES) * random_.choice((1, 1, 1, 3)) + text[at:]


def _swap(text: str, random_: random.Random) -> str:
    tokens = _TOKEN.findall(text)
    if len(tokens) < 2:
        return text
    one, two = random_.randrange(len(tokens)), random_.randrange(len(tokens))
    tokens[one], tokens[two] = tokens[two], tokens[one]
    return "".join(tokens)


def _replace(text: str, random_: random.Random) -> str:
    tokens = _TOKEN.findall(text)
    if tokens:
        tokens[random_.randrange(len(tokens))] = random_.choice(_PIECES)
    return "".join(tokens)


def _reuse(text: str, random_: random.Random) -> str:
    """Put a word of the text in the place of another one."""
    tokens = _TOKEN.findall(text)
    words = [at for at, token in enumerate(tokens) if token[0].isalnum()]
    if words:
        tokens[random_.choice(words)] = tokens[random_.choice(words)]
    return "".join(tokens)


def _lines(text: str, random_: random.Random) -> str:
    """Repeat, drop, move or indent a line."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    at = random_.randrange(len(lines))
    match random_.randrange(5):
        case 0:
            lines.insert(at, lines[at])
        case 1:
            del lines[at]
        case 2:
            lines.insert(random_.randrange(len(lines)), lines.pop(at))
        case 3:
            lines[at] = " " * random_.choice((1, 2, 4)) + lines[at]
        case _:
            lines[at] = lines[at].removeprefix(" " * random_.choice((1, 2, 4)))
    return "".join(lines)


def _cut(text: str, random_: random.Random) -> str:
    return text[: random_.randrange(len(text) + 1)]


def _quote(text: str, random_: random.Random) -> str:
    tokens = _TOKEN.findall(text)
    if tokens:
        at = random_.randrange(len(tokens))
        tokens[at] = random_.choice(("'", '"')) + tokens[at] + random_.choice(("'", '"', ""))
    return "".join(tokens)


_CHANGES = (_delete, _insert, _insert, _swap, _replace, _reuse, _reuse, _reuse, _lines, _lines, _cut, _quote)
