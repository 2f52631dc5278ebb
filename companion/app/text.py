"""The window's languages. A msgid is the English sentence itself; the catalogues are read as text, none is
compiled.

A `Sentence` travels untranslated and is put into words where it is shown, so a switch of language rewords
everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po

from companion.app.tile_names import CODES, name_tile
from companion.errors import CompanionError
from companion.sentences import Sentence, as_text, msgid
from companion.tiles import Tile

LOCALE_DIR = Path(__file__).parent / "locale"

SEAT_NAMES = (msgid("You"), msgid("Right"), msgid("Across"), msgid("Left"))
"""By seat: counterclockwise, from the person at the window."""


class Language(StrEnum):
    """A language of the window; the value is its code."""

    ENGLISH = "en"
    SIMPLIFIED = "zh_Hans"
    TRADITIONAL = "zh_Hant"


@cache
def catalogue(language: Language) -> Mapping[str, str]:
    """Message ids to `language`; only translated ones.

    The English one rewords what was written for a terminal.
    """
    with (LOCALE_DIR / f"{language}.po").open("rb") as file:
        messages = read_po(file, locale=language.value)
    return {str(message.id): str(message.string) for message in messages if message.id and message.string}


@dataclass(frozen=True, slots=True)
class Words:
    """Puts sentences into one language: `words("{n} tiles", n=3)`. What has no translation stays English."""

    language: Language

    def __call__(self, template: str, **params: object) -> str:
        return self.say(Sentence(template, params))

    def say(self, sentence: Sentence) -> str:
        template = catalogue(self.language).get(sentence.template, sentence.template)
        if not sentence.params:
            return as_text(template)
        params = {name: self._word(value) for name, value in sentence.params.items()}
        return as_text(template.format(**params))

    def _word(self, value: object) -> object:
        """A parameter in this language: sentences and errors are said, single words looked up."""
        if isinstance(value, CompanionError):
            return self.say(value.sentence)
        if isinstance(value, Sentence):
            return self.say(value)
        if isinstance(value, Tile) or (isinstance(value, str) and value in CODES):
            return self.say(name_tile(str(getattr(value, "code", value))))
        return catalogue(self.language).get(value, value) if isinstance(value, str) else value

    def both(self, english: str, simplified: str) -> tuple[str, str]:
        """What the rules call something, in the window's language and, smaller beside it, in the other one.

        The catalogue of Traditional Chinese lists these names by the simplified ones: what games share an
        English name for may have another Chinese one in each.
        """
        match self.language:
            case Language.ENGLISH:
                return english, simplified
            case Language.SIMPLIFIED:
                return simplified, english
            case Language.TRADITIONAL:
                return self(simplified), english
