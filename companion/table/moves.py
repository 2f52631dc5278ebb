"""What the events of a hand share: whose turn it is and what must come first, tiles into and out of a hand,
and the circumstances of a win."""

from __future__ import annotations

from collections.abc import Iterable

from companion.errors import EventError, NotationError
from companion.rules import Source, waits
from companion.rules.play import Moment
from companion.table import messages
from companion.table.house import House
from companion.table.state import HandState, OfferKind, Phase, Player, State, changed
from companion.tiles import KINDS, Meld, MeldKind, Tile, parse_tiles

TILES: dict[str, Tile] = {tile.code: tile for tile in KINDS}
_BYTES = tuple(bytes((n,)) for n in range(5))


def read_tile(house: House, code: str) -> Tile:
    """The kind of that code; EventError if the game does not have it."""
    tile = TILES.get(code)
    if tile is None or not house.copies[tile.index]:
        raise EventError(messages.NOT_IN_GAME, tile=code, rules=house.rules.title)
    return tile


def read_tiles(house: House, text: str) -> tuple[Tile, ...]:
    """The tiles of `text`, in order. Raises EventError for one that does not exist or is not in the game."""
    try:
        tiles = parse_tiles(text)
    except NotationError as problem:
        raise EventError(messages.PROBLEM, problem=problem) from None
    for tile in tiles:
        if not house.copies[tile.index]:
            raise EventError(messages.NOT_IN_GAME, tile=tile.code, rules=house.rules.title)
    return tiles


def check_discardable(house: House, tile: Tile) -> None:
    """EventError for a flower, which nobody discards."""
    if tile.index >= 34:
        raise EventError(messages.FLOWER_DISCARDED, tile=tile.code, ruling=house.policy.flowers.ruling)


def record_visible(house: House, known: bytes, tile: Tile) -> bytes:
    """`known` with one more of that kind; EventError if all are known already."""
    index = tile.index
    found = known[index]
    if found >= house.copies[index]:
        raise EventError(messages.ONE_TOO_MANY, tile=tile.code, copies=house.copies[index])
    return known[:index] + _BYTES[found + 1] + known[index + 1 :]


def add_tile(player: Player, tile: Tile | None) -> Player:
    """The player with one concealed tile more."""
    if tile is None:
        return changed(player, hidden=player.hidden + 1)
    return changed(player, concealed=(*player.concealed, tile))


def remove_tiles(house: House, hand: HandState, seat: int, tiles: Iterable[Tile]) -> tuple[Player, bytes]:
    """The player without these concealed tiles, and `known` with those that were hidden until now.

    A tile is one of the known ones if there is one of its kind: of what is known that much stays sure.
    EventError if the player does not have them.
    """
    player, known = hand.players[seat], hand.known
    concealed, hidden = player.concealed, player.hidden
    for tile in tiles:
        if tile in concealed:
            at = concealed.index(tile)
            concealed = concealed[:at] + concealed[at + 1 :]
        elif hidden:
            hidden -= 1
            known = record_visible(house, known, tile)
        else:
            raise EventError(messages.NOT_HELD, seat=seat, tile=tile.code)
    return changed(player, concealed=concealed, hidden=hidden), known


def draw_unseen(hand: HandState, seat: int) -> tuple[Player, bytes]:
    """The player without a concealed tile that nobody saw, and `known`.

    Which tiles are left nobody can say: all of them count as hidden from now on.
    """
    known = bytearray(hand.known)
    player = hide_tiles(hand.players[seat], known)
    return changed(player, hidden=player.hidden - 1), bytes(known)


def hide_tiles(player: Player, known: bytearray) -> Player:
    """The player with concealed tiles that are counted only; they are taken out of `known`."""
    for tile in player.concealed:
        known[tile.index] -= 1
    return changed(player, concealed=(), hidden=player.count)


