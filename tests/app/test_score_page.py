"""The page of a hand alone: at every size its tiles and several rows of the score are in sight. Which tile
won is asked, and a wrong game or a fifth copy is said at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from app_driver import SIZES_IN_LANGUAGES, Driver, ScriptedReader, draw_picture, find_scroller

from companion.app.news import TableRulesChosen
from companion.app.score_photo import editing, photo
from companion.app.score_photo.editing import Page, Pane
from companion.rules.win import Stakes
from companion.words import Language

pytestmark = pytest.mark.slow


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("size", "language"),
    SIZES_IN_LANGUAGES,
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
        driver.do(lambda state: editing.show_pane(state, Pane.SCORE))
        driver.frames(4)
        driver.shot(f"score_pane_{size[0]}_{language.value}")
        column = page.score.column
        bottom = column.to_window(0, column.y)[1]
        rows = [row for row in page.score.rows if row.to_window(0, row.y)[1] >= bottom]
        assert len(rows) >= 2, "a row of the hand, and why the dealer pays more"
        driver.do(lambda state: editing.select(editing.show_pane(state, Pane.TILES), 3))
        driver.frames(4)
        driver.shot(f"score_typing_{size[0]}_{language.value}")
        seats = [seat for seat in page.score.seats.seats if seat.get_parent_window() is not None]
        for seat in seats:
            assert seat.amount.texture_size[1] <= seat.amount.height + seat.padding[1], "no sum is cut"
        apart = [(a, b) for a in seats for b in seats if a is not b and a.collide_widget(b)]
        assert apart == [], "no seat lies on another"
        assert all(key.right <= size[0] for key in page.sheet.keys.values())
    finally:
        driver.close()


def test_the_score_is_headed_by_the_stakes_that_are_entered(companion: Driver, tmp_path: Path) -> None:
    companion.open(draw_picture(tmp_path / "hand.png"))
    assert companion.says("Who pays: 1 zui = 20")
    companion.do(lambda state: editing.show(state, Page.MORE))
    companion.frames(4)
    stakes = companion.pages.more.cards["stakes"]
    assert list(stakes.numbers) == ["unit"], "Hefei has no base"
    unit = stakes.numbers["unit"]
    companion.touch(unit)
    for key in ("5", "Done"):
        companion.touch(unit.keypad.keys[key])
    companion.wait(lambda: unit.keypad.parent is None, "the keypad to go")
    companion.shot("more_stakes")
    companion.do(lambda state: editing.show(state, Page.TABLE))
    companion.frames(4)
    assert companion.says("Who pays: 1 zui = 5")


def test_winning_tile_is_asked(companion: Driver, tmp_path: Path) -> None:
    companion.open(draw_picture(tmp_path / "hand.png"))
    tray = companion.pages.table.tray
    last, other = companion.state.hand.concealed[-1], companion.state.hand.concealed[8]
    assert tray.keys[last.id].note == "wins?", "only supposed"
    companion.press("Which tile won?")
    assert companion.says("Touch the winning tile.")
    companion.touch(tray.keys[other.id])
    assert companion.state.draft.winning == other
    assert tray.keys[other.id].note == "wins"
    assert not companion.says("Which tile won?")
    companion.touch(tray.keys[other.id])
    assert companion.state.typing, "from then on a touch opens the keyboard"


def test_the_wrong_game_is_said_in_words_and_put_right_by_touch(companion: Driver, tmp_path: Path) -> None:
    codes = "1z 1z 1z 2m 3m 4m 5m 6m 7m 8m 8m 2p 3p 4p"
    companion.reader.codes = codes
    companion.open(draw_picture(tmp_path / "hand.png", codes))
    assert companion.says("East: not used in Hefei.")
    assert not any("1z" in text for text in companion.texts())
    companion.shot("wrong_game")
    companion.press("Play Hong Kong?")
    companion.choose_table("rules:hong_kong")
    assert companion.state.draft.rules == "hong_kong"
    assert companion.state.outcome.score is not None


@pytest.mark.parametrize(("button", "meld"), [("Concealed kong", "K1111p"), ("Kong", "k1111p")])
def test_four_of_a_kind_in_the_row_are_a_kong_by_one_touch(
    companion: Driver, tmp_path: Path, button: str, meld: str
) -> None:
    codes = "1p 1p 1p 1p 4p 4p 4p 5p 5p 5p 5z 5z 5z 1z 1z"
    companion.do(lambda state: photo.set_rules(state, "hong_kong"))
    companion.reader.codes = codes
    companion.open(draw_picture(tmp_path / "hand.png", codes))
    assert companion.says("Are the four 1 dot a kong?")
    companion.press(button)
    assert [laid.notation for laid in companion.state.hand.melds] == [meld]
    assert companion.state.outcome.score is not None
    assert companion.state.outcome.score.legal


def test_the_keyboard_refuses_a_fifth_copy(companion: Driver) -> None:
    companion.press("Add tiles by hand")
    key = companion.pages.table.sheet.keys["2m"]
    for _ in range(5):
        companion.touch(companion.pages.table.sheet.keys["2m"])
        assert companion.pages.table.sheet.keys["2m"] is key, "no touch builds the keyboard anew"
    assert len(companion.state.hand.tiles) == 4
    assert companion.pages.table.sheet.keys["2m"].disabled


def test_how_many_are_left_stands_below_the_tile(companion: Driver) -> None:
    companion.press("Add tiles by hand")
    keys = companion.pages.table.sheet.keys
    companion.touch(keys["8p"])
    companion.frames(4)
    companion.shot("keyboard-left")
    key = companion.pages.table.sheet.keys["8p"]
    assert key.note == "3"
    assert key._badge.pos[1] + key._badge.size[1] <= key._face.pos[1], "the drawing is whole"


def test_every_kind_is_within_reach_on_a_small_screen(companion: Driver) -> None:
    """800×480, as a common 7-inch screen has it: no key is scrolled out of sight, no number is on the art."""
    companion.resize((800, 480))
    companion.do(lambda state: photo.choose_game(state, "hong_kong"))
    companion.do(editing.start_adding)
    companion.frames(4)
    companion.touch(companion.pages.table.sheet.keys["9s"])
    companion.frames(4)
    companion.shot("keyboard-480")
    keys = companion.pages.table.sheet.keys
    scroller = find_scroller(keys["9s"])
    low, high = (scroller.to_window(0, edge)[1] for edge in (scroller.y, scroller.top))
    for code in ("9m", "9p", "9s", "7z", "1f", "8f"):
        assert low <= keys[code].to_window(*keys[code].pos)[1], code
        assert keys[code].to_window(0, keys[code].top)[1] <= high, code
    assert keys["9s"].note == "3"
    assert keys["9s"]._badge.pos[0] >= keys["9s"]._face.pos[0] + keys["9s"]._face.size[0]


def test_a_row_is_explained_in_words_when_it_is_touched(companion: Driver, tmp_path: Path) -> None:
    companion.open(draw_picture(tmp_path / "hand.png"))
    row = companion.pages.table.score.rows[0]
    companion.touch(row)
    assert row.explanation is not None
    companion.shot("explained")
    row.explanation.dismiss(animation=False)


def test_an_old_hand_is_not_shown_while_a_new_picture_loads(companion: Driver, tmp_path: Path) -> None:
    companion.open(draw_picture(tmp_path / "hand.png"))
    assert companion.says("zui")
    companion.do(lambda state: photo.open_picture(state, tmp_path / "other.png"))
    assert companion.state.loading
    companion.settle()
    assert not companion.state.loading, "the other one is no picture: the old hand is back"
    companion.do(lambda state: replace(state, loading=True))
    companion.frames(3)
    assert not any("zui" in text for text in companion.texts())


def test_the_chooser_notices_files_that_come_and_go(companion: Driver, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    first = draw_picture(folder / "first.png")
    companion.press("Picture")
    page = companion.pages.pictures
    page.go(folder)
    companion.frames(4)
    cell = page.grid.children[0].children[0]
    assert cell.width < page.grid.width / 2, "one picture does not stretch across the page"
    companion.shot("one_picture")
    draw_picture(folder / "second.png")
    first.unlink()
    companion.wait(lambda: [item["entry"].path.name for item in page.grid.data] == ["second.png"])


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(1280, 800), (800, 480), (600, 1024), (1024, 600)])
@pytest.mark.parametrize("rules", ["hefei", "taiwanese"])
def test_the_invitation_covers_nothing_else(
    kivy_window: None, tmp_path: Path, reader: ScriptedReader, size: tuple[int, int], rules: str
) -> None:
    driver = Driver(tmp_path, reader, size)
    try:
        driver.do(
            lambda state: photo.apply_house(state, TableRulesChosen("score_photo", rules, {}, Stakes()))
        )
        driver.frames(4)
        driver.shot(f"invitation-{rules}-{size[0]}")
        invitation = driver.pages.table.picture.children[0]
        (card,) = invitation.children
        assert card.y >= invitation.y - 1
        assert card.top <= invitation.top + 1
        assert card.right <= invitation.right + 1
    finally:
        driver.close()
