"""Automatic tables in the window: their walls, buttons and troubles, and a shuffle that a person starts."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from app_driver import SIZES, Driver, ScriptedReader, draw_picture
from device_driver import connected, do, press

from companion.app.score_photo import editing, photo
from companion.app.score_photo.state import ScorePhoto
from companion.live.devices import Chosen, ChosenDevices
from firmware_bridge.codec import Message
from firmware_bridge.commands import Command, CommandOutcome, SetTileCount, StartShuffle
from firmware_bridge.emulator import AutomaticTable, DiceCup, EmulatedDevice, Faults, models

pytestmark = pytest.mark.slow

if TYPE_CHECKING:  # which brings Kivy: not before the window is prepared
    from companion.app.devices.page import DeviceCard


def test_a_wall_of_another_game_is_reported_and_the_seats_are_set(
    window: Driver, table: EmulatedDevice
) -> None:
    shown = connected(window, table)
    do(table, "shuffle")
    window.wait(lambda: shown.wrong.text, "the wall")
    assert shown.wrong.text == "The table has built 136 tiles, and Hefei is played with 84: set it to 84."
    window.do(lambda state: photo.set_rules(state, "hebei"))
    window.wait(lambda: not shown.wrong.text, "the other game")
    do(table, "press", "1", "1")
    window.wait(lambda: window.banner, "the button")
    assert window.says("Right: the win button was pressed.")
    window.touch(shown.seats.button("2"))
    window.wait(lambda: shown.seats.button("2").chosen, "the seat")
    do(table, "press", "1", "1")
    window.wait(lambda: window.says("Left: the win button was pressed."), "the button")
    window.controller.close()
    again = Driver(window.folder, ScriptedReader(), SIZES["tablet"])
    assert again.devices.choice == ChosenDevices((Chosen(str(table.path), 2),))
    again.close()


def test_a_wall_whose_dice_nobody_tells_begins_a_hand(window: Driver, tmp_path: Path) -> None:
    window.do(lambda state: photo.set_rules(state, "hebei"))
    model = AutomaticTable(random.Random(3), dice=0)
    with EmulatedDevice(model, tmp_path / "old") as device:
        connected(window, device)
        do(device, "shuffle")
        window.wait(lambda: window.devices.view.newest_start, "the wall")
        assert window.pages.devices.throw.first.text == "The wall is built, but no dice roll was reported."


def test_a_win_button_is_only_a_question(window: Driver, table: EmulatedDevice, tmp_path: Path) -> None:
    window.open(draw_picture(tmp_path / "hand.png"))
    draft = window.state.draft
    window.touch(window.root.bar.buttons["devices"])
    connected(window, table)
    do(table, "press", "2", "1")
    window.wait(lambda: window.says("Across: the win button was pressed."), "the button")
    assert window.state.draft == draft
    window.touch(window.root.banner.dismiss)
    assert window.banner is None
    assert window.state.draft == draft
    do(table, "press", "2", "1")
    window.wait(lambda: window.says("Across wins"), "the button")
    press(window, "Across wins")
    window.wait(lambda: window.banner is None, "the touch")
    assert window.state.draft == replace(draft, winner=2)
    assert window.banner is None
    window.do(ScorePhoto.undo)
    assert window.state.draft == draft


def test_a_table_that_has_stopped_says_why(window: Driver, table: EmulatedDevice) -> None:
    shown = connected(window, table)
    do(table, "fail", "4")
    window.wait(lambda: "The table has stopped: the lid is open" in shown.reported.text, "the error")


def test_three_dice_are_no_throw_of_the_game(window: Driver, tmp_path: Path) -> None:
    with EmulatedDevice(DiceCup(random.Random(1), 4), tmp_path / "four") as device:
        shown = connected(window, device)
        do(device, "roll")
        window.wait(lambda: "is not a throw of 2 dice" in shown.wrong.text, "the sentence")


def touch_shuffle(window: Driver, shown: DeviceCard) -> None:
    window.wait(lambda: shown.shuffle.parent and not shown.shuffle.disabled, "the button")
    window.frames(3)
    window.touch(shown.shuffle)


def test_a_table_is_shuffled_for_the_game_with_a_touch(
    window: Driver, table: EmulatedDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It builds the wall of Hefei, longer before the dealer, and is broken and drawn from."""
    monkeypatch.setattr(models, "SHUFFLING_MS", 1_000_000)
    window.do(lambda state: editing.record(photo.set_rules(state, "hefei"), dealer=2))
    shown = connected(window, table)
    window.devices.seat(str(table.path), 1)
    devices = window.devices
    window.wait(lambda: devices.view.dealer == 2 and devices.choice.devices[0].first_seat == 1, "the seat")
    assert "The table is idle" in shown.reported.text
    assert shown.doing.text == "Next shuffle: 84 tiles, dealer: Across"
    touch_shuffle(window, shown)
    window.wait(lambda: shown.shuffle.disabled, "the touch")
    window.wait(lambda: "The table shuffles" in shown.doing.text, "the shuffle")
    assert shown.shuffle.disabled
    monkeypatch.setattr(models, "SHUFFLING_MS", 0)
    window.wait(lambda: "ready: the wall is built" in shown.reported.text, "the wall")
    model = table.model
    assert isinstance(model, AutomaticTable)
    assert model.wall is not None
    assert [side.stacks for side in model.wall.sides] == [10, 12, 10, 10]  # the device's side 1 is seat 2
    assert shown.wrong.text == ""
    do(table, "roll")
    window.wait(lambda: window.devices.view.newest_start, "the roll")
    assert window.pages.devices.throw.game.text.startswith("Hefei · dealer: Across")
    do(table, "draw")
    window.wait(lambda: "in use" in shown.doing.text, "the hand")
    assert shown.shuffle.disabled
    do(table, "end")
    window.wait(lambda: not shown.shuffle.disabled, "the end of the hand")


