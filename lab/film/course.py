"""Follows a hand's log with every single tile: which one each event moves, and where it is put.

Tiles are numbered by the order in which the wall would be drawn from the break on. A camera sees only where
they lie; here it is known which is which, so that a tile can be followed on its way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    HandStarted,
    IndicatorTurned,
    Won,
)
from companion.table.state import HandState, State
from companion.table.wall import Layer, Place, Wall
from companion.tiles import Tile, parse_tiles
from lab.film.places import Places
from lab.scenes.contents import HIDDEN
from lab.scenes.tabletop import Pose, Resting

Laying = tuple[int, Resting]
"""A tile, and where it is put."""


@dataclass(frozen=True, slots=True)
class Carry:
    """Tiles that a player takes at once, and where they are put."""

    seat: int
    tiles: tuple[Laying, ...]


@dataclass(frozen=True, slots=True)
class Deed:
    """An event, the state after it, and what is moved for it.

    number: of the event in the hand's log, that of its first event being 1. carries: one after the other.
    tidied: what the player who acted straightens afterwards.
    """

    number: int
    event: Event
    state: State
    carries: tuple[Carry, ...] = ()
    tidied: tuple[Laying, ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    """A whole hand: where the tiles stand at first, their codes, and what happens. Tiles that nobody ever
    sees have the code `HIDDEN`."""

    standing: tuple[Resting, ...]
    codes: tuple[str, ...]
    deeds: tuple[Deed, ...]


def follow(steps: Sequence[tuple[Event, State]], places: Places) -> Course:
    """The course of a hand; its first event is the start of the hand."""
    hand = _require_hand(steps[0][1])
    table = _Table(hand.wall.order, places)
    standing = tuple(table.resting)
    deeds = []
    before = steps[0][1]
    for number, (event, state) in enumerate(steps, start=2):
        carries = table.carry(event, _require_hand(before), _require_hand(state))
        seat = carries[-1].seat if carries else None
        tidied = table.tidy(seat, event) if seat is not None else []
        deeds.append(Deed(number, event, state, tuple(carries), tuple(tidied)))
        before = state
    return Course(standing, tuple(table.codes), tuple(deeds))


class _Table:
    """Where every tile is while the log is read."""

    def __init__(self, order: Sequence[Place], places: Places) -> None:
        self._places = places
        self.resting = places.lay_walls(order)
        self.codes = [HIDDEN] * len(order)
        self._wall = {place: tile for tile, place in enumerate(order)}
        self._hands: list[list[int]] = [[], [], [], []]
        self._rivers: list[list[int]] = [[], [], [], []]
        self._melds: list[list[list[int]]] = [[], [], [], []]
        self._widths = [0.0] * 4
        self._flowers: list[list[int]] = [[], [], [], []]

    def carry(self, event: Event, before: HandState, after: HandState) -> list[Carry]:
        """What players carry for this event."""
        match event:
            case HandStarted():
                return []
            case Dealt():
                return self._deal(event, before)
            case IndicatorTurned():
                return self._turn_indicator(event, after)
            case Drawn():
                return self._draw(event, before, after)
            case Discarded():
                return self._discard(event)
            case FlowerSetOut():
                return self._set_out(event)
            case Claimed():
                return self._claim(event, before, after)
            case ConcealedKong():
                return self._lay_kong(event.seat, before, after)
            case AddedKong():
                return self._add_kong(event)
            case Won():
                return self._win(event, before, after)
            case _:
                return []

    def tidy(self, seat: int, event: Event) -> list[Laying]:
        """The player's hand sorted and pushed together, but for a tile just drawn; only what moves."""
        if isinstance(event, Won | IndicatorTurned | Drawn):
            return self._settle_wall()
        self._hands[seat].sort(key=lambda tile: (_rank(self.codes[tile]), tile))
        moved = []
        for index, tile in enumerate(self._hands[seat]):
            moved += self._put(tile, self._places.stand(seat, index))
        return moved + self._settle_wall()

    def _put(self, tile: int, resting: Resting) -> list[Laying]:
        """Puts a tile there; empty where it rests there already."""
        if self.resting[tile] == resting:
            return []
        self.resting[tile] = resting
        return [(tile, resting)]

    def _settle_wall(self) -> list[Laying]:
        """Upper tiles whose lower ones are gone come down."""
        moved = []
        for place, tile in self._wall.items():
            alone = Place(place.side, place.stack, Layer.LOWER) not in self._wall
            if place.layer is Layer.UPPER and alone and self.resting[tile].layer:
                moved += self._put(tile, replace(self.resting[tile], layer=0))
        return moved

    def _take_from_wall(self, places: Iterable[Place]) -> list[int]:
        return [self._wall.pop(place) for place in places]

    def _take_from_hand(self, seat: int, codes: Iterable[str]) -> list[int]:
        """Tiles of these codes out of a hand, those drawn last first."""
        taken = []
        for code in codes:
            tile = next(each for each in reversed(self._hands[seat]) if self.codes[each] == code)
            self._hands[seat].remove(tile)
            taken.append(tile)
        return taken

    def _deal(self, event: Dealt, before: HandState) -> list[Carry]:
        seats = [seat for seat in range(4) if event.hands[seat] is not None]
        first = seats.index(before.deal.dealer)
        seats = [*seats[first:], *seats[:first]]
        codes = {seat: list(parse_tiles(event.hands[seat] or "")) for seat in seats}
        left = list(before.wall.live_places)
        carries = []
        for seat, count in before.wall.rule.deal_order(seats):
            tiles = self._take_from_wall(left[:count])
            del left[:count]
            laid = []
            for tile in tiles:
                self.codes[tile] = codes[seat].pop(0).code
                laid += self._put(tile, self._places.stand(seat, len(self._hands[seat])))
                self._hands[seat].append(tile)
            carries.append(Carry(seat, tuple(laid)))
        return carries

    def _turn_indicator(self, event: IndicatorTurned, after: HandState) -> list[Carry]:
        place = after.wall.indicator_place
        if place is None:
            return []
        tile = self._wall[place]
        self.codes[tile] = event.tile
        laid = []
        above = self._wall.get(Place(place.side, place.stack, Layer.UPPER))
        resting = self.resting[tile]
        if above not in (None, tile):  # it is brought up, to be seen
            laid += self._put(above, replace(self.resting[above], layer=0))
            resting = replace(resting, layer=1)
        laid = self._put(tile, replace(resting, pose=Pose.FACE_UP)) + laid
        return [Carry(after.deal.dealer, tuple(laid))]

    def _draw(self, event: Drawn, before: HandState, after: HandState) -> list[Carry]:
        gone = _list_standing(before.wall) - _list_standing(after.wall)
        (tile,) = self._take_from_wall(gone)
        self.codes[tile] = event.tile or HIDDEN
        hand = self._hands[event.seat]
        hand.append(tile)
        return [
            Carry(
                event.seat, tuple(self._put(tile, self._places.stand(event.seat, len(hand) - 1, apart=True)))
            )
        ]

    def _discard(self, event: Discarded) -> list[Carry]:
        (tile,) = self._take_from_hand(event.seat, [event.tile or HIDDEN])
        lying = [self.resting[each] for river in self._rivers for each in river]
        river = self._rivers[event.seat]
        laid = self._put(tile, self._places.discard(event.seat, len(river), lying))
        river.append(tile)
        return [Carry(event.seat, tuple(laid))]

    def _set_out(self, event: FlowerSetOut) -> list[Carry]:
        (tile,) = self._take_from_hand(event.seat, [event.tile])
        flowers = self._flowers[event.seat]
        laid = self._put(tile, self._places.set_out(event.seat, len(flowers)))
        flowers.append(tile)
        return [Carry(event.seat, tuple(laid))]

    def _claim(self, event: Claimed, before: HandState, after: HandState) -> list[Carry]:
        offer = before.offer
        assert offer is not None
        seat, claimed = event.seat, self._rivers[offer.seat].pop()
        own = self._take_from_hand(seat, _list_gone(before, after, seat))
        count = len(own) + 1
        at = {3: 0, 2: 1, 1: count - 1}[(offer.seat - seat) % 4]
        across = at if self._places.customs.sideways else None
        meld = sorted(own, key=lambda tile: _rank(self.codes[tile]))
        meld.insert(at, claimed)
        if across is None:
            meld.sort(key=lambda tile: _rank(self.codes[tile]))
        laid = dict(self._lay_meld(seat, meld, across, frozenset()))
        return [
            Carry(seat, ((claimed, laid[claimed]),)),
            Carry(seat, tuple((tile, laid[tile]) for tile in own)),
        ]

    def _lay_kong(self, seat: int, before: HandState, after: HandState) -> list[Carry]:
        meld = self._take_from_hand(seat, _list_gone(before, after, seat))
        return [Carry(seat, tuple(self._lay_meld(seat, meld, None, self._places.customs.kong_down)))]

    def _lay_meld(self, seat: int, meld: list[int], across: int | None, down: frozenset[int]) -> list[Laying]:
        melds = self._melds[seat]
        spots, self._widths[seat] = self._places.lay_meld(
            seat, len(melds), self._widths[seat], len(meld), across, down
        )
        melds.append(meld)
        return [laying for tile, spot in zip(meld, spots, strict=True) for laying in self._put(tile, spot)]

    def _add_kong(self, event: AddedKong) -> list[Carry]:
        (tile,) = self._take_from_hand(event.seat, [event.tile])
        pung = next(
            meld for meld in self._melds[event.seat]
            if len(meld) == 3 and all(self.codes[each] == event.tile for each in meld)
        )  # fmt: skip
        laid = self._put(tile, self._places.add_to_pung([self.resting[each] for each in pung]))
        pung.append(tile)
        return [Carry(event.seat, tuple(laid))]

    def _win(self, event: Won, before: HandState, after: HandState) -> list[Carry]:
        """The winner lays the hand open, and turns up kongs that nobody knows; the first of several takes the
        winning tile to it."""
        seat = event.seat
        carries = []
        if not after.players[seat].shown:
            return []
        offered = None if after.results[-1].discarder is None or before.results else before.offer
        hand = self._hands[seat]
        if offered is not None and offered.tile is not None:
            tile = self._take_offered(offered.seat, offered.tile)
            hand.append(tile)
            spot = self._places.stand(seat, len(hand) - 1, apart=True, shown=True)
            carries.append(Carry(seat, tuple(self._put(tile, spot))))
        shown = []
        for index, tile in enumerate(hand):
            apart = index == len(hand) - 1 and len(hand) % 3 == 2
            shown += self._put(tile, self._places.stand(seat, index, apart=apart, shown=True))
        for meld in self._melds[seat]:
            if all(self.resting[tile].pose is Pose.FACE_DOWN for tile in meld):
                for tile in meld:
                    shown += self._put(tile, replace(self.resting[tile], pose=Pose.FACE_UP))
        return [*carries, Carry(seat, tuple(shown))]

    def _take_offered(self, seat: int, tile: Tile) -> int:
        """The discard or the tile of a kong that somebody wins on."""
        river = self._rivers[seat]
        if river and self.codes[river[-1]] == tile.code:
            return river.pop()
        kong = next(
            meld
            for meld in reversed(self._melds[seat])
            if len(meld) == 4 and self.codes[meld[-1]] == tile.code
        )
        return kong.pop()


def _list_standing(wall: Wall) -> set[Place]:
    return {*wall.live_places, *wall.dead_places}


def _list_gone(before: HandState, after: HandState, seat: int) -> list[str]:
    """The codes of what left a player's hand between two states."""
    here, there = (Counter(hand.players[seat].concealed) for hand in (before, after))
    return sorted(tile.code for tile in (here - there).elements())


def _rank(code: str) -> tuple[str, str]:
    return code[1], code[0]


def _require_hand(state: State) -> HandState:
    assert state.hand is not None
    return state.hand
