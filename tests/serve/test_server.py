"""The server over real sockets: its answers, its viewers, and whatever a network may do to it."""

from __future__ import annotations

import json
import logging
import os
import re
import resource
import secrets
import shutil
import socket
import subprocess
import sys
import time
from http.client import HTTPResponse
from pathlib import Path
from random import Random

import pytest

from companion.commands import serve as serve_command
from companion.errors import MissingError
from companion.live.running import RunningGame
from companion.recorded_demo import __path__ as demo_folder
from companion.serve import connections, messages, phone_camera, uploads
from companion.serve.page import PAGE
from companion.serve.server import Server
from companion.serve.site import Served
from companion.serve.sources import follow
from companion.serve.viewers import NO_GAME_YET, VIEWERS_MAX, PlayedSoFar
from companion.table.events import GameStarted
from companion.words import Language, Words
from tests.programs import LIMIT_S
from tests.serve.served import Table, find_own_port, list_events, serving, wait_for, wait_until

HAND = Path(next(iter(demo_folder))) / "hand.jpg"


def sentence(body: bytes) -> str:
    answer = json.loads(body)
    assert answer["version"] == 1
    return str(answer["error"])


def test_every_answer_has_a_version_and_no_way_out_of_the_page(table: Table) -> None:
    table.show(5)
    table.wait_for_points(5)
    for path in ("/", "/state", "/healthz", "/nothing", "/read"):
        answer, body = table.ask(path)
        assert answer.headers["Companion-Version"] == "1", path
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "Set-Cookie" not in answer.headers
        assert "Server" not in answer.headers
        if path != "/":
            assert json.loads(body)["version"] == 1
    state = table.ask_json("/state")
    assert set(state) >= {"state", "scores", "names", "last_win", "version"}
    assert state["scores"]["points"] == [5, -5, 0, 0]
    assert table.ask("/nothing")[0].status == 404
    assert sentence(table.ask("/state", "DELETE")[1]) == messages.WRONG_METHOD


def test_answers_are_in_the_language_that_is_asked_for_or_the_browsers(table: Table) -> None:
    simplified = Words(Language.SIMPLIFIED)(messages.NO_GAME)
    traditional = Words(Language.TRADITIONAL)(messages.NO_GAME)
    assert table.ask_json("/state?language=zh_Hans")["trouble"] == simplified
    assert json.loads(table.ask("/state", Accept_Language="zh-TW,en;q=0.5")[1])["trouble"] == traditional
    assert json.loads(table.ask("/state", Accept_Language="de,zh-CN")[1])["trouble"] == simplified


def test_in_a_network_only_the_link_opens_anything(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(lan=True) as table:
        token = table.server.token
        assert token is not None
        assert re.fullmatch(r"[A-Za-z0-9_-]{22}", token)
        assert table.server.address.endswith(f"/?token={token}")
        for path in ("/", "/state", "/events", "/healthz", "/nothing", "/state?token=wrong", "/read"):
            answer, body = table.ask(path)
            assert (answer.status, body) == (403, b"")
            assert {name.lower() for name in answer.headers} <= {"date", "content-length"}
        assert table.ask_json(f"/state?token={token}")["version"] == 1
        assert table.ask(f"/nothing?token={token}")[0].status == 404
        table.open_socket().sendall(f"GET /state?token={token} HTTP/9\r\n\r\n".encode())
        with serving(lan=True) as other:
            assert other.server.token != token
    said = capfd.readouterr()
    assert token not in caplog.text + said.out + said.err


def test_without_a_link_only_this_machine_is_asked(table: Table) -> None:
    assert table.server.address == f"http://127.0.0.1:{table.port}/"
    with socket.socket() as probe:
        probe.settimeout(5)
        try:
            own = socket.gethostbyname(socket.gethostname())
        except OSError:
            return
        if not own.startswith("127."):
            assert probe.connect_ex((own, table.port)) != 0


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "192.168.7.7:{port}", "[::1"]
)
def test_a_page_that_another_name_server_leads_here_learns_nothing(table: Table, host: str) -> None:
    answer, body = table.ask("/state", Host=host.format(port=table.port))
    assert answer.status == 421
    assert sentence(body) == messages.OTHER_HOST


