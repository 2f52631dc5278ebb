"""Fresh Debian systems in folders, where the ways to install the program are tried from nothing. Root makes
them (debootstrap), and those of arm64 run under qemu-user; nothing outside their folders is changed but
binfmt_misc, which must know how arm64 programs are run."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

MIRROR = "http://deb.debian.org/debian"
CERTIFICATES = Path("/usr/local/share/ca-certificates")
"""What this machine trusts beside Debian's certificates; a fresh system must too, to reach PyPI from here."""
BINFMT = Path("/proc/sys/fs/binfmt_misc")
QEMU = Path("/usr/lib/binfmt.d/qemu-aarch64.conf")
HERE = Path(__file__).parents[2]
ENTER = """
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
mount --bind "$1" "$0/source"
mount -o remount,bind,ro "$0/source"
shift
exec chroot "$0" /usr/bin/env -i "$@"
"""
"""Enters a root with /proc, /dev and the repository, but without /sys, where ONNX Runtime looks for the
processor's features and crashes under qemu-user."""


@dataclass(frozen=True, slots=True)
class Root:
    """A Debian system in a folder. suite: as bookworm; architecture: as amd64."""

    folder: Path
    suite: str
    architecture: str

    def run(
        self, *command: str, user: str = "root", seconds: float = 1800, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """What `command` ended with, its outputs as text. environment: variables beside PATH and HOME."""
        home = self.sh(f"getent passwd {user} | cut -d: -f6").strip() if user != "root" else "/root"
        variables = {
            "PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home, "LC_ALL": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive", "PIP_CERT": "/etc/ssl/certs/ca-certificates.crt",
            **environment,
        }  # fmt: skip
        as_user = [] if user == "root" else ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        return subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-euc", ENTER, self.folder, HERE,
             *(f"{name}={value}" for name, value in variables.items()), *as_user, *command],
            capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip

    def sh(self, script: str, *, user: str = "root", seconds: float = 1800, **environment: str) -> str:
        """The output of a shell script that must succeed."""
        done = self.run("sh", "-euc", script, user=user, seconds=seconds, **environment)
        assert done.returncode == 0, f"{script}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout

    def files(self) -> set[str]:
        """All paths of the system, but what apt and dpkg keep of their own work."""
        kept = {"proc", "dev", "sys", "source", "tmp", "run"}
        found = set()
        for folder, names, files in os.walk(self.folder):
            here = Path(folder).relative_to(self.folder)
            if here == Path():
                names[:] = [name for name in names if name not in kept]
            found |= {str(here / name) for name in (*names, *files)}
        return {
            path
            for path in found
            if not path.startswith(("var/lib/apt", "var/cache", "var/log", "var/lib/dpkg"))
        }


@contextmanager
def fresh(suite: str, architecture: str, *, cache: Path, below: Path) -> Iterator[Root]:
    """A minimal Debian system, and its end. cache: the folder where each kind is kept once it was fetched."""
    kept = cache / f"{suite}-{architecture}.tar"
    if architecture == "arm64":
        _register_qemu()
    if not kept.exists():
        _fetch(suite, architecture, kept)
    folder = below / f"{suite}-{architecture}"
    folder.mkdir()
    try:
        subprocess.run(["tar", "--extract", "--file", kept, "--directory", folder], check=True)
        yield Root(folder, suite, architecture)
    finally:
        shutil.rmtree(folder)


def _fetch(suite: str, architecture: str, kept: Path) -> None:
    kept.parent.mkdir(parents=True, exist_ok=True)
    folder = kept.with_suffix("")
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(
        ["debootstrap", f"--arch={architecture}", "--variant=minbase", "--include=ca-certificates",
         suite, folder, MIRROR],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    (folder / "source").mkdir()
    shutil.copy("/etc/resolv.conf", folder / "etc")
    for certificate in CERTIFICATES.glob("*.crt"):
        shutil.copy(certificate, folder / CERTIFICATES.relative_to("/"))
    Root(folder, suite, architecture).sh("update-ca-certificates && apt-get -qq update")
    part = kept.with_suffix(".part")
    subprocess.run(["tar", "--create", "--file", part, "--directory", folder, "."], check=True)
    shutil.rmtree(folder)
    part.rename(kept)


def _register_qemu() -> None:
    if not (BINFMT / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "none", BINFMT], check=True)
    if not (BINFMT / "qemu-aarch64").exists():
        (BINFMT / "register").write_text(QEMU.read_text().strip())
