"""Pages that no photo and no followed game reaches, each as the window shows it in use: names that are long,
a game of which only wins are recorded, hands that are kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from app_driver import WAIT_S, Driver, draw_picture
from practice_driver import Newcomer
from sheet_driver import LONG, keep, keep_game, open_sheet
from test_coach import coach_of, keep_hands, open_table, wait_for_answer

from companion.app.club.state import Destination
from companion.app.house.state import Section
from companion.app.news import ClubWanted, HandEndWanted, ProfileWanted, WinEntryWanted
from companion.app.phones.state import ServedPage
from companion.app.score_photo import editing, open_tiles
from companion.app.settings.state import SettingsTab
from companion.app.sheet.state import EVENINGS, FIGURES, SETTLING
from companion.live.practice_hand import Stage
from companion.money import Currency
from companion.profiles import load
from companion.publish.connection import NO_CA
from companion.rules import Source
from companion.rules.stated import Stated
from companion.rules.win import Stakes
from companion.sentences import Sentence
from companion.serve.entries import make_entry
from companion.serve.remote import RemoteView
from companion.serve.seats import Seat
from companion.serve.site import NO_PORT
from companion.table.apply import fold
from companion.table.events import Event, GameStarted
from companion.table.unrecorded import ReportedWin, enter_win
from companion.tiles import KINDS, Tile, parse_tiles
from companion.vision.learned import LearnedSet

TAIWAN = GameStarted(
    rules="taiwanese", names=LONG, options=dict(load("taiwanese-common").options), streak=2,
    stakes=Stakes(100, 20), currency=Currency("NT$", "1", "10"),
)  # fmt: skip
"""The longest words that a win without tiles has: money, a dealer's streak."""


def start(driver: Driver, folder: Path) -> None:
    driver.touch(driver.root.bar.buttons["home"])
    driver.settle()


def start_again(driver: Driver, folder: Path) -> None:
    keep_game("friday", names=LONG, hands=2)
    start(driver, folder)


def home_page(name: str, rules: str = "taiwanese"):  # type: ignore[no-untyped-def]
    def show(driver: Driver, folder: Path) -> None:
        start_again(driver, folder)
        driver.controller.do("home", lambda state: state.pick_game(rules).show(name))
        driver.settle()

    show.__name__ = name
    return show


def house_list(driver: Driver, folder: Path) -> None:
    driver.controller.announce(ProfileWanted())
    driver.wait(lambda: driver.controller.view.states["house"].is_ready_to_show, "the profiles")
    driver.settle()


def house_options(driver: Driver, folder: Path) -> None:
    house_list(driver, folder)
    driver.controller.do("house", lambda state: state.create("hong_kong", "My Hong Kong rules"))
    _fill_options(driver)


def house_play(driver: Driver, folder: Path) -> None:
    house_options(driver, folder)
    driver.controller.do("house", lambda state: state.show_section(Section.PLAY))
    _fill_options(driver)


def _fill_options(driver: Driver) -> None:
    from test_house import complete

    complete(driver)


def house_share(driver: Driver, folder: Path) -> None:
    house_options(driver, folder)
    driver.controller.do("house", lambda state: state.share())
    driver.settle()


def films(driver: Driver, folder: Path) -> None:
    driver.controller.do("pictures", lambda state: state.show_films())
    driver.settle()


def camera(driver: Driver, folder: Path) -> None:
    film = folder / "film"
    film.mkdir()
    draw_picture(film / "1.png")
    driver.controller.do("pictures", lambda state: state.open_camera(f"file:{film}"))
    driver.wait(lambda: driver.page == "camera", "the camera")
    driver.settle()


def score_game(driver: Driver, folder: Path) -> None:
    driver.do(lambda state: editing.show(state, editing.Page.GAME))
    driver.settle()


def begin_evening(driver: Driver, folder: Path) -> None:
    """A game of which only wins are recorded."""
    path = folder / "friday.game"
    driver.game.begin(path, TAIWAN).result(WAIT_S)
    driver.wait(lambda: driver.state.played.progress and driver.state.played.path == path)


def win_bare(driver: Driver, folder: Path) -> None:
    begin_evening(driver, folder)
    driver.controller.announce(WinEntryWanted())
    driver.settle()


