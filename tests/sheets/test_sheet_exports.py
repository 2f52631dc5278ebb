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
from companion.game.game import Game
from companion.game.pictures import find_picture, keep_picture
from companion.game.shelf import (
    bring_back,
    copy_game,
    glance,
    list_archived,
    move_back,
    names,
    path_of,
    remove_game,
    rename_game,
)
from companion.money import Currency
from companion.rules import RULE_SETS
from companion.sentences import write_number
from companion.sheets.as_json import evenings_json, sheet_json
from companion.sheets.as_pdf import encode_pdf
from companion.sheets.figures import add_up, list_figure_rows, make_evening, read_evenings
from companion.sheets.hands import make_sheet
from companion.sheets.wording import describe_hand, describe_win, write_points
from companion.table.events import GameStarted, PointsMoved, Won
from companion.words import Language, Words
from tests.sheets.test_sheet_hands import simulate


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_sheet_as_json_adds_up(rules: str) -> None:
    sheet = make_sheet(simulate(rules))
    read = json.loads(encode(sheet_json(sheet)))
    assert read["points"] == list(sheet.state.points)
    for person in range(4):
        gained = sum(hand["points"][person] for hand in read["hands"])
        assert read["start"][person] + gained == read["points"][person]


@pytest.mark.parametrize("language", Language)
def test_a_pdf_says_who_has_what_in_each_language(language: Language) -> None:
    sheet, words = make_sheet(simulate("hong_kong")), Words(language)
    content = encode_pdf(sheet, "friday", words)
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages)
    assert words("Points after each hand") in text
    for name, points in zip(sheet.names, sheet.state.points, strict=True):
        assert name in text
        assert write_number(points) in text
    for hand in sheet.hands:
        for win in hand.wins:
            assert describe_win(win, sheet.names, words) in text
            assert all(words.both(line.name, line.name_zh)[0] in text for line in win.score.lines)
    assert len(content) < 600_000


def test_a_pdf_says_what_else_was_paid_in_a_hand_that_was_won() -> None:
    events = list(simulate("hong_kong"))
    at = next(at for at, event in enumerate(events) if isinstance(event, Won))
    sheet = make_sheet([*events[:at], PointsMoved(points=(3, -3, 0, 0), why="a bet"), *events[at:]])
    pages = PdfReader(BytesIO(encode_pdf(sheet, "friday", Words(Language.ENGLISH)))).pages
    hand = next(hand for hand in sheet.hands if hand.wins)
    assert hand.penalties
    said = describe_hand(hand, sheet.names, Words(Language.ENGLISH))
    assert said.endswith("a bet")
    assert said in "".join(page.extract_text() for page in pages)


def test_many_hands_make_many_pages_and_none_is_cut() -> None:
    sheet = make_sheet(simulate("taiwanese", hands=16))
    pages = PdfReader(BytesIO(encode_pdf(sheet, "friday", Words(Language.ENGLISH)))).pages
    text = "".join(page.extract_text() for page in pages)
    assert len(pages) >= 2
    for hand in sheet.hands:
        assert all(write_points(points) in text for points in hand.points)


def test_evenings_are_added_up_by_name_and_remembered_until_a_game_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    for name, people in (("one", ("Ann", "Bao", "", "")), ("two", ("Bao", "Eva", "", ""))):
        with Game.begin(path_of(name), GameStarted(rules="hefei", names=people)) as game:
            game.append(PointsMoved(points=(3, -3, 0, 0), why="a bet"))
    path_of("broken").write_bytes(b"no game")
    with Game.begin(path_of("alone"), GameStarted(rules="hefei", names=people, practice=5)) as game:
        game.append(PointsMoved(points=(9, -9, 0, 0), why="a bet"))
    assert (glance("alone").practice, glance("alone").practice, glance("one").practice) == (True, True, False)
    found = read_evenings(["one", "two", "broken", "alone"])
    assert [(one.name, one.points) for one in found.people] == [("Ann", 3), ("Bao", 0), ("Eva", -3)]
    assert found.totals[0] == (0, 0, 0)
    assert sorted(path.name for path in (tmp_path / "index").iterdir()) == [
        "alone.json", "one.json", "two.json",
    ]  # fmt: skip
    with Game.resume(path_of("two")) as game:
        game.append(PointsMoved(points=(4, -4, 0, 0), why="a bet"))
    assert read_evenings().people[0].name == "Bao"
    (tmp_path / "index" / "one.json").write_bytes(b"damaged")
    assert read_evenings().evenings == 2
    heads, first, *_ = list_figure_rows(found, Words(Language.TRADITIONAL))
    assert (heads[:3], first[:2]) == (["玩家", "分數", "局數"], ["Ann", 3])
    assert evenings_json(found)["people"][0]["name"] == "Ann"


