"""Files that are written whole or not at all, and locks on them. Imports nothing of companion."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Self
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


class Lock:
    """A lock that this process holds until `release`, or until it ends, even if it is killed."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Give the lock up; a second call does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def lock(path: Path) -> Lock | None:
    """Hold the lock file `path`; None where it is held already, by another process or by this one.

    The empty file is made if absent, and stays: were it deleted, two programs could each hold a file of
    that name.
    Raises OSError where it cannot be opened, is not a regular file, or its file system has no locks.
    """
    import fcntl  # here, because Windows has none and everything else in this module works there

    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(path, flags, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except BaseException:
        os.close(descriptor)
        raise
    return Lock(descriptor)
