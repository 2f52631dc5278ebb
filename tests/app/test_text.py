"""Every sentence that the window can show has its translation, and the translation fits its sentence."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from PIL import ImageFont

import companion
from companion import errors, files, foreign, held_folder, money, moving, named_files, profiles
from companion.art import font_path
from companion.cameras.sources import CANNOT_OPEN_STREAM, SILENT_STREAM
from companion.coach import messages as coach_messages
from companion.commands.coach import COACH_SENTENCES
from companion.following import decoder, device_messages
from companion.following.decoder import NOT_OF_GAME, OTHER_HAND, UNEXPLAINED, UNREADABLE
from companion.game import messages as history_messages
from companion.game import shelf
from companion.live.follower import describe_lost
from companion.rules import RULE_SETS, TEMPLATES
from companion.rules.fields import FIELDS, LABELS
from companion.rules.profile import list_house_options
from companion.rules.scoring import WORTHS
from companion.rules.stated import STATED_ROW
from companion.rules.win import STAKE_SENTENCES, explain_stake
from companion.seeing import table_camera
from companion.seeing.sights import NO_TABLE
from companion.sentences import Sentence
from companion.table import messages
from companion.table.events import Call
from companion.tiles import parse_tiles
from companion.tiles.tile import TEMPLATES as TILE_TEMPLATES
from companion.tiles.tile import TileRun
from companion.vision import set_files
from companion.words import Language, Words, catalogue
from firmware_bridge import troubles
from firmware_bridge.peer import End

PACKAGE = Path(companion.__file__).parent
CHINESE = (Language.SIMPLIFIED, Language.TRADITIONAL)
METHODS = [("**.py", "python"), ("**.html", "jinja2")]
KEYWORDS = {"words": None, "_words": None, "Sentence": None, "msgid": None}


SPEAKING = (
    *("app", "cameras", "club", "coach", "following", "game", "live", "photo_hand", "seeing"),
    *("publish", "serve", "sheets", "words"),
)
"""Folders whose sentences the window says."""

TAUGHT = ("teaching.py", "learned.py", "set_files.py")
"""Files of reading whose errors about what a person gave are shown in the window."""


PARAMETERS = ("cannot_open", "sentence")
"""Variables for one of several templates, of LiveCamera and PiCamera."""


def of_the_window() -> set[str]:
    """What the window says, and what is said in it by the floors below."""
    return {
        message
        for folder in SPEAKING
        for _, _, message, _, _ in extract_from_dir(PACKAGE / folder, method_map=METHODS, keywords=KEYWORDS)
        if isinstance(message, str)
    }


def of_the_rules() -> set[str]:
    found = {*TEMPLATES, *LABELS, *TILE_TEMPLATES, *WORTHS, *STAKE_SENTENCES}
    for rules in RULE_SETS.values():
        found |= {rules.title, rules.source}
        for option in rules.options:
            values = () if isinstance(option.values, range) else option.values
            found |= {value.replace("_", " ") for value in values if isinstance(value, str)}
    return found


def named_by_the_rules() -> set[str]:
    """Names in simplified characters, which stand in the rules themselves."""
    found = {STATED_ROW.name_zh, STATED_ROW.meaning_zh}
    for rules in RULE_SETS.values():
        found |= {rules.title_zh}
        found |= {name for each in rules.situations for name in (each.label_zh, each.name_zh)}
        for table in (None, *rules.other_tables):
            found |= {name for row in rules.rows_of(table) for name in (row.name_zh, row.meaning_zh)}
        found |= {option.meaning_zh for option in list_house_options(rules)}
        found |= {explain_stake(key, rules.unit)[1] for key in rules.stakes}
    return found


def of_the_coach() -> set[str]:
    """Why a choice is good or bad, and what a review says."""
    refusals = coach_messages.NOT_DECIDING, coach_messages.UNKNOWN_TILES
    return {*coach_messages.WHY, *refusals, *coach_messages.REVIEW, *COACH_SENTENCES}


def of_the_requests() -> set[str]:
    """What is wrong with a request for advice: its seats are numbers there, and no people."""
    return set(coach_messages.REQUESTS)


def of_the_devices() -> set[str]:
    """What is said of ports, devices and where a camera stands, and of what is reported or seen that does not
    fit the game."""
    ends = {end.value for end in End}
    return {
        *device_messages.SENTENCES, *table_camera.SENTENCES, *troubles.SENTENCES, *ends, decoder.UNEXPLAINED
    }  # fmt: skip


def of_the_files() -> set[str]:
    """Why a file cannot be read or found."""
    kinds = (profiles.FILES, set_files.FILES, shelf.FILES)
    words = {word for each in kinds for word in (each.kind, each.kinds)}
    ready = {
        text
        for each in profiles.READY_MADE
        for text in (each.title, each.meaning, each.written, each.checked, each.fan, profiles.ABOUT)
        if text
    }
    said = (
        *files.SENTENCES,
        *foreign.LIMIT_SENTENCES,
        *held_folder.SENTENCES,
        *named_files.SENTENCES,
        profiles.UNKNOWN,
        *moving.SENTENCES,
        *foreign.SENTENCES,
    )
    return {*ready, *said, errors.CLOSEST, *words}


def of_the_games() -> set[str]:
    """What a table refuses, what is wrong with the files of games and with money, and the calls."""
    return {*messages.ALL, *history_messages.ALL, *money.ALL, *(call.value for call in Call)}


def of_the_errors() -> set[str]:
    """First arguments of every error that cameras, models, pictures and lessons raise, named constants looked
    up."""
    found = set()
    for floor in ("cameras", "vision"):
        for path in (PACKAGE / floor).rglob("*.py"):
            also = ("InputError", "Sentence") if path.name in TAUGHT else ()
            tree = ast.parse(path.read_text(encoding="utf-8"))
            constants = {
                target.id: node.value.value
                for node in tree.body
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
                for target in node.targets
                if isinstance(target, ast.Name)
            }
            for node in ast.walk(tree):
                name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
                if name not in ("CameraError", "ModelError", "PictureError", *also):
                    continue
                assert isinstance(node, ast.Call)
                first = node.args[0]
                if isinstance(first, ast.Attribute) or getattr(first, "id", None) in PARAMETERS:
                    continue  # what is given for it is marked by msgid
                template = first.value if isinstance(first, ast.Constant) else constants[first.id]  # type: ignore[attr-defined]
                found.add(template)
    return found


@pytest.mark.parametrize("language", CHINESE)
@pytest.mark.parametrize(
    "source",
    [
        of_the_window, of_the_rules, of_the_coach, of_the_requests, of_the_devices, of_the_games,
        of_the_files, of_the_errors,
    ],
)  # fmt: skip
def test_everything_said_is_translated(source: object, language: Language) -> None:
    messages = source()  # type: ignore[operator]
    assert len(messages) > 5
    assert sorted(messages - set(catalogue(language))) == []


def test_every_name_in_the_rules_has_its_traditional_form() -> None:
    assert sorted(named_by_the_rules() - set(catalogue(Language.TRADITIONAL))) == []


@pytest.mark.parametrize("language", Language)
def test_a_translation_uses_only_the_parameters_of_its_sentence(language: Language) -> None:
    for message, translation in catalogue(language).items():
        assert fields(translation) <= fields(message), message


@pytest.mark.parametrize("language", CHINESE)
def test_no_translation_is_left_over(language: Language) -> None:
    known = (
        of_the_window()
        | of_the_rules()
        | of_the_coach()
        | of_the_requests()
        | of_the_devices()
        | of_the_games()
        | of_the_files()
        | of_the_errors()
    )
    known |= set(request_words())
    if language is Language.TRADITIONAL:
        known |= named_by_the_rules()
    assert sorted(set(catalogue(language)) - known) == []


def test_the_font_has_every_character_that_is_said() -> None:
    font = ImageFont.truetype(str(font_path()), 20)
    said = {character for language in Language for text in catalogue(language).values() for character in text}
    said |= {character for text in named_by_the_rules() for character in text}
    nothing = bytes(font.getmask("\uffff"))
    missing = [character for character in said if bytes(font.getmask(character)) == nothing]
    assert sorted(set(missing) - {" ", "\n"}) == []


def test_sentences_within_sentences_are_translated_too() -> None:
    inner = Sentence("{count} to check", {"count": 3})
    outer = Sentence("The camera stopped ({why}); plug it in again, or choose a picture.", {"why": inner})
    assert "3 张待确认" in Words(Language.SIMPLIFIED).say(outer)


@pytest.mark.parametrize("language", CHINESE)
@pytest.mark.parametrize(
    "template",
    [CANNOT_OPEN_STREAM, SILENT_STREAM, NO_TABLE, NOT_OF_GAME, OTHER_HAND, UNREADABLE, UNEXPLAINED],
)
def test_why_a_game_is_lost_is_said_in_the_language_of_the_window(template: str, language: Language) -> None:
    why = Sentence(template, {"name": "1"} if "{name}" in template else {})
    said = Words(language).say(describe_lost(why))
    assert not re.search("[A-Za-z]|--", said)
    assert "--" not in str(describe_lost(why)), "an option of the command line"


def test_a_seat_is_a_person_in_every_sentence_of_the_window() -> None:
    templates = of_the_games() | of_the_coach()
    seats = {each: set(re.findall(r"[Ss]eat {(\w+)}", each)) for each in templates}
    for language in Language:
        for template, asked in seats.items():
            said = catalogue(language).get(template, "")
            named = set(re.findall(r"{(\w+):", said))
            assert named >= asked & fields(said), f"{language}: {template}"
            assert not asked or said, f"{language}: {template}"


@pytest.mark.parametrize("language", Language)
def test_players_are_called_by_their_names(language: Language) -> None:
    words = Words(language, ("", "Bo", "陈姐", ""))
    refusal = messages.NOT_ON_TURN
    said = [words(refusal, seat=seat, right=right) for seat, right in ((1, 2), (0, 1), (3, 0))]
    assert said == {
        Language.ENGLISH: [
            "It is not Bo's turn: it is 陈姐's.", "It is not your turn: it is Bo's.",
            "It is not Left's turn: it is yours.",
        ],
        Language.SIMPLIFIED: [
            "没轮到Bo：轮到的是陈姐。", "没轮到本家：轮到的是Bo。", "没轮到上家：轮到的是本家。",
        ],
        Language.TRADITIONAL: [
            "沒輪到Bo：輪到的是陈姐。", "沒輪到本家：輪到的是Bo。", "沒輪到上家：輪到的是本家。",
        ],
    }[language]  # fmt: skip


def test_one_is_said_otherwise_than_many() -> None:
    words = Words(Language.ENGLISH)
    said = [words(each, count=count) for each in ("{count} hands", "{count} games") for count in (0, 1, 2)]
    assert said == ["0 hands", "1 hand", "2 hands", "0 games", "1 game", "2 games"]
    assert words("{tile}", tile="1p") == "1 dot"
    run = TileRun(tuple(parse_tiles("123p")), "123p")
    assert words("{tiles}", tiles=run) == "1-2-3 dots"
    assert words("{away} from ready: {count} tiles bring it nearer.", away=2, count=1) == (
        "2 from ready: 1 tile brings it nearer."
    )


def request_words() -> list[str]:
    """Words of a score request that appear as parameters of sentences."""
    situations = [situation.id for rules in RULE_SETS.values() for situation in rules.situations]
    return [*situations, *FIELDS]


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize(
    ("code", "english", "simplified", "traditional"),
    [("1m", "1 character", "一万", "一萬"), ("7s", "7 bamboo", "七条", "七條"),
     ("9p", "9 dots", "九筒", "九筒"), ("6z", "Green", "发财", "發財"), ("2f", "Orchid", "兰花", "蘭花"),
     ("7f", "Autumn", "秋", "秋")],
)  # fmt: skip
def test_tiles_are_called_as_players_call_them(
    code: str, english: str, simplified: str, traditional: str
) -> None:
    said = [Words(language)("{tile}", tile=code) for language in Language]
    assert said == [english, simplified, traditional]


OTHER_WORDS = {
    Language.SIMPLIFIED: r"(?<![片头机])和牌|[和食]了|食胡|放炮|放[铳枪]|[槓莊]",
    Language.TRADITIONAL: r"(?<![片頭機])和牌|[和食]了|食胡|點炮|放炮|[杠庄]",
}
"""For what has one word in each script: 胡, 点炮 or 放槍, 杠 or 槓, 庄 or 莊."""


@pytest.mark.parametrize("language", CHINESE)
def test_one_thing_has_one_word(language: Language) -> None:
    said = catalogue(language).values()
    assert [text for text in said if re.search(OTHER_WORDS[language], text)] == []


@pytest.mark.parametrize("language", CHINESE)
def test_a_declared_ready_hand_has_one_name(language: Language) -> None:
    """As a button of a win and of the table, and as a row of the score."""
    words, rules = Words(language), RULE_SETS["taiwanese"]
    situation = next(each for each in rules.situations if each.id == "ready")
    row = next(each for each in rules.rows if each.id == "ready")
    names = {words.both(situation.label, situation.label_zh)[0], words.both(row.name, row.name_zh)[0]}
    assert names == {words("Ready"), words("Call ready")}
    assert len(names) == 1
