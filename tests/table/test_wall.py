"""The wall: breaks and ends worked out by hand, every break and random hands against a walking finger."""

import json
import random
from math import atan2, pi
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import EventError
from companion.rules import RULE_SETS, rule_set
from companion.rules.play import WallRule
from companion.rules.profile import complete_settings
from companion.table.wall import Layer, Wall, WallPlace, find_break
from companion.tiles import KINDS, SET_84, Tile
from tests.table.finger import Finger, table

GOLDEN = Path(__file__).parent.parent / "golden" / "table"
Case = dict[str, Any]
HOUSES: list[tuple[str, dict[str, Any]]] = [
    *((game, {}) for game in RULE_SETS),
    *((game, {"break.unit": "tile"}) for game in RULE_SETS if game != "hong_kong"),
    ("taiwanese", {"flowers": False}),
    ("taiwanese", {"flowers": False, "break.unit": "tile"}),
    ("hong_kong", {"flowers": False}),
    ("hong_kong", {"moving_dead_wall": True}),
    ("hong_kong", {"moving_dead_wall": True, "flowers": False}),
]
"""Every wall that there is."""
seats = st.integers(0, 3)
slow = settings(deadline=None)


def wall_rule(game: str, options: dict[str, Any]) -> WallRule:
    return rule_set(game).play.wall.with_options(complete_settings(rule_set(game), options))


def read(name: str) -> list[Case]:
    return [json.loads(line) for line in (GOLDEN / name).read_text(encoding="utf-8").splitlines()]


def title(case: Case) -> str:
    house = "".join(f",{key}={setting}" for key, setting in case.get("options", {}).items())
    return f"{case['rules']}{house}-{case['dealer']}-{case['dice']}-{case.get('steps', 'deal')}"


