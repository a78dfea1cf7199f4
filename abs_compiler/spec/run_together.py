"""Keys of braces that are a key and its value in one: `{actor:assistant}`, where a space is missing behind the colon.

To YAML that is one key, `actor:assistant`, without a value; and lines of nothing but such keys, or of
`actor = assistant`, are one text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help
from abs_compiler.source import SourceFile, Span
from abs_compiler.spec.reading import Context
from abs_compiler.syntax import Entry, Node, Scalar

_RUN_TOGETHER = re.compile(r"(?P<key>[A-Za-z_$][\w$-]*):(?P<strange>[\u00a0\u2000-\u200a\u202f\u3000]*)(?=[^\s/])")

_LINE = re.compile(r"[ \t]*(?P<key>[A-Za-z_$][\w$-]*)(?P<sign>:|[ \t]*=[ \t]*)(?=[^\s/:=])")
_MOST_LINES = 50


def report_joined_lines(ctx: Context, node: Node) -> bool:
    """Report a text whose lines all lack the space behind their colon, or have `=` in its place, as one finding. The
    answer is whether it is one."""
    source = ctx.sink.source
    if source is None or not isinstance(node, Scalar) or node.style != "plain" or node.alias_of is not None:
        return False
    lines = source.text[node.span.start : node.span.end].splitlines(keepends=True)
    found: list[tuple[str, Span]] = []
    at = node.span.start
    for line in lines[: _MOST_LINES + 1]:
        match = _LINE.match(line)
        if match is None:
            return False
        found.append((match["key"], Span(at + match.start("sign"), at + match.end("sign"))))
        at += len(line)
    if not found or len(lines) > _MOST_LINES:
        return False
    key, sign = found[0]
    fix = Fix("write `: `", tuple(Edit(span, ": ") for _, span in found), Applicability.UNSAFE)
    if "=" in source.text[sign.start : sign.end]:
        message, help_ = "a key and its value are joined by `: `, not by `=`", f"write `{key}: …`"
    else:
        message, help_ = f"a space is missing after `{key}:`", "put a space behind it"
    more = "" if len(found) == 1 else ", and likewise in the lines below"
    ctx.sink.report("wrong-kind", message, sign, "without it this is one text", helps=(Help(help_ + more, fix),))
    return True


def separated(source: SourceFile | None, entry: Entry) -> tuple[str, Span, Help] | None:
    """The key that was meant, the place of its colon and the help; None for a key that is one."""
    if source is None or entry.value.span.end > entry.value.span.start:
        return None
    found = _RUN_TOGETHER.match(source.text, entry.key_span.start, entry.key_span.end)
    if found is None:
        return None
    colon = Span(found.end("key"), found.end())
    help_ = "put a plain space behind it" if found["strange"] else "put a space behind it"
    return found["key"], colon, Help(help_, Fix(help_, (Edit(colon, ": "),), Applicability.UNSAFE))


def report_run_together(ctx: Context, entries: Iterable[Entry]) -> set[str]:
    """Report each entry that lacks the space behind its colon. Gives the keys that are meant."""
    meant: set[str] = set()
    for entry in entries:
        found = separated(ctx.sink.source, entry)
        if found is None:
            continue
        key, colon, help_ = found
        meant.add(key)
        ctx.sink.report(
            "unknown-key",
            f"a space is missing after `{key}:`",
            colon,
            "without a plain space this is no key",
            helps=(help_,),
        )
    return meant
