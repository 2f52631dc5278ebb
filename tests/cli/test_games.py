"""`companion games`: the kept games on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from companion.game import shelf
from companion.game.game import Game
from companion.money import Currency
from companion.table.events import GameStarted, PointsMoved
from tests.programs import LIMIT_S, started

Call = Callable[..., Any]


@pytest.fixture
def friday() -> Path:
    """A game with two payments, of which one was undone."""
    path = shelf.path_of("friday")
    with Game.begin(path, GameStarted(rules="hefei", names=("Ann", "Bo", "陈", "Dee"))) as game:
        game.append(PointsMoved(points=(5, -5, 0, 0), why="a bet"), "bet 1")
        game.append(PointsMoved(points=(9, -9, 0, 0), why="no bet"))
        game.undo()
    return path


def test_no_game(call: Call) -> None:
    assert call("games", "list", "--json").document == []
    assert call("games", "list").out == "No game is kept.\n"
    assert "No game 'friday'. No games are saved yet." in call("games", "export", "friday").refused(2)


def test_games_are_listed_damaged_and_open_ones_too(call: Call, friday: Path) -> None:
    friday.with_name("sunday.game").write_bytes(b"East, South, West, North. " * 1000)
    friday, sunday = call("games", "list", "--json").document
    assert (friday["name"], friday["rules"], friday["points"]) == ("friday", "hefei", [5, -5, 0, 0])
    assert (friday["names"], friday["events"], friday["entries"]) == (["Ann", "Bo", "陈", "Dee"], 2, 4)
    assert sunday["name"] == "sunday"
    assert "is damaged: its beginning is not that of a game" in sunday["error"]
    with Game.resume(Path(friday["file"])):
        assert "friday  The game 'friday' is open in another program" in call("games", "list").out
    assert (
        "friday  Hefei, 1 payment, Ann: 5, Bo: −5, 陈: 0, Dee: 0; last played 20" in call("games", "list").out
    )
    assert "companion games rescue NAME" in call("games", "list").out


def test_an_empty_game_file_is_listed_as_damaged_and_kept(call: Call, friday: Path) -> None:
    empty = friday.with_name("sunday.game")
    empty.touch()
    sunday = call("games", "list", "--json").document[1]
    assert (sunday["name"], sunday["damaged"]) == ("sunday", True)
    assert f"The game file '{empty}' is damaged: nothing is in it" in sunday["error"]
    kept = next(each for each in call("doctor", "--json").document["checks"] if each["what"] == "kept files")
    assert str(empty) in kept["to_do"]
    assert "nothing is in it" in call("games", "export", "sunday").refused(3)
    assert empty.read_bytes() == b""


@pytest.mark.parametrize("form", ["log", "history"])
def test_a_game_goes_out_and_comes_in_again(call: Call, friday: Path, tmp_path: Path, form: str) -> None:
    file = tmp_path / "friday.jsonl"
    assert call("games", "export", "friday", "--as", form, "--to", str(file), "--json").document == {
        "name": "friday", "as": form, "file": str(file)
    }  # fmt: skip
    assert call("games", "export", "friday", "--as", form, "--json").document["text"] == file.read_text(
        "utf-8"
    )
    document = call("games", "import", "saturday", str(file), "--json").document
    assert (document["name"], document["points"], document["entries"]) == (
        "saturday", [5, -5, 0, 0], {"log": 2, "history": 4}[form]
    )  # fmt: skip
    assert "A game 'saturday' exists already" in call("games", "import", "saturday", str(file)).refused(2)
    assert "exists already: give another name to --to" in call(
        "games", "export", "friday", "--to", str(file)
    ).refused(2)


def test_a_table_goes_out_and_comes_in_again(call: Call, friday: Path, tmp_path: Path) -> None:
    file = tmp_path / "friday.csv"
    assert call("games", "export", "friday", "--as", "csv", "--to", str(file)).status == 0
    assert file.read_text("utf-8-sig").splitlines()[1] == (
        '0,"","","","moved","","a bet","",5,-5,0,0,5,-5,0,0' + ',""' * 5
    )
    assert "name its rules: --rules NAME" in call("games", "import", "new", str(file)).refused(2)
    document = call("games", "import", "new", str(file), "--rules", "hefei", "--json").document
    assert (document["points"], document["events"], document["payments"]) == ([5, -5, 0, 0], 2, 1)
    assert "new  Hefei, 1 payment, Ann: 5" in call("games", "list").out
    assert call("games", "import", "other", str(file), "--rules", "香港").out.startswith("other  Hong Kong, ")
    assert "companion: --rules must be hefei or" in call(
        "games", "import", "chess", str(file), "--rules", "chess"
    ).refused(2)


def test_a_bad_line_makes_no_game(call: Call, friday: Path, tmp_path: Path) -> None:
    file = tmp_path / "friday.jsonl"
    call("games", "export", "friday", "--to", str(file))
    file.write_bytes(file.read_bytes()[:-20])
    assert "Line 3: " in call("games", "import", "new", str(file)).refused(2)
    assert shelf.names() == ["friday"]
    assert "cannot be read" in call("games", "import", "new", str(tmp_path / "none")).refused(2)


def test_a_damaged_game_is_rescued(call: Call, friday: Path) -> None:
    content = friday.read_bytes()
    friday.write_bytes(content.replace(b'"no bet"', b'"an bet"'))
    assert "is damaged: entry 3 is not valid" in call("games", "export", "friday").refused(3)
    document = call("games", "rescue", "friday", "friday-2", "--json").document
    assert (document["name"], document["points"], document["entries"]) == ("friday-2", [5, -5, 0, 0], 2)
    (lost, undo), put_in = document["left_out"], document["put_in"]
    assert (document["kept"], lost["number"], undo["number"], put_in) == (2, 3, 4, [])
    assert '"why":"an bet"' in lost["text"]
    assert undo["why"] == "It undoes or redoes only entries that are left out."
    file = Path(document["left_out_file"])
    assert [json.loads(line) for line in file.read_text().splitlines()] == [lost, undo]
    shown = call("games", "rescue", "friday", "friday-3").out
    assert "Entries kept: 2; left out: 2." in shown
    assert '3  left out: It has been changed or damaged. {"event":"points_moved",' in shown
    assert "friday-3.left-out.jsonl" in shown
    assert "No game 'nix'. Saved games: friday, friday-2, friday-3." in call(
        "games", "rescue", "nix", "new"
    ).refused(2)


NAMES = [flag for name in ("Ann", "Bo", "陈", "Dee") for flag in ("--player", name)]


def hand_of(call: Call, folder: Path) -> tuple[list[bytes], list[int]]:
    """The lines of a hand's log, without its header and the event that begins the game; what it paid."""
    document = call("simulate", "--rules", "hefei", "--seed", 1, "--events", folder, "--json").document
    [hand] = document["hands"]
    return Path(hand["log"]).read_bytes().splitlines(keepends=True)[2:], hand["points"]


