"""What is asked about a winning hand where it changes the score: which tile won, if none is apart, and which
sets were claimed, if no picture shows it.

Until a person answers, the hand counts in the way in which it is worth least. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.errors import CompanionError
from companion.photo_hand.draft import WinDraft
from companion.photo_hand.hand import PhotoHand, PhotoMeld
from companion.rules import GroupKind, Score, decode_request
from companion.rules.scoring import trace_score
from companion.tiles import MeldKind

CLAIMED_AS = {GroupKind.SEQUENCE: MeldKind.CHOW, GroupKind.TRIPLET: MeldKind.PUNG}
"""The meld that a set of a hand is once it was claimed."""
Rate = tuple[bool, int, int]
"""Whether a hand wins, its value, and what the winner gets."""


@dataclass(frozen=True, slots=True)
class AssumedTile:
    """The winning tile that is assumed: its id in the hand. matters: another one would change the score.
    decides: another one would decide whether the hand wins."""

    id: int
    matters: bool
    decides: bool

    def apply(self, draft: WinDraft) -> WinDraft:
        """The draft as it counts."""
        return draft.record(hand=draft.hand.win_with(self.id))


@dataclass(frozen=True, slots=True)
class HandSet:
    """A set that may have been claimed: its kind as a meld, the codes of its tiles, and whether it is entered
    as claimed."""

    kind: MeldKind
    codes: tuple[str, ...]
    claimed: bool = False


@dataclass(frozen=True, slots=True)
class Claims:
    """The sets that may have been claimed, in the order of tiles.

    assumed: the hand as it counts until a person answers, None once one has. decides: claims decide whether
    it wins at all. winning: the id of the winning tile, which no claimed set holds.
    """

    sets: tuple[HandSet, ...]
    assumed: PhotoHand | None = None
    decides: bool = False
    winning: int | None = None

    def apply(self, draft: WinDraft) -> WinDraft:
        """The draft as it counts."""
        return draft if self.assumed is None else draft.record(hand=self.assumed)

    def count_assumed(self, hand: PhotoHand) -> int:
        """The number of sets assumed to be claimed."""
        return 0 if self.assumed is None else len(self.assumed.melds) - len(hand.melds)

    def toggle(self, hand: PhotoHand, place: int) -> PhotoHand:
        """The hand with the set at that index claimed, or concealed again."""
        chosen = self.sets[place]
        if not chosen.claimed:
            return replace(_claim(hand, chosen, self.winning), claims_entered=True)
        meld = next(meld for meld in hand.melds if (meld.kind, meld.codes) == (chosen.kind, chosen.codes))
        return replace(hand.split_meld(meld), claims_entered=True)

    def claim_none(self, hand: PhotoHand) -> PhotoHand:
        """The hand with all these sets concealed."""
        return replace(_split(hand), claims_entered=True)


def assume_tile(draft: WinDraft) -> AssumedTile | None:
    """The tile with which the hand is worth least, whatever sets were claimed; of equal ones, the last. None
    if no tile wins."""
    least: dict[int, Rate] = {}
    most: dict[int, Rate] = {}
    for tile in {tile.code: tile for tile in draft.hand.concealed}.values():
        won = draft.record(hand=draft.hand.win_with(tile.id))
        claims = find_claims(won)
        ways = (won,) if claims is None else (won, claims.apply(won))
        rates = [_rate(score, draft.winner) for way in ways if (score := _score(way)) is not None]
        if rates:
            least[tile.id], most[tile.id] = min(rates), max(rates)
    if not any(legal for legal, *_ in most.values()):
        return None
    return AssumedTile(
        min(sorted(least, reverse=True), key=least.__getitem__),
        matters=len({(least[tile], most[tile]) for tile in least}) > 1,
        decides=len({(least[tile][0], most[tile][0]) for tile in least}) > 1,
    )


def find_claims(draft: WinDraft) -> Claims | None:
    """What is to be asked about the claims of a winning hand; None where no claim changes its score, and for
    a hand in a picture, which shows its melds."""
    hand, winning = draft.hand, draft.winning
    if winning is None or any(tile.quad is not None for tile in hand.tiles):
        return None
    found = _score(draft)
    if found is None or found.reading is None:
        return None
    offered = [
        HandSet(CLAIMED_AS[group.kind], tuple(tile.code for tile in group.tiles))
        for group in found.reading.groups
        if group.meld is None and group.kind in CLAIMED_AS and not group.wild
    ]
    offered = [
        each
        for each in offered
        if each.kind in draft.meld_kinds and _claim(hand, each, winning.id) is not hand
    ]
    laid = [HandSet(meld.kind, meld.codes, True) for meld in hand.melds if _is_claimed_set(meld)]
    sets = tuple(sorted((*offered, *laid), key=lambda each: (each.codes[0][::-1], each.codes)))
    plain = _split(hand)
    ways = {way: _score(draft.record(hand=way)) for way in _list_ways(plain, sets, winning.id)}
    scored = {way: score for way, score in ways.items() if score is not None}
    results = {(score.legal, score.value, score.payments) for score in scored.values()}
    wins = {score.legal for score in scored.values()}
    if len(results) < 2 or True not in wins:
        return None
    if hand.claims_entered or any(meld.kind is not MeldKind.KONG_CONCEALED for meld in hand.melds):
        return Claims(sets, winning=winning.id)

    least = min(scored, key=lambda way: _rate(scored[way], draft.winner))
    return Claims(sets, least, decides=False in wins, winning=winning.id)


def _list_ways(plain: PhotoHand, sets: Sequence[HandSet], winning: int) -> list[PhotoHand]:
    """The hand with all sets claimed that can be together, with each alone, and with none."""
    together = plain
    for each in sets:
        together = _claim(together, each, winning)
    return [together, *(_claim(plain, each, winning) for each in sets), plain]


def _claim(hand: PhotoHand, chosen: HandSet, winning: int | None) -> PhotoHand:
    """The hand with that set as a meld, without the winning tile; unchanged where tiles are missing."""
    free = [tile for tile in hand.concealed if tile.id != winning]
    members = []
    for code in chosen.codes:
        tile = next((tile for tile in free if tile.code == code), None)
        if tile is None:
            return hand
        free.remove(tile)
        members.append(tile.id)
    meld = PhotoMeld(chosen.kind, tuple(members), chosen.codes)
    return replace(hand, melds=(*hand.melds, meld), arranged=True)


def _split(hand: PhotoHand) -> PhotoHand:
    """The hand with its claimed chows and pungs concealed."""
    for meld in hand.melds:
        if _is_claimed_set(meld):
            hand = hand.split_meld(meld)
    return hand


def _is_claimed_set(meld: PhotoMeld) -> bool:
    return meld.kind in CLAIMED_AS.values()


def _rate(score: Score, winner: int) -> Rate:
    return score.legal, score.value, score.payments[winner]


def _score(draft: WinDraft) -> Score | None:
    try:
        return trace_score(decode_request(draft.request()), house_rules=False).score
    except CompanionError:
        return None
