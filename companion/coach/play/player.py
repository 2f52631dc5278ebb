"""A built-in player: moves toward a win, claims what brings it nearer, wins unless waiting pays more.

It receives the state as seen from its seat (companion.table.knowledge), and so sees only its own hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace as changed

from companion.coach.value.judge import HandStatus, HandView, Judge
from companion.errors import EventError
from companion.rules import shanten
from companion.table.apply import apply
from companion.table.claims import list_claims
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Discarded,
    Event,
    FlowerSetOut,
    ReadyDeclared,
    WinPassed,
    Won,
)
from companion.table.moves import find_flower
from companion.table.state import HandState, OfferKind, Phase, Player, State
from companion.table.wins import list_known_melds, would_win
from companion.tiles import KONG_TILES, Meld, MeldKind, Tile

FLOWERS_TO_WIN = 7
"""Number of flowers that win on their own (TW-24)."""
DRAWS_WORTH_WAITING = 0.85
"""The number of winning tiles that a player must expect to draw until the wall ends to pass up a discard:
everybody pays for a self-drawn tile."""
GAMBLES_FROM = 0.25
"""The least chance that the next draw wins as well for a player to gamble: that win is doubled, and
without it the hand is still ready."""
Answer = Won | WinPassed | Claimed
"""A player's possible answers to the tile on offer."""


