"""Reading one value of an expected kind from the tree, with the diagnostics every reader shares.

Each function takes the context and a node or entry, and gives the typed part, or None after reporting what is
wrong with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from collections.abc import Mapping as MappingABC

import attrs

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help, Label, Sink
from abs_compiler.source import Span
from abs_compiler.spec.model import Name, Number
from abs_compiler.spec.suggest import nearest
from abs_compiler.syntax import Entry, Mapping, Node, Scalar, Sequence, kind_name
from abs_compiler.syntax.limits import Limits

_ARTICLES = {"number": "a number", "boolean": "a boolean", "null": "null", "list": "a list", "mapping": "a mapping"}
_NO_SYNONYMS: dict[str, str] = {}


@attrs.frozen(slots=True)
class Context:
    """What every reader needs: where to report, and the limits. `version` is the one the document declares."""

    sink: Sink
    limits: Limits
    version: str = ""


def a_kind(node: Node) -> str:
    """The kind of a node with its article: `a list`, `text`, `null`."""
    return _ARTICLES.get(kind_name(node), "text")


def wrong_kind(ctx: Context, node: Node, what: str, expected: str, *helps: str | Help) -> None:
    """Report that `what` must be of another kind than the node is."""
    found = a_kind(node)
    all_helps = helps or (f"write {expected} here",)
    ctx.sink.report(
        "wrong-kind", f"{what} must be {expected}, not {found}", node.span, f"this is {found}", helps=all_helps
    )


def quoting_help(node: Node) -> tuple[Help, ...]:
    """The help to quote a plain scalar that YAML reads as something other than text."""
    if not isinstance(node, Scalar) or node.style not in ("plain", "json") or node.alias_of or not node.text:
        return ()
    quoted = json.dumps(node.text, ensure_ascii=False)
    fix = Fix("quote it", (Edit(node.span, quoted),), Applicability.UNSAFE)
    return (Help(f"to mean text, quote it: `{quoted}`", fix),)


def read_text(ctx: Context, node: Node, what: str, *helps: str | Help) -> Name | None:
    """Text that may be empty and in which `{{` has no meaning of its own (nor is it looked for)."""
    if isinstance(node, Scalar) and isinstance(node.value, str):
        return Name(node.value, node.span)
    wrong_kind(ctx, node, what, "text", *(quoting_help(node) + helps))
    return None


def read_name(ctx: Context, node: Node, what: str, *helps: str | Help) -> Name | None:
    """Text that names something: not empty, and no references in it."""
    found = read_text(ctx, node, what, *helps)
    if found is None:
        return None
    if not found.text:
        ctx.sink.report("bad-value", f"{what} is empty", node.span, "no text here", helps=("give it a name",))
        return None
    return found if no_reference(ctx, found, what) else None


def no_reference(ctx: Context, found: Name, what: str) -> bool:
    """Report `{{` in a text that cannot hold references."""
    if "{{" not in found.text:
        return True
    ctx.sink.report(
        "misplaced-reference",
        f"{what} cannot hold a `{{{{…}}}}` reference",
        found.span,
        "taken literally here, so it would never match",
        helps=("references are resolved in values: of `with`, `with_only`, `content`, `capture` and evaluations",),
    )
    return False


def read_flag(ctx: Context, node: Node, what: str) -> bool | None:
    """A boolean."""
    if isinstance(node, Scalar) and isinstance(node.value, bool):
        return node.value
    helps: tuple[str, ...] = ("write `true` or `false`",)
    if isinstance(node, Scalar) and isinstance(node.value, str):
        word = node.value.strip().lower()
        if word in ("true", "false"):
            helps = (f"write `{word}` without quotes",)
        elif word in ("yes", "on", "y", "no", "off", "n"):
            helps = (f"`{node.value}` is text; write `{'true' if word in ('yes', 'on', 'y') else 'false'}`",)
    wrong_kind(ctx, node, what, "`true` or `false`", *helps)
    return None


def read_count(ctx: Context, node: Node, what: str, least: int) -> Number | None:
    """A whole number of at least `least`; 2.0 is 2."""
    value = node.value if isinstance(node, Scalar) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        wrong_kind(ctx, node, what, "a whole number")
        return None
    if not float(value).is_integer() if isinstance(value, float) else False:
        ctx.sink.report(
            "bad-value", f"{what} must be a whole number", node.span, "has a fraction", helps=("drop the fraction",)
        )
        return None
    if value < least:
        limit = "cannot be negative" if least == 0 else f"must be at least {least}"
        ctx.sink.report("bad-value", f"{what} {limit}", node.span, "", helps=(f"write {least} or more",))
        return None
    return Number(int(value), node.span)


def read_mapping(ctx: Context, node: Node, what: str, *helps: str) -> Mapping | None:
    """A mapping with at least one entry."""
    if not isinstance(node, Mapping):
        wrong_kind(ctx, node, what, "a mapping", *helps)
        return None
    if not node.entries:
        report_empty(ctx, node, what, "entry", *helps)
        return None
    return node


def read_list(ctx: Context, node: Node, what: str, *helps: str, empty_ok: bool = False) -> Sequence | None:
    """A list, with at least one item unless `empty_ok`."""
    if not isinstance(node, Sequence):
        wrong_kind(ctx, node, what, "a list", *helps)
        return None
    if not node.items and not empty_ok:
        report_empty(ctx, node, what, "item", *helps)
        return None
    return node


def report_empty(ctx: Context, node: Node, what: str, unit: str, *helps: str) -> None:
    """Report a mapping or list that must hold something."""
    ctx.sink.report(
        "empty-collection",
        f"{what} is empty; it needs at least one {unit}",
        node.span,
        "nothing here",
        helps=helps or ("fill it, or leave the key out",),
    )


def missing(ctx: Context, span: Span, where: str, keys: str, *helps: str) -> None:
    """Report a required key that is not there; `span` is the smallest thing that lacks it."""
    ctx.sink.report("missing-key", f"{where} needs {keys}", span, f"{keys} is missing", helps=helps or (f"add {keys}",))


def check_keys(
    ctx: Context,
    mapping: Mapping,
    known: Iterable[str],
    where: str,
    *,
    synonyms: MappingABC[str, str] = _NO_SYNONYMS,
    hints: MappingABC[str, str] = _NO_SYNONYMS,
    otherwise: str = "",
) -> None:
    """Report every key of a mapping that is not known there; `hints` are helps for particular keys."""
    known = tuple(known)
    for entry in mapping.entries:
        if entry.key in known:
            continue
        if "{{" in entry.key:
            reference_in_key(ctx, entry)
            continue
        ctx.sink.report(
            "unknown-key",
            f"unknown key `{entry.key}` in {where}",
            entry.key_span,
            "not known here",
            helps=(_key_help(entry, mapping, known, synonyms, hints, otherwise),),
        )


def _key_help(
    entry: Entry,
    mapping: Mapping,
    known: tuple[str, ...],
    synonyms: MappingABC[str, str],
    hints: MappingABC[str, str],
    otherwise: str,
) -> str | Help:
    if entry.key in hints:
        return hints[entry.key]
    candidate = synonyms.get(entry.key) or nearest(entry.key, known)
    if candidate is not None:
        if mapping.get(candidate) is not None:
            return f"`{candidate}` is already given here; remove `{entry.key}`"
        fix = Fix(f"rename to `{candidate}`", (Edit(entry.key_span, candidate),), Applicability.UNSAFE)
        return Help(f"the key is called `{candidate}`", fix)
    if otherwise:
        return otherwise
    return f"remove `{entry.key}`" if len(known) > 5 else f"known here: {listed(known)}"


def reference_in_key(ctx: Context, entry: Entry) -> None:
    """Report `{{` in a key."""
    ctx.sink.report(
        "misplaced-reference",
        "a key cannot hold a `{{…}}` reference",
        entry.key_span,
        "taken literally here, so it would never match",
        helps=("write the key itself; references are resolved in values only",),
    )


def one_of(ctx: Context, found: Name, known: tuple[str, ...], what: str, *helps: str) -> str | None:
    """The text, when it is one of the known words."""
    if found.text in known:
        return found.text
    ctx.sink.report(
        "bad-value",
        f"{what} cannot be `{found.text}`",
        found.span,
        "not one of the known words",
        helps=(word_help(found, known), *helps),
    )
    return None


def word_help(found: Name, known: tuple[str, ...]) -> str | Help:
    """Help for a word that is not among the known ones."""
    candidate = nearest(found.text, known)
    if candidate is not None:
        fix = Fix(f"write `{candidate}`", (Edit(found.span, candidate),), Applicability.UNSAFE)
        return Help(f"a known word close to it is `{candidate}`", fix)
    return f"known words: {listed(known)}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words in backticks, at most five, joined for a sentence."""
    quoted = [f"`{word}`" for word in words]
    if len(quoted) > 5:
        return ", ".join(quoted[:5]) + f" {last} {len(quoted) - 5} more"
    if len(quoted) == 1:
        return quoted[0]
    return ", ".join(quoted[:-1]) + f" {last} {quoted[-1]}"


def also(span: Span, text: str) -> tuple[Label, ...]:
    """One secondary label."""
    return (Label(span, text),)
