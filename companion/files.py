"""Files that are read and written whole or not at all, set aside where they are damaged, and locks on them.

Only regular files are opened: a pipe in the place of one would wait for its writer for ever. Only their owner
may read what is written: it may name players. Imports nothing of companion.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Self
from uuid import uuid4

if sys.platform == "win32":
    import msvcrt

    NO_LINK = NO_WAIT = ONLY_FOLDER = 0  # it opens neither folders nor pipes as files
else:
    import fcntl

    NO_LINK, NO_WAIT, ONLY_FOLDER = os.O_NOFOLLOW, os.O_NONBLOCK | os.O_NOCTTY, os.O_DIRECTORY

READ_MAX_BYTES = 64 * 2**20
"""Far more than any file that this program writes, and little enough to hold."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
"""The error numbers of a full disk, and of a quota that is used up."""

TRIED_BYTES = 2**16
"""Size of the test file, that of a new game: a full disk may still accept a file's name."""

NO_FOLDER_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
"""The errors of file systems that cannot sync a folder, and keep it by themselves."""

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
"""Parts of errors, marked for translation."""


def read_whole(path: Path, limit: int = READ_MAX_BYTES) -> bytes:
    """What the file holds. Raises OSError, whose `strerror` says why, as `open_file` does."""
    with open_file(path, limit) as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise _make_error(errno.EFBIG, TOO_LARGE, path)
    return content


def open_file(path: Path, limit: int = READ_MAX_BYTES) -> IO[bytes]:
    """The regular file `path`, open for reading. Never waits for another program.

    Raises FileNotFoundError if there is nothing, and OSError for what cannot be read: a pipe, a socket, a
    device, a folder, a link that leads nowhere, more than `limit` bytes.
    """
    check_kind(path)
    file = os.fdopen(os.open(path, os.O_RDONLY | NO_WAIT), "rb")
    if os.fstat(file.fileno()).st_size > limit:
        file.close()
        raise _make_error(errno.EFBIG, TOO_LARGE, path)
    return file


def check_writable(path: Path) -> None:
    """Raise OSError if something other than a file, or a link to one, is at `path`."""
    if os.path.lexists(path):
        check_kind(path)


def write_whole(path: Path, content: bytes) -> None:
    """Write `content` over what `path` holds: a crash, a full disk, a power failure or another writer leaves
    the old file or a new one, never half of one. When this returns, the new one outlives a power failure.

    A link stays one: what it leads to is written. Its folder is made if absent. Only the owner may read it,
    though others could read the old one. Raises OSError, as `check_writable` does too.
    """
    path = Path(os.path.realpath(path))
    check_writable(path)
    replace_file(path, content)


