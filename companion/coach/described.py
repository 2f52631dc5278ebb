"""A position described by a request for advice: the table's state as one seat sees it.

A description may leave discards out. How much of the hand was played follows from the tiles on the table, the
order of turns and the tiles left, each of which sets a minimum.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.coach import messages
from companion.coach.seen import SeatView, observe
from companion.coach.value.choices import is_ready
from companion.errors import CompanionError, RequestError, list_names, quote
from companion.rules.hand import WINDS
from companion.rules.kinds import NUMBER_MAX, HouseOptionsKind, NumberKind, StakesKind, StreakKind, WindKind
from companion.rules.play import Replacements
from companion.rules.request import find_rules
from companion.rules.win import Stakes
from companion.table.apply import apply
from companion.table.events import GameStarted
from companion.table.house import House
from companion.table.state import Deal, HandState, Laid, Offer, OfferKind, Phase, Player, State, changed
from companion.table.wall import Wall
from companion.tiles import Meld, MeldKind, Suit, Tile, parse_meld, parse_tiles


class PlayedSoFar(NamedTuple):
    """discards, claims: how many were made by all. draws: how many tiles the seat drew after the deal, if
    nothing was claimed."""

    discards: int
    claims: int
    draws: int


def estimate_played(
    house: House, dealer: int, players: Sequence[Player], seat: int, discarder: int | None, left: int | None
) -> PlayedSoFar:
    """What was played before the decision of that seat.

    discarder: who discarded the tile on offer, None on the player's own turn. left: tiles left to draw, None
    if unknown. Where it is unknown, and discards are missing, the hand is assumed to be a round later, so
    that no win of the first round is guessed.
    """
    every = [meld for player in players for meld in player.melds]
    claims = sum(meld.kind is not MeldKind.KONG_CONCEALED for meld in every)
    shown = claims + sum(len(player.discards) for player in players)
    turns = list_turns(house, dealer)
    made = shown if claims else max(shown, _count_by_turns(turns, players, seat, discarder))
    if left is not None:
        replaced = sum(len(player.flowers) for player in players) + sum(meld.kind.is_kong for meld in every)
        drawn = _count_dealt(house, dealer, replaced) - left
        made = max(made, drawn + claims + (discarder is not None))
    elif made > shown:
        made += len(turns)
    begun = sum(turns[number % len(turns)] == seat for number in range(made)) + (discarder is None)
    return PlayedSoFar(made, claims, max(0, begun - (seat == dealer)))


def list_turns(house: House, dealer: int) -> list[int]:
    """The seats that play, in the order of their turns."""
    turns = [dealer]
    while (after := house.following[turns[-1]]) != dealer:
        turns.append(after)
    return turns


def _count_by_turns(turns: Sequence[int], players: Sequence[Player], seat: int, discarder: int | None) -> int:
    """The least number of discards, if nothing was claimed."""
    least = [
        (len(players[each].discards) - 1) * len(turns) + place + 1
        for place, each in enumerate(turns)
        if players[each].discards
    ]
    if discarder is None:
        least.append(len(players[seat].discards) * len(turns) + turns.index(seat))
    return max(least, default=0)


def _count_dealt(house: House, dealer: int, replaced: int) -> int:
    """The tiles that the deal leaves to draw; `replaced` replacements were drawn since."""
    dealt = len(house.seats) * house.rules.hand_size + 1
    if house.wall.replacements is not Replacements.DEAD_WALL:
        dealt += replaced
    return Wall.break_by_dice(house.wall, dealer, None).live_left - dealt


FIELDS = (
    "rules", "options", "seat", "dealer", "hand", "melds", "rivers", "flowers", "seen", "fortune", "left",
    "streak", "round_wind", "offer", "ready", "stakes", "level",
)  # fmt: skip
HIDDEN_KONG = "K"
"""Stands for a concealed kong of unknown tiles in a list of melds."""
UNKNOWN = "?"
_PIECES = re.compile(r"\?|[^?]+")
FOUR = range(4)
MELDED_SHARE = 0.2
"""The share of all open tiles that opponents no more hold in their hands because of claims: no draw
belongs to them. 0.16 to 0.25 in 40 hands of built-in players of each game, early in a hand and late."""


class _OpenTiles(NamedTuple):
    """Open tiles of no known player. unread: the number of others that nobody named."""

    tiles: tuple[Tile, ...] = ()
    unread: int = 0

    @property
    def size(self) -> int:
        return len(self.tiles) + self.unread


def describe_position(request: Mapping[str, Any]) -> SeatView:
    """The seat's view of the requested position; RequestError names the field that is wrong."""
    for name in request:
        if name not in FIELDS:
            allowed = list_names(name, FIELDS)
            raise RequestError(messages.UNKNOWN_FIELD, field=str(name), given=quote(name), allowed=allowed)
    rules = find_rules(request)
    if "hand" not in request:
        raise RequestError(messages.MISSING, field="hand", allowed="the concealed tiles of the seat")
    options = request.get("options", {})
    if not isinstance(options, Mapping):
        HouseOptionsKind().decode("options", options, rules)
    stakes = StakesKind().decode("stakes", request.get("stakes"), rules)
    state = _start(rules.name, options, stakes)
    house = state.house
    seat = read_seat(request.get("seat", 0), "seat", house.seats)
    dealer = read_seat(request.get("dealer", 0), "dealer", house.seats)
    streak = StreakKind(0, NUMBER_MAX).decode("streak", request.get("streak", rules.streak_default), rules)
    wind = WindKind().decode("round_wind", request.get("round_wind", "east"), rules)
    fortune = _read_fortune(house, request.get("fortune"))
    open_tiles = _read_seen(house, request.get("seen", ""), fortune)
    hand = _make_hand(house, request, seat, Deal(dealer, streak or 0, WINDS.index(wind)), fortune, open_tiles)
    calls_known = None if request.get("ready") is None else True
    seen = observe(
        changed(state, hand=hand, deal=hand.deal), seat, calls_known=calls_known, unread=open_tiles.unread
    )
    if seen.player.ready and not seen.player.hidden and not is_ready(seen):
        raise RequestError(messages.NOT_READY, field="ready", seat=seat)
    return seen


