"""What the window says in players' words: names for seats, what was entered, which game, what was not
recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from app_driver import SIZES, WIN, Driver, ScriptedReader, draw_picture
from sheet_driver import state_of
from test_game_win import CODES, NAMES, begin, choose_tile, standing, wait_for_booking

from companion.app.news import (
    HandEndWanted,
    ScorePhotoWanted,
    SheetWanted,
    TableWanted,
    TileSetChanged,
    WinEntryWanted,
)
from companion.app.score_photo import photo
from companion.app.widgets.game_words import describe_coming, describe_option_set
from companion.game.proposals import Proposal, SourceKind
from companion.game.proposals import Reporter as ProposalSource
from companion.rules import RULE_SETS, Source
from companion.table.apply import apply
from companion.table.events import Discarded, GameStarted
from companion.table.unrecorded import ReportedWin, enter_win
from companion.tiles import Tile, parse_tiles
from companion.words import Language, Words

pytestmark = pytest.mark.slow


@pytest.fixture
def first_start(kivy_window: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    driver = Driver(tmp_path, ScriptedReader(), SIZES["tablet"], home=True)
    yield driver
    driver.close()


def test_a_refusal_calls_the_player_by_name(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", recorded=True)
    companion.controller.announce(TableWanted())
    wrong = Discarded(seat=3, tile="2m")
    companion.game.propose(Proposal(wrong, companion.game.now_ns, ProposalSource(SourceKind.TOUCH))).result(
        10
    )
    companion.wait(lambda: companion.banner, "the refusal")
    companion.frames(3)
    assert companion.says("No discard is due: enter a claim, or Chen's draw.")
    assert not companion.says("eat ")
    companion.controller.announce(SheetWanted())
    companion.settle()
    assert companion.banner is None, "it was about a touch on the table"


def test_a_win_that_the_camera_saw_is_shown_to_all_at_one_touch(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game", rules="hong_kong")
    companion.controller.announce(TableWanted())
    reported = ReportedWin(
        2, Source.SELF_DRAW, None, Tile.parse("9s"), tuple(parse_tiles("123m55z456p678s789s"))
    )
    camera = ProposalSource(SourceKind.CAMERA, "table")
    for event in enter_win(apply(None, GameStarted(rules="hong_kong", names=NAMES)), reported).events:
        companion.game.propose(Proposal(event, companion.game.now_ns, camera)).result(10)
    companion.wait(lambda: companion.banner, "the camera's win")
    companion.frames(3)
    assert companion.says("The camera saw Chen win.")
    companion.press("Show everyone")
    companion.wait(lambda: state_of(companion).look, "the result of the hand")
    assert companion.page == "sheet"
    assert companion.banner is None


def test_entry_is_confirmed_until_the_page_is_left(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    companion.controller.announce(TableWanted())
    companion.controller.announce(WinEntryWanted(1))
    companion.settle()
    entry = companion.pages.win_entry
    companion.press("Add tiles by hand")
    for code in CODES:
        companion.touch(entry.sheet.keys[code])
    companion.press("Done")
    companion.touch(entry.win.discarder.button("3"))
    companion.touch(choose_tile(companion, "3p"))
    companion.show_everyone()
    companion.touch(companion.pages.win_result.confirm)
    wait_for_booking(companion, 1)
    companion.settle()
    won = companion.state.played.progress.state.points[1]
    assert companion.says(f"Entered · Bao won: {won} points")
    companion.shot("entered_win")
    companion.controller.announce(SheetWanted())
    companion.settle()
    assert companion.banner is None, "it was said of the page before"
    companion.controller.announce(HandEndWanted("drawn"))
    companion.settle()
    before = standing(companion)
    companion.touch(companion.pages.hand_end.confirm)
    companion.wait(lambda: standing(companion) > before and companion.banner, "the draw")
    companion.frames(3)
    assert companion.says("Entered · Nobody wins"), companion.texts()
    companion.press("Undo it")
    companion.wait(lambda: standing(companion) == before, "the draw taken back")


def test_dealer_can_be_the_discarder_before_the_winner_is_chosen(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    companion.controller.announce(WinEntryWanted())
    companion.settle()
    win = companion.pages.win_entry.win
    assert companion.state.open_questions == ("winner", "from")
    companion.touch(win.discarder.button("0"))
    assert companion.state.open_questions == ("winner",)
    assert companion.state.draft.discarder == 0 != companion.state.draft.winner
    companion.touch(win.askers["winner"].button("2"))
    assert (companion.state.draft.winner, companion.state.draft.discarder) == (2, 0)
    assert companion.state.open_questions == ()
    companion.touch(win.askers["winner"].button("0"))
    assert companion.state.open_questions == ("from",), "nobody discards into the own win"


def test_a_photo_is_scored_by_the_game_that_is_played(first_start: Driver, tmp_path: Path) -> None:
    begin(first_start, tmp_path / "friday.game", rules="hangzhou", debt=True)
    first_start.controller.announce(ScorePhotoWanted())
    first_start.settle()
    assert first_start.page == "table"
    assert first_start.state.draft.rules == "hangzhou"
    assert first_start.state.draft.options == (("debt", True),)


def test_a_photo_alone_is_no_part_of_a_win_that_was_begun(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    companion.controller.announce(WinEntryWanted(1))
    companion.open(draw_picture(tmp_path / "won.png"))
    companion.controller.announce(ScorePhotoWanted())
    companion.settle()
    assert (companion.page, companion.state.game_win) == ("table", None)
    assert companion.state.draft.picture is None


def test_the_very_first_hand_asks_which_game_is_played(first_start: Driver, tmp_path: Path) -> None:
    first_start.controller.announce(ScorePhotoWanted())
    first_start.settle()
    assert first_start.says("Choose a game")
    first_start.shot("which_game")
    first_start.touch(first_start.pages.score_game.games["taiwanese"])
    first_start.choose_table("ready:taiwanese-common")
    assert dict(first_start.state.draft.options)["preset"] == "common"
    assert (first_start.page, first_start.state.draft.rules) == ("table", "taiwanese")
    first_start.controller.step_back()
    first_start.controller.announce(ScorePhotoWanted())
    first_start.settle()
    assert first_start.page == "table", "it is asked once"
    assert first_start.kept("score_photo").rules == "taiwanese"


def test_a_picture_that_comes_first_says_by_which_game_it_is_scored(
    first_start: Driver, tmp_path: Path
) -> None:
    first_start.open(draw_picture(tmp_path / "hand.png"))
    assert first_start.says("This hand is scored as Hefei."), (
        first_start.texts(),
        first_start.state.asks_game,
    )
    first_start.press("Another game")
    first_start.touch(first_start.pages.score_game.games["hong_kong"])
    first_start.choose_table("rules:hong_kong")
    assert (first_start.page, first_start.state.draft.rules) == ("table", "hong_kong")
    assert first_start.banner is None


@pytest.mark.parametrize("by", ["the verdict", "the list of games"])
def test_a_game_that_a_person_names_settles_by_which_game_the_hand_is_scored(
    first_start: Driver, tmp_path: Path, by: str
) -> None:
    first_start.reader.codes = f"1f {WIN}"
    first_start.open(draw_picture(tmp_path / "hand.png", first_start.reader.codes))
    assert first_start.says("This hand is scored as Hefei.")
    if by == "the verdict":
        first_start.press("Play Hong Kong?")
        first_start.choose_table("rules:hong_kong")
    else:
        first_start.do(lambda state: photo.set_rules(state, "hong_kong"))
    first_start.settle()
    assert first_start.state.draft.rules == "hong_kong"
    assert first_start.banner is None
    first_start.open(draw_picture(tmp_path / "next.png", first_start.reader.codes))
    assert first_start.banner is None, "it was said"
    assert first_start.kept("score_photo").rules == "hong_kong"


def test_game_note_disappears_with_the_hand(first_start: Driver, tmp_path: Path) -> None:
    first_start.open(draw_picture(tmp_path / "hand.png"))
    assert first_start.says("This hand is scored as Hefei.")
    first_start.touch(first_start.root.bar.buttons["sets"])
    read = first_start.reader.read_count
    first_start.controller.announce(TileSetChanged("home", again=True))
    first_start.wait(lambda: first_start.reader.read_count > read, "the reading")
    first_start.settle()
    assert first_start.page == "sets"
    assert first_start.banner is None


def test_unrecorded_hand_offers_no_invented_events(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    companion.controller.announce(HandEndWanted("drawn"))
    companion.settle()
    companion.touch(companion.pages.hand_end.confirm)
    companion.wait(lambda: standing(companion) > 50, "the draw")
    companion.controller.announce(TableWanted())
    companion.settle()
    assert describe_coming(companion.state.played.progress.state, Words(Language.ENGLISH)) == "Not recorded"
    companion.shot("not_recorded_table")
    companion.controller.announce(SheetWanted())
    companion.settle()
    companion.controller.do("sheet", lambda state: state.open_hand(0))
    companion.frames(3)
    assert companion.says("Nobody won")
    assert not companion.says("Step by step")
    assert not companion.says("What did it cost?")
    companion.shot("not_recorded_hand")
    companion.touch(companion.pages.sheet.hand.fix)
    assert companion.says("Who won?")


@pytest.mark.parametrize("language", Language)
def test_settings_of_house_rules_are_said_as_players_say_them(language: Language) -> None:
    words = Words(language)
    for rules in RULE_SETS.values():
        for option in rules.options:
            values = option.values if isinstance(option.values, tuple) else option.values[:1]
            for value in values:
                said = describe_option_set(option, value, words)
                assert "(" not in said[-14:], said
                assert "_" not in said, said
    exponential = next(each for each in RULE_SETS["hong_kong"].options if each.key == "payout")
    least = next(each for each in RULE_SETS["hong_kong"].options if each.key == "min_fan")
    assert [describe_option_set(exponential, "exponential", words), describe_option_set(least, 3, words)] == {
        Language.ENGLISH: [
            "Payment table: doubling with each",
            "Minimum fan to win: 3",
        ],
        Language.SIMPLIFIED: ["番数折算：2的番数次方", "起胡番数：3"],
        Language.TRADITIONAL: ["番數折算：2的番數次方", "起胡番數：3"],
    }[language]  # fmt: skip


def test_names_are_those_of_the_people(companion: Driver, tmp_path: Path) -> None:
    begin(companion, tmp_path / "friday.game")
    assert companion.controller.view.words_of("hand_end").people == NAMES
    assert companion.controller.view.words_of("devices").people == ()
