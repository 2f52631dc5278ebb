"""What the score sheet shows: the open game, the hand that is viewed or corrected, all evenings; and the
steps that change them. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.app.effects import ComeToFront, Effect, SendNews, ShowMessage
from companion.app.feature import BarButton, FeatureState, Room
from companion.app.news import (
    GamesWanted,
    HandPicture,
    News,
    PastWinEntered,
    PastWinWanted,
    PhonesWanted,
    SheetWanted,
    StepShown,
    StepWanted,
)
from companion.app.text import list_people
from companion.app.widgets.game_words import guess_currency
from companion.game.updates import PlayedGame
from companion.money import Currency, find_problem
from companion.sentences import Sentence
from companion.sheets.figures import EVERYTHING, Figures, ManyEvenings, Selection, choose_evenings
from companion.sheets.hands import Correction, Sheet, SheetHand, Step, list_steps
from companion.sheets.rewriting import (
    ENDS,
    Change,
    Planned,
    find_end,
    find_reported_win,
    is_made_up,
    list_concealed,
    tell_drawn,
)
from companion.table.events import Corrected, Event, Won
from companion.table.state import State
from companion.table.unrecorded import ReportedWin
from companion.words import Words


@dataclass(frozen=True, slots=True)
class EventDraft:
    """The event of step `at` may have been `right` instead, or nothing. tile_at: which tile of the hand that
    it shows is being replaced."""

    at: int
    right: Event | None
    tile_at: int | None = None


@dataclass(frozen=True, slots=True)
class EndDraft:
    """A draft of how the hand ended: a win as entered, or a draw. last: the win that was entered last, so
    that it can be restored. others: the wins of others on the same tile. tile_at: which tile of the winner is
    being replaced. pictures: those of the hands that were entered again, in the order of `wins`."""

    win: ReportedWin | None
    last: ReportedWin | None = None
    others: tuple[ReportedWin, ...] = ()
    tile_at: int | None = None
    pictures: tuple[HandPicture | None, ...] = ()

    @property
    def wins(self) -> tuple[ReportedWin, ...]:
        """All of them; empty if nobody won."""
        return (self.win, *self.others) if self.win else ()

    @property
    def tiles(self) -> tuple[str, ...]:
        """The winner's concealed tiles as codes, the winning one last, then the flowers."""
        win = self.win
        return tuple(tile.code for tile in (*list_concealed(win), *win.flowers)) if win else ()


Draft = EventDraft | EndDraft


@dataclass(frozen=True, slots=True)
class Fix:
    """What is being corrected. planned: the correction and what it changes, None while that is worked out;
    problem: why it cannot have been so. changed: whether the draft says anything new."""

    draft: Draft
    changed: bool = False
    planned: Planned | None = None
    problem: Sentence | None = None


@dataclass(frozen=True, slots=True)
class ShownHand:
    """place: of the hand in the sheet; steps: of it; at: the one that is shown. replays: whether the
    steps are shown, else the result; runs: whether they follow each other by themselves. compared: what a
    correction changed, while both versions are compared. picture: the number of the win whose picture is
    shown large."""

    place: int
    steps: tuple[Step, ...]
    at: int = 0
    replays: bool = False
    runs: bool = False
    fix: Fix | None = None
    compared: Change | None = None
    picture: int | None = None

    @property
    def step(self) -> Step | None:
        return self.steps[self.at] if self.steps else None

    def go(self, at: int) -> ShownHand:
        """Look at that step."""
        at = max(0, min(at, len(self.steps) - 1))
        return replace(self, at=at, replays=True, runs=self.runs and at < len(self.steps) - 1)

    def run(self) -> ShownHand:
        """Have the steps follow each other, from the first where the last is shown; or stop."""
        ended = self.at >= len(self.steps) - 1
        return replace(self, replays=True, runs=not self.runs, at=0 if ended and not self.runs else self.at)

    def turn(self, by: int) -> ShownHand:
        """Look at the step this many further on."""
        return self.go(self.at + by)

    def show_steps(self, replays: bool) -> ShownHand:
        return replace(self, replays=replays, runs=False)

    def begin_fix(self, draft: Draft) -> ShownHand:
        return replace(self, fix=Fix(draft), runs=False)

    def change_draft(self, draft: Draft) -> ShownHand:
        """Another draft, whose consequences are not known yet."""
        return replace(self, fix=Fix(draft, changed=True))

    def choose_tile(self, at: int | None) -> ShownHand:
        """Which tile is to be replaced; nothing has changed yet."""
        if self.fix is None:
            return self
        return replace(self, fix=replace(self.fix, draft=replace(self.fix.draft, tile_at=at)))

    def foresee(self, draft: Draft, planned: Planned | None, problem: Sentence | None) -> ShownHand:
        """It is known what that draft changes, or why it cannot be so."""
        if self.fix is None or not _is_same(self.fix.draft, draft):
            return self
        return replace(self, fix=replace(self.fix, planned=planned, problem=problem))


