"""Phones with a seat: claimed by a code, wins that others confirm, one winner of each conflict."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.game import owner
from companion.game.owner import NOT_ENTERED, GameTransaction, enter_together
from companion.game.updates import PlayedGame
from companion.live.running import RunningGame
from companion.rules import Source
from companion.rules.play import MULTI_WIN
from companion.rules.stated import Stated
from companion.serve import messages, remote, seats
from companion.serve.remote import Remote
from companion.table.events import Dealt, Discarded, GameStarted, HandStarted, PointsMoved, SeatsChanged, Won
from companion.table.messages import NAME_TILE
from companion.table.unrecorded import ReportedWin, enter_win
from tests.programs import LIMIT_S
from tests.serve.seated import BY_VALUE, NAMES, Seated, seating
from tests.serve.served import Table, wait_until

WIN = BY_VALUE | {"stated": {"value": 3}}
"""Three fan of Hong Kong, by Bo on Chen's tile."""


@pytest.fixture
def seated(tmp_path: Path) -> Iterator[Seated]:
    with seating(tmp_path) as table:
        yield table


@pytest.fixture
def several(seated: Seated, tmp_path: Path) -> Seated:
    """A game in which several players may win on one tile."""
    options = {MULTI_WIN.key: True}
    seated.begin(tmp_path / "sunday.game", "hong_kong", options=options)
    wait_until(lambda: seated.ask_json("/state")["rules"] == "hong_kong")
    return seated


def said(answer: tuple[int, dict[str, Any]]) -> tuple[int, str]:
    return answer[0], answer[1]["error"]


def test_a_code_gives_one_phone_its_seat(seated: Seated) -> None:
    token = seated.claim(1)
    assert len(token) == 22  # 128 bits
    assert seated.send("/seat/hold", {}, token) == (200, {"version": 1, "seat": 1})
    seated.wait_for_remote(held=[False, True, False, False])
    second = seated.send("/seat", {"seat": 1, "code": seated.code(1)})
    assert said(second) == (409, messages.HELD)
    assert said(seated.send("/seat", {"seat": 0, "code": "wrong"})) == (403, messages.WRONG_CODE)
    assert seated.send("/seat/leave", {}, token)[0] == 200
    assert said(seated.send("/seat/hold", {}, token)) == (403, messages.SEAT_LOST)
    assert said(seated.send("/undo", {})) == (403, messages.NO_SEAT)


def test_codes_and_tokens_are_on_no_page(seated: Seated) -> None:
    token = seated.claim(1)
    seated.wait_for_remote(held=[False, True, False, False])
    remote = seated.ask_json("/state")["remote"]
    assert set(remote) == {"held", "calls", "entry", "outcome", "undoing"}
    assert token not in json.dumps(seated.ask_json("/state"))


def test_wrong_codes_are_limited(seated: Seated) -> None:
    for _ in range(seats.WRONG_MAX):
        assert seated.send("/seat", {"seat": 0, "code": "wrong"})[0] == 403
    status, answer = seated.send("/seat", {"seat": 0, "code": seated.code(0)})
    assert status == 429
    assert answer["error"].startswith("Too many wrong codes. Try again in ")


def test_wrong_codes_of_many_addresses_are_limited_together() -> None:
    wrong = seats.WrongCodes()
    for number in range(seats.WRONG_OF_ALL_MAX):
        wrong.check(f"10.0.0.{number}", number)
        wrong.note(f"10.0.0.{number}", number)
    with pytest.raises(seats.HttpError, match="41 seconds"):
        wrong.check("10.0.1.1", 20)
    wrong.check("10.0.1.1", 60)
    assert seats.seat_people(NAMES, ())[0].code.isdigit()


