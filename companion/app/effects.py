"""What a step of a feature asks the shell, or its own feature, to carry out. Frozen values, no Kivy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.look import Look
from companion.app.news import News
from companion.sentences import Sentence
from companion.words import Language

if TYPE_CHECKING:
    from companion.vision.learned import LearnedSet


class Effect:
    """Something to be carried out. The shell knows those below; others are for the feature's `perform`."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Keep(Effect):
    """Write what the features keep to disk."""


@dataclass(frozen=True, slots=True)
class Say(Effect):
    """One sentence across the window, or none; `trouble`: something went wrong, and it stays when the page
    changes, unless it `passes`: then it was about a touch on that page."""

    sentence: Sentence | None
    trouble: bool = True
    passes: bool = False


@dataclass(frozen=True, slots=True)
class DropRefusal(Effect):
    """A touch has succeeded: what was said of one that was refused goes."""


@dataclass(frozen=True, slots=True)
class Ask(Effect):
    """A sentence across the window with a button `answer`; touched, every feature hears `then`. passes:
    whether it goes with the page that is in front, or stays until it is answered."""

    sentence: Sentence
    answer: Sentence
    then: News
    passes: bool = False


@dataclass(frozen=True, slots=True)
class DropQuestion(Effect):
    """The question whose answer is `then` has been settled otherwise: it goes."""

    then: News


@dataclass(frozen=True, slots=True)
class Speak(Effect):
    """Say everything in that language from now on."""

    language: Language


@dataclass(frozen=True, slots=True)
class Wear(Effect):
    """Have the window look so from now on."""

    look: Look


@dataclass(frozen=True, slots=True)
class Resize(Effect):
    """Show everything at that percentage of its true size from the next start on."""

    percent: int


@dataclass(frozen=True, slots=True)
class Close(Effect):
    """Close the window."""


@dataclass(frozen=True, slots=True)
class ComeToFront(Effect):
    """Show the feature's page."""


@dataclass(frozen=True, slots=True)
class Leave(Effect):
    """Show what was in front before the feature."""


@dataclass(frozen=True, slots=True)
class ReadPicture(Effect):
    """Open a picture for the feature, and read its tiles where `read` says so.

    Only the newest request of a feature counts. plain: without the tile set that is in use.
    """

    path: Path
    read: bool = True
    plain: bool = False


@dataclass(frozen=True, slots=True)
class HandOver(Effect):
    """Give a picture to the feature that is at work."""

    path: Path


@dataclass(frozen=True, slots=True)
class ReadWith(Effect):
    """Read pictures with that tile set from now on; `again`: those that are shown as well."""

    tile_set: LearnedSet | None
    again: bool


@dataclass(frozen=True, slots=True)
class Announce(Effect):
    """Have every feature hear it."""

    news: News
