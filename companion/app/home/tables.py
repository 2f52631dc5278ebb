"""The tables that can be played: games by their own rules, profiles, their stakes and currency, and what a
plain and a big win cost there (typical_wins.json: two requests for each game). No Kivy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from companion.errors import RequestError
from companion.money import Currency, amount, check_currency, choose_coin, find_problem, with_point
from companion.profiles import ReadyMade
from companion.rules import RULE_SETS, decode_request, score
from companion.rules.kinds import NUMBER_MAX
from companion.rules.profile import Profile
from companion.rules.win import ScoreRequest, Stakes
from companion.sentences import Sentence


@dataclass(frozen=True, slots=True)
class House:
    """A table's rules: a game as written, or a profile. ready: of a ready-made one. trouble: why a saved one
    cannot be used."""

    key: str
    rules: str
    profile: Profile | None = None
    ready: ReadyMade | None = None
    trouble: Sentence | None = None

    @property
    def is_written(self) -> bool:
        """Whether the game is played by its written rules."""
        return self.key.startswith("rules:")

    @property
    def is_saved(self) -> bool:
        """Whether a person saved it."""
        return self.key.startswith("saved:")

    @property
    def is_common(self) -> bool:
        """Whether it is a common table, offered next to the written rules."""
        return self.ready is not None and self.ready.common

    @property
    def name(self) -> str:
        """The profile's name."""
        return self.key.partition(":")[2]


def list_games() -> tuple[House, ...]:
    """The games by their own rules."""
    return tuple(House(f"rules:{rules.name}", rules.name) for rules in RULE_SETS.values())


FILE = Path(__file__).with_name("typical_wins.json")
TABLE_DEPENDENT = ("flowers", "fortune")
"""Fields of a request that a table need not have: it may play without flowers, or with a fixed Fortune."""


@dataclass(frozen=True, slots=True)
class TypicalWin:
    """An example of a win at a table. paid: what each payer pays, in points, by seat. row: the id of the row
    that names a big win; None for a plain one. for_all: one player pays the shares of all. limited: the limit
    of the table makes it cheaper."""

    request: ScoreRequest
    paid: dict[int, int]
    row: str | None = None
    for_all: bool = False
    limited: bool = False

    @property
    def most(self) -> int:
        """What the player who pays most pays, in points."""
        return max(self.paid.values(), default=0)


def list_typical_wins(
    rules: str, profile: Profile | None, stakes: Stakes, cap: int | None = None
) -> tuple[TypicalWin, ...]:
    """A plain win and a big one at a table that plays so; those of them that win there. cap: the most of a
    share, in points."""
    options = profile.options if profile else {}
    example = _load().get(rules)
    if example is None:
        return ()
    found = []
    for hand, row in ((example["plain"], None), (example["big"], example["row"])):
        request = _make_request({**hand, "rules": rules, "options": options})
        if request is None:
            continue
        request = request.changed(stakes=stakes, cap=cap)
        result = score(request, house_rules=False)
        if result.legal:
            shares = result.shares
            paid = {share.payer: share.pays for share in shares}
            for_all = any(share.of for share in shares)
            limited = any(share.pays < share.owed for share in shares)
            found.append(TypicalWin(request, paid, row, for_all, limited))
    return tuple(found)


def _make_request(fields: dict[str, Any]) -> ScoreRequest | None:
    """The request, without what this table does not have."""
    for left_out in ((), TABLE_DEPENDENT):
        try:
            return decode_request({k: v for k, v in fields.items() if k not in left_out})
        except RequestError:
            continue
    return None


@cache
def _load() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


