"""The game into which a table is followed: begun or continued, kept or not, no recording entered twice; and a
source followed into it from its first picture to its last.

Command line and window both begin here, so that they keep games alike. A kept game that is in the middle of a
hand is followed only if that hand is on the table (`OpenHandFollower`): the tiles of another hand would be
read as moves.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from companion.cameras.frames import Frame
from companion.cameras.sources import Broken, LiveSource, PictureSource
from companion.errors import InputError, quote
from companion.files import fold_name, name_reason
from companion.game import shelf
from companion.game.deciding import Progress
from companion.game.game import Game
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.live.doubts import count_open
from companion.live.event_words import ENDED_BY_NEW_HAND
from companion.live.follower import FOLLOWING, Follower, Follows, make_why, teach
from companion.live.holding import CameraHolder, shows_table
from companion.live.noticed import (
    EventNoticed,
    FollowingLost,
    FollowingResumed,
    LostState,
    MirrorNoticed,
    Noticed,
    StateShown,
)
from companion.live.running import RunningGame
from companion.seeing.sights import Sight
from companion.sentences import Sentence, msgid
from companion.table.events import Event, GameStarted, HandAbandoned
from companion.table.state import State
from companion.tiles import BACK, UNKNOWN

if TYPE_CHECKING:
    from companion.live.session.contributed import ContributedFilm
    from companion.live.session.recorder import SessionRecorder
    from companion.live.table_watch import TableWatch

SEEN_SHARE = 0.75
"""Share of the open tiles that must be seen. Of pairs of hands of built-in players one in twenty shares as
many while a single tile is open, four in a thousand with 16 tiles or more; a reading that is 90% right nearly
always has them."""
OTHERS_MAX, OTHERS_SHARE = 4, 0.5
"""This number of other tiles may be on the table, or this share of the open ones: people may have continued.
"""
JUDGE_S = 10.0
"""Seconds that reading the tiles, or the departure of an arm, may take."""
LYING_MAX = 20
"""Sights that show together which tiles are on the table: a single one misses a tile now and then."""
OTHER_TABLE = msgid(
    "{name} is in the middle of a hand with {open} open tiles, and this table shows {seen} of them "
    "and {others} others: nothing was entered."
)


class OpenHandFollower:
    """Follows as `follower` does, once the hand of `state` in the kept game `name` is found on the table, and
    `agreed` is called then; or once `is_playing` returns that the hand is no longer in play. Until then the
    game is lost, with the template OTHER_TABLE."""

    def __init__(
        self,
        follower: Follows,
        state: State,
        name: str,
        is_playing: Callable[[], bool],
        agreed: Callable[[], None],
    ) -> None:
        self._follower = follower
        self._open = count_open(state)
        self._name = name
        self._is_playing = is_playing
        self._agreed = agreed
        self._held: list[tuple[Sight, int]] = []
        self._lying: deque[Sight] = deque(maxlen=LYING_MAX)
        self._other: Sentence | None = None
        self._goes_on = self._is_lost = False
        self._standing = LostState()

    def follow(self, sight: Sight, t_ns: int, broken: Sentence | None = None) -> list[Noticed]:
        """As of the follower; while it is not known which hand it is, only why nothing can be seen."""
        return self._standing.settle(self._follow(sight, t_ns, broken))

    def finish(self, t: float, t_ns: int) -> list[Noticed]:
        """As of the follower."""
        if self._goes_on or not self._held:
            return self._standing.settle(self._follower.finish(t, t_ns))
        self._lose()
        return self._standing.settle(self._say_standing(t))

    def begin_here(self, lying: Sequence[Sight] = ()) -> None:
        """As of the follower: the tiles on the table are that hand."""
        self._follower.begin_here(lying or tuple(self._lying))
        self._go_on()

    def trust_tiles(self) -> None:
        """As of the follower."""
        self._follower.trust_tiles()

    def pop_named_tiles(self) -> dict[int, str]:
        """As of the follower."""
        return self._follower.pop_named_tiles()

    def _follow(self, sight: Sight, t_ns: int, broken: Sentence | None) -> list[Noticed]:
        if self._goes_on:
            found = [] if sight.trouble else self._say_standing(sight.t)
            return found + self._follower.follow(sight, t_ns, broken)
        if sight.trouble:
            self._is_lost = True
            return [FollowingLost(sight.t, broken or make_why(sight.trouble))]
        self._lying.append(sight)
        self._held.append((sight, t_ns))
        if not self._is_playing():
            return self._release()
        if self._fits(sight):
            self._agreed()
            return self._release()
        if sight.t - self._held[0][0].t >= JUDGE_S:
            self._lose()
        return self._say_standing(sight.t)

    def _release(self) -> list[Noticed]:
        held = self._held.copy()
        self._go_on()
        found = self._say_standing(held[-1][0].t)
        return found + [each for sight, t_ns in held for each in self._follower.follow(sight, t_ns)]

    def _go_on(self) -> None:
        self._goes_on, self._other = True, None
        self._held.clear()
        self._lying.clear()

    def _lose(self) -> None:
        """Report the tiles once and keep watching: the players may restore the hand."""
        held, self._held = self._held, []
        if self._other is not None:
            return
        self._is_lost = True
        seen, others = max((self._compare(sight) for sight, _ in held), key=lambda each: each[0])
        count = sum(self._open.values())
        params = {"name": quote(self._name), "open": count, "seen": seen, "others": others}
        self._other = Sentence(OTHER_TABLE, params)

    def _say_standing(self, t: float) -> list[Noticed]:
        """How the game stands where something is seen: lost to another hand, or lost no more."""
        if self._other is not None:
            return [FollowingLost(t, self._other)]
        was_lost, self._is_lost = self._is_lost, False
        return [FollowingResumed(t)] if was_lost else []

    def _fits(self, sight: Sight) -> bool:
        wanted = sum(self._open.values())
        seen, others = self._compare(sight)
        return seen >= SEEN_SHARE * wanted and (
            not wanted or others <= max(OTHERS_MAX, OTHERS_SHARE * wanted)
        )

    def _compare(self, sight: Sight) -> tuple[int, int]:
        """How many of the open tiles are seen, and how many others; a face that is not read may be any."""
        lying = Counter(tile.readings[0][0] for tile in sight.tiles if tile.readings and not tile.standing)
        unread = lying.pop(UNKNOWN, 0)
        lying.pop(BACK, None)
        seen = sum((lying & self._open).values())
        others = sum(lying.values()) - seen
        return min(sum(self._open.values()), seen + unread), others


WAIT_S = 30.0
"""The game's own thread answers within milliseconds, unless the disk hangs."""
PIECE_BYTES = 2**20
KEY_LENGTH = 32
ENTERED_BEFORE = msgid("This recording is in the game {name} already: nothing was entered.")


