"""Python runs this when it starts, with this folder in PYTHONPATH: the program then sees what it would see on
Windows of the standard library. Other packages know Windows by themselves: for them nothing changes.
"""

from __future__ import annotations

import builtins
import ctypes
import errno
import fcntl
import os
import select
import selectors
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

OURS = {"companion", "firmware_bridge"}
MISSING_MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
MISSING = {
    "os": (
        "O_CLOEXEC O_DIRECTORY O_DSYNC O_NOCTTY O_NOFOLLOW O_NONBLOCK O_PATH O_SYNC O_TMPFILE"
        " MFD_CLOEXEC MFD_ALLOW_SEALING POSIX_FADV_DONTNEED WNOHANG"
        " chown confstr ctermid eventfd fchdir fchmod fchown fdatasync fork forkpty getegid geteuid getgid"
        " getgroups getloadavg getpgid getpgrp getpriority getsid getuid initgroups killpg lchown lockf major"
        " memfd_create minor mkfifo mknod nice openpty pidfd_open pipe2 posix_fadvise posix_fallocate"
        " posix_spawn pread preadv pwrite pwritev readv register_at_fork sched_getaffinity sched_setaffinity"
        " sched_yield sendfile setpgid setpriority setsid set_blocking get_blocking setuid setgid setxattr"
        " splice statvfs fstatvfs sync sysconf tcgetpgrp tcsetpgrp ttyname uname wait wait3 wait4 waitid"
        " writev"
    ),
    "signal": (
        "ITIMER_PROF ITIMER_REAL ITIMER_VIRTUAL SIGALRM SIGBUS SIGCHLD SIGCONT SIGHUP SIGIO SIGKILL SIGPIPE"
        " SIGPROF SIGQUIT SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIG_BLOCK"
        " SIG_SETMASK SIG_UNBLOCK alarm getitimer pause pthread_kill pthread_sigmask setitimer siginterrupt"
        " sigpending sigtimedwait sigwait sigwaitinfo"
    ),
    "select": (
        "EPOLLERR EPOLLET EPOLLHUP EPOLLIN EPOLLOUT EPOLLPRI EPOLL_CLOEXEC PIPE_BUF POLLERR POLLHUP POLLIN"
        " POLLNVAL POLLOUT POLLPRI epoll poll"
    ),
    "selectors": "EpollSelector PollSelector",
    "socket": (
        "AF_NETLINK AF_PACKET AF_UNIX SCM_RIGHTS SOCK_CLOEXEC SOCK_NONBLOCK SO_PEERCRED SO_REUSEPORT"
        " TCP_USER_TIMEOUT"
    ),
    "time": "clock_getres clock_gettime clock_gettime_ns clock_settime pthread_getcpuclockid tzset",
    "sys": "getdlopenflags setdlopenflags",
}
"""What Windows lacks, as far as Python's documentation and typeshed name it, of what could be of use here."""


def _is_socket(file: Any) -> bool:
    number = file if isinstance(file, int) else file.fileno()
    return stat.S_ISSOCK(os.fstat(number).st_mode)


def _open(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
    if dir_fd is not None:
        raise NotImplementedError("dir_fd unavailable on this platform")
    if os.path.isdir(path):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    return os.open(path, flags, mode)


def _by_path(function: Callable[..., Any]) -> Callable[..., Any]:
    """That function of `os`, which takes neither a descriptor nor a name in an open folder."""

    def call(*args: Any, **named: Any) -> Any:
        if any(isinstance(each, int) for each in args[:1]):
            raise TypeError(f"{function.__name__}: path should be string, bytes or os.PathLike, not int")
        if any(named.get(each) is not None for each in ("dir_fd", "src_dir_fd", "dst_dir_fd")):
            raise NotImplementedError("dir_fd unavailable on this platform")
        return function(*args, **named)

    return call


def _fsync(descriptor: int) -> None:
    if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    os.fsync(descriptor)


def _rename(old: Any, new: Any) -> None:
    if os.path.lexists(new):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), old, None, new)
    os.rename(old, new)


