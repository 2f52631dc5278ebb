"""The wall of a hand: which tiles are left, where they stand, and what they are left for.

It knows places and counts; which tile stands where is kept apart from that, and only where it is known, as
in a simulation. Where nobody saw the dice the counts hold and places are unknown. Every operation makes a
new wall and takes as long however many tiles are left. Places and the way round are those of places.py.

Where the rulings are silent: replacements come from the end that stands next to the gap of the break, or to
the dead wall where that is never touched. The throw for an indicator counts from that gap, upper tile before
lower. A moving dead wall takes in the tile that would have been drawn last; where the live wall has none
left, no replacement is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from companion.errors import EventError, quote
from companion.rules.play import LAYERS, SIDES, Replacements, WallRule
from companion.table import messages
from companion.tiles import Tile, counts

DIE_FACES = 6


class Layer(StrEnum):
    """Which tile of a stack."""

    UPPER = "upper"
    LOWER = "lower"


@dataclass(frozen=True, slots=True)
class WallPlace:
    """Where a tile of the wall stands: the seat whose `side` it is, its `stack` from the right end, 1 on."""

    side: int
    stack: int
    layer: Layer


@dataclass(frozen=True, slots=True)
class WallSpot:
    """A place in the wall as a player at the table sees it, for a screen.

    direction: where the side is, counted counterclockwise from the viewer: 0 before the viewer, 1 to the
        right, 2 across, 3 to the left
    x, y: the middle of the stack from above; the middle of the table is 0, 0, the viewer's side of the wall
        runs from 1, -1 to -1, -1, the one to the right from 1, 1 to 1, -1
    """

    place: WallPlace
    direction: int
    x: float
    y: float


@cache
def places_clockwise(stacks: tuple[int, int, int, int], first: WallPlace) -> tuple[WallPlace, ...]:
    """Every place of a wall with these `stacks` a side, in the order of drawing from `first` on.

    EventError if there is no such place.
    """
    places = [
        WallPlace(side, stack, layer)
        for side in (0, 3, 2, 1)
        for stack in range(1, stacks[side] + 1)
        for layer in Layer
    ]
    if first not in places:
        if first.side not in range(SIDES):
            raise EventError(messages.NO_SUCH_SIDE, side=quote(first.side))
        raise EventError(
            messages.NO_SUCH_PLACE, side=first.side, stack=quote(first.stack), stacks=stacks[first.side]
        )
    start = places.index(first)
    return (*places[start:], *places[:start])


def find_break(rule: WallRule, dealer: int, dice: tuple[int, ...]) -> WallPlace:
    """The first tile to draw, where the dealer's dice show that: C-01 and C-02.

    Every side counts, also that of a seat that sits out. Raises EventError for a throw that the game does
    not have. Where single tiles are counted (break.unit) and the count ends on an upper tile, its stack is
    split: the lower tile is the first to draw, and the upper one, which the count has lifted off, is the
    last of the wall.
    """
    total = sum_dice(dice, rule.dice)
    stacks = rule.stacks(dealer)
    owner = (dealer + total - 1) % SIDES
    counted = total if rule.break_unit == "tile" else LAYERS * total
    if rule.break_after is not None:
        counted = rule.break_after
    around = places_clockwise(stacks, WallPlace(owner, 1, Layer.UPPER))
    return around[counted % len(around)]


def sum_dice(dice: tuple[int, ...], numbers: tuple[int, ...]) -> int:
    """What the dice show; EventError unless there is one of these `numbers` of them."""
    if len(dice) not in numbers or not all(1 <= die <= DIE_FACES for die in dice):
        raise EventError(messages.NO_SUCH_THROW, dice=quote(dice), numbers=" or ".join(map(str, numbers)))
    return sum(dice)


def locate(place: WallPlace, stacks: tuple[int, int, int, int], viewer: int = 0) -> WallSpot:
    """A place of a wall with these `stacks` a side, as the player on the seat `viewer` sees it."""
    direction = (place.side - viewer) % SIDES
    length = stacks[place.side]
    along = (length + 1 - 2 * place.stack) / length
    x, y = ((along, -1.0), (1.0, along), (-along, 1.0), (-1.0, -along))[direction]
    return WallSpot(place, direction, x, y)


@dataclass(frozen=True, slots=True)
class Wall:
    """A wall after `drawn` tiles from the head and `replaced` replacements.

    Make one by `break_by_dice` or `break_at`. A place is None if there is no such tile, or where the break
    is unknown; a tile is None where it is missing or unknown.

    rule: the game's wall, house options applied
    stacks: how many the side of each seat has
    order: every place, in the order in which all would be drawn from the break on
    placed: whether the break is known; else `order` begins somewhere
    turned: the index in `order` of the indicator, once it is turned over
    tiles: what stands, or stood, at each place of `order`, where that is known
    """

    rule: WallRule
    stacks: tuple[int, int, int, int]
    order: tuple[WallPlace, ...]
    placed: bool = True
    drawn: int = 0
    replaced: int = 0
    turned: int | None = None
    tiles: tuple[Tile, ...] | None = None

    @staticmethod
    def break_by_dice(
        rule: WallRule, dealer: int, dice: tuple[int, ...] | None, tiles: Sequence[Tile] | None = None
    ) -> Wall:
        """The wall before the deal, broken where these dice say; see `break_at`.

        EventError also where they are no throw of the game.
        """
        return Wall.break_at(rule, dealer, None if dice is None else find_break(rule, dealer, dice), tiles)

    @staticmethod
    def break_at(
        rule: WallRule, dealer: int, first: WallPlace | None, tiles: Sequence[Tile] | None = None
    ) -> Wall:
        """The wall before the deal, broken so that the tile at `first` is drawn first.

        `tiles` are all of the game's, in the order in which they would be drawn if no replacement were taken.
        EventError if there is no such place, or where they are others.
        """
        stacks = rule.stacks(dealer)
        order = places_clockwise(stacks, first or WallPlace(dealer, 1, Layer.UPPER))
        if tiles is not None and tuple(counts(tiles)) != rule.tile_set.copies:
            raise EventError(messages.OTHER_WALL, given=len(tiles), total=rule.tile_set.total)
        return Wall(rule, stacks, order, first is not None, tiles=None if tiles is None else tuple(tiles))

    @property
    def live_left(self) -> int:
        """Tiles left to draw until the hand ends, the sea among them, if no more replacements are taken."""
        left = len(self.order) - self.rule.dead - self.drawn
        return left if self.rule.replacements is Replacements.DEAD_WALL else left - self.replaced

    @property
    def dead_left(self) -> int:
        """Tiles in the dead wall, an indicator among them."""
        dead = self.rule.dead
        return dead - self.replaced if self.rule.replacements is Replacements.DEAD_WALL else dead

    @property
    def before_sea(self) -> int:
        """Tiles left to draw before the sea, or until the end in a game that has none."""
        return max(0, self.live_left - self.rule.sea)

    @property
    def in_sea(self) -> bool:
        """Whether all that is left to draw is the sea. Never in a game that has none."""
        return 0 < self.rule.sea >= self.live_left

    @property
    def may_replace(self) -> bool:
        """Whether a replacement can be taken."""
        if self.rule.replacements is Replacements.DEAD_WALL:
            return self.dead_left > 0
        return self.live_left > self.rule.sea

    @property
    def may_lack_one(self) -> bool:
        """Whether a kong is allowed that nothing replaces, and makes the hand a draw (S-11)."""
        return self.rule.replacements is Replacements.DEAD_WALL

    @property
    def next_place(self) -> WallPlace | None:
        """Where the next tile to draw stands."""
        return self.order[self._live(0)] if self.placed and self.live_left else None

    @property
    def replacement_place(self) -> WallPlace | None:
        """Where the next replacement stands."""
        return self.order[self._replacement] if self.placed and self.may_replace else None

    @property
    def last_place(self) -> WallPlace | None:
        """Where the tile stands that would be drawn last, as things are."""
        left = self.live_left
        return self.order[self._live(left - 1)] if self.placed and left else None

    @property
    def indicator_place(self) -> WallPlace | None:
        """Where the indicator stands, once it is turned over."""
        return self.order[self.turned] if self.placed and self.turned is not None else None

    @property
    def live_places(self) -> tuple[WallPlace, ...]:
        """Where the tiles that are left to draw stand, in that order."""
        if not self.placed:
            return ()
        return tuple([self.order[self._live(ahead)] for ahead in range(self.live_left)])

    @property
    def dead_places(self) -> tuple[WallPlace, ...]:
        """Where the dead wall stands, in clockwise order."""
        if not self.placed:
            return ()
        end = len(self.order)
        first = end - self.rule.dead
        if self.rule.replacements is Replacements.LIVE_WALL:
            return self.order[first:]
        if self.rule.replacements is Replacements.MOVING_DEAD_WALL:
            first -= self.replaced
        taken = {self._from_tail(end, nth) for nth in range(self.replaced)}
        return tuple([self.order[index] for index in range(first, end) if index not in taken])

    @property
    def next_tile(self) -> Tile | None:
        """The next tile to draw."""
        return self.tiles[self._live(0)] if self.tiles and self.live_left else None

    @property
    def replacement_tile(self) -> Tile | None:
        """The next replacement."""
        return self.tiles[self._replacement] if self.tiles and self.may_replace else None

    @property
    def indicator_tile(self) -> Tile | None:
        """The indicator, whose mates are the Fortunes, once it is turned over."""
        return self.tiles[self.turned] if self.tiles and self.turned is not None else None

    def next_tiles(self, count: int) -> tuple[Tile, ...] | None:
        """The next `count` tiles to draw, or as many as are left; None where tiles are unknown."""
        if self.tiles is None:
            return None
        return tuple([self.tiles[self._live(ahead)] for ahead in range(min(count, self.live_left))])

    def draw(self, count: int = 1) -> Wall:
        """The wall after the next `count` tiles were drawn; EventError if fewer are left."""
        left = self.live_left
        if count > left:
            raise EventError(messages.TOO_FEW_TO_DRAW, asked=count, left=left, ruling=self.rule.ruling)
        return self._with(self.drawn + count, self.replaced, self.turned)

    def draw_replacement(self) -> Wall:
        """The wall after a replacement was taken; EventError if none can be."""
        if not self.may_replace:
            raise EventError(
                messages.SEA_STAYS if self.in_sea else messages.NO_REPLACEMENT_LEFT,
                sea=self.rule.sea, live=self.live_left, dead=self.dead_left, ruling=self.rule.ruling,
            )  # fmt: skip
        return self._with(self.drawn, self.replaced + 1, self.turned)

    def turn_indicator(self, dice: tuple[int, ...]) -> Wall:
        """The wall with the tile turned over that the second throw selects.

        EventError if the game has no indicator, it is turned already, or for a wrong throw.
        """
        if not self.rule.indicator_dice:
            raise EventError(messages.NO_INDICATOR, ruling=self.rule.indicator_ruling)
        if self.turned is not None:
            raise EventError(messages.TURNED_ALREADY, ruling=self.rule.turn_ruling)
        total = sum_dice(dice, (self.rule.indicator_dice,))
        return self._with(self.drawn, self.replaced, self._from_tail(len(self.order), total - 1))

    def locate(self, place: WallPlace, viewer: int = 0) -> WallSpot:
        """A place of this wall as the player on the seat `viewer` sees it."""
        return locate(place, self.stacks, viewer)

    def _with(self, drawn: int, replaced: int, turned: int | None) -> Wall:
        return Wall(self.rule, self.stacks, self.order, self.placed, drawn, replaced, turned, self.tiles)

    def _live(self, ahead: int) -> int:
        """The index of the tile that is drawn after `ahead` others."""
        if self.replaced and self.rule.replacements is Replacements.LIVE_WALL and ahead + 1 == self.live_left:
            # The last stack may have lost its upper tile as a replacement: the lower one is the last then.
            end = len(self.order) - self.rule.dead
            gone = self._from_tail(end, self.replaced - 1)
            if self.order[gone].layer is Layer.UPPER and gone + 1 < end:
                return gone + 1
        return self.drawn + ahead

    @property
    def _replacement(self) -> int:
        """The index of the next replacement."""
        if self.rule.replacements is not Replacements.LIVE_WALL:
            return self._from_tail(len(self.order), self.replaced)
        if self.live_left == 1:
            return self._live(0)
        return self._from_tail(len(self.order) - self.rule.dead, self.replaced)

    def _from_tail(self, end: int, nth: int) -> int:
        """The index of the tile that is taken after `nth` others from the tail before the index `end`."""
        if self.order[end - 1].layer is Layer.UPPER:  # its stack is split, by the break or the dead wall
            if nth == 0:
                return end - 1
            end, nth = end - 1, nth - 1
        return end - LAYERS - nth + 2 * (nth % LAYERS)
