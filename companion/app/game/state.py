"""The table of the running game, as the window shows it: what people enter by touch, and the three ways of
recording. No Kivy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Self

from companion.app.effects import AskQuestion, ComeToFront, GoBack, Keep, SendNews, ShowMessage
from companion.app.feature import BarButton, FeatureState, Room
from companion.app.game.effects import (
    NO_STEPS,
    AcceptTable,
    BeginGame,
    ContinueFollowing,
    Correct,
    EndHand,
    EnterEvents,
    FollowWith,
    OfferFilm,
    OpenFilm,
    OpenGame,
    PauseFollowing,
    PlaceTable,
    Plan,
    RedoEvents,
    Steps,
    TrustTiles,
    UndoEvents,
)
from companion.app.game.films import (
    READ_NO_FURTHER,
    Film,
    FilmPlace,
    Places,
    find_place,
    move_place,
    put_place,
)
from companion.app.game.followed import Entry, Followed
from companion.app.news import (
    CameraChosen,
    CornersWanted,
    FairGameSet,
    FilmChosen,
    FilmWanted,
    FollowingPaused,
    GameAtTable,
    GamePicked,
    HandEndWanted,
    KeptGameWanted,
    NewGameWanted,
    News,
    NextGameWanted,
    PracticeTableWanted,
    SheetWanted,
    TableRulesCancelled,
    TableRulesChosen,
    TableWanted,
    WinEntryWanted,
)
from companion.app.text import list_people
from companion.cameras.connected import FILE_PREFIX
from companion.cameras.phone import PHONE
from companion.game.deciding import Progress
from companion.images import Point
from companion.rules import RULE_SETS
from companion.sentences import Sentence
from companion.table.events import Dealt, Event, GameStarted, HandStarted
from companion.table.state import Phase, State

if TYPE_CHECKING:
    from companion.live.live_following import LiveFollowing
    from companion.seeing.table_camera import PoseAdvice


class Side(StrEnum):
    """What is shown next to the table."""

    KEYS = "keys"
    EVENTS = "events"
    CAMERA = "camera"


ASKER = "game"
"""Name of this page in requests for the table's rules."""
CORNERS = 4
FIRST_A_GAME = Sentence("Start a game first, then point the camera at the table.")


