"""What must hold at a table after every event, counted anew from what lies there."""

from collections import Counter
from collections.abc import Iterable

from companion.coach.simulation import Step
from companion.table.apply import apply, fold
from companion.table.events import Event
from companion.table.log import decode_event, decode_log, encode_event, encode_log
from companion.table.state import Hand, Phase, State, changed
from companion.tiles import KINDS, Tile


def check(state: State) -> None:
    """Tiles conserved, every count right, payments zero-sum."""
    for entry in state.ledger:
        assert sum(entry.points) == 0, entry
    if state.hand is not None and state.hand.phase is not Phase.DEAL:
        _check_tiles(state, state.hand)
        _check_counts(state, state.hand)


def _check_tiles(state: State, hand: Hand) -> None:
    """Each kind as often as the game has it, the wall having the rest; one of the dead wall may be open."""
    lying = Counter(_tiles_lying(state, hand))
    open_in_wall = [hand.indicator] if hand.indicator else []
    for kind in KINDS:
        there = lying[kind] + open_in_wall.count(kind)
        assert there == hand.known[kind.index] <= state.house.copies[kind.index], kind
    wall = hand.wall
    assert lying.total() + wall.live_left + wall.dead_left == wall.rule.tile_set.total


def _tiles_lying(state: State, hand: Hand) -> Iterable[Tile]:
    wild = state.house.wild(hand.fortune)
    stands = {wild.tile: wild.substitute} if wild and wild.substitute else {}  # HZ-06: melds are written so
    for player in hand.players:
        assert player.hidden == 0
        yield from (*player.concealed, *player.flowers, *player.discards)
        for laid in player.melds:
            assert laid.meld is not None
            yield from (stands.get(tile, tile) for tile in laid.meld.tiles)


def _check_counts(state: State, hand: Hand) -> None:
    """Everybody has as many tiles as between turns, and one more who is at turn, or has won."""
    size = state.house.rules.hand_size
    winners = {result.winner for result in hand.results}
    for seat in state.house.seats:
        player = hand.players[seat]
        has = player.count + 3 * len(player.melds)
        if hand.phase in (Phase.SEA, Phase.OVER):
            assert has in (size, size + 1), seat
            assert has == size + 1 or seat not in winners, seat
            continue
        more = seat == hand.turn and hand.phase in (Phase.TURN, Phase.READY)
        if hand.phase in (Phase.FLOWERS, Phase.INDICATOR):
            more = seat == hand.deal.dealer
        owed = hand.owed if seat == hand.turn else 0
        in_turn = hand.phase in (Phase.REPLACEMENT, Phase.EXHAUSTED) and seat == hand.turn
        assert has == size + (more or in_turn) - owed, (seat, hand.phase)


def check_log(start: Event, steps: Iterable[Step]) -> None:
    """The log as text leads to the same state after every event: the game can go on from any."""
    state = apply(None, decode_event(encode_event(start)))
    events = [start]
    for event, after in steps:
        state = apply(state, decode_event(encode_event(event)))
        assert _hand(state) == _hand(after), event
        assert (state.points, state.deal, state.playing) == (after.points, after.deal, after.playing), event
        events.append(event)
    lines = list(encode_log(events))
    assert fold(event for _, event in decode_log(lines)) == state


def _hand(state: State) -> Hand:
    """The hand; how many payments there were before it, the log of one hand does not tell."""
    assert state.hand is not None
    return changed(state.hand, booked=0)
