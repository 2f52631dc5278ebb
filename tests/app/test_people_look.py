"""The same person has the same mark; a name that is not changed is no news; dice are white in any light."""

from __future__ import annotations

from dataclasses import replace

import pytest
from app_driver import Driver
from sheet_driver import keep_declared, open_games, open_sheet

from companion.app.home.games import RenameGame
from companion.app.home.state import Home, KeptHome, ListGames
from companion.app.news import SettingsWanted
from companion.app.settings.state import SettingsTab

pytestmark = pytest.mark.slow


def list_names(companion: Driver) -> dict[str, tuple[float, ...]]:
    """The names in the table of figures, with their signs, and their colours."""
    from companion.app.widgets.name_tag import NameTag
    from companion.app.widgets.plots import SIGNS

    tags = [each for each in companion.root.walk(restrict=True) if isinstance(each, NameTag)]
    return {tag.text: tuple(tag.color) for tag in tags if tag.text[0] in SIGNS}


def test_a_person_has_one_mark_wherever_figures_are_drawn(companion: Driver) -> None:
    """Six people in two evenings, of whom two sat in both."""
    keep_declared()
    keep_declared("monday", names=("Dai", "Eve", "Ann", "Fay"))
    open_sheet(companion, "monday")
    companion.touch(companion.pages.sheet.parts.button("figures"))
    of_game = list_names(companion)
    companion.touch(companion.pages.sheet.parts.button("evenings"))
    companion.settle()
    of_all = list_names(companion)
    companion.shot("six-people")
    assert len(of_game) == 4
    assert len(of_all) == 6
    assert of_game.items() <= of_all.items(), "the same person has the same colour and sign"
    assert len({(name[0], colour) for name, colour in of_all.items()}) == 6, "all are told apart"
    companion.touch(companion.pages.sheet.parts.button("figures"))
    assert list_names(companion) == of_game
    from companion.app.widgets.plots import mark_person

    assert len({(mark.colour, mark.sign) for mark in map(mark_person, range(12))}) == 12


def test_a_game_that_keeps_its_name_is_not_renamed() -> None:
    home = replace(Home.resume(KeptHome()), effects=())
    state = home.change_games(RenameGame("friday", "friday"))
    assert (state.effects, state.busy) == ((), None)
    renamed = home.change_games(RenameGame("friday", "saturday"))
    assert renamed.busy is not None
    assert ListGames() not in renamed.effects


def test_dice_are_white_in_the_light_look_too(companion: Driver) -> None:
    keep_declared()
    open_sheet(companion, "told")
    from companion.app.widgets.tile_keys import DIE, DieKey

    for shade in ("dark", "light"):
        companion.controller.do("settings", lambda state, shade=shade: state.change(shade=shade))
        companion.frames(2)
        key = DieKey(1, lambda: None)
        colours = [each.rgba for each in key.canvas.children if type(each).__name__ == "Color"]
        assert list(DIE) in [[round(part, 2) for part in rgba] for rgba in colours]


def test_refusal_disappears_with_its_page(companion: Driver) -> None:
    keep_declared("told")
    keep_declared("other")
    open_games(companion)
    companion.controller.do("home", lambda state: state.change_games(RenameGame("told", "other")))
    companion.wait(lambda: companion.banner is not None, "the refusal")
    companion.controller.do("coach", lambda state: state.enter())
    companion.settle()
    assert companion.banner is None
    companion.controller.announce(SettingsWanted())
    companion.settle()
    companion.controller.do("settings", lambda state: state.show_part(SettingsTab.DATA))
    companion.controller.do("settings", lambda state: state.pack())
    companion.wait(lambda: companion.banner is not None, "that there is no photo")
    companion.controller.do("settings", lambda state: state.show_part(SettingsTab.LOOKS))
    companion.settle()
    assert companion.banner is None
