"""The YAML reader: text in, positioned trees out, one per document.

It consumes the events of libyaml's parser with an explicit stack. Only their offsets, values, styles, tags and
anchors are used; what a scalar means, what a merge key does and what an alias expands to is decided here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from yaml.error import MarkedYAMLError
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from abs_compiler.diagnostics import Sink
from abs_compiler.source import SourceFile, Span
from abs_compiler.syntax.document import Document
from abs_compiler.syntax.limits import Limits
from abs_compiler.syntax.scalars import NumberError, ScalarValue, is_ordinary, older_reading, resolve
from abs_compiler.syntax.tree import Entry, Mapping, Node, Scalar, Sequence
from abs_compiler.syntax.yaml_findings import YamlFindings
from abs_compiler.syntax.yaml_frames import Anchored, Frame, Merge, aliased, with_merges
from abs_compiler.syntax.yaml_tags import CORE_TAGS, MAPPING_TAG, SEQUENCE_TAG, TagError, asked_for, tagged_value

if TYPE_CHECKING:
    from abs_compiler.syntax.yaml_failure import Failure

_STYLES = {None: "plain", "": "plain", "'": "single", '"': "double", "|": "literal", ">": "folded"}
_FORBIDDEN_IN_ASCII = re.compile("[^\t\n\r\x20-\x7e]")
_FORBIDDEN = "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
_ANCHOR = re.compile(r"&[^\s,\[\]{}]*")
_TAG = re.compile(r"!(?:<[^>\s]*>|[^\s,\[\]{}]*)")
_FILLER = re.compile(r"(?:[ \t\r\n]|#[^\r\n]*)*")
_DOCUMENT_START = re.compile(r"^---(?=[ \t\r\n]|\Z)", re.MULTILINE)
# A merge key is one everywhere; of the words for booleans, readers of YAML 1.1 leave `y` and `n` alone, and as keys
# they are coordinates.
_KEYS_ALIKE = frozenset(("<<", "y", "Y", "n", "N"))
_MAX_RESTARTS = 20


class _UnreadableError(Exception):
    """Reading cannot go on: a limit was passed, and it was reported."""


def read_yaml(source: SourceFile, sink: Sink, limits: Limits) -> list[Document]:
    """The documents of a YAML stream; problems go into the sink, and an unreadable stream gives no documents."""
    try:
        from yaml._yaml import CParser
    except ImportError:
        sink.report(
            "missing-yaml-parser",
            "YAML cannot be read: PyYAML is installed without its C parser",
            helps=["install a binary wheel of PyYAML, or libyaml's headers before building it"],
        )
        return []
    reader = _Reader(source.text, limits, CParser, all_findings=bool(sink.uncounted))
    reader.read()
    reader.findings.flush(sink)
    return [] if reader.unreadable else reader.documents


class _Reader:
    """The state of one reading. Invariant: `stack` holds the collections open at the last event."""

    def __init__(self, text: str, limits: Limits, parser: Callable[[str], Any], *, all_findings: bool) -> None:
        self.text = text
        self.limits = limits
        self.parser = parser
        self.findings = YamlFindings(text, all_of_them=all_findings)
        self.unreadable = False
        self.documents: list[Document] = []
        self.nodes = 0
        self.base = 0
        self.document_start = 0
        self.stack: list[Frame] = []
        self.root: Node | None = None
        self.previous: Span | None = None
        self.anchors: dict[str, Anchored] = {}
        self.earlier_anchors: dict[str, Span] = {}

    # The stream

    def read(self) -> None:
        """Read every document. After a syntax error reading goes on at the next document."""
        text = self._without_forbidden()
        for _ in range(_MAX_RESTARTS):
            failed_at = self._read_from(text)
            following = None if failed_at is None else _DOCUMENT_START.search(text, max(failed_at, self.base + 1))
            if following is None:
                break
            self.base = following.start()
        if not self.documents and not self.unreadable:
            self.findings.empty_file()

    def _without_forbidden(self) -> str:
        """The text with every character that YAML forbids reported and replaced, so that offsets stay."""
        # Compiling the second takes longer than reading a small file.
        forbidden = _FORBIDDEN_IN_ASCII if self.text.isascii() else re.compile(_FORBIDDEN)
        for found in forbidden.finditer(self.text):
            self.unreadable = True
            if self.findings.enough("forbidden-characters"):
                break
            self.findings.forbidden_character(found.start())
        return forbidden.sub("\ufffd", self.text) if self.unreadable else self.text

    def _read_from(self, text: str) -> int | None:
        """Consume the events from `base` on; gives the offset of a syntax error, or None."""
        self.stack = []
        self.anchors = {}
        self.previous = None
        next_event = self.parser(text[self.base :] if self.base else text).get_event
        event = None
        try:
            while (event := next_event()) is not None:
                kind = type(event)
                if kind is ScalarEvent:
                    self._scalar(event)
                elif kind is MappingStartEvent or kind is SequenceStartEvent:
                    self._open(event, kind is MappingStartEvent)
                elif kind is MappingEndEvent or kind is SequenceEndEvent:
                    self._close(event)
                else:
                    self._other(event)
        except _UnreadableError:
            self.unreadable = True
        except MarkedYAMLError as error:
            self.unreadable = True
            from abs_compiler.syntax.yaml_errors import syntax_error  # most files need none of it

            failure = self._failure(text, error)
            if failure.problem == "exceeded maximum nesting depth":
                self._far_too_deep(failure, self.base + (0 if event is None else event.end_mark.index))
            else:
                self.findings.last_problem(syntax_error(failure))
            return failure.at
        return None

    def _far_too_deep(self, failure: Failure, after: int) -> None:
        """libyaml reads ahead of its events, of which the last ended at `after`, up to a limit of its own."""
        from abs_compiler.syntax.yaml_closers import bracket_at_level

        at = bracket_at_level(failure.text, after, self.limits.depth - len(self.stack))
        if at is None:
            self.findings.too_deep(failure.here, self.limits.depth, far=True)
        else:
            self.findings.too_deep(Span(at, at + 1), self.limits.depth)

    def _failure(self, text: str, error: MarkedYAMLError) -> Failure:
        from abs_compiler.syntax.yaml_failure import Failure

        at = self.base + (0 if error.problem_mark is None else error.problem_mark.index)
        return Failure(
            text=text,
            context=error.context or "",
            problem=error.problem or "",
            context_at=at if error.context_mark is None else self.base + error.context_mark.index,
            at=min(at, len(text)),
            previous=self.previous,
            opened=self.stack[-1].start if self.stack and self.stack[-1].flow else None,
        )

    def _other(self, event: Any) -> None:
        start = event.start_mark.index + self.base
        end = event.end_mark.index + self.base
        if isinstance(event, AliasEvent):
            self._alias(event.anchor or "", Span(start, end))
        elif isinstance(event, DocumentStartEvent):
            self.anchors = {}
            self.root = None
            self.document_start = start
        elif isinstance(event, DocumentEndEvent):
            self._end_document(end)

    def _end_document(self, end: int) -> None:
        for anchored in self.anchors.values():
            self.earlier_anchors[anchored.name] = anchored.span
            if not anchored.used:
                self.findings.unused_anchor(anchored.name, anchored.span)
        if self.root is not None:
            self.documents.append(Document(self.root, Span(self.document_start, end)))

    # Nodes

    def _scalar(self, event: Any) -> None:
        start = event.start_mark.index + self.base
        end = event.end_mark.index + self.base
        style = _STYLES[event.style]
        text: str = event.value
        tag: str | None = event.tag
        tag_span = None
        anchored = None
        if tag is not None or event.anchor is not None:
            tag_span, anchored, start = self._properties(event.anchor, start, end)
        elif not text and style == "plain" and not self.stack:
            return  # an empty document has no root
        if style == "literal" or style == "folded":
            end = start + len(self.text[start:end].rstrip())
        span = Span(start, end)
        if end > start:
            self.previous = span
        is_key = self._at_key()
        if not is_key:
            self._count(1, span)
        node = None if is_key else self._lost_predicate(event, style, span, tag_span)
        if node is None:
            if len(text) * 4 > self.limits.scalar_bytes:
                self._check_length(text, span)
            if tag is None and (style != "plain" or is_ordinary(text)):
                value: ScalarValue = text
            else:
                value = self._special_value(text, tag, span, tag_span, is_key)
            node = Scalar(span, value, text, style)
        if anchored is not None:
            anchored.node = node
        self._add(node, 1, 0)

    def _check_length(self, text: str, span: Span) -> None:
        size = len(text.encode())
        if size > self.limits.scalar_bytes:
            self.findings.scalar_too_long(size, self.limits.scalar_bytes, span)
            raise _UnreadableError

    def _lost_predicate(self, event: Any, style: str, span: Span, tag_span: Span | None) -> Scalar | None:
        """An unquoted predicate whose signs YAML took for its own: `!= 5` for a tag, `>5` for an empty block."""
        key = self.stack[-1].key if self.stack else None
        if not isinstance(key, Scalar) or key.text != "$is":
            return None
        tagged = event.tag is not None and event.tag not in CORE_TAGS
        if not tagged and not (style in ("literal", "folded") and not event.value):
            return None
        start = tag_span.start if tag_span is not None else span.start
        from abs_compiler.syntax.yaml_errors import unquoted_predicate
        from abs_compiler.syntax.yaml_lines import line_at, predicate_at

        written = predicate_at(self.text, start, line_at(self.text, start))
        if written is None:
            return None
        self.findings.problem(unquoted_predicate(self.text, written))
        text = self.text[written.start : written.end]
        return Scalar(written, text, text, "plain")

    def _special_value(
        self, text: str, tag: str | None, span: Span, tag_span: Span | None, is_key: bool
    ) -> ScalarValue:
        """The value of a tagged scalar, or of a plain one that may be more than text."""
        if tag is not None and tag not in CORE_TAGS:
            self.findings.unknown_tag(tag, tag_span or span)
            tag = None
        try:
            if tag is not None:
                return tagged_value(tag, text, self.limits.number_chars)
            value = resolve(text, self.limits.number_chars)
        except NumberError as error:
            self.findings.bad_number(error.problem, text, span, self.limits.number_chars)
            return 0
        except TagError as error:
            self.findings.mistagged(tag or "", tag_span, error.expected, text, span)
            return text
        older = None if is_key and text in _KEYS_ALIKE else older_reading(text, value)
        if older is not None:
            self.findings.ambiguous(text, value, older, span, is_key=is_key)
        return value

    def _open(self, event: Any, is_map: bool) -> None:
        start = event.start_mark.index + self.base
        anchored = None
        if event.tag is not None or event.anchor is not None:
            tag_span, anchored, start = self._properties(event.anchor, start, len(self.text))
            self._check_collection_tag(event.tag, tag_span or Span(start, start), is_map)
        self._count(1, Span(start, start + 1))
        self._check_depth(1, Span(start, start + 1))
        self.stack.append(Frame(start, start, is_map, event.flow_style, anchored, self.findings.mark()))

    def _check_collection_tag(self, tag: str | None, span: Span, is_map: bool) -> None:
        if tag is None or tag == "!" or tag == (MAPPING_TAG if is_map else SEQUENCE_TAG):
            return
        if tag in CORE_TAGS:
            self.findings.mistagged(tag, span, asked_for(tag), None, span)
        else:
            self.findings.unknown_tag(tag, span)

    def _close(self, event: Any) -> None:
        frame = self.stack.pop()
        span = Span(frame.start, event.end_mark.index + self.base if frame.flow else frame.end)
        node: Node
        if not frame.is_map:
            node = Sequence(span, tuple(frame.items))
        elif frame.brace is not None and self._is_reference(frame, span):
            node = self._unquoted_reference(frame, span)
        else:
            if frame.brace is not None:
                self.findings.complex_key(frame.brace)
            entries, replaced = with_merges(frame)
            node = Mapping(span, tuple(entries), None, tuple(replaced))
        if frame.anchored is not None:
            frame.anchored.node = node
            frame.anchored.size = frame.size
            frame.anchored.height = frame.height
        self._add(node, frame.size, frame.height)

    def _is_reference(self, frame: Frame, span: Span) -> bool:
        """Whether a mapping is `{{...}}`: one key, itself a mapping, without a value."""
        value = frame.brace_value
        alone = not frame.entries and not frame.seen
        bare = isinstance(value, Scalar) and value.span.start == value.span.end
        return alone and bare and self.text.startswith("}}", span.end - 2)

    def _unquoted_reference(self, frame: Frame, span: Span) -> Scalar:
        """Report `{{name}}` as what it was meant to be; findings about the mapping it is not are dropped."""
        text = self.text[span.start : span.end]
        self.findings.rewind(frame.findings_before)
        self.findings.unquoted_reference(text, span, is_key=self._at_key())
        return Scalar(span, text, text, "plain")

    def _alias(self, name: str, span: Span) -> None:
        anchored = self.anchors.get(name)
        self.previous = span
        node: Node = Scalar(span, None, "", "plain")
        size, height = 1, 0
        if anchored is None:
            self.unreadable = True
            self.findings.unknown_alias(name, span, self.anchors, self.earlier_anchors.get(name))
        elif anchored.node is None:
            self.unreadable = True
            anchored.used = True
            self.findings.cyclic_alias(name, span, anchored.span)
        else:
            anchored.used = True
            size, height = anchored.size, anchored.height
            self.nodes += size
            if self.nodes > self.limits.nodes:
                self.findings.alias_expansion(name, span, anchored.span, self.limits.nodes)
                raise _UnreadableError
            self._check_depth(height, span)
            node = aliased(anchored.node, span)
        self._add(node, size, height)

    def _add(self, node: Node, size: int, height: int) -> None:
        """Put a finished node where it belongs: the root, a list item, a key or a value."""
        if not self.stack:
            self.root = node
            return
        frame = self.stack[-1]
        frame.size += size
        frame.height = max(frame.height, height + 1)
        frame.end = node.span.end
        if not frame.is_map:
            frame.items.append(node)
        elif frame.key is None:
            frame.key = node
        else:
            key, frame.key = frame.key, None
            self._entry(frame, key, node)

    def _at_key(self) -> bool:
        """Whether the next node is a key."""
        return bool(self.stack) and self.stack[-1].is_map and self.stack[-1].key is None

    def _entry(self, frame: Frame, key: Node, value: Node) -> None:
        if not isinstance(key, Scalar):
            first = not frame.seen and frame.brace is None
            if first and frame.flow and isinstance(key, Mapping) and key.span.start == frame.start + 1:
                frame.brace, frame.brace_value = key, value
            else:
                self.findings.complex_key(key)
            return
        name = key.text
        if name in frame.seen:
            self._duplicate(frame, name, key.span, value)
            return
        frame.seen[name] = key.span
        if not isinstance(key.value, str):
            self.findings.bad_key(key)
        if name == "<<" and key.style == "plain":
            frame.entries.append(Merge(self._merge_sources(value)))
        else:
            frame.entries.append(Entry(name, key.span, value))

    def _duplicate(self, frame: Frame, name: str, span: Span, value: Node) -> None:
        """A key that occurs again. Where the first key does, the others that do so follow from it."""
        if frame.again:
            return
        if not frame.repeats and not frame.flow and self._missing_before(frame, name, span):
            frame.again = self.unreadable = True
            return
        frame.repeats = True
        first, last = frame.seen[name], frame.entries[-1] if frame.entries else None
        is_first = first is next(iter(frame.seen.values()))
        frame.again = is_first and self.text.endswith("- ", 0, first.start)
        empty = None
        if isinstance(last, Entry) and last.value.span.start == last.value.span.end:
            empty = (last.key, last.key_span)
        holds = not isinstance(value, Scalar)
        self.findings.duplicate_key(name, span, first, empty=empty, holds=holds)

    def _missing_before(self, frame: Frame, name: str, span: Span) -> bool:
        """Whether a key occurs again only because something is missing before it, which is reported."""
        from abs_compiler.syntax.yaml_repeats import dash_without_space, second_session

        found = dash_without_space(self.text, frame.seen[name]) if name.startswith("-") else None
        if found is None and len(self.stack) == 1:
            found = second_session(self.text, name, span, frame.seen)
        if found is not None:
            self.findings.problem(found)
        return found is not None

    def _merge_sources(self, value: Node) -> list[Mapping]:
        items = value.items if isinstance(value, Sequence) else (value,)
        for item in items:
            if not isinstance(item, Mapping):
                self.findings.bad_merge(item, in_list=isinstance(value, Sequence))
        return [item for item in items if isinstance(item, Mapping)]

    # Properties and limits

    def _properties(self, name: str | None, start: int, end: int) -> tuple[Span | None, Anchored | None, int]:
        """The span of a node's tag, its anchor, and where its own text starts (at most `end`)."""
        tag_span = anchor_span = None
        content = start
        while True:
            if tag_span is None and (found := _TAG.match(self.text, content)):
                tag_span = Span(*found.span())
            elif anchor_span is None and (found := _ANCHOR.match(self.text, content)):
                anchor_span = Span(*found.span())
            else:
                break
            filler = _FILLER.match(self.text, found.end())
            content = found.end() if filler is None else filler.end()
        anchored = None
        if name is not None:
            anchored = Anchored(name, anchor_span or Span(start, start + 1))
            hidden = self.anchors.get(name)
            if hidden is not None and not hidden.used:
                self.findings.unused_anchor(name, hidden.span)
            self.anchors[name] = anchored
        return tag_span, anchored, min(content, end)

    def _count(self, nodes: int, span: Span) -> None:
        self.nodes += nodes
        if self.nodes > self.limits.nodes:
            self.findings.too_many_nodes(span, self.limits.nodes)
            raise _UnreadableError

    def _check_depth(self, levels: int, span: Span) -> None:
        if len(self.stack) + levels > self.limits.depth:
            self.findings.too_deep(span, self.limits.depth)
            raise _UnreadableError
