"""The first page: a game gone on with by one touch, a new one by three, and what it makes of odd files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from app_driver import SIZES, WAIT_S, Driver, ScriptedReader, find_scroller, list_looks
from practice_driver import Newcomer

from companion import profiles
from companion.app.news import KeptGameWanted, NewGameWanted, News, SheetWanted
from companion.app.widgets.game_words import describe_play
from companion.errors import RequestError
from companion.game import shelf
from companion.game.game import Game
from companion.live.practice_hand import Stage
from companion.money import Currency
from companion.rules import RULE_SETS
from companion.rules.profile import list_house_options, make_profile
from companion.rules.win import Stakes
from companion.table.events import GameEnded, GameStarted, PointsMoved
from companion.words import Language, Words

pytestmark = pytest.mark.slow
NAMES = ("Ann", "Bao", "Chen", "Dai")
LONG = ("Maximiliana-Theodora von Hohenstein", "Bao", "歐陽司馬諸葛上官", "Dai")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "Downloads").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def open_home(kivy_window: None, folder: Path) -> Iterator[object]:
    opened: list[Driver] = []

    def open_it(size: str = "tablet", language: Language | None = None) -> Driver:
        driver = Driver(folder, ScriptedReader(), SIZES[size], language=language, home=True)
        opened.append(driver)
        driver.wait(lambda: home_of(driver).is_ready_to_show, "the kept games")
        driver.frames(3)
        return driver

    yield open_it
    for driver in opened:
        driver.close()


def home_of(driver: Driver):  # type: ignore[no-untyped-def]
    return driver.controller.view.states["home"]


def record_news(driver: Driver) -> list[News]:
    """What features are told from now on, instead of them."""
    heard: list[News] = []
    announce = driver.controller.announce
    wanted = (NewGameWanted, KeptGameWanted, SheetWanted)
    driver.controller.announce = (  # type: ignore[method-assign]
        lambda news: heard.append(news) if isinstance(news, wanted) else announce(news)
    )
    return heard


def touch_table(driver: Driver, key: str) -> None:
    """In the list of all tables, scrolled to it."""
    page = driver.pages.tables
    find_scroller(page.cards[key]).scroll_to(page.cards[key], animate=False)
    driver.frames(3)
    driver.touch(page.cards[key])


def keep_game(name: str, *, names: tuple[str, str, str, str] = NAMES, ended: bool = False) -> None:
    with Game.begin(shelf.path_of(name), GameStarted(rules="hong_kong", names=names)) as game:
        game.append(PointsMoved(points=(6, -2, -2, -2), why="test"))
        if ended:
            game.append(GameEnded(why="late"))


def test_tonights_game_is_gone_on_with_by_one_touch(open_home, folder: Path) -> None:  # type: ignore[no-untyped-def]
    keep_game("one")
    keep_game("two")
    keep_game("three", ended=True)
    driver = open_home()
    heard = record_news(driver)
    assert driver.page == "home"
    assert driver.says("Ann 6")
    driver.shot("start-resume")
    driver.touch(driver.pages.home.resume)
    assert heard == [KeptGameWanted("two")]


def test_a_practice_game_leaves_the_evening_in_progress_where_it_was(open_home, folder: Path) -> None:  # type: ignore[no-untyped-def]
    keep_game("evening")
    tried = GameStarted(rules="hangzhou", practice=1)
    driver = open_home()
    driver.game.begin(shelf.path_of("tried"), tried).result(WAIT_S)
    driver.wait(lambda: home_of(driver).played is not None, "the practice game")
    assert home_of(driver).last_game.name == "evening"
    driver.game.leave().result(WAIT_S)
    driver.controller.do("home", lambda state: state.go_home())
    driver.wait(lambda: home_of(driver).is_ready_to_show, "the kept games")
    assert home_of(driver).last_game.name == "evening"
    with Game.resume(shelf.path_of("evening")) as game:
        game.append(GameEnded(why="late"))
    driver.controller.do("home", lambda state: state.go_home())
    driver.wait(lambda: home_of(driver).last_game.name == "tried", "the only one that can be gone on with")


def test_points_on_the_first_page_are_what_everybody_has(open_home, folder: Path) -> None:  # type: ignore[no-untyped-def]
    with Game.begin(shelf.path_of("one"), GameStarted(rules="hangzhou", names=NAMES)) as game:
        game.append(PointsMoved(points=(6, -2, -2, -2), why="test"))
    driver = open_home()
    assert driver.says("Ann 106  ·  Bao 98")


def test_the_first_new_game_takes_three_touches_and_the_next_one_two_with_the_names_of_last_time(  # type: ignore[no-untyped-def]
    open_home, folder: Path
) -> None:
    driver = open_home()
    heard = record_news(driver)
    driver.controller.do("home", lambda state: replace(state, plan=replace(state.plan, names=NAMES)))
    driver.shot("start-empty")
    driver.touch(driver.pages.home.games["rules:taiwanese"])
    assert driver.page == "table_choice"
    written, common = driver.pages.table_choice.cards.values()
    assert written.size == common.size
    assert driver.says("Common in Taiwan")
    driver.shot("table-choice")
    driver.touch(common)
    assert driver.page == "new_game"
    driver.shot("new-game")
    driver.touch(driver.pages.new_game.start)
    assert [news.start.rules for news in heard] == ["taiwanese"]
    assert heard[0].start.names == NAMES
    assert heard[0].start.options["preset"] == "common"
    heard.clear()
    driver.touch(driver.pages.home.games["rules:taiwanese"])
    driver.touch(driver.pages.new_game.start)
    assert heard.pop().start.options["preset"] == "common"
    driver.touch(driver.pages.home.houses)
    touch_table(driver, "rules:hefei")
    driver.touch(driver.pages.new_game.start)
    assert [news.start.rules for news in heard] == ["hefei"]
    assert driver.kept("home").used == NAMES


def test_a_saved_profile_and_a_ready_made_one_are_played_by(open_home, folder: Path) -> None:  # type: ignore[no-untyped-def]
    profiles.save("home", make_profile(RULE_SETS["hefei"], {"win_row": 0}))
    (profiles.folder() / "broken.json").write_text("{")
    driver = open_home()
    heard = record_news(driver)
    for key, rules, option in (
        ("saved:home", "hefei", ("win_row", 0)),
        ("ready:hong-kong-doubling", "hong_kong", ("min_fan", 3)),
    ):
        driver.controller.do("home", lambda state: state.list_tables())
        driver.frames(3)
        touch_table(driver, key)
        driver.touch(driver.pages.new_game.start)
        start = heard.pop().start
        assert (start.rules, start.options[option[0]]) == (rules, option[1])
    assert home_of(driver).houses[5].trouble is not None


def test_players_of_before_sit_down_by_one_touch_each(open_home, folder: Path) -> None:  # type: ignore[no-untyped-def]
    driver = open_home()
    driver.controller.do("home", lambda state: replace(state, used=NAMES).show("new_game"))
    driver.frames(3)
    page = driver.pages.new_game
    for name in NAMES:
        driver.touch(next(chip for chip in page.chips.children if chip.text == name))
    assert home_of(driver).plan.names == NAMES
    driver.press("Undo")
    assert home_of(driver).plan.names == (*NAMES[:3], "")


def test_two_of_one_name_are_refused_in_a_sentence(open_home, folder: Path) -> None:  # type: ignore[no-untyped-def]
    driver = open_home()
    heard = record_news(driver)
    driver.controller.do("home", lambda state: state.show("new_game").with_name(0, "Ann").with_name(2, "Ann"))
    driver.frames(3)
    driver.touch(driver.pages.new_game.start)
    assert heard == []
    assert driver.says("Two players are called Ann")


def test_damaged_games_stand_in_the_list_with_a_sentence(open_home, folder: Path) -> None:  # type: ignore[no-untyped-def]
    keep_game("good", names=LONG)
    (shelf.folder() / "bad.game").write_bytes(b"no game at all" * 100)
    (shelf.folder() / "empty.game").write_bytes(b"")
    driver = open_home()
    heard = record_news(driver)
    driver.press("Games")
    driver.shot("older-games")
    found = {game.name: game for game in home_of(driver).all_games}
    assert found["bad"].trouble
    assert found["empty"].trouble
    assert not found["good"].trouble
    row = next(row for row in driver.pages.kept_games.list.children[0].children if row.game.name == "good")
    driver.touch(row.sheet)
    assert heard == [SheetWanted("good")]


def test_two_hundred_games_are_listed_with_few_widgets(open_home, folder: Path) -> None:  # type: ignore[no-untyped-def]
    keep_game("g000")
    content = shelf.path_of("g000").read_bytes()
    for number in range(1, 200):
        shelf.path_of(f"g{number:03}").write_bytes(content)
    driver = open_home()
    driver.press("Games")
    assert len(home_of(driver).all_games) == 200
    assert len(driver.pages.kept_games.list.data) == 200
    assert len(driver.pages.kept_games.list.children[0].children) < 30


def test_a_folder_that_cannot_be_written_is_read(open_home, folder: Path) -> None:  # type: ignore[no-untyped-def]
    keep_game("one")
    driver = open_home()
    shelf.folder().chmod(0o500)
    try:
        driver.touch(driver.root.bar.buttons["home"])
        driver.wait(lambda: home_of(driver).is_ready_to_show)
        assert home_of(driver).last_game.name == "one"
    finally:
        shelf.folder().chmod(0o700)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("size", "language"), list_looks())
def test_the_pages_hold_what_they_say(open_home, folder: Path, language: Language, size: str) -> None:  # type: ignore[no-untyped-def]
    keep_game("one", names=LONG)
    driver = open_home(size, language)
    for page in ("home", "table_choice", "tables", "new_game", "stakes", "kept_games", "help"):
        driver.controller.do("home", lambda state, page=page: state.pick_game("taiwanese").show(page))
        driver.frames(4)
        driver.shot(f"{page}-{size}-{language}")
        for widget in driver.root.walk(restrict=True):
            assert min(widget.size) >= 0
        assert driver.page == page


def list_places(page: Any) -> dict[str, tuple[int, ...]]:
    """Where each text of the page is, and how large."""
    labels = (each for each in page.walk(restrict=True) if getattr(each, "text", "").strip())
    return {each.text: tuple(map(round, (*each.to_window(*each.pos), *each.size))) for each in labels}


def test_nothing_moves_on_the_first_page_once_it_is_drawn(  # type: ignore[no-untyped-def]
    open_home, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a game to continue, whose file is read while the first frames are drawn."""
    keep_game("one", names=LONG)
    open_home("small").controller.close()
    drawn: list[dict[str, tuple[int, ...]]] = []

    def draw(self: Driver, count: int) -> None:
        from kivy.base import EventLoop

        for _ in range(count):
            EventLoop.idle()
            if hasattr(self, "root") and self.controller.view.front.page == "home":
                drawn.append(list_places(self.pages.home))

    monkeypatch.setattr(Driver, "frames", draw)
    driver = open_home("small")
    assert driver.says("Continue")
    last, own = drawn[-1], set(drawn[-1]) & set(drawn[0])
    assert {"Continue", "Hefei", "Games", "Practice", "Score a photo"} <= own
    assert [{text: places.get(text) for text in own} for places in drawn] == [
        {text: last[text] for text in own}
    ] * len(drawn)


