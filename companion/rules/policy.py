"""What a table allows and demands under its house options: policies, each with the rulings that it follows.

A variant computes them from its options (`Play.policy`). The table asks them and knows no option and no game.
The defaults are those of a simple game. Where they cite the ruling of a game, it is the one that says what
this game does not have, such as ready hands.
"""

from __future__ import annotations

from dataclasses import dataclass


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
    refund: where nobody wins, the reason that the ledger gives for taking back what kongs were paid; "" where
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

    needs_any_tile: whether it is one only where every tile completes the hand then
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
