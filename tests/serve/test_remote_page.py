"""The page of a phone that holds a seat, in a real browser: sizes, languages, looks; a win from a photo.

COMPANION_PICTURES=yes (`make pictures`) writes the pictures of docs/phones.md; otherwise they must be there.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from selenium import webdriver

from companion.coach.play.simulation import play
from companion.game.owner import enter_together
from companion.rules.play import MULTI_WIN
from companion.serve.page import LABELS
from companion.table.apply import apply
from companion.table.events import GameStarted
from companion.table.knowledge import event_as_seen
from companion.words import Language
from tests.serve.browsers import check_fit, open_browser, resize, turn_network
from tests.serve.seated import NAMES, Seated, seating
from tests.serve.served import wait_until
from tests.serve.test_page import press, read_as, send_photo, wait_for_number

pytestmark = pytest.mark.slow
DOCS = Path(__file__).parents[2] / "docs" / "pictures"
WRITES = bool(os.environ.get("COMPANION_PICTURES"))
QUALITY = 84
SHOWN_EVENTS = 70
PICTURES = {
    "page-value": (320, 1000), "page-confirm": (390, 844), "page-table": (1024, 768),
    "page-television": (1920, 1080),
}  # fmt: skip
"""Of the page in docs/pictures, each with the size of the screen, px."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with open_browser(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture
def seated(tmp_path: Path) -> Iterator[Seated]:
    with seating(tmp_path) as table:
        yield table


def open_page(
    browser: webdriver.Chrome, table: Seated, query: str, size: tuple[int, int] = (390, 844)
) -> None:
    resize(browser, *size)
    browser.get(f"{table.server.address}?{query}")
    wait_for_number(browser)


def has(browser: webdriver.Chrome, selector: str) -> None:
    """Wait until there is such an element."""
    find = "return document.querySelector(arguments[0]) !== null"
    wait_until(lambda: bool(browser.execute_script(find, selector)))


def take_seat(browser: webdriver.Chrome, table: Seated, seat: int) -> None:
    has(browser, "[data-key=code]")
    browser.find_element("css selector", "[data-key=code]").send_keys(table.code(seat))
    press(browser, "claim")
    has(browser, "[data-part=own]")


@pytest.mark.parametrize(
    ("language", "theme", "rules"),
    [
        (Language.ENGLISH, "light", "hong_kong"),
        (Language.SIMPLIFIED, "dark", "taiwanese"),
        (Language.TRADITIONAL, "light", "hangzhou"),
    ],
)
def test_a_seat_fits_small_screens_in_every_language_and_look(
    browser: webdriver.Chrome, seated: Seated, tmp_path: Path, language: Language, theme: str, rules: str
) -> None:
    long = ("Anastasia von Hohenstein", "王小明", "Wolfeschlegelstein", "D")
    seated.begin(tmp_path / "saturday.game", rules, long)
    wait_until(lambda: seated.ask_json("/state")["names"] == list(long))
    look = f"language={language.value}&theme={theme}"
    open_page(browser, seated, f"{look}&view=me&seat=1", (320, 640))
    check_fit(browser, 320)
    take_seat(browser, seated, 1)
    check_fit(browser, 320)
    press(browser, "enterwin", "byrows", "drawn")
    if rules == "hangzhou":
        press(browser, "fortune", "9s")
    has(browser, "button[data-key^=row-]")
    check_fit(browser, 320)
    press(browser, "byvalue")
    has(browser, "button[data-key^=value]")
    browser.execute_script("document.querySelector('button[data-key^=value]').click()")
    has(browser, "[data-key=enter]")
    check_fit(browser, 320)
    press(browser, "enter")
    has(browser, "[data-part=entry]")
    other = seated.claim(2)
    seated.send("/mahjong", {"calls": True}, other)
    has(browser, "[data-part=call]")
    check_fit(browser, 320)
    for size in ((390, 844), (1024, 768), (1920, 1080)):
        for view in ("me&seat=1", "table", "scores", "television"):
            open_page(browser, seated, f"{look}&view={view}", size)
            has(browser, "[data-part=entry]")
            check_fit(browser, size[0])


