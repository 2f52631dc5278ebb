"""Tables laid out from contents: nothing is lost, nothing lies in another, and what stays does not move."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from companion.tiles import KINDS, SET_136, SET_144, MeldKind
from lab.scenes.layouts import (
    HIDDEN,
    Contents,
    Habits,
    Hands,
    Part,
    Resting,
    River,
    SeatTiles,
    Tabletop,
    TilePose,
    deal_random_contents,
    lay_out,
    measure_half_table,
    place_tile,
)
from tests.lab.scenes.game_contents import read_contents
from tests.table.random_table import Table

SIZE = np.array([26.0, 35.0, 20.0])
NEAT = Habits(untidy=0.0)
ROWS = Habits(River.ROWS, untidy=0.3, device_mm=60.0)
PILE = Habits(River.PILE, untidy=0.3, device_mm=60.0)
GAMES = [("hefei", 1), ("hebei", 2), ("taiwanese", 3), ("hong_kong", 4), ("hangzhou", 5)]


def codes(table: Tabletop) -> Counter[str]:
    return Counter(tile.code for tile in table.tiles)


def of(table: Tabletop, seat: int, part: Part) -> list[Resting]:
    return [tile for tile in table.tiles if tile.seat == seat and tile.part is part]


@pytest.mark.parametrize("habits", [ROWS, PILE], ids=["rows", "pile"])
@pytest.mark.parametrize("box", [SET_136, SET_144], ids=["136", "144"])
@pytest.mark.parametrize("seed", range(6))
def test_every_tile_of_the_box_lies_on_the_table_once(seed: int, box, habits: Habits) -> None:
    contents = deal_random_contents(np.random.default_rng(seed), box)
    held = Counter({tile.code: n for tile, n in zip(KINDS, box.copies, strict=True) if n})
    assert contents.count == box.total
    assert codes(lay_out(contents, SIZE, habits, seed)) == held


@pytest.mark.parametrize("habits", [ROWS, PILE], ids=["rows", "pile"])
@pytest.mark.parametrize("seed", range(8))
def test_no_tile_lies_in_another_and_all_lie_on_the_table(seed: int, habits: Habits) -> None:
    contents = deal_random_contents(np.random.default_rng(seed))
    table = lay_out(contents, SIZE, habits, seed)
    half = measure_half_table(contents, SIZE)
    feet = [(tile, place_tile(tile, SIZE).box.corners()[:, :2].astype(np.float32)) for tile in table.tiles]
    for index, (tile, corners) in enumerate(feet):
        assert np.abs(corners).max() < half, (tile.part, tile.seat)
        for other, others in feet[index + 1 :]:
            if tile.layer != other.layer or np.hypot(tile.x_mm - other.x_mm, tile.y_mm - other.y_mm) > 50:
                continue
            area, _ = cv2.intersectConvexConvex(cv2.convexHull(corners), cv2.convexHull(others))
            assert area < 0.12 * SIZE[0] * SIZE[2], (tile, other)


def test_upper_tiles_of_a_wall_rest_on_lower_ones() -> None:
    table = lay_out(deal_random_contents(np.random.default_rng(3)), SIZE, ROWS, 3)
    walls = [tile for tile in table.tiles if tile.part is Part.WALL]
    upper = [tile for tile in walls if tile.layer]
    assert len(upper) > 10
    for tile in upper:
        below = min(np.hypot(tile.x_mm - o.x_mm, tile.y_mm - o.y_mm) for o in walls if not o.layer)
        assert below < 4.0
        assert place_tile(tile, SIZE).box.corners()[:, 2].min() == pytest.approx(SIZE[2])


def test_seats_follow_round_the_table_and_hands_face_their_owners() -> None:
    table = lay_out(deal_random_contents(np.random.default_rng(5)), SIZE, NEAT, 0)
    for seat, (x, y) in enumerate([(0, -1), (1, 0), (0, 1), (-1, 0)]):
        hand = of(table, seat, Part.HAND)
        middle = np.mean([(tile.x_mm, tile.y_mm) for tile in hand], axis=0)
        assert middle @ [x, y] > 200
        for tile in hand:
            assert tile.pose is TilePose.STANDING
            assert place_tile(tile, SIZE).box.normal("face")[:2] @ [x, y] == pytest.approx(1.0)


def test_a_river_has_rows_of_six_that_begin_at_the_middle_on_the_left() -> None:
    seat = SeatTiles(("1m",), discards=tuple(f"{n}p" for n in range(1, 9)))
    nobody = SeatTiles(("1m",))
    contents = Contents((seat, nobody, nobody, nobody), (), (17, 17, 17, 17))
    river = of(lay_out(contents, SIZE, NEAT, 0), 0, Part.RIVER)
    assert [tile.code for tile in river] == list(seat.discards)
    assert [tile.x_mm for tile in river[:6]] == sorted(tile.x_mm for tile in river[:6])
    assert river[6].y_mm < river[0].y_mm
    assert river[6].x_mm == pytest.approx(river[0].x_mm)


@pytest.mark.parametrize("habits", [ROWS, PILE], ids=["rows", "pile"])
def test_what_stays_in_a_game_does_not_move_when_another_tile_is_discarded(habits: Habits) -> None:
    before = deal_random_contents(np.random.default_rng(8))
    a, b, c, d = before.seats
    thrown = replace(b, hand=b.hand[:-1], discards=(*b.discards, b.hand[-1]), drawn=False)
    after = replace(before, seats=(a, thrown, c, d), wall=before.wall[:-1])
    first, second = (lay_out(contents, SIZE, habits, 4) for contents in (before, after))
    stayed = set(first.tiles) & set(second.tiles)
    rearranged = len(b.hand) + sum(len(meld.codes) for meld in b.melds) + len(b.flowers)
    assert len(stayed) >= len(second.tiles) - rearranged - 1


@pytest.mark.parametrize(("rules", "seed"), GAMES)
def test_every_moment_of_a_game_shows_all_its_tiles_where_they_belong(rules: str, seed: int) -> None:
    game = Table(rules, {}, seed)
    game.play_hand()
    states = [state for state in game.states if state.hand is not None and state.hand.dice is not None]
    total = states[0].house.wall.tile_set.total
    for state in states[:: max(1, len(states) // 6)]:
        contents = read_contents(state)
        assert state.hand is not None
        assert contents.count == total, state.hand.phase
        table = lay_out(contents, SIZE, ROWS, seed)
        assert len(table.tiles) == total
        for seat, player in enumerate(state.hand.players):
            river = of(table, seat, Part.RIVER)
            assert [tile.code for tile in river] == [tile.code for tile in player.discards]
            melded = Counter(tile.code for tile in of(table, seat, Part.MELD))
            assert melded == Counter(t.code for laid in player.melds if laid.meld for t in laid.meld.tiles)


def test_a_claimed_tile_lies_sideways_and_a_concealed_kong_hides_its_ends() -> None:
    found = set()
    for seed in range(40):
        game = Table("hefei", {}, seed)
        game.play_hand()
        hand = game.hand
        table = read_contents(game.state)
        for player, seat in zip(hand.players, table.seats, strict=True):
            for laid, meld in zip(player.melds, seat.melds, strict=True):
                if laid.kind is MeldKind.KONG_CONCEALED:
                    assert meld.face_down == {0, 3}
                    assert meld.sideways is None
                elif laid.source is not None:
                    assert meld.sideways is not None
                found.add(laid.kind)
        if {MeldKind.PUNG, MeldKind.KONG_CONCEALED} <= found:
            return
    pytest.fail(f"no game with both kinds of meld: {found}")


def test_tiles_that_nobody_saw_stand_with_their_faces_hidden() -> None:
    seat = SeatTiles((HIDDEN,) * 13)
    contents = Contents((seat,) * 4, (), (17,) * 4)
    habits = Habits(hands=(Hands.OPEN,) * 4, untidy=0.0)
    assert {tile.pose for tile in lay_out(contents, SIZE, habits, 0).tiles} == {TilePose.STANDING}


def test_from_moment_to_moment_of_a_game_only_what_was_moved_lies_elsewhere() -> None:
    game = Table("hefei", {}, 7)
    game.play_hand()
    tables = [
        lay_out(read_contents(state), SIZE, PILE, 3)
        for state in game.states
        if state.hand is not None and state.hand.dice is not None
    ]
    assert len(tables) > 40
    for before, after in pairwise(tables[2:]):
        hands = {tile for tile in before.tiles if tile.part in (Part.HAND, Part.MELD, Part.FLOWERS)}
        assert len(set(before.tiles) - hands - set(after.tiles)) <= 1
