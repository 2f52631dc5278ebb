"""The page: small, closed to all else, and in a real browser equal to the state after every event."""

from __future__ import annotations

import json
import math
import random
import re
import threading
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from selenium import webdriver

from companion.coach.play.simulation import play
from companion.game.watching import PlayedSoFar
from companion.money import Currency
from companion.recorded_demo import __path__ as demo_folder
from companion.rules import RULE_SETS, decode_request
from companion.rules import score as score_hand
from companion.rules.scoring import describe_worth
from companion.serve import messages, page, scoring, uploads
from companion.serve.page import ASSETS, SCRIPT, make_page
from companion.sheets.wording import write_line
from companion.table.apply import apply
from companion.table.events import GameStarted, PointsMoved
from companion.words import Language, Words
from tests.programs import LIMIT_S
from tests.serve.browsers import check_fit, open_browser, resize
from tests.serve.served import Table, find_own_port, serving, wait_until

HAND = Path(next(iter(demo_folder))) / "hand.jpg"
PAGE_BYTES_MAX = 60_000
SIZES = ((320, 640), (390, 844), (844, 390), (1024, 768), (1920, 1080))
VIEWS = ("table", "scores", "television", "overlay", "photo", "camera", "me&seat=2")

SCREEN_MM, AWAY_MM = 886, 4_000
"""Width of a television of 40 inches, and how far from it people sit."""
CAPITAL, READABLE_MIN_ARCMIN = 0.7, 10
"""Height of a capital as a share of the size of the letters, and the angle under which it can be read: good
eyes read 5 arc minutes (Snellen)."""
SMALLEST_PX = """return Math.min(...[...document.querySelectorAll(".television *")]
  .filter(each => [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
  .map(each => parseFloat(getComputedStyle(each).fontSize)))"""
READ_MAX_MS = re.compile(r"READ_MAX_MS = (\d+)")
DECLARED = re.compile(r"^(?:async )?(?:function|const|let) (\w+)", re.MULTILINE)

