"""How far films have been followed into games, so that each is followed on from there. Pure, no Kivy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite

PLACES_MAX = 20
"""So many films that were broken off are remembered, the newest."""


@dataclass(frozen=True, slots=True)
class FilmPlace:
    """A film that was not followed to its end. game: the name of the kept game that it is followed into; key:
    what begins the keys of its events; path: where it lay; place_s: how far it was followed when the last
    event was entered; began: how many events the game had before it."""

    game: str
    key: str
    path: str = ""
    place_s: float = 0.0
    began: int = 0

    @property
    def is_sound(self) -> bool:
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
