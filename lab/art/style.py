"""The style of a whole set of tiles: every choice a carver makes once and keeps for all 42 kinds.

A style is a frozen value, so the same style always draws the same picture; `chance.random_style` draws one
at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from lab.art.canvas import Colour
from lab.art.glyphs import Writing
from lab.art.inks import Inks


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
    apart the slanting row of 3 stands, 0 where its dots nearly touch, 1 from edge to edge.
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