def read_seat(value: object, field: str, seats: Iterable[int] = FOUR) -> int:
    """The seat; RequestError if it does not exist, or sits out."""
    if isinstance(value, bool) or not isinstance(value, int) or value not in FOUR:
        raise RequestError(messages.WRONG_TYPE, field=field, allowed="a seat, 0 to 3", value=quote(value))
    if value not in seats:
        allowed = ", ".join(map(str, seats))
        raise RequestError(messages.SITS_OUT, field=field, seat=value, allowed=allowed)
    return value


def _start(rules: str, options: Mapping[str, Any], stakes: Stakes) -> State:
    try:
        return apply(None, GameStarted(rules=rules, options=dict(options), stakes=stakes))
    except CompanionError as problem:
        raise RequestError(messages.UNREADABLE, field="options", problem=problem) from None


def _make_hand(
    house: House,
    request: Mapping[str, Any],
    seat: int,
    deal: Deal,
    fortune: Tile | None,
    open_tiles: _OpenTiles,
) -> HandState:
    own, unknown = _read_tiles(house, "hand", request["hand"])
    melds = [_read_melds(house, each) for each in read_four(request, "melds", [])]
    rivers = [_read_river(house, each) for each in read_four(request, "rivers", [])]
    flowers = [_read_flowers(house, each) for each in read_four(request, "flowers", "")]
    for each, own_melds in enumerate(melds):
        if len(own_melds) > house.rules.sets:
            raise RequestError(
                messages.TOO_MANY_MELDS, field="melds", seat=each, found=len(own_melds),
                rules=house.rules.title, allowed=house.rules.sets,
            )  # fmt: skip
    ready = _read_ready(house, request.get("ready"))
    offer = _read_offer(house, request.get("offer"), rivers, seat)
    between = house.rules.hand_size - 3 * len(melds[seat])
    size = len(own) + unknown
    if size != between + (offer is None):
        raise RequestError(
            messages.WRONG_SIZE, field="hand", found=size, melds=len(melds[seat]), turn=between + 1,
            waiting=between,
        )  # fmt: skip
    players = [
        Player(
            concealed=own if each == seat else (),
            hidden=unknown if each == seat else house.rules.hand_size - 3 * len(melds[each]),
            melds=tuple(melds[each]),
            flowers=tuple(flowers[each]),
            discards=tuple(rivers[each]),
            discarded=len(rivers[each]),
            ready=house.policy.ready.situation if each in ready else None,
        )
        if each in house.seats
        else Player()
        for each in FOUR
    ]
    known = _count_known(house, own, melds, rivers, flowers, fortune, open_tiles.tiles)
    others_meld = any(melds[each] for each in FOUR if each != seat)
    drawn = open_tiles.size if others_meld else round(open_tiles.size * (1 - MELDED_SHARE))
    wall = _make_wall(house, deal.dealer, request.get("left"), players, drawn)
    known_left = wall.live_left if open_tiles.size or request.get("left") is not None else None
    discarder = None if offer is None else offer.seat
    played = estimate_played(house, deal.dealer, players, seat, discarder, known_left)
    turns = played.draws - (seat != deal.dealer) if offer is None else 0
    discarded = max(players[seat].discarded, turns)  # without one a call of ready is that of the dealt hand
    players[seat] = changed(players[seat], draws=played.draws, discarded=discarded)
    a, b, c, d = players
    return HandState(
        phase=Phase.TURN if offer is None else Phase.CLAIM,
        deal=deal,
        dice=None,
        wall=wall,
        players=(a, b, c, d),
        turn=seat if offer is None else house.following[offer.seat],
        known=known,
        booked=0,
        seated=(0, 1, 2, 3),
        offer=offer,
        drew=offer is None,
        discards=played.discards,
        claims=played.claims,
        fortune=fortune,
    )


