"""That a broken promise is seen: real processes that break one each, and lines of strace hard to read."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.privacy.conftest import Watched
from tests.privacy.strace import Allowed, parse

ALLOWED = Allowed(folders=[Path("/home/ann/data")], files=[Path("/out/shot.png")], socket="/tmp/.X11-unix/X7")

OFFENCES = {
    "a file in the home folder": ("open(HOME + '/.left', 'w')", "wrote {home}/.left (openat)"),
    "a folder": ("os.makedirs(HOME + '/.cache/left')", "wrote {home}/.cache/left (mkdir"),
    "a file by a relative path": (
        "os.chdir(HOME); os.mkdir('left'); os.rename('left', 'other')",
        "wrote {home}/other (rename",
    ),
    "a file that is gone again": ("tempfile.NamedTemporaryFile(dir=HOME).close()", "wrote {home}/tmp"),
    "a file of a child": (
        "os.chdir(HOME); subprocess.run(['sh', '-c', 'mkdir -p a/b && cd a/b && > left'])",
        "wrote {home}/a/b/left (openat)",
    ),
    "a file of a thread": (
        "t = threading.Thread(target=os.mkdir, args=['left']); os.chdir(HOME); t.start(); t.join()",
        "wrote {home}/left (mkdir",
    ),
    "a name that is not ASCII": ("open(HOME + '/麻将', 'w')", "wrote {home}/麻将 (openat)"),
    "a link": ("os.symlink('/etc/passwd', HOME + '/left')", "wrote {home}/left (symlink"),
    "a connection": (
        "s = socket.socket(); s.settimeout(1); s.connect_ex(('127.0.0.1', 9))",
        "opened a socket that can reach beyond this machine: socket(AF_INET",
    ),
    "a datagram": (
        "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
        "opened a socket that can reach beyond this machine: socket(AF_INET6",
    ),
    "a name looked up": (
        "try: socket.getaddrinfo('name.invalid', 443)\nexcept OSError: pass",
        "looks a name up: reads /etc/resolv.conf",
    ),
    "another service": (
        "socket.socket(socket.AF_UNIX).connect_ex(HOME + '/bus')",
        "reached for {home}/bus: connect(",
    ),
    "a server": (
        "s = socket.socket(socket.AF_UNIX); s.bind('\\0left'); s.listen()",
        "waits for connections: listen(",
    ),
    "a socket's file": ("socket.socket(socket.AF_UNIX).bind(HOME + '/left')", "wrote {home}/left (bind)"),
}


@pytest.mark.parametrize("what", OFFENCES)
def test_a_broken_promise_is_seen(watched: Watched, home: Path, what: str) -> None:
    script, sentence = OFFENCES[what]
    imports = f"import os, socket, subprocess, tempfile, threading\nHOME = {str(home)!r}\n"
    traced = watched(sys.executable, "-c", imports + script)
    assert traced.status == 0, traced.said
    assert any(offence.startswith(sentence.format(home=home)) for offence in traced.offences), traced.offences


def test_allowed_calls_are_no_offence(watched: Watched, data: Path, tmp_path: Path) -> None:
    script = f"import os; os.makedirs({str(data / 'games')!r}); open({str(tmp_path / 'out')!r}, 'w')"
    traced = watched(sys.executable, "-c", script, outputs=[tmp_path / "out"])
    assert (traced.status, traced.offences) == (0, [])


def test_an_unfinished_output_is_allowed_in_the_folder_of_the_output_only(
    watched: Watched, home: Path, tmp_path: Path
) -> None:
    name = f"{'0' * 32}.partial"
    script = f"for folder in {[str(tmp_path), str(home)]}: open(folder + '/{name}', 'w')"
    traced = watched(sys.executable, "-c", script, outputs=[tmp_path / "out"])
    assert traced.offences == [f"wrote {home / name} (openat)"]


@pytest.mark.parametrize(
    ("lines", "offences"),
    [
        (
            '7 openat(AT_FDCWD</home>, "/home/ann/left", O_WRONLY|O_CREAT <unfinished ...>\n'
            '8 openat(AT_FDCWD</home>, "/home/ann/data/kept", O_RDWR <unfinished ...>\n'
            "7 <... openat resumed>, 0644) = 3</home/ann/left>\n"
            "8 <... openat resumed>) = 4</home/ann/data/kept>",
            ["wrote /home/ann/left (openat)"],
        ),
        (
            '7 chdir("/home/ann") = 0\n'
            "7 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD <unfinished ...>\n"
            '8 mkdir("left", 0777) = 0\n'
            "7 <... clone resumed>, child_tidptr=0x7f) = 8\n"
            '8 chdir("data") = 0\n'
            '8 rename("kept", "../gone") = 0\n'
            '7 creat("of_seven", 0666) = 3',
            [
                "wrote /home/ann/left (mkdir)",
                "wrote /home/ann/gone (rename)",
                "wrote /home/ann/of_seven (creat)",
            ],
        ),
        (
            '7 openat(5</home/ann>, "left", O_RDWR|O_CREAT, 0600) = 6</home/ann/left>\n'
            '7 linkat(5</home/ann>, "old", AT_FDCWD</home/ann/data>, "new", 0) = 0\n'
            '7 unlinkat(5</home/ann>, "old", 0) = 0',
            ["wrote /home/ann/left (openat)", "wrote /home/ann/old (unlinkat)"],
        ),
        ('7 mkdir("/home/ann/.cache", 0777) = -1 EACCES (Permission denied)', []),
        ('7 openat(AT_FDCWD</home>, "/out/shot.png", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</out/shot.png>', []),
        ('7 openat(AT_FDCWD</home>, "/dev/null", O_RDWR) = 3</dev/null<char 1:3>>', []),
        (
            '7 openat(AT_FDCWD</home>, "/dev/shm/left", O_RDWR|O_CREAT, 0600) = 3</dev/shm/left>',
            ["wrote /dev/shm/left (openat)"],
        ),
        (
            '7 openat(AT_FDCWD</home>, "/home/ann/\\351\\272\\273 \\"a\\", b) = 3", O_WRONLY) = 3</x>',
            ['wrote /home/ann/麻 "a", b) = 3 (openat)'],
        ),
        ('7 connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path=@"/tmp/.X11-unix/X7"}, 20) = 0', []),
        (
            '7 connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/bus"}, 9) = -1 ENOENT (None)',
            ['reached for /bus: connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/bus"}, 9) = -1'],
        ),
        (
            "7 io_uring_setup(8, {flags=0}) = 3\n7 +++ killed by SIGKILL +++\n"
            "8 --- SIGCHLD {si_signo=SIGCHLD} ---\n8 exit_group(0 <unfinished ...>\n8 +++ exited with 0 +++",
            ["may do anything unseen: io_uring_setup(8, {flags=0}) = 3"],
        ),
        (
            "7 ???( <unfinished ...>\n7 +++ exited with 0 +++\n"
            "8 ????( <unfinished ...>\n8 <... ???? resumed>) = ?",
            [],
        ),
    ],
)
def test_lines_of_strace(lines: str, offences: list[str]) -> None:
    assert parse(lines, "/home").offences(ALLOWED) == offences


@pytest.mark.parametrize("line", ["openat(", "7 openat", "7 what is this", "7 ???() = 3"])
def test_a_line_that_is_not_understood_is_never_passed_over(line: str) -> None:
    with pytest.raises(ValueError, match="strace"):
        parse(line, "/home")
