"""Every sentence of the coach, as templates: errors of requests, reasons for choices, reviews.

REQUESTS, WHY and REVIEW list them for the translators. The parameters `did`, `best` and `tile` are codes of
tiles, which the window replaces by their names.
"""

from __future__ import annotations

NOT_JSON = "The request is not JSON: {problem}."
NOT_AN_OBJECT = "The request must be one JSON object, not {value}."
UNKNOWN_FIELD = "{given} is not a field of a request for advice: the fields are {allowed}."
MISSING = "{field} is missing: give {allowed}."
WRONG_TYPE = "{field} must be {allowed}, not {value}."
UNREADABLE = "{field}: {problem}"
NOT_IN_GAME = "{field} holds {tile}, which is not a tile of {rules}."
NOT_DISCARDED = "{field} holds the flower {tile}: flowers are set out, give them in flowers."
NO_FLOWER = "{field} holds {tile}, which is not a flower."
TOO_MANY_COPIES = "{field} would make {found} copies of {tile} on the table: this game has {copies}."
SITS_OUT = "{field} names seat {seat}, which sits out in this game: choose from {allowed}."
TOO_MANY_MELDS = "{field} lists {found} melds for seat {seat}: a {rules} hand has at most {allowed}."
WRONG_SIZE = (
    "{field} has {found} concealed tiles: with {melds} melds it must have {turn} on your turn, or"
    " {waiting} where a tile is on offer."
)
NOT_THE_LAST = "{field}: {tile} is not the last discard of seat {seat}."
OWN_OFFER = "{field}: the tile on offer must be another player's."
TOO_MANY_LEFT = (
    "{field} must be at most {allowed}, not {value}: no more tiles can be drawn once the hands are dealt."
)
READ_AS = "{photo} was read as {tiles}: {problem}"
GIVEN_TWICE = "{field} and {photo} contain the same tiles: send only one of them."
NOTHING_READ = (
    "{field}: no tiles were found in {file}: take the picture from closer, with all tiles in it and in focus."
)
NO_HAND = "The game has no hand in play: there is nothing to advise."
NOT_DECIDING = "Seat {seat} has nothing to decide now: advice comes on its turn, or with a tile on offer."
NOT_READY = "{field} names seat {seat}, whose hand is not ready."
UNKNOWN_TILES = "The hand of seat {seat} has unknown tiles: name all of them, or ask for the level left."

REQUESTS = (
    NOT_JSON, NOT_AN_OBJECT, UNKNOWN_FIELD, MISSING, WRONG_TYPE, UNREADABLE, NOT_IN_GAME, NOT_DISCARDED,
    NO_FLOWER, TOO_MANY_COPIES, SITS_OUT, TOO_MANY_MELDS, WRONG_SIZE, NOT_THE_LAST, OWN_OFFER, TOO_MANY_LEFT,
    READ_AS, GIVEN_TWICE, NOTHING_READ, NO_HAND, NOT_DECIDING, NOT_READY, UNKNOWN_TILES,
)  # fmt: skip
"""What is wrong with a request: for translators."""

