"""Hands of the score sheet in a real window: read, replayed, put right and compared."""

from __future__ import annotations

from io import BytesIO

import pytest
from app_driver import SIZES, Driver
from PIL import Image
from sheet_driver import (
    LONG,
    find,
    keep_declared,
    keep_game,
    open_sheet,
    page,
    points_of,
    state_of,
    wait_for_fix,
)

from companion.app.look import SCALES, TextSize
from companion.app.sheet.state import EndDraft
from companion.game import shelf
from companion.game.pictures import keep_picture
from companion.sheets.hands import make_sheet
from companion.table.events import Won
from companion.words import Language

pytestmark = pytest.mark.slow

LONGEST = ("Bartholomew Maximilian Featherstonehaugh", "王小明", "Zoe", "Ann")
TEXT_SMALL = 14
"""Its usual size, in px of a window at 160 to the inch."""


def test_additional_payments_of_a_payer_are_named(companion: Driver) -> None:
    keep_game(rules="taiwanese", hands=6)
    open_sheet(companion, "friday")
    sheet = state_of(companion).sheet
    assert sheet is not None
    shares = [
        (at, share) for at, hand in enumerate(sheet.hands) for win in hand.wins for share in win.score.shares
    ]
    place, share = next((at, share) for at, share in shares if share.lines)
    companion.controller.do("sheet", lambda state: state.open_hand(place))
    companion.frames(6)
    companion.shot("sheet-dealer")
    assert share.lines[0].name == "Dealer"
    assert companion.says(" · Dealer +1")


@pytest.mark.sampled
@pytest.mark.parametrize("size", [SIZES["tablet"], SIZES["portrait"]])
def test_a_hand_is_looked_at_and_replayed_back_and_forth(companion: Driver, size: tuple[int, int]) -> None:
    from companion.app.widgets.name_tag import SumRow

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
    assert len(result.lines) == len(sheet.hands[place].wins[0].score.lines)

    sums = [row.formula.text for row in result.walk() if isinstance(row, SumRow)]
    paid = [f"{share.owed:,}" for share in sheet.hands[place].wins[0].score.shares]
    assert [said.endswith(owed) for said, owed in zip(sums, paid, strict=True)] == [True] * len(paid)
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
    hand = sheet.hands[place].after.hand
    assert hand is not None
    assert hand.deal.dealer != sheet.hands[place].after.deal.dealer, "another player deals next"
    dealers = [seat for seat, plate in replay.board._view.plates.items() if "dealer" in plate.about]
    assert dealers == [hand.deal.dealer]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("size", "language"),
    [(SIZES["portrait"], Language.ENGLISH), (SIZES["small"], Language.TRADITIONAL)],
)
def test_a_win_is_put_right_in_three_touches_and_both_versions_are_compared(
    companion: Driver, size: tuple[int, int], language: Language
) -> None:
    keep_declared(names=LONG)
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
    companion.frames(4)
    companion.touch(hand.result.compares[0])
    companion.wait(lambda: hand._compared is not None, "both versions")
    assert hand._compared is not None
    companion.frames(20)
    companion.shot(f"sheet-compared-{tag}")
    card = hand._compared[1]
    companion.touch(card.done)
    companion.wait(lambda: card.parent is None, "the card to go")
    assert state_of(companion).look.compared is None  # type: ignore[union-attr]
    companion.touch(companion.root.bar.buttons["undo"])
    companion.settle()
    assert points_of(companion) == before


def test_a_tile_of_a_told_hand_is_replaced_and_what_is_no_win_says_so(companion: Driver) -> None:
    keep_declared()
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
    companion.touch(companion.root.bar.buttons["undo"])
    companion.settle()
    assert points_of(companion) == before


def test_impossible_correction_cannot_be_confirmed(companion: Driver) -> None:
    keep_game()
    open_sheet(companion, "friday")
    companion.controller.do("sheet", lambda state: state.open_hand(1).begin_correction(3))
    companion.frames(6)
    fixing = page(companion).hand.fixing
    companion.touch(fixing.take_out)
    wait_for_fix(companion)
    assert fixing.confirm.disabled
    assert companion.says("Not possible:")
    companion.shot("sheet-fix-refused")


def test_the_picture_of_a_win_is_shown_large_when_it_is_touched(companion: Driver) -> None:
    events = keep_declared()
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


def test_events_with_long_names_have_rows_as_high_as_their_words(companion: Driver) -> None:
    keep_game(names=LONGEST)
    open_sheet(companion, "friday")
    companion.controller.do("sheet", lambda state: state.open_hand(1).in_hand(lambda look: look.go(9)))
    companion.settle()
    companion.controller.do("coach", lambda state: state.toggle_reviews())
    companion.settle()
    companion.frames(12)
    companion.shot("sheet-replay-beside-the-coach")
    hand = page(companion).hand
    assert hand.title.texture_size[0] > 2 * hand.title.font_size, "the number of the hand is read"
    rows = [each for each in hand.replay.list.walk() if type(each).__name__ == "StepRow"]
    assert any(row.height > 1.8 * row.fix.height for row in rows), "a long name takes several lines"
    for row in rows:
        assert row.said.needed <= row.height
        assert row.said.width > 120


@pytest.mark.sampled
@pytest.mark.parametrize("size", [SIZES["tablet"], SIZES["portrait"]])
def test_points_stand_in_one_grid_and_names_grow_with_the_text(
    companion: Driver, size: tuple[int, int]
) -> None:
    events = keep_declared(names=LONGEST)
    number, won = next((n, event) for n, event in enumerate(events, 1) if isinstance(event, Won))
    content = BytesIO()
    Image.new("RGB", (1280, 420), "darkgreen").save(content, "JPEG")
    keep_picture(shelf.path_of("told"), number, won, content.getvalue())
    companion.resize(size)
    companion.controller.do("settings", lambda state: state.change(text=TextSize.VERY_LARGE))
    open_sheet(companion, "told")
    companion.frames(6)
    companion.shot(f"sheet-grid-{size[0]}")
    hands = page(companion).hands
    rows = [each for each in hands.list.walk() if type(each).__name__ == "HandRow"]
    assert len(rows) == 3
    for at, name in enumerate(hands.totals.people):
        middles = [name.center_x, *(row.people[at].to_window(*row.people[at].center)[0] for row in rows)]
        assert max(middles) - min(middles) < 2
        grown = int(TEXT_SMALL * SCALES[TextSize.VERY_LARGE])
        assert name.font_size >= (grown if len(name.text) < 8 else TEXT_SMALL)
        assert not name.shorten, "all forty letters are there"


def test_the_list_of_forms_lies_on_a_panel(companion: Driver) -> None:
    keep_declared()
    open_sheet(companion, "told")
    sheet = page(companion)
    companion.touch(sheet.save)
    companion.shot("sheet-forms")
    assert sheet.forms.plate.size == tuple(sheet.forms.container.size)
    sheet.forms.dismiss()


def test_a_hand_of_the_game_that_is_played_is_put_right_and_the_game_goes_on(companion: Driver) -> None:
    events = keep_declared("tonight")
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
    companion.touch(companion.root.bar.buttons["undo"])
    companion.wait(lambda: points_of(companion) == before, "the old points")
