"""Patterns in RE2's syntax, read into a small tree: the shape is read here, classes of characters are RE2's own.

Takes a pattern that RE2 accepts; gives nodes as tuples, or None for a construct that is not followed here (then
nothing is claimed about the pattern beyond what RE2 says of single texts).

    ("chars", ranges)  ("cat", nodes)  ("alt", nodes)  ("repeat", node, low, high or None)  ("at", place)
    place: text-start text-end line-start line-end word-edge no-word-edge
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from abs_compiler.predicate.domains.character_sets import (
    DIGITS,
    EVERY,
    NEWLINE,
    SPACES,
    WORDS,
    Ranges,
    ask_re2,
    complement,
    fold_ascii,
    normal,
)

Regex: TypeAlias = tuple[Any, ...]

_REPEAT = re.compile(r"(?:\*|\+|\?|\{([0-9]+)(,([0-9]*))?\})\??")
_GROUP = re.compile(r"\(\?(?:P?<[A-Za-z_][A-Za-z0-9_]*>|([imsU]*(?:-[imsU]+)?)([:)]))|\(")
_CLASS = re.compile(r"\[\^?\]?(?:\\p\{[^}]*\}|\\[\s\S]|\[:[^\]]*:\]|[^\]\\])*\]")
_SIMPLE_CLASS = re.compile(  # of ASCII: `[\x00-Z^-\x7f]` is all of it but brackets and the backslash
    r"\[(\^?)((?:\\[dDwWsS]|(?:\\[^\w]|[\x00-Z^-\x7f])(?:-(?:\\[^\w]|[\x00-,.-Z^-\x7f]))?)+)\]"
)
_CLASS_ITEM = re.compile(r"\\[dDwWsS]|(\\?[\s\S])(?:-(\\?[\s\S]))?")
_HEX = re.compile(r"\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))")
_OCTAL = re.compile(r"\\(0[0-7]{0,2}|[1-7][0-7]{1,2})")
_UNICODE_CLASS = re.compile(r"\\[pP](?:\{[^}]*\}|[A-Za-z])")
_FOLDABLE = (("chars", ((0x4B, 0x4B), (0x6B, 0x6B))), ("chars", ((0x53, 0x53), (0x73, 0x73))))
_NAMED = {"d": DIGITS, "w": WORDS, "s": SPACES}
_CONTROL = {"a": 7, "f": 12, "t": 9, "n": 10, "r": 13, "v": 11}
_PLACES = {"A": "text-start", "z": "text-end", "b": "word-edge", "B": "no-word-edge"}


class _UnknownError(Exception):
    """A construct that is not followed."""


def read_regex(pattern: str, *, ignore_case: bool) -> Regex | None:
    """The tree of a pattern that RE2 accepts."""
    try:
        reader = _Reader(pattern, frozenset("i") if ignore_case else frozenset())
        tree = reader.alternatives(0)
    except (_UnknownError, RecursionError):
        return None
    return None if reader.at < len(pattern) or _folds_by_accident(tree) else tree


def _folds_by_accident(tree: Regex) -> bool:
    """Whether RE2 may take more for `[Kk]` or `[Ss]` than is written.

    It makes such a class a letter whose case is ignored, and where it joins that with other alternatives, perhaps only
    after taking out what they begin with, the Kelvin sign and the long s count as the letter too.
    """
    nodes = list(_nodes(tree))
    return any(node[0] == "alt" for node in nodes) and any(node[:2] in _FOLDABLE for node in nodes)


def _nodes(tree: Regex) -> Iterator[Regex]:
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        if node[0] in ("cat", "alt"):
            pending.extend(node[1])
        elif node[0] == "repeat":
            pending.append(node[1])


class _Reader:
    """A cursor over a pattern; flags may change inside a group and hold to its end."""

    def __init__(self, pattern: str, flags: frozenset[str]) -> None:
        self.pattern = pattern
        self.at = 0
        self.flags = flags

    def alternatives(self, depth: int) -> Regex:
        if depth > 50:
            raise _UnknownError
        flags = self.flags
        branches = [self._sequence(depth)]
        while self.pattern.startswith("|", self.at):
            self.at += 1
            branches.append(self._sequence(depth))
        self.flags = flags
        return branches[0] if len(branches) == 1 else ("alt", tuple(branches))

    def _sequence(self, depth: int) -> Regex:
        parts: list[Regex] = []
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            if self.pattern.startswith("\\Q", self.at):
                parts.extend(self._quoted())
            elif (part := self._atom(depth)) is not None:
                parts.append(part)
            if parts and (repeat := _REPEAT.match(self.pattern, self.at)):
                self.at = repeat.end()
                parts[-1] = _repeated(parts[-1], repeat)
        return parts[0] if len(parts) == 1 else ("cat", tuple(parts))

    def _quoted(self) -> list[Regex]:
        end = self.pattern.find("\\E", self.at)
        body = self.pattern[self.at + 2 : end if end >= 0 else len(self.pattern)]
        self.at = len(self.pattern) if end < 0 else end + 2
        if not body:
            raise _UnknownError
        return [self._character(ord(char)) for char in body]

    def _atom(self, depth: int) -> Regex | None:
        char = self.pattern[self.at]
        if char == "(":
            return self._group(depth)
        if char == "[":
            return self._class()
        if char == "\\":
            return self._escape()
        self.at += 1
        match char:
            case "^":
                return ("at", "line-start" if "m" in self.flags else "text-start")
            case "$":
                return ("at", "line-end" if "m" in self.flags else "text-end")
            case ".":
                return ("chars", EVERY if "s" in self.flags else complement(NEWLINE))
            case _:
                return self._character(ord(char))

    def _group(self, depth: int) -> Regex | None:
        found = _GROUP.match(self.pattern, self.at)
        assert found is not None
        self.at = found.end()
        flags = self.flags
        if found.group(2):
            added, _, removed = found.group(1).partition("-")
            changed = (flags | set(added)) - set(removed)
            if found.group(2) == ")":
                # Flags to the end of the enclosing group. RE2 keeps them across the alternatives that follow.
                self.flags = changed
                return None
            self.flags = changed
        elif found.group().startswith("(?") and found.group(1) is not None:
            raise _UnknownError
        inner = self.alternatives(depth + 1)
        if not self.pattern.startswith(")", self.at):
            raise _UnknownError
        self.at += 1
        self.flags = flags
        return inner

    def _class(self) -> Regex:
        found = _CLASS.match(self.pattern, self.at)
        if found is None:
            raise _UnknownError
        self.at = found.end()
        text = found.group()
        ranges = _simple_class(text)
        if "i" in self.flags and ranges is not None:
            # A negated class is folded before it is negated.
            inside = _simple_class("[" + text[2:]) if text.startswith("[^") else ranges
            folded = None if inside is None else fold_ascii(inside)
            ranges = complement(folded) if folded is not None and text.startswith("[^") else folded
        return ("chars", ask_re2(text, self._asked_flags()) if ranges is None else ranges)

    def _escape(self) -> Regex:
        char = self.pattern[self.at + 1]
        if char in _PLACES:
            self.at += 2
            return ("at", _PLACES[char])
        if char.lower() in _NAMED:
            self.at += 2
            if "i" in self.flags and char in "wW":
                return ("chars", ask_re2(f"\\{char}", "i"))
            ranges = _NAMED[char.lower()]
            return ("chars", ranges if char.islower() else complement(ranges))
        if char in "pP" and (named := _UNICODE_CLASS.match(self.pattern, self.at)):
            self.at = named.end()
            return ("chars", ask_re2(named.group(), self._asked_flags()))
        if hexadecimal := _HEX.match(self.pattern, self.at):
            self.at = hexadecimal.end()
            return self._character(int(hexadecimal.group(1) or hexadecimal.group(2), 16))
        if octal := _OCTAL.match(self.pattern, self.at):
            self.at = octal.end()
            return self._character(int(octal.group(1), 8))
        if char.isascii() and char.isalnum() and char not in _CONTROL:
            raise _UnknownError
        self.at += 2
        return self._character(_CONTROL.get(char, ord(char)))

    def _asked_flags(self) -> str:
        return "i" if "i" in self.flags else ""

    def _character(self, point: int) -> Regex:
        single = ((point, point),)
        if "i" not in self.flags:
            return ("chars", single)
        return ("chars", fold_ascii(single) or ask_re2(f"\\x{{{point:X}}}", "i"))


def _repeated(node: Regex, repeat: re.Match[str]) -> Regex:
    match repeat.group()[0]:
        case "*":
            return ("repeat", node, 0, None)
        case "+":
            return ("repeat", node, 1, None)
        case "?":
            return ("repeat", node, 0, 1)
    low = int(repeat.group(1))
    if repeat.group(2) is None:
        return ("repeat", node, low, low)
    return ("repeat", node, low, int(repeat.group(3)) if repeat.group(3) else None)


def _simple_class(text: str) -> Ranges | None:
    """The characters of a class of plain ASCII characters, ranges and \\d \\w \\s; None for others."""
    found = _SIMPLE_CLASS.fullmatch(text)
    if found is None or found.group(2).startswith("^"):
        return None
    ranges: list[tuple[int, int]] = []
    for item in _CLASS_ITEM.finditer(found.group(2)):
        if item.group(1) is None:
            named = _NAMED[item.group()[1].lower()]
            ranges.extend(named if item.group()[1].islower() else complement(named))
            continue
        low = ord(item.group(1)[-1])
        high = low if item.group(2) is None else ord(item.group(2)[-1])
        if high < low:
            return None
        ranges.append((low, high))
    return complement(normal(ranges)) if found.group(1) else normal(ranges)


# --- patterns that say what another test says -----------------------------------------------------------------------


def as_plain(tree: Regex) -> tuple[str, str] | None:
    """("is" | "starts" | "ends" | "contains", text) for a pattern that says just that."""
    parts = list(tree[1]) if tree[0] == "cat" else [tree]
    starts = bool(parts) and parts[0] == ("at", "text-start")
    ends = bool(parts) and parts[-1] == ("at", "text-end") and len(parts) > int(starts)
    inside = parts[int(starts) : len(parts) - int(ends)]
    text = _plain_text(inside)
    if text is None:
        return None
    return {(True, True): "is", (True, False): "starts", (False, True): "ends"}.get((starts, ends), "contains"), text


def prefix_of(tree: Regex) -> str:
    """The text that every match of a pattern begins with, at the start of the text; empty when there is none."""
    parts = list(tree[1]) if tree[0] == "cat" else [tree]
    if not parts or parts[0] != ("at", "text-start"):
        return ""
    found = ""
    for part in parts[1:]:
        text = _plain_text([part])
        if not text:
            break
        found += text
    return found


def _plain_text(parts: list[Regex]) -> str | None:
    found = []
    for part in parts:
        if part[0] == "cat":
            inner = _plain_text(list(part[1]))
            if inner is None:
                return None
            found.append(inner)
        elif part[0] == "chars" and len(part[1]) == 1 and part[1][0][0] == part[1][0][1]:
            found.append(chr(part[1][0][0]))
        else:
            return None
    return "".join(found)
