"""A scored row in the words of the rules, and the hand as it was read; and readings, drawn small."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.modalview import ModalView
from kivy.uix.stacklayout import StackLayout

from companion.app.text import Words
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Press, Text
from companion.app.widgets.tiles import TileFace
from companion.rules import RULE_SETS, GroupKind, HandReading, Score, ScoreLine
from companion.tiles import Tile

SMALL_TILE = dp(32)


def title_of(rules: str, words: Words) -> str:
    """What that game is called."""
    found = RULE_SETS[rules]
    return words.both(found.title, found.title_zh)[0]


def explain_row(line: ScoreLine, score: Score, words: Words) -> ModalView:
    """What the row means, with the hand in which it was found."""
    view = ModalView(
        size_hint=(0.8, None), height=dp(320), background="", background_color=theme.CLEAR, auto_dismiss=True
    )
    card = Card(colour=theme.PANEL_RAISED)
    card.bind(minimum_height=view.setter("height"))
    card.add_widget(Text("  ".join(words.both(line.name, line.name_zh)), size=theme.TEXT_LARGE,
                         colour=theme.GOLD))  # fmt: skip
    row = next((row for row in RULE_SETS[score.rules].rows if row.id == line.id), None)
    if row is not None:
        card.add_widget(Text(words.both(row.meaning, row.meaning_zh)[0], size=theme.TEXT_LARGE))
    if score.reading is not None:
        card.add_widget(Text(words("The hand, as it was read:"), colour=theme.IVORY_DIM))
        card.add_widget(small_tiles(tiles_of(score.reading)))
    card.add_widget(Press(words("Done"), main=True, act=view.dismiss))
    view.add_widget(card)
    return view


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
