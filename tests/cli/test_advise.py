"""`companion advise`: described positions and logs, one question or many, and what is refused."""

import json
import random
import re
import time
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.cli import run
from companion.coach.play.simulation import play
from companion.table.events import GameStarted, encode_log

HAND = {"rules": "hebei", "seat": 1, "hand": "2345m88m345p678s1z5z", "left": 60}


def ask(capsys: pytest.CaptureFixture[str], request: object, tmp_path: Path) -> Any:
    file = tmp_path / "request.json"
    file.write_text(json.dumps(request))
    assert run(["advise", "--request", str(file), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_full_advice_has_every_field(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    answer = ask(capsys, HAND, tmp_path)
    assert answer.keys() == {"choices", "left", "at_least"}
    best = answer["choices"][0]
    assert best.keys() == {
        "do", "shanten", "useful", "value", "value_error", "win_rate", "deal_in", "why",
    }  # fmt: skip
    assert best["do"] in [{"event": "discarded", "seat": 1, "tile": tile} for tile in ("1z", "5z")]
    values = [choice["value"] for choice in answer["choices"]]
    assert values == sorted(values, reverse=True)
    assert (answer["left"]["8m"], answer["left"]["9m"], answer["at_least"]) == (2, 4, False)


def test_a_call_of_ready_is_a_choice_with_its_discard(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    request = {"rules": "taiwanese", "seat": 1, "hand": "123m567m678s55z34p357s9s", "left": 50}
    best = ask(capsys, request, tmp_path)["choices"][0]
    assert (best["do"], best["then"]) == ({"event": "ready_declared", "seat": 1}, "3s")
    assert "The call adds 1 point" in best["why"]
    file = tmp_path / "request.json"
    assert run(["advise", "--request", str(file)]) == 0
    assert "Call ready, then discard: 3 bamboo" in re.sub(r"\s+", " ", capsys.readouterr().out)
    many = tmp_path / "many.jsonl"
    bad = {**request, "hand": "123m567m678s15z34p1579s", "ready": [1]}
    many.write_text(f"{json.dumps(request)}\n{json.dumps(bad)}\n")
    assert run(["advise", "--batch", str(many)]) == 2
    answer, refused = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert answer["choices"][0]["do"] == best["do"]
    said = "ready names seat 1, whose hand is not ready."
    assert refused == {"line": 2, "error": said, "field": "ready"}


def test_levels_say_less(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert ask(capsys, {**HAND, "level": "left"}, tmp_path)["choices"] == []
    shape = ask(capsys, {**HAND, "level": "shape"}, tmp_path)["choices"]
    assert shape[0]["shanten"] == 1
    assert "value" not in shape[0]


def test_a_log_is_looked_at_from_one_seat(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    start = GameStarted(rules="hebei")
    [played] = play(start, 1, random.Random(2))
    events = [step.event for step in played.steps]
    last = max(
        n for n, step in enumerate(played.steps) if step.state.hand and step.state.hand.phase == "turn"
    )
    log = tmp_path / "game.jsonl"
    log.write_bytes(b"".join(encode_log([start, *events[: last + 1]])))
    state = played.steps[last].state
    assert state.hand is not None
    answer = ask(capsys, {"log": str(log), "seat": state.hand.turn}, tmp_path)
    assert answer["choices"]
    file = tmp_path / "other.json"
    file.write_text(json.dumps({"log": str(log), "seat": (state.hand.turn + 1) % 4}))
    assert run(["advise", "--request", str(file)]) == 2
    assert "nothing to decide" in capsys.readouterr().err


def test_a_bad_line_of_a_batch_stops_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    shape = json.dumps({**HAND, "level": "shape"})
    file.write_text(f"{shape}\n\n{{\n{json.dumps({**HAND, 'hand': '5m'})}\n{shape}\n")
    assert run(["advise", "--batch", str(file)]) == 2
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer.get("field") for answer in answers] == [None, "request", "hand", None]
    assert [answer["line"] for answer in answers] == [1, 3, 4, 5]
    assert "line 3 column 2" in answers[1]["error"]


def test_people_get_a_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps(HAND))
    assert run(["advise", "--request", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "Still to come, exactly" in shown
    assert "Discard " in shown


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("Pung of East, then discard: ", "Chow of 2, 3 and 4 dots, then discard: ")),
        ("zh_Hans", ("碰东，然后打", "吃二三四筒，然后打")),
        ("zh_Hant", ("碰東，然後打", "吃二三四筒，然後打")),
    ],
)
def test_a_claim_is_said_with_its_tiles_by_their_names(
    language: str,
    said: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    file = tmp_path / "request.json"
    for tile, act in zip(("1z", "2p"), said, strict=True):
        offer = {"offer": {"tile": tile, "from": 3}, "rivers": [[], [], [], [tile]]}
        file.write_text(json.dumps({"rules": "hong_kong", "hand": "123m5m34p6789s115z", **offer}))
        assert run(["advise", "--request", str(file), "--language", language]) == 0
        assert act in capsys.readouterr().out


@pytest.mark.parametrize(
    ("language", "said"),
    [("zh_Hans", ("选择", "打", "还能来的牌")), ("zh_Hant", ("選擇", "打", "還能來的牌"))],
)
def test_advice_is_given_in_chinese(
    language: str, said: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """No English word is left, in a table, in JSON and in a batch; notations of tiles stay."""
    file = tmp_path / "request.json"
    file.write_text(json.dumps(HAND))
    assert run(["advise", "--request", str(file), "--language", language]) == 0
    shown = capsys.readouterr().out
    assert all(each in shown for each in said)
    assert not re.search("[A-Za-z]{2}", shown)
    for way in (["--request", str(file), "--json"], ["--batch", str(file)]):
        assert run(["advise", *way, "--language", language]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert not re.search("[A-Za-z]{2}", answer["choices"][0]["why"])


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({**HAND, "level": "all"}, "level must be left or shape or full"),
        ({"log": "/no/such/file"}, "cannot be read"),
        ({"log": 3}, "log must be"),
        ([], "must be one JSON object"),
        ({**HAND, "hand": "2345m88m345p678s1z?"}, "unknown tiles"),
    ],
)
def test_error_is_one_line(
    request_: object, words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps(request_))
    assert run(["advise", "--request", str(file), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert len(err.splitlines()) == 1


def test_error_is_in_the_requested_language(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps({**HAND, "left": 99}))
    said = []
    for language in ("en", "zh_Hans"):
        assert run(["advise", "--request", str(file), "--language", language]) == 2
        said.append(capsys.readouterr().err)
    assert said[0].startswith("companion: left must be at most 71, not 99: no more tiles can be drawn")
    assert said[1].startswith("companion: left 最多为 71，不是 99")


def test_the_answer_is_the_same_however_slow_the_machine_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    request = {"rules": "hong_kong", "seat": 0, "hand": "234m567m2349p55s6z1s"}
    quick = ask(capsys, request, tmp_path)
    clock = count(step=10)
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(time, "process_time", lambda: float(next(clock)))
    assert ask(capsys, request, tmp_path) == quick
