"""How a row of tiles at a player's edge may have come about as a meld: claimed, or a kong from the hand.

A meld may come into sight only after the discard that followed it, because the arm that discards hid it. What
was taken for a draw, or for another claim, was this one then (`list_late_claims`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, pairwise, permutations
from math import hypot, inf

from companion.following.hypotheses import (
    QUICK_COST,
    Hypothesis,
    Part,
    Role,
    Step,
    Way,
    begin_hand,
    follow_way,
    reach_turn,
)
from companion.following.quarters import ROW_BLUR_MM, find_rows
from companion.following.scene import Scene
from companion.following.tracks import Track
from companion.seeing.sights import BLANK, see_from, turn_from_upright
from companion.table.events import Claimed, ConcealedKong, Discarded, Drawn, Event
from companion.table.house import House
from companion.table.moves import TILES, real_tiles
from companion.table.state import HandState, OfferKind, Phase
from companion.tiles import BACK, KINDS, KONG_TILES, Meld, MeldKind, Suit

CLAIM_STEPS_BACK = 8
"""How many steps ago it may have been claimed: two turns of all players."""
LATE_COST = 0.5
"""Nats of a meld that is noticed late."""


def list_late_claims(
    hypothesis: Hypothesis, claim: Claimed, numbers: tuple[int, ...], kinds: tuple[str, ...],
    roles: tuple[tuple[int, Role], ...], cost: float,
) -> Iterator[Way]:  # fmt: skip
    """The ways in which the meld was claimed some turns ago. numbers: its tiles; kinds: the codes it consists
    of; cost: nats of the meld itself."""
    hand = hypothesis.hand
    if hand is None:
        return
    after: list[Step] = []
    for step in islice(hypothesis.step.back(), CLAIM_STEPS_BACK):
        offered = step.before
        if offered is not None and after and _may_be(step.event, claim, bool(step.tracks)):
            given = offered.event
            index = roles[0][1].meld - isinstance(step.event, Claimed)
            known = 0 if offered.state.hand is None else len(offered.state.hand.players[claim.seat].melds)
            if isinstance(given, Discarded) and given.tile in kinds and index == known:
                yield _make_way(hypothesis, step, offered, (claim, numbers), roles, after, cost)
        after.append(step)


def _may_be(event: Event | None, claim: Claimed, is_seen: bool) -> bool:
    """Whether the event may be that claim: a draw of the player, or an unseen claim of theirs."""
    return isinstance(event, Drawn | Claimed) and event.seat == claim.seat and not is_seen


def _make_way(
    hypothesis: Hypothesis, step: Step, offered: Step, claim: tuple[Claimed, tuple[int, ...]],
    roles: tuple[tuple[int, Role], ...], after: list[Step], cost: float,
) -> Way:  # fmt: skip
    """after: the steps since then."""
    assert isinstance(offered.event, Discarded)
    seat, index = offered.event.seat, roles[0][1].meld - isinstance(step.event, Claimed)
    held = tuple(number for number in offered.tracks if number in hypothesis.roles)
    later = sum(
        isinstance(each.event, Discarded) and each.event.seat == seat and bool(each.tracks) for each in after
    )
    placed = tuple((number, Role(role.part, role.seat, role.code, index)) for number, role in roles)
    return Way(cost + LATE_COST, (claim,), placed, released=held, late=step, later=later, claims=bool(held))


MELD_COST_MAX = 9.0
"""A meld that fits its tiles worse than this is not tried."""
HAND_MIN_TILES, CHOW_TILES = 8, 3
"""A row of at least this many tiles is a shown hand; the number of tiles of a chow."""
HALF_COST, HALF_AGE_S = 2.5, 2.0
"""Nats of a meld with a tile that was not found, once the others have been there for this time."""
GAP_MM, GAP_COST = (48.0, 62.0), 0.5
"""The distance between two tiles with room for one between them; nats of such two, more than of
neighbours."""
FOUR_UP_COST = 1.0
"""Nats of a concealed kong that is face up."""
FOUR_DOWN, DOWN_WITHIN_S = -6.0, 4.0
"""Nats in favour of a concealed kong if four tiles came face down before a player within this time: some
tiles of a standing hand or a wall may look like that, but do not come at one moment."""
DEALT_DOWN = 6.0
"""Nats against it if nothing of the hand is face up yet: tiles are dealt by fours."""
ACROSS = 0.6, 2.5
"""A tile turned from upright by at least and at most these radians is across."""
ACROSS_COST = 3.5
"""Nats of each tile across beyond the first: such tiles are a neighbour's."""
OTHER_SOURCE_COST, OTHER_TILE_COST = 1.0, 1.5
"""Nats if the tile across points to another player, or is not the claimed one."""
SHOWN_COST, FRESH_S = 1.0, 1.0
"""Nats of each further tile put down within this time of a meld: together they may be a hand."""
TURNED_UP_COST, SAME_PLACE_MM = 6.0, 13.0
"""Nats of a claim whose tiles are where a concealed kong was: that was probably turned up."""


