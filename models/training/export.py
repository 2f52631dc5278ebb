"""Writes trained networks as ONNX with the manifest that the program checks them against."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import onnx
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.training.labels import LABELS
from models.training.nets import READER_PX, Finder, Reader

LICENCE = "MIT"
OPSET = 17
FEATURE_PLACES = 4  # along each side of a crop


class WithFeatures(nn.Module):
    """A reader that gives as well what its trunk sees, averaged to 4 × 4 places, (n, features): by it the
    program learns a set of tiles from a picture. Before the last stages: these see only what tells the kinds
    of the training pictures apart."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, crop: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        seen: list[Tensor] = []
        hook = self.reader.trunk.register_forward_hook(lambda _net, _given, answer: seen.append(answer))
        kinds, directions = self.reader(crop)
        hook.remove()
        places = functional.avg_pool2d(seen[-1], seen[-1].shape[-1] // FEATURE_PLACES)
        return kinds, directions, torch.flatten(places, 1)


def _write(
    net: nn.Module,
    example: torch.Tensor,
    path: Path,
    outputs: list[str],
    dynamic: dict[int, str],
    labels: tuple[str, ...],
) -> dict[str, object]:
    net.eval()
    torch.onnx.export(
        net,
        (example,),
        str(path),
        input_names=["picture"],
        output_names=outputs,
        opset_version=OPSET,
        dynamic_axes={"picture": dynamic, **{name: {0: "n"} for name in outputs if 0 in dynamic}},
        dynamo=False,
    )
    model = onnx.load(path)
    if labels:
        onnx.helper.set_model_props(model, {"labels": json.dumps(labels)})
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return {
        "file": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "licence": LICENCE,
    }


def export(finder: Finder, reader: Reader, folder: Path, temperature: float) -> None:
    """Writes finder.onnx, reader.onnx and manifest.json into `folder`."""
    finder_entry = _write(
        finder,
        torch.zeros(1, 416, 416, 3, dtype=torch.uint8),
        folder / "finder.onnx",
        ["maps"],
        {1: "height", 2: "width"},
        (),
    )
    reader_entry = _write(
        WithFeatures(reader),
        torch.zeros(2, READER_PX, READER_PX, 3, dtype=torch.uint8),
        folder / "reader.onnx",
        ["kinds", "directions", "features"],
        {0: "n"},
        LABELS,
    )
    manifest = {"version": 1, "finder": finder_entry, "reader": reader_entry, "temperature": temperature}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
