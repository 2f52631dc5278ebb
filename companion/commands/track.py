"""`companion track`: a game followed by what a camera sees, live or recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.commands.devices import until_stopped
from companion.commands.keeping import Options, Profile, make_start
from companion.commands.output import print_json
from companion.commands.pictures import TileSetName
from companion.errors import InputError, quote

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.images import Image
    from companion.running.game import RunningGame
    from companion.running.table_watch import TableWatch
    from companion.table.events import GameStarted
    from companion.table.state import State
    from companion.tracking.table_camera import TableCamera

WAIT_S = 30.0
"""The game's own thread answers within milliseconds, unless the disk hangs."""
WRONG_CORNERS = (
    "--corners must be four places in px as 'x,y x,y x,y x,y', from the lower left one counterclockwise, not"
    " {given}."
)
OTHER_RULES = (
    "The game {name} is played by the rules of {kept}, not {given}: leave --rules out, or give another name."
)
OTHER_OPTIONS = "The house options of the game {name} are kept with it: leave --option and --profile out."
OTHER_DEALER = "In the game {name} seat {kept} deals: leave --dealer out."
ENTERED_BEFORE = "This recording is in the game {name} already: nothing was entered."

Seat = Annotated[
    int,
    typer.Option("--bottom", metavar="SEAT", min=0, max=3, help="Who sits at the lower edge of the picture."),
]


def track(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A video, a folder of pictures, a recorded session, a camera as /dev/video0, or a URL.",
        ),
    ],
    rules: Annotated[
        str | None, typer.Option(metavar="NAME", help="Rule set: companion rules lists them.")
    ] = None,
    profile: Profile = None,
    option: Options = None,
    tile_set: TileSetName = None,
    dealer: Annotated[
        int | None, typer.Option(metavar="SEAT", min=0, max=3, help="Who deals first; usually seat 0.")
    ] = None,
    bottom: Seat = 0,
    corners: Annotated[
        str | None,
        typer.Option(
            metavar="PLACES",
            help='The corners of the table in px, "x,y x,y x,y x,y", from the lower left one on'
            " counterclockwise; without them they are looked for.",
        ),
    ] = None,
    game: Annotated[
        str | None, typer.Option(metavar="NAME", help="Keep the events in that game, new or begun before.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a line, as things are noticed.")
    ] = False,
) -> None:
    """Follow a game by what lies on the table: events, and how it stands."""
    places = None if corners is None else read_corners(corners)
    start = _make_start(rules, profile, option, dealer, game)

    from companion.cameras.sources import open_source
    from companion.commands.track_words import Words
    from companion.running.follower import Follower
    from companion.running.noticed import noticed_json
    from companion.running.proposals import Source, SourceKind
    from companion.running.tracking_run import follow_source

    with (
        open_source(source) as pictures,
        _open_game(start, game, dealer) as (running, state),
        until_stopped(),
    ):
        watch = _make_watch(state, places, bottom, tile_set)
        follower = Follower(running, Source(SourceKind.CAMERA, pictures.name))
        words = Words()
        for noticed in follow_source(pictures, watch, follower, state):
            if as_json:
                print_json(noticed_json(noticed))
            else:
                words.show(noticed)


def read_corners(text: str) -> NDArray[np.float64]:
    """The corners (4, 2) px. Raises InputError."""
    import numpy as np

    try:
        places = np.array([[float(part) for part in place.split(",")] for place in text.split()])
    except ValueError:
        places = np.empty(0)
    if places.shape != (4, 2) or not np.isfinite(places).all():
        raise InputError(WRONG_CORNERS, given=quote(text))
    return places


def _make_start(
    rules: str | None, profile: str | None, option: list[str] | None, dealer: int | None, game: str | None
) -> GameStarted | None:
    """The event that begins the game; None where one goes on that is kept."""
    from msgspec.structs import replace

    from companion.commands import described
    from companion.history import shelf

    if game is None or not shelf.path_of(game).exists():
        return replace(make_start(rules, profile, option, None), dealer=dealer or 0)
    if option or profile:
        raise InputError(OTHER_OPTIONS, name=quote(game))
    if rules is not None:
        from companion.history import Game

        with Game.resume(shelf.find(game)) as kept:
            kept_rules = kept.state.house.rules.name
        if described.find_rules_name(rules) != kept_rules:
            raise InputError(OTHER_RULES, name=quote(game), kept=kept_rules, given=quote(rules))
    return None


@contextmanager
def _open_game(
    start: GameStarted | None, name: str | None, dealer: int | None
) -> Iterator[tuple[RunningGame, State]]:
    """The running game, and how it stands."""
    from companion.history import shelf
    from companion.running.follower import FOLLOWING
    from companion.running.game import RunningGame

    running = RunningGame(policy=FOLLOWING, clock=lambda: 0)
    try:
        if name is None:
            assert start is not None
            running.play(start).result(WAIT_S)
        elif start is not None:
            running.begin(shelf.path_of(name), start).result(WAIT_S)
        else:
            running.resume(shelf.find(name)).result(WAIT_S)
        state = running.together(lambda desk: desk.get_progress().state).result(WAIT_S)
        if dealer is not None and state.deal.dealer != dealer:
            raise InputError(OTHER_DEALER, name=quote(name), kept=state.deal.dealer)
        yield running, state
    finally:
        running.close()


def _make_watch(
    state: State, corners: NDArray[np.float64] | None, bottom: int, set_name: str | None
) -> TableWatch:
    """What watches the table in the pictures, with the networks loaded."""
    from importlib import import_module

    from companion.commands.tile_sets import load_named_set
    from companion.config import models_dir
    from companion.running.table_watch import TableWatch
    from companion.vision import Recogniser

    find_table: Any = import_module("companion.tracking.finding_table").find_table
    Observer = import_module("companion.tracking.observing").Observer

    rules = state.house.rules.name
    recogniser = Recogniser(models_dir())
    learned = load_named_set(set_name, recogniser)

    def find(image: Image) -> TableCamera | None:
        found = find_table(image, recogniser, bottom=bottom)
        camera: TableCamera | None = found and found.camera
        return camera

    return TableWatch(
        find,
        lambda camera: Observer(recogniser, camera, rules=rules, tile_set=learned),
        corners=corners,
        bottom=bottom,
    )
