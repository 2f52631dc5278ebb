"""Every sentence of this floor that a person may see, as templates; ALL lists them for translators."""

IN_LINE = "Line {number}: {problem}"
NO_EVENT = "{line} is no event of a game: {problem}."
NO_HEADER = "{line} is not the first line of a game's log: that is {right}."
TOO_NEW = "The log has version {given}, and this program knows version {known}: update the program."
NOTHING_TO_CORRECT = "Event {at} corrects event {number}, which is not before it."

NO_SUCH_THROW = "{dice} is no throw of {numbers} dice."
NO_SUCH_SIDE = "{side} is no side of the wall: sides are those of seats 0 to 3."
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

ALL = (IN_LINE, NO_EVENT, NO_HEADER, TOO_NEW, NOTHING_TO_CORRECT, *WALL)
