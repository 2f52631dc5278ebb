"""A scored row explained, with the hand as it was read; and readings, drawn small."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.modalview import ModalView
from kivy.uix.stacklayout import StackLayout

from companion.app.widgets import theme
from companion.app.widgets.cards import RowCard
from companion.app.widgets.tiles import TileFace
from companion.rules import RULE_SETS, GroupKind, HandReading, Score, ScoreLine
from companion.tiles import Tile
from companion.words import Words

SMALL_TILE = dp(32)


def title_of(rules: str, words: Words) -> str:
    """What that game is called."""
    found = RULE_SETS[rules]
    return words.both(found.title, found.title_zh)[0]


def explain_row(line: ScoreLine, score: Score, words: Words) -> ModalView:
    """What the row means, with the hand in which it was found and one that serves as an example."""
    own = [] if score.reading is None else tiles_of(score.reading)
    groups = [[(tile.code, ringed) for tile, ringed in group] for group in own]
    return RowCard(score.rules, line.id, words, groups, score.table)


def small_tiles(groups: Sequence[Sequence[tuple[Tile, bool]]], width: float = SMALL_TILE) -> StackLayout:
    """Groups of drawn tiles, only to look at, each with whether it is ringed."""
    row = StackLayout(size_hint_y=None, spacing=(theme.GAP, theme.GAP / 2))
    row.bind(minimum_height=row.setter("height"))
    for tiles in groups:
        step = width + theme.HAIRLINE
        box = BoxLayout(size_hint=(None, None), spacing=theme.HAIRLINE)
        box.size = len(tiles) * step, width / theme.TILE_ASPECT
        for tile, ringed in tiles:
            box.add_widget(TileFace(tile.code, width=width, ringed=ringed))
        row.add_widget(box)
    return row


def tiles_of(reading: HandReading) -> list[list[tuple[Tile, bool]]]:
    """The reading's groups, tiles that a wild one stands for marked; tiles that stand alone are one group."""
    groups: list[list[tuple[Tile, bool]]] = []
    alone: list[tuple[Tile, bool]] = []
    for group in reading.groups:
        left = list(group.wild)
        marked = []
        for tile in group.tiles:
            marked.append((tile, tile in left))
            if tile in left:
                left.remove(tile)
        if group.kind is GroupKind.SINGLE:
            alone += marked
        else:
            groups.append(marked)
    return [alone, *groups] if alone else groups