WIN_NOW = "It wins: {value} points for this hand."
NOTHING_LEFT = "No tile is left that brings this hand nearer."
READY = "Ready: {count} tiles complete the hand ({tiles})."
READY_DRAWN = "Ready: {count} tiles complete the hand ({tiles}), self-drawn only."
PARTLY_DRAWN = "{why} Self-drawn only: {tiles}."
NO_TILE_WINS = "No tile wins yet: {reason}"
NEAREST_REFUSED = "The nearest finished hand would not win: {reason}"
PUNG_DOES = "It would win with a pung of {tiles}."
ANY_PUNG_DOES = "It would win with a pung of one of these: {tiles}."
PUNGS_DO = "It would win with pungs of these: {tiles}."
TWO_PUNGS_DO = "It would win with pungs of two of these: {tiles}."
SETS_DO = ("It would win with pungs only.", "It would win with chows only.")
SUIT_DOES = ("It would win with one suit only.", "It would win with one suit and honours.")
NEARER = "{away} from ready: {count} tiles bring it nearer ({tiles})."
GOAL = "{away} from ready for {row}: {count} tiles bring it nearer ({tiles})."
PAYS = "{why} With {row} it pays {pays}."
GOAL_PAYS = "{why} It pays {pays}."
ANY_WAY = "about {value}"
BOTH_WAYS = "about {drawn} self-drawn, {taken} on a discard"
APART = "about {drawn} self-drawn; on a discard, without it, {taken}"
BY_TILES, BY_READY = "{count} tiles", "ready, {count} tiles"
BY_AWAY = "{away} from ready, {count} tiles"
SELF_DRAWN = "about {drawn}, self-drawn only"
FASTER = "{why} With {row} it pays {pays}. Discarding {tile} is faster ({tiles_then}), but pays {less}."
FASTER_CLAIM = "{why} With {row} it pays {pays}. A claim is faster, but pays {less}."
FASTER_PASS = "{why} With {row} it pays {pays}. Passing is faster, but pays {less}."
PAYS_MORE = "{why} It pays {pays}. Discarding {tile} is faster ({tiles_then}), but pays {less}."
PAYS_MORE_THAN_CLAIM = "{why} It pays {pays}. A claim is faster, but pays {less}."
PAYS_MORE_THAN_PASS = "{why} It pays {pays}. Passing is faster, but pays {less}."
ABOUT, LESS_THAN_ONE = "about {percent}%", "less than 1%"
"""A chance, as the parameter `often`."""
SAFER = "{why} Discarding {tile} is faster ({tiles_then}), but deals in {often} of the time."
REFUSED = "{tile} completes the hand, but does not win: {reason} {why}"
REFUSED_ALONE = "{tile} completes the hand, but does not win: {reason}"
NOT_ON_DISCARD = "{why} It does not win on a discard: {reason}"
ALSO = "{why} {reason}"
CALLED = (
    "{why} The call adds {count} points from each payer; but you can no longer change the wait or keep a"
    " dangerous tile."
)
SILENT_WIDENS = "{why} Do not call ready yet: {count} tiles can still improve the wait."
SILENT_PASSES = (
    "{why} Do not call ready: after a call you may not pass up a win on a discard, and drawing the tile"
    " pays much more."
)
SILENT_SAFER = (
    "{why} Do not call ready: after a call you discard every dangerous tile that you draw, which costs"
    " more than the call pays."
)
KONG_PAID = "The kong is paid {count} points at once."
SAFEST_PASS = "The hand is hardly worth continuing, and passing is safe."
SAFEST = "The hand is hardly worth continuing, and no other tile is safer."
BUT = "{why} Risk: {risk}"
RISK_READY = "It deals in {often} of the time: seat {seat} has called ready."
RISK_COLLECTS = "It deals in {often} of the time: seat {seat} melds only this suit."
RISK_MELDS = "It deals in {often} of the time: seat {seat} has {melds} melds and may be ready."
RISK_LATE = "It deals in {often} of the time: few tiles are left, and {count} more copies are unseen."
RISK_CHOW = "It deals in {often} of the time: a chow can still claim it."
RISK_UNSEEN = "It deals in {often} of the time, with {count} more of it unseen."
SAFE_PASSED = "Seat {seat} let {tile} pass since calling ready."
SAFE_DISCARDED = "Seat {seat} has discarded {tile}."
SAFE_ROUND = "Seat {seat} has just let {tile} pass."
SAFE_BLOCKED = "No chow can claim it: all copies of {tiles} are visible."
SAFE_SEEN = "Three of its four copies are seen."
SAFE_GONE = "All other copies are visible."
PASS = "Passing: {away} from ready, {count} tiles bring the hand nearer ({tiles})."
PASS_READY = "Passing: ready, {count} tiles complete the hand ({tiles})."
PASS_READY_DRAWN = "Passing: ready, {count} tiles complete the hand ({tiles}), self-drawn only."
PASS_NOTHING_LEFT = "Passing: no tile is left that brings this hand nearer."
WIN_PASSED = (
    "This passes up a win of {win} points: continuing wins {percent}% of the time, pays more on average,"
    " and is worth {value}."
)
WIN_PASSED_UNSURE = (
    "This passes up a sure win of {win} points, which may be as good: continuing wins {percent}% of the"
    " time, pays more on average, and is worth {value}."
)
WHY = (
    ABOUT, LESS_THAN_ONE,
    WIN_NOW, NOTHING_LEFT, READY, NEARER, GOAL, PAYS, GOAL_PAYS, ANY_WAY, BOTH_WAYS, SELF_DRAWN, APART,
    BY_TILES, BY_READY, BY_AWAY, FASTER, FASTER_CLAIM, FASTER_PASS, PAYS_MORE, PAYS_MORE_THAN_CLAIM,
    PAYS_MORE_THAN_PASS, SAFER, REFUSED, REFUSED_ALONE, NOT_ON_DISCARD, ALSO, CALLED, SILENT_WIDENS,
    SILENT_PASSES, SILENT_SAFER, KONG_PAID, SAFEST, SAFEST_PASS, BUT, RISK_READY, RISK_COLLECTS, RISK_MELDS,
    RISK_LATE, RISK_CHOW, RISK_UNSEEN, SAFE_PASSED, SAFE_DISCARDED, SAFE_ROUND, SAFE_BLOCKED, SAFE_SEEN,
    SAFE_GONE, PASS, PASS_READY, PASS_NOTHING_LEFT, WIN_PASSED, WIN_PASSED_UNSURE, READY_DRAWN,
    PASS_READY_DRAWN, PARTLY_DRAWN, NO_TILE_WINS, NEAREST_REFUSED, PUNG_DOES, ANY_PUNG_DOES, PUNGS_DO,
    TWO_PUNGS_DO, *SETS_DO, *SUIT_DOES,
)  # fmt: skip
"""Why a choice is good or bad: for translators."""


