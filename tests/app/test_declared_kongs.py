"""Kongs in a game of which only wins are recorded: entered by touch, paid at once, whoever wins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from app_driver import SIZES_IN_LANGUAGES, WAIT_S, Driver
from test_game_win import begin, choose_tile, standing, wait_for_booking

from companion.app.news import HandEndWanted, SheetWanted, WinEntryWanted
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.rules import Source as WinSource
from companion.table.events import ConcealedKong, Dealt, Discarded, Drawn, HandStarted
from companion.tiles import MeldKind
from companion.words import Language, Words

pytestmark = pytest.mark.slow

PURSE = 100
CODES = ("2m", "3m", "4m", "5m", "6m", "7m", "8m", "8m", "3p", "4p", "5p", "6s", "7s", "8s")


def points_of(driver: Driver) -> tuple[int, ...]:
    progress = driver.state.played.progress
    assert progress is not None
    return tuple(points - PURSE for points in progress.state.points)


def confirm(driver: Driver, page: Any) -> None:
    before = standing(driver)
    driver.touch(page.confirm)
    driver.wait(
        lambda: standing(driver) > before and not driver.controller.view.states["hand_end"].submitting
    )
    driver.settle()


def test_kongs_of_others_are_paid_beside_the_win_that_is_being_entered(
    companion: Driver, tmp_path: Path
) -> None:
    begin(companion, tmp_path / "friday.game", rules="hebei")
    companion.controller.announce(WinEntryWanted(2))
    companion.settle()
    entry, page = companion.pages.win_entry, companion.pages.hand_end
    companion.touch(entry.win.kong)
    assert companion.page == "hand_end"
    companion.touch(page.seat.button("0"))
    confirm(companion, page)
    assert points_of(companion) == (6, -2, -2, -2)
    assert companion.page == "win_entry", "the win is gone on with"
    assert companion.state.draft.winner == 2
    companion.touch(entry.win.kong)
    companion.touch(page.seat.button("1"))
    companion.touch(page.kong.button(MeldKind.KONG_DISCARD.value))
    assert page.confirm.disabled, "whose tile it was is asked, and which"
    companion.touch(page.other.button("3"))
    companion.touch(page.keys.keys["1z"])
    companion.shot("kong-claimed")
    confirm(companion, page)
    assert points_of(companion) == (6, 0, -2, -4)
    companion.press("Add tiles by hand")
    for code in CODES:
        companion.touch(entry.sheet.keys[code])
    companion.press("Done")
    companion.touch(entry.win.discarder.button("self"))
    companion.touch(choose_tile(companion, "8s"))
    before = standing(companion)
    companion.show_everyone()
    companion.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, before)
    hand = companion.state.played.progress.state.hand
    assert [result.winner for result in hand.results] == [2]
    assert sum(points_of(companion)) == 0
    assert [entry.reason.value for entry in companion.state.played.progress.state.ledger] == [
        "kong",
        "kong",
        "win",
    ]
    from companion.app.widgets.last_hand import describe_paid_kongs

    said = describe_paid_kongs(companion.state.played.progress.state, Words(Language.ENGLISH))
    assert said == "Also paid: kong of Ann +6, kong of Bao +2"


@pytest.mark.sampled
@pytest.mark.parametrize(("size", "language"), SIZES_IN_LANGUAGES)
def test_the_page_of_a_kong_fits(
    companion: Driver, tmp_path: Path, size: tuple[int, int], language: Language
) -> None:
    companion.resize(size)
    companion.controller.do("settings", lambda state: state.speak(language))
    begin(companion, tmp_path / "friday.game", rules="hebei")
    companion.controller.announce(HandEndWanted())
    companion.settle()
    page = companion.pages.hand_end
    companion.touch(page.offers["kong"])
    companion.touch(page.kong.button(MeldKind.KONG_ADDED.value))
    companion.touch(page.seat.button("1"))
    companion.touch(page.keys.keys["5p"])
    tag = f"{size[0]}x{size[1]}-{language.value}"
    companion.shot(f"kong-{tag}")
    assert not page.confirm.disabled
    confirm(companion, page)
    assert points_of(companion) == (-1, 3, -1, -1)
    companion.touch(companion.root.banner.answer)
    companion.wait(lambda: points_of(companion) == (0, 0, 0, 0), "the kong taken back")


def test_a_kong_is_not_asked_for_where_nobody_pays_for_it(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", rules="hong_kong")
    companion.controller.announce(HandEndWanted())
    companion.settle()
    assert "kong" not in companion.pages.hand_end.offers


def test_a_concealed_kong_that_nobody_saw_is_asked_for_with_its_tiles(
    companion: Driver, tmp_path: Path
) -> None:
    game = begin(companion, tmp_path / "friday.game", rules="hebei")
    moves = (
        HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="9p"), Drawn(seat=1), ConcealedKong(seat=1),
        Drawn(seat=1), Discarded(seat=1, tile="1p"), Drawn(seat=2), Discarded(seat=2, tile="2p"),
        Drawn(seat=3), Discarded(seat=3, tile="3p"), Drawn(seat=0), Discarded(seat=0, tile="9p"),
    )  # fmt: skip
    for move in moves:
        game.propose(Proposal(move, game.now_ns, Reporter(SourceKind.TOUCH))).result(WAIT_S)
    companion.controller.announce(WinEntryWanted(1))
    companion.settle()
    entry = companion.pages.win_entry
    companion.touch(entry.win.chances.button(1, WinSource.SELF_DRAW))
    companion.press("Add tiles by hand")
    with_kong = "Enter the four tiles of the concealed kong too."
    hand = ("1m", "2m", "3m", "4m", "5m", "6m", "7s", "8s", "9s", "5p", "5p", "2s", "2s", "2s", "2s")
    for count, code in enumerate(hand, 1):
        companion.touch(entry.sheet.keys[code])
        if count in (6, 11, 14):
            problem = companion.state.outcome.problem
            assert str(problem) == f"{count} of 15 tiles entered. {with_kong}"
    companion.press("Done")
    companion.touch(choose_tile(companion, "5p"))
    companion.shot("kong-unseen")
    before = standing(companion)
    companion.show_everyone()
    companion.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, before)
    hand_state = companion.state.played.progress.state.hand
    assert [result.winner for result in hand_state.results] == [1]
    assert str(hand_state.players[1].melds[0].meld) == "K2222s"
    companion.wait(lambda: companion.says("Also paid: kong of Bao +6"), "why it got more than the win")
    companion.shot("kong-named")
    companion.controller.announce(SheetWanted(at_last_hand=True))
    companion.settle()
    companion.wait(lambda: companion.says("Also paid: kong of Bao +6"), "the same on the sheet")
