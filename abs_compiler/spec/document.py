"""Documents: the trees of a file in, its typed sessions and shared fragments out.

A file holds one document or more. Fragments are shared by all of them; a document that holds only fragments is no
session. Every document is read to its end, whatever was wrong before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help, Severity
from abs_compiler.source import Span
from abs_compiler.spec.behavior import newer_in_evaluations, read_items
from abs_compiler.spec.lost_indentation import mended
from abs_compiler.spec.match_options import read_match_options
from abs_compiler.spec.model import Dataset, Fragment, MatchOptions, Name, Session, SpecFile
from abs_compiler.spec.reading import (
    Context,
    also,
    check_keys,
    lacking,
    listed,
    missing,
    quoting_help,
    read_mapping,
    read_text,
    reference_in_key,
    wrong_kind,
)
from abs_compiler.spec.selectors import read_optional_name
from abs_compiler.spec.versions import newer_of, report_newer
from abs_compiler.spec.vocabulary import (
    DATASET_KEYS,
    DOCUMENT_KEYS,
    DOCUMENT_SYNONYMS,
    FRAGMENT_DOCUMENT_KEYS,
    LATEST_VERSION,
    MATCH_KEYS,
    VERSIONS,
)
from abs_compiler.syntax import Document, Entry, Mapping, Node, Scalar
from abs_compiler.syntax import Sequence as SequenceNode

if TYPE_CHECKING:
    from abs_compiler.spec.evaluation_model import Evaluation

_SHAPE = "a document begins with `session: …` and lists `behaviors:`"
# Files in which rows are kept elsewhere, and which are no JSON.
_NO_DATASETS = (
    *(".csv", ".tsv", ".xlsx", ".xls", ".ods", ".parquet", ".yaml", ".yml", ".toml", ".xml", ".ndjson", ".txt", ".md"),
    *(".sqlite", ".db"),
)
_MATCH_HINTS = {key: f"`{key}` belongs under `match:`" for key in MATCH_KEYS}


def read_file(ctx: Context, documents: list[Document]) -> SpecFile:
    """All sessions and fragments of a file."""
    fragments: dict[str, Fragment] = {}
    sessions = [_read_document(ctx, document, fragments) for document in documents]
    if documents and not any(sessions) and not ctx.sink.has_errors:
        root = documents[0].root
        ctx.sink.report(
            "nothing-to-check",
            "the file holds fragments, but no session",
            _first(root) if isinstance(root, Mapping) else root.span,
            "nothing here can use them",
            helps=("add a document with `session:` and `behaviors:`; fragments are shared within one file",),
        )
    return SpecFile(tuple(session for session in sessions if session is not None), fragments)


def _read_document(ctx: Context, document: Document, fragments: dict[str, Fragment]) -> Session | None:
    root = document.root
    if not isinstance(root, Mapping):
        wrong_kind(ctx, root, "a document", "a mapping", _SHAPE)
        return None
    if root.get("behaviors") is None:
        from abs_compiler.spec.strange_shapes import report_wrapped_document  # most files need none of it

        if report_wrapped_document(ctx, root):
            return None
    root = mended(ctx, root, DOCUMENT_KEYS)
    meant = check_keys(ctx, root, DOCUMENT_KEYS, "a document", synonyms=DOCUMENT_SYNONYMS, hints=_MATCH_HINTS)
    only_fragments = root.entry("fragments") is not None and all(
        entry.key in FRAGMENT_DOCUMENT_KEYS for entry in root.entries
    )
    version = _version(ctx, root, said=only_fragments or "abs_version" in meant)
    _read_fragments(ctx, root, version, fragments)
    description = root.get("description")
    described = None if description is None else read_text(ctx, description, "`description`")
    if only_fragments:
        return None
    missing(ctx, _first(root), "a document", lacking(root, ("session", "behaviors"), meant), _SHAPE)
    name = read_optional_name(ctx, root, "session") or Name("", root.span)
    dataset = root.get("dataset")
    match = root.get("match")
    options = MatchOptions() if match is None else read_match_options(ctx, match)
    evaluations_node = root.get("evaluations")
    evaluations = () if evaluations_node is None else _read_evaluations(ctx, evaluations_node)
    newer = () if evaluations_node is None else newer_in_evaluations(evaluations_node)
    report_newer(ctx, version, newer)
    behaviors = root.entry("behaviors")
    items = () if behaviors is None else read_items(ctx, behaviors.value, "`behaviors`", empty_ok=True)
    report_newer(ctx, version, newer_of(items))
    if behaviors is not None:
        _check_behaviors(ctx, behaviors, options, evaluations_node)
    return Session(
        span=root.span,
        name=name,
        version=version or LATEST_VERSION,
        items=items,
        behaviors_span=None if behaviors is None else behaviors.key_span,
        description=None if described is None else described.text,
        dataset=None if dataset is None else _dataset(ctx, dataset),
        match=options,
        evaluations=evaluations,
        newer=newer,
    )


def _read_evaluations(ctx: Context, node: Node) -> tuple[Evaluation, ...]:
    from abs_compiler.spec.evaluation_types import CHAIN  # slow to import, and many specs have none
    from abs_compiler.spec.evaluations import read_evaluations

    return read_evaluations(ctx, node, CHAIN)


def _version(ctx: Context, root: Mapping, *, said: bool) -> str:
    """The declared version; the empty text where it is missing or wrong. `said`: nothing is to be said where it is
    missing."""
    entry = root.entry("abs_version")
    if entry is None:
        if not said:
            ctx.sink.report(
                "missing-version",
                "the document does not declare `abs_version`",
                _first(root),
                f"read as version {LATEST_VERSION}",
                helps=(Help(f'add `abs_version: "{LATEST_VERSION}"`', _version_fix(ctx, root)),),
            )
        return ""
    node = entry.value
    if isinstance(node, Scalar) and isinstance(node.value, str) and node.value:
        return _known_version(ctx, Name(node.value, node.span))
    if isinstance(node, Scalar) and node.text in VERSIONS:
        quoted = f'"{node.text}"'
        fix = Fix("quote the version", (Edit(node.span, quoted),), Applicability.SAFE)
        wrong_kind(ctx, node, "`abs_version`", "text", Help(f"quote it: `abs_version: {quoted}`", fix))
        return node.text
    wrong_kind(ctx, node, "`abs_version`", "text", *quoting_help(node), f"known versions: {listed(VERSIONS)}")
    return ""


def _version_fix(ctx: Context, root: Mapping) -> Fix | None:
    """The line to add, where the first key stands at the beginning of a line of its own."""
    source = ctx.sink.source
    if source is None or not root.entries:
        return None
    start = root.entries[0].key_span.start
    if start != root.span.start or source.position(start)[1] != 1:
        return None
    line = f'abs_version: "{LATEST_VERSION}"\n'
    return Fix("declare the version", (Edit(Span(start, start), line),), Applicability.SAFE)


def _known_version(ctx: Context, found: Name) -> str:
    if found.text in VERSIONS:
        return found.text
    ctx.sink.report(
        "unsupported-version",
        f"version `{found.text}` of the language is not known",
        found.span,
        "no known version",
        helps=(f"known versions: {listed(VERSIONS)}",),
    )
    return ""


def _check_behaviors(ctx: Context, behaviors: Entry, options: MatchOptions, evaluations: Node | None) -> None:
    """`behaviors` is empty only where something else is demanded."""
    if not isinstance(behaviors.value, SequenceNode) or behaviors.value.items:
        return
    demanded = isinstance(evaluations, SequenceNode) and bool(evaluations.items)
    if demanded or options.extras is not None:
        return
    ctx.sink.report(
        "nothing-to-check",
        "the session has no behaviors and demands nothing else",
        behaviors.key_span,
        "an empty list here",
        helps=("list a behavior, add evaluations, or limit calls with `match: {extras: forbid}`",),
    )


def _first(root: Mapping) -> Span:
    """The smallest thing that a document's missing key can be shown at."""
    return root.entries[0].key_span if root.entries else root.span


