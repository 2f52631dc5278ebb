"""Which table's rules a game is played by, and for what: chosen once, and remembered."""

from __future__ import annotations

import json

import msgspec
import pytest

from companion import profiles
from companion.app.effects import ClearRefusal, SendNews, ShowMessage
from companion.app.home import wording
from companion.app.home.state import Home, KeptHome, Page
from companion.app.home.tables import Agreed, House, list_caps, list_games, list_wins, suggest
from companion.app.news import GamePicked, NewGameWanted, News, TableRulesCancelled, TableRulesChosen
from companion.money import Currency
from companion.profiles import READY_MADE
from companion.rules import RULE_SETS
from companion.rules.profile import make_profile
from companion.rules.win import Stakes
from companion.table.events import GameStarted
from companion.words import Language, Words

WORDS = Words(Language.ENGLISH)
COMMON = House(
    "ready:taiwanese-common",
    "taiwanese",
    profiles.load("taiwanese-common"),
    profiles.find_ready_made("taiwanese-common"),
)
OWN = House("saved:club", "taiwanese", make_profile(RULE_SETS["taiwanese"], {"allow_chow": False}))
WRITTEN = next(house for house in list_games() if house.rules == "taiwanese")


def ready_made() -> tuple[House, ...]:
    """Every ready-made table."""
    loaded = ((each, profiles.load(str(each.path))) for each in READY_MADE)
    return tuple(House(f"ready:{each.name}", profile.rules, profile, each) for each, profile in loaded)


def begin(kept: KeptHome | None = None) -> Home:
    """The first page, once all tables are read."""
    return Home.resume(kept or KeptHome()).offer((OWN, *ready_made()))


def announced(home: Home) -> list[News]:
    return [effect.news for effect in home.effects if isinstance(effect, SendNews)]


def start_of(home: Home) -> GameStarted:
    (wanted,) = (news for news in announced(home.begin()) if isinstance(news, NewGameWanted))
    return wanted.start


def test_table_is_chosen_once_per_game() -> None:
    asked = begin().pick_game("taiwanese")
    assert asked.page is Page.CHOICE
    houses = [house for house in asked.list_houses("taiwanese") if house.is_written or house.is_common]
    assert [house.key for house in houses] == ["rules:taiwanese", "ready:taiwanese-common"]
    chosen = asked.choose_house(houses[1].key)
    assert (chosen.page, chosen.house.key) == (Page.NEW_GAME, "ready:taiwanese-common")
    start = start_of(chosen)
    assert (start.rules, start.options["preset"]) == ("taiwanese", "common")
    again = begin(chosen.kept).pick_game("taiwanese")
    assert (again.page, again.house.key) == (Page.NEW_GAME, "ready:taiwanese-common")
    assert begin(chosen.kept).pick_game("hong_kong").page is Page.CHOICE, "each game is asked about"


def test_the_written_rules_are_a_choice_that_is_remembered_too() -> None:
    chosen = begin().pick_game("taiwanese").choose_house(WRITTEN.key)
    assert start_of(chosen).options == {}
    assert begin(chosen.kept).pick_game("taiwanese").house == WRITTEN


def test_a_game_without_a_common_table_is_played_as_written_at_once() -> None:
    home = begin().pick_game("hefei")
    assert (home.page, home.house.key) == (Page.NEW_GAME, "rules:hefei")


def test_other_tables_are_one_touch_further_and_back_leads_the_same_way() -> None:
    asked = begin().pick_game("taiwanese")
    others = asked.show_others()
    keys = [house.key for house in others.list_houses("taiwanese")]
    assert keys[:2] == ["rules:taiwanese", "ready:taiwanese-common"]
    assert {"saved:club", "ready:taiwanese-no-flowers"} <= set(keys)
    assert not any(key.startswith("ready:hong") for key in keys)
    assert others.choose_house("saved:club").house == OWN
    assert others.step_back().page is Page.CHOICE
    assert others.step_back().step_back().page is Page.START


