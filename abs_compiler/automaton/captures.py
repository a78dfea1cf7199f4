"""Which behavior of a session supplies a name to another, and with what value where the spec itself fixes it.

Takes the IR of a session. Everything is looked up: a session may have thousands of behaviors that capture and mention.
"""

from __future__ import annotations

import bisect

from abs_compiler.automaton.constants import Constant, constant_text
from abs_compiler.ir import Ir
from abs_compiler.spec.model import Capture, Literal, Reference, Text


class Captures:
    """The captures of a session by name; what is worked out once is kept."""

    def __init__(self, ir: Ir) -> None:
        self._ir = ir
        self._of_name: dict[str, tuple[list[int], list[Capture]]] = {}
        self._certain: list[bool] = []
        self._constants: dict[tuple[int, str], Constant | None] = {}
        for index, step in enumerate(ir.steps):
            self._certain.append(self._is_certain(index))
            here: dict[str, Capture] = {}
            for capture in step.behavior.capture:
                here.setdefault(capture.name.text, capture)
            for name, capture in here.items():
                places, captures = self._of_name.setdefault(name, ([], []))
                places.append(index)
                captures.append(capture)
                # In the order of the session, so that what a capture mentions is known before it.
                self._constants[index, name] = self._value(index, capture) if self._certain[index] else None

    def _is_certain(self, index: int) -> bool:
        step = self._ir.steps[index]
        return not step.behavior.optional and (step.requires is None or self._certain[step.requires])

    def _value(self, index: int, capture: Capture) -> Constant | None:
        match capture.value:
            case Literal(value=value):
                return Constant(value)
            case Reference(name=other):
                return self.constant(index, other)
            case Text(parts=parts):
                text = constant_text(parts, lambda name: self.constant(index, name))
                return None if text is None else Constant(text)
            case _:
                return None

    def is_certain(self, index: int) -> bool:
        """Whether a behavior is required whatever happens: neither optional nor hanging on one that is."""
        return self._certain[index]

    def supplier(self, index: int, name: str) -> Capture | None:
        """The nearest capture of a name before a behavior."""
        places, captures = self._of_name.get(name, ([], []))
        before = bisect.bisect_left(places, index)
        return captures[before - 1] if before else None

    def constant(self, index: int, name: str) -> Constant | None:
        """The value of a name as a behavior sees it, where the spec fixes it: the nearest capture before it is one of
        a behavior that is certainly matched, and captures a constant."""
        places, _ = self._of_name.get(name, ([], []))
        before = bisect.bisect_left(places, index)
        return self._constants[places[before - 1], name] if before else None
