"""Two published programs for Japanese mahjong, asked the same questions: `mahjong` and `xiangting` of PyPI.

Only where they are installed: the program itself needs neither. Their game differs: seven pairs must be of
seven different kinds, and a hand's value is another table.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from companion.rules import ScoreRequest, Source
from companion.tiles import Meld, MeldKind, Tile, counts

Question = Callable[[Any], object]


def of_34(tiles: tuple[Tile, ...]) -> list[int]:
    """How many of each kind but flowers, in the order that both programs have too."""
    return counts(tiles)[:34]


def installed() -> dict[str, str]:
    """Those that are there, with their version."""
    found = {}
    for name in ("mahjong", "xiangting"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def win_checks() -> dict[str, Question]:
    """By program: whether 34 counts of a finished hand without melds are a win."""
    found: dict[str, Question] = {}
    if "mahjong" in installed():
        from mahjong.agari import Agari

        found["mahjong"] = Agari.is_agari
    if "xiangting" in installed():
        from xiangting import PlayerCount, calculate_replacement_number

        found["xiangting"] = lambda hand: calculate_replacement_number(hand, PlayerCount.FOUR) == 0
    return found


def shantens() -> dict[str, Question]:
    """By program: how many tiles 34 counts are from ready."""
    found: dict[str, Question] = {}
    if "mahjong" in installed():
        from mahjong.shanten import Shanten

        found["mahjong"] = Shanten.calculate_shanten
    if "xiangting" in installed():
        from xiangting import PlayerCount, calculate_replacement_number

        found["xiangting"] = lambda hand: calculate_replacement_number(hand, PlayerCount.FOUR) - 1
    return found


def hand_values() -> dict[str, Question]:
    """By program: the value of a win, as `as_riichi` writes it."""
    if "mahjong" not in installed():
        return {}
    from mahjong.hand_calculating.hand import HandCalculator

    return {"mahjong": lambda win: HandCalculator.estimate_hand_value(*win)}


def as_riichi(request: ScoreRequest) -> tuple[object, ...]:
    """A win as `mahjong` takes it: tiles, winning tile, melds, no bonus tiles, what is known of it."""
    from mahjong.constants import EAST
    from mahjong.hand_calculating.hand_config import HandConfig

    assert request.winning_tile is not None
    used = [0] * 34

    def take(tile: Tile) -> int:
        used[tile.index] += 1
        return 4 * tile.index + used[tile.index] - 1

    melds = [_riichi_meld(meld, [take(tile) for tile in meld.tiles]) for meld in request.melds]
    hand = [take(tile) for tile in request.hand]
    last = hand[request.hand.index(request.winning_tile)]
    config = HandConfig(
        is_tsumo=request.source is Source.SELF_DRAW,
        is_chankan=request.source is Source.ROBBED_KONG,
        player_wind=EAST + (request.winner - request.dealer) % 4,
        round_wind=request.round_wind.index,
    )
    return [*hand, *(tile for meld in melds for tile in meld.tiles)], last, melds, None, config


def _riichi_meld(meld: Meld, tiles: list[int]) -> Any:
    from mahjong.meld import Meld as RiichiMeld

    kinds = {MeldKind.CHOW: RiichiMeld.CHI, MeldKind.PUNG: RiichiMeld.PON}
    return RiichiMeld(
        kinds.get(meld.kind, RiichiMeld.KAN), tiles, opened=meld.kind is not MeldKind.KONG_CONCEALED
    )
