"""Every sentence of this floor that a person may see, as templates; ALL lists them for translators.

A rule set's own sentences stand in its file and are listed in its `sentences`.
"""

NOT_JSON = "The request is not JSON: {problem}."
NOT_AN_OBJECT = "The request must be one JSON object, not {value}."
UNKNOWN_FIELD = "{given} is not a field of a request: the fields are {allowed}."
MISSING = "{field} is missing: give {allowed}."
WRONG_TYPE = "{field} must be {allowed}, not {value}."
UNREADABLE = "{field}: {problem}"
NOT_USED = "{field} means nothing in {rules}: leave it out instead of giving {value}."
UNKNOWN_OPTION = "{given} in {field} is not a house option of {rules}: the options are {allowed}."
UNKNOWN_SITUATION = "{given} in {field} is not a situation of {rules}: the situations are {allowed}."
NO_SUCH_MELD = "{meld} in {field} is a kind of meld that {rules} does not have: it has {allowed}."
NO_SUCH_MELD_OPTION = (
    "{meld} in {field} is a kind of meld that {rules} has only where the house option {option}"
    " is true; here it has {allowed}."
)
TOO_FEW_TILES = (
    "{field} has {found} tiles: a finished {rules} hand has {allowed}, including the winning tile (melds:"
    " {melds}); add {lacking}."
)
TOO_MANY_TILES = (
    "{field} has {found} tiles: a finished {rules} hand has {allowed}, including the winning tile (melds:"
    " {melds}); remove {extra}."
)
TOO_FEW_TO_WAIT = (
    "{field} has {found} tiles: a {rules} hand that waits for one has {allowed} (melds: {melds}); add"
    " {lacking}."
)
TOO_MANY_TO_WAIT = (
    "{field} has {found} tiles: a {rules} hand that waits for one has {allowed} (melds: {melds}); remove"
    " {extra}."
)
NO_COPY_LEFT = "The hand and its melds hold every {tile}."
NO_WAIT = "{situation} in {field} is a win without a winning tile: such a hand waits for none."
NOT_ASKED = "{field} is not allowed here: each wait is scored self-drawn and on a discard."
MAYBE_KONG = (
    "{field} has {found} tiles: a finished {rules} hand has {allowed}, including the winning tile (melds:"
    " {melds}). Are the four {tile} a kong? Then they are a meld: {kong}, or {claimed} where one was"
    " claimed; else remove {extra}."
)
TOO_MANY_MELDS = "{field} has {found} melds: a {rules} hand has at most {allowed}."
NOT_IN_HAND = (
    "{field} {tile} is not in the hand: the hand lists all concealed tiles, the winning tile included."
)
TILE_NEEDED = "{field} is missing: give the tile of the hand that completed it (only {allowed} has none)."
TILE_ALWAYS_NEEDED = (
    "{field} is missing: give the tile of the hand that completed it; of a hand won as it was dealt, the tile"
    " drawn last."
)
TILE_FORBIDDEN = "{field} must be null, not {tile}: {situation} is a win without a winning tile."
FLOWER_IN_HAND = "{field} holds the flower {tile}: flowers are set out, give them in flowers."
NO_FLOWER = "{field} holds {tile}, which is not a flower."
TOO_MANY_WILD = "{field} and melds hold {found} copies of {tile}, and the game has {copies}."
FROM_NEEDED = "{field} is missing: give the seat (0 to 3) that discarded the tile, or whose kong was robbed."
FROM_IS_WINNER = "{field} must be a seat other than the winner's, not {value}."
SITS_OUT = "{field} cannot be seat {seat}, which sits out: with these house options {allowed} play."
EXCLUDES = "{situation} and {other} in {field} cannot both be true."
NEEDS_SELF_DRAW = "{situation} in {field} is a self-drawn win: source must be self_draw."
NEEDS_NO_ROBBING = "{situation} in {field} is a win before any kong: source cannot be robbed_kong."
NEEDS_DEALER = "{situation} in {field} is for the dealer only: winner must be the dealer's seat."
NEEDS_NO_DEALER = (
    "{situation} in {field} is a win of a player other than the dealer: winner must not be the dealer."
)
NEEDS_NO_MELDS = "{situation} in {field} is a win before any claim or kong: melds must be empty."
NEEDS_KONG = "{situation} in {field} is a win on the tile drawn after a kong: melds must hold that kong."
NEEDS_KONG_OR_FLOWER = (
    "{situation} in {field} is a win on the tile drawn after a kong or a flower: melds must hold the kong,"
    " or flowers the flower."
)
NEEDS_DEALERS_DISCARD = (
    "{situation} in {field} is a win on the dealer's first discard: source must be discard, and from the"
    " dealer's seat."
)
NO_FLOWERS_IN_PLAY = (
    "{field} must be empty where the house option flowers is false: the table then plays without flowers."
)
UNKNOWN_STAKE = "{given} in {field} is unknown in {rules}: the stakes have {allowed}."
NO_BASE_HERE = "{field} must be 0 or left out: {rules} has no base."
NOTHING_PAID = "{field} must not all be 0: a win would pay nothing."
VALUE_OR_ROWS = "{field} has a value and rows: state one of the two."
NO_SUCH_ROW = "{row} in {field} is not a row that this {rules} win can have: it can have {allowed}."
ROW_TOO_OFTEN = "{row} in {field} counts {most} times at most in one hand, not {count} times."
ROWS_EXCLUDE = "{row} and {other} in {field} cannot both count: no hand has both."
STAKES_TOO_LARGE = "{field} times base must be at most {most}."

ALL = (
    NOT_JSON,
    NOT_AN_OBJECT,
    UNKNOWN_FIELD,
    MISSING,
    WRONG_TYPE,
    UNREADABLE,
    NOT_USED,
    UNKNOWN_OPTION,
    UNKNOWN_SITUATION,
    NO_SUCH_MELD,
    NO_SUCH_MELD_OPTION,
    TOO_FEW_TILES,
    TOO_MANY_TILES,
    TOO_FEW_TO_WAIT,
    TOO_MANY_TO_WAIT,
    NO_COPY_LEFT,
    NO_WAIT,
    NOT_ASKED,
    MAYBE_KONG,
    TOO_MANY_MELDS,
    NOT_IN_HAND,
    TILE_NEEDED,
    TILE_ALWAYS_NEEDED,
    TILE_FORBIDDEN,
    FLOWER_IN_HAND,
    NO_FLOWER,
    TOO_MANY_WILD,
    FROM_NEEDED,
    FROM_IS_WINNER,
    SITS_OUT,
    EXCLUDES,
    NEEDS_SELF_DRAW,
    NEEDS_NO_ROBBING,
    NEEDS_DEALER,
    NEEDS_NO_DEALER,
    NEEDS_NO_MELDS,
    NEEDS_KONG,
    NEEDS_KONG_OR_FLOWER,
    NEEDS_DEALERS_DISCARD,
    NO_FLOWERS_IN_PLAY,
    UNKNOWN_STAKE,
    NO_BASE_HERE,
    NOTHING_PAID,
    VALUE_OR_ROWS,
    NO_SUCH_ROW,
    ROW_TOO_OFTEN,
    ROWS_EXCLUDE,
    STAKES_TOO_LARGE,
)
