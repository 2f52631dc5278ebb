"""The exact worth of a hand when few draws are left: each draw, the best discard then, nothing sampled.

Hands that can no longer win are not searched, which changes no result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.coach.value.chances import Chances
from companion.coach.value.distances import KINDS_OF_HANDS
from companion.coach.value.judge import list_tiles, put_in, remove_tile
from companion.coach.value.payoff import Payoff
from companion.rules import RuleSet, Source, shanten, waits
from companion.rules.win import Options
from companion.tiles import KINDS, Meld, Tile

_Hand = bytes
"""Counts of the 42 kinds."""


class Interrupted(Exception):
    """`stop` ended the search."""


class Endgame:
    """Searches all draws of one position with these melds; `stop` is asked often whether to end.

    risks: of a hand that is bound, which discards every tile that does not win: of each of the 34 kinds the
    chance to deal in, and its cost. called: for a hand that may call ready on a later turn, the search of the
    same position for a bound hand.
    """

    def __init__(
        self,
        rules: RuleSet,
        options: Options,
        melds: tuple[Meld, ...],
        fortune: Tile | None,
        payoff: Payoff,
        chances: Chances,
        stop: Callable[[], bool] = lambda: False,
        *,
        risks: Sequence[tuple[float, float]] = (),
        called: Endgame | None = None,
    ) -> None:
        self._risks, self._called = risks, called
        self._rules, self._options, self._melds, self._fortune = rules, options, melds, fortune
        self._payoff, self._chances, self._stop = payoff, chances, stop
        self._far: dict[_Hand, int] = {}
        self._worth: dict[tuple[_Hand, tuple[int, ...], int], tuple[float, float]] = {}

    def evaluate(self, held: _Hand, left: tuple[int, ...], draws: int) -> tuple[float, float]:
        """The mean payment of a hand between turns with this number of own draws left, and its chance to win.

        left: the unseen tiles of each of the 42 kinds.
        """
        if draws == 0:
            return 0.0, 0.0
        stays = 1 - self._chances.hazard
        if self._shanten(held) > draws - 1:
            return -self._chances.loss * (1 - stays**draws), 0.0
        key = held, left, draws
        if key not in self._worth:
            if self._stop():
                raise Interrupted
            self._worth[key] = self._evaluate_anew(held, left, draws)
        return self._worth[key]

    def evaluate_after_draw(self, held: _Hand, left: tuple[int, ...], draws: int) -> tuple[float, float]:
        """As `evaluate`, with one more tile drawn before any opponent plays."""
        unseen, value, wins = sum(left), 0.0, 0.0
        for place in range(len(left)):
            if left[place]:
                gain, won = self._draw(held, left, place, draws + 1)
                value += gain * left[place] / unseen
                wins += won * left[place] / unseen
        return value, wins

    def _evaluate_anew(self, held: _Hand, left: tuple[int, ...], draws: int) -> tuple[float, float]:
        unseen, chances = sum(left), self._chances
        if not unseen:
            return 0.0, 0.0
        winning, pays = 0.0, 0.0
        for tile in self._list_waits(held):
            if left[tile.index] and (pay := self._pay(held, tile, Source.DISCARD, draws)) > 0:
                winning += left[tile.index] / unseen
                pays += pay * left[tile.index] / unseen
        claimed = 1 - (1 - chances.shown * winning) ** chances.others
        value = claimed * pays / winning if winning else 0.0
        drawn = drawn_wins = 0.0
        for place in range(len(left)):
            if left[place]:
                gain, wins = self._draw(held, left, place, draws)
                drawn += gain * left[place] / unseen
                drawn_wins += wins * left[place] / unseen
        stays = 1 - chances.hazard
        value += (1 - claimed) * (stays * drawn - chances.hazard * chances.loss)
        return value, claimed + (1 - claimed) * stays * drawn_wins

    def _draw(self, held: _Hand, left: tuple[int, ...], place: int, draws: int) -> tuple[float, float]:
        """After drawing one of that kind: a win, or the best discard."""
        rest = (*left[:place], left[place] - 1, *left[place + 1 :])
        if place >= KINDS_OF_HANDS:
            return self.evaluate(held, rest, draws - 1)
        tile = KINDS[place]
        if self._risks:
            return self._draw_bound(held, rest, tile, draws)
        best = -self._chances.loss * (1 - (1 - self._chances.hazard) ** (draws - 1)), 0.0
        if tile in self._list_waits(held) and (pay := self._pay(held, tile, Source.SELF_DRAW, draws)) > 0:
            best = max(best, (pay, 1.0))
        if draws > 1:
            more = put_in(held, KINDS[place])
            for out in range(KINDS_OF_HANDS):
                if more[out]:
                    after = remove_tile(more, KINDS[out])
                    best = max(best, self.evaluate(after, rest, draws - 1))
                    if self._called is not None and self._shanten(after) <= 0:
                        best = max(best, self._called.evaluate(after, rest, draws - 1))
        return best

    def _draw_bound(self, held: _Hand, left: tuple[int, ...], tile: Tile, draws: int) -> tuple[float, float]:
        """After drawing that tile, which is discarded unless it wins."""
        if tile in self._list_waits(held) and (pay := self._pay(held, tile, Source.SELF_DRAW, draws)) > 0:
            return pay, 1.0
        often, cost = self._risks[tile.index]
        value, wins = self.evaluate(held, left, draws - 1)
        return (1 - often) * value - often * cost, (1 - often) * wins

    def _pay(self, held: _Hand, tile: Tile, source: Source, draws: int) -> float:
        last = draws == 1 and source is Source.SELF_DRAW
        return self._payoff.pay(put_in(held, tile), self._melds, tile, source, last)

    def _list_waits(self, held: _Hand) -> tuple[Tile, ...]:
        if self._shanten(held) > 0:
            return ()
        return waits(self._rules, list_tiles(held), self._melds, self._options, self._fortune)

    def _shanten(self, held: _Hand) -> int:
        found = self._far.get(held)
        if found is None:
            found = shanten(self._rules, list_tiles(held), self._melds, self._options, self._fortune)
            self._far[held] = found
        return found
