"""The served state: what a spectator could see, in every game, after every event."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from companion.coach.play.simulation import play
from companion.game.watching import PlayedSoFar
from companion.live.noticed import state_line
from companion.rules import RULE_SETS
from companion.rules.play import CONCEALED_KONG_PUBLIC, ROB_FOR_ORPHANS
from companion.sentences import Sentence
from companion.serve.messages import NO_GAME
from companion.serve.shown import show_game, show_trouble
from companion.sheets.hands import Sheet, make_sheet
from companion.table.apply import apply
from companion.table.events import ConcealedKong, Dealt, Event, GameStarted, HandStarted, SeatsChanged, Won
from companion.table.knowledge import event_as_seen, state_as_seen
from companion.table.state import State
from companion.words import Language, Words

ENGLISH = Words(Language.ENGLISH)


def played(rules: str, seed: int, hands: int, options: dict[str, object] | None = None) -> list[Event]:
    start = GameStarted(rules=rules, names=("Anna", "Bao", "Chen", ""), options=options or {})
    return [start, *(step.event for hand in play(start, hands, random.Random(seed)) for step in hand.steps)]


def follow(events: list[Event]) -> Iterator[tuple[State, list[Event], Sheet]]:
    state: State | None = None
    sheet: Sheet | None = None
    for number, event in enumerate(events, start=1):
        state = apply(state, event)
        sheet = make_sheet(events[:number], sheet)
        yield state, events[:number], sheet


def shown(state: State, events: list[Event], sheet: Sheet, language: Words = ENGLISH) -> dict[str, object]:
    return show_game(PlayedSoFar("friday", tuple(events), state), sheet, 1, language)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("seed", "rules"), [(seed, rules) for seed in (1, 2, 3) for rules in RULE_SETS])
def test_it_shows_the_same_whether_hands_are_known_or_not(seed: int, rules: str) -> None:
    events = played(rules, seed, 1)
    unseen: list[Event] = []
    known: State | None = None
    for event in events:
        unseen.append(event_as_seen(known, event, None))
        known = apply(known, event)
    both = zip(follow(events), follow(unseen), strict=True)
    for number, (open_hands, spectator) in enumerate(both):
        assert shown(*open_hands) == shown(*spectator), events[number]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("seed", "rules"), [(seed, rules) for seed in (1, 2, 3) for rules in RULE_SETS])
def test_its_state_is_the_one_of_track_and_concealed_tiles_are_counted(seed: int, rules: str) -> None:
    last_wins = 0
    for state, events, sheet in follow(played(rules, seed, 2)):
        document = shown(state, events, sheet)
        line = state_line(state_as_seen(state, None))
        assert {name: document["state"][name] for name in line} == line
        assert document["scores"]["points"] == list(state.balances)
        if state.hand is None:
            continue
        for player, seen in zip(state.hand.players, document["state"]["players"], strict=True):
            assert seen["concealed"] == player.count
            assert seen["shown"] == ([tile.code for tile in sorted(player.concealed)] if player.shown else [])
        last_wins += isinstance(events[-1], Won)
        assert (document["last_win"] is None) == (last_wins == 0)
        if isinstance(events[-1], Won):
            assert document["last_win"]["winner"] == events[-1].seat
            assert document["last_win"]["payments"] == list(state.hand.results[-1].score.payments)


def test_after_a_change_of_seats_all_lists_follow_the_players() -> None:
    events = [*played("hefei", 5, 1)]
    *_, (before, entered, sheet) = follow(events)
    first = shown(before, entered, sheet)
    events.append(SeatsChanged(order=(1, 0, 2, 3)))
    *_, (after, entered, sheet) = follow(events)
    second = shown(after, entered, sheet)
    swap = (1, 0, 2, 3)
    assert second["names"] == [first["names"][seat] for seat in swap]
    assert second["scores"]["won"] == [first["scores"]["won"][seat] for seat in swap]
    assert second["last_win"]["payments"] == [first["last_win"]["payments"][seat] for seat in swap]
    assert second["last_win"]["winner"] == swap.index(first["last_win"]["winner"])
    assert second["names"][3] == "Player 4"


def test_where_there_is_no_game_it_says_why() -> None:
    document = show_trouble(Sentence(NO_GAME), 3, Words(Language.SIMPLIFIED))
    assert document["game"] is None
    assert document["trouble"] == Words(Language.SIMPLIFIED)(NO_GAME)


@pytest.mark.parametrize("public", [False, True])
def test_a_concealed_kong_that_may_be_robbed_is_named_only_where_it_is_shown(public: bool) -> None:
    options = {ROB_FOR_ORPHANS.key: True, CONCEALED_KONG_PUBLIC.key: public}
    start = GameStarted(rules="hong_kong", options=options)
    dealt = Dealt(hands=("1111m2345678p123s", None, None, None))
    events = [start, HandStarted(dealer=0), dealt, ConcealedKong(seat=0, tile="1m")]
    *_, (state, entered, sheet) = follow(events)
    assert state.hand is not None
    assert state.hand.offer is not None
    document = shown(state, entered, sheet)
    assert document["state"]["offer"]["tile"] == ("1m" if public else None)
    assert document["state"]["melds"][0] == ["K1111m" if public else "K????"]
    assert ("1m" in str(document)) == public
