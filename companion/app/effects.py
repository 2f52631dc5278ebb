"""What a step asks the shell, or its own feature, to do. Frozen values, no Kivy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.keyboards import KeyboardUse
from companion.app.look import Look
from companion.app.news import News
from companion.sentences import Sentence
from companion.words import Language

if TYPE_CHECKING:
    from companion.vision.learned import LearnedSet


class Effect:
    """Something to do. The shell does those below; the feature's `perform` does others."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Keep(Effect):
    """Write what the features keep to disk."""


@dataclass(frozen=True, slots=True)
class ShowMessage(Effect):
    """Show one sentence across the window, or none. trouble: something went wrong, and the sentence stays
    when the page changes, unless it `passes`: then it was about a touch on that page."""

    sentence: Sentence | None
    trouble: bool = True
    passes: bool = False


@dataclass(frozen=True, slots=True)
class ClearRefusal(Effect):
    """A touch has succeeded: remove the message about a refused one."""


@dataclass(frozen=True, slots=True)
class AskQuestion(Effect):
    """Show a sentence across the window with a button `answer` that sends `then` to every feature. passes:
    whether it goes with the page in front, or stays until it is answered."""

    sentence: Sentence
    answer: Sentence
    then: News
    passes: bool = False


@dataclass(frozen=True, slots=True)
class DropQuestion(Effect):
    """Remove the question whose answer is `then`: it is settled."""

    then: News


@dataclass(frozen=True, slots=True)
class SetLanguage(Effect):
    """Use that language from now on."""

    language: Language


@dataclass(frozen=True, slots=True)
class ApplyTheme(Effect):
    """Give the window this look from now on."""

    look: Look


@dataclass(frozen=True, slots=True)
class UseKeyboard(Effect):
    """Have fields bring up keys on the screen so from now on."""

    use: KeyboardUse


@dataclass(frozen=True, slots=True)
class Resize(Effect):
    """Show everything at that percentage of its true size after the next start."""

    percent: int


@dataclass(frozen=True, slots=True)
class Close(Effect):
    """Close the window."""


@dataclass(frozen=True, slots=True)
class ComeToFront(Effect):
    """Show the feature's page."""


@dataclass(frozen=True, slots=True)
class GoBack(Effect):
    """Show the page that was in front before the feature's."""


@dataclass(frozen=True, slots=True)
class ReadPicture(Effect):
    """Open a picture for the feature, and read its tiles if `read`.

    Only the newest request of a feature counts. plain: without the tile set in use.
    """

    path: Path
    read: bool = True
    plain: bool = False


@dataclass(frozen=True, slots=True)
class GivePicture(Effect):
    """Give a picture to the feature at work."""

    path: Path


@dataclass(frozen=True, slots=True)
class UseTileSet(Effect):
    """Read pictures with that tile set from now on. again: also those already shown."""

    tile_set: LearnedSet | None
    again: bool


@dataclass(frozen=True, slots=True)
class SendNews(Effect):
    """Send the news to every feature."""

    news: News
