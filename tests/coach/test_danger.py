"""Danger on held-out hands, and a seat that follows the coach; a coach without sense does worse."""

import json
import math
import random

import pytest

from companion.coach.described import describe_position
from companion.coach.play.simulation import play
from companion.coach.seen import count_left, observe
from companion.coach.value.chances import find_stage
from companion.coach.value.danger import (
    READY_HAND_WAITS,
    TABLE,
    Dangers,
    Signs,
    find_collector_share,
    find_flush_premium,
    predict_chance,
    read_signs,
    risk,
)
from companion.coach.words.reasons import explain_risk, explain_safety
from companion.rules import RULE_SETS
from companion.table.events import GameStarted, ReadyDeclared
from companion.table.house import make_house
from companion.tiles import KINDS, Tile
from companion.words import Language, Words
from lab.bench import coach, danger

SAFE = Signs(stage=0, melds=0, ready=False, kind=0, visible=3, passed=2, suited=0)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("rules", ["hefei", "taiwanese"])
def test_danger_predicts_better_than_base_rate_and_visible_copies(rules: str) -> None:
    figures = danger.check(rules, 60)
    assert figures["log_loss"] < 0.93 * figures["log_loss_base_rate"]
    assert figures["log_loss"] < 0.93 * figures["log_loss_visible_copies"]
    predicted = sum(p * count for p, _, count in figures["calibration"])
    assert sum(count for *_, count in figures["calibration"]) == figures["discards"]
    assert predicted == pytest.approx(figures["dealt_in"], rel=0.5)


def test_every_game_has_a_table_in_which_danger_grows_with_what_opponents_show() -> None:
    assert json.loads(TABLE.read_text()).keys() == set(RULE_SETS)
    for rules in ("hefei", "hebei", "taiwanese", "hong_kong"):
        called = rules == "taiwanese"  # where nobody wins who has not called ready
        risky = SAFE._replace(stage=3, melds=3, kind=3, visible=1, passed=0, suited=1, ready=called)
        assert predict_chance(rules, risky) > max(0.002, 3 * predict_chance(rules, SAFE))


@pytest.mark.long
def test_a_constant_coach_does_worse_and_the_same_seeds_give_the_same() -> None:
    ours, again = (coach.bench("hefei", 6, 0.0, 1) for _ in range(2))
    same = ("won", "paid", "dealt_in", "others_won")
    assert [ours["sums"][key] for key in same] == [again["sums"][key] for key in same]
    constant = coach.bench("hefei", 6, 0.0, 1, "constant")
    assert constant["win_rate"] < ours["win_rate"]
    assert constant["payment"]["mean"] < ours["payment"]["mean"]
    assert constant["deal_in_rate"] > 0


@pytest.mark.slow
def test_runs_of_other_seeds_are_merged_as_if_they_were_one() -> None:
    """With built-in players in every seat payments add up to nothing, whatever the wall."""
    whole = coach.bench("hebei", 4, 0.0, 1, "built-in")
    parts = [coach.bench("hebei", 2, 0.0, seed, "built-in") for seed in (1, 3)]
    merged = coach.merge(list(zip("ab", parts, strict=True)))
    for key in ("walls", "hands", "payment", "win_rate", "deal_in_rate"):
        assert merged[key] == whole[key]
    assert whole["payment"]["mean"] == 0


@pytest.mark.long
def test_with_coaches_in_every_seat_payments_add_up_to_nothing() -> None:
    whole = coach.bench("hefei", 2, 0.0, 1, "coach", "coach")
    assert whole["payment"]["mean"] == 0
    assert whole["opponents"] == "coach"


def test_fitted_weights_predict_the_number_of_deal_ins() -> None:
    """Of discards with the sign b one in two dealt in, of those without one in ten."""
    rows = [
        (("all", "b" if number % 2 else "a"), number % 20 == 0 or number % 4 == 1) for number in range(400)
    ]
    weights = danger.fit(rows)

    def estimate_chances(name: str) -> float:
        return 1 / (1 + math.exp(-weights["all"] - weights[name]))

    assert estimate_chances("b") == pytest.approx(0.5, abs=0.02)
    assert estimate_chances("a") == pytest.approx(0.1, abs=0.02)


