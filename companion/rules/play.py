"""How a game is played at the table: what each game declares (`Play`), and its policies under house options.

The wall of a game is a WallRule: values only. What stands on the table is table/wall.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from companion.rules.options import Option, switch
from companion.rules.win import Options, OptionValue, Source
from companion.tiles import SET_136, TileSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Chows:
    """Who may claim chows, and how many: `most` of one player, None for any number."""

    ruling: str = "C-06"
    most: int | None = None
    most_ruling: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kongs:
    """How kongs from the hand are declared.

    public: whether all may see what a concealed kong is of
    only_drawn_tile: whether only the tile drawn in this turn may be added to a pung
    after_claim: whether one may be declared right after a chow or a pung was claimed
    robbed_concealed_for: the shape for which a concealed kong may be robbed; "" where it may not be
    refund: if nobody wins, the reason in the ledger for taking back what kongs were paid; "" where
        these payments stand
    """

    public: bool = False
    only_drawn_tile: bool = False
    after_claim: bool = False
    robbed_concealed_for: str = ""
    refund: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedWin:
    """What it costs to let a win go, until the next own draw.

    costs: whether it bars wins on discards at all
    same_tile: whether it bars only wins on that kind of tile
    live_draws_only: whether only a draw from the live wall ends it; else a replacement does too (S-03)
    """

    costs: bool = False
    same_tile: bool = False
    live_draws_only: bool = False
    ruling: str = "C-12"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wildcards:
    """What may be done with wild tiles, in a game that has them.

    in_chows: whether a claimed chow may hold one
    win_on_discard: whether a discarded one may be won on; other claims of it are never allowed
    """

    in_chows: bool = False
    win_on_discard: bool = False
    ruling: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gambits:
    """What the discard of a wild tile begins: claims stop, and wins are drawn.

    needs_any_tile: whether it is one only if every tile completes the hand then
    ruling: what binds the player who gambles; others_ruling: what binds the others
    """

    needs_any_tile: bool = False
    ruling: str
    others_ruling: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """Ready hands that are declared.

    situation, at_once: the situations of a win after declaring one, and after declaring one with the first
        discard; both "" in a game in which none are declared
    must_win: whether who declared one may not pass up a win
    """

    situation: str = ""
    at_once: str = ""
    must_win: bool = False
    ruling: str = "TW-13"

    @property
    def declared(self) -> bool:
        """Whether the game has ready hands that are declared."""
        return bool(self.situation)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sea:
    """The last tiles, drawn without discards, of a wall that has such tiles (`WallRule.sea`).

    must_win: whether who draws a winning tile there has to win with it
    """

    must_win: bool = False
    ruling: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTile:
    """Whether the player whose turn it is may leave the last tile undrawn."""

    may_decline: bool = False
    ruling: str = "TW-14"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flowers:
    """How flowers are set out, in a game that has them.

    all_set_out, last_robbed: the situations of a win by all flowers, and by all but one and another's last;
        both "" in a game that has no such wins
    """

    all_set_out: str = ""
    last_robbed: str = ""
    ruling: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Liability:
    """From how many melds on, claimed from one player, two players are liable for each other.

    pungs: whether pungs count, and the kongs made of them
    """

    melds: int = 3
    pungs: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """All policies of a game under its house options.

    multi_win: whether several players may win on one tile
    claimed_count: whether discards that were claimed count among those made so far
    double_streak: where both dice of the break show the same, the streak that the hand has at least
    """

    chows: Chows = Chows()
    kongs: Kongs = Kongs()
    missed_win: MissedWin = MissedWin()
    wildcards: Wildcards = Wildcards()
    gambits: Gambits | None = None
    ready: Ready = Ready()
    sea: Sea = Sea()
    last_tile: LastTile = LastTile()
    flowers: Flowers = Flowers()
    liability: Liability = Liability()
    multi_win: bool = False
    claimed_count: bool = True
    double_streak: int = 0


SIDES = 4
LAYERS = 2

BREAK_UNIT = Option(
    key="break.unit",
    default="stack",
    values=("stack", "tile"),
    meaning=(
        "What the dice count off from the right end of the wall to the break: stacks of two, or single tiles."
    ),
    meaning_zh="开牌时按骰子点数从牌墙右端数：按墩数，或按张数。",
    ruling="C-02",
)
"""A house option of every game in which dice choose how far the break is from the wall's end."""


