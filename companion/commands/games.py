"""`companion games …`: kept games are begun, added to, undone, listed, written out, read in, settled, rescued
and restored.

Each change is followed by a second copy of the game (`copied`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.commands import described
from companion.commands.game_start import (
    Coin,
    Options,
    People,
    Point,
    Profile,
    Rules,
    Stakes,
    Symbol,
    choose_currency,
    make_start,
)
from companion.commands.inputs import LOG_MAX_BYTES, AsJson, InLanguage, open_lines, refuse_input
from companion.commands.output import console, print_json, print_message
from companion.errors import CompanionError, GameFileError, InputError, quote
from companion.foreign import guard, reading
from companion.foreign_text import escape_json
from companion.named_files import writing, writing_new
from companion.sentences import Sentence, write_number
from companion.words import Language, Words
from companion.words.filling import SEAT_NAMES

if TYPE_CHECKING:
    from rich.table import Table

    from companion.game.exchange import EnteredLine, ImportedGame
    from companion.game.file import GameFile
    from companion.game.game import Game
    from companion.game.rescue import RescuedGame
    from companion.game.shelf import GameGlance
    from companion.sheets.figures import GameFigures, MoneyRanking
    from companion.table.events import Event

Name = Annotated[str, typer.Argument(metavar="NAME", help="A game, as companion games list names it.")]


EXISTS = "The file '{file}' exists already: give another name to --to, or delete the file first."
TO_CHECK = (
    "To check: {numbers}. A line for companion games add settles one, whether wrong or right:"
    ' {{"event":"corrected","number":NUMBER,"right":EVENT}}.'
)
PATTERNS_MAX = 20
"""Maximum number of winning patterns that are listed."""
TO_RESTORE = "companion games restore NAME brings a game back from its newest copy."
TO_RESCUE = "companion games rescue NAME NEW-NAME makes a new game of what is left of a damaged one."


class ExportForm(StrEnum):
    """What a game is written as."""

    LOG = "log"
    HISTORY = "history"
    CSV = "csv"
    JSON = "json"
    PDF = "pdf"
    PICTURE = "picture"
    SPREADSHEET = "spreadsheet"
    MJAI = "mjai"
    PMN = "pmn"


NEEDS_FILE = {
    ExportForm.PDF: "A PDF is written to a file: name one with --to FILE.",
    ExportForm.PICTURE: "A picture is written to a file: name one with --to FILE.",
    ExportForm.SPREADSHEET: "A spreadsheet is written to a file: name one with --to FILE.",
}
FOR_SPREADSHEETS = "--also is for a spreadsheet: add --as spreadsheet."
NO_SPREADSHEET_IN = "A spreadsheet is not imported: export the game as history, log, mjai or csv."
ZIP_START = b"PK\x03\x04"
"""With which an XLSX file begins."""
FOR_PMN = "--hand is for PMN: add --as pmn."


def list_games(as_json: AsJson = False) -> None:
    """List the kept games: rules, progress, and when each was last played."""
    from companion.game import shelf

    found = [_summarise(name) for name in shelf.names()]
    if as_json:
        print_json(found)
        return
    out = console()
    for game in found:
        out.print(f"{game['name']}  {game.get('error') or _format_summary(game)}")
    if found:
        out.print(f"\nTheir files are in {shelf.folder()}; to delete a game, delete its file and its copies.")
        if any(game.get("damaged") for game in found):
            out.print(TO_RESCUE)
            out.print(TO_RESTORE)
    else:
        out.print("No game is kept.")


@contextmanager
def offering_copy(name: str) -> Iterator[None]:
    """Whatever is wrong with the game of that name inside is reported with the copy that restores it."""
    try:
        yield
    except (GameFileError, InputError) as problem:
        from companion.game import copies

        said = copies.name_copy(name, problem.sentence)
        if said is problem.sentence:
            raise
        raise type(problem)(said.template, **said.params) from problem


def show_events(name: Name, as_json: AsJson = False) -> None:
    """Print the events of a game that stand, and where the table stands after each; doubtful ones are marked.

    With --json each has its number, the event, how certain it is (p), and whether it needs no check.
    """
    from companion.commands.table import show_game
    from companion.game import shelf
    from companion.game.facts import list_certainties
    from companion.game.game import Game
    from companion.game.owner import open_progress
    from companion.table.apply import apply
    from companion.table.events import number_corrected

    with offering_copy(name):
        progress = open_progress(Game.read(shelf.find(name)))
    doubts, state = progress.doubts, None
    steps = [
        (number, event, state := apply(state, event)) for number, event in number_corrected(progress.events)
    ]
    if as_json:
        from msgspec import to_builtins

        ps = list_certainties(progress.events, progress.ps)
        print_json({
            "name": name,
            "events": [
                {
                    "number": number,
                    "event": to_builtins(event),
                    "p": ps[number],
                    "certain": number not in doubts,
                }
                for number, event, _ in steps
            ],
        })  # fmt: skip
        return
    show_game(steps, "event", doubts)
    if doubts:
        console().print(TO_CHECK.format(numbers=", ".join(map(str, doubts))))


def export_game(
    name: Name,
    form: Annotated[
        ExportForm,
        typer.Option(
            "--as",
            help="log: the events that stand, one a line, as companion replay reads them. history: all that "
            "was ever entered, to make the same game of it elsewhere. csv: who paid whom, for spreadsheets. "
            "json: the score sheet for programs. pdf: the score sheet to print, with --to. picture: the "
            "evening as a PNG that fits a phone, with --to. spreadsheet: totals, who pays whom and every "
            "payment (XLSX), with --to. mjai: lines for programs that read mjai. pmn: the finished hands in "
            "Portable Majiang Notation.",
        ),
    ] = ExportForm.LOG,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="Write a file that is not there yet.")
    ] = None,
    language: Annotated[
        Language, typer.Option(help="Of a PDF, a picture or a spreadsheet: write it in that language.")
    ] = Language.ENGLISH,
    also: Annotated[
        list[str] | None,
        typer.Option("--also", metavar="NAME", help="Of a spreadsheet: write this game into it, too."),
    ] = None,
    hand: Annotated[
        int | None, typer.Option("--hand", metavar="N", min=1, help="Of PMN: write this hand only.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print a game as text, or write it to a file."""
    from companion.game import shelf
    from companion.game.exchange import encode_csv, history_lines, log_lines
    from companion.game.file import GameFile

    if form in NEEDS_FILE and to is None:
        raise InputError(NEEDS_FILE[form])
    if also and form is not ExportForm.SPREADSHEET:
        raise InputError(FOR_SPREADSHEETS)
    if hand is not None and form is not ExportForm.PMN:
        raise InputError(FOR_PMN)
    names = list(dict.fromkeys((name, *(also or ()))))
    files = {}
    for each in names:
        with offering_copy(each):
            files[each] = GameFile.read(shelf.find(each))
    file = files[name]
    if form is ExportForm.CSV:
        text = encode_csv(file)
    elif form is ExportForm.SPREADSHEET:
        text = _encode_spreadsheet(files, language)
    elif form in (ExportForm.MJAI, ExportForm.PMN):
        text = _encode_foreign(file, name, form, hand)
    elif form in (ExportForm.JSON, ExportForm.PDF, ExportForm.PICTURE):
        text = _encode_sheet(file, name, form, language)
    else:
        lines = log_lines(file) if form is ExportForm.LOG else history_lines(file)
        text = escape_json(b"".join(lines).decode()).encode()
    if to is not None:
        _write(to, text)
    if as_json:
        shown = {"file": str(to)} if to is not None else {"text": text.decode()}
        print_json({"name": name, "as": form.value, **shown})
    elif to is None:
        sys.stdout.buffer.write(text)


