"""Tiles that lie on the table by all that the game knows and that its decoder has not seen put there.

Such are the tiles of a hand that is resumed, or one that a person entered while an arm covered it. They are
kept from the decoder, which would take them for moves.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from companion.seeing.sights import SeenTile, Sight
from companion.table.state import State

EXPECTED_S = 20.0
"""So long such a tile is expected to come in sight; later ones of its kind are moves."""


def count_open(state: State) -> Counter[str]:
    """How many tiles of each kind lie open in the hand in play, by their codes."""
    hand = state.hand
    if hand is None or not state.playing:
        return Counter()
    tiles = [hand.indicator] if hand.indicator else []
    for player in hand.players:
        tiles += [tile for tile in player.discards if tile is not None]
        tiles += player.flowers
        tiles += [tile for laid in player.melds if laid.meld is not None for tile in laid.meld.tiles]
    return Counter(tile.code for tile in tiles)


@dataclass(slots=True)
class ExpectedTiles:
    """codes: how many of each are expected until `until_s`, which is known from the next sight on; hidden:
    the tracks that turned out to be such."""

    codes: Counter[str] = field(default_factory=Counter)
    until_s: float | None = None
    hidden: set[int] = field(default_factory=set)
    _known: set[int] = field(default_factory=set)

    def expect(self, codes: Counter[str]) -> None:
        """From now on these come in sight without being moves."""
        self.codes += codes
        self.until_s = None

    def expect_unseen(self, state: State, codes: Counter[str], last: Sight | None) -> None:
        """Of these kinds expect as many as lie open by the game, and are not in the last sight."""
        seen = Counter(_read(tile) for tile in last.tiles) if last else Counter[str]()
        open_now = count_open(state)
        missing = {code: min(count, open_now[code] - seen[code]) for code, count in codes.items()}
        self.expect(Counter({code: count for code, count in missing.items() if count > 0}))

    def hide(self, sight: Sight) -> Sight:
        """The sight without such tiles."""
        if self.until_s is None:
            self.until_s = sight.t + EXPECTED_S
        elif sight.t > self.until_s:
            self.codes.clear()
        for tile in sight.tiles:
            code = _read(tile)
            if tile.track not in self._known and not tile.standing and self.codes[code] > 0:
                self.codes[code] -= 1
                self.hidden.add(tile.track)
            self._known.add(tile.track)
        if not self.hidden:
            return sight
        return replace(sight, tiles=tuple(tile for tile in sight.tiles if tile.track not in self.hidden))


def _read(tile: SeenTile) -> str:
    return tile.readings[0][0] if tile.readings else ""
