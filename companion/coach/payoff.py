"""What a finished hand pays its player, by the table's own scoring and settlement. It remembers hands."""

from __future__ import annotations

from companion.coach.aims import Aim
from companion.coach.seen import Seen
from companion.errors import EventError
from companion.rules import Score, Source, score
from companion.rules.play import Moment
from companion.rules.win import ScoreRequest
from companion.table.moves import make_moment
from companion.table.wins import Chance, make_request
from companion.tiles import KINDS, Meld, Tile

REMEMBERED = 1 << 16
CALLS = "calls"
"""Whoever is not bound yet calls ready as soon as the hand is: so hands are paid that are not ready now."""
REMEMBERED_PLAYERS = 64
"""In so many circumstances of players: flowers, seats and dealers of a few hands."""


_Key = tuple[bytes, tuple[Meld, ...], int, Source, bool]


class Asked:
    """What the rules were asked about a player in some circumstances, however the points stand.

    aims: which win with these melds and so many wild tiles; usual: the rows that most of these have.
    """

    def __init__(self) -> None:
        self.aims: dict[tuple[tuple[Meld, ...], int], tuple[Aim, ...]] = {}
        self.usual: dict[tuple[Meld, ...], frozenset[str]] = {}


class Memory:
    """What hands were found to pay in some circumstances: kept from one decision to the next."""

    def __init__(self) -> None:
        self.pays: dict[_Key, float] = {}
        self.refused: set[_Key] = set()
        self.players: dict[object, Asked] = {}
        self.rows: dict[tuple[bytes, tuple[Meld, ...]], str] = {}
        self.circumstances: object = None

    def enter(self, circumstances: object) -> None:
        """Forget what was found in other circumstances, or where it is too much."""
        if circumstances != self.circumstances or len(self.pays) >= REMEMBERED:
            self.pays.clear()
            self.refused.clear()
            self.rows.clear()
            self.circumstances = circumstances


class Payoff:
    """Pays hands of the player of one position. Circumstances are those of a win some draws later.

    ready: the situation of the call of ready that is in force then, "" for none, or CALLS.
    """

    def __init__(self, seen: Seen, memory: Memory | None = None, *, ready: str = CALLS) -> None:
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
        self.asked = memory.players.setdefault(self._list_circumstances()[:-1], Asked())
        self._from = self._group_others()

    @property
    def others(self) -> int:
        """How many opponents there are."""
        return len(self._others)

    def pay(
        self, hand: bytes, melds: tuple[Meld, ...], tile: Tile, source: Source, last: bool = False
    ) -> float:
        """What the player gets for these 42 counts of concealed tiles, of which `tile` came last.

        A discard may be any opponent's: the mean. 0 for no win. last: it is the wall's last tile.
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
        """Whether the hand that `pay` asks for wins: who wins may be paid nothing."""
        pays = self.pay(hand, melds, tile, source) > 0
        return pays or (hand, melds, tile.index, source, False) not in self._refused

    def name_row(self, hand: bytes, melds: tuple[Meld, ...]) -> str:
        """The row that is worth most in a hand that was paid before; "" where there is none."""
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
        """Opponents who would pay alike, one of each kind with how many they are."""
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
