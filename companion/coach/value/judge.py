"""How hands stand by one table's rules: the distance to ready, the useful tiles, the discards and claims.

`Judge` compares by the distance, then by the number of unseen useful tiles; it does not ask what a hand is
worth. Values are msgspec structs, not dataclasses: players make ten for a discard, and these cost a tenth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace as changed
from numpy.typing import NDArray

from companion.coach.seen import SeatView, count_left
from companion.coach.value.distances import HONORS, KINDS_OF_HANDS, RANKS, ShapeDistances, StandardDistances
from companion.rules.hand import Hand
from companion.rules.rule_set import RuleSet
from companion.rules.shapes import ShapeRules, standard_lacks
from companion.rules.waiting import count_copies_in_play, make_hand
from companion.rules.win import Options
from companion.table.wins import list_known_melds
from companion.tiles import KINDS, Meld, Tile, counts


def list_tiles(held: Iterable[int]) -> tuple[Tile, ...]:
    """The tiles of the counts, in the order of the kinds."""
    return tuple([kind for kind, count in zip(KINDS, held, strict=False) for _ in range(count)])


def put_in(held: bytes, tile: Tile) -> bytes:
    """The counts with one of that tile more."""
    at = tile.index
    return held[:at] + bytes((held[at] + 1,)) + held[at + 1 :]


def remove_tile(held: bytes, tile: Tile) -> bytes:
    """The counts without one of that tile."""
    at = tile.index
    return held[:at] + bytes((held[at] - 1,)) + held[at + 1 :]


class HandView(Struct, frozen=True):
    """One player's tiles, and what that player sees of the others.

    unseen: of each of the 42 kinds, the number of tiles that are neither the player's nor open; None: all
    that are not the player's. fortune: the kind that is wild, in games that have one.
    """

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...] = ()
    unseen: Sequence[int] | None = None
    fortune: Tile | None = None


class Useful(Struct, frozen=True):
    """A kind that brings a hand nearer, or completes it, and how many of it are unseen: at least one."""

    tile: Tile
    unseen: int


class HandStatus(Struct, frozen=True):
    """The distance of a hand between turns from ready (0: ready), and the tiles that bring it nearer or
    complete it.

    self_drawn: the useful tiles of a ready hand that win only self-drawn, where that was examined.
    """

    shanten: int
    useful: tuple[Useful, ...]
    self_drawn: tuple[Tile, ...] = ()

    @property
    def live(self) -> int:
        """How many unseen tiles are useful."""
        return sum(kind.unseen for kind in self.useful)


class JudgedChoice(Struct, frozen=True):
    """A discard, and the status of the hand after it."""

    discard: Tile
    after: HandStatus


class Claim(Struct, frozen=True):
    """A meld made of another player's discard, the best discard then, and the status of the hand after it.

    `discard` is None for a kong, for which a tile is drawn first.
    """

    meld: Meld
    discard: Tile | None
    after: HandStatus


REMEMBERED = 1 << 14
"""Hands between turns whose useful kinds a judge remembers: some 10 MB."""

_Held = tuple[bytes, tuple[Meld, ...], Tile | None]
"""The counts of concealed tiles, the melds, the kind that is wild."""


class _Known(NamedTuple):
    """What is true of a hand between turns, whatever other players show."""

    shanten: int
    useful: tuple[Tile, ...]


class Judge:
    """Judges by the rules of one table; `options` are settings other than the defaults.

    It remembers hands between turns: keep one for a whole game. Distances are those of `shanten`.
    """

    def __init__(self, rules: RuleSet, options: Options | None = None) -> None:
        self.rules = rules
        self.options = rules.settings(options)
        shapes = rules.shapes_in_force(self.options)
        self._others = [shape for shape in shapes if shape.lacks is not standard_lacks]
        self._remembered: dict[_Held, _Known] = {}

    def assess(self, view: HandView) -> HandStatus:
        """The status of a hand between turns."""
        return self._assess(view, counts(view.concealed))

    def shanten(self, view: HandView) -> int:
        """How far a hand between turns is from ready."""
        return self._find_known(view, counts(view.concealed)).shanten

    def brings_nearer(self, view: HandView, tile: Tile) -> bool:
        """Whether a hand between turns is nearer to ready, or finished, with that tile."""
        return tile in self._find_known(view, counts(view.concealed)).useful

    def discards(self, view: HandView, among: Collection[Tile] | None = None) -> tuple[JudgedChoice, ...]:
        """The discards that leave a hand of one tile too many nearest to ready, the best first.

        The best leaves most useful tiles unseen; among equals it is the tile with the fewest neighbours in
        the hand. `among`: the kinds that may be discarded. A wild tile is discarded only if nothing else
        may be.
        """
        held = counts(view.concealed)
        hand, game = self._make_hand(view, held)
        wild = None if hand.wildcard is None else hand.wildcard.tile
        may = [
            tile for tile in KINDS[:KINDS_OF_HANDS] if held[tile.index] and (among is None or tile in among)
        ]
        natural = [tile for tile in may if tile is not wild]
        if len(natural) < 2:
            choices = [self._make_choice(view, held, tile) for tile in natural or may]
            least = min(choice.after.shanten for choice in choices)
            return sort_choices([each for each in choices if each.after.shanten == least], held)
        places = map_places(hand)
        out = np.array([places[tile.index] for tile in natural])
        reach = StandardDistances(hand, game)
        lacks = reach.after_discards()[out]
        others = self._find_as_near(hand, game, int(lacks.min()))
        for other in others:
            lacks = np.minimum(lacks, other.after_discards(out))
        best = int(lacks.min())
        nearest = np.flatnonzero(lacks == best)
        more = reach.after_exchanges(out[nearest])
        for other in others:
            more = np.minimum(more, other.after_exchanges(out[nearest]))
        found = []
        for number, useful in zip(nearest.tolist(), more < best, strict=True):
            after = held.copy()
            after[natural[number].index] -= 1
            known = _Known(best - hand.wild - 1, list_kinds(useful, places, wild))
            self._remember(view, after, known)
            found.append(self._make_choice(view, held, natural[number]))
        return sort_choices(found, held)

    def claims(self, view: HandView, offered: Tile, possible: Iterable[Meld]) -> tuple[Claim, ...]:
        """The status of a hand between turns after each of these melds with the tile on offer, the best
        first."""
        found = []
        for meld in possible:
            held = counts(view.concealed)
            held[offered.index] += 1
            for tile in meld.tiles:
                held[tile.index] -= 1
            after = changed(view, concealed=list_tiles(held), melds=(*view.melds, meld))
            if meld.kind.is_kong:
                found.append(Claim(meld, None, self.assess(after)))
            else:
                best = self.discards(after)[0]
                found.append(Claim(meld, best.discard, best.after))
        return tuple(sorted(found, key=lambda claim: (claim.after.shanten, -claim.after.live)))

    def _make_choice(self, view: HandView, held: list[int], discard: Tile) -> JudgedChoice:
        after = held.copy()
        after[discard.index] -= 1
        return JudgedChoice(discard, self._assess(view, after))

    def _assess(self, view: HandView, held: list[int]) -> HandStatus:
        """The status of the hand with these counts of concealed tiles, otherwise as in the view."""
        known, unseen = self._find_known(view, held), view.unseen
        if unseen is None:
            copies = count_copies_in_play(self.rules, self.rules.wild(self.options, view.fortune))
            melded = counts(tile for meld in view.melds for tile in meld.tiles)
            unseen = [n - own - open_ for n, own, open_ in zip(copies, held, melded, strict=True)]
        kinds = [Useful(tile, n) for tile in known.useful if (n := unseen[tile.index]) > 0]
        return HandStatus(known.shanten, tuple(kinds))

    def _find_known(self, view: HandView, held: list[int]) -> _Known:
        known = self._remembered.get((bytes(held), view.melds, view.fortune))
        if known is None:
            known = self._find_distance(view, held)
            self._remember(view, held, known)
        return known

    def _find_distance(self, view: HandView, held: list[int]) -> _Known:
        hand, game = self._make_hand(view, held)
        reach = StandardDistances(hand, game)
        now, more = reach.now, reach.after_draws()
        for other in self._find_as_near(hand, game, now):
            now, more = min(now, other.now), np.minimum(more, other.after_draws())
        wild = None if hand.wildcard is None else hand.wildcard.tile
        return _Known(now - hand.wild - 1, list_kinds(more < now, map_places(hand), wild))

    def _remember(self, view: HandView, held: list[int], known: _Known) -> None:
        if len(self._remembered) >= REMEMBERED:
            self._remembered.clear()
        self._remembered[bytes(held), view.melds, view.fortune] = known

    def _make_hand(self, view: HandView, held: list[int]) -> tuple[Hand, ShapeRules]:
        hand = make_hand(self.rules, held.copy(), view.melds, self.options, view.fortune)
        return hand, self.rules.game(view.melds, self.options)

    def _find_as_near(self, hand: Hand, game: ShapeRules, lacks: int) -> list[ShapeDistances]:
        """The shapes other than sets and a pair that are no farther, wildcards not included."""
        return [
            ShapeDistances(shape, hand, game)
            for shape in self._others
            if shape.lacks(hand, game) + hand.wild <= lacks
        ]


def sort_choices(choices: list[JudgedChoice], held: list[int]) -> tuple[JudgedChoice, ...]:
    """The choices, the best first: most useful tiles unseen, then the tile farthest from the rest."""
    return tuple(sorted(choices, key=lambda c: (-c.after.live, measure_company(held, c.discard))))


def map_places(hand: Hand) -> list[int]:
    """Where each kind counts: a substitute as the kind that is wild."""
    places = list(range(KINDS_OF_HANDS))
    if hand.wildcard is not None and hand.wildcard.substitute is not None:
        places[hand.wildcard.substitute.index] = hand.wildcard.tile.index
    return places


def list_kinds(useful: NDArray[np.bool_], places: list[int], wild: Tile | None) -> tuple[Tile, ...]:
    """The kinds that bring a hand on: those at useful places, and always the wild one."""
    brings = useful.tolist()
    return tuple([tile for tile, at in zip(KINDS, places, strict=False) if tile is wild or brings[at]])


def measure_company(held: list[int], tile: Tile) -> int:
    """How many tiles of the hand are near a tile, and how much room there is around it."""
    suit, rank = divmod(tile.index, RANKS)
    near = 3 * (held[tile.index] - 1)
    if suit == HONORS:
        return near
    for apart, worth in ((1, 2), (2, 1)):
        near += sum(
            worth for at in (rank - apart, rank + apart) if 0 <= at < RANKS and held[RANKS * suit + at]
        )
    return near + min(rank, RANKS - 1 - rank, 2)


def make_hand_view(seen: SeatView) -> HandView:
    """The player's tiles and what is unseen, as the judge takes them."""
    return HandView(seen.player.concealed, list_known_melds(seen.player), count_left(seen), seen.hand.fortune)
