"""What a caller may set for a compilation; nothing here comes from the file itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from abs_compiler import structs
from abs_compiler.syntax import Limits


@structs.frozen
class CompileOptions:
    """`observe` overrides `match.observe`; an entry of `targets` replaces that target's entry in `match.targets`."""

    observe: Literal["all", "tools"] | None = None
    targets: Mapping[str, tuple[str, ...]] = structs.field(factory=dict)
    limits: Limits = structs.field(factory=Limits)