def test_a_photo_is_scored_without_a_game(open_home, folder: Path) -> None:  # type: ignore[no-untyped-def]
    driver = open_home()
    driver.touch(driver.pages.home.photo)
    assert driver.page == "score_game"
    driver.touch(driver.root.bar.buttons["home"])
    assert driver.page == "home"


@pytest.mark.parametrize("size", [(800, 480), SIZES["tablet"]])
def test_the_first_page_offers_the_languages(open_home, folder: Path, size: tuple[int, int]) -> None:  # type: ignore[no-untyped-def]
    driver = open_home()
    driver.resize(size)
    for language, name in zip(Language, ("English", "简体中文", "繁體中文"), strict=True):
        driver.press(name)
        assert driver.controller.view.window.language is language


def test_the_help_is_left_for_the_first_page(open_home, folder: Path) -> None:  # type: ignore[no-untyped-def]
    driver = open_home()
    driver.touch(driver.pages.home.help)
    assert driver.page == "help"
    driver.touch(driver.pages.help.back)
    assert driver.page == "home"


def test_no_two_features_have_a_page_of_one_name(open_home, folder: Path) -> None:  # type: ignore[no-untyped-def]
    controller = open_home().controller
    offered = [
        name
        for feature in controller.features.values()
        for name in feature.offer_pages(controller.controller_of(feature.name))
    ]
    assert sorted(offered) == sorted(set(offered))