PAIRS = ((30, 10), (50, 20), (100, 20), (100, 50), (200, 50), (300, 100))
"""Usual stakes of games with a base: the base, and what a unit of the hand's value costs."""
UNITS = (1, 2, 5, 10, 20, 50, 100)
CAPS_OFFERED = 5
LIMIT = re.compile(r"[0-9]{1,24}(\.[0-9]{1,4})?")
"""A limit in money, as decimal text."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """currency None: points only. cap: the limit of each player's share of a win, in points; None: no
    limit. limit: the money that was chosen for that, as decimal text, where it is no whole number of points;
    `cap` is rounded down from it."""

    stakes: Stakes
    currency: Currency | None = None
    cap: int | None = None
    limit: str | None = None

    @property
    def is_valid(self) -> bool:
        """Whether the window could have made it."""
        base, unit = self.stakes.base, self.stakes.unit
        if not (0 <= base <= NUMBER_MAX and 0 <= unit <= NUMBER_MAX and base + unit):
            return False
        if self.limit is not None and not LIMIT.fullmatch(self.limit):
            return False
        return self.cap != 0 and (self.currency is None or find_problem(self.currency) is None)

    def with_symbol(self, symbol: str, *, counts_points: bool) -> Agreed:
        """In that currency; "" for points only. counts_points: of a game whose unit is one point; the value
        of a point then replaces the unit. InputError where it cannot be a currency."""
        if not symbol:
            if self.currency is None or not counts_points:
                return replace(self, currency=None, limit=None)
            unit = max(1, int(Decimal(self.currency.point)))
            return Agreed(Stakes(unit=unit), cap=None if self.cap is None else self.cap * unit)
        if self.currency is not None:
            changed = Currency(symbol, self.currency.point, self.currency.coin)
            return replace(self, currency=check_currency(changed))
        if counts_points:
            point = str(self.stakes.unit)
            changed = check_currency(Currency(symbol, point, choose_coin(point)))
            return Agreed(Stakes(unit=1), changed)._with_limit(
                self.cap if self.cap is None else str(self.cap)
            )
        return replace(self, currency=check_currency(Currency(symbol, "1", "1")))

    def with_point(self, value: str) -> Agreed:
        """With a point worth that; a limit stays the same money, as far as whole points make it. InputError
        where a point cannot be worth that."""
        assert self.currency is not None
        limit = self.limit
        if limit is None and self.cap is not None:
            limit = f"{amount(self.cap, self.currency):f}"
        return replace(self, currency=check_currency(with_point(self.currency, value)))._with_limit(limit)

    def with_coin(self, coin: str) -> Agreed:
        """InputError where the smallest coin cannot be that."""
        assert self.currency is not None
        return replace(
            self, currency=check_currency(Currency(self.currency.symbol, self.currency.point, coin))
        )

    def with_cap(self, cap: int | None) -> Agreed:
        return replace(self, cap=cap, limit=None)

    def _with_limit(self, limit: str | None) -> Agreed:
        """With the limit of that money, in whole points: at least one."""
        if limit is None or self.currency is None:
            return replace(self, limit=None)
        points = Fraction(limit) / Fraction(self.currency.point)
        return replace(self, cap=max(1, int(points)), limit=None if points.denominator == 1 else limit)


def suggest(house: House) -> Agreed:
    """What tables that play so often play for."""
    own = RULE_SETS[house.rules].own_stakes
    return Agreed(house.ready.stakes or own, house.ready.currency) if house.ready else Agreed(own)


def list_wins(house: House, agreed: Agreed) -> tuple[TypicalWin, ...]:
    """A plain win and a big one at that table."""
    return list_typical_wins(house.rules, house.profile, agreed.stakes, agreed.cap)


def list_caps(house: House, agreed: Agreed) -> tuple[int, ...]:
    """The limits to offer, in points: all above a plain win, including the one that is agreed on."""
    offered = set(islice(_round_above(cost_of_plain_win(house, agreed)), CAPS_OFFERED))
    return tuple(sorted(offered | ({agreed.cap} if agreed.cap else set())))


def cost_of_plain_win(house: House, agreed: Agreed) -> int:
    """The most that a player pays for a plain win without a limit, in points."""
    return next((win.most for win in list_wins(house, agreed.with_cap(None))), 0)


def _round_above(least: int) -> Iterator[int]:
    """The round numbers above that: 1, 2, 5, 10, 20, 50 …"""
    ten = 1
    while True:
        yield from (step * ten for step in (1, 2, 5) if step * ten > least)
        ten *= 10
