"""How much of a tile's danger comes later where the tile is kept.

`python -m lab.bench.deferred_danger --hands 150` plays hands of all games with built-in players, follows to
the end the tiles that would have left the hand as near to ready as the actual discard, and writes the table
that the coach reads (companion.coach.value.danger).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from companion.coach.play.simulation import PlayedHand, play
from companion.coach.seen import observe
from companion.coach.value.chances import STAGES, find_stage
from companion.coach.value.danger import DEFERRED_DANGER_TABLE, risk
from companion.coach.value.judge import Judge, make_hand_view
from companion.table.events import Discarded, GameStarted
from companion.table.house import make_house
from companion.table.state import State
from companion.tiles import Tile
from lab.bench.figures import run_learning

SEED = "put off, learned"
AS_USEFUL = 0.75
"""A tile might be discarded as well where this share of the useful tiles of the best discard is left
without it."""
FEW = 0.5
"""The danger, none of it later, that is added to the count: that of some five late tiles."""


@dataclass
class Kept:
    """A tile that was kept. now: its danger then; later: that of the next discard of its kind, 0 for none."""

    seat: int
    tile: Tile
    stage: int
    now: float
    later: float | None = None


def main() -> None:
    """Play, and write the table."""
    run_learning(DEFERRED_DANGER_TABLE, learn, hands=150)


def learn(rules: str, hands: int) -> dict[str, Any]:
    """By fifths of the wall, the danger that came later for that of tiles kept, 0 to 1."""
    house = make_house(GameStarted(rules=rules))
    judge = Judge(house.rules, house.scoring)
    every: list[Kept] = []
    for played in play(GameStarted(rules=rules), hands, random.Random(f"{SEED} {rules}")):
        every += follow(judge, played)
    return {"hands": hands, "tiles": len(every), "share": [_find_share(every, n) for n in range(STAGES)]}


def follow(judge: Judge, played: PlayedHand) -> list[Kept]:
    """The tiles kept in a hand that might have been discarded as well."""
    kept: list[Kept] = []
    before = played.before
    for event, state in played.steps:
        if isinstance(event, Discarded) and event.tile is not None:
            tile = Tile.parse(event.tile)
            for each in kept:
                if each.seat == event.seat and each.tile is tile and each.later is None:
                    each.later = risk(observe(before, event.seat), tile)[0]
            kept += _list_kept(judge, before, event.seat, tile)
        before = state
    return kept


def _list_kept(judge: Judge, state: State, seat: int, discard: Tile) -> list[Kept]:
    seen = observe(state, seat)
    if seen.player.ready or seen.player.gambits:
        return []
    choices = judge.discards(make_hand_view(seen))
    best = choices[0].after
    if best.shanten <= 0:
        return []
    return [
        Kept(seat, each.discard, find_stage(seen), risk(seen, each.discard)[0])
        for each in choices
        if each.discard is not discard
        and each.after.shanten == best.shanten
        and each.after.live >= AS_USEFUL * best.live
    ]


def _find_share(kept: list[Kept], stage: int) -> float:
    here = [each for each in kept if each.stage == stage]
    now, later = sum(each.now for each in here), sum(each.later or 0.0 for each in here)
    return round(min(1.0, later / (now + FEW)), 3)


if __name__ == "__main__":
    main()
