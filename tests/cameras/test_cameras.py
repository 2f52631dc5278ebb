"""Which cameras there are: read from files laid out as Linux does, and from what this machine has."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cameras import CameraInfo, find_id, list_cameras, open_camera
from companion.cameras.connected import _captures
from companion.cameras.v4l2 import DEVICE_CAPS, VIDEO_CAPTURE, is_capture
from companion.errors import CameraError

METADATA_NODE = 0x00800000  # V4L2_CAP_META_CAPTURE


def test_only_nodes_that_capture_are_cameras() -> None:
    both = DEVICE_CAPS | VIDEO_CAPTURE | METADATA_NODE
    assert is_capture(both, VIDEO_CAPTURE)
    assert not is_capture(both, METADATA_NODE)
    assert is_capture(VIDEO_CAPTURE, 0)  # an old driver, which knows only the device
    assert not is_capture(0x2, 0)  # an output


def test_names_and_order_come_from_sysfs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("video10", "video2", "video3"):
        (tmp_path / "sys" / name).mkdir(parents=True)
        (tmp_path / "sys" / name / "name").write_text(f"Camera of {name}\n")
    monkeypatch.setattr("companion.cameras.connected._captures", lambda device, node: node.name != "video3")
    assert list_cameras(tmp_path / "sys", Path("/dev")) == (
        CameraInfo("/dev/video2", "Camera of video2"),
        CameraInfo("/dev/video10", "Camera of video10"),
    )


def test_the_video_devices_of_a_raspberry_pi_are_no_cameras(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They capture raw data and convert pictures; rpicam-vid lists its cameras."""
    names = ("unicam-image", "rp1-cfe-csi2_ch0", "bcm2835-isp-capture0", "pispbe-output", "HD Webcam")
    for number, name in enumerate(names):
        (tmp_path / f"video{number}").mkdir()
        (tmp_path / f"video{number}" / "name").write_text(f"{name}\n")
    monkeypatch.setattr("companion.cameras.connected._captures", lambda device, node: True)
    assert [camera.name for camera in list_cameras(tmp_path, Path("/dev"))] == ["HD Webcam"]


def test_a_file_that_is_no_camera_is_not_listed(tmp_path: Path) -> None:
    node = tmp_path / "sys" / "video0"
    node.mkdir(parents=True)
    (tmp_path / "video0").write_bytes(b"")
    assert not _captures(tmp_path / "video0", node)
    assert not _captures(tmp_path / "absent", node)
    assert list_cameras(tmp_path / "sys", tmp_path) == ()


def test_a_number_a_device_and_a_link_to_it_are_one_camera(tmp_path: Path) -> None:
    link = tmp_path / "usb-camera"
    link.symlink_to("/dev/video0")
    assert [find_id(each) for each in ("0", "00", "/dev/video0", str(link))] == ["/dev/video0"] * 4
    for other in ("/dev/video1", "file:/dev/video0", "kitchen", ""):
        assert find_id(other) == other


def test_a_system_without_cameras(tmp_path: Path) -> None:
    assert list_cameras(tmp_path / "absent") == ()


@pytest.mark.parametrize("camera", ["/dev/video99", "99", "kitchen", "", "/dev", "/etc/passwd"])
def test_an_absent_camera_is_refused_at_once(camera: str) -> None:
    with pytest.raises(CameraError, match="No camera") as caught:
        open_camera(camera)
    assert f"'{camera}'" in str(caught.value)


def test_a_device_that_is_no_camera() -> None:
    with pytest.raises(CameraError, match="cannot be opened"):
        open_camera("/dev/null")
