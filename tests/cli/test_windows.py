"""`companion app` and `companion demo` as commands: the window itself is tested in tests/app."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import pytest

from companion.cameras.recorded import TOO_SLOW
from companion.commands import demo
from companion.errors import CameraError

pytestmark = pytest.mark.slow

NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": ""}


@pytest.mark.parametrize(
    ("flags", "quoted"),
    [
        (("--language", "tlh"), "'tlh'"),
        (("--screenshot", "/no/such/folder/out.png"), "/no/such/folder"),
    ],
)
def test_a_wrong_option_is_refused_before_a_window_opens(
    call: Any, flags: tuple[str, ...], quoted: str
) -> None:
    assert quoted in call("app", *flags, **NO_DISPLAY).refused(2)


def test_without_a_display_there_is_no_window(call: Any) -> None:
    assert "no display" in call("app", **NO_DISPLAY).refused(3)


def test_the_demo_without_a_display(companion: Any, tmp_path: Path) -> None:
    output = tmp_path / "demo"
    run = companion("demo", "--output", output, **NO_DISPLAY)
    assert (run.status, run.err) == (0, "")
    for shown in ("333444555m22p678s", "119 zui", "三连坎", "+7,380", str(output / "app.png")):
        assert shown in run.out
    assert "seat 0 pungs 6m from seat 3" in run.out
    assert "seat 1 wins with 8p on the discard of seat 0: 16 zui" in run.out
    for name in ("hand.jpg", "annotated.png", "app.png"):
        picture = cv2.imread(str(output / name))
        assert picture is not None
        assert picture.std() > 10, f"{name} shows something"


def test_the_window_of_the_demo_keeps_games_where_every_window_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[dict[str, str]] = []

    def run(command: list[str], env: dict[str, str], check: bool) -> Any:
        started.append(env)
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(demo.subprocess, "run", run)
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "evenings"))
    demo._open_window(tmp_path / "hand.jpg")
    assert [env["COMPANION_DATA"] for env in started] == [str(tmp_path / "evenings")]
    assert str(tmp_path / "evenings") in capsys.readouterr().out.replace("\n", "")
    monkeypatch.delenv("COMPANION_DATA")
    demo._open_window(tmp_path / "hand.jpg")
    assert "COMPANION_DATA" not in started[-1]


def test_a_film_that_cannot_be_followed_ends_the_demo(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(film: Path) -> None:
        raise CameraError(TOO_SLOW, path=film)

    monkeypatch.setattr(demo, "_follow_game", refuse)
    for name in ("_read_and_score", "_open_window", "_save_window"):
        monkeypatch.setattr(demo, name, lambda *_: None)
    assert "takes too long" in call("demo", "--output", tmp_path).refused(3)


def test_cleaning_up_leaves_games_that_were_kept_in_the_demos_folder(tmp_path: Path) -> None:
    game = tmp_path / "demo-output" / "data" / "games" / "friday.sqlite"
    game.parent.mkdir(parents=True)
    game.write_bytes(b"a game")
    (tmp_path / "demo-output" / "hand.jpg").write_bytes(b"a picture")
    makefile = Path(__file__).parents[2] / "Makefile"
    run = subprocess.run(["make", "-f", makefile, "clean"], cwd=tmp_path, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr
    assert game.exists()
    assert not (tmp_path / "demo-output" / "hand.jpg").exists()


def test_the_demo_where_it_may_not_write(call: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "--output" in call("demo", "--output", tmp_path / "file" / "below").refused(2)
