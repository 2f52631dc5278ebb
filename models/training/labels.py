"""What the reader can answer, in the order of its outputs."""

from companion.tiles import BACK, KINDS

NO_TILE = "none"
LABELS = (*(tile.code for tile in KINDS), BACK, NO_TILE)
INDEX = {code: index for index, code in enumerate(LABELS)}

# Kinds that look the same after a half turn, or after any quarter turn once the crop is square.
HALF_TURN = frozenset({"2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s"})
ANY_TURN = frozenset({"1p", "5z", BACK, NO_TILE})
