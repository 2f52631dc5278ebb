"""How well designs are read that no photo taught: each photographed design is left out once.

    python -m models.training.cross_validate --data TILE_DATA --work DIR
    python -m models.training.card DIR/cross-validation.json DIR/taught-two.json

A base reader learns from drawn tables and cut-out tiles alone, unless `--base` gives one. For each design
(`table_sets`) a reader goes on from it with the photos of all other designs, each for the same number of
batches, and is made the program's file and calibrated in a collection that lacks the design (`left_out`).
Then the design's photos are read.

The finder is the one in use, or that of `--finder`, and has learned from all of these photos, or some: what
is named is cross-validated, what is found is not; nor is what a weigher decides that `--keep-weigher` keeps.
These readers learn for a fraction of the time of the one in use: their figures compare ways of training and
deciding, and are no promise of its own. Stopped, it goes on where it was.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from companion.errors import InputError
from companion.files import write_whole
from lab.bench import reading_accuracy
from lab.bench.labelled_photos import Role, make_share
from lab.bench.labelled_photos import load_photos as load_labelled
from models.training.arguments import require_any, require_drawings, require_files
from models.training.drawn import (
    READER_SHARES,
    HeldOut,
    draw_held_out,
    draw_pictures,
    list_reader_sources,
    take_share,
)
from models.training.export import MANIFEST, WEIGHER
from models.training.finish import finish
from models.training.labels import LABELS
from models.training.left_out import LEFT_OUT, SPLITS, list_sets, load_labels, write_alone, write_without
from models.training.nets import Finder, Reader
from models.training.pictures import load_training_photos
from models.training.reader_data import Patch, cut_patches
from models.training.table_sets import NOT_TAUGHT
from models.training.train_reader import train_reader
from models.training.training_run import load_weights, make_once

FINDER = Path(__file__).resolve().parent.parent / "weights" / "finder.pt"
SEED = 71
TABLES = 0.25  # of the tables that a whole training draws
# Batches of the reader: of the base, a fifth of a whole training, and for each design.
BASE_STEPS, FOLD_STEPS = 5000, 1000
RATE, RATE_ON = 2e-3, 1.0e-3
TAUGHT, READ_MIN = 2, 4  # complete photos that teach a design, and those that must be left to read
RESULTS = {"figures": "cross-validation", "taught": "taught-two"}
NO_DESIGNS = "'{data}' has photos of fewer than two known designs."

Json = dict[str, Any]
Sources = list[tuple[float, list[Patch]]]


def main() -> None:
    """Trains what is not trained yet, reads what is left out, and prints and writes the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.cross_validate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with photos/, crops/, backgrounds/")
    parser.add_argument("--work", type=Path, required=True, help="where networks and figures are kept")
    parser.add_argument(
        "--finder", type=Path, default=FINDER, help="weights of the finder; by default those in use"
    )
    parser.add_argument(
        "--base", type=Path, help="weights of a reader that no photo taught, in place of one trained here"
    )
    parser.add_argument(
        "--keep-weigher", type=Path, help="folder with the program's files whose weigher decides, unfitted"
    )
    parser.add_argument(
        "--share", type=float, default=1.0, help="share of this schedule's batches and tables: to try it out"
    )
    options = parser.parse_args()
    require_files(parser, *(options.data / name for name in (SPLITS[0], "crops/labels.csv")), options.finder)
    require_any(parser, options.data / "backgrounds", "*/*.jpg")
    require_drawings(parser)
    given = [options.base] if options.base else []
    if options.keep_weigher:
        given += [options.keep_weigher / name for name in (WEIGHER, MANIFEST)]
    require_files(parser, *given)
    asked = {name: str(getattr(options, name)) for name in ("data", "share")}
    asked["networks"] = str([_fingerprint(file) for file in (options.finder, *given)])
    options.work.mkdir(parents=True, exist_ok=True)
    try:
        if make_once(options.work / "asked.pkl", lambda: asked) != asked:
            parser.error(f"'{options.work}' holds a run with other options: name another --work")
        finder = Finder()
        load_weights(finder, options.finder)
        finder.eval()
        if options.base:
            load_weights(Reader(len(LABELS)), options.base)
        kept = Kept(finder, options.base, options.keep_weigher)
        for name, result in cross_validate(options.data, options.work, kept, options.share).items():
            result["split"] = RESULTS[name]
            write_whole(options.work / f"{RESULTS[name]}.json", json.dumps(result).encode())
            right, of = (result["faces"]["end_to_end"][key] for key in ("right", "of"))
            print(f"{RESULTS[name]}: {right} of {of} faces found and named right")
    except InputError as problem:
        parser.error(str(problem))


@dataclass(frozen=True, slots=True)
class Kept:
    """The networks that are not trained again. base: weights of a reader that no photo taught; weighed:
    folder of the program's files whose weigher and temperature are kept. None: they are made here."""

    finder: Finder
    base: Path | None
    weighed: Path | None


