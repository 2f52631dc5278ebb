"""The first page as a frozen value: kept games, the new game that is being put together. No Kivy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.app.effects import Announce, ComeToFront, Effect, Keep, Say
from companion.app.feature import BarButton, FeatureState
from companion.app.home.houses import House, list_games
from companion.app.news import (
    HelpWanted,
    HousesChanged,
    HouseWanted,
    KeptGameWanted,
    NewGameWanted,
    News,
    NextGameWanted,
    PictureBrought,
    PracticeWanted,
    ScorePhotoWanted,
    SettingsWanted,
    SheetWanted,
)
from companion.history.glance import GameGlance, sort_newest
from companion.rules import RULE_SETS
from companion.sentences import Sentence
from companion.table.events import GameStarted

SEATS = 4
USED_MAX = 24
"""So many names are kept to be chosen from."""
NAME_LETTERS_MAX = 40
BASES = (1, 2, 5, 10, 20, 50, 100)
CAPS = (None, 32, 64, 100, 200, 500, 1000)
BATCH = 8
"""So many kept games are read between two looks at the list."""

Names = tuple[str, str, str, str]


class Page(StrEnum):
    """The pages of this feature."""

    START = "home"
    NEW_GAME = "new_game"
    GAMES = "kept_games"


@dataclass(frozen=True, slots=True)
class Found:
    """What is connected: the names of cameras and of ports that devices may be at."""

    cameras: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptHome:
    """What is kept from evening to evening: names that were used, the newest first, the last game's names,
    house and stakes, and the name under which the game is kept that was played last."""

    used: tuple[str, ...] = ()
    names: Names = ("", "", "", "")
    house: str | None = None
    base: int = 1
    cap: int | None = None
    last: str | None = None

    @property
    def is_sound(self) -> bool:
        """Whether it can have come from the window."""
        return len(self.used) <= USED_MAX and self.base >= 1 and (self.cap is None or self.cap >= 1)


@dataclass(frozen=True, slots=True)
class NewGame:
    """The game that is being put together. house: the key of what is played; seat: whose name is given next,
    None where nobody's is asked for; more: whether the stakes are shown."""

    house: str
    names: Names = ("", "", "", "")
    dealer: int = 0
    base: int = 1
    cap: int | None = None
    seat: int | None = None
    more: bool = False


@dataclass(frozen=True, slots=True)
class ListGames(Effect):
    """Look which games are kept."""


