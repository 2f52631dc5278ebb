"""Several hypotheses at a time: each is extended by events that explain its unexplained tiles, all are
judged, and the best are kept."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import exp, inf

from companion.following import endings, meld_rows, single_tiles
from companion.following.hypotheses import (
    Hypothesis,
    Step,
    Way,
    find_next_to_draw,
    follow_way,
    list_beginnings,
    rename,
)
from companion.following.scene import TOGETHER_WITHIN_S, Scene, role_cost
from companion.following.tracks import Track
from companion.table.events import Drawn
from companion.table.moves import TILES
from companion.tiles import BACK

HYPOTHESES_MAX = 24
"""Number of hypotheses kept."""
WORSE_MAX_NATS = 14.0
"""Nats by which a hypothesis may be worse than the best one."""
EVENTS_A_SIGHT = 12
"""Events that may be added at one sight, one in each round."""
TILES_A_ROUND = 5
"""Number of unexplained tiles, oldest first, that are tried at a time."""
TEMPERATURE = 1.0
"""Divides differences in nats before they become probabilities."""
SAME_MOMENT_S = 0.3
MELD_MIN_TILES, BEGUN_COST = 2, 0.5
"""Least number of tiles of a meld; nats of a meld that is the first thing seen of a hand."""
EARLY_COST, EARLY_MAX = 2.0, 9.0
"""Nats if a tile was seen before one that must have come first, and the most they add up to."""
Judged = list[tuple[float, Hypothesis]]


def end_swept(judged: Judged, t: float) -> Judged:
    """The hypotheses once the table is cleared: those whose hand is over, and the possible endings of the
    others."""
    ended: Judged = []
    for cost, hypothesis in judged:
        if not hypothesis.state.playing:
            ended.append((cost, hypothesis))
        for way in endings.list_sweeps(hypothesis):
            after = follow_way(hypothesis, way, t, t, t)
            if after is not None:
                ended.append((cost + way.cost, after))
    return _keep_best(ended)


def advance(beam: Sequence[Hypothesis], scene: Scene) -> Judged:
    """The hypotheses after this moment with their costs, best first."""
    judged: Judged = [(scene.judge(each), each) for each in beam]
    for _ in range(EVENTS_A_SIGHT):
        best = min(cost for cost, _ in judged)
        drafts: list[tuple[float, int, Hypothesis, Way]] = []
        for at, (cost, hypothesis) in enumerate(judged):
            unexplained = scene.unexplained(hypothesis)
            mark = _mark(scene, hypothesis, unexplained)
            if mark == hypothesis.tried:
                continue
            judged[at] = (cost, replace(hypothesis, tried=mark))
            for way in _list_ways(scene, hypothesis, unexplained):
                way = replace(way, cost=way.cost + _order_cost(scene, hypothesis, way))
                estimate = cost + way.cost + _settle(scene, way)
                if estimate < best + WORSE_MAX_NATS:
                    drafts.append((estimate, len(drafts), hypothesis, way))
        if not drafts:
            break
        for _, _, hypothesis, way in heapq.nsmallest(2 * HYPOTHESES_MAX, drafts, key=lambda draft: draft[:2]):
            times = scene.t, _last_seen(scene, way), _last_clear(scene, way)
            after = follow_way(hypothesis, way, *times)
            if after is None:
                room = _make_room(scene, hypothesis, way)
                after = room and follow_way(room, way, *times)
            if after is not None:
                judged.append((scene.judge(after), after))
        judged = _keep_best(judged)
    return _keep_best(judged)


def weigh(judged: Judged) -> list[float]:
    """The probability of each hypothesis."""
    best = min(cost for cost, _ in judged)
    weights = [exp((best - cost) / TEMPERATURE) for cost, _ in judged]
    total = sum(weights)
    return [weight / total for weight in weights]


def _list_ways(scene: Scene, hypothesis: Hypothesis, unexplained: list[Track]) -> Iterator[Way]:
    if len(unexplained) >= MELD_MIN_TILES and not hypothesis.roles:
        # a meld may be the first thing seen of a hand
        yield from (Way(BEGUN_COST + cost, begun) for cost, begun in list_beginnings(hypothesis.state))
    elif scene.has_begun(hypothesis):
        yield from (Way(cost, begun) for cost, begun in list_beginnings(hypothesis.state))
    yield from endings.list_wins(scene, hypothesis, unexplained)
    flowers = 0
    faces = scene.choose_next([track for track in unexplained if not track.face.is_back])
    backs = [track for track in unexplained if track.face.is_back]
    for track in (*faces[:TILES_A_ROUND], *(backs if _has_lost_back(scene, hypothesis) else ())):
        if track.face.top.endswith("f"):
            flowers += 1
            if flowers > 1:
                continue
        yield from single_tiles.list_ways(scene, hypothesis, track)
    yield from meld_rows.list_ways(scene, hypothesis, unexplained)
    hand = hypothesis.hand
    if hand is not None and scene.find_sign(hypothesis) is not None:
        yield Way(0.0, events=((Drawn(seat=find_next_to_draw(hypothesis.state.house, hand)), ()),))


def _has_lost_back(scene: Scene, hypothesis: Hypothesis) -> bool:
    """Whether a tile that was put face down is missing, so that another back may be the same one, moved."""
    return any(role.code == BACK for _, role in scene.missing(hypothesis))


def _settle(scene: Scene, way: Way) -> float:
    """What the way saves by explaining its tiles, less the cost of how they read."""
    total = 0.0
    for number, role in way.roles:
        track = scene.tracks.get(number)
        if track is not None:
            total += role_cost(track, role) - scene.pending.get(number, 0.0)
    return total


def _make_room(scene: Scene, before: Hypothesis, way: Way) -> Hypothesis | None:
    """If all copies of a kind that the way names are known already: the hypothesis in which the most
    doubtfully read of these copies is of another kind."""
    hand = before.hand
    if hand is None:
        return None
    copies = before.state.house.copies
    for _, role in way.roles:
        tile = TILES.get(role.code or "")
        if tile is None or hand.known[tile.index] < copies[tile.index]:
            continue
        doubts = [
            (track.face.cost(other), number, other)
            for number, known in before.roles.items()
            if known.code == role.code and (track := scene.tracks.get(number)) is not None
            for other in track.face.likely
            if other != role.code
        ]
        for _, number, other in sorted(doubts):
            renamed = rename(before, number, other)
            if renamed is not None:
                return renamed
    return None


def _last_seen(scene: Scene, way: Way) -> float:
    """When the last tile of its last event was first seen."""
    return max(
        (scene.tracks[number].since_s for number in _list_last(way) if number in scene.tracks), default=-inf
    )


def _last_clear(scene: Scene, way: Way) -> float:
    """When the place of one of its tiles was last seen empty."""
    return max(
        (scene.tracks[number].clear_s for number in _list_last(way) if number in scene.tracks), default=-inf
    )


def _list_last(way: Way) -> Iterable[int]:
    """The tiles that its last event put down. A discard before it that only gets a new name was there
    already."""
    return way.events[-1][1] if way.events else (number for number, _ in way.roles)


def _order_cost(scene: Scene, hypothesis: Hypothesis, way: Way) -> float:
    """Nats of tiles that were on the table before their predecessors can have been."""
    if not way.roles:
        return 0.0
    if way.late is not None:
        early_s = max(
            _last_clear(scene, way) - _find_next(scene, hypothesis, way.late),
            _find_before(scene, way.late) - _last_seen(scene, way),
        )
    elif way.events:
        early_s = hypothesis.after_s - _last_seen(scene, way)
    else:
        return 0.0
    return 0.0 if early_s < SAME_MOMENT_S else min(EARLY_MAX, EARLY_COST + 2 * early_s)


def _find_next(scene: Scene, hypothesis: Hypothesis, before: Step) -> float:
    """When the tile of the event after that one was first seen."""
    since = inf
    for step in hypothesis.step.back():
        if step.depth <= before.depth:
            break
        known = [scene.tracks[number].since_s for number in step.tracks if number in scene.tracks]
        since = max(known, default=since)
    return since


def _find_before(scene: Scene, step: Step) -> float:
    """When the place of the tile of the event before that one was last seen empty."""
    for each in step.back():
        known = [scene.tracks[number].clear_s for number in each.tracks if number in scene.tracks]
        if known:
            return max(known)
    return -inf


def _mark(scene: Scene, hypothesis: Hypothesis, unexplained: Sequence[Track]) -> int:
    """Unchanged while there is nothing new to explain."""
    parts = [
        (
            track.number,
            track.face.top,
            scene.t - track.since_s > TOGETHER_WITHIN_S,
            scene.t - track.since_s > meld_rows.HALF_AGE_S,
            min(endings.MISSING_MAX, int((scene.t - track.since_s) / endings.NOT_FOUND_S)),
        )
        for track in unexplained
    ]
    gone = tuple(track.number for track in scene.gone if track.number in hypothesis.roles)
    return hash((tuple(parts), gone, scene.find_sign(hypothesis) is None, scene.has_begun(hypothesis))) or 1


def _keep_best(judged: Judged) -> Judged:
    judged.sort(key=lambda each: each[0])
    kept: Judged = []
    keys = set()
    for cost, hypothesis in judged:
        if cost > judged[0][0] + WORSE_MAX_NATS or len(kept) == HYPOTHESES_MAX:
            break
        key = hypothesis.key
        if key not in keys:
            keys.add(key)
            kept.append((cost, hypothesis))
    return kept
