"""Moves a person's data to another folder: copied and checked before anything changes, and only then used.

Copying runs while the program is at work. What changed meanwhile is copied again once all is closed
(`finish_move`), and the new folder is named in one small file (`config.name_data_dir`). Whatever fails before
that, the old folder is in use as before; it is never deleted.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from companion import config
from companion.errors import InputError
from companion.files import lock, make_folder, open_owner_only, read_whole, try_writing, write_whole

PLAN = "move.json"
LEFT_OUT = frozenset({"shaders", "kivy", "sounds"})
"""Folders that are made anew in any place."""
NOT_TO_PLAY = frozenset({*LEFT_OUT, "pictures", "voices", "log", "removed games"})
"""Folders without which the evening goes on."""
SIGNS = ("session.json", "window.json", "games", "profiles")
"""What is in a data folder once it was used."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
TEMPORARY = (".lock", ".partial")
CHUNK = 2**20
SPARE_BYTES = 32 * 2**20
"""Left free on the new disk at the least."""
FOLDER_NAME = "mahjong-companion"


class MoveCancelled(Exception):
    """A person called it off."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where data could lie. free: bytes, None where that is not known."""

    folder: Path
    free: int | None = None


@dataclass(frozen=True, slots=True)
class _Plan:
    """In the old folder: which one `to` switch to. In the new one: which one it is a copy of, and the files
    that were copied."""

    to: str
    files: tuple[str, ...] = ()


def list_spots(now: Path) -> tuple[Spot, ...]:
    """Folders that offer themselves: the usual one, one at home, one on each disk that is plugged in."""
    user = os.environ.get("USER", "")
    homes = [config.usual_data_dir(), Path.home() / FOLDER_NAME]
    disks = [
        disk / FOLDER_NAME
        for media in (Path("/media") / user, Path("/run/media") / user)
        if user and media.is_dir()
        for disk in sorted(media.iterdir())
        if os.access(disk, os.W_OK)
    ]
    return tuple(Spot(folder, find_free(folder)) for folder in (*homes, *disks) if folder != now)


def find_free(folder: Path) -> int | None:
    """Bytes that are free where that folder is, or would be."""
    for place in (folder, *folder.parents):
        with suppress(OSError):
            return shutil.disk_usage(place).free
    return None


def measure(folder: Path, left_out: AbstractSet[str] = LEFT_OUT) -> int:
    """The bytes of everything that would be copied, but for those folders."""
    return sum(path.stat().st_size for path in _list_files(folder, left_out))


def check_target(old: Path | None, new: Path) -> None:
    """Raises InputError where data cannot be moved there, or begun there without an old folder, with what
    would be right."""
    if not new.is_absolute():
        raise InputError("Give the whole path of the folder, as /home/ann/mahjong.")
    if old is not None:
        inner, outer = new.resolve(), old.resolve()
        if inner == outer:
            raise InputError("Your data lie there already: choose another folder.")
        if outer in inner.parents or inner in outer.parents:
            raise InputError("One folder lies in the other: choose one elsewhere.")
    if new.exists() and not new.is_dir():
        raise InputError("'{folder}' is a file: choose a folder.", folder=new)
    if new.is_dir() and any(new.iterdir()) and not (old and _is_begun(new, old)):
        raise InputError("'{folder}' is not empty: choose an empty folder, or a new one.", folder=new)
    free, needed = find_free(new), (measure(old) if old else 0) + SPARE_BYTES
    if free is not None and free < needed:
        raise InputError(
            "There are {free} MB free, and {needed} MB are needed: choose another disk.",
            free=free // 10**6, needed=needed // 10**6 + 1,
        )  # fmt: skip
    for number in range(2, 9):
        if old and _is_locked(old / f"session-{number}.lock"):
            raise InputError("Another window is open: close it first.")


