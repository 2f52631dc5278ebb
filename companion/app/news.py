"""Messages between the features of the window, sent through the shell to all of them. Frozen values, no
Kivy."""

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
    """A message to all features; each feature ignores messages for others."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Started(News):
    """The window is open, and no picture was given to it."""


@dataclass(frozen=True, slots=True)
class PictureProgress(News):
    """The progress of the picture that the feature requested."""

    doing: Sentence


@dataclass(frozen=True, slots=True)
class PictureOpened(News):
    """The file is a picture."""

    path: Path
    shown: ShownPicture


@dataclass(frozen=True, slots=True)
class PictureRead(News):
    """The end of a request; reading is None if only the picture was wanted."""

    path: Path
    reading: Reading | None


@dataclass(frozen=True, slots=True)
class PictureFailed(News):
    """The file cannot be opened or read."""

    path: Path
    why: Sentence


@dataclass(frozen=True, slots=True)
class ChoosePicture(News):
    """Choose a picture, or take one with the camera, for the feature at work."""

    from_camera: bool


@dataclass(frozen=True, slots=True, eq=False)
class PictureTaken(News):
    """Save this picture from a camera and pass it to the active feature."""

    image: Image


@dataclass(frozen=True, slots=True)
class PictureLost(News):
    """A picture that was taken could not be saved: it is lost."""


@dataclass(frozen=True, slots=True)
class PictureChosen(News):
    """The user chose, took or dropped this picture for the feature that receives this."""

    path: Path


@dataclass(frozen=True, slots=True)
class TileSetChanged(News):
    """The name of the tile set in use; `again`: pictures on the screen are to be read with it."""

    name: str | None
    again: bool


@dataclass(frozen=True, slots=True)
class TilesNamed(News):
    """Learn these tiles of a picture: each quad with its code, None to leave it out.

    word: a set that is new is called by it and a number.
    """

    path: Path
    tiles: tuple[tuple[Quad, str | None], ...]
    word: str


@dataclass(frozen=True, slots=True)
class TilesLearned(News):
    """The tiles that were named last are learned."""


@dataclass(frozen=True, slots=True)
class TileRefused(News):
    """The tile there, of those that were named last, is why they were not learned."""

    quad: Quad


@dataclass(frozen=True, slots=True)
class LessonUnwanted(News):
    """Undo the last lesson from named tiles."""


@dataclass(frozen=True, slots=True)
class DeviceWanted(News):
    """Listen to this device from now on: a port or an address."""

    target: str


@dataclass(frozen=True, slots=True)
class GameAtTable(News):
    """The game at the table: a rule set's name, the house options that differ from it, and the dealer's
    seat."""

    rules: str
    options: tuple[tuple[str, OptionValue], ...]
    dealer: int


@dataclass(frozen=True, slots=True)
class NewGameWanted(News):
    """Begin this game under a new name, and show it."""

    start: GameStarted


@dataclass(frozen=True, slots=True)
class NextGameWanted(News):
    """Prepare a new game, by default with the players and rules of the last one."""


@dataclass(frozen=True, slots=True)
class PracticeWanted(News):
    """Choose a practice game."""


@dataclass(frozen=True, slots=True)
class PracticeTableWanted(News):
    """Show the table of the running practice game."""


@dataclass(frozen=True, slots=True)
class KeptGameWanted(News):
    """Continue the kept game of that name, and show it."""

    name: str


@dataclass(frozen=True, slots=True)
class TableWanted(News):
    """Show the table of the running game."""


@dataclass(frozen=True, slots=True)
class WinEntryWanted(News):
    """Enter a win into the running game. seat: of the winner, None if not known yet. at_once: whether the win
    is on the last tile discarded or drawn, not on the next one."""

    seat: int | None = None
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class HandPicture:
    """The place of a winning hand in a picture, px."""

    path: Path
    quads: tuple[Quad, ...]


@dataclass(frozen=True, slots=True)
class PastWinWanted(News):
    """Enter again how a finished hand was won. state: of its game before the end. seat: of the winner, None
    to ask. fortune: the code of the wild kind, if known. won: the win as it was entered, if that seat's."""

    state: State
    seat: int | None = None
    fortune: str | None = None
    won: ReportedWin | None = None


@dataclass(frozen=True, slots=True)
class PastWinEntered(News):
    """The wins of that finished hand, one for each winner; none if nothing was entered. pictures: of their
    hands, in the same order."""

    wins: tuple[ReportedWin, ...] = ()
    pictures: tuple[HandPicture | None, ...] = ()


