"""Rows found in bytes in which hardly anything is as SQLite wrote it."""

from __future__ import annotations

from companion.game.rescue import find_rows

PAGE = 512
ROW = bytes.fromhex("05 0a 00 00 a080800d 01 3d 04")
"""The head of a row whose third value is a text of 32 MB."""


def test_a_row_whose_pages_go_round_in_a_circle_is_passed_over() -> None:
    for shift in range(4):
        first = bytes(shift) + ROW + bytes(-len(ROW) % 4) + (2).to_bytes(4, "big") * PAGE
        assert list(find_rows(first[:PAGE] + (2).to_bytes(4, "big") * (PAGE // 4), "-?titi", PAGE)) == []
