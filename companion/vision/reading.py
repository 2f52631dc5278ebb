"""What was read in a picture: values only, no picture library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.quads import Quad
from companion.tiles import BACK, UNKNOWN, Tile, format_tiles

# Probability of a tile below which a person is asked to check it: at this figure one in ten is wrong
SURE = 0.9

CLOSER, SHARPER = "closer", "sharper"


@dataclass(frozen=True, slots=True)
class TileReading:
    """One tile that was found.

    code: one of the 42 kinds, "back", or "?" where it was not read with certainty.
    quad: px in the upright picture: the glyph's top left, top right, bottom right, bottom left.
    p: probability 0..1 that `code` is right (for "?" that of the likeliest kind).
    alternatives: (code, probability), likeliest first, the chosen one included.
    """

    code: str
    quad: Quad
    p: float
    alternatives: tuple[tuple[str, float], ...]

    @property
    def is_unsure(self) -> bool:
        """Whether a person should look at it; backs need no look."""
        return self.code == UNKNOWN or (self.code != BACK and self.p < SURE)


@dataclass(frozen=True, slots=True)
class Reading:
    """All tiles of one picture of width × height px.

    tiles: in reading order; rows: indices into `tiles`, rows top to bottom and each left to right;
    ms: milliseconds for "decode" (0 for a picture already in memory), "detect", "classify", "total";
    advice: how a better picture would be taken, CLOSER or SHARPER, where some tiles could not be read for it.
    """

    width: int
    height: int
    tiles: tuple[TileReading, ...]
    rows: tuple[tuple[int, ...], ...]
    ms: Mapping[str, float]
    advice: tuple[str, ...] = ()


def enlarge(reading: Reading, width: int, height: int, times: int) -> Reading:
    """The reading of a shrunk picture in px of the whole one, of width × height px, `times` as large."""
    tiles = []
    for tile in reading.tiles:
        a, b, c, d = ((x * times, y * times) for x, y in tile.quad)
        tiles.append(replace(tile, quad=(a, b, c, d)))
    return replace(reading, width=width, height=height, tiles=tuple(tiles))


def row_notation(reading: Reading) -> tuple[str, ...]:
    """The rows as a person writes them: "123m456p77z", with "back" and "?" set apart by spaces."""
    return tuple(write_codes([reading.tiles[index].code for index in row]) for row in reading.rows)


def write_codes(codes: Sequence[str]) -> str:
    """Codes as a person writes them, with "back" and "?" set apart by spaces."""
    pieces: list[str] = []
    run: list[Tile] = []
    for code in [*codes, ""]:
        if code and code not in (BACK, UNKNOWN):
            run.append(Tile.parse(code))
            continue
        if run:
            pieces.append(format_tiles(run))
            run = []
        if code:
            pieces.append(code)
    return " ".join(pieces)


def reading_json(image: str, reading: Reading) -> dict[str, object]:
    """One entry of the list that `companion read --json` prints; "advice" only where there is one."""
    entry: dict[str, object] = {
        "image": image,
        "width": reading.width,
        "height": reading.height,
        "tiles": [
            {
                "code": tile.code,
                "quad": [[round(x, 1), round(y, 1)] for x, y in tile.quad],
                "p": round(tile.p, 4),
                "alternatives": [[code, round(p, 4)] for code, p in tile.alternatives],
            }
            for tile in reading.tiles
        ],
        "rows": list(row_notation(reading)),
        "ms": {stage: round(ms, 1) for stage, ms in reading.ms.items()},
    }
    return entry | {"advice": list(reading.advice)} if reading.advice else entry
