"""What figures count, and what a score sheet is headed by."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from companion import profiles
from companion.money import Currency
from companion.rules import Source, decode_request, score
from companion.rules.win import Stakes
from companion.sheets.as_json import sheet_json
from companion.sheets.figures import calculate_figures
from companion.sheets.hands import make_sheet
from companion.sheets.wording import describe_hand, describe_name, describe_rules, write_share
from companion.table.apply import fold
from companion.table.events import (
    CurrencyAgreed,
    Event,
    FalseWin,
    GameStarted,
    HandAbandoned,
    HandStarted,
    HandVoided,
    PointsMoved,
)
from companion.table.unrecorded import ReportedWin, begin_hand, enter_drawn, enter_win
from companion.tiles import Tile, parse_tiles
from companion.words import Language, Words

NAMES = ("Ann", "Bao", "Chen", "Dai")
ENGLISH = Words(Language.ENGLISH)


def play_hands() -> list[Event]:
    """A win, a hand that does not count, points moved after it, and a hand in play."""
    options = {"payout": "exponential"}
    events: list[Event] = [GameStarted(rules="hong_kong", names=NAMES, options=options)]
    state = fold(events)
    assert state is not None
    tiles = tuple(parse_tiles("123m55z456p678s789s"))
    reported = ReportedWin(2, Source.SELF_DRAW, None, Tile.parse("9s"), tiles)
    events += enter_win(state, reported).events
    state = fold(events)
    assert state is not None
    dealer = state.deal.dealer
    events += [HandStarted(dealer=dealer), HandAbandoned(why="walls fell")]
    return [*events, PointsMoved(points=(5, -5, 0, 0), why="penalty"), HandStarted(dealer=dealer)]


def test_the_line_of_totals_has_a_place_for_each_hand_that_counts() -> None:
    sheet = make_sheet(play_hands())
    figures = calculate_figures(sheet)
    assert len(sheet.hands) == 3
    assert figures.hands == 1
    assert len(figures.totals) == 2, "before the first hand, and after it"
    assert figures.totals[-1] == sheet.state.points, "the last is what everybody has"


def test_conversion_rows_are_no_patterns() -> None:
    sheet = make_sheet(play_hands())
    lines = {line.name for line in sheet.hands[0].wins[0].score.lines}
    patterns = {each.name for each in calculate_figures(sheet).patterns}
    assert "Payout" in lines
    assert patterns == lines - {"Payout"}


def test_a_sheet_is_headed_by_day_time_and_house_rules() -> None:
    assert describe_name("2026-11-23-1953") == "2026-11-23, 19:53"
    assert describe_name("2026-11-23-1953-2") == "2026-11-23, 19:53"
    assert describe_name("friday") == "friday"
    assert describe_rules(make_sheet(play_hands()), ENGLISH) == "Hong Kong · 1 house rule changed"
    plain = make_sheet([GameStarted(rules="hong_kong", names=NAMES)])
    assert describe_rules(plain, ENGLISH) == "Hong Kong"


def test_the_stakes_of_a_table_head_its_sheet_as_people_state_them() -> None:
    start = GameStarted(rules="taiwanese", stakes=Stakes(base=1000, unit=200))
    sheet = make_sheet([start])
    assert describe_rules(sheet, ENGLISH) == "Taiwanese · base 1,000, 200 per tai"
    assert describe_rules(sheet, Words(Language.TRADITIONAL)) == "台灣麻將 · 1,000底200台"
    assert sheet_json(sheet)["stakes"] == {"base": 1000, "unit": 200}
    for rules, said in (("hefei", "Hefei · 1 zui = 5"), ("hangzhou", "Hangzhou · 5 for ×1")):
        assert describe_rules(make_sheet([GameStarted(rules=rules, stakes=Stakes(unit=5))]), ENGLISH) == said
    usual = make_sheet([GameStarted(rules="hefei", stakes=Stakes(unit=20))])
    assert describe_rules(usual, ENGLISH) == "Hefei · 1 zui = 20", "the game's own, but a point is not one"


def test_the_limit_of_a_table_heads_its_sheet() -> None:
    start = GameStarted(rules="hefei", cap=2520)
    assert (
        describe_rules(make_sheet([start]), ENGLISH)
        == "Hefei · 1 zui = 20 · each player's share at most 2,520 points"
    )
    assert describe_rules(make_sheet([start]), Words(Language.SIMPLIFIED)).endswith(" · 每家封顶 2,520 分")
    in_money = structs.replace(start, currency=Currency("¥", "0.5", "0.5"))
    assert describe_rules(make_sheet([in_money]), ENGLISH).endswith(" · each player's share at most ¥1,260")


def test_a_payment_at_the_limit_names_it() -> None:
    win = {
        "rules": "taiwanese", "hand": "123m567m678s55z", "melds": ["p222p", "c345s"], "winning_tile": "8s",
        "winner": 1, "source": "self_draw", "flowers": "1f", "stakes": {"base": 100, "unit": 20}, "cap": 150,
    }  # fmt: skip
    result = score(decode_request(win))
    said = [write_share(result, share, ENGLISH) for share in result.shares]
    assert said == ["100 + 20 × (2 + 1) = 160, limited to 150", "100 + 20 × 2 = 140", "100 + 20 × 2 = 140"]
    assert write_share(result, result.shares[0], Words(Language.TRADITIONAL)).endswith(" = 160，實付 150")


def test_a_limit_is_written_for_each_share_of_one_who_pays_for_all() -> None:
    won = {
        "rules": "hong_kong", "options": dict(profiles.load("hong-kong-common").options), "cap": 100,
        "hand": "12345677789m999m", "winning_tile": "7m", "winner": 1, "source": "discard", "from": 0,
    }  # fmt: skip
    result = score(decode_request(won))
    (share,) = result.shares
    assert write_share(result, share, ENGLISH).endswith("96 × 4 = 384, limited to 100 + 96 + 96 = 292")


def start_ready_made(name: str, **agreed: Any) -> GameStarted:
    profile = profiles.load(name)
    return GameStarted(rules=profile.rules, options=dict(profile.settings), **agreed)


def test_a_ready_made_table_is_named_instead_of_counting_its_house_rules() -> None:
    sheet = make_sheet([start_ready_made("taiwanese-common", stakes=Stakes(base=100, unit=20))])
    assert describe_rules(sheet, ENGLISH) == "Taiwanese · Common in Taiwan · base 100, 20 per tai"
    assert describe_rules(sheet, Words(Language.TRADITIONAL)) == "台灣麻將 · 台灣，通行台數 · 100底20台"
    for ready in profiles.READY_MADE:
        start = start_ready_made(ready.name, stakes=ready.stakes, currency=ready.currency)
        assert f" · {ready.title}" in describe_rules(make_sheet([start]), ENGLISH)


def test_currency_chooses_between_tables_with_equal_settings() -> None:
    for point, table in (
        ("1", "Hong Kong for one dollar (一二蚊)"),
        ("0.5", "Common in Hong Kong"),
        ("7", "Common"),
    ):
        agreed = CurrencyAgreed(currency=Currency("HK$", point, "1"))
        sheet = make_sheet([start_ready_made("hong-kong-one-two"), agreed])
        assert describe_rules(sheet, ENGLISH).startswith(f"Hong Kong · {table}")


def test_a_ready_made_table_with_a_change_counts_its_house_rules() -> None:
    start = start_ready_made("taiwanese-common")
    changed = structs.replace(start, options={**start.options, "streak_cap": 3})
    assert describe_rules(make_sheet([changed]), ENGLISH) == "Taiwanese · 6 house rules changed"


def test_player_who_declined_the_last_tile_is_named() -> None:
    start = GameStarted(rules="taiwanese", names=NAMES)
    state = fold([start])
    assert state is not None
    (hand,) = make_sheet([start, *enter_drawn(state, declined=True)]).hands
    assert describe_hand(hand, NAMES, ENGLISH).endswith("declined the last tile")
    (hand,) = make_sheet([start, *enter_drawn(state)]).hands
    assert describe_hand(hand, NAMES, ENGLISH) == "Nobody won"


def test_player_of_a_false_win_is_named() -> None:
    start = GameStarted(rules="hong_kong", names=NAMES)
    state = fold([start])
    assert state is not None
    begun = begin_hand(state)
    (hand,) = make_sheet([start, *begun, FalseWin(seat=1), HandVoided(seat=3, why="too many tiles")]).hands
    said = describe_hand(hand, NAMES, ENGLISH)
    assert "False win: Bao" in said
    assert "Dead hand: Dai" in said


def test_a_dead_hand_that_does_not_count_names_the_player_and_speaks_of_no_penalty() -> None:
    start = GameStarted(rules="hong_kong", names=NAMES)
    state = fold([start])
    assert state is not None
    ended = HandVoided(seat=3, why="too many tiles"), HandAbandoned(why="walls fell")
    (hand,) = make_sheet([start, *begin_hand(state), *ended]).hands
    assert hand.points == (0, 0, 0, 0)
    assert describe_hand(hand, NAMES, ENGLISH) == "Hand does not count · Dead hand: Dai"
