"""The score sheet, as the shell knows it, and its jobs away from the window's thread: reading, writing,
correcting and exporting games. Each job returns the step to take with its result. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from time import monotonic

from msgspec.json import encode, format
from msgspec.structs import replace as changed

from companion.app.effects import Effect, ShowMessage
from companion.app.feature import Controller, Page, SavedPart
from companion.app.hand_pictures import keep_pictures
from companion.app.mirror import GameMirror, GameUpdate
from companion.app.places import find_out_places, write_out
from companion.app.sheet.state import (
    EVENINGS,
    AgreeCurrency,
    ApplyCorrection,
    Compare,
    CopyText,
    Draft,
    EndDraft,
    Export,
    Foresee,
    MakePlayedSheet,
    ReadEvenings,
    ReadKept,
    SheetState,
    TakeBackCorrection,
)
from companion.app.text import describe_refusal
from companion.app.widgets.game_words import name_rules
from companion.errors import CompanionError, EventError
from companion.files import name_reason
from companion.game import shelf
from companion.game.copies import copied
from companion.game.deciding import Verdict
from companion.game.exchange import encode_rows, list_rows
from companion.game.facts import list_doubts
from companion.game.file import GameFile
from companion.game.game import Game
from companion.game.pictures import find_picture, folder_of
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.game.updates import Decided, PlayedGame
from companion.images import Image
from companion.live.running import RunningGame
from companion.money import Currency
from companion.sentences import Sentence, msgid
from companion.sheets.as_json import evenings_json, sheet_json
from companion.sheets.figures import (
    Evening,
    ManyEvenings,
    calculate_figures,
    find_day,
    list_figure_rows,
    make_evening,
    read_evening,
    read_evenings,
)
from companion.sheets.hands import Correction, Sheet, list_steps, make_sheet
from companion.sheets.rewriting import compare_sheets, make_sheet_without, plan_end, plan_step
from companion.sheets.wording import name_seated
from companion.table.events import Corrected, CurrencyAgreed, Event, GameStarted, Won, decode_event
from companion.words import Words

StateStep = Callable[[SheetState], SheetState]
SHEET_NAME = msgid("mahjong {rules} {game}")
EVENINGS_NAME = msgid("mahjong evenings to {day}")
SLICE_S = 0.3
"""Work of this feature never stands in line for longer, however many games there are."""
READING = msgid("Reading the games: {done} of {count} …")
SAVED_ON_STICK = msgid("Saved on the stick {stick}: {file}")
SAVED = msgid("Saved in your folder {folder}: {file}")
NO_ROOM = msgid("It could not be saved in {folder} ({why}): nothing was written.")


@dataclass(frozen=True, slots=True)
class ReadGame:
    """The events that stand in a game, and the path of its file, None if it has none. doubts: the numbers
    of those that a person ought to look at."""

    path: Path | None
    events: tuple[Event, ...]
    doubts: frozenset[int] = frozenset()

    def make_sheet(self, known: Sheet | None) -> Sheet:
        return make_sheet(self.events, known)


def attempt(job: Callable[[], StateStep]) -> StateStep:
    """The result of the job; if it is refused, the step that reports the reason."""
    try:
        return job()
    except CompanionError as error:
        why = error.sentence
        return lambda state: state.work(None).also(ShowMessage(why, passes=True))


def show(name: str | None, game: ReadGame, sheet: Sheet) -> StateStep:
    """Show that sheet, with the figures and pictures of its game."""
    figures, pictures = calculate_figures(sheet), _find_pictures(game, sheet)
    return lambda state: state.show_sheet(name, sheet, figures, pictures, game.doubts)


def _find_pictures(game: ReadGame, sheet: Sheet) -> tuple[tuple[int, Path], ...]:
    """The pictures of wins by the numbers of their events. One that was corrected has that of what was
    believed before."""
    if game.path is None or not folder_of(game.path).is_dir():
        return ()
    found = []
    for hand in sheet.hands:
        for number, event in hand.events:
            if not isinstance(event, Won):
                continue
            entered = ((number, event), *sheet.list_entered(number))
            wins = ((n, won) for n, won in entered if isinstance(won, Won))
            paths = (find_picture(game.path, n, won) for n, won in wins)
            path = next((path for path in paths if path is not None), None)
            if path is not None:
                found.append((number, path))
    return tuple(found)


def read_game(name: str) -> ReadGame:
    """The kept game of that name."""
    path = shelf.find(name)
    return _read(path, Game.read(path))


def correct(name: str, correction: Corrected) -> ReadGame:
    """The kept game with that correction, which is on the disk."""
    path = shelf.find(name)
    with copied(Game.resume(path), _pass_over, waits=False) as game:
        game.append(correction)
        return _read(path, game)


def agree(name: str, currency: Currency | None) -> ReadGame:
    """The kept game with that currency, which is on the disk."""
    path = shelf.find(name)
    with copied(Game.resume(path), _pass_over, waits=False) as game:
        game.append(CurrencyAgreed(currency=currency))
        return _read(path, game)


def undo(name: str) -> ReadGame:
    """The kept game without its last entry."""
    path = shelf.find(name)
    with copied(Game.resume(path), _pass_over, waits=False) as game:
        game.undo()
        return _read(path, game)


def _pass_over(trouble: Sentence) -> None:
    """Ignore why a copy could not be kept: it is in the log, and shown when the game is continued."""


def _read(path: Path, game: Game) -> ReadGame:
    standing = game.file.standing
    events = tuple(decode_event(entry.event) for entry in standing)
    return ReadGame(path, events, frozenset(list_doubts(events, [entry.p for entry in standing])))


def foresee(sheet: Sheet, place: int, draft: Draft) -> StateStep:
    """What the draft changes, or why it cannot have been so."""
    try:
        if isinstance(draft, EndDraft):
            planned = plan_end(sheet, place, draft.wins)
        else:
            planned = plan_step(sheet, place, list_steps(sheet.hands[place]), draft.at, draft.right)
    except EventError as error:
        why = find_reason(error)
        return lambda state: state.foresee(draft, None, why)
    return lambda state: state.foresee(draft, planned, None)


def find_reason(error: CompanionError) -> Sentence:
    """The reason at the bottom of an error, without the number of an event, which says nothing to players."""
    sentence = error.sentence
    while True:
        inner = next((sentence.params[k] for k in ("problem", "reason") if k in sentence.params), None)
        if isinstance(inner, CompanionError):
            inner = inner.sentence
        if not isinstance(inner, Sentence):
            return sentence
        sentence = inner


def compare(sheet: Sheet, correction: Correction) -> StateStep:
    """Both versions of what was corrected, side by side."""
    change = compare_sheets(make_sheet_without(sheet, correction), sheet)
    return lambda state: state.show_compared(change)


def read_all_evenings(done: int, played: PlayedGame) -> StateStep:
    """The figures of all games; if there are many that were not calculated before, of some more of
    them."""
    names, end = shelf.names(), monotonic() + SLICE_S
    for at, name in enumerate(names[done:], start=done):
        if at > done and monotonic() > end:
            said = Sentence(READING, {"done": at, "count": len(names)})
            return lambda state: (
                state.work(said).also(ReadEvenings(at)) if state.part == EVENINGS else state.work(None)
            )
        with suppress(CompanionError, OSError):
            read_evening(name)
    evenings = read_evenings([name for name in names if name != played.name], more=_list_evening(played))
    return lambda state: state.work(None).in_evenings(lambda found: found.know(evenings))


def _list_evening(played: PlayedGame) -> tuple[Evening, ...]:
    """The figures of the running game."""
    if played.progress is None or played.name is None:
        return ()
    return (make_evening(played.name, datetime.now(UTC).isoformat(), played.progress.events),)


def export(sheet: Sheet, name: str, form: str, words: Words) -> StateStep:
    """Write the sheet where people find it, and say where that is."""
    if form == "pdf":
        from companion.sheets.as_pdf import encode_pdf

        content = encode_pdf(sheet, name, words, _find_day(name))
    elif form == "png":
        from companion.sheets.as_picture import encode_picture

        content = encode_picture(sheet, name, words, _find_day(name))
    elif form == "json":
        content = format(encode(sheet_json(sheet)))
    else:
        content = encode_rows(list_rows(_name_all(sheet, words), words))
    return _save(words(SHEET_NAME, rules=name_rules(sheet.rules, words), game=name), form, content)


def _find_day(name: str) -> date | None:
    """When the game of that name was begun; today if it is being played."""
    try:
        return find_day(GameFile.read(shelf.find(name)).header.begun)
    except (CompanionError, OSError):
        return datetime.now().date()


def _name_all(sheet: Sheet, words: Words) -> tuple[Event, ...]:
    """The game's log, with everybody called as in the window."""
    start = sheet.log[0]
    assert isinstance(start, GameStarted)
    a, b, c, d = name_seated(sheet, words)
    return changed(start, names=(a, b, c, d)), *sheet.log[1:]


