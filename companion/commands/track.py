"""`companion track`: follows a game with a camera, live or recorded; replays, compares and packs recorded
sessions.

In order: output, the end of a run, the game and its table, sessions, the command.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from companion.commands import described
from companion.commands.game_start import Options, Profile, Rules, Stakes, make_start
from companion.commands.output import (
    ProgressLine,
    console,
    describe_event,
    describe_wall,
    describe_win,
    format_sure,
    format_time,
    print_json,
    print_message,
)
from companion.commands.pictures import TileSetName
from companion.errors import CompanionError, InputError, MissingError, quote
from companion.foreign import guard, reading
from companion.foreign_text import escape
from companion.game.deciding import Progress
from companion.live.noticed import (
    MIRRORED,
    Doubted,
    EventNoticed,
    FollowingLost,
    FollowingResumed,
    MirrorNoticed,
    Noticed,
    QuestionAsked,
    StateShown,
    source_name,
)
from companion.seeing.sights import NO_TABLE
from companion.sentences import Sentence
from companion.stopping import check, until_stopped
from companion.table.apply import apply
from companion.table.events import Corrected, Event, Won, number_corrected
from companion.table.state import HandState, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.cameras.phone import PhonePictures
    from companion.cameras.sources import PictureSource
    from companion.live.followed_game import GamePlan
    from companion.live.follower import Follows
    from companion.live.noticed import Noticed
    from companion.live.running import RunningGame
    from companion.live.session.contributed import ContributedFilm
    from companion.live.session.lines import Header, Line
    from companion.live.session.recorder import SessionRecorder
    from companion.live.table_watch import TableWatch
    from companion.seeing.table_camera import TableCamera

    CornerArray = NDArray[np.float64]

TABLE_DIGITS = 3
PHONE_SOURCE, PI_SOURCE = "phone", "pi"
"""The SOURCE that is a phone's camera, or a Raspberry Pi's own; a file or folder of that name is ./phone or
./pi."""
REMIND_S = 30.0
"""Seconds between two reports that the game is lost."""

NO_TABLE_HERE = (
    "the table is not found: show all four of its corners, in good light, or give their places with --corners"
)


class EventWords:
    """Prints a line for each event, with the number of tiles left; also questions, and when the game is lost
    and found."""

    def __init__(self) -> None:
        self._out = console()
        self._lost: FollowingLost | None = None
        self._knows_sea = False

    def show(self, noticed: Noticed) -> None:
        """Print it; states of every second are passed over, but for a reminder that the game is lost."""
        match noticed:
            case StateShown():
                if self._lost is None or noticed.t - self._lost.t < REMIND_S:
                    return
                self._lost = FollowingLost(noticed.t, self._lost.why)
                self._print(noticed.t, f"! still lost: {self._lost.why}")
                return
            case FollowingLost():
                self._lost = noticed
            case FollowingResumed():
                self._lost = None
        self._print(noticed.t, describe_noticed(noticed) + self._explain_sea(noticed))

    def print_sentence(self, sentence: str) -> None:
        """Print a sentence about the whole run."""
        self._out.print(sentence)

    def _print(self, t: float, said: str) -> None:
        self._out.print(f"{format_moment(t)}  {said}")

    def _explain_sea(self, noticed: Noticed) -> str:
        """What the second number of tiles left means, once."""
        if self._knows_sea or not isinstance(noticed, EventNoticed) or "+" not in _count_left(noticed.state):
            return ""
        self._knows_sea = True
        return " (before the sea, and in it)"


def describe_noticed(noticed: Noticed) -> str:
    """What was noticed, in one line."""
    match noticed:
        case EventNoticed():
            return _describe_event(noticed)
        case QuestionAsked():
            which = " or ".join(noticed.choices)
            who = " and ".join(source_name(source) for source in noticed.sources)
            event = "" if noticed.number is None else f"event {noticed.number}, "
            if noticed.about == "deal_set" and not who:
                likely, *others = noticed.choices
                return (
                    f"? {event}seat {likely} seems to deal, not seat {others[0]}: --dealer names the dealer"
                )
            return f"? {event}{noticed.about}: {which}" + (f" ({who} say otherwise)" if who else "")
        case FollowingLost():
            return f"! lost: {describe_why(noticed.why)}"
        case FollowingResumed():
            return "! found again"
        case Doubted(why=why):
            return "? doubtful no more" if why is None else f"? doubtful: {why}"
        case MirrorNoticed():
            return f"! {MIRRORED}"
        case StateShown():
            left = _count_left(noticed.state)
            return f"{left} left" if left else "no hand is played"


def describe_why(why: Sentence) -> str:
    """Why the game is lost, and which option helps."""
    return NO_TABLE_HERE if why.template == NO_TABLE else str(why)


def describe_entered(event: Event, after: State) -> str:
    """An event of the log, a correction included, in one sentence without its stop."""
    if not isinstance(event, Corrected):
        return describe_event(event, after)
    if event.right is None:
        return f"{_name_corrected(event)} did not happen"
    return f"event {event.number} is corrected: {describe_event(event.right, after)}"


def _name_corrected(event: Corrected) -> str:
    if event.upto is None:
        return f"event {event.number}"
    return f"events {event.number} to {event.upto}"


def _describe_event(noticed: EventNoticed) -> str:
    left = _count_left(noticed.state)
    doubt = "" if noticed.certain else f" ({format_sure(noticed.p)})"
    said = describe_entered(noticed.event, noticed.state)
    return f"{noticed.number:3}  {said}{doubt}" + (f"; {left} left" if left else "")


def _count_left(state: State) -> str:
    left, _ = describe_wall(state)
    return left


def format_moment(t: float) -> str:
    """Minutes, and seconds to a tenth."""
    minutes, tenths = divmod(round(10 * t), 600)
    return f"{minutes}:{tenths / 10:04.1f}"


NOTHING = "Nothing was followed: {why}."
NO_HAND = "No hand was followed: nothing was noticed that belongs to one."
IN_A_HAND = "It ended in the middle of a hand: {stands}."
IS_LOST = "At the end it could not be followed: {why}."
GOES_ON = "The next recording goes on with this hand if it is given with --game {name}."
IS_DOUBTFUL = "To check: {why}."
DOUBTFUL = "{count} in it to be checked: companion games show {name} marks what is doubtful."
CHECK_WIN = "Check this win, which is {sure}: event {number}, {said}."


class Ending:
    """before: the game before the first picture; game: the kept game's name."""

    def __init__(self, before: Progress, game: str | None) -> None:
        self._log = len(before.events)
        self._hands = before.state.hands
        self._game = game
        self._events = 0
        self._lost: Sentence | None = None
        self._doubt: Sentence | None = None

    def note(self, noticed: Noticed) -> None:
        """Something was noticed."""
        match noticed:
            case EventNoticed():
                self._events += 1
            case FollowingLost():
                self._lost = noticed.why
            case FollowingResumed():
                self._lost = None
            case Doubted():
                self._doubt = noticed.why

    def check(self) -> None:
        """Raise MissingError if nothing could be followed."""
        if self._lost is not None and not self._events:
            raise MissingError(NOTHING, why=_describe_why(self._lost))

    def describe(self, progress: Progress) -> Iterator[str]:
        """Sentences about all that was followed; progress: of the game now."""
        log, state = progress.events, progress.state
        ended = [hand for number, hand in _find_ends(log).items() if number > self._hands]
        if ended:
            many = "1 hand was" if len(ended) == 1 else f"{len(ended)} hands were"
            results = "; ".join(_describe_result(hand) for hand in ended)
            yield f"{many} followed to {'its' if len(ended) == 1 else 'their'} end: {results}."
        if state.playing:
            yield IN_A_HAND.format(stands=describe_open_hand(state))
        elif not ended:
            yield NO_HAND
        if self._lost is not None:
            yield IS_LOST.format(why=_describe_why(self._lost))
        if self._doubt is not None:
            yield IS_DOUBTFUL.format(why=_describe_why(self._doubt))
        doubts = progress.doubts
        for number, event, after in _list_states(log):
            if isinstance(event, Won) and number > self._log and number in doubts:
                yield CHECK_WIN.format(
                    sure=format_sure(doubts[number]), number=number, said=describe_event(event, after)
                )
        if self._game is not None:
            entered = len(log) - self._log
            yield f"{_count(entered, 'event')} entered in {quote(self._game)}."
            if doubts:
                yield DOUBTFUL.format(count=_count(len(doubts), "event"), name=self._game)
            if state.playing:
                yield GOES_ON.format(name=self._game)


