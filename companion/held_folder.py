"""A folder that is held open, and the files in it, which are reached part by part from its descriptor.

No link is ever followed and no name leads out of the folder, whatever other programs put there meanwhile: use
it for folders that other people may have prepared. A file that is written replaces the one of its name.
Windows cannot hold a folder open: there none is (`CAN_HOLD`).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Self
from uuid import uuid4

from companion.files import (
    NO_LINK,
    NO_WAIT,
    NOT_A_FILE,
    ONLY_FOLDER,
    OTHER_KINDS,
    READ_MAX_BYTES,
    TOO_LARGE,
    forget_cached,
    open_owner_only,
    restrict_to_owner,
    sync_open_folder,
)

IS_LINK = "it is a link"
NOT_A_FOLDER = "it is not a folder"
LEADS_OUT = "its name leads out of the folder"
SENTENCES = (IS_LINK, NOT_A_FOLDER, LEADS_OUT)
"""Reasons in errors, which the window translates."""
PIECE_BYTES = 2**20
UNFINISHED = "mahjong-companion.partial"
"""Name, at the top of the folder, of the file that is being written."""
CAN_HOLD = os.open in os.supports_dir_fd
FOLDER = os.O_RDONLY | ONLY_FOLDER
READ = os.O_RDONLY | NO_LINK | NO_WAIT
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK


class HeldFolder:
    """The folder `path`, until `close`. Names of files are relative to it, their parts joined by "/".

    Every function raises OSError: its `filename` is the whole path, and its `strerror` the reason, such as a
    link in any part of the name, or a name that is absolute or contains "..".
    """

    def __init__(self, path: Path, *, may_be_link: bool = False) -> None:
        self.path = path
        with _name_errors(path):
            self._descriptor = os.open(path, FOLDER | (0 if may_be_link else NO_LINK))

    def close(self) -> None:
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def restrict_to_owner(self) -> None:
        """Take the rights of others away, as far as the file system has any."""
        restrict_to_owner(self._descriptor)

    def list_names(self) -> list[str]:
        """The names of all entries at the top of the folder."""
        with _name_errors(self.path):
            return os.listdir(self._descriptor)

    def walk(self, unread: list[str] | None = None) -> Iterator[tuple[str, os.stat_result]]:
        """Everything in the folder and the folders in it, in order, with its status, except the folders.

        unread: takes the folders that cannot be read; without it they are an error.
        """
        waiting = [""]
        while waiting:
            name = waiting.pop()
            try:
                found = self._list_folder(name)
            except OSError:
                if unread is None:
                    raise
                unread.append(name)
                continue
            yield from (each for each in found if not stat.S_ISDIR(each[1].st_mode))
            waiting += [each for each, status in reversed(found) if stat.S_ISDIR(status.st_mode)]

    def find(self, name: str) -> os.stat_result | None:
        """The status of the entry of this name, of a link itself; None if there is no such entry."""
        try:
            with self._open_folder_of(name) as (folder, last):
                return os.stat(last, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def open(self, name: str) -> IO[bytes]:
        """The regular file of that name, open for reading. Never waits for another program."""
        with self._open_folder_of(name) as (folder, last):
            file = os.fdopen(os.open(last, READ, dir_fd=folder), "rb")
            kind = stat.S_IFMT(os.fstat(file.fileno()).st_mode)
            if kind != stat.S_IFREG:
                file.close()
                raise OSError(errno.EINVAL, OTHER_KINDS.get(kind, NOT_A_FILE))
        return file

    def read_pieces(self, name: str) -> Iterator[bytes]:
        """The content of the file of that name, piece by piece, from the disk and not from the cache if
        possible."""
        with _name_errors(self.path / name), self.open(name) as file:
            forget_cached(file)
            while piece := file.read(PIECE_BYTES):
                yield piece

    def read(self, name: str) -> bytes:
        """The whole content of the file of that name."""
        with self.open(name) as file:
            content = file.read(READ_MAX_BYTES + 1)
        if len(content) > READ_MAX_BYTES:
            raise OSError(errno.EFBIG, TOO_LARGE, str(self.path / name))
        return content

    @contextmanager
    def replace(self, name: str) -> Iterator[IO[bytes]]:
        """Write the file of that name: what the `with` statement writes is synced to the disk, and then takes
        the place of whatever file or link has the name. Where it fails that stays as it was."""
        with self._open_folder_of(name, make=True) as (folder, last):
            with suppress(FileNotFoundError):
                os.unlink(UNFINISHED, dir_fd=self._descriptor)
            try:
                with os.fdopen(open_owner_only(UNFINISHED, NEW, self._descriptor), "wb") as file:
                    yield file
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(UNFINISHED, last, src_dir_fd=self._descriptor, dst_dir_fd=folder)
            except BaseException:
                with suppress(OSError):
                    os.unlink(UNFINISHED, dir_fd=self._descriptor)
                raise

    def remove(self, name: str) -> None:
        """Remove the file of that name, or the link itself, if there is one."""
        with suppress(FileNotFoundError), self._open_folder_of(name) as (folder, last):
            os.unlink(last, dir_fd=folder)

    def sync_folders(self) -> None:
        """Have the disk keep the names of all files."""
        folders = {Path(), *(above for name, _ in self.walk() for above in Path(name).parents)}
        for folder in sorted(folders):
            with _name_errors(self.path / folder), self._open_folder(folder.parts) as descriptor:
                sync_open_folder(descriptor)

    def can_tell_apart(self, first: str, second: str) -> bool:
        """Whether the file system keeps two files whose names are these single parts; tried in a folder that
        is removed again."""
        tried = uuid4().hex
        with _name_errors(self.path):
            os.mkdir(tried, 0o700, dir_fd=self._descriptor)
            try:
                with self._open_folder((tried,)) as folder:
                    return _keep_both(folder, first, second)
            finally:
                os.rmdir(tried, dir_fd=self._descriptor)

    def _list_folder(self, name: str) -> list[tuple[str, os.stat_result]]:
        with (
            self._open_folder(tuple(name.split("/")) if name else ()) as folder,
            os.scandir(folder) as entries,
        ):
            found = []
            for entry in sorted(entries, key=lambda entry: entry.name):
                with suppress(FileNotFoundError):  # it has gone since
                    inside = f"{name}/{entry.name}" if name else entry.name
                    found.append((inside, entry.stat(follow_symlinks=False)))
            return found

    @contextmanager
    def _open_folder_of(self, name: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        """The descriptor of the folder that the file is in, and the last part of its name."""
        parts = split_name(name)
        with _name_errors(self.path / name), self._open_folder(parts[:-1], make=make) as folder:
            yield folder, parts[-1]

    @contextmanager
    def _open_folder(self, parts: tuple[str, ...], *, make: bool = False) -> Iterator[int]:
        """The descriptor of a folder; make: whether absent ones are made, for the owner only."""
        descriptor = os.dup(self._descriptor)
        try:
            for count, part in enumerate(parts, start=1):
                with _name_errors(self.path.joinpath(*parts[:count])):
                    if make:
                        with suppress(FileExistsError):
                            os.mkdir(part, 0o700, dir_fd=descriptor)
                    inner = os.open(part, FOLDER | NO_LINK, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
            yield descriptor
        finally:
            os.close(descriptor)


def split_name(name: str) -> tuple[str, ...]:
    """The parts of a name. Raises OSError for one that is absolute, empty, or has "." or ".." in it."""
    parts = tuple(name.split("/"))
    if any(part in ("", ".", "..") or "\0" in part for part in parts):
        raise OSError(errno.EINVAL, LEADS_OUT, name)
    return parts


def _keep_both(folder: int, first: str, second: str) -> bool:
    """Whether the empty folder of that descriptor has two files after both are made; they are removed."""
    try:
        for name in (first, second):
            with suppress(FileExistsError):
                os.close(os.open(name, NEW, 0o600, dir_fd=folder))
        return len(os.listdir(folder)) == 2
    finally:
        for name in os.listdir(folder):
            os.unlink(name, dir_fd=folder)


@contextmanager
def _name_errors(path: Path) -> Iterator[None]:
    """Have an OSError name the whole path, and report a link as a link."""
    try:
        yield
    except OSError as error:
        named = str(error.filename or "")
        if "/" in named and named != str(path):  # by the part that is wrong
            raise
        why = error.strerror
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            why = IS_LINK if path.is_symlink() else NOT_A_FOLDER
        raise OSError(error.errno, why, str(path)) from error
