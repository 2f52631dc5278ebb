"""What all hypotheses are judged by at one moment: the tiles on the table, the cost of each one left
unexplained, the tiles counted in the walls, and who reaches out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf

from companion.following.hypotheses import Hypothesis, Part, Role, find_next_to_draw
from companion.following.quarters import WITHOUT_WALL, Quarters, find_row_place
from companion.following.tracks import Track
from companion.seeing.sights import Box, Sight, see_from
from companion.table.events import FlowerSetOut
from companion.table.state import HandState, Phase
from companion.tiles import BACK

AGREED_MIN_COUNTS, COUNTS_KEPT = 3, 5
"""The number of the last counts that must have agreed with the events before counts are believed: part of a
wall may be hidden for good."""
BELIED_S = 3.0
"""Counts must disagree for this time before that counts: something may hide the walls, and events are stated
late."""


@dataclass(frozen=True, slots=True)
class WallLeft:
    """How many tiles are in the walls, at least and at most, dead ones included."""

    least: int
    most: int

    def find_off(self, hand: HandState) -> int:
        """How many tiles more are left than by the events; negative if there are fewer."""
        left = count_standing(hand)
        return max(0, self.least - left) - max(0, left - self.most)

    def has_drawn(self, hand: HandState) -> bool | None:
        """Whether one tile more has gone than by the events; None if the count does not show it."""
        left = count_standing(hand)
        if left > self.most:
            return True
        return False if left - 1 < self.least else None

    def tells(self, last: int) -> bool:
        """Whether it proves that no more than this number of tiles is left."""
        return self.most <= last or self.least > last


@dataclass(slots=True)
class CountedWalls:
    """The walls of one table. now: the count at this moment, None while the walls are out of sight; belied_s:
    since when it differs from the events."""

    now: WallLeft | None = None
    belied_s: float = inf
    _last: WallLeft | None = None
    _agrees: bool = False
    _before: deque[bool] = field(default_factory=lambda: deque(maxlen=COUNTS_KEPT))

    def note(self, counted: tuple[int, int] | None, hand: HandState | None, t: float) -> None:
        """hand: at second t by the events so far; None between hands."""
        self.now = None if counted is None or hand is None else WallLeft(*counted)
        if hand is None:
            self._last, self.belied_s = None, inf
        if self.now is None or hand is None:
            return
        if self.now != self._last:
            if self._last is not None:
                self._before.append(self._agrees)
            self._last, self._agrees = self.now, False
        is_off = self.now.find_off(hand) != 0
        self._agrees |= not is_off
        self.belied_s = min(self.belied_s, t) if is_off else inf

    @property
    def is_trusted(self) -> bool:
        """Whether it has agreed with the events often enough."""
        return self._before.count(True) + self._agrees >= AGREED_MIN_COUNTS

    @property
    def trusted(self) -> WallLeft | None:
        """The count at this moment, if it is believed."""
        return self.now if self.is_trusted else None

    def find_shown(self, t: float) -> WallLeft | None:
        """The last count, if it is believed, and either agrees with the events or has disagreed for long."""
        is_ready_to_show = self.belied_s == inf or t - self.belied_s >= BELIED_S
        return self._last if self.is_trusted and is_ready_to_show else None


def count_standing(hand: HandState) -> int:
    """How many tiles are in the walls by the events."""
    return hand.wall.live_left + hand.wall.dead_left


EDGE_MM, ASIDE_MM = 320.0, 260.0
"""Where a player's hand stands: farther from the middle of the table than the first, and no farther to a side
than the second."""
REMEMBERED_S = 60.0
ARM_MAX_S = 2.0
"""What hides a place for longer than this is not an arm but a standing tile, or something put down."""


@dataclass(frozen=True, slots=True)
class Reaches:
    """Which players reached out recently, and when. since: since when each place has been hidden."""

    seen: deque[tuple[float, frozenset[int]]] = field(default_factory=deque)
    since: dict[Box, float] = field(default_factory=dict)

    def note(self, sight: Sight) -> None:
        """Record who reaches out at this moment."""
        since = {box: self.since.get(box, sight.t) for box in sight.covered}
        self.since.clear()
        self.since.update(since)
        moving = [box for box, since_s in since.items() if sight.t - since_s <= ARM_MAX_S]
        seats = frozenset(find_reaching(moving))
        if seats:
            self.seen.append((sight.t, seats))
        while self.seen and self.seen[0][0] < sight.t - REMEMBERED_S:
            self.seen.popleft()

    def find_first(self, seat: int, since_s: float) -> float:
        """When this player first reached out since then; infinity if they have not."""
        return next((t for t, seats in self.seen if t > since_s and seat in seats), inf)

    def is_reaching(self, seat: int, t: float) -> bool:
        """Whether this player reaches out at this moment, the last one recorded."""
        return bool(self.seen) and self.seen[-1][0] == t and seat in self.seen[-1][1]

    def find_between(self, from_s: float, to_s: float) -> frozenset[int]:
        """Who reached out between these seconds."""
        return frozenset[int]().union(*(seats for t, seats in self.seen if from_s <= t <= to_s))


def find_reaching(covered: Iterable[Box]) -> list[int]:
    """The seats at whose edge something is in the way."""
    boxes = list(covered)
    return [seat for seat in range(4) if any(_is_before(seat, box) for box in boxes)]


def _is_before(seat: int, box: Box) -> bool:
    u, v = see_from(seat, (box.left + box.right) / 2, (box.near + box.far) / 2)
    return v > EDGE_MM and abs(u) < ASIDE_MM


PENDING, PENDING_INSIDE = (0.5, 1.5), (4.0, 10.0)
"""Nats of an unexplained tile: at first, and more each second. Inside the walls they grow faster: a face
there is a discard, which waits for nothing."""
AT_EDGES_MAX, SHOWN_WITHIN_S = 13.0, 6.0
"""The most that all unexplained tiles which came to the edges within this time cost together: a shown hand
may become clear only with its last tile."""
FALSE_INSIDE, FALSE_AT_EDGE, FALSE_UNREAD = 7.0, 4.5, 2.0
"""The most that something costs which looks like a tile and is not one: inside the walls; at an edge, where
people put other things; and how much less if no face is read."""
TOGETHER_WITHIN_S, DISCARD_SETTLES_S = 0.8, 0.4
"""How long a tile may be there before the others put down with it must be there too. Inside the walls, where
discards come alone, it only has to settle."""
GONE_COSTS = ((6.0, 5.0), (2.0, 2.5))
"""Nats of a tile that should be there and has been missing for at least these seconds. For a back they count
SHOWN_WITHIN_S later: it may have been turned up with a shown hand."""
GONE_MAX = 12.0
"""The most that all missing tiles cost together: when many go at once they are cleared away, or hidden by
something unknown."""
BEFORE_S = 0.3
"""Once a hand is over, only tiles that were there at least this much earlier count."""
STAYED_COST, STAYED_AFTER_S = 4.0, 1.5
"""Nats of a tile that should have been taken away and is still there after this time."""
REACHED_COST, REACHED_AFTER_S = 4.0, 0.2
"""Nats if the next player reached out this long after the discard, or a tile has gone from the wall, and the
hypothesis has no draw."""
NOT_REACHED_COST, REACHED_WITHIN_S = 3.0, (1.0, 0.1)
"""Nats of a discard by a player who did not reach out while another one did, within these seconds before and
after the tile was first seen. Of the players of 600 discards on films 99% had reached out, and 31% of the
others."""
REACH_MEANS_DRAW_S = 1.5
"""A reach alone means a draw this long after it began. It means one at once if the discard is still in sight,
or, if the walls are counted, when the reach is over: whoever reaches over a wall may be claiming."""
WALL_COST = 3.5
"""Nats if the walls hold more or fewer tiles than they should: less than for an unseen discard, so that no
event is invented for this alone."""
SEA_DRAW_S = 0.3
"""The least time between two draws of the last tiles."""
REPLACED_AFTER_S, FLOWER_REPLACED_AFTER_S = 1.2, 0.6
"""How long after a kong (which may be robbed) or a flower its player has drawn the replacement."""
DEALT_COST = 4.0
"""Nats if the walls are as short as after a deal, and no hand has begun."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment. tracks: every known tile by number; lying: the flat and settled ones, oldest first; gone:
    the missing ones; pending: the cost of each face while nothing explains it; quarters: the parts of the
    table; edge: the tiles at its edges; reaches: who reached out, and when; taken: when tiles went from the
    walls; dealt: whether the walls are as short as after a deal; unordered: tiles whose order nobody saw;
    walls: the counted tiles."""

    t: float
    tracks: dict[int, Track]
    lying: tuple[Track, ...]
    gone: tuple[Track, ...]
    pending: dict[int, float]
    quarters: Quarters = WITHOUT_WALL
    edge: frozenset[int] = frozenset()
    reaches: Reaches = field(default_factory=Reaches)
    taken: tuple[float, ...] = ()
    dealt: bool = False
    unordered: frozenset[int] = frozenset()
    walls: CountedWalls = field(default_factory=CountedWalls)

    @staticmethod
    def of(
        t: float, tracks: dict[int, Track], lying: list[Track], gone: list[Track],
        quarters: Quarters, reaches: Reaches, taken: tuple[float, ...] = (),
        *, dealt: bool = False, unordered: frozenset[int] = frozenset(), walls: CountedWalls | None = None,
    ) -> Scene:  # fmt: skip
        pending = {
            track.number: find_pending_cost(track, t, quarters) for track in lying if not track.face.is_back
        }
        edge = frozenset(track.number for track in lying if quarters.is_at_edge(track))
        return Scene(
            t, tracks, tuple(lying), tuple(gone), pending, quarters, edge, reaches, taken, dealt, unordered,
            walls or CountedWalls(),
        )  # fmt: skip

    def unexplained(self, hypothesis: Hypothesis) -> list[Track]:
        """The flat tiles without a role in the hypothesis, backs included."""
        roles = hypothesis.roles
        return [
            track
            for track in self.lying
            if track.number not in roles and track.number not in hypothesis.released
        ]

    def choose_next(self, faces: list[Track]) -> list[Track]:
        """Those of these tiles, oldest first, that may have come next. Of the discards that were there before
        the camera, only the first of each player's can: they are assumed to be laid in rows."""
        first: dict[int, int] = {}
        for track in faces:
            if track.number in self.unordered and track.number not in self.edge:
                first.setdefault(find_row_place(track.x_mm, track.y_mm)[2], track.number)
        later = self.unordered - self.edge - set(first.values())
        return [track for track in faces if track.number not in later]

    def missing(self, hypothesis: Hypothesis) -> list[tuple[Track, Role]]:
        """The tiles that have a role and are gone."""
        roles = hypothesis.roles
        return [(track, roles[track.number]) for track in self.gone if track.number in roles]

    def has_reached(self, hypothesis: Hypothesis) -> bool:
        """Whether the next player must have drawn. Either a tile has gone from the wall since the discard on
        offer, or that player has reached out and not claimed it; or it is time for the replacement of a kong
        or a flower."""
        hand = hypothesis.hand
        if hand is not None and hand.owed:
            is_flower = isinstance(hypothesis.step.event, FlowerSetOut)
            return self.t > hypothesis.latest_s + (FLOWER_REPLACED_AFTER_S if is_flower else REPLACED_AFTER_S)
        if hand is None or hand.phase not in (Phase.CLAIM, Phase.SEA) or not hand.wall.live_left:
            return False
        since_s = hypothesis.latest_s + REACHED_AFTER_S
        counted = self.walls.trusted
        drawn = None if counted is None else counted.has_drawn(hand)
        if hand.wall.in_sea:
            return self._has_drawn_from_sea(hypothesis, hand, since_s) if drawn is None else drawn
        if any(track.number in hypothesis.step.tracks for track in self.gone):
            return False
        if drawn is not None:
            return drawn
        if max(self.taken, default=-inf) > since_s:
            return True
        waited_s = self.t - self.reaches.find_first(hand.turn, since_s)
        if waited_s >= REACH_MEANS_DRAW_S:
            return True
        may_claim = self.walls.is_trusted and self.reaches.is_reaching(hand.turn, self.t)
        return waited_s >= 0 and not may_claim and self._are_in_sight(hypothesis.step.tracks)

    def _are_in_sight(self, numbers: tuple[int, ...]) -> bool:
        """Whether all these tiles are seen at this moment."""
        return all(number in self.tracks and self.tracks[number].seen_s == self.t for number in numbers)

    def _has_drawn_from_sea(self, hypothesis: Hypothesis, hand: HandState, since_s: float) -> bool:
        """Whether more tiles have gone from the wall since then than were drawn, or the next player has
        reached out since the last draw: the last tiles are drawn one right after another."""
        draws = hypothesis.list_last_draws()
        if sum(at_s > since_s for at_s in self.taken) > len(draws):
            return True
        for seat, noticed_s in draws:
            since_s = min(self.reaches.find_first(seat, since_s), noticed_s) + SEA_DRAW_S
        return self.reaches.find_first(find_next_to_draw(hypothesis.state.house, hand), since_s) < inf

    def find_reach_cost(self, seat: int, track: Track) -> float:
        """Nats of this player having put the tile there, by who reached out."""
        if track.clear_s == -inf:
            return 0.0
        before_s, after_s = REACHED_WITHIN_S
        since_s = min(track.clear_s, track.since_s - before_s)
        reached = self.reaches.find_between(since_s, track.since_s + after_s)
        return NOT_REACHED_COST if reached and seat not in reached else 0.0

    def has_begun(self, hypothesis: Hypothesis) -> bool:
        """Whether the walls show a deal that the hypothesis lacks."""
        return self.dealt and not hypothesis.roles and hypothesis.hand is None

    def _belies(self, hypothesis: Hypothesis) -> bool:
        """Whether the walls hold more or fewer tiles than by the hypothesis, apart from one tile that will
        soon be noticed."""
        hand, counted = hypothesis.hand, self.walls.trusted
        if hand is None or counted is None or hand.phase in (Phase.DEAL, Phase.INDICATOR):
            return False
        off = counted.find_off(hand)
        return (
            off > 0 or off < -1 or (off < 0 and hand.phase not in (Phase.CLAIM, Phase.SEA) and not hand.owed)
        )

    def judge(self, hypothesis: Hypothesis) -> float:
        """Nats of the hypothesis at this moment, in total."""
        roles, released = hypothesis.roles, hypothesis.released
        total = hypothesis.cost + REACHED_COST * self.has_reached(hypothesis)
        total += DEALT_COST * self.has_begun(hypothesis)
        total += WALL_COST * self._belies(hypothesis)
        for number, role in roles.items():
            track = self.tracks.get(number)
            if track is not None:
                total += role_cost(track, role)
        gone = 0.0
        for track in self.gone:
            if track.number in roles and track.gone_s is not None:
                turns = roles[track.number].code == BACK
                away = self.t - track.gone_s - (SHOWN_WITHIN_S if turns else 0.0)
                gone += next((cost for after, cost in GONE_COSTS if away >= after), 0.0)
        total += min(GONE_MAX, gone)
        over = bool(roles) and not hypothesis.state.playing
        at_edges: list[tuple[float, float]] = []
        for number, cost in self.pending.items():
            if number in roles or number in released:
                continue
            if not over or self.tracks[number].since_s < hypothesis.latest_s - BEFORE_S:
                if number in self.edge:
                    at_edges.append((self.tracks[number].since_s, cost))
                else:
                    total += cost
        last_s = max(at_edges, default=(0.0, 0.0))[0]
        total += sum(cost for since, cost in at_edges if since < last_s - SHOWN_WITHIN_S)
        total += min(AT_EDGES_MAX, sum(cost for since, cost in at_edges if since >= last_s - SHOWN_WITHIN_S))
        for number, since in released.items():
            track = self.tracks.get(number)
            if (
                track is not None
                and track.gone_s is None
                and self.t - since > STAYED_AFTER_S
                and track.seen_s == self.t
            ):
                total += STAYED_COST
        return total


def find_pending_cost(track: Track, t: float, quarters: Quarters) -> float:
    """Nats of a face that is unexplained at this time. A flower waits for nothing either."""
    is_flower = track.face.top.endswith("f")
    inside = track.face.is_read and (is_flower or not quarters.is_at_edge(track))
    waited_s = max(0.0, t - track.since_s - (DISCARD_SETTLES_S if inside else TOGETHER_WITHIN_S))
    first, a_second = PENDING_INSIDE if inside else PENDING
    return min(first + a_second * waited_s, find_false_cost(track, quarters))


def find_false_cost(track: Track, quarters: Quarters) -> float:
    """Nats of the tile not being one. What reads as a flower is one: nothing else on a table looks like
    it."""
    at_edge = quarters.is_at_edge(track) and not track.face.top.endswith("f")
    cost = FALSE_AT_EDGE if at_edge else FALSE_INSIDE
    return cost if track.face.is_read else cost - FALSE_UNREAD


def role_cost(track: Track, role: Role) -> float:
    """Nats of the tile's role, given how it reads."""
    if role.code is not None:
        return track.face.cost(role.code)
    return track.face.unnamed if role.part is Part.RIVER else 0.0
