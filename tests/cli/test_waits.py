"""`companion waits`: what a hand waits for, as people and as programs ask."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tests.programs import LIMIT_S

HAND = ("waits", "--rules", "hong-kong", "--hand", "456p67s99m", "--winner", "1", "--flowers", "1f")
MELDS = ("--melds", "p777z", "--melds", "c123m")


def test_the_documented_answer(companion: Any) -> None:
    found = companion(*HAND, *MELDS, "--json").document
    assert [wait["tile"] for wait in found["waits"]] == ["5s", "8s"]
    first = found["waits"][0]
    assert set(first) == {"tile", "left", "self_draw", "discard"}
    assert (first["left"], first["self_draw"]["value"], first["discard"]["value"]) == (4, 2, 1)
    assert first["discard"]["payments"] == [-1, 4, -2, -1]
    assert found["assumed"] == {"from": 2, "dealer": 0}


@pytest.mark.parametrize(
    "melds",
    [MELDS, ("--meld", "p777z", "--meld", "c123m"), ("--melds", "p777z c123m"), ("--meld", "p777z c123m")],
)
def test_melds_are_given_in_any_of_these_ways(call: Any, melds: tuple[str, ...]) -> None:
    assert call(*HAND, *melds, "--json").document == call(*HAND, *MELDS, "--json").document


def test_the_flags_are_those_of_a_score(call: Any) -> None:
    at_a_table = ("--option", "payout=exponential", "--dealer", "1", "--round-wind", "S", "--base", "2")
    flags = (*at_a_table, "--from", "3", "--json")
    found = call(*HAND, *MELDS, *flags).document["waits"][0]
    win = ("score", *HAND[1:3], "--hand", "456p567s99m", "--winning-tile", "5s", *HAND[5:], *MELDS, *flags)
    by_score = call(*win).document
    assert found["discard"].pop("value_in_unit") == 2
    assert found["discard"].items() <= by_score.items()
    assert found["discard"]["payments"] == [-8, 32, -8, -16]


def test_a_profile_is_heeded(call: Any) -> None:
    call("rules", "hong-kong", "--option", "min_fan=3", "--save", "club")
    given = [each for each in HAND if each not in ("--rules", "hong-kong")]
    found = call(*given, *MELDS, "--profile", "club", "--json").document["waits"]
    assert [wait["self_draw"]["legal"] for wait in found] == [False, False]


def test_a_person_gets_a_table(call: Any) -> None:
    run = call(*HAND, "--melds", "p222p", "--melds", "c123m")
    assert (run.status, run.err) == (0, "")
    for shown in ("seat 1", "5s", "8s", "1 fan: −2 +6 −2 −2", "discarded by seat 2", "no win", "from 2"):
        assert shown in run.out
    assert "waits for no tile" in call("waits", "--rules", "hefei", "--hand", "2468m2468p24668s").out


HALF_DOUBLING = ("waits", "--profile", "hong-kong-common", "--winner", "1", "--flowers", "3f")


@pytest.mark.parametrize(
    ("hand", "tile", "by_score", "fan", "units"),
    [
        (("345m67m99m", "p222m", "p777z"), "5m", "5 fan = 24 units", 5, 24),
        (("1112223334445z",), "5z", "10 fan = 128 units", 10, 128),
    ],
)
def test_a_payment_table_keeps_the_fan(
    call: Any, hand: tuple[str, ...], tile: str, by_score: str, fan: int, units: int
) -> None:
    melds = [flag for meld in hand[1:] for flag in ("--meld", meld)]
    flags = (*HALF_DOUBLING, "--hand", hand[0], *melds)
    assert f"{by_score}: " in call(*flags, COLUMNS="160").out
    waits = call(*flags, "--json").document["waits"]
    (found,) = [wait["self_draw"] for wait in waits if wait["tile"] == tile]
    assert (found["value_in_unit"], found["value"]) == (fan, units)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (
            "--hand 456p678s99m --rules hong-kong",
            "--hand has 8 tiles: a Hong Kong hand that waits for one has 13",
        ),
        ("--hand 456p --rules hong-kong --melds c123m", "has 10 (melds: 1); add 7."),
        ("--rules hong-kong", "--hand is missing"),
        ("--hand 456p", "--rules is missing"),
        ("--hand null --rules hefei", "not null"),
        ("--hand 234567m88m345p67s --rules hefei --winner 4", "--winner must be a seat, 0 to 3"),
        ("--hand 234567m88m345p67s --rules hefei --from 0", "--from must be a seat other than the winner's"),
        ("--hand 234567m88m345p67s --rules hefei --winning-tile 5s", "--winning-tile"),
        ("--hand 234567m88m345p67s --rules hefei --self-draw", "--self-draw"),
    ],
)
def test_error_is_one_line(call: Any, flags: str, words: str) -> None:
    assert words in call("waits", *flags.split()).refused(2)


def test_the_help_says_what_is_asked_here(call: Any) -> None:
    shown = " ".join(call("waits", "--help", COLUMNS="80").out.split())
    for words in (
        "The concealed tiles, without the one that is waited for.",
        "The seat that discards the tile; the next player counterclockwise if left out.",
        "--meld, --melds MELD",
    ):
        assert words in shown
    assert "--winning-tile" not in shown
    assert "--source" not in shown


def test_it_starts_without_the_heavy_packages() -> None:
    script = (
        "import sys; from companion.cli import run; status = run(sys.argv[1:]);"
        "heavy = {'cv2', 'onnxruntime', 'kivy', 'numpy', 'PIL', 'babel', 'serial'};"
        "heavy &= set(sys.modules); sys.exit(str(heavy) if heavy else status)"
    )
    for as_json in ((), ("--json",)):
        done = subprocess.run(
            [sys.executable, "-c", script, *HAND, *MELDS, *as_json],
            capture_output=True, text=True, check=False, timeout=LIMIT_S,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
