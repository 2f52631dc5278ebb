"""The score sheet, as the shell knows it: follows the game that is played, reads and corrects kept ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.app.effects import Effect, Say
from companion.app.feature import Controller, Page, Part
from companion.app.sheet.state import (
    ListGames,
    MoveBack,
    PutRight,
    ReadKept,
    ReckonPlayed,
    RemoveGame,
    SheetState,
    TakeBackCorrection,
)
from companion.errors import CompanionError
from companion.history import Game, shelf
from companion.history.bin import move_back, remove_game
from companion.running.deciding import Verdict
from companion.running.game import RunningGame
from companion.running.posting import Post
from companion.running.proposals import Source, SourceKind
from companion.running.updates import Decided, GameOpened, Moved, Update
from companion.sentences import Sentence, msgid
from companion.sheets.figures import reckon
from companion.sheets.hands import Sheet, make_sheet
from companion.table.events import Corrected, Event
from companion.table.log import decode_event

TOUCH = Source(SourceKind.TOUCH)
NOT_IN_GAME = msgid("{problem} Nothing was changed.")
Job = Callable[[SheetState], SheetState]


class SheetFeature:
    """Keeps nothing of its own on disk: a sheet is made of the game's events."""

    name = "sheet"
    part: Part | None = None

    def __init__(self, game: RunningGame, post: Post) -> None:
        self._game = game
        self._post = post
        self._known: Sheet | None = None

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
        match effect:
            case ReckonPlayed():
                controller.do(lambda state: self._reckon(state, controller))
            case ReadKept(kept):
                controller.work(lambda: _try(lambda: self._show(kept, _read_events(kept))))
            case ListGames():
                controller.work(lambda: _try(_list_games))
            case PutRight(None, number, right):
                self._game.correct(number, right, TOUCH)
            case PutRight(str(of), number, right):
                controller.work(lambda: _try(lambda: self._show(of, _correct(of, number, right))))
            case TakeBackCorrection(None):
                self._game.undo()
            case TakeBackCorrection(str(of)):
                controller.work(lambda: _try(lambda: self._show(of, _undo(of))))
            case RemoveGame(name):
                controller.work(lambda: _try(lambda: _remove(name)))
            case MoveBack(moved):

                def bring_back() -> Job:
                    move_back(moved)
                    return lambda state: state.work(None).also(ListGames())

                controller.work(lambda: _try(bring_back))

    def _hear(self, update: Update, controller: Controller[SheetState]) -> None:
        def take(state: SheetState) -> SheetState:
            played = state.played.take(update)
            return state if played == state.played else state.take_played(played)

        if not isinstance(update, GameOpened | Decided | Moved):
            return  # a device's report, of which there may be thousands
        if isinstance(update, Decided):
            decision = update.decision
            if decision.verdict is Verdict.REFUSED and isinstance(decision.proposal.event, Corrected):
                why = Sentence(NOT_IN_GAME, {"problem": decision.error})
                controller.do(lambda state: state.work(None).also(Say(why)))
        controller.do(take)

    def _reckon(self, state: SheetState, controller: Controller[SheetState]) -> SheetState:
        progress = state.played.progress
        if progress is not None:
            controller.work(lambda: _try(lambda: self._show(None, progress.events)))
        return state

    def _show(self, name: str | None, events: tuple[Event, ...]) -> Job:
        self._known = sheet = make_sheet(events, self._known)
        figures = reckon(sheet)
        return lambda state: state.show_sheet(name, sheet, figures)


def _try(job: Callable[[], Job]) -> Job:
    """What the job gives; where that is refused, the step that says why."""
    try:
        return job()
    except CompanionError as error:
        why = error.sentence
        return lambda state: state.work(None).also(Say(why))


def _read_events(name: str) -> tuple[Event, ...]:
    with Game.resume(shelf.find(name)) as game:
        return _list_events(game)


def _list_events(game: Game) -> tuple[Event, ...]:
    return tuple(decode_event(entry.event) for entry in game.file.standing)


def _correct(name: str, number: int, right: Event | None) -> tuple[Event, ...]:
    with Game.resume(shelf.find(name)) as game:
        game.append(Corrected(number=number, right=right))
        return _list_events(game)


def _undo(name: str) -> tuple[Event, ...]:
    with Game.resume(shelf.find(name)) as game:
        game.undo()
        return _list_events(game)


def _list_games() -> Job:
    names = tuple(shelf.names())
    return lambda state: state.work(None).list_games(names)


def _remove(name: str) -> Job:
    moved = remove_game(name)
    return lambda state: state.note_moved(moved)
