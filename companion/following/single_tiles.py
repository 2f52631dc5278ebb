"""How a single tile may have come to its place: a discard, a flower, an indicator, the fourth tile of a kong,
or a tile that was only moved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import hypot

from companion.following.hypotheses import (
    NO_RIVERS,
    Hypothesis,
    Part,
    Role,
    Step,
    Way,
    find_missed_cost,
    list_beginnings,
    reach_turn,
)
from companion.following.quarters import placed_facing_cost
from companion.following.scene import Scene
from companion.following.tracks import Track
from companion.seeing.sights import BLANK, see_from
from companion.table.events import (
    AddedKong,
    Claimed,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    HandStarted,
    IndicatorTurned,
)
from companion.table.state import HandState, OfferKind, Phase
from companion.tiles import MeldKind

Events = tuple[tuple[Event, tuple[int, ...]], ...]
"""Events, each with the tiles that it put down."""
NAME_COST_MAX = 5.0
"""A kind that is less likely than this is not tried."""
MOVED_COST, MOVED_MM = 1.0, 60.0
"""Nats of a tile that was straightened, and for each of these distances."""
MOVED_MAX_MM = 220.0
MELD_MOVED_COST = 1.5
"""More nats for a tile of a meld: people leave melds alone,"""
RAISED_COST = 2.5
"""and for one that seems to be upon the missing one: few tiles are pushed there."""
RAISED_MM = 32.0
"""How far from its true place a fourth tile upon a pung is seen at most, because it is higher."""
SEEN_LATE_NATS = 3.0
"""Nats of an unseen discard that are returned if it is seen after all."""
WRONG_TILE_COST = 3.0
"""Nats of a discard for which the wrong tile was entered."""
STEPS_BACK_MAX = 30
HIDDEN_CLAIM_COST = 4.5
"""Nats of a claim whose meld cannot be seen."""
BLANK_INDICATOR_COST = 4.0
"""Nats of an indicator that was not seen as a face."""
NEAR_MELD_MM = 48.0
SURELY_FLOWER = 0.97
"""If all flowers together have this probability, the tile is not a discard."""
ADDED_COST = 0.5


def list_ways(scene: Scene, hypothesis: Hypothesis, track: Track) -> Iterator[Way]:
    """Every way in which this tile alone may have come to its place."""
    state, hand = hypothesis.state, hypothesis.hand
    if hand is not None or hypothesis.roles:
        yield from _list_moved(scene, hypothesis, track)
    if track.face.is_back:
        return
    if hand is None:
        if not hypothesis.roles:
            for cost, begun in list_beginnings(state):
                yield from _list_first_ways(scene, hypothesis, track, begun, cost)
        return
    if hand.phase is Phase.INDICATOR:
        yield from _turn_indicator(scene, track, hand.deal.dealer, ())
        return
    if _is_flower(track):
        yield from _set_out(scene, hypothesis, hand, track)
        if _is_surely_flower(track):
            return
    yield from _discard(scene, hypothesis, hand, track)
    yield from _name_unseen(scene, hypothesis, track)
    yield from _name_indicator(scene, hypothesis, track)
    yield from _add_to_pung(scene, hypothesis, hand, track)


def _list_first_ways(
    scene: Scene, hypothesis: Hypothesis, track: Track, begun: Events, cost: float
) -> Iterator[Way]:
    """The first tile of a hand that began so; cost: nats of that beginning."""
    state = hypothesis.state
    dealer = next(event.dealer for event, _ in begun if isinstance(event, HandStarted))
    if state.house.wall.indicator_dice:
        ways = _turn_indicator(scene, track, dealer, begun)
    elif _is_flower(track):
        ways = _set_out_first(scene, hypothesis, track, begun)
    else:
        place = scene.quarters.river_cost(dealer, track, NO_RIVERS)
        ways = _name_discards(track, dealer, begun, place)
    yield from (replace(way, cost=way.cost + cost) for way in ways)


def _set_out_first(scene: Scene, hypothesis: Hypothesis, track: Track, begun: Events) -> Iterator[Way]:
    for seat in hypothesis.state.house.seats:
        code = track.face.top
        role = (track.number, Role(Part.FLOWER, seat, code))
        set_out = (FlowerSetOut(seat=seat, tile=code), (track.number,))
        yield Way(_flower_cost(scene, seat, track), (*begun, set_out), (role,))


def _turn_indicator(scene: Scene, track: Track, dealer: int, begun: Events) -> Iterator[Way]:
    """The tile is the indicator, or the first discard if a blank indicator was taken for a back."""
    for code in track.face.likely[:2]:
        role = (track.number, Role(Part.INDICATOR, -1, code))
        turned = (IndicatorTurned(tile=code), (track.number,))
        yield Way(scene.quarters.wall_cost(track), (*begun, turned), (role,))
    blank = (*begun, (IndicatorTurned(tile=BLANK), ()))
    place = scene.quarters.river_cost(dealer, track, NO_RIVERS)
    yield from _name_discards(track, dealer, blank, place + BLANK_INDICATOR_COST)


def _is_flower(track: Track) -> bool:
    return track.face.top.endswith("f")


def _is_surely_flower(track: Track) -> bool:
    return sum(p for code, p in track.face.readings if code.endswith("f")) >= SURELY_FLOWER


def _flower_cost(scene: Scene, seat: int, track: Track) -> float:
    return scene.quarters.edge_cost(seat, track) + placed_facing_cost(seat, track.angle)


def _set_out(scene: Scene, hypothesis: Hypothesis, hand: HandState, track: Track) -> Iterator[Way]:
    house, code = hypothesis.state.house, track.face.top
    for seat in house.seats:
        cost = _flower_cost(scene, seat, track)
        role = (track.number, Role(Part.FLOWER, seat, code))
        laid = (FlowerSetOut(seat=seat, tile=code), (track.number,))
        if hand.phase is Phase.FLOWERS:
            owed = tuple((Drawn(seat=hand.turn), ()) for _ in range(hand.owed))
            yield Way(cost, (*owed, laid), (role,))
            continue
        path = reach_turn(house, hand, seat)
        if path is not None:
            yield Way(cost + path.cost, (*path.steps, laid), (role,))


def _discard(scene: Scene, hypothesis: Hypothesis, hand: HandState, track: Track) -> Iterator[Way]:
    house = hypothesis.state.house
    taken, missed = _find_taken_offer(scene, hypothesis, hand), find_missed_cost(hypothesis)
    for seat in house.seats:
        place = missed + scene.quarters.river_cost(seat, track, hypothesis.rivers)
        place += scene.find_reach_cost(seat, track)
        path = reach_turn(house, hand, seat)
        if path is not None:
            yield from _name_discards(track, seat, path.steps, place + path.cost)
        if taken is not None:
            yield from _claim_unseen(hypothesis, hand, track, seat, taken, place)


def _name_discards(track: Track, seat: int, before: Events, cost: float) -> Iterator[Way]:
    """The discard of every kind that it may be, and without a name."""
    number = track.number
    river = (seat, see_from(seat, track.x_mm, track.y_mm))
    codes = [code for code in track.face.likely if track.face.cost(code) < NAME_COST_MAX and code[1] != "f"]
    for code in (*codes[:3], None):
        event = Discarded(seat=seat, tile=code)
        role = (number, Role(Part.RIVER, seat, code))
        yield Way(cost, (*before, (event, (number,))), (role,), river=river)


def _find_taken_offer(scene: Scene, hypothesis: Hypothesis, hand: HandState) -> Track | None:
    """The discard on offer, if it is gone from the table."""
    offer, step = hand.offer, hypothesis.step
    if (
        hand.phase is not Phase.CLAIM
        or offer is None
        or offer.kind is not OfferKind.DISCARD
        or not step.tracks
    ):
        return None
    track = scene.tracks.get(step.tracks[0])
    return track if track is not None and track.is_gone(scene.t) else None


def _claim_unseen(
    hypothesis: Hypothesis, hand: HandState, track: Track, seat: int, taken: Track, place: float
) -> Iterator[Way]:
    """A player took the discard for a pung that is out of sight, and discards."""
    offer = hand.offer
    if offer is None or offer.tile is None or offer.seat == seat:
        return
    claim = Claimed(seat=seat, meld=f"p{offer.tile.code[0] * 3}{offer.tile.code[1]}")
    for way in _name_discards(track, seat, ((claim, ()),), place + HIDDEN_CLAIM_COST):
        yield replace(way, released=(taken.number,), claims=True)


def _name_unseen(scene: Scene, hypothesis: Hypothesis, track: Track) -> Iterator[Way]:
    """The tile is a discard that was missed before, or that was entered before it was seen."""
    after: Event | None = None
    is_last = True
    for step in _last_steps(hypothesis.step):
        event, claimed = step.event, isinstance(after, Claimed)
        after = event
        if not isinstance(event, Discarded):
            continue
        if not step.tracks and not (claimed and event.tile is not None):
            seat = event.seat
            later = _count_later(hypothesis, step, seat)
            cost = scene.quarters.late_cost(seat, track, hypothesis.rivers, later)
            cost += scene.find_reach_cost(seat, track)
            named = _name_discards(track, seat, (), cost - SEEN_LATE_NATS)
            for way in named if event.tile is None else _see_entered(track, event, cost, is_last):
                yield replace(way, late=step, later=later)
        is_last = False


def _see_entered(track: Track, entered: Discarded, cost: float, is_last: bool) -> Iterator[Way]:
    """The tile is the discard that was entered; or, if that was the last one, another tile is there because
    the wrong one was touched: a question follows."""
    number, code = track.number, str(entered.tile)
    river = (entered.seat, see_from(entered.seat, track.x_mm, track.y_mm))
    if track.face.cost(code) >= NAME_COST_MAX:
        if not is_last or not track.face.likely:
            return
        code, cost = track.face.likely[0], cost + WRONG_TILE_COST
    yield Way(cost, ((entered, (number,)),), ((number, Role(Part.RIVER, entered.seat, code)),), river=river)


def _count_later(hypothesis: Hypothesis, before: Step, seat: int) -> int:
    """How many of the player's later discards are in the river."""
    roles = hypothesis.roles
    return sum(
        isinstance(step.event, Discarded)
        and step.event.seat == seat
        and any(number in roles and roles[number].part is Part.RIVER for number in step.tracks)
        for step in hypothesis.step.back()
        if step.depth > before.depth
    )


