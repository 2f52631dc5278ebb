"""Steps of the photo of a hand: the live camera, opening and reading a picture, undo, the game the hand is
scored by, and packing a photo that was read badly. No Kivy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.effects import AskQuestion, DropQuestion, Effect, Keep, ReadPicture, SendNews, ShowMessage
from companion.app.live_preview import LivePreview
from companion.app.news import (
    ChoosePicture,
    GamePicked,
    LessonUnwanted,
    OtherGameSuspected,
    PackingAgreed,
    PictureTaken,
    TableRulesChosen,
)
from companion.app.score_photo import editing, how_won
from companion.app.score_photo.game_win import draft_of_game
from companion.images import Image
from companion.photo_hand import open_tiles as table_tiles
from companion.photo_hand.draft import WinDraft
from companion.photo_hand.from_reading import WHICH_HAND, choose_advice
from companion.photo_hand.hand import PhotoHand
from companion.photo_hand.packing import CONTENTS, Right
from companion.rules import RULE_SETS
from companion.sentences import Sentence
from companion.table.state import State
from companion.vision.reading import TileReading

if TYPE_CHECKING:
    from companion.app.score_photo.state import ScorePhoto
    from companion.vision import Reading

ASKER = "score_photo"
"""Name of this page in requests for the table's rules."""
NO_PHOTO = Sentence("There is no photo to pack. Score one first and correct its tiles.")


@dataclass(frozen=True, slots=True)
class WatchHand(Effect):
    """Show the live picture of that camera, or of the first one. quietly: show no message without a
    camera."""

    camera: str | None
    quietly: bool


@dataclass(frozen=True, slots=True)
class PackReading(Effect):
    """Write one file of these."""

    picture: Path
    tiles: tuple[TileReading, ...]
    right: Right


def watch(state: ScorePhoto, *, quietly: bool = False) -> ScorePhoto:
    """Show the live picture of a camera, to photograph the hand with."""
    return state.also(WatchHand(state.camera, quietly))


def show_live(state: ScorePhoto, preview: LivePreview) -> ScorePhoto:
    """The live picture has started; it is stopped where a hand has arrived meanwhile."""
    wanted = state.page is editing.Page.ENTRY and not state.loading and not state.typing
    return replace(state, preview=preview) if wanted else state.also(editing.StopWatching())


def cover(state: ScorePhoto) -> ScorePhoto:
    """Another page is in front: release the camera until it is gone."""
    return replace(editing.stop_watching(state), resumes=state.preview is not None)


def uncover(state: ScorePhoto) -> ScorePhoto:
    """The page is in front again, and the live picture with it where the hand still has no tiles."""
    if not state.resumes:
        return state
    back = replace(state, resumes=False)
    wanted = state.game_win is not None and state.page is editing.Page.ENTRY and not state.hand.tiles
    return back.also(WatchHand(state.camera, quietly=True)) if wanted else back


def use_live_picture(state: ScorePhoto, image: Image) -> ScorePhoto:
    """The current picture of the camera becomes the picture of the hand."""
    return replace(editing.stop_watching(state), taking=True).also(SendNews(PictureTaken(image)))


def request_picture(state: ScorePhoto) -> ScorePhoto:
    """Open the page on which a picture of a hand is chosen."""
    return state.also(SendNews(ChoosePicture(from_camera=False)))


def request_camera_picture(state: ScorePhoto) -> ScorePhoto:
    """Open the page on which a picture of a hand is taken with the camera."""
    return state.also(SendNews(ChoosePicture(from_camera=True)))


def open_picture(state: ScorePhoto, path: Path, *, read: bool = True) -> ScorePhoto:
    """Open that file; the tiles shown stay until it has turned out to be a picture."""
    another = str(path) != state.shown_path
    opening = replace(editing.stop_watching(state), loading=another, taking=False, ignores_opened=False).work(
        Sentence("Opening the picture …")
    )
    return opening.also(ReadPicture(path, read))


def reopen_picture(state: ScorePhoto) -> ScorePhoto:
    """Open the picture of the draft; it is read only if the draft has no tiles."""
    if state.draft.picture is None:
        return state
    return open_picture(state, Path(state.draft.picture), read=not state.hand.tiles)


