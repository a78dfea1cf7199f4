"""The grammar files: free of conflicts, shared literals, loaded late."""

import re
import subprocess
import sys

import interegular
import pytest
from lark import Lark

from abs_compiler.predicate.grammar import grammar_text
from tests.support.absc import environment


@pytest.mark.parametrize("name", ["predicate", "when"])
def test_a_grammar_is_free_of_conflicts(name):
    """In strict mode lark refuses shift/reduce conflicts, and (with interegular) terminals that collide."""
    assert interegular.__name__ == "interegular"
    Lark(grammar_text(name), parser="lalr", lexer="contextual", strict=True)


def test_both_languages_have_the_same_literals():
    def literals(name):
        return re.findall(r"(?m)^(?:TEXT|NUMBER|REFERENCE|TRUE|FALSE|NULL): .*", grammar_text(name))

    assert sorted(literals("predicate")) == sorted(literals("when"))
    assert len(literals("when")) == 6


def loaded(code, *names):
    """Which of some modules are loaded after running code in a process of its own."""
    program = f"{code}\nimport sys\nprint(*(name for name in {names!r} if name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.split()


def test_the_parser_generator_is_loaded_with_the_first_predicate():
    code = "from abs_compiler.predicate import parse"
    assert loaded(code, "lark", "re2") == []
    assert loaded(f"{code}; parse('string')", "lark", "re2") == ["lark"]
    assert loaded(f"{code}; parse('matches /a/')", "lark", "re2") == ["lark", "re2"]


def test_the_runtime_loads_re2_with_the_first_pattern_and_nothing_heavy():
    heavy = ("attrs", "attr", "dataclasses", "typing", "lark", "yaml", "re", "re2")
    code = (
        "from abs_compiler.runtime.predicates import check_predicate, compile_predicate, explain_predicate\n"
        "data = ['set', {'integer': [[1, 500]], 'string': ['starts', 'a']}]\n"
        "check_predicate(data); assert compile_predicate(data, {})(5); explain_predicate(data, None)\n"
    )
    bare = loaded("import json", *heavy)
    assert set(loaded(code, *heavy)) <= set(bare)
    pattern = code + "compile_predicate(['set', {'string': ['matches', 'a+', '', '']}], {})\n"
    assert "re2" in loaded(pattern, *heavy)
