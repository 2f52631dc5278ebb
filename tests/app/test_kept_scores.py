"""The scores of kept games stay whole, however large the text and small the window."""

from __future__ import annotations

import re

import pytest
from app_driver import Driver
from sheet_driver import find, keep_game, keep_told, open_sheet

from companion.app.effects import Wear
from companion.app.look import Look, TextSize
from companion.words import Language

pytestmark = pytest.mark.slow

LONG = ("Maximiliana von Hohenstein", "Bartholomew Featherstonehaugh", "歐陽司馬諸葛上官", "Dai")


@pytest.mark.parametrize("size", [(800, 480), (1280, 800)])
@pytest.mark.parametrize("names", [LONG, ("", "", "", "")], ids=["long", "none"])
@pytest.mark.parametrize("language", [Language.ENGLISH, Language.SIMPLIFIED])
def test_no_score_of_a_kept_game_is_cut(
    companion: Driver, size: tuple[int, int], names: tuple[str, str, str, str], language: Language
) -> None:
    keep_game("friday", rules="hefei", hands=6, names=names)
    keep_told("saturday", names)
    games = ("friday", "saturday")
    companion.resize(size)
    companion.controller.set_language(language)
    try:
        companion.controller.do("settings", lambda state: state.also(Wear(Look(text=TextSize.VERY_LARGE))))
        companion.frames(4)
        open_sheet(companion, "friday")
        companion.press({Language.ENGLISH: "Kept games"}.get(language, "保存的牌局"))
        companion.settle()
        for name in games:
            row = find(companion, "GameRow", name=name)
            shown = row.players.text
            assert row.players.is_whole, shown
            scores = [part.split()[-1] for part in re.split("·|\n", shown)]
            assert len(scores) == 4
            assert sum(int(score.replace("−", "-").replace(",", "")) for score in scores) == 0
        companion.shot(f"kept_{size[0]}_{len(names[0])}_{language.value}")
    finally:
        companion.controller.do("settings", lambda state: state.also(Wear(Look())))
        companion.frames(2)
