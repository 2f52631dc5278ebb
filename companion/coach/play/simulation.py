"""Whole hands by built-in players, each event through `apply`: nothing is decided outside it.

The simulation knows the order of the tiles in the wall and throws the dice. Which tile comes next, who gets
one that several call for, and when a hand is over, the table says.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from msgspec.structs import replace as changed

from companion.coach.play.player import Answer, BuiltIn
from companion.coach.value.judge import Judge
from companion.table.apply import apply
from companion.table.claims import CALLS, find_standing_call
from companion.table.endings import seat_next_hand
from companion.table.events import (
    Call,
    Called,
    Claimed,
    Dealt,
    Drawn,
    Event,
    FlowerSetOut,
    GameStarted,
    HandDrawn,
    HandStarted,
    IndicatorTurned,
    Wind,
    WinPassed,
    Won,
)
from companion.table.house import House
from companion.table.knowledge import state_as_seen
from companion.table.moves import find_flower
from companion.table.state import HandState, OfferKind, Phase, State
from companion.table.wall import Wall
from companion.tiles import KINDS, MeldKind, Tile, format_tiles

DIE = 6


class SimulatedMove(NamedTuple):
    """An event, and the state after it."""

    event: Event
    state: State


class PlayedHand(NamedTuple):
    """A hand played to its end. game: the number of the game, from 1.

    `start` and the events of `steps` are a log of their own: the game continued with this hand.
    """

    game: int
    start: GameStarted
    before: State
    steps: tuple[SimulatedMove, ...]

    @property
    def after(self) -> State:
        return self.steps[-1].state


@dataclass
class Seated:
    """Players by seat, in the place of one that plays all."""

    players: tuple[BuiltIn, ...] = field(default_factory=tuple)

    def act(self, state: State, seat: int) -> Event | None:
        """What the player of that seat does on its turn."""
        return self.players[seat].act(state, seat)

    def answer(self, state: State, seat: int) -> Answer | None:
        """What the player of that seat would do with the tile on offer."""
        return self.players[seat].answer(state, seat)

    def wins_by_flowers(self, state: State, seat: int) -> bool:
        """Whether the player of that seat wins by flowers alone."""
        return self.players[seat].wins_by_flowers(state, seat)

    def declines(self, state: State, seat: int) -> bool:
        """Whether the player of that seat leaves the last tile."""
        return self.players[seat].declines(state, seat)


def play(start: GameStarted, hands: int, rng: random.Random) -> Iterator[PlayedHand]:
    """Play `hands` hands of a game that begins with `start`; where one is over, another begins.

    Raises EventError if such a game cannot begin.
    """
    state, game = apply(None, start), 1
    simulation = Simulation(state.house, rng)
    for _ in range(hands):
        if state.over:
            state, game = apply(None, start), game + 1
        played = PlayedHand(game, continue_game(start, state), state, tuple(simulation.hand(state)))
        yield played
        state = played.after


def continue_game(start: GameStarted, state: State) -> GameStarted:
    """The game that began with `start`, as one that continues between two hands."""
    deal, seated = state.deal, seat_next_hand(state)
    a, b, c, d = ((state.names[person], state.points[person]) for person in seated)
    return changed(
        start,
        dealer=deal.dealer,
        streak=deal.streak,
        round_wind=tuple(Wind)[deal.wind % len(Wind)],
        dealt=deal.dealt,
        names=(a[0], b[0], c[0], d[0]),
        points=(a[1], b[1], c[1], d[1]),
    )


class Simulation:
    """Hands at a table of this house, from walls that `rng` shuffles; `player` plays all seats."""

    def __init__(self, house: House, rng: random.Random, player: BuiltIn | Seated | None = None) -> None:
        self._rng = rng
        self._player = player or BuiltIn(Judge(house.rules, house.scoring))
        self._tiles = list_tiles(house)

    def hand(self, state: State) -> Iterator[SimulatedMove]:
        """The events of one hand, each with the state after it; `state` is between two hands."""
        self._rng.shuffle(self._tiles)
        dealt = DealtHand(self._player, tuple(self._tiles), self._rng)
        event: Event = dealt.begin(state)
        wanted: dict[int, Answer] = {}
        while True:
            state = apply(state, event)
            yield SimulatedMove(event, state)
            if not state.playing:
                break
            wanted = dealt.ask(state, state.house.seats)
            for answer in wanted.values():
                call = make_call(answer)
                state = apply(state, call)
                yield SimulatedMove(call, state)
            hand = _require_hand(state)
            first = find_standing_call(state.house, hand)
            event = dealt.next_event(state) if first is None else wanted[first]
        if state.house.policy.multi_win:
            for answer in wanted.values():
                if isinstance(answer, Won) and answer != event:
                    state = apply(state, answer)
                    yield SimulatedMove(answer, state)


class DealtHand:
    """A hand from a wall whose order is known: what happens in it next, as `player` plays.

    deck: the tiles of the wall in the order of its places. `rng` rolls the dice.
    """

    def __init__(self, player: BuiltIn | Seated, deck: tuple[Tile, ...], rng: random.Random) -> None:
        self._player = player
        self._deck = deck
        self._rng = rng

    def begin(self, state: State) -> HandStarted:
        """The dealer of the next hand rolls the dice."""
        return HandStarted(dealer=state.deal.dealer, dice=self._roll_dice(state.house.wall.dice[0]))

    def ask(self, state: State, seats: Sequence[int]) -> dict[int, Answer]:
        """What these players would do with the tile on offer, unless it is their own, by seat."""
        hand = _require_hand(state)
        if hand.offer is None or hand.offer.kind is OfferKind.FLOWER:
            return {}
        answers = {
            seat: self._player.answer(state_as_seen(state, seat), seat)
            for seat in seats
            if seat != hand.offer.seat
        }
        return {seat: answer for seat, answer in answers.items() if answer is not None}

    def next_event(self, state: State, person: int | None = None) -> Event:
        """What happens if nobody claims the tile on offer.

        person: the seat of a player for whom `player` does not decide; there only flowers are set out.
        """
        hand = _require_hand(state)
        others = [seat for seat in state.house.seats if seat != person]
        if hand.offer is not None and hand.offer.kind is OfferKind.FLOWER:
            for seat in others:
                if self._player.wins_by_flowers(state_as_seen(state, seat), seat):
                    return Won(seat=seat)
        wall, seat = stack_wall(hand.wall, self._deck), hand.turn
        if hand.phase is Phase.DEAL:
            return deal_tiles(state.house, hand, wall)
        if hand.phase is Phase.INDICATOR:
            dice = self._roll_dice(wall.rule.indicator_dice)
            return IndicatorTurned(tile=_require_code(wall.turn_indicator(dice).indicator_tile), dice=dice)
        if hand.phase is Phase.EXHAUSTED:
            return HandDrawn()
        if hand.owed:
            return Drawn(seat=seat, tile=_require_code(wall.replacement_tile))
        actor = find_actor(state)
        if actor is not None:
            event = self._act(state, actor) if actor != person else _set_out_flower(hand, actor)
            if event is not None:
                return event
            seat = state.house.following[actor]
        elif seat in others and self._player.declines(state_as_seen(state, seat), seat):
            return HandDrawn(declined_by=seat)
        return Drawn(seat=seat, tile=_require_code(wall.next_tile)) if wall.live_left else HandDrawn()

    def _act(self, state: State, seat: int) -> Event | None:
        return self._player.act(state_as_seen(state, seat), seat)

    def _roll_dice(self, number: int) -> tuple[int, ...]:
        return tuple(self._rng.randint(1, DIE) for _ in range(number))


def stack_wall(wall: Wall, deck: tuple[Tile, ...]) -> Wall:
    """The wall with its tiles, in the order of its places."""
    return replace(wall, tiles=deck)


def list_tiles(house: House) -> list[Tile]:
    """All tiles of the game, in order."""
    copies = zip(KINDS, house.wall.tile_set.copies, strict=True)
    return [tile for tile, n in copies for _ in range(n)]


def find_actor(state: State) -> int | None:
    """The seat whose player acts next; None if a tile has to be dealt, turned over or drawn first."""
    hand = _require_hand(state)
    if hand.owed or hand.phase not in (Phase.FLOWERS, Phase.TURN, Phase.READY, Phase.SEA):
        return None
    return _next_with_flower(state.house, hand) if hand.phase is Phase.FLOWERS else hand.turn


def deal_tiles(house: House, hand: HandState, wall: Wall) -> Dealt:
    """The tiles that each player takes from the wall in the deal (C-04)."""
    seats = [hand.deal.dealer]
    while len(seats) < len(house.seats):
        seats.append(house.following[seats[-1]])
    taken: list[list[Tile]] = [[], [], [], []]
    for seat, count in wall.rule.deal_order(seats):
        taken[seat] += wall.next_tiles(count) or ()
        wall = wall.draw(count)
    a, b, c, d = (format_tiles(tiles) if seat in seats else None for seat, tiles in enumerate(taken))
    return Dealt(hands=(a, b, c, d))


def _set_out_flower(hand: HandState, seat: int) -> FlowerSetOut | None:
    """The flower that the player has to set out, if there is one."""
    flower = find_flower(hand.players[seat])
    return None if flower is None else FlowerSetOut(seat=seat, tile=flower.code)


def _next_with_flower(house: House, hand: HandState) -> int:
    """The next seat that sets out a flower of the deal; the dealer, who then begins, if no player holds
    one."""
    seat = hand.turn
    for _ in house.seats:
        if find_flower(hand.players[seat]):
            return seat
        seat = house.following[seat]
    return hand.deal.dealer


def make_call(answer: Answer) -> Event:
    """The player's announcement; the tile is claimed when all players have announced."""
    match answer:
        case WinPassed():
            return answer
        case Won():
            return Called(seat=answer.seat, call=Call.WIN)
        case Claimed():
            return Called(seat=answer.seat, call=CALLS[MeldKind(answer.meld[0])])


def _require_code(tile: Tile | None) -> str:
    assert tile is not None  # the order of the wall is known here
    return tile.code


def _require_hand(state: State) -> HandState:
    assert state.hand is not None
    return state.hand
