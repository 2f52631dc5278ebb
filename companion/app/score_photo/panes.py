"""The parts of the table's page, of which a small window shows one."""

from __future__ import annotations

from enum import StrEnum

from companion.rules import Score
from companion.sentences import Sentence


class Pane(StrEnum):
    """A part of the page."""

    TILES = "tiles"
    WIN = "win"
    SCORE = "score"


def offer_panes(score: Score | None) -> tuple[tuple[str, Sentence], ...]:
    """Each pane with its name; that of the score says what it is, where there is one."""
    worth = Sentence("Score")
    if score and score.legal:
        worth = Sentence("Score: {value}", {"value": score.value})
    names = {Pane.TILES: Sentence("Tiles"), Pane.WIN: Sentence("Win"), Pane.SCORE: worth}
    return tuple((pane.value, name) for pane, name in names.items())
