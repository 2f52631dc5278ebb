"""The hands of a planned evening, as a table lays them one by one, and how people see each end."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.coach.play.simulation import PlayedHand, Step
from companion.table.apply import apply
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Discarded,
    FlowerSetOut,
    HandStarted,
    Won,
)
from companion.table.knowledge import event_as_seen
from companion.table.state import State
from lab.window_bench.evening_plan import Evening, Named, name_win

LAID = (Discarded, Claimed, ConcealedKong, AddedKong, FlowerSetOut)
"""What a camera sees happen before a hand is over."""


@dataclass(frozen=True, slots=True)
class LaidHand:
    """A hand of the evening; end: where its end stands among its steps. begins, until: how many events of the
    plan that are named come before it, and before the next one."""

    played: PlayedHand
    end: int
    begins: int
    until: int

    @property
    def dice(self) -> tuple[int, ...]:
        event = self.played.steps[0].event
        assert isinstance(event, HandStarted)
        return event.dice or ()

    @property
    def laid(self) -> int:
        """How many times tiles are laid before it ends."""
        return sum(isinstance(step.event, LAID) for step in self.played.steps[: self.end])

    @property
    def ends(self) -> list[Named]:
        """The wins, or the draw, as people see them."""
        states = [self.played.before, *(step.state for step in self.played.steps)]
        seen = [
            event_as_seen(states[at], self.played.steps[at].event, None)
            for at in range(self.end, len(self.played.steps))
            if isinstance(self.played.steps[at].event, Won) or at == len(self.played.steps) - 1
        ]
        after = self.played.after
        return [name_win(after, event) if isinstance(event, Won) else (event, None) for event in seen]

    def find_giver(self, winner: int) -> int | None:
        """Whose tile the player won on; None where it was drawn."""
        over = self.played.after.hand
        assert over is not None
        return next(result.discarder for result in over.results if result.winner == winner)

    def count_steps(self, laid: int) -> int:
        """After how many steps that many tiles were laid."""
        for at, step in enumerate(self.played.steps):
            if not laid:
                return at
            laid -= isinstance(step.event, LAID)
        return self.end


def part_hands(evening: Evening) -> list[LaidHand]:
    """The hands of an evening in which nothing else was booked."""
    state: State = apply(None, evening.start)
    hands: list[LaidHand] = []
    steps: list[Step] = []
    before, begins = state, 0
    named = [at for at, (event, _) in enumerate(evening.named) if isinstance(event, HandStarted)]
    named.append(len(evening.named))
    for event in evening.truth[1:]:
        if isinstance(event, HandStarted):
            before, steps = state, []
            begins = named[len(hands)]
        was_playing = state.playing
        state = apply(state, event)
        steps.append(Step(event, state))
        if was_playing and not state.playing:
            end = len(steps) - 1
            hands.append(
                LaidHand(
                    PlayedHand(1, evening.start, before, tuple(steps)), end, begins, named[len(hands) + 1]
                )
            )
        elif not state.playing and hands:  # another winner
            hands[-1] = replace(hands[-1], played=PlayedHand(1, evening.start, before, tuple(steps)))
    return hands
