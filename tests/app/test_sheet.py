"""The score sheet in a real window: read, replayed, put right, compared; figures; kept games; exports."""

from __future__ import annotations

import json
import random
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from app_driver import SIZES, Driver
from PIL import Image
from pypdf import PdfReader

from companion.app.news import SheetWanted
from companion.app.sheet.look import EndDraft
from companion.app.sheet.state import SheetState
from companion.coach.simulation import play
from companion.history import Game, shelf
from companion.history.pictures import keep_picture
from companion.rules import Source
from companion.sheets.hands import make_sheet
from companion.table.apply import fold
from companion.table.events import Event, GameStarted, PointsMoved, Won
from companion.table.told_win import enter_win
from companion.table.untold import ToldWin
from companion.tiles import Tile, parse_tiles
from companion.words import Language

pytestmark = pytest.mark.slow
NAMES = ("Ann", "Bao", "陈小姐", "Dai")
LONG = ("Maximiliana von Hohenstein", "Bao", "歐陽司馬諸葛上官", "Dai")


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DOCUMENTS_DIR", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    (tmp_path / "Documents").mkdir()
    return tmp_path / "Documents"


def keep_game(
    name: str = "friday", rules: str = "hong_kong", hands: int = 4, names: tuple[str, str, str, str] = NAMES
) -> list[Event]:
    """A game of built-in players, of which everything was seen."""
    start = GameStarted(rules=rules, names=names)
    events: list[Event] = [start, PointsMoved(points=(5, -5, 0, 0), why="penalty")]
    for hand in play(start, hands, random.Random(5)):
        events += [step.event for step in hand.steps]
    _keep(name, events)
    return events


def keep_told(name: str = "told", names: tuple[str, str, str, str] = NAMES) -> list[Event]:
    """A game of which only wins were recorded."""
    tiles = tuple(parse_tiles("123m55z456p678s789s"))
    events: list[Event] = [GameStarted(rules="hong_kong", names=names)]
    for seat, giver in ((1, None), (2, 3), (0, 1)):
        state = fold(events)
        assert state is not None
        source = Source.SELF_DRAW if giver is None else Source.DISCARD
        told = ToldWin(seat, source, giver, Tile.parse("9s"), tiles)
        events += enter_win(state, told).events
    _keep(name, events)
    return events


def _keep(name: str, events: list[Event]) -> None:
    start = events[0]
    assert isinstance(start, GameStarted)
    with Game.begin(shelf.path_of(name), start) as game:
        for event in events[1:]:
            game.append(event)


def state_of(companion: Driver) -> SheetState:
    state = companion.controller.view.states["sheet"]
    assert isinstance(state, SheetState)
    return state


def wait_for_fix(companion: Driver) -> None:
    """Until what a correction would change is worked out and shown."""
    companion.wait(lambda: state_of(companion).is_settled, "what would change")
    companion.frames(4)


def open_sheet(companion: Driver, name: str) -> None:
    companion.controller.announce(SheetWanted(name))
    companion.settle()


def find(companion: Driver, kind: str, **wanted: Any) -> Any:
    """The widget of that class with these attributes."""
    return next(
        each
        for each in companion.root.walk(restrict=True)
        if type(each).__name__ == kind and all(getattr(each, k) == v for k, v in wanted.items())
    )


def page(companion: Driver) -> Any:
    return companion.pages.sheet


def points_of(companion: Driver) -> tuple[int, ...]:
    sheet = state_of(companion).sheet
    assert sheet is not None
    return sheet.state.points


