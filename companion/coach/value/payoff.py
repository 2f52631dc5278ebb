"""What finished hands pay, by the table's own scoring and settlement: one hand, and the nearest of an aim.

`Payoff` remembers the hands it has scored; `Pricer` prices the nearest hands of an aim, all concealed and
with sets claimed on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach.seen import SeatView
from companion.coach.value.aims import Aim, TargetBuilder
from companion.coach.value.distances import KINDS_OF_HANDS, Floats
from companion.errors import EventError
from companion.rules import RuleSet, Score, Source, score
from companion.rules.hand import Group, Hand, Wild
from companion.rules.play import Moment
from companion.rules.shapes import Game, standard_lacks
from companion.rules.waiting import make_hand
from companion.rules.win import Options, ScoreRequest
from companion.table.moves import make_moment
from companion.table.wins import Chance, make_request
from companion.tiles import KINDS, Meld, MeldKind, Tile

REMEMBERED = 1 << 16
CALLS = "calls"
"""A player who is not bound yet calls ready as soon as the hand is: hands that are not ready now are paid
like this."""
REMEMBERED_PLAYERS = 64
"""Circumstances of players that are remembered: flowers, seats and dealers of a few hands."""


_Key = tuple[bytes, tuple[Meld, ...], int, Source, bool]


class RuleAnswers:
    """What the scoring answered about a player in some circumstances, whatever the score.

    aims: the aims that win with these melds and this number of wild tiles; usual: the rows that most of them
    have.
    """

    def __init__(self) -> None:
        self.aims: dict[tuple[tuple[Meld, ...], int], tuple[Aim, ...]] = {}
        self.usual: dict[tuple[Meld, ...], frozenset[str]] = {}


class Memory:
    """What hands were found to pay in some circumstances: kept from one decision to the next."""

    def __init__(self) -> None:
        self.pays: dict[_Key, float] = {}
        self.refused: set[_Key] = set()
        self.players: dict[object, RuleAnswers] = {}
        self.rows: dict[tuple[bytes, tuple[Meld, ...]], str] = {}
        self.circumstances: object = None

    def enter(self, circumstances: object) -> None:
        """Clear the cache if the circumstances changed or it is full."""
        if circumstances != self.circumstances or len(self.pays) >= REMEMBERED:
            self.pays.clear()
            self.refused.clear()
            self.rows.clear()
            self.circumstances = circumstances


class Payoff:
    """Pays hands of the player of one position. Circumstances are those of a win some draws later.

    ready: the situation of the call of ready that is in force then, "" for none, or CALLS.
    """

    def __init__(self, seen: SeatView, memory: Memory | None = None, *, ready: str = CALLS) -> None:
        self._seen = seen
        called = seen.player.ready or seen.state.house.policy.ready.situation
        self._ready = (called if ready == CALLS else ready) or None
        self._others = [seat for seat in seen.state.house.seats if seat != seen.seat]
        self._request = self._make_request()
        self._situations: dict[tuple[Source, bool], frozenset[str]] = {}
        memory = memory or Memory()
        memory.enter(self._list_circumstances())
        self._known, self._refused, self._rows = memory.pays, memory.refused, memory.rows
        if len(memory.players) >= REMEMBERED_PLAYERS:
            memory.players.clear()
        self.answers = memory.players.setdefault(self._list_circumstances()[:-1], RuleAnswers())
        self._from = self._group_others()

    @property
    def others(self) -> int:
        """How many opponents there are."""
        return len(self._others)

    def pay(
        self, hand: bytes, melds: tuple[Meld, ...], tile: Tile, source: Source, last: bool = False
    ) -> float:
        """What the player receives for these 42 counts of concealed tiles, of which `tile` came last.

        The mean over the opponents who may discard it. 0 without a win. last: it is the wall's last tile.
        """
        key = (hand, melds, tile.index, source, last)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
                self._refused.clear()
            found = self._known[key] = self._score(*key)
        return found

    def wins(self, hand: bytes, melds: tuple[Meld, ...], tile: Tile, source: Source) -> bool:
        """Whether the hand that `pay` scores wins: a win may pay nothing."""
        pays = self.pay(hand, melds, tile, source) > 0
        return pays or (hand, melds, tile.index, source, False) not in self._refused

    def name_row(self, hand: bytes, melds: tuple[Meld, ...]) -> str:
        """The row with the highest value in a hand that was scored before; "" without one."""
        return self._rows.get((hand, melds), "")

    def score(self, hand: bytes, melds: tuple[Meld, ...], tile: Tile, source: Source) -> Score:
        """The rules' answer for that hand, as `pay` asks for it; a discard is the first opponent's."""
        tiles = tuple([kind for kind, count in zip(KINDS, hand, strict=False) for _ in range(count)])
        request = self._request.changed(
            hand=tiles, melds=tuple(sorted(melds)), winning_tile=tile, source=source,
            discarder=None if source is Source.SELF_DRAW else self._from[0][0],
            situation=self._list_situations(source, False),
        )  # fmt: skip
        return score(request, house_rules=False)

    def _score(self, hand: bytes, melds: tuple[Meld, ...], at: int, source: Source, last: bool) -> float:
        tiles = tuple([kind for kind, count in zip(KINDS, hand, strict=False) for _ in range(count)])
        situation, tile = self._list_situations(source, last), KINDS[at]
        froms: list[tuple[int | None, int]] = [(None, 1)] if source is Source.SELF_DRAW else self._from
        total = 0.0
        for discarder, times in froms:
            request = self._request.changed(
                hand=tiles, melds=tuple(sorted(melds)), winning_tile=tile,
                source=source, discarder=discarder, situation=situation,
            )  # fmt: skip
            result = score(request, house_rules=False)
            if not result.legal:
                self._refused.add((hand, melds, at, source, last))
                return 0.0
            total += times * result.payments[self._seen.seat]
            if result.lines:
                self._rows[hand, melds] = max(result.lines, key=lambda line: line.value).name
        return total / sum(times for _, times in froms)

    def _make_request(self) -> ScoreRequest:
        seen = self._seen
        made = make_request(seen.state, seen.hand, Chance(seen.seat, Source.SELF_DRAW, None, None), (), ())
        return made.changed(gambits=0, consecutive_kongs=0, discards=None)

    def _list_circumstances(self) -> tuple[object, ...]:
        made = self._request
        return (
            made.flowers, made.winner, made.dealer, made.round_wind, made.streak, made.fortune,
            made.three_melds, self._ready, (self._seen.state.house, made.balances),
        )  # fmt: skip

    def _group_others(self) -> list[tuple[int | None, int]]:
        """Opponents who would pay alike: one of each group with the size of the group."""
        made = self._request
        found: dict[object, list[int]] = {}
        for seat in self._others:
            liable = [pair for pair in made.three_melds if seat in pair]
            alike = (seat == made.dealer, tuple(liable), made.balances and made.balances[seat])
            found.setdefault(alike, []).append(seat)
        return [(seats[0], len(seats)) for seats in found.values()]

    def _list_situations(self, source: Source, last: bool) -> frozenset[str]:
        known = self._situations.get((source, last))
        if known is None:
            known = self._situations[source, last] = self._find_situations(source, last)
        return known

    def _find_situations(self, source: Source, last: bool) -> frozenset[str]:
        seen = self._seen
        try:
            now = make_moment(seen.hand, seen.seat, source)
        except EventError:
            return frozenset()
        sea = last and seen.hand.wall.rule.sea > 0 and source is Source.SELF_DRAW
        moment: Moment = now._replace(
            replacement=False,
            ready=self._ready,
            discards=max(now.discards, 2),
            draws=max(now.draws, 2),
            claims=max(now.claims, 1),
            live_left=0 if last else max(now.live_left, 8),
            sea=sea,
        )
        return seen.state.house.play.situations_at(moment)


PAIR = 2
Counts = NDArray[np.int64]
TINY = 1e-9


class Prices(NamedTuple):
    """Finished hands (m, 34) by place, the nearest first, and what each pays (m, 4): self-drawn and on a
    discard, all of it concealed; the same with sets claimed."""

    tiles: NDArray[np.uint8]
    pays: NDArray[np.float64]
    concealed: list[bytes]


class Pricer:
    """Prices aims of a hand with these melds.

    `held`, `left`: counts by place (34,), without the `wild` tiles. winning: at a table that refuses other
    hands the aims one of which every hand must meet; none where no hand is refused.
    """

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
        self._workshop = TargetBuilder(game, len(melds), held.astype(np.uint8), left.astype(np.uint8))
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
    """The mean payment of the finished hands nearest after each discard, (n, 4), among those that win, and
    the share that wins, all concealed and with sets claimed, (n, 2): the rules may refuse others."""
    share = (near / near.sum(axis=0)).T
    won = share @ (prices.pays.reshape(-1, 2, 2) > 0).any(axis=2)
    pays: Floats = share @ prices.pays
    return pays / np.maximum(TINY, np.repeat(won, 2, axis=1)), won


def keep_open(gains: Floats, near: NDArray[np.bool_], lacking: NDArray[np.int64]) -> Floats:
    """What discards gain (n,): a discard that keeps all the hands of another open gains at least as much."""
    within = ~(near[:, :, None] & ~near[:, None, :]).any(axis=0)  # [b, a]: the hands of b are hands of a
    within &= lacking[:, None] >= lacking
    found: Floats = np.where(within, gains[:, None], -np.inf).max(axis=0)
    return found
