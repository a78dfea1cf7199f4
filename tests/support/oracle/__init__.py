"""A decider that is slow and obvious: it tries every assignment of behaviors to events.

Takes a program (the plain JSON between compiler and runtime), bindings and events as dictionaries; gives the verdict
that the language's definitions demand. It shares no code with the runtime, which the tests compare with it.
"""

from tests.support.oracle.decide import Decision, decide, earliest_ends, most_matched, wrong_steps
from tests.support.oracle.values import equal

__all__ = ["Decision", "decide", "earliest_ends", "equal", "most_matched", "wrong_steps"]
