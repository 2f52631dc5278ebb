"""A practice hand: its views and questions (values), the true hand rebuilt from the log, the person's
choices, and the next step. Pure.

The order of the wall follows from the numbers of the game and the hand. The person is asked before any other
player who may claim a tile, so nobody's answer shows before the person's. Where the log cannot have happened
with these tiles, as after a correction: EventError.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from companion.coach.opponents.strengths import Strength, make_player
from companion.coach.play.player import Answer, BuiltIn
from companion.coach.play.simulation import (
    DealtHand,
    deal_tiles,
    find_actor,
    list_tiles,
    make_call,
    stack_wall,
)
from companion.coach.seen import SeatView, observe
from companion.coach.value.choices import list_branches
from companion.coach.value.judge import Judge, make_hand_view
from companion.errors import EventError, InputError
from companion.game.deciding import Progress
from companion.sentences import Sentence, msgid
from companion.table.apply import apply, fold
from companion.table.claims import find_standing_call
from companion.table.events import (
    AddedKong,
    Call,
    Called,
    Claimed,
    ConcealedKong,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    HandDrawn,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
    WinPassed,
    Won,
    apply_corrections,
)
from companion.table.house import House
from companion.table.knowledge import event_as_seen
from companion.table.moves import find_flower
from companion.table.state import Phase, State, changed
from companion.table.wins import would_win
from companion.tiles import KONG_TILES, Tile

PERSON = 0
"""Index of the person among the four players of a practice game; the others are built in."""


class Stage(StrEnum):
    """What a practice table is waiting for."""

    PLAYING = "playing"
    """Waits for the moment at which the next player acts."""
    ASKING = "asking"
    """Waits for the person, whose turn it is, or who may claim a tile."""
    HALTED = "halted"
    """Waits for a touch, after the person undid an event of another player."""
    BETWEEN = "between"
    """Waits for a touch that starts the next hand."""
    OVER = "over"
    """Waits for nothing: the game is over."""


class Pace(StrEnum):
    """How fast the built-in players act. skip: immediately, until the person is asked something."""

    PAUSED = "paused"
    CALM = "calm"
    QUICK = "quick"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class PersonMoves:
    """What the person in that seat may do now; everything in it is legal.

    wins: whether the hand wins, on the drawn tile or the last discard. leave: where the last tile of the wall
    need not be taken. passes: whether doing nothing is a choice; on your turn it is not.
    """

    seat: int
    discards: tuple[Discarded, ...] = ()
    claims: tuple[Claimed, ...] = ()
    kongs: tuple[ConcealedKong | AddedKong, ...] = ()
    ready: ReadyDeclared | None = None
    leave: HandDrawn | None = None
    wins: bool = False
    passes: bool = False

    def allows(self, event: Event) -> bool:
        """Whether it is one of these."""
        return event in (*self.discards, *self.claims, *self.kongs, self.ready, self.leave)


@dataclass(frozen=True, slots=True)
class PracticeView:
    """A practice table at one moment. progress: of its game; seat: of the person; asked: what the person may
    do, while the stage is to ask; wins: whether the person has called a win that stands, and is about to
    enter it. said: what a person has to know, once."""

    progress: Progress
    seat: int
    stage: Stage
    pace: Pace
    asked: PersonMoves | None = None
    wins: bool = False
    said: Sentence | None = None


NO_FIT = msgid("The recorded events no longer match the tiles on the table.")
OWN = (Discarded, Claimed, ConcealedKong, AddedKong, ReadyDeclared, Won)
"""Events that the person enters by touch."""


@dataclass(frozen=True, slots=True)
class Truth:
    """state: with all tiles known. before_win: the one before the first win of the hand, once there is one.
    hand: the number of the hand, the first being 1. events: the game's log so far."""

    state: State
    hand: int
    events: tuple[Event, ...]
    before_win: State | None = None

    @property
    def seat(self) -> int:
        """Of the person."""
        return find_seat(self.state)


def find_seat(state: State) -> int:
    """Where the person sits."""
    return state.seated.index(PERSON)


def shuffle_deck(state: State, hand: int) -> tuple[Tile, ...]:
    """The tiles of that hand's wall, in the order of its places."""
    deck = list_tiles(state.house)
    random.Random(f"{state.house.practice}:{hand}").shuffle(deck)
    return tuple(deck)


def rebuild(progress: Progress, before: Truth | None = None) -> Truth:
    """The truth of a game that stands there. before: the truth of an earlier moment of it, which may be built
    on.

    Raises EventError if the hand in play does not fit.
    """
    events = progress.events
    if before is not None and before.events == events[: len(before.events)]:
        new = events[len(before.events) :]
        if not any(isinstance(event, Corrected) for event in new):
            return _add(before, new, events)
    standing = apply_corrections(events)
    starts = [at for at, event in enumerate(standing) if isinstance(event, HandStarted)]
    if not progress.state.playing:
        return Truth(progress.state, len(starts), events)
    state = fold(standing[: starts[-1]])
    assert state is not None
    return _add(Truth(state, len(starts) - 1, ()), standing[starts[-1] :], events)


