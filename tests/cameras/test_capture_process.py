"""Captures in processes of their own: what a film or driver may do to them, and that none is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from companion.cameras.capture_process import CaptureError, CaptureProcess, CaptureRequest, Trouble
from tests.cameras.faulty_capture import FAULTY, GOOD
from tests.cameras.processes import LIMIT_S, list_captures, wait_until_gone
from tests.programs import started


@contextmanager
def lying(does: str, **request: object) -> Iterator[CaptureProcess]:
    wanted = {"opens_s": 20.0, "reads_s": 20.0, **request}
    capture = CaptureProcess(CaptureRequest(does, **wanted), "a film", worker_file=FAULTY)  # type: ignore[arg-type]
    try:
        yield capture
    finally:
        capture.close()
        wait_until_gone()


def read_all(capture: CaptureProcess) -> tuple[list[int], Trouble | None]:
    """The shade of each frame, and why no more came; None at the end."""
    shades = []
    try:
        while frame := capture.read():
            shades.append(int(frame[0].mean()))
    except CaptureError as error:
        return shades, error.trouble
    return shades, None


def test_every_frame_of_a_recording_comes_once_however_late_it_is_taken() -> None:
    with lying("goes on") as capture:
        shades = []
        for number in range(40):
            frame = capture.read()
            assert frame is not None
            shades.append(int(frame[0].mean()))
            time.sleep(0.05 if number % 10 == 0 else 0)
    assert shades == list(range(1, 41))


def test_a_recording_ends_and_stays_at_its_end() -> None:
    with lying("ends") as capture:
        assert read_all(capture) == ([1, 2, 3], None)
        assert capture.read() is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "does",
    [
        "raises", "crashes", "is killed", "takes all memory", "grows", "is grey", "reports false sizes",
        "stammers", "shrinks",
    ],
)  # fmt: skip
def test_a_film_takes_nothing_but_its_own_process_with_it(does: str) -> None:
    with lying(does) as capture:
        shades, trouble = read_all(capture)
        assert trouble is Trouble.CRASHED
        assert shades == [1, 2, 3][: len(shades)]


def test_what_crashed_is_in_the_log_without_a_password(caplog: pytest.LogCaptureFixture) -> None:
    with lying("raises") as capture:
        read_all(capture)
    assert "capturing a film ended with status 1" in caplog.text
    assert "the driver fell over" in caplog.text


@pytest.mark.parametrize("does", ["hangs", "prints"])
def test_a_film_that_hangs_costs_its_time_and_no_more(does: str) -> None:
    with lying(does, reads_s=1.0) as capture:
        began = time.monotonic()
        assert read_all(capture) == ([1, 2, 3], Trouble.LATE)
        assert time.monotonic() - began < LIMIT_S


def test_frames_that_are_passed_over_are_no_standstill() -> None:
    """200 frames of 5 ms before the first that is wanted, of which each may take 0.8 s."""
    with lying("goes on", begins_s=48 * 1e-3, reads_s=0.8) as capture:
        assert capture.read() is not None
    with lying("cannot leap", begins_s=1.0, reads_s=5.0) as capture:
        assert capture.read() is None  # it has no more frames than those


def test_opening_has_a_limit_of_its_own() -> None:
    with pytest.raises(CaptureError) as caught, lying("hangs when opened", opens_s=0.3):
        pass
    assert caught.value.trouble is Trouble.LATE
    wait_until_gone()


def test_closing_ends_a_read_on_another_thread_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    with lying("hangs") as capture:
        for _ in range(GOOD):
            capture.read()
        ended: list[object] = []

        def read() -> None:
            try:
                ended.append(capture.read())
            except CaptureError as error:
                ended.append(error)

        reading = threading.Thread(target=read)
        reading.start()
        time.sleep(0.1)
        capture.close()
        reading.join(LIMIT_S)
        assert len(ended) == 1
    assert not caplog.records


HOLDS = """
import sys, time
from companion.cameras.capture_process import CaptureRequest, CaptureProcess
capture = CaptureProcess(CaptureRequest("goes on", 20, 20, live={live}), "a film", worker_file="{worker}")
capture.read()
print(capture._process.pid, flush=True)
{then}
"""


@pytest.mark.slow
@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize("then", ["time.sleep(300)", "sys.exit()", "del capture; time.sleep(300)"])
def test_no_capture_outlives_the_program(then: str, live: bool) -> None:
    script = HOLDS.format(live=live, worker=FAULTY, then=then)
    with started([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as program:
        pid = int(program.stdout.readline())
        if then == "time.sleep(300)":
            program.kill()
        wait_until_gone(pid)


def test_captures_leave_no_file_open() -> None:
    before = len(os.listdir("/proc/self/fd"))
    for does in ("ends", "raises", "stays shut"):
        with suppress(CaptureError), lying(does) as capture:
            read_all(capture)
    assert len(os.listdir("/proc/self/fd")) == before
    assert not list_captures()
