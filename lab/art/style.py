"""The style of a whole set of tiles: every choice a carver makes once and keeps for all 42 kinds, its
colours, and styles at random with the shares that real sets show (`random_style`).

A style is a frozen value, so the same style always draws the same picture.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

import numpy as np

from lab.art.canvas import Colour
from lab.art.glyphs import Writing

T = TypeVar("T")

# hue in turns, saturation, value: the middle of what paints on real sets look like, and how far they stray
PAINTS: Mapping[str, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "red": ((0.990, 0.82, 0.72), (0.025, 0.14, 0.16)),
    "green": ((0.385, 0.72, 0.38), (0.055, 0.20, 0.16)),
    "blue": ((0.625, 0.76, 0.55), (0.045, 0.18, 0.20)),
    "black": ((0.500, 0.12, 0.12), (0.300, 0.12, 0.10)),
    "gold": ((0.115, 0.68, 0.66), (0.025, 0.16, 0.14)),
    "brown": ((0.060, 0.62, 0.42), (0.020, 0.16, 0.12)),
    "violet": ((0.780, 0.55, 0.45), (0.040, 0.20, 0.15)),
}


@dataclass(frozen=True, slots=True)
class Inks:
    """Colours (blue, green, red) by what they paint; dots and sticks have three each, a, b and the accent
    c.
    """

    numeral: Colour
    wan: Colour
    wind: Colour
    red_dragon: Colour
    green_dragon: Colour
    white_dragon: Colour
    white_inner: Colour
    white_letter: Colour
    dots: tuple[Colour, Colour, Colour]
    sticks: tuple[Colour, Colour, Colour]
    bird: tuple[Colour, Colour, Colour]
    leaf: Colour
    bloom: Colour
    third: Colour
    plant_text: Colour
    season_text: Colour
    plant_number: Colour
    season_number: Colour


def pick(rng: np.random.Generator, choices: Mapping[T, float]) -> T:
    """One of the keys, by weight."""
    weights = np.array(list(choices.values()), np.float64)
    return list(choices)[int(rng.choice(len(weights), p=weights / weights.sum()))]


def paint(rng: np.random.Generator, name: str) -> Colour:
    """A paint of that name, a little different in every set."""
    (hue, saturation, value), (dh, ds, dv) = PAINTS[name]
    strayed = np.clip(rng.normal(0, 0.5, 3), -1, 1)
    r, g, b = colorsys.hsv_to_rgb(
        (hue + dh * strayed[0]) % 1.0,
        float(np.clip(saturation + ds * strayed[1], 0, 1)),
        float(np.clip(value + dv * strayed[2], 0.02, 1)),
    )
    return round(b * 255), round(g * 255), round(r * 255)


def random_inks(rng: np.random.Generator) -> Inks:
    """Colours for one set."""
    scheme = pick(rng, {"three": 34, "dark": 34, "two": 8, "red-dark": 8, "single": 6, "pastel": 6, "any": 4})
    names = list(PAINTS)
    red, green, blue, black = (paint(rng, name) for name in ("red", "green", "blue", "black"))
    third = blue
    if scheme == "dark":
        third = black
    elif scheme == "two":
        green = third = pick(rng, {green: 1, blue: 1})
    elif scheme == "red-dark":
        green = third = pick(rng, {black: 2, blue: 1})
    elif scheme == "single":
        red = green = third = paint(
            rng, pick(rng, {"black": 4, "blue": 3, "green": 2, "gold": 2, "brown": 1, "red": 2})
        )
    elif scheme == "any":
        red, green, third = (paint(rng, names[int(rng.integers(len(names)))]) for _ in range(3))
    elif scheme == "pastel":
        red, green, third = (_lighten(c, float(rng.uniform(0.2, 0.5))) for c in (red, green, blue))
    writing = third if rng.random() < 0.7 else black if scheme in ("three", "dark") else green
    wan = red if rng.random() < 0.88 else writing
    dot_orders = {
        (green, third, red): 6,
        (third, green, red): 3,
        (green, green, red): 2,
        (third, third, red): 2,
        (third, third, third): 0.5,
        (green, red, red): 0.5,
    }
    stick_orders = {
        (green, third, red): 4,
        (green, green, red): 6,
        (third, third, red): 1.5,
        (green, green, green): 1,
        (third, green, red): 1,
    }
    birds = [red, green, third]
    if rng.random() < 0.3:
        birds = [birds[int(i)] for i in rng.integers(0, 3, 3)]
    rng.shuffle(birds)
    white = pick(rng, {third: 6, writing: 2, green: 1, red: 0.7, black: 1})
    return Inks(
        numeral=pick(rng, {writing: 8, green: 1, red: 1}),
        wan=wan,
        wind=pick(rng, {writing: 8, green: 0.7, black: 1}),
        red_dragon=red if rng.random() < 0.93 else writing,
        green_dragon=green if rng.random() < 0.93 else writing,
        white_dragon=white,
        white_inner=white if rng.random() < 0.8 else red,
        white_letter=pick(rng, {red: 2, third: 2, green: 2}),
        dots=pick(rng, dot_orders),
        sticks=pick(rng, stick_orders),
        bird=(birds[0], birds[1], birds[2]),
        leaf=green,
        bloom=red,
        third=third,
        plant_text=pick(rng, {writing: 4, green: 2, red: 2}),
        season_text=pick(rng, {red: 6, writing: 2}),
        plant_number=pick(rng, {writing: 4, third: 3, red: 1.5}),
        season_number=pick(rng, {red: 5, writing: 1.5}),
    )


def _lighten(colour: Colour, share: float) -> Colour:
    b, g, r = (round(v + (255 - v) * share) for v in colour)
    return b, g, r


class WhiteDragon(Enum):
    """What stands on a White dragon."""

    BLANK = "blank"
    FRAME = "frame"
    DOUBLE = "double"
    CUT_CORNERS = "cut corners"
    ORNAMENT = "ornament"
    TRELLIS = "trellis"
    BLOCKS = "blocks"
    GLYPH = "glyph"


class Stick(Enum):
    """The shape of one bamboo stick."""

    CAPSULE = "capsule"
    BONE = "bone"
    LOBES = "lobes"
    CHAIN = "chain"
    SEGMENTS = "segments"
    HOURGLASS = "hourglass"
    FLARED = "flared"
    BAR = "bar"


class Pip(Enum):
    """The shape of one small dot."""

    RINGS = "rings"
    DISC = "disc"
    EYE = "eye"
    CROSS = "cross"
    FLOWER = "flower"
    SPOKES = "spokes"
    SPIRAL = "spiral"
    STAR = "star"


class Corner(Enum):
    """Where the small index of beginners' sets stands."""

    NONE = "none"
    LEFT = "left"
    RIGHT = "right"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Lettering:
    """How characters are written. Sizes are face units, weight is px of a 160 px em, skew sideways per
    height.
    """

    writing: Writing
    latin: Writing
    font: int
    weight: int
    numeral_width: float
    numeral_height: float
    wan_width: float
    wan_height: float
    gap: float
    honour_width: float
    honour_height: float
    stretch: float
    skew: float
    turn: float
    long_five: bool
    traditional_wan: bool
    traditional_winds: bool
    traditional_green: bool
    green_writing: Writing
    pen: int | None
    hollow: bool
    dragon_pictures: bool
    wind_writing: Writing | None = None  # None: as all else is written
    rise: float = 0.0  # of strokes towards the right, per width
    hand: int = 0  # the seed of what a carver's hand makes of each character, 0: as the font has it


