"""`companion simulate` and `companion replay`: hands by built-in players; a log shown event by event."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.commands.game_start import Options, Profile, Rules, Stakes, make_start
from companion.commands.inputs import LOG_MAX_BYTES, AsJson, open_lines, refuse_input
from companion.commands.laboratory import BENDS, PACES, CameraPose, FilmOptions, plan_films
from companion.commands.output import (
    NOT_RECORDED,
    console,
    describe_event,
    describe_next,
    describe_payment,
    describe_round,
    describe_sea,
    describe_seating,
    describe_tiles,
    describe_wall,
    format_sure,
    print_json,
    print_json_list,
)
from companion.errors import EventError, InputError, MissingError
from companion.files import name_reason
from companion.foreign import guard
from companion.foreign_text import show
from companion.named_files import writing_new
from companion.sentences import write_number

if TYPE_CHECKING:
    from rich.table import Table

    from companion.coach.play.simulation import PlayedHand
    from companion.table.events import Event
    from companion.table.state import State

DRAWN_HAND = "drawn"
"""The end of a hand that nobody won."""
ENDINGS = {
    "self_draw": ("win by self-draw", "wins by self-draw"),
    "discard": ("win on a discard", "wins on discards"),
    "robbed_kong": ("win by robbing a kong", "wins by robbing kongs"),
    DRAWN_HAND: ("hand that nobody won", "hands that nobody won"),
}
"""One of them, and several."""
LEGEND = (
    "left: tiles of the live wall{sea}. next at: where the next tile stands, as SEAT.STACK: whose side of the"
    " wall, and which stack from the right end of that side, as its player sees it; ↑ the upper tile of the"
    " stack, ↓ the lower one."
)
WITH_SEA = "; 27+{sea} where the last {sea} are the sea"
EMPTY = "There is no event in '{name}'."
REFUSED = "Line {number}: {problem}"
REFUSED_BY = "Line {number}: {problem} ({ruling})"
NO_FOLDER = "The logs cannot be written to '{folder}' ({why})."
LOG_THERE = "A log '{file}' exists already: choose another folder."


def simulate(
    rules: Rules = None,
    hands: Annotated[int, typer.Option(metavar="N", min=1, help="How many hands are played.")] = 1,
    seed: Annotated[
        int, typer.Option(metavar="S", help="Seed for shuffling: the same seed gives the same hands.")
    ] = 0,
    profile: Profile = None,
    option: Options = None,
    stakes: Stakes = None,
    events: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a log of each hand there, as companion replay reads them."),
    ] = None,
    video: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Film each hand there: a video, and the truth about it in JSON lines."
        ),
    ] = None,
    pose: Annotated[
        CameraPose | None,
        typer.Option(help="The film's camera: straight above (usual), at a corner, or propped at one side."),
    ] = None,
    size: Annotated[
        str | None, typer.Option(metavar="WxH", help="The film's picture in px; usually 1920x1080.")
    ] = None,
    pace: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            min=PACES[0],
            max=PACES[1],
            help="Speed of play in the film; 1 is normal.",
        ),
    ] = None,
    calm: Annotated[
        bool, typer.Option("--calm", help="Nothing disturbs the film: neat players, a perfect camera.")
    ] = False,
    mean: Annotated[
        bool,
        typer.Option("--mean", help="Careless people before a cheap camera, as real tables have them."),
    ] = False,
    k1: Annotated[
        float | None,
        typer.Option(
            metavar="K",
            min=BENDS[0],
            max=BENDS[1],
            help="Lens distortion of the film: OpenCV's k1; -0.3 for a wide lens (default: 0).",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play hands with four built-in players and print their values and totals.

    A finished game is followed by a new one.
    """
    from msgspec import to_builtins

    from companion.coach.play.simulation import play
    from companion.game.game import pin_options
    from companion.table.events import GameStarted
    from companion.table.house import make_house

    start = pin_options(make_start(rules, profile, option, stakes=stakes))
    assert isinstance(start, GameStarted)
    film_hand = plan_films(video, events, FilmOptions(pose, size, pace, calm, mean, k1), seed)
    documents = []
    totals = _Totals()
    with ExitStack() as folders:
        for folder in (events, video):
            if folder is not None:
                folders.enter_context(_made(folder))
        for number, played in enumerate(play(start, hands, random.Random(seed)), start=1):
            name = f"hand-{number:0{len(str(hands))}}"
            log = None if events is None else _write_log(events / f"{name}.jsonl", played)
            film = None if film_hand is None or video is None else film_hand(played, number, video, name)
            totals.add(played)
            if as_json:
                documents.append(_hand_json(number, played, log, film))
            else:
                _show_hand(number, played)
                for file in (log, film):
                    if file is not None:
                        console().print(f"   {show(file)}")
    if as_json:
        print_json({
            "rules": start.rules, "seed": seed, "options": start.options,
            "stakes": to_builtins(make_house(start).stakes), "hands": documents, "totals": totals.to_json(),
        })  # fmt: skip
    else:
        _show_totals(totals.to_json())


