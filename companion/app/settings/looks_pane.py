"""How the window looks: its language, its text, its room, its colours."""

from __future__ import annotations

from companion.app.feature import Controller, View
from companion.app.look import Shade, Spacing, TextSize
from companion.app.settings.cards import ON_OFF, CardGrid, SettingCard, say_pairs
from companion.app.settings.kept import PERCENTS
from companion.app.settings.state import Settings
from companion.app.widgets.basics import Choices
from companion.sentences import msgid
from companion.words import Language

LANGUAGES = (
    (Language.ENGLISH, "English"),
    (Language.SIMPLIFIED, "简体中文"),
    (Language.TRADITIONAL, "繁體中文"),
)
SHADES = ((Shade.DARK, msgid("Dark")), (Shade.LIGHT, msgid("Light")))
SIZES = (
    (TextSize.NORMAL, msgid("Normal")), (TextSize.LARGE, msgid("Large")),
    (TextSize.VERY_LARGE, msgid("Very large")),
)  # fmt: skip
SPACINGS = (
    (Spacing.DENSE, msgid("Dense")), (Spacing.NORMAL, msgid("Normal")), (Spacing.ROOMY, msgid("Roomy")),
)  # fmt: skip


class LooksPane(CardGrid):
    """A touch applies at once."""

    def __init__(self, controller: Controller[Settings]) -> None:
        super().__init__()

        def change(**changes: object) -> None:
            controller.do(lambda state: state.change(**changes))

        self.language = Choices(lambda key: controller.do(lambda state: state.speak(Language(key))))
        self.text = Choices(lambda key: change(text=TextSize(key)))
        self.shade = Choices(lambda key: change(shade=Shade(key)))
        self.safe = Choices(lambda key: change(safe=key == "True"))
        self.spacing = Choices(lambda key: change(spacing=Spacing(key)))
        self.percent = Choices(lambda key: change(percent=int(key)))
        chosen = (self.language, self.text, self.shade, self.safe, self.spacing, self.percent)
        self._own = [SettingCard(each) for each in chosen]

    def show(self, view: View[Settings]) -> None:
        words, kept = view.words, view.state.kept
        titles = (
            words("Language"), words("Size of the text"), words("Colours"),
            words("Colours for people who see red and green alike"), words("Space between things"),
            words("Size of everything, from the next start on"),
        )  # fmt: skip
        for card, title in zip(self._own, titles, strict=True):
            card.say(title)
        self.lay(self._own, view.size[0])
        self.language.offer([(str(key), name) for key, name in LANGUAGES], words.language)
        self.text.offer(say_pairs(SIZES, words), kept.text)
        self.shade.offer(say_pairs(SHADES, words), kept.shade)
        self.safe.offer(say_pairs(ON_OFF, words), str(kept.safe))
        self.spacing.offer(say_pairs(SPACINGS, words), kept.spacing)
        self.percent.offer([(str(each), f"{each} %") for each in PERCENTS], str(kept.percent))
