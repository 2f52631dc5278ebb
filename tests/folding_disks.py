"""Disks that take names for the same: real ones, made in a file and mounted where the machine permits it, and
a layer over any folder that does as they do."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion import held_folder
from tests.programs import LIMIT_S

IMAGE_BYTES = 64 * 2**20
COMMANDS = {
    "exfat": ("mkfs.exfat {image}", "mount -t exfat -o loop {image} {folder}"),
    "exfat-fuse": ("mkfs.exfat {image}", "mount.exfat-fuse {loop} {folder}"),
    "vfat": ("mkfs.vfat {image}", "mount -t vfat -o loop,utf8 {image} {folder}"),
    "ntfs": ("mkntfs -F -Q {image}", "lowntfs-3g -o ignore_case {image} {folder}"),
    "ext4": ("mkfs.ext4 -q -O casefold -E encoding=utf8 {image}", "mount -o loop {image} {folder}"),
    "xfs": ("mkfs.xfs -q -n version=ci {image}", "mount -o loop {image} {folder}"),
    "tmpfs": ("true", "mount -t tmpfs -o casefold tmpfs {folder}"),
}
"""How a disk of each kind is made and mounted."""


def _run(command: str) -> str | None:
    """What the program prints; None where it fails or is not installed."""
    words = command.split()
    if shutil.which(words[0]) is None:
        return None
    done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


@contextmanager
def mounted(kind: str, place: Path) -> Iterator[Path]:
    """A folder on a disk of that kind. Skips the test where this machine cannot mount one."""
    make, mount = COMMANDS[kind]
    image, folder, loop = place / "image", place / "disk", ""
    folder.mkdir()
    with open(image, "wb") as file:
        file.truncate(IMAGE_BYTES)
    try:
        is_made = _run(make.format(image=image)) is not None
        if is_made and "{loop}" in mount:
            loop = _run(f"losetup -f --show {image}") or ""
        command = mount.format(image=image, folder=folder, loop=loop or "none")
        if not is_made or _run(command) is None or not os.path.ismount(folder):
            pytest.skip(f"no disk with {kind} can be mounted here")
        inside = folder / "inside"
        inside.mkdir()
        if kind in ("ext4", "tmpfs"):
            _run(f"chattr +F {inside}")
        (inside / "a").touch()
        if not (inside / "A").exists():
            pytest.skip(f"{kind} does not fold names here")
        (inside / "a").unlink()
        yield inside
    finally:
        if os.path.ismount(folder):
            _run(f"umount {folder}")
        if loop:
            _run(f"losetup -d {loop}")


def fold_names_in(
    folder: Path,
    fold: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    writes: Callable[[str], str] = str,
) -> None:
    """Have `HeldFolder` see in that folder a disk that takes names for the same where `fold` makes one of
    them, and writes new ones as `writes` says."""
    root = folder.resolve()

    def find(name: str, descriptor: int) -> str:
        place = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        if not place.is_relative_to(root):
            return name
        known = os.listdir(descriptor)
        return next((each for each in known if fold(each) == fold(name)), writes(name))

    def open_(name: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        found = name if dir_fd is None else find(name, dir_fd)
        return os.open(found, flags, mode, dir_fd=dir_fd)

    def replace(name: str, new: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        os.replace(name, find(new, dst_dir_fd), src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    def at(function: Callable[..., object]) -> Callable[..., object]:
        return lambda name, *given, dir_fd, **more: function(
            find(name, dir_fd), *given, dir_fd=dir_fd, **more
        )

    own = {each: at(getattr(os, each)) for each in ("mkdir", "stat", "unlink", "rmdir")}
    folding = {**vars(os), **own, "open": open_, "replace": replace}
    monkeypatch.setattr(held_folder, "os", SimpleNamespace(**folding))
