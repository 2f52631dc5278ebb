"""Words on a canvas: whole where there is room for them."""

from __future__ import annotations

import pytest

HEIGHT = 25.0


@pytest.mark.parametrize("words", ["East · 8 · dealer", "Between hands", "Maximiliana", "歐陽司馬"])
def test_words_are_cut_only_where_the_smallest_letters_do_not_let_them_in(
    kivy_window: None, words: str
) -> None:
    from companion.app.widgets.tiles import _make_word_texture, fit_words

    smallest = _make_word_texture(words, int(HEIGHT * 0.52), False).width
    cut = [width for width in range(smallest, smallest * 2) if fit_words(words, width, HEIGHT)[0] != words]
    assert cut == []
    for width in range(20, smallest):
        text, size = fit_words(words, width, HEIGHT)
        assert text.endswith("…")
        assert _make_word_texture(text, size, False).width <= width