@dataclass(frozen=True, slots=True)
class PossibleMeld:
    """A meld that a row may be. roles: code by track; cost: nats; across: the place of the sideways tile,
    from the left, and its code."""

    seat: int
    kind: MeldKind
    text: str
    tracks: tuple[Track, ...]
    codes: tuple[str, ...]
    kinds: tuple[str, ...]
    cost: float
    across: tuple[int, str] | None

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(track.number for track in self.tracks)

    def roles(self, index: int) -> tuple[tuple[int, Role], ...]:
        return tuple(
            (track.number, Role(Part.MELD, self.seat, code, index))
            for track, code in zip(self.tracks, self.codes, strict=True)
        )


def list_ways(scene: Scene, hypothesis: Hypothesis, unexplained: Sequence[Track]) -> Iterator[Way]:
    """Every meld that unexplained tiles may be."""
    if len(unexplained) < 2:
        return
    if hypothesis.hand is None:
        yield from _list_first_ways(scene, hypothesis, unexplained)
        return
    hand = hypothesis.hand
    house = hypothesis.state.house
    for seat in house.seats:
        rows = find_rows(scene.quarters, seat, unexplained)
        for pair in _find_pairs_apart(scene, seat, rows):
            yield from _from_window(scene, hypothesis, hand, seat, pair, pair, GAP_COST)
        laid = [track for row in rows for track in row if not track.face.is_back]
        for row in rows:
            if len(row) >= HAND_MIN_TILES:
                continue
            for window in _windows(scene, row):
                if _leaves_fourth(window, row):
                    continue
                others = SHOWN_COST * _count_put_with(window, laid)
                if others < MELD_COST_MAX:
                    yield from _from_window(scene, hypothesis, hand, seat, row, window, others)


def _list_first_ways(scene: Scene, hypothesis: Hypothesis, unexplained: Sequence[Track]) -> Iterator[Way]:
    """The first tiles of a hand are a meld: the discard was claimed before the camera saw it."""
    start = begin_hand(hypothesis.state)
    if not start or hypothesis.roles:
        return
    begun = tuple((event, ()) for event in start)
    after = follow_way(hypothesis, Way(0.0, begun), scene.t)
    if after is not None and after.hand is not None:
        for way in list_ways(scene, after, unexplained):
            yield replace(way, events=(*begun, *way.events))


def _find_pairs_apart(
    scene: Scene, seat: int, rows: Sequence[tuple[Track, ...]]
) -> Iterator[tuple[Track, Track]]:
    """Two tiles of one meld that have been there for long, with room for just one between them and no others
    near: the middle one was not found."""
    for one, other in pairwise(row[0] for row in rows if len(row) == 1):
        (u, v), (next_u, next_v) = (see_from(seat, each.x_mm, each.y_mm) for each in (one, other))
        fits = GAP_MM[0] < next_u - u < GAP_MM[1] and abs(next_v - v) < ROW_BLUR_MM
        if fits and _may_be_of_one(one, other) and scene.t - max(one.since_s, other.since_s) > HALF_AGE_S:
            yield one, other


def _may_be_of_one(track: Track, other: Track) -> bool:
    """Whether they read as two equal tiles, or two of a run."""
    one, two = TILES.get(track.face.top), TILES.get(other.face.top)
    if one is None or two is None:
        return False
    return one is two or (one.suit is two.suit is not Suit.HONORS and abs(one.rank - two.rank) < CHOW_TILES)


def _windows(scene: Scene, row: tuple[Track, ...]) -> Iterator[tuple[Track, ...]]:
    for size in (4, 3):
        for at in range(len(row) - size + 1):
            yield row[at : at + size]
    if len(row) == 2 and scene.t - max(track.since_s for track in row) > HALF_AGE_S:
        yield row


def _from_window(
    scene: Scene, hypothesis: Hypothesis, hand: HandState, seat: int, row: tuple[Track, ...],
    window: tuple[Track, ...], others: float,
) -> Iterator[Way]:  # fmt: skip
    house = hypothesis.state.house
    backs = [track for track in window if track.face.is_back]
    place = sum(scene.quarters.edge_cost(seat, track) for track in window) / len(window)
    place += _meld_place_cost(seat, window) + others
    if len(window) == 4:
        yield from _concealed(hypothesis, hand, seat, row, window, backs, place)
    if any(BLANK not in track.face.likely for track in backs):
        return
    if _is_turned_up(scene, hypothesis, window):
        place += TURNED_UP_COST
    for find in _find_melds(house, hand, seat, window, place):
        yield from _claims(scene, hypothesis, hand, find)
        if len(window) == CHOW_TILES:
            claim = Claimed(seat=seat, meld=find.text)
            roles = find.roles(len(hand.players[seat].melds))
            yield from list_late_claims(hypothesis, claim, find.numbers, find.kinds, roles, find.cost)


