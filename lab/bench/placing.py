"""How far from where they lie tiles are seen, through lenses that bend straight lines."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from companion.coach.play.simulation import play
from companion.images import Image
from companion.live.table_watch import FindTable, TableWatch
from companion.seeing.finding_table import LensWatch, StraightSearch, TableSearch
from companion.seeing.observer import Observer
from companion.seeing.outlines import TileSize
from companion.seeing.table_camera import TableCamera
from companion.table.events import GameStarted
from companion.vision.recogniser import Recogniser
from lab.film.customs import Pose
from lab.film.filming import WideLens
from lab.film.writing import Film, Shooting, list_spans, prepare_film
from lab.scenes.layouts import TilePose, place_tile

SIZE = (1920, 1080)
LOOKS = 8
"""Pictures after which a table that is not found is given up."""
NEAR_MM = 35.0
"""A tile seen no farther from a true one may be that one."""

Json = dict[str, Any]
Floats = np.ndarray[Any, np.dtype[np.float64]]


def bench_placing(
    models: Path, rules: str, poses: Sequence[Pose], lenses: Sequence[float], *, hands: int, seed: int
) -> list[Json]:
    """For each pose and each k1 of a lens, how far off tiles in the middle of hands are, mm, with the lens
    taken for perfect and with it measured."""
    recogniser = Recogniser(models)
    rows = []
    for pose in poses:
        off: dict[tuple[float, bool], list[float]] = {}
        missed: dict[tuple[float, bool], int] = {}
        played = play(GameStarted(rules=rules), hands, random.Random(f"{rules} {seed}"))
        for number, hand in enumerate(played):
            film = prepare_film(hand.start, hand.steps, Shooting(pose, SIZE, seed=seed + number))
            t = _choose_moment(film)
            image, places = film.filming.draw(t), _list_places(film, t)
            focal = film.filming.find_camera(t).focal_px
            for k1 in lenses:
                bent = WideLens(k1, focal, *SIZE).bend_picture(image)
                for corrected in (False, True):
                    seen = see_tiles(bent, recogniser, rules, corrected)
                    apart = np.linalg.norm(places[:, None] - seen[None], axis=2).min(axis=1, initial=np.inf)
                    off.setdefault((k1, corrected), []).extend(apart[apart < NEAR_MM].tolist())
                    missed[k1, corrected] = missed.get((k1, corrected), 0) + int((apart >= NEAR_MM).sum())
        for (k1, corrected), each in off.items():
            rows.append({
                "pose": pose.value, "k1": k1, "corrected": corrected, "tiles": len(each),
                "missed": missed[k1, corrected], **_sum_up(each),
            })  # fmt: skip
    return rows


def see_tiles(image: Image, recogniser: Recogniser, rules: str, corrected: bool) -> Floats:
    """The places (n, 2) mm of the tiles that are seen in a picture, the table being found in it. corrected:
    whether its lens is measured, or is taken for perfect."""

    def begin_search() -> FindTable:
        begin = partial(TableSearch, recogniser)
        return StraightSearch(begin, LensWatch()).search if corrected else begin().search

    def observe(camera: TableCamera, size: TileSize) -> Observer:
        return Observer(recogniser, camera, rules=rules, tile_size=size)

    lens = LensWatch() if corrected else _NoLens()
    watch = TableWatch(begin_search, observe, lens=lens)
    for look in range(LOOKS):
        sight = watch.look(image, float(look))
        if sight is not None and sight.tiles:
            return np.array([[tile.x_mm, tile.y_mm] for tile in sight.tiles])
    return np.zeros((0, 2))


class _NoLens(LensWatch):
    """Takes every lens for a perfect one."""

    def look(self, image: Image) -> None:
        """Nothing is measured."""


def _choose_moment(film: Film) -> float:
    """A second, past the middle of the hand, in which nothing moves."""
    spans = list_spans(film.timeline, film.disturbances)
    start, end = next(span for span in spans if span[0] >= 0.6 * film.timeline.end_s)
    return (start + end) / 2


def _list_places(film: Film, t: float) -> Floats:
    """The places (n, 2) mm of the tiles that lie face up."""
    size = np.array(film.timeline.size_mm)
    lying = [each for each in film.timeline.find_resting(t) if each.pose is TilePose.FACE_UP]
    return np.array([place_tile(each, size).box.centre_mm[:2] for each in lying]).reshape(-1, 2)


def _sum_up(off: Iterable[float]) -> Json:
    values = np.array(list(off) or [np.nan])
    measures: dict[str, Callable[[Floats], Any]] = {
        "median_mm": np.median, "most_95_mm": lambda each: np.percentile(each, 95), "worst_mm": np.max,
    }  # fmt: skip
    return {name: round(float(measure(values)), 1) for name, measure in measures.items()}
