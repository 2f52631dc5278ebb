"""ONNX Runtime with its usage reports switched off. The import contract: no other module imports onnxruntime.

Its published builds send reports by default. The variable is read once, when the library is loaded, and keeps
it from making a device id, a queue of reports and an uploader. The function alone comes too late for that.
The library is loaded with the first network: the window's first screen needs none.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import onnxruntime as onnxruntime

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # whatever it was before; processes started from here inherit it


@cache
def load_runtime() -> Any:
    """onnxruntime, loaded now if it is not yet."""
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    return onnxruntime


def load_quantisation_tools() -> Any:
    """The tools that store a network in 8 bits. Raises ImportError without the package onnx."""
    load_runtime()
    from onnxruntime import quantization as tools

    return tools
