"""What a command and all that it starts do to files and on the network, as strace sees it.

Every line of strace's output becomes a `Call`. `Trace.offences` lists what a private program does not do:
reach for anything but the display, look a name up, wait for connections, write where it was not allowed to.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.programs import LIMIT_S

STRACE = ("strace", "-f", "--seccomp-bpf", "-y", "-s", "256")
CALLS = "trace=%network,%file,%process,fchdir,io_uring_setup"

LINE = re.compile(r"(?P<pid>\d+) +(?P<rest>.*)")
RESUMED = re.compile(r"<\.\.\. (?:\w+|\?{3,4}) resumed>(?P<rest>.*)")
CALL = re.compile(
    r"(?P<name>\w+|\?{3,4}(?=.*= +\?))\((?P<arguments>.*)\) += (?P<result>-?\d+|0x[0-9a-f]+|\?)(?P<more>.*)"
)
UNFINISHED = " <unfinished ...>"
UNFINISHED_FILE = re.compile(r"[0-9a-f]{32}\.partial")
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
PLACE = re.compile(r'(?:(?:AT_FDCWD|\d+)(?:<(?P<at>[^>]*)>)?, )?"(?P<path>(?:[^"\\]|\\.)*)"')
SUN_PATH = re.compile(r'sa_family=AF_UNIX, sun_path=(?P<abstract>@?)"(?P<path>(?:[^"\\]|\\.)*)"')

WRITING = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_TMPFILE")
OPENS = re.compile(r"open(at2?)?|creat")
CHANGES = re.compile(
    r"mkdir(at)?|mknod(at)?|rename(at2?)?|link(at)?|symlink(at)?|unlink(at)?|rmdir|truncate|l?chown|f?chownat"
    r"|chmod|fchmodat2?|utimes?|utimensat|futimesat|l?(set|remove)xattr"
)
CHANGED_PATHS = {"rename": slice(0, 2), "link": slice(1, 2), "symlink": slice(1, 2)}
"""Which paths of a call are changed: of a link the new name; of all other calls the first."""
STARTS = re.compile(r"clone3?|v?fork")
LOOKUP_FILES = ("/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf")


@dataclass(frozen=True, slots=True)
class Call:
    """One system call. result: what it returned; None where it never did, as when its process ended.

    name: ??? where the process was gone before strace could look which call it was; such a call did nothing.
    """

    pid: int
    name: str
    arguments: str
    result: int | None

    @property
    def succeeded(self) -> bool:
        return self.result is not None and self.result >= 0

    def __str__(self) -> str:
        return f"{self.name}({self.arguments}) = {self.result}"


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a command may do.

    folders: which it makes, and what it writes below them; files: the outputs that it was given, each of
    which may be written in its folder under the name of an unfinished file first;
    socket: the display's; byte_code: the program's own folders, whose __pycache__ Python fills.
    """

    folders: Sequence[Path] = ()
    files: Sequence[Path] = ()
    socket: str | None = None
    byte_code: Sequence[Path] = ()

    def may_write(self, path: str) -> bool:
        place = Path(path)
        inside = any(folder == place or folder in place.parents for folder in self.folders)
        above = any(place in folder.parents for folder in self.folders)
        compiled = "__pycache__" in place.parts and any(code in place.parents for code in self.byte_code)
        beside = any(place.parent == file.parent for file in self.files)
        unfinished = beside and UNFINISHED_FILE.fullmatch(place.name) is not None
        device = path.startswith("/dev/") and not path.startswith(("/dev/shm/", "/dev/mqueue/"))
        return inside or above or place in self.files or unfinished or compiled or device


@dataclass(frozen=True, slots=True)
class Trace:
    """All calls of a command, oldest first, begun in `folder`."""

    calls: Sequence[Call]
    folder: str

    def offences(self, allowed: Allowed) -> list[str]:
        """What was done that is not allowed, one sentence each, in order and each once."""
        found = [*self._network(allowed), *self._lookups(), *self._writes(allowed)]
        return list(dict.fromkeys(found))

    def programs(self) -> set[str]:
        """Names of the programs that were started, or looked for."""
        return {Path(_texts(call)[0]).name for call in self.calls if call.name == "execve"}

    def _network(self, allowed: Allowed) -> Iterator[str]:
        for call in self.calls:
            match call.name:
                case "socket" if not call.arguments.startswith("AF_UNIX") and not _is_hotplug(call):
                    yield f"opened a socket that can reach beyond this machine: {call}"
                case "connect" | "sendto" | "sendmsg" if (name := _socket_name(call)) is not None:
                    if name.removeprefix("@") != allowed.socket:
                        yield f"reached for {name}: {call}"
                case "listen":
                    yield f"waits for connections: {call}"
                case "io_uring_setup":
                    yield f"may do anything unseen: {call}"

    def _lookups(self) -> Iterator[str]:
        for call in self.calls:
            if any(path in LOOKUP_FILES for path in _texts(call)[:1]):
                yield f"looks a name up: reads {_texts(call)[0]}"

    def _writes(self, allowed: Allowed) -> Iterator[str]:
        for call, paths in self._changed():
            for path in paths:
                if not allowed.may_write(path):
                    yield f"wrote {path} ({call.name})"

    def _changed(self) -> Iterator[tuple[Call, list[str]]]:
        """Calls that changed what is on the disk, with the whole paths of what they changed."""
        folders = _Folders(self.calls, self.folder)
        for call in self.calls:
            here = folders.after(call)
            if not call.succeeded:
                continue
            if OPENS.fullmatch(call.name) and (call.name == "creat" or WRITING.search(call.arguments)):
                yield call, _places(call, here)[:1]
            elif CHANGES.fullmatch(call.name):
                kind = re.sub(r"at2?$", "", call.name)
                yield call, _places(call, here)[CHANGED_PATHS.get(kind, slice(1))]
            elif call.name == "bind" and (name := _socket_name(call)) and not name.startswith("@"):
                yield call, [os.path.join(here, name)]


