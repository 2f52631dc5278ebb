"""What speaks for one way of telling a hand from the rest and what against it: logarithms of likelihoods.

They were chosen on drawn tables of other seeds than those whose figures are reported; those of kongs in rows
and in walls on photos of hands that were laid out, which nobody has labelled.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Gaps and distances are in widths of a tile; each weight is added where what it is of is so."""

    gap_middle: float = 0.22  # a gap that is wider by this than is usual in its line speaks for neither
    gap_slope: float = 12.0  # for an edge between two parts, for each width beyond that
    gap_least: float = -4.0  # what no gap at all says, at least
    gap_some: float = 1.2  # what a gap says, at most
    gap_more: float = 0.9  # and this more for each width of it
    concealed_sideways: float = -3.0  # each tile of the hand that lies sideways
    concealed_gap: float = -2.5  # a single gap in the hand
    concealed_wide: float = -0.6  # for what that gap says
    concealed_edge: float = -2.5  # an edge of the hand no wider than the gaps in it
    edge_wider: float = 0.3  # by how much more an edge has to say
    concealed_row: float = -3.5  # each row of the hand more than one
    concealed_all: float = -8.0  # all tiles of the picture
    groups: float = -2.0  # a hand laid out in groups
    groups_sets: float = 1.0  # none of which has more tiles than a set
    groups_spread: float = -3.0  # how differently wide the gaps between them are
    groups_near: float = 0.6  # groups lie this near each other
    groups_wide: float = -3.0  # for each width beyond that
    size: float = 4.0  # a hand whose tiles are larger than others: nearer
    upright: float = 0.7  # that faces whoever took the picture
    low: float = 0.7  # that lies low in the picture
    lacking: float = -1.7  # each tile that a hand lacks to be finished, up to two
    kong_in_row: float = -1.0  # four equal tiles among the concealed ones, in one row, that are a kong
    kong_in_rows: float = -2.5  # the same where the hand has several rows
    unfitting: float = -3.0  # a number of tiles that no hand has
    each: float = -1.2  # each tile too many or too few
    waiting: float = -2.5  # a hand without its winning tile
    left_over: float = -0.8  # each tile in the hand's own line that is no part of it
    meld: float = -0.8
    misread: float = -7.0  # of a meld's tiles, at worst
    meld_sideways: float = 3.0
    meld_plain: float = -1.0  # in the hand's own line without a shape of its own
    kong_hidden: float = 4.0  # two of four face down
    kong_in_wall: float = -3.0  # each tile of a wall that touches it
    kong_of_backs: float = -1.0
    meld_elsewhere: float = -0.7  # in another line than the hand
    meld_near: float = 2.5  # as near as that to it
    meld_away: float = -0.8  # for each width beyond that
    meld_turned: float = -2.5  # in a line that runs another way
    winning: float = -0.5
    winning_sideways: float = 1.0
    winning_near: float = 1.6  # as near as that to the hand
    winning_away: float = -1.5  # for each width beyond that
    heat: float = 0.85  # by how much all of them are too sure


WEIGHTS = Weights()
