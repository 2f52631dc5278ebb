"""`companion learn-set`: from photos to --set NAME, and all that is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.tiles import KINDS
from lab.scenes.hand import render_hand

pytestmark = pytest.mark.slow

CODES = [tile.code for tile in KINDS]
HAND = [*["3m"] * 3, *["4m"] * 3, *["5m"] * 3, "2p", "2p", "6s", "7s", "8s"]
TABLE = [CODES[0:9], CODES[9:18], CODES[18:27], CODES[27:34], CODES[34:42]]


@pytest.fixture(scope="module")
def table_picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of each kind, in the standard order."""
    path = tmp_path_factory.mktemp("pictures") / "table.png"
    assert cv2.imwrite(str(path), render_hand(TABLE, seed=1, width=1280, height=1280).image)
    return path


def test_a_set_is_learned_listed_used_and_forgotten(
    call: Any, companion: Any, table_picture: Path, hand_picture: Path
) -> None:
    document = companion("learn-set", "home", table_picture, "--json").document
    assert (document["name"], document["kinds"], document["missing"]) == ("home", CODES, [])
    assert [tile["kind"] for tile in document["tiles"]] == CODES
    assert document["replaced"] is False
    assert Path(document["file"]).is_file()
    assert call("learn-set", "--list", "--json").document == [{"name": "home", "kinds": CODES, "tiles": 42}]
    assert "42 kinds" in call("learn-set", "--list").out
    (entry,) = call("read", hand_picture, "--set", "home", "--json").document
    assert entry["rows"] == ["333444555m22p678s"]
    flags = ("--rules", "hefei", "--winner", 0, "--self-draw", "--winning-tile", "8s", "--set", "home")
    scored = call("score-photo", hand_picture, *flags, "--no-alternatives", "--json").document["score"]
    assert scored["legal"]
    assert "house_rules" not in scored
    assert call("learn-set", "home", "--delete").status == 0
    assert "No tile sets are saved yet" in call("read", hand_picture, "--set", "home").refused(2)
    assert "No tile sets are saved yet" in call("learn-set", "home", "--delete").refused(2)
    assert "No tile set" in call("learn-set", "--list").out


def test_any_order_as_it_is_read_with_corrections(call: Any, table_picture: Path) -> None:
    run = call("learn-set", "home", table_picture, "--order", "any", "--fix", "1=9s", "--fix", "27=1m")
    unsure = [int(number) for number in re.findall(r"tile (\d+) \(", run.err)]
    assert len(unsure) < 5
    fixes = [part for number in unsure for part in ("--fix", f"{number}={CODES[number - 1]}")]
    order = ("--order", "any", *fixes)
    run = call("learn-set", "home", table_picture, *order, "--fix", "1=9s", "--fix", "27=1m")
    assert run.status == 0, run.err
    assert "tile 1 was read as 1m and taught as 9s" in run.out
    assert "Is that a slip? learn-set home --undo takes the lesson back." in run.out
    assert "42 kinds learned" in run.out
    run = call("learn-set", "home", table_picture, *order, "--fix", "42=")
    assert "not among them: 8f" in run.out


def test_the_numbers_of_the_tiles_are_printed_before_a_wrong_one_is_refused(
    call: Any, table_picture: Path
) -> None:
    run = call("learn-set", "home", table_picture, "--fix", "43=1m")
    assert (run.status, "from 1 to 42" in run.complaint) == (2, True)
    assert "  10: 1p 2p 3p" in run.out


def test_an_order_of_ones_own(call: Any, table_picture: Path) -> None:
    order = "123456789m123456789p123456789s1234567z12345678f"
    assert "is replaced" not in call("learn-set", "home", table_picture, "--order", order).out
    replacing = call("learn-set", "home", table_picture).out
    assert "the set that had this name is replaced; learn-set home --undo brings it back" in replacing


def test_a_set_that_was_replaced_is_brought_back_with_its_lessons(
    call: Any, table_picture: Path, hand_picture: Path
) -> None:
    hand = fixes([f"{at}={code}" for at, code in enumerate(HAND, 1)])
    first = call("learn-set", "home", hand_picture, "--order", "any", *hand, "--json").document["kinds"]
    call("learn-set", "home", table_picture, "--add", "--order", "standard")
    known = call("learn-set", "home", "--show", "--json").document
    again = call("learn-set", "home", hand_picture, "--order", "any", *hand, "--json").document
    assert (again["replaced"], again["kinds"]) == (True, first)
    call("learn-set", "home", table_picture, "--add", "--order", "standard")
    call("learn-set", "home", "--undo")
    assert call("learn-set", "home", "--show", "--json").document["lessons"] == 1
    back = call("learn-set", "home", "--undo", "--json").document
    assert (back["deleted"], back["restored"], back["kinds"]) == (False, True, CODES)
    assert call("learn-set", "home", "--show", "--json").document == known
    assert "The last lesson of home is taken back" in call("learn-set", "home", "--undo").out
    assert call("learn-set", "home", "--undo", "--json").document["deleted"] is True


