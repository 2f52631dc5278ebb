"""Faces that nobody can read are said, and the game is followed all the same."""

from __future__ import annotations

from dataclasses import replace

from companion.following.decoder import UNREAD_MIN_TILES, UNREADABLE, Decoder
from companion.following.notices import Found, Lost
from companion.seeing.sights import SeenTile, Sight
from companion.table.events import GameStarted

GLARING = (("back", 0.5), ("5z", 0.3), ("2s", 0.05))
PLACES = [(-14, -90), (90, -14), (14, 90), (-90, 14), (14, -90), (90, 14), (-14, 90), (-90, -14)]


def lay_tiles(glaring: int) -> list[SeenTile]:
    """Eight discards, the first of which cannot be read."""
    codes = ("1m", "9m", "1s", "9s", "1p", "9p", "1z", "2z")
    tiles = [
        SeenTile(at, x, y, 0.0, ((code, 0.998),), still_since_s=1.0 + 2 * at)
        for at, (code, (x, y)) in enumerate(zip(codes, PLACES, strict=True))
    ]
    return [replace(tile, readings=GLARING) if at < glaring else tile for at, tile in enumerate(tiles)]


def follow(glaring: int, until_s: float, clear_s: float) -> list[Lost | Found]:
    """What is said of a hand in which light shines back from the first tiles until that second."""
    decoder = Decoder([GameStarted(rules="hong_kong")])
    said = []
    for step in range(round(until_s / 0.5)):
        t = 0.5 * step
        lying = tuple(tile for tile in lay_tiles(glaring if t < clear_s else 0) if tile.still_since_s <= t)
        said += [each for each in decoder.follow(Sight(t, lying)) if isinstance(each, Lost | Found)]
    return said


def test_tiles_that_shine_are_said_once_until_they_can_be_read() -> None:
    said = follow(UNREAD_MIN_TILES + 1, 40.0, 25.0)
    assert [type(each) for each in said] == [Lost, Found]
    assert isinstance(said[0], Lost)
    assert said[0].why == UNREADABLE
    assert said[1].t >= 25.0


def test_a_few_tiles_that_shine_are_nothing_to_say() -> None:
    assert follow(UNREAD_MIN_TILES - 1, 40.0, 40.0) == []