def cases(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", read(name), ids=title)


def place(text: str | None) -> WallPlace | None:
    """A place as the files write it: side:stack, then u for the upper tile or l for the lower one."""
    if text is None:
        return None
    side, stack = text[:-1].split(":")
    return WallPlace(int(side), int(stack), {"u": Layer.UPPER, "l": Layer.LOWER}[text[-1]])


def places(text: str) -> list[WallPlace]:
    """Places as the files write many: stacks as side:first-last, single tiles as above."""
    found = []
    for span in text.split():
        if "-" not in span:
            found.append(place(span))
            continue
        side, stacks = span.split(":")
        first, last = map(int, stacks.split("-"))
        found += [WallPlace(int(side), stack, layer) for stack in range(first, last + 1) for layer in Layer]
    return [one for one in found if one is not None]


def dealt(wall: Wall, dealer: int) -> int:
    """How many tiles the deal takes."""
    return sum(tiles for _, tiles in wall.rule.deal_order([(dealer + turn) % 4 for turn in range(4)]))


def after(wall: Wall, dealer: int, steps: str) -> Wall:
    """The wall after steps as the files write them: "deal, draw 3, replace, turn 1 2"."""
    for step in steps.split(", "):
        what, *numbers = step.split()
        if what == "turn":
            wall = wall.turn_indicator(tuple(map(int, numbers)))
        elif what == "replace":
            for _ in range(int(*numbers or "1")):
                wall = wall.draw_replacement()
        else:
            wall = wall.draw(dealt(wall, dealer) if what == "deal" else int(*numbers))
    return wall


@cases("wall_breaks.jsonl")
def test_break_by_hand(case: Case) -> None:
    rule, dealer = wall_rule(case["rules"], case.get("options", {})), case["dealer"]
    wall = Wall.break_by_dice(rule, dealer, tuple(case["dice"]))
    assert wall.next_place == place(case["first"])
    assert wall.draw(dealt(wall, dealer) - 1).next_place == place(case["dealers_last"])
    wall = after(wall, dealer, "deal")
    assert wall.replacement_place == place(case["replacement"])
    assert wall.last_place == place(case["last"])
    assert list(wall.dead_places) == places(case.get("dead", ""))
    assert list(sea_places(wall)) == places(case.get("sea", ""))
    if "indicator" in case:
        total, stands = case["indicator"]
        low = max(1, total - 6)
        assert wall.turn_indicator((low, total - low)).indicator_place == place(stands)


@cases("wall_play.jsonl")
def test_hand_by_hand(case: Case) -> None:
    rule = wall_rule(case["rules"], case.get("options", {}))
    wall = after(Wall.break_by_dice(rule, case["dealer"], tuple(case["dice"])), case["dealer"], case["steps"])
    assert wall.next_place == place(case["next"])
    assert wall.replacement_place == place(case["replacement"])
    assert wall.may_replace == (case["replacement"] is not None)
    assert wall.last_place == place(case["last"])
    assert wall.live_left == len(wall.live_places) == case["live"]
    assert list(wall.dead_places) == places(case.get("dead", ""))
    assert wall.dead_left == len(wall.dead_places)
    assert wall.before_sea == case.get("before_sea", case["live"])
    assert wall.in_sea == case.get("in_sea", False)
    assert list(sea_places(wall)) == places(case.get("sea", ""))
    assert wall.indicator_place == place(case.get("indicator"))


@pytest.mark.parametrize(
    ("game", "options", "left"),
    [
        ("hefei", {}, 31), ("hebei", {}, 71), ("taiwanese", {}, 63), ("hong_kong", {}, 77),
        ("hong_kong", {"flowers": False}, 69), ("hangzhou", {}, 63),
    ],
)  # fmt: skip
def test_left_after_the_deal(game: str, options: dict[str, Any], left: int) -> None:
    """The figures that stand under the rulings common to all games, after C-19."""
    rule = wall_rule(game, options)
    assert after(Wall.break_by_dice(rule, 0, (3, 4)), 0, "deal").live_left == left
    assert sum(rule.deal) == rule_set(game).hand_size


def test_the_deal_goes_round_in_fours() -> None:
    """Three rounds of four tiles and one of one, four of four in Taiwan; the dealer takes one more (C-04)."""
    dealer_first = [2, 3, 0, 1]
    fours = [(seat, 4) for seat in dealer_first]
    ones = [(seat, 1) for seat in dealer_first]
    assert list(wall_rule("hebei", {}).deal_order(dealer_first)) == [*fours * 3, *ones, (2, 1)]
    assert list(wall_rule("taiwanese", {}).deal_order(dealer_first)) == [*fours * 4, (2, 1)]
    three = [(seat, tiles) for tiles in (4, 4, 4, 1) for seat in (1, 2, 0)]
    assert list(wall_rule("hebei", {}).deal_order([1, 2, 0])) == [*three, (1, 1)]


def test_the_last_round_of_the_deal_in_hangzhou() -> None:
    """Its rules tell it in columns: the dealer takes the upper tiles of the first and the third, the next
    player the lower one of the first, the others upper and lower of the second. In order it is the same."""
    wall = Wall.break_by_dice(wall_rule("hangzhou", {}), 0, (1, 4)).draw(48)
    columns = [(wall.order.index(stands) // 2 - 24, stands.layer.value) for stands in wall.live_places[:5]]
    assert columns == [(0, "upper"), (0, "lower"), (1, "upper"), (1, "lower"), (2, "upper")]
    assert [seat for seat, _ in wall.rule.deal_order([0, 1, 2, 3])][12:] == [0, 1, 2, 3, 0]


@pytest.mark.parametrize("game", RULE_SETS)
def test_house_options_that_change_the_wall_exist(game: str) -> None:
    """Each names an option of the game, a setting that it may have and that is not the default."""
    rules, wall = rule_set(game), rule_set(game).play.wall
    options = {option.key: option for option in (*rules.options, *rule_set(game).play.own_options)}
    for key, setting in wall.variations:
        assert setting in options[key].alternatives(options[key].default)
        assert wall_rule(game, {key: setting}) != wall
    assert wall_rule(game, {}) is wall


def as_place(tile: tuple[int, int, str] | None) -> WallPlace | None:
    return None if tile is None else WallPlace(tile[0], tile[1], Layer(tile[2]))


def same(wall: Wall, finger: Finger) -> None:
    """Wall and finger agree on everything that is left."""
    assert wall.live_left == len(finger.live)
    assert wall.dead_left == len(finger.dead)
    assert wall.next_place == as_place(finger.live[0] if finger.live else None)
    assert wall.last_place == as_place(finger.live[-1] if finger.live else None)
    assert wall.replacement_place == as_place(finger.kong_tile)
    assert wall.may_replace == (finger.kong_tile is not None)
    assert list(wall.live_places) == [as_place(tile) for tile in finger.live]
    assert list(wall.dead_places) == [as_place(tile) for tile in finger.dead]


@pytest.mark.parametrize(("game", "options"), HOUSES, ids=str)
def test_every_break(game: str, options: dict[str, Any]) -> None:
    """For every throw and dealer, the wall is that of the finger: before the deal, after it, at its end."""
    rule, laid = wall_rule(game, options), table(game, options)
    for number in rule.dice:
        for total in range(number, 6 * number + 1):
            dice = tuple(total // number + (die < total % number) for die in range(number))
            for dealer in range(4):
                finger, wall = Finger(laid, dealer, total), Wall.break_by_dice(rule, dealer, dice)
                same(wall, finger)
                for _ in range(dealt(wall, dealer)):
                    finger.draw()
                wall = after(wall, dealer, "deal")
                same(wall, finger)
                if rule.indicator_dice:
                    for again in range(2, 13):
                        low = max(1, again - 6)
                        turned = wall.turn_indicator((low, again - low)).indicator_place
                        assert turned == as_place(finger.turned(again))
                        assert turned in wall.dead_places
                finger.live = finger.live[-1:]
                same(wall.draw(wall.live_left - 1), finger)


@pytest.mark.slow
@slow
@given(
    st.sampled_from(HOUSES), seats, st.integers(1, 6), st.integers(1, 6), st.randoms(use_true_random=False),
    st.sampled_from([0.02, 0.1, 0.5, 0.95]),
)  # fmt: skip
def test_a_hand_to_its_end(
    house: tuple[str, dict[str, Any]], dealer: int, die: int, other: int, chance: random.Random, kongs: float
) -> None:
    """Draws and kongs in any order: each place is taken once, from where the finger does, none is lost."""
    game, options = house
    rule, finger = wall_rule(game, options), Finger(table(game, options), dealer, die + other)
    wall = Wall.break_by_dice(rule, dealer, (die, other))
    everything = set(wall.order)
    drawn: list[WallPlace] = []
    replaced: list[WallPlace] = []
    while wall.live_left:
        same(wall, finger)
        if chance.random() < kongs and wall.may_replace:
            stands = wall.replacement_place
            wall, lifted = wall.draw_replacement(), finger.kong()
            replaced.append(place_of(stands))
            sea = sea_places(wall)
            assert stands not in sea
            assert len(sea) == rule.sea or wall.live_left < rule.sea
        else:
            stands = wall.next_place
            wall, lifted = wall.draw(), finger.draw()
            drawn.append(place_of(stands))
        assert stands == as_place(lifted)
        left = [*wall.live_places, *wall.dead_places]
        assert len(left) + len(drawn) + len(replaced) == rule.tile_set.total
        assert {*left, *drawn, *replaced} == everything
    along = [wall.order.index(stood) for stood in drawn]
    assert along == sorted(along), "tiles are drawn clockwise, none before another that stood before it"
    assert wall.next_place is wall.last_place is None


def sea_places(wall: Wall) -> tuple[WallPlace, ...]:
    """Where the sea stands: the last tiles of the live wall."""
    return wall.live_places[wall.before_sea :] if wall.rule.sea else ()


def place_of(stands: WallPlace | None) -> WallPlace:
    assert stands is not None
    return stands


@slow
@given(st.sampled_from(HOUSES), seats, st.randoms(use_true_random=False))
def test_known_tiles_are_those_at_the_places(
    house: tuple[str, dict[str, Any]], dealer: int, chance: random.Random
) -> None:
    """Where the order of tiles is known, what is drawn is what stands there; the counts do not need it."""
    rule = wall_rule(*house)
    tiles = [kind for kind in KINDS for _ in range(rule.tile_set.copies[kind.index])]
    chance.shuffle(tiles)
    dice = chance.randint(1, 6), chance.randint(1, 6)
    wall = Wall.break_by_dice(rule, dealer, dice, tiles)
    unknown = Wall.break_by_dice(rule, dealer, None)
    standing = dict(zip(wall.order, tiles, strict=True))
    taken: list[Tile] = []
    if rule.indicator_dice:
        wall, unknown = wall.turn_indicator(dice), unknown.turn_indicator(dice)
        assert wall.indicator_tile is standing[place_of(wall.indicator_place)]
    while wall.live_left:
        count = min(chance.randint(1, 4), wall.live_left)
        assert wall.next_tiles(count) == tuple(standing[stands] for stands in wall.live_places[:count])
        assert wall.next_tile is standing[place_of(wall.next_place)]
        assert (wall.replacement_tile is None) == (wall.replacement_place is None)
        if wall.may_replace and chance.random() < 0.2:
            assert wall.replacement_tile is standing[place_of(wall.replacement_place)]
            taken += [standing[place_of(wall.replacement_place)]]
            wall, unknown = wall.draw_replacement(), unknown.draw_replacement()
        else:
            taken += wall.next_tiles(count) or ()
            wall, unknown = wall.draw(count), unknown.draw(count)
        assert (unknown.live_left, unknown.dead_left) == (wall.live_left, wall.dead_left)
        assert (unknown.may_replace, unknown.in_sea) == (wall.may_replace, wall.in_sea)
        for known_to_nobody in (
            unknown.next_place, unknown.last_place, unknown.replacement_place, unknown.indicator_place,
            unknown.next_tile, unknown.replacement_tile, unknown.indicator_tile, unknown.next_tiles(1),
        ):  # fmt: skip
            assert known_to_nobody is None
        assert unknown.live_places == unknown.dead_places == ()
    assert sorted([*taken, *(standing[stands] for stands in wall.dead_places)]) == sorted(tiles)


def test_a_break_that_people_made_elsewhere() -> None:
    """A wall may be broken where the dice did not say."""
    first = WallPlace(2, 9, Layer.UPPER)
    wall = Wall.break_at(wall_rule("hebei", {}), 0, first)
    assert wall.next_place == first
    assert wall.dead_places[-1] == WallPlace(2, 8, Layer.LOWER)


@slow
@given(st.sampled_from(HOUSES), seats, seats)
def test_the_way_round_goes_clockwise_before_everyone(
    house: tuple[str, dict[str, Any]], dealer: int, viewer: int
) -> None:
    """Seen from any seat, places go round clockwise; the viewer's own side goes from right to left."""
    wall = Wall.break_by_dice(wall_rule(*house), dealer, (1, 2))
    spots = [wall.locate(stands, viewer) for stands in wall.order]
    turned = 0.0
    for here, there in zip(spots, [*spots[1:], spots[0]], strict=True):
        step = (atan2(here.y, here.x) - atan2(there.y, there.x)) % (2 * pi)
        assert step < pi / 4
        turned += step
    assert turned == pytest.approx(2 * pi)
    own = [spot for spot in spots if spot.place.side == viewer]
    assert all(spot.direction == 0 and spot.y == -1 for spot in own)
    rightmost, leftmost = max(own, key=lambda spot: spot.x), min(own, key=lambda spot: spot.x)
    assert rightmost.place.stack == 1
    assert rightmost.x == -leftmost.x
    next_player = [spot for spot in spots if spot.place.side == (viewer + 1) % 4]
    assert all(spot.direction == 1 and spot.x == 1 for spot in next_player)


def test_a_stack_of_the_player_across() -> None:
    """Stack 5 from the right end of seat 2 is the fifth from the left to seat 0, on the far side."""
    wall = Wall.break_by_dice(wall_rule("hong_kong", {}), 0, (1, 2))
    spot = wall.locate(WallPlace(2, 5, Layer.UPPER), viewer=0)
    assert (spot.direction, spot.x, spot.y) == (2, -0.5, 1)


@pytest.mark.parametrize(
    ("game", "dice"),
    [
        ("hefei", (7,)), ("hebei", (0, 3)), ("hangzhou", (3, 7)), ("hong_kong", (1, 1, 1)),
        ("taiwanese", (4,)), ("taiwanese", ()),
    ],
)  # fmt: skip
def test_a_throw_that_cannot_be(game: str, dice: tuple[int, ...]) -> None:
    with pytest.raises(EventError, match="not a throw of 2"):
        find_break(wall_rule(game, {}), 0, dice)


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (WallPlace(0, 13, Layer.UPPER), "no stack 13 on the side of seat 0: it has stacks 1 to 10"),
        (WallPlace(1, 0, Layer.UPPER), "no stack 0 on the side of seat 1: it has stacks 1 to 12"),
        (WallPlace(4, 1, Layer.UPPER), "4 is not a side"),
    ],
)
def test_a_break_where_no_tile_stands(first: WallPlace, said: str) -> None:
    with pytest.raises(EventError, match=said):
        Wall.break_at(wall_rule("hefei", {}), 1, first)


def test_tiles_of_another_game() -> None:
    tiles = [kind for kind in KINDS for _ in range(SET_84.copies[kind.index])]
    with pytest.raises(EventError, match="84 tiles of the wall are not the 136"):
        Wall.break_by_dice(wall_rule("hebei", {}), 0, (1, 2), tiles)
    with pytest.raises(EventError, match="84 tiles of the wall are not the 84 of this game, each kind"):
        Wall.break_by_dice(wall_rule("hefei", {}), 0, (1, 2), [tiles[0], *tiles[:-1]])


@pytest.mark.parametrize(
    ("game", "options", "steps", "refused", "said", "ruling"),
    [
        ("hefei", {}, "draw 84", "draw", "1 tiles cannot be drawn: the live wall has 0", "HF-05"),
        ("hefei", {}, "deal", "draw 32", "32 tiles cannot be drawn: the live wall has 31", "HF-05"),
        ("hefei", {}, "deal, draw 27", "replace", "the last 4 tiles are the sea", "HF-05"),
        ("hebei", {}, "deal, draw 71", "replace", "0 tiles left, the dead wall 12", "HB-22"),
        ("taiwanese", {}, "deal, draw 63", "replace", "0 tiles left, the dead wall 16", "TW-10"),
        ("hong_kong", {}, "deal, replace 14", "replace", "77 tiles left, the dead wall 0", "HK-04"),
        ("hangzhou", {}, "deal, draw 63", "replace", "0 tiles left, the dead wall 20", "HZ-28"),
        ("hangzhou", {}, "deal, turn 1 1", "turn 1 1", "turned over already", "HZ-05"),
        ("hangzhou", {}, "deal", "turn 1 1 1", "not a throw of 2 dice", ""),
        ("hangzhou", {"fortune": "white_dragon"}, "deal", "turn 1 1", "turned over in this game", "HZ-04"),
        ("hebei", {}, "deal", "turn 1 1", "turned over in this game", "HZ-04"),
    ],
)
def test_wall_refuses_impossible_draws(
    game: str, options: dict[str, Any], steps: str, refused: str, said: str, ruling: str
) -> None:
    wall = after(Wall.break_by_dice(wall_rule(game, options), 0, (2, 3)), 0, steps)
    if refused == "draw":
        refused = "draw 1"
    with pytest.raises(EventError, match=said) as error:
        after(wall, 0, refused)
    assert error.value.ruling == ruling
