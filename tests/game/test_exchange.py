"""Games as text: what comes out goes in again as the same game; a bad line is refused by its number."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sums import AT, START, begin, entries, event, lines, numbers, resume

from companion.errors import InputError
from companion.game import messages
from companion.game.exchange import ImportedGame, enter_lines, history_lines, log_lines, read_game
from companion.game.file import GameFile
from companion.game.game import Game, encode_pinned
from companion.table.apply import fold
from companion.table.events import Corrected, decode_log


@pytest.fixture
def kept(path: Path) -> GameFile:
    """A game with all that can stand in a file, closed by whoever asks for it."""
    with begin(path) as game:
        for number in range(5):
            game.append(event(number), f"键 {number}")
        game.undo(2)
        game.append(event(7))
        game.append(Corrected(number=2, right=event(9), why="a 九"))
        game.append(event(8), "last")
        game.undo(3)
        game.redo(2)
    return GameFile.open(path)


def made_again(found: ImportedGame, path: Path) -> Game:
    return Game(GameFile.create(path, found.entries, program=found.program, begun=found.begun))


def test_a_log_is_what_stands_as_every_program_reads_it(kept: GameFile, tmp_path: Path) -> None:
    text = list(log_lines(kept))
    kept.close()
    assert json.loads(text[0]) == {"format": "mahjong-companion-table", "version": 1}
    state = fold(event for _, event in decode_log(text))
    assert state is not None
    assert [entry.points[0] for entry in state.ledger] == [9, 1, 2, 7]
    with made_again(read_game(text), tmp_path / "new.game") as game:
        assert numbers(game) == (9, 1, 2, 7)
        assert list(log_lines(game.file)) == text


def test_a_history_is_all_that_was_entered(kept: GameFile, tmp_path: Path) -> None:
    text = list(history_lines(kept))
    kept.close()
    with made_again(read_game(text), tmp_path / "new.game") as game:
        assert game.file.entries == kept.entries
        assert game.file.header == kept.header
        assert game.file.undone == kept.undone
        assert numbers(game) == (9, 1, 2, 7)
        assert list(history_lines(game.file)) == text
        assert not game.append(event(1), "键 1")
        game.redo()
        assert numbers(game) == (9, 1, 2, 7, 8)


def test_a_history_says_how_certain_what_was_entered_is(path: Path, tmp_path: Path) -> None:
    with begin(path) as game:
        game.append(event(1), p=0.71)
        game.append(event(2))
        text = list(history_lines(game.file))
    assert [json.loads(line).get("p") for line in text] == [None, None, 0.71, None]
    assert json.loads(text[0])["version"] == 2
    with made_again(read_game(text), tmp_path / "new.game") as game:
        assert [entry.p for entry in game.file.entries] == [1, 0.71, 1]
        (_, again) = enter_lines(game, [text[0], b'{"key":"a",' + text[2][1:], b'{"key":"a",' + text[2][1:]])
        assert (again.new, again.entry.p) == (False, 0.71)


def test_a_history_in_which_all_is_certain_is_for_older_programs_too(kept: GameFile) -> None:
    text = list(history_lines(kept))
    kept.close()
    assert json.loads(text[0])["version"] == 1
    assert not any("p" in json.loads(line) for line in text)


def test_blank_lines_are_skipped_and_ends_of_lines_may_be_those_of_windows(kept: GameFile) -> None:
    text = list(history_lines(kept))
    kept.close()
    crlf = [b"\r\n", *(line.replace(b"\n", b"\r\n") for line in text), b"\n", b"  "]
    assert read_game(crlf) == read_game(text)


HISTORY = (
    '{"format":"mahjong-companion-history","version":1,"program":"0.1.0","begun":"2026-01-02T03:04:05.678Z"}'
)
LOG = '{"format":"mahjong-companion-table","version":1}'
FIRST = f'{{"at":"{AT}","event":{encode_pinned(START)}}}'
ADD = lines(5)[0]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (["East, South"], "Line 1: 'East, South' is not the first line of a log"),
        (['{"format": "other", "version": 1}'], "Line 1: .* is not the first line of a game's log"),
        (
            [LOG.replace("1}", "2}")],
            "Line 1: The log has version 2, and this program knows version 1: update",
        ),
        ([HISTORY.replace(":1,", ":3,")], "Line 1: It is a history of version 3, and .* version 2: update"),
        ([LOG], "There is no event in it. Nothing was imported"),
        ([HISTORY, ""], "There is no event in it. Nothing was imported"),
        ([], "There is no event in it. Nothing was imported"),
        ([LOG, encode_pinned(START), "", ADD[:-9]], "Line 4: .* is not an event of a game"),
        ([LOG, encode_pinned(START), ADD, '{"event":"flown"}'], "Line 4: .* is not an event of a game"),
        (
            [LOG, encode_pinned(START), '{"event":"drawn","seat":1}'],
            "Line 3: drawn can only happen in a hand",
        ),
        ([LOG, ADD], "Line 2: points_moved comes before game_started"),
        ([LOG, encode_pinned(START), "\udcff"], "Line 3: It is not UTF-8 text"),
        ([HISTORY, FIRST, ADD], "Line 3: .* is not an entry of a history"),
        (
            [HISTORY, FIRST, f'{{"at":"{AT}"}}'],
            "Line 3: A line of a history has either an event or a number of",
        ),
        (
            [HISTORY, FIRST, f'{{"at":"{AT}","steps":-1}}'],
            "Line 3: 1 cannot be undone: at most 0 can be",
        ),
        (
            [HISTORY, f'{{"at":"{AT}","steps":-1}}'],
            "Line 2: 1 cannot be undone: at most 0 can be",
        ),
        (
            [HISTORY, FIRST, f'{{"at":"{AT}","steps":2}}'],
            "Line 3: 2 cannot be redone: at most 0 can be",
        ),
        (
            [HISTORY, FIRST, *[f'{{"at":"{AT}","key":"a","event":{ADD}}}'] * 2],
            "Line 4: Line 3 has the key 'a' already",
        ),
    ],
)
def test_a_bad_line_is_refused_by_its_number(bad: list[str], said: str) -> None:
    with pytest.raises(InputError, match=f"^{said}") as problem:
        read_game(line.encode("utf-8", "surrogateescape") + b"\n" for line in bad)
    assert str(problem.value).endswith("Nothing was imported.")
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("form", [log_lines, history_lines])
def test_a_text_with_a_byte_order_mark_is_read(
    kept: GameFile, form: Callable[[GameFile], Iterator[bytes]]
) -> None:
    text = list(form(kept))
    found = read_game([b"\xef\xbb\xbf" + text[0], *text[1:]])
    assert [entry.event for entry in found.entries] == [entry.event for entry in read_game(text).entries]
    assert read_game([b"\xef\xbb\xbf\r\n", *text]).entries


def test_text_of_another_encoding_is_named(kept: GameFile) -> None:
    text = b"".join(log_lines(kept)).decode().encode("utf-16")
    with pytest.raises(InputError, match=r"^Line 1: It is not UTF-8 text. Nothing was imported.$"):
        read_game(text.splitlines(keepends=True))


def cut(text: list[bytes], at: int) -> list[bytes]:
    return [*text[:at], text[at][: len(text[at]) // 2]]


def exchanged(text: list[bytes], at: int) -> list[bytes]:
    return [*text[:at], text[at + 1], text[at], *text[at + 2 :]]


@pytest.mark.parametrize("spoilt", [cut, exchanged])
def test_a_text_that_was_spoilt_on_its_way_makes_no_game(
    kept: GameFile, spoilt: Callable[[list[bytes], int], list[bytes]]
) -> None:
    text = list(history_lines(kept))
    kept.close()
    for at in (0, len(text) - 2):
        with pytest.raises(InputError, match=r"^Line "):
            read_game(spoilt(text, at))


def test_a_game_that_is_there_is_not_touched_by_an_import(path: Path) -> None:
    with begin(path) as game:
        game.append(event(1))
    before = path.read_bytes()
    with pytest.raises(InputError, match="A game 'home' exists already"):
        GameFile.create(path, entries(3))
    assert path.read_bytes() == before
    with resume(path) as game:
        assert numbers(game) == (1,)


def lines_of(*lines: str) -> list[bytes]:
    return [line.encode() + b"\n" for line in lines]


def test_lines_are_entered_one_after_the_other_into_a_game_that_is_kept(path: Path) -> None:
    one, two, three = lines(1, 2, 3)
    with begin(path) as game:
        entered = enter_lines(game, lines_of(LOG, one, "", two))
        assert (next(entered).number, numbers(game)) == (2, (1,))
        assert (next(entered).number, numbers(game)) == (4, (1, 2))
        assert list(entered) == []
        without_header = list(enter_lines(game, lines_of("\ufeff" + three)))
        assert [(each.number, each.entry.number, each.new) for each in without_header] == [(1, 4, True)]
    with resume(path) as game:
        assert numbers(game) == (1, 2, 3)


def test_repeated_history_line_is_entered_once(path: Path) -> None:
    """As a program does that never got the answer."""
    said = lines_of(
        '{"format":"mahjong-companion-history","version":1}',
        f'{{"key":"a","event":{lines(1)[0]}}}',
        '{"key":"b","steps":-1}',
        '{"key":"c","steps":1}',
    )
    with begin(path) as game:
        assert [(each.entry.number, each.new) for each in enter_lines(game, said)] == [
            (2, True),
            (3, True),
            (4, True),
        ]
        assert [(each.entry.number, each.new) for each in enter_lines(game, said)] == [
            (2, False),
            (3, False),
            (4, False),
        ]
        assert numbers(game) == (1,)
        with pytest.raises(InputError, match=r"^Line 2: Entry 2 has the key 'a' already, and is different"):
            list(enter_lines(game, [said[0], said[1].replace(b'"a number"', b'"another"')]))


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ('{"event":"drawn","seat":1}', "drawn can only happen in a hand"),
        ("East, South", "'East, South' is not an event of a game"),
        ('{"format":"mahjong-companion-history","version":1}', "is not an event of a game"),
    ],
)
def test_a_line_that_cannot_be_ends_it_and_what_stands_before_it_is_kept(
    path: Path, bad: str, said: str
) -> None:
    one, two = lines(1, 2)
    with begin(path) as game:
        entered = enter_lines(game, lines_of(one, bad, two))
        assert next(entered).new
        with pytest.raises(
            InputError, match=f"^Line 2: .*{said}.* Neither this line nor any after it was entered.$"
        ):
            next(entered)
    with resume(path) as game:
        assert numbers(game) == (1,)


def test_a_header_of_a_newer_program_enters_nothing(path: Path) -> None:
    with begin(path) as game:
        with pytest.raises(
            InputError, match=r"^Line 1: The log has version 2, and this program knows version 1"
        ):
            list(enter_lines(game, lines_of(LOG.replace("1}", "2}"), *lines(1))))
        assert numbers(game) == ()


def test_every_sentence_of_this_floor_is_listed_for_translators() -> None:
    templates = {text for name, text in vars(messages).items() if name.isupper() and isinstance(text, str)}
    assert templates == set(messages.ALL)
    assert len(messages.ALL) == len(set(messages.ALL))
