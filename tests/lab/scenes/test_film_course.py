"""The tiles of a filmed hand: each lies where the game says, none in another, and what lies stays."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from companion.rules import RULE_SETS
from companion.table.events import Won
from lab.film.customs import HALF_MM
from lab.film.timeline import Course, follow
from lab.scenes.layouts import Part, Resting, TilePose, place_tile
from tests.lab.scenes.film_hands import make_places, play_hand

SEEDS = range(4)
SIZE = np.array([26.0, 35.0, 20.0])


def moments(course: Course) -> list[dict[int, Resting]]:
    """Where every tile rests after each deed."""
    resting = dict(enumerate(course.standing))
    result = []
    for deed in course.deeds:
        for carry in deed.carries:
            resting |= dict(carry.tiles)
        resting |= dict(deed.tidied)
        result.append(dict(resting))
    return result


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("seed", SEEDS)
def test_tiles_lie_where_the_state_says(rules: str, seed: int) -> None:
    played = play_hand(rules, seed)
    course = follow(played.steps, make_places(played, seed))
    winners = 0
    for deed, resting in zip(course.deeds, moments(course), strict=True):
        hand = deed.state.hand
        assert hand is not None
        if isinstance(deed.event, Won):
            winners += 1
            if winners > 1:
                continue  # they all show the one winning tile as theirs
        found = {
            (seat, part): Counter(
                course.codes[tile]
                for tile, each in resting.items()
                if each.part is part and (each.seat == seat)
            )
            for seat in range(4)
            for part in (Part.HAND, Part.RIVER, Part.MELD, Part.FLOWERS)
        }
        for seat, player in enumerate(hand.players):
            assert found[seat, Part.HAND] == Counter(tile.code for tile in player.concealed), deed.event
            assert found[seat, Part.RIVER] == Counter(tile.code for tile in player.discards)
            assert found[seat, Part.FLOWERS] == Counter(tile.code for tile in player.flowers)
            assert found[seat, Part.MELD].total() == sum(
                len(laid.meld.tiles) for laid in player.melds if laid.meld is not None
            )
            lying = {e.pose for e in resting.values() if e.part is Part.HAND and e.seat == seat}
            assert lying <= ({TilePose.FACE_UP} if player.shown else {TilePose.STANDING})
        wall = sum(each.part is Part.WALL for each in resting.values())
        assert wall == hand.wall.live_left + hand.wall.dead_left


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_tile_lies_in_another_nor_beyond_the_edge(rules: str, seed: int) -> None:
    played = play_hand(rules, seed)
    places = make_places(played, seed)
    last = moments(follow(played.steps, places))[-1]
    corners = {tile: place_tile(each, SIZE).box.corners() for tile, each in last.items()}
    feet = {tile: cv2.convexHull(each[:, :2].astype(np.float32)) for tile, each in corners.items()}
    for tile, foot in feet.items():
        assert np.abs(foot).max() < HALF_MM
        for other, its_foot in feet.items():
            if other <= tile or last[tile].layer != last[other].layer:
                continue
            area, _ = cv2.intersectConvexConvex(foot, its_foot)
            assert area < 0.1 * SIZE[0] * SIZE[1], (last[tile], last[other])


def test_what_lies_on_the_table_stays() -> None:
    played = play_hand("hong_kong", 1)
    course = follow(played.steps, make_places(played, 1))
    seen: dict[int, Resting] = {}
    for resting in moments(course):
        for tile, each in resting.items():
            if each.part in (Part.MELD, Part.FLOWERS):
                assert seen.setdefault(tile, each) == each
