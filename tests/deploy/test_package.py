"""The wheel and the source package run where there is no source folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.programs import LIMIT_S, virtual_screen

REPOSITORY = Path(__file__).resolve().parents[2]
WIN = (
    "--rules",
    "hong_kong",
    "--hand",
    "123m456p789s111z22z",
    "--winning-tile",
    "2z",
    "--winner",
    "0",
    "--self-draw",
)
PACKAGES = [folder for folder in sys.path if Path(folder).name in ("site-packages", "dist-packages")]


class Installed:
    """The program in a Python environment of its own."""

    def __init__(self, environment: Path, home: Path, packages: str = "") -> None:
        self._bin = environment / "bin"
        self._variables = {
            "PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8",
            "KIVY_HOME": str(home / ".kivy"), "PYTHONPATH": packages, "COMPANION_DATA": str(home / "data"),
        }  # fmt: skip
        self._home = home

    def run(self, *arguments: str | Path, limit_s: float = LIMIT_S, **variables: str) -> str:
        done = subprocess.run(
            [self._bin / "companion", *arguments], env=self._variables | variables, cwd=self._home, text=True,
            capture_output=True, timeout=limit_s, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    @property
    def demo(self) -> Path:
        [package] = self._bin.parent.glob("lib/python3*/site-packages/companion")
        return package / "recorded_demo"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the source package and of the wheel that was built from it alone."""
    out = tmp_path_factory.mktemp("built")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", out],
        cwd=REPOSITORY, check=True, capture_output=True, timeout=LIMIT_S,
    )  # fmt: skip
    return out


def test_a_wheel_runs_with_the_packages_that_it_names(built: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment)
    [wheel] = built.glob("*.whl")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", environment / "bin/python",
         "install", "--no-deps", "--no-index", wheel],
        check=True, capture_output=True, timeout=LIMIT_S,
    )  # fmt: skip
    program = Installed(environment, tmp_path, packages=os.pathsep.join(PACKAGES))

    assert json.loads(program.run("score", *WIN, "--json"))["legal"]
    [read] = json.loads(program.run("read", program.demo / "hand.jpg", "--json"))
    assert len(read["tiles"]) >= 14
    assert (environment / "share/applications/mahjong-companion.desktop").exists()


def find_python(version: str) -> str | None:
    """The path of an interpreter of that version that runs, None if there is none."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return sys.executable
    found = shutil.which(f"python{version}")
    if found is None or subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode:
        return None
    return found


@pytest.mark.long
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_a_person_installs_the_source_package_in_an_empty_environment(
    built: Path, tmp_path: Path, version: str
) -> None:
    """With what pip chooses today, within the bounds of pyproject.toml."""
    python = find_python(version)
    if python is None:
        pytest.skip(f"Python {version} is not installed here")
    environment = tmp_path / "environment"
    subprocess.run([python, "-m", "venv", environment], check=True, timeout=LIMIT_S)
    [source] = built.glob("*.tar.gz")
    subprocess.run(
        [environment / "bin/python", "-m", "pip", "--quiet", "install", source],
        check=True, capture_output=True, timeout=600,
    )  # fmt: skip
    program = Installed(environment, tmp_path)

    assert json.loads(program.run("score", *WIN, "--json"))["legal"]
    assert program.run("read", program.demo / "hand.jpg")
    followed = program.run("track", program.demo / "game.mp4", "--rules", "hefei", "--json", limit_s=300)
    assert any("event" in json.loads(line) for line in followed.splitlines())
    assert "8360" in program.run("serve", "--help")
    with virtual_screen("1280x800x24") as (display, _):
        program.run("app", "--screenshot", tmp_path / "window.png", DISPLAY=display)
    assert (tmp_path / "window.png").stat().st_size > 10_000
    program.run("demo", limit_s=300)
