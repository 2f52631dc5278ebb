"""The sentence of the best choice speaks for it: what it is taken for first, what it risks after that."""

from companion.coach.advice import RISKY, Advice
from companion.coach.asking import advise_in_steps
from companion.coach.described import describe_position
from companion.coach.wording import name_around, say
from companion.words import Language, Words

DRAGONS = {
    "rules": "hong_kong", "seat": 2, "hand": "23m55z", "melds": [[], [], ["p666z", "p777z", "p999m"], []],
    "left": 30, "rivers": [["5z"], [], [], []], "offer": {"tile": "5z", "from": 0},
}  # fmt: skip
HOPELESS = {
    "rules": "hong_kong", "seat": 0, "hand": "1357m1357p1357s16z", "left": 20,
    "melds": [[], ["p222s", "p666s", "p999s"], [], []],
}  # fmt: skip


def advise(request: dict[str, object]) -> Advice:
    return list(advise_in_steps(request))[-1]


def say_why(request: dict[str, object], number: int = 0, language: Language = Language.ENGLISH) -> str:
    words, seen = Words(language), describe_position(request)
    return say(advise(request).choices[number].why, words, name_around(seen.state, seen.seat, words))


def test_a_claim_that_risks_something_says_first_what_it_is_made_for() -> None:
    best = advise(DRAGONS).choices[0]
    assert (best.deal_in or 0.0) >= RISKY
    said = say_why(DRAGONS)
    assert said.startswith("Ready: 3 tiles complete the hand (2 characters). Three Scholars pays about 384.")
    assert said.index("The danger: It deals in about 12% of the time") > 0


def test_so_it_does_in_chinese() -> None:
    said = say_why(DRAGONS, language=Language.SIMPLIFIED)
    assert said.startswith("听牌")
    assert "大三元约得 384。但要小心：约有 12% 的可能点炮" in said


def test_the_safest_tile_of_a_hand_that_is_given_up_is_said_to_be_that() -> None:
    assert say_why(HOPELESS).startswith(
        "Going on is hardly worth it, and no tile of this hand is safer. The danger:"
    )
    assert say_why(HOPELESS, -1).startswith("It deals in about")


def test_a_choice_without_risk_says_what_it_did() -> None:
    said = say_why({"rules": "hebei", "seat": 1, "hand": "2345m88m345p678s1z5z", "left": 60})
    assert said.startswith("1 from ready:")
    assert "danger" not in said