def test_a_win_is_booked_once_another_seat_confirms_it(seated: Seated) -> None:
    bo, ann = seated.claim(1), seated.claim(0)
    status, answer = seated.enter(bo)
    assert status == 200
    number = answer["number"]
    seated.wait_for_remote(outcome=None)
    wait_until(lambda: bool(seated.ask_json("/state")["remote"]["entry"]))
    entry = seated.ask_json("/state")["remote"]["entry"]
    state = seated.remote.view.state
    assert state is not None
    win = seated.remote.view.entry.wins[0]  # type: ignore[union-attr]
    assert entry["payments"] == list(enter_win(state, win.reported).after.points)
    assert [(each["seat"], each["winner"], each["title"]) for each in entry["wins"]] == [(1, 1, "Bo wins")]
    assert seated.find_points() == [0, 0, 0, 0]
    assert said(seated.send("/confirm", {"number": number, "right": True}, bo)) == (
        409,
        messages.NOT_YOUR_OWN,
    )
    assert seated.send("/confirm", {"number": number, "right": True}, ann)[0] == 200
    wait_until(lambda: seated.find_points() == entry["payments"])
    remote = seated.ask_json("/state")["remote"]
    assert (remote["entry"], remote["undoing"]) == (None, 1)
    assert remote["outcome"] == f"Entered · Bo won: {entry['payments'][1]} points"
    late = seated.send("/confirm", {"number": number, "right": False}, ann)
    assert said(late) == (409, messages.NO_ENTRY)


def test_of_two_phones_the_first_is_entered_and_the_other_is_told(seated: Seated) -> None:
    bo, ann = seated.claim(1), seated.claim(0)
    number = seated.enter(bo)[1]["number"]
    second = seated.enter(ann, BY_VALUE | {"winner": 0})
    assert said(second) == (409, messages.ENTRY_WAITS.format(who="Bo"))
    again = seated.enter(bo, BY_VALUE | {"stated": {"value": 13}})[1]["number"]
    assert again > number  # in place of the own one
    assert seated.send("/confirm", {"number": again, "right": False}, ann)[0] == 200
    seated.wait_for_remote(entry=None, outcome="The win of Bo was rejected.")
    assert seated.enter(ann, BY_VALUE | {"winner": 0})[0] == 200
    assert seated.find_points() == [0, 0, 0, 0]


def test_only_the_own_newest_entry_is_undone(seated: Seated) -> None:
    bo, ann = seated.claim(1), seated.claim(0)
    assert said(seated.send("/undo", {}, bo)) == (409, messages.NOTHING_TO_UNDO)
    seated.remote.judge_at_table(seated.enter(bo)[1]["number"], right=True)
    assert said(seated.send("/undo", {}, ann)) == (409, messages.NOTHING_TO_UNDO)
    assert seated.send("/undo", {}, bo)[0] == 200
    wait_until(lambda: seated.find_points() == [0, 0, 0, 0])
    seated.wait_for_remote(outcome="Bo has taken back the win.", undoing=None)
    seated.remote.judge_at_table(seated.enter(bo)[1]["number"], right=True)
    move(seated, (3, -3, 0, 0))
    seated.wait_for_remote(undoing=None)
    assert said(seated.send("/undo", {}, bo)) == (409, messages.NOTHING_TO_UNDO)


def test_a_win_lapses_once_another_has_ended_the_hand(seated: Seated) -> None:
    bo = seated.claim(1)
    assert seated.enter(bo)[0] == 200
    state, game = seated.remote.view.state, seated.game
    assert state is not None
    assert game is not None
    booked = enter_win(state, ReportedWin(1, Source.DISCARD, 2, stated=Stated(value=12)))
    enter_together(game, booked.events)
    seated.wait_for_remote(entry=None, outcome=messages.GAME_MOVED_ON)


def enter_two(seated: Seated) -> tuple[str, str]:
    """Bo and Ann each enter a win on Chen's tile; their tokens."""
    bo, ann = seated.claim(1), seated.claim(0)
    assert seated.enter(bo, WIN)[0] == 200
    status, answer = seated.enter(ann, WIN | {"winner": 0})
    assert status == 200, answer
    return bo, ann


def list_waiting(seated: Seated) -> list[tuple[int, int]]:
    """The phone's seat and the winner of each win that waits."""
    entry = seated.ask_json("/state")["remote"]["entry"]
    return [(win["seat"], win["winner"]) for win in entry["wins"]] if entry else []


