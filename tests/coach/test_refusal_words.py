"""The sentences where a table refuses hands of a winning shape: which, why, and what would do."""

from typing import Any

import pytest

from companion.coach.words.wording import phrase
from companion.words import Language, Words
from tests.coach.asking import advise_in_steps

THREE_FAN = {"rules": "hong_kong", "options": {"min_fan": 3}, "seat": 1, "left": 60}
PUNG = "222m888m345p67s16p2z"
"""Two from ready with a pung of South, one by the shape alone."""


def ask(hand: str, language: Language = Language.ENGLISH, **more: Any) -> str:
    """What is said of the best choice."""
    *_, advice = advise_in_steps({**THREE_FAN, "hand": hand, **more})
    return phrase(advice.choices[0].why, Words(language))


def test_a_ready_hand_names_a_refused_tile_and_the_reason() -> None:
    assert ask("234m88m345p678s1z55z") == (
        "Ready: 2 tiles complete the hand (White), self-drawn only. 8 characters completes the hand, but does"
        " not win: The hand is worth 2 fan, and a win takes 3 at least."
    )


def test_waits_that_win_only_self_drawn_are_listed() -> None:
    said = ask("234m88m345p678s1z55z", options={}, flowers=["", "1f", "", ""])
    assert said.startswith(
        "Ready: 4 tiles complete the hand (8 characters, White). Self-drawn only: 8 characters."
    )


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (Language.ENGLISH, "a win takes 3 at least. It would win with a pung of South."),
        (Language.SIMPLIFIED, "也不能胡：这手牌只有 2 番，起胡为 3 番。有南的刻子就能胡。"),
        (
            Language.TRADITIONAL,
            "也不能胡：這手牌只有 2 番，起胡為 3 番。有南的刻子就能胡。",
        ),
    ],
)
def test_a_hand_nearer_to_a_shape_than_to_a_win_names_what_would_do(language: Language, said: str) -> None:
    assert ask(PUNG, language).endswith(said)


def test_shape_level_answer_names_it_too() -> None:
    assert ask(PUNG, level="shape").endswith("a win takes 3 at least. It would win with a pung of South.")
    assert "would do" not in ask(PUNG, level="shape", options={})


def test_two_pungs_are_named_where_one_is_too_little() -> None:
    given = {"melds": [[], ["c234m", "c678s"], [], []], "flowers": ["", "1f", "", ""]}
    assert ask("55m445p1z66z", **given).endswith("It would win with pungs of these: East, Green.")


def test_all_equivalent_pungs_are_named() -> None:
    said = ask("234m567m88p345p67s9m", level="shape", flowers=["", "1f", "", ""])
    assert said.endswith("It would win with pungs of two of these: East, South, White, Green, Red.")


def test_a_ready_shape_without_a_winning_tile_states_it() -> None:
    said = ask(
        "234m888m345p68s15z9s",
        rules="hangzhou", options={"fortune_must_explode": True}, fortune="9s",
    )  # fmt: skip
    assert said.startswith("1 from ready: 6 tiles bring it nearer (7 and 9 bamboo). No tile wins yet: ")


def test_a_table_without_refusals_adds_no_sentence() -> None:
    assert "would do" not in ask(PUNG, options={})


def test_a_hand_that_can_no_longer_win_explains_why() -> None:
    given = {"melds": [[], ["c234m", "c345p", "p888s"], [], []], "flowers": ["", "1f", "", ""]}
    said = ask("55m45p1z", **given)
    assert said.startswith(
        "The hand is hardly worth continuing, and no other tile is safer. No tile wins yet: "
    )


@pytest.mark.parametrize("hand", ["234m567m88p345p678s", "234m567m88p345p67s1z"])
def test_a_winning_shape_given_up_explains_why_it_does_not_win(hand: str) -> None:
    """Five useful tiles are far off; that it looks finished, or ready, is what its player asks about."""
    given = {"flowers": ["", "1f", "", ""], "left": 50}
    assert ask(hand, **given).startswith(
        "The hand is hardly worth continuing, and no other tile is safer. No tile wins yet: The hand is"
        " worth 2 fan, and a win takes 3 at least."
    )
    assert "No tile wins" not in ask(hand, options={}, **given)


def test_safety_comes_before_the_reason_why_no_tile_wins() -> None:
    """Else it would not be clear of which tile it speaks."""
    given = {"flowers": ["", "1f", "", ""], "left": 50, "seen": "111z"}
    assert ask("234m567m88p345p67s1z", **given).startswith(
        "The hand is hardly worth continuing, and no other tile is safer. All other copies are visible. No"
        " tile wins yet: "
    )


def test_passing_with_a_hand_given_up_explains_why_no_tile_wins() -> None:
    given = {"flowers": ["", "1f", "", ""], "left": 50}
    said = ask("234m567m88p345p67s", offer={"tile": "8p", "from": 0}, rivers=[["8p"], [], [], []], **given)
    assert said.startswith("The hand is hardly worth continuing, and passing is safe. No tile wins yet: ")