def test_tiles_that_have_changed_places_are_refused_unless_they_are_named(call: Any, tmp_path: Path) -> None:
    exchanged = [*TABLE[:2], ["1s", "2s", "3s", "4s", "6s", "5s", "7s", "8s", "9s"], *TABLE[3:]]
    photo = tmp_path / "exchanged.png"
    assert cv2.imwrite(str(photo), render_hand(exchanged, seed=1, width=1280, height=1280).image)
    said = call("learn-set", "home", photo, "--json").refused(2)
    assert (
        "Tiles 23, 24 seem to have changed places: they were read as 6s, 5s, and the order has 5s, 6s" in said
    )
    assert call("learn-set", "--list", "--json").document == []
    named = re.findall(r"--fix \S+=\ds", said)
    document = call("learn-set", "home", photo, *" ".join(named[:2]).split(), "--json").document
    assert [tile["kind"] for tile in document["tiles"][22:24]] == ["6s", "5s"]


def test_a_photo_of_the_order_upside_down_is_learned(
    call: Any, table_picture: Path, hand_picture: Path, tmp_path: Path
) -> None:
    photo = tmp_path / "upside-down.png"
    assert cv2.imwrite(str(photo), cv2.rotate(cv2.imread(str(table_picture)), cv2.ROTATE_180))
    document = call("learn-set", "home", photo, "--json").document
    assert [tile["kind"] for tile in document["tiles"]] == CODES[::-1]
    (entry,) = call("read", hand_picture, "--set", "home", "--json").document
    assert entry["rows"] == ["333444555m22p678s"]


def test_a_set_that_cannot_be_read_is_replaced_for_good(call: Any, table_picture: Path) -> None:
    path = Path(call("learn-set", "home", table_picture, "--json").document["file"])
    path.write_bytes(b"nothing")
    replacing = call("learn-set", "home", table_picture).out
    assert "the set that had this name is replaced\n" in replacing
    assert "home is forgotten" in call("learn-set", "home", "--undo").out


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--fix", "42="), "41 tiles were read, and the order has 34 or 42"),
        (
            ("--order", "987654321m123456789p123456789s7654321z12345678f"),
            "tile 1 was read as 1m instead of 9m",
        ),
        (("--order", "12m"), "the order has 2: lay out all of them"),
        (("--order", "0m"), "0m"),
        (("--fix", "43=1m"), "from 1 to 42"),
        (("--delete",), "give no photos"),
        (("--list",), "give nothing else"),
    ],
)
def test_refused_lesson_leaves_no_files(
    call: Any, table_picture: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in call("learn-set", "home", table_picture, *arguments, "--json").refused(2)
    assert call("learn-set", "--list", "--json").document == []


def test_names_and_photos_are_asked_for(call: Any, hand_picture: Path) -> None:
    assert "name of the set is missing" in call("learn-set").refused(2)
    assert "photos are missing" in call("learn-set", "home").refused(2)
    assert "cannot be the name" in call("learn-set", "../home", hand_picture).refused(2)
    assert "give one of them" in call("learn-set", "home", "--show", "--undo").refused(2)
    assert "give no photos" in call("learn-set", "home", hand_picture, "--undo").refused(2)
    assert "No tile set" in call("learn-set", "home", hand_picture, "--add").refused(2)


def test_a_hand_teaches_a_set_lesson_by_lesson(call: Any, hand_picture: Path, table_picture: Path) -> None:
    codes = [f"{at}={code}" for at, code in enumerate(HAND, 1)]
    assert "3 kinds" in call(
        "learn-set", "home", hand_picture, "--order", "any", *fixes(codes[9:], ""), "--json"
    ).refused(2)
    document = call("learn-set", "home", hand_picture, "--order", "any", *fixes(codes), "--json").document
    assert document["kinds"] == ["3m", "4m", "5m", "2p", "6s", "7s", "8s"]
    again = call("learn-set", "home", hand_picture, "--add", *fixes(codes), "--json")
    assert "Nothing is new" in again.refused(2)
    more = call("learn-set", "home", table_picture, "--add", "--order", "standard", "--json").document
    assert (more["kinds"], more["added"], more["replaced"]) == (CODES, True, False)
    shown = call("learn-set", "home", "--show", "--json").document
    assert (shown["lessons"], shown["missing"], shown["two_designs"]) == (2, [], [])
    (three,) = [kind for kind in shown["kinds"] if kind["kind"] == "3m"]
    photos = [(each["lesson"], each["photo"]) for each in three["examples"]]
    assert photos == [(1, 1)] * 3 + [(2, 1)]
    shown = call("learn-set", "home", "--show").out
    assert "3m: photo 1 of lesson 1 (3), photo 1 of lesson 2" in shown
    content = Path(document["file"]).read_bytes()
    assert not any(each.name.encode() in content for each in (hand_picture, table_picture)), (
        "it may be passed on"
    )
    assert call("learn-set", "home", "--undo", "--json").document["kinds"] == document["kinds"]
    assert "not taught: 126789m" in call("learn-set", "home", "--show").out
    assert "home is forgotten" in call("learn-set", "home", "--undo").out
    assert "No tile set" in call("learn-set", "home", "--show").refused(2)


def fixes(codes: list[str], to: str | None = None) -> list[str]:
    """The flags for `N=TILE`; `to`: what all of them are instead."""
    given = codes if to is None else [code.split("=")[0] + "=" + to for code in codes]
    return [part for code in given for part in ("--fix", code)]


def test_a_damaged_set_is_reported(call: Any, table_picture: Path, hand_picture: Path) -> None:
    path = Path(call("learn-set", "home", table_picture, "--json").document["file"])
    path.write_bytes(b"nothing")
    assert "is damaged" in call("read", hand_picture, "--set", "home").refused(2)
    (entry,) = call("learn-set", "--list", "--json").document
    assert "is damaged" in entry["error"]
