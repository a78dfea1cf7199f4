"""Reading one value of an expected kind from the tree, with the diagnostics every reader shares.

Each function takes the context and a node or entry, and gives the typed part, or None after reporting what is
wrong with it.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Collection, Iterable
from collections.abc import Mapping as MappingABC

import attrs

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help, Label, Sink
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span
from abs_compiler.spec.model import Name, Number
from abs_compiler.spec.suggest import nearest
from abs_compiler.syntax import Entry, Mapping, Node, Scalar, Sequence, kind_name
from abs_compiler.syntax.limits import Limits

_ARTICLES = {"number": "a number", "boolean": "a boolean", "null": "null", "list": "a list", "mapping": "a mapping"}
_NO_SYNONYMS: dict[str, str] = {}


# Bounds on work that grows faster than the file: near names are looked for, and schemas checked, this often.
_MOST_SEARCHES = 300
_LARGEST_COUNT = 1_000_000_000


@attrs.frozen(slots=False, repr=False, eq=False)
class Context(ReprMixin):
    """What every reader and pass needs: where to report, the limits, what was spent on bounded work so far, and whether
    an evaluation is read, of which it is not known here whether it demands or forbids."""

    sink: Sink
    limits: Limits
    spent: Counter[str] = attrs.field(factory=Counter)
    in_evaluation: bool = False


def a_kind(node: Node) -> str:
    """The kind of a node with its article: `a list`, `text`, `null`."""
    return _ARTICLES.get(kind_name(node), "text")


def wrong_kind(ctx: Context, node: Node, what: str, expected: str, *helps: str | Help) -> None:
    """Report that `what` must be of another kind than the node is."""
    if expected == "a mapping" and isinstance(node, Scalar) and node.value is not None:
        from abs_compiler.spec.run_together import report_joined_lines  # most files need none of it

        if report_joined_lines(ctx, node):
            return
    all_helps = helps or (f"write {expected} here",)
    if isinstance(node, Scalar) and node.value is None and not node.text:
        message, label = f"{what} must be {expected}, but nothing is written here", "no value"
    else:
        found = a_kind(node)
        message, label = f"{what} must be {expected}, not {found}", f"this is {found}"
    ctx.sink.report("wrong-kind", message, node.span, label, helps=all_helps)


def quoting_help(node: Node) -> tuple[Help, ...]:
    """The help to quote a plain scalar that YAML reads as something other than text."""
    if not isinstance(node, Scalar) or node.style not in ("plain", "json") or node.alias_of or node.value is None:
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
        "no reference is resolved here",
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
    if isinstance(value, float) and not value.is_integer():
        ctx.sink.report(
            "bad-value", f"{what} must be a whole number", node.span, "has a fraction", helps=("drop the fraction",)
        )
        return None
    if value < least:
        limit = "cannot be negative" if least == 0 else f"must be at least {least}"
        label = "below zero" if least == 0 else f"below {least}"
        ctx.sink.report("bad-value", f"{what} {limit}", node.span, label, helps=(f"write {least} or more",))
        return None
    if value > _LARGEST_COUNT:
        help_ = "leave it out where there is no limit"
        ctx.sink.report("bad-value", f"{what} is too large", node.span, f"above {_LARGEST_COUNT:,}", helps=(help_,))
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


def missing(ctx: Context, span: Span, where: str, keys: Collection[str], *helps: str) -> None:
    """Report required keys that are not there, at once; `span` is the smallest thing that lacks them."""
    if not keys:
        return
    named = listed(keys)
    label = f"{named} {'are' if len(keys) > 1 else 'is'} missing"
    ctx.sink.report("missing-key", f"{where} needs {named}", span, label, helps=helps or (f"add {named}",))


def lacking(mapping: Mapping, required: Iterable[str], meant: Collection[str]) -> list[str]:
    """The required keys that a mapping lacks, but for those that a misspelt key was reported to mean."""
    return [key for key in required if mapping.get(key) is None and key not in meant]


def check_keys(
    ctx: Context,
    mapping: Mapping,
    known: Iterable[str],
    where: str,
    *,
    synonyms: MappingABC[str, str] = _NO_SYNONYMS,
    hints: MappingABC[str, str] = _NO_SYNONYMS,
    otherwise: str = "",
) -> set[str]:
    """Report every key of a mapping that is not known there; `hints` are helps for particular keys.

    Gives the known keys that the unknown ones were said to mean, so that these are not reported as missing too.
    """
    known = tuple(known)
    meant: set[str] = set()
    hint: str | Help | None
    for entry in mapping.entries:
        if entry.key in known:
            continue
        if "{{" in entry.key:
            reference_in_key(ctx, entry)
            continue
        if ":" in entry.key and (words := run_together(ctx, [entry])):
            meant.update(synonyms.get(word, word) for word in words)
            continue
        hint = hints.get(entry.key)
        candidate = None if hint else synonyms.get(entry.key)
        if hint is None and candidate is None:
            hint = _told(ctx, entry, mapping, where)
            candidate = None if hint else near(ctx, entry.key, known)
        if candidate is not None:
            meant.add(candidate)
        if hint is None and candidate is None:
            hint = otherwise or (f"remove `{entry.key}`" if len(known) > 5 else f"known here: {listed(known)}")
        ctx.sink.report(
            "unknown-key",
            f"unknown key `{entry.key}` in {where}",
            entry.key_span,
            "not known here",
            helps=(hint or _rename_help(ctx, entry, mapping, str(candidate)),),
        )
    return meant


def _told(ctx: Context, entry: Entry, mapping: Mapping, where: str) -> str | Help | None:
    """What to write for a key that says whether, how often, when or in which order."""
    from abs_compiler.spec.telling_words import advice  # most files need none of it

    return advice(ctx.sink.source, entry, mapping, where)


def run_together(ctx: Context, entries: Iterable[Entry]) -> set[str]:
    """The keys meant by entries that lack the space behind their colon, after reporting each."""
    from abs_compiler.spec.run_together import report_run_together  # most files need none of it

    return report_run_together(ctx, entries)


def _rename_help(ctx: Context, entry: Entry, mapping: Mapping, candidate: str) -> str | Help:
    if mapping.get(candidate) is not None:
        return f"`{candidate}` is already given here; remove `{entry.key}`"
    return Help(f"the key is called `{candidate}`", replacement(ctx, entry.key_span, candidate))


def near(ctx: Context, word: str, known: Collection[str]) -> str | None:
    """The known word that a mistyped one was probably meant to be."""
    ctx.spent["searches"] += 1
    return nearest(word, known) if ctx.spent["searches"] <= _MOST_SEARCHES else None


def near_help(ctx: Context, found: Name, known: Collection[str], what: str, otherwise: str) -> str | Help:
    """The help that names the nearest known word, as a statement; `otherwise` where there is none."""
    candidate = near(ctx, found.text, known)
    if candidate is None:
        return otherwise
    return Help(f"{what} close to it is `{candidate}`", replacement(ctx, found.span, candidate))


def replacement(ctx: Context, span: Span, word: str) -> Fix:
    """The fix that writes a word in place of another, inside the same quotes."""
    source = ctx.sink.source
    quote = source.text[span.start : span.start + 1] if source is not None else ""
    text = f"{quote}{word}{quote}" if quote in ("'", '"') else word
    return Fix(f"write `{word}`", (Edit(span, text),), Applicability.UNSAFE)


def reference_in_key(ctx: Context, entry: Entry) -> None:
    """Report `{{` in a key."""
    ctx.sink.report(
        "misplaced-reference",
        "a key cannot hold a `{{…}}` reference",
        entry.key_span,
        "no reference is resolved here",
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
        helps=(near_help(ctx, found, known, "a known word", f"known words: {listed(known)}"), *helps),
    )
    return None


def listed(words: Collection[str]) -> str:
    """Words in backticks, at most five, joined for a sentence."""
    quoted = [f"`{word}`" for word in itertools.islice(words, 5)]
    if len(words) > 5:
        return f"{', '.join(quoted)} and {len(words) - 5} more"
    if len(quoted) == 1:
        return quoted[0]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def also(span: Span, text: str) -> tuple[Label, ...]:
    """One secondary label."""
    return (Label(span, text),)


def report_reversed(ctx: Context, low: Number | None, high: Number | None) -> None:
    """Report bounds that no number satisfies."""
    if low is None or high is None or low.value <= high.value:
        return
    ctx.sink.report(
        "bad-value",
        f"`min` is {low.value} and `max` is {high.value}, which no count satisfies",
        high.span,
        f"below `min`, {low.value}",
        also=also(low.span, "`min` here"),
        helps=("swap the two, or drop one",),
    )
