"""What holds for every win: payments add up to zero, order and suits do not matter, answers agree."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.errors import RequestError
from companion.rules import decode_request, score, score_json
from companion.tiles import Tile, format_tiles, parse_meld, parse_tiles

Draw = Callable[[Any], Any]
ranks = st.integers(2, 8)


@st.composite
def wins(draw: Draw) -> dict[str, Any]:
    """Requests for hands of four sets and a pair or seven pairs, drawn from one to three suits."""
    suits = draw(st.sampled_from(["m", "ms", "mps", "mmmps"]))
    suit = st.sampled_from(suits)
    hand, melds = "", []
    if draw(st.integers(0, 4)) == 0:
        hand = "".join(2 * f"{draw(ranks)}{draw(suit)}" for _ in range(7))
    else:
        for _ in range(4):
            here, low = draw(suit), draw(st.integers(2, 6))
            kind = draw(st.sampled_from("sssttpkaK"))
            if kind == "s":
                hand += f"{low}{low + 1}{low + 2}{here}"
            elif kind == "t":
                hand += str(draw(ranks)) * 3 + here
            else:
                melds.append(kind + str(draw(ranks)) * (3 if kind == "p" else 4) + here)
        hand += str(draw(ranks)) * 2 + draw(suit)
    tiles = parse_tiles(hand)
    owned = [*tiles, *(tile for meld in melds for tile in parse_meld(meld).tiles)]
    assume(max(Counter(owned).values()) <= 4)
    winner = draw(st.integers(0, 3))
    source = draw(st.sampled_from(["self_draw", "discard", "robbed_kong"]))
    sea_floor = source == "self_draw" and draw(st.booleans())
    return {
        "rules": "hefei",
        "hand": hand,
        "melds": melds,
        "winning_tile": draw(st.sampled_from(tiles)).code,
        "winner": winner,
        "dealer": draw(st.integers(0, 3)),
        "source": source,
        "from": None if source == "self_draw" else (winner + draw(st.integers(1, 3))) % 4,
        "streak": draw(st.integers(1, 5)),
        "situation": ["sea_floor"] if sea_floor else [],
        "options": draw(
            st.fixed_dictionaries(
                {}, optional={"discard": st.just("all_pay"), "specials_exclusive": st.just(True)}
            )
        ),
    }


def answer(request: dict[str, Any]) -> dict[str, Any]:
    return score_json(score(decode_request(request)))


@settings(max_examples=150, deadline=None)
@given(wins())
def test_payments_add_up_to_zero_and_lines_to_the_value(request: dict[str, Any]) -> None:
    result = answer(request)
    assert sum(result["payments"]) == 0
    assert sum(line["value"] for line in result["lines"]) == result["value"]
    assert result["legal"] == (result["payments"][request["winner"]] > 0)
    paid = {share["payer"]: -share["pays"] for share in result["shares"]}
    assert all(
        result["payments"][seat] == paid.get(seat, 0) for seat in range(4) if seat != request["winner"]
    )


@settings(max_examples=100, deadline=None)
@given(wins(), st.randoms(use_true_random=False), st.permutations("mps"))
def test_the_order_of_tiles_melds_and_suits_changes_nothing(
    request: dict[str, Any], rng: Any, suits: list[str]
) -> None:
    before = answer(request)
    tiles, melds = list(parse_tiles(request["hand"])), list(request["melds"])
    rng.shuffle(tiles)
    rng.shuffle(melds)
    assert answer(request | {"hand": format_tiles(tiles), "melds": melds}) == before
    other = str.maketrans("mps", "".join(suits))
    renamed = answer(
        request
        | {
            "hand": request["hand"].translate(other),
            "melds": [meld[0] + meld[1:].translate(other) for meld in melds],
            "winning_tile": request["winning_tile"].translate(other),
        }
    )
    same = ("legal", "value", "payments", "lines", "house_rules")
    assert [renamed[key] for key in same] == [before[key] for key in same]


@settings(max_examples=60, deadline=None)
@given(wins())
def test_house_rules_are_what_scoring_with_them_gives(request: dict[str, Any]) -> None:
    for rule in answer(request)["house_rules"]:
        options = request["options"] | {rule["option"]: rule["setting"]}
        then = answer(request | {"options": options})
        assert [then[key] for key in ("legal", "value", "payments")] == [
            rule[key] for key in ("legal", "value", "payments")
        ]


@settings(max_examples=60, deadline=None)
@given(wins())
def test_the_reading_is_made_of_the_tiles(request: dict[str, Any]) -> None:
    result = answer(request)
    assume(result["legal"])
    sets = result["reading"]["sets"]
    concealed = [text for text in sets if text not in request["melds"]]
    tiles = parse_tiles("".join([*concealed, result["reading"]["pair"] or ""]))
    assert sorted(tiles) == sorted(parse_tiles(request["hand"]))
    assert sorted(text for text in sets if text in request["melds"]) == sorted(request["melds"])
    owned = Counter(tile for meld in request["melds"] for tile in parse_meld(meld).tiles)
    before_the_win = (
        owned + Counter(parse_tiles(request["hand"])) - Counter([Tile.parse(request["winning_tile"])])
    )
    assert request["winning_tile"] in result["reading"]["waits"]
    assert all(before_the_win[Tile.parse(code)] < 4 for code in result["reading"]["waits"])


@settings(max_examples=60, deadline=None)
@given(wins(), ranks, st.sampled_from("mps"))
def test_a_fifth_copy_is_never_scored(request: dict[str, Any], rank: int, suit: str) -> None:
    tiles = parse_tiles(request["hand"])
    assume(len(tiles) > 5)
    five = format_tiles(tiles[5:]) + str(rank) * 5 + suit
    with pytest.raises(RequestError, match=f"'{rank}{suit}' is there"):
        decode_request(request | {"hand": five, "winning_tile": f"{rank}{suit}"})
