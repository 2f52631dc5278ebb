"""A win that people tell is booked as the simulator booked it: of a hand that was followed, and of one of
which nothing was recorded."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from companion.coach.play.simulation import play
from companion.errors import EventError
from companion.rules import RULE_SETS, Source
from companion.rules.scoring import value_before_conversion
from companion.rules.stated import Stated
from companion.rules.win import Stakes
from companion.table.apply import apply, fold
from companion.table.events import (
    ConcealedKong,
    Dealt,
    Discarded,
    Event,
    GameStarted,
    HandStarted,
    Won,
    decode_event,
    encode_event,
)
from companion.table.knowledge import state_as_seen
from companion.table.possible import find_way
from companion.table.state import State
from companion.table.unrecorded import (
    ReportedWin,
    begin_hand,
    enter_win,
    enter_wins,
    list_known_chances,
    needs_fortune,
)
from companion.table.wins import find_chance, list_known_melds, make_request
from companion.tiles import Tile, parse_meld, parse_tiles

SEED, HANDS = 5, 8


def simulate(rules: str) -> Iterator[tuple[GameStarted, State, State, ReportedWin]]:
    """Of each first win: the game before the hand, the states around the win, and how it is told."""
    for played in play(GameStarted(rules=rules), HANDS, random.Random(SEED)):
        for before, step in zip(played.steps, played.steps[1:], strict=False):
            hand = step.state.hand
            if not isinstance(step.event, Won) or hand is None or len(hand.results) > 1:
                continue
            result, player = hand.results[0], hand.players[step.event.seat]
            assert before.state.hand is not None
            melds = list_known_melds(player)
            chance = find_chance(before.state, before.state.hand, result.winner)
            request = make_request(before.state, before.state.hand, chance, player.concealed, melds)
            reported = ReportedWin(
                result.winner,
                result.source,
                result.discarder,
                result.tile,
                (*player.concealed, *(tile for meld in melds for tile in meld.tiles)),
                melds,
                player.flowers,
                request.situation,
                request.discards,
                hand.fortune,
                request.gambits,
                request.consecutive_kongs,
            )
            yield played.start, before.state, step.state, reported


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_told_win_is_booked_as_the_simulator_booked_it(rules: str) -> None:
    wins = 0
    for start, before, after, reported in simulate(rules):
        followed = enter_win(
            state_as_seen(before, None),
            ReportedWin(reported.seat, tile=reported.tile, tiles=reported.tiles, melds=reported.melds),
        )
        assert followed.after.points == after.points
        assert len(followed.events) == 1, "of a followed hand only the win is entered"
        untold = enter_win(apply(None, start), reported)
        assert after.hand is not None
        assert untold.score.payments == after.hand.results[0].score.payments
        assert untold.score.lines == after.hand.results[0].score.lines
        assert untold.after.deal == after.deal
        assert untold.compare().value == untold.score.value
        wins += 1
    assert wins > 2, SEED


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["hefei", "taiwanese", "hong_kong"])
def test_a_win_that_is_stated_by_its_value_is_paid_as_its_tiles_are(rules: str) -> None:
    wins = 0
    for start, _, after, reported in simulate(rules):
        assert after.hand is not None
        score = after.hand.results[0].score
        if reported.source is Source.ROBBED_KONG:
            continue
        own = value_before_conversion(
            RULE_SETS[rules], [(line.id, line.value) for line in score.lines], score.value
        )
        stated = Stated(value=score.value if own is None else own)
        without_tiles = replace(reported, tile=None, tiles=(), melds=(), flowers=(), stated=stated)
        entered = enter_win(apply(None, start), without_tiles)
        assert entered.score.payments == score.payments
        assert entered.after.deal == after.deal
        assert decode_event(encode_event(entered.events[-1])) == entered.events[-1]
        wins += 1
    assert wins > 2, SEED


def test_several_wins_that_are_stated_are_paid_together() -> None:
    state = apply(None, GameStarted(rules="hong_kong", options={"multi_win": True, "payout": "exponential"}))
    won = [ReportedWin(seat, Source.DISCARD, 1, stated=Stated(value=fan)) for seat, fan in ((2, 3), (0, 4))]
    wins = enter_wins(state, won)
    assert [win.score.value for win in wins] == [8, 16]
    assert wins[-1].after.points == (48, -48, 24, -24)


@pytest.mark.parametrize("stated", [True, False])
def test_a_win_after_one_on_a_discard_is_of_the_next_hand(stated: bool) -> None:
    """Where several may win on one tile too: the winners of one hand are entered together."""
    state = apply(None, GameStarted(rules="hong_kong", options={"multi_win": True}))
    tile = Tile.parse("8s")
    if stated:
        first = ReportedWin(1, Source.DISCARD, 3, stated=Stated(value=3))
    else:
        first = tell(1, "34588m345p678s", "p222m", source=Source.DISCARD, discarder=3, tile=tile)
    state = enter_win(state, first).after
    for discarder in (3, 2):
        won = enter_win(state, ReportedWin(0, Source.DISCARD, discarder, stated=Stated(value=3)))
        assert isinstance(won.events[0], HandStarted)
        assert won.after.points[discarder] < state.points[discarder]


def test_a_stated_win_has_no_tiles() -> None:
    state = apply(None, GameStarted(rules="hong_kong", options={"min_fan": 3}))
    before = enter_win(state, ReportedWin(0, Source.SELF_DRAW, stated=Stated(value=3))).events
    for event in before[:-1]:
        state = apply(state, event)
    hand = "123m456m789m123p55s"
    with pytest.raises(EventError, match="leave out its tiles"):
        apply(state, Won(seat=0, hand=hand, stated=Stated(value=3)))
    with pytest.raises(EventError, match="a win takes 3 at least"):
        apply(state, Won(seat=0, stated=Stated(value=1)))


def test_one_win_is_stated_and_another_on_the_same_tile_is_shown() -> None:
    state = apply(None, GameStarted(rules="hefei", options={"multi_win": True}))
    tile = Tile.parse("8s")
    shown = tell(3, "56788m456p678s", "p333m", source=Source.DISCARD, discarder=1, tile=tile)
    stated = ReportedWin(2, Source.DISCARD, 1, tile, stated=Stated(value=20))
    for reported in ((stated, shown), (shown, stated)):
        after = enter_wins(state, reported)[-1].after
        assert after.hand is not None
        assert {result.winner: result.score.value for result in after.hand.results}[2] == 20
        assert sum(after.points) == 0
        assert tile not in after.hand.players[1].discards, "it is among a winner's tiles"


def test_a_kong_that_was_robbed_of_a_stated_win_is_a_pung_again() -> None:
    state = apply(None, GameStarted(rules="hong_kong"))
    won = ReportedWin(2, Source.ROBBED_KONG, 1, Tile.parse("8s"), stated=Stated(value=4))
    after = enter_win(state, won).after
    assert after.hand is not None
    assert [str(laid.meld) for laid in after.hand.players[1].melds] == ["p888s"]


def test_a_concealed_kong_is_robbed_for_thirteen_orphans_only_by_a_stated_win_too() -> None:
    state = apply(None, GameStarted(rules="hong_kong", options={"rob_concealed_for_13_orphans": True}))
    for event in (HandStarted(dealer=0), Dealt(), ConcealedKong(seat=0, tile="1m")):
        state = apply(state, event)
    with pytest.raises(EventError, match="Thirteen Orphans only"):
        apply(state, Won(seat=1, stated=Stated(value=8)))
    after = apply(state, Won(seat=1, stated=Stated(rows={"thirteen_orphans": 1})))
    assert after.hand is not None
    assert after.hand.results[0].winner == 1


@pytest.mark.parametrize("rows", [{"no_such_row": 1}, {"full_pung": 1, "full_chow": 1}, {"dragon_pung": 3}])
def test_rows_that_cannot_be_are_refused_of_a_win(rows: dict[str, int]) -> None:
    state = apply(None, GameStarted(rules="hong_kong"))
    with pytest.raises(EventError):
        enter_win(state, ReportedWin(0, Source.SELF_DRAW, stated=Stated(rows=rows)))
    entered = enter_win(state, ReportedWin(0, Source.SELF_DRAW, stated=Stated(rows={"full_pung": 1})))
    assert entered.score.value == 4, "with the row of the self-draw"


def test_unrecorded_hand_cannot_end_arbitrarily() -> None:
    state = apply(None, GameStarted(rules="hefei"))
    assert list_known_chances(state, 0) == ()
    hand = parse_tiles("23456788m345p678s")
    with pytest.raises(EventError, match="winning tile"):
        enter_win(state, ReportedWin(1, Source.DISCARD, 2, None, hand))
    with pytest.raises(EventError):
        enter_win(state, ReportedWin(1, Source.DISCARD, 1, hand[0], hand))
    begun = apply(state, HandStarted(dealer=0))
    entered = enter_win(begun, ReportedWin(1, Source.DISCARD, 2, hand[0], hand))
    assert entered.after.hand is not None
    assert entered.after.hand.results[0].discarder == 2
    assert not isinstance(entered.events[0], HandStarted)


def tell(seat: int, hand: str, *melds: str, **more: object) -> ReportedWin:
    laid = tuple(parse_meld(meld) for meld in melds)
    tiles = (*parse_tiles(hand), *(tile for meld in laid for tile in meld.tiles))
    return ReportedWin(seat, tiles=tiles, melds=laid, **more)  # type: ignore[arg-type]


def test_several_win_on_one_tile_of_a_hand_that_nobody_recorded_with_melds() -> None:
    """The melds of all three are laid before the tile falls."""
    start = GameStarted(rules="hefei", options={"multi_win": True})
    state = apply(None, start)
    tile = Tile.parse("8s")
    first = tell(2, "34588m345p678s", "p222m", source=Source.DISCARD, discarder=1, tile=tile)
    second = tell(3, "56788m456p678s", "p333m", source=Source.DISCARD, discarder=1, tile=tile)
    third = tell(0, "23334567p678s", "p777p", source=Source.DISCARD, discarder=1, tile=tile)
    wins = enter_wins(state, (first, second, third))
    for win in wins:
        for event in win.events:
            state = apply(state, event)
    assert state == wins[-1].after
    assert state.hand is not None
    assert [result.winner for result in state.hand.results] == [2, 3, 0]
    assert sum(state.points) == 0
    assert state.points[1] < 0 < min(state.points[0], state.points[2], state.points[3])
    with pytest.raises(EventError):
        enter_wins(apply(None, GameStarted(rules="hefei")), (first, second))


def test_whoever_wins_early_on_one_tile_does_so_after_as_many_discards() -> None:
    state = apply(None, GameStarted(rules="taiwanese", options={"multi_win": True}))
    tile = Tile.parse("8s")
    won = {"source": Source.DISCARD, "discarder": 1, "tile": tile}
    first = tell(2, "123m55z456p678s789s234m", discards=9, **won)
    second = tell(3, "123m66z456p678s123s567m", **won)
    for win in enter_wins(state, (first, second)):
        assert "within_10_discards" in {line.id for line in win.score.lines}


def test_gambits_and_kongs_in_a_row_are_told_where_the_game_counts_them() -> None:
    state = apply(None, GameStarted(rules="hangzhou"))
    assert needs_fortune(state)
    with pytest.raises(EventError):
        begin_hand(state)
    fortune = Tile.parse("5z")
    assert not needs_fortune(after(state, begin_hand(state, fortune)))
    won = {"source": Source.SELF_DRAW, "tile": Tile.parse("9s"), "fortune": fortune}
    plain = enter_win(state, tell(1, "234567m555777p5z9s", **won))
    gambit = enter_win(state, tell(1, "234567m555777p5z9s", gambits=1, **won))
    assert (plain.request.gambits, gambit.request.gambits) == (0, 1)
    assert gambit.score.value > plain.score.value
    replaced = {**won, "situation": frozenset({"replacement"})}
    one = enter_win(state, tell(1, "234567m5z9s", "K5555p", "k7777p", kongs_in_row=1, **replaced))
    two = enter_win(state, tell(1, "234567m5z9s", "K5555p", "k7777p", kongs_in_row=2, **replaced))
    assert (one.request.consecutive_kongs, two.request.consecutive_kongs) == (1, 2)


@pytest.mark.parametrize("claimed", [(), ("p222p",), ("c345s", "p222p")])
@pytest.mark.parametrize("counts_claimed", [True, False])
@pytest.mark.parametrize(
    ("source", "giver"), [(Source.SELF_DRAW, None), (Source.DISCARD, 0), (Source.DISCARD, 3)]
)
def test_an_early_win_is_one_only_where_people_say_how_many_discards_there_were(
    source: Source, giver: int | None, counts_claimed: bool, claimed: tuple[str, ...]
) -> None:
    options = {"speed_on_table_only": not counts_claimed}
    state = apply(None, GameStarted(rules="taiwanese", options=options))
    hand = "".join(tiles for meld, tiles in (("c345s", "345s"), ("p222p", "222p")) if meld not in claimed)
    reported = tell(
        1, f"123567m55z78s{hand}6s", *claimed, source=source, discarder=giver, tile=Tile.parse("6s")
    )

    def rows(discards: int | None) -> set[str]:
        made = enter_win(state, replace(reported, discards=discards)).score
        return {line.id for line in made.lines} & {"within_5_discards", "within_10_discards"}

    assert rows(None) == set()
    assert rows(9) == {"within_10_discards"}
    assert rows(14) == set()
    if len(claimed) < 2:
        assert rows(5) == {"within_5_discards"}


LAST = [("hefei", "sea_floor"), ("taiwanese", "last_tile"), ("hong_kong", "last_tile")]


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize(("rules", "situation"), LAST)
def test_each_player_may_have_drawn_the_last_tile(rules: str, situation: str, seat: int) -> None:
    state = apply(None, GameStarted(rules=rules))
    hand = "234567m88m345p678s" + ("345s" if rules == "taiwanese" else "")
    reported = tell(
        seat, hand, source=Source.SELF_DRAW, tile=Tile.parse("8s"), situation=frozenset({situation})
    )  # fmt: skip
    won = enter_win(state, reported)
    assert won.request.situation == {situation}
    assert any(line.id.startswith(situation) for line in won.score.lines)
    assert won.after.hand is not None
    assert won.after.hand.results[0].winner == seat


@pytest.mark.parametrize("giver", [0, 1, 3])
def test_each_other_player_may_have_discarded_after_the_last_tile(giver: int) -> None:
    state = apply(None, GameStarted(rules="taiwanese"))
    reported = tell(
        2, "123m55z456p678s789s234m", source=Source.DISCARD, discarder=giver, tile=Tile.parse("8s"),
        situation=frozenset({"last_tile"}),
    )  # fmt: skip
    assert "last_tile_discard" in {line.id for line in enter_win(state, reported).score.lines}


def test_an_early_win_with_claims_whose_number_of_discards_is_told_is_one() -> None:
    state = apply(None, GameStarted(rules="taiwanese"))
    reported = tell(
        0, "55z678s234m", "c123m", "c456p", "c789s",
        source=Source.SELF_DRAW, tile=Tile.parse("8s"), discards=9,
    )  # fmt: skip
    assert "within_10_discards" in {line.id for line in enter_win(state, reported).score.lines}
    with pytest.raises(EventError, match="discards"):
        enter_win(state, replace(reported, discards=2))


@pytest.mark.parametrize(
    ("situation", "source", "giver", "flowers"),
    [
        ("all_flowers", Source.SELF_DRAW, None, "12345678f"),
        ("all_flowers", Source.SELF_DRAW, None, ""),
        ("seven_flowers_robbing", Source.ROBBED_KONG, 3, "1234678f"),
        ("seven_flowers_robbing", Source.ROBBED_KONG, 0, ""),
    ],
)
def test_a_win_by_flowers_takes_no_winning_tile(
    situation: str, source: Source, giver: int | None, flowers: str
) -> None:
    state = apply(None, GameStarted(rules="taiwanese"))
    reported = tell(
        1, "147m258p369s1234z5z19m2p4s", source=source, discarder=giver,
        flowers=tuple(parse_tiles(flowers)) if flowers else (), situation=frozenset({situation}),
    )  # fmt: skip
    won = enter_win(state, reported)
    assert [line.id for line in won.score.lines] == [situation]
    assert giver is None or won.score.payments[giver] == -won.score.payments[1]
    with pytest.raises(EventError, match="circumstances"):
        enter_win(state, replace(reported, flowers=tuple(parse_tiles("123f"))))


@pytest.mark.parametrize(("stakes", "paid"), [(None, 0), (Stakes(100, 20), 100), (Stakes(30, 10), 30)])
def test_a_reported_win_of_nothing_is_paid_the_base(stakes: Stakes | None, paid: int) -> None:
    options = {"own_flowers_only": True}
    state = apply(None, GameStarted(rules="taiwanese", options=options, stakes=stakes))
    reported = tell(
        1, "123m567m678s55z", "p222p", "c345s", source=Source.DISCARD, discarder=2, tile=Tile.parse("8s"),
        flowers=tuple(parse_tiles("1f")),
    )  # fmt: skip
    won = enter_win(state, reported)
    assert (won.score.value, won.after.points) == (0, (0, paid, -paid, 0))


def test_all_melds_of_one_player_make_that_player_liable() -> None:
    state = apply(None, GameStarted(rules="hangzhou"))
    fortune = Tile.parse("5z")
    won = {"source": Source.SELF_DRAW, "tile": Tile.parse("9s"), "fortune": fortune}
    reported = tell(1, "234m5z9s", "p555p", "p777p", "p222s", claimed_from=3, **won)
    assert enter_win(state, reported).request.three_melds == ((1, 3),)


def after(state: State, events: tuple[Event, ...]) -> State:
    for event in events:
        state = apply(state, event)
    return state


def play_with_hidden_kong(rules: str) -> State:
    """Seat 1 has declared a concealed kong that nobody saw, and draws the tile that it wins with."""
    log: list[Event] = [GameStarted(rules=rules), HandStarted(dealer=0), Dealt()]
    moves = (
        Discarded(seat=0, tile="9p"), ConcealedKong(seat=1), Discarded(seat=1, tile="1p"),
        Discarded(seat=2, tile="2p"), Discarded(seat=3, tile="3p"), Discarded(seat=0, tile="9p"),
    )  # fmt: skip
    for move in moves:
        state = fold(log)
        assert state is not None
        log += find_way(state, move) or ()
    state = fold(log)
    assert state is not None
    return state


HAND = "123456m789s55p"
TOO_FEW = "Seat 1 shows {given} tiles: 15 are needed, with the four of each unseen kong."


@pytest.mark.parametrize("rules", ["hebei", "hong_kong"])
@pytest.mark.parametrize("given", [6, 11, 14])
def test_a_kong_that_nobody_saw_is_asked_for_with_one_count(rules: str, given: int) -> None:
    tiles = tuple(parse_tiles(HAND + "222s"))[:given]
    with pytest.raises(EventError) as refused:
        enter_win(play_with_hidden_kong(rules), ReportedWin(1, Source.SELF_DRAW, tiles=tiles))
    assert str(refused.value) == TOO_FEW.format(given=given)


@pytest.mark.parametrize("rules", ["hebei", "hong_kong"])
def test_a_kong_that_nobody_saw_is_found_among_the_tiles(rules: str) -> None:
    tiles = tuple(parse_tiles(HAND + "2222s"))
    reported = ReportedWin(1, Source.SELF_DRAW, tile=Tile.parse("5p"), tiles=tiles)
    won = enter_win(play_with_hidden_kong(rules), reported).events[-1]
    assert isinstance(won, Won)
    assert won.kongs == ("K2222s",)
    assert won.hand is not None
    assert sorted(parse_tiles(won.hand)) == sorted(parse_tiles(HAND))
    apart = replace(reported, melds=(parse_meld("K2222s"),))
    assert enter_win(play_with_hidden_kong(rules), apart).events[-1] == won


def test_ambiguous_kong_has_to_be_named() -> None:
    reported = ReportedWin(1, Source.SELF_DRAW, tiles=tuple(parse_tiles("11112m33m2222s4444s")))
    with pytest.raises(EventError, match="name its tile"):
        enter_win(play_with_hidden_kong("hebei"), reported)
