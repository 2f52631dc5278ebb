"""The door for foreign files: lines within limits, and one sentence whatever goes wrong."""

from __future__ import annotations

import io
import logging
import zlib
from collections.abc import Iterator

import pytest

from companion import foreign
from companion.errors import EventError, InputError
from companion.foreign import (
    BLANK_MAX_BYTES,
    LINE_MAX_BYTES,
    Undecodable,
    guard,
    read_lines,
    reading,
    split_lines,
)
from companion.table.events import decode_event


def refuse(why: object) -> InputError:
    return InputError("'x' cannot be read ({why}).", why=why)


@pytest.mark.parametrize(
    ("raised", "why"),
    [
        (OSError(5, "Input/output error"), "Input/output error"),
        (MemoryError(), "it needs more memory than is available"),
        (RecursionError(), "it is nested too deeply"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, ""), "it is not JSON"),
        (Undecodable("no game begins"), "no game begins"),
        *(
            (error, "it is damaged")
            for error in (EOFError(), NotImplementedError(), KeyError(), zlib.error())
        ),
    ],
    ids=repr,
)
def test_whatever_goes_wrong_becomes_one_sentence(raised: Exception, why: str) -> None:
    with pytest.raises(InputError) as caught, reading(refuse):
        raise raised
    assert str(caught.value) == f"'x' cannot be read ({why})."


def test_our_own_sentences_and_interrupts_pass() -> None:
    for passing in (InputError("ours"), KeyboardInterrupt(), SystemExit()):
        with pytest.raises(type(passing)) as caught, reading(refuse):
            raise passing
        assert caught.value is passing


def test_the_details_of_what_nobody_foresaw_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), pytest.raises(InputError), reading(refuse):
        raise AttributeError("of a library")
    (record,) = caplog.records
    assert record.exc_info is not None


def test_a_guard_leaves_alone_what_whoever_takes_the_items_raises() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise EOFError

    guarded = guard(items(), refuse)
    with pytest.raises(ZeroDivisionError):
        _ = [each / 0 for each in guarded]
    with pytest.raises(InputError):
        list(guard(items(), refuse))


def test_lines_at_the_limit_are_read_and_longer_ones_passed_over() -> None:
    lines = [b"x" * (LINE_MAX_BYTES - 1) + b"\n", b"\n", b"y" * LINE_MAX_BYTES + b"\n", b"z\n"]
    lines += [b"y" * 3 * LINE_MAX_BYTES + b"\n", b"end"]
    assert list(split_lines(io.BytesIO(b"".join(lines)))) == [lines[0], b"\n", None, b"z\n", None, b"end"]
    with pytest.raises(Undecodable, match="line 3 has more than 1 MB"):
        list(read_lines(io.BytesIO(b"".join(lines))))


@pytest.mark.parametrize("blank", [b"\n", b" \t\r\n", b" " * 1000 + b"\n"])
def test_blank_lines_are_limited_altogether(blank: bytes) -> None:
    count = BLANK_MAX_BYTES // len(blank)
    assert len(list(read_lines(io.BytesIO(blank * count + b"end")))) == count + 1
    with pytest.raises(Undecodable, match="blank lines"):
        list(read_lines(io.BytesIO(blank * (count + 1))))


def test_all_lines_together_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(read_lines(io.BytesIO(b"a\nb\n"), 4)) == [b"a\n", b"b\n"]
    with pytest.raises(Undecodable, match="it has more than"):
        list(read_lines(io.BytesIO(b"a\nb\nc"), 4))
    monkeypatch.setattr(foreign, "SKIPPED_MAX_BYTES", LINE_MAX_BYTES)
    with pytest.raises(Undecodable, match="it has more than"):
        list(split_lines(io.BytesIO(b"x" * 4 * LINE_MAX_BYTES)))


@pytest.mark.parametrize(
    "text", ['{"event":"' + "A" * 9_000 + '"}', '{"event":"drawn","' + "A" * 9_000 + '":1}']
)
def test_a_long_value_is_shortened_in_the_sentence_that_refuses_it(text: str) -> None:
    with pytest.raises(EventError, match="A…") as refused:
        decode_event(text)
    assert len(str(refused.value)) < 250
