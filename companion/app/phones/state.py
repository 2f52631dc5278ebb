"""The page for phones and television as a frozen value: whether it is served, its link, how many watch, who
holds the seats, and the win that a phone has entered. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.app.effects import ComeToFront, Effect, GoBack, SendNews, ShowMessage
from companion.app.feature import BarButton, FeatureState
from companion.app.news import ClubWanted, Covered, News, PhonesWanted, SoundWanted, Uncovered
from companion.live.tones import Cue
from companion.sentences import Sentence, msgid

if TYPE_CHECKING:  # which brings the server, and few evenings have a television
    from companion.serve.remote import RemoteView

NO_NETWORK = msgid(
    "This computer is in no network, so only its own browser can open the page. Connect it to your Wi-Fi: the"
    " code then appears here."
)


DEAD = msgid("The page for phones has ended by itself. Switch it on again.")
CALLS = msgid("{who} calls mahjong!")


@dataclass(frozen=True, slots=True)
class StartServing(Effect):
    """Serve the running game to the network."""


@dataclass(frozen=True, slots=True)
class StopServing(Effect):
    """Serve it no longer."""


@dataclass(frozen=True, slots=True)
class JudgeEntry(Effect):
    """The win with that number, which a phone has entered, is confirmed or rejected."""

    number: int
    right: bool


@dataclass(frozen=True, slots=True)
class TakeAway(Effect):
    """The phone of that person holds the seat no longer."""

    person: int


@dataclass(frozen=True, slots=True)
class ServedPage:
    """link: with its token. viewers: how many pages are open. in_network: whether other devices can reach
    this one. encrypted: the link by HTTPS, which leads to the phone's camera; fingerprint: of its
    certificate."""

    link: str
    viewers: int
    in_network: bool
    encrypted: str = ""
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class Phones(FeatureState):
    """served: None while it is off, as at each start. films: whether the link for a phone's camera is shown.
    trouble: why it could not be switched on. remote: the seats and what their phones do. in_front: whether
    its page is in front; came: because a phone entered a win."""

    served: ServedPage | None = None
    films: bool = False
    trouble: Sentence | None = None
    starts: bool = False
    remote: RemoteView | None = None
    in_front: bool = False
    came: bool = False

    @property
    def page(self) -> str:
        return "phones" if self.remote is None or self.remote.entry is None else "phone_entry"

    @property
    def is_on(self) -> bool:
        return self.starts or self.served is not None

    @property
    def link(self) -> str:
        """The link that is shown; none while it is off."""
        if self.served is None:
            return ""
        return self.served.encrypted if self.films else self.served.link

    @property
    def wrong(self) -> Sentence | None:
        """Why phones cannot open the page, where they cannot."""
        is_alone = self.served is not None and not self.served.in_network
        return Sentence(NO_NETWORK) if is_alone else self.trouble

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        return (
            BarButton(
                "phones", Sentence("Phones and television"), "phone", 100, Phones.enter, chosen=self.is_on,
                menu=True, opens="phones",
            ),
        )  # fmt: skip

    def enter(self) -> Phones:
        return self.also(ComeToFront())

    def show_club(self) -> Phones:
        """Have the page of the club shown."""
        return self.also(SendNews(ClubWanted()))

    def turn(self, on: bool) -> Phones:
        """Switch it on or off, unless that is under way."""
        if on == self.is_on or self.busy is not None:
            return self
        if on:
            starting = replace(self, starts=True, trouble=None)
            return starting.work(Sentence("Opening the page …")).also(StartServing())
        return (
            replace(self, served=None, remote=None).work(Sentence("Closing the page …")).also(StopServing())
        )

    def offer_link(self, films: bool) -> Phones:
        """Show the link for a phone's camera, or the one for watching."""
        return replace(self, films=films)

    def serve(self, page: ServedPage) -> Phones:
        """It is served from now on."""
        return replace(self, served=page).work(None)

    def fail(self, why: Sentence) -> Phones:
        """It cannot be served."""
        return replace(self, trouble=why).work(None)

    def die(self) -> Phones:
        """It has ended by itself."""
        why = Sentence(DEAD)
        return replace(self, served=None, remote=None, trouble=why).work(None).also(ShowMessage(why))

    def follow(self, remote: RemoteView) -> Phones:
        """The seats and what their phones do are this now: a win comes to the front until it is settled."""
        if not self.is_on:
            return self
        before, after = self.remote, replace(self, remote=remote)
        if before is not None and len(remote.calls) > len(before.calls):
            called = Sentence(CALLS, {"who": remote.name(remote.calls[-1])})
            after = after.also(ShowMessage(called, trouble=False), SendNews(SoundWanted(Cue.QUESTION)))
        waited = None if before is None else before.entry
        if remote.entry is not None and (waited is None or waited.number != remote.entry.number):
            came = self.came or not self.in_front
            return replace(after, came=came).also(ComeToFront(), SendNews(SoundWanted(Cue.QUESTION)))
        if waited is not None and remote.entry is None:
            after = replace(after, came=False).also(*[GoBack()] * (self.came and self.in_front))
        if remote.outcome is not None and remote.outcome != (before and before.outcome):
            after = after.also(ShowMessage(remote.outcome, trouble=False))
        return after

    def judge(self, right: bool) -> Phones:
        """All four have seen the win: it is right, or not."""
        if self.busy is not None or self.remote is None or self.remote.entry is None:
            return self
        return self.work(Sentence("Entering …")).also(JudgeEntry(self.remote.entry.number, right))

    def take_away(self, person: int) -> Phones:
        """The phone of that person holds the seat no longer."""
        return self.also(TakeAway(person))

    def see(self, page: ServedPage) -> Phones:
        """Its link and its viewers are these now."""
        return self if self.served is None else replace(self, served=page)

    def work(self, doing: Sentence | None) -> Phones:
        """Also after a fault it no longer starts."""
        return replace(self, busy=doing, starts=self.starts and doing is not None)

    def on_news(self, news: News) -> Phones:
        match news:
            case PhonesWanted():
                return self.enter()
            case Uncovered():
                return replace(self, in_front=True)
            case Covered():
                return replace(self, in_front=False, came=False)
        return self
