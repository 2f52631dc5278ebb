"""`companion advise` from photos: of the hand, of the table, and one of both."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import pytest

from lab.scenes.hand import render_hand

HAND = ["2m", "3m", "4m", "5m", "8m", "8m", "3p", "4p", "5p", "6s", "7s", "8s", "2p", "8p"]
RIVERS = [["2s", "4m", "4m", "7m", "7p"], ["5s", "5s", "3s", "6p", "6p"]]
SEEN = "447m667p2355s"


def draw(path: Path, rows: Sequence[Sequence[str]]) -> str:
    assert cv2.imwrite(str(path), render_hand(rows, elevation=1.4).image)
    return str(path)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Pictures drawn by the program: of the hand, of two rows of discards, and of all of that."""
    folder = tmp_path_factory.mktemp("photos")
    return {
        "hand": draw(folder / "hand.png", [HAND]),
        "table": draw(folder / "table.png", RIVERS),
        "all": draw(folder / "all.png", [*RIVERS, [], HAND]),
    }


def ask(call: Any, tmp_path: Path, **fields: object) -> Any:
    file = tmp_path / "request.json"
    file.write_text(json.dumps({"rules": "hefei", "level": "shape", **fields}))
    return call("advise", "--request", file, "--json").document


def test_the_hand_is_taken_from_one_photo_and_what_lies_open_from_another(
    call: Any, tmp_path: Path, photos: dict[str, str]
) -> None:
    alone = ask(call, tmp_path, hand_photo=photos["hand"])
    both = ask(call, tmp_path, hand_photo=photos["hand"], table_photo=photos["table"])
    assert both["request"]["hand"] == "234588m345p678s28p"
    assert both["request"]["seen"] == SEEN
    assert both["unsure"] == {"hand_photo": [], "table_photo": []}
    assert (alone["left"]["4m"], both["left"]["4m"]) == (3, 1)
    assert (alone["at_least"], both["at_least"]) == (False, False)
    named = ask(call, tmp_path, **both["request"])
    assert (named["left"], named["choices"]) == (both["left"], both["choices"])
    assert named.keys() == {"choices", "left", "at_least"}


def test_one_photo_of_all_is_enough(call: Any, tmp_path: Path, photos: dict[str, str]) -> None:
    """Whether it is named once or twice, or a hand is given that it shows."""
    for fields in (
        {"hand_photo": photos["all"]},
        {"hand_photo": photos["all"], "table_photo": photos["all"]},
        {"hand_photo": photos["hand"], "table_photo": photos["all"]},
        {"hand": "2345m88m345p678s28p", "table_photo": photos["all"]},
    ):
        assert ask(call, tmp_path, **fields)["request"]["seen"] == SEEN, fields


def test_melds_are_taken_from_the_photo_of_the_hand(call: Any, tmp_path: Path) -> None:
    """They stay where they are named, and are not among the tiles that lie open."""
    melded = draw(tmp_path / "melded.png", [["2s", "4m", "4m"], [], ["7s", "7s", "7s"], HAND[:9] + HAND[12:]])
    found = ask(call, tmp_path, hand_photo=melded)["request"]
    assert (found["melds"][0], found["hand"], found["seen"]) == (["p777s"], "234588m34528p", "44m2s")
    named = ask(call, tmp_path, hand_photo=melded, melds=[["p777s"], ["p333s"], [], []])["request"]
    assert (named["melds"], named["hand"]) == ([["p777s"], ["p333s"], [], []], "234588m34528p")


def test_a_kong_that_lies_face_down_is_named_beside_the_photo(call: Any, tmp_path: Path) -> None:
    hand = draw(tmp_path / "rest.png", [HAND[:9] + HAND[12:]])
    found = ask(call, tmp_path, hand_photo=hand, melds=[["K"], [], [], []])["request"]
    assert (found["melds"][0], found["hand"]) == (["K"], "234588m34528p")


def test_tiles_named_next_to_a_photo_count(call: Any, tmp_path: Path, photos: dict[str, str]) -> None:
    answer = ask(call, tmp_path, hand_photo=photos["hand"], table_photo=photos["table"], seen="8s?")
    assert (answer["left"]["8s"], answer["at_least"]) == (2, True)


def test_tile_of_photo_and_request_counts_once(call: Any, tmp_path: Path, photos: dict[str, str]) -> None:
    """A discard on offer is named, and lies in the picture too; a pair in it may be the half of a pung."""
    fields = {"hand": "2345m88m345p678s2p", "table_photo": photos["table"]}
    offer = {"rivers": [[], ["4m"], "7m", []], "offer": {"tile": "7m", "from": 2}}
    answer = ask(call, tmp_path, **fields, **offer, melds=[[], [], [], ["p666p"]])
    assert (answer["request"]["seen"], answer["left"]["7m"]) == ("4m7p2355s", 3)