def test_a_cup_cannot_shuffle_and_a_table_not_under_an_open_lid(
    window: Driver, cup: EmulatedDevice, table: EmulatedDevice
) -> None:
    assert connected(window, cup).shuffle.parent is None
    shown = connected(window, table)
    assert shown.shuffle.parent is not None
    do(table, "fail", "4")
    window.wait(lambda: shown.shuffle.disabled, "the open lid")
    do(table, "fail", "1")  # after a jam it may be tried
    window.wait(lambda: not shown.shuffle.disabled, "the jam")


@pytest.mark.parametrize(
    ("refused", "outcome", "said"),
    [
        (SetTileCount, CommandOutcome.BAD_VALUE, "The table cannot build a wall of 84 tiles."),
        (StartShuffle, CommandOutcome.REFUSED, "The table does not shuffle now"),
        (StartShuffle, CommandOutcome.BAD_VALUE, "The table cannot shuffle in this way."),
    ],
)
def test_a_table_that_refuses_says_so(
    window: Driver,
    table: EmulatedDevice,
    monkeypatch: pytest.MonkeyPatch,
    refused: type[Command],
    outcome: CommandOutcome,
    said: str,
) -> None:
    """What the table cannot build is not begun; afterwards it may be asked again."""
    asked: list[Command] = []
    command = table.model.command

    def some(each: Command, t_ms: int) -> tuple[CommandOutcome, list[Message]]:
        asked.append(each)
        return (outcome, []) if isinstance(each, refused) else command(each, t_ms)

    monkeypatch.setattr(table.model, "command", some)
    shown = connected(window, table)
    touch_shuffle(window, shown)
    window.wait(lambda: window.says(said), "the answer")
    assert asked == [SetTileCount(84), StartShuffle(0)][: 1 + (refused is StartShuffle)]
    window.wait(lambda: not shown.shuffle.disabled, "the button")


def test_a_table_that_is_unplugged_before_it_answers_may_be_asked_again(
    window: Driver, table: EmulatedDevice
) -> None:
    shown = connected(window, table)
    table.faults = Faults(stuck=True)
    touch_shuffle(window, shown)
    window.wait(lambda: shown.doing.text == "Shuffle requested …", "the wait")
    table.unplug()
    window.wait(lambda: shown.state.text == "Unplugged", "the state")
    assert shown.shuffle.parent is None
    table.faults = Faults()
    table.plug()
    touch_shuffle(window, shown)
    window.wait(lambda: "ready: the wall is built" in shown.reported.text, "the wall")