@dataclass(frozen=True, slots=True)
class ReadGames(Effect):
    """Read these kept games."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RestoreGame(Effect):
    """Put a copy in the place of that damaged game."""

    name: str


@dataclass(frozen=True, slots=True)
class ReadHouses(Effect):
    """Look which profiles are saved."""


@dataclass(frozen=True, slots=True)
class LookAround(Effect):
    """Look which cameras and devices are connected."""


@dataclass(frozen=True, slots=True)
class Home(FeatureState):
    """games: those that have been read, the newest first; unread: the names of the others; played: the game
    that is open, which no file says as well; last: the name of the one that was open last."""

    plan: NewGame
    used: tuple[str, ...] = ()
    page: Page = Page.START
    games: tuple[GameGlance, ...] = ()
    unread: tuple[str, ...] = ()
    is_listed: bool = False
    played: GameGlance | None = None
    last: str | None = None
    houses: tuple[House, ...] = ()
    found: Found | None = None
    past: tuple[NewGame, ...] = ()

    @classmethod
    def resume(cls, kept: KeptHome) -> Home:
        """As it opens, with what was kept."""
        houses = list_games()
        house = kept.house or houses[0].key
        plan = NewGame(house, kept.names, base=kept.base, cap=kept.cap)
        return cls(plan, kept.used, houses=houses, last=kept.last).look()

    @property
    def kept(self) -> KeptHome:
        plan = self.plan
        return KeptHome(self.used, plan.names, plan.house, plan.base, plan.cap, self.last)

    @property
    def title(self) -> Sentence:
        return Sentence("Mahjong Companion")

    @property
    def is_settled(self) -> bool:
        return self.is_listed and not self.unread and self.found is not None

    @property
    def can_undo(self) -> bool:
        return bool(self.past) and self.page == Page.NEW_GAME

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        return (BarButton("home", Sentence("Start"), "home", 96, Home.go_home, in_front=True),)

    @property
    def all_games(self) -> tuple[GameGlance, ...]:
        """The kept games, the newest first, the one that is played as it stands now."""
        if self.played is None:
            return self.games
        others = (game for game in self.games if self.played and game.name != self.played.name)
        return sort_newest((self.played, *others))

    @property
    def tonight(self) -> GameGlance | None:
        """The game that was played last where it can be gone on with, else the newest that can be. Files say
        when they were written by a clock that may have been set back. A practice game only where no other can
        be gone on with: an evening in progress is not what somebody tried meanwhile."""
        begun = [game for game in self.all_games if game.trouble is None and not game.over]
        fitting = [game for game in begun if not game.practice] or begun
        last = next((game for game in fitting if game.name == self.last), None)
        return last or next(iter(fitting), None)

    @property
    def house(self) -> House:
        """What the new game is played by; the first game where that is gone."""
        fitting = (each for each in self.houses if each.key == self.plan.house and each.trouble is None)
        return next(fitting, self.houses[0])

    @property
    def playing_seats(self) -> tuple[int, ...]:
        """The seats that play by that house."""
        rules = RULE_SETS[self.house.rules]
        profile = self.house.profile
        return rules.seats(rules.settings(profile.options if profile else None))

    @property
    def problem(self) -> Sentence | None:
        """Why the new game cannot begin."""
        given = [name for seat, name in enumerate(self.plan.names) if name and seat in self.playing_seats]
        twice = next((name for name in given if given.count(name) > 1), None)
        if twice:
            return Sentence("Two players are called {name}: give one of them another name.", {"name": twice})
        return None

    # Pages.

    def go_home(self) -> Home:
        """The first page, with what there is now."""
        return replace(self, page=Page.START).look().also(ComeToFront())

    def show(self, page: Page) -> Home:
        return replace(self, page=page, past=(), plan=replace(self.plan, seat=None)).also(ComeToFront())

    def look(self) -> Home:
        """Look for games, profiles and what is connected."""
        return self.also(ListGames(), ReadHouses(), LookAround())

    def step_back(self) -> Home:
        if self.plan.seat is not None:
            return replace(self, plan=replace(self.plan, seat=None))
        return replace(self, page=Page.START)

    def undo_in_sight(self) -> Home:
        return self.undo()

    def undo(self) -> Home:
        """The new game as it was before the last change."""
        return replace(self, plan=self.past[-1], past=self.past[:-1]) if self.past else self

    # What was found.

    def list_games(self, names: tuple[str, ...]) -> Home:
        """These games are kept, the newest first; those that are new, or may have changed, are read."""
        known = {game.name for game in self.games}
        gone = tuple(game for game in self.games if game.name in names)
        fresh = tuple(name for name in names if name not in known or name in names[:BATCH])
        return replace(self, games=gone, unread=fresh, is_listed=True)._read_on()

    def add_games(self, read: tuple[GameGlance, ...]) -> Home:
        """These games were read."""
        done = {game.name for game in read}
        games = sort_newest((*read, *(game for game in self.games if game.name not in done)))
        unread = tuple(name for name in self.unread if name not in done)
        return replace(self, games=games, unread=unread)._read_on()

    def _read_on(self) -> Home:
        return self.also(ReadGames(self.unread[:BATCH])) if self.unread else self

    def fail_to_list(self, why: Sentence) -> Home:
        """The folder of games cannot be read."""
        return replace(self, is_listed=True, unread=()).also(Say(why))

    def know(self, played: GameGlance | None) -> Home:
        """The game that is played stands so."""
        if played is None or played.practice or played.name == self.last:
            return replace(self, played=played)
        return replace(self, played=played, last=played.name).also(Keep())

    def offer(self, saved: tuple[House, ...]) -> Home:
        """These profiles there are."""
        return replace(self, houses=(*list_games(), *saved))

    def find(self, found: Found) -> Home:
        return replace(self, found=found)

    # The new game.

    def _plan(self, change: Callable[[NewGame], NewGame]) -> Home:
        plan = change(self.plan)
        return self if plan == self.plan else replace(self, plan=plan, past=(*self.past[-49:], self.plan))

    def with_house(self, key: str) -> Home:
        """Play by that house, and deal from a seat that plays."""
        chosen = self._plan(lambda plan: replace(plan, house=key))
        if chosen.plan.dealer in chosen.playing_seats:
            return chosen
        return replace(chosen, plan=replace(chosen.plan, dealer=chosen.playing_seats[0]))

    def with_name(self, seat: int, name: str) -> Home:
        """Who sits there; a chip that is touched goes on to the next seat without a name."""
        shown = " ".join(name.split(" "))[:NAME_LETTERS_MAX]
        names = list(self.plan.names)
        names[seat] = shown
        return self._plan(lambda plan: replace(plan, names=_four(names)))

    def seat_player(self, name: str) -> Home:
        """A player of before sits down at the chosen seat, or the first free one; who sat there changes
        places with the player where that one sat elsewhere."""
        names = list(self.plan.names)
        free = next((seat for seat in self.playing_seats if not names[seat]), self.playing_seats[0])
        seat = self.plan.seat if self.plan.seat is not None else free
        if name in names:
            names[names.index(name)] = names[seat]
        names[seat] = name
        return self._plan(lambda plan: replace(plan, names=_four(names))).select_next_seat()

    def select_seat(self, seat: int) -> Home:
        """That seat is named next; touched again, none."""
        return replace(self, plan=replace(self.plan, seat=None if seat == self.plan.seat else seat))

    def select_next_seat(self) -> Home:
        """The first seat without a name is named next, or none where all have theirs."""
        free = next((seat for seat in self.playing_seats if not self.plan.names[seat]), None)
        return replace(self, plan=replace(self.plan, seat=free))

    def clear_names(self) -> Home:
        return self._plan(lambda plan: replace(plan, names=("", "", "", ""), seat=0))

    def with_dealer(self, seat: int) -> Home:
        return self._plan(lambda plan: replace(plan, dealer=seat))

    def with_base(self, base: int) -> Home:
        return self._plan(lambda plan: replace(plan, base=base))

    def with_cap(self, cap: int | None) -> Home:
        return self._plan(lambda plan: replace(plan, cap=cap))

    def toggle_more(self) -> Home:
        """The stakes shown, or put away."""
        return replace(self, plan=replace(self.plan, more=not self.plan.more))

    def forget_name(self, name: str) -> Home:
        """That name is offered no more."""
        return replace(self, used=tuple(each for each in self.used if each != name)).also(Keep())

    def begin(self) -> Home:
        """Begin the game, and keep its names for the next one."""
        if self.problem:
            return self.also(Say(self.problem, passes=True))
        start = self.make_start()
        given = [name for name in start.names if name]
        used = (*given, *(name for name in self.used if name not in given))[:USED_MAX]
        begun = replace(self, used=used, page=Page.START, past=(), plan=replace(self.plan, names=start.names))
        return begun.also(Say(None), Keep(), Announce(NewGameWanted(start)))

    def make_start(self) -> GameStarted:
        """The event that begins the new game."""
        plan, house = self.plan, self.house
        options = dict(house.profile.settings) if house.profile else {}
        names = _four([name.strip() for name in plan.names])
        return GameStarted(
            rules=house.rules, options=options, names=names, base=plan.base, cap=plan.cap, dealer=plan.dealer
        )

    # Elsewhere.

    def go_on(self, name: str) -> Home:
        """Play on with that game."""
        return replace(self, page=Page.START).also(Say(None), Announce(KeptGameWanted(name)))

    def restore(self, name: str) -> Home:
        """Have a copy put in the place of that damaged game."""
        return self.also(Say(None), RestoreGame(name))

    def look_at(self, name: str) -> Home:
        """Show the sheet of that game, from which it is replayed."""
        return self.also(Announce(SheetWanted(name)))

    def score_photo(self) -> Home:
        return self.also(Announce(ScorePhotoWanted()))

    def explain(self) -> Home:
        """Show how an evening goes."""
        return self.also(Announce(HelpWanted()))

    def practise(self) -> Home:
        """Play against the program, without tiles."""
        return self.also(Say(None), Announce(PracticeWanted()))

    def open_settings(self) -> Home:
        return self.also(Announce(SettingsWanted()))

    def open_houses(self, name: str | None = None) -> Home:
        return self.also(Announce(HouseWanted(name)))

    def hear(self, news: News) -> Home:
        match news:
            case PictureBrought(path):
                return self.also(Announce(ScorePhotoWanted(path)))
            case NextGameWanted():
                return self.show(Page.NEW_GAME)
            case HousesChanged(name):
                house = f"saved:{name}" if name else self.plan.house
                return replace(self, plan=replace(self.plan, house=house)).also(ReadHouses())
        return self


def _four(names: list[str]) -> Names:
    a, b, c, d = names
    return a, b, c, d
