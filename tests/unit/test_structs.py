"""Values: fields, defaults, equality, hashes, copies, what cannot be done with them."""

from __future__ import annotations

import copy
import pickle
from typing import ClassVar

import pytest

from abs_compiler import structs
from abs_compiler.runtime.values import json_key


@structs.frozen
class Point:
    x: int
    y: int = 0

    unit: ClassVar[str] = "cm"

    @property
    def sum(self) -> int:
        return self.x + self.y


@structs.frozen
class Named(Point):
    name: str = structs.field(default="", eq=False, repr=False)
    tags: list[str] = structs.field(factory=list)


@structs.frozen
class Literal:
    value: object = structs.field(eq=json_key)


@structs.frozen(eq=False)
class Node:
    name: str
    _kept: dict[str, int] = structs.field(init=False, repr=False, factory=dict)
    _size: int = structs.field(init=False, default=7)


@structs.frozen(cache_hash=True)
class Big:
    items: tuple[object, ...]


class Counting:
    asked = 0

    def __hash__(self) -> int:
        Counting.asked += 1
        return 1


def test_fields_are_arguments_by_place_and_by_name() -> None:
    assert (Point(1, 2).x, Point(1, 2).y, Point(x=3).y, Point(3).sum) == (1, 2, 0, 3)
    assert Named(1, 2, "a").name == "a"
    assert Named(1).tags is not Named(1).tags
    assert Point.unit == "cm"
    for wrong in ((), (1, 2, 3)):
        with pytest.raises(TypeError):
            Point(*wrong)
    with pytest.raises(TypeError):
        Point(1, z=2)  # type: ignore[call-arg]


def test_fields_that_are_no_arguments() -> None:
    one, two = Node("a"), Node("a")
    assert one._kept == {}
    assert one._kept is not two._kept
    assert one._size == 7
    with pytest.raises(TypeError):
        Node("a", {})  # type: ignore[call-arg]


def test_equality_is_of_class_and_fields() -> None:
    assert Point(1, 2) == Point(1, 2)
    assert hash(Point(1, 2)) == hash(Point(1, 2))
    assert Point(1, 2) != Point(1, 3)
    assert Point(1, 0) != Named(1, 0)
    assert Named(1, name="a") == Named(1, name="b")
    assert Point(1) != (1, 0)
    assert len({Point(1), Point(1), Point(2)}) == 2


def test_a_key_may_stand_for_a_field() -> None:
    assert Literal(1) == Literal(1.0)
    assert Literal(1) != Literal(True)
    assert hash(Literal([1, {"a": 2.0}])) == hash(Literal([1, {"a": 2}]))


def test_without_equality_each_equals_itself_only() -> None:
    one = Node("a")
    again = one
    assert one == again
    assert one != Node("a")
    assert len({one, Node("a")}) == 2


def test_a_hash_can_be_kept() -> None:
    big = Big((Counting(),))
    before = Counting.asked
    assert hash(big) == hash(big) == hash(big)
    assert Counting.asked == before + 1


def test_nothing_can_be_changed_or_added() -> None:
    point = Point(1)
    for name in ("x", "other"):
        with pytest.raises(AttributeError):
            setattr(point, name, 2)
        with pytest.raises(AttributeError):
            delattr(point, name)
    assert not hasattr(point, "__dict__")


def test_changed_copies() -> None:
    named = Named(1, 2, "a", ["t"])
    other = structs.evolve(named, y=5)
    assert (other, other.name, other.tags) == (Named(1, 5, "a", ["t"]), "a", ["t"])
    assert structs.evolve(Node("a"), name="b")._size == 7
    with pytest.raises(TypeError):
        structs.evolve(named, z=1)


def pickled(value: object) -> object:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - made in this line


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
def test_copies(again) -> None:
    for value in (Point(1, 2), Named(1, 2, "a", ["t"]), Big((1,))):
        assert again(value) == value
    assert again(Node("a"))._size == 7


def test_what_they_show() -> None:
    assert repr(Named(1, 2, "a", ["t"])) == "Named(x=1, y=2, tags=['t'])"
    assert [item.name for item in structs.fields(Named)] == ["x", "y", "name", "tags"]
    assert structs.asdict(Point(1, 2)) == {"x": 1, "y": 2}
    assert structs.astuple(Point(1, 2)) == (1, 2)
    assert structs.fields(int) == ()


def test_patterns_take_them_apart() -> None:
    match Named(1, 2, "a"):
        case Named(x, 2, name=name):
            assert (x, name) == (1, "a")
        case _:
            pytest.fail("no match")
