"""What a person does with a game, done with the game "plain" that the manual prints: run by test_recipe.py.

Its argument is an empty folder. It prints a word for each part that went well.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(1, str(Path(__file__).parents[1] / "app"))

from companion.coach.play.simulation import play
from companion.game.game import Game
from companion.rules import decode_request, describe, rule_set, score, shanten, useful_tiles, waits
from companion.table.apply import fold
from companion.table.events import Event, GameStarted, decode_log, encode_log
from companion.tiles import parse_meld, parse_tiles

if TYPE_CHECKING:
    from app_driver import Driver

REQUEST = {
    "rules": "plain",
    "hand": "234567m55p678s",
    "melds": ["p777z"],
    "winning_tile": "8s",
    "winner": 1,
    "source": "discard",
    "from": 2,
}
HANDS = 200
KEPT_HANDS = 4


def scores(folder: Path) -> None:
    assert score(decode_request(REQUEST)).payments == (0, 3, -3, 0)
    drawn = {**REQUEST, "source": "self_draw", "hand": "234567m55p678s", "base": 2}
    assert score(decode_request(drawn)).payments == (-6, 18, -6, -6)
    pairs = {**REQUEST, "hand": "1122334455m6677z", "melds": [], "winning_tile": "1m"}
    assert score(decode_request(pairs)).payments == (0, 1, -1, 0)
    assert [row["name_zh"] for row in describe(rule_set("plain"))["rows"]] == ["胡牌", "箭刻"]
    request = folder / "request.json"
    request.write_text(json.dumps(REQUEST), encoding="utf-8")
    printed = run("score", "--request", str(request), "--json")
    assert json.loads(printed)["payments"] == [0, 3, -3, 0]


def waits_and_shanten() -> None:
    plain, dragons = rule_set("plain"), (parse_meld("p777z"),)
    ready = parse_tiles("234567m55p67s")
    assert [tile.code for tile in waits(plain, ready, dragons)] == ["5s", "8s"]
    assert shanten(plain, ready, dragons) == 0
    apart = parse_tiles("23467m55p67s1z")
    assert shanten(plain, apart, dragons) == 1
    assert useful_tiles(plain, apart, dragons)


def is_played() -> list[Event]:
    begun = GameStarted(rules="plain")
    hands = list(play(begun, HANDS, random.Random(1)))
    assert len(hands) == HANDS
    won = [result for hand in hands if hand.after.hand for result in hand.after.hand.results]
    assert len(won) > HANDS // 2
    assert {line.id for result in won for line in result.score.lines} == {"win", "dragons"}
    return [begun, *(step.event for hand in hands[:KEPT_HANDS] for step in hand.steps)]


def is_kept(folder: Path, events: list[Event]) -> None:
    path = folder / "plain.game"
    with Game.begin(path, events[0]) as game:
        for event in events[1:]:
            game.append(event)
        stood = game.state
    with Game.resume(path) as game:
        assert game.state == stood
    log = folder / "plain.jsonl"
    log.write_bytes(b"".join(encode_log(events)))
    replayed = fold(event for _, event in decode_log(log.read_bytes().splitlines()))
    assert replayed is not None
    assert replayed.points == stood.points
    run("replay", str(log))


def is_shown(folder: Path) -> None:
    from app_driver import draw_picture

    tiles = "2m 3m 4m 5m 6m 7m 5p 5p 6s 7s 8s 7z 7z 7z"
    window = open_window(folder, tiles)
    window.touch(window.pages.table.win.rules)
    offered = {button.text: button for button in window.pages.table.win.rules.list.container.children}
    window.touch(offered["Plain"])
    assert window.state.draft.rules == "plain"
    window.open(draw_picture(folder / "hand.png", tiles))
    assert window.says("Dragon Pung")
    assert window.says("3 points")
    window.close()


def open_window(folder: Path, tiles: str = "") -> Driver:
    """The real window on that data folder, which reads these tiles in every picture."""
    from companion.app.shell import boot

    boot.prepare(folder / "kivy")
    from app_driver import SIZES, Driver, ScriptedReader
    from kivy.base import EventLoop

    EventLoop.ensure_window()
    if EventLoop.status != "started":
        EventLoop.start()
    return Driver(folder, ScriptedReader(codes=tiles), SIZES["tablet"])


def run(*arguments: str, status: int = 0) -> str:
    """What `companion` prints when it ends with that status: its answer, or its complaint."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stderr
    return done.stderr if status else done.stdout


if __name__ == "__main__":
    FOLDER = Path(sys.argv[1])
    scores(FOLDER)
    print("scored")
    waits_and_shanten()
    print("waited")
    EVENTS = is_played()
    print("played")
    is_kept(FOLDER, EVENTS)
    print("kept")
    is_shown(FOLDER)
    print("shown")
