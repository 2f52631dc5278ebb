"""What lies open before a player, as the codes of drawn tiles. No Kivy."""

from __future__ import annotations

from companion.table.state import Laid, Player, State
from companion.tiles import BACK, UNKNOWN, MeldKind


def list_discards(player: Player) -> list[str]:
    """The discards in order, `?` where nobody saw the tile."""
    return [tile.code if tile else UNKNOWN for tile in player.discards]


def is_unrecorded(state: State) -> bool:
    """Whether the hand is over, and nobody saw what was discarded before the tile that ended it."""
    hand = state.hand
    if hand is None or state.playing:
        return False
    discards = [tile for player in hand.players for tile in player.discards]
    return len(discards) > 1 and sum(tile is not None for tile in discards) <= 1


def list_melds(player: Player) -> list[list[str]]:
    """The tiles of each meld."""
    return [_list_tiles(laid) for laid in player.melds]


def list_held(player: Player) -> list[str]:
    """The concealed tiles in order, backs for those that nobody saw."""
    return [*(tile.code for tile in sorted(player.concealed)), *[BACK] * player.hidden]


def list_flowers(player: Player) -> list[str]:
    """The flowers that are set out."""
    return [tile.code for tile in player.flowers]


def _list_tiles(laid: Laid) -> list[str]:
    if laid.meld is None:
        return [BACK] * 4
    codes = [tile.code for tile in laid.meld.tiles]
    if laid.kind is MeldKind.KONG_CONCEALED:
        return [BACK, codes[1], codes[2], BACK]
    return codes
