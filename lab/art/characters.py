"""Faces made of writing: the characters suit, winds, Red and Green dragons, and the index of beginners' sets;
with strokes bent as a carver's hand bends them.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.images import Image
from lab.art.canvas import FACE_H, FACE_W, Canvas, Colour, Point
from lab.art.glyphs import Writing, make_glyph
from lab.art.style import Corner, Index, Lettering

STROKES = {"一": 1, "二": 2, "三": 3}
WIDE_PX = 160  # of the longest stroke
PLACES = 4  # along each side, that are moved by themselves
MOVED = 0.05  # of a character's sides (sigma)


def carve_by_hand(mask: Image, character: str, seed: int) -> Image:
    """The ink (h, w) uint8 of a character as one hand, `seed`, carves it: the same each time."""
    rng = np.random.default_rng((seed, ord(character)))
    if character in STROKES:
        mask = _draw_strokes(STROKES[character], np.random.default_rng(seed))
    return _crop(_bend(mask, rng))


def _draw_strokes(count: int, rng: np.random.Generator) -> Image:
    """Strokes one above the other; the last is the longest."""
    lengths = [float(rng.uniform(0.45, 0.95)), float(rng.uniform(0.4, 0.9)), 1.0]
    apart = float(rng.uniform(0.26, 0.42)) * WIDE_PX
    thin = float(rng.uniform(0.035, 0.075)) * WIDE_PX
    blunt = float(rng.uniform(1.0, 1.5))
    picture = np.zeros((round(3 * apart + 8 * thin), round(1.4 * WIDE_PX)), np.uint8)
    for k, length in enumerate(lengths[3 - count :]):
        middle = 0.7 * WIDE_PX + float(rng.normal(0, 0.04)) * WIDE_PX
        half, sag = length * WIDE_PX / 2, float(rng.normal(0, 0.03)) * WIDE_PX
        y = 4 * thin + k * apart
        along = np.linspace(-1, 1, 24)
        for t in along:
            end = abs(float(t)) ** 3
            radius = thin * (1 + (blunt - 1) * end)
            centre = round(middle + half * float(t)), round(y + sag * (1 - float(t) ** 2))
            cv2.circle(picture, centre, max(1, round(radius)), 255, -1, cv2.LINE_AA)
        ends = [round(middle - half), round(y)], [round(middle + half), round(y)]
        cv2.line(picture, ends[0], ends[1], 255, max(1, round(1.6 * thin)), cv2.LINE_AA)
    return picture


def _bend(mask: Image, rng: np.random.Generator) -> Image:
    """The ink with its parts moved, neighbours alike."""
    height, width = mask.shape
    margin = round(0.15 * max(height, width))
    mask = np.pad(mask, margin)
    rows, columns = mask.shape
    moved = rng.normal(0, MOVED, (2, PLACES, PLACES)).astype(np.float32)
    dx, dy = (cv2.resize(part, (columns, rows), interpolation=cv2.INTER_CUBIC) for part in moved)
    x, y = np.meshgrid(np.arange(columns, dtype=np.float32), np.arange(rows, dtype=np.float32))
    return np.asarray(cv2.remap(mask, x + dx * width, y + dy * height, cv2.INTER_LINEAR), np.uint8)


def _crop(mask: Image) -> Image:
    rows, columns = np.flatnonzero(mask.max(axis=1) > 8), np.flatnonzero(mask.max(axis=0) > 8)
    return np.pad(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], 1)


NUMERALS = "一二三四五六七八九"
WINDS = {1: "東南西北", 0: "东南西北"}
HONOUR_LETTERS = "ESWN FC"
INDEX_MARGIN = 4.0


def fit_size(mask: Image, width: float, height: float, stretch: float = 1.3) -> Point:
    """The size at which a character fills width by height, stretched no more than so in one direction."""
    h, w = mask.shape
    scale = min(width / w, height / h)
    return min(width, w * scale * stretch), min(height, h * scale * stretch)


def write(
    canvas: Canvas,
    character: str,
    centre: Point,
    size: Point,
    style: Lettering,
    colour: Colour,
    writing: Writing | None = None,
    stretch: float = 1.0,
) -> None:
    """Write one character around a centre, at most `size` wide and high."""
    mask = make_glyph(character, writing or style.writing, style.font, style.weight, style.pen)
    if style.hand:
        mask = carve_by_hand(mask, character, style.hand)
    if style.hollow:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
        wide = np.pad(mask, 5)
        mask = cv2.subtract(cv2.dilate(wide, kernel), cv2.erode(wide, np.ones((3, 3), np.uint8))).astype(
            np.uint8
        )
    width, height = fit_size(mask, *size, style.stretch * stretch)
    box = (centre[0] - width / 2, centre[1] - height / 2, width, height)
    canvas.stamp(mask, box, colour, skew=style.skew, rise=style.rise, turn=style.turn)


def draw_character(canvas: Canvas, rank: int, style: Lettering, numeral: Colour, wan: Colour) -> None:
    """A numeral above 萬."""
    character = "伍" if rank == 5 and style.long_five else NUMERALS[rank - 1]
    room = FACE_H * 0.96 - style.gap
    scale = min(1.0, room / (style.numeral_height + style.wan_height))
    upper, lower = style.numeral_height * scale, style.wan_height * scale
    top = (FACE_H - upper - lower - style.gap) / 2
    size = (style.numeral_width, upper * (0.8 if rank in (2, 3) else 1.0))
    write(canvas, character, (FACE_W / 2, top + upper / 2), size, style, numeral)
    below = (FACE_W / 2, top + upper + style.gap + lower / 2)
    write(canvas, "萬" if style.traditional_wan else "万", below, (style.wan_width, lower), style, wan)


def draw_honour(canvas: Canvas, rank: int, style: Lettering, colour: Colour) -> None:
    """A wind (1..4), the Green (6) or the Red dragon (7)."""
    writing, stretch = None, 1.0
    size = (style.honour_width, style.honour_height)
    if rank <= 4:
        character, writing = WINDS[style.traditional_winds][rank - 1], style.wind_writing
    elif rank == 6:
        character, writing = ("發" if style.traditional_green else "发"), style.green_writing
    else:
        character, size, stretch = "中", (style.honour_width * 0.82, style.honour_height * 1.04), 1.35
    write(canvas, character, (FACE_W / 2, FACE_H / 2), size, style, colour, writing, stretch)


def index_text(suit: str, rank: int, index: Index) -> str:
    """What the index of a tile says, empty if it has none."""
    if index.corner is Corner.NONE:
        return ""
    if suit in "mps":
        return str(rank)
    if suit == "z" and index.honours:
        return index.white if rank == 5 else HONOUR_LETTERS[rank - 1]
    return ""


def make_room_for_index(index: Index) -> tuple[float, float]:
    """By how much the rest of a face shrinks and moves down (face units) to make room for an index."""
    return 1.0 - 0.008 * index.size, 0.0 if index.corner is Corner.BOTH else 0.33 * index.size


def draw_index(canvas: Canvas, text: str, index: Index) -> None:
    """The index in its corner, and upside down in the opposite one where the style has both."""
    if not text:
        return
    mask = make_glyph(text, Writing.LATIN, index.font)
    height = index.size
    width = height * mask.shape[1] / mask.shape[0]
    left = FACE_W - INDEX_MARGIN - width if index.corner is Corner.RIGHT else INDEX_MARGIN
    canvas.stamp(mask, (left, INDEX_MARGIN, width, height), index.colour)
    if index.corner is Corner.BOTH:
        opposite = (FACE_W - INDEX_MARGIN - width, FACE_H - INDEX_MARGIN - height, width, height)
        canvas.stamp(mask, opposite, index.colour, turn=180)