def test_a_game_is_kept_as_it_is_played(call: Call, tmp_path: Path) -> None:
    hand, points = hand_of(call, tmp_path)
    begun = call("games", "begin", "friday", "--rules", "hefei", *NAMES, "--json").document
    assert (begun["names"], begun["hands"], begun["playing"]) == (["Ann", "Bo", "陈", "Dee"], 0, False)
    printed = call("games", "add", "friday", stdin=b"".join(hand[:5])).out.splitlines()
    assert [line.split("  ")[0] for line in printed] == ["2", "3", "4", "5", "6"]
    assert "left, next at " in printed[0]
    assert ", the next in play, " in call("games", "list").out
    stands = printed[2].partition("  ")[2]
    assert call("games", "undo", "friday", 2).out == f"7  the game stands after: {stands}\n"
    assert call("games", "redo", "friday", "--json").document == {"entry": 8, "events": 5, "undone": 1}
    stands = printed[4].partition("  ")[2]
    assert call("games", "redo", "friday").out == f"9  the game stands after: {stands}\n"
    answers = call("games", "add", "friday", "-", "--json", stdin=b"".join(hand[5:])).out.splitlines()
    assert json.loads(answers[-1]) == {"line": len(hand) - 5, "entry": len(hand) + 4, "new": True}
    game = call("games", "list", "--json").document[0]
    assert (game["hands"], game["playing"], game["points"]) == (1, False, points)
    log = call("games", "export", "friday").out.encode().splitlines(keepends=True)
    assert log[2:] == hand


