"""The page of the table: its keys, its events, its scores and its labels, in the real window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import game_states
import pytest
from app_driver import SIZES, Driver
from test_game_win import begin

from companion.app.game.followed import Followed
from companion.app.game.state import Side
from companion.app.news import TableWanted
from companion.app.widgets.game_words import describe_coming, describe_plates
from companion.game.deciding import begin_progress
from companion.table.events import (
    Dealt,
    Discarded,
    Drawn,
    Event,
    FalseWin,
    GameEnded,
    GameStarted,
    HandStarted,
    IndicatorTurned,
    PointsMoved,
    Won,
)
from companion.table.state import changed
from companion.tiles import BACK, KINDS, Suit
from companion.words import Language, Words

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("way", [(0.0, 1.0), (1.0, 0.0), (-1.0, -1.0), (0.2, -1.0)])
def test_the_name_of_a_tile_hangs_over_its_edge(kivy_window: None, way: tuple[float, float]) -> None:
    from companion.app.widgets import theme
    from companion.app.widgets.stage import Fit, Outline, place_label

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


def test_who_deals_is_asked_with_a_button_for_each_name(companion: Driver) -> None:
    game_states.game_who_deals(companion, companion.folder)
    card = companion.pages.game.table.question
    assert card.parent is not None
    assert card.words.text.endswith("seems to deal. Who deals this hand?")
    assert [key.text for key in card.keys] == [game_states.NAMES[2], game_states.NAMES[0]]


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
    assert companion.says("Discard · Ping (or touch the claimer)")
    companion.controller.do("game", lambda state: state.touch_seat(0))
    companion.frames(3)
    assert companion.says("Mei discarded this tile: touch the player who claims it.")
    companion.controller.do("game", lambda state: state.touch_seat(2))
    companion.frames(3)
    assert companion.says("What does Wong claim?")
    keys = companion.pages.game.table.keys
    assert keys.grid.parent is keys, "the keys stay where they are"
    assert all(key.disabled for key in keys.grid.keys.values())
    companion.touch(keys.back)
    assert companion.says("Discard · Ping (or touch the claimer)")
    for says in ("What does Wong claim?", "Discard · Ping (or touch the claimer)"):
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


def test_a_game_that_is_over_says_who_stands_where_and_leads_to_the_next(companion: Driver) -> None:
    from companion.app.widgets.name_tag import rank_seats

    start = GameStarted(rules="hong_kong", names=("Mei", "Ping", "Wong", "Ann"))
    points = PointsMoved(points=(-8, 12, -2, -2), why="a bet")
    over = Followed.of(begin_progress([start, points, GameEnded()]))
    game_states.show(companion, over)
    keys = companion.pages.game.table.keys
    assert rank_seats(over.state) == [(1, 1), (2, 2), (2, 3), (4, 0)]
    rows = [[tag.text for tag in row.children[::-1]] for row in keys.standing.children[::-1]]
    assert rows == [["1.", "Ping", "12"], ["2.", "Wong", "−2"], ["2.", "Ann", "−2"], ["4.", "Mei", "−8"]]
    assert describe_coming(over.state, Words(Language.ENGLISH)) == "Game over"
    companion.shot("game-over")
    assert keys.over.parent is None, "no hand is left that could end"
    companion.touch(keys.sheet)
    assert companion.page == "sheet"
    companion.touch(companion.root.bar.buttons["game"])
    companion.touch(keys.next_game)
    assert companion.page == "new_game"
    game_states.do(companion, lambda state: state.record_wins_only(True).enter())
    companion.touch(companion.pages.game.table.wins.next_game)
    assert companion.page == "new_game"


def test_a_kong_is_asked_for_and_never_declared_by_the_first_touch(companion: Driver) -> None:
    """Nobody knows what lies in a hand: a touch beside Mahjong! may have been meant for that."""
    game_states.game_keys(companion, companion.folder)
    keys = companion.pages.game.table.keys
    before = game_states.get_state(companion).followed
    companion.touch(keys.kong)
    assert companion.says(": which kong?")
    assert game_states.get_state(companion).followed is before
    assert keys.melds["concealed"].codes == (BACK,) * 4
    companion.shot("kong")
    companion.touch(keys.kong)
    assert not game_states.get_state(companion).kong, "it is left by the same touch"


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
    from companion.app.widgets.tiles import TileStrip

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
    assert game_states.get_state(companion).selected is None


def test_the_events_come_back_to_the_newest_when_a_hand_begins(companion: Driver) -> None:
    won = Won(seat=1, hand="123456789m55p234s", tile="5p")
    first = [GameStarted(rules="hong_kong"), HandStarted(dealer=0), Dealt()]
    for tile in ("1z", "2z", "3z", "4z", "5z", "6z", "7z"):
        for seat in range(4):
            first += [*([Drawn(seat=seat)] if len(first) > 3 else []), Discarded(seat=seat, tile=tile)]
    over = [*first, Drawn(seat=0), Discarded(seat=0, tile="5p"), won]
    game_states.follow(companion, lambda _: Followed.of(begin_progress(over)))
    events = companion.pages.game.table.events
    companion.wait(lambda: 2 in events.rows, "the last row, of which few are made in a frame")
    assert [head.text for head in events.heads] == ["Hand 1"]
    oldest = events.rows[2]
    events.scroll_to(oldest, animate=False)
    companion.frames(4)
    assert events.scroll_y < 0.5
    again = Followed.of(begin_progress([*over, HandStarted(dealer=1), Dealt()]))
    companion.controller.do("game", lambda state: state.see(lambda _: again))
    companion.wait(lambda: len(over) + 1 in events.rows, "the row of the new hand")
    companion.frames(8)
    newest = events.rows[len(over) + 1]
    top = newest.to_window(0, newest.top)[1]
    assert top <= events.to_window(0, events.top)[1], "it is in sight"
    assert events.to_window(0, events.y)[1] < top
    assert [head.text for head in events.heads] == ["Hand 2", "Hand 1"]
    companion.shot("two_hands")


def test_a_touch_right_after_rows_moved_is_for_the_row_that_was_there(
    companion: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: list[Event] = [GameStarted(rules="hong_kong"), HandStarted(dealer=0), Dealt()]
    for turn, tile in enumerate(f"{rank}{suit}" for suit in "mps" for rank in range(1, 9)):
        known += [*([Drawn(seat=turn % 4)] if turn else []), Discarded(seat=turn % 4, tile=tile)]
    game_states.follow(companion, lambda _: Followed.of(begin_progress(known)))
    events = companion.pages.game.table.events
    companion.frames(4)
    aimed = len(known)
    place = events.rows[aimed].to_window(*events.rows[aimed].center)

    def lay(*more: Event) -> None:
        known.extend(more)
        after = Followed.of(begin_progress(known))
        companion.controller.do("game", lambda state: state.see(lambda _: after))
        companion.frames(4)

    monkeypatch.setattr("companion.app.game.event_panes.REACTS_S", 1000.0)
    lay(Drawn(seat=0), Discarded(seat=0, tile="4z"))
    lay(Drawn(seat=1), Discarded(seat=1, tile="5z"))
    newest = events.rows[len(known)]
    assert newest.to_window(*newest.pos)[1] < place[1] < newest.to_window(0, newest.top)[1], "it lies there"
    companion.touch(place)
    assert game_states.get_state(companion).selected == aimed
    companion.controller.do("game", lambda state: state.select(None))
    companion.frames(4)

    monkeypatch.setattr("companion.app.game.event_panes.REACTS_S", 0.0)
    events._read_s -= 100
    lay(Drawn(seat=2), Discarded(seat=2, tile="6z"))
    companion.touch(place)
    assert game_states.get_state(companion).selected == len(known), "it was seen where it lies now"


class Rows:
    """A list of events to which more come."""

    def __init__(self, companion: Driver, discards: int) -> None:
        self.companion = companion
        self.known: list[Event] = [GameStarted(rules="hong_kong"), HandStarted(dealer=0), Dealt()]
        self.codes = iter([f"{rank}{suit}" for suit in "mps" for rank in range(1, 9)] * 2)
        self.turn = 0
        self.add(discards)
        first = Followed.of(begin_progress(self.known))
        game_states.follow(companion, lambda _: first)
        companion.frames(4)
        self.pane = companion.pages.game.table.events

    def add(self, discards: int) -> None:
        for _ in range(discards):
            seat = self.turn % 4
            self.known += [
                *([Drawn(seat=seat)] if self.turn else []),
                Discarded(seat=seat, tile=next(self.codes)),
            ]
            self.turn += 1

    def lay(self) -> None:
        self.add(1)
        after = Followed.of(begin_progress(self.known))
        self.companion.controller.do("game", lambda state: state.see(lambda _: after))
        self.companion.frames(6)

    def find_place(self, number: int) -> tuple[float, float]:
        if number not in self.pane.rows:
            self.companion.wait(lambda: number in self.pane.rows, "a row, of which few are made in a frame")
            self.companion.frames(6)
        row = self.pane.rows[number]
        return row.to_window(*row.center)

    @property
    def shows_newest(self) -> bool:
        _, y = self.find_place(len(self.known))
        return self.pane.to_window(0, self.pane.y)[1] < y < self.pane.to_window(0, self.pane.top)[1]


@pytest.mark.parametrize("by", ["touch", "mouse"])
def test_a_list_in_which_somebody_reads_stays_where_it_is_for_some_seconds(
    companion: Driver, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    from kivy.core.window import Window

    monkeypatch.setattr("companion.app.game.event_panes.REACTS_S", 0.0)
    rows = Rows(companion, 24)
    rows.lay()
    assert rows.shows_newest
    aimed = len(rows.known) - 2
    place = rows.find_place(aimed)
    if by == "mouse":
        Window.mouse_pos = place
    else:
        rows.pane._note_read()
    for _ in range(3):
        rows.lay()
        assert rows.find_place(aimed) == pytest.approx(place, abs=1.5)
    companion.touch(place)
    assert game_states.get_state(companion).selected == aimed
    game_states.do(companion, lambda state: state.select(None))
    companion.frames(4)
    assert not rows.shows_newest
    rows.pane._read_s -= 100
    rows.pane._return_once_read()
    companion.frames(2)
    assert rows.shows_newest
    rows.lay()
    assert rows.shows_newest


def test_a_list_that_was_scrolled_away_stays_until_a_hand_begins(companion: Driver) -> None:
    rows = Rows(companion, 24)
    pane = rows.pane
    x, y = pane.to_window(*pane.center)
    companion.drag((x, y - pane.height / 3), (x, y + pane.height / 3))
    passed: list[float] = []

    def rests() -> bool:
        passed.append(pane.scroll_y)
        still = len(passed) > 4 and len(set(passed[-4:])) == 1
        return still and not pane.effect_y.velocity and not pane.effect_y.is_manual

    companion.wait(rests, "that it rests")
    pane._read_s -= 100
    seen = next(n for n in rows.pane._order if pane.rows[n].to_window(*pane.rows[n].center)[1] < y)
    place = rows.find_place(seen)
    for _ in range(3):
        rows.lay()
        assert rows.find_place(seen) == pytest.approx(place, abs=1.5)
    pane._return_once_read()
    companion.frames(2)
    assert rows.find_place(seen) == pytest.approx(place, abs=1.5)


def begin_hangzhou(*more: Event) -> Followed:
    names = ("Mei", "Ping", "Wong", "Ann")
    return Followed.of(begin_progress([GameStarted(rules="hangzhou", names=names), *more]))


def test_before_a_hand_the_dice_have_the_room_of_the_counts(companion: Driver) -> None:
    table = companion.pages.game.table
    game_states.show(companion, begin_hangzhou())
    game_states.do(companion, lambda state: state.show_side(Side.KEYS).show_counts(True))
    companion.shot("counts-before")
    assert table.counts.parent is None
    assert table.keys.words.to_window(0, table.keys.words.top)[1] <= table.to_window(0, table.top)[1]
    begun = (HandStarted(dealer=0), Dealt())
    game_states.show(companion, begin_hangzhou(*begun))
    assert table.counts.parent is None, "a tile is turned over"
    game_states.show(companion, begin_hangzhou(*begun, IndicatorTurned(tile="9s")))
    companion.shot("counts-played")
    assert table.counts.parent is None, "the keys bear them"
    assert {key.seen for key in table.keys.grid.keys.values()} == {"0", "1"}
    game_states.do(companion, lambda state: state.show_side(Side.EVENTS))
    assert table.counts.parent is not None
    assert table.events.to_window(0, table.events.top)[1] <= table.counts.to_window(0, table.counts.y)[1]
    game_states.do(companion, lambda state: state.show_side(Side.KEYS))
    used = sum(each.height for each in table.keys.children) + table.keys.spacing * (
        len(table.keys.children) - 1
    )
    assert used <= table.keys.height + 1, "all keys have their room"


@pytest.mark.sampled
@pytest.mark.parametrize("size", SIZES.values())
def test_the_plate_of_the_dealer_says_all_of_it(companion: Driver, size: tuple[int, int]) -> None:
    from companion.app.widgets import theme
    from companion.app.widgets.tiles import fit_words

    companion.resize(size)
    game_states.show(companion, begin_hangzhou(HandStarted(dealer=0), Dealt(), IndicatorTurned(tile="9s")))
    companion.shot(f"plate-{size[0]}")
    board = companion.pages.game.table.board
    for seat, plate in board._view.plates.items():
        _, _, width, height = board._place_plate(seat)
        lines = board._list_below(plate, width - theme.GAP, height)
        high = height * (0.5 if len(lines) == 1 else 0.33) * 0.95
        assert [fit_words(line, width - theme.GAP, high)[0] for line in lines] == list(lines)


GLYPH_ARCMIN = 16.0
"""The angle at which a character can be read, at least: ISO 9241-303:2011, 5.5.4."""
DISTANCE_MM, SCREEN_INCHES = 1000.0, 10.1
CAPACITY = {18: 1.0, 24: 0.85}
"""By how many tiles each player has discarded: the distance in m from which they can be read."""


def discard_evenly(count: int) -> Followed:
    """A hand of which each player has discarded that many tiles."""
    begun = [GameStarted(rules="hong_kong", names=game_states.NAMES), HandStarted(dealer=0), Dealt()]
    state = begin_progress(begun).state
    tiles = tuple([kind for kind in KINDS if kind.suit is not Suit.FLOWERS] * 4)
    players = tuple(
        changed(player, discards=tiles[seat * count : (seat + 1) * count])
        for seat, player in enumerate(state.hand.players)
    )
    return Followed(changed(state, hand=changed(state.hand, players=players)))


@pytest.mark.parametrize("count", CAPACITY)
def test_discards_can_be_read_from_one_metre_on_ten_inches(companion: Driver, count: int) -> None:
    from math import atan, degrees, hypot

    from companion.app.widgets.board import RIVER, SIGN_SHARE, TILE_HEIGHT

    companion.resize(SIZES["tablet"])
    game_states.show(companion, discard_evenly(count))
    companion.shot(f"river-{count}")
    board = companion.pages.game.table.board
    shape = board._measure
    a_row = -(-count // 3)
    assert shape.a_row == a_row
    for along in (shape.across, shape.up):  # what it runs into is the river of the next player
        assert shape.column * (a_row - 1) + 1 <= 2 * along + RIVER + 1e-6
    assert shape.half[0] * 2 <= board.width
    assert shape.half[1] * 2 <= board.height
    mm = shape.tile * TILE_HEIGHT * SIGN_SHARE * 25.4 * SCREEN_INCHES / hypot(*SIZES["tablet"])
    assert 60 * degrees(atan(mm / (DISTANCE_MM * CAPACITY[count]))) >= GLYPH_ARCMIN


def test_the_number_of_a_character_tile_is_as_high_as_the_board_assumes(kivy_window: None) -> None:
    """Measured in the picture: the ink above the 萬, of those whose number is not one stroke."""
    import cv2

    from companion.app.widgets.board import SIGN_SHARE
    from companion.art import tile_png

    for code in ("4m", "5m", "6m", "9m"):
        face = cv2.imread(str(tile_png(code)))
        high, wide = face.shape[:2]
        ink = face[: int(high * 0.43), int(wide * 0.25) : int(wide * 0.75)].min(axis=2) < 128
        rows = ink[int(high * 0.04) :].any(axis=1).nonzero()[0]
        assert (rows[-1] - rows[0] + 1) / high >= SIGN_SHARE * 0.9, code


@pytest.mark.parametrize("size", [(800, 480), *SIZES.values()])
@pytest.mark.parametrize("counts", [False, True])
def test_counts_stand_beside_the_tiles_and_leave_the_keys_usable(
    companion: Driver, size: tuple[int, int], counts: bool
) -> None:
    from companion.app.widgets import theme

    companion.resize(size)
    game_states.game_keys(companion, companion.folder)
    game_states.do(companion, lambda state: state.show_counts(counts))
    companion.frames(2)
    table = companion.pages.game.table
    assert table.counts.parent is None
    grid = table.keys.grid
    said = grid.legend.text.split("\n")
    assert said == ["Green: likely", "Number: left", *(["Small: seen"] if counts else [])]
    for key in grid.keys.values():
        assert key.height >= 0.8 * theme.TOUCH
        left, low, right, _ = key.face
        for number in (key._count, key._seen) if counts else (key._count,):
            middle = number.center_x, number.center_y
            letters = number.texture_size
            assert (
                middle[0] - letters[0] / 2 >= right - 1
                or middle[0] + letters[0] / 2 <= left + 1
                or middle[1] + letters[1] / 2 <= low + letters[1] * 0.2
            ), "no number is on the art"
        assert not counts or int(key.count) + int(key.seen) in (1, 4)


def test_the_lines_in_the_middle_of_the_table_have_letters_of_one_size(
    companion: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.app.widgets import board
    from companion.app.widgets.tiles import fit_words

    drawn: dict[str, int] = {}

    def draw_words(
        text: str, _: Any, room: tuple[float, float], *__: Any, most: int = 99, **___: Any
    ) -> None:
        drawn[text] = min(fit_words(text, *room)[1], most) if text else 0

    monkeypatch.setattr(board, "draw_words", draw_words)
    companion.resize((800, 480))
    begin(companion, tmp_path / "friday.game", rules="hong_kong", names=("Siu", "Mei", "Wing", "Auntie"))
    companion.controller.announce(TableWanted())
    companion.settle()
    assert companion.says("Only wins")
    companion.frames(4)
    assert drawn["Between"] == drawn["hands"]
