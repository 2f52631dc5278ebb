"""The worth of hands that are ready or one tile from ready, by their waits; and the worth of a call of ready.

A worth is listed by the number of own draws left, (draws + 1, 2): the mean payment, and the chance to win.
A caller is paid for the call and bound: the wait stays, every tile that does not win is discarded, and at
some tables no win may be passed up. A silent player may change the wait, keep a dangerous tile, and call on a
later turn. Opponents are assumed to play alike in both cases.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach import messages
from companion.coach.seen import SeatView
from companion.coach.value.chances import mark_claimable, sort_kind
from companion.coach.value.danger import Dangers
from companion.coach.value.distances import KINDS_OF_HANDS, PLACES, RANKS, ShapeDistances, StandardDistances
from companion.coach.value.judge import HandView, list_tiles, put_in, remove_tile
from companion.coach.value.outlook import Outlook
from companion.coach.value.payoff import CALLS, Payoff, find_real
from companion.rules import Source
from companion.rules.shapes import standard_lacks
from companion.table.apply import apply
from companion.table.events import Discarded, ReadyDeclared
from companion.tiles import KINDS, Meld, MeldKind, Tile

Worths = NDArray[np.float64]
PAY_TOLERANCE = 1e-9
"""Payments that differ by no more are equal."""


class Leads(NamedTuple):
    """What the useful tiles of a near hand lead to.

    tiles: by kind, to compare two hands of one position, more is better; tiles that lead to no win are left
    out. share: their share of the unseen useful tiles. drawn: the mean payment and the chance to win by a
    useful tile drawn now, (2,); live: the chance to draw one.
    """

    tiles: dict[int, tuple[float, ...]]
    share: float
    drawn: Worths
    live: float

    def dominates(self, other: Leads) -> bool:
        """Whether every useful tile of the other hand is also useful here, and leads to no less."""
        return all(
            at in self.tiles
            and all(own >= its - PAY_TOLERANCE for own, its in zip(self.tiles[at], each, strict=True))
            for at, each in other.tiles.items()
        )


class ReadyWaits(NamedTuple):
    """What a ready hand waits for.

    draw: the chance that the next tile drawn wins; pays_drawn: its payment times that chance. claim: the
    chance to win on a discard before the player's next draw; on_discard: the payment of such a win. tiles:
    the payments of each winning kind, drawn and discarded; share: the winning share of the unseen tiles that
    complete the hand.
    """

    draw: float
    pays_drawn: float
    claim: float
    on_discard: float
    tiles: dict[int, tuple[float, ...]]
    share: float


def sum_waits(outlook: Outlook, payoff: Payoff, held: bytes, melds: tuple[Meld, ...]) -> ReadyWaits:
    """What a ready hand between turns (42 counts) waits for, paid as `payoff` decides."""
    chances, left = outlook.chances, outlook.left
    unseen = max(1, sum(left[:KINDS_OF_HANDS]))
    draw = pays_drawn = taken = pays_taken = waited = won = 0.0
    tiles: dict[int, tuple[float, ...]] = {}
    for tile in outlook.list_waits(held, melds):
        share = left[tile.index] / unseen
        if not share:
            continue
        full = put_in(held, tile)
        drawn = payoff.pay(full, melds, tile, Source.SELF_DRAW)
        claimed = payoff.pay(full, melds, tile, Source.DISCARD)
        waited += share
        if drawn > 0:
            draw += share
            pays_drawn += share * drawn
        if claimed > 0:
            discarded = share * chances.kinds[sort_kind(tile)]
            taken += discarded
            pays_taken += discarded * claimed
        if drawn > 0 or claimed > 0:
            won += share
            tiles[tile.index] = (drawn, claimed)
    claim = 1 - exp(-outlook.rates.shown[0] * chances.others * taken)
    on_discard = pays_taken / taken if taken else 0.0
    return ReadyWaits(draw, pays_drawn, claim, on_discard, tiles, won / waited if waited else 0.0)


class NearHands:
    """Evaluates near hands of one position, and remembers them."""

    def __init__(self, outlook: Outlook) -> None:
        judge, left = outlook.judge, outlook.left
        self._outlook = outlook
        self._judge, self._payoff, self._left = judge, outlook.payoff, left
        self._distances = outlook.distances
        self._chances, self._rates = outlook.chances, outlook.rates
        self._fortune, self._wild, self._chows = outlook.fortune, outlook.wild, outlook.chows
        self._unseen = max(1, sum(left[:KINDS_OF_HANDS]))
        shapes = judge.rules.shapes_in_force(judge.options)
        self._others = [shape for shape in shapes if shape.lacks is not standard_lacks]
        self._ready: dict[tuple[bytes, tuple[Meld, ...]], Worths] = {}
        self._leads: dict[tuple[bytes, tuple[Meld, ...]], Leads] = {}

    def list_leads(self, held: bytes, melds: tuple[Meld, ...]) -> Leads:
        """What the useful tiles lead to, of a hand that was evaluated before."""
        return self._leads[held, melds]

    def evaluate_ready(self, held: bytes, melds: tuple[Meld, ...]) -> Worths:
        """The worths of a ready hand between turns (42 counts) that keeps its wait."""
        found = self._ready.get((held, melds))
        if found is None:
            found = self._ready[held, melds] = self._evaluate_waits(held, melds)
        return found

    def evaluate_one_away(self, held: bytes, melds: tuple[Meld, ...]) -> Worths:
        """The worths of a hand between turns one tile from ready: every tile that makes it ready, drawn or
        claimed, and the best discard then."""
        chances, unseen = self._chances, self._unseen
        tiles = list_tiles(held)
        view = HandView(tiles, melds, self._left, self._fortune)
        useful = [kind.tile for kind in self._distances.assess(view).useful]
        steps = chances.draws + 1
        shares = np.array([self._left[tile.index] / unseen for tile in useful])
        drawn = np.array([self._evaluate_best(put_in(held, tile), melds) for tile in useful])
        claims = [self._evaluate_claims(held, melds, tile) for tile in useful]
        opponents = np.array([number for number, _ in claims])
        shown = self._rates.shown[1] * np.array([chances.kinds[sort_kind(tile)] for tile in useful])
        often = 1 - np.exp(-shown * shares * opponents)
        claimed = np.array([worth for _, worth in claims])
        worths = np.zeros((steps, 2))
        for left in range(1, steps):
            hazard = chances.hazards[chances.draws - left]
            later = worths[left - 1]
            if useful:
                later = shares @ drawn[:, left - 1] + (1 - shares.sum()) * later
            later = (1 - hazard) * later - hazard * np.array((chances.loss, 0.0))
            if useful:
                more = (claimed[:, left] + claimed[:, left - 1]) / 2 - later
                later = later + often @ np.where(more[:, :1] > 0, more, 0.0)
            worths[left] = later
        leads: dict[int, tuple[float, ...]] = {
            tile.index: (float(worth[-1, 0]), opponents, float(claim[-1, 0]))
            for tile, worth, (opponents, claim) in zip(useful, drawn, claims, strict=True)
            if worth[-1, 1] > 0
        }
        live, now = float(shares.sum()), shares @ drawn[:, -1] if useful else np.zeros(2)
        share = float(shares @ (drawn[:, -1, 1] > 0)) / live if live else 0.0
        self._leads[held, melds] = Leads(leads, share, now, live)
        return worths

    def _evaluate_best(self, whole: bytes, melds: tuple[Meld, ...]) -> Worths:
        """The worths of a hand of one tile too many, after the best discard that leaves it ready."""
        judge = self._judge
        hand = self._outlook.make_hand(whole, melds)
        game = judge.rules.game(melds, judge.options)
        lacks = StandardDistances(hand, game).after_discards().astype(np.int64)
        places = np.flatnonzero([*sum(hand.suits, ()), 0, 0])
        if not melds:
            for shape in self._others:
                other = ShapeDistances(shape, hand, game).after_discards(places)
                lacks[places] = np.minimum(lacks[places], other)
        best = np.zeros((self._chances.draws + 1, 2))
        best[:, 0] = -np.inf
        for place in places[lacks[places] - hand.wild == 1].tolist():
            tile = KINDS[find_real(self._wild, place)]
            worth = self.evaluate_ready(remove_tile(whole, tile), melds)
            if worth[-1, 0] > best[-1, 0]:
                best = worth
        if not np.isfinite(best[-1, 0]):
            return np.zeros_like(best)
        return best

    def _evaluate_claims(self, held: bytes, melds: tuple[Meld, ...], tile: Tile) -> tuple[float, Worths]:
        """The number of opponents from whom the tile may be claimed, and the worths after the best claim."""
        nothing = np.full((self._chances.draws + 1, 2), -np.inf)
        wild = self._wild
        if wild is not None and tile is wild.tile:
            return 0.0, nothing
        row = np.zeros((1, PLACES), np.int64)
        row[0, :KINDS_OF_HANDS] = list(held[:KINDS_OF_HANDS])
        if wild is not None:
            row[0, wild.tile.index] = 0
        pungs, chows = mark_claimable(row, self._chows)
        at, best, more = tile.index, nothing, put_in(held, tile)
        ways = [(tile,) * 3] if pungs[0, at] else []
        if self._chows and at < 3 * RANKS:
            lows = [at - back for back in range(3) if at % RANKS >= back and at % RANKS - back + 2 < RANKS]
            ways += [(KINDS[low], KINDS[low + 1], KINDS[low + 2]) for low in lows]
        for way in ways:
            rest = more
            for each in way:
                if not row[0, each.index] and each is not tile:
                    break
                rest = remove_tile(rest, each)
            else:
                kind = MeldKind.PUNG if way[0] is way[1] else MeldKind.CHOW
                worth = self._evaluate_best(rest, (*melds, Meld(way, kind)))
                if worth[-1, 0] > best[-1, 0]:
                    best = worth
        return float(self._chances.others if pungs[0, at] else chows[0, at]), best

    def _evaluate_waits(self, held: bytes, melds: tuple[Meld, ...]) -> Worths:
        chances, of = self._chances, sum_waits(self._outlook, self._payoff, held, melds)
        draw, pays_drawn, claim, on_discard = of.draw, of.pays_drawn, of.claim, of.on_discard
        self._leads[held, melds] = Leads(of.tiles, of.share, np.array((pays_drawn, draw)), draw)
        found = [(0.0, 0.0)]
        for hazard in reversed(chances.hazards):
            value, wins = found[-1]
            value = (1 - hazard) * (pays_drawn + (1 - draw) * value) - hazard * chances.loss
            wins = (1 - hazard) * (draw + (1 - draw) * wins)
            if on_discard > value:  # else a win on a discard is passed up
                value = claim * on_discard + (1 - claim) * value
                wins = claim + (1 - claim) * wins
            found.append((value, wins))
        return np.array(found)


OWN_DISCARD_SHARE = 0.27
"""The share of opponents' wins that are on the player's own discards, among built-in players of Taiwanese:
of a hundred hands each deals in in 20, and opponents win 74."""
CHANGE_SHARE = 0.5
"""The share of the gain by a later change of the wait that counts: counted in full, 19 hands that stayed
silent for it were predicted to gain 0.33 by it, and lost 0.78 (± 1.61)."""
MIN_WIDER = 2
"""A wait is changed only to one with this many unseen tiles more."""
_Key = tuple[bytes, tuple[Meld, ...]]


class CallDifference(NamedTuple):
    """The difference of a ready hand from one that has called for the usual row, as hands that are not ready
    yet are assumed to do.

    value: in mean payment. often: in the chance to win. wins: the chance to win of the hand that has called.
    more, more_often: the same differences added by a later change of the wait.
    """

    value: float
    often: float
    wins: float
    more: float = 0.0
    more_often: float = 0.0


class SilenceReason(NamedTuple):
    """Why a hand stays silent, as a template of a sentence; widens: the unseen tiles that improve its
    wait."""

    template: str
    widens: int = 0


class Calling:
    """Evaluates ready hands of one position, with a call of ready and without."""

    def __init__(self, outlook: Outlook, seen: SeatView, dangers: Dangers) -> None:
        self._outlook, self._seen = outlook, seen
        chances, left = outlook.chances, np.array(outlook.left[:KINDS_OF_HANDS], float)
        self._share = left / max(1.0, float(left.sum()))
        self._hazards = (1 - OWN_DISCARD_SHARE) * np.array(chances.hazards)
        self.risks = [dangers.risk(kind) for kind in KINDS[:KINDS_OF_HANDS]]
        """For each of the 34 kinds, the chance to deal in now and its cost."""
        risks = np.array(self.risks)
        now = float(self._share @ risks[:, 0])
        self._cost = float(self._share @ risks.prod(axis=1)) / max(now, 1e-9)
        more = np.maximum(0.0, OWN_DISCARD_SHARE * np.array(chances.hazards) - now)
        self._dangers = np.minimum(1.0, risks[:, 0] + more[:, None])  # (draws, 34): of each draw to come
        self._folded = self._fold()
        usual = seen.player.ready or seen.state.house.policy.ready.situation
        self._passes = not seen.state.house.policy.ready.must_win
        self._payoffs = {CALLS: outlook.payoff, usual: outlook.payoff}
        self._silent: dict[_Key, CallDifference] = {}

    def is_ready(self, held: bytes, melds: tuple[Meld, ...]) -> bool:
        """Whether a hand between turns (42 counts) is ready."""
        view = HandView(list_tiles(held), melds, self._outlook.left, self._outlook.fortune)
        return self._outlook.judge.shanten(view) <= 0

    def find_payoff(self, situation: str) -> Payoff:
        """The payoff in that situation: "" for a silent hand, or CALLS."""
        if situation not in self._payoffs:
            self._payoffs[situation] = Payoff(self._seen, ready=situation)
        return self._payoffs[situation]

    def find_situation(self, out: Tile) -> str:
        """The situation of a call now, with that discard."""
        seat = self._seen.seat
        called = apply(self._seen.state, ReadyDeclared(seat=seat))
        after = apply(called, Discarded(seat=seat, tile=out.code)).hand
        return (after.players[seat].ready if after else None) or ""

    def evaluate_call(self, held: bytes, melds: tuple[Meld, ...], situation: str) -> CallDifference:
        """Of a hand (42 counts) that has called: paid for its call, with the wait as it is."""
        return self._compare_with_usual(self._evaluate_bound(held, melds, situation), held, melds)

    def evaluate_silence(self, held: bytes, melds: tuple[Meld, ...]) -> CallDifference:
        """Of a hand that has not called, and calls later, changes its wait, or gives up."""
        found = self._silent.get((held, melds))
        if found is None:
            found = self._silent[held, melds] = self._evaluate_silence(held, melds)
        return found

    def _evaluate_silence(self, held: bytes, melds: tuple[Meld, ...]) -> CallDifference:
        bound, waits = self._evaluate_bound(held, melds, CALLS), self._sum_waits(held, melds, "")
        kept = self._play_out(waits, passes=True, bound=bound)
        changes = self._list_changes(held, melds)
        freely = self._play_out(waits, passes=True, bound=bound, changes=changes)
        more, more_often = (CHANGE_SHARE * (freely[-1] - kept[-1])).tolist()
        return self._compare_with_usual(kept, held, melds)._replace(more=more, more_often=more_often)

    def find_bonus(self, held: bytes, melds: tuple[Meld, ...], situation: str) -> float:
        """What each payer of a win of this hand pays more for the call; 0 if it wins nothing."""
        called, silent = (self._sum_waits(held, melds, each).tiles for each in (situation, ""))
        more = [0.0]
        for at, (drawn, taken) in called.items():
            plain_drawn, plain_taken = silent.get(at, (0.0, 0.0))
            more.append(
                taken - plain_taken if taken else (drawn - plain_drawn) / self._outlook.chances.others
            )
        return max(more)

    def explain_silence(self, held: bytes, melds: tuple[Meld, ...]) -> SilenceReason:
        """The reason to stay silent: the first advantage without which a call now would be worth more."""
        bound, waits = self._evaluate_bound(held, melds, CALLS), self._sum_waits(held, melds, "")
        kept, changes = self._play_out(waits, passes=True, bound=bound), self._list_changes(held, melds)
        if changes and kept[-1, 0] <= bound[-1, 0]:
            return SilenceReason(messages.SILENT_WIDENS, sum(self._outlook.left[at] for at in changes))
        forced = self._play_out(waits, passes=False, bound=bound)
        passes = forced[-1, 0] <= bound[-1, 0] < kept[-1, 0]
        return SilenceReason(messages.SILENT_PASSES if passes else messages.SILENT_SAFER)

    def _compare_with_usual(self, worths: Worths, held: bytes, melds: tuple[Meld, ...]) -> CallDifference:
        usual = self._play_out(self._sum_waits(held, melds, CALLS), passes=True)
        value, often = (worths[-1] - usual[-1]).tolist()
        return CallDifference(value, often, float(usual[-1, 1]))

    def _evaluate_bound(self, held: bytes, melds: tuple[Meld, ...], situation: str) -> Worths:
        return self._play_out(self._sum_waits(held, melds, situation), passes=self._passes)

    def _play_out(
        self,
        waits: ReadyWaits,
        *,
        passes: bool,
        bound: Worths | None = None,
        changes: dict[int, list[tuple[int, Worths]]] | None = None,
    ) -> Worths:
        """The worths of a hand draw by draw, from the last one back.

        passes: whether it may pass up a win on a discard. bound: the worths of the same hand after a call,
        None if it has called. changes: by the kind drawn, the kinds discarded and the worths after that.
        """
        missed = self._share.copy()
        missed[[at for at, (drawn, _) in waits.tiles.items() if drawn > 0]] = 0.0
        loss, worths = self._outlook.chances.loss, [np.zeros(2)]
        for left in range(1, len(self._hazards) + 1):
            hazard, danger = self._hazards[-left], self._dangers[-left]
            kept = worths[-1]
            if bound is not None and bound[left - 1, 0] > kept[0]:
                kept = bound[left - 1]
            after = self._discard(kept, danger)
            if bound is not None:
                for at, ways in (changes or {}).items():
                    for out, worth in ways:
                        turned = self._discard(worth[left - 1], danger)[out]
                        if turned[0] > after[at, 0]:
                            after[at] = turned
                gives_up = self._folded[left - 1] > after[:, 0]
                after[gives_up] = self._folded[left - 1], 0.0
            later = np.array((waits.pays_drawn, waits.draw)) + missed @ after
            later = (1 - hazard) * later - hazard * np.array((loss, 0.0))
            if not passes or waits.on_discard > later[0]:
                later = waits.claim * np.array((waits.on_discard, 1.0)) + (1 - waits.claim) * later
            worths.append(later)
        return np.array(worths)

    def _discard(self, worth: NDArray[np.float64], danger: NDArray[np.float64]) -> Worths:
        """The worth of a hand after each kind is discarded, (34, 2), with these chances to deal in."""
        after: Worths = (1 - danger)[:, None] * worth
        after[:, 0] -= danger * self._cost
        return after

    def _fold(self) -> NDArray[np.float64]:
        """The payment of a player who discards only safe tiles, by draws left, (draws + 1,)."""
        worths = [0.0]
        for hazard in reversed(self._hazards):
            worths.append((1 - hazard) * worths[-1] - hazard * self._outlook.chances.loss)
        return np.array(worths)

    def _list_changes(self, held: bytes, melds: tuple[Meld, ...]) -> dict[int, list[tuple[int, Worths]]]:
        """Wider waits that a ready hand can change to, by the kind that is drawn and does not win: the
        kind discarded, and the worths of calling then."""
        judge, left, fortune = self._outlook.judge, self._outlook.left, self._outlook.fortune
        now = judge.assess(HandView(list_tiles(held), melds, left, fortune)).live
        waits = self._sum_waits(held, melds, "").tiles
        found: dict[int, list[tuple[int, Worths]]] = {}
        for at in range(KINDS_OF_HANDS):
            if not left[at] or (at in waits and waits[at][0] > 0):
                continue
            more = put_in(held, KINDS[at])
            for choice in judge.discards(HandView(list_tiles(more), melds, left, fortune)):
                out = choice.discard.index
                if choice.after.shanten == 0 and out != at and choice.after.live >= now + MIN_WIDER:
                    rest = remove_tile(more, choice.discard)
                    found.setdefault(at, []).append((out, self._evaluate_bound(rest, melds, CALLS)))
        return found

    def _sum_waits(self, held: bytes, melds: tuple[Meld, ...], situation: str) -> ReadyWaits:
        return sum_waits(self._outlook, self.find_payoff(situation), held, melds)
