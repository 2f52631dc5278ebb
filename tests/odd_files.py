"""What may stand where a file should be, made at a path."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def make_huge(path: Path) -> None:
    """Ten gigabytes that take no room on the disk."""
    with path.open("wb") as file:
        file.truncate(10 * 2**30)


ODD: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "socket": make_socket,
    "folder": Path.mkdir,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "dangling link": lambda path: path.symlink_to(path.with_name("nowhere")),
    "link to itself": lambda path: path.symlink_to(path),
    "10 GB": make_huge,
}
NESTED: dict[str, bytes] = {
    "lists": b"[" * 100_000,
    "objects": b'{"facts":' * 100_000,
    "what is skipped": b'{"unknown": ' + b"[" * 100_000,
}


def identity(path: Path) -> tuple[int, ...]:
    """What stays as it is where nobody writes: which file it is, of what kind, how large, when changed."""
    found = path.lstat()
    return found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns
