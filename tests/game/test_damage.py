"""Damaged files of games: what was kept is there as it was, or the damage is reported and nothing is changed.

`--damage 5000` tries 5,000 files. Each is then rescued: all that is intact is in the new game or in the list
of what was left out.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from sums import AT, START, begin, entries, event, integrity, later, lines, numbers, resume

from companion.errors import CompanionError, GameFileError, InputError
from companion.game import file, schema
from companion.game.file import GameEntry, GameFile
from companion.game.rescue import rescue

pytestmark = pytest.mark.slow

EVENTS = 300
LONG = 40
"""The entry whose key is so long that it takes several pages."""
BEING_WRITTEN = 200
"""Events in the file of the program that was killed that it had not acknowledged yet."""
PAGE = 4096
SEED = 20261122
SENTENCES = (
    "is damaged: ",
    "is not a game of this program",
    "There is no game",
    "by a newer program",
    "Nothing can be written to",
)
Files = dict[str, bytes]


def kept(count: int = EVENTS) -> list[GameEntry]:
    """What is in the game that is damaged here."""
    all_of_it = entries(count)
    all_of_it[LONG] = all_of_it[LONG]._replace(key="long " * 2000)
    return all_of_it


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """A game of some tens of pages that was closed."""
    path = tmp_path_factory.mktemp("closed") / "home.game"
    GameFile.create(path, kept()).close()
    return read(path)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The same game as a kill leaves it that comes while an entry is written: half of it, and a journal."""
    path = tmp_path_factory.mktemp("killed") / "home.game"
    with GameFile.create(path, kept()) as game:
        connection = game._connection
        connection.execute("PRAGMA cache_size = 2")  # so that SQLite writes before the end
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE game SET entries = entries + 1")
        for entry in kept(EVENTS + BEING_WRITTEN)[EVENTS + 1 :]:
            connection.execute(schema.ADD_ENTRY, (*entry, schema.checksum(entry)))
        files = read(path)
        connection.rollback()
    assert len(files["home.game-journal"]) > PAGE
    assert files["home.game"] != read(path)["home.game"]
    return files