@pytest.mark.parametrize("size", [SIZES["tablet"], SIZES["portrait"]])
def test_a_hand_is_looked_at_and_replayed_back_and_forth(companion: Driver, size: tuple[int, int]) -> None:
    events = keep_game(names=LONG)
    companion.resize(size)
    tag = f"{size[0]}x{size[1]}"
    open_sheet(companion, "friday")
    companion.shot(f"sheet-hands-{tag}")
    sheet = state_of(companion).sheet
    assert sheet is not None
    place = next(at for at, hand in enumerate(sheet.hands) if hand.wins)
    companion.controller.do("sheet", lambda state: state.open_hand(place))
    companion.frames(6)
    companion.shot(f"sheet-result-{tag}")
    result = page(companion).hand.result
    assert len(result.lines) == len(sheet.hands[place].wins[0].lines)
    companion.touch(result.lines[0])
    assert result.lines[0].explanation is not None
    companion.shot(f"sheet-explained-{tag}")
    result.lines[0].explanation.dismiss(animation=False)
    companion.frames(4)
    companion.press("Step by step")
    replay = page(companion).hand.replay
    companion.touch(replay.buttons["first"])
    look = state_of(companion).look
    assert look is not None
    assert look.at == 0
    for _ in range(8):
        companion.touch(replay.buttons["on"])
    companion.touch(replay.buttons["back"])
    look = state_of(companion).look
    assert look is not None
    assert look.at == 7
    assert replay.board.width > 300
    companion.controller.do("sheet", lambda state: state.in_hand(lambda look: look.go(len(look.steps) - 3)))
    companion.frames(6)
    companion.shot(f"sheet-replay-{tag}")
    companion.press("Play")
    companion.wait(lambda: state_of(companion).look.at == len(look.steps) - 1, "the hand to play to its end")  # type: ignore[union-attr]
    assert len(events) > 100


@pytest.mark.parametrize(
    ("size", "language"),
    [(SIZES["portrait"], Language.ENGLISH), (SIZES["small"], Language.TRADITIONAL)],
)
def test_a_win_is_put_right_in_three_touches_and_both_versions_are_compared(
    companion: Driver, size: tuple[int, int], language: Language
) -> None:
    keep_told(names=LONG)
    companion.resize(size)
    companion.controller.do("settings", lambda state: state.speak(language))
    open_sheet(companion, "told")
    tag = f"{size[0]}x{size[1]}-{language.value}"
    before = points_of(companion)
    companion.touch(find(companion, "HandRow", place=1))  # one
    hand = page(companion).hand
    companion.touch(hand.fix)  # two
    fixing = hand.fixing
    assert fixing.confirm.disabled
    companion.touch(fixing.whose.button("0"))  # three
    wait_for_fix(companion)
    companion.shot(f"sheet-fix-{tag}")
    look = state_of(companion).look
    assert look is not None
    assert look.fix is not None
    assert look.fix.planned is not None, look.fix.problem
    assert isinstance(look.fix.draft, EndDraft)
    assert not fixing.confirm.disabled
    companion.touch(fixing.confirm)
    companion.settle()
    after = points_of(companion)
    assert after != before
    sheet = state_of(companion).sheet
    assert sheet is not None
    assert [each.dealer for each in sheet.hands] == [each.dealer for each in make_sheet(sheet.log).hands]
    companion.shot(f"sheet-corrected-{tag}")
    companion.touch(hand.result.compares[0])
    companion.settle()
    assert hand._compared is not None
    companion.frames(20)
    companion.shot(f"sheet-compared-{tag}")
    card = hand._compared[1]
    companion.touch(card.done)
    companion.wait(lambda: card.parent is None, "the card to go")
    assert state_of(companion).look.compared is None  # type: ignore[union-attr]
    companion.touch(hand.undo)
    companion.settle()
    assert points_of(companion) == before


def test_a_tile_of_a_told_hand_is_replaced_and_what_is_no_win_says_so(companion: Driver) -> None:
    keep_told()
    open_sheet(companion, "told")
    companion.touch(find(companion, "HandRow", place=0))
    hand = page(companion).hand
    companion.touch(hand.fix)
    fixing = hand.fixing
    companion.touch(fixing.tiles[0])
    assert fixing.keyboard is not None
    companion.touch(fixing.keyboard.keys["9p"])
    wait_for_fix(companion)
    assert fixing.confirm.disabled
    companion.shot("sheet-no-win")
    look = state_of(companion).look
    assert look is not None
    assert look.fix is not None
    assert look.fix.problem is not None
    companion.touch(fixing.who.button("nobody"))
    wait_for_fix(companion)
    assert not fixing.confirm.disabled
    companion.touch(fixing.leave)
    assert state_of(companion).look.fix is None  # type: ignore[union-attr]