def show_picture(state: ScorePhoto) -> ScorePhoto:
    if state.draft.picture == state.shown_path:
        return state
    return reopen_picture(replace(state, shown=None, shown_path=None))


def drop_picture(state: ScorePhoto) -> ScorePhoto:
    return replace(state, shown=None, shown_path=None, loading=False, taking=False)


def read_again(state: ScorePhoto) -> ScorePhoto:
    """Read the picture once more; what a person settled stays."""
    return open_picture(state, Path(state.draft.picture)) if state.draft.picture else state


def clear_tiles(state: ScorePhoto) -> ScorePhoto:
    """Remove the picture and all tiles. The dealer, the stakes and the house rules stay."""
    bare = _forget_open_tiles(editing.stop_typing(editing.change(state, state.draft.next_hand())))
    return replace(bare, shown=None, shown_path=None)


def set_picture(state: ScorePhoto, picture: str) -> ScorePhoto:
    """With that picture. A different one starts a new hand; `undo` brings back the old one."""
    if picture == state.draft.picture:
        return state
    before = state.draft if editing.is_bare(state.draft) else _clear_for_picture(state)
    changed = _forget_open_tiles(editing.change(state, replace(before, picture=picture)))
    return editing.show(changed, changed.home).also(ShowMessage(None))


def apply_reading(state: ScorePhoto, picture: str, readings: Iterable[TileReading]) -> ScorePhoto:
    """With what was read in `picture`; unchanged if another picture has replaced it meanwhile.

    Past drafts get the tiles too, so undoing a step taken during the reading does not lose them.
    """
    if picture != state.draft.picture:
        return state
    seen = tuple(readings)
    first_id = state.hand.next_id

    def read(draft: WinDraft) -> WinDraft:
        if draft.picture != picture:
            return draft
        hand = replace(draft.hand, next_id=max(draft.hand.next_id, first_id))
        return replace(draft, hand=_arrange(state, hand, seen, draft))

    return editing.set_draft(state, read(state.draft), tuple(read(draft) for draft in state.past))


def accept_reading(state: ScorePhoto, picture: str, reading: Reading) -> ScorePhoto:
    again = state.seen is not None and state.seen[0] == picture
    state = apply_reading(replace(state, seen=(picture, reading.tiles)), picture, reading.tiles)
    if not reading.tiles:
        return state.also(
            ShowMessage(
                Sentence(
                    "No tiles found in this picture. Take it from closer and in even light,"
                    " or add the tiles by hand."
                )
            )
        )
    if again:  # the message shown then is the reason: what was learned, or which tile set is used
        return state
    better = choose_advice((*reading.warnings, *reading.advice))
    asked = WHICH_HAND if state.hand.is_doubtful else better
    if asked:
        return state.also(ShowMessage(asked, trouble=False))
    if not state.asks_game or state.waiting:
        return state
    title = state.draft.rule_set.title
    scored = Sentence("This hand is scored as {rules}.", {"rules": title})
    return state.also(AskQuestion(scored, Sentence("Another game"), OtherGameSuspected(), passes=True))


def _clear_for_picture(state: ScorePhoto) -> WinDraft:
    """The draft before another picture: nothing of a hand stays, but typed tiles on the table do."""
    if state.waiting:
        return replace(state.draft, hand=table_tiles.keep_typed_tiles(state.hand))
    return state.draft.next_hand()


def _arrange(state: ScorePhoto, hand: PhotoHand, seen: Sequence[TileReading], draft: WinDraft) -> PhotoHand:
    """The tiles of the draft after a reading of its picture."""
    rules = draft.rule_set
    if state.waiting:
        return table_tiles.read_table(
            hand, seen, table_tiles.Held.of(state.waiting.draft.hand), rules, draft.meld_kinds
        )
    return hand.read_again(seen, rules, draft.meld_kinds).limit_to_tile_set(rules.tile_set)


def _forget_open_tiles(state: ScorePhoto) -> ScorePhoto:
    """It is another hand: forget the table around the one before."""
    return state if state.waiting else replace(state, open_entry=None)


