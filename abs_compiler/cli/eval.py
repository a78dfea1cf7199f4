"""Try a predicate on values: true or false with the reason, and the set it denotes in plain words.

PREDICATE is what stands in `{$is: '…'}`. VALUE is JSON ('5', '"text"', '[1, 2]'), or the word absent for an argument
that is not sent.

exit status: 0 the predicate holds for every value; 1 it does not hold for one, or nothing could satisfy it;
2 usage, or a predicate or value that cannot be read
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser, Namespace
from typing import Any

from abs_compiler.cli.bindings import given_values
from abs_compiler.cli.console import report
from abs_compiler.cli.dataset import parse_json
from abs_compiler.cli.failure import CommandError
from abs_compiler.diagnostics import Label, Sink
from abs_compiler.diagnostics.render import render_full
from abs_compiler.predicate import Predicate, PredicateSyntaxError, findings, parse, references
from abs_compiler.predicate.explain import set_in_words, try_predicate
from abs_compiler.runtime.errors import BindError
from abs_compiler.runtime.predicates import ABSENT
from abs_compiler.source import SourceFile, Span

UNREADABLE_STATUS = 2
_NUMBER = re.compile(r"-?[0-9.]")
_SHOWN = 80


def configure(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("predicate", metavar="PREDICATE")
    parser.add_argument("values", metavar="VALUE", nargs="*")
    parser.add_argument("--var", metavar="NAME=TEXT", action="append", default=[])
    parser.add_argument("--var-json", metavar="NAME=JSON", action="append", default=[])
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def is_value(word: str) -> bool:
    """Whether a word is a value although it begins like an option: `-1e3`."""
    return _NUMBER.match(word) is not None


def run(arguments: Namespace) -> int:
    """Try the predicate; the exit status. Raises CommandError for a value that cannot be read."""
    given = given_values(arguments.var, arguments.var_json)
    values = [(shortened(text), _value(text)) for text in arguments.values]
    sink = Sink(SourceFile("predicate", arguments.predicate), "predicate")
    predicate = _read(sink, arguments.predicate)
    with report(None, arguments.color) as out:
        if sink.diagnostics():
            out.write(render_full(sink.diagnostics(), color=out.color, explain=True))
        if predicate is None:
            return UNREADABLE_STATUS
        if sink.has_errors:
            return 1
        _refuse_other_names(predicate, given)
        try:
            answers = [(text, try_predicate(predicate, value, given)) for text, value in values]
        except BindError as error:
            raise CommandError(str(error)) from None
        out.write(f"the set: {set_in_words(predicate, given)}\n")
        for text, answer in answers:
            out.write(f"{'true ' if answer.holds else 'false'}  {text}  {answer.reason}\n")
    return 0 if all(answer.holds for _, answer in answers) else 1


def _read(sink: Sink, text: str) -> Predicate | None:
    """The predicate, its findings reported; None where it cannot be read."""
    try:
        predicate = parse(text)
    except PredicateSyntaxError as error:
        also = [Label(Span(item.start, item.end), item.label) for item in error.also]
        helps = [item.text for item in error.helps]
        sink.report(error.code_name, error.message, Span(error.start, error.end), error.label, also=also, helps=helps)
        return None
    for found in findings(predicate):
        also = [Label(Span(item.start, item.end), item.label) for item in found.also]
        helps = [item.text for item in found.helps]
        sink.report(found.code_name, found.message, Span(found.start, found.end), found.label, also=also, helps=helps)
    return predicate


def _value(text: str) -> Any:
    if text == "absent":
        return ABSENT
    try:
        return parse_json(text, f"the value `{shortened(text)}`")
    except CommandError as error:
        raise CommandError(f"{error}{_quote_advice(text)}") from None


def _quote_advice(text: str) -> str:
    """How a text is written, where the value is probably meant to be one."""
    if text[:1] in ("[", "{") or _NUMBER.match(text):
        return ""
    bare = text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text.strip('"')
    written = json.dumps(bare, ensure_ascii=False).replace("'", "'\\''")
    return f"; a text is written with its quotes: '{shortened(written)}'"


def shortened(text: str) -> str:
    """A value as it was given, cut in the middle where it is long."""
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN // 2]}…{text[-_SHOWN // 4 :]}"


def _refuse_other_names(predicate: Predicate, given: dict[str, Any]) -> None:
    names = {item.name for item in references(predicate)}
    for name in given:
        if name not in names:
            raise CommandError(f"the predicate mentions no `{name}`")
    for name in sorted(names - given.keys()):
        raise CommandError(f"no value for `{name}`: give it with `--var {name}=TEXT` or `--var-json {name}=JSON`")