def test_a_photographed_hand_is_shown_to_the_table(
    browser: webdriver.Chrome, seated: Seated, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    read_as(monkeypatch, "3m 3m 3m 4m 4m 4m 5m 5m 5m 2p 2p 6s 7s 8s")
    photo = tmp_path / "hand.png"
    Image.new("RGB", (1200, 500), "white").save(photo)
    open_page(browser, seated, "language=en&view=me&seat=1")
    take_seat(browser, seated, 1)
    press(browser, "enterwin")
    has(browser, "input[type=file]")
    send_photo(browser, photo)
    press(browser, "from2", "enter")
    has(browser, "[data-part=entry]")
    entry = seated.remote.view.entry
    assert entry is not None
    (win,) = entry.wins
    assert (win.reported.seat, win.reported.discarder) == (1, 2)
    assert "".join(tile.code for tile in win.reported.tiles) == "3m3m3m4m4m4m5m5m5m2p2p6s7s8s"
    seated.remote.judge_at_table(entry.number, right=True)
    wait_until(lambda: seated.find_points()[1] > 0)


def test_a_second_winner_joins_the_first_on_a_robbed_kong(
    browser: webdriver.Chrome, seated: Seated, tmp_path: Path
) -> None:
    seated.begin(tmp_path / "sunday.game", "hong_kong", options={MULTI_WIN.key: True})
    wait_until(lambda: seated.ask_json("/state")["rules"] == "hong_kong")
    robbed = {"source": "robbed_kong", "from": 3, "winning_tile": "3s", "stated": {"value": 3}}
    assert seated.enter(seated.claim(2), robbed | {"winner": 2})[0] == 200
    open_page(browser, seated, "language=en&theme=light&view=me&seat=1", (320, 640))
    take_seat(browser, seated, 1)
    press(browser, "enterwin", "byvalue", "from3", "robbed", "winning_tile")
    has(browser, "[data-part=board]")
    check_fit(browser, 320)
    press(browser, "3s")
    has(browser, "button[data-key^=value]")
    browser.execute_script("document.querySelector('button[data-key^=value]').click()")
    press(browser, "enter")
    titles = "return [...document.querySelectorAll('[data-part=entry] h3')].map(each => each.firstChild.data)"
    wait_until(lambda: browser.execute_script(titles) == ["Chen wins", "Bo wins"])
    check_fit(browser, 320)
    entry = seated.remote.view.entry
    assert entry is not None
    seated.remote.judge_at_table(entry.number, right=True)
    wait_until(lambda: min(seated.find_points()[1:3]) > 0)


def test_a_win_is_still_there_when_the_wifi_is_back(browser: webdriver.Chrome, seated: Seated) -> None:
    open_page(browser, seated, "language=en&view=me&seat=1")
    take_seat(browser, seated, 1)
    press(browser, "enterwin", "byvalue", "from2")
    has(browser, "button[data-key^=value]")
    browser.execute_script("document.querySelector('button[data-key^=value]').click()")
    has(browser, "[data-key=enter]")
    said = "return document.querySelector('[data-part=remote]')?.textContent ?? ''"
    turn_network(browser, on=False)
    try:
        press(browser, "enter")
        wait_until(lambda: browser.execute_script(said) == LABELS["lost"])
        assert seated.remote.view.entry is None
    finally:
        turn_network(browser, on=True)
    press(browser, "enter")
    has(browser, "[data-part=entry]")
    assert browser.execute_script(said) == ""


def test_a_seat_lasts_while_the_phone_sleeps_and_its_page_is_loaded_again(
    browser: webdriver.Chrome, seated: Seated
) -> None:
    open_page(browser, seated, "language=en&view=me&seat=1")
    take_seat(browser, seated, 1)
    browser.refresh()
    has(browser, "[data-part=own]")
    browser.execute_script("stream.close(); heardMs = 0")
    seated.remote.take_away(1)
    browser.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
    has(browser, "[data-key=code]")


def test_the_pictures_are_those_of_the_page(browser: webdriver.Chrome, tmp_path: Path) -> None:
    for name, size in PICTURES.items():
        with seating(tmp_path / name) as table:
            shot = draw(browser, table, name, size)
        path = DOCS / f"{name}.jpg"
        if WRITES:
            shot.save(path, quality=QUALITY)
        with Image.open(path) as kept:
            assert kept.size == shot.size, "make pictures writes it"
    kept_names = sorted(each.stem for each in DOCS.glob("page-*.jpg"))
    assert kept_names == sorted(PICTURES)
    document = (DOCS.parent / "phones.md").read_text(encoding="utf-8")
    assert [name for name in PICTURES if f"pictures/{name}.jpg" not in document] == []


def draw(browser: webdriver.Chrome, table: Seated, name: str, size: tuple[int, int]) -> Image.Image:
    """The page at that size; the largest at half of it."""
    if name in ("page-table", "page-television"):
        follow_hand(table)
        open_page(browser, table, f"language=en&theme=dark&view={name.removeprefix('page-')}", size)
    else:
        table.send("/mahjong", {"calls": True}, table.claim(3))
        open_page(browser, table, "language=en&theme=light&view=me&seat=1", size)
        take_seat(browser, table, 1)
        if name == "page-confirm":
            win: dict[str, Any] = {"winner": 3, "source": "self_draw", "stated": {"value": 14}}
            token = table.claim(2)
            assert table.send("/win", {"win": win, "enter": True}, token)[0] == 200
            has(browser, "[data-key=confirm]")
        else:
            press(browser, "enterwin", "byvalue", "from3")
            has(browser, "button[data-key^=value]")
            browser.execute_script("document.querySelector('button[data-key^=value]').click()")
            has(browser, "[data-key=enter]")
    shot = Image.open(BytesIO(browser.get_screenshot_as_png())).convert("RGB")
    assert shot.size == size
    return shot.resize((size[0] // 2, size[1] // 2)) if size[0] > 1500 else shot


def follow_hand(table: Seated) -> None:
    """The game is in the middle of a hand, of which only what everybody sees is known."""
    assert table.game is not None
    start = GameStarted(rules="hefei", names=NAMES)
    state, events = apply(None, start), []
    (hand,) = play(start, 1, random.Random(5))
    for step in hand.steps[:SHOWN_EVENTS]:
        events.append(event_as_seen(state, step.event, None))
        state = apply(state, step.event)
    enter_together(table.game, events)
    wait_until(lambda: table.ask_json("/state")["events"] == SHOWN_EVENTS + 1)
