"""The first page as a frozen value: kept games, the new game that is being put together. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.app.effects import ClearRefusal, ComeToFront, Effect, Keep, SendNews, SetLanguage, ShowMessage
from companion.app.feature import BarButton, FeatureState
from companion.app.home.games import MoveBack, ReadArchived, RenameGame, Shelf
from companion.app.home.tables import Agreed, House, cost_of_plain_win, list_games, suggest
from companion.app.news import (
    GamePicked,
    GamesWanted,
    HelpWanted,
    KeptGameWanted,
    NewGameWanted,
    News,
    NextGameWanted,
    PictureChosen,
    PracticeWanted,
    ProfilesChanged,
    ProfileWanted,
    ScorePhotoWanted,
    SettingsWanted,
    SheetWanted,
    TableRulesCancelled,
    TableRulesChosen,
)
from companion.app.widgets.game_words import counts_points
from companion.errors import InputError
from companion.game.shelf import BinnedGame, GameGlance, MovedGame, sort_newest
from companion.rules import RULE_SETS
from companion.rules.win import Stakes
from companion.sentences import Sentence
from companion.table.events import GameStarted
from companion.words import Language

USED_MAX = 24
"""Maximum number of remembered names to choose from."""
NAME_LETTERS_MAX = 40
HOUSES_MAX = 1000
"""The most tables whose stakes are kept."""
BATCH = 8
"""Number of kept games that are read between two updates of the list."""

Names = tuple[str, str, str, str]


class Page(StrEnum):
    """The pages of this feature."""

    START = "home"
    CHOICE = "table_choice"
    TABLES = "tables"
    NEW_GAME = "new_game"
    STAKES = "stakes"
    GAMES = "kept_games"


@dataclass(frozen=True, slots=True)
class Found:
    """What is connected: the names of cameras and of ports that devices may be at."""

    cameras: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptHome:
    """What is kept from evening to evening: names that were used, the newest first, the last game's names
    and house, the name under which the game is kept that was played last, the house chosen for each game,
    and what was agreed on in each house. resumes: whether there was a game to continue. base, cap: the stakes
    that earlier programs kept, of all games."""

    used: tuple[str, ...] = ()
    names: Names = ("", "", "", "")
    house: str | None = None
    base: int = 1
    cap: int | None = None
    last: str | None = None
    chosen: Mapping[str, str] = field(default_factory=dict)
    agreed: Mapping[str, Agreed] = field(default_factory=dict)
    resumes: bool = False

    @property
    def is_valid(self) -> bool:
        """Whether it can have come from the window."""
        return (
            len(self.used) <= USED_MAX
            and self.base >= 1
            and (self.cap is None or self.cap >= 1)
            and max(len(self.chosen), len(self.agreed)) <= HOUSES_MAX
            and all(agreed.is_valid for agreed in self.agreed.values())
        )


@dataclass(frozen=True, slots=True)
class NewGame:
    """The game that is being set up. house: the key of the chosen table; chosen: by game the key of the table
    that was chosen for it; agreed: by key the stakes of a table, if they were changed. seat: whose name is
    entered next, None if no name is asked for."""

    house: str
    names: Names = ("", "", "", "")
    dealer: int = 0
    chosen: Mapping[str, str] = field(default_factory=dict)
    agreed: Mapping[str, Agreed] = field(default_factory=dict)
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class StartDialog:
    """Which table of a game is played. rules: None if any game may be chosen. by: the feature that asks,
    None for a new game. changes: whether one is chosen already."""

    rules: str | None
    by: str | None = None
    changes: bool = False


@dataclass(frozen=True, slots=True)
class ListGames(Effect):
    """Look which games are kept, and which are archived."""


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
    that is open, which no file says as well; last: the name of the one that was open last; resumes: whether
    there was a game to continue when that was known last. are_houses_read: whether `houses` has profiles,
    too; question: which table is to be chosen now. shelf: what is done with the list of games."""

    plan: NewGame
    used: tuple[str, ...] = ()
    page: Page = Page.START
    games: tuple[GameGlance, ...] = ()
    unread: tuple[str, ...] = ()
    is_listed: bool = False
    played: GameGlance | None = None
    last: str | None = None
    resumes: bool = False
    houses: tuple[House, ...] = ()
    are_houses_read: bool = False
    question: StartDialog | None = None
    found: Found | None = None
    past: tuple[NewGame, ...] = ()
    shelf: Shelf = field(default_factory=Shelf)

    @classmethod
    def resume(cls, kept: KeptHome) -> Home:
        """As it opens, with what was kept."""
        houses = list_games()
        house = kept.house or houses[0].key
        plan = NewGame(house, kept.names, chosen=kept.chosen, agreed=kept.agreed)
        if (kept.base, kept.cap) != (1, None):
            plan = replace(plan, agreed={house: _agreed_before(kept), **kept.agreed})
        return cls(plan, kept.used, houses=houses, last=kept.last, resumes=kept.resumes).look()

    @property
    def kept(self) -> KeptHome:
        plan = self.plan
        return KeptHome(
            self.used, plan.names, plan.house, last=self.last, chosen=plan.chosen, agreed=plan.agreed,
            resumes=self.resumes,
        )  # fmt: skip

    @property
    def title(self) -> Sentence:
        return Sentence("Games") if self.page is Page.GAMES else Sentence("Mahjong Companion")

    @property
    def is_ready_to_show(self) -> bool:
        return self.are_games_read and self.found is not None

    @property
    def are_games_read(self) -> bool:
        return self.is_listed and not self.unread

    @property
    def may_resume(self) -> bool:
        """Whether there is a game to continue; until the games are read, whether there was one."""
        return self.last_game is not None or (self.resumes and not self.are_games_read)

    @property
    def can_undo(self) -> bool:
        if self.page is Page.GAMES:
            return bool(self.shelf.moved)
        return bool(self.past) and self.page in (Page.NEW_GAME, Page.STAKES)

    def speak(self, language: Language) -> Home:
        """Have the window speak that language."""
        return self.also(SetLanguage(language))

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        return (BarButton("home", Sentence("Start"), "home", 96, Home.go_home, in_front=True, fixed=True),)

    @property
    def all_games(self) -> tuple[GameGlance, ...]:
        """The kept games, newest first; the running game in its present state."""
        if self.played is None:
            return self.games
        others = (game for game in self.games if self.played and game.name != self.played.name)
        return sort_newest((self.played, *others))

    @property
    def found_games(self) -> tuple[GameGlance, ...]:
        """Those of them that are looked for."""
        return self.shelf.find(self.all_games)

    def is_played(self, name: str) -> bool:
        """Whether the game of that name is the running one."""
        return self.played is not None and self.played.name == name

    @property
    def last_game(self) -> GameGlance | None:
        """The last game if it can be continued, else the newest one that can. File times are unreliable if
        the clock was set back. A practice game only if no other game can be continued: practice does not
        replace an evening in progress."""
        begun = [game for game in self.all_games if game.trouble is None and not game.over]
        fitting = [game for game in begun if not game.practice] or begun
        last = next((game for game in fitting if game.name == self.last), None)
        return last or next(iter(fitting), None)

    @property
    def house(self) -> House:
        """What the new game is played by; the first game where that is gone."""
        fitting = (each for each in self.houses if each.key == self.plan.house and each.trouble is None)
        return next(fitting, self.houses[0])

    def agreed_in(self, house: House) -> Agreed:
        """What that table plays for."""
        return self.plan.agreed.get(house.key) or suggest(house)

    @property
    def agreed(self) -> Agreed:
        """What the new game is played for."""
        return self.agreed_in(self.house)

    @property
    def asked_rules(self) -> str | None:
        """The game whose table is being chosen."""
        return self.question.rules if self.question else None

    def list_houses(self, rules: str | None) -> tuple[House, ...]:
        """The tables of that game, or of all: the written rules first, then the common ones."""
        fitting = [each for each in self.houses if rules in (None, each.rules) or each.trouble]
        return tuple(sorted(fitting, key=lambda each: (not each.is_written, not each.is_common)))

    def find_common(self, rules: str) -> House | None:
        """What is commonly played of that game; None if the program does not know."""
        return next((each for each in self.houses if each.is_common and each.rules == rules), None)

    def find_chosen(self, rules: str) -> House | None:
        """The table that was chosen for that game; None if none was, or it is gone."""
        key = self.plan.chosen.get(rules)
        fitting = (each for each in self.houses if each.rules == rules and each.trouble is None)
        return next((each for each in fitting if each.key == key), None)

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
        return replace(self, page=Page.START, question=None).look().also(ComeToFront())

    def show(self, page: Page) -> Home:
        return replace(self, page=page, past=(), plan=replace(self.plan, seat=None)).also(ComeToFront())

    def look(self) -> Home:
        """Search for games, profiles and connected devices."""
        return self.also(ListGames(), ReadHouses(), LookAround())

    def step_back(self) -> Home:
        match self.page:
            case Page.STAKES:
                return replace(self, page=Page.NEW_GAME)
            case Page.TABLES if self._has_choice:
                return replace(self, page=Page.CHOICE)
            case Page.TABLES | Page.CHOICE:
                return self._leave_question()
            case Page.GAMES if self.shelf.is_open:
                return self.in_shelf(Shelf.leave)
            case _ if self.plan.seat is not None:
                return replace(self, plan=replace(self.plan, seat=None))
        return replace(self, page=Page.START)

    def undo_in_sight(self) -> Home:
        return self.undo_move() if self.page is Page.GAMES else self.undo()

    def undo(self) -> Home:
        """The new game as it was before the last change."""
        return replace(self, plan=self.past[-1], past=self.past[:-1]).also(Keep()) if self.past else self

    # What was found.

    def list_games(self, names: tuple[str, ...], archived: tuple[BinnedGame, ...] = ()) -> Home:
        """These games are kept, the newest first, and these are archived; those that are new, or may have
        changed, are read."""
        known = {game.name for game in self.games}
        gone = tuple(game for game in self.games if game.name in names)
        fresh = tuple(name for name in names if name not in known or name in names[:BATCH])
        shelf = self.shelf.list_archived(archived)
        listed = replace(self, games=gone, unread=fresh, is_listed=True, shelf=shelf)
        return listed.read_archived()._read_on()

    def add_games(self, read: tuple[GameGlance, ...]) -> Home:
        """These games were read."""
        done = {game.name for game in read}
        games = sort_newest((*read, *(game for game in self.games if game.name not in done)))
        unread = tuple(name for name in self.unread if name not in done)
        return replace(self, games=games, unread=unread)._read_on()

    def _read_on(self) -> Home:
        return self.also(ReadGames(self.unread[:BATCH])) if self.unread else self._note_resume()

    def _note_resume(self) -> Home:
        """Remember for the next start whether there is a game to continue."""
        may = self.may_resume
        return self if may is self.resumes else replace(self, resumes=may).also(Keep())

    def fail_to_list(self, why: Sentence) -> Home:
        """The folder of games cannot be read."""
        return replace(self, is_listed=True, unread=()).also(ShowMessage(why))

    def know(self, played: GameGlance | None) -> Home:
        """The running game stands so."""
        if played is None or played.practice or played.name == self.last:
            return replace(self, played=played)._note_resume()
        return replace(self, played=played, last=played.name)._note_resume().also(Keep())

    def offer(self, saved: tuple[House, ...]) -> Home:
        """These profiles there are."""
        known = {house.key for house in self.houses}
        state = replace(self, houses=(*list_games(), *saved), are_houses_read=True)
        if state.house.is_saved and state.house.key not in known:
            state = replace(state, plan=_remember(state.plan, state.house))
        return state if self.are_houses_read else state._answer()

    def find(self, found: Found) -> Home:
        return replace(self, found=found)

    # Which table.

    def pick_game(self, rules: str, by: str | None = None) -> Home:
        """A person picks that game: take the table chosen before, or ask for one."""
        return replace(self, question=StartDialog(rules, by))._answer()

    def list_tables(self) -> Home:
        """Ask for a table of any game."""
        return replace(self, page=Page.TABLES, question=StartDialog(None)).also(ComeToFront())

    def change_table(self) -> Home:
        """Ask for another table for the new game."""
        asking = replace(self, question=StartDialog(self.house.rules, changes=True))
        return replace(asking, page=Page.CHOICE if asking._has_choice else Page.TABLES)

    def show_others(self) -> Home:
        """Show all tables of the game whose table is being chosen."""
        return replace(self, page=Page.TABLES)

    def choose_house(self, key: str) -> Home:
        """Play by that house: the new game, or what the question was asked for."""
        question = self.question or StartDialog(None)
        house = next(each for each in self.houses if each.key == key)
        if question.by is not None:
            page = Page.START if self.page in (Page.CHOICE, Page.TABLES) else self.page
            known = replace(self, question=None, page=page, plan=_remember(self.plan, house))
            return known.also(Keep(), SendNews(known._make_answer(question.by, house)))
        chosen = replace(self.with_house(key), page=Page.NEW_GAME, question=None)
        return (chosen if question.changes else replace(chosen, past=())).also(Keep(), ComeToFront())

    @property
    def _has_choice(self) -> bool:
        """Whether two tables of the game that is asked for are offered side by side."""
        rules = self.asked_rules
        return rules is not None and self.find_common(rules) is not None

    def _answer(self) -> Home:
        """Continue with the table that was chosen before, or ask; not before all tables are read."""
        rules = self.asked_rules
        if rules is None or not self.are_houses_read:
            return self
        chosen = self.find_chosen(rules)
        if chosen is None and self._has_choice:
            return replace(self, page=Page.CHOICE).also(ShowMessage(None), ComeToFront())
        return self.choose_house(chosen.key if chosen else f"rules:{rules}")

    def _make_answer(self, by: str, house: House) -> TableRulesChosen:
        agreed, options = self.agreed_in(house), dict(house.profile.settings) if house.profile else {}
        own = house.name if house.is_saved else ""
        return TableRulesChosen(by, house.rules, options, agreed.stakes, agreed.currency, agreed.cap, own)

    def _leave_question(self) -> Home:
        question = self.question or StartDialog(None)
        page = Page.NEW_GAME if question.changes else Page.START
        left = replace(self, question=None, page=page)
        return left.also(SendNews(TableRulesCancelled(question.by))) if question.by else left

    # The new game.

    def _plan(self, change: Callable[[NewGame], NewGame]) -> Home:
        plan = change(self.plan)
        if plan == self.plan:
            return self
        return replace(self, plan=plan, past=(*self.past[-49:], self.plan)).also(Keep())

    def with_house(self, key: str) -> Home:
        """Play by that house, and deal from a seat that plays."""
        house = next((each for each in self.houses if each.key == key), None)
        chosen = self._plan(lambda plan: replace(_remember(plan, house) if house else plan, house=key))
        if chosen.plan.dealer in chosen.playing_seats:
            return chosen
        return replace(chosen, plan=replace(chosen.plan, dealer=chosen.playing_seats[0]))

    def with_name(self, seat: int, name: str) -> Home:
        """The name of the player in that seat; a touched chip continues with the next seat without a name."""
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
        """The first seat without a name is named next, or none if all have theirs."""
        free = next((seat for seat in self.playing_seats if not self.plan.names[seat]), None)
        return replace(self, plan=replace(self.plan, seat=free))

    def with_dealer(self, seat: int) -> Home:
        return self._plan(lambda plan: replace(plan, dealer=seat))

    # What it is played for.

    def open_stakes(self) -> Home:
        return replace(self, page=Page.STAKES, plan=replace(self.plan, seat=None))

    def _agree(self, agreed: Agreed) -> Home:
        key = self.house.key
        return self._plan(lambda plan: replace(plan, agreed={**plan.agreed, key: agreed}))

    def _agree_in_money(self, change: Callable[[Agreed], Agreed]) -> Home:
        """As `_agree`, if the currency can be used."""
        try:
            return self._agree(change(self.agreed)).also(ClearRefusal())
        except InputError as problem:
            return self.also(ShowMessage(problem.sentence, passes=True))

    def with_stakes(self, base: int, unit: int) -> Home:
        """A win costs that base, and the unit for each point; nothing if both are 0."""
        return self._agree(replace(self.agreed, stakes=Stakes(base, unit))) if base or unit else self

    def with_symbol(self, symbol: str) -> Home:
        """Play in that currency; "" for points only."""
        counted = counts_points(self.house.rules)
        return self._agree_in_money(lambda agreed: agreed.with_symbol(symbol, counts_points=counted))

    def with_point(self, value: str) -> Home:
        """Set the value of one point in the currency, which must be chosen."""
        return self._agree_in_money(lambda agreed: agreed.with_point(value))

    def with_coin(self, coin: str) -> Home:
        return self._agree_in_money(lambda agreed: agreed.with_coin(coin))

    def with_cap(self, cap: int | None) -> Home:
        return self._agree(self.agreed.with_cap(cap or None))

    def begin(self) -> Home:
        """Begin the game, and keep its names for the next one."""
        if self.problem:
            return self.also(ShowMessage(self.problem, passes=True))
        start = self.make_start()
        given = [name for name in start.names if name]
        used = (*given, *(name for name in self.used if name not in given))[:USED_MAX]
        begun = replace(self, used=used, page=Page.START, past=(), plan=replace(self.plan, names=start.names))
        return begun.also(ShowMessage(None), Keep(), SendNews(NewGameWanted(start)))

    def make_start(self) -> GameStarted:
        """The event that begins the new game."""
        plan, house, agreed = self.plan, self.house, self.agreed
        options = dict(house.profile.settings) if house.profile else {}
        names = _four([name.strip() for name in plan.names])
        return GameStarted(
            rules=house.rules,
            options=options,
            names=names,
            cap=agreed.cap,
            dealer=plan.dealer,
            stakes=agreed.stakes,
            currency=agreed.currency,
        )

    # The list of games.

    def show_games(self) -> Home:
        """Show the list of games as it is now."""
        shown = self.show(Page.GAMES)
        return shown.in_shelf(Shelf.leave).also(ListGames())

    def in_shelf(self, step: Callable[[Shelf], Shelf]) -> Home:
        """Take a step with the list of games."""
        return replace(self, shelf=step(self.shelf))

    def choose_game(self, name: str) -> Home:
        """That game is to be changed."""
        return self.in_shelf(lambda shelf: shelf.choose(name, self.all_games)).also(ShowMessage(None))

    def show_archived(self) -> Home:
        """Show the archived games, and read what they are."""
        return self.in_shelf(Shelf.show_archived).read_archived()

    def read_archived(self) -> Home:
        """Read archived games, where they are shown and not known."""
        unread = self.shelf.unread_archived
        return self.also(ReadArchived(unread)) if unread else self

    def change_games(self, effect: Effect) -> Home:
        """Do something to the files of kept games; but not rename one to the name that it has."""
        if isinstance(effect, RenameGame) and effect.name == effect.new_name:
            return self.in_shelf(Shelf.leave)
        return self.work(Sentence("Changing the game …")).also(effect)

    def note_move(self, moved: MovedGame, said: Sentence) -> Home:
        """That was done to a kept game; say so, and list the games again."""
        noted = self.work(None).in_shelf(lambda shelf: shelf.note(moved))
        return noted.also(ListGames(), ShowMessage(said, trouble=False))

    def undo_move(self) -> Home:
        """Take back what was done last to kept games."""
        if not self.shelf.moved:
            return self
        shelf, moved = self.shelf.forget_move()
        return replace(self, shelf=shelf).change_games(MoveBack(moved))

    # Elsewhere.

    def go_on(self, name: str) -> Home:
        """Play on with that game."""
        return replace(self, page=Page.START).also(ShowMessage(None), SendNews(KeptGameWanted(name)))

    def restore(self, name: str) -> Home:
        """Have a copy put in the place of that damaged game."""
        return self.also(ShowMessage(None), RestoreGame(name))

    def look_at(self, name: str) -> Home:
        """Show the sheet of that game, from which it is replayed."""
        return self.also(SendNews(SheetWanted(name)))

    def score_photo(self) -> Home:
        return self.also(SendNews(ScorePhotoWanted()))

    def explain(self) -> Home:
        """Show how an evening goes."""
        return self.also(SendNews(HelpWanted()))

    def practise(self) -> Home:
        """Play against the computer, without tiles."""
        return self.also(ShowMessage(None), SendNews(PracticeWanted()))

    def open_settings(self) -> Home:
        return self.also(SendNews(SettingsWanted()))

    def open_houses(self, name: str | None = None) -> Home:
        return self.also(SendNews(ProfileWanted(name)))

    def on_news(self, news: News) -> Home:
        match news:
            case PictureChosen(path):
                return self.also(SendNews(ScorePhotoWanted(path)))
            case GamePicked(None, by):
                return replace(self, page=Page.TABLES, question=StartDialog(None, by)).also(ComeToFront())
            case GamePicked(str(rules), by):
                return self.pick_game(rules, by)
            case GamesWanted():
                return self.show_games()
            case NextGameWanted():
                return self.show(Page.NEW_GAME)
            case ProfilesChanged(name):
                house = f"saved:{name}" if name else self.plan.house
                return replace(self, plan=replace(self.plan, house=house)).also(ReadHouses())
        return self


def _four(names: list[str]) -> Names:
    a, b, c, d = names
    return a, b, c, d


def _remember(plan: NewGame, house: House) -> NewGame:
    """With that house chosen for its game."""
    return replace(plan, chosen={**plan.chosen, house.rules: house.key})


def _agreed_before(kept: KeptHome) -> Agreed:
    """The stakes that an earlier program kept, of the game that was played last; without a limit below what
    a plain win costs."""
    games = list_games()
    house = next((game for game in games if game.key == kept.house), games[0])
    agreed = Agreed(Stakes(unit=RULE_SETS[house.rules].point * kept.base))
    is_low = kept.cap is None or kept.cap <= cost_of_plain_win(house, agreed)
    return agreed if is_low else agreed.with_cap(kept.cap)
