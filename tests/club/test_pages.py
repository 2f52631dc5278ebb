"""The club's pages, read over real sockets from a real PostgreSQL: what they show, and what they refuse."""

from __future__ import annotations

import re
from contextlib import closing
from datetime import UTC, datetime, timedelta
from html import unescape
from http.client import HTTPConnection
from typing import Any
from urllib.parse import quote_plus

import pytest
from sqlalchemy import text

from companion import config
from companion.club.pages import LINK_FILE
from companion.club.plot import BOTTOM, LEFT, RIGHT, TOP, draw_chart
from companion.club.reading import list_tiles
from companion.club.rendering import write_seconds
from companion.club.room import find_fit
from companion.game.watching import PlayedSoFar
from companion.rules import RULE_SETS
from companion.sentences import write_number
from companion.serve.shown import show_game
from companion.sheets.hands import make_sheet
from companion.table.apply import fold
from companion.table.events import Event, GameStarted, PointsMoved
from companion.words import Language, Words
from tests.club.served_club import ServedClub, serving_club
from tests.club.tables import NAMES, play_hands
from tests.programs import LIMIT_S

PAGE_BYTES_MAX = 60_000
CODES = re.compile(r'data-code="([^"]+)"')
TAGS = re.compile(r"<[^>]+>")
HOSTILE = ("<img src=x onerror=alert(1)>", "</script><b>", "\"' onload=x", "{{ 7*7 }}%00&lt;")


def begin(names: tuple[str, ...], points: int = 0, rules: str = "hefei") -> tuple[Event, ...]:
    start = GameStarted(rules=rules, names=names)
    return (start, PointsMoved(points=(points, -points, 0, 0), why="a wager")) if points else (start,)


def read(said: str) -> str:
    """The text of a page, in one line."""
    body = said[said.index("<main") : said.index("</main>")]
    return " ".join(unescape(TAGS.sub(" ", body)).split())


def show(events: tuple[Event, ...], language: Language = Language.ENGLISH) -> dict[str, Any]:
    state = fold(events)
    assert state is not None
    return show_game(PlayedSoFar("friday", events, state), make_sheet(events), 1, Words(language))


def test_the_room_has_every_table_with_its_round_hand_and_points(club: ServedClub) -> None:
    games = {"10": play_hands("hong_kong", 2), "9": play_hands("taiwanese", 1, 3)}
    for table, events in games.items():
        club.say(table, events)
    said = read(club.ask("/")[1])
    assert said.index("Table 9") < said.index("Table 10"), "in the order of their numbers"
    for events in games.values():
        document = show(events)
        seats = zip(document["names"], document["scores"]["points"], strict=True)
        assert all(f"{name} {write_number(points)}" in said for name, points in seats)
        assert f"Hand {document['state']['hand']}" in said
    club.say("10", begin(NAMES, 48))
    wait_for_news(club, "Ann 48")


def wait_for_news(club: ServedClub, expected: str, path: str = "/") -> str:
    """The page once it shows that: for a second all readers are shown the same."""
    until = datetime.now(UTC) + timedelta(seconds=LIMIT_S)
    while expected not in read(said := club.ask(path)[1]):
        assert datetime.now(UTC) < until, read(said)
    return said


def test_a_round_shows_its_clock_who_is_missing_and_who_sits_out(club: ServedClub) -> None:
    players = tuple(f"P{at}" for at in range(9))
    of = club.seat(players)
    said = club.ask("/")[1]
    (until,) = re.findall(r'data-until="([\d.]+)"', said)
    assert abs(float(until) - (datetime.now(UTC) + timedelta(minutes=89)).timestamp()) < 30
    assert f"Sits out: {of.byes[0].name}" in read(said)
    first, second = of.tables
    seated = [player.name for player in first.players]
    club.say("1", begin(tuple(seated), 7))
    club.say("2", begin((*(player.name for player in second.players[:3]), "Zed")))
    absent = second.players[3].name
    said = read(wait_for_news(club, f"Missing: {absent}"))
    assert f"{seated[0]} 7" in said
    assert f"others play here: {', '.join((*(p.name for p in second.players[:3]), 'Zed'))}" in said


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_table_shows_exactly_what_everybody_at_it_may_see(club: ServedClub, rules: str) -> None:
    events = play_hands(rules, 1, 5)
    cut = len(events) * 2 // 3
    club.say("7", events[:cut])
    for language in Language:
        answer, said = club.ask(f"/table?name=7&language={language.value}")
        assert answer.status == 200
        document = show(events[:cut], language)
        state = document["state"]
        shown: list[str] = [state["fortune"]] if state["fortune"] else []
        for seat in document["seats"]:
            player = state["players"][seat]
            shown += player["shown"] or ["back"] * bool(player["concealed"])
            shown += [tile for meld in state["melds"][seat] for tile in list_tiles(meld)]
            shown += state["flowers"][seat] + [tile or "?" for tile in state["rivers"][seat]]
        assert CODES.findall(said) == shown
        assert document["said"]["status"] in read(said)


