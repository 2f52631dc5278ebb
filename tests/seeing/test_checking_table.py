"""Faces that lie across the edge of a table say that it ends farther out."""

from __future__ import annotations

import numpy as np
import pytest

from companion.seeing.checking_table import reach_beyond
from companion.seeing.outlines import TileSize, place_quads
from companion.seeing.table_camera import TableCamera
from companion.vision.candidates import Candidates
from lab.film.pose import Pose
from tests.seeing.table_frames import SIZE, prepare

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