def count_own_steps(state: State, events: Sequence[Event]) -> int:
    """How many events at the end of the log have to go for what the person did last not to have happened: a
    move, the beginning of a hand, or a correction. 0 if the game has only begun."""
    seat = find_seat(state)
    for steps, event in enumerate(reversed(events), 1):
        own = isinstance(event, OWN) and event.seat == seat
        if own or isinstance(event, HandStarted | Corrected):
            while isinstance(event, Claimed | Won) and isinstance(events[-steps - 1], Called):
                steps += 1
            return steps
    return 0


def _add(truth: Truth, new: Sequence[Event], events: tuple[Event, ...]) -> Truth:
    """The truth after these events more."""
    state, hand, before_win = truth.state, truth.hand, truth.before_win
    deck = shuffle_deck(state, hand)
    for event in new:
        if isinstance(event, HandStarted):
            hand, before_win = hand + 1, None
            deck = shuffle_deck(state, hand)
        after = apply(state, _reveal(state, event, deck))
        if before_win is None and after.hand is not None and after.hand.results and state.playing:
            before_win = state
        state = after
    return Truth(state, hand, events, before_win)


def _reveal(state: State, event: Event, deck: tuple[Tile, ...]) -> Event:
    """The event with what the person did not see of it. EventError where it was another one."""
    hand, true = state.hand, event
    if hand is None or not state.playing:
        return event
    wall = stack_wall(hand.wall, deck)
    match event:
        case Dealt():
            true = deal_tiles(state.house, hand, wall)
        case Drawn(seat=seat):
            tile = wall.replacement_tile if hand.owed else wall.next_tile
            true = Drawn(seat=seat, tile=tile.code if tile else None)
        case IndicatorTurned(dice=dice) if dice is not None:
            tile = wall.turn_indicator(dice).indicator_tile
            true = changed(event, tile=tile.code if tile else event.tile)
        case ConcealedKong(seat=seat, tile=None):
            held = hand.players[seat].concealed
            true = next(
                (changed(event, tile=tile.code) for tile in held if held.count(tile) == KONG_TILES), event
            )
    if event_as_seen(state, true, find_seat(state)) != event_as_seen(state, event, find_seat(state)):
        raise EventError(NO_FIT)
    return true


def ask(state: State, seat: int, judge: Judge) -> PersonMoves | None:
    """What that seat may do in `state`, in which all tiles are known; None if there is no choice."""
    if state.hand is None or not state.playing:
        return None
    seen = observe(state, seat)
    if find_actor(state) == seat:
        return _ask_on_turn(state, seen, judge)
    return _ask_aside(state, seen)


def _ask_on_turn(state: State, seen: SeatView, judge: Judge) -> PersonMoves | None:
    seat, hand = seen.seat, seen.hand
    if find_flower(seen.player) is not None:
        return None  # it is set out at once
    wins = hand.phase is not Phase.READY and would_win(seen.state, seat) is not None
    if hand.phase is Phase.SEA:
        return PersonMoves(seat, wins=True, passes=True) if wins else None
    events = _list_events(state, seen)
    discards = tuple(event for event in events if isinstance(event, Discarded))
    ready = _find_ready(state, seen, judge)
    if hand.phase is Phase.READY:
        discards = _keep_ready(seen, discards, judge)
    kongs = tuple(event for event in events if isinstance(event, ConcealedKong | AddedKong))
    return PersonMoves(seat, discards, (), kongs, ready, wins=wins)


def _ask_aside(state: State, seen: SeatView) -> PersonMoves | None:
    """Of another's tile, and of the last one in the wall."""
    seat, hand = seen.seat, seen.hand
    offered = hand.offer is not None and hand.offer.seat != seat
    wins = offered and would_win(seen.state, seat) is not None
    claims = tuple(event for event in _list_events(state, seen) if isinstance(event, Claimed))
    leave: HandDrawn | None = None
    is_last = hand.phase is Phase.CLAIM and hand.turn == seat and hand.wall.live_left == 1
    if is_last and state.house.policy.last_tile.may_decline:
        leave = HandDrawn(declined_by=seat)
    if not wins and not claims and leave is None:
        return None
    return PersonMoves(seat, claims=claims, leave=leave, wins=wins, passes=True)


