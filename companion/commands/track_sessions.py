"""Recorded sessions of `companion track`: replayed, compared, packed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.output import console, print_json
from companion.errors import InputError

if TYPE_CHECKING:
    from companion.running.follower import Follower
    from companion.running.game import RunningGame
    from companion.running.session.folder import Header
    from companion.running.session.lines import Line
    from companion.running.table_watch import TableWatch
    from companion.table.events import Event
    from companion.table.state import State

OTHERWISE = "{option} differs from what the recorded session '{source}' was followed with: leave it out."
TWO_SESSIONS = "--compare takes two recorded sessions, or one and its replay, not {given}."


@dataclass(frozen=True, slots=True, eq=False)
class OpenSession:
    """A recorded session that is followed again. watch: reads its pictures anew."""

    header: Header
    game: RunningGame
    follower: Follower
    log: tuple[Event, ...]
    state: State
    watch: TableWatch | None


@contextmanager
def open_session(
    folder: Path, game: str | None, again: bool, tile_set: str | None, new_hand: bool = False
) -> Iterator[OpenSession]:
    """The session, and the game that it is played in: a new one as it was then, or the kept one of that name.
    Raises InputError."""
    from companion.commands import track_setup as setup
    from companion.history import shelf
    from companion.running.session.folder import read_header
    from companion.table.events import GameStarted

    header = read_header(folder)
    start = header.log[0]
    assert isinstance(start, GameStarted)
    is_kept = game is not None and shelf.path_of(game).exists()
    key = setup.make_key(header.id)
    plan = setup.GamePlan(None if is_kept else start, game, new_hand=new_hand)
    with setup.open_game(plan, key) as (running, _, _):
        if not is_kept:
            for event in header.log[1:]:
                setup.enter(running, event)
        progress = setup.find_progress(running)
        corners = None if header.corners is None else setup.to_array(header.corners)
        watch = None
        if again:
            watch = setup.make_watch(progress.state, corners, header.bottom, tile_set or header.tile_set)
        follower = setup.make_follower(running, header.source, key)
        yield OpenSession(header, running, follower, progress.events, progress.state, watch)


def check_flags(
    source: str,
    rules: str | None,
    profile: str | None,
    option: list[str] | None,
    dealer: int | None,
    bottom: int | None,
    corners: str | None,
) -> None:
    """Raise InputError where a flag says otherwise than was recorded."""
    from companion.commands import track_setup as setup
    from companion.commands.described import find_rules_name
    from companion.commands.keeping import make_start
    from companion.history.game import pin_options
    from companion.running.session.folder import read_header
    from companion.table.events import GameStarted

    header = read_header(Path(source).expanduser())
    start = pin_options(header.log[0])
    assert isinstance(start, GameStarted)
    places = None if corners is None else tuple(map(tuple, setup.read_corners(corners).tolist()))
    same = {
        "--rules": rules is None or find_rules_name(rules) == start.rules,
        "--dealer": dealer in (None, start.dealer),
        "--bottom": bottom in (None, header.bottom),
        "--corners": places in (None, header.corners),
    }
    if (profile or option) and same["--rules"]:
        asked = pin_options(make_start(start.rules, profile, option, None))
        assert isinstance(asked, GameStarted)
        same["--option" if option else "--profile"] = asked.options == start.options
    for name, is_same in same.items():
        if not is_same:
            raise InputError(OTHERWISE, option=name, source=source)


def compare_sessions(sources: Sequence[str], again: bool, as_json: bool) -> None:
    """Show where two sessions differ; or one, and what this program makes of it."""
    from companion.running.session.comparing import compare_runs, comparison_json, list_events
    from companion.running.session.folder import read_header, read_lines

    if len(sources) not in (1, 2):
        raise InputError(TWO_SESSIONS, given=len(sources))
    folders = [Path(source).expanduser() for source in sources]
    for folder in folders:
        read_header(folder)
    runs = [list_events(read_lines(folder)) for folder in folders]
    if len(runs) == 1:
        runs.append(_replay_events(folders[0], again))
    comparison = compare_runs(*runs)
    if as_json:
        print_json(comparison_json(comparison))
        return
    out = console()
    for each in comparison.differences:
        out.print(f"- {_describe(each.one)}")
        out.print(f"+ {_describe(each.other)}")
    count = len(comparison.differences)
    differ = "no difference" if not count else "1 difference" if count == 1 else f"{count} differences"
    out.print(f"{comparison.same} events are the same, {differ}")


def pack(source: str, file: Path, as_json: bool) -> None:
    """Pack a session into a new file."""
    from companion.running.session.packing import pack_session

    frames = pack_session(Path(source).expanduser(), file)
    if as_json:
        print_json({"file": str(file), "pictures": frames})
    else:
        console().print(f"{file} holds the session, with {frames} pictures, hands painted over")


def _replay_events(folder: Path, again: bool) -> list[Line]:
    from companion.running.session.comparing import lines_of
    from companion.running.session.replay import follow_session

    with open_session(folder, None, again, None) as session:
        return lines_of(
            follow_session(folder, session.game, session.follower, session.state, watch=session.watch)
        )


def _describe(line: Line | None) -> str:
    from companion.table.log import encode_event

    if line is None or line.event is None:
        return "nothing"
    return f"{line.t:.1f} s, event {line.number}: {encode_event(line.event).decode()}"