def test_points_of_different_games_and_currencies_are_not_added() -> None:
    hong_kong, taiwan = Currency("HK$", "0.5", "0.5"), Currency("NT$", "1", "10")
    evenings = [
        make_evening(
            name,
            name,
            [
                GameStarted(rules=rules, names=("Mei", "Siu", "", ""), currency=currency),
                PointsMoved(points=(points, -points, 0, 0), why="a bet"),
            ],
        )
        for name, rules, currency, points in (
            ("1", "hong_kong", hong_kong, 284), ("2", "taiwanese", taiwan, 260),
            ("3", "hong_kong", hong_kong, 6),
            ("4", "hong_kong", None, 1), ("5", "hong_kong", Currency("HK$", "1", "1"), 2),
        )
    ]  # fmt: skip
    found = evenings_json(add_up(evenings))
    assert [
        (game["rules"], game["people"][0]["points"], game["money"], game["totals"][-1])
        for game in found["games"]
    ] == [
        ("hong_kong", 290, ["145.0", "-145.0"], [290, -290]),
        ("taiwanese", 260, ["260", "-260"], [260, -260]),
        ("hong_kong", 1, None, [1, -1]),
        ("hong_kong", 2, ["2", "-2"], [2, -2]),
    ]
    assert found["evenings"] == 5
    _, first, *_ = list_figure_rows(add_up(evenings), Words(Language.ENGLISH))
    assert (first[:2], first[-4:]) == (["Mei", 290], ["Hong Kong", "HK$", "145.0", 2])


def test_a_game_and_its_copies_count_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    with Game.begin(path_of("friday"), GameStarted(rules="hefei", names=("Ann", "Bao", "", ""))) as game:
        game.append(PointsMoved(points=(3, -3, 0, 0), why="a bet"))
    for copy in ("friday-2", "friday-3"):
        copy_game("friday", copy)
    with Game.resume(path_of("friday-3")) as game:
        game.append(PointsMoved(points=(4, -4, 0, 0), why="a bet"))
    found = read_evenings()
    assert (found.evenings, found.same) == (2, (("friday-2", "friday"),))
    assert found.people[0].points == 3 + 7
    assert evenings_json(found)["same"] == [{"name": "friday-2", "same_as": "friday"}]
    assert read_evenings(["friday-2"]).evenings == 1
    start = GameStarted(
        rules="hefei", names=("Ann", "Bao", "", "")
    )  # as it was begun, options not spelled out
    open_now = make_evening("friday", "2026", [start, PointsMoved(points=(3, -3, 0, 0), why="a bet")])
    found = read_evenings(["friday-2"], more=[open_now])
    assert (found.evenings, found.same) == (1, (("friday-2", "friday"),))


def test_a_game_is_copied_with_its_pictures_and_the_copy_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    with Game.begin(path_of("friday"), GameStarted(rules="hefei")) as game:
        game.append(PointsMoved(points=(1, -1, 0, 0), why="a bet"))
    picture = BytesIO()
    Image.new("RGB", (40, 30)).save(picture, "JPEG")
    keep_picture(path_of("friday"), 2, Won(seat=0), picture.getvalue())
    copied = copy_game("friday", "friday-2")
    assert find_picture(path_of("friday-2"), 2, Won(seat=0))
    assert path_of("friday-2").stat().st_mode & 0o077 == 0
    with Game.resume(path_of("friday-2")) as game:
        game.append(PointsMoved(points=(1, -1, 0, 0), why="a bet"))
    with Game.resume(path_of("friday")) as game:
        assert game.state.points == (1, -1, 0, 0)
    for taken in ("friday", "friday-2"):
        with pytest.raises(InputError, match=f"There is a game '{taken}' already"):
            copy_game("friday", taken)
    move_back(copied)
    assert names() == ["friday"]
    (aside,) = list_archived()
    assert aside.name == "friday-2"
    bring_back(aside)
    assert names() == ["friday", "friday-2"]


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
