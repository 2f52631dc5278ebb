"""Makes trained networks the program's files: in 8 bits, calibrated on held-out tables, written whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from companion.files import write_whole
from companion.vision.recogniser import Recogniser
from models.training.calibrate import fit_temperature, fit_trust
from models.training.export import MANIFEST, export, write_manifest, write_weights
from models.training.nets import Finder, Reader
from models.training.pictures import render_scenes
from models.training.quantise import quantise_networks
from models.training.reader_data import cut_patches

TILES_A_SCENE = 12
# For the temperature and the trust, drawn with seeds of their own.
STYLES, SCENES, THINGS = 100, 450, 180


def finish(finder: Finder, reader: Reader, data: Path, work: Path, out: Path, seed: int) -> None:
    """Writes the ONNX files, the manifest and weights/ to `out`, all at the end, and files on the way to
    `work`.

    data: folder with photos/, crops/, art/, backgrounds/. The same seed draws the same tables.
    """
    rng = np.random.default_rng(seed)
    held_out = render_scenes(data, STYLES, SCENES, seed + 2)
    export(finder, reader, work)
    ready = work / "ready"
    ready.mkdir(exist_ok=True)
    quantise_networks(data, work, ready)
    write_manifest(ready)
    temperature = fit_temperature(Recogniser(ready).reader, cut_patches(held_out, rng, TILES_A_SCENE), seed)
    write_manifest(ready, temperature)
    held_out += render_scenes(data, 4, THINGS, seed + 5, tileless=True)
    write_manifest(ready, temperature, fit_trust(Recogniser(ready), held_out, seed))
    write_weights(finder, reader, ready / "weights")
    for made in (*sorted(ready.glob("*/*.pt")), *sorted(ready.glob("*.onnx")), ready / MANIFEST):
        write_whole(out / made.relative_to(ready), made.read_bytes())
