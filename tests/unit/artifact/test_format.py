"""The format of artifacts: what they hold, that they are the same bytes every time, and what is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import abs_compiler as absc
from abs_compiler.artifact import encode
from abs_compiler.runtime.artifact import FORMAT_VERSION, MAX_BYTES, load
from abs_compiler.runtime.errors import ArtifactFormatError, CorruptArtifactError, NotAnArtifactError
from tests.support.artifacts import (
    CHECKED,
    CHECKED_RUN,
    REFUND,
    REFUND_RUN,
    refund_matcher,
    sealed,
    spec_text,
    tampered,
)


@pytest.fixture(scope="module")
def artifact() -> bytes:
    return refund_matcher().bind(REFUND).to_bytes()


def head_and_body(artifact: bytes) -> tuple[list[bytes], bytes]:
    head, _, body = artifact.partition(b"\n")
    return head.split(b" "), body


def test_the_header_and_the_payload(artifact: bytes) -> None:
    (magic, version, compiler, checksum), body = head_and_body(artifact)
    assert (magic, int(version), compiler.decode()) == (b"absc-artifact", FORMAT_VERSION, absc.__version__)
    assert sealed(b" ".join((magic, version, compiler)), body) == artifact
    assert artifact.isascii()
    assert len(checksum) == 64
    payload = json.loads(body)
    assert payload.keys() == {"programs", "bindings"}
    assert payload["bindings"] == REFUND
    canonical = json.dumps(payload, sort_keys=True, separators=(",", ":")) + "\n"
    assert body.decode() == canonical


def test_a_loaded_matcher_is_the_one_that_was_kept(artifact: bytes) -> None:
    (loaded,) = absc.load(artifact)
    kept = refund_matcher().bind(REFUND)
    assert (loaded.session, loaded.path, loaded.parameters) == (kept.session, kept.path, kept.parameters)
    assert (loaded.names, loaded.dataset, loaded.missing) == (kept.names, kept.dataset, ())
    for events in (REFUND_RUN, REFUND_RUN[:2], []):
        assert loaded.match(events).to_dict() == kept.match(events).to_dict()
        assert loaded.match(events).explain() == kept.match(events).explain()
    assert loaded.match(REFUND_RUN).status == "passed"
    assert loaded.to_bytes() == artifact


def test_from_a_path_and_from_bytes_of_any_kind(artifact: bytes, tmp_path: Path) -> None:
    file = tmp_path / "refund.absc"
    file.write_bytes(artifact)
    for source in (file, str(file), artifact, bytearray(artifact), memoryview(artifact)):
        (matcher,) = load(source)
        assert matcher.to_bytes() == artifact
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "missing.absc")


def test_the_sessions_of_a_file_in_their_order() -> None:
    matchers = absc.compile_text(spec_text("two-sessions"))
    whole = encode([matcher.program for matcher in matchers])
    assert [matcher.session for matcher in absc.load(whole)] == ["in any order", "only tools"]
    assert [[item.session for item in absc.load(matcher.to_bytes())] for matcher in matchers] == [
        ["in any order"],
        ["only tools"],
    ]


def test_the_order_of_keys_plays_no_part(artifact: bytes) -> None:
    def reversed_keys(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: reversed_keys(value[key]) for key in reversed(value)}
        return [reversed_keys(item) for item in value] if isinstance(value, list) else value

    program = refund_matcher().program
    assert encode([reversed_keys(program)]) == encode([program])
    (loaded,) = load(tampered(artifact, lambda payload: payload.update(reversed_keys(payload))))
    assert loaded.to_bytes() == artifact


def test_an_artifact_of_another_compiler_is_read(artifact: bytes) -> None:
    (magic, version, _, _), body = head_and_body(artifact)
    (loaded,) = load(sealed(b" ".join((magic, version, b"0.0.9")), body))
    assert loaded.to_bytes() == artifact


@pytest.mark.parametrize(
    "data", [b"", b"a", b"absc-artifact", b"session: x\n", b"\x80\x04K\x01.", b"absc-artifacts 1 "]
)
def test_what_is_no_artifact(data: bytes) -> None:
    with pytest.raises(NotAnArtifactError, match="no compiled artifact; `absc compile` makes one"):
        load(data)


@pytest.mark.parametrize("version", [b"2", b"10", b"4294967296"])
def test_another_version_of_the_format(artifact: bytes, version: bytes) -> None:
    (magic, _, compiler, _), body = head_and_body(artifact)
    message = rf"of format {version.decode()}, and this version \(absc {absc.__version__}\) reads format 1"
    for data in (
        sealed(b" ".join((magic, version, compiler)), body),
        b"absc-artifact %s whatever comes then" % version,
    ):
        with pytest.raises(ArtifactFormatError, match=message):
            load(data)


@pytest.mark.parametrize(
    "head",
    [
        b"absc-artifact 1",
        b"absc-artifact 1 ",
        b"absc-artifact x 0.1.0",
        b"absc-artifact 01 0.1.0",
        b"absc-artifact 1 0.1.0 more",
        b"absc-artifact -1 0.1.0",
        b"absc-artifact 1 " + b"9" * 300,
    ],
)
def test_a_damaged_header(artifact: bytes, head: bytes) -> None:
    with pytest.raises(CorruptArtifactError, match="corrupt"):
        load(sealed(head, head_and_body(artifact)[1]))


def test_every_byte_flipped(artifact: bytes) -> None:
    for index in range(len(artifact)):
        for mask in (0x01, 0x20, 0xFF):
            damaged = artifact[:index] + bytes([artifact[index] ^ mask]) + artifact[index + 1 :]
            with pytest.raises(absc.ArtifactError):
                load(damaged)


def test_every_length_cut(artifact: bytes) -> None:
    for length in range(len(artifact)):
        with pytest.raises(absc.ArtifactError):
            load(artifact[:length])


def test_bytes_added_or_line_ends_changed(artifact: bytes) -> None:
    for damaged in (artifact + b"\n", artifact + b" ", artifact.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + artifact):
        with pytest.raises(absc.ArtifactError):
            load(damaged)


def test_the_three_errors_are_told_apart_in_files_too(artifact: bytes, tmp_path: Path) -> None:
    (magic, _, compiler, _), body = head_and_body(artifact)
    for kind, data, words in (
        (NotAnArtifactError, b"session: x", "no compiled artifact"),
        (ArtifactFormatError, sealed(b" ".join((magic, b"7", compiler)), body), "format 7"),
        (CorruptArtifactError, artifact[:-2], "corrupt"),
    ):
        file = tmp_path / "refund.absc"
        file.write_bytes(data)
        with pytest.raises(kind, match=words) as caught:
            load(file)
        assert str(caught.value).startswith(f"{file}: ")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\n",
        b"{",
        b"[]\n",
        b"null\n",
        b"{}\n",
        b'{"programs":[]}\n',
        b'{"programs":{}}\n',
        b'{"programs":[[]]}\n',
        b'{"programs":[{}]}\n',
        b'{"programs":"\xff"}\n',
        b'{"programs":[NaN]}\n',
        b'{"programs":[1e999]}\n',
        b'{"programs":[' + b"9" * 5000 + b"]}\n",
        b'{"programs":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
    ],
)
def test_whole_but_no_payload(artifact: bytes, body: bytes) -> None:
    head = b" ".join(head_and_body(artifact)[0][:3])
    with pytest.raises(CorruptArtifactError):
        load(sealed(head, body))


def first_program(payload: dict[str, Any]) -> Any:
    return payload["programs"][0]


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "an unknown field of the payload": lambda payload: payload.update(code="print()"),
    "an unknown field of a program": lambda payload: first_program(payload).update(code="print()"),
    "an unknown field of a behavior": lambda payload: first_program(payload)["behaviors"][0].update(x=1),
    "no bindings": lambda payload: payload.update(bindings=[]),
    "a name the file never mentions": lambda payload: payload["bindings"].update(other=1),
    "a value missing": lambda payload: payload["bindings"].pop("cases.id"),
    "a value that does not fit": lambda payload: payload["bindings"].update({"cases.phrase": {}}),
    "an option nobody knows": lambda payload: payload.update(options={"trace": True}),
    "an observation nobody knows": lambda payload: payload.update(options={"observe": "nothing"}),
    "targets that are no lists": lambda payload: payload.update(options={"targets": {"a": "b"}}),
    "ignored numbers": lambda payload: payload.update(options={"ignore": [1]}),
    "an empty trace that counts 1": lambda payload: payload.update(options={"allow_empty": 1}),
    "a budget of nothing": lambda payload: payload.update(options={"budget": 0}),
    "a budget without bounds": lambda payload: payload.update(options={"budget": 1 << 100}),
    "an action that is no text": lambda payload: first_program(payload)["behaviors"][0].update(action=None),
    "a requirement that comes later": lambda payload: first_program(payload)["behaviors"][2].update(requires=3),
    "a group that ends behind the last": lambda payload: first_program(payload).update(groups=[[1, 99]]),
    "groups that overlap": lambda payload: first_program(payload).update(groups=[[0, 3], [2, 4]]),
    "a count below nothing": lambda payload: first_program(payload)["match"].update(extras=-1),
    "a flag that is a number": lambda payload: first_program(payload)["behaviors"][0].update(optional=1),
    "a template of an unknown kind": lambda payload: first_program(payload)["behaviors"][2].update(
        content=["run", "x"]
    ),
    "a position that is a text": lambda payload: first_program(payload)["behaviors"][0].update(at=["1", 1]),
    "a constant of any depth": lambda payload: first_program(payload)["behaviors"][2].update(
        content=["=", json.loads("[" * 400 + "]" * 400)]
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_whole_but_not_what_the_compiler_writes(artifact: bytes, change: Callable[[dict[str, Any]], object]) -> None:
    with pytest.raises(CorruptArtifactError, match="holds something no artifact may hold"):
        load(tampered(artifact, change))


@pytest.mark.parametrize("pattern", ["(a", "a{1000}{1000}", r"\\1", "(?=a)", r"\ud800", "x" * 1001])
def test_a_pattern_that_the_engine_refuses(pattern: str) -> None:
    """In the place of a pattern of any kind: refused, or at least no crash and no pass."""
    (matcher,) = absc.compile_text(CHECKED)
    head, _, body = matcher.to_bytes().partition(b"\n")
    pieces = body.split(b"P+T")
    refused = 0
    for place in range(1, len(pieces)):
        changed = b"P+T".join(pieces[:place]) + pattern.encode() + b"P+T".join(pieces[place:])
        try:
            (loaded,) = load(sealed(head.rpartition(b" ")[0], changed))
        except CorruptArtifactError as error:
            refused += "pattern" in str(error)
        else:
            assert loaded.bind({"name": "x"}).match(CHECKED_RUN).status != "passed"
    assert refused >= 2


def test_what_is_no_json_is_not_encoded() -> None:
    program = refund_matcher().program
    for value in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match="JSON"):
            encode([{**program, "session": value}])


def test_too_large_to_read_is_refused_both_ways(artifact: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("abs_compiler.runtime.artifact.MAX_BYTES", len(artifact) - 1)
    with pytest.raises(CorruptArtifactError, match="larger than"):
        load(artifact)
    with pytest.raises(absc.ArtifactError, match="could not be read"):
        refund_matcher().bind(REFUND).to_bytes()
    assert MAX_BYTES == 64 * 1024 * 1024
