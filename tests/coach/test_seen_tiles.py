"""Tiles that lie open and of which nobody says whose they are: they count, and speak of no player."""

from __future__ import annotations

import pytest

from companion.coach.advice import make_coach
from companion.coach.described import describe_position
from companion.coach.seen import SeatView, is_least, name_left
from companion.coach.value.choices import find_win
from companion.coach.value.danger import read_signs
from companion.coach.words.reasons import explain_safety
from companion.errors import RequestError
from companion.table.events import Discarded
from companion.tiles import Tile

HAND = "2345m88m345p678s1z5z"


def see(**given: object) -> SeatView:
    return describe_position({"rules": "hebei", "seat": 1, "hand": HAND, **given})


def count_left_to_draw(**given: object) -> int:
    return see(**given).hand.wall.live_left


def test_they_are_no_longer_to_come() -> None:
    left = name_left(see(seen="1m 5m5m7z"))
    assert (left["1m"], left["5m"], left["7z"], left["9m"]) == (3, 1, 3, 4)
    assert not is_least(see(seen="1m5m5m7z"))


def test_of_tiles_that_were_not_read_what_is_left_is_the_most_that_can_come() -> None:
    seen = see(seen="1m??")
    assert name_left(seen)["1m"] == 3
    assert is_least(seen)


def test_fewer_tiles_are_left_to_draw_unless_that_is_said() -> None:
    """Of five tiles that lie open four were drawn; of discards all."""
    bare, ten = count_left_to_draw(), "1m5m5m7z9p9p1s1s??"
    assert count_left_to_draw(seen="1m") == bare - 1
    assert count_left_to_draw(seen=ten) == bare - 8
    assert count_left_to_draw(seen=ten, rivers=[["9s"], [], [], []]) == bare - 9
    assert count_left_to_draw(seen=ten, left=40) == 40
    others = [[], [], ["p222p"], []]
    assert count_left_to_draw(seen=ten, melds=others) == count_left_to_draw(melds=others) - 10


def test_a_wait_that_lies_open_is_worth_less() -> None:
    """2m and 5m are waited for after 1z; with all but one of them seen, the hand is worth less."""

    def advise(seen: str) -> tuple[int, float]:
        position = see(hand="34m88m345p678s111z5z", seen=seen, left=50)
        *_, advice = make_coach(position.state.house).advise(position)
        best = next(each for each in advice.choices if each.do == Discarded(seat=1, tile="5z"))
        assert best.value is not None
        return sum(each.unseen for each in best.useful), best.value

    (many, worth), (few, less) = advise(""), advise("2222m555m")
    assert (many, few) == (8, 1)
    assert less < worth


def test_they_are_visible_and_nobodys_discards() -> None:
    east = Tile.parse("1z")
    lying, discarded = see(seen="1z1z"), see(rivers=[[], [], ["1z1z"], []])
    assert read_signs(lying, east, 2).visible == read_signs(discarded, east, 2).visible == 3
    assert read_signs(lying, east, 2).passed == 0
    assert read_signs(discarded, east, 2).passed > 0
    safe = explain_safety(lying, east)
    assert safe is not None
    assert "seat" not in safe.params
    for seat in (0, 2, 3):
        assert not lying.hand.players[seat].discards


def test_no_win_of_the_first_turn_is_guessed() -> None:
    hand = "123m456p789s11155z"
    fresh = find_win(describe_position({"rules": "hong_kong", "hand": hand}))
    later = find_win(describe_position({"rules": "hong_kong", "hand": hand, "seen": "9m"}))
    assert (fresh, later) == (384, 24)  # HK-26


def test_flowers_count_where_the_game_has_them() -> None:
    left = name_left(see(rules="hong_kong", seen="1m3f", flowers=["1f", "", "", ""]))
    assert (left["3f"], left["1f"], left["2f"]) == (0, 0, 1)


def test_the_indicator_among_them_counts_once() -> None:
    """It lies open, and is no tile that can come anyway."""
    fields = {"rules": "hangzhou", "hand": HAND, "fortune": "9m"}

    def count(seen: str) -> int:
        return name_left(describe_position({**fields, "seen": seen}))["9m"]

    assert (count(""), count("9m"), count("9m9m")) == (3, 3, 2)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"seen": [1]}, 'seen must be tiles as text, as "234m55z", or a list of codes, not'),
        ({"seen": "1m0m"}, "seen: "),
        ({"seen": "8m8m8m"}, "seen would make 5 copies of '8m' on the table: this game has 4."),
        ({"seen": "8m", "rivers": [["8m"], ["8m"], [], []]}, "seen would make 5 copies of '8m'"),
        ({"seen": "1f"}, "seen holds '1f', which is not a tile of Hebei."),
        ({"rules": "hong_kong", "seen": "1f1f"}, "seen would make 2 copies of '1f'"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(given: dict[str, object], said: str) -> None:
    with pytest.raises(RequestError) as refused:
        see(**given)
    assert refused.value.field == "seen"
    assert said in str(refused.value)
