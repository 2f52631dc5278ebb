"""The chance that a discard deals in, from what opponents show, and what it costs.

A logistic model of signs that everybody sees, fitted to discards in simulated hands (`lab.bench.danger`):
each sign adds its weight to the logarithm of the odds. Built-in players collect no suit, but people do: an
assumption, not a count, moves danger from the other suits to the suit of an opponent's melds, and adds none.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from companion.coach.seen import SeatView, count_left
from companion.coach.value.chances import STAGES, find_stage, sort_kind
from companion.coach.value.distances import RANKS
from companion.rules import rule_set, score
from companion.rules.request import decode_request
from companion.rules.win import Options
from companion.table.house import House
from companion.tiles import KINDS, MeldKind, Suit, Tile

COLLECTOR_SHARE = 0.15
"""The share of hands played for one suit where that pays any number of times more. Among coaches, who do
so where it pays, 4 of 50 hands with two melds of one suit had all but one tile of it, and 3 of 8 with
three (60 hands of Hong Kong): fewer than this share implies, since people are assumed to do so more often."""
COLLECTOR_RATIO = 2.0
"""Chance of a collector to win on a tile of the suit, relative to other players: it waits for three times as
many kinds of it, and is ready two thirds as often."""
SUITS = 3
MAX_PREMIUM = 10.0
"""Also used where a hand of three suits is not allowed to win."""
ONE_SUIT = ("p222s", "p444s"), "567678s33s", "345s"
MIXED = ("p222m", "p444p"), "567678s33s", "345m"
"""The same hand in one suit and in three: its melds, its concealed tiles, and those of a fifth set."""


def find_collector_share(house: House, melds: int) -> float:
    """The chance that an opponent collects the one suit of all its melds, honours aside: without intention
    each meld after the first is of that suit once in three times."""
    share = COLLECTOR_SHARE * (1 - 1 / find_flush_premium(house))
    return share / (share + (1 - share) * (1 / SUITS) ** max(0, melds - 1))


def find_flush_premium(house: House) -> float:
    """How many times as much a hand of one suit pays as the same hand in three, at least 1."""
    named = (
        "fortune" in house.rules.uses and house.wild(None) is None and house.wall.indicator_dice is not None
    )
    return _find_flush_premium(
        house.rules.name, tuple(sorted(house.scoring.items())), "1m" if named else None
    )


@cache
def _find_flush_premium(rules: str, options: tuple[tuple[str, int], ...], fortune: str | None) -> float:
    one, mixed = (_pay(rules, dict(options), fortune, *hand) for hand in (ONE_SUIT, MIXED))
    return min(MAX_PREMIUM, max(1.0, one / mixed)) if mixed else MAX_PREMIUM


def _pay(
    rules: str, options: Options, fortune: str | None, melds: tuple[str, ...], hand: str, fifth: str
) -> float:
    """What all players pay for the hand, self-drawn; 0 if it does not win at this table."""
    more = fifth if rule_set(rules).sets > len(melds) + 2 else ""
    request = {
        "rules": rules, "options": options, "melds": list(melds), "hand": hand + more, "winning_tile": "8s",
        "winner": 1, "source": "self_draw", "fortune": fortune,
    }  # fmt: skip
    result = score(decode_request(request), house_rules=False)
    return float(result.payments[1]) if result.legal else 0.0


TABLE = Path(__file__).with_name("danger_table.json")
DEFERRED_DANGER_TABLE = Path(__file__).with_name("deferred_danger_table.json")
DISCARDED, LET_PASS = 2, 3
MIN_DISCARDS = 4
BLOCKING_COPIES = 3
"""Visible copies of a kind that make chows with it unlikely."""
MAX_CHANCE = 0.9
READY_HAND_WAITS = 1.7
"""The mean number of kinds that can still come for which a ready hand waits: 1.4 to 1.7 in hands of
built-in players of Hong Kong and Taiwanese, by melds."""
FLUSH_MELDS, ONE_SUIT_MELDED = 2, 2
"""Melds of one suit, or of honours, after which a player is assumed to collect it; the sign for that."""


class Signs(NamedTuple):
    """The signs of how dangerous a tile is for one opponent.

    stage: how far the wall is used up, 0 to 4. melds: claimed melds, 3 for more. ready: a declared ready
    hand. kind: 0 honour, 1 one or nine, 2 two or eight, 3 between. visible: copies that the player sees.

    passed: 3 where the opponent let one pass since it called ready, 2 if it discarded one before, 1 if
    it let one pass since the player's last turn, else 0. suited: 2 if all melds are of the suit, 0 if
    the opponent discarded that suit most, else 1.

    blocked: of the neighbouring kinds that a chow would need, those with three visible copies, 2 for more.
    across: of the kinds three ranks away, those that the opponent discarded. flush_melds: the melds, from two
    up, where all are of the tile's suit or honours and the opponent does not discard that suit most; else 0.
    calls_known: whether a call of ready would be known.
    """

    stage: int
    melds: int
    ready: bool
    kind: int
    visible: int
    passed: int
    suited: int
    blocked: int = 0
    across: int = 0
    flush_melds: int = 0
    calls_known: bool = True

    @property
    def shown(self) -> str:
        """The signs of how much the opponent's hand is worth."""
        return f"{self.melds} {int(self.ready)} {self.suited}"

    def list_names(self) -> tuple[str, ...]:
        """The names of the weights of these signs."""
        ready = int(self.ready)
        return (
            "all",
            f"stage {self.stage} {ready}",
            f"melds {self.melds} {ready}",
            f"tile {self.kind}{self.visible}",
            f"passed {self.passed} {ready}",
            f"suited {self.suited} {min(2, self.melds)}",
            f"blocked {self.blocked} {int(self.kind > 0)}",
            f"across {self.across}",
        )


