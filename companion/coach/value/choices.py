"""What a player may do now, and the hands that come of it."""

from __future__ import annotations

from typing import NamedTuple

from companion.coach import messages
from companion.coach.seen import SeatView
from companion.coach.value.distances import KINDS_OF_HANDS
from companion.coach.value.judge import remove_tile
from companion.errors import EventError, InputError
from companion.rules import Score
from companion.table.apply import apply
from companion.table.claims import list_claims
from companion.table.events import AddedKong, Claimed, ConcealedKong, Discarded, Event, ReadyDeclared, Won
from companion.table.moves import find_flower, find_waits, remove_tiles
from companion.table.state import OfferKind, Phase, changed
from companion.table.wins import list_known_melds, would_win
from companion.tiles import KINDS, KONG_TILES, SET_TILES, Meld, MeldKind, Tile, counts

ON_TURN = (Phase.TURN, Phase.READY, Phase.FLOWERS)


class Branch(NamedTuple):
    """One thing to do, and the concealed tiles (42 counts) and melds after it.

    do: the event, None for passing on the tile on offer. discards: what may be discarded next, after a claim
    or a call of ready; else empty.
    """

    do: Event | None
    held: bytes
    melds: tuple[Meld, ...]
    discards: tuple[Tile, ...]


def find_win(seen: SeatView) -> float | None:
    """What a win declared now pays the player, as `score_win`; None without a win."""
    found = score_win(seen)
    return None if found is None else float(found.payments[seen.seat])


def score_win(seen: SeatView) -> Score | None:
    """The rules' answer to a win declared now; None without a win.

    Where the tile drawn last is not known, the one that pays least.
    """
    hand = seen.hand
    unknown = hand.offer is None and hand.drawn is None
    last: list[Tile | None] = [*sorted(set(seen.player.concealed))] if unknown else [hand.drawn]
    wins = []
    for tile in last:
        state = changed(seen.state, hand=changed(hand, drawn=tile))
        found = would_win(state, seen.seat)
        if found is not None:
            wins.append(found)
    return min(wins, key=lambda each: each.payments[seen.seat], default=None)


def list_branches(seen: SeatView) -> list[Branch]:
    """Everything the player may do except win; nothing if the player must win. Each discard is one branch.

    InputError if the player has nothing to decide.
    """
    hand, seat = seen.hand, seen.seat
    if seen.player.hidden:
        raise InputError(messages.UNKNOWN_TILES, seat=seat)
    on_turn = hand.turn == seat or hand.phase is Phase.FLOWERS  # the dealer begins, whoever was last then
    if hand.phase in ON_TURN and on_turn:
        if find_flower(seen.player) is None and seen.player.count % SET_TILES == 2:
            if _must_win(seen):
                return []
            return _list_discards(seen) + _list_kongs(seen) + _list_call(seen)
    elif hand.offer is not None and hand.offer.seat != seat:
        is_discard = hand.offer.kind is OfferKind.DISCARD
        if _must_win(seen):
            return []
        if is_discard or find_win(seen) is not None:
            return [_pass(seen), *(_list_claims(seen) if is_discard else ())]
    raise InputError(messages.NOT_DECIDING, seat=seat)


def make_win(seen: SeatView) -> Won:
    """The event of the win that `find_win` found."""
    return Won(seat=seen.seat)


def _must_win(seen: SeatView) -> bool:
    """Whether the player has called ready and may not pass up the win at hand (TW-13)."""
    bound = bool(seen.player.ready) and seen.state.house.policy.ready.must_win
    return bound and seen.hand.phase is not Phase.READY and find_win(seen) is not None


def _pass(seen: SeatView) -> Branch:
    return Branch(None, _count(seen.player.concealed), list_known_melds(seen.player), ())


