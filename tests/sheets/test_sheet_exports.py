"""Sheets that are exported say, read back, what the game says."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
from msgspec.json import encode
from PIL import Image
from pypdf import PdfReader

from companion.errors import InputError
from companion.history.bin import move_back, remove_game, rename_game
from companion.history.game import Game
from companion.history.pictures import find_picture, keep_picture
from companion.history.shelf import names, path_of
from companion.rules import RULE_SETS
from companion.sheets.as_json import sheet_json
from companion.sheets.as_pdf import encode_pdf
from companion.sheets.hands import make_sheet
from companion.table.events import GameStarted, PointsMoved, Won
from tests.sheets.test_sheet_hands import simulate


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_sheet_as_json_adds_up(rules: str) -> None:
    sheet = make_sheet(simulate(rules))
    read = json.loads(encode(sheet_json(sheet)))
    assert read["points"] == list(sheet.state.points)
    for person in range(4):
        gained = sum(hand["points"][person] for hand in read["hands"])
        assert read["start"][person] + gained == read["points"][person]


def test_a_pdf_says_who_has_what_in_chinese_too() -> None:
    sheet = make_sheet(simulate("hong_kong"))
    content = encode_pdf(sheet)
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages)
    for name, points in zip(sheet.names, sheet.state.points, strict=True):
        assert name in text
        assert str(points) in text
    for hand in sheet.hands:
        assert f"{hand.number}." in text
        assert all(line.name_zh in text for win in hand.wins for line in win.lines[:1])
    assert len(content) < 600_000


def test_a_picture_is_kept_of_one_win_small_and_without_its_place(tmp_path: Path) -> None:
    image = Image.new("RGB", (4000, 3000), "green")
    exif = Image.Exif()
    exif[0x010E] = "at home"
    content = BytesIO()
    image.save(content, "JPEG", exif=exif)
    game, won = tmp_path / "friday.game", Won(seat=1)
    path = keep_picture(game, 7, won, content.getvalue())
    assert find_picture(game, 7, won) == path
    assert find_picture(game, 7, Won(seat=2)) is None
    with Image.open(path) as kept:
        assert max(kept.size) == 1280
        assert not kept.getexif()
    assert path.stat().st_mode & 0o077 == 0
    with pytest.raises(InputError):
        keep_picture(game, 8, won, b"no picture")


def test_a_game_is_renamed_and_set_aside_with_its_pictures_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    for name in ("friday", "sunday"):
        with Game.begin(path_of(name), GameStarted(rules="hefei")) as game:
            game.append(PointsMoved(points=(1, -1, 0, 0), why="a bet"))
    picture = BytesIO()
    Image.new("RGB", (40, 30)).save(picture, "JPEG")
    keep_picture(path_of("friday"), 2, Won(seat=0), picture.getvalue())
    with pytest.raises(InputError):
        rename_game("friday", "sunday")
    renamed = rename_game("friday", "monday")
    assert find_picture(path_of("monday"), 2, Won(seat=0))
    removed = remove_game("monday")
    assert names() == ["sunday"]
    move_back(removed)
    move_back(renamed)
    assert names() == ["friday", "sunday"]
    with Game.resume(path_of("friday")) as game:
        assert game.state.points == (1, -1, 0, 0)