@pytest.mark.parametrize(("left", "late"), [(70, False), (60, False), (20, True), (4, True)])
def test_the_sentence_mentions_a_late_stage_only_then(left: int, late: bool) -> None:
    seen = describe_position({"rules": "hebei", "hand": "2345m88m345p678s1z5z", "left": left})
    assert (find_stage(seen) >= 3) is late
    said = Words(Language.ENGLISH).say(explain_risk(seen, Tile.parse("5p")))
    assert said.endswith("and 3 more copies are unseen." if late else "with 3 more of it unseen.")
    assert ("few tiles are left" in said) is late


def test_one_unseen_copy_is_singular() -> None:
    seen = describe_position({"rules": "hebei", "hand": "2345m888m345p78s1z5z", "left": 60})
    assert (
        Words(Language.ENGLISH)
        .say(explain_risk(seen, Tile.parse("8m")))
        .endswith(", with 1 more of it unseen.")
    )


def test_the_sentence_counts_all_melds_of_an_opponent() -> None:
    melds = [[], [], ["p444s", "p999m", "c567s", "p111s"], []]
    seen = describe_position({"rules": "taiwanese", "hand": "2345m88m345p678s1z5z22s3z", "melds": melds})
    assert "has 4 melds" in Words(Language.ENGLISH).say(explain_risk(seen, Tile.parse("5p")))


COLLECTING = {"hand": "1357m1357p1357s16z", "left": 20}
PUNGS = ("p222s", "p666s", "p999s")


def deals_in(tile: str, **fields: object) -> float:
    return risk(describe_position({"rules": "hong_kong", **COLLECTING, **fields}), Tile.parse(tile))[0]


@pytest.mark.parametrize("melds", [PUNGS, PUNGS[:2], ("p222s", "p555z"), ("p222s", "p666s", "p555z")])
def test_the_only_melded_suit_is_hardly_safer_than_others(melds: tuple[str, ...]) -> None:
    """Without that assumption it is 0.4 to 0.7 times as dangerous: built-in players do not collect."""
    laid = [[], list(melds), [], []]
    for rank in (1, 3, 5, 7):
        elsewhere = max(deals_in(f"{rank}{suit}", melds=laid) for suit in "mp")
        assert deals_in(f"{rank}s", melds=laid) > 0.8 * elsewhere
    if melds == PUNGS:
        mixed = [[], ["p222s", "p666p", "p999m"], [], []]
        assert deals_in("5s", melds=laid) > deals_in("5s", melds=mixed)


def test_a_player_who_discards_a_suit_does_not_collect_it() -> None:
    laid = [[], ["p222s", "p666s"], [], []]
    assert deals_in("5s", melds=laid, rivers=["", "4s8s4s8s1m", "", ""]) < deals_in("5s", melds=laid)


def test_the_sentence_names_a_collected_suit_only_where_that_is_paid() -> None:
    words = Words(Language.ENGLISH)
    for rules, melds, said in (
        ("hong_kong", PUNGS, True),
        ("hong_kong", ("p555z", "p666z"), False),  # of which suit nobody knows
        ("hangzhou", PUNGS, False),  # pays nothing for one suit
    ):
        fortune = {"fortune": "9m"} if rules == "hangzhou" else {}
        seen = describe_position(
            {
                "rules": rules,
                **COLLECTING,
                **fortune,
                "hand": "1357m1357p1357s12z",
                "melds": [[], list(melds), [], []],
            }
        )
        assert ("melds only this suit" in words.say(explain_risk(seen, Tile.parse("5s")))) is said


@pytest.mark.parametrize(
    ("rules", "options", "premium"),
    [
        ("hong_kong", {}, 4.0),
        ("hong_kong", {"min_fan": 3}, 10.0),  # a hand of three suits may not win
        ("hebei", {}, 3.0),
        ("hangzhou", {}, 1.0),
    ],
)
def test_the_flush_premium_comes_from_the_scoring(
    rules: str, options: dict[str, int], premium: float
) -> None:
    house = make_house(GameStarted(rules=rules, options=options))
    assert find_flush_premium(house) == premium
    assert (find_collector_share(house, 3) > find_collector_share(house, 2) > 0) is (premium > 1)


