"""Compares what was reported while a film was followed with the truth recorded with the film."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise
from math import inf
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace as changed

from companion.game.proposals import Reporter, SourceKind
from companion.live.doubts import SEA_DOUBTS
from companion.live.noticed import Noticed, QuestionAsked
from companion.live.running import RunningGame
from companion.seeing.lens import PERFECT, Lens
from companion.seeing.table_camera import TableCamera
from companion.table.apply import apply
from companion.table.events import (
    AddedKong,
    Called,
    Claimed,
    ConcealedKong,
    Dealt,
    Discarded,
    Event,
    FlowerSetOut,
    GameStarted,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
    WinPassed,
    Won,
    number_corrected,
)
from companion.table.knowledge import event_as_seen
from companion.table.state import State
from companion.tiles import format_tiles, parse_tiles


@dataclass(frozen=True, slots=True)
class FilmTruth:
    """The truth of a film. header: its first line; events: those of the hand, each with its t and its number
    in the game's log; scenes: the tiles while nothing moves; cameras: the camera's poses, each with its start
    time."""

    header: dict[str, Any]
    events: tuple[tuple[float, int, Event], ...]
    scenes: tuple[dict[str, Any], ...]
    cameras: tuple[tuple[float, dict[str, Any]], ...]

    @property
    def start(self) -> GameStarted:
        """The event that begins the game."""
        head = self.header
        return GameStarted(rules=head["rules"], options=head["options"], dealer=head["dealer"])

    def find_camera(self, t: float) -> TableCamera:
        """The camera's pose at that second."""
        stands = next(camera for since, camera in reversed(self.cameras) if since <= t)
        focal, size = stands["matrix"][0][0], (self.header["width"], self.header["height"])
        lens = find_lens(self.header.get("k1", 0.0), focal, max(size))
        return TableCamera.from_corners(np.array(stands["corners"]), *size, focal, lens)


def find_lens(k1: float, focal_px: float, longer_px: float) -> Lens:
    """The lens that is nearest to OpenCV's with this k1, over all of a picture with that longer side."""
    if k1 == 0:
        return PERFECT
    flat = np.linspace(0.01, longer_px / 2 / focal_px, 200)
    bent = flat * (1 + k1 * flat**2)
    # straightened by the division model: flat * (1 + bend * far²) = bent
    far = flat * (bent * focal_px / (longer_px / 2)) ** 2
    return Lens(float(far @ (bent - flat) / (far @ far)))


def read_truth(path: Path) -> FilmTruth:
    """The truth in the JSON lines next to a film."""
    return decode_truth([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()])


def decode_truth(lines_of_truth: Sequence[dict[str, Any]]) -> FilmTruth:
    """The truth as the lines say it, the header first."""
    header, *lines = lines_of_truth
    events = tuple(
        (line["t"], line["number"], msgspec.convert(line["event"], Event))
        for line in lines
        if "event" in line
    )
    scenes = tuple(line for line in lines if "table" in line)
    bumps = [(line["t"], line["camera"]) for line in lines if "camera" in line]
    return FilmTruth(header, events, scenes, ((0.0, header["camera"]), *bumps))


UNSEEN = (Called, WinPassed, ReadyDeclared)
"""Events that are spoken: a camera does not see them."""
MELDS = (Claimed, ConcealedKong, AddedKong)


def reduce_event(event: Event) -> Event:
    """The event without what lies nowhere on the table, tiles sorted."""
    if isinstance(event, HandStarted):
        return changed(event, dice=None)
    if isinstance(event, Dealt):
        return Dealt()
    if isinstance(event, IndicatorTurned):
        return changed(event, dice=None)
    if isinstance(event, Won) and event.hand is not None:
        return changed(event, hand=format_tiles(sorted(parse_tiles(event.hand))))
    return event


def find_right(truth: Sequence[Event], found: Sequence[Event]) -> set[int]:
    """Which of the events found say nothing wrong: a discard without its tile where its player is right."""
    left_open = {i for i, event in enumerate(found) if is_open(event)}
    return find_common(truth, found) | find_common(map(_open, truth), map(_open, found)) & left_open


def is_open(event: Event) -> bool:
    """Whether it is a discard without its tile."""
    return isinstance(event, Discarded) and event.tile is None


def _open(event: Event) -> Event:
    """A discard without its tile."""
    return changed(event, tile=None) if isinstance(event, Discarded) else event


def find_common(truth: Iterable[Event], found: Iterable[Event]) -> set[int]:
    """Which of the events found are right, in an order that is right."""
    a, b = [repr(event) for event in truth], [repr(event) for event in found]
    blocks = SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    return {block.b + i for block in blocks for i in range(block.size)}


