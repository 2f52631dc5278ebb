"""Steps of the club's switch, and the effects that they ask for: no window, no thread, no broker."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.app.club.feature import ClubFeature
from companion.app.club.state import (
    CONNECTING,
    INCOMPLETE,
    NO_GAME,
    OFF,
    PASSWORD_APART,
    SENT,
    Club,
    Destination,
    StartPublishing,
    StopPublishing,
)
from companion.app.effects import Keep, ShowMessage
from companion.app.feature import take_step
from companion.app.news import Covered, Uncovered
from companion.publish.connection import UNREACHABLE
from companion.sentences import Sentence

TO = Destination("mqtt://table7@broker.local", "dragons", "7")
FILLED = Club(TO, password="open sesame", game="friday")


def switched_on(state: Club = FILLED) -> Club:
    return take_step(state, lambda state: state.turn(True).work(None))[0]


def test_it_is_begun_with_the_password_and_kept_without_it() -> None:
    state, effects = take_step(FILLED, lambda state: state.turn(True))
    assert state.is_on
    assert effects == (Keep(), StartPublishing(state.destination, "open sesame"))
    assert "sesame" not in repr((state, effects))
    state = state.work(None)
    off, effects = take_step(state, lambda state: state.turn(False))
    assert not off.is_on
    assert effects == (Keep(), StopPublishing())
    assert off.password == "open sesame", "until the window is closed"


def test_nothing_is_begun_while_it_is_under_way() -> None:
    state, _ = take_step(FILLED, lambda state: state.turn(True))
    assert take_step(state, lambda state: state.turn(False)) == (state, ())


@pytest.mark.parametrize("missing", ["address", "club", "table"])
def test_what_is_missing_is_said(missing: str) -> None:
    empty = Club(replace(TO, **{missing: ""}))  # type: ignore[arg-type]
    state, effects = take_step(empty, lambda state: state.turn(True))
    assert (state.status, state.is_on, effects) == (Sentence(INCOMPLETE), False, ())


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("mqtt://table7:secret@broker.local", "mqtt://table7@broker.local"),
        ("mqtt://table7:sec:ret@broker.local:1884", "mqtt://table7@broker.local:1884"),
        ("mqtt://table7:123456", "mqtt://table7"),
        ("mqtt://table7:secr", "mqtt://table7"),
        ("table7:secret@broker.local", "table7@broker.local"),
        ("mqtt://table7@broker.local:1884", "mqtt://table7@broker.local:1884"),
        ("mqtts://broker.local:8883/", "mqtts://broker.local:8883/"),
        ("mqtt://table7:p@ss@broker.local", "mqtt://table7@broker.local"),
        ("mqtt://table7:pw]@[fe80::1]:1884", "mqtt://table7@[fe80::1]:1884"),
        ("mqtt://[fe80::1]:1884", "mqtt://[fe80::1]:1884"),
        ("mqtt://", "mqtt://"),
    ],
)
def test_a_password_in_the_address_is_neither_kept_nor_used(address: str, kept: str) -> None:
    state = Club(Destination(address, "dragons", "7"))
    assert ClubFeature.keep(None, state).address == kept  # type: ignore[arg-type]
    on, effects = take_step(state, lambda state: state.turn(True))
    if address == kept:
        assert on.is_on
    else:
        assert (on.status, effects) == (Sentence(PASSWORD_APART), ())


def test_what_is_going_on_is_a_sentence() -> None:
    state = FILLED
    assert state.status == Sentence(OFF)
    state = switched_on(state)
    assert state.status == Sentence(CONNECTING)
    assert state.catch_up("friday", 17).status == Sentence(SENT, {"count": 17})
    assert state.catch_up("thursday", 17).status == Sentence(CONNECTING), "the game that was left"
    assert state.catch_up("friday", 17).follow_game("saturday").status == Sentence(CONNECTING)
    assert state.follow_game(None).status == Sentence(NO_GAME)
    trouble = Sentence(UNREACHABLE, {"broker": "broker.local", "why": "No route to host"})
    assert state.catch_up("friday", 17).report(trouble).status == trouble
    assert state.report(trouble).report(None).status == Sentence(CONNECTING)


def test_what_ends_it_is_shown_on_every_page_and_it_stays_off() -> None:
    why = Sentence("no")
    in_front = switched_on().on_news(Uncovered())
    assert take_step(in_front, lambda state: state.fail(why))[1] == (Keep(),), "the page itself says why"
    state, effects = take_step(in_front.on_news(Covered()), lambda state: state.fail(why))
    assert (state.is_on, state.status) == (False, why)
    assert effects == (Keep(), ShowMessage(why))
    assert state.change(TO).status == Sentence(OFF)


def test_nothing_is_changed_while_it_is_on_and_late_reports_change_nothing() -> None:
    on = switched_on()
    assert on.change(Destination()) == on
    off = take_step(on, lambda state: state.turn(False))[0]
    assert off.report(Sentence("late")).catch_up("friday", 3) == off


def test_what_was_on_is_on_again_at_the_next_start() -> None:
    class Mirror:
        def listen(self, _: object) -> None:
            pass

    feature = ClubFeature(None, Mirror(), None)  # type: ignore[arg-type]
    kept = switched_on().destination
    assert feature.begin(kept, None).effects == (StartPublishing(kept, again=True),)  # type: ignore[arg-type]
    assert feature.begin(TO, None).effects == ()  # type: ignore[arg-type]
    assert feature.begin(None, None) == Club()  # type: ignore[arg-type]
