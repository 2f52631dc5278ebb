"""Every sentence of this floor that a person may see, as templates; ALL lists them for translators."""

PROBLEM = "{problem}"
IN_LINE = "Line {number}: {problem}"
AT_EVENT = "Event {number}: {problem}"
NO_EVENT = "{line} is not an event of a game: {problem}."
NO_HEADER = "{line} is not the first line of a game's log: that is {right}."
NOT_UTF8 = "It is not UTF-8 text."
TOO_NEW = "The log has version {given}, and this program knows version {known}: update the program."
NOTHING_TO_CORRECT = "Event {at} corrects event {number}, which is not before it."
WHOLE_LOG = "A correction cannot be applied to a state: read the whole log again with it."

NO_GAME = "{event} comes before game_started: a game starts with that."
STARTED_ALREADY = "game_started comes a second time: a log holds one game."
NO_HAND = "{event} can only happen in a hand: hand_started comes first."
HAND_IN_PLAY = "{event} can only happen between hands: end this one with won, hand_drawn or hand_abandoned."
GAME_OVER = "The game is over after {hands} hands: no hand follows."
HAND_IS_OVER = "The hand is over: nobody can win any more."
DEAL_FIRST = "{event} cannot happen yet: {right} comes first."
DEALT_ALREADY = "{event} cannot happen now: it comes once, at the deal."

NOT_SO = (
    "The hand cannot have ended like this by these rules: check who discarded, and the circumstances of the"
    " win."
)
NAME_FORTUNE = "First enter the tile that was turned over for the fortune tile."
NAME_TILE = "Touch the winning tile first."
NOT_IN_GAME = "{tile} is not a tile of {rules}."
ONE_TOO_MANY = "This game has only {copies} of {tile}."
NOT_HELD = "Seat {seat} does not hold {tile}."
SITS_OUT = "Seat {seat} sits out in this game."
NO_BASE = "The base cannot be {base}: it is 1 at least."
NO_STREAK = "{given} is not a dealer's streak: in {rules} it starts at {least}."
NO_ORDER = "{order} is not an order of the seats: give 0, 1, 2 and 3, each once."
NOT_THE_DEALER = "Seat {seat} does not deal this hand: seat {right} does."
OTHER_DEAL = "Seat {seat} is dealt {given} tiles: it must be {right}."

NO_DRAW_NOW = "Seat {seat} cannot draw now."
DISCARD_FIRST = "Nobody draws now: seat {seat} discards first."
NOT_NEXT = "Seat {seat} does not draw next: seat {right} does."
WALL_EMPTY = "Seat {seat} cannot draw: the live wall is empty, and the hand is a draw."
REPLACES_FIRST = "Seat {seat} has to wait: seat {right} takes a replacement first."
NOT_ON_TURN = "It is not the turn of seat {seat}: it is that of seat {right}."
NOT_NOW = {
    "replacement": "Seat {seat} has to take a replacement first.",
    "ready": "Seat {seat} has called ready and discards now.",
    "claim": "No discard is due: enter a claim, or the draw of seat {seat}.",
    "sea": "In the sea there are no discards or kongs: enter a win or the next draw.",
    "exhausted": "The hand is a draw: no replacement is left for seat {seat}.",
    "over": "The hand is over.",
}
NO_FLOWER = "{tile} is not a flower: only flowers and seasons are set out."
NO_FLOWER_NOW = "Seat {seat} cannot set out a flower now: only the player on turn can, after a draw."
FLOWER_OUT_OF_TURN = "Seat {seat} has to wait: seat {right} holds a flower and sets it out first."
HAS_A_FLOWER = "Seat {seat} holds {tile}: it is set out and replaced first."
FLOWER_DISCARDED = "{tile} is not discarded: flowers are set out."
NO_READY = "Ready hands are not declared in {rules}."
READY_ALREADY = "Seat {seat} has called ready before."
NOT_READY = "Seat {seat} is not ready after discarding {tile}: no tile completes the hand."
NEVER_READY = "Seat {seat} is not ready: whatever it discards, no tile completes the hand."
READY_DISCARDS = "Seat {seat} has called ready and discards what was drawn: {right}."
READY_CLAIMS = "Seat {seat} has called ready: it may win on a discard, but not claim it."
READY_KONG = (
    "Seat {seat} has called ready: only a concealed kong that leaves the waits as they are is allowed."
)
MUST_WIN = "Seat {seat} must win with this tile: the house rules say so."
GAMBLER_DISCARDS = "Seat {seat} is in a Fortune Gambit and discards what was drawn: {right}."
GAMBLER_KONGS = "Seat {seat} is in a Fortune Gambit: only a concealed kong is allowed."
GAMBIT_ON = "Seat {seat} may not call {call}: seat {right} is in a Fortune Gambit, and wins are drawn."