def _name_indicator(scene: Scene, hypothesis: Hypothesis, track: Track) -> Iterator[Way]:
    """The tile is the indicator, which was assumed to be blank before it was seen."""
    for step in _last_steps(hypothesis.step):
        if isinstance(step.event, IndicatorTurned) and not step.tracks:
            for way in _turn_indicator(scene, track, hypothesis.state.deal.dealer, ()):
                if way.river is None:
                    yield replace(way, late=step)


def _last_steps(last: Step) -> Iterator[Step]:
    for count, step in enumerate(last.back()):
        if count > STEPS_BACK_MAX or step.event is None:
            return
        yield step


def _add_to_pung(scene: Scene, hypothesis: Hypothesis, hand: HandState, track: Track) -> Iterator[Way]:
    """The fourth tile of a pung, or a tile of a meld that was hidden until now."""
    house = hypothesis.state.house
    for seat in house.seats:
        for index, laid in enumerate(hand.players[seat].melds):
            if laid.meld is None:
                continue
            code = next(
                (each.code for each in laid.meld.tiles if track.face.cost(each.code) < NAME_COST_MAX), None
            )
            if code is None:
                continue
            near = _distance_to_meld(scene, hypothesis, seat, index, track)
            cost = scene.quarters.edge_cost(seat, track) + (0.0 if near < NEAR_MELD_MM else 1.5 + near / 60.0)
            role = (track.number, Role(Part.MELD, seat, code, index))
            lying = sum(
                role.part is Part.MELD and role.seat == seat and role.meld == index
                for role in hypothesis.roles.values()
            )
            if lying < len(laid.meld.tiles):
                yield Way(cost - 1.0, (), (role,))
            elif laid.meld.kind is MeldKind.PUNG:
                path = reach_turn(house, hand, seat)
                if path is not None:
                    added = (AddedKong(seat=seat, tile=code), (track.number,))
                    under = _find_under(scene, hypothesis, role[1], track)
                    yield Way(cost + path.cost + ADDED_COST, (*path.steps, added), (role,), dropped=under)


