"""Frozen, slotted values with named fields: what attrs would give, at a fraction of its start-up.

    @structs.frozen
    class Span:
        start: int
        end: int = 0

Fields are the annotated names, with defaults as in a dataclass; `field()` says more about one. Values are equal when
their classes and fields are; with `eq=False` each equals itself only. `evolve` gives a changed copy.

A command that compiles one file makes some 150 such classes and uses a third of them. attrs compiles six methods for
each when the class is made, which took longer than compiling the file; here methods are compiled when they are
first used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

_T = TypeVar("_T")

_NOTHING: Any = object()


class Field:
    """What is known of a field: its name, its default or the function that makes one, and where it takes part. `eq` is
    whether it takes part in equality, or a function that gives what does in its place."""

    __slots__ = ("default", "eq", "factory", "init", "name", "repr")

    def __init__(
        self,
        default: Any = _NOTHING,
        factory: Callable[[], Any] | None = None,
        init: bool = True,
        repr: bool = True,
        eq: bool | Callable[[Any], Any] = True,
    ) -> None:
        self.name = ""
        self.default = default
        self.factory = factory
        self.init = init
        self.repr = repr
        self.eq = eq


def field(
    *,
    default: Any = _NOTHING,
    factory: Callable[[], Any] | None = None,
    init: bool = True,
    repr: bool = True,
    eq: bool | Callable[[Any], Any] = True,
) -> Any:
    """More about a field. One with `init=False` is no argument, and needs a default or a factory."""
    return Field(default, factory, init, repr, eq)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: Any = None, *, eq: bool = True, cache_hash: bool = False) -> Any:
    """A class of values; `cache_hash` keeps the hash of each value once it was asked for."""
    if cls is None:
        return lambda made: _made(made, eq, cache_hash)
    return _made(cls, eq, cache_hash)


def fields(cls: type) -> tuple[Field, ...]:
    """The fields of a class of values, those of its bases first; none for any other class."""
    found: tuple[Field, ...] = getattr(cls, "__fields__", ())
    return found


def evolve(value: _T, /, **changes: Any) -> _T:
    """A copy of a value with other values of some fields."""
    for item in fields(type(value)):
        if item.init and item.name not in changes:
            changes[item.name] = getattr(value, item.name)
    return type(value)(**changes)


def asdict(value: Any) -> dict[str, Any]:
    """The fields of a value by name; what they hold stays as it is."""
    return {item.name: getattr(value, item.name) for item in fields(type(value))}


def astuple(value: Any) -> tuple[Any, ...]:
    """The fields of a value in order; what they hold stays as it is."""
    return tuple(getattr(value, item.name) for item in fields(type(value)))


# --- making classes -------------------------------------------------------------------------------------------------


def _made(cls: Any, eq: bool, cache_hash: bool) -> Any:
    inherited = {item.name: item for base in reversed(cls.__mro__[1:]) for item in base.__dict__.get("__fields__", ())}
    own = _own_fields(cls)
    known = inherited | own
    left_out = {"__dict__", "__weakref__", *own}
    namespace = {name: value for name, value in cls.__dict__.items() if name not in left_out}
    namespace["__slots__"] = (*(name for name in own if name not in inherited), *(("_hash",) if cache_hash else ()))
    namespace["__fields__"] = tuple(known.values())
    namespace["__match_args__"] = tuple(item.name for item in known.values() if item.init)
    namespace |= {"__setattr__": _refuse, "__delattr__": _refuse, "__getstate__": astuple, "__setstate__": _restore}
    made = type(cls)(cls.__name__, cls.__bases__, namespace)

    def first_init(self: Any, *args: Any, **kwargs: Any) -> None:
        made.__init__ = _init_of(made)
        made.__init__(self, *args, **kwargs)

    made.__init__ = first_init
    if "__repr__" not in namespace:
        made.__repr__ = _first_repr
    if eq and "__eq__" not in namespace:
        _give_equality(made, cache_hash)
    return made


def _own_fields(cls: Any) -> dict[str, Field]:
    found = {}
    for name, annotation in cls.__annotations__.items():  # its own, as of Python 3.10
        if str(annotation).startswith(("ClassVar", "typing.ClassVar")):
            continue
        default = cls.__dict__.get(name, _NOTHING)
        item = default if isinstance(default, Field) else Field(default)
        item.name = name
        found[name] = item
    return found


def _init_of(cls: Any) -> Any:
    """`__init__`: it writes each field through its slot, which is the quickest way past `__setattr__`."""
    scope: dict[str, Any] = {}
    parameters, body = [], []
    for number, item in enumerate(cls.__fields__):
        scope[f"put{number}"] = getattr(cls, item.name).__set__
        value = item.name
        if item.factory is not None:
            scope[f"make{number}"] = item.factory
            value = f"make{number}() if {item.name} is nothing else {item.name}" if item.init else f"make{number}()"
        elif not item.init:
            scope[f"default{number}"] = item.default
            value = f"default{number}"
        if item.init:
            default = "" if item.default is _NOTHING and item.factory is None else f"=default{number}"
            if default:
                scope[f"default{number}"] = _NOTHING if item.factory is not None else item.default
            parameters.append(item.name + default)
        body.append(f"    put{number}(self, {value})")
    scope["nothing"] = _NOTHING
    return _function("__init__", ["self", *parameters], body or ["    pass"], scope)


def _give_equality(cls: Any, cache_hash: bool) -> None:
    def first_eq(self: Any, other: Any) -> Any:
        cls.__eq__ = _eq_of(cls)
        return cls.__eq__(self, other)

    def first_hash(self: Any) -> int:
        cls.__hash__ = _hash_of(cls, cache_hash)
        found: int = cls.__hash__(self)
        return found

    cls.__eq__ = first_eq
    cls.__hash__ = first_hash


def _eq_of(cls: Any) -> Any:
    compared, scope = _compared(cls, "self")
    others, _ = _compared(cls, "other")
    body = ["    if other.__class__ is not self.__class__: return NotImplemented"]
    body.append("    return " + (" and ".join(map("{} == {}".format, compared, others)) or "True"))
    return _function("__eq__", ["self", "other"], body, scope)


def _hash_of(cls: Any, cache_hash: bool) -> Any:
    compared, scope = _compared(cls, "self")
    scope["salt"] = hash(cls.__qualname__)
    code = f"hash((salt, {' '.join(f'{item},' for item in compared)}))"
    if not cache_hash:
        return _function("__hash__", ["self"], [f"    return {code}"], scope)
    scope |= {"kept": cls._hash.__get__, "keep": cls._hash.__set__}
    body = ["    try: return kept(self)", f"    except AttributeError: found = {code}", "    keep(self, found)"]
    return _function("__hash__", ["self"], [*body, "    return found"], scope)


def _compared(cls: Any, value: str) -> tuple[list[str], dict[str, Any]]:
    """What is compared of a value, as expressions, and the names in them."""
    compared, scope = [], {}
    for number, item in enumerate(cls.__fields__):
        if item.eq is True:
            compared.append(f"{value}.{item.name}")
        elif item.eq:
            scope[f"key{number}"] = item.eq
            compared.append(f"key{number}({value}.{item.name})")
    return compared, scope


def _function(name: str, parameters: list[str], body: list[str], scope: dict[str, Any]) -> Any:
    exec("\n".join([f"def {name}({', '.join(parameters)}):", *body]), scope)  # noqa: S102 - names of fields only
    return scope[name]


def _first_repr(self: Any) -> str:
    cls: Any = next(base for base in type(self).__mro__ if base.__dict__.get("__repr__") is _first_repr)
    shown = ", ".join(f"{item.name}={{self.{item.name}!r}}" for item in cls.__fields__ if item.repr)
    # One frame a value: trees are deep.
    cls.__repr__ = _function("__repr__", ["self"], [f'    return f"{{type(self).__qualname__}}({shown})"'], {})
    found: str = cls.__repr__(self)
    return found


def _refuse(self: Any, name: str, *_: Any) -> None:
    raise AttributeError(f"`{name}` of a {type(self).__name__} cannot be changed")


def _restore(self: Any, state: tuple[Any, ...]) -> None:
    for item, value in zip(self.__fields__, state, strict=True):
        object.__setattr__(self, item.name, value)
