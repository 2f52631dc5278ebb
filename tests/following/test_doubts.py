"""Doubts that are reported while the game is followed: another game's hand, and faces that cannot be read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.following.decoder import OTHER_HAND, UNREAD_MIN_TILES, UNREADABLE, Decoder
from companion.following.notices import Found, Lost
from companion.seeing.sights import SeenTile, Sight
from companion.table.events import GameStarted
from companion.tiles import parse_tiles

HAND = parse_tiles("123456789m12346p8p39s")


def watch(rules: str, count: int) -> list[str]:
    """What is said where a player who has laid one pung turns up the last so many tiles of HAND."""
    decoder = Decoder([GameStarted(rules=rules)])
    rivers = [
        SeenTile(1, -14, -90, 0.0, (("1z", 0.998),), still_since_s=1.0),
        SeenTile(2, 90, -14, 1.57, (("2z", 0.998),), still_since_s=4.0),
        SeenTile(3, 14, 90, 3.14, (("3z", 0.998),), still_since_s=10.0),
    ]
    claimed = SeenTile(10, -340, 345, 3.14, (("2z", 0.998),), still_since_s=7.0)
    pung = [replace(claimed, track=10 + at, x_mm=-340 + 26 * at) for at in range(3)]
    shown = [
        SeenTile(20 + at, 26.5 * (count / 2 - at), 345, 3.14, ((tile.code, 0.998),), still_since_s=14.0)
        for at, tile in enumerate(HAND[-count:])
    ]
    said = []
    for step in range(44):
        t = 0.5 * step
        rest = [*rivers[:1], *rivers[2:]] if t >= 7.0 else rivers
        lying = tuple(tile for tile in (*rest, *pung, *shown) if tile.still_since_s <= t)
        said += [each.why for each in decoder.follow(Sight(t, lying)) if isinstance(each, Lost) and each.why]
    return said


@pytest.mark.parametrize(
    ("rules", "count", "is_other"),
    [
        ("hong_kong", 11, False),
        ("hong_kong", 14, True),
        ("taiwanese", 14, False),
        ("taiwanese", 13, False),
        ("taiwanese", 11, True),
    ],
)
def test_a_hand_of_another_game_is_doubted_by_how_many_tiles_it_has(
    rules: str, count: int, is_other: bool
) -> None:
    assert (OTHER_HAND in watch(rules, count)) is is_other


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
