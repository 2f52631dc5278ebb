"""An evening of which only the wins are recorded, entered into the real window, whose process is killed at
random moments: by value, by rows, by a photo and by tiles. What the game keeps is compared with what the
rules alone say of each planned win; the touches of each win are counted while they are done.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from statistics import median
from typing import Any

import cv2

from companion.app.cameras import Cameras
from companion.app.recognition import PictureReader, use_models
from companion.cameras import list_cameras, open_camera, play_recording
from companion.rules import answer_json, decode_question, decode_request
from companion.rules.stated import Stated, score_stated
from companion.table.apply import apply
from companion.table.events import Event, GameStarted, Won
from companion.table.state import State
from companion.tiles import parse_tiles
from lab.scenes.hand import render_hand
from lab.window_bench.evening_player import EveningPlayer, find_press
from lab.window_bench.evenings import (
    DONE,
    NAMES,
    Evening,
    Json,
    Window,
    list_entered,
    read_events,
)
from lab.window_bench.screen import SETTLE_FRAMES, WindowScreen

SEATS = 4
WINDS = ("east", "south", "west", "north")
KILL_WITHIN_S = 2.0
"""A window is killed that long at most after the start of the win in which it is."""
HANDS = {
    "hong_kong": ("111m222m444m777m99m", "234567p234567s55s", "111222333p55566z"),
    "taiwanese": ("111m222m444m777m555z99m", "234567p234567s234m55s", "111222333p555666z77z"),
}
"""Winning hands of each game, the winning tile last."""
ROWS = {"hong_kong": ("full_pung", "one_suit_and_honors"), "taiwanese": ("all_triplets", "half_flush")}
VALUES = {"hong_kong": (3, 4, 5), "taiwanese": (2, 3, 5)}


class By(StrEnum):
    """What a win is entered by."""

    VALUE = "value"
    ROWS = "rows"
    PHOTO = "photo"
    PHOTO_OF_ROW = "photo of one row"
    TILES = "tiles"


@dataclass(frozen=True, slots=True)
class PlannedWin:
    """giver: who discarded; None for a self-draw. hand: tile codes, the winning one last; empty unless it is
    entered by photo or tiles. payments: what each seat gets by the rules."""

    by: By
    winner: int
    giver: int | None
    value: int
    rows: tuple[str, ...]
    hand: tuple[str, ...]
    payments: tuple[int, ...]


def plan_wins(rules: str, hands: int, seed: int) -> list[PlannedWin]:
    """An evening of n wins, each entered in the next way. The dealer deals again after a win of the own;
    otherwise the next player deals, and after all four the next round begins."""
    rng = random.Random(seed)
    dealer = streak = deals = 0
    planned = []
    for number in range(hands):
        by = tuple(By)[number % len(By)]
        winner = rng.randrange(SEATS)
        giver = rng.choice([None, *(seat for seat in range(SEATS) if seat != winner)])
        request = {
            "rules": rules, "winner": winner, "source": "self_draw" if giver is None else "discard",
            "dealer": dealer, "streak": streak, "round_wind": WINDS[deals // SEATS % SEATS],
        } | ({} if giver is None else {"from": giver})  # fmt: skip
        codes = [tile.code for tile in parse_tiles(rng.choice(HANDS[rules]))]
        value, rows = rng.choice(VALUES[rules]), ROWS[rules]
        full = request | {"hand": "".join(codes), "winning_tile": codes[-1]}
        if by in (By.VALUE, By.ROWS):
            stated = Stated(value=value) if by is By.VALUE else Stated(rows=dict.fromkeys(rows, 1))
            payments = score_stated(decode_request(_drop_unread(full)), stated).payments
        else:
            payments = tuple(answer_json(decode_question(_drop_unread(full), alternatives=False))["payments"])
        planned.append(
            PlannedWin(
                by, winner, giver, value if by is By.VALUE else 0, rows if by is By.ROWS else (),
                () if by in (By.VALUE, By.ROWS) else tuple(codes), tuple(payments),
            )
        )  # fmt: skip
        if winner == dealer:
            streak += 1
        else:
            dealer, streak, deals = (dealer + 1) % SEATS, 0, deals + 1
    return planned


def _drop_unread(request: Json) -> Json:
    """Without the streak where the game does not read it."""
    return {
        key: value for key, value in request.items() if key != "streak" or request["rules"] == "taiwanese"
    }


@dataclass(frozen=True, slots=True)
class WinsEvening:
    """An evening to be entered: its game, and its wins in order."""

    start: GameStarted
    wins: tuple[PlannedWin, ...]


def play_wins(
    folder: Path, evening: WinsEvening, goes_on: bool, entered: Callable[[int, str, int], None]
) -> Json:
    """Enter the wins that the kept game does not have yet. entered: hears of each win when it is begun, and
    when it is booked with its touches and with its time, ms. Raises WindowSilent."""
    pictures = folder / "hand"
    pictures.mkdir(parents=True, exist_ok=True)
    show_tiles(pictures, evening.wins[0])
    cameras = Cameras(list_cameras, open_camera, f"file:{pictures}", play_recording)
    with WindowScreen(folder, PictureReader(use_models()), cameras, draws=False) as screen:
        person = EveningPlayer(screen, Evening(evening.start, (), (evening.start,)), entered)
        if goes_on:
            person.go_on()
        else:
            person.begin()
        if not person.table.state.wins_only:
            screen.touch(screen.root.page("game").table.tools.wins)  # type: ignore[attr-defined]
        finger = WinFinger(screen)
        for at in range(finger.count_wins(), len(evening.wins)):
            win = evening.wins[at]
            show_tiles(pictures, win)
            entered(at, "begun", 0)
            began = time.monotonic()
            touches = finger.enter(win)
            screen.wait(lambda at=at: finger.count_wins() > at and finger.is_at_table, "the booking")  # type: ignore[misc]
            entered(at, win.by, touches)
            entered(at, f"{win.by}, ms", round(1000 * (time.monotonic() - began)))
    return {}


def show_tiles(folder: Path, win: PlannedWin) -> None:
    """Put a picture of the winner's tiles before the camera, which plays the pictures of the folder: the
    winning tile is apart, as players place it, or the last of the row."""
    *others, last = win.hand or ("1m", "1m")
    rows = [[*others, last]] if win.by is By.PHOTO_OF_ROW else [others, [last]]
    cv2.imwrite(str(folder / "hand.png"), render_hand(rows).image)


class WinFinger:
    """Enters wins from the table's page, and counts the touches that it does."""

    def __init__(self, screen: WindowScreen) -> None:
        self._screen = screen
        self._count = 0

    @property
    def _states(self) -> Any:
        return self._screen.controller.view.states

    def _page(self, name: str) -> Any:
        self._screen.wait(lambda: self._screen.controller.view.front.page == name, f"the page {name}")
        return self._screen.root.page(name)

    def _touch(self, target: Any) -> None:
        self._screen.touch(target)
        self._count += 1

    @property
    def is_at_table(self) -> bool:
        """Whether the table is in front again."""
        return self._screen.controller.view.front.page == "game" and not self._states["score_photo"].game_win

    def count_wins(self) -> int:
        """The wins that the game has."""
        self._screen.wait(lambda: self._states["hand_end"].played.progress is not None, "the game")
        return sum(isinstance(each, Won) for each in self._states["hand_end"].played.progress.events)

    def enter(self, win: PlannedWin) -> int:
        """How many touches it took from the table to the last one."""
        self._count = 0
        self._touch(self._page("game").table.wins.cards[win.winner])
        entry = self._page("win_entry")
        if win.by in (By.PHOTO, By.PHOTO_OF_ROW):
            self._screen.wait(self._sees_tiles, "the tiles of the hand")
            self._screen.draw(SETTLE_FRAMES)
            self._touch(entry.picture.live.take)
            self._screen.wait(lambda: self._photo.hand.tiles and not self._screen.controller.view.busy, "it")
        if "from" in self._photo.open_questions:
            giver = "self" if win.giver is None else str(win.giver)
            self._touch(entry.table.win.discarder.button(giver))
        if win.by is By.TILES:
            self._touch(find_press(entry, "Add tiles by hand") or entry.table.tray.adding)
            self._enter_sets(win.hand, entry.table.sheet.keys)
            self._touch(entry.table.sheet.actions["done"])
        if win.by is By.VALUE:
            self._touch(entry.table.win.value.values.button(str(win.value)))
        elif win.by is By.ROWS:
            self._touch(entry.table.win.value.rows)
            page = self._page("win_rows")
            for row in win.rows:
                self._touch(page.rows[row])
            self._touch(page.show_all)
        else:
            if self._photo.asks_tile:
                same = [tile for tile in self._photo.hand.concealed if tile.code == win.hand[-1]]
                self._touch(entry.table.tray.keys[same[-1].id])
            if self._photo.asks_claims:
                self._touch(entry.tray.claims.none)
        if self._screen.controller.view.front.page == "win_entry":
            self._screen.wait(lambda: not entry.show_all.disabled, f"the score of {win}")
            self._touch(entry.show_all)
        self._touch(self._page("win_result").confirm)
        return self._count

    def _enter_sets(self, hand: Sequence[str], keys: Any) -> None:
        """Sets in the order of the hand: a chow is a drag, a pung a touch that is held, and so is a pair."""
        for at in range(0, len(hand), 3):
            part = hand[at : at + 3]
            if part[0] == part[-1]:
                self._screen.hold(keys[part[0]])
            else:
                self._screen.drag(keys[part[0]], keys[part[-1]])
            self._count += 1

    @property
    def _photo(self) -> Any:
        return self._states["score_photo"]

    def _sees_tiles(self) -> bool:
        preview = self._photo.preview
        return preview is not None and preview.live is not None and preview.live.tiles is not None


