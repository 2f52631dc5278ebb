"""The picture on the table with every tile outlined and labelled, or an invitation to bring one."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.live_preview import LivePicture
from companion.app.score_photo.judging import OPEN_YET, judge_live
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Press, Tag, Text
from companion.app.widgets.name_tag import measure_name
from companion.app.widgets.stage import LiveView, Mark, Outline, PictureStage
from companion.photo_hand.draft import Outcome
from companion.photo_hand.from_reading import choose_advice
from companion.sentences import Sentence
from companion.sheets.wording import say_worth
from companion.tiles import BACK

HINT_FROM = dp(300)
CARD_WIDTH = dp(340)


class PicturePane(BoxLayout):
    """The picture, or an invitation where there is none."""

    def __init__(self, controller: Controller[ScorePhoto], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._stage = PictureStage(
            lambda tile_id: controller.do(lambda state: state.touch_in_picture(tile_id)),
            framed=lambda ids: controller.do(lambda state: state.count_only(ids)),
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
                "Draw a frame around what counts, or touch a tile to count it or not."
            )
        else:
            self._hint.text = view.words("Draw a frame around the hand, or touch a tile to count it or not.")
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
    """What there is to see before the first picture."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__()
        self._in_game = False
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
            act=lambda: controller.do(ScorePhoto.choose_picture),
        )
        self._take = Press(
            icon="camera",
            text=" ",
            act=lambda: controller.do(
                (lambda state: state.watch()) if self._in_game else ScorePhoto.take_picture
            ),
        )
        self._add = Press(icon="plus", text=" ", act=lambda: controller.do(ScorePhoto.start_adding))
        self._placed: list[Widget] = []
        self.add_widget(self._card)
        self.bind(size=self._fit)
        self._words.bind(text=self._fit)

    def show(self, view: View[ScorePhoto]) -> None:
        words = view.words
        self._in_game = view.state.game_win is not None
        if view.state.hand.tiles:
            self._words.text = words("No picture")
        elif view.state.waiting:
            self._words.text = words("The table from above, please: discards and melds")
        else:
            self._words.text = words("A finished hand, please")
        self._choose.text = words("Choose a picture")
        self._take.text = words("Take a picture")
        self._add.text = words("Add tiles by hand")
        self._hint.text = words("You can also drop a picture on this window.")

    def _fit(self, *_: object) -> None:
        """As much as there is room for: the buttons below each other, with the hint or without, else beside
        each other, with the words or without."""
        buttons = [self._choose, self._take, self._add]
        column: list[Widget] = [self._words, *buttons]
        if self.height > HINT_FROM:
            column.append(self._hint)
        width, rest = min(CARD_WIDTH, self.width), self.height - 2 * theme.PAD
        has_column = rest >= self._measure_words(width) + 3 * (theme.TOUCH + theme.GAP)
        self._card.width = width if has_column else self.width
        has_words = rest >= self._measure_words(self.width) + theme.TOUCH + theme.GAP
        row = [self._words, self._row] if has_words else [self._row]
        placed = column if has_column else row
        if placed == self._placed:
            return
        self._placed = placed
        self._card.clear_widgets()
        self._row.clear_widgets()
        for child in placed:
            self._card.add_widget(child)
        if not has_column:
            for button in buttons:
                self._row.add_widget(button)

    def _measure_words(self, width: float) -> float:
        """Their height in a card of that width, px."""
        return measure_name(self._words.text, theme.TEXT_LARGE, width - 2 * theme.PAD)


class LivePane(BoxLayout):
    """What a camera sees, what is read in it and what that would be; a touch takes it."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP / 2)
        self._controller = controller
        self._view: View[ScorePhoto] | None = None
        self._judged: object = None
        self.stage = LiveView(self._note)
        self.says = Tag(size=theme.TEXT_LARGE)
        self.take = Press(" ", icon="camera", main=True, act=self._take)
        self.add = Press(" ", icon="plus", act=lambda: controller.do(ScorePhoto.start_adding))
        self.says.size_hint_y, self.says.height = None, theme.TEXT_LARGE * 1.5
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
            self._controller.do(lambda state: state.take_live(image))

    def _note(self, live: LivePicture | None) -> None:
        """Say what the camera sees; what it would be is judged once for each reading."""
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
            parts.append(words("not sure of: {count}", count=unsure))
        win = state.game_win
        judged = judge_live(win, state.draft, live.tiles) if win else Outcome()
        if judged.score is not None and judged.score.legal:
            parts.append(say_worth(judged.score, words))
        elif judged.problem is not None and judged.problem.template == OPEN_YET:
            parts.append(words.say(judged.problem))
        self.says.text, self.says.color = " · ".join(parts), theme.IVORY


def marks(state: ScorePhoto) -> list[Mark]:
    """The tiles as they are outlined in their picture; those that do not count are dimmed."""
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
        elif tile.needs_look or tile.id in unnamed:
            colour = theme.UNSURE
        elif winning and tile.id == winning.id:
            colour = theme.GOLD
        else:
            colour = theme.MELD if meld else theme.SURE
        thick = chosen or colour == theme.UNSURE
        dimmed = not chosen and tile.id in left_out
        found.append(Mark(tile.id, Outline(tile.quad, code, colour, thick, dimmed)))
    return found
