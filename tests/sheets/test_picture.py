"""The picture of an evening: it fits a phone, holds everything, and nothing runs over its edge."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from io import BytesIO

import pytest
from PIL import Image

from companion.money import Currency
from companion.sheets import as_picture
from companion.sheets.as_picture import LEAST_PX, SIZE_PX, encode_picture, fit, measure
from companion.sheets.hands import Sheet, make_sheet
from companion.sheets.wording import list_transfers, name_seated, write_worth
from companion.table.events import CurrencyAgreed, GameStarted, PointsMoved
from companion.table.settling import settle_up
from companion.words import Language, Words
from tests.sheets.test_sheet_hands import simulate

LONG = ("Bartholomew Maximilian Featherstonehaugh", "歐陽司馬諸葛上官", "Maximiliana von Hohenstein", "")
DAY = date(2026, 11, 28)


def make(rules: str = "hong_kong", hands: int = 4, names: tuple[str, str, str, str] | None = None) -> Sheet:
    start, *events = simulate(rules, hands)
    assert isinstance(start, GameStarted)
    if names is not None:
        start = GameStarted(rules=rules, names=names, options=start.options)
    return make_sheet([start, *events, CurrencyAgreed(currency=Currency("HK$", "0.5", "1"))])


def record_lines(
    sheet: Sheet, words: Words, monkeypatch: pytest.MonkeyPatch
) -> tuple[Image.Image, list[str]]:
    """The picture, and what is written in it before it is fitted into its room."""
    written: list[str] = []

    def note(text: str, size: int, room: float) -> tuple[str, int]:
        written.append(text)
        shown, shown_size = fit(text, size, room)
        assert shown_size >= LEAST_PX
        assert measure(shown, shown_size) <= room
        return shown, shown_size

    monkeypatch.setattr(as_picture, "fit", note)
    return Image.open(BytesIO(encode_picture(sheet, "friday", words, DAY))), written


@pytest.mark.parametrize("language", Language)
def test_a_picture_holds_names_day_money_transfers_and_every_hand(
    language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet, words = make(), Words(language)
    picture, written = record_lines(sheet, words, monkeypatch)
    assert picture.size == SIZE_PX
    assert "friday · 2026-11-28" in written
    settlement = settle_up(sheet.state)
    assert settlement is not None
    names = name_seated(sheet, words)
    assert set(list_transfers(settlement, names, words)) <= set(written)
    assert {f"{place}.  " for place in range(1, 5)} <= {line[:4] for line in written}
    for hand in sheet.hands:
        for win in hand.wins:
            assert {names[win.winner], write_worth(win.score, words)} <= set(written)


@pytest.mark.parametrize("rules", ["taiwanese", "hebei"])
def test_long_names_and_many_tiles_stay_within_the_picture(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture, _ = record_lines(make(rules, 8, LONG), Words(Language.ENGLISH), monkeypatch)
    edge = [picture.getpixel((x, y)) for x in (0, SIZE_PX[0] - 1) for y in range(picture.height)]
    assert set(edge) == {as_picture.PAPER, as_picture.BAND}


def test_many_hands_make_a_longer_picture_with_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = make("hong_kong", 8)
    longer = replace(sheet, hands=sheet.hands * 5)
    picture, _ = record_lines(longer, Words(Language.ENGLISH), monkeypatch)
    assert picture.height > SIZE_PX[1]
    monkeypatch.setattr(as_picture, "HANDS_MAX", 10)
    shorter, written = record_lines(longer, Words(Language.ENGLISH), monkeypatch)
    assert shorter.height < picture.height
    assert "The last 10 hands" in written


def test_a_game_without_hands_and_a_win_without_tiles_have_a_picture() -> None:
    empty = make_sheet([GameStarted(rules="hefei", names=LONG)])
    assert Image.open(BytesIO(encode_picture(empty, "friday", Words(Language.ENGLISH)))).size == SIZE_PX
    sheet = make()
    bare = [
        replace(
            hand,
            wins=tuple(replace(win, tile=None, concealed=(), melds=(), flowers=()) for win in hand.wins),
        )
        for hand in sheet.hands
    ]
    content = encode_picture(replace(sheet, hands=tuple(bare)), "friday", Words(Language.TRADITIONAL))
    assert Image.open(BytesIO(content)).size == SIZE_PX


def test_a_game_for_points_shows_who_pays_whom_and_a_practice_game_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bet = PointsMoved(points=(30, -30, 0, 0), why="a bet")
    start = GameStarted(rules="hefei", names=("Ann", "Bao", "Cy", "Dai"))
    words = Words(Language.ENGLISH)
    _, written = record_lines(make_sheet([start, bet]), words, monkeypatch)
    assert "Bao pays Ann 30" in written
    practice = GameStarted(rules="hefei", names=start.names, practice=5)
    _, written = record_lines(make_sheet([practice, bet]), words, monkeypatch)
    assert "Bao pays Ann 30" not in written