@dataclass(frozen=True, slots=True)
class Dots:
    """How dots are drawn. radius is the share of the free space, spread the share of the face
    that they fill. mixed is 0 for the usual colours, or the seed of an unusual order of them. slant: how far
    apart the slanting row of 3 stands, 0 if its dots nearly touch, 1 from edge to edge.
    """

    pip: Pip
    radius: float
    spread: tuple[float, float]
    rings: int
    line: float
    slope: float
    mixed: int
    even_rows: bool
    petals: int
    big_radius: float
    big_kind: int
    big_petals: int
    slant: float = 1.0


@dataclass(frozen=True, slots=True)
class Bamboo:
    """How sticks are drawn. width is face units, length the share of the row's height, mixed as in Dots."""

    stick: Stick
    width: float
    length: float
    line: float
    core: float
    spread: tuple[float, float]
    eight: int
    mixed: int
    one_stick: bool
    peacock: bool = False  # 1s is a peacock as Japanese sets engrave it
    soaring: bool = False  # 1s is a bird on the wing
    unseen_bird: bool = False  # a bird of the kind that no training picture shows


@dataclass(frozen=True, slots=True)
class Index:
    """The small index in a corner; white is what it says on a White dragon."""

    corner: Corner
    size: float
    font: int
    honours: bool
    white: str
    colour: Colour


