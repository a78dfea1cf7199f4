"""The program of one session: plain JSON in, checked values out.

`decode_program` takes the dictionary that the compiler emits (or an artifact holds), checks every field, type and
index, and gives a `Program`. Nothing in a program is code.
"""

from __future__ import annotations

from itertools import product
from operator import itemgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .checks import Check

MAX_BEHAVIORS = 100_000
MAX_TEMPLATE_DEPTH = 200
_MAX_AT = 1 << 31
_CONTAINERS = frozenset((dict, list))


class ProgramError(ValueError):
    """A program that the compiler could not have emitted; the text says where."""


class Arguments:
    """One constraint on the arguments: the declared keys (`only`: and no others), or a test of the whole."""

    __slots__ = ("at", "keys", "only", "whole")

    def __init__(self, only: bool, keys: dict[str, Any], whole: Any, at: tuple[int, int]) -> None:
        self.only = only
        self.keys = keys
        self.whole = whole
        self.at = at


class Behavior:
    """One behavior after expansion; templates stay unresolved until names are bound."""

    __slots__ = (
        "action",
        "actor",
        "args",
        "at",
        "capture",
        "checks",
        "content",
        "id",
        "index",
        "matches_when",
        "optional",
        "requires",
        "shares",
        "target",
    )

    def __init__(self, index: int, data: Any, count: int) -> None:
        """The behavior at `index` of `count`. ProgramError says where in the behavior, the caller says in which."""
        if data.__class__ is not dict:
            raise ProgramError("not an object")
        try:
            fields: Any = _BEHAVIOR_FIELDS(data)
        except KeyError:
            raise _field_error(data) from None
        if tuple(map(type, fields)) not in _BEHAVIOR_TYPES or not _BEHAVIOR_KEYS.issuperset(data):
            raise _field_error(data)
        self.id: str | None
        self.actor: str
        self.action: str
        self.target: str | None
        self.optional: bool
        self.requires: int | None
        self.shares: int | None
        self.capture: dict[str, Any]
        self.index = index
        self.id, self.actor, self.action, self.target, self.optional, self.requires, self.shares, self.capture, args = (
            fields
        )
        self.at = position_of(data, "behavior")
        if self.requires is not None and not 0 <= self.requires < index:
            raise ProgramError("requires: not an earlier behavior")
        if self.shares is not None and not 0 <= self.shares < MAX_BEHAVIORS:
            raise ProgramError("shares: not a number of a run")
        self.args = tuple([decode_arguments(item, "args") for item in args])
        self.content: Any = None
        if "content" in data:
            self.content = data["content"]
            check_template(self.content, "content")
        if self.capture:
            _check_templates(self.capture, "capture")
        self.matches_when: tuple[str, Any] | None = None
        if data.get("matches_when") is not None:
            self.matches_when = _matches_when(data["matches_when"])
        self.checks: tuple[Check, ...] = ()
        if data.get("checks"):
            from .checks import STEP_TYPES, decode_checks

            self.checks = decode_checks(data["checks"], "checks", STEP_TYPES, count)

    @property
    def title(self) -> str:
        """The behavior in words: `assistant calls Order MCP`."""
        return " ".join(part for part in (self.actor, self.action, self.target) if part)

    def templates(self) -> list[Any]:
        """Every template the step itself looks at or captures, its checks aside."""
        found = [template for constraint in self.args for template in constraint.keys.values()]
        found += [constraint.whole for constraint in self.args if constraint.whole is not None]
        found += self.capture.values()
        if self.content is not None:
            found.append(self.content)
        if self.matches_when is not None:
            found.append(self.matches_when[1])
        return found


# The fields that every behavior has, with the types that each may be of (never their subclasses: true is no number).
_TEXT, _TEXT_OR_NONE, _COUNT_OR_NONE = (str,), (str, type(None)), (int, type(None))
_TYPES = {
    "id": _TEXT_OR_NONE,
    "actor": _TEXT,
    "action": _TEXT,
    "target": _TEXT_OR_NONE,
    "optional": (bool,),
    "requires": _COUNT_OR_NONE,
    "shares": _COUNT_OR_NONE,
    "capture": (dict,),
    "args": (list,),
}
_BEHAVIOR_FIELDS = itemgetter(*_TYPES)
_BEHAVIOR_TYPES = frozenset(product(*_TYPES.values()))
_BEHAVIOR_KEYS = frozenset((*_TYPES, "at", "checks", "content", "matches_when"))


def _field_error(data: dict[str, Any]) -> ProgramError:
    """What is wrong with the fields of a behavior."""
    unknown = data.keys() - _BEHAVIOR_KEYS
    if unknown:
        return ProgramError(f"unknown field {min(unknown)}")
    wrong = next(name for name, kinds in _TYPES.items() if name not in data or type(data[name]) not in kinds)
    return ProgramError(f"{wrong}: missing, or not of its type")


