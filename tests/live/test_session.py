"""Recorded sessions: what is kept, how it is replayed, and that no hand is in it."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from followed import WAIT_S

from companion.errors import InputError
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.images import Image
from companion.live.follower import FOLLOWING, Follower
from companion.live.noticed import EventNoticed, Noticed
from companion.live.running import RunningGame
from companion.live.session.lines import (
    FRAMES,
    Header,
    SightsDecoder,
    SightsEncoder,
    is_session,
    make_id,
    read_header,
    read_lines,
    round_sight,
)
from companion.live.session.playing import follow_session
from companion.live.session.recorder import MOVING_EVERY_S, SessionRecorder
from companion.live.table_watch import TableWatch
from companion.seeing.outlines import TileSize
from companion.seeing.sights import USUAL_WALL_MM, Box, Roll, SeenTile, Sight
from companion.seeing.table_camera import TableCamera
from companion.table.events import Dealt, Discarded, Event, GameStarted, HandStarted

START = GameStarted(rules="hebei")
CAMERA = Reporter(SourceKind.CAMERA, "above")
TOUCH = Reporter(SourceKind.TOUCH, seat=1)
CORNERS = np.array([[20.0, 220.0], [220.0, 220.0], [220.0, 20.0], [20.0, 20.0]])


def tile(track: int, code: str, standing: bool = False) -> SeenTile:
    return SeenTile(track, 10.04 * track, -90.26, 0.1234, ((code, 0.99876), ("?", 0.001)), standing, 1.23456)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "session"


@pytest.fixture
def game() -> Iterator[RunningGame]:
    game = RunningGame(policy=FOLLOWING)
    game.play(START).result(WAIT_S)
    yield game
    game.close()


def begin(folder: Path, **options: object) -> SessionRecorder:
    return SessionRecorder(folder, Header(id=make_id(), log=(START,), source="above"), **options)  # type: ignore[arg-type]


def cover(image: Image) -> Image:
    """Paints over the lower edge of the picture."""
    painted = image.copy()
    painted[200:] = 0
    return painted


def events(noticed: list[Noticed]) -> list[Event]:
    return [each.event for each in noticed if isinstance(each, EventNoticed)]


def test_sights_are_read_back_as_they_were_kept() -> None:
    sights = [
        Sight(0.5, (tile(1, "1m"), tile(2, "2m")), (Box(0.11, 0, 1, 1),)),
        Sight(1.0, (tile(1, "1m"), tile(3, "back"))),
        Sight(1.5, trouble="the camera is covered"),
        Sight(2.0, (tile(3, "back"), tile(1, "1m")), dice=Roll((3, 4), 1.5, 0.99), tile_mm=32.04),
        Sight(2.5, wall_backs=68, wall_mm=220.5),
    ]
    encoder, decoder = SightsEncoder(), SightsDecoder()
    for sight in map(round_sight, sights):
        read = decoder.decode(sight.t, encoder.encode(sight))
        assert sorted(read.tiles, key=lambda each: each.track) == sorted(
            sight.tiles, key=lambda each: each.track
        )
        assert (read.covered, read.dice, read.trouble) == (sight.covered, sight.dice, sight.trouble)
        assert (read.tile_mm, read.wall_backs, read.wall_mm) == (
            sight.tile_mm,
            sight.wall_backs,
            sight.wall_mm,
        )


def test_no_face_of_a_standing_tile_is_kept(folder: Path) -> None:
    recorder = begin(folder)
    recorder.record_sight(Sight(1.0, (tile(1, "7z", standing=True), tile(2, "1m"))))
    recorder.close()
    assert b"7z" not in (folder / "session.jsonl").read_bytes()
    assert b"1m" in (folder / "session.jsonl").read_bytes()


def test_without_a_way_to_hide_hands_no_picture_is_kept(folder: Path) -> None:
    recorder = begin(folder)
    for t in range(10):
        recorder.record_frame(float(t), np.full((240, 240, 3), 20 * t, np.uint8))
    recorder.close()
    assert not (folder / FRAMES).exists()


def test_pictures_are_kept_where_something_has_changed_and_is_still_again(folder: Path) -> None:
    recorder = begin(folder, paint=cover)
    image = np.full((240, 240, 3), 90, np.uint8)
    noise = np.random.default_rng(1)
    for at in range(60):
        if at == 30:
            image[100:140, 100:130] = 230
        grain = noise.integers(-3, 4, image.shape)
        recorder.record_frame(at / 10, np.clip(image + grain, 0, 255).astype(np.uint8))
    recorder.close()
    kept = [(line.t, line.frame) for line in read_lines(folder)]
    assert kept == [(0.0, "frames/000001.jpg"), (3.1, "frames/000002.jpg")]
    last = cv2.imread(str(folder / FRAMES / "000002.jpg"))
    assert last is not None
    assert last[120, 115].min() > 200
    assert last[210:].max() < 20


def test_while_all_moves_a_picture_is_kept_now_and_then(folder: Path) -> None:
    recorder = begin(folder, paint=cover)
    for at in range(60):
        image = np.full((240, 240, 3), 90, np.uint8)
        image[:, 3 * at : 3 * at + 40] = 220
        recorder.record_frame(at / 8, image)
    recorder.close()
    began = 1 / 8
    assert [line.t for line in read_lines(folder)] == [0.0, *(began + n * MOVING_EVERY_S for n in (1, 2, 3))]


def test_a_full_disk_ends_the_recording_and_not_the_game(folder: Path) -> None:
    recorder = begin(folder)
    recorder.record_sight(Sight(1.0))

    class Full:
        def write(self, _: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self) -> None: ...

    recorder._file = Full()  # type: ignore[assignment]
    for t in (2.0, 3.0):
        assert recorder.record_sight(Sight(t)) == Sight(t)
    assert str(recorder.trouble) == (
        "The session is no longer recorded (No space left on device); the game continues."
    )


def test_a_folder_with_something_in_it_is_left_alone(folder: Path) -> None:
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="is there already"):
        begin(folder)
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    assert not is_session(folder)


def test_times_that_jump_are_straightened(folder: Path) -> None:
    recorder = begin(folder)
    for t in (1.0, 2.0, 1.5, 2.5, 1e9, 1e9 + 1):
        recorder.record_sight(Sight(t))
    recorder.close()
    assert [line.t for line in read_lines(folder)] == [1.0, 2.0, 2.0, 3.0, 3.0, 4.0]


def record_touches(folder: Path, game: RunningGame) -> list[Noticed]:
    """A session in which a person enters the beginning, and the camera sees the second discard."""
    follower, recorder = Follower(game, CAMERA), begin(folder)
    noticed: list[Noticed] = []
    tiles = [SeenTile(1, 0, -90, 0, (("9m", 0.998),), still_since_s=0.5)]
    for step in range(40):
        t = step / 2
        if step == 2:
            for event in (HandStarted(dealer=0, dice=(1, 2)), Dealt()):
                game.propose(Proposal(event, round(t * 1e9), TOUCH)).result(WAIT_S)
        if step == 20:
            tiles.append(SeenTile(2, 90, 0, 1.57, (("1s", 0.998),), still_since_s=t))
        sight = recorder.record_sight(Sight(t, tuple(tiles) if step > 6 else ()))
        for each in follower.follow(sight, round(t * 1e9)):
            recorder.record_notice(each)
            noticed.append(each)
    recorder.close()
    return noticed


def test_replay_repeats_the_reports_of_others(folder: Path, game: RunningGame) -> None:
    noticed = record_touches(folder, game)
    assert Discarded(seat=1, tile="1s") in events(noticed)
    game.play(read_header(folder).log[0]).result(WAIT_S)  # type: ignore[arg-type]
    state = game.transact(lambda transaction: transaction.get_progress().state).result(WAIT_S)
    again = list(follow_session(folder, game, Follower(game, CAMERA), state))
    assert events(again) == events(noticed)
    shown = [each for each in again if isinstance(each, EventNoticed)]
    assert [each.source.kind for each in shown[:2]] == [SourceKind.TOUCH] * 2


class Reads:
    """A newer program: reads another tile in the pictures than was sighted."""

    def __init__(self, camera: TableCamera, tile_size: TileSize) -> None:
        self.camera = camera
        self.tile_size = TileSize(measured=True)
        self.knows_place = True

    def look(self, image: Image, t: float) -> Sight | None:
        seen = image[120, 115].min() > 200
        lying = (SeenTile(1, 0, -90, 0, (("8p", 0.998),), still_since_s=1.5),) if seen else ()
        return Sight(t, lying, wall_mm=USUAL_WALL_MM)


def test_pictures_are_read_again_by_newer_code(folder: Path, game: RunningGame) -> None:
    recorder = begin(folder, paint=cover)
    image = np.full((240, 240, 3), 90, np.uint8)
    for step in range(16):
        if step == 3:
            image[100:140, 100:130] = 230
        recorder.record_frame(step / 2, image)
        recorder.record_sight(Sight(step / 2))
    recorder.close()
    state = game.transact(lambda transaction: transaction.get_progress().state).result(WAIT_S)
    assert events(list(follow_session(folder, game, Follower(game, CAMERA), state))) == []
    watch = TableWatch(lambda: lambda image: None, Reads, corners=CORNERS)
    noticed = list(follow_session(folder, game, Follower(game, CAMERA), state, watch=watch))
    assert events(noticed) == [HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="8p")]


def test_without_pictures_there_is_nothing_to_read_again(folder: Path, game: RunningGame) -> None:
    record_touches(folder, game)
    state = game.transact(lambda transaction: transaction.get_progress().state).result(WAIT_S)
    watch = TableWatch(lambda: lambda image: None, Reads, corners=CORNERS)
    with pytest.raises(InputError, match="has no pictures"):
        list(follow_session(folder, game, Follower(game, CAMERA), state, watch=watch))


@pytest.mark.parametrize("name", ["frames/absent.jpg", "../../etc/passwd", "frames/text.jpg"])
def test_a_picture_that_is_not_there_gets_one_sentence(folder: Path, game: RunningGame, name: str) -> None:
    begin(folder, paint=cover).close()
    (folder / FRAMES / "text.jpg").write_text("this is no picture")
    (folder / "session.jsonl").write_text(f'{{"t":1.0,"frame":"{name}"}}\n')
    state = game.transact(lambda transaction: transaction.get_progress().state).result(WAIT_S)
    watch = TableWatch(lambda: lambda image: None, Reads, corners=CORNERS)
    with pytest.raises(InputError, match="has no picture"):
        list(follow_session(folder, game, Follower(game, CAMERA), state, watch=watch))
