"""Every page at four sizes in three languages: nothing is cut off or lies outside or over another thing, what
is to be touched is as large as a finger, the bar is where it always is, and no line begins with a comma."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import game_states
import page_states
import pytest
from app_driver import SIZES, Driver, ScriptedReader, draw_picture
from page_checks import check_page, find_bar
from worked import EXAMPLES, make_draft

from companion.app.score_photo import editing, how_won
from companion.app.score_photo.editing import Pane
from companion.app.score_photo.state import Page
from companion.app.tile_sets.lesson import LessonDraft
from companion.app.tile_sets.state import TileSets
from companion.rules import Source
from companion.sentences import Sentence
from companion.vision import set_files
from companion.words import Language

pytestmark = pytest.mark.slow

ALL_SIZES = {"low": (800, 480), **SIZES}
LOOKS = [(size, language) for size in ALL_SIZES for language in Language]
KONG = "2s 2s 2s 3s 3s 3s back 5m 5m back 6s 7s 8s 2m ? 4s"
MANY_ROWS = "2m 2m 2m 3m 3m 3m 4m 4m 4m 5m 5m 5m 8s 8s"
SEVEN_PAIRS = "2m 2m 3m 3m 5m 5m 7m 7m 6p 6p 7p 7p 8s 8s"

Step = Callable[[Driver, Path], None]


def empty(companion: Driver, folder: Path) -> None:
    pass


def scored(companion: Driver, folder: Path) -> None:
    companion.open(draw_picture(folder / "hand.png"))


def many_rows(companion: Driver, folder: Path) -> None:
    companion.reader.codes = MANY_ROWS
    companion.open(draw_picture(folder / "hand.png", MANY_ROWS))
    companion.do(
        lambda state: editing.show_pane(
            how_won.set_number(editing.record(state, dealer=1), "streak", 3), Pane.SCORE
        )
    )


def other_rules(companion: Driver, folder: Path) -> None:
    companion.reader.codes = SEVEN_PAIRS
    companion.open(draw_picture(folder / "hand.png", SEVEN_PAIRS))
    companion.do(lambda state: editing.show_pane(how_won.set_source(state, Source.DISCARD), Pane.SCORE))


def unsure(companion: Driver, folder: Path) -> None:
    companion.reader.unsure = (4, 9)
    scored(companion, folder)
    companion.do(editing.select_next_unsure)


def kong(companion: Driver, folder: Path) -> None:
    companion.reader.codes = KONG
    companion.open(draw_picture(folder / "hand.png", KONG))
    companion.do(lambda state: editing.select(state, state.hand.concealed[0].id))


def adding(companion: Driver, folder: Path) -> None:
    companion.do(editing.start_adding)
    for code in ("2m", "3m", "4m"):
        companion.do(lambda state, code=code: editing.press_key(state, code))  # type: ignore[misc]


def by_discard(companion: Driver, folder: Path) -> None:
    scored(companion, folder)
    companion.do(lambda state: editing.show_pane(how_won.set_source(state, Source.DISCARD), Pane.WIN))


def house_rules(companion: Driver, folder: Path) -> None:
    scored(companion, folder)
    companion.do(lambda state: editing.show(how_won.set_option(state, "win_row", 0), Page.OPTIONS))


def choosing(companion: Driver, folder: Path) -> None:
    (folder / "more").mkdir()
    for i, codes in enumerate(("2m 3m 4m", "5p 5p 5p", "6s 7s 8s", "back 5m 5m back", MANY_ROWS)):
        draw_picture(folder / f"hand-{i}.png", codes)
    companion.pages.pictures.folder = folder
    companion.touch(companion.root.bar.buttons["pictures"])
    cells = companion.pages.pictures.grid.children[0]

    def thumbnails() -> list[bool]:
        return [cell.picture._image is not None for cell in cells.children if cell.name.text.endswith(".png")]

    companion.wait(lambda: thumbnails() and all(thumbnails()), "the thumbnails")


def no_win(companion: Driver, folder: Path) -> None:
    companion.reader.codes = "2m 3m 4m 5m 6m 7m 8m 8m 3p 4p 5p 6s 7s 7s"
    scored(companion, folder)
    companion.do(lambda state: editing.show_pane(state, Pane.SCORE))


def thirteen(companion: Driver, folder: Path) -> None:
    scored(companion, folder)
    companion.do(
        lambda state: editing.show_pane(
            editing.remove_selected(editing.select(state, state.hand.tiles[0].id)), Pane.SCORE
        )
    )


def troubled(companion: Driver, folder: Path) -> None:
    scored(companion, folder)
    companion.controller.bring_picture(folder / "nothing.png")
    companion.settle()


def reading(companion: Driver, folder: Path) -> None:
    scored(companion, folder)
    companion.do(lambda state: state.work(Sentence("Reading the tiles …")))
    companion.frames(3)


def sixteen_tiles(companion: Driver, folder: Path) -> None:
    request = EXAMPLES["TW-R30"]["request"] | {"flowers": "1234567f", "streak": 12, "discards": 44}
    request["melds"] = ["k2222p", "K3333s", "a1111m", "k5555z", "c678s"]
    show(companion, request | {"hand": "77z", "winning_tile": "7z"})
    companion.do(lambda state: editing.select(state, state.hand.concealed[0].id))


def fortunes(companion: Driver, folder: Path) -> None:
    show(companion, EXAMPLES["HZ-R10"]["request"] | {"base": 100, "gambits": 1})
    companion.do(lambda state: editing.show_pane(how_won.set_balance(state, 2, 150), Pane.SCORE))


def orphans(companion: Driver, folder: Path) -> None:
    show(companion, EXAMPLES["HK-S08"]["request"])
    companion.do(lambda state: editing.show_pane(state, Pane.SCORE))


def dealers_streak(companion: Driver, folder: Path) -> None:
    show(companion, EXAMPLES["TW-R20"]["request"] | {"streak": 3})
    companion.do(lambda state: editing.show_pane(state, Pane.WIN))


def more_of_kongs(companion: Driver, folder: Path) -> None:
    show(companion, EXAMPLES["HB-R05"]["request"])
    companion.do(lambda state: editing.show(state, Page.MORE))


def more_of_melds(companion: Driver, folder: Path) -> None:
    show(companion, EXAMPLES["HZ-R10"]["request"] | {"three_melds": [[1, 2]], "cap": 1_000_000})
    companion.do(lambda state: editing.show(state, Page.MORE))


def no_sets(companion: Driver, folder: Path) -> None:
    companion.teach(TileSets.enter)


def some_sets(companion: Driver, folder: Path) -> None:
    sets = set_files.path_of("any").parent
    sets.mkdir(parents=True, exist_ok=True)
    for name in ("home", "the-old-ones-of-grandmother"):
        (sets / f"{name}{set_files.FILES.suffix}").write_bytes(b"damaged")
    companion.teach(TileSets.enter)
    companion.frames(4)
    companion.press("Forget")


def lesson_begun(companion: Driver, folder: Path) -> None:
    companion.teach(lambda state: state.teach(None, "tiles"))


def lesson_read(companion: Driver, folder: Path) -> None:
    companion.teach(lambda state: state.teach(None, "tiles"))
    companion.reader.codes, companion.reader.unsure = MANY_ROWS, (3,)
    for name in ("a.png", "b.png"):
        companion.open(draw_picture(folder / name, MANY_ROWS))


def lesson_naming(companion: Driver, folder: Path) -> None:
    lesson_read(companion, folder)
    companion.teach(lambda state: state.browse(LessonDraft.select_next_unsure))


def show(companion: Driver, request: dict[str, Any]) -> None:
    companion.do(lambda state: editing.change(state, make_draft(request)))


STATES: dict[str, tuple[Step, ...]] = {
    "table": (
        empty, scored, many_rows, other_rules, unsure, kong, adding, by_discard, no_win, thirteen, troubled,
        reading, sixteen_tiles, fortunes, orphans, dealers_streak,
    ),
    "options": (house_rules,),
    "pictures": (choosing,),
    "more": (more_of_kongs, more_of_melds),
    "sets": (no_sets, some_sets),
    "lesson": (lesson_begun, lesson_read, lesson_naming),
    "game": game_states.STATES,
    **page_states.STATES,
}  # fmt: skip
"""How each page of the window is reached, in all that it may have to show."""
CASES = [(page, state) for page, states in STATES.items() for state in states]
FIRST = {states[0] for states in STATES.values()}
"""One of each page: `make test` looks at these, `make test-all` at all."""
bars: dict[tuple[str, Language], dict[str, tuple[int, ...]]] = {}
"""Where the buttons of every page were in the bar, at each size in each language."""


@pytest.mark.parametrize(
    ("page", "state"),
    [
        pytest.param(page, state, id=state.__name__, marks=[] if state in FIRST else [pytest.mark.long])
        for page, state in CASES
    ],
)
def test_every_page_fits_at_every_size(
    kivy_window: None, tmp_path: Path, page: str, state: Step, looks: int
) -> None:
    first = CASES.index((page, state)) * 5 % len(LOOKS)  # each look is the one that some pages are reached at
    chosen = (LOOKS[first:] + LOOKS[:first])[:: max(1, len(LOOKS) // looks)][:looks]
    companion = Driver(tmp_path, ScriptedReader(), ALL_SIZES[chosen[0][0]])
    folder = tmp_path / "pictures"
    folder.mkdir()
    faults: dict[str, object] = {}
    try:
        state(companion, folder)
        assert page in list_shown(companion)
        for size, language in chosen:
            companion.resize(ALL_SIZES[size])
            companion.controller.set_language(language)
            companion.frames(4)
            companion.shot(f"{page}-{state.__name__}-{size}-{language}")
            found: dict[str, object] = {**check_page(companion)}
            bar = find_bar(companion)
            if companion.banner:  # a message has the room of the first ones until it is touched away
                usual = {name: at for name, at in bars.get((size, language), bar).items() if name in bar}
            else:
                usual = bars.setdefault((size, language), bar)
            if bar != usual:
                found["the bar"] = f"{bar}, elsewhere {usual}"
            if found:
                faults[f"{size}, {language}"] = found
    finally:
        companion.close()
    assert faults == {}


def test_every_page_of_the_window_is_looked_at(companion: Driver) -> None:
    controller = companion.controller
    pages = {
        page
        for name, feature in controller.features.items()
        for page in feature.offer_pages(controller.controller_of(name))
    }
    assert pages == set(STATES)


def list_shown(companion: Driver) -> set[str]:
    """The page in front, and the panel next to it."""
    panel = companion.controller.view.find_panel()
    return {companion.page} | ({panel[1]} if panel else set())
