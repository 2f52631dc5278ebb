"""The club that the running game is published for, as a frozen value: broker, club and table, the switch, and
what is going on. No Kivy."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from companion.app.effects import ComeToFront, Effect, Keep, ShowMessage
from companion.app.feature import FeatureState
from companion.app.news import ClubWanted, Covered, News, Uncovered
from companion.sentences import Sentence, msgid

ADDRESS_LETTERS_MAX = PATH_LETTERS_MAX = 1000
NAME_LETTERS_MAX = 100
"""The limit of a name in a topic."""
PASSWORD_LETTERS_MAX = 1000
PASSWORD_IN_ADDRESS = re.compile(r"^((?:[a-z]*://)?[^:@/\[]*):(?!//|\d{0,5}/?$)(?:.*(?=@)|.*)")
"""With what stands before it; also one that is still being typed, with the host missing."""

OFF = msgid("Nothing is sent.")
CONNECTING = msgid("Connecting, and sending what was not sent yet …")
NO_GAME = msgid("No game is open. The next one is sent from its beginning.")
SENT = msgid("{count} entries sent")
INCOMPLETE = msgid("Enter the address of the broker, the club and the table.")
PASSWORD_APART = msgid("Enter the password in its own field: what is in the address is saved.")
NO_USER = msgid("A password needs a user: enter the address as in mqtt://user@localhost.")
ASK_AGAIN = msgid(
    "The game is not published, because passwords are not saved. Enter the broker's password under Phones and"
    " television, Club, and switch it on."
)
NETWORK_REASONS = (
    msgid("Connection refused"), msgid("Connection reset by peer"), msgid("No route to host"),
    msgid("Network is unreachable"), msgid("timed out"), msgid("Name or service not known"),
    msgid("Temporary failure in name resolution"),
)  # fmt: skip
"""Reasons that the operating system reports for connections, marked here for translation."""


@dataclass(frozen=True, slots=True)
class Destination:
    """Where the game is published, as it is kept. address: of the broker, with the user. authority: the file
    with the certificate to trust, "" for the system's. is_on: whether it is published there."""

    address: str = ""
    club: str = ""
    table: str = ""
    authority: str = ""
    is_on: bool = False

    @property
    def is_valid(self) -> bool:
        """Whether it can have come from the window."""
        names, paths = (self.club, self.table), (self.address, self.authority)
        has_room = all(len(name) <= NAME_LETTERS_MAX for name in names)
        return has_room and all(len(path) <= ADDRESS_LETTERS_MAX for path in paths)

    @property
    def is_complete(self) -> bool:
        return bool(self.address and self.club and self.table)

    @property
    def has_password(self) -> bool:
        """Whether a password is in the address."""
        return PASSWORD_IN_ADDRESS.search(self.address) is not None

    def without_password(self) -> Destination:
        return replace(self, address=PASSWORD_IN_ADDRESS.sub(r"\1", self.address))


@dataclass(frozen=True, slots=True)
class StartPublishing(Effect):
    """Publish the running game there. again: as in the last run, for which there was a password."""

    destination: Destination
    password: str = field(default="", repr=False)
    again: bool = False


@dataclass(frozen=True, slots=True)
class StopPublishing(Effect):
    """Stop publishing."""


@dataclass(frozen=True, slots=True)
class Club(FeatureState):
    """password: as long as the window is open. game: the name of the game that is open, None without one;
    sent: how many of its entries are sent, None where not all are. trouble: what is in the way, or why it was
    switched off. in_front: whether its page is in front."""

    destination: Destination = Destination()
    password: str = field(default="", repr=False)
    game: str | None = None
    sent: int | None = None
    trouble: Sentence | None = None
    in_front: bool = False

    @property
    def page(self) -> str:
        return "club"

    @property
    def is_on(self) -> bool:
        return self.destination.is_on

    @property
    def status(self) -> Sentence:
        """What is going on."""
        if self.trouble is not None:
            return self.trouble
        if not self.is_on:
            return Sentence(OFF)
        if self.game is None:
            return Sentence(NO_GAME)
        return Sentence(CONNECTING) if self.sent is None else Sentence(SENT, {"count": self.sent})

    def change(self, destination: Destination) -> Club:
        """Enter another address, club, table or authority, while it is off."""
        if self.is_on:
            return self
        return replace(self, destination=destination, trouble=None).also(Keep())

    def enter_password(self, password: str) -> Club:
        return replace(self, password=password, trouble=None)

    def turn(self, on: bool) -> Club:
        """Switch it on or off, unless that is under way."""
        if on == self.is_on or self.busy is not None:
            return self
        if on and not self.destination.is_complete:
            return replace(self, trouble=Sentence(INCOMPLETE))
        if on and self.destination.has_password:
            return replace(self, trouble=Sentence(PASSWORD_APART))
        turned = self._turned(on).also(Keep())
        if on:
            start = StartPublishing(turned.destination, self.password)
            return turned.work(Sentence("Connecting …")).also(start)
        return turned.work(Sentence("Disconnecting …")).also(StopPublishing())

    def fail(self, why: Sentence) -> Club:
        """It could not be begun, or has ended by itself."""
        failed = replace(self._turned(False), trouble=why).work(None).also(Keep())
        return failed if self.in_front else failed.also(ShowMessage(why))

    def follow_game(self, game: str | None) -> Club:
        """Another game is open, or none."""
        return replace(self, game=game, sent=None)

    def catch_up(self, game: str, sent: int) -> Club:
        """All entries of that game are sent."""
        return replace(self, sent=sent) if self.is_on and game == self.game else self

    def report(self, trouble: Sentence | None) -> Club:
        """Show what is in the way, or None for nothing."""
        return replace(self, trouble=trouble) if self.is_on else self

    def on_news(self, news: News) -> Club:
        match news:
            case ClubWanted():
                return self.also(ComeToFront())
            case Uncovered():
                return replace(self, in_front=True)
            case Covered():
                return replace(self, in_front=False)
        return self

    def _turned(self, on: bool) -> Club:
        return replace(self, destination=replace(self.destination, is_on=on), sent=None, trouble=None)
