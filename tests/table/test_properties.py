"""What holds after every event of any game: tiles, counts, payments; and what a viewer knows of it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from companion.errors import EventError
from companion.money import Currency
from companion.rules.play import Replacements
from companion.table import events
from companion.table.apply import apply, fold
from companion.table.events import Call, Event, decode_log, encode_log
from companion.table.house import House
from companion.table.knowledge import count_unseen, event_as_seen, list_possible_kongs, state_as_seen
from companion.table.moves import real_tiles
from companion.table.state import HandState, Phase, State
from companion.tiles import KINDS
from tests.table.random_table import Table

HOUSES = [
    ("hefei", {}), ("hefei", {"allow_chow": True, "sea_must_win": False}), ("hebei", {}),
    ("hebei", {"players": 3}), ("hebei", {"kong_after_claim": True, "kong_refund_on_draw": True}),
    ("hebei", {"multi_win": True, "concealed_kong_public": True, "rob_concealed_for_13_orphans": True}),
    ("taiwanese", {}), ("taiwanese", {"flowers": False}), ("hong_kong", {}),
    ("hong_kong", {"moving_dead_wall": True, "dealer": "rotate"}), ("hangzhou", {}),
    ("hangzhou", {"fortune": "white_dragon"}),
    ("hangzhou", {"white_stands_for_fortune": True, "fortune_in_melds": True, "debt": True}),
    ("hebei", {"missed_win": "until_next_draw", "rob_concealed_for_13_orphans": True, "ping_hu_free": True}),
    ("hong_kong", {"missed_win": "until_next_draw", "multi_win": True, "concealed_kong_public": True}),
    ("hangzhou", {"missed_win": "same_tile_until_next_draw", "multi_win": True}),
]  # fmt: skip
houses = st.sampled_from(HOUSES)
seeds = st.integers(0, 10**9)
slow = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def played(rules: str, options: dict[str, bool | int | str], seed: int, hands: int = 2) -> Table:
    table = Table(rules, options, seed)
    while table.state.hands < hands and not table.state.over:
        table.play_hand()
    return table


def tiles_in(house: House, hand: HandState) -> bytes:
    """How many known tiles of each kind lie anywhere."""
    found: Counter[int] = Counter()
    for player in hand.players:
        found.update(
            tile.index for tile in (*player.concealed, *player.flowers, *filter(None, player.discards))
        )
        melds = [laid.meld for laid in player.melds if laid.meld is not None]
        found.update(tile.index for meld in melds for tile in real_tiles(house, hand, meld))
    if hand.indicator is not None:
        found[hand.indicator.index] += 1
    return bytes(found[index] for index in range(len(KINDS)))


def check_tiles(state: State, hand: HandState) -> None:
    house, wall = state.house, hand.wall
    lying = sum(
        player.count + len(player.flowers) + len(player.discards) + sum(
            4 if laid.kind.is_kong else 3 for laid in player.melds
        )
        for player in hand.players
    )  # fmt: skip
    assert lying + wall.live_left + wall.dead_left == wall.rule.tile_set.total
    assert tiles_in(house, hand) == hand.known
    assert all(seen <= copies for seen, copies in zip(hand.known, house.copies, strict=True))
    if wall.rule.replacements is not Replacements.DEAD_WALL:
        assert wall.dead_left == wall.rule.dead


def check_counts(state: State, hand: HandState) -> None:
    """Everybody has as many tiles as between turns, but for whose turn it is, and who won."""
    size = state.house.rules.hand_size
    more = Counter(result.winner for result in hand.results)
    if hand.phase in (Phase.TURN, Phase.READY):
        more[hand.turn] += 1
    if hand.phase is Phase.FLOWERS or (hand.phase is Phase.INDICATOR):
        more[hand.deal.dealer] += 1
    if hand.phase is Phase.SEA or (hand.phase is Phase.OVER and hand.wall.in_sea):
        return
    for seat in state.house.seats:
        player = hand.players[seat]
        owed = hand.owed if seat == hand.turn else 0
        laid_out = seat == hand.turn and hand.phase in (Phase.REPLACEMENT, Phase.EXHAUSTED)
        assert player.count + 3 * len(player.melds) == size + more[seat] - owed + laid_out, (seat, hand.phase)


@slow
@example(("hong_kong", {"moving_dead_wall": True, "dealer": "rotate"}), 21147)  # a last tile, a flower
@given(houses, seeds)
def test_every_event_keeps_tiles_counts_and_points(house: tuple[str, dict], seed: int) -> None:
    table = played(*house, seed)
    start = table.states[0].points
    for state in table.states:
        assert state.points == tuple(
            first + sum(entry.points[person] for entry in state.ledger) for person, first in enumerate(start)
        )
        assert all(sum(entry.points) == 0 for entry in state.ledger)
        if state.hand is not None and state.hand.phase is not Phase.DEAL:
            check_tiles(state, state.hand)
            if state.hand.phase is not Phase.OVER:
                check_counts(state, state.hand)
    assert all(later.hands >= sooner.hands for sooner, later in pairwise(table.states))


@slow
@given(houses, seeds, st.data())
def test_the_log_says_all(house: tuple[str, dict], seed: int, data: st.DataObject) -> None:
    """Read again it leads to the same state, as a whole and from any place on."""
    table = played(*house, seed)
    again = [event for _, event in decode_log(encode_log(table.log))]
    assert again == table.log
    assert fold(again) == table.state
    cut = data.draw(st.integers(1, len(again)))
    assert fold(again[:cut]) == table.states[cut - 1]


@slow
@given(st.sampled_from([house for house in HOUSES if house[0] != "taiwanese"]), seeds)
def test_a_viewer_who_keeps_the_game_knows_what_can_be_known(house: tuple[str, dict], seed: int) -> None:
    """Following the events as seen leads to the state as seen.

    Not for the ready hands of Taiwan: that a hand was ready as dealt shows in a tile that only its owner saw.
    """
    table = played(*house, seed)
    for viewer in (None, 0, 3):
        state: State | None = None
        for event, truth in zip(table.log, [None, *table.states], strict=False):
            state = apply(state, event_as_seen(truth, event, viewer))
        assert state == state_as_seen(table.state, viewer)


@slow
@given(houses, seeds, st.data())
def test_unseen_tiles_are_in_walls_and_hidden_hands(
    house: tuple[str, dict], seed: int, data: st.DataObject
) -> None:
    table = played(*house, seed, hands=1)
    state = data.draw(st.sampled_from([s for s in table.states if s.hand and s.hand.phase is Phase.CLAIM]))
    viewer = data.draw(st.sampled_from([None, *state.house.seats]))
    hand = state_as_seen(state, viewer).hand
    assert hand is not None
    hidden_kongs = [laid for player in hand.players for laid in player.melds if laid.meld is None]
    behind = sum(player.hidden for player in hand.players) + 4 * len(hidden_kongs)
    indicator = 1 if hand.indicator is not None else 0
    assert sum(count_unseen(state, viewer)) == behind + hand.wall.live_left + hand.wall.dead_left - indicator
    true_kongs = {
        laid.meld.tiles[0]
        for player, seen in zip(state.hand.players if state.hand else (), hand.players, strict=True)
        for laid, as_it_looks in zip(player.melds, seen.melds, strict=True)
        if laid.meld and as_it_looks.meld is None
    }
    assert true_kongs <= set(list_possible_kongs(state, viewer))


codes = st.sampled_from([kind.code for kind in KINDS])
players = st.integers(0, 3)
melds = st.sampled_from(["c123m", "c456p", "p555m", "k5555m", "a5555m", "K5555m", "p111z", "c135m", "K1111f"])
hands = st.lists(codes, max_size=17).map("".join)
ANYTHING: st.SearchStrategy[Event] = st.one_of(
    st.builds(events.Drawn, seat=players, tile=st.none() | codes),
    st.builds(events.Discarded, seat=players, tile=st.none() | codes),
    st.builds(events.Called, seat=players, call=st.sampled_from(Call)),
    st.builds(events.Claimed, seat=players, meld=melds),
    st.builds(events.ConcealedKong, seat=players, tile=st.none() | codes),
    st.builds(events.AddedKong, seat=players, tile=codes),
    st.builds(events.FlowerSetOut, seat=players, tile=codes),
    st.builds(events.ReadyDeclared, seat=players),
    st.builds(events.WinPassed, seat=players),
    st.builds(events.Won, seat=players, hand=st.none() | hands, tile=st.none() | codes),
    st.builds(events.Won, seat=players, kongs=st.lists(melds, max_size=2).map(tuple)),
    st.builds(events.FalseWin, seat=players),
    st.builds(events.HandVoided, seat=players),
    st.builds(events.HandDrawn, declined_by=st.none() | players),
    st.just(events.HandAbandoned()),
    st.builds(events.HandShown, seat=players, hand=hands),
    st.builds(events.PointsMoved, points=st.tuples(*[st.integers(-2, 2)] * 4), why=st.just("")),
    st.builds(events.EntryCancelled, entry=st.integers(0, 3), why=st.just("")),
    st.builds(
        events.CurrencyAgreed, currency=st.none() | st.builds(Currency, *[st.sampled_from(("", "1"))] * 3)
    ),
    st.builds(events.SeatsChanged, order=st.tuples(*[players] * 4)),
    st.builds(events.DealSet, dealer=st.none() | players),
    st.builds(events.HandStarted, dealer=players, dice=st.none() | st.tuples(*[st.integers(1, 6)] * 2)),
    st.builds(events.Dealt, hands=st.tuples(*[st.none() | hands] * 4)),
    st.just(events.Dealt()),
    st.builds(events.IndicatorTurned, tile=codes, dice=st.none() | st.just((3, 4))),
)


@settings(max_examples=100, deadline=None)
@given(houses, st.lists(ANYTHING, max_size=60))
def test_whatever_is_reported_is_followed_or_refused_in_words(
    house: tuple[str, dict], told: list[Event]
) -> None:
    refusals = []
    state = apply(None, events.GameStarted(rules=house[0], options=house[1]))
    points = sum(state.points)
    state = apply(state, events.HandStarted(dealer=0))
    state = apply(state, events.Dealt())
    for event in told:
        try:
            state = apply(state, event)
        except EventError as error:
            refusals.append(str(error))
        assert sum(state.points) == points
        if state.hand is not None and state.hand.phase is not Phase.DEAL:
            check_tiles(state, state.hand)
    assert all(refusals)


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_a_hand_that_anybody_may_continue(house: tuple[str, dict]) -> None:
    """Any event that fits nowhere leaves the state as it was."""
    table = played(*house, seed=1, hands=1)
    for state in table.states[1:]:
        for event in (events.GameStarted(rules="hefei"), events.Corrected(number=1)):
            with pytest.raises(EventError):
                apply(state, event)
