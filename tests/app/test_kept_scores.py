"""The scores of kept games stay whole, however large the text and small the window."""

from __future__ import annotations

import re

import pytest
from app_driver import Driver
from sheet_driver import find_row, keep_declared, keep_game, open_games

from companion.app.effects import ApplyTheme
from companion.app.look import Look, TextSize
from companion.words import Language

pytestmark = pytest.mark.long

SHORT = ("旻", "鈺", "Ann", "Bo")
LONG = ("Maximiliana von Hohenstein", "Bartholomew Featherstonehaugh", "歐陽司馬諸葛上官", "Dai")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [(600, 1024), (800, 480), (1280, 800)])
@pytest.mark.parametrize("names", [LONG, ("", "", "", "")], ids=["long", "none"])
@pytest.mark.parametrize("language", [Language.ENGLISH, Language.SIMPLIFIED])
def test_no_score_of_a_kept_game_is_cut(
    companion: Driver, size: tuple[int, int], names: tuple[str, str, str, str], language: Language
) -> None:
    keep_game("friday", rules="hefei", hands=6, names=names)
    keep_declared("saturday", names)
    games = ("friday", "saturday")
    companion.resize(size)
    companion.controller.set_language(language)
    try:
        companion.controller.do(
            "settings", lambda state: state.also(ApplyTheme(Look(text=TextSize.VERY_LARGE)))
        )
        companion.frames(4)
        open_games(companion)
        for name in games:
            row = find_row(companion, name)
            shown = row.players.text
            assert row.players.is_complete, shown
            scores = [part.split()[-1] for part in re.split("·|\n", shown)]
            assert len(scores) == 4
            assert sum(int(score.replace("−", "-").replace(",", "")) for score in scores) == 0
        companion.shot(f"kept_{size[0]}_{len(names[0])}_{language.value}")
    finally:
        companion.controller.do("settings", lambda state: state.also(ApplyTheme(Look())))
        companion.frames(2)


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(600, 1024), (800, 480)])
def test_listed_games_name_all_four_players(companion: Driver, size: tuple[int, int]) -> None:
    keep_game("friday", rules="hefei", hands=6, names=SHORT)
    keep_declared("saturday", LONG)
    companion.resize(size)
    open_games(companion)
    companion.shot(f"games_{size[0]}")
    short, long = (find_row(companion, name).players for name in ("friday", "saturday"))
    assert short.is_complete
    assert long.is_complete
    assert all(f"{name} " in short.text for name in SHORT)
    assert len(re.split("·|\n", long.text)) == 4


def test_names_give_way_where_only_one_line_has_room(companion: Driver) -> None:
    from companion.app.widgets.name_tag import ScoresTag

    tag = ScoresTag()
    tag.show([(name, "−1,020") for name in LONG])
    tag.size = (400, 18)
    assert tag.is_complete
    assert len(tag.text.split("·")) == 4


def test_the_game_that_can_be_gone_on_with_names_its_players_in_a_small_window(companion: Driver) -> None:
    keep_game("friday", rules="hefei", hands=6, names=LONG)
    companion.resize((800, 480))
    companion.controller.do("home", lambda state: state.look())
    companion.controller.do("home", lambda state: state.go_home())
    companion.wait(lambda: companion.says("Continue"), "the game")
    companion.settle()
    companion.shot("go-on-800")
    assert all(companion.says(name) for name in LONG)
