"""How a hand may have ended: a row turned face up that wins, or an empty wall and a table swept clean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from math import log

from companion.table.events import Discarded, Event, HandAbandoned, HandDrawn, Won
from companion.table.kongs import KONG_TILES
from companion.table.moves import TILES, find_waits
from companion.table.state import HandState, OfferKind, Phase, Player, State, changed
from companion.tiles import UNKNOWN, Tile, format_tiles
from companion.tracking.hypotheses import Hypothesis, Part, Role, Way
from companion.tracking.quarters import see_from
from companion.tracking.rows import find_rows
from companion.tracking.scene import Scene
from companion.tracking.tracks import Face, Track
from companion.tracking.turns import QUICK_COST, reach_end, reach_turn

STILL_S = 0.9
"""A row that is turned up must have lain for so long: until then tiles may be missing."""
NOT_SEEN = -1
"""The number of a tile that must be there and was not found."""
NOT_FOUND_S, NOT_FOUND_COST, GAP_MM = 1.4, 4.0, 43.0
"""Once the others lie there for so long, one tile of a hand may not have been found; where it ought to lie
the others are so far apart."""
AT_ONCE_S = 3.0
"""A hand is turned up within so many seconds."""
LONG_BEFORE_S, LONG_BEFORE_COST = 10.0, 8.0
"""Nats of each tile of a hand that lay there so long before most of it, more than of one that is left
unexplained: it is rather one of a meld."""
APART = 1.35
"""A tile that is farther from the next one than this many times the usual distance is the one drawn last."""
NOT_APART_COST, NOT_LAST_COST = 3.0, 1.0
REREAD_MOST = 6
STAYS_HIDDEN_S, GUESSES = 1.8, 3
"""A winner who has not turned a concealed kong up for so long does not: so many kinds are tried for it."""
SECOND_WINNER = -2.0
ABANDONED_COST = 6.0
Named = tuple[tuple[str, ...], float]


@dataclass(frozen=True, slots=True)
class Shown:
    """Tiles that a player may have turned up. kongs: concealed ones, which nobody knew before; guessed: of
    what those may be that stay face down; guess_cost: nats."""

    seat: int
    player: Player
    row: tuple[Track, ...]
    kongs: tuple[tuple[Track, ...], ...]
    guessed: tuple[str, ...] = ()
    guess_cost: float = 0.0

    @property
    def has_winning_tile(self) -> bool:
        return len(self.row) % 3 == 2

    def win(self, codes: Sequence[str], drawn: str | None) -> tuple[Event, tuple[int, ...]]:
        """The win with these tiles, the winning one among them. drawn: it, where it was drawn."""
        known = (*(kong[0].face.top for kong in self.kongs), *self.guessed)
        kongs = tuple(_write_kong(code) for code in known)
        tracks = (*self.row, *(track for kong in self.kongs for track in kong))
        tracks = tuple(track for track in tracks if track.number != NOT_SEEN)
        won = Won(seat=self.seat, hand=_write(codes), tile=drawn, kongs=kongs)
        return won, tuple(track.number for track in tracks)

    def roles(self, codes: Sequence[str]) -> tuple[tuple[int, Role], ...]:
        """What each of the tiles is."""
        tiles = [*zip(self.row, codes, strict=True), *((t, t.face.top) for kong in self.kongs for t in kong)]
        return tuple(
            (track.number, Role(Part.HAND, self.seat, code))
            for track, code in tiles
            if track.number != NOT_SEEN
        )


def list_wins(scene: Scene, hypothesis: Hypothesis, unexplained: Sequence[Track]) -> Iterator[Way]:
    """Every win that an unexplained row may be."""
    state, hand = hypothesis.state, hypothesis.state.hand
    if hand is None or not (state.playing or hand.results):
        return
    faces = [track for track in unexplained if not track.face.is_back and not track.face.top.endswith("f")]
    if len(faces) < 2:
        return
    for seat in state.house.seats:
        player = hand.players[seat]
        if player.shown:
            continue
        for shown in _find_shown(scene, hand, seat, faces):
            for way in _list_wins_with(hypothesis, hand, shown):
                yield replace(way, cost=way.cost + shown.guess_cost)


def _list_wins_with(hypothesis: Hypothesis, hand: HandState, shown: Shown) -> Iterator[Way]:
    if hypothesis.state.playing:
        yield from _self_drawn(hypothesis, hand, shown)
        yield from _on_unseen(hypothesis, hand, shown)
    yield from _on_offer(hypothesis, hand, shown)


def _find_shown(scene: Scene, hand: HandState, seat: int, faces: Sequence[Track]) -> Iterator[Shown]:
    """The hand that the player shows, where as many tiles lie open as the player has, or one more; one for
    each guess at what a kong is that stays face down."""
    player = hand.players[seat]
    rows = find_rows(scene.quarters, seat, faces)
    hidden = sum(laid.meld is None for laid in player.melds)
    kongs = _find_kongs(rows, hidden) if hidden else ()
    if len(kongs) < hidden - 1:
        return
    turned = {track.number for kong in kongs for track in kong}
    rest = [tuple(track for track in row if track.number not in turned) for row in rows]
    for row, cost in _list_hands(scene, seat, player.count, rest):
        if len(kongs) == hidden:
            yield Shown(seat, player, row, kongs, (), cost)
        elif scene.t - max(track.since_s for track in row) > STAYS_HIDDEN_S:
            read = {track.face.top for track in row}
            unseen = [code for code, tile in TILES.items() if not hand.known[tile.index] and code not in read]
            for code in unseen[:GUESSES]:
                yield Shown(seat, player, row, kongs, (code,), cost + log(len(unseen)))


def _list_hands(
    scene: Scene, seat: int, count: int, rows: Sequence[tuple[Track, ...]]
) -> Iterator[tuple[tuple[Track, ...], float]]:
    """Tiles that may be a hand of that many, or one more, and nats: one of them may not have been found."""
    ready = dict.fromkeys(
        row
        for row in _list_rows(rows)
        if len(row) in (count - 1, count, count + 1)
        and scene.t - max(track.since_s for track in row) >= STILL_S
    )
    for row in ready:
        cost = _measure_apart(row)
        if len(row) >= count:
            yield row, cost
        if len(row) <= count and scene.t - max(track.since_s for track in row) >= NOT_FOUND_S:
            yield _add_not_seen(seat, row), cost + NOT_FOUND_COST


def _measure_apart(row: Sequence[Track]) -> float:
    """Nats of tiles that lay there long before most: a hand is turned up at once."""
    usual_s = sorted(track.since_s for track in row)[len(row) // 2]
    return LONG_BEFORE_COST * sum(track.since_s < usual_s - LONG_BEFORE_S for track in row)


def _add_not_seen(seat: int, row: tuple[Track, ...]) -> tuple[Track, ...]:
    """The row with one more tile, which nobody found: in its widest gap, or at its right end."""
    places = [see_from(seat, track.x_mm, track.y_mm)[0] for track in row]
    gaps = [b - a for a, b in pairwise(places)]
    at = max(range(len(gaps)), key=lambda i: gaps[i]) + 1 if gaps and max(gaps) > GAP_MM else len(row)
    beside, next_to = row[at - 1], row[min(at, len(row) - 1)]
    x_mm, y_mm = (beside.x_mm + next_to.x_mm) / 2, (beside.y_mm + next_to.y_mm) / 2
    unknown = replace(beside, number=NOT_SEEN, x_mm=x_mm, y_mm=y_mm, face=Face(((UNKNOWN, 1.0),)))
    return (*row[:at], unknown, *row[at:])


def _list_rows(rows: Sequence[tuple[Track, ...]]) -> Iterator[tuple[Track, ...]]:
    """What may be a hand: all rows, one of them, or what of them was not there long before the rest."""
    whole = tuple(track for row in rows for track in row)
    if not whole:
        return
    yield whole
    yield from rows
    times = sorted(track.since_s for track in whole)
    usual = times[len(times) // 2]
    yield tuple(track for track in whole if track.since_s > usual - AT_ONCE_S)


def _find_kongs(rows: Sequence[tuple[Track, ...]], count: int) -> tuple[tuple[Track, ...], ...]:
    """Concealed kongs that were turned up: four tiles side by side that read the same."""
    found: list[tuple[Track, ...]] = []
    for row in rows:
        at = 0
        while at + KONG_TILES <= len(row) and len(found) < count:
            four = row[at : at + KONG_TILES]
            alike = len({track.face.top for track in four}) == 1 and four[0].face.is_read
            if alike:
                found.append(four)
            at += KONG_TILES if alike else 1
    return tuple(found)


def _on_offer(hypothesis: Hypothesis, hand: HandState, shown: Shown) -> Iterator[Way]:
    """A win on the tile on offer, which still lies where it was or was taken to the hand."""
    offer, state = hand.offer, hypothesis.state
    if offer is None or offer.seat == shown.seat or offer.kind is OfferKind.FLOWER or offer.tile is None:
        return
    extra = () if shown.has_winning_tile else (offer.tile.code,)
    released: tuple[int, ...] = ()
    if not extra and offer.kind is OfferKind.DISCARD and state.playing:
        released = hypothesis.step.tracks
    cost = 0.0 if state.playing else SECOND_WINNER
    for codes, misread in islice(_name_row(state, hand, shown, extra), 3):
        if offer.tile.code in (*codes, *extra):
            yield Way(
                cost + misread, (shown.win((*codes, *extra), None),), shown.roles(codes), released=released
            )  # fmt: skip


def _on_unseen(hypothesis: Hypothesis, hand: HandState, shown: Shown) -> Iterator[Way]:
    """A win on a discard that was taken to the hand before anybody saw it."""
    if not shown.has_winning_tile:
        return
    state, offer = hypothesis.state, hand.offer
    for codes, misread in islice(_name_row(state, hand, shown, ()), 1):
        for code, cost in _last_tiles(shown, codes)[:2]:
            won = shown.win(codes, None)
            if (
                offer is not None
                and offer.tile is None
                and offer.seat != shown.seat
                and hypothesis.step.tracks == ()
            ):
                named = (Discarded(seat=offer.seat, tile=code), ())
                yield Way(misread + cost, (named, won), shown.roles(codes), undone=1)
            for giver in state.house.seats:
                path = None if giver == shown.seat else reach_turn(state.house, hand, giver)
                if path is not None:
                    quick = (Discarded(seat=giver, tile=code), ())
                    total = path.cost + QUICK_COST + misread + cost
                    yield Way(total, (*path.steps, quick, won), shown.roles(codes))


def _self_drawn(hypothesis: Hypothesis, hand: HandState, shown: Shown) -> Iterator[Way]:
    path = reach_turn(hypothesis.state.house, hand, shown.seat)
    if path is None or len(shown.row) % 3 != 2:
        return
    for codes, misread in islice(_name_row(hypothesis.state, hand, shown, ()), 2):
        for code, cost in _last_tiles(shown, codes):
            total = path.cost + misread + cost
            yield Way(total, (*path.steps, shown.win(codes, code)), shown.roles(codes))


def _last_tiles(shown: Shown, codes: tuple[str, ...]) -> list[tuple[str, float]]:
    """Which tile may have been drawn last, the likeliest first, each with its cost in nats."""
    row = shown.row
    places = [see_from(shown.seat, track.x_mm, track.y_mm)[0] for track in row]
    steps = sorted(b - a for a, b in pairwise(places))
    usual = steps[len(steps) // 2] if steps else 26.0
    if len(row) > 2 and places[-1] - places[-2] > APART * usual:
        first, apart = codes[-1], True
    elif len(row) > 2 and places[1] - places[0] > APART * usual:
        first, apart = codes[0], True
    else:
        first, apart = codes[-1], False
    other = NOT_APART_COST if apart else NOT_LAST_COST
    return [(code, 0.0 if code == first else other) for code in dict.fromkeys((first, *codes))]


def _name_row(state: State, hand: HandState, shown: Shown, extra: tuple[str, ...]) -> Iterator[Named]:
    """Codes for a shown row: as it reads, and with one doubtful tile as what would make it win."""
    row, player = shown.row, shown.player
    codes = tuple(track.face.top for track in row)
    unread = [i for i, track in enumerate(row) if not track.face.is_read]
    if not unread:
        yield codes, 0.0
    if len(unread) > 1:
        return
    doubtful = unread or sorted(range(len(row)), key=lambda i: _second_cost(row[i]))[:REREAD_MOST]
    named = []
    for at in doubtful:
        rest = [TILES[code] for i, code in enumerate((*codes, *extra)) if i != at and code in TILES]
        if len(rest) % 3 != 1:
            continue
        for tile in _waits(state, hand, player, rest):
            if tile.code != codes[at]:
                named.append(((*codes[:at], tile.code, *codes[at + 1 :]), row[at].face.cost(tile.code)))
    yield from sorted(named, key=lambda each: each[1])


def _waits(state: State, hand: HandState, player: Player, rest: list[Tile]) -> tuple[Tile, ...]:
    return find_waits(state.house, hand, changed(player, concealed=tuple(rest), hidden=0))


def _second_cost(track: Track) -> float:
    return min((track.face.cost(code) for code in track.face.likely[1:]), default=99.0)


def _write_kong(code: str) -> str:
    return f"K{code[0] * KONG_TILES}{code[1]}"


def _write(codes: Sequence[str]) -> str:
    return format_tiles(sorted(TILES[code] for code in codes if code in TILES))


def list_sweeps(hypothesis: Hypothesis) -> Iterator[Way]:
    """How the hand ended, where the table was swept and no win was seen."""
    hand = hypothesis.hand
    if hand is None:
        return
    path = reach_end(hypothesis.state.house, hand)
    if path is not None:
        yield Way(path.cost, (*path.steps, (HandDrawn(), ())))
    elif hand.phase is Phase.CLAIM and hand.wall.live_left == 1:
        yield Way(0.5, ((HandDrawn(declined_by=hand.turn), ()),))
    yield Way(ABANDONED_COST, ((HandAbandoned(), ()),))
