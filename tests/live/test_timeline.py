"""A recorded clip and a device's recorded session on one clock."""

from __future__ import annotations

import random
import time
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from companion.cameras import Frame
from companion.live.timeline import Moment, merge_by_time, read_frames, read_reports
from firmware_bridge.emulator import DiceCup, EmulatedDevice
from firmware_bridge.events import Dice, DicePhase
from firmware_bridge.link import Link
from firmware_bridge.peer import Received

FRAMES_PER_S = 10
MS = 1_000_000


def write_clip(path: Path, frames: int) -> None:
    """A dark clip that is bright from the frame in its middle on."""
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FRAMES_PER_S, (64, 48))
    for number in range(frames):
        video.write(np.full((48, 64, 3), 200 if number >= frames // 2 else 20, np.uint8))
    video.release()


def record_roll(folder: Path) -> Path:
    """The recorded session of a cup that is rolled once, on a real line."""
    file, cup = folder / "session.jsonl", DiceCup(random.Random(1))
    with EmulatedDevice(cup, folder / "cup") as device, Link(str(device.path), record=file) as link:
        wait_for(lambda: link.status().known.complete)
        device.play(lambda t_ms: cup.act(["roll"], t_ms))
        wait_for(lambda: link.status().last and is_roll(link.status().last))
    return file


def wait_for(done) -> None:  # type: ignore[no-untyped-def]
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end
        time.sleep(0.005)


def is_roll(event: object) -> bool:
    message = event.message if isinstance(event, Received) else None
    return isinstance(message, Dice) and message.phase == DicePhase.SETTLED


def test_a_clip_and_a_session_are_merged_by_time(tmp_path: Path) -> None:
    """The throw is in both: in the clip it turns bright, in the session the dice settle."""
    clip = tmp_path / "clip.avi"
    write_clip(clip, 20)
    session = record_roll(tmp_path)
    (rolled,) = [moment for moment in read_reports(session) if is_roll(moment.what)]
    bright = next(moment for moment in read_frames(clip) if moment.what.image.mean() > 100)
    assert bright.t_ns == 10 * 1000 // FRAMES_PER_S * MS
    merged = list(merge_by_time(read_frames(clip), read_reports(session, bright.t_ns - rolled.t_ns)))
    assert len(merged) == 20 + len(list(read_reports(session)))
    assert all(a.t_ns <= b.t_ns for a, b in pairwise(merged))
    at = next(at for at, moment in enumerate(merged) if is_roll(moment.what))
    frames = [moment for moment in merged[:at] if isinstance(moment.what, Frame)]
    assert [moment.what.image.mean() > 100 for moment in frames[-2:]] == [False, True]
    assert merged[at].t_ns == frames[-1].t_ns
    assert {moment.recording for moment in merged} == {str(clip), str(session)}


def test_a_folder_of_pictures_has_times_of_its_own(tmp_path: Path) -> None:
    for name in "ab":
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.zeros((8, 8, 3), np.uint8))
    assert [moment.t_ns for moment in read_frames(tmp_path, -500 * MS)] == [-500 * MS, 500 * MS]


@given(st.lists(st.lists(st.integers(-50, 50)), max_size=4))
def test_merging_keeps_all_moments_and_their_order(recordings: list[list[int]]) -> None:
    streams = [
        [Moment(t, str(number), at) for at, t in enumerate(sorted(times))]
        for number, times in enumerate(recordings)
    ]
    merged = list(merge_by_time(*streams))
    assert sorted(moment.t_ns for moment in merged) == [moment.t_ns for moment in merged]
    for number, stream in enumerate(streams):
        assert [moment for moment in merged if moment.recording == str(number)] == stream
    for a, b in pairwise(merged):
        if a.t_ns == b.t_ns:
            assert int(a.recording) <= int(b.recording)
