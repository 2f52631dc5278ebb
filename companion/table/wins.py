"""From the table to the rules core: the request for a win by the state, and the answer."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from companion.errors import EventError, RequestError
from companion.rules import Score, Source, score
from companion.rules.play import Liability
from companion.rules.request import check
from companion.rules.win import ScoreRequest
from companion.table import messages
from companion.table.claims import bars, check_call, check_win_call
from companion.table.events import Call, Circumstances
from companion.table.house import House
from companion.table.moves import SOURCES, check_turn, make_moment, real_tiles
from companion.table.state import HandState, Laid, LetGo, Offer, OfferKind, Phase, Player, State
from companion.tiles import Meld, MeldKind, Tile

FLOWERS = 8


class Chance(Struct, frozen=True):
    """A win that a player may declare, if the tiles are there: on which tile, and whose.

    tile: None for a win by flowers, or one that was drawn and nobody saw. by_flowers: the situation, if so.
    """

    seat: int
    source: Source
    discarder: int | None
    tile: Tile | None
    by_flowers: str | None = None
    orphans_only: bool = False


def find_chance(state: State, hand: HandState, seat: int) -> Chance:
    """What the player may win on now, whatever the tiles; EventError explains why on nothing."""
    house, offer, player = state.house, hand.offer, hand.players[seat]
    if seat not in house.seats:
        raise EventError(messages.SITS_OUT, seat=seat, ruling=house.play.seats_ruling)
    if player.void:
        raise EventError(messages.DEAD_HAND, seat=seat, ruling=player.void)
    if hand.phase is Phase.OVER:
        _check_another(house, hand, seat)
    elif offer is None or offer.kind is OfferKind.FLOWER:
        by_flowers = None if offer is None else _chance_by_flowers(house, hand, seat)
        if by_flowers is not None:
            return by_flowers
        if hand.phase is Phase.REPLACEMENT and seat != hand.turn:
            check_call(house, hand, seat, Call.WIN)
        return _chance_on_own_tile(state, hand, seat)
    else:
        check_call(house, hand, seat, Call.WIN)
    assert offer is not None
    return _chance_on_offer(seat, offer)


def would_win(state: State, seat: int) -> Score | None:
    """What a win declared now is worth to a player all of whose tiles are known; None for no win."""
    hand = state.hand
    if hand is None or hand.players[seat].hidden:
        return None
    player = hand.players[seat]
    try:
        chance = find_chance(state, hand, seat)
        request = make_request(
            state, hand, chance, add_winning_tile(player, chance), list_known_melds(player)
        )
        return score_win(state, hand, chance, request)
    except EventError:
        return None


def score_win(state: State, hand: HandState, chance: Chance, request: ScoreRequest) -> Score:
    """The rules core's answer to the request of that win; Raises EventError with the reason where it is not
    a win."""
    try:
        check(state.house.rules, request)
    except RequestError as problem:
        raise EventError(messages.PROBLEM, problem=problem) from None
    found = score(request, house_rules=False)
    if found.reason is not None:
        reason = found.reason
        raise EventError(messages.NO_WIN, seat=chance.seat, reason=reason.sentence, ruling=reason.ruling)
    shape = None if found.reading is None else found.reading.shape
    if chance.orphans_only and shape != state.house.policy.kongs.robbed_concealed_for:
        raise EventError(messages.ORPHANS_ONLY, seat=chance.seat, ruling="C-11")
    offer = hand.offer
    if chance.source is Source.DISCARD and offer is not None and chance.tile is not None:
        rest = list(request.hand)
        rest.remove(chance.tile)
        check_let_go(state, hand, chance.seat, offer, tuple(rest))
    return found


def check_let_go(state: State, hand: HandState, seat: int, offer: Offer, concealed: tuple[Tile, ...]) -> None:
    """EventError where the player let a win go without a word that bars one on this offer (C-12, S-02).

    `concealed`: the player's concealed tiles, all known, without the one on offer.
    """
    house = state.house
    if offer.kind is not OfferKind.DISCARD:
        return
    for before in hand.players[seat].let_go:
        if bars(house, before, offer.tile) and _would_have_won(state, hand, seat, before, concealed):
            missed = before.offer.tile
            raise EventError(messages.MISSED, seat=seat, missed=missed, ruling=house.policy.missed_win.ruling)


def _would_have_won(
    state: State, hand: HandState, seat: int, before: LetGo, concealed: tuple[Tile, ...]
) -> bool:
    """Whether the hand that is this one now won on what the player let go; not where it cannot be known."""
    house, player, offer = state.house, hand.players[seat], before.offer
    came = [*before.claimed, *before.replaced]
    if offer.tile is None or None in (*before.discarded, *came):
        return False
    melds = [then.meld or now.meld for then, now in zip(before.melds, player.melds, strict=False)]
    tiles = [
        *concealed,
        *_list_laid(house, hand, list_known_melds(player)),
        *player.flowers,
        *filter(None, before.discarded),
    ]
    known = [meld for meld in melds if meld is not None]
    for tile in (*filter(None, came), *_list_laid(house, hand, known), *before.flowers):
        tiles.remove(tile)
    chance = _chance_on_offer(seat, offer)
    moment = before.moment._replace(
        by_dealer=seat == hand.deal.dealer, draws=player.draws, ready=player.ready
    )
    request = make_request(state, hand, chance, (*tiles, offer.tile), tuple(known)).changed(
        situation=house.play.situations_at(moment),
        flowers=tuple(sorted(before.flowers)),
        three_melds=(),
    )
    return score(request, house_rules=False).legal


def _list_laid(house: House, hand: HandState, melds: Iterable[Meld]) -> list[Tile]:
    return [tile for meld in melds for tile in real_tiles(house, hand, meld)]


def make_request(
    state: State,
    hand: HandState,
    chance: Chance,
    concealed: tuple[Tile, ...],
    melds: tuple[Meld, ...],
    circumstances: Circumstances | None = None,
) -> ScoreRequest:
    """The request of a win with these concealed tiles, the winning one among them. circumstances:
    where the hand does not say them."""
    house, seat, source, player = state.house, chance.seat, chance.source, hand.players[chance.seat]
    uses = house.rules.uses
    circumstances = circumstances or _find_circumstances(house, hand, chance, melds)
    situation = frozenset(circumstances.situation)
    return ScoreRequest(
        rules=house.rules.name,
        options=house.scoring,
        hand=tuple(sorted(concealed)),
        melds=tuple(sorted(melds)),
        winning_tile=chance.tile if situation.isdisjoint(house.rules.wins_without_tile) else None,
        flowers=tuple(sorted(player.flowers)) if house.flowers else (),
        winner=seat,
        dealer=hand.deal.dealer,
        round_wind=hand.deal.round_wind,
        source=source,
        discarder=chance.discarder,
        streak=hand.deal.streak if "streak" in uses else house.rules.streak_default,
        situation=situation,
        discards=circumstances.discards,
        fortune=hand.fortune,
        gambits=circumstances.gambits,
        consecutive_kongs=circumstances.consecutive_kongs,
        three_melds=_find_three_melds(house, hand) if "three_melds" in uses else (),
        kongs_declared=(),
        stakes=house.stakes,
        base=house.base,
        cap=house.cap,
        balances=state.purses,
    )


def add_winning_tile(player: Player, chance: Chance) -> tuple[Tile, ...]:
    """The concealed tiles that are known, with another's tile that wins."""
    if chance.source is Source.SELF_DRAW or chance.tile is None:
        return player.concealed
    return (*player.concealed, chance.tile)


