"""What speaks for one way of telling a hand from the rest and what against it: logarithms of likelihoods.

They were chosen on drawn tables of other seeds than those whose figures are reported.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Gaps and distances are in widths of a tile.

    gap_*: of a gap between two tiles of a line as an edge between parts of the hand, from `least` steeply to
    `some`, then by `more` a width. concealed_*: of a hand with a tile that lies sideways, for each wide gap
    in it, for an edge no wider than a gap in it, for each row more than one, for all tiles of the picture.
    size, upright, low: of a hand whose tiles are larger than others, upright, low in the picture: nearer.
    lacking: for each tile that a hand lacks to be finished, up to two; unfitting: for a number of tiles that
    no hand has, and `each` for each tile too many or too few; waiting: for a hand without its winning tile.
    groups*: of a hand laid out set by set, and for gaps that differ in it. left_over: for each tile in the
    hand's own line that is no part of it. meld*, kong*, winning*: of a part like that, and for a width away.
    heat: by how much all of them are too sure.
    """

    gap_middle: float = 0.22
    gap_slope: float = 12.0
    gap_least: float = -4.0
    gap_some: float = 1.2
    gap_more: float = 0.9
    concealed_sideways: float = -3.0
    groups: float = -2.0
    groups_spread: float = -2.0
    concealed_gap: float = -2.5
    concealed_wide: float = -0.6
    edge_wider: float = 0.3
    concealed_edge: float = -2.5
    concealed_row: float = -2.5
    concealed_all: float = -8.0
    size: float = 4.0
    upright: float = 0.7
    low: float = 0.7
    lacking: float = -1.7
    unfitting: float = -3.0
    each: float = -1.2
    waiting: float = -2.5
    left_over: float = -0.8
    meld: float = -0.8
    misread: float = -7.0
    meld_sideways: float = 3.0
    kong_hidden: float = 4.0
    kong_of_backs: float = -1.0
    meld_elsewhere: float = -0.7
    meld_near: float = 2.5
    meld_away: float = -0.8
    meld_turned: float = -2.5
    winning: float = -0.5
    winning_sideways: float = 1.0
    winning_near: float = 1.6
    winning_away: float = -1.5
    heat: float = 0.85


WEIGHTS = Weights()
