"""Makes the program's files of the weights of one or several rounds of `models.training`. The mean of several
readers reads strange sets better than any of them (Izmailov et al. 2018; Wortsman et al. 2022); the finder
is that of the first round, or with --finders the mean of theirs. A weigher is fitted to both, unless one is
kept.

python -m models.training.average --data TILE_DATA --out OUT FOLDER FOLDER…
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import torch
from torch import nn

from companion.errors import InputError
from models.training.arguments import require_files
from models.training.drawn import HeldOut, draw_held_out
from models.training.export import MANIFEST, WEIGHER
from models.training.finish import finish
from models.training.labels import LABELS
from models.training.nets import Finder, Reader
from models.training.training_run import load_weights

SEED = 37
Network = TypeVar("Network", bound=nn.Module)


def average_weights(network: Network, paths: Sequence[Path]) -> Network:
    """The network with the mean of the weights of the files, at least one. Raises InputError if a file
    does not hold such a network's."""
    states = []
    for path in paths:
        load_weights(network, path)
        states.append({key: value.clone() for key, value in network.state_dict().items()})
    mean = {
        key: torch.stack([state[key] for state in states]).mean(0) if first.is_floating_point() else first
        for key, first in states[0].items()
    }
    network.load_state_dict(mean)
    network.eval()
    return network


def main() -> None:
    """Averages, calibrates and writes the files."""
    parser = argparse.ArgumentParser(prog="python -m models.training.average", description=__doc__)
    parser.add_argument(
        "rounds", type=Path, nargs="+", help="folders with reader.pt, the first with finder.pt"
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with photos/ and crops/")
    parser.add_argument("--out", type=Path, required=True, help="where ONNX files, manifest and weights/ go")
    parser.add_argument("--work", type=Path, default=Path(".cache/averaged"), help="for files on the way")
    parser.add_argument(
        "--finders", action="store_true", help="average the finders too, instead of taking the first"
    )
    parser.add_argument(
        "--keep-weigher", type=Path, help="folder with the program's files whose weigher stays as it is"
    )
    options = parser.parse_args()
    finders = [folder / "finder.pt" for folder in options.rounds[: None if options.finders else 1]]
    require_files(parser, *(folder / "reader.pt" for folder in options.rounds), *finders)
    require_files(parser, options.data / "photos" / "train.json")
    if options.keep_weigher:
        require_files(parser, *(options.keep_weigher / name for name in (WEIGHER, MANIFEST)))
    options.work.mkdir(parents=True, exist_ok=True)
    try:
        finder = average_weights(Finder(), finders)
        reader = average_weights(Reader(len(LABELS)), [folder / "reader.pt" for folder in options.rounds])
        kept = options.keep_weigher
        held_out = HeldOut([], []) if kept else draw_held_out(options.data, 1.0, SEED)
        finish(finder, reader, held_out, options.data, options.work, options.out, SEED, kept)
    except InputError as problem:
        parser.error(str(problem))


if __name__ == "__main__":
    main()
