"""How well a film's tiles are seen: sights of the observer against what is true of the film."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.tiles import BACK
from companion.tracking.observing import Observer
from companion.tracking.sights import SeenTile, Sight
from companion.tracking.table_camera import TableCamera
from companion.vision.recogniser import Recogniser

ZONES = ("river", "meld", "flowers")
VISIBLE_MIN = 0.9
SAME_PLACE_MM = 12.0
"""A tile seen so near to a true one is that one: half a tile's width."""
SETTLED_S = 0.5
"""After which a tile that lies still must be seen."""
SURE = 0.99
EARLY_S = 0.1
"""A tile lies still for the camera a little before it does so to the last tenth of a mm."""
Floats = NDArray[np.float64]


@dataclass(slots=True)
class LyingTile:
    """A tile that truly lies there. since_s: when it was first known to; first_s: of
    the first span; number: of the track seen there; noted: whether its delay was."""

    code: str
    middle_mm: Floats
    zone: str
    visible: float
    since_s: float
    quad_px: Floats
    owner: int
    first_s: float
    number: int | None = None
    noted: bool = False


@dataclass(slots=True)
class Tally:
    """What was counted: of tiles that should be seen at the end of each still span, those found and named
    right, and those said to be covered, all by the latest sight; faces seen where none lie; pairs of spans in
    which a tile should keep its number, and those in which it did not; names said with p >= SURE, and
    those of them that are wrong."""

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

    def describe(self) -> str:
        """The figures in one line."""
        delays = np.array(self.delays_s or [np.nan])
        frames = np.array(self.frame_ms or [np.nan])
        return (
            f"found {self.found}/{self.wanted} ({self.found / max(1, self.wanted):.2%})"
            f" named {self.named} ({self.named / max(1, self.wanted):.2%}) said to be covered {self.covered}"
            f" false {self.false_faces}"
            f" broken {self.broken}/{self.kept} sure wrong {self.sure_wrong}/{self.sure}"
            f" ms {frames[1:].mean():.1f} (first {frames[0]:.0f}, p95 {np.percentile(frames, 95):.0f})"
            f" delay {np.median(delays):.2f} p95 {np.percentile(delays, 95):.2f}"
            f" sights {self.sights}"
        )


def read_truth(path: Path) -> list[dict[str, Any]]:
    """The lines of a film's truth."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def make_camera(truth: Sequence[dict[str, Any]], t: float = 0.0) -> TableCamera:
    """The camera as it truly stands at that second."""
    first = truth[0]
    cameras = [
        first["camera"],
        *(line["camera"] for line in truth[1:] if "camera" in line and line["t"] <= t),
    ]
    return TableCamera.from_corners(
        np.array(cameras[-1]["corners"]), first["width"], first["height"], first["camera"]["matrix"][0][0]
    )


def read_frames(path: Path) -> Iterator[tuple[float, Image]]:
    """The frames of a film with their seconds."""
    film = cv2.VideoCapture(str(path))
    rate = film.get(cv2.CAP_PROP_FPS)
    number = 0
    while True:
        good, image = film.read()
        if not good:
            film.release()
            return
        yield number / rate, np.asarray(image, np.uint8)
        number += 1


def observe_film(
    folder: Path, recogniser: Recogniser, *, until_s: float = np.inf
) -> tuple[list[Sight], list[float]]:
    """The sights of a film, and the processor's milliseconds of each frame, decoding left out."""
    truth = read_truth(folder / "hand-1.jsonl")
    observer = Observer(recogniser, make_camera(truth), rules=truth[0]["rules"])
    sights, ms = [], []
    for t, image in read_frames(folder / "hand-1.mp4"):
        if t > until_s:
            break
        start = time.process_time()
        sight = observer.look(image, t)
        ms.append((time.process_time() - start) * 1000)
        if sight is not None:
            sights.append(sight)
    return sights, ms


def judge_sights(truth: Sequence[dict[str, Any]], sights: Sequence[Sight], ms: Sequence[float]) -> Tally:
    """The sights against the truth."""
    tally = Tally(sights=len(sights), frame_ms=list(ms))
    depth = truth[0]["tile_mm"][2]
    laid = [line["t"] for line in truth[1:] if "event" in line]
    last = sights[-1].t if sights else 0.0
    before: list[LyingTile] = []
    for line in truth[1:]:
        if "table" not in line or line["until"] > last + 0.5:
            continue
        lying = _list_lying(line, make_camera(truth, line["t"]), depth)
        _link(before, lying, laid)
        _note_delays(tally, truth, lying, sights)
        latest = [sight for sight in sights if sight.t <= line["until"]]
        if latest:
            _judge(tally, lying, latest[-1], line["until"])
        before = lying
    return tally


def _list_lying(line: dict[str, Any], camera: TableCamera, depth_mm: float) -> list[LyingTile]:
    tiles = []
    for face in line["table"]:
        if face["standing"]:
            continue
        quad = np.array(face["quad"])
        middle = camera.lift(quad, depth_mm).mean(axis=0)
        tiles.append(
            LyingTile(
                face["code"], middle, face["zone"], face["visible"], line["t"], quad, face["owner"], line["t"]
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


def _note_delays(
    tally: Tally, truth: Sequence[dict[str, Any]], lying: Sequence[LyingTile], sights: Sequence[Sight]
) -> None:
    """How long after it lay still each discard that is new was seen and named right."""
    for tile in lying:
        if tile.number is not None or tile.noted or tile.zone != "river" or tile.visible < VISIBLE_MIN:
            continue
        tile.noted = True
        laid = [
            line["t"]
            for line in truth[1:]
            if "event" in line and line["event"]["event"] == "discarded" and line["t"] <= tile.first_s
            and line["event"]["tile"] == tile.code and line["event"]["seat"] == tile.owner
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
    near = [
        (float(np.hypot(seen.x_mm - tile.middle_mm[0], seen.y_mm - tile.middle_mm[1])), seen.track, seen)
        for seen in sight.tiles
    ]
    best = min(near, default=None)
    return best[2] if best is not None and best[0] <= SAME_PLACE_MM else None


def _judge(tally: Tally, lying: Sequence[LyingTile], sight: Sight, until_s: float) -> None:
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