READ = """
const parts = (element, part) => [...element.querySelectorAll(`[data-part=${part}]`)];
const codes = group => [...group.querySelectorAll("[data-code]")].map(tile => tile.dataset.code);
const text = part => document.querySelector(`main [data-part=${part}]`)?.textContent ?? null;
return {
  number: document.getElementById("main").dataset.number,
  status: text("status"), left: text("left"),
  players: [...document.querySelectorAll("main .panel[data-seat]")].map(panel => ({
    seat: Number(panel.dataset.seat), name: panel.querySelector(".name").textContent,
    points: panel.querySelector(".points").textContent, turn: panel.classList.contains("turn"),
    dealer: Boolean(panel.querySelector(".dealer")), ready: Boolean(panel.querySelector(".ready")),
    river: parts(panel, "river").flatMap(codes), flowers: parts(panel, "flowers").flatMap(codes),
    melds: parts(panel, "meld").map(meld => [meld.dataset.meld, codes(meld)]),
    concealed: Number(parts(panel, "concealed")[0]?.dataset.count ?? 0),
    shown: parts(panel, "shown").flatMap(codes),
  })),
  totals: [...document.querySelectorAll(".totals tr, .strip .player")].map(row => [
    Number(row.dataset.seat), row.querySelector(".name").textContent,
    row.querySelector("[data-part=points]").textContent]),
  wins: [...document.querySelectorAll("[data-part=win] h3")].map(win => win.textContent),
  lines: [...document.querySelectorAll("[data-part=win] .lines tr")].map(row => row.lastChild.textContent),
  settle: [...document.querySelectorAll("[data-part=settle] p")].map(said => said.textContent),
};
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with open_browser(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


def show(browser: webdriver.Chrome, table: Table, query: str, size: tuple[int, int] = (1024, 768)) -> None:
    """The page with that view, once it shows a state."""
    resize(browser, *size)
    browser.get(f"{table.server.address}?view={query}" + "&language=en" * ("language" not in query))
    wait_for_number(browser)


def wait_for_number(browser: webdriver.Chrome) -> None:
    """Until the page shows a state."""
    wait_until(lambda: bool(read(browser)["number"]))


def read(browser: webdriver.Chrome) -> dict[str, Any]:
    return dict(browser.execute_script(READ))


def read_at(browser: webdriver.Chrome, number: int) -> dict[str, Any]:
    """What the page shows once it shows that state."""
    until_s = time.monotonic() + LIMIT_S
    while (found := read(browser))["number"] != str(number):
        assert time.monotonic() < until_s
    return found


def write(points: int) -> str:
    return f"{points:,}".replace("-", "−")


def draw(meld: str) -> list[str]:
    """The tiles of a meld as they are on the table."""
    codes = [rank + meld[-1] for rank in meld[1:-1]]
    if meld == "K????":
        return ["back"] * 4
    return ["back", codes[1], codes[2], "back"] if meld[0] == "K" else codes


def expect_table(document: dict[str, Any]) -> list[dict[str, Any]]:
    state = document["state"]
    return [
        {
            "seat": seat,
            "name": document["names"][seat],
            "points": write(document["scores"]["points"][seat]),
            "turn": state["playing"] and state["turn"] == seat,
            "dealer": state["dealer"] == seat,
            "ready": bool(state["players"]) and state["players"][seat]["ready"],
            "river": [code or "?" for code in state["rivers"][seat]],
            "flowers": state["flowers"][seat],
            "melds": [[meld, draw(meld)] for meld in state["melds"][seat]],
            "concealed": state["players"][seat]["concealed"]
            if state["players"] and not state["players"][seat]["shown"]
            else 0,
            "shown": state["players"][seat]["shown"] if state["players"] else [],
        }
        for seat in document["seats"]
    ]


@pytest.mark.slow
@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("rules", "seed"), [(rules, seed) for seed in (11, 12, 13) for rules in reversed(RULE_SETS)]
)
def test_after_every_event_the_page_equals_the_state(
    browser: webdriver.Chrome, table: Table, rules: str, seed: int
) -> None:
    names = ("Ann", "王小明", "<b>Bo</b>", "Dai & Co")
    start = GameStarted(rules=rules, names=names, currency=Currency("NT$", "0.5", "1"))
    events = [start, *(step.event for hand in play(start, 1, random.Random(seed)) for step in hand.steps)]
    state = None
    show(browser, table, "table")
    browser.get_log("browser")  # of the page before, whose table is gone
    for number, event in enumerate(events, start=1):
        state = apply(state, event)
        before = table.ask_json("/state")["number"]
        table.deliver(PlayedSoFar("friday", tuple(events[:number]), state))
        wait_until(lambda before=before: table.ask_json("/state")["number"] > before)  # type: ignore[misc]
        document = table.ask_json("/state")
        shown = read_at(browser, document["number"])
        assert sorted(shown["players"], key=lambda each: each["seat"]) == expect_table(document), event
        assert shown["status"] == document["said"]["status"]
        left = document["state"]["left"]
        assert shown["left"] == (str(left) if document["state"]["playing"] else None)
    totals = [
        [seat, document["names"][seat], write(document["scores"]["points"][seat])]
        for seat in document["seats"]
    ]
    show(browser, table, "scores")
    shown = read(browser)
    assert shown["totals"] == totals
    assert shown["wins"] == [win["said"] for win in document["wins"]]
    assert shown["lines"] == [line["brings"] for win in document["wins"] for line in win["lines"]]
    assert shown["settle"] == [*document["scores"]["said"], document["scores"]["currency"]]
    for view in ("television", "overlay"):
        show(browser, table, view)
        assert read(browser)["totals"] == totals
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.mark.slow
def test_every_view_fits_every_screen_with_enough_contrast(browser: webdriver.Chrome, table: Table) -> None:
    start = GameStarted(
        rules="hefei", names=("Anastasia von Hohenstein", "王小明", "Wolfeschlegelstein", "D")
    )
    events, state = [start], apply(None, start)
    for hand in play(start, 1, random.Random(4)):
        for step in hand.steps[:-1]:
            events.append(step.event)
            state = apply(state, step.event)
    table.deliver(PlayedSoFar("friday", tuple(events), state))
    wait_until(lambda: table.ask_json("/state")["game"] == "friday")
    for size in SIZES:
        for view in VIEWS:
            for look in ("theme=dark", "theme=light&language=zh_Hant"):
                show(browser, table, f"{view}&{look}", size)
                check_fit(browser, size[0])
    assert read(browser)["players"][0]["seat"] == 2  # my seat comes first
    show(browser, table, "television", (1920, 1080))
    capital_mm = CAPITAL * SCREEN_MM / 1920 * browser.execute_script(SMALLEST_PX)
    assert math.degrees(math.atan(capital_mm / AWAY_MM)) * 60 >= READABLE_MIN_ARCMIN
    show(browser, table, "overlay")
    colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert colour == "rgba(0, 0, 0, 0)"


@pytest.mark.slow
def test_names_are_text_and_the_policy_lets_nothing_else_run(browser: webdriver.Chrome, table: Table) -> None:
    start = GameStarted(
        rules="hefei", names=("<img src=x onerror=alert(1)>", "</script>", "&lt;", "javascript:1")
    )
    table.deliver(PlayedSoFar("friday", (start,), apply(None, start)))
    wait_until(lambda: table.ask_json("/state")["game"] == "friday")
    show(browser, table, "scores")
    assert [each[1] for each in read(browser)["totals"]] == list(start.names)
    assert browser.execute_script("return document.images.length") == 0
    tried = "try { document.body.innerHTML = '<i>x</i>'; return 'done' } catch (error) { return error.name }"
    assert browser.execute_script(tried) == "TypeError"
    sent = "return fetch('http://127.0.0.1:9/').then(() => 'sent', error => error.name)"
    assert browser.execute_script(sent) == "TypeError"
    asked = browser.execute_script("return performance.getEntriesByType('resource').map(each => each.name)")
    assert {re.sub(r"\?.*", "", each) for each in asked} <= {
        f"{table.server.address}events",
        "http://127.0.0.1:9/",
    }


@pytest.mark.slow
def test_a_page_that_slept_or_lost_its_table_wakes_up_right(browser: webdriver.Chrome, table: Table) -> None:
    table.show(1)
    table.wait_for_points(1)
    show(browser, table, "scores")
    browser.execute_script("document.querySelector('select').focus()")
    table.show(1)
    wait_until(lambda: read(browser)["totals"][0][2] == "2")
    assert browser.execute_script("return document.activeElement.tagName") == "SELECT"  # it stays in use
    browser.execute_script("stream.close(); heardMs = 0")  # as a phone does whose screen is off
    table.show(1)
    table.wait_for_points(3)
    browser.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
    wait_until(lambda: read(browser)["totals"][0][2] == "3")
    browser.execute_script("findOut(); stream.close()")
    table.show(1)
    table.wait_for_points(4)
    wait_until(lambda: read(browser)["totals"][0][2] == "4")


NOTICE = "return document.getElementById('notice').textContent"


@pytest.mark.slow
def test_a_table_whose_computer_sleeps_is_said_until_it_is_awake(
    browser: webdriver.Chrome, table: Table
) -> None:
    table.show(1)
    table.wait_for_points(1)
    show(browser, table, "scores")
    awake = threading.Event()
    table.server.site.loop.call_soon_threadsafe(lambda: awake.wait(LIMIT_S))
    try:
        browser.execute_script("heardMs -= SILENT_MS + 1")
        wait_until(lambda: browser.execute_script(NOTICE) == page.LABELS["lost"])
        assert read(browser)["totals"][0][2] == "1"
        table.show(1)
    finally:
        awake.set()
    wait_until(lambda: read(browser)["totals"][0][2] == "2")
    assert browser.execute_script(NOTICE) == ""


@pytest.mark.slow
def test_a_link_of_another_evening_says_so(browser: webdriver.Chrome, tmp_path: Path) -> None:
    port = find_own_port()
    with serving(lan=True, port=port) as evening:
        address = evening.server.address
        browser.get(f"{address}&language=zh_Hans")
        wait_until(lambda: bool(browser.execute_script("return document.getElementById('main').innerText")))
    with serving(lan=True, port=port) as next_one:
        assert next_one.server.address != address
        said = Words(Language.SIMPLIFIED)(page.LABELS["unknown"])
        wait_until(lambda: browser.execute_script(NOTICE) == said)


@pytest.mark.slow
@pytest.mark.parametrize("days", [-1, 1])
def test_the_clock_of_the_phone_may_be_a_day_off(browser: webdriver.Chrome, table: Table, days: int) -> None:
    shifted = f"const now = Date.now; Date.now = () => now() + {days} * 86400000"
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": shifted})
    try:
        table.show(1)
        table.wait_for_points(1)
        show(browser, table, "scores")
        table.show(1)
        wait_until(lambda: read(browser)["totals"][0][2] == "2")
        assert browser.execute_script(NOTICE) == ""
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


@pytest.mark.slow
def test_an_older_page_says_so(
    browser: webdriver.Chrome, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.show(1)
    table.wait_for_points(1)
    monkeypatch.setattr("companion.serve.application.PAGE", "000000000000")
    browser.get(f"{table.server.address}?language=zh_Hans")
    outdated = Words(Language.SIMPLIFIED)(messages.OUTDATED)
    wait_until(lambda: str(browser.execute_script(NOTICE)).startswith(outdated))


def read_as(monkeypatch: pytest.MonkeyPatch, codes: str, **hand: Any) -> list[tuple[bytes, str | None]]:
    """Every picture is read as these tiles in a row. Returns the pictures that were sent, and their games."""
    sent: list[tuple[bytes, str | None]] = []
    tiles = [
        {
            "code": code,
            "quad": [[x, 200], [x + 50, 200], [x + 50, 280], [x, 280]],
            "p": 0.99,
            "alternatives": [[code, 0.99], ["7p", 0.01]],
        }
        for x, code in zip(range(20, 1800, 60), codes.split(), strict=False)
    ]

    def read_picture(picture: bytes, rules: str | None) -> bytes:
        sent.append((picture, rules))
        return json.dumps([{"image": "picture", "tiles": tiles, "rows": [], "hand": hand}]).encode()

    monkeypatch.setattr(uploads, "read_picture", read_picture)
    return sent


def send_photo(browser: webdriver.Chrome, photo: Path) -> None:
    browser.find_element("css selector", "input[type=file]").send_keys(str(photo))


def press(browser: webdriver.Chrome, *keys: str) -> None:
    """Touch these, one after the other, each once it is there."""
    touch = """const key = document.querySelector(`[data-key="${arguments[0]}"]`);
      if (key) key.click(); return Boolean(key)"""
    for key in keys:
        wait_until(lambda key=key: bool(browser.execute_script(touch, key)))  # type: ignore[misc]


SHOWN_HAND = """
const codes = part => [...document.querySelectorAll(`main [data-part=${part}]`)]
  .map(group => [...group.querySelectorAll("[data-code]")].map(tile => tile.dataset.code).join(" "));
