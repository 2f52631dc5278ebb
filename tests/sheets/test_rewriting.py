"""A hand that was told wrongly is told again: what it paid changes, and nothing that follows is lost."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import msgspec
import pytest

from companion.coach.play.simulation import play
from companion.errors import EventError
from companion.game.game import Game
from companion.rules import RULE_SETS, Source
from companion.sheets.hands import Sheet, list_steps, make_sheet
from companion.sheets.rewriting import (
    find_end,
    find_reported_win,
    list_concealed,
    make_sheet_without,
    plan_end,
    plan_step,
    with_giver,
    with_reported_tile,
    with_winner,
)
from companion.table.apply import fold
from companion.table.events import (
    Called,
    Corrected,
    Event,
    GameStarted,
    HandAbandoned,
    HandStarted,
    PointsMoved,
    WinPassed,
    Won,
    number_corrected,
)
from companion.table.knowledge import event_as_seen
from companion.table.unrecorded import ReportedWin, enter_drawn, enter_win
from companion.tiles import Tile, parse_meld, parse_tiles

GOLDEN = Path(__file__).parents[1] / "golden"
PLAIN = {
    "hefei": "HF-R01",
    "hebei": "HB-R02",
    "taiwanese": "TW-R03",
    "hong_kong": "HK-R11",
    "hangzhou": "HZ-R05",
}
NAMES = ("Ann", "Bao", "陈", "Dai")


def read_win(rules: str) -> tuple[tuple[Tile, ...], tuple[Tile, ...], Tile, Tile | None, tuple[str, ...]]:
    """Tiles, flowers, winning tile, Fortune and melds of a plain win of that game."""
    lines = (GOLDEN / f"{rules}.jsonl").read_text(encoding="utf-8").splitlines()
    asked = next(each["request"] for each in map(json.loads, lines) if each["id"] == PLAIN[rules])
    tiles = parse_tiles(asked["hand"])
    fortune = asked.get("fortune")
    return (
        tuple(tiles),
        tuple(parse_tiles(asked.get("flowers", ""))),
        Tile.parse(asked["winning_tile"]),
        Tile.parse(fortune) if fortune else None,
        tuple(asked.get("melds", ())),
    )


def tell(rules: str, seat: int, giver: int | None) -> ReportedWin:
    tiles, flowers, tile, fortune, melds = read_win(rules)
    laid = tuple(parse_meld(each) for each in melds)
    source = Source.SELF_DRAW if giver is None else Source.DISCARD
    all_tiles = (*tiles, *(tile for meld in laid for tile in meld.tiles))
    return ReportedWin(seat, source, giver, tile, all_tiles, laid, flowers, fortune=fortune)


@cache
def play_told(rules: str) -> tuple[Event, ...]:
    """Four hands of which only the ends were recorded, the third drawn, and a bet after the first."""
    events: list[Event] = [GameStarted(rules=rules, names=NAMES)]

    def add(*more: Event) -> None:
        events.extend(more)

    def state():  # type: ignore[no-untyped-def]
        return fold(events)

    drawn_only = rules == "hangzhou"
    add(*enter_win(state(), tell(rules, 1, None)).events)
    add(PointsMoved(points=(1, -1, 0, 0), why="a bet"))
    add(*enter_win(state(), tell(rules, 2, None if drawn_only else 3)).events)
    fortune = read_win(rules)[3]
    add(*enter_drawn(state(), fortune))
    add(*enter_win(state(), tell(rules, state().deal.dealer, None)).events)
    return tuple(events)


def check_game(sheet: Sheet) -> None:
    assert sum(sheet.state.points) == sum(sheet.start)
    assert all(sum(hand.points) == 0 for hand in sheet.hands)
    assert fold(sheet.log) == sheet.state


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_told_win_is_found_as_it_was_told(rules: str) -> None:
    sheet = make_sheet(play_told(rules))
    reported = find_reported_win(sheet.hands[0])
    assert reported is not None
    assert (reported.seat, reported.source, reported.discarder) == (1, Source.SELF_DRAW, None)
    assert sorted(reported.tiles) == sorted(tell(rules, 1, None).tiles)
    assert list_concealed(reported)[-1] == reported.tile
    assert find_reported_win(sheet.hands[2]) is None


def test_the_circumstances_of_a_told_win_are_found_as_they_were_told() -> None:
    start = GameStarted(rules="taiwanese", names=NAMES)
    state = fold([start])
    assert state is not None
    reported = replace(tell("taiwanese", 2, None), situation=frozenset({"last_tile"}), discards=9)
    found = find_reported_win(make_sheet((start, *enter_win(state, reported).events)).hands[0])
    assert found is not None
    assert (found.situation, found.discards) == ({"last_tile"}, 9)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_another_winner_changes_what_is_paid_and_keeps_the_hands_after_it(rules: str) -> None:
    sheet = make_sheet(play_told(rules))
    reported = find_reported_win(sheet.hands[0])
    assert reported is not None
    planned = plan_end(sheet, 0, [with_winner(reported, 3)])
    after = planned.sheet
    check_game(after)
    assert [win.winner for win in after.hands[0].wins] == [3]
    assert [hand.dealer for hand in after.hands] == [hand.dealer for hand in sheet.hands]
    assert [hand.number for hand in after.hands] == [1, 2, 3, 4]
    assert planned.change.hands[0].number == 1
    assert planned.change.before == sheet.state.points
    assert planned.change.after == after.state.points
    gained = [now - was for was, now in zip(sheet.hands[0].points, after.hands[0].points, strict=True)]
    assert gained[3] > 0 > gained[1]
    (correction,) = after.corrections
    assert make_sheet_without(after, correction).state == sheet.state


@pytest.mark.parametrize("rules", [rules for rules in RULE_SETS if rules != "hangzhou"])
def test_the_tile_was_anothers(rules: str) -> None:
    sheet = make_sheet(play_told(rules))
    reported = find_reported_win(sheet.hands[1])
    assert reported is not None
    assert reported.discarder == 3
    after = plan_end(sheet, 1, [with_giver(reported, 0)]).sheet
    check_game(after)
    assert after.hands[1].wins[0].giver == after.hands[1].wins[0].giver is not None
    assert after.hands[1].after.hand is not None
    assert after.hands[1].after.hand.results[0].discarder == 0
    drawn = plan_end(sheet, 1, [with_giver(reported, None)]).sheet
    assert drawn.hands[1].wins[0].giver is None


@pytest.mark.parametrize("rules", RULE_SETS)
def test_nobody_won_after_all_and_then_somebody_did(rules: str) -> None:
    sheet = make_sheet(play_told(rules))
    reported = find_reported_win(sheet.hands[3])
    assert reported is not None
    drawn = plan_end(sheet, 3, []).sheet
    check_game(drawn)
    assert drawn.hands[3].drawn
    again = plan_end(drawn, 3, [reported]).sheet
    assert again.state.points == sheet.state.points
    assert len(again.corrections) == 2


def test_a_tile_of_the_hand_was_another() -> None:
    sheet = make_sheet(play_told("hefei"))
    reported = find_reported_win(sheet.hands[0])
    assert reported is not None
    concealed = list_concealed(reported)
    at = next(at for at, tile in enumerate(concealed) if tile.code == "3p")
    after = plan_end(sheet, 0, [with_reported_tile(reported, at, "6p")]).sheet
    assert after.hands[0].wins[0].concealed.count("6p") == 1
    assert after.hands[0].wins[0].concealed.count("3p") == 0
    with pytest.raises(EventError):
        plan_end(sheet, 0, [with_reported_tile(reported, at, "8s")])


def test_a_flower_of_the_hand_was_another() -> None:
    sheet = make_sheet(play_told("taiwanese"))
    reported = find_reported_win(sheet.hands[0])
    assert reported is not None
    assert reported.flowers
    right = "8f"
    assert right not in [flower.code for flower in reported.flowers]
    after = plan_end(sheet, 0, [with_reported_tile(reported, len(list_concealed(reported)), right)]).sheet
    was, now = sheet.hands[0].wins[0], after.hands[0].wins[0]
    assert right in now.flowers
    assert len(now.flowers) == len(was.flowers)
    assert (now.concealed, now.melds) == (was.concealed, was.melds)


def test_a_correction_of_many_events_is_kept_in_a_game_and_read_again(tmp_path: Path) -> None:
    events = play_told("hong_kong")
    path = tmp_path / "friday.game"
    start = events[0]
    assert isinstance(start, GameStarted)
    with Game.begin(path, start) as game:
        for event in events[1:]:
            game.append(event)
        sheet = make_sheet(events)
        reported = find_reported_win(sheet.hands[0])
        assert reported is not None
        planned = plan_end(sheet, 0, [with_winner(reported, 2)])
        game.append(planned.correction)
    with Game.resume(path) as game:
        assert game.state.points == planned.sheet.state.points
        game.undo()
        assert game.state.points == sheet.state.points


def test_one_event_of_several_that_were_put_right_is_put_right_again() -> None:
    sheet = make_sheet(play_told("hong_kong"))
    reported = find_reported_win(sheet.hands[1])
    assert reported is not None
    once = plan_end(sheet, 1, [with_giver(reported, 0)]).sheet
    steps = list_steps(once.hands[1])
    at = next(
        at for at, step in enumerate(steps) if getattr(step.event, "tile", None) and at < len(steps) - 1
    )
    again = plan_step(once, 1, steps, at, steps[at].event)
    assert again.sheet.state.points == once.state.points
    assert not again.change.hands


def test_corrections_of_others_stay_where_events_between_them_go() -> None:
    start = GameStarted(rules="hefei")
    bets = [PointsMoved(points=(n, -n, 0, 0), why="a bet") for n in (1, 2, 4)]
    right = PointsMoved(points=(8, -8, 0, 0), why="a bet")
    log = [start, *bets, Corrected(number=2, right=right), PointsMoved(points=(16, -16, 0, 0), why="a bet")]
    log.append(
        Corrected(number=3, upto=6, right=PointsMoved(points=(32, -32, 0, 0), why="a bet"), more=(right,))
    )
    assert [number for number, _ in number_corrected(log)] == [1, 2, 3, 3]
    state = fold(log)
    assert state is not None
    assert state.points[0] == 8 + 32 + 8


@cache
def play_seen(rules: str) -> tuple[Event, ...]:
    """Three hands of built-in players, of which everything was seen but what is hidden."""
    start = GameStarted(rules=rules, names=NAMES)
    events: list[Event] = [start]
    for hand in play(start, 3, random.Random(4)):
        state = hand.before
        for step in hand.steps:
            if not isinstance(step.event, Called | WinPassed):
                events.append(event_as_seen(state, step.event, None))
            state = step.state
    return tuple(events)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_hand_that_was_followed_was_won_by_nobody_after_all_and_then_by_the_winner(rules: str) -> None:
    sheet = make_sheet(play_seen(rules))
    place = next(at for at, hand in enumerate(sheet.hands) if hand.wins)
    hand = sheet.hands[place]
    win = hand.wins[0]
    drawn = plan_end(sheet, place, []).sheet
    assert drawn.hands[place].drawn
    check_game(drawn)
    seat = hand.after.seated.index(win.winner)
    reported = ReportedWin(
        seat, win.source, None if win.giver is None else hand.after.seated.index(win.giver),
        Tile.parse(win.concealed[-1]), tuple(map(Tile.parse, win.concealed)),
    )  # fmt: skip
    before = find_end(drawn.hands[place]).before
    known = before.hand
    assert known is not None
    reported = replace(reported, melds=tuple(laid.meld for laid in known.players[seat].melds if laid.meld))
    again = plan_end(drawn, place, [reported]).sheet
    assert again.hands[place].points == hand.points
    check_game(again)
    assert again.state.points == sheet.state.points


@cache
def play_called(rules: str) -> tuple[Event, ...]:
    """Hands of which all is known, also who called for which tile."""
    start = GameStarted(rules=rules, names=NAMES)
    return (start, *(step.event for hand in play(start, 6, random.Random(4)) for step in hand.steps))


@pytest.mark.parametrize("rules", ["hong_kong", "taiwanese", "hebei"])
def test_a_win_that_was_called_can_be_taken_back_or_given_to_another(rules: str) -> None:
    """The call is of that win: it goes with it."""
    sheet = make_sheet(play_called(rules))
    place = next(
        at for at, hand in enumerate(sheet.hands)
        if hand.wins and hand.wins[0].giver is not None
        and any(isinstance(event, Called) for _, event in hand.events[-3:])
    )  # fmt: skip
    drawn = plan_end(sheet, place, []).sheet
    assert drawn.hands[place].drawn
    assert not any(drawn.hands[place].points)
    check_game(drawn)
    steps = list_steps(sheet.hands[place])
    at = next(at for at, step in enumerate(steps) if isinstance(step.event, Won))
    won = steps[at].event
    assert isinstance(won, Won)
    state = steps[at - 1].state
    assert state.hand is not None
    offer = state.hand.offer
    assert offer is not None
    other = next(seat for seat in state.house.seats if seat not in (won.seat, offer.seat))
    with pytest.raises(EventError) as refused:
        plan_step(sheet, place, steps, at, msgspec.structs.replace(won, seat=other))
    assert "called" not in str(refused.value), "what is wrong is the hand, not the call that it takes back"


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_hand_that_did_not_count_was_won(rules: str) -> None:
    start = GameStarted(rules=rules, names=NAMES)
    sheet = make_sheet((start, HandStarted(dealer=0, dice=(3, 4)), HandAbandoned(why="walls fell")))
    after = plan_end(sheet, 0, [tell(rules, 1, None)]).sheet
    (hand,) = after.hands
    assert [win.winner for win in hand.wins] == [1]
    assert hand.events[0][1] == HandStarted(dealer=0, dice=(3, 4)), "the dice stay"
    check_game(after)


def test_payments_during_a_hand_survive_a_corrected_end() -> None:
    start = GameStarted(rules="hong_kong", names=NAMES)
    bet = PointsMoved(points=(3, -3, 0, 0), why="a bet")
    begun: list[Event] = [start, HandStarted(dealer=0, dice=(3, 4)), bet]
    state = fold(begun)
    assert state is not None
    sheet = make_sheet((*begun, *enter_drawn(state)))
    after = plan_end(sheet, 0, [tell("hong_kong", 2, None)]).sheet
    assert [win.winner for win in after.hands[0].wins] == [2]
    assert bet in [event for _, event in after.hands[0].events]
