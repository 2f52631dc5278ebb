"""What lies on the table in a game that was played."""

from __future__ import annotations

from companion.table.state import Laid, Player, State
from companion.tiles import MeldKind
from lab.scenes.layouts import HIDDEN, SEATS, Contents, MeldTiles, SeatTiles, WallTile


def read_contents(state: State, *, sideways: bool = True) -> Contents:
    """What lies on the table in a game's hand. Where the wall's break is unknown it is drawn without gaps.

    sideways: whether the house lays the claimed tile of a meld sideways.
    """
    hand = state.hand
    assert hand is not None
    wall = hand.wall
    standing = (
        (*wall.live_places, *wall.dead_places)
        if wall.placed
        else wall.order[-_count_left(wall.live_left, wall.dead_left) :]
    )
    known = dict(zip(wall.order, wall.tiles, strict=True)) if wall.tiles else {}
    turned = wall.indicator_place
    seats = []
    for seat, player in enumerate(hand.players):
        drawn = hand.drew and seat == hand.turn
        seats.append(_read_seat(player, seat, drawn, sideways))
    a, b, c, d = seats
    return Contents(
        (a, b, c, d),
        tuple(
            WallTile(
                place,
                hand.indicator.code if place == turned and hand.indicator else
                known[place].code if place in known else HIDDEN,
                place == turned,
            )
            for place in dict.fromkeys(standing)
        ),
        wall.stacks,
    )  # fmt: skip


def _count_left(live: int, dead: int) -> int:
    return max(1, live + dead)


def _read_seat(player: Player, seat: int, drawn: bool, sideways: bool) -> SeatTiles:
    return SeatTiles(
        hand=(*(tile.code for tile in player.concealed), *(HIDDEN,) * player.hidden),
        melds=tuple(_read_meld(laid, seat, sideways) for laid in player.melds),
        flowers=tuple(tile.code for tile in player.flowers),
        discards=tuple(tile.code for tile in player.discards),
        drawn=drawn,
        shown=player.shown,
    )


def _read_meld(laid: Laid, seat: int, sideways: bool) -> MeldTiles:
    if laid.meld is None:
        return MeldTiles((HIDDEN,) * 4, None, frozenset(range(4)))
    codes = tuple(tile.code for tile in laid.meld.tiles)
    if laid.kind is MeldKind.KONG_CONCEALED:
        return MeldTiles(codes, None, frozenset({0, 3}))
    if laid.source is None or not sideways:
        return MeldTiles(codes)
    # From the left it lies left, from across in the middle, from the right at the right end.
    at = {3: 0, 2: 1, 1: len(codes) - 1}.get((laid.source - seat) % SEATS)
    return MeldTiles(codes, at)