def describe_open_hand(state: State) -> str:
    """Whose turn it is in the hand in play, and how many tiles are left."""
    assert state.hand is not None
    return f"seat {state.hand.turn} is to move, {_count(state.hand.wall.live_left, 'tile')} left"


def _find_ends(log: Sequence[Event]) -> dict[int, HandState]:
    """The hands that ended, as they stood then, by how many the game then had."""
    ends: dict[int, HandState] = {}
    before: State | None = None
    for _, event, state in _list_states(log):
        is_further_winner = isinstance(event, Won) and not state.playing
        if (
            before is not None
            and state.hand is not None
            and (state.hands > before.hands or is_further_winner)
        ):
            ends[state.hands] = state.hand
        before = state
    return ends


def _list_states(log: Sequence[Event]) -> Iterator[tuple[int, Event, State]]:
    """The events that stand with their numbers, corrections in their place, and the state after each."""
    state: State | None = None
    for number, event in number_corrected(log):
        state = apply(state, event)
        yield number, event, state


def _describe_why(why: Sentence) -> str:
    return describe_why(why).removesuffix(".")


def _describe_result(hand: HandState) -> str:
    return "; ".join(describe_win(result) for result in hand.results) or "nobody wins"


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


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
CONTINUES_IN_HAND = "{name} is in the middle of a hand ({stands}): this recording goes on with it."
END_THAT_HAND = (
    "{problem} Give --new-hand to end that hand as one that does not count, or another name with --game."
)


