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