SETTLED_S = 1.0
"""Seconds without motion before the number of remaining tiles is compared."""
SEA_LATE_S = 3.0
"""Maximum delay, in seconds, of the announcement of the Sea Floor."""
EARLY_S = 0.5
"""Seconds before a discard is at rest from which it may be stated: it is visible while the hand is still over
it."""
SEA_DOUBT = re.compile("|".join(re.sub(r"\\\{\w+\\\}", r"\\d+", re.escape(each)) for each in SEA_DOUBTS))
"""Matches the doubt whether the Sea Floor has begun."""
AFTER_BUMP_S = 10.0
"""Seconds after a bump within which corrections are counted as its doing."""
SHOWN = (Discarded, *MELDS, FlowerSetOut, Won, IndicatorTurned)
"""Events that lie on the table: those of which it counts whether they were wrong and certain."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Timed:
    """An event of the truth as a camera can see it, and when it was done, seconds."""

    t: float
    event: Event


@dataclass(frozen=True, slots=True)
class VisibleTruth:
    """What a camera can see of a filmed hand.

    settled: spans, seconds, in which nothing moves, with the tiles left in them; sea_s: when the Sea Floor
    begins, None if it does not; bumps_s: when the camera is bumped.
    """

    events: tuple[Timed, ...]
    settled: tuple[tuple[float, float, int], ...]
    sea_s: float | None
    bumps_s: tuple[float, ...] = ()


@dataclass(slots=True)
class Figures:
    """What was counted over some films. delays: seconds from a discard that lies still to its event; off: by
    how many tiles the number left was wrong, each settled moment."""

    counts: Counter[str] = field(default_factory=Counter)
    delays: list[float] = field(default_factory=list)
    off: Counter[int] = field(default_factory=Counter)

    def add(self, other: Figures) -> None:
        """Take in the figures of other films."""
        self.counts.update(other.counts)
        self.delays += other.delays
        self.off.update(other.off)

    def share_exact(self) -> float | None:
        """At how many of the settled moments the number of tiles left was right."""
        return _share(self.off[0], self.off.total())

    def report(self) -> Json:
        """The figures as shares, each null if nothing was counted."""
        counts = self.counts
        return {
            "hands": counts["hands"],
            **{
                key: part
                for name in ("discards", "melds", "flowers", "wins", "seas")
                for key, part in (
                    (name, counts[name]),
                    (f"{name}_right", _share(counts[f"{name} right"], counts[name])),
                )
            },
            "seas_missed_but_doubtful": counts["seas doubtful"],
            "left_exact": self.share_exact(),
            "left_most_off": max(self.off, default=None),
            "certain": counts["certain"],
            "wrong_and_certain": counts["wrong and certain"],
            "corrections_per_hand": _share(counts["corrections"], counts["hands"]),
            "bumps": counts["bumps"],
            "corrections_after_bumps": counts["corrections after bumps"],
            "questions_per_hand": _share(counts["questions"], counts["hands"]),
            "lost_per_hand": _share(counts["lost"], counts["hands"]),
            "delay_median_s": round(median(self.delays), 2) if self.delays else None,
            "delay_95_s": round(quantiles(self.delays, n=20)[-1], 2) if len(self.delays) > 1 else None,
            "ms_a_frame": _share(counts["ms"], counts["frames"]),
        }


def list_visible(truth: FilmTruth) -> VisibleTruth:
    """What of the truth a camera can see."""
    state: State | None = apply(None, truth.start)
    events: list[Timed] = []
    sea_s = None
    lefts: list[tuple[float, int]] = []
    for t, _, event in truth.events:
        if not isinstance(event, UNSEEN):
            events.append(Timed(t, reduce_event(event_as_seen(state, event, None))))
        state = apply(state, event)
        wall = state.hand.wall if state.hand else None
        if wall is not None:
            lefts.append((t, wall.live_left))
        if sea_s is None and wall and wall.rule.sea and not wall.before_sea:
            sea_s = t
    settled = tuple(
        (
            scene["t"],
            scene["until"],
            next((n for t, n in reversed(lefts) if t <= scene["until"]), scene["left"]),
        )
        for scene in truth.scenes
        if scene["left"] is not None and scene["until"] - scene["t"] >= SETTLED_S
    )
    return VisibleTruth(tuple(events), settled, sea_s, tuple(t for t, _ in truth.cameras[1:]))


def compare_film(lines: Sequence[Json], truth: VisibleTruth) -> Figures:
    """Hold the lines of `companion track --json` against the truth of one hand."""
    figures = Figures(Counter(hands=1))
    stated = [line for line in lines if "event" in line]
    log = [GameStarted(rules="hefei"), *(msgspec.convert(line["event"], Event) for line in stated)]
    numbered = number_corrected(log)[1:]
    found = [reduce_event(event) for _, event in numbered]
    wanted = [each.event for each in truth.events]
    for name, kinds in (
        ("discards", (Discarded,)), ("melds", MELDS), ("flowers", (FlowerSetOut,)), ("wins", (Won,)),
    ):  # fmt: skip
        here = [event for event in wanted if isinstance(event, kinds)]
        got = [event for event in found if isinstance(event, kinds)]
        figures.counts[name] = len(here)
        figures.counts[f"{name} right"] = len(find_common(here, got))
    _count_certain(wanted, numbered, found, stated, figures)
    _measure_delays(truth, stated, figures)
    compare_left(truth, [(line["t"], line["state"]) for line in lines if "state" in line], figures)
    _count_doubtful_sea(truth, lines, figures)
    corrected_s = [line["t"] for line in stated if line["event"]["event"] == "corrected"]
    figures.counts["corrections"] = len(corrected_s)
    figures.counts["bumps"] = len(truth.bumps_s)
    figures.counts["corrections after bumps"] = sum(
        any(0 <= t - bump_s < AFTER_BUMP_S for bump_s in truth.bumps_s) for t in corrected_s
    )
    figures.counts["questions"] = sum("question" in line for line in lines)
    figures.counts["lost"] = sum("lost" in line for line in lines)
    return figures


def _count_certain(
    wanted: Sequence[Event],
    numbered: Sequence[tuple[int, Event]],
    found: Sequence[Event],
    stated: Sequence[Json],
    figures: Figures,
) -> None:
    """Count what was stated as certain, and what of it was wrong and never taken back."""
    right = find_right(wanted, found)
    index_of = {number: index for index, (number, _) in enumerate(numbered)}
    certain = _find_certain(stated)
    for number, event in numbered:
        if isinstance(event, SHOWN) and certain.get(number):
            figures.counts["certain"] += 1
            figures.counts["wrong and certain"] += index_of[number] not in right


def _find_certain(stated: Sequence[Json]) -> dict[int, bool]:
    """Whether the event of each number is certain: as it was stated, or last corrected."""
    certain: dict[int, bool] = {}
    for line in reversed(stated):
        if line["event"]["event"] == "corrected" and line["number"] not in certain:
            certain.setdefault(line["event"]["number"], line["certain"])
        certain.setdefault(line["number"], line["certain"])
    return certain


def _measure_delays(truth: VisibleTruth, stated: Sequence[Json], figures: Figures) -> None:
    """How long after a discard lay still it was stated for the first time: what was taken back and
    stated again since was said before."""
    said = [(line["t"], repr(msgspec.convert(line["event"], Event))) for line in stated]
    for each in truth.events:
        if not isinstance(each.event, Discarded):
            continue
        event = repr(each.event)
        at = next((i for i, (t, other) in enumerate(said) if t >= each.t - EARLY_S and other == event), None)
        if at is not None:
            figures.delays.append(said.pop(at)[0] - each.t)


def compare_left(truth: VisibleTruth, states: Sequence[tuple[float, Json]], figures: Figures) -> None:
    """Compare the number of tiles left at the end of every settled moment, and when the sea was announced.

    states: how the game stood, as the lines say it, and since when.
    """
    for _, until, left in truth.settled:
        known = next((state["left"] for t, state in reversed(states) if t <= until), None)
        figures.off[abs(left - known) if known is not None else left] += 1
    if truth.sea_s is None:
        return
    figures.counts["seas"] += 1
    begun = next((t for t, state in states if state["before_sea"] == 0 and state["phase"] != "over"), None)
    if begun is not None:
        figures.counts["seas right"] += -0.5 <= begun - truth.sea_s <= SEA_LATE_S


def _count_doubtful_sea(truth: VisibleTruth, lines: Sequence[Json], figures: Figures) -> None:
    """Count the sea that was not announced in time, but reported as doubtful then."""
    if truth.sea_s is None or figures.counts["seas right"]:
        return
    said = [(line["t"], line["doubt"]["why"]) for line in lines if "doubt" in line]
    figures.counts["seas doubtful"] = any(
        why is not None and SEA_DOUBT.fullmatch(why) and t <= truth.sea_s + SEA_LATE_S and end > truth.sea_s
        for (t, why), (end, _) in pairwise([*said, (inf, None)])
    )


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None


ANSWERS_AFTER_S = 2.0
TOUCH = Reporter(SourceKind.TOUCH)


class Answering:
    """Answers each question about a discard rightly, once, ANSWERS_AFTER_S after it was asked."""

    def __init__(self, truth: VisibleTruth) -> None:
        self._discards = [each.event for each in truth.events if isinstance(each.event, Discarded)]
        self._due: list[tuple[float, int]] = []
        self._answered: set[int] = set()
        self._t = 0.0

    def tell_ns(self) -> int:
        """The film's time."""
        return round(self._t * 1e9)

    def on_noticed(self, noticed: Noticed, game: RunningGame) -> None:
        """Answer the questions that are due when this was noticed."""
        self._t = noticed.t
        for at, number in [each for each in self._due if each[0] <= noticed.t]:
            self._due.remove((at, number))
            self._answer(game, number)
        if not isinstance(noticed, QuestionAsked) or noticed.about != "discarded":
            return
        if noticed.number is not None and noticed.number not in self._answered:
            self._answered.add(noticed.number)
            self._due.append((noticed.t + ANSWERS_AFTER_S, noticed.number))

    def _answer(self, game: RunningGame, number: int) -> None:
        """Say what event `number` was, if it is known which of the film's discards it is."""
        events = game.transact(lambda transaction: transaction.get_progress().events).result()
        said = [each for each in number_corrected(events) if isinstance(each[1], Discarded)]
        for (own, event), true in zip(said, self._discards, strict=False):
            if own == number and isinstance(event, Discarded) and event.seat == true.seat:
                game.correct(number, true, TOUCH).result()
