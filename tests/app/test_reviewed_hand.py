"""What is said of a reviewed hand: what it cost, and what of it could not be rated."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from companion.app.coach.state import Replayed
from companion.app.coach.wording import sum_up_hand
from companion.coach.play.simulation import play
from companion.coach.results import Advised, Grade, RatedDecision
from companion.coach.words.wording import name_people
from companion.live.practice_hand import PERSON
from companion.sentences import Sentence
from companion.sheets.hands import Sheet, make_sheet
from companion.table.events import Discarded, GameStarted
from companion.tiles import KINDS
from companion.words import Language, Words

START = GameStarted(rules="hefei")


def make_decision(number: int, *, rated: bool, cost: float = 0.0) -> RatedDecision:
    did = Discarded(seat=0, tile="1m")
    chosen = Advised(did, None, 1, (), Sentence("why"), 0.0, 0.0, 0.1, 0.0) if rated else None
    grade = Grade.FINE if cost else Grade.BEST
    return RatedDecision(
        number=number, seat=0, person=0, tile=KINDS[0], did=did, chosen=chosen, best=chosen, cost=cost,
        share=0.0, grade=grade, deal_in=0.0, dealt_in=False, mistake=None, why=None, held=(), melds=(),
    )  # fmt: skip


def make_played(start: GameStarted, seed: int = 1) -> Sheet:
    """The sheet of a game of one hand."""
    played = next(play(start, 1, random.Random(seed)))
    return make_sheet([start, *(step.event for step in played.steps)])


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
def test_unrated_decisions_are_reported(rated: int, unrated: int, language: Language, said: str) -> None:
    replayed = Replayed(make_played(START), 0, 2, person=0)
    decisions = [make_decision(number, rated=number <= rated) for number in range(1, rated + unrated + 1)]
    replayed = replayed.add((0, 0), tuple(decisions), done=True)
    assert sum_up_hand(replayed, Words(language)) == said


@pytest.mark.parametrize(
    ("unrated", "language", "said"),
    [
        (0, Language.ENGLISH, "You made no mistake in this hand. Small mistakes cost 31 points."),
        (
            2, Language.ENGLISH,
            "You made no mistake in what could be rated. Small mistakes cost 31 points. 2"
            " discards are not rated: the tiles held then were not recorded.",
        ),
        (0, Language.SIMPLIFIED, "本家这一局没有失误。略差的选择共损失 31 分。"),
    ],
)  # fmt: skip
def test_sum_of_small_losses_is_reported(unrated: int, language: Language, said: str) -> None:
    decisions = [make_decision(number, rated=True, cost=10.4) for number in range(1, 4)]
    decisions += [make_decision(number, rated=False) for number in range(4, 4 + unrated)]
    replayed = Replayed(make_played(START), 0, 2, person=0).add((0, 0), tuple(decisions), done=True)
    assert sum_up_hand(replayed, Words(language)) == said


@pytest.mark.parametrize(
    ("cost", "language", "said"),
    [
        (0.0, Language.ENGLISH, "Nothing here was a mistake: {winner} drew the winning tile."),
        (
            10.4, Language.ENGLISH,
            "Nothing here was a mistake: {winner} drew the winning tile. Small mistakes cost 31"
            " points.",
        ),
        (0.0, Language.SIMPLIFIED, "这一局没有打错：{winner}自摸胡牌。"),
    ],
)  # fmt: skip
def test_a_hand_that_somebody_else_drew_says_so(cost: float, language: Language, said: str) -> None:
    sheets = (make_played(START, seed) for seed in range(1, 30))
    sheet = next(each for each in sheets if each.hands[0].wins and each.hands[0].wins[0].giver is None)
    winner = sheet.hands[0].wins[0].winner
    loser = next(person for person in range(4) if person != winner)
    decisions = tuple(make_decision(number, rated=True, cost=cost) for number in range(1, 4))
    words = Words(language)
    for person in (loser, winner):
        replayed = Replayed(sheet, 0, 2, person=person).add((0, person), decisions, done=True)
        found = sum_up_hand(replayed, words)
        expected = said.format(winner=name_people(sheet.names, words)[winner])
        assert (found == expected) is (person == loser)


def test_a_practice_game_is_reviewed_from_the_person_on() -> None:
    """Of other games the one who lost most comes first."""
    sheet = make_played(START)
    loser = min(range(4), key=lambda person: sheet.hands[0].points[person])
    assert loser != PERSON
    assert Replayed.begin(sheet, 0, 2).person == loser
    assert Replayed.begin(make_played(replace(START, practice=1)), 0, 2).person == PERSON
