"""Bytes overwritten in a game's file: what was kept is there as it was, or the damage is told; never another
game. What stands before the damage can be taken into a new file."""

from __future__ import annotations

import random
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from sums import begin, entries, event, integrity, lines, numbers, resume

from companion.errors import CompanionError, GameFileError, InputError
from companion.history import Game, GameFile, rescue

EVENTS = 400
SEED = 20261121
SENTENCES = ("is damaged: ", "is no game of this program", "There is no game", "by a newer program")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of some tens of pages, closed."""
    path = tmp_path_factory.mktemp("sound") / "home.game"
    GameFile.create(path, entries(EVENTS)).close()
    return path


def overwritten(sound: Path, path: Path, start: int, length: int, byte: int) -> bytes:
    """A copy with so many of its bytes as one would not expect them, and what is in it then."""
    content = bytearray(sound.read_bytes())
    content[start : start + length] = bytes(b ^ byte for b in content[start : start + length])
    path.write_bytes(content)
    return bytes(content)


@pytest.mark.parametrize("length", [1, 16, 4096])
def test_damage_is_told_or_has_changed_nothing(sound: Path, path: Path, length: int) -> None:
    chance = random.Random(SEED + length)
    size = sound.stat().st_size
    told: list[str] = []
    for _ in range(150):
        start, byte = chance.randrange(size - length + 1), chance.randrange(1, 256)
        damaged = overwritten(sound, path, start, length, byte)
        where = f"bytes {start} to {start + length} of {size} with {byte}, seed {SEED}"
        try:
            with resume(path) as game:
                assert numbers(game) == tuple(range(EVENTS)), where
                assert game.file.entries == entries(EVENTS), where
        except CompanionError as problem:
            told.append(str(problem))
            assert path.read_bytes() == damaged, where
        assert sorted(each.name for each in path.parent.iterdir()) == [path.name], where
    assert len(told) > 50
    assert [each for each in told if not any(sentence in each for sentence in SENTENCES)] == []


@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.7, 0.999])
def test_a_file_that_was_cut_short_is_told(sound: Path, path: Path, share: float) -> None:
    content = sound.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises((GameFileError, InputError), match=r"is damaged: |There is no game"):
        resume(path)


def test_what_stands_before_the_damage_is_taken_into_a_new_file(sound: Path, path: Path) -> None:
    content = sound.read_bytes()
    damaged = content.replace(*(line.encode() for line in lines(250, 259)))
    assert damaged != content
    path.write_bytes(damaged)
    with pytest.raises(GameFileError, match=r"is damaged: entry 252 is not as it was written\. It was left"):
        resume(path)
    new = path.with_name("rescued.game")
    with rescue(path, new) as file:
        assert [entry.key for entry in file.entries] == [entry.key for entry in entries(250)]
    with resume(new) as game:
        assert numbers(game) == tuple(range(250))
        game.append(event(250))
    assert integrity(new) == "ok"
    assert path.read_bytes() == damaged
    with pytest.raises(InputError, match="There is a game 'rescued' already"):
        rescue(path, new)


def test_a_game_of_a_newer_program_is_not_rescued_by_this_one(sound: Path, path: Path) -> None:
    shutil.copy(sound, path)
    with resume(path) as game:
        game.file._connection.execute("UPDATE game SET format = 99")
    with pytest.raises(GameFileError, match="its events have version 99"):
        rescue(path, path.with_name("rescued.game"))
    assert not path.with_name("rescued.game").exists()


def test_much_is_rescued_of_pages_that_are_broken(sound: Path, path: Path) -> None:
    size = sound.stat().st_size
    rescued: list[tuple[int, ...]] = []
    for page, start in enumerate(range(4096, size, 4096)):
        overwritten(sound, path, start, 2048, 0x5A)
        new = path.with_name(f"rescued-{page}.game")
        with suppress(GameFileError), Game(rescue(path, new)) as game:
            assert numbers(game) == tuple(range(len(numbers(game))))
            rescued.append(numbers(game))
    assert max(map(len, rescued)) == EVENTS  # the damage was in the index of keys
    assert len({len(each) for each in rescued}) > 3


def test_what_a_power_cut_left_of_the_log_beside_the_file_is_whole_up_to_a_point(path: Path) -> None:
    """The last entries are in NAME.game-wal until the game is closed: torn, it is read up to the tear."""
    copy = path.with_name("copy.game")
    with begin(path) as game:
        for number in range(50):
            game.append(event(number), f"key {number}")
        for each in path.parent.glob("home.game*"):
            shutil.copy(each, each.with_name(each.name.replace("home", "copy")))
    log = copy.with_name("copy.game-wal")
    torn = log.read_bytes()
    log.write_bytes(torn[: int(len(torn) * 0.6)])
    with resume(copy) as game:
        assert 10 < len(numbers(game)) < 50
        assert numbers(game) == tuple(range(len(numbers(game))))
        assert game.append(event(len(numbers(game))), f"key {len(numbers(game))}")
    assert integrity(copy) == "ok"


def test_what_is_left_of_a_game_that_was_removed_gets_into_no_other(path: Path) -> None:
    """After a power cut NAME.game-wal lies beside the file; who removes the file may leave it."""
    with begin(path) as game:
        game.append(event(1))
        log = path.with_name("home.game-wal").read_bytes()
    path.unlink()
    path.with_name("home.game-wal").write_bytes(log)
    with begin(path) as game:
        assert numbers(game) == ()
        game.append(event(2))
    with resume(path) as game:
        assert numbers(game) == (2,)
    assert integrity(path) == "ok"
