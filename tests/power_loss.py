"""What a disk may hold after the power failed: a real run is recorded call by call, then cut at any call.

SIGKILL leaves the page cache as it was; a power failure does not. strace records what a program did to a
folder (Python, SQLite and all) and what it printed; `Recording.fail` then makes the folder as a disk may have
it after call `point`. A disk here promises only what POSIX does, which is less than ext4 or XFS keep:

- What was written to a file is lost, kept or torn at sectors until that file is synced, in any order, and the
  size of the file may be on the disk before its content, which then is zeros.
- A name that was made, changed or removed is lost or kept until its folder is synced, in any order; one
  rename happens whole or not at all, and is kept for certain once both folders are synced.
- Syncing a file does not keep its name. What was synced before stays.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.privacy import strace
from tests.privacy.strace import Call
from tests.programs import LIMIT_S

REPOSITORY = Path(__file__).resolve().parents[1]
STRACE = ("strace", "-f", "--seccomp-bpf", "-xx", "-s", str(2**26))
CALLS = (
    "open openat creat close dup dup2 dup3 fcntl read pread64 write pwrite64 writev pwritev sendfile "
    "copy_file_range lseek truncate ftruncate fallocate fsync fdatasync sync syncfs msync rename renameat "
    "renameat2 link linkat symlink symlinkat unlink unlinkat mkdir mkdirat rmdir"
)
SECTORS = (512, 4096)
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
STDOUT = 1
DATA = "data"


@dataclass(frozen=True, slots=True)
class Named:
    """Names changed, all at once: (folder, name) -> what has the name now, None for nothing."""

    names: Mapping[tuple[int, str], int | None]


@dataclass(frozen=True, slots=True)
class Wrote:
    file: int
    offset: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Cut:
    """The file has that size."""

    file: int
    size: int


@dataclass(frozen=True, slots=True)
class Synced:
    """All that was done so far to the content of the file, or to the names in the folder, is on the disk."""

    inode: int


@dataclass(frozen=True, slots=True)
class Said:
    """Printed: a promise, where the program prints that something is kept."""

    text: bytes


Step = Named | Wrote | Cut | Synced | Said


@dataclass(slots=True)
class Open:
    """An open file or folder. inode: None where it is not in the folder that is watched."""

    inode: int | None
    at: int = 0
    appends: bool = False


@dataclass(slots=True)
class Tree:
    """Files and folders by inode; 0 is the folder that is watched."""

    files: dict[int, bytearray] = field(default_factory=dict)
    folders: dict[int, dict[str, int]] = field(default_factory=lambda: {0: {}})

    def copy(self) -> Tree:
        return Tree(
            {inode: bytearray(content) for inode, content in self.files.items()},
            {inode: dict(names) for inode, names in self.folders.items()},
        )

    def apply(self, step: Step) -> None:
        match step:
            case Named(names):
                for (folder, name), inode in names.items():
                    if inode is None:
                        self.folders[folder].pop(name, None)
                    else:
                        self.folders[folder][name] = inode
            case Wrote(file, offset, content):
                self.write(file, offset, content)
            case Cut(file, size):
                held = self.files[file]
                held[size:] = bytes(max(0, size - len(held)))

    def write(self, file: int, offset: int, content: bytes) -> None:
        held = self.files[file]
        held.extend(bytes(max(0, offset - len(held))))
        held[offset : offset + len(content)] = content

    def make(self, place: Path, folder: int = 0) -> None:
        """Write the folder with all that is in it."""
        place.mkdir(exist_ok=True)
        for name, inode in self.folders[folder].items():
            if inode in self.folders:
                self.make(place / name, inode)
            else:
                (place / name).write_bytes(self.files[inode])


class Recording:
    """What a program did to a folder, step by step. said: what it printed, all in all."""

    def __init__(self, before: Tree, steps: list[Step], after: Tree) -> None:
        self.before = before
        self.steps = steps
        self.after = after

    def said(self, point: int | None = None) -> str:
        """What had been printed by then."""
        return b"".join(step.text for step in self.steps[:point] if isinstance(step, Said)).decode()

    def fail(self, point: int, chance: Random, kept: float) -> Tree:
        """The folder as the disk may have it where the power failed after `point` steps.

        kept: how likely it is for something that was not synced to be there: 0 for never, 1 for always.
        """
        certain = self._find_synced(point)
        disk = self.before.copy()
        disk.files |= {inode: bytearray() for inode in self.after.files if inode not in disk.files}
        disk.folders |= {inode: {} for inode in self.after.folders if inode not in disk.folders}
        for number, step in enumerate(self.steps[:point]):
            if number in certain or (kept and chance.random() < kept):
                disk.apply(step)
            elif isinstance(step, Wrote) and kept:
                _tear(disk, step, chance)
        return disk

    def _find_synced(self, point: int) -> set[int]:
        """The numbers of the steps that are on the disk in any case."""
        certain: set[int] = set()
        unsynced: dict[int, set[int]] = {}
        waits_for: dict[int, int] = {}
        for number, step in enumerate(self.steps[:point]):
            match step:
                case Named(names):
                    folders = {folder for folder, _ in names}
                    waits_for[number] = len(folders)
                    for folder in folders:
                        unsynced.setdefault(folder, set()).add(number)
                case Wrote(file, _, _) | Cut(file, _):
                    waits_for[number] = 1
                    unsynced.setdefault(file, set()).add(number)
                case Synced(inode):
                    for done in unsynced.pop(inode, ()):
                        waits_for[done] -= 1
                        if not waits_for[done]:
                            certain.add(done)
        return certain

    def failures(self, count: int, seed: object) -> Iterator[tuple[str, int, Tree]]:
        """`count` power failures: where it was, for messages; after which step; and what is on the disk.

        Two at each of `count` / 2 steps, from the first to the last: first nothing that was not synced is on
        the disk, then some of it.
        """
        for number in range(count):
            point = 1 + (number // 2) * (len(self.steps) - 1) // max(1, (count - 1) // 2)
            chance = Random(f"{seed} {number}")
            kept = 0.0 if number % 2 == 0 else chance.choice((0.2, 0.5, 0.8, 1.0))
            where = f"failure {number} after step {point} of {len(self.steps)}, {kept=}, {seed=}"
            yield where, point, self.fail(point, chance, kept)


def _tear(disk: Tree, step: Wrote, chance: Random) -> None:
    """Let some sectors of a write be on the disk, or only the size of the file that it leads to."""
    sector = chance.choice(SECTORS)
    held = disk.files[step.file]
    if chance.random() < 0.5:
        held.extend(bytes(max(0, step.offset + len(step.content) - len(held))))
    start = step.offset
    while start < step.offset + len(step.content):
        end = min((start // sector + 1) * sector, step.offset + len(step.content))
        if chance.random() < 0.5:
            disk.write(step.file, start, step.content[start - step.offset : end - step.offset])
        start = end


def record(folder: Path, program: str, *arguments: object) -> Recording:
    """Run Python text under strace. What it does to `folder`, in which `data` is its data folder, is
    recorded, and what it prints."""
    before = Tree()
    _load(before, folder, 0)
    trace = folder.with_name(f"{folder.name}.strace")
    command = [*STRACE, "-e", "trace=" + ",".join(CALLS.split()), "-o", str(trace)]
    done = subprocess.run(
        [*command, sys.executable, "-c", program, *map(str, arguments)],
        env=os.environ | {"COMPANION_DATA": str(folder / DATA), "PYTHONPATH": str(REPOSITORY)},
        cwd=folder.parent,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    calls = strace.parse(trace.read_text(), str(folder.parent)).calls
    trace.unlink()
    recorder = _Recorder(before.copy(), folder)
    for call in calls:
        recorder.follow(call)
    actual = Tree()
    _load(actual, folder, 0)
    assert _describe(recorder.tree) == _describe(actual), "strace missed what was done to the folder"
    return Recording(before, recorder.steps, recorder.tree)


def _load(tree: Tree, place: Path, folder: int) -> None:
    """Take what is in a folder on the disk into the tree."""
    for path in sorted(place.iterdir()):
        inode = 1 + len(tree.files) + len(tree.folders)
        tree.folders[folder][path.name] = inode
        if path.is_dir():
            tree.folders[inode] = {}
            _load(tree, path, inode)
        else:
            tree.files[inode] = bytearray(path.read_bytes())


def _describe(tree: Tree, folder: int = 0) -> dict[str, object]:
    return {
        name: _describe(tree, inode) if inode in tree.folders else bytes(tree.files[inode])
        for name, inode in tree.folders[folder].items()
    }


class _Recorder:
    """Follows a program's calls in a tree of its own, and notes what they change."""

    def __init__(self, tree: Tree, folder: Path) -> None:
        self.tree = tree
        self.steps: list[Step] = []
        self._root = folder
        self._opened: dict[int, Open] = {STDOUT: Open(None)}

    def follow(self, call: Call) -> None:
        if not call.succeeded:
            return
        follow = getattr(self, f"_{call.name}", None)
        assert follow is not None or not self._concerns(call), f"a call that the test does not know: {call}"
        if follow is not None:
            follow(call)

    def _take(self, step: Step) -> None:
        self.tree.apply(step)
        self.steps.append(step)

    def _concerns(self, call: Call) -> bool:
        """Whether a call may change the folder that is watched."""
        paths = [self._find(call, n) for n in range(len(_texts(call)))]
        numbers = [self._opened.get(int(n)) for n in re.findall(r"(?<![\w\"])\d+(?![\w\"])", call.arguments)]
        return any(paths) or any(each and each.inode is not None for each in numbers)

    def _find(self, call: Call, number: int = 0) -> tuple[int, str] | None:
        """The folder and name that the call's path of that number stands for; None for one elsewhere."""
        found = list(re.finditer(r'(?:(AT_FDCWD|\d+), )?"((?:\\x[0-9a-f]{2})*)"', call.arguments))[number]
        path = os.fsdecode(_decode(found[2]))
        at = found[1] if call.name.endswith(("at", "at2")) else None
        if not path.startswith("/") and at not in (None, "AT_FDCWD"):
            held = self._opened.get(int(at))
            if held is None or held.inode is None:
                return None
            assert "/" not in path, call
            return held.inode, path
        whole = os.path.normpath(os.path.join(self._root.parent, path))
        if not whole.startswith(f"{self._root}/"):
            return (0, ".") if whole == str(self._root) else None
        *folders, name = whole.removeprefix(f"{self._root}/").split("/")
        inode = 0
        for each in folders:
            inode = self.tree.folders[inode][each]
        return inode, name

    def _inode(self, place: tuple[int, str] | None) -> int | None:
        if place is None:
            return None
        folder, name = place
        return folder if name == "." else self.tree.folders[folder].get(name)

    def _new(self, kind: str) -> int:
        inode = 1 + max([0, *self.tree.files, *self.tree.folders])
        if kind == "file":
            self.tree.files[inode] = bytearray()
        else:
            self.tree.folders[inode] = {}
        return inode

    def _openat(self, call: Call) -> None:
        place = self._find(call)
        assert call.result is not None
        if place is None or "O_TMPFILE" in call.arguments:
            self._opened[call.result] = Open(None)
            return
        inode = self._inode(place)
        if inode is None:
            inode = self._new("file")
            self._take(Named({place: inode}))
        elif "O_TRUNC" in call.arguments:
            self._take(Cut(inode, 0))
        self._opened[call.result] = Open(inode, appends="O_APPEND" in call.arguments)

    _open = _openat

    def _close(self, call: Call) -> None:
        self._opened.pop(int(call.arguments), None)

    def _dup(self, call: Call) -> None:
        held = self._held(call)
        if held is not None and call.result is not None:
            self._opened[call.result] = held

    _dup2 = _dup3 = _dup

    def _fcntl(self, call: Call) -> None:
        if "F_DUPFD" in call.arguments:
            self._dup(call)

    def _held(self, call: Call) -> Open | None:
        return self._opened.get(int(call.arguments.split(",")[0]))

    def _read(self, call: Call) -> None:
        held = self._held(call)
        if held is not None and call.result is not None:
            held.at += call.result

    def _pread64(self, call: Call) -> None:
        pass

    def _lseek(self, call: Call) -> None:
        held = self._held(call)
        if held is not None and call.result is not None:
            held.at = call.result

    def _write(self, call: Call) -> None:
        held, content = self._held(call), _decode(_texts(call)[0])[: call.result]
        if int(call.arguments.split(",")[0]) == STDOUT:
            self._take(Said(content))
        elif held is not None and held.inode is not None:
            if held.appends:
                held.at = len(self.tree.files[held.inode])
            self._take(Wrote(held.inode, held.at, content))
            held.at += len(content)

    def _pwrite64(self, call: Call) -> None:
        held, content = self._held(call), _decode(_texts(call)[0])[: call.result]
        if held is not None and held.inode is not None:
            self._take(Wrote(held.inode, int(call.arguments.split(", ")[-1]), content))

    def _sendfile(self, call: Call) -> None:
        target, source = (self._opened.get(int(each)) for each in call.arguments.split(", ")[:2])
        offset = re.search(r"\[(\d+)\]", call.arguments)
        if target is not None and target.inode is not None:
            assert source is not None
            assert source.inode is not None
            assert offset is not None
            assert call.result is not None
            start = int(offset[1])
            content = bytes(self.tree.files[source.inode][start : start + call.result])
            self._take(Wrote(target.inode, target.at, content))
            target.at += call.result

    def _ftruncate(self, call: Call) -> None:
        held = self._held(call)
        if held is not None and held.inode is not None:
            self._take(Cut(held.inode, int(call.arguments.split(", ")[1])))

    def _fsync(self, call: Call) -> None:
        held = self._held(call)
        if held is not None and held.inode is not None:
            self._take(Synced(held.inode))

    _fdatasync = _fsync

    def _rename(self, call: Call) -> None:
        old, new = self._find(call, 0), self._find(call, 1)
        if old is None and new is None:
            return
        assert old is not None, call
        assert new is not None, call
        self._take(Named({old: None, new: self._inode(old)}))

    _renameat = _renameat2 = _rename

    def _unlink(self, call: Call) -> None:
        place = self._find(call)
        if place is not None:
            self._take(Named({place: None}))

    _unlinkat = _rmdir = _unlink

    def _mkdir(self, call: Call) -> None:
        place = self._find(call)
        if place is not None and place[1] != ".":
            self._take(Named({place: self._new("folder")}))

    _mkdirat = _mkdir


def _texts(call: Call) -> list[str]:
    return TEXT.findall(call.arguments)


def _decode(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))
