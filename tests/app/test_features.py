"""Features beside each other in the real window: each keeps its state while another is in front, and has an
undo of its own.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from app_driver import WIN, Driver, draw_picture

from companion.app.score_photo import editing, entering, how_won
from companion.app.score_photo.state import Page
from companion.rules import Source

pytestmark = pytest.mark.slow

KEY_Z, KEY_ESCAPE = ord("z"), 27


@pytest.fixture
def both(companion: Driver, tmp_path: Path) -> Driver:
    """A hand with two corrections, and a lesson with two as well, which is in front."""
    companion.open(draw_picture(tmp_path / "hand.png"))
    companion.do(lambda state: editing.press_key(editing.select(state, state.hand.tiles[0].id), "8s"))
    companion.do(lambda state: entering.set_winner(state, 2))
    companion.touch(companion.root.bar.buttons["sets"])
    companion.press("Teach your tiles")
    companion.open(draw_picture(tmp_path / "set.png"))
    for at, code in ((0, "1m"), (1, "9p")):
        companion.touch(companion.pages.lesson.board.keys[companion.lesson.tiles[at].id])
        companion.touch(companion.pages.lesson.sheet.keys[code])
        companion.teach(lambda state: state.browse(lambda lesson: lesson.select(None)))
    assert [tile.code for tile in companion.lesson.tiles] == ["1m", "9p", *WIN.split()[2:]]
    return companion


def press_key(companion: Driver, key: int, *modifiers: str) -> None:
    """A key, as the application hears of it."""
    from companion.app.shell.application import CompanionApp

    CompanionApp._on_key(companion, None, key, 0, None, list(modifiers))  # type: ignore[arg-type]
    companion.frames(4)


def test_leaving_a_feature_and_coming_back_loses_nothing_in_either(both: Driver) -> None:
    draft, past, lesson = both.state.draft, both.state.past, both.sets
    both.touch(both.root.bar.buttons["devices"])
    assert both.page == "devices"
    both.press("Back")
    assert both.page == "lesson"
    both.press("Back")
    both.press("Back")
    assert both.page == "table"
    assert (both.state.draft, both.state.past) == (draft, past)
    assert both.pages.table.picture.stage.place_of(draft.hand.tiles[0].id) is not None
    both.do(lambda state: editing.show(state, Page.MORE))
    both.touch(both.root.bar.buttons["sets"])
    both.press("Continue the lesson")
    assert (both.lesson, both.sets.past) == (lesson.lesson, lesson.past)
    both.press("Back")
    both.press("Back")
    assert both.page == "more"
    assert both.state.past == past


def test_a_keyboard_that_is_out_stays_out_while_devices_are_looked_at(both: Driver) -> None:
    tile = both.lesson.tiles[4].id
    both.touch(both.pages.lesson.board.keys[tile])
    both.touch(both.root.bar.buttons["devices"])
    both.press("Back")
    assert both.lesson.selected == tile
    assert both.says("This tile") or both.says("Is this right?")


def test_undo_is_that_of_the_feature_that_is_worked_with(both: Driver) -> None:
    draft = both.state.draft
    both.press("Undo")
    assert [tile.code for tile in both.lesson.tiles[:2]] == ["1m", WIN.split()[1]]
    press_key(both, KEY_Z, "ctrl")
    assert [tile.code for tile in both.lesson.tiles[:2]] == WIN.split()[:2]
    both.press("Undo")
    assert both.lesson.photos == ()
    assert both.root.bar.buttons["undo"].disabled
    press_key(both, KEY_Z, "ctrl")
    assert both.state.draft == draft, "the hand has an undo of its own"
    both.press("Back")
    both.press("Back")
    assert not both.root.bar.buttons["undo"].disabled
    press_key(both, KEY_Z, "ctrl")
    assert both.state.draft.winner == 0
    both.press("Undo")
    assert [tile.code for tile in both.state.hand.tiles] == WIN.split()
    assert both.lesson.photos == ()


def test_undo_shows_the_hand_that_it_changes(companion: Driver) -> None:
    companion.do(lambda state: entering.set_winner(state, 2))
    for button in ("devices", "sets"):
        companion.do(lambda state: how_won.set_source(state, Source.DISCARD))
        companion.touch(companion.root.bar.buttons[button])
        assert companion.page != "table"
        companion.touch(companion.root.bar.buttons["undo"])
        assert companion.state.draft.source is Source.SELF_DRAW
        assert companion.page == "table"


def test_a_picture_dropped_on_a_page_beside_the_hand_shows_the_hand(
    companion: Driver, tmp_path: Path
) -> None:
    for button in ("devices", "sets"):
        companion.touch(companion.root.bar.buttons[button])
        companion.open(draw_picture(tmp_path / "hand.png"))
        assert companion.page == "table"


def test_the_key_for_going_back_closes_what_is_in_front(both: Driver) -> None:
    both.touch(both.root.bar.buttons["devices"])
    press_key(both, KEY_ESCAPE)
    assert both.page == "lesson"
    both.touch(both.pages.lesson.board.keys[both.lesson.tiles[0].id])
    press_key(both, KEY_ESCAPE)
    assert (both.page, both.lesson.selected) == ("lesson", None)
    both.press("Picture")
    assert both.page == "pictures"
    press_key(both, KEY_ESCAPE)
    assert both.page == "lesson"
    for page in ("sets", "table", "home"):
        press_key(both, KEY_ESCAPE)
        assert both.page == page


def test_a_new_hand_is_not_begun_behind_a_lesson(both: Driver) -> None:
    assert "clear" not in both.root.bar.buttons
    press_key(both, KEY_ESCAPE)
    press_key(both, KEY_ESCAPE)
    assert both.page == "table"
    assert not both.root.bar.buttons["clear"].disabled


def test_a_page_has_only_buttons_that_mean_something_there(companion: Driver) -> None:
    assert {"pictures", "camera", "clear"} <= set(companion.root.bar.buttons)
    companion.touch(companion.root.bar.buttons["settings"])
    assert not {"pictures", "camera", "clear"} & set(companion.root.bar.buttons)
    companion.touch(companion.root.bar.buttons["home"])
    assert not {"pictures", "camera", "clear"} & set(companion.root.bar.buttons)


def test_what_other_threads_report_is_shown_once_a_frame(
    companion: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.app.widgets.window_thread import call_on_window_thread

    shown = 0
    show = companion.root.bar.show

    def count(*view: Any) -> None:
        nonlocal shown
        shown += 1
        show(*view)

    monkeypatch.setattr(companion.root.bar, "show", count)
    for winner in (1, 2, 3):
        step = partial(entering.set_winner, seat=winner)
        call_on_window_thread(partial(companion.do, step))
    companion.frames(1)
    assert (shown, companion.state.draft.winner) == (1, 3)
    companion.do(partial(entering.set_winner, seat=2))
    assert shown == 2, "what the person does is shown at once"
