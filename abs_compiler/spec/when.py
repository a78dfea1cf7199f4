"""`when` conditions: text in, a checked tree out; nothing is ever evaluated as code.

    or:       and { ("or" | "||") and }
    and:      not { ("and" | "&&") not }
    not:      ("not" | "!") not | comparison
    compare:  operand [ ("==" | "!=" | "<" | "<=" | ">" | ">=") operand ]
    operand:  {{name}} | text in either quotes | number | true | false | null | "(" or ")"

There is no coercion: what can be seen to compare different types, to order anything but two numbers or two texts,
or not to be a boolean in the end, is refused here.
"""

from __future__ import annotations

import json
import re

import attrs

from abs_compiler.spec.model import Reference, When
from abs_compiler.spec.reading import Context
from abs_compiler.spec.references import is_reference_name, place, report_bad_reference
from abs_compiler.spec.when_tree import WhenBoolean, WhenCompare, WhenConstant, WhenExpr, WhenName, WhenNot, names_in
from abs_compiler.syntax import Scalar

_TOKEN = re.compile(
    r"""[ \t\r\n]*(?:
      (?P<reference>\{\{.*?\}\})
    | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![A-Za-z0-9_.])
    | (?P<operator>==|!=|<=|>=|<|>|&&|\|\||!|\(|\))
    | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_COMPARE = ("==", "!=", "<", "<=", ">", ">=")
_SYNONYMS = {"&&": "and", "||": "or", "!": "not"}
_CONSTANTS: dict[str, None | bool] = {"true": True, "false": False, "null": None}
_HINT = "a condition compares `{{name}}` with a text in quotes, a number, true, false or null"


@attrs.frozen(slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


class _WhenError(Exception):
    """A mistake in a condition; offsets count the characters of its text."""

    def __init__(self, code: str, message: str, start: int, end: int, label: str, *helps: str) -> None:
        super().__init__(message)
        self.code = code
        self.start = start
        self.end = end
        self.label = label
        self.helps = helps


def read_when(ctx: Context, scalar: Scalar, text: str) -> When:
    """The condition a text states; mistakes are reported at their exact place."""
    try:
        expression = _parse(ctx, scalar, text)
    except _WhenError as error:
        span = place(ctx, scalar, error.start, max(error.end, error.start + 1)) if text else scalar.span
        ctx.sink.report(error.code, str(error), span, error.label, helps=error.helps)
        expression = None
    found = [] if expression is None else names_in(expression)
    references = tuple(Reference(place(ctx, scalar, item.start, item.end), item.name) for item in found)
    return When(scalar.span, text, expression, references)


def _parse(ctx: Context, scalar: Scalar, text: str) -> WhenExpr | None:
    if not text.strip():
        raise _WhenError("when-syntax", "`when` is empty", 0, len(text), "no condition here", _HINT)
    if len(text) > ctx.limits.predicate_chars:
        raise _WhenError(
            "too-complex",
            f"`when` is longer than {ctx.limits.predicate_chars} characters",
            0,
            1,
            f"{len(text)} characters",
            "split the check, or bind one variable that holds the answer",
        )
    tokens = _tokens(text)
    sound = True
    for token in tokens:
        inner = token.text[2:-2]
        if token.kind == "reference" and not is_reference_name(inner):
            report_bad_reference(ctx, place(ctx, scalar, token.start, token.end), inner)
            sound = False
    if not sound:
        return None
    parser = _Parser(tokens, ctx.limits.predicate_depth)
    expression = parser.disjunction(0)
    parser.finish()
    _check_types(expression)
    _require_boolean(expression, "`when` is not a condition")
    return expression


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while True:
        found = _TOKEN.match(text, at)
        if found is None:
            raise _unreadable(text, at)
        kind = str(found.lastgroup)
        token = _Token(kind, found.group(kind), found.start(kind), found.end(kind))
        if kind == "text" and "{{" in token.text:
            raise _WhenError(
                "misplaced-reference",
                "`{{` inside a quoted text of `when`",
                token.start,
                token.end,
                "taken literally inside quotes",
                "write the reference without quotes: `{{name}}`",
            )
        tokens.append(token)
        at = token.end
        if kind == "end":
            return tokens


def _unreadable(text: str, at: int) -> _WhenError:
    at += len(text[at:]) - len(text[at:].lstrip(" \t\r\n"))
    char = text[at]
    helps = {
        "=": "equality is written `==`",
        "&": "write `and` or `&&`",
        "|": "write `or` or `||`",
        '"': "close the text with the same quote",
        "'": "close the text with the same quote",
        "{": "a reference is `{{name}}`, closed by `}}`",
    }
    what = "text without a closing quote" if char in "\"'" else f"`{char}` means nothing here"
    return _WhenError("when-syntax", f"{what} in `when`", at, at + 1, "not understood", helps.get(char, _HINT))


class _Parser:
    """The token cursor of one condition."""

    def __init__(self, tokens: list[_Token], depth: int) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = depth

    def disjunction(self, depth: int) -> WhenExpr:
        return self._chain("or", depth)

    def finish(self) -> None:
        token = self._tokens[self._at]
        if token.kind == "end":
            return
        hint = _HINT
        if token.text in _COMPARE:
            hint = "comparisons do not chain; join two with `and`"
        elif token.text == ")":
            hint = "remove it, or add the opening parenthesis"
        raise self._unexpected(token, hint)

    def _chain(self, operator: str, depth: int) -> WhenExpr:
        operands = [self._operand_of(operator, depth)]
        while self._next_word() == operator:
            self._at += 1
            operands.append(self._operand_of(operator, depth))
        if len(operands) == 1:
            return operands[0]
        return WhenBoolean(operands[0].start, operands[-1].end, operator, tuple(operands))

    def _operand_of(self, operator: str, depth: int) -> WhenExpr:
        return self._chain("and", depth) if operator == "or" else self._negation(depth)

    def _negation(self, depth: int) -> WhenExpr:
        if self._next_word() != "not":
            return self._comparison(depth)
        token = self._take()
        self._bound(token, depth)
        operand = self._negation(depth + 1)
        return WhenNot(token.start, operand.end, operand)

    def _comparison(self, depth: int) -> WhenExpr:
        left = self._operand(depth)
        operator = self._tokens[self._at].text
        if self._tokens[self._at].kind != "operator" or operator not in _COMPARE:
            return left
        self._at += 1
        right = self._operand(depth)
        return WhenCompare(left.start, right.end, operator, left, right)

    def _operand(self, depth: int) -> WhenExpr:
        token = self._take()
        match token.kind:
            case "reference":
                return WhenName(token.start, token.end, token.text[2:-2])
            case "text":
                return WhenConstant(token.start, token.end, _unquote(token))
            case "number":
                return WhenConstant(token.start, token.end, _number(token))
            case "word" if token.text in _CONSTANTS:
                return WhenConstant(token.start, token.end, _CONSTANTS[token.text])
            case "operator" if token.text == "(":
                self._bound(token, depth)
                inner = self.disjunction(depth + 1)
                closing = self._take()
                if closing.text != ")":
                    raise self._unexpected(closing, "close the parenthesis with `)`")
                return inner
        raise self._unexpected(token, self._operand_hint(token))

    def _operand_hint(self, token: _Token) -> str:
        if token.kind != "word":
            return _HINT
        lower = token.text.lower()
        if lower in ("true", "false", "null", "none", "and", "or", "not"):
            word = "null" if lower == "none" else lower
            return _HINT if word == token.text else f"write `{word}`"
        return f"a variable is written `{{{{{token.text}}}}}`, a text in quotes"

    def _bound(self, token: _Token, depth: int) -> None:
        if depth >= self._depth:
            raise _WhenError(
                "too-complex",
                f"`when` is nested deeper than {self._depth}",
                token.start,
                token.end,
                "one level too many",
                "split the check, or bind one variable that holds the answer",
            )

    def _next_word(self) -> str:
        token = self._tokens[self._at]
        if token.kind not in ("word", "operator"):
            return ""
        return _SYNONYMS.get(token.text, token.text)

    def _take(self) -> _Token:
        token = self._tokens[self._at]
        if token.kind != "end":
            self._at += 1
        return token

    def _unexpected(self, token: _Token, hint: str) -> _WhenError:
        if token.kind == "end":
            before = self._tokens[max(self._at - 1, 0)]
            return _WhenError(
                "when-syntax",
                "`when` ends too early",
                before.start,
                before.end,
                "something is missing after this",
                hint,
            )
        return _WhenError(
            "when-syntax",
            f"`{token.text}` is out of place in `when`",
            token.start,
            token.end,
            "not expected here",
            hint,
        )


def _unquote(token: _Token) -> str:
    body = token.text[1:-1]
    if token.text[0] == "'":
        body = re.sub(r"\\(.)|\"", lambda found: "'" if found.group(1) == "'" else _requoted(found.group()), body)
    try:
        return str(json.loads(f'"{body}"', strict=False))
    except ValueError:
        raise _WhenError(
            "when-syntax",
            "an unknown escape in a text of `when`",
            token.start,
            token.end,
            "escapes are those of JSON",
            "write a backslash as `\\\\`",
        ) from None


def _requoted(piece: str) -> str:
    return '\\"' if piece == '"' else piece


def _number(token: _Token) -> int | float:
    try:
        value: int | float = json.loads(token.text)
    except ValueError:
        value = float("inf")
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        raise _WhenError(
            "when-syntax",
            "a number out of range in `when`",
            token.start,
            token.end,
            "too large",
            "write a smaller number",
        )
    return value


def _type_of(expression: WhenExpr) -> str | None:
    """The type that is certain before anything is bound; None when it depends on a binding."""
    match expression:
        case WhenConstant(value=None):
            return "null"
        case WhenConstant(value=bool()):
            return "boolean"
        case WhenConstant(value=str()):
            return "text"
        case WhenConstant():
            return "number"
        case WhenName():
            return None
        case _:
            return "boolean"


def _check_types(expression: WhenExpr) -> None:
    match expression:
        case WhenCompare(operator=operator, left=left, right=right):
            _check_types(left)
            _check_types(right)
            _check_comparison(expression, operator, _type_of(left), _type_of(right))
        case WhenBoolean(operator=operator, operands=operands):
            for operand in operands:
                _check_types(operand)
                _require_boolean(operand, f"`{operator}` joins conditions only")
        case WhenNot(operand=operand):
            _check_types(operand)
            _require_boolean(operand, "`not` takes a condition only")
        case _:
            return


def _check_comparison(expression: WhenExpr, operator: str, left: str | None, right: str | None) -> None:
    if operator in ("==", "!="):
        if left is None or right is None or left == right or "null" in (left, right):
            return
        raise _WhenError(
            "operand-type",
            f"`{operator}` compares {left} with {right}",
            expression.start,
            expression.end,
            "values of different types are never compared",
            "compare values of one type; `null` may stand on either side",
        )
    unordered = [kind for kind in (left, right) if kind not in (None, "number", "text")]
    if unordered or (left is not None and right is not None and left != right):
        raise _WhenError(
            "operand-type",
            f"`{operator}` orders two numbers or two texts only",
            expression.start,
            expression.end,
            f"{left or 'a variable'} and {right or 'a variable'} here",
            "use `==` or `!=`, or compare two numbers or two texts",
        )


def _require_boolean(expression: WhenExpr, message: str) -> None:
    kind = _type_of(expression)
    if kind not in (None, "boolean"):
        raise _WhenError(
            "operand-type",
            message,
            expression.start,
            expression.end,
            f"this is {kind}, not true or false",
            "compare it with something: `{{name}} == 'value'`",
        )
