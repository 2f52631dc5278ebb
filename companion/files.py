"""Files that are read and written whole or not at all, set aside where they are damaged, and locks on them.

Only regular files are opened: a pipe in the place of one would wait for its writer for ever. Only their owner
may read what is written: it may name players. Imports nothing of companion.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Self
from uuid import uuid4

READ_MAX_BYTES = 64 * 2**20
"""Far more than any file that this program writes, and little enough to hold."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
"""What an OSError of a full disk, or of a used-up share of it, has as its number."""

TRIED_BYTES = 2**16
"""As much as a game begins with: a disk that is full may still take the name of a file."""

OTHER_KINDS = {
    stat.S_IFIFO: "it is a pipe, not a file",
    stat.S_IFSOCK: "it is a socket, not a file",
    stat.S_IFCHR: "it is a device, not a file",
    stat.S_IFBLK: "it is a device, not a file",
}
NOT_A_FILE = "it is not a file"
LEADS_NOWHERE = "it is a link to a file that does not exist"
TOO_LARGE = "it is far too large"
SENTENCES = (*OTHER_KINDS.values(), NOT_A_FILE, LEADS_NOWHERE, TOO_LARGE)
"""What stands in errors; the window has translations of it."""


def read_whole(path: Path, limit: int = READ_MAX_BYTES) -> bytes:
    """What the file holds. Raises OSError, whose `strerror` says why, as `open_file` does."""
    with open_file(path, limit) as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise _make_error(errno.EFBIG, TOO_LARGE, path)
    return content


def open_file(path: Path, limit: int = READ_MAX_BYTES) -> IO[bytes]:
    """The regular file `path`, open for reading. Never waits for another program.

    Raises FileNotFoundError where there is nothing, and OSError for what cannot be read: a pipe, a socket, a
    device, a folder, a link that leads nowhere, more than `limit` bytes.
    """
    check_kind(path)
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY), "rb")
    if os.fstat(file.fileno()).st_size > limit:
        file.close()
        raise _make_error(errno.EFBIG, TOO_LARGE, path)
    return file


def check_writable(path: Path) -> None:
    """Raise OSError where what is at `path` is not a file, nor a link to one; nothing may be there."""
    if os.path.lexists(path):
        check_kind(path)


def write_whole(path: Path, content: bytes) -> None:
    """Write `content` over what `path` holds: a crash, a full disk, a power cut or another writer leaves the
    old file or a new one, never half of one.

    A link stays one: what it leads to is written. Its folder is made if absent. Only the owner may read it,
    though others could read the old one. Raises OSError, as `check_writable` does too.
    """
    path = Path(os.path.realpath(path))
    check_writable(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_name(f"{uuid4().hex}.partial")
    try:
        with open(partial, "xb", opener=open_owner_only) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_new(path: Path, content: bytes) -> None:
    """Write a new file that only its owner may read: all of it, or none is left. Raises FileExistsError, and
    OSError."""
    with open(path, "xb", opener=open_owner_only) as file:
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            path.unlink(missing_ok=True)
            raise


def try_writing(folder: Path) -> None:
    """Raise OSError where nothing can be written in that folder, also because its disk is full."""
    with TemporaryFile(dir=folder, buffering=0) as file:
        file.write(bytes(TRIED_BYTES))


def make_folder(folder: Path) -> Path:
    """Make `folder` if absent, take the rights of others to it away, and give it back. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    restrict_to_owner(folder)
    return folder


def open_owner_only(path: str, flags: int) -> int:
    """The descriptor of a file that only its owner may read, new or not: an `opener` for `open`.

    Raises OSError.
    """
    descriptor = os.open(path, flags, 0o600)
    restrict_to_owner(descriptor)
    return descriptor


def restrict_to_owner(file: int | Path) -> None:
    """Take the rights of others away.

    What cannot be changed stays as it is (another user's, or on a file system without rights), and so do
    devices and folders that all may write to, such as /tmp.
    """
    mode = os.stat(file).st_mode
    ours = stat.S_ISREG(mode) or (stat.S_ISDIR(mode) and not mode & stat.S_ISVTX)
    if ours and mode & 0o077:
        with suppress(OSError):
            os.chmod(file, stat.S_IMODE(mode) & ~0o077)


def set_aside(path: Path) -> Path:
    """Rename what is at `path`, whatever it is, to NAME.damaged-N.SUFFIX, and give its new place. Raises
    OSError."""
    for number in count(1):
        aside = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
        if not os.path.lexists(aside):
            break
    path.rename(aside)
    return aside


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
    that name. Raises OSError where it cannot be opened, is not a regular file, or its file system has no
    locks.
    """
    import fcntl  # here, because Windows has none and everything else in this module works there

    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(path, flags, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _make_error(errno.EINVAL, NOT_A_FILE, path)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except BaseException:
        os.close(descriptor)
        raise
    return Lock(descriptor)


def check_kind(path: Path) -> None:
    """Raise OSError for anything but a regular file, without opening it; its `strerror` says what it is."""
    try:
        kind = stat.S_IFMT(path.stat().st_mode)
    except FileNotFoundError:
        if path.is_symlink():
            raise _make_error(errno.EINVAL, LEADS_NOWHERE, path) from None
        raise
    if kind == stat.S_IFDIR:
        raise _make_error(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if kind != stat.S_IFREG:
        raise _make_error(errno.EINVAL, OTHER_KINDS.get(kind, NOT_A_FILE), path)


def _make_error(number: int, why: str, path: Path) -> OSError:
    return OSError(number, why, str(path))
