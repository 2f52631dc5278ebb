"""House options: what a table may agree on where the rules leave a choice, and those that all games share."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.win import OptionValue

PENALTY_MAX = 1_000_000


@dataclass(frozen=True, slots=True)
class Option:
    """A house option. `values` are its settings, the default first, or a range where any number will do."""

    key: str
    default: OptionValue
    values: tuple[OptionValue, ...] | range
    meaning: str
    meaning_zh: str
    ruling: str

    def allows(self, value: object) -> bool:
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
        """The settings other than `value`; none where any number will do."""
        return () if isinstance(self.values, range) else tuple(v for v in self.values if v != value)


def switch(key: str, ruling: str, meaning: str, meaning_zh: str, *, default: bool = False) -> Option:
    """An option that is true or false."""
    return Option(key, default, (default, not default), meaning, meaning_zh, ruling)


WAIT_IGNORES_VISIBLE = switch(
    "wait_ignores_visible",
    "C-15",
    "A wait is counted by shape alone: a kind of which the player has all four copies counts as waited for.",
    "听牌只看牌形：自己已有四张的牌也算在听牌之内。",
)
FALSE_WIN_PENALTY = Option(
    "false_win_penalty",
    0,
    range(PENALTY_MAX + 1),
    "What a player who declares a win that is none pays to each opponent, times the base.",
    "诈胡者向其他每家赔付的分数（乘以底分）。",
    "C-17",
)
COMMON = (WAIT_IGNORES_VISIBLE, FALSE_WIN_PENALTY)
"""The options of every rule set; the scorer itself heeds them."""
