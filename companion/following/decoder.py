"""Follows a game: sights in, events out, without a clock of its own.

`Decoder.follow` is the whole way: remember the tiles, extend and judge the hypotheses (`beam`), state what is
likely enough (`statements`). Entries by people and devices arrive through `Decoder.accept`. Before it:
noticing the deal by the walls, applying entries to the hypotheses, and the doubts whether this game is played
at all and whether its tiles can be read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf

from companion.errors import EventError
from companion.following.beam import Judged, advance, end_swept
from companion.following.draws import DrawSign, DrawSigns
from companion.following.endings import AT_ONCE_S
from companion.following.hypotheses import NAMED_BY, Hypothesis, Part, Step, begin_hand, drop_steps, rename
from companion.following.notices import Found, Lost, Notice
from companion.following.quarters import WITHOUT_WALL, Quarters, find_row_place, find_rows, find_wall
from companion.following.scene import CountedWalls, Reaches, Scene, WallLeft
from companion.following.statements import (
    DoubtfulDiscards,
    SeenHand,
    Statements,
    ask_about_dealer,
    ask_about_hands,
    is_alike,
    list_steps,
    read_step,
)
from companion.following.tracks import Track, Tracks
from companion.rules import RULE_SETS
from companion.seeing.sights import USUAL_TILE_MM, Sight
from companion.sentences import msgid
from companion.table.apply import apply, fold
from companion.table.events import (
    Corrected,
    DealSet,
    Dealt,
    Event,
    HandStarted,
    IndicatorTurned,
    number_corrected,
)
from companion.table.state import State

BUILT_SHARE = 0.8
"""Share of the backs that whole walls show, two tiles high, from which the walls count as built."""
DEALT_OFF_SHARE = 0.1
"""Share of whole walls by which the tiles left may differ: some backs are not found."""
WALLS_STILL_S = 0.7
"""How long the walls must stay the same: they change while tiles are taken or walls are pushed."""


@dataclass(slots=True)
class DealWatch:
    """Watches the walls between two hands.

    most: the largest number of backs in the walls. since_s: since when there are `backs`. dealt: whether the
    walls have been as short as after a deal.
    """

    most: int = 0
    backs: int = 0
    since_s: float = 0.0
    dealt: bool = False

    def note(self, backs: int, t: float) -> None:
        """backs: the number of known backs in the walls at that second."""
        self.most = max(self.most, backs)
        if backs != self.backs:
            self.backs, self.since_s = backs, t

    def has_dealt(self, state: State, t: float) -> bool:
        """Whether the walls have been as short as after a deal. state: before the hand."""
        if self.dealt or not self.most or t - self.since_s < WALLS_STILL_S:
            return self.dealt
        after: State | None = state
        for event in begin_hand(state):
            after = apply(after, event)
        if after is None or after.hand is None or after is state:
            return False
        tiles = sum(state.house.copies)
        left = (after.hand.wall.live_left + after.hand.wall.dead_left) / tiles
        is_complete = self.most >= BUILT_SHARE * tiles / 2
        self.dealt = is_complete and abs(self.backs / self.most - left) <= DEALT_OFF_SHARE
        return self.dealt


def keep_agreeing(judged: Judged, statements: Statements, event: Event) -> Judged:
    """The hypotheses in which this event comes right after the stated ones; it counts as stated from then
    on."""
    depth = statements.stated[-1][0].depth + 1
    kept: Judged = []
    stated_step: Step | None = None
    for cost, hypothesis in judged:
        step = next((each for each in hypothesis.step.back() if each.depth == depth), None)
        if step is not None and step.event == event and (stated_step is None or step is stated_step):
            stated_step = step
            kept.append((cost, hypothesis))
    if stated_step is not None:
        statements.stated.append((stated_step, len(statements.log) + 1))
    return kept


def name_tile(judged: Judged, statements: Statements, entered: Event) -> Judged:
    """The hypotheses in which an event was about the tile that was entered; all else stays open as far as it
    is legal with that tile. Empty if more than a tile was entered, or if no hypothesis agrees.

    Raises EventError if it cannot have been that tile.
    """
    if not isinstance(entered, Corrected) or not isinstance(entered.right, NAMED_BY) or entered.more:
        return []
    stated, right, number = statements.stated, entered.right, entered.number
    root, begun = stated[0]
    places = [at for at, each in enumerate(stated) if at and each[1] == number]
    if not is_alike(dict(number_corrected(statements.log)).get(number), right):
        return []
    if len(places) != (number > begun):
        return []
    corrected = number_corrected([*statements.log, entered])
    state = fold([event for at, event in corrected if at <= begun])
    assert state is not None
    carried: dict[Step, Step] = {root: Step(None, None, state, depth=root.depth)}
    track = statements.list_tiles().get(number)
    named = stated[places[0]][0] if places else root
    kept: Judged = []
    for cost, hypothesis in judged:
        steps = list_steps(hypothesis.step, root.depth)
        same = next((step for step in steps if _is_about(step, named)), None)
        if same is not None:
            try:
                last = _carry(steps, same, right, carried)
            except EventError:
                continue
            roles = dict(hypothesis.roles)
            if track in roles:
                roles[track] = replace(roles[track], code=right.tile)
            kept.append((cost, replace(hypothesis, step=last, roles=roles, tried=0)))
    if kept:
        _carry([step for step, _ in stated], named, right, carried)
        statements.stated = [(carried[step], each) for step, each in stated]
        if places and track is not None:
            statements.entered[track] = right
    return kept


def keep_entered(judged: Judged, statements: Statements) -> Judged:
    """The hypotheses that agree with all tiles entered."""
    if not statements.entered:
        return judged
    return [each for each in judged if _holds_entered(each[1], statements)]


def _holds_entered(hypothesis: Hypothesis, statements: Statements) -> bool:
    """Whether the hypothesis has every event whose tile was entered."""
    return sum(map(statements.is_entered, hypothesis.step.back())) == len(statements.entered)


def _is_about(step: Step, named: Step) -> bool:
    """Whether a step is the named one, or the same in another chain apart from the name of its tile."""
    same_place = step.tracks[:1] == named.tracks[:1] if named.tracks else step.depth == named.depth
    return same_place and is_alike(step.event, named.event)


def _carry(steps: Sequence[Step], named: Step, right: Event, carried: dict[Step, Step]) -> Step:
    """The end of the same chain with another event in place of the named step. carried: the new step for each
    step so far, the first included. Raises EventError if that is not legal."""
    last = carried[steps[0]]
    for step in steps[1:]:
        if step not in carried:
            event = right if step is named else step.event
            assert event is not None
            carried[step] = last.then(event, step.tracks, step.at_s)
        last = carried[step]
    return last


OTHER_HAND = msgid("a hand is shown with too many or too few tiles")
OTHER_HAND_MIN_FACES, OTHER_HAND_STILL_S = 5, 2.0
"""This number of faces that came at once in a row, and have been there this long, are a hand: no meld has as
many."""


def shows_other_hand(scene: Scene, hypothesis: Hypothesis) -> bool:
    """Whether a player has turned up as many tiles, known melds included, as hands of another game have, and
    not as this game's have."""
    hand, rules = hypothesis.state.hand, hypothesis.state.house.rules
    if hand is None:
        return False
    others = {other.hand_size - rules.hand_size for other in RULE_SETS.values()} - {0}
    faces = [track for track in scene.lying if _may_be_of_hand(track, hypothesis)]
    for seat in hypothesis.state.house.seats:
        count = _count_shown(scene, seat, faces)
        more = {count - hand.players[seat].count, count - hand.players[seat].count - 1}
        if count >= OTHER_HAND_MIN_FACES and not more & {0} and more & others:
            return True
    return False


