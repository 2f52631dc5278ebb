"""House rules in the window: made, explained, copied, renamed, deleted, shared by file and by QR code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from app_driver import SIZES, Driver, ScriptedReader, list_looks
from frames import make_finger
from page_checks import find_cut, find_small

from companion import profiles
from companion.app.effects import Effect, ShowMessage
from companion.app.house import files as sharing
from companion.app.house.examples import PLAY_EXAMPLES, find_example, list_settings
from companion.app.house.state import (
    HouseRules,
    Place,
    RemoveProfile,
    RenameProfile,
    Section,
    WriteProfile,
)
from companion.app.news import ProfileWanted
from companion.errors import InputError
from companion.game import shelf
from companion.game.file import read_entries
from companion.rules import RULE_SETS
from companion.rules.profile import make_profile
from companion.words import Language

WITHOUT_EXAMPLE = {("hong_kong", "wait_ignores_visible"), ("hangzhou", "wait_ignores_visible")}
"""A wait by shape alone changes no row of these games."""


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_option_has_a_hand_that_it_changes(kivy_window: None, rules: str) -> None:
    from companion.app.widgets.cards import group_tiles

    for option in RULE_SETS[rules].options:
        example = find_example(rules, option.key)
        if (rules, option.key) in WITHOUT_EXAMPLE:
            assert example is None
            continue
        assert example is not None, option.key
        results = {(each.possible, each.legal, each.value, each.payments) for each in example.outcomes}
        assert len(results) > 1, option.key
        is_tileless = bool(example.request.situation & RULE_SETS[rules].flower_wins)
        assert sum(len(group) for group in group_tiles(example.request)) >= 13 or is_tileless


def test_every_option_of_play_has_an_example_in_words() -> None:
    options = [option for rules in RULE_SETS.values() for option in rules.play.own_options]
    assert {option.key for option in options} == set(PLAY_EXAMPLES)
    for option in options:
        settings = {value for value in list_settings(option) if isinstance(value, str)}
        assert settings == set(PLAY_EXAMPLES[option.key].labels), option.key


def test_settings_are_offered_in_order() -> None:
    options = {option.key: option for option in RULE_SETS["hong_kong"].options}
    assert list_settings(options["min_fan"]) == (0, 1, 2, 3, 4, 5)
    assert list_settings(options["flowers"]) == (False, True)
    assert list_settings(options["payout"]) == ("linear", "exponential", "table", "half_doubling")


@pytest.mark.parametrize("ready", profiles.READY_MADE, ids=lambda ready: ready.name)
def test_ready_made_profiles_are_loaded_by_name(
    ready: profiles.ReadyMade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    profile = profiles.load(ready.name)
    assert profile.options != RULE_SETS[profile.rules].defaults
    own = make_profile(RULE_SETS[profile.rules], {})
    profiles.save(ready.name, own)
    assert profiles.load(ready.name) == own, "a saved one comes first"


def test_hong_kong_doubles_from_three_faan() -> None:
    options = profiles.load("hong-kong-doubling").options
    assert (options["payout"], options["min_fan"]) == ("exponential", 3)


@pytest.mark.slow
@pytest.mark.sampled(5)
@pytest.mark.parametrize("ready", profiles.READY_MADE, ids=lambda ready: ready.name)
def test_a_qr_code_is_read_again_by_opencv(ready: profiles.ReadyMade) -> None:
    profile = profiles.load(str(ready.path))
    image = sharing.draw_code(sharing.encode_shared(ready.name, profile))
    assert sharing.read_code(image) == (ready.name, profile)
    tilted = cv2.warpAffine(
        image, cv2.getRotationMatrix2D((image.shape[1] / 2, image.shape[0] / 2), 12, 0.8),
        image.shape[1::-1], borderValue=(255, 255, 255),
    )  # fmt: skip
    assert sharing.read_code(np.asarray(tilted, dtype=np.uint8)) == (ready.name, profile)


def test_a_qr_code_carries_how_it_is_played() -> None:
    own = make_profile(RULE_SETS["hangzhou"], {"initial": 250, "game_end": "points"})
    image = sharing.draw_code(sharing.encode_shared("home", own))
    assert sharing.read_code(image) == ("home", own)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("https://example.org", sharing.NOT_OURS),
        ("MJHOUSE2:ABC", sharing.NEWER),
        ("MJHOUSE1:ABC", sharing.DAMAGED),
        ("MJHOUSE1:", sharing.DAMAGED),
        ("MJHOUSE1:äö", sharing.DAMAGED),
    ],
)
def test_a_code_that_is_not_ours_is_one_sentence(text: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        sharing.decode_shared(text)
    assert raised.value.sentence.template == said


def test_a_picture_without_a_code_is_one_sentence() -> None:
    with pytest.raises(InputError) as raised:
        sharing.read_code(np.full((200, 200, 3), 90, np.uint8))
    assert raised.value.sentence.template == sharing.NO_CODE


@pytest.fixture
def window(
    kivy_window: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Driver]:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "Downloads").mkdir(parents=True)
    driver = Driver(tmp_path, ScriptedReader(), SIZES["tablet"], home=True)
    driver.controller.announce(ProfileWanted())
    driver.wait(lambda: house_of(driver).is_ready_to_show)
    driver.frames(4)
    yield driver
    driver.close()


def house_of(driver: Driver) -> HouseRules:
    state = driver.controller.view.states["house"]
    assert isinstance(state, HouseRules)
    return state


def wait_for_file(driver: Driver, name: str, holds: object) -> None:
    """Until the saved profile of that name holds this setting, or is gone."""

    def is_so() -> bool:
        if holds is None:
            return name not in profiles.names()
        assert isinstance(holds, tuple)
        return name in profiles.names() and profiles.load(name).settings[holds[0]] == holds[1]

    driver.wait(is_so, f"{name}: {holds}")


def complete(driver: Driver) -> None:
    pane = driver.pages.house.panes[Place.OPTIONS]
    driver.wait(lambda: pane.options.is_complete)
    driver.frames(4)


@pytest.mark.slow
def test_a_profile_is_made_changed_renamed_copied_and_deleted(window: Driver) -> None:
    window.shot("house-list")
    window.press("Hong Kong")
    complete(window)
    name = house_of(window).name
    assert name == "My Hong Kong rules"
    pane = window.pages.house.panes[Place.OPTIONS]
    window.touch(pane.options.cards["payout"].choices.button("table"))
    wait_for_file(window, name, ("payout", "table"))
    window.shot("house-options")
    window.press("Undo")
    wait_for_file(window, name, ("payout", "linear"))
    pane.field.text = "our table"
    window.frames(2)
    window.press("Rename")
    wait_for_file(window, "our table", ("payout", "linear"))
    wait_for_file(window, name, None)
    window.press("Copy")
    assert house_of(window).name == "our table-2"
    wait_for_file(window, "our table-2", ("payout", "linear"))
    window.press("Delete")
    wait_for_file(window, "our table-2", None)
    window.press("Undo")
    wait_for_file(window, "our table-2", ("payout", "linear"))
    assert window.says("our table-2")


@pytest.mark.slow
def test_how_it_is_played_is_chosen_by_touch_and_a_game_is_played_so(window: Driver, tmp_path: Path) -> None:
    window.press("Hong Kong")
    complete(window)
    assert house_of(window).name == "My Hong Kong rules"
    window.press("How it is played")
    complete(window)
    cards = window.pages.house.panes[Place.OPTIONS].options.cards
    own = [option.key for option in RULE_SETS["hong_kong"].play.own_options]
    assert list(cards) == own
    assert window.says("East deals and West wins")
    touch_setting(window, "missed_win", "until_next_draw")
    wait_for_file(window, "My Hong Kong rules", ("missed_win", "until_next_draw"))
    assert window.says("Changed; by default: no win on that tile")
    touch_setting(window, "dealer", "rotate")
    wait_for_file(window, "My Hong Kong rules", ("dealer", "rotate"))
    window.press("Undo")
    wait_for_file(window, "My Hong Kong rules", ("dealer", "winner"))
    touch_setting(window, "moving_dead_wall", "True")
    wait_for_file(window, "My Hong Kong rules", ("moving_dead_wall", True))
    window.press("What a win is worth")
    complete(window)
    touch_setting(window, "payout", "table")
    wait_for_file(window, "My Hong Kong rules", ("payout", "table"))
    assert profiles.load("My Hong Kong rules").settings["missed_win"] == "until_next_draw"
    window.press("Back")
    assert window.says("3 house rules changed")

    window.touch(window.root.bar.buttons["home"])
    window.touch(window.pages.home.houses)
    window.wait(
        lambda: "saved:My Hong Kong rules" in window.pages.tables.cards, "the profile among the games"
    )
    window.frames(3)
    window.touch(window.pages.tables.cards["saved:My Hong Kong rules"])
    window.touch(window.pages.new_game.start)
    window.wait(lambda: len(shelf.names()) == 1, "the game")
    window.settle()
    window.close()
    begun, *_ = read_entries(shelf.path_of(shelf.names()[0]))
    assert json.loads(begun.event)["options"] == profiles.load("My Hong Kong rules").settings


@pytest.mark.slow
def test_the_options_of_a_section_are_made_once(window: Driver) -> None:
    window.press("Hefei")
    complete(window)
    pane = window.pages.house.panes[Place.OPTIONS]
    made = dict(pane.options.cards)
    window.press("How it is played")
    window.frames(2)
    assert not pane.options.is_complete
    window.press("What a win is worth")
    complete(window)
    assert pane.options.cards == made
    window.press("How it is played")
    complete(window)
    assert list(pane.options.cards) == [option.key for option in RULE_SETS["hefei"].play.own_options]


def touch_setting(window: Driver, key: str, value: str) -> None:
    """Touch that setting of the option's card, scrolled to where it is seen."""
    options = window.pages.house.panes[Place.OPTIONS].options
    card = options.cards[key]
    options.scroll_to(card, animate=False)
    window.frames(3)
    window.touch(card.choices.button(value))


