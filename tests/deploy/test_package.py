"""The wheel and the source package run where there is no source folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import urlopen
from xml.etree import ElementTree

import pytest

from companion import __version__
from tests.programs import LIMIT_S, started, virtual_screen

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
INSTALL_S = 600.0


class Installed:
    """The program that was installed as `command`; it runs in the folder `home`, where no source is."""

    def __init__(self, command: Path, home: Path, packages: str = "") -> None:
        self._command = command
        self._variables = {
            "PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8",
            "KIVY_HOME": str(home / ".kivy"), "PYTHONPATH": packages, "COMPANION_DATA": str(home / "data"),
        }  # fmt: skip
        self._home = home

    def run(self, *arguments: str | Path, **variables: str) -> str:
        done = subprocess.run(
            [self._command, *arguments], env=self._variables | variables, cwd=self._home, text=True,
            capture_output=True, timeout=LIMIT_S, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    def check_serve(self) -> None:
        """Have it serve its page, and read that it is healthy."""
        command = [self._command, "serve", "--port", "0"]
        with started(
            command, env=self._variables, cwd=self._home, stdout=subprocess.PIPE, text=True
        ) as program:
            address = program.stdout.readline().strip()
            with urlopen(urljoin(address, "/healthz"), timeout=LIMIT_S) as answer:
                assert answer.status == 200

    @property
    def demo(self) -> Path:
        [package] = self._command.resolve().parents[1].glob("lib/python3*/site-packages/companion")
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
    program = Installed(environment / "bin/companion", tmp_path, packages=os.pathsep.join(PACKAGES))

    assert json.loads(program.run("score", *WIN, "--json"))["legal"]
    [read] = json.loads(program.run("read", program.demo / "hand.jpg", "--json"))
    assert len(read["tiles"]) >= 14
    program.check_serve()
    assert (environment / "share/applications/mahjong-companion.desktop").exists()


def test_the_newest_release_has_one_version_and_one_date() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    assert project["version"] == __version__
    metainfo = ElementTree.parse(REPOSITORY / "deploy/desktop/mahjong-companion.metainfo.xml")
    newest = metainfo.find("releases/release")
    assert newest is not None
    assert newest.get("version") == __version__
    heading = f"## {__version__} – {newest.get('date')}"
    changelog = (REPOSITORY / "CHANGELOG.md").read_text().splitlines()
    assert next(line for line in changelog if line.startswith("## ")) == heading


def find_python(version: str) -> str | None:
    """The path of an interpreter of that version that runs, None if there is none."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return sys.executable
    found = shutil.which(f"python{version}")
    if found is None or subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode:
        return None
    return found


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of today's uv and pipx."""
    environment = tmp_path_factory.mktemp("tools")
    venv.create(environment)
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", environment / "bin/python",
         "--quiet", "install", "uv", "pipx"],
        check=True, capture_output=True, timeout=INSTALL_S,
    )  # fmt: skip
    return environment / "bin"


def install_with_uv(tools: Path, python: str, package: Path, home: Path) -> Path:
    variables = {"UV_TOOL_DIR": str(home / "uv"), "UV_TOOL_BIN_DIR": str(home / "bin")}
    command = [tools / "uv", "tool", "install", "--no-managed-python", "--python", python, package]
    subprocess.run(command, env=os.environ | variables, check=True, timeout=INSTALL_S)
    return home / "bin/companion"


def install_with_pipx(tools: Path, python: str, package: Path, home: Path) -> Path:
    variables = {"PIPX_HOME": str(home / "pipx"), "PIPX_BIN_DIR": str(home / "bin")}
    command = [tools / "pipx", "install", "--python", python, package]
    subprocess.run(command, env=os.environ | variables, check=True, timeout=INSTALL_S)
    return home / "bin/companion"


@pytest.mark.long
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
@pytest.mark.parametrize(
    ("install", "package"), [(install_with_uv, "*.tar.gz"), (install_with_pipx, "*.whl")]
)
def test_a_person_installs_the_program_with_uv_or_pipx(
    built: Path,
    tools: Path,
    tmp_path: Path,
    install: Callable[[Path, str, Path, Path], Path],
    package: str,
    version: str,
) -> None:
    """With the Python packages that the tool chooses today, within the bounds of pyproject.toml."""
    python = find_python(version)
    if python is None:
        pytest.skip(f"Python {version} is not installed here")
    [file] = built.glob(package)
    program = Installed(install(tools, python, file, tmp_path), tmp_path)

    assert program.run("--version") == f"companion {__version__}\n"
    assert json.loads(program.run("score", *WIN, "--json"))["legal"]
    assert program.run("read", program.demo / "hand.jpg")
    followed = program.run("track", program.demo / "game.mp4", "--rules", "hefei", "--json")
    assert any("event" in json.loads(line) for line in followed.splitlines())
    program.check_serve()
    with virtual_screen("1280x800x24") as (display, _):
        program.run("app", "--screenshot", tmp_path / "window.png", DISPLAY=display)
    assert (tmp_path / "window.png").stat().st_size > 10_000
    program.run("demo")