class Replacements(Enum):
    """Where the tile comes from that replaces the fourth of a kong, or a flower, and what it costs."""

    LIVE_WALL = "live_wall"
    """The tail of the live wall. A dead wall stays as it is."""
    DEAD_WALL = "dead_wall"
    """The dead wall, which gets smaller."""
    MOVING_DEAD_WALL = "moving_dead_wall"
    """The dead wall, into which the last tile of the live wall moves in its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WallRule:
    """The wall of a game. All numbers are tiles unless they are named stacks.

    tile_set: its tiles. They stand two high on four sides, as many on each, but for those of the dealer
    dealer_stacks_more: how many stacks longer the dealer's side is than the others
    dice: how many dice may be thrown for the break, the usual number first
    break_unit: what their total counts, from the right end of the side that it also chooses (C-01, C-02)
    break_after: how many tiles stand right of the break whatever the dice, which then choose the side only
    deal: how many each player takes in a round; after the last the dealer takes one more (C-04)
    dead: the dead wall, which is what stands just before the break
    replacements: where they are taken from
    sea: the last tiles of the live wall, which are drawn one by each player; none of them is a replacement
    indicator_dice: how many dice are thrown after the deal for the tile of the dead wall that is turned over;
        none if no tile is
    indicator_ruling, turn_ruling: the rulings on whether a tile is turned over, and how
    ruling: the ruling on how this wall ends and where its replacements come from
    options: its own house options
    variations: which of these values are others under a setting of a house option, also of those of the
        scoring table
    """

    tile_set: TileSet = SET_136
    dealer_stacks_more: int = 0
    dice: tuple[int, ...] = (2,)
    break_unit: str = "stack"
    break_after: int | None = None
    deal: tuple[int, ...] = (4, 4, 4, 1)
    dead: int = 0
    replacements: Replacements = Replacements.LIVE_WALL
    sea: int = 0
    indicator_dice: int = 0
    indicator_ruling: str = "HZ-04"
    turn_ruling: str = ""
    ruling: str = ""
    options: tuple[Option, ...] = ()
    variations: Mapping[tuple[str, OptionValue], Mapping[str, object]] = field(
        default_factory=dict, hash=False
    )

    def with_options(self, options: Options) -> WallRule:
        """The wall with these house options; one that is not given stands at its default."""
        changes: dict[str, object] = {}
        for (key, setting), change in self.variations.items():
            if key in options and options[key] == setting:
                changes |= change
        return replace(self, **changes) if changes else self  # type: ignore[arg-type]

    def stacks(self, dealer: int) -> tuple[int, int, int, int]:
        """How many stacks the side of each seat has."""
        side = (self.tile_set.total // LAYERS - self.dealer_stacks_more) // SIDES
        a, b, c, d = (side + self.dealer_stacks_more * (seat == dealer) for seat in range(SIDES))
        return a, b, c, d

    def deal_order(self, seats: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Who takes how many tiles from the wall, one after the other, in the deal (C-04).

        `seats` are those that play, from the dealer on.
        """
        for tiles in self.deal:
            for seat in seats:
                yield seat, tiles
        yield seats[0], 1


COUNTED_IN_TILES: Mapping[tuple[str, OptionValue], Mapping[str, object]] = MappingProxyType(
    {(BREAK_UNIT.key, "tile"): MappingProxyType({"break_unit": "tile"})}
)
"""Changes under the house option BREAK_UNIT."""
USUAL_WALL = WallRule(options=(BREAK_UNIT,), variations=COUNTED_IN_TILES)
"""136 tiles that are all drawn; a kong's fourth tile is replaced from the tail."""


