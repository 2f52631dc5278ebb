"""What a touch enters into the running game, and how much of it one touch takes back. No Kivy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.game import touch_undo
from companion.game.deciding import Progress, Verdict
from companion.game.owner import GameTransaction
from companion.game.proposals import Proposal, Source, SourceKind
from companion.live.running import RunningGame
from companion.sheets.rewriting import is_made_up
from companion.table.events import (
    AddedKong,
    ConcealedKong,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    HandDrawn,
    HandStarted,
    ReadyDeclared,
    Won,
)
from companion.table.possible import find_way

TOUCH = Source(SourceKind.TOUCH)
MOVES = (Discarded, ConcealedKong, AddedKong, ReadyDeclared, FlowerSetOut, Won)
"""What is touched after a draw that nobody names."""
ENDS = (Won, HandDrawn)


@dataclass(frozen=True, slots=True)
class Steps:
    """What can be taken back and brought back: of all that was entered, and of what people touched."""

    back: bool = False
    forth: bool = False
    own_back: bool = False
    own_forth: bool = False

    @classmethod
    def of(cls, progress: Progress) -> Steps:
        own = touch_undo.list_own_touches(progress)
        return cls(len(progress.events) > 1, bool(progress.undone), bool(own.done), bool(own.undone))


NO_STEPS = Steps()


def enter_events(transaction: GameTransaction, events: Sequence[Event], t_ns: int) -> bool:
    """Enter these events in order, each after the draws that it implies; whether all of them are in the game.
    The first one that is refused ends it."""
    for event in events:
        way = find_way(transaction.get_progress().state, event) or (event,)
        for each in way:
            verdict = transaction.decide(Proposal(each, t_ns, TOUCH)).verdict
            if verdict not in (Verdict.ACCEPTED, Verdict.REPEATED):
                return False
    return True


def take_back(game: RunningGame, progress: Progress, *, own: bool) -> None:
    """Take back what one touch had entered. own: of what people touched, whatever others reported since."""
    if own:
        touch_undo.take_back(game, progress, TOUCH)
    elif steps := count_last(progress.events):
        game.undo(steps)


def bring_back(game: RunningGame, progress: Progress, *, own: bool) -> None:
    """Bring back what one touch had taken back. own: as of `take_back`."""
    if own:
        touch_undo.bring_back(game, progress, TOUCH)
    elif steps := count_undone(progress.undone):
        game.redo(steps)


def count_last(events: Sequence[Event]) -> int:
    """How many events at the end of a log one touch entered: with a discard or a win, the draw that nobody
    saw; with the deal, the beginning of the hand; with the end of a hand that nobody recorded, all of it."""
    if len(events) < 2:
        return 0
    last = events[-1]
    begun = max((at for at, event in enumerate(events) if isinstance(event, HandStarted)), default=0)
    if _is_only_told(events[begun:]):
        return len(events) - begun
    if isinstance(last, Dealt):
        return 2
    steps = 1
    while _is_draw_for(events[-steps - 1], last):
        steps += 1
    return steps


def count_undone(undone: Sequence[Event]) -> int:
    """How many of the events that were taken back, the next to redo last, one touch brings back."""
    if not undone:
        return 0
    ahead = undone[::-1]
    ended = next((at for at, event in enumerate(ahead, 1) if isinstance(event, ENDS)), 0)
    if _is_only_told(ahead[:ended]):
        return ended
    steps = 1
    while steps < len(undone):
        first, after = undone[-steps], undone[-steps - 1]
        if not isinstance(after, Dealt) and not _is_draw_for(first, after):
            break
        steps += 1
    return steps


def _is_only_told(hand: Sequence[Event]) -> bool:
    """Whether these are the events of a hand of which people told only how it ended, up to that end."""
    return (
        bool(hand)
        and isinstance(hand[0], HandStarted)
        and [at for at, event in enumerate(hand, 1) if isinstance(event, ENDS)] == [len(hand)]
        and (_is_told(hand[-1]) or any(isinstance(event, Discarded) and event.tile is None for event in hand))
        and is_made_up(hand)
    )


def _is_told(end: Event) -> bool:
    """Whether people told in which circumstances the hand was won."""
    return isinstance(end, Won) and end.told is not None


def _is_draw_for(event: Event, move: Event) -> bool:
    """Whether it is a draw that nobody saw, and came with that move. A win's is the winner's own: draws of
    others before it, in the sea, were touched one by one."""
    if not isinstance(event, Drawn) or event.tile is not None or not isinstance(move, MOVES):
        return False
    return not isinstance(move, Won) or event.seat == move.seat
