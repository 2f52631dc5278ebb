"""The page of what a table seldom has to say: stakes, purses, and what only some games ask of a win."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.score_photo.cards import CARDS, FieldCard
from companion.app.score_photo.editing import Page
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag
from companion.photo_hand.draft import WinDraft
from companion.rules.fields import FIELDS, Field, Place
from companion.words import Words


def list_fields(draft: WinDraft) -> list[Field]:
    """The fields that are asked for on this page, in this game."""
    return [
        field for field in FIELDS.values() if field.asked_at(Place.MORE) and field.used_by(draft.rule_set)
    ]


def count_unusual(draft: WinDraft) -> int:
    """How many of this page's fields are not as they usually are."""
    return sum(not draft.is_usual(field) for field in list_fields(draft))


class MorePage(Card):
    """A list of cards, those of this game first; made anew only where there is another thing to show."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__()
        self._controller = controller
        self._key: object = None
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.done = Press(
            " ", main=True, act=lambda: controller.do(lambda state: state.show(Page.TABLE)),
            size_hint_x=None, width=dp(120),
        )  # fmt: skip
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.done)
        self._column = Column(spacing=theme.GAP)
        self.cards: dict[str, FieldCard] = {}
        self.add_widget(head)
        self.add_widget(self._column)

    def show(self, view: View[ScorePhoto]) -> None:
        words, draft = view.words, view.state.draft
        self.title.text = words("More about this hand")
        self.done.text = words("Done")
        key = draft.rules, draft.seats, words.language
        if key != self._key:
            self._key = key
            self._build(draft, words)
        for card in self.cards.values():
            card.show_draft(draft, words)

    def _build(self, draft: WinDraft, words: Words) -> None:
        self._column.inside.clear_widgets()
        self.cards = {
            field.name: CARDS[type(field.kind)](self._controller, field, draft, words)
            for field in list_fields(draft)
        }
        for card in self.cards.values():
            self._column.inside.add_widget(card)