CONCEALED_KONG_PUBLIC = switch(
    key="concealed_kong_public",
    ruling="C-07",
    meaning="What a concealed kong is of is shown to all.",
    meaning_zh="暗杠须亮明牌面。",
)
ADDED_KONG_ONLY_DRAWN_TILE = switch(
    key="added_kong_only_drawn_tile",
    ruling="C-08",
    meaning="Only the tile drawn this turn may be added to a pung, not one drawn earlier.",
    meaning_zh="加杠只限本轮摸到的那张牌。",
)
KONG_AFTER_CLAIM = switch(
    key="kong_after_claim",
    ruling="C-09",
    meaning="A kong from the hand may be declared right after claiming a chow or pung, before the next draw.",
    meaning_zh="吃、碰之后可立即开暗杠或加杠。",
)
MULTI_WIN = switch(
    key="multi_win",
    ruling="C-13",
    meaning="Several players may win on one tile.",
    meaning_zh="一炮多响：可有多家胡牌。",
)
ROB_FOR_ORPHANS = switch(
    key="rob_concealed_for_13_orphans",
    ruling="C-11",
    meaning="A concealed kong may be robbed for Thirteen Orphans.",
    meaning_zh="十三幺可以抢暗杠。",
)
ORPHANS_SHAPE = "thirteen_orphans"
"""The shape that ROB_FOR_ORPHANS names."""
MISSED_WIN = "missed_win"
FREE, ANY_TILE, SAME_TILE = "none", "until_next_draw", "same_tile_until_next_draw"
"""The key and the settings of the option for the cost of passing up a win."""


def missed_win_option(default: str, ruling: str = "C-12", until: str = "draw") -> Option:
    """The option for the cost of passing up a win, with a game's own default.

    `until`: which own draw it lasts until, in English.
    """
    ways = (FREE, ANY_TILE, SAME_TILE)
    return Option(
        key=MISSED_WIN,
        default=default,
        values=(default, *(way for way in ways if way != default)),
        meaning=f"What passing up a win costs until the own next {until}: nothing (none), every win on"
        " a discard (until_next_draw), or that on the same tile.",
        meaning_zh="放弃胡牌（过水），到自己下一次摸牌之前：不限（none）；不能胡任何点炮牌（until_next_draw）；"
        "或不能胡同一张牌。",
        ruling=ruling,
    )


COMMON_PLAY = (CONCEALED_KONG_PUBLIC, ADDED_KONG_ONLY_DRAWN_TILE, KONG_AFTER_CLAIM, MULTI_WIN)
"""The options of play that every game has in addition to its own `missed_win_option`."""
USUAL_OPTIONS = (*COMMON_PLAY, missed_win_option(FREE))


@dataclass(frozen=True, slots=True)
class Rotation:
    """Who deals next: the dealer again after an own win (`on_win`) or a draw (`on_draw`); else, the winner
    (`to_winner`) or the next player. `draws_count`: whether a draw makes the dealer's streak longer."""

    on_draw: bool
    on_win: bool = True
    to_winner: bool = False
    draws_count: bool = True


@dataclass(frozen=True, slots=True)
class Length:
    """When a game is over: after `rounds` rounds, in which everybody deals once; after `hands` hands.

    `broke`: also after any hand that the dealer did not win, if a player has no points left (HZ-32).
    """

    rounds: int | None = 4
    hands: int | None = None
    broke: bool = False


