"""A film of a hand is followed in the real window, corrected by touch, and let go."""

from __future__ import annotations

import time
from pathlib import Path

import game_states
import numpy as np
import pytest
from app_driver import SIZES, Driver
from film_player import WAIT_S, Film, Player, list_threads, slow_down

from companion.app.effects import ComeToFront
from companion.app.game.followed import Followed
from companion.app.game.state import GameTable
from companion.app.recognition import use_models
from companion.app.widgets.board_words import describe_plates
from companion.history import Game, shelf
from companion.running.camera_reading import CameraReader
from companion.running.deciding import begin_progress
from companion.running.kept_places import KeptPlace
from companion.running.lost_words import UNEXPLAINED
from companion.running.noticed import QuestionAsked
from companion.running.proposals import Proposal, Source, SourceKind
from companion.sentences import Sentence
from companion.table.events import (
    Dealt,
    Discarded,
    Drawn,
    Event,
    FalseWin,
    GameEnded,
    GameStarted,
    HandStarted,
    PointsMoved,
    Won,
)
from companion.tiles import BACK
from companion.words import Language, Words

pytestmark = pytest.mark.slow


def begin_film(driver: Driver, video: Path) -> None:
    """Follow a video that is chosen from the disk."""
    driver.touch(driver.root.bar.buttons["game"])
    driver.touch(driver.pages.game.setup.begin)
    driver.wait(lambda: get_state(driver).shows_table, "the game")
    driver.frames(3)
    driver.touch(driver.pages.game.table.tools.camera)
    choose_film(driver, video)
    driver.touch(driver.pages.game.table.follow.follow)


def wait_for_end(driver: Driver) -> None:
    """Until the film that is followed is at its end."""
    end = time.monotonic() + WAIT_S
    while not get_state(driver).ended:
        assert time.monotonic() < end, driver.texts()
        driver.frames(1)
        time.sleep(0.02)


def choose_film(driver: Driver, video: Path) -> None:
    driver.touch(driver.pages.game.table.follow.film)
    driver.pages.films.go(video.parent)
    driver.frames(4)
    cells = [each for each in driver.root.walk(restrict=True) if getattr(each, "entry", None)]
    driver.touch(next(cell for cell in cells if cell.entry.path == video))  # type: ignore[attr-defined]
    driver.settle()
    assert driver.says(video.name)


def get_state(driver: Driver) -> GameTable:
    state = driver.controller.view.states["game"]
    assert isinstance(state, GameTable)
    return state


def test_a_game_is_followed_corrected_by_touch_and_let_go(player: Player, film: Film) -> None:
    driver = player.driver
    player.follow()
    player.wait(lambda: player.state.runs and len(player.discards) >= len(film.discards))
    assert player.discards == film.discards
    driver.shot("game")
    hand = player.followed.state.hand
    assert hand is not None
    for seat in range(4):
        laid = [tile.code for tile in hand.players[seat].discards if tile]
        assert laid == [tile for who, tile in film.discards if who == seat]
    driver.touch(player.page.table.picture.stage)
    assert player.state.large
    driver.touch(player.page.table.picture.stage)
    assert not player.state.large

    entry = next(each for each in player.followed.entries if isinstance(each.event, Discarded))
    other = next(code for code in ("2m", "3s", "4p") if code != entry.tile)
    driver.touch(player.page.table.tools.events)
    row = player.page.table.events.rows[entry.number]
    player.page.table.events.scroll_to(row, animate=False)
    driver.frames(4)
    driver.touch(row)
    assert player.state.selected == entry.number
    driver.touch(player.page.table.fix.keyboard.keys[other])
    player.wait(lambda: player.discards[0][1] == other)
    assert player.discards[1:] == film.discards[1:]

    choices = (other, str(entry.tile))
    player.see(lambda known: known.ask(QuestionAsked(1.0, entry.number, "discarded", choices)))
    driver.shot("question")
    driver.touch(player.page.table.question.other)
    assert player.state.selected == entry.number
    driver.touch(player.page.table.fix.back)
    driver.touch(player.page.table.question.keys[1])
    player.wait(lambda: player.discards[0][1] == entry.tile)
    assert player.followed.questions == ()

    player.see(lambda known: known.lose(Sentence(UNEXPLAINED)))
    driver.press("Begin from here")
    player.wait(lambda: player.state.runs)
    assert player.discards == film.discards

    driver.controller.step_back()
    driver.settle()
    assert driver.page == "table"
    player.wait(lambda: player.projector.users == 0 and "following" not in list_threads())
    player.follow()
    player.wait(lambda: player.state.runs and player.page.table.picture.stage.is_live)
    assert player.discards == film.discards