def play_wins_evening(rules: str, hands: int, seed: int, folder: Path, kills: int = 3) -> Json:
    """An evening of n wins in windows that are killed that many times, each within `KILL_WITHIN_S` of the
    start of a random win; what came of it. Raises EveningFailed."""
    rng = random.Random(seed)
    evening = WinsEvening(GameStarted(rules=rules, names=NAMES), tuple(plan_wins(rules, hands, seed)))
    left = sorted(rng.sample(range(hands), min(kills, hands)))
    figures: dict[str, list[int]] = {}
    killed = lost = 0
    while not _play_on(evening, folder, left[killed : killed + 1], rng, figures):
        killed += 1
        booked = sum(len(figures.get(by, ())) for by in By)
        lost += max(0, booked - len(list_ledger(read_events(folder))))
    ledger = list_ledger(read_events(folder))
    expected = [(win.winner, win.payments) for win in evening.wins]
    differences = [
        f"win {at}: {mine} instead of {right}"
        for at, (mine, right) in enumerate(zip(ledger, expected, strict=False), 1)
        if mine != right
    ]
    if len(ledger) != len(expected):
        differences.append(f"{len(ledger)} wins instead of {len(expected)}")
    return {
        "rules": rules,
        "hands": hands,
        "seed": seed,
        "killed": killed,
        "lost": lost,
        "differences": differences,
        "wins": {
            name: {"most": max(counts), "median": median(counts), "times": len(counts)}
            for name, counts in figures.items()
        },
    }