def win_stated(driver: Driver, folder: Path) -> None:
    win_bare(driver, folder)
    driver.touch(driver.pages.win_entry.win.askers["winner"].button("1"))
    driver.touch(driver.pages.win_entry.win.discarder.button("0"))
    driver.do(lambda state: editing.state_value(state, 8))
    driver.settle()


def win_by_hand(driver: Driver, folder: Path) -> None:
    win_bare(driver, folder)
    for tile in parse_tiles("111222m333p444s55s77z"):
        driver.do(lambda state, code=tile.code: editing.set_hand(state, state.hand.add(code)))  # type: ignore[misc]
    driver.touch(driver.pages.win_entry.win.askers["winner"].button("1"))
    driver.settle()


def win_typing(driver: Driver, folder: Path) -> None:
    win_by_hand(driver, folder)
    driver.do(editing.start_adding)
    driver.settle()


def win_rows(driver: Driver, folder: Path) -> None:
    win_stated(driver, folder)
    driver.do(lambda state: editing.show_rows(state))
    driver.settle()


def win_result(driver: Driver, folder: Path) -> None:
    """Of a win without tiles."""
    win_stated(driver, folder)
    driver.show_everyone()
    driver.settle()


def win_result_tiles(driver: Driver, folder: Path) -> None:
    win_bare(driver, folder)
    driver.touch(driver.pages.win_entry.win.askers["winner"].button("1"))
    driver.touch(driver.pages.win_entry.win.discarder.button("self"))
    for tile in parse_tiles("111222m333p444s55s777z"):
        driver.do(lambda state, code=tile.code: editing.set_hand(state, state.hand.add(code)))  # type: ignore[misc]
    driver.frames(3)
    tiles = driver.state.hand.concealed
    driver.do(lambda state: editing.set_hand(state, state.hand.win_with(tiles[-1].id)))
    driver.do(lambda state: editing.show(state, editing.Page.RESULT))
    driver.settle()


def open_tiles_page(driver: Driver, folder: Path) -> None:
    driver.reader.codes = "2m 3m 4m 5m 8m 8m 3p 4p 5p 6s 7s 8s 2p 8p"
    driver.open(draw_picture(folder / "hand.png", driver.reader.codes))
    driver.do(open_tiles.ask_coach)
    wait_for_answer(driver)
    driver.controller.do("coach", lambda state: state.enter_open_tiles())
    driver.settle()


def taught(driver: Driver, folder: Path) -> None:
    codes = tuple(tile.code for tile in KINDS)
    learned = LearnedSet("home", "0" * 64, codes, np.zeros((len(codes), 8), np.float32))
    driver.teach(lambda state: state.show_learned(learned))
    driver.settle()


def practice_games(driver: Driver, folder: Path) -> None:
    start(driver, folder)
    driver.touch(driver.pages.home.practice)
    driver.settle()


def practice(driver: Driver, folder: Path) -> None:
    start(driver, folder)
    driver.controller.features["practice"].choose_number = lambda: 3  # type: ignore[attr-defined]
    person = Newcomer(driver)
    person.begin("taiwanese")
    person.begin_hand()
    assert person.stage is Stage.ASKING


def practice_coached(driver: Driver, folder: Path) -> None:
    practice(driver, folder)
    driver.touch(driver.root.bar.buttons["coach"])
    driver.wait(lambda: coach_of(driver).is_ready_to_show, "the coach")
    driver.frames(4)


def lesson_steps(driver: Driver, folder: Path) -> None:
    practice_games(driver, folder)
    driver.controller.do("practice", lambda state: state.begin_lesson("taiwanese").turn_lesson(3))
    driver.settle()


def hand_end(driver: Driver, folder: Path) -> None:
    begin_evening(driver, folder)
    driver.controller.announce(HandEndWanted())
    driver.settle()


def hand_end_penalty(driver: Driver, folder: Path) -> None:
    hand_end(driver, folder)
    page = driver.pages.hand_end
    driver.touch(page.offers["penalty"])
    driver.touch(page.seat.button("1"))
    driver.touch(page.other.button("3"))


def keep_stated(name: str = "friday") -> None:
    """An evening of wins whose value alone was entered."""
    events: list[Event] = [TAIWAN]
    for seat, giver, value in ((1, None, 8), (2, 3, 3), (0, 1, 11)):
        state = fold(events)
        assert state is not None
        source = Source.SELF_DRAW if giver is None else Source.DISCARD
        events += enter_win(state, ReportedWin(seat, source, giver, stated=Stated(value=value))).events
    keep(name, events)


