"""The devices at the table, as the shell knows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from companion.app.devices.state import (
    BeginListening,
    Devices,
    DevicesController,
    Listen,
    PlayGame,
    WatchPorts,
)
from companion.app.effects import Effect, ShowMessage
from companion.app.feature import Controller, Page, SavedPart
from companion.app.mirror import GameMirror
from companion.game.updates import Post
from companion.live.devices import ChosenDevices
from companion.live.running import RunningGame


class DevicesFeature:
    """Keeps which devices are listened to. `links` exists from `begin` on."""

    name = "devices"
    part: SavedPart | None = SavedPart(ChosenDevices, lambda choice: choice.is_valid)

    def __init__(self, game: RunningGame, mirror: GameMirror, post: Post) -> None:
        self.game = game
        self._mirror = mirror
        self._post = post
        self.links: DevicesController

    def begin(self, kept: ChosenDevices | None, controller: Controller[Devices]) -> Devices:
        self.links = DevicesController(
            self.game,
            self._mirror,
            self._post,
            changed=lambda: controller.do(lambda state: state.see(self.links.view)),
            kept=lambda: controller.do(Devices.keep),
            asked=lambda seat, game: controller.do(lambda state: state.ask_winner(seat, game)),
            say=lambda sentence: controller.do(lambda state: state.also(ShowMessage(sentence))),
        )
        return Devices(self.links.view).also(BeginListening(kept)) if kept else Devices(self.links.view)

    def keep(self, state: Devices) -> ChosenDevices:
        return self.links.choice

    def perform(self, effect: Effect, controller: Controller[Devices]) -> None:
        match effect:
            case BeginListening(choice):
                self.links.begin(choice)
            case Listen(target):
                self.links.listen(target)
            case WatchPorts():
                self.links.watch_ports()
            case PlayGame(game):
                self.links.play(game)

    def offer_pages(self, controller: Controller[Devices]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.devices.page import DevicesPage

        return {"devices": partial(DevicesPage, controller, self.links)}

    def close(self) -> None:
        self.links.close()
        self.game.close()
