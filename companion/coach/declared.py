"""A hand that the user enters for the coach, in a game of which only the open tiles are recorded.

It is kept next to the game and changes nothing in it. From the moment at which it was entered it is followed
through the game's events, and each tile that its player draws unseen can be named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from msgspec import Struct

from companion.coach import messages
from companion.errors import InputError, NotationError
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    HandStarted,
)
from companion.table.moves import put
from companion.table.state import State, changed
from companion.tiles import KINDS, KONG_TILES, Suit, Tile, parse_meld

TILES = {kind.code: kind for kind in KINDS}
SEATS = 4


class DeclaredHand(Struct, frozen=True):
    """The concealed tiles of `seat` when the game had `at` events.

    named: tiles drawn since, each with the number of the event.
    """

    seat: int
    at: int
    tiles: tuple[Tile, ...]
    named: tuple[tuple[int, Tile], ...] = ()

    def name_draw(self, number: int, tile: Tile) -> DeclaredHand:
        """With the tile that event `number` drew."""
        others = tuple(each for each in self.named if each[0] != number)
        return changed(self, named=(*others, (number, tile)))


@dataclass(frozen=True, slots=True)
class StoredHand:
    """A declared hand on disk: tiles as codes."""

    seat: int
    at: int
    tiles: tuple[str, ...]
    named: tuple[tuple[int, str], ...] = ()

    @classmethod
    def of(cls, declared: DeclaredHand) -> StoredHand:
        named = tuple((number, tile.code) for number, tile in declared.named)
        return cls(declared.seat, declared.at, tuple(tile.code for tile in declared.tiles), named)

    @property
    def is_valid(self) -> bool:
        """Whether the window can have written it."""
        try:
            self.restore()
        except NotationError:
            return False
        return 0 <= self.seat < SEATS and self.at >= 0

    def restore(self) -> DeclaredHand:
        """NotationError where a code is not a tile."""
        tiles = tuple(Tile.parse(code) for code in self.tiles)
        named = tuple((number, Tile.parse(code)) for number, code in self.named)
        return DeclaredHand(self.seat, self.at, tiles, named)


class HeldTiles(Struct, frozen=True):
    """What is known of a declared hand now.

    unknown: concealed tiles that nobody named. unnamed: the number of the latest draw among them. lost:
    whether a tile was discarded or melded that the hand did not contain.
    """

    tiles: tuple[Tile, ...]
    unknown: int = 0
    unnamed: int | None = None
    lost: bool = False


class _Followed(NamedTuple):
    """A declared hand after event `number`; held: None once another hand has begun.

    draws: whether the event drew a tile that nobody named. gone: tiles that left the hand and were not known
    to be in it.
    """

    number: int
    held: HeldTiles | None
    draws: bool = False
    gone: tuple[Tile | None, ...] = ()


def follow_hand(declared: DeclaredHand, numbered: Iterable[tuple[int, Event]]) -> HeldTiles | None:
    """The declared hand after all numbered events of the game; None where another hand is being played."""
    held = None
    for now in _follow_events(declared, numbered):
        held = now.held
    return held


def list_known(declared: DeclaredHand, numbered: Iterable[tuple[int, Event]]) -> dict[int, tuple[Tile, ...]]:
    """The tiles of the declared hand after events of the game, by the event's number, where all are known.

    A tile drawn unseen and not named is also known where it left the hand before the next such draw: as a
    discard that the hand did not contain otherwise.
    """
    found: dict[int, tuple[Tile, ...]] = {}
    waiting: list[tuple[int, tuple[Tile, ...], int]] = []
    gone: list[Tile | None] = []
    for now in _follow_events(declared, numbered):
        if now.held is None or now.held.lost:
            break
        if now.draws:
            waiting, gone = [], []
        gone += now.gone
        if now.held.unknown:
            waiting.append((now.number, now.held.tiles, len(gone)))
            continue
        found[now.number] = now.held.tiles
        for number, tiles, at in waiting:
            later = [tile for tile in gone[at:] if tile is not None]
            if len(later) == len(gone) - at:
                found[number] = tuple(sorted((*tiles, *later)))
        waiting, gone = [], []
    return found


def _follow_events(declared: DeclaredHand, numbered: Iterable[tuple[int, Event]]) -> Iterator[_Followed]:
    """The declared hand after each event, starting where it was entered."""
    named = dict(declared.named)
    held, unknown, unnamed = Counter(declared.tiles), 0, None
    offered: str | None = None
    for number, event in numbered:
        before, offered = offered, event.tile if isinstance(event, Discarded) else offered
        if number < declared.at:
            continue
        draws, gone = False, []
        if number > declared.at:
            if isinstance(event, HandStarted):
                yield _Followed(number, None)
                return
            if isinstance(event, Drawn) and event.seat == declared.seat:
                tile = TILES.get(event.tile or "") or named.get(number)
                if tile is None:
                    draws, unknown, unnamed = True, unknown + 1, number
                else:
                    held[tile] += 1
            for tile in _list_leaving(event, declared.seat, before):
                if tile is not None and held[tile]:
                    held[tile] -= 1
                elif unknown:
                    unknown -= 1
                    gone.append(tile)
                else:
                    yield _Followed(number, HeldTiles(tuple(sorted(held.elements())), lost=True))
                    return
            if not unknown:
                unnamed = None
        now = HeldTiles(tuple(sorted(held.elements())), unknown, unnamed)
        yield _Followed(number, now, draws, tuple(gone))


def place_hand(state: State, seat: int, tiles: tuple[Tile, ...], unknown: int = 0) -> State:
    """The state with these concealed tiles in the seat. InputError where it cannot hold them."""
    house, hand = state.house, state.hand
    if hand is None:
        raise InputError(messages.NO_HAND_YET)
    if seat not in house.seats:
        raise InputError(messages.NO_HAND_YET)
    player = hand.players[seat]
    known = bytearray(hand.known)
    for tile in player.concealed:
        known[tile.index] -= 1
    for tile in tiles:
        if tile.suit is Suit.FLOWERS:
            raise InputError(messages.FLOWER_HELD, tile=tile.code)
        if not house.copies[tile.index]:
            raise InputError(messages.NOT_OF_GAME, tile=tile.code)
        known[tile.index] += 1
        if known[tile.index] > house.copies[tile.index]:
            copies = house.copies[tile.index]
            raise InputError(messages.TOO_MANY, tile=tile.code, found=known[tile.index], copies=copies)
    if len(tiles) + unknown != player.count:
        raise InputError(messages.WRONG_COUNT, found=len(tiles) + unknown, wanted=player.count)
    holding = changed(player, concealed=tiles, hidden=unknown)
    drawn = hand.drawn if hand.drawn in tiles else None
    placed = changed(hand, players=put(hand, seat, holding), known=bytes(known), drawn=drawn)
    return changed(state, hand=placed)


def _list_leaving(event: Event, seat: int, offered: str | None) -> list[Tile | None]:
    """The concealed tiles that an event takes from the seat's hand, None for an unseen one.

    offered: the code of the last discard, which a claim takes.
    """
    if getattr(event, "seat", None) != seat:
        return []
    match event:
        case Discarded(tile=code) | FlowerSetOut(tile=code) | AddedKong(tile=code):
            return [TILES.get(code or "")]
        case ConcealedKong(tile=code):
            return [TILES.get(code or "")] * KONG_TILES
        case Claimed(meld=text):
            own: list[Tile | None] = list(parse_meld(text).tiles)
            taken = TILES.get(offered or "")
            own.remove(taken if taken in own else own[-1])
            return own
    return []
