"""Artifacts that somebody changed on purpose, with a checksum that fits: refused, or harmless.

Harmless: matching ends soon, raises nothing but the public errors, and runs nothing that came from the file.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import abs_compiler.runtime
from abs_compiler.artifact import encode
from abs_compiler.pipeline import compile_source
from abs_compiler.runtime import AbsError, ArtifactError, Matcher
from abs_compiler.runtime.artifact import load
from tests.support.artifacts import CHECKED, CHECKED_RUN, REFUND_RUN, SPECS, sealed
from tests.support.conformance import conformance_cases
from tests.support.oracle.generate import random_case

ROUNDS = 4_000
SECONDS = 3.0

HEAD = encode([]).partition(b"\n")[0].rpartition(b" ")[0]

# What is put in the place of something else.
STRANGE: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    7,
    1 << 31,
    1 << 70,
    0.5,
    1e300,
    "",
    "x",
    "*" * 50,
    "*a" * 20 + "b",
    "{{x}}",
    "__class__",
    "__import__('os').system('true')",
    "(a+)+$",
    "a{1000}{1000}",
    "(a",
    "(?=a)",
    "\\1",
    "\ud800",
    "x" * 5_000,
    [],
    {},
    [[]],
    ["=", 1],
    ["ref", "x"],
    ["ref", "__class__"],
    ["text", ["a", ["ref", "x"]]],
    ["obj", {"a": ["ref", "x"]}],
    ["is", ["re", "(a+)+$"]],
    ["exec", "print(1)"],
    {"$ref": "http://127.0.0.1:1/schema"},
    {"$ref": "#"},
    {"pattern": "(a+)+$"},
    json.loads("[" * 150 + "]" * 150),
    json.loads('{"a":' * 300 + "1" + "}" * 300),
)


def payloads() -> list[dict[str, Any]]:
    """Payloads that hold everything the compiler can emit, and random programs."""
    sources = [(path.read_bytes(), path.name) for path in SPECS] + [(CHECKED.encode(), "checked")] * 4
    sources += [(case.source, "spec") for case in conformance_cases() if case.expected != "refused"][::7]
    found = [list(compile_source(source, name)[0]) for source, name in sources]
    found += [[random_case(Random(seed)).program] for seed in range(20)]
    return [json.loads(encode(programs).partition(b"\n")[2]) for programs in found if programs]


def copied(value: Any) -> Any:
    return json.loads(json.dumps(value))


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in JSON data: the container and the key or index."""
    pending = [value]
    while pending:
        item = pending.pop()
        for key in item if isinstance(item, dict) else range(len(item)):
            yield item, key
            if isinstance(item[key], (dict, list)):
                pending.append(item[key])


def tampered(random: Random, payload: dict[str, Any], others: list[dict[str, Any]]) -> dict[str, Any]:
    """A copy with a few changes of any kind."""
    changed = copied(payload)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        if not changed:
            break
        container, key = random.choice(list(places(changed)))
        match random.randrange(7):
            case 0 | 1:
                container[key] = copied(random.choice(STRANGE))
            case 2:
                del container[key]
            case 3:
                source, place = random.choice(list(places(random.choice([changed, *others]))))
                container[key] = copied(source[place])
            case 4:
                extra = copied(random.choice(STRANGE))
                if isinstance(container, list):
                    container.insert(key, extra)
                else:
                    container[random.choice(("x", "only", "whole", "content", "checks", "type", "when"))] = extra
            case 5 if isinstance(container[key], int) and not isinstance(container[key], bool):
                container[key] += random.choice((-2, -1, 1, 2, 1 << 40))
            case 5 | 6 if isinstance(container[key], list):
                container[key] = container[key] * random.choice((2, 3))
            case _:
                other, place = random.choice(list(places(changed)))
                container[key] = copied(other[place])
    return changed


def use(matcher: Matcher, random: Random) -> None:
    """Everything that can be done with a matcher."""
    events = random.sample(REFUND_RUN * 2, random.randint(0, 6)) + random_case(random).events
    events = random.choice((events, CHECKED_RUN, CHECKED_RUN + events))
    values = {name: random.choice((1, "x", None, [1], {"a": 1})) for name in matcher.missing}
    bound = matcher.bind(values)
    plain = [event for event in events if "recorded" not in event]
    verdict = bound.match(plain)
    assert verdict.explain()
    assert json.dumps(verdict.to_dict(), allow_nan=False)
    monitor = bound.monitor()
    for event in plain:
        monitor.feed(event)
    assert monitor.finish().status == verdict.status
    (again,) = load(bound.to_bytes())
    assert again.match(plain).to_dict() == verdict.to_dict()


# While this is set, whatever would run code, start a process, or look outside raises.
_watching = False


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _watching and event.partition(".")[0] in (
        "compile",
        "exec",
        "open",
        "os",
        "subprocess",
        "socket",
        "urllib",
        "ctypes",
    ):
        raise AssertionError(f"{event} {arguments!r}"[:300])


@pytest.fixture(scope="module")
def watched() -> None:
    """Nothing that came from a file may be run; what the runtime imports late is imported before."""
    for module in pkgutil.iter_modules(abs_compiler.runtime.__path__, "abs_compiler.runtime."):
        importlib.import_module(module.name)
    sys.addaudithook(_watch)


def outcome(artifact: bytes, random: Random) -> str:
    try:
        matchers = load(artifact)
    except ArtifactError:
        return "refused"
    try:
        for matcher in matchers:
            use(matcher, random)
    except AbsError:
        return "refused later"
    return "harmless"


@pytest.mark.parametrize("chunk", range(4))
def test_tampered_with_and_resealed(chunk: int, watched: None) -> None:
    global _watching
    originals = payloads()
    for payload in originals:  # imports what is imported late
        assert outcome(sealed(HEAD, json.dumps(payload).encode()), Random(1)) in ("harmless", "refused later")
    seen: Counter[str] = Counter()
    for seed in range(chunk, ROUNDS, 4):
        random = Random(seed)
        payload = tampered(random, random.choice(originals), originals)
        artifact = sealed(HEAD, json.dumps(payload).encode())
        started = time.perf_counter()
        _watching = True
        try:
            seen[outcome(artifact, random)] += 1
        finally:
            _watching = False
        assert time.perf_counter() - started < SECONDS, seed
    assert min(seen["refused"], seen["harmless"]) > ROUNDS // 4 // 20
