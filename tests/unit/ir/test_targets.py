"""How the recorded names of two targets lie, against enumeration of short names."""

import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.ir.targets import Overlap, overlap

NAMES = ["".join(letters) for length in range(5) for letters in itertools.product("ab", repeat=length)]
GLOBS = st.text("ab*", min_size=1, max_size=3)
TARGETS = st.dictionaries(st.sampled_from(["a", "b", "X", "Y"]), st.lists(GLOBS, min_size=1, max_size=2).map(tuple))


def names(target, targets):
    """Which of the short names (and the target itself) a target means."""
    patterns = [re.compile(".*".join(map(re.escape, glob.split("*")))) for glob in targets.get(target, ())]
    return {name for name in [*NAMES, "X", "Y"] if name == target or any(p.fullmatch(name) for p in patterns)}


@given(st.sampled_from(["a", "b", "X", "Y"]), st.sampled_from(["a", "b", "X", "Y"]), TARGETS)
def test_the_answer_holds_for_every_name(first, second, targets):
    left, right = names(first, targets), names(second, targets)
    match overlap(first, second, targets):
        case Overlap.FIRST:
            assert left <= right
        case Overlap.SECOND:
            assert right <= left
        case Overlap.NONE:
            assert not left & right
        case Overlap.PARTLY:
            assert targets  # without an entry a target is one name, and two are equal or apart


def test_examples():
    targets = {"Order MCP": ("get_order", "orders/*"), "Read MCP": ("get_*",)}
    assert overlap("A", "A", {}) is Overlap.FIRST
    assert overlap("A", "B", {}) is Overlap.NONE
    assert overlap("Order MCP", "get_order", targets) is Overlap.SECOND
    assert overlap("orders/list", "Order MCP", targets) is Overlap.FIRST
    assert overlap("Order MCP", "Order mcp", targets) is Overlap.NONE
    assert overlap("Order MCP", "Read MCP", targets) is Overlap.PARTLY
