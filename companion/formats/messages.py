"""Every sentence of this floor that a person may see, as templates. Only the command line says them."""

NO_MJAI = "{line} is not a line of mjai as this program writes it: {problem}."
NO_START = (
    "The mjai lines do not begin with a start_game that has the field companion: only games that this program"
    " wrote can be read, since mjai names no rules and is meant for riichi."
)
NEWER_MJAI = (
    "The mjai lines have version {given} of the extensions, and this program knows version {known}: update"
    " the program."
)
OTHER_START = "The first line must begin the game, and no other line."
OTHER_FIELD = "{field} is {given}, and by the rules of the game it is {right}."
NO_DEAL = "start_kyoku is followed by the tsumo of the dealer, seat {seat}."
PARTLY_SEEN = "A hand has either all its tiles or only '?'."

NO_HANDS = "No hand was played to its end: there is nothing to write as PMN."
NO_SUCH_HAND = "There is no hand {number}: the last finished hand is {hands}."
NO_PMN = "Hand {number} cannot be written as PMN: {why}."
UNSEEN = "a tile that was dealt, drawn, discarded or laid down is not known"
TOO_MANY_TILES = "PMN is for games of 13 tiles in hand, and {rules} has {tiles}"
HAS_FORTUNE = "PMN has no wildcards, as the Fortunes of {rules} are"
THREE_PLAYERS = "PMN is for four players"
NO_ACTION = "PMN has no action for {event}"

NO_TAG = '{line} is not a tag of PMN, as [Board "1"] is.'
SECOND_TAG = "The tag {tag} comes a second time: only a file of one hand can be read."
NO_SUCH_TAG = "The tag {tag} is missing. Nothing was imported."
WRONG_TAG = "The tag {tag} cannot be read: {problem} Nothing was imported."
NO_RULES = "PMN names no rules: name those of this hand, as --rules hong_kong. Nothing was imported."
NO_PLAY = "{piece} is not an action of PMN, as T0b7 is."
NOTHING_TAKEN = "{piece} discards the tile that was just taken, and there is none."
IN_PLAY = "Action {number} of the play: {problem} Nothing was imported."
OTHER_RESULT = "{given} is not the result by the rules, which is {right}."
NO_POINTS = "{given} are not four whole numbers, East first."
NO_DEALS = "It has the hands of {given} players, not of four."
NO_DEAL_OF = "{deal} is not a hand as c123d5b99w1r2f is."