def put(hand: HandState, seat: int, player: Player) -> tuple[Player, Player, Player, Player]:
    """The four players, with `player` on that seat."""
    a, b, c, d = hand.players
    if seat == 0:
        return player, b, c, d
    if seat == 1:
        return a, player, c, d
    return (a, b, player, d) if seat == 2 else (a, b, c, player)


def holds(player: Player, tile: Tile, count: int) -> bool:
    """Whether the player may hold `count` tiles of a kind: hidden tiles may be any."""
    return player.concealed.count(tile) + player.hidden >= count


def find_flower(player: Player) -> Tile | None:
    """A flower among the concealed tiles that are known."""
    for tile in player.concealed:
        if tile.index >= 34:
            return tile
    return None


def real_tiles(house: House, hand: HandState, meld: Meld) -> tuple[Tile, ...]:
    """The tiles that lie there: in a chow the substitute of the wild kind in its place."""
    fortune = hand.fortune
    if fortune is None or meld.kind is not MeldKind.CHOW or fortune not in meld.tiles:
        return meld.tiles
    wild = house.wild(fortune)
    if wild is None or wild.substitute is None:
        return meld.tiles
    return tuple(wild.substitute if tile is fortune else tile for tile in meld.tiles)


def find_waits(house: House, hand: HandState, player: Player) -> tuple[Tile, ...]:
    """The kinds that a player waits for whose concealed tiles, one short of a win, are known."""
    melds = [laid.meld for laid in player.melds if laid.meld is not None]
    return waits(house.rules, player.concealed, melds, house.scoring, hand.fortune)


def begin_dealers_turn(state: State, hand: HandState, seat: int) -> HandState:
    """The hand with the dealer's turn begun, where it still was in the flowers of the deal.

    EventError unless that may be: all flowers are out and replaced, and it is the dealer who acts.
    """
    if hand.phase is not Phase.FLOWERS:
        return hand
    dealer = hand.deal.dealer
    if hand.owed:
        raise EventError(messages.REPLACES_FIRST, seat=seat, right=hand.turn)
    for place, player in enumerate(hand.players):
        flower = find_flower(player)
        if flower is not None:
            raise EventError(
                messages.HAS_A_FLOWER, seat=place, tile=flower.code, ruling=state.house.policy.flowers.ruling
            )
    if seat != dealer:
        raise EventError(messages.NOT_ON_TURN, seat=seat, right=dealer)
    return changed(hand, phase=Phase.TURN, turn=dealer, drew=True, replaced=False, offer=None)


def check_turn(state: State, hand: HandState, seat: int) -> HandState:
    """The hand, if it is this player's turn to act; otherwise an EventError explains."""
    hand = begin_dealers_turn(state, hand, seat)
    if hand.phase is not Phase.TURN:
        ruling = state.house.policy.sea.ruling if hand.phase is Phase.SEA else ""
        raise EventError(messages.NOT_NOW[hand.phase], seat=hand.turn, ruling=ruling)
    if seat != hand.turn:
        raise EventError(messages.NOT_ON_TURN, seat=seat, right=hand.turn)
    return hand


SOURCES = {
    OfferKind.DISCARD: Source.DISCARD,
    OfferKind.ADDED_KONG: Source.ROBBED_KONG,
    OfferKind.CONCEALED_KONG: Source.ROBBED_KONG,
    OfferKind.FLOWER: Source.ROBBED_KONG,
}
"""Source of the winning tile, by the kind of offer."""


def make_moment(hand: HandState, seat: int, source: Source) -> Moment:
    """The circumstances of a win that this player would declare now, on a tile from there."""
    player = hand.players[seat]
    return Moment(
        by_dealer=seat == hand.deal.dealer,
        source=source,
        replacement=source is Source.SELF_DRAW and hand.replaced,
        discards=hand.discards,
        claims=hand.claims,
        kongs=sum([laid.kind is MeldKind.KONG_CONCEALED for p in hand.players for laid in p.melds]),
        draws=player.draws,
        live_left=hand.wall.live_left,
        sea=hand.phase is Phase.SEA,
        ready=player.ready,
    )
