"""Every sentence of this floor that a person may see, as templates; ALL lists them for translators."""

FULL = (
    "The disk of '{folder}' is full: the last entry was not saved, everything before it was. Free some"
    " space and try again."
)
READ_ONLY = "Nothing can be written to '{folder}': a game needs a folder and a file that can be written."
BUSY = "The game '{name}' is open in another program: close it there first."
UNREADABLE = (
    "The game file '{file}' cannot be read ({why}). If its disk is failing, copy everything that can still "
    "be read to another disk."
)
DISK = (
    "Could not write to '{folder}' ({why}): the quota may be used up, or the disk may be failing. The last"
    " entry was not saved, everything before it was."
)
NOT_COPIED = "No second copy of the game '{name}' was kept in '{folder}' ({why}). The game itself is kept."
NO_ANSWER = "A disk for copies of the game '{name}' does not answer. The game itself is kept."
NO_COPY = "There is no copy of the game {name}. Games with copies: {known}."
NO_COPY_OF = "There is no copy {label} of the game {name}. Its copies: {known}."
NO_WHOLE_COPY = "No copy of the game '{name}' can be used. {why}"
NO_SETTING = (
    "The setting in '{file}' cannot be read ({why}): set the folder for copies again with companion games"
    " copies --also-in FOLDER."
)
NO_PATH = "it names no folder"
NO_FOLDER = "'{folder}' is not a folder: name one that exists, such as one on another disk."
IN_DATA = "'{folder}' is in the data folder, where copies are anyway: name one on another disk."
NO_COPIES_THERE = "No copies can be kept in '{folder}' ({why})."
TOO_MANY_COPIES = "there are too many copies of one day"
OTHER_CONTENT = "the disk does not hold what was written"
NOT_A_GAME = (
    "The file '{file}' is not a game of this program, or its beginning is damaged. It was left as it is."
)
NEWER = (
    "The game '{name}' was kept by a newer program (its {what} have version {given}, and this program knows "
    "version {known}): update the program. The file was left as it is."
)
TABLES = "tables"
EVENTS = "events"
DAMAGED = "The game file '{file}' is damaged: {why}. It was left as it is."
NOTHING_IN_IT = "nothing is in it; if its beginning was interrupted, begin it again under this name"
EMPTY_FILE = "nothing is in it"
COPY_EXISTS = "{problem} A copy of {day} exists: companion games restore {name}"
BAD_HEAD = "its beginning is not that of a game's file"
BAD_PARTS = "parts of it cannot be read, or do not fit together"
NO_TEXT_THERE = "it holds text that cannot be read"
OTHER_TABLES = "its tables are not those of a game"
OTHER_VERSION = "its tables are marked as version {given}, and are of version {right}"
OTHER_HEADER = "its header is not valid"
NO_ENTRY_THERE = "no entry in it can be read"
OTHER_ENTRY = "entry {number} is not valid"
OTHER_COUNT = "it has {given} entries, and {right} were written"
OTHER_CHAIN = "its entries are not those that were written"
LOG_CUT = "of the {total} pages in the log next to it only {left} can be read"
OTHER_JOURNAL = "the journal next to it belongs to other files too"
TAKES_AWAY = (
    "the journal next to it would remove entries that are in it; if that is of another game, or of "
    "an older copy, move it away"
)
FIRST_LOST = (
    "its first entry, with the rules and the players, is lost: name them (--rules, --option, "
    "--player) to rescue the others"
)
LOST = "Nothing of it is left."
NOT_AS_WRITTEN = "It has been changed or damaged."
STEPS_LOST = "It undoes or redoes entries that are lost."
STEPS_OF_LOST = "It undoes or redoes only entries that are left out."
PAYMENT_LOST = "It cancels a payment whose number is no longer known."
CORRECTS_LOST = "It corrects event {number}, which is left out."
NOT_A_FILE = "No game can be kept in '{file}': {why}."
TOO_LARGE = "The file '{file}' has {size} MB: a game's file has at most {most} MB."

NO_GAME = "There is no game in the file '{file}'."
THERE_ALREADY = "A game {name} exists already: choose another name."
CANNOT_GO_ON = "The game '{name}' cannot continue after event {number}: {problem} The file was left as it is."

NO_TEXT = "{text} cannot be saved: it contains an incomplete character."
NOTHING_LEFT = "A game begins with game_started: that event can be corrected, but not removed."
CANNOT_UNDO = "{steps} cannot be undone: at most {most} can be."
CANNOT_REDO = "{steps} cannot be redone: at most {most} can be."
KEY_TAKEN = "Entry {number} has the key {key} already, and is different: each entry needs a key of its own."
KEY_UNDONE = (
    "Entry {number} with the key {key} was undone: redo brings back what was undone last, and a new "
    "entry needs a key of its own."
)

NOTHING_IMPORTED = "Line {number}: {problem} Nothing was imported."
ENTERED_BEFORE = "Line {number}: {problem} Neither this line nor any after it was entered."
BY_RULING = "{problem} ({ruling})"
EMPTY = "There is no event in it. Nothing was imported."
NO_HEADER = (
    "{line} is not the first line of a log or a history, which has a format and a version; to read a "
    "table (csv), name its rules: --rules NAME."
)
TOO_NEW = "It is a history of version {given}, and this program knows version {known}: update the program."
NO_ENTRY = "{line} is not an entry of a history: {problem}."
NEITHER = "A line of a history has either an event or a number of steps that is not 0."
KEY_TWICE = "Line {line} has the key {key} already."
NO_SHEET = "The first line names the columns {columns}, then four players, then their totals."
NO_ROW = "It is not a row of a table: {why}."
NO_NUMBER = "{value} in the column {column} is not a whole number."
OTHER_LENGTH = "It has {given} cells, and the first line {right}."
OTHER_TOTAL = "This line gives {name} {given} points; the lines before add up to {right}."

ALL = (
    FULL, READ_ONLY, BUSY, UNREADABLE, DISK, NOT_COPIED, NO_ANSWER, NO_COPY, NO_COPY_OF,
    NO_WHOLE_COPY, NO_SETTING, NO_PATH, NO_FOLDER, IN_DATA, NO_COPIES_THERE, TOO_MANY_COPIES,
    OTHER_CONTENT, NOT_A_GAME, NEWER, TABLES, EVENTS, DAMAGED, NO_TEXT_THERE,
    NOTHING_IN_IT, EMPTY_FILE, COPY_EXISTS, BAD_HEAD, BAD_PARTS, OTHER_TABLES,
    OTHER_VERSION, OTHER_HEADER, NO_ENTRY_THERE, OTHER_ENTRY, OTHER_COUNT, OTHER_CHAIN, LOG_CUT,
    OTHER_JOURNAL, TAKES_AWAY, NOT_A_FILE, TOO_LARGE, FIRST_LOST, LOST, NOT_AS_WRITTEN, STEPS_LOST,
    STEPS_OF_LOST, PAYMENT_LOST, CORRECTS_LOST, NO_GAME, THERE_ALREADY,
    CANNOT_GO_ON, NO_TEXT, NOTHING_LEFT, CANNOT_UNDO, CANNOT_REDO, KEY_TAKEN, KEY_UNDONE,
    NOTHING_IMPORTED, ENTERED_BEFORE, BY_RULING, EMPTY, NO_HEADER, TOO_NEW, NO_ENTRY, NEITHER, KEY_TWICE,
    NO_SHEET, NO_ROW, NO_NUMBER, OTHER_LENGTH, OTHER_TOTAL,
)  # fmt: skip
