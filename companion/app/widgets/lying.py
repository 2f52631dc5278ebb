"""What lies open before a player, as the codes of drawn tiles. No Kivy."""

from __future__ import annotations

from companion.table.state import Laid, Player
from companion.tiles import BACK, UNKNOWN, MeldKind


def list_discards(player: Player) -> list[str]:
    """The discards in order, `?` where nobody saw the tile."""
    return [tile.code if tile else UNKNOWN for tile in player.discards]


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