def _kill(process: int, number: int) -> None:
    raise AssertionError("on Windows this ends the process, whatever the signal")


def _signal(number: int, handler: Any) -> Any:
    if number not in (signal.SIGABRT, signal.SIGINT, signal.SIGTERM):
        raise ValueError("on Windows few signals can be handled")
    return signal.signal(number, handler)


def _raise_signal(number: int) -> None:
    signal.pthread_kill(threading.main_thread().ident or 0, number)  # it wakes that one from any thread


def _set_wakeup_fd(file: int, *, warn_on_full_buffer: bool = True) -> int:
    if file != -1 and not _is_socket(file):
        raise OSError("on Windows only a socket")
    return signal.set_wakeup_fd(file, warn_on_full_buffer=warn_on_full_buffer)


def _select(read: Any, write: Any, other: Any, timeout: float | None = None) -> Any:
    if not all(map(_is_socket, (*read, *write, *other))) or not (read or write or other):
        raise OSError("on Windows only sockets, and at least one")
    return select.select(read, write, other, timeout)


class _Selector(selectors.SelectSelector):
    def register(self, file: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        if not _is_socket(file):
            raise OSError("on Windows only sockets")
        return super().register(file, events, data)

    def select(self, timeout: float | None = None) -> Any:
        if not self.get_map():
            raise OSError("on Windows at least one socket")
        return super().select(timeout)


class _Library(ctypes.CDLL):
    def __init__(self, name: str | None, *args: Any, **named: Any) -> None:
        if name is None:
            raise TypeError("on Windows a library has a name")
        super().__init__(name, *args, **named)


class _SubstituteModule(ModuleType):
    """What Windows has of a module."""

    def __init__(self, real: ModuleType, missing: str, **instead: Any) -> None:
        super().__init__(real.__name__)
        self.__dict__.update(_real=real, _missing=frozenset(missing.split()), **instead)

    def __getattr__(self, name: str) -> Any:
        if name in self._missing:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} on Windows")
        return getattr(self._real, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._real, name, value)


def _locking(descriptor: int, mode: int, size: int) -> None:
    assert (mode, size) == (LK_NBLCK, 1)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES)) from None


LK_NBLCK = 2
BY_PATH = {
    each.__name__: _by_path(each)
    for each in (os.chmod, os.listdir, os.scandir, os.mkdir, os.rmdir, os.unlink, os.replace)
}
SUBSTITUTES: dict[str, ModuleType] = {
    each.__name__: _SubstituteModule(each, MISSING[each.__name__], **instead)
    for each, instead in (
        (
            os,
            {
                "open": _open, "fsync": _fsync, "rename": _rename, "kill": _kill, "name": "nt",
                "supports_dir_fd": set(), "supports_fd": {os.stat}, **BY_PATH,
            },
        ),
        (signal, {"raise_signal": _raise_signal, "signal": _signal, "set_wakeup_fd": _set_wakeup_fd}),
        (select, {"select": _select}),
        (selectors, {"DefaultSelector": _Selector, "SelectSelector": _Selector}),
        (socket, {}),
        (time, {}),
        (sys, {"platform": "win32"}),
    )
}  # fmt: skip
SUBSTITUTES["ctypes"] = _SubstituteModule(ctypes, "", CDLL=_Library)
SUBSTITUTES["subprocess"] = _SubstituteModule(subprocess, "", BELOW_NORMAL_PRIORITY_CLASS=0)
SUBSTITUTES["msvcrt"] = ModuleType("msvcrt")
SUBSTITUTES["msvcrt"].__dict__.update(locking=_locking, LK_NBLCK=LK_NBLCK)

_import = builtins.__import__


def _import_as_on_windows(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> ModuleType:
    if level == 0 and str((globals or {}).get("__package__")).partition(".")[0] in OURS:
        if name in MISSING_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r} on Windows", name=name)
        if name in SUBSTITUTES:
            return SUBSTITUTES[name]
    return _import(name, globals, locals, fromlist, level)


builtins.__import__ = _import_as_on_windows
