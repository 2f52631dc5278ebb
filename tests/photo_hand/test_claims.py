"""Which sets of a hand entered by hand were claimed is asked where it changes the score, and nothing is
assumed in the winner's favour."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.photo_hand.claims import assume_tile, find_claims
from companion.photo_hand.draft import WinDraft, evaluate
from companion.photo_hand.hand import PhotoHand
from companion.profiles import load
from companion.rules import Source
from companion.tiles import parse_tiles

COMMON = tuple(load("hong-kong-common").options.items())


def enter(tiles: str, winning: str, **changes: Any) -> WinDraft:
    """The draft of these tiles, entered one by one; the last of that kind won."""
    hand = PhotoHand()
    for tile in parse_tiles(tiles):
        hand = hand.add(tile.code)
    held = [tile.id for tile in hand.concealed if tile.code == winning]
    return WinDraft(hand=hand.win_with(held[-1])).record(**changes)


def value(draft: WinDraft) -> int:
    score = evaluate(draft).score
    assert score is not None
    assert score.legal, score.reason
    return score.value


def test_in_hong_kong_a_hand_that_nobody_explained_is_not_paid_as_concealed() -> None:
    draft = enter("123m456p22s678s555z", "8s", rules="hong_kong", options=COMMON, situation=("last_tile",))
    claims = find_claims(draft)
    assert claims is not None
    assert [each.codes for each in claims.sets] == [
        ("1m", "2m", "3m"), ("4p", "5p", "6p"), ("5z", "5z", "5z"),
    ]  # fmt: skip
    assert not any(each.claimed for each in claims.sets), "nobody has said so"
    assert claims.count_assumed(draft.hand) == 3
    assert (value(draft), value(claims.apply(draft))) == (24, 16), "5 fan with Concealed Hand, 4 without"


def test_four_pungs_in_hefei_count_as_claimed_until_somebody_says_otherwise() -> None:
    draft = enter("222m444m666m333s88s", "8s", rules="hefei")
    claims = find_claims(draft)
    assert claims is not None
    assert value(claims.apply(draft)) < value(draft)
    none = find_claims(draft.record(hand=claims.claim_none(draft.hand)))
    assert none is not None, "the question stays, to be answered otherwise"
    said = draft.record(hand=claims.claim_none(draft.hand))
    assert none.assumed is None
    assert value(none.apply(said)) == value(draft)


def test_each_touch_claims_a_set_or_takes_it_back() -> None:
    draft = enter("222m444m666m333s88s", "8s", rules="hefei")
    claims = find_claims(draft)
    assert claims is not None
    one = draft.record(hand=claims.toggle(draft.hand, 1))
    after = find_claims(one)
    assert after is not None
    assert [each.claimed for each in after.sets] == [False, True, False, False]
    assert after.assumed is None, "a person has said something: the rest is concealed"
    assert [meld.notation for meld in one.hand.melds] == ["p444m"]
    assert value(claims.apply(draft)) < value(one) < value(draft)
    back = one.record(hand=after.toggle(one.hand, 1))
    again = find_claims(back)
    assert again is not None
    assert again.assumed is None
    assert not back.hand.melds


def test_the_set_that_the_winning_tile_completed_was_not_claimed() -> None:
    draft = enter("222m444m666m333s88s", "3s", rules="hefei", source=Source.DISCARD)
    claims = find_claims(draft)
    assert claims is not None
    assert ("3s", "3s", "3s") not in [each.codes for each in claims.sets]
    two = enter("234s456s111m222p55z", "4s", rules="hong_kong", options=COMMON, situation=("last_tile",))
    asked = find_claims(two)
    assert asked is not None
    runs = [each for each in asked.sets if each.codes[0] in ("2s", "4s")]
    for each in runs:
        hand = asked.toggle(two.hand, asked.sets.index(each))
        assert two.hand.chosen_win in {tile.id for tile in hand.concealed}


def test_nothing_is_asked_where_it_changes_nothing() -> None:
    assert find_claims(enter("2233m5577p2244s66s", "6s", rules="hefei")) is None, "seven pairs"
    assert find_claims(enter("123m456p22s678s55z", "8s", rules="hong_kong")) is None, "not complete"
    dealt = enter("123m456p22s678s555z", "8s", rules="hong_kong", situation=("heavenly",))
    assert find_claims(dealt) is None, "the dealer has won before anybody could claim"


def test_a_hand_in_a_picture_is_not_asked_about() -> None:
    quad = ((0.0, 0.0), (10.0, 0.0), (10.0, 14.0), (0.0, 14.0))
    draft = enter("222m444m666m333s88s", "8s", rules="hefei")
    first, *rest = draft.hand.tiles
    pictured = replace(draft.hand, tiles=(replace(first, quad=quad), *rest))
    assert find_claims(draft.record(hand=pictured)) is None


def test_a_hand_that_wins_only_if_it_was_concealed_is_asked_about_first() -> None:
    draft = enter("123m456p22s678s789m", "8s", rules="hong_kong", options=COMMON, source=Source.DISCARD)
    assert value(draft) == 8, "of three fan, the least that wins there"
    claims = find_claims(draft)
    assert claims is not None
    assert claims.decides


def test_the_winning_tile_that_is_assumed_is_the_one_with_which_the_hand_is_worth_least() -> None:
    """Four pungs of Taiwanese, the last tile a pair: all concealed if the pair won, one not if a pung did."""
    draft = enter("111m222m444m777m555z99m", "9m", rules="taiwanese", source=Source.DISCARD)
    unsaid = draft.record(hand=replace(draft.hand, chosen_win=None, claims_entered=True))
    tile = assume_tile(unsaid)
    assert tile is not None
    assert tile.matters
    assert not tile.decides
    kinds = {each.code for each in draft.hand.concealed}
    values = [
        value(enter("111m222m444m777m555z99m", kind, rules="taiwanese", source=Source.DISCARD))
        for kind in kinds
    ]
    assert value(tile.apply(unsaid)) == min(values) < max(values)


def test_nothing_is_assumed_of_a_hand_that_no_tile_wins() -> None:
    assert assume_tile(enter("123m456p22s678s558m", "8s", rules="hong_kong")) is None
    assert assume_tile(enter("12m", "2m", rules="hong_kong")) is None
    plain = assume_tile(enter("234567p234567s55s", "5s", rules="hong_kong", source=Source.DISCARD))
    assert plain is not None
    assert not plain.matters
