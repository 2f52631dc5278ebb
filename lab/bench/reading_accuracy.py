"""How well labelled photos are read, in all and by group, and the log of every reading of a test split.

Also how well probabilities match how often they are right, how well outlines fit, how long each stage takes.
"""

from __future__ import annotations

import hashlib
import json
import resource
import statistics
import sys
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion import __version__
from companion.errors import InputError, MissingError
from companion.tiles import KINDS, Tile
from companion.vision.finding import find_tiles
from companion.vision.learned import LearnedSet
from companion.vision.networks import load_manifest
from companion.vision.pictures import load_picture
from companion.vision.recogniser import Recogniser
from companion.vision.teaching import Lesson, learn
from lab.bench.effort import EffortMeter
from lab.bench.labelled_photos import Photo, Role, Tally, find_role, load_split, match_labels

LOG = "TEST_RUNS.jsonl"
NOT_A_TEST = (
    "'{split}' is no test split (its role: {role}): only a reading of a test split is logged with --release."
)
UNWRITABLE = "Nothing can be added to '{path}': {why}."


def check_loggable(models: Path, split: str, role: Role | None) -> None:
    """Raises InputError for a split that is not a test split, MissingError if nothing can be logged."""
    if role is not Role.TEST:
        raise InputError(NOT_A_TEST, split=split, role=role or "none")
    _add(models / LOG, "")


def log_release(models: Path, figures: Mapping[str, Any]) -> None:
    """Adds what `reading_accuracy.bench` found to the log of a folder of models: date, version of the
    program, sha256 of models and manifest, split, figures as [right, of].

    Raises MissingError if the log cannot be written, ModelError for models that are not there.
    """
    manifest = load_manifest(models)
    line = {
        "date": datetime.now(UTC).date().isoformat(),
        "version": __version__,
        "finder": manifest.finder.sha256,
        "reader": manifest.reader.sha256,
        "manifest": hashlib.sha256((models / "manifest.json").read_bytes()).hexdigest(),
        "split": figures["split"],
        "seed": figures["seed"],
        "learned_from": len(figures["taught"]["photos"]) if figures["taught"] else 0,
        "learned_kinds": figures["taught"]["kinds"] if figures["taught"] else 0,
        "photos": figures["photos"],
        **_keep_counts(figures),
    }
    _add(models / LOG, json.dumps(line) + "\n")


def _add(path: Path, text: str) -> None:
    try:
        with path.open("a", encoding="utf-8") as log:
            log.write(text)
    except OSError as problem:
        raise MissingError(UNWRITABLE, path=path, why=problem.strerror) from problem