@dataclass(frozen=True, slots=True)
class GamePlan:
    """The game to be played. start: None if the kept game `name` continues; name: None where it is not
    kept; new_hand: whether a hand that it is in the middle of is ended first."""

    start: GameStarted | None
    name: str | None
    new_hand: bool = False


def open_game(running: RunningGame, plan: GamePlan, key: str, *, goes_on: bool = False) -> Progress:
    """Open that game and return its state. goes_on: a part of the recording of that key was entered, and the
    rest follows. Raises InputError if the recording was entered in it before, EventError, GameFileError."""
    if plan.start is None:
        assert plan.name is not None
        if not goes_on:
            _check_is_new(plan.name, key)
        running.resume(shelf.find(plan.name), FOLLOWING).result(WAIT_S)
    elif plan.name is not None:
        running.begin(shelf.path_of(plan.name), plan.start, FOLLOWING).result(WAIT_S)
    else:
        running.play(plan.start, FOLLOWING).result(WAIT_S)
    if plan.new_hand:
        abandon_hand(running)
    return find_progress(running)


def choose_name(at: datetime) -> str:
    """A name that no kept game has, by the time at which the game begins. Raises GameFileError."""
    name = at.strftime("%Y-%m-%d-%H%M")
    taken = set(map(fold_name, shelf.names()))
    names = chain([name], (f"{name}-{n}" for n in count(2)))
    return next(each for each in names if fold_name(each) not in taken)


def find_progress(running: RunningGame) -> Progress:
    """The game as it is now."""
    return running.transact(lambda transaction: transaction.get_progress()).result(WAIT_S)


def enter(running: RunningGame, event: Event, p: float = 1.0) -> None:
    """Enter an event that is known to have happened. Raises EventError if it cannot have."""
    source = Reporter(SourceKind.SCRIPT)
    decision = running.propose(Proposal(event, running.now_ns, source, p)).result(WAIT_S)
    if decision.error is not None:
        raise decision.error


def abandon_hand(running: RunningGame) -> None:
    """End the hand in play, if there is one, as one that does not count."""
    if find_progress(running).state.playing:
        enter(running, HandAbandoned(why=ENDED_BY_NEW_HAND))


