"""The organiser's page: who gets in, what its forms do in a real PostgreSQL, and what they refuse."""

from __future__ import annotations

import re
import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from html import unescape
from http.client import HTTPSConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from sqlalchemy import func, select

from companion import config
from companion.club import competition, messages, sign_in
from companion.club.organising import FORM_KB_MAX
from companion.club.schema import (
    Adjustment,
    Meeting,
    Organiser,
    Penalty,
    Player,
    Presence,
    Round,
    Season,
    Table,
)
from companion.club.sign_in import Sessions, hash_password, is_password, keep_organiser
from companion.errors import InputError
from companion.publish.topics import TableTopics
from companion.serve import seats
from companion.serve.certificate import FILE
from tests.club.served_club import CLUB, ORGANISER, PASSWORD, ServedClub, hash_once, serving_club
from tests.club.tables import NAMES
from tests.club.test_pages import begin, read
from tests.programs import LIMIT_S

KINDS = Season, Meeting, Presence, Round, Penalty, Adjustment, Player
PLAYERS = tuple(f"P{at}" for at in range(8))


def count(club: ServedClub, kind: type) -> int:
    with club.database.begin() as session:
        return session.scalar(select(func.count()).select_from(kind)) or 0


def test_a_password_is_kept_as_a_hash_and_a_new_one_replaces_it(club: ServedClub) -> None:
    club.sign_in()
    with club.database.begin() as session:
        (kept,) = session.scalars(select(Organiser)).all()
        assert kept.password.startswith("$argon2id$")
        assert PASSWORD not in kept.password
        keep_organiser(session, ORGANISER, hash_password("another one"))
    assert club.send("sign_in", name=ORGANISER, password=PASSWORD)[0] == 403
    assert club.send("sign_in", name=ORGANISER, password="another one")[0] == 303
    assert not is_password("x", None)
    for short in ("", "7 chars", "x" * 1001):
        with pytest.raises(InputError, match="8 to 1,000 characters"):
            hash_password(short)


def test_the_cookie_is_for_this_page_alone(club: ServedClub) -> None:
    with club.database.begin() as session:
        keep_organiser(session, ORGANISER, hash_once(PASSWORD))
    body = urlencode({"do": "sign_in", "name": ORGANISER, "password": PASSWORD}).encode()
    answer, _ = club.ask("/organise", "POST", body, Origin=club.origin)
    cookie = answer.headers["Set-Cookie"].lower()
    assert {"httponly", "samesite=strict", "path=/organise", "max-age=43200"} <= set(cookie.split("; "))


def test_a_wrong_password_shows_nothing(club: ServedClub) -> None:
    club.sign_in()
    assert club.send("sign_in", name=f" {ORGANISER} ", password=PASSWORD)[0] == 303
    club.cookie = None
    for name, password in ((ORGANISER, "wrong"), ("nobody", PASSWORD), ("", ""), ("' OR 1=1 --", "x" * 5000)):
        assert club.send("sign_in", name=name, password=password) == (403, [messages.WRONG_PASSWORD])
        assert club.cookie is None
        assert "Sign out" not in club.ask("/organise")[1]


def test_passwords_cannot_be_tried_without_end(club: ServedClub) -> None:
    club.sign_in()
    for _ in range(seats.WRONG_MAX):
        assert club.send("sign_in", name=ORGANISER, password="wrong")[0] == 403
    answer, said = club.ask(
        "/organise", "POST", urlencode({"do": "sign_in", "name": ORGANISER, "password": PASSWORD}).encode()
    )
    assert (answer.status, "Too many wrong passwords." in said) == (429, True)


