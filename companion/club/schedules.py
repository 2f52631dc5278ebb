"""Schedules in which nobody meets twice, for as many rounds as are known for that number of tables. Pure.

Each follows from its first round, as in cyclic designs (Colbourn and Dinitz, Handbook of Combinatorial
Designs, 2007): with r rounds, players 0 to r-1, r to 2r-1 and 2r to 3r-1 are three rings that turn by one
place each round; the others stay. The first rounds were found by simulated annealing; a test checks that no
pair meets twice.
"""

from __future__ import annotations

from functools import cache

_FIRST_ROUNDS = {
    4: (5, "12 11 1 3  5 9 13 10  14 15 7 2  8 0 6 4"),
    5: (5, "4 9 17 10  3 11 16 6  5 13 1 19  7 15 0 14  18 12 8 2"),
    6: (7, "2 7 3 5  21 18 11 1  14 0 8 23  12 20 10 9  16 17 4 19  15 6 13 22"),
    7: (9, "9 25 1 2  23 7 12 17  21 24 11 20  10 18 6 27  3 0 5 22  16 15 13 4  26 8 14 19"),
}
"""By number of tables: how many rounds, and the tables of the first one."""


Numbers = tuple[tuple[int, ...], ...]
"""The tables of a round, with numbers of players."""


@cache
def find_schedule(n_tables: int) -> tuple[Numbers, ...]:
    """The rounds for that number of tables, each as tables of four players, who are numbered from 0; no pair
    is at a table twice. Empty where no schedule is known."""
    if n_tables not in _FIRST_ROUNDS:
        return ()
    n_rounds, text = _FIRST_ROUNDS[n_tables]
    first = [int(each) for each in text.split()]

    def turn(player: int, by: int) -> int:
        ring, place = divmod(player, n_rounds)
        return player if ring >= 3 else ring * n_rounds + (place + by) % n_rounds

    return tuple(
        tuple(
            tuple(turn(player, number) for player in first[4 * table : 4 * table + 4])
            for table in range(n_tables)
        )
        for number in range(n_rounds)
    )
