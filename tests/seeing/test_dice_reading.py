"""Dice on a drawn table are read if that is sure, and nothing else is taken for dice."""

from __future__ import annotations

import numpy as np
import pytest

from companion.seeing.dice.reading import Die, find_dice
from companion.seeing.dice.watch import DiceWatch
from companion.seeing.top_view import SIDE, TopView
from lab.film.customs import Pose
from lab.scenes.things import DieLook
from tests.seeing.dice_pictures import DrawnTable, draw_throws

pytestmark = pytest.mark.slow

WHITE = DieLook(14.0, (235, 240, 243), (30, 30, 30), (1, 4), 0.25, 0.1, 0.16, 0.1)
RED = DieLook(15.0, (25, 20, 185), (240, 240, 240), (), 0.25, 0.1, 0.1, 0.1, clear=0.5)


def read(table: DrawnTable, number: int) -> list[Die]:
    return [die for die in find_dice(table.image, table.camera, table.bound(number)) if die.is_sure]


@pytest.mark.parametrize("look", [WHITE, RED], ids=["white", "red"])
def test_dice_are_read_from_above(look: DieLook) -> None:
    tables = draw_throws(71, Pose.ABOVE, 4, look)
    found = [read(table, number) for table in tables for number in (0, 1)]
    true = [shown for table in tables for shown in table.shown]
    pairs = list(zip(found, true, strict=True))
    assert all(die.pips == shown for dice, shown in pairs for die in dice)
    assert sum(len(dice) == 1 for dice, _ in pairs) >= 7


def test_the_side_of_a_die_is_not_taken_for_its_upper_face() -> None:
    tables = draw_throws(72, Pose.CORNER, 5, WHITE)
    for table in tables:
        for number in (0, 1):
            for die in read(table, number):
                assert die.pips == table.shown[number]


def watch(tables: list[DrawnTable], looks: int = 3) -> DiceWatch:
    """The watch after it was shown one table after the other."""
    watch, everywhere = DiceWatch(), np.ones((SIDE, SIDE), bool)
    nothing, t = np.zeros((SIDE, SIDE), bool), 0.0
    for table in tables:
        watch.note(everywhere, nothing, TopView.of(table.camera, 20.0).show(table.image), t)
        for _ in range(8 * looks):
            watch.read_next(table.image, table.camera, everywhere, t)
            t += 0.1
    return watch


def test_a_roll_is_said_once_looks_agree_and_again_when_it_is_thrown_again() -> None:
    first, second = draw_throws(73, Pose.ABOVE, 2, WHITE)
    seen = watch([first])
    assert seen.roll is not None
    assert seen.roll.pips == tuple(sorted(first.shown))
    again = watch([first, second])
    assert again.roll is not None
    assert again.roll.pips == tuple(sorted(second.shown))
    assert again.roll.since_s > seen.roll.since_s


def test_one_die_is_no_roll() -> None:
    (table,) = draw_throws(74, Pose.ABOVE, 1, WHITE)
    x, y = table.places[1]
    px = table.camera.project(np.array([[x - 25, y + 25, 0.0], [x + 25, y - 25, 0.0]])).round().astype(int)
    table.image[px[0, 1] : px[1, 1], px[0, 0] : px[1, 0]] = np.median(table.image, axis=(0, 1))
    assert watch([table]).roll is None