@pytest.fixture(scope="module")
def of_version_2(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The same game as the program before this one left it when it was killed: the last entries in a log."""
    path = tmp_path_factory.mktemp("old") / "home.game"
    return left_by_version_2(path, kept())


def left_by_version_2(path: Path, kept: list[GameEntry]) -> Files:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 100")
    for table in schema.OLDER[2][0]:
        connection.execute(table)
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 2")
    connection.execute("INSERT INTO game VALUES ('0.1.0', 1, ?)", (AT,))
    chain = 0
    for entry in kept:
        chain = schema.crc(entry[:5], chain)
        connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", (*entry[:5], chain))
    files = read(path)
    connection.close()
    del files[f"{path.name}-shm"]
    return files


def read(path: Path) -> Files:
    return {each.name: each.read_bytes() for each in path.parent.iterdir()}


def write(files: Files, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def flip(content: bytes, chance: random.Random) -> tuple[bytes, str]:
    at, bit = chance.randrange(len(content)), chance.randrange(8)
    return content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :], f"bit {bit} of byte {at}"


def overwrite(content: bytes, chance: random.Random) -> tuple[bytes, str]:
    length, byte = chance.choice([2, 16, 512, PAGE]), chance.choice([0, 0x5A, 0xFF])
    at = chance.randrange(max(len(content) - length, 1))
    return content[:at] + bytes([byte]) * length + content[at + length :], f"{length} times {byte} at {at}"


def cut(content: bytes, chance: random.Random) -> tuple[bytes, str]:
    at = chance.choice([chance.randrange(len(content)), chance.randrange(0, len(content), PAGE)])
    return content[:at], f"cut at {at}"


def swap(content: bytes, chance: random.Random) -> tuple[bytes, str]:
    pages = [content[at : at + PAGE] for at in range(0, len(content), PAGE)]
    a, b = chance.randrange(len(pages)), chance.randrange(len(pages))
    pages[a], pages[b] = pages[b], pages[a]
    return b"".join(pages), f"pages {a} and {b} swapped"


def lengthen(content: bytes, chance: random.Random) -> tuple[bytes, str]:
    length = chance.choice([1, PAGE])
    return content + chance.randbytes(length), f"{length} bytes more"


KINDS: tuple[Callable[[bytes, random.Random], tuple[bytes, str]], ...] = (
    flip,
    overwrite,
    cut,
    swap,
    lengthen,
)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("fixture", "damaged", "kinds"),
    [
        ("closed", "home.game", KINDS),
        ("killed", "home.game", KINDS),
        ("killed", "home.game-journal", KINDS),
        ("of_version_2", "home.game", KINDS),
        ("of_version_2", "home.game-wal", (flip,)),  # that its end was cut off, version 2 cannot know
    ],
)
def test_damage_is_reported_or_has_changed_nothing(
    fixture: str,
    damaged: str,
    kinds: tuple[Callable[[bytes, random.Random], tuple[bytes, str]], ...],
    request: pytest.FixtureRequest,
    tmp_path: Path,
    damage: int,
) -> None:
    sound: Files = request.getfixturevalue(fixture)
    all_of_it = kept()
    reported = 0
    for case in range(-(-damage // 5)):
        chance = random.Random(f"{SEED} {fixture} {damaged} {case}")
        content, what = chance.choice(kinds)(sound[damaged], chance)
        files = sound | {damaged: content}
        if damaged != "home.game" and len(kinds) > 1 and chance.random() < 0.05:
            del files[damaged]
            what = "removed"
        where = f"{fixture}, {damaged}: {what}, case {case}, seed {SEED}"
        folder = tmp_path / "games"
        write(files, folder)
        path = folder / "home.game"
        problem = refusal(path, all_of_it, where)
        if problem:
            reported += 1
            assert any(sentence in problem for sentence in SENTENCES), (where, problem)
            assert "\n" not in problem, (where, problem)
            assert read(path) == files, where
            check_rescue(path, kept(EVENTS + BEING_WRITTEN), where)
            assert {name: read(path)[name] for name in files} == files, where
    print(f"{reported} of {case + 1} reported")
    assert reported > case / 10


def refusal(path: Path, all_of_it: list[GameEntry], where: str) -> str:
    """Why the game is not opened, or "": then it is all there."""
    try:
        with resume(path) as game:
            assert game.file.entries == all_of_it, where
            assert numbers(game) == tuple(range(EVENTS)), where
            return ""
    except CompanionError as problem:
        return str(problem)


def check_rescue(path: Path, all_of_it: list[GameEntry], where: str) -> None:
    """What is in the new game is what was written, and what is not is listed."""
    new = path.with_name("new.game")
    try:
        rescued = rescue(path, new)
    except GameFileError as problem:
        if "is damaged: " not in str(problem) or new.exists():
            raise
        return
    left_out = [each.number for each in rescued.left_out]
    missing = set(range(1, len(all_of_it) + 1)) - set(left_out)
    texts = [entry.event for entry in rescued.entries]
    accounted = [all_of_it[number - 1].event for number in sorted(missing)]
    assert texts == accounted[: len(texts)], where
    last = max([0, *left_out, *(number for number in sorted(missing)[: len(texts)])])
    assert len(texts) == len([number for number in missing if number <= last]), where
    with resume(new) as game:
        assert len(numbers(game)) == len(texts) - 1, where


def test_rescue_keeps_each_intact_entry(closed: Files, path: Path) -> None:
    """Three texts are damaged in the middle of 300: 298 entries are kept, and the two lost ones listed."""
    content = closed["home.game"]
    for number in (7, 8, 200):
        text = lines(number)[0].encode()
        assert content.count(text) == 1
        content = content.replace(text, text.replace(b"number", b"mumber"))
    path.write_bytes(content)
    with pytest.raises(GameFileError, match=r"is damaged: entry 9 is not valid\. It was left"):
        resume(path)
    new = path.with_name("rescued.game")
    rescued = rescue(path, new)
    assert [each.number for each in rescued.left_out] == [9, 10, 202]
    assert all("mumber" in each.text for each in rescued.left_out)
    with resume(new) as game:
        assert numbers(game) == tuple(n for n in range(EVENTS) if n not in (7, 8, 200))
        assert game.append(event(EVENTS))
    assert integrity(new) == "ok"
    assert path.read_bytes() == content
    with pytest.raises(InputError, match="A game 'rescued' exists already"):
        rescue(path, new)


def test_rescue_keeps_how_certain_what_was_entered_is(path: Path) -> None:
    all_of_it = [entry._replace(p=1 / number) for number, entry in enumerate(entries(20), start=1)]
    GameFile.create(path, all_of_it).close()
    text = lines(7)[0].encode()
    path.write_bytes(path.read_bytes().replace(text, text.replace(b"number", b"mumber")))
    rescued = rescue(path, path.with_name("rescued.game"))
    assert [entry.p for entry in rescued.entries] == [1 / number for number in range(1, 22) if number != 9]


def test_a_game_whose_beginning_is_lost_is_rescued_with_a_new_one(closed: Files, path: Path) -> None:
    content = closed["home.game"].replace(b'"game_started"', b'"game_strated"')
    path.write_bytes(content)
    new = path.with_name("rescued.game")
    with pytest.raises(GameFileError, match="its first entry, with the rules and the players, is lost"):
        rescue(path, new)
    rescued = rescue(path, new, START)
    with resume(new) as game:
        assert numbers(game) == tuple(range(EVENTS))
    assert rescued.left_out == []


def test_a_game_of_a_newer_program_is_not_rescued_by_this_one(closed: Files, path: Path) -> None:
    path.write_bytes(closed["home.game"])
    with GameFile.open(path) as file:
        row = ("9.0", 99, AT, len(file.entries), file._chain)
        file._connection.execute(schema.SET_HEADER, (*row, schema.checksum(row)))
    with pytest.raises(GameFileError, match="its events have version 99"):
        rescue(path, path.with_name("rescued.game"))
    assert not path.with_name("rescued.game").exists()


def test_after_each_answer_the_file_alone_is_the_whole_game(path: Path) -> None:
    copy = path.with_name("copy.game")
    with begin(path) as game:
        for number in range(30):
            game.append(event(number), f"key {number}")
            if number == 20:
                game.undo(3)
                game.redo(2)
            shutil.copy(path, copy)
            with resume(copy) as other:
                assert other.file.entries == game.file.entries
            assert sum(each.stat().st_size for each in path.parent.glob("home.game-*")) == 0


def test_leftovers_of_a_removed_game_enter_no_other_game(killed: Files, path: Path) -> None:
    """After a power cut a journal lies beside the file; who removes the file may leave it."""
    path.with_name("home.game-journal").write_bytes(killed["home.game-journal"])
    with begin(path) as game:
        assert numbers(game) == ()
        game.append(event(2))
    with resume(path) as game:
        assert numbers(game) == (2,)
    assert integrity(path) == "ok"


def test_a_game_is_not_begun_over_a_damaged_one(closed: Files, killed: Files, path: Path) -> None:
    """Beginning one is refused as opening is: nothing changes, though the tables of the damaged game may seem
    to be none, or a damaged journal lies beside it."""
    no_tables = bytearray(closed["home.game"])
    no_tables[103:105] = bytes(2)  # the number of tables
    journal = bytearray(killed["home.game-journal"])
    journal[2000] ^= 1
    for files in ({"home.game": bytes(no_tables)}, killed | {"home.game-journal": bytes(journal)}):
        write(files, path.parent)
        with pytest.raises(CompanionError, match=r"A game 'home' exists already|is damaged: "):
            begin(path)
        assert read(path) == files


def test_a_kill_at_the_very_end_takes_back_all_that_was_entered_at_once(path: Path) -> None:
    """All of it is in the file and the journal still there: it was not acknowledged, and all of it goes."""
    begin(path).close()
    before, copy = path.read_bytes(), path.with_name("copy.game")
    with resume(path) as game:
        game.file.append_all(lines(*range(500)))
        reported = game.file.entries[1:]
    after = path.read_bytes()
    copy.write_bytes(before)
    connection = sqlite3.connect(copy, isolation_level=None)
    connection.execute("PRAGMA journal_mode = TRUNCATE")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA user_version = {schema.VERSION}")  # the first page is written at the end
    connection.execute("UPDATE game SET entries = entries + 1")
    for entry in reported:
        connection.execute(schema.ADD_ENTRY, (*entry, schema.checksum(entry)))
        connection.execute("PRAGMA cache_size = 1")  # so that SQLite writes the journal before the end
    journal = copy.with_name("copy.game-journal").read_bytes()
    connection.close()
    write({"home.game": after, "home.game-journal": journal}, path.parent)
    with resume(path) as game:
        assert numbers(game) == ()
        game.append(event(0))


def test_neighbouring_files_take_no_entries_from_a_game(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who puts a game in the place of one that was killed may have left the journal or log of that one."""
    older = left_by_version_2(path, entries(3))
    path.unlink()
    seconds = count()
    monkeypatch.setattr(file, "now", lambda: later(next(seconds)))  # else several events may share one
    with begin(path) as game:
        game.append(event(0))
        connection = game.file._connection
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE game SET entries = entries + 1")
        for number, key in ((3, "short"), (4, "long " * 20_000)):
            connection.execute(schema.ADD_ENTRY, (number, key, *entries(1)[1][2:], b""))
            connection.execute("PRAGMA cache_size = 1")  # SQLite writes what has no room
        journal = read(path)["home.game-journal"]
        connection.rollback()
        for number in range(1, 5):
            game.append(event(number))
    whole = path.read_bytes()
    for beside in ({"home.game-journal": journal}, {"home.game-wal": older["home.game-wal"]}):
        files = {"home.game": whole} | beside
        write(files, path.parent)
        with pytest.raises(GameFileError, match="the journal next to it would remove entries that are in it"):
            resume(path)
        assert read(path) == files
    write({"home.game": whole}, path.parent)
    with resume(path) as game:
        assert numbers(game) == tuple(range(5))