@dataclass(frozen=True, slots=True)
class GameTable(FeatureState):
    """plan: the game and camera to follow. followed: the open game, None before; steps: what can be undone
    and redone in it. acting: whose side was touched; dice: those entered for the next roll; kong: whether a
    kong is being chosen; selected: the number of the event that a person corrects. wins_only: whether only
    the wins are recorded, not the tiles of a hand.

    shows_counts: whether the remaining tiles are counted next to the table; fair: whether fair game forbids
    that.

    following: what follows the game with a camera; runs: whether the camera is at work; ended: whether it was
    a recording that was followed to its end and is still shown; camera: the one that was followed last;
    awaits_phone: whether that is a phone that went away; film: the last one chosen in the place of a camera;
    found: whether the table is in the picture, None before that is known; pose: how well the camera stands
    over it. corners: those of the table that a person has touched, None while nobody touches any. large:
    whether the picture fills the page.
    paused: whether another page uses the camera, after which following continues by itself. opening: whether
    a person waits for a game to open. places: positions at which films were interrupted; unoffered: why the
    film followed into this game cannot be continued.
    """

    plan: Plan
    followed: Followed | None = None
    steps: Steps = NO_STEPS
    wins_only: bool = False
    side: Side = Side.KEYS
    acting: int | None = None
    dice: tuple[int, ...] = ()
    kong: bool = False
    selected: int | None = None
    shows_counts: bool = False
    fair: bool = False
    following: LiveFollowing | None = None
    runs: bool = False
    ended: bool = False
    camera: str | None = None
    awaits_phone: bool = False
    film: Film | None = None
    found: bool | None = None
    pose: PoseAdvice | None = None
    corners: tuple[Point, ...] | None = None
    large: bool = False
    paused: bool = False
    opening: bool = False
    places: Places = ()
    unoffered: Sentence | None = None

    @property
    def page(self) -> str:
        return "game"

    @property
    def title(self) -> Sentence:
        return Sentence("The table")

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        return (
            BarButton(
                "game", Sentence("Table"), "follow", 100, GameTable.enter, chosen=self.runs,
                in_front=True, fixed=True,
            ),
        )  # fmt: skip

    @property
    def room(self) -> Room | None:
        is_complete = self.corners is None and not self.large and not self.wins_only
        return Room.TABLE if self.shows_table and is_complete else None

    @property
    def is_watched(self) -> bool:
        """Whether a camera enters events too: then people undo only what they touched."""
        return self.runs

    @property
    def shows_table(self) -> bool:
        """Whether a game is open, whose table the page shows."""
        return self.followed is not None

    @property
    def is_ready_to_show(self) -> bool:
        return not self.runs or (self.following is not None and self.following.picture is not None)

    def enter(self) -> GameTable:
        """Show the table; that of a practice game has a page of its own."""
        return self.also(SendNews(PracticeTableWanted()) if self.is_practice else ComeToFront())

    @property
    def is_practice(self) -> bool:
        """Whether the game that is open is a practice game."""
        return self.game is not None and self.game.house.practice is not None

    @property
    def entry(self) -> Entry | None:
        """The event that a person puts right."""
        return self.followed.find(self.selected) if self.followed else None

    @property
    def game(self) -> State | None:
        """How the game that is open stands."""
        return self.followed.state if self.followed else None

    @property
    def people(self) -> tuple[str, ...]:
        return list_people(self.game)

    def see(self, change: Callable[[Followed], Followed]) -> Self:
        """More is known of the game."""
        if self.followed is None:
            return self
        followed = change(self.followed)
        known = followed.find(self.selected) is not None
        return replace(self, followed=followed, selected=self.selected if known else None)

    def take_event(self, event: Event, certain: bool, progress: Progress) -> Self:
        """An event has come into the game's log, which ends with it now."""
        seen = self.see(lambda known: known.add_event(event, certain, progress))
        return replace(seen, steps=Steps.of(progress))._settle_touches()

    def offer_win(self, seat: int) -> Self:
        """The camera saw that player win: all four are to see what it pays."""
        said = Sentence("The camera saw {who} win.", {"who": self.people[seat]})
        return self.also(AskQuestion(said, Sentence("Show everyone"), SheetWanted(at_last_hand=True)))

    def move(self, progress: Progress) -> Self:
        """Events were taken back or brought back."""
        moved = self.see(lambda known: known.move(progress))
        return replace(moved, steps=Steps.of(progress))._settle_touches()

    def _settle_touches(self) -> Self:
        """What was being chosen for the state before is chosen no more."""
        return replace(self, acting=None, dice=(), kong=False)

    # Recording by touch.

    def touch_seat(self, seat: int) -> Self:
        """What that player does comes next; touched again, what the one does whose turn it is."""
        game = self.game
        if game is None or seat not in game.house.seats:
            return self
        return replace(
            self, acting=None if seat == self.acting else seat, kong=False, selected=None, side=Side.KEYS
        )

    def record(self, *events: Event) -> Self:
        """These happened."""
        return self.also(ShowMessage(None), EnterEvents(events))

    def touch_die(self, face: int) -> Self:
        """The next die shows that; the last one begins the hand."""
        game = self.game
        if game is None:
            return self
        dice = (*self.dice, face)
        if game.playing:  # the throw for the indicator, which is touched next
            return replace(self, dice=dice[-game.house.wall.indicator_dice :])
        if len(dice) < game.house.wall.dice[0]:
            return replace(self, dice=dice)
        return self.begin_hand(dice)

    def begin_hand(self, dice: tuple[int, ...] | None = None) -> Self:
        """The walls stand, everybody has the first tiles. dice: None if nobody saw them."""
        game = self.game
        if game is None:
            return self
        return replace(self, dice=()).record(HandStarted(dealer=game.deal.dealer, dice=dice), Dealt())

    def leave_seat(self) -> Self:
        """The player whose turn it is comes next."""
        return replace(self, acting=None)

    def choose_kong(self) -> Self:
        return replace(self, kong=not self.kong)

    @property
    def can_undo_event(self) -> bool:
        return self.steps.can_undo_own if self.is_watched else self.steps.can_undo

    @property
    def can_undo(self) -> bool:
        return self.shows_table and self.can_undo_event

    def undo(self) -> GameTable:
        return self.take_back()

    @property
    def can_redo_event(self) -> bool:
        return self.steps.can_redo_own if self.is_watched else self.steps.can_redo

    def take_back(self) -> Self:
        """What was entered last is taken back."""
        return self.also(ShowMessage(None), UndoEvents(own=self.is_watched))

    def bring_back(self) -> Self:
        """What was taken back last is entered again."""
        return self.also(ShowMessage(None), RedoEvents(own=self.is_watched))

    def call_win(self, seat: int | None = None) -> Self:
        """A player has called a win. What was not recorded of the hand is asked for on its page."""
        return self.also(ShowMessage(None), SendNews(WinEntryWanted(seat)))

    def end_otherwise(self) -> Self:
        """The hand ends without a win, or a penalty is due."""
        return self.also(ShowMessage(None), SendNews(HandEndWanted()))

    def show_sheet(self) -> Self:
        return self.also(SendNews(SheetWanted()))

    def settle_up(self) -> Self:
        """The game is over: who pays whom?"""
        return self.also(SendNews(SheetWanted(settles=True)))

    def begin_next(self) -> Self:
        """The game is over: another one is put together."""
        return self.also(SendNews(NextGameWanted()))

    # What a person puts right.

    def select(self, number: int | None) -> Self:
        """Look at an event, which may be wrong; with None at none."""
        return replace(self, selected=number)

    def name_tile(self, number: int, code: str) -> Self:
        """That event was about this tile."""
        if self.followed is None:
            return self
        right = self.followed.name_tile(number, code)
        return replace(self, selected=None) if right is None else self.confirm_event(number, right)

    def confirm(self, number: int) -> Self:
        """That event is right."""
        entry = self.followed.find(number) if self.followed else None
        return replace(self, selected=None) if entry is None else self.confirm_event(number, entry.event)

    def confirm_event(self, number: int, right: Event) -> Self:
        """A person says what that event was: it goes into the game, unless that is known for certain."""
        entry = self.followed.find(number) if self.followed else None
        is_known = entry is not None and entry.certain and entry.event == right
        settled = replace(self.see(lambda followed: followed.mark_certain(number)), selected=None)
        return settled if is_known else settled.also(Correct(number, right))

    def name_hand(self, number: int) -> Self:
        """The hand of that win was another one: the score sheet asks which."""
        return replace(self, selected=None).also(SendNews(SheetWanted(fixes=number)))

    def take_out(self, number: int) -> Self:
        """That event did not happen."""
        return replace(self, selected=None).also(Correct(number, None))

    # Which game is played.

    def pick_rules(self, rules: str) -> GameTable:
        """A person picks that game; by which table's rules it is played is asked elsewhere."""
        return self.also(SendNews(GamePicked(rules, ASKER)))

    def with_house(self, chosen: TableRulesChosen) -> GameTable:
        """The game of that table, by its rules and for its stakes."""
        plan = replace(
            self.plan,
            rules=chosen.rules,
            options=tuple(sorted(chosen.options.items())),
            stakes=chosen.stakes,
            currency=chosen.currency,
            cap=chosen.cap,
        )
        return replace(self, plan=plan).also(ComeToFront())

    def with_dealer(self, seat: int) -> GameTable:
        return replace(self, plan=replace(self.plan, dealer=seat))

    def begin_game(self) -> GameTable:
        """Begin the game of the plan."""
        return self.begin(make_start(self.plan))

    def begin(self, start: GameStarted) -> GameTable:
        """Begin that game, and show its table."""
        if self.busy:
            return self
        begun = self.also(ShowMessage(None), BeginGame(start))
        return begun.also(ComeToFront()) if start.practice is None else replace(begun, opening=True)

    def go_on(self, name: str | None = None) -> GameTable:
        """Play on the kept game of that name, or the one that was played last, and show its table."""
        name = name or self.plan.name
        if self.busy or name is None:
            return self
        opened = self.also(ShowMessage(None), OpenGame(name))
        if self.followed is not None and name == self.plan.name:
            return opened.enter()
        return replace(opened, opening=True).also(ComeToFront())

    def know(self, followed: Followed | None, name: str | None, steps: Steps = NO_STEPS) -> GameTable:
        """The kept game of that name is open, and this is known of it; or none is."""
        plan = self.plan if name is None else replace(self.plan, name=name)
        known = replace(
            self, plan=plan, followed=followed, steps=steps, following=None, runs=False, ended=False,
            selected=None, corners=None, side=Side.KEYS, large=False, opening=False, unoffered=None,
        )._settle_touches()  # fmt: skip
        unfinished = find_place(self.places, name) if self.opening else None
        if unfinished is not None:
            known = known.also(OfferFilm(unfinished))
        if self.opening and known.is_practice:
            known = known.also(GoBack()).enter()
        return known.also(Keep()) if plan != self.plan else known

    def record_wins_only(self, wins_only: bool) -> GameTable:
        """From now on only wins are recorded; or the tiles too."""
        return replace(self.stop(), wins_only=wins_only, side=Side.KEYS).also(Keep())

    def show_side(self, side: Side) -> GameTable:
        return replace(self, side=side, selected=None, large=False)

    @property
    def has_counts(self) -> bool:
        """Whether the tiles that are left are shown."""
        return self.shows_counts and not self.fair

    def show_counts(self, shows: bool) -> GameTable:
        """Whether the tiles that are left are counted next to the table."""
        return replace(self, shows_counts=shows).also(Keep())

    # Following with a camera.

    def with_camera(self, camera: str) -> GameTable:
        return replace(self, plan=replace(self.plan, camera=camera))

    def choose_film(self) -> GameTable:
        """Have a person choose a film from the disk."""
        return self.also(ShowMessage(None), SendNews(FilmWanted()))

    def open_film(self, path: Path) -> GameTable:
        """Look at that film, which is to be followed."""
        opening = self.stop().leave_film() if self.following else self
        return opening.work(Sentence("Opening the film …")).also(
            ShowMessage(None), ComeToFront(), OpenFilm(path)
        )

    def with_film(self, film: Film) -> GameTable:
        """That film can be followed, in the place of a camera."""
        chosen = replace(self.work(None), film=film, unoffered=None).with_camera(film.camera)
        if self.followed is None:
            begin = Sentence("{film} is chosen: start a game, then touch Follow.", {"film": film.name})
            return chosen.also(ShowMessage(begin, trouble=False))
        return chosen.show_side(Side.CAMERA)

    def offer_film(self, place: FilmPlace, film: Film | None, why: Sentence | None = None) -> GameTable:
        """That film was broken off at that place of this game, and can be followed on; or not, and why. A
        camera that was asked for stays chosen."""
        if place.game != self.plan.name or self.following is not None or self.followed is None:
            return self
        if film is None:
            return replace(self, unoffered=why)
        offered = replace(self, film=film)
        other = self.plan.camera is not None and not self.plan.camera.startswith(FILE_PREFIX)
        return offered if other else offered.with_camera(film.camera)

    @property
    def unfinished(self) -> FilmPlace | None:
        """How far the chosen film was followed into this game, where it was broken off."""
        if self.film is None or self.followed is None:
            return None
        return find_place(self.places, self.plan.name, path=str(self.film.path))

    @property
    def follows_film(self) -> bool:
        """Whether a film is followed."""
        return self.film is not None and self.camera == self.film.camera

    def with_bottom(self, seat: int) -> GameTable:
        return replace(self, plan=replace(self.plan, bottom=seat)).also(Keep())

    def follow(self) -> GameTable:
        """Follow the open game with the camera of the plan. Another camera starts over: it is in another
        place."""
        if self.busy or self.followed is None:
            return self
        is_same = self.following is not None and self.plan.camera in (None, self.camera)
        return self.also(
            ShowMessage(None), ContinueFollowing(self.plan) if is_same else FollowWith(self.plan, self.places)
        )

    def begin_following(
        self,
        following: LiveFollowing,
        camera: str,
        film: Film | None = None,
        place: FilmPlace | None = None,
    ) -> GameTable:
        """This follows the open game with that camera, or that film from that place on."""
        plan = replace(self.plan, camera=camera)
        begun = replace(
            self, plan=plan, following=following, busy=None, ended=False, found=None, selected=None,
            corners=None, camera=camera, film=film or self.film, unoffered=None,
            places=put_place(self.places, place) if place else self.places,
        )  # fmt: skip
        fresh = begun.see(lambda known: known.lose(None).doubt(None))
        return fresh.also(Keep(), ContinueFollowing(plan))

    def run(self) -> GameTable:
        """The camera is at work."""
        return replace(self, runs=True, found=None, side=Side.CAMERA, awaits_phone=False)

    def meet_phone(self) -> GameTable:
        """A phone shows the page's camera: if its pictures had ended, they are followed on."""
        if not self.awaits_phone or self.runs or self.busy or self.followed is None:
            return self
        plan = replace(self.plan, camera=self.camera)
        return replace(self, awaits_phone=False).also(ShowMessage(None), ContinueFollowing(plan))

    def note_place(self) -> GameTable:
        """An event was entered: a followed film continues from here."""
        if not (self.runs and self.follows_film and self.following is not None):
            return self
        return replace(self, places=move_place(self.places, self.following.place_s)).also(Keep())

    def stop(self) -> GameTable:
        """Let the camera go. The game stays, and can be followed on."""
        if not self.runs:
            return self
        return replace(self, runs=False, selected=None, corners=None, large=False).also(PauseFollowing())

    def end(self, over: Sentence, *, held_back: bool = False) -> GameTable:
        """The film has ended, and its last picture stays visible. held_back: nothing of it was entered, and
        it can be followed again."""
        places = self.places if held_back else self.places[:-1]  # the film followed last is the last one
        ended = replace(self, runs=False, ended=True, corners=None, places=places)
        return ended.also(Keep(), ShowMessage(over, trouble=False))

    def leave_film(self) -> GameTable:
        """What a film showed is no longer shown: a camera, or another film, can be chosen."""
        return replace(self, ended=False, following=None, camera=None, large=False).also(ShowMessage(None))

    def lose_camera(self, why: Sentence) -> GameTable:
        """The camera or film has no more pictures, and why."""
        if self.film is not None and self.follows_film:
            why = Sentence(READ_NO_FURTHER, {"film": self.film.name})
        return replace(self.stop(), awaits_phone=self.camera == PHONE.id).also(ShowMessage(why))

    def find_table(self, pose: PoseAdvice | None) -> GameTable:
        """The table is in the picture of a camera that stands so; or it is not."""
        return replace(self, found=pose is not None, pose=pose)

    def enlarge(self, large: bool) -> GameTable:
        """Whether the picture fills the page."""
        return replace(self, large=large)

    def begin_here(self) -> GameTable:
        """Accept the tiles on the table as they are."""
        return self.also(AcceptTable())

    def end_hand(self) -> GameTable:
        """The hand that the game is in the middle of does not count: another one is on the table. A film
        of that is followed from its start."""
        ended = self.see(lambda known: known.lose(None)).also(EndHand())
        return ended.also(FollowWith(self.plan, self.places)) if self.follows_film else ended

    def trust_tiles(self) -> GameTable:
        """The rules are right, and so are the tiles."""
        return self.see(lambda known: known.doubt(None)).also(TrustTiles())

    # Where the table is.

    def touch_corners(self) -> GameTable:
        """The corners are touched next, in the picture."""
        return replace(self, corners=(), selected=None, side=Side.CAMERA, large=True)

    def _ask_to_follow(self) -> GameTable:
        """There is no picture of the table to touch corners in yet."""
        if self.followed is None:
            return self.also(ShowMessage(FIRST_A_GAME, passes=True))
        begin = Sentence("Touch Follow first: Corners is then above the camera's picture.")
        return self.enter().show_side(Side.CAMERA).also(ShowMessage(begin, trouble=False))

    def leave_corners(self) -> GameTable:
        return replace(self, corners=None, large=False)

    def take_back_corner(self) -> GameTable:
        """Let the person touch the last corner again."""
        return replace(self, corners=self.corners[:-1]) if self.corners else self

    def touch_corner(self, place: Point) -> GameTable:
        """The next corner is there."""
        if self.corners is None:
            return self
        corners = (*self.corners, place)
        if len(corners) < CORNERS:
            return replace(self, corners=corners)
        return self.leave_corners().also(PlaceTable(corners))

    def search_again(self) -> GameTable:
        """Search for the table again."""
        return self.also(PlaceTable(None))

    def step_back(self) -> GameTable:
        if self.corners is not None:
            return self.leave_corners()
        if self.selected is not None:
            return self.select(None)
        if self.large or self.acting is not None or self.kong:
            return replace(self.enlarge(False), acting=None, kong=False)
        if self.ended:
            return self.leave_film().also(GoBack())
        return self.stop().also(GoBack())

    def on_news(self, news: News) -> GameTable:
        match news:
            case NewGameWanted(start):
                return self.begin(start)
            case KeptGameWanted(name):
                return self.go_on(name)
            case TableWanted():
                return self.enter()
            case GameAtTable(rules, options, dealer):
                plan = self.plan
                if rules != plan.rules:
                    plan = replace(plan, stakes=None, currency=None, cap=None)
                return replace(self, plan=replace(plan, rules=rules, options=options, dealer=dealer))
            case TableRulesChosen(by) if by == ASKER:
                return self.with_house(news)
            case TableRulesCancelled(by) if by == ASKER:
                return self.also(ComeToFront())
            case CornersWanted():
                return self.enter().touch_corners() if self.runs else self._ask_to_follow()
            case CameraChosen(camera):
                return self.with_camera(camera)
            case FilmChosen(path):
                return self.open_film(path)
            case FairGameSet(fair):
                return replace(self, fair=fair)
            case FollowingPaused(True):
                return replace(self.stop(), paused=self.runs)
            case FollowingPaused() if self.paused:
                back = replace(self, paused=False)
                return back.also(ContinueFollowing(self.plan)) if self.following else back
        return self


def find_actor(state: GameTable) -> int | None:
    """Whose moves the keys are for: the side that was touched, or whose turn it is."""
    game = state.game
    if game is None or game.hand is None or not game.playing:
        return None
    if state.acting is not None:
        return state.acting
    return game.hand.deal.dealer if game.hand.phase is Phase.FLOWERS else game.hand.turn


def make_start(plan: Plan) -> GameStarted:
    """The event that begins the game of the plan."""
    rules, options = RULE_SETS[plan.rules], dict(plan.options)
    seats = rules.seats(rules.settings(options))
    dealer = plan.dealer if plan.dealer in seats else seats[0]
    return GameStarted(
        rules=plan.rules,
        options=options,
        dealer=dealer,
        stakes=plan.stakes,
        currency=plan.currency,
        cap=plan.cap,
    )