def test_a_game_is_followed_on_behind_a_page_that_is_only_looked_at(player: Player, film: Film) -> None:
    driver = player.driver
    player.follow()
    player.wait(lambda: player.state.runs)
    driver.controller.do("sheet", lambda state: state.also(ComeToFront()))
    assert driver.page == "sheet"
    player.wait(lambda: len(player.discards) >= len(film.discards))
    assert player.discards == film.discards
    assert driver.page == "sheet"
    driver.controller.do("score_photo", lambda state: state.also(ComeToFront()))
    player.wait(lambda: player.projector.users == 0)
    driver.controller.do("sheet", lambda state: state.also(ComeToFront()))
    player.wait(lambda: player.state.runs and player.projector.users == 1)
    assert driver.page == "sheet"


def test_a_table_that_is_not_found_is_placed_by_its_corners(
    kivy_window: None, tmp_path: Path, film: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.tracking.finding_table.find_table", lambda *_, **__: None)
    player = Player(tmp_path, film, SIZES["tablet"])
    player.waits_for_table = False
    driver = player.driver
    try:
        player.follow()
        player.wait(lambda: player.state.runs and driver.says("The table is not found"))
        driver.press("Touch its corners")
        stage = player.page.table.picture.stage
        player.wait(lambda: stage.is_live)
        names = ("lower left", "lower right", "upper right", "upper left")
        for corner, name in zip(film.corners, names, strict=True):
            assert driver.says(f"{name} corner") or driver.says(f"{name} one")
            driver.touch(stage.to_window(*stage.where.place(tuple(corner))))
            if name == "upper right":
                driver.shot("corners")
                driver.press("Take back")
                assert driver.says("upper right one")
                driver.touch(stage.to_window(*stage.where.place(tuple(corner))))
        player.wait(lambda: player.state.following.picture.table)  # type: ignore[union-attr]
        seen = np.array(player.state.following.picture.table)  # type: ignore[union-attr]
        assert np.abs(seen - np.array(film.corners)).max() < 4, "a touch is as exact as the screen's pixels"
        kept = KeptPlace("film").load()
        assert kept is not None, "where the corners were touched is known the next time"
        assert np.abs(np.array(kept.corners) - np.array(film.corners)).max() < 4
        player.wait(lambda: len(player.discards) >= len(film.discards))
        assert player.discards == film.discards
        driver.press("Corners")
        for place in ((100, 100), (110, 100), (105, 100), (100, 100)):
            driver.touch(stage.to_window(*stage.where.place(place)))
        assert driver.says("These are not the corners of a table")
    finally:
        driver.close()


def test_a_video_is_followed_to_its_end_once_however_long_a_picture_takes(
    kivy_window: None, tmp_path: Path, film: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CameraReader, "is_silent", True)
    driver = Driver(tmp_path, use_models(), SIZES["tablet"])
    try:
        video = slow_down(film, tmp_path)
        begin_film(driver, video)
        picture = driver.pages.game.table.picture
        driver.wait(lambda: f"{video.name} · 0:0" in picture.caption.text, "how far it is")
        driver.press("Stop")
        place_s = get_state(driver).following.place_s  # type: ignore[union-attr]
        assert not get_state(driver).runs
        driver.touch(driver.pages.game.table.follow.follow)
        driver.wait(lambda: get_state(driver).following.place_s > place_s, "that it goes on")  # type: ignore[union-attr]
        wait_for_end(driver)
        driver.wait(lambda: driver.says(f"{video.name} is at its end. Discards "), "that it is at its end")
        assert get_state(driver).shows_table
        driver.wait(lambda: driver.pages.game.table.picture.stage.is_live, "the last picture, which stays")
        driver.shot("ended")
        driver.wait(lambda: "following" not in list_threads(), "the end of the following")
        driver.settle()
        assert get_state(driver).followed.entries, "something of the film was followed"  # type: ignore[union-attr]
        known = [entry.number for entry in get_state(driver).followed.entries]  # type: ignore[union-attr]
        driver.touch(driver.pages.game.table.picture.head.done)
        assert not get_state(driver).ended
        assert driver.page == "game"
        assert not driver.pages.game.table.follow.follow.disabled, "another camera can be chosen"
        driver.controller.step_back()
        driver.game.leave().result(WAIT_S)
        (name,) = shelf.names()
        with Game.resume(shelf.find(name)) as kept:
            assert len(kept.file.standing) >= max([1, *known]), "all that was shown is kept"
        driver.frames(3)
        driver.touch(driver.root.bar.buttons["game"])
        assert driver.root.bar.buttons["game"].chosen, "what is in front is marked in the bar"
        driver.press(f"Go on with {name}")
        driver.wait(lambda: get_state(driver).shows_table)
        driver.frames(3)
        driver.touch(driver.pages.game.table.tools.camera)
        choose_film(driver, video)
        assert not driver.says(str(video))
        driver.touch(driver.pages.game.table.follow.follow)
        driver.wait(lambda: driver.says("is in the game"), "that it was followed before")
        driver.wait(lambda: get_state(driver).shows_table, "the game that stays open")
    finally:
        driver.close()


def test_a_film_of_another_hand_is_followed_from_its_start_once_the_open_hand_is_ended(
    kivy_window: None, tmp_path: Path, film: Film
) -> None:
    driver = Driver(tmp_path, use_models(), SIZES["tablet"])
    try:
        driver.touch(driver.root.bar.buttons["game"])
        driver.touch(driver.pages.game.setup.begin)
        driver.wait(lambda: get_state(driver).shows_table, "the game")
        touched: list[Event] = [HandStarted(dealer=0), Dealt()]
        for turn, code in enumerate(("2s", "8s", "2p", "8p", "2m", "8m", "5s", "5p")):
            touched += [Discarded(seat=turn % 4, tile=code), Drawn(seat=(turn + 1) % 4)]
        for event in touched:
            driver.game.propose(Proposal(event, driver.game.now_ns, Source(SourceKind.TOUCH))).result(WAIT_S)
        driver.touch(driver.pages.game.table.tools.camera)
        choose_film(driver, slow_down(film, tmp_path))
        driver.touch(driver.pages.game.table.follow.follow)
        wait_for_end(driver)
        assert driver.says("is in the middle of a hand")
        assert not driver.says("No move was understood")
        assert not driver.says("Begin from here")
        driver.press("End that hand")
        driver.wait(lambda: get_state(driver).runs, "the film from its start")
        wait_for_end(driver)
        events = driver.game.together(lambda desk: desk.get_progress().events).result(WAIT_S)
        known = [(each.seat, each.tile) for each in events if isinstance(each, Discarded)]
        assert known[8:] == film.discards
    finally:
        driver.close()


@pytest.mark.parametrize("way", [(0.0, 1.0), (1.0, 0.0), (-1.0, -1.0), (0.2, -1.0)])
def test_the_name_of_a_tile_hangs_over_its_edge(kivy_window: None, way: tuple[float, float]) -> None:
    from companion.app.widgets import theme
    from companion.app.widgets.outlines import Fit, Outline, place_label

    tile = ((100.0, 100.0), (126.0, 100.0), (126.0, 135.0), (100.0, 135.0))
    where = Fit(0.0, 0.0, 1.0, 400)
    (x, y), (width, height) = place_label(Outline(tile, "5m", theme.SURE, way=way), where)
    common_x = min(x + width, 126) - max(x, 100)
    common_y = min(y + height, 300) - max(y, 265)
    assert common_x * common_y < 0.15 * 26 * 35, "the face itself stays to be seen"


def test_likely_discards_are_lit(companion: Driver) -> None:
    game_states.game_keys(companion, companion.folder)
    keys = companion.pages.game.table.keys.grid.keys
    lit = {code for code, key in keys.items() if key.is_lit}
    assert 0 < len(lit) < len(keys) / 2
    assert all(not keys[code].disabled for code in lit)


def test_the_sea_floor_covers_nothing_and_is_said_large(companion: Driver) -> None:
    game_states.game_sea(companion, companion.folder)
    table = companion.pages.game.table
    assert table.sea.words.font_size >= 30
    assert table.sea.words.text == "Sea Floor · 3 left"
    assert table.board._view.sea
    for left, low, width, height in (table.board._place_plate(side) for side in range(4)):
        assert left >= table.board.x + 5
        assert low >= table.board.y + 5
        assert left + width <= table.board.right - 5
        assert low + height <= table.board.top - 5


def test_the_keys_say_how_a_discard_is_claimed(companion: Driver) -> None:
    events = [
        GameStarted(rules="hong_kong", names=("Mei", "Ping", "Wong", "Ann")),
        HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="1z"),
    ]  # fmt: skip
    dealt, discarded = (Followed.of(begin_progress(events[:count])) for count in (3, 4))
    companion.controller.do("game", lambda state: state.know(dealt, "friday"))
    companion.touch(companion.root.bar.buttons["game"])
    companion.frames(3)
    assert companion.says("Mei sets out flowers, or discards.")
    companion.controller.do("game", lambda state: state.know(discarded, "friday"))
    companion.frames(3)
    assert companion.says("Discard · Ping (or touch who claims)")
    companion.controller.do("game", lambda state: state.touch_seat(0))
    companion.frames(3)
    assert companion.says("Mei discarded this tile: touch who claims it.")
    companion.controller.do("game", lambda state: state.touch_seat(2))
    companion.frames(3)
    assert companion.says("What does Wong claim?")
    keys = companion.pages.game.table.keys
    assert keys.grid.parent is keys, "the keys stay where they are"
    assert all(key.disabled for key in keys.grid.keys.values())
    companion.touch(keys.back)
    assert companion.says("Discard · Ping (or touch who claims)")
    for says in ("What does Wong claim?", "Discard · Ping (or touch who claims)"):
        companion.touch(companion.pages.game.table.board.find_side(2))
        assert companion.says(says)


