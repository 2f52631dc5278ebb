"""What is said once a source was followed to its end or stopped: how far the hands came, what to check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.commands.table_words import describe_event, describe_win, format_sure
from companion.commands.track_words import describe_why
from companion.errors import MissingError, quote
from companion.game.deciding import Progress
from companion.live.noticed import Doubted, EventNoticed, Noticed, ThreadFound, ThreadLost
from companion.sentences import Sentence
from companion.table.apply import apply
from companion.table.events import Event, Won
from companion.table.log import number_corrected
from companion.table.state import HandState, State

NOTHING = "Nothing was followed: {why}."
NO_HAND = "No hand was followed: nothing was noticed that belongs to one."
IN_A_HAND = "It ended in the middle of a hand: {stands}."
IS_LOST = "At the end it could not be followed: {why}."
GOES_ON = "The next recording goes on with this hand if it is given with --game {name}."
IS_DOUBTFUL = "To be looked at: {why}."
DOUBTFUL = "{count} in it to be checked: companion games show {name} marks what is doubtful."
CHECK_WIN = "Check this win, which is {sure}: event {number}, {said}."


class Ending:
    """before: the game before the first picture; game: the kept game's name."""

    def __init__(self, before: Progress, game: str | None) -> None:
        self._log = len(before.events)
        self._hands = before.state.hands
        self._game = game
        self._events = 0
        self._lost: Sentence | None = None
        self._doubt: Sentence | None = None

    def note(self, noticed: Noticed) -> None:
        """Something was noticed."""
        match noticed:
            case EventNoticed():
                self._events += 1
            case ThreadLost():
                self._lost = noticed.why
            case ThreadFound():
                self._lost = None
            case Doubted():
                self._doubt = noticed.why

    def describe(self, progress: Progress) -> Iterator[str]:
        """Sentences about all that was followed; progress: of the game now. Raises MissingError where nothing
        could be."""
        log, state = progress.events, progress.state
        if self._lost is not None and not self._events:
            raise MissingError(NOTHING, why=_describe_why(self._lost))
        ended = [hand for number, hand in _find_ends(log).items() if number > self._hands]
        if ended:
            many = "1 hand was" if len(ended) == 1 else f"{len(ended)} hands were"
            results = "; ".join(_describe_result(hand) for hand in ended)
            yield f"{many} followed to {'its' if len(ended) == 1 else 'their'} end: {results}."
        if state.playing:
            yield IN_A_HAND.format(stands=describe_open_hand(state))
        elif not ended:
            yield NO_HAND
        if self._lost is not None:
            yield IS_LOST.format(why=_describe_why(self._lost))
        if self._doubt is not None:
            yield IS_DOUBTFUL.format(why=_describe_why(self._doubt))
        doubts = progress.doubts
        for number, event, after in _list_states(log):
            if isinstance(event, Won) and number > self._log and number in doubts:
                yield CHECK_WIN.format(
                    sure=format_sure(doubts[number]), number=number, said=describe_event(event, after)
                )
        if self._game is not None:
            entered = len(log) - self._log
            yield f"{_count(entered, 'event')} entered in {quote(self._game)}."
            if doubts:
                yield DOUBTFUL.format(count=_count(len(doubts), "event"), name=self._game)
            if state.playing:
                yield GOES_ON.format(name=self._game)


def describe_open_hand(state: State) -> str:
    """Whose turn it is in the hand in play, and how many tiles are left."""
    assert state.hand is not None
    return f"seat {state.hand.turn} is to move, {_count(state.hand.wall.live_left, 'tile')} left"


def _find_ends(log: Sequence[Event]) -> dict[int, HandState]:
    """The hands that ended, as they stood then, by how many the game then had."""
    ends: dict[int, HandState] = {}
    before: State | None = None
    for _, event, state in _list_states(log):
        is_further_winner = isinstance(event, Won) and not state.playing
        if (
            before is not None
            and state.hand is not None
            and (state.hands > before.hands or is_further_winner)
        ):
            ends[state.hands] = state.hand
        before = state
    return ends


def _list_states(log: Sequence[Event]) -> Iterator[tuple[int, Event, State]]:
    """The events that stand with their numbers, corrections in their place, and the state after each."""
    state: State | None = None
    for number, event in number_corrected(log):
        state = apply(state, event)
        yield number, event, state


def _describe_why(why: Sentence) -> str:
    return describe_why(why).removesuffix(".")


def _describe_result(hand: HandState) -> str:
    return "; ".join(describe_win(result) for result in hand.results) or "nobody wins"


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