def _encode_sheet(file: GameFile, name: str, form: ExportForm, language: Language) -> bytes:
    """The score sheet of a game as a document."""
    from msgspec.json import encode

    from companion.sheets.as_json import sheet_json
    from companion.sheets.as_pdf import encode_pdf
    from companion.sheets.as_picture import encode_picture
    from companion.sheets.figures import find_day
    from companion.sheets.hands import make_sheet

    sheet = make_sheet(_list_events(file))
    day = find_day(file.header.begun)
    if form is ExportForm.PDF:
        return encode_pdf(sheet, name, Words(language), day)
    if form is ExportForm.PICTURE:
        return encode_picture(sheet, name, Words(language), day)
    return escape_json(encode(sheet_json(sheet)).decode() + "\n").encode()


def _encode_spreadsheet(files: Mapping[str, GameFile], language: Language) -> bytes:
    from companion.sheets.as_spreadsheet import NamedGame, encode_spreadsheet
    from companion.sheets.figures import find_day
    from companion.sheets.hands import make_sheet

    games = [
        NamedGame(name, make_sheet(_list_events(file)), find_day(file.header.begun))
        for name, file in files.items()
    ]
    return encode_spreadsheet(games, Words(language))


def _encode_foreign(file: GameFile, name: str, form: ExportForm, hand: int | None) -> bytes:
    """A game in a format of other programs."""
    from companion.formats.mjai import encode_mjai
    from companion.formats.pmn import encode_pmn
    from companion.sheets.figures import find_day

    events = _list_events(file)
    if form is ExportForm.PMN:
        return encode_pmn(events, name, find_day(file.header.begun), hand)
    return escape_json(b"".join(encode_mjai(events)).decode()).encode()


