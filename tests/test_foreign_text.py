"""Text from elsewhere: what nobody sees in it is written as an escape, or taken out of a name."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.errors import InputError, quote
from companion.foreign_text import clean, escape, escape_json, show
from companion.sentences import Sentence
from companion.table.events import GameStarted, HandAbandoned
from companion.words import Language, Words

UNSEEN = (
    "\x00\x07\x08\t\n\r\x1b\x7f\x80\x85\x9b\x9c\xa0\xad\u034f\u061c\u115f\u1680\u180e\u200b\u200d\u200e\u2028\u2029"
    "\u202e\u2066\u3164\ufeff\uffa0\ufffe\ue000\ud800\udfff\U000e0041\U0001f9ff\U0010ffff"
).replace("\U0001f9ff", "")
SEEN = "aé陈瑋\U00031350\U0002ebf0\u3000＝😀葛\U000e0100'[red]:smile:"
LINES = ("\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029")
texts = st.text(st.characters() | st.sampled_from(UNSEEN), max_size=40)


def steers(text: str) -> list[str]:
    """What in the text a terminal obeys, or shows as nothing."""
    return [each for each in text if unicodedata.category(each) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")]


@pytest.mark.parametrize("character", UNSEEN)
def test_invisible_characters_are_escaped_and_removed_from_names(character: str) -> None:
    said = f"a{character}b"
    assert escape(said).startswith("a\\")
    assert escape(said).isascii()
    assert clean(said) in ("ab", "a b") or "\ud800" <= character <= "\udfff"


@pytest.mark.parametrize("character", SEEN)
def test_visible_characters_stay(character: str) -> None:
    said = f"a{character}b"
    assert escape(said) == clean(said) == show(said) == escape_json(said) == said


@given(texts)
@example("\x1b]0;title\x07\x1b[31m")
def test_no_sentence_quotation_or_name_steers_a_terminal(text: str) -> None:
    shown = [
        show(text), escape(text), quote(text), quote([text]), str(Sentence("{a}", {"a": text})),
        str(InputError("No {a}.", a=Sentence("{b}", {"b": text}))),
        str(InputError("{a}", a=ValueError(text))),
        *(Words(language)("No profile {name}.", name=text) for language in Language),
    ]  # fmt: skip
    for each in shown:
        assert not steers(each)
        assert len(each.splitlines()) <= 1
    assert escape(escape(text)) == escape(text)


@given(texts)
def test_json_is_escaped_and_means_the_same(text: str) -> None:
    for written in (json.dumps({text: [text]}, ensure_ascii=False), json.dumps(text)):
        escaped = escape_json(written)
        assert not steers(escaped)
        assert json.loads(escaped) == json.loads(written)


@given(st.tuples(texts, texts, texts, texts))
def test_no_event_holds_what_is_not_seen(names: tuple[str, str, str, str]) -> None:
    start, end = GameStarted(rules="hefei", names=names), HandAbandoned(why=names[0])
    for text in (*start.names, end.why):
        assert all("\ud800" <= each <= "\udfff" for each in steers(text))
        assert not any(line in text for line in LINES)


def test_long_foreign_text_is_quoted_in_short_and_at_once() -> None:
    assert len(quote("x" * 10**8)) == 63
    assert len(quote("rtsp://ann:" + "x" * 10**7 + "@cam")) < 70
