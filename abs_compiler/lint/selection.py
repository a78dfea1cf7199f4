"""Which findings a user gets to see, and how bad they are: selection, suppression comments, severities.

Takes the findings of one file; gives those that stay, those that a comment suppressed, and new ones about comments that
suppress nothing. Errors of compilation always stay: they cannot be configured or commented away. What a rule finds is
no such error, whatever its severity.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from abs_compiler.diagnostics import Applicability, Diagnostic, Edit, Fix, Help, Severity, Sink, code_named, registry
from abs_compiler.lint.suppressions import Suppression
from abs_compiler.lint.table import RULES
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import SourceFile, Span

_OPT_IN = frozenset(name for rule in RULES if not rule.default for name in rule.codes)
OPT_IN = frozenset(code_named(name).code for name in _OPT_IN)
_OF_RULES = frozenset(code_named(name).code for rule in RULES for name in rule.codes)
# Found only where tools are given.
OF_TOOLS = frozenset(code_named(name).code for rule in RULES if rule.needs_tools for name in rule.codes)


def may_be_configured(code: str) -> bool:
    """Whether findings of a code can be ignored and given another severity, although their own may be that of errors:
    it is one of a rule, not of compilation."""
    return code in _OF_RULES


def stops_compilation(item: Diagnostic) -> bool:
    """Whether a finding, with its own severity, is an error of compilation."""
    return item.severity is Severity.ERROR and not may_be_configured(item.code)


@attrs.frozen(slots=False, repr=False)
class Selection(ReprMixin):
    """What to show of one file. The words are codes (`ABS102`), beginnings of codes (`ABS1`), names, or `all`.

    `select` replaces what is shown by default (all but what must be asked for), `extend` adds to it, `ignore` takes
    from it. Of two words that fit a code, the longer decides; of equally long ones, `ignore`. Where none fits and there
    is no `select`, the selection that lies `under` this one decides, if there is one.
    """

    select: tuple[str, ...] | None = None
    extend: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = attrs.field(factory=dict)
    under: Selection | None = None

    def shows(self, code: str, name: str) -> bool:
        """Whether findings of a code are shown."""
        wanted = max((_weight(word, code, name) for word in (*(self.select or ()), *self.extend)), default=0)
        unwanted = max((_weight(word, code, name) for word in self.ignore), default=0)
        if wanted or unwanted or self.select is not None:
            return wanted > unwanted
        return code not in OPT_IN if self.under is None else self.under.shows(code, name)

    def severity(self, item: Diagnostic) -> Severity:
        """The severity of a finding: the user's for its code or the longest beginning of it, else its own."""
        found = max(self.severities, key=lambda word: _weight(word, item.code, item.name), default=None)
        if found is None or not _weight(found, item.code, item.name):
            return item.severity
        return self.severities[found]

    @property
    def extra(self) -> tuple[str, ...]:
        """The names of the codes that must be asked for and are."""
        return tuple(sorted(name for name in _OPT_IN if self.shows(code_named(name).code, name)))


def _weight(word: str, code: str, name: str) -> int:
    """How exactly a word names a code; 0 where it does not."""
    if word in (code, name):
        return len(code) + 1
    if word == "all":
        return 2
    return len(word) if word.startswith("ABS") and code.startswith(word) else 0


@attrs.frozen(slots=False, repr=False)
class Suppressed(ReprMixin):
    """A finding and the comment that suppressed it."""

    diagnostic: Diagnostic
    suppression: Suppression


@attrs.frozen(slots=False, repr=False)
class Shown(ReprMixin):
    """The findings of one file that its user gets to see, in order, and those that comments suppressed."""

    diagnostics: tuple[Diagnostic, ...]
    suppressed: tuple[Suppressed, ...]


def choose(
    source: SourceFile | None,
    diagnostics: tuple[Diagnostic, ...],
    suppressions: tuple[Suppression, ...],
    selection: Selection,
    inactive: frozenset[str] = frozenset(),
) -> Shown:
    """What to show of a file's findings. `inactive` are codes that nothing looked for."""
    kept: list[Diagnostic] = []
    suppressed: list[Suppressed] = []
    comments = _Comments(source, suppressions)
    for item in diagnostics:
        if stops_compilation(item):
            kept.append(item)
        elif selection.shows(item.code, item.name):
            by = comments.suppress(item)
            if by is not None:
                suppressed.append(Suppressed(item, by))
            else:
                severity = selection.severity(item)
                kept.append(item if severity is item.severity else attrs.evolve(item, severity=severity))
    if source is None or not suppressions:
        return Shown(tuple(kept), tuple(suppressed))
    sink = Sink(source, source.name)
    errors = {item.code for item in diagnostics if stops_compilation(item)}
    _report_idle(source, suppressions, comments.used, errors, selection, inactive, sink)
    about = choose(source, tuple(sink.diagnostics()), (), selection)
    return Shown(tuple(sorted((*kept, *about.diagnostics), key=_place)), tuple(suppressed))


