"""The hand below the picture: concealed tiles, melds, what was left out, and how many tiles need a look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout

from companion.app.feature import Controller, View
from companion.app.score_photo.game_win import ask
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag, adopt
from companion.app.widgets.tiles import RING, TileKey
from companion.photo_hand.hand import PhotoHand, PhotoTile
from companion.photo_hand.open_tiles import list_open
from companion.tiles import BACK, MeldKind
from companion.words import Words

LOOK_WIDTH = dp(168)
FLOWERS_WIDTH = dp(76)
ROOMY_FROM = dp(560)
"""From this width on the winning tile is named."""
TILES_A_ROW = 14.2
"""Fourteen tiles stand in a row where the window is wide enough."""


class HandTray(Card):
    """All tiles of the hand; touch one to change it. many: they are always as small as fourteen in a row."""

    def __init__(self, controller: Controller[ScorePhoto], *, many: bool = False, **kwargs: Any) -> None:
        super().__init__(
            padding=(theme.PAD, theme.GAP / 2, theme.PAD, theme.GAP), spacing=theme.GAP / 2, **kwargs
        )
        self._controller = controller
        self._key: object = None
        self._view: View[ScorePhoto] | None = None
        self.spread = False
        self._many = many
        self.keys: dict[int, TileKey] = {}
        header = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self.count = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.look = Press(
            act=lambda: controller.do(ScorePhoto.look_next),
            size=theme.TEXT_SMALL,
            size_hint_x=None,
            width=LOOK_WIDTH,
        )
        self.teach = Press(act=self._teach, size=theme.TEXT_SMALL, size_hint_x=None, width=LOOK_WIDTH)
        self.adding = Press(
            icon="plus", act=lambda: controller.do(lambda state: state.start_adding()),
            size_hint_x=None, width=theme.TOUCH * 1.5,
        )  # fmt: skip
        self.which = Press(
            act=lambda: controller.do(ScorePhoto.name_win),
            size=theme.TEXT_SMALL, size_hint_x=None, width=LOOK_WIDTH,
        )  # fmt: skip
        self.look.height = self.teach.height = theme.TOUCH
        header.add_widget(self.count)
        self._look_place = AnchorLayout(anchor_x="right", size_hint_x=None, width=LOOK_WIDTH)
        header.add_widget(self._look_place)
        header.add_widget(self.adding)
        self._flow = StackLayout(
            size_hint_y=None, height=theme.GAP, spacing=(theme.GAP / 2, theme.GAP),
            padding=(RING, theme.GAP / 2),
        )  # fmt: skip
        self._flow.bind(minimum_height=self._flow.setter("height"))
        self._column = Column()
        self._column.inside.add_widget(self._flow)
        self.add_widget(header)
        self.add_widget(self._column)
        self.bind(width=lambda *_: self._view and self.show(self._view))

    @property
    def tile_width(self) -> float:
        """That of fourteen tiles in a row; in two where they are spread, or would be too small in one."""
        room = self.width - 2 * theme.PAD
        one_row = room / TILES_A_ROW - theme.GAP / 2
        two_rows = 2 * room / TILES_A_ROW - theme.GAP / 2
        in_two = self.spread or one_row < theme.TILE_WIDTH_MIN
        width = two_rows if in_two and not self._many else one_row
        return float(min(max(width, theme.TILE_WIDTH_MIN), theme.TILE_WIDTH_MAX))

    def height_for(self, rows: int) -> float:
        """The height that shows that many rows of tiles."""
        row = self.tile_width / theme.TILE_ASPECT + theme.GAP
        return float(theme.TOUCH + rows * row + theme.GAP * 3 + theme.HAIRLINE)

    def count_rows(self, hand: PhotoHand) -> int:
        """How many rows the tiles take at this width."""
        step = self.tile_width + theme.GAP / 2
        laid = [meld.members for meld in hand.melds] + [*hand.unnamed]
        melds = sum(self._meld_width(members) + theme.GAP / 2 for members in laid)
        flowers = FLOWERS_WIDTH + theme.GAP / 2 if hand.flowers else 0
        length = len(hand.free) * step + melds + flowers - theme.GAP / 2
        return max(1, -int(-length // max(self.width - 2 * (theme.PAD + RING), 1)))

    def show(self, view: View[ScorePhoto]) -> None:
        self._view = view
        words, state = view.words, view.state
        hand = state.hand
        asks = state.asks_tile
        self.count.text = (
            words.say(ask("tile")) if asks else _count(state, words, roomy=self.width > ROOMY_FROM)
        )
        self.count.color = theme.GOLD if asks else theme.IVORY_DIM
        self.count.usual_size = theme.TEXT_LARGE if asks else theme.TEXT_SMALL
        unsure = len(hand.unsure)
        self._look_place.clear_widgets()
        if unsure:
            self.look.text = words("{count} to look at", count=unsure)
            adopt(self._look_place, self.look)
        elif state.can_teach:
            self.teach.text = words("Learn corrections")
            adopt(self._look_place, self.teach)
        elif state.supposes_tile and not asks:
            self.which.text = words("Which tile won?")
            adopt(self._look_place, self.which)
        won = state.winning_tile
        sizes = round(self.tile_width), state.shown is None
        key = (state.draft, state.selected, words.language, sizes, won, asks, state.loading)
        if key == self._key:
            return
        self._key = key
        self.keys = {}
        self._flow.clear_widgets()
        for tile in hand.concealed:
            self._flow.add_widget(self._tile(tile, view))
        for meld in hand.melds:
            codes = [
                BACK if meld.kind is MeldKind.KONG_CONCEALED and at in (0, 3) else code
                for at, code in enumerate(meld.codes)
            ]
            self._flow.add_widget(self._meld(meld.members, codes, view))
        for members in hand.unnamed:
            self._flow.add_widget(self._meld(members, [BACK] * len(members), view))
        if hand.flowers:
            self._flow.add_widget(self._set_out(hand.flowers, view))
        others = () if state.shown else hand.left_out  # else in the picture, where they lie in shade
        for tile in (*hand.flowers[1:], *others):
            self._flow.add_widget(self._tile(tile, view))

    def _teach(self) -> None:
        if self._view:
            word = self._view.words("tiles")
            self._controller.do(lambda state: state.teach(word))

    def _tile(self, tile: PhotoTile, view: View[ScorePhoto], code: str | None = None) -> TileKey:
        state, words = view.state, view.words
        key = TileKey(
            code or tile.code,
            width=self.tile_width,
            act=lambda: self._controller.do(lambda state: state.touch(tile.id)),
        )
        winning = state.winning_tile
        wins = winning is not None and winning.id == tile.id and not state.loading
        note = (words("wins?") if state.supposes_tile else words("wins")) if wins else ""
        if tile.id == state.selected:
            key.mark(ring=theme.IVORY, note=note)
        elif state.draft.lacks(tile):
            key.mark(ring=theme.UNSURE, note=words("unused"))
        elif tile in state.hand.unsure:
            key.mark(ring=theme.UNSURE, note=note or words("look"))
        elif state.asks_tile and tile in state.hand.concealed:
            key.mark(ring=theme.GOLD)
        elif state.hand.unnamed_of(tile.id):
            key.mark(ring=theme.UNSURE)
        elif note:
            key.mark(ring=theme.UNSURE if state.supposes_tile else theme.GOLD, note=note)
        else:
            key.mark(faded=tile in state.hand.left_out)
        self.keys[tile.id] = key
        return key

    def _set_out(self, flowers: Sequence[PhotoTile], view: View[ScorePhoto]) -> BoxLayout:
        """How many there are, beside the first of them on the same row."""
        text = view.words("flowers: {count}", count=len(flowers))
        label = Tag(text, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint=(None, None))
        label.width, label.height = FLOWERS_WIDTH, self.tile_width / theme.TILE_ASPECT
        first = self._tile(flowers[0], view)
        box = BoxLayout(size_hint=(None, None), spacing=theme.GAP / 2)
        box.size = label.width + box.spacing + first.width, max(label.height, first.height)
        for child in (label, first):
            box.add_widget(child)
        return box

    def _meld(self, members: Sequence[int], codes: Sequence[str], view: View[ScorePhoto]) -> BoxLayout:
        box = Card(
            orientation="horizontal",
            size_hint=(None, None),
            colour=theme.PANEL_PRESSED,
            radius=theme.RADIUS / 2,
            padding=(theme.GAP / 2, 0),
            spacing=theme.GAP / 4,
        )
        for member, code in zip(members, codes, strict=True):
            if tile := view.state.hand.tile(member):
                box.add_widget(self._tile(tile, view, code))
        box.size = self._meld_width(members), self.tile_width / theme.TILE_ASPECT
        return box

    def _meld_width(self, members: Sequence[int]) -> float:
        return float(len(members) * (self.tile_width + theme.GAP / 4) + theme.GAP)


def _count(state: ScorePhoto, words: Words, *, roomy: bool) -> str:
    hand, winning = state.hand, state.winning_tile
    if state.waiting:
        parts = [words("On the table: {count}", count=len(list_open(hand)))]
    else:
        parts = [words("Hand: {count}", count=len(hand.concealed))]
    if melds := len(hand.melds) + len(hand.unnamed):
        parts.append(words("melds: {count}", count=melds))
    if roomy and winning and winning.is_kind:
        parts.append(words("winning tile: {tile}", tile=winning.code))
    if hand.left_out:
        parts.append(words("not counted: {count}", count=len(hand.left_out)))
    return " · ".join(parts)
