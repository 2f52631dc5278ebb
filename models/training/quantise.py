"""The two networks in 8 bits: a third of the bytes, and on most processors half of the time.

Weights get one scale a channel, activations one a tensor, fixed in advance from drawn tables (static QDQ of
onnxruntime). What is cheap and decides most stays in float: the first convolutions and the last ones.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray

from companion.vision.candidates import straighten_quad
from companion.vision.networks import READER_PX
from companion.vision.onnx_runtime import load_quantisation_tools
from models.training.export import FINDER, READER
from models.training.image_files import decode_image, shrink_for_finder
from models.training.pictures import LabelledPicture, render_scenes

SEED, STYLES, SCENES = 23, 40, 48
CROPS_A_SCENE = 6
# Kept in float: nodes by the beginning of their names.
FLOAT = {
    FINDER: ("/stem/", "/out/"),
    READER: ("/reader/trunk/trunk.0/trunk.0.0/", "/reader/kind/kind.4/", "/reader/direction/direction.3/"),
}
TOOLS = load_quantisation_tools()
CALIBRATION_READER: type[Any] = TOOLS.CalibrationDataReader
QUANTISED = ["Conv", "Add", "Resize", "GlobalAveragePool", "Relu"]


class _Pictures(CALIBRATION_READER):
    """Gives the network of a session one input after the other."""

    def __init__(self, inputs: Iterable[NDArray[np.uint8]]) -> None:
        self._inputs = iter(inputs)

    def get_next(self) -> dict[str, NDArray[np.uint8]] | None:
        given = next(self._inputs, None)
        return None if given is None else {"picture": given}


def gather_inputs(tables: list[LabelledPicture]) -> dict[str, list[NDArray[np.uint8]]]:
    """What each network is shown: whole tables, and crops of their tiles in any direction."""
    rng = np.random.default_rng(SEED)
    whole, crops = [], []
    for table in tables:
        picture = decode_image(table.for_finder.jpeg)
        whole.append(shrink_for_finder(picture)[None])
        quads = table.for_finder.quads
        for at in rng.permutation(len(quads))[:CROPS_A_SCENE]:
            crop = straighten_quad(picture, quads[at].astype(np.float32), READER_PX)
            crops.append(np.rot90(crop, int(rng.integers(4)))[None])
    return {FINDER: whole, READER: crops}


def quantise(source: Path, target: Path, inputs: Iterable[NDArray[np.uint8]]) -> None:
    """Writes the network `source` in 8 bits to `target`; its inputs, outputs and metadata stay."""
    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / source.name
        TOOLS.quant_pre_process(source, prepared, skip_symbolic_shape=True)
        names = [node.name for node in onnx.load(prepared).graph.node]
        settings: dict[str, Any] = {
            "activation_type": TOOLS.QuantType.QUInt8,
            "weight_type": TOOLS.QuantType.QInt8,
            "per_channel": True,
            "reduce_range": True,  # processors without VNNI add up products in 16 bits
            "op_types_to_quantize": QUANTISED,
            "calibrate_method": TOOLS.CalibrationMethod.MinMax,
            "nodes_to_exclude": [name for name in names if name.startswith(FLOAT[source.name])],
        }
        qdq = TOOLS.QuantFormat.QDQ
        TOOLS.quantize_static(prepared, target, _Pictures(inputs), quant_format=qdq, **settings)
    model = onnx.load(target)
    used = {node.domain for node in model.graph.node}
    kept = [each for each in model.opset_import if each.domain in used]
    del model.opset_import[:]
    model.opset_import.extend(kept)
    onnx.checker.check_model(model)
    onnx.save(model, target)


def quantise_networks(data: Path, source: Path, out: Path) -> None:
    """Writes both networks of the folder `source` in 8 bits to `out`."""
    inputs = gather_inputs(render_scenes(data, STYLES, SCENES, SEED))
    for name in (FINDER, READER):
        quantise(source / name, out / name, inputs[name])
