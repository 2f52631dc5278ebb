"""A network of the size and build of YOLO11n with random weights: its time is what ours is held against.

Written as ONNX with the `onnx` package, which the program itself does not need; about 2.6 million weights and
6.4 billion operations at 640 px, as its makers publish for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

SIDE_PX = 640
CLASSES, BOX_BINS = 80, 16
OPSET = 18


class _Graph:
    """Collects nodes and weights; every method takes and gives names of tensors."""

    def __init__(self) -> None:
        from onnx import helper, numpy_helper

        self._node, self._tensor = helper.make_node, numpy_helper.from_array
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        self.channels = {"picture": 3}
        self._rng = np.random.default_rng(0)

    def add(self, kind: str, inputs: list[str], channels: int, **attributes: Any) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(self._node(kind, inputs, [name], **attributes))
        self.channels[name] = channels
        return name

    def constant(self, values: Any) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(self._tensor(np.asarray(values), name))
        return name

    def plain(self, x: str, out: int, size: int = 1, stride: int = 1, groups: int = 1) -> str:
        """A convolution with its bias."""
        inputs = self.channels[x] // groups
        scale = 1 / np.sqrt(inputs * size * size)
        weight = self._rng.normal(0, scale, (out, inputs, size, size)).astype(np.float32)
        names = [x, self.constant(weight), self.constant(np.zeros(out, np.float32))]
        return self.add("Conv", names, out, strides=[stride] * 2, pads=[size // 2] * 4, group=groups)

    def conv(self, x: str, out: int, size: int = 1, stride: int = 1, groups: int = 1) -> str:
        """A convolution (its batch norm folded in) and SiLU."""
        y = self.plain(x, out, size, stride, groups)
        return self.add("Mul", [y, self.add("Sigmoid", [y], out)], out)

    def plus(self, one: str, other: str) -> str:
        return self.add("Add", [one, other], self.channels[one])

    def together(self, parts: list[str]) -> str:
        return self.add("Concat", parts, sum(self.channels[part] for part in parts), axis=1)

    def halves(self, x: str) -> tuple[str, str]:
        half = self.channels[x] // 2
        first, second = f"t{len(self.nodes)}a", f"t{len(self.nodes)}b"
        self.nodes.append(self._node("Split", [x], [first, second], axis=1, num_outputs=2))
        self.channels[first] = self.channels[second] = half
        return first, second

    def double_size(self, x: str) -> str:
        scales = self.constant(np.array([1, 1, 2, 2], np.float32))
        return self.add("Resize", [x, "", scales], self.channels[x], mode="nearest")

    def bottleneck(self, x: str, hidden: float = 0.5) -> str:
        width = self.channels[x]
        return self.plus(x, self.conv(self.conv(x, int(width * hidden), 3), width, 3))

    def c3k(self, x: str, out: int) -> str:
        one, other = self.conv(x, out // 2), self.conv(x, out // 2)
        for _ in range(2):
            one = self.bottleneck(one, 1.0)
        return self.conv(self.together([one, other]), out)

    def c3k2(self, x: str, out: int, inner: bool, share: float = 0.5) -> str:
        width = int(out * share)
        first, second = self.halves(self.conv(x, 2 * width))
        third = self.c3k(second, width) if inner else self.bottleneck(second)
        return self.conv(self.together([first, second, third]), out)

    def sppf(self, x: str) -> str:
        width = self.channels[x]
        parts = [self.conv(x, width // 2)]
        for _ in range(3):
            pooled = self.add(
                "MaxPool", [parts[-1]], width // 2, kernel_shape=[5, 5], pads=[2] * 4, strides=[1, 1]
            )
            parts.append(pooled)
        return self.conv(self.together(parts), width)

    def attention(self, x: str, side: int, heads: int) -> str:
        """Self attention among side² places, with its positions and feed-forward part."""
        width = self.channels[x]
        head, key = width // heads, width // heads // 2
        places = side * side
        qkv = self.plain(x, heads * (2 * key + head))
        shape = self.constant(np.array([1, heads, 2 * key + head, places], np.int64))
        flat = self.add("Reshape", [qkv, shape], 0)
        ends = np.cumsum([0, key, key, head])
        axis = self.constant(np.array([2], np.int64))
        query, keys, values = (
            self.add(
                "Slice", [flat, self.constant(ends[i : i + 1]), self.constant(ends[i + 1 : i + 2]), axis], 0
            )
            for i in range(3)
        )
        turned = self.add("Transpose", [query], 0, perm=[0, 1, 3, 2])
        weights = self.add("Softmax", [self.add("MatMul", [turned, keys], 0)], 0, axis=-1)
        across = self.add("Transpose", [weights], 0, perm=[0, 1, 3, 2])
        mixed = self.add("MatMul", [values, across], 0)
        whole = self.constant(np.array([1, width, side, side], np.int64))
        seen = self.add("Reshape", [mixed, whole], width)
        place = self.plain(self.add("Reshape", [values, whole], width), width, 3, groups=width)
        x = self.plus(x, self.plain(self.plus(seen, place), width))
        return self.plus(x, self.plain(self.conv(x, 2 * width), width))

    def c2psa(self, x: str, side: int) -> str:
        width = self.channels[x]
        first, second = self.halves(self.conv(x, width))
        return self.conv(self.together([first, self.attention(second, side, width // 128)]), width)

    def head(self, x: str) -> str:
        boxes = self.plain(self.conv(self.conv(x, 64, 3), 64, 3), 4 * BOX_BINS)
        y = x
        for _ in range(2):
            y = self.conv(self.conv(y, self.channels[y], 3, groups=self.channels[y]), CLASSES)
        return self.together([boxes, self.plain(y, CLASSES)])


def yolo_sized() -> bytes:
    """The network as an ONNX file: (1, 3, 640, 640) float32 → three maps. Raises ImportError without onnx."""
    from onnx import TensorProto, helper

    g = _Graph()
    x = g.conv(g.conv("picture", 16, 3, 2), 32, 3, 2)
    x = g.conv(g.c3k2(x, 64, False, 0.25), 64, 3, 2)
    eighth = g.c3k2(x, 128, False, 0.25)
    sixteenth = g.c3k2(g.conv(eighth, 128, 3, 2), 128, True)
    last = g.sppf(g.c3k2(g.conv(sixteenth, 256, 3, 2), 256, True))
    last = g.c2psa(last, SIDE_PX // 32)
    middle = g.c3k2(g.together([g.double_size(last), sixteenth]), 128, False)
    fine = g.c3k2(g.together([g.double_size(middle), eighth]), 64, False)
    middle = g.c3k2(g.together([g.conv(fine, 64, 3, 2), middle]), 128, False)
    coarse = g.c3k2(g.together([g.conv(middle, 128, 3, 2), last]), 256, True)
    maps = [g.head(level) for level in (fine, middle, coarse)]
    picture = helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, SIDE_PX, SIDE_PX])
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, g.channels[name], side, side])
        for name, side in zip(maps, (SIDE_PX // 8, SIDE_PX // 16, SIDE_PX // 32), strict=True)
    ]
    graph = helper.make_graph(g.nodes, "yolo_sized", [picture], outputs, g.weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
    return bytes(model.SerializeToString())
