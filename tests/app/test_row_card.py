"""A touch on a scored row explains it: every row of every game, in three languages, at every size."""

from __future__ import annotations

import re

import pytest
from app_driver import SIZES, Driver

from companion.rules import RULE_SETS
from companion.words import Language, Words

pytestmark = pytest.mark.long
CODE = re.compile(r"\b[1-9][mpszf]\b|\b[a-z]+_[a-z]+|\b(HF|HB|TW|HK|HZ)-\d")
SHOWN = (("hefei", "sea_floor"), ("hong_kong", "thirteen_orphans"), ("taiwanese", "five_concealed_pungs"),
         ("hebei", "pays_for_all"), ("hangzhou", "kong_gambit"))  # fmt: skip


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_row_is_explained_with_a_drawn_hand_and_no_code(companion: Driver, rules: str) -> None:
    from kivy.uix.label import Label

    from companion.app.widgets.row_card import RowCard
    from companion.app.widgets.tile_strip import TileStrip

    game = RULE_SETS[rules]
    rows = [(table, row) for table in (None, *game.other_tables) for row in game.rows_of(table)]
    for at, (table, row) in enumerate(rows):
        language = list(Language)[at % 3]
        card = RowCard(rules, row.id, Words(language), table=table)
        found = list(card.walk())
        said = " ".join(each.text for each in found if isinstance(each, Label))
        assert not CODE.search(said), said
        assert any(isinstance(each, TileStrip) and each.groups for each in found), row.id
        if language is not Language.ENGLISH:
            assert not re.search(r"[a-z]{4}", said.replace(row.name, "")), said


@pytest.mark.parametrize(
    ("size", "language"),
    [(SIZES["small"], Language.ENGLISH), (SIZES["portrait"], Language.TRADITIONAL)],
)
def test_the_card_fits_the_window(companion: Driver, size: tuple[int, int], language: Language) -> None:
    from companion.app.widgets.row_card import open_row_card

    companion.resize(size)
    for rules, row in SHOWN:
        card = open_row_card(rules, row, Words(language))
        companion.frames(6)
        assert card.height <= size[1]
        assert card.width <= size[0]
        assert card.done.height >= 48
        companion.shot(f"row-{row}-{size[0]}x{size[1]}-{language.value}")
        companion.touch(card.done)
        companion.wait(lambda card=card: card.parent is None, "the card to go")  # type: ignore[misc]
