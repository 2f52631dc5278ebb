"""Kongs that were declared in a hand, which some games pay beside the win."""

from __future__ import annotations

from dataclasses import replace

from companion.photo_hand.draft import WinDraft
from companion.rules.win import DeclaredKong
from companion.tiles import MeldKind


def propose_kong(draft: WinDraft) -> DeclaredKong:
    """The next kong to be listed: the winner's next meld that is one and is not listed yet, or any."""
    listed = [kong.kind for kong in draft.kongs_declared if kong.seat == draft.winner]
    kinds = [meld.kind for meld in draft.hand.melds if meld.kind.is_kong]
    for kind in listed:
        if kind in kinds:
            kinds.remove(kind)
    return make_possible(DeclaredKong(kinds[0] if kinds else MeldKind.KONG_CONCEALED, draft.winner, None))


def make_possible(kong: DeclaredKong) -> DeclaredKong:
    """A kong that can be: one on a discard has a discarder other than its own seat, any other has none."""
    if kong.kind is not MeldKind.KONG_DISCARD:
        return replace(kong, discarder=None)
    if kong.discarder in (None, kong.seat):
        return replace(kong, discarder=(kong.seat + 1) % 4)
    return kong
