"""A film is chosen from the disk by touch, in the place of a camera; what cannot be played is said."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from app_driver import SIZES_IN_LANGUAGES, Driver, ScriptedReader
from game_states import game_keys

from companion.app.game.films import Film, describe_end, describe_length, open_film
from companion.app.game.state import GameTable, Side
from companion.app.news import NewGameWanted
from companion.cameras.connected import play_recording
from companion.cameras.recorded import Pacer
from companion.errors import CameraError
from companion.game.deciding import begin_progress
from companion.live.session.packing import unpack_session
from companion.table.events import Dealt, Discarded, GameStarted, HandStarted
from companion.words import Language, Words

pytestmark = pytest.mark.slow
RATE = 10
FOLLOWED_S = 120.0
"""To follow a whole recorded hand takes the slowest machine so long at most."""
SESSIONS = Path(__file__).parents[1] / "sessions"


def make_film(path: Path, seconds: int = 6) -> Path:
    """A film whose pictures become brighter, 10 grey levels a second."""
    codec = cv2.VideoWriter.fourcc(*("MJPG" if path.suffix == ".avi" else "mp4v"))
    writer = cv2.VideoWriter(str(path), codec, RATE, (320, 180))
    for at in range(seconds * RATE):
        writer.write(np.full((180, 320, 3), 10 * at // RATE, np.uint8))
    writer.release()
    return path


def get_table(driver: Driver) -> GameTable:
    state = driver.controller.view.states["game"]
    assert isinstance(state, GameTable)
    return state


def open_chooser(driver: Driver, folder: Path) -> Any:
    """Have the chooser of films show that folder."""
    driver.touch(driver.pages.game.table.follow.film)
    assert driver.page == "films"
    chooser = driver.pages.films
    chooser.go(folder)
    driver.frames(4)
    return chooser


def choose(driver: Driver, name: str) -> None:
    """Touch the film of that name."""
    cells = [each for each in driver.root.walk(restrict=True) if getattr(each, "entry", None)]
    driver.touch(next(cell for cell in cells if cell.entry.path.name == name))  # type: ignore[attr-defined]
    driver.settle()


def test_a_film_is_chosen_from_the_disk_and_what_is_none_is_said(companion: Driver, tmp_path: Path) -> None:
    folder = tmp_path / "films"
    folder.mkdir()
    make_film(folder / "evening.mp4")
    whole = make_film(folder / "whole.mp4").read_bytes()
    (folder / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    (folder / "letter.mkv").write_text("Dear Mei,")
    (folder / "nothing.mov").write_bytes(b"")
    (folder / "photo.jpg").write_bytes(b"not offered")
    begin_game(companion, "hefei")
    companion.touch(companion.pages.game.table.tools.camera)
    follow = companion.pages.game.table.follow
    assert companion.says("No camera was found. Plug one in and search again, or choose a film.")
    assert follow.follow.disabled, "there is nothing to follow with"
    companion.touch(follow.again)
    chooser = open_chooser(companion, folder)
    names = {item["entry"].path.name for item in chooser.grid.data}
    assert names == {"evening.mp4", "cut.mp4", "whole.mp4", "letter.mkv", "nothing.mov"}
    assert "pictures" not in companion.root.bar.buttons, "no picture is wanted"
    companion.shot("films")
    for name, said in (
        ("cut.mp4", "cut.mp4 is incomplete or damaged"),
        ("letter.mkv", "letter.mkv is not a film"),
        ("nothing.mov", "nothing.mov is not a film"),
    ):
        choose(companion, name)
        assert companion.page == "game"
        assert companion.says(said)
        assert companion.says("No camera was found"), "nothing was chosen"
        open_chooser(companion, folder)
    (folder / "whole.mp4").unlink()
    choose(companion, "whole.mp4")
    assert companion.says("The film whole.mp4 is no longer there")
    open_chooser(companion, folder)
    choose(companion, "evening.mp4")
    assert companion.banner is None
    assert companion.says("evening.mp4")
    assert companion.says("The film lasts 0:06.")
    assert not follow.follow.disabled
    (folder / "evening.mp4").unlink()
    companion.touch(follow.follow)
    companion.settle()
    assert companion.says("The film evening.mp4 is no longer there")
    assert get_table(companion).shows_table, "the game stays open"


@pytest.mark.sampled
@pytest.mark.parametrize(("size", "language"), SIZES_IN_LANGUAGES)
def test_the_form_says_what_to_do_without_a_camera(
    kivy_window: None, tmp_path: Path, size: tuple[int, int], language: Language
) -> None:
    driver = Driver(tmp_path, ScriptedReader(), size, language=language)
    try:
        game_keys(driver, tmp_path)
        driver.touch(driver.pages.game.table.tools.camera)
        follow = driver.pages.game.table.follow
        assert follow.none.text == Words(language)(
            "No camera was found. Plug one in and search again, or choose a film."
        )
        for button in (follow.again, follow.film):
            assert button.get_parent_window() is not None
        driver.shot(f"follow_none_{size[0]}_{language.value}")
        film = make_film(tmp_path / "friday-evening-at-aunt-meis-with-all-four.avi")
        driver.controller.do("game", lambda state: state.open_film(film))
        driver.settle()
        assert driver.says(film.name)
        driver.shot(f"follow_film_{size[0]}_{language.value}")
    finally:
        driver.close()


def test_a_recorded_session_is_followed_as_it_was_seen(
    companion: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It kept no pictures: what was seen is enough."""
    monkeypatch.setattr(Pacer, "wait_until", lambda *_: None)
    folder = tmp_path / "films"
    session = folder / "evening at Mei's"
    session.mkdir(parents=True)
    unpack_session(SESSIONS / "hong_kong.zip", session)
    (folder / "broken").mkdir()
    (folder / "broken" / "session.json").write_text("{")
    begin_game(companion, "hong_kong")
    companion.touch(companion.pages.game.table.tools.camera)
    chooser = open_chooser(companion, folder)
    assert not any(item["entry"].is_folder for item in chooser.grid.data)
    choose(companion, "broken")
    assert companion.says("The recorded session 'broken' is damaged")
    open_chooser(companion, folder)
    choose(companion, session.name)
    assert companion.says("The film lasts ")
    companion.touch(companion.pages.game.table.follow.follow)
    companion.wait(lambda: get_table(companion).ended, "its end", most_s=FOLLOWED_S)
    companion.wait(lambda: companion.says("has ended. Discards "), "what was understood")
    known = [entry.event for entry in get_table(companion).followed.entries]  # type: ignore[union-attr]
    assert [event for event in known if isinstance(event, Discarded)]
    companion.shot("session")
    companion.touch(companion.pages.game.table.picture.head.done)
    companion.touch(companion.pages.game.table.follow.follow)
    companion.settle()
    assert companion.says("is in the game already"), "it is entered once, and needs no name of a file"
    assert get_table(companion).side is Side.CAMERA, "the page of Follow stays"
    companion.shot("refused_film")
    begin_game(companion, "hebei")
    companion.touch(companion.pages.game.table.tools.camera)
    companion.touch(companion.pages.game.table.follow.follow)
    companion.settle()
    assert get_table(companion).side is Side.CAMERA
    assert companion.says("shows another game: start a game of Hong Kong")


