"""Steps that correct the tiles of a hand, by touch and with the keyboard of tiles. Every step that changes
the draft goes through `set_draft`, which scores it again. A step takes the state and returns the next one. No
Kivy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.effects import ComeToFront, Effect, Keep, SendNews, ShowMessage
from companion.app.feature import remember
from companion.app.news import GameAtTable, TilesNamed
from companion.app.score_photo.game_win import (
    confirm_assumed_tile,
    find_asked_claims,
    find_assumed_tile,
    judge,
    report_claims,
)
from companion.images import Quad
from companion.photo_hand import open_tiles as table_tiles
from companion.photo_hand.draft import WinDraft, evaluate
from companion.photo_hand.hand import PhotoHand
from companion.rules import Score
from companion.rules.stated import Stated
from companion.sentences import Sentence
from companion.tiles import SET_TILES, MeldKind, Suit, Tile

if TYPE_CHECKING:
    from companion.app.score_photo.state import ScorePhoto

NO_FACE_FRAMED = Sentence("No tile in that frame is face up. Draw the frame around the tiles that count.")


class Pane(StrEnum):
    """A part of the page."""

    TILES = "tiles"
    WIN = "win"
    SCORE = "score"


def offer_panes(score: Score | None) -> tuple[tuple[str, Sentence], ...]:
    """Each pane with its name; that of the score says what it is, if there is one."""
    worth = Sentence("Score")
    if score and score.legal:
        worth = Sentence("Score: {value}", {"value": score.value})
    names = {Pane.TILES: Sentence("Tiles"), Pane.WIN: Sentence("Win"), Pane.SCORE: worth}
    return tuple((pane.value, name) for pane, name in names.items())


class Page(StrEnum):
    """The pages of this feature."""

    TABLE = "table"
    GAME = "score_game"
    OPTIONS = "options"
    MORE = "more"
    ENTRY = "win_entry"
    RESULT = "win_result"
    ROWS = "win_rows"
    OPEN = "open_tiles"
    """The tiles on the table around a hand, for the coach."""


@dataclass(frozen=True, slots=True)
class StopWatching(Effect):
    """Release the camera."""


def set_draft(state: ScorePhoto, draft: WinDraft, past: tuple[WinDraft, ...]) -> ScorePhoto:
    """With that draft, scored: with the winning tile and the claims that are assumed, where nobody has
    entered them."""
    if state.waiting:
        return replace(state, draft=draft, past=past)
    tile = find_assumed_tile(state.game_win, draft)
    claims = find_asked_claims(state.game_win, tile.apply(draft) if tile else draft)
    after = replace(state, draft=draft, past=past, assumed_tile=tile, claims=claims)
    scored = after.scored_draft
    if state.game_win:
        outcome, win = judge(state.game_win, scored)
        tile = confirm_assumed_tile(win, draft, tile)
        return replace(after, outcome=report_claims(claims, outcome), game_win=win, assumed_tile=tile)
    after = replace(after, outcome=report_claims(claims, evaluate(scored)))
    return after.also(Keep(), announce_game(draft))


def change(state: ScorePhoto, draft: WinDraft) -> ScorePhoto:
    """With that draft; `undo` brings back the one before."""
    if draft == state.draft:
        return state
    return set_draft(state, draft, remember(state.past, state.draft))


def record(state: ScorePhoto, **changes: Any) -> ScorePhoto:
    """With these fields of the draft changed."""
    return change(state, state.draft.record(**changes))


def set_hand(state: ScorePhoto, hand: PhotoHand) -> ScorePhoto:
    """With that hand; what was stated in place of one no longer holds."""
    return record(state, hand=hand, stated=None)


def state_value(state: ScorePhoto, value: int | None) -> ScorePhoto:
    """The win is worth that much, in the game's unit, and has no tiles; None: nothing is stated."""
    return _state(state, None if value is None else Stated(value=value))


def count_row(state: ScorePhoto, row: str, most: int) -> ScorePhoto:
    """That row counts once more; once it counts as often as it can, it counts no longer."""
    rows = dict(state.stated_rows)
    count = rows.pop(row, 0)
    if count < most:
        rows[row] = count + 1
    return _state(state, Stated(rows=rows))


def show_rows(state: ScorePhoto) -> ScorePhoto:
    """Show the rows to choose from; a value that was stated no longer holds."""
    return show(_state(stop_watching(state), Stated(rows=state.stated_rows)), Page.ROWS)


def _state(state: ScorePhoto, stated: Stated | None) -> ScorePhoto:
    alone = replace(stop_watching(stop_typing(state)), shown=None, shown_path=None, loading=False)
    return record(alone, hand=PhotoHand(), picture=None, stated=stated)


def show(state: ScorePhoto, page: Page) -> ScorePhoto:
    return replace(stop_typing(state), page=page).also(ComeToFront())


def show_pane(state: ScorePhoto, pane: Pane) -> ScorePhoto:
    return replace(state, pane=pane)


