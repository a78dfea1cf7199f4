"""Compiled artifacts: programs to bytes, and bytes to matchers. Data only: nothing in an artifact is ever run.

An artifact is one header line and one line of canonical JSON, both ASCII:

    absc-artifact FORMAT COMPILER SHA256
    {"programs":[...]}

FORMAT is the version of this format, COMPILER the version of the compiler that wrote it, SHA256 the checksum of the
whole file with the checksum and the space before it left out. `specs/artifact.md` describes every field. Decoding
checks the header, the checksum and then, field by field, everything that the programs hold.
"""

from __future__ import annotations

import json
from os import fstat

from abs_compiler import __version__

from .automaton import DEFAULT_BUDGET
from .canonical import FORMAT_VERSION, canonical, sha256
from .errors import ArtifactError, ArtifactFormatError, BindError, CorruptArtifactError, NotAnArtifactError
from .matcher import Matcher, load_programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike
    from typing import Any

    from .plan import Options

MAGIC = b"absc-artifact"
MAX_BYTES = 64 * 1024 * 1024

_LONGEST_HEADER = 256
_MOST_BUDGET = 1 << 40
_FIELDS = frozenset(("programs", "bindings", "options"))
_OPTION_FIELDS = frozenset(("allow_empty", "budget", "ignore", "observe", "targets"))


def encode(
    programs: Iterable[Mapping[str, Any]],
    *,
    bindings: Mapping[str, Any] | None = None,
    options: Options | None = None,
) -> bytes:
    """The artifact that holds these programs (one for every session of a file, in the file's order).

    `bindings` and `options` are those of a matcher; they are kept for `Matcher.to_bytes`. Equal input gives equal
    bytes: the order of keys plays no part. Raises ArtifactError where the result would be too large to be read.
    """
    payload: dict[str, Any] = {"programs": list(programs)}
    if bindings:
        payload["bindings"] = dict(bindings)
    kept = {} if options is None else _kept_options(options)
    if kept:
        payload["options"] = kept
    body = canonical(payload) + b"\n"
    if len(body) > MAX_BYTES - _LONGEST_HEADER:
        raise ArtifactError(f"an artifact of more than {MAX_BYTES:,} bytes could not be read")
    head = b"%s %d %s" % (MAGIC, FORMAT_VERSION, __version__.encode())
    return b"%s %s\n%s" % (head, _checksum(head, body), body)


def encode_matcher(matcher: Matcher) -> bytes:
    """The artifact of one matcher: its session with its bindings and options."""
    return encode([matcher.program], bindings=matcher._bindings, options=matcher._options)