def test_the_final_scores_are_bright_and_lead_to_the_sheet(companion: Driver) -> None:
    start = GameStarted(rules="hong_kong", names=("Mei", "Ping", "Wong", "Ann"))
    events = [start, PointsMoved(points=(-8, 12, -2, -2), why="a bet"), GameEnded()]
    over = Followed.of(begin_progress(events))
    companion.controller.do("game", lambda state: state.know(over, "friday").record_wins_only(True))
    companion.touch(companion.root.bar.buttons["game"])
    companion.frames(4)
    wins = companion.pages.game.table.wins
    assert companion.says("The game is over.")
    assert not any(card.disabled for card in wins.cards.values()), "final scores are to be read"
    assert [card.name.text for card in wins.cards.values() if card.about.text == "the most points"] == [
        "Ping"
    ]
    companion.shot("wins-over")
    companion.touch(wins.cards[1])
    assert companion.page == "game", "nobody wins any more"
    assert wins.mahjong.text == "Score sheet"
    companion.touch(wins.mahjong)
    assert companion.page == "sheet"


def test_a_kong_is_asked_for_and_never_declared_by_the_first_touch(companion: Driver) -> None:
    """Nobody knows what lies in a hand: a touch beside Mahjong! may have been meant for that."""
    game_states.game_keys(companion, companion.folder)
    keys = companion.pages.game.table.keys
    before = get_state(companion).followed
    companion.touch(keys.kong)
    assert companion.says(": which kong?")
    assert get_state(companion).followed is before
    assert keys.melds["concealed"].codes == (BACK,) * 4
    companion.shot("kong")
    companion.touch(keys.kong)
    assert not get_state(companion).kong, "it is left by the same touch"