def _place(item: Diagnostic) -> tuple[int, str, str]:
    return (item.labels[0].span.start if item.labels else -1, item.code, item.message)


class _Comments:
    """The suppressions of a file by what they name, since there may be thousands. `used` are the places of the codes
    that suppressed something."""

    def __init__(self, source: SourceFile | None, suppressions: tuple[Suppression, ...]) -> None:
        self.used: set[Span] = set()
        self._source = source
        self._found: dict[tuple[str, int | None], list[tuple[Suppression, Span]]] = {}
        self._all_used: set[tuple[str, int | None]] = set()
        for suppression in suppressions:
            for code, span in suppression.codes:
                self._found.setdefault((code, suppression.line), []).append((suppression, span))

    def suppress(self, item: Diagnostic) -> Suppression | None:
        """The first comment in the text that suppresses a finding; all that do count as used."""
        if self._source is None or not self._found:
            return None
        lines = {self._source.position(item.labels[0].span.start)[0]} if item.labels else set()
        firsts = [self._first(item, (item.code, line)) for line in (None, *lines)]
        return min((first for first in firsts if first is not None), key=lambda one: one.span.start, default=None)

    def _first(self, item: Diagnostic, key: tuple[str, int | None]) -> Suppression | None:
        known = self._found.get(key, [])
        if key not in self._all_used:
            spans = [span for suppression, span in known if not _within(item, suppression)]
            self.used.update(spans)
            if len(spans) == len(known):
                self._all_used.add(key)
        return next((suppression for suppression, _ in known if not _within(item, suppression)), None)


def _within(item: Diagnostic, suppression: Suppression) -> bool:
    """Whether a finding is about the comment itself."""
    if not item.labels:
        return False
    return suppression.span.start <= item.labels[0].span.start < suppression.span.end


def _report_idle(
    source: SourceFile,
    suppressions: tuple[Suppression, ...],
    used: set[Span],
    errors: set[str],
    selection: Selection,
    inactive: frozenset[str],
    sink: Sink,
) -> None:
    """Report the codes in comments that suppress nothing, unless it is not known whether they would. `errors` are the
    codes of the file's errors of compilation."""
    names = {row.code: row.name for row in registry()}
    for suppression in suppressions:
        idle = []
        for code, span in suppression.codes:
            if code in errors:
                sink.report(
                    "bad-suppression",
                    f"`{source.text[span.start : span.end]}` is an error here, and errors cannot be suppressed",
                    span,
                    "suppresses nothing",
                    helps=("mend what it reports, and remove it here",),
                )
            elif span not in used and not errors and code not in inactive and selection.shows(code, names[code]):
                idle.append((code, span))
        if idle:
            sink.report(
                "unused-suppression",
                f"{_listed([source.text[span.start : span.end] for _, span in idle])} "
                f"{'is' if len(idle) == 1 else 'are'} not reported here",
                idle[0][1],
                "suppresses nothing",
                helps=(_removal(source, suppression, idle),),
            )


def _listed(codes: list[str]) -> str:
    quoted = [f"`{code}`" for code in codes]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _removal(source: SourceFile, suppression: Suppression, idle: list[tuple[str, Span]]) -> Help:
    """Take the idle codes out of a comment; the whole comment where nothing is left, with its line if that is empty."""
    text = source.text
    opening = text.index("[", suppression.span.start) + 1
    closing = text.index("]", opening)
    places = {span.start for _, span in idle}
    kept, at = [], opening
    for piece in text[opening:closing].split(","):
        if piece.strip() and at + len(piece) - len(piece.lstrip()) not in places:
            kept.append(piece.strip())
        at += len(piece) + 1
    if kept:
        edit = Edit(Span(opening, closing), ", ".join(kept))
        return Help("to leave it out, write", Fix("take it out of the comment", (edit,), Applicability.SAFE))
    start, end = suppression.span.start, suppression.span.end
    while end < len(text) and text[end] in " \t":
        end += 1
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    if suppression.alone:
        for line_end in ("\r\n", "\n", "\r"):
            if text.startswith(line_end, end):
                end += len(line_end)
                break
    fix = Fix("remove the comment", (Edit(Span(start, end), ""),), Applicability.SAFE)
    return Help("remove the comment", fix)
