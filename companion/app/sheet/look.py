"""A hand that is looked at: its result, its steps one by one, and what is put right of it. Pure, no Kivy."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

from companion.app.news import HandPicture
from companion.sentences import Sentence
from companion.sheets.hands import Sheet, SheetHand, Step, list_steps
from companion.sheets.rewriting import (
    Change,
    Planned,
    find_reported_win,
    is_made_up,
    list_concealed,
    tell_drawn,
)
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    ReadyDeclared,
)
from companion.table.unrecorded import ReportedWin

MADE_UP = (Dealt, Drawn, Discarded, Claimed, ConcealedKong, AddedKong, FlowerSetOut, ReadyDeclared)
"""Of a hand that nobody recorded, what must have happened before its end; nobody knows when."""


@dataclass(frozen=True, slots=True)
class EventDraft:
    """The event of step `at` may have been `right` instead, or nothing. tile_at: which tile of the hand that
    it shows is being replaced."""

    at: int
    right: Event | None
    tile_at: int | None = None


@dataclass(frozen=True, slots=True)
class EndDraft:
    """The hand may have ended so: won as told, or by nobody. last: the win that was told last, so that it can
    be had back. others: of those who won on the same tile. tile_at: which tile of the winner is being
    replaced. pictures: of the hands that were told anew, in the order of `wins`."""

    told: ReportedWin | None
    last: ReportedWin | None = None
    others: tuple[ReportedWin, ...] = ()
    tile_at: int | None = None
    pictures: tuple[HandPicture | None, ...] = ()

    @property
    def wins(self) -> tuple[ReportedWin, ...]:
        """All of them; empty where nobody won."""
        return (self.told, *self.others) if self.told else ()

    @property
    def tiles(self) -> tuple[str, ...]:
        """The winner's concealed tiles as codes, the winning one last, then the flowers."""
        told = self.told
        return tuple(tile.code for tile in (*list_concealed(told), *told.flowers)) if told else ()


Draft = EventDraft | EndDraft


@dataclass(frozen=True, slots=True)
class Fix:
    """What is being put right. planned: the correction and what it changes, None while that is worked out;
    problem: why it cannot have been so. changed: whether the draft says anything new."""

    draft: Draft
    changed: bool = False
    planned: Planned | None = None
    problem: Sentence | None = None


@dataclass(frozen=True, slots=True)
class HandLook:
    """place: of the hand in the sheet; steps: of it; at: the one that is looked at. replays: whether the
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

    @property
    def told(self) -> tuple[int, ...]:
        """The places of the steps that are shown: all, or what people said where nobody recorded the hand."""
        if not is_made_up(step.event for step in self.steps):
            return tuple(range(len(self.steps)))
        return tuple(at for at, step in enumerate(self.steps) if not isinstance(step.event, MADE_UP))

    @property
    def told_at(self) -> int:
        """Of those the one that is looked at, or the last before it."""
        return max(0, bisect_right(self.told, self.at) - 1)

    def go(self, at: int) -> HandLook:
        """Look at that step."""
        at = max(0, min(at, len(self.steps) - 1))
        return replace(self, at=at, replays=True, runs=self.runs and at < len(self.steps) - 1)

    def run(self) -> HandLook:
        """Have the steps follow each other, from the first where the last is shown; or stop."""
        ended = self.at >= len(self.steps) - 1
        return replace(self, replays=True, runs=not self.runs, at=0 if ended and not self.runs else self.at)

    def turn(self, by: int) -> HandLook:
        """Look at the step so many further on, of those that are shown."""
        return self.go_told(self.told_at + by)

    def go_told(self, at: int) -> HandLook:
        """Look at that one of the steps that are shown."""
        told = self.told
        return self.go(told[max(0, min(at, len(told) - 1))]) if told else self

    def show_steps(self, replays: bool) -> HandLook:
        return replace(self, replays=replays, runs=False)

    def begin_fix(self, draft: Draft) -> HandLook:
        return replace(self, fix=Fix(draft), runs=False)

    def change_draft(self, draft: Draft) -> HandLook:
        """Another draft, of which it is not known yet what it changes."""
        return replace(self, fix=Fix(draft, changed=True))

    def choose_tile(self, at: int | None) -> HandLook:
        """Which tile is to be replaced; nothing has changed yet."""
        if self.fix is None:
            return self
        return replace(self, fix=replace(self.fix, draft=replace(self.fix.draft, tile_at=at)))

    def foresee(self, draft: Draft, planned: Planned | None, problem: Sentence | None) -> HandLook:
        """It is known what that draft changes, or why it cannot be so."""
        if self.fix is None or not _is_same(self.fix.draft, draft):
            return self
        return replace(self, fix=replace(self.fix, planned=planned, problem=problem))


def look_at(sheet: Sheet, place: int, number: int | None = None) -> HandLook:
    """The hand in that place, at its end, or at event `number`."""
    steps = list_steps(sheet.hands[place])
    at = next((i for i, step in enumerate(steps) if step.number == number), len(steps) - 1)
    return HandLook(place, steps, at, replays=number is not None)


def keep_look(look: HandLook, sheet: Sheet) -> HandLook | None:
    """The same hand of a sheet that was made anew, at the same event where it is still there."""
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
    """How the hand ended, where nothing else was recorded of it."""
    told = find_reported_win(hand)
    if told is None and not tell_drawn(hand):
        return None
    return EndDraft(told, told)


def is_as_it_was(draft: Draft, look: HandLook, hand: SheetHand) -> bool:
    """Whether the draft says what stands there already, with no picture to be kept."""
    if isinstance(draft, EventDraft):
        return draft.right == look.steps[draft.at].event
    was = draft_end(hand)
    return was is not None and draft.wins == was.wins and not any(draft.pictures)


def _is_same(one: Draft, other: Draft) -> bool:
    return replace(one, tile_at=None) == replace(other, tile_at=None)