def read_corners(text: str) -> CornerArray:
    """The corners (4, 2) px. Raises InputError."""
    try:
        places = to_array([[float(part) for part in place.split(",")] for place in text.split()])
    except ValueError:
        raise InputError(WRONG_CORNERS, given=quote(text)) from None
    if places.shape != (4, 2) or not bool((abs(places) < PX_MAX).all()):
        raise InputError(WRONG_CORNERS, given=quote(text))
    return places


def to_array(places: Sequence[Sequence[float]]) -> CornerArray:
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
    """The running game and its state. Raises InputError if the recording of that key was entered in it
    before."""
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
    """The follower of that camera into the game; a hand that continues on the table is reported."""
    from companion.live.followed_game import make_follower

    def agree() -> None:
        if not as_json and name is not None:
            stands = describe_open_hand(progress.state)
            console().print(CONTINUES_IN_HAND.format(name=quote(name), stands=stands))

    return make_follower(running, camera, key, progress, name, agree)


def refuse_other_hand(noticed: Noticed) -> None:
    """Raise InputError, with what to do, if the hand on the table is not the one of the kept game."""
    from companion.live.followed_game import OTHER_TABLE
    from companion.live.noticed import FollowingLost

    if isinstance(noticed, FollowingLost) and noticed.why.template == OTHER_TABLE:
        raise InputError(END_THAT_HAND, problem=noticed.why)


def make_watch(
    state: State,
    corners: CornerArray | None,
    bottom: int,
    set_name: str | None,
    camera: str | None = None,
    bend: float = 0.0,
) -> TableWatch:
    """What watches the table in the pictures, with the networks loaded. camera: a live one as it was given,
    whose place is kept; bend: of the lens of any other, as far as it is known. Raises InputError,
    ModelError."""
    from companion.commands.tile_sets import load_named_set
    from companion.live.watch_setup import watch_table
    from companion.seeing.lens import Lens
    from companion.vision import load_recogniser

    recogniser = load_recogniser()
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
    corners: CornerArray | None,
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


