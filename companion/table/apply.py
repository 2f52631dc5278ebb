"""`apply(state, event)`: the state after an event, or an EventError: what is wrong, what would be right.

Pure, and the only way to make a state. Turns and calls are here; claims.py, endings.py and settling.py have
the other events. How games differ is declared in their rule sets and plays, nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from companion.errors import EventError
from companion.rules.play import Gambits
from companion.table import claims, endings, events, messages, settling
from companion.table.claims import (
    OFFERED,
    add_call,
    apply_added_kong,
    apply_concealed_kong,
    check_call,
    find_standing_call,
    pay_kong,
    record_missed_win,
)
from companion.table.endings import (
    apply_deal_set,
    apply_dealt,
    apply_game_ended,
    apply_game_started,
    apply_hand_abandoned,
    apply_hand_started,
    apply_indicator_turned,
    apply_seats_changed,
    check_must_win,
)
from companion.table.events import (
    Call,
    Called,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    GameStarted,
    ReadyDeclared,
    WinPassed,
    number_corrected,
)
from companion.table.house import House
from companion.table.moves import (
    SOURCES,
    add_tile,
    check_discardable,
    check_turn,
    draw_unseen,
    find_flower,
    find_waits,
    make_moment,
    put,
    read_tile,
    record_visible,
    remove_tiles,
)
from companion.table.state import (
    NO_CALLS,
    HandState,
    LetGo,
    Offer,
    OfferKind,
    Phase,
    Player,
    State,
    apply_entry_cancelled,
    apply_points_moved,
    changed,
    check_length,
)
from companion.table.wins import check_let_go, would_win
from companion.tiles import Tile


def apply_called(state: State, hand: HandState, event: Called) -> State:
    """A call stands until another of the same player, or until the tile is taken or the next one is drawn."""
    if event.call is Call.WIN:
        _check_win(state, hand, event.seat)
    elif event.call is not Call.NOTHING:
        check_call(state.house, hand, event.seat, event.call)
    return changed(state, hand=changed(hand, calls=add_call(hand, event.seat, event.call)))


def apply_win_passed(state: State, hand: HandState, event: WinPassed) -> State:
    """The player may not win on that tile, or on any, until the next draw (C-12)."""
    house, seat = state.house, event.seat
    missed, ready = house.policy.missed_win, house.policy.ready
    offer = _check_win(state, hand, seat)
    player = hand.players[seat]
    if player.ready and ready.must_win:
        raise EventError(messages.MUST_WIN, seat=seat, ruling=ready.ruling)
    if not player.hidden and offer.tile is not None and would_win(state, seat) is None:
        raise EventError(messages.PASSED_NOTHING, seat=seat, tile=offer.tile, ruling=missed.ruling)
    hand = changed(hand, calls=add_call(hand, seat, Call.NOTHING))
    if missed.costs and (offer.tile is not None or offer.kind is OfferKind.DISCARD):
        moment = make_moment(hand, offer.seat, SOURCES[offer.kind])
        now = LetGo(offer, moment, player.melds, player.flowers, spoken=True)
        hand = changed(hand, players=put(hand, seat, changed(player, let_go=(*player.let_go, now))))
    return changed(state, hand=hand)


def _check_win(state: State, hand: HandState, seat: int) -> Offer:
    """The tile on offer, if the player may call a win on it; whether the hand wins is not checked."""
    offer = check_call(state.house, hand, seat, Call.WIN)
    player = hand.players[seat]
    if not player.hidden and all(laid.meld is not None for laid in player.melds):
        check_let_go(state, hand, seat, offer, player.concealed)
    return offer


COPIES = 4


def apply_drawn(state: State, hand: HandState, event: Drawn) -> State:
    """The next tile: from the live wall after a discard, a replacement that is owed, or one of the sea."""
    house, seat, phase = state.house, event.seat, hand.phase
    if hand.owed:
        return _draw_replacement(state, hand, event)
    if phase is Phase.CLAIM:
        due = hand.turn
        caller = find_standing_call(house, hand)
        if caller is not None:
            raise EventError(messages.CALLED_FIRST, seat=caller, call=hand.calls[caller], ruling="C-06")
    elif phase is Phase.SEA:
        due = house.following[hand.turn]
    elif phase in (Phase.TURN, Phase.READY):
        raise EventError(messages.DISCARD_FIRST, seat=hand.turn)
    else:
        raise EventError(messages.NO_DRAW_NOW, seat=seat)
    wall = hand.wall
    if seat != due:
        ruling = house.policy.sea.ruling if wall.in_sea else ""
        raise EventError(messages.NOT_NEXT, seat=seat, right=due, ruling=ruling)
    if not wall.live_left:
        raise EventError(messages.WALL_EMPTY, seat=seat, ruling=house.wall.ruling)
    if phase is Phase.SEA:
        check_must_win(state, hand, hand.turn)
    tile = None if event.tile is None else read_tile(house, event.tile)
    hand = record_missed_win(house, hand)
    player = hand.players[seat]
    player = changed(
        player,
        concealed=player.concealed if tile is None else (*player.concealed, tile),
        hidden=player.hidden + (tile is None),
        draws=player.draws + 1,
        let_go=(),
    )
    hand = changed(
        hand,
        phase=Phase.SEA if wall.in_sea else Phase.TURN,
        wall=wall.draw(),
        players=put(hand, seat, player),
        turn=seat,
        known=hand.known if tile is None else record_visible(house, hand.known, tile),
        offer=None,
        calls=NO_CALLS,
        drew=True,
        drawn=tile,
        replaced=False,
        kongs=0,
    )
    return changed(state, hand=hand)


def _draw_replacement(state: State, hand: HandState, event: Drawn) -> State:
    house, seat = state.house, event.seat
    if seat != hand.turn:
        raise EventError(messages.REPLACES_FIRST, seat=seat, right=hand.turn)
    caller = find_standing_call(house, hand)
    if caller is not None:
        raise EventError(messages.CALLED_FIRST, seat=caller, call=hand.calls[caller], ruling="C-11")
    if hand.offer is not None and hand.offer.kind is not OfferKind.FLOWER:
        state = pay_kong(state, OFFERED[hand.offer.kind], seat)
        hand = record_missed_win(house, hand)
    tile = None if event.tile is None else read_tile(house, event.tile)
    owed = hand.owed - 1
    player = add_tile(hand.players[seat], tile)
    since = [changed(x, replaced=(*x.replaced, tile)) for x in player.let_go]
    player = changed(player, let_go=tuple(since) if house.policy.missed_win.live_draws_only else ())
    in_deal = hand.phase is Phase.FLOWERS
    hand = changed(
        hand,
        phase=Phase.FLOWERS if in_deal else Phase.REPLACEMENT if owed else Phase.TURN,
        wall=hand.wall.draw_replacement(),
        players=put(hand, seat, player),
        known=hand.known if tile is None else record_visible(house, hand.known, tile),
        offer=None,
        calls=NO_CALLS,
        owed=owed,
        drew=True,
        drawn=tile if not in_deal or seat == hand.deal.dealer else hand.drawn,
        replaced=True,
    )
    return changed(state, hand=hand)


def apply_flower_set_out(state: State, hand: HandState, event: FlowerSetOut) -> State:
    """A flower is set out; its replacement is owed, if there is one."""
    house, seat, tile = state.house, event.seat, read_tile(state.house, event.tile)
    if tile.index < 34:
        raise EventError(messages.NO_FLOWER, tile=tile.code)
    if hand.phase is Phase.FLOWERS:
        _check_flower_order(house, hand, seat)
    elif hand.phase is not Phase.TURN or seat != hand.turn or not hand.drew:
        raise EventError(messages.NO_FLOWER_NOW, seat=seat, ruling=house.policy.flowers.ruling)
    player, known = remove_tiles(house, hand, seat, (tile,))
    player = changed(player, flowers=(*player.flowers, tile))
    due = hand.due if seat == hand.turn else player.concealed
    may = hand.wall.may_replace
    phase = Phase.REPLACEMENT if hand.phase is Phase.TURN else Phase.FLOWERS
    hand = changed(
        hand,
        phase=phase if may else Phase.EXHAUSTED,
        players=put(hand, seat, player),
        turn=seat,
        known=known,
        offer=Offer(OfferKind.FLOWER, seat, tile),
        owed=hand.owed + 1,
        due=tuple([other for other in due if other.index >= 34 and other is not tile]),
        kongs=0,
    )
    return changed(state, hand=hand)


def _check_flower_order(house: House, hand: HandState, seat: int) -> None:
    """From the dealer on, counterclockwise, again and again: nobody who holds one is left out (S-01).

    A flower among the replacements may follow at once, or in the next round.
    """
    ruling = house.policy.flowers.ruling
    if hand.owed and seat != hand.turn:
        raise EventError(messages.REPLACES_FIRST, seat=seat, right=hand.turn, ruling=ruling)
    if hand.due and seat != hand.turn and house.settled:
        raise EventError(messages.FLOWER_OUT_OF_TURN, seat=seat, right=hand.turn, ruling=ruling)
    between = hand.turn
    while between != seat:
        between = house.following[between]
        if between != seat and find_flower(hand.players[between]):
            raise EventError(messages.FLOWER_OUT_OF_TURN, seat=seat, right=between, ruling=ruling)


def apply_ready_declared(state: State, hand: HandState, event: ReadyDeclared) -> State:
    """A ready hand is called, right before the discard that leaves it so."""
    house, seat = state.house, event.seat
    policy = house.policy.ready
    if not policy.declared:
        raise EventError(messages.NO_READY, rules=house.rules.title, ruling=policy.ruling)
    hand = check_turn(state, hand, seat)
    player = hand.players[seat]
    if player.ready:
        raise EventError(messages.READY_ALREADY, seat=seat, ruling=policy.ruling)
    _check_flowers_out(house, seat, player)
    if not (
        player.hidden or any(_find_waits_after(house, hand, seat, tile) for tile in set(player.concealed))
    ):
        raise EventError(messages.NEVER_READY, seat=seat, ruling=policy.ruling)
    late = player.discarded or player.melds or hand.claims
    kind = policy.situation if late else policy.at_once
    a, b, c, d = (len(each.discards) for each in hand.players)
    players = put(hand, seat, changed(player, ready=kind, rivers=(a, b, c, d)))
    return changed(state, calls_known=True, hand=changed(hand, phase=Phase.READY, players=players))


def apply_discarded(state: State, hand: HandState, event: Discarded) -> State:
    """A tile is laid open and lies on offer. What depends on the tile is left open if nobody saw it."""
    house, seat = state.house, event.seat
    tile = None if event.tile is None else read_tile(house, event.tile)
    if hand.phase is not Phase.READY or seat != hand.turn:
        hand = check_turn(state, hand, seat)
    before = hand.players[seat]
    if tile is not None:
        check_discardable(house, tile)
    _check_flowers_out(house, seat, before)
    gambits = house.policy.gambits
    if gambits and before.gambits and hand.drawn is not None and tile not in (None, hand.drawn):
        raise EventError(messages.GAMBLER_DISCARDS, seat=seat, right=hand.drawn.code, ruling=gambits.ruling)
    player, known = draw_unseen(hand, seat) if tile is None else remove_tiles(house, hand, seat, (tile,))
    if before.ready and tile is not None:
        player = _discard_when_ready(state, hand, seat, tile, player)
    player = changed(
        player,
        discards=(*player.discards, tile),
        discarded=player.discarded + 1,
        let_go=tuple([changed(x, discarded=(*x.discarded, tile)) for x in player.let_go]),
        gambits=player.gambits + 1 if gambits and _is_gambit(house, gambits, hand, tile, player) else 0,
    )
    hand = changed(
        hand,
        phase=Phase.CLAIM,
        players=put(hand, seat, player),
        turn=house.following[seat],
        known=known,
        offer=Offer(OfferKind.DISCARD, seat, tile),
        drew=False,
        drawn=None,
        replaced=False,
        kongs=0,
        discards=hand.discards + 1,
    )
    return changed(state, hand=hand)


def _check_flowers_out(house: House, seat: int, player: Player) -> None:
    """EventError if the player still holds a flower."""
    flower = find_flower(player) if house.flowers else None
    if flower is not None:
        raise EventError(
            messages.HAS_A_FLOWER, seat=seat, tile=flower.code, ruling=house.policy.flowers.ruling
        )


def _find_waits_after(house: House, hand: HandState, seat: int, tile: Tile) -> tuple[Tile, ...]:
    """What the player, whose tiles are known, waits for after discarding this one."""
    return find_waits(house, hand, remove_tiles(house, hand, seat, (tile,))[0])


def _is_gambit(house: House, policy: Gambits, hand: HandState, tile: Tile | None, after: Player) -> bool:
    """Whether this discard is a gambit: that of a Fortune. Of hidden hands it is taken to be one, of a tile
    that nobody saw it is not."""
    if tile is None or tile is not hand.fortune:
        return False
    if after.hidden or not policy.needs_any_tile:
        return True
    owned = [after.concealed.count(kind) for kind in set(after.concealed)].count(COPIES)
    kongs = sum(laid.kind.is_kong for laid in after.melds)
    kinds = sum(1 for copies in house.copies if copies)
    return len(find_waits(house, hand, after)) >= kinds - owned - kongs


def _discard_when_ready(state: State, hand: HandState, seat: int, tile: Tile, after: Player) -> Player:
    """The player after the discard of a ready hand: what was just drawn, but for the first."""
    house, before = state.house, hand.players[seat]
    policy = house.policy.ready
    if hand.phase is not Phase.READY:
        if hand.drawn not in (None, tile):
            raise EventError(messages.READY_DISCARDS, seat=seat, right=hand.drawn, ruling=policy.ruling)
        bound = policy.must_win and not (before.hidden or before.void)
        if bound and hand.drawn in find_waits(house, hand, after):
            raise EventError(messages.MUST_WIN, seat=seat, ruling=policy.ruling)
        return after
    if not after.hidden and not find_waits(house, hand, after):
        raise EventError(messages.NOT_READY, seat=seat, tile=tile.code, ruling=policy.ruling)
    as_dealt = seat == hand.deal.dealer or hand.drawn in (None, tile)
    return after if as_dealt else changed(after, ready=policy.situation)


IN_HAND: dict[type, Callable[[State, HandState, Any], State]] = {
    events.Drawn: apply_drawn,
    events.Discarded: apply_discarded,
    events.Called: apply_called,
    events.Claimed: claims.apply_claimed,
    events.ConcealedKong: apply_concealed_kong,
    events.AddedKong: apply_added_kong,
    events.FlowerSetOut: apply_flower_set_out,
    events.ReadyDeclared: apply_ready_declared,
    events.Dealt: apply_dealt,
    events.IndicatorTurned: apply_indicator_turned,
    events.Won: endings.apply_won,
    events.WinPassed: apply_win_passed,
    events.FalseWin: endings.apply_false_win,
    events.HandVoided: endings.apply_hand_voided,
    events.HandDrawn: endings.apply_hand_drawn,
    events.HandAbandoned: apply_hand_abandoned,
}
"""Events that happen only in a hand."""
BEFORE_PLAY: dict[Phase, tuple[type, ...]] = {
    Phase.DEAL: (events.Dealt,),
    Phase.INDICATOR: (events.IndicatorTurned,),
}
"""The only events that may come next in these phases; they may not come in any other."""
ONCE = (events.Dealt, events.IndicatorTurned)
BETWEEN_HANDS: dict[type, Callable[[State, Any], State]] = {
    events.HandStarted: apply_hand_started,
    events.SeatsChanged: apply_seats_changed,
    events.DealSet: apply_deal_set,
    events.GameEnded: apply_game_ended,
    events.HandShown: endings.apply_hand_shown,
}
"""Events that happen only between hands."""
ANY_TIME: dict[type, Callable[[State, Any], State]] = {
    events.PointsMoved: apply_points_moved,
    events.EntryCancelled: apply_entry_cancelled,
    events.CurrencyAgreed: settling.apply_currency_agreed,
}


def apply(state: State | None, event: Event) -> State:
    """The state after the event; `state` is None before the first. EventError refuses it, with the ruling."""
    kind = type(event)
    if state is None:
        if isinstance(event, GameStarted):
            return apply_game_started(event)
        raise EventError(messages.NO_GAME, event=_name(kind))
    step = IN_HAND.get(kind)
    if step is not None:
        hand = state.hand
        if hand is None or (hand.phase is Phase.OVER and kind is not events.Won):
            raise EventError(messages.NO_HAND, event=_name(kind))
        only = BEFORE_PLAY.get(hand.phase)
        if only is None:
            if kind in ONCE:
                raise EventError(messages.DEALT_ALREADY, event=_name(kind))
        elif kind not in only and kind is not events.HandAbandoned:
            raise EventError(messages.DEAL_FIRST, event=_name(kind), right=_name(only[0]))
        return step(state, hand, event)
    between = BETWEEN_HANDS.get(kind)
    if between is not None:
        if state.playing:
            raise EventError(messages.HAND_IN_PLAY, event=_name(kind))
        if state.over and kind is events.HandStarted:
            ruling = state.house.play.length_ruling
            raise EventError(messages.GAME_OVER, hands=state.hands, ruling=ruling)
        return between(state, event)
    always = ANY_TIME.get(kind)
    if always is not None:
        return always(state, event)
    raise EventError(messages.STARTED_ALREADY if kind is GameStarted else messages.WHOLE_LOG)


def fold(log: Iterable[Event]) -> State | None:
    """The state after a whole log, corrections in their place; None after an empty one."""
    state: State | None = None
    for number, event in number_corrected(log):
        try:
            state = check_length(apply(state, event))
        except EventError as problem:
            raise EventError(
                messages.AT_EVENT, number=number, problem=problem, ruling=problem.ruling
            ) from None
    return state


def _name(kind: type[Event]) -> str:
    return str(kind.__struct_config__.tag)