class Moment(NamedTuple):
    """What the table knows when a player wins, for the situations of a rule set.

    by_dealer: the dealer wins. source: where the tile comes from. replacement: it replaced the fourth tile
    of a kong, or a flower. discards: made so far, this one included. claims, kongs: how many discards were
    claimed, and concealed kongs declared, by all players.
    draws: number of tiles that the winner drew from the live wall after the deal. live_left: tiles left in
    it. sea: whether it is one of the last that are drawn without discards. ready: the situation that the
    winner declared, if any.
    """

    by_dealer: bool
    source: Source
    replacement: bool
    discards: int
    claims: int
    kongs: int
    draws: int
    live_left: int
    sea: bool
    ready: str | None

    @property
    def self_drawn(self) -> bool:
        return self.source is Source.SELF_DRAW

    @property
    def dealt(self) -> bool:
        """Whether the dealer wins with the tiles of the deal, flowers replaced."""
        return self.by_dealer and self.self_drawn and not (self.discards or self.kongs)

    @property
    def first_discard(self) -> bool:
        """Whether the dealer's first discard wins, before any claim."""
        return self.source is Source.DISCARD and self.discards == 1 and not self.claims

    @property
    def last_tile(self) -> bool:
        """Whether the live wall's last tile wins, or a discard made after it (HK-35)."""
        if self.live_left or self.source is Source.ROBBED_KONG:
            return False
        return not self.replacement


def make_usual_policy(options: Options) -> Policy:
    """The policies of a game whose only options of play are those that several games have."""
    missed = options[MISSED_WIN]
    orphans = options.get(ROB_FOR_ORPHANS.key, False)
    return Policy(
        kongs=Kongs(
            public=bool(options[CONCEALED_KONG_PUBLIC.key]),
            only_drawn_tile=bool(options[ADDED_KONG_ONLY_DRAWN_TILE.key]),
            after_claim=bool(options[KONG_AFTER_CLAIM.key]),
            robbed_concealed_for=ORPHANS_SHAPE if orphans else "",
        ),
        missed_win=MissedWin(costs=missed != FREE, same_tile=missed == SAME_TILE),
        multi_win=bool(options[MULTI_WIN.key]),
    )


REPLACED: Mapping[str, Callable[[Moment], bool]] = MappingProxyType(
    {"replacement": lambda moment: moment.replacement and not moment.dealt}
)
"""The situation of a win on a replacement, for games that have it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Play:
    """How a game is played at the table. Functions are pure and get every option.

    The defaults are those of a game of 136 tiles without flowers, in which the dealer stays after an own win
    or a draw.

    wall: its wall
    options: its house options of play, in addition to those of the wall and the scoring table
    rotation, length: who deals next, and when the game is over
    points: what each player starts with
    may_owe: whether a player can have less than nothing (HZ-26)
    situations: when a win is in which situation of the rule set
    from_dealer: whether of several who could win the first from the dealer on does, not from the discarder on
    policy: what the table allows and demands
    The rulings that say: who sits out (seats_ruling), who deals next (deal_ruling), when a game is over
    (length_ruling), that a discard is claimed before the next draw (window_ruling), that a hand with a wrong
    number of tiles is dead (void_ruling)
    """

    wall: WallRule = USUAL_WALL
    options: tuple[Option, ...] = USUAL_OPTIONS
    rotation: Callable[[Options], Rotation] = lambda options: Rotation(on_draw=True)
    length: Callable[[Options], Length] = lambda options: Length()
    points: Callable[[Options], int] = lambda options: 0
    may_owe: bool = True
    situations: Mapping[str, Callable[[Moment], bool]] = field(default_factory=dict, hash=False)
    from_dealer: bool = False
    policy: Callable[[Options], Policy] = make_usual_policy
    seats_ruling: str = ""
    deal_ruling: str = ""
    length_ruling: str = ""
    window_ruling: str = ""
    void_ruling: str = "C-17"

    def situations_at(self, moment: Moment) -> frozenset[str]:
        """The situations in which a win at that moment is."""
        return frozenset(id for id, holds in self.situations.items() if holds(moment))

    @property
    def own_options(self) -> tuple[Option, ...]:
        """Every house option that is not one of the scoring table."""
        return *self.wall.options, *self.options


USUAL_PLAY = Play()
