"""How well tables are found in single pictures of films, by how they end: with a rim, on a floor, round, or
nowhere in the picture. What was found is held against the true place of the walls, and of the corners.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.coach.play.simulation import PlayedHand, play
from companion.images import Image
from companion.rules import RULE_SETS
from companion.seeing.finding_table import AGREED_P, SURE_FROM, FoundTable, find_table
from companion.seeing.table_camera import TableCamera
from companion.table.events import GameStarted
from companion.vision import Recogniser
from lab.bench.plain_films import EDGES, PlainFilming, prepare_plain
from lab.film.customs import HALF_MM, Pose, list_corners
from lab.film.writing import Shooting, prepare_film
from lab.scenes.geometry import Camera

Floats = NDArray[np.float64]
Json = dict[str, Any]

SIZE = (1920, 1080)
FIRST_S, LATER_SHARE = 1.0, 0.75
"""The two moments of each film: a second after it begins, and when so much of it is over."""
RIGHT_MM = 30.0
WALL_MM = 245.0
"""Distance of the walls from the middle: the tolerance applies there, however large the table seems."""
PACE = 2.0
FIGURES = (
    "pictures", "walls_right", "corners_right", "sure", "sure_wrong", "doubtful", "doubtful_wrong", "asked",
)  # fmt: skip
"""Numbers of pictures: with the walls, and the corners, correct to RIGHT_MM; with a table found surely, or
with doubt, and the wrong ones among these; with a continued search, and with a question to the person."""


def bench_finding(models: Path, poses: Sequence[Pose], *, tables: int, seed: int) -> Json:
    """The figures of every renderer, pose and kind of edge, of n tables each, in two pictures each."""
    recogniser = Recogniser(models)
    rows = []
    for pose in poses:
        for edge in (None, *dict.fromkeys(EDGES)):
            tally: Counter[str] = Counter()
            for number in range(tables):
                for image, camera in _film(pose, edge, seed + number):
                    tally += _judge(find_table(image, recogniser), camera)
            kind = {"renderer": "plain" if edge else "scenes", "pose": pose.value, "edge": edge}
            rows.append({**kind, **{name: tally[name] for name in FIGURES}})
    return {"figures": rows, "seed": seed}


def _film(pose: Pose, edge: str | None, seed: int) -> Iterator[tuple[Image, Camera]]:
    """The two pictures of a film, each with its camera. edge: of a plain film; None: the other renderer."""
    rules = list(RULE_SETS)[seed % len(RULE_SETS)]
    played: PlayedHand = next(play(GameStarted(rules=rules), 1, random.Random(f"{rules} {seed}")))
    draw: Callable[[float], Image]
    if edge is None:
        film = prepare_film(played.start, played.steps, Shooting(pose, SIZE, PACE, seed=seed))
        end_s, draw, find_camera = film.timeline.end_s, film.filming.draw, film.filming.find_camera
    else:
        plain = prepare_plain(played, pose, seed, pace=PACE, edge=edge)
        end_s, draw = plain.timeline.end_s, PlainFilming(plain, seed).draw

        def find_camera(t: float) -> Camera:
            bumped = (camera for since, camera in reversed(plain.bumps) if since <= t)
            return next(bumped, plain.looks.camera)

    for t in (FIRST_S, round(LATER_SHARE * end_s, 1)):
        yield draw(t), find_camera(t)


def _judge(found: FoundTable | None, true: Camera) -> Counter[str]:
    """What came of one picture."""
    if found is None:
        return Counter(pictures=1, asked=1)
    p, right = found.p, measure_walls_mm(found.camera, true) <= RIGHT_MM
    return Counter(
        pictures=1,
        walls_right=int(right),
        corners_right=int(_measure_corners_mm(found.camera, true) <= RIGHT_MM),
        sure=int(p >= SURE_FROM),
        sure_wrong=int(p >= SURE_FROM and not right),
        doubtful=int(AGREED_P <= p < SURE_FROM),
        doubtful_wrong=int(AGREED_P <= p < SURE_FROM and not right),
        asked=int(p < AGREED_P),
    )


def measure_walls_mm(found: TableCamera, true: Camera) -> float:
    """By how many mm the worst corner of the walls' square is out, the table's size left open."""
    square = list_corners(WALL_MM)
    places = found.lift(true.project(square))
    off = []
    for quarters in range(4):
        lay = np.roll(square[:, :2], quarters, axis=0)
        scale = float((places * lay).sum() / (places * places).sum())
        if scale > 0:
            off.append(float(np.linalg.norm(scale * places - lay, axis=1).max()))
    return min(off, default=np.inf)


def _measure_corners_mm(found: TableCamera, true: Camera) -> float:
    """By how many mm the worst of the table's corners is out."""
    square = list_corners(HALF_MM)
    places = found.lift(true.project(square))
    off = [
        float(np.linalg.norm(np.roll(places, quarters, axis=0) - square[:, :2], axis=1).max())
        for quarters in range(4)
    ]
    return min((each for each in off if np.isfinite(each)), default=np.inf)
