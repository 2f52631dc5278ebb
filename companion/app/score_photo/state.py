"""The state of scoring a photographed hand, as one frozen value, and the steps from one to the next. No Kivy,
no rule.

Its `draft` is kept, and undone step by step; the rest is the moment's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.feature import (
    Announce,
    BarButton,
    ComeToFront,
    FeatureState,
    GameAtTable,
    Keep,
    Leave,
    LessonUnwanted,
    News,
    PictureBrought,
    PictureFailed,
    PictureOpened,
    PictureProgress,
    PictureRead,
    PictureWanted,
    ReadPicture,
    Say,
    ScorePhotoWanted,
    SeatWins,
    Started,
    Tabs,
    TileDoubted,
    TileSetChanged,
    TilesLearned,
    remember,
)
from companion.app.score_photo import draft_steps
from companion.app.score_photo.corrections import find_tile, has_corrections, name_tiles
from companion.app.score_photo.panes import Pane, offer_panes
from companion.app.shown import ShownPicture
from companion.photo_hand.advice import WHICH_HAND, choose_advice
from companion.photo_hand.draft import WinDraft
from companion.photo_hand.hand import PhotoHand
from companion.photo_hand.scoring import Outcome, evaluate
from companion.rules import Source
from companion.rules.win import OptionValue
from companion.sentences import Sentence
from companion.tiles import MeldKind
from companion.vision.reading import TileReading

if TYPE_CHECKING:
    from companion.vision import Reading


class Page(StrEnum):
    """The pages of this feature."""

    TABLE = "table"
    OPTIONS = "options"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class ScorePhoto(FeatureState):
    """A photographed hand on its way to a score.

    The keyboard of tiles corrects the tile with the id `selected`, adds tiles (`adding`), or names the
    fortune tile (`naming_fortune`). `outcome` is the score of `draft`, `past` are those before it, two alike
    where a lesson came between. `shown` is the opened picture `shown_path`; `seen` what was last read where.
    """

    draft: WinDraft = field(default_factory=WinDraft)
    outcome: Outcome = field(default_factory=lambda: evaluate(WinDraft()))
    past: tuple[WinDraft, ...] = ()
    page: Page = Page.TABLE
    pane: Pane = Pane.TILES
    selected: int | None = None
    adding: bool = False
    naming_fortune: bool = False
    shown: ShownPicture | None = None
    shown_path: str | None = None
    seen: tuple[str, tuple[TileReading, ...]] | None = None

    @classmethod
    def resume(cls, draft: WinDraft) -> ScorePhoto:
        """As it was left with that draft; its picture is not opened yet."""
        return cls(draft, evaluate(draft)).also(_announce_game(draft))

    @property
    def hand(self) -> PhotoHand:
        return self.draft.hand

    @property
    def typing(self) -> bool:
        """Whether the keyboard of tiles is out."""
        return self.adding or self.naming_fortune or self.selected is not None

    @property
    def aside(self) -> bool:
        return False

    @property
    def title(self) -> Sentence:
        return Sentence("Score a photo")

    @property
    def can_undo(self) -> bool:
        return bool(self.past)

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        bare = not (self.hand.tiles or self.draft.picture)
        new = Sentence("New hand")
        return (BarButton("clear", new, "plus", 120, ScorePhoto.clear_tiles, disabled=bare, work=True),)

    @property
    def tabs(self) -> Tabs | None:
        if self.page is not Page.TABLE:
            return None
        offers = offer_panes(self.outcome.score)
        return Tabs(offers, self.pane.value, lambda key: lambda state: state.show_pane(Pane(key)))

    def change(self, draft: WinDraft) -> ScorePhoto:
        """With that draft; the one before can be had back by `undo`."""
        if draft == self.draft:
            return self
        return self._with_draft(draft, remember(self.past, self.draft))

    def undo(self) -> ScorePhoto:
        """The draft before the last change, its picture opened; or the last lesson taken back."""
        if not self.past:
            return self
        if self.past[-1] == self.draft:
            return replace(self, past=self.past[:-1]).also(Announce(LessonUnwanted()))
        undone = self._with_draft(self.past[-1], self.past[:-1])
        if undone.hand.tile(self.selected or 0) is None:
            undone = replace(undone, selected=None)
        if undone.draft.picture != self.draft.picture:
            return undone._show_picture()
        return undone if undone.draft.rules == self.draft.rules else undone._fit_to_game()

    def show(self, page: Page) -> ScorePhoto:
        return replace(self.stop_typing(), page=page).also(ComeToFront())

    def show_pane(self, pane: Pane) -> ScorePhoto:
        return replace(self, pane=pane)

    def choose_picture(self) -> ScorePhoto:
        """Have a person choose a picture of a hand."""
        return self.also(Announce(PictureWanted(from_camera=False)))

    def take_picture(self) -> ScorePhoto:
        """Have a person take a picture of a hand with the camera."""
        return self.also(Announce(PictureWanted(from_camera=True)))

    def select(self, tile_id: int | None) -> ScorePhoto:
        """That tile under the keyboard; the same tile again puts the keyboard away."""
        return replace(self.stop_typing(), selected=None if tile_id == self.selected else tile_id)

    def touch(self, tile_id: int) -> ScorePhoto:
        """A tile that does not count does now; one that does goes under the keyboard."""
        if tile_id not in self.hand.others:
            return self.select(tile_id)
        hand = self.hand.take_in(tile_id, self.draft.rule_set, self.draft.meld_kinds)
        return self.stop_typing()._with_hand(hand)

    def touch_in_picture(self, tile_id: int) -> ScorePhoto:
        """A tile that counts does no longer, and the other way round. One that is not known, or lies face
        down, goes under the keyboard."""
        asked = {tile.id for tile in (*self.hand.unsure, *self.hand.tiles_down)}
        if tile_id in asked or tile_id in self.hand.others:
            return self.touch(tile_id)
        return self.stop_typing()._with_hand(self.hand.leave_out(tile_id))

    def count_only(self, ids: Iterable[int]) -> ScorePhoto:
        """Of the tiles of the picture these count and no others."""
        counted = self.hand.count_only(ids, self.draft.rule_set, self.draft.meld_kinds)
        return self.stop_typing()._with_hand(counted).also(Say(None))

    def start_adding(self) -> ScorePhoto:
        return replace(self.stop_typing(), adding=True)

    def name_fortune(self) -> ScorePhoto:
        return replace(self.stop_typing(), naming_fortune=True, pane=Pane.TILES)

    def stop_typing(self) -> ScorePhoto:
        """The keyboard put away; a small window goes back to where the fortune tile was asked for."""
        pane = Pane.WIN if self.naming_fortune else self.pane
        return replace(self, adding=False, naming_fortune=False, selected=None, pane=pane)

    def step_back(self) -> ScorePhoto:
        """The keyboard put away, or the table shown."""
        if self.typing:
            return self.stop_typing()
        return self.also(Leave()) if self.page is Page.TABLE else self.show(Page.TABLE)

    def hear(self, news: News) -> ScorePhoto:
        match news:
            case Started():
                return self._open_again()
            case ScorePhotoWanted(picture):
                return (self.open_picture(picture) if picture else self).also(Say(None), ComeToFront())
            case PictureBrought(path):
                return self.open_picture(path).also(Say(None))
            case PictureProgress(doing):
                return self.work(doing)
            case PictureOpened(path, shown):
                return replace(self, shown=shown, shown_path=str(path)).with_picture(str(path))
            case PictureRead(path, reading):
                return self.work(None)._read(str(path), reading) if reading else self.work(None)
            case PictureFailed(_, why):
                return self.work(None).also(Say(why))
            case TileSetChanged(again=True):
                return self.read_again()
            case TilesLearned():
                return replace(self, past=remember(self.past, self.draft))
            case TileDoubted(quad):
                return self.select(find_tile(self.hand, quad))
            case SeatWins(seat):
                return self.with_winner(seat).show(Page.TABLE).show_pane(Pane.WIN)
        return self

    def open_picture(self, path: Path, *, read: bool = True) -> ScorePhoto:
        """The tiles on the table stay until that file has turned out to be a picture."""
        return self.work(Sentence("Opening the picture …")).also(ReadPicture(path, read))

    def read_again(self) -> ScorePhoto:
        """The picture on the table is read once more; what a person settled stays."""
        return self.open_picture(Path(self.draft.picture)) if self.draft.picture else self

    def look_next(self) -> ScorePhoto:
        """The next tile that needs a look, after the selected one and around."""
        unsure = [tile.id for tile in self.hand.unsure]
        if not unsure:
            return self.stop_typing()
        order = [tile.id for tile in self.hand.tiles]
        here = order.index(self.selected) if self.selected in order else -1
        after = [tile_id for tile_id in unsure if order.index(tile_id) > here]
        return replace(self.stop_typing(), selected=(after or unsure)[0], pane=Pane.TILES)

    def press(self, code: str) -> ScorePhoto:
        """A key of the tile keyboard: adds a tile, names the fortune tile, or corrects the selected one and
        goes on to the next unsure one.
        """
        if self.naming_fortune:
            return self.record(fortune=code).stop_typing()
        if self.adding:
            return self._with_hand(self.hand.add(code))
        if self.selected is None:
            return self
        was_unsure = self.selected in {tile.id for tile in self.hand.unsure}
        corrected = self._with_hand(self.hand.correct(self.selected, code))
        return corrected.look_next() if was_unsure else corrected.stop_typing()

    @property
    def can_teach(self) -> bool:
        """Whether there are corrections that the tile set has not learned yet."""
        return has_corrections(self.draft) and self.draft not in self.past[-1:]

    def teach(self, word: str) -> ScorePhoto:
        """Have the tiles of the picture learned: by the set in use, or a new one called by `word`."""
        return self.also(Announce(name_tiles(self.draft, word))) if self.can_teach else self

    def remove_selected(self) -> ScorePhoto:
        return self._on_selected(self.hand.remove)

    def win_with_selected(self) -> ScorePhoto:
        return self._on_selected(self.hand.win_with)

    def leave_out_selected(self) -> ScorePhoto:
        return self._on_selected(self.hand.leave_out)

    def lay_selected(self, kind: MeldKind) -> ScorePhoto:
        return self._on_selected(lambda tile_id: self.hand.lay(tile_id, kind))

    def open_up_selected(self) -> ScorePhoto:
        meld = self.hand.meld_of(self.selected) if self.selected is not None else None
        return self._with_hand(self.hand.open_up(meld)) if meld else self

    def clear_tiles(self) -> ScorePhoto:
        """A bare table: no picture, no tiles. Who deals, the stakes and the house rules stay."""
        return replace(self.change(self.draft.next_hand()).stop_typing(), shown=None, shown_path=None)

    def with_picture(self, picture: str) -> ScorePhoto:
        """A picture on the table.

        Another one than before starts a new hand; the old one can be had back by `undo`.
        """
        if picture == self.draft.picture:
            return self
        bare = not self.hand.tiles and self.draft.picture is None
        draft = replace(self.draft if bare else self.draft.next_hand(), picture=picture)
        return self.change(draft).show(Page.TABLE).also(Say(None))

    def with_reading(self, picture: str, readings: Iterable[TileReading]) -> ScorePhoto:
        """What was read of `picture`; nothing where another picture has taken its place meanwhile.

        Steps taken while it was being read can be undone without losing it.
        """
        if picture != self.draft.picture:
            return self
        seen = tuple(readings)
        first_id = self.hand.next_id

        def read(draft: WinDraft) -> WinDraft:
            if draft.picture != picture:
                return draft
            hand = replace(draft.hand, next_id=max(draft.hand.next_id, first_id))
            hand = hand.read_again(seen, draft.rule_set, draft.meld_kinds)
            return replace(draft, hand=hand.as_the_game_has(draft.rule_set.tile_set))

        return self._with_draft(read(self.draft), tuple(read(draft) for draft in self.past))

    def record(self, **changes: Any) -> ScorePhoto:
        """With these fields of the draft."""
        return self.change(self.draft.record(**changes))

    def with_rules(self, rules: str) -> ScorePhoto:
        changed = self.change(draft_steps.choose_rules(self.draft, rules))
        return self if changed is self else changed._fit_to_game()

    def with_option(self, key: str, value: OptionValue) -> ScorePhoto:
        return self.change(draft_steps.set_option(self.draft, key, value))

    def with_source(self, source: Source) -> ScorePhoto:
        return self.record(source=source)

    def with_winner(self, seat: int) -> ScorePhoto:
        return self.change(draft_steps.choose_winner(self.draft, seat))

    def with_number(self, name: str, number: int | None) -> ScorePhoto:
        return self.change(draft_steps.set_number(self.draft, name, number))

    def toggle_three_melds(self, pair: tuple[int, int]) -> ScorePhoto:
        return self.change(draft_steps.toggle_three_melds(self.draft, pair))

    def add_kong(self) -> ScorePhoto:
        return self.change(draft_steps.add_kong(self.draft))

    def change_kong(self, place: int, **changes: Any) -> ScorePhoto:
        return self.change(draft_steps.change_kong(self.draft, place, **changes))

    def remove_kong(self, place: int) -> ScorePhoto:
        return self.change(draft_steps.remove_kong(self.draft, place))

    def with_balance(self, seat: int, balance: int | None) -> ScorePhoto:
        return self.change(draft_steps.set_balance(self.draft, seat, balance))

    def toggle_situation(self, name: str) -> ScorePhoto:
        return self.change(draft_steps.toggle_situation(self.draft, name))

    def _with_draft(self, draft: WinDraft, past: tuple[WinDraft, ...]) -> ScorePhoto:
        after = replace(self, draft=draft, outcome=evaluate(draft), past=past)
        return after.also(Keep(), _announce_game(draft))

    def _fit_to_game(self) -> ScorePhoto:
        """After a change of the game: what was read as this game can have it, or the picture read again."""
        if self.seen and self.seen[0] == self.draft.picture:
            return self.with_reading(*self.seen)
        return self.read_again()

    def _show_picture(self) -> ScorePhoto:
        """The picture of the draft instead of another one."""
        if self.draft.picture == self.shown_path:
            return self
        return replace(self, shown=None, shown_path=None)._open_again()

    def _open_again(self) -> ScorePhoto:
        """Open the picture of the draft; its tiles are read only where it has none."""
        if self.draft.picture is None:
            return self
        return self.open_picture(Path(self.draft.picture), read=not self.hand.tiles)

    def _read(self, picture: str, reading: Reading) -> ScorePhoto:
        state = replace(self, seen=(picture, reading.tiles)).with_reading(picture, reading.tiles)
        if not reading.tiles:
            nothing = Sentence(
                "No tiles were found in this picture: take it from closer by and in even light,"
                " or add the tiles by hand."
            )
            return state.also(Say(nothing))
        asked = WHICH_HAND if state.hand.is_doubtful else choose_advice(reading.advice)
        return state.also(Say(asked, trouble=False)) if asked else state

    def _with_hand(self, hand: PhotoHand) -> ScorePhoto:
        return self.record(hand=hand)

    def _on_selected(self, step: Callable[[int], PhotoHand]) -> ScorePhoto:
        if self.selected is None:
            return self
        return self._with_hand(step(self.selected)).stop_typing()


def _announce_game(draft: WinDraft) -> Announce:
    return Announce(GameAtTable(draft.rules, draft.options, draft.dealer))
