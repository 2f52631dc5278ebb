"""Names in files that came from elsewhere: no command prints anything of them that a terminal obeys."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from companion.commands.output import console
from firmware_bridge.emulator import EmulatedDevice

pytestmark = pytest.mark.slow

Call = Callable[..., Any]
HOSTILE = "A\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.\u200b\u2028\r\nplayer: 99 [red]x[/] :bomb:"
FORMS = ("log", "history", "json")
LINES = ({"rules": HOSTILE}, {HOSTILE: 1}, {"rules": "hefei", "hand": HOSTILE}, HOSTILE)
names = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(HOSTILE), max_size=30)


def steers(text: str) -> list[str]:
    """What in the text a terminal obeys, or shows as nothing, but for line ends."""
    unseen = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    return [each for each in text if unicodedata.category(each) in unseen and each != "\n"]


def write_log(path: Path, texts: tuple[str, str, str, str]) -> Path:
    """A log as another program may write it, with these names, and a payment for the first of them."""
    events = [
        {"format": "mahjong-companion-table", "version": 1},
        {"event": "game_started", "rules": "hefei", "names": texts},
        {"event": "points_moved", "points": [5, -5, 0, 0], "why": texts[0]},
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in events))
    return path


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(texts=st.tuples(names, names, names, names))
@example(texts=(HOSTILE, HOSTILE, "=1+1", "\ufeff"))
def test_no_command_prints_what_a_terminal_obeys(call: Call, tmp_path: Path, texts: Any) -> None:
    log = write_log(tmp_path / "log.jsonl", texts)
    made = [call("games", "import", "odd", log)]
    try:
        assert made[0].status == 0, made[0].err
        for options in ([], ["--json"]):
            made += [
                call("games", "list", *options), call("games", "show", "odd", *options),
                call("games", "figures", *options), call("replay", log, *options),
                *(call("games", "export", "odd", "--as", form, *options) for form in FORMS),
            ]  # fmt: skip
        for run in made:
            assert run.status == 0, run.err
            assert not steers(run.out + run.err)
        lines = call("games", "list").out.splitlines()
        assert len(lines) == 3, "a name makes no line of its own"
        table = call("games", "export", "odd", "--as", "csv").out
        assert not steers(table.removeprefix("\ufeff").replace("\r\n", "\n"))
    finally:
        (Path(json.loads(call("games", "list", "--json").out)[0]["file"])).unlink()


@pytest.mark.parametrize(
    "arguments",
    [
        ["games", "show", HOSTILE],
        ["games", "begin", HOSTILE, "--rules", "hefei"],
        ["games", "import", "x", HOSTILE],
        ["games", "export", "x", "--to", HOSTILE],
        ["games", HOSTILE],
        [HOSTILE],
        [f"--{HOSTILE}"],
        ["score", "--rules", HOSTILE],
        ["score", "--rules", "hefei", "--hand", HOSTILE],
        ["score", "--request", HOSTILE],
        ["score", "--rules", "hefei", "--hand", "1m", "--option", HOSTILE],
        ["score", "--rules", "hefei", "--hand", "1m", "--profile", HOSTILE],
        ["read", HOSTILE],
        ["read", "--set", HOSTILE, "x.png"],
        ["learn-set", HOSTILE, HOSTILE],
        ["learn-set", "--delete", HOSTILE],
        ["track", HOSTILE],
        ["track", "x", "--corners", HOSTILE],
        ["replay", HOSTILE],
        ["simulate", "--rules", HOSTILE],
        ["rules", HOSTILE],
        ["devices", "list", HOSTILE],
        ["devices", "watch", HOSTILE],
        ["devices", "replay", HOSTILE],
        ["app", "--language", HOSTILE],
        ["app", "--screenshot", f"{HOSTILE}/x/y.png"],
    ],
)
def test_an_argument_is_echoed_without_what_a_terminal_obeys(call: Call, arguments: list[str]) -> None:
    run = call(*arguments)
    assert run.status in (2, 3)
    assert not steers(run.out + run.err)
    assert run.err.count("\n") == 1


@pytest.mark.parametrize(
    "line", [{"rules": HOSTILE}, {HOSTILE: 1}, {"rules": "hefei", "hand": HOSTILE}, HOSTILE]
)
def test_an_answer_quotes_json_without_what_a_terminal_obeys(call: Call, line: object) -> None:
    for text in (json.dumps(line), json.dumps(line, ensure_ascii=False)):
        for options in (["--batch", "-"], ["--request", "-"], ["--request", "-", "--json"]):
            run = call("score", *options, stdin=text.encode())
            assert "error" in run.out or run.status == 2
            assert not steers(run.out + run.err)


def test_the_name_of_a_photo_is_printed_on_one_line(call: Call, hand_picture: Path, tmp_path: Path) -> None:
    photo = tmp_path / HOSTILE.replace("/", "|")
    photo.write_bytes(hand_picture.read_bytes())
    given = ["learn-set", "home", photo, "--order", "any"]
    for arguments in (["read", photo], ["read", "--json", photo], given, ["learn-set", "home", "--show"]):
        run = call(*arguments)
        assert run.status == 0, run.err
        assert not steers(run.out + run.err)
        assert not any(line.startswith("player: 99") for line in run.out.splitlines())


def test_a_table_has_only_the_styling_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, where styling is printed."""
    from rich.table import Table

    monkeypatch.setenv("FORCE_COLOR", "1")
    out = console()
    table = Table(title=HOSTILE, caption=HOSTILE)
    table.add_column(HOSTILE)
    table.add_row(HOSTILE)
    with out.capture() as captured:
        out.print(HOSTILE, style="bold")
        out.print(table)
    printed = captured.get()
    assert "\x1b[1m" in printed, "the program's own"
    assert "[red]" in printed
    for own in ("\x1b[1m", "\x1b[0m", "\x1b[3m", "\x1b[2;3m"):
        printed = printed.replace(own, "")
    assert not steers(printed)


def test_device_names_are_printed_without_control_characters(
    call: Call, cup: EmulatedDevice, path: Path
) -> None:
    cup.model.about = replace(cup.model.about, model="A\x1b[2J\u202eb")
    for options in ([], ["--json"]):
        run = call("devices", "list", path, *options)
        assert run.status == 0, run.err
        assert "A" in run.out
        assert not steers(run.out + run.err)