def sheet_hands(driver: Driver, folder: Path) -> None:
    keep_stated()
    open_sheet(driver, "friday")


def sheet_stated(driver: Driver, folder: Path) -> None:
    sheet_hands(driver, folder)
    driver.controller.do("sheet", lambda state: state.open_hand(0))
    driver.settle()


def sheet_result(driver: Driver, folder: Path) -> None:
    keep_game("friday", rules="taiwanese", names=LONG)
    open_sheet(driver, "friday")
    driver.controller.do("sheet", lambda state: state.open_hand(0))
    driver.settle()


def sheet_steps(driver: Driver, folder: Path) -> None:
    sheet_result(driver, folder)
    driver.press("Step by step")
    driver.settle()


def sheet_correction(driver: Driver, folder: Path) -> None:
    sheet_stated(driver, folder)
    driver.press("Correct")
    driver.settle()


def sheet_part(part: str):  # type: ignore[no-untyped-def]
    def show(driver: Driver, folder: Path) -> None:
        keep_game("saturday", rules="hong_kong", names=LONG)
        sheet_hands(driver, folder)
        driver.controller.do("sheet", lambda state: state.choose_part(part))
        driver.settle()

    show.__name__ = f"sheet_{part}"
    return show


def coach_hand(driver: Driver, folder: Path) -> None:
    driver.reader.codes = "2m 3m 4m 5m 8m 8m 3p 4p 5p 6s 7s 8s 2p 8p"
    driver.open(draw_picture(folder / "hand.png", driver.reader.codes))
    driver.do(open_tiles.ask_coach)
    wait_for_answer(driver)


def coach_beside(driver: Driver, folder: Path) -> None:
    from test_coach import keep_half

    keep_half()
    open_table(driver)
    driver.touch(driver.root.bar.buttons["coach"])
    wait_for_answer(driver)


def coach_step(driver: Driver, folder: Path) -> None:
    keep_hands("hong_kong")
    open_sheet(driver, "friday")
    driver.controller.do("sheet", lambda state: state.open_hand(0))
    driver.frames(4)
    driver.press("Step by step")
    driver.touch(driver.root.bar.buttons["coach"])
    wait_for_answer(driver)


def devices(driver: Driver, folder: Path) -> None:
    driver.touch(driver.root.bar.buttons["devices"])


def phones_off(driver: Driver, folder: Path) -> None:
    driver.touch(driver.root.bar.buttons["phones"])


def phones_on(driver: Driver, folder: Path) -> None:
    """With the longest link of a network at home."""
    phones_off(driver, folder)
    link = f"http://192.168.178.123:54321/?token={'AbCdE_-1Wm' * 2}xy"
    _show_served(driver, ServedPage(link, 12, in_network=True))


def phones_film(driver: Driver, folder: Path) -> None:
    """The link for a phone's camera."""
    phones_off(driver, folder)
    link = f"://192.168.178.123:54321/?token={'AbCdE_-1Wm' * 2}xy"
    page = ServedPage(f"http{link}", 12, True, f"https{link}&view=camera", ":".join(["A8"] * 32))
    driver.controller.do("phones", lambda state: state.offer_link(films=True))
    _show_served(driver, page)


def phones_alone(driver: Driver, folder: Path) -> None:
    """In no network."""
    phones_off(driver, folder)
    link = f"http://127.0.0.1:54321/?token={'AbCdE_-1Wm' * 2}xy"
    _show_served(driver, ServedPage(link, 0, in_network=False))


def phones_refused(driver: Driver, folder: Path) -> None:
    phones_off(driver, folder)
    why = Sentence(NO_PORT, {"why": "Too many open files"})
    driver.controller.do("phones", lambda state: state.fail(why))
    driver.settle()


def phones_seats(driver: Driver, folder: Path) -> None:
    """Two seats are held, in a game with long names."""
    phones_on(driver, folder)
    driver.controller.do("phones", lambda state: state.follow(_make_remote()))
    driver.settle()


def club_off(driver: Driver, folder: Path) -> None:
    driver.controller.announce(ClubWanted())