def look_at(sheet: Sheet, place: int, number: int | None = None) -> ShownHand:
    """The hand in that place, at its end, or at event `number`."""
    steps = list_steps(sheet.hands[place])
    at = next((i for i, step in enumerate(steps) if step.number == number), len(steps) - 1)
    return ShownHand(place, steps, at, replays=number is not None)


def keep_look(look: ShownHand, sheet: Sheet) -> ShownHand | None:
    """The same hand in a rebuilt sheet, at the same event if it is still in it."""
    step = look.step
    place = None if step is None else sheet.find_hand(step.number)
    if place is None:
        place = look.place if look.place < len(sheet.hands) else None
    if place is None:
        return None
    number = step.number if step is not None and look.replays else None
    found = look_at(sheet, place, number)
    at = min(look.at, len(found.steps) - 1) if look.replays else found.at
    return replace(found, at=at, replays=look.replays, picture=look.picture)


def draft_end(hand: SheetHand) -> EndDraft | None:
    """How the hand ended, if nothing else was recorded of it."""
    win = find_reported_win(hand)
    if win is None and not tell_drawn(hand):
        return None
    return EndDraft(win, win)


def is_as_it_was(draft: Draft, look: ShownHand, hand: SheetHand) -> bool:
    """Whether the draft says what stands there already, with no picture to be kept."""
    if isinstance(draft, EventDraft):
        return draft.right == look.steps[draft.at].event
    was = draft_end(hand)
    return was is not None and draft.wins == was.wins and not any(draft.pictures)


def _is_same(one: Draft, other: Draft) -> bool:
    return replace(one, tile_at=None) == replace(other, tile_at=None)


@dataclass(frozen=True, slots=True)
class ReadEvenings(Effect):
    """Calculate the figures of all kept games. done: how many are calculated."""

    done: int = 0


@dataclass(frozen=True, slots=True)
class Export(Effect):
    """Write the shown sheet as a file of that form, csv, json, pdf or png, in that language."""

    form: str
    words: Words


@dataclass(frozen=True, slots=True)
class AllEvenings:
    """all: the figures of all games together, None while those are not known; season: of those that are
    selected. marked: those whose figures are drawn, in the order in which each was first: by it everybody has
    the same mark wherever figures are drawn."""

    all: ManyEvenings | None = None
    selection: Selection = EVERYTHING
    season: ManyEvenings | None = None
    marked: tuple[str, ...] = ()

    def know(self, evenings: ManyEvenings) -> AllEvenings:
        known = replace(self, all=evenings).mark([one.name for one in evenings.people])
        return known.select(self.selection)

    def select(self, selection: Selection) -> AllEvenings:
        """Add up only those evenings."""
        season = None if self.all is None else choose_evenings(self.all, selection)
        return replace(self, selection=selection, season=season)

    def mark(self, people: Sequence[str]) -> AllEvenings:
        """Figures of these people are drawn."""
        new = tuple(one for one in people if one not in self.marked)
        return replace(self, marked=(*self.marked, *new)) if new else self


def list_marked(sheet: Sheet) -> list[str]:
    """By what those who played are known among all whose figures are drawn: names, else numbers."""
    names = sheet.state.names
    return [names[person] or f"#{person}" for person in sheet.people]


READING_ALL = Sentence("Reading the games …")
HANDS, SETTLING, FIGURES, EVENINGS = "hands", "settling", "figures", "evenings"


