"""One hand that is recorded in all ways at once: dice by a device, discards by a camera and touch, calls by
buttons; and everything that can happen beside moves entered in the middle of it, in the real window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app_driver import Driver
from test_game_win import begin, standing, wait_for_booking

from companion.app.news import HandEndWanted, WinEntryWanted
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.live.follower import FOLLOWING
from companion.rules import Source as WonBy
from companion.sheets.hands import make_sheet
from companion.table.events import (
    Call,
    Called,
    Claimed,
    ConcealedKong,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FalseWin,
    HandStarted,
    HandVoided,
    PointsMoved,
    WinPassed,
    Won,
)
from lab.window_bench.evening_player import TableTouches

pytestmark = pytest.mark.slow

CAMERA = Reporter(SourceKind.CAMERA, "above")
TABLE = Reporter(SourceKind.DEVICE, "table")
HAND = ("2m", "3m", "4m", "5m", "6m", "7m", "8m", "8m", "3p", "4p", "5p", "6s", "7s")
"""Waits for 5s and 8s."""


def report(driver: Driver, source: Reporter, *events: Event) -> None:
    before = standing(driver)
    for event in events:
        driver.game.propose(Proposal(event, driver.game.now_ns, source)).result(10)
    driver.wait(lambda: standing(driver) == before + len(events), "what was reported")
    driver.frames(3)


def touch(driver: Driver, event: Event) -> None:
    before = standing(driver)
    TableTouches(driver).record(event)
    driver.wait(lambda: standing(driver) > before, f"{event}")
    driver.frames(3)


def book(driver: Driver, key: str, *seats: int) -> None:
    before = standing(driver)
    driver.controller.announce(HandEndWanted())
    driver.settle()
    page: Any = driver.pages.hand_end
    driver.touch(page.offers[key])
    for choices, seat in zip((page.seat, page.other), seats, strict=False):
        driver.touch(choices.button(str(seat)))
    driver.touch(page.confirm)
    driver.wait(
        lambda: standing(driver) > before and not driver.controller.view.states["hand_end"].submitting, key
    )
    driver.settle()


def test_a_hand_is_recorded_by_device_camera_buttons_and_touch_at_once(
    companion: Driver, tmp_path: Path
) -> None:
    game = begin(companion, tmp_path / "friday.game", rules="hebei")
    game.agree(FOLLOWING).result(10)
    companion.wait(lambda: TableTouches(companion).state.followed is not None, "the table")
    companion.controller.do("game", lambda state: state.enter())
    companion.settle()
    report(companion, TABLE, HandStarted(dealer=0, dice=(3, 4)), Dealt())
    report(companion, CAMERA, Discarded(seat=0, tile="9p"))
    touch(companion, Discarded(seat=1, tile="1z"))
    report(companion, TABLE, Called(seat=3, call=Call.PUNG))
    touch(companion, Claimed(seat=3, meld="p111z"))
    book(companion, "penalty", 0, 1)
    report(companion, CAMERA, Discarded(seat=3, tile="9s"), Drawn(seat=0))
    touch(companion, ConcealedKong(seat=0))
    touch(companion, Discarded(seat=0, tile="2p"))
    book(companion, "voided", 3)
    report(companion, CAMERA, Drawn(seat=1), Discarded(seat=1, tile="9m"))
    book(companion, "false_win", 0)
    book(companion, "passed", 2)
    report(companion, CAMERA, Drawn(seat=2), Discarded(seat=2, tile="3z"), Drawn(seat=3))
    touch(companion, Discarded(seat=3, tile="2z"))
    touch(companion, Discarded(seat=0, tile="2z"))
    report(companion, CAMERA, Drawn(seat=1), Discarded(seat=1, tile="8s"))
    before = standing(companion)
    companion.controller.announce(WinEntryWanted(2))
    companion.settle()
    entry = companion.pages.win_entry
    companion.touch(entry.win.chances.button(2, WonBy.DISCARD))
    assert companion.state.open_questions == (), "the game knows whose tile it is, and which"
    companion.press("Add tiles by hand")
    assert [tile.code for tile in companion.state.hand.tiles] == ["8s"], "the discard that won is there"
    for code in HAND:
        companion.touch(entry.sheet.keys[code])
    companion.press("Done")
    companion.show_everyone()
    companion.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, before)
    progress = companion.state.played.progress
    assert progress is not None
    happened = {type(event) for event in progress.events}
    assert {Called, PointsMoved, HandVoided, FalseWin, WinPassed, ConcealedKong, Won} <= happened
    (hand,) = make_sheet(progress.events).hands
    assert [(win.winner, win.giver, win.tile) for win in hand.wins] == [(2, 1, "8s")]
    assert [entry.reason.value for entry in hand.entries] == ["moved", "kong", "false_win", "win"]
    assert sum(hand.points) == 0
