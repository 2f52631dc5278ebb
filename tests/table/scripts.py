"""Scripted hands as data: files of JSON lines, in which a case is a line that names it and those after it.

- `{"case": …, "ruling": …, "game": {…}}` what it shows, and the fields of the game_started that begins it;
- an event, as in any log: it must be accepted;
- `{"play_on": n, "keep": tiles}` the players draw and discard until n tiles are left in the live wall, no
  kind of `keep` among them; `{"play_out": true}` a whole hand in which nobody wins;
- `{"refused": event, "ruling": …, "words": …}` the event must be refused, by that ruling, in such words;
- `{"expect": {path: value}}` facts of the state as JSON (view.py); numbers in a path count from 0.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.errors import EventError
from companion.table.apply import apply
from companion.table.events import (
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandDrawn,
    HandStarted,
    IndicatorTurned,
    decode_event,
)
from companion.table.state import HandState, Phase, State
from companion.table.view import state_json
from companion.tiles import KINDS, Tile, parse_tiles

Step = dict[str, Any]
Case = dict[str, Any]


def read(file: Path) -> list[Case]:
    """The cases of a file, each with its `steps`."""
    cases: list[Case] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        step = json.loads(line)
        if "case" in step:
            cases.append({**step, "steps": []})
        else:
            cases[-1]["steps"].append(step)
    return cases


class Player:
    """Plays a case; `log` are the events so far, `state` is where they lead."""

    def __init__(self, case: Case) -> None:
        self.log: list[Event] = []
        self.state: State | None = None
        self.do(msgspec.convert(case["game"], GameStarted))

    @property
    def now(self) -> State:
        assert self.state is not None
        return self.state

    def do(self, event: Event) -> None:
        self.state = apply(self.state, event)
        self.log.append(event)

    def step(self, step: Step) -> None:
        if "event" in step:
            self.do(decode_event(json.dumps(step)))
        elif "play_on" in step:
            self.play_on(step["play_on"], step.get("keep", ""))
        elif "play_out" in step:
            self.play_out()
        elif "refused" in step:
            self.refused(step)
        else:
            for path, value in step["expect"].items():
                assert (path, found(state_json(self.now), path)) == (path, value)

    def refused(self, step: Step) -> None:
        before = self.now
        with pytest.raises(EventError, match=re.escape(step["words"])) as error:
            apply(before, decode_event(json.dumps(step["refused"])))
        assert error.value.ruling == step["ruling"]
        assert self.now == before

    def play_on(self, left: int, keep: str = "") -> None:
        kept = parse_tiles(keep)
        hand = self.hand
        if hand.phase is not Phase.CLAIM:
            self.do(Discarded(seat=hand.turn, tile=self.free(kept).code))
        while self.hand.wall.live_left > left:
            seat, tile = self.hand.turn, self.free(kept).code
            self.do(Drawn(seat=seat, tile=None if self.hand.players[seat].hidden else tile))
            self.do(Discarded(seat=seat, tile=tile))

    @property
    def hand(self) -> HandState:
        assert self.now.hand is not None
        return self.now.hand

    def free(self, kept: tuple[Tile, ...]) -> Tile:
        """The first kind of which one is left that nobody saw."""
        copies, known = self.now.house.copies, self.hand.known
        return next(k for k in KINDS[:34] if k not in kept and known[k.index] < copies[k.index])

    def play_out(self) -> None:
        house = self.now.house
        self.do(HandStarted(dealer=self.now.deal.dealer))
        self.do(Dealt())
        if house.wall.indicator_dice:
            self.do(IndicatorTurned(tile="9s"))
        self.play_on(house.wall.sea)
        for _ in range(house.wall.sea):
            hand = self.hand
            self.do(Drawn(seat=house.following[hand.turn] if hand.phase is Phase.SEA else hand.turn))
        self.do(HandDrawn())


def found(value: Any, path: str) -> Any:
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value
