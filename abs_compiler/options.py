"""What a caller may set for a compilation; nothing here comes from the file itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.syntax import Limits


@attrs.frozen(slots=False, repr=False)
class CompileOptions(ReprMixin):
    """`observe` overrides `match.observe`; an entry of `targets` replaces that target's entry in `match.targets`."""

    observe: Literal["all", "tools"] | None = None
    targets: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    limits: Limits = attrs.field(factory=Limits)
