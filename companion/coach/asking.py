"""How the coach is asked: better and better advice, for a described position or for a seat of a game in play.

Each answer is whole. Whoever asks takes as many as there is time for, and drops the iterator to stop; `stop`
is asked within an answer too, so that a long one ends early.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.coach import messages
from companion.coach.advice import Advice, Coach, Level
from companion.coach.described import describe_position
from companion.coach.judge import Judge
from companion.coach.seen import look
from companion.errors import RequestError, quote
from companion.table.house import House
from companion.table.state import State


def advise_in_steps(request: Mapping[str, Any], stop: Callable[[], bool] = lambda: False) -> Iterator[Advice]:
    """Answers to a request that describes a position, the first at once, each better than the one before.

    Raises RequestError, when the first is taken, where the request is wrong; InputError where the seat has
    nothing to decide.
    """
    level = read_level(request)
    seen = describe_position(request)
    yield from make_coach(seen.state.house).advise(seen, level, stop)


def advise_seat_in_steps(
    state: State,
    seat: int,
    level: Level = Level.FULL,
    stop: Callable[[], bool] = lambda: False,
    coach: Coach | None = None,
) -> Iterator[Advice]:
    """Answers for that seat of a game in play, from what it can see. `coach`: one of `make_coach`, to be kept
    for a whole game.

    Raises ValueError where no hand was begun, InputError where the seat has nothing to decide.
    """
    yield from (coach or make_coach(state.house)).advise(look(state, seat), level, stop)


def make_coach(house: House) -> Coach:
    """The coach of one table."""
    return Coach(Judge(house.rules, house.scoring))


def read_level(request: Mapping[str, Any]) -> Level:
    """How much the request asks for; RequestError where it is no level."""
    level = request.get("level", Level.FULL.value)
    if level not in list(Level):
        raise RequestError(messages.WRONG_TYPE, field="level", allowed=" or ".join(Level), value=quote(level))
    return Level(level)
