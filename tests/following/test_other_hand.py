"""A hand that has as many tiles as another game's is said, and the game is followed all the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.following.decoder import OTHER_HAND, Decoder
from companion.following.notices import Lost
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