def _behaviors(data: Any) -> tuple[Behavior, ...]:
    if not isinstance(data, list) or len(data) > MAX_BEHAVIORS:
        raise ProgramError("behaviors: not a list of a bounded length")
    count = len(data)
    found: list[Behavior] = []
    try:
        for item in data:
            found.append(Behavior(len(found), item, count))
    except ProgramError as error:
        raise ProgramError(f"behaviors[{len(found)}]: {error}") from None
    return tuple(found)


class Program:
    """One session, decoded."""

    __slots__ = (
        "allow_empty",
        "behaviors",
        "checks",
        "data",
        "dataset",
        "extras",
        "file_names",
        "groups",
        "has_checks",
        "has_open_checks",
        "ignore",
        "judged",
        "observe",
        "parameters",
        "path",
        "session",
        "source",
        "targets",
        "version",
    )

    def __init__(self, data: dict[str, Any]) -> None:
        if not isinstance(data, dict):
            raise ProgramError("not an object")
        unknown = data.keys() - _PROGRAM_KEYS
        if unknown:
            raise ProgramError(f"unknown field {min(unknown)}")
        self.data = data
        self.session: str = text_of(data, "session", "program")
        self.version: str = text_of(data, "version", "program")
        match = data.get("match")
        if not isinstance(match, dict) or match.keys() != _MATCH_KEYS:
            raise ProgramError("match: not the expected fields")
        extras = match["extras"]
        if extras is not None and not is_index(extras, 1 << 63):
            raise ProgramError("match.extras: not a count")
        self.extras: int | None = extras
        self.ignore = _texts(match["ignore"], "match.ignore")
        targets = match["targets"]
        if not isinstance(targets, dict):
            raise ProgramError("match.targets: not an object")
        self.targets = {name: _texts(globs, f"match.targets.{name}") for name, globs in targets.items()}
        if match["observe"] not in ("all", "tools"):
            raise ProgramError("match.observe: neither all nor tools")
        self.observe: str = match["observe"]
        self.allow_empty: bool = _flag(match, "allow_empty", "match")
        self.behaviors = _behaviors(data.get("behaviors"))
        count = len(self.behaviors)
        self.judged = any(b.matches_when is not None and b.matches_when[0] == "judge" for b in self.behaviors)
        self.checks: tuple[Check, ...] = ()
        if data.get("checks"):
            from .checks import CHAIN_TYPES, decode_checks

            self.checks = decode_checks(data["checks"], "checks", CHAIN_TYPES, count)
        self.has_checks = bool(self.checks) or any(b.checks for b in self.behaviors)
        # Those that are part of their step hold where it is matched.
        self.has_open_checks = bool(self.checks) or any(
            check.type != "tool_call" or not check.fields["merged"] or check.when is not None
            for b in self.behaviors
            for check in b.checks
        )
        self.groups = _groups(data.get("groups"), count)
        self.parameters = _texts(data.get("parameters"), "parameters")
        self.file_names = frozenset(_texts(data.get("file_names"), "file_names"))
        dataset = data.get("dataset")
        if dataset is not None:
            if not isinstance(dataset, dict) or dataset.keys() != {"id", "path"}:
                raise ProgramError("dataset: not the expected fields")
            for key in dataset:
                text_of(dataset, key, "dataset", optional=True)
        self.dataset: dict[str, str | None] | None = dataset
        source = data.get("source")
        if not isinstance(source, dict):
            raise ProgramError("source: not an object")
        self.source: dict[str, str] = {key: text_of(source, key, "source") for key in ("path", "sha256")}
        self.path = self.source["path"]  # what reports call the spec: may be another name of the same file


_PROGRAM_KEYS = frozenset(
    (
        "session",
        "version",
        "match",
        "behaviors",
        "groups",
        "parameters",
        "names",
        "file_names",
        "dataset",
        "checks",
        "source",
    )
)
_MATCH_KEYS = frozenset(("extras", "ignore", "targets", "observe", "allow_empty"))


def decode_program(data: Any) -> Program:
    """The program of a session. ProgramError where a field is not what the compiler emits."""
    return Program(data)


def check_template(template: Any, where: str) -> None:
    """Refuse a template that is not one of the tagged forms. ProgramError with the place."""
    try:
        _check_template(template, MAX_TEMPLATE_DEPTH)
    except ProgramError as error:
        raise ProgramError(f"{where}: {error}") from None


