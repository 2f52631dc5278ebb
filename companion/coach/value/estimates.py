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
    Way,
    list_kind_weights,
    mark_claimable,
)
from companion.coach.value.corrections import (
    FAR,
    LEAST,
    NEAR,
    Corrections,
    Traits,
    add_other_aims,
    discount_far_differences,
    pick_leading_aim,
)
from companion.coach.value.distances import KINDS_OF_HANDS, PLACES, Floats, StandardDistances
from companion.coach.value.judge import measure_company, take_out
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
from companion.rules.waiting import make_hand
from companion.tiles import Meld, MeldKind, Tile


class Corrector:
    """Sets right what hands of one position gain. lost: what is lost without a win, at most 0; trust: what
    falls short of a chain that lacks so many tiles, (MOST_LACKING + 1,)."""

    def __init__(self, learned: Corrections, lost: float, trust: Floats) -> None:
        self.learned, self.lost, self._trust = learned, lost, trust
        self.usual = 0.0
        """What hands of this position usually pay; 0 where it is not known."""

    def correct(self, pays: Floats, traits: Traits, spread: Floats | None = None) -> tuple[Floats, Floats]:
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


def examine_near_hand(
    near: NearHands, held: bytes, melds: tuple[Meld, ...], lacking: int, lost: float, at_once: bool = False
) -> tuple[float, float, Leads]:
    """What a hand (42 counts) that lacks 1 or 2 tiles is said to pay, how often it wins, and what its useful
    tiles lead to. lost: what is lost without a win; at_once: the next tile is drawn before others play."""
    evaluate = near.evaluate_ready if lacking < NEAR else near.evaluate_one_away
    worth, leads = evaluate(held, melds)[-1], near.list_leads(held, melds)
    if at_once:
        worth = leads.drawn + (1 - leads.live) * worth
    value, wins = worth.tolist()
    return (value - lost) / max(wins, LEAST) + lost, wins, leads


def value_near_hand(
    corrector: Corrector, traits: Traits, at: int, looked: tuple[float, float, Leads]
) -> NearGain:
    """What hand `at` of those that show these traits gains, by how it was looked at."""
    pays, wins, leads = looked
    own = traits.pick(at, wins)
    own = own._replace(
        chain=leads.share * own.chain, live=leads.share * own.live, open=leads.share * own.open
    )
    gain, often = corrector.correct(np.array([pays]), own)
    return NearGain(max(0.0, float(gain[0])), float(often[0]), pays, wins, leads, own)


def enforce_dominance(corrector: Corrector, found: dict[int, NearGain]) -> dict[int, NearGain]:
    """The hands by number, each worth at least what one is of which it keeps every way to win, and what it
    wins beside. What was learned holds for how often a hand wins and what it pays on the average; where cheap
    wins are added to dear ones, the average falls, and all that it pays does not."""
    kept: dict[int, NearGain] = {}
    for at in sorted(found, key=lambda number: (found[number].raw_wins, found[number].gain)):
        hand = found[at]
        for other in [*kept.values()]:
            if hand.leads.dominates(other.leads):
                wins, added = max(hand.wins, other.wins), hand.raw_wins - other.raw_wins
                pays = (hand.pays * hand.raw_wins - other.pays * other.raw_wins) / max(added, LEAST)
                paid = corrector.find_pays(np.array([max(0.0, pays)]), hand.traits)
                more = (wins - other.wins) * float(paid[0] - corrector.lost) if added > LEAST else 0.0
                hand = hand._replace(gain=max(hand.gain, other.gain + max(0.0, more)), wins=wins)
        kept[at] = hand
    return kept


ALONE = 0.46
"""By how many per cent oftener hands are won that are one per cent wider, where no more is known;"""
NOW, NEXT = 0.14, 0.52
"""and that are so now, and when they are one tile nearer. Of 1,000 positions of hands of five sets, and 600
of four, two to four tiles from ready, in a plain simulation: every discard that kept a hand as near was
played out 60 times with players who go by the number of useful tiles. Errors are 0.03 to 0.06."""
WIDE = 0.8
"""Hands that are narrower now than this share of the widest are not looked at a step ahead."""
LEAST_WIDE = 0.5
"""A hand that nothing brings on any more counts as if so many tiles did."""
LEAST_LIVE = 1e-6


