"""Every sentence of a review, and of hands that a person tells, as templates. ALL lists them for translators.

Of the parameters `did`, `best` and `tile` are codes of tiles, which the window says by their names.
"""

from __future__ import annotations

MISSED_WIN = "This was a win, and it paid {value} points."
TOO_SOON = "Going on was worth {cost} points more than this win in the long run."
REFUSED = (
    "Claiming the {tile} was worth {cost} points more: the hand is {nearer} then, with {count} useful tiles;"
    " without it {away}, with {fewer}."
)
REFUSED_WIDER = (
    "Claiming the {tile} was worth {cost} points more: {count} tiles help then, and without it only {fewer}."
)
REFUSED_FOR = "Claiming the {tile} was worth {cost} points more."
BAD_CLAIM = (
    "Leaving the {tile} was worth {cost} points more: the meld lies open, and the hand can be less now."
)
BETTER_CLAIM = "A {better} with the {tile} was worth {cost} points more than the {worse}."
OTHER_CLAIM = "Another claim of the {tile} was worth {cost} points more."
MISSED_KONG = "A kong of {best} was worth {cost} points more."
BAD_KONG = "Without this kong of {tile} the hand was worth {cost} points more."
MISSED_CALL = "Calling ready, and then discarding {best}, was worth {cost} points more."
BAD_CALL = (
    "Discarding {best} without calling ready was worth {cost} points more: who has called can no longer"
    " change the wait or keep a dangerous tile."
)
DEALT_IN = "{did} dealt in, and that could be seen: about {percent}% of the time; {best} only {less}%."
DEALT_IN_SMALL = "{did} dealt in, as it does about {percent}% of the time here; {best} only {less}%."
DEALT_IN_SLIGHT = (
    "{did} dealt in: about {percent}% of the time, {best} only {less}%; but in all {best} was hardly better."
)
RISKY = "{did} deals in about {percent}% of the time here, {best} only {less}%."
UNLUCKY = "{did} dealt in, but no tile was better: it does so about {percent}% of the time."
MISSED_READY = "{best} made the hand ready, with {count} tiles that win; after {did} it is {away}."
BROKE_PAIR = "{did} breaks a pair: after {best} {count} tiles help next, now only {fewer}."
FARTHER = "After {did} the hand is {away}, after {best} {nearer}."
CHEAPER = "{did} gives up {row}: with it the hand pays {pays}, without it {less}."
FEWER = "After {best} {count} tiles help next, after {did} only {fewer}."
WORTH_LESS = "{best} was worth {cost} points more than {did} in the long run. {why}"
FOR_ROW = "With {row} it pays {pays}."
SAFER = "It deals in about {less}% of the time, the other {percent}%."
OFTENER = "It wins about {percent}% of the time, the other {less}%."
FOR_MORE = "It wins no oftener (about {percent}% and {less}% of the time), but for more."
AWAY, AT_READY = "{count} from ready", "ready to win"
DANGER_ONLY = "{did} deals in about {percent}% of the time here."

OF_KIND = "{kind} {count}× ({cost} points)"

NOT_KNOWN = (
    "The tiles of {who} were not recorded: of those hands only the danger of each discard is reviewed, and"
    " what follows from a hand that was shown at the end."
)
NOTHING_TO_REVIEW = "There is no decision in this game to review."
NOTHING_IN_HAND = "There is no decision in this hand to review."
NO_MISTAKE = "Nothing here was a mistake: {winner} drew the winning tile."
NO_HAND_YET = "No hand is in play at that seat."
FLOWER_HELD = "{tile} is a flower: it is set out, not held."
NOT_OF_GAME = "{tile} is not in this game."
TOO_MANY = "This makes {found} of {tile} between this hand and the table: there are {copies}."
WRONG_COUNT = "{found} tiles were given: this player holds {wanted} concealed ones now."
LOST_HAND = "What was discarded or laid was not in the hand as entered: enter it anew."

BEST, FINE, INEXACT, POOR, BLUNDER = "best", "fine", "inexact", "mistake", "blunder"
GRADES = (BEST, FINE, INEXACT, POOR, BLUNDER)
MISTAKES = (
    "missed win", "won too soon", "refused a claim", "bad claim", "kong", "dealt in, avoidable",
    "took a risk", "missed ready", "broke a pair", "away from ready", "gave up value", "fewer useful tiles",
    "worth less", "call of ready",
)  # fmt: skip
ALL = (
    MISSED_WIN, TOO_SOON, REFUSED, REFUSED_WIDER, REFUSED_FOR, BAD_CLAIM, BETTER_CLAIM, OTHER_CLAIM,
    MISSED_KONG, BAD_KONG, MISSED_CALL, BAD_CALL, DEALT_IN, DEALT_IN_SMALL,
    DEALT_IN_SLIGHT, FOR_ROW, SAFER, OFTENER, FOR_MORE, RISKY, UNLUCKY,
    MISSED_READY, BROKE_PAIR, FARTHER, CHEAPER, FEWER, WORTH_LESS, DANGER_ONLY, NOT_KNOWN, NOTHING_TO_REVIEW,
    NOTHING_IN_HAND, NO_MISTAKE, OF_KIND,
    NO_HAND_YET, AWAY, AT_READY, FLOWER_HELD, NOT_OF_GAME, TOO_MANY, WRONG_COUNT, LOST_HAND,
    *GRADES, *MISTAKES,
)  # fmt: skip
