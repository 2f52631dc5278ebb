"""The Debian package: built in one fresh system, installed, used, upgraded and purged in another."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.roots import Root, fresh

WIN = "--rules hong_kong --hand 123m456p789s111z22z --winning-tile 2z --winner 0 --self-draw"
HAND = "/opt/mahjong-companion/lib/python3*/site-packages/companion/recorded_demo/hand.jpg"


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def suite(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def package(suite: str, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, of which lintian has nothing to say but what its overrides explain."""
    below = tmp_path_factory.mktemp("build")
    with fresh(suite, "amd64", cache=pytestconfig.getoption("--roots"), below=below) as root:
        root.sh("apt-get install -y -qq --no-install-recommends debhelper dpkg-dev python3-venv lintian")
        root.sh("mkdir /out && /source/deploy/build-deb /out")
        assert root.sh("lintian --allow-root --fail-on error,warning /out/*.deb") == ""
        [built] = (root.folder / "out").glob("*.deb")
        return Path(shutil.copy(built, below))


@pytest.fixture(scope="module")
def root(suite: str, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Root]:
    below = tmp_path_factory.mktemp("use")
    with fresh(suite, "amd64", cache=pytestconfig.getoption("--roots"), below=below) as made:
        made.sh("useradd --create-home player && apt-get install -y -qq --no-install-recommends xvfb xauth")
        yield made


def test_it_installs_works_upgrades_and_leaves_nothing(root: Root, package: Path) -> None:
    shutil.copy(package, root.folder / "tmp/package.deb")
    root.sh("apt-get install -y -qq --no-install-recommends python3")
    before = root.files()
    root.sh("apt-get install -y -qq --no-install-recommends /tmp/package.deb")

    use(root)
    root.sh("companion games list", user="player")
    kept = {path for path in root.files() if path.startswith("home/player")}

    upgrade(root)
    use(root)
    assert kept <= root.files()

    root.sh("apt-get purge -y -qq mahjong-companion && apt-get autoremove -y -qq")
    left = {path for path in root.files() - before if not path.startswith("home/player")}
    assert not {path for path in left if "mahjong" in path or path.startswith("opt")}
    assert kept <= root.files()


def use(root: Root) -> None:
    """What a person does first: score a hand, read a picture, open the window, all as no administrator."""
    scored = root.sh(f"companion score {WIN} --json", user="player")
    assert json.loads(scored)["legal"]
    [read] = json.loads(root.sh(f"companion read {HAND} --json", user="player"))
    assert len(read["tiles"]) >= 14
    root.sh("xvfb-run -a companion app --screenshot /tmp/window.png", user="player")
    assert (root.folder / "tmp/window.png").stat().st_size > 10_000
    (root.folder / "tmp/window.png").unlink()
    assert "Exec=companion app" in root.sh("cat /usr/share/applications/mahjong-companion.desktop")


def upgrade(root: Root) -> None:
    root.sh("""
        dpkg-deb --raw-extract /tmp/package.deb /tmp/next
        sed -i 's/^Version: .*/&.1/' /tmp/next/DEBIAN/control
        dpkg-deb --root-owner-group --build /tmp/next /tmp/next.deb
        apt-get install -y -qq /tmp/next.deb
    """)