def replay(
    log: Annotated[str, typer.Argument(metavar="LOG", help="A log of events, one a line; - for stdin.")],
    as_json: AsJson = False,
) -> None:
    """Print a game's log event by event: where the table stands after each. An illegal event is refused."""
    steps = list(guard(_replay(log), refuse_input(log)))
    if as_json:
        import msgspec

        from companion.table.view import state_json

        print_json_list(
            "events",
            (
                {"line": line, "event": msgspec.to_builtins(event), "state": state_json(state)}
                for line, event, state in steps
            ),
        )
    else:
        show_game(steps)


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Have the folder for what the block writes. A new one that is empty is removed where the
    block fails."""
    is_new = not folder.exists()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _make_error(folder, error) from error
    try:
        yield
    except BaseException:
        if is_new:
            with suppress(OSError):  # it holds something
                folder.rmdir()
        raise


def _write_log(path: Path, played: PlayedHand) -> Path:
    from companion.table.events import encode_log

    lines = encode_log([played.start, *(step.event for step in played.steps)])
    with writing_new(path, LOG_THERE) as file:
        file.writelines(lines)
    return path


def _make_error(folder: Path, error: OSError) -> MissingError:
    return MissingError(NO_FOLDER, folder=folder, why=name_reason(error))


class _Totals:
    """What comes of all hands together."""

    def __init__(self) -> None:
        self._endings: Counter[str] = Counter()
        self._points = [0, 0, 0, 0]
        self._hands = self._games = self._events = 0

    def add(self, played: PlayedHand) -> None:
        self._hands += 1
        self._games = played.game
        self._events += len(played.steps)
        self._endings[_find_ending(played)] += 1
        for seat, paid in enumerate(_sum_paid(played)):
            self._points[seat] += paid

    def to_json(self) -> dict[str, Any]:
        return {
            "hands": self._hands,
            "games": self._games,
            "won": self._hands - self._endings[DRAWN_HAND],
            "endings": dict(self._endings),
            "events": self._events,
            "points": self._points,
        }


def _find_ending(played: PlayedHand) -> str:
    """The source of the winning tile, or that nobody won."""
    hand = played.after.hand
    return hand.results[0].source.value if hand is not None and hand.results else DRAWN_HAND


def _sum_paid(played: PlayedHand) -> list[int]:
    """What each seat received in this hand, including payments for kongs."""
    entries = played.after.ledger[len(played.before.ledger) :]
    return [sum(entry.points[person] for entry in entries) for person in played.after.seated]


def _hand_json(number: int, played: PlayedHand, log: Path | None, film: Path | None) -> dict[str, Any]:
    from companion.table.view import result_json

    hand = played.after.hand
    assert hand is not None
    return {
        "number": number,
        "game": played.game,
        "dealer": hand.deal.dealer,
        "streak": hand.deal.streak,
        "round_wind": hand.deal.round_wind.code,
        "ending": _find_ending(played),
        "results": [result_json(result) for result in hand.results],
        "payments": _sum_paid(played),
        "points": list(played.after.balances),
        "events": len(played.steps),
        "log": None if log is None else str(log),
        "video": None if film is None else str(film),
    }


def _show_hand(number: int, played: PlayedHand) -> None:
    from companion.commands.output import describe_round, describe_win, format_points

    hand = played.after.hand
    assert hand is not None
    ended = "; ".join(describe_win(result) for result in hand.results) or "nobody wins"
    console().print(f"{number}  {describe_round(hand)}: {ended}. Payments {format_points(_sum_paid(played))}")


def _show_totals(totals: dict[str, Any]) -> None:
    from companion.commands.output import format_points

    endings = ", ".join(
        f"{write_number(n)} {ENDINGS[ending][n > 1]}" for ending, n in totals["endings"].items()
    )
    hands = "1 hand" if totals["hands"] == 1 else f"{write_number(totals['hands'])} hands"
    games = "1 game" if totals["games"] == 1 else f"{write_number(totals['games'])} games"
    payments = format_points(totals["points"])
    console().print(
        f"{hands} of {games}, {write_number(totals['events'])} events: {endings}. Payments {payments}"
    )


def _replay(name: str) -> Iterator[tuple[int, Event, State]]:
    """Each event with its line and the state after it, corrections in their place."""
    from companion.table.apply import apply
    from companion.table.events import decode_log, number_corrected
    from companion.table.state import check_length

    with open_lines(name, LOG_MAX_BYTES) as log_lines:
        read = list(decode_log(log_lines))
    lines = [line for line, _ in read]
    state: State | None = None
    for number, event in number_corrected(event for _, event in read):
        try:
            state = check_length(apply(state, event))
        except EventError as problem:
            template = REFUSED_BY if problem.ruling else REFUSED
            raise EventError(
                template, number=lines[number - 1], problem=problem, ruling=problem.ruling
            ) from None
        yield lines[number - 1], event, state
    if state is None:
        raise InputError(EMPTY, name=name)


def show_game(
    steps: Iterable[tuple[int, Event, State]],
    counted: str = "line",
    doubts: Mapping[int, float] | None = None,
) -> None:
    """Print each event with its number and where the table stands after it.

    counted: what the numbers count; doubts: by number, how certain those are that ought to be checked.
    """

    from companion.table.events import Dealt, HandStarted, Won
    from companion.table.state import Phase

    out, shown = console(), _make_table("The game", counted)
    before: State | None = None
    for line, event, state in steps:
        was, hand = None if before is None else before.hand, state.hand
        if isinstance(event, HandStarted):
            assert hand is not None
            out.print(shown)
            shown = _make_table(f"Hand {state.hands + 1}: {describe_round(hand)}", counted)
            if before is not None and before.seated != state.seated:
                shown.add_row("", "winner and idle player change places" + describe_seating(state))
        if hand is not None and hand.phase is Phase.SEA and was is not None and was.phase is not Phase.SEA:
            shown.add_row("", describe_sea(was))
        seat = getattr(event, "seat", None)
        there = "" if seat is None or hand is None else describe_tiles(hand.players[seat])
        p = (doubts or {}).get(line)
        said = describe_event(event, state) + ("" if p is None else f" (doubtful, {format_sure(p)})")
        shown.add_row(str(line), said, there, *describe_wall(state))
        if isinstance(event, Dealt) and hand is not None:
            for place in state.house.seats:
                shown.add_row("", f"seat {place}", describe_tiles(hand.players[place]))
        if isinstance(event, Won) and event.circumstances is not None:
            shown.add_row("", NOT_RECORDED)
        for entry in state.ledger[len(before.ledger) if before else 0 :]:
            shown.add_row("", describe_payment(entry, state.seated))
        if before is None or before.balances != state.balances:
            shown.add_row("", "points by seat", " ".join(map(write_number, state.balances)))
        if before is not None and before.playing and not state.playing:
            shown.add_row("", describe_next(state))
        before = state
    out.print(shown)
    sea = before.house.wall.sea if before else 0
    out.print(LEGEND.format(sea=WITH_SEA.format(sea=sea) if sea else ""))


def _make_table(title: str, counted: str) -> Table:
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    table.add_column(counted, justify="right")
    table.add_column("what happens", overflow="fold")
    table.add_column("the player's tiles", no_wrap=True)
    table.add_column("left", justify="right")
    table.add_column("next at", no_wrap=True)
    return table
