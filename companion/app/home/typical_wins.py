"""A plain win and a big one of each game: what they cost at a table.

The hands are in typical_wins.json: two requests for each game, and `row`, which names the big one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from companion.errors import RequestError
from companion.rules import decode_request, score
from companion.rules.profile import Profile
from companion.rules.win import ScoreRequest, Stakes

FILE = Path(__file__).with_name("typical_wins.json")
TABLE_DEPENDENT = ("flowers", "fortune")
"""Fields of a request that a table need not have: it may play without flowers, or with a fixed Fortune."""


@dataclass(frozen=True, slots=True)
class TypicalWin:
    """An example of a win at a table. paid: what each payer pays, in points, by seat. row: the id of the row
    that names a big win; None for a plain one."""

    request: ScoreRequest
    paid: dict[int, int]
    row: str | None = None

    @property
    def most(self) -> int:
        """What the player who pays most pays, in points."""
        return max(self.paid.values(), default=0)


def list_typical_wins(rules: str, profile: Profile | None, stakes: Stakes) -> tuple[TypicalWin, ...]:
    """A plain win and a big one at a table that plays so; those of them that win there."""
    options = profile.options if profile else {}
    example = _load().get(rules)
    if example is None:
        return ()
    found = []
    for hand, row in ((example["plain"], None), (example["big"], example["row"])):
        request = _make_request({**hand, "rules": rules, "options": options})
        if request is None:
            continue
        request = request.changed(stakes=stakes)
        result = score(request, house_rules=False)
        if result.legal:
            found.append(TypicalWin(request, {share.payer: share.pays for share in result.shares}, row))
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
