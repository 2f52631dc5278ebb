"""A newcomer without tiles: begins a practice game, wins, corrects, exports; by touches alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from app_driver import SIZES, SIZES_IN_LANGUAGES, Driver, ScriptedReader
from frames import make_finger
from practice_driver import Newcomer
from sheet_driver import find, state_of, wait_for_fix

from companion.app.look import TextSize
from companion.game.proposals import Reporter, SourceKind
from companion.live.practice_hand import Pace, Stage
from companion.sheets.hands import Sheet
from companion.table.events import Discarded
from companion.words import Language

pytestmark = pytest.mark.slow

Open = Callable[..., Newcomer]


@pytest.fixture
def open_window(kivy_window: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """A window on its first page; again on the same folder after it was closed. number: of the next practice
    game."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    opened: list[Driver] = []

    def open_it(
        size: tuple[int, int] = SIZES["tablet"], language: Language | None = None, number: int = 4
    ) -> Newcomer:
        for driver in opened:
            driver.close()
        opened.clear()
        driver = Driver(tmp_path, ScriptedReader(), size, language=language, home=True)
        opened.append(driver)
        driver.controller.features["practice"].choose_number = lambda: number  # type: ignore[attr-defined]
        driver.wait(lambda: driver.controller.view.states["home"].is_ready_to_show, "the first page")
        driver.frames(3)
        return Newcomer(driver)

    yield open_it
    for driver in opened:
        driver.close()


def sheet_of(driver: Driver) -> Sheet:
    sheet = state_of(driver).sheet
    assert sheet is not None
    return sheet


def win(person: Newcomer, most_hands: int = 12) -> None:
    """Play until the newcomer wins, and confirm the win."""
    for _ in range(most_hands):
        if person.stage is Stage.BETWEEN:
            person.begin_hand()
        if person.play_hand(claims=True):
            break
    driver = person.driver
    assert driver.page == "win_result", driver.page
    driver.shot("practice-win")
    person.touch(driver.pages.win_result.confirm)
    driver.wait(lambda: driver.page == "practice" and person.stage is Stage.BETWEEN, "the table again")


@pytest.mark.sampled
@pytest.mark.parametrize(("rules", "number"), [("hong_kong", 6), ("hefei", 1)])
def test_a_newcomer_wins_finds_the_hand_corrects_one_and_exports(
    open_window: Open, tmp_path: Path, rules: str, number: int
) -> None:
    """The whole way, by touches of what is on the screen."""
    person = open_window(number=number)
    driver = person.driver
    person.begin(rules)
    win(person)
    assert driver.says("You win with ")
    points = person.points
    person.begin_hand()
    asked = person.state.asked
    assert asked is not None
    person.touch(person.page.pace.sheet)
    driver.settle()
    sheet = driver.pages.sheet
    before = sheet_of(driver)
    place = next(at for at, hand in enumerate(before.hands) if any(w.winner == 0 for w in hand.wins))
    person.touch(find(driver, "HandRow", place=place))
    driver.shot(f"practice-sheet-{rules}")
    person.touch(sheet.hand.fix)
    person.touch(sheet.hand.fixing.nobody)
    wait_for_fix(driver)
    assert not sheet.hand.fixing.confirm.disabled, driver.texts()
    person.touch(sheet.hand.fixing.confirm)
    driver.wait(lambda: len(sheet_of(driver).corrections) > len(before.corrections), "the correction")
    driver.settle()
    assert sheet_of(driver).hands[place].drawn
    assert person.points != points
    person.touch(sheet.hand.close)
    driver.frames(3)
    person.touch(sheet.save)
    person.touch(sheet.forms.container.children[::-1][2])
    driver.settle()
    (saved,) = [*(tmp_path / "home").rglob("*.csv"), *(tmp_path / "data").rglob("*.csv")]
    assert len(saved.read_text("utf-8-sig").splitlines()) > 1
    driver.shot(f"practice-saved-{rules}")
    person.touch(driver.root.bar.buttons["game"])
    driver.wait(lambda: driver.page == "practice", "the table")
    person.wait()
    assert person.stage in (Stage.ASKING, Stage.BETWEEN)
    if person.stage is Stage.BETWEEN:
        assert driver.says("that hand does not count")
        person.begin_hand()
    assert person.state.asked is not None
    person.answer()
    assert person.touches < 400


