"""Frames of a drawn table in, sights out: flat tiles are named and keep their numbers, hands stay private."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import pytest

from companion.config import models_dir
from companion.following.decoder import MISFITS_MIN_TILES
from companion.images import Image
from companion.seeing.observer import Observer
from companion.seeing.outlines import place_quads
from companion.seeing.private_pictures import NONE_OPEN, hide_hands
from companion.seeing.sights import IS_COVERED, OTHER_SIZE, TOO_BRIGHT, TOO_DARK, SeenTile, Sight
from companion.seeing.table_camera import TableCamera
from companion.vision.classifying import classify_tiles
from companion.vision.recogniser import Recogniser
from lab.art.faces import CODES
from lab.film import writing
from lab.film.customs import Pose
from lab.film.writing import Film, Shooting, prepare_film
from lab.scenes.hand import make_house_set
from tests.lab.scenes.film_hands import play_hand

pytestmark = pytest.mark.slow

SEED = 6
RULES = "taiwanese"
FRAME_S = 0.1


@dataclass(frozen=True, eq=False)
class Scene:
    """Two moments of a film at which nothing moves: the true faces, and the frames."""

    camera: TableCamera
    before: dict[str, Any]
    after: dict[str, Any]
    frame_before: Image
    frame_after: Image


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(models_dir(), threads=1)


def film_scene(pose: Pose) -> Scene:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "choose_bodies", lambda rng, stacks: make_house_set(CODES))
        played = play_hand(RULES, SEED)
        film = prepare_film(played.start, played.steps, Shooting(pose, calm=True, seed=SEED))
    tables = [line for line in film.truth if "table" in line]
    at = next(at for at, line in enumerate(tables) if len(list_lying(line)) >= 10)
    before, after = tables[at], next(line for line in tables[at:] if len(list_lying(line)) > 12)
    header = film.truth[0]
    camera = TableCamera.from_corners(
        np.array(header["camera"]["corners"]), header["width"], header["height"],
        header["camera"]["matrix"][0][0],
    )  # fmt: skip
    return Scene(camera, before, after, draw(film, before), draw(film, after))


def draw(film: Film, table: dict[str, Any]) -> Image:
    return film.filming.draw((table["t"] + table["until"]) / 2)


@pytest.fixture(scope="module")
def above() -> Scene:
    return film_scene(Pose.ABOVE)


@pytest.fixture(scope="module")
def corner() -> Scene:
    return film_scene(Pose.CORNER)


@pytest.fixture(scope="module")
def side() -> Scene:
    return film_scene(Pose.SIDE)


def list_lying(table: dict[str, Any], visible: float = 0.9) -> list[dict[str, Any]]:
    zones = ("river", "meld", "flowers")
    lying = [face for face in table["table"] if face["zone"] in zones and not face["standing"]]
    return [face for face in lying if face["visible"] >= visible]


class Watched:
    """An observer that is shown frames until it has nothing new to say."""

    def __init__(self, recogniser: Recogniser, camera: TableCamera, rules: str = RULES) -> None:
        self.observer = Observer(recogniser, camera, rules=rules)
        self.t = 0.0

    def show(self, frame: Image, frames: int = 10) -> Sight:
        last: Sight | None = None
        for _ in range(frames):
            last = self.show_next(frame) or last
        assert last is not None
        return last

    def show_next(self, frame: Image) -> Sight | None:
        """The sight after one frame, if there is anything new."""
        sight = self.observer.look(frame, self.t)
        self.t += FRAME_S
        return sight


def read_places(sight: Sight) -> dict[str, list[tuple[float, float, int]]]:
    places: dict[str, list[tuple[float, float, int]]] = {}
    for tile in sight.tiles:
        places.setdefault(tile.readings[0][0], []).append((tile.x_mm, tile.y_mm, tile.track))
    return places


def find_wrong(scene: Scene, table: dict[str, Any], sight: Sight) -> list[str]:
    """The codes of true faces that are not seen at their place."""
    places = read_places(sight)
    wrong = []
    for face in list_lying(table):
        x, y = scene.camera.lift(np.array(face["quad"]), 20.0).mean(axis=0)
        if not any(np.hypot(x - sx, y - sy) < 12 for sx, sy, _ in places.get(face["code"], [])):
            wrong.append(face["code"])
    return wrong


@pytest.mark.sampled
@pytest.mark.parametrize("pose", ["above", "corner"])
def test_what_lies_is_named_where_it_lies_and_keeps_its_number(
    pose: str, recogniser: Recogniser, request: pytest.FixtureRequest
) -> None:
    scene: Scene = request.getfixturevalue(pose)
    watched = Watched(recogniser, scene.camera)
    first = watched.show(scene.frame_before)
    assert not first.trouble
    assert not find_wrong(scene, scene.before, first)
    second = watched.show(scene.frame_after)
    assert not find_wrong(scene, scene.after, second)
    faces = [tile for tile in second.tiles if tile.readings[0][0] != "back"]
    assert len(faces) <= len(list_lying(scene.after, visible=0.0))
    there = {tile.track for tile in first.tiles}
    kept = [tile for tile in second.tiles if tile.track in there]
    assert len(kept) >= len(list_lying(scene.before)) - 1  # one may have been claimed
    assert len(faces) > len([tile for tile in kept if tile.readings[0][0] != "back"])


@pytest.mark.long
def test_what_lies_before_the_player_behind_whom_the_camera_stands_is_named(
    side: Scene, recogniser: Recogniser
) -> None:
    own = [face["code"] for face in list_lying(side.after) if face["owner"] == 0 and face["zone"] != "river"]
    assert own
    sight = Watched(recogniser, side.camera).show(side.frame_after)
    wrong = find_wrong(side, side.after, sight)
    assert not [code for code in own if code in wrong]


@pytest.mark.sampled
@pytest.mark.parametrize("pose", ["corner", "side"])
def test_no_crop_of_a_hand_is_read_and_pictures_show_none(
    pose: str, recogniser: Recogniser, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene: Scene = request.getfixturevalue(pose)
    read: list[Any] = []
    classify = classify_tiles

    def note(reader: Any, image: Image, candidates: Any, learned: Any) -> Any:
        read.extend(candidates.quads)
        return classify(reader, image, candidates, learned)

    monkeypatch.setattr("companion.seeing.tile_reading.classify_tiles", note)
    watched = Watched(recogniser, scene.camera)
    watched.show(scene.frame_before)
    sight = watched.show(scene.frame_after)
    hands = [
        np.array(face["quad"], np.float32)
        for table in (scene.before, scene.after)
        for face in table["table"]
        if face["standing"] and face["zone"] == "hand"
    ]
    assert len(hands) > 20
    assert len(read) > 5
    for hand in hands:
        for quad in read:
            common, _ = cv2.intersectConvexConvex(hand, quad)
            assert common < 0.25 * cv2.contourArea(hand)
    size = watched.observer.tile_size
    opened = NONE_OPEN.renew(scene.frame_after, scene.camera, size, sight.tiles)
    painted = hide_hands(scene.frame_after, scene.camera, size, opened)
    shown = (painted == scene.frame_after).all(axis=2)
    for hand in hands[len(hands) // 2 :]:
        assert measure_share(shown, hand) < 0.1
    lying = [
        np.array(face["quad"], np.float32)
        for face in list_lying(scene.after)
        if pose != "side" or face["zone"] == "river"  # from the side others are shown to nobody
    ]
    assert min(measure_share(shown, face) for face in lying) > 0.6


def measure_share(mask: np.ndarray, quad: np.ndarray) -> float:
    inside = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(inside, quad.round().astype(np.int32), 1)
    return float(mask[inside > 0].mean())


def test_a_bump_of_the_camera_is_compensated(above: Scene, recogniser: Recogniser) -> None:
    watched = Watched(recogniser, above.camera)
    before = watched.show(above.frame_before)
    turn = np.array([[0.9998, -0.006, 11.0], [0.006, 0.9998, -7.0], [0, 0, 1]])
    height, width = above.frame_before.shape[:2]
    bumped = cv2.warpPerspective(above.frame_before, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)
    after = watched.show(np.asarray(bumped, np.uint8), 20)
    expected = above.camera.turn(turn).corners
    assert np.abs(watched.observer.camera.corners - expected).max() < 1.5
    assert {tile.track for tile in before.tiles} == {tile.track for tile in after.tiles}
    assert not find_wrong(above, above.before, after)


def test_other_light_changes_nothing(above: Scene, recogniser: Recogniser) -> None:
    watched = Watched(recogniser, above.camera)
    before = watched.show(above.frame_before)
    dimmed = np.asarray(cv2.convertScaleAbs(above.frame_before, alpha=0.75), np.uint8)
    after = watched.show(dimmed)
    assert {tile.track for tile in before.tiles} == {tile.track for tile in after.tiles}
    assert not after.covered


def test_what_a_body_hid_is_seen_once_it_left_though_the_light_hunts(
    above: Scene, recogniser: Recogniser
) -> None:
    watched = Watched(recogniser, above.camera)
    leaning = above.frame_before.copy()
    middle = above.camera.project(np.array([[180.0, 0.0, 0.0]]))[0].astype(int).tolist()
    cv2.circle(leaning, middle, 330, (40, 30, 35), -1)
    sight = watched.show(leaning)
    assert find_wrong(above, above.before, sight)
    for step in range(15):
        lit = np.asarray(cv2.convertScaleAbs(above.frame_before, alpha=0.75 + 0.02 * step), np.uint8)
        sight = watched.observer.look(lit, watched.t) or sight
        watched.t += FRAME_S
    assert not find_wrong(above, above.before, sight)


def test_trouble_is_said_and_ends(above: Scene, recogniser: Recogniser) -> None:
    watched = Watched(recogniser, above.camera)
    before = watched.show(above.frame_before)
    frame = above.frame_before
    for bad, why in (
        (np.zeros_like(frame), TOO_DARK),
        (np.full_like(frame, 255), TOO_BRIGHT),
        (np.full_like(frame, 90), IS_COVERED),
        (frame[::2, ::2].copy(), OTHER_SIZE),
    ):
        sight = watched.show(bad, 3)
        assert sight.trouble == why
        assert not sight.tiles
        again = watched.show(frame, 4)
        assert not again.trouble
        assert {tile.track for tile in again.tiles} == {tile.track for tile in before.tiles}


def test_a_covered_tile_is_covered_and_a_tile_that_is_taken_is_gone(
    above: Scene, recogniser: Recogniser
) -> None:
    watched = Watched(recogniser, above.camera)
    before = watched.show(above.frame_before)
    tile = next(tile for tile in before.tiles if abs(tile.x_mm) < 150 and abs(tile.y_mm) < 150)
    px = above.camera.project(np.array([[tile.x_mm, tile.y_mm, 20.0]]))[0]
    arm, rng = above.frame_before.copy(), np.random.default_rng(1)
    cv2.circle(arm, px.astype(int).tolist(), 70, (60, 90, 170), -1)
    hidden: Sight | None = None
    for _ in range(8):  # what covers it does not lie still
        x, y = (px + rng.uniform(-40, 40, 2)).astype(int).tolist()
        cv2.circle(arm, (x, y), 60, rng.uniform(0, 255, 3).tolist(), -1)
        hidden = watched.observer.look(arm, watched.t) or hidden
        watched.t += FRAME_S
    assert hidden is not None
    assert tile.track not in {each.track for each in hidden.tiles}
    assert any(box.holds(tile.x_mm, tile.y_mm) for box in hidden.covered)
    assert tile.track in {each.track for each in watched.show(above.frame_before).tiles}
    taken, (x, y) = above.frame_before.copy(), px.astype(int)
    quad = place_quads(
        np.array([[tile.x_mm, tile.y_mm]]), np.array([tile.angle]), np.ones(1, bool),
        watched.observer.tile_size,
    )[0]  # fmt: skip
    corners = above.camera.project(np.column_stack([quad, np.full(4, 20.0)]))
    cloth = np.median(above.frame_before[y - 90 : y - 60, x - 30 : x + 30], axis=(0, 1))
    cv2.fillConvexPoly(taken, np.round(corners).astype(np.int32), cloth.tolist())
    gone = watched.show(taken)
    assert tile.track not in {each.track for each in gone.tiles}
    assert not any(box.holds(tile.x_mm, tile.y_mm) for box in gone.covered)


def test_a_hand_is_seen_though_it_is_over_the_table_for_one_frame_only(
    above: Scene, recogniser: Recogniser
) -> None:
    watched = Watched(recogniser, above.camera)
    watched.show(above.frame_before, 20)
    while watched.show_next(above.frame_before) is None:
        pass
    hand, px = above.frame_before.copy(), above.camera.project(np.array([[0.0, -350.0, 0.0]]))[0]
    cv2.circle(hand, px.astype(int).tolist(), 60, (60, 90, 170), -1)
    sight = watched.show_next(hand)
    assert sight is not None
    assert any(box.holds(0.0, -350.0) for box in sight.covered)


@pytest.mark.long
def test_tiles_of_another_game_are_noticed(above: Scene, recogniser: Recogniser) -> None:
    assert Watched(recogniser, above.camera).show(above.frame_after).misfits == 0
    strange = [face for face in list_lying(above.after) if face["code"][1] in "zf"]
    assert len(strange) >= MISFITS_MIN_TILES, "hefei is played without honours and flowers"
    seen = Watched(recogniser, above.camera, "hefei").show(above.frame_after)
    assert MISFITS_MIN_TILES <= seen.misfits <= len(strange)
    blurred = Watched(recogniser, above.camera, "hefei").show(
        cv2.GaussianBlur(above.frame_after, (0, 0), 2.0)
    )
    assert type(blurred.misfits) is int, "it can be written into a recorded session"


def test_more_tiles_of_a_kind_than_a_set_has_are_noticed(above: Scene, recogniser: Recogniser) -> None:
    two_sets = above.frame_after.copy()
    faces = list_lying(above.after)
    first = np.array(faces[0]["quad"], np.float32)
    assert len(faces) >= 4 + MISFITS_MIN_TILES
    for face in faces[1:]:
        there = np.array(face["quad"], np.float32)
        move = cv2.getPerspectiveTransform(first, there)
        laid = cv2.warpPerspective(above.frame_after, move, two_sets.shape[1::-1])
        inside = np.zeros(two_sets.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, there.round().astype(np.int32), 1)
        two_sets[inside > 0] = laid[inside > 0]
    assert Watched(recogniser, above.camera).show(two_sets).misfits >= MISFITS_MIN_TILES


@pytest.mark.long
def test_a_cat_that_lies_down_on_the_discards_hides_them_and_leaves(
    above: Scene, recogniser: Recogniser
) -> None:
    watched = Watched(recogniser, above.camera)
    before = watched.show(above.frame_after)
    cat, rng = above.frame_after.copy(), np.random.default_rng(3)
    height, width = cat.shape[:2]
    rivers = [face["quad"] for face in list_lying(above.after) if face["zone"] == "river"]
    middle = np.mean(rivers, axis=(0, 1)).astype(int).tolist()
    fur = np.zeros((height, width), np.uint8)
    cv2.ellipse(fur, middle, (300, 210), 20, 0, 360, 1, -1)
    stripes = 90 + 30 * np.sin(np.arange(width) / 17)[None, :, None] + rng.normal(0, 12, (height, width, 1))
    cat[fur > 0] = (stripes * [0.6, 0.8, 1.0])[fur > 0].clip(0, 255).astype(np.uint8)
    hidden = {tile.track for tile in before.tiles if is_inside(fur, above.camera, tile)}
    assert len(hidden) >= 3
    lying = watched.show(cat, 150)
    assert not lying.trouble
    assert {tile.track for tile in lying.tiles} <= {tile.track for tile in before.tiles}
    gone = [tile for tile in before.tiles if tile.track not in {each.track for each in lying.tiles}]
    assert hidden <= {tile.track for tile in gone}
    assert all(any(box.holds(tile.x_mm, tile.y_mm) for box in lying.covered) for tile in gone)
    after = watched.show(above.frame_after, 20)
    assert {tile.track for tile in after.tiles} == {tile.track for tile in before.tiles}
    assert not after.covered


def test_a_discard_that_is_taken_at_once_is_read_in_the_picture_before(
    corner: Scene, recogniser: Recogniser
) -> None:
    watched = Watched(recogniser, corner.camera)
    before = watched.show(corner.frame_before)
    old = {tuple(np.round(corner.camera.lift(np.array(face["quad"]), 20.0).mean(axis=0) / 8)) for face in
           list_lying(corner.before)}  # fmt: skip
    new = [
        face for face in list_lying(corner.after)
        if face["zone"] == "river"
        and tuple(np.round(corner.camera.lift(np.array(face["quad"]), 20.0).mean(axis=0) / 8)) not in old
    ]  # fmt: skip
    assert new
    for _ in range(2):  # too short for anything to be still
        watched.observer.look(corner.frame_after, watched.t)
        watched.t += FRAME_S
    hidden = corner.frame_after.copy()
    for face in new:
        cv2.fillConvexPoly(hidden, np.array(face["quad"]).round().astype(np.int32), (90, 120, 160))
    seen: dict[str, float] = {}
    for _ in range(2):
        sight = watched.observer.look(hidden, watched.t)
        watched.t += FRAME_S
        known = {tile.track for tile in before.tiles}
        tiles = () if sight is None else sight.tiles
        seen.update({tile.readings[0][0]: tile.x_mm for tile in tiles if tile.track not in known})
    assert {face["code"] for face in new} & set(seen)


def is_inside(mask: np.ndarray, camera: TableCamera, tile: SeenTile) -> bool:
    x, y = camera.project(np.array([[tile.x_mm, tile.y_mm, 20.0]]))[0].round().astype(int)
    return bool(mask[y, x])


@pytest.mark.sampled
@pytest.mark.parametrize("pose", [Pose.ABOVE, Pose.CORNER])
def test_tiles_that_go_from_the_walls_are_said(recogniser: Recogniser, pose: Pose) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "choose_bodies", lambda rng, stacks: make_house_set(CODES))
        played = play_hand("hebei", SEED)
        film = prepare_film(played.start, played.steps, Shooting(pose, calm=True, seed=SEED))
    header = film.truth[0]
    camera = TableCamera.from_corners(
        np.array(header["camera"]["corners"]), header["width"], header["height"],
        header["camera"]["matrix"][0][0],
    )  # fmt: skip
    walls = {line["wall"]: line for line in film.truth if "table" in line and line["left"] is not None}
    watched, taken = Watched(recogniser, camera, "hebei"), 0
    counts = sorted(walls, reverse=True)[:9]
    for count in counts:
        frame = draw(film, walls[count])
        for _ in range(8):
            sight = watched.observer.look(frame, watched.t)
            taken += 0 if sight is None else len(sight.taken_s)
            watched.t += FRAME_S
    assert counts[0] - counts[-1] - 1 <= taken <= counts[0] - counts[-1]
