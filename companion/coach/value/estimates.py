"""What hands between turns are worth that differ in one discard: estimated for every aim, the best counts.

The chain of rates estimates how often an aim is reached (companion.coach.value.chances), its nearest finished
hands what it pays (companion.coach.value.payoff). Hands that are ready, or one tile from ready, are examined
tile by tile. Far hands are compared by their width now, and when they are one tile nearer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach.value.aims import Aim, Distances
from companion.coach.value.chances import (
    MOST_LACKING,
    WAYS,
    WIDTH_KEPT,
    Chain,
    ChainHands,
    WinPath,
    list_kind_weights,
    mark_claimable,
)
from companion.coach.value.corrections import (
    FAR,
    NEAR,
    TINY,
    Corrections,
    Traits,
    add_other_aims,
    discount_far_differences,
    pick_leading_aim,
)
from companion.coach.value.distances import KINDS_OF_HANDS, PLACES, Floats, StandardDistances
from companion.coach.value.judge import measure_company, remove_tile
from companion.coach.value.outlook import Outlook
from companion.coach.value.payoff import (
    Pricer,
    Prices,
    average_pays,
    find_nearest,
    find_real,
    keep_open,
    place_hand,
    place_left,
)
from companion.coach.value.ready import Leads, NearHands
from companion.tiles import Meld, MeldKind, Tile


class Corrector:
    """Corrects the estimates of hands of one position.

    lost: the loss without a win, at most 0; trust: the share of the chain's wins that come true, by tiles
    missing, (MOST_LACKING + 1,).
    """

    def __init__(self, learned: Corrections, lost: float, trust: Floats) -> None:
        self.learned, self.lost, self._trust = learned, lost, trust
        self.usual = 0.0
        """Usual pay of hands of this position; 0 if unknown."""

    def correct(self, pays: Floats, traits: Traits, spread: Floats | None = None) -> tuple[Floats, Floats]:
        """The corrected gains and chances to win, from the predicted payments (n,).

        spread: of far hands, the chance to win relative to the best of the nearest. The correction is then
        that of the best one, since it was learned from hands of different positions and does not distinguish
        those of one.
        """
        predicted = traits.chain if traits.near is None else traits.near
        wins = self.learned.find_wins(traits)
        if spread is not None:
            best = int(spread.argmax())
            plain = traits.chain / self._trust[np.clip(traits.lacking, 0, MOST_LACKING)]
            farther = np.minimum(1.0, plain / max(TINY, float(plain[best])))
            wins = wins[best] * np.where(spread > 0, spread, farther)
        return np.where(predicted > 0, wins * (self.find_pays(pays, traits) - self.lost), 0.0), wins

    def find_pays(self, pays: Floats, traits: Traits) -> Floats:
        """The corrected payments (n,)."""
        return self.learned.find_pays(pays, self.usual or float(pays.mean()), traits)


class NearGain(NamedTuple):
    """The gain of a near hand over never winning, and its chance to win, both corrected; the payment and
    the chance to win that the search found; what its useful tiles lead to, and its traits."""

    gain: float
    wins: float
    pays: float
    raw_wins: float
    leads: Leads
    traits: Traits


def examine_near_hand(
    near: NearHands, held: bytes, melds: tuple[Meld, ...], lacking: int, lost: float, at_once: bool = False
) -> tuple[float, float, Leads]:
    """The payment of a hand (42 counts) that misses 1 or 2 tiles, its chance to win, and what its useful
    tiles lead to.

    lost: the loss without a win; at_once: the next tile is drawn before opponents play.
    """
    evaluate = near.evaluate_ready if lacking < NEAR else near.evaluate_one_away
    worth, leads = evaluate(held, melds)[-1], near.list_leads(held, melds)
    if at_once:
        worth = leads.drawn + (1 - leads.live) * worth
    value, wins = worth.tolist()
    return (value - lost) / max(wins, TINY) + lost, wins, leads


def value_near_hand(
    corrector: Corrector, traits: Traits, at: int, searched: tuple[float, float, Leads]
) -> NearGain:
    """The gain of hand `at` of those with these traits, from the result of its search."""
    pays, wins, leads = searched
    own = traits.pick(at, wins)
    own = own._replace(
        chain=leads.share * own.chain, live=leads.share * own.live, open=leads.share * own.open
    )
    gain, often = corrector.correct(np.array([pays]), own)
    return NearGain(max(0.0, float(gain[0])), float(often[0]), pays, wins, leads, own)


def enforce_dominance(corrector: Corrector, found: dict[int, NearGain]) -> dict[int, NearGain]:
    """The hands by number, each worth at least as much as another whose every way to win it keeps, and the
    wins it adds.

    Corrections apply to the chance to win and the mean payment; where cheap wins are added to expensive ones
    the mean falls, but the sum of payments does not.
    """
    kept: dict[int, NearGain] = {}
    for at in sorted(found, key=lambda number: (found[number].raw_wins, found[number].gain)):
        hand = found[at]
        for other in [*kept.values()]:
            if hand.leads.dominates(other.leads):
                wins, added = max(hand.wins, other.wins), hand.raw_wins - other.raw_wins
                pays = (hand.pays * hand.raw_wins - other.pays * other.raw_wins) / max(added, TINY)
                paid = corrector.find_pays(np.array([max(0.0, pays)]), hand.traits)
                more = (wins - other.wins) * float(paid[0] - corrector.lost) if added > TINY else 0.0
                hand = hand._replace(gain=max(hand.gain, other.gain + max(0.0, more)), wins=wins)
        kept[at] = hand
    return kept


WIDTH_EXPONENT = 0.46
"""Elasticity: a hand with 1% more useful tiles wins this many per cent more often, if nothing more is known.
"""
WIDTH_NOW, WIDTH_NEXT = 0.14, 0.52
"""The same elasticity for the width now, and for the width when the hand is one tile nearer. From 1,000
positions of hands of five sets, and 600 of four, two to four tiles from ready, in a plain simulation: every
discard that kept the hand as near was played out 60 times with players who discard by the number of useful
tiles. Errors are 0.03 to 0.06."""
MIN_RELATIVE_WIDTH = 0.8
"""Hands narrower than this share of the widest are not examined a step ahead."""
MIN_WIDTH = 0.5
"""The width of a hand that no tile brings nearer any more."""
MIN_LIVE = 1e-6


class Widths:
    """Compares the widths of hands of one position.

    left: unseen tiles by place (34,); often: the relative frequency with which the kind of each place is
    discarded (36,).
    """

    def __init__(self, outlook: Outlook, left: NDArray[np.int64], wild_left: int, often: Floats) -> None:
        self._outlook, self._wild = outlook, outlook.wild
        self._others, self._chows, self._shown = outlook.chances.others, outlook.chows, outlook.rates.shown
        self._left = np.append(left, np.zeros(PLACES - KINDS_OF_HANDS, np.int64)).astype(float)
        self._wild_left, self._often = wild_left, often

    def compare(
        self,
        hands: list[bytes],
        melds: tuple[Meld, ...],
        traits: Traits,
        useful: NDArray[np.bool_],
        n_ahead: int,
    ) -> Floats:
        """The chance to win of each of these hands between turns (42 counts), relative to the best (n,),
        among those as near to ready as the nearest; 0 for the others.

        useful: the places that bring each nearer (n, 36). looks: the number of hands examined a step ahead.
        """
        lacking = int(traits.lacking.min())
        shown = self._find_shown(lacking)
        nearest = traits.lacking == lacking
        now = np.maximum(MIN_LIVE, np.where(nearest, traits.live + shown * traits.open, 0.0))
        widest = int(now.argmax())
        wider = np.log(now / now[widest])
        found, first = WIDTH_EXPONENT * wider, 1.0
        for at in np.argsort(-now, kind="stable")[:n_ahead].tolist():
            if now[at] >= MIN_RELATIVE_WIDTH * now[widest]:
                later = self._look_ahead(hands[at], melds, useful[at], lacking)
                first = later if at == widest else first
                found[at] = WIDTH_NOW * wider[at] + WIDTH_NEXT * np.log(later / first)
        spread: Floats = np.where(nearest, np.exp(found - found[nearest].max()), 0.0)
        return spread

    def _look_ahead(
        self, held: bytes, melds: tuple[Meld, ...], useful: NDArray[np.bool_], lacking: int
    ) -> float:
        """The number of tiles that will bring a hand between turns (42 counts) nearer after a useful tile
        (36,) and the best discard: the harmonic mean over useful tiles, because the time to the next step
        counts."""
        judge, shown = self._outlook.judge, self._find_shown(lacking - 1)
        game = judge.rules.game(melds, judge.options)
        hand = self._outlook.make_hand(held, melds)
        own = np.append(place_hand(hand), np.zeros(PLACES - KINDS_OF_HANDS, np.int64))
        weights = useful * self._left * (1 + shown * self._often * self._count_open(own[None])[0])
        time = 0.0
        for place in np.flatnonzero(weights).tolist():
            more = bytearray(held)
            more[find_real(self._wild, place)] += 1
            distances = StandardDistances(self._outlook.make_hand(bytes(more), melds), game)
            own[place] += 1
            self._left[place] -= 1
            time += weights[place] / self._find_width(distances, own, shown)
            self._left[place] += 1
            own[place] -= 1
        return float(weights.sum() / time) if time else MIN_WIDTH

    def _find_width(self, distances: StandardDistances, own: NDArray[np.int64], shown: float) -> float:
        """The number of tiles that bring a hand nearer after the best discard."""
        places = np.flatnonzero(own)
        lacks = distances.after_discards()[places]
        near = places[lacks == lacks.min()]
        useful = (distances.after_exchanges(near) < lacks.min()) * self._left
        after = np.repeat(own[None], len(near), axis=0)
        after[np.arange(len(near)), near] -= 1
        claimable = (useful * self._often * self._count_open(after)).sum(axis=1)
        width = useful.sum(axis=1) + self._wild_left + shown * claimable
        return max(MIN_WIDTH, float(width.max()))

    def _find_shown(self, lacking: int) -> float:
        """How often a tile is discarded that such a hand may claim, of those that are unseen."""
        return self._shown[min(lacking, len(self._shown)) - 1]

    def _count_open(self, held: NDArray[np.int64]) -> Floats:
        """From how many opponents each kind may be claimed by these hands (n, 36)."""
        pungs, chows = mark_claimable(held, self._chows)
        return (self._others * pungs + chows).astype(np.float64)


MAX_TILES_FARTHER = 4
"""An aim may miss this many tiles more than the nearest to be examined."""
SECOND_AIM_WEIGHT = 0.15
"""The weight of the second best aim relative to the best: the player may change to it."""
NARROW_AIM_FACTOR = 0.7
"""Narrow aims are reached this many times as often as the rates of usual hands predict."""
WIDTH_KEPT_OF_SUITS = 0.6
"""WIDTH_KEPT for hands of one suit or of triplets: later tiles are of the same few kinds."""
NEIGHBOUR_WORTH = 0.005
"""The worth of a kept neighbour of a tile, as a share of the best choice's gain."""
EXPENSIVE_RATIO = 1.5
"""An aim that pays this many times as much as any hand is worth waiting for."""
FOLDED_SHARE = 0.001
"""The share of a gain that is left when only safe tiles are discarded: it ranks these discards."""


