"""Every sentence of this floor that a person may see, as templates."""

from __future__ import annotations

from companion.sentences import msgid

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
MISSING = msgid("Entries of the game {game} are missing from number {first} on: the table is asked for them.")
CLOCK_AHEAD = "The clock of this table is {minutes} minutes fast: set it."
CLOCK_BEHIND = "The clock of this table is {minutes} minutes slow: set it."
NOT_KEPT = "A message on {topic} could not be kept (see the log)."

SHORT_PASSWORD = msgid("A password has {least} to {most} characters.")
WRONG_PASSWORD = msgid("Name or password is wrong.")
PASSWORDS_TOO_OFTEN = msgid("Too many wrong passwords. Try again in {seconds} seconds.")
SIGNED_OUT = msgid("You are no longer signed in: sign in, then do it again.")
FORM_TOO_LARGE = msgid("The form is too large: at most {most} kB.")
NOT_A_FORM = msgid("The club did not understand this form. Load the page again.")
NOT_A_NUMBER = msgid("Enter whole numbers: {given} is none.")
LARGE_NUMBER = msgid("{given} is too large.")
NO_SEASON = msgid("Begin a season first.")
NO_MEETING = msgid("Begin a meeting first.")
NO_ROUND = msgid("Seat a round first.")
GONE = msgid("This has changed meanwhile: load the page again.")
WRONG_METHOD = msgid("This address does not take such requests.")

ROOM = msgid("Room")
SEATING = msgid("Seating")
ORGANISER = msgid("Organiser")
STANDINGS = msgid("Standings")
LOST_PAGE = msgid("The connection to the club is lost. Trying again …")
CLOCK_OVER = msgid("Time is up")
NO_TABLE = msgid("No table named {name} has played here.")
NO_PLAYER = msgid("No player named {name} has played here.")
NO_ANSWER = msgid("The database does not answer: try again in a moment.")
BROKEN = msgid("This could not be answered (see the log).")
NOTHING_HERE = msgid("There is nothing at this address.")

NO_NAME = msgid("A name is missing.")
NO_REASON = msgid("Enter a reason.")
TOO_LONG = msgid("This text is too long: use at most {most} characters.")
WRONG_UMA = msgid("Enter four whole numbers as table points, from the first place to the fourth.")
WRONG_MINUTES = msgid("A round has 1 to {most} minutes.")
WRONG_TABLES = msgid("Name 1 to {most} different tables.")
SEASON_EXISTS = msgid("There is already a season named {name}.")
SEASON_ENDED = msgid("The season {name} has ended: begin a new one.")
MEETING_ENDED = msgid("The meeting {name} has ended: begin a new one.")
ROUND_OVER = msgid("Round {number} is over.")
ROUND_BEGUN = msgid("Round {number} has begun: its seating stays.")
OTHER_ROUND = msgid("The next round is round {following}, not {number}: load the page again.")
TOO_FEW_PLAYERS = msgid("A table needs four players; {present} are present.")
TOO_FEW_FINALISTS = msgid("The final needs four players of the standings; {present} are present.")
FINAL_EXISTS = msgid("This season already has its final.")
NOT_PRESENT = msgid("This player is not at the meeting.")
NOT_SEATED = msgid("This player is not seated in this round.")
ALREADY_SEATED = msgid("{name} is already seated in this round.")
NO_SUCH_TABLE = msgid("Nobody is seated at table {table} in round {number}.")
WRONG_POINTS = msgid("Enter the points of the four players as whole numbers.")
POINTS_NOT_ZERO = msgid("The points of a table add up to 0; these add up to {total}.")
WRONG_PENALTY = msgid("Enter the points or table points to deduct, as whole numbers above 0.")
ALREADY_UNDONE = msgid("This was already taken back.")
