"""What the score sheet shows, and the pure steps that it takes. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from companion.app.effects import Announce, ComeToFront, Effect, Say
from companion.app.feature import BarButton, FeatureState, Room
from companion.app.news import News, SheetWanted, StepShown, StepWanted
from companion.history.bin import MovedGame
from companion.running.played_game import PlayedGame
from companion.sentences import Sentence
from companion.sheets.figures import Figures
from companion.sheets.hands import Sheet, SheetHand, Step, list_steps
from companion.table.events import Corrected, Event

HANDS, FIGURES, GAMES = "hands", "figures", "games"


@dataclass(frozen=True, slots=True)
class ReckonPlayed(Effect):
    """Make the sheet of the game that is played anew."""


@dataclass(frozen=True, slots=True)
class ReadKept(Effect):
    """Read the kept game of that name."""

    name: str


@dataclass(frozen=True, slots=True)
class ListGames(Effect):
    """Look which games are kept."""


@dataclass(frozen=True, slots=True)
class PutRight(Effect):
    """Event `number` of the game that is shown was `right`, or nothing. name: None for the played game."""

    name: str | None
    number: int
    right: Event | None


@dataclass(frozen=True, slots=True)
class TakeBackCorrection(Effect):
    """Undo the correction that was entered last. name: as in PutRight."""

    name: str | None


@dataclass(frozen=True, slots=True)
class RemoveGame(Effect):
    """Set the kept game aside."""

    name: str


@dataclass(frozen=True, slots=True)
class MoveBack(Effect):
    """Undo what was done to a kept game's file."""

    moved: MovedGame


