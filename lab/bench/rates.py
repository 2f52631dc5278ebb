"""How hands continue by chance, counted in simulated hands: the coach's rates.

`python -m lab.bench.rates --hands 240` plays hands of all games with four built-in players and writes the
table that the coach reads (companion.coach.value.chances).
"""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from companion.coach.play.simulation import PlayedHand, play
from companion.coach.seen import SeatView, count_left, observe
from companion.coach.value.chances import (
    FARTHEST,
    SORTS,
    STAGES,
    TABLE,
    THREATS,
    WAYS,
    Chain,
    ChainHands,
    Rates,
    Way,
    count_claimable,
    estimate_chances,
    find_stage,
    find_threat,
    sort_kind,
)
from companion.coach.value.judge import HandStatus, Judge, make_hand_view
from companion.coach.value.payoff import Payoff
from companion.rules import Source
from companion.table.events import Claimed, Discarded, Drawn, GameStarted
from companion.table.wins import list_known_melds
from companion.tiles import KINDS, Tile, counts
from lab.bench.figures import run_learning

SEED = "course, learned"
OWN_FAULT = 0.5
"""The weight of the player's own deal-ins in the loss: a player who avoids danger will make half of them."""
FEW = 20.0
"""Rounds at the usual rate that are added to those counted."""
PRIOR = 10.0
"""Hands predicted and won that are added to those counted."""


def main() -> None:
    """Count, and write the table."""
    run_learning(TABLE, learn, hands=240)


class _Sums:
    """The counts, by the stage of the wall and by the number of missing tiles."""

    def __init__(self, kinds: tuple[float, ...]) -> None:
        self.kinds = kinds
        self.rounds, self.others = [0.0] * STAGES, [0.0] * STAGES
        self.rounds_threatened = [0.0] * (STAGES * THREATS)
        self.others_threatened = [0.0] * (STAGES * THREATS)
        self.lost, self.paid, self.losses = [0.0] * STAGES, [0.0] * STAGES, [0.0] * STAGES
        self.hands, self.useful = [0.0] * FARTHEST, [0.0] * FARTHEST
        self.claimable, self.claimed = [0.0] * FARTHEST, [0.0] * FARTHEST
        self.predicted: list[tuple[SeatView, int, float, float, bool]] = []
        """Hands: as seen, tiles lacking but one, shares that are useful and claimable, whether they won."""


