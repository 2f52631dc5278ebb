"""What a finished hand pays its player, by the table's own scoring and settlement. It remembers hands."""

from __future__ import annotations

from dataclasses import replace

from companion.coach.seen import Seen
from companion.errors import EventError
from companion.rules import Source, score
from companion.rules.play import Moment
from companion.rules.win import ScoreRequest
from companion.table.moments import make_moment
from companion.table.wins import Chance, make_request
from companion.tiles import KINDS, Meld, Tile

REMEMBERED = 1 << 16


class Payoff:
    """Pays hands of the player of one position. Circumstances are those of a win `ahead` own draws later."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self._others = [seat for seat in seen.state.house.seats if seat != seen.seat]
        self._known: dict[tuple[bytes, tuple[Meld, ...], int, Source, bool], float] = {}
        self._rows: dict[tuple[bytes, tuple[Meld, ...]], str] = {}
        self._request: ScoreRequest | None = None

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
            found = self._known[key] = self._score(hand, melds, tile, source, last)
        return found

    def name_row(self, hand: bytes, melds: tuple[Meld, ...]) -> str:
        """The row that is worth most in a hand that was paid before; "" where there is none."""
        return self._rows.get((hand, melds), "")

    def _score(self, hand: bytes, melds: tuple[Meld, ...], tile: Tile, source: Source, last: bool) -> float:
        tiles = tuple([kind for kind, count in zip(KINDS, hand, strict=False) for _ in range(count)])
        situation = self._list_situations(source, last)
        froms: list[int | None] = [None] if source is Source.SELF_DRAW else list(self._others)
        total = 0.0
        for discarder in froms:
            request = replace(
                self._base_request(), hand=tiles, melds=tuple(sorted(melds)), winning_tile=tile,
                source=source, discarder=discarder, situation=situation,
            )  # fmt: skip
            result = score(request, house_rules=False)
            if not result.legal:
                return 0.0
            total += result.payments[self._seen.seat]
            if result.lines:
                self._rows[hand, melds] = max(result.lines, key=lambda line: line.value).name
        return total / len(froms)

    def _base_request(self) -> ScoreRequest:
        if self._request is None:
            seen = self._seen
            chance = Chance(seen.seat, Source.SELF_DRAW, None, None)
            made = make_request(seen.state, seen.hand, chance, (), ())
            self._request = replace(made, gambits=0, consecutive_kongs=0)
        return self._request

    def _list_situations(self, source: Source, last: bool) -> frozenset[str]:
        seen = self._seen
        try:
            now = make_moment(seen.hand, seen.seat, source)
        except EventError:
            return frozenset()
        sea = last and seen.hand.wall.rule.sea > 0 and source is Source.SELF_DRAW
        moment: Moment = now._replace(
            replacement=False,
            discards=max(now.discards, 2),
            draws=max(now.draws, 2),
            claims=max(now.claims, 1),
            live_left=0 if last else max(now.live_left, 8),
            sea=sea,
        )
        return seen.state.house.play.situations_at(moment)