def _count_put_with(window: tuple[Track, ...], laid: Sequence[Track]) -> int:
    """How many other tiles came with these: more than a meld are a shown hand."""
    since, numbers = max(track.since_s for track in window), {track.number for track in window}
    return sum(abs(track.since_s - since) < FRESH_S for track in laid if track.number not in numbers)


def _leaves_fourth(window: tuple[Track, ...], row: tuple[Track, ...]) -> bool:
    """Whether these are three of four equal tiles that came next to each other at once: a kong."""
    top, since = window[0].face.top, max(track.since_s for track in window)
    alike = [track for track in row if track.face.top == top and abs(track.since_s - since) < FRESH_S]
    return len(window) < len(alike) == KONG_TILES and window[0].face.is_read


def _is_turned_up(scene: Scene, hypothesis: Hypothesis, window: tuple[Track, ...]) -> bool:
    """Whether tiles are where some of a concealed kong were face down."""
    downs = [other for other, role in scene.missing(hypothesis) if role.code == BACK]
    return any(
        hypot(other.x_mm - track.x_mm, other.y_mm - track.y_mm) < SAME_PLACE_MM
        for other in downs
        for track in window
    )


def _meld_place_cost(seat: int, window: tuple[Track, ...]) -> float:
    """Nats of the place: melds are at the player's right and face the player. The direction of a back is
    unknown."""
    u = sum(see_from(seat, track.x_mm, track.y_mm)[0] for track in window) / len(window)
    off = [turn_from_upright(seat, track.angle) for track in window if not track.face.is_back]
    upside_down = sum(each > 2.2 for each in off)
    across = sum(ACROSS[0] < each < ACROSS[1] for each in off)
    return (0.7 if u < 0 else 0.0) + 0.7 * upside_down + ACROSS_COST * max(0, across - 1)


@cache
def _melds_of(size: int) -> tuple[Meld, ...]:
    if size == 4:
        return tuple(Meld((kind,) * 4, MeldKind.KONG_DISCARD) for kind in KINDS[:34])
    pungs = tuple(Meld((kind,) * 3, MeldKind.PUNG) for kind in KINDS[:34])
    chows = tuple(
        Meld(KINDS[kind.index : kind.index + 3], MeldKind.CHOW)
        for kind in KINDS[:34]
        if kind.suit is not Suit.HONORS and kind.rank <= 7
    )
    return pungs + chows


def _find_melds(
    house: House, hand: HandState, seat: int, window: tuple[Track, ...], place: float
) -> list[PossibleMeld]:
    """The melds these tiles may be, likeliest first."""
    likely = {code for track in window for code in track.face.likely if track.face.cost(code) < MELD_COST_MAX}
    if hand.fortune is not None:
        likely |= {hand.fortune.code}
    found = []
    across = _find_across(seat, window)
    for meld in _melds_of(max(3, len(window))):
        if meld.kind not in house.melds or not any(tile.code in likely for tile in meld.tiles):
            continue
        kinds = tuple(tile.code for tile in real_tiles(house, hand, meld))
        cost, codes = _match(window, kinds, meld.kind)
        if cost >= MELD_COST_MAX:
            continue
        total = cost + place + (HALF_COST if len(window) == 2 else 0.0)
        marked = None if across is None else (across, codes[across])
        found.append(PossibleMeld(seat, meld.kind, str(meld), window, codes, kinds, total, marked))
    found.sort(key=lambda find: find.cost)
    return found[:6]


def _match(window: Sequence[Track], kinds: tuple[str, ...], kind: MeldKind) -> tuple[float, tuple[str, ...]]:
    """Nats of these tiles being of those kinds, and which is which."""
    if kind is not MeldKind.CHOW:
        codes = kinds[: len(window)]
        return sum(track.face.cost(code) for track, code in zip(window, codes, strict=True)), codes
    ways = (
        (sum(track.face.cost(code) for track, code in zip(window, codes, strict=True)), codes)
        for codes in permutations(kinds, len(window))
    )
    return min(ways)


def _find_across(seat: int, window: tuple[Track, ...]) -> int | None:
    """Which of three tiles is sideways, if one is."""
    across = [
        i for i, track in enumerate(window) if ACROSS[0] < turn_from_upright(seat, track.angle) < ACROSS[1]
    ]
    return across[0] if len(across) == 1 and len(window) >= 3 else None