def test_events_that_cannot_be_are_refused_and_what_came_before_is_kept(call: Call, tmp_path: Path) -> None:
    hand, _ = hand_of(call, tmp_path)
    call("games", "begin", "friday", "--rules", "hefei")
    run = call("games", "add", "friday", stdin=b"".join([*hand[:3], hand[0]]))
    assert run.status == 2
    assert len(run.out.splitlines()) == 3
    assert "Line 4: hand_started can only happen between hands" in run.complaint
    assert "Neither this line nor any after it was entered." in run.complaint
    dealt = json.dumps({"event": "dealt", "hands": ["1m" * 14, None, None, None]}).encode()
    call("games", "undo", "friday", 2)
    assert "(C-" in call("games", "add", "friday", stdin=dealt.replace(b"1m1m", b"")).refused(2)
    assert call("games", "list", "--json").document[0]["events"] == 2
    assert "9 cannot be undone: at most 1 can be." in call("games", "undo", "friday", 9).refused(2)
    assert "3 cannot be redone: at most 2 can be." in call("games", "redo", "friday", 3).refused(2)
    assert "STEPS" in call("games", "undo", "friday", 0).refused(2)
    for command in ("add", "undo", "redo"):
        assert "No game 'monday'. Saved games: friday." in call("games", command, "monday").refused(2)
    assert "cannot be read" in call("games", "add", "friday", tmp_path / "none").refused(2)


def test_a_game_is_begun_by_the_rules_of_the_table(call: Call) -> None:
    call("rules", "hefei", "--option", "win_row=0", "--save", "home")
    begun = ("games", "begin", "friday", "--profile", "home", "--option", "sea_must_win=true")
    assert call(*begun).out.startswith("friday  Hefei, 0 hands, You: 0, Right: 0, Across: 0, Left: 0;")
    options = json.loads(call("games", "export", "friday").out.splitlines()[1])["options"]
    assert (options["win_row"], options["sea_must_win"], options["seven_pairs"]) == (0, True, True)


def test_a_game_is_begun_with_the_stakes_and_the_money_of_the_table(call: Call) -> None:
    begun = ("games", "begin", "friday", "--rules", "taiwanese", "--stakes", "base=100,unit=20")
    document = call(*begun, "--currency", "NT$", "--json").document
    assert document["stakes"] == {"base": 100, "unit": 20}
    start = json.loads(call("games", "export", "friday").out.splitlines()[1])
    assert start["stakes"] == {"base": 100, "unit": 20}
    assert start["currency"] == {"symbol": "NT$", "point": "1", "coin": "1"}
    assert "Taiwanese is played, base 100, 20 per tai" in call("games", "show", "friday", COLUMNS="200").out
    assert "stakes" not in start_of(call, "--rules", "hefei")
    assert start_of(call, "--rules", "hefei", "--stakes", "unit=5")["stakes"] == {"base": 0, "unit": 5}
    money = ("--currency", "chips", "--point", "0.5")
    assert start_of(call, "--rules", "hefei", *money)["currency"]["coin"] == "0.5"


