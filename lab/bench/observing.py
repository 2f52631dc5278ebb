"""How well a film's tiles are seen: sights of the observer against what is true of the film."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.cameras.frames import Frame
from companion.cameras.sources import open_source
from companion.seeing.observer import Observer
from companion.seeing.sights import SeenTile, Sight
from companion.seeing.table_camera import TableCamera
from companion.table.events import Discarded
from companion.tiles import BACK
from companion.vision.recogniser import Recogniser
from lab.bench.followed_films import FilmTruth, read_truth

ZONES = ("river", "meld", "flowers")
VISIBLE_MIN = 0.9
SAME_PLACE_MM = 12.0
"""A tile seen so near to a true one is that one: half a tile's width."""
SETTLED_S = 0.5
"""Seconds of rest after which a tile must be seen."""
SURE = 0.99
EARLY_S = 0.1
"""A tile lies still for the camera a little before it does so to the last tenth of a mm."""
Floats = NDArray[np.float64]


@dataclass(slots=True)
class LyingTile:
    """A tile that truly lies there.

    visible: share of its face that nothing hides; since_s: when it was laid there; first_s: when the first
    span began in which it lies there and nothing moves; number: of the track last seen there; noted: whether
    its delay was looked for.
    """

    code: str
    middle_mm: Floats
    zone: str
    visible: float
    since_s: float
    owner: int
    first_s: float
    number: int | None = None
    noted: bool = False


@dataclass(slots=True)
class Tally:
    """What was counted at the end of each span in which nothing moves, by the latest sight.

    wanted: tiles that should be seen; found, named, covered: those of them that were seen, named right, or
    said to be covered; false_faces: faces seen if none lie; kept: how often a tile found before should
    have kept its number, broken: how often it did not; sure: names with p >= SURE, sure_wrong: those of them
    that are wrong; delays_s: from when a discard lay still until it was seen and named right; failures: t,
    what went wrong, code, zone, and place in mm.
    """

    wanted: int = 0
    found: int = 0
    named: int = 0
    covered: int = 0
    false_faces: int = 0
    kept: int = 0
    broken: int = 0
    sure: int = 0
    sure_wrong: int = 0
    sights: int = 0
    frame_ms: list[float] = field(default_factory=list)
    delays_s: list[float] = field(default_factory=list)
    failures: list[tuple[float, str, str, str, tuple[float, float]]] = field(default_factory=list)

    def report(self) -> dict[str, Any]:
        """The figures as JSON has them; times are null if nothing was timed."""
        return {
            "tiles": self.wanted,
            "found": self.found,
            "named": self.named,
            "covered": self.covered,
            "false_faces": self.false_faces,
            "kept": self.kept,
            "broken": self.broken,
            "sure": self.sure,
            "sure_wrong": self.sure_wrong,
            "sights": self.sights,
            "ms_a_frame": round(float(np.mean(self.frame_ms)), 1) if self.frame_ms else None,
            "delay_median_s": round(float(np.median(self.delays_s)), 2) if self.delays_s else None,
            "delay_95_s": round(float(np.percentile(self.delays_s, 95)), 2) if self.delays_s else None,
            "failures": self.failures,
        }


def bench_sights(models: Path, films: Iterable[Path]) -> list[dict[str, Any]]:
    """The figures of each film, a video with its truth next to it (docs/films.md)."""
    recogniser = Recogniser(models)
    rows = []
    for film in films:
        truth = read_truth(film.with_suffix(".jsonl"))
        rows.append(
            {"film": str(film), **judge_sights(truth, *observe_film(film, truth, recogniser)).report()}
        )
    return rows


def observe_film(video: Path, truth: FilmTruth, recogniser: Recogniser) -> tuple[list[Sight], list[float]]:
    """The sights of a film, the camera's true place being given, and the processor's milliseconds of each
    frame, decoding left out."""
    observer = Observer(recogniser, truth.find_camera(0.0), rules=truth.start.rules)
    sights, ms = [], []
    with open_source(str(video)) as frames:
        for frame in frames.read_frames():
            if not isinstance(frame, Frame):
                continue
            start = time.process_time()
            sight = observer.look(frame.image, frame.t_ns / 1e9)
            ms.append((time.process_time() - start) * 1000)
            if sight is not None:
                sights.append(sight)
    return sights, ms


def judge_sights(truth: FilmTruth, sights: Sequence[Sight], ms: Sequence[float]) -> Tally:
    """The sights against the truth."""
    tally = Tally(sights=len(sights), frame_ms=list(ms))
    depth = truth.header["tile_mm"][2]
    laid = [t for t, _, _ in truth.events]
    last = sights[-1].t if sights else 0.0
    before: list[LyingTile] = []
    for scene in truth.scenes:
        if scene["until"] > last + 0.5:
            continue
        lying = _list_lying(scene, truth.find_camera(scene["t"]), depth)
        _link(before, lying, laid)
        _note_delays(tally, truth, lying, sights)
        latest = [sight for sight in sights if sight.t <= scene["until"]]
        if latest:
            _judge(tally, lying, latest[-1], scene["until"])
        before = lying
    return tally


