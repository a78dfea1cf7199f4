"""`{{name}}` and `{{dataset.column}}` inside text.

Takes a text (and, for exact places, the scalar it stands in); gives literal pieces and references. Anything that
looks like a reference but is not one is reported, never compared literally.
"""

from __future__ import annotations

import re

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help
from abs_compiler.source import Span
from abs_compiler.spec.model import Reference
from abs_compiler.spec.reading import Context
from abs_compiler.syntax import Scalar
from abs_compiler.syntax.offsets import scalar_range

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_REFERENCE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?")

_LITERAL_HELP = "to mean the braces themselves, wrap the value: `{$literal: '…'}`"


def is_name(text: str) -> bool:
    """Whether a text is a name that a reference can mention (without dataset prefix)."""
    return _NAME.fullmatch(text) is not None


def is_reference_name(text: str) -> bool:
    """Whether a text is what may stand between the braces of a reference."""
    return _REFERENCE.fullmatch(text) is not None


def split_text(ctx: Context, scalar: Scalar, text: str) -> tuple[str | Reference, ...] | None:
    """The pieces of a text in order, empty pieces left out; None after reporting what is wrong with it."""
    if "{{" not in text:
        return (text,) if text else ()
    pieces: list[str | Reference] = []
    sound = True
    start = 0
    while True:
        opened = text.find("{{", start)
        if opened < 0:
            break
        closed = text.find("}}", opened + 2)
        if closed < 0:
            _report_open(ctx, place(ctx, scalar, opened, len(text)))
            return None
        if opened > start:
            pieces.append(text[start:opened])
        span = place(ctx, scalar, opened, closed + 2)
        inner = text[opened + 2 : closed]
        if is_reference_name(inner):
            pieces.append(Reference(span, inner))
        else:
            report_bad_reference(ctx, span, inner)
            sound = False
        start = closed + 2
    if start < len(text):
        pieces.append(text[start:])
    return tuple(pieces) if sound else None


def place(ctx: Context, scalar: Scalar, start: int, end: int) -> Span:
    """The source span of characters of a scalar's text; the whole scalar where it cannot be told."""
    source = ctx.sink.source
    if source is None or scalar.alias_of is not None:
        return scalar.span
    return scalar_range(source, scalar, start, end)


def report_bad_reference(ctx: Context, span: Span, inner: str) -> None:
    """Report a text between double braces that is not a name."""
    written = f"{{{{{inner}}}}}"
    stripped = inner.strip()
    helps: tuple[str | Help, ...]
    if stripped != inner and is_reference_name(stripped):
        label = "spaces are not part of the syntax"
        right = f"{{{{{stripped}}}}}"
        source = ctx.sink.source
        exact = source is not None and source.text[span.start : span.end] == written
        fix = Fix(f"write `{right}`", (Edit(span, right),), Applicability.SAFE) if exact else None
        helps = (Help(f"write `{right}`", fix),)
    elif not stripped:
        label = "no name between the braces"
        helps = ("write the name of a variable: `{{name}}`", _LITERAL_HELP)
    elif stripped.count(".") > 1:
        label = "more than one dot"
        helps = ("a reference is `{{name}}` or `{{dataset.column}}`",)
    else:
        label = "not a name"
        helps = (
            "a name holds letters, digits and `_` and does not begin with a digit",
            _LITERAL_HELP,
        )
    ctx.sink.report("bad-reference", f"`{_short(written)}` is not a reference", span, label, helps=helps)


def _report_open(ctx: Context, span: Span) -> None:
    ctx.sink.report(
        "bad-reference",
        "`{{` without the closing `}}`",
        span,
        "never closed",
        helps=("a reference is `{{name}}` or `{{dataset.column}}`", _LITERAL_HELP),
    )


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:30] + "…}}"
