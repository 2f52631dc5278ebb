"""Recorded sessions of `companion track`: replayed, compared, packed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from companion.commands.output import console, print_json
from companion.errors import CompanionError, InputError
from companion.foreign import guard, reading
from companion.foreign_text import escape
from companion.sentences import Sentence

if TYPE_CHECKING:
    from companion.commands.track_setup import Corners
    from companion.game.deciding import Progress
    from companion.live.running import RunningGame
    from companion.live.session.lines import Header, Line
    from companion.live.table_watch import TableWatch
    from companion.table.events import Event
    from companion.table.state import State

OTHERWISE = "{option} differs from what the recorded session '{source}' was followed with: leave it out."
FEW_PICTURES = (
    "The session kept {pictures} of its {seconds:.0f} s: what happened between two of them is not seen again."
)
PACKED = "'{source}' is a packed session already."
TWO_SESSIONS = "--compare takes two recorded sessions, or one, which is followed anew, not {given}."


@dataclass(frozen=True, slots=True, eq=False)
class OpenSession:
    """A recorded session that is followed again. before: the game before it; key: what begins the keys of its
    events; watch: reads its pictures anew."""

    header: Header
    game: RunningGame
    before: Progress
    key: str
    watch: TableWatch | None


@contextmanager
def find_folder(source: str) -> Iterator[Path | None]:
    """The folder of the recorded session, for a packed one an unpacked copy of it; None where it is none.
    Raises InputError."""
    from companion.live.session.lines import is_session
    from companion.live.session.packing import is_packed, unpack_session

    path = Path(source).expanduser()
    if not is_packed(path):
        yield path if is_session(path) else None
        return
    with TemporaryDirectory(prefix="companion-session-") as folder, name_as(source, Path(folder)):
        unpack_session(path, Path(folder))
        yield Path(folder)


@contextmanager
def name_as(source: str, folder: Path) -> Iterator[None]:
    """Have errors about that folder name the source that was given."""
    try:
        yield
    except CompanionError as error:
        params = {name: source if value == folder else value for name, value in error.sentence.params.items()}
        error.sentence = Sentence(error.sentence.template, params)
        raise


@contextmanager
def open_session(
    folder: Path, game: str | None, again: bool, tile_set: str | None, new_hand: bool = False
) -> Iterator[OpenSession]:
    """The session, and the game that it is played in: a new one as it was then, or the kept one of that name.
    Raises InputError."""
    from companion.commands import track_setup as setup
    from companion.game import shelf
    from companion.live.followed_game import GamePlan, enter, find_progress, make_key
    from companion.live.session.lines import read_header, refuse_session
    from companion.table.events import GameStarted

    header = read_header(folder)
    start = header.log[0]
    assert isinstance(start, GameStarted)
    is_kept = game is not None and shelf.path_of(game).exists()
    key = make_key(header.id)
    plan = GamePlan(None if is_kept else start, game, new_hand)
    with setup.open_game(plan, key) as (running, _):
        if not is_kept:
            ps = header.log_p + (1.0,) * (len(header.log) - len(header.log_p))
            for event, p in zip(header.log[1:], ps[1:], strict=False):
                enter(running, event, p)
        progress = find_progress(running)
        watch = None
        if again:
            name = tile_set or header.tile_set
            with reading(refuse_session(folder)):
                corners, bend = find_place(folder, header)
                watch = setup.make_watch(progress.state, corners, header.bottom, name, bend=bend)
        yield OpenSession(header, running, progress, key, watch)


def describe_pictures(folder: Path) -> str:
    """How many pictures the session has to be read anew. Raises InputError."""
    from companion.live.session.lines import read_lines

    lines = list(read_lines(folder))
    count = sum(line.frame is not None for line in lines)
    pictures = "1 picture" if count == 1 else f"{count} pictures"
    return FEW_PICTURES.format(pictures=pictures, seconds=lines[-1].t if lines else 0.0)


def check_flags(
    folder: Path,
    source: str,
    rules: str | None,
    profile: str | None,
    option: list[str] | None,
    stakes: str | None,
    dealer: int | None,
    bottom: int | None,
    corners: str | None,
) -> None:
    """Raise InputError where a flag says otherwise than was recorded."""
    from companion.commands import track_setup as setup
    from companion.commands.described import find_rules_name
    from companion.commands.keeping import make_start
    from companion.game.game import pin_options
    from companion.live.session.lines import read_header
    from companion.table.events import GameStarted
    from companion.table.house import make_house

    header = read_header(folder)
    start = pin_options(header.log[0])
    assert isinstance(start, GameStarted)
    places = None if corners is None else tuple(map(tuple, setup.read_corners(corners).tolist()))
    same = {
        "--rules": rules is None or find_rules_name(rules) == start.rules,
        "--dealer": dealer in (None, start.dealer),
        "--bottom": bottom in (None, header.bottom),
        "--corners": places in (None, header.corners),
    }
    if same["--rules"] and (profile or option or stakes is not None):
        asked = pin_options(make_start(start.rules, profile, option, stakes=stakes))
        assert isinstance(asked, GameStarted)
        if profile or option:
            same["--option" if option else "--profile"] = asked.options == start.options
        if stakes is not None:
            same["--stakes"] = asked.stakes == make_house(start).stakes
    for name, is_same in same.items():
        if not is_same:
            raise InputError(OTHERWISE, option=name, source=source)


def compare_sessions(sources: Sequence[str], again: bool, as_json: bool) -> None:
    """Show where two sessions differ; or one, and what this program makes of it."""
    from companion.live.session.lines import read_header, read_lines
    from companion.live.session.playing import compare_runs, comparison_json, list_events

    if len(sources) not in (1, 2):
        raise InputError(TWO_SESSIONS, given=len(sources))
    with ExitStack() as opened:
        found = [opened.enter_context(find_folder(source)) for source in sources]
        folders = [folder or Path(source).expanduser() for folder, source in zip(found, sources, strict=True)]
        logs = [list(read_header(folder).log) for folder in folders]
        runs = [list_events(read_lines(folder)) for folder in folders]
        if len(runs) == 1:
            logs.append(logs[0])
            runs.append(_replay_events(folders[0], again))
    comparison = compare_runs(*runs)
    if as_json:
        print_json(comparison_json(comparison))
        return
    out = console()
    after = sources[1] if len(sources) > 1 else f"{sources[0]}, followed anew"
    if comparison.differences:
        out.print(f"- {sources[0]}")
        out.print(f"+ {after}")
    states = [_find_states(log, run) for log, run in zip(logs, runs, strict=True)]
    for each in comparison.differences:
        out.print(f"- {_describe(each.one, states[0])}")
        out.print(f"+ {_describe(each.other, states[1])}")
    count = len(comparison.differences)
    differ = "no difference" if not count else "1 difference" if count == 1 else f"{count} differences"
    out.print(f"{comparison.same} events are the same, {differ}")


def pack(source: str, file: Path, as_json: bool) -> None:
    """Pack a session into a new file."""
    from companion.live.session.packing import FILE_THERE, is_packed, list_contents, pack_session

    folder = Path(source).expanduser()
    if is_packed(folder):
        raise InputError(PACKED, source=source)
    contents = list_contents(folder)
    if file.exists():
        raise InputError(FILE_THERE, file=file)
    if not as_json:
        console().print("\n".join(["To be packed:", *(f"  {line}" for line in contents)]))
    frames = pack_session(folder, file)
    if as_json:
        print_json({"file": str(file), "pictures": frames, "contents": contents})
    else:
        console().print(
            f"Packed into {escape(str(file))}. Send it to whom you like; the program sends nothing."
        )


def _replay_events(folder: Path, again: bool) -> list[Line]:
    from companion.live.followed_game import make_follower
    from companion.live.session.lines import refuse_session
    from companion.live.session.playing import follow_session, lines_of

    with open_session(folder, None, again, None) as session:
        game, before = session.game, session.before
        follower = make_follower(game, session.header.source, session.key, before, None)
        noticed = follow_session(folder, game, follower, before.state, watch=session.watch)
        return lines_of(guard(noticed, refuse_session(folder)))


def find_place(folder: Path, header: Header) -> tuple[Corners | None, float]:
    """The corners of the table as they were given, or as they were found then, and how the lens bends, as far
    as that was known in the end. None where it may be that another one of the corners is seat 0's: they are
    looked for, and the first discard decides."""
    import numpy as np

    from companion.commands import track_setup as setup
    from companion.live.session.lines import read_lines
    from companion.seeing.finding_table import start_at_lower_edge

    cameras = [line.camera for line in read_lines(folder) if line.camera is not None]
    bend = cameras[-1].bend if cameras else 0.0
    if header.corners is not None:
        return setup.to_array(header.corners), bend
    if not cameras:
        return None, bend
    first = next(camera for camera in cameras if camera.bend == bend)
    corners = np.roll(setup.to_array(first.corners), -header.bottom, axis=0)
    _, is_ambiguous = start_at_lower_edge(corners)
    return (None if is_ambiguous else corners), bend


def _find_states(log: Sequence[Event], run: Sequence[Line]) -> dict[int, State]:
    """How the game stood after each event of the run, by its number, as far as it can be told."""
    from companion.errors import EventError
    from companion.table.apply import apply, fold
    from companion.table.events import Corrected

    states: dict[int, State] = {}
    events, state = list(log), fold(log)
    for line in run:
        assert line.event is not None
        events.append(line.event)
        try:
            state = fold(events) if isinstance(line.event, Corrected) else apply(state, line.event)
        except EventError:
            return states
        assert state is not None
        states[line.number] = state
    return states


def _describe(line: Line | None, states: Mapping[int, State]) -> str:
    from companion.commands.track_words import describe_entered, format_moment
    from companion.table.log import encode_event

    if line is None or line.event is None:
        return "nothing"
    state = states.get(line.number)
    said = describe_entered(line.event, state) if state else encode_event(line.event).decode()
    return f"{format_moment(line.t)}  {line.number:3}  {said}"