@pytest.mark.slow
def test_a_number_of_play_is_stepped_and_a_ready_made_profile_copied(window: Driver) -> None:
    window.touch(window.pages.house.panes[Place.LIST].cards["hong-kong-doubling"])
    window.press("How it is played")
    complete(window)
    touch_setting(window, "multi_win", "True")
    wait_for_file(window, "hong-kong-doubling-2", ("multi_win", True))
    assert house_of(window).section is Section.PLAY
    assert profiles.load("hong-kong-doubling-2").options["payout"] == "exponential"
    window.press("Back")
    window.press("Hangzhou")
    window.press("How it is played")
    complete(window)
    options = window.pages.house.panes[Place.OPTIONS].options
    options.scroll_to(options.cards["initial"], animate=False)
    window.frames(3)
    window.press("+100")
    wait_for_file(window, "My Hangzhou rules", ("initial", 200))


@pytest.mark.slow
def test_a_bad_name_is_refused_in_a_sentence(window: Driver) -> None:
    window.press("Hefei")
    window.frames(3)
    window.pages.house.panes[Place.OPTIONS].field.text = "a/b?"
    window.frames(2)
    window.press("Rename")
    assert window.banner is not None
    assert window.says("'a/b?' cannot be the name of a profile: remove '/'."), (
        "what was typed, and what is wrong"
    )
    assert house_of(window).name == "My Hefei rules"
    window.pages.house.panes[Place.OPTIONS].field.text = " Aunt Mei's  table "
    window.frames(2)
    window.press("Rename")
    window.settle()
    assert house_of(window).name == "Aunt Mei's table"
    assert window.banner is None, "the refusal is gone"
    assert "Aunt Mei's table" in profiles.names()