def _list_lying(scene: dict[str, Any], camera: TableCamera, depth_mm: float) -> list[LyingTile]:
    """The tiles that lie there while nothing moves."""
    tiles = []
    for face in scene["table"]:
        if face["standing"]:
            continue
        middle = camera.lift(np.array(face["quad"]), depth_mm).mean(axis=0)
        tiles.append(
            LyingTile(
                face["code"], middle, face["zone"], face["visible"], scene["t"], face["owner"], scene["t"]
            )
        )
    return tiles


def _link(before: Sequence[LyingTile], now: Sequence[LyingTile], laid: Sequence[float]) -> None:
    """Let tiles that lay there before be the same, and others have lain since the event before."""
    for tile in now:
        same = [
            other
            for other in before
            if other.code == tile.code and float(np.linalg.norm(other.middle_mm - tile.middle_mm)) < 8
        ]
        if same:
            nearest = min(same, key=lambda other: float(np.linalg.norm(other.middle_mm - tile.middle_mm)))
            tile.since_s, tile.number, tile.noted = nearest.since_s, nearest.number, nearest.noted
        else:
            tile.since_s = max((t for t in laid if t <= tile.since_s), default=tile.since_s)


def _note_delays(tally: Tally, truth: FilmTruth, lying: Sequence[LyingTile], sights: Sequence[Sight]) -> None:
    """How long after it lay still each discard that is new was seen and named right."""
    for tile in lying:
        if tile.number is not None or tile.noted or tile.zone != "river" or tile.visible < VISIBLE_MIN:
            continue
        tile.noted = True
        laid = [
            t
            for t, _, event in truth.events
            if isinstance(event, Discarded) and t <= tile.first_s
            and (event.seat, event.tile) == (tile.owner, tile.code)
        ]  # fmt: skip
        if not laid:
            continue
        for sight in sights:
            if sight.t < laid[-1] - EARLY_S:
                continue
            if (seen := _find_seen(tile, sight)) and seen.readings[0][0] == tile.code:
                tally.delays_s.append(sight.t - laid[-1])
                break


def _find_seen(tile: LyingTile, sight: Sight) -> SeenTile | None:
    """What is seen where the tile lies."""
    near = [
        (float(np.hypot(seen.x_mm - tile.middle_mm[0], seen.y_mm - tile.middle_mm[1])), seen.track, seen)
        for seen in sight.tiles
    ]
    best = min(near, default=None)
    return best[2] if best is not None and best[0] <= SAME_PLACE_MM else None


def _judge(tally: Tally, lying: Sequence[LyingTile], sight: Sight, until_s: float) -> None:
    """Count what the latest sight of a still span says of the tiles that lie there."""
    for tile in lying:
        if tile.zone not in ZONES or tile.visible < VISIBLE_MIN or until_s - tile.since_s < SETTLED_S:
            continue
        tally.wanted += 1
        place = (round(float(tile.middle_mm[0])), round(float(tile.middle_mm[1])))
        seen = _find_seen(tile, sight)
        if seen is None and any(box.holds(*tile.middle_mm.tolist()) for box in sight.covered):
            tally.covered += 1
            tally.failures.append((sight.t, "covered", tile.code, tile.zone, place))
            continue
        if seen is None:
            tally.failures.append((sight.t, "missed", tile.code, tile.zone, place))
            continue
        tally.found += 1
        code, p = seen.readings[0]
        if code == tile.code:
            tally.named += 1
        else:
            tally.failures.append((sight.t, f"{code} {p:.3f}", tile.code, tile.zone, place))
        if p >= SURE and code not in (BACK, "?"):
            tally.sure += 1
            tally.sure_wrong += code != tile.code
        if tile.number is not None:
            tally.kept += 1
            if tile.number != seen.track:
                tally.broken += 1
                tally.failures.append((sight.t, "broken", tile.code, tile.zone, place))
        tile.number = seen.track
    for seen in sight.tiles:
        if seen.readings[0][0] in (BACK, "?"):
            continue
        apart = [float(np.hypot(*(tile.middle_mm - [seen.x_mm, seen.y_mm]))) for tile in lying]
        if min(apart, default=np.inf) > SAME_PLACE_MM:
            tally.false_faces += 1
            tally.failures.append(
                (
                    sight.t,
                    f"false {seen.readings[0][1]:.3f}",
                    seen.readings[0][0],
                    "",
                    (round(seen.x_mm), round(seen.y_mm)),
                )
            )
