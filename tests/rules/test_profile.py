"""Profiles: an old game is scored as it was played, whatever became of defaults, whatever options came."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from zlib import crc32

import pytest

from companion.errors import InputError, RequestError
from companion.profiles import READY_MADE_FOLDER
from companion.rules import RULE_SETS, RuleSet, decode_request, rule_set, score
from companion.rules.options import Option
from companion.rules.profile import (
    CHECKSUM_DIGITS,
    KEYS,
    Profile,
    apply_profile,
    complete_settings,
    decode_profile,
    list_house_options,
    make_file_json,
    make_profile,
    options_version,
    profile_json,
)
from companion.rules.win import Win

TODAY = rule_set("hefei")
REQUEST = {
    "rules": "hefei",
    "hand": "234567m88m345p678s",
    "winning_tile": "8s",
    "winner": 1,
    "source": "discard",
    "from": 2,
}
GOOD: dict[str, Any] = profile_json(make_profile(TODAY, {"kong_is_pung": True}))


def doubled(win: Win, joined: int) -> int:
    return joined * (2 if win.options["doubled"] else 1)


DOUBLED = Option("doubled", True, (True, False), "Twice.", "加倍。", "T-1", since=2, before=False)
TOMORROW = replace(
    TODAY,
    options=(
        *(replace(o, default=0, values=(0, 15)) if o.key == "win_row" else o for o in TODAY.options),
        DOUBLED,
        Option("later", 1, (1, 2), "Nothing.", "无。", "T-2", since=2),
    ),
    worth=doubled,
)
"""A later Hefei: another default, a new ruling that is now the default, and a new option that is not."""


@pytest.fixture
def tomorrow(only: Callable[[RuleSet], None]) -> Callable[[], None]:
    return lambda: only(TOMORROW)


def test_an_old_game_is_scored_as_it_was_played(tomorrow: Callable[[], None]) -> None:
    kept = json.dumps(profile_json(make_profile(TODAY, {"kong_is_pung": True})))
    then = score(decode_request(apply_profile(decode_profile(kept), REQUEST)))
    tomorrow()
    old = decode_profile(kept)
    assert score(decode_request(REQUEST | {"options": {"win_row": 15}})).value == 30
    again = score(decode_request(apply_profile(old, REQUEST)))
    assert (again.value, again.payments, again.lines) == (then.value, then.payments, then.lines)
    assert again.value == 15
    assert (old.version, old.options["doubled"], old.options["later"]) == (1, False, 1)
    assert old.options["kong_is_pung"] is True
    new = make_profile(TOMORROW, {})
    assert (new.version, new.options["doubled"], new.options["win_row"]) == (2, True, 0)


def test_a_profile_that_is_saved_again_keeps_its_rulings(tomorrow: Callable[[], None]) -> None:
    tomorrow()
    old = decode_profile(json.dumps(GOOD))
    again = decode_profile(json.dumps(profile_json(make_profile(TOMORROW, old.options))))
    assert (again.version, again.options) == (2, old.options)


def test_a_setting_that_stands_in_the_file_is_taken(tomorrow: Callable[[], None]) -> None:
    tomorrow()
    given = GOOD | {"options": GOOD["options"] | {"doubled": True}}
    assert decode_profile(json.dumps(given)).options["doubled"] is True


def test_a_profile_from_tomorrow_is_refused_today(tomorrow: Callable[[], None]) -> None:
    new = profile_json(make_profile(TOMORROW, {}))
    with pytest.raises(InputError, match=r"version 2 .* knows version 1: update"):
        decode_profile(json.dumps(new))


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_every_option_is_written_out_and_read_back(rules: RuleSet) -> None:
    kept = make_profile(rules, {})
    assert decode_profile(json.dumps(profile_json(kept))) == kept
    assert dict(kept.options) == dict(rules.defaults)
    assert dict(kept.settings) == dict(complete_settings(rules, {}))
    assert dict(kept.changed) == {}
    assert kept.version == options_version(rules) >= 1
    assert all(option.before is None or option.allows(option.before) for option in list_house_options(rules))


def test_a_profile_holds_how_the_game_is_played() -> None:
    kept = make_profile(TODAY, {"missed_win": "until_next_draw", "win_row": 0})
    again = decode_profile(json.dumps(make_file_json(kept)))
    assert again == kept
    assert dict(again.changed) == {"win_row": 0, "missed_win": "until_next_draw"}
    assert again.play["missed_win"] == "until_next_draw"
    assert "missed_win" not in again.options
    assert "missed_win" not in apply_profile(again, REQUEST)["options"], "a win is scored without it"
    back = again.with_setting("missed_win", "none").with_setting("win_row", 15)
    assert back == make_profile(TODAY, {})
    spoilt = make_file_json(kept) | {"play": {**kept.play, "multi_win": True}}
    with pytest.raises(InputError, match="not as it was saved"):
        decode_profile(json.dumps(spoilt))


def test_a_profile_from_before_play_was_in_it_is_played_as_usual() -> None:
    old = json.loads((READY_MADE_FOLDER / "hebei-three.json").read_text(encoding="utf-8"))
    assert (old["profile"], "play" in old, "checksum" in old) == (1, False, True)
    kept = decode_profile(json.dumps(old))
    assert kept.options["players"] == 3
    assert dict(kept.play) == dict(make_profile(rule_set("hebei"), {}).play)
    assert profile_json(kept)["profile"] == 3, "saved again it holds all"
    with pytest.raises(InputError, match="not as it was saved"):
        decode_profile(json.dumps(old | {"options": old["options"] | {"players": 4}}))


def test_a_profile_of_an_earlier_program_is_used_and_one_that_was_changed_is_not() -> None:
    """Its checksum is CRC-32; one of today holds more of a checksum, also where it says that it is older."""
    plain = GOOD | {"profile": 2}
    crc = crc32(json.dumps([plain[key] for key in KEYS], sort_keys=True).encode())
    assert decode_profile(json.dumps(plain | {"checksum": crc})) == decode_profile(json.dumps(GOOD))
    kept = make_file_json(make_profile(TODAY, {}))
    assert len(kept["checksum"]) == CHECKSUM_DIGITS
    for spoilt in (plain | {"checksum": crc + 1}, GOOD | {"checksum": crc}, kept | {"profile": 2}):
        with pytest.raises(InputError, match="not as it was saved"):
            decode_profile(json.dumps(spoilt))


def test_options_of_play_that_come_later_stand_as_before(only: Callable[[RuleSet], None]) -> None:
    now = json.dumps(GOOD)
    old_form = json.dumps({key: value for key, value in GOOD.items() if key != "play"} | {"profile": 1})
    later = Option("later_play", True, (True, False), "Nothing.", "无。", "T-3", since=2, before=False)
    only(replace(TODAY, play=replace(TODAY.play, options=(*TODAY.play.options, later))))
    for text in (now, old_form):
        kept = decode_profile(text)
        assert (kept.version, kept.play["later_play"]) == (1, False)
    new = make_profile(rule_set("hefei"), {})
    assert (new.version, new.play["later_play"]) == (2, True)


def changed(**changes: Any) -> str:
    return json.dumps(GOOD | changes)


def options(**changes: Any) -> str:
    return changed(options={k: v for k, v in (GOOD["options"] | changes).items() if v is not None})


def play(**changes: Any) -> str:
    return changed(play={k: v for k, v in (GOOD["play"] | changes).items() if v is not None})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "JSON"),
        ("{", "JSON"),
        (b"\xff\xfe", "JSON"),
        ("[" * 100_000, "JSON"),
        ("[]", "profile, rules, version, options, play"),
        ("{}", "profile, rules, version, options, play"),
        (changed(profile=4, new_key=1), "format 4.*knows format 3: update"),
        (changed(profile=1), "profile, rules, version, options[.]$"),
        (changed(profile=True), "format true"),
        (changed(colour="red"), "profile, rules, version, options"),
        (changed(rules="chess"), "hefei.*'chess'"),
        (changed(rules=[]), "hefei"),
        (changed(version=0), "whole number from 1, not 0"),
        (changed(version=True), "whole number from 1"),
        (changed(version="1"), "whole number from 1"),
        (changed(version=2), "version 2"),
        (changed(options=[]), "its options must be an object"),
        (changed(play=[]), "its play must be an object"),
        (play(windy=1), "'windy' in play.*draw_keeps_dealer"),
        (play(win_row=15), "'win_row' in play"),
        (play(missed_win="often"), "play.missed_win must be none or"),
        (play(missed_win=None), "lacks a setting of missed_win"),
        (options(windy=1), "'windy'.*win_row"),
        (options(win_row=7), "options.win_row must be 15 or 0, not 7"),
        (options(win_row=None), "lacks a setting of win_row"),
    ],
)
def test_a_damaged_profile_is_refused_with_what_is_wrong(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        decode_profile(text)


def test_a_request_comes_before_the_profile() -> None:
    house = make_profile(TODAY, {"win_row": 0, "kong_is_pung": True})
    asked = apply_profile(house, REQUEST | {"options": {"win_row": 15}})
    assert (asked["options"]["win_row"], asked["options"]["kong_is_pung"]) == (15, True)
    without = {key: value for key, value in REQUEST.items() if key != "rules"}
    assert decode_request(apply_profile(house, without)).rules == "hefei"
    for other in ("taiwanese", "chess", None, 5):
        with pytest.raises(RequestError, match="rules must be hefei as in the profile"):
            apply_profile(house, REQUEST | {"rules": other})
    with pytest.raises(RequestError, match="options must be"):
        decode_request(apply_profile(house, REQUEST | {"options": 5}))


def test_a_profile_takes_only_settings_that_there_are() -> None:
    with pytest.raises(RequestError, match="'windy'"):
        make_profile(TODAY, {"windy": True})
    with pytest.raises(RequestError, match="win_row"):
        make_profile(TODAY, {"win_row": True})
    assert isinstance(make_profile(TODAY, {}), Profile)


def test_a_profile_may_write_its_game_with_a_hyphen() -> None:
    plain = profile_json(make_profile(rule_set("hong_kong"), {"min_fan": 3}))
    read = decode_profile(json.dumps(plain | {"rules": "hong-kong"}))
    assert read == decode_profile(json.dumps(plain))
    for rules in ("hong-kong", "hong_kong"):
        assert apply_profile(read, {"rules": rules})["rules"] == "hong_kong"
