"""In which circumstances somebody wins: what of a hand the situations of a rule set go by."""

from __future__ import annotations

from companion.rules import Source
from companion.rules.play import Moment
from companion.table.state import HandState, OfferKind, Phase
from companion.tiles import MeldKind

SOURCES = {
    OfferKind.DISCARD: Source.DISCARD,
    OfferKind.ADDED_KONG: Source.ROBBED_KONG,
    OfferKind.CONCEALED_KONG: Source.ROBBED_KONG,
    OfferKind.FLOWER: Source.ROBBED_KONG,
}
"""Where a tile on offer comes from."""


def make_moment(hand: HandState, seat: int, source: Source) -> Moment:
    """The circumstances of a win that this player would declare now, on a tile from there."""
    player = hand.players[seat]
    return Moment(
        by_dealer=seat == hand.deal.dealer,
        source=source,
        replacement=source is Source.SELF_DRAW and hand.replaced,
        discards=hand.discards,
        claims=hand.claims,
        kongs=sum([laid.kind is MeldKind.KONG_CONCEALED for p in hand.players for laid in p.melds]),
        draws=player.draws,
        live_left=hand.wall.live_left,
        sea=hand.phase is Phase.SEA,
        ready=player.ready,
    )
