"""The diagnostic record: plain data with spans; renderers turn spans into lines and columns."""

from __future__ import annotations

import enum

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import SourceFile, Span


class Severity(enum.Enum):
    """How bad a finding is; only errors stop compilation."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Applicability(enum.Enum):
    """Whether a fix may be applied without asking."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


@attrs.frozen(slots=False, repr=False)
class Label(ReprMixin):
    """A span with a short text (may be empty)."""

    span: Span
    text: str = ""


@attrs.frozen(slots=False, repr=False)
class Edit(ReprMixin):
    """Replace the text of a span."""

    span: Span
    text: str


@attrs.frozen(slots=False, repr=False)
class Fix(ReprMixin):
    """Edits that belong together."""

    title: str
    edits: tuple[Edit, ...]
    applicability: Applicability = Applicability.UNSAFE


@attrs.frozen(slots=False, repr=False)
class Help(ReprMixin):
    """What to do, optionally as a fix."""

    text: str
    fix: Fix | None = None


@attrs.frozen(slots=False, repr=False)
class Diagnostic(ReprMixin):
    """One finding. `source` is None only where no text could be read; `path` names it then.

    `labels[0]` is the primary span; further labels are secondary and lie in the same source.
    """

    code: str
    name: str
    severity: Severity
    message: str
    path: str
    source: SourceFile | None = None
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    helps: tuple[Help, ...] = ()
