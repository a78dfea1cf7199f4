"""`Literal`: an expected value that is taken as it is written."""

from __future__ import annotations

from abs_compiler.runtime.values import json_equal, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Literal:
    """An expected argument that means itself: `{"kind": Literal("string")}` expects the text "string", where
    `{"kind": "string"}` expects any text."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and json_equal(self.value, other.value)

    def __hash__(self) -> int:
        return hash(kind_of(self.value))

    def __repr__(self) -> str:
        return f"Literal({self.value!r})"
