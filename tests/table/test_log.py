"""Events as lines of text, logs, corrections; and states that nobody can mistake."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from companion.errors import EventError
from companion.rules import RULE_SETS, describe
from companion.rules.profile import complete_settings
from companion.table import events, messages
from companion.table.apply import ANY_TIME, BETWEEN_HANDS, IN_HAND, apply, fold
from companion.table.events import (
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandStarted,
    apply_corrections,
    decode_event,
    decode_log,
    encode_event,
    encode_log,
    number_corrected,
)
from companion.table.knowledge import event_as_seen, state_as_seen
from companion.table.state import State
from tests.table.test_scripts import CASES

BEGUN: list[Event] = [GameStarted(rules="hebei"), HandStarted(dealer=0), Dealt()]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "is not an event of a game"),
        (b"\xff", "is not an event of a game"),
        ("[" * 10_000, "is not an event of a game"),
        ('{"event": "eaten", "seat": 1}', "event cannot be 'eaten'"),
        ('{"event": "drawn", "seat": 4}', "seat must be at most 3"),
        ('{"event": "drawn", "seat": 1, "tile": "0m"}', "tile"),
        ('{"event": "drawn", "seat": 1, "from": 2}', "there is no field from"),
        ('{"event": "added_kong", "seat": 1}', "tile is missing"),
        ('{"event": "claimed", "seat": 1, "meld": "x555m"}', "meld"),
    ],
)
def test_a_line_that_is_no_event_is_refused_in_words(line: str | bytes, words: str) -> None:
    with pytest.raises(EventError) as error:
        decode_event(line)
    assert words in str(error.value)
    assert len(str(error.value)) < 300


def test_an_event_is_one_line_that_leaves_out_what_is_as_usual() -> None:
    assert encode_event(Drawn(seat=2)) == b'{"event":"drawn","seat":2}'
    assert encode_event(GameStarted(rules="hefei")) == b'{"event":"game_started","rules":"hefei"}'
    assert decode_event(encode_event(Corrected(number=3, right=Discarded(seat=1, tile="5m")))) == Corrected(
        number=3, right=Discarded(seat=1, tile="5m")
    )


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ('{"event": "game_started", "rules": "hefei"}', "not the first line"),
        ('{"format": "chess", "version": 1}', "not the first line"),
        (
            '{"format": "mahjong-companion-table", "version": 2}',
            "this program knows version 1",
        ),
    ],
)
def test_a_log_begins_with_its_version(first: str, words: str) -> None:
    with pytest.raises(EventError, match=f"Line 2: .*{words}"):
        list(decode_log(["", first]))


def test_a_wrong_line_is_named() -> None:
    lines = [*encode_log(BEGUN), b"", b"{}"]
    with pytest.raises(EventError, match="Line 6: "):
        list(decode_log(lines))


def test_a_byte_order_mark_is_no_part_of_a_log_and_other_text_is_refused() -> None:
    first, *rest = encode_log(BEGUN)
    marked = [b"\xef\xbb\xbf" + first, *rest]
    assert [event for _, event in decode_log(marked)] == BEGUN
    assert [event for _, event in decode_log(line.decode() for line in marked)] == BEGUN
    with pytest.raises(EventError, match=r"^Line 1: It is not UTF-8 text\.$"):
        list(decode_log([first.decode().encode("utf-16")]))


def test_corrections_stand_in_the_place_of_what_they_correct() -> None:
    log = [*BEGUN, Discarded(seat=0, tile="5m"), Drawn(seat=1)]
    right = Discarded(seat=0, tile="6m")
    assert apply_corrections([*log, Corrected(number=4, right=right)]) == [*BEGUN, right, Drawn(seat=1)]
    assert apply_corrections([*log, Corrected(number=5)]) == log[:-1]
    twice = [*log, Corrected(number=4, right=right), Corrected(number=6)]
    assert apply_corrections(twice) == log
    assert [number for number, _ in number_corrected(twice)] == [1, 2, 3, 4, 5]
    state = fold([*log, Corrected(number=4, right=right)])
    assert state is not None
    assert state.hand is not None
    assert [tile.code for tile in state.hand.players[0].discards] == ["6m"]


def test_a_correction_that_makes_the_rest_impossible_is_refused_with_the_number() -> None:
    log = [*BEGUN, Discarded(seat=0, tile="5m"), Drawn(seat=1), Discarded(seat=1, tile="5m")]
    with pytest.raises(EventError, match="Event 6: No discard is due"):
        fold([*log, Corrected(number=5)])
    with pytest.raises(EventError, match="corrects event 9, which is not before it"):
        fold([*log, Corrected(number=9)])


def test_every_kind_of_event_has_its_step() -> None:
    steps = {*IN_HAND, *BETWEEN_HANDS, *ANY_TIME}
    assert steps == set(get_args(Event)) - {GameStarted, Corrected}


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ({"rules": "chess"}, "rules must be hefei or"),
        ({"rules": "hefei", "options": {"ting_must_win": True}}, "not a house option of Hefei"),
        ({"rules": "hefei", "options": {"multi_win": "yes"}}, "options.multi_win must be false or true"),
        ({"rules": "hebei", "options": {"players": 3}, "dealer": 3}, "Seat 3 sits out"),
        ({"rules": "hefei", "base": 0}, "The base cannot be 0"),
        ({"rules": "hefei", "stakes": {"base": 100}}, "stakes.base must be 0 or left out: Hefei"),
        ({"rules": "taiwanese", "stakes": {"base": -1}}, "stakes.base must be a whole number from 0"),
        ({"rules": "taiwanese", "stakes": {"unit": 10**10}}, "stakes.unit must be a whole number from 0"),
        ({"rules": "taiwanese", "stakes": {"base": 0, "unit": 0}}, "stakes must not all be 0"),
        ({"rules": "taiwanese", "stakes": {"unit": 10**9}, "base": 2}, "must be at most 1,000,000,000"),
        ({"rules": "taiwanese", "stakes": {"tai": 5}}, "is not an event of a game"),
        ({"rules": "taiwanese", "stakes": {"unit": "20"}}, "is not an event of a game"),
        ({"rules": "taiwanese", "stakes": {"unit": True}}, "is not an event of a game"),
        ({"rules": "taiwanese", "stakes": {"unit": 1e30}}, "is not an event of a game"),
        ({"rules": "taiwanese", "stakes": 20}, "is not an event of a game"),
        ({"rules": "hangzhou", "streak": 0}, "in Hangzhou it starts at 1"),
    ],
)
def test_a_game_that_cannot_begin(start: dict[str, Any], words: str) -> None:
    with pytest.raises(EventError) as error:
        apply(None, decode_event(json.dumps({"event": "game_started", **start})))
    assert words in str(error.value)


def test_nothing_happens_before_a_game() -> None:
    with pytest.raises(EventError, match="drawn comes before game_started"):
        apply(None, Drawn(seat=0))
    assert fold([]) is None


def test_an_open_concealed_kong_is_known_to_all() -> None:
    """C-07: else only its owner knows."""
    known: dict[bool, State] = {}
    for public in (False, True):
        options = {"concealed_kong_public": public}
        log = [GameStarted(rules="hebei", options=options), HandStarted(dealer=0)]
        log.append(Dealt(hands=("1111m234p567p999s1z", None, None, None)))
        state = fold(log)
        assert state is not None
        kong = decode_event('{"event": "concealed_kong", "seat": 0, "tile": "1m"}')
        assert (event_as_seen(state, kong, 2) == kong) == public
        assert event_as_seen(state, kong, 0) == kong
        known[public] = state_as_seen(apply(state, kong), 2)
    laid = {public: state.hand and state.hand.players[0].melds[0].meld for public, state in known.items()}
    assert {public: str(meld) for public, meld in laid.items()} == {False: "None", True: "K1111m"}


def test_every_setting_of_play_is_shown_by_a_script() -> None:
    """In one game, where several have it. Those of the wall, and what is open, have tests of their own."""
    options = [option for rules in RULE_SETS.values() for option in rules.play.options]
    shown = {(key, setting) for case in CASES for key, setting in case["game"].get("options", {}).items()}
    shown |= {(option.key, option.default) for option in options}
    needed = {(option.key, setting) for option in options for setting in option.alternatives(option.default)}
    assert needed - shown == {("concealed_kong_public", True)}


@pytest.mark.parametrize("rules", RULE_SETS)
def test_options_of_play_and_of_scoring_have_names_of_their_own(rules: str) -> None:
    scoring = {option.key for option in RULE_SETS[rules].options}
    own = [option.key for option in RULE_SETS[rules].play.own_options]
    assert len(own) == len(set(own))
    assert not scoring & set(own)
    assert set(complete_settings(RULE_SETS[rules], {})) == scoring | set(own)
    assert [option["key"] for option in describe(RULE_SETS[rules])["play_options"]] == own


def test_the_reference_tells_every_event_and_its_example_is_a_game() -> None:
    text = (Path(events.__file__).parent / "EVENTS.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", text, re.MULTILINE))
    reported = {tag: re.findall(r"`(\w+)`", fields) for tag, fields in rows.items()}
    kinds = {kind.__struct_config__.tag: list(kind.__struct_encode_fields__) for kind in get_args(Event)}
    assert reported.keys() == kinds.keys()
    for tag, fields in kinds.items():
        assert sorted(reported[tag]) == sorted(fields)
    example = text.split("```json\n")[1].split("```")[0].splitlines()
    state = fold(event for _, event in decode_log(example))
    assert state is not None
    assert state.balances == (96, 104, 100, 100)


def test_every_sentence_is_listed_for_translators() -> None:
    templates = {value for name, value in vars(messages).items() if name.isupper() and isinstance(value, str)}
    assert templates | set(messages.NOT_NOW.values()) == set(messages.ALL)
    assert len(messages.ALL) == len(set(messages.ALL))