def list_known_melds(player: Player) -> tuple[Meld, ...]:
    """The melds that are known."""
    return tuple(laid.meld for laid in player.melds if laid.meld is not None)


def _find_circumstances(
    house: House, hand: HandState, chance: Chance, melds: tuple[Meld, ...]
) -> Circumstances:
    """The circumstances of a win in a hand that was recorded."""
    uses, drawn = house.rules.uses, chance.source is Source.SELF_DRAW
    return Circumstances(
        situation=tuple(_situation(house, hand, chance)),
        discards=_count_discards(house, hand, chance, melds) if "discards" in uses else None,
        gambits=hand.players[chance.seat].gambits if drawn else 0,
        consecutive_kongs=hand.kongs if drawn and "consecutive_kongs" in uses else 0,
    )


def _situation(house: House, hand: HandState, chance: Chance) -> frozenset[str]:
    if chance.by_flowers:
        return frozenset((chance.by_flowers,))
    return house.play.situations_at(make_moment(hand, chance.seat, chance.source))


def _count_discards(house: House, hand: HandState, chance: Chance, melds: tuple[Meld, ...]) -> int:
    """How many discards there were, the winning one among them."""
    if house.policy.claimed_count:
        return hand.discards
    claimed = sum(meld.kind is not MeldKind.KONG_CONCEALED for meld in melds)
    least = claimed + (chance.source is Source.DISCARD)
    return max(hand.discards - hand.claims, least)  # fewer the rules core takes for a slip


