"""The stakes of a table: what a win costs each payer, as people state it.

"100底20台" is a base of 100 and a unit of 20: whoever pays for a win pays 100 + 20 × its tai (ruling P-02).
"""

from __future__ import annotations

from msgspec import Struct

from companion.sentences import Sentence, msgid


class Stakes(Struct, frozen=True, forbid_unknown_fields=True):
    """A payment is `base` + `unit` × the hand's value, joined with the rows of that payer. In points, whole
    numbers from 0; not both are 0.

    base: what a win costs beside its value, at a value of 0 too; only some games have it
    unit: what each point of the value costs
    """

    base: int = 0
    unit: int = 1


BASE, UNIT = "base", "unit"
"""The keys of stakes, as `RuleSet.stakes` names them."""
BASE_MEANING = "What a win costs each payer besides its value, even at a value of 0."
BASE_MEANING_ZH = "底：每家每次胡牌除牌面之外所付的分数，无台也付。"
UNIT_MEANINGS = {
    "zui": ("What one zui costs each payer.", "一嘴的价钱。"),
    "tai": ("What one tai costs each payer.", "一台的价钱。"),
    "fan": ("What one unit of a win's value costs each payer.", "牌值每一分的价钱。"),
    "multiplier": ("What a win of ×1 costs each payer.", "底分：×1 的牌每家所付的分数。"),
}
"""What the unit is, in English and Chinese, by what the game counts a hand's value in."""
UNIT_MEANING = ("What each point of a win's value costs each payer.", "牌值每一分的价钱。")
"""In a game with a unit of its own."""

STATED = {
    "zui": msgid("1 zui = {unit}"),
    "tai": msgid("{unit} per tai"),
    "fan": msgid("{unit} per unit"),
    "multiplier": msgid("{unit} for ×1"),
}
STATED_ELSE = msgid("{unit} per point")
STATED_WITH_BASE = {"tai": msgid("base {base}, {unit} per tai")}
STATED_WITH_BASE_ELSE = msgid("base {base}, {unit} per point")
"""The stakes as people state them, by what the game counts in."""
ALL = (*STATED.values(), STATED_ELSE, *STATED_WITH_BASE.values(), STATED_WITH_BASE_ELSE)
"""For translators."""


def describe_stakes(stakes: Stakes, unit: str) -> Sentence:
    """As people state them, in a game that counts in `unit`: 1 zui = 20; base 100, 20 per tai."""
    each = f"{stakes.unit:,}"
    if not stakes.base:
        return Sentence(STATED.get(unit, STATED_ELSE), {"unit": each})
    template = STATED_WITH_BASE.get(unit, STATED_WITH_BASE_ELSE)
    return Sentence(template, {"base": f"{stakes.base:,}", "unit": each})


def explain_stake(key: str, unit: str) -> tuple[str, str]:
    """What that key of the stakes means, in English and Chinese, in a game that counts in `unit`."""
    if key == BASE:
        return BASE_MEANING, BASE_MEANING_ZH
    return UNIT_MEANINGS.get(unit, UNIT_MEANING)
