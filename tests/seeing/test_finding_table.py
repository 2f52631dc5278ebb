"""Tables are found in single pictures and in several, nothing else is; faces across an edge show that the
table ends farther out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from companion.images import Image
from companion.seeing import finding_table
from companion.seeing.finding_table import (
    FoundBy,
    FoundTable,
    TableSearch,
    find_table,
    reach_beyond,
    start_at_lower_edge,
)
from companion.seeing.outlines import TileSize, place_quads
from companion.seeing.table_camera import TableCamera
from companion.seeing.table_plane import find_tiles_of_table
from companion.vision.candidates import Candidates
from companion.vision.networks import Finder
from companion.vision.recogniser import Recogniser
from lab.film.customs import Pose
from tests.seeing.table_frames import SIZE, Frame, draw_frame, prepare

MODELS = Path(__file__).parents[2] / "models"
SEED = 3020


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(MODELS, threads=1)


@pytest.fixture(scope="module")
def from_above() -> Frame:
    return draw_frame(Pose.ABOVE, SEED, 0.5)


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(("pose", "share"), [(Pose.CORNER, 0.02), (Pose.CORNER, 0.9), (Pose.SIDE, 0.5)])
def test_a_table_is_found_within_15_mm(recogniser: Recogniser, pose: Pose, share: float) -> None:
    frame = draw_frame(pose, SEED, share)
    found = find_table(frame.image, recogniser)
    assert found is not None
    assert frame.measure(found.camera) < 15
    assert found.sides == 4
    assert found.p > 0.3
    assert found.by is FoundBy.TILES_AND_EDGES
    assert found.ambiguous == (pose is Pose.CORNER)


@pytest.mark.slow
def test_the_lower_edge_is_that_of_the_seat_named(recogniser: Recogniser, from_above: Frame) -> None:
    found = find_table(from_above.image, recogniser, bottom=1)
    assert found is not None
    turned = Frame(from_above.image, np.roll(from_above.corners, 1, axis=0))
    assert turned.measure(found.camera) < 15


@pytest.mark.slow
def test_one_side_may_lie_outside_the_picture(recogniser: Recogniser, from_above: Frame) -> None:
    left = int(from_above.corners[:, 0].min()) + 60
    cut = Frame(np.ascontiguousarray(from_above.image[:, left:]), from_above.corners - [left, 0])
    found = find_table(cut.image, recogniser)
    assert found is not None
    assert cut.measure(found.camera) < 30
    assert found.sides == 3


@pytest.mark.slow
def test_frames_that_show_nothing_do_no_harm(recogniser: Recogniser, from_above: Frame) -> None:
    covered = np.full_like(from_above.image, 30)
    rng = np.random.default_rng(5)
    noise = rng.integers(0, 255, covered.shape, np.uint8)
    assert find_table(covered, recogniser) is None
    search = TableSearch(recogniser)
    looks = [search.search(image) for image in (covered, noise, from_above.image, from_above.image)]
    found = next(each for each in looks if each is not None)
    assert from_above.measure(found.camera) < 15


@pytest.mark.parametrize(("p", "found_after"), [(0.95, 1), (0.6, 6), (0.4, None)])
def test_a_table_that_is_likely_wrong_is_not_taken_however_often_it_is_seen(
    p: float, found_after: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    corners = np.array([[100, 500], [600, 500], [550, 100], [150, 120.0]])
    camera = TableCamera.from_corners(corners, 720, 540)
    seen = FoundTable(camera, p, FoundBy.TILES_AND_EDGES, 4, 30, False)
    monkeypatch.setattr(finding_table, "find_table", lambda *_, **__: seen)
    search = TableSearch(Recogniser(MODELS))
    looks = [search.search(np.zeros((540, 720, 3), np.uint8)) for _ in range(10)]
    first = next((number for number, found in enumerate(looks, 1) if found is not None), None)
    assert first == found_after
    if first is not None:
        assert looks[first - 1] is not None
        assert looks[first - 1].p == p, "what misleads in one picture does so in all"


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("step", [1, -1])
def test_the_lowest_edge_is_the_lower_one_wherever_corners_begin(turn: int, step: int) -> None:
    corners = np.array([[100, 500], [600, 500], [550, 100], [150, 120.0]])
    found, ambiguous = start_at_lower_edge(np.roll(corners, turn, axis=0)[::step])
    assert np.array_equal(found, corners)
    assert not ambiguous


@pytest.mark.parametrize("turn", range(4))
def test_of_two_edges_equally_low_the_right_one_is_taken(turn: int) -> None:
    corners = np.array([[300, 500], [600, 250], [300, 100], [0, 250.0]])
    found, ambiguous = start_at_lower_edge(np.roll(corners, turn, axis=0))
    assert np.array_equal(found, corners)
    assert ambiguous


@dataclass(frozen=True)
class Shown:
    """A finder that finds the same in every picture."""

    found: Candidates

    def find(self, image: Image, scale: float) -> Candidates:
        return self.found


def test_what_looks_far_less_like_a_tile_than_others_is_none() -> None:
    scores = np.array([0.8] * 7 + [0.5] * 2 + [0.42] * 40, np.float32)
    places = np.stack(np.divmod(np.arange(len(scores)), 10), axis=1)[:, None] * 60.0
    quads = places + np.array([[0, 0], [24, 0], [24, 32], [0, 32]])
    found = Candidates.from_finder(quads.astype(np.float32), scores, np.zeros(len(scores), np.float32))
    picture = np.zeros((720, 1280, 3), np.uint8)
    assert len(find_tiles_of_table(cast(Finder, Shown(found)), picture)) == 9
    few = found[np.array([0, *range(7, 49)])]
    assert len(find_tiles_of_table(cast(Finder, Shown(few)), picture)) == len(few), (
        "one plain find may be chance"
    )


TILES = TileSize()
RIVERS = [(x, y) for x in (-60.0, 0.0, 60.0) for y in (-90.0, 0.0, 90.0)]


def lay(places: list[tuple[float, float]], camera: TableCamera, back: float = 0.02) -> Candidates:
    """Tiles that lie at these places, as this camera sees them."""
    count = len(places)
    quads = place_quads(np.array(places), np.zeros(count), np.ones(count, bool), TILES)
    raised = np.concatenate([quads, np.full((count, 4, 1), TILES.depth_mm)], axis=2)
    px = camera.project(raised.reshape(-1, 3)).reshape(-1, 4, 2).astype(np.float32)
    return Candidates.from_finder(px, np.full(count, 0.9, np.float32), np.full(count, back, np.float32))


@pytest.mark.slow
@pytest.mark.parametrize("pose", [Pose.ABOVE, Pose.CORNER])
@pytest.mark.parametrize(
    ("edge", "beyond"),
    [([], False), ([(300.0, -370.0), (327.0, -370.0)], False), ([(405.0, 200.0), (405.0, 236.0)], True)],
)
def test_two_faces_across_the_edge_say_so(pose: Pose, edge: list[tuple[float, float]], beyond: bool) -> None:
    corners = np.array(prepare(pose, 3).truth[0]["camera"]["corners"])
    camera = TableCamera.from_corners(corners, *SIZE)
    assert reach_beyond(lay(RIVERS + edge, camera), camera) is beyond


def test_backs_across_the_edge_may_be_hands_that_stand_there() -> None:
    corners = np.array(prepare(Pose.ABOVE, 3).truth[0]["camera"]["corners"])
    camera = TableCamera.from_corners(corners, *SIZE)
    backs = lay([(405.0, 200.0), (405.0, 236.0)], camera, back=0.98)
    assert not reach_beyond(Candidates.join([lay(RIVERS, camera), backs]), camera)
