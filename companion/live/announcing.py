"""The announcer: the spoken words for an event, the voices that are installed, and the speaker.

People hear a call themselves; the announcer repeats what matters and adds what nobody says: the Sea Floor,
and what a win pays. Voices are espeak-ng, which speaks every language, and piper's, one a file.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.live.tones import is_at_sea
from companion.rules import Source
from companion.table import events
from companion.table.events import Event
from companion.table.state import HandResult, State
from companion.tiles import MeldKind, Suit, Tile, parse_meld
from companion.words.filling import fill


class Weight(IntEnum):
    """The importance of a phrase: the most important is spoken first."""

    TURN = 0
    CLAIM = 1
    END = 2
    WIN = 3
    SEA = 4


@dataclass(frozen=True, slots=True)
class Phrase:
    """text: as it is spoken. chinese: whether in Mandarin, else in English."""

    text: str
    weight: Weight
    chinese: bool


SUITS = {Suit.CHARACTERS: ("characters", "万"), Suit.DOTS: ("dots", "筒"), Suit.BAMBOO: ("bamboo", "条")}
NUMBERS_EN = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
NUMBERS_ZH = "一二三四五六七八九"
HONOURS = (
    ("east", "东风"), ("south", "南风"), ("west", "西风"), ("north", "北风"),
    ("white dragon", "白板"), ("green dragon", "发财"), ("red dragon", "红中"),
)  # fmt: skip
SEA = ("Sea Floor! These are the last tiles.", "海底了！最后几张牌。")
CLAIMS = {
    MeldKind.CHOW: ("{who}: chow.", "{who}，吃。"),
    MeldKind.PUNG: ("{who}: pung.", "{who}，碰。"),
    MeldKind.KONG_DISCARD: ("{who}: kong.", "{who}，杠。"),
}
CONCEALED_KONG = ("{who}: concealed kong.", "{who}，暗杠。")
ADDED_KONG = ("{who}: kong.", "{who}，加杠。")
READY = ("{who:* is|You are} ready.", "{who}，听牌。")
WINS = {
    Source.SELF_DRAW: ("{who:* wins|You win} by self-draw{tile}.", "{who}，自摸{tile}！"),
    Source.DISCARD: ("{who:* wins|You win} on {giver:*'s|your} discard{tile}.", "{who}，胡{giver}的{tile}！"),
    Source.ROBBED_KONG: ("{who:* robs|You rob} {giver:*'s|your} kong{tile}.", "{who}，抢{giver}的杠{tile}！"),
}
PAYS = ("{who:* pays|You pay} {amount}.", "{who}付{amount}。")
FALSE_WIN = ("{who}: false win.", "{who}，诈胡。")
NOBODY_WINS = ("Nobody wins.", "流局。")
GAME_OVER = ("The game is over.", "牌局结束。")
TURN = ("{who}.", "轮到{who}。")


def announce(
    before: State, event: Event, after: State, names: Sequence[str], *, chinese: bool, turns: bool = False
) -> tuple[Phrase, ...]:
    """The phrases for an event that led from `before` to `after`, the most important first.

    names: of the seats, as they are spoken. turns: whether the player whose turn it is is announced too.
    """

    def say(words: tuple[str, str], weight: Weight, **params: object) -> Phrase:
        return Phrase(_fill(words[chinese], **params), weight, chinese)

    said: list[Phrase] = []
    match event:
        case events.Claimed():
            kind = parse_meld(event.meld).kind
            said.append(say(CLAIMS[kind], Weight.CLAIM, who=names[event.seat]))
        case events.ConcealedKong():
            said.append(say(CONCEALED_KONG, Weight.CLAIM, who=names[event.seat]))
        case events.AddedKong():
            said.append(say(ADDED_KONG, Weight.CLAIM, who=names[event.seat]))
        case events.ReadyDeclared():
            said.append(say(READY, Weight.CLAIM, who=names[event.seat]))
        case events.Won() if after.hand is not None and after.hand.results:
            said.append(_say_win(after.hand.results[-1], names, chinese))
        case events.FalseWin():
            said.append(say(FALSE_WIN, Weight.WIN, who=names[event.seat]))
        case events.HandDrawn():
            said.append(say(NOBODY_WINS, Weight.END))
        case events.GameEnded():
            said.append(say(GAME_OVER, Weight.END))
    if is_at_sea(after) and not is_at_sea(before):
        said.append(say(SEA, Weight.SEA))
    if turns and isinstance(event, events.Discarded) and after.hand is not None:
        said.append(say(TURN, Weight.TURN, who=names[after.hand.turn]))
    return tuple(sorted(said, key=lambda phrase: -phrase.weight))


def speak_tile(tile: Tile, *, chinese: bool) -> str:
    """A tile as it is called at the table: "three of bamboo", "三条"."""
    if tile.suit in SUITS:
        suit = SUITS[tile.suit][chinese]
        number = (NUMBERS_EN, NUMBERS_ZH)[chinese][tile.rank - 1]
        return f"{number}{suit}" if chinese else f"{number} of {suit}"
    if tile.suit is Suit.HONORS:
        return HONOURS[tile.rank - 1][chinese]
    return "花" if chinese else "flower"


def _fill(template: str, **params: object) -> str:
    return fill(template, params, str)


def _say_win(result: HandResult, names: Sequence[str], chinese: bool) -> Phrase:
    tile = "" if result.tile is None else speak_tile(result.tile, chinese=chinese)
    if tile and not chinese:
        tile = f", {tile}"
    giver = "" if result.discarder is None else names[result.discarder]
    text = _fill(WINS[result.source][chinese], who=names[result.winner], tile=tile, giver=giver)
    pays = [
        _fill(PAYS[chinese], who=name, amount=str(-amount))
        for name, amount in zip(names, result.score.payments, strict=True)
        if amount < 0
    ]
    return Phrase(("" if chinese else " ").join((text, *pays)), Weight.WIN, chinese)


ESPEAK = ("espeak-ng", "espeak")
PIPER = "piper"
LOOK_S = 15.0
"""The longest wait for piper to identify itself: it loads its libraries first."""
LANGUAGES = {"zh": True, "en": False}
"""Beginnings of the names of piper voices, and whether they speak Chinese."""


@dataclass(frozen=True, slots=True)
class Voice:
    """id: by which it is kept; name: by which it is offered; program: its path; model: the file of a piper
    voice. chinese: whether it speaks Mandarin, or else English; None if it speaks both."""

    id: str
    name: str
    program: str
    model: Path | None = None
    chinese: bool | None = None

    def speaks(self, chinese: bool) -> bool:
        return self.chinese is None or self.chinese is chinese

    def make_command(self, phrase: Phrase, volume: int, wav: Path | None = None) -> list[str]:
        """The command that speaks it, volume 0 to 100, or writes it to `wav` where the voice is a file. The
        text comes on its standard input, never as an option."""
        if self.model is not None:
            return [self.program, "-m", str(self.model), "-f", str(wav)]
        return [self.program, "-v", "cmn" if phrase.chinese else "en", "-a", str(volume * 2), "--stdin"]


def list_voice_folders() -> tuple[Path, ...]:
    """Folders in which voices of piper are searched for."""
    home = Path.home()
    return (
        home / ".local/share/piper-voices", home / ".local/share/piper", home / "piper-voices",
        Path("/usr/local/share/piper-voices"), Path("/usr/share/piper-voices"),
    )  # fmt: skip


def find_voices(folders: Sequence[Path]) -> tuple[Voice, ...]:
    """The voices that are installed, those of piper first: they sound best. It may take seconds."""
    return (*_find_piper(folders), *_find_espeak())


def choose_voice(voices: Sequence[Voice], chinese: bool, wanted: Mapping[bool, str | None]) -> Voice | None:
    """The voice for that language: the one that is wanted, else the first; None if none speaks it."""
    fitting = [voice for voice in voices if voice.speaks(chinese)]
    named = (voice for voice in fitting if voice.id == wanted.get(chinese))
    return next(named, fitting[0] if fitting else None)


def _find_espeak() -> Iterator[Voice]:
    found = next((path for name in ESPEAK if (path := shutil.which(name))), None)
    if found:
        yield Voice("espeak", Path(found).name, found)


def _find_piper(folders: Sequence[Path]) -> Iterator[Voice]:
    models = [
        model
        for folder in folders
        if folder.is_dir()
        for model in sorted(folder.rglob("*.onnx"))
        if model.name.split("_")[0] in LANGUAGES and Path(f"{model}.json").is_file()
    ]
    program = shutil.which(PIPER) if models else None
    if program and _speaks(program):
        for model in models:
            yield Voice(model.stem, model.stem, program, model, LANGUAGES[model.name.split("_")[0]])


def _speaks(program: str) -> bool:
    """Whether it is the speech engine: a program for the buttons of mice has the same name."""
    try:
        said = subprocess.run([program, "--help"], capture_output=True, timeout=LOOK_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"--model" in said.stdout + said.stderr


STALE_S = 6.0
"""A phrase that could not begin within this time is dropped; wins and the Sea Floor are not."""
SAY_MAX_S = 30.0
"""A program that speaks longer than this hangs, and is ended."""

log = logging.getLogger(__name__)


PlayFile = Callable[[Path, int], None]
"""Plays a WAV file at a volume of 0 to 100, and returns when it is over."""


class Speaker:
    """`speak` returns immediately. volume: 0, silent, to 100. voices: of Mandarin, True, and of English,
    False; a language without one is not spoken. play: for voices that write a file."""

    def __init__(
        self,
        voices: Mapping[bool, Voice] | None = None,
        volume: int = 80,
        *,
        play: PlayFile = lambda path, volume: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.volume = volume
        self.voices = voices or {}
        self._play = play
        self._clock = clock
        self._changed = threading.Condition()
        self._waiting: list[tuple[float, Phrase]] = []
        self._closed = False
        self._program: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None

    def speak(self, phrases: Sequence[Phrase]) -> None:
        """Have them spoken, the most important and then the newest first."""
        spoken = [phrase for phrase in phrases if phrase.chinese in self.voices]
        if not spoken or self.volume <= 0:
            return
        with self._changed:
            self._waiting.extend((self._clock(), phrase) for phrase in spoken)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="announcer", daemon=True)
                self._thread.start()
            self._changed.notify()

    def close(self) -> None:
        """Be silent immediately and for good."""
        with self._changed:
            self._closed = True
            self._waiting = []
            if self._program:
                self._program.kill()
            self._changed.notify()

    def _run(self) -> None:
        while (phrase := self._take()) is not None:
            if self.volume > 0:
                try:
                    self._speak(phrase)
                except OSError:
                    log.exception("the speech engine")

    def _take(self) -> Phrase | None:
        """The next phrase, None at the end."""
        with self._changed:
            while not self._closed:
                self._drop_stale()
                if self._waiting:
                    chosen = max(self._waiting, key=lambda waiting: (waiting[1].weight, waiting[0]))
                    self._waiting.remove(chosen)
                    return chosen[1]
                self._changed.wait()
            return None

    def _drop_stale(self) -> None:
        oldest = self._clock() - STALE_S
        self._waiting = [
            (since, phrase)
            for since, phrase in self._waiting
            if since >= oldest or phrase.weight >= Weight.WIN
        ]

    def _speak(self, phrase: Phrase) -> None:
        voice = self.voices.get(phrase.chinese)
        if voice is None:
            return
        if voice.model is None:
            self._run_program(voice.make_command(phrase, self.volume), phrase)
            return
        with TemporaryDirectory(prefix="voice-") as folder:
            wav = Path(folder) / "said.wav"
            if self._run_program(voice.make_command(phrase, self.volume, wav), phrase) and wav.is_file():
                self._play(wav, self.volume)

    def _run_program(self, command: list[str], phrase: Phrase) -> bool:
        """Whether the program ran to its end, and nobody wants silence since."""
        with self._changed:
            if self._closed:
                return False
            self._program = program = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        try:
            program.communicate(phrase.text.encode(), timeout=SAY_MAX_S)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
        return not self._closed and program.returncode == 0
