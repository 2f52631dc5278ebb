"""How the hand before ended, while the next one has not begun: who won on what, with which tiles."""

from __future__ import annotations

from kivy.uix.boxlayout import BoxLayout

from companion.app.game.followed import describe_end
from companion.app.widgets import theme
from companion.app.widgets.basics import Text
from companion.app.widgets.lying import list_flowers, list_melds
from companion.app.widgets.tile_strip import Group, TileStrip
from companion.table.state import HandResult, Player, State
from companion.words import Words


class LastHand(BoxLayout):
    """Each win in words, and its tiles below."""

    def __init__(self) -> None:
        super().__init__(
            orientation="vertical", size_hint_y=None, spacing=theme.GAP, padding=(0, theme.PAD, 0, 0)
        )
        self.bind(minimum_height=self.setter("height"))
        self._shown: object = None

    def show(self, game: State, words: Words) -> None:
        if (game, words) == self._shown:
            return
        self._shown = game, words
        self.clear_widgets()
        hand = game.hand
        results = () if hand is None or game.playing else hand.results
        for result, said in zip(results, describe_end(game), strict=True):
            assert hand is not None
            self.add_widget(Text(words.say(said), size=theme.TEXT_LARGE))
            groups = group_tiles(hand.players[result.winner], result)
            self.add_widget(TileStrip(groups, tile_width=theme.TILE_WIDTH_MAX))


def group_tiles(player: Player, result: HandResult) -> list[Group]:
    """A winning hand as drawn tiles: concealed, the winning tile apart and ringed, melds, flowers."""
    concealed = sorted(player.concealed)
    if result.tile is not None and result.tile in concealed:
        concealed.remove(result.tile)
    groups: list[Group] = [[(tile.code, False) for tile in concealed]]
    if result.tile is not None:
        groups.append([(result.tile.code, True)])
    groups += [[(code, False) for code in codes] for codes in (*list_melds(player), list_flowers(player))]
    return [group for group in groups if group]
