"""What `companion advise` and `companion review` say beside the coach's sentences. ALL: for translators."""

from __future__ import annotations

CHOICES = "Choices, the best first"
CHOICE_HEADS = ("choice", "from ready", "useful", "worth", "wins", "deals in")
STILL_TO_COME = "Still to come, exactly:"
STILL_AT_MOST = "Still to come, at most, since tiles lie there that nobody named:"
READ_HAND = "The hand: {tiles}"
READ_HAND_AND_MELDS = "The hand: {tiles}, laid: {melds}"
READ_OPEN = "Open on the table: {tiles} ({count})"
READ_UNSURE = "Not sure in {file} ({tiles}): where that is wrong, name the tiles instead of the photo."

HAND = "Hand {number}: {ends}"
BEFORE_THE_FIRST = "A hand that does not count, before hand 1"
AFTER_HAND = "A hand that does not count, after hand {number}"
NOBODY_WINS = "nobody wins"
NOT_FINISHED = "not finished"
SELF_DRAWN = "{name} wins {value} by self-draw"
ON_A_TILE = "{name} wins {value} on the tile of {giver}"
RATED = "{name}: {count} decisions, cost {cost} points"
NOT_RATED = "{name}: tiles not recorded, danger of {count} discards"
PARTLY_RATED = "{said}; {count} discards not rated: tiles not recorded"
AT_EVENT = "event {number}, {did}"
HELD = "held {tiles}"
HELD_AND_LAID = "held {tiles}, laid {melds}"
THE_EVENING = "The evening"
COST_EACH = "{name}: {count} decisions, cost {cost} points, {mean} each"
WORST_HAND = "most in hand {number}: {cost}"
COST_MOST = "What cost most: {kinds}"
AVOIDABLE = "deal-ins: {count}, {avoidable} avoidable"
ENDED = "The review was ended before the game was: {done} of {all} hands are in it."

ALL = (
    CHOICES, *CHOICE_HEADS, STILL_TO_COME, STILL_AT_MOST, READ_HAND, READ_HAND_AND_MELDS, READ_OPEN,
    READ_UNSURE, HAND, BEFORE_THE_FIRST, AFTER_HAND, NOBODY_WINS,
    NOT_FINISHED, SELF_DRAWN, ON_A_TILE, RATED, NOT_RATED, PARTLY_RATED, AT_EVENT, HELD, HELD_AND_LAID,
    THE_EVENING, COST_EACH, WORST_HAND, COST_MOST, AVOIDABLE, ENDED,
)  # fmt: skip
