"""What the nearest finished hands of an aim pay: as they stand, and with sets claimed on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach.aims import Aim
from companion.coach.going_on import LEAST
from companion.coach.payoff import Payoff
from companion.coach.targets import Workshop
from companion.rules import RuleSet, Source
from companion.rules.hand import Group, Hand, Wild
from companion.rules.shapes import Game, standard_lacks
from companion.rules.waiting import make_hand
from companion.rules.win import Options
from companion.tiles import KINDS, Meld, MeldKind, Tile

KINDS_OF_HANDS, PAIR = 34, 2
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


class Prices(NamedTuple):
    """Finished hands (m, 34) by place, the nearest first, and what each pays (m, 4): self-drawn and on a
    discard, all of it concealed; the same with sets claimed."""

    tiles: NDArray[np.uint8]
    pays: NDArray[np.float64]
    concealed: list[bytes]


class Pricer:
    """Prices aims of a hand with these melds; `held`, `left`: counts by place (34,), `wild` tiles beside.
    winning: the aims of which any hand must be at a table that refuses others; none where none is refused."""

    def __init__(
        self,
        rules: RuleSet,
        options: Options,
        fortune: Tile | None,
        payoff: Payoff,
        melds: tuple[Meld, ...],
        held: Counts,
        wild: int,
        left: Counts,
        chows: bool,
        winning: Sequence[Aim] = (),
    ) -> None:
        self._winning = winning
        self._rules, self._options, self._fortune, self._payoff = rules, options, fortune, payoff
        self._melds, self._held, self._wild, self._left, self._chows = melds, held, wild, left, chows
        game: Game = rules.game(melds, options)
        self._workshop = Workshop(game, len(melds), held.astype(np.uint8), left.astype(np.uint8))
        self._wildcard = rules.wild(options, fortune)
        self._splits = next(s for s in rules.shapes if s.lacks is standard_lacks).splits

    def price(self, aim: Aim, each: int) -> Prices:
        """The nearest hands of the aim, about `each`."""
        loose = aim.loose
        if aim == Aim() and self._winning:
            tiles, loose = self._workshop.build_any(self._winning, each), any(a.loose for a in self._winning)
        else:
            tiles = self._workshop.build(aim, each)[: 2 * each]
        pays, concealed = np.zeros((len(tiles), 4)), []
        for number, target in enumerate(tiles):
            hand, last = self._make_concealed(target.astype(np.int64), loose=loose)
            concealed.append(hand)
            pays[number, :2] = self._pay(hand, self._melds, last)
            opened = None if aim.shape is not None else self._open(hand, last)
            pays[number, 2:] = pays[number, :2] if opened is None else self._pay(*opened, last)
        return Prices(tiles, pays, concealed)

    def _pay(self, hand: bytes, melds: tuple[Meld, ...], last: Tile) -> tuple[float, float]:
        pay = self._payoff.pay
        return pay(hand, melds, last, Source.SELF_DRAW), pay(hand, melds, last, Source.DISCARD)

    def _open(self, hand: bytes, last: Tile) -> tuple[bytes, tuple[Meld, ...]] | None:
        """The finished hand with the sets claimed that lack tiles now; None where there are none."""
        finished = make_hand(self._rules, list(hand), self._melds, self._options, self._fortune)
        if finished.wild:
            return None
        groups = next(iter(self._splits(finished)), None)
        if groups is None:
            return None
        held = self._held.copy()
        lacking: list[Group] = []
        for group in sorted(groups, key=lambda each: self._count_lacking(each, held)):
            if self._count_lacking(group, held):
                lacking.append(group)
            for tile in group.tiles:
                held[tile.index] = max(0, held[tile.index] - 1)
        own = next((group for group in lacking if group.holds(last)), None)
        claimed = [group for group in lacking if group is not own and self._may_claim(group)]
        if not claimed:
            return None
        rest, melds = bytearray(hand), list(self._melds)
        for group in claimed:
            melds.append(Meld(group.tiles, MeldKind.CHOW if group.is_sequence else MeldKind.PUNG))
            for tile in group.tiles:
                rest[tile.index] -= 1
        return bytes(rest), tuple(melds)

    def _may_claim(self, group: Group) -> bool:
        return group.is_pung or (group.is_sequence and self._chows)

    @staticmethod
    def _count_lacking(group: Group, held: Counts) -> int:
        need = [tile.index for tile in group.tiles]
        return sum(max(0, need.count(at) - int(held[at])) for at in set(need))

    def _make_concealed(self, target: Counts, *, loose: bool) -> tuple[bytes, Tile]:
        """The real tiles of a finished hand, wild ones in place of those that are hardest to get, and the
        tile that comes last. loose: it makes the pair with a wild one, where nothing of the pair is held."""
        lacking = np.maximum(target - self._held, 0)
        order = [place for place in np.argsort(self._left, kind="stable") for _ in range(lacking[place])]
        wild = self._wild
        pair = next((at for at in reversed(order) if loose and lacking[at] == target[at] == PAIR), None)
        if pair is not None:
            order = [pair, *(place for place in order if place != pair), pair]
            wild = min(wild, len(order) - 1)
        filled, rest = order[:wild], order[wild:]
        counts = [0] * len(KINDS)
        for place in range(KINDS_OF_HANDS):
            counts[self.real(place)] += int(target[place])
        for place in filled:
            counts[self.real(int(place))] -= 1
        if self._wildcard is not None:
            counts[self._wildcard.tile.index] += len(filled)
        last = self.real(int(rest[-1])) if rest else next(i for i in range(len(KINDS)) if counts[i])
        return bytes(counts), KINDS[last]

    def real(self, place: int) -> int:
        """The kind that counts at a place: the substitute at that of the wild kind."""
        return find_real(self._wildcard, place)


def find_real(wild: Wild | None, place: int) -> int:
    """The kind that counts at a place: the substitute at that of the wild kind."""
    if wild is not None and wild.substitute is not None and place == wild.tile.index:
        return wild.substitute.index
    return place


def place_left(left: tuple[int, ...], wild: Wild | None) -> tuple[Counts, int]:
    """What is left by place (34,), and of the wild kind."""
    placed = np.array(left[:KINDS_OF_HANDS], np.int64)
    if wild is None:
        return placed, 0
    number = int(placed[wild.tile.index])
    placed[wild.tile.index] = 0
    if wild.substitute is not None:
        placed[wild.tile.index] = placed[wild.substitute.index]
        placed[wild.substitute.index] = 0
    return placed, number


def place_hand(hand: Hand) -> Counts:
    """The concealed tiles by place (34,), wild ones left out."""
    return np.array(sum(hand.suits, ()), np.int64)


def find_nearest(
    prices: Prices, held: Counts, places: NDArray[np.intp] | None, hands: int
) -> NDArray[np.bool_]:
    """Which of the finished hands are the nearest after each discard, (m, n)."""
    lacks = np.maximum(prices.tiles.astype(np.int64) - held, 0).sum(axis=1)[:, None]  # (m, 1)
    after = np.repeat(lacks, hands, axis=1)
    if places is not None:
        after += prices.tiles[:, places].astype(np.int64) >= held[places]  # one that is needed goes
    found: NDArray[np.bool_] = after == after.min(axis=0)
    return found


def average_pays(prices: Prices, near: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """What the finished hands nearest after each discard pay on the average, (n, 4), of those that win; and
    how many of them do, all concealed and with sets claimed, (n, 2): the rules may refuse others."""
    share = (near / near.sum(axis=0)).T
    won = share @ (prices.pays.reshape(-1, 2, 2) > 0).any(axis=2)
    pays: Floats = share @ prices.pays
    return pays / np.maximum(LEAST, np.repeat(won, 2, axis=1)), won


def keep_open(gains: Floats, near: NDArray[np.bool_], lacking: NDArray[np.int64]) -> Floats:
    """What discards gain (n,): one that keeps all the hands of another open no less than that."""
    within = ~(near[:, :, None] & ~near[:, None, :]).any(axis=0)  # [b, a]: the hands of b are hands of a
    within &= lacking[:, None] >= lacking
    found: Floats = np.where(within, gains[:, None], -np.inf).max(axis=0)
    return found
