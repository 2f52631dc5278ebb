"""What the coach answers and when it stops: without a window."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from companion.app.coach.state import CoachState
from companion.app.coach.thinking import Advisor, Answer, AskHand, KeptCoach
from companion.app.coach.wording import describe_first
from companion.app.news import AdviceWanted, FairGameSet
from companion.app.thinker import Thinker
from companion.coach.declared import DeclaredHand, StoredHand
from companion.coach.results import Level
from companion.table.events import Discarded
from companion.tiles import KINDS
from companion.words import Language, Words

HAND = {"rules": "hebei", "hand": "2345m88m345p678s1z5z", "melds": [], "options": {}}
WAIT_S = 60.0


def answer(level: Level = Level.FULL, **fields: object) -> list[Answer]:
    return list(Advisor().answer(AskHand({**HAND, **fields}, level), lambda: False))


def test_answers_get_better_and_the_last_says_so() -> None:
    found = answer()
    assert found[0].advice is not None
    assert found[0].advice.choices[0].value is None
    assert found[-1].advice is not None
    best = found[-1].advice.choices[0]
    assert best.value is not None
    assert isinstance(best.do, Discarded)
    assert [each.final for each in found] == [False] * (len(found) - 1) + [True]
    assert {each.code for each in found[-1].dangers} == set(found[-1].tiles)


@pytest.mark.parametrize("hand", ["2345m88m345p678s1z5z", "2345m88m345p678s1z"])
def test_tiles_on_the_table_are_not_counted_as_left(hand: str) -> None:
    """Also where the hand is one between turns, and nothing is to be decided."""
    bare, found = answer(hand=hand)[-1], answer(hand=hand, seen="5m5m1z9s?")[-1]
    assert bare.left is not None
    assert found.left is not None
    gone = {code: bare.left[code] - left for code, left in found.left.items() if left != bare.left[code]}
    assert gone == {"5m": 2, "1z": 1, "9s": 1}
    assert (bare.at_least, found.at_least) == (False, True)


def test_more_copies_than_there_are_between_hand_melds_and_table_are_refused() -> None:
    [found] = answer(hand="2345m88m345p1z5z", melds=["p777s"], seen="7s7s")
    assert str(found.trouble) == "5 of 7s in this hand and on the table, but there are only 4."


def test_levels_say_less() -> None:
    [left] = answer(Level.LEFT)
    assert left.advice is None
    assert left.left is not None
    assert left.left["8m"] == 2
    shape = answer(Level.SHAPE)[-1]
    assert shape.advice is not None
    assert shape.advice.choices[0].value is None
    assert not shape.dangers


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"hand": "2345m88m345p678s"},
            "12 concealed tiles entered. A hand has 14 besides its melds, or 13",
        ),
        ({"hand": "11111m88m345p678s1z"}, "5 of 1m in this hand and on the table, but there are only 4."),
        ({"rules": "hefei", "hand": "2345m88m345p678s1z5z"}, "1z is not in this game."),
        ({"rules": "hangzhou", "hand": "2345m88m345p678s1z5z"}, "Enter the Fortune tile first"),
    ],
)
def test_impossible_hand_gets_one_sentence(fields: dict[str, object], said: str) -> None:
    [found] = answer(**fields)
    assert found.trouble is not None
    assert said in str(found.trouble)


def test_a_newer_question_ends_the_one_before() -> None:
    posted: list[Callable[[], None]] = []
    thinker: Thinker[str] = Thinker(posted.append, "test")
    running, reported = threading.Event(), []

    def endless(stop: Callable[[], bool]) -> Iterator[str]:
        running.set()
        while not stop():
            time.sleep(0.001)
        yield "old"

    def short(stop: Callable[[], bool]) -> Iterator[str]:
        yield "new"

    thinker.begin(endless, reported.append)
    assert running.wait(WAIT_S)
    thinker.begin(short, reported.append)
    thinker.close()
    for step in posted:
        step()
    assert "old" not in reported
    assert not [thread for thread in threading.enumerate() if thread.name == "test" and thread.is_alive()]


def test_fair_game_asks_the_coach_nothing() -> None:
    asked = CoachState().on_news(AdviceWanted(HAND))
    assert asked.question is not None
    fair = asked.on_news(FairGameSet(True))
    assert fair.question is None
    assert fair.on_news(AdviceWanted(HAND)).question is None
    assert not fair.bar_buttons


def test_told_hands_are_kept_and_what_cannot_be_is_not() -> None:
    declared = DeclaredHand(1, 7, (KINDS[3], KINDS[5]), ((9, KINDS[8]),))
    kept = CoachState(on=True, declared=(declared,), declared_in="friday").kept
    assert kept.is_valid
    assert CoachState.restore(kept).declared == (declared,)
    assert not KeptCoach(declared=(StoredHand(1, 7, ("9q",)),)).is_valid
    assert not KeptCoach(declared=(StoredHand(7, 7, ("9m",)),)).is_valid


@pytest.mark.parametrize(
    ("flower", "said"),
    [
        ("1f", "Ready: 8 tiles complete the hand (5 and 8 bamboo), self-drawn only."),
        ("2f", ". No tile wins yet: The hand is worth 2 fan, and a win takes 3 at least."),
    ],
)
def test_a_hand_between_turns_stands_as_the_table_lets_it_win(flower: str, said: str) -> None:
    """With the own flower a self-drawn tile brings the third fan; without it no tile does."""
    hand = {"rules": "hong_kong", "hand": "234m567m88p345p67s", "flowers": flower}
    [found] = answer(**hand, options={"min_fan": 3})
    assert said in describe_first(found, Words(Language.ENGLISH), ())
    [plain] = answer(**hand)
    assert describe_first(plain, Words(Language.ENGLISH), ()) == "Ready: 8 tiles win."
