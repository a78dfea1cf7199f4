"""Random predicates and random JSON values that have a chance to meet each other."""

from __future__ import annotations

import random
from typing import Any

from abs_compiler.predicate import tree

TEXTS = [
    "",
    "a",
    "b",
    "ab",
    "ba",
    "abc",
    "A",
    "aé",
    "é",
    "\U0001f600",
    "～",
    "x y",
    "1",
    "\ud800",
    "a\udc00",
    '"',
    "b\0",
]
NUMBERS = [0, 1, -1, 2, 3, 5, 0.5, 1.5, -2.5, 5.5, 1e300, 2**53, 2**53 + 1, 10**20, 4503599627370495.5, 100]
LENGTHS = [0, 1, 2, 3, 4, 7, 2.5, -1]
PATTERNS = [
    "a",
    "^a",
    "b$",
    "^ab$",
    "^(a|b)+$",
    "^[ab]{2}$",
    "[^a]",
    "^$",
    ".",
    "^.$",
    r"\d",
    r"^\w+$",
    r"\bab\b",
    "a*",
    "^a{2,3}b?",
    "(?i)AB",
    "(?s)^.{2,}$",
    "é",
    r"^(USD|EUR)$",
    r"\x{1F600}",
    "^[^b]*$",
    "(?m)^b",
    r"^\PL*$",
]
TYPES = ["string", "number", "integer", "boolean", "array", "object", "null", "any"]
KEYS = ["a", "b", "c d"]
REFERENCES = {"n": 2, "t": "ab", "l": [1, "a", None], "z": None, "o": {"a": 1}}
NUMBER_REFERENCES = ["n"]


