"""Whether a report contradicts what another source has reported, and what is said then. Pure."""

from __future__ import annotations

from companion.errors import EventError
from companion.live.facts import Fact
from companion.live.proposals import Proposal, SourceKind
from companion.live.same_fact import REPEATS, compare_events
from companion.live.source_names import name_source
from companion.sentences import msgid
from companion.table.events import Corrected

OTHERWISE = msgid("Event {number} is reported differently by {one} and {other}: which one is right?")
CORRECTS_ITSELF_ONLY = (SourceKind.CAMERA, SourceKind.DEVICE)
"""What these put right of another source's reports, a person has to confirm."""


def find_contradicted(facts: tuple[Fact, ...], proposal: Proposal) -> Fact | None:
    """The fact that a correction contradicts and that another source has reported as well."""
    event = proposal.event
    if not isinstance(event, Corrected) or proposal.source.kind not in CORRECTS_ITSELF_ONLY:
        return None
    fact = next((each for each in facts if each.number == event.number), None)
    if fact is None or fact.seen_by == (proposal.source,):
        return None
    agrees = event.right is not None and compare_events(fact.event, event.right) in REPEATS
    return None if agrees else fact


def make_contradiction(fact: Fact, proposal: Proposal) -> EventError:
    """That two sources say different things of one fact."""
    others = [source for source in fact.seen_by if source != proposal.source]
    one, other = name_source((others or fact.seen_by)[0]), name_source(proposal.source)
    return EventError(OTHERWISE, number=fact.number, one=one, other=other)
