"""Help in pictures: six cards, one picture each in every language. tests/app/test_pictures.py makes the
pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.settings.state import Settings
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text
from companion.sentences import msgid
from companion.words import Words

PICTURES = Path(__file__).parents[1] / "help"
CARDS = (
    (
        "begin",
        msgid("Start a game"),
        msgid(
            "Touch your game, enter who sits where, and touch Start the game. To play against the computer"
            " first, touch Play without tiles, or Practice."
        ),
    ),
    (
        "table",
        msgid("Record the game"),
        msgid(
            "Touch a tile to record its discard; the likeliest keys light up. For a claim, touch the"
            " player, then the meld. Follow records with a camera; Only wins records nothing between"
            " wins."
        ),
    ),
    (
        "win",
        msgid("Somebody wins"),
        msgid(
            "Touch Mahjong on the table, then take a photo of the winning hand or touch its tiles."
            " Everyone sees its value and who pays before it is confirmed."
        ),
    ),
    (
        "sheet",
        msgid("Look at the score"),
        msgid(
            "The score sheet lists every hand. Touch one to see its tiles, the payments and how it was"
            " played."
        ),
    ),
    (
        "mistake",
        msgid("Correct a mistake"),
        msgid(
            "Undo takes back the last step. In an earlier hand, touch Correct: you see what changes"
            " before you confirm, and nothing is lost."
        ),
    ),
    (
        "print",
        msgid("Share the evening"),
        msgid(
            "Share writes a picture for phones or a printable score sheet to a USB stick, or to your"
            " documents. Everything is saved automatically, and nothing is ever sent."
        ),
    ),
)
WIDE_FROM = dp(760)
PICTURE_WIDTH, PICTURE_HEIGHT = dp(400), dp(250)


def find_picture(key: str, words: Words) -> Path:
    """The picture of that card in the language."""
    return PICTURES / f"{key}-{words.language.value}.jpg"


class HelpCards(Column):
    """A card for each, with its picture next to the words, or above them in a narrow window."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: object = None

    def show(self, words: Words, width: float) -> None:
        wide = width >= WIDE_FROM
        if self._shown == (words, wide):
            return
        self._shown = words, wide
        self.fill(self._make_cards(words, wide=wide))

    def _make_cards(self, words: Words, *, wide: bool) -> Iterator[Widget]:
        for number, (key, title, text) in enumerate(CARDS, 1):
            card = Card(
                orientation="horizontal" if wide else "vertical", size_hint_y=None, colour=theme.PANEL_RAISED,
                spacing=theme.PAD,
            )  # fmt: skip
            card.bind(minimum_height=card.setter("height"))
            picture = Image(
                source=str(find_picture(key, words)), fit_mode="contain", size_hint=(None, None),
                size=(PICTURE_WIDTH, PICTURE_HEIGHT), pos_hint={"center_x" if not wide else "center_y": 0.5},
            )  # fmt: skip
            texts = layout.column(size_hint_y=None)
            texts.bind(minimum_height=texts.setter("height"))
            texts.add_widget(Text(f"{number}  {words(title)}", size=theme.TEXT_HUGE, colour=theme.GOLD))
            texts.add_widget(Text(words(text), size=theme.TEXT_LARGE))
            if wide:
                texts.pos_hint = {"center_y": 0.5}
            card.add_widget(picture)
            card.add_widget(texts)
            yield card


class HelpPage(BoxLayout):
    """What to do for the things that people want."""

    def __init__(self, controller: Controller[Settings]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(
            " ", act=lambda: controller.do(lambda state: state.step_back()), size_hint_x=None, width=dp(150)
        )
        head = layout.row(self.title, self.back, height=theme.TOUCH)
        self.cards = HelpCards()
        self.add_widget(head)
        self.add_widget(self.cards)

    def show(self, view: View[Settings]) -> None:
        self.title.text, self.back.text = view.words("Help"), view.words("Back")
        self.cards.show(view.words, view.size[0])
