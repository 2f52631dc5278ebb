"""The tiles of a hand, put right by touch: what the page knows of them, and the steps. No Kivy, no rule."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from companion.app.effects import Announce, ComeToFront, Say
from companion.app.feature import FeatureState, remember
from companion.app.news import TilesNamed
from companion.app.score_photo import draft_steps
from companion.photo_hand import open_tiles
from companion.photo_hand.draft import Outcome, WinDraft, evaluate
from companion.photo_hand.hand import PhotoHand, PhotoTile
from companion.quads import Quad
from companion.rules import RULE_SETS, Score, Source
from companion.rules.win import DeclaredKong, OptionValue
from companion.sentences import Sentence
from companion.tiles import MeldKind


def has_corrections(draft: WinDraft) -> bool:
    """Whether a person has named tiles of a picture."""
    named = any(tile.settled and tile.quad and tile.is_kind for tile in draft.hand.tiles)
    return named and draft.picture is not None


def name_tiles(draft: WinDraft, word: str) -> TilesNamed:
    """Every tile of the picture with what it is, None where it still needs a look."""
    laid = {
        member: code
        for meld in draft.hand.melds
        for member, code in zip(meld.members, meld.codes, strict=True)
    }
    tiles = tuple(
        (tile.quad, laid.get(tile.id, tile.code) if tile.is_kind and not tile.needs_look else None)
        for tile in draft.hand.tiles
        if tile.quad
    )
    return TilesNamed(Path(draft.picture or ""), tiles, word)


def find_tile(hand: PhotoHand, quad: Quad) -> int | None:
    """The id of the tile with that outline."""
    return next((tile.id for tile in hand.tiles if tile.quad == quad), None)


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


class Pane(StrEnum):
    """A part of the page."""

    TILES = "tiles"
    WIN = "win"
    SCORE = "score"


def offer_panes(score: Score | None) -> tuple[tuple[str, Sentence], ...]:
    """Each pane with its name; that of the score says what it is, where there is one."""
    worth = Sentence("Score")
    if score and score.legal:
        worth = Sentence("Score: {value}", {"value": score.value})
    names = {Pane.TILES: Sentence("Tiles"), Pane.WIN: Sentence("Win"), Pane.SCORE: worth}
    return tuple((pane.value, name) for pane, name in names.items())


NO_FACE_FRAMED = Sentence("No tile in that frame lies face up: draw it around the tiles that count.")


class Page(StrEnum):
    """The pages of this feature."""

    TABLE = "table"
    GAME = "score_game"
    OPTIONS = "options"
    MORE = "more"
    ENTRY = "win_entry"
    RESULT = "win_result"
    OPEN = "open_tiles"
    """What lies on the table beside a hand, for the coach."""


@dataclass(frozen=True, slots=True)
class WaitingHand:
    """A hand that waits while what lies on the table beside it is entered, and the drafts before it."""

    draft: WinDraft
    past: tuple[WinDraft, ...]


@dataclass(frozen=True, slots=True)
class HandEditing(HowWon, FeatureState, ABC):
    """A draft that is worked on: of a hand, or of what lies on the table beside the hand that is waiting."""

    draft: WinDraft = field(default_factory=WinDraft)
    outcome: Outcome = field(default_factory=lambda: evaluate(WinDraft()))
    past: tuple[WinDraft, ...] = ()
    page: Page = Page.TABLE
    pane: Pane = Pane.TILES
    selected: int | None = None
    adding: bool = False
    naming_fortune: bool = False
    naming_win: bool = False
    waiting: WaitingHand | None = None

    @property
    def hand(self) -> PhotoHand:
        return self.draft.hand

    @property
    def meld_kinds(self) -> tuple[MeldKind, ...]:
        """The melds that tiles can be laid as: none among all that lies on the table."""
        return () if self.waiting else self.draft.meld_kinds

    @property
    def typing(self) -> bool:
        """Whether the keyboard of tiles is out."""
        return self.adding or self.naming_fortune or self.selected is not None

    @property
    def can_undo(self) -> bool:
        return bool(self.past)

    def change(self, draft: WinDraft) -> Self:
        """With that draft; the one before can be had back by `undo`."""
        if draft == self.draft:
            return self
        return self._with_draft(draft, remember(self.past, self.draft))

    def show(self, page: Page) -> Self:
        return replace(self.stop_typing(), page=page).also(ComeToFront())

    def show_pane(self, pane: Pane) -> Self:
        return replace(self, pane=pane)

    def select(self, tile_id: int | None) -> Self:
        """That tile under the keyboard; the same tile again puts the keyboard away."""
        return replace(self.stop_typing(), selected=None if tile_id == self.selected else tile_id)

    def touch(self, tile_id: int) -> Self:
        """A tile that does not count does now; one that does goes under the keyboard."""
        if tile_id not in self.hand.others:
            return self.select(tile_id)
        if self.waiting:
            hand = open_tiles.count_in(self.hand, tile_id)
        else:
            hand = self.hand.take_in(tile_id, self.draft.rule_set, self.draft.meld_kinds)
        return self.stop_typing()._with_hand(hand)

    def touch_in_picture(self, tile_id: int) -> Self:
        """A tile that counts does no longer, and the other way round. One that is not known, or lies face
        down, goes under the keyboard."""
        asked = {tile.id for tile in (*self.hand.unsure, *self.hand.tiles_down)}
        if tile_id in asked or tile_id in self.hand.others:
            return self.touch(tile_id).also(Say(None))
        return self.stop_typing()._with_hand(self.hand.leave_out(tile_id)).also(Say(None))

    def count_only(self, ids: Iterable[int]) -> Self:
        """Of the tiles of the picture these count and no others. Where none of them lies face up, that is
        said, and nothing changes."""
        if self.waiting:
            hand = open_tiles.count_only(self.hand, ids)
        else:
            hand = self.hand.count_only(ids, self.draft.rule_set, self.draft.meld_kinds)
        if hand is self.hand:
            return self.stop_typing().also(Say(NO_FACE_FRAMED, trouble=False))
        return self.stop_typing()._with_hand(hand).also(Say(None))

    def start_adding(self) -> Self:
        return replace(self.stop_typing(), adding=True)

    def name_fortune(self) -> Self:
        return replace(self.stop_typing(), naming_fortune=True, pane=Pane.TILES)

    def name_win(self) -> Self:
        """The tile that is touched next is the one that won."""
        return replace(self.stop_typing(), naming_win=True, pane=Pane.TILES)

    def stop_typing(self) -> Self:
        """The keyboard put away; a small window goes back to where the fortune tile was asked for."""
        pane = Pane.WIN if self.naming_fortune else self.pane
        return replace(self, adding=False, naming_fortune=False, naming_win=False, selected=None, pane=pane)

    def look_next(self) -> Self:
        """The next tile that needs a look, after the selected one and around."""
        unsure = [tile.id for tile in self.hand.unsure]
        if not unsure:
            return self.stop_typing()
        order = [tile.id for tile in self.hand.tiles]
        here = order.index(self.selected) if self.selected in order else -1
        after = [tile_id for tile_id in unsure if order.index(tile_id) > here]
        return replace(self.stop_typing(), selected=(after or unsure)[0], pane=Pane.TILES)

    def press(self, code: str) -> Self:
        """A key of the tile keyboard: adds a tile, names the fortune tile, or corrects the selected one and
        goes on to the next unsure one.
        """
        if self.naming_fortune:
            return self.record(fortune=code).stop_typing()
        if self.adding:
            return self._with_hand(self.hand.add(code)) if self.count_left(None).get(code, 1) > 0 else self
        if self.selected is None:
            return self
        was_unsure = self.selected in {tile.id for tile in self.hand.unsure}
        corrected = self._with_hand(self.hand.correct(self.selected, code))
        return corrected.look_next() if was_unsure else corrected.stop_typing()

    @property
    def can_teach(self) -> bool:
        """Whether there are corrections that the tile set has not learned yet."""
        return has_corrections(self.draft) and self.draft not in self.past[-1:]

    def teach(self, word: str) -> Self:
        """Have the tiles of the picture learned: by the set in use, or a new one called by `word`."""
        return self.also(Announce(name_tiles(self.draft, word))) if self.can_teach else self

    def remove_selected(self) -> Self:
        return self._on_selected(self.hand.remove)

    def win_with_selected(self) -> Self:
        return self._on_selected(self.hand.win_with)

    def leave_out_selected(self) -> Self:
        return self._on_selected(self.hand.leave_out)

    def lay_selected(self, kind: MeldKind) -> Self:
        return self._on_selected(lambda tile_id: self.hand.lay(tile_id, kind))

    def lay_kind(self, code: str, kind: MeldKind) -> Self:
        """The tiles of that kind are such a meld."""
        tile = next((tile for tile in self.hand.concealed if tile.code == code), None)
        return self if tile is None else self._with_hand(self.hand.lay(tile.id, kind))

    def open_up_selected(self) -> Self:
        meld = self.hand.meld_of(self.selected) if self.selected is not None else None
        return self._with_hand(self.hand.open_up(meld)) if meld else self

    def _with_hand(self, hand: PhotoHand) -> Self:
        return self.record(hand=hand)

    def _on_selected(self, step: Callable[[int], PhotoHand]) -> Self:
        if self.selected is None:
            return self
        return self._with_hand(step(self.selected)).stop_typing()

    def win_with_kind(self, code: str) -> Self:
        """That kind won: it is added to a hand that lacks one, or stands for the winning tile there is."""
        return self._with_hand(self.draft.hand_won_with(code))

    @property
    def strange_tiles(self) -> tuple[str, ...]:
        """The kinds of the hand that the game does not have."""
        counted = [tile for tile in self.hand.tiles if self.hand.counts(tile.id)]
        return tuple(dict.fromkeys(tile.code for tile in counted if self.draft.lacks(tile)))

    @property
    def other_games(self) -> tuple[str, ...]:
        """The games that have all tiles of the hand."""
        kinds = {tile.code for tile in self.hand.tiles if self.hand.counts(tile.id) and tile.is_kind}
        return tuple(
            name
            for name, rules in RULE_SETS.items()
            if name != self.draft.rules and kinds <= {kind.code for kind in rules.tile_set.kinds}
        )

    def count_left(self, beside: PhotoTile | None) -> dict[str, int]:
        """How many of each kind may still be there, `beside` the tile that is put right."""
        tile_set = self.draft.rule_set.tile_set
        left = {kind.code: tile_set.copies[kind.index] for kind in tile_set.kinds}
        laid = {member for meld in self.hand.melds for member in meld.members}
        held = [tile.code for tile in self.hand.free if tile is not beside]
        held += [
            code for meld in self.hand.melds if not (beside and beside.id in laid) for code in meld.codes
        ]
        if self.waiting:
            held += [code for part in open_tiles.Held.of(self.waiting.draft.hand) for code in part]
        for code in held:
            if code in left:
                left[code] -= 1
        return left

    @abstractmethod
    def _with_draft(self, draft: WinDraft, past: tuple[WinDraft, ...]) -> Self:
        """With that draft judged; past: the drafts that undo brings back."""


def propose_kong(draft: WinDraft) -> DeclaredKong:
    """The next kong to be listed: the winner's next meld that is one and is not listed yet, or any."""
    listed = [kong.kind for kong in draft.kongs_declared if kong.seat == draft.winner]
    kinds = [meld.kind for meld in draft.hand.melds if meld.kind.is_kong]
    for kind in listed:
        if kind in kinds:
            kinds.remove(kind)
    return make_possible(DeclaredKong(kinds[0] if kinds else MeldKind.KONG_CONCEALED, draft.winner, None))


def make_possible(kong: DeclaredKong) -> DeclaredKong:
    """A kong that can be: one on a discard has a discarder other than its own seat, any other has none."""
    if kong.kind is not MeldKind.KONG_DISCARD:
        return replace(kong, discarder=None)
    if kong.discarder in (None, kong.seat):
        return replace(kong, discarder=(kong.seat + 1) % 4)
    return kong