def _list_discards(seen: SeatView) -> list[Branch]:
    player, hand = seen.player, seen.hand
    held, melds = _count(player.concealed), list_known_melds(player)
    bound = (player.ready or player.gambits) and hand.phase is not Phase.READY
    kinds = [hand.drawn] if bound and hand.drawn is not None else sorted(set(player.concealed))
    if player.ready and (hand.drawn is None or hand.phase is Phase.READY):
        ready = list_ready_discards(seen)
        kinds = [tile for tile in kinds if tile in ready] or kinds
    return [
        Branch(Discarded(seat=seen.seat, tile=tile.code), remove_tile(held, tile), melds, ())
        for tile in kinds
    ]


def _list_call(seen: SeatView) -> list[Branch]:
    """The call of ready, where the table allows it, with the discards after it that do leave the hand so."""
    call = ReadyDeclared(seat=seen.seat)
    if not seen.state.house.policy.ready.declared or seen.player.ready or seen.hand.phase is not Phase.TURN:
        return []
    try:
        called = apply(seen.state, call)
    except EventError:
        return []
    discards = list_ready_discards(changed(seen, state=called))
    held, melds = _count(seen.player.concealed), list_known_melds(seen.player)
    return [Branch(call, held, melds, discards)] if discards else []


def is_ready(seen: SeatView) -> bool:
    """Whether the hand, all of it known, is ready: between turns as it is, on a turn after some discard."""
    if seen.player.count % SET_TILES == 2:
        return bool(list_ready_discards(seen))
    return bool(find_waits(seen.state.house, seen.hand, seen.player))


def list_ready_discards(seen: SeatView) -> tuple[Tile, ...]:
    """The kinds whose discard leaves the hand ready."""
    house, hand = seen.state.house, seen.hand
    return tuple(
        tile
        for tile in sorted(set(seen.player.concealed))
        if find_waits(house, hand, remove_tiles(house, hand, seen.seat, (tile,))[0])
    )


def _list_kongs(seen: SeatView) -> list[Branch]:
    hand, player, seat = seen.hand, seen.player, seen.seat
    if not hand.wall.may_replace or hand.phase is not Phase.TURN:
        return []
    held, melds, found = _count(player.concealed), list_known_melds(player), []
    pungs = {meld.tiles[0]: meld for meld in melds if meld.kind is MeldKind.PUNG}
    for tile in sorted(set(player.concealed)):
        kong: Event
        if player.concealed.count(tile) == KONG_TILES:
            kong, kind, taken = ConcealedKong(seat=seat, tile=tile.code), MeldKind.KONG_CONCEALED, KONG_TILES
        elif tile in pungs:
            kong, kind, taken = AddedKong(seat=seat, tile=tile.code), MeldKind.KONG_ADDED, 1
        else:
            continue
        try:
            apply(seen.state, kong)
        except EventError:
            continue
        others = tuple(meld for meld in melds if meld is not pungs.get(tile))
        rest = held
        for _ in range(taken):
            rest = remove_tile(rest, tile)
        found.append(Branch(kong, rest, (*others, Meld((tile,) * KONG_TILES, kind)), ()))
    return found


def _list_claims(seen: SeatView) -> list[Branch]:
    hand, found = seen.hand, []
    offer = hand.offer
    if offer is None or offer.tile is None:
        return []
    melds = list_known_melds(seen.player)
    for meld in list_claims(seen.state.house, hand, seen.seat):
        if meld.kind.is_kong and not hand.wall.may_replace:
            continue
        rest = bytearray(_count((*seen.player.concealed, offer.tile)))
        for tile in meld.tiles:
            rest[tile.index] -= 1
        discards = () if meld.kind.is_kong else tuple(KINDS[i] for i in range(KINDS_OF_HANDS) if rest[i])
        found.append(Branch(Claimed(seat=seen.seat, meld=str(meld)), bytes(rest), (*melds, meld), discards))
    return found


def _count(tiles: tuple[Tile, ...]) -> bytes:
    return bytes(counts(tiles))