class Widths:
    """Compares hands of one position. left: unseen tiles by place (34,); often: how much oftener than others
    the kind of each place is discarded (36,)."""

    def __init__(self, outlook: Outlook, left: NDArray[np.int64], wild_left: int, often: Floats) -> None:
        self._judge, self._fortune, self._wild = outlook.judge, outlook.fortune, outlook.wild
        self._others, self._chows, self._shown = outlook.course.others, outlook.chows, outlook.rates.shown
        self._left = np.append(left, np.zeros(PLACES - KINDS_OF_HANDS, np.int64)).astype(float)
        self._wild_left, self._often = wild_left, often

    def compare(
        self,
        hands: list[bytes],
        melds: tuple[Meld, ...],
        traits: Traits,
        useful: NDArray[np.bool_],
        looks: int,
    ) -> Floats:
        """How often each of these hands between turns (42 counts) is won for how often the best is (n,), of
        those that are as near to ready as the nearest; 0 of the others.

        useful: the places that bring each nearer (n, 36). looks: how many are looked at a step ahead.
        """
        lacking = int(traits.lacking.min())
        shown = self._find_shown(lacking)
        nearest = traits.lacking == lacking
        now = np.maximum(LEAST_LIVE, np.where(nearest, traits.live + shown * traits.open, 0.0))
        widest = int(now.argmax())
        wider = np.log(now / now[widest])
        found, first = ALONE * wider, 1.0
        for at in np.argsort(-now, kind="stable")[:looks].tolist():
            if now[at] >= WIDE * now[widest]:
                later = self._look_ahead(hands[at], melds, useful[at], lacking)
                first = later if at == widest else first
                found[at] = NOW * wider[at] + NEXT * np.log(later / first)
        spread: Floats = np.where(nearest, np.exp(found - found[nearest].max()), 0.0)
        return spread

    def _look_ahead(
        self, held: bytes, melds: tuple[Meld, ...], useful: NDArray[np.bool_], lacking: int
    ) -> float:
        """How many tiles will bring on a hand between turns (42 counts) that lacks so many, after the useful
        tile (36,) that comes first and the best discard then: the harmonic mean, as time goes by it."""
        judge, shown = self._judge, self._find_shown(lacking - 1)
        game = judge.rules.game(melds, judge.options)
        hand = make_hand(judge.rules, list(held), melds, judge.options, self._fortune)
        own = np.append(place_hand(hand), np.zeros(PLACES - KINDS_OF_HANDS, np.int64))
        weights = useful * self._left * (1 + shown * self._often * self._count_open(own[None])[0])
        time = 0.0
        for place in np.flatnonzero(weights).tolist():
            more = bytearray(held)
            more[find_real(self._wild, place)] += 1
            reach = StandardDistances(
                make_hand(judge.rules, list(more), melds, judge.options, self._fortune), game
            )
            own[place] += 1
            self._left[place] -= 1
            time += weights[place] / self._find_width(reach, own, shown)
            self._left[place] += 1
            own[place] -= 1
        return float(weights.sum() / time) if time else LEAST_WIDE

    def _find_width(self, reach: StandardDistances, own: NDArray[np.int64], shown: float) -> float:
        """How many tiles bring a hand on after the best discard."""
        places = np.flatnonzero(own)
        lacks = reach.after_discards()[places]
        near = places[lacks == lacks.min()]
        useful = (reach.after_exchanges(near) < lacks.min()) * self._left
        after = np.repeat(own[None], len(near), axis=0)
        after[np.arange(len(near)), near] -= 1
        claimable = (useful * self._often * self._count_open(after)).sum(axis=1)
        width = useful.sum(axis=1) + self._wild_left + shown * claimable
        return max(LEAST_WIDE, float(width.max()))

    def _find_shown(self, lacking: int) -> float:
        """How often a tile is discarded that such a hand may claim, of those that are unseen."""
        return self._shown[min(lacking, len(self._shown)) - 1]

    def _count_open(self, held: NDArray[np.int64]) -> Floats:
        """From how many opponents each kind may be claimed by these hands (n, 36)."""
        pungs, chows = mark_claimable(held, self._chows)
        return (self._others * pungs + chows).astype(np.float64)


