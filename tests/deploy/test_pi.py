"""deploy/pi/install.sh in fresh systems with and without a desktop: twice, updated, rolled back, removed.
No systemd runs there, so nothing starts: the unit is verified, and its command is run, with a screen in
memory."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.roots import Root, fresh

COPIED = ".ci companion deploy firmware_bridge locks models LICENSE README.md pyproject.toml"
INSTALL = "/copy/deploy/pi/install.sh"
UNIT = "etc/systemd/system/mahjong-companion.service"
AUTOSTART = "etc/xdg/autostart/mahjong-companion.desktop"


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def root(
    request: pytest.FixtureRequest, pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Root]:
    """A system with what Raspberry Pi OS Lite has of what counts here, and a copy of the repository in it."""
    cache, below = pytestconfig.getoption("--roots"), tmp_path_factory.mktemp("pi")
    with fresh(request.param, "amd64", cache=cache, below=below) as made:
        made.sh("apt-get install -y -qq --no-install-recommends systemd python3-venv")
        made.sh(f"mkdir /copy && cd /source && cp -r {COPIED} /copy")
        yield made


def test_a_table_is_set_up_updated_and_taken_down(root: Root) -> None:
    bare = root.files()
    assert "it starts when the machine is switched on" in root.sh(INSTALL)
    assert (root.folder / UNIT).exists()
    assert not (root.folder / AUTOSTART).exists()
    assert root.sh("systemctl is-enabled mahjong-companion").strip() == "enabled"
    verified = root.run("systemd-analyze", "verify", "--recursive-errors=no", "mahjong-companion.service")
    assert (verified.returncode, verified.stderr) == (0, "")
    assert_works(root)
    window_opens_alone_on_the_screen(root)
    [first] = releases(root)

    root.sh(INSTALL)
    assert len(releases(root)) == 2
    assert current(root) != first
    assert_works(root)
    root.sh(f"{INSTALL} rollback")
    assert current(root) == first
    assert_works(root)

    root.sh("echo '--broken' >>/copy/locks/runtime.txt")
    failed = root.run(INSTALL)
    assert failed.returncode == 1
    assert failed.stderr.splitlines()[-1] == "install: nothing was changed."
    assert current(root) == first
    assert len(releases(root)) == 2

    assert "removed, but for the games" in root.sh(f"{INSTALL} uninstall")
    left = root.files() - bare
    assert not {
        path for path in left if "mahjong" in path and not path.startswith("var/lib/mahjong-companion")
    }
    root.sh(f"{INSTALL} uninstall")


def test_beside_a_desktop_the_window_starts_with_it(root: Root) -> None:
    root.sh("cp /source/locks/runtime.txt /copy/locks")
    root.sh("ln -s /dev/null /etc/systemd/system/display-manager.service")
    root.sh(INSTALL)
    assert (root.folder / AUTOSTART).exists()
    assert not (root.folder / UNIT).exists()
    root.sh(f"{INSTALL} uninstall")
    assert not (root.folder / AUTOSTART).exists()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("printf '#!/bin/sh\\necho armhf\\n'>/usr/local/bin/dpkg", "64-bit image"),
        ("printf '#!/bin/sh\\necho overlay\\n'>/usr/local/bin/findmnt", "disable_overlayfs"),
        ("printf '#!/bin/sh\\necho 1970\\n'>/usr/local/bin/date", "sudo date --set"),
        ("printf '#!/bin/sh\\necho Avail; echo 300\\n'>/usr/local/bin/df", "needs 1.5 GB"),
    ],
)
def test_what_cannot_work_is_one_sentence_and_nothing_is_left(root: Root, spoil: str, said: str) -> None:
    root.sh(f"mkdir -p /usr/local/bin; {spoil}; chmod +x /usr/local/bin/*")
    try:
        failed = root.run(INSTALL)
        [line] = failed.stderr.splitlines()
        assert failed.returncode == 1
        assert said in line
    finally:
        root.sh("rm /usr/local/bin/*; rm -rf /opt/mahjong-companion")


def assert_works(root: Root) -> None:
    root.sh("companion score --rules hefei --hand 22334455667788p --winning-tile 8p --winner 0 --self-draw")


def window_opens_alone_on_the_screen(root: Root) -> None:
    """Run the unit's command: under Cage the window says that it is open, and that it lives."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(root.folder / "tmp/notify"))
        (root.folder / "tmp/notify").chmod(0o777)
        systemd.settimeout(120)
        heard: list[bytes] = []
        started = time.monotonic()
        command = root.sh("sed -n 's/^ExecStart=//p' /" + UNIT).strip()
        root.run(
            "sh", "-c", f"install -d -m 700 /tmp/run && timeout --signal=TERM 60 {command} & wait",
            user="mahjong", WLR_BACKENDS="headless", WLR_LIBINPUT_NO_DEVICES="1", WLR_RENDERER="pixman",
            XDG_RUNTIME_DIR="/tmp/run", NOTIFY_SOCKET="/tmp/notify", WATCHDOG_USEC="4000000",
        )  # fmt: skip
        assert time.monotonic() - started < 90
        systemd.settimeout(0.1)
        while len(heard) < 3:
            heard.append(systemd.recv(100))
    assert heard == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]


def releases(root: Root) -> list[Path]:
    return sorted((root.folder / "opt/mahjong-companion/releases").iterdir())


def current(root: Root) -> Path:
    return root.folder / str((root.folder / "opt/mahjong-companion/current").readlink()).lstrip("/")
