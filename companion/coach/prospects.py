"""What hands are worth, by drawing many courses of the rest of the hand and seeing what can be finished.

One drawing serves all choices of a position, so that their differences are far surer than their values.
In each drawing the hand that is finished first wins, of those that are worth waiting for; several measures
of what is worth waiting for are tried, and the one that pays most on the whole is taken. Discards are made
in hindsight, which is why a value is rather too high; it is so for all choices alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach.course import Course

NEVER = 99
COPIES = 4
LEVELS = (0.0, 1.5, 2.5, 4.0, 8.0)
"""Hands worth waiting for: those that pay at least so many times the least."""
MOST_LACKING = 9


class Worth(NamedTuple):
    """What a choice is worth: the mean payment, its standard error, how often it wins, and what for.

    aim: the number of the finished hand that wins most often, None where nothing wins. picky: whether
    cheaper hands are passed by for it.
    """

    value: float
    error: float
    win_rate: float
    aim: int | None
    picky: bool


class Finish(NamedTuple):
    """Finished hands by place, (n, 34), and what each pays self-drawn and on a discard, (n,)."""

    tiles: NDArray[np.uint8]
    drawn: NDArray[np.float64]
    discard: NDArray[np.float64]


class Drawing:
    """Many courses: when the player draws each copy of each kind, and when opponents lay one out."""

    def __init__(
        self, left: NDArray[np.int64], wild_left: int, course: Course, runs: int, rng: np.random.Generator
    ) -> None:
        """left (34,): what is unseen by place; wild_left: unseen tiles that stand for any."""
        turns, each = course.draws, course.others + 1
        kinds = len(left)
        pool = np.repeat(np.arange(kinds + 1), [*left.tolist(), wild_left])
        order = rng.permuted(np.tile(pool, (runs, 1)), axis=1)
        length = min(turns * each, order.shape[1])
        turns = length // each
        order = order[:, : turns * each].reshape(runs, turns, each)
        self.runs, self.turns = runs, turns
        self.own = np.full((runs, kinds + 1, COPIES + 1), NEVER, np.int16)
        seen = np.zeros((runs, kinds + 1), np.int64)
        row = np.arange(runs)
        for turn in range(turns):
            kind = order[:, turn, -1]
            self.own[row, kind, np.minimum(seen[row, kind], COPIES)] = turn
            seen[row, kind] += 1
        self.next_laid = np.full((runs, turns + 2, kinds + 1), NEVER, np.int16)
        laid = rng.random((runs, turns, course.others)) < course.shown
        for turn in range(turns - 1, -1, -1):
            self.next_laid[:, turn] = self.next_laid[:, turn + 1]
            for other in range(course.others):
                here = laid[:, turn, other]
                self.next_laid[row[here], turn, order[here, turn, other]] = turn
        hazards = np.array((*course.hazards, *[course.hazard] * (turns + 1))[: turns + 1])
        stays = np.append(1.0, np.cumprod(1 - hazards))
        self.alive = np.append(stays, np.zeros(NEVER))[: NEVER + 1]
        self.course = course

    def weigh(self, held: NDArray[np.int64], wild: int, finish: Finish) -> Worth:
        """What a hand between turns, (34,) by place and `wild` tiles beside, is worth."""
        lacking = np.maximum(finish.tiles.astype(np.int64) - held, 0)
        count = lacking.sum(axis=1)
        here = np.flatnonzero((count <= MOST_LACKING + wild) & (count > wild))
        end = 1 - self.alive[self.turns]
        nothing = Worth(-self.course.loss * end, 0.0, 0.0, None, False)
        if not len(here) or not self.turns:
            return nothing
        times, kinds = self._find_times(lacking[here], int(count[here].max()))
        done, on_discard = self._finish(times, kinds, wild)
        pays = np.where(on_discard, finish.discard[here], finish.drawn[here])
        return self._choose_level(done, pays, here, finish, nothing)

    def _find_times(
        self, lacking: NDArray[np.int64], most: int
    ) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
        """When each lacking tile is drawn, (runs, hands, most), in order, and of what kind it is."""
        hands = len(lacking)
        kind = np.full((hands, most), -1, np.int64)
        copy = np.zeros((hands, most), np.int64)
        at = np.zeros(hands, np.int64)
        for nth in range(1, COPIES + 1):
            which, kinds = np.nonzero(lacking >= nth)
            for hand, place in zip(which.tolist(), kinds.tolist(), strict=True):
                kind[hand, at[hand]], copy[hand, at[hand]] = place, nth - 1
                at[hand] += 1
        times = self.own[:, kind, copy]
        times[:, kind < 0] = -1
        order = times.argsort(axis=2)
        return np.take_along_axis(times, order, 2), np.take_along_axis(
            np.broadcast_to(kind, times.shape), order, 2
        )

    def _finish(
        self, times: NDArray[np.int16], kinds: NDArray[np.int64], wild: int
    ) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
        """When each hand is finished, (runs, hands), and whether on another's discard."""
        width = times.shape[2] - wild
        done = times[:, :, width - 1].copy()
        for extra in range(min(COPIES, width - 1)):
            by_wild = self.own[:, -1, extra]
            done = np.minimum(done, np.maximum(times[:, :, width - 2 - extra], by_wild[:, None]))
        before = times[:, :, width - 2] if width > 1 else np.full_like(done, -1)
        last = kinds[:, :, width - 1]
        start = np.minimum(before + 1, self.turns)
        laid = self.next_laid[np.arange(self.runs)[:, None], start, last]
        laid = np.where(before >= NEVER, NEVER, laid)
        on_discard = laid <= done
        on_discard &= laid < NEVER
        return np.where(on_discard, laid, done), on_discard

    def _choose_level(
        self,
        done: NDArray[np.int16],
        pays: NDArray[np.float64],
        here: NDArray[np.intp],
        finish: Finish,
        nothing: Worth,
    ) -> Worth:
        best = nothing
        worth = np.maximum(finish.drawn[here], finish.discard[here])
        if not (worth > 0).any():
            return nothing
        least = worth[worth > 0].min()
        lost, row = self.course.loss, np.arange(self.runs)
        end = self.alive[self.turns]
        for level in LEVELS:
            wanted = pays > max(0.0, least * level * 0.999)
            if not wanted.any():
                break
            when = np.where(wanted, done, NEVER).astype(np.float64) * 1e6 - np.where(wanted, pays, 0)
            first = when.argmin(axis=1)
            turn = np.where(wanted[row, first], done[row, first], NEVER)
            won = turn < NEVER
            stays = np.where(won, self.alive[np.minimum(turn, self.turns)], end)
            gains = np.where(won, pays[row, first] * stays, 0.0) - lost * (1 - stays)
            mean = float(gains.mean())
            if best.aim is None or mean > best.value:
                aims = np.bincount(first[won], minlength=len(here)) if won.any() else None
                best = Worth(
                    mean,
                    float(gains.std(ddof=1) / np.sqrt(self.runs)) if self.runs > 1 else float("inf"),
                    float((stays * won).mean()),
                    None if aims is None else int(here[aims.argmax()]),
                    level > 1,
                )
        return best