@dataclass(frozen=True, slots=True)
class HandShownWanted(News):
    """Enter a hand that a player shows after its end. seat: of the player, None if not known yet."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class HandEndWanted(News):
    """End the current hand other than by a win, or enter a penalty. ending: the key of the ending, None to
    choose one; seat: whose it is."""

    ending: str | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class SheetWanted(News):
    """Show the score sheet of a game. name: of the kept game, None for the running one. at_last_hand: at the
    hand that ended last. fixes: the number of an event whose hand is to be corrected. settles: at who pays
    whom. shows: the number of an event that is shown on the replayed table, with what it cost."""

    name: str | None = None
    at_last_hand: bool = False
    fixes: int | None = None
    settles: bool = False
    shows: int | None = None


@dataclass(frozen=True, slots=True)
class GamesWanted(News):
    """Show the list of games."""


@dataclass(frozen=True, slots=True)
class StepShown(News):
    """The hand at `place` of the sheet is shown, at event `number`, 0 for its result. sheet: None when no
    hand is shown any more. game: the name of the kept game, None for the running one."""

    sheet: Sheet | None = None
    place: int = 0
    number: int = 0
    game: str | None = None


@dataclass(frozen=True, slots=True)
class StepWanted(News):
    """Show event `number` of the hand on the score sheet."""

    number: int


@dataclass(frozen=True, slots=True)
class AdviceWanted(News):
    """Advise a discard from these tiles. fields: of a score request: rules, options, hand, melds, flowers,
    and those of the game; and `seen`, open tiles on the table."""

    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class OpenTilesWanted(News):
    """Enter the open tiles on the table for the hand that needs advice."""


@dataclass(frozen=True, slots=True)
class SettingsWanted(News):
    """Show the settings."""


@dataclass(frozen=True, slots=True)
class OtherGameSuspected(News):
    """The hand may be scored by the rules of another game."""


@dataclass(frozen=True, slots=True)
class HelpWanted(News):
    """Show the help pages."""


@dataclass(frozen=True, slots=True)
class LanguageChanged(News):
    """The window uses this language from now on."""

    language: Language


@dataclass(frozen=True, slots=True)
class SoundWanted(News):
    """Play this sound."""

    cue: Cue


@dataclass(frozen=True, slots=True)
class CameraChosen(News):
    """The user chose this camera, by its id, for every use."""

    camera: str


@dataclass(frozen=True, slots=True)
class FilmWanted(News):
    """Choose a film to follow."""


@dataclass(frozen=True, slots=True)
class FilmChosen(News):
    """The user chose this film, a video, to follow."""

    path: Path


@dataclass(frozen=True, slots=True)
class CornersWanted(News):
    """Show and correct the table's corners in the camera's picture."""


@dataclass(frozen=True, slots=True)
class DevicePageWanted(News):
    """Show the page of dice cups and tables."""


@dataclass(frozen=True, slots=True)
class PhonesWanted(News):
    """Show the page of phones and television."""


@dataclass(frozen=True, slots=True)
class ClubWanted(News):
    """Show the page of the club for which the running game is published."""


@dataclass(frozen=True, slots=True)
class PackingWanted(News):
    """Pack the scored photo, the tiles read in it and the corrections into one file."""


@dataclass(frozen=True, slots=True)
class PackingAgreed(News):
    """The user has seen what goes into that file and wants it written."""


@dataclass(frozen=True, slots=True)
class FairGameSet(News):
    """Whether fair game is on: then the tiles left and the coach's advice are hidden. Sent when the window
    opens and whenever it changes."""

    fair: bool


@dataclass(frozen=True, slots=True)
class ProfileWanted(News):
    """Show and edit the house options of a saved profile. name: None for a new one."""

    name: str | None = None


@dataclass(frozen=True, slots=True)
class ProfilesChanged(News):
    """Saved profiles were added, changed or removed. name: of the one that was changed last."""

    name: str | None = None


@dataclass(frozen=True, slots=True)
class GamePicked(News):
    """The user picked a game in the feature `by`, which does not know which table of it is played. rules:
    None to choose among the tables of all games."""

    rules: str | None
    by: str


@dataclass(frozen=True, slots=True)
class TableRulesChosen(News):
    """The answer to `GamePicked`: the options, those of play included, and the stakes. cap: the
    limit of each player's share of a win, in points. table: the name of the user's own house rules, "" for
    others."""

    by: str
    rules: str
    options: Mapping[str, OptionValue]
    stakes: Stakes
    currency: Currency | None = None
    cap: int | None = None
    table: str = ""


@dataclass(frozen=True, slots=True)
class TableRulesCancelled(News):
    """The other answer to `GamePicked`: the user went back."""

    by: str


@dataclass(frozen=True, slots=True)
class ScorePhotoWanted(News):
    """Score a hand without a game. picture: of the hand, if there is one already."""

    picture: Path | None = None


@dataclass(frozen=True, slots=True)
class Covered(News):
    """Another feature's page now covers the page of the feature that receives this."""


@dataclass(frozen=True, slots=True)
class Uncovered(News):
    """The page of the feature that receives this is in front again."""


@dataclass(frozen=True, slots=True)
class FollowingPaused(News):
    """A page that uses the camera or ends the hand has come to the front, so that following pauses; or, if
    not `paused`, it has gone."""

    paused: bool


@dataclass(frozen=True, slots=True)
class HandAdvised(News):
    """What the coach shows at the hand of the running game. notes: by code of a tile its chance of dealing
    in, in words; best: the code of the tile that it would discard."""

    notes: Mapping[str, str]
    best: str | None = None


@dataclass(frozen=True, slots=True)
class SeatWins(News):
    """The user confirmed that this seat won."""

    seat: int
