"""The grammar files: free of conflicts, shared literals, loaded late."""

import json
import os
import re
import subprocess
import sys

import lark
import pytest
from lark import Lark

from abs_compiler.predicate import grammar
from abs_compiler.predicate.grammar import grammar_text
from tests.support.absc import ROOT, environment
from tests.support.grammar_tables import tables_text


@pytest.mark.parametrize("name", ["predicate", "when"])
def test_a_grammar_is_free_of_conflicts(name):
    """In strict mode lark refuses shift/reduce conflicts."""
    grammar.build(grammar_text(name), strict=True)


@pytest.mark.parametrize("name", ["predicate", "when"])
def test_the_terminals_of_a_grammar_do_not_collide(name):
    """With interegular, lark in strict mode also refuses terminals of which it cannot know which one is meant."""
    pytest.importorskip("interegular", reason="of the development tools: .ci/run runs this test with them")
    Lark(grammar_text(name), parser="lalr", lexer="contextual", strict=True)


@pytest.mark.parametrize("name", ["predicate", "when"])
def test_the_tables_of_a_grammar_are_those_that_lark_makes_of_it(name):
    """UPDATE_GOLDEN=1 writes them anew."""
    made = tables_text(name)
    file = ROOT / "grammar" / f"{name}.tables.json"
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(made, encoding="utf-8")
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert kept["grammar"] == grammar.digest(grammar_text(name))
    if kept["lark"] != lark.__version__:
        pytest.skip(f"the tables are of lark {kept['lark']}; lark {lark.__version__} reads the grammar itself")
    assert kept == json.loads(made)


class Plain:
    """A builder that keeps what it is given."""

    def __getattr__(self, rule):
        if rule.startswith("__"):
            raise AttributeError(rule)
        return lambda children: (rule, *children)


TEXTS = [
    "integer",
    "integer > 5 and not < 9",
    "each (string matches /a/i)",
    'has {a: 1, "b"?: {{c}}}',
    "in [1, 2",
    "= 5",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_tables_read_what_the_grammar_reads(text, monkeypatch):
    def read(parse):
        try:
            return parse(text)
        except grammar.StoppedError as stopped:
            return stopped.at, stopped.expected

    from_tables = grammar.parser("predicate", Plain())
    monkeypatch.setattr(grammar, "_tables", lambda name, text: None)
    assert read(grammar.parser("predicate", Plain())) == read(from_tables)


def test_tables_of_another_version_of_lark_are_left_alone(monkeypatch):
    monkeypatch.setattr(lark, "__version__", "0.0.1")
    assert grammar._tables("when", grammar_text("when")) is None


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
