"""Everybody can read the window: contrast after WCAG 2.2, and signals apart for people who see red and green
alike."""

from __future__ import annotations

import ast
from dataclasses import fields
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import companion.app
from companion.app.look import Colour, Palette, Shade, choose_palette

APP = Path(companion.app.__file__).parent
CONTRAST_MIN = 4.5
"""Of text, by success criterion 1.4.3."""
APART_MIN = 18.0
"""Difference of two colours in CIE Lab, where some 2 can just be seen side by side."""
SIMULATED = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116,
    1.051998)), "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881)),
}  # fmt: skip
"""On linear RGB, severity 1.0: Machado, Oliveira and Fernandes, 2009."""
PALETTES = {
    (shade, safe): choose_palette(shade, safe) for shade, safe in product(Shade, (False, True))
}  # fmt: skip
TEXTS = ("ivory", "ivory_dim", "gold", "sure", "unsure", "meld", "gain", "loss")
GROUNDS = ("felt", "panel", "panel_raised", "bar")
PAIRS = (
    *product(TEXTS, GROUNDS),
    *product(("ivory", "ivory_dim", "gold"), ("felt_edge",)),
    *product(("ivory", "ivory_dim", "gold", "gain", "loss"), ("panel_pressed",)),
    *(("ivory", ground) for ground in ("trouble", "note")),
    *(("ink", ground) for ground in ("gold", "gold_pressed", "sure", "unsure", "meld")),
    ("field_ink", "field"),
)
MARK_CONTRAST_MIN = 3.0
"""Of edges and marks, by success criterion 1.4.11."""
MARKS = (
    *product(("line", "gold", "sure", "unsure", "meld", "loss"), ("felt", "panel", "panel_raised", "bar")),
    *product(("line", "gold", "meld", "loss", "ivory_dim"), ("sea",)),
)
"""Edges of buttons and plates, rings around tiles, lit keys, stacks of the wall."""


@pytest.mark.parametrize("which", PALETTES, ids=str)
def test_all_text_can_be_read(which: tuple[Shade, bool]) -> None:
    palette = PALETTES[which]
    found = {(text, on): contrast(getattr(palette, text), getattr(palette, on)) for text, on in PAIRS}
    assert {pair: round(ratio, 2) for pair, ratio in found.items() if ratio < CONTRAST_MIN} == {}


@pytest.mark.parametrize("which", PALETTES, ids=str)
def test_all_edges_and_marks_are_seen(which: tuple[Shade, bool]) -> None:
    palette = PALETTES[which]
    found = {(mark, on): contrast(getattr(palette, mark), getattr(palette, on)) for mark, on in MARKS}
    assert {pair: round(ratio, 2) for pair, ratio in found.items() if ratio < MARK_CONTRAST_MIN} == {}


def test_every_colour_of_text_is_checked() -> None:
    """A colour that is added to the palettes has to be judged here too."""
    judged = {name for pair in (*PAIRS, *MARKS) for name in pair}
    assert judged == {field.name for field in fields(Palette)}


def test_no_colour_is_read_before_the_look_is_known() -> None:
    """A default, or a constant of a module, would keep the dark colour after a switch to the light theme."""
    names = {field.name.upper() for field in fields(Palette)}
    found = []
    for path in sorted(APP.rglob("*.py")):
        if path.name == "theme.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        early: list[ast.AST] = [each for each in tree.body if isinstance(each, ast.Assign | ast.AnnAssign)]
        for each in ast.walk(tree):
            if isinstance(each, ast.FunctionDef):
                early += [default for default in (*each.args.defaults, *each.args.kw_defaults) if default]
            elif isinstance(each, ast.ClassDef):
                early += [part for part in each.body if isinstance(part, ast.Assign | ast.AnnAssign)]
        found += [
            f"{path.name}: theme.{node.attr}"
            for each in early
            if not any(isinstance(part, ast.Lambda) for part in ast.walk(each))
            for node in ast.walk(each)
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "theme" and node.attr in names
        ]
    assert found == []


@pytest.mark.parametrize("sight", SIMULATED)
@pytest.mark.parametrize("shade", Shade)
def test_safe_signals_differ_for_everybody(shade: Shade, sight: str) -> None:
    palette = PALETTES[shade, True]
    found = {
        pair: distance(palette, *pair, sight)
        for pair in (*combinations(("sure", "unsure", "meld", "gold"), 2), ("gain", "loss"))
    }
    assert {pair: round(apart, 1) for pair, apart in found.items() if apart < APART_MIN} == {}


def contrast(one: Colour, other: Colour) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: Colour) -> float:
    return float(np.dot((0.2126, 0.7152, 0.0722), linear(colour)))


def linear(colour: Colour) -> NDArray[np.float64]:
    part = np.array(colour[:3])
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def distance(palette: Palette, one: str, other: str, sight: str) -> float:
    seen = [
        lab(np.clip(np.array(SIMULATED[sight]) @ linear(getattr(palette, name)), 0, 1))
        for name in (one, other)
    ]
    return float(np.linalg.norm(seen[0] - seen[1]))


def lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE Lab of linear sRGB, white D65."""
    matrix = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    xyz = np.array(matrix) @ rgb / (0.9505, 1.0, 1.089)
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array((116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])))
