"""What the score sheet shows, and the pure steps that it takes. No Kivy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.app.effects import Announce, ComeToFront, Effect, Say
from companion.app.feature import BarButton, FeatureState, Room
from companion.app.news import (
    HandPicture,
    News,
    PastWinTold,
    PastWinWanted,
    SheetWanted,
    StepShown,
    StepWanted,
)
from companion.app.sheet.look import (
    Draft,
    EndDraft,
    EventDraft,
    HandLook,
    draft_end,
    is_as_it_was,
    keep_look,
    look_at,
)
from companion.app.sheet.shelf import (
    Export,
    ListGames,
    MoveBack,
    ReadAside,
    ReadEvenings,
    RenameGame,
    Shelf,
    list_marked,
)
from companion.app.text import list_people
from companion.app.widgets.currencies import guess_currency
from companion.game.updates import PlayedGame
from companion.money import Currency, find_problem
from companion.sentences import Sentence
from companion.sheets.figures import Figures
from companion.sheets.hands import Correction, Sheet, SheetHand, Step
from companion.sheets.rewriting import ENDS, Change, Planned, find_end
from companion.table.events import Corrected, Won
from companion.words import Words

HANDS, SETTLING, FIGURES, EVENINGS, GAMES = "hands", "settling", "figures", "evenings", "games"


@dataclass(frozen=True, slots=True)
class ReckonPlayed(Effect):
    """Make the sheet of the game that is played anew."""


@dataclass(frozen=True, slots=True)
class ReadKept(Effect):
    """Read the kept game of that name."""

    name: str


@dataclass(frozen=True, slots=True)
class Foresee(Effect):
    """Work out what that draft changes in the sheet that is shown."""

    place: int
    draft: Draft


@dataclass(frozen=True, slots=True)
class Compare(Effect):
    """Work out what that correction has changed."""

    correction: Correction


@dataclass(frozen=True, slots=True)
class PutRight(Effect):
    """Enter that correction into the game that is shown, and keep pictures of the wins that it tells. name:
    None for the played game. wins: with the numbers of their events."""

    name: str | None
    correction: Corrected
    wins: tuple[tuple[int, Won], ...] = ()
    pictures: tuple[HandPicture | None, ...] = ()


@dataclass(frozen=True, slots=True)
class TakeBackCorrection(Effect):
    """Undo the correction that was entered last. name: as in PutRight."""

    name: str | None


@dataclass(frozen=True, slots=True)
class AgreeCurrency(Effect):
    """Enter into the game that is shown what its points are worth. name: as in PutRight. currency: None for
    points only."""

    name: str | None
    currency: Currency | None


@dataclass(frozen=True, slots=True)
class CopyText(Effect):
    """Put that text where other programs paste it from."""

    text: str


@dataclass(frozen=True, slots=True)
class SheetState(FeatureState):
    """name: of the kept game that is shown, None for the one that is played. part: what is shown of it.

    look: the hand that is looked at. pictures: of winning hands, by the numbers of their events. shelf: the
    kept games, and all evenings together. doubts: the numbers of the wins that nobody is sure of.
    opens_last: whether the hand that was over last is opened once the sheet is read; fixes: the number of an
    event whose hand is corrected then. drafted: the currency that is being chosen, not yet checked; None
    while none is.
    """

    played: PlayedGame = field(default_factory=PlayedGame)
    name: str | None = None
    part: str = HANDS
    sheet: Sheet | None = None
    figures: Figures | None = None
    pictures: tuple[tuple[int, Path], ...] = ()
    doubts: frozenset[int] = frozenset()
    look: HandLook | None = None
    shelf: Shelf = field(default_factory=Shelf)
    opens_last: bool = False
    fixes: int | None = None
    drafted: Currency | None = None

    @property
    def page(self) -> str:
        return "sheet"

    @property
    def title(self) -> Sentence | None:
        return Sentence("Score sheet")

    @property
    def is_settled(self) -> bool:
        fix = None if self.look is None else self.look.fix
        return fix is None or not fix.changed or fix.planned is not None or fix.problem is not None

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        return (BarButton("sheet", Sentence("Score sheet"), "picture", 120, SheetState.enter, in_front=True),)

    @property
    def room(self) -> Room | None:
        look = self.look
        is_hand = self.part == HANDS and look is not None and look.step is not None
        return Room.STEP if is_hand and look is not None and look.fix is None else None

    @property
    def people(self) -> tuple[str, ...]:
        step = self.step
        return () if self.sheet is None else list_people(step.state if step else self.sheet.state)

    @property
    def shown_name(self) -> str | None:
        """Under which the game that is shown is kept."""
        return self.name or self.played.name

    @property
    def hand(self) -> SheetHand | None:
        """The hand that is looked at."""
        if self.sheet is None or self.look is None or self.look.place >= len(self.sheet.hands):
            return None
        return self.sheet.hands[self.look.place]

    @property
    def step(self) -> Step | None:
        """The step of that hand that is shown."""
        return self.look.step if self.look else None

    @property
    def can_undo_correction(self) -> bool:
        """Whether the last entry of the game is a correction."""
        return self.sheet is not None and self.sheet.ends_in_correction

    # Which game, and which part of it.

    def enter(self) -> SheetState:
        """Show the sheet of the game that is played, or the kept games where none is."""
        return self.open_game(None)

    def open_game(self, name: str | None) -> SheetState:
        """Show that game's sheet."""
        after = replace(
            self, name=name, part=HANDS, sheet=None, figures=None, pictures=(), look=None, drafted=None
        ).also(ComeToFront(), Announce(StepShown()))  # fmt: skip
        if name is not None and name != self.played.name:
            return after.work(Sentence("Reading the game …")).also(ReadKept(name))
        after = replace(after, name=None)
        if self.played.path is None:
            return after.choose_part(GAMES)
        return after.work(Sentence("Reading the game …")).also(ReckonPlayed())

    def choose_part(self, part: str) -> SheetState:
        """Show the hands, the figures, all evenings, or the kept games."""
        after = replace(self.close_hand(), part=part, shelf=self.shelf.leave(), drafted=None)
        match part:
            case "games":
                return after.work(Sentence("Reading the games …")).also(ListGames())
            case "evenings":
                return after.work(Sentence("Reading the games …")).also(ReadEvenings())
        return after

    def take_played(self, played: PlayedGame) -> SheetState:
        """The game that is played has moved on."""
        after = replace(self, played=played)
        if self.name is None and played.path is not None and self.sheet is not None:
            return after.also(ReckonPlayed())
        return after

    def show_sheet(
        self, name: str | None, sheet: Sheet, figures: Figures, pictures: tuple[tuple[int, Path], ...] = (),
        doubts: frozenset[int] = frozenset(),
    ) -> SheetState:  # fmt: skip
        """The sheet was read; a hand that is looked at stays so."""
        if name != self.name:
            return self.work(None)
        shelf = self.shelf.mark(list_marked(sheet))
        is_agreed = self.sheet is not None and self.sheet.state.currency != sheet.state.currency
        after = replace(
            self, sheet=sheet, figures=figures, pictures=pictures, doubts=doubts, shelf=shelf,
            opens_last=False, fixes=None, drafted=None if is_agreed else self.drafted,
        ).work(None)  # fmt: skip
        if self.opens_last and sheet.hands:
            return after.open_hand(len(sheet.hands) - 1)
        wrong = None if self.fixes is None else sheet.find_hand(self.fixes)
        if wrong is not None:
            return after.open_hand(wrong).put_right()
        if self.look is None:
            return after
        return replace(after, look=keep_look(self.look, sheet))

    # The hand that is looked at.

    def open_hand(self, place: int, number: int | None = None) -> SheetState:
        """Look at that hand, at its result or at event `number`."""
        assert self.sheet is not None
        return replace(self, look=look_at(self.sheet, place, number))._tell_step()

    def close_hand(self) -> SheetState:
        return replace(self, look=None).also(Announce(StepShown()))

    def _tell_step(self) -> SheetState:
        """Have others hear which step is looked at, 0 for the result of the hand, or that none is."""
        look, sheet = self.look, self.sheet
        if look is None or look.step is None or sheet is None:
            return self.also(Announce(StepShown()))
        number = look.step.number if look.replays else 0
        return self.also(Announce(StepShown(sheet, look.place, number, self.name)))

    def turn_to(self, step: int) -> SheetState:
        """Look at the next hand, or the one before; nothing at the ends."""
        if self.sheet is None or self.look is None:
            return self
        place = self.look.place + step
        if not 0 <= place < len(self.sheet.hands):
            return self
        return replace(self, look=look_at(self.sheet, place).show_steps(self.look.replays))._tell_step()

    def in_hand(self, step: Callable[[HandLook], HandLook]) -> SheetState:
        """Take a step with the hand that is looked at."""
        if self.look is None:
            return self
        look, after = self.look, replace(self, look=step(self.look))
        assert after.look is not None
        is_other = (look.at, look.replays) != (after.look.at, after.look.replays)
        return after._tell_step() if is_other else after

    # Putting right.

    def put_right(self, at: int | None = None) -> SheetState:
        """Ask what it was: how the hand ended, or the event of step `at`."""
        look, hand = self.look, self.hand
        if look is None or hand is None:
            return self
        if at is None:
            end = draft_end(hand)
            if end is not None:
                return replace(self, look=look.begin_fix(end))
            ends = [i for i, step in enumerate(look.steps) if isinstance(step.event, ENDS)]
            at = ends[-1] if ends else look.at
        look = look.go(at)
        assert look.step is not None
        return replace(self, look=look.begin_fix(EventDraft(at, look.step.event)))

    def enter_anew(self, seat: int | None = None) -> SheetState:
        """Have the win of this hand told anew, by that seat or by one that is asked for."""
        hand = self.hand
        if hand is None:
            return self
        fortune = hand.after.hand.fortune if hand.after.hand else None
        before = find_end(hand).before
        return self.also(Announce(PastWinWanted(before, seat, fortune.code if fortune else None)))

    def draft(self, draft: Draft) -> SheetState:
        """It was so; find out what that changes."""
        look, hand = self.look, self.hand
        if look is None or hand is None:
            return self
        if is_as_it_was(draft, look, hand):
            return replace(self, look=look.begin_fix(draft))
        return replace(self, look=look.change_draft(draft)).also(Foresee(look.place, draft))

    def foresee(self, draft: Draft, planned: Planned | None, problem: Sentence | None) -> SheetState:
        return self.in_hand(lambda look: look.foresee(draft, planned, problem))

    def leave_fix(self) -> SheetState:
        """Leave it as it is."""
        return self.in_hand(lambda look: replace(look, fix=None))

    def confirm_fix(self) -> SheetState:
        """Have it put right as planned."""
        fix = self.look.fix if self.look else None
        if self.look is None or fix is None or fix.planned is None:
            return self
        after = replace(self, look=replace(self.look, fix=None))
        right = PutRight(self.name, fix.planned.correction)
        if isinstance(fix.draft, EndDraft) and fix.draft.told is not None and any(fix.draft.pictures):
            events = fix.planned.sheet.hands[self.look.place].events
            wins = tuple((number, event) for number, event in events if isinstance(event, Won))
            right = replace(right, wins=wins, pictures=fix.draft.pictures)
        return after._wait().also(Say(None), right)

    def compare(self, correction: Correction) -> SheetState:
        """Show what that correction has changed."""
        return self.also(Compare(correction))

    def show_compared(self, change: Change | None) -> SheetState:
        return self.in_hand(lambda look: replace(look, compared=change))

    def show_picture(self, number: int | None) -> SheetState:
        """Show the picture of that win large, or no longer."""
        return self.in_hand(lambda look: replace(look, picture=number))

    def take_back(self) -> SheetState:
        """Undo the correction that was entered last; where there is none, or kept games are shown, what was
        done last to kept games."""
        if self.part == GAMES or not self.can_undo_correction:
            return self.undo_move()
        return self._wait().also(TakeBackCorrection(self.name))

    @property
    def can_take_back(self) -> bool:
        return bool(self.shelf.moved) if self.part == GAMES else self.can_undo_correction

    def _wait(self) -> SheetState:
        """Busy, where a kept game is changed; the game that is played answers by an update."""
        return self if self.name is None else self.work(Sentence("Changing the game …"))

    # Settling up.

    @property
    def may_settle(self) -> bool:
        """Whether the points can be worth money: not in a practice game."""
        return self.sheet is None or self.sheet.state.house.practice is None

    @property
    def asked(self) -> Currency | None:
        """The currency that is being chosen: where none is agreed, one is always asked for."""
        if self.drafted is not None or self.sheet is None or self.sheet.state.currency is not None:
            return self.drafted
        return guess_currency(self.sheet.rules)

    def draft_currency(self, currency: Currency | None) -> SheetState:
        """Choose that currency next, without agreeing on it; None: none any more."""
        return replace(self, drafted=currency)

    def change_currency(self) -> SheetState:
        """Ask for another currency than the one that is agreed."""
        return self if self.sheet is None else self.draft_currency(self.sheet.state.currency)

    def agree_currency(self, currency: Currency | None) -> SheetState:
        """Have the game settled in that currency, or be for points only."""
        if self.sheet is None:
            return self
        if currency == self.sheet.state.currency:
            return self.draft_currency(None)
        problem = find_problem(currency) if currency is not None else None
        if problem is not None:
            return self.also(Say(problem, passes=True))
        return self._wait().also(AgreeCurrency(self.name, currency))

    def copy_text(self, text: str) -> SheetState:
        """Have that text copied."""
        return self.also(CopyText(text))

    # The kept games.

    def in_shelf(self, step: Callable[[Shelf], Shelf]) -> SheetState:
        """Take a step with the kept games."""
        return replace(self, shelf=step(self.shelf))

    def show_aside(self) -> SheetState:
        """Show what was set aside, and read what it is."""
        return self.in_shelf(lambda shelf: shelf.show_aside(True)).read_aside()

    def read_aside(self) -> SheetState:
        """Read what was set aside, where that is shown and not known."""
        unread = self.shelf.unread_aside
        return self.also(ReadAside(unread)) if unread else self

    def export(self, form: str, words: Words) -> SheetState:
        """Have the sheet written where people find it."""
        return self.work(Sentence("Writing the score sheet …")).also(Export(form, words))

    def change_games(self, effect: Effect) -> SheetState:
        """Do something to the files of kept games; but not rename one to the name that it has."""
        if isinstance(effect, RenameGame) and effect.name == effect.new_name:
            return self.in_shelf(Shelf.leave)
        return self.work(Sentence("Changing the game …")).also(effect)

    def undo_move(self) -> SheetState:
        """Take back what was done last to kept games."""
        if not self.shelf.moved:
            return self
        shelf, moved = self.shelf.forget_move()
        return replace(self, shelf=shelf).change_games(MoveBack(moved))

    def step_back(self) -> SheetState:
        look = self.look
        if look is not None and look.picture is not None:
            return self.show_picture(None)
        if look is not None and look.compared is not None:
            return self.show_compared(None)
        if look is not None and look.fix is not None:
            return self.leave_fix()
        if look is not None:
            return self.close_hand()
        if self.shelf.is_open:
            return self.in_shelf(Shelf.leave)
        if self.drafted is not None:
            return self.draft_currency(None)
        return FeatureState.step_back(self)

    def hear(self, news: News) -> SheetState:
        match news:
            case SheetWanted(name, at_last_hand, fixes, settles):
                after = replace(self.open_game(name), opens_last=at_last_hand, fixes=fixes)
                return replace(after, part=SETTLING) if settles and after.part == HANDS else after
            case StepWanted(number):
                return self._go_to(number)
            case PastWinTold(()):
                return self.also(ComeToFront())
            case PastWinTold(told, pictures):
                draft = EndDraft(told[0], told[0], told[1:], pictures=pictures)
                return self.draft(draft).also(ComeToFront())
        return self

    def _go_to(self, number: int) -> SheetState:
        """Look at event `number` of the hand that is open, and stay there."""
        steps = self.look.steps if self.look else ()
        at = next((i for i, step in enumerate(steps) if step.number == number), None)
        if at is None:
            return self
        return self.in_hand(lambda look: replace(look.go(at), runs=False)).also(ComeToFront())
