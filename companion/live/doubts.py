"""What makes a person check that the table and the game agree, while the game is still followed: tiles of
another game, tiles that the game does not have (`Sight.misfits`), and whether the Sea Floor has begun."""

from __future__ import annotations

from collections import Counter
from math import prod

from companion.following.scene import WallLeft
from companion.live.noticed import Doubted
from companion.rules import RULE_SETS, RuleSet
from companion.sentences import Sentence, msgid
from companion.table.state import HandState, State
from companion.tiles import KINDS, Suit

UNLIKELY = 1e-4
"""Probability below which missing kinds mean that another game is played. In 120 hands of each game built-in
players had always played a kind that Hefei lacks once 12 tiles were open, and exposed a flower once 63 were
left in the wall; this waits for 18 open tiles, and for 45 left."""
OTHER_TILES = msgid("This may be {other}, not {rules}: all {count} open tiles exist in {other}.")
NO_FLOWERS = msgid("This may not be {rules}: {count} tiles were drawn, and nobody exposed a flower.")


def count_open(state: State) -> Counter[str]:
    """The number of open tiles of each kind in the hand in play, by their codes."""
    hand = state.hand
    if hand is None or not state.playing:
        return Counter()
    tiles = [hand.indicator] if hand.indicator else []
    for player in hand.players:
        tiles += [tile for tile in player.discards if tile is not None]
        tiles += player.flowers
        tiles += [tile for laid in player.melds if laid.meld is not None for tile in laid.meld.tiles]
    return Counter(tile.code for tile in tiles)


def find_wrong_rules(state: State) -> Sentence | None:
    """Why the table seems to play another game than the state's; None if nothing suggests that."""
    hand, rules = state.hand, state.house.rules
    if hand is None or not state.playing:
        return None
    return _find_other_tiles(state, hand, rules) or _find_no_flowers(hand, rules)


def _find_other_tiles(state: State, hand: HandState, rules: RuleSet) -> Sentence | None:
    """That all open tiles are of another game's kinds, where this one's others ought to have come by now."""
    total = hand.wall.rule.tile_set.total
    lying = count_open(state)
    count = lying.total()
    kinds = {kind for kind in KINDS if lying[kind.code]}
    others = sorted(RULE_SETS.values(), key=lambda other: other.tile_set.total)
    for other in others:
        share = other.tile_set.total / total
        if share < 1 and kinds.issubset(other.tile_set.kinds) and share**count < UNLIKELY:
            return Sentence(OTHER_TILES, {"other": other.title, "rules": rules.title, "count": count})
    return None


def _find_no_flowers(hand: HandState, rules: RuleSet) -> Sentence | None:
    """That nobody exposed a flower where most of them must have been drawn by now."""
    tile_set = hand.wall.rule.tile_set
    total = tile_set.total
    flowers = sum(tile_set.copies[kind.index] for kind in KINDS if kind.suit is Suit.FLOWERS)
    if not flowers or any(player.flowers for player in hand.players):
        return None
    taken = hand.wall.drawn + hand.wall.replaced
    if prod((total - taken - at) / (total - at) for at in range(flowers)) >= UNLIKELY:
        return None
    return Sentence(NO_FLOWERS, {"rules": rules.title, "count": taken})


class Doubts:
    """The doubts about one game. Each is reported when it arises: tiles of another set are doubted while they
    are on the table, rules until a person confirms them, and the Sea Floor until the hand is over."""

    def __init__(self) -> None:
        self._rules: Sentence | None = None
        self._tiles: Sentence | None = None
        self._sea: Sentence | None = None
        self._shown: Sentence | None = None
        self._is_trusted = self._is_sea_trusted = False

    def judge_rules(self, state: State) -> None:
        """Check whether the open tiles may be of another game."""
        self._rules = self._rules or find_wrong_rules(state)

    def update_tiles(self, why: Sentence | None) -> None:
        """Tiles are on the table that the game does not have, and the sentence that reports it; or, with
        None, none are."""
        self._tiles = why

    def update_sea(self, why: Sentence | None) -> None:
        """It is uncertain whether the Sea Floor has begun, and why; or, with None, it is certain."""
        self._sea = why
        self._is_sea_trusted = self._is_sea_trusted and why is not None

    def trust(self) -> None:
        """A person dismisses the doubts: those about the game and its tiles for good, that about the Sea
        Floor for this hand."""
        if self._sea is not None and self._shown == self._sea:
            self._is_sea_trusted = True
        else:
            self._is_trusted = True

    def settle(self, t: float) -> list[Doubted]:
        """The doubt to report after one moment: only if it has changed."""
        why = None if self._is_trusted else self._rules or self._tiles
        why = why or (None if self._is_sea_trusted else self._sea)
        if why == self._shown:
            return []
        self._shown = why
        return [Doubted(t, why)]


SEA_UNSURE = msgid("The Sea Floor may have begun, or not yet: not every discard of this hand was seen.")


SEA_BELIED = msgid(
    "{left} tiles should be left, but the walls show {shown}: the Sea Floor may have begun, or not yet."
)
SEA_DOUBTS = (SEA_UNSURE, SEA_BELIED)
NEAR_TILES = 3
"""Tiles before the sea from which the walls are compared with the events."""


def find_sea_doubt(state: State, unseen: int, shown: WallLeft | None = None) -> Sentence | None:
    """Why it is uncertain whether the last tiles are being drawn; None if that is certain, or far away.

    unseen: number of unseen discards of the hand, each of which may change the number of tiles left; shown:
    number of tiles in the visible walls, if known.
    """
    hand = state.hand
    if hand is None or not state.playing or not hand.wall.rule.sea:
        return None
    wall = hand.wall
    if shown is not None:
        off = shown.find_off(hand)
        if off and wall.before_sea <= max(NEAR_TILES, unseen):
            return Sentence(SEA_BELIED, {"left": wall.live_left, "shown": wall.live_left + off})
        if not off and shown.tells(wall.rule.sea + wall.dead_left):
            return None
    return Sentence(SEA_UNSURE, {}) if unseen and wall.before_sea <= unseen else None