def test_a_form_that_is_sent_twice_does_its_work_once(
    club: ServedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.sign_in()

    def list_slowly(*which: Any) -> list[Season]:
        found = list_seasons(*which)
        time.sleep(0.1)
        return found

    list_seasons = competition.list_seasons
    monkeypatch.setattr(competition, "list_seasons", list_slowly)
    form = {"name": "winter", "uma0": 1, "uma1": 0, "uma2": 0, "uma3": -1}
    with ThreadPoolExecutor(4) as threads:
        sent = list(threads.map(lambda _: club.send("begin_season", **form), range(4)))
    assert sorted(status for status, _ in sent) == [303, 422, 422, 422]


def test_a_session_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = Sessions()
    first = sessions.begin("Olga")
    assert (sessions.find(first), sessions.find("x"), sessions.find(None)) == ("Olga", None, None)
    others = [sessions.begin("Per") for _ in range(sign_in.SESSIONS_MAX)]
    assert sessions.find(first) is None, "the oldest gives way"
    sessions.end(others[0])
    assert (sessions.find(others[0]), sessions.find(others[1])) == (None, "Per")
    now_s = time.monotonic()
    monkeypatch.setattr(sign_in.time, "monotonic", lambda: now_s + sign_in.SESSION_S + 1)
    assert sessions.find(others[1]) is None


def test_who_is_not_signed_in_changes_nothing(club: ServedClub) -> None:
    of = club.seat(PLAYERS)
    for cookie in (None, "companion_organiser=x", "companion_organiser="):
        club.cookie = cookie
        assert club.send("end_round", round=of.id) == (403, [messages.SIGNED_OUT])
        assert "P1" not in club.ask("/organise")[1]
    club.sign_in()
    cookie = club.cookie
    assert club.send("sign_out")[0] == 303
    club.cookie = cookie
    assert club.send("end_round", round=of.id)[0] == 403
    assert not club.find_rounds()[0].is_over


def test_a_form_of_another_site_is_refused(club: ServedClub) -> None:
    of = club.seat(PLAYERS)
    club.sign_in()
    body = urlencode({"do": "end_round", "club": CLUB, "round": of.id}).encode()
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"}):
        assert club.ask("/organise", "POST", body, **headers)[0].status == 403, headers
    assert not club.find_rounds()[0].is_over


NO_FORMS = (
    (b"do=sign_in&name=" + b"x" * (FORM_KB_MAX * 1000), 413),
    (b"&".join(b"a%d=1" % at for at in range(200)), 400),
    (b"\xff\xfe", 400),
    (b"do=%FF", 400),
    (b"do=drop_tables&club=dragons", 400),
    (b"", 400),
    (b'{"do": "end_round"}', 400),
)


def test_what_is_no_form_is_a_sentence(club: ServedClub) -> None:
    club.sign_in()
    for body, status in NO_FORMS:
        answer, said = club.ask("/organise", "POST", body, Origin=club.origin)
        assert answer.status == status, body[:50]
        assert "form" in read(said)


def test_an_evening_from_the_first_season_to_the_last_result(club: ServedClub) -> None:
    club.sign_in()
    uma = {f"uma{at}": value for at, value in enumerate((15, 5, -5, -15))}
    assert club.send("begin_season", name="winter", **uma) == (303, [])
    assert club.send("begin_meeting", name="friday", tables="1, 2、Bar", minutes=90) == (303, [])
    assert club.send("mark_present", name="\n".join((*PLAYERS, "  ", "Late"))) == (303, [])
    with club.database.begin() as session:
        ids = dict(session.execute(select(Player.name, Player.id)).all())
        assert session.scalars(select(Meeting.tables)).one() == ["1", "2", "Bar"]
    assert club.send("mark_gone", player=ids["Late"]) == (303, [])
    assert club.send("seat_round", number=1) == (303, [])
    assert club.send("seat_round", number=1)[0] == 422, "a double click seats once"
    (of,) = club.find_rounds()
    assert {player.name for table in of.tables for player in table.players} == set(PLAYERS)
    assert club.send("start_clock", round=of.id) == (303, [])
    assert club.send("pause_clock", round=of.id) == (303, [])
    assert "The clock is stopped." in read(club.ask("/organise")[1])
    assert club.send("start_clock", round=of.id) == (303, [])
    assert club.send("set_minutes", round=of.id, minutes=120) == (303, [])
    leaver = of.tables[0].players[1]
    assert club.send("substitute", round=of.id, player=leaver.id, name="Sub") == (303, [])
    points = {f"points{at}": value for at, value in enumerate((30, "-10", "−15", -5))}
    assert club.send("set_result", round=of.id, table="1", why="no machine", **points) == (303, [])
    more = {"points": 3, "table_points": "", "why": "late", "round": of.id}
    assert club.send("penalise", player=ids["P1"], **more) == (303, [])
    with club.database.begin() as session:
        penalty = session.scalars(select(Penalty)).one()
        penalty_id = penalty.id
        adjustment = session.scalars(select(Adjustment)).one()
        assert (penalty.who, penalty.why, penalty.points, penalty.table_points) == (ORGANISER, "late", 3, 0)
        assert (adjustment.who, adjustment.points) == (ORGANISER, [30, -10, -15, -5])
    assert club.send("undo_penalty", id=penalty_id, why="was there") == (303, [])
    assert club.send("undo_penalty", id=penalty_id, why="again")[0] == 422
    assert club.send("end_round", round=of.id) == (303, [])
    (of,) = club.find_rounds()
    assert (of.is_over, of.clock.minutes, of.tables[0].points) == (True, 120, (30, -10, -15, -5))
    assert of.tables[0].players[1].absent == leaver.name
    shown = read(club.ask("/organise")[1])
    assert "was there" in shown
    assert "no machine" in shown
    assert club.send("seat_round", number=2) == (303, [])
    second = club.find_rounds()[-1]
    assert club.send("withdraw_round", round=second.id) == (303, [])
    assert len(club.find_rounds()) == 1
    assert club.send("end_meeting") == (303, [])
    assert club.send("end_season") == (303, [])
    assert club.send("seat_round", number=2)[0] == 422
    assert count(club, Season) == count(club, Round) == 1


REFUSED: tuple[tuple[str, dict[str, object], str], ...] = (
    ("mark_present", {"name": ""}, messages.NO_NAME),
    ("mark_present", {"name": "x" * 300}, "This text is too long"),
    ("begin_meeting", {"name": "x", "tables": "a/b", "minutes": 90}, "cannot be called"),
    ("begin_meeting", {"name": "x", "tables": "1", "minutes": "soon"}, "'soon' is none"),
    ("begin_season", {"name": "winter", "uma0": 1, "uma1": 0, "uma2": 0, "uma3": 0}, "already a season"),
    ("set_result", {"round": "{round}", "table": "1", "points0": 1, "why": "x"}, "'' is none"),
    ("end_round", {"round": 999}, messages.GONE),
    ("end_round", {"round": "9" * 40}, "Enter whole numbers"),
    ("undo_penalty", {"id": 5, "why": "x"}, messages.GONE),
    ("penalise", {"player": 1, "points": 5}, messages.NO_REASON),
    ("penalise", {"player": 2**31, "points": 5, "why": "x"}, "too large"),
    ("mark_gone", {"player": 10**9}, messages.NOT_PRESENT),
)


def test_what_cannot_be_done_is_a_sentence_and_changes_nothing(club: ServedClub) -> None:
    of = club.seat(PLAYERS)
    club.sign_in()
    before = [count(club, each) for each in KINDS]
    for do, fields, says in REFUSED:
        status, said = club.send(
            do, **{name: str(value).format(round=of.id) for name, value in fields.items()}
        )
        assert (status, len(said)) == (422, 1), do
        assert says in said[0], do
        assert [count(club, each) for each in KINDS] == before, do


def test_a_refused_form_keeps_what_was_typed(club: ServedClub) -> None:
    of = club.seat(PLAYERS)
    club.sign_in()
    points = {f"points{at}": value for at, value in enumerate((31, -10, -10, -10))}
    body = {"do": "set_result", "club": CLUB, "round": of.id, "table": "2", "why": 'a "slip"'} | points
    answer, said = club.ask("/organise", "POST", urlencode(body).encode(), Origin=club.origin)
    assert answer.status == 422
    assert "these add up to 1" in unescape(said)
    assert said.count('value="31"') == 1, "in its own table alone"
    assert 'value="a &#34;slip&#34;"' in said
    assert "data-held" in said, "the script leaves it alone"


def test_troubles_stay_until_they_were_seen(club: ServedClub) -> None:
    club.say("7", begin(NAMES))
    topics = TableTopics(CLUB, "7")
    with club.database.begin() as session:
        club.keeper.keep(session, [(topics.events, b"<garbage>")])
    club.sign_in()
    shown = read(club.ask("/organise")[1])
    assert "Troubles" in shown
    with club.database.begin() as session:
        trouble = session.scalars(select(Table.trouble)).one()
    assert trouble is not None
    assert trouble in shown
    assert club.send("clear_trouble", table="7", trouble="an older one") == (303, [])
    assert "Troubles" in read(club.ask("/organise")[1])
    assert club.send("clear_trouble", table="7", trouble=trouble) == (303, [])
    assert "Troubles" not in read(club.ask("/organise")[1])
    game = club.say("8", begin(NAMES, 3))
    with club.database.begin() as session:
        club.keeper.keep(
            session, [(TableTopics(CLUB, "8").events, game.payloads[1].replace(b'"number":2', b'"number":9'))]
        )
    assert "missing from number 3" in read(club.ask("/organise")[1])


def test_elsewhere_a_password_goes_only_over_the_encrypted_page(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.club.organising._is_loopback", lambda request: False)
    with serving_club(database_url, lan=True) as club:
        with club.database.begin() as session:
            keep_organiser(session, ORGANISER, hash_once(PASSWORD))
        path = f"/organise?token={club.pages.token}"
        answer, said = club.ask(path)
        encrypted = club.pages.encrypted
        assert encrypted is not None
        assert encrypted.fingerprint in said
        assert 'type="password"' not in said
        body = urlencode({"do": "sign_in", "name": ORGANISER, "password": PASSWORD}).encode()
        answer, said = club.ask(path, "POST", body, Origin=club.origin)
        assert "Set-Cookie" not in answer.headers
        assert not re.search("Sign out", said)
        port = urlsplit(encrypted.address).port
        context = ssl.create_default_context(cafile=str(config.data_dir() / FILE))
        with closing(HTTPSConnection("127.0.0.1", port, timeout=LIMIT_S, context=context)) as connection:
            connection.request("POST", path, body, {"Origin": f"https://127.0.0.1:{port}"})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 303
            assert "secure" in answer.headers["Set-Cookie"].lower().split("; ")
            connection.request("GET", path, headers={"Cookie": answer.headers["Set-Cookie"].split(";")[0]})
            assert b"Sign out" in connection.getresponse().read()