def test_a_card_that_was_narrow_before_says_all_it_has_room_for(open_home, folder: Path) -> None:  # type: ignore[no-untyped-def]
    keep_game("one", names=LONG)
    driver = open_home("small")
    driver.resize(SIZES["tablet"])
    driver.settle()
    assert driver.says("Maximiliana-Theodora von Hohenstein 6")
    assert driver.says("One hand, without a game")


def test_the_first_start_offers_eight_cards_of_one_size(open_home, folder: Path) -> None:  # type: ignore[no-untyped-def]
    driver = open_home()
    page = driver.pages.home
    cards = [*page.games.values(), page.houses, page.photo, page.practice]
    assert len({tuple(map(round, card.size)) for card in cards}) == 1
    driver.touch(page.practice)
    assert driver.page == "practice_games"


@pytest.mark.parametrize("resumes", [False, True])
def test_the_cards_have_tiles_of_one_size_or_none(open_home, folder: Path, resumes: bool) -> None:  # type: ignore[no-untyped-def]
    if resumes:
        with Game.begin(shelf.path_of("friday"), GameStarted(rules="hong_kong", names=LONG)) as game:
            game.append(PointsMoved(points=(5, -5, 0, 0), why="penalty"))
    driver = open_home()
    for size in (*SIZES.values(), (1920, 1080)):
        for language in Language:
            driver.resize(size)
            driver.controller.set_language(language)
            driver.frames(6)
            page = driver.pages.home
            cards = [page.photo, *page.games.values(), page.houses, *([] if resumes else [page.practice])]
            shown = [card for card in cards if card._strip.parent is card]
            assert len(shown) in (0, len(cards)), "all or none"
            assert len({round(card._strip.height) for card in shown}) <= 1, "one size"
            lifts = {round(card._strip.y - card.y) for card in shown}
            assert len(lifts) <= 1, "one baseline"
            assert all(card._strip.top <= card.lines.y for card in shown)
            driver.shot(f"start_tiles_{resumes}_{size[0]}_{language.value}")


