"""A win that is stated by its value or its rows is worth what its tiles are worth."""

import random

import pytest

from companion.errors import RequestError
from companion.rules import RULE_SETS, Score, ScoreRequest, decode_request, score
from companion.rules.scoring import converts
from companion.rules.stated import Standing, Stated, StatedRow, list_rows, score_stated
from lab.bench.hands import random_request

TABLES = [
    (name, {} if setting is None else {str(rules.table_option): setting})
    for name, rules in RULE_SETS.items()
    for setting in (None, *rules.other_tables)
]
HANDS = 60
"""Random wins of each table."""


def wins(name: str, options: dict[str, object]) -> list[tuple[int, ScoreRequest, Score]]:
    """Random wins, each with its seed and its score."""
    found = []
    for seed in range(HANDS):
        request = random_request(RULE_SETS[name], random.Random(seed)) | {"options": options}
        try:
            asked = decode_request(request)
        except RequestError:
            continue
        scored = score(asked, house_rules=False)
        if scored.legal:
            found.append((seed, asked, scored))
    assert len(found) > HANDS / 4
    return found


def own_lines(name: str, scored: Score) -> dict[str, int]:
    """How often each row counts, without the one that makes units of fan."""
    rules = RULE_SETS[name]
    return {line.id: line.count for line in scored.lines if not converts(rules, line.id)}


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_rows_are_worth_what_the_tiles_are(name: str, options: dict[str, object]) -> None:
    for seed, request, scored in wins(name, options):
        given = {each.row.id for each in list_rows(request, {}) if each.standing is Standing.GIVEN}
        lines = own_lines(name, scored)
        stated = score_stated(
            request, Stated(rows={id: count for id, count in lines.items() if id not in given})
        )
        assert (own_lines(name, stated), stated.value, stated.payments) == (
            lines, scored.value, scored.payments
        ), seed  # fmt: skip


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_a_value_is_paid_as_the_tiles_are(name: str, options: dict[str, object]) -> None:
    for seed, request, scored in wins(name, options):
        values = [line.value for line in scored.lines if not converts(RULE_SETS[name], line.id)]
        stated = score_stated(request, Stated(value=scored.sign.join(values)))
        assert (stated.value, stated.payments) == (scored.value, scored.payments), seed


def taiwanese(**changes: object) -> ScoreRequest:
    """A win of the common Taiwanese table, whatever its tiles."""
    return decode_request(
        {"rules": "taiwanese", "options": {"preset": "common"}, "hand": "123456789m123456p99s",
         "winning_tile": "5m", "winner": 1, "source": "discard", "from": 2, **changes}
    )  # fmt: skip


def find(rows: tuple[StatedRow, ...], id: str) -> StatedRow:
    return next(each for each in rows if each.row.id == id)


def test_a_row_counts_in_one_that_replaces_it() -> None:
    rows = list_rows(taiwanese(), {"all_honors": 1})
    triplets = find(rows, "all_triplets")
    assert triplets.standing is Standing.REPLACED
    assert triplets.by is find(rows, "all_honors").row


def test_rows_that_no_hand_has_together_are_refused() -> None:
    chows = find(list_rows(taiwanese(), {"all_triplets": 1}), "all_sequences")
    assert chows.standing is Standing.EXCLUDED
    assert chows.by is not None
    assert chows.by.id == "all_triplets"
    with pytest.raises(RequestError, match="cannot both count: no hand has both"):
        score_stated(taiwanese(), Stated(rows={"all_triplets": 1, "all_sequences": 1}))


@pytest.mark.parametrize(("fan_limit", "value"), [(0, 64), (10, 10), (13, 13)])
def test_a_special_hand_is_listed_with_the_limit_of_the_table(fan_limit: int, value: int) -> None:
    asked = decode_request(
        random_request(RULE_SETS["hong_kong"], random.Random(1)) | {"options": {"fan_limit": fan_limit}}
    )
    values = {each.row.id: each.value for each in list_rows(asked, {})}
    assert values["thirteen_orphans"] == value
    assert values["full_pung"] < value


def test_what_nobody_stated_counts_against_the_winner() -> None:
    drawn = taiwanese(source="self_draw", **{"from": None})
    assert find(list_rows(drawn, {}), "self_draw").standing is Standing.GIVEN
    assert find(list_rows(drawn, {}), "fully_concealed_hand").standing is Standing.FREE
    rows = list_rows(drawn, {"fully_concealed_hand": 1})
    assert "self_draw" not in {each.row.id for each in rows if each.counts}


@pytest.mark.parametrize(
    ("situation", "changes"),
    [
        (["heavenly"], {}), (["replacement"], {}),
        (["heavenly", "earthly"], {"source": "self_draw", "from": None}),
    ],
)  # fmt: skip
def test_a_situation_that_cannot_be_is_refused(situation: list[str], changes: dict[str, object]) -> None:
    request = taiwanese(**changes).changed(situation=frozenset(situation))
    with pytest.raises(RequestError):
        score_stated(request, Stated(value=5))


def test_a_situation_for_which_tiles_are_needed_is_believed() -> None:
    drawn = taiwanese(source="self_draw", **{"from": None}).changed(situation=frozenset({"replacement"}))
    lines = score_stated(drawn, Stated(rows={"flower_tile": 1})).lines
    assert {"replacement_win", "flower_tile"} <= {line.id for line in lines}


def test_a_value_below_the_least_is_no_win() -> None:
    request = decode_request(
        {"rules": "hong_kong", "options": {"min_fan": 3}, "hand": "123m456m789m123p55s",
         "winning_tile": "5s", "winner": 1, "source": "self_draw"}
    )  # fmt: skip
    found = score_stated(request, Stated(value=2))
    assert found.reason is not None
    assert str(found.reason.sentence) == "The hand is worth 2 fan, and a win takes 3 at least."
    assert score_stated(request, Stated(value=3)).legal


@pytest.mark.parametrize(
    ("stated", "sentence"),
    [
        (Stated(value=3, rows={"all_triplets": 1}), "state one of the two"),
        (Stated(rows={"no_such_row": 1}), "no_such_row in rows is not a row that this"),
    ],
)
def test_what_cannot_be_stated_is_refused(stated: Stated, sentence: str) -> None:
    with pytest.raises(RequestError, match=sentence):
        score_stated(taiwanese(), stated)
