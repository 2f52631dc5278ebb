"""Makes trained networks the program's files: in 8 bits, with the temperature and the weigher that go with
them, fitted on held-out tables, written whole."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.files import write_whole
from companion.vision import networks
from models.training.calibrate import fit_temperature
from models.training.drawn import TILES_A_SCENE, HeldOut
from models.training.export import (
    FINDER,
    MANIFEST,
    READER,
    WEIGHER,
    describe_model,
    export_finder,
    export_reader,
    export_weigher,
    write_manifest,
    write_weights,
)
from models.training.in_parts import JOBS, work_in_parts
from models.training.nets import Finder, Reader
from models.training.pictures import LabelledPicture, load_empty_pictures, load_training_photos
from models.training.quantise import quantise_networks
from models.training.reader_data import cut_patches
from models.training.train_weigher import train_weighers
from models.training.weigher_data import WeigherSample, gather_samples

# Pictures of each kind in a batch of the weigher's.
DRAWN, BARE, PHOTOS, EMPTY = 12, 5, 4, 3


def finish(
    finder: Finder,
    reader: Reader,
    held_out: HeldOut,
    data: Path,
    work: Path,
    out: Path,
    seed: int,
    weighed: Path | None = None,
) -> None:
    """Writes the ONNX files, the manifest and weights/ to `out`, all at the end, and files on the way to
    `work`.

    data: folder with photos/, crops/, art/, backgrounds/, whose photos the weigher learns from too. weighed:
    folder of the program's files whose weigher is kept, and the temperature that it was fitted at.
    """
    rng = np.random.default_rng(seed)
    export_finder(finder, work)
    export_reader(reader, work)
    ready = work / "ready"
    ready.mkdir(exist_ok=True)
    quantise_networks(data, work, ready)
    if weighed:
        temperature = networks.load_manifest(weighed).temperature
        shutil.copy(weighed / WEIGHER, ready)
    else:
        unscaled = networks.Reader.load(ready, describe_model(ready / READER), 1.0)
        temperature = fit_temperature(unscaled, cut_patches(held_out.tables, rng, TILES_A_SCENE), seed)
        _fit_weigher(ready, temperature, held_out, data, seed)
    write_manifest(ready, temperature)
    write_weights(finder, reader, ready / "weights")
    for made in (*sorted(ready.glob("*/*.pt")), *sorted(ready.glob("*.onnx")), ready / MANIFEST):
        write_whole(out / made.relative_to(ready), made.read_bytes())


def _fit_weigher(ready: Path, temperature: float, held_out: HeldOut, data: Path, seed: int) -> None:
    photos = [photo for photo in load_training_photos(data) if photo.for_finder.complete]
    groups = [
        (DRAWN, _gather(ready, temperature, held_out.tables, seed)),
        (BARE, _gather(ready, temperature, held_out.bare)),
        (PHOTOS, _gather(ready, temperature, photos)),
        (EMPTY, _gather(ready, temperature, load_empty_pictures(data))),
    ]
    export_weigher(train_weighers(groups, seed), ready)


def _gather(
    ready: Path, temperature: float, pictures: Sequence[LabelledPicture], relit: int | None = None
) -> list[WeigherSample]:
    parts = [
        (ready, temperature, pictures[k::JOBS], None if relit is None else relit * JOBS + k)
        for k in range(JOBS)
    ]
    return [sample for part in work_in_parts(_gather_part, parts) for sample in part]


def _gather_part(
    ready: Path, temperature: float, pictures: Sequence[LabelledPicture], relit: int | None
) -> list[WeigherSample]:
    cv2.setNumThreads(1)
    finds = networks.Finder.load(ready, describe_model(ready / FINDER), 1)
    reads = networks.Reader.load(ready, describe_model(ready / READER), temperature, 1)
    return gather_samples(finds, reads, pictures, relit=relit)