def _dataset(ctx: Context, node: Node) -> Dataset | None:
    mapping = read_mapping(ctx, node, "`dataset`", "write `dataset: {id: cases, path: cases.jsonl}`")
    if mapping is None:
        return None
    check_keys(ctx, mapping, DATASET_KEYS, "`dataset`")
    path = read_optional_name(ctx, mapping, "path")
    if path is not None and path.text.lower().endswith(_NO_DATASETS):
        _warn_of_format(ctx, path)
    return Dataset(read_optional_name(ctx, mapping, "id"), path)


def _warn_of_format(ctx: Context, path: Name) -> None:
    """Rows may come from elsewhere in the end, by `--dataset`, so this is no error."""
    ending = path.text[path.text.rindex(".") :]
    other = f"{path.text.removesuffix(ending)}.jsonl"
    advice = f"write the rows into a `.jsonl` file, one JSON object a line: `path: {other}`"
    if ending.lower() == ".ndjson":
        advice = "a file with one JSON object a line is named `.jsonl`"
    ctx.sink.report(
        "bad-value",
        f"a dataset is a `.json` or `.jsonl` file, and `{ending}` is neither",
        path.span,
        "no rows can be read from it",
        helps=(advice,),
        severity=Severity.WARNING,
    )


def _read_fragments(ctx: Context, root: Mapping, version: str, fragments: dict[str, Fragment]) -> None:
    node = root.get("fragments")
    mapping = None if node is None else read_mapping(ctx, node, "`fragments`", "write `NAME: [behaviors]`")
    for entry in () if mapping is None else mapping.entries:
        if "{{" in entry.key:
            reference_in_key(ctx, entry)
        items = read_items(ctx, entry.value, f"fragment `{entry.key}`", "list its behaviors")
        report_newer(ctx, version, newer_of(items))
        first = fragments.get(entry.key)
        if first is None:
            fragments[entry.key] = Fragment(Name(entry.key, entry.key_span), items)
            continue
        ctx.sink.report(
            "duplicate-fragment",
            f"fragment `{entry.key}` is defined twice in this file",
            entry.key_span,
            "defined again here",
            also=also(first.name.span, "first defined here"),
            helps=("rename one of them; all documents of a file share their fragments",),
        )
