"""Where a line of text may end."""

from __future__ import annotations

from typing import Any

import pytest
from app_driver import Driver
from hypothesis import given
from hypothesis import strategies as st
from sheet_driver import keep_declared, open_sheet

from companion.app.look import TextSize
from companion.app.news import PracticeWanted, ProfileWanted
from companion.app.settings.state import SettingsTab
from companion.app.sheet.state import EVENINGS, FIGURES, HANDS, SETTLING
from companion.app.widgets.line_breaks import NEVER_FIRST, QUOTES, break_lines, cut
from companion.words import Language


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("who pays whom", "who |pays |whom"),
        ("胡了，自摸。", "胡|了，|自|摸。"),
        ("他說：「胡了！」好", "他|說：|「胡|了！」|好"),
        ("（莊家）", "（莊|家）"),
        ("共 1,460 分", "共 |1,460 |分"),
        ("付 NT$ 200 給他", "付 |NT$ 200 |給|他"),
        ("付HK$16.50給", "付|HK$16.50給"),
        ("於12:30起", "於|12:30起"),
        ("100底20台", "100底|20台"),
        ("東風圈 · 莊家", "東|風|圈 · |莊|家"),
        ("佔 80% 或80%", "佔 |80% |或|80%"),
        ("East 1 · dealer", "East |1 · |dealer"),
        ('叫"和"的', '叫"和"的'),
        ("", ""),
    ],
)
def test_a_line_ends_only_where_readers_expect_it(text: str, parts: str) -> None:
    assert "|".join(cut(text)) == parts


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("胡了，自摸。", 2, ["胡", "了，", "自", "摸。"]),
        ("胡了，自摸。", 3, ["胡了，", "自摸。"]),
        ("付 1,460 分", 7, ["付 1,460", "分"]),
        ("付 1,460 分", 6, ["付", "1,460", "分"]),
        ("two words", 9, ["two words"]),
        ("two  words", 6, ["two", "words"]),
        ("whatever it is", 5, ["whate", "ver", "it is"]),
        ("見 a.org/mahjong、書。", 6, ["見", "a.org/", "mahjon", "g、書。"]),
        ("見 mahjong、書", 7, ["見", "mahjon", "g、書"]),
        ("「胡，」", 1, ["「胡，」"]),
    ],
)
def test_lines_are_as_full_as_they_can_be(text: str, width: int, lines: list[str]) -> None:
    assert break_lines(text, width, len) == lines


@given(text=st.text("胡了，。：「」（）$% 12,.:ab"), width=st.integers(1, 12))
def test_no_line_is_too_wide_that_could_be_broken_and_no_letter_is_lost(text: str, width: int) -> None:
    lines = break_lines(text, width, len)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(len(line.rstrip()) <= width or len(cut(line)) <= 1 for line in lines)
    assert not any(line[:1] in "，。：」）%" for line in lines[1:] if line)


@pytest.mark.slow
@pytest.mark.parametrize("width", range(60, 400, 17))
def test_labels_of_the_window_break_their_lines_so(kivy_window: None, width: int) -> None:
    from kivy.core.text import Label

    said = "他說：「胡了！」共 1,460 分，付 NT$ 200。\n100底20台"
    label: Any = Label(text=said, font_size=20, text_size=(width, None))
    label.render()
    lines = [word.text for line in label._cached_lines for word in line.words]
    parts = set(cut(said.replace("\n", "")))
    wide = [part for part in parts if label.get_extents(part.strip())[0] > width]
    assert wide or lines == [
        line
        for each in said.split("\n")
        for line in break_lines(each, width, lambda part: label.get_extents(part)[0])
    ]
    assert len(lines) > 1


def find_wrong_lines(companion: Driver) -> set[str]:
    """Texts on the screen with a line that begins as no line may."""
    found = set()
    for label in companion.labels():
        lines = ["".join(word.text for word in line.words) for line in label._label._cached_lines]  # type: ignore[attr-defined]
        if any(line.lstrip()[:1] in NEVER_FIRST - set(QUOTES) for line in lines[1:] if line.strip()):
            found.add(f"{companion.page}: " + "|".join(lines))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", [Language.SIMPLIFIED, Language.TRADITIONAL])
def test_no_line_of_a_chinese_page_begins_with_a_closing_mark(companion: Driver, language: Language) -> None:
    keep_declared("friday")
    companion.resize((480, 800))
    companion.controller.do("settings", lambda state: state.speak(language).change(text=TextSize.VERY_LARGE))
    wrong = set()

    def look(name: str, step: Any) -> None:
        companion.controller.do(name, step)
        companion.settle()
        wrong.update(find_wrong_lines(companion))

    try:
        for page in ("table_choice", "tables", "new_game", "stakes", "kept_games", "home"):
            look("home", lambda state, page=page: state.pick_game("taiwanese").show(page))
        for part in SettingsTab:
            look("settings", lambda state, part=part: state.enter().show_part(part))
        look("settings", lambda state: state.explain())
        look("practice", lambda state: state.on_news(PracticeWanted()))
        open_sheet(companion, "friday")
        for part in (HANDS, SETTLING, FIGURES, EVENINGS):
            look("sheet", lambda state, part=part: state.choose_part(part))
        look("sheet", lambda state: state.choose_part(HANDS).open_hand(0))
        look("house", lambda state: state.on_news(ProfileWanted(None)))
    finally:
        companion.controller.do("settings", lambda state: state.change(text=TextSize.NORMAL))
        companion.frames(2)
    assert wrong == set()