return {concealed: codes("concealed").join(), melds: codes("meld"), out: codes("out").join()};
"""
SHOWN_SCORE = """
const text = part => [...document.querySelectorAll(`main [data-part=score] ${part}`)]
  .map(each => each.textContent);
return {worth: text("[data-part=worth]").join(), brings: text(".lines .number"),
  pays: text(".payments .number"), reason: text("[data-part=reason]").join(),
  problem: text("[data-part=problem]").join(), assumed: text("[data-part=assumed]").join()};
"""
TOUCH_PICTURE = """
const canvas = document.querySelector("canvas"), box = canvas.getBoundingClientRect();
const [clientX, clientY] = [...arguments]
  .map((at, axis) => (axis ? box.top : box.left) + at * box.width / canvas.width);
canvas.dispatchEvent(new MouseEvent("click", {bubbles: true, clientX, clientY}));
"""
SAID = "return document.querySelector('[data-part=read]').textContent"


def wait_for_score(browser: webdriver.Chrome, **request: Any) -> None:
    """Until the page shows what `companion score` answers to that request."""
    score = score_hand(decode_request(request))
    expected = {
        "worth": str(describe_worth(score)),
        "brings": [write_line(line, score.sign, score) for line in score.lines],
        "pays": [f"{points:+,}".replace("-", "−") for points in score.payments if points],
        "reason": "",
        "problem": "",
    }
    wait_until(lambda: browser.execute_script(SHOWN_SCORE).items() >= expected.items())


@pytest.mark.slow
def test_a_photographed_hand_is_corrected_and_scored_without_a_game(
    browser: webdriver.Chrome, table: Table, tmp_path: Path
) -> None:
    show(browser, table, "photo", (320, 640))
    browser.get_log("browser")
    send_photo(browser, HAND)
    wait_until(lambda: browser.execute_script(SAID) == "14 tiles were read")
    tiles = "3m 3m 3m 4m 4m 4m 5m 5m 5m 2p 2p 6s 7s"
    assert browser.execute_script(SHOWN_HAND)["concealed"] == f"{tiles} 8s"
    won = {"rules": "hefei", "winner": 1, "source": "discard", "from": 2}
    press(browser, "winner1", "from2")
    wait_for_score(browser, **won, hand="333444555m22p678s", winning_tile="8s")
    assumed = browser.execute_script(SHOWN_SCORE)["assumed"]
    assert assumed == "Assumed: Winning tile: 8 bamboo, no set claimed, Dealer: You"
    press(browser, "tile13", "other", "5s")
    wait_for_score(browser, **won, hand="333444555m22p567s", winning_tile="5s")
    press(browser, "tile0", "p", "dealer3", "sea_floor")
    more = {"dealer": 3, "situation": ["sea_floor"]}
    wait_until(lambda: bool(browser.execute_script(SHOWN_SCORE)["problem"]))  # it is drawn, never discarded
    press(browser, "drawn")
    drawn = {**won, **more, "source": "self_draw"} | {"from": None}
    wait_for_score(browser, **drawn, hand="444555m22p567s", melds=["p333m"], winning_tile="5s")
    press(browser, "tile12", "other", "2s")
    wait_until(lambda: bool(browser.execute_script(SHOWN_SCORE)["reason"]))
    assert browser.execute_script(SHOWN_SCORE)["worth"] == "No win"
    assert [entry for entry in browser.get_log("browser") if "400" not in entry["message"]] == []
    (tmp_path / "hand.pdf").write_bytes(b"%PDF-1.7 ...")
    send_photo(browser, tmp_path / "hand.pdf")
    wait_until(lambda: browser.execute_script(SAID) == page.LABELS["pdf"])
    assert browser.execute_script(SHOWN_HAND)["melds"] == ["3m 3m 3m"]  # nothing is lost


@pytest.mark.slow
def test_a_game_settles_what_its_table_agreed_on(
    browser: webdriver.Chrome, table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sent = read_as(
        monkeypatch, "4p 5p 6p 6s 7s 8s 9m 9m back 7z 7z back 1m ? 3m 4m",
        melds=[{"kind": "K", "tiles": [9, 10, 11, 12], "codes": ["7z"] * 4}], others={"tiles": [16]},
        winning_tile={"tile": 6},
    )  # fmt: skip
    start = GameStarted(rules="hong_kong", names=("Ann", "Bo", "Chen", "Dai"), cap=30)
    state = apply(apply(None, start), PointsMoved(points=(3, -3, 0, 0), why="a wager"))
    table.deliver(PlayedSoFar("friday", (start,), state))
    wait_until(lambda: table.ask_json("/state")["game"] == "friday")
    photo = tmp_path / "hand.png"
    Image.new("RGB", (3000, 2000), "white").save(photo)
    show(browser, table, "photo", (390, 844))
    send_photo(browser, photo)
    missing = "return document.querySelector('[data-part=missing]').textContent"
    wait_until(lambda: str(browser.execute_script(missing)).startswith("Unread tiles: 1"))
    ((picture, rules),) = sent
    width, height = Image.open(BytesIO(picture)).size
    assert rules == "hong_kong"
    assert 1.9e6 < width * height <= 2e6
    assert browser.execute_script(SHOWN_HAND)["melds"] == ["back 7z 7z back"]
    press(browser, "out")
    assert browser.execute_script(SHOWN_HAND)["out"] == "4m"
    browser.execute_script(TOUCH_PICTURE, 20 + 13 * 60 + 25, 240)
    press(browser, "2m")
    wait_until(lambda: browser.execute_script(missing) == "Who won?")
    press(browser, "winner1", "from3", "robbed", "tile12", "c")
    won = {"rules": "hong_kong", "winner": 1, "source": "robbed_kong", "from": 3, "cap": 30}
    tiles = {"hand": "456p678s99m", "melds": ["K7777z", "c123m"], "winning_tile": "8s"}
    wait_for_score(browser, **won, **tiles)
    assert "Flowers: none" in browser.execute_script(SHOWN_SCORE)["assumed"]
    names = "return [...document.querySelectorAll('.payments tr')].map(row => row.firstChild.textContent)"
    assert "Bo" in browser.execute_script(names)
    table.deliver(PlayedSoFar("friday", (start,), apply(state, PointsMoved(points=(3, -3, 0, 0), why="x"))))
    wait_for_score(browser, **won, **tiles)  # a newer state leaves the hand where it is
    assert state.balances == (3, -3, 0, 0)


def pick(browser: webdriver.Chrome, key: str, value: str) -> None:
    """Choose from a list."""
    browser.find_element("css selector", f"[data-key={key}] option[value='{value}']").click()


@pytest.mark.slow
def test_each_game_asks_for_its_own_fields_only(
    browser: webdriver.Chrome, table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[dict[str, Any]] = []

    def score_request(request: bytes, words: Words) -> bytes:
        asked.append(json.loads(request))
        return b'{"error": ""}'

    monkeypatch.setattr(scoring, "score_request", score_request)
    codes = "1p 2p 3p 4p 5p 6p 6s 7s 8s 9m 9m 1m 2m 3m"
    read_as(monkeypatch, codes)
    photo = tmp_path / "hand.png"
    Image.new("RGB", (1200, 500), "white").save(photo)
    show(browser, table, "photo", (390, 844))
    pick(browser, "rules", "hangzhou")
    send_photo(browser, photo)
    press(browser, "winner1", "drawn", "fortune", "9s")
    for key, value in (("streak", "2"), ("gambits", "1"), ("three_melds", "4")):
        pick(browser, key, value)
    won = {"winner": 1, "source": "self_draw"}
    tiles = {"hand": codes.split(), "melds": [], "winning_tile": "3m", "alternatives": False}
    hangzhou = {"rules": "hangzhou", "fortune": "9s", "streak": 3, "gambits": 1, "three_melds": [[1, 2]]}
    wait_until(lambda: asked[-1:] == [won | tiles | hangzhou])
    pick(browser, "rules", "hebei")
    wait_until(lambda: asked[-1:] == [won | tiles | {"rules": "hebei"}])
    pick(browser, "kongs_declared", "0")
    pick(browser, "kongs_declared", "2")
    press(browser, "kongs_declared0", "replacement")
    kongs = [{"kind": "k", "seat": 0, "from": 1}]
    more = {"rules": "hebei", "kongs_declared": kongs, "situation": ["replacement"]}
    wait_until(lambda: asked[-1:] == [won | tiles | more])
    needs_melds = {"situation", "three_melds"}
    for request in asked:
        decode_request({name: value for name, value in request.items() if name not in needs_melds})


@pytest.mark.slow
def test_what_is_no_photo_ends_in_a_sentence(browser: webdriver.Chrome, table: Table, tmp_path: Path) -> None:
    show(browser, table, "photo", (390, 844))
    for content, said in (
        (b"no picture", page.LABELS["nophoto"]),
        (b"%PDF-1.7 ...", page.LABELS["pdf"]),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", page.LABELS["heic"]),
    ):
        (tmp_path / "hand").write_bytes(content)
        send_photo(browser, tmp_path / "hand")
        wait_until(lambda said=said: browser.execute_script(SAID) == said)  # type: ignore[misc]


@pytest.mark.slow
def test_a_photo_is_not_awaited_without_end(
    browser: webdriver.Chrome, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    awake = threading.Event()

    def read_picture(picture: bytes, rules: str | None) -> bytes:
        awake.wait(LIMIT_S)
        return b"[]"

    monkeypatch.setattr(uploads, "read_picture", read_picture)
    show(browser, table, "photo")
    browser.execute_script("const late = setTimeout; window.setTimeout = (call, ms) => late(call, ms / 100)")
    try:
        send_photo(browser, HAND)
        wait_until(lambda: browser.execute_script(SAID) == page.LABELS["lost"])
    finally:
        awake.set()
    assert int(READ_MAX_MS.findall(SCRIPT)[0]) > 1000 * (uploads.UPLOAD_S + uploads.READ_S)


@pytest.mark.slow
def test_a_hand_fits_small_screens_and_its_keys_large_fingers(
    browser: webdriver.Chrome, table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    read_as(monkeypatch, "1m 1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 9m 9m 5z 5z 5z ?")
    photo = tmp_path / "hand.png"
    Image.new("RGB", (1200, 500), "white").save(photo)
    for language, theme in (("en", "dark"), ("zh_Hant", "light")):
        show(browser, table, f"photo&language={language}&theme={theme}", (320, 640))
        for rules in ("taiwanese", "hangzhou", "hebei"):
            choice = browser.find_element("css selector", "[data-key=rules]")
            choice.find_element("css selector", f"[value={rules}]").click()
            send_photo(browser, photo)
            press(browser, "winner3", "from2", "tile16", "tile0", "other")
            wait_until(lambda: 'data-part="board"' in browser.page_source)
            check_fit(browser, 320)


@pytest.mark.parametrize("language", Language)
def test_the_page_is_small_and_asks_nobody_else(language: Language) -> None:
    made = make_page(language)
    assert len(made.zipped) <= PAGE_BYTES_MAX, "as sent: zipped"
    html = made.content.decode()
    assert "[[" not in html
    assert set(re.findall(r"https?://[^\s\"'<]+", html)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval)\b", SCRIPT)
    assert "unsafe" not in made.policy
    for label in page.LABELS.values():
        assert language is Language.ENGLISH or Words(language)(
            label, count=1, what="x", who="x"
        ) != label.format(count=1, what="x", who="x")


def test_the_page_is_sent_zipped_to_whoever_takes_that(table: Table) -> None:
    answer, body = table.ask("/", Accept_Encoding="gzip, br", Accept_Language="zh-HK")
    assert answer.headers["Content-Encoding"] == "gzip"
    assert body == make_page(Language.TRADITIONAL).zipped
    answer, body = table.ask("/", Accept_Language="en")
    assert body == make_page(Language.ENGLISH).content


@pytest.mark.slow
def test_the_tiles_of_the_page_are_those_of_the_product() -> None:
    from lab.art.sprite import draw_sprite

    kept, drawn = (ASSETS / "tiles.svg").read_text(encoding="utf-8"), draw_sprite()
    ids = re.compile(r'id="(\w+)"')
    assert ids.findall(kept) == ids.findall(drawn)
    assert abs(len(kept) - len(drawn)) < 0.02 * len(kept)  # other processors round otherwise


def test_the_parts_of_the_script_share_no_name() -> None:
    names = DECLARED.findall(SCRIPT)
    assert len(names) > 100
    assert {name for name in names if names.count(name) > 1} == set()
