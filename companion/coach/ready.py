"""What hands are worth that are ready, or one tile from it: their very waits, and what each of these pays.

A worth is given by how many own draws are left, (draws + 1, 2): the mean payment, and how often it wins.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach.held_tiles import list_tiles, put_in, take_out
from companion.coach.other_shapes import OtherShape
from companion.coach.outlook import Outlook
from companion.coach.payoff import Payoff
from companion.coach.reach import PLACES, Reach
from companion.coach.steps import mark_claimable, sort_kind
from companion.coach.views import View
from companion.rules import Source, waits
from companion.rules.shapes import standard_lacks
from companion.rules.waiting import make_hand
from companion.tiles import KINDS, Meld, MeldKind, Tile

Worths = NDArray[np.float64]
KINDS_OF_HANDS = 34
RANKS = 9
SAME = 1e-9
"""Payments that differ by no more are the same."""


class Leads(NamedTuple):
    """What the useful tiles of a near hand lead to.

    tiles: by kind, for holding two hands of one position against each other, more being better; those that
    lead to no win are left out. share: how many of the unseen useful tiles these are. drawn: the mean payment
    and the chance to win by a useful tile drawn now, (2,); live: the chance to draw one.
    """

    tiles: dict[int, tuple[float, ...]]
    share: float
    drawn: Worths
    live: float

    def holds(self, other: Leads) -> bool:
        """Whether every useful tile of the other hand is one of this, and leads to no less."""
        return all(
            at in self.tiles and all(own >= its - SAME for own, its in zip(self.tiles[at], each, strict=True))
            for at, each in other.tiles.items()
        )


class Waits(NamedTuple):
    """What a ready hand waits for. draw: the chance that the next tile drawn wins; pays_drawn: what that pays
    times how often it comes. claim: the chance to win on a discard before the next own draw; on_discard: what
    such a win pays. tiles: what each kind that wins pays, drawn and discarded; share: of the unseen tiles
    that complete the hand, those that win."""

    draw: float
    pays_drawn: float
    claim: float
    on_discard: float
    tiles: dict[int, tuple[float, ...]]
    share: float


def sum_waits(outlook: Outlook, payoff: Payoff, held: bytes, melds: tuple[Meld, ...]) -> Waits:
    """What a ready hand between turns (42 counts) waits for, by what `payoff` says that it pays."""
    judge, course, left = outlook.judge, outlook.course, outlook.left
    unseen = max(1, sum(left[:KINDS_OF_HANDS]))
    draw = pays_drawn = taken = pays_taken = waited = won = 0.0
    tiles: dict[int, tuple[float, ...]] = {}
    for tile in waits(judge.rules, list_tiles(held), melds, judge.options, outlook.fortune):
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
            laid = share * course.kinds[sort_kind(tile)]
            taken += laid
            pays_taken += laid * claimed
        if drawn > 0 or claimed > 0:
            won += share
            tiles[tile.index] = (drawn, claimed)
    claim = 1 - exp(-outlook.rates.shown[0] * course.others * taken)
    on_discard = pays_taken / taken if taken else 0.0
    return Waits(draw, pays_drawn, claim, on_discard, tiles, won / waited if waited else 0.0)


class NearHands:
    """Weighs near hands of one position; it remembers them."""

    def __init__(self, outlook: Outlook) -> None:
        judge, left = outlook.judge, outlook.left
        self._outlook = outlook
        self._judge, self._payoff, self._left = judge, outlook.payoff, left
        self._standings = outlook.standings
        self._course, self._rates = outlook.course, outlook.rates
        self._fortune, self._wild, self._chows = outlook.fortune, outlook.wild, outlook.chows
        self._unseen = max(1, sum(left[:KINDS_OF_HANDS]))
        shapes = judge.rules.shapes_in_force(judge.options)
        self._others = [shape for shape in shapes if shape.lacks is not standard_lacks]
        self._ready: dict[tuple[bytes, tuple[Meld, ...]], Worths] = {}
        self._leads: dict[tuple[bytes, tuple[Meld, ...]], Leads] = {}

    def list_leads(self, held: bytes, melds: tuple[Meld, ...]) -> Leads:
        """What the useful tiles of a hand lead to that was weighed before."""
        return self._leads[held, melds]

    def weigh_ready(self, held: bytes, melds: tuple[Meld, ...]) -> Worths:
        """Of a ready hand between turns (42 counts): it waits for what it waits for now."""
        found = self._ready.get((held, melds))
        if found is None:
            found = self._ready[held, melds] = self._look_at_waits(held, melds)
        return found

    def weigh_one_away(self, held: bytes, melds: tuple[Meld, ...]) -> Worths:
        """Of a hand between turns that is one tile from ready: every tile that makes it so, drawn or claimed,
        and the best discard then."""
        course, unseen = self._course, self._unseen
        tiles = list_tiles(held)
        view = View(tiles, melds, self._left, self._fortune)
        useful = [kind.tile for kind in self._standings.assess(view).useful]
        steps = course.draws + 1
        shares = np.array([self._left[tile.index] / unseen for tile in useful])
        drawn = np.array([self._weigh_best(put_in(held, tile), melds) for tile in useful])
        claims = [self._weigh_claims(held, melds, tile) for tile in useful]
        opponents = np.array([number for number, _ in claims])
        shown = self._rates.shown[1] * np.array([course.kinds[sort_kind(tile)] for tile in useful])
        often = 1 - np.exp(-shown * shares * opponents)
        claimed = np.array([worth for _, worth in claims])
        worths = np.zeros((steps, 2))
        for left in range(1, steps):
            hazard = course.hazards[course.draws - left]
            later = worths[left - 1]
            if useful:
                later = shares @ drawn[:, left - 1] + (1 - shares.sum()) * later
            later = (1 - hazard) * later - hazard * np.array((course.loss, 0.0))
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

    def _weigh_best(self, whole: bytes, melds: tuple[Meld, ...]) -> Worths:
        """Of a hand of one tile too many: after the discard that is best of those that leave it ready."""
        judge = self._judge
        hand = make_hand(judge.rules, list(whole), melds, judge.options, self._fortune)
        game = judge.rules.game(melds, judge.options)
        lacks = Reach(hand, game).after_discards().astype(np.int64)
        places = np.flatnonzero([*sum(hand.suits, ()), 0, 0])
        if not melds:
            for shape in self._others:
                other = OtherShape(shape, hand, game).after_discards(places)
                lacks[places] = np.minimum(lacks[places], other)
        best = np.zeros((self._course.draws + 1, 2))
        best[:, 0] = -np.inf
        for place in places[lacks[places] - hand.wild == 1].tolist():
            tile = self._find_real(place, whole)
            worth = self.weigh_ready(take_out(whole, tile), melds)
            if worth[-1, 0] > best[-1, 0]:
                best = worth
        if not np.isfinite(best[-1, 0]):
            return np.zeros_like(best)
        return best

    def _weigh_claims(self, held: bytes, melds: tuple[Meld, ...], tile: Tile) -> tuple[float, Worths]:
        """From how many opponents the tile may be claimed, and the worth after the best claim."""
        nothing = np.full((self._course.draws + 1, 2), -np.inf)
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
                rest = take_out(rest, each)
            else:
                kind = MeldKind.PUNG if way[0] is way[1] else MeldKind.CHOW
                worth = self._weigh_best(rest, (*melds, Meld(way, kind)))
                if worth[-1, 0] > best[-1, 0]:
                    best = worth
        return float(self._course.others if pungs[0, at] else chows[0, at]), best

    def _look_at_waits(self, held: bytes, melds: tuple[Meld, ...]) -> Worths:
        course, of = self._course, sum_waits(self._outlook, self._payoff, held, melds)
        draw, pays_drawn, claim, on_discard = of.draw, of.pays_drawn, of.claim, of.on_discard
        self._leads[held, melds] = Leads(of.tiles, of.share, np.array((pays_drawn, draw)), draw)
        found = [(0.0, 0.0)]
        for hazard in reversed(course.hazards):
            value, wins = found[-1]
            value = (1 - hazard) * (pays_drawn + (1 - draw) * value) - hazard * course.loss
            wins = (1 - hazard) * (draw + (1 - draw) * wins)
            if on_discard > value:  # else a win on a discard is passed up
                value = claim * on_discard + (1 - claim) * value
                wins = claim + (1 - claim) * wins
            found.append((value, wins))
        return np.array(found)

    def _find_real(self, place: int, whole: bytes) -> Tile:
        wild = self._wild
        if wild is not None and wild.substitute is not None and place == wild.tile.index:
            return wild.substitute
        return KINDS[place]
