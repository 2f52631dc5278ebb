"""`POST /score`: it answers as `companion score` does, and whatever is sent ends in a sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from companion.rules import answer_json, decode_question
from companion.serve import messages, scoring
from companion.words import Language, Words
from tests.programs import LIMIT_S
from tests.serve.served import Table

WIN: dict[str, Any] = {
    "rules": "hong-kong", "hand": "456p678s99m", "melds": ["p777z", "c123m"], "winning_tile": "8s",
    "winner": 1, "source": "discard", "from": 2,
}  # fmt: skip


def ask(table: Table, request: object, language: str = "en") -> tuple[int, dict[str, Any]]:
    body = request if isinstance(request, bytes) else json.dumps(request).encode()
    answer, said = table.ask(f"/score?language={language}", "POST", body)
    return answer.status, json.loads(said)


def test_a_win_is_scored_and_put_into_words(table: Table) -> None:
    status, answer = ask(table, WIN, "zh_Hant")
    said = answer.pop("said")
    assert status == 200
    assert answer == json.loads(json.dumps(answer_json(decode_question(WIN))))
    assert said["worth"] == "2 番"
    assert [line["brings"] for line in said["lines"]] == ["+1", "+1"]
    assert "無花" in [line["said"] for line in said["lines"]]
    assert {payer["seat"] for payer in said["payers"]} == {0, 2, 3}
    assert said["reason"] is None


def test_a_hand_that_does_not_win_is_an_answer(table: Table) -> None:
    status, answer = ask(table, WIN | {"hand": "456p678s19m"}, "zh_Hans")
    assert status == 200
    assert answer["legal"] is False
    assert answer["reason"]
    assert answer["said"]["reason"] not in (None, answer["reason"])  # translated


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (b"\xff{", "JSON"),
        (b"[" * 60_000, "JSON"),
        (b"", "JSON"),
        (b"[]", "object"),
        (WIN | {"rules": "riichi"}, "riichi"),
        (WIN | {"hand": "456p678s9m"}, "8"),
        (WIN | {"from": 1}, "winner"),
        (WIN | {"colour": "red"}, "colour"),
    ],
)
def test_what_cannot_be_scored_ends_in_a_sentence(table: Table, request_: object, said: str) -> None:
    status, answer = ask(table, request_)
    assert status == 400
    assert set(answer) == {"version", "error"}
    assert said in answer["error"]
    assert answer["error"].count("\n") == 0


def test_a_request_that_is_too_large_ends_in_a_sentence(table: Table) -> None:
    status, answer = ask(table, b" " * (scoring.REQUEST_KB_MAX * scoring.KB + 1))
    assert status == 413
    assert answer["error"] == messages.REQUEST_TOO_LARGE.format(most=scoring.REQUEST_KB_MAX)


def test_scores_are_limited_by_address(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "score_request", lambda asked, words: b"{}")
    for _ in range(scoring.SCORES_MAX):
        assert ask(table, WIN)[0] == 200
    status, answer = ask(table, WIN, "zh_Hans")
    assert status == 429
    assert answer["error"].startswith(Words(Language.SIMPLIFIED)(messages.SCORED_TOO_OFTEN, seconds=60)[:5])


@pytest.mark.slow
def test_it_answers_as_the_command_prints(table: Table) -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "companion", "score", "--request", "-", "--json"],
        input=json.dumps(WIN).encode(), capture_output=True, timeout=LIMIT_S, check=True,
    ).stdout  # fmt: skip
    answer = ask(table, WIN)[1]
    del answer["said"]
    assert answer == json.loads(printed)
