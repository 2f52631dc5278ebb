"""Whole games with known tiles and careless players, who move toward ready, and claim by whim."""

from __future__ import annotations

import random
from collections.abc import Mapping

from companion.errors import EventError
from companion.rules import shanten
from companion.table.apply import apply
from companion.table.claims import list_claims
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    GameStarted,
    HandDrawn,
    HandShown,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
    Won,
)
from companion.table.state import HandState, Phase, State
from companion.table.wall import Wall
from companion.table.wins import would_win
from companion.tiles import KINDS, Suit, Tile, format_tiles

CLAIMS, WINS, CARELESS, READY, SHOWN = 0.35, 0.9, 0.15, 0.5, 0.3
"""How often a player claims, wins, looks away from a tile, declares, shows the hand, where that may be."""


class Table:
    """One game; `log` are its events, `states` the states after each of them."""

    def __init__(self, rules: str, options: Mapping[str, bool | int | str], seed: int) -> None:
        self.random = random.Random(seed)
        self.log: list[Event] = []
        self.states: list[State] = []
        self.do(GameStarted(rules=rules, options=dict(options)))

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def hand(self) -> HandState:
        assert self.state.hand is not None
        return self.state.hand

    def do(self, event: Event) -> None:
        self.states.append(apply(self.states[-1] if self.states else None, event))
        self.log.append(event)

    def attempt(self, event: Event) -> bool:
        """Do what may not be allowed."""
        try:
            self.do(event)
        except EventError:
            return False
        return True

    def dice(self, number: int) -> tuple[int, ...]:
        return tuple(self.random.randint(1, 6) for _ in range(number))

    def play_hand(self) -> None:
        self.deal()
        while self.state.playing:
            hand = self.hand
            if hand.phase is Phase.FLOWERS:
                self.flowers()
            elif hand.phase is Phase.REPLACEMENT:
                if not any(self.wins(seat) for seat in self.others(hand)):
                    self.replace()
            elif hand.phase is Phase.TURN:
                self.turn()
            elif hand.phase is Phase.CLAIM:
                self.after_a_discard(hand)
            elif hand.phase is Phase.SEA and self.wins(hand.turn):
                pass
            elif hand.phase is Phase.SEA and hand.wall.live_left:
                self.draw(self.state.house.following[hand.turn])
            else:
                self.do(HandDrawn())
        for seat, player in enumerate(self.hand.players):
            if player.count and self.random.random() < SHOWN:
                self.do(HandShown(seat=seat, hand=format_tiles(player.concealed)))

    def deal(self) -> None:
        house, dealer = self.state.house, self.state.deal.dealer
        dice = self.dice(house.wall.dice[0])
        self.do(HandStarted(dealer=dealer, dice=dice))
        tiles = [kind for kind, n in zip(KINDS, house.wall.tile_set.copies, strict=True) for _ in range(n)]
        self.random.shuffle(tiles)
        self.wall = Wall.break_by_dice(house.wall, dealer, dice, tiles)
        hands: list[list[Tile]] = [[], [], [], []]
        seats = [(dealer + turn) % 4 for turn in range(4) if (dealer + turn) % 4 in house.seats]
        for seat, count in house.wall.deal_order(seats):
            hands[seat] += self.wall.next_tiles(count) or ()
            self.wall = self.wall.draw(count)
        a, b, c, d = (format_tiles(tiles) if tiles else None for tiles in hands)
        self.do(Dealt(hands=(a, b, c, d)))
        if self.hand.phase is Phase.INDICATOR:
            dice = self.dice(house.wall.indicator_dice)
            self.wall = self.wall.turn_indicator(dice)
            assert self.wall.indicator_tile is not None
            self.do(IndicatorTurned(tile=self.wall.indicator_tile.code, dice=dice))

    def flowers(self) -> None:
        dealer = self.hand.deal.dealer
        if self.hand.owed:
            self.replace()
            return
        for seat in (dealer, *((dealer + turn) % 4 for turn in (1, 2, 3))):
            if self.set_out(seat):
                return
        self.turn()

    def set_out(self, seat: int) -> bool:
        for tile in self.hand.players[seat].concealed:
            if tile.suit is Suit.FLOWERS:
                self.do(FlowerSetOut(seat=seat, tile=tile.code))
                return True
        return False

    def draw(self, seat: int) -> None:
        tile = self.wall.next_tile
        assert tile is not None
        assert self.hand.wall.next_place == self.wall.next_place
        self.do(Drawn(seat=seat, tile=tile.code))
        self.wall = self.wall.draw()

    def replace(self) -> None:
        tile = self.wall.replacement_tile
        assert tile is not None
        assert self.hand.wall.replacement_place == self.wall.replacement_place
        self.do(Drawn(seat=self.hand.turn, tile=tile.code))
        self.wall = self.wall.draw_replacement()

    def others(self, hand: HandState) -> list[int]:
        if hand.offer is None:
            return []
        from_next = ((hand.offer.seat + turn) % 4 for turn in (1, 2, 3))
        return [seat for seat in from_next if seat in self.state.house.seats]

    def wins(self, seat: int) -> bool:
        if self.random.random() > WINS or would_win(self.state, seat) is None:
            return False
        self.do(Won(seat=seat))
        return True

    def after_a_discard(self, hand: HandState) -> None:
        house, others = self.state.house, self.others(hand)
        won = [self.wins(seat) for seat in others]  # after a first win only where several may
        if any(won):
            return
        melds = [(seat, meld) for seat in others for meld in list_claims(house, hand, seat)]
        if melds and self.random.random() < CLAIMS:
            seat, meld = self.random.choice(melds)
            self.do(Claimed(seat=seat, meld=str(meld)))
        elif hand.wall.live_left:
            self.draw(hand.turn)
        else:
            self.do(HandDrawn())

    def turn(self) -> None:
        hand, house = self.hand, self.state.house
        seat = hand.deal.dealer if hand.phase is Phase.FLOWERS else hand.turn
        player = hand.players[seat]
        if (hand.drew and self.wins(seat)) or self.set_out(seat):
            return
        for tile in sorted(set(player.concealed)):
            if player.concealed.count(tile) == 4 and self.attempt(ConcealedKong(seat=seat, tile=tile.code)):
                return
            if self.attempt(AddedKong(seat=seat, tile=tile.code)):
                return
        melds = [laid.meld for laid in player.melds if laid.meld is not None]
        lacks = {}
        for tile in sorted(set(player.concealed)):
            if self.random.random() > CARELESS or not lacks:
                rest = list(player.concealed)
                rest.remove(tile)
                lacks[tile] = shanten(house.rules, rest, melds, house.scoring, hand.fortune)
        best = min(lacks.values())
        tile = self.random.choice([tile for tile, lack in lacks.items() if lack == best])
        if best == 0 and not player.ready and self.random.random() < READY:
            self.attempt(ReadyDeclared(seat=seat))
        if player.ready or player.gambits:
            assert hand.drawn is not None
            tile = hand.drawn
        self.do(Discarded(seat=seat, tile=tile.code))
