"""How a hand may have ended: a row turned face up that wins, or an empty wall and a table swept clean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from companion.table.events import Event, HandAbandoned, HandDrawn, Won
from companion.table.moves import TILES, find_waits
from companion.table.state import HandState, OfferKind, Phase, Player, State, changed
from companion.tiles import MeldKind, Tile, format_tiles
from companion.tracking.hypotheses import Hypothesis, Part, Role, Way
from companion.tracking.quarters import see_from
from companion.tracking.rows import find_rows
from companion.tracking.scene import Scene
from companion.tracking.tracks import Track
from companion.tracking.turns import Path, reach_end, reach_turn

STILL_S = 0.9
"""A row that is turned up must have lain for so long: until then tiles may be missing."""
APART = 1.35
"""A tile that is farther from the next one than this many times the usual distance is the one drawn last."""
NOT_APART_COST, NOT_LAST_COST = 3.0, 1.0
REREAD_MOST = 6
SECOND_WINNER = -2.0
ABANDONED_COST = 6.0
Named = tuple[tuple[str, ...], float]


def list_wins(scene: Scene, hypothesis: Hypothesis, unexplained: Sequence[Track]) -> Iterator[Way]:
    """Every win that an unexplained row may be."""
    state, hand = hypothesis.state, hypothesis.state.hand
    if hand is None or not (state.playing or hand.results):
        return
    faces = [track for track in unexplained if not track.face.is_back]
    for seat in state.house.seats:
        player = hand.players[seat]
        if player.shown or not faces:
            continue
        row = _take_row(seat, faces, player.count)
        if row is None or scene.t - max(track.since_s for track in row) < STILL_S:
            continue
        if state.playing:
            yield from _self_drawn(hypothesis, hand, seat, row)
        yield from _on_offer(scene, hypothesis, hand, seat, row)


def _take_row(seat: int, faces: Sequence[Track], count: int) -> tuple[Track, ...] | None:
    """The tiles of a shown hand: those in rows at the edge, if there are as many as the player has."""
    rows = find_rows(seat, faces)
    whole = tuple(track for row in rows for track in row)
    if len(whole) in (count, count + 1):
        return whole
    return next((row for row in rows if len(row) in (count, count + 1)), None)


def _on_offer(
    scene: Scene, hypothesis: Hypothesis, hand: HandState, seat: int, row: tuple[Track, ...]
) -> Iterator[Way]:
    offer, player = hand.offer, hand.players[seat]
    if offer is None or offer.seat == seat or offer.kind is OfferKind.FLOWER or offer.tile is None:
        return
    if not hypothesis.state.playing:
        player = changed(player)
    extra = () if len(row) == player.count + 1 else (offer.tile.code,)
    released: tuple[int, ...] = ()
    if not extra and offer.kind is OfferKind.DISCARD and hypothesis.state.playing:
        released = hypothesis.step.tracks
    cost = 0.0 if hypothesis.state.playing else SECOND_WINNER
    for codes, misread in islice(_name_row(hypothesis.state, hand, player, row, extra), 3):
        if offer.tile.code not in (*codes, *extra):
            continue
        won = Won(seat=seat, hand=_write((*codes, *extra)))
        yield Way(cost + misread, ((won, _numbers(row)),), _roles(seat, row, codes), released=released)


def _self_drawn(hypothesis: Hypothesis, hand: HandState, seat: int, row: tuple[Track, ...]) -> Iterator[Way]:
    player = hand.players[seat]
    path = reach_turn(hypothesis.state.house, hand, seat)
    if path is None or len(row) != player.count + (player.count % 3 != 2):
        return
    before = tuple((each, ()) for each in path.events)
    kongs = _unknown_kongs(player)
    if kongs:
        return
    for codes, misread in islice(_name_row(hypothesis.state, hand, player, row, ()), 2):
        text = _write(codes)
        for code, cost in _last_tiles(seat, row, codes):
            won = (Won(seat=seat, hand=text, tile=code), _numbers(row))
            yield Way(path.cost + misread + cost, (*before, won), _roles(seat, row, codes))


def _unknown_kongs(player: Player) -> bool:
    return any(laid.meld is None and laid.kind is MeldKind.KONG_CONCEALED for laid in player.melds)


def _last_tiles(seat: int, row: tuple[Track, ...], codes: tuple[str, ...]) -> list[tuple[str, float]]:
    """Which tile may have been drawn last, the likeliest first, each with its cost in nats."""
    places = [see_from(seat, track.x_mm, track.y_mm)[0] for track in row]
    steps = sorted(b - a for a, b in zip(places, places[1:], strict=False))
    usual = steps[len(steps) // 2] if steps else 26.0
    if len(row) > 2 and places[-1] - places[-2] > APART * usual:
        first, apart = codes[-1], True
    elif len(row) > 2 and places[1] - places[0] > APART * usual:
        first, apart = codes[0], True
    else:
        first, apart = codes[-1], False
    other = NOT_APART_COST if apart else NOT_LAST_COST
    return [(code, 0.0 if code == first else other) for code in dict.fromkeys((first, *codes))]


def _name_row(
    state: State, hand: HandState, player: Player, row: tuple[Track, ...], extra: tuple[str, ...]
) -> Iterator[Named]:
    """Codes for a shown row: as it reads, and with one doubtful tile as what would make it win."""
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


def _write(codes: Sequence[str]) -> str:
    return format_tiles(sorted(TILES[code] for code in codes if code in TILES))


def _numbers(row: tuple[Track, ...]) -> tuple[int, ...]:
    return tuple(track.number for track in row)


def _roles(seat: int, row: tuple[Track, ...], codes: Sequence[str]) -> tuple[tuple[int, Role], ...]:
    return tuple(
        (track.number, Role(Part.HAND, seat, code)) for track, code in zip(row, codes, strict=True)
    )


def list_sweeps(hypothesis: Hypothesis) -> Iterator[Way]:
    """How the hand ended, where the table was swept and no win was seen."""
    hand = hypothesis.hand
    if hand is None:
        return
    path = reach_end(hypothesis.state.house, hand)
    if path is not None:
        yield Way(path.cost, _all_unseen(path, HandDrawn()))
    elif hand.phase is Phase.CLAIM and hand.wall.live_left == 1:
        yield Way(0.5, ((HandDrawn(declined_by=hand.turn), ()),))
    yield Way(ABANDONED_COST, ((HandAbandoned(), ()),))


def _all_unseen(path: Path, last: Event) -> tuple[tuple[Event, tuple[int, ...]], ...]:
    return (*((each, ()) for each in path.events), (last, ()))
