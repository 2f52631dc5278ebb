"""Every game in the window: what only it asks for, and that its scores are shown as the rules reckon them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app_driver import SIZES, WIN, Driver, ScriptedReader, draw_picture
from worked import EXAMPLES, make_draft

from companion.app.score_photo import editing, how_won, photo
from companion.app.score_photo.editing import Pane
from companion.app.score_photo.state import Page
from companion.photo_hand.draft import WinDraft, evaluate
from companion.rules import RULE_SETS
from companion.rules.fields import FIELDS, Field
from companion.rules.scoring import explain_hand, explain_share
from companion.tiles import MeldKind


def draft_of(example: str, **changes: Any) -> WinDraft:
    return make_draft(EXAMPLES[example]["request"] | changes)


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_the_window_asks_the_rules_for_what_was_set(example: dict[str, Any]) -> None:
    outcome = evaluate(make_draft(example["request"]))
    assert outcome.score is not None, outcome.problem
    assert (outcome.score.value, list(outcome.score.payments)) == (example["value"], example["payments"])


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
@pytest.mark.parametrize("base", [1, 5])
def test_every_sum_on_the_screen_is_right(example: dict[str, Any], base: int) -> None:
    outcome = evaluate(make_draft(example["request"] | {"base": base}))
    assert outcome.score is not None
    assert explain_hand(outcome.score).exact
    for share in outcome.score.shares:
        sentence = str(explain_share(outcome.score, share))
        terms, _, result = sentence.replace(",", "").replace("×", "*").rpartition("=")
        assert eval(terms or result) == int(result) == share.owed


@pytest.mark.parametrize(
    ("example", "sign", "formulas"),
    [
        ("HF-R13", "+", ["(30 + 4) × 20 = 680", "30 × 20 = 600"]),
        ("TW-R20", "+", ["4 + 1 = 5", "4"]),
        ("HK-R15", "×", ["2 × 2 = 4"]),
        ("HZ-R10", "×", ["4 × 2 = 8", "4"]),
        ("HB-R06", "×", ["2"]),
    ],
)
def test_a_payment_is_written_out(kivy_window: None, example: str, sign: str, formulas: list[str]) -> None:
    from companion.app.score_photo.score import alike

    outcome = evaluate(draft_of(example))
    assert outcome.score is not None
    assert outcome.score.payer_sign.symbol == sign
    assert [
        str(explain_share(outcome.score, shares[0])) for shares in alike(outcome.score.shares)
    ] == formulas


def test_a_fortune_tile_is_chosen_on_the_keyboard_and_chains_are_counted(companion: Driver) -> None:
    choose_game(companion, "Hangzhou")
    win, sheet = companion.pages.table.win, companion.pages.table.sheet
    lay(companion, "HZ-R05", fortune=None)
    assert companion.says("Which tile is the fortune tile?")
    companion.touch(win.askers["fortune"])
    companion.touch(sheet.keys["9s"])
    assert companion.state.draft.fortune == "9s"
    assert companion.says("base × 2")
    assert companion.says("Gold rings: fortune tiles")
    assert amounts(companion) == ["−4", "+8", "−2", "−2"]
    companion.touch(win.askers["gambits"].more)
    companion.touch(win.askers["streak"].more)
    assert amounts(companion) == ["−8", "+16", "−4", "−4"]
    companion.press("Undo")
    companion.press("Undo")
    assert amounts(companion) == ["−4", "+8", "−2", "−2"]
    companion.do(lambda state: how_won.set_option(state, "fortune", "white_dragon"))
    assert win.askers["fortune"].disabled
    assert companion.state.draft.fixed_fortune.code == "5z"


def test_a_purse_limits_what_is_paid_and_liability_stands_with_its_payer(companion: Driver) -> None:
    choose_game(companion, "Hangzhou")
    lay(companion, "HZ-R04")
    companion.press("More")
    more = companion.pages.more
    type_number(companion, more.cards["balances"].numbers[2], "5")
    companion.press("Done")
    assert companion.says("More: 1")
    assert amounts(companion) == ["+21", "−8", "−5", "−8"]
    assert companion.says("pays at most")
    companion.do(lambda state: editing.show(how_won.set_balance(state, 2, None), Page.MORE))
    companion.frames(4)
    companion.touch(more.cards["three_melds"].pairs[1, 0])
    companion.press("Done")
    assert companion.says("Three-Meld")
    assert amounts(companion) == ["+48", "−48", "0", "0"]


def test_kongs_are_paid_beside_the_win(companion: Driver) -> None:
    choose_game(companion, "Hebei")
    lay(companion, "HB-R05", kongs_declared=[])
    companion.press("More")
    more = companion.pages.more
    companion.touch(more.cards["kongs_declared"].add_kong)
    (kong,) = companion.state.draft.kongs_declared
    assert (kong.kind, kong.seat) == (MeldKind.KONG_DISCARD, 1), "the kong of the hand is proposed"
    companion.touch(more.cards["kongs_declared"].kongs[0].thrown_by.button("3"))
    companion.press("Done")
    assert amounts(companion) == ["−2", "+8", "−2", "−4"]
    assert companion.says("Right +2 · Left −2")
    companion.press("More: 1")
    companion.touch(more.cards["kongs_declared"].kongs[0].remove)
    companion.press("Done")
    assert amounts(companion) == ["−2", "+6", "−2", "−2"]


def test_flowers_lie_beside_the_hand_and_win_alone(companion: Driver) -> None:
    choose_game(companion, "Taiwanese")
    lay(companion, "TW-R31", discards=None)
    assert companion.says("flowers: 1")
    assert companion.says("1 tai")
    type_number(companion, companion.pages.table.win.askers["discards"], "4")
    assert companion.says("11 tai")
    companion.do(editing.start_adding)
    companion.frames(4)
    companion.touch(companion.pages.table.sheet.keys["8f"])
    companion.press("Done")
    assert companion.says("12 tai")
    companion.press("New hand")
    assert companion.state.draft.discards is None
    companion.press("Self-draw")
    companion.press("Eight flowers")
    assert companion.says("30 tai")
    assert amounts(companion) == ["−31", "+91", "−30", "−30"]


def test_a_win_by_flowers_shows_who_pays_in_a_small_window(kivy_window: None, tmp_path: Path) -> None:
    small = Driver(tmp_path, ScriptedReader(), SIZES["small"])
    draft = draft_of("TW-R37")
    small.do(lambda state: editing.show_pane(editing.change(state, draft), Pane.SCORE))
    small.frames(4)
    assert small.says("30 tai")
    assert small.says("+91")
    small.close()


def test_fan_payments_are_reported_in_units(companion: Driver) -> None:
    choose_game(companion, "Hong Kong")
    lay(companion, "HK-R03")
    assert companion.says("1 fan")
    companion.do(lambda state: how_won.set_option(state, "payout", "table"))
    companion.frames(4)
    assert companion.says("1 fan = 2 units")
    assert companion.says("= 2")
    assert not companion.says("+2")
    companion.press("繁")
    assert companion.says("1 番 = 2 分")


def test_missing_entry_of_another_game_is_visible(kivy_window: None, tmp_path: Path) -> None:
    small = Driver(tmp_path, ScriptedReader(), SIZES["small"])
    draft = draft_of("HK-R15", flowers="")
    small.do(lambda state: editing.show_pane(editing.change(state, draft), Pane.SCORE))
    small.frames(6)
    score = small.pages.table.score
    score.column.scroll_y = 0
    small.frames(4)
    small.do(lambda state: editing.record(state, base=2))
    assert score.column.scroll_y < 0.5, "the same kind of answer stays where it was read"
    small.do(lambda state: photo.set_rules(state, "hangzhou"))
    assert score.column.scroll_y == 1
    small.frames(2)
    assert "fortune" in score.verdict.text
    bottom = score.verdict.to_window(*score.verdict.pos)[1]
    frame = score.to_window(*score.pos)[1]
    assert frame <= bottom
    assert bottom + score.verdict.height <= frame + score.height
    small.close()


def test_the_round_wind_counts_where_the_game_looks_at_it(companion: Driver) -> None:
    choose_game(companion, "Hong Kong")
    lay(companion, "HK-R03")
    assert companion.says("1 fan")
    pick(companion, companion.pages.table.win.askers["round_wind"], "South")
    assert companion.says("2 fan")
    assert companion.says("= 2")
    assert amounts(companion) == ["−2", "+8", "−4", "−2"]
    companion.press("繁")
    assert companion.says("圈風刻")
    choose_game(companion, "合肥麻將")
    assert not companion.says("圈風")


def test_a_tile_that_the_game_does_not_have_is_shown_for_what_it_is(
    companion: Driver, tmp_path: Path
) -> None:
    companion.reader.codes = WIN.replace("2m 3m 4m", "1m 2m 3m")
    companion.open(draw_picture(tmp_path / "hand.png", companion.reader.codes))
    first = companion.state.hand.tiles[0]
    assert (first.code, first.needs_check) == ("1m", True)
    assert companion.says("unused")
    choose_game(companion, "Hebei")
    assert not companion.says("to check")
    assert companion.says("base × 4")
    assert companion.reader.read_count == 1
    companion.press("Undo")
    companion.press("1 to check")
    assert companion.says("This game has no such tile")
    companion.touch(companion.pages.table.sheet.keys["4m"])
    assert companion.says("15 zui")


def test_a_game_asks_only_for_what_it_uses(companion: Driver) -> None:
    labels = {name: set(labels_of(field)) for name, field in FIELDS.items() if field.ask}
    for game, rules in RULE_SETS.items():
        said = set()
        for page in (Page.TABLE, Page.MORE):
            companion.do(lambda state, game=game, page=page: editing.show(photo.set_rules(state, game), page))  # type: ignore[misc]
            companion.frames(2)
            said |= {name for name, texts in labels.items() if texts & set(companion.texts())}
        used = {name for name in labels if FIELDS[name].used_by(rules)}
        assert said == used - {"from"}, game


def test_the_list_of_games_marks_the_one_that_is_played(companion: Driver) -> None:
    opener = companion.pages.table.win.rules
    for title in ("Hebei", "Taiwanese"):
        choose_game(companion, title)
        wait_until_closed(companion, opener)
        companion.touch(opener)
        assert [press.text for press in opener.list.container.children if press.chosen] == [title]
        opener.list.dismiss()
        wait_until_closed(companion, opener)


def test_a_scroll_bar_lies_beside_what_it_scrolls(companion: Driver) -> None:
    from companion.app.widgets.basics import Column

    companion.do(lambda state: editing.show(state, Page.OPTIONS))
    companion.frames(4)
    (column,) = (each for each in companion.root.walk(restrict=True) if isinstance(each, Column))
    assert column.inside.height > column.height
    assert column.inside.width <= column.width - column.bar_width


def wait_until_closed(companion: Driver, opener: Any) -> None:
    """A list goes away a tenth of a second after it was dismissed."""
    while opener.list.attach_to:
        companion.frames(1)


def labels_of(field: Field) -> list[str]:
    """What the field is called, in all games."""
    return [field.label_in(rules) for rules in RULE_SETS.values()]


def choose_game(companion: Driver, title: str) -> None:
    pick(companion, companion.pages.table.win.rules, title)
    if companion.page == "table_choice":
        companion.choose_table(next(iter(companion.pages.table_choice.cards)))


def pick(companion: Driver, opener: Any, text: str) -> None:
    companion.touch(opener)
    companion.settle()
    buttons = opener.list.container.children
    companion.touch(next(button for button in buttons if button.text == text))


def lay(companion: Driver, example: str, **changes: Any) -> None:
    """The tiles and the seats of that worked example, in the game that was chosen."""
    draft = draft_of(example, **changes)
    assert draft.rules == companion.state.draft.rules
    companion.do(lambda state: editing.change(state, draft))
    companion.frames(4)


def amounts(companion: Driver) -> list[str]:
    return [seat.amount.text for seat in companion.pages.table.score.seats.seats]


def type_number(companion: Driver, field: Any, digits: str) -> None:
    companion.touch(field)
    for digit in digits:
        companion.touch(field.keypad.keys[digit])
    companion.touch(field.keypad.keys["Done"])
    companion.wait(lambda: field.keypad.parent is None, "the keypad to go, which takes touches until then")