def _keep_counts(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Every share among the figures as [right, of]; those of faces and of backs stay together."""
    return {
        name: [value["right"], value["of"]] if "of" in value else _keep_counts(value)
        for name, value in figures.items()
        if isinstance(value, dict) and ("of" in value or name in ("faces", "backs"))
    }


CONFUSIONS = 20

NOT_ENOUGH = (
    "'{split}' has {photos} photos in which every tile is labelled: at most {most} can be learned from."
)
NOT_ENOUGH_KINDS = "The photos that teach show {shown} kinds, and {kinds} are to be learned."


def bench(
    data: Path, split: str, models: Path, teach: int = 0, kinds: int | None = None, *, release: bool = False
) -> dict[str, Any]:
    """The figures of reading every photo of a split of `data` (`labelled_photos.load_split`), compared with
    its labels.

    "role": what the split may be used for (`splits`), None where it is in no list; "end_to_end": share of
    labelled tiles found and named right; "right_in_place": the same where an outline need only overlap its
    label by a quarter, as a right one does a box round a slanted tile; "precision": of the finds that are
    judged (`Tally`), the share that is named right; "exact_photos": of those in which every face is labelled,
    the share in which every one is named right, every back too where all are labelled, and nothing else is
    found; "faces", "backs": of these alone, precision of what is called a face or a back ("?" is neither);
    "nothing_found": of pictures without tiles, the share in which nothing is found; "effort": median and
    most of what a picture costs (`EffortMeter.summarise`); "memory_mb": `_measure_memory`.

    With `teach`, that many photos teach their set of tiles first, with their labels, and the rest is read
    with it: `choose_teaching_photos`; with `kinds`, they teach only as many of their kinds: `choose_kinds`.
    With `release` the figures are added to the log of the models:
    `log_release`.

    Raises InputError for a split that is missing, has no labels, teaches no set, or is no test split and is
    to be logged, PictureError for a photo, ModelError for missing models, MissingError if nothing can be
    logged.
    """
    labelled = load_split(data, split)
    photos, role = labelled.photos, find_role(split, labelled)
    if release:
        check_loggable(models, split, role)
    recogniser = Recogniser(models)
    memory = _measure_memory(recogniser, photos)
    meter = EffortMeter.attach(recogniser)
    chosen = choose_teaching_photos(photos, teach, split)
    learned = learn_from_photos(recogniser, chosen, choose_kinds(chosen, kinds)) if chosen else None
    total = Tally()
    groups: dict[str, Tally] = defaultdict(Tally)
    times: dict[str, list[float]] = defaultdict(list)
    rest = [photo for photo in photos if photo not in chosen]
    for photo in rest:
        with meter.measure(split):
            reading = recogniser.read_file(photo.path, tile_set=learned)
        for tally in (total, groups[photo.group]):
            tally.add(reading, photo)
        for stage, ms in reading.ms.items():
            times[stage].append(ms)
    taught = {"photos": [photo.path.name for photo in chosen], "kinds": len(learned.kinds) if learned else 0}
    figures = {
        "split": split,
        "role": role,
        "seed": labelled.seed,
        "taught": taught if chosen else None,
        **total.figures(),
        "certainty": total.curve(),
        "calibration_error": total.calibration_error(),
        "outlines": total.outlines(),
        "groups": {group: tally.figures() for group, tally in sorted(groups.items())},
        "confusions": [[*pair, count] for pair, count in total.confusions.most_common(CONFUSIONS)],
        "ms_median": {stage: round(statistics.median(values), 1) for stage, values in times.items()},
        "effort": meter.summarise().get(split),
        "memory_mb": memory,
        "peak_memory_mb": _read_peak_memory(),
    }
    if release:
        log_release(models, figures)
    return figures


def _measure_memory(recogniser: Recogniser, photos: Sequence[Photo]) -> dict[str, int]:
    """The most memory, MB, that was held until the models are loaded, and until the end of each stage of
    reading the largest photo."""
    held = {"load": _read_peak_memory()}
    present = [photo.path for photo in photos if photo.path.is_file()]
    if present:
        picture = load_picture(max(present, key=lambda path: path.stat().st_size))
        held["decode"] = _read_peak_memory()
        find_tiles(recogniser.finder, picture)
        held["detect"] = _read_peak_memory()
        recogniser.read(picture)
        held["classify"] = _read_peak_memory()
    return held


def _read_peak_memory() -> int:
    """The most memory that this process has held, MB (10^6 bytes)."""
    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6)


def choose_teaching_photos(photos: Sequence[Photo], teach: int, split: str) -> list[Photo]:
    """The `teach` fully labelled photos that show most kinds not shown yet, then most tiles. Raises
    InputError if there are fewer."""
    complete = [photo for photo in photos if photo.complete and photo.names]
    if teach > len(complete):
        raise InputError(NOT_ENOUGH, split=split, photos=len(complete), most=len(complete))
    chosen: list[Photo] = []
    shown: set[str] = set()
    for _ in range(teach):
        left = [photo for photo in complete if photo not in chosen]
        best = max(left, key=lambda photo: (len({*photo.names} - shown), len(photo.names), photo.path.name))
        chosen.append(best)
        shown |= {*best.names}
    return chosen


def choose_kinds(photos: Sequence[Photo], most: int | None = None) -> list[str]:
    """The kinds that the photos show, in the order of `KINDS`; of these `most` at even distances, so that all
    suits are among them. Raises InputError if there are fewer."""
    names = {name for photo in photos for name in photo.names}
    shown = [kind.code for kind in KINDS if kind.code in names]
    if most is None:
        return shown
    if most > len(shown):
        raise InputError(NOT_ENOUGH_KINDS, shown=len(shown), kinds=most)
    return [shown[at * len(shown) // most] for at in range(most)]


def learn_from_photos(recogniser: Recogniser, photos: Sequence[Photo], kinds: Collection[str]) -> LearnedSet:
    """The set learned from the tiles of these kinds in labelled photos, as if a person confirmed those that
    are found. Raises PictureError, and InputError for photos that teach no set."""
    lessons = []
    for photo in photos:
        picture = load_picture(photo.path)
        reading = recogniser.read(picture)
        named: list[Tile | None] = [None] * len(reading.tiles)
        for name, index in zip(photo.names, match_labels(reading, photo.boxes), strict=True):
            if index is not None and name in kinds:
                named[index] = Tile.parse(name)
        lessons.append(Lesson(picture, reading, tuple(named)))
    return learn(recogniser.reader, "bench", lessons)
