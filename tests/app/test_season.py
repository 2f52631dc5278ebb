"""All evenings in a real window: who has won how much, the best hand, and which evenings are added up."""

from __future__ import annotations

import random

import pytest
from app_driver import Driver
from PIL import Image
from sheet_driver import keep, open_sheet, page, state_of

from companion.app.sheet.state import EVENINGS, SETTLING
from companion.coach.play.simulation import play
from companion.game import shelf
from companion.game.pictures import folder_of
from companion.money import Currency
from companion.rules.win import Stakes
from companion.sheets.figures import Selection, read_evenings
from companion.table.events import Event, GameEnded, GameStarted
from companion.words import Language

pytestmark = pytest.mark.slow

SIZES = [(800, 480), (1024, 600), (1280, 800), (800, 1280)]
NT, HK = Currency("NT$", "1", "10"), Currency("HK$", "0.5", "1")
NAMES = ("Ann", "Bao", "陈小姐", "Maximiliana von Hohenstein")


def keep_evening(
    name: str, rules: str, currency: Currency, seed: int, stakes: Stakes, names: tuple[str, str, str, str]
) -> None:
    start = GameStarted(rules=rules, names=names, currency=currency, stakes=stakes)
    events: list[Event] = [start]
    for hand in play(start, 4, random.Random(seed)):
        events += [step.event for step in hand.steps]
    keep(name, [*events, GameEnded()])


def show_season(companion: Driver) -> None:
    keep_evening("monday", "taiwanese", NT, 3, Stakes(100, 20), NAMES)
    keep_evening("tuesday", "taiwanese", NT, 4, Stakes(50, 10), NAMES)
    keep_evening("friday", "hong_kong", HK, 5, Stakes(), ("Ann", "Bao", "Eva", "Fay"))
    companion.controller.do("sheet", lambda state: state.enter().choose_part(EVENINGS))
    companion.wait(lambda: state_of(companion).evenings.season is not None, "the evenings")
    companion.settle()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", [Language.ENGLISH, Language.TRADITIONAL])
def test_a_season_is_ranked_by_money_and_points_and_chosen(
    companion: Driver, size: tuple[int, int], language: Language
) -> None:
    companion.resize(size)
    companion.controller.do("settings", lambda state: state.speak(language))
    show_season(companion)
    figures = page(companion).figures
    tag = f"{size[0]}x{size[1]}-{language.value}"
    companion.shot(f"season-{tag}")
    season = state_of(companion).evenings.season
    assert season is not None
    assert {ranking.symbol for ranking in season.money} == {"NT$", "HK$"}
    assert len(season.games) == 3
    for at in (0.66, 0.33, 0.0):
        figures.scroll_y = at
        companion.frames(3)
        companion.shot(f"season-{tag}-{at}")
    figures.scroll_y = 1.0
    companion.frames(3)
    assert page(companion).save.get_root_window() is not None
    companion.touch(figures.choice.rules)
    companion.touch(figures.choice.rules.list.container.children[::-1][1])
    companion.settle()
    season = state_of(companion).evenings.season
    assert state_of(companion).evenings.selection == Selection(rules="taiwanese")
    assert season is not None
    assert {game.rules for game in season.games} == {"taiwanese"}
    companion.shot(f"season-{tag}-chosen")


def test_the_photo_of_the_best_hand_is_shown_where_one_was_kept(companion: Driver) -> None:
    from kivy.uix.image import Image as Shown

    keep_evening("monday", "taiwanese", NT, 3, Stakes(100, 20), NAMES)
    (game,) = read_evenings().games
    assert game.best is not None
    assert game.best.best is not None
    path = folder_of(shelf.path_of("monday")) / game.best.best.pictures[0]
    path.parent.mkdir()
    Image.new("RGB", (1280, 420), "darkgreen").save(path, "JPEG")
    companion.controller.do("sheet", lambda state: state.enter().choose_part(EVENINGS))
    companion.wait(lambda: state_of(companion).evenings.season is not None, "the evenings")
    companion.settle()
    figures = page(companion).figures
    (photo,) = (each for each in figures.walk(restrict=True) if isinstance(each, Shown))
    assert photo.source == str(path)
    figures.scroll_to(photo)
    companion.frames(5)
    companion.shot("season-photo")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", SIZES)
def test_a_settled_evening_can_be_shared_in_every_window_size(
    companion: Driver, size: tuple[int, int]
) -> None:
    companion.resize(size)
    keep_evening("monday", "taiwanese", NT, 3, Stakes(100, 20), NAMES)
    open_sheet(companion, "monday")
    companion.controller.do("sheet", lambda state: state.choose_part(SETTLING))
    companion.settle()
    save = page(companion).save
    assert save.get_root_window() is not None
    assert min(save.size) >= 57
    companion.touch(save)
    companion.shot(f"share-{size[0]}x{size[1]}")
    page(companion).forms.dismiss()
    companion.controller.do("sheet", lambda state: state.choose_part("hands"))
    companion.settle()
    assert save.get_root_window() is not None