MISSED_WIN = "This was a win, and it paid {value} points."
TOO_SOON = "Continuing was worth {cost} points more than this win on average."
MISSED_CLAIM = (
    "Claiming the {tile} was worth {cost} points more: the hand is {nearer} then, with {count} useful tiles;"
    " without it {away}, with {fewer}."
)
MISSED_CLAIM_WIDER = (
    "Claiming the {tile} was worth {cost} points more: {count} tiles help then, and without it only {fewer}."
)
MISSED_CLAIM_PLAIN = "Claiming the {tile} was worth {cost} points more."
BAD_CLAIM = (
    "Passing on the {tile} was worth {cost} points more: an open meld limits what the hand can become."
)
BETTER_CLAIM = "A {better} with the {tile} was worth {cost} points more than the {worse}."
OTHER_CLAIM = "Another claim of the {tile} was worth {cost} points more."
MISSED_KONG = "A kong of {best} was worth {cost} points more."
BAD_KONG = "Without this kong of {tile} the hand was worth {cost} points more."
MISSED_CALL = "Calling ready, and then discarding {best}, was worth {cost} points more."
BAD_CALL = (
    "Discarding {best} without calling ready was worth {cost} points more: after a call you can no longer"
    " change the wait or keep a dangerous tile."
)
DEALT_IN = "{did} dealt in, and the danger was visible: {often}, against {less}% for {best}."
DEALT_IN_SMALL = "{did} dealt in. Its chance of that was {often}; for {best} only {less}%."
DEALT_IN_SLIGHT = (
    "{did} dealt in: its chance was {often}, that of {best} {less}%. Overall, {best} was hardly better."
)
RISKY = "{did} deals in {often} of the time here, {best} only {less}%."
UNLUCKY = "{did} dealt in (chance {often}), but no tile was better."
MISSED_READY = "{best} made the hand ready, with {count} tiles that win; after {did} it is {away}."
BROKE_PAIR = "{did} breaks a pair: {count} tiles would help after {best}, now only {fewer}."
FARTHER = "After {did} the hand is {away}, after {best} {nearer}."
CHEAPER = "{did} gives up {row}: with it the hand pays {pays}, without it {less}."
FEWER = "{count} tiles improve the hand after {best}, only {fewer} after {did}."
WORTH_LESS = "{best} was worth {cost} points more than {did} in the long run. {why}"
FOR_ROW = "With {row} it pays {pays}."
BEST_SAFER = "It deals in {often} of the time, the other {percent}%."
BEST_WINS_MORE_OFTEN = "It wins about {percent}% of the time, the other {less}%."
BEST_PAYS_MORE = "It does not win more often ({percent}% and {less}%), but pays more."
AWAY, AT_READY = "{count} from ready", "ready to win"
DANGER_ONLY = "{did} deals in {often} of the time here."

OF_KIND = "{kind} {count}× ({cost} points)"

NOT_KNOWN = (
    "The tiles of {who} were not recorded: for those hands only the danger of each discard is reviewed,"
    " and what a hand shown at the end reveals."
)
NOTHING_TO_REVIEW = "There is no decision in this game to review."
NOTHING_IN_HAND = "There is no decision in this hand to review."
NO_MISTAKE = "Nothing here was a mistake: {winner} drew the winning tile."
NO_HAND_YET = "No hand is in play at that seat."
FLOWER_HELD = "{tile} is a flower: flowers are exposed, not kept in the hand."
NOT_OF_GAME = "{tile} is not in this game."
TOO_MANY = "{found} of {tile} in this hand and on the table, but there are only {copies}."
WRONG_COUNT = "{found} tiles entered: this player has {wanted} concealed tiles now."
LOST_HAND = "A tile that was discarded or melded was not in the hand as entered: enter the hand again."

BEST, FINE, INEXACT, POOR, BLUNDER = "best", "fine", "inexact", "mistake", "blunder"
GRADES = (BEST, FINE, INEXACT, POOR, BLUNDER)
MISTAKES = (
    "missed win", "won too soon", "refused a claim", "bad claim", "kong", "dealt in, avoidable",
    "took a risk", "missed ready", "broke a pair", "away from ready", "gave up value", "fewer useful tiles",
    "worth less", "call of ready",
)  # fmt: skip
REVIEW = (
    MISSED_WIN, TOO_SOON, MISSED_CLAIM, MISSED_CLAIM_WIDER, MISSED_CLAIM_PLAIN, BAD_CLAIM,
    BETTER_CLAIM, OTHER_CLAIM, MISSED_KONG, BAD_KONG, MISSED_CALL, BAD_CALL, DEALT_IN, DEALT_IN_SMALL,
    DEALT_IN_SLIGHT, FOR_ROW, BEST_SAFER, BEST_WINS_MORE_OFTEN, BEST_PAYS_MORE, RISKY, UNLUCKY,
    MISSED_READY, BROKE_PAIR, FARTHER, CHEAPER, FEWER, WORTH_LESS, DANGER_ONLY, NOT_KNOWN, NOTHING_TO_REVIEW,
    NOTHING_IN_HAND, NO_MISTAKE, OF_KIND,
    NO_HAND_YET, AWAY, AT_READY, FLOWER_HELD, NOT_OF_GAME, TOO_MANY, WRONG_COUNT, LOST_HAND,
    *GRADES, *MISTAKES,
)  # fmt: skip
"""Reviews, and hands that the user enters: for translators."""
