"""Distances to a win where the table refuses some hands, compared with a plain search over finished hands."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from companion.coach.described import describe_position
from companion.coach.results import Advised, Level
from companion.coach.seen import SeatView
from companion.coach.value.aims import Aim
from companion.coach.value.judge import HandStatus, HandView, Judge, make_hand_view
from companion.coach.value.outlook import DistanceFinder, Outlook
from companion.coach.value.payoff import Memory
from companion.rules import RULE_SETS
from companion.table.events import Discarded
from companion.tiles import KINDS, Tile, counts, parse_meld
from tests.coach.asking import advise_in_steps
from tests.coach.plain_winning import Counts, PlainWinning, deal_near

GUEST = "1f"
"""A flower that is not the own one: No Flowers is not scored, so that more is asked of the tiles."""
TABLES: list[tuple[dict[str, Any], list[str], list[str]]] = [
    ({"min_fan": 3}, [], []),
    ({"min_fan": 3}, [GUEST], []),
    ({"min_fan": 3, "bonus_not_in_minimum": True}, [], []),
    ({"min_fan": 3, "chow_no_honor_pair": True}, [], []),
    ({"min_fan": 3, "concealed_hand": 1}, [GUEST], []),
    ({"min_fan": 3}, [], ["c345p"]),
    ({"min_fan": 3}, [GUEST], ["p222s"]),
    ({"min_fan": 3}, [GUEST], ["p555z"]),
]
THREE_FAN = {"rules": "hong_kong", "options": {"min_fan": 3}, "seat": 1, "left": 60}
EXPLODES = {
    "rules": "hangzhou", "options": {"fortune_must_explode": True}, "seat": 1, "left": 60, "fortune": "9s",
}  # fmt: skip
SIMPLE = {"hefei": "2345678m345678p2s", "taiwanese": "123m456p345789s11122z"}


def look_at_table(options: dict[str, Any], flowers: list[str], melds: list[str]) -> SeatView:
    hand = "234m88m345p1z22z" if melds else "234m88m345p678s1z22z"
    given = {"flowers": ["", "".join(flowers), "", ""], "melds": [[], melds, [], []]}
    return describe_position({**THREE_FAN, "options": options, "hand": hand, **given})


def judge_of(seen: SeatView) -> Judge:
    return Judge(seen.state.house.rules, seen.state.house.scoring)


def compare(
    table: tuple[dict[str, Any], list[str], list[str]], number: int, changes: int, most: int
) -> Iterator[tuple[str, tuple[int, set[int]] | None, HandStatus]]:
    """Hands with what the plain search finds of each, None beyond `most` tiles, and how it stands."""
    options, flowers, melds = table
    dice = random.Random(f"{table} {changes} {most}")
    seen, laid = look_at_table(*table), tuple(map(parse_meld, melds))
    open_tiles = counts(tile for meld in laid for tile in meld.tiles)
    plain, memory, judge = PlainWinning(options, flowers, melds), Memory(), judge_of(seen)
    while number:
        hand: Counts = deal_near(dice, 4 - len(melds), changes)
        left = tuple(4 - own - there for own, there in zip(hand, open_tiles, strict=False))
        if min(left) < 0:
            continue
        number -= 1
        outlook = Outlook.of(judge, seen, memory)
        whole = (*left, *[0] * (len(KINDS) - len(left)))
        distances = DistanceFinder(judge, outlook.payoff, None, whole)
        tiles = tuple(KINDS[at] for at, count in enumerate(hand) for _ in range(count))
        yield str(tiles), plain.find(hand, left, most), distances.assess(HandView(tiles, laid, whole))


def agree(truth: tuple[int, set[int]] | None, found: HandStatus, most: int) -> bool:
    if truth is None:
        return found.shanten >= most
    return (found.shanten + 1, {kind.tile.index for kind in found.useful}) == truth


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("changes", [0, 1])
def test_near_hands_have_the_distance_of_a_plain_search(
    table: tuple[dict[str, Any], list[str], list[str]], changes: int, hands: int
) -> None:
    won = 0
    for tiles, truth, found in compare(table, hands // 40, changes, 2):
        wanted = truth and (truth[0], [KINDS[at].code for at in sorted(truth[1])])
        assert agree(truth, found, 2), (tiles, wanted, found)
        won += truth is not None
    assert won > hands // 320


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_farther_hands_have_the_distance_of_a_plain_search(
    table: tuple[dict[str, Any], list[str], list[str]], hands: int
) -> None:
    for tiles, truth, found in compare(table, hands // 250, 3, 3):
        assert agree(truth, found, 3), (tiles, truth, found)


def find_choices(request: dict[str, Any], hand: str) -> dict[str, Advised]:
    *_, advice = advise_in_steps({**request, "hand": hand, "level": Level.SHAPE.value})
    return {each.do.tile or "": each for each in advice.choices if isinstance(each.do, Discarded)}


def list_useful(choice: Advised) -> str:
    return " ".join(kind.tile.code for kind in choice.useful)


def test_a_wait_with_too_few_fan_does_not_count() -> None:
    """With a pung of 8 characters the hand has 2 fan, with one of White 3, if it is self-drawn."""
    ready = find_choices(THREE_FAN, "234m88m345p678s1z55z")["1z"]
    assert (ready.shanten, list_useful(ready)) == (0, "5z")
    assert ready.self_drawn == (Tile.parse("5z"),)
    usual = find_choices({**THREE_FAN, "options": {}}, "234m88m345p678s1z55z")["1z"]
    assert (usual.shanten, list_useful(usual), usual.self_drawn) == (0, "8m 5z", ())


def test_two_pairs_of_dragons_are_kept_where_one_pung_is_too_little() -> None:
    """By the shape alone the dragons are the first to go."""
    request = {**THREE_FAN, "flowers": ["", GUEST, "", ""], "hand": "2355m456p5566z678s"}
    *_, advice = advise_in_steps(request)
    best = advice.choices[0]
    assert isinstance(best.do, Discarded)
    assert best.do.tile in ("2m", "3m")
    assert (best.shanten, list_useful(best)) == (1, "5z 6z")
    assert best.win_rate is not None
    assert best.win_rate > 2 * max(
        each.win_rate or 0.0
        for each in advice.choices
        if isinstance(each.do, Discarded) and each.do.tile in ("5z", "6z")
    )


def test_honours_with_too_few_copies_left_are_not_an_aim() -> None:
    hand, rivers = "234m888m345p68s155z", [["5z", "5z"], [], [], []]
    assert "5z" in list_useful(find_choices(THREE_FAN, hand)["1z"])
    gone = find_choices({**THREE_FAN, "rivers": rivers}, hand)["1z"]
    assert "5z" not in list_useful(gone)
    assert gone.shanten > 0


def test_a_wild_tile_that_must_explode_is_kept_for_the_pair() -> None:
    """Without 1z the tiles lack one for four sets, beside the wild one, which then pairs with any tile."""
    choices = find_choices(EXPLODES, "234m888m345p68s15z9s")
    assert (choices["1z"].shanten, list_useful(choices["1z"])) == (1, "7s 9s")
    ready = find_choices(EXPLODES, "234m888m345p678s1z9s")["1z"]
    assert (ready.shanten, len(ready.useful)) == (0, 34)


def test_a_hand_that_must_explode_is_priced_as_exploding() -> None:
    """Priced as hands that hold the wild tile in a set, all were worth nothing, and it was thrown away."""
    hand = "234m56m8p359p6s9s12z3s"
    *_, advice = advise_in_steps({**EXPLODES, "hand": hand})
    best, wild = advice.choices[0], _find_discard(advice.choices, "9s")
    assert best is not wild
    assert (best.value or 0) > (wild.value or 0)
    assert (best.win_rate or 0) > 0.1
    assert (best.value_error or 0) > 0


def _find_discard(choices: tuple[Advised, ...], code: str) -> Advised:
    return next(each for each in choices if isinstance(each.do, Discarded) and each.do.tile == code)


@pytest.mark.parametrize(
    ("request_of", "hand"),
    [
        (THREE_FAN, "1359m2468p157s257z"),
        (THREE_FAN, "234m88m345p678s155z"),
        (THREE_FAN, "22345m345p6788s55z"),
        (EXPLODES, "1359m2468p1579s27z"),
        (EXPLODES, "234m88m345p678s15z9s"),
    ],
)
def test_discards_measured_together_agree_with_each_alone(request_of: dict[str, Any], hand: str) -> None:
    seen = describe_position({**request_of, "hand": hand})
    view, judge = make_hand_view(seen), judge_of(seen)
    together = Outlook.of(judge, seen).distances
    outs = sorted(set(view.concealed))
    together.prepare_discards(bytes(counts(view.concealed)), (), outs)
    for out in outs:
        rest = list(view.concealed)
        rest.remove(out)
        after = HandView(tuple(rest), (), view.unseen, view.fortune)
        assert together.assess(after) == Outlook.of(judge, seen).distances.assess(after), out


@pytest.mark.parametrize("rules", RULE_SETS)
def test_judge_answers_if_no_shape_is_refused(rules: str) -> None:
    hand = SIMPLE.get(rules, "234m88m345p678s1z22z")
    given = {"fortune": "9s"} if rules == "hangzhou" else {}
    seen = describe_position({"rules": rules, "seat": 1, "hand": hand, "left": 20, **given})
    view, judge = make_hand_view(seen), judge_of(seen)
    distances = Outlook.of(judge, seen).distances
    whole = bytes(counts(view.concealed))
    assert not distances.may_refuse(whole, ())
    assert distances.measure_aims(whole, (), None).winning == []
    outs = sorted(set(view.concealed))
    by_judge, found = judge.discards(view, outs), distances.discards(view, outs)
    assert [(each.discard, each.after.shanten, each.after.useful) for each in found] == [
        (each.discard, each.after.shanten, each.after.useful) for each in by_judge
    ]


def test_a_claimed_pung_with_the_fan_lifts_the_restriction() -> None:
    seen = look_at_table({"min_fan": 3}, [], ["p555z"])
    distances = Outlook.of(judge_of(seen), seen).distances
    assert not distances.may_refuse(bytes(42), (parse_meld("p555z"),))
    assert distances.list_winning((parse_meld("c345p"),)) != (Aim(),)
