"""Films as phones of today take them: HLG in the colours of BT.2020, and the box of the file that says so.

OpenCV writes films of 8 bits; a phone's have 10. The curve and what the file states are the same.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageFilter

from companion.images import Image
from companion.vision.tone_mapping import GRID, HLG, HLG_GAMMA, LUMA, NARROWED, PEAK_CD, WHITE_CD, WIDE

BT601 = 6
"""The matrix by which OpenCV's writer makes its colours, H.273 table 4."""
COLOURS = b"nclx" + b"".join(code.to_bytes(2, "big") for code in (WIDE, HLG, BT601)) + b"\0"
"""ISO/IEC 14496-12, section 12.1.5."""
WAY = (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd")
"""The boxes around the description of the pictures, outermost first."""
HEADS = {b"stsd": 16}
"""Bytes before the first box inside, where these are not 8."""

Colours = NDArray[np.float64]


def show_as_hlg(image: Image) -> Image:
    """The picture (H, W, 3) uint8 BGR in sRGB as values of HLG, BT.2020: the inverse of
    `tone_mapping.map_tones`, but for what is rolled off there."""
    height, width = image.shape[:2]
    pixels = PillowImage.frombuffer("RGB", (width, height), np.ascontiguousarray(image), "raw", "RGB", 0, 1)
    return np.asarray(pixels.filter(_make_table()), np.uint8)


@cache
def _make_table() -> ImageFilter.Color3DLUT:
    """For pixels whose channels are blue, green, red."""
    steps = np.linspace(0, 1, GRID)
    red, green, blue = np.meshgrid(steps, steps, steps, indexing="ij")
    values = _encode(np.stack([red, green, blue], axis=-1))
    return ImageFilter.Color3DLUT(GRID, values[..., ::-1].astype(np.float32).ravel())


def _encode(values: Colours) -> Colours:
    """ITU-R BT.2100-2, table 5, of sRGB values 0..1."""
    light = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    shown = (light @ np.linalg.inv(NARROWED).T).clip(0) * WHITE_CD / PEAK_CD
    luminance = np.maximum(shown @ LUMA, 1e-9)[..., None]
    scene = shown * luminance ** (1 / HLG_GAMMA - 1)
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    encoded: Colours = np.where(
        scene <= 1 / 12, np.sqrt(3 * scene), a * np.log(np.maximum(12 * scene - b, 1e-9)) + c
    )
    return encoded


def mark_hlg(path: Path) -> None:
    """Write into an MP4 film, whose header is behind its pictures, that these are HLG."""
    content = path.read_bytes()
    places, at = [], 0
    for kind in WAY:
        at = _find_box(content, kind, at)
        places.append(at)
        at += HEADS.get(kind, 8)
    entry_end = at + int.from_bytes(content[at : at + 4], "big")
    box = (8 + len(COLOURS)).to_bytes(4, "big") + b"colr" + COLOURS
    marked = bytearray(content[:entry_end] + box + content[entry_end:])
    for place in (*places, at):
        length = int.from_bytes(marked[place : place + 4], "big") + len(box)
        marked[place : place + 4] = length.to_bytes(4, "big")
    path.write_bytes(marked)


def _find_box(content: bytes, kind: bytes, at: int) -> int:
    """Where the next box of that kind begins, from that place on among its like."""
    while content[at + 4 : at + 8] != kind:
        length = int.from_bytes(content[at : at + 4], "big")
        at += int.from_bytes(content[at + 8 : at + 16], "big") if length == 1 else length
    return at
