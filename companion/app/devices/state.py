"""The devices at the table, as the window shows them. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from companion.app.effects import Ask, ComeToFront, Effect, Keep
from companion.app.feature import BarButton, FeatureState
from companion.app.news import DevicePageWanted, DeviceWanted, GameAtTable, News, SeatWins
from companion.app.text import name_seats
from companion.live.devices import ChosenDevices, DevicesView
from companion.sentences import Sentence
from companion.table.state import State


@dataclass(frozen=True, slots=True)
class BeginListening(Effect):
    """Listen to what was chosen before."""

    choice: ChosenDevices


@dataclass(frozen=True, slots=True)
class Listen(Effect):
    """Listen to that device too."""

    target: str


@dataclass(frozen=True, slots=True)
class WatchPorts(Effect):
    """Know from now on which ports there are."""


@dataclass(frozen=True, slots=True)
class PlayGame(Effect):
    """What devices report is for that game."""

    game: GameAtTable


@dataclass(frozen=True, slots=True)
class Devices(FeatureState):
    """devices: how each stands, and what it reported."""

    devices: DevicesView = field(default_factory=DevicesView)

    @property
    def page(self) -> str:
        return "devices"

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        return (
            BarButton(
                "devices", Sentence("Devices"), "dice", 100, Devices.enter,
                chosen=self.devices.is_connected, menu=True,
            ),
        )  # fmt: skip

    def enter(self) -> Devices:
        """Show which devices there are, and look for ports as long as the window is open."""
        return self.also(WatchPorts(), ComeToFront())

    def see(self, devices: DevicesView) -> Devices:
        return replace(self, devices=devices)

    def keep(self) -> Devices:
        """The choice of devices has changed."""
        return self.also(Keep())

    def ask_winner(self, seat: int, game: State) -> Devices:
        """That player pressed the win button: a person says whether it is so. game: in which."""
        who = name_seats(game)[seat]
        pressed = Sentence("{who}: the win button was pressed.", {"who": who})
        return self.also(Ask(pressed, Sentence("{who} wins", {"who": who}), SeatWins(seat)))

    def hear(self, news: News) -> Devices:
        match news:
            case GameAtTable():
                return self.also(PlayGame(news))
            case DeviceWanted(target):
                return self.also(Listen(target))
            case DevicePageWanted():
                return self.enter()
        return self
