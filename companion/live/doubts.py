"""What makes one doubt that the game is the one on the table, or where it stands, though it is followed on: a
person says."""

from __future__ import annotations

from companion.live.noticed import Doubted
from companion.live.wrong_rules import find_wrong_rules
from companion.sentences import Sentence
from companion.table.state import State


class Doubts:
    """Of one game. Each is said when it arises; the tiles of another set are doubted as long as they lie
    there, rules until a person says that they are right, and the Sea Floor until the hand is over."""

    def __init__(self) -> None:
        self._rules: Sentence | None = None
        self._tiles: Sentence | None = None
        self._sea: Sentence | None = None
        self._shown: Sentence | None = None
        self._is_trusted = self._is_sea_trusted = False

    def judge_rules(self, state: State) -> None:
        """Look at what lies open whether it may be another game."""
        self._rules = self._rules or find_wrong_rules(state)

    def note_tiles(self, why: Sentence | None) -> None:
        """Tiles lie there that the game does not have, and how that is said; or, with None, none does."""
        self._tiles = why

    def note_sea(self, why: Sentence | None) -> None:
        """Nobody can say whether the Sea Floor has begun, and why; or, with None, it is clear."""
        self._sea = why
        self._is_sea_trusted = self._is_sea_trusted and why is not None

    def trust(self) -> None:
        """A person says that what is doubted is right: the game and its tiles are doubted no more, the Sea
        Floor no more in this hand."""
        if self._sea is not None and self._shown == self._sea:
            self._is_sea_trusted = True
        else:
            self._is_trusted = True

    def settle(self, t: float) -> list[Doubted]:
        """What there is to say after one moment: only news."""
        why = None if self._is_trusted else self._rules or self._tiles
        why = why or (None if self._is_sea_trusted else self._sea)
        if why == self._shown:
            return []
        self._shown = why
        return [Doubted(t, why)]