class Effort(NamedTuple):
    """How much is examined: finished hands priced for every aim, hands searched tile by tile (among those
    one tile from ready; twice as many ready ones), hands examined a step ahead, and the least chance
    relative to the likeliest aim."""

    priced: int
    near: int
    ahead: int
    faint: float


QUICK, THOROUGH = Effort(4, 3, 4, 0.08), Effort(12, 14, 14, 0.01)


class Estimate(NamedTuple):
    """The worth of a hand between turns.

    value: the mean payment. wins: the chance to win. row: the row that it is played for, and what that pays.
    expensive: whether cheaper hands are passed up for it. brings: what wins of that aim contribute. lacking:
    tiles missing. usual: what a win of such hands usually pays. folds: whether giving up loses less.
    continuing: the worth of continuing.
    """

    value: float
    wins: float
    row: str
    pays: float
    expensive: bool
    brings: float = 0.0
    lacking: int = 0
    usual: float = 0.0
    folds: bool = False
    continuing: float = 0.0


class _TriedAim(NamedTuple):
    """One aim of n hands: its gain over never winning (n,), its chance to win by the chain and corrected,
    and its highest payment."""

    aim: Aim
    gain: Floats
    chain: Floats
    wins: Floats
    pays: Floats
    lacking: NDArray[np.int64]
    prices: Prices


