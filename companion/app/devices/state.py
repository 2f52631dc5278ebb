"""The devices of the running game as the window shows them, and the controller that subscribes to them. More
than one update between two frames is shown once. No Kivy."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

from companion.app.effects import AskQuestion, ComeToFront, Effect, Keep
from companion.app.feature import BarButton, FeatureState
from companion.app.mirror import GameMirror
from companion.app.news import DevicePageWanted, DeviceWanted, GameAtTable, News, SeatWins
from companion.app.text import name_seats
from companion.game.proposals import ASK_ALWAYS
from companion.game.updates import GameOpened, OperationFailed, Post, Update
from companion.live.devices import ChosenDevices, DeviceReported, DevicesChanged, DevicesView
from companion.live.running import RunningGame
from companion.rules import RULE_SETS
from companion.sentences import Sentence
from companion.table.events import GameStarted
from companion.table.state import State
from firmware_bridge.events import Button


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
    """devices: the state of each device, and what it reported."""

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
        """Show the devices, and search for ports as long as the window is open."""
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
        return self.also(AskQuestion(pressed, Sentence("{who} wins", {"who": who}), SeatWins(seat)))

    def on_news(self, news: News) -> Devices:
        match news:
            case GameAtTable():
                return self.also(PlayGame(news))
            case DeviceWanted(target):
                return self.also(Listen(target))
            case DevicePageWanted():
                return self.enter()
        return self


class DevicesController:
    """Everything here is called on the window's thread.

    `changed` is called when the view changes, `kept` when the choice does; `asked` gets the seat whose win
    button was pressed, and the game in which; `say` says a sentence across the window.
    """

    def __init__(
        self,
        game: RunningGame,
        mirror: GameMirror,
        post: Post,
        *,
        changed: Callable[[], None],
        kept: Callable[[], None],
        asked: Callable[[int, State], None],
        say: Callable[[Sentence], None],
    ) -> None:
        self.view = DevicesView()
        self.choice = ChosenDevices()
        self._game = game
        self._mirror = mirror
        self._post = post
        self._changed = changed
        self._kept = kept
        self._asked = asked
        self._say = say
        self._start: GameStarted | None = None
        self._newest = DevicesView()
        self._is_posted = False
        self._lock = threading.Lock()
        self._is_begun = True
        self._is_closed = False
        game.subscribe(self._take)

    def begin(self, choice: ChosenDevices) -> None:
        """Listen to what was chosen before."""
        self.choice = choice
        self._is_begun = False  # until then the view has none of these devices
        self._game.begin_devices(choice).add_done_callback(self._note_begun)

    def watch_ports(self) -> None:
        """Know from now on which ports there are."""
        self._game.watch_ports()

    def listen(self, target: str) -> None:
        """Listen to the device at that port, from now on and in later runs."""
        self._game.listen(target)

    def forget(self, target: str) -> None:
        """Listen to it no longer."""
        self._game.forget(target)

    def seat(self, target: str, first_seat: int) -> None:
        """Say which seat the device's side 0 is at."""
        self._game.seat_device(target, first_seat)

    def shuffle(self, target: str) -> None:
        """Have the table there shuffle for the next hand of the game."""
        self._game.shuffle(target)

    def look_for(self, looking: bool) -> None:
        """Whether to ask the ports with a USB id which devices are there."""
        self._game.look_for_devices(looking)

    def play(self, game: GameAtTable) -> None:
        """What devices report is shown as it would be for that game, in which a hand is about to begin, as
        long as no kept game is played; nothing of it is entered by itself.
        """
        rules, options = RULE_SETS[game.rules], dict(game.options)
        seats = rules.seats(rules.settings(options))
        dealer = game.dealer if game.dealer in seats else seats[0]
        start = GameStarted(rules=game.rules, options=options, dealer=dealer)
        if start != self._start:
            self._start = start
            self._game.play(start, ASK_ALWAYS)

    def close(self) -> None:
        """Nothing is shown from now on."""
        self._is_closed = True

    def _take(self, update: Update) -> None:
        """On the thread of the running game."""
        match update:
            case GameOpened(progress=None):
                self._on_window(self._play_again)
            case DevicesChanged(devices=devices):
                with self._lock:
                    self._newest = devices
                    is_posted, self._is_posted = self._is_posted, True
                if not is_posted:
                    self._on_window(self._show_newest)
            case DeviceReported(meaning=meaning) if meaning.request and meaning.request.button == Button.WIN:
                seat = meaning.request.seat
                self._on_window(lambda: self._ask_winner(seat))
            case OperationFailed(sentence=sentence):
                self._on_window(lambda: self._say(sentence))

    def _ask_winner(self, seat: int | None) -> None:
        progress = self._mirror.played.progress
        if progress is not None and seat is not None and seat in progress.state.house.seats:
            self._asked(seat, progress.state)

    def _play_again(self) -> None:
        """Nothing is played any more: what devices report is for the hand at the table again."""
        if self._start is not None:
            self._game.play(self._start, ASK_ALWAYS)

    def _note_begun(self, _: Future[None]) -> None:
        self._is_begun = True

    def _on_window(self, call: Callable[[], None]) -> None:
        self._post(lambda: None if self._is_closed else call())

    def _show_newest(self) -> None:
        is_begun = self._is_begun
        with self._lock:
            self.view, self._is_posted = self._newest, False
        if is_begun and self.view.choice != self.choice:
            self.choice = self.view.choice
            self._kept()
        self._changed()
