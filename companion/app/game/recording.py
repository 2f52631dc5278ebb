"""The game that is open at the table, and what people enter into it by touch. No Kivy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from companion.app.effects import Announce, Ask, Say
from companion.app.feature import FeatureState
from companion.app.game.effects import BringBack, Correct, Enter, Plan, TakeBack
from companion.app.game.entering import NO_STEPS, Steps
from companion.app.game.followed import Entry, Followed
from companion.app.news import HandEndWanted, NextGameWanted, SheetWanted, WinEntryWanted
from companion.app.text import list_people
from companion.game.deciding import Progress
from companion.sentences import Sentence
from companion.table.events import Dealt, Event, HandStarted
from companion.table.state import Phase, State


class Side(StrEnum):
    """What is shown beside the table."""

    KEYS = "keys"
    EVENTS = "events"
    CAMERA = "camera"


@dataclass(frozen=True, slots=True)
class Recording(FeatureState):
    """plan: what is played and followed, or would be. followed: the game that is open, None before; steps:
    what of it can be taken back and brought back. acting: whose side was touched; dice: those touched for the
    throw that is next; kong: whether a kong is about to be chosen; selected: the number of the event that a
    person puts right. wins_only: whether the tiles of a hand are not recorded.
    """

    plan: Plan
    followed: Followed | None = None
    steps: Steps = NO_STEPS
    wins_only: bool = False
    side: Side = Side.KEYS
    acting: int | None = None
    dice: tuple[int, ...] = ()
    kong: bool = False
    selected: int | None = None

    @property
    def entry(self) -> Entry | None:
        """The event that a person puts right."""
        return self.followed.find(self.selected) if self.followed else None

    @property
    def game(self) -> State | None:
        """How the game that is open stands."""
        return self.followed.state if self.followed else None

    @property
    def people(self) -> tuple[str, ...]:
        return list_people(self.game)

    def see(self, change: Callable[[Followed], Followed]) -> Self:
        """More is known of the game."""
        if self.followed is None:
            return self
        followed = change(self.followed)
        known = followed.find(self.selected) is not None
        return replace(self, followed=followed, selected=self.selected if known else None)

    def take_event(self, event: Event, certain: bool, progress: Progress) -> Self:
        """An event has come into the game's log, which ends with it now."""
        seen = self.see(lambda known: known.take(event, certain, progress))
        return replace(seen, steps=Steps.of(progress))._settle_touches()

    def offer_win(self, seat: int) -> Self:
        """The camera saw that player win: all four are to see what it pays."""
        said = Sentence("{who} wins, as the camera saw it.", {"who": self.people[seat]})
        return self.also(Ask(said, Sentence("Show everyone"), SheetWanted(at_last_hand=True)))

    def move(self, progress: Progress) -> Self:
        """Events were taken back or brought back."""
        moved = self.see(lambda known: known.move(progress))
        return replace(moved, steps=Steps.of(progress))._settle_touches()

    def _settle_touches(self) -> Self:
        """What was being chosen for the state before is chosen no more."""
        return replace(self, acting=None, dice=(), kong=False)

    # Recording by touch.

    def touch_seat(self, seat: int) -> Self:
        """What that player does comes next; touched again, what the one does whose turn it is."""
        game = self.game
        if game is None or seat not in game.house.seats:
            return self
        return replace(
            self, acting=None if seat == self.acting else seat, kong=False, selected=None, side=Side.KEYS
        )

    def record(self, *events: Event) -> Self:
        """These happened."""
        return self.also(Say(None), Enter(events))

    def touch_die(self, face: int) -> Self:
        """The next die shows that; the last one begins the hand."""
        game = self.game
        if game is None:
            return self
        dice = (*self.dice, face)
        if game.playing:  # the throw for the indicator, which is touched next
            return replace(self, dice=dice[-game.house.wall.indicator_dice :])
        if len(dice) < game.house.wall.dice[0]:
            return replace(self, dice=dice)
        return self.begin_hand(dice)

    def begin_hand(self, dice: tuple[int, ...] | None = None) -> Self:
        """The walls stand, everybody has the first tiles. dice: None where nobody saw them."""
        game = self.game
        if game is None:
            return self
        return replace(self, dice=()).record(HandStarted(dealer=game.deal.dealer, dice=dice), Dealt())

    def leave_seat(self) -> Self:
        """The player whose turn it is comes next."""
        return replace(self, acting=None)

    def choose_kong(self) -> Self:
        return replace(self, kong=not self.kong)

    @property
    def is_watched(self) -> bool:
        """Whether a camera enters events too: then people take back only what they touched."""
        return False

    @property
    def can_take_back(self) -> bool:
        return self.steps.own_back if self.is_watched else self.steps.back

    @property
    def can_bring_back(self) -> bool:
        return self.steps.own_forth if self.is_watched else self.steps.forth

    def take_back(self) -> Self:
        """What was entered last is taken back."""
        return self.also(Say(None), TakeBack(own=self.is_watched))

    def bring_back(self) -> Self:
        """What was taken back last is entered again."""
        return self.also(Say(None), BringBack(own=self.is_watched))

    def call_win(self, seat: int | None = None) -> Self:
        """Somebody has called a win. What nobody recorded of the hand is asked for with it."""
        return self.also(Say(None), Announce(WinEntryWanted(seat)))

    def end_otherwise(self) -> Self:
        """The hand ends without a win, or a penalty is due."""
        return self.also(Say(None), Announce(HandEndWanted()))

    def show_sheet(self) -> Self:
        return self.also(Announce(SheetWanted()))

    def settle_up(self) -> Self:
        """The game is over: who pays whom?"""
        return self.also(Announce(SheetWanted(settles=True)))

    def begin_next(self) -> Self:
        """The game is over: another one is put together."""
        return self.also(Announce(NextGameWanted()))

    # What a person puts right.

    def select(self, number: int | None) -> Self:
        """Look at an event, which may be wrong; with None at none."""
        return replace(self, selected=number)

    def name_tile(self, number: int, code: str) -> Self:
        """That event was about this tile."""
        if self.followed is None:
            return self
        right = self.followed.name_tile(number, code)
        return replace(self, selected=None) if right is None else self.settle(number, right)

    def confirm(self, number: int) -> Self:
        """That event is right."""
        entry = self.followed.find(number) if self.followed else None
        return replace(self, selected=None) if entry is None else self.settle(number, entry.event)

    def settle(self, number: int, right: Event) -> Self:
        """A person says what that event was: it goes into the game, unless that is known for certain."""
        entry = self.followed.find(number) if self.followed else None
        is_known = entry is not None and entry.certain and entry.event == right
        settled = replace(self.see(lambda followed: followed.settle(number)), selected=None)
        return settled if is_known else settled.also(Correct(number, right))

    def name_hand(self, number: int) -> Self:
        """The hand of that win was another one: the score sheet asks which."""
        return replace(self, selected=None).also(Announce(SheetWanted(fixes=number)))

    def take_out(self, number: int) -> Self:
        """That event did not happen."""
        return replace(self, selected=None).also(Correct(number, None))


def find_actor(state: Recording) -> int | None:
    """Whose moves the keys are for: the side that was touched, or whose turn it is."""
    game = state.game
    if game is None or game.hand is None or not game.playing:
        return None
    if state.acting is not None:
        return state.acting
    return game.hand.deal.dealer if game.hand.phase is Phase.FLOWERS else game.hand.turn