class Estimator:
    """Estimates hands of one position. threat: what opponents show (`find_threat`)."""

    def __init__(self, outlook: Outlook, learned: Corrections, threat: int) -> None:
        self._outlook, self._payoff, self._rates = outlook, outlook.payoff, outlook.rates
        self._chances, self._chows = outlook.chances, outlook.chows
        self._learned, self._threat = learned, threat
        self._chain = Chain(outlook.chances, outlook.rates)
        self._distances, self._wild = outlook.distances, outlook.wild
        self._placed, self._wild_left = place_left(outlook.left, self._wild)
        self._often = list_kind_weights(outlook.chances.kinds)
        self._unseen = max(1, int(self._placed.sum()) + self._wild_left)
        self._near = NearHands(outlook)
        self._widths = Widths(outlook, self._placed, self._wild_left, self._often)
        never = ChainHands(*[np.array([each]) for each in (MOST_LACKING, 0.0, 0.0, 0, 0)])
        self.lost = -float(self._chain.find_outcomes(never)[0, 2]) * outlook.chances.loss
        self._lost = self.lost * learned.push[threat]
        self._corrector = Corrector(learned, self._lost, self._chain.trust)
        self._folded = self.lost * learned.fold[threat]

    def evaluate(
        self,
        whole: bytes,
        melds: tuple[Meld, ...],
        outs: list[Tile] | None,
        effort: Effort,
        ahead: int | None = None,
        at_once: bool = False,
    ) -> list[Estimate]:
        """The estimates of the hand of 42 counts after each of these discards, none of them wild; of the hand
        as it is where None.

        ahead: the opponents who discard before the player's next draw; None: all. at_once: a tile is drawn
        before that, as after a kong.
        """
        tried, traits = self._collect_aims(whole, melds, outs, effort, ahead, at_once)
        if not tried:
            return [Estimate(self._lost, 0.0, "", 0.0, False, continuing=self._lost)] * len(traits.lacking)
        return self._choose(tried, traits, whole, melds, outs, effort, at_once)

    def examine(
        self, whole: bytes, melds: tuple[Meld, ...], effort: Effort, ahead: int
    ) -> tuple[Traits, float] | None:
        """The traits of a hand between turns and its predicted payment, uncorrected: for learning the
        corrections.

        None if it wins nothing.
        """
        tried, traits = self._collect_aims(whole, melds, None, effort, ahead)
        plain = next((each for each in tried if each.aim == Aim()), None)
        if plain is None or not plain.chain[0]:
            return None
        nearest = min(int(each.lacking[0]) for each in tried)
        if nearest <= NEAR:
            pays, wins, _ = examine_near_hand(self._near, whole, melds, nearest, self.lost)
            if wins > 0:
                return traits._replace(near=np.array([wins])), pays
        return traits, float(plain.gain[0] / plain.chain[0]) + self._lost

    def _collect_aims(
        self,
        whole: bytes,
        melds: tuple[Meld, ...],
        outs: list[Tile] | None,
        effort: Effort,
        ahead: int | None,
        at_once: bool = False,
    ) -> tuple[list[_TriedAim], Traits]:
        """The aims worth examining, and the traits of the hands."""
        hand = self._outlook.make_hand(whole, melds)
        held = place_hand(hand)
        places = None if outs is None else np.array([self._find_place(out) for out in outs])
        distances, winning = self._distances.measure_aims(whole, melds, outs)
        nearest = min(int(each.lacking.min()) for _, each in distances)
        chosen = [
            (aim, each)
            for aim, each in distances
            if each.lacking.min() <= min(nearest + MAX_TILES_FARTHER, 12)
        ]
        after = np.zeros((1 if places is None else len(places), PLACES), np.int64)
        after[:, :KINDS_OF_HANDS] = held
        if places is not None:
            after[np.arange(len(after)), places] -= 1
        pricer = self._outlook.make_pricer(hand, melds, winning)
        ahead = self._chances.others if ahead is None else ahead
        any_hand = distances[0][1]
        claimed = sum(meld.kind is not MeldKind.KONG_CONCEALED for meld in melds)
        traits = self._read_traits(any_hand, after, claimed, ahead)
        chances = self._find_chances(chosen, after, at_once)
        spread = None
        if outs is not None and traits.lacking.min() > NEAR:
            hands = [remove_tile(whole, out) for out in outs]
            n_ahead = 0 if winning else effort.ahead  # a step ahead considers only the shape
            spread = self._widths.compare(hands, melds, traits, any_hand.useful, n_ahead)
        tried = self._try_aims(chosen, chances, traits, spread, pricer, held, places, effort)
        plain = next((each for each in tried if each.aim == Aim()), None)
        traits = traits if plain is None else traits._replace(chain=plain.chain)
        for aim, each in chosen:
            nearer = each.lacking < traits.lacking
            if aim.shape is not None and nearer.any():
                chain = next(
                    (other.chain / NARROW_AIM_FACTOR for other in tried if other.aim == aim), traits.chain
                )
                own = self._read_traits(each, after, claimed, ahead)._replace(chain=chain)
                traits = traits.turn(nearer, own._replace(open=np.zeros(len(after))))
        return tried, traits

    def _read_traits(self, aim: Distances, held: NDArray[np.int64], melds: int, ahead: int) -> Traits:
        """The traits of the hands when played for an aim, without the chance to win."""
        pungs, chows = mark_claimable(held, self._chows)
        left = np.append(self._placed, np.zeros(PLACES - KINDS_OF_HANDS))
        useful = aim.useful * left
        claimable = (useful * self._often * (self._chances.others * pungs + chows)).sum(axis=1)
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
        others, n, shown = self._chances.others, len(held), np.array(self._rates.shown)
        columns: list[tuple[NDArray[np.int64] | Floats, ...]] = []
        for aim, each in chosen:
            useful = each.useful * left
            live = (useful.sum(axis=1) + self._wild_left) / self._unseen
            last = each.lacking == 1
            shown_often = useful * self._often
            open_to = (shown_often * (others * pungs + chows)).sum(axis=1)
            open_to = np.where(last, others * shown_often.sum(axis=1), open_to) / self._unseen
            often = 1 - np.exp(-shown[np.clip(each.lacking - 1, 0, len(shown) - 1)] * open_to)
            at = int(np.lexsort((-live, each.lacking))[0])
            lasting = WIDTH_KEPT if aim == Aim() else WIDTH_KEPT_OF_SUITS if aim.shape is None else 1.0
            width = self._chain.find_width(int(each.lacking[at]), float(live[at]), lasting)
            for number, way in enumerate(WAYS):
                may = np.where(last, way.taken, way.claims and aim.shape is None)
                claim = np.where(may, often, 0.0)
                columns.append((each.lacking, live, claim, np.full(n, number), np.full(n, width)))
        items = ChainHands(*[np.concatenate(column) for column in zip(*columns, strict=True)])
        return self._chain.find_outcomes(items, at_once=at_once).reshape(len(chosen), len(WAYS), n, 3)

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
    ) -> list[_TriedAim]:
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
            trust = (1.0 if aim == Aim() else NARROW_AIM_FACTOR) * won
            ways = []
            for opened in (False, True):
                drawn, taken = pays[:, 2 * opened], pays[:, 2 * opened + 1]
                on_draws, every = (WAYS.index(WinPath(opened, also)) for also in (False, True))
                chance = np.where(taken[:, None] > 0, chances[number, every], chances[number, on_draws])
                chance *= trust[:, int(opened), None]
                wins = chance[:, 0] + chance[:, 1]
                gain = chance[:, 0] * drawn + chance[:, 1] * taken - wins * self._lost
                ways.append((gain, wins, np.maximum(drawn, taken)))
            better = ways[1][0] > ways[0][0]
            gain, wins, most = (np.where(better, b, a) for a, b in zip(*ways, strict=True))
            chain = wins
            if aim == Aim():
                pays = gain / np.maximum(chain, TINY) + self._lost
                self._corrector.usual = float(np.average(pays, weights=np.maximum(chain, TINY)))
                gain, wins = self._corrector.correct(pays, traits._replace(chain=chain), spread)
            else:
                gain = keep_open(gain, near, distances.lacking)
            tried.append(_TriedAim(aim, np.maximum(gain, 0.0), chain, wins, most, distances.lacking, prices))
        return tried

    def _choose(
        self,
        tried: list[_TriedAim],
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
        near = self._evaluate_near(lacking, gains.max(axis=0), traits, whole, melds, outs, effort, at_once)
        of_near = np.zeros(len(lacking))
        for at, searched in near.items():
            of_near[at] = searched.gain
            for row, each in zip(gains, tried, strict=True):
                if each.lacking[at] <= lacking[at]:  # the search tile by tile includes this aim
                    row[at] = 0.0
        if of_near.any():
            rest = [at for at in range(len(lacking)) if at not in near]
            gains[0, rest] = np.minimum(gains[0, rest], of_near[of_near > 0].min())
        gains = np.concatenate((gains, of_near[None]))
        best, second = np.sort(gains, axis=0)[::-1][:2]
        share = np.where(lacking <= NEAR, 0.0, SECOND_AIM_WEIGHT)
        values = self._lost + (1 - share) * best + share * second
        if outs is not None:
            if plain is not None and lacking.min() >= FAR:
                values = discount_far_differences(
                    values, best, pick_leading_aim([(each.gain, each.wins) for each in tried])
                )
            company = np.array([measure_company(list(whole), out) for out in outs])
            values -= NEIGHBOUR_WORTH * best.max() * company
        safe = self._folded + FOLDED_SHARE * best
        folds, continued, values = values < safe, values, np.maximum(values, safe)
        chosen = gains.argmax(axis=0)
        of_aim, often = _find_wins(chosen, tried, near, lacking)
        found = []
        for at, number in enumerate(chosen):
            aim, wins = tried[number % len(tried)], float(often[at])
            row = self._payoff.name_row(aim.prices.concealed[0], melds)
            expensive = bool(aim.pays[at] > EXPENSIVE_RATIO * tried[0].pays[at] > 0)
            usual = self._corrector.usual * self._learned.find_ratio(traits)
            value, continuing, pays = float(values[at]), float(continued[at]), float(aim.pays[at])
            brings, gives_up = float(of_aim[at]) * pays, bool(folds[at])
            lacks = int(lacking[at])
            found.append(
                Estimate(value, wins, row, pays, expensive, brings, lacks, usual, gives_up, continuing)
            )
        return found

    def _evaluate_near(
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
        """The gains and chances to win of the nearest of these hands, searched tile by tile, by number."""
        found: dict[int, NearGain] = {}
        nearest = int(lacking.min())
        if nearest > NEAR:
            return found
        for at in np.argsort(-gains, kind="stable").tolist():
            if lacking[at] > nearest or len(found) >= effort.near * (1 + NEAR - nearest):
                continue
            held = whole if outs is None else remove_tile(whole, outs[at])
            searched = examine_near_hand(self._near, held, melds, nearest, self.lost, at_once)
            found[at] = value_near_hand(self._corrector, traits, at, searched)
        return enforce_dominance(self._corrector, found)

    def _find_place(self, tile: Tile) -> int:
        wild = self._wild
        return wild.tile.index if wild is not None and wild.substitute is tile else tile.index


def _find_wins(
    chosen: NDArray[np.int64],
    tried: list[_TriedAim],
    near: dict[int, NearGain],
    lacking: NDArray[np.int64],
) -> tuple[Floats, Floats]:
    """The chances to win (n,) for these aims by their numbers, the last for near hands: for that aim
    alone, and with changes of aim."""
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
    return wins, add_other_aims(wins, gains, others, other_gains, lacking)