def test_two_winners_on_one_tile_are_confirmed_together_and_undone_one_by_one(several: Seated) -> None:
    bo, ann = enter_two(several)
    dai = several.claim(3)
    wait_until(lambda: list_waiting(several) == [(1, 1), (0, 0)])
    entry = several.ask_json("/state")["remote"]["entry"]
    number, payments = entry["number"], entry["payments"]
    assert payments[0] > 0 < payments[1]
    payers = [payer["seat"] for win in entry["wins"] for payer in win["said"]["payers"]]
    assert sorted(payers) == [2, 2, 3, 3]  # the winners pay each other nothing
    for token in (bo, ann):
        answer = several.send("/confirm", {"number": number, "right": True}, token)
        assert said(answer) == (409, messages.NOT_YOUR_OWN)
    earlier = several.send("/confirm", {"number": number - 1, "right": True}, dai)
    assert said(earlier) == (409, messages.NO_ENTRY)  # what it confirmed was Bo's win alone
    assert several.send("/confirm", {"number": number, "right": True}, dai)[0] == 200
    wait_until(lambda: several.find_points() == payments)
    both = f"Entered · Bo won: {payments[1]} points; Ann won: {payments[0]} points"
    several.wait_for_remote(entry=None, outcome=both, undoing=0)
    assert said(several.send("/undo", {}, bo)) == (409, messages.NOTHING_TO_UNDO)
    assert several.send("/undo", {}, ann)[0] == 200
    several.wait_for_remote(undoing=1)
    assert several.find_points()[0] <= 0 < several.find_points()[1]
    assert several.send("/undo", {}, bo)[0] == 200
    several.wait_for_remote(undoing=None)
    assert several.find_points() == [0, 0, 0, 0]


def test_one_of_two_winners_takes_back_its_own_win_only(several: Seated) -> None:
    bo, ann = enter_two(several)
    entry = several.remote.view.entry
    assert entry is not None
    assert several.send("/confirm", {"number": entry.number, "right": False}, bo)[0] == 200
    wait_until(lambda: list_waiting(several) == [(0, 0)])
    several.wait_for_remote(outcome="Bo has taken back the win.")
    assert several.enter(bo, WIN | {"winner": 1})[0] == 200
    assert several.enter(ann, WIN | {"winner": 0, "stated": {"value": 4}})[0] == 200  # in place of its own
    wait_until(lambda: list_waiting(several) == [(1, 1), (0, 0)])
    several.remote.take_away(0)
    wait_until(lambda: list_waiting(several) == [(1, 1)])


def test_a_win_that_stands_only_beside_the_other_is_entered_again(several: Seated) -> None:
    bo, ann = several.claim(1), several.claim(0)
    robbed = WIN | {"source": "robbed_kong"}
    assert several.enter(bo, robbed | {"winning_tile": "3s"})[0] == 200
    assert several.enter(ann, robbed | {"winner": 0})[0] == 200  # Bo has named the tile
    entry = several.remote.view.entry
    assert entry is not None
    assert several.send("/confirm", {"number": entry.number, "right": False}, bo)[0] == 200
    several.wait_for_remote(entry=None, outcome=messages.GAME_MOVED_ON)


def test_one_phone_enters_two_winners_and_the_table_rejects_both(several: Seated) -> None:
    bo = several.claim(1)
    for winner in (1, 3):
        assert several.enter(bo, WIN | {"winner": winner})[0] == 200
    wait_until(lambda: list_waiting(several) == [(1, 1), (1, 3)])
    entry = several.remote.view.entry
    assert entry is not None
    several.remote.judge_at_table(entry.number, right=False)
    several.wait_for_remote(entry=None, outcome="The wins on this tile were rejected.")


@pytest.mark.parametrize(
    "other",
    [
        {"winner": 0, "source": "self_draw", "from": None},
        {"winner": 0, "from": 3},
        {"winner": 1},
        {"winner": 0, "source": "robbed_kong", "winning_tile": "3s"},
    ],
)
def test_a_win_on_another_tile_or_of_the_same_winner_waits_for_the_first(
    several: Seated, other: dict[str, Any]
) -> None:
    bo, ann = several.claim(1), several.claim(0)
    assert several.enter(bo, WIN)[0] == 200
    assert said(several.enter(ann, WIN | other)) == (409, messages.ENTRY_WAITS.format(who="Bo"))
    assert list_waiting(several) == [(1, 1)]


def test_a_second_winner_sees_what_all_pay_before_it_enters(several: Seated) -> None:
    bo, ann = several.claim(1), several.claim(0)
    assert several.enter(bo, WIN)[0] == 200
    status, answer = several.send("/win", {"win": WIN | {"winner": 0}}, ann)
    assert status == 200
    assert answer["problem"] is None
    assert several.enter(ann, WIN | {"winner": 0})[0] == 200
    assert list(answer["payments"]) == several.ask_json("/state")["remote"]["entry"]["payments"]


