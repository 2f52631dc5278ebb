"""A settled evening in words, as JSON and on paper."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from msgspec.json import encode
from pypdf import PdfReader

from companion.money import Currency
from companion.sheets.as_json import sheet_json
from companion.sheets.as_pdf import encode_pdf
from companion.sheets.hands import Sheet, make_sheet
from companion.sheets.wording import describe_hand, write_settlement
from companion.table.events import CurrencyAgreed, Event, GameEnded, GameStarted, HandStarted, PointsMoved
from companion.table.settling import settle_up
from companion.words import Language, Words

NAMES = ("Ann", "Bao", "陈小姐", "Dai")
NT = Currency("NT$", "20", "50")


def move(*points: int) -> PointsMoved:
    a, b, c, d = points
    return PointsMoved(points=(a, b, c, d), why="a bet")


def evening(*more: Event, names: tuple[str, str, str, str] = NAMES) -> Sheet:
    start = GameStarted(rules="taiwanese", names=names, currency=NT)
    return make_sheet([start, move(9, 1, -4, -6), *more])


def write(sheet: Sheet, language: Language = Language.ENGLISH) -> str:
    settlement = settle_up(sheet.state)
    assert settlement is not None
    return write_settlement(sheet, settlement, "friday", Words(language))


def test_the_text_says_who_has_won_what_and_who_pays_whom() -> None:
    assert write(evening(GameEnded())).splitlines() == [
        "friday · Taiwanese",
        "1 point = NT$20, rounded to NT$50",
        "Ann: +9, NT$200",
        "Bao: +1, NT$0",
        "陈小姐: −4, −NT$100",
        "Dai: −6, −NT$100",
        "",
        "陈小姐 pays Ann NT$100",
        "Dai pays Ann NT$100",
    ]


def test_a_game_that_is_not_over_is_settled_as_it_stands() -> None:
    assert "The game is not over: this is the current standing." in write(evening(HandStarted(dealer=0)))


def test_whoever_has_no_name_is_called_by_the_place_at_the_table() -> None:
    text = write(evening(move(-12, 0, 0, 12), GameEnded(), names=("", "", "", "")))
    assert "Across pays Left NT$100" in text
    assert "You pay Left NT$50" in text


def test_nobody_owes_anything() -> None:
    text = write(evening(move(-9, -1, 4, 6), GameEnded()))
    assert text.endswith("\n\nNobody owes anything.")
    assert "Ann: 0, NT$0" in text


@pytest.mark.slow
@pytest.mark.parametrize("language", Language)
def test_the_printed_sheet_has_money_beside_points_and_who_pays_whom(language: Language) -> None:
    words, sheet = Words(language), evening(GameEnded())
    pages = PdfReader(BytesIO(encode_pdf(sheet, "friday", words))).pages
    text = "".join(page.extract_text() for page in pages)
    for said in (words("Settle up"), "NT$200", "−NT$100", *write(sheet, language).splitlines()[-2:]):
        assert said in text
    plain = make_sheet([GameStarted(rules="taiwanese", names=NAMES), move(9, 1, -4, -6)])
    pages = PdfReader(BytesIO(encode_pdf(plain, "friday", words))).pages
    assert words("Settle up") not in "".join(page.extract_text() for page in pages)


def test_a_sheet_as_json_has_money_or_says_that_there_is_none() -> None:
    read = json.loads(encode(sheet_json(evening(GameEnded()))))
    assert read["currency"] == {"symbol": "NT$", "point": "20", "coin": "50"}
    assert read["money"] == ["200", "0", "-100", "-100"]
    assert read["settle_up"] == [
        {"from": 2, "to": 0, "amount": "100"}, {"from": 3, "to": 0, "amount": "100"}
    ]  # fmt: skip
    read = json.loads(encode(sheet_json(make_sheet([GameStarted(rules="hefei")]))))
    assert (read["currency"], read["money"], read["settle_up"]) == (None, None, None)


def test_agreed_currency_is_stated() -> None:
    sheet = make_sheet([GameStarted(rules="hefei"), CurrencyAgreed(currency=NT)])
    words = Words(Language.ENGLISH)
    assert describe_hand(sheet.hands[0], NAMES, words) == "1 point = NT$20, rounded to NT$50"
    assert describe_hand(make_sheet([*sheet.log, CurrencyAgreed()]).hands[0], NAMES, words).endswith(
        " · points only"
    )
