"""The club's pages in a real browser: sizes, languages, looks, what is kept up to date without a touch.

COMPANION_PICTURES=yes (`make pictures`) writes the pictures of docs/club.md; otherwise they must be there.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.by import By

from companion.club.competition import (
    Decision,
    begin_meeting,
    begin_season,
    end_round,
    mark_present,
    penalise,
    start_clock,
)
from companion.club.room import FITS
from companion.club.schema import Bye, Round, Seat
from companion.club.seating import PlayedRound, seat_players
from companion.coach.play.simulation import play
from companion.publish.topics import TableTopics
from companion.table.events import Event, GameStarted, PointsMoved
from tests.club.served_club import CLUB, ORGANISER, PASSWORD, ServedClub
from tests.serve.browsers import check_fit, open_browser, resize
from tests.serve.served import wait_until

pytestmark = pytest.mark.slow
DOCS = Path(__file__).parents[2] / "docs" / "pictures"
WRITES = bool(os.environ.get("COMPANION_PICTURES"))
QUALITY = 84
SIZES = ((320, 640), (390, 844), (800, 480), (1280, 800), (1920, 1080))
ROUNDS = 8
TABLES = tuple(str(number) for number in range(1, 13))
PLAYERS = (
    *("Ann", "Bao", "Chen", "Dai", "Emma", "Feng", "Gao", "Hana", "Ivo", "Jin", "Karl", "Lin", "Mei"),
    *("Omar", "Pei", "Qiu", "Rosa", "Shen", "Tao", "Uma", "Vera", "Wang", "Xia", "Yan", "Zoe"),
    *("王小明", "歐陽春麗", "Anastasia von Hohenstein", "Wolfeschlegelstein", "Léa", "Børge", "Ada", "Bo"),
    *("Cem", "Dov", "Eva", "Finn", "Gus", "Hui", "Ida", "Jo", "Kai", "Lu", "Max", "Nils", "Oda", "Per"),
    *("Quinn", "Rui"),
)
PICTURES = {
    "club-room": ("/?theme=dark", (1920, 1080)),
    "club-table": ("/table?name=4&theme=dark", (1280, 800)),
    "club-player": ("/player?name=Ann&theme=light", (390, 844)),
    "club-organiser": ("/organise?theme=light", (1280, 800)),
}
"""Of docs/pictures, each with its address and the size of the screen, px; the largest is halved."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with open_browser(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


def deal(names: tuple[str, ...], hands: int, seed: int, cut: int = 0) -> tuple[Event, ...]:
    """A game of that many hands, without its last events."""
    start = GameStarted(rules="hong_kong", names=names)
    events: list[Event] = [start]
    for played in play(start, hands, random.Random(seed)):
        events += (step.event for step in played.steps)
    return tuple(events[: len(events) - cut])


def play_evening(club: ServedClub) -> None:
    """A meeting in its last round: every table plays, but for the last, at which other people do."""
    now = datetime.now(UTC)
    began = now - timedelta(minutes=100 * (ROUNDS - 1) + 40)
    with club.database.begin() as session:
        season = begin_season(session, CLUB, "Winter 2026", began)
        meeting = begin_meeting(session, season, "Friday", TABLES, 90, began)
        players = [mark_present(session, meeting, name) for name in PLAYERS[: len(TABLES) * 4]]
        by_id = {player.id: player for player in players}
        idle = mark_present(session, meeting, PLAYERS[len(TABLES) * 4])
        played: list[PlayedRound] = []
        for number in range(1, ROUNDS + 1):
            at = began + timedelta(minutes=100 * (number - 1))
            made = Round(meeting_id=meeting.id, number=number, minutes=90, seated=at, paused_s=0.0)
            session.add(made)
            session.flush()
            session.add(Bye(round_id=made.id, player_id=idle.id))
            seating = seat_players(by_id, len(TABLES), played).tables
            played.append(PlayedRound(seating))
            for place, table in enumerate(TABLES):
                seated = [by_id[player] for player in seating[place]]
                session.add_all(
                    Seat(round_id=made.id, table=table, wind=wind, player_id=player.id)
                    for wind, player in enumerate(seated)
                )
                names = tuple(player.name for player in seated)
                if number == ROUNDS and table == TABLES[-1]:
                    names = (*names[:3], "Zed")
                seed = number * 100 + place
                if number == ROUNDS:
                    events = deal(names, 1 + place % 2, seed, 30 + place)
                else:
                    events = (GameStarted(rules="hong_kong", names=names), *move_points(seed))
                club.send_game(session, table, events, at + timedelta(seconds=5))
            start_clock(made, at)
            if number < ROUNDS:
                end_round(made, at + timedelta(minutes=90))
        penalise(
            session, meeting, players[0].id, 10, 5, Decision(ORGANISER, "late by ten minutes", now), made
        )
        club.keeper.keep(session, [(TableTopics(CLUB, "5").events, b"<garbage>")])


def move_points(seed: int) -> list[Event]:
    """What a round came to."""
    points = random.Random(seed).sample(range(-40, 40), 3)
    return [PointsMoved(points=(*points, -sum(points)), why="a wager")]


def open_page(browser: webdriver.Chrome, club: ServedClub, path: str, size: tuple[int, int]) -> None:
    resize(browser, *size)
    browser.get(f"{club.origin}{path}" + ("" if "language" in path else "&language=en"))


