"""Which single-board computer this is."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

ROOT = Path("/")


def read_model(root: Path = ROOT) -> str:
    """The name of a board, as Raspberry Pi 5 Model B Rev 1.0; empty for other computers. root: where the
    files of the system are."""
    with suppress(OSError):
        return (root / "proc/device-tree/model").read_text(errors="replace").strip("\0 \n")
    return ""
