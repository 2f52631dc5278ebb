"""A game that is followed, as the window shows it, without any camera: for tests of how it looks."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from app_driver import Driver

from companion.app.game.followed import Entry, Followed
from companion.app.game.state import GameTable, Side
from companion.coach.play.simulation import play
from companion.following.decoder import NOT_OF_GAME
from companion.live.followed_game import OTHER_TABLE
from companion.live.follower import UNEXPLAINED
from companion.live.live_following import KnownTile, TablePicture
from companion.live.noticed import QuestionAsked
from companion.seeing.sights import NO_TABLE
from companion.seeing.table_camera import TableCamera, judge_pose
from companion.sentences import Sentence
from companion.table.apply import apply
from companion.table.events import Called, DealSet, Discarded, GameStarted, WinPassed, Won
from companion.table.knowledge import event_as_seen
from companion.table.possible import list_moves
from companion.table.state import Phase

SIZE = (960, 540)
NAMES = ("Annabelle-Louise", "Bartholomew", "陈小明", "Dai")
CORNERS = np.array([[160.0, 520.0], [800.0, 520.0], [700.0, 40.0], [260.0, 40.0]])
TABLE = ((160.0, 520.0), (800.0, 520.0), (700.0, 40.0), (260.0, 40.0))


class StillFollowing:
    """Has one picture for ever."""

    is_silent = False

    def __init__(self) -> None:
        image = np.full((SIZE[1], SIZE[0], 3), (70, 96, 44), np.uint8)
        cv2.fillConvexPoly(image, CORNERS.astype(np.int32), (120, 130, 120))
        tiles = []
        for at, code in enumerate(("5m", "7p", "1z")):
            x, y = 420.0 + 40 * at, 330.0
            quad = ((x, y), (x + 26, y), (x + 26, y + 34), (x, y + 34))
            tiles.append(KnownTile(quad, code, code == "7p"))
        self.picture = TablePicture(1, image, TABLE, tuple(tiles))


def get_state(driver: Driver) -> GameTable:
    state = driver.controller.view.states["game"]
    assert isinstance(state, GameTable)
    return state


def play_half(rules: str = "taiwanese", seed: int = 3) -> Followed:
    """A hand of built-in players, without its end."""
    hand = next(play(GameStarted(rules=rules, names=NAMES), 1, random.Random(seed)))
    state = apply(None, hand.start)
    followed = Followed(state)
    for number, step in enumerate(hand.steps[:-3], 2):
        followed = followed.enter(step.event, number, number % 7 > 0, step.state)
    return followed


def follow(companion: Driver, change: Callable[[Followed], Followed] = lambda known: known) -> None:
    following: Any = StillFollowing()
    pose = judge_pose(TableCamera.from_corners(CORNERS, *SIZE))
    known = change(play_half())
    do(companion, lambda state: replace(state.know(known, "friday"), following=following).run().enter())
    do(companion, lambda state: state.find_table(pose))


def do(companion: Driver, step: Callable[[GameTable], GameTable]) -> None:
    companion.controller.do("game", step)
    companion.frames(4)


def game_setup(companion: Driver, folder: Path) -> None:
    companion.touch(companion.root.bar.buttons["game"])


def game_followed(companion: Driver, folder: Path) -> None:
    follow(companion)


def game_players(companion: Driver, folder: Path) -> None:
    follow(companion)
    do(companion, lambda state: state.show_side(Side.KEYS))


def game_events(companion: Driver, folder: Path) -> None:
    follow(companion)
    do(companion, lambda state: state.show_side(Side.EVENTS))


def game_question(companion: Driver, folder: Path) -> None:
    def ask(known: Followed) -> Followed:
        entry = next(each for each in known.entries[::-1] if each.tile)
        return known.ask(QuestionAsked(1.0, entry.number, "discarded", (str(entry.tile), "5m", "9m", "7z")))

    follow(companion, ask)


def game_which_hand(companion: Driver, folder: Path) -> None:
    hands = ("123456m789p55s777z", "123456m789p55s677z", "456m789p55s777z K7777s", "123456m789p55s577z")

    def ask(known: Followed) -> Followed:
        said = Sentence("{who} wins", {"who": NAMES[2]})
        entry = Entry(known.count + 1, Won(seat=2, hand=hands[0]), said, False)
        listed = replace(known, entries=(*known.entries, entry))
        return listed.ask(QuestionAsked(1.0, entry.number, "won", hands))

    follow(companion, ask)


def game_who_deals(companion: Driver, folder: Path) -> None:
    def ask(known: Followed) -> Followed:
        said = Sentence("{who} deals next", {"who": NAMES[2]})
        entry = Entry(known.count + 1, DealSet(dealer=2), said, False)
        listed = replace(known, entries=(*known.entries, entry))
        return listed.ask(QuestionAsked(1.0, entry.number, "deal_set", ("2", "0")))

    follow(companion, ask)


def game_lost(companion: Driver, folder: Path) -> None:
    follow(companion, lambda known: known.lose(Sentence(UNEXPLAINED)))


def game_other_hand(companion: Driver, folder: Path) -> None:
    params = {"name": "'2026-11-23-1907'", "open": 12, "seen": 2, "others": 9}
    follow(companion, lambda known: known.lose(Sentence(OTHER_TABLE, params)))


def game_doubted(companion: Driver, folder: Path) -> None:
    follow(companion, lambda known: known.doubt(Sentence(NOT_OF_GAME)))


def game_kept(companion: Driver, folder: Path) -> None:
    """As after a window that was killed."""
    do(companion, lambda state: replace(state, plan=replace(state.plan, name="2026-11-23-1907")))
    companion.touch(companion.root.bar.buttons["game"])


def game_no_table(companion: Driver, folder: Path) -> None:
    follow(companion, lambda known: known.lose(Sentence(NO_TABLE)))


def game_fix(companion: Driver, folder: Path) -> None:
    follow(companion)
    do(companion, lambda state: state.select(next(e.number for e in state.followed.entries[::-1] if e.tile)))


def game_corners(companion: Driver, folder: Path) -> None:
    follow(companion)
    do(companion, GameTable.touch_corners)
    for place in TABLE[:2]:
        do(companion, lambda state, place=place: state.touch_corner(place))  # type: ignore[misc]


def game_paused(companion: Driver, folder: Path) -> None:
    follow(companion)
    do(companion, lambda state: state.stop())


def game_sea(companion: Driver, folder: Path) -> None:
    """By touch, at the end of the wall."""
    show(companion, play_to_sea())


def game_touch(companion: Driver, folder: Path) -> None:
    show(companion, play_half("hong_kong"))


def game_keys(companion: Driver, folder: Path) -> None:
    """By touch, as people record: nobody names a draw."""
    hand = next(play(GameStarted(rules="hong_kong", names=NAMES), 1, random.Random(3)))
    followed = Followed(apply(None, hand.start))
    for number, step in enumerate(hand.steps[:60], 2):
        seen = event_as_seen(followed.state, step.event, None)
        if not isinstance(seen, Called | WinPassed):
            followed = followed.enter(seen, number, True, apply(followed.state, seen))
    show(companion, followed)


def game_counts(companion: Driver, folder: Path) -> None:
    show(companion, play_half("hangzhou"))
    do(companion, lambda state: state.show_counts(True))


def game_claims(companion: Driver, folder: Path) -> None:
    """The side of the player after a discard was touched."""
    hand = next(play(GameStarted(rules="hong_kong", names=NAMES), 1, random.Random(3)))
    followed = Followed(apply(None, hand.start))
    for number, step in enumerate(hand.steps[:-3], 2):
        seen = event_as_seen(followed.state, step.event, None)
        if not isinstance(seen, Called | WinPassed):
            followed = followed.enter(seen, number, True, apply(followed.state, seen))
        is_discard = isinstance(seen, Discarded) and number > 20
        if is_discard and list_moves(followed.state, followed.state.hand.turn).claims:  # type: ignore[union-attr]
            break
    show(companion, followed)
    do(companion, lambda state: state.touch_seat(state.game.hand.turn))


def game_dice(companion: Driver, folder: Path) -> None:
    show(companion, Followed(apply(None, GameStarted(rules="hangzhou", names=NAMES))))


def game_camera(companion: Driver, folder: Path) -> None:
    show(companion, play_half())
    do(companion, lambda state: state.show_side(Side.CAMERA))


def game_wins(companion: Driver, folder: Path) -> None:
    show(companion, Followed(apply(None, GameStarted(rules="hangzhou", names=NAMES))))
    do(companion, lambda state: state.record_wins_only(True))


def show(companion: Driver, known: Followed) -> None:
    companion.touch(companion.root.bar.buttons["game"])
    do(companion, lambda state: state.know(known, "friday"))


def play_to_sea() -> Followed:
    """A hand of Hefei in which the tiles of the sea are drawn."""
    for seed in range(50):
        hand = next(play(GameStarted(rules="hefei", names=NAMES), 1, random.Random(seed)))
        followed = Followed(apply(None, hand.start))
        for number, step in enumerate(hand.steps, 2):
            followed = followed.enter(step.event, number, True, step.state)
            if step.state.hand is not None and step.state.hand.phase is Phase.SEA:
                return followed
    raise AssertionError("no hand comes so far")


STATES = (
    game_sea, game_touch, game_keys, game_counts, game_claims, game_dice, game_camera, game_wins,
    game_setup, game_kept, game_followed, game_players, game_events, game_question, game_which_hand,
    game_who_deals,
    game_doubted, game_lost, game_other_hand, game_no_table, game_fix, game_corners, game_paused,
)  # fmt: skip
