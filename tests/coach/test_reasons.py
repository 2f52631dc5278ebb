"""The sentence of the best choice: its advantage first, its danger after that."""

from companion.coach.described import describe_position
from companion.coach.results import Advice
from companion.coach.words.reasons import RISKY
from companion.coach.words.wording import name_around, phrase
from companion.words import Language, Words
from tests.coach.asking import advise_in_steps

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
    return phrase(advise(request).choices[number].why, words, name_around(seen.state, seen.seat, words))


def test_a_risky_claim_names_its_purpose_first() -> None:
    best = advise(DRAGONS).choices[0]
    assert (best.deal_in or 0.0) >= RISKY
    said = say_why(DRAGONS)
    assert said.startswith("Ready: 3 tiles complete the hand (2 characters). With Three Scholars it pays")
    assert said.index("Risk: It deals in about 12% of the time") > 0


def test_a_risky_claim_names_its_purpose_first_in_chinese() -> None:
    said = say_why(DRAGONS, language=Language.SIMPLIFIED)
    assert said.startswith("听牌")
    assert "胡大三元得：自摸约 384，别人点炮约 256。不要这张更快，但只得：自摸约 54，别人点炮约 32。" in said
    assert "但要小心：点炮的可能约 12%" in said


def test_the_sentence_of_a_hand_given_up_names_the_safest_tile() -> None:
    assert say_why(HOPELESS).startswith("The hand is hardly worth continuing, and no other tile is safer.")
    assert say_why(HOPELESS, -1).startswith("It deals in about")


def test_a_choice_without_risk_states_the_distance() -> None:
    said = say_why({"rules": "hebei", "seat": 1, "hand": "2345m88m345p678s1z5z", "left": 60})
    assert said.startswith("1 from ready:")
    assert "danger" not in said


def ask(rules: str, hand: str, *, offer: str = "", melds: tuple[str, ...] = (), left: int = 28) -> str:
    """The sentence of the best choice of seat 1; `offer`: what seat 0 has just discarded."""
    request: dict[str, object] = {"rules": rules, "seat": 1, "hand": hand, "left": left}
    if melds:
        request["melds"] = [[], list(melds), [], []]
    if offer:
        request |= {"rivers": [[offer], [], [], []], "offer": {"tile": offer, "from": 0}}
    return say_why(request)


def test_only_a_goal_about_as_near_is_named() -> None:
    """Thirteen Orphans is six from ready here; the distance said was another hand's."""
    said = ask("hong_kong", "55m239p4469s24567z", left=70)
    assert "Thirteen Orphans" not in said
    assert said.startswith("4 from ready: 27 tiles")


def test_a_goal_has_its_own_distance_and_tiles() -> None:
    said = ask("hebei", "122355679m55z3p1z9s", left=60)
    assert said.startswith(
        "3 from ready for Mixed One Suit: 32 tiles bring it nearer (1–9 characters, East, White)."
    )
    assert " It pays about " in said


def test_the_sentence_of_a_ready_hand_states_it() -> None:
    request = {"rules": "hong_kong", "seat": 1, "hand": "1112345678999m1z", "left": 60}
    for number in range(3):
        assert say_why(request, number).startswith("Ready: ")


def test_a_row_that_every_win_has_explains_nothing() -> None:
    assert "Winning a Hand" not in ask("hefei", "22345688m34p678s", offer="8m")


def test_a_slower_hand_that_pays_more_is_compared_with_the_faster_one() -> None:
    assert ask("hebei", "123m456m78p99p123s9s", left=60) == (
        "Ready: 3 tiles complete the hand (9 bamboo). With Flower Dragon it pays about 60 self-drawn, 20 on a"
        " discard. Discarding 9 bamboo is faster (6 tiles), but pays about 14 self-drawn, 4.7 on a discard."
    )
    said = ask("taiwanese", "234567m3455p6788s88m", offer="5p", left=60)
    assert "With All Sequences" in said
    assert "A claim is faster, but pays about" in said


def test_a_refusal_has_the_words_of_the_rules() -> None:
    said = ask("hebei", "345m34s55p678s", melds=("c123m",), offer="5s", left=60)
    assert said.startswith("5 bamboo completes the hand, but does not win: This is a Ping Hu")
    waiting = ask("hebei", "345m34s55p678s1z", melds=("c123m",), left=60)
    assert "It does not win on a discard: This is a Ping Hu" in waiting


