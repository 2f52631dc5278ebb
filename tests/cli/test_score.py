"""`companion score` and `companion rules`, as people and as programs call them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.commands.described import form_of
from companion.commands.scoring import help_of
from companion.rules import RULE_SETS
from companion.rules.fields import FIELDS, FieldGroup
from tests.programs import LIMIT_S, started

REQUEST: dict[str, Any] = {
    "rules": "hefei",
    "hand": "234567m88m345p678s",
    "winning_tile": "8s",
    "winner": 1,
    "source": "discard",
    "from": 2,
}
REPOSITORY = Path(__file__).resolve().parents[2]
FLAGS = ("score", "--rules", "hefei", "--hand", "234567m88m345p678s", "--winning-tile", "8s", "--winner", "1")


def words(text: str) -> list[str]:
    return text.split()


def test_flags_and_request_give_the_same_documented_answer(companion: Any) -> None:
    by_flags = companion(*FLAGS, "--from", 2, "--json").document
    by_request = companion("score", "--request", "-", "--json", stdin=json.dumps(REQUEST).encode()).document
    assert by_flags == by_request
    assert by_flags["legal"] is True
    assert by_flags["reason"] is None
    assert by_flags["value"] == 15
    assert by_flags["payments"] == [0, 300, -300, 0]
    assert by_flags["lines"] == [
        {
            "id": "winning_a_hand",
            "name": "Winning a Hand",
            "name_zh": "胡牌",
            "count": 1,
            "value": 15,
            "ruling": "HF-09",
        }
    ]
    assert by_flags["reading"] == {
        "shape": "standard",
        "sets": ["234m", "567m", "345p", "678s"],
        "pair": "88m",
        "waits": ["5s", "8s"],
    }
    assert {"option": "win_row", "setting": 0, "value": 0}.items() <= by_flags["house_rules"][0].items()


def test_every_field_has_a_flag_that_reaches_the_request(call: Any) -> None:
    flags = words("score --rules hefei --winner 0 --dealer 0 --source self_draw --round-wind west --streak 2")
    flags += words("--hand 345m345m88m678s --meld K5555p --winning-tile 8s --situation sea_floor")
    flags += words(
        "--option win_row=0 --option kong_is_pung=true --stakes unit=15 --base 2 --cap 900"
        " --balances 10,900,900,900"
    )
    given = {
        "rules": "hefei",
        "winner": 0,
        "dealer": 0,
        "source": "self_draw",
        "round_wind": "west",
        "streak": 2,
        "hand": "345m345m88m678s",
        "melds": ["K5555p"],
        "winning_tile": "8s",
        "situation": ["sea_floor"],
        "options": {"win_row": 0, "kong_is_pung": True},
        "stakes": {"unit": 15},
        "base": 2,
        "cap": 900,
        "balances": [10, 900, 900, 900],
    }
    by_flags = call(*flags, "--json").document
    assert by_flags == call("score", "--request", "-", "--json", stdin=json.dumps(given).encode()).document
    assert by_flags["payments"] == [2700, -900, -900, -900]


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--discards", "3"),
        ("--fortune", "9s"),
        ("--gambits", "1"),
        ("--consecutive-kongs", "1"),
        ("--three-melds", "1:2"),
        ("--kongs-declared", "K:0"),
    ],
)
def test_fields_of_other_games_are_refused_by_name(call: Any, flag: str, value: str) -> None:
    assert f"{flag} means nothing in Hefei" in call(*FLAGS, "--self-draw", flag, value).refused(2)


@pytest.mark.parametrize(
    ("stakes", "wrong"),
    [
        ("unit", "--stakes must be whole numbers as in base=100,unit=20, not 'unit'."),
        ("base=100,base=3", "--stakes gives 'base' twice: once is enough."),
        ("unit=x", "--stakes must be whole numbers as in base=100,unit=20, not 'unit=x'."),
        ("unit=-1", "--stakes unit must be a whole number from 0 to 1000000000, not -1."),
        ("unit=0", "--stakes must not all be 0: a win would pay nothing."),
        ("tai=5", "'tai' in --stakes is unknown in Hefei: the stakes have unit."),
        ("base=5", "--stakes base must be 0 or left out: Hefei has no base."),
    ],
)
def test_wrong_stakes_are_refused(call: Any, stakes: str, wrong: str) -> None:
    assert call(*FLAGS, "--self-draw", "--stakes", stakes).refused(2) == f"companion: {wrong}\n"


def test_a_person_sees_every_row_and_every_payment(companion: Any) -> None:
    run = companion(*FLAGS, "--self-draw")
    assert (run.status, run.err) == (0, "")
    for shown in ("15 zui", "Winning a Hand", "胡牌", "HF-09", "0 (dealer)", "−380", "+980", "win_row"):
        assert shown in run.out


def test_a_hand_that_does_not_win_is_an_answer(call: Any) -> None:
    flags = words("score --rules hefei --hand 234568m88m345p678s --winning-tile 8s --winner 1 --self-draw")
    answer = call(*flags, "--json").document
    assert answer["legal"] is False
    assert answer["payments"] == [0, 0, 0, 0]
    assert answer["reason"]
    run = call(*flags)
    assert run.status == 0
    assert "Not a win: " in run.out
    assert answer["reason"] in run.out


BAD_HANDS = [
    ("13 tiles", "234567m88m345p67s", "13 tiles"),
    ("15 tiles", "234567m88m345p6678s", "15 tiles"),
    ("five of a kind", "22222m34m88m345p678s", "2m"),
    ("no such tile", "034567m88m345p678s", "'0m'"),
    ("a tile of another set", "134567m88m345p678s", "1m"),
    ("no tiles", "", "tiles"),
    ("not notation", "hello", "hello"),
]


@pytest.mark.parametrize(
    ("hand", "quoted"), [case[1:] for case in BAD_HANDS], ids=[case[0] for case in BAD_HANDS]
)
def test_a_wrong_hand_is_refused_with_the_piece_quoted(call: Any, hand: str, quoted: str) -> None:
    flags = (
        "score",
        "--rules",
        "hefei",
        "--hand",
        hand,
        "--winning-tile",
        "8s",
        "--winner",
        1,
        "--self-draw",
    )
    by_flags = call(*flags).refused(2)
    assert quoted in by_flags
    request = json.dumps({**REQUEST, "hand": hand}).encode()
    by_request = call("score", "--request", "-", "--json", stdin=request).refused(2)
    assert by_request.replace("hand", "--hand", 1) == by_flags


@pytest.mark.parametrize(
    ("flags", "quoted"),
    [
        ("--winning-tile 2s --self-draw", "'2s'"),
        ("--from 1", "from"),
        ("--source discard", "from"),
        ("", "--self-draw"),
        ("--self-draw --from 2", "--self-draw"),
        ("--self-draw --source discard", "--self-draw"),
        ("--source theft", "theft"),
        ("--self-draw --situation windy", "'windy'"),
        ("--self-draw --option windy=1", "'windy'"),
        ("--self-draw --option windy", "'windy'"),
        ("--self-draw --option win_row=7", "win_row"),
        ("--self-draw --meld c234m", "c234m"),
        ("--self-draw --meld x222m", "x222m"),
        ("--self-draw --winner 4", "winner"),
        ("--self-draw --winner one", "--winner"),
        ("--self-draw --balances 1,2,x,4", "--balances"),
        ("--self-draw --kongs-declared K", "--kongs-declared"),
        ("--self-draw --kongs-declared K:a", "--kongs-declared"),
        ("--self-draw --three-melds 1-2", "--three-melds"),
        ("--self-draw --rules chess", "'chess'"),
        ("--self-draw --no-such-flag", "--no-such-flag"),
        ("--self-draw extra", "extra"),
        ("--self-draw --request -", "one way"),
    ],
)
def test_a_wrong_flag_is_refused_with_one_line(call: Any, flags: str, quoted: str) -> None:
    assert quoted in call(*FLAGS, *flags.split()).refused(2)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ("--self-draw --winner 4", "--winner must be a seat, 0 to 3, not 4"),
        ("--source discard", "--from is missing"),
        ("--self-draw --option win_row=7", "--option win_row must be 15 or 0, not 7"),
        ("--self-draw --option windy=1", "'windy' in --option is not a house option"),
        ("--self-draw --meld c234m", "'c234m' in --meld"),
        ("--self-draw --situation heavenly --winner 0", "--winning-tile '8s' must be left out"),
        ("--self-draw --balances 1,2,3", "--balances must be four whole numbers as in"),
        ("--self-draw --rules hangzhou --three-melds 1:1", "--three-melds must be A:B"),
        ("--self-draw --rules hebei --kongs-declared x:1", "--kongs-declared must be KIND:SEAT"),
        ("--self-draw --hand c234m567m88m345p678s", "give c234m by --meld c234m"),
        ("--self-draw --hand 234567m88m345pK5555s", "give K5555s by --meld K5555s"),
    ],
)
def test_an_error_names_the_flag(call: Any, flags: str, words: str) -> None:
    assert words in call(*FLAGS, *flags.split()).refused(2)


def test_a_missing_flag_is_named(call: Any) -> None:
    flags = words("score --hand 234567m88m345p678s --winning-tile 8s --winner 1 --self-draw")
    assert "--rules is missing: give hefei or" in call(*flags).refused(2)
    assert "--rules is missing" in call("score", "--hand", "1m").refused(2), "before how it was won"
    flags = words("score --rules hefei --winning-tile 8s --winner 1 --self-draw")
    assert "--hand is missing" in call(*flags).refused(2)
    flags = words("score --rules hefei --hand 234567m88m345p678s --winner 1 --self-draw")
    assert "--winning-tile is missing" in call(*flags).refused(2)


def test_a_win_by_flowers_needs_no_hand(call: Any) -> None:
    flags = words("score --rules taiwanese --flowers 12345678f --winner 2 --self-draw")
    answer = call(*flags, "--situation", "all_flowers", "--json").document
    assert answer == call(*flags, "--situation", "all_flowers", "--hand", "", "--json").document
    assert answer["legal"] is True
    assert "--hand is missing" in call(*flags).refused(2)
    assert "--hand is missing" in call(*flags, "--situation", "last_tile").refused(2)


@pytest.mark.parametrize("flag", ["--base", "--winner"])
@pytest.mark.parametrize("given", ["0.5", "two", ""])
def test_a_flag_that_is_not_a_number_is_refused_in_one_sentence(call: Any, flag: str, given: str) -> None:
    complaint = call(*FLAGS, "--self-draw", flag, given).refused(2)
    assert complaint == f"companion: {flag} must be a whole number, not '{given}'.\n"


@pytest.mark.parametrize("way", ["--request", "--batch"])
@pytest.mark.parametrize("flag", ["--winner 0", "--streak 0", "--hand 2m", "--rules hefei", "--self-draw"])
def test_a_request_is_given_in_one_way_only(call: Any, way: str, flag: str) -> None:
    assert "one way" in call("score", way, "-", *flag.split(), stdin=json.dumps(REQUEST).encode()).refused(2)


@pytest.mark.parametrize(
    ("flag", "given"), [("--balances", "1,x,2,3"), ("--three-melds", "1-2"), ("--kongs-declared", "K:1:2:3")]
)
def test_error_quotes_the_input_unchanged(call: Any, flag: str, given: str) -> None:
    assert f"'{given}'" in call(*FLAGS, "--self-draw", flag, given).refused(2)


@pytest.mark.parametrize(
    ("request_text", "quoted"),
    [
        (b"", "JSON"),
        (b"{", "JSON"),
        (b"\xff\xfe\x00", "JSON"),
        (b"[]", "object"),
        (json.dumps({**REQUEST, "hnad": "1m"}).encode(), "'hnad'"),
        (json.dumps({**REQUEST, "winner": "1"}).encode(), "winner"),
        (json.dumps({**REQUEST, "hand": 5}).encode(), "hand"),
    ],
)
def test_a_wrong_request_is_refused_with_one_line(companion: Any, request_text: bytes, quoted: str) -> None:
    assert quoted in companion("score", "--request", "-", "--json", stdin=request_text).refused(2)


def test_a_request_file_that_is_not_there(call: Any, tmp_path: Any) -> None:
    assert "absent.json" in call("score", "--request", tmp_path / "absent.json").refused(2)
    assert "Is a directory" in call("score", "--batch", tmp_path).refused(2)


def test_a_batch_answers_every_line_in_its_place(companion: Any, tmp_path: Any) -> None:
    good = json.dumps(REQUEST).encode()
    lines = [
        good,
        b"nonsense",
        b'{"rules": "hefei"}',
        b"",
        b" \r",
        b"{ \xff",
        good.replace(b'"8s"', b'"2s"'),
        good,
    ]
    file = tmp_path / "batch.jsonl"
    file.write_bytes(b"\n".join(lines) + b"\n")
    run = companion("score", "--batch", file)
    assert run.status == 2
    assert run.err == "companion: 4 of 6 requests failed, in lines 2, 3, 6, 7: their answers say why.\n"
    answers = [json.loads(line) for line in run.out.splitlines()]
    assert [answer["line"] for answer in answers] == [1, 2, 3, 6, 7, 8]
    assert ["error" in answer for answer in answers] == [False, True, True, True, True, False]
    assert answers[0] | {"line": 8} == answers[-1]
    assert "line 2 column 1" in answers[1]["error"]
    assert answers[3] == {
        "line": 6,
        "error": "The line is not UTF-8 text: its byte 3 cannot be read.",
        "field": "request",
    }
    assert "'2s'" in answers[4]["error"]
    assert companion("score", "--batch", "-", stdin=file.read_bytes()).out == run.out


def test_a_batch_repeats_what_a_request_is_called(call: Any, tmp_path: Any) -> None:
    file = tmp_path / "batch.jsonl"
    called = ({"id": "first"}, {"id": "second", "hand": "2m"}, {"id": 3}, {})
    hands = [REQUEST | each for each in called]
    file.write_text("".join(json.dumps(hand) + "\n" for hand in hands))
    run = call("score", "--batch", file)
    assert run.status == 2
    answers = [json.loads(line) for line in run.out.splitlines()]
    assert [answer.get("id") for answer in answers] == ["first", "second", None, None]
    assert [answer.get("field") for answer in answers] == [None, "hand", "id", None]
    by_request = call("score", "--request", "-", "--json", stdin=json.dumps(hands[0]).encode()).document
    assert by_request | {"line": 1} == answers[0]


def test_the_schema_is_printed_as_it_is_kept(call: Any) -> None:
    kept = (REPOSITORY / "docs" / "score.schema.json").read_text(encoding="utf-8")
    assert call("score", "--schema").out == kept
    assert "one way" in call(*FLAGS, "--self-draw", "--schema").refused(2)


def test_one_failed_line_of_many_is_named(call: Any) -> None:
    lines = json.dumps(REQUEST).encode() + b"\n"
    assert call("score", "--batch", "-", stdin=lines * 3).status == 0
    run = call("score", "--batch", "-", stdin=lines * 2 + b"x\n" + lines)
    assert run.err == "companion: 1 of 4 requests failed, in line 3: its answer says why.\n"
    many = call("score", "--batch", "-", stdin=b"x\n" * 11)
    assert "11 of 11 requests failed, in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 …" in many.err


@pytest.mark.parametrize("way", ["--request", "--batch"])
def test_the_comparison_of_house_options_can_be_left_out(call: Any, way: str) -> None:
    def ask(request: dict[str, Any], *flags: str) -> dict[str, Any]:
        as_json = ("--json",) if way == "--request" else ()
        return dict(
            json.loads(call("score", way, "-", *as_json, *flags, stdin=json.dumps(request).encode()).out)
        )

    assert "house_rules" in ask(REQUEST)
    assert "house_rules" not in ask(REQUEST, "--no-alternatives")
    assert "house_rules" not in ask(REQUEST | {"alternatives": False})
    assert "house_rules" in ask(REQUEST | {"alternatives": True}, "--no-alternatives")
    shown = call(*FLAGS, "--self-draw", "--no-alternatives").out
    assert "Under other house rules" not in shown
    assert "15 zui" in shown


def test_a_person_reads_what_was_assumed(call: Any) -> None:
    flags = words("score --rules hong-kong --hand 123m456m789p234s55s --winning-tile 1m --winner 1 --from 2")
    assumed = "Assumed, because it was left out: flowers none. Another value changes this result."
    assert assumed in call(*flags, COLUMNS="100").out
    assert "Assumed" not in call(*flags, "--flowers", "1f", "--dealer", "0").out
    unknown = call(*flags, "--flowers", "null", "--json").document
    assert ([line["id"] for line in unknown["lines"]], unknown["assumed"]) == (["full_chow"], {})


def test_a_profile_goes_with_a_game_however_it_is_written(call: Any) -> None:
    call("rules", "hong-kong", "--option", "payout=table", "--save", "club")
    request = {"rules": "hong-kong", "hand": "123m456m789p234s55s", "winning_tile": "1m", "winner": 1}
    given = json.dumps(request | {"source": "self_draw"}).encode()
    answer = call("score", "--request", "-", "--profile", "club", "--json", stdin=given).document
    assert (answer["rules"], answer["value"]) == ("hong_kong", 8)


def test_a_batch_answers_each_line_while_the_pipe_is_open() -> None:
    with started(
        [sys.executable, "-m", "companion", "score", "--batch", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    ) as asked:
        for _ in range(2):
            asked.stdin.write(json.dumps(REQUEST).encode() + b"\n")
            asked.stdin.flush()
            assert json.loads(asked.stdout.readline())["value"] == 15
        asked.stdin.close()
        assert asked.wait() == 0


def test_the_help_says_which_games_use_a_flag(call: Any) -> None:
    shown = " ".join(call("score", "--help", COLUMNS="80").out.split())
    for field in ("discards", "fortune", "gambits", "three_melds", "kongs_declared", "flowers"):
        titles = [rules.title for rules in RULE_SETS.values() if field in rules.uses]
        line = shown.partition("--" + field.replace("_", "-"))[2].partition(" --")[0]
        assert f"({', '.join(titles)})" in line


def test_the_help_says_of_every_field_what_the_table_says(call: Any) -> None:
    lines = call("score", "--help", COLUMNS="80").out.splitlines()
    headings = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert headings == [*(f"{part.value}:" for part in FieldGroup), "Options:"]
    shown = " ".join(" ".join(lines).split()).replace("- ", "-")
    for field in FIELDS.values():
        metavar = field.metavar or form_of(field.kind).metavar
        flags = ", ".join(field.flags)
        assert f" {flags} {metavar} {help_of(field)}".replace("- ", "-") in shown


def test_the_help_says_what_each_flag_counts(call: Any) -> None:
    shown = " ".join(call("score", "--help", COLUMNS="80").out.split())
    for words_of_it in (
        "Hefei: hands that this dealer has dealt in a row, this one included, from 1;",
        "Taiwanese: wins and draws in a row before this hand, from 0;",
        "Hangzhou: the dealer's Lao, from 1.",
        "before one player pays for all or liability doubles it;",
        "claimed ones and the winning one included (Taiwanese).",
        "k claimed from a discard, a added to a pung, K concealed (Hebei); may be repeated.",
        "The gambits directly before the win, as the table counts them (Hangzhou); 0 if left out.",
    ):
        assert words_of_it in shown


def test_a_photo_has_the_flags_of_a_win_but_for_the_hand(call: Any) -> None:
    lines = [line.strip() for line in call("score-photo", "--help", COLUMNS="80").out.splitlines()]
    flags = {flag.rstrip(",") for line in lines if line.startswith("--") for flag in line.split()[:2]}
    assert {flag for field in FIELDS.values() for flag in field.flags} - flags == {"--hand"}


@pytest.mark.parametrize(
    "arguments", [[*FLAGS, "--self-draw"], [*FLAGS, "--self-draw", "--json"], ["rules", "hefei"]]
)
def test_scoring_starts_without_the_heavy_packages(arguments: list[str]) -> None:
    script = (
        "import sys; from companion.cli import run; status = run(sys.argv[1:]);"
        "heavy = {'cv2', 'onnxruntime', 'kivy', 'numpy', 'PIL', 'babel', 'serial'};"
        "heavy &= set(sys.modules); sys.exit(str(heavy) if heavy else status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_reader_that_has_seen_enough_ends_it_quietly() -> None:
    end_to_read, end_to_write = os.pipe()
    os.close(end_to_read)
    done = subprocess.run(
        [sys.executable, "-m", "companion", "rules"],
        stdout=end_to_write,
        stderr=subprocess.PIPE,
        check=False,
        timeout=LIMIT_S,
    )
    os.close(end_to_write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_any_locale_will_do(companion: Any) -> None:
    run = companion(*FLAGS, "--self-draw", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONCOERCECLOCALE="0")
    assert (run.status, run.err) == (0, "")
    assert "胡牌" in run.out
