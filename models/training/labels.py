"""What the reader can answer, in the order of its outputs."""

from companion.tiles import BACK, KINDS
from companion.vision.networks import NO_TILE, SAME_UPSIDE_DOWN

LABELS = (*(tile.code for tile in KINDS), BACK, NO_TILE)
INDEX = {code: index for index, code in enumerate(LABELS)}

# Kinds that look the same after any quarter turn once the crop is square, or after a half turn only.
ANY_TURN = frozenset({"1p", "5z", BACK, NO_TILE})
HALF_TURN = SAME_UPSIDE_DOWN - ANY_TURN