def _check_template(template: Any, depth: int) -> None:
    if depth == 0:
        raise ProgramError("nested too deeply")
    if not isinstance(template, list) or len(template) != 2:
        raise ProgramError("not a template")
    tag, body = template
    if tag == "=":
        if body.__class__ is dict or body.__class__ is list:
            _check_depth(body)
    elif tag == "ref" and isinstance(body, str):
        pass
    elif tag == "text" and isinstance(body, list):
        for part in body:
            if not isinstance(part, str):
                _check_template(part, depth - 1)
                if part[0] != "ref":
                    raise ProgramError("a text holds texts and references")
    elif tag == "obj" and isinstance(body, dict):
        for item in body.values():
            _check_template(item, depth - 1)
    elif tag == "arr" and isinstance(body, list):
        for item in body:
            _check_template(item, depth - 1)
    elif tag == "is":
        from .predicates import PredicateDataError, check_predicate

        try:
            check_predicate(body)
        except PredicateDataError as error:
            raise ProgramError(f"not a predicate: {error}") from None
    else:
        raise ProgramError("not a template")


def _check_depth(value: Any) -> None:
    """Refuse a constant that is nested deeper than keys of values can be made for."""
    children = value.values() if value.__class__ is dict else value
    if _CONTAINERS.isdisjoint(map(type, children)):
        return
    for _ in range(MAX_TEMPLATE_DEPTH):
        deeper = [child for child in children if child.__class__ is dict or child.__class__ is list]
        if not deeper:
            return
        children = [item for child in deeper for item in (child.values() if child.__class__ is dict else child)]
    raise ProgramError("nested too deeply")


def _check_templates(templates: dict[str, Any], where: str) -> None:
    key = ""
    try:
        for key in templates:
            template = templates[key]
            if template.__class__ is list and len(template) == 2 and template[0] == "=":
                if template[1].__class__ is dict or template[1].__class__ is list:
                    _check_depth(template[1])
            else:
                _check_template(template, MAX_TEMPLATE_DEPTH)
    except ProgramError as error:
        raise ProgramError(f"{where}.{key}: {error}") from None


def _matches_when(data: Any) -> tuple[str, Any]:
    """(contains | regex | judge, template) of the test that stands in place of the action."""
    if not isinstance(data, list) or len(data) != 2 or data[0] not in ("contains", "regex", "judge"):
        raise ProgramError("matches_when: not a test of text")
    check_template(data[1], "matches_when")
    kind, (tag, text) = data
    if tag not in ("=", "ref", "text") or (tag == "=" and text.__class__ is not str):
        raise ProgramError("matches_when: not a text")
    if kind == "regex" and tag == "=":
        from .patterns import PatternError, compile_pattern

        try:
            compile_pattern(text)
        except PatternError as error:
            raise ProgramError(f"matches_when: a pattern that RE2 refuses: {error}") from None
    return (kind, data[1])


def decode_arguments(data: Any, where: str) -> Arguments:
    if data.__class__ is not dict or len(data) != 3:
        raise ProgramError(f"{where}: not the expected fields")
    only = data.get("only")
    at = position_of(data, where)
    if "whole" in data and only is False:
        check_template(data["whole"], f"{where}.whole")
        return Arguments(False, {}, data["whole"], at)
    keys = data.get("keys")
    if only.__class__ is not bool or keys.__class__ is not dict:
        raise ProgramError(f"{where}: not the expected fields")
    _check_templates(keys, where)
    return Arguments(only, keys, None, at)


def _groups(data: Any, count: int) -> tuple[tuple[int, int], ...]:
    groups: list[tuple[int, int]] = []
    end = 0
    for item in data if isinstance(data, list) else [None]:
        if not (isinstance(item, list) and len(item) == 2 and all(is_index(n, count + 1) for n in item)):
            raise ProgramError("groups: not pairs of indices")
        if item[0] < end or item[1] - item[0] < 2:
            raise ProgramError("groups: not sorted runs of two or more")
        end = item[1]
        groups.append((item[0], item[1]))
    return tuple(groups)


def text_of(data: dict[str, Any], key: str, where: str, *, optional: bool = False) -> Any:
    value = data.get(key)
    if value.__class__ is str or (optional and value is None):
        return value
    raise ProgramError(f"{where}.{key}: not a text")


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise ProgramError(f"{where}: not a list of texts")


def _flag(data: dict[str, Any], key: str, where: str) -> bool:
    value = data.get(key)
    if isinstance(value, bool):
        return value
    raise ProgramError(f"{where}.{key}: not a boolean")


def is_index(value: Any, bound: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < bound


def position_of(data: dict[str, Any], where: str) -> tuple[int, int]:
    at = data.get("at")
    if at.__class__ is list and len(at) == 2:
        line, column = at
        if line.__class__ is int and column.__class__ is int and 0 <= line < _MAX_AT and 0 <= column < _MAX_AT:
            return (line, column)
    raise ProgramError(f"{where}.at: not a line and a column")