def test_pages_of_other_sites_may_ask_for_nothing(table: Table) -> None:
    own = f"http://127.0.0.1:{table.port}"
    assert table.ask("/state", Origin=own)[0].status == 200
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
    ):
        answer, body = table.ask("/read", "POST", b"x", **headers)
        assert answer.status == 403
        assert sentence(body) == messages.OTHER_ORIGIN
    assert table.ask("/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate")[0].status == 200


def test_a_viewer_gets_the_state_at_once_and_then_every_change(table: Table) -> None:
    table.show(1)
    table.wait_for_points(1)
    with table.watch() as watching:
        events = list_events(watching)
        assert next(events)[1]["scores"]["points"][0] == 1
        for points in (3, 6, 10):
            table.show({3: 2, 6: 3, 10: 4}[points])
            name, state = next(events)
            assert name == "state"
            assert state["scores"]["points"][0] == points


def test_a_viewer_that_falls_behind_gets_the_newest_state_and_nobody_waits_for_it(table: Table) -> None:
    table.show(1)
    table.wait_for_points(1)
    with table.watch(receive_bytes=4096) as slow, table.watch() as quick:
        quickly = list_events(quick)
        next(quickly)
        for points in range(2, 302):
            table.show(1)
            wait_for(quickly, points)
        slowly = list_events(slow)
        got = [next(slowly)[1]["scores"]["points"][0]]
        while got[-1] < 301:
            got.append(next(slowly)[1]["scores"]["points"][0])
        assert got == sorted(set(got))
        assert len(got) < 250


def test_the_201st_viewer_is_refused_in_a_sentence_until_one_leaves(table: Table) -> None:
    table.show(1)
    table.wait_for_points(1)
    watching = [table.watch() for _ in range(VIEWERS_MAX)]
    try:
        wait_until(lambda: table.ask_json("/healthz")["viewers"] == VIEWERS_MAX)
        with table.watch() as late:
            (name, refused), *rest = list(list_events(late))
            assert (name, rest) == ("refused", [])
            assert refused["error"] == messages.FULL.format(count=VIEWERS_MAX)
        watching.pop().close()
        wait_until(lambda: table.ask_json("/healthz")["viewers"] < VIEWERS_MAX)
        with table.watch() as next_one:
            assert next(list_events(next_one))[0] == "state"
        table.show(1)
        for each in watching:
            events = list_events(each)
            wait_for(events, 2)
    finally:
        for each in watching:
            each.close()


def test_a_page_of_an_older_version_is_asked_to_load_again(table: Table) -> None:
    table.show(1)
    answer, body = table.ask("/state?page=0123456789ab")
    assert answer.status == 409
    assert sentence(body) == messages.OUTDATED
    with table.watch("?page=0123456789ab&language=zh_Hans") as watching:
        ((name, outdated),) = list(list_events(watching))
        assert name == "outdated"
        assert outdated["error"] == Words(Language.SIMPLIFIED)(messages.OUTDATED)
    assert table.ask(f"/state?page={PAGE}")[0].status == 200


def read_all(connection: socket.socket) -> bytes:
    with connection.makefile("rb") as answer:
        return answer.read()


def test_a_request_that_takes_for_ever_ends_in_a_sentence(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "REQUEST_S", 0.3)
    head = f"GET /state HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\n"
    with table.open_socket() as silent, table.open_socket() as slow, table.open_socket() as second:
        slow.sendall(head.encode())
        second.sendall((head + "\r\n").encode())
        assert second.recv(10).startswith(b"HTTP/1.1 2")
        second.sendall(head.encode())
        for each in (silent, slow, second):
            answer = read_all(each)
            assert sentence(answer.rpartition(b"\r\n\r\n")[2]) == messages.SLOW
    with table.watch() as watching:  # a request that came in time is answered for as long as it takes
        events = list_events(watching)
        next(events)
        time.sleep(0.5)
        table.show(1)
        assert next(events)[0] == "state"