def test_a_name_has_at_most_forty_letters_and_the_page_says_so(open_home) -> None:  # type: ignore[no-untyped-def]
    driver = open_home()
    driver.controller.do("home", lambda state: state.show("new_game"))
    driver.frames(3)
    page = driver.pages.new_game
    driver.touch(page.seats.seats[1])
    page.field.insert_text("M" * 39)
    driver.frames(3)
    assert not driver.says("A name has at most 40 letters.")
    page.field.insert_text("MM")
    driver.frames(3)
    assert page.field.text == "M" * 40
    assert driver.says("A name has at most 40 letters.")
    driver.shot("name_full")


def test_a_seat_that_is_touched_takes_what_is_typed_and_enter_goes_to_the_next(open_home) -> None:  # type: ignore[no-untyped-def]
    driver = open_home()
    driver.controller.do("home", lambda state: state.show("new_game"))
    driver.frames(3)
    page = driver.pages.new_game
    for name in ("Mei", "Ping"):
        if name == "Mei":
            driver.touch(page.seats.seats[0])
            driver.frames(3)
        assert page.field.focus
        page.field.insert_text(name)
        page.field.dispatch("on_text_validate")
        driver.frames(3)
    plan = home_of(driver).plan
    assert plan.names[:2] == ("Mei", "Ping")
    assert plan.seat == 2


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("size", "language"),
    [("tablet", None), ("small", Language.SIMPLIFIED), ("portrait", Language.TRADITIONAL)],
)
def test_before_a_game_it_is_said_what_a_hand_pays_and_who_deals_next(  # type: ignore[no-untyped-def]
    open_home, size: str, language: Language | None
) -> None:
    driver = open_home(size, language)
    driver.controller.do("home", lambda state: state.show("new_game").with_house("rules:hong_kong"))
    driver.frames(4)
    page = driver.pages.new_game
    driver.shot(f"new-game-holds-{size}")
    words = driver.controller.view.words
    assert page.holds.text.split(" · ")[2:] == [
        words("The winner deals next"), words("After a draw the dealer deals again"),
    ]  # fmt: skip
    assert find_scroller(page.holds) is find_scroller(page.name), "it is scrolled with the game's name"
    if language is None:
        assert page.holds.text.startswith("Payment table: one unit per fan · Minimum fan to win")
        driver.controller.do("home", lambda state: state.with_house("rules:hefei"))
        driver.frames(4)
        assert page.holds.text.startswith("A winning dealer deals again; otherwise the next player deals")


