"""Steps of the features, and the effects that they ask for: no window, no thread, no file."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.effects import (
    ComeToFront,
    Effect,
    GivePicture,
    GoBack,
    Keep,
    ReadPicture,
    SendNews,
    ShowMessage,
    UseTileSet,
)
from companion.app.feature import FeatureState, take_step
from companion.app.news import (
    ChoosePicture,
    Covered,
    GameAtTable,
    GamePicked,
    News,
    PictureChosen,
    PictureOpened,
    PictureRead,
    SeatWins,
    Started,
    TableRulesChosen,
    TileSetChanged,
)
from companion.app.pictures.state import BringPicture, StartPreview
from companion.app.score_photo import editing, how_won, photo
from companion.app.score_photo.editing import Pane
from companion.app.score_photo.state import Page, ScorePhoto
from companion.app.shell.window_state import Banner, WindowState, find_at_work
from companion.app.shown import ShownPicture
from companion.app.tile_sets.lesson import LessonDraft
from companion.app.tile_sets.state import ForgetSet, LearnSet, ListSets, TileSets, UseSet, list_kinds
from companion.app.tile_sets.state import Page as SetsPage
from companion.money import Currency
from companion.photo_hand.draft import WinDraft
from companion.rules.win import Stakes
from companion.sentences import Sentence
from companion.tiles import KINDS
from companion.vision import Reading, TileReading
from companion.words import Language, Words

CODES = [kind.code for kind in KINDS[:34]]
SHOWN = ShownPicture(None, 100, 100)  # type: ignore[arg-type]


def read(codes: str) -> Reading:
    quads = [((x, 0.0), (x + 40.0, 0.0), (x + 40.0, 60.0), (x, 60.0)) for x in range(0, 5000, 50)]
    tiles = tuple(
        TileReading(code, quad, 0.99, ((code, 0.99),))
        for code, quad in zip(codes.split(), quads, strict=False)
    )
    return Reading(2000, 100, tiles, (tuple(range(len(tiles))),), {})


def effects_of(state: FeatureState, *news: News) -> tuple[Effect, ...]:
    """What is asked for when the state hears the last of the news."""
    for one in news[:-1]:
        state, _ = take_step(state, lambda state, one=one: state.on_news(one))  # type: ignore[misc]
    return take_step(state, lambda state: state.on_news(news[-1]))[1]


def with_picture(path: str, codes: str = "2m 3m 4m") -> ScorePhoto:
    state = (
        ScorePhoto().on_news(PictureOpened(Path(path), SHOWN)).on_news(PictureRead(Path(path), read(codes)))
    )
    return take_step(state, lambda state: state)[0]


def test_a_change_of_the_hand_is_kept_and_announced() -> None:
    state, effects = take_step(ScorePhoto(), lambda state: editing.record(state, dealer=2))
    assert effects == (Keep(), SendNews(GameAtTable("hefei", (), 2)))
    assert state.effects == ()
    assert take_step(state, ScorePhoto.undo)[1] == (Keep(), SendNews(GameAtTable("hefei", (), 0)))


@pytest.mark.parametrize(
    "step",
    [
        lambda state: editing.record(state, dealer=0),
        lambda state: editing.select(state, 0),
        lambda state: editing.show_pane(state, Pane.SCORE),
        ScorePhoto.undo,
        editing.start_adding,
    ],
)
def test_a_step_that_changes_no_hand_asks_for_nothing(step: object) -> None:
    assert take_step(ScorePhoto(), step)[1] == ()  # type: ignore[type-var]


def test_a_picture_that_was_brought_is_read_and_then_shown_on_the_table() -> None:
    state, effects = take_step(ScorePhoto(), lambda state: state.on_news(PictureChosen(Path("/a.jpg"))))
    assert effects == (ReadPicture(Path("/a.jpg")), ShowMessage(None))
    assert state.busy is not None
    assert state.draft == WinDraft()
    state, effects = take_step(state, lambda state: state.on_news(PictureOpened(Path("/a.jpg"), SHOWN)))
    assert effects[-2:] == (ComeToFront(), ShowMessage(None))
    assert (state.draft.picture, state.shown) == ("/a.jpg", SHOWN)
    state, effects = take_step(state, lambda state: state.on_news(PictureRead(Path("/a.jpg"), read("2m"))))
    assert Keep() in effects
    assert (state.busy, len(state.hand.tiles)) == (None, 1)


def test_the_picture_of_a_hand_that_is_had_back_is_opened_but_not_read_again() -> None:
    first = with_picture("/a.jpg")
    second = first.on_news(PictureOpened(Path("/b.jpg"), SHOWN))
    state, effects = take_step(take_step(second, lambda state: state)[0], ScorePhoto.undo)
    assert effects[-1] == ReadPicture(Path("/a.jpg"), read=False)
    assert (state.shown, state.hand) == (None, first.hand)


def test_a_hand_that_was_left_is_opened_again_when_the_window_is() -> None:
    draft = with_picture("/a.jpg").draft
    assert take_step(ScorePhoto.resume(draft), lambda state: state)[1] == (
        SendNews(GameAtTable("hefei", (), 0)),
    ), "nothing is written yet"
    assert effects_of(ScorePhoto.resume(draft), Started())[-1] == ReadPicture(Path("/a.jpg"), read=False)
    assert effects_of(ScorePhoto(), Started()) == ()


def test_another_game_takes_what_was_read_as_it_can_have_it_or_reads_again() -> None:
    state = with_picture("/a.jpg", "1m 2m 3m")
    assert state.hand.tiles[0].unsure, "Hefei has no 1m"
    other, effects = take_step(state, lambda state: photo.set_rules(state, "hebei"))
    assert not other.hand.tiles[0].unsure
    assert not [each for each in effects if isinstance(each, ReadPicture)]
    resumed = take_step(ScorePhoto.resume(state.draft), lambda state: state)[0]
    assert take_step(resumed, lambda state: photo.set_rules(state, "hebei"))[1][-1] == ReadPicture(
        Path("/a.jpg")
    )


def test_a_game_that_is_picked_is_scored_by_the_table_that_is_chosen() -> None:
    state = with_picture("/a.jpg")
    (wanted,) = take_step(state, lambda state: photo.pick_game(state, "taiwanese"))[1]
    assert wanted == SendNews(GamePicked("taiwanese", "score_photo"))
    money = Currency("NT$", "1", "10")
    chosen = TableRulesChosen(
        "score_photo", "taiwanese", {"flowers": False, "dealer": "rotate"}, Stakes(100, 20), money, cap=500
    )
    after = take_step(state, lambda state: state.on_news(chosen))[0]
    draft = after.draft
    assert (draft.rules, draft.options, draft.stakes, draft.cap, draft.currency) == (
        "taiwanese", (("flowers", False),), Stakes(100, 20), 500, money,
    )  # fmt: skip
    assert take_step(after, ScorePhoto.undo)[0].draft == state.draft
    assert take_step(after, lambda state: photo.set_rules(state, "hefei"))[0].draft.currency is None
    as_written = TableRulesChosen("score_photo", "hefei", {}, Stakes(unit=20))
    assert take_step(after, lambda state: state.on_news(as_written))[0].draft.stakes is None, "the game's own"
    elsewhere = TableRulesChosen("practice", "hefei", {}, Stakes(unit=20))
    assert take_step(after, lambda state: state.on_news(elsewhere))[0].draft == draft


def test_stakes_of_a_hand_are_entered_one_by_one() -> None:
    state = how_won.set_stake(
        how_won.set_stake(photo.set_rules(ScorePhoto(), "taiwanese"), "base", 100), "unit", 20
    )
    assert state.draft.stakes == Stakes(100, 20)
    assert how_won.set_stake(how_won.set_stake(state, "base", 0), "unit", 0).draft.stakes == Stakes(0, 20), (
        "something is paid"
    )
    assert how_won.set_stake(how_won.set_stake(state, "base", 0), "unit", 1).draft.stakes is None, (
        "the game's own"
    )
    of_hefei = photo.set_rules(state, "hefei")
    assert of_hefei.draft.agreed_stakes is None, "it has no base"
    assert how_won.set_stake(of_hefei, "unit", 5).draft.stakes == Stakes(unit=5)


def test_the_base_that_an_earlier_program_kept_is_part_of_the_stakes() -> None:
    resumed = ScorePhoto.resume(WinDraft(base=5)).draft
    assert (resumed.base, resumed.stakes) == (1, Stakes(unit=100))


@pytest.mark.parametrize(
    ("language", "said"),
    [(Language.ENGLISH, "3 characters, Spring, East"), (Language.TRADITIONAL, "三萬、春、東")],
)
def test_kinds_are_listed_as_the_language_does(language: Language, said: str) -> None:
    assert Words(language)("{kinds}", kinds=list_kinds(("3m", "5f", "1z"))) == said


def test_another_tile_set_reads_the_picture_on_the_table_again() -> None:
    state = with_picture("/a.jpg")
    assert effects_of(state, TileSetChanged("home", again=True)) == (ReadPicture(Path("/a.jpg")),)
    assert effects_of(state, TileSetChanged("home", again=False)) == ()


def test_a_seat_that_wins_is_the_winner_wherever_it_was_said() -> None:
    state = ScorePhoto(page=Page.MORE).on_news(SeatWins(2))
    assert (state.draft.winner, state.page, state.pane) == (2, Page.TABLE, Pane.WIN)
    assert state.effects[-1] == ComeToFront()


def lesson() -> TileSets:
    state = TileSets(page=SetsPage.LESSON).on_news(PictureRead(Path("/set.jpg"), read(" ".join(CODES))))
    return take_step(state, lambda state: state)[0]


def test_a_lesson_is_undone_step_by_step() -> None:
    state = lesson()
    changed = state.browse(lambda lesson: lesson.select(3)).edit(lambda lesson: lesson.press_key("9p"))
    assert changed.lesson.tiles[3].code == "9p"
    undone, effects = take_step(take_step(changed, lambda state: state)[0], TileSets.undo)
    assert undone.lesson.tiles[3].code == CODES[3]
    assert effects == (Keep(),)
    assert undone.undo().lesson == LessonDraft()
    assert not undone.undo().can_undo


def test_the_letters_of_a_name_are_undone_together() -> None:
    state = lesson()
    for name in ("g", "gr", "gran"):
        state = state.edit(lambda lesson, name=name: lesson.called(name))  # type: ignore[misc]
    assert state.lesson.name == "gran"
    assert state.undo().lesson.name == ""


def test_looking_at_tiles_is_no_step_to_undo() -> None:
    state = lesson()
    assert state.browse(lambda lesson: lesson.select(3)).past == state.past


def test_set_files_are_changed_by_effects() -> None:
    state = lesson()
    assert take_step(state, TileSets.learn)[1] == (ShowMessage(None), LearnSet(state.lesson))
    assert take_step(state, TileSets.enter)[1] == (ListSets(), ComeToFront())
    assert take_step(state, lambda state: state.use("home"))[1] == (UseSet("home", again=True),)
    assert take_step(state, lambda state: state.forget("home"))[1] == (ForgetSet("home"),)


def test_a_set_in_use_that_is_forgotten_is_read_with_no_longer() -> None:
    state, effects = take_step(TileSets(used="home"), lambda state: state.drop_set("home"))
    assert state.used is None
    assert effects == (ListSets(), UseTileSet(None, again=False), Keep())
    assert take_step(TileSets(used="home"), lambda state: state.drop_set("old"))[1] == (ListSets(),)


def test_a_refusal_keeps_the_lesson_and_shows_the_tiles_that_it_is_about() -> None:
    state = lesson()
    why = Sentence("Two tiles look alike.")
    refused = state.reject_lesson(state.lesson, why, (3, 8))
    assert ShowMessage(why) in refused.effects
    assert refused.lesson.doubted == (2, 7)
    changed = state.edit(lambda lesson: lesson.called("other"))
    assert changed.reject_lesson(state.lesson, why, (3, 8)).lesson == changed.lesson


def test_a_third_photo_is_not_opened() -> None:
    state = lesson().on_news(PictureRead(Path("/b.jpg"), read("1m 2m")))
    (said,) = effects_of(take_step(state, lambda state: state)[0], PictureChosen(Path("/c.jpg")))
    assert isinstance(said, ShowMessage)


def test_a_picture_is_wanted_chosen_and_handed_over() -> None:
    assert effects_of(BringPicture(), ChoosePicture(from_camera=False)) == (ComeToFront(),)
    assert effects_of(BringPicture(camera="a"), ChoosePicture(from_camera=True)) == (StartPreview("a"),)
    chosen = take_step(BringPicture(), lambda state: state.choose(Path("/a.jpg")))[1]
    assert chosen == (GoBack(), GivePicture(Path("/a.jpg")))
    assert effects_of(BringPicture(), Covered()) == (GoBack(),)


def test_previous_page_comes_back() -> None:
    window = WindowState(("table",)).bring_to_front("sets").bring_to_front("devices")
    assert window.front == "devices"
    assert window.leave("devices").front == "sets"
    assert window.leave("sets").front == "devices"
    assert window.bring_to_front("sets").fronts == ("table", "devices", "sets")
    assert window.bring_to_front("table").fronts == ("table",)
    assert window.leave("table").front == "devices", "the first one never leaves"


def test_the_work_is_that_of_the_uppermost_feature_that_is_not_only_looked_at() -> None:
    states = {"table": ScorePhoto(), "sets": TileSets(page=SetsPage.LESSON), "pictures": BringPicture()}
    assert find_at_work(WindowState(("table", "sets", "pictures")), states) == "sets"
    assert find_at_work(WindowState(("table", "pictures")), states) == "table"
    states["sets"] = TileSets()
    assert find_at_work(WindowState(("table", "sets", "pictures")), states) == "table"


def test_the_note_is_said_while_there_is_nothing_else() -> None:
    window = WindowState(("table",), note=Sentence("Another window is open."))
    trouble = Banner(Sentence("A trouble."))
    assert window.with_banner(trouble).shown_banner == trouble
    assert window.with_banner(trouble).dismiss().shown_banner == window.shown_banner
    assert window.dismiss().shown_banner is None