UNDER_LETTERING = 30.0  # face units from the upper edge, below any number and character of a flower


@dataclass(frozen=True, slots=True)
class Flowers:
    """How flower tiles are lettered: which corner has the number, which the character, and what number it
    is. any_plants: the pictures say nothing about which flower it is. plant_top: where the picture begins,
    beside the lettering or below it.
    """

    characters: bool
    plant_number: bool
    season_number: bool
    season_chinese_number: bool
    season_words: bool
    plant_number_left: bool
    season_number_left: bool
    traditional: bool
    number_size: float
    character_size: float
    line: float
    filled: bool
    potted: bool
    fullness: float
    any_plants: bool = False
    plant_top: float = UNDER_LETTERING


@dataclass(frozen=True, slots=True)
class Finish:
    """What happens to the paint: size and place of the whole drawing, wear, and the shade of the engraved
    edge.
    """

    size: float
    aspect: float
    shift: tuple[float, float]
    turn: float
    wobble: float
    wear: float
    wash: float
    edge: float
    edge_angle: float
    grain: float


@dataclass(frozen=True, slots=True)
class FaceStyle:
    """One set of tiles. seed decides the small things that differ from tile to tile."""

    seed: int
    inks: Inks
    lettering: Lettering
    dots: Dots
    bamboo: Bamboo
    white: WhiteDragon
    white_letter: str
    white_line: float
    white_margin: float
    index: Index
    flowers: Flowers
    finish: Finish


Rng = np.random.Generator


def random_style(rng: Rng) -> FaceStyle:
    """A set of tiles nobody has seen; the same state of rng gives the same style."""
    seed = int(rng.integers(2**31))
    own = np.random.default_rng(seed)
    return FaceStyle(
        seed=seed,
        inks=random_inks(rng),
        lettering=_carve_by_hand(own, _lettering(rng)),
        dots=_dots(rng),
        bamboo=_bamboo(rng),
        white=pick(
            rng,
            {
                WhiteDragon.BLANK: 34,
                WhiteDragon.FRAME: 14,
                WhiteDragon.DOUBLE: 16,
                WhiteDragon.CUT_CORNERS: 18,
                WhiteDragon.ORNAMENT: 10,
                WhiteDragon.TRELLIS: 7,
                WhiteDragon.BLOCKS: 7,
                WhiteDragon.GLYPH: 4,
            },
        ),
        white_letter=pick(rng, {"": 76, "P": 8, "B": 12, "W": 1, "白": 3}),
        white_line=_between(rng, 1.2, 4.2),
        white_margin=_between(rng, 7, 20),
        index=Index(
            corner=pick(rng, {Corner.NONE: 66, Corner.LEFT: 17, Corner.RIGHT: 11, Corner.BOTH: 6}),
            size=_between(rng, 11, 19) if _chance(rng, 0.8) else _between(rng, 18, 27),
            font=int(rng.integers(64)),
            honours=_chance(rng, 0.75),
            white=pick(rng, {"": 4, "P": 3, "B": 3}),
            colour=paint(rng, pick(rng, {"red": 5, "blue": 3, "green": 2, "black": 3})),
        ),
        flowers=_mix_plants(own, _flowers(rng)),
        finish=_finish(rng),
    )


def _carve_by_hand(rng: Rng, lettering: Lettering) -> Lettering:
    rise = _between(rng, 0.0, 0.3) if _chance(rng, 0.4) else 0.0
    hand = int(rng.integers(1, 2**31)) if _chance(rng, 0.4) else 0
    return replace(lettering, rise=rise, hand=hand)


def _mix_plants(rng: Rng, flowers: Flowers) -> Flowers:
    """Pictures that say nothing, where the lettering says it all."""
    return replace(flowers, any_plants=flowers.characters and _chance(rng, 0.4))


def vary_style(rng: Rng, style: FaceStyle) -> FaceStyle:
    """The style with traits of photographed sets that `random_style` does not draw: plants that grow up
    beside their lettering, flowers with a number alone, 1s that are birds on the wing, 3p of dots that nearly
    touch."""
    flowers, dots = style.flowers, style.dots
    if _chance(rng, 0.6):
        flowers = replace(flowers, plant_top=_between(rng, 6, UNDER_LETTERING))
    if _chance(rng, 0.4):
        dots = replace(dots, slant=_between(rng, 0.0, 1.0))
    if _chance(rng, 0.2):
        flowers = replace(
            flowers, characters=False, plant_number=True, season_number=True, season_chinese_number=True,
            any_plants=False,
        )  # fmt: skip
    return replace(
        style,
        dots=dots,
        bamboo=replace(style.bamboo, soaring=not style.bamboo.peacock and _chance(rng, 0.06)),
        flowers=flowers,
    )


