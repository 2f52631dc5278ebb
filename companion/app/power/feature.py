"""Turning the machine off, as the shell knows it. systemd does it: the game is on the disk already, and the
window ends as after any signal."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from functools import partial

from companion.app.effects import Effect
from companion.app.feature import Controller, Page, SavedPart
from companion.app.power.state import Power, TurnOff
from companion.sentences import Sentence, msgid

WHOLE_SCREEN = "COMPANION_WHOLE_SCREEN"
"""The environment variable that says that the window has the machine to itself; see deploy/pi."""
COMMAND = ("systemctl", "poweroff")
ANSWER_S = 30
STAYED_ON = msgid(
    "The machine cannot be turned off from here ({why}). Hold its button, or pull the plug: the game is kept."
)


def has_whole_screen() -> bool:
    return bool(os.environ.get(WHOLE_SCREEN))


class PowerFeature:
    """It keeps nothing."""

    name = "power"
    part: SavedPart | None = None

    def begin(self, kept: None, controller: Controller[Power]) -> Power:
        return Power()

    def keep(self, state: Power) -> None:
        """Nothing is kept."""

    def perform(self, effect: Effect, controller: Controller[Power]) -> None:
        if isinstance(effect, TurnOff):
            controller.work(_turn_off)

    def offer_pages(self, controller: Controller[Power]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.power.page import PowerPage

        return {"power": partial(PowerPage, controller)}

    def close(self) -> None:
        """It has no thread."""


def _turn_off() -> Callable[[Power], Power]:
    try:
        done = subprocess.run(COMMAND, capture_output=True, text=True, timeout=ANSWER_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        why = str(problem)
    else:
        if done.returncode == 0:
            return lambda state: state.work(None)
        why = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else str(done.returncode)
    return lambda state: state.fail(Sentence(STAYED_ON, {"why": why}))
