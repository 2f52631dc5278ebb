"""What is known of webcams is kept by their ids, and a damaged file costs no more than that."""

from __future__ import annotations

from pathlib import Path

from companion.cameras import remembered
from companion.cameras.remembered import Webcam


def test_what_is_known_is_kept_by_its_id(own_data_folder: Path) -> None:
    assert remembered.load("desk") == Webcam()
    remembered.keep("desk", size=(1280, 720))
    remembered.keep("desk", mains_hz=60)
    remembered.keep("shelf", size=(1920, 1080))
    assert remembered.load("desk") == Webcam((1280, 720), 60)
    assert remembered.load("shelf") == Webcam((1920, 1080))
    file = own_data_folder / "webcams.json"
    assert file.stat().st_mode & 0o077 == 0
    for damage in (b"{", b'{"webcams": {"desk": {"mains_hz": 55}}}', b'{"webcams": 5}'):
        file.write_bytes(damage)
        assert remembered.load("desk") == Webcam()
    remembered.keep("desk", size=(1280, 720))
    assert remembered.load("desk") == Webcam((1280, 720))


def test_no_more_than_some_are_kept() -> None:
    for number in range(remembered.WEBCAMS_MAX + 1):
        remembered.keep(f"camera {number}", size=(1280, 720))
    assert remembered.load("camera 0") == Webcam()
    assert remembered.load("camera 1") == Webcam((1280, 720))