def copy_data(
    old: Path,
    new: Path,
    tell: Callable[[int, int], None] = lambda done, total: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Make `new` hold what `old` holds; each file is read again and compared.

    tell: hears how many bytes are done, of how many. Files that are the same already are left alone. Raises
    OSError, and MoveCancelled where it was called off.
    """
    make_folder(new)
    before = _read_plan(new)
    files = list(_list_files(old))
    names = tuple(str(path.relative_to(old)) for path in files)
    write_whole(new / PLAN, msgspec.json.encode(_Plan(str(old.resolve()), names)))
    total, done = sum(path.stat().st_size for path in files), 0
    for path in files:
        if is_cancelled():
            raise MoveCancelled
        target = new / path.relative_to(old)
        if not _is_same(path, target):
            _copy(path, target)
        done += path.stat().st_size
        tell(done, total)
    for name in set(before.files if before else ()) - set(names):
        (new / name).unlink(missing_ok=True)  # a log of SQLite's that has gone would spoil its file


def begin_elsewhere(
    old: Path | None, new: Path, tell: Callable[[int, int], None] = lambda done, total: None
) -> int:
    """Have `new` ready to be used instead of `old`: as it is where it was used before, else with all of `old`
    that can be read. How many files could not be. Raises InputError and OSError as `check_target` and
    `copy_data` do."""
    if new.is_absolute() and new != old and _was_used(new) and not (old and _is_begun(new, old)):
        try_writing(new)
        return 0
    check_target(old, new)
    make_folder(new)
    if old is None:
        try_writing(new)
        return 0
    write_whole(new / PLAN, msgspec.json.encode(_Plan(str(old.resolve()))))
    unread = copy_readable(old, new, tell)
    forget_plan(new)
    return unread


def copy_readable(
    old: Path,
    new: Path,
    tell: Callable[[int, int], None] = lambda done, total: None,
    left_out: AbstractSet[str] = LEFT_OUT,
) -> int:
    """Copy what can be read of `old`, but for those folders; how many files cannot be. Raises OSError where
    the disk of `new` is full."""
    unread = done = 0
    sizes = {path: path.lstat().st_size for path in _list_files(old, left_out)}
    for path, size in sizes.items():
        try:
            _copy(path, new / path.relative_to(old))
        except OSError as error:
            (new / path.relative_to(old)).unlink(missing_ok=True)
            if error.errno in NO_ROOM:
                raise
            unread += 1
        done += size
        tell(done, sum(sizes.values()))
    return unread


def plan_move(old: Path, new: Path) -> None:
    """Have `finish_move` switch to that folder. Raises OSError."""
    write_whole(old / PLAN, msgspec.json.encode(_Plan(str(new))))


def forget_plan(folder: Path) -> None:
    """A switch that was planned before a power cut does not happen any more."""
    with suppress(OSError):
        (folder / PLAN).unlink(missing_ok=True)


def finish_move(old: Path) -> Path | None:
    """Copy what has changed since, check it, and use the new folder from now on; None where no move was
    planned. To be called when everything is closed. Raises OSError: then the old folder stays in use."""
    plan = _read_plan(old)
    if plan is None:
        return None
    forget_plan(old)
    new = Path(plan.to)
    copy_data(old, new)
    forget_plan(new)
    config.name_data_dir(new)
    return new


def _was_used(folder: Path) -> bool:
    """Whether the program has kept something there."""
    return any((folder / name).exists() for name in SIGNS)


def _list_files(folder: Path, left_out: AbstractSet[str] = LEFT_OUT) -> Iterator[Path]:
    """Regular files, in order, of none of those folders."""
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in left_out)
        for name in sorted(names):
            path = Path(base, name)
            kept = not name.endswith(TEMPORARY) and path != folder / PLAN
            if kept and path.is_file() and not path.is_symlink():
                yield path


def _is_begun(new: Path, old: Path) -> bool:
    """Whether that folder holds a copy of ours that was not finished."""
    plan = _read_plan(new)
    return plan is not None and plan.to == str(old.resolve())


def _read_plan(folder: Path) -> _Plan | None:
    try:
        return msgspec.json.decode(read_whole(folder / PLAN), type=_Plan)
    except (OSError, msgspec.DecodeError):
        return None


def _is_same(path: Path, target: Path) -> bool:
    try:
        one, other = path.stat(), target.stat()
    except FileNotFoundError:
        return False
    same = one.st_size == other.st_size and abs(one.st_mtime_ns - other.st_mtime_ns) < 2 * 10**9
    return same and _hash(path) == _hash(target)


def _copy(path: Path, target: Path) -> None:
    """Copy the file, have the disk keep it, and read it again."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with path.open("rb") as source, open(target, "wb", opener=open_owner_only) as copy:
        while chunk := source.read(CHUNK):
            digest.update(chunk)
            copy.write(chunk)
        copy.flush()
        os.fsync(copy.fileno())
    if _hash(target) != digest.hexdigest():
        raise OSError(errno.EIO, "the copy differs from the file", str(target))
    stat = path.stat()
    with suppress(OSError):
        os.utime(target, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_locked(path: Path) -> bool:
    """Whether a window holds that lock."""
    if not path.exists():
        return False
    try:
        held = lock(path)
    except OSError:
        return False
    if held is None:
        return True
    held.release()
    return False