class Draw:
    """One random choice after another, with the bounds of what is drawn."""

    def __init__(self, seed: int, *, references: bool = False, patterns: int = 2) -> None:
        self.random = random.Random(seed)
        self.references = references
        self.patterns = patterns

    # --- values -----------------------------------------------------------------------------------------------------

    def scalar(self) -> Any:
        pick = self.random.random()
        if pick < 0.4:
            return self.random.choice(TEXTS)
        if pick < 0.8:
            return self.random.choice(NUMBERS)
        return self.random.choice([None, True, False])

    def value(self, depth: int = 2) -> Any:
        pick = self.random.random()
        if depth == 0 or pick < 0.55:
            return self.scalar()
        if pick < 0.8:
            return [self.value(depth - 1) for _ in range(self.random.choice([0, 1, 1, 2, 3]))]
        return {
            key: self.value(depth - 1)
            for key in self.random.sample([*KEYS, "k1", "z"], self.random.choice([0, 1, 2, 3]))
        }

    # --- predicates ---------------------------------------------------------------------------------------------------

    def literal(self, value: Any) -> tree.Literal:
        return tree.Literal(0, 0, _integral(value))

    def operand(self, value: Any, names: list[str] | None = None) -> tree.Operand:
        if self.references and self.random.random() < 0.3:
            return tree.Reference(0, 0, self.random.choice(names or list(REFERENCES)))
        return self.literal(value)

    def test(self, depth: int) -> tree.Test:
        """A predicate; `absent` may occur wherever it may be written."""
        pick = self.random.random()
        if depth > 0 and pick < 0.45:
            kind = self.random.choice([tree.And, tree.Or])
            return kind(0, 0, tuple(self.test(depth - 1) for _ in range(self.random.choice([2, 2, 3]))))
        if depth > 0 and pick < 0.6:
            return tree.Not(0, 0, self.test(depth - 1))
        if pick < 0.62:
            return tree.Absent(0, 0)
        return self.item(depth)

    def item(self, depth: int) -> tree.Test:
        pick = self.random.random()
        type_ = tree.TypeTest(0, 0, self.random.choice(TYPES))
        if pick < 0.15:
            return type_
        if pick < 0.4:
            inner = self.present(depth - 1) if depth > 0 and self.random.random() < 0.3 else self.atom(depth)
            if self.random.random() < 0.2:
                inner = tree.Not(0, 0, inner)
            return tree.Typed(0, 0, type_, inner)
        return self.atom(depth)

    def present(self, depth: int) -> tree.Test:
        """A predicate without `absent`, as an item of an array takes it."""
        pick = self.random.random()
        if depth > 0 and pick < 0.4:
            kind = self.random.choice([tree.And, tree.Or])
            return kind(0, 0, tuple(self.present(depth - 1) for _ in range(2)))
        if depth > 0 and pick < 0.55:
            return tree.Not(0, 0, self.present(depth - 1))
        return self.item(depth)

    def atom(self, depth: int) -> tree.Test:
        kinds = ["compare", "order", "order", "list", "range", "contains", "affix", "length", "length", "same"]
        kinds += ["pattern"] * self.patterns
        if depth > 0:
            kinds += ["each", "some", "has", "has"]
        match self.random.choice(kinds):
            case "compare":
                sign = self.random.choice(["==", "==", "!="])
                return tree.Compare(0, 0, sign, self.operand(self.value(1)))
            case "order":
                bound = self.random.choice(
                    [self.random.choice(NUMBERS), self.random.choice(NUMBERS), self.random.choice(TEXTS)]
                )
                return tree.Compare(0, 0, self.random.choice(["<", "<=", ">", ">="]), self.operand(bound, ["n", "t"]))
            case "list":
                if self.references and self.random.random() < 0.3:
                    return tree.Member(0, 0, tree.Reference(0, 0, "l"))
                return tree.Member(0, 0, self.values(self.random.choice([0, 1, 2, 3, 4])))
            case "range":
                low, high = (self.operand(self.random.choice(NUMBERS), ["n"]) for _ in range(2))
                return tree.Member(0, 0, tree.Range(0, 0, low, high))
            case "contains":
                return tree.Contains(0, 0, self.operand(self.random.choice([self.scalar(), self.random.choice(TEXTS)])))
            case "affix":
                affix = self.random.choice([tree.StartsWith, tree.EndsWith])
                return affix(0, 0, self.operand(self.random.choice(TEXTS), ["t"]))
            case "length":
                return tree.Length(0, 0, self.length())
            case "same":
                if self.references and self.random.random() < 0.3:
                    return tree.SameItems(0, 0, tree.Reference(0, 0, "l"))
                return tree.SameItems(0, 0, self.values(self.random.choice([0, 1, 2, 3])))
            case "pattern":
                return tree.Matches(0, 0, self.random.choice(PATTERNS), self.random.random() < 0.2, 0)
            case "each":
                return tree.Each(0, 0, self.present(depth - 1))
            case "some":
                return tree.Some(0, 0, self.present(depth - 1))
            case _:
                keys = self.random.sample(KEYS, self.random.choice([1, 1, 2]))
                return tree.Has(0, 0, tuple(tree.HasEntry(0, 0, key, self.test(depth - 1)) for key in keys))

    def values(self, count: int) -> tree.ValueList:
        return tree.ValueList(0, 0, tuple(self.operand(self.value(1)) for _ in range(count)))

    def length(self) -> tree.Compare | tree.Member:
        if self.random.random() < 0.6:
            sign = self.random.choice(["==", "!=", "<", "<=", ">", ">="])
            return tree.Compare(0, 0, sign, self.operand(self.random.choice(LENGTHS), NUMBER_REFERENCES))
        low, high = (self.operand(self.random.choice(LENGTHS), NUMBER_REFERENCES) for _ in range(2))
        return tree.Member(0, 0, tree.Range(0, 0, low, high))


def _integral(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_integral(item) for item in value]
    if isinstance(value, dict):
        return {key: _integral(item) for key, item in value.items()}
    return value


