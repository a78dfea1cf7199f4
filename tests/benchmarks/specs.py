"""A spec of a given length, like those that people write: what a user asks, calls with arguments, what tools answer."""

from __future__ import annotations

_ASKS = """
  # step {number}
  - actor: user
    action: asks
    content: Where is order W{number:05}, and can it still be changed?
"""
_CALL = """
  - id: call-{number}
    actor: assistant
    action: calls
    target: get_order_{kind}
    with:
      order_id: "W{number:05}"
      customer: "{{{{customer}}}}"
      options: {{expand: [items, payments], limit: {number}}}
"""
_ANSWER = """
  - actor: tool
    action: responds
    target: get_order_{kind}
    content: {{status: pending, total: {number}.5, items: []}}
"""


def spec_text(behaviors: int) -> str:
    """The YAML of a session with that many behaviors, a multiple of 3."""
    parts = ['session: questions about orders\nabs_version: "0.2"\n\nbehaviors:']
    for number in range(behaviors // 3):
        parts += [part.format(number=number, kind=number % 4) for part in (_ASKS, _CALL, _ANSWER)]
    return "".join(parts)


def run_of(behaviors: int) -> list[dict[str, object]]:
    """A run in which the session passes with `customer` bound to "C1"."""
    events: list[dict[str, object]] = []
    for number in range(behaviors // 3):
        target = f"get_order_{number % 4}"
        arguments = {
            "order_id": f"W{number:05}",
            "customer": "C1",
            "options": {"expand": ["items", "payments"], "limit": number},
        }
        events += [
            {"actor": "user", "action": "asks", "content": "..."},
            {"actor": "assistant", "action": "calls", "target": target, "with": arguments},
            {
                "actor": "tool",
                "action": "responds",
                "target": target,
                "content": {"status": "x", "total": 1, "items": []},
            },
        ]
    return events