def test_every_game_says_by_each_of_its_house_rules_who_deals_next() -> None:
    words = Words(Language.ENGLISH)
    for rules in RULE_SETS.values():
        for option in list_house_options(rules):
            for value in option.alternatives(option.default):
                try:
                    profile = make_profile(rules, {option.key: value})
                except RequestError:
                    continue  # it asks for another option first
                said = describe_play(rules.name, profile, words)
                assert "deal" in said
    assert "doubling" in describe_play(
        "hong_kong", make_profile(RULE_SETS["hong_kong"], {"payout": "exponential"}), words
    )
    rotating = make_profile(RULE_SETS["hong_kong"], {"dealer": "rotate"})
    assert "A winning dealer deals again; otherwise the next player deals" in describe_play(
        "hong_kong", rotating, words
    )


def test_stakes_are_chosen_by_touch_and_what_wins_cost_follows(open_home) -> None:  # type: ignore[no-untyped-def]
    driver = open_home("tablet")
    driver.controller.do("home", lambda state: state.list_tables().choose_house("ready:taiwanese-common"))
    driver.frames(4)
    driver.touch(driver.pages.new_game.stakes)
    page = driver.pages.stakes
    assert driver.page == "stakes"
    assert not driver.says("Value of one point"), "it would change what base and tai are"
    driver.touch(page.pair.button("300/100"))
    assert driver.says("NT$400 from the discarder")
    driver.touch(page.base)
    for key in ("2", "0", "Done"):
        driver.touch(page.base.keypad.keys[key])
    assert driver.says("NT$120 from the discarder")
    driver.wait(lambda: page.base.keypad.parent is None, "the keypad to go")
    driver.shot("stakes")
    driver.press("Undo")
    assert driver.says("NT$400 from the discarder")
    driver.touch(page.done)
    assert driver.pages.new_game.stakes.text == "Stakes: base 300, 100 per tai, NT$"
    driver.touch(driver.pages.new_game.stakes)
    driver.touch(page.currency.symbol.choices.button(""))
    assert driver.says("400 points from the discarder")


def test_any_currency_can_be_typed_for_a_new_game(open_home) -> None:  # type: ignore[no-untyped-def]
    driver = open_home("tablet")
    driver.controller.do("home", lambda state: state.list_tables().choose_house("ready:hong-kong-common"))
    driver.frames(4)
    driver.touch(driver.pages.new_game.stakes)
    rows = driver.pages.stakes.currency
    for field, texts in ((rows.symbol.field, ("Rp",)), (rows.point.field, ("0", "0.", "0.2", "0.25"))):
        for text in texts:
            field.text = text
            driver.frames(4)
    assert not driver.says("One point cannot be worth")
    assert home_of(driver).agreed.currency == Currency("Rp", "0.25", "0.25")
    driver.touch(rows.coin.choices.button("1"))
    driver.shot("stakes-typed")
    assert home_of(driver).agreed.currency == Currency("Rp", "0.25", "1")
    rows.coin.field.text = "none"
    driver.frames(4)
    assert driver.says("The smallest coin cannot be 'none'")
    assert home_of(driver).agreed.currency == Currency("Rp", "0.25", "1")


def test_with_a_limit_a_wrong_value_is_refused_and_the_next_right_one_counts(open_home) -> None:  # type: ignore[no-untyped-def]
    driver = open_home("tablet")
    driver.controller.do("home", lambda state: state.list_tables().choose_house("ready:hong-kong-common"))
    driver.frames(4)
    driver.touch(driver.pages.new_game.stakes)
    page = driver.pages.stakes
    driver.touch(page.cap.button("50"))
    for text in ("0", "0,", "0,25"):
        page.currency.point.field.text = text
        driver.frames(4)
    assert driver.says("One point cannot be worth '0,25'")
    page.currency.point.field.text = "0.33"
    driver.frames(4)
    assert not driver.says("One point cannot be worth")
    assert driver.says("The limit is HK$24.75: HK$25 is not a whole number of points.")
    driver.touch(page.currency.point.choices.button("0.5"))
    assert page.currency.point.field.text == ""
    assert (home_of(driver).agreed.cap, home_of(driver).agreed.limit) == (50, None)