def read_four(request: Mapping[str, Any], field: str, empty: object) -> list[Any]:
    """The four values of a field by seat; RequestError if there are not four."""
    given = request.get(field, [empty] * 4)
    if not isinstance(given, list) or len(given) != 4:
        raise RequestError(
            messages.WRONG_TYPE, field=field, allowed="a list of four, by seat", value=quote(given)
        )
    return given


def _read_tiles(house: House, field: str, text: object) -> tuple[tuple[Tile, ...], int]:
    """The tiles of a text, or of a list of codes, and how many are "?"."""
    if isinstance(text, list) and all(isinstance(each, str) for each in text):
        text = " ".join(text)
    if not isinstance(text, str):
        allowed = 'tiles as text, as "234m55z", or a list of codes'
        raise RequestError(messages.WRONG_TYPE, field=field, allowed=allowed, value=quote(text))
    try:
        tiles = parse_tiles(text.replace(UNKNOWN, " "))
    except CompanionError as problem:
        raise RequestError(messages.UNREADABLE, field=field, problem=problem) from None
    for tile in tiles:
        if not house.copies[tile.index]:
            raise RequestError(
                messages.NOT_IN_GAME, field=field, tile=quote(tile.code), rules=house.rules.title
            )
        if field not in ("flowers", "seen") and tile.suit is Suit.FLOWERS:
            raise RequestError(messages.NOT_DISCARDED, field=field, tile=quote(tile.code))
        if field == "flowers" and tile.suit is not Suit.FLOWERS:
            raise RequestError(messages.NO_FLOWER, field=field, tile=quote(tile.code))
    return tiles, text.count(UNKNOWN)


def _read_river(house: House, given: object) -> list[Tile | None]:
    pieces = [given] if isinstance(given, str) else given
    if not isinstance(pieces, list) or not all(isinstance(piece, str) for piece in pieces):
        raise RequestError(
            messages.WRONG_TYPE, field="rivers", allowed="a list of tiles for each seat", value=quote(given)
        )
    found: list[Tile | None] = []
    for piece in _PIECES.findall(" ".join(pieces)):
        found += [None] if piece == UNKNOWN else _read_tiles(house, "rivers", piece)[0]
    return found


def _read_melds(house: House, given: object) -> list[Laid]:
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise RequestError(
            messages.WRONG_TYPE, field="melds", allowed="a list of melds for each seat", value=quote(given)
        )
    found = []
    for text in given:
        if text.strip() == HIDDEN_KONG:
            found.append(Laid(None, None))
            continue
        try:
            meld = parse_meld(text)
        except CompanionError as problem:
            raise RequestError(messages.UNREADABLE, field="melds", problem=problem) from None
        _check_meld(house, meld)
        found.append(Laid(meld, None))
    return found


def _check_meld(house: House, meld: Meld) -> None:
    if meld.kind not in house.melds:
        raise RequestError(
            messages.WRONG_TYPE, field="melds", value=quote(str(meld)),
            allowed="melds that this table has (" + ", ".join(house.melds) + ")",
        )  # fmt: skip
    _read_tiles(house, "melds", str(meld)[1:])


def _read_flowers(house: House, given: object) -> tuple[Tile, ...]:
    return _read_tiles(house, "flowers", given)[0]


def _read_seen(house: House, given: object, fortune: Tile | None) -> _OpenTiles:
    """Other open tiles. One of the wild kind is the indicator, which is counted anyway."""
    tiles, unread = _read_tiles(house, "seen", given)
    wild = None if fortune is None else house.wild(fortune)
    if wild is not None and wild.tile in tiles and wild.copies < house.copies[wild.tile.index]:
        at = tiles.index(wild.tile)
        tiles = tiles[:at] + tiles[at + 1 :]
    return _OpenTiles(tiles, unread)


