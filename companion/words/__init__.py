"""The words of the program in three languages: sentences and names of tiles.

A msgid is the English sentence itself; the catalogues are read as text. A `Sentence` travels untranslated and
is put into words where it is shown, so a change of language rewords everything.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.foreign_text import show
from companion.sentences import Sentence, as_text
from companion.tiles import KINDS, Tile
from companion.tiles.tile import TileRun
from companion.words.filling import SEAT_NAMES, fill, find_count
from companion.words.tile_names import CODES, SUITS, name_run, name_tile, write_ranks_in_chinese

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

LOCALE_DIR = Path(__file__).parent / "locale"

FIRST_MARK = 0xE000
MARKS = re.compile(f"([{chr(FIRST_MARK)}-{chr(FIRST_MARK + len(KINDS) - 1)}])")
"""What stands for each kind of tile in a sentence whose tiles are to be drawn."""


class Language(StrEnum):
    """A language of the window; the value is its code."""

    ENGLISH = "en"
    SIMPLIFIED = "zh_Hans"
    TRADITIONAL = "zh_Hant"


@cache
def catalogue(language: Language) -> Mapping[str, str]:
    """Message ids to `language`; only translated ones, of those with a form for each number that for many.

    The English one rewords what was written for a terminal.
    """
    return {message: forms[-1] for message, forms in _list_forms(language).items()}


@cache
def _list_forms(language: Language) -> Mapping[str, tuple[str, ...]]:
    """Message ids to their forms in `language`: one, or one for each number that the language knows."""
    forms = {}
    for message in _read_catalogue(language):
        of_one = message.id[0] if isinstance(message.id, tuple) else message.id
        said = message.string if isinstance(message.string, tuple) else (message.string,)
        if of_one and all(said):
            forms[str(of_one)] = tuple(map(str, said))
    return forms


@cache
def _choose_form(language: Language) -> Callable[[int], int]:
    """Which of the forms a number takes."""
    return gettext.c2py(_read_catalogue(language).plural_expr)


@cache
def _read_catalogue(language: Language) -> Catalog:
    from babel.messages.pofile import read_po  # takes a while, and few commands print anything translated

    with (LOCALE_DIR / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language.value)


@dataclass(frozen=True, slots=True)
class Words:
    """Puts sentences into one language: `words("{n} tiles", n=3)`. What has no translation stays English.

    people: who sits in each seat, by name; empty, or an empty name, where nobody is named.
    """

    language: Language
    people: tuple[str, ...] = ()

    def __call__(self, template: str, **params: object) -> str:
        return self.say(Sentence(template, params))

    def say(self, sentence: Sentence) -> str:
        template = self._choose_template(sentence)
        if not sentence.params:
            return as_text(template)
        params = {name: self._word(value) for name, value in sentence.params.items()}
        if self.language is not Language.ENGLISH and sentence.template in SUITS.values():
            params["rank"] = write_ranks_in_chinese(params["rank"])
        return as_text(fill(template, params, self.name_seat))

    def join(self, parts: Iterable[str]) -> str:
        """The parts as a list, separated as that language does."""
        return (", " if self.language is Language.ENGLISH else "、").join(parts)

    def name_seat(self, seat: int) -> str:
        """Who sits there: the name, else the place at the table."""
        return (self.people[seat] if self.people else "") or self(SEAT_NAMES[seat])

    def of(self, people: tuple[str, ...]) -> Words:
        """The same language, where these people sit in the seats."""
        return replace(self, people=people)

    def _choose_template(self, sentence: Sentence) -> str:
        forms = _list_forms(self.language).get(sentence.template)
        if forms is None:
            return sentence.template
        count = find_count(sentence.template, sentence.params) if len(forms) > 1 else None
        return forms[-1 if count is None else _choose_form(self.language)(count)]

    def _word(self, value: object) -> object:
        """A parameter in this language: sentences and errors are translated, single words looked up."""
        if isinstance(value, CompanionError):
            return self.say(value.sentence)
        if isinstance(value, Sentence):
            return self.say(value)
        if isinstance(value, Tile) or (isinstance(value, str) and value in CODES):
            return self.say(name_tile(str(getattr(value, "code", value))))
        if isinstance(value, TileRun):
            return self.join(self.say(each) for each in name_run(value))
        if isinstance(value, int | float):
            return value
        return catalogue(self.language).get(str(value)) or show(as_text(str(value)))

    def draw(self, sentence: Sentence) -> tuple[str | Tile, ...]:
        """The sentence in pieces: words, and tiles, which are to be drawn."""
        said = _Marking(self.language, self.people).say(sentence)
        pieces: list[str | Tile] = []
        for piece in MARKS.split(said):
            if MARKS.fullmatch(piece):
                pieces.append(KINDS[ord(piece) - FIRST_MARK])
            elif piece.strip():
                pieces.append(piece)
        return tuple(pieces)

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


class _Marking(Words):
    """Puts a mark, of Unicode's private ones, where a tile is named."""

    __slots__ = ()

    def _word(self, value: object) -> object:
        if isinstance(value, Tile) or (isinstance(value, str) and value in CODES):
            return _mark(str(getattr(value, "code", value)))
        if isinstance(value, TileRun):
            return "".join(_mark(tile.code) for tile in value.tiles)
        return Words._word(self, value)


def _mark(code: str) -> str:
    return chr(FIRST_MARK + Tile.parse(code).index)


__all__ = ["LOCALE_DIR", "Language", "Words", "catalogue"]
