"""Golden failures: for each, the step to blame, the event, the paths, and the whole report, written by hand."""

from pathlib import Path

import pytest
import yaml

import abs_compiler as absc

CASES = sorted((Path(__file__).parent / "failures").glob("*.yaml"))


def load(path):
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    (matcher,) = absc.compile_text(case["spec"], name="shop.abs.yaml")
    return case, matcher.match(case["events"])


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_step_to_blame(path):
    case, verdict = load(path)
    blame = verdict.blame
    assert verdict.status == "failed"
    assert {
        "kind": blame.kind,
        "step": blame.step,
        "event": blame.event,
        "paths": [row.path for row in blame.mismatches],
    } == case["blame"]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_report(path):
    case, verdict = load(path)
    assert verdict.explain() == case["report"].rstrip("\n")


def test_there_are_at_least_twelve():
    assert len(CASES) >= 12
