"""How much of a described hand was played: what wins of the first round and early wins go by.

A description may leave discards out. What lies on the table, the order of turns and the tiles that are left
each say how many there were at least.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.rules.play import Replacements
from companion.table.house import House
from companion.table.state import Player
from companion.table.wall import Wall
from companion.tiles import MeldKind


class PlayedSoFar(NamedTuple):
    """discards, claims: how many were made by all. draws: how many tiles the seat drew after the deal, if
    nothing was claimed."""

    discards: int
    claims: int
    draws: int


def reckon_played(
    house: House, dealer: int, players: Sequence[Player], seat: int, giver: int | None, left: int | None
) -> PlayedSoFar:
    """What was played before the decision of that seat.

    giver: who discarded the tile on offer, None on the own turn. left: tiles left to draw, where that was
    said. Where it was not, and discards are missing, the hand is taken to be a round later: a win of the
    first round is not guessed.
    """
    laid = [meld for player in players for meld in player.melds]
    claims = sum(meld.kind is not MeldKind.KONG_CONCEALED for meld in laid)
    shown = claims + sum(len(player.discards) for player in players)
    turns = list_turns(house, dealer)
    made = shown if claims else max(shown, _count_by_turns(turns, players, seat, giver))
    if left is not None:
        replaced = sum(len(player.flowers) for player in players) + sum(meld.kind.is_kong for meld in laid)
        drawn = _count_dealt(house, dealer, replaced) - left
        made = max(made, drawn + claims + (giver is not None))
    elif made > shown:
        made += len(turns)
    begun = sum(turns[number % len(turns)] == seat for number in range(made)) + (giver is None)
    return PlayedSoFar(made, claims, max(0, begun - (seat == dealer)))


def list_turns(house: House, dealer: int) -> list[int]:
    """The seats that play, in the order of their turns."""
    turns = [dealer]
    while (after := house.following[turns[-1]]) != dealer:
        turns.append(after)
    return turns


def _count_by_turns(turns: Sequence[int], players: Sequence[Player], seat: int, giver: int | None) -> int:
    """How many discards there were at least, if nothing was claimed."""
    least = [
        (len(players[each].discards) - 1) * len(turns) + place + 1
        for place, each in enumerate(turns)
        if players[each].discards
    ]
    if giver is None:
        least.append(len(players[seat].discards) * len(turns) + turns.index(seat))
    return max(least, default=0)


def _count_dealt(house: House, dealer: int, replaced: int) -> int:
    """Tiles that the deal leaves to draw; `replaced` replacements were taken since."""
    dealt = len(house.seats) * house.rules.hand_size + 1
    if house.wall.replacements is not Replacements.DEAD_WALL:
        dealt += replaced
    return Wall.break_by_dice(house.wall, dealer, None).live_left - dealt
