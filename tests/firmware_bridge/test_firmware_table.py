"""The automatic table in C on a link: walls built, broken and drawn from; jams; a bad line."""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path
from typing import Any

from firmware_bridge.commands import CommandOutcome, Result, SetTileCount, ShowScore, StartShuffle
from firmware_bridge.emulator.models import drawing_order, find_break_stack, make_sides
from firmware_bridge.events import ButtonEvent, Table, TableError, TableState, Tile
from firmware_bridge.link import Link, LinkState
from tests.firmware_bridge.boards import Board, bad_line, messages, running, until


def state(link: Link) -> int | None:
    table = link.status().known.table
    return table.state if table else None


def test_the_table_in_c(built: Path) -> None:
    with running(built / "automatic_table") as board, Link(board.path) as link:
        until(lambda: link.status().known.complete, link)
        link.send(SetTileCount(108))
        link.send(StartShuffle())
        until(lambda: state(link) == TableState.READY, link)
        wall = link.status().known.wall
        assert wall is not None
        assert [side.stacks for side in wall.sides] == [14, 13, 14, 13]
        assert wall.remaining == 108
        board.do("draw", "draw", "draw", "return 0 0 1", "press 2 1")
        got: list[Any] = []
        until(
            lambda: got.extend(messages(link)) or sum(isinstance(each, ButtonEvent) for each in got) == 2,  # type: ignore[func-returns-value]
            link,
        )
        until(
            lambda: link.status().known.wall is not None and link.status().known.wall.remaining == 106,
            link,
        )
        pressed, released = (each for each in got if isinstance(each, ButtonEvent))
        assert (pressed.seat, pressed.button, pressed.action, released.action) == (2, 1, 0, 2)
        refused, score = link.send(StartShuffle()), link.send(ShowScore((300, -100, -200, 0)))
        answers: list[Any] = []
        until(lambda: answers.extend(messages(link)) or len(answers) == 2, link)  # type: ignore[func-returns-value]
        assert {each.command_seq: each.outcome for each in answers} == {
            refused: CommandOutcome.REFUSED,
            score: CommandOutcome.DONE,
        }
        board.do("fail 1")
        until(lambda: state(link) == TableState.ERROR, link)
        known = link.status().known
        assert known.table is not None
        assert known.table.error == TableError.JAM
        link.close()
        with Link(board.path) as again:  # another program: the snapshot tells it the same
            until(lambda: again.status().known.complete, again)
            assert again.status().known == known


def test_the_table_in_c_builds_what_was_set_at_the_shuffle(built: Path) -> None:
    """Hefei's 84 tiles are twelve stacks before the dealer; a count set while it builds is for the next."""
    with running(built / "automatic_table") as board, Link(board.path) as link:
        until(lambda: link.status().known.complete, link)
        link.send(SetTileCount(84))
        link.send(StartShuffle(2))
        link.send(SetTileCount(144))
        until(lambda: state(link) == TableState.READY, link)
        wall = link.status().known.wall
        assert wall is not None
        assert [side.stacks for side in wall.sides] == [10, 10, 12, 10]
        assert wall.remaining == 84
        link.send(StartShuffle())
        until(lambda: state(link) == TableState.BUILDING, link)
        until(lambda: state(link) == TableState.READY, link)
        wall = link.status().known.wall
        assert wall is not None
        assert wall.remaining == 144


def drawn_after(board: Board, link: Link, typed: str) -> list[tuple[int, int, int]]:
    """Places of the first three tiles of a hand that the side 2 deals, once this was typed."""
    link.send(StartShuffle(2))
    until(lambda: state(link) == TableState.SHUFFLING, link)
    until(lambda: state(link) == TableState.READY, link)
    link.take()
    board.do(typed)
    got: list[Any] = []
    for count in (1, 2, 3):
        board.do("draw")
        until(
            lambda count=count: (
                got.extend(messages(link)) or sum(isinstance(each, Tile) for each in got) == count
            ),  # type: ignore[misc]
            link,
        )
    board.do("end")
    until(lambda: state(link) == TableState.IDLE, link)
    return [(each.side, each.stack, each.layer) for each in got if isinstance(each, Tile)]


def test_the_table_in_c_is_drawn_from_where_it_is_broken(built: Path) -> None:
    """By its dice, or by a person who says where; its last roll is in the next snapshot."""
    sides = make_sides(84, 2)
    with running(built / "automatic_table") as board, Link(board.path) as link:
        until(lambda: link.status().known.complete, link)
        link.send(SetTileCount(84))
        drawn = drawn_after(board, link, "roll")
        until(lambda: link.status().known.roll is not None, link)
        roll = link.status().known.roll
        assert roll is not None
        assert drawn == [*islice(drawing_order(sides, *find_break_stack(sides, 2, roll.total)), 3)]
        assert drawn_after(board, link, "break 1 9") == [(1, 9, 1), (1, 9, 0), (0, 0, 1)]
        link.close()
        with Link(board.path) as again:
            until(lambda: again.status().known.complete, again)
            assert again.status().known.roll == roll


def test_the_table_in_c_fails_and_is_mended(built: Path) -> None:
    """Each change is told once; mended it goes on where it was; above an open lid no motor starts."""
    with running(built / "automatic_table") as board, Link(board.path) as link:
        until(lambda: link.status().known.complete, link)
        link.take()
        link.send(StartShuffle())
        until(lambda: state(link) == TableState.SHUFFLING, link)
        board.do("fail 1")
        until(lambda: state(link) == TableState.ERROR, link)
        board.do("mend")
        until(lambda: state(link) == TableState.READY, link)
        board.do("draw")
        until(lambda: state(link) == TableState.PLAYING, link)
        board.do("fail 4")
        until(lambda: state(link) == TableState.ERROR, link)
        link.send(StartShuffle())
        got: list[Any] = []
        until(lambda: got.extend(messages(link)) or sum(isinstance(each, Result) for each in got) == 2, link)  # type: ignore[func-returns-value]
        board.do("mend")
        until(lambda: state(link) == TableState.PLAYING, link)
        got += messages(link)
        results = [each.outcome for each in got if isinstance(each, Result)]
        assert results == [CommandOutcome.STARTED, CommandOutcome.REFUSED]
        received = [(each.state, each.error) for each in got if isinstance(each, Table)]
        assert len(received) <= 9
        assert [each for each in received if each[1]] == [(5, TableError.JAM), (5, TableError.LID_OPEN)]


def test_the_table_in_c_on_a_bad_line(built: Path) -> None:
    """One byte in a hundred damaged, both ways: the wall is the same in the end."""
    with running(built / "automatic_table") as board, bad_line(board.path) as path, Link(path) as link:
        until(lambda: link.status().known.complete, link, 20)
        link.send(StartShuffle())
        until(lambda: state(link) == TableState.READY, link, 20)
        for _ in range(60):
            board.do("draw")
            time.sleep(0.002)
        until(
            lambda: link.status().known.wall is not None and link.status().known.wall.remaining == 76,
            link,
            20,
        )
        status = link.status()
        assert status.state is LinkState.OPEN
        assert status.damaged > 0
