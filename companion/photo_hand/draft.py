"""What a person must never lose: one hand, how it was won, and what the table agreed on. No Kivy, no rule.

Which of it a game asks for is what its rule set declares; the rest is kept, and not sent.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from companion.photo_hand.hand import PhotoHand
from companion.photo_hand.photo_tile import PhotoTile
from companion.rules import RULE_SETS, RuleSet, Situation, Source
from companion.rules.request import NUMBER_MAX, WIND_NAMES
from companion.rules.win import DeclaredKong, OptionValue
from companion.tiles import MeldKind, Tile

NO_BALANCES: tuple[int | None, ...] = (None,) * 4


@dataclass(frozen=True, slots=True)
class WinDraft:
    """One hand and how it was won; saved, and undone step by step.

    Seats: 0 the person at the window, then counterclockwise: right, across, left. `round_wind` counts from
    0, East. `balances` is what each seat has to pay with, None where a seat may go into debt. The rest is
    named as in a request.
    """

    hand: PhotoHand = field(default_factory=PhotoHand)
    picture: str | None = None
    rules: str = next(iter(RULE_SETS))
    options: tuple[tuple[str, OptionValue], ...] = ()
    source: Source = Source.SELF_DRAW
    winner: int = 0
    dealer: int = 0
    discarder: int = 1
    streak: int | None = None
    situation: tuple[str, ...] = ()
    round_wind: int = 0
    fortune: str | None = None
    gambits: int = 0
    consecutive_kongs: int = 0
    discards: int | None = None
    three_melds: tuple[tuple[int, int], ...] = ()
    kongs_declared: tuple[DeclaredKong, ...] = ()
    base: int = 1
    cap: int | None = None
    balances: tuple[int | None, ...] = NO_BALANCES

    @property
    def rule_set(self) -> RuleSet:
        return RULE_SETS[self.rules]

    @property
    def all_options(self) -> dict[str, OptionValue]:
        """Every house option's setting."""
        return {**self.rule_set.defaults, **dict(self.options)}

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that play."""
        return self.rule_set.seats(self.all_options)

    @property
    def streak_or_default(self) -> int:
        least = self.rule_set.streak_default
        return least if self.streak is None else max(self.streak, least)

    def option(self, key: str) -> OptionValue:
        return self.all_options[key]

    @property
    def in_force(self) -> tuple[Situation, ...]:
        """The situations of the win."""
        return tuple(one for one in self.rule_set.situations if one.id in self.situation)

    @property
    def by_flowers(self) -> bool:
        """Whether the hand won by its flowers alone, whatever its tiles."""
        return any(situation.flowers for situation in self.in_force)

    @property
    def winning(self) -> PhotoTile | None:
        """The tile that completed the hand; None where it was won as it was dealt, or by flowers."""
        return None if any(situation.no_winning_tile for situation in self.in_force) else self.hand.winning

    @property
    def fixed_fortune(self) -> Tile | None:
        """The kind that the house rules make wild, so that nobody has to say it."""
        wild = self.rule_set.wild(self.all_options, None)
        return wild.tile if wild else None

    def lacks(self, tile: PhotoTile) -> bool:
        """Whether it is a kind that the game does not have."""
        return tile.is_kind and not self.rule_set.tile_set.copies[Tile.parse(tile.code).index]

    @property
    def meld_kinds(self) -> tuple[MeldKind, ...]:
        """The melds that this game and its house options have."""
        return self.rule_set.allowed_melds(self.all_options)

    def next_hand(self) -> WinDraft:
        """The same table before the next hand: what the last one was like is forgotten."""
        new = WinDraft()
        return replace(
            self,
            hand=new.hand,
            picture=new.picture,
            situation=new.situation,
            fortune=new.fortune,
            gambits=new.gambits,
            consecutive_kongs=new.consecutive_kongs,
            discards=new.discards,
            three_melds=new.three_melds,
            kongs_declared=new.kongs_declared,
        )

    def request(self) -> dict[str, object]:
        """The request for the score, fields as the rules know them."""
        winning, uses = self.winning, self.rule_set.uses
        request: dict[str, object] = {
            "rules": self.rules,
            "options": dict(self.options),
            **self.hand.fields(),
            "winning_tile": winning.code if winning else None,
            "winner": self.winner,
            "dealer": self.dealer,
            "round_wind": WIND_NAMES[self.round_wind],
            "source": self.source.value,
            "from": None if self.source is Source.SELF_DRAW else self.discarder,
            "situation": [situation.id for situation in self.in_force],
            "base": self.base,
            "cap": self.cap,
            "balances": self._balances(),
        }
        only_some_games: dict[str, object] = {
            "streak": self.streak_or_default,
            "discards": self.discards,
            "fortune": None if self.fixed_fortune else self.fortune,
            "gambits": self.gambits,
            "consecutive_kongs": self.consecutive_kongs,
            "three_melds": [list(pair) for pair in self.three_melds],
            "kongs_declared": [
                {"kind": kong.kind.value, "seat": kong.seat, "from": kong.discarder}
                for kong in self.kongs_declared
            ],
        }
        if "flowers" not in uses:
            request["hand"] = f"{request['hand']}{request.pop('flowers')}"
        return request | {name: value for name, value in only_some_games.items() if name in uses}

    def _balances(self) -> list[int] | None:
        if self.balances == NO_BALANCES:
            return None
        return [NUMBER_MAX if balance is None else balance for balance in self.balances]
