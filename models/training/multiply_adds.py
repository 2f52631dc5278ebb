"""How many multiply-adds the finder takes for a megapixel, and the reader for a crop: what a slow processor's
time goes to. `python -m models.training.multiply_adds` prints both.
"""

from __future__ import annotations

import math
from pathlib import Path

import onnx

from companion.config import models_dir
from companion.vision.networks import READER_PX
from models.training.export import FINDER, READER

MEGAPIXEL = 1024


def count_multiply_adds(path: Path, side_px: int) -> int:
    """Those of a network's convolutions and matrix products for one square picture of that side."""
    model = onnx.load(path)
    for size, given in zip(
        model.graph.input[0].type.tensor_type.shape.dim, (1, side_px, side_px, 3), strict=True
    ):
        size.dim_value = given
    graph = onnx.shape_inference.infer_shapes(model, data_prop=True).graph
    shapes = {
        each.name: [size.dim_value for size in each.type.tensor_type.shape.dim]
        for each in (*graph.value_info, *graph.output)
    }
    weights = {each.name: list(each.dims) for each in graph.initializer}
    makers = {name: node for node in graph.node for name in node.output}

    def weight_shape(name: str) -> list[int]:
        while name not in weights:  # behind the step that makes floats of 8 bits
            name = makers[name].input[0]
        return weights[name]

    total = 0
    for node in graph.node:
        if node.op_type == "Conv":
            total += math.prod(shapes[node.output[0]]) * math.prod(weight_shape(node.input[1])[1:])
        elif node.op_type in ("Gemm", "MatMul"):
            total += math.prod(weight_shape(node.input[1]))
    return total


if __name__ == "__main__":
    print(
        f"finder, for a megapixel: {count_multiply_adds(models_dir() / FINDER, MEGAPIXEL) / 1e9:.2f} billion"
    )
    print(f"reader, for a crop: {count_multiply_adds(models_dir() / READER, READER_PX) / 1e9:.4f} billion")
