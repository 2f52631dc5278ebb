"""What features of the window tell one another through the shell. Frozen values, no Kivy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.shown import ShownPicture
from companion.images import Image, Quad
from companion.live.tones import Cue
from companion.money import Currency
from companion.rules.win import OptionValue, Stakes
from companion.sentences import Sentence
from companion.table.events import GameStarted
from companion.words import Language

if TYPE_CHECKING:
    from companion.sheets.hands import Sheet
    from companion.table.state import State
    from companion.table.unrecorded import ReportedWin
    from companion.vision import Reading


class News:
    """Something that a feature may want to hear of; it ignores what is not for it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Started(News):
    """The window is open, and no picture was given to it."""


@dataclass(frozen=True, slots=True)
class PictureProgress(News):
    """What is being done with the picture that the feature asked for."""

    doing: Sentence


@dataclass(frozen=True, slots=True)
class PictureOpened(News):
    """The file is a picture."""

    path: Path
    shown: ShownPicture


@dataclass(frozen=True, slots=True)
class PictureRead(News):
    """The end of a request; reading is None where only the picture was wanted."""

    path: Path
    reading: Reading | None


@dataclass(frozen=True, slots=True)
class PictureFailed(News):
    """The file cannot be opened or read."""

    path: Path
    why: Sentence


@dataclass(frozen=True, slots=True)
class PictureWanted(News):
    """A picture is to be chosen, or taken with the camera, for the feature that is at work."""

    from_camera: bool


@dataclass(frozen=True, slots=True, eq=False)
class PictureTaken(News):
    """This picture of a camera is to be kept, and brought to the feature that is at work."""

    image: Image


@dataclass(frozen=True, slots=True)
class PictureNotKept(News):
    """A picture that was taken could not be kept: it is lost."""


@dataclass(frozen=True, slots=True)
class PictureBrought(News):
    """A person chose, took or dropped this picture, for the feature that hears of it."""

    path: Path


@dataclass(frozen=True, slots=True)
class TileSetChanged(News):
    """The name of the tile set in use; `again`: pictures on the screen are to be read with it."""

    name: str | None
    again: bool


@dataclass(frozen=True, slots=True)
class TilesNamed(News):
    """What tiles of a picture are, each quad with its code, None to leave it out: to be learned.

    word: a set that is new is called by it and a number.
    """

    path: Path
    tiles: tuple[tuple[Quad, str | None], ...]
    word: str


@dataclass(frozen=True, slots=True)
class TilesLearned(News):
    """The tiles that were named last are learned."""


@dataclass(frozen=True, slots=True)
class TileDoubted(News):
    """The tile there, of those that were named last, is why they were not learned."""

    quad: Quad


@dataclass(frozen=True, slots=True)
class LessonUnwanted(News):
    """What was learned last of tiles that were named is to be taken back."""


@dataclass(frozen=True, slots=True)
class DeviceWanted(News):
    """A device to listen to from now on: a port or an address."""

    target: str


@dataclass(frozen=True, slots=True)
class GameAtTable(News):
    """What people play: a rule set's name, the house options that are not its own, and the dealer's seat."""

    rules: str
    options: tuple[tuple[str, OptionValue], ...]
    dealer: int


@dataclass(frozen=True, slots=True)
class NewGameWanted(News):
    """A game that begins so is to be played: kept under a name of its own, and shown."""

    start: GameStarted


@dataclass(frozen=True, slots=True)
class NextGameWanted(News):
    """A new game is to be put together, by default with the people and the rules of the last one."""


@dataclass(frozen=True, slots=True)
class PracticeWanted(News):
    """A practice game is to be chosen."""


@dataclass(frozen=True, slots=True)
class PracticeTableWanted(News):
    """The table of the practice game that is played is to be shown."""


@dataclass(frozen=True, slots=True)
class KeptGameWanted(News):
    """The kept game of that name is to be played on, and shown."""

    name: str


@dataclass(frozen=True, slots=True)
class TableWanted(News):
    """The table of the game that is played is to be shown."""


@dataclass(frozen=True, slots=True)
class WinEntryWanted(News):
    """A win is to be entered into the game that is played. seat: of the winner, None where that is not known
    yet. at_once: whether it is on the tile that lies there or was drawn, not on the next one."""

    seat: int | None = None
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class HandPicture:
    """Where a winning hand lies in a picture, px."""

    path: Path
    quads: tuple[Quad, ...]


@dataclass(frozen=True, slots=True)
class PastWinWanted(News):
    """How a hand that is over was won is to be told anew. state: of its game before the end. seat: of the
    winner, None where that is to be asked. fortune: the code of the kind that was wild, where it is known."""

    state: State
    seat: int | None = None
    fortune: str | None = None


@dataclass(frozen=True, slots=True)
class PastWinTold(News):
    """That hand was won so, by several where there are several; nobody where nothing was told. pictures: of
    their hands, in the same order."""

    told: tuple[ReportedWin, ...] = ()
    pictures: tuple[HandPicture | None, ...] = ()


