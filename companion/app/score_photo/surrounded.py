"""What lies on the table beside a hand about which the coach is asked: a draft of its own, put right with the
panes of the hand, which waits meanwhile. It is not kept. No Kivy, no rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from companion.app.effects import Announce, ComeToFront, Say
from companion.app.news import (
    AdviceWanted,
    GameDoubted,
    HandShownWanted,
    PastWinWanted,
    ScorePhotoWanted,
    SeatWins,
    WinEntryWanted,
)
from companion.app.score_photo.editing import Page, Pane, WaitingHand
from companion.app.score_photo.watching import Watching
from companion.photo_hand.draft import WinDraft
from companion.photo_hand.hand import PhotoHand
from companion.photo_hand.open_tiles import (
    Held,
    fit_beside,
    keep_typed,
    lay_beside,
    list_open,
    name_open,
    read_table,
)
from companion.vision.reading import TileReading

LEAVES_TABLE = (
    GameDoubted, HandShownWanted, PastWinWanted, ScorePhotoWanted, SeatWins, WinEntryWanted,
)  # fmt: skip
"""After such news the hand is shown again, or another one."""
SET_TILES = 3


@dataclass(frozen=True, slots=True)
class Lying:
    """What lies on the table, as a draft with its tiles and their picture. made_of: the hand in whose own
    picture the tiles lie, while nobody brought another one."""

    draft: WinDraft
    made_of: PhotoHand | None = None


@dataclass(frozen=True, slots=True)
class Surrounded(Watching):
    """fair: whether the game is, and no advice is offered. lying: what was entered of the table. late:
    whether a picture of it is still being opened, for which nobody waits any more."""

    fair: bool = False
    lying: Lying | None = None
    late: bool = False

    @property
    def may_ask_coach(self) -> bool:
        """Whether the hand is one before or after the draw and no win: advice can be asked for."""
        if self.game_win or self.fair or (self.outcome.score and self.outcome.score.legal):
            return False
        hand = self.hand
        size = len(hand.concealed) + SET_TILES * (len(hand.melds) + len(hand.unnamed))
        between = self.draft.rule_set.hand_size
        return all(tile.is_kind for tile in hand.concealed) and size in (between, between + 1)

    def ask_coach(self) -> Self:
        """Have the coach say what is to be discarded; it is told what lies on the table."""
        lying = self._find_lying()
        seen = "" if lying is None else name_open(lying.draft.hand, self.draft.rule_set.tile_set)
        fields = self.draft.request() | ({"seen": seen} if seen else {})
        return replace(self, lying=lying).also(Announce(AdviceWanted(fields)))

    def begin_table(self) -> Self:
        """What lies on the table is to be entered; the hand waits."""
        if self.fair or self.game_win:
            return self
        if self.waiting:
            return self.also(ComeToFront())
        lying = self._find_lying()
        entered = self._begin_draft(PhotoHand(), None) if lying is None else lying.draft
        begun = replace(
            self.stop_typing(), waiting=WaitingHand(self.draft, self.past), lying=lying, draft=entered,
            past=(), page=Page.OPEN, pane=Pane.TILES,
        )  # fmt: skip
        return begun._show_picture().also(ComeToFront(), Say(None))

    def leave_table(self) -> Self:
        """The hand is there again; what was entered of the table is remembered."""
        if self.waiting is None:
            return self
        own = self.lying.made_of if self.lying else None
        own = own if self.draft.picture == self.waiting.draft.picture else None
        lying = Lying(self.draft, own) if self.draft.hand.tiles or self.draft.picture else None
        back = replace(
            self.stop_typing(), draft=self.waiting.draft, past=self.waiting.past, waiting=None, lying=lying,
            page=Page.TABLE, loading=False, late=self.loading,
        )  # fmt: skip
        return back.work(None)._show_picture()

    def finish_table(self) -> Self:
        """The coach is asked again, with what lies on the table."""
        return self.leave_table().ask_coach()

    def forget_table(self) -> Self:
        """Another hand lies there: what was entered beside the one before goes."""
        return self if self.waiting else replace(self, lying=None)

    def make_way(self) -> WinDraft:
        """The draft before another picture: of the table what was typed stays, of a hand nothing."""
        return replace(self.draft, hand=keep_typed(self.hand)) if self.waiting else self.draft.next_hand()

    def arrange(self, hand: PhotoHand, seen: Sequence[TileReading], draft: WinDraft) -> PhotoHand:
        """The tiles of the draft after a reading of its picture."""
        rules = draft.rule_set
        if self.waiting:
            return read_table(hand, seen, Held.of(self.waiting.draft.hand), rules, draft.meld_kinds)
        return hand.read_again(seen, rules, draft.meld_kinds).as_the_game_has(rules.tile_set)

    def _find_lying(self) -> Lying | None:
        """What was entered of the table; else what lies beside the hand in its own picture."""
        lying = self.lying
        if lying is not None and lying.made_of in (None, self.hand):
            hand = fit_beside(lying.draft.hand, Held.of(self.hand), self.draft.rule_set.tile_set)
            return replace(lying, draft=self._begin_draft(hand, lying.draft.picture))
        beside = lay_beside(self.hand)
        if not list_open(beside):
            return None
        return Lying(self._begin_draft(beside, self.draft.picture), self.hand)

    def _begin_draft(self, hand: PhotoHand, picture: str | None) -> WinDraft:
        """A draft of these tiles of the table, in the game of the hand."""
        return WinDraft(hand=hand, picture=picture, rules=self.draft.rules, options=self.draft.options)
