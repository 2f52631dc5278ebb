"""Files that are written whole or not at all. Imports nothing of companion."""

from __future__ import annotations

import os
from pathlib import Path
from uuid import uuid4


def write_whole(path: Path, content: bytes) -> None:
    """Write `content` over what `path` holds: a crash, a full disk, a power cut or another writer leaves the
    old file or a new one, never half of one.

    A link stays one: what it leads to is written. Its folder is made if absent. Raises OSError.
    """
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{uuid4().hex}.partial")
    try:
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
