"""Averages the weights of several rounds' readers, which reads strange sets better than any of them (Izmailov
et al. 2018; Wortsman et al. 2022); the finder is that of the first.

python -m models.training.average --data TILE_DATA --out OUT FOLDER FOLDER…
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch

from companion.errors import InputError
from models.training.arguments import require_files
from models.training.drawn import draw_held_out
from models.training.finish import finish
from models.training.labels import LABELS
from models.training.nets import Finder, Reader
from models.training.training_run import load_weights

SEED = 37


def average_readers(paths: Sequence[Path]) -> Reader:
    """The reader whose weights are the mean of those of the files, at least one. Raises InputError where a
    file does not hold a reader's."""
    readers = [Reader(len(LABELS)) for _ in paths]
    for reader, path in zip(readers, paths, strict=True):
        load_weights(reader, path)
    states = [reader.state_dict() for reader in readers]
    mean = {
        key: torch.stack([state[key] for state in states]).mean(0) if first.is_floating_point() else first
        for key, first in states[0].items()
    }
    reader = readers[0]
    reader.load_state_dict(mean)
    reader.eval()
    return reader


def main() -> None:
    """Averages, calibrates and writes the files."""
    parser = argparse.ArgumentParser(prog="python -m models.training.average", description=__doc__)
    parser.add_argument(
        "rounds", type=Path, nargs="+", help="folders with reader.pt, the first with finder.pt"
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with photos/ and crops/")
    parser.add_argument("--out", type=Path, required=True, help="where ONNX files, manifest and weights/ go")
    parser.add_argument("--work", type=Path, default=Path(".cache/averaged"), help="for files on the way")
    options = parser.parse_args()
    require_files(
        parser, *(folder / "reader.pt" for folder in options.rounds), options.rounds[0] / "finder.pt"
    )
    require_files(parser, options.data / "photos" / "train.json")
    options.work.mkdir(parents=True, exist_ok=True)
    try:
        finder = Finder()
        load_weights(finder, options.rounds[0] / "finder.pt")
        reader = average_readers([folder / "reader.pt" for folder in options.rounds])
    except InputError as problem:
        parser.error(str(problem))
    held_out = draw_held_out(options.data, 1.0, SEED)
    finish(finder.eval(), reader, held_out, options.data, options.work, options.out, SEED)


if __name__ == "__main__":
    main()