@pytest.mark.parametrize(
    "nonsense", [b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", b"GET / HTTP/1.1\r\nA: " + b"x" * 70_000]
)
def test_what_is_no_request_ends_in_a_sentence(table: Table, nonsense: bytes) -> None:
    with table.open_socket() as connection:
        connection.sendall(nonsense)
        assert sentence(read_all(connection).rpartition(b"\r\n\r\n")[2]) == messages.NO_REQUEST
    assert table.ask("/healthz")[0].status == 200


METHODS = (b"GET", b"POST", b"HEAD", b"PUT", b"OPTIONS", b"TRACE", b"get", b"G\x00T", b"")
PLACES = (
    b"/", b"/state", b"/events", b"/healthz", b"/read", b"/score", b"/camera", b"/seat", b"/win", b"/../x",
    b"//", b"*", b"\xff",
)  # fmt: skip
NAMES = (b"page", b"language", b"token", b"rules", b"phone", b"x")
VALUES = (
    b"", b"zh_Hant", b"%00", b"%ff%fe", b"\xff", b"a" * 3_000, b"-1", b"hefei", b"aaaaaaaa", b"%", b"=&=",
)  # fmt: skip
HEADERS = (
    b"Accept-Language: \xff;q=x,,zh", b"Accept-Encoding: gzip;q=0", b"Origin: null", b"Content-Length: -1",
    b"Content-Length: 1e9", b"Content-Length: 3", b"Transfer-Encoding: chunked", b"Expect: 100-continue",
    b"Companion-Seat: \xe9", b"Upgrade: websocket\r\nConnection: Upgrade", b"Cookie: a=b", b"X" * 300, b": y",
    b"Range: bytes=0-1", b"Host: x", b"Content-Type: multipart/form-data; boundary=",
)  # fmt: skip


def make_request(random: Random, port: int) -> bytes:
    """A request as a broken or hostile program may send it."""
    query = b"&".join(random.choice(NAMES) + b"=" + random.choice(VALUES) for _ in range(random.randrange(4)))
    place = random.choice(PLACES) + (b"?" + query if query else b"")
    lines = [b" ".join((random.choice(METHODS[: random.choice((2, 9))]), place, b"HTTP/1.1"))]
    lines.append(f"Host: 127.0.0.1:{port}".encode())
    lines += random.sample(HEADERS, random.randrange(4))
    return b"\r\n".join((*lines, b"", random.randbytes(random.randrange(60))))


@pytest.mark.parametrize("count", [60, pytest.param(3_000, marks=pytest.mark.long)])
def test_whatever_is_sent_to_any_address_ends_in_an_answer(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, count: int
) -> None:
    seed = secrets.randbits(32)
    print("seed", seed)
    random = Random(seed)
    monkeypatch.setattr(uploads, "read_picture", lambda picture, rules: b"[]")
    monkeypatch.setattr(uploads, "PERIOD_S", 0.0)
    for module, name in ((connections, "REQUEST_S"), (uploads, "UPLOAD_S"), (phone_camera, "WAIT_S")):
        monkeypatch.setattr(module, name, 0.3)
    table.show(1)
    table.wait_for_points(1)
    for _ in range(count):
        sent = make_request(random, table.port)
        with table.open_socket() as connection:
            connection.sendall(sent)
            answer = HTTPResponse(connection, method=sent.partition(b" ")[0].decode())
            answer.begin()
            body = b"" if "event-stream" in answer.headers["Content-Type"] else answer.read()
        assert answer.status in (200, 400, 403, 404, 405, 408, 409, 413, 421, 422, 429), (sent, body)
        if answer.status != 200 and not sent.startswith(b"HEAD"):
            assert sentence(body).endswith((".", "?", "。")), (sent, body)
    assert not [each for each in caplog.records if each.levelname == "ERROR"]
    assert table.ask_json("/state")["scores"]["points"][0] == 1


def test_connections_that_ask_for_nothing_shut_nobody_out(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "CONNECTIONS_MAX", 20)
    table.show(1)
    with table.watch() as watching:
        events = list_events(watching)
        next(events)
        idle = [table.open_socket() for _ in range(100)]
        assert table.ask("/healthz")[0].status == 200
        assert sentence(read_all(idle[0]).rpartition(b"\r\n\r\n")[2]) == messages.BUSY
        table.show(1)
        wait_for(events, 2)
        for each in idle:
            each.close()
    answered: list[socket.socket] = []
    wait_until(lambda: b" 503 " in watch_once_more(table, answered))
    assert 0 < len(answered) <= 20
    for each in answered:
        each.close()


def watch_once_more(table: Table, answered: list[socket.socket]) -> bytes:
    """The answer to one more viewer; nothing while connections that were refused before still read why."""
    viewer = table.watch()
    try:
        if (head := viewer.recv(12)) == b"HTTP/1.1 200":
            answered.append(viewer)
            return head
        answer = head + read_all(viewer)
    except ConnectionResetError:
        return b""
    assert sentence(answer.rpartition(b"\r\n\r\n")[2]) == messages.BUSY
    return answer


FLOOD = """
import resource, socket, sys
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 10100), hard))
open_ones = []
for number in range(int(sys.argv[2])):
    made = socket.socket()
    try:
        made.connect(("127.0.0.1", int(sys.argv[1])))
    except OSError:
        continue
    open_ones.append(made)
    if number % 3 == 0:
        made.send(b"GET / HT")
print(len(open_ones), flush=True)
sys.stdin.read()
"""


@pytest.mark.long
def test_ten_thousand_connections_leave_the_game_and_its_viewers_alone(table: Table) -> None:
    table.show(1)
    with table.watch() as watching:
        events = list_events(watching)
        next(events)
        flood = subprocess.Popen(
            [sys.executable, "-c", FLOOD, str(table.port), "10000"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        try:
            assert flood.stdout is not None
            assert int(flood.stdout.readline()) > min(
                9000, resource.getrlimit(resource.RLIMIT_NOFILE)[1] - 200
            )
            assert len(os.listdir("/proc/self/fd")) < 1000
            before_s = time.monotonic()
            table.show(1)
            assert time.monotonic() - before_s < 1
            wait_for(events, 2)
            assert table.ask("/healthz")[0].status == 200
        finally:
            flood.kill()
            flood.communicate()


@pytest.mark.parametrize("megabytes", [3, pytest.param(100, marks=pytest.mark.long)])
@pytest.mark.parametrize("chunked", [False, True])
def test_an_upload_without_end_ends_in_a_sentence(
    table: Table, monkeypatch: pytest.MonkeyPatch, megabytes: int, chunked: bool
) -> None:
    if megabytes < 100:
        monkeypatch.setattr(uploads, "PICTURE_MB_MAX", 1)
    pieces = (bytes(1_000_000) for _ in range(megabytes))
    body = pieces if chunked else bytes(megabytes * 1_000_000)
    answer, said = table.ask("/read", "POST", body)
    assert answer.status == 413
    assert sentence(said) == messages.TOO_LARGE.format(most=uploads.PICTURE_MB_MAX)


def test_an_upload_that_takes_for_ever_ends_in_a_sentence(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "UPLOAD_S", 0.3)
    with table.open_socket() as connection:
        head = f"POST /read HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\nContent-Length: 1000\r\n\r\n"
        connection.sendall(head.encode() + b"x")
        answer = read_all(connection)
    assert b"408" in answer.splitlines()[0]
    assert sentence(answer.rpartition(b"\r\n\r\n")[2]) == messages.SLOW


def test_pictures_are_limited_by_address(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "read_picture", lambda picture, rules: b"[]")
    for _ in range(uploads.PICTURES_MAX):
        assert table.ask("/read", "POST", b"a picture")[0].status == 200
    answer, said = table.ask("/read", "POST", b"a picture")
    assert answer.status == 429
    assert "Too many pictures" in sentence(said)
    assert 1 <= int(answer.headers["Retry-After"]) <= 61
    assert table.ask("/healthz")[0].status == 200


def test_an_empty_upload_is_refused(table: Table) -> None:
    answer, said = table.ask("/read", "POST", b"")
    assert answer.status == 400
    assert sentence(said) == messages.NO_PICTURE


@pytest.mark.slow
def test_a_picture_is_read_as_the_command_reads_it_and_is_kept_nowhere(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("COMPANION_DATA", "TMPDIR"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    printed = subprocess.run(
        [sys.executable, "-m", "companion", "read", HAND, "--json", "--rules", "hefei"],
        capture_output=True, timeout=LIMIT_S, check=True,
    ).stdout  # fmt: skip
    (expected,) = json.loads(printed)
    answer, said = table.ask("/read?rules=hefei", "POST", HAND.read_bytes())
    (entry,) = json.loads(said)
    assert answer.status == 200
    for each in (expected, entry):
        del each["ms"]
    assert entry == expected | {"image": "picture"}
    answer, said = table.ask("/read", "POST", b"not a picture")
    assert set(json.loads(said)[0]) == {"image", "error"}
    assert "/proc" not in said.decode()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


PHOTOS_STEP = 25
"""Of the collection, one photo in that number is tried."""


@pytest.mark.slow
def test_real_photos_are_read_as_the_command_reads_them(table: Table, tile_data: Path) -> None:
    photos = sorted((tile_data / "photos/images/dev-unseen-set").glob("*.jpg"))[::PHOTOS_STEP]
    assert len(photos) > 5
    printed = subprocess.run(
        [sys.executable, "-m", "companion", "read", *photos, "--json"],
        capture_output=True, timeout=LIMIT_S, check=True,
    ).stdout  # fmt: skip
    for photo, expected in zip(photos, json.loads(printed), strict=True):
        answer, said = table.ask("/read", "POST", photo.read_bytes())
        (entry,) = json.loads(said)
        assert answer.status == 200
        assert entry["tiles"] == expected["tiles"]
        assert entry["tiles"], photo


def test_closing_ends_every_connection_and_frees_the_port() -> None:
    port = find_own_port()
    with serving(port=port) as table:
        watching = table.watch()
        next(list_events(watching))
        with pytest.raises(MissingError, match=str(port)):
            Server(lambda deliver: lambda: None, Served(port))
    assert read_all(watching) is not None
    with serving(port=port) as again:
        assert again.ask("/healthz")[0].status == 200


def test_a_server_that_ends_by_itself_says_so_once() -> None:
    deaths: list[str] = []
    server = Server(lambda deliver: lambda: None, Served(0), on_death=lambda: deaths.append("ended"))
    for each in server.site.servers:
        each.should_exit = True
    wait_until(lambda: not server.is_running)
    server.close()
    assert deaths == ["ended"]
    closed = Server(lambda deliver: lambda: None, Served(0), on_death=lambda: deaths.append("closed"))
    closed.close()
    assert not closed.is_running
    assert deaths == ["ended"]


def test_the_command_ends_with_its_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Server, "is_running", property(lambda server: False))
    with pytest.raises(MissingError, match="ended by itself"):
        serve_command.serve(port=0)


def test_the_game_of_this_process_is_followed(tmp_path: Path) -> None:
    game = RunningGame()
    server = Server(follow(game), Served(0))
    table = Table(server, lambda watched: None)
    try:
        assert table.ask_json("/state")["game"] is None
        game.begin(tmp_path / "friday.game", GameStarted(rules="hebei", names=("Ann", "B", "C", "D"))).result(
            LIMIT_S
        )
        wait_until(lambda: table.ask_json("/state").get("rules") == "hebei")
        assert table.ask_json("/state")["names"] == ["Ann", "B", "C", "D"]
    finally:
        server.close()
        game.close()


def test_a_game_that_only_devices_report_for_is_not_shown() -> None:
    game = RunningGame()
    published: list[object] = []
    end = follow(game)(published.append)
    try:
        assert game.play(GameStarted(rules="hebei")).result(LIMIT_S)
        assert published == [NO_GAME_YET, NO_GAME_YET]
    finally:
        end()
        game.close()


HOTSPOT = "ip link add v0 type veth peer name v1 && ip addr add 192.168.4.1/24 dev v0 && ip link set v1 up"


@pytest.mark.parametrize(
    ("commands", "address"),
    [("true", "None"), (HOTSPOT, "None"), (f"{HOTSPOT} && ip link set v0 up", "192.168.4.1")],
)
def test_an_address_is_found_in_a_network_that_leads_nowhere_else(commands: str, address: str) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("no network can be made without unshare")
    find = f"{sys.executable} -c 'from companion.serve.site import find_address; print(find_address())'"
    asked = ["unshare", "-rn", "sh", "-c", f"{commands} || exit; echo made; {find}"]
    found = subprocess.run(asked, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    if not found.stdout:
        pytest.skip(found.stderr)
    assert found.stdout.split() == ["made", address]


def test_a_game_that_cannot_be_shown_is_a_sentence(table: Table) -> None:
    table.deliver(PlayedSoFar("friday", (GameStarted(rules="hefei"),) * 2, None))  # type: ignore[arg-type]
    wait_until(
        lambda: (
            "trouble" in table.ask_json("/state") and table.ask_json("/state")["trouble"] != messages.NO_GAME
        )
    )
    table.show(4)
    table.wait_for_points(4)