def begin_game(driver: Driver, rules: str) -> None:
    driver.controller.announce(NewGameWanted(GameStarted(rules=rules)))
    driver.wait(lambda: get_table(driver).shows_table and driver.busy is None, "the game")
    driver.wait(lambda: get_table(driver).game.house.rules.name == rules, "that game")  # type: ignore[union-attr]
    driver.settle()


def test_a_film_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    for suffix in (".avi", ".mp4"):
        film = make_film(tmp_path / f"film{suffix}")
        assert open_film(film).length_s == pytest.approx(6)
        with play_recording(f"file:{film}", 4.0) as camera:
            frame = camera.read()
            assert frame.t_ns == 4_000_000_000
            assert frame.image.mean() == pytest.approx(40, abs=4)
            for _ in range(25):
                try:
                    frame = camera.read()
                except CameraError:
                    break
            else:
                pytest.fail("it goes on behind its end")
            assert frame.t_ns == pytest.approx(5_900_000_000, abs=200_000_000)


def test_film_ends_with_a_summary() -> None:
    start = GameStarted(rules="hefei")
    progress = begin_progress([start, HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="5m")])
    film = Film(Path("/films/evening.mp4"), 200.0)
    said = str(describe_end(film, 199.0, progress, 1))
    assert said == "evening.mp4 has ended. Discards 1, claims 0, wins 0; nothing in doubt."
    assert str(describe_end(film, 65.0, progress, 1)).startswith("evening.mp4 stops at 1:05 of 3:20. ")
    assert "No move was recognised" in str(describe_end(film, 199.0, progress, 4))
    assert describe_length(3725) == "1:02:05"
    unsure: Any = SimpleNamespace(events=progress.events, doubts={4: 0.6})
    assert "in doubt 1: touch the marked ones" in str(describe_end(film, 199.0, unsure, 1))
