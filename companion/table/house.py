"""What a table has agreed on for a whole game: rule set, play, house options, stakes. Made once."""

from __future__ import annotations

from msgspec import Struct, to_builtins

from companion.errors import EventError, RequestError
from companion.rules import RuleSet, rule_set
from companion.rules.fields import FIELDS
from companion.rules.hand import Wild
from companion.rules.play import Length, Play, Policy, Rotation, WallRule
from companion.rules.profile import complete_settings
from companion.rules.request import check_stakes
from companion.rules.win import Options, Stakes
from companion.table import messages
from companion.table.events import GameStarted
from companion.tiles import MeldKind

SETTLED_FROM = 2
"""First version of the rules of play (rules/house_options.py) with the rulings S-01 to S-05."""
FIRST_WINNER_DEALT = 2
"""The version of the options in which a dealer had to be the first of several winners to deal again."""


class House(Struct, frozen=True):
    """The rules of a game at one table.

    options: every house option; scoring: those of them that the scoring table knows
    rotation, length: who deals next, and when the game is over
    seats: those that play. following: for each seat the next one that plays
    melds: the kinds that may be laid. copies: of each of the 42 kinds of tiles, as bytes
    may_owe: whether a player can have less than nothing
    policy: what the table allows and demands. flowers: whether the wall has flowers
    settled: whether the rulings S-01 to S-05 hold: not in a game that was begun before them
    first_winner_deals: whether a dealer who is one of several winners deals again only as the first of them
        (S-04 as it was in version 2), where the winner deals
    stakes: what a win costs. base, cap: as in the game's first event. practice: the number from which the
        walls of a practice game follow, None for a game at a real table
    """

    rules: RuleSet
    play: Play
    options: Options
    scoring: Options
    wall: WallRule
    rotation: Rotation
    length: Length
    policy: Policy
    seats: tuple[int, ...]
    following: tuple[int, int, int, int]
    melds: tuple[MeldKind, ...]
    copies: bytes
    may_owe: bool
    flowers: bool
    settled: bool
    first_winner_deals: bool
    stakes: Stakes
    base: int
    cap: int | None
    practice: int | None = None

    def wild(self, fortune: object = None) -> Wild | None:
        """The wildcards that this indicator makes; without one, those that are always wild."""
        return self.rules.wild(self.options, fortune)  # type: ignore[arg-type]

    def count_at_stakes(self, usual: float, payments: float = 1.0) -> float:
        """What payments of `usual` in all at the default stakes come to at this table. payments: how many."""
        stakes, point = self.stakes, self.rules.point
        return (stakes.base * payments + stakes.unit * usual / point) * self.base


def make_house(start: GameStarted) -> House:
    """The table's agreements; Raises EventError for a wrong rule set, option, stakes or base."""
    try:
        rules = rule_set(start.rules)
        options = complete_settings(rules, start.options, start.options_version)
        stakes = _read_stakes(rules, start.stakes, start.base)
    except RequestError as problem:
        raise EventError(messages.PROBLEM, problem=problem) from None
    if start.base < 1:
        raise EventError(messages.NO_BASE, base=start.base)
    play = rules.play
    wall = play.wall.with_options(options)
    seats = rules.seats(options)
    a, b, c, d = (next(s for s in (1, 2, 3, 4) if (seat + s) % 4 in seats) + seat for seat in range(4))
    return House(
        rules=rules,
        play=play,
        options=options,
        scoring={key: options[key] for key in rules.defaults},
        wall=wall,
        rotation=play.rotation(options),
        length=play.length(options),
        policy=play.policy(options),
        seats=seats,
        following=(a % 4, b % 4, c % 4, d % 4),
        melds=rules.allowed_melds(options),
        copies=bytes(wall.tile_set.copies),
        may_owe=play.may_owe or bool(rules.debt_option and options[rules.debt_option]),
        flowers=any(wall.tile_set.copies[34:]),
        settled=start.options_version is None or start.options_version >= SETTLED_FROM,
        first_winner_deals=start.options_version == FIRST_WINNER_DEALT,
        stakes=stakes,
        base=start.base,
        cap=start.cap or None,
        practice=start.practice,
    )


def _read_stakes(rules: RuleSet, given: Stakes | None, base: int) -> Stakes:
    """What a win costs at the table. RequestError if the game has no such stakes."""
    field = FIELDS["stakes"]
    stakes: Stakes = field.kind.decode(field.name, None if given is None else to_builtins(given), rules)
    check_stakes(rules, stakes, base)
    return stakes