def test_a_table_follows_its_game_and_says_since_when_it_is_away(club: ServedClub) -> None:
    events = play_hands("hong_kong", 1, 8)
    club.say("7", events[:20], at := datetime.now(UTC))
    tiles = CODES.findall(club.ask("/table?name=7")[1])
    game = club.say("7", events, at)
    wait_for_news(club, show(events)["said"]["status"], "/table?name=7")
    assert CODES.findall(club.ask("/table?name=7")[1]) != tiles
    with club.database.begin() as session:
        club.keeper.keep(session, [game.alive(False)])
    wait_for_news(club, "away since", "/table?name=7")
    assert "away since" in read(club.ask("/")[1])


def test_a_player_has_points_places_and_a_line_over_the_season(club: ServedClub) -> None:
    began = datetime.now(UTC) - timedelta(days=3)
    for at, points in enumerate((30, -10)):
        club.say("7", begin(NAMES, points), began + timedelta(hours=at))
        club.say("8", begin(NAMES[::-1], points), began + timedelta(hours=at))
    said = club.ask("/player?name=Ann")[1]
    rows = re.findall(r"<tr>(.*?)</tr>", said, re.DOTALL)
    played = [[unescape(TAGS.sub("", cell)) for cell in re.findall(r"<td.*?</td>", row)] for row in rows]
    shown = {(cells[1], cells[3], cells[4]) for cells in played if cells}
    assert shown == {
        ("7", "1", "+30"), ("7", "4", "−10"), ("8", "2", "0"),
    }  # fmt: skip
    assert said.count("<circle") == len(rows) - 1
    assert "+20" in read(club.ask("/ranking")[1])


def test_the_season_counts_in_standings_and_on_a_players_page(club: ServedClub) -> None:
    of = club.seat(NAMES, ("1",))
    (table,) = of.tables
    names = [player.name for player in table.players]
    club.say("1", begin(tuple(names), 12))
    club.sign_in()
    assert club.send("end_round", round=of.id) == (303, [])
    first = read(club.ask("/ranking")[1])
    assert f"1 {names[0]} +15 +12 1" in first
    assert "winter · Round 1" not in first
    assert "friday · Round 1 1 1 +12 +15" in read(club.ask(f"/player?name={names[0]}")[1])


def test_names_are_text_wherever_they_come_from(club: ServedClub) -> None:
    club.say("<b>7", begin(HOSTILE, 5))
    of = club.seat((*HOSTILE, "Eve"), ("<b>7",))
    paths = ["/", "/ranking", "/seating", f"/table?name={quote_plus('<b>7')}"]
    paths += [f"/player?name={quote_plus(player.name)}" for player in of.tables[0].players]
    club.sign_in()
    for path in (*paths, "/organise"):
        answer, said = club.ask(path)
        assert answer.status == 200, path
        for raw in ("<img", "</script><b>", "\"' onload", "49%", "<b>7"):
            assert raw not in said, (path, raw)
    shown = read(club.ask("/seating")[1])
    assert all(player.name in shown for player in of.tables[0].players)


def test_a_page_is_sent_again_only_where_it_has_changed(club: ServedClub) -> None:
    club.say("7", begin(NAMES))
    said = club.ask("/")[1]
    (seen,) = re.findall(r'data-seen="(\w+)"', said)
    answer, body = club.ask("/", Companion_Seen=seen)
    assert (answer.status, body) == (204, "")
    assert abs(float(answer.headers["Companion-Now"]) - datetime.now(UTC).timestamp()) < LIMIT_S
    club.say("7", begin(NAMES, 5), datetime.now(UTC))
    wait_for_news(club, "Ann 5")
    answer, body = club.ask("/", Companion_Seen=seen)
    assert answer.status == 200
    assert body.startswith("<main")
    assert len(body) < len(said) / 2
    zipped = club.ask("/", Accept_Encoding="identity")[0]
    assert "Content-Encoding" not in zipped.headers


def test_nothing_comes_from_elsewhere_and_nothing_else_runs(club: ServedClub) -> None:
    club.say("7", play_hands("hefei", 1))
    for path in ("/", "/organise", "/ranking", "/table?name=7", "/player?name=Ann"):
        assert len(club.fetch(path, Accept_Encoding="gzip")[1]) <= PAGE_BYTES_MAX, "as sent: zipped"
        answer, said = club.ask(path)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert not re.search(r'(?:src|href|action)="(?:[a-z]+:)?//', said)
        assert not re.search(r"\son\w+=|\sstyle=", said)


WRONGLY_ASKED: tuple[tuple[str, dict[str, str], int, str], ...] = (
    ("/", {"Host": "evil.example:{port}"}, 421, "not the table's"),
    ("/", {"Host": "127.0.0.1:1"}, 421, "not the table's"),
    ("/", {"Origin": "https://evil.example"}, 403, "own page"),
    ("/nothing", {}, 404, "There is nothing at this address."),
    ("/table?name=%ff%00<x>", {}, 404, "No table named"),
    ("/player?name=nobody", {}, 404, "No player named"),
    ("/players/%00", {}, 404, "No player named"),
    ("/ranking?club=elsewhere", {}, 200, "No hand has been finished"),
)


