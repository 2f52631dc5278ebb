"""A film in place of a camera: previewed before it is followed; and how far films have been followed, so that
each one continues there. No Kivy."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path

from companion.cameras.connected import FILE_PREFIX
from companion.cameras.recorded import CANNOT_START, OTHER_SYSTEM, DecodingError
from companion.cameras.sources import BROKEN_OFF, NO_PICTURES, RecordedSource
from companion.errors import InputError
from companion.game.deciding import Progress
from companion.live.session.lines import Header, is_session, measure_session
from companion.rules import RULE_SETS
from companion.sentences import Sentence, as_text, msgid
from companion.table.events import Claimed, Discarded, GameStarted, Won, number_corrected

PLACES_MAX = 20
"""Maximum number of interrupted films that are remembered, newest first."""


@dataclass(frozen=True, slots=True)
class FilmPlace:
    """A film that was not followed to its end. game: the name of the kept game that it is followed into; key:
    prefix of the keys of its events; path: its file; place_s: how far it was followed when the last event was
    entered; began: how many events the game had before it."""

    game: str
    key: str
    path: str = ""
    place_s: float = 0.0
    began: int = 0

    @property
    def is_valid(self) -> bool:
        """Whether it can have come from the window."""
        return isfinite(self.place_s) and self.place_s >= 0 and self.began >= 0


Places = tuple[FilmPlace, ...]
"""The one followed last is the last."""


def find_place(
    places: Places, game: str | None, *, key: str | None = None, path: str = ""
) -> FilmPlace | None:
    """That of the film of this key, or else of this path, or else of the last film, in that game."""
    fitting = [each for each in reversed(places) if each.game == game]
    if key is not None:
        fitting = [each for each in fitting if each.key == key]
    elif path:
        fitting = [each for each in fitting if each.path == path]
    return next(iter(fitting), None)


def put_place(places: Places, place: FilmPlace) -> Places:
    """With that film as the one followed last."""
    others = (each for each in places if (each.game, each.key) != (place.game, place.key))
    return (*others, place)[-PLACES_MAX:]


def move_place(places: Places, place_s: float) -> Places:
    """Where the film that was followed last is followed on to that place."""
    return (*places[:-1], replace(places[-1], place_s=place_s)) if places else places


FOLLOWED_GONE = msgid(
    "The film {film} was followed to {place} but is no longer there: choose it in its new place to continue."
)
GONE = msgid("The film {film} is no longer there: choose another one.")
MAY_NOT_READ = msgid("You may not read the film {film}: copy it to a folder of your own.")
NO_FILM = msgid("{film} is not a film: choose a video from a phone or a camera.")
BROKEN = msgid("{film} is incomplete or damaged and cannot be played: copy or record it again.")
EMPTY = msgid("{film} has no readable picture: choose another film.")
READ_NO_FURTHER = msgid(
    "The film {film} cannot be read any further: is its disk still plugged in? Everything followed so"
    " far is in the game."
)
OTHER_GAME = msgid("{film} shows another game: start a game of {rules} and follow it there.")
AT_END = msgid("{film} has ended.")
BREAKS_OFF = msgid("{film} stops at {place} of {length}.")
UNDERSTOOD = msgid("{end} Discards {discards}, claims {claims}, wins {wins}; nothing in doubt.")
DOUBTFUL = msgid(
    "{end} Discards {discards}, claims {claims}, wins {wins}; in doubt {doubtful}: touch the marked ones."
)
NOT_UNDERSTOOD = msgid(
    "{end} No move was recognised: is it this game, with all four table corners in the picture?"
)
END_SLACK_S, END_SLACK = 3.0, 0.05
"""Seconds, and share of the stated length, that may be missing at the end before a film counts as
interrupted: the stated length is rounded, and estimated for some kinds of video."""


@dataclass(frozen=True, slots=True)
class Film:
    """A video, or a recorded session. length_s: None if nobody knows how long it is. session: what it is
    of."""

    path: Path
    length_s: float | None = None
    session: Header | None = None

    @property
    def camera(self) -> str:
        """Its id among cameras."""
        return f"{FILE_PREFIX}{self.path}"

    @property
    def name(self) -> str:
        return as_text(self.path.name or str(self.path))


def open_film(path: Path) -> Film:
    """The film there, which can be played. Raises InputError."""
    film = Film(path)
    if not path.exists():
        raise InputError(GONE, film=film.name)
    if not os.access(path, os.R_OK):
        raise InputError(MAY_NOT_READ, film=film.name)
    if is_session(path):
        return _open_session(path)
    try:
        with RecordedSource(path) as source:
            return Film(path, source.length_s)
    except DecodingError as error:
        if error.sentence.template in (CANNOT_START, OTHER_SYSTEM):
            raise
        raise InputError(BROKEN, film=film.name) from error
    except InputError as error:
        if "limit" in error.sentence.params:  # it is too large, and the error says what would be right
            raise
        said = {BROKEN_OFF: BROKEN, NO_PICTURES: EMPTY}.get(error.sentence.template, NO_FILM)
        raise InputError(said, film=film.name) from error


def _open_session(path: Path) -> Film:
    """Raises InputError."""
    try:
        header, length_s = measure_session(path)
    except InputError as error:
        params = error.sentence.params
        raise InputError(error.sentence.template, **{**params, "folder": Film(path).name}) from error
    return Film(path, length_s, header)


def check_rules(film: Film, rules: str) -> None:
    """Raise InputError if the recorded session is of another game than that by these rules."""
    start = film.session.log[0] if film.session else None
    if isinstance(start, GameStarted) and start.rules != rules:
        titles = RULE_SETS[start.rules].title if start.rules in RULE_SETS else start.rules
        raise InputError(OTHER_GAME, film=film.name, rules=titles)


def describe_length(seconds: float) -> str:
    """As clocks write it."""
    minutes, left = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def describe_place(film: Film, place_s: float) -> Sentence:
    """How far it has been followed."""
    params = {"film": film.name, "place": describe_length(place_s)}
    if film.length_s is None:
        return Sentence("{film} · {place}", params)
    return Sentence("{film} · {place} of {length}", {**params, "length": describe_length(film.length_s)})


def open_again(place: FilmPlace) -> Film:
    """The film that was broken off there. Raises InputError."""
    path = Path(place.path)
    if not path.exists():
        params = {"film": Film(path).name, "place": describe_length(place.place_s)}
        raise InputError(FOLLOWED_GONE, **params)
    return open_film(path)


def describe_end(
    film: Film, place_s: float, progress: Progress, began: int, *, held_back: bool = False
) -> Sentence:
    """That it has been followed to its end, and what of it was understood.

    began: how many events the game had before it. held_back: whether nothing was to be entered of it, as it
    is not known which hand it shows.
    """
    end = Sentence(AT_END, {"film": film.name})
    length_s = film.length_s
    if length_s is not None and length_s - place_s > END_SLACK_S + END_SLACK * length_s:
        places = {"place": describe_length(place_s), "length": describe_length(length_s)}
        end = Sentence(BREAKS_OFF, {"film": film.name, **places})
    if held_back:
        return end
    numbered = [(number, event) for number, event in number_corrected(progress.events) if number > began]
    counts = {
        "discards": _count(numbered, Discarded),
        "claims": _count(numbered, Claimed),
        "wins": _count(numbered, Won),
    }
    if not any(counts.values()):
        return Sentence(NOT_UNDERSTOOD, {"end": end})
    known = {number for number, _ in numbered}
    doubtful = len(known & progress.doubts.keys())
    if doubtful:
        return Sentence(DOUBTFUL, {"end": end, **counts, "doubtful": doubtful})
    return Sentence(UNDERSTOOD, {"end": end, **counts})


def _count(numbered: Iterable[tuple[int, object]], kind: type) -> int:
    return sum(isinstance(event, kind) for _, event in numbered)
