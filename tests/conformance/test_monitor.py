"""The conformance cases event by event: the monitor says after each event what matching the events so far says."""

from __future__ import annotations

import pytest

import abs_compiler as absc
from tests.support.conformance import ConformanceCase, conformance_cases

DECIDED = [case for case in conformance_cases() if case.expected != "refused" and case.files is None]


@pytest.mark.parametrize("case", DECIDED, ids=str)
def test_case(case: ConformanceCase) -> None:
    for matcher in absc.compile_text(case.source):
        bound = matcher.bind(case.bindings)
        monitor = bound.monitor()
        final = None
        for seen, event in enumerate(case.events, start=1):
            running = monitor.feed(event)
            assert running.status == bound.match(case.events[:seen], allow_empty=True).status
            final = final or (running.status if running.final else None)
        verdict = bound.match(case.events)
        assert monitor.finish().to_dict() == verdict.to_dict()
        assert final in (None, verdict.status)
