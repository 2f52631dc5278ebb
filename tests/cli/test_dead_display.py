"""A display that is named and cannot be used: one sentence, and nothing of the data folder is touched."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion import screen
from companion.errors import MissingError
from tests.programs import virtual_screen

NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": ""}
PORT_BASE = 6000
"""Of X servers on TCP: display 5 is port 6005."""
REFUSAL = b"\0\x06\x0b\0\0\0\x02\0go away\0"
"""What an X server answers that does not let a program in."""
DEAD = {
    "no server": {"DISPLAY": ":999"},
    "an old ssh -X": {"DISPLAY": "localhost:59"},
    "no display": {"DISPLAY": "what?"},
    "control characters": {"DISPLAY": "\x1b[31m:9\n"},
    "no compositor": {"WAYLAND_DISPLAY": "gone"},
    "no such driver": {"SDL_VIDEODRIVER": "odd"},
    "a driver without its display": {"SDL_VIDEODRIVER": "x11", "DISPLAY": ":999"},
    "a driver that shows nothing": {"SDL_VIDEODRIVER": "dummy"},
    "another one": {"SDL_VIDEODRIVER": "offscreen", "DISPLAY": ":999"},
}


@contextmanager
def answering(answer: Callable[[socket.socket], object]) -> Iterator[str]:
    """The name of a display whose server does that with each connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                kept.append(connection)
                answer(connection)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"127.0.0.1:{server.getsockname()[1] - PORT_BASE}"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in kept:
                connection.close()


@pytest.fixture(autouse=True)
def undisplayed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NO_DISPLAY:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("environment", DEAD.values(), ids=DEAD)
def test_there_is_no_window_and_doctor_says_why(
    call: Any, companion: Any, own_data_folder: Path, environment: dict[str, str]
) -> None:
    said = companion("app", **environment).refused(3)
    for name, value in environment.items():
        assert f"{name}='{value[:1] if value.isprintable() else ''}" in said
    assert said.isprintable() or said.removesuffix("\n").isprintable()
    assert list(own_data_folder.glob("*")) == []
    checked = call("doctor", "--json", "--no-ask", **environment).document["checks"]
    display = next(each for each in checked if each["what"] == "display")
    assert (display["ok"], f"companion: {display['to_do']}\n") == (False, said)


@pytest.mark.parametrize(
    "answer",
    [
        lambda connection: connection.close(),
        lambda connection: connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 9),
        lambda connection: connection.sendall(REFUSAL),
    ],
    ids=["hangs up", "talks something else", "refuses"],
)
def test_a_server_that_is_no_display(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    monkeypatch.setattr(screen, "ANSWER_S", 3.0)
    with answering(answer) as name:
        monkeypatch.setenv("DISPLAY", name)
        with pytest.raises(MissingError, match=name):
            screen.find_screen()


def test_a_display_that_never_answers_is_waited_for_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "ANSWER_S", 1.0)
    with answering(lambda _: None) as name:
        monkeypatch.setenv("DISPLAY", name)
        with pytest.raises(MissingError, match="no answer in 1 s"):
            screen.find_screen()


@pytest.mark.slow
def test_a_display_of_another_user_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, companion: Any
) -> None:
    key = tmp_path / "key"
    with virtual_screen("640x480x24", locked_by=key) as (name, _):
        assert name in companion("app", DISPLAY=name).refused(3)
        monkeypatch.setenv("DISPLAY", name)
        monkeypatch.setenv("XAUTHORITY", str(key))
        found = screen.find_screen()
    assert found is not None
    assert (found.size, found.driver) == ((640, 480), "x11")


def test_modules_in_the_folder_it_runs_in_are_not_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "ctypes.py").write_text("import pathlib; pathlib.Path('run').touch()")
    monkeypatch.chdir(tmp_path)
    with virtual_screen("640x480x24") as (name, _):
        monkeypatch.setenv("DISPLAY", name)
        assert screen.find_screen() is not None
    assert not (tmp_path / "run").exists()


@pytest.mark.long
def test_a_picture_of_the_window_needs_no_display_that_works(
    companion: Any, tmp_path: Path, own_data_folder: Path
) -> None:
    picture = tmp_path / "window.png"
    run = companion("app", "--screenshot", picture, DISPLAY=":999", LIBGL_ALWAYS_SOFTWARE="1")
    assert (run.status, run.err) == (0, "")
    assert cv2.imread(str(picture)).std() > 10


@pytest.mark.slow
def test_a_display_without_opengl_is_one_sentence(companion: Any, own_data_folder: Path) -> None:
    with virtual_screen("640x480x8") as (name, _):
        said = companion("app", DISPLAY=name).refused(3)
    assert "OpenGL" in said
    assert not (own_data_folder / "session.lock").exists()
