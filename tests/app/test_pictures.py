"""Every picture of the documents and of the help page is made here, of the real window driven by touches.

COMPANION_PICTURES=yes (`make pictures`) writes them; otherwise they must be there, each of its size, and no
others, and what they show is driven in English.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest
from app_driver import SIZES, Driver, ScriptedReader, draw_picture
from practice_driver import Newcomer
from sheet_driver import open_games

import companion
from companion.app.news import KeptGameWanted, ScorePhotoWanted, SheetWanted, WinEntryWanted
from companion.app.phones.state import ServedPage
from companion.app.practice.state import LATEST_MAX
from companion.coach.play.simulation import PlayedHand, play
from companion.game import shelf
from companion.game.game import Game
from companion.rules import Source
from companion.table.apply import fold
from companion.table.events import Event, GameStarted
from companion.table.knowledge import event_as_seen
from companion.table.state import Phase
from companion.table.unrecorded import ReportedWin, enter_win
from companion.tiles import Tile, parse_tiles
from companion.words import Language

pytestmark = pytest.mark.slow
PACKAGE = Path(companion.__file__).parent
DOCS, HELP = PACKAGE.parent / "docs" / "pictures", PACKAGE / "app" / "help"
OF_BROWSERS = {"phone-camera.jpg"}
"""Made by tests/serve/test_table_camera.py."""
WRITES = bool(os.environ.get("COMPANION_PICTURES"))
SIZE, HELP_SIZE = SIZES["tablet"], (640, 400)
QUALITY = 84
MIDDLE = 55
"""More events than a hand begins with, fewer than any ends with."""
NAMES = {
    Language.ENGLISH: ("Ann", "Bao", "Chen", "Dai"),
    Language.SIMPLIFIED: ("小安", "宝哥", "陈姐", "戴叔"),
    Language.TRADITIONAL: ("小安", "寶哥", "陳姐", "戴叔"),
}
Scene = Callable[[Driver], None]


def keep_games(names: tuple[str, str, str, str]) -> None:
    """An evening that was followed, and one of which only wins were recorded."""
    start = GameStarted(rules="hong_kong", names=names)
    with Game.begin(shelf.path_of("friday"), start) as game:
        for hand in play(start, 6, random.Random(5)):
            for step in hand.steps:
                game.append(step.event)
    (hand,) = play(start, 1, random.Random(5))
    steps = hand.steps[: find_turn(hand) + 1]
    with Game.begin(shelf.path_of("thursday"), start) as game:
        for step in steps:
            game.append(step.event)
    state = hand.before
    with Game.begin(shelf.path_of("saturday"), start) as game:
        for step in steps:
            game.append(event_as_seen(state, step.event, None))
            state = step.state
    events: list[Event] = [start]
    tiles = tuple(parse_tiles("123m55z456p678s789s"))
    for seat, giver in ((1, None), (2, 3), (0, 1), (3, None)):
        state = fold(events)
        assert state is not None
        source = Source.SELF_DRAW if giver is None else Source.DISCARD
        events += enter_win(state, ReportedWin(seat, source, giver, Tile.parse("9s"), tiles)).events
    with Game.begin(shelf.path_of("sunday"), start) as game:
        for event in events[1:]:
            game.append(event)


def find_turn(played: PlayedHand) -> int:
    """The place of a step in the middle of the hand, after which seat 0 has to discard."""
    return next(
        at
        for at, step in enumerate(played.steps)
        if at > MIDDLE and step.state.hand is not None and step.state.hand.phase is Phase.TURN
        and step.state.hand.turn == 0
    )  # fmt: skip


def find(driver: Driver, kind: str, **wanted: Any) -> Any:
    return next(
        each
        for each in driver.root.walk(restrict=True)
        if type(each).__name__ == kind and all(getattr(each, k) == v for k, v in wanted.items())
    )


def begin(driver: Driver) -> None:
    driver.touch(driver.root.bar.buttons["home"])
    driver.wait(lambda: driver.controller.view.states["home"].is_ready_to_show, "the kept games")
    driver.frames(6)


def win(driver: Driver) -> None:
    driver.controller.announce(ScorePhotoWanted())
    if driver.page == "score_game":
        driver.frames(4)
        driver.touch(driver.pages.score_game.games["hefei"])
    driver.open(draw_picture(driver.folder / "hand.png"))


def table(driver: Driver) -> None:
    driver.controller.announce(KeptGameWanted("saturday"))
    driver.settle()


def coach(driver: Driver) -> None:
    driver.controller.announce(KeptGameWanted("thursday"))
    driver.settle()
    driver.touch(driver.root.bar.buttons["coach"])
    driver.wait(lambda: driver.controller.view.states["coach"].is_ready_to_show, "the coach")
    driver.frames(6)


def call(driver: Driver) -> None:
    driver.controller.announce(KeptGameWanted("sunday"))
    driver.settle()
    driver.controller.announce(WinEntryWanted(2))
    driver.open(draw_picture(driver.folder / "won.png"))
    entry = driver.pages.win_entry
    driver.touch(entry.win.discarder.button("1"))
    driver.touch(entry.tray.keys[driver.state.hand.concealed[-1].id])
    driver.show_everyone()
    driver.frames(6)


def sheet(driver: Driver) -> None:
    driver.controller.announce(SheetWanted("friday"))
    driver.settle()


def result(driver: Driver) -> None:
    sheet(driver)
    state = driver.controller.view.states["sheet"]
    place = max(
        range(len(state.sheet.hands)), key=lambda at: sum(w.score.value for w in state.sheet.hands[at].wins)
    )
    driver.controller.do("sheet", lambda state: state.open_hand(place))
    driver.frames(6)


def row(driver: Driver) -> None:
    result(driver)
    driver.touch(driver.pages.sheet.hand.result.lines[0])
    driver.frames(30)


def replay(driver: Driver) -> None:
    result(driver)
    driver.touch(driver.pages.sheet.hand.views.button("steps"))
    driver.controller.do("sheet", lambda state: state.in_hand(lambda look: look.go(len(look.steps) * 2 // 3)))
    driver.frames(6)


def mistake(driver: Driver) -> None:
    driver.controller.announce(SheetWanted("sunday"))
    driver.settle()
    driver.touch(find(driver, "HandRow", place=1))
    driver.touch(driver.pages.sheet.hand.fix)
    driver.touch(driver.pages.sheet.hand.fixing.whose.button("0"))
    driver.wait(lambda: driver.controller.view.states["sheet"].is_ready_to_show, "what would change")
    driver.frames(4)


def figures(driver: Driver) -> None:
    sheet(driver)
    driver.touch(driver.pages.sheet.parts.button("figures"))
    driver.frames(4)


def evenings(driver: Driver) -> None:
    sheet(driver)
    driver.touch(driver.pages.sheet.parts.button("evenings"))
    driver.settle()


def print_out(driver: Driver) -> None:
    sheet(driver)
    driver.touch(driver.pages.sheet.save)
    driver.frames(10)


def games(driver: Driver) -> None:
    sheet(driver)
    open_games(driver)


def phones(driver: Driver) -> None:
    driver.touch(driver.root.bar.buttons["phones"])
    served = ServedPage("http://192.168.1.20:40813/?token=Q7xkH0aYw2ZbD4nVtE9mRg", 3, in_network=True)
    driver.controller.do("phones", lambda state: state.serve(served))
    driver.frames(6)


def tables(driver: Driver) -> None:
    begin(driver)
    driver.touch(driver.pages.home.games["rules:hong_kong"])
    driver.frames(6)


def stakes(driver: Driver) -> None:
    begin(driver)
    driver.touch(driver.pages.home.games["rules:taiwanese"])
    driver.choose_table("ready:taiwanese-common")
    driver.touch(driver.pages.new_game.stakes)
    driver.frames(6)


def practice(driver: Driver) -> None:
    driver.controller.features["practice"].choose_number = lambda: 6  # type: ignore[attr-defined]
    begin(driver)
    person = Newcomer(driver)
    person.begin("hong_kong")
    person.begin_hand()
    while len(person.state.latest) < LATEST_MAX or not person.page.actions.keys:
        person.answer()


SCENES: dict[str, Scene] = {
    "start": begin, "tables": tables, "stakes": stakes, "table": table, "coach": coach, "win": call,
    "score-photo": win, "sheet": sheet,
    "hand": result, "row": row, "replay": replay,
    "put-right": mistake, "figures": figures, "evenings": evenings, "kept-games": games,
    "phones": phones, "practice": practice,
}  # fmt: skip
"""Of docs/pictures, in English."""
HELP_SCENES: dict[str, Scene] = {
    "begin": begin, "table": table, "win": call, "sheet": result, "mistake": mistake, "print": print_out,
}  # fmt: skip
"""Of the help page, in each language."""


@pytest.fixture
def open_window(kivy_window: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    opened: list[Driver] = []

    def open_it(language: Language) -> Driver:
        keep_games(NAMES[language])
        driver = Driver(tmp_path, ScriptedReader(), SIZE, language=language, home=True)
        opened.append(driver)
        return driver

    yield open_it
    for driver in opened:
        driver.close()


@pytest.mark.parametrize("language", Language)
def test_the_pictures_are_those_of_the_window(open_window: Any, language: Language) -> None:
    driver = open_window(language)
    wanted = {HELP / f"{key}-{language.value}.jpg": scene for key, scene in HELP_SCENES.items()}
    if language is Language.ENGLISH:
        wanted |= {DOCS / f"{key}.jpg": scene for key, scene in SCENES.items()}
    for path, scene in wanted.items():
        if WRITES or language is Language.ENGLISH:
            scene(driver)
        size = HELP_SIZE if path.parent == HELP else SIZE
        if WRITES:
            shot = cv2.resize(driver.pixels(), size, interpolation=cv2.INTER_AREA)
            path.parent.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(path), shot, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        image = cv2.imread(str(path))
        assert image is not None, f"make pictures writes {path.name}"
        assert (image.shape[1], image.shape[0]) == size
        for forms in (driver.pages.sheet.forms,) if scene is print_out else ():
            forms.dismiss()
            driver.wait(lambda forms=forms: not forms.attach_to, "the list to go")
        if scene is row:
            driver.pages.sheet.hand.result.lines[0].explanation.dismiss(animation=False)
            driver.frames(2)


def test_no_picture_is_made_elsewhere() -> None:
    names = {f"{key}.jpg" for key in SCENES} | OF_BROWSERS
    assert {
        each.name for each in DOCS.glob("*.jpg") if not each.match("page-*") and not each.match("club-*")
    } == names
    helps = sorted(f"{key}-{language.value}.jpg" for key in HELP_SCENES for language in Language)
    assert sorted(each.name for each in HELP.iterdir()) == helps
    page = (DOCS.parent / "window.md").read_text(encoding="utf-8")
    assert [key for key in SCENES if f"pictures/{key}.jpg" not in page] == []