@pytest.mark.parametrize("size", [(800, 480), (1024, 600)])
@pytest.mark.parametrize("table", ["ready:taiwanese-common", "ready:hong-kong-common"])
def test_a_small_window_has_room_for_all_that_is_agreed(open_home, size: tuple[int, int], table: str) -> None:  # type: ignore[no-untyped-def]
    driver = open_home()
    driver.resize(size)
    driver.controller.do("home", lambda state: state.list_tables().choose_house(table).open_stakes())
    driver.frames(4)
    page = driver.pages.stakes
    shown = page.costs.to_window(0, page.costs.top)[1]
    for button in page.cap.buttons:
        assert button.to_window(0, button.y)[1] >= shown, button.text


@pytest.mark.sampled
@pytest.mark.parametrize(("size", "language"), list_looks(sizes=(*SIZES, "low")))
def test_two_tables_stand_side_by_side_equally_large(  # type: ignore[no-untyped-def]
    open_home, size: str, language: Language
) -> None:
    driver = open_home("small", language)
    driver.resize({**SIZES, "low": (800, 480)}[size])
    for rules in ("taiwanese", "hong_kong"):
        driver.controller.do("home", lambda state, rules=rules: state.pick_game(rules))
        driver.frames(8)
        page = driver.pages.table_choice
        first, second = page.cards.values()
        assert first.size == second.size
        assert (first.y == second.y) == (size != "portrait")
        for card in page.cards.values():
            assert card.y <= card.about.y < card.about.top <= card.wins.y < card.wins.top <= card.title.y
            assert len(card.wins.costs) == 2
            lowest = card.wins.to_window(0, card.wins.y)[1]
            assert size == "portrait" or lowest >= page.others.top, "what wins cost is in sight"
        driver.shot(f"tables-{rules}-{size}-{language}")
        driver.controller.do("home", lambda state: state.step_back())


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(800, 480), SIZES["portrait"]])
def test_the_chosen_game_is_in_sight(open_home, size: tuple[int, int]) -> None:  # type: ignore[no-untyped-def]
    driver = open_home()
    driver.resize(size)
    for key in ("rules:hong_kong", "rules:hangzhou", "rules:hefei"):
        driver.controller.do("home", lambda state, key=key: state.with_house(key).list_tables())
        driver.frames(8)
        page = driver.pages.tables
        card = page.cards[key]
        low, top = (card.to_window(0, edge)[1] for edge in (card.y, card.top))
        shown = find_scroller(card)
        assert shown.to_window(0, shown.y)[1] <= low + 1
        assert top - 1 <= shown.to_window(0, shown.top)[1]
        driver.shot(f"chosen_{size[0]}_{key[6:]}")
        driver.controller.do("home", lambda state: state.show("home"))


def test_practice_and_a_photo_are_played_by_the_table_that_was_chosen(open_home) -> None:  # type: ignore[no-untyped-def]
    driver = open_home()
    driver.touch(driver.pages.home.practice)
    driver.touch(driver.pages.practice_games.games["taiwanese"])
    assert driver.page == "table_choice"
    driver.touch(driver.pages.table_choice.back)
    assert driver.page == "practice_games", "back to where the game was picked"
    driver.touch(driver.pages.practice_games.games["taiwanese"])
    driver.choose_table("ready:taiwanese-common")
    driver.wait(lambda: driver.page == "practice", "the table")
    house = driver.controller.view.states["practice"].game.house
    assert (house.options["preset"], house.stakes) == ("common", Stakes(100, 20))
    driver.touch(driver.root.bar.buttons["home"])
    driver.touch(driver.pages.home.games["rules:taiwanese"])
    assert driver.page == "new_game", "it was chosen"


@pytest.mark.sampled
@pytest.mark.parametrize("key", ["ready:hebei-three", "ready:hangzhou-white", "ready:hong-kong-steps"])
def test_every_table_can_be_practised_at(open_home, key: str) -> None:  # type: ignore[no-untyped-def]
    driver = open_home()
    driver.controller.do("home", lambda state: state.list_tables().choose_house(key))
    driver.touch(driver.root.bar.buttons["home"])
    person = Newcomer(driver)
    person.touch(driver.pages.home.practice)
    rules = home_of(driver).house.rules
    person.touch(driver.pages.practice_games.games[rules])
    driver.wait(lambda: driver.page == "practice" and person.stage is Stage.BETWEEN, "the table")
    person.begin_hand()
    assert person.is_asked()