def select(state: ScorePhoto, tile_id: int | None) -> ScorePhoto:
    """Open the keyboard for that tile; close it where that tile is selected already."""
    return replace(stop_typing(state), selected=None if tile_id == state.selected else tile_id)


def touch(state: ScorePhoto, tile_id: int) -> ScorePhoto:
    """Mark the winning tile where that is asked. Else a tile outside the hand joins it, and a tile of the
    hand is selected for the keyboard."""
    tile = state.hand.tile(tile_id)
    if state.asks_tile and tile in state.hand.concealed and not tile.needs_check:
        return set_hand(stop_typing(state), state.hand.win_with(tile_id))
    if tile_id not in state.hand.others:
        return select(state, tile_id)
    if state.waiting:
        hand = table_tiles.include_tile(state.hand, tile_id)
    else:
        hand = state.hand.include(tile_id, state.draft.rule_set, state.draft.meld_kinds)
    return set_hand(stop_typing(state), hand)


def touch_in_picture(state: ScorePhoto, tile_id: int) -> ScorePhoto:
    """A tile that counts no longer does, and the other way round. A tile that is unknown or face down is
    selected for the keyboard."""
    asked = {tile.id for tile in (*state.hand.unsure, *state.hand.tiles_down)}
    if tile_id in asked or tile_id in state.hand.others:
        return touch(state, tile_id).also(ShowMessage(None))
    return set_hand(stop_typing(state), state.hand.exclude(tile_id)).also(ShowMessage(None))


def count_only(state: ScorePhoto, ids: Iterable[int]) -> ScorePhoto:
    """Only these tiles of the picture count. Where none of them is face up, only a message is shown."""
    if state.waiting:
        hand = table_tiles.count_only(state.hand, ids)
    else:
        hand = state.hand.count_only(ids, state.draft.rule_set, state.draft.meld_kinds)
    if hand is state.hand:
        return stop_typing(state).also(ShowMessage(NO_FACE_FRAMED, trouble=False))
    return set_hand(stop_typing(state), hand).also(ShowMessage(None))


def start_adding(state: ScorePhoto) -> ScorePhoto:
    """The keyboard adds tiles; the camera is released. Into an empty hand goes the discard that won, where
    the game knows it."""
    adding = stop_watching(replace(stop_typing(state), adding=True))
    win = state.game_win
    if win is None or state.hand.tiles or win.only_shown or not win.is_ready_to_show(state.draft):
        return adding
    chance = win.find_chance(state.draft)
    if chance is None or chance.tile is None or chance.discarder is None:
        return adding
    hand = state.hand.add(chance.tile.code)
    return set_hand(adding, hand.win_with(hand.tiles[-1].id))


def name_fortune(state: ScorePhoto) -> ScorePhoto:
    return replace(stop_typing(state), naming_fortune=True, pane=Pane.TILES)


def name_win(state: ScorePhoto) -> ScorePhoto:
    """The tile touched next is the winning one."""
    return replace(stop_typing(state), naming_win=True, pane=Pane.TILES)


def stop_typing(state: ScorePhoto) -> ScorePhoto:
    """Close the keyboard; a small window returns to the pane that asked for the fortune tile."""
    pane = Pane.WIN if state.naming_fortune else state.pane
    return replace(state, adding=False, naming_fortune=False, naming_win=False, selected=None, pane=pane)


def stop_watching(state: ScorePhoto, why: Sentence | None = None) -> ScorePhoto:
    """Release the camera, and say why."""
    if state.preview is None:
        return state.also(ShowMessage(why)) if why else state
    stopped = replace(state, preview=None).also(StopWatching())
    return stopped.also(ShowMessage(why)) if why else stopped


def select_next_unsure(state: ScorePhoto) -> ScorePhoto:
    """Select the next tile that needs checking, after the selected one; the first again after the last."""
    unsure = [tile.id for tile in state.hand.unsure]
    if not unsure:
        return stop_typing(state)
    order = [tile.id for tile in state.hand.tiles]
    here = order.index(state.selected) if state.selected in order else -1
    after = [tile_id for tile_id in unsure if order.index(tile_id) > here]
    return replace(stop_typing(state), selected=(after or unsure)[0], pane=Pane.TILES)


def press_key(state: ScorePhoto, code: str) -> ScorePhoto:
    """A key of the tile keyboard adds a tile, names the fortune tile, or corrects the selected tile and
    selects the next unsure one."""
    if state.naming_fortune:
        return stop_typing(record(state, fortune=code))
    if state.adding:
        return set_hand(state, state.hand.add(code)) if state.count_left(None).get(code, 1) > 0 else state
    if state.selected is None:
        return state
    was_unsure = state.selected in {tile.id for tile in state.hand.unsure}
    corrected = set_hand(state, state.hand.correct(state.selected, code))
    return select_next_unsure(corrected) if was_unsure else stop_typing(corrected)


