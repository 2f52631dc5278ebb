"""What the declarations of several games share: questions about a win, a reading or who pays, and what
situations require."""

from __future__ import annotations

from collections.abc import Callable, Collection

from companion.rules import messages
from companion.rules.hand import Group
from companion.rules.rule_set import PLUS, TIMES, Demand, Need, Sign
from companion.rules.win import HandReading, Options, Source, Win
from companion.tiles import MeldKind, Tile


def count_once(win: Win, reading: HandReading) -> int:
    """Once: for rows that shape, situation or outline decide."""
    return 1


def at_setting(key: str, number: int) -> Callable[[Win, HandReading], int]:
    """Once, where that house option has that number."""
    return lambda win, reading: int(win.number(key) == number)


def pay_once(win: Win, payer: int) -> int:
    """Once: for rows of a payer that the outline of the debt decides."""
    return 1


def is_half_flush(win: Win, reading: HandReading) -> int:
    """Whether the tiles are of one suit, and honours."""
    return int(win.suits_held == 1 and win.sizes[3] > 0)


def count_concealed_kongs(win: Win, reading: HandReading) -> int:
    """How many concealed kongs there are."""
    return sum([meld.kind is MeldKind.KONG_CONCEALED for meld in win.melds])


def count_own_flowers(win: Win) -> int:
    """How many flowers and seasons are those of the winner's seat."""
    flowers = win.request.flowers
    if not flowers:
        return 0
    seat = win.request.seat
    return sum([(flower.rank - 1) % 4 == seat for flower in flowers])


def count_flower_sets(win: Win) -> int:
    """How many of the two sets the winner has: all four flowers, all four seasons."""
    seasons = sum([flower.rank > 4 for flower in win.request.flowers])
    return (len(win.request.flowers) - seasons == 4) + (seasons == 4)


def is_won_on_pair(reading: HandReading) -> bool:
    """Whether the winning tile completed a pair."""
    return reading.won is not None and reading.won.is_pair


def count_pungs_of(reading: HandReading, kinds: Collection[Tile]) -> int:
    """How many pungs and kongs are of these kinds."""
    return sum([g.tile in kinds for g in reading.pungs])


def has_pair_of(reading: HandReading, kinds: Collection[Tile]) -> bool:
    """Whether the pair of a standard hand is of these kinds."""
    return len(reading.pairs) == 1 and reading.pairs[0].tile in kinds


def find_straight(reading: HandReading) -> tuple[Group, ...]:
    """Sequences 123, 456, 789 of one suit, in this order; nothing if there are none."""
    if len(reading.sequences) >= 3:
        by_start = {g.tile.index: g for g in reading.sequences}
        for first in (0, 9, 18):
            if first in by_start and first + 3 in by_start and first + 6 in by_start:
                return by_start[first], by_start[first + 3], by_start[first + 6]
    return ()


def count_quads_in_pairs(reading: HandReading) -> int | None:
    """How many kinds seven pairs hold four times; None for another shape."""
    if reading.shape != "seven_pairs":
        return None
    return len(reading.groups) - len({g.tile for g in reading.groups})


def add_rows(options: Options) -> Sign:
    """Whatever the house options, the rows of a hand are added up."""
    return PLUS


def multiply_rows(options: Options) -> Sign:
    """Whatever the house options, the rows of a hand are multiplied."""
    return TIMES


def all_others(win: Win) -> tuple[int, ...]:
    """Every seat that plays but the winner's."""
    winner = win.request.winner
    return tuple([seat for seat in win.seats if seat != winner])


def loser_or_all_others(win: Win) -> tuple[int, ...]:
    """Who discarded the tile or whose kong was robbed; on a self-draw every seat but the winner's."""
    discarder = win.request.discarder
    return all_others(win) if discarder is None else (discarder,)


SELF_DRAWN = Need(lambda request: request.source is Source.SELF_DRAW, messages.NEEDS_SELF_DRAW)
NOT_ROBBED = Need(lambda request: request.source is not Source.ROBBED_KONG, messages.NEEDS_NO_ROBBING)
BY_THE_DEALER = Need(lambda request: request.winner == request.dealer, messages.NEEDS_DEALER)
NOT_BY_THE_DEALER = Need(lambda request: request.winner != request.dealer, messages.NEEDS_NO_DEALER)
NO_MELDS = Need(lambda request: not request.melds, messages.NEEDS_NO_MELDS)
WITH_A_KONG = Need(lambda request: any(meld.kind.is_kong for meld in request.melds), messages.NEEDS_KONG)
WITH_A_KONG_OR_FLOWER = Need(
    lambda request: bool(request.flowers) or not request.flowers_known or WITH_A_KONG.holds(request),
    messages.NEEDS_KONG_OR_FLOWER,
)
ON_THE_DEALERS_DISCARD = Need(
    lambda request: request.source is Source.DISCARD and request.discarder == request.dealer,
    messages.NEEDS_DEALERS_DISCARD,
)
NO_FLOWERS_WITHOUT = Demand(
    "flowers", lambda request: not request.flowers or request.on("flowers"), messages.NO_FLOWERS_IN_PLAY
)
"""Refuses flowers if the house option flowers is false."""
