"""The page of a hand alone at every size: the tiles in one row where there is room, several rows of the score
in sight, and which tile won is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_driver import SIZES, Driver, ScriptedReader, draw_picture

from companion.app.score_photo.panes import Pane
from companion.words import Language

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("size", "language"),
    [
        (SIZES["tablet"], Language.ENGLISH),
        (SIZES["small"], Language.SIMPLIFIED),
        (SIZES["portrait"], Language.ENGLISH),
        ((1920, 1080), Language.TRADITIONAL),
    ],
)
def test_tiles_and_score_are_in_sight(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader, size: tuple[int, int], language: Language
) -> None:
    driver = Driver(tmp_path, reader, size, language=language)
    try:
        driver.open(draw_picture(tmp_path / "hand.png"))
        page = driver.pages.table
        driver.shot(f"score_{size[0]}_{language.value}")
        places = {round(key.y) for key in page.tray.keys.values()}
        assert len(places) <= 2
        driver.do(lambda state: state.show_pane(Pane.SCORE))
        driver.frames(4)
        driver.shot(f"score_pane_{size[0]}_{language.value}")
        column = page.score.column
        bottom = column.to_window(0, column.y)[1]
        rows = [row for row in page.score.rows if row.to_window(0, row.y)[1] >= bottom]
        assert len(rows) >= 2, "a row of the hand, and why the dealer pays more"
        driver.do(lambda state: state.show_pane(Pane.TILES).select(3))
        driver.frames(4)
        driver.shot(f"score_typing_{size[0]}_{language.value}")
        assert all(key.right <= size[0] for key in page.sheet.keys.values())
    finally:
        driver.close()


def test_which_tile_won_is_asked(companion: Driver, tmp_path: Path) -> None:
    companion.open(draw_picture(tmp_path / "hand.png"))
    tray = companion.pages.table.tray
    last, other = companion.state.hand.concealed[-1], companion.state.hand.concealed[8]
    assert tray.keys[last.id].note == "wins?", "only supposed"
    companion.press("Which tile won?")
    assert companion.says("Touch the tile that won.")
    companion.touch(tray.keys[other.id])
    assert companion.state.draft.winning == other
    assert tray.keys[other.id].note == "wins"
    assert not companion.says("Which tile won?")
    companion.touch(tray.keys[other.id])
    assert companion.state.typing, "from then on a touch opens the keyboard"
