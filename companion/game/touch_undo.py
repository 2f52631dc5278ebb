"""Undo of touches while a camera or others report the same game: only the last touch is taken back.

Nothing is removed from the log: a correction removes what was touched, so that all that others reported
stays, and whoever follows the game handles it as any correction. Pure but for `take_back` and `bring_back`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.game.deciding import Progress
from companion.game.owner import GameOwner
from companion.game.proposals import Proposal, Source, SourceKind
from companion.table.events import Corrected, Dealt, Event, GameStarted, HandStarted

TAKEN_BACK = "taken back"
"""The reason given when a person's touch is taken back: by this it can be brought back."""
BEGINNINGS = (GameStarted, HandStarted, Dealt)
"""Events that cannot be taken back once another one has followed."""


@dataclass(frozen=True, slots=True)
class Touch:
    """What one touch entered: the events of the log from `first` on."""

    first: int
    events: tuple[Event, ...]

    @property
    def last(self) -> int:
        return self.first + len(self.events) - 1


@dataclass(frozen=True, slots=True)
class OwnTouches:
    """The touches since the hand began, the latest last. done: those that stand. undone: those taken back, as
    long as nothing was touched since."""

    done: tuple[Touch, ...] = ()
    undone: tuple[Touch, ...] = ()


def list_own_touches(progress: Progress) -> OwnTouches:
    """What people touched in the hand that is played."""
    begun = max(
        (at for at, each in enumerate(progress.events, 1) if isinstance(each, HandStarted)), default=1
    )
    done: list[Touch] = []
    undone: list[Touch] = []
    for touch in _group_touches(progress, begun):
        event = touch.events[0]
        if isinstance(event, Corrected) and event.why == TAKEN_BACK:
            back = next((each for each in done if each.first == event.number), None)
            if back is not None:
                done.remove(back)
                undone.append(back)
            continue
        if undone and undone[-1].events == touch.events:
            undone.pop()
        else:
            undone.clear()
        done.append(touch)
    stands = len(progress.events)
    return OwnTouches(
        tuple(each for each in done if each.last == stands or not isinstance(each.events[-1], BEGINNINGS)),
        tuple(undone),
    )


def take_back(game: GameOwner, progress: Progress, source: Source) -> None:
    """Take back the last touch, whatever others have reported since."""
    done = list_own_touches(progress).done
    if done:
        upto = done[-1].last if len(done[-1].events) > 1 else None
        event = Corrected(number=done[-1].first, right=None, why=TAKEN_BACK, upto=upto)
        game.propose(Proposal(event, game.now_ns, source))


def bring_back(game: GameOwner, progress: Progress, source: Source) -> None:
    """Enter again the touch that was taken back last."""
    undone = list_own_touches(progress).undone
    if undone:
        t_ns = game.now_ns
        proposals = [Proposal(event, t_ns, source) for event in undone[-1].events]
        game.transact(lambda transaction: [transaction.decide(each) for each in proposals])


def _group_touches(progress: Progress, begun: int) -> Sequence[Touch]:
    """Each touch since event `begun`: its events have one time and follow each other."""
    touches: list[Touch] = []
    t_ns: int | None = None
    for report in progress.reports:
        if (
            not begun <= report.number <= len(progress.events)
            or report.seen_by[0].kind is not SourceKind.TOUCH
        ):
            continue
        event = progress.events[report.number - 1]
        is_one = report.t_ns == t_ns and not isinstance(event, Corrected)
        if touches and is_one and report.number == touches[-1].last + 1:
            touches[-1] = Touch(touches[-1].first, (*touches[-1].events, event))
        else:
            touches.append(Touch(report.number, (event,)))
        t_ns = None if isinstance(event, Corrected) else report.t_ns
    return touches