def load(source: str | PathLike[str] | bytes | bytearray | memoryview) -> tuple[Matcher, ...]:
    """The matchers in an artifact, a file's path or its bytes: one for every session, in the order of the spec file.

    Raises ArtifactError (no artifact, another format version, or corrupt: three subclasses) and, for a path, OSError.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return decode(bytes(source))
    with open(source, "rb") as file:
        # Asking for the limit at once would make room for it, and that costs more than all the rest.
        data = file.read(min(fstat(file.fileno()).st_size, MAX_BYTES) + 1)
        data += file.read(MAX_BYTES + 1 - len(data))
    try:
        return decode(data)
    except ArtifactError as error:
        raise type(error)(f"{source}: {error}") from None


def load_one(data: bytes, path: str) -> Matcher:
    """The matcher in the artifact of one matcher; how matchers are unpickled."""
    matchers = decode(data, path)
    if len(matchers) != 1:
        raise CorruptArtifactError(f"the artifact holds {len(matchers)} sessions, not the one of a matcher")
    return matchers[0]


def is_artifact(data: bytes) -> bool:
    """Whether bytes say that they are an artifact, of whatever version and in whatever state."""
    return data.startswith(MAGIC + b" ")


def decode(data: bytes, path: str | None = None) -> tuple[Matcher, ...]:
    """The matchers in the bytes of an artifact; see `load`. Reports call the spec `path` in place of the name in it."""
    payload, compiler = open_artifact(data)
    try:
        matchers = _matchers(payload)
    except (ArtifactError, BindError) as error:
        by = "" if compiler == __version__ else f" (written by absc {compiler}; this is {__version__})"
        raise CorruptArtifactError(f"the artifact holds something no artifact may hold{by}: {error}") from None
    if path is not None:
        for matcher in matchers:
            matcher._program.path = path
    return matchers


def open_artifact(data: bytes) -> tuple[dict[str, Any], str]:
    """The payload of an artifact, its fields still unchecked, and the version of the compiler that wrote it.

    Raises ArtifactError as `load` does."""
    if not is_artifact(data):
        raise NotAnArtifactError("this is no compiled artifact; `absc compile` makes one from a spec")
    if len(data) > MAX_BYTES:
        raise CorruptArtifactError(f"the artifact is larger than {MAX_BYTES:,} bytes")
    end = data.find(b"\n", 0, _LONGEST_HEADER)
    fields = data[: _LONGEST_HEADER if end < 0 else end].split(b" ")
    version = fields[1].decode("latin-1")
    if version != str(FORMAT_VERSION) and version.isdecimal() and version[0] != "0":
        raise ArtifactFormatError(
            f"the artifact is of format {version}, and this version (absc {__version__}) reads format "
            f"{FORMAT_VERSION}; compile the spec anew"
        )
    if end < 0 or len(fields) != 4 or version != str(FORMAT_VERSION):
        raise CorruptArtifactError("the artifact is corrupt: its header is not complete")
    body = data[end + 1 :]
    if fields[3] != _checksum(data[: end - len(fields[3]) - 1], body):
        raise CorruptArtifactError("the artifact is corrupt: its checksum does not fit its content; compile it anew")
    try:
        payload = _JSON.decode(body.decode("ascii"))
        compiler = fields[2].decode("ascii")
        if not compiler or not compiler.isprintable():
            raise ValueError("no version of a compiler")
    except (ValueError, RecursionError):  # what they say is about the interpreter
        raise CorruptArtifactError("the artifact is corrupt: what it holds cannot be read; compile it anew") from None
    return payload, compiler


def _matchers(payload: Any) -> tuple[Matcher, ...]:
    """The matchers of a payload. Raises ArtifactError or BindError where it is not what `encode` writes."""
    if payload.__class__ is not dict or not payload.keys() <= _FIELDS:
        raise ArtifactError("not the expected fields")
    programs = payload.get("programs")
    if programs.__class__ is not list or not programs:
        raise ArtifactError("programs: not a list of at least one")
    matchers = load_programs(programs, **_options(payload["options"]) if "options" in payload else {})
    if "bindings" in payload:
        bindings = payload["bindings"]
        if bindings.__class__ is not dict:
            raise ArtifactError("bindings: not an object")
        matchers = tuple(matcher.bind(bindings) for matcher in matchers)
    return matchers


def _kept_options(options: Options) -> dict[str, Any]:
    """The options of a matcher that are not as they would be without saying."""
    kept: dict[str, Any] = {}
    if options.observe is not None:
        kept["observe"] = options.observe
    if options.targets:
        kept["targets"] = {name: list(globs) for name, globs in options.targets.items()}
    if options.ignore:
        kept["ignore"] = list(options.ignore)
    if options.allow_empty is not None:
        kept["allow_empty"] = options.allow_empty
    if options.budget != DEFAULT_BUDGET:
        kept["budget"] = min(max(1, options.budget), _MOST_BUDGET - 1)
    return kept


def _options(data: Any) -> dict[str, Any]:
    """The options of a payload, checked. Raises ArtifactError."""
    if data.__class__ is not dict or not data.keys() <= _OPTION_FIELDS:
        raise ArtifactError("options: not the expected fields")
    targets, budget = data.get("targets", {}), data.get("budget", DEFAULT_BUDGET)
    if data.get("observe", "all") not in ("all", "tools"):
        raise ArtifactError("options.observe: neither all nor tools")
    if targets.__class__ is not dict or not all(map(_is_texts, targets.values())):
        raise ArtifactError("options.targets: not lists of texts")
    if not _is_texts(data.get("ignore", [])):
        raise ArtifactError("options.ignore: not a list of texts")
    if data.get("allow_empty", False).__class__ is not bool:
        raise ArtifactError("options.allow_empty: not a boolean")
    if budget.__class__ is not int or not 0 < budget < _MOST_BUDGET:
        raise ArtifactError("options.budget: not a count")
    return dict(data)


def _is_texts(value: Any) -> bool:
    return value.__class__ is list and all(item.__class__ is str for item in value)


def _checksum(head: bytes, body: bytes) -> bytes:
    """The checksum of an artifact with this header (up to the checksum) and this rest."""
    return sha256(b"%s\n%s" % (head, body))


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{text} is beyond all numbers")
    return value


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


_JSON = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse)