def fill_set(state: ScorePhoto, code: str, pressed: int) -> ScorePhoto:
    """With more tiles of that kind: with those that were pressed, the last of which is yet to be added, they
    are a pung, or the pair that was missing. While the keyboard adds tiles, and as far as there are any."""
    draft = state.draft
    melds = len(draft.hand.melds) + len(draft.hand.unnamed)
    missing = draft.rule_set.hand_size + 1 - len(draft.hand.concealed) - SET_TILES * melds
    for _ in range(min(SET_TILES - pressed, missing - 1) if state.adding else 0):
        state = press_key(state, code)
    return state


def add_chow(state: ScorePhoto, begun: str, ended: str) -> ScorePhoto:
    """A drag along a row of the keyboard adds the chow that begins at the first of these kinds and lies in
    that direction, as far as the suit goes; while the keyboard adds tiles, and where all three are left."""
    first, last = Tile.parse(begun), Tile.parse(ended)
    if not state.adding or first.suit is not last.suit or first.suit in (Suit.HONORS, Suit.FLOWERS):
        return state
    left = state.count_left(None)
    suit = [code for code in left if Tile.parse(code).suit is first.suit]
    lowest = suit.index(begun) if last.rank > first.rank else suit.index(begun) - 2
    lowest = min(max(lowest, 0), len(suit) - 3)
    codes = suit[lowest : lowest + 3]
    if any(left[code] < 1 for code in codes):
        return state
    hand = state.hand
    for code in codes:
        hand = hand.add(code)
    return set_hand(state, hand)


def win_with_kind(state: ScorePhoto, code: str) -> ScorePhoto:
    """That kind won: it completes a hand that is one tile short, or replaces the winning tile."""
    return set_hand(state, state.draft.hand_won_with(code))


def meld_kind(state: ScorePhoto, code: str, kind: MeldKind) -> ScorePhoto:
    """The tiles of that kind form such a meld."""
    tile = next((tile for tile in state.hand.concealed if tile.code == code), None)
    return state if tile is None else set_hand(state, state.hand.make_meld(tile.id, kind))


def claim_set(state: ScorePhoto, place: int) -> ScorePhoto:
    """The set at that index among those asked about was claimed; touched again, it was not."""
    return state if state.claims is None else set_hand(state, state.claims.toggle(state.hand, place))


def claim_none(state: ScorePhoto) -> ScorePhoto:
    """No set was claimed."""
    return state if state.claims is None else set_hand(state, state.claims.claim_none(state.hand))


def meld_selected(state: ScorePhoto, kind: MeldKind) -> ScorePhoto:
    return _on_selected(state, lambda tile_id: state.hand.make_meld(tile_id, kind))


def split_selected_meld(state: ScorePhoto) -> ScorePhoto:
    meld = state.hand.meld_of(state.selected) if state.selected is not None else None
    return set_hand(state, state.hand.split_meld(meld)) if meld else state


def remove_selected(state: ScorePhoto) -> ScorePhoto:
    return _on_selected(state, state.hand.remove)


def win_with_selected(state: ScorePhoto) -> ScorePhoto:
    return _on_selected(state, state.hand.win_with)


def leave_out_selected(state: ScorePhoto) -> ScorePhoto:
    return _on_selected(state, state.hand.exclude)


def _on_selected(state: ScorePhoto, step: Callable[[int], PhotoHand]) -> ScorePhoto:
    if state.selected is None:
        return state
    return stop_typing(set_hand(state, step(state.selected)))


def teach_corrections(state: ScorePhoto, word: str) -> ScorePhoto:
    """Have the tile set in use learn the tiles of the picture, or a new set named after `word`."""
    return state.also(SendNews(name_tiles(state.draft, word))) if state.can_teach else state


def has_corrections(draft: WinDraft) -> bool:
    """Whether a person has named tiles of a picture."""
    named = any(tile.settled and tile.quad and tile.is_kind for tile in draft.hand.tiles)
    return named and draft.picture is not None


def name_tiles(draft: WinDraft, word: str) -> TilesNamed:
    """Every tile of the picture with its kind, None if it still needs checking."""
    melded = {
        member: code
        for meld in draft.hand.melds
        for member, code in zip(meld.members, meld.codes, strict=True)
    }
    tiles = tuple(
        (tile.quad, melded.get(tile.id, tile.code) if tile.is_kind and not tile.needs_check else None)
        for tile in draft.hand.tiles
        if tile.quad
    )
    return TilesNamed(Path(draft.picture or ""), tiles, word)


def find_tile(hand: PhotoHand, quad: Quad) -> int | None:
    """The id of the tile with that outline."""
    return next((tile.id for tile in hand.tiles if tile.quad == quad), None)


def is_bare(draft: WinDraft) -> bool:
    """Whether it has no tiles and no picture."""
    return not draft.hand.tiles and draft.picture is None


def announce_game(draft: WinDraft) -> SendNews:
    """Tell the other features which game is played."""
    return SendNews(GameAtTable(draft.rules, draft.options, draft.dealer))
