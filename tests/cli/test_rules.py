"""`companion rules`: rows, house options and their meanings, as a person reads them in eighty columns."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len

from companion.rules import RULE_SETS, describe

COLUMNS = 80


def together(text: str) -> str:
    """Without spaces and line ends, so that it does not matter where a line breaks."""
    return "".join(text.split())


def test_json_is_what_the_rules_say_of_themselves(call: Any) -> None:
    assert call("rules", "--json").document == [describe(rules) for rules in RULE_SETS.values()]
    assert call("rules", "hefei", "--json").document == describe(RULE_SETS["hefei"])


def test_the_overview_names_every_rule_set(call: Any) -> None:
    shown = call("rules", COLUMNS=str(COLUMNS)).out
    for rules in RULE_SETS.values():
        line = next(line for line in shown.splitlines() if f" {rules.name} " in line)
        assert rules.title in line
        assert rules.title_zh in line
        assert str(rules.tile_set.total) in line
    assert max(map(cell_len, shown.splitlines())) <= COLUMNS


@pytest.mark.parametrize("name", RULE_SETS)
def test_all_of_a_rule_set_is_shown_in_eighty_columns(call: Any, name: str) -> None:
    run = call("rules", name, COLUMNS=str(COLUMNS))
    assert (run.status, run.err) == (0, "")
    assert max(map(cell_len, run.out.splitlines())) <= COLUMNS
    assert "…" not in run.out
    reported, shown = describe(RULE_SETS[name]), together(run.out)
    for entry in reported["rows"] + reported["options"]:
        assert together(entry["meaning"] + entry["meaning_zh"]) in shown
        assert entry["ruling"] in shown
    for row in reported["rows"]:
        assert together(row["name"] + row["name_zh"]) in shown
    for option in reported["options"]:
        line = next(line for line in run.out.splitlines() if line.startswith(f"  {option['key']} = "))
        assert str(option["default"]).lower() == line.split(" = ")[1].split()[0].rstrip(",").lower()
    for each in reported["situations"]:
        assert together(each["id"] + each["name"] + each["name_zh"]) in shown


def test_the_rows_of_the_table_that_is_played_are_shown(call: Any) -> None:
    shown = together(call("rules", "--profile", "taiwanese-common", COLUMNS=str(COLUMNS)).out)
    played = RULE_SETS["taiwanese"].other_tables["common"].patterns
    for row in played:
        assert together(row.meaning + row.meaning_zh) in shown
    assert "LittleThreeWinds" not in shown
    assert "thehouseoptioneight_pairsisnot0" in shown


@pytest.mark.parametrize("name", RULE_SETS)
def test_it_is_reported_when_a_hand_wins(call: Any, name: str) -> None:
    shown = call("rules", name, COLUMNS=str(COLUMNS)).out
    wins = shown.partition("\nWhen a hand wins\n")[2].partition("\nRows: ")[0]
    for shape in RULE_SETS[name].shapes:
        assert f"  {shape.name} " in wins
        assert shape.name_zh in wins
        if shape.option:
            assert f"the house option {shape.option} is true" in " ".join(wins.split())
    assert ("At least 8 tiles of one suit, melds included." in wins) == bool(RULE_SETS[name].quota)
    assert shown.count("The code next to a row or option is its ruling.\n") == 1


def test_differences_are_reported_first(call: Any) -> None:
    shown = call("rules", "hefei", "--option", "win_row=0", "--option", "false_win_penalty=7").out
    assert shown.splitlines()[1] == "Settings that are not the default: win_row=0, false_win_penalty=7"
    shown = call("rules", "hefei", "--option", "win_row=15").out
    assert shown.splitlines()[1] == "Settings that are not the default: none"
    assert "not the default" not in call("rules", "hefei").out


def test_rows_stand_under_their_table(call: Any) -> None:
    shown = call("rules", "hefei").out
    order = ["Rows: general", "Winning a Hand", "Rows: special", "Pure Suit", "multiply the points"]
    order += ["what one player pays", "Dealer", "House options", "win_row", "Situations"]
    places = [shown.index(words) for words in order]
    assert places == sorted(places)
    assert "×2 Kong Draw" in shown


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("hefei", "hefei"),
        ("HEFEI", "hefei"),
        ("Hong-Kong", "hong_kong"),
        ("hongkong", "hong_kong"),
        ("hong kong", "hong_kong"),
        ("HONG_KONG", "hong_kong"),
        ("taiwan", "taiwanese"),
        ("Taiwanese", "taiwanese"),
        ("杭州", "hangzhou"),
        ("河北麻将", "hebei"),
    ],
)
def test_a_rule_set_is_known_by_what_people_call_it(call: Any, given: str, name: str) -> None:
    assert call("rules", given, "--json").document["name"] == name


@pytest.mark.parametrize("given", ["chess", "", "he", "-", "h", "麻将"])
def test_a_rule_set_that_is_none_or_could_be_two_is_refused_with_all_names(call: Any, given: str) -> None:
    complaint = call("rules", "--", given).refused(2)
    assert "companion: RULES must be" in complaint
    assert all(name in complaint for name in RULE_SETS)


@pytest.mark.parametrize("command", [["read", "x.jpg"], ["score-photo", "x.jpg"], ["simulate"], ["score"]])
def test_rules_that_a_flag_names_are_refused_by_the_name_of_the_flag(call: Any, command: list[str]) -> None:
    assert call(*command, "--rules", "chess").refused(2).startswith("companion: --rules must be hefei or")


def test_a_rule_set_that_is_nearly_named_is_guessed(call: Any) -> None:
    complaint = call("simulate", "--rules", "Hefi").refused(2)
    assert "--rules must be hefei (did you mean that?), hebei, " in complaint
    assert "not 'Hefi'." in complaint


def test_a_request_names_its_rules_exactly(call: Any) -> None:
    assert "rules must be" in call(
        "score", "--request", "-", stdin=b'{"rules": "Hefei", "hand": "", "winner": 0, "source": "self_draw"}'
    ).refused(2)


def test_settings_are_shown_with_what_was_asked(call: Any) -> None:
    shown = call("rules", "hefei", "--option", "win_row=0", "--option", "false_win_penalty=7").out
    assert "win_row = 15 | 0   now 0" in shown
    assert "false_win_penalty = 0, or 0 to 1000000   now 7" in shown
    assert shown.count("   now ") == 2
    assert "--option win_row must be 15 or 0" in call("rules", "hefei", "--option", "win_row=1").refused(2)
    assert "needs a rule set" in call("rules", "--option", "win_row=0").refused(2)
