"""The code blocks of README.md, for the tests that execute them and for `.ci/run`.

Takes nothing but README.md; gives its fenced blocks in order. Run as a script with a number it prints the
n-th `sh` block, so that continuous integration runs exactly the commands a newcomer is told to run.
Standard library only: it runs before anything is installed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]

_FENCE = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block: its language, the file name after it (or ""), its text, and the line it starts on."""

    language: str
    file: str
    text: str
    line: int


def blocks() -> list[Block]:
    """Every fenced block of README.md, in order."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = []
    for fence in _FENCE.finditer(readme):
        language, _, file = fence["info"].strip().partition(" ")
        found.append(Block(language, file, fence["text"], readme.count("\n", 0, fence.start()) + 2))
    return found


def shell_commands() -> list[str]:
    """The text of every `sh` block, in order: the first installs and runs an example, the second tests."""
    return [block.text.strip() for block in blocks() if block.language == "sh"]


if __name__ == "__main__":
    print(shell_commands()[int(sys.argv[1]) - 1])
