"""House options saved under a name, and games scored by them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion import profiles
from companion.rules import RULE_SETS

WIN = ("--hand", "234567m88m345p678s", "--winning-tile", "8s", "--winner", "1", "--from", "2")
REQUEST: dict[str, Any] = {
    "rules": "hefei",
    "hand": "234567m88m345p678s",
    "winning_tile": "8s",
    "winner": 1,
    "source": "discard",
    "from": 2,
}


@pytest.fixture
def home(call: Any) -> Path:
    """The profile "home": Winning a Hand brings nothing, and all pay for a discard."""
    options = ("--option", "win_row=0", "--option", "discard=all_pay")
    return Path(call("rules", "hefei", *options, "--save", "home", "--json").document["file"])


def test_a_saved_profile_holds_every_option(home: Path, own_data_folder: Path) -> None:
    assert home == own_data_folder / "profiles" / "home.json"
    kept = json.loads(home.read_text(encoding="utf-8"))
    assert {key: kept[key] for key in ("profile", "rules", "version")} == {
        "profile": 3,
        "rules": "hefei",
        "version": 1,
    }
    assert kept["options"] == {**RULE_SETS["hefei"].defaults, "win_row": 0, "discard": "all_pay"}
    assert kept["play"] == {option.key: option.default for option in RULE_SETS["hefei"].play.own_options}
    assert [path.name for path in home.parent.iterdir()] == ["home.json"]


def test_how_it_is_played_is_saved_shown_and_played_by(call: Any, home: Path) -> None:
    before = home.read_bytes()
    play = ("--option", "rotate_always=true", "--option", "missed_win=until_next_draw")
    assert "'home'" in call("rules", "--profile", "home", *play, "--save", "home").refused(2)
    assert home.read_bytes() == before, "how it is played is a difference too"
    assert call("rules", "--profile", "home", *play, "--save", "strict").status == 0
    listed = call("rules", "--profiles").out
    assert (
        "strict  hefei: win_row=0, discard=all_pay, missed_win=until_next_draw, rotate_always=true" in listed
    )
    assert "rotate_always = false | true   now true" in call("rules", "--profile", "strict").out
    assert call("score", "--profile", "strict", *WIN, "--json").document["value"] == 0
    begun = ("games", "begin", "friday", "--profile", "strict", "--option", "rotate_always=false")
    assert call(*begun).status == 0
    started = json.loads(call("games", "export", "friday", "--as", "log").out.splitlines()[1])
    assert started["options"]["missed_win"] == "until_next_draw"
    assert started["options"]["rotate_always"] is False, "what a flag says comes before it"
    assert started["options"]["win_row"] == 0
    wrong = call("rules", "hefei", "--option", "missed_win=often", "--save", "x").refused(2)
    assert "missed_win must be none or" in wrong


def test_a_win_is_scored_by_its_profile(call: Any, home: Path) -> None:
    by_options = call(
        "score", "--rules", "hefei", *WIN, "--option", "win_row=0", "--option", "discard=all_pay", "--json"
    ).document
    assert by_options["value"] == 0
    for named in ("home", str(home)):
        assert call("score", "--profile", named, *WIN, "--json").document == by_options
        assert call("score", "--rules", "HeFei", "--profile", named, *WIN, "--json").document == by_options
    above = call("score", "--profile", "home", *WIN, "--option", "win_row=15", "--json").document
    assert (above["value"], above["payments"]) == (15, [-380, 980, -300, -300])


def test_a_profile_that_was_changed_by_hand_says_what_to_do(call: Any, home: Path) -> None:
    kept = json.loads(home.read_bytes())
    home.write_text(json.dumps(kept, indent=4), encoding="utf-8")
    assert call("score", "--profile", "home", *WIN, "--json").document["value"] == 0
    kept["options"]["win_row"] = 15
    home.write_text(json.dumps(kept), encoding="utf-8")
    complaint = call("score", "--profile", "home", *WIN).refused(2)
    assert f"The profile '{home}' cannot be used: it is not as it was saved" in complaint
    assert "if you changed it yourself, take out its 'checksum'" in complaint
    del kept["checksum"]
    home.write_text(json.dumps(kept), encoding="utf-8")
    assert call("score", "--profile", "home", *WIN, "--json").document["value"] == 15


def test_a_profile_of_another_game_is_refused(call: Any, home: Path) -> None:
    complaint = call("score", "--rules", "taiwanese", "--profile", "home", *WIN).refused(2)
    assert "--rules must be hefei as in the profile" in complaint
    assert "is for hefei" in call("rules", "hebei", "--profile", "home").refused(2)


def test_a_profile_stands_below_requests(call: Any, home: Path) -> None:
    def answer(request: dict[str, Any]) -> Any:
        return call(
            "score", "--profile", "home", "--request", "-", "--json", stdin=json.dumps(request).encode()
        )

    assert answer(REQUEST).document["value"] == 0
    assert answer({k: v for k, v in REQUEST.items() if k != "rules"}).document["value"] == 0
    asked = answer(REQUEST | {"options": {"win_row": 15}}).document
    assert (asked["value"], asked["payments"]) == (15, [-380, 980, -300, -300])
    assert "rules must be hefei" in answer(REQUEST | {"rules": "hebei"}).refused(2)
    assert "options must be" in answer(REQUEST | {"options": 5}).refused(2)
    assert "JSON" in call("score", "--profile", "home", "--request", "-", stdin=b"{").refused(2)
    assert "object" in call("score", "--profile", "home", "--request", "-", stdin=b"[]").refused(2)


def test_a_profile_stands_below_each_line_of_a_batch(call: Any, home: Path) -> None:
    lines = [REQUEST, REQUEST | {"options": {"win_row": 15}}, REQUEST | {"rules": "hebei"}, 5, REQUEST]
    run = call(
        "score",
        "--profile",
        "home",
        "--batch",
        "-",
        stdin="\n".join(map(json.dumps, lines)).encode() + b"\n{",
    )
    assert run.status == 2
    answers = [json.loads(line) for line in run.out.splitlines()]
    assert [answer.get("value") for answer in answers] == [0, 15, None, None, 0, None]
    assert answers[2]["field"] == "rules"
    assert "must be hefei as in the profile" in answers[2]["error"]
    assert "object" in answers[3]["error"]
    assert "JSON" in answers[5]["error"]


def test_a_picture_is_scored_by_its_profile(call: Any, home: Path, hand_picture: Path) -> None:
    flags = ("--winning-tile", "8s", "--winner", "0", "--self-draw", "--json")
    document = call("score-photo", hand_picture, "--profile", "home", *flags).document
    assert document["request"]["rules"] == "hefei"
    assert document["request"]["options"]["win_row"] == 0
    assert "winning_a_hand" not in [line["id"] for line in document["score"]["lines"]]
    assert "--rules is missing" in call("score-photo", hand_picture, *flags).refused(2)


def test_a_profile_is_not_lost_by_saving_another(call: Any, home: Path) -> None:
    before = home.read_bytes()
    complaint = call("rules", "hefei", "--save", "home").refused(2)
    assert "'home'" in complaint
    assert "--force" in complaint
    assert home.read_bytes() == before
    assert call("rules", "--profile", "home", "--save", "home").status == 0
    assert home.read_bytes() == before
    assert (
        call("rules", "--profile", "home", "--option", "win_row=15", "--save", "home", "--force").status == 0
    )
    assert json.loads(home.read_bytes())["options"]["win_row"] == 15
    assert json.loads(home.read_bytes())["options"]["discard"] == "all_pay"
    home.write_text("{")
    assert "--force" in call("rules", "hefei", "--save", "home").refused(2)
    assert call("rules", "hefei", "--save", "home", "--force").status == 0


def test_profiles_are_listed_and_shown(call: Any, home: Path) -> None:
    assert call("rules", "台湾", "--save", "周末-2").status == 0
    (home.parent / "broken.json").write_text("{")
    shown = call("rules", "--profiles").out
    assert "home  hefei: win_row=0, discard=all_pay" in shown
    assert "周末-2  taiwanese: every house option at its default" in shown
    assert "broken.json' cannot be used" in shown
    assert str(home.parent) in shown
    listed = call("rules", "--profiles", "--json").document
    saved = [entry["name"] for entry in listed if not entry.get("ready_made")]
    assert saved == ["broken", "home", "周末-2"]
    assert "JSON" in listed[0]["error"]
    assert listed[1]["options"]["win_row"] == 0
    assert "win_row = 15 | 0   now 0" in call("rules", "--profile", "home").out
    document = call("rules", "hefei", "--profile", "home", "--json").document
    kept = json.loads(home.read_bytes())
    del kept["checksum"]
    assert document["settings"] == kept
    assert "--profiles lists" in call("rules", "hefei", "--profiles").refused(2)


def test_a_profile_where_a_rule_set_goes_is_recognised(call: Any, home: Path) -> None:
    complaint = call("rules", "home").refused(2)
    assert "'home' is a profile, not a rule set: companion rules --profile home shows it." in complaint
    assert "RULES must be" in call("rules", "away").refused(2)


def test_there_need_be_no_profile(call: Any) -> None:
    assert "--save NAME" in call("rules", "--profiles").out
    listed = call("rules", "--profiles", "--json").document
    assert [entry["name"] for entry in listed] == [ready.name for ready in profiles.READY_MADE]
    assert "No profile 'home'. Profiles: hong-kong-common, " in call(
        "score", "--profile", "home", *WIN
    ).refused(2)


def test_an_unknown_profile_is_refused_with_the_closest_of_all_there_are(call: Any, home: Path) -> None:
    refused = call("score", "--profile", "hong-kong-comon", *WIN).refused(2)
    assert "No profile 'hong-kong-comon'. Profiles: hong-kong-common (did you mean that?), " in refused
    assert "hangzhou-white" in refused
    assert "home" in refused


def test_a_score_by_a_ready_made_profile_states_its_stakes(call: Any) -> None:
    taiwan = ("score", "--profile", "taiwanese-common", "--hand", "123m456p789s678s11p", "--meld", "p222m")
    taiwan += ("--winning-tile", "8s", "--self-draw", "--winner", "1", "--no-alternatives")
    printed = " ".join(call(*taiwan, "--flowers", "none").out.split())
    suggested = (
        "Stakes: 1 per tai. Tables of this profile often play base 100, 20 per tai"
        " (--stakes base=100,unit=20); 1 point = NT$1"
    )
    assert suggested in printed
    assert "Payments are points. Tables of this profile often play 1 point = NT$1" in " ".join(
        call(*taiwan, "--stakes", "base=100,unit=20").out.split()
    )
    assert "Tables of this profile" not in call("score", "--rules", "taiwanese", *taiwan[3:]).out


@pytest.mark.parametrize("flags", [("--profiles",), ("--profile", "hangzhou-white")])
def test_a_ready_made_table_says_what_is_played_and_by_which_sources(
    call: Any, flags: tuple[str, ...]
) -> None:
    ready = profiles.find_ready_made("hangzhou-white")
    assert ready is not None
    said = {key: getattr(ready, key) for key in ("name", "title", "meaning", "written", "checked")}
    shown = "".join(call("rules", *flags, COLUMNS="80").out.split())
    assert all("".join(each.split()) in shown for each in said.values())
    document = call("rules", *flags, "--json").document
    found = [document["ready_made"]] if isinstance(document, dict) else document
    (entry,) = [each for each in found if each["name"] == "hangzhou-white"]
    assert said.items() <= entry.items()
    assert entry["options"]["fortune"] == "white_dragon"


def test_a_saved_profile_stands_before_a_ready_made_one_of_its_name(call: Any) -> None:
    call("rules", "hefei", "--save", "hangzhou-white")
    listed = call("rules", "--profiles", "--json").document
    (entry,) = [each for each in listed if each["name"] == "hangzhou-white"]
    assert "ready_made" not in entry
    assert "ready_made" not in call("rules", "--profile", "hangzhou-white", "--json").document


def test_saving_needs_a_rule_set(call: Any) -> None:
    assert "needs a rule set" in call("rules", "--save", "home").refused(2)
    assert "--save" in call("rules", "hefei", "--force").refused(2)


@pytest.mark.parametrize("name", ["", "../home", "a/b", ".home", "-home", "home.json", "a\x00", "x" * 61])
def test_a_name_is_safe_as_a_file_name(call: Any, name: str, own_data_folder: Path) -> None:
    assert "cannot be the name of a profile: " in call("rules", "hefei", f"--save={name}").refused(2)
    assert not (own_data_folder / "profiles").exists()


@pytest.mark.parametrize("name", ["home", "家里", "Été_2", "三" * 60, "_"])
def test_a_name_may_be_in_any_script(call: Any, name: str) -> None:
    assert call("rules", "hefei", "--save", name).status == 0
    assert profiles.names() == [name]
    assert profiles.load(name).rules == "hefei"


def test_a_profile_that_is_not_there_is_reported_with_those_that_are(call: Any, home: Path) -> None:
    complaint = call("score", "--profile", "hoem", *WIN).refused(2)
    assert "'hoem'" in complaint
    assert "home" in complaint
    assert "absent.json" in call("score", "--profile", home.parent / "absent.json", *WIN).refused(2)
    assert "remove ':'" in call("score", "--profile", "a:b", *WIN).refused(2)
    for file in ("~nobody/home.json", "/", "\udcff.json", "x" * 5000 + ".json"):
        assert "cannot be used" in call("score", "--profile", file, *WIN).refused(2)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "JSON"),
        (b"\xff\x00", "JSON"),
        (b"[]", "object"),
        (b'{"profile": 4}', "update the program"),
        (b'{"profile": 1, "rules": "hefei", "version": 99, "options": {}}', "update the program"),
        (b'{"profile": 1, "rules": "chess", "version": 1, "options": {}}', "hefei"),
        (b'{"profile": 1, "rules": "hefei", "version": 1, "options": {"windy": 1}}', "'windy'"),
        (b'{"profile": 1, "rules": "hefei", "version": 1, "options": {"win_row": 0}}', "lacks a setting of"),
    ],
)
def test_a_damaged_file_is_one_sentence_with_its_name(
    call: Any, home: Path, content: bytes, words: str
) -> None:
    home.write_bytes(content)
    for command in (("score", "--profile", "home", *WIN), ("rules", "--profile", "home")):
        complaint = call(*command).refused(2)
        assert str(home) in complaint
        assert words in complaint


def test_a_folder_that_cannot_be_used_is_one_sentence(call: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for command in (("rules", "--profiles"), ("rules", "hefei", "--save", "home")):
        complaint = call(*command, COMPANION_DATA=str(tmp_path / "file")).refused(2)
        assert "cannot be used" in complaint
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "profiles").write_text("")
    complaint = call("rules", "hefei", "--save", "home", COMPANION_DATA=str(tmp_path / "data")).refused(2)
    assert "cannot be used" in complaint
    assert "cannot be used" in call("score", "--profile", tmp_path / "data" / "x.json" / "y", *WIN).refused(2)