def make_follower(
    running: RunningGame,
    camera: str,
    key: str,
    progress: Progress,
    name: str | None,
    agreed: Callable[[], None] = lambda: None,
) -> Follows:
    """What follows a camera of that name into the game, which stands at `progress`. Where it is kept and in
    the middle of a hand, only if that hand is on the table: then `agreed` is called."""
    follower = Follower(running, Reporter(SourceKind.CAMERA, camera), key=key)
    if name is None or not progress.state.playing:
        return follower
    return OpenHandFollower(
        follower, progress.state, name, lambda: find_progress(running).state.playing, agreed
    )


def make_key(session: str | None = None) -> str:
    """What begins the keys of the events of a recorded session, or of one that begins."""
    return f"track-{session or uuid4().hex}"


def make_next_key(key: str) -> str:
    """What begins the keys of the events of a further part of the recording of that key."""
    return f"{key}:{uuid4().hex}"


def find_recording_key(path: Path) -> str:
    """What begins the keys of the events of a recording, a file or a folder: the same whenever it is followed
    and wherever it is stored. InputError if it cannot be read."""
    total = sha256()
    try:
        files = sorted(each for each in path.iterdir() if each.is_file()) if path.is_dir() else [path]
        for file in files:
            with open(file, "rb") as content:
                while piece := content.read(PIECE_BYTES):
                    total.update(piece)
    except OSError as error:
        raise InputError(
            "The file '{file}' cannot be used ({why}).",
            file=error.filename, why=name_reason(error),
        ) from error  # fmt: skip
    return make_key(total.hexdigest()[:KEY_LENGTH])


def _check_is_new(name: str, key: str) -> None:
    with Game.resume(shelf.find(name)) as kept:
        if any(entry.key and entry.key.startswith(f"{key}:") for entry in kept.file.entries):
            raise InputError(ENTERED_BEFORE, name=quote(name))


STATE_EVERY_S = 1.0


class StateLines:
    """Adds the state of the game: after every event, and once a second."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._shown_s: float | None = None

    def add(self, t: float, noticed: list[Noticed]) -> Iterator[Noticed]:
        """What was noticed at `t`, with the state where it is due."""
        for each in noticed:
            yield each
            if isinstance(each, EventNoticed):
                self._state = each.state
                self._shown_s = t
                yield StateShown(each.t, each.state)
        if self._shown_s is None or t - self._shown_s >= STATE_EVERY_S:
            self._shown_s = t
            yield StateShown(t, self._state)


def _hold(
    holder: CameraHolder, look: Frame | Broken, t: float, watch: TableWatch, sight: Sight | None
) -> None:
    if isinstance(look, Frame):
        holder.look(look.image, t, shows_table(watch.camera, sight))
    else:
        holder.forget()


def follow_source(
    source: PictureSource,
    watch: TableWatch,
    follower: Follows,
    state: State,
    recorder: SessionRecorder | None = None,
    film: ContributedFilm | None = None,
) -> Iterator[Noticed]:
    """What is noticed, to the end of a recording, or until it shows no table; without end where the source is
    live. state: of the game before."""
    lines, t_ns, is_flipped = StateLines(state), 0, False
    watch.look_for_mirror(source.read_samples())
    holder = CameraHolder(source) if isinstance(source, LiveSource) else None
    for early in watch.look_ahead(source.read_ahead(), source.read_samples()):
        yield from lines.add(early.t, follower.follow(early, 0))
    for look in () if watch.shows_nothing else source.read_frames():
        t_ns, t = look.t_ns, look.t_ns / 1e9
        broken = None if isinstance(look, Frame) else look.why
        sight = watch.look(look.image, t) if isinstance(look, Frame) else Sight(t, trouble=str(broken))
        if film is not None and isinstance(look, Frame):
            film.take(t, look.image)
        if watch.is_mirrored != is_flipped:
            is_flipped = watch.is_mirrored
            yield from lines.add(t, [MirrorNoticed(t)])
        if holder is not None:
            _hold(holder, look, t, watch, sight)
        if recorder is not None:
            recorder.record_camera(t, watch.camera)
            if isinstance(look, Frame):
                recorder.record_frame(t, look.image)
            sight = sight and recorder.record_sight(sight)
        yield from lines.add(t, follower.follow(sight, t_ns, broken) if sight else [])
        teach(watch, follower)
    yield from lines.add(t_ns / 1e9, follower.finish(t_ns / 1e9, t_ns))
