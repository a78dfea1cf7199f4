"""specs/language.md is executed: its documents compile or are refused as it says, its runs get the verdicts it states.

How blocks are written is told at the top of the page itself ("The examples"). What the page lists (codes, limits,
words, keys, types and their fields) is compared with the code.
"""

from __future__ import annotations

import doctest
import functools
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import attrs
import pytest

import abs_compiler as absc
from abs_compiler.diagnostics import registry
from abs_compiler.pipeline import compile_source
from abs_compiler.runtime import judging, load_programs
from abs_compiler.runtime.judged_texts import MAX_COMBINATIONS
from abs_compiler.runtime.program import MAX_BEHAVIORS
from abs_compiler.runtime.selection import MAX_SWITCHES
from abs_compiler.spec import json_schema, reading, vocabulary
from abs_compiler.spec.evaluation_types import COMMON, TYPES
from abs_compiler.syntax.limits import Limits

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "specs" / "language.md").read_text(encoding="utf-8")

PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "specs").glob("**/*.md"))]

HEAD = 'session: example\nabs_version: "0.2"\n'
BELOW_HEAD = ("behaviors:", "match:", "dataset:", "evaluations:")
DOCUMENTS = ("accepted", "refused", "warned")
VERDICTS = ("passed", "failed", "inconclusive")

_FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block: its language, the words after it, its text, and the line of the page it starts on."""

    language: str
    word: str
    rest: str
    text: str
    line: int


def _blocks() -> list[Block]:
    found = []
    for fence in _FENCE.finditer(PAGE):
        language, _, words = fence["info"].strip().partition(" ")
        word, _, rest = words.partition(" ")
        found.append(Block(language, word, rest, fence["text"], PAGE.count("\n", 0, fence.start()) + 2))
    return found


BLOCKS = _blocks()


def _of_kind(*words: str) -> list[Any]:
    return [pytest.param(block, id=f"line{block.line}") for block in BLOCKS if block.word in words]


def _head(block: Block) -> str:
    """What is understood above the text of a document."""
    if block.text.startswith("- "):
        return HEAD + "behaviors:\n"
    return HEAD if block.text.startswith(BELOW_HEAD) else ""


@functools.cache
def _compiled(block: Block) -> tuple[tuple[Any, ...], list[str]]:
    """The matchers of a document, and its findings as the page writes them: `CODE:LINE`."""
    head = _head(block)
    name = "example.abs.json" if block.language == "json" else "example.abs.yaml"
    programs, diagnostics = compile_source(head + block.text, name)
    found = []
    for item in diagnostics:
        line = item.source.position(item.labels[0].span.start)[0] if item.source is not None and item.labels else 1
        found.append(f"{item.code}:{line - head.count(chr(10))}")
    return load_programs(programs), found


def _document_above(block: Block) -> Block:
    """The document that a run is matched with: the nearest accepted one above it."""
    above = [
        other for other in BLOCKS if other.line < block.line and other.word in DOCUMENTS and other.language != "text"
    ]
    assert above[-1].word != "refused", f"language.md:{block.line}: the document above is refused"
    return above[-1]


@pytest.mark.parametrize("block", _of_kind("accepted", "warned"))
def test_accepted(block: Block) -> None:
    matchers, found = _compiled(block)
    assert found == block.rest.split()
    assert (block.word == "warned") == bool(found)
    assert matchers


@pytest.mark.parametrize("block", _of_kind("refused"))
def test_refused(block: Block) -> None:
    if block.language == "text":
        return
    matchers, found = _compiled(block)
    assert found == block.rest.split()
    assert not matchers


@pytest.mark.parametrize("block", _of_kind(*VERDICTS))
def test_verdict(block: Block) -> None:
    matchers, _ = _compiled(_document_above(block))
    trace = absc.read_trace(block.text.encode())
    values = json.loads(block.rest or "{}")
    verdicts = [matcher.bind(values).match(trace) for matcher in matchers]
    states = {verdict.status for verdict in verdicts}
    status = next(state for state in ("failed", "inconclusive", "passed") if state in states)
    assert status == block.word, "\n".join(verdict.explain() for verdict in verdicts)


@pytest.mark.parametrize("block", [item for item in _of_kind("refused") if item.values[0].language == "text"])
def test_refused_values(block: Block) -> None:
    matchers, _ = _compiled(_document_above(block))
    (matcher,) = matchers
    values = json.loads(block.rest)
    with pytest.raises(absc.BindError) as caught:
        matcher.bind(values)
    lines = _head(_document_above(block)).count("\n")
    message = re.sub(r" at (\d+):", lambda at: f" at {int(at[1]) - lines}:", str(caught.value))
    assert message == " ".join(block.text.split())


def test_the_programs_of_the_page() -> None:
    result = doctest.testfile(str(ROOT / "specs" / "language.md"), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted > 3


# What the page lists


def _section(title: str) -> str:
    """The text below a heading, as far as the next one of any level."""
    _, _, rest = PAGE.partition(f" {title}\n")
    assert rest, title
    return re.split(r"(?m)^#{2,3} ", rest)[0]


def _rows(text: str) -> list[list[str]]:
    """The cells of every table row."""
    lines = [line.strip("|").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in cells] for cells in lines if not set(cells[0]) <= set("|-")]


def _code_words(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_every_section_has_examples_of_both_kinds() -> None:
    heading = re.compile(r"^#{2,3} (.*)$")
    kinds: dict[str, set[str]] = {}
    title = ""
    for line in PAGE.splitlines():
        if found := heading.match(line):
            title = found[1]
            kinds[title] = set()
        elif line.startswith("```"):
            kinds[title].update(line.split()[1:2])
    plain = {"The examples", "2.3 Limits", "3. Behaviors", "11. Codes"}
    plain |= {title for title in kinds if f"{title.split('.')[0]}.1 " in PAGE and re.match(r"\d\. ", title)}
    for title, words in kinds.items():
        if title in plain:
            continue
        assert words & {"accepted", "warned"}, title
        # what no document can get wrong has nothing to refuse
        assert words & {"refused"} or title in ("5.3 Required behaviors", "5.5 Shared events"), title


def test_examples_are_of_known_kinds() -> None:
    for block in BLOCKS:
        known = {"yaml": DOCUMENTS, "json": (*DOCUMENTS, *VERDICTS), "jsonl": VERDICTS, "text": ("refused",)}
        assert block.language == "python" or block.word in known[block.language], f"language.md:{block.line}"


def test_codes() -> None:
    """The table holds what the stages of compiling report, and nothing else."""
    package = ROOT / "abs_compiler"
    files = [package / "pipeline.py"]
    for stage in ("source", "syntax", "spec", "predicate", "ir"):
        files += (package / stage).rglob("*.py")
    sources = "".join(path.read_text(encoding="utf-8") for path in files)
    reported = [[row.code, f"`{row.name}`", row.severity.value] for row in registry() if f'"{row.name}"' in sources]
    assert [row[:3] for row in _rows(_section("11. Codes"))[1:]] == reported


def test_limits() -> None:
    limits = Limits()
    rows = [row[0] for row in _rows(_section("2.3 Limits"))[1:]]
    assert rows == [
        f"{limits.file_bytes:,} bytes",
        f"{limits.depth}",
        f"{limits.nodes:,}",
        f"{limits.scalar_bytes:,} bytes",
        f"{limits.number_chars} characters",
        f"{limits.predicate_chars:,} characters, {limits.predicate_depth} levels",
        f"{limits.regex_chars:,} characters",
        f"{MAX_BEHAVIORS:,}",
        f"{json_schema._MOST_KEYWORDS:,}",
        f"{reading._LARGEST_COUNT:,}",
        f"{MAX_SWITCHES}",
    ]
    assert len(attrs.fields(Limits)) == 8
    assert f"beyond {MAX_COMBINATIONS} combinations" in PAGE
    assert f"({judging.DEFAULT_THRESHOLD} where none is given)" in PAGE


def test_words() -> None:
    text = _section("3.2 Vocabulary")
    assert tuple(_code_words(text.partition("Actors: ")[2].partition(".")[0])) == vocabulary.ACTORS
    for row, (category, actions) in zip(_rows(text)[1:], vocabulary.CATEGORIES.items(), strict=True):
        assert (row[0], tuple(_code_words(row[1]))) == (f"`{category}`", actions)
    for version in vocabulary.VERSIONS:
        assert f'`"{version}"`' in _section("2.4 Documents")


def test_keys() -> None:
    documents = [_code_words(row[0])[0] for row in _rows(_section("2.4 Documents"))[1:]]
    assert sorted(documents) == sorted(vocabulary.DOCUMENT_KEYS)
    behaviors = [word for row in _rows(_section("3.1 Fields"))[1:] for word in _code_words(row[0])]
    assert sorted([*behaviors, "status"]) == sorted(vocabulary.BEHAVIOR_KEYS)
    options = [_code_words(row[0])[0] for row in _rows(_section("9. Match options"))[1:]]
    assert options == list(vocabulary.MATCH_KEYS)


def test_evaluation_types() -> None:
    """Every type is in the table of its level with its fields, what is required first; reserved ones apart."""
    common = [word for row in _rows(_section("7.1 All evaluations"))[1:] for word in _code_words(row[0])]
    assert sorted(common) == sorted(COMMON)
    found: dict[tuple[str, str], set[str]] = {}
    for title, levels in (
        ("7.2 Checks of a step", ("step",)),
        ("7.3 Judged types", ("step", "chain")),
        ("7.4 Checks of the run", ("chain",)),
    ):
        for row in _rows(_section(title))[1:]:
            for name in _code_words(row[0]):
                for level in levels:
                    found[name, level] = set(_code_words(row[1]))
    for name in _code_words(_section("7.5 Compositions").partition(" hold a list")[0]):
        found[name, "step"] = found[name, "chain"] = {"evaluations"}
    expected = {(name, level): set(kind.fields) for name, kind in TYPES.items() for level in kind.levels}
    del expected["preceded", "chain"]
    for name in ("eventually", "never", "count"):
        expected[name, "chain"].remove("after")
    expected["tool_call", "chain"].remove("ordered")
    assert found == expected


def _anchors(page: Path) -> set[str]:
    titles = re.findall(r"(?m)^#+ (.*)$", _FENCE.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links(page: Path) -> None:
    """Links between the pages of the project lead to a file, and to a heading where they name one."""
    for target in re.findall(r"\]\(([^)\s]+)\)", _FENCE.sub("", page.read_text(encoding="utf-8"))):
        if target.startswith("https://"):
            continue
        file, _, anchor = target.partition("#")
        found = (page.parent / file).resolve() if file else page
        assert found.exists(), target
        assert not anchor or anchor in _anchors(found), target


def test_readme_leads_to_every_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for page in (*(ROOT / "specs").glob("*.md"), *(ROOT / "specs").glob("*/README.md")):
        assert f"]({page.relative_to(ROOT)})" in readme, page
