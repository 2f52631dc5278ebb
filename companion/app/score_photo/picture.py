"""The picture on the table with every tile outlined and labelled, or an invitation to bring one."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.app.feature import Controller, View
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Press, Tag, Text
from companion.app.widgets.outlines import Outline
from companion.app.widgets.stage import Mark, PictureStage
from companion.sentences import Sentence

HINT_FROM = dp(300)


class PicturePane(BoxLayout):
    """The picture, or an invitation where there is none."""

    def __init__(self, controller: Controller[ScorePhoto], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._stage = PictureStage(
            lambda tile_id: controller.do(lambda state: state.touch_in_picture(tile_id)),
            framed=lambda ids: controller.do(lambda state: state.count_only(ids)),
        )
        self._invitation = Invitation(controller)
        self._waiting = Tag(size=theme.TEXT_LARGE, align="center")
        self._hint = Text(colour=theme.GOLD, align="center")
        self._framed = BoxLayout(orientation="vertical")
        for child in (self._hint, self._stage):
            self._framed.add_widget(child)

    @property
    def stage(self) -> PictureStage:
        return self._stage

    def show(self, view: View[ScorePhoto]) -> None:
        if view.state.loading:
            self._waiting.text = view.words.say(view.state.busy or Sentence("Opening the picture …"))
        child = (
            self._waiting if view.state.loading else self._framed if view.state.shown else self._invitation
        )
        if child.parent is None:
            self.clear_widgets()
            self.add_widget(child)
        hand = view.state.hand
        crowded = len(hand.concealed) + 3 * len(hand.melds) > view.state.draft.rule_set.hand_size + 1
        self._hint.text = view.words("Draw a frame around the hand, or touch a tile to count it or not.")
        self._hint.opacity = 1 if crowded or hand.others else 0
        if view.state.loading:
            return
        if view.state.shown:
            self._stage.show(view.state.shown, marks(view.state))
        else:
            self._invitation.show(view)


class Invitation(FloatLayout):
    """What there is to see before the first picture."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__()
        self._card = Card(
            size_hint=(None, None),
            width=dp(340),
            pos_hint={"center_x": 0.5, "center_y": 0.5},
            colour=theme.PANEL,
        )
        self._card.bind(minimum_height=self._card.setter("height"))
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
            act=lambda: controller.do(ScorePhoto.take_picture),
        )
        self._add = Press(icon="plus", text=" ", act=lambda: controller.do(ScorePhoto.start_adding))
        for child in (self._words, self._choose, self._take, self._add):
            self._card.add_widget(child)
        self.add_widget(self._card)
        self.bind(height=self._fit_hint)

    def show(self, view: View[ScorePhoto]) -> None:
        words = view.words
        self._words.text = (
            words("A finished hand, please") if not view.state.hand.tiles else words("No picture")
        )
        self._choose.text = words("Choose a picture")
        self._take.text = words("Take a picture")
        self._add.text = words("Add tiles by hand")
        self._hint.text = words("You can also drop a picture on this window.")

    def _fit_hint(self, *_: object) -> None:
        """The hint stands only where there is room for it."""
        roomy = self.height > HINT_FROM
        if roomy and self._hint.parent is None:
            self._card.add_widget(self._hint)
        elif not roomy and self._hint.parent:
            self._card.remove_widget(self._hint)


def marks(state: ScorePhoto) -> list[Mark]:
    """The tiles as they are outlined in their picture; those that do not count are dimmed."""
    winning = state.draft.winning
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