def test_a_game_of_a_ready_made_table_has_the_stakes_and_the_money_that_it_suggests(call: Call) -> None:
    taiwan = ("--profile", "taiwanese-common")
    start = start_of(call, *taiwan)
    assert start["stakes"] == {"base": 100, "unit": 20}
    assert start["currency"] == {"symbol": "NT$", "point": "1", "coin": "10"}
    changed = ("--option", "single_wait_added=true", "--stakes", "base=50,unit=10", "--coin", "5")
    start = start_of(call, *taiwan, *changed)
    assert start["stakes"] == {"base": 50, "unit": 10}
    assert start["currency"] == {"symbol": "NT$", "point": "1", "coin": "5"}
    hong_kong = ("--profile", "hong-kong-common")
    money = start_of(call, *hong_kong, "--currency", "chips", "--point", "2")["currency"]
    assert money == {"symbol": "chips", "point": "2", "coin": "1"}, "the coin follows the point"
    assert start_of(call, *hong_kong)["currency"] == {"symbol": "HK$", "point": "0.5", "coin": "0.5"}
    assert "currency" not in start_of(call, *hong_kong, "--currency", "")
    assert "The currency '' cannot be used" in call(
        "games", "begin", "new", *hong_kong, "--currency", "", "--point", "2"
    ).refused(2)


def test_a_profile_that_a_person_saved_suggests_no_stakes(call: Call) -> None:
    call("rules", "--profile", "taiwanese-common", "--save", "taiwanese-common")
    start = start_of(call, "--profile", "taiwanese-common")
    assert (start["options"]["preset"], "stakes" in start, "currency" in start) == ("common", False, False)


def start_of(call: Call, *flags: str) -> dict[str, Any]:
    """What is kept of the beginning of a game with these flags."""
    name = f"game {len(shelf.names())}"
    call("games", "begin", name, *flags)
    start: dict[str, Any] = json.loads(call("games", "export", name).out.splitlines()[1])
    return start


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--stakes", "base=5"), "--stakes base must be 0 or left out: Hefei"),
        (("--stakes", "unit=0"), "--stakes must not all be 0"),
        (("--stakes", "20"), "--stakes must be whole numbers as in base=100,unit=20, not '20'."),
        (("--point", "1"), "--point and --coin need --currency SYMBOL."),
        (("--coin", "1"), "--point and --coin need --currency SYMBOL."),
        (("--currency", "NT$", "--point", "-1"), "One point cannot be worth '-1'"),
        (("--currency", "NT$", "--coin", "x"), "The smallest coin cannot be 'x'"),
        (("--currency", "", "--point", "2"), "The currency '' cannot be used"),
    ],
)
def test_a_game_is_not_begun_with_wrong_stakes_or_money(
    call: Call, flags: tuple[str, ...], said: str
) -> None:
    assert said in call("games", "begin", "new", "--rules", "hefei", *flags).refused(2)
    assert shelf.names() == []


