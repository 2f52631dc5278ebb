"""Writes trained networks as ONNX with the manifest that the program checks them against."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import msgspec
import onnx
import torch
from torch import Tensor, nn
from torch.nn import functional

from companion.vision.deciding import EVIDENCE_SIZES
from companion.vision.networks import MANIFEST_VERSION, READER_PX, Manifest, ModelEntry
from models.training.labels import LABELS
from models.training.nets import Finder, MeanWeigher, Reader

FINDER, READER, WEIGHER, MANIFEST = "finder.onnx", "reader.onnx", "weigher.onnx", "manifest.json"
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


def _write_network(
    net: nn.Module,
    example: tuple[Tensor, ...],
    path: Path,
    inputs: list[str],
    outputs: list[str],
    dynamic: dict[int, str],
    labels: tuple[str, ...] = (),
) -> None:
    net.eval()
    torch.onnx.export(
        net,
        example,
        str(path),
        input_names=inputs,
        output_names=outputs,
        opset_version=OPSET,
        dynamic_axes={
            **dict.fromkeys(inputs, dynamic),
            **{name: {0: "n"} for name in outputs if 0 in dynamic},
        },
        dynamo=False,
    )
    model = onnx.load(path)
    if labels:
        onnx.helper.set_model_props(model, {"labels": json.dumps(labels)})
    onnx.checker.check_model(model)
    onnx.save(model, path)


def export_finder(finder: Finder, folder: Path) -> None:
    """Writes finder.onnx into `folder`."""
    _write_network(
        finder,
        (torch.zeros(1, 416, 416, 3, dtype=torch.uint8),),
        folder / FINDER,
        ["picture"],
        ["maps"],
        {1: "height", 2: "width"},
    )


def export_reader(reader: Reader, folder: Path) -> None:
    """Writes reader.onnx into `folder`."""
    _write_network(
        WithFeatures(reader),
        (torch.zeros(2, READER_PX, READER_PX, 3, dtype=torch.uint8),),
        folder / READER,
        ["picture"],
        ["kinds", "directions", "features"],
        {0: "n"},
        LABELS,
    )


def export_weigher(weigher: MeanWeigher, folder: Path) -> None:
    """Writes weigher.onnx into `folder`."""
    own, neighbours, relations = EVIDENCE_SIZES
    pairs = (2, neighbours)
    example = (
        torch.zeros(2, own),
        torch.zeros(pairs, dtype=torch.int64),
        torch.ones(pairs),
        torch.zeros(*pairs, relations),
    )
    inputs = ["own", "neighbours", "present", "relations"]
    _write_network(weigher, example, folder / WEIGHER, inputs, ["odds"], {0: "n"})


def write_weights(finder: Finder, reader: Reader, folder: Path) -> None:
    """Writes finder.pt and reader.pt into `folder`, to go on from: in half precision, half as large."""
    folder.mkdir(parents=True, exist_ok=True)
    for net, name in ((finder, "finder.pt"), (reader, "reader.pt")):
        weights = net.state_dict().items()
        torch.save({key: w.half() if w.is_floating_point() else w for key, w in weights}, folder / name)


def write_manifest(folder: Path, temperature: float) -> None:
    """Writes the manifest.json of the three files in `folder`."""
    finder, reader, weigher = (describe_model(folder / name) for name in (FINDER, READER, WEIGHER))
    manifest = Manifest(MANIFEST_VERSION, finder, reader, weigher, temperature)
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=2).decode()
    (folder / MANIFEST).write_text(text + "\n")


def describe_model(path: Path) -> ModelEntry:
    """The manifest's entry for a file."""
    return ModelEntry(path.name, hashlib.sha256(path.read_bytes()).hexdigest(), LICENCE)
