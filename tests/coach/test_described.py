"""Described positions: how much of the hand was played, and which wins that allows."""

import random

import pytest

from companion.coach.described import describe_position, estimate_played
from companion.coach.play.simulation import play
from companion.coach.value.choices import find_win
from companion.rules import RULE_SETS
from companion.table.events import GameStarted
from companion.table.state import OfferKind, Phase
from companion.tiles import parse_tiles

PAIRS_HAND = "123m456p789s1155z"
READY_HAND = "123m456p78s111z55z"
HEFEI_WIN = "234567m88m345p678s"


def win(rules: str, seat: int, hand: str, **given: object) -> float | None:
    return find_win(describe_position({"rules": rules, "seat": seat, "hand": hand, **given}))


@pytest.mark.parametrize("left", [None, 20])
@pytest.mark.parametrize("giver", [1, 2, 3])
@pytest.mark.parametrize(("rules", "hand", "tile"), [
    ("hong_kong", PAIRS_HAND, "1z"),
    ("hong_kong", PAIRS_HAND, "5z"),
    ("hong_kong", READY_HAND, "9s"),
    ("taiwanese", PAIRS_HAND + "234s", "1z"),
    ("hefei", "234567m88m34p678s", "5p"),
    ("hebei", READY_HAND, "9s"),
])  # fmt: skip
def test_a_win_is_seen_where_only_the_tile_on_offer_is_described(
    rules: str, hand: str, tile: str, giver: int, left: int | None
) -> None:
    rivers = [[tile] if seat == giver else [] for seat in range(4)]
    offer = {"tile": tile, "from": giver}
    for seat in {0, (giver + 1) % 4, (giver + 2) % 4} - {giver}:
        paid = win(rules, seat, hand, offer=offer, rivers=rivers, left=left)
        assert paid is not None, seat
        assert paid < 256 or rules == "hefei", "a win of the first round"


def test_tiles_may_be_a_list_of_codes() -> None:
    given = {"rules": "hong_kong", "seat": 0, "flowers": [["3f", "4f"], [], "", []]}
    hand = PAIRS_HAND + "2z"
    listed = describe_position(given | {"hand": [tile.code for tile in parse_tiles(hand)]})
    assert listed == describe_position(given | {"hand": hand, "flowers": ["34f", "", "", ""]})


def test_hangzhou_pays_a_discard_only_from_a_streak_of_three() -> None:
    given = {"offer": {"tile": "1z", "from": 2}, "rivers": [[], [], ["1z"], []], "fortune": "9m"}
    assert win("hangzhou", 0, PAIRS_HAND, **given) is None  # HZ-37
    assert win("hangzhou", 0, PAIRS_HAND, **given, streak=3) is not None


def test_tiles_left_rule_out_a_win_of_the_first_turn() -> None:
    hand = "123m456p789s11155z"
    fresh = 144 - 14 - 4 * 13 - 1
    assert win("hong_kong", 0, hand) == win("hong_kong", 0, hand, left=fresh) == 384  # HK-26
    assert win("hong_kong", 0, hand, left=40) == win("hong_kong", 0, hand, left=fresh - 1) == 24
    offered = {"offer": {"tile": "1z", "from": 0}, "rivers": [["1z"], [], [], []]}
    assert win("hong_kong", 1, PAIRS_HAND, **offered) == 256
    assert win("hong_kong", 1, PAIRS_HAND, **offered, left=40) == 8


def test_a_claim_rules_out_a_win_of_the_first_turn() -> None:
    offered = {"offer": {"tile": "1z", "from": 0}, "rivers": [["1z"], [], [], []]}
    assert win("hong_kong", 1, PAIRS_HAND, **offered, melds=[[], [], ["p222m"], []]) == 8


def test_an_earthly_win_needs_the_discards_of_the_first_round() -> None:
    """The win of a player's first draw (HF-22); where discards are missing none is guessed."""
    earthly = 9980
    assert win("hefei", 1, HEFEI_WIN, rivers=[["7p"], [], [], []]) == earthly
    assert win("hefei", 1, HEFEI_WIN, rivers=[["7p", "7p"], [], [], []]) != earthly
    assert win("hefei", 1, HEFEI_WIN) == 980


@pytest.mark.parametrize("rules", RULE_SETS)
def test_turns_played_follow_from_the_open_tiles(rules: str) -> None:
    rng, looked = random.Random(f"played so far {rules}"), 0
    for played in play(GameStarted(rules=rules), 2, rng):
        for step in played.steps:
            hand = step.state.hand
            if hand is None or hand.phase not in (Phase.TURN, Phase.CLAIM) or not hand.discards:
                continue
            offer = hand.offer
            if offer is not None and offer.kind is not OfferKind.DISCARD:
                continue
            if offer is None and not hand.drew:
                continue
            giver = None if offer is None else offer.seat
            seat = hand.turn if giver is None else (giver + 1) % 4
            for left in (None, hand.wall.live_left):
                found = estimate_played(step.state.house, hand.deal.dealer, hand.players, seat, giver, left)
                assert (found.discards, found.claims) == (hand.discards, hand.claims)
                if not hand.claims:
                    assert found.draws == hand.players[seat].draws
            looked += 1
    assert looked > 20
