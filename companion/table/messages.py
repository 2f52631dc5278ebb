"""Every sentence of this floor that a person may see, as templates; ALL lists them for translators."""

IN_LINE = "Line {number}: {problem}"
NO_EVENT = "{line} is no event of a game: {problem}."
NO_HEADER = "{line} is not the first line of a game's log: that is {right}."
TOO_NEW = "The log has version {given}, and this program knows version {known}: update the program."
NOTHING_TO_CORRECT = "Event {at} corrects event {number}, which is not before it."

ALL = (IN_LINE, NO_EVENT, NO_HEADER, TOO_NEW, NOTHING_TO_CORRECT)
