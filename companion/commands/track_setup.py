"""What `companion track` needs before it follows: the game, what watches the table, the recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from companion.commands import described
from companion.commands.keeping import make_start
from companion.commands.output import console
from companion.errors import InputError, quote

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.cameras.sources import PictureSource
    from companion.history import Game
    from companion.running.deciding import Progress
    from companion.running.follower import Follower, Follows
    from companion.running.game import RunningGame
    from companion.running.session.recorder import SessionRecorder
    from companion.running.table_watch import TableWatch
    from companion.table.events import Event, GameStarted
    from companion.table.state import State

    Corners = NDArray[np.float64]

WAIT_S = 30.0
"""The game's own thread answers within milliseconds, unless the disk hangs."""
PIECE_BYTES = 2**20
KEY_LENGTH = 32
PX_MAX = 1e5
WRONG_CORNERS = (
    "--corners must be four places in px as 'x,y x,y x,y x,y', from the lower left one counterclockwise, not"
    " {given}."
)
OTHER_RULES = (
    "The game {name} is played by the rules of {kept}, not {given}: leave --rules out, or give another name."
)
OTHER_OPTIONS = "The house options of the game {name} are kept with it: leave --option and --profile out."
OTHER_DEALER = "In the game {name} seat {kept} deals: leave --dealer out."
ENDED_BY_NEW_HAND = "a new hand was begun"
IN_A_HAND = "{name} is in the middle of a hand ({stands}): this recording goes on with it."
OTHER_HAND = (
    "{name} is in the middle of a hand in which {open} tiles lie open, and on the table here lie {seen} of"
    " them and {others} others: nothing was entered. Give --new-hand to end that hand as one that does not"
    " count, or another name with --game."
)
ENTERED_BEFORE = "This recording is in the game {name} already: nothing was entered."


@dataclass(frozen=True, slots=True)
class GamePlan:
    """The game to be played. start: None where the kept game `name` goes on; new_hand: whether a hand that it
    is in the middle of is ended first."""

    start: GameStarted | None
    name: str | None
    dealer: int | None = None
    new_hand: bool = False


def read_corners(text: str) -> Corners:
    """The corners (4, 2) px. Raises InputError."""
    try:
        places = to_array([[float(part) for part in place.split(",")] for place in text.split()])
    except ValueError:
        raise InputError(WRONG_CORNERS, given=quote(text)) from None
    if places.shape != (4, 2) or not bool((abs(places) < PX_MAX).all()):
        raise InputError(WRONG_CORNERS, given=quote(text))
    return places


def to_array(places: Sequence[Sequence[float]]) -> Corners:
    """Places (n, 2) px as an array."""
    import numpy as np

    return np.array(places, np.float64)


def plan_game(
    rules: str | None,
    profile: str | None,
    option: list[str] | None,
    dealer: int | None,
    name: str | None,
    new_hand: bool = False,
) -> GamePlan:
    """Which game is played by these flags. Raises InputError, GameFileError."""
    from msgspec.structs import replace

    from companion.history import shelf

    if name is None or not shelf.path_of(name).exists():
        return GamePlan(replace(make_start(rules, profile, option, None), dealer=dealer or 0), name)
    if option or profile:
        raise InputError(OTHER_OPTIONS, name=quote(name))
    if rules is not None:
        with _open_kept(name) as kept:
            played = kept.state.house.rules.name
        if described.find_rules_name(rules) != played:
            raise InputError(OTHER_RULES, name=quote(name), kept=played, given=quote(rules))
    return GamePlan(None, name, dealer, new_hand)


@contextmanager
def open_game(plan: GamePlan, key: str) -> Iterator[tuple[RunningGame, tuple[Event, ...], State]]:
    """The running game, its events so far, and how it stands. Raises InputError where the recording of that
    key was entered in it before."""
    from companion.history import shelf
    from companion.running.follower import FOLLOWING
    from companion.running.game import RunningGame

    if plan.name is not None and plan.start is None:
        with _open_kept(plan.name) as kept:
            if any(entry.key and entry.key.startswith(f"{key}:") for entry in kept.file.entries):
                raise InputError(ENTERED_BEFORE, name=quote(plan.name))
            deals = kept.state.deal.dealer
        if plan.dealer is not None and deals != plan.dealer:
            raise InputError(OTHER_DEALER, name=quote(plan.name), kept=deals)
    running = RunningGame(policy=FOLLOWING, clock=lambda: 0)
    try:
        if plan.start is None:
            assert plan.name is not None
            running.resume(shelf.find(plan.name)).result(WAIT_S)
        elif plan.name is not None:
            running.begin(shelf.path_of(plan.name), plan.start).result(WAIT_S)
        else:
            running.play(plan.start).result(WAIT_S)
        if plan.new_hand and find_progress(running).state.playing:
            from companion.table.events import HandAbandoned

            enter(running, HandAbandoned(why=ENDED_BY_NEW_HAND))
        progress = find_progress(running)
        yield running, progress.events, progress.state
    finally:
        running.close()


