"""Every sentence of this floor's errors, as templates; ALL lists them for translators."""

NO_SUCH_TILE = "{piece} is not a tile: tiles are 1m to 9m, 1p to 9p, 1s to 9s, 1z to 7z and 1f to 8f."
UNREADABLE = "{piece} cannot be read: write ranks, then a suit letter (m, p, s, z or f), as in 234m567p55z."
NO_SUIT = "{piece} has no suit letter after it: write one of m, p, s, z, f, as in 234m."
NO_MELD_KIND = (
    "{piece} is not a meld: start with c (chow), p (pung), k (kong from a discard), a (added kong)"
    " or K (concealed kong), as in p555p."
)
NO_CHOW = "{piece} is not a chow: write three suit tiles in a row, as in c234m."
NO_PUNG = "{piece} is not a pung: write three equal tiles, as in p555p."
NO_KONG = "{piece} is not a kong: write four equal tiles, as in {kind}5555p."
NOT_IN_SET = "{piece} is not among the {total} tiles of this game: correct it."
TOO_MANY_COPIES = "{piece} appears {found} times, and this game has {copies} of it: correct one."

ALL = (
    NO_SUCH_TILE, UNREADABLE, NO_SUIT, NO_MELD_KIND, NO_CHOW, NO_PUNG, NO_KONG, NOT_IN_SET, TOO_MANY_COPIES,
)  # fmt: skip
