"""Follows a game from what is seen lying on the table: sights in, events out, and no clock of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from math import inf

from companion.errors import EventError
from companion.following.beam import Judged, advance, end_swept
from companion.following.certainty import read_step
from companion.following.counted_walls import CountedWalls, WallLeft
from companion.following.dealing import DealWatch
from companion.following.doubtful_discards import DoubtfulDiscards
from companion.following.doubtful_hands import ask_about_hands
from companion.following.hearing import keep_agreeing, keep_declared, name_tile
from companion.following.hypotheses import Hypothesis, Part, Step, drop_steps, rename
from companion.following.notices import Found, Lost, Notice
from companion.following.other_hand import OTHER_HAND, shows_other_hand
from companion.following.reaching import Reaches
from companion.following.scene import Scene
from companion.following.stating import Statements
from companion.seeing.legibility import UNREADABLE, is_unreadable
from companion.seeing.quarters import WITHOUT_WALL, Quarters, find_row_place, find_wall
from companion.seeing.sights import USUAL_TILE_MM, Sight
from companion.seeing.tracks import Tracks
from companion.sentences import msgid
from companion.table.apply import fold
from companion.table.events import (
    Corrected,
    Dealt,
    Event,
    HandStarted,
    IndicatorTurned,
)
from companion.table.state import State

SWEPT_SHARE, SWEPT_LEAST, SWEPT_S = 0.85, 6, 1.5
"""A table is swept once so much of what lay there, and at least so many tiles, has been gone for so long."""
LAY_BEFORE_S = 2.0
"""A tile that is found within so many seconds of the first sight lay there before it."""
FOUND_SOON_S = 1.0
"""What lay there is found within so many seconds, looked at again where it is a puzzle."""
MIXING_SHARE = 0.5
"""Once so much of what lay there is gone, nothing that appears is a move of the game."""
REREAD_FROM = 1.0
"""Nats by which a tile must read otherwise than it was named, to be named anew."""
REREAD_HYPOTHESES = 3
LOST_TILES, LOST_AGE_S = 3, 10.0
"""The game is lost while so many tiles have lain there unexplained for so long."""
SIGHT_EVERY_S, STAYS_S = 0.5, 6.0
"""At the end of a recording the table is taken to stay as it is for so long, a doubtful event's time."""
TAKEN_MOST = 20
"""Of the tiles that went from the walls, the last so many are remembered."""
BEGINNINGS = (HandStarted, Dealt, IndicatorTurned)
NAMED = (Part.RIVER, Part.FLOWER, Part.INDICATOR)
"""Tiles each of which is named by an event of its own."""
MISFITS, MISFITS_S = 3, 2.0
"""Fewer tiles that cannot be of this game, or for less long, are misread."""
NOT_OF_GAME = msgid("tiles lie on the table that this game does not have, or more than it has")
UNEXPLAINED = "tiles lie on the table that no legal move explains"
DOUBTS = (NOT_OF_GAME, OTHER_HAND, UNREADABLE)
"""What is said of a game that is followed all the same."""