NOTHING_ON_OFFER = "Seat {seat} has nothing to claim: no tile is on offer."
OWN_TILE = "Seat {seat} cannot claim its own tile."
CALLED_FIRST = "The tile on offer is not free: seat {seat} has called {call}."
OUTRANKED = (
    "Seat {seat} does not get the tile for {call}: seat {right} has called {other}, which comes first."
)
ONLY_A_WIN_ROBS = "Seat {seat} may take the tile of a kong only to win."
NOT_CLAIMED = "{meld} is not made of a discard: claim a chow c, a pung p or a kong k."
NO_SUCH_CLAIM = "Nobody may claim a {call} in this game, as this table plays it."
CHOW_OF_NEXT = "Seat {seat} may not chow a discard of seat {right}: only the next player may."
OTHER_TILE = "{meld} does not hold the tile on offer, {tile}."
TOO_MANY_CHOWS = "Seat {seat} has {chows} chows, and this table allows no more."
TOO_FEW = "Seat {seat} does not hold {needed} of {tile}, which a {call} takes."
OPEN_PUNG = "Seat {seat} has claimed a pung of {tile}: only a drawn fourth tile makes that a kong."
FORTUNE_CLAIMED = "{tile} is a Fortune: it cannot be claimed."
FORTUNE_IN_MELD = "{meld} holds the Fortune {tile}, which stays in the hand."
FORTUNE_KONG = "{tile} is a Fortune: it makes no kong."
KONG_AFTER_CLAIM = "Seat {seat} has just claimed: a kong from the hand takes a draw in the same turn."
NO_REPLACEMENT = "Seat {seat} cannot declare a kong: no tile is left to replace the fourth."
NO_KONG_IN_SEA = (
    "Seat {seat} cannot declare a kong: the last {sea} tiles are the sea and are not used as replacements."
)
WHICH_KONG = "Seat {seat} has no four unknown tiles: name the tile of the kong."
NO_PUNG_TO_ADD = "Seat {seat} has no claimed pung of {tile} to add to."
ONLY_DRAWN_TILE = (
    "Seat {seat} may add only the tile just drawn, {right}, not {tile}, as this table has agreed."
)

DEAD_HAND = "The hand of seat {seat} is dead: it cannot win."
PASSED_NOTHING = "Seat {seat} has no win to pass up: the hand does not win on {tile}."
MISSED = "Seat {seat} has passed up a win on {missed}: no win on that discard before the next draw."
WON_AFTER_CLAIM = "Seat {seat} has just claimed: a win needs a tile that was drawn or is on offer."
NO_WIN = "Seat {seat} does not win. {reason} If it was declared, that is a false_win."
ORPHANS_ONLY = "Seat {seat} may rob a concealed kong for Thirteen Orphans only."
ONE_WINNER = "Seat {seat} has won, and only one player can win."
SHOW_THE_HAND = (
    "The hand of seat {seat} is unknown: enter its tiles in 'hand' and its concealed kongs in 'kongs'."
)
STATED_AND_SHOWN = "The win of seat {seat} is stated: leave out its tiles, or enter them without 'stated'."
OTHER_COUNT = "Seat {seat} shows {given} tiles and holds {right}."
SHOW_THE_KONG = "Seat {seat} shows {given} tiles: {right} are needed, with the four of each unseen kong."
WHICH_HIDDEN_KONG = "Seat {seat} has a concealed kong that was not seen: name its tile."
NOT_SHOWN = "Seat {seat} does not show {tile}, which it holds."
NO_HIDDEN_KONG = "Seat {seat} has no kong that {meld} could be."
UNSEEN_DISCARD = (
    "The discard of seat {giver} that seat {seat} wins on was not seen: enter the winning tile in 'tile'."
)
UNSEEN_KONG = "The tile of the kong was not seen: correct that event first."
OTHER_WINNING_TILE = "Seat {seat} cannot win on {tile}: the tile is {right}."
NOT_DRAWN_NOW = "The hand is not a draw yet: it is the turn of seat {seat}."
TILES_LEFT = "The hand is not a draw yet: {left} of the live wall can still be drawn."
NO_DECLINING = "The last tile cannot be declined in {rules}."
NOT_THE_LAST = (
    "Seat {seat} cannot decline now: only seat {right} can, and only with one tile left (there are {left})."
)