def _chance_on_offer(seat: int, offer: Offer) -> Chance:
    concealed = offer.kind is OfferKind.CONCEALED_KONG
    return Chance(seat, SOURCES[offer.kind], offer.seat, offer.tile, orphans_only=concealed)


def _chance_by_flowers(house: House, hand: HandState, seat: int) -> Chance | None:
    """A win by eight flowers, or by seven and another's eighth, right after one was set out."""
    flowers = house.policy.flowers
    if not flowers.all_set_out:
        return None
    own = len(hand.players[seat].flowers)
    if own == FLOWERS:
        return Chance(seat, Source.SELF_DRAW, None, None, flowers.all_set_out)
    holder = next((s for s in house.seats if s != seat and hand.players[s].flowers), None)
    if own == FLOWERS - 1 and holder is not None:
        return Chance(seat, Source.ROBBED_KONG, holder, None, flowers.last_robbed)
    return None


def _chance_on_own_tile(state: State, hand: HandState, seat: int) -> Chance:
    if hand.phase is Phase.SEA:
        if seat != hand.turn:
            raise EventError(messages.NOT_ON_TURN, seat=seat, right=hand.turn)
    else:
        hand = check_turn(state, hand, seat)
        if not hand.drew:
            raise EventError(messages.WON_AFTER_CLAIM, seat=seat)
    return Chance(seat, Source.SELF_DRAW, None, hand.drawn)


def _check_another(house: House, hand: HandState, seat: int) -> None:
    """EventError unless this player may win on the tile that another player has won on (C-13)."""
    first, offer = hand.results[0] if hand.results else None, hand.offer
    if first is None or offer is None or offer.kind is OfferKind.FLOWER or seat == offer.seat:
        raise EventError(messages.HAND_IS_OVER)
    if not house.policy.multi_win or any(result.winner == seat for result in hand.results):
        raise EventError(messages.ONE_WINNER, seat=first.winner, ruling="C-13")
    check_win_call(house, hand, seat, offer)


def _find_three_melds(house: House, hand: HandState) -> tuple[tuple[int, int], ...]:
    """Pairs of seats: who has melded from whom as often as makes them liable."""
    liability = house.policy.liability
    found = []
    for seat, player in enumerate(hand.players):
        sources = [laid.source for laid in _melds_that_count(liability, player)]
        found += [(seat, other) for other in range(4) if sources.count(other) >= liability.melds]
    return tuple(found)


def _melds_that_count(liability: Liability, player: Player) -> list[Laid]:
    left_out = () if liability.pungs else (MeldKind.PUNG, MeldKind.KONG_ADDED)
    return [laid for laid in player.melds if laid.source is not None and laid.kind not in left_out]