def export_evenings(evenings: ManyEvenings, form: str, words: Words) -> StateStep:
    """Write the figures of all evenings."""
    name = words(EVENINGS_NAME, day=f"{datetime.now():%Y-%m-%d}")
    if form == "json":
        return _save(name, form, format(encode(evenings_json(evenings))))
    return _save(name, "csv", encode_rows(list_figure_rows(evenings, words)))


def _save(name: str, suffix: str, content: bytes) -> StateStep:
    place = find_out_places()[0]
    try:
        path = write_out(place.folder, name, {suffix: content})
    except OSError as error:
        why = Sentence(NO_ROOM, {"folder": place.folder.name, "why": name_reason(error)})
        return lambda state: state.work(None).also(ShowMessage(why))
    said = Sentence(SAVED, {"folder": place.folder.name, "file": path.name})
    if place.stick is not None:
        said = Sentence(SAVED_ON_STICK, {"stick": place.stick, "file": path.name})
    return lambda state: state.work(None).also(ShowMessage(said, trouble=False))


TOUCH = Reporter(SourceKind.TOUCH)
WAIT_S = 20.0
"""The longest wait for the game's thread and the disk, away from the window's thread."""


class SheetFeature:
    """Keeps nothing of its own on disk: a sheet is made of the game's events."""

    name = "sheet"
    part: SavedPart | None = None

    def __init__(self, game: RunningGame, mirror: GameMirror, load: Callable[[Path], Image]) -> None:
        """load: opens a picture file."""
        self._game = game
        self._load = load
        self._mirror = mirror
        self._known: Sheet | None = None

    def begin(self, kept: None, controller: Controller[SheetState]) -> SheetState:
        self._mirror.listen(lambda update: self._on_game(update, controller))
        return SheetState()

    def keep(self, state: SheetState) -> None:
        return None

    def offer_pages(self, controller: Controller[SheetState]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.sheet.page import SheetPage

        return {"sheet": lambda: SheetPage(controller)}

    def close(self) -> None:
        """Nothing runs."""

    def perform(self, effect: Effect, controller: Controller[SheetState]) -> None:
        def work(job: Callable[[], StateStep]) -> None:
            controller.work(lambda: attempt(job))

        match effect:
            case MakePlayedSheet():
                controller.do(lambda state: self._make_played_sheet(state, controller))
            case ReadKept(kept):
                work(lambda: self._show(kept, read_game(kept)))
            case Foresee(place, draft):
                self._with_sheet(controller, lambda sheet: work(lambda: foresee(sheet, place, draft)))
            case Compare(correction):
                self._with_sheet(controller, lambda sheet: work(lambda: compare(sheet, correction)))
            case ApplyCorrection(None):
                path = self._mirror.played.path
                work(lambda: self._correct_played(effect, path))
            case ApplyCorrection(str(of)):
                work(lambda: self._correct_kept(effect, of))
            case TakeBackCorrection(None):
                self._game.undo()
            case TakeBackCorrection(str(of)):
                work(lambda: self._show(of, undo(of)))
            case AgreeCurrency(None, currency):
                work(lambda: self._agree(currency))
            case AgreeCurrency(str(of), currency):
                work(lambda: self._show(of, agree(of, currency)))
            case CopyText(text):
                self._copy(text, controller)
            case ReadEvenings(done):
                played = self._mirror.played
                work(lambda: read_all_evenings(done, played))
            case Export(form, words):
                controller.do(lambda state: self._export(state, form, words, controller))

    def _with_sheet(self, controller: Controller[SheetState], use: Callable[[Sheet], None]) -> None:
        """Hand the sheet that is shown to `use`, if there is one."""

        def take(state: SheetState) -> SheetState:
            if state.sheet is not None:
                use(state.sheet)
            return state

        controller.do(take)

    def _on_game(self, update: GameUpdate, controller: Controller[SheetState]) -> None:
        played = self._mirror.played
        if isinstance(update, Decided):
            decision = update.decision
            event, error = decision.proposal.event, decision.error
            if (
                decision.verdict is Verdict.REFUSED
                and isinstance(event, Corrected | CurrencyAgreed)
                and error is not None
            ):
                why = describe_refusal(event, error)
                controller.do(lambda state: state.work(None).also(ShowMessage(why, passes=True)))
        controller.do(lambda state: state if played == state.played else state.with_played(played))

    def _make_played_sheet(self, state: SheetState, controller: Controller[SheetState]) -> SheetState:
        progress, path = state.played.progress, state.played.path
        if progress is not None:
            game = ReadGame(path, progress.events, frozenset(progress.doubts))
            controller.work(lambda: attempt(lambda: self._show(None, game)))
        return state

    def _correct_played(self, right: ApplyCorrection, path: Path | None) -> StateStep:
        """Have the running game take the correction; it answers by an update."""
        entered = self._game.propose(Proposal(right.correction, self._game.now_ns, TOUCH)).result(WAIT_S)
        if path is None or entered.verdict is not Verdict.ACCEPTED:
            return lambda state: state
        return _say_after(lambda state: state, keep_pictures(path, right.wins, right.pictures, self._load))

    def _agree(self, currency: Currency | None) -> StateStep:
        """Have the running game take the currency; it answers by an update."""
        agreed = CurrencyAgreed(currency=currency)
        self._game.propose(Proposal(agreed, self._game.now_ns, TOUCH)).result(WAIT_S)
        return lambda state: state

    def _copy(self, text: str, controller: Controller[SheetState]) -> None:
        from kivy.core.clipboard import Clipboard

        Clipboard.copy(text)
        controller.do(lambda state: state.also(ShowMessage(Sentence("Copied."), trouble=False)))

    def _correct_kept(self, right: ApplyCorrection, name: str) -> StateStep:
        game = correct(name, right.correction)
        assert game.path is not None
        trouble = keep_pictures(game.path, right.wins, right.pictures, self._load)
        return _say_after(self._show(name, game), trouble)

    def _show(self, name: str | None, game: ReadGame) -> StateStep:
        self._known = game.make_sheet(self._known)
        return show(name, game, self._known)

    def _export(
        self, state: SheetState, form: str, words: Words, controller: Controller[SheetState]
    ) -> SheetState:
        sheet, name = state.sheet, state.shown_name or "mahjong"
        evenings = state.evenings.season if state.part == EVENINGS else None
        if evenings is not None:
            controller.work(lambda: attempt(lambda: export_evenings(evenings, form, words)))
        elif sheet is not None:
            controller.work(lambda: attempt(lambda: export(sheet, name, form, words)))
        return state


def _say_after(step: StateStep, trouble: Sentence | None) -> StateStep:
    """The step, and what went wrong."""
    return step if trouble is None else lambda state: step(state).also(ShowMessage(trouble))