def _list_events(file: GameFile) -> list[Event]:
    """The events that stand."""
    from companion.table.events import decode_event

    return [decode_event(entry.event) for entry in file.standing]


def show_figures(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Only of these games; else of all.")
    ] = None,
    year: Annotated[
        int | None, typer.Option(metavar="YEAR", help="Only evenings that began in that year.")
    ] = None,
    rules: Annotated[str | None, typer.Option(metavar="NAME", help="Only evenings of that game.")] = None,
    people: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="NAME", help="Only evenings of these people and nobody else."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Add up what people won in all kept games: points, money, wins, deal-ins, patterns, best hands.

    Points are added for each game, its stakes and the value of a point by itself; money for each currency.
    People are the same where their names are; seats without a name are left out, and so are damaged games.
    """
    from companion.game import shelf
    from companion.sheets.as_json import evenings_json
    from companion.sheets.figures import Selection, choose_evenings, read_evenings
    from companion.sheets.wording import SAME_EVENING, describe_best

    for name in names or ():
        shelf.find(name)
    if rules is not None:
        rules = described.find_rules_name(rules)
    selection = Selection(year, rules, tuple(sorted(people)) if people else None)
    found = choose_evenings(read_evenings(names), selection)
    if as_json:
        print_json(evenings_json(found))
        return
    out, words = console(), Words(Language.ENGLISH)
    out.print(f"evenings: {found.evenings}, hands: {found.hands}")
    for game in found.games:
        out.print(_make_figures_table(game, words))
        if game.best is not None:
            out.print(f"best hand: {describe_best(game.best, words)}")
    for ranking in found.money:
        out.print(_make_money_table(ranking))
    for same, other in found.same:
        out.print(str(Sentence(SAME_EVENING, {"name": same, "other": other})))
    for each in found.patterns[:PATTERNS_MAX]:
        out.print(f"{each.wins:5}  {each.name} {each.name_zh}")


def _make_figures_table(game: GameFigures, words: Words) -> Table:
    from rich.table import Table

    from companion.money import format_money
    from companion.sheets.wording import describe_played

    table = Table(title=describe_played(game, words), title_justify="left")
    money = ["money"] if game.currency else []
    for head in (
        "name",
        "points",
        *money,
        "evenings",
        "hands",
        "wins",
        "self-draws",
        "deal-ins",
        "most deals in a row",
    ):
        table.add_column(head, justify="left" if head == "name" else "right")
    for at, one in enumerate(game.people):
        paid = [format_money(game.money[at], game.currency)] if game.currency else []
        figures = (one.evenings, one.hands, one.wins, one.self_draws, one.given, one.dealt)
        table.add_row(one.name, write_number(one.points, signed=True), *paid, *map(write_number, figures))
    return table


def _make_money_table(ranking: MoneyRanking) -> Table:
    from rich.table import Table

    from companion.money import Currency, format_money

    currency = Currency(ranking.symbol, "1", "1")
    table = Table(title=ranking.symbol, title_justify="left")
    for head in ("name", "money", "evenings"):
        table.add_column(head, justify="left" if head == "name" else "right")
    for one in ranking.people:
        table.add_row(one.name, format_money(one.amount, currency), str(one.evenings))
    return table


def import_game(
    name: Name,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A log, a history, mjai, a hand as PMN, or a table; - for stdin."
        ),
    ],
    rules: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The file is a table (csv), or PMN, of a game of these rules."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Import a game from a file. If a line is wrong, nothing is imported."""
    from companion.game import shelf
    from companion.game.file import GameFile
    from companion.game.game import Game

    path = shelf.path_of(name)
    if rules is not None:
        rules = described.find_rules_name(rules)
    with open_lines(file, LOG_MAX_BYTES) as lines, reading(refuse_input(file)):
        found = _read_game(lines, rules)
    with copied(Game(GameFile.create(path, found.entries, program=found.program, begun=found.begun))):
        pass
    show(name, as_json)


