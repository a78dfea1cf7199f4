"""Programs whose optional behaviors decide much: bounded at load, and quick where everything matches."""

import json

import pytest

import abs_compiler as absc
from abs_compiler.runtime import load_programs, selection


def spec(count):
    optional = "".join(
        f"  - {{actor: assistant, action: calls, target: t{i}, optional: true, capture: {{v: {i}}}}}\n"
        for i in range(count)
    )
    last = '  - {actor: assistant, action: calls, target: end, with: {id: "{{v}}"}}\n'
    return f'session: s\nabs_version: "0.2"\nbehaviors:\n{optional}{last}'


def call(target, **arguments):
    return {"actor": "assistant", "action": "calls", "target": target, "with": arguments}


def test_a_program_beyond_the_bound_is_no_program_of_the_compiler():
    (matcher,) = absc.compile_text(spec(10))
    data = json.loads(json.dumps(matcher.program))
    extra = dict(data["behaviors"][0], target="more", capture={"v": ["=", 99]})
    data["behaviors"].insert(0, extra)
    with pytest.raises(absc.ArtifactError, match="than can be tried"):
        load_programs([data])


def test_what_promises_no_more_is_not_tried(monkeypatch):
    tried = []

    def counting(*arguments):
        tried.append(arguments)
        return align(*arguments)

    align = selection.align
    monkeypatch.setattr(selection, "align", counting)
    (matcher,) = absc.compile_text(spec(10))
    events = [call(f"t{i}") for i in range(10)] + [call("noise") for _ in range(300)] + [call("end", id=9)]
    verdict = matcher.match(events)
    assert verdict.status == "passed"
    assert [step.state for step in verdict.steps] == ["matched"] * 11
    assert len(tried) == 1  # of 1,024 choices


def test_the_best_choice_is_found_where_the_most_promising_fails():
    (matcher,) = absc.compile_text(spec(3))
    events = [call("t0"), call("t1"), call("t2"), call("end", id=1)]
    assert [step.state for step in matcher.match(events).steps] == ["matched", "matched", "skipped", "matched"]
