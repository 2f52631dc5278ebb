"""What near hands of one position gain, looked at tile by tile and set right by what was learned.

A discard that keeps every way to win of another open, and more, is worth no less than that one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach.going_on import LEAST, NEAR
from companion.coach.learned import Learned, Traits
from companion.coach.pace import MOST_LACKING
from companion.coach.ready import Leads, NearHands
from companion.tiles import Meld

Floats = NDArray[np.float64]


class Corrector:
    """Sets right what hands of one position gain. lost: what is lost without a win, at most 0; trust: what
    falls short of a chain that lacks so many tiles, (MOST_LACKING + 1,)."""

    def __init__(self, learned: Learned, lost: float, trust: Floats) -> None:
        self.learned, self.lost, self._trust = learned, lost, trust
        self.usual = 0.0
        """What hands of this position usually pay; 0 where it is not known."""

    def set_right(self, pays: Floats, traits: Traits, spread: Floats | None = None) -> tuple[Floats, Floats]:
        """What hands gain and how often they win as it was learned, by what they are said to pay (n,).

        spread: of far hands, how often each is won for how often the best of the nearest is; what was learned
        is then of that one, since it tells hands of different positions apart, and not those of one.
        """
        foreseen = traits.chain if traits.near is None else traits.near
        wins = self.learned.find_wins(traits)
        if spread is not None:
            best = int(spread.argmax())
            plain = traits.chain / self._trust[np.clip(traits.lacking, 0, MOST_LACKING)]
            farther = np.minimum(1.0, plain / max(LEAST, float(plain[best])))
            wins = wins[best] * np.where(spread > 0, spread, farther)
        return np.where(foreseen > 0, wins * (self.find_pays(pays, traits) - self.lost), 0.0), wins

    def find_pays(self, pays: Floats, traits: Traits) -> Floats:
        """What hands pay as it was learned, by what they are said to (n,)."""
        return self.learned.find_pays(pays, self.usual or float(pays.mean()), traits)


class NearGain(NamedTuple):
    """What a near hand gains beside never winning, and how often it wins, as it was learned; what it is said
    to pay and how often it wins as it was looked at; what its useful tiles lead to, and what it shows."""

    gain: float
    wins: float
    pays: float
    raw_wins: float
    leads: Leads
    traits: Traits


def look_at(
    near: NearHands, held: bytes, melds: tuple[Meld, ...], lacking: int, lost: float, at_once: bool = False
) -> tuple[float, float, Leads]:
    """What a hand (42 counts) that lacks 1 or 2 tiles is said to pay, how often it wins, and what its useful
    tiles lead to. lost: what is lost without a win; at_once: the next tile is drawn before others play."""
    weigh = near.weigh_ready if lacking < NEAR else near.weigh_one_away
    worth, leads = weigh(held, melds)[-1], near.list_leads(held, melds)
    if at_once:
        worth = leads.drawn + (1 - leads.live) * worth
    value, wins = worth.tolist()
    return (value - lost) / max(wins, LEAST) + lost, wins, leads


def gain_near(corrector: Corrector, traits: Traits, at: int, looked: tuple[float, float, Leads]) -> NearGain:
    """What hand `at` of those that show these traits gains, by how it was looked at."""
    pays, wins, leads = looked
    own = traits.pick(at, wins)
    own = own._replace(
        chain=leads.share * own.chain, live=leads.share * own.live, open=leads.share * own.open
    )
    gain, often = corrector.set_right(np.array([pays]), own)
    return NearGain(max(0.0, float(gain[0])), float(often[0]), pays, wins, leads, own)


def keep_more(corrector: Corrector, found: dict[int, NearGain]) -> dict[int, NearGain]:
    """The hands by number, each worth at least what one is of which it keeps every way to win, and what it
    wins beside. What was learned holds for how often a hand wins and what it pays on the average; where cheap
    wins are added to dear ones, the average falls, and all that it pays does not."""
    kept: dict[int, NearGain] = {}
    for at in sorted(found, key=lambda number: (found[number].raw_wins, found[number].gain)):
        hand = found[at]
        for other in [*kept.values()]:
            if hand.leads.holds(other.leads):
                wins, added = max(hand.wins, other.wins), hand.raw_wins - other.raw_wins
                pays = (hand.pays * hand.raw_wins - other.pays * other.raw_wins) / max(added, LEAST)
                paid = corrector.find_pays(np.array([max(0.0, pays)]), hand.traits)
                more = (wins - other.wins) * float(paid[0] - corrector.lost) if added > LEAST else 0.0
                hand = hand._replace(gain=max(hand.gain, other.gain + max(0.0, more)), wins=wins)
        kept[at] = hand
    return kept
