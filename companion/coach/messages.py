"""Every sentence of the coach that a person may see, as templates; WHY lists those about choices."""

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
TOO_MANY_MELDS = "{field} gives seat {seat} {found} melds: a {rules} hand has at most {allowed}."
WRONG_SIZE = (
    "{field} has {found} concealed tiles: beside {melds} melds it must have {turn} on your own turn, or"
    " {waiting} where a tile is on offer."
)
NOT_THE_LAST = "{field}: {tile} is not the last of the discards of seat {seat}, where it lies."
OWN_OFFER = "{field}: the tile on offer must be another player's."
TOO_MANY_LEFT = (
    "{field} must be at most {allowed}, not {value}: no more tiles can be drawn once the hands are dealt."
)
READ_AS = "{photo} was read as {tiles}: {problem}"
GIVEN_TWICE = "{field} is given beside {photo}, which shows it: give one of them."
NOTHING_READ = (
    "{field}: no tiles were found in {file}: take it from closer, with all tiles in it and in focus."
)
NO_HAND = "The game has no hand in play: there is nothing to advise."
NOT_DECIDING = "Seat {seat} has nothing to decide now: advice comes on its turn, or with a tile on offer."
NOT_READY = "{field} names seat {seat}, whose hand as given is not ready."
UNKNOWN_TILES = "Tiles of the hand of seat {seat} are not known: name all of them, or ask for the level left."

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
NEAREST_REFUSED = "Finished the nearest way it would not win: {reason}"
PUNG_DOES = "A pung of {tiles} would do."
ANY_PUNG_DOES = "A pung of one of these would do: {tiles}."
PUNGS_DO = "Pungs of these would do: {tiles}."
TWO_PUNGS_DO = "Pungs of two of these would do: {tiles}."
SETS_DO = ("Pungs alone would do.", "Chows alone would do.")
SUIT_DOES = ("One suit alone would do.", "One suit and honours would do.")
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
FASTER_PASS = "{why} With {row} it pays {pays}. Leaving the tile is faster, but pays {less}."
DEARER = "{why} It pays {pays}. Discarding {tile} is faster ({tiles_then}), but pays {less}."
DEARER_CLAIM = "{why} It pays {pays}. A claim is faster, but pays {less}."
DEARER_PASS = "{why} It pays {pays}. Leaving the tile is faster, but pays {less}."
SAFER = "{why} Discarding {tile} is faster ({tiles_then}), but deals in about {percent}% of the time."
REFUSED = "{tile} completes the hand, but does not win: {reason} {why}"
REFUSED_ALONE = "{tile} completes the hand, but does not win: {reason}"
NOT_ON_DISCARD = "{why} It does not win on a discard: {reason}"
ALSO = "{why} {reason}"
CALLED = (
    "{why} The call pays {count} points more from everybody who pays; but you can no longer change the wait"
    " or keep a dangerous tile."
)
SILENT_WIDENS = "{why} Do not call ready yet: {count} tiles can still improve the wait."
SILENT_PASSES = (
    "{why} Do not call ready: who has called may not pass up a win on a discard, and drawing the tile pays so"
    " much more."
)
SILENT_SAFER = (
    "{why} Do not call ready: who has called discards every dangerous tile that is drawn, and that costs more"
    " than the call pays."
)
KONG_PAID = "The kong is paid {count} points at once."
SAFEST_PASS = "Going on is hardly worth it, and leaving the tile risks nothing."
SAFEST = "Going on is hardly worth it, and no tile of this hand is safer."
BUT = "{why} The danger: {risk}"
RISK_READY = "It deals in about {percent}% of the time: seat {seat} has called ready."
RISK_COLLECTS = "It deals in about {percent}% of the time: seat {seat} melds this suit alone."
RISK_MELDS = "It deals in about {percent}% of the time: seat {seat} has {melds} melds and may be ready."
RISK_LATE = "It deals in about {percent}% of the time: it is late, and {count} more of it are unseen."
RISK_CHOW = "It deals in about {percent}% of the time: a chow may still take it."
RISK_UNSEEN = "It deals in about {percent}% of the time: {count} more of it are unseen."
SAFE_PASSED = "Seat {seat} let {tile} pass since calling ready."
SAFE_DISCARDED = "Seat {seat} has discarded {tile}."
SAFE_ROUND = "Seat {seat} has just let {tile} pass."
SAFE_BLOCKED = "All of {tiles} are seen, so that no chow takes it."
SAFE_SEEN = "Three of its four copies are seen."
SAFE_GONE = "All its other copies are seen."
PASS = "Leaving the tile: {away} from ready, {count} tiles bring the hand nearer ({tiles})."
PASS_READY = "Leaving the tile: ready, {count} tiles complete the hand ({tiles})."
PASS_READY_DRAWN = "Leaving the tile: ready, {count} tiles complete the hand ({tiles}), self-drawn only."
PASS_NOTHING_LEFT = "Leaving the tile: no tile is left that brings this hand nearer."
WIN_PASSED = (
    "This passes up a win of {win} points: going on wins {percent}% of the time, for more on the average, and"
    " comes to {value} in all."
)
WIN_PASSED_UNSURE = (
    "This passes up a sure win of {win} points, which may be as good: going on wins {percent}% of the time,"
    " for more on the average, and comes to {value} in all."
)
WHY = (
    WIN_NOW, NOTHING_LEFT, READY, NEARER, GOAL, PAYS, GOAL_PAYS, ANY_WAY, BOTH_WAYS, SELF_DRAWN,
    APART, BY_TILES, BY_READY, BY_AWAY, FASTER, FASTER_CLAIM, FASTER_PASS, DEARER, DEARER_CLAIM,
    DEARER_PASS, SAFER, REFUSED, REFUSED_ALONE, NOT_ON_DISCARD, ALSO, CALLED, SILENT_WIDENS, SILENT_PASSES,
    SILENT_SAFER, KONG_PAID, SAFEST, SAFEST_PASS,
    BUT, RISK_READY, RISK_COLLECTS, RISK_MELDS, RISK_LATE, RISK_CHOW, RISK_UNSEEN, SAFE_PASSED,
    SAFE_DISCARDED, SAFE_ROUND, SAFE_BLOCKED, SAFE_SEEN, SAFE_GONE, PASS, PASS_READY, PASS_NOTHING_LEFT,
    WIN_PASSED, WIN_PASSED_UNSURE, READY_DRAWN, PASS_READY_DRAWN, PARTLY_DRAWN, NO_TILE_WINS,
    NEAREST_REFUSED, PUNG_DOES, ANY_PUNG_DOES, PUNGS_DO, TWO_PUNGS_DO, *SETS_DO, *SUIT_DOES,
)  # fmt: skip
"""Why a choice is good or bad: for translators."""
