"""A built-in player: moves toward a win, claims what brings it nearer, wins when it can.

It is given the state as it looks from its seat (companion.table.knowledge), and so sees no hand but its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace as changed

from companion.coach.judge import Judge
from companion.coach.views import Standing, View
from companion.errors import EventError
from companion.rules import shanten
from companion.table.apply import apply
from companion.table.claims import claims_of
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Discarded,
    Event,
    FlowerSetOut,
    ReadyDeclared,
    Won,
)
from companion.table.moves import flower_held
from companion.table.state import Hand, OfferKind, Phase, Player, State
from companion.table.wins import melds_of, would_win
from companion.tiles import Meld, MeldKind

KONG_TILES = 4
FLOWERS_TO_WIN = 7
"""From so many on, flowers alone may win (TW-24)."""


class BuiltIn:
    """What a player does by this judgement; one will do for all four."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def act(self, state: State, seat: int) -> Event | None:
        """What the player does on its own turn; None in the sea, with a tile that does not win."""
        hand, player = _hand_of(state, seat)
        flower = flower_held(player)
        if flower is not None:
            return FlowerSetOut(seat=seat, tile=flower.code)
        view = _view(state, hand, player)
        if hand.drew and self._finished(view) and would_win(state, seat):
            return Won(seat=seat)
        if hand.phase is Phase.SEA:
            return None
        bound = player.ready or player.gambits  # to the drawn tile (TW-13, HZ-09)
        only = [hand.drawn] if bound and hand.drawn and hand.phase is not Phase.READY else None
        best = self._judge.discards(view, only)[0]
        if hand.phase is not Phase.READY:
            for kong, after in self._kongs(state, seat, player, view):
                if after.shanten <= best.after.shanten:
                    return kong
            if state.house.ready and not player.ready and best.after.shanten == 0 and best.after.live:
                return ReadyDeclared(seat=seat)
        return Discarded(seat=seat, tile=best.discard.code)

    def answer(self, state: State, seat: int) -> Won | Claimed | None:
        """What the player would do with the tile on offer, a discard or that of a kong; None for nothing."""
        hand, player = _hand_of(state, seat)
        offer = hand.offer
        if offer is None or offer.tile is None:
            return None
        view = _view(state, hand, player)
        now = self._judge.standing(view)
        if now.shanten == 0:
            with_it = changed(view, concealed=(*view.concealed, offer.tile))
            if self._finished(with_it) and would_win(state, seat):
                return Won(seat=seat)
        if offer.kind is not OfferKind.DISCARD:
            return None
        helps = any(kind.tile is offer.tile for kind in now.useful)
        if not helps and player.concealed.count(offer.tile) < KONG_TILES - 1:
            return None
        for claim in self._judge.claims(view, offer.tile, claims_of(state.house, hand, seat)):
            nearer = now.shanten - claim.after.shanten
            if nearer > 0 or (nearer == 0 and claim.meld.kind.is_kong):
                return Claimed(seat=seat, meld=str(claim.meld))
        return None

    def wins_by_flowers(self, state: State, seat: int) -> bool:
        """Whether the player wins by flowers alone, one of which was just set out."""
        _, player = _hand_of(state, seat)
        return len(player.flowers) >= FLOWERS_TO_WIN and would_win(state, seat) is not None

    def _kongs(
        self, state: State, seat: int, player: Player, view: View
    ) -> Iterator[tuple[ConcealedKong | AddedKong, Standing]]:
        """The kongs from the hand that the table allows, and how the hand stands after each."""
        pungs = {meld.tiles[0]: meld for meld in view.melds if meld.kind is MeldKind.PUNG}
        for tile in dict.fromkeys(player.concealed):
            kong: ConcealedKong | AddedKong
            if player.concealed.count(tile) == KONG_TILES:
                kong, kind = ConcealedKong(seat=seat, tile=tile.code), MeldKind.KONG_CONCEALED
            elif tile in pungs:
                kong, kind = AddedKong(seat=seat, tile=tile.code), MeldKind.KONG_ADDED
            else:
                continue
            if _allowed(state, kong):
                rest = tuple([other for other in player.concealed if other is not tile])
                melds = [meld for meld in view.melds if meld is not pungs.get(tile)]
                melds.append(Meld((tile,) * KONG_TILES, kind))
                yield kong, self._judge.standing(changed(view, concealed=rest, melds=tuple(melds)))

    def _finished(self, view: View) -> bool:
        """Whether the tiles have a winning shape; whether they win is for the table to say."""
        judge = self._judge
        return shanten(judge.rules, view.concealed, view.melds, judge.options, view.fortune) < 0


def _hand_of(state: State, seat: int) -> tuple[Hand, Player]:
    assert state.hand is not None
    return state.hand, state.hand.players[seat]


def _view(state: State, hand: Hand, player: Player) -> View:
    unseen = [copies - known for copies, known in zip(state.house.copies, hand.known, strict=True)]
    return View(player.concealed, melds_of(player), unseen, hand.fortune)


def _allowed(state: State, event: Event) -> bool:
    try:
        apply(state, event)
    except EventError:
        return False
    return True
