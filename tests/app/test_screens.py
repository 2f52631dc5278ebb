"""Every state at every size in every language: nothing is cut off, nothing lies outside, everything to be
touched is large enough.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import game_states
import pytest
from app_driver import SIZES, Driver, ScriptedReader, draw_picture, list_looks
from worked import EXAMPLES, make_draft

from companion.app.score_photo import editing, how_won
from companion.app.score_photo.editing import Pane
from companion.app.score_photo.state import Page
from companion.app.tile_sets.lesson import LessonDraft
from companion.app.tile_sets.state import TileSets
from companion.rules import Source
from companion.sentences import Sentence
from companion.vision import set_files

pytestmark = pytest.mark.slow

TOUCH_MIN = 48
"""dp; the keys of the tile keyboard are the smallest things to be touched."""
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


STATES: tuple[Step, ...] = (
    empty,
    scored,
    many_rows,
    other_rules,
    unsure,
    kong,
    adding,
    by_discard,
    house_rules,
    choosing,
    no_win,
    thirteen,
    troubled,
    reading,
    sixteen_tiles,
    fortunes,
    orphans,
    dealers_streak,
    more_of_kongs,
    more_of_melds,
    no_sets,
    some_sets,
    lesson_begun,
    lesson_read,
    lesson_naming,
    *game_states.STATES,
)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_every_state_fits_at_every_size(kivy_window: None, tmp_path: Path, state: Step, looks: int) -> None:
    sizes = deque(SIZES)
    sizes.rotate(STATES.index(state))  # each size is the one that some states are reached at
    companion = Driver(tmp_path, ScriptedReader(), SIZES[sizes[0]])
    folder = tmp_path / "pictures"
    folder.mkdir()
    faults: dict[str, list[str]] = {}
    try:
        state(companion, folder)
        for size, language in list_looks(STATES.index(state), sizes)[:looks]:
            companion.resize(SIZES[size])
            companion.controller.set_language(language)
            companion.frames(4)
            companion.shot(f"{state.__name__}-{size}-{language}")
            where = f"{size}, {language}"
            faults |= {
                f"cut off at {where}": cut(companion),
                f"too small at {where}": too_small(companion),
            }
    finally:
        companion.close()
    assert {where: found for where, found in faults.items() if found} == {}


def cut(companion: Driver) -> list[str]:
    """What cannot be read in full; only folder and file names may be longer than their place."""
    from companion.app.widgets.basics import Tag

    free = set()
    if companion.page == "pictures":
        chooser = companion.pages.pictures
        free = {id(chooser.where)} | {id(cell.name) for cell in chooser.grid.children[0].children}
    return [
        label.text
        for label in companion.labels()
        if isinstance(label, Tag) and label.is_shortened and id(label) not in free
    ]


def too_small(companion: Driver) -> list[str]:
    """Buttons that a finger misses, or that lie outside of the window."""
    from companion.app.widgets.basics import Press

    found = []
    for widget in companion.root.walk(restrict=True):
        if not isinstance(widget, Press) or not widget.opacity:
            continue
        left, bottom = widget.to_window(*widget.pos)
        right = left + widget.width
        if min(widget.size) < TOUCH_MIN or left < 0 or right > companion.window.width:
            found.append(f"{widget.text}: {widget.size} at {left, bottom}")
    return found