def japanese_style(rng: Rng) -> FaceStyle:
    """A set as Japanese ones are: engraved in thin strokes, dark and red, with a peacock and, most often, a
    White dragon without anything on it."""
    style = random_style(rng)
    dark, red = paint(rng, pick(rng, {"black": 6, "blue": 2, "green": 2})), paint(rng, "red")
    second = dark if _chance(rng, 0.5) else paint(rng, pick(rng, {"green": 2, "blue": 1}))
    return replace(
        style,
        inks=replace(
            style.inks,
            numeral=dark,
            wan=red,
            wind=dark,
            red_dragon=red,
            green_dragon=second,
            dots=(dark, second, red),
            sticks=pick(rng, {(second, second, red): 3, (dark, dark, red): 4, (second, dark, red): 1}),
            bird=pick(
                rng,
                {(dark, red, red): 4, (second, red, red): 3, (dark, second, red): 3, (second, dark, red): 2},
            ),
        ),
        lettering=replace(
            style.lettering,
            writing=pick(rng, {Writing.KAI: 6, Writing.HAND: 4, Writing.SONG: 2}),
            weight=int(rng.integers(-9, 3)),
            pen=None if _chance(rng, 0.6) else style.lettering.pen,
            traditional_wan=True,
            traditional_winds=True,
            traditional_green=True,
            hollow=False,
            dragon_pictures=False,
        ),
        dots=replace(
            style.dots,
            pip=pick(rng, {Pip.SPOKES: 4, Pip.FLOWER: 3, Pip.RINGS: 3, Pip.CROSS: 2, Pip.EYE: 1}),
            line=_between(rng, 0.06, 0.16),
            mixed=0,
        ),
        bamboo=replace(
            style.bamboo,
            stick=pick(rng, {Stick.BONE: 6, Stick.CAPSULE: 2, Stick.SEGMENTS: 2, Stick.HOURGLASS: 1}),
            line=_between(rng, 0.9, 1.9),
            one_stick=False,
            peacock=True,
            mixed=0,
        ),
        white=WhiteDragon.BLANK if _chance(rng, 0.85) else style.white,
        white_letter="",
        index=replace(style.index, corner=Corner.NONE),
        finish=replace(style.finish, edge=_between(rng, 0.2, 0.7), wear=0.0, wash=_between(rng, 0.8, 1.0)),
    )  # fmt: skip


