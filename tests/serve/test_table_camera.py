"""The table's camera in a real browser whose camera shows a film: pictures come by HTTPS, `track` follows."""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import cv2
import numpy as np
import pytest
from selenium import webdriver

from companion.cameras.phone import PhoneCamera, PhonePictures
from companion.errors import CameraError
from companion.recorded_demo import __path__ as demo_folder
from tests.programs import LIMIT_S, started
from tests.serve.browsers import open_browser, resize, turn_network
from tests.serve.served import Table, serving, wait_until

FILM = Path(next(iter(demo_folder))) / "game.mp4"
FILM_RATE, CAMERA_RATE = 10, 30
"""Frames a second of the film, and of Chromium's camera."""
BEGINNING_FRAMES, SLOWER = 80, 4
"""Of the film with three discards; played slowly, again and again, so that a busy machine sees them."""
PHONE = (390, 844)
SAID = "return document.querySelector('main [data-part=filmed]').textContent"
FILMING, NOT_USED = "The table follows this camera.", "The table does not use a phone as its camera now"
WRITES = bool(os.environ.get("COMPANION_PICTURES"))
PICTURE = Path(__file__).parents[2] / "docs/pictures/phone-camera.jpg"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))


@pytest.fixture
def pictures() -> PhonePictures:
    return PhonePictures()


@pytest.fixture
def table(pictures: PhonePictures) -> Iterator[Table]:
    with serving(lan=True, pictures=pictures) as made:
        made.show(1)
        yield made


