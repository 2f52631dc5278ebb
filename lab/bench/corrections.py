"""What hands between turns come to, in simulated hands: the corrections of the coach's estimates.

`python -m lab.bench.corrections --hands 900` plays hands of all games with four built-in players, each of
whom deviates once, so that worse hands and passes on tiles occur too, and once gives up winning; it writes
the table that the coach reads (companion.coach.value.corrections).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from companion.coach.play.player import Answer, BuiltIn
from companion.coach.play.simulation import Seated, Simulation
from companion.coach.seen import SeatView
from companion.coach.value.chances import THREATS, find_threat
from companion.coach.value.corrections import (
    ALL_AHEAD,
    FARTHEST,
    MELDS,
    TABLE,
    Corrections,
    Traits,
    list_traits,
)
from companion.coach.value.danger import risk
from companion.coach.value.distances import Floats
from companion.coach.value.estimates import QUICK, Estimator
from companion.coach.value.judge import Judge, make_hand_view
from companion.coach.value.outlook import Outlook
from companion.coach.value.payoff import Memory
from companion.rules import Source
from companion.table.apply import apply
from companion.table.claims import list_claims
from companion.table.events import Claimed, Discarded, Event, FlowerSetOut, GameStarted, Won
from companion.table.house import make_house
from companion.table.state import OfferKind, State
from companion.table.wins import list_known_melds
from companion.tiles import counts
from lab.bench.figures import run_learning

SEED = "worth, learned"
DISCARDS, LATER = 14, 4
"""The number of own discards within which a player deviates, and of those after that until the hand is
examined again."""
TRIES_DISCARD, TRIES_CLAIM = 0.6, 0.4
"""How often a player tries another discard, else a claim or none; how often at a tile that may be claimed."""
HELD, HELD_SLOPE, SLOPE = 30.0, 60.0, 0.5
"""How firmly weights are held near 0: 30 as if their error were about 0.2; slopes near SLOPE, as by this
many wins."""
FEW = 100.0
"""Hands of the usual loss that are added to those counted."""
STEPS = 30


def main() -> None:
    """Play, and write the table."""
    run_learning(TABLE, learn, hands=900)


class Sample(NamedTuple):
    """A hand between turns, and its result.

    pays: its predicted payment; predicted: its predicted loss without a win, below 0. paid: the payment at
    the end, gained: that of the win, 0 without one.
    """

    traits: Traits
    pays: float
    predicted: float
    paid: float
    gained: float

    @staticmethod
    def ratio(won: list[Sample], usual: float, held: float) -> float:
        """What these wins paid relative to the prediction, held near the usual as by this many wins."""
        said, paid = sum(each.pays for each in won), sum(each.gained for each in won)
        more = held * said / max(1, len(won))
        return (paid + usual * more) / (said + more) if said else usual


class Trier(BuiltIn):
    """A built-in player that tries something once in a hand. `noted`: what it then saw, and how many others
    discarded before its next draw."""

    def __init__(self, judge: Judge, rng: random.Random) -> None:
        super().__init__(judge)
        self._rng = rng
        self.begin()

    def begin(self) -> None:
        """Before a hand."""
        self.noted: list[tuple[SeatView, int]] = []
        self._claims = self._rng.random() >= TRIES_DISCARD
        self._wait, self._again = self._rng.randrange(DISCARDS), 0

    def act(self, state: State, seat: int) -> Event | None:
        """As usual, but for the discard that is tried."""
        usual = super().act(state, seat)
        if not isinstance(usual, Discarded) or self._again < 0:
            return usual
        self._wait -= 1
        if self._again == 0 and not self._claims and self._wait < 0:
            usual = self._try_discard(state, seat, usual)
            self._wait, self._again = self._rng.randrange(LATER), 1
            self._note(state, seat, usual)
        elif self._again > 0 and self._wait < 0:
            self._again = -1
            self._note(state, seat, usual)
        return usual

    def answer(self, state: State, seat: int) -> Answer | None:
        """As usual, but for the claim that is tried, or not made."""
        usual = super().answer(state, seat)
        offer = state.hand.offer if state.hand else None
        if not self._claims or self._again or not (usual is None or isinstance(usual, Claimed)):
            return usual
        if state.hand is None or offer is None or offer.tile is None or offer.kind is not OfferKind.DISCARD:
            return usual
        view = make_hand_view(SeatView(state, seat))
        melds = [meld for meld in list_claims(state.house, state.hand, seat) if not meld.kind.is_kong]
        now = self._judge.shanten(view)
        may = [each.meld for each in self._judge.claims(view, offer.tile, melds) if each.after.shanten <= now]
        if not may or self._rng.random() > TRIES_CLAIM:
            return usual
        self._wait, self._again = 0, 1  # after a claim the discard is examined
        if self._rng.random() < 0.5:
            return Claimed(seat=seat, meld=str(self._rng.choice(may)))
        self.noted.append((SeatView(state, seat), (seat - offer.seat - 1) % len(state.house.seats)))
        self._wait = self._rng.randrange(LATER)
        return None

    def _try_discard(self, state: State, seat: int, usual: Discarded) -> Discarded:
        """One that keeps the hand as near to ready, or one step farther, or the usual one."""
        assert state.hand is not None
        player, view = state.hand.players[seat], make_hand_view(SeatView(state, seat))
        if player.ready or player.gambits or self._rng.random() < 0.25:
            return usual
        near = self._rng.random() < 0.75
        kinds = sorted(set(player.concealed))
        away = {kind: self._judge.discards(view, (kind,))[0].after.shanten for kind in kinds}
        may = [kind for kind in kinds if away[kind] <= min(away.values()) + (not near)]
        return Discarded(seat=seat, tile=self._rng.choice(may).code)

    def _note(self, state: State, seat: int, discard: Discarded) -> None:
        self.noted.append((SeatView(apply(state, discard), seat), len(state.house.seats) - 1))


class Folder(BuiltIn):
    """A built-in player that gives up winning after some discard: it claims nothing and discards the safest
    tile.

    `noted`: what it saw then.
    """

    def __init__(self, judge: Judge, rng: random.Random) -> None:
        super().__init__(judge)
        self._rng = rng
        self.begin(False)

    def begin(self, folds: bool) -> None:
        """Before a hand."""
        self.noted: list[tuple[SeatView, int]] = []
        self._folds, self._wait = folds, self._rng.randrange(DISCARDS)

    def act(self, state: State, seat: int) -> Event | None:
        """As usual until it gives up."""
        usual = super().act(state, seat)
        hand = state.hand
        if usual is None or isinstance(usual, Won | FlowerSetOut) or not self._folds or hand is None:
            return usual
        player = hand.players[seat]
        self._wait -= 1
        if self._wait >= 0 or player.ready or player.gambits:
            return usual
        kinds = [kind for kind in sorted(set(player.concealed)) if kind is not hand.fortune]
        safest = min(kinds, key=lambda kind: (risk(SeatView(state, seat), kind)[0], self._rng.random()))
        discard = Discarded(seat=seat, tile=safest.code)
        if not self.noted:
            self.noted.append((SeatView(apply(state, discard), seat), len(state.house.seats) - 1))
        return discard

    def answer(self, state: State, seat: int) -> Answer | None:
        """As usual until it gives up, then only wins."""
        usual = super().answer(state, seat)
        return None if self._folds and self._wait < 0 and isinstance(usual, Claimed) else usual


def learn(rules: str, hands: int) -> dict[str, Any]:
    """What was learned of a game, as `Corrections` has it, and of how many hands."""
    return fit(hands, collect(rules, hands), collect_folded(rules, hands))


def fit(hands: int, samples: list[Sample], folded: list[tuple[int, float, float]]) -> dict[str, Any]:
    """The row of the table that these hands make."""
    lost = [(each.traits.threat, each.predicted, each.paid) for each in samples if not each.gained]
    near = [each for each in samples if each.traits.near is not None]
    by_chain = [each._replace(traits=each.traits._replace(near=None)) for each in samples]
    return {
        "hands": hands,
        "samples": len(samples),
        "wins": fit_wins(by_chain),
        "near": fit_wins(near),
        **fit_pays(samples),
        "push": average_losses(lost),
        "fold": average_losses(folded),
    }


def collect(rules: str, hands: int) -> list[Sample]:
    """Hands in which every player tries something once."""
    house, rng = make_house(GameStarted(rules=rules)), random.Random(f"{SEED} {rules}")
    judge = Judge(house.rules, house.scoring)
    players = tuple([Trier(judge, rng) for _ in range(4)])
    memories = [Memory() for _ in players]
    found = []
    for _ in range(hands):
        for player in players:
            player.begin()
        after = _play(rules, rng, players)
        for seat in house.seats:
            for seen, ahead in players[seat].noted:
                looked = None if _ends_hand(seen, after) else _examine(judge, seen, memories[seat], ahead)
                if looked is not None:
                    found.append(Sample(*looked, _count_paid(after, seat), _count_gained(after, seat)))
    return found


def collect_folded(rules: str, hands: int) -> list[tuple[int, float, float]]:
    """Hands in which one player gives up: what opponents showed then, the predicted loss, the payment."""
    house, rng = make_house(GameStarted(rules=rules)), random.Random(f"{SEED} folded {rules}")
    judge, found = Judge(house.rules, house.scoring), []
    players = tuple([Folder(judge, rng) for _ in range(4)])
    for number in range(hands):
        for seat, player in enumerate(players):
            player.begin(seat == number % 4)
        after = _play(rules, rng, players)
        for seat in house.seats:
            for seen, _ in players[seat].noted:
                if not _ends_hand(seen, after):
                    looked = _make_estimator(judge, seen, Memory()).lost
                    found.append((find_threat(seen), looked, _count_paid(after, seat)))
    return found


def _play(rules: str, rng: random.Random, players: Sequence[BuiltIn]) -> State:
    state = apply(None, GameStarted(rules=rules))
    for step in Simulation(state.house, rng, Seated(tuple(players))).hand(state):
        state = step.state
    return state


def _ends_hand(seen: SeatView, after: State) -> bool:
    """Whether the last discard was won on: danger accounts for that."""
    hand = after.hand
    assert hand is not None
    dealt_in = any(
        each.source is not Source.SELF_DRAW and each.discarder == seen.seat for each in hand.results
    )
    return dealt_in and hand.discards == seen.hand.discards


def _count_paid(after: State, seat: int) -> float:
    hand = after.hand
    assert hand is not None
    return float(after.points[hand.seated[seat]] - after.house.play.points(after.house.options))


def _count_gained(after: State, seat: int) -> float:
    hand = after.hand
    assert hand is not None
    return float(sum(each.score.payments[seat] for each in hand.results if each.winner == seat))


def _make_estimator(judge: Judge, seen: SeatView, memory: Memory) -> Estimator:
    """One that nothing was learned for yet."""
    return Estimator(Outlook.of(judge, seen, memory), Corrections({}, {}), find_threat(seen))


def _examine(judge: Judge, seen: SeatView, memory: Memory, ahead: int) -> tuple[Traits, float, float] | None:
    held, melds = bytes(counts(seen.player.concealed)), list_known_melds(seen.player)
    estimator = _make_estimator(judge, seen, memory)
    found = estimator.examine(held, melds, QUICK, ahead)
    return None if found is None else (*found, estimator.lost)


def fit_wins(samples: list[Sample]) -> dict[str, float]:
    """The weights of traits that make the wins likeliest, the predicted chances held near themselves, the
    others near 0 (Newton's method)."""
    if not samples:
        return {}
    rows = [list_traits(each.traits) for each in samples]
    names = list(rows[0])
    traits = np.array([[float(row[name][0]) for name in names] for row in rows])
    won = np.array([each.gained > 0 for each in samples], float)
    predicted = [name for name in names if name in ("chain", "near")]
    start = np.array([1 / len(predicted) if name in predicted else 0.0 for name in names])
    firm = np.array([1e-6 if name == "all" else 3.0 if name in predicted else HELD for name in names])
    weights = start.copy()
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-(traits @ weights)))
        slope = traits.T @ (won - p) - firm * (weights - start)
        bend = (traits * (p * (1 - p))[:, None]).T @ traits + np.diag(firm)
        weights += np.clip(np.linalg.solve(bend, slope), -2.0, 2.0)
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}