def _read_game(lines: Iterator[bytes], rules: str | None) -> ImportedGame:
    """A game from text that shows its format in the first line that is not blank."""
    from companion.formats.mjai import is_mjai, read_mjai
    from companion.formats.pmn import is_pmn, read_pmn
    from companion.game.exchange import decode_csv, read_game

    begun = []
    for line in lines:
        begun.append(line)
        if not line.isspace():
            break
    first = begun[-1] if begun else b""
    if first.startswith(ZIP_START):
        raise InputError(NO_SPREADSHEET_IN)
    lines = chain(begun, lines)
    if is_pmn(first):
        return read_pmn(lines, rules)
    if rules is not None:
        return decode_csv(lines, rules)
    return read_mjai(lines) if is_mjai(first) else read_game(lines)


def show(name: str, as_json: bool, **more: Any) -> None:
    """One kept game, as it is listed; `more` goes into the JSON document too."""
    game = _summarise(name)
    if as_json:
        print_json(game | more)
    else:
        console().print(f"{name}  {game.get('error') or _format_summary(game)}")


def _write(path: Path, text: bytes) -> None:
    """Make a new file, readable by its owner only, or none."""
    with writing_new(path, EXISTS) as out:
        out.write(text)


def _summarise(name: str) -> dict[str, Any]:
    from msgspec import to_builtins

    from companion.game import messages, shelf
    from companion.game.game import Game
    from companion.game.owner import open_progress

    path = shelf.FILES.path_of(name)
    summary: dict[str, Any] = {"name": name, "file": str(path)}
    try:
        game = Game.read(path)
        file, state = game.file, game.state
        return summary | {
            "doubtful": len(open_progress(game).doubts),
            "rules": state.house.rules.name,
            "practice": state.house.practice is not None,
            "stakes": to_builtins(state.house.stakes),
            "names": list(state.names),
            "points": list(state.points),
            "hands": state.hands,
            "payments": len(state.ledger),
            "playing": state.playing,
            "over": state.over,
            "events": len(file.standing),
            "entries": len(file.entries),
            "begun": file.header.begun,
            "last": file.entries[-1].at,
            "program": file.header.program,
        }
    except CompanionError as problem:
        damaged = problem.sentence.template in (messages.DAMAGED, messages.NOT_A_GAME)
        return summary | {"error": str(problem), "damaged": damaged}


