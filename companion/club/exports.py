"""What `standings.py` lists, for other programs: CSV, JSON, and a PDF to print. Pure.

Each takes a list of clubs: objects with the text `club`, one list of rows, as `standings` or `games`, and
perhaps a `season` with a `name` and `standings`. Fields of a row are in the order in which they are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from io import BytesIO
from typing import Any, NamedTuple

import msgspec

from companion.game.exchange import encode_rows
from companion.sentences import msgid, write_number
from companion.sheets.as_pdf import A4_PT, BLACK, GREY, LINE_PT, MARGIN_PT, Paper, register_font
from companion.words import Words

Json = dict[str, Any]
Row = dict[str, Any]


class Listing(NamedTuple):
    """A table of a club. season: its name, empty for what is not of one season."""

    club: str
    season: str
    rows: list[Row]


VERSION = 1
"""Of the JSON, which is the answer of `/standings`."""
PLACES = 2
"""Decimals of a number that is not whole, as of a rating."""
HEADS = {
    "place": msgid("Place"), "name": msgid("Name"), "points": msgid("Points"),
    "table_points": msgid("Table points"), "rating": msgid("Rating"), "rounds": msgid("Rounds"),
    "sat_out": msgid("Rounds sat out"), "penalty_points": msgid("Penalty points"),
    "penalty_table_points": msgid("Penalty table points"), "finalist": msgid("Finalist"),
    "games": msgid("Games"), "hands": msgid("Hands"), "wins": msgid("Wins"), "table": msgid("Table"),
    "begun": msgid("Begun"),
}  # fmt: skip
"""Headings of fields for people; another field stands under its own name."""
TEXT_SHARE = 2.5
"""A column of text is this much wider than one of numbers."""
TITLE_PT, HEAD_PT, CELL_PT, GAP_PT = 18, 8, 10, 8


def encode_csv(clubs: Sequence[Json]) -> bytes:
    """All rows under the names of the fields, each after its club, and the season if it is of one: UTF-8 with
    the mark by which spreadsheets know it. No text is calculated; numbers that are not whole have two
    decimals."""
    listings = _list_listings(clubs)
    fields = _list_fields(listings)
    rows = (
        [each.club, each.season, *(_plain(row.get(field)) for field in fields)]
        for each in listings
        for row in each.rows
    )
    return encode_rows([["club", "season", *fields], *rows])


def encode_json(clubs: Sequence[Json]) -> bytes:
    """The clubs as they are, as the page answers them, with a line for each field."""
    return msgspec.json.format(msgspec.json.encode({"version": VERSION, "clubs": clubs}), indent=2) + b"\n"


def encode_pdf(clubs: Sequence[Json], title: str, words: Words, day: date | None = None) -> bytes:
    """A table for each club, with headings in that language, on as many pages as it takes. A4."""
    from reportlab.pdfgen.canvas import Canvas

    headed = " · ".join(filter(None, (title, str(day or ""))))
    draft = Paper(words, headed)
    _fill(draft, clubs)
    font = register_font("".join(draft.letters))
    content = BytesIO()
    canvas = Canvas(content, pagesize=A4_PT)
    canvas.setTitle(headed)
    _fill(Paper(words, headed, canvas, font), clubs)
    canvas.save()
    return content.getvalue()


def _list_listings(clubs: Sequence[Json]) -> list[Listing]:
    """The tables of all clubs: the standings of a club's season, then its one list."""
    found = []
    for club in clubs:
        season = club.get("season")
        if season is not None:
            found.append(Listing(club["club"], season["name"], season["standings"]))
        rows = next(value for value in club.values() if isinstance(value, list))
        found.append(Listing(club["club"], "", rows))
    return found


def _list_fields(listings: Sequence[Listing]) -> list[str]:
    """Every field that a row has, in the order in which they come first."""
    return list(dict.fromkeys(field for each in listings for row in each.rows for field in row))


def _plain(value: Any) -> str | int | Decimal:
    """A value as a cell: a list as text, nothing as empty text, yes and no as 1 and 0."""
    if value is None:
        return ""
    if isinstance(value, float):
        return round(Decimal(value), PLACES)
    if isinstance(value, list | tuple):
        return " ".join(str(_plain(each)) for each in value)
    return int(value) if isinstance(value, int) else str(value)


def _fill(paper: Paper, clubs: Sequence[Json]) -> None:
    paper.write(MARGIN_PT, paper.top - TITLE_PT, paper.title, TITLE_PT, room=A4_PT[0] - 2 * MARGIN_PT)
    paper.top -= TITLE_PT + 2 * LINE_PT
    for each in _list_listings(clubs):
        _fill_listing(paper, each)
    paper.end_page()


def _fill_listing(paper: Paper, listing: Listing) -> None:
    """Whose list it is, the headings, and a line for each row; headings again on each page."""
    rows, fields = listing.rows, _list_fields([listing])
    values = [(field, row.get(field)) for field in fields for row in rows]
    texts = {field for field, value in values if value is not None and isinstance(_plain(value), str)}
    shares = [TEXT_SHARE if field in texts else 1.0 for field in fields]
    column = (A4_PT[0] - 2 * MARGIN_PT) / max(sum(shares), 1.0)
    edges = [MARGIN_PT + column * sum(shares[:at]) for at in range(len(fields) + 1)]

    def write(cells: Sequence[str], size: float, colour: tuple[float, float, float]) -> None:
        paper.top -= LINE_PT
        for field, cell, left, right in zip(fields, cells, edges, edges[1:], strict=False):
            x = left if field in texts else right - GAP_PT
            paper.write(
                x, paper.top, cell, size, colour, right=field not in texts, room=right - left - GAP_PT
            )

    def write_heads() -> None:
        write([paper.words(HEADS[each]) if each in HEADS else each for each in fields], HEAD_PT, GREY)
        paper.rule(paper.top - 4)
        paper.top -= 4

    paper.need(5 * LINE_PT)
    paper.write(MARGIN_PT, paper.top - LINE_PT, " · ".join(filter(None, listing[:2])), CELL_PT + 2)
    paper.top -= 2 * LINE_PT
    write_heads()
    page = paper.page
    for row in rows:
        paper.need(LINE_PT)
        if paper.page != page:
            page = paper.page
            write_heads()
        write([_say(_plain(row.get(field))) for field in fields], CELL_PT, BLACK)
    paper.top -= 2 * LINE_PT


def _say(value: str | int | Decimal) -> str:
    """A cell for people."""
    if isinstance(value, str):
        return value
    return write_number(value, places=0 if isinstance(value, int) else PLACES)
