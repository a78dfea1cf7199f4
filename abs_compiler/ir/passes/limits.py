"""Refuse sessions whose choice of optional behaviors could not be decided in reasonable time.

Takes the IR and the program of a session; reports an error where more optional behaviors than the runtime tries both
ways change something besides themselves: they supply a value to later behaviors, or (where extras are limited) other
behaviors that take calls hang on them. Their number would double the work each time.
"""

from __future__ import annotations

from abs_compiler.diagnostics import Label
from abs_compiler.ir.lower import Program
from abs_compiler.ir.model import Ir
from abs_compiler.runtime.program import decode_program
from abs_compiler.runtime.roles import Roles
from abs_compiler.runtime.selection import MAX_SWITCHES
from abs_compiler.spec import Context

_WHY = (
    "an optional behavior decides what others must be when a later one uses what it or its dependants capture, "
    "or when extras are limited and calls hang on it"
)


def check_limits(ctx: Context, ir: Ir, program: Program) -> None:
    """Report a session that is beyond the limit, at the first behavior that is too many."""
    uncertain = [step for step in ir.steps if step.behavior.optional or step.requires is not None]
    if len(uncertain) <= MAX_SWITCHES:
        return
    decoded = decode_program(program)
    limited = decoded.extras is not None
    roles, switches = max(
        (
            (found, found.switches(0, frozenset(), extras_limited=limited))
            for tools_only in (False, True)
            for found in [Roles(decoded, tools_only=tools_only)]
        ),
        key=lambda pair: len(pair[1]),
    )
    if len(switches) <= MAX_SWITCHES:
        return
    first_too_many = ir.steps[switches[MAX_SWITCHES]]
    first = ir.steps[switches[0]]
    supply = [i for i in switches if _supplies(roles, i)]
    helps = []
    if supply:
        helps.append("capture what later behaviors need in behaviors that are not optional")
    if len(supply) < len(switches):
        helps.append("leave out `match.extras`, or the `requires` of calls")
    helps.append("split the session into several, one for each part that may be left out")
    ctx.sink.report(
        "state-limit",
        f"{len(switches)} optional behaviors decide what others must be; at most {MAX_SWITCHES} can be tried both ways",
        first_too_many.shown_at,
        "one more than can be tried",
        also=() if first.shown_at == first_too_many.shown_at else (Label(first.shown_at, "the first of them"),),
        notes=(_WHY,),
        helps=tuple(helps),
    )


def _supplies(roles: Roles, index: int) -> bool:
    return index in roles.suppliers or any(d in roles.suppliers for d in roles.dependants if roles.gate[d] == index)
