"""`companion track`: lines as the interface has them, from sessions, from films, and for bad input."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion.config import data_dir
from companion.live.noticed import state_line
from companion.table.apply import fold
from companion.table.events import Discarded, Drawn, Event, apply_corrections
from lab.bench.followed_films import FilmTruth, decode_truth
from lab.film.lived_in import draw_lived_in
from tests.cli.filmed import film, first_hand, make_session, write_part, write_session
from tests.cli.typed_command import running
from tests.streams import StreamedPictures

Call = Callable[..., Any]


@pytest.fixture(scope="module")
def truth() -> FilmTruth:
    return decode_truth(film(first_hand("hefei", 1), 1, size=(480, 270)).truth)


@pytest.fixture(scope="module")
def session(truth: FilmTruth, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_session(truth, tmp_path_factory.mktemp("sessions") / "hefei")


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """One picture of an empty table."""
    path = tmp_path / "empty.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (640, 360))
    for _ in range(25):
        writer.write(np.full((360, 640, 3), (40, 90, 40), np.uint8))
    writer.release()
    return path


def lines_of(run: Any) -> list[dict[str, Any]]:
    assert run.status == 0, run.err
    assert run.err == ""
    return [json.loads(line) for line in run.out.splitlines()]


def events_of(lines: list[dict[str, Any]]) -> list[Event]:
    return [msgspec.convert(line["event"], Event) for line in lines if "event" in line]


def seen(truth: FilmTruth) -> list[tuple[int, str | None]]:
    """The discards of a film: seat and tile."""
    return [(each.seat, each.tile) for _, _, each in truth.events if isinstance(each, Discarded)]


def test_a_hand_is_followed_to_its_end(call: Call, session: Path, truth: FilmTruth) -> None:
    lines = lines_of(call("track", session, "--json"))
    events = events_of(lines)
    played = apply_corrections([truth.start, *events])
    discards = [(each.seat, each.tile) for each in played if isinstance(each, Discarded)]
    assert discards == seen(truth)
    numbers = [line["number"] for line in lines if "event" in line]
    assert numbers == list(range(2, len(events) + 2))
    assert all(0 < line["p"] <= 1 and line["source"] == "camera" for line in lines if "event" in line)
    last = truth.events[-1][2]
    assert type(events[-1]) is type(last)


def test_the_state_follows_every_event_and_every_second(call: Call, session: Path, truth: FilmTruth) -> None:
    lines = lines_of(call("track", session, "--json"))
    log: list[Event] = [truth.start]
    shown_at = [line["t"] for line in lines if "state" in line]
    for at, line in enumerate(lines):
        if "event" in line:
            log.append(msgspec.convert(line["event"], Event))
            state = fold(log)
            assert state is not None
            assert lines[at + 1]["state"] == json.loads(json.dumps(state_line(state)))
    moments = {line["t"] for line in lines}
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)
    assert all(b - a < 1.0 or not any(a + 1 <= t < b for t in moments)
               for a, b in pairwise(shown_at))  # fmt: skip


def test_the_line_of_a_state_has_the_fields_of_the_interface(call: Call, session: Path) -> None:
    states = [line["state"] for line in lines_of(call("track", session, "--json")) if "state" in line]
    names = {"left", "before_sea", "phase", "turn", "rivers", "melds", "flowers"}
    assert all(set(state) == names for state in states)
    assert (states[0]["left"], states[0]["phase"]) == (None, None)
    dealt = next(state for state in states if state["left"] == 31)
    assert dealt["before_sea"] == 27
    assert all(len(state[name]) == 4 for state in states for name in ("rivers", "melds", "flowers"))


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "seed"), [("hebei", 1), ("hangzhou", 1), ("taiwanese", 2)])
def test_hands_of_other_games_are_followed(call: Call, tmp_path: Path, rules: str, seed: int) -> None:
    truth = decode_truth(film(first_hand(rules, seed), seed, size=(480, 270)).truth)
    lines = lines_of(call("track", write_session(truth, tmp_path / rules), "--json"))
    log = [truth.start, *events_of(lines)]
    for length in range(1, len(log) + 1):
        fold(log[:length])
    discards = [(each.seat, each.tile) for each in apply_corrections(log) if isinstance(each, Discarded)]
    assert sum(a == b for a, b in zip(discards, seen(truth), strict=False)) >= 0.8 * len(seen(truth))


def test_people_read_a_line_for_each_event(call: Call, session: Path, truth: FilmTruth) -> None:
    run = call("track", session)
    assert run.status == 0, run.err
    first = truth.events[2][2]
    assert isinstance(first, Discarded)
    assert f"seat {first.seat} discards {first.tile}" in run.out
    assert "left" in run.out


def test_a_kept_game_gets_the_events_once(call: Call, session: Path) -> None:
    events = events_of(lines_of(call("track", session, "--game", "friday", "--json")))
    listed = call("games", "export", "friday").out.splitlines()
    assert len(listed) == len(events) + 2
    refused = call("track", session, "--game", "friday").refused(2)
    assert "This recording is in the game 'friday' already: nothing was entered." in refused
    assert call("games", "export", "friday").out.splitlines() == listed


def test_a_kept_game_goes_on(call: Call, session: Path, tmp_path: Path) -> None:
    first = make_session(tmp_path / "first", seconds=30)
    call("track", first, "--game", "friday", "--json")
    kept = call("games", "export", "friday").out.splitlines()
    call("games", "undo", "friday", len(kept) - 2)
    lines = lines_of(call("track", session, "--game", "friday", "--json"))
    assert events_of(lines)[0].__struct_config__.tag == "hand_started"


@pytest.mark.slow
def test_a_session_is_recorded_and_replayed_the_same(call: Call, session: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    lines = lines_of(call("track", session, "--record", copy, "--json"))
    assert lines_of(call("track", copy, "--json")) == lines
    compared = call("track", "--compare", copy, "--json").document
    assert (compared["same"], compared["differences"]) == (len(events_of(lines)), [])
    assert "is there already" in call("track", session, "--record", copy).refused(2)
    assert all((copy / name).stat().st_mode & 0o077 == 0 for name in ("session.json", "session.jsonl"))


def test_two_sessions_are_compared_event_by_event(call: Call, session: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    call("track", session, "--record", one)
    call("track", make_session(tmp_path / "short", seconds=40), "--record", other)
    compared = call("track", "--compare", one, other, "--json").document
    assert compared["same"] > 5
    missing = [each["one"]["event"]["event"] for each in compared["differences"] if each["other"] is None]
    assert "won" in missing
    said = call("track", "--compare", one, other).out
    assert f"{compared['same']} events are the same" in said


def test_a_session_is_packed_into_one_file(call: Call, session: Path, tmp_path: Path) -> None:
    packed = tmp_path / "report.zip"
    packing = call("track", "--pack", packed, session, "--json").document
    assert (packing["file"], packing["pictures"]) == (str(packed), 0)
    with zipfile.ZipFile(packed) as file:
        assert set(file.namelist()) == {"about.json", "session.json", "session.jsonl"}
        assert json.loads(file.read("about.json"))["program"]
        named = {line.partition(":")[0] for line in packing["contents"]}
        assert named == {*file.namelist(), "frames", "left out"}
        assert file.read("session.jsonl") == (session / "session.jsonl").read_bytes()
    assert "exists already" in call("track", "--pack", packed, session).refused(2)
    shown = call("track", "--pack", tmp_path / "again.zip", session).out.splitlines()
    assert shown[0] == "To be packed:"
    assert [line.strip() for line in shown[1:-1]] == packing["contents"]
    assert shown[-1].startswith(f"Packed into {tmp_path / 'again.zip'}. ")


def damage(session: Path, folder: Path, name: str, change: Callable[[bytes], bytes]) -> Path:
    folder.mkdir()
    for each in ("session.json", "session.jsonl"):
        content = (session / each).read_bytes()
        (folder / each).write_bytes(change(content) if each == name else content)
    return folder


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("session.json", lambda content: b"{", "is damaged: in session.json it is not JSON"),
        ("session.json", lambda content: b'{"format": "x", "version": 1}', "the format is not that of"),
        ("session.json", lambda content: content.replace(b'"version":1', b'"version":9'), "has version 9"),
        ("session.json", lambda content: content.replace(b'"log":[', b'"logs":['), "log is missing"),
        ("session.jsonl", lambda content: b"\xff\n" + content, "in line 1 of session.jsonl"),
        ("session.jsonl", lambda content: b'{"t":"x"}\n' + content, "t must be a number"),
    ],
)
def test_a_damaged_session_gets_one_sentence(
    call: Call, session: Path, tmp_path: Path, name: str, change: Callable[[bytes], bytes], said: str
) -> None:
    folder = damage(session, tmp_path / "damaged", name, change)
    for options in ((folder,), ("--compare", folder)):
        assert said in call("track", *options).refused(2)


def test_a_session_that_was_cut_off_is_replayed_as_far_as_it_goes(
    call: Call, session: Path, tmp_path: Path
) -> None:
    folder = damage(session, tmp_path / "cut", "session.jsonl", lambda content: content[: len(content) // 2])
    assert events_of(lines_of(call("track", folder, "--json")))


def test_without_its_lines_a_session_gets_one_sentence(call: Call, session: Path, tmp_path: Path) -> None:
    folder = damage(session, tmp_path / "bare", "", lambda content: content)
    (folder / "session.jsonl").unlink()
    assert "cannot be read (No such file or directory)" in call("track", folder).refused(2)
    (folder / "session.jsonl").touch()
    (folder / "session.json").unlink()
    assert "is not a recorded session: it has no session.json" in call("track", folder).refused(2)


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        ((), 2, "The source is missing"),
        (("--compare",), 2, "--compare takes two recorded sessions, or one, which is followed anew, not 0"),
        (("absent.mp4", "--rules", "hefei"), 2, "There is no 'absent.mp4'"),
        (("empty.avi",), 2, "The rules are missing"),
        (("empty.avi", "--rules", "chess"), 2, "--rules must be"),
        (("empty.avi", "--rules", "hefei", "--option", "x=1"), 2, "x"),
        (("empty.avi", "--rules", "hefei", "--profile", "none"), 2, "No profile 'none'"),
        (("empty.avi", "--rules", "hefei", "--set", "none"), 2, "No tile set 'none'"),
        (("empty.avi", "--rules", "hefei", "--dealer", 4), 2, "--dealer must be at most 3"),
        (("empty.avi", "--rules", "hefei", "--bottom", -1), 2, "--bottom must be at least 0"),
        (("empty.avi", "--rules", "hefei", "--corners", "1,2 3,4"), 2, "--corners must be four places"),
        (("empty.avi", "--rules", "hefei", "--corners", "a b c d"), 2, "--corners must be four places"),
        (("empty.avi", "--rules", "hefei", "--corners", "1,9 1,1 9,1 9,9"), 2, "not those of a table"),
        (
            ("empty.avi", "--rules", "hefei", "--corners", "463,985 1406,1037 1457,95 515,43"),
            2,
            "The corner 463,985 is not in the picture, which is 640x360 px",
        ),
        (("empty.avi", "--rules", "hefei", "--game", "a/b"), 2, "cannot be the name of a game"),
        (("empty.avi", "--rules", "hefei", "--again"), 2, "--again is for recorded sessions"),
        (("empty.avi", "empty.avi", "--rules", "hefei"), 2, "Give one SOURCE"),
        (("--compare", "empty.avi"), 2, "is not a recorded session"),
        (("--compare", "a", "b", "c"), 2, "--compare takes two recorded sessions"),
        (("--pack", "x.zip", "empty.avi"), 2, "is not a recorded session"),
        (("/dev/video77", "--rules", "hefei"), 3, "No camera '/dev/video77', and no other one is connected"),
    ],
)
def test_wrong_input_gets_one_sentence(
    call: Call, video: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[object, ...], status: int,
    said: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(video.parent)
    assert said in call("track", *options).refused(status)
    assert sorted(path.name for path in video.parent.iterdir()) == ["empty.avi"]


def test_a_stream_that_cannot_be_opened_gets_one_sentence(companion: Call) -> None:
    said = companion("track", "http://ann:secret@127.0.0.1:9/", "--rules", "hefei").refused(3)
    assert "The stream http://127.0.0.1:9/ cannot be opened" in said


def test_options_of_a_session_cannot_be_changed(call: Call, session: Path) -> None:
    for flags in (
        ("--rules", "hebei"), ("--dealer", 1), ("--bottom", 2), ("--option", "allow_chow=true"),
        ("--stakes", "unit=5"),
    ):  # fmt: skip
        said = call("track", session, *flags).refused(2)
        assert f"{flags[0]} differs from what the recorded session" in said
    same = ("--rules", "hefei", "--dealer", 0, "--stakes", "unit=20")
    assert lines_of(call("track", session, *same, "--json"))


def test_a_game_is_not_followed_by_other_rules(call: Call, video: Path) -> None:
    call("games", "begin", "friday", "--rules", "hebei")
    assert "is played by the rules of hebei" in call(
        "track", video, "--rules", "hefei", "--game", "friday"
    ).refused(2)
    assert "seat 0 deals" in call("track", video, "--game", "friday", "--dealer", 2).refused(2)
    kept = call("track", video, "--game", "friday", "--stakes", "unit=5").refused(2)
    assert "leave --option, --profile and --stakes out" in kept
    wrong = call("track", video, "--rules", "hebei", "--stakes", "base=5").refused(2)
    assert "--stakes base must be 0 or left out" in wrong


@pytest.mark.slow
def test_a_film_without_a_table_says_what_is_needed(call: Call, video: Path) -> None:
    told = call("track", video, "--rules", "hefei", "--json")
    assert (told.status, told.err.count("\n")) == (3, 1)
    lines = [json.loads(line) for line in told.out.splitlines()]
    tables = [line["table"] for line in lines if "table" in line]
    assert [(table["found"], "corners" in table) for table in tables] == [(False, False)]
    assert "--corners" in tables[0]["why"]
    lost = [line["lost"]["why"] for line in lines if "lost" in line]
    assert len(lost) == 1
    assert "table not found" in lost[0]
    assert sum("state" in line for line in lines) == 3
    run = call("track", video, "--rules", "hefei")
    assert (run.status, run.err.count("\n")) == (3, 1)
    assert "Nothing was followed: the table is not found" in run.err


@pytest.mark.slow
def test_a_table_that_is_not_sure_is_shown_and_asked_for(call: Call, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), draw_lived_in(np.random.default_rng((33, 32))).image)
    run = call("track", tmp_path, "--rules", "hefei", "--json")
    assert (run.status, run.err.count("\n")) == (3, 1)
    (table,) = (line["table"] for line in map(json.loads, run.out.splitlines()) if "table" in line)
    assert not table["found"]
    assert np.shape(table["corners"]) == (4, 2)
    assert "--corners" in table["why"]


def test_corners_may_lie_outside_the_picture(call: Call, video: Path) -> None:
    corners = [[-60.0, 330.0], [690.0, 350.0], [520.0, 20.0], [110.0, 15.0]]
    places = " ".join(f"{x},{y}" for x, y in corners)
    run = call("track", video, "--rules", "hefei", "--corners", places, "--json")
    assert "The picture cuts the table off" in run.err
    table = json.loads(run.out.splitlines()[0])["table"]
    assert (table["found"], table["p"]) == (True, 1.0)
    assert np.allclose(table["corners"], corners, atol=2)


@pytest.mark.slow
def test_a_film_is_followed_from_its_pictures(call: Call, tmp_path: Path) -> None:
    """Another seat sits at the lower edge than in the film: all seats are that much farther round."""
    bottom = 1
    hand = film(first_hand("hefei", 1), 1, pace=2.0)
    truth = decode_truth(hand.truth)
    corners = " ".join(f"{x},{y}" for x, y in truth.header["camera"]["corners"])
    video = write_part(hand, tmp_path / "film.mp4", 4.5, 10.5)
    options = ("--corners", corners, "--bottom", bottom, "--dealer", bottom, "--json")
    lines = lines_of(call("track", video, "--rules", "hefei", *options))
    table = next(line["table"] for line in lines if "table" in line)
    assert (table["found"], table["p"]) == (True, 1.0)
    assert np.abs(np.array(table["corners"]) - truth.header["camera"]["corners"]).max() < 2
    assert 10 < table["tile_px"] < 90
    assert not (data_dir() / "cameras.json").exists(), "that of a recording is not"
    events = [each for each in events_of(lines) if not isinstance(each, Drawn)]
    early = [event for t, _, event in truth.events if t < 8.7 and isinstance(event, Discarded)]
    assert len(early) > 1
    turned = [((each.seat + bottom) % 4, each.tile) for each in early]
    assert [(e.seat, e.tile) for e in events if isinstance(e, Discarded)][: len(turned)] == turned


@pytest.mark.slow
def test_a_stream_is_followed_lost_and_found_until_ctrl_c() -> None:
    hand = film(first_hand("hefei", 1), 1, pace=2.0)
    corners = " ".join(f"{x},{y}" for x, y in decode_truth(hand.truth).header["camera"]["corners"])
    camera = StreamedPictures(hand.filming.draw(7.0))
    options = ("--rules", "hefei", "--corners", corners, "--json")
    with running("track", camera.url.replace("://", "://ann:secret@"), *options) as command:
        command.until('"state"')
        camera.stop()
        lost = command.until('"lost"')[-1]
        assert f"The stream {camera.url} sends no more pictures." in lost
        again = StreamedPictures(camera.picture, camera.port)
        command.until('"found"')
        out, err = command.end()
        again.stop()
    assert "secret" not in lost + out + err
    kept = (data_dir() / "cameras.json").read_text()
    assert list(json.loads(kept)["cameras"]) == [camera.url], "the place of a live camera is kept"
    assert err == ""


def test_a_film_to_give_away_needs_a_folder(call: Any, tmp_path: Path) -> None:
    sentence = "--contribute is for a new recording of a film or camera: name its folder with --record."
    assert sentence in call("track", tmp_path, "--rules", "hefei", "--contribute").refused(2)
