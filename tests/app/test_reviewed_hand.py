"""What is said of a reviewed hand: what it cost, and what of it could not be rated."""

from __future__ import annotations

import random

import pytest

from companion.app.coach.replayed import Replayed
from companion.app.coach.wording import sum_up_hand
from companion.coach.advice import Advised
from companion.coach.review import Decision, Grade
from companion.coach.simulation import play
from companion.sentences import Sentence
from companion.sheets.hands import make_sheet
from companion.table.events import Discarded, GameStarted
from companion.tiles import KINDS
from companion.words import Language, Words

START = GameStarted(rules="hefei")


def make_decision(number: int, *, rated: bool) -> Decision:
    did = Discarded(seat=0, tile="1m")
    chosen = Advised(did, None, 1, (), Sentence("why"), 0.0, 0.0, 0.1, 0.0) if rated else None
    return Decision(
        number=number, seat=0, person=0, tile=KINDS[0], did=did, chosen=chosen, best=chosen, cost=0.0,
        share=0.0, grade=Grade.BEST, deal_in=0.0, dealt_in=False, mistake=None, why=None, held=(), melds=(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rated", "unrated", "language", "said"),
    [
        (3, 0, Language.ENGLISH, "You made no mistake in this hand."),
        (
            3, 9, Language.ENGLISH,
            "You made no mistake in what could be rated. 9 discards are not rated: the tiles held then were"
            " not recorded.",
        ),
        (
            3, 1, Language.ENGLISH,
            "You made no mistake in what could be rated. 1 discard is not rated: the tiles held then were"
            " not recorded.",
        ),
        (
            3, 9, Language.SIMPLIFIED,
            "本家在能评的选择里没有失误。另有 9 次打牌没有评分：当时的手牌没有记录。",
        ),
    ],
)  # fmt: skip
def test_what_could_not_be_rated_is_said(rated: int, unrated: int, language: Language, said: str) -> None:
    played = next(play(START, 1, random.Random(1)))
    sheet = make_sheet([START, *(step.event for step in played.steps)])
    replayed = Replayed(sheet, 0, 2, person=0)
    decisions = [make_decision(number, rated=number <= rated) for number in range(1, rated + unrated + 1)]
    replayed = replayed.add((0, 0), tuple(decisions), done=True)
    assert sum_up_hand(replayed, Words(language)) == said
