"""The pipeline: files and texts that cannot be compiled are diagnostics, whatever they hold."""

import subprocess
import sys

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abs_compiler.diagnostics import Severity
from abs_compiler.ir.verify import verify
from abs_compiler.options import CompileOptions
from abs_compiler.pipeline import analyse, compile_path, compile_source
from abs_compiler.syntax import Limits
from tests.support.permissions import needs_file_modes, obeying_file_modes

SPEC = """\
session: t
abs_version: "0.2"
behaviors:
  - {actor: assistant, action: calls, target: A, with: {id: "{{x}}"}}
"""


def names(result):
    programs, diagnostics = result
    assert programs == () or all(item.severity is not Severity.ERROR for item in diagnostics)
    return [item.name for item in diagnostics]


def test_a_file(tmp_path):
    path = tmp_path / "a.abs.yaml"
    path.write_text(SPEC, encoding="utf-8")
    programs, diagnostics = compile_path(path)
    assert (len(programs), diagnostics) == (1, [])
    assert programs[0]["source"]["path"] == path.as_posix()


def test_files_that_cannot_be_read(tmp_path):
    assert names(compile_path(tmp_path / "missing.yaml")) == ["unreadable-file"]
    assert names(compile_path(tmp_path)) == ["unreadable-file"]
    assert names(compile_path("nul\0name")) == ["unreadable-file"]


@needs_file_modes
def test_a_file_without_permission(tmp_path):
    path = tmp_path / "a.abs.yaml"
    path.write_text(SPEC, encoding="utf-8")
    path.chmod(0)
    program = "import sys; from abs_compiler.pipeline import compile_path as c; print(c(sys.argv[1])[1][0].message)"
    command = [*obeying_file_modes(), sys.executable, "-c", program, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "cannot read the file: permission denied\n"


def test_no_more_of_a_file_is_read_than_the_limit(tmp_path):
    path = tmp_path / "a.abs.yaml"
    path.write_bytes(b"# " + b"x" * 5000)
    assert names(compile_path(path, CompileOptions(limits=Limits(file_bytes=1000)))) == ["too-large"]
    assert names(compile_path("/dev/zero", CompileOptions(limits=Limits(file_bytes=1000)))) == ["too-large"]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"", "empty-file"),
        (b"\xff\xfes\x00", "not-utf8"),
        (b"\x00\x01\x02", "not-utf8"),
        (b"session: caf\xe9\n", "not-utf8"),
        ("session: \ud800\n", "not-utf8"),
    ],
)
def test_texts_that_cannot_be_decoded(data, name):
    assert names(compile_source(data)) == [name]


def test_the_byte_that_is_not_utf8_is_shown():
    _, (found,) = compile_source("session: café\nx: ".encode() + b"\xe9\n")
    assert found.source.position(found.labels[0].span.start) == (2, 4)
    assert found.helps


def test_one_document_with_a_mistake_stops_the_file():
    programs, diagnostics = compile_source(SPEC + "---\nsession: u\nabs_version: '0.2'\nbehaviors: 1\n")
    assert programs == ()
    assert [item.name for item in diagnostics] == ["wrong-kind"]


def test_warnings_do_not_stop_it():
    programs, diagnostics = compile_source(SPEC.replace("calls", "call"))
    assert len(programs) == 1
    assert [item.name for item in diagnostics] == ["unknown-action"]


def test_all_stages_can_be_looked_at():
    found = analyse(SPEC)
    assert (len(found.documents), len(found.spec.sessions), len(found.irs), len(found.programs)) == (1, 1, 1, 1)
    wrong = analyse(SPEC.replace("behaviors", "behaviours"))
    assert (len(wrong.documents), wrong.programs) == (1, ())


def test_the_same_text_gives_the_same_program_and_diagnostics():
    text = SPEC.replace("actor", "actr")
    first, second = ([attrs.evolve(item, source=None) for item in compile_source(text)[1]] for _ in range(2))
    assert first == second != []
    assert compile_source(SPEC) == compile_source(SPEC.encode())


WORDS = [
    *("session", "abs_version", '"0.2"', '"0.1"', "behaviors", "fragments", "include", "actor", "action", "target"),
    *("with", "with_only", "capture", "evaluations", "type", "tool_call", "ordered", "false", "calls", "says", "match"),
    *(
        "extras",
        "forbid",
        "optional",
        "requires",
        "id",
        "$is",
        "$literal",
        "'{{x}}'",
        "'{{ x }}'",
        "1",
        "null",
        "a",
        "b",
    ),
    *(
        "sequence",
        "order",
        "count",
        "min",
        "all_of",
        "when",
        "'{{p}} == 1'",
        "schema",
        "contains",
        "value",
        "unordered",
    ),
]
NODES = st.recursive(
    st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.lists(st.tuples(st.sampled_from(WORDS), inner), max_size=4, unique_by=lambda pair: pair[0]).map(
            lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
        )
    ),
    max_leaves=12,
)
BEHAVIOR = st.lists(st.tuples(st.sampled_from(WORDS), NODES), max_size=4, unique_by=lambda pair: pair[0])


@settings(max_examples=250)
@given(st.lists(BEHAVIOR, max_size=3), st.lists(st.tuples(st.sampled_from(WORDS), NODES), max_size=2))
def test_whatever_the_document_it_is_refused_or_gives_a_sound_program(behaviors, top):
    lines = ["session: t", 'abs_version: "0.2"', *(f"{key}: {value}" for key, value in top), "behaviors:"]
    for behavior in behaviors:
        pairs = ["actor: assistant", "action: calls", *(f"{key}: {value}" for key, value in behavior)]
        lines.append("  - {" + ", ".join(pairs) + "}")
    programs, diagnostics = compile_source("\n".join(lines))
    errors = [item for item in diagnostics if item.severity is Severity.ERROR]
    assert bool(programs) != bool(errors)
    assert all(item.labels for item in errors)
    for program in programs:
        assert verify(program) == []


@settings(max_examples=200)
@given(st.integers(0, len(SPEC)), st.integers(0, 8), st.text(max_size=4))
def test_no_edit_of_a_document_is_a_crash(at, length, put):
    names(compile_source(SPEC[:at] + put + SPEC[at + length :]))