@pytest.mark.slow
def test_changing_a_ready_made_profile_makes_a_copy(window: Driver) -> None:
    window.touch(window.pages.house.panes[Place.LIST].cards["hong-kong-doubling"])
    complete(window)
    cards = window.pages.house.panes[Place.OPTIONS].options.cards
    window.touch(cards["payout"].choices.button("linear"))
    wait_for_file(window, "hong-kong-doubling-2", ("payout", "linear"))
    assert house_of(window).name == "hong-kong-doubling-2"
    assert profiles.load("hong-kong-doubling").options["payout"] == "exponential"


def list_file_effects(state: HouseRules) -> list[Effect]:
    return [each for each in state.effects if isinstance(each, RenameProfile | RemoveProfile | WriteProfile)]


def test_a_profile_renamed_in_its_capitals_is_one_file_at_every_moment() -> None:
    """On a disk that takes both names for one, a new file would be the old one, and be deleted with it."""
    profile = make_profile(RULE_SETS["hefei"], {})
    state = HouseRules(saved=(("Friday", profile), ("monday", profile))).open("Friday")
    renamed = state.type_name("friday").rename()
    assert list_file_effects(renamed) == [RenameProfile("Friday", "friday")]
    assert list_file_effects(replace(renamed, effects=()).undo()) == [RenameProfile("friday", "Friday")]
    taken = state.type_name("MONDAY").rename()
    assert taken.saved == state.saved
    assert any(
        "called monday" in str(each.sentence) for each in taken.effects if isinstance(each, ShowMessage)
    )
    assert state.choose_name("FRIDAY") == "FRIDAY-2"


