"""Where a line of text may end."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.app.widgets.line_breaks import break_lines, cut


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
        ("whatever it is", 5, ["whatever", "it is"]),
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