@contextmanager
def film_to(folder: Path | None, watch: TableWatch) -> Iterator[ContributedFilm | None]:
    """What writes a film to give away into that folder; None without one. Raises MissingError, at the end, if
    the players' hands could never be masked."""
    if folder is None:
        yield None
        return
    from companion.live.session.contributed import FILM, ContributedFilm

    film = ContributedFilm(folder, watch.blur)
    try:
        yield film
    finally:
        film.close()
    print_message(CONTRIBUTED.format(file=quote(str(folder / FILM))))


OTHERWISE = "{option} differs from what the recorded session '{source}' was followed with: leave it out."
FEW_PICTURES = (
    "The session kept {pictures} of its {seconds:.0f} s: what happened between two of them is not seen again."
)
PACKED = "'{source}' is a packed session already."
TWO_SESSIONS = "--compare takes two recorded sessions, or one, which is followed anew, not {given}."


@dataclass(frozen=True, slots=True, eq=False)
class OpenSession:
    """A recorded session that is followed again. before: the game before it; key: prefix of the keys of its
    events; watch: reads its pictures again."""

    header: Header
    game: RunningGame
    before: Progress
    key: str
    watch: TableWatch | None


@contextmanager
def find_folder(source: str) -> Iterator[Path | None]:
    """The folder of the recorded session, or an unpacked copy of a packed one; None if it is not a session.
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
    with open_game(plan, key) as (running, _):
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
                watch = make_watch(progress.state, corners, header.bottom, name, bend=bend)
        yield OpenSession(header, running, progress, key, watch)


def describe_pictures(folder: Path) -> str:
    """How many pictures the session has to be read again. Raises InputError."""
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
    """Raise InputError if a flag differs from what was recorded."""
    from companion.commands.described import find_rules_name
    from companion.commands.game_start import make_start
    from companion.game.game import pin_options
    from companion.live.session.lines import read_header
    from companion.table.events import GameStarted
    from companion.table.house import make_house

    header = read_header(folder)
    start = pin_options(header.log[0])
    assert isinstance(start, GameStarted)
    places = None if corners is None else tuple(map(tuple, read_corners(corners).tolist()))
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


def pack_session(source: str, file: Path, as_json: bool) -> None:
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


def find_place(folder: Path, header: Header) -> tuple[CornerArray | None, float]:
    """The corners of the table as they were given, or as they were found then, and how the lens bends, as far
    as that was known in the end. None if it may be that another one of the corners is seat 0's: they are
    looked for, and the first discard decides."""
    import numpy as np

    from companion.live.session.lines import read_lines
    from companion.seeing.finding_table import start_at_lower_edge

    cameras = [line.camera for line in read_lines(folder) if line.camera is not None]
    bend = cameras[-1].bend if cameras else 0.0
    if header.corners is not None:
        return to_array(header.corners), bend
    if not cameras:
        return None, bend
    first = next(camera for camera in cameras if camera.bend == bend)
    corners = np.roll(to_array(first.corners), -header.bottom, axis=0)
    _, is_ambiguous = start_at_lower_edge(corners)
    return (None if is_ambiguous else corners), bend


def _find_states(log: Sequence[Event], run: Sequence[Line]) -> dict[int, State]:
    """How the game stood after each event of the run, by its number, as far as it is known."""
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
    from companion.table.events import encode_event

    if line is None or line.event is None:
        return "nothing"
    state = states.get(line.number)
    said = describe_entered(line.event, state) if state else encode_event(line.event).decode()
    return f"{format_moment(line.t)}  {line.number:3}  {said}"


NO_SOURCE = "The source is missing: give a video, a folder, a recorded session, a camera, phone, pi or a URL."
ONE_SOURCE = "Give one SOURCE, not {given}; --compare takes two recorded sessions."
NEEDS_RECORD = "--contribute is for a new recording of a film or camera: name its folder with --record."
CONTRIBUTED = "{file} shows the table without faces and hands. Look at it, and give it to whom you like."
NEEDS_GAME = "--new-hand is for a kept game: name it with --game."
OF_SESSIONS = "{option} is for recorded sessions, and '{source}' is not one."

Sources = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SOURCE",
        help="A video, a folder of pictures, a recorded session, packed too, a camera as /dev/video0, a URL;"
        " phone for the camera of a phone, which opens a page; pi for a Raspberry Pi's own.",
    ),
]
Dealer = Annotated[
    int | None, typer.Option(metavar="SEAT", min=0, max=3, help="Who deals first; seat 0 if left out.")
]
Bottom = Annotated[
    int | None,
    typer.Option(
        metavar="SEAT", min=0, max=3, help=("The seat at the lower edge of the picture (default: 0).")
    ),
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
    str | None,
    typer.Option(
        "--game", metavar="NAME", help=("Keep the events in this kept game; it is created if needed.")
    ),
]
NewHand = Annotated[
    bool,
    typer.Option(
        "--new-hand",
        help="Discard the unfinished hand of the kept game; it does not count and is dealt again.",
    ),
]
Record = Annotated[Path | None, typer.Option(metavar="DIR", help="Record the session in a new folder.")]
Contribute = Annotated[
    bool,
    typer.Option(
        "--contribute",
        help="With --record: also a film to give away, faces blurred and hands masked.",
    ),
]
Again = Annotated[
    bool,
    typer.Option(
        "--again", help=("For a recorded session: read its pictures again instead of its stored sights.")
    ),
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
    contribute: Contribute = False,
    again: Again = False,
    compare: Compare = False,
    pack: Pack = None,
    as_json: Lines = False,
) -> None:
    """Follow a game with a camera over the table: print each event and the state after it.

    A recording is followed to its end, as quickly as this computer can; a camera until Ctrl-C.
    """
    given = source or []
    if compare:
        compare_sessions(given, again, as_json)
        return
    if not given:
        raise InputError(NO_SOURCE)
    if len(given) > 1:
        raise InputError(ONE_SOURCE, given=len(given))
    if pack is not None:
        pack_session(given[0], pack, as_json)
        return

    if new_hand and game is None:
        raise InputError(NEEDS_GAME)
    if contribute and record is None:
        raise InputError(NEEDS_RECORD)

    with nullcontext() if given[0] in (PHONE_SOURCE, PI_SOURCE) else find_folder(given[0]) as folder:
        if folder is not None:
            if contribute:
                raise InputError(NEEDS_RECORD)
            check_flags(folder, given[0], rules, profile, option, stakes, dealer, bottom, corners)
            _replay(folder, again, tile_set, game, new_hand, record, as_json)
            return
    if again:
        raise InputError(OF_SESSIONS, option="--again", source=given[0])
    places = None if corners is None else read_corners(corners)
    plan = plan_game(rules, profile, option, stakes, dealer, game, new_hand)
    _follow(given[0], plan, tile_set, bottom or 0, places, record, as_json, contribute=contribute)


def _follow(
    source: str,
    plan: GamePlan,
    tile_set: str | None,
    bottom: int,
    corners: CornerArray | None,
    record: Path | None,
    as_json: bool,
    *,
    contribute: bool = False,
) -> None:
    """Follow a recording to its end, or a camera until it is stopped."""
    from companion.cameras.phone import PhonePictures
    from companion.cameras.sources import URL, open_phone, open_source
    from companion.live.followed_game import follow_source, make_key

    phone = PhonePictures() if source == PHONE_SOURCE else None
    with until_stopped(), open_source(source) if phone is None else open_phone(phone) as pictures:
        is_kept = plan.name is not None or record is not None
        key = find_key(pictures, source) if is_kept else make_key()
        camera = source if URL.fullmatch(source) else pictures.name
        with open_game(plan, key) as (running, before):
            watch = make_watch(before.state, corners, bottom, tile_set, camera if pictures.is_live else None)
            page = nullcontext() if phone is None else _serve_page(running, phone, as_json)
            with (
                page,
                record_to(record, key, before, pictures.name, bottom, corners, tile_set, watch) as recorder,
            ):
                follows = make_follower(running, pictures.name, key, before, plan.name, as_json)
                with film_to(record if contribute else None, watch) as film:
                    noticed = follow_source(pictures, watch, follows, before.state, recorder, film)
                    _show(noticed, recorder, running, Ending(before, plan.name), as_json, watch)


@contextmanager
def _serve_page(running: RunningGame, phone: PhonePictures, as_json: bool) -> Iterator[None]:
    """Serve the page on which the phone becomes the camera, and print its link."""
    from companion.commands.phone_page import print_link, serve_phone

    with serve_phone(running, phone) as (link, fingerprint):
        if as_json:
            print_json({"t": 0.0, "page": {"address": link, "fingerprint": fingerprint}})
        else:
            print_link(link, fingerprint, sys.stdout)
        yield


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
    from companion.live.followed_game import make_key
    from companion.live.session.lines import refuse_session
    from companion.live.session.playing import follow_session

    if again and not as_json:
        console().print(describe_pictures(folder))
    with until_stopped(), open_session(folder, game, again, tile_set, new_hand) as session:
        header = session.header
        corners = None if header.corners is None else to_array(header.corners)
        before = session.before
        with record_to(
            record, make_key(), before, header.source, header.bottom, corners, header.tile_set
        ) as recorder:
            follows = make_follower(session.game, header.source, session.key, before, game, as_json)
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
    """Print and record notices; warn about a badly placed camera, and finish with a summary."""
    from companion.live.followed_game import find_progress
    from companion.live.noticed import StateShown, noticed_json

    progress = ProgressLine()
    words, adviser, tables = EventWords(), PoseAdviser(watch), TableLines(watch)
    said = False
    with until_stopped():
        for noticed in lines:
            check()
            progress.clear()
            refuse_other_hand(noticed)
            adviser.print_advice()
            if recorder is not None:
                recorder.record_notice(noticed)
                if recorder.trouble and not said:
                    said = True
                    print_message(str(recorder.trouble))
            ending.note(noticed)
            if as_json:
                for line in tables.list_news(noticed):
                    print_json(line)
                print_json(noticed_json(noticed))
            else:
                words.show(noticed)
            if isinstance(noticed, StateShown):
                progress.show(f"followed {format_time(noticed.t)}")
    progress.clear()
    ending.check()
    if not as_json:
        for sentence in ending.describe(find_progress(running)):
            words.print_sentence(sentence)


class TableLines:
    """Where the table is in the picture, as lines of `--json`, each time that is news."""

    def __init__(self, watch: TableWatch | None) -> None:
        self._watch = watch
        self._shown: TableCamera | None = None
        self._missed: Sentence | None = None

    def list_news(self, noticed: Noticed) -> Iterator[dict[str, object]]:
        """The line about the table, if it was found elsewhere or could not be found."""
        from companion.seeing.finding_table import is_same_table

        watch = self._watch
        if watch is None:
            return
        camera = watch.camera
        if camera is not None:
            if self._shown is None or not is_same_table(self._shown, camera):
                self._shown, self._missed = camera, None
                tile_px = round(camera.px_a_mm(0.0, 0.0) * watch.tile_size.width_mm)
                yield _table_line(noticed.t, True, camera, p=round(watch.p, TABLE_DIGITS), tile_px=tile_px)
        elif isinstance(noticed, FollowingLost) and noticed.why != self._missed:
            self._shown, self._missed = None, noticed.why
            yield _table_line(noticed.t, False, watch.guess, why=describe_why(noticed.why))


def _table_line(t: float, found: bool, camera: TableCamera | None, **more: object) -> dict[str, object]:
    """One line about the table, with its corners, if any, from the lower left one counterclockwise."""
    from companion.seeing.finding_table import start_at_lower_edge

    table: dict[str, object] = {"found": found}
    if camera is not None:
        corners, _ = start_at_lower_edge(camera.corners)
        table["corners"] = [[round(float(value), 1) for value in corner] for corner in corners]
    return {"t": round(t, TABLE_DIGITS), "table": table | more}


class PoseAdviser:
    """Advises once where the camera should be, if its place is bad."""

    def __init__(self, watch: TableWatch | None) -> None:
        self._watch = watch

    def print_advice(self) -> None:
        """Print it as soon as the table is found."""
        if self._watch is None or self._watch.camera is None:
            return
        from companion.seeing.table_camera import judge_pose

        advice = judge_pose(self._watch.camera)
        self._watch = None
        if not advice.good:
            print_message(str(advice.sentence))
