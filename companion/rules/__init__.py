"""What a win is and what it is worth. Pure: requests in, scores out; no file, no clock, no picture.

score_json(score(decode_request({"rules": "hefei", "hand": "234567m88m345p678s", ...})))
"""

from companion.rules import messages
from companion.rules.hand import Group, GroupKind
from companion.rules.options import Option
from companion.rules.registry import RULE_SETS, rule_set
from companion.rules.request import ScoreQuestion, decode_question, decode_request
from companion.rules.result import answer_json, describe, score_json, score_line
from companion.rules.rule_set import Cash, Pattern, PayerPattern, RuleSet, ScoreLine, Share, Situation
from companion.rules.scoring import HouseRule, Score, score
from companion.rules.waiting import shanten, useful_tiles, waits
from companion.rules.win import HandReading, OptionValue, Reason, ScoreRequest, Source

TEMPLATES: tuple[str, ...] = (
    *messages.ALL,
    *(sentence for rules in RULE_SETS.values() for sentence in rules.sentences),
)
"""Every sentence of this floor that a person may see, for translators."""

__all__ = [
    "RULE_SETS",
    "TEMPLATES",
    "Cash",
    "Group",
    "GroupKind",
    "HandReading",
    "HouseRule",
    "Option",
    "OptionValue",
    "Pattern",
    "PayerPattern",
    "Reason",
    "RuleSet",
    "Score",
    "ScoreLine",
    "ScoreQuestion",
    "ScoreRequest",
    "Share",
    "Situation",
    "Source",
    "answer_json",
    "decode_question",
    "decode_request",
    "describe",
    "rule_set",
    "score",
    "score_json",
    "score_line",
    "shanten",
    "useful_tiles",
    "waits",
]
