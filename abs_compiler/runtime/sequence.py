"""Event sequences as a classifier sees them: which events concern some step or count, with little work for the rest.

Takes a list of ABS event dictionaries, Event objects or a Trace; gives `Sequence`: the validated events, and per
classifier the relevant ones with their handlers. Plain native dictionaries take a fast path in which each
(actor, action, target) is validated once.
"""

from __future__ import annotations

from operator import attrgetter, itemgetter

from .errors import TraceError
from .events import Event, Trace, as_trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .classify import Classifier, Handler

    Relevant = list[tuple[int, Handler]]

_FAST_KEYS = frozenset(("actor", "action", "target", "with", "content"))
_triple = itemgetter("actor", "action", "target")
_kind = attrgetter("actor", "action", "category", "recorded", "target")
_KIND_LIMIT = 10_000


class Sequence:
    """The events of one matching."""

    __slots__ = ("_events", "_native", "complete", "unread")

    def __init__(self, source: Any) -> None:
        self.unread: dict[str, int] = {}
        self.complete = True
        self._native: list[dict[str, Any]] | None = None
        self._events: list[Event] | None = None
        if source.__class__ is list and _plain(source):
            self._native = source
            return
        trace = as_trace(source)
        self._take(trace)

    def _take(self, trace: Trace) -> None:
        if not trace.complete:
            raise TraceError("traces that say they are not complete cannot be matched by this version")
        self.unread = trace.unread
        self._events = list(trace.events)

    def __len__(self) -> int:
        return len(self._native if self._native is not None else self.events)

    @property
    def events(self) -> list[Event]:
        """The events as objects (built on demand for native dictionaries)."""
        if self._events is None:
            self._events = [Event.from_dict(item, index) for index, item in enumerate(self._native or ())]
        return self._events

    @property
    def uncertain(self) -> bool:
        """Whether some event's action is not known exactly (a category alone, or a recorded invocation)."""
        return self._native is None and any(event.action is None or event.recorded for event in self.events)

    def event(self, index: int) -> Event:
        """One event as an object, without building the others."""
        if self._events is None and self._native is not None:
            return Event.from_dict(self._native[index], index)
        return self.events[index]

    def kinds(self) -> list[tuple[str, str | None, str | None, bool, str | None]]:
        """What tells events apart before any test: actor, action, category, whether recorded, target. To be asked
        once the sequence was matched, which finds malformed events."""
        if self._native is None:
            return list(map(_kind, self.events))
        return [(event["actor"], event["action"], None, False, event.get("target")) for event in self._native]

    def arguments(self, index: int) -> Any:
        """The arguments of an event."""
        return self._native[index].get("with") if self._native is not None else self.events[index].arguments

    def relevant(self, classifier: Classifier) -> Relevant:
        """The events that concern some step or count, with their handlers, in order.

        Raises TraceError where a native event is malformed."""
        if self._native is None:
            return self._relevant_objects(classifier)
        handler_of = classifier.triples.__getitem__
        try:
            return [(i, h) for i, h in enumerate(map(handler_of, map(_triple, self._native))) if h is not None]
        except TypeError:  # an unhashable actor, action or target, or an event that is no object: `events` says which
            return self._relevant_objects(classifier)
        except KeyError:  # an event without a target, or of a kind not seen before
            return self._relevant_kinds(self._native, classifier)

    def _relevant_kinds(self, native: list[dict[str, Any]], classifier: Classifier) -> Relevant:
        try:
            triples = [(event["actor"], event["action"], event.get("target")) for event in native]
            known = classifier.triples
            if not known.keys() >= set(triples):
                known = self._learn(triples, classifier)
        except (KeyError, TypeError):
            return self._relevant_objects(classifier)
        return [(i, h) for i, h in enumerate(map(known.__getitem__, triples)) if h is not None]

    def _relevant_objects(self, classifier: Classifier) -> Relevant:
        handler = classifier.handler
        kinds = map(_kind, self.events)
        return [(i, h) for i, h in enumerate(handler(*kind) for kind in kinds) if h is not None]

    def _learn(self, triples: list[Any], classifier: Classifier) -> dict[Any, Handler | None]:
        """Validate one event of each unseen kind fully, and remember what handles its kind. The table is replaced,
        not changed, since other threads may be reading it; a full one starts anew with this trace's kinds."""
        assert self._native is not None
        fresh = set(triples).difference(classifier.triples)
        known = dict(classifier.triples)
        if len(known) + len(fresh) > _KIND_LIMIT:
            known, fresh = {}, set(triples)
        first = {triple: len(triples) - 1 - back for back, triple in enumerate(reversed(triples))}
        for triple in sorted(fresh, key=first.__getitem__):
            index = first[triple]
            event = Event.from_dict(self._native[index], index)
            known[triple] = classifier.handler(event.actor, event.action, None, False, event.target)
        classifier.triples = known
        return known

    def refuse_other_than_json(self, classifier: Classifier | None = None) -> None:
        """Raise TraceError where a value of an event is not JSON; with a classifier, of the events whose values it
        looks at."""
        from .event_values import refuse_other_than_json  # most runs pass

        if classifier is None:
            indices = list(range(len(self)))
        else:
            indices = [index for index, handler in self.relevant(classifier) if handler.always is None]
        if self._native is not None:
            events = [self._native[index] for index in indices]
            values = [[event.get("with") for event in events], [event.get("content") for event in events]]
        else:
            seen = [self.events[index] for index in indices]
            values = [[event.arguments for event in seen], [event.content for event in seen]]
        refuse_other_than_json(indices, *values)

    def mask(self, index: int, handler: Handler) -> int:
        """The steps that an event satisfies."""
        if handler.always is not None:
            return handler.always
        if self._native is not None and handler.by_arguments is not None:
            return handler.by_arguments(self._native[index].get("with"))
        return handler.mask(self.event(index))

    def mask_at(self, index: int, classifier: Classifier) -> int:
        """The steps that an event satisfies under a classifier; 0 where it concerns none."""
        handler = classifier.handler(*_kind(self.event(index)))
        return self.mask(index, handler) if handler is not None else 0


def _plain(source: list[Any]) -> bool:
    """Whether the events hold nothing beyond the five common keys, as far as a quick look tells. What is no object,
    or lacks an actor or an action, is found where it is looked at."""
    try:
        return set().union(*source) <= _FAST_KEYS
    except TypeError:
        return False
