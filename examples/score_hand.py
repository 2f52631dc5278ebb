"""Scores a winning hand and prints every row, and what each player pays.

python examples/score_hand.py
"""

from __future__ import annotations

from companion.rules import Score, decode_request, score

REQUEST = {
    "rules": "hong_kong",
    "hand": "678s123m77z",
    "melds": ["p555z", "p666z"],
    "winning_tile": "8s",
    "winner": 1,
    "source": "discard",
    "from": 2,
}


def describe_score(result: Score) -> str:
    """The score in words. A hand that does not win has a reason in place of rows."""
    if not result.legal:
        return str(result.reason)
    rows = [f"{line.name} {line.name_zh}: {line.value}" for line in result.lines]
    return "\n".join([*rows, f"{result.value} {result.unit}, payments by seat {result.payments}"])


if __name__ == "__main__":
    print(describe_score(score(decode_request(REQUEST))))
