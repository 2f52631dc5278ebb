"""The steps that say how a hand was won, as methods that the state of the page has."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Self

from companion.app.score_photo import draft_steps
from companion.photo_hand.draft import WinDraft
from companion.rules import Source
from companion.rules.win import OptionValue


class HowWon(ABC):
    """Each gives the state with another draft."""

    __slots__ = ()

    if TYPE_CHECKING:
        draft: WinDraft

    @abstractmethod
    def change(self, draft: WinDraft) -> Self:
        """With that draft; the one before can be had back."""

    def record(self, **changes: Any) -> Self:
        """With these fields of the draft."""
        return self.change(self.draft.record(**changes))

    def with_option(self, key: str, value: OptionValue) -> Self:
        return self.change(draft_steps.set_option(self.draft, key, value))

    def with_source(self, source: Source) -> Self:
        return self.record(source=source)

    def with_winner(self, seat: int) -> Self:
        return self.change(draft_steps.choose_winner(self.draft, seat))

    def with_number(self, name: str, number: int | None) -> Self:
        return self.change(draft_steps.set_number(self.draft, name, number))

    def with_stake(self, key: str, amount: int) -> Self:
        """With that base or unit of the stakes."""
        return self.change(draft_steps.set_stake(self.draft, key, amount))

    def toggle_three_melds(self, pair: tuple[int, int]) -> Self:
        return self.change(draft_steps.toggle_three_melds(self.draft, pair))

    def add_kong(self) -> Self:
        return self.change(draft_steps.add_kong(self.draft))

    def change_kong(self, place: int, **changes: Any) -> Self:
        return self.change(draft_steps.change_kong(self.draft, place, **changes))

    def remove_kong(self, place: int) -> Self:
        return self.change(draft_steps.remove_kong(self.draft, place))

    def with_balance(self, seat: int, balance: int | None) -> Self:
        return self.change(draft_steps.set_balance(self.draft, seat, balance))

    def toggle_situation(self, name: str) -> Self:
        return self.change(draft_steps.toggle_situation(self.draft, name))
