"""Following a game with one camera, as the window shows it. No Kivy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.app.feature import (
    BarButton,
    ComeToFront,
    Covered,
    Effect,
    FeatureState,
    GameAtTable,
    Keep,
    Leave,
    News,
    Say,
    Tabs,
)
from companion.app.game.followed import Entry, Followed
from companion.cameras.connected import FILE_PREFIX
from companion.quads import Point
from companion.rules.win import OptionValue
from companion.running.live_following import LiveFollowing
from companion.sentences import Sentence
from companion.table.events import Event
from companion.tracking.pose_advice import PoseAdvice

WORDS_FROM = 1100
"""In a window narrower than this the button is an icon."""
CORNERS = SEATS = 4


class Pane(StrEnum):
    """The parts of the page, of which a small window shows one."""

    PICTURE = "picture"
    PLAYERS = "players"
    EVENTS = "events"


PANES = (
    (Pane.PICTURE, Sentence("Live")),
    (Pane.PLAYERS, Sentence("Table")),
    (Pane.EVENTS, Sentence("Events")),
)


@dataclass(frozen=True, slots=True)
class Plan:
    """The game to be followed. rules: a rule set's name; options: house options that are not its own;
    bottom: who sits at the lower edge of the picture; camera: the first there is where it is None; name: of
    the kept game that was followed last, and can be gone on with."""

    rules: str
    options: tuple[tuple[str, OptionValue], ...] = ()
    dealer: int = 0
    bottom: int = 0
    camera: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class KeptFollowing:
    """What the window keeps of a game that it follows: the name under which the game is kept, and who sits at
    the lower edge of the camera's picture."""

    name: str | None = None
    bottom: int = 0

    @property
    def is_sound(self) -> bool:
        """Whether it can have come from the window."""
        return 0 <= self.bottom < SEATS

    def restore(self, plan: Plan) -> Plan:
        """The plan, with what was kept."""
        return replace(plan, name=self.name, bottom=self.bottom)


@dataclass(frozen=True, slots=True)
class BeginGame(Effect):
    """Begin a game, keep it, and follow it."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class OpenGame(Effect):
    """Go on with the kept game of that name, and follow it."""

    plan: Plan
    name: str


@dataclass(frozen=True, slots=True)
class LeaveGame(Effect):
    """Close the game."""


@dataclass(frozen=True, slots=True)
class EndHand(Effect):
    """The hand that the game is in the middle of does not count."""


@dataclass(frozen=True, slots=True)
class TrustTiles(Effect):
    """The rules are right, and so are the tiles that lie there."""


@dataclass(frozen=True, slots=True)
class GoOn(Effect):
    """Follow on with the game that was begun."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class Pause(Effect):
    """Let the camera go; the game stays."""


@dataclass(frozen=True, slots=True)
class Correct(Effect):
    """Event `number` of the game was `right`, or did not happen."""

    number: int
    right: Event | None


@dataclass(frozen=True, slots=True)
class PlaceTable(Effect):
    """The table's corners are there, in px of the picture from the lower left one counterclockwise; without
    them it is looked for anew."""

    corners: tuple[Point, ...] | None


@dataclass(frozen=True, slots=True)
class BeginHere(Effect):
    """What lies on the table is taken as it is."""