def test_the_table_of_a_new_game_is_changed_and_the_change_undone() -> None:
    home = begin().pick_game("taiwanese").choose_house(WRITTEN.key)
    changing = home.change_table()
    assert changing.page is Page.CHOICE
    assert changing.step_back().page is Page.NEW_GAME
    changed = changing.choose_house(COMMON.key)
    assert (changed.page, changed.house) == (Page.NEW_GAME, COMMON)
    assert (changed.undo().house, changed.undo().find_chosen("taiwanese")) == (WRITTEN, WRITTEN)
    of_hefei = begin().pick_game("hefei").change_table()
    assert (of_hefei.page, of_hefei.step_back().page) == (Page.TABLES, Page.NEW_GAME)


def test_a_table_that_is_gone_is_asked_about_again() -> None:
    kept = begin().pick_game("taiwanese").show_others().choose_house("saved:club").kept
    home = Home.resume(kept).offer(ready_made())
    assert home.pick_game("taiwanese").page is Page.CHOICE


def test_a_game_that_is_picked_before_the_tables_are_read_waits_for_them() -> None:
    early = Home.resume(KeptHome()).pick_game("taiwanese")
    assert early.page is Page.START
    assert early.offer(ready_made()).page is Page.CHOICE


def test_a_game_that_is_picked_elsewhere_is_played_by_the_same_table() -> None:
    asked = begin().on_news(GamePicked("taiwanese", "practice"))
    assert (asked.page, announced(asked)) == (Page.CHOICE, [])
    chosen = asked.choose_house(COMMON.key)
    (answer,) = announced(chosen)
    assert isinstance(answer, TableRulesChosen)
    assert (answer.by, answer.rules, answer.options["preset"]) == ("practice", "taiwanese", "common")
    assert chosen.page is Page.START
    later = begin(chosen.kept).on_news(GamePicked("taiwanese", "score_photo"))
    assert isinstance(announced(later)[-1], TableRulesChosen)
    assert later.page is Page.START
    assert begin(chosen.kept).pick_game("taiwanese").house == COMMON


def test_practice_chooses_among_all_tables_own_house_rules_too() -> None:
    own = House("saved:club", "taiwanese", COMMON.profile)
    asked = begin().offer((*ready_made(), own)).on_news(GamePicked(None, "practice"))
    assert asked.page is Page.TABLES
    assert {house.rules for house in asked.list_houses(asked.asked_rules)} == set(RULE_SETS)
    (answer,) = announced(asked.choose_house("saved:club"))
    assert isinstance(answer, TableRulesChosen)
    assert (answer.by, answer.rules, answer.table) == ("practice", "taiwanese", "club")
    assert asked.step_back().page is Page.START


def test_back_leads_to_the_choice_of_games() -> None:
    left = begin().on_news(GamePicked("taiwanese", "practice")).step_back()
    assert (left.page, announced(left)) == (Page.START, [TableRulesCancelled("practice")])


def test_cost_of_a_win_is_computed_for_every_table() -> None:
    for house in (*list_games(), *ready_made()):
        plain, big = list_wins(house, suggest(house))
        assert 0 < plain.most < big.most, house.key
        for win in (plain, big):
            assert wording.say_win(win, suggest(house).currency, WORDS)


def test_cost_of_a_win_is_shown_in_the_tables_currency() -> None:
    agreed = Agreed(Stakes(100, 20), Currency("NT$", "1", "10"))
    plain, big = (wording.say_win(win, agreed.currency, WORDS) for win in list_wins(COMMON, agreed))
    assert plain == "A plain win: NT$120 from the discarder"
    assert big == "A big win (Big Three Dragons): NT$260 from the discarder"
    hefei = next(house for house in list_games() if house.rules == "hefei")
    plain = wording.say_win(list_wins(hefei, suggest(hefei))[0], None, WORDS)
    assert plain == "A plain win: 300 points from the discarder"


def test_caps_lie_above_a_plain_win() -> None:
    for house in (*list_games(), *ready_made()):
        agreed = suggest(house)
        caps = list_caps(house, agreed)
        assert len(caps) == 5
        assert min(caps) > list_wins(house, agreed)[0].most, house.key