def fit_pays(samples: list[Sample]) -> dict[str, Any]:
    """Payments of wins relative to the prediction, by melds, and for passes; and by tiles missing, the
    share of a predicted difference that came true."""
    won = [each for each in samples if each.gained > 0 and each.pays > 0]
    usual = Sample.ratio(won, 1.0, 0.0)
    pay = [
        Sample.ratio([each for each in won if min(each.traits.melds, MELDS - 1) == melds], usual, HELD_SLOPE)
        for melds in range(MELDS)
    ]
    by_melds = [each._replace(pays=each.pays * pay[min(each.traits.melds, MELDS - 1)]) for each in won]
    left = Sample.ratio([each for each in by_melds if each.traits.ahead < ALL_AHEAD], 1.0, HELD_SLOPE)
    said, paid = (np.array(column) for column in zip(*[(e.pays, e.gained) for e in by_melds], strict=True))
    lacking = np.clip([int(each.traits.lacking[0]) for each in won], 1, FARTHEST)
    slopes = [
        _fit_slope(said[lacking == number], paid[lacking == number], said.var())
        for number in range(1, FARTHEST + 1)
    ]
    return {
        "pay": [round(each, 3) for each in pay],
        "left": round(left, 3),
        "slopes": [round(each, 3) for each in slopes],
    }


def _fit_slope(said: Floats, paid: Floats, spread: float) -> float:
    x, y = (each - each.mean() if len(each) else each for each in (said, paid))
    return float((x @ y + HELD_SLOPE * spread * SLOPE) / max(1e-9, x @ x + HELD_SLOPE * spread))


def average_losses(lost: list[tuple[int, float, float]]) -> list[float]:
    """The payments relative to the predicted losses, by what opponents show."""
    said, paid = sum(each[1] for each in lost), sum(each[2] for each in lost)
    if not said:
        return [1.0] * THREATS
    more, found = said / len(lost) * FEW, []
    for threat in range(THREATS):
        cell = [each for each in lost if each[0] == threat]
        of_cell = sum(each[2] for each in cell), sum(each[1] for each in cell)
        found.append(round((of_cell[0] + more * paid / said) / (of_cell[1] + more), 3))
    return found


if __name__ == "__main__":
    main()