def _format_summary(game: dict[str, Any]) -> str:
    from companion.rules import RULE_SETS

    seats = zip(game["names"], SEAT_NAMES, game["points"], strict=True)
    people = ", ".join(f"{name or seat}: {write_number(points)}" for name, seat, points in seats)
    counted = "payment" if game["payments"] and not game["hands"] else "hand"  # a table holds no hands
    count = game[f"{counted}s"]
    played = f"{write_number(count)} {counted}" + ("" if count == 1 else "s")
    now = ", over" if game["over"] else ", the next in play" if game["playing"] else ""
    doubt = f", {game['doubtful']} doubtful" if game["doubtful"] else ""
    title = RULE_SETS[game["rules"]].title + (" practice game" if game["practice"] else "")
    return f"{title}, {played}{now}{doubt}, {people}; last played {game['last'][:10]}"


BOTH = "Give --also-in FOLDER or --only-here, not both."


@contextmanager
def copied(game: Game) -> Iterator[Game]:
    """As `companion.game.copies.copied`; why a copy cannot be kept is one line on stderr."""
    from companion.game import copies

    with copies.copied(game, lambda trouble: print_message(str(trouble))):
        yield game


def list_copies(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Only of this game; by default of all.")
    ] = None,
    also_in: Annotated[
        Path | None,
        typer.Option(
            "--also-in",
            metavar="FOLDER",
            help="Keep copies in this folder too, such as one on another disk.",
        ),
    ] = None,
    only_here: Annotated[
        bool, typer.Option("--only-here", help="Keep copies in the data folder only.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the second copies of kept games: the last ten of each, one for each day on which it was changed.

    The program makes them when a game is left.
    """
    from companion.game import copies

    if also_in is not None and only_here:
        raise InputError(BOTH)
    if also_in is not None or only_here:
        copies.name_folder(also_in)
        for missing in copies.catch_up():
            print_message(str(missing))
    found, (folders, trouble) = copies.list_copies(name), copies.find_folders()
    if trouble and not (also_in or only_here):
        print_message(str(trouble))
    described = [(each, copies.glance_copy(each)) for each in found]
    if as_json:
        shown = [
            {
                "name": each.name,
                "copy": each.label,
                "file": str(each.path),
                "hands": None if game.trouble else game.hands,
                "names": None if game.trouble else list(game.names),
            }
            for each, game in described
        ]
        print_json({"folders": [str(folder) for folder in folders], "copies": shown})
        return
    out = console()
    for each, game in described:
        out.print(f"{each.name}  {each.label}  {_describe(game)}  {each.path}")
    out.print("Copies are kept in " + " and ".join(map(str, folders)) + ".")


def _describe(game: GameGlance) -> str:
    """How far the copied game is, and who plays."""
    if game.trouble is not None:
        return "cannot be read"
    hands = f"{game.hands} hand" + ("" if game.hands == 1 else "s")
    return f"{hands}, " + ", ".join(name or seat for name, seat in zip(game.names, SEAT_NAMES, strict=True))


def restore_game(
    name: Name,
    copy: Annotated[
        str | None,
        typer.Option(
            "--copy",
            metavar="DAY",
            help="As companion games copies lists it; by default the newest in which something was played.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Bring a game back from its newest intact copy, or from the one named.

    A file that has its name, usable or not, is moved to the folder of removed games first.
    """
    from companion.game import copies

    restored = copies.restore(name, copy)
    aside = restored.aside and str(restored.aside)
    for problem in restored.unusable:
        print_message(problem)
    show(name, as_json, copy=restored.copy.label, copy_file=str(restored.copy.path), aside=aside)
    if not as_json:
        console().print(f"Restored from the copy of {restored.copy.label}.")
        if aside:
            console().print(f"The file that was in its place is now {aside}.")
        if restored.others and copy is None:
            labels = dict.fromkeys(each.label for each in restored.others)
            console().print(f"Other copies: {', '.join(labels)}; --copy DAY restores one of them.")


Steps = Annotated[int, typer.Argument(metavar="STEPS", min=1, help="How many events.")]


def begin_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the new game.")],
    rules: Rules = None,
    profile: Profile = None,
    option: Options = None,
    player: People = None,
    stakes: Stakes = None,
    currency: Symbol = None,
    point: Point = None,
    coin: Coin = None,
    as_json: AsJson = False,
) -> None:
    """Start a game. Its rules, house options and stakes are saved with it.

    A ready-made profile brings its own stakes and currency; --stakes and --currency override them, and
    --currency '' plays for points only.
    """
    from companion.game import shelf
    from companion.game.game import Game

    start = make_start(rules, profile, option, player, stakes, currency, point, coin)
    with copied(Game.begin(shelf.path_of(name), start)):
        pass
    show(name, as_json)


def add_events(
    name: Name,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Lines of a log or a history; - for stdin.")
    ] = "-",
    as_json: AsJson = False,
) -> None:
    """Enter events, one a line, as they happen. Each is answered when it is on the disk.

    The first that cannot be ends it. With --json each answer is a document: the line, the entry's number, and
    whether it is new, which it is not where it came before under its key.
    """
    from companion.game import shelf
    from companion.game.exchange import enter_lines
    from companion.game.game import Game

    with offering_copy(name):
        kept = Game.resume(shelf.find(name))
    with copied(kept) as game, open_lines(file) as lines:
        for each in guard(enter_lines(game, lines), refuse_input(file)):
            if as_json:
                print_json({"line": each.number, "entry": each.entry.number, "new": each.new})
            else:
                console().print(f"{each.entry.number}  {_describe_entry(game, each)}")


