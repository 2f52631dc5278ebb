"""What a hand of practice gave away: rated behind the window, summed up, and shown on the replayed table."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from app_driver import SIZES, Driver, ScriptedReader
from msgspec import structs
from practice_driver import Newcomer

from companion.app.effects import SendNews
from companion.app.news import FairGameSet, GamePicked, SheetWanted, TableRulesChosen
from companion.app.practice.given_away import GivenAway, HandCost, rate_game
from companion.app.practice.state import BeginPractice, Practice, SetStrength, StopRating
from companion.coach.opponents.strengths import Strength
from companion.coach.play.simulation import play
from companion.live.practice_hand import Stage
from companion.rules.win import Stakes
from companion.sentences import Sentence
from companion.table.apply import apply
from companion.table.events import Event, GameStarted


def play_hands(count: int) -> list[Event]:
    start = GameStarted(rules="hefei")
    hands = play(start, count, random.Random(3))
    return [start, *(step.event for hand in hands for step in hand.steps)]


def test_every_finished_hand_is_rated_the_last_one_first() -> None:
    events = play_hands(2)
    found = list(rate_game(events, (), lambda: False))
    assert found[0] == GivenAway((), (1, 2))
    first = next(each for each in found if each.hands)
    assert [hand.number for hand in first.hands] == [2]
    assert first.last is first.hands[0]
    last = found[-1]
    assert last.is_done
    assert [hand.number for hand in last.hands] == [1, 2]
    for hand in last.hands:
        assert hand.decisions
        assert hand.cost == pytest.approx(sum(each.cost for each in hand.costly))
        for each in hand.costly:
            assert each.best is not None
            assert each.cost > (each.best.value_error or 0.0)
    assert last.cost == pytest.approx(sum(hand.cost for hand in last.hands))
    assert 0 < last.best_share <= 1
    (again,) = rate_game(events, last.hands, lambda: False)
    assert again == last


def test_a_rating_that_is_stopped_says_nothing_more() -> None:
    *_, last = rate_game(play_hands(1), (), lambda: True)
    assert not last.hands


def test_the_sums_name_the_best_and_the_worst_hand() -> None:
    found = GivenAway((HandCost(1, (), ()), HandCost(3, (), ())), (1, 3, 4), 2)
    assert not found.is_done
    assert found.last is None
    assert found.best_hand == found.worst_hand == HandCost(1, (), ())


def test_what_is_chosen_and_wanted_at_a_step() -> None:
    strong = Practice().set_strength(Strength.STRONG)
    assert strong.kept.strength is Strength.STRONG
    assert SetStrength(Strength.STRONG) in strong.effects
    assert SendNews(GamePicked(None, "practice")) in Practice().pick_table().effects
    assert SendNews(SheetWanted(shows=12)) in Practice().replay(12).effects
    fair = Practice(given_away=GivenAway()).on_news(FairGameSet(True))
    assert fair.given_away is None
    assert StopRating() in fair.effects


def test_the_page_names_the_own_house_rules_that_are_played() -> None:
    chosen = TableRulesChosen("practice", "hefei", {"kong_is_pung": True}, Stakes(), table="club")
    began = Practice().begin(chosen)
    (begin,) = [each for each in began.effects if isinstance(each, BeginPractice)]
    start = structs.replace(begin.start, practice=7)
    progress = SimpleNamespace(events=(start,), state=apply(None, start))
    table = SimpleNamespace(progress=progress)
    playing = replace(began, chooses=False, table=table)  # type: ignore[arg-type]
    assert playing.played_by == Sentence("{name}", {"name": "club"})
    other = replace(playing, kept=structs.replace(playing.kept, start=GameStarted(rules="hefei")))
    assert other.played_by == Sentence("Hefei")


def test_a_lesson_goes_on_to_the_game() -> None:
    lesson = Practice().begin_lesson("hefei")
    assert lesson.page == "lesson_steps"
    assert lesson.turn_lesson(-1).lesson == lesson.lesson
    last = lesson.turn_lesson(10)
    assert last.page == "lesson_steps"
    after = last.turn_lesson(1)
    assert after.page == "practice_games"
    assert SendNews(GamePicked("hefei", "practice")) in after.effects


@pytest.fixture
def person(kivy_window: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Newcomer]:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    driver = Driver(tmp_path, ScriptedReader(), SIZES["tablet"], home=True)
    driver.controller.features["practice"].choose_number = lambda: 4  # type: ignore[attr-defined]
    driver.wait(lambda: driver.controller.view.states["home"].is_ready_to_show, "the first page")
    driver.frames(3)
    yield Newcomer(driver)
    driver.close()


LONG_STEP = 8
"""The step with most words and tiles."""
WINDOWS = [(800, 480), (1024, 600), (1280, 800), (800, 1280)]


@pytest.mark.slow
def test_the_worst_decisions_of_a_hand_open_their_positions(person: Newcomer) -> None:
    driver = person.driver
    person.begin("hefei")
    person.begin_hand()
    while person.stage is Stage.ASKING:
        asked = person.state.asked
        assert asked is not None
        if asked.passes:
            person.touch(person.page.actions.pass_up)
        else:
            person.touch(person.page.hand.find(asked.discards[-1].tile or ""))
        person.wait()
    driver.wait(lambda: bool(person.state.given_away and person.state.given_away.last), "the rating")
    driver.frames(4)
    found = person.state.given_away
    assert found is not None
    assert found.last is not None
    assert found.last.costly
    assert driver.says("You gave away ")
    assert driver.says("Better by ")
    for size in WINDOWS:
        driver.resize(size)
        driver.frames(6)
        driver.shot(f"given-away-{size[0]}x{size[1]}")
    driver.resize(SIZES["tablet"])
    driver.frames(6)
    rows = person.page.latest.costs
    assert [row.decision for row in rows] == list(found.last.costly[:2])
    person.touch(rows[0])
    driver.settle()
    assert driver.page == "sheet"
    coach = driver.controller.view.states["coach"]
    driver.wait(lambda: driver.controller.view.states["coach"].is_ready_to_show, "the review")
    driver.frames(4)
    coach = driver.controller.view.states["coach"]
    assert coach.replayed.number == rows[0].decision.number  # type: ignore[attr-defined]
    driver.shot("given-away-replayed")


@pytest.mark.slow
def test_the_choice_of_a_game_and_its_lesson_in_all_windows(person: Newcomer) -> None:
    from companion.app.widgets import theme

    driver = person.driver
    home = driver.pages.home
    person.touch(home.practice if home.practice.get_parent_window() else home.practise)
    page = driver.pages.practice_games
    for size in WINDOWS:
        driver.resize(size)
        driver.frames(6)
        driver.shot(f"practice-games-{size[0]}x{size[1]}")
        presses = [*page.lessons.values(), page.tables, page.back, *page.strengths.children]
        for press in presses:
            _, y = press.to_window(*press.pos)
            assert y >= 0
            assert press.height >= theme.TOUCH - 1, press.text
    person.touch(page.lessons["hangzhou"])
    driver.frames(4)
    lesson = driver.pages.lesson_steps
    while person.state.lesson is not None:
        at = person.state.lesson.at
        for size in WINDOWS if at == LONG_STEP else ():
            driver.resize(size)
            driver.frames(4)
            driver.shot(f"lesson-{at}-{size[0]}x{size[1]}")
            assert lesson.next.height >= theme.TOUCH - 1
        person.touch(lesson.next)
        driver.frames(4)
    driver.choose_table("rules:hangzhou")
    driver.wait(lambda: driver.page == "practice" and person.stage is Stage.BETWEEN, "the table")
    assert driver.says("Rules: Hangzhou")