def _between(rng: Rng, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def _chance(rng: Rng, share: float) -> bool:
    return bool(rng.random() < share)


def _lettering(rng: Rng) -> Lettering:
    hands = {Writing.KAI: 52, Writing.SONG: 11, Writing.SANS: 9, Writing.HAND: 18, Writing.CURSIVE: 10}
    writing = pick(rng, hands)
    others = {Writing.KAI: 4, Writing.HAND: 3, Writing.SONG: 2, Writing.SANS: 1, Writing.CURSIVE: 6}
    green = writing if _chance(rng, 0.3) else pick(rng, others)
    winds = writing if _chance(rng, 0.6) else pick(rng, others)
    return Lettering(
        writing=writing,
        latin=Writing.LATIN,
        font=int(rng.integers(64)),
        weight=int(rng.integers(-4, 13)),
        numeral_width=_between(rng, 34, 58),
        numeral_height=_between(rng, 24, 40),
        wan_width=_between(rng, 36, 60),
        wan_height=_between(rng, 34, 50),
        gap=_between(rng, 0, 9),
        honour_width=_between(rng, 42, 66),
        honour_height=_between(rng, 42, 82),
        stretch=_between(rng, 1.05, 1.5),
        skew=_between(rng, -0.10, 0.10) if _chance(rng, 0.6) else 0.0,
        turn=_between(rng, -3, 3),
        long_five=_chance(rng, 0.72),
        # cursive hands of simplified print write the cursive forms of the traditional characters
        traditional_wan=_chance(rng, 0.4 if writing is Writing.CURSIVE else 0.88),
        traditional_winds=_chance(rng, 0.5 if winds is Writing.CURSIVE else 0.9),
        traditional_green=_chance(rng, 0.6 if green is Writing.CURSIVE else 0.88),
        green_writing=green,
        pen=int(rng.integers(4)) * 45 if _chance(rng, 0.45) else None,
        hollow=_chance(rng, 0.04),
        dragon_pictures=_chance(rng, 0.07),
        wind_writing=winds,
    )


def _dots(rng: Rng) -> Dots:
    return Dots(
        pip=pick(
            rng,
            {
                Pip.RINGS: 46,
                Pip.EYE: 12,
                Pip.CROSS: 10,
                Pip.FLOWER: 9,
                Pip.DISC: 6,
                Pip.SPOKES: 8,
                Pip.SPIRAL: 4,
                Pip.STAR: 5,
            },
        ),
        radius=_between(rng, 0.80, 1.0),
        spread=(_between(rng, 0.72, 0.94), _between(rng, 0.80, 0.97)),
        rings=int(rng.integers(2, 4)),
        line=_between(rng, 0.12, 0.30),
        slope=_between(rng, 0.10, 0.24),
        mixed=int(rng.integers(1, 2**31)) if _chance(rng, 0.12) else 0,
        even_rows=_chance(rng, 0.3),
        petals=int(rng.integers(5, 10)),
        big_radius=_between(rng, 19, 33),
        big_kind=int(rng.integers(6)),
        big_petals=int(rng.integers(8, 21)),
    )


def _bamboo(rng: Rng) -> Bamboo:
    return Bamboo(
        stick=pick(
            rng,
            {
                Stick.CAPSULE: 22,
                Stick.BONE: 18,
                Stick.LOBES: 20,
                Stick.CHAIN: 8,
                Stick.SEGMENTS: 12,
                Stick.HOURGLASS: 5,
                Stick.FLARED: 9,
                Stick.BAR: 6,
            },
        ),
        width=_between(rng, 8.0, 14.0),
        length=_between(rng, 0.80, 0.98),
        line=_between(rng, 1.2, 2.8),
        core=_between(rng, 0.15, 0.55) if _chance(rng, 0.85) else 0.0,
        spread=(_between(rng, 0.62, 0.92), _between(rng, 0.76, 0.95)),
        eight=pick(rng, {0: 72, 1: 16, 2: 8, 3: 4}),
        mixed=int(rng.integers(1, 2**31)) if _chance(rng, 0.12) else 0,
        one_stick=_chance(rng, 0.04),
    )


def _flowers(rng: Rng) -> Flowers:
    # Without characters only the kind of number tells plants and seasons apart; with characters on one of
    # both, nobody would know a picture of the other by itself.
    characters = _chance(rng, 0.88)
    plant_left = _chance(rng, 0.35)
    return Flowers(
        characters=characters,
        plant_number=not characters or _chance(rng, 0.75),
        season_number=not characters or _chance(rng, 0.75),
        season_chinese_number=not characters or _chance(rng, 0.25),
        season_words=_chance(rng, 0.06),
        plant_number_left=plant_left,
        season_number_left=plant_left if _chance(rng, 0.35) else not plant_left,
        traditional=_chance(rng, 0.6),
        number_size=_between(rng, 15, 24),
        character_size=_between(rng, 18, 30),
        line=_between(rng, 1.2, 2.6),
        filled=_chance(rng, 0.4),
        potted=_chance(rng, 0.15),
        fullness=_between(rng, 0.82, 1.12),
    )


def _finish(rng: Rng) -> Finish:
    return Finish(
        size=_between(rng, 0.78, 1.06),
        aspect=_between(rng, 0.92, 1.08),
        shift=(float(rng.normal(0, 1.0)), float(rng.normal(0, 1.2))),
        turn=float(rng.normal(0, 0.8)),
        wobble=_between(rng, 0.0, 2.2) if _chance(rng, 0.6) else 0.0,
        wear=_between(rng, 0.1, 0.6) if _chance(rng, 0.2) else 0.0,
        wash=_between(rng, 0.65, 0.95) if _chance(rng, 0.3) else 1.0,
        edge=_between(rng, 0.15, 0.6) if _chance(rng, 0.5) else 0.0,
        edge_angle=_between(rng, 0, 360),
        grain=_between(rng, 0.01, 0.05) if _chance(rng, 0.5) else 0.0,
    )
