"""A lesson for each game: the first ten minutes of a person who has never played it. Data; no Kivy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.sentences import msgid


class Shows(StrEnum):
    """What the drawn tiles of a step are; the rules confirm it in the tests."""

    TILES = "tiles"
    """Tiles of the game."""
    SETS = "sets"
    """Each group is a chow, pung or kong; the last may be a pair."""
    CLAIM = "claim"
    """Two tiles of the hand, and a discard that makes them a set which may be claimed."""
    READY = "ready"
    """A hand that is ready, and the tiles that complete it."""
    WIN = "win"
    """A hand that wins."""
    NO_WIN = "no win"
    """A complete hand that may not win."""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """text: what is said, with {value} for what the hand is worth. groups: the drawn tiles. request: how the
    hand is won, as in a request to score, its seats and game left out."""

    text: str
    groups: tuple[str, ...] = ()
    shows: Shows = Shows.TILES
    request: Mapping[str, object] = field(default_factory=dict)
    value: int | None = None


@dataclass(frozen=True, slots=True)
class LessonPlace:
    """A step of the lesson of a game, from 0."""

    rules: str
    at: int = 0


SUITS = LessonStep(
    msgid("Three suits run from 1 to 9: characters, dots and bamboo. There are four of each tile."),
    ("159m", "159p", "159s"),
)
SUITS_TO_EIGHT = LessonStep(
    msgid(
        "Three suits run from 2 to 8: characters, dots and bamboo. There are four of each tile; ones, nines,"
        " winds and dragons are left out."
    ),
    ("258m", "258p", "258s"),
)
HONOURS = LessonStep(
    msgid("Winds and dragons have no numbers: East, South, West, North; White, Green, Red."),
    ("1234z", "567z"),
)
CHOW = LessonStep(
    msgid("A chow is three numbers in a row of one suit. Winds and dragons make no chows."),
    ("234m", "678s"),
    Shows.SETS,
)
CHOW_OF_SUITS = LessonStep(
    msgid("A chow is three numbers in a row of one suit."), ("234m", "678s"), Shows.SETS
)
PUNG = LessonStep(
    msgid("A pung is three equal tiles. A kong is all four; after a kong you draw another tile."),
    ("555p", "2222s"),
    Shows.SETS,
)
FOUR_SETS = LessonStep(
    msgid("You hold 13 tiles. With the 14th, four sets and a pair are a complete hand."),
    ("234m", "678s", "555p", "777m", "88s"),
    Shows.SETS,
)
FIVE_SETS = LessonStep(
    msgid("You hold 16 tiles. With the 17th, five sets and a pair are a complete hand."),
    ("234m", "678s", "555p", "777m", "123p", "88s"),
    Shows.SETS,
)
TURN = LessonStep(
    msgid(
        "On your turn you draw a tile and discard one. Keep pairs and neighbours; discard a tile that fits"
        " nothing, like the last one here."
    ),
    ("345m", "56p", "88s", "2s"),
)
CLAIM_PUNG = LessonStep(
    msgid(
        "You have a pair, and any player discards the third: you may claim a pung. The set is then open on"
        " the table, and you discard a tile."
    ),
    ("66p", "6p"),
    Shows.CLAIM,
)
CLAIM_CHOW = LessonStep(
    msgid("You may claim a chow only from the player on your left, who plays before you."),
    ("34s", "5s"),
    Shows.CLAIM,
)
READY = LessonStep(
    msgid(
        "One tile short of a complete hand, you are ready. Here either of the last two tiles completes it."
    ),
    ("234m", "678m", "222s", "88s", "67p", "58p"),
    Shows.READY,
)
READY_OF_FIVE = LessonStep(READY.text, ("234m", "678m", "222s", "123p", "88s", "67p", "58p"), Shows.READY)
COACH = LessonStep(
    msgid(
        "Now play a hand. Touch Coach whenever you want to know which tile to discard. After the hand you see"
        " what your decisions cost."
    )
)
ON_DISCARD: Mapping[str, object] = {"source": "discard", "from": 2}
SELF_DRAWN: Mapping[str, object] = {"source": "self_draw"}

LESSONS: Mapping[str, tuple[LessonStep, ...]] = {
    "hefei": (
        SUITS_TO_EIGHT,
        CHOW_OF_SUITS,
        PUNG,
        FOUR_SETS,
        TURN,
        CLAIM_PUNG,
        LessonStep(
            msgid("In Hefei you cannot claim chows: you have to draw their tiles yourself."),
            ("34s", "5s"),
        ),
        LessonStep(
            msgid(
                "To win you need at least eight tiles of one suit. Every win is worth at least {value} zui."
            ),
            ("234567m", "88m", "345p", "678s"),
            Shows.WIN,
            {"hand": "234567m88m345p678s", "winning_tile": "8s", **ON_DISCARD},
            15,
        ),
        LessonStep(
            msgid("This hand is complete, but it may not win: it has only six tiles of one suit."),
            ("234m", "55m", "345p", "678p", "234s"),
            Shows.NO_WIN,
            {"hand": "234m55m345p678p234s", "winning_tile": "8p", **ON_DISCARD},
        ),
        LessonStep(
            msgid(
                "The last four tiles are the Sea Floor: each player draws one and discards nothing. A win"
                " there is worth 15 zui more: {value} for this hand."
            ),
            ("234567m", "88m", "345p", "678s"),
            Shows.WIN,
            {"hand": "234567m88m345p678s", "winning_tile": "8s", "situation": ["sea_floor"], **SELF_DRAWN},
            30,
        ),
        COACH,
    ),
    "hebei": (
        SUITS,
        HONOURS,
        CHOW,
        PUNG,
        FOUR_SETS,
        TURN,
        CLAIM_PUNG,
        CLAIM_CHOW,
        LessonStep(
            msgid(
                "A plain hand, without a bonus, wins only with a tile that you draw yourself. It is worth"
                " {value}."
            ),
            ("456p", "567s", "99m", "345s", "123m"),
            Shows.WIN,
            {"hand": "456p567s99m345s", "melds": ["c123m"], "winning_tile": "5s", **SELF_DRAWN},
            1,
        ),
        LessonStep(
            msgid("Bonuses multiply. All tiles of one suit: the hand is worth {value}, on a discard too."),
            ("234m", "567m", "99m", "234m", "111m"),
            Shows.WIN,
            {"hand": "234m567m99m234m", "melds": ["p111m"], "winning_tile": "4m", **ON_DISCARD},
            3,
        ),
        LessonStep(
            msgid(
                "A kong is paid in cash at once, whoever wins: 2 from each player for a concealed kong, 1"
                " from each for one added to a pung, 2 from the discarder for one claimed."
            ),
            ("7777s",),
            Shows.SETS,
        ),
        COACH,
    ),
    "taiwanese": (
        SUITS,
        HONOURS,
        CHOW,
        PUNG,
        FIVE_SETS,
        LessonStep(
            msgid(
                "Flowers belong to no set. You set each one out at once and draw another tile; each is worth"
                " 1 tai."
            ),
            ("1234f", "5678f"),
        ),
        TURN,
        CLAIM_PUNG,
        CLAIM_CHOW,
        READY_OF_FIVE,
        LessonStep(
            msgid(
                "Any complete hand wins. Each payer pays the base and the tai: this one has {value} tai, one"
                " for the flower, one for the pung of East."
            ),
            ("123m", "567m", "345s", "678s", "55p", "111z", "1f"),
            Shows.WIN,
            {
                "hand": "123m567m345s678s55p",
                "melds": ["p111z"],
                "flowers": "1f",
                "winning_tile": "8s",
                **ON_DISCARD,
            },
            2,
        ),
        COACH,
    ),
    "hong_kong": (
        SUITS,
        HONOURS,
        CHOW,
        PUNG,
        FOUR_SETS,
        TURN,
        CLAIM_PUNG,
        CLAIM_CHOW,
        READY,
        LessonStep(
            msgid(
                "A win takes a least number of fan: 1 by the written rules, 3 at many tables. This complete"
                " hand has none and may not win."
            ),
            ("456m", "22z", "567p", "999m", "123s", "3f"),
            Shows.NO_WIN,
            {
                "hand": "456m22z567p",
                "melds": ["p999m", "c123s"],
                "flowers": "3f",
                "winning_tile": "7p",
                **ON_DISCARD,
            },
        ),
        LessonStep(
            msgid("One suit and honours: {value} fan. It is the easiest way to three fan."),
            ("456m", "22z", "567m", "999m", "123m", "3f"),
            Shows.WIN,
            {
                "hand": "456m22z567m",
                "melds": ["p999m", "c123m"],
                "flowers": "3f",
                "winning_tile": "7m",
                **ON_DISCARD,
            },
            3,
        ),
        COACH,
    ),
    "hangzhou": (
        SUITS,
        HONOURS,
        CHOW,
        PUNG,
        FOUR_SETS,
        TURN,
        CLAIM_PUNG,
        CLAIM_CHOW,
        LessonStep(
            msgid(
                "A tile is turned over after the deal: its three mates are Fortune tiles and stand for any"
                " tile. Here 9 of bamboo is the Fortune: next to 6 and 7 it stands for the 8."
            ),
            ("123456m", "123p", "55s", "679s"),
            Shows.WIN,
            {"hand": "123456m123p55s67s9s", "winning_tile": "3p", "fortune": "9s", **SELF_DRAWN},
            1,
        ),
        LessonStep(
            msgid("You win with a tile that you draw yourself. This plain hand is worth {value}."),
            ("123456m", "123p", "55s", "678s"),
            Shows.WIN,
            {"hand": "123456m123p55s678s", "winning_tile": "8s", "fortune": "9s", **SELF_DRAWN},
            1,
        ),
        LessonStep(
            msgid(
                "On another player's tile the same hand may not win, unless the dealer has won three times in"
                " a row."
            ),
            ("123456m", "123p", "55s", "678s"),
            Shows.NO_WIN,
            {"hand": "123456m123p55s678s", "winning_tile": "8s", "fortune": "9s", **ON_DISCARD},
        ),
        COACH,
    ),
}
"""By the name of a rule set."""
