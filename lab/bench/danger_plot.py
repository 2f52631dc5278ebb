"""Draws how often discards dealt in against the predicted chance, as an SVG picture.

Each dot is a group of discards with like chances, with the interval that holds 95%.

Run as `python -m lab.bench.danger_plot FIGURES --out PICTURE`, where FIGURES holds what
`python -m lab.bench.danger --check` prints.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.files import write_whole
from companion.named_files import writing
from lab.bench.labelled_photos import wilson_interval

LEAST, MOST = 0.0003, 0.3
"""The ends of both axes, chances; what is below the least is drawn there."""
SIDE, LEFT, TOP, GAP, COLUMNS = 240, 52, 30, 58, 3
"""Side of one game's square, its margins and gap, px; number of columns."""
MARKS = (0.001, 0.01, 0.1)


def main() -> None:
    """Write the picture."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench.danger_plot", description=__doc__)
    parser.add_argument("figures", type=Path, help="what `python -m lab.bench.danger --check` printed")
    parser.add_argument("--out", type=Path, required=True, help="the SVG file that is written")
    options = parser.parse_args()
    try:
        figures = json.loads(options.figures.read_text(encoding="utf-8"))
        picture = draw_calibration(figures)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        parser.error(f"'{options.figures}' does not hold what python -m lab.bench.danger --check prints")
    with writing(options.out):
        write_whole(options.out, picture.encode())


def draw_calibration(figures: Mapping[str, Mapping[str, Any]]) -> str:
    """An SVG document with a square for each game. figures: by game, the result of `danger.check`."""
    rows = math.ceil(len(figures) / COLUMNS)
    wide, high = SIDE + GAP, SIDE + GAP + TOP
    width, height = COLUMNS * wide + LEFT, rows * high
    squares = []
    for at, (game, each) in enumerate(figures.items()):
        row, column = divmod(at, COLUMNS)
        place = f"translate({LEFT + column * wide} {TOP + row * high})"
        squares.append(f'<g transform="{place}">{_draw_game(game, each)}</g>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif"'
        f' font-size="11" fill="#333"><rect width="{width}" height="{height}" fill="#fff"/>'
        + "\n".join(squares)
        + "</svg>\n"
    )


def _draw_game(game: str, figures: Mapping[str, Any]) -> str:
    middle = SIDE / 2
    parts = [
        f'<text x="0" y="-8" font-size="13">{game}</text>',
        f'<rect width="{SIDE}" height="{SIDE}" fill="none" stroke="#888"/>',
        f'<line x1="0" y1="{SIDE}" x2="{SIDE}" y2="0" stroke="#bbb"/>',
        f'<text x="{middle}" y="{SIDE + 32}" text-anchor="middle">predicted</text>',
        f'<text transform="translate(-40 {middle}) rotate(-90)" text-anchor="middle">came</text>',
    ]
    for mark in MARKS:
        at = _place(mark)
        parts.append(f'<text x="{at}" y="{SIDE + 16}" text-anchor="middle">{100 * mark:g}%</text>')
        parts.append(f'<text x="-6" y="{SIDE - at + 4}" text-anchor="end">{100 * mark:g}%</text>')
    for predicted, came, count in figures["calibration"]:
        low, high = wilson_interval(round(came * count), count)
        x = _place(predicted)
        parts.append(
            f'<line x1="{x}" x2="{x}" y1="{SIDE - _place(low)}" y2="{SIDE - _place(high)}" stroke="#27a"/>'
            f'<circle cx="{x}" cy="{SIDE - _place(came)}" r="3.5" fill="#27a"/>'
        )
    return "".join(parts)


def _place(chance: float) -> float:
    """The place of a chance on an axis, px from its lower end."""
    share = math.log(max(chance, LEAST) / LEAST) / math.log(MOST / LEAST)
    return round(min(share, 1.0) * SIDE, 1)


if __name__ == "__main__":
    main()
