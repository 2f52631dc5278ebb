"""`python -m models.training --data DIR`: one round of learning, from labelled pictures and drawn tables to
finder.pt and reader.pt, of which `models.training.average` makes the program's files. `--start
models/weights` goes on from the weights of these files, and with `--refine-reader` trains the reader alone.
Stopped, it goes on where it was when it is called again."""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.errors import InputError
from companion.tiles import BACK
from models.training.arguments import at_least, require_any, require_drawings, require_files
from models.training.drawn import (
    READER_SHARES,
    DrawnPictures,
    draw_pictures,
    list_reader_sources,
    take_share,
)
from models.training.labels import LABELS
from models.training.nets import Finder, Reader
from models.training.pictures import LabelledPicture, load_training_photos
from models.training.reader_data import Patch, cut_patches
from models.training.train_finder import train_finder
from models.training.train_reader import train_reader
from models.training.training_run import load_weights, make_once

SEED = 7
FINDER_STEPS, READER_STEPS = 7000, 24000
# Of learning: from nothing, from weights to start from, and of a reader alone.
RATE, RATE_ON, RATE_REFINED = 2e-3, 1.3e-3, 5e-4
# How often the finder sees each source.
FINDER_SHARES = {
    "scenes": 0.52, "photos": 0.16, "photos with backs": 0.08, "empty": 0.12, "things": 0.08, "prints": 0.04,
}  # fmt: skip


def main() -> None:
    """Trains what is asked for; what it has so far, and the weights at the end, lie in --work."""
    parser = argparse.ArgumentParser(prog="python -m models.training", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with photos/, crops/, art/, backgrounds/"
    )
    parser.add_argument(
        "--work", type=Path, default=Path(".cache/training"), help="where weights and a stopped run are kept"
    )
    parser.add_argument(
        "--share", type=float, default=1.0, help="share of the full number of steps and tables to learn from"
    )
    parser.add_argument("--start", type=Path, help="folder with finder.pt and reader.pt to go on from")
    parser.add_argument(
        "--refine-reader",
        action="store_true",
        help="go on with the reader alone, more slowly, and keep the finder of --start",
    )
    parser.add_argument(
        "--seed", type=at_least(0), default=SEED, help="one ten or more away draws other tables"
    )
    options = parser.parse_args()
    if options.refine_reader and not options.start:
        parser.error("--refine-reader needs --start")
    needed = [options.data / "photos" / "train.json", options.data / "crops" / "labels.csv"]
    if options.start:
        needed += [options.start / "finder.pt", options.start / "reader.pt"]
    require_files(parser, *needed)
    require_any(parser, options.data / "backgrounds", "*/*.jpg")
    require_any(parser, options.data / "art", "*/png/*.png")
    require_drawings(parser)
    options.work.mkdir(parents=True, exist_ok=True)
    asked = ("data", "share", "start", "refine_reader", "seed")
    options_given = {name: str(getattr(options, name)) for name in asked}
    try:
        if options.start:  # before anything is kept of what was asked for
            load_weights(Finder(), options.start / "finder.pt")
            load_weights(Reader(len(LABELS)), options.start / "reader.pt")
        if make_once(options.work / "asked.pkl", lambda: options_given) != options_given:
            parser.error(f"'{options.work}' holds a training with other options: name another --work")
        began = time.monotonic()
        course = Course(
            options.data, options.work, options.share, options.start, options.refine_reader, options.seed
        )
        train(course)
        minutes = (time.monotonic() - began) / 60
        print(f"trained: the weights are in {options.work}; this run took {minutes:.0f} minutes")
    except InputError as problem:
        parser.error(str(problem))


@dataclass(frozen=True, slots=True)
class Course:
    """What a training was asked for. part: the share of steps and of tables to learn from; start: the folder
    of weights to go on from; refine_reader: whether the finder stays as it is there."""

    data: Path
    work: Path
    part: float
    start: Path | None
    refine_reader: bool
    seed: int


def train(course: Course) -> None:
    """Trains the networks, whose weights lie in `course.work` then. Raises InputError for damaged files of a
    stopped training."""
    photographed = load_training_photos(course.data)
    drawn = draw_pictures(course.data, course.work, course.part, course.seed)
    if course.start and course.refine_reader:
        finder, rate = Finder(), RATE_REFINED
        load_weights(finder, course.start / "finder.pt")
        finder.eval()
    else:
        rate = RATE_ON if course.start else RATE
        finder = _train_finder(photographed, drawn, course, rate)

    def cut() -> tuple[list[tuple[float, list[Patch]]], list[Patch]]:
        rng = np.random.default_rng(course.seed)
        drawn_patches = list_reader_sources(drawn, finder, course.data, course.part, rng)
        return drawn_patches, cut_patches(photographed, rng)

    drawn_patches, photo_patches = make_once(course.work / "patches.pkl", cut)
    train_reader(
        drawn_patches,
        (READER_SHARES["photos"], photo_patches),
        course.work / "reader.pt",
        steps=take_share(READER_STEPS, course.part),
        start=course.start and course.start / "reader.pt",
        seed=course.seed,
        rate=rate,
    )


def _train_finder(
    photographed: list[LabelledPicture], drawn: DrawnPictures, course: Course, rate: float
) -> Finder:
    groups = {
        "scenes": drawn.tables,
        "photos": [photo for photo in photographed if BACK not in photo.codes],
        "photos with backs": [photo for photo in photographed if BACK in photo.codes],
        "empty": drawn.empty,
        "things": drawn.things,
        "prints": drawn.prints,
    }
    weights = np.concatenate(
        [np.full(len(group), FINDER_SHARES[name] / max(1, len(group))) for name, group in groups.items()]
    )
    return train_finder(
        [picture.for_finder for group in groups.values() for picture in group],
        weights,
        course.work / "finder.pt",
        steps=take_share(FINDER_STEPS, course.part),
        start=course.start and course.start / "finder.pt",
        seed=course.seed,
        rate=rate,
    )


if __name__ == "__main__":
    main()