def find_progress(running: RunningGame) -> Progress:
    """The game as it is now."""
    return running.together(lambda desk: desk.get_progress()).result(WAIT_S)


def enter(running: RunningGame, event: Event) -> None:
    """Enter an event that is known to have happened. Raises EventError where it cannot have."""
    from companion.running.proposals import Proposal, Source, SourceKind

    decision = running.propose(Proposal(event, 0, Source(SourceKind.SCRIPT))).result(WAIT_S)
    if decision.error is not None:
        raise decision.error


def find_key(pictures: PictureSource, source: str) -> str:
    """What begins the keys of the events of a source: the same whenever a recording is followed."""
    return make_key() if pictures.is_live else _hash_files(Path(source).expanduser())


def make_key(session: str | None = None) -> str:
    """What begins the keys of the events of a recorded session, or of one that begins."""
    return f"track-{session or uuid4().hex}"


def make_follower(running: RunningGame, name: str, key: str) -> Follower:
    """What follows a camera of that name."""
    from companion.running.follower import Follower
    from companion.running.proposals import Source, SourceKind

    return Follower(running, Source(SourceKind.CAMERA, name), key=key)


def continue_hand(follower: Follows, state: State, game: str | None, as_json: bool) -> Follows:
    """As `follower`, but where the kept game is in the middle of a hand only if that lies on the table; then
    it is said that it goes on."""
    if game is None or not state.playing:
        return follower
    from companion.commands.track_end import describe_open_hand
    from companion.running.open_hand import OpenHandFollower

    def agree() -> None:
        if not as_json:
            console().print(IN_A_HAND.format(name=quote(game), stands=describe_open_hand(state)))

    return OpenHandFollower(follower, state, agree)


@contextmanager
def explain_other_hand(game: str | None) -> Iterator[None]:
    """Says what to do where another hand lies on the table than the kept game is in."""
    from companion.running.open_hand import OtherTableError

    try:
        yield
    except OtherTableError as error:
        raise InputError(OTHER_HAND, name=quote(game), **error.sentence.params) from error


def make_watch(
    state: State, corners: Corners | None, bottom: int, set_name: str | None, camera: str | None = None
) -> TableWatch:
    """What watches the table in the pictures, with the networks loaded. camera: the name of a live one, whose
    place is kept. Raises InputError, ModelError."""
    from companion.commands.tile_sets import load_named_set
    from companion.config import models_dir
    from companion.running.table_watch import watch_table
    from companion.vision import Recogniser

    recogniser = Recogniser(models_dir())
    return watch_table(
        recogniser, state.house.rules.name, tile_set=load_named_set(set_name, recogniser), corners=corners,
        bottom=bottom, dealer=None if state.playing else state.deal.dealer, camera=camera,
    )  # fmt: skip


@contextmanager
def record_to(
    folder: Path | None,
    key: str,
    log: tuple[Event, ...],
    source: str,
    bottom: int,
    corners: Corners | None,
    tile_set: str | None,
    watch: TableWatch | None = None,
) -> Iterator[SessionRecorder | None]:
    """What records the session in that folder, with pictures where `watch` says what to paint over in them;
    None where it is not to be recorded. Raises InputError."""
    if folder is None:
        yield None
        return
    from companion.running.session.folder import Header
    from companion.running.session.recorder import SessionRecorder

    places = None if corners is None else tuple((float(x), float(y)) for x, y in corners)
    header = Header(
        id=key.removeprefix("track-"), log=log, source=source, bottom=bottom, corners=places,
        tile_set=tile_set,
    )  # fmt: skip
    recorder = SessionRecorder(folder, header, None if watch is None else watch.paint)
    try:
        yield recorder
    finally:
        recorder.close()


def _open_kept(name: str) -> Game:
    from companion.history import Game, shelf

    return Game.resume(shelf.find(name))


def _hash_files(path: Path) -> str:
    """The same for the same recording, wherever it lies. InputError where it cannot be read."""
    files = sorted(each for each in path.iterdir() if each.is_file()) if path.is_dir() else [path]
    total = sha256()
    try:
        for file in files:
            with open(file, "rb") as content:
                while piece := content.read(PIECE_BYTES):
                    total.update(piece)
    except OSError as error:
        raise InputError(
            "The file '{file}' cannot be used ({why}).",
            file=error.filename, why=error.strerror or type(error).__name__,
        ) from error  # fmt: skip
    return make_key(total.hexdigest()[:KEY_LENGTH])