class BuiltIn:
    """What a player does by this judgement; one instance can play all four seats."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def act(self, state: State, seat: int) -> Event | None:
        """What the player does on its turn; None in the sea, with a tile that does not win."""
        hand, player = find_hand(state, seat)
        flower = find_flower(player)
        if flower is not None:
            return FlowerSetOut(seat=seat, tile=flower.code)
        view = make_view(state, hand, player)
        if hand.drawn is not None and self._is_win(state, seat, remove_tile(view, hand.drawn), hand.drawn):
            return self._find_gamble(state, seat, view) or Won(seat=seat)
        if hand.phase is Phase.SEA:
            return None
        bound = player.ready or player.gambits  # to the drawn tile (TW-13, HZ-09)
        only = [hand.drawn] if bound and hand.drawn and hand.phase is not Phase.READY else None
        best = self._judge.discards(view, only)[0]
        if hand.phase is not Phase.READY:
            for kong, after in self._list_kongs(state, seat, player, view):
                if after.shanten <= best.after.shanten:
                    return kong
            if (
                state.house.policy.ready.declared
                and not player.ready
                and best.after.shanten == 0
                and best.after.live
            ):
                return ReadyDeclared(seat=seat)
        return Discarded(seat=seat, tile=best.discard.code)

    def answer(self, state: State, seat: int) -> Answer | None:
        """What the player would do with the tile on offer, a discard or that of a kong; None for nothing."""
        hand, player = find_hand(state, seat)
        offer = hand.offer
        if offer is None or offer.tile is None:
            return None
        view = make_view(state, hand, player)
        if self._is_win(state, seat, view, offer.tile):
            return self._passes_up_win(state, seat, view) or Won(seat=seat)
        if offer.kind is not OfferKind.DISCARD:
            return None
        helps = self._judge.brings_nearer(view, offer.tile)
        if not helps and player.concealed.count(offer.tile) < KONG_TILES - 1:
            return None
        now = self._judge.shanten(view)
        replaced = hand.wall.may_replace
        melds = [m for m in list_claims(state.house, hand, seat) if replaced or not m.kind.is_kong]
        for claim in self._judge.claims(view, offer.tile, melds):
            nearer = now - claim.after.shanten
            if nearer > 0 or (nearer == 0 and claim.meld.kind.is_kong):
                return Claimed(seat=seat, meld=str(claim.meld))
        return None

    def wins_by_flowers(self, state: State, seat: int) -> bool:
        """Whether the player wins by flowers alone, after setting one out."""
        _, player = find_hand(state, seat)
        return len(player.flowers) >= FLOWERS_TO_WIN and would_win(state, seat) is not None

    def declines(self, state: State, seat: int) -> bool:
        """Whether the player leaves the last tile (TW-14): it would not win with it, and another player
        might win on the discard."""
        hand, player = find_hand(state, seat)
        if not state.house.policy.last_tile.may_decline or hand.wall.live_left != 1:
            return False
        return player.void is not None or self._judge.shanten(make_view(state, hand, player)) > 0

    def _list_kongs(
        self, state: State, seat: int, player: Player, view: HandView
    ) -> Iterator[tuple[ConcealedKong | AddedKong, HandStatus]]:
        """The kongs from the hand that the table allows, and the status of the hand after each."""
        if state.hand is None or not state.hand.wall.may_replace:
            return
        pungs = {meld.tiles[0]: meld for meld in view.melds if meld.kind is MeldKind.PUNG}
        for tile in dict.fromkeys(player.concealed):
            kong: ConcealedKong | AddedKong
            if player.concealed.count(tile) == KONG_TILES:
                kong, kind = ConcealedKong(seat=seat, tile=tile.code), MeldKind.KONG_CONCEALED
            elif tile in pungs:
                kong, kind = AddedKong(seat=seat, tile=tile.code), MeldKind.KONG_ADDED
            else:
                continue
            if _try_event(state, kong):
                rest = tuple([other for other in player.concealed if other is not tile])
                melds = [meld for meld in view.melds if meld is not pungs.get(tile)]
                melds.append(Meld((tile,) * KONG_TILES, kind))
                yield kong, self._judge.assess(changed(view, concealed=rest, melds=tuple(melds)))

    def _is_win(self, state: State, seat: int, before: HandView, tile: Tile) -> bool:
        """Whether the tile wins, by the table; asked only if the tile finishes a ready hand."""
        judge = self._judge
        if judge.shanten(before) > 0:
            return False
        tiles = (*before.concealed, tile)
        finished = shanten(judge.rules, tiles, before.melds, judge.options, before.fortune) < 0
        return finished and would_win(state, seat) is not None

    def _passes_up_win(self, state: State, seat: int, view: HandView) -> WinPassed | None:
        """A win on a discard passed up, where that is allowed, and the player is likely enough to draw
        one."""
        hand, _ = find_hand(state, seat)
        if hand.offer is None or hand.offer.kind is not OfferKind.DISCARD:
            return None
        draws = hand.wall.live_left // len(state.house.seats)
        if draws * self._judge.assess(view).live < DRAWS_WORTH_WAITING * sum(view.unseen or ()):
            return None
        passed = WinPassed(seat=seat)
        return passed if _try_event(state, passed) else None

    def _find_gamble(self, state: State, seat: int, view: HandView) -> Discarded | None:
        """The Fortune discarded instead of a win, where that begins or continues a gambit, and the next
        draw is likely enough to win as well (HZ-08, HZ-09)."""
        fortune = view.fortune
        if state.house.policy.gambits is None or fortune is None or fortune not in view.concealed:
            return None
        hand, player = find_hand(state, seat)
        rest = remove_tile(view, fortune)
        after = self._judge.assess(rest)
        if after.shanten or after.live < GAMBLES_FROM * sum(rest.unseen or ()):
            return None
        discard = Discarded(seat=seat, tile=fortune.code)
        then = _try_event(state, discard)
        if then is None or then.hand is None or then.hand.players[seat].gambits == player.gambits:
            return None
        return discard if hand.wall.live_left >= len(state.house.seats) else None


def find_hand(state: State, seat: int) -> tuple[HandState, Player]:
    assert state.hand is not None
    return state.hand, state.hand.players[seat]


def make_view(state: State, hand: HandState, player: Player) -> HandView:
    unseen = [copies - known for copies, known in zip(state.house.copies, hand.known, strict=True)]
    return HandView(player.concealed, list_known_melds(player), unseen, hand.fortune)


def remove_tile(view: HandView, tile: Tile) -> HandView:
    rest = list(view.concealed)
    rest.remove(tile)
    return changed(view, concealed=tuple(rest))


def _try_event(state: State, event: Event) -> State | None:
    """The state after the event; None if the table does not allow it."""
    try:
        return apply(state, event)
    except EventError:
        return None
