"""How a hand may have ended: a row turned face up that wins, or an empty wall and a table swept clean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from msgspec.structs import replace as changed

from companion.following.hypotheses import Hypothesis, Part, Role, Way
from companion.following.scene import Scene
from companion.following.shown_hands import STILL_S, Shown, find_shown
from companion.following.turns import QUICK_COST, reach_end, reach_turn
from companion.seeing.naming_hands import Named, list_hands
from companion.seeing.tracks import Face, Track
from companion.table.events import Discarded, HandAbandoned, HandDrawn
from companion.table.state import HandState, OfferKind, Phase

SECOND_WINNER = -2.0
ABANDONED_COST = 6.0
LAST_COST_MAX = 2.0
"""Nats of a tile not being the one that was taken last, up to which a discard that was not read may be it."""
LEFT_THERE_COST = 8.0
"""Nats of a discard being in a hand that is shown, though it was still seen in the river after that."""
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


def _list_ways(scene: Scene, hypothesis: Hypothesis, hand: HandState, shown: Shown) -> Iterator[Way]:
    if hypothesis.state.playing:
        yield from _self_drawn(hypothesis, hand, shown)
        yield from _on_unseen(hypothesis, hand, shown)
    yield from _on_offer(scene, hypothesis, hand, shown)


def _list_turned_backs(hypothesis: Hypothesis, shown: Shown) -> tuple[int, ...]:
    """The backs of the player's hidden kongs, by track, where all of these were turned up: the same tiles
    lie beside that place now."""
    hidden = {at for at, laid in enumerate(shown.player.melds) if laid.meld is None}
    if not hidden or len(shown.kongs) < len(hidden):
        return ()
    return tuple(
        number
        for number, role in hypothesis.roles.items()
        if role.part is Part.MELD and role.seat == shown.seat and role.meld in hidden
    )


def _list_hands(
    hypothesis: Hypothesis, shown: Shown, extra: tuple[str, ...] = (), beside: tuple[Face, ...] = (),
    offered: str | None = None,
) -> list[Named]:  # fmt: skip
    """beside: faces of tiles of the hand that lie elsewhere, and that come last; offered: of what kind the
    tile on offer is, which is shown or lies beside."""
    faces = [*shown.faces, *beside]
    return list_hands(hypothesis.state, shown.player, faces, shown.loose, extra, shown.kong_codes, offered)


def _on_offer(scene: Scene, hypothesis: Hypothesis, hand: HandState, shown: Shown) -> Iterator[Way]:
    """A win on the tile on offer, which still lies where it was or was taken to the hand."""
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


def _on_discard(scene: Scene, hypothesis: Hypothesis, discarded: Discarded, shown: Shown) -> Iterator[Way]:
    """A win on the discard on offer, which may be another tile than it reads as."""
    tracks = hypothesis.step.tracks
    track = scene.tracks.get(tracks[0]) if tracks else None
    face = UNREAD if track is None else track.face
    if shown.has_winning_tile:
        stays = track is not None and track.seen_s > shown.since_s + STILL_S
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
    hypothesis: Hypothesis, discarded: Discarded, code: str, shown: Shown, named: Named, cost: float, *,
    taken: bool,
) -> Way:  # fmt: skip
    """The win on the discard on offer, which is of that kind; taken: whether it lies in the hand now."""
    tracks, roles = hypothesis.step.tracks, shown.roles(named.codes)
    won = shown.win(named.codes if taken else (*named.codes, code), None)
    released = tracks if taken else ()
    if code == discarded.tile:
        return Way(cost, (won,), roles, released=released)
    renamed = (changed(discarded, tile=code), tracks)
    if not taken:
        roles += tuple((number, Role(Part.RIVER, discarded.seat, code)) for number in tracks)
    return Way(cost, (renamed, won), roles, released=released, undone=1)


def _on_unseen(hypothesis: Hypothesis, hand: HandState, shown: Shown) -> Iterator[Way]:
    """A win on a discard that was taken to the hand before anybody saw it."""
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


def _self_drawn(hypothesis: Hypothesis, hand: HandState, shown: Shown) -> Iterator[Way]:
    path = reach_turn(hypothesis.state.house, hand, shown.seat)
    if path is None or not shown.has_winning_tile:
        return
    for named in _list_hands(hypothesis, shown):
        for code, last_cost in shown.list_last(named.codes):
            total = path.cost + shown.cost + named.cost + last_cost
            yield Way(total, (*path.steps, shown.win(named.codes, code)), shown.roles(named.codes))


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
