"""What every choice of a position is worth: drawn courses, and near the wall's end the exact reckoning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from companion.coach.choices import Branch
from companion.coach.course import Course, foresee
from companion.coach.endgame import Endgame, Interrupted
from companion.coach.judge import Judge
from companion.coach.payoff import Payoff
from companion.coach.prospects import Drawing, Finish, Worth
from companion.coach.seen import Seen, count_left
from companion.coach.targets import Workshop
from companion.rules import Source
from companion.rules.waiting import make_hand
from companion.rules.win import Wild
from companion.tiles import KINDS, Meld, Tile

KINDS_OF_HANDS = 34
EACH_FAMILY = (8, 24)
"""Finished hands of every family, for the first answer and for the others."""
RUNS = (60, 120, 240, 480)
"""Courses that are drawn for one answer after the other."""
EXACT_DRAWS = 2
"""From so few own draws on every course is reckoned."""
LOSS_SHARE = 0.25
"""What another's win costs, as a share of what the player's own hands pay."""


class Value(NamedTuple):
    """The mean payment of a choice, its standard error, how often it wins, the best discard after a claim,
    and what is aimed at: the row, what it pays, whether cheaper hands are passed by for it."""

    mean: float
    error: float
    win_rate: float
    then: Tile | None
    row: str
    pays: float
    picky: bool


class Valuer:
    """Values the branches of one position, again and again, each time more surely."""

    def __init__(self, judge: Judge, seen: Seen, branches: list[Branch], rng: np.random.Generator) -> None:
        self._judge, self._seen, self._branches, self._rng = judge, seen, branches, rng
        self._payoff = Payoff(seen)
        self._left = count_left(seen)
        self._wild = judge.rules.wild(judge.options, seen.hand.fortune)
        self._finish: dict[tuple[tuple[Meld, ...], int], tuple[Finish, list[bytes]]] = {}

    def values(self, stop: Callable[[], bool]) -> Iterator[list[Value]]:
        """The branches' values, in their order; it ends when `stop` says so, or nothing is to be gained."""
        course = foresee(self._seen, 0.0)
        if course.draws <= EXACT_DRAWS:
            try:
                yield self._reckon(course, stop)
                return
            except Interrupted:
                pass
        for number, runs in enumerate(RUNS):
            if number and stop():
                return
            yield self._draw(course, EACH_FAMILY[min(number, 1)], runs)

    def _reckon(self, course: Course, stop: Callable[[], bool]) -> list[Value]:
        found = []
        looks: dict[tuple[Meld, ...], Endgame] = {}
        for branch in self._branches:
            look = looks.get(branch.melds)
            if look is None:
                rules, options = self._judge.rules, self._judge.options
                look = looks[branch.melds] = Endgame(
                    rules, options, branch.melds, self._seen.hand.fortune, self._payoff, course, stop
                )
            best: Value | None = None
            for then, held in _list_afters(branch):
                mean, wins = look.weigh(held, self._left, course.draws)
                if best is None or mean > best.mean:
                    best = Value(mean, 0.0, wins, then, "", 0.0, False)
            assert best is not None
            found.append(best)
        return found

    def _draw(self, course: Course, each: int, runs: int) -> list[Value]:
        left, wild_left = self._place_left()
        finishes = [self._build(branch, each) for branch in self._branches]
        pays = np.concatenate([finish.drawn[finish.drawn > 0] for finish, _ in finishes])
        loss = LOSS_SHARE * float(np.median(pays)) if len(pays) else 1.0
        course = structs.replace(course, loss=loss)
        drawing = Drawing(left, wild_left, course, runs, self._rng)
        found = []
        for branch, (finish, hands) in zip(self._branches, finishes, strict=True):
            best: tuple[Worth, Tile | None] | None = None
            for then, held in _list_afters(branch):
                places, wild = self._place(held, branch.melds)
                worth = drawing.weigh(places, wild, finish)
                if best is None or worth.value > best[0].value:
                    best = worth, then
            assert best is not None
            found.append(self._tell(*best, branch, finish, hands))
        return found

    def _tell(
        self, worth: Worth, then: Tile | None, branch: Branch, finish: Finish, hands: list[bytes]
    ) -> Value:
        row, pays = "", 0.0
        if worth.aim is not None:
            row = self._payoff.name_row(hands[worth.aim], branch.melds)
            pays = float(finish.drawn[worth.aim])
        return Value(worth.value, worth.error, worth.win_rate, then, row, pays, worth.picky)

    def _build(self, branch: Branch, each: int) -> tuple[Finish, list[bytes]]:
        """The finished hands for a branch, and the concealed tiles of each, 42 counts.

        Branches with the same melds share those of all their tiles together.
        """
        key = branch.melds, each
        found = self._finish.get(key)
        if found is None:
            held = np.maximum.reduce(
                [
                    np.frombuffer(other.held, np.uint8)
                    for other in self._branches
                    if other.melds == branch.melds
                ]
            )
            found = self._finish[key] = self._pay_all(bytes(held), branch.melds, each)
        return found

    def _pay_all(self, held: bytes, melds: tuple[Meld, ...], each: int) -> tuple[Finish, list[bytes]]:
        judge = self._judge
        game = judge.rules.game(melds, judge.options)
        shapes = list(judge.rules.shapes_in_force(judge.options))
        own, wild = self._place(held, melds)
        left, _ = self._place_left()
        tiles = Workshop(shapes, game, len(melds), own.astype(np.uint8), left.astype(np.uint8)).build(each)
        drawn, discard, hands = np.zeros(len(tiles)), np.zeros(len(tiles)), []
        for number, target in enumerate(tiles):
            concealed, last = self._make_concealed(target.astype(np.int64), own, wild)
            hands.append(concealed)
            drawn[number] = self._payoff.pay(concealed, melds, last, Source.SELF_DRAW)
            discard[number] = self._payoff.pay(concealed, melds, last, Source.DISCARD)
        return Finish(tiles, drawn, discard), hands

    def _make_concealed(
        self, target: NDArray[np.int64], own: NDArray[np.int64], wild: int
    ) -> tuple[bytes, Tile]:
        """The real tiles of a finished hand, wild ones in place of those that are hardest to get, and the
        tile that comes last."""
        left, _ = self._place_left()
        lacking = np.maximum(target - own, 0)
        order = [place for place in np.argsort(left, kind="stable") for _ in range(lacking[place])]
        filled, rest = order[:wild], order[wild:]
        counts = [0] * 42
        for place in range(KINDS_OF_HANDS):
            counts[self._real(place)] += int(target[place])
        for place in filled:
            counts[self._real(int(place))] -= 1
        if self._wild is not None:
            counts[self._wild.tile.index] += len(filled)
        last = self._real(int(rest[-1])) if rest else next(i for i in range(42) if counts[i])
        return bytes(counts), KINDS[last]

    def _real(self, place: int) -> int:
        wild = self._wild
        if wild is not None and wild.substitute is not None and place == wild.tile.index:
            return wild.substitute.index
        return place

    def _place(self, held: bytes, melds: tuple[Meld, ...]) -> tuple[NDArray[np.int64], int]:
        hand = make_hand(self._judge.rules, list(held), melds, self._judge.options, self._seen.hand.fortune)
        return np.array(sum(hand.suits, ()), np.int64), hand.wild

    def _place_left(self) -> tuple[NDArray[np.int64], int]:
        """What is left by place, and of the wild kind."""
        left = np.array(self._left[:KINDS_OF_HANDS], np.int64)
        return left, 0 if self._wild is None else _take_wild(left, self._wild)


def _take_wild(left: NDArray[np.int64], wild: Wild) -> int:
    number = int(left[wild.tile.index])
    left[wild.tile.index] = 0
    if wild.substitute is not None:
        left[wild.tile.index] = left[wild.substitute.index]
        left[wild.substitute.index] = 0
    return number


def _list_afters(branch: Branch) -> Iterator[tuple[Tile | None, bytes]]:
    """The hands between turns that a branch leads to, with the discard that follows a claim."""
    if not branch.discards:
        yield None, branch.held
    for tile in branch.discards:
        at = tile.index
        yield tile, branch.held[:at] + bytes((branch.held[at] - 1,)) + branch.held[at + 1 :]
