"""Tiles as the coach names them: those of a suit together."""

import pytest

from companion.coach.results import Advised
from companion.coach.words.wording import describe_best, phrase
from companion.sentences import Sentence
from companion.table.events import Claimed
from companion.tiles import Tile
from companion.words import Language, Words


@pytest.mark.parametrize(
    ("codes", "english", "chinese"),
    [
        ("4p", "4 dots", "四筒"),
        ("1m 4m", "1 and 4 characters", "一四万"),
        ("1m 4m 7m 5s 3z 5z", "1, 4 and 7 characters, 5 bamboo, West, White", "一四七万、五条、西、白板"),
        ("1m 2m 3m 4m 5m 8m", "1–5 and 8 characters", "一二三四五八万"),
        ("3s 4s 5s", "3, 4 and 5 bamboo", "三四五条"),
        ("1m 9m 1p 9p 1s 9s 1z 2z 3z 4z",
         "1 and 9 characters, 1 and 9 dots, 1 and 9 bamboo, East, South, West …",
         "一九万、一九筒、一九条、东、南、西 …"),
    ],
)  # fmt: skip
def test_tiles_of_a_suit_are_named_together(codes: str, english: str, chinese: str) -> None:
    sentence = Sentence("{tiles}", {"tiles": codes})
    assert phrase(sentence, Words(Language.ENGLISH)) == english
    assert phrase(sentence, Words(Language.SIMPLIFIED)) == chinese


def test_better_of_two_chows_is_named() -> None:
    chow = Advised(Claimed(seat=0, meld="c456p"), Tile.parse("9p"), 0, (), Sentence(""))
    said = describe_best(chow, "Ready.", Words(Language.ENGLISH))
    assert said == "Chow of 4, 5 and 6 dots, then discard: 9 dots. Ready."
