"""What `companion track` needs before it follows: the game, what watches the table, the recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands import described
from companion.commands.keeping import make_start
from companion.commands.output import console
from companion.errors import InputError, quote

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.cameras.sources import PictureSource
    from companion.game.deciding import Progress
    from companion.live.followed_game import GamePlan
    from companion.live.follower import Follows
    from companion.live.noticed import Noticed
    from companion.live.running import RunningGame
    from companion.live.session.recorder import SessionRecorder
    from companion.live.table_watch import TableWatch
    from companion.table.state import State

    Corners = NDArray[np.float64]

PX_MAX = 1e5
WRONG_CORNERS = (
    "--corners must be four places in px as 'x,y x,y x,y x,y', from the lower left one counterclockwise, not"
    " {given}."
)
OTHER_RULES = (
    "The game {name} is played by the rules of {kept}, not {given}: leave --rules out, or give another name."
)
OTHER_OPTIONS = (
    "The house options and stakes of the game {name} are kept with it: leave --option, --profile and --stakes"
    " out."
)
OTHER_DEALER = "In the game {name} seat {kept} deals: leave --dealer out."
IN_A_HAND = "{name} is in the middle of a hand ({stands}): this recording goes on with it."
END_THAT_HAND = (
    "{problem} Give --new-hand to end that hand as one that does not count, or another name with --game."
)


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
    stakes: str | None,
    dealer: int | None,
    name: str | None,
    new_hand: bool = False,
) -> GamePlan:
    """Which game is played by these flags. Raises InputError, GameFileError."""
    from msgspec.structs import replace

    from companion.game import shelf
    from companion.game.game import Game
    from companion.live.followed_game import GamePlan

    if name is None or not shelf.path_of(name).exists():
        return GamePlan(replace(make_start(rules, profile, option, stakes=stakes), dealer=dealer or 0), name)
    if option or profile or stakes is not None:
        raise InputError(OTHER_OPTIONS, name=quote(name))
    if rules is not None or dealer is not None:
        with Game.resume(shelf.find(name)) as kept:
            played, deals = kept.state.house.rules.name, kept.state.deal.dealer
        if rules is not None and described.find_rules_name(rules) != played:
            raise InputError(OTHER_RULES, name=quote(name), kept=played, given=quote(rules))
        if dealer not in (None, deals):
            raise InputError(OTHER_DEALER, name=quote(name), kept=deals)
    return GamePlan(None, name, new_hand)


@contextmanager
def open_game(plan: GamePlan, key: str) -> Iterator[tuple[RunningGame, Progress]]:
    """The running game, and where it stands. Raises InputError where the recording of that key was entered in
    it before."""
    from companion.live import followed_game
    from companion.live.running import RunningGame

    running = RunningGame(clock=lambda: 0)
    try:
        yield running, followed_game.open_game(running, plan, key)
    finally:
        running.close()


def find_key(pictures: PictureSource, source: str) -> str:
    """What begins the keys of the events of a source: the same whenever a recording is followed."""
    from companion.live.followed_game import find_recording_key, make_key

    return make_key() if pictures.is_live else find_recording_key(Path(source).expanduser())


def make_follower(
    running: RunningGame, camera: str, key: str, progress: Progress, name: str | None, as_json: bool
) -> Follows:
    """What follows that camera into the game; it is said where a hand goes on that lies on the table."""
    from companion.commands.track_end import describe_open_hand
    from companion.live.followed_game import make_follower

    def agree() -> None:
        if not as_json and name is not None:
            stands = describe_open_hand(progress.state)
            console().print(IN_A_HAND.format(name=quote(name), stands=stands))

    return make_follower(running, camera, key, progress, name, agree)


def refuse_other_hand(noticed: Noticed) -> None:
    """Raise InputError, and say what to do, where another hand lies on the table than the kept game is in."""
    from companion.live.followed_game import OTHER_TABLE
    from companion.live.noticed import ThreadLost

    if isinstance(noticed, ThreadLost) and noticed.why.template == OTHER_TABLE:
        raise InputError(END_THAT_HAND, problem=noticed.why)


def make_watch(
    state: State,
    corners: Corners | None,
    bottom: int,
    set_name: str | None,
    camera: str | None = None,
    bend: float = 0.0,
) -> TableWatch:
    """What watches the table in the pictures, with the networks loaded. camera: a live one as it was given,
    whose place is kept; bend: of the lens of any other, as far as it is known. Raises InputError,
    ModelError."""
    from companion.commands.tile_sets import load_named_set
    from companion.config import models_dir
    from companion.live.watch_setup import watch_table
    from companion.seeing.lens import Lens
    from companion.vision import Recogniser

    recogniser = Recogniser(models_dir())
    return watch_table(
        recogniser, state.house.rules.name, tile_set=load_named_set(set_name, recogniser), corners=corners,
        bottom=bottom, dealer=None if state.playing else state.deal.dealer, camera=camera,
        lens=Lens(bend),
    )  # fmt: skip


@contextmanager
def record_to(
    folder: Path | None,
    key: str,
    before: Progress,
    source: str,
    bottom: int,
    corners: Corners | None,
    tile_set: str | None,
    watch: TableWatch | None = None,
) -> Iterator[SessionRecorder | None]:
    """What records the session in that folder, with pictures where `watch` says what to paint over in them;
    None where it is not to be recorded. before: the game before it. Raises InputError."""
    if folder is None:
        yield None
        return
    from companion.live.session.lines import Header
    from companion.live.session.recorder import SessionRecorder

    places = None if corners is None else tuple((float(x), float(y)) for x, y in corners)
    log_p = before.ps[: len(before.events)]
    header = Header(
        id=key.removeprefix("track-"), log=before.events, log_p=log_p, source=source, bottom=bottom,
        corners=places, tile_set=tile_set,
    )  # fmt: skip
    recorder = SessionRecorder(folder, header, None if watch is None else watch.paint)
    try:
        yield recorder
    finally:
        recorder.close()
