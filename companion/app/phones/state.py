"""The page for phones and television as a frozen value: whether it is served, its link, how many watch. No
Kivy."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.app.effects import ComeToFront, Effect
from companion.app.feature import BarButton, FeatureState
from companion.app.news import News, PhonesWanted
from companion.sentences import Sentence, msgid

NO_NETWORK = msgid(
    "This computer is in no network, so only its own browser can open the page. Connect it to your Wi-Fi: the"
    " code then appears here."
)


@dataclass(frozen=True, slots=True)
class StartServing(Effect):
    """Serve the running game to the network."""


@dataclass(frozen=True, slots=True)
class StopServing(Effect):
    """Serve it no longer."""


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
    trouble: why it could not be switched on."""

    served: ServedPage | None = None
    films: bool = False
    trouble: Sentence | None = None
    starts: bool = False

    @property
    def page(self) -> str:
        return "phones"

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

    def turn(self, on: bool) -> Phones:
        """Switch it on or off, unless that is under way."""
        if on == self.is_on or self.busy is not None:
            return self
        if on:
            starting = replace(self, starts=True, trouble=None)
            return starting.work(Sentence("Opening the page …")).also(StartServing())
        return replace(self, served=None).work(Sentence("Closing the page …")).also(StopServing())

    def offer_link(self, films: bool) -> Phones:
        """Show the link for a phone's camera, or the one for watching."""
        return replace(self, films=films)

    def serve(self, page: ServedPage) -> Phones:
        """It is served from now on."""
        return replace(self, served=page).work(None)

    def fail(self, why: Sentence) -> Phones:
        """It cannot be served."""
        return replace(self, trouble=why).work(None)

    def see(self, page: ServedPage) -> Phones:
        """Its link and its viewers are these now."""
        return self if self.served is None else replace(self, served=page)

    def work(self, doing: Sentence | None) -> Phones:
        """Also after a fault it no longer starts."""
        return replace(self, busy=doing, starts=self.starts and doing is not None)

    def on_news(self, news: News) -> Phones:
        return self.enter() if isinstance(news, PhonesWanted) else self
