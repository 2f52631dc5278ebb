"""Steps that enter the tiles on the table around a hand, for the coach: a draft of their own, corrected in
the same panes while the hand waits. It is not kept on disk. No Kivy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.app.effects import ComeToFront, SendNews, ShowMessage
from companion.app.news import (
    AdviceWanted,
    HandShownWanted,
    OtherGameSuspected,
    PastWinWanted,
    ScorePhotoWanted,
    SeatWins,
    WinEntryWanted,
)
from companion.app.score_photo import editing, photo
from companion.app.score_photo.editing import Page, Pane
from companion.photo_hand.draft import WinDraft
from companion.photo_hand.hand import PhotoHand
from companion.photo_hand.open_tiles import (
    Held,
    encode_open_tiles,
    find_other_tiles,
    limit_to_copies,
    list_open_tiles,
)

if TYPE_CHECKING:
    from companion.app.score_photo.state import ScorePhoto

LEAVES_TABLE = (
    OtherGameSuspected, HandShownWanted, PastWinWanted, ScorePhotoWanted, SeatWins, WinEntryWanted,
)  # fmt: skip
"""News after which the table's tiles are no longer shown."""


@dataclass(frozen=True, slots=True)
class WaitingHand:
    """The hand that waits while the tiles on the table are entered, and the drafts before it."""

    draft: WinDraft
    past: tuple[WinDraft, ...]


@dataclass(frozen=True, slots=True)
class OpenTilesEntry:
    """The tiles on the table, as a draft with their picture. made_of: the hand whose own picture shows these
    tiles; None if they have a picture of their own."""

    draft: WinDraft
    made_of: PhotoHand | None = None


def ask_coach(state: ScorePhoto) -> ScorePhoto:
    """Ask the coach what to discard, given the tiles on the table."""
    entry = _find_entry(state)
    seen = "" if entry is None else encode_open_tiles(entry.draft.hand, state.draft.rule_set.tile_set)
    fields = state.draft.request() | ({"seen": seen} if seen else {})
    return replace(state, open_entry=entry).also(SendNews(AdviceWanted(fields)))


def begin_open_tiles(state: ScorePhoto) -> ScorePhoto:
    """Start entering the tiles on the table; the hand waits."""
    if state.fair or state.game_win:
        return state
    if state.waiting:
        return state.also(ComeToFront())
    entry = _find_entry(state)
    entered = _begin_draft(state, PhotoHand(), None) if entry is None else entry.draft
    begun = replace(
        editing.stop_typing(state), waiting=WaitingHand(state.draft, state.past), open_entry=entry,
        draft=entered, past=(), page=Page.OPEN, pane=Pane.TILES,
    )  # fmt: skip
    return photo.show_picture(begun).also(ComeToFront(), ShowMessage(None))


def leave_open_tiles(state: ScorePhoto) -> ScorePhoto:
    """Show the hand again; what was entered of the table is remembered."""
    if state.waiting is None:
        return state
    own = state.open_entry.made_of if state.open_entry else None
    own = own if state.draft.picture == state.waiting.draft.picture else None
    entry = OpenTilesEntry(state.draft, own) if state.draft.hand.tiles or state.draft.picture else None
    back = replace(
        editing.stop_typing(state), draft=state.waiting.draft, past=state.waiting.past, waiting=None,
        open_entry=entry, page=Page.TABLE, loading=False, ignores_opened=state.loading,
    )  # fmt: skip
    return photo.show_picture(back.work(None))


def finish_open_tiles(state: ScorePhoto) -> ScorePhoto:
    """Show the hand again, and ask the coach with the tiles on the table."""
    return ask_coach(leave_open_tiles(state))


def _find_entry(state: ScorePhoto) -> OpenTilesEntry | None:
    """What was entered of the table; else the other tiles in the picture of the hand."""
    entry = state.open_entry
    if entry is not None and entry.made_of in (None, state.hand):
        hand = limit_to_copies(entry.draft.hand, Held.of(state.hand), state.draft.rule_set.tile_set)
        return replace(entry, draft=_begin_draft(state, hand, entry.draft.picture))
    others = find_other_tiles(state.hand)
    if not list_open_tiles(others):
        return None
    return OpenTilesEntry(_begin_draft(state, others, state.draft.picture), state.hand)


def _begin_draft(state: ScorePhoto, hand: PhotoHand, picture: str | None) -> WinDraft:
    """A draft of these tiles on the table, in the game of the hand."""
    return WinDraft(hand=hand, picture=picture, rules=state.draft.rules, options=state.draft.options)
