"""The recorded session cases: what must be refused is refused at a place, the rest gives sound programs."""

import base64
import json

from abs_compiler.diagnostics import Severity
from abs_compiler.ir.verify import verify
from abs_compiler.pipeline import compile_source
from tests.support.shared import needs_shared, shared_root

# These documents are sound; what is wrong is what is bound, or that nothing is.
REFUSED_AT_BIND = {
    "var-12-object-embedded",
    "var-24-self-capture",
    "var-25-case-sensitive",
    "opt-06-expected-when-missing-column",
    "opt-21-when-string-false",
}
# Nothing can be shown of a text that was never decoded.
WITHOUT_PLACE = {"doc-27-utf16"}


def cases(*needs):
    root = shared_root()
    for name in ("sessions.jsonl", "sessions2.jsonl"):
        for line in (root / "cases" / name).read_text(encoding="utf-8").split("\n"):
            case = json.loads(line) if line.strip() else None
            if case and case["needs"] in needs:
                yield case


def compiled(case):
    source = base64.b64decode(case["spec_b64"]) if case.get("spec_b64") else case["spec_yaml"]
    programs, diagnostics = compile_source(source, "case.abs.yaml")
    return programs, [item for item in diagnostics if item.severity is Severity.ERROR]


@needs_shared
def test_mistakes_are_refused_at_their_place():
    refused = 0
    for case in cases("matching", "match", "evaluations"):
        if case["expected"] != "error" or case["id"] in REFUSED_AT_BIND:
            continue
        programs, errors = compiled(case)
        assert errors, case["id"]
        assert programs == (), case["id"]
        assert case["id"] in WITHOUT_PLACE or all(item.labels for item in errors), case["id"]
        refused += 1
    assert refused >= 55


@needs_shared
def test_the_others_give_sound_programs():
    accepted = 0
    for case in cases("matching", "match", "evaluations"):
        if case["expected"] == "error" and case["id"] not in REFUSED_AT_BIND:
            continue
        programs, errors = compiled(case)
        assert errors == [], case["id"]
        assert programs, case["id"]
        assert [verify(program) for program in programs] == [[]] * len(programs), case["id"]
        accepted += 1
    assert accepted >= 180