def test_the_keys_stay_where_they_are_however_long_a_name_is(companion: Driver) -> None:
    names = ("Mei", "Maximiliane-Alexandra von Hohenstein-Sonders", "Wong", "Ann")
    events = [
        GameStarted(rules="hong_kong", names=names), HandStarted(dealer=0), Dealt(),
        Discarded(seat=0, tile="1z"), Drawn(seat=1), Discarded(seat=1, tile="2z"),
    ]  # fmt: skip
    places = []
    companion.touch(companion.root.bar.buttons["game"])
    for count in (4, 6):
        followed = Followed.of(begin_progress(events[:count]))
        companion.controller.do("game", lambda state, followed=followed: state.know(followed, "friday"))
        companion.frames(4)
        places.append(tuple(companion.pages.game.table.keys.grid.keys["1m"].pos))
    assert places[0] == pytest.approx(places[1], abs=2)


def test_a_dead_hand_is_marked_at_its_seat(companion: Driver) -> None:
    events = [
        GameStarted(rules="hong_kong"), HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="1z"),
        FalseWin(seat=2),
    ]  # fmt: skip
    state = begin_progress(events).state
    plates = describe_plates(state, Words(Language.ENGLISH))
    marked = {seat for seat, plate in plates.items() if "may not win" in plate.about}
    assert marked == {2}


