"""The command itself: help, version, and what becomes of an error that nobody foresaw."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion import __version__, cli


def test_version_and_help(companion: Any) -> None:
    assert companion("--version").out == f"companion {__version__}\n"
    for asked in ((), ("--help",), ("score", "--help"), ("score-photo", "--help"), ("read", "--help")):
        run = companion(*asked)
        assert (run.status, run.err) == (0, "")
        assert "Usage: companion" in run.out


@pytest.mark.parametrize("arguments", [["bogus"], ["bench"], ["read"], ["bench", "vision"], ["--bogus"]])
def test_a_command_that_is_wrong(call: Any, arguments: list[str]) -> None:
    assert "--help" in call(*arguments).refused(2)


def test_an_unforeseen_error_is_one_sentence_and_a_log(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], own_data_folder: Path
) -> None:
    monkeypatch.setattr("companion.rules.describe", lambda rules: 1 / 0)
    assert cli.run(["rules"]) == 3
    out, err = capsys.readouterr()
    log = own_data_folder / "log" / "companion.log"
    assert out == ""
    assert err.count("\n") == 1
    assert "ZeroDivisionError" in err
    assert str(log) in err
    assert "1 / 0" in log.read_text(encoding="utf-8")


def test_an_unforeseen_error_without_a_place_for_the_log(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "file" / "below"))
    monkeypatch.setattr("companion.rules.describe", lambda rules: 1 / 0)
    assert cli.run(["rules"]) == 3
    assert capsys.readouterr().err.count("\n") == 1


def test_an_interrupt_ends_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(rules: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.rules.describe", interrupted)
    assert cli.run(["rules"]) == 130
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("simulate --rules hefei --hands 0", "--hands must be at least 1, not '0'."),
        ("devices watch --dealer 5", "--dealer must be at most 3, not '5'."),
        ("devices emulate cop", "KIND: 'cop' is not one of 'cup', 'table'."),
        ("bench rules --runs x", "--runs must be a whole number, not 'x'."),
        ("games foo", "No such command 'foo'. (companion games --help says more)"),
    ],
)
def test_a_wrong_value_is_one_sentence_that_says_what_is_right(call: Any, words: str, sentence: str) -> None:
    assert call(*words.split()).refused(2) == f"companion: {sentence}\n"


STREAMS = (
    ">&-",
    "2>&-",
    ">&- 2>&-",
    "<&- >&- 2>&-",
    "| head -n 1",
    ">/dev/full",
    "2>/dev/full",
    "1</dev/null",
)


@pytest.mark.sampled(6)
@pytest.mark.slow
@pytest.mark.parametrize("streams", STREAMS)
@pytest.mark.parametrize("words", ["rules", "rules --json", "games list --json", "score --rules"])
def test_streams_that_are_closed_or_full_end_a_command_quietly(words: str, streams: str) -> None:
    command = f"set -o pipefail; {sys.executable} -m companion {words} {streams}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    wrong, writes = words == "score --rules", streams in (">/dev/full", "1</dev/null")
    assert done.returncode == (2 if wrong else 3 if writes else 0), done
    if streams != "| head -n 1":
        assert done.stdout == "" or streams.startswith("2>")
    assert done.stderr.count("\n") == (1 if "2>" not in streams and (wrong or writes) else 0), done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_standard_input_that_is_closed_is_refused() -> None:
    command = f"{sys.executable} -m companion replay - <&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (
        2, "companion: Standard input cannot be read (it is closed).\n"
    )  # fmt: skip


def test_a_command_that_needs_more_memory_than_there_is_says_so(
    call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(cli, "make_app", lambda _: fail)
    assert "There is not enough memory for this (MemoryError): " in call("rules").refused(3)
