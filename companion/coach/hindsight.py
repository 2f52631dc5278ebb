"""What a player held before each event, as far as it follows from the hand that was shown at the end.

A game that is recorded by touch or followed by a camera knows discards and melds only. Where a hand is shown
in the end, it is known backwards up to the last tile that was drawn unseen: its last decisions can be rated.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    Won,
)
from companion.table.state import State
from companion.tiles import KINDS, Tile, parse_meld

TILES = {kind.code: kind for kind in KINDS}
KONG_TILES = 4


def find_hands(states: Sequence[State], events: Sequence[Event], seat: int) -> dict[int, tuple[Tile, ...]]:
    """The concealed tiles of `seat` before events of one hand, by the event's place.

    states: before the first event and after each, one more than events. What the states know themselves is
    not among it.
    """
    found: dict[int, tuple[Tile, ...]] = {}
    last = states[-1].hand
    if last is None or last.players[seat].hidden:
        return found
    held = list(last.players[seat].concealed)
    for at in range(len(events) - 1, -1, -1):
        before = states[at].hand
        if (
            before is None
            or not before.players[seat].hidden
            or not _take_back(held, events[at], seat, states[at])
        ):
            break
        player = before.players[seat]
        if len(held) == player.count + 1 and isinstance(events[at], Won):
            _drop_winning_tile(held, states[at + 1], seat)
        if len(held) != player.count:
            break
        found[at] = tuple(sorted(held))
    return found


def _take_back(held: list[Tile], event: Event, seat: int, before: State) -> bool:
    """Undo what the event did to the concealed tiles; False where that is not known."""
    if getattr(event, "seat", None) != seat:
        return True
    match event:
        case Drawn(tile=code):
            tile = TILES.get(code or "")
            if tile not in held:
                return False
            held.remove(tile)
        case Discarded(tile=code) | FlowerSetOut(tile=code) | AddedKong(tile=code):
            if code not in TILES:
                return False
            held.append(TILES[code])
        case ConcealedKong(tile=code):
            if code not in TILES:
                return False
            held.extend([TILES[code]] * KONG_TILES)
        case Claimed(meld=text):
            own = list(parse_meld(text).tiles)
            offer = before.hand.offer if before.hand else None
            if offer is None or offer.tile not in own:
                return False
            own.remove(offer.tile)
            held.extend(own)
    return True


def _drop_winning_tile(held: list[Tile], after: State, seat: int) -> None:
    """Take out the tile that was won on."""
    results = after.hand.results if after.hand else ()
    tile = next((each.tile for each in results if each.winner == seat), None)
    if tile in held:
        held.remove(tile)
