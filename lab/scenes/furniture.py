"""The table itself: playing cloth with the outlines of its lifts, a rim, a device in the middle, trays and
displays on the rim, and a room beyond. Drawn before the tiles, from a value and a camera.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from companion.images import Image
from lab.scenes.geometry import (
    Camera,
    Floats,
    fill_flat,
    line_flat,
    paint_quad,
    project_outline,
    rotation_z,
    shrink_texture,
)
from lab.scenes.layouts import QUARTER
from lab.scenes.things import (
    LETTERS,
    Colour,
    Rng,
    choose_colour,
    choose_dark_colour,
    choose_pale_colour,
    draw_strokes,
    make_blank_sheet,
    print_lines,
    write_text,
)

# Segments of a digit: top, top right, bottom right, bottom, bottom left, top left, middle.
SEGMENTS = (
    "1111110", "0110000", "1101101", "1111001", "0110011",
    "1011011", "1011111", "1110000", "1111111", "1111011",
)  # fmt: skip
LAMPS: tuple[Colour, ...] = ((40, 40, 255), (40, 40, 255), (60, 255, 90), (255, 190, 60), (60, 170, 255))


def write_digits(sheet: Image, text: str, x: float, y: float, height: float, colour: Colour) -> None:
    """Lit digits of seven segments, left top at (x, y) px; a blank stands for one that is dark."""
    slant, wide = 0.12 * height, 0.5 * height
    thick = max(1, round(height * 0.11))
    for index, sign in enumerate(text):
        if not sign.isdigit():
            continue
        left = x + index * wide * 1.55
        tops = [(left + slant, y), (left + wide + slant, y)]
        middles = [(left + slant / 2, y + height / 2), (left + wide + slant / 2, y + height / 2)]
        feet = [(left, y + height), (left + wide, y + height)]
        strokes = (
            (tops[0], tops[1]), (tops[1], middles[1]), (middles[1], feet[1]), (feet[0], feet[1]),
            (middles[0], feet[0]), (tops[0], middles[0]), (middles[0], middles[1]),
        )  # fmt: skip
        for lit, (a, b) in zip(SEGMENTS[int(sign)], strokes, strict=True):
            if lit == "1":
                p, q = (np.array(a), np.array(b))
                inset = (q - p) * 0.1
                ends = np.round(np.stack([p + inset, q - inset])).astype(int).tolist()
                cv2.line(sheet, ends[0], ends[1], (*colour, 255), thick, cv2.LINE_AA)


def draw_display(rng: Rng) -> Image:
    """A dark panel with the points of four players in lit digits, and a name."""
    sheet = make_blank_sheet(
        float(rng.uniform(160, 260)), float(rng.uniform(26, 60)), choose_colour(rng, 5, 40), 9.0
    )
    rows, columns = sheet.shape[:2]
    lamp = LAMPS[int(rng.integers(len(LAMPS)))]
    digits = int(rng.integers(3, 6))
    high = rows * float(rng.uniform(0.2, 0.32))
    for u, v, size in ((0.12, 0.35, 1.0), (0.4, 0.08, 0.9), (0.42, 0.5, 1.25), (0.68, 0.35, 1.0)):
        text = "".join(rng.choice(list("0123456789"), digits))
        write_digits(sheet, text, u * columns, v * rows, high * size, lamp)
    write_text(sheet, "".join(rng.choice(list(LETTERS), 7)), 0.74, 0.95, 0.14, choose_pale_colour(rng), 0)
    glow = cv2.GaussianBlur(sheet[:, :, :3], (0, 0), max(1.0, high * 0.12))
    sheet[:, :, :3] = cv2.add(sheet[:, :, :3], (glow * 0.6).astype(np.uint8))
    return sheet


def draw_centre_device(rng: Rng) -> Image:
    """What stands in the middle of an automatic table: a dark square with a dome for dice, lamps, winds."""
    side = 150.0
    body = choose_colour(rng, 20, 90) if rng.random() < 0.75 else choose_colour(rng, 90, 220)
    sheet = make_blank_sheet(side, side, body, 10.0)
    px = sheet.shape[0]
    middle = (px // 2, px // 2)
    inner = choose_colour(rng, 5, 60)
    inset = int(px * rng.uniform(0.08, 0.16))
    cv2.rectangle(sheet, (inset, inset), (px - inset, px - inset), (*inner, 255), -1)
    for _ in range(int(rng.integers(0, 26))):
        a = rng.integers(inset, px - inset, 2)
        b = a + rng.integers(-60, 60, 2) * rng.permutation([0, 1])
        cv2.line(sheet, a.tolist(), b.tolist(), (*choose_colour(rng, 60, 200), 255), 1, cv2.LINE_AA)
    dome = int(px * rng.uniform(0.13, 0.24))
    rim = choose_colour(rng, 90, 230)
    cv2.circle(sheet, middle, dome + px // 40, (*rim, 255), -1, cv2.LINE_AA)
    cv2.circle(sheet, middle, dome, (*choose_colour(rng, 10, 120), 255), -1, cv2.LINE_AA)
    _draw_dice(rng, sheet, middle, dome)
    arc, bright = (dome * 4 // 5, dome * 4 // 5), (245, 245, 245, 255)
    cv2.ellipse(sheet, middle, arc, 200, 0, 70, bright, max(2, dome // 9), cv2.LINE_AA)
    for _ in range(4):
        sheet = np.ascontiguousarray(np.rot90(sheet))
        kind = int(rng.integers(4))
        x = px // 2
        y = int(px * 0.86)
        if kind == 0:
            points = "".join(rng.choice(list("0123456789"), 4))
            write_digits(sheet, points, x - px * 0.13, y - px * 0.05, px * 0.09, LAMPS[0])
        elif kind == 1:
            draw_strokes(rng, sheet, x - px // 16, y - px // 16, px // 8, choose_pale_colour(rng))
        elif kind == 2:
            colour = (*(int(c) for c in rng.integers(0, 256, 3)), 255)
            cv2.circle(sheet, (x, y), px // 22, colour, -1, cv2.LINE_AA)
            cv2.circle(sheet, (x - px // 5, y), px // 30, (40, 220, 250, 255), -1, cv2.LINE_AA)
        else:
            low, high = (x - px // 9, y - px // 30), (x + px // 9, y + px // 30)
            cv2.rectangle(sheet, low, high, (*choose_colour(rng, 120), 255), -1)
    return sheet


def _draw_dice(rng: Rng, sheet: Image, middle: tuple[int, int], reach: int) -> None:
    """Two or three small dice in a dome."""
    for _ in range(int(rng.integers(0, 4))):
        at = np.array(middle) + rng.uniform(-0.5, 0.5, 2) * reach
        size = reach * 0.5
        corners = cv2.boxPoints((at.tolist(), (size, size), float(rng.uniform(0, 90))))
        cv2.fillConvexPoly(sheet, corners.astype(np.int32), (235, 240, 245, 255), cv2.LINE_AA)
        for _ in range(int(rng.integers(1, 6))):
            spot = at + rng.uniform(-0.3, 0.3, 2) * size
            at_px, pip = spot.astype(int).tolist(), max(1, int(size * 0.1))
            cv2.circle(sheet, at_px, pip, (30, 30, 160, 255), -1, cv2.LINE_AA)


def draw_stick_tray(rng: Rng) -> Image:
    """Compartments of a drawer with scoring sticks in them, seen from above."""
    sheet = make_blank_sheet(
        float(rng.uniform(200, 300)), float(rng.uniform(40, 80)), choose_colour(rng, 5, 60), 4.0
    )
    rows, columns = sheet.shape[:2]
    count = int(rng.integers(2, 6))
    body = (*choose_colour(rng, 10, 240), 255)
    for k in range(count):
        x0, x1 = (int((k + edge) * columns / count) for edge in (0.04, 0.96))
        cv2.rectangle(sheet, (x0, rows // 12), (x1, rows * 11 // 12), (*choose_colour(rng, 5, 45), 255), -1)
        colour = choose_colour(rng, 60) if rng.random() < 0.6 else choose_pale_colour(rng)
        for _ in range(int(rng.integers(0, 9))):
            y = int(rng.uniform(0.25, 0.85) * rows)
            a, b = (x0 + 6, y), (x1 - 6, int(y + rng.normal(0, 0.05) * rows))
            cv2.line(sheet, a, b, (*colour, 255), max(2, rows // 14), cv2.LINE_AA)
            spot = ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)
            cv2.circle(sheet, spot, max(1, rows // 40), (30, 30, 180, 255), -1, cv2.LINE_AA)
        cv2.rectangle(sheet, (x0, rows // 12), (x1, rows * 11 // 12), body, 2)
    return sheet


def draw_drink_holder(rng: Rng) -> Image:
    """A round hollow for a cup with a ring of metal, seen from above; a cup stands in some."""
    side = 80.0
    sheet = make_blank_sheet(side, side, choose_colour(rng, 90, 230), side / 2)
    px = sheet.shape[0]
    middle, reach = (px // 2, px // 2), round(px * rng.uniform(0.38, 0.44))
    cv2.circle(sheet, middle, reach, (*choose_colour(rng, 5, 50), 255), -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.circle(sheet, middle, round(0.8 * reach), (*choose_pale_colour(rng), 255), -1, cv2.LINE_AA)
        cv2.circle(sheet, middle, round(0.7 * reach), (*choose_colour(rng, 10, 150), 255), -1, cv2.LINE_AA)
    return sheet


def draw_socket(rng: Rng) -> Image:
    """A wall socket or a light switch, one or several in a frame."""
    plate = choose_pale_colour(rng)
    count = int(rng.choice([1, 1, 2, 3]))
    sheet = make_blank_sheet(80.0 * count, 80.0, plate, 6.0)
    side = sheet.shape[0]
    shade = tuple(int(c * 0.8) for c in plate)
    hole = choose_colour(rng, 0, 60)
    for k in range(count):
        middle = (int((k + 0.5) * sheet.shape[1] / count), side // 2)
        kind = int(rng.integers(4))
        reach = int(side * rng.uniform(0.25, 0.4))
        low, high = ((middle[0] + s * reach, middle[1] + s * reach) for s in (-1, 1))
        if kind == 0:
            cv2.circle(sheet, middle, reach, (*shade, 255), -1, cv2.LINE_AA)
            cv2.circle(sheet, middle, reach - 4, (*plate, 255), -1, cv2.LINE_AA)
            for dx in (-0.45, 0.45):
                cv2.circle(
                    sheet, (int(middle[0] + dx * reach), middle[1]), reach // 8, (*hole, 255), -1, cv2.LINE_AA
                )
        elif kind == 1:
            cv2.rectangle(sheet, low, high, (*shade, 255), 2, cv2.LINE_AA)
            for dx, dy, turn in ((-0.4, -0.1, 20), (0.4, -0.1, -20), (0.0, 0.45, 0)):
                centre = (int(middle[0] + dx * reach), int(middle[1] + dy * reach))
                cv2.ellipse(
                    sheet, centre, (reach // 12 + 1, reach // 4), turn, 0, 360, (*hole, 255), -1, cv2.LINE_AA
                )
        elif kind == 2:
            cv2.rectangle(sheet, low, high, (*shade, 255), 2, cv2.LINE_AA)
            cv2.line(sheet, (low[0], middle[1]), (high[0], middle[1]), (*shade, 255), 1, cv2.LINE_AA)
        else:
            cv2.rectangle(sheet, low, high, (*shade, 255), -1)
            for dx in (-0.35, 0.35):
                for dy in (-0.35, 0.35):
                    spot = (int(middle[0] + dx * reach), int(middle[1] + dy * reach))
                    cv2.rectangle(
                        sheet, (spot[0] - 3, spot[1] - 7), (spot[0] + 3, spot[1] + 7), (*hole, 255), -1
                    )
    return sheet


def draw_label(rng: Rng) -> Image:
    """A label of a device: a name, lines of small print, a bar code, a sign."""
    ground = choose_pale_colour(rng) if rng.random() < 0.5 else choose_dark_colour(rng)
    ink = choose_dark_colour(rng) if sum(ground) > 300 else choose_pale_colour(rng)
    sheet = make_blank_sheet(float(rng.uniform(25, 90)), float(rng.uniform(20, 60)), ground, 2.0)
    rows, columns = sheet.shape[:2]
    write_text(sheet, "".join(rng.choice(list(LETTERS), int(rng.integers(2, 7)))), 0.06, 0.3, 0.22, ink, 0)
    print_lines(rng, sheet, (4, int(rows * 0.36), columns - 4, int(rows * 0.75)), max(5, rows // 12), ink)
    if rng.random() < 0.5:
        x = columns * 0.08
        while x < columns * 0.7:
            wide = float(rng.choice([1, 2, 3]))
            cv2.rectangle(
                sheet, (int(x), int(rows * 0.78)), (int(x + wide), int(rows * 0.95)), (*ink, 255), -1
            )
            x += wide + float(rng.choice([2, 3, 4]))
    else:
        centre = (int(columns * 0.84), int(rows * 0.8))
        cv2.circle(sheet, centre, max(3, rows // 9), (*ink, 255), max(1, rows // 50), cv2.LINE_AA)
    return sheet


APRON_MM = 170.0  # how far a table's outer side reaches down
LINE_MM = 1.6
RIM_STRIPS = 10  # that its round profile is drawn of
SLOT = (14, 15, 16)  # BGR


@dataclass(frozen=True, slots=True, eq=False)
class Furniture:
    """A table with a playing surface of twice `half_mm`.

    rim_mm, rim_high_mm: its rim's width and height, 0 for a table without; rim: its BGR colour; polish: how
    much the rim mirrors, 0..1; marbled: whether it has clouds of another colour.
    lifts: whether outlines of an automatic table's lifts are seen, line their colour; slots: whether the
    lifts are down, so that dark slots are seen.
    device: BGRA picture of what stands in the middle, `device_mm` half its side; None: nothing does.
    trays, fronts: what lies on the rim and on the outer side before each seat, or None.
    seed: of the small things that stay as they are, as the streaks of lamps on the rim.
    apron_mm: how far its outer side reaches down.
    holder: what is let into the rim for a drink, at the right of each seat, or None.
    """

    half_mm: float
    rim_mm: float
    rim_high_mm: float
    rim: Colour
    polish: float
    marbled: bool
    lifts: bool
    line: Colour
    device: Image | None
    device_mm: float
    trays: tuple[Image | None, ...]
    fronts: tuple[Image | None, ...]
    seed: int = 0
    slots: bool = False
    apron_mm: float = APRON_MM
    holder: Image | None = None


def make_random_furniture(rng: Rng, half_mm: float, *, device_mm: float = 0.0) -> Furniture:
    """An automatic table if `device_mm` is not 0, else a plain or folding one."""
    automatic = device_mm > 0
    high = float(rng.uniform(4, 22))
    kind = rng.random()
    rim = (
        choose_pale_colour(rng)
        if kind < 0.4
        else choose_dark_colour(rng)
        if kind < 0.55
        else choose_colour(rng)
    )
    if not automatic and rng.random() < 0.4:  # wood
        rim = (int(rng.uniform(40, 110)), int(rng.uniform(80, 150)), int(rng.uniform(120, 210)))
    trays: list[Image | None] = [None] * 4
    fronts: list[Image | None] = [None] * 4
    for seat in range(4):
        if automatic and rng.random() < 0.5:
            fronts[seat] = draw_display(rng)
        if rng.random() < 0.35:
            trays[seat] = draw_stick_tray(rng)
        elif rng.random() < 0.08:
            trays[seat] = draw_label(rng) if rng.random() < 0.6 else draw_socket(rng)
    none = not automatic and rng.random() < 0.3
    polish = float(rng.choice([rng.uniform(0.0, 0.3), rng.uniform(0.5, 1.0)]))
    return Furniture(
        half_mm=half_mm,
        rim_mm=0.0 if none else float(rng.uniform(45, 110)),
        rim_high_mm=0.0 if none else high,
        rim=rim,
        polish=polish,
        marbled=automatic and bool(rng.random() < 0.3),
        lifts=automatic and bool(rng.random() < 0.75),
        line=(20, 20, 20) if rng.random() < 0.7 else (190, 200, 195),
        device=draw_centre_device(rng) if automatic else None,
        device_mm=device_mm,
        trays=tuple(trays),
        fronts=tuple(fronts),
        seed=int(rng.integers(2**31)),
        slots=bool(rng.random() < 0.12),
    )


def draw_furniture(table: Furniture, camera: Camera, cloth: Image, room: Image) -> Image:
    """The empty table (H, W, 3) as the camera sees it. cloth, room: pictures of that size; what lies on the
    table shows `cloth`, what lies beyond it `room`."""
    rng = np.random.default_rng(table.seed)
    image = room.copy()
    half = table.half_mm
    outer = half + table.rim_mm
    sides = [rotation_z(seat * QUARTER) for seat in range(4)]
    order = sorted(
        range(4), key=lambda s: -float(np.linalg.norm(camera.position_mm - sides[s] @ [0, -half, 0]))
    )
    for seat in order:
        _draw_outer_side(image, camera, table, sides[seat], table.fronts[seat], outer)
    cover = np.zeros(image.shape[:2], np.uint8)
    square = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0.0]])
    fill_flat(cover, camera, square, (255,))
    share = cover * np.float32(1 / 255)
    image = np.asarray(cv2.blendLinear(_light_cloth(rng, cloth), image, share, 1 - share), np.uint8)
    if table.lifts:
        for side in sides:
            _draw_lifts(image, camera, table, side)
    if table.device is not None:
        _lay(image, camera, table.device, np.eye(3), 0.0, 0.0, 2 * table.device_mm, 2 * table.device_mm, 1.0)
    if table.rim_mm:
        for seat in order:
            _draw_rim(rng, image, camera, table, sides[seat])
            tray = table.trays[seat]
            if tray is not None:
                long = min(0.75 * half, table.rim_mm * 0.8 * tray.shape[1] / tray.shape[0])
                high = min(table.rim_mm * 0.8, long * tray.shape[0] / tray.shape[1])
                _lay(
                    image, camera, tray, sides[seat], 0.0, -half - table.rim_mm / 2, long, high,
                    table.rim_high_mm + 0.5,
                )  # fmt: skip
            if table.holder is not None:
                wide = 0.85 * table.rim_mm
                x, y, z = 0.78 * half, -half - table.rim_mm / 2, table.rim_high_mm + 0.5
                _lay(image, camera, table.holder, sides[seat], x, y, wide, wide, z)
    return image


def _light_cloth(rng: Rng, cloth: Image) -> Image:
    """The cloth, lighter on one side of the picture than on the other."""
    height, width = cloth.shape[:2]
    ends = rng.uniform(180, 255, (2, 2)).astype(np.uint8)
    level = cv2.resize(ends, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(cloth, cv2.merge([level, level, level]), scale=1 / 230), np.uint8)


def _draw_lifts(image: Image, camera: Camera, table: Furniture, side: Floats) -> None:
    """The outlines of the lifts that raise walls and hands, and of the plate in the middle."""
    half = table.half_mm
    for near, far, wide in ((0.3, 0.41, 0.52), (0.05, 0.16, 0.5)):
        low, high, reach = -half * (1 - near), -half * (1 - far), half * wide
        corners = (
            np.array([[-reach, low, 0], [reach, low, 0], [reach, high, 0], [-reach, high, 0.0]]) @ side.T
        )
        if table.slots:
            fill_flat(image, camera, corners, SLOT)
        line_flat(image, camera, corners, table.line, LINE_MM, True)
    inner, outer = table.device_mm * 1.1, table.device_mm * 2.1
    spokes = np.array([[inner, -inner, 0.2], [outer, -outer, 0.2], [-outer, -outer, 0.2]]) @ side.T
    line_flat(image, camera, spokes, table.line, LINE_MM, False)


def _draw_rim(rng: Rng, image: Image, camera: Camera, table: Furniture, side: Floats) -> None:
    """One side of the rim: a slope up from the cloth, a top, and streaks of lamps that it mirrors."""
    half, high = table.half_mm, table.rim_high_mm
    outer = half + table.rim_mm
    shares = np.linspace(0.0, 1.0, RIM_STRIPS + 1)
    heights = (
        high * np.sin(np.pi * np.minimum(0.5, shares * 1.6)) * np.where(shares < 0.8, 1, (1.2 - shares) / 0.4)
    )
    aways = half + table.rim_mm * shares
    catching = float(rng.uniform(0.15, 0.75))
    for index, (low, top) in enumerate(pairwise(heights)):
        a, b, share = aways[index], aways[index + 1], (shares[index] + shares[index + 1]) / 2
        strip = np.array([[-a, -a, low], [a, -a, low], [b, -b, top], [-b, -b, top]]) @ side.T
        shade = (0.78 + 0.24 * np.sin(np.pi * min(1.0, share + 0.15))) * (0.96 + 0.08 * float(side[0, 0]))
        sheen = 90 * table.polish * float(np.exp(-(((share - catching) / 0.13) ** 2)))
        fill_flat(image, camera, strip, tuple(min(255.0, c * shade + sheen) for c in table.rim))
    if not (table.polish or table.marbled):
        return
    crown = np.array([[-outer, -outer], [outer, -outer], [half, -half], [-half, -half]])
    seen = project_outline(camera, np.column_stack([crown, np.full(4, high)]) @ side.T)
    if not len(seen):
        return
    height, width = image.shape[:2]
    x0, y0 = np.clip(np.floor(seen.min(axis=0)).astype(int), 0, [width, height])
    x1, y1 = np.clip(np.ceil(seen.max(axis=0)).astype(int), 0, [width, height])
    if x1 - x0 < 4 or y1 - y0 < 4:
        return
    glow = np.zeros((height, width), np.uint8)
    for _ in range(int(rng.integers(1, 5))):
        away, start, long = (
            rng.uniform(half + 4, outer - 4),
            rng.uniform(-1, 0.8) * half,
            rng.uniform(0.1, 1.2) * half,
        )
        streak = (
            np.array([[start, -away, high + 0.3], [min(start + long, outer), -away, high + 0.3]]) @ side.T
        )
        line_flat(glow, camera, streak, (int(255 * table.polish),), float(rng.uniform(2, 9)), False)
    if table.marbled:
        for _ in range(12):
            at, away = rng.uniform(-half, half), rng.uniform(half + 5, outer - 5)
            cloud = (
                np.array([[at, -away, high], [at + rng.uniform(10, 80), -away + rng.uniform(-9, 9), high]])
                @ side.T
            )
            line_flat(glow, camera, cloud, (int(rng.uniform(40, 150)),), float(rng.uniform(1, 7)), False)
    part = cv2.GaussianBlur(glow[y0:y1, x0:x1], (0, 0), max(1.0, width / 500))
    region = image[y0:y1, x0:x1]
    region[:] = cv2.add(region, cv2.cvtColor(part, cv2.COLOR_GRAY2BGR))


def _draw_outer_side(
    image: Image, camera: Camera, table: Furniture, side: Floats, front: Image | None, outer: float
) -> None:
    """The outer side below the rim, with a display on it."""
    if (camera.position_mm @ (side @ np.array([0.0, -1.0, 0.0]))) < outer:
        return
    top = table.rim_high_mm * 0.5
    ends, heights = (
        np.array([-outer, outer, outer, -outer]),
        np.array([top, top, -table.apron_mm, -table.apron_mm]),
    )
    wall = np.column_stack([ends, np.full(4, -outer), heights])
    fill_flat(image, camera, wall @ side.T, tuple(c * 0.7 for c in table.rim))
    if front is not None:
        long = 0.5 * outer
        high = long * front.shape[0] / front.shape[1]
        corners = np.array([[-long, -10], [long, -10], [long, -10 - 2 * high], [-long, -10 - 2 * high]])
        quad = np.column_stack([corners[:, 0], np.full(4, -outer - 1), corners[:, 1]]) @ side.T
        seen = camera.project(quad)
        if np.all(np.isfinite(seen)) and np.abs(seen).max() < 20_000:
            paint_quad(image, shrink_texture(front, seen), seen, 1.0)


def _lay(
    image: Image,
    camera: Camera,
    sheet: Image,
    side: Floats,
    x: float,
    y: float,
    wide: float,
    high: float,
    z: float,
) -> None:
    """Lays a flat picture of this size in mm on the table before a seat, its middle at (x, y), `z` up."""
    corners = np.array([x, y, z]) + np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]]) * [
        wide / 2,
        high / 2,
        0,
    ]
    quad = camera.project(corners @ side.T)
    if np.all(np.isfinite(quad)) and np.abs(quad).max() < 20_000:
        paint_quad(image, shrink_texture(sheet, quad), quad, 1.0)


def choose_muted_colour(rng: Rng, low: float, high: float) -> Colour:
    """A BGR colour as rooms have, rarely a bright one; about low..high."""
    grey = float(rng.uniform(low, high))
    vivid = float(rng.choice([0.1, 0.25, 0.8], p=[0.55, 0.35, 0.1]))
    b, g, r = (int(np.clip(grey * (1 + vivid * rng.normal()), 0, 255)) for _ in "bgr")
    return b, g, r


def draw_dim_room(rng: Rng, height: int, width: int) -> Image:
    """A room out of focus: a floor, dark shapes of chairs and people, lights."""
    small = np.empty((60, 80, 3), np.uint8)
    small[:] = choose_muted_colour(rng, 20, 150)
    for _ in range(int(rng.integers(5, 22))):
        corners = rng.uniform([-10, -10], [90, 70], (int(rng.integers(3, 6)), 2))
        tone = choose_muted_colour(rng, 0, 90) if rng.random() < 0.6 else choose_muted_colour(rng, 60, 250)
        cv2.fillConvexPoly(small, cv2.convexHull(corners.astype(np.int32)), tone, cv2.LINE_AA)
    blurred = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.6, 3.0)))
    return cv2.resize(blurred, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.uint8)