TAIWANESE = {"rules": "taiwanese", "hand": "1357m1357p1357s11667z", "left": 20}


def test_where_calls_of_ready_are_not_known_an_opponent_may_be_ready() -> None:
    unknown, nobody, called = (
        risk(describe_position({**TAIWANESE, **ready}), Tile.parse("5p"))[0]
        for ready in ({}, {"ready": []}, {"ready": [2]})
    )
    assert nobody < 0.005 < 0.05 < unknown < called


def test_calls_are_known_after_the_first_one_of_a_game() -> None:
    for played in play(GameStarted(rules="taiwanese"), 2, random.Random(3)):
        called = played.before.calls_known
        for event, state in played.steps:
            called = called or isinstance(event, ReadyDeclared)
            if state.playing:
                assert observe(state, 0).calls_known is called
    assert called


def test_in_a_game_without_calls_of_ready_calls_are_known() -> None:
    [played] = play(GameStarted(rules="hebei"), 1, random.Random(3))
    assert observe(played.steps[5].state, 0).calls_known


@pytest.mark.long
def test_danger_with_hidden_calls_predicts_better_than_base_rate() -> None:
    figures = danger.check("taiwanese", 60, calls_known=False)
    assert figures["log_loss"] < 0.93 * figures["log_loss_base_rate"]
    assert sum(p * count for p, _, count in figures["calibration"]) == pytest.approx(
        figures["dealt_in"], rel=0.4
    )


ONE_SUIT = {
    "rules": "hong_kong", "seat": 3, "hand": "34m567p22s5z8p7m9p", "left": 15,
    "melds": [["p222m", "c567m", "p999m"], [], [], ["p888s"]],
    "rivers": [["1p", "2p", "9s", "5z", "8p"], ["1m", "9p"], ["4z"], ["9p"]],
}  # fmt: skip
"""They added up to 3.5 kinds waited for."""


def test_chances_of_an_opponent_add_up_to_a_ready_hands_waits_at_most() -> None:
    seen = describe_position(ONE_SUIT)
    dangers, left = Dangers(seen), count_left(seen)
    possible = [kind for kind in KINDS[:34] if left[kind.index] or kind in seen.player.concealed]
    for other in (0, 1, 2):
        assert sum(dangers.predict(kind, other)[0] for kind in possible) <= READY_HAND_WAITS + 1e-9
    fitted = [predict_chance("hong_kong", read_signs(seen, kind, 0)) for kind in possible]
    assert dangers.predict(Tile.parse("3m"), 0)[0] > fitted[possible.index(Tile.parse("3m"))]
    assert dangers.predict(Tile.parse("6p"), 0)[0] < fitted[possible.index(Tile.parse("6p"))]


def explain(tile: str, **fields: object) -> str:
    """Why the tile is safe beside an opponent on the right with three melds."""
    request = {
        "rules": "hong_kong", "seat": 0, "hand": "14m2479p258s1467z9m", "left": 20,
        "melds": [[], ["p222s", "c567m", "p999s"], [], []], **fields,
    }  # fmt: skip
    found = explain_safety(describe_position(request), Tile.parse(tile))
    return "" if found is None else str(found)


def test_safety_is_explained_for_the_most_dangerous_opponent() -> None:
    assert explain("4m") == ""
    assert explain("4m", rivers=["", "4m", "", ""]) == "Seat 1 has discarded 4m."
    assert explain("4m", rivers=["", "", "4m", ""]) == "Seat 1 has just let 4m pass."
    assert explain("4m", rivers=["", "", "4m1m", ""]) == ""


def test_a_tile_whose_neighbours_are_gone_fits_no_chow() -> None:
    """With 8p gone 9p is in no chow; 7p may be in 5p6p7p."""
    gone = ["", "", "8p8p8p8p1z", ""]
    assert explain("9p", rivers=gone) == "No chow can claim it: all copies of 8p are visible."
    assert explain("7p", rivers=gone) == ""
    assert explain("6z", rivers=["6z6z1m", "", "", ""]) == "Three of its four copies are seen."
    assert explain("6z", rivers=["6z6z6z1m", "", "", ""]) == "All other copies are visible."
