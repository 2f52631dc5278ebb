"""`companion track` ended by signals, or before what never answers: it never aborts, and leaves nothing."""

from __future__ import annotations

import fcntl
import os
import random
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.cameras.processes import list_captures, wait_until_gone
from tests.cli.typed_command import wait_for
from tests.programs import LIMIT_S, started

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SOON_S = 20.0
"""In which a command ends after a signal, on a busy machine; a film lasts longer."""
TRACK = [sys.executable, "-m", "companion", "track"]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A long one, of an empty table."""
    path = tmp_path_factory.mktemp("films") / "long.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10.0, (640, 360))
    for number in range(600):
        writer.write(np.full((360, 640, 3), (40, 90, number % 60), np.uint8))
    writer.release()
    return path


@pytest.fixture
def silent_url() -> Iterator[str]:
    """Of a server that accepts every connection, begins an answer and never finishes it."""
    server = socket.create_server(("127.0.0.1", 0))
    kept: list[socket.socket] = []

    def trickle(answer: socket.socket) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: video/mp2t\r\n\r\n"
        try:
            for at in range(10_000):
                answer.send(head[at : at + 1] or b"\0")
                time.sleep(0.05)
        except OSError:
            pass

    def accept() -> None:
        try:
            while True:
                kept.append(server.accept()[0])
                if len(kept) % 2:
                    threading.Thread(target=trickle, args=(kept[-1],), daemon=True).start()
        except OSError:
            pass

    threading.Thread(target=accept, daemon=True).start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}/stream"
    for each in [server, *kept]:
        each.close()


def end_at_random(arguments: list[str], data: Path, count: int, statuses: tuple[int, ...]) -> None:
    """Start the command and send it a signal, `count` times; its status is one of these, or of a signal that
    came before there were handlers, or before it followed anything.
    """
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    for number in range(count):
        how = SIGNALS[number % 3]
        with started(
            [*TRACK, *arguments], env=os.environ | {"COMPANION_DATA": str(data)},
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        ) as program:  # fmt: skip
            time.sleep(rng.uniform(0.2, 4.0))
            program.send_signal(how)
            sent = time.monotonic()
            said = program.stderr.read()
            program.wait(LIMIT_S)
        assert time.monotonic() - sent < SOON_S, how
        assert program.returncode in (-how, 128 + how, *statuses), (how, said)
        if program.returncode != -how:
            assert "Traceback" not in said, said
            assert "terminate" not in said, said
        wait_until_gone(*list_captures(data) or [-1])


@pytest.mark.long
def test_a_signal_at_any_moment_ends_the_following(film: Path, tmp_path: Path, signals: int) -> None:
    """The game is free again each time, and can be read."""
    end_at_random([str(film), "--rules", "hefei", "--game", "evening"], tmp_path, signals, (0, 3))
    shown = subprocess.run(
        [*TRACK[:-1], "games", "list"], env=os.environ | {"COMPANION_DATA": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (shown.returncode, shown.stderr) == (0, "")


@pytest.mark.long
def test_a_signal_at_any_moment_ends_the_opening_of_a_stream(
    silent_url: str, tmp_path: Path, signals: int
) -> None:
    end_at_random([silent_url, "--rules", "hefei"], tmp_path, signals, (0,))


@pytest.mark.slow
@pytest.mark.long
def test_a_stream_that_never_finishes_opening_is_one_sentence(silent_url: str, tmp_path: Path) -> None:
    """Twice: one that answers nothing, one that trickles."""
    for _ in range(2):
        ended = subprocess.run(
            [*TRACK, silent_url, "--rules", "hefei"], env=os.environ | {"COMPANION_DATA": str(tmp_path)},
            capture_output=True, text=True, timeout=LIMIT_S, check=False,
        )  # fmt: skip
        assert ended.returncode == 3
        assert ended.stderr == (
            f"companion: The stream {silent_url} cannot be opened: check its address and password, and"
            " whether it is switched on.\n"
        )


@pytest.mark.slow
def test_a_terminal_that_is_closed_ends_what_runs_in_it(film: Path, tmp_path: Path) -> None:
    """What it still has to print goes nowhere, and is no fault of the program."""
    terminal, inside = os.openpty()
    with started(
        [*TRACK, str(film), "--rules", "hefei"], env=os.environ | {"COMPANION_DATA": str(tmp_path)},
        stdin=inside, stdout=inside, stderr=inside, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    ) as program:  # fmt: skip
        os.close(inside)
        wait_for(lambda: bool(list_captures(tmp_path)))
        os.close(terminal)
        assert program.wait(SOON_S) in (0, 128 + signal.SIGHUP)
    assert not (tmp_path / "log").exists()
    wait_until_gone(*list_captures(tmp_path) or [-1])


@pytest.mark.slow
def test_a_program_that_is_killed_leaves_no_capture(film: Path, tmp_path: Path) -> None:
    with started(
        [*TRACK, str(film), "--rules", "hefei"], env=os.environ | {"COMPANION_DATA": str(tmp_path)}
    ) as program:
        wait_for(lambda: bool(list_captures(tmp_path)))
        captures = list_captures(tmp_path)
        program.kill()
    wait_until_gone(*captures)
