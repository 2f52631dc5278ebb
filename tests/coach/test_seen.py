"""What a seat sees, and what is left, against the simulator's truth; and open tiles of unknown players."""

from __future__ import annotations

import random

import pytest

from companion.coach.advice import make_coach
from companion.coach.described import describe_position
from companion.coach.play.simulation import play
from companion.coach.seen import SeatView, count_left, is_least, name_left, observe
from companion.coach.value.choices import find_win
from companion.coach.value.danger import read_signs
from companion.coach.words.reasons import explain_safety
from companion.errors import RequestError
from companion.rules import RULE_SETS
from companion.table.events import Discarded, GameStarted
from companion.table.state import State
from companion.tiles import MeldKind, Tile


def count_truly(state: State, seat: int) -> list[int]:
    """How many tiles of each kind the seat sees, from all tiles of a state of which everything is known."""
    hand = state.hand
    assert hand is not None
    seen = [0] * 42
    for place, player in enumerate(hand.players):
        if place == seat or player.shown:
            for tile in player.concealed:
                seen[tile.index] += 1
        for tile in (*player.flowers, *player.discards):
            assert tile is not None
            seen[tile.index] += 1
        for laid in player.melds:
            assert laid.meld is not None
            hidden = laid.kind is MeldKind.KONG_CONCEALED and not state.house.policy.kongs.public
            if not hidden or place == seat or player.shown:
                wild = state.house.wild(hand.fortune)
                for tile in laid.meld.tiles:
                    real = tile
                    if wild is not None and wild.substitute is not None and tile is wild.tile:
                        real = wild.substitute
                    seen[real.index] += 1
    if hand.indicator is not None:
        seen[hand.indicator.index] += 1
    return seen


@pytest.mark.parametrize("rules", RULE_SETS)
def test_counts_are_true_in_every_state(rules: str, played_hands: int) -> None:
    states = 0
    for played in play(GameStarted(rules=rules), played_hands, random.Random(f"seen {rules}")):
        for step in played.steps[1:]:
            if not step.state.playing:
                continue
            for seat in step.state.house.seats:
                seen = observe(step.state, seat)
                assert list(seen.hand.known) == count_truly(step.state, seat), step.event
                assert not is_least(seen)
                total = sum(step.state.house.copies)
                assert sum(count_left(seen)) + sum(seen.hand.known) == total
                states += 1
    assert states > 100 * played_hands


def position(**given: object) -> dict[str, object]:
    return {"rules": "hebei", "seat": 1, "hand": "2345m88m345p678s1z5z", **given}


def test_tiles_of_a_request_are_counted() -> None:
    seen = describe_position(
        position(melds=[["p222s", "K"], [], [], []], rivers=[["8m", "8m?"], [], ["1z1z"], []], left=40)
    )
    left = name_left(seen)
    assert (left["8m"], left["1z"], left["2s"], left["9p"]) == (0, 1, 1, 4)
    assert is_least(seen)
    assert not is_least(describe_position(position()))


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({"hand": "2345m88m345p678s1z"}, "hand", "13 concealed tiles"),
        ({"rivers": [["8m8m8m"], [], [], []]}, "rivers", "5 copies of '8m'"),
        ({"rules": "hefei"}, "hand", "not a tile of Hefei"),
        ({"rivers": []}, "rivers", "a list of four"),
        ({"seat": 4}, "seat", "a seat, 0 to 3"),
        ({"melds": [["c123z"], [], [], []]}, "melds", "c123z"),
        ({"offer": {"tile": "7m", "from": 1}}, "offer", "another player's"),
        ({"offer": {"tile": "7m", "from": 0}}, "offer", "not the last"),
        ({"left": 1000}, "left", "no more tiles can be drawn"),
        ({"hnd": "1m"}, "hnd", "did you mean"),
        ({"options": {"x": 1}}, "options", "'x'"),
    ],
)
def test_error_is_one_sentence(given: dict[str, object], field: str, words: str) -> None:
    with pytest.raises(RequestError, match=words) as refused:
        describe_position(position(**given))
    assert refused.value.field == field


HAND = "2345m88m345p678s1z5z"


def see(**given: object) -> SeatView:
    return describe_position({"rules": "hebei", "seat": 1, "hand": HAND, **given})


def count_left_to_draw(**given: object) -> int:
    return see(**given).hand.wall.live_left


def test_open_tiles_can_no_longer_come() -> None:
    left = name_left(see(seen="1m 5m5m7z"))
    assert (left["1m"], left["5m"], left["7z"], left["9m"]) == (3, 1, 3, 4)
    assert not is_least(see(seen="1m5m5m7z"))


def test_with_unread_tiles_the_count_is_the_most_that_can_come() -> None:
    seen = see(seen="1m??")
    assert name_left(seen)["1m"] == 3
    assert is_least(seen)


def test_fewer_tiles_are_left_to_draw_unless_the_request_has_the_number() -> None:
    """Of five tiles that lie open four were drawn; of discards all."""
    bare, ten = count_left_to_draw(), "1m5m5m7z9p9p1s1s??"
    assert count_left_to_draw(seen="1m") == bare - 1
    assert count_left_to_draw(seen=ten) == bare - 8
    assert count_left_to_draw(seen=ten, rivers=[["9s"], [], [], []]) == bare - 9
    assert count_left_to_draw(seen=ten, left=40) == 40
    others = [[], [], ["p222p"], []]
    assert count_left_to_draw(seen=ten, melds=others) == count_left_to_draw(melds=others) - 10


def test_an_open_wait_is_worth_less() -> None:
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
def test_wrong_open_tiles_are_refused_in_one_sentence(given: dict[str, object], said: str) -> None:
    with pytest.raises(RequestError) as refused:
        see(**given)
    assert refused.value.field == "seen"
    assert said in str(refused.value)