def test_a_robbed_kong_is_entered_by_its_value_and_its_tile(several: Seated) -> None:
    bo = several.claim(1)
    robbed = WIN | {"source": "robbed_kong"}
    assert several.send("/win", {"win": robbed}, bo)[1]["problem"] == NAME_TILE
    status, answer = several.enter(bo, robbed | {"winning_tile": "3s"})
    assert status == 200, answer
    entry = several.remote.view.entry
    assert entry is not None
    several.remote.judge_at_table(entry.number, right=True)
    wait_until(lambda: several.find_points()[1] > 0)


def move(seated: Seated, points: tuple[int, int, int, int]) -> None:
    assert seated.game is not None
    enter_together(seated.game, [PointsMoved(points=points, why="x")])


def test_a_win_that_waits_follows_the_game_or_lapses(seated: Seated) -> None:
    bo = seated.claim(1)
    assert seated.enter(bo)[0] == 200
    move(seated, (3, -3, 0, 0))
    assert seated.remote.view.entry is not None
    seated.remote.judge_at_table(seated.remote.view.entry.number, right=True)
    assert seated.enter(bo)[0] == 200
    assert seated.game is not None
    enter_together(seated.game, [SeatsChanged(order=(1, 0, 2, 3))])
    seated.wait_for_remote(entry=None, outcome=messages.GAME_MOVED_ON)
    assert seated.send("/seat/hold", {}, bo)[1]["seat"] == 0  # the seat goes along with its player


def test_a_call_is_seen_by_everybody_until_the_hand_ends(seated: Seated) -> None:
    bo, ann = seated.claim(1), seated.claim(0)
    for token in (bo, ann, bo):
        assert seated.send("/mahjong", {"calls": True}, token)[0] == 200
    seated.wait_for_remote(calls=[1, 0])  # who was first comes first
    assert seated.send("/mahjong", {"calls": False}, ann)[0] == 200
    seated.wait_for_remote(calls=[1])
    seated.remote.judge_at_table(seated.enter(bo)[1]["number"], right=True)
    seated.wait_for_remote(calls=[])


def test_what_is_taken_away_is_gone_with_its_win(seated: Seated) -> None:
    bo, code = seated.claim(1), seated.code(1)
    assert seated.enter(bo)[0] == 200
    seated.remote.take_away(1)
    seated.wait_for_remote(held=[False] * 4, entry=None)
    assert said(seated.enter(bo)) == (403, messages.SEAT_LOST)
    assert seated.code(1) != code


def test_another_game_keeps_the_seats_of_those_who_stay(seated: Seated, tmp_path: Path) -> None:
    bo, ann = seated.claim(1), seated.claim(0)
    assert seated.enter(bo)[0] == 200
    assert seated.game is not None
    seated.game.leave().result(LIMIT_S)
    assert said(seated.enter(bo)) in ((403, messages.SEAT_LOST), (409, messages.NO_SEATS))
    seated.begin(tmp_path / "saturday.game", names=("Eve", "Bo", "Chen", "Dai"))
    wait_until(lambda: seated.remote.view.state is not None)
    assert seated.send("/seat/hold", {}, bo)[0] == 200
    assert said(seated.send("/seat/hold", {}, ann)) == (403, messages.SEAT_LOST)
    assert seated.remote.view.entry is None


@pytest.mark.parametrize(
    ("win", "words"),
    [
        (BY_VALUE | {"stated": None}, "winning tile"),
        (BY_VALUE | {"from": 1}, ""),
        (BY_VALUE | {"hand": ["9x"], "stated": None}, "9x"),
        (BY_VALUE | {"stated": {"rows": {"riichi": 1}}}, "riichi"),
        (BY_VALUE | {"winner": 4}, "phone"),
        (BY_VALUE | {"stated": {"value": -1}}, "phone"),
        ({}, "phone"),
    ],
)
def test_a_win_that_cannot_be_is_refused_in_a_sentence(
    seated: Seated, win: dict[str, Any], words: str
) -> None:
    status, answer = seated.enter(seated.claim(1), win)
    assert status in (400, 409)
    assert words in answer["error"]
    assert answer["error"].endswith((".", "?"))
    assert seated.remote.view.entry is None