class Dangers:
    """The risk of every kind in one position. It remembers what opponents may collect: keep one for a
    turn."""

    def __init__(self, seen: SeatView) -> None:
        self.seen, self._house = seen, seen.state.house
        self._scales: dict[int, float] = {}

    def risk(self, tile: Tile) -> tuple[float, float]:
        """The chance that an opponent wins on a discard of that kind, and the mean payment then, at least
        0."""
        safe, expected, cost = 1.0, 0.0, 0.0
        for other in self._house.seats:
            if other != self.seen.seat:
                often, paid = self.predict(tile, other)
                safe *= 1 - often
                expected += often
                cost += often * self._house.count_at_stakes(paid)
        return 1 - safe, cost / max(expected, 1e-12)

    def predict(self, tile: Tile, other: int) -> tuple[float, float]:
        """The chance that the opponent in that seat wins on the tile, and the mean payment at the stakes
        of the rules."""
        signs = read_signs(self.seen, tile, other)
        if other not in self._scales:
            self._scales[other] = (
                self._find_scale(other) if signs.melds >= FLUSH_MELDS or signs.ready else 1.0
            )
        often, cost = predict_win(self._house, signs)
        return self._scales[other] * often, cost

    def _find_scale(self, other: int) -> float:
        """The factor for the chances of that opponent: over all kinds that can still come their sum is no
        more than the fitted one, nor than the number of kinds that a ready hand waits for. The assumption
        that it may collect a suit moves danger, and adds none."""
        every = [read_signs(self.seen, kind, other) for kind in _list_possible(self.seen)]
        fitted = sum(predict_chance(self._house.rules.name, signs) for signs in every)
        assumed = sum(predict_win(self._house, signs)[0] for signs in every)
        return min(1.0, min(READY_HAND_WAITS, fitted) / max(assumed, 1e-12))


def risk(seen: SeatView, tile: Tile) -> tuple[float, float]:
    """As `Dangers.risk`, of one kind."""
    return Dangers(seen).risk(tile)


def predict_win(house: House, signs: Signs) -> tuple[float, float]:
    """The chance that the opponent with these signs wins on the tile, and the mean payment, for that tile
    alone: `Dangers` scales the chances of all kinds.

    Where collecting a suit is paid for, a tile of the suit of the melds is no safer than an equally visible
    tile of another suit.
    """
    rules = house.rules.name
    often, cost = predict_chance(rules, signs), predict_cost(rules, signs)
    premium = find_flush_premium(house) if signs.flush_melds else 1.0
    if premium <= 1:
        return often, cost
    share, elsewhere = (
        find_collector_share(house, signs.flush_melds),
        predict_chance(rules, signs._replace(suited=1, blocked=0)),
    )
    collected, usual = share * COLLECTOR_RATIO * elsewhere, (1 - share) * often
    total = max(elsewhere, collected + usual)
    return min(MAX_CHANCE, total), cost * (1 + collected / max(total, 1e-12) * (premium - 1) / 2)


def deferred_danger_share(seen: SeatView) -> float:
    """The share, 0 to 1, of a tile's present danger that comes later where the tile is kept.

    For a hand that continues without needing the tile: a ready hand, or one given up, never has to discard
    it.
    """
    return _load_deferred_shares(seen.state.house.rules.name)[find_stage(seen)]


def predict_chance(rules: str, signs: Signs) -> float:
    """The chance that the opponent with these signs wins on the tile; 0 in a game without weights."""
    weights: dict[str, float] = _load_table(rules, signs)["weights"]
    if not weights:
        return 0.0
    return 1 / (1 + math.exp(-sum(weights.get(name, 0.0) for name in signs.list_names())))


