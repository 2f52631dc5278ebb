"""The game that the window follows is kept: killed, it goes on; devices and touches report into it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from app_driver import SIZES
from device_driver import connected, do
from film_player import Film, Player, is_open

from companion.game import shelf
from companion.game.file import GameEntry
from companion.game.game import Game
from companion.table.events import Call, Called, Corrected, Discarded, apply_corrections, decode_event
from firmware_bridge.emulator import EmulatedDevice
from tests.programs import started

pytestmark = pytest.mark.long  # quick: a kill in test_saving.py, all observers at once in test_mixed_hand.py

HERE = Path(__file__).parent
KILLED_AFTER = 3
"""Discards."""
KILLED = """
import json, sys
from pathlib import Path
from companion.app.shell import boot

folder = Path(sys.argv[1])
boot.prepare(folder / "kivy")
from kivy.base import EventLoop
from kivy.core.window import Window

EventLoop.ensure_window()
EventLoop.start()
from app_driver import SIZES
from film_player import Film, Player

player = Player(folder, Film(Path(sys.argv[2]), [], [], []), SIZES["small"])
player.projector.stops_at = int(sys.argv[3])
player.follow()
said = None
while True:
    player.wait(lambda: player.state.followed is not None)
    known = [(each.number, each.event.__struct_config__.tag) for each in player.followed.entries]
    if known != said:
        said = known
        print(json.dumps([player.projector.at, known]), flush=True)
    player.driver.frames(1)
"""


def discards_of(entries: list[GameEntry]) -> list[tuple[int, str | None]]:
    events = [decode_event(entry.event) for entry in entries]
    return [(event.seat, event.tile) for event in apply_corrections(events) if isinstance(event, Discarded)]


def test_a_window_that_is_killed_goes_on_with_all_that_was_confirmed(
    kivy_window: None, tmp_path: Path, film: Film
) -> None:
    known: list[list[Any]] = []
    with started(
        [sys.executable, "-c", KILLED, str(tmp_path), str(film.video), str(film.still_at[KILLED_AFTER - 1])],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (HERE, HERE.parents[1])))},
        stdout=subprocess.PIPE, text=True,
    ) as program:  # fmt: skip
        assert program.stdout is not None
        for line in program.stdout:
            at, known = json.loads(line)
            if sum(said == "discarded" for _, said in known) >= KILLED_AFTER:
                break
        program.kill()
        program.wait()
    assert sum(said == "discarded" for _, said in known) >= KILLED_AFTER
    (name,) = shelf.names()
    with Game.resume(shelf.find(name)) as kept:
        before = kept.file.standing
    assert discards_of(before) == film.discards[: len(discards_of(before))]
    tags = [json.loads(entry.event)["event"] for entry in before]
    assert [tags[number - 1] for number, _ in known] == [said for _, said in known]

    player = Player(tmp_path, film, SIZES["small"], begins_at=at)
    driver = player.driver
    try:
        driver.touch(driver.root.bar.buttons["game"])
        driver.press(f"Continue {name}")
        player.wait(lambda: player.state.shows_table)
        driver.frames(3)
        player.go_on()
        player.wait(lambda: player.state.runs and len(player.discards) >= len(film.discards))
        assert player.discards[:KILLED_AFTER] == discards_of(before)[:KILLED_AFTER]
        assert player.discards == film.discards
        assert shelf.names() == [name]
    finally:
        driver.close()
    with Game.resume(shelf.find(name)) as kept:
        assert kept.file.standing[: len(before)] == before
        assert len(kept.file.standing) > len(before)


def test_devices_and_touches_feed_the_game_that_the_camera_follows(
    player: Player, film: Film, table: EmulatedDevice
) -> None:
    driver = player.driver
    driver.touch(driver.root.bar.buttons["devices"])
    connected(driver, table)
    player.follow()
    player.wait(lambda: player.state.runs and len(player.discards) >= 2)
    do(table, "press", "3", "2")
    player.wait(lambda: any(isinstance(each.event, Called) for each in player.followed.entries))
    player.wait(lambda: len(player.discards) >= len(film.discards))
    assert player.discards == film.discards
    entry = next(each for each in player.followed.entries if isinstance(each.event, Called))
    driver.controller.do("game", lambda state: state.take_out(entry.number))
    player.wait(lambda: player.followed.find(entry.number) is None)
    driver.touch(player.page.table.tools.camera)
    driver.press("Stop")
    driver.game.leave()
    player.wait(lambda: not is_open(driver))
    (name,) = shelf.names()
    with Game.resume(shelf.find(name)) as kept:
        events = [decode_event(each.event) for each in kept.file.standing]
    assert Called(seat=3, call=Call.NOTHING) in events
    assert sum(isinstance(each, Discarded) for each in events) == len(film.discards)
    assert any(isinstance(each, Corrected) for each in events)
