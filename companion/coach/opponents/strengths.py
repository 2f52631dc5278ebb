"""Built-in players of three strengths: how an opponent in practice plays."""

from __future__ import annotations

from enum import StrEnum

from companion.coach.opponents.follower import Follower, follow_coach
from companion.coach.play.player import Answer, BuiltIn, find_hand, make_view, remove_tile
from companion.coach.value.judge import Judge, measure_company
from companion.table.claims import list_claims
from companion.table.events import Claimed, Discarded, Event, WinPassed, Won
from companion.table.state import OfferKind, Phase, State
from companion.tiles import counts


class Strength(StrEnum):
    """beginner: keeps neighbours and claims whatever it can. usual: counts the tiles that help. strong:
    follows the coach, minding value and danger."""

    BEGINNER = "beginner"
    USUAL = "usual"
    STRONG = "strong"


class Beginner(BuiltIn):
    """Sees pairs and neighbours in its own hand, not how far it is from ready, what is left or what others
    hold. It claims every set that it can until it is ready, and never waits for a better win."""

    def act(self, state: State, seat: int) -> Event | None:
        """As BuiltIn, but until it is ready it discards the tile with the least company in its hand."""
        usual = super().act(state, seat)
        hand, player = find_hand(state, seat)
        if not isinstance(usual, Discarded) or player.ready or player.gambits or hand.phase is Phase.READY:
            return usual
        view = make_view(state, hand, player)
        if hand.drawn is not None and self._judge.shanten(remove_tile(view, hand.drawn)) == 0:
            return usual
        wild = state.house.wild(hand.fortune)
        natural = [tile for tile in player.concealed if wild is None or tile is not wild.tile]
        if not natural:
            return usual
        held = counts(player.concealed)
        lonely = min(natural, key=lambda tile: (measure_company(held, tile), -tile.index))
        return Discarded(seat=seat, tile=lonely.code)

    def answer(self, state: State, seat: int) -> Answer | None:
        """Wins where it can; else the first set that it may claim, unless it is ready."""
        usual = super().answer(state, seat)
        if isinstance(usual, Won | WinPassed):
            return Won(seat=seat)
        hand, player = find_hand(state, seat)
        offer = hand.offer
        if offer is None or offer.tile is None or offer.kind is not OfferKind.DISCARD or player.ready:
            return usual
        view = make_view(state, hand, player)
        melds = [meld for meld in list_claims(state.house, hand, seat) if not meld.kind.is_kong]
        if not melds or self._judge.shanten(view) == 0:
            return usual
        return Claimed(seat=seat, meld=str(self._judge.claims(view, offer.tile, melds)[0].meld))


def make_player(strength: Strength, judge: Judge) -> BuiltIn:
    """A player of that strength; one instance can play several seats."""
    match strength:
        case Strength.BEGINNER:
            return Beginner(judge)
        case Strength.USUAL:
            return BuiltIn(judge)
        case Strength.STRONG:
            return Follower(judge, follow_coach(judge), 0.0)