def undo(state: ScorePhoto) -> ScorePhoto:
    """Return to the draft before the last change and open its picture; or take back the last lesson."""
    if not state.past:
        return state
    if state.past[-1] == state.draft:
        return replace(state, past=state.past[:-1]).also(SendNews(LessonUnwanted()))
    undone = editing.set_draft(state, state.past[-1], state.past[:-1])
    if undone.page is editing.Page.RESULT and not (undone.game_win and undone.game_win.is_complete):
        undone = editing.show(undone, undone.home)
    if undone.hand.tile(state.selected or 0) is None:
        undone = replace(undone, selected=None)
    if undone.draft.picture != state.draft.picture:
        return show_picture(undone)
    return undone if undone.draft.rules == state.draft.rules else _refit(undone)


def pick_game(state: ScorePhoto, rules: str) -> ScorePhoto:
    """A person picks that game; the home page asks which table's rules apply."""
    return state.also(SendNews(GamePicked(rules, ASKER)))


def apply_house(state: ScorePhoto, chosen: TableRulesChosen) -> ScorePhoto:
    """Score the hand by that table's rules."""
    rules = RULE_SETS[chosen.rules]
    usual = rules.defaults
    changed = ((key, value) for key, value in chosen.options.items() if usual.get(key, value) != value)
    draft = how_won.choose_rules(state.draft, chosen.rules).record(
        options=tuple(sorted(changed)),
        stakes=None if chosen.stakes == rules.own_stakes else chosen.stakes,
        base=1,
        cap=chosen.cap,
        currency=chosen.currency,
    )
    state = _set_game(state, draft)
    return editing.show(state, editing.Page.TABLE if state.page is editing.Page.GAME else state.page)


def choose_game(state: ScorePhoto, rules: str) -> ScorePhoto:
    """A person chooses this game, as written, before there is a hand."""
    return editing.show(set_rules(state, rules), editing.Page.TABLE)


def set_rules(state: ScorePhoto, rules: str) -> ScorePhoto:
    """A person chooses this game, as written."""
    return _set_game(state, how_won.choose_rules(state.draft, rules))


def play_as(state: ScorePhoto, game: State) -> ScorePhoto:
    """Score the next hand as in that game, which was opened. The hand is not one of its deals, so its dealer
    has no streak."""
    known = replace(state, asks_game=False)
    if state.game_win or state.waiting or not editing.is_bare(state.draft):
        return known
    page = editing.Page.TABLE if state.page is editing.Page.GAME else state.page
    return editing.set_draft(replace(known, page=page), draft_of_game(game).record(streak=None), ())


def _set_game(state: ScorePhoto, draft: WinDraft) -> ScorePhoto:
    """A person chooses the game of this draft, so the question which game is played is dropped."""
    known = state
    if state.asks_game:
        known = replace(state, asks_game=False).also(DropQuestion(OtherGameSuspected()), Keep())
    changed = editing.change(known, draft)
    return known if changed is known else _refit(changed)


def _refit(state: ScorePhoto) -> ScorePhoto:
    """After a change of the game: fit what was read to its tiles, or read the picture again."""
    if state.seen and state.seen[0] == state.draft.picture:
        return apply_reading(state, *state.seen)
    return read_again(state)


def has_reading(state: ScorePhoto) -> bool:
    """Whether there is a photo and it was read."""
    return state.draft.picture is not None and state.seen is not None and state.seen[0] == state.draft.picture


def ask_to_pack(state: ScorePhoto) -> ScorePhoto:
    """Show what would be packed, and ask for consent; or say that there is no photo."""
    if not has_reading(state):
        return state.also(ShowMessage(NO_PHOTO, passes=True))
    return state.also(AskQuestion(CONTENTS, Sentence("Pack"), PackingAgreed(), passes=True))


def begin_packing(state: ScorePhoto) -> ScorePhoto:
    """Pack the photo, or report that it is gone."""
    picture, seen = state.draft.picture, state.seen
    if picture is None or seen is None or not has_reading(state):
        return state.also(ShowMessage(NO_PHOTO, passes=True))
    gone = tuple((quad, None) for quad in state.hand.removed)
    right = (*editing.name_tiles(state.draft, "").tiles, *gone)
    packing = state.work(Sentence("Packing the photo …"))
    return packing.also(PackReading(Path(picture), seen[1], right))
