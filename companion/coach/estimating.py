"""What hands between turns are worth that differ in one discard: estimated for every aim, and the best taken.

How often an aim is reached the chain of rates says (companion.coach.pace), what it pays its nearest finished
hands (companion.coach.pricing). Hands that are ready, or one tile from it, are looked at tile by tile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach.aims import Aim, Distances
from companion.coach.going_on import FAR, LEAST, NEAR, distrust_far, find_lead, go_on
from companion.coach.held_tiles import take_out
from companion.coach.judge import measure_company
from companion.coach.learned import Learned, Traits
from companion.coach.near_gains import Corrector, NearGain, gain_near, keep_more, look_at
from companion.coach.outlook import Outlook
from companion.coach.pace import LASTING, MOST_LACKING, WAYS, Items, Pace, Way
from companion.coach.pricing import (
    Pricer,
    Prices,
    average_pays,
    find_nearest,
    keep_open,
    place_hand,
    place_left,
)
from companion.coach.reach import PLACES
from companion.coach.ready import NearHands
from companion.coach.steps import mark_claimable, weigh_kinds
from companion.coach.widths import Widths
from companion.rules.waiting import make_hand
from companion.tiles import Meld, MeldKind, Tile

KINDS_OF_HANDS = 34
FARTHER = 4
"""How many tiles more than the nearest an aim may lack to be looked at."""
SECOND = 0.15
"""How much the second best aim counts beside the best: one may turn to it."""
NARROW = 0.7
"""Narrow aims are taken to be reached less often than the rates of usual hands say, by this factor."""
LASTING_OF_SUITS = 0.6
"""As LASTING, of one suit and of triplets: later tiles are of the same few kinds."""
COMPANY = 0.005
"""What a neighbour of a tile is worth that is kept, as a share of what the best choice gains."""
PICKY = 1.5
"""An aim that pays so much more than any hand would is one to wait for."""
FOLDED = 0.001
"""What is left of a gain to who discards safe tiles only: by it the better of these is told."""
Floats = NDArray[np.float64]


class Effort(NamedTuple):
    """How much is looked at: finished hands that are priced of every aim, hands tile by tile (of those one
    tile from ready; of ready ones twice as many), hands a step ahead, and from how often beside the likeliest
    an aim counts."""

    priced: int
    near: int
    ahead: int
    faint: float


QUICK, THOROUGH = Effort(4, 3, 4, 0.08), Effort(12, 14, 14, 0.01)


class Estimate(NamedTuple):
    """What a hand between turns is worth: the mean payment, how often it wins, the row that it is played for,
    what that pays, whether cheaper hands are passed by for it, and what wins of it bring; how many tiles it
    lacks; what a win of such hands usually pays; whether giving up loses less, and what going on is worth."""

    value: float
    wins: float
    row: str
    pays: float
    picky: bool
    brings: float = 0.0
    lacking: int = 0
    usual: float = 0.0
    folds: bool = False
    going_on: float = 0.0


class _Tried(NamedTuple):
    """One aim of n hands: what it gains beside never winning (n,), how often it wins, as the chain says and
    as it was learned, and what it pays at most."""

    aim: Aim
    gain: Floats
    chain: Floats
    wins: Floats
    pays: Floats
    lacking: NDArray[np.int64]
    prices: Prices


class Estimator:
    """Estimates hands of one position. threat: what opponents show (course.find_threat)."""

    def __init__(self, outlook: Outlook, learned: Learned, threat: int) -> None:
        self._judge, self._payoff, self._rates = outlook.judge, outlook.payoff, outlook.rates
        self._course, self._fortune, self._chows = outlook.course, outlook.fortune, outlook.chows
        self._learned, self._threat = learned, threat
        self._pace = Pace(outlook.course, outlook.rates)
        self._standings, self._wild = outlook.standings, outlook.wild
        self._placed, self._wild_left = place_left(outlook.left, self._wild)
        self._often = weigh_kinds(outlook.course.kinds)
        self._unseen = max(1, int(self._placed.sum()) + self._wild_left)
        self._near = NearHands(outlook)
        self._widths = Widths(outlook, self._placed, self._wild_left, self._often)
        never = Items(*[np.array([each]) for each in (MOST_LACKING, 0.0, 0.0, 0, 0)])
        self.lost = -float(self._pace.reach(never)[0, 2]) * outlook.course.loss
        self._lost = self.lost * learned.push[threat]
        self._corrector = Corrector(learned, self._lost, self._pace.trust)
        self._folded = self.lost * learned.fold[threat]

    def weigh(
        self,
        whole: bytes,
        melds: tuple[Meld, ...],
        outs: list[Tile] | None,
        effort: Effort,
        ahead: int | None = None,
        at_once: bool = False,
    ) -> list[Estimate]:
        """The hand of 42 counts after each of these discards, none of them wild; as it is, where None.

        ahead: how many opponents discard before the own next draw; None: all. at_once: a tile is drawn before
        that, as after a kong.
        """
        tried, traits = self._look(whole, melds, outs, effort, ahead, at_once)
        if not tried:
            return [Estimate(self._lost, 0.0, "", 0.0, False, going_on=self._lost)] * len(traits.lacking)
        return self._choose(tried, traits, whole, melds, outs, effort, at_once)

    def examine(
        self, whole: bytes, melds: tuple[Meld, ...], effort: Effort, ahead: int
    ) -> tuple[Traits, float] | None:
        """What a hand between turns shows, and what it is said to pay; None where it wins nothing. Of an
        estimator for which nothing was learned: for learning."""
        tried, traits = self._look(whole, melds, None, effort, ahead)
        plain = next((each for each in tried if each.aim == Aim()), None)
        if plain is None or not plain.chain[0]:
            return None
        nearest = min(int(each.lacking[0]) for each in tried)
        if nearest <= NEAR:
            pays, wins, _ = look_at(self._near, whole, melds, nearest, self.lost)
            if wins > 0:
                return traits._replace(near=np.array([wins])), pays
        return traits, float(plain.gain[0] / plain.chain[0]) + self._lost

    def _look(
        self,
        whole: bytes,
        melds: tuple[Meld, ...],
        outs: list[Tile] | None,
        effort: Effort,
        ahead: int | None,
        at_once: bool = False,
    ) -> tuple[list[_Tried], Traits]:
        """The aims that are worth a look, and what the hands show."""
        judge = self._judge
        hand = make_hand(judge.rules, list(whole), melds, judge.options, self._fortune)
        held = place_hand(hand)
        places = None if outs is None else np.array([self._find_place(out) for out in outs])
        distances, winning = self._standings.measure_aims(whole, melds, outs)
        nearest = min(int(each.lacking.min()) for _, each in distances)
        chosen = [(aim, each) for aim, each in distances if each.lacking.min() <= min(nearest + FARTHER, 12)]
        after = np.zeros((1 if places is None else len(places), PLACES), np.int64)
        after[:, :KINDS_OF_HANDS] = held
        if places is not None:
            after[np.arange(len(after)), places] -= 1
        pricer = Pricer(
            judge.rules, judge.options, self._fortune, self._payoff, melds, held, hand.wild, self._placed,
            self._chows, winning,
        )  # fmt: skip
        ahead = self._course.others if ahead is None else ahead
        any_hand = distances[0][1]
        claimed = sum(meld.kind is not MeldKind.KONG_CONCEALED for meld in melds)
        traits = self._read_traits(any_hand, after, claimed, ahead)
        chances = self._find_chances(chosen, after, at_once)
        spread = None
        if outs is not None and traits.lacking.min() > NEAR:
            hands = [take_out(whole, out) for out in outs]
            looks = 0 if winning else effort.ahead  # a step ahead goes by the shape alone
            spread = self._widths.compare(hands, melds, traits, any_hand.useful, looks)
        tried = self._try_aims(chosen, chances, traits, spread, pricer, held, places, effort)
        plain = next((each for each in tried if each.aim == Aim()), None)
        traits = traits if plain is None else traits._replace(chain=plain.chain)
        for aim, each in chosen:
            nearer = each.lacking < traits.lacking
            if aim.shape is not None and nearer.any():
                chain = next((other.chain / NARROW for other in tried if other.aim == aim), traits.chain)
                own = self._read_traits(each, after, claimed, ahead)._replace(chain=chain)
                traits = traits.turn(nearer, own._replace(open=np.zeros(len(after))))
        return tried, traits

    def _read_traits(self, aim: Distances, held: NDArray[np.int64], melds: int, ahead: int) -> Traits:
        """What the hands show that are played for an aim; the chance to win is not in it yet."""
        pungs, chows = mark_claimable(held, self._chows)
        left = np.append(self._placed, np.zeros(PLACES - KINDS_OF_HANDS))
        useful = aim.useful * left
        claimable = (useful * self._often * (self._course.others * pungs + chows)).sum(axis=1)
        return Traits(
            chain=np.zeros(len(held)),
            near=None,
            lacking=aim.lacking,
            live=(useful.sum(axis=1) + self._wild_left) / self._unseen,
            open=claimable / self._unseen,
            pairs=(held >= 2).sum(axis=1).astype(float),
            melds=melds,
            threat=self._threat,
            ahead=ahead,
        )

    def _find_chances(
        self, chosen: list[tuple[Aim, Distances]], held: NDArray[np.int64], at_once: bool
    ) -> Floats:
        """The outcomes by aim, way and hand: (aims, ways, n, 3)."""
        pungs, chows = mark_claimable(held, self._chows)
        left = np.zeros(PLACES)
        left[:KINDS_OF_HANDS] = self._placed
        others, n, shown = self._course.others, len(held), np.array(self._rates.shown)
        columns: list[tuple[NDArray[np.int64] | Floats, ...]] = []
        for aim, each in chosen:
            useful = each.useful * left
            live = (useful.sum(axis=1) + self._wild_left) / self._unseen
            last = each.lacking == 1
            laid = useful * self._often
            open_to = (laid * (others * pungs + chows)).sum(axis=1)
            open_to = np.where(last, others * laid.sum(axis=1), open_to) / self._unseen
            often = 1 - np.exp(-shown[np.clip(each.lacking - 1, 0, len(shown) - 1)] * open_to)
            at = int(np.lexsort((-live, each.lacking))[0])
            lasting = LASTING if aim == Aim() else LASTING_OF_SUITS if aim.shape is None else 1.0
            pace = self._pace.find_pace(int(each.lacking[at]), float(live[at]), lasting)
            for number, way in enumerate(WAYS):
                may = np.where(last, way.taken, way.claims and aim.shape is None)
                claim = np.where(may, often, 0.0)
                columns.append((each.lacking, live, claim, np.full(n, number), np.full(n, pace)))
        items = Items(*[np.concatenate(column) for column in zip(*columns, strict=True)])
        return self._pace.reach(items, at_once=at_once).reshape(len(chosen), len(WAYS), n, 3)

    def _try_aims(
        self,
        chosen: list[tuple[Aim, Distances]],
        chances: Floats,
        traits: Traits,
        spread: Floats | None,
        pricer: Pricer,
        held: NDArray[np.int64],
        places: NDArray[np.intp] | None,
        effort: Effort,
    ) -> list[_Tried]:
        """The aims, the likeliest first, each by the better way: with claims, or all concealed."""
        likely = chances[..., :2].sum(axis=3).max(axis=(1, 2))
        tried = []
        for number in np.argsort(-likely, kind="stable"):
            aim, distances = chosen[number]
            if likely[number] < effort.faint * likely.max():
                break
            prices = pricer.price(aim, effort.priced)
            if not len(prices.tiles):
                continue
            near = find_nearest(prices, held, places, chances.shape[2])
            pays, won = average_pays(prices, near)
            trust = (1.0 if aim == Aim() else NARROW) * won
            ways = []
            for opened in (False, True):
                drawn, taken = pays[:, 2 * opened], pays[:, 2 * opened + 1]
                on_draws, every = (WAYS.index(Way(opened, also)) for also in (False, True))
                chance = np.where(taken[:, None] > 0, chances[number, every], chances[number, on_draws])
                chance *= trust[:, int(opened), None]
                wins = chance[:, 0] + chance[:, 1]
                gain = chance[:, 0] * drawn + chance[:, 1] * taken - wins * self._lost
                ways.append((gain, wins, np.maximum(drawn, taken)))
            better = ways[1][0] > ways[0][0]
            gain, wins, most = (np.where(better, b, a) for a, b in zip(*ways, strict=True))
            chain = wins
            if aim == Aim():
                pays = gain / np.maximum(chain, LEAST) + self._lost
                self._corrector.usual = float(np.average(pays, weights=np.maximum(chain, LEAST)))
                gain, wins = self._corrector.set_right(pays, traits._replace(chain=chain), spread)
            else:
                gain = keep_open(gain, near, distances.lacking)
            tried.append(_Tried(aim, np.maximum(gain, 0.0), chain, wins, most, distances.lacking, prices))
        return tried

    def _choose(
        self,
        tried: list[_Tried],
        traits: Traits,
        whole: bytes,
        melds: tuple[Meld, ...],
        outs: list[Tile] | None,
        effort: Effort,
        at_once: bool,
    ) -> list[Estimate]:
        gains = np.array([each.gain for each in tried])  # (aims, n)
        lacking = np.min([each.lacking for each in tried], axis=0)
        plain = next((each for each in tried if each.aim == Aim()), None)
        near = self._weigh_near(lacking, gains.max(axis=0), traits, whole, melds, outs, effort, at_once)
        of_near = np.zeros(len(lacking))
        for at, looked in near.items():
            of_near[at] = looked.gain
            for row, each in zip(gains, tried, strict=True):
                if each.lacking[at] <= lacking[at]:  # what is looked at tile by tile holds this aim too
                    row[at] = 0.0
        if of_near.any():
            rest = [at for at in range(len(lacking)) if at not in near]
            gains[0, rest] = np.minimum(gains[0, rest], of_near[of_near > 0].min())
        gains = np.concatenate((gains, of_near[None]))
        best, second = np.sort(gains, axis=0)[::-1][:2]
        share = np.where(lacking <= NEAR, 0.0, SECOND)
        values = self._lost + (1 - share) * best + share * second
        if outs is not None:
            if plain is not None and lacking.min() >= FAR:
                values = distrust_far(values, best, find_lead([(each.gain, each.wins) for each in tried]))
            company = np.array([measure_company(list(whole), out) for out in outs])
            values -= COMPANY * best.max() * company
        safe = self._folded + FOLDED * best
        folds, goes, values = values < safe, values, np.maximum(values, safe)
        chosen = gains.argmax(axis=0)
        of_aim, often = _find_wins(chosen, tried, near, lacking)
        found = []
        for at, number in enumerate(chosen):
            aim, wins = tried[number % len(tried)], float(often[at])
            row = self._payoff.name_row(aim.prices.concealed[0], melds)
            picky = bool(aim.pays[at] > PICKY * tried[0].pays[at] > 0)
            usual = self._corrector.usual * self._learned.find_ratio(traits)
            value, going, pays = float(values[at]), float(goes[at]), float(aim.pays[at])
            brings, gives_up = float(of_aim[at]) * pays, bool(folds[at])
            lacks = int(lacking[at])
            found.append(Estimate(value, wins, row, pays, picky, brings, lacks, usual, gives_up, going))
        return found

    def _weigh_near(
        self,
        lacking: NDArray[np.int64],
        gains: Floats,
        traits: Traits,
        whole: bytes,
        melds: tuple[Meld, ...],
        outs: list[Tile] | None,
        effort: Effort,
        at_once: bool,
    ) -> dict[int, NearGain]:
        """What the nearest of these hands gain and how often they win, looked at tile by tile, by number."""
        found: dict[int, NearGain] = {}
        nearest = int(lacking.min())
        if nearest > NEAR:
            return found
        for at in np.argsort(-gains, kind="stable").tolist():
            if lacking[at] > nearest or len(found) >= effort.near * (1 + NEAR - nearest):
                continue
            held = whole if outs is None else take_out(whole, outs[at])
            looked = look_at(self._near, held, melds, nearest, self.lost, at_once)
            found[at] = gain_near(self._corrector, traits, at, looked)
        return keep_more(self._corrector, found)

    def _find_place(self, tile: Tile) -> int:
        wild = self._wild
        return wild.tile.index if wild is not None and wild.substitute is tile else tile.index


def _find_wins(
    chosen: NDArray[np.int64],
    tried: list[_Tried],
    near: dict[int, NearGain],
    lacking: NDArray[np.int64],
) -> tuple[Floats, Floats]:
    """How often hands win (n,) for these aims by their numbers, the last one for near hands: strictly by that
    aim, and by who goes on best."""
    wins, gains, others, other_gains = np.zeros((4, len(lacking)))
    plain = next((each for each in tried if each.aim == Aim()), None)
    for at, number in enumerate(chosen.tolist()):
        if number == len(tried) and at in near:
            gains[at], wins[at] = near[at].gain, near[at].wins
            continue
        aim = tried[number % len(tried)]
        gains[at], wins[at] = aim.gain[at], aim.wins[at]
        if plain is not None:
            other_gains[at], others[at] = plain.gain[at], plain.wins[at]
    return wins, go_on(wins, gains, others, other_gains, lacking)
