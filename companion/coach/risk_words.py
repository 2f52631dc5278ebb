"""Why a tile is dangerous, or safe: one sign that the player sees, as a sentence."""

from __future__ import annotations

from companion.coach import messages
from companion.coach.amounts import round_percent
from companion.coach.collecting import find_premium
from companion.coach.danger import DISCARDED, LET_PASS, MELDED, RANKS, Dangers, read_signs
from companion.coach.seen import Seen, count_left
from companion.sentences import Sentence
from companion.tiles import KINDS, MeldKind, Suit, Tile

LATE = 3
"""The fifth of the wall, counted from 0, from which on it is late."""
COPIES = 4
MANY_SEEN = 3
"""From so many copies on that the player sees, it is said."""


def explain_risk(seen: Seen, tile: Tile, dangers: Dangers | None = None) -> Sentence:
    """Why that kind is dangerous: the sign of the opponent most likely to win on it."""
    dangers = dangers or Dangers(seen)
    seat = _find_threat(seen, tile, dangers)
    signs = read_signs(seen, tile, seat)
    often = {"percent": round_percent(dangers.risk(tile)[0]), "seat": seat}
    if signs.ready:
        return Sentence(messages.RISK_READY, often)
    if signs.gathered and find_premium(seen.state.house) > 1:
        return Sentence(messages.RISK_COLLECTS, often)
    if signs.melds >= MELDED:
        laid = seen.hand.players[seat].melds
        claimed = sum(each.kind is not MeldKind.KONG_CONCEALED for each in laid)
        return Sentence(messages.RISK_MELDS, {**often, "melds": claimed})
    unseen = max(0, COPIES - signs.visible)
    if not unseen and tile.suit is not Suit.HONORS:
        return Sentence(messages.RISK_CHOW, often)
    template = messages.RISK_LATE if signs.stage >= LATE else messages.RISK_UNSEEN
    return Sentence(template, {**often, "count": unseen})


def explain_safety(seen: Seen, tile: Tile, dangers: Dangers | None = None) -> Sentence | None:
    """Why that kind is safer than others, by what is seen of it; None where nothing that is seen says so."""
    seat = _find_threat(seen, None, dangers or Dangers(seen))
    passed = read_signs(seen, tile, seat).passed
    said = {"seat": seat, "tile": tile.code}
    if passed == LET_PASS:
        return Sentence(messages.SAFE_PASSED, said)
    if passed == DISCARDED:
        return Sentence(messages.SAFE_DISCARDED, said)
    if passed:
        return Sentence(messages.SAFE_ROUND, said)
    visible = seen.hand.known[tile.index]
    if not count_left(seen)[tile.index]:
        return Sentence(messages.SAFE_GONE)
    blocks = _find_block(seen, tile)
    if blocks:
        return Sentence(messages.SAFE_BLOCKED, {"tiles": " ".join(kind.code for kind in blocks)})
    if visible >= MANY_SEEN:
        return Sentence(messages.SAFE_SEEN)
    return None


def _find_threat(seen: Seen, tile: Tile | None, dangers: Dangers) -> int:
    """Who is most likely to win on the tile; None: on the kinds that the player holds."""
    kinds = [tile] if tile is not None else sorted(set(seen.player.concealed))
    others = [seat for seat in seen.state.house.seats if seat != seen.seat]
    return max(others, key=lambda seat: sum(dangers.foresee(kind, seat)[0] for kind in kinds))


def _find_block(seen: Seen, tile: Tile) -> list[Tile]:
    """Kinds of which none is left, so that no chow takes the tile; none where one may, or it is an honour."""
    if tile.suit is Suit.HONORS:
        return []
    left = count_left(seen)
    gone = {step: not left[tile.index + step] for step in (-2, -1, 1, 2) if 1 <= tile.rank + step <= RANKS}
    for low, high in ((-2, -1), (-1, 1), (1, 2)):
        if low in gone and high in gone and not gone[low] and not gone[high]:
            return []
    return [KINDS[tile.index + step] for step, none in gone.items() if none]