def test_a_win_is_judged_before_it_is_entered(seated: Seated) -> None:
    bo = seated.claim(1)
    status, answer = seated.send("/win", {"win": BY_VALUE | {"stated": {}}}, bo)
    assert status == 200
    assert answer["values"] == sorted(answer["values"])
    assert answer["recorded"] is False
    row = next(each for each in answer["rows"] if each["may_change"])
    status, answer = seated.send("/win", {"win": BY_VALUE | {"stated": {"rows": {row["id"]: 1}}}}, bo)
    assert next(each for each in answer["rows"] if each["id"] == row["id"])["counts"]
    tiles = {"hand": "333444555m22p678s", "winning_tile": "8s"}
    codes = ["3m"] * 3 + ["4m"] * 3 + ["5m"] * 3 + ["2p"] * 2 + ["6s", "7s", "8s"]
    by_tiles = {"winner": 1, "source": "discard", "from": 2, "hand": codes, "winning_tile": "8s"}
    status, answer = seated.send("/win", {"win": by_tiles}, bo)
    assert answer["problem"] is None, tiles
    assert sum(answer["payments"]) == 0
    assert seated.remote.view.entry is None


def test_a_page_that_only_watches_says_so(table: Table) -> None:
    table.show(1)
    table.wait_for_points(1)
    assert table.ask_json("/state")["remote"] is None
    answer, body = table.ask("/seat", "POST", b'{"seat": 1, "code": "1234"}')
    assert answer.status == 409
    assert json.loads(body)["error"] == messages.ONLY_WATCHES


def test_a_game_that_is_not_kept_has_no_seats(tmp_path: Path) -> None:
    game = RunningGame()
    views: list[Any] = []
    remote = Remote(game, views.append)
    try:
        game.play(GameStarted(rules="hebei")).result(LIMIT_S)
        assert remote.view.seats == ()
        game.begin(tmp_path / "p.game", GameStarted(rules="hebei", practice=7)).result(LIMIT_S)
        assert remote.view.seats == ()
        game.begin(tmp_path / "k.game", GameStarted(rules="hebei")).result(LIMIT_S)
        assert len(remote.view.seats) == 4
        assert isinstance(remote.view.name(1), object)
        assert PlayedGame().progress is None
    finally:
        game.close()


