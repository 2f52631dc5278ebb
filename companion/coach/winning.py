"""Which finished hands win at a table that refuses some of a winning shape, and what may be played for there.

It knows no minimum by name: the rules' own scoring is asked of plain examples, the poorest of every aim. An
aim of which all examples win is one that wins; where those of any hand do, nothing is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from companion.coach.aims import HONORS, SUITS_OF_TILES, Aim
from companion.coach.examples import make_examples
from companion.coach.payoff import Payoff
from companion.coach.reach import HONOR_KINDS, Sets
from companion.rules import RuleSet, Source
from companion.rules.shapes import standard_lacks
from companion.rules.win import Options
from companion.tiles import Meld, MeldKind, Tile

NUMBERS = (0, 1, 2)
"""The suits but honours."""
SOURCES = (Source.SELF_DRAW, Source.DISCARD)


class Winning:
    """Of the player of one position, by what `payoff` knows of it. fortune: the kind that is wild."""

    def __init__(self, rules: RuleSet, options: Options, fortune: Tile | None, payoff: Payoff) -> None:
        self._rules, self._options, self._payoff = rules, options, payoff
        self._wild = rules.wild(options, fortune)
        self._known = payoff.asked.aims

    def binds(self, melds: tuple[Meld, ...], wild: int) -> bool:
        """Whether hands with these melds and so many wild tiles, or one more, may have a winning shape and
        not win though it is self-drawn."""
        if not self._rules.restricts:
            return False
        most = 0 if self._wild is None else min(wild + 1, self._wild.copies)
        return any(self.list_aims(melds, each) != (Aim(),) for each in range(wild, most + 1))

    def list_aims(self, melds: tuple[Meld, ...], wild: int) -> tuple[Aim, ...]:
        """The widest aims of which every hand wins, self-drawn at least; any hand alone where all do."""
        found = self._known.get((melds, wild))
        if found is None:
            found = self._known[melds, wild] = self._find_aims(melds, wild)
        return found

    def wins(self, hand: bytes, melds: tuple[Meld, ...], tile: Tile) -> bool:
        """Whether these 42 counts of concealed tiles win with the tile that came last, from anywhere."""
        return any(self._payoff.wins(hand, melds, tile, source) for source in SOURCES)

    def _find_aims(self, melds: tuple[Meld, ...], wild: int) -> tuple[Aim, ...]:
        if self._is_won(Aim(), melds, wild):
            return (Aim(),)
        shapes = self._rules.shapes_in_force(self._options)
        found = [
            aim
            for aim in (Aim(shape) for shape in shapes if shape.lacks is not standard_lacks)
            if not melds and self._is_won(aim, melds, wild)
        ]
        refused = list[Aim]()
        for aim in _list_narrow():
            if self._is_open(aim, melds) and (wild or not aim.loose):
                (found if self._is_won(aim, melds, wild) else refused).append(aim)
        for one, other in () if wild else combinations(refused, 2):  # wild tiles fill few kinds by chance
            both = _join(one, other)
            if both is not None and self._is_open(both, melds) and self._is_won(both, melds, wild):
                found.append(both)
        return tuple(found)

    def _is_won(self, aim: Aim, melds: tuple[Meld, ...], wild: int) -> bool:
        """Whether all examples of the aim win self-drawn; not where there is none."""
        number = 0
        for hand, last in make_examples(self._rules, self._options, aim, melds, wild, self._wild):
            if not self._payoff.wins(hand, melds, last, Source.SELF_DRAW):
                return False
            number += 1
        return number > 0

    def _is_open(self, aim: Aim, melds: tuple[Meld, ...]) -> bool:
        """Whether a hand with these melds can be of the aim."""
        laid = {SUITS_OF_TILES.index(meld.tiles[0].suit) for meld in melds}
        chows = sum(meld.kind is MeldKind.CHOW for meld in melds)
        if not laid <= set(aim.suits) or len(aim.honors) > self._rules.sets - len(melds):
            return False
        return not (chows and aim.sets is Sets.TRIPLETS) and not (
            chows < len(melds) and aim.sets is Sets.CHOWS
        )


def _list_narrow() -> Iterator[Aim]:
    """What the tiles of a hand of sets and a pair may have in common."""
    yield Aim(sets=Sets.CHOWS)
    yield Aim(sets=Sets.TRIPLETS)
    yield Aim(suits=NUMBERS)
    for suit in range(HONORS):
        yield Aim(suits=(suit,))
        yield Aim(suits=(suit, HONORS))
    for rank in range(HONOR_KINDS):
        yield Aim(honors=(rank,))
    yield Aim(loose=True)


def _join(one: Aim, other: Aim) -> Aim | None:
    """What is both; None where nothing is."""
    suits = tuple(suit for suit in one.suits if suit in other.suits)
    kinds = {one.sets, other.sets} - {Sets.ANY}
    honors = tuple(sorted({*one.honors, *other.honors}))
    if not suits or suits == (HONORS,) or len(kinds) > 1:
        return None
    sets = next(iter(kinds), Sets.ANY)
    if honors and (sets is Sets.CHOWS or HONORS not in suits):
        return None
    both = Aim(suits=suits, sets=sets, honors=honors, loose=one.loose or other.loose)
    return None if both in (one, other) else both