def test_an_event_in_the_middle_of_a_hand_is_put_right(companion: Driver) -> None:
    keep_game()
    open_sheet(companion, "friday")
    before = points_of(companion)
    page(companion).hands.list.scroll_y = 0
    companion.frames(4)
    companion.touch(find(companion, "HandRow", place=0))  # one: what was paid before the first hand
    companion.press("Step by step")  # two
    companion.touch(find(companion, "StepRow", at=0).fix)  # three
    fixing = page(companion).hand.fixing
    companion.shot("sheet-fix-event")
    companion.touch(fixing.take_out)
    wait_for_fix(companion)
    companion.touch(fixing.confirm)
    companion.settle()
    after = points_of(companion)
    assert after == (before[0] - 5, before[1] + 5, before[2], before[3])
    companion.touch(page(companion).hand.undo)
    companion.settle()
    assert points_of(companion) == before


def test_what_cannot_have_happened_cannot_be_confirmed(companion: Driver) -> None:
    keep_game()
    open_sheet(companion, "friday")
    companion.controller.do("sheet", lambda state: state.open_hand(1).put_right(3))
    companion.frames(6)
    fixing = page(companion).hand.fixing
    companion.touch(fixing.take_out)
    wait_for_fix(companion)
    assert fixing.confirm.disabled
    assert companion.says("It cannot have been so")
    companion.shot("sheet-fix-refused")


def test_the_picture_of_a_win_is_shown_large_when_it_is_touched(companion: Driver) -> None:
    events = keep_told()
    number, won = next((n, event) for n, event in enumerate(events, 1) if isinstance(event, Won))
    content = BytesIO()
    Image.new("RGB", (1280, 420), "darkgreen").save(content, "JPEG")
    keep_picture(shelf.path_of("told"), number, won, content.getvalue())
    open_sheet(companion, "told")
    companion.shot("sheet-hands-with-picture")
    companion.touch(find(companion, "HandRow", place=0))
    hand = page(companion).hand
    (picture,) = hand.result.pictures
    companion.shot("sheet-result-with-picture")
    companion.touch(picture)
    companion.frames(4)
    assert hand.picture.width > 900
    companion.shot("sheet-picture")
    companion.press("Back")
    assert state_of(companion).look.picture is None  # type: ignore[union-attr]
    companion.touch(hand.fix)
    companion.touch(hand.fixing.who.button("3"))
    wait_for_fix(companion)
    companion.touch(hand.fixing.confirm)
    companion.settle()
    assert len(state_of(companion).sheet.corrections) == 1  # type: ignore[union-attr]
    assert len(hand.result.pictures) == 1, "who won it does not change what was taken"


@pytest.mark.parametrize("size", [SIZES["small"], (1920, 1080)])
def test_figures_of_a_game_and_of_all_evenings(companion: Driver, size: tuple[int, int]) -> None:
    keep_game("friday", hands=3)
    keep_game("saturday", rules="taiwanese", hands=3, names=("Bao", "Ann", "Eva", "Dai"))
    companion.resize(size)
    open_sheet(companion, "friday")
    companion.press("Figures")
    companion.shot(f"sheet-figures-{size[0]}x{size[1]}")
    companion.press("All evenings")
    companion.settle()
    evenings = state_of(companion).shelf.evenings
    assert evenings is not None
    assert evenings.evenings == 2
    assert {one.name for one in evenings.people} == {*NAMES, "Eva"}
    assert companion.says("Eva")
    companion.shot(f"sheet-evenings-{size[0]}x{size[1]}")


def test_kept_games_are_found_renamed_copied_set_aside_and_had_back(companion: Driver) -> None:
    keep_told("friday")
    keep_told("sunday", names=("Eva", "Bao", "Chen", "Dai"))
    companion.touch(companion.root.bar.buttons["sheet"])
    companion.settle()
    games = page(companion).games
    assert companion.says("2 games")
    companion.shot("sheet-games")
    games.sought.text = "eva"
    companion.frames(4)
    assert companion.says("1 games")
    companion.touch(find(companion, "GameRow", name="sunday").more)
    companion.shot("sheet-game-change")
    games.name.text = "monday"
    companion.frames(2)
    companion.press("Rename it so")
    companion.settle()
    assert shelf.names() == ["friday", "monday"]
    companion.press("Undo the change")
    companion.settle()
    assert shelf.names() == ["friday", "sunday"]
    companion.touch(find(companion, "GameRow", name="sunday").more)
    games.name.text = "friday"
    companion.frames(2)
    companion.press("Rename it so")
    companion.settle()
    assert "friday" in str(companion.banner.sentence)  # type: ignore[union-attr]
    assert shelf.names() == ["friday", "sunday"]
    games.name.text = "sunday-2"
    companion.frames(2)
    companion.press("Make a copy of that name")
    companion.settle()
    assert shelf.names() == ["friday", "sunday", "sunday-2"]
    companion.touch(find(companion, "GameRow", name="sunday-2").more)
    companion.press("Set it aside")
    companion.settle()
    assert shelf.names() == ["friday", "sunday"]
    companion.press("Set aside: 1")
    companion.shot("sheet-aside")
    companion.press("Bring back")
    companion.settle()
    assert shelf.names() == ["friday", "sunday", "sunday-2"]


