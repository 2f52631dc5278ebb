"""What a table has agreed on for a whole game: rule set, play, house options, base. Made once."""

from __future__ import annotations

from msgspec import Struct

from companion.errors import EventError, RequestError
from companion.rules import RuleSet, rule_set
from companion.rules.house_options import house_settings
from companion.rules.play import Length, Play, Rotation, WallRule
from companion.rules.win import Options, Wild
from companion.table import messages
from companion.table.events import GameStarted
from companion.tiles import MeldKind

SAME_TILE, NO_RESTRICTION = "same_tile_until_next_draw", "none"
"""Settings of the house option missed_win."""
SETTLED_FROM = 2
"""From this version of how games are played on (rules/house_options.py) the rulings S-01 to S-05 hold."""


class House(Struct, frozen=True):
    """The rules of a game at one table.

    options: every house option; scoring: those of them that the scoring table knows
    rotation, length: who deals next, and when the game is over
    seats: those that play. following: for each seat the next one that plays
    melds: the kinds that may be laid. copies: of each of the 42 kinds of tiles, as bytes
    may_owe: whether a player can have less than nothing
    flowers, ready, gambits: whether flowers are set out, ready hands declared, Fortunes gambled (HZ-08)
    settled: whether the rulings S-01 to S-05 hold: not in a game that was begun before them
    missed_win, missed_ruling: what passing up a win costs, and what says so. max_chows: of one player
    base, cap: as in the game's first event
    """

    rules: RuleSet
    play: Play
    options: Options
    scoring: Options
    wall: WallRule
    rotation: Rotation
    length: Length
    seats: tuple[int, ...]
    following: tuple[int, int, int, int]
    melds: tuple[MeldKind, ...]
    copies: bytes
    may_owe: bool
    flowers: bool
    ready: bool
    gambits: bool
    settled: bool
    missed_win: str
    missed_ruling: str
    max_chows: int
    base: int
    cap: int | None

    def on(self, key: str) -> bool:
        """Whether that switch is on; one that the game does not have is off."""
        return bool(self.options.get(key))

    def wild(self, fortune: object = None) -> Wild | None:
        """The wildcards where the indicator gives that kind; without one, those that always are wild."""
        return self.rules.wild(self.options, fortune)  # type: ignore[arg-type]


def house_of(start: GameStarted) -> House:
    """The table's agreements; EventError where the rule set, an option, or the base is none."""
    try:
        rules = rule_set(start.rules)
        options = house_settings(rules, start.options, start.options_version)
    except RequestError as problem:
        raise EventError(messages.PROBLEM, problem=problem) from None
    if start.base < 1:
        raise EventError(messages.NO_BASE, base=start.base)
    play = rules.play
    wall = play.wall.under(options)
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
        seats=seats,
        following=(a % 4, b % 4, c % 4, d % 4),
        melds=rules.allowed_melds(options),
        copies=bytes(wall.tile_set.copies),
        may_owe=play.may_owe or bool(rules.debt_option and options[rules.debt_option]),
        flowers=any(wall.tile_set.copies[34:]),
        ready=any(situation.id == "ready" for situation in rules.situations),
        gambits="gambits" in rules.uses,
        settled=start.options_version is None or start.options_version >= SETTLED_FROM,
        missed_win=str(options["missed_win"]),
        missed_ruling=next(option.ruling for option in play.options if option.key == "missed_win"),
        max_chows=int(options.get("max_chows", rules.sets)),
        base=start.base,
        cap=start.cap or None,
    )
