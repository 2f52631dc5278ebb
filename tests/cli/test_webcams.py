"""Commands with webcams that cannot be used: one sentence with what to do, status 3."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from lab.film.customs import Pose
from tests.cameras.fake_cameras import EXPOSURE_AUTO, FOCUS_AUTO, FULL, HALF, SMALL, FakeCameras
from tests.programs import started
from tests.seeing.table_frames import draw_frame

pytestmark = pytest.mark.slow
TRACK = ("track", "0", "--rules", "hefei", "--json")


def run(cameras: FakeCameras, *command: str) -> tuple[int, str, str]:
    """Status, output and the sentence."""
    program = cameras.run(sys.executable, "-m", "companion", *command)
    assert program.stderr.count("\n") == 1, program.stderr
    return program.returncode, program.stdout, program.stderr


@pytest.mark.parametrize(
    ("modes", "does", "sentence"),
    [
        ((), "", "No camera '0', and no other one is connected: plug it in."),
        (
            (SMALL,),
            "",
            "gives 640×480: even from straight above, discards are 19 px high, and 23 are needed.",
        ),
        ((SMALL, FULL), "busy", "The camera HD Webcam (/dev/video0) is used by another program: close"),
        ((SMALL, FULL), "silent", "The camera HD Webcam (/dev/video0) sends no pictures: plug it in again"),
    ],
)
def test_a_game_cannot_be_followed(
    fake_cameras: FakeCameras, modes: tuple[tuple[str, int, int, int], ...], does: str, sentence: str
) -> None:
    if modes:
        fake_cameras.plug(0, *modes, does=(does,))
    status, out, said = run(fake_cameras, *TRACK)
    assert (status, out) == (3, "")
    assert sentence in said


def test_the_doctor_checks_a_camera(fake_cameras: FakeCameras) -> None:
    fake_cameras.plug(0, SMALL, name="Old Webcam", id="usb-Old")
    status, out, said = run(fake_cameras, "doctor", "--camera", "--json")
    document = json.loads(out)
    assert (status, document["camera"], document["ok"]) == (3, "Old Webcam (/dev/video0)", False)
    checks = {each["what"]: each for each in document["checks"]}
    assert list(checks) == [
        "resolution", "table", "tile size", "obliqueness", "sharpness", "exposure", "glare", "flicker",
    ]  # fmt: skip
    assert checks["resolution"] == {
        "what": "resolution", "value": 480, "shown": "640×480", "ok": False,
        "to_do": "Discards are 19 px high at best, and 23 are needed: use a camera, or a setting of it, with"
        " at least 1280×720.",
    }  # fmt: skip
    assert checks["flicker"]["ok"]
    assert said.startswith("companion: Not right: Resolution, Table corners")
    fake_cameras.plug(1, SMALL, HALF, id="usb-New")
    shown = run(fake_cameras, "doctor", "--camera", "1")[1]
    assert "1280×720" in shown
    assert "Tile size" in shown


@pytest.mark.long
def test_a_table_is_followed_and_the_camera_held_meanwhile(fake_cameras: FakeCameras, tmp_path: Path) -> None:
    picture = tmp_path / "table.jpg"
    cv2.imwrite(str(picture), draw_frame(Pose.CORNER, 11, 0.6).image)
    controls = {FOCUS_AUTO: 1, EXPOSURE_AUTO: 3}
    fake_cameras.plug(0, SMALL, HALF, FULL, pictures={(1920, 1080): picture}, controls=controls)
    command = [sys.executable, "-m", "companion", "track", "0", "--rules", "hong_kong", "--json"]
    env = os.environ | fake_cameras.env
    with started(command, env=env, stdout=subprocess.PIPE, text=True, limit_s=300) as program:
        discards = 0
        for line in program.stdout:
            discards += json.loads(line).get("event", {}).get("event") == "discarded"
            if discards >= 5 and f"control {EXPOSURE_AUTO:#010x} 1" in fake_cameras.log:
                break
        program.send_signal(signal.SIGINT)
        program.communicate()
    assert fake_cameras.log[-2:] == [f"control {EXPOSURE_AUTO:#010x} 3", f"control {FOCUS_AUTO:#010x} 1"]
