"""What a club's lists become for other programs: read back, they say what the rows say."""

from __future__ import annotations

import csv
import json
from datetime import date
from io import BytesIO, StringIO

import pytest
from pypdf import PdfReader

from companion.club.exports import HEADS, Json, encode_csv, encode_json, encode_pdf
from companion.words import Language, Words

CLUBS: list[Json] = [
    {
        "club": "龙会",
        "standings": [
            {"place": 1, "name": "陈姐", "points": 1460, "games": 3, "hands": 40, "wins": 12},
            {"place": 2, "name": "=1+1", "points": -1460, "games": 3, "hands": 40, "wins": 5},
        ],
    },
    {"club": "empty", "standings": []},
]


def read_csv(content: bytes) -> list[list[str]]:
    return list(csv.reader(StringIO(content.decode("utf-8-sig"))))


def read_pdf(content: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(BytesIO(content)).pages]


def test_a_csv_has_a_row_for_each_player_and_calculates_nothing() -> None:
    content = encode_csv(CLUBS)
    assert content.startswith(b"\xef\xbb\xbf"), "the mark by which spreadsheets know UTF-8"
    assert read_csv(content) == [
        ["club", "season", "place", "name", "points", "games", "hands", "wins"],
        ["龙会", "", "1", "陈姐", "1460", "3", "40", "12"],
        ["龙会", "", "2", "'=1+1", "-1460", "3", "40", "5"],
    ]
    assert b'"=1+1"' not in content
    assert b",-1460," in content, "numbers stand without quotes"


def test_rows_may_have_other_fields_and_gaps() -> None:
    rows = [{"name": "A", "rating": 25.33333, "places": [3, 0, 1, 0]}, {"name": "B", "late": True}]
    assert read_csv(encode_csv([{"club": "c", "games": rows}])) == [
        ["club", "season", "name", "rating", "places", "late"],
        ["c", "", "A", "25.33", "3 0 1 0", ""],
        ["c", "", "B", "", "", "1"],
    ]


def test_a_club_without_games_is_a_heading_and_a_page() -> None:
    assert read_csv(encode_csv([])) == [["club", "season"]]
    assert len(read_pdf(encode_pdf([], "Standings", Words(Language.ENGLISH)))) == 1


def test_the_standings_of_a_season_come_before_those_of_all_time() -> None:
    season = {"name": "2026", "standings": [{"place": 1, "name": "Bo", "table_points": 15.0}]}
    club = {"club": "c", "standings": [{"place": 1, "name": "Ann", "points": 7}], "season": season}
    assert read_csv(encode_csv([club, {"club": "d", "standings": [], "season": None}])) == [
        ["club", "season", "place", "name", "table_points", "points"],
        ["c", "2026", "1", "Bo", "15.00", ""],
        ["c", "", "1", "Ann", "", "7"],
    ]
    (page,) = read_pdf(encode_pdf([club], "Standings", Words(Language.ENGLISH)))
    assert page.index("c · 2026") < page.index("Bo") < page.index("Ann")
    assert "Table points" in page


def test_the_json_is_the_answer_of_the_page() -> None:
    assert json.loads(encode_json(CLUBS)) == {"version": 1, "clubs": CLUBS}


@pytest.mark.parametrize("language", Language)
def test_a_pdf_says_the_same_in_each_language(language: Language) -> None:
    words = Words(language)
    (page,) = read_pdf(encode_pdf(CLUBS, "2026", words, date(2026, 11, 30)))
    assert "2026 · 2026-11-30" in page
    for said in ("龙会", "陈姐", "=1+1", "1,460", "−1,460", words(HEADS["place"]), words(HEADS["points"])):
        assert said in page


def test_numbers_stand_right_where_one_of_them_is_missing() -> None:
    rows = [{"name": "Ann", "rating": None}, {"name": "Bo", "rating": 7.0}]
    found: list[tuple[str, float]] = []

    def note(text: str, _: object, matrix: list[float], *__: object) -> None:
        found.append((text.strip(), matrix[4]))

    content = encode_pdf([{"club": "c", "standings": rows}], "Standings", Words(Language.ENGLISH))
    PdfReader(BytesIO(content)).pages[0].extract_text(visitor_text=note)
    places = dict(found)
    assert places["7.00"] > places["Rating"], "a shorter text that ends at the same place begins later"


def test_a_long_list_has_its_headings_on_every_page() -> None:
    rows = [{"place": at, "name": f"player {at}", "points": 100 - at} for at in range(1, 151)]
    pages = read_pdf(encode_pdf([{"club": "c", "standings": rows}], "Standings", Words(Language.ENGLISH)))
    assert len(pages) == 3
    assert all("Place" in page and "Points" in page for page in pages)
    found = "\n".join(pages)
    assert all(f"player {at}\n" in found for at in range(1, 151))
