"""Runs the real command: `companion` in its own process, `call` the same in this one, which is quicker."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import pytest
import typer.main

from companion import cli
from firmware_bridge.emulator import DiceCup, EmulatedDevice

HAND = ("3m", "3m", "3m", "4m", "4m", "4m", "5m", "5m", "5m", "2p", "2p", "6s", "7s", "8s")


@dataclass(frozen=True)
class Run:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document of a successful `--json` run, with nothing else on either stream."""
        assert self.status == 0, self.err
        assert self.err == ""
        return json.loads(self.out)

    def refused(self, status: int) -> str:
        """The one line on stderr of a run that ended with `status` and printed nothing else."""
        assert self.status == status, (self.status, self.out, self.err)
        assert self.out == ""
        return self.complaint

    @property
    def complaint(self) -> str:
        """The one line on stderr."""
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1, self.err
        assert self.err.startswith("companion: ")
        assert "Traceback" not in self.err
        return self.err


Companion = Callable[..., Run]


@pytest.fixture
def companion(tmp_path: Path) -> Companion:
    def run(*arguments: object, stdin: bytes = b"", **environment: str) -> Run:
        done = subprocess.run(
            [sys.executable, "-m", "companion", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            timeout=120,
            env={**os.environ, **environment},
            check=False,
        )
        return Run(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture(scope="session")
def parser_once() -> Iterator[None]:
    """Typer makes the parser of all commands anew for each command line, longer than most of them take."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli, "make_app", cache(cli.make_app))
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        yield


@pytest.fixture
def call(parser_once: None, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Companion:
    def run(*arguments: object, stdin: bytes = b"", **environment: str) -> Run:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = cli.run([str(argument) for argument in arguments])
        return Run(status, *capfd.readouterr())

    return run


@pytest.fixture(scope="session")
def hand_picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of HAND on a table, drawn by the program."""
    from lab.scenes.hand import render_hand

    path = tmp_path_factory.mktemp("pictures") / "hand.png"
    assert cv2.imwrite(str(path), render_hand([HAND]).image)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the port of an emulated device is to be."""
    return tmp_path / "port"


@pytest.fixture
def cup(path: Path) -> Iterator[EmulatedDevice]:
    """An emulated dice cup."""
    with EmulatedDevice(DiceCup(random.Random(1)), path) as device:
        yield device