LEDGER_FULL = "A game can have at most {limit} payments: start another game."
NO_ENTRY = "There is no entry {number}: the ledger has {entries}, the first is 0."
CANCELLED_ALREADY = "Entry {number} was reversed before."
CANCELS_ITSELF = "Entry {number} reverses another one: enter the payment again instead."
NOT_ZERO = "{points} add up to {sum}: they must add up to 0."

NO_SUCH_THROW = "{dice} is not a throw of {numbers} dice."
NO_SUCH_SIDE = "{side} is not a side of the wall: sides are those of seats 0 to 3."
NO_SUCH_PLACE = "There is no stack {stack} on the side of seat {side}: it has stacks 1 to {stacks}."
OTHER_WALL = (
    "The {given} tiles of the wall are not the {total} of this game, each kind as often as it has it."
)
TOO_FEW_TO_DRAW = "{asked} tiles cannot be drawn: the live wall has {left} left."
NO_REPLACEMENT_LEFT = (
    "No replacement can be taken: the live wall has {live} tiles left, the dead wall {dead}."
)
SEA_STAYS = "No replacement can be taken: the last {sea} tiles are the sea."
NO_INDICATOR = "No tile of the dead wall is turned over in this game."
TURNED_ALREADY = "A tile of the dead wall is turned over already."
WALL = (
    NO_SUCH_THROW, NO_SUCH_SIDE, NO_SUCH_PLACE, OTHER_WALL, TOO_FEW_TO_DRAW, NO_REPLACEMENT_LEFT, SEA_STAYS,
    NO_INDICATOR, TURNED_ALREADY,
)  # fmt: skip

ALL = (
    PROBLEM, IN_LINE, AT_EVENT, NO_EVENT, NO_HEADER, NOT_UTF8, TOO_NEW, NOTHING_TO_CORRECT, WHOLE_LOG,
    NO_GAME, STARTED_ALREADY, NO_HAND, HAND_IN_PLAY, GAME_OVER, HAND_IS_OVER, DEAL_FIRST, DEALT_ALREADY,
    NOT_SO, NAME_FORTUNE, NAME_TILE,
    NOT_IN_GAME, ONE_TOO_MANY, NOT_HELD, SITS_OUT, NO_BASE, NO_STREAK, NO_ORDER, NOT_THE_DEALER, OTHER_DEAL,
    NO_DRAW_NOW, DISCARD_FIRST, NOT_NEXT, WALL_EMPTY, REPLACES_FIRST, NOT_ON_TURN, NO_FLOWER,
    NO_FLOWER_NOW, FLOWER_OUT_OF_TURN, HAS_A_FLOWER, FLOWER_DISCARDED, NO_READY, READY_ALREADY, NOT_READY,
    NEVER_READY, READY_DISCARDS, READY_CLAIMS, READY_KONG, MUST_WIN, GAMBLER_DISCARDS, GAMBLER_KONGS,
    GAMBIT_ON,
    NOTHING_ON_OFFER, OWN_TILE, CALLED_FIRST, OUTRANKED, ONLY_A_WIN_ROBS, NOT_CLAIMED, NO_SUCH_CLAIM,
    CHOW_OF_NEXT, OTHER_TILE, TOO_MANY_CHOWS, TOO_FEW, OPEN_PUNG, FORTUNE_CLAIMED, FORTUNE_IN_MELD,
    FORTUNE_KONG, KONG_AFTER_CLAIM, NO_REPLACEMENT, NO_KONG_IN_SEA, WHICH_KONG, NO_PUNG_TO_ADD,
    ONLY_DRAWN_TILE, DEAD_HAND, PASSED_NOTHING, MISSED, WON_AFTER_CLAIM, NO_WIN, ORPHANS_ONLY, ONE_WINNER,
    SHOW_THE_HAND, STATED_AND_SHOWN, OTHER_COUNT, SHOW_THE_KONG, WHICH_HIDDEN_KONG,
    NOT_SHOWN, NO_HIDDEN_KONG, UNSEEN_DISCARD, UNSEEN_KONG, OTHER_WINNING_TILE,
    NOT_DRAWN_NOW, TILES_LEFT, NO_DECLINING, NOT_THE_LAST, LEDGER_FULL, NO_ENTRY, CANCELLED_ALREADY,
    CANCELS_ITSELF, NOT_ZERO, *NOT_NOW.values(), *WALL,
)  # fmt: skip