def _claims(scene: Scene, hypothesis: Hypothesis, hand: HandState, find: PossibleMeld) -> Iterator[Way]:
    house, offer, step = hypothesis.state.house, hand.offer, hypothesis.step
    roles = find.roles(len(hand.players[find.seat].melds))
    claim = (Claimed(seat=find.seat, meld=find.text), find.numbers)
    on_offer = hand.phase is Phase.CLAIM and offer is not None and offer.kind is OfferKind.DISCARD
    if on_offer and offer is not None and offer.seat != find.seat:
        cost = find.cost + _source_cost(find, offer.seat)
        if offer.tile is not None and offer.tile.code in find.kinds:
            extra = _claimed_cost(find, offer.tile.code)
            yield Way(cost + extra, (claim,), roles, released=step.tracks, claims=True)
        elif isinstance(step.event, Discarded):
            track = scene.tracks.get(step.tracks[0]) if step.tracks else None
            for code in dict.fromkeys(find.kinds):
                renamed = (Discarded(seat=offer.seat, tile=code), step.tracks)
                misread = 0.0 if track is None else track.face.cost(code)
                yield Way(
                    cost + misread + _claimed_cost(find, code), (renamed, claim), roles,
                    released=step.tracks, undone=1, claims=bool(step.tracks),
                )  # fmt: skip
    for giver in house.seats:
        if giver == find.seat or (find.kind is MeldKind.CHOW and house.following[giver] != find.seat):
            continue
        path = reach_turn(house, hand, giver)
        if path is None:
            continue
        cost = find.cost + path.cost + QUICK_COST + _source_cost(find, giver)
        for unseen in _quick_codes(find):
            quick = (Discarded(seat=giver, tile=unseen), ())
            yield Way(cost, (*path.steps, quick, claim), roles)


def _quick_codes(find: PossibleMeld) -> tuple[str | None, ...]:
    """The claimed tile if nobody saw it: of a chow the tile across, else it is unknown."""
    if find.kind is MeldKind.CHOW:
        return (None if find.across is None else find.across[1],)
    return find.kinds[:1]


def _source_cost(find: PossibleMeld, giver: int) -> float:
    """Nats of the discarder: a tile across at the left came from the left, in the middle from opposite."""
    if find.across is None:
        return 0.0
    at = 3 if find.across[0] == 0 else 1 if find.across[0] == len(find.tracks) - 1 else 2
    return 0.0 if (find.seat + at) % 4 == giver else OTHER_SOURCE_COST


def _claimed_cost(find: PossibleMeld, code: str) -> float:
    """Nats of this tile of a chow being the claimed one: it is the one across, if there is one."""
    if find.kind is not MeldKind.CHOW:
        return 0.0
    return OTHER_TILE_COST if find.across is not None and find.across[1] != code else 0.0


def _concealed(
    hypothesis: Hypothesis, hand: HandState, seat: int, row: tuple[Track, ...], window: tuple[Track, ...],
    backs: Sequence[Track], place: float,
) -> Iterator[Way]:  # fmt: skip
    house = hypothesis.state.house
    in_row = sum(track.face.is_back for track in row)
    if (len(backs) == 4 and in_row != 4) or (backs and _measure_time(window) > DOWN_WITHIN_S):
        return
    path = reach_turn(house, hand, seat)
    if path is None:
        return
    faces = [track for track in window if not track.face.is_back]
    have_come = all(track.clear_s > -inf for track in window)
    is_deal = all(role.code == BACK for role in hypothesis.roles.values())
    index = len(hand.players[seat].melds)
    for code in _kong_codes(faces):
        cost = sum(track.face.cost(code) for track in faces) if code else 0.0
        if cost >= MELD_COST_MAX:
            continue
        roles = tuple(
            (track.number, Role(Part.MELD, seat, BACK if track.face.is_back else code, index))
            for track in window
        )
        laid = (ConcealedKong(seat=seat, tile=code), tuple(track.number for track in window))
        up = 0.0 if faces or not have_come else DEALT_DOWN if is_deal else FOUR_DOWN
        up = up if backs else FOUR_UP_COST
        yield Way(place + cost + path.cost + up, (*path.steps, laid), roles)


def _measure_time(tracks: Sequence[Track]) -> float:
    """Seconds from the first sight of the first tile to the first sight of the last."""
    since = [track.since_s for track in tracks]
    return max(since) - min(since)


def _kong_codes(faces: Iterable[Track]) -> tuple[str | None, ...]:
    codes = dict.fromkeys(code for track in faces for code in track.face.likely[:2])
    return tuple(codes) or (None,)
