"""Undo and Redo of what people touch in a game that a camera follows: what it sees afterwards comes all the
same."""

from __future__ import annotations

import pytest
from followed import WAIT_S
from watched_game import CAMERA, FIRST, TOUCH, Table, see

from companion.game.deciding import Progress
from companion.game.touch_undo import bring_back, list_own_touches, take_back
from companion.live.follower import SEES_ITSELF_S
from companion.seeing.sights import SeenTile
from companion.table.events import Claimed, Corrected, Dealt, Discarded, Drawn, Event, HandStarted

SECOND = Discarded(seat=1, tile="1s")
THIRD = Discarded(seat=2, tile="5z")
OTHER = Discarded(seat=0, tile="6m")


def find_progress(table: Table) -> Progress:
    return table.game.transact(lambda transaction: transaction.get_progress()).result(WAIT_S)


def undo(table: Table) -> None:
    take_back(table.game, find_progress(table), TOUCH)


def redo(table: Table) -> None:
    bring_back(table.game, find_progress(table), TOUCH)


def see_first(table: Table) -> list[SeenTile]:
    """The first discard; the tiles that lie there."""
    tiles = [see(1, "9m", 0, 0.5)]
    table.watch(tiles, 4)
    return tiles


def see_next(table: Table, tiles: list[SeenTile], code: str, seat: int, seconds: float = 4) -> None:
    """Another tile before that player, added to those that lie there."""
    tiles.append(see(len(tiles) + 1, code, seat, table.t))
    table.watch(tiles, seconds)


def move(*discards: Discarded) -> list[Event]:
    """What is played after the first discard."""
    return [event for each in discards for event in (Drawn(seat=each.seat), each)]


def test_undo_without_touches_does_nothing(table: Table) -> None:
    tiles = see_first(table)
    assert not list_own_touches(find_progress(table)).done
    undo(table)
    see_next(table, tiles, "1s", 1)
    assert table.played[2:] == [FIRST, *move(SECOND)]


def test_an_own_correction_is_taken_back_and_not_what_the_camera_saw_since(table: Table) -> None:
    tiles = see_first(table)
    table.report(TOUCH, Corrected(number=4, right=OTHER))
    see_next(table, tiles, "1s", 1)
    undo(table)
    assert table.played[2:] == [FIRST, *move(SECOND)]
    table.watch(tiles, 1)
    see_next(table, tiles, "5z", 2)
    assert table.played[2:] == [FIRST, *move(SECOND, THIRD)]
    redo(table)
    assert table.played[2:] == [OTHER, *move(SECOND, THIRD)]
    assert not list_own_touches(find_progress(table)).undone
    undo(table)
    assert table.played[2:] == [FIRST, *move(SECOND, THIRD)]
    assert not list_own_touches(find_progress(table)).done


def test_each_undo_takes_back_one_touch_and_each_redo_brings_one_back(table: Table) -> None:
    table.watch([see(1, "9m", 0, 0.5)], 4)
    third = Discarded(seat=0, tile="3p")
    for right in (OTHER, third):
        table.report(TOUCH, Corrected(number=4, right=right))
    seen = []
    for step in (undo, undo, redo, redo, undo):
        step(table)
        seen.append(table.played[-1])
    assert seen == [OTHER, FIRST, OTHER, third, OTHER]


def test_a_discard_that_was_touched_too_soon_is_taken_back_and_seen(table: Table) -> None:
    tiles = see_first(table)
    table.t += 1
    table.report(TOUCH, *move(SECOND))
    table.watch(tiles, 1)
    (touch,) = list_own_touches(find_progress(table)).done
    assert touch.events == (Drawn(seat=1), SECOND)
    undo(table)
    assert table.played[2:] == [FIRST]
    table.watch(tiles, 2)
    see_next(table, tiles, "1s", 1)
    see_next(table, tiles, "5z", 2)
    assert table.played[2:] == [FIRST, *move(SECOND, THIRD)]


@pytest.mark.parametrize("seconds", [1, SEES_ITSELF_S + 2])
def test_another_discard_than_was_touched_is_seen_once_that_is_taken_back(
    table: Table, seconds: float
) -> None:
    tiles = see_first(table)
    table.t += 1
    table.report(TOUCH, *move(Discarded(seat=1, tile="3p")))
    table.watch(tiles, seconds)
    undo(table)
    table.watch(tiles, 2)
    see_next(table, tiles, "1s", 1)
    see_next(table, tiles, "5z", 2)
    assert table.played[2:] == [FIRST, *move(SECOND, THIRD)]


def test_denied_event_can_be_restored(table: Table) -> None:
    tiles = see_first(table)
    table.report(TOUCH, Corrected(number=4, right=None))
    assert table.played == [HandStarted(dealer=0), Dealt()]
    table.watch(tiles, 1)
    undo(table)
    table.watch(tiles, 2)
    see_next(table, tiles, "1s", 1)
    assert table.played[2:] == [FIRST, *move(SECOND)]


def test_a_touched_claim_is_taken_back_and_the_turn_that_followed_the_discard_is_seen(table: Table) -> None:
    tiles = see_first(table)
    table.report(TOUCH, Claimed(seat=2, meld="p999m"))
    table.watch(tiles, 1)
    undo(table)
    see_next(table, tiles, "1s", 1, 5)
    assert table.played[2:] == [FIRST, *move(SECOND)]


def test_an_unseen_draw_that_somebody_undid_stands_in_no_ones_way(table: Table) -> None:
    tiles = see_first(table)
    table.report(CAMERA, Drawn(seat=1))
    table.game.undo(1).result(WAIT_S)
    table.watch(tiles, 1)
    see_next(table, tiles, "1s", 1)
    assert table.played[2:] == [FIRST, *move(SECOND)]


def test_the_beginning_of_a_hand_is_taken_back_only_before_anything_followed(table: Table) -> None:
    table.report(TOUCH, HandStarted(dealer=0), Dealt())
    assert list_own_touches(find_progress(table)).done
    table.watch([see(1, "9m", 0, 0.5)], 4)
    assert table.played[2:] == [FIRST]
    assert not list_own_touches(find_progress(table)).done