def list_ledger(events: Sequence[Event]) -> list[tuple[int, tuple[int, ...]]]:
    """Who won each hand, and what each seat got for it; -1 for what else was booked."""
    ledger: list[tuple[int, tuple[int, ...]]] = []
    state: State | None = None
    for event in events:
        before, state = state, apply(state, event)
        if before is None or before.points == state.points:
            continue
        gained = tuple(now - then for now, then in zip(state.points, before.points, strict=True))
        ledger.append((event.seat if isinstance(event, Won) else -1, gained))
    return ledger


def _play_on(
    evening: WinsEvening, folder: Path, kill: Sequence[int], rng: random.Random,
    figures: dict[str, list[int]],
) -> bool:  # fmt: skip
    """Whether the evening is at its end; else its window was killed in the win of that number."""
    goes_on = bool(read_events(folder)) if folder.is_dir() else False
    with closing(list_entered(Window(play_wins), folder, evening, goes_on=goes_on)) as entered:
        for at, what, figure in entered:
            if what == DONE:
                return True
            if what != "begun":
                figures.setdefault(what, []).append(figure)
            elif kill and at >= kill[0]:
                time.sleep(rng.uniform(0, KILL_WITHIN_S))
                return False
    raise AssertionError("an evening is done, killed or failed")
