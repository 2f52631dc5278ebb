"""The judge agrees with the rules, which are asked for one tile after the other; open tiles count."""

import random
from collections.abc import Iterator

import pytest

from companion.coach.value.judge import HandView, Judge
from companion.rules import RULE_SETS, RuleSet, rule_set, shanten, useful_tiles
from companion.tiles import Meld, MeldKind, Suit, Tile, format_tiles, parse_meld, parse_tiles

TABLES = [(name, {}) for name in RULE_SETS] + [
    ("hefei", {"seven_pairs": False}),
    ("hefei", {"kong_counts_3": True}),
    ("hangzhou", {"fortune": "white_dragon"}),
    ("hangzhou", {"white_stands_for_fortune": True}),
]
GREEN = Tile.parse("6z")


def dealt(rules: RuleSet, options: dict[str, object], rng: random.Random, count: int) -> Iterator[HandView]:
    """Hands of one tile too many: of all kinds, or of nine and so nearer; with wild tiles, with melds."""
    fortune = GREEN if "fortune" in rules.uses and "fortune" not in options else None
    wild = rules.wild(rules.settings(options), fortune)
    for number in range(count):
        kinds = [tile for tile in rules.tile_set.kinds if tile.suit is not Suit.FLOWERS]
        kinds = [tile for tile in kinds if wild is None or tile is not wild.tile]
        melds: tuple[Meld, ...] = ()
        if number % 4 == 3:
            pung = kinds.pop(rng.randrange(len(kinds)))
            melds = (Meld((pung,) * 3, MeldKind.PUNG),)
        if number % 2:
            kinds = rng.sample(kinds, 9)
        wilds = [] if wild is None else [wild.tile] * (number % 3)
        wall = [tile for tile in kinds for _ in range(4)]
        drawn = rng.sample(wall, rules.hand_size + 1 - 3 * len(melds) - len(wilds))
        yield HandView((*drawn, *wilds), melds, None, fortune)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), TABLES)
def test_the_choices_are_those_that_the_rules_find_one_by_one(
    name: str, options: dict[str, object], hands: int
) -> None:
    rules, rng = rule_set(name), random.Random(f"{name} {options}")
    judge = Judge(rules, options)
    for view in dealt(rules, options, rng, hands // 40):
        reported = format_tiles(sorted(view.concealed)), view.melds
        found = {choice.discard: choice.after for choice in judge.discards(view)}
        wild = rules.wild(judge.options, view.fortune)
        best = min(after.shanten for after in found.values())
        for tile in set(view.concealed):
            rest = list(view.concealed)
            rest.remove(tile)
            after = shanten(rules, rest, view.melds, options, view.fortune)
            if tile in found:
                useful = useful_tiles(rules, rest, view.melds, options, view.fortune)
                assert found[tile].shanten == after == best, (reported, tile)
                assert tuple(kind.tile for kind in found[tile].useful) == useful, (reported, tile)
                fresh = Judge(rules, options).assess(HandView(tuple(rest), view.melds, None, view.fortune))
                assert fresh == found[tile], (reported, tile)
            elif wild is None or tile is not wild.tile:
                assert after > best, (reported, tile)


def view(hand: str, melds: str = "", **more: object) -> HandView:
    return HandView(parse_tiles(hand), tuple(parse_meld(meld) for meld in melds.split()), **more)  # type: ignore[arg-type]


def test_a_discard_is_reported_with_what_it_waits_for_and_how_many_are_left() -> None:
    first, *_ = Judge(rule_set("hebei")).discards(view("123m456p67s99m7z", "p555s"))
    assert first.discard.code == "7z"
    assert first.after.shanten == 0
    assert [(kind.tile.code, kind.unseen) for kind in first.after.useful] == [("5s", 1), ("8s", 4)]
    assert first.after.live == 5


def test_a_wild_tile_may_be_a_fifth_beside_four_equal_ones() -> None:
    """With 3m: 1m, a wild 2m and 3m; 333m, 777m, 567p; and 7m with a wild one for the pair."""
    best, *_ = Judge(rule_set("hangzhou")).discards(view("13337777m567p667z", fortune=Tile.parse("6z")))
    assert best.discard.code == "7z"
    assert "3m" in [kind.tile.code for kind in best.after.useful]


def test_open_tiles_are_not_waited_for() -> None:
    """Of 3m and 1z one is kept and waited for: of 3m the others all lie open."""
    judge, hand = Judge(rule_set("hebei")), view("3m1z", "p111p p222p p333s c456s")
    unseen = [4] * 34 + [0] * 8
    unseen[Tile.parse("1z").index] = 2
    unseen[Tile.parse("3m").index] = 0
    first, second = judge.discards(HandView(hand.concealed, hand.melds, unseen))
    assert (first.discard.code, first.after.live) == ("3m", 2)
    assert (second.discard.code, second.after.useful) == ("1z", ())


def test_finished_shape_without_eight_tiles_of_a_suit_is_not_ready() -> None:
    hand = view("22345m567p678p345s")
    assert {c.after.shanten for c in Judge(rule_set("hong_kong")).discards(hand)} == {0}
    short_of_two = Judge(rule_set("hefei")).discards(hand)
    assert {c.after.shanten for c in short_of_two} == {1}
    assert Suit.DOTS not in {c.discard.suit for c in short_of_two}


def test_a_wild_tile_is_discarded_only_where_nothing_else_is_there() -> None:
    judge = Judge(rule_set("hangzhou"))
    laid = "p111m p222m p333m p444m"
    assert [c.discard.code for c in judge.discards(view("59s", laid, fortune=Tile.parse("9s")))] == ["5s"]
    both = judge.discards(view("99s", laid, fortune=Tile.parse("9s")))
    assert [choice.discard.code for choice in both] == ["9s"]
    assert len(both[0].after.useful) == 34


def test_a_player_bound_to_one_tile_learns_how_the_hand_stands_after_it() -> None:
    judge, hand = Judge(rule_set("taiwanese")), view("123456789m123p67s99s7z")
    [only] = judge.discards(hand, among=[Tile.parse("9s")])
    assert (only.discard.code, only.after.shanten) == ("9s", 1)


def test_claims_are_reported_from_the_best_on_with_the_discard_that_follows() -> None:
    """The pung leaves 3m and 6m to wait for, of which five are unseen; the chow 6m and 9s, of which three."""
    judge, hand = Judge(rule_set("hebei")), view("4566m456p678s99s1z")
    found = judge.claims(hand, Tile.parse("6m"), [parse_meld("c456m"), parse_meld("p666m")])
    assert [(str(c.meld), str(c.discard), c.after.shanten, c.after.live) for c in found] == [
        ("p666m", "1z", 0, 5),
        ("c456m", "1z", 0, 3),
    ]


def test_after_a_kong_a_tile_is_drawn_before_anything_is_discarded() -> None:
    judge, hand = Judge(rule_set("hebei")), view("555z456p678s199s1m")
    [kong] = judge.claims(hand, Tile.parse("5z"), [parse_meld("k5555z")])
    assert kong.discard is None
    assert kong.after == judge.assess(view("456p678s199s1m", "k5555z"))


def test_kinds_that_a_game_does_not_have_are_never_useful() -> None:
    rules = rule_set("hefei")
    for hand in dealt(rules, {}, random.Random(1), 20):
        for choice in Judge(rules).discards(hand):
            assert {kind.tile for kind in choice.after.useful} <= set(rules.tile_set.kinds)