@pytest.mark.parametrize(
    ("rules", "agreed", "said"),
    [
        ("taiwanese", Agreed(Stakes(100, 20), Currency("NT$", "1", "10")), "base 100, 20 per tai, NT$"),
        ("taiwanese", Agreed(Stakes(30, 10)), "base 30, 10 per tai"),
        (
            "hefei",
            Agreed(Stakes(unit=20), None, 1000),
            "1 zui = 20, each player's share at most 1,000 points",
        ),
        ("hefei", Agreed(Stakes(unit=20), Currency("¥", "0.1", "0.5")), "1 zui = 20, ¥0.10 per point"),
        (
            "hong_kong",
            Agreed(Stakes(), Currency("HK$", "0.5", "0.5"), 64),
            "HK$0.50 per point, each player's share at most HK$32",
        ),
        ("hong_kong", Agreed(Stakes()), "points only"),
        ("hebei", Agreed(Stakes(unit=5)), "5 for ×1"),
    ],
)
def test_stakes_are_said_as_people_state_them(rules: str, agreed: Agreed, said: str) -> None:
    assert wording.say_stakes(rules, agreed, WORDS) == said


@pytest.mark.parametrize(("point", "cap"), [("1", 100), ("0.5", 200), ("3", 33), ("5", 20), ("500", 1)])
def test_a_cap_stays_the_same_money_where_a_point_changes(point: str, cap: int | None) -> None:
    agreed = Agreed(Stakes(), Currency("HK$", "1", "1"), 100)
    assert agreed.with_point(point).cap == cap


def test_a_rounded_limit_is_said_and_does_not_drift() -> None:
    home = begin().choose_house("rules:hong_kong").with_symbol("HK$").with_point("0.5").with_cap(50)
    rounded = home.with_point("2")
    assert rounded.agreed.cap == 12
    said = wording.say_rounded_limit(rounded.agreed, WORDS)
    assert said == "The limit is HK$24: HK$25 is not a whole number of points."
    assert rounded.with_point("2.5").agreed == home.with_point("2.5").agreed
    again = rounded.with_point("0.5")
    assert (again.agreed.cap, wording.say_rounded_limit(again.agreed, WORDS)) == (50, "")
    assert rounded.kept.is_valid
    assert begin(rounded.kept).choose_house("rules:hong_kong").agreed == rounded.agreed
    in_points = begin().choose_house("rules:hebei").with_stakes(0, 5).with_cap(101).with_symbol("¥")
    said = wording.say_rounded_limit(in_points.agreed, WORDS)
    assert said == "The limit is ¥100: ¥101 is not a whole number of points."


@pytest.mark.parametrize("typed", ["abc", "0,5", "0.", "0.0", "-1", "½", "1e3", "٣"])
def test_a_value_that_is_no_number_is_refused_in_a_sentence_with_a_limit_too(typed: str) -> None:
    home = begin().choose_house("rules:hong_kong").with_symbol("HK$").with_cap(50)
    for refused in (home.with_point(typed), home.with_coin(typed)):
        assert refused.agreed == home.agreed
        assert isinstance(refused.effects[-1], ShowMessage)
        assert isinstance(refused.with_point("0.33").effects[-1], ClearRefusal)


def test_the_examples_are_within_the_limit_and_say_who_pays_for_all() -> None:
    hong_kong = next(house for house in ready_made() if house.name == "hong-kong-common")
    agreed = suggest(hong_kong)
    plain, big = (wording.say_win(win, agreed.currency, WORDS) for win in list_wins(hong_kong, agreed))
    assert plain == "A plain win: HK$16 from the discarder, who pays all three shares"
    assert big.endswith("HK$96 from the discarder, who pays all three shares")
    plain, big = (
        wording.say_win(win, agreed.currency, WORDS) for win in list_wins(hong_kong, agreed.with_cap(50))
    )
    assert plain == "A plain win: HK$16 from the discarder, who pays all three shares"
    assert big.endswith("HK$73 from the discarder, who pays all three shares, within the limit")


