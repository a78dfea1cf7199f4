"""Tags: the core ones and how a tagged scalar gets its value."""

from __future__ import annotations

from abs_compiler.syntax.scalars import ScalarValue, resolve

_CORE_PREFIX = "tag:yaml.org,2002:"
SCALAR_KINDS = {
    _CORE_PREFIX + "str": "text",
    _CORE_PREFIX + "int": "an integer",
    _CORE_PREFIX + "float": "a number",
    _CORE_PREFIX + "bool": "a boolean",
    _CORE_PREFIX + "null": "null",
}
SEQUENCE_TAG = _CORE_PREFIX + "seq"
MAPPING_TAG = _CORE_PREFIX + "map"
CORE_TAGS = frozenset((*SCALAR_KINDS, SEQUENCE_TAG, MAPPING_TAG, "!"))


class TagError(ValueError):
    """A scalar whose text is not what its tag says; `expected` says in user words what the tag asks for."""

    def __init__(self, expected: str) -> None:
        super().__init__(expected)
        self.expected = expected


def asked_for(tag: str) -> str:
    """What a core tag asks for, in user words."""
    return SCALAR_KINDS.get(tag) or ("a list" if tag == SEQUENCE_TAG else "a mapping")


def tagged_value(tag: str, text: str, number_chars: int) -> ScalarValue:
    """The value of a scalar with a core tag; TagError where the text does not fit, NumberError as `resolve`."""
    if tag in ("!", _CORE_PREFIX + "str"):
        return text
    if tag not in SCALAR_KINDS:
        raise TagError(asked_for(tag))
    value = resolve(text, number_chars)
    kind = tag.removeprefix(_CORE_PREFIX)
    if isinstance(value, bool):
        fits = kind == "bool"
    elif isinstance(value, int):
        fits = kind in ("int", "float")
    elif isinstance(value, float):
        fits = kind == "float"
    else:
        fits = kind == "null" and value is None
    if not fits:
        raise TagError(asked_for(tag))
    return value


def shown_tag(tag: str) -> str:
    """A tag as its author most likely wrote it."""
    if tag.startswith(_CORE_PREFIX):
        return "!!" + tag.removeprefix(_CORE_PREFIX)
    return tag if tag.startswith("!") else f"!<{tag}>"
