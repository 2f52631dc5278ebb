"""No page, and no sheet that is printed or shared, writes 1460 where another one writes 1,460."""

from __future__ import annotations

import random
from io import BytesIO
from typing import Any

import pytest
from app_driver import Driver
from pypdf import PdfReader
from sheet_driver import keep, open_games, open_sheet, state_of

from companion.app.news import KeptGameWanted
from companion.app.sheet.state import EVENINGS, FIGURES, HANDS, SETTLING
from companion.coach.play.simulation import play
from companion.rules.win import Stakes
from companion.sheets.as_pdf import encode_pdf
from companion.table.events import Event, GameStarted, PointsMoved
from companion.words import Language, Words
from tests.plain_numbers import find_plain_numbers

pytestmark = pytest.mark.slow


def keep_rich_game() -> None:
    """A Taiwanese evening in which everything is worth thousands."""
    start = GameStarted(rules="taiwanese", names=("Ann", "Bao", "陈小姐", "Dai"), stakes=Stakes(1500, 1200))
    moved = PointsMoved(points=(14600, -1460, -1460, -11680), why="a bet")
    events: list[Event] = [start, moved]
    for hand in play(start, 3, random.Random(2)):
        events += [step.event for step in hand.steps]
    keep("friday", [start, moved, *events[2:]])


def test_the_scan_finds_what_it_looks_for() -> None:
    assert find_plain_numbers(["1460", "+1460 points", "−21460", "¥1460"]) != []
    assert find_plain_numbers(["1,460", "2026-11-29", "in 2026", "12:30", "0.12345", "2026-11-29-2130"]) == []


@pytest.mark.parametrize("language", [Language.ENGLISH, Language.TRADITIONAL])
def test_no_page_writes_a_number_without_separators(companion: Driver, language: Language) -> None:
    keep_rich_game()
    companion.controller.set_language(language)
    plain, seen = set(), set()

    def look(name: str, step: Any) -> None:
        companion.controller.do(name, step)
        companion.settle()
        seen.update(companion.texts())
        plain.update((companion.page, text) for text in find_plain_numbers(companion.texts()))

    open_games(companion)
    look("home", lambda state: state)
    look("home", lambda state: state.pick_game("taiwanese").show("tables"))
    look("home", lambda state: state.show("new_game").with_stakes(1500, 1200))
    look("home", lambda state: state.open_stakes())
    look("home", lambda state: state.go_home())
    open_sheet(companion, "friday")
    for part in (HANDS, SETTLING, FIGURES, EVENINGS):
        look("sheet", lambda state, part=part: state.choose_part(part))
    for place in range(3):
        look("sheet", lambda state, place=place: state.choose_part(HANDS).open_hand(place))
        look("sheet", lambda state: state.in_hand(lambda hand: hand.show_steps(True)))
    sheet = state_of(companion).sheet
    assert sheet is not None
    pages = PdfReader(BytesIO(encode_pdf(sheet, "friday", Words(language), None))).pages
    printed = [line for page in pages for line in page.extract_text().splitlines()]
    companion.controller.announce(KeptGameWanted("friday"))
    companion.wait(lambda: companion.page == "game", "the table")
    look("game", lambda state: state)
    look("hand_end", lambda state: state.also())
    assert plain == set()
    assert find_plain_numbers(printed) == []
    assert any("14,600" in text for text in seen)
    assert any("11,680" in line for line in printed)
