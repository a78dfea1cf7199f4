"""Hostile and broken input: one clear diagnostic each, quickly, without deep recursion."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from abs_compiler.diagnostics.render import render
from abs_compiler.source import SourceFile
from abs_compiler.syntax import to_json
from tests.unit.syntax.reading import read

DEEP = 100_000
# Generous: a test machine may be busy. Every case takes a small part of a second on a free one.
SECONDS = 20  # a hang, not a speed: the machine may be busy


def bomb(levels: int, start: str, level: str) -> str:
    lines = [f"a0: &a0 {start}"]
    lines += [f"a{i}: &a{i} {level.format(','.join([f'*a{i - 1}'] * 10), i)}" for i in range(1, levels)]
    return "\n".join(lines) + "\n"


CASES = {
    "deep lists": ("x.yaml", "[" * DEEP, ["too-deep"]),
    "deep closed lists": ("x.yaml", "[" * DEEP + "]" * DEEP, ["too-deep"]),
    "deep JSON lists": ("x.json", "[" * DEEP, ["too-deep"]),
    "deep JSON mappings": ("x.json", '{"a":' * DEEP, ["too-deep"]),
    "deep flow lists in a block": ("x.yaml", "x: " + "[" * DEEP, ["too-deep"]),
    "deep flow mappings in a block": ("x.yaml", "x: " + "{a: " * DEEP, ["too-deep"]),
    "deep flow keys": ("x.yaml", "x: " + "{? " * DEEP, ["too-deep"]),
    "deep dashes": ("x.yaml", "- " * DEEP, ["too-deep"]),
    "deep question marks": ("x.yaml", "? " * DEEP, ["too-deep"]),
    "deep indentation": ("x.yaml", "".join(" " * i + "a:\n" for i in range(1400)), ["too-deep"]),
    "braces": ("x.yaml", "{{" * DEEP, ["too-deep"]),
    "as deep as may be": ("x.yaml", "[" * 64 + "]" * 64, []),
    "JSON as deep as may be": ("x.json", '{"a":' * 64 + "1" + "}" * 64, []),
    "alias bomb": ("x.yaml", bomb(12, "[x,x,x,x,x,x,x,x,x,x]", "[{0}]"), ["alias-expansion-limit"]),
    "merge bomb": ("x.yaml", bomb(12, "{a: 1}", "{{<<: [{0}], k{1}: 1}}"), ["alias-expansion-limit"]),
    "ten megabytes": ("x.yaml", "a: b\n" * 2_000_000, ["too-large"]),
    "ten megabytes of JSON": ("x.json", "[" + "1," * 5_000_000, ["too-large"]),
    "many values": ("x.yaml", "- a\n" * 150_000, ["too-many-nodes"]),
    "many JSON values": ("x.json", "[" + "1," * 150_000, ["too-many-nodes"]),
    "many documents": ("x.yaml", "---\na: 1\n" * 60_000, ["too-many-nodes"]),
    "a long text": ("x.yaml", "a: " + "x" * 900_000, ["scalar-too-long"]),
    "a long quoted text": ("x.yaml", "a: '" + "x y " * 200_000 + "'", ["scalar-too-long"]),
    "a long block of text": ("x.yaml", "a: >\n" + "  xxxx yyy\n" * 80_000, ["scalar-too-long"]),
    "a long JSON text": ("x.json", '["' + "\\n" * 200_000 + '"]', ["scalar-too-long"]),
    "a long key": ("x.yaml", "k" * 900_000 + ": 1", ["scalar-too-long"]),
    "a long number": ("x.yaml", "a: " + "1" * 60_000, ["bad-numbers"]),
    "a long JSON number": ("x.json", "[" + "1" * 900_000 + "]", ["bad-numbers"]),
    "a long time of day": ("x.yaml", "a: " + "1:" * 30_000 + "1", []),
    "a long float": ("x.yaml", "a: 1." + "1" * 60_000, ["bad-numbers"]),
    "tabs": ("x.yaml", "\t" * 900_000, ["yaml-syntax"]),
    "dashes and tabs": ("x.yaml", "-\t" * DEEP, ["yaml-syntax"]),
    "spaces": ("x.yaml", " " * 900_000, ["empty-file"]),
    "line ends": ("x.yaml", "\n" * 900_000, ["empty-file"]),
    "a long comment": ("x.yaml", "#" * 900_000, ["empty-file"]),
    "quotes": ("x.yaml", "'" * 900_001, ["yaml-syntax"]),
    "double quotes": ("x.yaml", '"' * 900_001, ["yaml-syntax"]),
    "an unclosed JSON text": ("x.json", '["' + "\\" * 900_001, ["json-syntax"]),
    "tags": ("x.yaml", "!" * 900_000, ["unknown-tags"]),
    "anchors": ("x.yaml", "&" * 900_000, ["yaml-syntax"]),
    "closing braces": ("x.yaml", "}" * DEEP, ["yaml-syntax"]),
    "colons": ("x.yaml", "a: " * 300_000, ["yaml-syntax"]),
    "blank lines before a mistake": ("x.yaml", "a: 1\n" + "#\n" * 400_000 + "  b: 2\n", ["yaml-syntax"]),
    "lines before a mistake": ("x.yaml", "a:\n" + "     - x\n" * 50_000 + "   b: 1\n", ["yaml-syntax"]),
    "the same mistake over and over": ("x.yaml", "- {{x}}\n" * 20_000, ["bad-reference"]),
    "the same slip over and over": ("x.yaml", "- yes\n" * 40_000, ["ambiguous-scalars"]),
    "keys over and over": ("x.yaml", "a: 1\n" * 40_000, ["duplicate-keys"]),
    "unknown aliases": ("x.yaml", "- *x\n" * 40_000, ["unknown-aliases"]),
    "unused anchors": ("x.yaml", "".join(f"- &a{i} x\n" for i in range(20_000)), ["unused-anchors"]),
    "control characters": ("x.yaml", "a: " + "\x07" * 20_000, ["forbidden-characters"]),
    "halves of surrogate pairs": ("x.yaml", "\ud800" * 20_000, ["forbidden-characters"]),
    "wide characters": ("x.yaml", "a: " + "日" * 20_000 + " b: c", ["yaml-syntax"]),
    "an unclosed predicate": ("x.yaml", "a: {$is: " + "(" * 60_000, ["yaml-syntax"]),
}


@pytest.fixture(autouse=True)
def shallow_recursion() -> Iterator[None]:
    """Nothing on the way needs more than a few hundred levels of the interpreter's stack."""
    limit = sys.getrecursionlimit()
    frame, depth = sys._getframe(), 0
    while frame is not None:
        depth += 1
        frame = frame.f_back
    sys.setrecursionlimit(depth + 400)
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.parametrize(("name", "text", "expected"), CASES.values(), ids=CASES)
def test_one_clear_diagnostic(name: str, text: str, expected: list[str]) -> None:
    started = time.process_time()
    documents, found = read(text, name)
    names = [item.name for item in found]
    assert sorted(set(names)) == expected
    assert len(names) <= 200
    for form in ("full", "concise", "json"):
        assert render(found, form) is not None
    for document in documents:
        to_json(document.root)
        repr(document)
    del documents
    gc.collect()
    assert time.process_time() - started < SECONDS


def test_json_is_read_without_loading_pyyaml() -> None:
    code = """
import sys
from abs_compiler.diagnostics import Sink
from abs_compiler.source import SourceFile
from abs_compiler.syntax import parse
assert parse(SourceFile("x.abs.yaml", '{"a": [1, "b"]}'), Sink(None, "x"))
assert not {"yaml", "lark", "rich", "jsonschema", "re2"} & sys.modules.keys()
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_change_nothing(line_end: str) -> None:
    text = "a: 1\nb:\n  - x\n  - |\n    l1\n\n    l2\nc: 'q\n\n  r'\n"
    documents, found = read(text.replace("\n", line_end))
    assert found == []
    assert to_json(documents[0].root) == {"a": 1, "b": ["x", "l1\n\nl2\n"], "c": "q\nr"}


def test_positions_behind_crlf() -> None:
    text = "a: 1\r\nb: 2\r\na: 3\r\n"
    (item,) = read(text)[1]
    assert SourceFile("x", text).position(item.labels[0].span.start) == (3, 1)
    assert "\r" not in render([item], "full")
