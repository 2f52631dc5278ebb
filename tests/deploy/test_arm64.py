"""The program on the processors of a Raspberry Pi 4 and 5, under qemu-user, with the answers of this machine:
worked cases of all games, pictures, a followed film, the window, the firmware in C. Half an hour and more."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.roots import Root, fresh

REPOSITORY = Path(__file__).resolve().parents[2]
COPIED = ".ci companion examples firmware_bridge lab locks models LICENSE Makefile README.md pyproject.toml"
PROCESSORS = {"Raspberry Pi 4": "cortex-a72", "Raspberry Pi 5": "cortex-a76"}
HOUR_S = 3600.0
GOLDEN = REPOSITORY / "tests/golden"
FILM = "companion/recorded_demo/game.mp4"
HAND = "companion/recorded_demo/hand.jpg"


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def root(
    request: pytest.FixtureRequest, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Root]:
    """An arm64 system in which the README's first command has been given: `make demo`."""
    cache, below = pytestconfig.getoption("--roots"), tmp_path_factory.mktemp("arm64")
    with fresh(request.param, "arm64", cache=cache, below=below) as made:
        made.sh("apt-get install -y -qq --no-install-recommends make gcc libc6-dev python3 xvfb xauth")
        made.sh(f"mkdir /copy && cd /source && cp -r {COPIED} /copy")
        said = made.sh("cd /copy && make demo", seconds=3 * HOUR_S)
        assert "demo-output" in said
        yield made


def test_the_window_is_drawn(root: Root) -> None:
    assert (root.folder / "copy/demo-output/app.png").stat().st_size > 10_000


@pytest.mark.parametrize("processor", PROCESSORS.values(), ids=PROCESSORS)
def test_answers_are_those_of_this_machine(root: Root, processor: str) -> None:
    def there(*command: str) -> Any:
        done = root.run("/copy/.venv/bin/companion", *command, seconds=3 * HOUR_S, QEMU_CPU=processor)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def here(*command: str) -> Any:
        done = subprocess.run(
            [sys.executable, "-m", "companion", *command],
            cwd=REPOSITORY, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return [json.loads(line) for line in done.stdout.splitlines()]

    examples = [line for cases in GOLDEN.glob("*.jsonl") for line in cases.read_text().splitlines()]
    requests = root.folder / "tmp/requests.jsonl"
    requests.write_text("".join(f"{json.dumps(json.loads(line)['request'])}\n" for line in examples))
    answers = there("score", "--batch", "/tmp/requests.jsonl")
    assert answers == here("score", "--batch", str(requests))
    assert sum(answer["legal"] for answer in answers) == len(examples)
    assert codes(there("read", f"/copy/{HAND}", "--json")) == codes(here("read", HAND, "--json"))
    followed = "track", "--rules", "hefei", "--json"
    assert events(there(*followed, f"/copy/{FILM}")) == events(here(*followed, FILM))


def test_the_firmware_is_built_and_greets(root: Root) -> None:
    root.sh("make -C /copy/firmware_bridge/firmware")
    said = root.sh("printf 'roll\\nquit\\n' | /copy/firmware_bridge/firmware/build/dice_cup")
    assert said.startswith("/dev/pts/")


def codes(read: Any) -> list[list[str]]:
    return [[tile["code"] for tile in picture["tiles"]] for [picture] in read]


def events(lines: Any) -> list[Any]:
    return [line["event"] for line in lines if "event" in line]
