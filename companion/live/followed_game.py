"""The game into which a table is followed: begun or gone on with, kept or not, no recording entered twice.

Command line and window both begin here, so that they keep games alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from uuid import uuid4

from companion.errors import InputError, quote
from companion.files import fold_name, name_reason
from companion.game import Game, shelf
from companion.live.deciding import Progress
from companion.live.follower import FOLLOWING, Follower, Follows
from companion.live.game import RunningGame
from companion.live.open_hand import OpenHandFollower
from companion.live.proposals import Proposal, Source, SourceKind
from companion.live.reasons import ENDED_BY_NEW_HAND
from companion.sentences import msgid
from companion.table.events import Event, GameStarted, HandAbandoned

WAIT_S = 30.0
"""The game's own thread answers within milliseconds, unless the disk hangs."""
PIECE_BYTES = 2**20
KEY_LENGTH = 32
ENTERED_BEFORE = msgid("This recording is in the game {name} already: nothing was entered.")


@dataclass(frozen=True, slots=True)
class GamePlan:
    """The game to be played. start: None where the kept game `name` goes on; name: None where it is not kept;
    new_hand: whether a hand that it is in the middle of is ended first."""

    start: GameStarted | None
    name: str | None
    new_hand: bool = False


def open_game(running: RunningGame, plan: GamePlan, key: str, *, goes_on: bool = False) -> Progress:
    """Play that game, and give where it stands. goes_on: a part of the recording of that key was entered, and
    the rest is to follow. Raises InputError where it was entered in it before, EventError, GameFileError."""
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
    return running.together(lambda desk: desk.get_progress()).result(WAIT_S)


def enter(running: RunningGame, event: Event, p: float = 1.0) -> None:
    """Enter an event that is known to have happened. Raises EventError where it cannot have."""
    source = Source(SourceKind.SCRIPT)
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
    the middle of a hand only if that lies on the table: then `agreed` is called."""
    follower = Follower(running, Source(SourceKind.CAMERA, camera), key=key)
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
    and wherever it lies. InputError where it cannot be read."""
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
