"""How a hand may have ended: a row turned face up that wins, or an empty wall and a cleared table.

In order: which winning hands a row of faces may be (`list_hands`), which rows are turned-up hands
(`find_shown`), and the ways to the end (`list_wins`, `list_sweeps`). A tile that was not read or not found
may be any kind with copies left; one that fits no winning hand may be misread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise, permutations, product
from math import comb, inf, log

from msgspec.structs import replace as changed

from companion.following.hypotheses import QUICK_COST, Hypothesis, Part, Role, Way, reach_end, reach_turn
from companion.following.quarters import find_rows
from companion.following.scene import Scene
from companion.following.tracks import Face, Track
from companion.rules import RuleSet
from companion.rules.waiting import shanten
from companion.rules.win import Options
from companion.seeing.sights import see_from
from companion.table.events import Discarded, Event, HandAbandoned, HandDrawn, Won
from companion.table.moves import TILES
from companion.table.state import HandState, OfferKind, Phase, Player, State
from companion.tiles import KINDS, KONG_TILES, Meld, MeldKind, Suit, Tile, format_tiles

UNKNOWN_MAX, ONE_UNKNOWN_OF, UNKNOWN_MAX_WITH_MISREAD = 3, 3, 2
"""The most unknown tiles; one of this many tiles may be unknown; and the most unknown ones if one is
misread."""
MISREAD_MAX_NATS = 12.0
"""The most nats of all faces that are taken for other kinds than they read as."""
ORDER_COSTS = (0.0, 4.0, 6.0)
"""Nats of none, one, or more places where the tiles are out of order: most people sort their hands."""
HANDS_MAX = 8
Settings = tuple[tuple[str, object], ...]
Codes = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WinningHand:
    """A winning hand. codes: of its tiles in their places, those without a known place last. Costs in nats:
    of the unread tiles being these ones, of the faces, and of the order of the tiles."""

    codes: Codes
    share_cost: float
    face_cost: float
    order_cost: float

    @property
    def cost(self) -> float:
        """Nats of everything but the faces."""
        return self.share_cost + self.order_cost

    @property
    def total(self) -> float:
        """Nats in total."""
        return self.cost + self.face_cost


def list_hands(
    state: State,
    player: Player,
    faces: Sequence[Face | None],
    loose: int = 0,
    extra: Codes = (),
    kongs: Codes = (),
    offered: str | None = None,
) -> list[WinningHand]:
    """The hands that may be shown, likeliest first. faces: from the player's left to right, None for a tile
    that was not found; loose: the number of further tiles in unknown places; extra: tiles of the hand that
    are somewhere else; kongs: the kinds of the player's hidden kongs; offered: the kind of the tile on offer,
    if it is one of the faces."""
    hand = state.hand
    if hand is None:
        return []
    table = _Table(state, hand, player, kongs, offered)
    known: Sequence[Face | None] = [face if face is not None and face.is_read else None for face in faces]
    found = (each for read in _list_readings(known, loose) for each in table.complete(read, loose, extra))
    named = list({each.codes: each for each in sorted(found, key=lambda each: -each.total)}.values())
    sorted_cost = min((each.order_cost for each in named), default=0.0)
    named = [replace(each, order_cost=each.order_cost - sorted_cost) for each in named]
    return sorted(named, key=lambda each: each.total)[:HANDS_MAX]


@dataclass(frozen=True, slots=True)
class _Reading:
    """The kinds of the tiles in their places, None to try any kind; cost: nats of the faces."""

    codes: tuple[str | None, ...]
    cost: float


def _list_readings(faces: Sequence[Face | None], loose: int) -> Iterator[_Reading]:
    """Every way to read the faces that is likely enough."""
    unknown = loose + sum(face is None for face in faces)
    if unknown > UNKNOWN_MAX or unknown > (len(faces) + loose) // ONE_UNKNOWN_OF:
        return
    choices = [_list_choices(face) for face in faces]
    doubtful = [at for at, each in enumerate(choices) if len(each) > 1]
    tops = tuple(each[0][0] for each in choices)
    for picked in product(*(choices[at] for at in doubtful)):
        cost = sum(each for _, each in picked)
        if cost <= MISREAD_MAX_NATS:
            yield _Reading(
                _replace_codes(tops, dict(zip(doubtful, (code for code, _ in picked), strict=True))), cost
            )
    if unknown >= UNKNOWN_MAX_WITH_MISREAD:
        return
    for at, face in enumerate(faces):
        if face is not None:
            yield _Reading(_replace_codes(tops, {at: None}), face.cost(""))


def _replace_codes(codes: tuple[str | None, ...], others: Mapping[int, str | None]) -> tuple[str | None, ...]:
    return tuple(others.get(at, code) for at, code in enumerate(codes))


def _list_choices(face: Face | None) -> list[tuple[str | None, float]]:
    """The kinds a face may be, likeliest first, with nats."""
    if face is None:
        return [(None, 0.0)]
    codes = [code for code in (face.top, *face.likely[1:3]) if code in TILES and TILES[code].index < 34]
    return [(code, face.cost(code)) for code in codes] or [(None, face.cost(""))]


@dataclass(frozen=True, slots=True)
class _Table:
    """What is known of the tiles that a hand may hold."""

    state: State
    hand: HandState
    player: Player
    kongs: Codes
    offered: str | None

    def complete(self, read: _Reading, loose: int, extra: Codes) -> Iterator[WinningHand]:
        """The winning hands with these tiles."""
        fixed = Counter(code for code in read.codes if code is not None)
        left = self._count_left()
        left.subtract(fixed)
        if any(left[code] < 0 for code in (*fixed, *self.kongs)):
            return
        missing = [at for at, code in enumerate(read.codes) if code is None]
        tiles = tuple(sorted(TILES[code] for code in (*fixed.elements(), *extra)))
        house = self.state.house
        ways = _list_completions(
            house.rules, tuple(sorted(house.scoring.items())), self.hand.fortune, self._list_melds(), tiles,
            len(missing) + loose,
        )  # fmt: skip
        weights = {way: _count_ways(way, left) for way in ways}
        total = sum(weights.values())
        for way, weight in weights.items():
            if weight:
                codes, order_cost = _place(read.codes, missing, way, self.hand.fortune)
                yield WinningHand(codes, -log(weight / total), read.cost, order_cost)

    def _count_left(self) -> Counter[str]:
        """How many tiles of each kind may be in the hand; negative if the hidden kongs cannot be of it."""
        own = Counter(tile.code for tile in self.player.concealed)
        copies, known = self.state.house.copies, self.hand.known
        left = Counter({kind.code: copies[kind.index] - known[kind.index] for kind in KINDS[:34]})
        left.update(own)
        left.update([self.offered] if self.offered else [])
        left.subtract({code: KONG_TILES * count for code, count in Counter(self.kongs).items()})
        return left

    def _list_melds(self) -> tuple[Meld, ...]:
        known = [laid.meld for laid in self.player.melds if laid.meld is not None]
        return (*known, *(make_kong(code) for code in self.kongs))


def make_kong(code: str) -> Meld:
    """The concealed kong of that kind."""
    return Meld((TILES[code],) * KONG_TILES, MeldKind.KONG_CONCEALED)


def _place(
    codes: tuple[str | None, ...], missing: Sequence[int], tiles: tuple[Tile, ...], fortune: Tile | None
) -> tuple[Codes, float]:
    """The hand with these tiles in the missing places, the rest at the end, in the best order; and the cost
    of that order."""
    best: tuple[float, Codes] | None = None
    for order in sorted(set(permutations(tile.code for tile in tiles))):
        placed = _replace_codes(codes, dict(zip(missing, order, strict=False)))
        whole = tuple(code for code in placed if code is not None)
        cost = _cost_order([tile for code in whole if (tile := TILES[code]) is not fortune])
        if best is None or cost < best[0]:
            best = cost, (*whole, *order[len(missing) :])
    assert best is not None
    return best[1], best[0]


def _cost_order(tiles: Sequence[Tile]) -> float:
    """Nats of tiles in this order; the last drawn tile may be at either end."""
    rows = (tiles, tiles[:-1], tiles[1:])
    least = min(_count_breaks(each) for row in rows for each in (row, row[::-1]))
    return ORDER_COSTS[min(least, len(ORDER_COSTS) - 1)]


def _count_breaks(tiles: Sequence[Tile]) -> int:
    """How often a suit or an honour comes again after another one, or a rank after a higher one."""
    count, done = 0, set()
    for before, tile in pairwise(tiles):
        if _name_group(before) != _name_group(tile):
            done.add(_name_group(before))
            count += _name_group(tile) in done
        elif tile.rank < before.rank:
            count += 1
    return count


def _name_group(tile: Tile) -> object:
    return tile if tile.suit is Suit.HONORS else tile.suit


def _count_ways(tiles: tuple[Tile, ...], left: Mapping[str, int]) -> int:
    """In how many ways these tiles can be taken from what is left."""
    ways = 1
    for tile, count in Counter(tiles).items():
        ways *= comb(max(0, left.get(tile.code, 0)), count)
    return ways


@lru_cache(4096)
def _list_completions(
    rules: RuleSet, settings: Settings, fortune: Tile | None, melds: tuple[Meld, ...],
    tiles: tuple[Tile, ...], count: int,
) -> tuple[tuple[Tile, ...], ...]:  # fmt: skip
    """Every set of `count` tiles, sorted, that completes these tiles and melds to a finished hand."""
    options: Options = dict(settings)  # type: ignore[arg-type]
    found: list[tuple[Tile, ...]] = []

    def search(more: tuple[Tile, ...], kinds: Sequence[Tile]) -> None:
        if shanten(rules, (*tiles, *more), melds, options, fortune) + 1 > count - len(more):
            return
        if len(more) == count:
            found.append(more)
            return
        for at, kind in enumerate(kinds):
            if (*tiles, *more).count(kind) < KONG_TILES:
                search((*more, kind), kinds[at:])

    search((), KINDS[:34])
    return tuple(found)


SHOWN_STILL_S = 0.9
"""How long a row must have been turned up: until then tiles may still be missing."""
NOT_FOUND_S, NOT_FOUND_COSTS = 1.4, (0.0, 3.0, 6.5, 10.0)
"""Once the others have been there for this time, a tile of the hand may not have been found, and one more for
each further such time; nats by the number of such tiles. One tile in fifty is found late, so that one of 14
is often missing."""
ONE_MISSING_OF, MISSING_MAX = 4, len(NOT_FOUND_COSTS) - 1
"""One of this many tiles may be missing, but never more than MISSING_MAX."""
GAP_WAYS_MAX = 4
"""The number of ways tried to place missing tiles in gaps."""
USUAL_STEP_MM, GAP_MIN_STEPS, GAP_COST = 26.5, 0.7, 3.0
"""The distance from tile to tile; the share of it by which a gap with room for a tile is wider; nats of each
tile that would fit in a gap and is not there."""
AT_ONCE_S = 3.0
"""A hand is turned up within this time."""
LONG_BEFORE_S, LONG_BEFORE_COST = 10.0, 8.0
"""Nats of each tile of a hand that was there this long before most of it, more than of an unexplained one: it
is more likely part of a meld."""
APART_STEPS = 1.35
"""A tile farther from the next one than this many usual distances is the one drawn last."""
APART_SHARE, LAST_SHARE = 0.96, 0.7
"""The probability of that, and of the last tile if none is apart."""
KONG_COST_MAX = 9.0
"""Four tiles that fit a kong worse than this are not one."""
IN_ROW_COST = 1.0
"""Nats if the four are in a row with others, which may be a hand with three of a kind."""
STAYS_HIDDEN_S, HIDDEN_KINDS_MAX = 1.8, 3
"""A winner who has not turned up a concealed kong after this time will not do so; the number of kinds tried
for it."""


Kong = tuple[str, tuple[Track, ...]]


@dataclass(frozen=True, slots=True)
class ShownHand:
    """Tiles that a player may have turned up. row: from the player's left to right, None for a place whose
    tile was not found; loose: how many more were not found anywhere; kongs: concealed ones that nobody knew
    before, each with its code; guessed: possible kinds of those that stay face down; cost: nats."""

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
        """The faces of the tiles in the row."""
        return [None if track is None else track.face for track in self.row]

    @property
    def since_s(self) -> float:
        """When all tiles found in the row were there."""
        return max(track.since_s for track in self.row if track is not None)

    @property
    def kong_codes(self) -> Codes:
        """The kinds of the concealed kongs."""
        return (*(code for code, _ in self.kongs), *self.guessed)

    def win(self, codes: Sequence[str], drawn: str | None) -> tuple[Event, tuple[int, ...]]:
        """The win with these tiles, including the winning one. drawn: the winning tile if it was drawn."""
        kongs = tuple(str(make_kong(code)) for code in self.kong_codes)
        hand = format_tiles(sorted(TILES[code] for code in codes))
        won = Won(seat=self.seat, hand=hand, tile=drawn, kongs=kongs)
        return won, tuple(track.number for track, _ in self._pair(codes))

    def roles(self, codes: Sequence[str]) -> tuple[tuple[int, Role], ...]:
        """The role of each tile."""
        return tuple((track.number, Role(Part.HAND, self.seat, code)) for track, code in self._pair(codes))

    def _pair(self, codes: Sequence[str]) -> list[tuple[Track, str]]:
        """The tiles that were found, each with its code."""
        row = [(track, code) for track, code in zip(self.row, codes, strict=False) if track is not None]
        return row + [(track, code) for code, kong in self.kongs for track in kong]

    def list_last(self, codes: Sequence[str]) -> list[tuple[str, float]]:
        """The tiles that may have been drawn last, likeliest first, with their costs in nats."""
        found = [(see_from(self.seat, track.x_mm, track.y_mm)[0], code) for track, code in self._pair(codes)]
        found = found[: sum(track is not None for track in self.row)]
        places = [place for place, _ in found]
        usual = _find_step(places)
        first, share = found[-1][1], LAST_SHARE
        if len(found) > 2 and places[-1] - places[-2] > APART_STEPS * usual:
            share = APART_SHARE
        elif len(found) > 2 and places[1] - places[0] > APART_STEPS * usual:
            first, share = found[0][1], APART_SHARE
        others = Counter(code for code in codes if code != first)
        rest = (1 - share) / max(1, others.total())
        return [(first, -log(share)), *((code, -log(rest * count)) for code, count in others.items())]


def find_shown(scene: Scene, hand: HandState, seat: int, faces: Sequence[Track]) -> Iterator[ShownHand]:
    """The hand that the player shows, if about as many tiles are face up as the player has, or one more; one
    for each guess at a kong that stays face down."""
    player = hand.players[seat]
    rows = find_rows(scene.quarters, seat, faces)
    hidden = sum(laid.meld is None for laid in player.melds)
    kongs = _find_kongs(rows, hidden) if hidden else ()
    if len(kongs) < hidden - 1:
        return
    turned = {track.number for _, kong in kongs for track in kong}
    rest = [tuple(track for track in row if track.number not in turned) for row in rows]
    for row in dict.fromkeys(_list_rows(rest)):
        put_s = scene.t - max((track.since_s for track in row), default=scene.t)
        if not row or put_s < SHOWN_STILL_S:
            continue
        for count in (player.count, player.count + 1):
            missing = count - len(row)
            if (
                missing < 0
                or missing > min(MISSING_MAX, max(1, count // ONE_MISSING_OF))
                or put_s < missing * NOT_FOUND_S
            ):
                continue
            for slots, gaps in _fill_gaps(seat, row, missing):
                cost = _measure_apart(row) + NOT_FOUND_COSTS[missing] + gaps * GAP_COST
                loose = count - len(slots)
                if len(kongs) == hidden:
                    yield ShownHand(seat, player, slots, loose, kongs, (), cost)
                elif put_s > STAYS_HIDDEN_S:
                    read = {track.face.top for track in row}
                    unseen = [
                        code
                        for code, tile in TILES.items()
                        if not hand.known[tile.index] and code not in read
                    ]
                    for code in unseen[:HIDDEN_KINDS_MAX]:
                        yield ShownHand(seat, player, slots, loose, kongs, (code,), cost + log(len(unseen)))


def _measure_apart(row: Sequence[Track]) -> float:
    """Nats of tiles that were there long before most: a hand is turned up at once."""
    usual_s = sorted(track.since_s for track in row)[len(row) // 2]
    return LONG_BEFORE_COST * sum(track.since_s < usual_s - LONG_BEFORE_S for track in row)


def _fill_gaps(seat: int, row: Sequence[Track], missing: int) -> list[tuple[tuple[Track | None, ...], int]]:
    """The likeliest ways to place the missing tiles in gaps of the row or beyond its ends: the row with None
    in the gaps; and how many more tiles would fit in gaps, apart from the gap next to the tile drawn last."""
    places = [see_from(seat, track.x_mm, track.y_mm)[0] for track in row]
    step = _find_step(places)
    gaps = [(place - before) / step for before, place in pairwise(places)]
    rooms = [max(0, int(gap - GAP_MIN_STEPS)) for gap in gaps]
    next_to_last = -1 if gaps and gaps[-1] > APART_STEPS else 0
    free = [at for at, room in enumerate(rooms) for _ in range(min(room, missing))]
    filled = {ats for count in range(min(missing, len(free)) + 1) for ats in combinations(free, count)}
    ways: list[tuple[tuple[Track | None, ...], int]] = []
    for ats in filled:
        slots: list[Track | None] = [row[0]]
        for at, track in enumerate(row[1:]):
            slots += [*[None] * ats.count(at), track]
        empty = [room - ats.count(at) for at, room in enumerate(rooms)]
        ways.append((tuple(slots), sum(empty) - (empty[next_to_last] if empty else 0)))
    return sorted(ways, key=lambda way: (way[1], -len(way[0])))[:GAP_WAYS_MAX]


def _find_step(places: Sequence[float]) -> float:
    """The usual distance from tile to tile."""
    steps = sorted(b - a for a, b in pairwise(places))
    return steps[(len(steps) - 1) // 2] if steps else USUAL_STEP_MM


def _list_rows(rows: Sequence[tuple[Track, ...]]) -> Iterator[tuple[Track, ...]]:
    """What may be a hand: all rows, one of them, or those without the tiles that were there long before the
    rest or are not surely tiles."""
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
    """Concealed kongs that were turned up: four tiles next to each other, at least three of which read alike;
    preferably all four, and apart from others."""
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


SECOND_WINNER = -2.0
ABANDONED_COST = 6.0
LAST_COST_MAX = 2.0
"""A discard that was not read may be the winning tile up to these nats."""
LEFT_THERE_COST = 8.0
"""Nats of a discard being in a shown hand although it was seen in the river after that."""
UNREAD = Face(())


def list_wins(scene: Scene, hypothesis: Hypothesis, unexplained: Sequence[Track]) -> Iterator[Way]:
    """Every win that an unexplained row may be."""
    state, hand = hypothesis.state, hypothesis.state.hand
    if hand is None or not (state.playing or hand.results):
        return
    faces = [track for track in unexplained if not track.face.is_back and not track.face.top.endswith("f")]
    if len(faces) < 2:
        return
    for seat in state.house.seats:
        if hand.players[seat].shown:
            continue
        for shown in find_shown(scene, hand, seat, faces):
            turned = _list_turned_backs(hypothesis, shown)
            for way in _list_ways(scene, hypothesis, hand, shown):
                yield replace(way, dropped=turned)


def _list_ways(scene: Scene, hypothesis: Hypothesis, hand: HandState, shown: ShownHand) -> Iterator[Way]:
    if hypothesis.state.playing:
        yield from _self_drawn(hypothesis, hand, shown)
        yield from _on_unseen(hypothesis, hand, shown)
    yield from _on_offer(scene, hypothesis, hand, shown)


def _list_turned_backs(hypothesis: Hypothesis, shown: ShownHand) -> tuple[int, ...]:
    """The backs of the player's hidden kongs, by track, if all of them were turned up: the same tiles are
    next to that place now."""
    hidden = {at for at, laid in enumerate(shown.player.melds) if laid.meld is None}
    if not hidden or len(shown.kongs) < len(hidden):
        return ()
    return tuple(
        number
        for number, role in hypothesis.roles.items()
        if role.part is Part.MELD and role.seat == shown.seat and role.meld in hidden
    )


def _list_hands(
    hypothesis: Hypothesis, shown: ShownHand, extra: tuple[str, ...] = (), beside: tuple[Face, ...] = (),
    offered: str | None = None,
) -> list[WinningHand]:  # fmt: skip
    """beside: faces of tiles of the hand that are somewhere else, last in order; offered: the kind of the
    tile on offer, which is in the row or next to it."""
    faces = [*shown.faces, *beside]
    return list_hands(hypothesis.state, shown.player, faces, shown.loose, extra, shown.kong_codes, offered)


def _on_offer(scene: Scene, hypothesis: Hypothesis, hand: HandState, shown: ShownHand) -> Iterator[Way]:
    """A win on the tile on offer, which is still in its place or was added to the hand."""
    offer, state = hand.offer, hypothesis.state
    if offer is None or offer.seat == shown.seat or offer.kind is OfferKind.FLOWER:
        return
    if state.playing and isinstance(hypothesis.step.event, Discarded):
        yield from _on_discard(scene, hypothesis, hypothesis.step.event, shown)
    elif offer.tile is not None:
        code = offer.tile.code
        extra, offered = ((), code) if shown.has_winning_tile else ((code,), None)
        cost = shown.cost + (0.0 if state.playing else SECOND_WINNER)
        for named in _list_hands(hypothesis, shown, extra, offered=offered):
            if code in (*named.codes, *extra):
                won = shown.win((*named.codes, *extra), None)
                yield Way(cost + named.cost, (won,), shown.roles(named.codes))


def _on_discard(
    scene: Scene, hypothesis: Hypothesis, discarded: Discarded, shown: ShownHand
) -> Iterator[Way]:
    """A win on the discard on offer, which may be of another kind than it reads as."""
    tracks = hypothesis.step.tracks
    track = scene.tracks.get(tracks[0]) if tracks else None
    face = UNREAD if track is None else track.face
    if shown.has_winning_tile:
        stays = track is not None and track.seen_s > shown.since_s + SHOWN_STILL_S
        own_cost = shown.cost + (LEFT_THERE_COST if stays else 0.0)
        for named in _list_hands(hypothesis, shown, offered=discarded.tile):
            for code, last_cost in shown.list_last(named.codes):
                known = code == discarded.tile
                cost = own_cost + named.cost + last_cost + (0.0 if known else face.cost(code))
                if known or (discarded.tile is None and last_cost < LAST_COST_MAX):
                    yield _name_both(hypothesis, discarded, code, shown, named, cost, taken=True)
        return
    for named in _list_hands(hypothesis, shown, beside=(face,), offered=discarded.tile):
        at = len(shown.row)
        rest = replace(named, codes=(*named.codes[:at], *named.codes[at + 1 :]))
        yield _name_both(
            hypothesis, discarded, named.codes[at], shown, rest, shown.cost + named.cost, taken=False
        )  # fmt: skip


def _name_both(
    hypothesis: Hypothesis, discarded: Discarded, code: str, shown: ShownHand, named: WinningHand,
    cost: float, *, taken: bool,
) -> Way:  # fmt: skip
    """The win on the discard on offer, of that kind; taken: whether it is in the hand now."""
    tracks, roles = hypothesis.step.tracks, shown.roles(named.codes)
    won = shown.win(named.codes if taken else (*named.codes, code), None)
    released = tracks if taken else ()
    if code == discarded.tile:
        return Way(cost, (won,), roles, released=released)
    renamed = (changed(discarded, tile=code), tracks)
    if not taken:
        roles += tuple((number, Role(Part.RIVER, discarded.seat, code)) for number in tracks)
    return Way(cost, (renamed, won), roles, released=released, undone=1)


def _on_unseen(hypothesis: Hypothesis, hand: HandState, shown: ShownHand) -> Iterator[Way]:
    """A win on a discard that was added to the hand before the camera saw it."""
    if not shown.has_winning_tile:
        return
    state = hypothesis.state
    for named in _list_hands(hypothesis, shown):
        for code, last_cost in shown.list_last(named.codes)[:2]:
            won = shown.win(named.codes, None)
            for giver in state.house.seats:
                path = None if giver == shown.seat else reach_turn(state.house, hand, giver)
                if path is not None:
                    quick = (Discarded(seat=giver, tile=code), ())
                    total = path.cost + QUICK_COST + shown.cost + named.cost + last_cost
                    yield Way(total, (*path.steps, quick, won), shown.roles(named.codes))


def _self_drawn(hypothesis: Hypothesis, hand: HandState, shown: ShownHand) -> Iterator[Way]:
    path = reach_turn(hypothesis.state.house, hand, shown.seat)
    if path is None or not shown.has_winning_tile:
        return
    for named in _list_hands(hypothesis, shown):
        for code, last_cost in shown.list_last(named.codes):
            total = path.cost + shown.cost + named.cost + last_cost
            yield Way(total, (*path.steps, shown.win(named.codes, code)), shown.roles(named.codes))


def list_sweeps(hypothesis: Hypothesis) -> Iterator[Way]:
    """How the hand ended if the table was cleared and no win was seen."""
    hand = hypothesis.hand
    if hand is None:
        return
    path = reach_end(hypothesis.state.house, hand)
    if path is not None:
        yield Way(path.cost, (*path.steps, (HandDrawn(), ())))
    elif hand.phase is Phase.CLAIM and hand.wall.live_left == 1:
        yield Way(0.5, ((HandDrawn(declined_by=hand.turn), ()),))
    yield Way(ABANDONED_COST, ((HandAbandoned(), ()),))
