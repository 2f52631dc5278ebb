"""A draw is inferred: how sure it is depends on the sign, and on what that sign was worth at this table."""

from __future__ import annotations

import pytest

from companion.following.decoder import Decoder
from companion.following.draws import SEEN_MIN_DRAWS, DrawSign, DrawSigns, StatedDraw
from companion.following.notices import Stated
from companion.following.scene import REACH_MEANS_DRAW_S, UNCLAIMED_S
from companion.seeing.sights import Box, SeenTile, Sight
from companion.table.events import CERTAIN_FROM, Claimed, Corrected, Drawn, GameStarted
from tests.bare_table import see_walls

PLACES = ((0, -90), (90, 0), (0, 90), (-90, 0))
ARM = Box(340, -60, 400, 60)


def lay(track: int, code: str, seat: int, since_s: float) -> SeenTile:
    x, y = PLACES[seat]
    return SeenTile(track, x, y, seat * 1.571, ((code, 0.998),), still_since_s=since_s)


def watch(
    decoder: Decoder, tiles: list[SeenTile], start: float, end: float, arm: Box | None = None,
    taken_s: float | None = None,
) -> list[Stated]:  # fmt: skip
    """What is stated of the same tiles, seen every half second."""
    stated: list[Stated] = []
    for half in range(round(2 * start), round(2 * end)):
        taken = () if taken_s is None or half > 2 * start else (taken_s,)
        covered = () if arm is None else (arm,)
        notices = decoder.follow(Sight(half / 2, tuple(tiles), covered, taken_s=taken))
        stated += [each for each in notices if isinstance(each, Stated)]
    return stated


def draws(stated: list[Stated]) -> list[Stated]:
    return [each for each in stated if isinstance(each.event, Drawn)]


def test_a_draw_that_the_wall_shows_is_surer_than_one_that_only_an_arm_shows() -> None:
    first = [lay(1, "9m", 0, 1.0)]
    sure = []
    for arm, taken_s in ((None, 3.2), (ARM, None)):
        decoder = see_walls([GameStarted(rules="hebei")])
        watch(decoder, first, 1.0, 3.5)
        (draw,) = draws(watch(decoder, first, 3.5, 4.5 + REACH_MEANS_DRAW_S, arm, taken_s))
        assert draw.event == Drawn(seat=1)
        assert not draw.certain
        sure.append(draw.p)
    assert sure == [DrawSigns().probability(sign) for sign in (DrawSign.TAKEN, DrawSign.REACHED)]
    assert sure[0] > sure[1]


def test_a_draw_that_was_noticed_by_its_discard_is_as_sure_as_that() -> None:
    decoder = see_walls([GameStarted(rules="hebei")])
    first, second = lay(1, "9m", 0, 1.0), lay(2, "1s", 1, 5.0)
    assert draws(watch(decoder, [first], 1.0, 5.0)) == []
    stated = watch(decoder, [first, second], 5.0, 8.0)
    (draw,) = draws(stated)
    assert draw.certain
    assert draw.p == pytest.approx(stated[-1].p, abs=0.01)


def test_a_claim_corrects_a_draw_and_that_sign_is_believed_less() -> None:
    decoder = see_walls([GameStarted(rules="hebei")])
    first = [lay(1, "9m", 0, 1.0)]
    watch(decoder, first, 1.0, 3.5)
    (draw,) = draws(watch(decoder, first, 3.5, 5.0 + REACH_MEANS_DRAW_S, ARM))
    pung = [
        SeenTile(10 + at, -340 + 26 * at, 340, 3.14, (("9m", 0.998),), still_since_s=7.0) for at in range(3)
    ]
    events = [each.event for each in watch(decoder, pung, 7.0, 12.0)]
    assert Corrected(number=draw.number, right=None) in events
    assert Claimed(seat=2, meld="p999m") in events
    before, signs = DrawSigns(), DrawSigns()
    signs.learn(StatedDraw(DrawSign.REACHED, 0.0), happened=False, taken_s=0.0)
    assert signs.probability(DrawSign.REACHED) < before.probability(DrawSign.REACHED)


def test_a_sign_that_never_failed_at_this_table_becomes_certain() -> None:
    signs = DrawSigns()
    assert signs.probability(DrawSign.REACHED) < CERTAIN_FROM
    for _ in range(100):
        signs.learn(StatedDraw(DrawSign.REACHED, 0.0), happened=True, taken_s=-1.0)
    assert signs.probability(DrawSign.REACHED) >= CERTAIN_FROM


def test_where_nothing_shows_draws_an_unclaimed_discard_is_followed_by_one_soon() -> None:
    decoder = see_walls([GameStarted(rules="hebei")])
    tiles: list[SeenTile] = []
    t = 1.0
    for at, code in enumerate(["9m", "1s", "9p", "4z", "2m"]):
        tiles.append(
            lay(at + 1, code, at % 4, t)
            if at < 4
            else SeenTile(5, 30, -90, 0, ((code, 0.998),), still_since_s=t)
        )
        stated = watch(decoder, tiles, t, t + 2.0)
        t += 2.0
        assert all(each.event.seat == at % 4 for each in draws(stated) if at < SEEN_MIN_DRAWS)
    (draw,) = [each for each in draws(stated) if each.event == Drawn(seat=1)]
    assert not draw.certain
    assert UNCLAIMED_S < draw.t - (t - 2.0) < 2.0


def test_walls_that_show_every_draw_say_that_there_was_none() -> None:
    signs = DrawSigns()
    for _ in range(SEEN_MIN_DRAWS):
        assert not signs.sees_walls
        signs.learn(StatedDraw(None, 1.0), happened=True, taken_s=1.5)
    assert signs.sees_walls
    assert not signs.sees_nothing
