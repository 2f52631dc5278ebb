"""A win as it is entered: one hand, how it was won, and what the table agreed on; and its score, which the
rules work out. No Kivy.

Which fields a game asks for is what its rule set declares; the others are kept, and not sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from dataclasses import fields as attributes_of
from typing import Any

from companion.errors import CompanionError, RequestError
from companion.money import Currency, find_problem
from companion.photo_hand.hand import PhotoHand, PhotoTile
from companion.rules import RULE_SETS, RuleSet, Score, Source, decode_request, score
from companion.rules.fields import FIELDS, Field, FieldGroup
from companion.rules.kinds import (
    NUMBER_MAX,
    WIND_NAMES,
    BalancesKind,
    DeclaredKongsKind,
    HouseOptionsKind,
    NumberKind,
    StakesKind,
    StreakKind,
    WindKind,
)
from companion.rules.stated import Stated
from companion.rules.win import BASE, DeclaredKong, OptionValue, Stakes
from companion.sentences import Sentence
from companion.tiles import UNKNOWN, MeldKind, Tile

NO_BALANCES: tuple[int | None, ...] = (None,) * 4
KEPT = tuple(field for field in FIELDS.values() if field.part is not FieldGroup.TILES)
"""The fields that a draft stores itself; the fields of the tiles follow from its hand."""


@dataclass(frozen=True, slots=True)
class WinDraft:
    """One hand and how it was won; saved, and undone step by step.

    Seats: 0 the person at the window, then counterclockwise: right, across, left. `round_wind` counts from 0,
    East. `stakes` are None for the game's own; stakes of another game, with a base that this one lacks, are
    ignored. `currency` is what the table plays for, None for points. `balances` are the points each seat can
    pay with, None if it may go into debt. `stated` is what the win is worth, where people said so in place of
    entering its tiles. Other attributes are named as in a ScoreRequest. `extra` holds
    the fields of fields.py that have no attribute here, by name.
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
    stakes: Stakes | None = None
    base: int = 1
    cap: int | None = None
    currency: Currency | None = None
    balances: tuple[int | None, ...] = NO_BALANCES
    stated: Stated | None = None
    extra: Mapping[str, bool | int | str | None] = field(default_factory=dict)

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

    def option(self, key: str) -> OptionValue:
        return self.all_options[key]

    @property
    def agreed_stakes(self) -> Stakes | None:
        """The stakes where they differ from the game's own, else None."""
        kept = self.stakes
        return kept if kept is not None and (kept.base <= 0 or BASE in self.rule_set.stakes) else None

    @property
    def by_flowers(self) -> bool:
        """Whether the hand won by its flowers alone, whatever its tiles."""
        return not self.rule_set.flower_wins.isdisjoint(self.situation)

    @property
    def winning(self) -> PhotoTile | None:
        """The winning tile; None if the hand won as dealt, or by flowers."""
        return self.hand.winning if set(self.situation).isdisjoint(self.rule_set.wins_without_tile) else None

    def hand_won_with(self, code: str) -> PhotoHand:
        """The hand with that kind as its winning tile: added to a hand that is one tile short, else in place
        of the winning tile."""
        winning, hand = self.winning, self.hand
        if winning is None or len(hand.concealed) % 3 == 1:
            hand = hand.add(code)
            return hand.win_with(hand.next_id - 1)
        return hand.correct(winning.id, code).win_with(winning.id)

    @property
    def fixed_fortune(self) -> Tile | None:
        """The wild kind if the house rules fix it; then it is not asked for."""
        wild = self.rule_set.wild(self.all_options, None)
        return wild.tile if wild else None

    def lacks(self, tile: PhotoTile) -> bool:
        """Whether the tile is of a kind that the game does not use."""
        return tile.is_kind and not self.rule_set.tile_set.copies[Tile.parse(tile.code).index]

    @property
    def meld_kinds(self) -> tuple[MeldKind, ...]:
        """The kinds of melds that this game and its house options allow."""
        return self.rule_set.allowed_melds(self.all_options)

    def value(self, field: Field) -> Any:
        """The value of that field; the tiles are in `hand`."""
        if field.attribute in ATTRIBUTES:
            return getattr(self, field.attribute)
        return self.extra.get(field.name, field.default)

    def number(self, field: Field) -> int | None:
        """The number of that field, at least this game's minimum: it may come from another game."""
        assert isinstance(field.kind, NumberKind)
        kept = self.value(field)
        if kept is None and callable(field.default):
            kept = field.default(self.rule_set)
        return None if kept is None else max(int(kept), field.kind.bounds(self.rule_set)[0])

    def is_usual(self, field: Field) -> bool:
        """Whether the field has the value of a new draft."""
        return bool(self.value(field) == WinDraft().value(field))

    def record(self, **changes: Any) -> WinDraft:
        """With these attributes changed; a field without an attribute goes into `extra`. Raises KeyError for
        others."""
        extra = {FIELDS[name].name: changes.pop(name) for name in changes.keys() - ATTRIBUTES}
        return replace(self, **changes, extra={**self.extra, **extra})

    def next_hand(self) -> WinDraft:
        """The same table before the next hand: everything about the last hand is reset."""
        new = WinDraft()
        forgotten = {field.attribute: new.value(field) for field in KEPT if not field.lasts}
        return replace(self, hand=new.hand, picture=new.picture, stated=None).record(**forgotten)

    def request(self) -> dict[str, object]:
        """The request for the score, with the fields that the game uses."""
        tiles = self._tiles()
        request = {
            field.name: None if self.is_overruled(field) else self._json(field) for field in KEPT
        } | tiles
        return {name: value for name, value in request.items() if FIELDS[name].used_by(self.rule_set)}

    @property
    def is_valid(self) -> bool:
        """Whether its values exist and are consistent, so that the window can have made it."""
        if self.rules not in RULE_SETS or not self.hand.is_valid:
            return False
        if self.currency is not None and find_problem(self.currency) is not None:
            return False
        try:
            for field in KEPT:
                field.kind.decode(field.name, self._json(field), self.rule_set)
        except RequestError:
            return False
        return True

    def _tiles(self) -> dict[str, object]:
        """The fields of the winner's tiles. Flowers that the game does not use count as tiles of the hand."""
        fields, winning = self.hand.fields(), self.winning
        if "flowers" not in self.rule_set.uses:
            fields["hand"] = f"{fields['hand']}{fields['flowers']}"
        return {**fields, "winning_tile": winning.code if winning else None}

    def is_overruled(self, field: Field) -> bool:
        """Whether another setting makes the field meaningless, so that its value is not sent."""
        if field.name == "from":
            return self.source is Source.SELF_DRAW
        return field.name == "fortune" and self.fixed_fortune is not None

    def _json(self, field: Field) -> object:
        """The value of a field as it is written in JSON."""
        kept = self.value(field)
        match field.kind:
            case HouseOptionsKind():
                return dict(kept)
            case StreakKind():
                return self.number(field)
            case WindKind():
                return WIND_NAMES[kept] if kept in range(len(WIND_NAMES)) else kept
            case DeclaredKongsKind():
                return [{"kind": kong.kind.value, "seat": kong.seat, "from": kong.discarder} for kong in kept]
            case StakesKind():
                agreed = self.agreed_stakes
                return None if agreed is None else {"base": agreed.base, "unit": agreed.unit}
            case BalancesKind():
                if kept == NO_BALANCES:
                    return None
                return [NUMBER_MAX if balance is None else balance for balance in kept]
            case _:
                return kept


ATTRIBUTES = frozenset(attribute.name for attribute in attributes_of(WinDraft))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The score, or one sentence about why it is not known yet."""

    score: Score | None = None
    problem: Sentence | None = None


def evaluate(draft: WinDraft) -> Outcome:
    """The score of `draft`, or the problem where its hand is incomplete or has unread tiles."""
    hand = draft.hand
    if not hand.tiles and not draft.by_flowers:
        return Outcome(problem=Sentence("Choose a picture of the winning hand, or add its tiles by hand."))
    unread = 0 if draft.by_flowers else sum(tile.code == UNKNOWN for tile in hand.free)
    if unread:
        return Outcome(
            problem=Sentence(
                "Unread tiles: {count}. Touch each one and choose what it is.", {"count": unread}
            )
        )
    try:
        return Outcome(score=score(decode_request(draft.request())))
    except CompanionError as error:
        return Outcome(problem=error.sentence)
