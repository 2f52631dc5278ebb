"""What must hold at a table after every event, counted anew from what lies there and from the log as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.coach.simulation import PlayedHand, Step
from companion.table.apply import apply, fold
from companion.table.events import Event, decode_event, decode_log, encode_event, encode_log
from companion.table.state import HandState, Phase, State, changed
from companion.tiles import KINDS, Tile


class NotSo(Exception):
    """What does not hold."""


def check(played: PlayedHand) -> None:
    """NotSo unless tiles are conserved, every count is right and payments are zero-sum after each event, and
    the hand's log, as text, leads to the same state after each: a game can go on from any of them."""
    for step in played.steps:
        check_state(step.state)
        _check_points(played.before, step.state)
    check_log(played.start, played.steps)


def check_state(state: State) -> None:
    """NotSo unless tiles are conserved, every count is right, and payments are zero-sum."""
    for entry in state.ledger:
        _must(sum(entry.points) == 0, entry)
    if state.hand is not None and state.hand.phase is not Phase.DEAL:
        _check_tiles(state, state.hand)
        _check_counts(state, state.hand)


def check_log(start: Event, steps: tuple[Step, ...]) -> None:
    """NotSo unless the log as text leads to the same state after every event."""
    state = apply(None, _as_text(start))
    for event, after in steps:
        state = apply(state, _as_text(event))
        same = _hand(state) == _hand(after) and state.playing == after.playing
        _must(same and (state.points, state.deal) == (after.points, after.deal), event)
    lines = encode_log([start, *(step.event for step in steps)])
    _must(fold(event for _, event in decode_log(lines)) == state, "the log")


def _check_points(before: State, state: State) -> None:
    """The points are those before the hand and all that was paid since."""
    paid = [entry.points for entry in state.ledger[len(before.ledger) :]]
    _must(state.points == tuple(map(sum, zip(before.points, *paid, strict=True))), state.points)


def _as_text(event: Event) -> Event:
    return decode_event(encode_event(event))


def _hand(state: State) -> HandState | None:
    """The hand; how many payments there were before it, the log of one hand does not tell."""
    return None if state.hand is None else changed(state.hand, booked=0)


def _check_tiles(state: State, hand: HandState) -> None:
    """Each kind as often as the game has it, the wall having the rest; one of the dead wall may be open."""
    lying = Counter(_tiles_lying(state, hand))
    for kind in KINDS:
        seen = lying[kind] + (kind is hand.indicator)
        _must(seen == hand.known[kind.index] <= state.house.copies[kind.index], kind, seen)
    wall = hand.wall
    _must(lying.total() + wall.live_left + wall.dead_left == wall.rule.tile_set.total, wall.live_left)


def _tiles_lying(state: State, hand: HandState) -> Iterator[Tile]:
    wild = state.house.wild(hand.fortune)
    stands = {wild.tile: wild.substitute} if wild and wild.substitute else {}  # HZ-06: melds are written so
    for player in hand.players:
        _must(player.hidden == 0, player)
        yield from (*player.concealed, *player.flowers, *filter(None, player.discards))
        for laid in player.melds:
            if laid.meld is not None:
                yield from (stands.get(tile, tile) for tile in laid.meld.tiles)


def _check_counts(state: State, hand: HandState) -> None:
    """Everybody has the tiles that they have between turns, and one more whose turn it is, or who has won; of
    several winners the first has the tile (C-13)."""
    size = state.house.rules.hand_size
    winners = {result.winner for result in hand.results[:1]}
    for seat in state.house.seats:
        more = hand.players[seat].count + 3 * len(hand.players[seat].melds) - size
        if hand.phase in (Phase.SEA, Phase.OVER):
            _must(more in (0, 1) and (more == 1 or seat not in winners), seat, more)
            continue
        dealt = hand.phase in (Phase.FLOWERS, Phase.INDICATOR)
        acts = seat == (hand.deal.dealer if dealt else hand.turn) and hand.phase is not Phase.CLAIM
        owed = hand.owed if seat == hand.turn else 0
        _must(more == acts - owed, seat, more)


def _must(holds: bool, *what: object) -> None:
    if not holds:
        raise NotSo(*what)