@dataclass(frozen=True, slots=True)
class MakePlayedSheet(Effect):
    """Rebuild the sheet of the running game."""


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
class ApplyCorrection(Effect):
    """Enter that correction into the game that is shown, and keep pictures of the wins that it tells. name:
    None for the played game. wins: with the numbers of their events."""

    name: str | None
    correction: Corrected
    wins: tuple[tuple[int, Won], ...] = ()
    pictures: tuple[HandPicture | None, ...] = ()


@dataclass(frozen=True, slots=True)
class TakeBackCorrection(Effect):
    """Undo the correction that was entered last. name: as in ApplyCorrection."""

    name: str | None


@dataclass(frozen=True, slots=True)
class AgreeCurrency(Effect):
    """Enter the currency of the open game. name: as in ApplyCorrection. currency: None for points only."""

    name: str | None
    currency: Currency | None


@dataclass(frozen=True, slots=True)
class CopyText(Effect):
    """Put that text where other programs paste it from."""

    text: str


@dataclass(frozen=True, slots=True)
class SheetState(FeatureState):
    """name: of the kept game that is shown, None for the running one. part: the shown part of it. look: the
    hand that is shown.

    pictures: of winning hands, by the numbers of their events. evenings: all of them together. doubts: the
    numbers of the wins that nobody is sure of. opens_last: whether the hand that was over last is opened once
    the sheet is read; fixes: the number of an event whose hand is corrected then; shows: of one that is
    replayed then. drafted: the currency that is being chosen, not yet checked; None while none is.
    """

    played: PlayedGame = field(default_factory=PlayedGame)
    name: str | None = None
    part: str = HANDS
    sheet: Sheet | None = None
    figures: Figures | None = None
    pictures: tuple[tuple[int, Path], ...] = ()
    doubts: frozenset[int] = frozenset()
    look: ShownHand | None = None
    evenings: AllEvenings = field(default_factory=AllEvenings)
    opens_last: bool = False
    fixes: int | None = None
    shows: int | None = None
    drafted: Currency | None = None

    @property
    def page(self) -> str:
        return "sheet"

    @property
    def title(self) -> Sentence | None:
        return Sentence("Score sheet")

    @property
    def is_ready_to_show(self) -> bool:
        fix = None if self.look is None else self.look.fix
        return fix is None or not fix.changed or fix.planned is not None or fix.problem is not None

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        words = Sentence("Score sheet")
        return (BarButton("sheet", words, "sheet", 120, SheetState.enter, in_front=True, fixed=True),)

    @property
    def room(self) -> Room | None:
        look = self.look
        is_hand = self.part == HANDS and look is not None and look.step is not None
        return Room.STEP if is_hand and self.has_steps and look is not None and look.fix is None else None

    @property
    def has_steps(self) -> bool:
        """Whether the hand that is shown was recorded, not only its end: there is something to replay."""
        hand = self.hand
        return hand is None or not is_made_up(event for _, event in hand.events)

    @property
    def can_undo(self) -> bool:
        return self.can_undo_correction and (self.look is None or self.look.fix is None)

    def undo(self) -> SheetState:
        return self.take_back()

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
        """The hand that is shown."""
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
        """Show the sheet of the running game."""
        return self.open_game(None)

    def open_game(self, name: str | None) -> SheetState:
        """Show that game's sheet."""
        after = replace(
            self, name=name, part=HANDS, sheet=None, figures=None, pictures=(), look=None, drafted=None
        ).also(ComeToFront(), SendNews(StepShown()))  # fmt: skip
        if name is not None and name != self.played.name:
            return after.work(Sentence("Reading the game …")).also(ReadKept(name))
        after = replace(after, name=None)
        if self.played.path is None:
            return after
        return after.work(Sentence("Reading the game …")).also(MakePlayedSheet())

    def choose_part(self, part: str) -> SheetState:
        """Show the hands, the figures, or all evenings."""
        after = replace(self.close_hand(), part=part, drafted=None)
        return after.work(READING_ALL).also(ReadEvenings()) if part == EVENINGS else after

    def with_played(self, played: PlayedGame) -> SheetState:
        """The running game has moved on."""
        after = replace(self, played=played)
        if self.name is None and played.path is not None and self.sheet is not None:
            return after.also(MakePlayedSheet())
        return after

    def show_sheet(
        self, name: str | None, sheet: Sheet, figures: Figures, pictures: tuple[tuple[int, Path], ...] = (),
        doubts: frozenset[int] = frozenset(),
    ) -> SheetState:  # fmt: skip
        """The sheet was read; a hand that is shown stays so."""
        if name != self.name:
            return self.work(None)
        evenings = self.evenings.mark(list_marked(sheet))
        is_agreed = self.sheet is not None and self.sheet.state.currency != sheet.state.currency
        after = replace(
            self, sheet=sheet, figures=figures, pictures=pictures, doubts=doubts, evenings=evenings,
            opens_last=False, fixes=None, shows=None, drafted=None if is_agreed else self.drafted,
        ).work(None)  # fmt: skip
        if self.opens_last and sheet.hands:
            return after.open_hand(len(sheet.hands) - 1)
        wrong = None if self.fixes is None else sheet.find_hand(self.fixes)
        if wrong is not None:
            return after.open_hand(wrong).begin_correction()
        replayed = None if self.shows is None else sheet.find_hand(self.shows)
        if replayed is not None:
            return after.open_hand(replayed, self.shows)
        if self.look is None:
            return after
        return replace(after, look=keep_look(self.look, sheet))

    # The hand that is looked at.

    def open_hand(self, place: int, number: int | None = None) -> SheetState:
        """Look at that hand, at its result or at event `number`."""
        assert self.sheet is not None
        return replace(self, look=look_at(self.sheet, place, number))._announce_step()

    def close_hand(self) -> SheetState:
        return replace(self, look=None).also(SendNews(StepShown()))

    def _announce_step(self) -> SheetState:
        """Tell the other features which step is shown, 0 for the result of the hand, or that none is."""
        look, sheet = self.look, self.sheet
        if look is None or look.step is None or sheet is None:
            return self.also(SendNews(StepShown()))
        number = look.step.number if look.replays else 0
        return self.also(SendNews(StepShown(sheet, look.place, number, self.name)))

    def turn_to(self, step: int) -> SheetState:
        """Look at the next hand, or the one before; nothing at the ends."""
        if self.sheet is None or self.look is None:
            return self
        place = self.look.place + step
        if not 0 <= place < len(self.sheet.hands):
            return self
        return replace(self, look=look_at(self.sheet, place).show_steps(self.look.replays))._announce_step()

    def in_hand(self, step: Callable[[ShownHand], ShownHand]) -> SheetState:
        """Take a step with the hand that is shown."""
        if self.look is None:
            return self
        look, after = self.look, replace(self, look=step(self.look))
        assert after.look is not None
        is_other = (look.at, look.replays) != (after.look.at, after.look.replays)
        return after._announce_step() if is_other else after

    # Putting right.

    def begin_correction(self, at: int | None = None) -> SheetState:
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

    def enter_again(self, seat: int | None = None) -> SheetState:
        """Have the win of this hand entered again, by that seat; None: by who has won it, if anybody has."""
        hand = self.hand
        if hand is None:
            return self
        fortune = hand.after.hand.fortune if hand.after.hand else None
        before = find_end(hand).before
        won = self._find_won(hand, before) if seat is None else None
        wanted = PastWinWanted(before, won.seat if won else seat, fortune.code if fortune else None, won)
        return self.also(SendNews(wanted))

    def _find_won(self, hand: SheetHand, before: State) -> ReportedWin | None:
        """The win as it was entered last, or as the game knows it."""
        draft = self.look.fix.draft if self.look and self.look.fix else None
        if isinstance(draft, EndDraft) and draft.win is not None:
            return draft.win
        if not hand.wins:
            return None
        first = hand.wins[0]
        giver = None if first.giver is None else before.seated.index(first.giver)
        return ReportedWin(before.seated.index(first.winner), first.source, giver)

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
        """Have it corrected as planned."""
        fix = self.look.fix if self.look else None
        if self.look is None or fix is None or fix.planned is None:
            return self
        after = replace(self, look=replace(self.look, fix=None))
        right = ApplyCorrection(self.name, fix.planned.correction)
        if isinstance(fix.draft, EndDraft) and fix.draft.win is not None and any(fix.draft.pictures):
            events = fix.planned.sheet.hands[self.look.place].events
            wins = tuple((number, event) for number, event in events if isinstance(event, Won))
            right = replace(right, wins=wins, pictures=fix.draft.pictures)
        return after._wait().also(ShowMessage(None), right)

    def compare(self, correction: Correction) -> SheetState:
        """Show what that correction has changed."""
        return self.also(Compare(correction))

    def show_compared(self, change: Change | None) -> SheetState:
        return self.in_hand(lambda look: replace(look, compared=change))

    def show_picture(self, number: int | None) -> SheetState:
        """Show the picture of that win large, or no longer."""
        return self.in_hand(lambda look: replace(look, picture=number))

    def take_back(self) -> SheetState:
        """Undo the correction that was entered last."""
        return self._wait().also(TakeBackCorrection(self.name)) if self.can_undo_correction else self

    def _wait(self) -> SheetState:
        """Busy, where a kept game is changed; the running game answers by an update."""
        return self if self.name is None else self.work(Sentence("Changing the game …"))

    # Settling up.

    @property
    def may_settle(self) -> bool:
        """Whether the points can be worth money: not in a practice game."""
        return self.sheet is None or self.sheet.state.house.practice is None

    def draft_currency(self, currency: Currency | None) -> SheetState:
        """Choose that currency next, without agreeing on it; None: none any more."""
        return replace(self, drafted=currency)

    def change_currency(self) -> SheetState:
        """Ask for another currency than the one that is agreed, or for a first one."""
        if self.sheet is None:
            return self
        return self.draft_currency(self.sheet.state.currency or guess_currency(self.sheet.rules))

    def agree_currency(self, currency: Currency | None) -> SheetState:
        """Have the game settled in that currency, or be for points only."""
        if self.sheet is None:
            return self
        if currency == self.sheet.state.currency:
            return self.draft_currency(None)
        problem = find_problem(currency) if currency is not None else None
        if problem is not None:
            return self.also(ShowMessage(problem, passes=True))
        return self._wait().also(AgreeCurrency(self.name, currency))

    def copy_text(self, text: str) -> SheetState:
        """Have that text copied."""
        return self.also(CopyText(text))

    # All evenings, files and other pages.

    def in_evenings(self, step: Callable[[AllEvenings], AllEvenings]) -> SheetState:
        """Take a step with all evenings."""
        return replace(self, evenings=step(self.evenings))

    def list_games(self) -> SheetState:
        """Have the list of games shown."""
        return self.also(SendNews(GamesWanted()))

    def show_phones(self) -> SheetState:
        """Have the page of phones and television shown."""
        return self.also(SendNews(PhonesWanted()))

    def export(self, form: str, words: Words) -> SheetState:
        """Have the sheet written where people find it."""
        return self.work(Sentence("Writing the score sheet …")).also(Export(form, words))

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
        if self.drafted is not None:
            return self.draft_currency(None)
        return FeatureState.step_back(self)

    def on_news(self, news: News) -> SheetState:
        match news:
            case SheetWanted(name, at_last_hand, fixes, settles, shows):
                after = replace(self.open_game(name), opens_last=at_last_hand, fixes=fixes, shows=shows)
                return replace(after, part=SETTLING) if settles and after.part == HANDS else after
            case StepWanted(number):
                return self._go_to(number)
            case PastWinEntered(()):
                return self.also(ComeToFront())
            case PastWinEntered(wins, pictures):
                draft = EndDraft(wins[0], wins[0], wins[1:], pictures=pictures)
                return self.draft(draft).also(ComeToFront())
        return self

    def _go_to(self, number: int) -> SheetState:
        """Look at event `number` of the hand that is open, and stay there."""
        steps = self.look.steps if self.look else ()
        at = next((i for i, step in enumerate(steps) if step.number == number), None)
        if at is None:
            return self
        return self.in_hand(lambda look: replace(look.go(at), runs=False)).also(ComeToFront())
