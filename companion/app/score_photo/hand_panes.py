"""The panes with the tiles of a hand: the picture they were read in, the tray below it, and the keyboard that
corrects and adds tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.live_preview import LivePicture
from companion.app.score_photo import editing, entering, photo
from companion.app.score_photo.game_win import OPEN_YET, WHICH_CLAIMED, ask, judge_live, list_missing
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text, adopt
from companion.app.widgets.fields import Keyboard
from companion.app.widgets.name_tag import measure_name
from companion.app.widgets.stage import CloseUp, LiveView, Mark, Outline, PictureStage
from companion.app.widgets.tile_keys import SetKey
from companion.app.widgets.tiles import RING, TileKey
from companion.photo_hand.draft import Outcome
from companion.photo_hand.from_reading import choose_advice
from companion.photo_hand.hand import PhotoHand, PhotoTile
from companion.photo_hand.open_tiles import list_open_tiles
from companion.rules import RULE_SETS
from companion.sentences import Sentence, msgid
from companion.sheets.wording import write_worth
from companion.tiles import BACK, UNKNOWN, MeldKind
from companion.words import Words
from companion.words.tile_names import name_tile

HINT_FROM = dp(300)
CARD_WIDTH = dp(340)
LOOK_WIDTH = dp(168)
FLOWERS_WIDTH = dp(76)
CLAIMS_BESIDE_FROM = dp(700)
"""Minimum width, without other questions, at which the sets that may have been claimed stand beside the
buttons, not below them."""
CLAIMS_WIDTH, NONE_WIDTH = dp(170), dp(76)
NAMES_WIN_FROM = dp(560)
"""Minimum width at which the winning tile is named."""
TILES_A_ROW = 14.2
"""Number of tiles in a row of a wide window: fourteen and a margin."""
MELD_NAMES = {
    MeldKind.CHOW: msgid("Chow"),
    MeldKind.PUNG: msgid("Pung"),
    MeldKind.KONG_DISCARD: msgid("Kong"),
    MeldKind.KONG_ADDED: msgid("Added kong"),
    MeldKind.KONG_CONCEALED: msgid("Concealed kong"),
}
STEP_WIDTH_MIN = dp(90)
COUNT_LEAST = dp(70)
"""With less room next to the buttons, how many tiles there are is not said in words."""
CLOSE_UP_HEIGHT = dp(84)
CLOSE_UP_HEIGHT_SMALL = dp(62)
LARGE_CLOSE_UP_FROM = dp(430)
"""Minimum height for a large close-up; with less, the keyboard gets the room."""


class PicturePane(BoxLayout):
    """The picture, or an invitation where there is none."""

    def __init__(self, controller: Controller[ScorePhoto], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._stage = PictureStage(
            lambda tile_id: controller.do(lambda state: editing.touch_in_picture(state, tile_id)),
            framed=lambda ids: controller.do(lambda state: editing.count_only(state, ids)),
        )
        self._invitation = Invitation(controller)
        self.live = LivePane(controller)
        self._waiting = Tag(size=theme.TEXT_LARGE, align="center")
        self._hint = Text(colour=theme.GOLD, align="center")
        self._framed = BoxLayout(orientation="vertical")
        for child in (self._hint, self._stage):
            self._framed.add_widget(child)

    @property
    def stage(self) -> PictureStage:
        return self._stage

    def show(self, view: View[ScorePhoto]) -> None:
        if view.state.loading or view.state.taking:
            self._waiting.text = view.words.say(view.state.busy or Sentence("Opening the picture …"))
        child = self._choose(view.state)
        if child.parent is None:
            self.clear_widgets()
            self.add_widget(child)
        hand = view.state.hand
        crowded = len(hand.concealed) + 3 * len(hand.melds) > view.state.draft.rule_set.hand_size + 1
        if view.state.waiting:
            self._hint.text = view.words(
                "Draw a frame around the tiles that count, or touch one to include or exclude it."
            )
        else:
            self._hint.text = view.words(
                "Draw a frame around the hand, or touch a tile to include or exclude it."
            )
        self._hint.opacity = 1 if crowded or hand.others or view.state.waiting else 0
        if child is self._framed:
            self._stage.show(view.state.shown, marks(view.state))
        elif child is self.live:
            self.live.show(view)
        elif child is self._invitation:
            self._invitation.show(view)

    def _choose(self, state: ScorePhoto) -> Widget:
        if state.loading or state.taking:
            return self._waiting
        if state.preview is not None:
            return self.live
        return self._framed if state.shown else self._invitation


class Invitation(FloatLayout):
    """Shown before the first picture: buttons to bring one, or to add tiles by hand."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__()
        self._in_game = False
        self._adds = False
        self._card = Card(
            size_hint=(None, None),
            pos_hint={"center_x": 0.5, "center_y": 0.5},
            colour=theme.PANEL,
        )
        self._card.bind(minimum_height=self._card.setter("height"))
        self._row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._words = Text(align="center", size=theme.TEXT_LARGE)
        self._hint = Text(align="center", size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self._choose = Press(
            icon="picture",
            text=" ",
            main=True,
            act=lambda: controller.do(photo.request_picture),
        )
        self._take = Press(
            icon="camera",
            text=" ",
            act=lambda: controller.do((photo.watch) if self._in_game else photo.request_camera_picture),
        )
        self._add = Press(icon="plus", text=" ", act=lambda: controller.do(editing.start_adding))
        self._placed: object = None
        self._names: tuple[tuple[str, str], ...] = ((" ", " "),) * 3
        """The name of each button in a column, and the short one in a row."""
        self.add_widget(self._card)
        self.bind(size=self._fit)
        self._words.bind(text=self._fit)

    def show(self, view: View[ScorePhoto]) -> None:
        words = view.words
        self._in_game = view.state.game_win is not None
        self._adds = view.state.typing
        if view.state.hand.tiles:
            self._words.text = words("No picture")
        elif view.state.waiting:
            self._words.text = words("Photograph the table from above: discards and melds")
        else:
            self._words.text = words("Add the winning hand")
        self._names = (
            (words("Choose a picture"), words("Picture")),
            (words("Take a picture"), words("Camera")),
            (words("Add tiles by hand"), words("Tiles")),
        )
        self._hint.text = words("You can also drop a picture on this window.")
        self._fit()

    def _fit(self, *_: object) -> None:
        """Arrange the buttons for the room there is: below each other, with or without the hint, else next to
        each other, with or without the heading."""
        buttons = [self._choose, self._take, *([] if self._adds else [self._add])]
        column: list[Widget] = [self._words, *buttons]
        if self.height > HINT_FROM:
            column.append(self._hint)
        width, rest = min(CARD_WIDTH, self.width), self.height - 2 * theme.PAD
        has_column = rest >= self._measure_words(width) + len(buttons) * (theme.TOUCH + theme.GAP)
        self._card.width = width if has_column else self.width
        has_words = rest >= self._measure_words(self.width) + theme.TOUCH + theme.GAP
        row = [self._words, self._row] if has_words else [self._row]
        for button, (name, short) in zip(buttons, self._names, strict=False):
            button.text = name if has_column else short
        placed = column if has_column else row
        if (placed, buttons) == self._placed:
            return
        self._placed = placed, buttons
        self._card.clear_widgets()
        self._row.clear_widgets()
        for child in placed:
            self._card.add_widget(child)
        if not has_column:
            for button in buttons:
                self._row.add_widget(button)

    def _measure_words(self, width: float) -> float:
        """Height of the heading in a card of that width, px."""
        return measure_name(self._words.text, theme.TEXT_LARGE, width - 2 * theme.PAD)


class LivePane(BoxLayout):
    """The live picture of a camera, what is read in it and its score; a button takes it."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP / 2)
        self._controller = controller
        self._view: View[ScorePhoto] | None = None
        self._judged: object = None
        self.stage = LiveView(self._note)
        self.says = Tag(size=theme.TEXT_LARGE, least=theme.TEXT_TINY)
        self.take = Press(" ", icon="camera", main=True, act=self._take)
        self.add = Press(" ", icon="plus", act=lambda: controller.do(editing.start_adding))
        self.says.size_hint_y, self.says.height = None, theme.TEXT_LARGE * 1.75
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        for child in (self.add, self.take):
            row.add_widget(child)
        for child in (self.stage, self.says, row):
            self.add_widget(child)

    def show(self, view: View[ScorePhoto]) -> None:
        self._view = view
        self.add.text = view.words("Add tiles by hand")
        self.take.text = view.words("Take this picture")
        self.stage.show(view.state.preview)

    def _take(self) -> None:
        live = self.stage.live
        if live is not None:
            image = live.image
            self._controller.do(lambda state: photo.use_live_picture(state, image))

    def _note(self, live: LivePicture | None) -> None:
        """Show what the camera sees; the score is worked out once for each reading."""
        self.take.disabled = live is None
        if self._view is None:
            return
        words, state = self._view.words, self._view.state
        if live is None or live.tiles is None:
            self.says.text = (
                words("Waiting for the camera …") if live is None else words("Reading the tiles …")
            )
            return
        key = live.read_t_ns, words.language
        if key == self._judged:
            return
        self._judged = key
        better = choose_advice(live.advice)
        if better:
            self.says.text, self.says.color = words.say(better), theme.UNSURE
            return
        parts = [words("Tiles seen: {count}", count=sum(tile.code != BACK for tile in live.tiles))]
        if unsure := sum(tile.unsure for tile in live.tiles):
            parts.append(words("unsure: {count}", count=unsure))
        win = state.game_win
        judged = judge_live(win, state.draft, live.tiles) if win else Outcome()
        if judged.score is not None and judged.score.legal:
            parts.append(write_worth(judged.score, words))
        elif judged.problem is not None and judged.problem.template == OPEN_YET:
            parts.append(words.say(judged.problem))
        self.says.text, self.says.color = " · ".join(parts), theme.IVORY


def marks(state: ScorePhoto) -> list[Mark]:
    """The outlines of the tiles in their picture; tiles that do not count are dimmed."""
    winning = state.winning_tile
    left_out = {tile.id for tile in state.hand.left_out}
    unnamed = {member for members in state.hand.unnamed for member in members}
    found = []
    for tile in state.hand.tiles:
        if tile.quad is None:
            continue
        meld = state.hand.meld_of(tile.id)
        code = meld.codes[meld.members.index(tile.id)] if meld else tile.code
        chosen = tile.id == state.selected
        if chosen:
            colour = theme.IVORY
        elif tile.needs_check or tile.id in unnamed:
            colour = theme.UNSURE
        elif winning and tile.id == winning.id:
            colour = theme.GOLD
        else:
            colour = theme.MELD if meld else theme.SURE
        thick = chosen or colour == theme.UNSURE
        dimmed = not chosen and tile.id in left_out
        found.append(Mark(tile.id, Outline(tile.quad, code, colour, thick, dimmed)))
    return found


class ClaimRow(BoxLayout):
    """Asks which sets were claimed: a key for each, and one for none. Those that only count as claimed, since
    nobody has entered it, are ringed."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        self._controller = controller
        self.words = Text(size=theme.TEXT_SMALL)
        self._holder = AnchorLayout(anchor_x="left", size_hint_x=None, width=CLAIMS_WIDTH)
        self._holder.add_widget(self.words)
        self.none = Press(
            " ", act=lambda: controller.do(entering.then_show(editing.claim_none)),
            size=theme.TEXT_SMALL, size_hint_x=None, width=NONE_WIDTH,
        )  # fmt: skip
        self.keys: list[SetKey] = []
        self._shown: object = None

    def show(self, state: ScorePhoto, words: Words) -> None:
        claims = state.claims
        assert claims is not None
        shown = claims, state.hand, words
        if shown == self._shown:
            return
        self._shown = shown
        self.words.text = describe_claims(state, words)
        self.words.color = theme.GOLD if state.asks_claims else theme.IVORY_DIM
        counted = Counter((meld.kind, meld.codes) for meld in (claims.assumed or state.hand).melds)
        self.none.text = words("None")
        self.none.chosen = not state.asks_claims and not any(each.claimed for each in claims.sets)
        self.clear_widgets()
        self.keys = []
        self.add_widget(self._holder)
        for place, each in enumerate(claims.sets):
            step = partial(editing.claim_set, place=place)
            key = SetKey(each.codes, partial(self._controller.do, step))
            counts = counted[each.kind, each.codes] > 0
            counted[each.kind, each.codes] -= 1
            key.mark(chosen=each.claimed, assumed=counts and not each.claimed)
            self.keys.append(key)
            self.add_widget(key)
        self.add_widget(self.none)


def describe_assumed_tile(state: ScorePhoto, words: Words) -> str:
    """The winning tile that is assumed; empty if none is."""
    tile = state.hand.tile(state.assumed_tile.id) if state.assumed_tile else None
    return words("Assumed winning tile: {tile}", tile=words.say(name_tile(tile.code))) if tile else ""


def describe_claims(state: ScorePhoto, words: Words) -> str:
    """The question and what is assumed; once it is answered, the number of claimed sets."""
    claims = state.claims
    assert claims is not None
    total = len(claims.sets)
    if not state.asks_claims:
        return words("Claimed sets: {count}", count=sum(each.claimed for each in claims.sets))
    assumed = claims.count_assumed(state.hand)
    said = words("Assumed: {count} of {total}", count=assumed, total=total)
    if assumed in (0, total):
        said = words("Assumed: all") if assumed else words("Assumed: none")
    return words(WHICH_CLAIMED) + "\n" + said


class HandTray(Card):
    """All tiles of the hand; touch one to change it. many: always as small as fourteen in a row."""

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
        header = self._header = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self.count = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.claims = ClaimRow(controller)
        self.look = Press(
            act=lambda: controller.do(editing.select_next_unsure),
            size=theme.TEXT_SMALL,
            size_hint_x=None,
            width=LOOK_WIDTH,
        )
        self.teach = Press(act=self._teach, size=theme.TEXT_SMALL, size_hint_x=None, width=LOOK_WIDTH)
        self.adding = Press(
            icon="plus", act=lambda: controller.do(editing.start_adding),
            size_hint_x=None, width=theme.TOUCH * 1.5,
        )  # fmt: skip
        self.which = Press(
            act=lambda: controller.do(editing.name_win),
            size=theme.TEXT_SMALL, size_hint_x=None, width=LOOK_WIDTH,
        )  # fmt: skip
        self.look.height = self.teach.height = theme.TOUCH
        header.add_widget(self.count)
        self._look_place = AnchorLayout(anchor_x="right", size_hint_x=None, width=0)
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
        """Width for fourteen tiles in a row; in two rows where they are spread, or would be too small in
        one."""
        room = self.width - 2 * theme.PAD
        one_row = room / TILES_A_ROW - theme.GAP / 2
        two_rows = 2 * room / TILES_A_ROW - theme.GAP / 2
        in_two = self.spread or one_row < theme.TILE_WIDTH_MIN
        width = two_rows if in_two and not self._many else one_row
        return float(min(max(width, theme.TILE_WIDTH_MIN), theme.TILE_WIDTH_MAX))

    def height_for(self, rows: int) -> float:
        """The height for n rows of tiles."""
        row = self.tile_width / theme.TILE_ASPECT + theme.GAP
        below = theme.TOUCH + theme.GAP / 2 if self.claims.parent is self else 0.0
        return float(theme.TOUCH + below + rows * row + theme.GAP * 3 + theme.HAIRLINE)

    def count_rows(self, hand: PhotoHand) -> int:
        """The number of rows of the tiles at this width."""
        step = self.tile_width + theme.GAP / 2
        melded = [meld.members for meld in hand.melds] + [*hand.unnamed]
        melds = sum(self._meld_width(members) + theme.GAP / 2 for members in melded)
        flowers = FLOWERS_WIDTH + theme.GAP / 2 if hand.flowers else 0
        length = len(hand.free) * step + melds + flowers - theme.GAP / 2
        return max(1, -int(-length // max(self.width - 2 * (theme.PAD + RING), 1)))

    def show(self, view: View[ScorePhoto]) -> None:
        self._view = view
        words, state = view.words, view.state
        hand = state.hand
        asks = state.asks_tile
        self.count.text = (
            words.say(ask("tile")) if asks else _count(state, words, roomy=self.width > NAMES_WIN_FROM)
        )
        self.count.color = theme.GOLD if asks else theme.IVORY_DIM
        self.count.usual_size = theme.TEXT_LARGE if asks else theme.TEXT_SMALL
        unsure = len(hand.unsure)
        self._look_place.clear_widgets()
        if unsure:
            self.look.text = words("{count} to check", count=unsure)
            adopt(self._look_place, self.look)
        elif state.can_teach:
            self.teach.text = words("Learn corrections")
            adopt(self._look_place, self.teach)
        elif state.supposes_tile and not asks:
            self.which.text = words("Which tile won?")
            adopt(self._look_place, self.which)
        self._look_place.width = LOOK_WIDTH if self._look_place.children else 0
        beside = self._look_place.width + self.adding.width + 2 * (theme.PAD + theme.GAP)
        self.count.opacity = 1 if self.width - beside >= COUNT_LEAST else 0
        self._place_claims(state, words)
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
        others = () if state.shown else hand.left_out  # with a picture they are shown there, dimmed
        for tile in (*hand.flowers[1:], *others):
            self._flow.add_widget(self._tile(tile, view))

    def _place_claims(self, state: ScorePhoto, words: Words) -> None:
        """Show the question about claims, beside the buttons where that has room, else below them."""
        asked = state.claims is not None and not state.typing
        room = self.width - self._look_place.width
        beside = asked and not state.asks_tile and room >= CLAIMS_BESIDE_FROM
        wanted = (self._header if beside else self) if asked else None
        if self.claims.parent is not wanted:
            if self.claims.parent:
                self.claims.parent.remove_widget(self.claims)
            if self.count.parent:
                self._header.remove_widget(self.count)
            first = self.claims if beside else self.count
            self._header.add_widget(first, index=len(self._header.children))
            if wanted is self:
                self.add_widget(self.claims, index=1)
        if asked:
            self.claims.show(state, words)

    def _teach(self) -> None:
        if self._view:
            word = self._view.words("tiles")
            self._controller.do(lambda state: editing.teach_corrections(state, word))

    def _tile(self, tile: PhotoTile, view: View[ScorePhoto], code: str | None = None) -> TileKey:
        state, words = view.state, view.words
        key = TileKey(
            code or tile.code,
            width=self.tile_width,
            act=lambda: self._controller.do(partial(entering.touch_tile, tile_id=tile.id)),
        )
        winning = state.winning_tile
        wins = winning is not None and winning.id == tile.id and not state.loading
        note = (words("wins?") if state.supposes_tile else words("wins")) if wins else ""
        if tile.id == state.selected:
            key.mark(ring=theme.IVORY, note=note)
        elif state.draft.lacks(tile):
            key.mark(ring=theme.UNSURE, note=words("unused"))
        elif tile in state.hand.unsure:
            key.mark(ring=theme.UNSURE, note=note or words("check"))
        elif state.asks_tile and tile in state.hand.concealed:
            key.mark(ring=theme.GOLD, note=note)
        elif state.hand.unnamed_of(tile.id):
            key.mark(ring=theme.UNSURE)
        elif note:
            key.mark(ring=theme.UNSURE if state.supposes_tile else theme.GOLD, note=note)
        else:
            key.mark(faded=tile in state.hand.left_out)
        self.keys[tile.id] = key
        return key

    def _set_out(self, flowers: Sequence[PhotoTile], view: View[ScorePhoto]) -> BoxLayout:
        """The number of flowers, and the first of them in the same row."""
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
        parts = [words("On the table: {count}", count=len(list_open_tiles(hand)))]
    else:
        parts = [words("Hand: {count}", count=len(hand.concealed))]
    if melds := len(hand.melds) + len(hand.unnamed):
        parts.append(words("melds: {count}", count=melds))
    if roomy and winning and winning.is_kind:
        parts.append(words("winning tile: {tile}", tile=winning.code))
    if hand.left_out:
        parts.append(words("not counted: {count}", count=len(hand.left_out)))
    return " · ".join(parts)


class TileSheet(Card):
    """The buttons and the keyboard for one tile, or the keyboard for adding tiles.

    room: the maximum height. wanted_height: the height it needs.
    """

    room = NumericProperty(dp(440))
    wanted_height = NumericProperty(dp(300))

    def __init__(self, controller: Controller[ScorePhoto], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._controller = controller
        self._view: View[ScorePhoto] | None = None
        self._key: object = None
        self._board: tuple[object, Keyboard] | None = None
        """The keyboard with the key it was built for: building one takes a tenth of a second."""
        self.keys: dict[str, TileKey] = {}
        self.actions: dict[str, Press] = {}
        self._close_up = CloseUp()
        self._column = Column()
        self._column.inside.bind(
            height=lambda _, height: setattr(self, "wanted_height", min(height + 2 * theme.PAD, self.room))
        )
        self.add_widget(self._column)
        self.bind(
            width=lambda *_: self._view and self.show(self._view),
            room=lambda *_: self._view and self.show(self._view),
        )

    def show(self, view: View[ScorePhoto]) -> None:
        self._view = view
        state = view.state
        key = (
            state.hand,
            state.selected,
            state.adding,
            state.naming_fortune,
            state.draft,
            view.words.language,
            self.width,
            self.room,
        )
        if not state.typing or key == self._key:
            return
        self._key = key
        self.keys, self.actions = {}, {}
        inside = self._column.inside
        inside.clear_widgets()
        tile = state.hand.tile(state.selected) if state.selected is not None else None
        if tile:
            inside.add_widget(self._heading(tile, view))
            inside.add_widget(self._steps(tile, view))
        else:
            inside.add_widget(self._adding(view))
        inside.add_widget(self._keyboard(tile, view))

    def _adding(self, view: View[ScorePhoto]) -> BoxLayout:
        words = view.words
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        asked = (
            words("Which tile is the fortune tile?")
            if view.state.naming_fortune
            else words("Touch each tile to add. Hold: a pung, or the last pair. Drag sideways: a chow.")
        )
        row.add_widget(Tag(asked, size=theme.TEXT))
        self.actions["done"] = Press(
            words("Done"),
            main=True,
            act=lambda: self._controller.do(entering.then_show(editing.stop_typing)),
            size_hint_x=None,
            width=dp(110),
        )
        row.add_widget(self.actions["done"])
        return row

    def _heading(self, tile: PhotoTile, view: View[ScorePhoto]) -> BoxLayout:
        words = view.words
        height = self._close_up_height
        row = BoxLayout(size_hint_y=None, height=height, spacing=theme.GAP)
        if tile.quad and view.state.shown:
            self._close_up.look_at(tile.quad, view.state.shown)
            adopt(row, self._close_up)
        meld = view.state.hand.meld_of(tile.id)
        code = meld.codes[0] if meld else tile.code
        suggested = [code] + [code for code, _ in tile.alternatives if code not in (tile.code, UNKNOWN, BACK)]
        texts = BoxLayout(orientation="vertical")
        texts.add_widget(Tag(_question(tile, view), size=theme.TEXT))
        if tile.settled or tile.is_kind:
            percent = round(tile.p * 100)
            sure = words("entered by you") if tile.settled else words("sure: {percent} %", percent=percent)
            texts.add_widget(Tag(sure, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
        row.add_widget(texts)
        kinds = {kind.code for kind in RULE_SETS[view.state.draft.rules].tile_set.kinds}
        width = height * theme.TILE_ASPECT
        self._close_up.width = width
        for suggestion in [code for code in suggested if code in kinds][:3]:
            key = self._tile_key(suggestion, width)
            key.mark(ring=theme.SURE if suggestion == code else None)
            row.add_widget(key)
        row.add_widget(
            Press(
                icon="close",
                act=lambda: self._controller.do(editing.stop_typing),
                size_hint_x=None,
                width=theme.TOUCH,
                pos_hint={"top": 1},
            )
        )
        return row

    def _steps(self, tile: PhotoTile, view: View[ScorePhoto]) -> GridLayout:
        words, state = view.words, view.state
        hand = state.hand
        steps: list[tuple[str, Press]] = []

        def step(
            name: str, text: str, do: Callable[[ScorePhoto], ScorePhoto], *, enabled: bool = True
        ) -> None:
            press = Press(text, act=lambda: self._controller.do(do), size=theme.TEXT_SMALL)
            press.disabled = not enabled
            steps.append((name, press))

        if hand.meld_of(tile.id):
            step("ungroup", words("Split the meld"), editing.split_selected_meld)
        elif tile.code != BACK and not state.waiting:
            winning = state.draft.winning
            step(
                "win",
                words("Winning tile"),
                editing.win_with_selected,
                enabled=not winning or winning.id != tile.id,
            )
            for kind in state.meld_kinds:
                possible = hand.find_meld_members(tile.id, kind) is not None
                step(
                    kind.value,
                    words(MELD_NAMES[kind]),
                    _as_meld(kind),
                    enabled=possible,
                )
        if tile.quad and state.hand.counts(tile.id):
            left_out = words("Does not count") if state.waiting else words("Not in the hand")
            step("leave_out", left_out, editing.leave_out_selected)
        else:
            step("remove", words("Remove"), editing.remove_selected)
        grid = GridLayout(
            cols=-(-len(steps) // -(-len(steps) // self._steps_a_row)),
            size_hint_y=None,
            spacing=theme.GAP / 2,
            row_default_height=theme.TOUCH,
        )
        grid.bind(minimum_height=grid.setter("height"))
        for name, press in steps:
            self.actions[name] = press
            grid.add_widget(press)
        return grid

    def _keyboard(self, tile: PhotoTile | None, view: View[ScorePhoto]) -> Keyboard:
        kinds = RULE_SETS[view.state.draft.rules].tile_set.kinds
        above = theme.TOUCH if tile is None else self._close_up_height + self._steps_height + theme.GAP
        room = (self.width - 2 * theme.PAD - theme.GAP, self.room - 2 * theme.PAD - above - theme.GAP)
        made = (view.state.draft.rules, room)
        if self._board is None or self._board[0] != made:
            board = Keyboard(kinds, room, self._press, counted=True, drag=self._drag, fill=self._fill)
            self._board = made, board
        keyboard = self._board[1]
        missing = {kind.code for kind in list_missing(view.state.draft)} if view.state.adding else set()
        keyboard.show_left(view.state.count_left(tile), view.state.count_unseen(tile), missing)
        self.keys = keyboard.keys | self.keys
        return keyboard

    def _press(self, code: str) -> None:
        self._controller.do(lambda state: editing.press_key(state, code))

    def _fill(self, code: str, pressed: int) -> None:
        self._controller.do(lambda state: editing.fill_set(state, code, pressed))

    def _drag(self, begun: str, ended: str) -> None:
        self._controller.do(lambda state: editing.add_chow(state, begun, ended))

    @property
    def _steps_a_row(self) -> int:
        return max(3, int((self.width - 2 * theme.PAD) // STEP_WIDTH_MIN))

    @property
    def _steps_height(self) -> float:
        """Height of the buttons of a tile of the hand."""
        rows = -(-len(self.actions) // self._steps_a_row)
        return float(rows * (theme.TOUCH + theme.GAP / 2))

    @property
    def _close_up_height(self) -> float:
        return float(CLOSE_UP_HEIGHT if self.room >= LARGE_CLOSE_UP_FROM else CLOSE_UP_HEIGHT_SMALL)

    def _tile_key(self, code: str, width: float) -> TileKey:
        key = TileKey(
            code, width=width, act=lambda: self._controller.do(lambda state: editing.press_key(state, code))
        )
        self.keys[code] = key
        return key


def _as_meld(kind: MeldKind) -> Callable[[ScorePhoto], ScorePhoto]:
    return lambda state: editing.meld_selected(state, kind)


def _question(tile: PhotoTile, view: View[ScorePhoto]) -> str:
    words = view.words
    hand = view.state.hand
    if tile.code == BACK and (hand.unnamed_of(tile.id) or hand.meld_of(tile.id)):
        return words("Concealed kong: which tile?")
    if tile.code == BACK:
        return words("Face down: what is it?")
    if tile.code == UNKNOWN:
        return words("Not read: what is it?")
    if view.state.draft.lacks(tile):
        return words("This game has no such tile: what is it?")
    if tile.needs_check:
        return words("Is this right?")
    return words("This tile")
