"""`companion track`: a game followed by what a camera sees, live or recorded."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.commands import track_sessions
from companion.commands import track_setup as setup
from companion.commands.keeping import Options, Profile, Rules, Stakes
from companion.commands.output import console, print_json, tell
from companion.commands.pictures import TileSetName
from companion.commands.progress import ProgressLine, format_time
from companion.errors import InputError
from companion.foreign import guard
from companion.stopping import check, until_stopped

if TYPE_CHECKING:
    from companion.commands.track_end import Ending
    from companion.live.followed_game import GamePlan
    from companion.live.noticed import Noticed
    from companion.live.running import RunningGame
    from companion.live.session.recorder import SessionRecorder
    from companion.live.table_watch import TableWatch

NO_SOURCE = (
    "What is to be followed is missing: give a video, a folder, a recorded session, a camera or a URL."
)
ONE_SOURCE = "Give one SOURCE to be followed, not {given}; two recorded sessions go with --compare."
NEEDS_GAME = "--new-hand is for a kept game: name it with --game."
OF_SESSIONS = "{option} is for recorded sessions, and '{source}' is not one."

Sources = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SOURCE",
        help="A video, a folder of pictures, a recorded session, packed too, a camera as /dev/video0, a URL.",
    ),
]
Dealer = Annotated[
    int | None, typer.Option(metavar="SEAT", min=0, max=3, help="Who deals first; seat 0 if left out.")
]
Bottom = Annotated[
    int | None,
    typer.Option(metavar="SEAT", min=0, max=3, help="Who sits at the lower edge of the picture; usually 0."),
]
Corners = Annotated[
    str | None,
    typer.Option(
        metavar="PLACES",
        help='The corners of the table in px, "x,y x,y x,y x,y", from the lower left one on counterclockwise;'
        " without them they are looked for.",
    ),
]
KeptGame = Annotated[
    str | None, typer.Option("--game", metavar="NAME", help="Keep the events in that game, new or old.")
]
NewHand = Annotated[
    bool,
    typer.Option(
        "--new-hand",
        help="End a hand that the kept game is in the middle of: it does not count, and is dealt anew.",
    ),
]
Record = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Record what is seen and noticed in a new folder.")
]
Again = Annotated[
    bool, typer.Option("--again", help="Of a recorded session: read its pictures anew, not its sights.")
]
Compare = Annotated[
    bool,
    typer.Option(
        "--compare",
        help="Show where two recorded sessions differ, event by event; or one, and a replay of it.",
    ),
]
Pack = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.zip", help="Pack a recorded session into a new file, for a report of a fault."
    ),
]
Lines = Annotated[bool, typer.Option("--json", help="Print one JSON object a line, as things are noticed.")]


def track(
    source: Sources = None,
    rules: Rules = None,
    profile: Profile = None,
    option: Options = None,
    stakes: Stakes = None,
    tile_set: TileSetName = None,
    dealer: Dealer = None,
    bottom: Bottom = None,
    corners: Corners = None,
    game: KeptGame = None,
    new_hand: NewHand = False,
    record: Record = None,
    again: Again = False,
    compare: Compare = False,
    pack: Pack = None,
    as_json: Lines = False,
) -> None:
    """Follow a game by what lies on the table: its events, and how it stands after each.

    A recording is followed to its end, as quickly as this computer can; a camera until Ctrl-C.
    """
    given = source or []
    if compare:
        track_sessions.compare_sessions(given, again, as_json)
        return
    if not given:
        raise InputError(NO_SOURCE)
    if len(given) > 1:
        raise InputError(ONE_SOURCE, given=len(given))
    if pack is not None:
        track_sessions.pack(given[0], pack, as_json)
        return

    if new_hand and game is None:
        raise InputError(NEEDS_GAME)

    with track_sessions.find_folder(given[0]) as folder:
        if folder is not None:
            track_sessions.check_flags(
                folder, given[0], rules, profile, option, stakes, dealer, bottom, corners
            )
            _replay(folder, again, tile_set, game, new_hand, record, as_json)
            return
    if again:
        raise InputError(OF_SESSIONS, option="--again", source=given[0])
    places = None if corners is None else setup.read_corners(corners)
    plan = setup.plan_game(rules, profile, option, stakes, dealer, game, new_hand)
    _follow(given[0], plan, tile_set, bottom or 0, places, record, as_json)


def _follow(
    source: str,
    plan: GamePlan,
    tile_set: str | None,
    bottom: int,
    corners: setup.Corners | None,
    record: Path | None,
    as_json: bool,
) -> None:
    """Follow a recording to its end, or a camera until it is stopped."""
    from companion.cameras.sources import URL, open_source
    from companion.commands.track_end import Ending
    from companion.live.followed_game import follow_source, make_key

    with until_stopped(), open_source(source) as pictures:
        is_kept = plan.name is not None or record is not None
        key = setup.find_key(pictures, source) if is_kept else make_key()
        camera = source if URL.fullmatch(source) else pictures.name
        with setup.open_game(plan, key) as (running, before):
            watch = setup.make_watch(
                before.state, corners, bottom, tile_set, camera if pictures.is_live else None
            )
            with setup.record_to(
                record, key, before, pictures.name, bottom, corners, tile_set, watch
            ) as recorder:
                follows = setup.make_follower(running, pictures.name, key, before, plan.name, as_json)
                noticed = follow_source(pictures, watch, follows, before.state, recorder)
                _show(noticed, recorder, running, Ending(before, plan.name), as_json, watch)


def _replay(
    folder: Path,
    again: bool,
    tile_set: str | None,
    game: str | None,
    new_hand: bool,
    record: Path | None,
    as_json: bool,
) -> None:
    """Follow a recorded session again."""
    from companion.commands.track_end import Ending
    from companion.live.followed_game import make_key
    from companion.live.session.lines import refuse_session
    from companion.live.session.playing import follow_session

    if again and not as_json:
        console().print(track_sessions.describe_pictures(folder))
    with until_stopped(), track_sessions.open_session(folder, game, again, tile_set, new_hand) as session:
        header = session.header
        corners = None if header.corners is None else setup.to_array(header.corners)
        before = session.before
        with setup.record_to(
            record, make_key(), before, header.source, header.bottom, corners, header.tile_set
        ) as recorder:
            follows = setup.make_follower(session.game, header.source, session.key, before, game, as_json)
            noticed = follow_session(
                folder, session.game, follows, before.state, watch=session.watch, recorder=recorder
            )
            lines = guard(noticed, refuse_session(folder))
            _show(lines, recorder, session.game, Ending(before, game), as_json)


def _show(
    lines: Iterable[Noticed],
    recorder: SessionRecorder | None,
    running: RunningGame,
    ending: Ending,
    as_json: bool,
    watch: TableWatch | None = None,
) -> None:
    """Print what is noticed, and record it; say it where the camera stands ill, and at the end how far the
    game has come."""
    from companion.commands.track_words import Words
    from companion.live.followed_game import find_progress
    from companion.live.noticed import StateShown, noticed_json

    progress = ProgressLine()
    words, adviser = Words(), PoseAdviser(watch)
    said = False
    with until_stopped():
        for noticed in lines:
            check()
            progress.clear()
            setup.refuse_other_hand(noticed)
            adviser.give()
            if recorder is not None:
                recorder.take_noticed(noticed)
                if recorder.trouble and not said:
                    said = True
                    tell(str(recorder.trouble))
            ending.note(noticed)
            if as_json:
                print_json(noticed_json(noticed))
            else:
                words.show(noticed)
            if isinstance(noticed, StateShown):
                progress.show(f"followed {format_time(noticed.t)}")
    progress.clear()
    if not as_json:
        for sentence in ending.describe(find_progress(running)):
            words.say(sentence)


class PoseAdviser:
    """Says once how well the camera stands, where it stands ill."""

    def __init__(self, watch: TableWatch | None) -> None:
        self._watch = watch

    def give(self) -> None:
        """Say it as soon as the table is found."""
        if self._watch is None or self._watch.camera is None:
            return
        from companion.seeing.table_camera import judge_pose

        advice = judge_pose(self._watch.camera)
        self._watch = None
        if not advice.good:
            tell(str(advice.sentence))
