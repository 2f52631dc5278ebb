"""Hands that are shown: rows of tiles turned up before a player, with room for those that were not found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import inf, log

from companion.following.hypotheses import Part, Role
from companion.following.rows import find_rows
from companion.following.scene import Scene
from companion.seeing.naming_hands import Codes, make_kong
from companion.seeing.quarters import see_from
from companion.seeing.tracks import Face, Track
from companion.table.claims import KONG_TILES
from companion.table.events import Event, Won
from companion.table.moves import TILES
from companion.table.state import HandState, Player
from companion.tiles import format_tiles

STILL_S = 0.9
"""A row that is turned up must have lain for so long: until then tiles may be missing."""
NOT_FOUND_S, NOT_FOUND_COSTS = 1.4, (0.0, 3.0, 6.5, 10.0)
"""Once the others lie there for so long, a tile of a hand may not have been found, and for each further one
after as long again; nats of so many: of 14 tiles, one in fifty of which comes late, one is often missing."""
NOT_FOUND_OF, MISSING_MOST = 4, len(NOT_FOUND_COSTS) - 1
"""Of each four tiles one may be missing, but never more than MISSING_MOST."""
WAYS_MOST = 4
"""So many ways in which tiles may lie in gaps are looked at."""
USUAL_STEP_MM, GAP_FROM, GAP_COST = 26.5, 0.7, 3.0
"""From tile to tile; a gap in which one more lies is wider by at least so much of that; nats of each tile
that would fit in a gap and does not lie there."""
AT_ONCE_S = 3.0
"""A hand is turned up within so many seconds."""
LONG_BEFORE_S, LONG_BEFORE_COST = 10.0, 8.0
"""Nats of each tile of a hand that lay there so long before most of it, more than of one that is left
unexplained: it is rather one of a meld."""
APART = 1.35
"""A tile that is farther from the next one than this many times the usual distance is the one drawn last."""
APART_SHARE, LAST_SHARE = 0.96, 0.7
"""How surely it is, and how surely the last one is where none lies apart."""
KONG_COST_MAX = 9.0
"""Four tiles that fit a kong worse than this are none."""
IN_ROW_COST = 1.0
"""Nats where the four lie in a row with others, which a hand with three of a kind may be."""
STAYS_HIDDEN_S, GUESSES = 1.8, 3
"""A winner who has not turned a concealed kong up for so long does not: so many kinds are tried for it."""


Kong = tuple[str, tuple[Track, ...]]


@dataclass(frozen=True, slots=True)
class Shown:
    """Tiles that a player may have turned up. row: from the player's left to right, None where one must lie
    that was not found; loose: how many more were not found, wherever they lie; kongs: concealed ones, which
    nobody knew before, each with its code; guessed: of what those may be that stay face down; cost: nats."""

    seat: int
    player: Player
    row: tuple[Track | None, ...]
    loose: int
    kongs: tuple[Kong, ...]
    guessed: Codes = ()
    cost: float = 0.0

    @property
    def has_winning_tile(self) -> bool:
        return (len(self.row) + self.loose) % 3 == 2

    @property
    def faces(self) -> list[Face | None]:
        """Of the tiles in the row."""
        return [None if track is None else track.face for track in self.row]

    @property
    def since_s(self) -> float:
        """When all that was found in the row lay there."""
        return max(track.since_s for track in self.row if track is not None)

    @property
    def kong_codes(self) -> Codes:
        """Of what kinds the concealed kongs are."""
        return (*(code for code, _ in self.kongs), *self.guessed)

    def win(self, codes: Sequence[str], drawn: str | None) -> tuple[Event, tuple[int, ...]]:
        """The win with these tiles, the winning one among them. drawn: it, where it was drawn."""
        kongs = tuple(str(make_kong(code)) for code in self.kong_codes)
        hand = format_tiles(sorted(TILES[code] for code in codes))
        won = Won(seat=self.seat, hand=hand, tile=drawn, kongs=kongs)
        return won, tuple(track.number for track, _ in self._pair(codes))

    def roles(self, codes: Sequence[str]) -> tuple[tuple[int, Role], ...]:
        """What each of the tiles is."""
        return tuple((track.number, Role(Part.HAND, self.seat, code)) for track, code in self._pair(codes))

    def _pair(self, codes: Sequence[str]) -> list[tuple[Track, str]]:
        """The tiles that were found, each with its code."""
        row = [(track, code) for track, code in zip(self.row, codes, strict=False) if track is not None]
        return row + [(track, code) for code, kong in self.kongs for track in kong]

    def list_last(self, codes: Sequence[str]) -> list[tuple[str, float]]:
        """Which tile may have been drawn last, the likeliest first, each with its cost in nats."""
        found = [(see_from(self.seat, track.x_mm, track.y_mm)[0], code) for track, code in self._pair(codes)]
        found = found[: sum(track is not None for track in self.row)]
        places = [place for place, _ in found]
        usual = _find_step(places)
        first, share = found[-1][1], LAST_SHARE
        if len(found) > 2 and places[-1] - places[-2] > APART * usual:
            share = APART_SHARE
        elif len(found) > 2 and places[1] - places[0] > APART * usual:
            first, share = found[0][1], APART_SHARE
        others = Counter(code for code in codes if code != first)
        rest = (1 - share) / max(1, others.total())
        return [(first, -log(share)), *((code, -log(rest * count)) for code, count in others.items())]


def find_shown(scene: Scene, hand: HandState, seat: int, faces: Sequence[Track]) -> Iterator[Shown]:
    """The hand that the player shows, where about as many tiles lie open as the player has, or one more; one
    for each guess at what a kong is that stays face down."""
    player = hand.players[seat]
    rows = find_rows(scene.quarters, seat, faces)
    hidden = sum(laid.meld is None for laid in player.melds)
    kongs = _find_kongs(rows, hidden) if hidden else ()
    if len(kongs) < hidden - 1:
        return
    turned = {track.number for _, kong in kongs for track in kong}
    rest = [tuple(track for track in row if track.number not in turned) for row in rows]
    for row in dict.fromkeys(_list_rows(rest)):
        lies_s = scene.t - max((track.since_s for track in row), default=scene.t)
        if not row or lies_s < STILL_S:
            continue
        for count in (player.count, player.count + 1):
            missing = count - len(row)
            if (
                missing < 0
                or missing > min(MISSING_MOST, max(1, count // NOT_FOUND_OF))
                or lies_s < missing * NOT_FOUND_S
            ):
                continue
            for slots, gaps in _fill_gaps(seat, row, missing):
                cost = _measure_apart(row) + NOT_FOUND_COSTS[missing] + gaps * GAP_COST
                loose = count - len(slots)
                if len(kongs) == hidden:
                    yield Shown(seat, player, slots, loose, kongs, (), cost)
                elif lies_s > STAYS_HIDDEN_S:
                    read = {track.face.top for track in row}
                    unseen = [
                        code
                        for code, tile in TILES.items()
                        if not hand.known[tile.index] and code not in read
                    ]
                    for code in unseen[:GUESSES]:
                        yield Shown(seat, player, slots, loose, kongs, (code,), cost + log(len(unseen)))


def _measure_apart(row: Sequence[Track]) -> float:
    """Nats of tiles that lay there long before most: a hand is turned up at once."""
    usual_s = sorted(track.since_s for track in row)[len(row) // 2]
    return LONG_BEFORE_COST * sum(track.since_s < usual_s - LONG_BEFORE_S for track in row)


def _fill_gaps(seat: int, row: Sequence[Track], missing: int) -> list[tuple[tuple[Track | None, ...], int]]:
    """The likeliest ways in which so many tiles may lie in gaps of the row, or beyond its ends: the row with
    None for those in gaps; and how many would fit in gaps and do not lie there, but for the gap beside the
    tile drawn last, which lies apart."""
    places = [see_from(seat, track.x_mm, track.y_mm)[0] for track in row]
    step = _find_step(places)
    gaps = [(place - before) / step for before, place in pairwise(places)]
    rooms = [max(0, int(gap - GAP_FROM)) for gap in gaps]
    beside_last = -1 if gaps and gaps[-1] > APART else 0
    free = [at for at, room in enumerate(rooms) for _ in range(min(room, missing))]
    filled = {ats for count in range(min(missing, len(free)) + 1) for ats in combinations(free, count)}
    ways: list[tuple[tuple[Track | None, ...], int]] = []
    for ats in filled:
        slots: list[Track | None] = [row[0]]
        for at, track in enumerate(row[1:]):
            slots += [*[None] * ats.count(at), track]
        empty = [room - ats.count(at) for at, room in enumerate(rooms)]
        ways.append((tuple(slots), sum(empty) - (empty[beside_last] if empty else 0)))
    return sorted(ways, key=lambda way: (way[1], -len(way[0])))[:WAYS_MOST]


def _find_step(places: Sequence[float]) -> float:
    """From tile to tile."""
    steps = sorted(b - a for a, b in pairwise(places))
    return steps[(len(steps) - 1) // 2] if steps else USUAL_STEP_MM


def _list_rows(rows: Sequence[tuple[Track, ...]]) -> Iterator[tuple[Track, ...]]:
    """What may be a hand: all rows, one of them, what of them was not there long before the rest, or what is
    surely a tile."""
    whole = tuple(track for row in rows for track in row)
    if not whole:
        return
    yield whole
    yield from rows
    times = sorted(track.since_s for track in whole)
    usual = times[len(times) // 2]
    yield tuple(track for track in whole if track.since_s > usual - AT_ONCE_S)
    yield tuple(track for track in whole if track.face.is_read)


def _find_kongs(rows: Sequence[tuple[Track, ...]], count: int) -> tuple[Kong, ...]:
    """Concealed kongs that were turned up: four tiles side by side, three of which at least read the same;
    rather those that read so all, and that lie by themselves."""
    candidates: list[tuple[float, Kong]] = []
    for row in rows:
        for at in range(len(row) - KONG_TILES + 1):
            four = row[at : at + KONG_TILES]
            code, alike = Counter(track.face.top for track in four).most_common(1)[0]
            cost = sum(track.face.cost(code) for track in four) if code in TILES else inf
            if alike >= KONG_TILES - 1 and cost < KONG_COST_MAX:
                candidates.append((cost + IN_ROW_COST * (len(row) % KONG_TILES > 0), (code, four)))
    found: list[Kong] = []
    taken: set[int] = set()
    for _, (code, four) in sorted(candidates, key=lambda candidate: candidate[0]):
        numbers = {track.number for track in four}
        if len(found) < count and taken.isdisjoint(numbers):
            found.append((code, four))
            taken |= numbers
    return tuple(found)