def sign_in(browser: webdriver.Chrome, club: ServedClub) -> None:
    club.sign_in()
    open_page(browser, club, "/organise?", (1280, 800))
    browser.find_element(By.NAME, "name").send_keys(ORGANISER)
    browser.find_element(By.NAME, "password").send_keys(PASSWORD)
    browser.find_element(By.CSS_SELECTOR, "button.main").click()
    wait_until(lambda: "Sign out" in browser.page_source)


def test_every_page_fits_every_screen_with_enough_contrast(
    browser: webdriver.Chrome, club: ServedClub
) -> None:
    play_evening(club)
    sign_in(browser, club)
    paths = ("/?", "/table?name=3&", "/ranking?", "/player?name=Ann&", "/seating?", "/organise?")
    for size in SIZES:
        for path in paths:
            for look in ("theme=dark&language=en", "theme=light&language=zh_Hant"):
                open_page(browser, club, path + look, size)
                check_fit(browser, size[0])
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


FILL = """const room = document.querySelector(".room");
room.dataset.fit = arguments[0];
while (room.children.length > arguments[0]) room.lastElementChild.remove();
while (room.children.length < arguments[0]) room.append(room.children[1].cloneNode(true));"""
TALLEST = "return document.documentElement.scrollHeight"
SMALLEST_PX = """return Math.min(...[...document.querySelectorAll(".room td.name, .room td.number, .clock")]
  .map(each => parseFloat(getComputedStyle(each).fontSize)))"""


def test_all_tables_of_a_room_are_on_the_wall_in_large_letters(
    browser: webdriver.Chrome, club: ServedClub
) -> None:
    play_evening(club)
    open_page(browser, club, "/?", (1920, 1080))
    assert browser.execute_script(SMALLEST_PX) >= 30
    for width, height in ((1920, 1080), (1280, 800)):
        for tables in FITS:
            open_page(browser, club, "/?", (width, height))
            browser.execute_script(FILL, tables)
            assert browser.execute_script(TALLEST) <= height, (tables, height)


CLOCK = "return document.querySelector('.clock').textContent"
ROOM = "return document.querySelector('.room').innerText"


def test_the_room_follows_the_tables_and_its_clock_runs(browser: webdriver.Chrome, club: ServedClub) -> None:
    of = club.seat(PLAYERS[:8])
    open_page(browser, club, "/?", (1280, 800))
    shown = browser.execute_script(CLOCK)
    assert shown.startswith("1:2")
    wait_until(lambda: browser.execute_script(CLOCK) != shown)
    names = tuple(player.name for player in of.tables[0].players)
    club.say(
        "1", (GameStarted(rules="hefei", names=names), PointsMoved(points=(77, -77, 0, 0), why="a wager"))
    )
    wait_until(lambda: "77" in browser.execute_script(ROOM))
    club.pages.site.servers[0].should_exit = True
    wait_until(lambda: "connection to the club is lost" in browser.find_element(By.ID, "notice").text)
    assert "77" in browser.execute_script(ROOM)


def test_what_an_organiser_types_is_not_taken_away_by_news(
    browser: webdriver.Chrome, club: ServedClub
) -> None:
    club.seat(PLAYERS[:8])
    sign_in(browser, club)
    with club.database.begin() as session:
        club.keeper.keep(session, [(TableTopics(CLUB, "1").events, b"<garbage>")])
    wait_until(lambda: "Troubles" in browser.page_source)
    field = browser.find_element(By.NAME, "why")
    field.send_keys("a slip")
    with club.database.begin() as session:
        club.keeper.keep(session, [(TableTopics(CLUB, "2").events, b"<garbage>")])
    asked = "return performance.getEntriesByType('resource').length"
    before = browser.execute_script(asked)
    wait_until(lambda: browser.execute_script(asked) >= before + 2)
    assert field.get_property("value") == "a slip"
    form = field.find_element(By.XPATH, "ancestor::form")
    for at in range(4):
        form.find_element(By.NAME, f"points{at}").send_keys("5")
    form.find_element(By.TAG_NAME, "button").click()
    wait_until(lambda: "these add up to 20" in browser.page_source)
    assert browser.find_element(By.NAME, "why").get_property("value") == "a slip"


def test_the_pictures_are_those_of_the_pages(browser: webdriver.Chrome, club: ServedClub) -> None:
    play_evening(club)
    sign_in(browser, club)
    for name, (path, size) in PICTURES.items():
        open_page(browser, club, path, size)
        with Image.open(BytesIO(browser.get_screenshot_as_png())) as shot:
            made = shot.convert("RGB")
        if size[0] > 1280:
            made = made.resize((size[0] // 2, size[1] // 2), Image.Resampling.LANCZOS)
        path_kept = DOCS / f"{name}.jpg"
        if WRITES:
            made.save(path_kept, quality=QUALITY)
        with Image.open(path_kept) as kept:
            assert kept.size == made.size, "make pictures writes it"
    assert sorted(each.stem for each in DOCS.glob("club-*.jpg")) == sorted(PICTURES)
    document = (DOCS.parent / "club.md").read_text(encoding="utf-8")
    assert [name for name in PICTURES if f"pictures/{name}.jpg" not in document] == []
