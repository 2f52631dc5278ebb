"""What people touched while others, as a camera, report the same game: of that, Undo takes back the last.

Nothing is taken out of the log: what was touched is corrected away, so that all that others reported stays,
and whoever follows the game hears of it as of any correction. Pure but for `take_back` and `bring_back`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.game.deciding import Progress
from companion.game.owner import GameOwner
from companion.game.proposals import Proposal, Source, SourceKind
from companion.table.events import Corrected, Dealt, Event, GameStarted, HandStarted

TAKEN_BACK = "taken back"
"""Why a person's own touch is corrected away: by this it can be brought back."""
BEGINNINGS = (GameStarted, HandStarted, Dealt)
"""What cannot be taken back once something has followed it."""


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
    """What was touched since the hand began, the latest last. done: what stands; undone: what was taken back
    of it and nothing was touched since."""

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
    """Take back what was touched last, whatever others have reported since."""
    done = list_own_touches(progress).done
    if done:
        upto = done[-1].last if len(done[-1].events) > 1 else None
        event = Corrected(number=done[-1].first, right=None, why=TAKEN_BACK, upto=upto)
        game.propose(Proposal(event, game.now_ns, source))


def bring_back(game: GameOwner, progress: Progress, source: Source) -> None:
    """Enter again what was taken back last."""
    undone = list_own_touches(progress).undone
    if undone:
        t_ns = game.now_ns
        proposals = [Proposal(event, t_ns, source) for event in undone[-1].events]
        game.together(lambda desk: [desk.decide(each) for each in proposals])


def _group_touches(progress: Progress, begun: int) -> Sequence[Touch]:
    """Each touch from event `begun` on: its events have one time, and nothing lies between them."""
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