@dataclass(frozen=True, slots=True)
class HandShownWanted(News):
    """A player shows the hand after it is over. seat: of the player, None where that is not known yet."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class HandEndWanted(News):
    """The hand of the game that is played ends otherwise than by a win, or a penalty is to be entered.
    ending: the key of the one that is meant, None where it is to be chosen; seat: whose it is."""

    ending: str | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class SheetWanted(News):
    """The score sheet of a game is to be shown. name: of the kept game, None for the one that is played.
    at_last_hand: opened at the hand that was over last. fixes: the number of an event whose hand is to be put
    right there. settles: opened where it says who pays whom."""

    name: str | None = None
    at_last_hand: bool = False
    fixes: int | None = None
    settles: bool = False


@dataclass(frozen=True, slots=True)
class StepShown(News):
    """The hand at `place` of the sheet is looked at, at event `number`, 0 for its result. sheet: None where
    none is looked at any more. game: the name of the kept game, None for the one that is played."""

    sheet: Sheet | None = None
    place: int = 0
    number: int = 0
    game: str | None = None


@dataclass(frozen=True, slots=True)
class StepWanted(News):
    """Event `number` of the hand that is looked at is to be shown."""

    number: int


@dataclass(frozen=True, slots=True)
class AdviceWanted(News):
    """What is to be discarded from these tiles. fields: of a request for a score: rules, options, hand,
    melds, flowers, and those of the game; and `seen`, tiles that lie open on the table beside them."""

    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class OpenTilesWanted(News):
    """What lies open on the table is to be entered, beside the hand about which advice was asked for."""


@dataclass(frozen=True, slots=True)
class SettingsWanted(News):
    """The settings are to be shown."""


@dataclass(frozen=True, slots=True)
class GameDoubted(News):
    """Another game is played than the hand is scored by."""


@dataclass(frozen=True, slots=True)
class HelpWanted(News):
    """How an evening goes is to be shown."""


@dataclass(frozen=True, slots=True)
class LanguageSpoken(News):
    """The window speaks that language from now on."""

    language: Language


@dataclass(frozen=True, slots=True)
class SoundWanted(News):
    """Something happened in the window that is heard."""

    cue: Cue


@dataclass(frozen=True, slots=True)
class CameraChosen(News):
    """A person wants this camera to be used, by its id, wherever one is."""

    camera: str


@dataclass(frozen=True, slots=True)
class FilmWanted(News):
    """A film is to be chosen from the disk, to be followed."""


@dataclass(frozen=True, slots=True)
class FilmChosen(News):
    """A person chose this film to be followed: a video."""

    path: Path


@dataclass(frozen=True, slots=True)
class CornersWanted(News):
    """Where the table is in the camera's picture is to be shown and put right."""


@dataclass(frozen=True, slots=True)
class DevicePageWanted(News):
    """The page of dice cups and tables is to be shown."""


@dataclass(frozen=True, slots=True)
class PackingWanted(News):
    """The photo that is scored, the tiles read in it and the corrections are to be packed into one file."""


@dataclass(frozen=True, slots=True)
class PackingAgreed(News):
    """The person has seen what goes into that file, and wants it written."""


@dataclass(frozen=True, slots=True)
class FairGameSet(News):
    """Whether the game is fair: then nobody is shown what a player has to work out, as the tiles that are
    left or what the coach would discard. Announced when the window opens, and whenever it changes."""

    fair: bool


@dataclass(frozen=True, slots=True)
class HouseWanted(News):
    """The house options of a saved profile are to be shown and changed. name: None for a new one."""

    name: str | None = None


@dataclass(frozen=True, slots=True)
class HousesChanged(News):
    """Saved profiles of house options have come, changed or gone. name: of the one that was changed last."""

    name: str | None = None


@dataclass(frozen=True, slots=True)
class GamePicked(News):
    """A person picked a game in the feature `by`; which table of it is played is not known there."""

    rules: str
    by: str


@dataclass(frozen=True, slots=True)
class HouseChosen(News):
    """The answer to `GamePicked`: the game is played with these options, those of play included, and for
    these stakes. cap: the most that one player pays for a win, in points."""

    by: str
    rules: str
    options: Mapping[str, OptionValue]
    stakes: Stakes
    currency: Currency | None = None
    cap: int | None = None


@dataclass(frozen=True, slots=True)
class HouseNotChosen(News):
    """The other answer to `GamePicked`: the person went back."""

    by: str


@dataclass(frozen=True, slots=True)
class ScorePhotoWanted(News):
    """A hand is to be scored without a game. picture: of the hand, where there is one already."""

    picture: Path | None = None


@dataclass(frozen=True, slots=True)
class Covered(News):
    """The page of another feature has come before that of the feature that hears of it."""


@dataclass(frozen=True, slots=True)
class Uncovered(News):
    """The page of the feature that hears of it is in front."""


@dataclass(frozen=True, slots=True)
class FollowingPaused(News):
    """A page has come to the front that takes the camera or says how a hand ended, so that nothing may be
    followed behind it; or, where not `paused`, it has gone."""

    paused: bool


@dataclass(frozen=True, slots=True)
class TileTouched(News):
    """A person touched a tile of that code in the hand that the coach shows."""

    code: str


@dataclass(frozen=True, slots=True)
class SeatWins(News):
    """A person confirmed that this seat won."""

    seat: int
