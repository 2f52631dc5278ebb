"""Sentences of the served page's answers. In `companion/words/locale` in the other languages."""

from __future__ import annotations

from companion.sentences import msgid

NO_GAME = msgid("No game is being played: start one first.")
FULL = msgid("This table has all the viewers it can have: {count}. You see it as soon as one leaves.")
BUSY = msgid("This table has too many connections. Try again in a minute.")
SLOW = msgid("The request took too long. Load the page again.")
NO_REQUEST = msgid("This is not a request that the page makes. Load the page again.")
OTHER_HOST = msgid("This address is not the table's. Open the link that the table shows.")
OTHER_ORIGIN = msgid("Only the table's own page may ask for this. Open the link that the table shows.")
OUTDATED = msgid("This page is of another version of the program. Load it again.")
NOTHING_HERE = msgid("Nothing is at this address. Open the link that the table shows.")
WRONG_METHOD = msgid("This address does not take such requests. Open the link that the table shows.")
BROKEN = msgid("Something inside the program went wrong. Load the page again.")
TOO_LARGE = msgid("The picture is too large: at most {most} MB.")
NO_PICTURE = msgid("There is no picture in the request.")
TOO_OFTEN = msgid("Too many pictures were sent. Try again in {seconds} seconds.")
READING = msgid("Other pictures are being read. Try again in a minute.")
NOT_READ = msgid("The picture could not be read in time. Take it again with fewer tiles in it.")
REQUEST_TOO_LARGE = msgid("The request for a score is too large: at most {most} kB.")
SCORED_TOO_OFTEN = msgid("Too many scores were asked for. Try again in {seconds} seconds.")
OTHER_PHONE = msgid("Another phone is the table's camera. This one takes over when it leaves.")
NOT_ASKED = msgid("The table has not asked for this picture yet.")
NOT_JPEG = msgid("This is not a picture of the page's camera. Load the page again.")