def test_a_phone_that_waited_in_vain_has_entered_nothing(
    seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    bo, game = seated.claim(1), seated.game
    assert game is not None
    waits = threading.Event()
    game.transact(lambda _: waits.wait(LIMIT_S))
    monkeypatch.setattr(owner, "ENTER_WAIT_S", 0)
    assert said(seated.enter(bo)) == (503, str(NOT_ENTERED))
    waits.set()
    game.transact(lambda _: None).result(LIMIT_S)
    assert seated.remote.view.entry is None


def test_a_phone_learns_what_became_of_an_entry_that_had_begun(
    seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    bo, game = seated.claim(1), seated.game
    assert game is not None
    transact = game.transact

    def begin(work: Callable[[GameTransaction], Any]) -> Future[Any]:
        begun = threading.Event()

        def run(transaction: GameTransaction) -> Any:
            begun.set()
            time.sleep(0.05)  # the phone asks meanwhile
            return work(transaction)

        future = transact(run)
        begun.wait(LIMIT_S)
        return future

    monkeypatch.setattr(game, "transact", begin)
    monkeypatch.setattr(owner, "ENTER_WAIT_S", 0)
    status, answer = seated.enter(bo)
    entry = seated.remote.view.entry
    assert entry is not None
    assert (status, answer["number"]) == (200, entry.number)


def test_a_win_is_judged_by_one_view_while_the_game_goes_on(
    seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    bo = seated.claim(1)

    def find_holder(held: seats.Seats, token: str | None) -> int:
        seated.remote.view = remote.RemoteView()  # meanwhile the game was closed
        return seats.find_holder(held, token)

    monkeypatch.setattr(remote, "find_holder", find_holder)
    assert seated.send("/win", {"win": BY_VALUE}, bo)[0] == 200


PATHS = ("/seat", "/seat/hold", "/seat/leave", "/mahjong", "/win", "/confirm", "/undo")


@pytest.mark.parametrize("path", PATHS)
def test_only_the_tables_own_page_of_today_reaches_a_seat(seated: Seated, path: str) -> None:
    bo = seated.claim(1)
    before = seated.remote.view
    for query, headers, status, words in (
        ("", {"Origin": "http://evil.example"}, 403, messages.OTHER_ORIGIN),
        ("", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, 403, messages.OTHER_ORIGIN),
        ("", {"Host": f"evil.example:{seated.port}"}, 421, messages.OTHER_HOST),
        ("&page=0123456789ab", {}, 409, messages.OUTDATED),
        ("", {"Content-Length": "100000000"}, 413, messages.SENT_TOO_LARGE.format(most=16)),
    ):
        body = bytes(20_000) if status == 413 else b"{}"
        given = {name: value for name, value in headers.items() if name != "Content-Length"}
        answer, said_then = seated.ask(f"{path}?language=en{query}", "POST", body, Companion_Seat=bo, **given)
        assert answer.status == status
        assert json.loads(said_then) == {"version": 1, "error": words}
    assert seated.ask(path)[0].status == 405
    assert seated.remote.view == before


def make_nonsense(random: Random) -> bytes:
    """A body as a broken or hostile phone may send it."""
    values: list[Any] = [
        None, True, -1, 1, 4, 1e308, 10**30, "", "1234", "9x", "\x00", "é" * 40, [], [[]], {}, {"value": 3},
        {"rows": {"x": 1}}, ["1m"] * 14, ["p111m"], "self_draw", "discard",
    ]  # fmt: skip
    names = (
        "seat", "code", "calls", "win", "enter", "number", "right", "winner", "source", "from", "hand",
        "melds", "stated", "situation", "fortune", "discards", "gambits", "winning_tile", "x",
    )  # fmt: skip

    def make(depth: int) -> Any:
        if depth and random.random() < 0.6:
            return {name: make(depth - 1) for name in random.sample(names, random.randint(0, 6))}
        return random.choice(values)

    made = json.dumps(make(3)).encode()
    kind = random.randrange(5)
    if kind == 0:
        return random.randbytes(random.randrange(200))
    if kind == 1:
        return made[: random.randrange(len(made) + 1)]
    if kind == 2:
        return b"[" * random.randrange(9_000)
    likely = dict(BY_VALUE) | {random.choice(names): random.choice(values)}
    return json.dumps({"win": likely, "enter": random.random() < 0.3}).encode() if kind == 3 else made


@pytest.mark.parametrize("count", [20, pytest.param(400, marks=pytest.mark.long)])
def test_whatever_phones_send_ends_in_an_answer_and_books_nothing(
    seated: Seated, monkeypatch: pytest.MonkeyPatch, count: int, caplog: pytest.LogCaptureFixture
) -> None:
    seed = secrets.randbits(32)
    print("seed", seed)
    random = Random(seed)
    monkeypatch.setattr("companion.serve.uploads.PERIOD_S", 0.0)
    monkeypatch.setattr("companion.serve.seats.PERIOD_S", 0.0)
    bo = seated.claim(1)
    for _ in range(count):
        for path in PATHS:
            body = make_nonsense(random)
            if path == "/seat/leave":
                body = body[:-1]
            token = random.choice((bo, None, "", "wrong", "x" * 5_000))
            headers = {} if token is None else {"Companion_Seat": token}
            answer, said_then = seated.ask(f"{path}?language=en", "POST", body, **headers)
            assert answer.status in (200, 400, 403, 409), (path, body, said_then)
            found = json.loads(said_then)
            assert found["version"] == 1
            assert answer.status == 200 or found["error"].strip().endswith((".", "?", ":")), found
    assert seated.find_points() == [0, 0, 0, 0]
    assert seated.game is not None
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


def test_in_a_followed_hand_the_game_says_on_what_anybody_may_win(seated: Seated) -> None:
    bo = seated.claim(1)
    assert seated.game is not None
    enter_together(seated.game, [HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="7p")])
    status, answer = seated.send("/win", {"win": BY_VALUE | {"from": 0}}, bo)
    assert status == 200
    assert answer["recorded"] is True
    assert {"winner": 2, "source": "discard", "from": 0, "tile": "7p"} in answer["chances"]
    assert all(each["tile"] is None for each in answer["chances"] if each["source"] == "self_draw")
    number = seated.enter(bo, BY_VALUE | {"from": 0})[1]["number"]
    entry = seated.remote.view.entry
    assert entry is not None
    assert [type(event) for event in entry.wins[0].entered.events] == [Won]  # nothing is made up
    seated.remote.judge_at_table(number, right=True)
    wait_until(lambda: seated.find_points()[1] == -seated.find_points()[0] > 0)
