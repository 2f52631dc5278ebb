"""The phone as the table's camera: one picture after the other, each when it is wanted."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cameras import phone as phones
from companion.cameras.frames import Frame
from companion.cameras.phone import NO_PHONE, PhonePictures
from companion.cameras.sources import Broken, LiveSource
from companion.errors import CameraError
from companion.serve import messages, phone_camera
from tests.programs import LIMIT_S
from tests.serve.served import Table, serving, wait_until


@pytest.fixture(autouse=True)
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(phone_camera, "WAIT_S", 0.2)
    monkeypatch.setattr(phones, "SILENT_S", 0.3)


@pytest.fixture
def pictures() -> PhonePictures:
    return PhonePictures()


@pytest.fixture
def table(pictures: PhonePictures) -> Iterator[Table]:
    with serving(lan=True, pictures=pictures) as made:
        yield made


def jpeg(grey: int = 90, size: tuple[int, int] = (1080, 1920)) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((*size, 3), grey, np.uint8))[1])


def send(
    table: Table, picture: bytes | None = None, phone: str = "phoneofann", **more: Any
) -> tuple[int, dict[str, Any]]:
    """The answer to a picture: its status and what it says."""
    path = f"/camera?token={table.server.token}&phone={phone}"
    answer, body = table.ask(path, "POST", picture, **more)
    return answer.status, json.loads(body)


def test_a_picture_is_asked_for_when_it_is_wanted_and_the_next_when_that_was_read(
    table: Table, pictures: PhonePictures
) -> None:
    assert send(table) == (200, {"version": 1, "send": False, "used": False})
    with pictures.open() as camera:
        assert send(table) == (200, {"version": 1, "send": True, "used": True})
        assert send(table, jpeg(90)) == (200, {"version": 1, "send": False, "used": True}), "none is read yet"
        frame = camera.read()
        assert frame.image.shape == (1080, 1920, 3)
        assert abs(int(frame.image.mean()) - 90) <= 1
        assert 0 <= time.monotonic_ns() - frame.t_ns < LIMIT_S * 10**9
        assert send(table)[1]["send"], "at once, before the next is read"
        with ThreadPoolExecutor() as pool:
            waiting = pool.submit(camera.read)
            send(table, jpeg(120))
            assert abs(int(waiting.result(LIMIT_S).image.mean()) - 120) <= 1
    assert send(table)[1] == {"version": 1, "send": False, "used": False}


def test_the_answer_comes_as_soon_as_a_picture_is_wanted(
    table: Table, pictures: PhonePictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phone_camera, "WAIT_S", LIMIT_S)
    monkeypatch.setattr(phone_camera, "LOOK_S", LIMIT_S)
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(send, table)
        wait_until(lambda: pictures.is_there)
        assert not answer.done()
        with pictures.open():
            assert answer.result(LIMIT_S)[1]["send"]


def test_a_picture_that_waited_too_long_is_not_read(
    table: Table, pictures: PhonePictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phones, "STALE_NS", 0)
    with pictures.open() as camera:
        send(table)
        send(table, jpeg())
        with pytest.raises(CameraError, match="sends no pictures"):
            camera.read()


def test_pictures_that_nobody_asked_for_are_refused_unread(
    table: Table, pictures: PhonePictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phone_camera, "decode_frame", lambda _: pytest.fail("it was decoded"))
    status, said = send(table, jpeg())
    assert (status, said["error"]) == (429, messages.NOT_ASKED)
    assert not pictures.is_wanted


def test_no_more_pictures_are_asked_for_than_a_table_needs(
    table: Table, pictures: PhonePictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phone_camera, "PER_SECOND_MAX", 4)
    small = jpeg(size=(600, 800))
    with pictures.open() as camera:
        began_s = time.monotonic()
        for _ in range(3):
            while not send(table)[1]["send"]:
                pass
            send(table, small)
            camera.read()
        assert time.monotonic() - began_s >= 2 / 4


BAD = {
    "garbage": (b"\0" * 1000, 422),
    "a PNG": (bytes(cv2.imencode(".png", np.zeros((9, 9, 3), np.uint8))[1]), 422),
    "half a JPEG": (jpeg()[:2000], 422),
    "a JPEG in name only": (b"\xff\xd8\xff" + b"x" * 100, 422),
    "too many pixels": (jpeg(size=(4000, 4000)), 422),
    "too many bytes": (jpeg() + bytes(5_000_000), 413),
    "100 MB": (bytes(100_000_000), 413),
}


@pytest.mark.parametrize("bad", BAD)
def test_what_is_not_a_picture_of_a_camera_ends_in_a_sentence(
    table: Table, pictures: PhonePictures, bad: str
) -> None:
    content, expected = BAD[bad]
    with pictures.open() as camera:
        assert send(table)[1]["send"]
        status, said = send(table, content)
        assert (status, said["version"]) == (expected, 1)
        assert said["error"].endswith(".")
        assert "/" not in said["error"]
        assert send(table)[1]["send"], "the next one is welcome"
        send(table, jpeg())
        assert camera.read().image.shape[0] == 1080


def test_a_phone_whose_pictures_are_too_small_is_named(table: Table, pictures: PhonePictures) -> None:
    with pictures.open() as camera:
        send(table)
        send(table, jpeg(size=(480, 640)))
        with pytest.raises(CameraError, match="Phone gives 640×480"):
            camera.read()


def test_one_phone_is_the_camera_until_it_leaves(
    table: Table, pictures: PhonePictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pictures.open() as camera:
        assert send(table, phone="aaaaaaaa")[1]["send"]
        status, said = send(table, phone="bbbbbbbb")
        assert (status, said["error"]) == (409, messages.OTHER_PHONE)
        assert send(table, jpeg(), phone="aaaaaaaa")[0] == 200
        camera.read()
        monkeypatch.setattr(phone_camera, "HOLD_S", 0.05)
        send(table, phone="aaaaaaaa")
        time.sleep(0.1)
        assert not pictures.is_there
        assert send(table, phone="bbbbbbbb")[1]["send"]
        assert send(table, jpeg(), phone="aaaaaaaa")[0] in (409, 429), "what it was asked for is no longer"


def test_a_phone_that_hangs_up_leaves_at_once(
    table: Table, pictures: PhonePictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phone_camera, "WAIT_S", LIMIT_S)
    monkeypatch.setattr(phone_camera, "LOOK_S", 0.02)
    with table.open_socket() as waiting:
        path = f"/camera?token={table.server.token}&phone=aaaaaaaa"
        waiting.sendall(
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\nContent-Length: 0\r\n\r\n".encode()
        )
        wait_until(lambda: pictures.is_there)
    wait_until(lambda: not pictures.is_there)
    monkeypatch.setattr(phone_camera, "WAIT_S", 0.1)
    assert send(table, phone="bbbbbbbb")[0] == 200


@pytest.mark.parametrize("name", ["", "short", "x" * 41, "../../../../etc"])
def test_a_phone_without_a_name_is_refused(table: Table, name: str) -> None:
    status, said = send(table, phone=name)
    assert (status, said["error"]) == (400, messages.NO_REQUEST)


def test_pages_of_other_sites_and_strangers_send_nothing(table: Table, pictures: PhonePictures) -> None:
    with pictures.open():
        status, said = send(table, jpeg(), Origin="https://evil.example")
        assert (status, said["error"]) == (403, messages.OTHER_ORIGIN)
        status, said = send(table, jpeg(), Host="evil.example")
        assert (status, said["error"]) == (421, messages.OTHER_HOST)
        answer, body = table.ask("/camera?phone=aaaaaaaa", "POST", jpeg())
        assert (answer.status, body) == (403, b"")
        assert not pictures.is_there


def test_a_page_without_a_table_camera_says_that_it_is_not_used() -> None:
    with serving(lan=True) as table:
        assert send(table) == (200, {"version": 1, "send": False, "used": False})
        assert send(table, jpeg())[0] == 429


def test_the_page_is_told_where_it_is_encrypted(table: Table) -> None:
    encrypted = table.server.encrypted
    assert encrypted is not None
    described = table.ask_json(f"/camera?token={table.server.token}")
    assert described["encrypted"] == {"address": encrypted.address, "fingerprint": encrypted.fingerprint}


def test_a_phone_that_goes_away_is_a_sentence_and_following_resumes_when_it_is_back(
    pictures: PhonePictures,
) -> None:
    came = threading.Event()
    pictures.call_when_there(came.set)
    with LiveSource("phone", pictures.open, retry_max_s=0.05) as source:
        frames = source.read_frames()
        lost = next(frames)
        assert isinstance(lost, Broken)
        assert lost.why.template == NO_PHONE
        assert not came.is_set()
        pictures.note_phone(5.0)
        assert came.wait(LIMIT_S)
        seen: Frame | Broken = lost
        while isinstance(seen, Broken):
            pictures.put(np.zeros((1080, 1920, 3), np.uint8))
            seen = next(frames)
    assert not pictures.is_read


def test_closing_the_page_lets_a_waiting_phone_go(
    pictures: PhonePictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phone_camera, "WAIT_S", LIMIT_S)
    monkeypatch.setattr(phone_camera, "LOOK_S", LIMIT_S)
    with ThreadPoolExecutor() as pool, serving(lan=True, pictures=pictures) as table:
        answer = pool.submit(send, table)
        wait_until(lambda: pictures.is_there)
        table.server.close()
        assert not answer.result(LIMIT_S)[1]["send"]
