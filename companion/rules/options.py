"""House options: what a table may agree on where the rules leave a choice, and those that all games share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeGuard

from companion.errors import RequestError, list_names, quote
from companion.rules import messages
from companion.rules.win import OptionValue

PENALTY_MAX = 1_000_000


@dataclass(frozen=True, slots=True)
class Option:
    """A house option. `values` are its settings, the default first, or a range where any number will do.

    An option that is added once profiles have been saved (profile.py) says by `since` in which version of the
    game's options it came, and by `before` under which setting hands are scored as they were until then,
    where that is not the default.
    """

    key: str
    default: OptionValue
    values: tuple[OptionValue, ...] | range
    meaning: str
    meaning_zh: str
    ruling: str
    since: int = 1
    before: OptionValue | None = None

    def allows(self, value: object) -> TypeGuard[OptionValue]:
        """Whether `value` is one of its settings; true is not 1."""
        return type(value) is type(self.default) and value in self.values

    @property
    def allowed(self) -> str:
        """Its settings in words, as they are written in JSON."""
        if isinstance(self.values, range):
            return f"a whole number from {self.values[0]} to {self.values[-1]}"
        return " or ".join(
            str(value).lower() if isinstance(value, bool) else str(value) for value in self.values
        )

    def alternatives(self, value: OptionValue) -> tuple[OptionValue, ...]:
        """The settings other than `value`; none if any number will do."""
        return () if isinstance(self.values, range) else tuple(v for v in self.values if v != value)


def settings(
    options: Iterable[Option], given: Mapping[str, object], title: str, field: str = "options"
) -> dict[str, OptionValue]:
    """The settings in `given`; Raises RequestError for another option; `title` names the game, `field` where
    they were given."""
    known = {option.key: option for option in options}
    found: dict[str, OptionValue] = {}
    for key, value in given.items():
        if key not in known:
            raise RequestError(
                messages.UNKNOWN_OPTION,
                field=field, given=quote(key), rules=title, allowed=list_names(key, known),
            )  # fmt: skip
        if not known[key].allows(value):
            allowed = known[key].allowed
            raise RequestError(
                messages.WRONG_TYPE, field=f"{field}.{key}", allowed=allowed, value=quote(value)
            )
        found[key] = value
    return found


def switch(
    key: str, ruling: str, meaning: str, meaning_zh: str, *, default: bool = False, since: int = 1
) -> Option:
    """An option that is true or false."""
    return Option(
        key=key,
        default=default,
        values=(default, not default),
        meaning=meaning,
        meaning_zh=meaning_zh,
        ruling=ruling,
        since=since,
    )


WAIT_IGNORES_VISIBLE = switch(
    key="wait_ignores_visible",
    ruling="C-15",
    meaning=(
        "A wait is counted by shape alone: a kind of which the player has all four copies counts"
        " as waited for."
    ),
    meaning_zh="听牌只看牌形：自己已有四张的牌也算在听牌之内。",
)
FALSE_WIN_PENALTY = Option(
    key="false_win_penalty",
    default=0,
    values=range(PENALTY_MAX + 1),
    meaning=(
        "What a player who declares a false win pays to each opponent, in points, times the base; what a tai"
        " or another unit costs does not change it."
    ),
    meaning_zh="诈胡者向其他每家赔付的分数（乘以底分，与每台、每番等的价钱无关）。",
    ruling="C-17",
)
COMMON = (WAIT_IGNORES_VISIBLE, FALSE_WIN_PENALTY)
"""The options of every rule set; the scorer itself heeds them."""