def _find_under(scene: Scene, hypothesis: Hypothesis, role: Role, track: Track) -> tuple[int, ...]:
    """The tile of the meld that is under the other one."""
    return tuple(
        other.number
        for other, known in scene.missing(hypothesis)
        if (known.part, known.seat, known.meld) == (role.part, role.seat, role.meld)
        and hypot(other.x_mm - track.x_mm, other.y_mm - track.y_mm) < RAISED_MM
    )[:1]


def _distance_to_meld(scene: Scene, hypothesis: Hypothesis, seat: int, meld: int, track: Track) -> float:
    places = [
        scene.tracks[number]
        for number, role in hypothesis.roles.items()
        if role.part is Part.MELD and role.seat == seat and role.meld == meld and number in scene.tracks
    ]
    return min((hypot(each.x_mm - track.x_mm, each.y_mm - track.y_mm) for each in places), default=200.0)


def _list_moved(scene: Scene, hypothesis: Hypothesis, track: Track) -> Iterator[Way]:
    """The tile was somewhere else and was only moved."""
    for other, role in scene.missing(hypothesis):
        if other.gone_s is not None and other.gone_s > track.since_s + 2.0:
            continue
        away = hypot(other.x_mm - track.x_mm, other.y_mm - track.y_mm)
        code = role.code
        if away > MOVED_MAX_MM or (code is not None and track.face.cost(code) > NAME_COST_MAX):
            continue
        cost = MOVED_COST + away / MOVED_MM + (MELD_MOVED_COST if role.part is Part.MELD else 0.0)
        cost += RAISED_COST if track.upon else 0.0
        yield Way(cost, (), ((track.number, role),), dropped=(other.number,))
