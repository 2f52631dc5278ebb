"""onnxruntime is imported in one place, which switches its reports off first."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.privacy.conftest import REPOSITORY

ONE_PLACE = Path("companion/vision/onnx_runtime.py")


def sources() -> Iterator[Path]:
    """All Python files of the repository."""
    for folder in (path for path in REPOSITORY.iterdir() if path.is_dir() and not path.name.startswith(".")):
        yield from folder.rglob("*.py")


def imported(source: str) -> set[str]:
    """The packages that a module imports, anywhere in it, by a statement or by their name."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                found |= {alias.name.partition(".")[0] for alias in names}
            case ast.ImportFrom(module=str(module), level=0):
                found.add(module.partition(".")[0])
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__" | "importorskip")
                | ast.Attribute(attr="import_module" | "__import__" | "importorskip"),
                args=[ast.Constant(value=str(module)), *_],
            ):
                found.add(module.partition(".")[0])
    return found


def test_every_way_to_import_is_seen() -> None:
    for way in (
        "import os, onnxruntime as ort",
        "def f():\n    from onnxruntime.quantization import quantize_static",
        "import importlib; importlib.import_module('onnxruntime.tools')",
        "pytest.importorskip('onnxruntime')",
    ):
        assert "onnxruntime" in imported(way)
    assert "onnxruntime" not in imported("from companion.vision.onnx_runtime import onnxruntime")


def test_onnxruntime_is_imported_in_one_place() -> None:
    found = {
        path.relative_to(REPOSITORY) for path in sources() if "onnxruntime" in imported(path.read_text())
    }
    assert found == {ONE_PLACE}, "from companion.vision.onnx_runtime import onnxruntime"


def test_its_reports_are_switched_off_before_it_is_loaded() -> None:
    source = (REPOSITORY / ONE_PLACE).read_text()
    switch = source.index('os.environ["ORT_DISABLE_TELEMETRY"] = "1"')
    assert (
        switch
        < source.index("\nimport onnxruntime\n")
        < source.index("\nonnxruntime.disable_telemetry_events()\n")
    )