def test_people_see_what_was_read(call: Any, tmp_path: Path, photos: dict[str, str]) -> None:
    file = tmp_path / "request.json"
    file.write_text(
        json.dumps({"rules": "hefei", "hand_photo": photos["hand"], "table_photo": photos["table"]})
    )
    run = call("advise", "--request", file)
    assert "The hand: 234588m345p678s28p" in run.out
    assert f"Open on the table: {SEEN} (10)" in run.out
    assert "手牌：" in call("advise", "--request", file, "--language", "zh_Hans").out


def test_a_face_that_was_not_read_is_counted_and_said(
    call: Any, tmp_path: Path, photos: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.vision import Reading, Recogniser, TileReading

    def read_badly(self: Recogniser, path: Path, **_: object) -> Reading:
        corner = ((0.0, 0.0), (40.0, 0.0), (40.0, 60.0), (0.0, 60.0))
        tile = TileReading("?", corner, 0.5, (("4m", 0.5), ("5m", 0.4)))
        return Reading(640, 480, (tile,), ((0,),), {"total": 1.0})

    monkeypatch.setattr(Recogniser, "read_file", read_badly)
    answer = ask(call, tmp_path, hand="2345m88m345p678s28p", table_photo=photos["table"])
    assert (answer["request"]["seen"], answer["at_least"]) == ("?", True)
    assert [each["tile"] for each in answer["unsure"]["table_photo"]] == [1]
    run = call("advise", "--request", tmp_path / "request.json")
    assert "Not sure in table_photo (1: ?)" in run.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"hand_photo": 3}, "hand_photo must be the name of a picture, not 3."),
        ({"hand_photo": "absent.jpg"}, "hand_photo: "),
        ({"hand": "2345m88m345p678s28p", "table_photo": "absent.jpg"}, "table_photo: "),
        ({"hand_photo": "{hand}", "hand": "2m"}, "hand and hand_photo contain the same tiles"),
        ({"table_photo": "{table}"}, "hand is missing"),
        ({"rules": "hefey", "hand_photo": "{hand}"}, "rules must be"),
        ({"options": {"x": 1}, "hand_photo": "{hand}"}, "'x'"),
        ({"hand_photo": "{hand}", "melds": []}, "melds must be a list of four"),
        ({"hand_photo": "{hand}", "table_photo": "{table}", "seen": "12"}, "seen: '12' has no suit letter"),
        ({"hand_photo": "{hand}", "melds": [5, 5, 5, 5]}, "melds must be a list of melds for each seat"),
        ({"hand_photo": "{hand}", "melds": [[5], [], [], []]}, "melds must be a list of melds for each"),
        ({"hand_photo": "{hand}", "rivers": [5, [], [], []]}, "rivers must be a list of tiles for each"),
        ({"hand_photo": "{hand}", "flowers": [5, 5, 5, 5]}, "flowers must be tiles as text"),
        ({"hand_photo": "{hand}", "seen": "8m8m8m"}, "seen would make 5 copies of '8m'"),
    ],
)
def test_error_is_one_sentence(
    call: Any, tmp_path: Path, photos: dict[str, str], fields: dict[str, Any], said: str
) -> None:
    given = {
        key: value.format(**photos) if isinstance(value, str) else value for key, value in fields.items()
    }
    file = tmp_path / "request.json"
    file.write_text(json.dumps({"rules": "hefei", **given}))
    assert said in call("advise", "--request", file).refused(2)


def test_a_hand_that_cannot_be_is_shown_as_it_was_read(
    call: Any, tmp_path: Path, photos: dict[str, str]
) -> None:
    """Else nobody could tell which tile is wrong, and write the hand instead."""
    file = tmp_path / "request.json"
    file.write_text(json.dumps({"rules": "hefei", "hand_photo": photos["table"]}))
    said = call("advise", "--request", file).refused(2)
    assert "hand_photo was read as 2s447m7p553s66p: hand has 10 concealed tiles" in said


def test_a_picture_without_tiles_is_said(call: Any, tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    empty = draw(tmp_path / "empty.png", [])
    file.write_text(json.dumps({"rules": "hefei", "hand_photo": empty}))
    assert "hand_photo: no tiles were found in" in call("advise", "--request", file).refused(2)


def test_a_batch_names_photos_too(call: Any, tmp_path: Path, photos: dict[str, str]) -> None:
    file = tmp_path / "many.jsonl"
    request = {"rules": "hefei", "level": "left", "hand_photo": photos["hand"]}
    bad = {**request, "hand_photo": "absent.jpg"}
    file.write_text("\n".join(json.dumps(each) for each in (request, bad, request)))
    answers = [json.loads(line) for line in call("advise", "--batch", file).out.splitlines()]
    assert [answer.get("field") for answer in answers] == [None, "hand_photo", None]
