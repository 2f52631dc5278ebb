"""Films hands of every game, follows each film as `companion track` does, and compares the reports with the
truth.
"""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from companion.cameras.frames import Frame
from companion.cameras.sources import open_source
from companion.coach.play.simulation import PlayedHand, play
from companion.game.proposals import Reporter, SourceKind
from companion.live.followed_game import follow_source
from companion.live.follower import FOLLOWING, Follower
from companion.live.noticed import noticed_json
from companion.live.running import RunningGame
from companion.live.watch_setup import watch_table
from companion.table.apply import fold
from companion.table.events import GameStarted
from companion.vision import Recogniser
from lab.bench.certainty import Certainty, judge_lines
from lab.bench.followed_films import Answering, Figures, compare_film, list_visible, read_truth
from lab.bench.plain_films import prepare_plain, write_plain
from lab.film.customs import Pose
from lab.film.writing import Shooting, prepare_film, write_film

SIZE = (1920, 1080)
PAUSE_NS = 10**9
"""Pause between the end of a film and its repetition."""

Json = dict[str, Any]
Shoot = Callable[[PlayedHand, Pose, int, Path], tuple[Path, Path]]
"""Films a hand from that pose by that seed into a folder; gives the video and its truth."""


def bench_films(
    models: Path,
    rules: Iterable[str],
    poses: Sequence[Pose],
    *,
    hands: int,
    seed: int,
    shoot: Shoot,
    given_corners: bool,
    answers: bool = False,
    again: int = 0,
) -> Json:
    """The figures of every game and pose, and of each pose over all games.

    shoot: what films the hands; given_corners: whether the table's true corners are given, as --corners of
    `companion track` does, instead of being found; answers: whether a person answers questions about
    discards; again: how often each film is followed in a row after
    that, by one watch into one game, as an evening at one table, to see whether memory grows.
    """
    recogniser = Recogniser(models)
    rows = []
    memory: list[int] = []
    certainty: Json = {}
    for pose in poses:
        total, said = Figures(), Certainty()
        for game, name in enumerate(rules):
            figures = Figures()
            start = GameStarted(rules=name)
            for number, played in enumerate(play(start, hands, random.Random(f"{name} {seed}"))):
                with TemporaryDirectory() as folder:
                    video, truth = shoot(played, pose, seed + 100 * game + number, Path(folder))
                    followed, stated = follow_film(video, truth, recogniser, given_corners, answers)
                    figures.add(followed)
                    said.add(stated)
                    if again:
                        memory += follow_again(video, truth, recogniser, again)
            rows.append({"pose": pose.value, "rules": name, **figures.report()})
            total.add(figures)
        rows.append({"pose": pose.value, "rules": "all", **total.report()})
        certainty[pose.value] = said.report()
    return {
        "figures": rows,
        "certainty": certainty,
        "seed": seed,
        "given_corners": given_corners,
        "answers": answers,
        "memory_mb": _measure_memory(),
        "memory_again_mb": memory,
    }


def shoot_film(
    played: PlayedHand,
    pose: Pose,
    seed: int,
    folder: Path,
    *,
    pace: float,
    mean: bool = False,
    bump_px: float = 0.0,
) -> tuple[Path, Path]:
    """Film a hand as `companion simulate --video` does; gives the video and its truth. mean, bump_px: with
    careless people and a cheap camera, and with a bump, as `Shooting` has them."""
    shooting = Shooting(pose, SIZE, pace, seed=seed, mean=mean, bump_px=bump_px)
    film = prepare_film(played.start, played.steps, shooting)
    return write_film(film, folder, "hand")


def shoot_plain(
    played: PlayedHand,
    pose: Pose,
    seed: int,
    folder: Path,
    *,
    pace: float,
    faces: Path | None,
    edge: str | None = None,
) -> tuple[Path, Path]:
    """Film a hand with the second, plain renderer; faces, edge: as `prepare_plain` takes them."""
    film = prepare_plain(played, pose, seed, pace=pace, faces=faces, edge=edge)
    return write_plain(film, folder, "hand")


def follow_film(
    video: Path, truth: Path, recogniser: Recogniser, given_corners: bool, answers: bool = False
) -> tuple[Figures, Certainty]:
    """Follow one film, and compare the reports with its truth. answers: as for `bench_films`."""
    true = read_truth(truth)
    visible = list_visible(true)
    person = Answering(visible)
    header, start = true.header, true.start
    corners = np.array(header["camera"]["corners"]) if given_corners else None
    state = fold([start])
    assert state is not None
    watch = watch_table(recogniser, header["rules"], corners=corners, dealer=header["dealer"])
    running = RunningGame(policy=FOLLOWING, clock=person.tell_ns)
    said: list[Json] = []
    began = time.process_time()
    try:
        running.play(start).result()
        follower = Follower(running, Reporter(SourceKind.CAMERA, "film"))
        with open_source(str(video)) as pictures:
            for each in follow_source(pictures, watch, follower, state):
                said.append(noticed_json(each))
                if answers:
                    person.on_noticed(each, running)
    finally:
        running.close()
    figures = compare_film(said, visible)
    figures.counts["ms"] = round(1000 * (time.process_time() - began))
    figures.counts["frames"] = header["frames"]
    return figures, judge_lines([each.event for each in visible.events], start, said)


def follow_again(video: Path, truth: Path, recogniser: Recogniser, times: int) -> list[int]:
    """Follow one film so often in a row, by one watch into one game; MB of memory at most after each."""
    true = read_truth(truth)
    watch = watch_table(recogniser, true.header["rules"], dealer=true.header["dealer"])
    running = RunningGame(policy=FOLLOWING, clock=lambda: 0)
    memory, begun_ns = [], 0
    try:
        running.play(true.start).result()
        follower = Follower(running, Reporter(SourceKind.CAMERA, "film"))
        for _ in range(times):
            t_ns = begun_ns
            with open_source(str(video)) as pictures:
                for look in pictures.read_frames():
                    t_ns = begun_ns + look.t_ns
                    sight = watch.look(look.image, t_ns / 1e9) if isinstance(look, Frame) else None
                    if sight is not None:
                        follower.follow(sight, t_ns)
            begun_ns = t_ns + PAUSE_NS
            memory.append(_measure_memory())
    finally:
        running.close()
    return memory


def _measure_memory() -> int:
    """MB at most until now."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
