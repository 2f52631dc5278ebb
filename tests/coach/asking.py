"""Advice for a request that describes a position, as `companion advise` answers it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.coach.advice import make_coach, read_level
from companion.coach.described import describe_position
from companion.coach.results import Advice


def advise_in_steps(request: Mapping[str, Any], stop: Callable[[], bool] = lambda: False) -> Iterator[Advice]:
    """Every answer, each better than the one before; RequestError where the request is wrong."""
    level = read_level(request)
    seen = describe_position(request)
    yield from make_coach(seen.state.house).advise(seen, level, stop)
