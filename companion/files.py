"""Files that are written whole or not at all, and readable by their owner only: they may name players.

Imports nothing of companion.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from uuid import uuid4


def write_whole(path: Path, content: bytes) -> None:
    """Write `content` over what `path` holds: a crash, a full disk, a power cut or another writer leaves the
    old file or a new one, never half of one.

    A link stays one: what it leads to is written. Its folder is made if absent. Only the owner may read it,
    though others could read the old one. Raises OSError.
    """
    path = Path(os.path.realpath(path))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_name(f"{uuid4().hex}.partial")
    try:
        with open(partial, "xb", opener=owner_only) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def make_folder(folder: Path) -> Path:
    """Make `folder` if absent, take the rights of others to it away, and give it back. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _keep_to_owner(folder)
    return folder


def owner_only(path: str, flags: int) -> int:
    """The descriptor of a file that only its owner may read, new or not: an `opener` for `open`.

    Raises OSError.
    """
    descriptor = os.open(path, flags, 0o600)
    _keep_to_owner(descriptor)
    return descriptor


def _keep_to_owner(file: int | Path) -> None:
    """Take the rights of others away.

    What cannot be changed stays as it is (another user's, or on a file system without rights), and so do
    devices and folders that all may write to, such as /tmp.
    """
    mode = os.stat(file).st_mode
    ours = stat.S_ISREG(mode) or (stat.S_ISDIR(mode) and not mode & stat.S_ISVTX)
    if ours and mode & 0o077:
        with suppress(OSError):
            os.chmod(file, stat.S_IMODE(mode) & ~0o077)
