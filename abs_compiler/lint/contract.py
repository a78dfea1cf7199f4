"""What a rule gets and what it gives. See the package's own text for the contract."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from abs_compiler.diagnostics import Help, Label, Severity
from abs_compiler.ir import Ir, Program
from abs_compiler.options import CompileOptions
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import SourceFile, Span
from abs_compiler.spec import SpecFile
from abs_compiler.syntax import Document

if TYPE_CHECKING:
    from abs_compiler.lint.tools import Tools

_T = TypeVar("_T")


class UnfinishedError(Exception):
    """Raised by a rule that has reported what it found, but did not look at everything; its text says why."""


@attrs.frozen(slots=False, repr=False, eq=False)
class Report(ReprMixin):
    """One finding of a rule: `name` is a registered code's name, `label` the text at the primary span."""

    name: str
    message: str
    span: Span
    label: str = ""
    also: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    helps: tuple[str | Help, ...] = ()
    severity: Severity | None = None


@attrs.frozen(slots=False, repr=False, eq=False)
class FileContext(ReprMixin):
    """One spec file with all stages of its compilation. `irs` and `programs` are in the order of the sessions;
    `programs` is empty where the file holds an error. `tools` are the definitions of tools that the caller gave."""

    source: SourceFile
    documents: tuple[Document, ...]
    spec: SpecFile
    irs: tuple[Ir, ...]
    programs: tuple[Program, ...]
    options: CompileOptions = attrs.field(factory=CompileOptions)
    tools: Tools | None = None
    _shared: dict[Callable[..., Any], Any] = attrs.field(init=False, repr=False, factory=dict)

    def shared(self, make: Callable[[FileContext], _T]) -> _T:
        """What a function makes of this file, made once for all rules."""
        if make not in self._shared:
            self._shared[make] = make(self)
        value: _T = self._shared[make]
        return value


@attrs.frozen(slots=False, repr=False, eq=False)
class SessionContext(ReprMixin):
    """One session of a file that compiled: its IR (typed behaviors with spans) and its program (plain data)."""

    file: FileContext
    ir: Ir
    program: Program
    _shared: dict[Callable[..., Any], Any] = attrs.field(init=False, repr=False, factory=dict)

    @property
    def source(self) -> SourceFile:
        """The text that all spans point into."""
        return self.file.source

    @property
    def options(self) -> CompileOptions:
        """The options of the compilation."""
        return self.file.options

    def shared(self, make: Callable[[SessionContext], _T]) -> _T:
        """What a function makes of this session, made once for all rules."""
        if make not in self._shared:
            self._shared[make] = make(self)
        value: _T = self._shared[make]
        return value