def test_another_game_begins_with_the_dice(open_window: Open) -> None:
    person = open_window()
    driver = person.driver
    person.begin("hefei")
    assert driver.says("Practice game · Hefei")
    assert person.page.actions.next.text == "Roll the dice"
    person.begin_hand()
    if person.play_hand():
        person.touch(driver.pages.win_result.confirm)
    driver.wait(lambda: driver.page == "practice" and person.stage is Stage.BETWEEN, "the hand's end")
    driver.frames(3)
    assert person.page.actions.next.text == "Next hand"
    person.touch(driver.root.bar.buttons["home"])
    person.begin("hong_kong")
    assert driver.says("Practice game · Hong Kong")
    assert person.page.actions.next.text == "Roll the dice"


def test_a_hand_is_gone_on_with_after_the_window_was_killed(open_window: Open) -> None:
    person = open_window()
    person.begin("hangzhou")
    person.begin_hand()
    person.answer()
    assert person.state.table is not None
    before, asked = person.state.table.progress.events, person.state.asked
    again = open_window()
    driver = again.driver
    assert driver.says("Practice game"), "on the card of the game that can be gone on with"
    again.touch(driver.pages.home.resume)
    driver.wait(lambda: driver.page == "practice" and again.stage is Stage.ASKING, "the table")
    assert again.state.table is not None
    assert again.state.table.progress.events == before
    assert again.state.asked == asked
    driver.touch(driver.root.bar.buttons["home"])
    driver.frames(3)
    again.touch(driver.pages.home.practise)
    again.touch(driver.pages.practice_games.resume)
    assert driver.page == "practice"
    again.answer()
    assert len(again.state.table.progress.events) > len(before)


def test_a_wild_tile_in_the_hand_has_a_gold_edge(open_window: Open) -> None:
    from companion.app.widgets import theme

    person = open_window()
    person.begin("hangzhou")
    person.begin_hand()
    driver, hand, game = person.driver, person.page.hand, person.state.game
    assert game is not None
    assert game.hand is not None
    wild = game.house.wild(game.hand.fortune)
    assert wild is not None
    assert hand.wild == wild.tile.code
    plain = "1m" if wild.tile.code != "1m" else "9p"
    hand.show([plain, wild.tile.code], None, None, None, wild.tile.code)
    driver.frames(1)
    pixels = driver.pixels().astype(int)
    gold = [round(each * 255) for each in theme.GOLD[2::-1]]

    def has_gold_below(code: str) -> bool:
        x, y = hand.to_window(*hand.find(code))
        below = pixels[round(len(pixels) - y) :, round(x)]
        return bool((abs(below - gold).max(axis=1) < 8).any())

    assert [has_gold_below(code) for code in (plain, wild.tile.code)] == [False, True]


def test_last_step_is_undone_and_practice_pauses_behind_another_page(open_window: Open) -> None:
    person = open_window()
    person.begin("hefei")
    person.begin_hand()
    assert person.state.table is not None
    before = person.state.table.progress.events
    person.answer()
    person.touch(person.driver.root.bar.buttons["undo"])
    person.driver.wait(lambda: person.state.table.progress.events == before, "the undo")  # type: ignore[union-attr]
    assert person.stage is Stage.ASKING
    person.touch(person.page.hand.find(person.choose(person.state.asked)))  # type: ignore[arg-type]
    person.touch(person.page.pace.sheet)
    person.driver.settle()
    assert person.state.pace is Pace.PAUSED
    person.driver.wait(lambda: person.state.table.pace is Pace.PAUSED, "the pause")  # type: ignore[union-attr]
    person.driver.controller.step_back()
    person.driver.frames(3)
    assert person.state.pace is Pace.CALM