def _read_fortune(house: House, given: object) -> Tile | None:
    if given is None:
        if "fortune" in house.rules.uses and house.wild(None) is None and house.wall.indicator_dice:
            raise RequestError(messages.MISSING, field="fortune", allowed="the kind that is wild")
        wild = house.wild(None)
        return None if wild is None else wild.tile
    tiles = _read_tiles(house, "fortune", given)[0]
    if len(tiles) != 1 or "fortune" not in house.rules.uses:
        raise RequestError(
            messages.WRONG_TYPE, field="fortune", value=quote(given),
            allowed="one tile" if len(tiles) != 1 else f"null in {house.rules.title}",
        )  # fmt: skip
    return tiles[0]


def _read_ready(house: House, given: object) -> list[int]:
    """The seats that have called ready."""
    if given is None:
        return []
    if not isinstance(given, list):
        raise RequestError(
            messages.WRONG_TYPE, field="ready", allowed="a list of seats, as [2]", value=quote(given)
        )
    if given and not house.policy.ready.declared:
        raise RequestError(
            messages.WRONG_TYPE, field="ready", allowed=f"empty in {house.rules.title}", value=quote(given)
        )
    return [read_seat(seat, "ready", house.seats) for seat in given]


def _read_offer(house: House, given: object, rivers: list[list[Tile | None]], seat: int) -> Offer | None:
    """The discard on offer: {"tile": "7m", "from": 2}, the last in that river."""
    if given is None:
        return None
    if not isinstance(given, Mapping) or given.keys() != {"tile", "from"}:
        raise RequestError(
            messages.WRONG_TYPE,
            field="offer",
            allowed='null or {"tile": "7m", "from": 2}',
            value=quote(given),
        )
    discarder = read_seat(given["from"], "offer.from", house.seats)
    tiles = _read_tiles(house, "offer", given["tile"])[0]
    if discarder == seat:
        raise RequestError(messages.OWN_OFFER, field="offer")
    if len(tiles) != 1 or not rivers[discarder] or rivers[discarder][-1] is not tiles[0]:
        raise RequestError(messages.NOT_THE_LAST, field="offer", tile=quote(given["tile"]), seat=discarder)
    return Offer(OfferKind.DISCARD, discarder, tiles[0])


def _count_known(
    house: House,
    own: tuple[Tile, ...],
    melds: list[list[Laid]],
    rivers: list[list[Tile | None]],
    flowers: list[tuple[Tile, ...]],
    fortune: Tile | None,
    open_tiles: tuple[Tile, ...],
) -> bytes:
    melded = [tile for each in melds for meld in each if meld.meld for tile in meld.meld.tiles]
    known = [0] * len(house.copies)
    parts: tuple[tuple[str, list[Tile]], ...] = (
        ("hand", list(own)),
        ("melds", melded),
        ("rivers", [tile for river in rivers for tile in river if tile is not None]),
        ("flowers", [tile for each in flowers for tile in each]),
        ("seen", list(open_tiles)),
    )
    wild = None if fortune is None else house.wild(fortune)
    if wild is not None:
        known[wild.tile.index] = house.copies[wild.tile.index] - wild.copies
    for field, tiles in parts:
        for tile in tiles:
            known[tile.index] += 1
            if known[tile.index] > house.copies[tile.index]:
                raise RequestError(
                    messages.TOO_MANY_COPIES, field=field, tile=quote(tile.code), found=known[tile.index],
                    copies=house.copies[tile.index],
                )  # fmt: skip
    return bytes(known)


def _make_wall(house: House, dealer: int, left: object, players: list[Player], drawn: int) -> Wall:
    """The wall after this number of draws, in addition to the tiles in front of the players."""
    whole = Wall.break_by_dice(house.wall, dealer, None)
    gone = drawn + sum(
        player.count + len(player.discards) + len(player.flowers)
        + sum(3 + laid.kind.is_kong for laid in player.melds)
        for player in players
    )  # fmt: skip
    most = whole.live_left - sum(player.count for player in players)
    if isinstance(left, int) and left > most:
        raise RequestError(messages.TOO_MANY_LEFT, field="left", allowed=most, value=quote(left))
    number = NumberKind(0, most).decode("left", left, house.rules) if left is not None else None
    if number is None:
        number = max(0, whole.live_left - gone)
    return whole.draw(whole.live_left - number)