@dataclass(frozen=True, slots=True)
class FollowGame(FeatureState):
    """plan: what is followed, or would be. following, followed: the game that is open, None before; runs:
    whether the camera is at work; ended: whether it was a recording that has been followed to its end, and
    what it showed is still looked at; camera: the one that was followed last; name_before: of the kept game
    that was followed before a recording was; found: whether the table is in the picture, None before that is
    known; pose: how well the camera stands over it.

    selected: the number of the event that a person puts right. corners: those of the table that a person has
    touched, None while nobody touches any.
    """

    plan: Plan
    wanted: str | None = None
    following: LiveFollowing | None = None
    followed: Followed | None = None
    runs: bool = False
    ended: bool = False
    camera: str | None = None
    name_before: str | None = None
    found: bool | None = None
    pose: PoseAdvice | None = None
    pane: Pane = Pane.PICTURE
    selected: int | None = None
    corners: tuple[Point, ...] | None = None

    @property
    def page(self) -> str:
        return "game"

    @property
    def title(self) -> Sentence:
        return Sentence("Follow a game")

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        return (
            BarButton(
                "game", Sentence("Follow"), "follow", 100, FollowGame.enter, chosen=self.runs,
                words_from=WORDS_FROM, in_front=True,
            ),
        )  # fmt: skip

    @property
    def tabs(self) -> Tabs | None:
        if not self.shows_table:
            return None
        offers = tuple((pane.value, name) for pane, name in PANES)
        return Tabs(offers, self.pane.value, lambda key: lambda state: state.show_pane(Pane(key)))

    @property
    def shows_table(self) -> bool:
        """Whether the page shows the table, and not what is to be followed."""
        return self.runs or self.ended

    @property
    def is_settled(self) -> bool:
        return not self.runs or (self.following is not None and self.following.picture is not None)

    @property
    def entry(self) -> Entry | None:
        """The event that a person puts right."""
        return self.followed.find(self.selected) if self.followed else None

    def enter(self) -> FollowGame:
        return self.also(ComeToFront())

    def show_pane(self, pane: Pane) -> FollowGame:
        return replace(self, pane=pane)

    # What is to be followed.

    def with_rules(self, rules: str) -> FollowGame:
        """Another game, played by its own rules."""
        if rules == self.plan.rules:
            return self
        return replace(self, plan=replace(self.plan, rules=rules, options=()))

    def with_camera(self, camera: str) -> FollowGame:
        return replace(self, plan=replace(self.plan, camera=camera))

    def with_dealer(self, seat: int) -> FollowGame:
        return replace(self, plan=replace(self.plan, dealer=seat))

    def with_bottom(self, seat: int) -> FollowGame:
        return replace(self, plan=replace(self.plan, bottom=seat))

    # Following.

    @property
    def may_go_on(self) -> bool:
        """Whether there is a game to go on with."""
        return self.following is not None or self.plan.name is not None

    def follow(self) -> FollowGame:
        """Begin a game, and follow it."""
        return self if self.busy else self.also(Say(None), BeginGame(self.plan))

    def go_on(self) -> FollowGame:
        """Follow the game that is open, or was before the window was closed. Another camera than before is
        followed anew: it stands elsewhere."""
        if self.busy:
            return self
        is_same = self.following is not None and self.plan.camera in (None, self.camera)
        if is_same or self.plan.name is None:
            return self.also(Say(None), GoOn(self.plan))
        return self.also(Say(None), OpenGame(self.plan, self.plan.name))

    def know(self, followed: Followed) -> FollowGame:
        """A game is open, and this is known of it."""
        return replace(self, followed=followed, following=None, selected=None)

    def begin(self, following: LiveFollowing, name: str, camera: str) -> FollowGame:
        """The game of that name is open, and this follows it with that camera."""
        plan = replace(self.plan, name=name, camera=camera)
        was_film = self.camera is not None and self.camera.startswith(FILE_PREFIX)
        begun = replace(
            self, plan=plan, following=following, busy=None, ended=False, found=None, selected=None,
            corners=None, pane=Pane.PICTURE, camera=camera,
            name_before=self.name_before if was_film else self.plan.name,
        )  # fmt: skip
        return begun.also(Keep(), GoOn(plan))

    def run(self) -> FollowGame:
        """The camera is at work."""
        return replace(self, runs=True, found=None).also(ComeToFront())

    def stop(self) -> FollowGame:
        """Let the camera go. The game stays, and can be gone on with."""
        if not self.runs:
            return self
        return replace(self, runs=False, selected=None, corners=None).also(Pause())

    def end(self) -> FollowGame:
        """The recording is at its end: what it showed stays to be looked at."""
        over = Sentence(
            "The film has been followed to its end, and the game is kept as {name}. What it showed stays here"
            " until you go back.",
            {"name": self.plan.name or ""},
        )
        return replace(self, runs=False, ended=True, corners=None).also(Say(over, trouble=False))

    def lose_camera(self, why: Sentence) -> FollowGame:
        return self.stop().also(Say(why))

    def see(self, change: Callable[[Followed], Followed]) -> FollowGame:
        """More is known of the game."""
        if self.followed is None:
            return self
        followed = change(self.followed)
        known = followed.find(self.selected) is not None
        return replace(self, followed=followed, selected=self.selected if known else None)

    def find_table(self, pose: PoseAdvice | None) -> FollowGame:
        """The table is in the picture of a camera that stands so; or it is not."""
        return replace(self, found=pose is not None, pose=pose)

    # What a person puts right.

    def select(self, number: int | None) -> FollowGame:
        """Look at an event, which may be wrong; with None at none."""
        return replace(self, selected=number)

    def name_tile(self, number: int, code: str) -> FollowGame:
        """That event was about this tile."""
        if self.followed is None:
            return self
        right = self.followed.name_tile(number, code)
        return replace(self, selected=None) if right is None else self._settle(number, right)

    def confirm(self, number: int) -> FollowGame:
        """That event is right."""
        entry = self.followed.find(number) if self.followed else None
        return replace(self, selected=None) if entry is None else self._settle(number, entry.event)

    def _settle(self, number: int, right: Event) -> FollowGame:
        """A person says what that event was: it goes into the game, unless that is known for certain."""
        entry = self.followed.find(number) if self.followed else None
        is_known = entry is not None and entry.certain and entry.event == right
        settled = replace(self.see(lambda followed: followed.settle(number)), selected=None)
        return settled if is_known else settled.also(Correct(number, right))

    def take_out(self, number: int) -> FollowGame:
        """That event did not happen."""
        return replace(self, selected=None).also(Correct(number, None))

    def begin_here(self) -> FollowGame:
        """What lies on the table is taken as it is."""
        return self.also(BeginHere())

    def end_hand(self) -> FollowGame:
        """The hand that the game is in the middle of does not count: another one lies on the table."""
        return self.also(EndHand())

    def trust_tiles(self) -> FollowGame:
        """The rules are right, and so are the tiles."""
        return self.see(lambda known: known.doubt(None)).also(TrustTiles())

    # Where the table is.

    def touch_corners(self) -> FollowGame:
        """The corners are touched next."""
        return replace(self, corners=(), selected=None, pane=Pane.PICTURE)

    def leave_corners(self) -> FollowGame:
        return replace(self, corners=None)

    def take_back_corner(self) -> FollowGame:
        """The corner that was touched last is touched anew."""
        return replace(self, corners=self.corners[:-1]) if self.corners else self

    def touch_corner(self, place: Point) -> FollowGame:
        """The next corner is there."""
        if self.corners is None:
            return self
        corners = (*self.corners, place)
        if len(corners) < CORNERS:
            return replace(self, corners=corners)
        return replace(self, corners=None).also(PlaceTable(corners))

    def look_again(self) -> FollowGame:
        """Look for the table anew."""
        return self.also(PlaceTable(None))

    def step_back(self) -> FollowGame:
        if self.corners is not None:
            return self.leave_corners()
        if self.selected is not None:
            return self.select(None)
        if self.ended:
            plan = replace(self.plan, name=self.name_before)
            left = replace(self, plan=plan, ended=False, following=None, followed=None, camera=None)
            return left.also(Say(None), LeaveGame(), Keep(), Leave())
        return self.stop().also(Leave())

    def hear(self, news: News) -> FollowGame:
        match news:
            case GameAtTable(rules, options, dealer):
                if self.following is None:
                    plan = replace(self.plan, rules=rules, options=options, dealer=dealer)
                    return replace(self, plan=plan)
            case Covered():
                return self.stop()
        return self
