"""Hands to compare with: which rows any win of this player has, and which belong to a kind of hand.

It asks the rules' own scoring of made-up hands, and knows no row by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from companion.coach.aims import HONORS, Aim
from companion.coach.examples import make_examples
from companion.coach.outlook import Outlook
from companion.coach.reach import Sets
from companion.rules import Source
from companion.tiles import Meld, Tile, counts, parse_meld, parse_tiles

SOURCES = (Source.SELF_DRAW, Source.DISCARD)
Made = tuple[str, str, str]
PLAIN: tuple[Made, ...] = (
    ("222p", "345678p567s88s", "345s"),
    ("222m", "345p345678s88s", "345p"),
    ("222m", "345p44z345678s", "345p"),
)
"""Hands that hold nothing dear: a set that may lie open, the others, and those of a fifth set."""
DEAR: tuple[Made, ...] = (("222m", "345678m567m88m", "345m"), ("222p", "444p666s888m55p", "333p"))
"""Two that have nothing in common but what any win has, where the rules refuse plain ones."""
FOUR_SETS = 4
HONOURS = "4z"
OF_SUIT, OF_SUIT_AND_HONOURS = ("222x345678x567x88x", "345x"), ("345678x567x88x444z", "345x")
TRIPLETS, OPEN = ("444p666s888m55p", "333p"), parse_meld("p222m")
"""Hands of one suit, x, of it and honours, of triplets beside an open one, and nothing else; the second part
is a fifth set."""
BESIDE = (
    (("345p", "678p", "567s", "345s"), "88s"),
    (("345s", "678s", "567m", "345m"), "88m"),
    (("345m", "678m", "567p", "345p"), "88p"),
)
"""Plain sets and a pair that finish a hand beside the melds that lie there."""
COPIES = 4
NO_TILES = bytes(42)
"""Of each kind none: nothing is known of the concealed tiles."""


class PlainHands:
    """Of one position. melds: those that lie there; claims: whether any does, or a choice lays one."""

    def __init__(self, outlook: Outlook, melds: tuple[Meld, ...], *, claims: bool) -> None:
        self._outlook, self._melds, self._concealed = outlook, melds, not claims
        self._sets = outlook.judge.rules.sets

    @cached_property
    def rows(self) -> frozenset[str]:
        """The rows that a win has without anything dear, as this player wins, and those that the melds bring
        that lie there, by their ids."""
        if self._outlook.standings.binds(NO_TILES, self._melds):
            asked = self._outlook.payoff.asked.usual
            if self._melds not in asked:
                asked[self._melds] = frozenset().union(*map(self._find_usual, SOURCES))
            return asked[self._melds]
        found = set[str]()
        for source in SOURCES:
            found |= set().union(*self._list_rows(PLAIN, source))
            dear = [rows for rows in self._list_rows(DEAR, source) if rows]
            if len(dear) == len(DEAR):
                found |= set.intersection(*dear)
            certain = [rows for rows in self._list_rows_beside(source) if rows]
            if certain:
                found |= set.intersection(*certain)
        return frozenset(found)

    def list_marks(self, aim: Aim) -> frozenset[str] | None:
        """The rows of a hand that is of the aim and nothing else, by their names: they alone say how far it
        is. None for an aim that is neither of a suit nor of triplets: any row may be named of it."""
        suit, texts = "mps"[aim.suits[0]], OF_SUIT_AND_HONOURS if HONORS in aim.suits else OF_SUIT
        if aim.sets is Sets.TRIPLETS:
            texts = TRIPLETS
        elif len({*aim.suits} - {HONORS}) > 1:
            return None
        tiles = parse_tiles("".join(texts[: 1 + self._has_five]).replace("x", suit))
        melds = (OPEN,) if aim.sets is Sets.TRIPLETS else ()
        payoff = self._outlook.payoff
        found = set()
        for source in SOURCES:
            result = payoff.score(bytes(counts(tiles)), melds, tiles[0], source)
            found |= {line.name for line in result.lines}
        return frozenset(found)

    @property
    def _has_five(self) -> bool:
        return self._sets > FOUR_SETS

    def _list_rows(self, hands: Sequence[Made], source: Source) -> Iterator[set[str]]:
        for first, others, fifth in hands:
            tiles = others + (fifth if self._has_five else "")
            melds = () if self._concealed else (parse_meld(f"p{first}"),)
            yield self._score((first if self._concealed else "") + tiles, melds, source)

    def _find_usual(self, source: Source) -> set[str]:
        """Where plain hands are refused: the rows that hands of most of the aims have that win, so that they
        belong to none of these."""
        outlook, judge = self._outlook, self._outlook.judge
        every = []
        for aim in outlook.standings.list_winning(self._melds):
            examples = make_examples(judge.rules, judge.options, aim, self._melds, 0, outlook.wild)
            results = [outlook.payoff.score(hand, self._melds, last, source) for hand, last in examples]
            every.append(set.intersection(*[{line.id for line in result.lines} for result in results]))
        rows = [row for rows in every for row in rows]
        return {row for row in rows if 2 * rows.count(row) > len([each for each in every if each])}

    def _list_rows_beside(self, source: Source) -> Iterator[set[str]]:
        if not self._melds:
            return
        for sets, pair in BESIDE:
            text = "".join(sets[: self._sets - len(self._melds)]) + pair
            yield self._score(text, self._melds, source)

    def _score(self, text: str, melds: tuple[Meld, ...], source: Source) -> set[str]:
        """The rows of that hand, by their ids; none where it does not win, or there is no such hand."""
        tiles = parse_tiles(text)
        total = counts((*tiles, *(tile for meld in melds for tile in meld.tiles)))
        if HONOURS in text and not self._outlook.judge.rules.tile_set.copies[Tile.parse(HONOURS).index]:
            return set()
        if max(total) > COPIES:
            return set()
        result = self._outlook.payoff.score(bytes(counts(tiles)), melds, tiles[-1], source)
        return {line.id for line in result.lines}
