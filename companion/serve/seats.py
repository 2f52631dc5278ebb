"""Which phone holds the seat of whom at a table, as a frozen value; and how often a code may be wrong. Pure.

The table shows a short code for each seat that is free. The phone that enters it gets a long token, by which
it holds the seat until the table takes it away.
"""

from __future__ import annotations

import hmac
import secrets
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from companion.sentences import Sentence
from companion.serve.answers import HttpError
from companion.serve.messages import CODES_TOO_OFTEN, HELD, NO_SEAT, SEAT_LOST, WRONG_CODE

CODE_DIGITS = 4
TOKEN_BYTES = 16
PERIOD_S = 60.0
WRONG_MAX = 5
"""Wrong codes that one address may enter in such a period."""
WRONG_OF_ALL_MAX = 20
"""Wrong codes in such a period after which nobody may enter another one."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A person's seat. name: as the person sits in the game, "" for nobody in particular. code: that claims
    it. token: of the phone that holds it, None while none does."""

    name: str
    code: str
    token: str | None = None


Seats = tuple[Seat, ...]
"""By person, as in `State.seated`; empty where no game can be entered into."""


def seat_people(names: Sequence[str], before: Seats) -> Seats:
    """The seats of these people; who has sat there before under that name keeps code and phone."""
    kept = [seat if seat.name == name else None for seat, name in zip(before, names, strict=False)]
    kept += [None] * (len(names) - len(kept))
    made: list[Seat] = []
    for name, seat in zip(names, kept, strict=True):
        others = [each.code for each in (*made, *filter(None, kept))]
        made.append(seat or Seat(name, _make_code(others)))
    return tuple(made)


def claim(seats: Seats, person: int, code: str) -> Seats:
    """With that person's seat held by a new phone. HttpError where it is held, or the code is another."""
    seat = seats[person]
    if seat.token is not None:
        raise HttpError(409, Sentence(HELD))
    if not hmac.compare_digest(code.encode(), seat.code.encode()):
        raise HttpError(403, Sentence(WRONG_CODE))
    return _put(seats, person, replace(seat, token=secrets.token_urlsafe(TOKEN_BYTES)))


def free(seats: Seats, person: int) -> Seats:
    """With that person's seat free, under a new code."""
    code = _make_code([each.code for each in seats])
    return _put(seats, person, Seat(seats[person].name, code))


def find_holder(seats: Seats, token: str | None) -> int:
    """The person whose phone has that token. HttpError where no phone has it."""
    if token is None:
        raise HttpError(403, Sentence(NO_SEAT))
    for person, seat in enumerate(seats):
        if seat.token is not None and hmac.compare_digest(token.encode(), seat.token.encode()):
            return person
    raise HttpError(403, Sentence(SEAT_LOST))


def _put(seats: Seats, person: int, seat: Seat) -> Seats:
    return (*seats[:person], seat, *seats[person + 1 :])


def _make_code(others: Sequence[str]) -> str:
    while (code := f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}") in others:
        pass
    return code


@dataclass(slots=True)
class WrongCodes:
    """The wrong codes of the last minute, as (address, when in s). too_often: the refusal, with {seconds}."""

    too_often: str = CODES_TOO_OFTEN
    _entered: deque[tuple[str, float]] = field(default_factory=lambda: deque(maxlen=WRONG_OF_ALL_MAX))

    def check(self, address: str, now_s: float) -> None:
        """HttpError where this address, or all together, have entered as many as they may."""
        recent = [(each, at_s) for each, at_s in self._entered if now_s - at_s < PERIOD_S]
        own = [at_s for each, at_s in recent if each == address]
        began_s = own[-WRONG_MAX] if len(own) >= WRONG_MAX else None
        if len(recent) >= WRONG_OF_ALL_MAX:
            began_s = max(began_s or 0.0, recent[0][1])
        if began_s is not None:
            wait_s = round(PERIOD_S - (now_s - began_s)) + 1
            raise HttpError(429, Sentence(self.too_often, {"seconds": wait_s}), retry_s=wait_s)

    def note(self, address: str, now_s: float) -> None:
        self._entered.append((address, now_s))
