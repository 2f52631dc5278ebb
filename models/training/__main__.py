"""`python -m models.training --data DIR`: from labelled pictures and drawn tables to the ONNX
files; `--start models/weights` goes on from the weights they were made of. Stopped, it goes on
where it was when it is called again."""

from __future__ import annotations

import argparse
import pickle
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from companion.art.glyphs import list_missing_fonts
from companion.art.pictured import BIRDS_FOLDER
from companion.errors import InputError
from companion.files import write_whole
from models.training.arguments import at_least, require_any, require_files
from models.training.finish import TILES_A_SCENE, finish
from models.training.labels import LABELS
from models.training.mining import mine_false_finds
from models.training.nets import Finder, Reader
from models.training.pictures import load_empty_pictures, load_photos, render_scenes
from models.training.reader_data import cut_patches, load_cut_outs
from models.training.train_finder import train_finder
from models.training.train_reader import train_reader
from models.training.training_run import UNUSABLE, load_weights

Made = TypeVar("Made")
MODELS = Path(__file__).resolve().parent.parent
SEED = 7
STYLES, SCENES = 3200, 4800
FINDER_STEPS, READER_STEPS = 7000, 24000
RATE, RATE_ON = 2e-3, 1.3e-3  # of learning, from nothing and from weights to start from
THINGS_SCENES = 1500  # drawn tables without tiles
MINED_SCENES = 600  # drawn tables in which the finder's false finds are looked for, besides all without tiles
# Kinds that differ most from set to set: more designs of these alone.
HARD_CODES = ("1s", "2m", "3m", "3z", "5z", "6z", "7z", *(f"{number}f" for number in range(1, 9)))
HARD_STYLES, HARD_SCENES = 2400, 1600
MINED_TIMES = 2  # how often the finder's own false finds count among the crops of "none"
# How often each source is looked at.
FINDER_SHARES = {"scenes": 0.60, "photos": 0.20, "empty": 0.10, "things": 0.10}
READER_SHARES = {"scenes": 0.70, "crops": 0.10, "photos": 0.20}


def main() -> None:
    """Trains what is asked for, keeps what it has so far in --work and writes the ONNX files and manifest to
    --out."""
    parser = argparse.ArgumentParser(prog="python -m models.training", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with photos/, crops/, art/, backgrounds/"
    )
    parser.add_argument("--out", type=Path, default=MODELS, help="where ONNX files, manifest and weights/ go")
    parser.add_argument(
        "--work", type=Path, default=Path(".cache/training"), help="where a stopped run is kept"
    )
    parser.add_argument(
        "--share", type=float, default=1.0, help="share of the full number of steps and tables to learn from"
    )
    parser.add_argument("--start", type=Path, help="folder with finder.pt and reader.pt to go on from")
    parser.add_argument(
        "--seed", type=at_least(0), default=SEED, help="one ten or more away draws other tables"
    )
    options = parser.parse_args()
    needed = [options.data / "photos" / "train.json", options.data / "crops" / "labels.csv"]
    if options.start:
        needed += [options.start / "finder.pt", options.start / "reader.pt"]
    require_files(parser, *needed)
    require_any(parser, options.data / "backgrounds", "*/*.jpg")
    require_any(parser, options.data / "art", "*/png/*.png")
    require_any(parser, BIRDS_FOLDER, "*.png")
    if lacking := list_missing_fonts():
        parser.error(f"these fonts are not installed (companion/art/LICENCES.md): {', '.join(lacking)}")
    for folder in (options.work, options.out):
        folder.mkdir(parents=True, exist_ok=True)
    options_given = {name: str(getattr(options, name)) for name in ("data", "share", "start", "seed")}
    try:
        if options.start:  # before anything is kept of what was asked for
            load_weights(Finder(), options.start / "finder.pt")
            load_weights(Reader(len(LABELS)), options.start / "reader.pt")
        if make_once(options.work / "asked.pkl", lambda: options_given) != options_given:
            parser.error(f"'{options.work}' holds a training with other options: name another --work")
        train(options.data, options.work, options.out, options.share, options.start, options.seed)
    except InputError as problem:
        parser.error(str(problem))


def train(data: Path, work: Path, out: Path, part: float, start: Path | None, seed: int) -> None:
    """Trains both networks, calibrates them and writes them to `out`; `part` is the share of steps and of
    tables to learn from. Raises InputError for damaged files of a stopped training."""
    began = time.monotonic()

    def share(number: int) -> int:
        return max(4, round(number * part))

    photographed, empty = load_photos(data, "train"), load_empty_pictures(data)
    tables = make_once(work / "tables.pkl", lambda: render_scenes(data, share(STYLES), share(SCENES), seed))
    things = make_once(
        work / "things.pkl", lambda: render_scenes(data, 4, share(THINGS_SCENES), seed + 3, tileless=True)
    )
    groups = {"scenes": tables, "photos": photographed, "empty": empty, "things": things}
    weights = np.concatenate(
        [np.full(len(group), FINDER_SHARES[name] / len(group)) for name, group in groups.items()]
    )
    finder = train_finder(
        [picture.for_finder for group in groups.values() for picture in group],
        weights,
        work / "finder.pt",
        steps=share(FINDER_STEPS),
        start=start and start / "finder.pt",
        seed=seed,
        rate=RATE_ON if start else RATE,
    )
    rng = np.random.default_rng(seed)
    hard = make_once(
        work / "hard.pkl",
        lambda: render_scenes(data, share(HARD_STYLES), share(HARD_SCENES), seed + 1, codes=HARD_CODES),
    )
    drawn = cut_patches(tables + hard, rng, TILES_A_SCENE) + cut_patches([*empty, *things], rng)
    lures = mine_false_finds(finder, [*empty, *things, *tables[: share(MINED_SCENES)]])
    reader = train_reader(
        [
            (READER_SHARES["scenes"], drawn + lures * MINED_TIMES),
            (READER_SHARES["crops"], load_cut_outs(data)),
        ],
        (READER_SHARES["photos"], cut_patches(photographed, rng)),
        work / "reader.pt",
        steps=share(READER_STEPS),
        start=start and start / "reader.pt",
        seed=seed,
        rate=RATE_ON if start else RATE,
    )
    finish(finder, reader, data, work, out, seed)
    print(f"trained and written to {out}; this run took {(time.monotonic() - began) / 60:.0f} minutes")


def make_once(path: Path, make: Callable[[], Made]) -> Made:
    """What `make` returns, or returned in the run that was stopped. Raises InputError for a damaged file."""
    if not path.exists():
        write_whole(path, pickle.dumps(make()))
    content = path.read_bytes()
    try:
        made: Made = pickle.loads(content)
    except Exception as error:  # pickle raises whatever damage makes it run into
        raise InputError(UNUSABLE, path=path) from error
    return made


if __name__ == "__main__":
    main()
