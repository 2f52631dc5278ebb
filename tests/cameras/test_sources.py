"""Sources of pictures: real files, and a real stream of JPEG pictures over HTTP."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cameras import sources
from companion.cameras.frames import Frame
from companion.cameras.recorded import JUMP_S, SteadyClock
from companion.cameras.sources import Broken, LiveSource, hide_password, open_source, open_stream
from companion.errors import CameraError, CompanionError, InputError
from companion.images import Image
from tests.cameras.processes import wait_until_gone
from tests.streams import PERIOD_S, RtspPictures, StreamedPictures, served_files

SHADES = (20, 90, 160, 230)
KINDS = (StreamedPictures, RtspPictures)
MANY = 1000
Begin = Callable[..., StreamedPictures]
CERTIFICATES = Path(__file__).parent
"""Each with its key, made for the name of its file, and trusted by no machine."""


def flat(shade: int) -> Image:
    return np.full((48, 64, 3), shade, np.uint8)


def shade_of(frame: Frame) -> int:
    return round(float(frame.image.mean()))


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "four.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for shade in SHADES:
        writer.write(flat(shade))
    writer.release()
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "pictures"
    path.mkdir()
    for number, shade in enumerate(SHADES):
        cv2.imwrite(str(path / f"{number}.png"), flat(shade))
    (path / "notes.txt").write_text("not a picture")
    return path


@pytest.mark.parametrize(("name", "step_ns"), [("video", 100_000_000), ("folder", 1_000_000_000)])
def test_a_recording_gives_every_picture_with_its_place(
    request: pytest.FixtureRequest, name: str, step_ns: int
) -> None:
    with open_source(str(request.getfixturevalue(name))) as source:
        ahead = [look.t_ns for look in source.read_ahead()]
        samples = [shade_of(look) for look in source.read_samples()]
        looks = list(source.read_frames())
        assert not source.is_live
    assert samples[0] == pytest.approx(SHADES[2] if name == "video" else SHADES[0], abs=3)
    assert all(isinstance(look, Frame) for look in looks)
    assert [look.t_ns for look in looks] == ahead == [step_ns * at for at in range(4)]


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("absent.mp4", 2, "There is no"),
        ("text.mp4", 2, "is not a video, or has no picture"),
        ("cut.mp4", 2, "'cut.mp4' is a video that is broken off or cannot be read"),
        ("empty", 2, "has no readable picture"),
        ("/dev/video77", 3, "No camera '/dev/video77'"),
        ("77", 3, "No camera '77'"),
        (
            "rtsp://127.0.0.1:9/live/…",
            2,
            "rtsp://127.0.0.1:9/live/… is an address with its secret parts hidden",
        ),
        ("http://127.0.0.1:9/stream", 3, "The stream http://127.0.0.1:9/stream cannot be opened"),
    ],
)
def test_what_is_no_source_gets_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, status: int, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.mp4").write_text("this is no video")
    (tmp_path / "cut.mp4").write_bytes(b"\x00\x00\x00\x1cftypisom\x00\x00\x02\x00" + bytes(1000))
    with pytest.raises(CompanionError, match=said) as caught:
        open_source(name)
    assert caught.value.exit_status == status
    assert "\n" not in str(caught.value)


def test_a_password_is_never_shown() -> None:
    assert hide_password("rtsp://ann:secret@cam.local:554/1") == "rtsp://cam.local:554/1"
    with pytest.raises(CameraError) as caught:
        open_source("http://ann:secret@127.0.0.1:9/")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("places", [(0, 1, 2, 1, 2), (0, 1, 2, 2 + JUMP_S, 3 + JUMP_S), (5, 6, 7, 7, 8)])
def test_a_clock_that_jumps_goes_on_steadily(places: tuple[float, ...]) -> None:
    clock = SteadyClock()
    assert [clock.count(place, 1.0) for place in places] == [0, 1, 2, 3, 4]


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    monkeypatch.setattr(sources, "RETRY_S", 0.05)
    begun: list[StreamedPictures] = []

    def make(
        port: int = 0, kind: type[StreamedPictures] = StreamedPictures, **options: object
    ) -> StreamedPictures:
        begun.append(kind(flat(SHADES[0]), port, **options))  # type: ignore[arg-type]
        return begun[-1]

    yield make
    for each in begun:
        each.stop()


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_gives_the_newest_picture(begin: Begin, kind: type[StreamedPictures]) -> None:
    camera = begin(kind=kind)
    with open_source(camera.url) as source:
        assert source.is_live
        looks = source.read_frames()
        first = next(looks)
        assert isinstance(first, Frame)
        assert (first.t_ns, abs(shade_of(first) - SHADES[0]) < 5) == (0, True)
        camera.picture = flat(SHADES[3])
        camera.wait_until_sent(20)  # nobody takes these: all but the last are dropped
        fresh = [next(looks) for _ in range(2)][-1]
        assert isinstance(fresh, Frame)
        assert abs(shade_of(fresh) - SHADES[3]) < 5
        assert fresh.t_ns > 15 * PERIOD_S * 1e9


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_that_breaks_is_lost_and_comes_back(begin: Begin, kind: type[StreamedPictures]) -> None:
    camera = begin(kind=kind)
    with open_source(camera.url) as source:
        looks = source.read_frames()
        next(looks)
        camera.stop()
        broken = next(look for look in looks if isinstance(look, Broken))
        assert camera.url in str(broken.why)
        begin(camera.port, kind=kind)
        back = next(look for look in looks if isinstance(look, Frame))
        assert back.t_ns > broken.t_ns


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_that_falls_silent_is_lost_within_seconds_and_comes_back(
    begin: Begin, kind: type[StreamedPictures], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "STREAM_SILENT_S", 1.0)
    camera = begin(kind=kind)
    with open_source(camera.url) as source:
        looks = source.read_frames()
        next(looks)
        camera.is_silent.set()
        assert any(isinstance(look, Broken) for look in islice(looks, MANY))
        camera.is_silent.clear()
        assert any(isinstance(look, Frame) for look in islice(looks, MANY))


@pytest.mark.parametrize("scheme", ["http", "rtsp"])
def test_a_camera_that_never_answers_is_waited_for_no_longer(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "STREAM_OPENS_S", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"{scheme}://127.0.0.1:{mute.getsockname()[1]}/"
        with pytest.raises(CameraError, match="cannot be opened: check its address"):
            open_source(url)
    wait_until_gone()


@pytest.mark.parametrize("kind", KINDS)
def test_a_password_is_in_no_sentence_and_no_log(
    begin: Begin,
    kind: type[StreamedPictures],
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level("DEBUG")
    camera = begin(kind=kind, password="ann:s3cret")
    said = []
    with open_source(camera.url.replace("://", "://ann:s3cret@")) as source:
        looks = source.read_frames()
        assert isinstance(next(looks), Frame)
        camera.stop()
        said += [next(look.why for look in looks if isinstance(look, Broken)) for _ in range(2)]
    camera = begin(kind=kind, password="ann:other")
    with pytest.raises(CameraError) as caught:
        open_source(camera.url.replace("://", "://ann:s3cret@"))
    shown = f"{source.name} {said} {caught.value!r} {caught.value} {caplog.text} {capfd.readouterr()}"
    assert "s3cret" not in shown
    assert "check its address and password" in str(caught.value)


def test_a_video_file_of_the_network_is_to_be_downloaded(tmp_path: Path) -> None:
    writer = cv2.VideoWriter(str(tmp_path / "film.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 10.0, (64, 48))
    for shade in SHADES:
        writer.write(flat(shade))
    writer.release()
    with served_files(tmp_path) as url, pytest.raises(InputError, match="is a video file, not a") as caught:
        open_source(f"{url}film.mp4".replace("://", "://ann:secret@"))
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("scheme", ["https", "rtsps"])
@pytest.mark.parametrize(
    ("certificate", "trusted"),
    [("localhost", None), ("localhost", "camera.test"), ("camera.test", "camera.test")],
    ids=["self-signed", "not trusted", "of another name"],
)
def test_a_stream_whose_certificate_does_not_fit_is_asked_for_nothing(
    begin: Begin,
    monkeypatch: pytest.MonkeyPatch,
    scheme: str,
    certificate: str,
    trusted: str | None,
) -> None:
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / f"{trusted}.pem"))
    camera = begin(certificate=CERTIFICATES / f"{certificate}.pem")
    with pytest.raises(CameraError, match=r"certificate") as caught:
        open_source(f"{scheme}://ann:secret@localhost:{camera.port}/")
    assert "secret" not in str(caught.value)
    assert camera.asked == 0


def test_a_stream_with_a_trusted_certificate_is_read(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "localhost.pem"))
    with open_stream(begin(certificate=CERTIFICATES / "localhost.pem").url) as camera:
        assert camera.read().image.shape == (48, 64, 3)


@pytest.mark.parametrize("scheme", ["https", "HTTPS", "rtsps"])
@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "[::1]"])
def test_an_encrypted_stream_needs_a_name(
    begin: Begin, monkeypatch: pytest.MonkeyPatch, scheme: str, host: str
) -> None:
    """FFmpeg takes any trusted certificate for a number, whoever it was made for."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "camera.test.pem"))
    camera = begin(certificate=CERTIFICATES / "camera.test.pem")
    with pytest.raises(InputError, match=r"name of its host") as caught:
        open_source(f"{scheme}://ann:secret@{host}:{camera.port}/")
    assert "secret" not in str(caught.value)
    assert camera.asked == 0