def _may_be_of_hand(track: Track, hypothesis: Hypothesis) -> bool:
    role = hypothesis.roles.get(track.number)
    is_face = not track.face.is_back and not track.face.top.endswith("f")
    return is_face and (role is None or role.part is Part.HAND)


def _count_shown(scene: Scene, seat: int, faces: Sequence[Track]) -> int:
    """How many tiles this player has turned up at once, but not just now."""
    row = [track for row in find_rows(scene.quarters, seat, faces) for track in row]
    times = sorted(track.since_s for track in row)
    if not times or scene.t - times[-1] < OTHER_HAND_STILL_S:
        return 0
    usual_s = times[len(times) // 2]
    return sum(abs(since_s - usual_s) < AT_ONCE_S for since_s in times)


UNREADABLE = msgid("most tiles on the table cannot be read")
UNREAD_MIN_TILES, UNREAD_P, UNREAD_S = 4, 0.85, 3.0
"""A tile inside the walls is unreadable if after this time no kind has this probability; this many make the
table unreadable,"""
UNREAD_SHARE, STILL_UNREAD_SHARE = 0.5, 0.25
"""if they are more than this share of the discards; the second share applies once that was reported."""


def is_unreadable(lying: Iterable[Track], quarters: Quarters, t: float, *, before: bool) -> bool:
    """Whether most discards among these tiles are unreadable. before: whether they were a moment ago."""
    discards = [track for track in lying if t - track.since_s > UNREAD_S and not quarters.is_at_edge(track)]
    unread = sum(max((p for _, p in track.face.readings), default=0.0) < UNREAD_P for track in discards)
    share = STILL_UNREAD_SHARE if before else UNREAD_SHARE
    return unread >= UNREAD_MIN_TILES and unread > share * len(discards)


SWEPT_SHARE, SWEPT_MIN_TILES, SWEPT_S = 0.85, 6, 1.5
"""The table counts as cleared when this share of its tiles (and at least this many) has been gone this
long."""
THERE_BEFORE_S = 2.0
"""A tile found within this time after the first sight was there before it."""
FOUND_SOON_S = 1.0
"""Tiles that were there before the first sight are found within this time, with further looks at doubtful
places."""
MIXING_SHARE = 0.5
"""Once this share of the tiles is gone, nothing that appears is a move of the game."""
RENAME_MIN_NATS = 1.0
"""Nats by which a tile must read differently from its name to get a new one."""
RENAME_HYPOTHESES = 3
LOST_MIN_TILES, LOST_AGE_S = 3, 10.0
"""The game is lost while this many tiles have been unexplained for this long."""
SIGHT_EVERY_S, END_FOLLOWED_S = 0.5, 6.0
"""At the end of a recording the table is assumed to stay the same for the second time, as long as a doubtful
event needs; sights are repeated at the first interval."""
TAKEN_MAX = 20
"""Number of remembered times at which tiles went from the walls."""
BEGINNINGS = (DealSet, HandStarted, Dealt, IndicatorTurned)
NAMED = (Part.RIVER, Part.FLOWER, Part.INDICATOR)
"""Roles of tiles that are named by an event of their own."""
MISFITS_MIN_TILES, MISFITS_S = 3, 2.0
"""Fewer tiles that this game does not have, or for less time, are misread ones."""
NOT_OF_GAME = msgid("some tiles on the table are not in this game, or there are too many of one kind")
UNEXPLAINED = "no legal move explains the tiles on the table"
DOUBTS = (NOT_OF_GAME, OTHER_HAND, UNREADABLE)
"""Reported while the game is still followed."""


class Decoder:
    """Follows one game, starting with the events so far, the first of which starts the game."""

    def __init__(self, log: Sequence[Event]) -> None:
        """Raises EventError if these events are not legal."""
        self._tracks = Tracks()
        self._deals, self._walls = DealWatch(), CountedWalls()
        self._statements = Statements(list(log))
        self._quarters = WITHOUT_WALL
        self._sight = Sight(0.0)
        self._first_s = inf
        """When the table was first seen; minus infinity once an entry says that the hand continues."""
        self._reaches = Reaches()
        self._taken: deque[float] = deque(maxlen=TAKEN_MAX)
        self._signs = DrawSigns()
        self._is_told = False
        self._lost = ""
        self._judged: Judged = []
        self._reread: set[tuple[int, int, str]] = set()
        self._passed: set[int] = set()
        self._doubtful = DoubtfulDiscards()
        self._fits_s = inf
        """When all tiles but a few last fitted the game."""
        self._begin(_require_state(fold(log)))
        self._bare_s = -inf

    @property
    def log(self) -> list[Event]:
        """Every event so far, corrections included."""
        return list(self._statements.log)

    @property
    def state(self) -> State:
        """The state after the stated events."""
        return self._statements.stated[-1][0].state

    def count_unseen_turns(self) -> int:
        """How many discards of this hand nobody saw, apart from claimed ones: each of them may make the
        number of tiles left wrong by one."""
        return self._statements.count_unseen_turns()

    def find_tile(self, number: int) -> int | None:
        """The tile that the event with this number put down, if it was seen."""
        return self._statements.list_tiles().get(number)

    def find_walls(self) -> WallLeft | None:
        """How many tiles the walls show, if that is sure."""
        return self._walls.find_shown(self._sight.t)

    @property
    def bare_s(self) -> float | None:
        """Since when no hand is in play and none of its tiles are on the table; None while that is not the
        case."""
        best = self._judged[0][1]
        return None if self.state.playing or best.state.playing or best.roles else self._bare_s

    def follow(self, sight: Sight) -> list[Notice]:
        """The notices after this sight."""
        self._sight = sight
        if sight.trouble:
            return self._lose(sight.t, sight.trouble)
        self._first_s, self._fits_s = min(self._first_s, sight.t), min(self._fits_s, sight.t)
        self._tracks.update(sight)
        self._statements.unordered = self._list_unordered()
        self._reaches.note(sight)
        self._taken.extend(sight.taken_s)
        self._deals.note(sight.wall_backs, sight.t)
        self._walls.note(sight.wall_left, self.state.hand if self.state.playing else None, sight.t)
        mixing, swept = self._find_sweep(sight.t)
        if mixing and not swept:
            return self._lose(sight.t, "")
        if swept:
            return self._finish(sight.t)
        scene = self._make_scene(sight.t)
        self._judged = advance([each for _, each in self._judged], scene)
        self._reread_tiles(scene)
        notices = self._make_statements(sight.t)
        tracks = self._tracks.by_number
        notices += self._doubtful.ask(notices, self._judged, self._statements, tracks, sight.t)
        notices += ask_about_hands(self._judged, notices)
        notices += ask_about_dealer(self._statements.root, notices)
        return notices + self._lose(sight.t, self._find_trouble(scene))

    def note(self, sight: Sight) -> None:
        """Record the tiles on the table without making events of them."""
        self._tracks.update(sight)

    def expect_hand(self) -> None:
        """Others have reported that a hand begins: its first tile needs no other evidence."""
        self._is_told = True

    def take_over(self, before: Decoder) -> None:
        """Continue at the table that `before` followed. All tiles on it are ignored until they are gone."""
        self._tracks, self._quarters = before._tracks, before._quarters
        self._lost = before._lost
        self._passed = set(self._tracks.by_number)

    def finish(self) -> list[Notice]:
        """The notices at the end of a recording, as if the table stayed as it was last. Backs without a
        meaning are ignored: they are seen where tiles stand. A hand that is over by then ends as if the table
        were cleared."""
        last = self._sight
        known = self._judged[0][1].roles
        backs = {number for number, track in self._tracks.by_number.items() if track.face.is_back}
        self._passed |= backs - known.keys()
        notices: list[Notice] = []
        for step in range(1, round(END_FOLLOWED_S / SIGHT_EVERY_S) + 1):
            notices += self.follow(replace(last, t=last.t + step * SIGHT_EVERY_S, taken_s=()))
        if self.state.playing and not self._judged[0][1].state.playing:
            notices += self._end(last.t)
        return [replace(notice, t=last.t) for notice in notices]

    def accept(self, event: Event) -> None:
        """A person or a device has entered an event, or corrected one.

        Hypotheses that disagree are dropped. Raises EventError if it is not legal.
        """
        log = [*self._statements.log, event]
        state, was_over = _require_state(fold(log)), not self.state.playing
        self._doubtful.unanswered = 0
        if not isinstance(event, BEGINNINGS):
            self._first_s = -inf
        kept = name_tile(self._judged, self._statements, event)
        kept = kept or keep_agreeing(self._judged, self._statements, event) or self._extend(event)
        self._statements.log = log
        if kept:
            self._judged = kept
            self._reread.clear()
            return
        best = drop_steps(self._judged[0][1], self._statements.stated[-1][0].depth)
        self._begin(state, best if state.playing or was_over else None)

    def _begin(self, state: State, before: Hypothesis | None = None) -> None:
        """Continue from this state, with the tiles on the table explained as before."""
        self._bare_s = self._sight.t
        root = Step(None, None, state)
        start = Hypothesis(root) if before is None else replace(before, step=root, cost=0.0, tried=0)
        self._judged = [(0.0, start)]
        self._statements.begin(root)
        self._reread.clear()

    def _make_scene(self, t: float) -> Scene:
        """The tiles that may mean something, without those of the walls."""
        lying = sorted(  # tiles from before the first sight are assumed to be in rows
            self._tracks.list_lying(), key=lambda each: (each.since_s, *find_row_place(each.x_mm, each.y_mm))
        )
        near = self._sight.wall_mm
        wall = find_wall(lying) if near is None else near * USUAL_TILE_MM / self._sight.tile_mm
        if wall is not None:
            self._quarters = Quarters(wall)
        known = [each for each in lying if each.number not in self._passed]
        outside = [track for track in known if not self._quarters.is_of_wall(track)]
        gone = [track for track in self._tracks.list_gone() if not self._quarters.is_of_wall(track)]
        return Scene.of(
            t, self._tracks.by_number, outside, gone, self._quarters, self._reaches, tuple(self._taken),
            dealt=not self.state.playing and self._deals.has_dealt(self.state, t),
            unordered=self._statements.unordered, walls=self._walls, signs=self._signs,
        )  # fmt: skip

    def _extend(self, event: Event) -> Judged:
        """The best hypothesis up to the stated events, extended by an event that no hypothesis had."""
        last = self._statements.stated[-1][0]
        best = next((each for _, each in self._judged if last in each.step.back()), None)
        if best is None or isinstance(event, Corrected):
            return []
        step = last.then(event, (), self._tracks.t)
        self._statements.stated.append((step, len(self._statements.log) + 1))
        known = drop_steps(best, last.depth)
        if isinstance(event, HandStarted):  # tiles still on the table are of the hand before
            self._passed |= known.roles.keys()
            return [(0.0, Hypothesis(step))]
        return [(0.0, replace(known, step=step, tried=0))]

    def _find_sweep(self, t: float) -> tuple[bool, bool]:
        """Whether the tiles are being swept together, and whether the table has been cleared."""
        tracks, best = self._tracks.by_number, self._judged[0][1]
        known = [number for number in best.roles if number in tracks]
        missing = sum(tracks[number].gone_s is not None for number in known)
        if len(known) < SWEPT_MIN_TILES or missing < MIXING_SHARE * len(known):
            return False, False
        gone = sum(tracks[number].is_gone(t, SWEPT_S) for number in known)
        return True, gone >= SWEPT_SHARE * len(known)

    def _finish(self, t: float) -> list[Notice]:
        """The hand is over and the table empty: state what was not stated, and begin the next hand. If all
        tiles were there from the first sight on, they were of the hand before, and nothing of it happened."""
        is_of_before = self._were_there_before()
        self._first_s = -inf
        self._judged = (
            [(0.0, Hypothesis(self._statements.root))] if is_of_before else end_swept(self._judged, t)
        )
        best = self._judged[0][1]
        notices = self._end(t)
        self._tracks.forget()
        self._deals, self._doubtful.unanswered, self._is_told = DealWatch(), 0, False
        self._begin(best.state)
        return notices

    def _list_unordered(self) -> frozenset[int]:
        """The tiles that were there when the table was first seen: nobody saw their order."""
        until_s = self._first_s + FOUND_SOON_S
        return frozenset(
            number for number, track in self._tracks.by_number.items() if track.since_s <= until_s
        )

    def _were_there_before(self) -> bool:
        """Whether every known tile was there when the table was first seen."""
        tracks = self._tracks.by_number
        known = [tracks[number] for number in self._judged[0][1].roles if number in tracks]
        return all(track.since_s <= self._first_s + THERE_BEFORE_S for track in known)

    def _end(self, t: float) -> list[Notice]:
        """Everything not yet stated of a hand that is over."""
        notices = self._make_statements(t, last=True)
        return notices + ask_about_hands(self._judged, notices)

    def _make_statements(self, t: float, *, last: bool = False) -> list[Notice]:
        """The statements due now. If no hypothesis agrees with the entries, continue from the stated
        events."""
        kept = keep_entered(self._judged, self._statements)
        seen = self._make_seen(t)
        stated = self._statements.update(kept, t, self._read, seen, last=last) if kept else None
        if stated is None:
            self._begin(self.state, drop_steps(self._judged[0][1], self._statements.stated[-1][0].depth))
            return []
        self._judged = kept
        return list(stated)

    def _make_seen(self, t: float) -> SeenHand:
        """What the table shows besides the tiles of the hypotheses."""
        best = self._judged[0][1]

        def find_sign(step: Step) -> DrawSign:
            assert step.before is not None
            before = replace(best, step=step.before)
            return self._make_scene(t).find_sign(before) or DrawSign.UNCLAIMED

        has_walls = self._quarters is not WITHOUT_WALL
        taken_s = max(self._taken, default=-inf)
        return SeenHand(
            has_walls, self._deals.dealt, self._is_told, find_sign, self._signs, best.latest_s, taken_s
        )

    def _reread_tiles(self, scene: Scene) -> None:
        """Rename tiles that read differently now than when they were first seen."""
        for at, (_, hypothesis) in enumerate(self._judged[:RENAME_HYPOTHESES]):
            for number, role in hypothesis.roles.items():
                track = None if number in self._statements.entered else scene.tracks.get(number)
                if track is None or role.part not in NAMED or not track.face.is_read:
                    continue
                code = track.face.top
                if role.code == code or (
                    role.code is not None and track.face.cost(role.code) < RENAME_MIN_NATS
                ):
                    continue
                tried = (hypothesis.step.mark, number, code)
                if tried in self._reread:
                    continue
                self._reread.add(tried)
                named = rename(hypothesis, number, code)
                if named is not None:
                    self._judged[at] = (scene.judge(named), named)
                    break
        self._judged.sort(key=lambda each: each[0])

    def _read(self, step: Step) -> float:
        """The probability that a step names the right tile."""
        if self._statements.is_entered(step):
            return 1.0
        return read_step(step, self._judged, self._tracks.by_number)

    def _find_trouble(self, scene: Scene) -> str:
        if self._sight.misfits < MISFITS_MIN_TILES:
            self._fits_s = scene.t
        elif scene.t - self._fits_s >= MISFITS_S:
            return NOT_OF_GAME
        best = self._judged[0][1]
        if shows_other_hand(scene, best):
            return OTHER_HAND
        if not best.state.playing:
            return ""
        old = [
            track
            for track in scene.unexplained(best)
            if not track.face.is_back
            and scene.t - track.since_s > LOST_AGE_S
            and not self._quarters.is_at_edge(track)
        ]
        if len(old) >= LOST_MIN_TILES:
            return UNEXPLAINED
        before = self._lost == UNREADABLE
        unread = is_unreadable(self._tracks.list_lying(), self._quarters, scene.t, before=before)
        return UNREADABLE if unread else ""

    def _lose(self, t: float, why: str) -> list[Notice]:
        """Report that the game is lost, or found again, if that has changed."""
        if why == self._lost:
            return []
        before, self._lost = self._lost, why
        if why:
            return [Lost(t, why)]
        return [Found(t)] if before else []


def _require_state(state: State | None) -> State:
    if state is None:
        raise EventError("No game has begun: its first event is game_started.")
    return state
