"""The evenings of a season: what is comparable is added, and nothing else."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from companion.game.game import Game
from companion.game.pictures import folder_of
from companion.game.shelf import path_of
from companion.money import Currency
from companion.rules.win import Stakes
from companion.sheets.as_json import evenings_json
from companion.sheets.figures import (
    ONE_POINT,
    Evening,
    Selection,
    add_up,
    choose_evenings,
    find_best_win,
    find_day,
    find_photo,
    make_evening,
    read_evenings,
)
from companion.sheets.hands import make_sheet
from companion.sheets.wording import describe_best, describe_played
from companion.table.events import GameStarted, PointsMoved
from companion.words import Language, Words
from tests.sheets.test_sheet_hands import NAMES, simulate

ENGLISH = Words(Language.ENGLISH)
NT, HK = Currency("NT$", "1", "10"), Currency("HK$", "0.5", "1")
SMALL, LARGE = Stakes(50, 10), Stakes(100, 20)


def make(
    name: str,
    begun: str,
    rules: str,
    points: int,
    stakes: Stakes = ONE_POINT,
    currency: Currency | None = None,
    names: tuple[str, str, str, str] = NAMES,
) -> Evening:
    start = GameStarted(rules=rules, names=names, stakes=stakes, currency=currency)
    return make_evening(name, begun, [start, PointsMoved(points=(points, -points, 0, 0), why="a bet")])


def test_points_at_other_stakes_are_never_added() -> None:
    """A game for points only too: 100 + 20 a tai and 50 + 10 are two tables."""
    found = add_up([
        make("a", "2025-12-30T20:00:00+00:00", "taiwanese", 200, LARGE),
        make("b", "2026-01-06T20:00:00+00:00", "taiwanese", 70, SMALL),
        make("c", "2026-01-13T20:00:00+00:00", "taiwanese", 5, LARGE),
    ])  # fmt: skip
    shown = [
        (describe_played(game, ENGLISH), game.people[0].points, game.people[0].evenings)
        for game in found.games
    ]
    assert shown == [
        ("Taiwanese · base 100, 20 per tai · points only", 205, 2),
        ("Taiwanese · base 50, 10 per tai · points only", 70, 1),
    ]
    read = evenings_json(found)
    assert ({one["points"] for one in read["people"]}, read["totals"]) == ({None}, None)


def test_money_is_added_for_each_currency_as_it_was_settled() -> None:
    """Whatever was played: 255 points of NT$1 are NT$250 where the smallest coin is NT$10."""
    found = add_up([
        make("a", "2026-01-01", "taiwanese", 255, LARGE, NT),
        make("b", "2026-01-02", "hefei", 100, currency=NT),
        make("c", "2026-01-03", "hong_kong", 9, currency=HK),
    ])  # fmt: skip
    money = {ranking.symbol: ranking.people for ranking in found.money}
    assert {symbol: [one.amount for one in people] for symbol, people in money.items()} == {
        "NT$": [Decimal(360), 0, 0, Decimal(-360)], "HK$": [Decimal(5), 0, 0, Decimal(-5)],
    }  # fmt: skip
    assert [one.evenings for one in money["NT$"]] == [2, 2, 2, 2]
    assert sorted(game.money[0] for game in found.games) == [5, 100, 260]
    read = evenings_json(found)["money"]
    assert read[0]["people"][0] == {"name": "Ann", "amount": "360", "evenings": 2}


def test_a_season_is_chosen_by_year_game_and_people() -> None:
    others = ("Ann", "Eva", "Fay", "Gus")
    found = add_up([
        make("a", "2025-06-30T20:00:00+00:00", "taiwanese", 200),
        make("b", "2026-06-06T20:00:00+00:00", "hong_kong", 7),
        make("c", "2026-06-13T20:00:00+00:00", "taiwanese", 5),
        make("d", "2026-06-13T20:00:00+00:00", "hong_kong", 3, names=others),
    ])  # fmt: skip

    def names_of(selection: Selection) -> list[str]:
        return [evening.name for evening in choose_evenings(found, selection).counted]

    assert names_of(Selection(year=2026)) == ["b", "c", "d"]
    assert names_of(Selection(rules="taiwanese")) == ["a", "c"]
    assert names_of(Selection(2026, "hong_kong", tuple(sorted(others)))) == ["d"]
    assert choose_evenings(found, Selection()) is found
    (game,) = choose_evenings(found, Selection(2026, "taiwanese")).games
    assert game.people[0].points == 5


def test_the_best_hand_is_the_one_worth_most_with_its_tiles_and_its_photo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    events = simulate("hong_kong", 8)
    start = events[0]
    assert isinstance(start, GameStarted)
    with Game.begin(path_of("friday"), start) as game:
        for event in events[1:]:
            game.append(event)
    sheet = make_sheet(events)
    best = find_best_win(sheet)
    assert best is not None
    hand, win = best
    assert win.score.value == max(win.score.value for hand in sheet.hands for win in hand.wins)
    for _ in range(2):  # calculated, then remembered
        (found,) = read_evenings().games
        assert found.best is not None
        assert found.best.best is not None
        assert (found.best.name, found.best.best.hand) == ("friday", hand.number)
        assert found.best.best.concealed == win.concealed
    said = describe_best(found.best, ENGLISH)
    assert said.startswith(sheet.names[win.winner])
    assert said.endswith(" · friday")
    assert find_photo(found.best) is None
    folder = folder_of(path_of("friday"))
    folder.mkdir()
    (folder / found.best.best.pictures[0]).write_bytes(b"a photo")
    shown = evenings_json(read_evenings())["games"][0]["best_hand"]
    assert shown["photo"] == str(folder / found.best.best.pictures[0])
    assert shown["lines"][0]["name"] == win.score.lines[0].name


@pytest.mark.parametrize(
    "begun", ["", "yesterday", "2026", "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59-12:00"]
)
def test_a_day_that_an_imported_game_does_not_say_is_unknown(begun: str) -> None:
    assert find_day(begun) is None or len(begun) > 10
