"""The house tiles as one small SVG for the served page: the paint of each face as paths, a symbol each.

A face is flat ink on nothing, so each ink's area is traced: its outline is simplified until it is at most
`OFF_UNITS` off, and written as whole units of a 120 by 160 face, each point relative to the one before.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

import companion
from companion.images import Image
from lab.art.canvas import Canvas, Colour
from lab.art.faces import CODES
from lab.art.glyphs import Writing, make_glyph
from lab.art.house import BLUE, FACE_PX, GREEN, INDEX, INDEX_HEIGHT, INK, RED, draw_house_face, index_text

SPRITE = Path(companion.__file__).parent / "serve" / "assets" / "tiles.svg"
UNITS_W, UNITS_H = 120, 160
OFF_UNITS = 0.42
AREA_MIN = 3.0
"""Smaller specks, in square units, are left out."""
ENLARGED = 4
"""Faces are enlarged this much before they are traced, so that outlines are smooth."""
INKS: dict[str, Colour] = {"r": RED, "g": GREEN, "b": BLUE, "k": INK, "i": INDEX}
"""The inks by the class that colours them in the page."""


def draw_sprite() -> str:
    """The sprite: symbols `t1m` … `t8f` and `t_`, the question mark, with the classes of `INKS`."""
    symbols = [_draw_symbol(code) for code in (*CODES, "?")]
    return '<svg xmlns="http://www.w3.org/2000/svg" class="sprite">' + "\n".join(symbols) + "</svg>\n"


def _draw_symbol(code: str) -> str:
    face = draw_house_face(code)
    if text := index_text(code):
        canvas = Canvas(FACE_PX)
        mask = make_glyph(text, Writing.HOUSE, 0)
        canvas.stamp(mask, (2.5, 2.5, INDEX_HEIGHT * mask.shape[1] / mask.shape[0], INDEX_HEIGHT), INDEX)
        index = canvas.finish()
        face = np.where(index[:, :, 3:] > face[:, :, 3:], index, face)
    paths = [f'<path class="{name}" d="{drawn}"/>' for name, drawn in _trace(face) if drawn]
    symbol = "_" if code == "?" else code
    return f'<symbol id="t{symbol}" viewBox="0 0 {UNITS_W} {UNITS_H}">{"".join(paths)}</symbol>'


def _trace(face: Image) -> list[tuple[str, str]]:
    """Each ink and the path of its area in a face (H, W, 4)."""
    colours = np.array(list(INKS.values()), np.float32)
    distances = np.linalg.norm(face[:, :, None, :3].astype(np.float32) - colours, axis=3)
    nearest = distances.argmin(axis=2)
    size = (face.shape[1] * ENLARGED, face.shape[0] * ENLARGED)
    found = []
    for number, name in enumerate(INKS):
        alpha = np.where(nearest == number, face[:, :, 3], 0).astype(np.uint8)
        enlarged = cv2.resize(alpha, size, interpolation=cv2.INTER_CUBIC)
        large = cv2.GaussianBlur(enlarged, (0, 0), ENLARGED * 0.6)
        found.append((name, _write_path(large > 127)))
    return found


def _write_path(area: npt.NDArray[np.bool_]) -> str:
    scale = UNITS_H / area.shape[0]
    contours, _ = cv2.findContours(area.astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    parts = []
    for contour in contours:
        if cv2.contourArea(contour) * scale**2 < AREA_MIN:
            continue
        simple = cv2.approxPolyDP(contour, OFF_UNITS / scale, True)[:, 0] * scale
        points = np.rint(simple).astype(int)
        x, y = points[0].tolist()
        steps = np.diff(points, axis=0)
        written = " ".join(f"{dx} {dy}" for dx, dy in steps.tolist() if dx or dy)
        parts.append(f"M{x} {y}l{written}z".replace(" -", "-"))
    return "".join(parts)
