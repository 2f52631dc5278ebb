"""Follows a recorded session again: from its sights, or from its pictures as a newer program reads them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.errors import InputError
from companion.files import read_whole
from companion.images import Image
from companion.live.follower import Follows
from companion.live.game import RunningGame
from companion.live.noticed import Noticed
from companion.live.proposals import Proposal, Source, SourceKind
from companion.live.session.folder import FRAMES, read_lines
from companion.live.session.lines import Line, SightsDecoder
from companion.live.session.recorder import SessionRecorder
from companion.live.table_watch import TableWatch
from companion.live.teaching import teach
from companion.live.tracking_run import StateLines
from companion.sentences import msgid
from companion.table.state import State
from companion.vision.pictures import FRAME, decode_photo

NO_FRAME = msgid("The recorded session '{folder}' has no picture {frame} that can be read.")
NO_FRAMES = msgid("The recorded session '{folder}' has no pictures: it can be replayed from its sights only.")


def follow_session(
    folder: Path,
    game: RunningGame,
    follower: Follows,
    state: State,
    *,
    watch: TableWatch | None = None,
    recorder: SessionRecorder | None = None,
) -> Iterator[Noticed]:
    """What is noticed in the session. watch: reads its pictures anew, in place of its sights. What others
    than the camera reported then is reported again. state: of the game before."""
    lines, sights, t = StateLines(state), SightsDecoder(), 0.0
    image: Image | None = None
    for line in read_lines(folder):
        t = line.t
        if line.frame is not None and watch is not None:
            image = load_frame(folder, line.frame)
        if line.event is not None and line.source not in ("", SourceKind.CAMERA.value):
            report_again(game, line)
        if line.sight is None:
            continue
        sight = sights.decode(t, line.sight)
        if watch is not None and not sight.trouble:
            again = None if image is None else watch.look(image, t)
            if again is None:
                yield from lines.add(t, [])
                continue
            sight = again
        if recorder is not None:
            sight = recorder.take_sight(sight)
        yield from lines.add(t, follower.follow(sight, round(t * 1e9)))
        if watch is not None:
            teach(watch, follower)
    if watch is not None and image is None:
        raise InputError(NO_FRAMES, folder=folder)
    yield from lines.add(t, follower.finish(t, round(t * 1e9)))


def load_frame(folder: Path, name: str) -> Image:
    """A picture of the session. Raises InputError."""
    path = folder / name
    try:
        if path.parent != folder / FRAMES:
            raise FileNotFoundError
        return decode_photo(read_whole(path, FRAME.file_bytes), FRAME, name).pixels
    except (OSError, ValueError) as error:
        raise InputError(NO_FRAME, folder=folder, frame=name) from error


def report_again(game: RunningGame, line: Line) -> None:
    """Report again what another source reported then."""
    assert line.event is not None
    kind = line.source if line.source in set(SourceKind) else SourceKind.SCRIPT
    source = Source(SourceKind(kind), line.by, line.seat)
    game.propose(Proposal(line.event, round(line.t * 1e9), source, line.p)).result()
