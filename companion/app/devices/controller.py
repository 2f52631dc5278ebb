"""The devices of the running game as the window has them: what it shows, and what it asks for. No Kivy.

Subscribes to the running game. What comes in faster than frames are drawn is shown once a frame.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future

from companion.app.news import GameAtTable
from companion.game.proposals import ASK_ALWAYS
from companion.game.updates import GameOpened, PlayedGame, Post, Trouble, Update
from companion.live.devices import ChosenDevices, DeviceReported, DevicesChanged, DevicesView
from companion.live.running import RunningGame
from companion.rules import RULE_SETS
from companion.sentences import Sentence
from companion.table.events import GameStarted
from companion.table.state import State
from firmware_bridge.events import Button


class DevicesController:
    """Everything here is called on the window's thread.

    `changed` is called when the view changes, `kept` when the choice does; `asked` gets the seat whose win
    button was pressed, and the game in which; `say` says a sentence across the window.
    """

    def __init__(
        self,
        game: RunningGame,
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
        self._post = post
        self._changed = changed
        self._kept = kept
        self._asked = asked
        self._say = say
        self._start: GameStarted | None = None
        self._played = PlayedGame()
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
        self._played = self._played.take(update)
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
                seat, progress = meaning.request.seat, self._played.progress
                if progress is not None and seat in progress.state.house.seats:
                    self._on_window(lambda: self._asked(seat, progress.state))
            case Trouble(sentence=sentence):
                self._on_window(lambda: self._say(sentence))

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
