"""The page that turns the machine off, as a frozen value. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.app.effects import ComeToFront, Effect, GoBack
from companion.app.feature import BarButton, FeatureState
from companion.sentences import Sentence


@dataclass(frozen=True, slots=True)
class TurnOff(Effect):
    """Turn the machine off."""


@dataclass(frozen=True, slots=True)
class Power(FeatureState):
    """trouble: why it stayed on."""

    trouble: Sentence | None = None

    @property
    def page(self) -> str:
        return "power"

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        offer = Sentence("Turn off")
        return (BarButton("power", offer, "power", 100, Power.enter, menu=True, opens="power"),)

    def enter(self) -> Power:
        return replace(self, trouble=None).also(ComeToFront())

    def turn_off(self) -> Power:
        return self if self.busy else self.work(Sentence("Turning off …")).also(TurnOff())

    def fail(self, why: Sentence) -> Power:
        return replace(self, trouble=why).work(None)

    def step_back(self) -> Power:
        return self if self.busy else self.also(GoBack())
