"""Follows one source into a running game, from its first picture to its last: lines as they are noticed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.cameras.frames import Frame
from companion.cameras.sources import PictureSource
from companion.live.follower import Follows
from companion.live.noticed import EventNoticed, Noticed, StateShown
from companion.live.table_watch import TableWatch
from companion.live.teaching import teach
from companion.seeing.sights import Sight
from companion.table.state import State

if TYPE_CHECKING:
    from companion.live.session.recorder import SessionRecorder

STATE_EVERY_S = 1.0


class StateLines:
    """Adds how the game stands: after every event, and once a second."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._shown_s: float | None = None

    def add(self, t: float, noticed: list[Noticed]) -> Iterator[Noticed]:
        """What was noticed at `t`, with the state where it is due."""
        for each in noticed:
            yield each
            if isinstance(each, EventNoticed):
                self._state = each.state
                self._shown_s = t
                yield StateShown(each.t, each.state)
        if self._shown_s is None or t - self._shown_s >= STATE_EVERY_S:
            self._shown_s = t
            yield StateShown(t, self._state)


def follow_source(
    source: PictureSource,
    watch: TableWatch,
    follower: Follows,
    state: State,
    recorder: SessionRecorder | None = None,
) -> Iterator[Noticed]:
    """What is noticed, to the end of a recording; without end where the source is live. state: of the game
    before."""
    lines, t_ns = StateLines(state), 0
    watch.look_ahead(source.read_ahead())
    for look in source.read_frames():
        t_ns, t = look.t_ns, look.t_ns / 1e9
        broken = None if isinstance(look, Frame) else look.why
        sight = watch.look(look.image, t) if isinstance(look, Frame) else Sight(t, trouble=str(broken))
        if recorder is not None:
            recorder.take_camera(t, watch.camera)
            if isinstance(look, Frame):
                recorder.take_frame(t, look.image)
            sight = sight and recorder.take_sight(sight)
        yield from lines.add(t, follower.follow(sight, t_ns, broken) if sight else [])
        teach(watch, follower)
    yield from lines.add(t_ns / 1e9, follower.finish(t_ns / 1e9, t_ns))
