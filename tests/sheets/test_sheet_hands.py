"""The sheet of a game says what the ledger says, whatever was played and corrected."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.coach.play.simulation import play
from companion.rules import RULE_SETS, Source
from companion.sheets.figures import Evening, add_up, calculate_figures
from companion.sheets.hands import list_steps, make_sheet
from companion.sheets.wording import describe_win, write_line, write_worth
from companion.table.apply import fold
from companion.table.events import (
    Corrected,
    Event,
    GameStarted,
    HandStarted,
    PointsMoved,
    Won,
)
from companion.table.unrecorded import ReportedWin, enter_win
from companion.tiles import parse_tiles
from companion.words import Language, Words

NAMES = ("Ann", "Bao", "陈", "Dai")


@cache
def simulate(rules: str, hands: int = 4, seed: int = 5, payout: str = "linear") -> tuple[Event, ...]:
    start = GameStarted(rules=rules, names=NAMES, options={"payout": payout} if rules == "hong_kong" else {})
    events: list[Event] = [start]
    for hand in play(start, hands, random.Random(seed)):
        if hand.game > 1:
            break
        events += [step.event for step in hand.steps]
    return tuple(events)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_sheet_of_a_simulated_game_equals_its_ledger(rules: str) -> None:
    events = simulate(rules)
    state, sheet = fold(events), make_sheet(events)
    assert state is not None
    assert sheet.hands[-1].totals == state.points
    assert tuple(entry for hand in sheet.hands for entry in hand.entries) == state.ledger
    assert len(sheet.hands) == state.hands
    assert [hand.number for hand in sheet.hands] == list(range(1, state.hands + 1))
    assert all(sum(hand.points) == 0 for hand in sheet.hands)
    wins = [win for hand in sheet.hands for win in hand.wins]
    assert len(wins) == sum(isinstance(event, Won) for event in events)
    for win in wins:
        assert sum(win.payments) == 0
        assert len(win.concealed) + 3 * len(win.melds) in (14, 17)


def test_a_win_that_is_paid_in_units_is_said_in_fan_and_in_units() -> None:
    sheet = make_sheet(simulate("hong_kong", payout="exponential"))
    wins = [win for hand in sheet.hands for win in hand.wins]
    assert wins
    for win in wins:
        fan = sum(line.value for line in win.score.lines if line.id != "payout")
        assert write_worth(win.score, Words(Language.ENGLISH)) == f"{fan} fan = {2**fan} units"
        shown = {line.id: write_line(line, win.score.sign, win.score) for line in win.score.lines}
        assert shown.pop("payout") == f"= {2**fan}"
        assert all(value.startswith("+") for value in shown.values())


def test_a_win_stands_with_who_it_was_and_what_it_paid() -> None:
    sheet = make_sheet(simulate("hong_kong"))
    for hand in sheet.hands:
        steps = {step.number: step for step in list_steps(hand)}
        for win in hand.wins:
            event, after = steps[win.number].event, steps[win.number].state.hand
            assert isinstance(event, Won)
            assert after is not None
            assert after.seated[event.seat] == win.winner
            assert win.payments[win.winner] == max(win.payments) > 0
            if win.giver is not None:
                assert win.payments[win.giver] < 0


def test_a_hand_known_before_is_taken_as_it_was() -> None:
    events = simulate("hefei")
    known = make_sheet(events[:-9])
    grown = make_sheet(events, known)
    assert grown == make_sheet(events)
    assert grown.hands[0] is known.hands[0]


def test_a_correction_in_the_middle_changes_what_follows_and_keeps_both_versions() -> None:
    events = simulate("hong_kong")
    moved = PointsMoved(points=(10, -10, 0, 0), why="a wrong call")
    second = [at for at, event in enumerate(events) if isinstance(event, HandStarted)][1]
    events = (*events[:second], moved, *events[second:])
    right = PointsMoved(points=(-10, 10, 0, 0), why="a wrong call")
    before = make_sheet(events)
    after = make_sheet((*events, Corrected(number=second + 1, right=right)), before)
    assert after == make_sheet(after.log)
    for old, new in zip(before.hands, after.hands, strict=True):
        assert tuple(n - o for n, o in zip(new.totals, old.totals, strict=True)) == (-20, 20, 0, 0)
    (correction,) = after.corrections
    assert (correction.was, correction.right) == ((moved,), (right,))
    assert after.corrections_of(second + 1) == (correction,)
    taken_out = make_sheet((*after.log, Corrected(number=second + 1)), after)
    assert taken_out.hands[0].totals == tuple(
        n - o for n, o in zip(before.hands[0].totals, moved.points, strict=True)
    )
    assert [each.was for each in taken_out.corrections] == [(moved,), (right,)]


def test_a_confirmation_puts_nothing_right() -> None:
    events = simulate("hong_kong")
    moved = PointsMoved(points=(10, -10, 0, 0), why="a wrong call")
    number = len(events) + 1
    confirmed = make_sheet((*events, moved, Corrected(number=number, right=moved)))
    assert confirmed.corrections == ()
    assert not confirmed.ends_in_correction
    right = PointsMoved(points=(-10, 10, 0, 0), why="a wrong call")
    corrected = make_sheet((*confirmed.log, Corrected(number=number, right=right)))
    assert [each.was for each in corrected.corrections] == [(moved,)]
    assert corrected.ends_in_correction


def test_payments_before_the_first_hand_have_their_own_row() -> None:
    sheet = make_sheet((
        GameStarted(rules="hong_kong", names=NAMES),
        PointsMoved(points=(3, -3, 0, 0), why="a bet"),
        HandStarted(dealer=0),
    ))  # fmt: skip
    first, second = sheet.hands
    assert (first.number, first.points, first.dealer) == (0, (3, -3, 0, 0), None)
    assert (second.number, second.finished, second.drawn) == (1, False, False)


@settings(max_examples=15, deadline=None)
@given(rules=st.sampled_from(sorted(RULE_SETS)), cut=st.integers(0, 400))
def test_figures_add_up(rules: str, cut: int) -> None:
    events = simulate(rules)
    sheet = make_sheet(events[: max(1, len(events) - cut)])
    figures = calculate_figures(sheet)
    assert sum(person.points for person in figures.people) == 0
    assert figures.totals[-1] == sheet.state.points
    assert sum(person.wins for person in figures.people) == sum(
        len(h.wins) for h in sheet.hands if h.finished
    )
    assert all(sum(total) == sum(sheet.start) for total in figures.totals)
    assert all(pattern.wins <= sum(p.wins for p in figures.people) for pattern in figures.patterns)


def test_payments_before_the_end_of_the_first_hand_are_in_the_totals() -> None:
    sheet = make_sheet((
        GameStarted(rules="hong_kong", names=NAMES),
        HandStarted(dealer=0),
        PointsMoved(points=(3, -3, 0, 0), why="a bet"),
    ))  # fmt: skip
    before, now = calculate_figures(sheet).totals
    assert [b - a for a, b in zip(before, now, strict=True)] == [3, -3, 0, 0]


def test_figures_of_a_game_made_by_hand() -> None:
    sheet = make_sheet((GameStarted(rules="hong_kong", names=NAMES), HandStarted(dealer=0)))
    assert calculate_figures(sheet).hands == 0
    events = simulate("hong_kong", hands=6, seed=8)
    sheet = make_sheet(events)
    figures = calculate_figures(sheet)
    wins = [win for hand in sheet.hands for win in hand.wins]
    assert figures.hands == len(sheet.hands)
    assert figures.draws == sum(not hand.wins for hand in sheet.hands)
    for person, each in enumerate(figures.people):
        assert each.wins == sum(win.winner == person for win in wins)
        assert each.given == sum(win.giver == person for win in wins)
        assert each.self_draws == sum(win.winner == person and win.giver is None for win in wins)
        assert each.worth == sum(win.score.value for win in wins if win.winner == person)


def test_people_of_many_evenings_are_found_by_their_names() -> None:
    one = calculate_figures(make_sheet(simulate("hong_kong")))
    start, *rest = simulate("hong_kong", 4, 9)
    assert isinstance(start, GameStarted)
    other_names = ("Dai", "Eva", "Ann", "")
    other = calculate_figures(make_sheet((GameStarted(rules="hong_kong", names=other_names), *rest)))
    many = add_up([Evening("b", "2026-02", "hong_kong", other), Evening("a", "2026-01", "hong_kong", one)])
    by_name = {person.name: person for person in many.people}
    assert set(by_name) == {"Ann", "Bao", "陈", "Dai", "Eva"}
    assert by_name["Ann"].points == one.people[0].points + other.people[2].points
    assert by_name["Dai"].hands == one.hands + other.hands
    assert many.evenings == 2
    assert many.totals[-1] == tuple(person.points for person in many.people)
    assert many.totals[1][[p.name for p in many.people].index("Bao")] == one.people[1].points


def test_two_people_of_one_name_in_a_game_are_two() -> None:
    rest = list(simulate("hong_kong"))[1:]
    figures = calculate_figures(
        make_sheet((GameStarted(rules="hong_kong", names=("Ann", "Ann", "", "")), *rest))
    )
    many = add_up([Evening("a", "2026-01", "hong_kong", figures)])
    by_name = {person.name: person.points for person in many.people}
    assert by_name == {"Ann": figures.people[0].points, "Ann (2)": figures.people[1].points}
    assert sorted(many.totals[-1]) == sorted(by_name.values())


@pytest.mark.parametrize(
    ("rules", "options", "worth"),
    [
        ("hong_kong", {}, "4 fan"),
        ("hong_kong", {"payout": "exponential", "min_fan": 0}, "4 fan = 16 units"),
        ("hebei", {}, "base × 2"),
    ],
)
def test_a_win_is_worth_what_its_page_said(rules: str, options: dict[str, str | int], worth: str) -> None:
    hand = tuple(parse_tiles("222m55z456p678s999s" if rules == "hebei" else "222m55z444p888s999s"))
    start = GameStarted(rules=rules, names=NAMES, options=options)
    state = fold([start])
    assert state is not None
    reported = ReportedWin(1, Source.DISCARD, 0, parse_tiles("9s")[0], hand)
    win = make_sheet((start, *enter_win(state, reported).events)).hands[0].wins[0]
    assert describe_win(win, NAMES, Words(Language.ENGLISH)) == f"Bao on Ann's discard: {worth}"
