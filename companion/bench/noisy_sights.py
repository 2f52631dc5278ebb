"""Sights of a laid hand as a camera gives them: tiles missed, misread, hidden by arms, whole sights lost."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from companion.bench.laid_hands import FOREVER, LaidHand, Lying
from companion.tiles import BACK, UNKNOWN
from companion.tracking.sights import Readings, SeenTile, Sight

EVERY_S = 0.5
ALIKE = {
    "6m": "8m",
    "8m": "6m",
    "5m": "6m",
    "2s": "3s",
    "3s": "2s",
    "6s": "9s",
    "9s": "6s",
    "6p": "9p",
    "9p": "6p",
}


@dataclass(frozen=True, slots=True)
class Noise:
    """How ill a camera sees. missed: share of tiles not found in one sight; doubtful: of tiles read with real
    doubt; overconfident: of tiles read wrongly with full confidence; unread: of tiles that never get a name;
    lost: of sights that are missing; broken: how likely a tile gets a new number at a sight; blur_mm: of
    places.
    """

    missed: float = 0.03
    doubtful: float = 0.08
    settling: float = 0.92
    overconfident: float = 0.002
    unread: float = 0.01
    lost: float = 0.0
    broken: float = 0.0002
    blur_mm: float = 1.5


CLEAR = Noise(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5)


def make_sights(
    laid: LaidHand, noise: Noise, rng: random.Random, start: float, number: int
) -> Iterator[Sight]:
    """A sight every half second. number: of the first track."""
    seen: dict[int, tuple[int, Readings, float]] = {}
    readings = [_read(tile, noise, rng) for tile in laid.lying]
    sure = [
        tile.since + rng.uniform(0.5, 4.0) if rng.random() < noise.settling else FOREVER
        for tile in laid.lying
    ]
    t = start
    while t < laid.ends:
        t += EVERY_S
        if rng.random() < noise.lost:
            continue
        covered = tuple(box for arm in laid.arms if arm.since <= t <= arm.until for box in arm.boxes)
        tiles = []
        for index, tile in enumerate(laid.lying):
            if not tile.since <= t < tile.until:
                continue
            if any(box.holds(tile.x_mm, tile.y_mm) for box in covered) or rng.random() < noise.missed:
                continue
            known = seen.get(index)
            if known is None or rng.random() < noise.broken:
                number += 1
                known = seen[index] = (number, readings[index], t)
            tiles.append(
                SeenTile(
                    track=known[0],
                    x_mm=tile.x_mm + rng.gauss(0, noise.blur_mm),
                    y_mm=tile.y_mm + rng.gauss(0, noise.blur_mm),
                    angle=tile.angle + rng.gauss(0, 0.03),
                    readings=_surely(tile) if t > sure[index] else known[1],
                    standing=tile.standing,
                    still_since_s=known[2],
                )
            )
        yield Sight(t, tuple(tiles), covered)


def _surely(tile: Lying) -> Readings:
    return ((tile.code, 0.9985),)


def _read(tile: Lying, noise: Noise, rng: random.Random) -> Readings:
    """What the tile reads as: in doubtful cases with truthful probabilities."""
    code = tile.code
    if code == BACK:
        return ((BACK, 0.999),)
    chance = rng.random()
    other = _other(code, rng)
    if chance < noise.overconfident:
        return ((other, 0.99), (code, 0.004))
    chance -= noise.overconfident
    if chance < noise.unread:
        return ((UNKNOWN, 1.0),)
    chance -= noise.unread
    if chance < noise.doubtful:
        p = rng.uniform(0.5, 0.97)
        if rng.random() < p:
            return ((code, p), (other, 0.9 * (1 - p)))
        third = _other(code, rng)
        share = 0.9 * (1 - p)
        return (
            ((other, p), (code, share))
            if rng.random() < 0.9 or third == other
            else ((other, p), (third, share))
        )
    return ((code, 0.9985), (other, 0.0008))


def _other(code: str, rng: random.Random) -> str:
    if code in ALIKE and rng.random() < 0.7:
        return ALIKE[code]
    suit = code[1]
    most = {"z": 7, "f": 8}.get(suit, 9)
    rank = rng.choice([r for r in range(1, most + 1) if r != int(code[0])])
    return f"{rank}{suit}"
