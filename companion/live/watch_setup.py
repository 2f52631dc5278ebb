"""A table's watch with the program's own networks: what `TableWatch` is made of for a game."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from companion.live.mirror_watch import MirrorWatch
from companion.live.table_watch import FindTable, KeptPlace, TableWatch
from companion.seeing.finding_table import Guess, LensWatch, StraightSearch, TableReview, TableSearch
from companion.seeing.known_tiles import NamedTiles
from companion.seeing.lens import PERFECT, Lens
from companion.seeing.observer import Observer
from companion.seeing.outlines import TileSize
from companion.seeing.table_camera import TableCamera
from companion.vision.learned import LearnedSet
from companion.vision.recogniser import Recogniser


def watch_table(
    recogniser: Recogniser,
    rules: str,
    *,
    tile_set: LearnedSet | None = None,
    corners: NDArray[np.floating] | None = None,
    bottom: int = 0,
    dealer: int | None = None,
    camera: str | None = None,
    lens: Lens = PERFECT,
) -> TableWatch:
    """What watches a table for a game by these rules, read with these networks; the rest as for `TableWatch`.
    camera: a live one, its device or its address, whose place is kept. lens: of any other, where it is known.
    Raises InputError for a tile set that was learned with other networks."""

    kept = None if camera is None else KeptPlace(camera)
    known = None if kept is None else kept.load()
    watched = LensWatch(lens if known is None else known.lens)

    searches: list[StraightSearch] = []

    def begin_search() -> FindTable:
        searches[:] = [StraightSearch(partial(TableSearch, recogniser, bottom=bottom), watched)]
        return searches[0].search

    def guess() -> Guess:
        return searches[0].guess if searches else Guess()

    named = NamedTiles()

    def observe(camera: TableCamera, size: TileSize) -> Observer:
        return Observer(recogniser, camera, rules=rules, tile_set=tile_set, tile_size=size, named=named)

    review = TableReview(recogniser, bottom=bottom)
    return TableWatch(
        begin_search,
        observe,
        corners=corners,
        bottom=bottom,
        dealer=dealer,
        kept=kept,
        review=review,
        lens=watched,
        mirror=MirrorWatch(recogniser, tile_set, is_mirrored=known is not None and known.mirrored),
        guess=guess,
    )