def test_one_of_two_hundred_games_is_found_at_once(companion: Driver) -> None:
    events = keep_told("game-000")
    first = shelf.path_of("game-000").read_bytes()
    for n in range(1, 200):
        shelf.path_of(f"game-{n:03}").write_bytes(first)
    companion.touch(companion.root.bar.buttons["sheet"])
    companion.settle()
    assert companion.says("200 games")
    companion.wait(lambda: state_of(companion).shelf.unread == 0, "all games")
    games = page(companion).games
    games.sought.text = "game-137"
    companion.frames(4)
    companion.touch(find(companion, "GameRow", name="game-137").open)
    companion.settle()
    assert state_of(companion).name == "game-137"
    assert points_of(companion) == make_sheet(events).state.points


@pytest.mark.parametrize("language", [Language.SIMPLIFIED])
def test_what_is_shown_is_saved_where_people_find_it(
    companion: Driver, places: Path, language: Language
) -> None:
    keep_told("friday")
    companion.controller.do("settings", lambda state: state.speak(language))
    open_sheet(companion, "friday")
    forms = {"pdf": 0, "csv": 1, "json": 2}
    for at in forms.values():
        companion.touch(page(companion).save)
        buttons = page(companion).forms.container.children[::-1]
        companion.touch(buttons[at])
        companion.settle()
        assert "Documents" in str(companion.banner.sentence)  # type: ignore[union-attr]
    companion.shot(f"sheet-saved-{language.value}")
    text = "".join(each.extract_text() for each in PdfReader(places / "friday.pdf").pages)
    assert ("每局之后" if language is Language.SIMPLIFIED else "Points after") in text
    assert (places / "friday.csv").read_bytes().decode("utf-8-sig").startswith("entry,")
    assert json.loads((places / "friday.json").read_bytes())["figures"]["hands"] == 3
    companion.touch(page(companion).save)
    companion.touch(page(companion).forms.container.children[::-1][0])
    companion.settle()
    assert (places / "friday (2).pdf").exists()


def test_a_folder_that_cannot_be_written_to_loses_nothing(
    companion: Driver, places: Path, tmp_path: Path
) -> None:
    keep_told("friday")
    open_sheet(companion, "friday")
    places.rmdir()
    places.write_text("a file")
    (tmp_path / "friday.csv").mkdir()
    companion.touch(page(companion).save)
    companion.touch(page(companion).forms.container.children[::-1][1])
    companion.settle()
    assert companion.banner is not None
    assert (tmp_path / "friday (2).csv").exists()


def test_a_hand_of_the_game_that_is_played_is_put_right_and_the_game_goes_on(companion: Driver) -> None:
    events = keep_told("tonight")
    companion.game.resume(shelf.path_of("tonight")).result(10)
    companion.frames(6)
    companion.touch(companion.root.bar.buttons["sheet"])
    companion.settle()
    assert state_of(companion).name is None
    before = points_of(companion)
    assert before == make_sheet(events).state.points
    companion.touch(find(companion, "HandRow", place=0))
    hand = page(companion).hand
    companion.touch(hand.fix)
    companion.touch(hand.fixing.who.button("3"))
    wait_for_fix(companion)
    companion.touch(hand.fixing.confirm)
    companion.wait(lambda: points_of(companion) != before, "the correction")
    companion.settle()
    sheet = state_of(companion).sheet
    assert sheet is not None
    assert sheet.hands[0].wins[0].winner == 3
    progress = state_of(companion).played.progress
    assert progress is not None
    assert progress.state.points == sheet.state.points
    companion.touch(hand.undo)
    companion.wait(lambda: points_of(companion) == before, "the old points")
