"""Every sentence of this floor that a person may see, as templates."""

NO_DATABASE_ADDRESS = "A database is given as postgresql://localhost/club, with its own host and name."
DATABASE_GONE = "The database {database} cannot be used ({why}): trying again; nothing is lost."
NEWER_DATABASE = "The database {database} was written by a newer program: update this one."
ANOTHER_COLLECTS = "Another program collects for the database {database}: waiting until it is gone."
LOST = "the connection was lost"

GARBAGE = "A message on {topic} cannot be read: {why}."
NEITHER = "it has neither an event nor steps, or both"
OVERSIZED = "A message on {topic} has {size} bytes; at most {most} are read."
OTHER_VERSION = (
    "A message on {topic} has version {given}, and this program knows version {known}: update the older one."
)
OTHER_CONTENT = "Entry {number} of the game {game} came again with another content: the first one was kept."
OTHER_TABLE = (
    "The game {game} is already played at the table {table}: what this table sends of it is ignored."
)
REFUSED = "Entry {number} of the game {game} is refused: {problem}"
REFUSED_BY = "Entry {number} of the game {game} is refused: {problem} ({ruling})"
AFTER_REFUSED = "It changes a refused entry, or a payment by its number after a refused entry."
CANNOT_GO_ON = "The game {game} cannot be played on: what it began with is refused now. {problem}"
MISSING = "Entries of the game {game} are missing from number {first} on: the table is asked for them."
CLOCK_AHEAD = "The clock of this table is {minutes} minutes fast: set it."
CLOCK_BEHIND = "The clock of this table is {minutes} minutes slow: set it."
NOT_KEPT = "A message on {topic} could not be kept (see the log)."

NO_PLAYER = "No player named {name} has played here."
NO_ANSWER = "The database does not answer: try again in a moment."
BROKEN = "This could not be answered (see the log)."
NOTHING_HERE = "There is nothing at this address."