def parse(text: str, folder: str) -> Trace:
    """What `strace -f -o` wrote of a command begun in `folder`. Raises ValueError on an unknown line."""
    calls: list[Call] = []
    begun: dict[int, str] = {}
    for line in text.splitlines():
        known = LINE.fullmatch(line)
        if known is None:
            raise ValueError(f"not a line of strace -f: {line!r}")
        pid, rest = int(known["pid"]), known["rest"]
        if rest.startswith(("---", "+++")):  # a signal, an end
            continue
        if resumed := RESUMED.fullmatch(rest):
            rest = begun.pop(pid, "") + resumed["rest"]
        if rest.endswith(UNFINISHED):
            begun[pid] = rest.removesuffix(UNFINISHED)
            continue
        calls.append(_call(pid, rest))
    calls += [_call(pid, rest + ") = ?") for pid, rest in begun.items()]
    return Trace(calls, folder)


def trace(
    command: Sequence[str], environment: Mapping[str, str], folder: Path, *, timeout_s: float = 300
) -> tuple[Trace, subprocess.CompletedProcess[str]]:
    """Runs the command in `folder` under strace."""
    output = folder / "strace.txt"
    done = subprocess.run(
        [*STRACE, "-e", CALLS, "-o", str(output), *command],
        env=dict(environment), cwd=folder, capture_output=True, text=True, timeout=timeout_s, check=False,
    )  # fmt: skip
    return parse(output.read_text(errors="surrogateescape"), str(folder)), done


def why_not() -> str | None:
    """Why strace cannot trace here, in its words; None where it can."""
    tried = subprocess.run(
        [*STRACE, "-e", CALLS, "-o", os.devnull, "true"],
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    return None if tried.returncode == 0 else tried.stderr.strip() or f"exit status {tried.returncode}"


class _Folders:
    """The working folder of each process, which a new one has from the one that started it."""

    def __init__(self, calls: Sequence[Call], folder: str) -> None:
        self._starts = {call.result: call for call in calls if STARTS.fullmatch(call.name) and call.succeeded}
        self._of: dict[int, str] = {}
        self._first = folder

    def after(self, call: Call) -> str:
        """The working folder of the call's process when the call is done."""
        process = self._process(call.pid)
        here = self._here(process)
        if call.name in ("chdir", "fchdir") and call.succeeded:
            said = _texts(call) or [call.arguments.partition("<")[2].rstrip(">")]
            self._of[process] = here = os.path.normpath(os.path.join(here, said[0]))
        return here

    def _process(self, pid: int) -> int:
        """The process of a thread, or of what shares its working folder otherwise."""
        start = self._starts.get(pid)
        return self._process(start.pid) if start and "CLONE_FS" in start.arguments else pid

    def _here(self, process: int) -> str:
        if process not in self._of:
            start = self._starts.get(process)
            self._of[process] = self._here(self._process(start.pid)) if start else self._first
        return self._of[process]


def _call(pid: int, text: str) -> Call:
    parts = CALL.fullmatch(text)
    if parts is None:
        raise ValueError(f"not a call of strace: {text!r}")
    result = None if parts["result"] == "?" else int(parts["result"], 0)
    return Call(pid, parts["name"], parts["arguments"], result)


def _unescaped(text: str) -> str:
    """Of a string as strace writes it: bytes beyond ASCII as \\346."""
    return os.fsdecode(text.encode("latin-1", "replace").decode("unicode_escape").encode("latin-1"))


def _texts(call: Call) -> list[str]:
    return [_unescaped(text) for text in TEXT.findall(call.arguments)]


def _places(call: Call, here: str) -> list[str]:
    """The paths of a call, whole: beside the folder that is named with them, or the working folder."""
    return [
        os.path.normpath(os.path.join(_unescaped(place["at"] or "") or here, _unescaped(place["path"])))
        for place in PLACE.finditer(call.arguments)
    ]


def _socket_name(call: Call) -> str | None:
    """Where an AF_UNIX call goes, an abstract name with @; None if it names no such address."""
    found = SUN_PATH.search(call.arguments)
    return found and found["abstract"] + _unescaped(found["path"])


def _is_hotplug(call: Call) -> bool:
    """The kernel's word on what is plugged in, by which SDL notices a mouse: no network is reached by it."""
    return call.arguments.startswith("AF_NETLINK") and "NETLINK_KOBJECT_UEVENT" in call.arguments