def write_film(path: Path, frames: int, slower: int = 1) -> Path:
    """The first frames of the demo's film, as Chromium's camera takes it: JPEGs one after the other."""
    film = cv2.VideoCapture(str(FILM))
    with path.open("wb") as file:
        for _ in range(frames):
            jpeg = bytes(cv2.imencode(".jpg", film.read()[1], [cv2.IMWRITE_JPEG_QUALITY, 85])[1])
            file.write(jpeg * (slower * CAMERA_RATE // FILM_RATE))
    return path


def open_phone(folder: Path, film: Path) -> AbstractContextManager[webdriver.Chrome]:
    """A browser with that film for its camera, which asks about neither the camera nor the certificate."""
    return open_browser(
        folder, "--ignore-certificate-errors", "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream", f"--use-file-for-fake-video-capture={film}",
    )  # fmt: skip


def show_camera(browser: webdriver.Chrome, address: str) -> None:
    resize(browser, *PHONE)
    browser.get(f"{address}&language=en&view=camera")
    touch(browser)


def touch(browser: webdriver.Chrome) -> None:
    key = "const key = document.querySelector('main [data-key=film]'); key?.click(); return Boolean(key)"
    wait_until(lambda: bool(browser.execute_script(key)))


def wait_for_saying(browser: webdriver.Chrome, said: str) -> None:
    wait_until(lambda: str(browser.execute_script(SAID)).startswith(said))


def encrypted(table: Table) -> str:
    page = table.server.encrypted
    assert page is not None
    return page.address


@pytest.mark.long
def test_pictures_come_as_they_are_read_and_again_after_the_wifi_was_gone(
    table: Table, pictures: PhonePictures, tmp_path: Path
) -> None:
    film = write_film(tmp_path / "film.mjpeg", frames=3)
    with open_phone(tmp_path / "phone", film) as browser, open_phone(tmp_path / "other", film) as other:
        show_camera(browser, encrypted(table))
        wait_for_saying(browser, NOT_USED)
        with pictures.open() as camera:
            first, second = camera.read(), camera.read()
            assert first.image.shape == (1080, 1920, 3)
            assert first.t_ns < second.t_ns
            shown = cv2.VideoCapture(str(FILM)).read()[1]
            assert np.abs(first.image.astype(int) - shown).mean() < 20
            wait_for_saying(browser, FILMING)
            show_camera(other, encrypted(table))
            wait_for_saying(other, "Another phone is the table's camera.")
            turn_network(browser, on=False)
            with pytest.raises(CameraError, match="sends no pictures"):
                read_on(camera)
        wait_for_saying(other, NOT_USED)
        other.execute_script("set('view', 'table')")
        assert other.execute_script("return isFilming") is False
        turn_network(browser, on=True)
        with pictures.open() as camera:
            wait_until(lambda: reads(camera.read))
            wait_for_saying(browser, FILMING)
        touch(browser)
        assert browser.execute_script("return viewfinder.srcObject") is None
        browser.execute_script("film(); stopFilming(); film(); stopFilming(); film(); stopFilming()")
        wait_until(lambda: not pictures.is_there)
        assert browser.execute_script("return viewfinder.srcObject") is None
        assert [entry for entry in browser.get_log("browser") if "TypeError" in entry["message"]] == []


def read_on(camera: PhoneCamera) -> None:
    for _ in range(100):
        camera.read()


def reads(read: Callable[[], object]) -> bool:
    try:
        return bool(read())
    except CameraError:
        return False


@pytest.mark.slow
def test_a_browser_warns_of_the_certificate_and_the_plain_page_says_what_to_compare(
    table: Table, tmp_path: Path
) -> None:
    page = table.server.encrypted
    assert page is not None
    name = f"{socket.gethostname().lower()}.local"
    views: list[bytes] = []
    with open_browser(tmp_path / "plain", "--host-resolver-rules=MAP * 127.0.0.1") as browser:
        resize(browser, *PHONE)
        browser.get(f"http://{name}:{table.port}/?token={table.server.token}&language=en&view=camera")
        written = "return document.querySelector('[data-part=fingerprint]')?.textContent"
        wait_until(lambda: browser.execute_script(written) == page.fingerprint)
        views.append(browser.get_screenshot_as_png())
        browser.get(f"https://{name}:{table.encrypted_port}/?token={table.server.token}&view=camera")
        assert "ERR_CERT_AUTHORITY_INVALID" in browser.page_source
        views.append(browser.get_screenshot_as_png())
        browser.find_element("id", "details-button").click()
        wait_until(lambda: browser.find_element("id", "proceed-link").is_displayed())
        views.append(browser.get_screenshot_as_png())
        browser.find_element("id", "proceed-link").click()
        wait_until(lambda: bool(browser.find_elements("css selector", "main [data-key=film]")))
    if WRITES:
        film = write_film(tmp_path / "film.mjpeg", frames=60)
        with open_phone(tmp_path / "phone", film) as browser:
            show_camera(browser, encrypted(table))
            wait_until(lambda: not browser.execute_script("return viewfinder.hidden || viewfinder.paused"))
            browser.execute_script("filmSaid.textContent = labels.filming")
            views.append(browser.get_screenshot_as_png())
        write_picture(views)


def write_picture(views: list[bytes]) -> None:
    """The views, one beside the other, for docs/phones.md."""
    shown = [cv2.imdecode(np.frombuffer(view, np.uint8), cv2.IMREAD_COLOR) for view in views]
    framed = [cv2.copyMakeBorder(each, 0, 0, 6, 6, cv2.BORDER_CONSTANT, value=(90, 90, 90)) for each in shown]
    cv2.imwrite(str(PICTURE), np.hstack(framed), [cv2.IMWRITE_JPEG_QUALITY, 80])


@pytest.mark.long
def test_track_follows_what_the_phone_films(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "track", "phone", "--rules", "hefei", "--json"]
    film = write_film(tmp_path / "film.mjpeg", BEGINNING_FRAMES, SLOWER)
    with started(command, stdout=-1, text=True) as program, open_phone(tmp_path / "phone", film) as browser:
        assert program.stdout is not None
        page = json.loads(program.stdout.readline())["page"]
        show_camera(browser, page["address"].removesuffix("&view=camera"))
        discards: list[str | None] = []
        until_s = time.monotonic() + LIMIT_S
        for line in program.stdout:
            assert time.monotonic() < until_s, discards
            event = json.loads(line).get("event", {})
            if event.get("event") == "discarded":
                discards.append(event.get("tile"))
            if discards[-3:] == ["2p", "7m", "2s"]:
                return
        raise AssertionError(discards)