@pytest.mark.slow
def test_a_profile_is_shared_by_file_and_by_code(window: Driver, tmp_path: Path) -> None:
    window.press("Hebei")
    window.press("How it is played")
    complete(window)
    touch_setting(window, "draw_passes", "True")
    wait_for_file(window, "My Hebei rules", ("draw_passes", True))
    window.press("Share")
    window.shot("house-share")
    window.press("Save as a file and a picture")
    downloads = tmp_path / "home" / "Downloads"
    window.wait(lambda: (downloads / "My Hebei rules.png").exists())
    window.wait(lambda: window.banner)
    window.press("Back")
    window.press("Delete")
    wait_for_file(window, "My Hebei rules", None)
    window.press("Import shared house rules …")
    pane = window.pages.house.panes[Place.TAKE_IN]
    window.wait(lambda: pane.cards)
    window.frames(3)
    window.shot("house-take-in")
    window.touch(pane.cards[0])
    wait_for_file(window, "My Hebei rules", ("draw_passes", True))
    window.press("Delete")
    wait_for_file(window, "My Hebei rules", None)
    window.controller.bring_picture(downloads / "My Hebei rules.png")
    wait_for_file(window, "My Hebei rules", ("draw_passes", True))
    window.controller.bring_picture(downloads / "My Hebei rules.json")
    window.wait(lambda: window.says("You already have"))


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not a profile"),
        ('{"profile": 9}', "update the program"),
        (json.dumps({"profile": 1, "rules": "hefei", "version": 999, "options": {}}), "update the program"),
        (json.dumps({"profile": 1, "rules": "hefei", "version": 1, "options": {"x": 1}}), "x"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence(
    window: Driver, tmp_path: Path, content: str, said: str
) -> None:
    path = tmp_path / "given.json"
    path.write_text(content)
    window.controller.bring_picture(path)
    window.wait(lambda: window.banner and window.says(said))
    assert profiles.names() == []
    assert house_of(window).busy is None


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_is_one_sentence(window: Driver) -> None:
    profiles.folder().mkdir()
    profiles.folder().rmdir()
    profiles.folder().write_text("a file is in the way")
    window.press("Hefei")
    window.wait(lambda: window.banner and window.says("cannot be used"))
    window.wait(lambda: house_of(window).saved == ())


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(("size", "language"), list_looks())
def test_every_place_at_every_size(window: Driver, size: str, language: Language) -> None:
    window.resize(SIZES[size])
    window.controller.set_language(language)
    do = window.controller.do
    do("house", lambda state: state.create("hong_kong", "My Hong Kong rules"))
    complete(window)
    window.shot(f"house-options-{size}-{language}")
    do("house", lambda state: state.show_section(Section.PLAY))
    complete(window)
    window.shot(f"house-play-{size}-{language}")
    assert not find_cut(window)
    assert not find_small(window)
    do("house", lambda state: state.share())
    window.shot(f"house-share-{size}-{language}")
    do("house", lambda state: state.show_list())
    window.shot(f"house-list-{size}-{language}")
    assert window.page == "house"


@pytest.mark.slow
def test_a_list_swiped_while_it_is_being_filled_is_in_sight(window: Driver) -> None:
    window.press("Hangzhou")
    window.press("Back")
    options = window.pages.house.panes[Place.OPTIONS].options
    button = window.button("Hong Kong")
    finger = make_finger(*button.to_window(*button.center))
    finger.down()
    window.frames(1)
    finger.up()
    window.frames(1)
    for _ in range(2):
        left, bottom = options.to_window(*options.pos)
        finger = make_finger(left + options.width / 2, bottom + options.height * 0.9)
        finger.down()
        for share in (0.7, 0.4, 0.1):
            finger.to(left + options.width / 2, bottom + options.height * share)
            window.frames(1)
        finger.up()
        window.frames(1)
    complete(window)
    assert 0 <= options.scroll_y <= 1
    assert options.inside.top >= options.top, "no empty cloth above the cards"
    assert options.inside.y <= options.y, "nor below them"