def test_a_correction_of_the_hand_in_play_is_told_in_one_sentence(open_window: Open) -> None:
    person = open_window()
    person.begin("hefei")
    person.begin_hand()
    for _ in range(2):
        person.answer()
    assert person.state.table is not None
    events = person.state.table.progress.events
    at, wrong = next(
        (at, each) for at, each in enumerate(events, 1) if isinstance(each, Discarded) and each.seat == 1
    )
    right = Discarded(seat=1, tile="2p" if wrong.tile != "2p" else "3p")
    person.driver.game.correct(at, right, Reporter(SourceKind.TOUCH)).result(20)
    person.driver.wait(lambda: person.stage is Stage.BETWEEN, "the end of the hand")
    assert person.driver.says("that hand does not count")
    person.begin_hand()
    assert person.stage is Stage.ASKING


@pytest.mark.sampled
@pytest.mark.parametrize(("size", "language"), SIZES_IN_LANGUAGES)
def test_everything_that_can_be_touched_is_on_the_screen(
    open_window: Open, size: tuple[int, int], language: Language
) -> None:
    """At a game with the largest hands, with the coach and without."""
    person = open_window(size, language, 3)
    driver = person.driver
    tag = f"{size[0]}-{language.value}"
    driver.shot(f"practice-home-{tag}")
    person.begin("taiwanese")
    person.begin_hand()
    driver.shot(f"practice-turn-{tag}")
    for turn in range(6):
        check_touchable(person)
        if turn == 3:
            driver.touch(driver.root.bar.buttons["coach"])
            driver.frames(6)
            check_touchable(person)
            driver.shot(f"practice-coach-{tag}")
        person.answer()
        if person.stage is not Stage.ASKING:
            break
    driver.shot(f"practice-later-{tag}")


def test_very_large_letters_keep_words_whole_on_the_cards_of_a_small_screen(open_window: Open) -> None:
    person = open_window(size=(800, 480))
    driver = person.driver
    driver.controller.do("settings", lambda state: state.change(text=TextSize.VERY_LARGE))
    driver.frames(6)
    home, practice = driver.pages.home, driver.pages.practice_games
    cards = [*home.games.values(), home.photo, home.practice, home.houses]
    check_titles([card for card in cards if card.get_parent_window()])
    person.touch(home.practice)
    driver.frames(6)
    check_titles([*practice.games.values()])


def check_titles(cards: list[Any]) -> None:
    """No word is cut in two, and every title is inside its card."""
    from kivy.core.text import Label as CoreLabel

    assert len(cards) >= 5
    for title, card in ((card.title, card) for card in cards):
        assert card.y <= title.y < title.top <= card.top, title.text
        label = CoreLabel(font_size=title.font_size, font_name=title.font_name)
        assert max(label.get_extents(word)[0] for word in title.text.split()) <= title.width, title.text


def check_touchable(person: Newcomer) -> None:
    """Every button and own tile is whole inside the page, and at least 9 mm high and wide, but for tiles that
    are not to be touched now."""
    from companion.app.widgets import theme

    page, actions = person.page, person.page.actions
    buttons = [*actions._buttons, *actions.keys.values(), *page.pace.children]
    for each in buttons:
        x, y = each.to_window(*each.pos)
        assert x >= 0
        assert y >= 0
        assert x + each.width <= person.driver.window.width + 1
        assert y + each.height <= person.driver.window.height - theme.BAR_HEIGHT + 1, each
        assert each.height >= theme.TOUCH - 1
        assert each.width >= theme.TOUCH - 1
    if page.hand.may_be_touched:
        assert all(min(wide, high) >= theme.TOUCH * 0.85 for _, _, wide, high in page.hand._place())
        assert page.hand.y >= 0


def test_double_touch_counts_once(open_window: Open) -> None:
    person = open_window()
    person.begin("hefei")
    person.begin_hand()
    person.page.pace.pause.dispatch("on_release")
    asked = person.state.asked
    assert asked is not None
    place = person.page.hand.find(person.choose(asked))
    for _ in range(3):
        finger = make_finger(*place)
        finger.down()
        finger.up()
    person.driver.frames(4)
    person.driver.wait(lambda: not person.state.waits, "the table")
    table = person.state.table
    assert table is not None
    own = [each for each in table.progress.events if isinstance(each, Discarded) and each.seat == table.seat]
    assert len(own) == 1
    assert person.driver.banner is None