def _list_events(state: State, seen: SeatView) -> list[Event]:
    """All that the seat may do but win, ready calls and the last tile left aside."""
    try:
        branches = list_branches(seen)
    except InputError:
        return []
    return [branch.do for branch in branches if branch.do is not None and _can_happen(state, branch.do)]


def _can_happen(state: State, event: Event) -> bool:
    try:
        apply(state, event)
    except EventError:
        return False
    return True


def _find_ready(state: State, seen: SeatView, judge: Judge) -> ReadyDeclared | None:
    """The call that the hand is ready, where some discard leaves it so."""
    if seen.hand.phase is not Phase.TURN or not state.house.policy.ready.declared or seen.player.ready:
        return None
    event = ReadyDeclared(seat=seen.seat)
    best = judge.discards(make_hand_view(seen))[0].after
    return event if best.shanten == 0 and best.live and _can_happen(state, event) else None


def _keep_ready(seen: SeatView, discards: tuple[Discarded, ...], judge: Judge) -> tuple[Discarded, ...]:
    """Those after which a hand that was called ready is."""
    found = {each.discard.code for each in judge.discards(make_hand_view(seen)) if each.after.shanten == 0}
    return tuple(event for event in discards if event.tile in found) or discards


@dataclass(frozen=True)
class Players:
    """Those that are built in, at one table."""

    house: House
    strength: Strength = Strength.USUAL

    @cached_property
    def judge(self) -> Judge:
        return Judge(self.house.rules, self.house.scoring)

    @cached_property
    def built_in(self) -> BuiltIn:
        return make_player(self.strength, self.judge)


def ask_person(players: Players, truth: Truth) -> PersonMoves | None:
    """What the person may do now; None where it is not the person who acts."""
    return ask(truth.state, truth.seat, players.judge)


def begin_hand(players: Players, truth: Truth) -> tuple[Event, ...]:
    """The next hand begins."""
    return (_deal(players, truth, truth.hand + 1).begin(truth.state),)


def go_on(players: Players, truth: Truth, said: Answer | None = None) -> tuple[Event, ...]:
    """What happens next, as the person sees it, unless the person does something: `said` is what the person
    does with the tile on offer. Empty if nothing does: the hand is over."""
    state, person = truth.state, truth.seat
    if not state.playing:
        return _hide(state, _list_more_wins(players, truth), person)
    dealt = _deal(players, truth, truth.hand)
    wanted = dealt.ask(state, [seat for seat in state.house.seats if seat != person])
    if said is not None:
        wanted[person] = said
    answers = {seat: answer for seat, answer in wanted.items() if not isinstance(answer, WinPassed)}
    calls: list[Event] = [make_call(answer) for answer in answers.values()]
    called = state
    for call in calls:
        called = apply(called, call)
    assert called.hand is not None
    first = find_standing_call(called.house, called.hand)
    if first is None:
        return _hide(state, [dealt.next_event(state, person)], person)
    events = [*calls, answers[first]]
    if isinstance(answers[first], Won) and state.house.policy.multi_win:
        events += [each for seat, each in answers.items() if isinstance(each, Won) and seat != first]
    return _hide(state, events, person)


def does_win_stand(players: Players, truth: Truth) -> bool:
    """Whether no other player's claim precedes the person's call of a win."""
    state, person = truth.state, truth.seat
    hand = state.hand
    if hand is None or hand.offer is None:
        return True
    events = go_on(players, truth, Won(seat=person))
    won = [event.seat for event in events if isinstance(event, Won)]
    called = any(isinstance(event, Called) and event.call is Call.WIN for event in events)
    return not called or person in won


def _list_more_wins(players: Players, truth: Truth) -> list[Event]:
    """Who else wins on the tile on which the person has won, where the table lets several win."""
    before, hand = truth.before_win, truth.state.hand
    if before is None or hand is None or not truth.state.house.policy.multi_win or hand.offer is None:
        return []
    seats = [seat for seat in before.house.seats if seat != truth.seat]
    answers = _deal(players, truth, truth.hand).ask(before, seats)
    have_won = {result.winner for result in hand.results}
    return [each for seat, each in answers.items() if isinstance(each, Won) and seat not in have_won]


def _deal(players: Players, truth: Truth, number: int) -> DealtHand:
    """That hand, with dice that fall as they did if something was taken back."""
    dice = random.Random(f"{truth.state.house.practice}:{number}:{len(truth.events)}")
    deck: tuple[Tile, ...] = shuffle_deck(truth.state, number)
    return DealtHand(players.built_in, deck, dice)


def _hide(state: State, events: list[Event], person: int) -> tuple[Event, ...]:
    """The events as the person sees them."""
    shown = []
    for event in events:
        shown.append(event_as_seen(state, event, person))
        state = apply(state, event)
    return tuple(shown)