def test_a_doubtful_win_is_judged_by_its_tiles(companion: Driver) -> None:
    from companion.app.widgets.tile_strip import TileStrip

    events = [GameStarted(rules="hong_kong"), HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="9s")]
    events.append(Won(seat=1, hand="222m55z444p888s999s"))
    followed = Followed.of(begin_progress(events))
    companion.controller.do("game", lambda state: state.know(followed, "friday"))
    companion.touch(companion.root.bar.buttons["game"])
    companion.controller.do("game", lambda state: state.select(5))
    companion.frames(4)
    fix = companion.pages.game.table.fix
    (strip,) = [each for each in fix.walk(restrict=True) if isinstance(each, TileStrip)]
    assert sum(map(len, strip.groups)) == 14
    companion.touch(fix.back)
    assert get_state(companion).selected is None


def test_the_events_come_back_to_the_newest_when_a_hand_begins(companion: Driver) -> None:
    won = Won(seat=1, hand="123456789m55p234s", tile="5p")
    first = [GameStarted(rules="hong_kong"), HandStarted(dealer=0), Dealt()]
    for tile in ("1z", "2z", "3z", "4z", "5z", "6z", "7z"):
        for seat in range(4):
            first += [*([Drawn(seat=seat)] if len(first) > 3 else []), Discarded(seat=seat, tile=tile)]
    over = [*first, Drawn(seat=0), Discarded(seat=0, tile="5p"), won]
    game_states.follow(companion, lambda _: Followed.of(begin_progress(over)))
    events = companion.pages.game.table.events
    assert [head.text for head in events.heads] == ["Hand 1"]
    oldest = events.rows[2]
    events.scroll_to(oldest, animate=False)
    companion.frames(4)
    assert events.scroll_y < 0.5
    again = Followed.of(begin_progress([*over, HandStarted(dealer=1), Dealt()]))
    companion.controller.do("game", lambda state: state.see(lambda _: again))
    companion.frames(8)
    newest = events.rows[len(over) + 1]
    top = newest.to_window(0, newest.top)[1]
    assert top <= events.to_window(0, events.top)[1], "it is in sight"
    assert events.to_window(0, events.y)[1] < top
    assert [head.text for head in events.heads] == ["Hand 2", "Hand 1"]
    companion.shot("two_hands")
