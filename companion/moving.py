"""Moves a person's data to another folder: copied and compared before anything changes, and only then used.

Copying runs while the program is at work. What changed meanwhile is copied again once all is closed
(`finish_move`), every file is compared, and the new folder is named in one small file
(`config.name_data_dir`). Whatever fails before that, the old folder is in use as before; it is never deleted.

The new folder may have been prepared by an attacker: it is used through `HeldFolder` alone, and has to be
empty, or hold an unfinished copy of ours, which is recognised by a secret that both folders keep.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, combinations
from pathlib import Path
from stat import S_IFMT, S_ISREG

import msgspec

from companion import config, held_folder
from companion.errors import InputError
from companion.files import NO_ROOM, OTHER_KINDS, fold_name, lock, make_folders, try_writing
from companion.foreign import Undecodable, decode_as
from companion.held_folder import CAN_HOLD, UNFINISHED, HeldFolder, split_name
from companion.sentences import as_text

MARK = "move.json"
LEFT_OUT = frozenset({"index", "shaders", "kivy", "sounds"})
"""Folders that are created again in any place."""
NOT_TO_PLAY = frozenset({*LEFT_OUT, "pictures", "voices", "log", "removed games"})
"""Folders without which the evening can continue."""
SIGNS = ("session.json", "window.json", "games", "profiles")
"""Files and folders of a data folder that was used."""
TEMPORARY = (".lock", ".partial")
TOKEN_BYTES = 16
SPARE_BYTES = 32 * 2**20
"""Left free on the new disk at the least."""
FOLDER_NAME = "mahjong-companion"
SAME_TIME_NS = 2 * 10**9
"""FAT keeps times to two seconds."""

NOT_WHOLE = "Enter the whole path of the folder, such as /home/ann/mahjong."
THERE_ALREADY = "Your data are there already: choose another folder."
INSIDE = "One folder is inside the other: choose one elsewhere."
IS_LINK = "'{folder}' is a link: name the folder that it leads to."
IS_FILE = "'{folder}' is a file: choose a folder."
NOT_EMPTY = "'{folder}' is not empty: choose an empty folder, or a new one."
TOO_SMALL = (
    "There are {free} MB free, and {needed} MB are needed, {spare} of them as a reserve: choose another disk."
)
OTHER_WINDOW = "Another window is open: close it first."
CANNOT_MOVE = (
    "Windows cannot move your data safely: close the program, copy the folder, and name the new one in"
    " COMPANION_DATA."
)
COLLAPSE = (
    "'{folder}' cannot hold both '{first}' and '{second}': its disk treats these names as the same."
    " Rename one of them, then move your data."
)
DIFFERS = "the copy differs from the file"
MISSING = "the copy is missing"
SENTENCES = (
    NOT_WHOLE, THERE_ALREADY, INSIDE, IS_LINK, IS_FILE, NOT_EMPTY, TOO_SMALL, OTHER_WINDOW, COLLAPSE, DIFFERS,
    MISSING, CANNOT_MOVE,
)  # fmt: skip
"""Marked for translation."""


class MoveCancelled(Exception):
    """A person called it off."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A possible data folder. free: bytes, None if unknown."""

    folder: Path
    free: int | None = None


@dataclass(frozen=True, slots=True)
class _Mark:
    """What `move.json` holds. token: the same in the old folder and in a copy of it that is not finished.
    files: in the copy, the names of all that was to be copied, as the system writes them; None in the old
    folder."""

    token: bytes
    files: tuple[bytes, ...] | None = None


_planned: dict[Path, Path] = {}
"""Target of each folder that `finish_move` moves. Not stored in a file, which could come with a foreign data
folder."""


def list_spots(now: Path, *, takes_used: bool = False) -> tuple[Spot, ...]:
    """Folders that offer themselves: the usual one, one at home, one on each disk that is plugged in. Only
    those that are new or empty, or hold an unfinished copy of `now`; where `takes_used`, also those that the
    program has used."""
    if not CAN_HOLD:
        return ()
    user = os.environ.get("USER", "")
    homes = [config.usual_data_dir(), Path.home() / FOLDER_NAME]
    disks = [
        disk / FOLDER_NAME
        for media in (Path("/media") / user, Path("/run/media") / user)
        if user and media.is_dir()
        for disk in sorted(media.iterdir())
        if os.access(disk, os.W_OK)
    ]
    places = (each for each in (*homes, *disks) if each != now)
    return tuple(
        Spot(place, find_free(place))
        for place in places
        if _is_free(now, place) or (takes_used and _was_used(place))
    )


