"""`when` conditions of evaluations: the text of a scalar in, a typed `When` out, its mistakes reported.

The condition language is the predicate package's; here its characters become places in the source.
"""

from __future__ import annotations

from abs_compiler.predicate.errors import PredicateSyntaxError
from abs_compiler.spec.evaluation_model import When
from abs_compiler.spec.model import Reference
from abs_compiler.spec.predicates import may_try, report_expression, tried
from abs_compiler.spec.reading import Context
from abs_compiler.spec.references import place
from abs_compiler.syntax import Scalar


def read_when(ctx: Context, scalar: Scalar, text: str) -> When:
    """The condition a text states; the first mistake in it is reported at its exact place."""
    from abs_compiler.predicate.when import parse_when
    from abs_compiler.predicate.when_tree import when_names

    try:
        expression = parse_when(text, ctx.limits, fixes=may_try(ctx))
    except PredicateSyntaxError as error:
        tried(ctx, text)
        report_expression(ctx, scalar, error)
        return When(scalar.span, text, None)
    names = tuple(Reference(place(ctx, scalar, item.start, item.end), item.name) for item in when_names(expression))
    return When(scalar.span, text, expression, names)