def club_on(driver: Driver, folder: Path) -> None:
    """A long address, as the page is most of an evening."""
    club_off(driver, folder)
    to = Destination("mqtts://table7@mosquitto.dragons-mahjong-club.example:8883", "Dragons", "7", is_on=True)
    driver.controller.do("club", lambda state: replace(state, destination=to, game="friday", sent=1234))
    driver.settle()


def club_troubled(driver: Driver, folder: Path) -> None:
    """The longest sentence, about a file with a long name."""
    club_off(driver, folder)
    why = Sentence(NO_CA, {"file": "/media/stick/certificates/authority.pem", "why": "Permission denied"})
    to = Destination("mqtts://table7@broker.local", "Dragons", "7", str(why.params["file"]))
    driver.controller.do(
        "club", lambda state: replace(state, destination=to, password="12345678", trouble=why)
    )
    driver.settle()


def phone_entry(driver: Driver, folder: Path) -> None:
    """A win of many lines, entered by tiles."""
    _enter_by_phone(driver, folder, (1,))


def phone_entries(driver: Driver, folder: Path) -> None:
    """Two such wins, on the same tile."""
    _enter_by_phone(driver, folder, (1, 2))


def _enter_by_phone(driver: Driver, folder: Path, winners: tuple[int, ...]) -> None:
    phones_seats(driver, folder)
    remote = _make_remote()
    assert remote.state is not None
    hands = {1: "123456789m11122255z", 2: "123789m333444666s77z"}
    sent = [
        (seat, ReportedWin(seat, Source.DISCARD, 3, Tile.parse("9m"), tuple(parse_tiles(hands[seat]))))
        for seat in winners
    ]
    entry = make_entry(1, remote.state, sent)
    driver.controller.do("phones", lambda state: state.follow(replace(remote, entry=entry)))
    driver.settle()


def _make_remote() -> RemoteView:
    state = fold([GameStarted(rules="taiwanese", options={"multi_win": True}, names=LONG)])
    seats = tuple(Seat(name, f"204{at}", "token" * (at < 2) or None) for at, name in enumerate(LONG))
    return RemoteView(state, seats)


def _show_served(driver: Driver, page: ServedPage) -> None:
    driver.controller.do("phones", lambda state: state.serve(page))
    driver.settle()


def settings(tab: SettingsTab):  # type: ignore[no-untyped-def]
    def show(driver: Driver, folder: Path) -> None:
        driver.touch(driver.root.bar.buttons["settings"])
        driver.controller.do("settings", lambda state: state.show_part(tab))
        driver.settle()

    show.__name__ = f"settings_{tab.value}"
    return show


def help_page(driver: Driver, folder: Path) -> None:
    driver.touch(driver.root.bar.buttons["help"])
    driver.settle()


STATES = {
    "home": (start, start_again),
    "table_choice": (home_page("table_choice"), ),
    "tables": (home_page("tables"),),
    "new_game": (home_page("new_game"),),
    "stakes": (home_page("stakes"),),
    "kept_games": (home_page("kept_games"),),
    "house": (house_list, house_options, house_play, house_share),
    "films": (films,),
    "camera": (camera,),
    "score_game": (score_game,),
    "win_entry": (win_bare, win_stated, win_by_hand, win_typing),
    "win_rows": (win_rows,),
    "win_result": (win_result, win_result_tiles),
    "open_tiles": (open_tiles_page,),
    "taught": (taught,),
    "practice_games": (practice_games,),
    "practice": (practice,),
    "coach_above": (practice_coached,),
    "lesson_steps": (lesson_steps,),
    "hand_end": (hand_end, hand_end_penalty),
    "sheet": (
        sheet_hands, sheet_stated, sheet_result, sheet_steps, sheet_correction,
        *(sheet_part(part) for part in (SETTLING, FIGURES, EVENINGS)),
    ),
    "coach": (coach_hand,),
    "coach_beside": (coach_beside,),
    "coach_step": (coach_step,),
    "devices": (devices,),
    "phones": (phones_off, phones_on, phones_film, phones_alone, phones_refused, phones_seats),
    "phone_entry": (phone_entry, phone_entries),
    "club": (club_off, club_on, club_troubled),
    "settings": tuple(settings(tab) for tab in SettingsTab),
    "help": (help_page,),
}  # fmt: skip