class Decoder:
    """Follows one game. Begun with the events so far, the first of which starts the game."""

    def __init__(self, log: Sequence[Event]) -> None:
        """Raises EventError where these events cannot have happened."""
        self._tracks = Tracks()
        self._deals, self._walls = DealWatch(), CountedWalls()
        self._statements = Statements(list(log))
        self._quarters = WITHOUT_WALL
        self._sight = Sight(0.0)
        self._first_s = inf
        """When the table was seen first; minus infinity once somebody else says that the hand goes on."""
        self._reaches = Reaches()
        self._taken: deque[float] = deque(maxlen=TAKEN_MOST)
        self._lost = ""
        self._judged: Judged = []
        self._reread: set[tuple[int, int, str]] = set()
        self._passed: set[int] = set()
        self._doubtful = DoubtfulDiscards()
        self._fits_s = inf
        """When all tiles but a few were last such as the game has."""
        self._begin(_require_state(fold(log)))
        self._bare_s = -inf

    @property
    def log(self) -> list[Event]:
        """Every event so far, corrections too."""
        return list(self._statements.log)

    @property
    def state(self) -> State:
        """Where the game stands by what was stated."""
        return self._statements.said[-1][0].state

    def count_unseen_turns(self) -> int:
        """How many discards of this hand nobody saw, but for those that somebody claimed: by each of them the
        number of tiles left may be off."""
        return self._statements.count_unseen_turns()

    def find_tile(self, number: int) -> int | None:
        """The tile that event put down, where it is about one that was seen."""
        return self._statements.list_tiles().get(number)

    def find_walls(self) -> WallLeft | None:
        """How many tiles the walls show, where that is sure."""
        return self._walls.find_shown(self._sight.t)

    @property
    def bare_s(self) -> float | None:
        """Since when no hand is in play and no tile of one lies there; None while that is not so."""
        best = self._judged[0][1]
        return None if self.state.playing or best.state.playing or best.roles else self._bare_s

    def follow(self, sight: Sight) -> list[Notice]:
        """What is to be said after this sight."""
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
        mixing, swept = self._look_for_sweep(sight.t)
        if mixing and not swept:
            return self._lose(sight.t, "")
        if swept:
            return self._finish(sight.t)
        scene = self._look(sight.t)
        self._judged = advance([each for _, each in self._judged], scene)
        self._reread_tiles(scene)
        notices = self._state(sight.t)
        tracks = self._tracks.by_number
        notices += self._doubtful.ask(notices, self._judged, self._statements, tracks, sight.t)
        notices += ask_about_hands(self._judged, notices)
        return notices + self._lose(sight.t, self._find_trouble(scene))

    def note(self, sight: Sight) -> None:
        """Take in which tiles lie there, and make nothing of them."""
        self._tracks.update(sight)

    def take_over(self, before: Decoder) -> None:
        """Go on at the table that `before` followed, all that lies there being no news: it is passed over
        until it is gone."""
        self._tracks, self._quarters = before._tracks, before._quarters
        self._lost = before._lost
        self._passed = set(self._tracks.by_number)

    def finish(self) -> list[Notice]:
        """What is to be said at the end of a recording, as if what was seen last stayed so. Backs that mean
        nothing by then mean nothing: they are seen where tiles stand, and nobody may see them laid down. A
        hand that is over by then is, as when the table is swept."""
        last = self._sight
        known = self._judged[0][1].roles
        backs = {number for number, track in self._tracks.by_number.items() if track.face.is_back}
        self._passed |= backs - known.keys()
        notices: list[Notice] = []
        for step in range(1, round(STAYS_S / SIGHT_EVERY_S) + 1):
            notices += self.follow(replace(last, t=last.t + step * SIGHT_EVERY_S, taken_s=()))
        if self.state.playing and not self._judged[0][1].state.playing:
            notices += self._end(last.t)
        return [replace(notice, t=last.t) for notice in notices]

    def hear(self, event: Event) -> None:
        """A person, or a device, has entered an event of the log, or corrected one.

        Hypotheses that say otherwise are given up. Raises EventError where it cannot have happened.
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
        best = drop_steps(self._judged[0][1], self._statements.said[-1][0].depth)
        self._begin(state, best if state.playing or was_over else None)

    def _begin(self, state: State, before: Hypothesis | None = None) -> None:
        """Follow on from this state, the tiles that lie there explained as they were."""
        self._bare_s = self._sight.t
        root = Step(None, None, state)
        start = Hypothesis(root) if before is None else replace(before, step=root, cost=0.0, tried=0)
        self._judged = [(0.0, start)]
        self._statements.begin(root)
        self._reread.clear()

    def _look(self, t: float) -> Scene:
        """The tiles that may mean something: those of the walls do not."""
        lying = sorted(  # what lay there before anybody looked is taken to have been laid as rows are
            self._tracks.list_lying(), key=lambda each: (each.since_s, *find_row_place(each.x_mm, each.y_mm))
        )
        near = self._sight.wall_mm
        wall = find_wall(lying) if near is None else near * USUAL_TILE_MM / self._sight.tile_mm
        if wall is not None:
            self._quarters = Quarters(wall)
        known = [each for each in lying if each.number not in self._passed]
        outside = [track for track in known if not self._quarters.is_of_wall(track)]
        gone = [track for track in self._tracks.list_gone() if not self._quarters.is_of_wall(track)]
        return Scene.look(
            t, self._tracks.by_number, outside, gone, self._quarters, self._reaches, tuple(self._taken),
            dealt=not self.state.playing and self._deals.has_dealt(self.state, t),
            unordered=self._statements.unordered, walls=self._walls,
        )  # fmt: skip

    def _extend(self, event: Event) -> Judged:
        """The best hypothesis as far as it was stated, and then the event, which no hypothesis held."""
        said = self._statements.said[-1][0]
        best = next((each for _, each in self._judged if said in each.step.back()), None)
        if best is None or isinstance(event, Corrected):
            return []
        step = said.then(event, (), self._tracks.t)
        self._statements.said.append((step, len(self._statements.log) + 1))
        known = drop_steps(best, said.depth)
        if isinstance(event, HandStarted):  # what still lies there is of the hand before
            self._passed |= known.roles.keys()
            return [(0.0, Hypothesis(step))]
        return [(0.0, replace(known, step=step, tried=0))]

    def _look_for_sweep(self, t: float) -> tuple[bool, bool]:
        """Whether the tiles are being swept together, and whether they have been."""
        tracks, best = self._tracks.by_number, self._judged[0][1]
        known = [number for number in best.roles if number in tracks]
        missing = sum(tracks[number].gone_s is not None for number in known)
        if len(known) < SWEPT_LEAST or missing < MIXING_SHARE * len(known):
            return False, False
        gone = sum(tracks[number].is_gone(t, SWEPT_S) for number in known)
        return True, gone >= SWEPT_SHARE * len(known)

    def _finish(self, t: float) -> list[Notice]:
        """The hand is over and the table empty: what was not stated is, and the next hand begins. Where all
        that lay there did so from the first sight on, it was of the hand before: nothing of it happened."""
        is_of_before = self._lay_before()
        self._first_s = -inf
        self._judged = (
            [(0.0, Hypothesis(self._statements.root))] if is_of_before else end_swept(self._judged, t)
        )
        best = self._judged[0][1]
        notices = self._end(t)
        self._tracks.forget()
        self._deals, self._doubtful.unanswered = DealWatch(), 0
        self._begin(best.state)
        return notices

    def _list_unordered(self) -> frozenset[int]:
        """The tiles that lay there when the table was seen first: nobody saw in which order they came."""
        until_s = self._first_s + FOUND_SOON_S
        return frozenset(
            number for number, track in self._tracks.by_number.items() if track.since_s <= until_s
        )

    def _lay_before(self) -> bool:
        """Whether every tile that is known lay there when the table was seen first."""
        tracks = self._tracks.by_number
        known = [tracks[number] for number in self._judged[0][1].roles if number in tracks]
        return all(track.since_s <= self._first_s + LAY_BEFORE_S for track in known)

    def _end(self, t: float) -> list[Notice]:
        """All that was not said of a hand that is over."""
        notices = self._state(t, last=True)
        return notices + ask_about_hands(self._judged, notices)

    def _state(self, t: float, *, last: bool = False) -> list[Notice]:
        """What is to be said now. Where nothing agrees with what somebody has said, the game is followed on
        from what was stated."""
        kept = keep_declared(self._judged, self._statements)
        stated = self._statements.update(kept, t, self._read, last=last) if kept else None
        if stated is None:
            self._begin(self.state, drop_steps(self._judged[0][1], self._statements.said[-1][0].depth))
            return []
        self._judged = kept
        return list(stated)

    def _reread_tiles(self, scene: Scene) -> None:
        """Name tiles anew that by now read otherwise than when they were first seen."""
        for at, (_, hypothesis) in enumerate(self._judged[:REREAD_HYPOTHESES]):
            for number, role in hypothesis.roles.items():
                track = None if number in self._statements.told else scene.tracks.get(number)
                if track is None or role.part not in NAMED or not track.face.is_read:
                    continue
                code = track.face.top
                if role.code == code or (role.code is not None and track.face.cost(role.code) < REREAD_FROM):
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
        """How surely a step names the right tile."""
        if self._statements.is_told(step):
            return 1.0
        return read_step(step, self._judged, self._tracks.by_number)

    def _find_trouble(self, scene: Scene) -> str:
        if self._sight.misfits < MISFITS:
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
        if len(old) >= LOST_TILES:
            return UNEXPLAINED
        said = self._lost == UNREADABLE
        unread = is_unreadable(self._tracks.list_lying(), self._quarters, scene.t, said=said)
        return UNREADABLE if unread else ""

    def _lose(self, t: float, why: str) -> list[Notice]:
        """Say that the game is lost, or found again, where that is news."""
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