def _fingerprint(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def cross_validate(data: Path, work: Path, kept: Kept, part: float) -> dict[str, Json]:
    """The figures of all designs as read by programs that none of their photos taught, and of those with
    photos enough after two of them taught the set; each as `companion bench vision` gives them, the designs
    as groups. `part` is the share of the schedule. Raises InputError for labels that are not those of the
    collection, and for damaged files of a stopped run."""
    labels = load_labels(data)
    designs = list_sets(labels)
    if len(designs) < 2:
        raise InputError(NO_DESIGNS, data=data)
    for design in designs:
        write_without(labels, data, design, work / design / "others")
        write_alone(labels, design, work / design / "alone")
    folders = [work / design for design in designs]
    if missing := [folder for folder in folders if not (folder / "models" / MANIFEST).exists()]:
        train_folds(data, work, missing, kept, part)
    read = {folder.name: make_once(folder / "read.pkl", partial(read_alone, folder)) for folder in folders}
    return {
        kind: sum_designs({design: each[kind] for design, each in read.items() if kind in each})
        for kind in RESULTS
        if any(kind in each for each in read.values())
    }


def train_folds(data: Path, work: Path, folders: Sequence[Path], kept: Kept, part: float) -> None:
    """Trains the base reader unless it is kept, and on from it that of each of the folders; `part` is the
    share of the schedule."""
    drawn = draw_pictures(data, work, TABLES * part, SEED)
    held_out = HeldOut([], [])
    if not kept.weighed:
        held_out = make_once(work / "held-out.pkl", lambda: draw_held_out(data, TABLES * part, SEED))
    sources = list_reader_sources(drawn, kept.finder, data, TABLES * part, np.random.default_rng(SEED))
    if not kept.base:
        base, nothing = work / "base.pt", (READER_SHARES["photos"], list[Patch]())
        steps = take_share(BASE_STEPS, part)
        train_reader(sources, nothing, base, steps=steps, seed=SEED, rate=RATE, start=None)
        kept = replace(kept, base=base)
    for folder in folders:
        train_without(folder, kept, held_out, sources, take_share(FOLD_STEPS, part))


def train_without(folder: Path, kept: Kept, held_out: HeldOut, sources: Sources, steps: int) -> None:
    """Trains a reader on from the base with the photos of `folder/others`, and writes the program's files to
    `folder/models`, calibrated there too."""
    others = folder / "others"
    rng = np.random.default_rng(SEED)
    photographed = (READER_SHARES["photos"], cut_patches(load_training_photos(others), rng))
    reader = train_reader(
        sources, photographed, folder / "reader.pt", steps=steps, seed=SEED, rate=RATE_ON, start=kept.base
    )
    finish(kept.finder, reader, held_out, others, folder, folder / "models", SEED, kept.weighed)


def read_alone(folder: Path) -> dict[str, Json]:
    """The figures of `folder/alone` as read by `folder/models`; and after two of its photos taught the set,
    where it is one set with photos enough."""
    alone, models = folder / "alone", folder / "models"
    result = {"figures": reading_accuracy.bench(alone, LEFT_OUT, models)}
    complete = [photo for photo in load_labelled(alone, LEFT_OUT) if photo.complete and photo.names]
    if folder.name not in NOT_TAUGHT and len(complete) >= TAUGHT + READ_MIN:
        try:
            result["taught"] = reading_accuracy.bench(alone, LEFT_OUT, models, TAUGHT)
        except InputError as problem:  # photos that teach no set: the other figures stand
            print(f"{folder.name}: {problem}")
    return result


def sum_designs(figures: dict[str, Json]) -> Json:
    """The figures of several designs as those of one split whose groups are the designs; what cannot be
    summed is left out."""
    confusions = Counter[tuple[str, str]]()
    for each in figures.values():
        confusions.update({(wanted, got): count for wanted, got, count in each["confusions"]})
    groups = {design: _keep_shares(each) for design, each in figures.items()}
    return {
        "role": Role.DEV, "taught": None, **_add(list(groups.values())), "groups": groups,
        "calibration_error": None, "outlines": {"tiles": 0},
        "confusions": [[*pair, count] for pair, count in confusions.most_common()],
    }  # fmt: skip


def _keep_shares(figures: Json) -> Json:
    return {
        name: value
        for name, value in figures.items()
        if name in ("photos", "faces", "backs") or (isinstance(value, dict) and "of" in value)
    }


def _add(parts: Sequence[Json]) -> Json:
    """The sums of numbers and shares that every part has."""
    result: Json = {}
    for name, first in parts[0].items():
        values = [part[name] for part in parts]
        if not isinstance(first, dict):
            result[name] = sum(values)
        elif "of" in first:
            result[name] = make_share(
                sum(value["right"] for value in values), sum(value["of"] for value in values)
            )
        else:
            result[name] = _add(values)
    return result


if __name__ == "__main__":
    main()