def test_a_game_that_cannot_be_begun(call: Call, friday: Path) -> None:
    begin = ("games", "begin")
    assert "A game 'friday' exists already" in call(*begin, "friday", "--rules", "hefei").refused(2)
    assert "give --rules NAME, or --profile NAME" in call(*begin, "new").refused(2)
    assert "--rules must be hefei or" in call(*begin, "new", "--rules", "chess").refused(2)
    assert "'no_such' in --option" in call(
        *begin, "new", "--rules", "hefei", "--option", "no_such=1"
    ).refused(2)
    assert "--player is given four times" in call(*begin, "new", "--rules", "hefei", *NAMES[:2]).refused(2)
    twice = ("--player", "Ann", "--player", " Ann", "--player", "", "--player", "")
    assert "Two players are called 'Ann'" in call(*begin, "new", "--rules", "hefei", *twice).refused(2)
    assert "No profile 'nix'" in call(*begin, "new", "--profile", "nix").refused(2)
    call("rules", "hebei", "--save", "home")
    other = call(*begin, "new", "--rules", "hefei", "--profile", "home").refused(2)
    assert "--rules must be hebei as in the profile" in other
    long = call(*begin, "new", "--rules", "hefei", "--player", "n" * 201, *NAMES[2:]).refused(2)
    assert "is not an event of a game" in long
    assert shelf.names() == ["friday"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize(
    "command", [("games", "list"), ("games", "export", "friday"), ("games", "list", "--json")]
)
def test_a_full_disk_where_the_output_goes(friday: Path, command: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=LIMIT_S,
        )
    assert (done.returncode, done.stderr) == (
        3, "companion: The disk is full, and not everything was written: make room and try again.\n"
    )  # fmt: skip


def test_each_line_is_answered_before_the_next_one_is_said(friday: Path) -> None:
    command = [sys.executable, "-m", "companion", "games", "add", "friday", "--json"]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        for number in (1, 2):
            print(
                '{"event":"points_moved","points":[1,-1,0,0],"why":"a bet"}', file=program.stdin, flush=True
            )
            assert json.loads(program.stdout.readline()) == {"line": number, "entry": 4 + number, "new": True}


def test_the_figures_of_all_games_are_added_up_by_name(call: Call, friday: Path) -> None:
    with Game.begin(shelf.path_of("sunday"), GameStarted(rules="hebei", names=("Bo", "Eva", "", ""))) as game:
        game.append(PointsMoved(points=(3, -3, 0, 0), why="a bet"))
    found = call("games", "figures", "--json").document
    assert [(one["name"], one["evenings"], one["points"]) for one in found["people"]][:2] == [
        ("Bo", 2, None), ("Ann", 1, None),
    ]  # fmt: skip
    assert (found["evenings"], found["hands"]) == (2, 0)
    assert call("games", "figures", "sunday", "--json").document["people"][0]["name"] == "Bo"
    printed = call("games", "figures").out
    assert "evenings: 2, hands: 0" in printed
    assert "Hebei · points only" in printed
    money = GameStarted(rules="hebei", names=("Bo", "Eva", "", ""), currency=Currency("¥", "0.5", "0.5"))
    with Game.begin(shelf.path_of("monday"), money) as game:
        game.append(PointsMoved(points=(3, -3, 0, 0), why="a bet"))
    printed = call("games", "figures").out
    assert "Hebei · 1 point = ¥0.50" in printed
    assert "−¥1.50" in printed
    assert "No game 'tuesday'" in call("games", "figures", "tuesday").refused(2)


@pytest.mark.parametrize(("language", "said"), [("en", "Points after"), ("zh_Hant", "每局之後")])
def test_a_sheet_is_printed_in_the_language_that_is_asked_for(
    call: Call, friday: Path, tmp_path: Path, language: str, said: str
) -> None:
    from pypdf import PdfReader

    to = tmp_path / "friday.pdf"
    call("games", "export", "friday", "--as", "pdf", "--to", str(to), "--language", language)
    assert said in "".join(page.extract_text() for page in PdfReader(to).pages)


def test_an_evening_is_shared_as_a_picture(call: Call, friday: Path, tmp_path: Path) -> None:
    from PIL import Image

    to = tmp_path / "friday.png"
    assert call("games", "export", "friday", "--as", "picture", "--to", str(to)).status == 0
    with Image.open(to) as picture:
        assert (picture.format, picture.size) == ("PNG", (1080, 1920))
    assert "--to FILE" in call("games", "export", "friday", "--as", "picture").refused(2)
    assert "exists already" in call("games", "export", "friday", "--as", "picture", "--to", str(to)).refused(
        2
    )


def test_figures_are_of_a_year_a_game_and_the_people_who_played(call: Call, friday: Path) -> None:
    with Game.begin(shelf.path_of("sunday"), GameStarted(rules="hebei", names=("Bo", "Eva", "", ""))) as game:
        game.append(PointsMoved(points=(3, -3, 0, 0), why="a bet"))

    def count(*flags: str) -> int:
        return int(call("games", "figures", "--json", *flags).document["evenings"])

    year = str(datetime.now().year)
    assert (count(), count("--year", year), count("--year", "1999")) == (2, 2, 0)
    assert (count("--rules", "hebei"), count("--with", "Eva", "--with", "Bo")) == (1, 1)
    assert "chess" in call("games", "figures", "--rules", "chess").refused(2)