def undo_events(name: Name, steps: Steps = 1, as_json: AsJson = False) -> None:
    """Take back the last events of a game: they stay in its file, and redo brings them back.

    Prints the number of this entry in the game's file, where undoing counts as an entry too, and the last
    event that stands. With --json also how many events stand, and how many redo can bring back.
    """
    from companion.game import shelf
    from companion.game.game import Game

    with offering_copy(name):
        kept = Game.resume(shelf.find(name))
    with copied(kept) as game:
        game.undo(steps)
        _show_where(game, as_json)


def redo_events(name: Name, steps: Steps = 1, as_json: AsJson = False) -> None:
    """Redo events that were undone, as long as no new one was entered.

    Prints the number of this entry in the game's file, and the last event that stands.
    """
    from companion.game import shelf
    from companion.game.game import Game

    with offering_copy(name):
        kept = Game.resume(shelf.find(name))
    with copied(kept) as game:
        game.redo(steps)
        _show_where(game, as_json)


def _describe_entry(game: Game, entry: EnteredLine) -> str:
    """What a line that was entered has led to."""
    from companion.commands.output import format_sure
    from companion.table.events import CERTAIN_FROM

    if not entry.new:
        return "entered before"
    if entry.line.certainty < CERTAIN_FROM:
        return f"{_describe_where(game)} ({format_sure(entry.line.certainty)})"
    if entry.line.steps:
        done = "undone" if entry.line.steps < 0 else "redone"
        return f"{abs(entry.line.steps)} {done}; {_describe_where(game)}"
    return _describe_where(game)


def _show_where(game: Game, as_json: bool) -> None:
    last = game.file.entries[-1]
    if as_json:
        standing = len(game.file.standing)
        print_json({"entry": last.number, "events": standing, "undone": len(game.file.undone)})
    else:
        console().print(f"{last.number}  the game stands after: {_describe_where(game)}")


def _describe_where(game: Game) -> str:
    """The last event that stands, how many tiles are left, and where the next one is."""
    from companion.commands.output import describe_event, describe_wall
    from companion.table.events import decode_event

    left, at = describe_wall(game.state)
    wall = f"; {left} left" + (f", next at {at}" if at else "") if left else ""
    return describe_event(decode_event(game.file.standing[-1].event), game.state) + wall


POINTS_MAY_DIFFER = (
    "The inserted events are a guess at what is lost. A hand that was ended early pays nothing, and the "
    "dealer's streak after it may be another: compare the points with your own notes."
)
LINES_MAX = 20
"""Maximum number of printed entries that were left out; all are in the file."""