def learn(rules: str, hands: int) -> dict[str, Any]:
    """The rates of a game.

    others_win: of each fifth of the wall, the chance that an opponent wins between a player's discard and
    next draw; threatened: the same by what opponents show. loss: the mean cost of such a win, from each
    fifth, at the stakes of the rules; paid: the number of payments. useful: of hands that miss 1, 2, … tiles,
    the share of unseen tiles that bring them nearer. claimable: the share that could be claimed, a tile
    counted once for every opponent. shown: how often such a tile is claimed, relative to opponents who
    discard unseen tiles at random. kinds: by fifths of the wall and sorts of kinds, how often opponents
    discard them, relative to any unseen tile. trust: the number of such hands won, relative to the
    prediction. unsure: the error of the prediction.
    """
    sums, judge = _Sums(count_kinds(rules, hands // 2)), None
    for played in play(GameStarted(rules=rules), hands, random.Random(f"{SEED} {rules}")):
        house = played.before.house
        judge = judge or Judge(house.rules, house.scoring)
        _count(played, judge, sums)
    others = [
        (a + FEW * sum(sums.others) / sum(sums.rounds)) / (b + FEW)
        for a, b in zip(sums.others, sums.rounds, strict=True)
    ]
    found = {
        "others_win": [round(each, 4) for each in others],
        "threatened": [
            round((a + FEW * others[number // THREATS]) / (b + FEW), 4)
            for number, (a, b) in enumerate(zip(sums.others_threatened, sums.rounds_threatened, strict=True))
        ],
        "loss": [round(a / max(1.0, b), 3) for a, b in zip(sums.lost, sums.losses, strict=True)],
        "paid": [round(a / max(1.0, b), 4) for a, b in zip(sums.paid, sums.losses, strict=True)],
        "useful": [round(a / max(1.0, b), 4) for a, b in zip(sums.useful, sums.hands, strict=True)],
        "claimable": [round(a / max(1.0, b), 4) for a, b in zip(sums.claimable, sums.hands, strict=True)],
        "kinds": sums.kinds,
        "shown": [round(a / max(1e-9, b), 3) for a, b in zip(sums.claimed, sums.claimable, strict=True)],
    }
    assert judge is not None
    rates = Rates(*[tuple(found.get(name, ())) for name in Rates._fields])
    trust = _find_trust(sums, rates)
    unsure = _find_unsure(sums, rates, trust)
    return {
        "hands": hands,
        **found,
        "trust": trust,
        "unsure": [unsure],
        "counted": [int(each) for each in sums.hands],
    }


def count_kinds(rules: str, hands: int) -> tuple[float, ...]:
    """How often kinds of each sort are discarded by others, as `Rates.kinds` has it."""
    sorts = np.array([sort_kind(tile) for tile in KINDS[:34]])
    came, expected = np.zeros((STAGES, SORTS)), np.zeros((STAGES, SORTS))
    for played in play(GameStarted(rules=rules), hands, random.Random(f"{SEED} kinds {rules}")):
        before = played.before
        for event, state in played.steps:
            if isinstance(event, Discarded) and event.tile is not None and before.hand is not None:
                seen = observe(before, (event.seat + 2) % len(before.house.seats))
                left, stage = np.array(count_left(seen)[:34], float), find_stage(seen)
                expected[stage] += np.bincount(sorts, left, SORTS) / max(1.0, left.sum())
                came[stage, sort_kind(Tile.parse(event.tile))] += 1
            before = state
    rates = (came + FEW) / (expected + FEW)
    return tuple([round(float(rate), 3) for rate in rates.ravel()])


def _count(played: PlayedHand, judge: Judge, sums: _Sums) -> None:
    steps = played.steps
    hand = played.after.hand
    assert hand is not None
    for number, (event, state) in enumerate(steps):
        if not isinstance(event, Discarded) or state.hand is None:
            continue
        seat = event.seat
        seen = observe(state, seat)
        stage = find_stage(seen)
        threatened = stage * THREATS + find_threat(seen)
        sums.rounds[stage] += 1
        sums.rounds_threatened[threatened] += 1
        end = _find_end(steps, number + 1, seat)
        won = [result for result in hand.results if result.winner == seat]
        lacking = _count_hand(seen, judge, sums, bool(won))
        if end == "claimed" and lacking < FARTHEST:
            sums.claimed[lacking] += 1
        if end == "over" and won and won[0].source is not Source.SELF_DRAW:
            sums.claimed[0] += lacking == 0
        if end == "over" and hand.results and not won:
            sums.others[stage] += 1
            sums.others_threatened[threatened] += 1
        if hand.results and not won:
            sums.losses[stage] += 1
            for result in hand.results:
                fault = OWN_FAULT if result.discarder == seat else 1.0
                sums.lost[stage] -= fault * result.score.payments[seat]
                sums.paid[stage] += fault * sum(share.payer == seat for share in result.score.shares)


def _count_hand(seen: SeatView, judge: Judge, sums: _Sums, won: bool) -> int:
    """The number of missing tiles less one; FARTHEST for more than are counted."""
    view = make_hand_view(seen)
    status = judge.assess(view)
    lacking = max(0, status.shanten)
    if lacking >= FARTHEST:
        return FARTHEST
    whole = sum(count_left(seen)[:34])
    useful = status.live / whole
    row = find_stage(seen) * SORTS
    kinds = sums.kinds[row : row + SORTS]
    claimable = _count_taken(seen, status, kinds) if lacking == 0 else count_claimable(seen, status, kinds)
    sums.hands[lacking] += 1
    sums.useful[lacking] += useful
    sums.claimable[lacking] += claimable / whole
    sums.predicted.append((seen, lacking, useful, claimable / whole, won))
    return lacking


def _count_taken(seen: SeatView, status: HandStatus, kinds: tuple[float, ...]) -> float:
    """The unseen tiles that win a ready hand when discarded, each counted once for every opponent,
    weighted by how often its sort is discarded."""
    payoff, held = Payoff(seen), bytes(counts(seen.player.concealed))
    melds, total = list_known_melds(seen.player), 0.0
    for kind in status.useful:
        at = kind.tile.index
        full = held[:at] + bytes((held[at] + 1,)) + held[at + 1 :]
        if payoff.pay(full, melds, kind.tile, Source.DISCARD) > 0:
            total += kind.unseen * kinds[sort_kind(kind.tile)]
    return total * payoff.others


def _find_trust(sums: _Sums, rates: Rates) -> list[float]:
    """By tiles missing: hands won relative to the prediction, 1 where there are few."""
    predicted, won = [0.0] * FARTHEST, [0.0] * FARTHEST
    for seen, lacking, useful, claimable, has_won in sums.predicted[::3]:
        predicted[lacking] += _predict_wins(seen, lacking, useful, claimable, rates)
        won[lacking] += has_won
    return [round((b + PRIOR) / (a + PRIOR), 3) if a else 1.0 for a, b in zip(predicted, won, strict=True)]


def _find_unsure(sums: _Sums, rates: Rates, trust: list[float]) -> float:
    """The relative error of predicted wins: the mean over hands with as many missing tiles in the same
    fifth of the wall, without chance."""
    cells: dict[tuple[int, int], list[float]] = {}
    for seen, lacking, useful, claimable, has_won in sums.predicted[::3]:
        cell = cells.setdefault((lacking, find_stage(seen)), [0.0, 0.0])
        cell[0] += trust[lacking] * _predict_wins(seen, lacking, useful, claimable, rates)
        cell[1] += has_won
    many = [(a, b) for a, b in cells.values() if a >= PRIOR]
    off = sum(max(0.0, (b - a) ** 2 - a) for a, b in many)
    return round(math.sqrt(off / max(1.0, sum(a * a for a, _ in many))), 3)


def _predict_wins(seen: SeatView, lacking: int, useful: float, claimable: float, rates: Rates) -> float:
    """How often the hand is won by the rates alone; `rates.trust` is not there yet."""
    claim = 1 - math.exp(-rates.shown[lacking] * claimable)
    way = WAYS.index(Way(True, lacking > 0 or claimable > 0))
    chain = Chain(estimate_chances(seen, rates), rates)
    given = (lacking + 1, useful, claim, way, chain.find_width(lacking + 1, useful))
    return float(chain.find_outcomes(ChainHands(*[np.array([each]) for each in given]))[0, :2].sum())


def _find_end(steps: Any, number: int, seat: int) -> str:
    """What ends the round that begins with that step: the player's own claim or draw, or the hand."""
    for event, state in steps[number:]:
        if not state.playing:
            return "over"
        if isinstance(event, Claimed) and event.seat == seat:
            return "claimed"
        if isinstance(event, Drawn) and event.seat == seat:
            return "drawn"
    return "over"


if __name__ == "__main__":
    main()