def predict_cost(rules: str, signs: Signs) -> float:
    """The mean cost of dealing in to the opponent with these signs, at the stakes of the rules."""
    table = _load_table(rules, signs)
    return float(table.get("costs", {}).get(signs.shown, table["cost"]))


def read_signs(seen: SeatView, tile: Tile, other: int) -> Signs:
    """The signs of the opponent in that seat for a discard of that kind."""
    hand, player = seen.hand, seen.hand.players[other]
    melds = [laid.meld.tiles[0] for laid in player.melds if laid.meld is not None]
    claimed = sum(laid.kind is not MeldKind.KONG_CONCEALED for laid in player.melds)
    return Signs(
        stage=find_stage(seen),
        melds=min(3, claimed),
        ready=seen.calls_known and player.ready is not None,
        kind=sort_kind(tile),
        visible=min(4, hand.known[tile.index]),
        passed=_read_passed(seen, tile, other),
        suited=_read_suit(tile, melds, player.discards),
        blocked=min(
            2, sum(hand.known[kind] >= BLOCKING_COPIES for kind in _list_kinds(tile, (-2, -1, 1, 2)))
        ),
        across=sum(KINDS[kind] in player.discards for kind in _list_kinds(tile, (-3, 3))),
        flush_melds=_count_flush_melds(tile, melds, player.discards),
        calls_known=seen.calls_known,
    )


def _list_kinds(tile: Tile, apart: tuple[int, ...]) -> list[int]:
    """The kinds of the same suit at these distances in rank."""
    if tile.suit is Suit.HONORS:
        return []
    return [tile.index + step for step in apart if 1 <= tile.rank + step <= RANKS]


def _read_passed(seen: SeatView, tile: Tile, other: int) -> int:
    player = seen.hand.players[other]
    if player.rivers is not None and seen.calls_known:
        since = zip(seen.hand.players, player.rivers, strict=True)
        if any(tile in each.discards[before:] for each, before in since):
            return LET_PASS
    return DISCARDED if tile in player.discards else int(tile in _list_last(seen, other))


def _list_possible(seen: SeatView) -> list[Tile]:
    """The kinds that opponents may still win on: not all copies of them are open."""
    left = count_left(seen)
    own = set(seen.player.concealed)
    return [kind for kind in KINDS if kind.suit is not Suit.FLOWERS and (left[kind.index] or kind in own)]


def _list_last(seen: SeatView, other: int) -> list[Tile | None]:
    """The last discard of every player but that one: it has let them pass."""
    players = seen.hand.players
    return [players[seat].discards[-1] for seat in range(4) if seat != other and players[seat].discards]


def _count_flush_melds(tile: Tile, melds: list[Tile], discards: tuple[Tile | None, ...]) -> int:
    suits = {first.suit for first in melds if first.suit is not Suit.HONORS}
    if len(melds) < FLUSH_MELDS or suits != {tile.suit} or _is_discarded_most(tile, discards):
        return 0
    return len(melds)


def _read_suit(tile: Tile, melds: list[Tile], discards: tuple[Tile | None, ...]) -> int:
    suits = {first.suit for first in melds if first.suit is not Suit.HONORS}
    if len(melds) >= FLUSH_MELDS and len(suits) <= 1 and (not suits or tile.suit in suits):
        return ONE_SUIT_MELDED
    return 0 if _is_discarded_most(tile, discards) else 1


def _is_discarded_most(tile: Tile, discards: tuple[Tile | None, ...]) -> bool:
    own = sum(each is not None and each.suit is tile.suit for each in discards)
    return own * 2 > len(discards) >= MIN_DISCARDS


def _load_table(rules: str, signs: Signs) -> dict[str, Any]:
    """The table for discards with known, or unknown, calls of ready."""
    table = _load(rules)
    return table if signs.calls_known else table.get("calls_unknown", table)


@cache
def _load(rules: str) -> dict[str, Any]:
    """The table of a game; an empty one for a game without a table."""
    try:
        tables: dict[str, dict[str, Any]] = json.loads(TABLE.read_text())
    except OSError:
        tables = {}
    return tables.get(rules, {"weights": {}, "cost": 0.0})


@cache
def _load_deferred_shares(rules: str) -> tuple[float, ...]:
    """By fifths of the wall; 0 in a game without a table."""
    tables = json.loads(DEFERRED_DANGER_TABLE.read_text()) if DEFERRED_DANGER_TABLE.exists() else {}
    return tuple(tables[rules]["share"]) if rules in tables else (0.0,) * STAGES