def replace_file(path: Path, content: bytes) -> None:
    """As `write_whole`, but a link at `path` is replaced: what it leads to stays as it is."""
    if not path.is_symlink():
        check_writable(path)
    make_folders(path.parent)
    partial = path.with_name(f"{uuid4().hex}.partial")
    try:
        with open(partial, "xb", opener=open_owner_only) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        move_file(partial, path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """A new file for its owner only: after the block it is whole and outlives a power failure; where the
    block fails, it is gone. Raises OSError, also if something is at `path`."""
    with open(path, "xb", opener=open_owner_only) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    sync_folder(path.parent)


@contextmanager
def brief_file(content: bytes) -> Iterator[str]:
    """The path of a file with this content, for programs of this user, until the block ends: on Linux in
    memory only. Raises OSError."""
    if sys.platform == "linux":
        with os.fdopen(os.memfd_create("brief"), "wb") as file:
            file.write(content)
            file.flush()
            yield f"/proc/{os.getpid()}/fd/{file.fileno()}"
    else:
        with TemporaryDirectory() as folder:
            path = Path(folder, "brief")
            path.write_bytes(content)
            yield str(path)


def move_file(old: Path, new: Path) -> None:
    """Rename a file or folder to `new`, replacing what is there, so that the new name outlives a power
    failure. Raises OSError."""
    old.replace(new)
    sync_folder(new.parent)
    if old.parent != new.parent:
        sync_folder(old.parent)


def remove_file(path: Path) -> None:
    """Remove the file if it is there, so that it stays away after a power failure. Raises OSError."""
    with suppress(FileNotFoundError):
        path.unlink()
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Have the names in the folder outlive a power failure: syncing a file does not keep its name.

    Does nothing if the file system or the rights on the folder do not allow it. Raises OSError.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:  # Windows opens no folder
        return
    try:
        sync_open_folder(descriptor)
    finally:
        os.close(descriptor)


def sync_open_folder(descriptor: int) -> None:
    """As `sync_folder`, for a folder that is open. Raises OSError."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in NO_FOLDER_SYNC:
            raise


def forget_cached(file: IO[bytes]) -> None:
    """Have the open file read from its disk, where the system can: its cache proves nothing."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def try_writing(folder: Path) -> None:
    """Raise OSError if nothing can be written in that folder, also because its disk is full."""
    with TemporaryFile(dir=folder, buffering=0) as file:
        file.write(bytes(TRIED_BYTES))


def make_folder(folder: Path) -> Path:
    """Make `folder` if absent, remove the rights of others to it, and return it. Raises OSError."""
    make_folders(folder)
    restrict_to_owner(folder)
    return folder


def make_folders(folder: Path, mode: int = 0o700) -> None:
    """Make `folder` with that mode, and those above it, if absent; a new one outlives a power failure. Raises
    OSError."""
    if folder.is_dir():
        return
    if not folder.parent.exists():
        make_folders(folder.parent, 0o777)
    folder.mkdir(mode, exist_ok=True)
    sync_folder(folder.parent)


def open_owner_only(path: str, flags: int, folder: int | None = None) -> int:
    """The descriptor of a file that only its owner may read, new or not: an `opener` for `open`. `path` is in
    the open `folder`, where one is given. Raises OSError.
    """
    descriptor = os.open(path, flags, 0o600, dir_fd=folder)
    restrict_to_owner(descriptor)
    return descriptor


def restrict_to_owner(file: int | Path) -> None:
    """Take the rights of others away.

    What cannot be changed stays as it is (another user's, or on a file system without rights), and so do
    devices and folders that all may write to, such as /tmp, and everything on Windows: what is in a user's
    folders is that user's there.
    """
    mode = os.stat(file).st_mode
    ours = stat.S_ISREG(mode) or (stat.S_ISDIR(mode) and not mode & stat.S_ISVTX)
    if ours and mode & 0o077 and os.name != "nt":
        with suppress(OSError):
            os.chmod(file, stat.S_IMODE(mode) & ~0o077)


def fold_name(name: str) -> str:
    """A key that is equal for two file names which some file system treats as one: without capitals, Unicode
    normal forms, full width and other forms of a letter, invisible characters, and dots and spaces at the
    end."""
    folded = name
    for _ in range(2):  # what is decomposed may have capitals, and their small letters be composed
        folded = unicodedata.normalize("NFKD", folded).upper().casefold()
    folded = unicodedata.normalize("NFKD", folded).replace("i\u0307", "i")  # the Turkish İ
    return "".join(each for each in folded if unicodedata.category(each) != "Cf").rstrip(". ")


def list_alike(path: Path) -> list[Path]:
    """The entries of the folder of `path` that have its name, or one that some file system treats as the
    same."""
    key = fold_name(path.name)
    try:
        names = os.listdir(path.parent)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [path.with_name(name) for name in sorted(names) if fold_name(name) == key]


def set_aside(path: Path) -> Path:
    """Rename anything at `path` to NAME.damaged-N.SUFFIX, and return its new path. Raises
    OSError."""
    for number in count(1):
        aside = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
        if not os.path.lexists(aside):
            break
    move_file(path, aside)
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
    that name. Raises OSError if it cannot be opened, is not a regular file, or its file system has no
    locks.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | NO_LINK | NO_WAIT, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _make_error(errno.EINVAL, NOT_A_FILE, path)
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # the second on Windows
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


def name_reason(error: Exception) -> str:
    """Why, as the system words it; of an error that is not the system's, what kind it is."""
    return getattr(error, "strerror", None) or type(error).__name__


def _make_error(number: int, why: str, path: Path) -> OSError:
    return OSError(number, why, str(path))


CHECKSUM_BYTES = 16
"""128 bits. CRC-32, which was used before, passes one damaged file in four thousand million."""


def make_checksum(content: bytes) -> bytes:
    """BLAKE2b of the content, 128 bits (RFC 7693)."""
    return blake2b(content, digest_size=CHECKSUM_BYTES).digest()
