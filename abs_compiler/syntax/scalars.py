"""Plain scalars: the YAML 1.2 core schema, and what YAML 1.1 would have made of the same text.

`resolve` takes a plain scalar's text and gives its value; NumberError where the number cannot be kept.
`older_reading` says, in user words, how a YAML 1.1 reader takes the same text where it differs.
"""

from __future__ import annotations

import json
import math
import re

ScalarValue = None | bool | int | float | str

_CONSTANTS: dict[str, None | bool] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_NUMBER_START = frozenset("-+.0123456789")
_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)")
_NAN = frozenset((".nan", ".NaN", ".NAN"))


# What YAML 1.1 knew besides.
_OLD_TRUE = frozenset(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"))
_OLD_FALSE = frozenset(("n", "N", "no", "No", "NO", "off", "Off", "OFF"))
_OLD_KEYS = frozenset(("=", "<<"))
_SPECIAL_WORDS = frozenset((*_CONSTANTS, *_OLD_TRUE, *_OLD_FALSE, *_OLD_KEYS))


class NumberError(ValueError):
    """A number that is not kept: `problem` is "infinite", "nan", "too-long", "too-large" or "too-small"."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


def is_ordinary(text: str) -> bool:
    """Whether a plain scalar is certainly text, for YAML 1.2 and 1.1 alike. Most are, and need no closer look."""
    return text[:1] not in _NUMBER_START and text not in _SPECIAL_WORDS


def resolve(text: str, number_chars: int = 100) -> ScalarValue:
    """The core-schema value of a plain scalar."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] not in _NUMBER_START:
        return text
    if _INT.fullmatch(text):
        return int(_short(text, number_chars))
    if _FLOAT.fullmatch(text):
        return finite_float(text, number_chars)
    if _OCTAL.fullmatch(text):
        return int(_short(text, number_chars)[2:], 8)
    if _HEX.fullmatch(text):
        return int(_short(text, number_chars)[2:], 16)
    if _INFINITE.fullmatch(text):
        raise NumberError("infinite")
    if text in _NAN:
        raise NumberError("nan")
    return text


def finite_float(text: str, number_chars: int = 100) -> float:
    """The double of a decimal number; NumberError where no finite double is near it."""
    value = float(_short(text, number_chars))
    if math.isinf(value):
        raise NumberError("too-large")
    if value == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):
        raise NumberError("too-small")
    return value


def _short(text: str, number_chars: int) -> str:
    if len(text) > number_chars:
        raise NumberError("too-long")
    return text


# YAML 1.1 (the 2005 type repository, with the two known slips of its patterns mended as every reader does). Compiled
# when they are needed, which few are in most files.
_OLD_BINARY = r"[-+]?0b[01_]+"
_OLD_OCTAL = r"[-+]?0[0-7_]+"
_OLD_DECIMAL = r"[-+]?(?:0|[1-9][0-9_]*)"
_OLD_HEX = r"[-+]?0x[0-9a-fA-F_]+"
_OLD_SEXAGESIMAL = r"[-+]?(?:[1-9][0-9_]*(?::[0-5]?[0-9])+|[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*)"
_OLD_FLOAT = r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?"
_OLD_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_OLD_TIME = (
    r"[0-9]{4}-[0-9][0-9]?-[0-9][0-9]?(?:[Tt]|[ \t]+)[0-9][0-9]?:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9][0-9]?(?::[0-9]{2})?))?"
)
_LONGEST_OLD = 100


def older_reading(text: str, value: ScalarValue) -> str | None:
    """How YAML 1.1 reads a plain scalar that the core schema reads as `value`; None where both agree."""
    if len(text) > _LONGEST_OLD or not text:
        return None
    if isinstance(value, str):
        return _older_of_text(text)
    if isinstance(value, bool) or value is None:
        return None
    if re.fullmatch(_OLD_OCTAL, text):
        old = _grouped(text.replace("_", ""), 8)
        return None if old == value else f"the number {old}"
    if re.fullmatch(_OLD_DECIMAL, text) or re.fullmatch(_OLD_HEX, text) or re.fullmatch(_OLD_FLOAT, text):
        return None
    return "text"


def _older_of_text(text: str) -> str | None:
    if text in _OLD_TRUE:
        return "the boolean true"
    if text in _OLD_FALSE:
        return "the boolean false"
    if text in _OLD_KEYS:
        return "a special key"
    if text[0] not in _NUMBER_START:
        return None
    bare = text.replace("_", "")
    if re.fullmatch(_OLD_BINARY, text) and bare[-1] in "01":
        return f"the number {_grouped(bare.replace('0b', '', 1), 2)}"
    if re.fullmatch(_OLD_HEX, text) and bare[-1] not in "xX":
        return f"the number {_grouped(bare.replace('0x', '', 1), 16)}"
    if re.fullmatch(_OLD_OCTAL, text):
        return f"the number {_grouped(bare, 8)}"
    if re.fullmatch(_OLD_DECIMAL, text):
        return f"the number {int(bare)}"
    if re.fullmatch(_OLD_FLOAT, text):
        return f"the number {number_text(float(bare))}"
    if re.fullmatch(_OLD_SEXAGESIMAL, text):
        return f"the number {_sexagesimal(bare)}"
    if re.fullmatch(_OLD_DATE, text):
        return "a date"
    if re.fullmatch(_OLD_TIME, text):
        return "a date with a time"
    return None


def _grouped(digits: str, base: int) -> int:
    return int(digits, base)


def _sexagesimal(text: str) -> str:
    sign = "-" if text[0] == "-" else ""
    total = 0.0
    for part in text.lstrip("+-").split(":"):
        total = total * 60 + float(part)
    return sign + number_text(total)


def number_text(value: int | float) -> str:
    """A number as text that YAML 1.1, YAML 1.2 and JSON all read as the same value."""
    if isinstance(value, int):
        return str(value)
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    mantissa, mark, exponent = repr(value).partition("e")
    if not mark:
        return mantissa
    if "." not in mantissa:
        mantissa += ".0"
    return f"{mantissa}e{exponent if exponent[0] in '+-' else '+' + exponent}"


def quoted(text: str) -> str:
    """The text as a double-quoted scalar, valid in YAML and JSON."""
    return json.dumps(text, ensure_ascii=False)