@pytest.mark.parametrize("host", ["[::1", "[v1.x]", "a" * 300, "é" * 70, "%31", ""])
def test_an_encrypted_stream_at_an_odd_host_is_one_sentence(host: str) -> None:
    with pytest.raises((CameraError, InputError)) as caught:
        open_source(f"https://ann:secret@{host}/x")
    assert "secret" not in str(caught.value)


class PluggedOut:
    """A camera that gives two pictures and is then pulled out; opening it again fails once."""

    def __init__(self) -> None:
        self.opened = 0
        self.now_ns = 0

    def open(self) -> PluggedOut:
        self.opened += 1
        if self.opened == 2:
            raise CameraError("The camera is out.")
        self.left = 2
        return self

    def read(self) -> Frame:
        if not self.left:
            raise CameraError("The camera was pulled out.")
        self.left -= 1
        self.now_ns += 10**9
        return Frame(flat(20), self.now_ns)

    def close(self) -> None: ...


def test_a_camera_that_is_pulled_out_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "RETRY_S", 0.0)
    camera = PluggedOut()
    source = LiveSource("usb", camera.open, clock=lambda: camera.now_ns)  # type: ignore[arg-type]
    looks = source.read_frames()
    kinds = [next(looks) for _ in range(6)]
    assert [type(each) for each in kinds] == [Frame, Frame, Broken, Broken, Frame, Frame]
    assert [each.t_ns // 10**9 for each in kinds] == [0, 1, 1, 1, 2, 3]
    source.close()
    assert list(looks) == []


class Silent(PluggedOut):
    """A camera that opens and gives no picture."""

    def open(self) -> Silent:
        return self

    def read(self) -> Frame:
        self.now_ns += 10**9
        raise CameraError("The camera sends no pictures.")


def test_a_camera_that_never_gives_a_picture_is_lost_for_longer_and_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sources, "RETRY_S", 0.0)
    camera = Silent()
    source = LiveSource("usb", camera.open, clock=lambda: camera.now_ns)  # type: ignore[arg-type]
    looks = source.read_frames()
    assert [next(looks).t_ns // 10**9 for _ in range(3)] == [0, 1, 2]


def test_the_stream_opens_as_a_camera(begin: Begin) -> None:
    with open_stream(begin().url) as camera:
        assert camera.read().image.shape == (48, 64, 3)
