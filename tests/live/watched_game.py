"""A game that a camera and others report, followed second by second, and tiles that the camera sees."""

from __future__ import annotations

from followed import WAIT_S

from companion.game.deciding import Verdict
from companion.game.proposals import Proposal, Source, SourceKind
from companion.live.follower import FOLLOWING, Follower
from companion.live.noticed import EventNoticed, Noticed
from companion.live.running import RunningGame
from companion.seeing.sights import Box, SeenTile, Sight
from companion.table.events import (
    Discarded,
    Event,
    GameStarted,
    HandStarted,
    apply_corrections,
)

CAMERA = Source(SourceKind.CAMERA, "above")
CUP = Source(SourceKind.DEVICE, "cup")
BUTTONS = Source(SourceKind.DEVICE, "buttons")
TOUCH = Source(SourceKind.TOUCH, seat=2)
START = GameStarted(rules="hebei")
ROLL = HandStarted(dealer=0, dice=(3, 4))
FIRST = Discarded(seat=0, tile="9m")


def see(track: int, code: str, seat: int, since: float, p: float = 0.998) -> SeenTile:
    """A tile in the river of a seat."""
    x, y = ((0, -90), (90, 0), (0, 90), (-90, 0))[seat]
    readings = ((code, p), ("6m", 1 - p)) if p < 0.99 else ((code, p),)
    return SeenTile(track, x, y, seat * 1.571, readings, still_since_s=since)


class Table:
    """A game that is followed, second by second."""

    def __init__(self) -> None:
        self.t = 0.0
        self.game = RunningGame(policy=FOLLOWING, clock=lambda: round(self.t * 1e9))
        self.game.play(START).result(WAIT_S)
        self.follower = Follower(self.game, CAMERA)
        self.noticed: list[Noticed] = []

    def watch(self, tiles: list[SeenTile], seconds: float, *covered: Box) -> list[Noticed]:
        """The same tiles for so long, seen twice a second."""
        noticed: list[Noticed] = []
        for _ in range(round(seconds * 2)):
            self.t += 0.5
            sight = Sight(self.t, tuple(tiles), covered)
            noticed += self.follower.follow(sight, round(self.t * 1e9))
        self.noticed += noticed
        return noticed

    def report(self, source: Source, *events: Event, ago: float = 0.0) -> list[Verdict]:
        """Another source reports these."""
        t_ns = round((self.t - ago) * 1e9)
        asked = [self.game.propose(Proposal(event, t_ns, source)) for event in events]
        return [each.result(WAIT_S).verdict for each in asked]

    @property
    def log(self) -> tuple[Event, ...]:
        return self.game.transact(lambda transaction: transaction.get_progress().events).result(WAIT_S)

    @property
    def played(self) -> list[Event]:
        """What happened after the beginning, all told."""
        return apply_corrections(self.log)[1:]


def events(noticed: list[Noticed]) -> list[Event]:
    return [each.event for each in noticed if isinstance(each, EventNoticed)]
