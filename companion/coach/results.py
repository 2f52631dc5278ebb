"""What the coach answers: the choices of a position with their values, and the rated decisions of a review.

Plain values: made by `advice` and `review`, and explained by `words`.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from companion.coach import messages as words
from companion.coach.value.judge import Useful
from companion.sentences import Sentence
from companion.table.events import (
    Event,
)
from companion.tiles import Meld, Tile

FINISHED = -1


class Level(StrEnum):
    """How much is asked for: the tiles left; the distance and useful tiles too; the value and the risk
    too."""

    LEFT = "left"
    SHAPE = "shape"
    FULL = "full"


class Advised(Struct, frozen=True):
    """One choice.

    do: the event; None: pass on the tile on offer. then: the best discard after a claim, or a call of ready.
    shanten, useful: the status of the hand after it; -1 for a win. self_drawn: the useful tiles of a ready
    hand that win only self-drawn. value: the mean payment, value_error: its standard error (0: exact),
    win_rate and deal_in: chances; all None if the level does not include them.
    """

    do: Event | None
    then: Tile | None
    shanten: int
    useful: tuple[Useful, ...]
    why: Sentence
    value: float | None = None
    value_error: float | None = None
    win_rate: float | None = None
    deal_in: float | None = None
    self_drawn: tuple[Tile, ...] = ()

    @property
    def live(self) -> int:
        """The number of unseen useful tiles."""
        return sum(kind.unseen for kind in self.useful)


class Advice(Struct, frozen=True):
    """The choices, the best first; the tiles that can still come, by code; whether more may be gone than
    is counted."""

    choices: tuple[Advised, ...]
    left: dict[str, int]
    at_least: bool


class Mistake(StrEnum):
    """The kind of a mistake; the values are shown to people."""

    MISSED_WIN = "missed win"
    TOO_SOON = "won too soon"
    REFUSED = "refused a claim"
    BAD_CLAIM = "bad claim"
    KONG = "kong"
    DEALT_IN = "dealt in, avoidable"
    RISKY = "took a risk"
    MISSED_READY = "missed ready"
    BROKE_PAIR = "broke a pair"
    FARTHER = "away from ready"
    CHEAPER = "gave up value"
    FEWER = "fewer useful tiles"
    WORTH_LESS = "worth less"
    CALL = "call of ready"


class Grade(StrEnum):
    """The grade of a decision, the best first."""

    BEST = words.BEST
    FINE = words.FINE
    INEXACT = words.INEXACT
    POOR = words.POOR
    BLUNDER = words.BLUNDER


class RatedDecision(Struct, frozen=True):
    """What a player did at event `number`, and what it cost.

    A call of ready is a decision, and the discard after it another where more than one leaves the hand ready.

    person: the player in `seat`, as numbered at the start of the game. tile: the tile of the decision: the
    discard, that after a call, the tile on offer, the kong's; None if nobody saw it. did: the event, None
    for passing on the tile on offer. chosen, best: the coach's valuation; both None if the player's tiles
    are not known, and then cost is that of the danger alone, relative to a safe tile. cost: in what the game
    is paid in, at least 0, and 0 for the best grade: then best is chosen. share: relative to the cost of
    dealing in. deal_in: the chance to deal in. dealt_in: whether the tile was won on. held, melds: the
    player's concealed tiles and melds before it; held is empty where the tiles are not known.
    """

    number: int
    seat: int
    person: int
    tile: Tile | None
    did: Event | None
    chosen: Advised | None
    best: Advised | None
    cost: float
    share: float
    grade: Grade
    deal_in: float
    dealt_in: bool
    mistake: Mistake | None
    why: Sentence | None
    held: tuple[Tile, ...]
    melds: tuple[Meld, ...]

    @property
    def is_rated(self) -> bool:
        """Whether the player's tiles are known."""
        return self.chosen is not None