FARTHER = 4
"""How many tiles more than the nearest an aim may lack to be looked at."""
SECOND = 0.15
"""How much the second best aim counts beside the best: one may turn to it."""
NARROW = 0.7
"""Narrow aims are taken to be reached less often than the rates of usual hands say, by this factor."""
WIDTH_KEPT_OF_SUITS = 0.6
"""As WIDTH_KEPT, of one suit and of triplets: later tiles are of the same few kinds."""
COMPANY = 0.005
"""What a neighbour of a tile is worth that is kept, as a share of what the best choice gains."""
EXPENSIVE_RATIO = 1.5
"""An aim that pays so much more than any hand would is one to wait for."""
FOLDED = 0.001
"""What is left of a gain to who discards safe tiles only: by it the better of these is told."""


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
    expensive: bool
    brings: float = 0.0
    lacking: int = 0
    usual: float = 0.0
    folds: bool = False
    continuing: float = 0.0


class _TriedAim(NamedTuple):
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

    def __init__(self, outlook: Outlook, learned: Corrections, threat: int) -> None:
        self._judge, self._payoff, self._rates = outlook.judge, outlook.payoff, outlook.rates
        self._course, self._fortune, self._chows = outlook.course, outlook.fortune, outlook.chows
        self._learned, self._threat = learned, threat
        self._pace = Chain(outlook.course, outlook.rates)
        self._standings, self._wild = outlook.distances, outlook.wild
        self._placed, self._wild_left = place_left(outlook.left, self._wild)
        self._often = list_kind_weights(outlook.course.kinds)
        self._unseen = max(1, int(self._placed.sum()) + self._wild_left)
        self._near = NearHands(outlook)
        self._widths = Widths(outlook, self._placed, self._wild_left, self._often)
        never = ChainHands(*[np.array([each]) for each in (MOST_LACKING, 0.0, 0.0, 0, 0)])
        self.lost = -float(self._pace.find_outcomes(never)[0, 2]) * outlook.course.loss
        self._lost = self.lost * learned.push[threat]
        self._corrector = Corrector(learned, self._lost, self._pace.trust)
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
        """The hand of 42 counts after each of these discards, none of them wild; as it is, where None.

        ahead: how many opponents discard before the own next draw; None: all. at_once: a tile is drawn before
        that, as after a kong.
        """
        tried, traits = self._collect_aims(whole, melds, outs, effort, ahead, at_once)
        if not tried:
            return [Estimate(self._lost, 0.0, "", 0.0, False, continuing=self._lost)] * len(traits.lacking)
        return self._choose(tried, traits, whole, melds, outs, effort, at_once)

    def examine(
        self, whole: bytes, melds: tuple[Meld, ...], effort: Effort, ahead: int
    ) -> tuple[Traits, float] | None:
        """What a hand between turns shows, and what it is said to pay; None where it wins nothing. Of an
        estimator for which nothing was learned: for learning."""
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
            lasting = WIDTH_KEPT if aim == Aim() else WIDTH_KEPT_OF_SUITS if aim.shape is None else 1.0
            pace = self._pace.find_width(int(each.lacking[at]), float(live[at]), lasting)
            for number, way in enumerate(WAYS):
                may = np.where(last, way.taken, way.claims and aim.shape is None)
                claim = np.where(may, often, 0.0)
                columns.append((each.lacking, live, claim, np.full(n, number), np.full(n, pace)))
        items = ChainHands(*[np.concatenate(column) for column in zip(*columns, strict=True)])
        return self._pace.find_outcomes(items, at_once=at_once).reshape(len(chosen), len(WAYS), n, 3)

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
                values = discount_far_differences(
                    values, best, pick_leading_aim([(each.gain, each.wins) for each in tried])
                )
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
            expensive = bool(aim.pays[at] > EXPENSIVE_RATIO * tried[0].pays[at] > 0)
            usual = self._corrector.usual * self._learned.find_ratio(traits)
            value, going, pays = float(values[at]), float(goes[at]), float(aim.pays[at])
            brings, gives_up = float(of_aim[at]) * pays, bool(folds[at])
            lacks = int(lacking[at])
            found.append(Estimate(value, wins, row, pays, expensive, brings, lacks, usual, gives_up, going))
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
        """What the nearest of these hands gain and how often they win, looked at tile by tile, by number."""
        found: dict[int, NearGain] = {}
        nearest = int(lacking.min())
        if nearest > NEAR:
            return found
        for at in np.argsort(-gains, kind="stable").tolist():
            if lacking[at] > nearest or len(found) >= effort.near * (1 + NEAR - nearest):
                continue
            held = whole if outs is None else take_out(whole, outs[at])
            looked = examine_near_hand(self._near, held, melds, nearest, self.lost, at_once)
            found[at] = value_near_hand(self._corrector, traits, at, looked)
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
    return wins, add_other_aims(wins, gains, others, other_gains, lacking)