def rescue_game(
    name: Name,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The name of the game that is made.")],
    rules: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The rule set, where the entry that begins the game is lost."),
    ] = None,
    profile: Profile = None,
    option: Options = None,
    player: People = None,
    stakes: Stakes = None,
    as_json: AsJson = False,
) -> None:
    """Make a new game of all that is intact in a damaged one, which is left as it is.

    Entries that are lost, or that cannot have happened without the lost ones, are listed with the reason, and
    written to a text file beside the new game.
    """
    from companion import files
    from companion.game import copies, shelf
    from companion.game.rescue import REPORT_SUFFIX, rescue

    path = shelf.path_of(new)
    start = None if rules is None and profile is None else make_start(rules, profile, option, player, stakes)
    rescued = rescue(shelf.find(name), path, start)
    for trouble in copies.keep(path, path.read_bytes()):
        print_message(str(trouble))
    report = None
    if rescued.left_out or rescued.put_in:
        report = path.with_suffix(REPORT_SUFFIX)
        with writing(report):
            files.write_whole(report, rescued.report())
    show(
        new,
        as_json,
        kept=rescued.kept,
        left_out=[each._asdict() for each in rescued.left_out],
        put_in=[each._asdict() for each in rescued.put_in],
        left_out_file=report and str(report),
    )
    if not as_json:
        _print_report(rescued)
        if rescued.put_in:
            console().print(POINTS_MAY_DIFFER)
        if report:
            console().print(f"All of this is in {report}.")


def _print_report(rescued: RescuedGame) -> None:
    out = console()
    out.print(f"Entries kept: {rescued.kept}; left out: {len(rescued.left_out)}.")
    lines = [(each.number, f"left out: {each.why} {each.text}".rstrip()) for each in rescued.left_out]
    lines += [(each.before, f"put in before it: {each.event}") for each in rescued.put_in]
    for number, line in sorted(lines, key=lambda each: each[0])[:LINES_MAX]:
        out.print(f"  {number}  {line}", markup=False, soft_wrap=True)
    if len(lines) > LINES_MAX:
        out.print(f"  … and {len(lines) - LINES_MAX} more")


NO_CURRENCY = (
    "The game {name} is for points only: --keep needs a currency, such as --currency NT$, and with --point"
    " what one point is worth."
)
NOT_SETTLED = "The game {name} is a practice game: practice games are not settled."


def settle_game(
    name: Name,
    currency: Symbol = None,
    point: Point = None,
    coin: Coin = None,
    keep: Annotated[
        bool,
        typer.Option(
            "--keep", help="Keep this currency with the game: its score sheet shows money from now on."
        ),
    ] = False,
    language: InLanguage = Language.ENGLISH,
    as_json: AsJson = False,
) -> None:
    """Settle up: what everybody has won, in points and in money, and who pays whom.

    The currency is the one that the game has, or the one that is given here. Amounts are rounded to the
    smallest coin and add up to 0; the transfers are as few as can be. A game that is not over is settled as
    it stands. The text can be copied as it is.
    """
    from companion.game import shelf
    from companion.game.game import Game
    from companion.sheets.as_json import settlement_json
    from companion.sheets.hands import make_sheet
    from companion.sheets.wording import write_settlement
    from companion.table.events import CurrencyAgreed, decode_event
    from companion.table.settling import POINTS, settle_up

    path = shelf.find(name)
    game = Game.read(path)
    if game.state.house.practice is not None:
        raise InputError(NOT_SETTLED, name=quote(name))
    chosen = choose_currency(game.state.currency, currency, point, coin)
    if keep and chosen is None:
        raise InputError(NO_CURRENCY, name=quote(name))
    if keep and chosen != game.state.currency:
        with copied(Game.resume(path)) as game:
            game.append(CurrencyAgreed(currency=chosen))
    sheet = make_sheet([decode_event(entry.event) for entry in game.file.standing])
    settlement = settle_up(sheet.state, chosen or POINTS)
    assert settlement is not None
    if as_json:
        shown = {"name": name, "rules": sheet.rules, "names": list(sheet.names), "over": sheet.state.over}
        print_json(shown | {"points": list(settlement.points)} | settlement_json(settlement))
    else:
        console().print(write_settlement(sheet, settlement, name, Words(language)))
