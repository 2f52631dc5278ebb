"""The row that a choice is explained by, and its payment."""

from companion.coach.described import describe_position
from companion.coach.words.wording import name_around, phrase
from companion.words import Language, Words
from tests.coach.asking import advise_in_steps

THREE_FAN = {"rules": "hong_kong", "options": {"min_fan": 3}, "seat": 1}


def describe_best(request: dict[str, object], language: Language = Language.ENGLISH) -> str:
    words, seen = Words(language), describe_position(request)
    *_, advice = advise_in_steps(request)
    return phrase(advice.choices[0].why, words, name_around(seen.state, seen.seat, words))


def test_a_row_that_a_discard_does_not_bring_is_said_of_the_self_drawn_win_alone() -> None:
    """A pung that is finished with a discard is no concealed one."""
    request: dict[str, object] = {
        "rules": "hong_kong", "seat": 1, "hand": "111m222p333s4455p1z", "left": 30,
    }  # fmt: skip
    said = "With Hidden Treasure it pays about 384 self-drawn; on a discard, without it, 16."
    assert describe_best(request).endswith(said)
    assert describe_best(request, Language.SIMPLIFIED).endswith("自摸约 384，别人点炮不算，约 16。")


def test_a_row_of_any_win_is_not_named_where_a_plain_win_is_refused() -> None:
    request = {**THREE_FAN, "hand": "1123456m55z66s", "melds": [[], ["c789m"], [], []], "left": 40}
    assert "No Flowers" not in describe_best(request)


def test_a_faster_choice_is_not_said_to_pay_less_where_it_pays_as_much() -> None:
    request = {**THREE_FAN, "hand": "1123456m55z66s", "melds": [[], ["c789m"], [], []], "left": 40}
    said = describe_best(request)
    assert said.count("pays about 18, self-drawn only") < 2


def test_a_far_hand_of_triplets_is_said_to_pay_what_it_does_with_one_claimed() -> None:
    """All four concealed and the last one drawn pays the limit, which hardly ever comes."""
    request = {"rules": "hong_kong", "seat": 1, "hand": "1233357m77799m79p2s", "left": 40}
    said = describe_best({**request, "hand": "1233357779m9m79p2s"})
    assert "384" not in said


def test_a_win_is_passed_up_for_a_row_that_it_has_not() -> None:
    """Who gives a certain win away wants to know what for."""
    request: dict[str, object] = {"rules": "hangzhou", "fortune": "9s", "seat": 1, "left": 50}
    for hand, pay, more in (("234m567p99s12344p8p", 4, 8), ("1133m5577p2288s9s6z", 8, 16)):
        said = describe_best({**request, "hand": hand})
        assert said.startswith(f"This passes up a win of {pay} points: continuing wins 98% of the time")
        assert said.endswith(f" With Explosive Pair it pays about {more}, self-drawn only.")


def test_a_win_on_a_discard_may_be_passed_up_for_what_the_same_pays_self_drawn() -> None:
    request: dict[str, object] = {
        "rules": "taiwanese", "seat": 1, "hand": "112233m445566p7788s", "left": 40,
        "rivers": [["7s"], [], [], []], "offer": {"tile": "7s", "from": 0},
    }  # fmt: skip
    said = describe_best(request)
    assert said.startswith("This passes up a win of 35 points: continuing wins 60% of the time")
    assert said.endswith(" It pays about 112 self-drawn, 35 on a discard.")


def test_a_row_that_lies_open_already_is_no_reason() -> None:
    request = {
        "rules": "taiwanese", "seat": 1, "hand": "23m456p22p789s1z", "left": 40,
        "melds": [[], ["p555z", "c123s"], [], []],
    }  # fmt: skip
    assert describe_best(request).startswith(
        "Ready: 8 tiles complete the hand (1 and 4 characters). The call adds 1 "
    )


def test_a_faster_choice_that_is_nearer_says_so() -> None:
    """Four tiles that complete a hand are not faster than 34 that bring another nearer, by their number."""
    request = {"rules": "hebei", "seat": 1, "hand": "8m1123456677p456s", "left": 40}
    assert "Discarding 8 characters is faster (ready, 7 tiles), but pays about" in describe_best(request)
