"""The score sheet, as the shell knows it: follows the game that is played, reads and corrects kept ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from companion.app.effects import Effect, Say
from companion.app.feature import Controller, Page, Part
from companion.app.hand_pictures import keep_pictures
from companion.app.refusals import describe_refusal
from companion.app.sheet import jobs
from companion.app.sheet.jobs import Step
from companion.app.sheet.shelf import (
    BringBack,
    CopyGame,
    Export,
    ListGames,
    MoveBack,
    ReadAside,
    ReadEvenings,
    ReadOn,
    RemoveGame,
    RenameGame,
    RestoreGame,
)
from companion.app.sheet.state import (
    AgreeCurrency,
    Compare,
    CopyText,
    Foresee,
    PutRight,
    ReadKept,
    ReckonPlayed,
    SheetState,
    TakeBackCorrection,
)
from companion.game.deciding import Verdict
from companion.game.proposals import Proposal, Source, SourceKind
from companion.game.shelf import bring_back, copy_game, remove_game, rename_game
from companion.game.updates import Decided, GameOpened, Moved, PlayedGame, Post, Update
from companion.images import Image
from companion.live.running import RunningGame
from companion.money import Currency
from companion.sentences import Sentence
from companion.sheets.hands import Sheet
from companion.table.events import Corrected, CurrencyAgreed
from companion.words import Words

TOUCH = Source(SourceKind.TOUCH)
WAIT_S = 20.0
"""The longest wait for the game's thread and the disk, away from the window's thread."""


class SheetFeature:
    """Keeps nothing of its own on disk: a sheet is made of the game's events."""

    name = "sheet"
    part: Part | None = None

    def __init__(self, game: RunningGame, post: Post, load: Callable[[Path], Image]) -> None:
        """load: opens a picture file."""
        self._game = game
        self._load = load
        self._post = post
        self._known: Sheet | None = None
        self._played = PlayedGame()

    def begin(self, kept: None, controller: Controller[SheetState]) -> SheetState:
        self._game.subscribe(lambda update: self._hear(update, controller), self._post)
        return SheetState()

    def keep(self, state: SheetState) -> None:
        return None

    def offer_pages(self, controller: Controller[SheetState]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.sheet.page import SheetPage

        return {"sheet": lambda: SheetPage(controller)}

    def close(self) -> None:
        """Nothing runs."""

    def perform(self, effect: Effect, controller: Controller[SheetState]) -> None:
        def work(job: Callable[[], Step]) -> None:
            controller.work(lambda: jobs.attempt(job))

        match effect:
            case ReckonPlayed():
                controller.do(lambda state: self._reckon(state, controller))
            case ReadKept(kept):
                work(lambda: self._show(kept, jobs.read_game(kept)))
            case Foresee(place, draft):
                self._with_sheet(controller, lambda sheet: work(lambda: jobs.foresee(sheet, place, draft)))
            case Compare(correction):
                self._with_sheet(controller, lambda sheet: work(lambda: jobs.compare(sheet, correction)))
            case PutRight(None):
                path = self._played.path
                work(lambda: self._put_right(effect, path))
            case PutRight(str(of)):
                work(lambda: self._put_right_kept(effect, of))
            case TakeBackCorrection(None):
                self._game.undo()
            case TakeBackCorrection(str(of)):
                work(lambda: self._show(of, jobs.undo(of)))
            case AgreeCurrency(None, currency):
                work(lambda: self._agree(currency))
            case AgreeCurrency(str(of), currency):
                work(lambda: self._show(of, jobs.agree(of, currency)))
            case CopyText(text):
                self._copy(text, controller)
            case ListGames():
                played = self._played
                work(lambda: jobs.list_games(played))
            case ReadOn(names):
                played = self._played
                work(lambda: jobs.read_on(names, played))
            case ReadAside(games):
                work(lambda: jobs.read_aside(games))
            case ReadEvenings(done):
                played = self._played
                work(lambda: jobs.read_all_evenings(done, played))
            case RemoveGame(name):
                work(lambda: jobs.note(remove_game(name)))
            case RenameGame(name, new_name):
                work(lambda: jobs.note(rename_game(name, new_name)))
            case CopyGame(name, new_name):
                work(lambda: jobs.note(copy_game(name, new_name)))
            case RestoreGame(name):
                work(lambda: jobs.restore(name))
            case BringBack(aside):
                work(lambda: jobs.note(bring_back(aside)))
            case MoveBack(moved):
                work(lambda: jobs.move_back(moved))
            case Export(form, words):
                controller.do(lambda state: self._export(state, form, words, controller))

    def _with_sheet(self, controller: Controller[SheetState], use: Callable[[Sheet], None]) -> None:
        """Hand the sheet that is shown to `use`, where there is one."""

        def take(state: SheetState) -> SheetState:
            if state.sheet is not None:
                use(state.sheet)
            return state

        controller.do(take)

    def _hear(self, update: Update, controller: Controller[SheetState]) -> None:
        def take(state: SheetState) -> SheetState:
            played = state.played.take(update)
            return state if played == state.played else state.take_played(played)

        if not isinstance(update, GameOpened | Decided | Moved):
            return  # a device's report, of which there may be thousands
        self._played = self._played.take(update)
        if isinstance(update, Decided):
            decision = update.decision
            event, error = decision.proposal.event, decision.error
            if (
                decision.verdict is Verdict.REFUSED
                and isinstance(event, Corrected | CurrencyAgreed)
                and error is not None
            ):
                why = describe_refusal(event, error)
                controller.do(lambda state: state.work(None).also(Say(why, passes=True)))
        controller.do(take)

    def _reckon(self, state: SheetState, controller: Controller[SheetState]) -> SheetState:
        progress, path = state.played.progress, state.played.path
        if progress is not None:
            game = jobs.ReadGame(path, progress.events, frozenset(progress.doubts))
            controller.work(lambda: jobs.attempt(lambda: self._show(None, game)))
        return state

    def _put_right(self, right: PutRight, path: Path | None) -> Step:
        """Have the game that is played take the correction; it answers by an update."""
        entered = self._game.propose(Proposal(right.correction, self._game.now_ns, TOUCH)).result(WAIT_S)
        if path is None or entered.verdict is not Verdict.ACCEPTED:
            return lambda state: state
        return _say_after(lambda state: state, keep_pictures(path, right.wins, right.pictures, self._load))

    def _agree(self, currency: Currency | None) -> Step:
        """Have the game that is played take the currency; it answers by an update."""
        agreed = CurrencyAgreed(currency=currency)
        self._game.propose(Proposal(agreed, self._game.now_ns, TOUCH)).result(WAIT_S)
        return lambda state: state

    def _copy(self, text: str, controller: Controller[SheetState]) -> None:
        from kivy.core.clipboard import Clipboard

        Clipboard.copy(text)
        controller.do(lambda state: state.also(Say(Sentence("Copied."), trouble=False)))

    def _put_right_kept(self, right: PutRight, name: str) -> Step:
        game = jobs.correct(name, right.correction)
        assert game.path is not None
        trouble = keep_pictures(game.path, right.wins, right.pictures, self._load)
        return _say_after(self._show(name, game), trouble)

    def _show(self, name: str | None, game: jobs.ReadGame) -> Step:
        self._known = game.make_sheet(self._known)
        return jobs.show(name, game, self._known)

    def _export(
        self, state: SheetState, form: str, words: Words, controller: Controller[SheetState]
    ) -> SheetState:
        sheet, name = state.sheet, state.shown_name or "mahjong"
        evenings = state.shelf.evenings if state.part == "evenings" else None
        if evenings is not None:
            controller.work(lambda: jobs.attempt(lambda: jobs.export_evenings(evenings, form, words)))
        elif sheet is not None:
            controller.work(lambda: jobs.attempt(lambda: jobs.export(sheet, name, form, words)))
        return state


def _say_after(step: Step, trouble: Sentence | None) -> Step:
    """The step, and what went wrong."""
    return step if trouble is None else lambda state: step(state).also(Say(trouble))
