"""Target globs against a regular expression built from the same pattern."""

import re

from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.runtime.targets import TargetNames, glob_matches

PATTERNS = st.text(alphabet="ab*./", max_size=6)
NAMES = st.text(alphabet="ab./\n", max_size=7)


@given(PATTERNS, NAMES)
def test_globs_equal_their_regular_expression(pattern, name):
    expression = ".*".join(re.escape(part) for part in pattern.split("*"))
    assert glob_matches(pattern, name) == (re.fullmatch(expression, name, re.DOTALL) is not None)


def test_many_stars_stay_fast():
    assert not glob_matches("a*" * 200 + "b", "a" * 5000)


def test_mapped_targets_match_the_listed_names_and_themselves():
    names = TargetNames({"Order MCP": ["get_order", "orders/*"]}, ())
    assert names.matches("Order MCP", "get_order")
    assert names.matches("Order MCP", "orders/a/b")
    assert names.matches("Order MCP", "Order MCP")
    assert not names.matches("Order MCP", "order mcp")
    assert not names.matches("Order MCP", None)
    assert names.matches(None, None)
    assert not names.matches("get_order", "Order MCP")


def test_ignored_names_may_be_globs_or_mapped_targets():
    names = TargetNames({"Log": ["log_*"]}, ("Log", "debug*"))
    assert names.ignored("log_line")
    assert names.ignored("debug.trace")
    assert names.ignored("Log")
    assert not names.ignored("logs")
    assert not names.ignored(None)
