"""The `repr` of frozen attrs values, written once.

attrs would compile one for every class when its module is imported, which is a third of what making the classes costs.
"""

from __future__ import annotations


class ReprMixin:
    """A `repr` like that of attrs: the class's name, and its fields as they would be given to it."""

    __slots__ = ()

    def __repr__(self) -> str:
        shown = []  # in a loop: each frame of a comprehension would bring the limit of recursion nearer
        for field in type(self).__attrs_attrs__:  # type: ignore[attr-defined]
            shown.append(f"{field.name}={getattr(self, field.name)!r}")
        return f"{type(self).__qualname__}({', '.join(shown)})"