@dataclass(frozen=True, slots=True)
class SheetState(FeatureState):
    """name: of the kept game that is shown, None for the one that is played. part: what is shown of it.

    opened: the place of the hand that is looked at, `at` the step of it. steps: of that hand. running:
    whether it plays by itself. fixing: the event as it may have been instead, while it is put right. moved:
    what was done to kept games, for undo.
    """

    played: PlayedGame = field(default_factory=PlayedGame)
    name: str | None = None
    part: str = HANDS
    sheet: Sheet | None = None
    figures: Figures | None = None
    games: tuple[str, ...] = ()
    opened: int | None = None
    steps: tuple[Step, ...] = ()
    at: int = 0
    running: bool = False
    fixing: Event | None = None
    moved: tuple[MovedGame, ...] = ()

    @property
    def page(self) -> str:
        return "sheet"

    @property
    def title(self) -> Sentence | None:
        return Sentence("Score sheet")

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        return (BarButton("sheet", Sentence("Score sheet"), "picture", 120, SheetState.enter, in_front=True),)

    @property
    def room(self) -> Room | None:
        return Room.STEP if self.part == HANDS and self.step is not None and self.fixing is None else None

    @property
    def hand(self) -> SheetHand | None:
        """The hand that is opened."""
        if self.sheet is None or self.opened is None or self.opened >= len(self.sheet.hands):
            return None
        return self.sheet.hands[self.opened]

    @property
    def step(self) -> Step | None:
        return self.steps[self.at] if self.steps else None

    @property
    def can_undo_correction(self) -> bool:
        """Whether the last entry of the game is a correction."""
        return self.sheet is not None and isinstance(self.sheet.log[-1], Corrected)

    def enter(self) -> SheetState:
        """Show the sheet of the game that is played, or the kept games where none is."""
        return self.open_game(None)

    def open_game(self, name: str | None) -> SheetState:
        """Show that game's sheet."""
        after = replace(
            self, name=name, part=HANDS, sheet=None, figures=None, opened=None, steps=(), fixing=None
        ).also(ComeToFront(), Announce(StepShown()))
        if name is not None and name != self.played.name:
            return after.work(Sentence("Reading the game …")).also(ReadKept(name))
        after = replace(after, name=None)
        if self.played.path is None:
            return replace(after, part=GAMES).also(ListGames())
        return after.work(Sentence("Reading the game …")).also(ReckonPlayed())

    def choose_part(self, part: str) -> SheetState:
        """Show the hands, the figures, or the kept games."""
        after = replace(self.close_hand(), part=part)
        return after.also(ListGames()) if part == GAMES else after

    def take_played(self, played: PlayedGame) -> SheetState:
        """The game that is played has moved on."""
        after = replace(self, played=played)
        if self.name is None and played.path is not None and self.sheet is not None:
            return after.also(ReckonPlayed())
        return after

    def show_sheet(self, name: str | None, sheet: Sheet, figures: Figures) -> SheetState:
        """The sheet was read; a hand that is open stays open at its event."""
        if name != self.name:
            return self.work(None)
        number = self.step.number if self.step else None
        after = replace(self, sheet=sheet, figures=figures, fixing=None).work(None)
        if number is None:
            return after
        place = sheet.find_hand(number)
        return replace(after, opened=None, steps=()) if place is None else after.open_hand(place, number)

    def open_hand(self, place: int, number: int | None = None) -> SheetState:
        """Look at that hand, at its first event or at event `number`."""
        assert self.sheet is not None
        steps = list_steps(self.sheet.hands[place])
        at = next((i for i, step in enumerate(steps) if step.number == number), 0)
        return replace(self, opened=place, steps=steps, at=at, fixing=None, running=False)._tell_step()

    def close_hand(self) -> SheetState:
        return replace(self, opened=None, steps=(), fixing=None, running=False).also(Announce(StepShown()))

    def _tell_step(self) -> SheetState:
        """Have others hear which step is looked at."""
        if self.step is None or self.opened is None:
            return self
        return self.also(Announce(StepShown(self.sheet, self.opened, self.step.number, self.name)))

    def go(self, at: int) -> SheetState:
        """Look at that step of the hand."""
        at = max(0, min(at, len(self.steps) - 1))
        after = replace(self, at=at, fixing=None, running=self.running and at < len(self.steps) - 1)
        return after._tell_step()

    def run(self) -> SheetState:
        """Play the hand by itself, from its beginning where it is at its end; or stop."""
        ended = self.at >= len(self.steps) - 1
        return replace(self, running=not self.running, at=0 if ended else self.at)

    def fix(self, draft: Event | None) -> SheetState:
        """Change what the event may have been; None leaves it as it is."""
        return replace(self, fixing=draft, running=False)

    def confirm_fix(self, *, happened: bool = True) -> SheetState:
        """Have the event put right, or taken out."""
        if self.step is None:
            return self
        right = self.fixing if happened else None
        if happened and right == self.step.event:
            return replace(self, fixing=None)
        return self._wait().also(Say(None), PutRight(self.name, self.step.number, right))

    def take_back(self) -> SheetState:
        """Undo the correction that was entered last; where there is none, or kept games are shown, bring back
        the game that was set aside last."""
        if self.part == GAMES or not self.can_undo_correction:
            return self.undo_move()
        return self._wait().also(TakeBackCorrection(self.name))

    def _wait(self) -> SheetState:
        """Busy, where a kept game is changed; the game that is played answers by an update."""
        return self if self.name is None else self.work(Sentence("Changing the game …"))

    def list_games(self, names: tuple[str, ...]) -> SheetState:
        return replace(self, games=names)

    def remove(self, name: str) -> SheetState:
        """Set a kept game aside; the one that is played stays."""
        if name == self.played.name:
            return self.also(Say(Sentence("{name} is being played: it stays.", {"name": name})))
        return self.work(Sentence("Changing the game …")).also(RemoveGame(name))

    def note_moved(self, moved: MovedGame) -> SheetState:
        return (
            replace(self, moved=(*self.moved, moved))
            .work(None)
            .also(
                ListGames(), Say(Sentence("{name} was set aside.", {"name": moved.old.stem}), trouble=False)
            )
        )

    def undo_move(self) -> SheetState:
        """Bring back the kept game that was set aside last."""
        if not self.moved:
            return self
        after = replace(self, moved=self.moved[:-1]).work(Sentence("Changing the game …"))
        return after.also(MoveBack(self.moved[-1]))

    def step_back(self) -> SheetState:
        if self.fixing is not None:
            return replace(self, fixing=None)
        return self.close_hand() if self.opened is not None else FeatureState.step_back(self)

    def hear(self, news: News) -> SheetState:
        match news:
            case SheetWanted(name):
                return self.open_game(name)
            case StepWanted(number):
                return self._go_to(number)
        return self

    def _go_to(self, number: int) -> SheetState:
        """Look at event `number` of the hand that is open, and stay there."""
        at = next((i for i, step in enumerate(self.steps) if step.number == number), None)
        return self if at is None else replace(self, running=False).go(at).also(ComeToFront())


def name_people(sheet: Sheet, seats: tuple[str, str, str, str]) -> tuple[str, ...]:
    """What each person is called: by name, or as who sits at the window calls the seat."""
    return tuple(name or seats[person] for person, name in enumerate(sheet.names))
