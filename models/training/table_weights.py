"""The weights of `companion.seeing.table_evidence`, by drawn tables.

A conditional logit (McFadden 1974): of all ways to see a table in a picture, and none of them, the right ones
are made as likely as can be. Prints the weights, and how well tables are chosen that did not choose them.
Two renderers draw the tables, the second also ones without an edge in the picture, and round ones, whose size
nobody can see.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.coach.play.simulation import play
from companion.config import models_dir
from companion.errors import InputError
from companion.rules import RULE_SETS
from companion.seeing.finding_table import AGREED_P, list_ways, start_at_lower_edge
from companion.seeing.table_camera import TableCamera
from companion.seeing.table_evidence import NAMES, describe, mark_same
from companion.seeing.table_plane import find_tiles_of_table
from companion.table.events import GameStarted
from companion.vision import Recogniser
from lab.bench.found_tables import RIGHT_MM, measure_walls_mm
from lab.bench.lived_in_tables import RIGHT_SHARE, draw_shown, measure_off
from lab.bench.plain_films import EDGES, PlainFilming, prepare_plain
from lab.film.customs import HALF_MM, Pose, list_corners
from lab.scenes.geometry import Camera

Floats = NDArray[np.float64]

PENALTY = 0.3
"""Of the sum of squares of the weights of evidence of spread 1."""
FITS = {"lines", "flat", "edges", "least", "nats", "third", "reach", "layout", "weakest"}
HARMS = {"beyond", "outside", "missing", "stretch", "far", "inner", "blur", "unlike"}
"""Evidence of which more cannot make a table less likely, and of which more cannot make it likelier: what is
nearly the same must not be set off against each other."""
STEPS, STEP = 1500, 0.05
FOLDS = 6
CORNERLESS, OUTSIDE_MAX = ("none", "round"), 0.25
"""Edges of tables without corners; the share of tiles outside from which such a table is too small."""
CORNERLESS_TIMES = 4
"""How many times each table without corners counts: drawn tables as people have them all have corners."""
MOMENTS, PACE = (0.05, 0.05, 0.7), 2.0
"""Shares of the films at which pictures are taken."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """The ways to see a table in one picture. evidence: (n, len(NAMES)); off: (n,) errors of their corners,
    in sides; same: (n, n) which are of one table; times: how many times it counts."""

    evidence: Floats
    off: Floats
    same: Floats
    times: int = 1


def collect(models: Path, tables: int, seeds: Sequence[int]) -> list[Choice]:
    """The choices in that number of drawn tables of each seed; those without ways to see one are left out."""
    recogniser = Recogniser(models)
    choices = []
    for shown in chain.from_iterable(draw_shown(tables, seed) for seed in seeds):
        tiles = find_tiles_of_table(recogniser.finder, shown.image)
        ways = list_ways(shown.image, tiles)
        if ways and shown.corners is not None:
            corners = [way.corners for way in ways]
            off = np.array([measure_off(each, shown.corners) for each in corners])
            choices.append(Choice(describe(ways, tiles), off, mark_same(corners)))
    return choices


def collect_plain(models: Path, seed: int) -> list[Choice]:
    """The choices in plain films: each way in which a table may end, from each pose, at three moments. Those
    of tables without corners count `CORNERLESS_TIMES`."""
    recogniser = Recogniser(models)
    choices = []
    edges = tuple(dict.fromkeys(EDGES))
    for number, (moment, pose, edge) in enumerate(product(MOMENTS, Pose, edges), seed):
        rules = list(RULE_SETS)[number % len(RULE_SETS)]
        played = next(play(GameStarted(rules=rules), 1, random.Random(f"{rules} {number}")))
        film = prepare_plain(played, pose, number, pace=PACE, edge=edge)
        image = PlainFilming(film, number).draw(moment * film.timeline.end_s)
        tiles = find_tiles_of_table(recogniser.finder, image)
        ways = list_ways(image, tiles)
        if not ways:
            continue
        corners, evidence = [way.corners for way in ways], describe(ways, tiles)
        if edge in CORNERLESS:
            true = film.looks.camera
            off = np.array([_measure_walls(each, true, image.shape) for each in corners])
            off[evidence[:, NAMES.index("outside")] >= OUTSIDE_MAX] = np.inf
        else:
            places = film.looks.camera.project(list_corners(HALF_MM))
            off = np.array([measure_off(each, places) for each in corners])
        times = CORNERLESS_TIMES if edge in CORNERLESS else 1
        choices.append(Choice(evidence, off, mark_same(corners), times))
    return choices


def _measure_walls(corners: Floats, true: Camera, shape: tuple[int, ...]) -> float:
    """The error of a table whose size nobody sees, by the place of its walls: RIGHT_SHARE where they are only
    just right."""
    try:
        camera = TableCamera.from_corners(start_at_lower_edge(corners)[0], shape[1], shape[0])
    except InputError:
        return np.inf
    return measure_walls_mm(camera, true) / RIGHT_MM * RIGHT_SHARE


def fit(choices: Sequence[Choice]) -> tuple[Floats, float]:
    """The weights (len(NAMES),), and the weighted sum of no table (Adam: Kingma & Ba 2015)."""
    times = np.array([each.times for each in choices])
    spread = np.concatenate([each.evidence for each in choices for _ in range(each.times)]).std(axis=0) + 1e-6
    most = max(len(each.off) for each in choices)
    evidence = np.zeros((len(choices), most, len(NAMES)))
    there, right = (np.zeros((len(choices), most), bool) for _ in range(2))
    for row, each in enumerate(choices):
        count = len(each.off)
        evidence[row, :count] = each.evidence / spread
        there[row, :count], right[row, :count] = True, each.off < RIGHT_SHARE
    no_right = ~right.any(axis=1)
    least = np.array([0.0 if name in FITS else -np.inf for name in (*NAMES, "none")])
    greatest = np.array([0.0 if name in HARMS else np.inf for name in (*NAMES, "none")])
    values, mean, square = (np.zeros(len(NAMES) + 1) for _ in range(3))
    for step in range(1, STEPS + 1):
        sums = np.where(there, evidence @ values[:-1], -1e9)
        top = np.maximum(sums.max(axis=1), values[-1])
        weights, none = np.exp(sums - top[:, None]), np.exp(values[-1] - top)
        total = weights.sum(axis=1) + none
        rights = np.where(right, weights, 0.0)
        wanted = rights / np.maximum(rights.sum(axis=1), 1e-300)[:, None]
        pull = times[:, None, None] * (weights / total[:, None] - wanted)[..., None] * evidence
        none_pull = float((times * (none / total - no_right)).sum())
        slope = np.append(pull.sum(axis=(0, 1)) + PENALTY * values[:-1], none_pull)
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        values -= STEP * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
        values = np.clip(values, least, greatest)
    return values[:-1] / spread, float(values[-1])


def judge(choices: Sequence[Choice], weights: Floats, none: float) -> list[tuple[float, bool]]:
    """For each choice how likely the chosen table is right, and whether it is."""
    judged = []
    for each in choices:
        sums = each.evidence @ weights
        top = max(float(sums.max()), none)
        chances = np.exp(sums - top)
        chances /= chances.sum() + np.exp(none - top)
        tables = each.same @ chances
        best = int(tables.argmax())
        chosen = int(np.where(each.same[best] > 0, chances, 0.0).argmax())
        judged.append((float(tables[best]), bool(each.off[chosen] < RIGHT_SHARE)))
    return judged


def cross_validate(choices: Sequence[Choice]) -> dict[str, Any]:
    """How well tables are chosen by the weights of others."""
    judged: list[tuple[float, bool]] = []
    for fold in range(FOLDS):
        others = [each for number, each in enumerate(choices) if number % FOLDS != fold]
        judged += judge(choices[fold::FOLDS], *fit(others))
    return {
        "tables": len(judged),
        "best_right": sum(right for _, right in judged),
        "sum_p": round(sum(p for p, _ in judged), 1),
        "right": sum(right and p >= AGREED_P for p, right in judged),
        "wrong": sum(not right and p >= AGREED_P for p, right in judged),
    }


def main() -> None:
    """Print the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100, help="of each seed")
    parser.add_argument("--seeds", type=int, nargs="+", default=[301, 302, 303], metavar="SEED")
    parser.add_argument("--plain", type=int, default=9002, metavar="SEED")
    given = parser.parse_args()
    choices = collect(models_dir(), given.tables, given.seeds) + collect_plain(models_dir(), given.plain)
    weights, none = fit(choices)
    print({name: round(float(weight), 2) for name, weight in zip(NAMES, weights, strict=True)})
    print({"none": round(none, 2)} | cross_validate(choices))


if __name__ == "__main__":
    main()
