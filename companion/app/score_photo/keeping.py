"""What scoring a photo keeps on disk: the draft of a win."""

from __future__ import annotations

from dataclasses import replace

from companion.photo_hand.draft import NO_BALANCES, WinDraft
from companion.rules import RULE_SETS
from companion.rules.request import NUMBER_MAX
from companion.sentences import as_text
from companion.tiles import BACK, KINDS, UNKNOWN

KIND_CODES = frozenset(tile.code for tile in KINDS)
KNOWN_CODES = KIND_CODES | {BACK, UNKNOWN}


def make_storable(draft: WinDraft) -> WinDraft:
    """`draft` as JSON can hold it: in a picture's name that is not UTF-8, ? stands for what is not."""
    return draft if draft.picture is None else replace(draft, picture=as_text(draft.picture))


def is_sound(draft: WinDraft) -> bool:
    """Whether `draft` can have come from the window: everything in it exists and fits together."""
    if draft.rules not in RULE_SETS:
        return False
    rules, hand = RULE_SETS[draft.rules], draft.hand
    options = {option.key: option for option in rules.options}
    ids = [tile.id for tile in hand.tiles]
    laid = [member for meld in hand.melds for member in meld.members]
    kongs = draft.kongs_declared
    seats = [
        draft.winner,
        draft.dealer,
        draft.discarder,
        *(seat for pair in draft.three_melds for seat in pair),
    ]
    seats += [seat for kong in kongs for seat in (kong.seat, kong.discarder) if seat is not None]
    numbers = [draft.gambits, draft.consecutive_kongs, draft.base - 1]
    numbers += [n for n in (draft.streak, draft.discards, draft.cap, *draft.balances) if n is not None]
    return (
        all(0 <= seat <= 3 for seat in (*seats, draft.round_wind))
        and all(0 <= number <= NUMBER_MAX for number in numbers)
        and len(draft.balances) == len(NO_BALANCES)
        and all(kong.kind.is_kong for kong in kongs)
        and (draft.fortune is None or draft.fortune in KIND_CODES)
        and all(key in options and options[key].allows(value) for key, value in draft.options)
        and set(draft.situation) <= {situation.id for situation in rules.situations}
        and {tile.code for tile in hand.tiles} <= KNOWN_CODES
        and {code for meld in hand.melds for code in meld.codes} <= KIND_CODES
        and all(len(meld.members) == len(meld.codes) for meld in hand.melds)
        and len(ids) == len(set(ids))
        and len(laid) == len(set(laid))
        and set(laid) <= set(ids)
        and all(tile_id < hand.next_id for tile_id in ids)
    )
