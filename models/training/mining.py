"""Finds what a trained finder takes for tiles if there are none, for the reader to learn from."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import torch

from companion.vision.candidates import overlap
from companion.vision.networks import FOUND_SCORE, NO_TILE, find_peaks
from models.training.finder_data import UNSURE, FinderPicture
from models.training.image_files import decode_image, shrink_for_finder
from models.training.in_parts import JOBS, work_in_parts
from models.training.nets import Finder
from models.training.pictures import LabelledPicture
from models.training.reader_data import Patch, cut_patch

LURED_SCORE = 0.12  # from which a false find is worth learning from
LURES = 30  # of a picture
ASTRAY_IOU = 0.3  # with every tile, below which a find is none of them


def mine_by_parts(net: Finder, pictures: Sequence[LabelledPicture]) -> list[Patch]:
    """What `mine_false_finds` finds, on all processors."""
    parts = [(net, pictures[k::JOBS]) for k in range(JOBS)]
    return [patch for part in work_in_parts(_mine_part, parts) for patch in part]


def _mine_part(net: Finder, pictures: Sequence[LabelledPicture]) -> list[Patch]:
    torch.set_num_threads(1)  # one a process
    found: list[Patch] = mine_false_finds(net, pictures)
    return found


@torch.no_grad()
def mine_false_finds(net: Finder, pictures: Sequence[LabelledPicture]) -> list[Patch]:
    """Patches of up to 30 false finds a picture, of pictures in which every tile and back is known."""
    net.eval()
    result = []
    for item in pictures:
        if not (item.for_finder.complete and item.for_finder.backs_known):
            continue
        picture = decode_image(item.for_finder.jpeg)
        seen = shrink_for_finder(picture)
        maps = net(torch.from_numpy(seen)[None])[0].float().numpy()
        maps[:2] *= FOUND_SCORE / LURED_SCORE
        quads = find_peaks(maps).quads * (np.array(picture.shape[1::-1]) / seen.shape[1::-1])
        inside = [q for q in quads if np.all(q > -2) and np.all(q < np.array(picture.shape[1::-1]) + 2)]
        lures = [quad for quad in inside if is_astray(quad, item.for_finder)]
        result += [cut_patch(picture, quad, NO_TILE, False) for quad in lures[:LURES]]
    return result


def is_astray(quad: np.ndarray, known: FinderPicture) -> bool:
    """Whether a quad (4, 2) px found in a picture whose tiles are all known is not one of them."""
    quad = quad.astype(np.float32)
    middle = tuple(float(c) for c in quad.mean(axis=0))
    for tile, kind in zip(known.quads.astype(np.float32), known.kinds, strict=True):
        if kind == UNSURE and cv2.pointPolygonTest(tile, middle, False) >= 0:
            return False
        if overlap(tile, quad) >= ASTRAY_IOU:
            return False
    return True