def _is_free(old: Path, folder: Path) -> bool:
    """Whether data of `old` could be copied there, as far as that depends on the content there."""
    if not os.path.lexists(folder):
        return True
    try:
        with HeldFolder(folder) as target:
            _admit(target, _read_token(old))
    except (OSError, InputError):
        return False
    return True


def find_free(folder: Path) -> int | None:
    """Bytes that are free where that folder is, or would be."""
    for place in (folder, *folder.parents):
        with suppress(OSError):
            return shutil.disk_usage(place).free
    return None


def measure(folder: Path, left_out: AbstractSet[str] = LEFT_OUT) -> int:
    """The bytes of all that would be copied and can be found, but for those folders."""
    try:
        with HeldFolder(folder, may_be_link=True) as held:
            return sum(_list_files(held, left_out, unread=[]).values())
    except OSError:
        return 0


def check_target(old: Path | None, new: Path) -> None:
    """Raises InputError if data cannot be moved there, or begun there without an old folder, with what
    would be right."""
    if not CAN_HOLD:
        raise InputError(CANNOT_MOVE)
    if not new.is_absolute():
        raise InputError(NOT_WHOLE)
    if new.is_symlink():
        raise InputError(IS_LINK, folder=new)
    if old is not None:
        if _is_same_folder(old, new):
            raise InputError(THERE_ALREADY)
        above_new, above_old = (Path(os.path.realpath(each)).parents for each in (new, old))
        if any(_is_same_folder(old, each) for each in above_new) or any(
            _is_same_folder(new, each) for each in above_old
        ):
            raise InputError(INSIDE)
    if new.exists() and not new.is_dir():
        raise InputError(IS_FILE, folder=new)
    if new.exists():
        with HeldFolder(new) as target:
            _admit(target, _read_token(old))
    free, needed = find_free(new), (measure(old) if old else 0) + SPARE_BYTES
    if free is not None and free < needed:
        spare = SPARE_BYTES // 10**6
        raise InputError(TOO_SMALL, free=free // 10**6, needed=needed // 10**6 + 1, spare=spare)
    for number in range(2, 9):
        if old and _is_locked(old / f"session-{number}.lock"):
            raise InputError(OTHER_WINDOW)


def copy_data(
    old: Path,
    new: Path,
    tell: Callable[[int, int], None] = lambda done, total: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> tuple[str, ...]:
    """Copy `old` to `new`, read every file again and compare it; returns the names of what is not copied:
    links, pipes and other special files.

    tell: called with the bytes copied so far and the total. Identical files are left alone. Raises OSError,
    InputError if `new` holds something else or cannot keep two names apart, and MoveCancelled where it was
    called off.
    """
    make_folders(new)
    with HeldFolder(old, may_be_link=True) as source, HeldFolder(new) as target:
        files = _list_files(source)
        before = _admit(target, _read_token(old))
        for first, second in _find_collapsing(files, target):
            raise InputError(COLLAPSE, folder=new, first=as_text(first), second=as_text(second))
        _begin_copy(old, target, {*files, *before})
        digests: dict[str, bytes] = {}
        total, done = sum(files.values()), 0
        for name, size in files.items():
            if is_cancelled():
                raise MoveCancelled
            digest = _find_same(source, target, name) or _copy(source, target, name)
            if digest is not None:
                digests[name] = digest
            done += size
            tell(done // 2, total)
        for name in before - digests.keys():
            target.remove(name)  # a journal of SQLite's that has gone would spoil its file
        target.sync_folders()
        _refuse_links(target)
        _check_names(digests, target)
        for name, digest in digests.items():
            if is_cancelled():
                raise MoveCancelled
            _check_copy(target, name, digest)
            done += files[name]
            tell(done // 2, total)
        tell(total, total)
        return tuple(name for name, status in _walk(source, LEFT_OUT) if not S_ISREG(status.st_mode))


def begin_elsewhere(
    old: Path | None, new: Path, tell: Callable[[int, int], None] = lambda done, total: None
) -> int:
    """Have `new` ready to be used instead of `old`: as it is where it was used before, else with all of `old`
    that can be read. How many files could not be. Raises InputError and OSError as `check_target` and
    `copy_data` do."""
    if new.is_absolute() and new != old and _was_used(new):
        with HeldFolder(new, may_be_link=True) as used:
            _refuse_links(used)
        try_writing(new)
        return 0
    check_target(old, new)
    make_folders(new)
    with HeldFolder(new) as target:
        _begin_copy(old, target, _admit(target, _read_token(old)))
    try_writing(new)
    unread = copy_readable(old, new, tell) if old else 0
    _forget(new)
    return unread


def copy_readable(
    old: Path,
    new: Path,
    tell: Callable[[int, int], None] = lambda done, total: None,
    left_out: AbstractSet[str] = LEFT_OUT,
) -> int:
    """Copy what can be read of `old`, but for those folders; how many files and folders are not copied, as
    they cannot be read, or the disk of `new` treats their names as that of another one. Raises OSError if
    that disk is full."""
    unread: list[str] = []
    try:
        source = HeldFolder(old, may_be_link=True)
    except OSError:  # its disk is not plugged in
        return 0
    with source, HeldFolder(new) as target:
        files = _list_files(source, left_out, unread=unread)
        collapsing = [f"{second}/" for _, second in _find_collapsing(files, target)]
        total, done = sum(files.values()), 0
        for name, size in files.items():
            try:
                if any(f"{name}/".startswith(each) for each in collapsing):
                    unread.append(name)
                elif (digest := _copy(source, target, name)) is not None:
                    _check_copy(target, name, digest)
            except OSError as error:
                if error.errno in NO_ROOM:
                    raise
                unread.append(name)
            done += size
            tell(done, total)
        target.sync_folders()
    return len(unread)


def plan_move(old: Path, new: Path) -> None:
    """Have `finish_move` of this run of the program switch to that folder."""
    _planned[old.resolve()] = new


def finish_move(old: Path) -> Path | None:
    """Copy what has changed since, compare everything, and use the new folder from the next start on, unless
    COMPANION_DATA names another; None if no move was planned. To be called when everything is closed.
    Raises as `copy_data` does: then the old folder stays in use.
    """
    new = _planned.pop(old.resolve(), None)
    if new is None:
        return None
    copy_data(old, new)
    _forget(new)
    if config.named_data_dir() is None:
        config.name_data_dir(new)
    with suppress(OSError):
        _forget(old)
    return new


def _was_used(folder: Path) -> bool:
    """Whether the program has kept something there, and all of it: no copy that is not finished."""
    return any((folder / name).exists() for name in SIGNS) and not os.path.lexists(folder / MARK)


def _is_same_folder(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except OSError:
        return os.path.realpath(first) == os.path.realpath(second)


def _walk(
    held: HeldFolder, left_out: AbstractSet[str], unread: list[str] | None = None
) -> Iterator[tuple[str, os.stat_result]]:
    """All that lasts, but for those folders; unread: as `HeldFolder.walk` takes it."""
    for name, status in held.walk(unread):
        is_left_out = name == MARK or name.endswith(TEMPORARY) or name.split("/")[0] in left_out
        if not is_left_out:
            yield name, status


def _list_files(
    held: HeldFolder, left_out: AbstractSet[str] = LEFT_OUT, unread: list[str] | None = None
) -> dict[str, int]:
    """The regular files that are to be copied, in order, and how many bytes each has."""
    found = _walk(held, left_out, unread)
    return {name: status.st_size for name, status in found if S_ISREG(status.st_mode)}


def _admit(target: HeldFolder, token: bytes | None) -> set[str]:
    """The files of the unfinished copy in that folder, which has this token; none where it is empty, but for
    what a program that was killed left there. Raises InputError where it is neither."""
    mark = _read_mark(target)
    if mark is not None and mark.files is not None and mark.token == token:
        return {os.fsdecode(name) for name in mark.files}
    if set(target.list_names()) - {UNFINISHED}:
        raise InputError(NOT_EMPTY, folder=target.path)
    return set()


def _begin_copy(old: Path | None, target: HeldFolder, names: Iterable[str]) -> None:
    """Mark the folder as a copy of `old`, which keeps the token where it can be written: elsewhere the copy
    cannot be taken up again."""
    target.restrict_to_owner()
    token = _read_token(old)
    if token is None:
        token = secrets.token_bytes(TOKEN_BYTES)
        with suppress(OSError):
            if old is not None:
                with HeldFolder(old, may_be_link=True) as source:
                    _write_mark(source, _Mark(token))
    _write_mark(target, _Mark(token, tuple(map(os.fsencode, sorted(names)))))


def _read_token(old: Path | None) -> bytes | None:
    """What unfinished copies of that folder are known by; None if none was begun."""
    with suppress(OSError):
        if old is not None:
            with HeldFolder(old, may_be_link=True) as source:
                mark = _read_mark(source)
                return mark.token if mark is not None and mark.files is None else None
    return None


def _read_mark(held: HeldFolder) -> _Mark | None:
    """None also for one that is not as the program writes it, or names files that are elsewhere."""
    try:
        mark = decode_as(held.read(MARK), _Mark)
        for name in mark.files or ():
            split_name(os.fsdecode(name))
    except (OSError, Undecodable):
        return None
    return mark if len(mark.token) == TOKEN_BYTES else None


def _write_mark(held: HeldFolder, mark: _Mark) -> None:
    with held.replace(MARK) as file:
        file.write(msgspec.json.encode(mark))


def _forget(folder: Path) -> None:
    """Remove the mark of a move. Raises OSError."""
    with HeldFolder(folder, may_be_link=True) as held:
        held.remove(MARK)


def _find_collapsing(files: Iterable[str], target: HeldFolder) -> Iterator[tuple[str, str]]:
    """Pairs of files or folders that the disk of that folder would treat as one, by their whole names."""
    alike: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for name in files:
        parts = name.split("/")
        for depth, part in enumerate(parts):
            alike["/".join(parts[:depth]), fold_name(part)].add(part)
    for (folder, _), names in sorted(alike.items()):
        for first, second in combinations(sorted(names), 2):
            if not target.can_tell_apart(first, second):
                above = f"{folder}/" if folder else ""
                yield above + first, above + second


def _find_same(source: HeldFolder, target: HeldFolder, name: str) -> bytes | None:
    """The digest of the file where its copy is the same already, and is no other file's too; else None."""
    one, other = source.find(name), target.find(name)
    if one is None or other is None or not S_ISREG(other.st_mode) or other.st_nlink > 1:
        return None
    if one.st_size != other.st_size or abs(one.st_mtime_ns - other.st_mtime_ns) >= SAME_TIME_NS:
        return None
    digest = _digest(source, name)
    return digest if digest == _digest(target, name) else None


def _copy(source: HeldFolder, target: HeldFolder, name: str) -> bytes | None:
    """Copy the file, have the disk keep it, and return the digest of what was read; None if the file has
    gone since it was listed, as journals of SQLite's do."""
    status, pieces = source.find(name), source.read_pieces(name)
    try:
        first = next(pieces, b"")  # before anything is made for a file that cannot be read
    except FileNotFoundError:
        return None
    digest = hashlib.sha256()
    with target.replace(name) as copy:
        for piece in chain([first], pieces):
            digest.update(piece)
            copy.write(piece)
        copy.flush()
        if status is not None:
            with suppress(OSError):
                os.utime(copy.fileno(), ns=(status.st_atime_ns, status.st_mtime_ns))
    return digest.digest()


def _refuse_links(held: HeldFolder) -> None:
    """Raise OSError if anything but files and folders is in that folder: where a link leads the program
    would write later."""
    for name, status in held.walk():
        if not S_ISREG(status.st_mode):
            why = OTHER_KINDS.get(S_IFMT(status.st_mode), held_folder.IS_LINK)
            raise OSError(errno.EINVAL, why, str(held.path / name))


def _check_names(names: Collection[str], target: HeldFolder) -> None:
    """Raise OSError unless each has a file of its own in that folder. Some file systems list names in small
    letters or in a normal form of their own: so files of alike names are counted."""
    found = Counter(fold_name(name) for name, _ in target.walk())
    wanted = Counter(map(fold_name, names))
    for name in names:
        if found[fold_name(name)] < wanted[fold_name(name)]:
            raise OSError(errno.EIO, MISSING, str(target.path / name))


def _check_copy(target: HeldFolder, name: str, digest: bytes) -> None:
    """Raise OSError if the file has another digest."""
    if _digest(target, name) != digest:
        raise OSError(errno.EIO, DIFFERS, str(target.path / name))


def _digest(held: HeldFolder, name: str) -> bytes:
    digest = hashlib.sha256()
    for piece in held.read_pieces(name):
        digest.update(piece)
    return digest.digest()


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