def test_a_suit_below_the_quota_is_named() -> None:
    said = ask("hefei", "223344m66p55s7788s")
    assert said.endswith("A Hefei hand needs 8 tiles of one suit, and the most here is 6.")


def test_a_ready_hand_names_no_suit_below_the_quota() -> None:
    said = ask("hefei", "2244667m3366p788s")
    assert said.startswith("Ready: 3 tiles complete the hand (7 characters). With Seven Pairs it pays")
    assert "needs 8 tiles" not in said


def test_a_row_of_the_last_tile_is_named_only_if_every_last_tile_brings_it() -> None:
    """A wait for one kind, or a lucky circumstance, is nothing that a hand of two steps is played for."""
    said = ask("hebei", "11899m24556p2456s", left=65)
    assert "Single Hanging Tile" not in said
    dealer = {"rules": "hebei", "seat": 0, "hand": "34479m1122p23489s", "left": 50}
    assert "Dealer" not in say_why(dealer)


def test_passing_with_a_hand_given_up_names_no_tile() -> None:
    request = {
        **HOPELESS, "hand": "1357m1357p125s66z", "left": 8, "rivers": [[], ["6z"], [], []],
        "offer": {"tile": "6z", "from": 1},
    }  # fmt: skip
    said = say_why(request)
    assert said == "The hand is hardly worth continuing, and passing is safe."


def test_passing_with_a_ready_hand_states_it() -> None:
    """A tile that completes the hand does not only help it."""
    said = say_why(DRAGONS, -1)
    assert said == "Passing: ready, 8 tiles complete the hand (1 and 4 characters)."
    assert say_why(DRAGONS, -1, Language.SIMPLIFIED).startswith("不要这张：已听牌，还有 8 张可以胡")


def test_passing_states_the_distance() -> None:
    said = ask("taiwanese", "234567m3455p6788s88m", offer="5p", left=60)
    assert said.startswith("Passing: 1 from ready, 37 tiles bring the hand nearer (8 characters,")


def test_passing_without_useful_tiles_names_no_tile() -> None:
    request = {
        "rules": "hong_kong", "seat": 1, "hand": "4z", "offer": {"tile": "1p", "from": 3}, "left": 9,
        "rivers": [["4z"], ["4z"], ["4z"], ["1p"]],
        "melds": [[], ["c123m", "c456p", "p777s", "p555z"], [], []],
    }  # fmt: skip
    assert say_why(request) == "Passing: no tile is left that brings this hand nearer."


def test_only_the_best_win_has_an_explanation() -> None:
    request = {
        "rules": "hebei", "seat": 3, "hand": "111m222m33m99p567s", "left": 22, "rivers": [["9p"], [], [], []],
        "offer": {"tile": "9p", "from": 0},
    }  # fmt: skip
    assert say_why(request) == "It wins: 2 points for this hand."
    assert say_why(request, 1).endswith("3 tiles complete the hand (3 characters, 9 dots).")


def test_danger_of_a_tile_without_unseen_copies_is_explained_by_chows() -> None:
    request = {
        "rules": "hefei", "seat": 2, "hand": "234567m24p468s", "left": 9,
        "melds": [["p222p", "p555p", "p777p"], ["p888s"], ["p333m"], []],
    }  # fmt: skip
    said = say_why(request)
    assert "All other copies are visible. Risk: It deals in about " in said
    assert said.endswith("a chow can still claim it.")
    assert "0 more" not in "".join(say_why(request, at) for at in range(3))


def test_a_hand_that_wins_only_self_drawn_after_a_refused_tile_states_it() -> None:
    request = {
        "rules": "hong_kong", "options": {"min_fan": 3}, "seat": 1, "hand": "234567m345p2377s", "left": 50,
        "rivers": [["1s"], [], [], []], "offer": {"tile": "1s", "from": 0},
    }  # fmt: skip
    said = say_why(request)
    assert said.startswith("1 bamboo completes the hand, but does not win: The hand is worth 2 fan")
    assert said.endswith("It pays about 18, self-drawn only.")


def test_a_refusal_of_most_waits_is_mentioned() -> None:
    request = {
        "rules": "hangzhou", "fortune": "9s", "seat": 1, "hand": "234567m2355p678s", "left": 12,
        "rivers": [["5p"], [], [], []], "offer": {"tile": "5p", "from": 0},
    }  # fmt: skip
    assert "It does not win on a discard: The dealer is at 1 Lao" in say_why(request)
