"""What the networks learn from besides labelled photos: drawn tables, pictures without tiles, false finds
among both, and cut-out tiles."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.training.in_parts import JOBS, work_in_parts
from models.training.mining import mine_by_parts
from models.training.nets import Finder
from models.training.outlines import cut_found_by
from models.training.pictures import (
    LabelledPicture,
    load_empty_pictures,
    render_prints,
    render_scenes,
)
from models.training.reader_data import Patch, cut_patches, load_cut_outs
from models.training.training_run import make_once

STYLES, SCENES = 3200, 4800
THINGS_SCENES = 1500  # drawn tables without tiles
PRINTS_STYLES, PRINTS_SCENES = 160, 6000  # drawn print that is no tile, half of it with tiles
MINED_SCENES = 600  # drawn tables in which the finder's false finds are looked for, besides all without tiles
# Kinds that differ most from set to set: more designs of these alone.
HARD_CODES = ("1s", "2m", "3m", "3z", "5z", "6z", "7z", *(f"{number}f" for number in range(1, 9)))
HARD_STYLES, HARD_SCENES = 2400, 1600
TILES_A_SCENE = 30  # that the reader learns from
# For the temperature and the weigher, drawn with seeds of their own.
HELD_OUT_STYLES, HELD_OUT_SCENES, HELD_OUT_THINGS = 120, 900, 900
MINED_TIMES = 2  # how often the finder's own false finds count among the crops of "none"
# How often the reader sees each source.
READER_SHARES = {"scenes": 0.38, "found": 0.32, "crops": 0.10, "photos": 0.20}


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPictures:
    """Drawn tables, tables of the kinds that differ most, tables without tiles, print that is no tile, and
    photos without tiles."""

    tables: list[LabelledPicture]
    hard: list[LabelledPicture]
    things: list[LabelledPicture]
    prints: list[LabelledPicture]
    empty: list[LabelledPicture]


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """Drawn tables that neither network learned from, with tiles and without."""

    tables: list[LabelledPicture]
    bare: list[LabelledPicture]


def take_share(number: int, part: float) -> int:
    """A share of the full number of steps or tables; a few at least."""
    return max(4, round(number * part))


def draw_pictures(data: Path, work: Path, part: float, seed: int) -> DrawnPictures:
    """The pictures of a training, drawn once and kept in `work`; `part` is the share of the full number.
    Raises InputError for damaged files of a stopped training."""
    tables = make_once(
        work / "tables.pkl",
        lambda: render_scenes(data, take_share(STYLES, part), take_share(SCENES, part), seed),
    )
    things = make_once(
        work / "things.pkl",
        lambda: render_scenes(data, 4, take_share(THINGS_SCENES, part), seed + 3, tileless=True),
    )
    hard = make_once(
        work / "hard.pkl",
        lambda: render_scenes(
            data, take_share(HARD_STYLES, part), take_share(HARD_SCENES, part), seed + 1, codes=HARD_CODES
        ),
    )
    prints = make_once(
        work / "prints.pkl",
        lambda: render_prints(
            data, take_share(PRINTS_STYLES, part), take_share(PRINTS_SCENES, part), seed + 4
        ),
    )
    return DrawnPictures(tables, hard, things, prints, load_empty_pictures(data))


def draw_held_out(data: Path, part: float, seed: int) -> HeldOut:
    """Tables for the temperature and the weigher; `part` is the share of the full number. The same seed draws
    the same tables."""
    return HeldOut(
        render_scenes(data, take_share(HELD_OUT_STYLES, part), take_share(HELD_OUT_SCENES, part), seed + 2),
        render_scenes(data, 4, take_share(HELD_OUT_THINGS, part), seed + 5, tileless=True),
    )


def list_reader_sources(
    drawn: DrawnPictures, finder: Finder, data: Path, part: float, rng: np.random.Generator
) -> list[tuple[float, list[Patch]]]:
    """What the reader learns from besides photos, each source with its share: drawn tiles along their own
    outlines and what the finder takes for tiles among them, all that it finds along its outlines, and cut-out
    tiles."""
    bare = [*drawn.empty, *drawn.things]
    tiles = _cut(drawn.tables + drawn.hard, rng, TILES_A_SCENE) + _cut(bare, rng)
    lures = mine_by_parts(finder, [*bare, *drawn.prints, *drawn.tables[: take_share(MINED_SCENES, part)]])
    return [
        (READER_SHARES["scenes"], tiles + lures * MINED_TIMES),
        (READER_SHARES["found"], cut_found_by(finder, drawn.tables + drawn.hard, int(rng.integers(2**31)))),
        (READER_SHARES["crops"], load_cut_outs(data)),
    ]


def _cut(pictures: list[LabelledPicture], rng: np.random.Generator, *each: int) -> list[Patch]:
    """What `cut_patches` cuts out, on all processors."""
    parts = [(pictures[k::JOBS], own_rng, *each) for k, own_rng in enumerate(rng.spawn(JOBS))]
    return [patch for part in work_in_parts(cut_patches, parts) for patch in part]