def test_what_is_asked_wrongly_is_a_sentence(club: ServedClub) -> None:
    for path, headers, status, says in WRONGLY_ASKED:
        given = {name: value.format(port=club.port) for name, value in headers.items()}
        answer, said = club.ask(path, **given)
        assert (answer.status, says in unescape(said)) == (status, True), (path, said[-500:])


def test_json_goes_on_as_it_was(club: ServedClub) -> None:
    club.say("7", begin(NAMES, 3))
    answer, said = club.ask("/nothing", Accept="*/*")
    assert (answer.status, answer.headers["Content-Type"]) == (404, "application/json")
    for path in ("/standings", "/tables", "/players/Ann"):
        answer, said = club.ask(path)
        assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
        assert '"version":1' in said


def test_in_the_network_the_link_has_a_token(database_url: str) -> None:
    with serving_club(database_url, lan=True) as club:
        token = club.pages.token
        for path in ("/", "/standings", "/organise"):
            answer, said = club.ask(path)
            assert (answer.status, said) == (403, "")
            assert club.ask(f"{path}?token={token}")[0].status == 200
        said = club.ask(f"/?token={token}")[1]
        links = re.findall(r'href="(/[^"]*)"', said)
        assert len(links) > 5
        assert all(f"token={token}" in link for link in links)


def test_the_link_stays_the_same_when_the_program_starts_again(database_url: str) -> None:
    path = config.data_dir() / LINK_FILE
    tokens = []
    for damage in (None, None, b"x", b"\xff" * 22, None):
        if damage is not None:
            path.write_bytes(damage)
        with serving_club(database_url, lan=True) as club:
            tokens.append(club.pages.token)
    first, again, new, newer, still = tokens
    assert first == again
    assert len({first, new, newer}) == 3
    assert newer == still


def test_a_database_that_is_away_is_a_sentence(database_url: str) -> None:
    with serving_club(database_url) as club:
        with club.database.begin() as session:
            session.execute(text("ALTER TABLE tables RENAME TO gone"))
        answer, said = club.ask("/")
        assert (answer.status, "The database does not answer" in said) == (503, True)


def test_every_page_is_in_the_readers_language(club: ServedClub) -> None:
    club.say("7", begin(NAMES))
    club.say("8", begin(NAMES, 3))
    for language in Language:
        check_language(club, language)


def check_language(club: ServedClub, language: Language) -> None:
    words = Words(language)
    said = {
        path: club.ask(f"{path}language={language.value}")[1]
        for path in ("/?", "/ranking?", "/table?name=7&")
    }
    assert words("Table {name}", name="7") in said["/?"]
    assert words("Points") in said["/ranking?"]
    assert words("The first hand has not begun.") in said["/table?name=7&"]


def test_standings_are_exported_as_files(club: ServedClub) -> None:
    club.say("7", begin(NAMES, 3))
    links = re.findall(r'href="(/export[^"]+)"', club.ask("/ranking?language=zh_Hans")[1])
    starts = {".csv": b"\xef\xbb\xbf", ".json": b"{", ".pdf": b"%PDF"}
    for link, (kind, start) in zip(links, starts.items(), strict=True):
        answer, content = club.fetch(unescape(link))
        assert (answer.status, content[: len(start)]) == (200, start)
        assert f"standings{kind}" in answer.headers["Content-Disposition"]
        assert kind == ".pdf" or b"Ann" in content
    assert club.ask("/export/standings.exe")[0].status == 404


def test_a_head_request_or_another_method_changes_nothing(club: ServedClub) -> None:
    with closing(HTTPConnection("127.0.0.1", club.port, timeout=LIMIT_S)) as connection:
        connection.request("DELETE", "/", headers={"Accept": "text/html"})
        assert connection.getresponse().status == 405


def test_a_chart_has_all_values_within_its_edges() -> None:
    values = [5.0, -20.0, 33.0]
    chart = draw_chart("points", values, ["a", "b", "c"])
    assert [dot.x for dot in chart.dots] == [LEFT, (LEFT + RIGHT) / 2, RIGHT]
    assert [dot.said for dot in chart.dots] == ["a", "b", "c"]
    assert all(TOP <= dot.y <= BOTTOM for dot in chart.dots)
    heights = sorted(zip(values, (dot.y for dot in chart.dots), strict=True))
    assert [y for _, y in heights] == sorted((y for _, y in heights), reverse=True)
    assert (chart.ticks[0].value, chart.ticks[-1].value) == (-20, 40)
    assert len(draw_chart("one", [0.0], ["a"]).dots) == 1


def test_times_and_sizes() -> None:
    assert [write_seconds(each) for each in (-1, 65, 3605)] == ["0:00", "1:05", "1:00:05"]
    assert [find_fit(each) for each in (1, 4, 5, 12, 30, 31)] == [4, 4, 6, 12, 30, 0]