class Respell:
    """Another spelling of a predicate: the same set by the laws of sets."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def __call__(self, test: tree.Test) -> tree.Test:
        test = self._inside(test)
        for law in self.random.sample(self._laws(), 4):
            if self.random.random() < 0.5:
                test = law(test)
        return test

    def _laws(self) -> list[Any]:
        return [
            self._reordered,
            self._de_morgan,
            self._twice_negated,
            self._distributed,
            self._repeated,
            self._spelt_out,
            self._absorbing,
            self._grouped,
        ]

    def _inside(self, test: tree.Test) -> tree.Test:
        match test:
            case tree.And(parts=parts) | tree.Or(parts=parts):
                return type(test)(0, 0, tuple(map(self, parts)))
            case tree.Not(operand=operand):
                return tree.Not(0, 0, self(operand))
            case tree.Typed(type=type_, test=inner):
                return tree.Typed(0, 0, type_, self(inner))
            case tree.Each(item=item) | tree.Some(item=item):
                return type(test)(0, 0, self(item))
            case tree.Has(entries=entries):
                return tree.Has(0, 0, tuple(tree.HasEntry(0, 0, entry.key, self(entry.test)) for entry in entries))
            case _:
                return test

    def _reordered(self, test: tree.Test) -> tree.Test:
        if isinstance(test, tree.And | tree.Or):
            return type(test)(0, 0, tuple(self.random.sample(test.parts, len(test.parts))))
        return test

    def _de_morgan(self, test: tree.Test) -> tree.Test:
        if isinstance(test, tree.Not) and isinstance(test.operand, tree.And | tree.Or):
            other = tree.Or if isinstance(test.operand, tree.And) else tree.And
            return other(0, 0, tuple(tree.Not(0, 0, part) for part in test.operand.parts))
        return test

    def _twice_negated(self, test: tree.Test) -> tree.Test:
        if isinstance(test, tree.Not):
            return tree.Not(0, 0, tree.Not(0, 0, test))
        return test

    def _distributed(self, test: tree.Test) -> tree.Test:
        if isinstance(test, tree.And) and isinstance(test.parts[-1], tree.Or):
            rest = test.parts[:-1]
            return tree.Or(0, 0, tuple(tree.And(0, 0, (*rest, part)) for part in test.parts[-1].parts))
        return test

    def _repeated(self, test: tree.Test) -> tree.Test:
        return self.random.choice([tree.And, tree.Or])(0, 0, (test, test))

    def _absorbing(self, test: tree.Test) -> tree.Test:
        if isinstance(test, tree.And):
            return tree.Or(0, 0, (test, tree.And(0, 0, (*test.parts, test.parts[0]))))
        return test

    def _grouped(self, test: tree.Test) -> tree.Test:
        if isinstance(test, tree.And | tree.Or) and len(test.parts) > 2:
            return type(test)(0, 0, (type(test)(0, 0, test.parts[:2]), *test.parts[2:]))
        return test

    def _spelt_out(self, test: tree.Test) -> tree.Test:
        match test:
            case tree.Typed(type=type_, test=inner):
                return tree.And(0, 0, (inner, type_))
            case tree.Member(values=tree.Range(low=low, high=high)):
                return tree.And(0, 0, (tree.Compare(0, 0, "<=", high), tree.Compare(0, 0, ">=", low)))
            case tree.Member(values=tree.ValueList(items=items)) if len(items) > 1:
                return tree.Or(0, 0, tuple(tree.Compare(0, 0, "==", item) for item in reversed(items)))
            case tree.Compare(operator="!=", operand=operand):
                return tree.Not(0, 0, tree.Compare(0, 0, "==", operand))
            case tree.Compare(operator="<", operand=operand):
                order = tree.Typed(
                    0, 0, tree.TypeTest(0, 0, "number"), tree.Not(0, 0, tree.Compare(0, 0, ">=", operand))
                )
                return order if isinstance(operand, tree.Literal) and not isinstance(operand.value, str) else test
            case tree.Has(entries=entries) if len(entries) > 1:
                return tree.And(0, 0, tuple(tree.Has(0, 0, (entry,)) for entry in entries))
            case tree.Each(item=tree.And(parts=parts)):
                return tree.And(0, 0, tuple(tree.Each(0, 0, part) for part in parts))
            case tree.Some(item=tree.Or(parts=parts)):
                return tree.Or(0, 0, tuple(tree.Some(0, 0, part) for part in parts))
            case tree.TypeTest(word="number"):
                return tree.Or(0, 0, (tree.TypeTest(0, 0, "integer"), test))
            case _:
                return test
