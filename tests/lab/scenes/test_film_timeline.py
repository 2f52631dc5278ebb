"""A filmed hand in time: nothing is in two places, tiles lie still when the log says so, seeds repeat."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from companion.rules import RULE_SETS
from companion.table.events import Discarded, Drawn
from lab.film.timeline import Slips, Timeline, follow, make_timeline
from lab.scenes.layouts import Part, TilePose
from tests.lab.scenes.film_hands import make_places, play_hand

SIZE = (26.0, 35.0, 20.0)
CLUMSY = Slips(nudged=0.8, turned=0.3, early=0.9)


def direct(rules: str, seed: int, pace: float = 1.0, slips: Slips = CLUMSY) -> Timeline:
    played = play_hand(rules, seed)
    course = follow(played.steps, make_places(played, seed))
    return make_timeline(course, SIZE, np.random.default_rng(seed), pace=pace, slips=slips)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_each_motion_begins_where_the_one_before_ended(rules: str) -> None:
    timeline = direct(rules, 2)
    resting = dict(enumerate(timeline.standing))
    ended = dict.fromkeys(resting, 0.0)
    for motion in timeline.motions:
        assert motion.before == resting[motion.tile]
        assert ended[motion.tile] <= motion.start_s < motion.end_s <= timeline.end_s
        resting[motion.tile], ended[motion.tile] = motion.after, motion.end_s
    assert resting == dict(enumerate(timeline.find_resting(timeline.end_s)))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_events_follow_each_other_and_their_tiles_lie_still(rules: str) -> None:
    timeline = direct(rules, 2)
    assert [mark.deed.number for mark in timeline.marks] == list(range(2, len(timeline.marks) + 2))
    assert all(one.t <= other.t for one, other in pairwise(timeline.marks))
    for mark in timeline.marks:
        for carry in mark.deed.carries:
            for tile, _ in carry.tiles:
                motion = timeline.find_motion(tile, mark.t)
                assert motion is not None
                assert motion.end_s <= mark.t + 1e-9, mark.deed.event
        if isinstance(mark.deed.event, Discarded):
            ((tile, _),) = mark.deed.carries[-1].tiles
            resting = timeline.find_resting(mark.t)[tile]
            assert (resting.part, resting.pose) == (Part.RIVER, TilePose.FACE_UP)
            assert timeline.codes[tile] == mark.deed.event.tile


def test_no_hand_is_in_two_places_and_each_comes_from_its_edge() -> None:
    timeline = direct("hebei", 3)
    for seat, (x, y) in enumerate([(0, -1), (1, 0), (0, 1), (-1, 0)]):
        own = [reach for reach in timeline.reaches if reach.seat == seat]
        assert own
        for reach in own:
            for end in (reach.find_hand(reach.start_s), reach.find_hand(reach.end_s)):
                assert end[:2] @ [x, y] > 400
        played = [reach for reach in own if len(reach.keys) == 4 and reach.start_s > 10]
        assert all(one.end_s <= other.start_s + 1e-9 for one, other in pairwise(played))


def test_people_who_play_more_quickly_take_less_time() -> None:
    slow, quick = direct("hefei", 1, 1.0, Slips()), direct("hefei", 1, 4.0, Slips())
    assert len(slow.marks) == len(quick.marks)
    assert quick.end_s == pytest.approx(slow.end_s / 4, rel=0.02)
    assert direct("hefei", 1) == direct("hefei", 1)


def test_the_wall_gets_shorter_with_every_draw() -> None:
    timeline = direct("hong_kong", 1)

    def count_wall(t: float) -> int:
        return sum(each.part is Part.WALL for each in timeline.find_resting(t))

    drawn = 0
    for before, mark in pairwise(timeline.marks):
        if isinstance(mark.deed.event, Drawn):
            drawn += 1
            assert count_wall(mark.t) == count_wall(before.t) - 1
    assert drawn > 20
    assert count_wall(0.0) == 144


def test_careless_players_turn_tiles_over_and_push_others() -> None:
    calm, clumsy = direct("hefei", 1, slips=Slips()), direct("hefei", 1)
    river = [motion for motion in clumsy.motions if motion.after.part is Part.RIVER]
    assert any(motion.after.pose is TilePose.FACE_DOWN for motion in river)
    pushed = [motion for motion in river if motion.before.part is Part.RIVER and motion.lift_mm == 0]
    assert pushed
    assert not any(motion.before.part is Part.RIVER is motion.after.part for motion in calm.motions)