def test_a_cap_follows_from_points_to_money_and_back() -> None:
    in_points = Agreed(Stakes(unit=5), cap=100)
    in_money = in_points.with_symbol("¥", counts_points=True)
    assert (in_money.currency, in_money.cap) == (Currency("¥", "5", "1"), 20)
    assert in_money.with_symbol("", counts_points=True) == in_points


def test_chinese_lists_have_chinese_commas() -> None:
    agreed = Agreed(Stakes(100, 20), Currency("NT$", "1", "10"), 2520)
    said = wording.say_stakes("taiwanese", agreed, Words(Language.TRADITIONAL))
    assert said == "100底20台、NT$、每家封頂 NT$2,520"


def test_stakes_are_kept_for_each_table_and_begin_the_game() -> None:
    home = begin().pick_game("taiwanese").choose_house(COMMON.key).open_stakes()
    home = home.with_stakes(300, 100).with_symbol("¥").with_cap(5000)
    assert home.step_back().page is Page.NEW_GAME
    start = start_of(home)
    assert (start.stakes, start.currency, start.cap, start.base) == (
        Stakes(300, 100), Currency("¥", "1", "10"), 5000, 1,
    )  # fmt: skip
    other = home.choose_house(WRITTEN.key)
    assert start_of(other).stakes == Stakes()
    assert begin(other.kept).pick_game("taiwanese").choose_house(COMMON.key).agreed == home.agreed
    assert home.undo().agreed.cap is None


def test_money_replaces_a_unit_of_one_point() -> None:
    home = begin().choose_house("rules:hebei").with_stakes(0, 5)
    assert home.agreed == Agreed(Stakes(unit=5))
    in_money = home.with_symbol("¥")
    assert in_money.agreed == Agreed(Stakes(), Currency("¥", "5", "1"))
    assert in_money.with_point("0.5").agreed.currency == Currency("¥", "0.5", "0.5")
    assert in_money.with_symbol("").agreed == Agreed(Stakes(unit=5))
    of_hefei = begin().choose_house("rules:hefei").with_symbol("¥")
    assert of_hefei.agreed == Agreed(Stakes(unit=20), Currency("¥", "1", "1"))


def test_a_point_that_is_worth_too_much_is_refused_in_a_sentence() -> None:
    home = begin().choose_house("rules:hebei").with_symbol("¥")
    refused = home.with_point("9999999")
    assert refused.agreed == home.agreed
    assert any(isinstance(effect, ShowMessage) for effect in refused.effects)
    of_much = begin().choose_house("rules:hebei").with_stakes(0, 9_999_999)
    assert of_much.kept.is_valid
    assert of_much.with_symbol("¥").kept.is_valid


def test_stakes_of_nothing_are_refused_and_a_cap_below_a_plain_win_stays() -> None:
    home = begin().choose_house("rules:hefei").with_cap(500)
    assert home.with_stakes(0, 0) is home
    dear = home.with_stakes(0, 50)
    assert dear.agreed.cap == 500
    plain, _ = list_wins(dear.house, dear.agreed)
    said = wording.say_win(plain, None, WORDS)
    assert said == "A plain win: 500 points from the discarder, within the limit"


def test_state_of_an_earlier_program_opens() -> None:
    old = {
        "used": ["Ann"],
        "names": ["Ann", "", "", ""],
        "house": "rules:hefei",
        "base": 5,
        "cap": 32,
        "last": None,
    }
    kept = msgspec.json.decode(json.dumps(old).encode(), type=KeptHome)
    assert kept.is_valid
    home = begin(kept)
    assert home.agreed == Agreed(Stakes(unit=100)), "32 is less than a plain win"
    written = msgspec.json.decode(msgspec.json.encode(home.kept), type=KeptHome)
    assert written == home.kept
    assert written.is_valid
    assert begin(written).agreed == home.agreed


def test_kept_stakes_that_the_window_cannot_have_written_are_noticed() -> None:
    for agreed in (Agreed(Stakes(0, 0)), Agreed(Stakes(-1, 5)), Agreed(Stakes(), Currency("", "1", "1"))):
        assert not KeptHome(agreed={"rules:hefei": agreed}).is_valid
