"""`companion licences`: everything that is installed for the program has a known licence that allows it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from companion.cli import run
from companion.commands import licences
from companion.commands.licences import LINKED, UNKNOWN, Component, Package, list_packages

REPOSITORY = Path(__file__).resolve().parents[2]
PERMISSIVE = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Artistic-1.0-Perl", "BSD-2-Clause",
    "BSD-3-Clause", "BSD-Attribution-HPND-disclaimer", "CC0-1.0", "FTL", "IJG", "ISC", "Libpng",
    "LicenseRef-Intel-Simplified",
    "LicenseRef-Public-Domain", "MIT", "MIT-0", "MIT-CMU", "MIT-Modern-Variant", "MIT-open-group",
    "OFL-1.1", "OLDAP-2.8", "OpenSSL", "PSF-2.0", "PostgreSQL", "Unicode-3.0", "Unicode-DFS-2016",
    "Unlicense", "X11", "Zlib",
    "bzip2-1.0.6", "libpng-2.0", "libtiff",
}  # fmt: skip
WITH_A_NOTE = {"MPL-2.0", "GPL-3.0-or-later WITH GCC-exception-3.1"}
LGPL = {"LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later"}
ON_FILES_OF_THEIR_OWN = {"FFmpeg", "Qt", "keyutils", "libcrypt", "libde265", "libheif", "libquadmath"}
PACKAGES_OF_THEIR_OWN = {"psycopg", "psycopg-binary"}
CLUB = {"alembic", "mako", "markupsafe", "psycopg", "psycopg-binary", "sqlalchemy"}
"""Installed for the tests: the extra `club`, and what it needs and the program does not."""


def is_allowed(expression: str, allowed: set[str]) -> bool:
    """Whether one choice of every part of an SPDX expression is allowed."""
    every = re.sub(
        r"\([^()]*\)", lambda group: "MIT" if is_allowed(group[0][1:-1], allowed) else UNKNOWN, expression
    )
    return all(any(choice in allowed for choice in part.split(" OR ")) for part in every.split(" AND "))


def refused(packages: list[Package]) -> list[str]:
    """What may not be passed on with a program under the MIT licence, or is not known."""
    strange = [
        f"{each.name}: {each.licence}"
        for each in packages
        if not is_allowed(
            each.licence, PERMISSIVE | WITH_A_NOTE | (LGPL if each.name in PACKAGES_OF_THEIR_OWN else set())
        )
    ]
    for package in packages:
        for part in package.bundled:
            on_its_own = LGPL if part.name in ON_FILES_OF_THEIR_OWN else set()
            if not is_allowed(part.licence, PERMISSIVE | WITH_A_NOTE | on_its_own):
                strange.append(f"{package.name} with {part.name} {part.version}: {part.licence}")
    return strange


@pytest.fixture(scope="module")
def packages() -> list[Package]:
    return list_packages()


@pytest.mark.slow
def test_every_licence_is_known_and_allows_to_pass_the_program_on(packages: list[Package]) -> None:
    assert refused(packages) == []


@pytest.mark.parametrize(
    ("expression", "allows"),
    [
        ("MIT AND GPL-2.0-only", False), ("MIT OR GPL-2.0-only", True), ("AGPL-3.0-only", False),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True), ("(GPL-2.0-only OR AGPL-3.0-only) AND MIT", False),
        ("GPL-3.0-or-later WITH GCC-exception-3.1", True), ("GPL-3.0-or-later", False),
        ("LGPL-3.0-only", False), (UNKNOWN, False),
    ],
)  # fmt: skip
def test_a_licence_that_binds_the_whole_program_is_refused(expression: str, allows: bool) -> None:
    package = Package("new", "1", "MIT", (Component("library", "libnew", None, expression),))
    assert (refused([package]) == []) is allows
    assert (refused([Package("new", "1", expression)]) == []) is allows


def test_every_locked_package_is_listed(packages: list[Package]) -> None:
    """All that is installed for the program and its extra, and nothing else: no package of the tests."""
    locked = {
        canonicalize_name(pin.name)
        for lock in ("pip", "runtime")
        for line in (REPOSITORY / "locks" / f"{lock}.txt").read_text().splitlines()
        if re.match(r"[a-z0-9]", line) and (pin := Requirement(line.removesuffix("\\")))
        if pin.marker is None or pin.marker.evaluate()
    }
    assert {each.name for each in packages} == locked | CLUB | {"mahjong-companion"}
    assert len(packages) > 40


def test_old_and_lgpl_libraries_are_listed_with_their_versions(packages: list[Package]) -> None:
    parts = {(package.name, part.name): part for package in packages for part in package.bundled}
    for known in [
        ("opencv-python", "Qt"),
        ("opencv-python", "OpenSSL"),
        ("opencv-python", "FFmpeg"),
        ("kivy", "libpng"),
    ]:
        assert re.match(r"\d+\.\d", parts[known].version or ""), known
    assert parts["opencv-python", "Qt"].licence == "LGPL-3.0-only"
    assert parts["opencv-python", "OpenSSL"].version.startswith("1."), "OpenSSL 3 is under Apache-2.0"
    assert {part.kind for part in parts.values()} == {"library", "crate", "font", "model"}


@pytest.mark.parametrize("name", LINKED)
def test_every_linked_library_is_still_where_the_table_says(packages: list[Package], name: str) -> None:
    (package,) = (each for each in packages if each.name == name)
    missing = {library.name for library in LINKED[name]} - {part.name for part in package.bundled}
    assert missing <= {"Intel IPP", "Intel ITT"}  # on other processors than Intel's


def test_the_known_weaknesses_are_those_of_the_versions_here(packages: list[Package]) -> None:
    """A library that was upgraded needs another sentence in SECURITY.md."""
    text = (REPOSITORY / "SECURITY.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| ([^|\d\n]+) (\d\S*) in ([\w-]+) \|", text, re.MULTILINE))
    listed = {
        (part.name, (part.version or "").partition("-")[0], package.name)
        for package in packages
        for part in package.bundled
    }
    assert len(named) > 5
    assert named - listed == set()


def test_foreign_pictures_do_not_reach_the_old_libpng() -> None:
    (folder,) = Path(sys.prefix).rglob("Kivy.libs")
    users = [path.name for path in folder.iterdir() if b"libpng15-" in path.read_bytes()]
    assert {name.partition("-")[0] for name in users} == {"libSDL2_ttf", "libpng15"}


def test_ffmpeg_is_the_build_without_gpl_parts() -> None:
    (library,) = Path(sys.prefix).rglob("opencv_python.libs/libavutil-*")
    assert b"libavutil license: LGPL version 2.1 or later" in library.read_bytes()


@pytest.mark.parametrize(
    "name", ["libgnew-0123abcd.so.1.2", "libssl-0123abcd.so.3.0-beta", "strange.so", "libx.so.1"]
)
def test_a_library_that_nobody_has_looked_at_is_unknown(name: str, tmp_path: Path) -> None:
    path = tmp_path / "new.libs" / name
    path.parent.mkdir()
    path.write_bytes(b"\x7fELF")
    assert licences._find_bundled("new", [path], []) == (Component("library", name, None, UNKNOWN),)


def test_a_crate_that_states_no_licence_is_unknown(tmp_path: Path) -> None:
    bill = tmp_path / "bill.json"
    bill.write_text(
        json.dumps({"components": [
            {"name": "new", "version": "1.0", "purl": "pkg:cargo/new@1.0"},
            {"name": "built-with", "version": "2.0", "purl": "pkg:cargo/built-with@2.0", "scope": "excluded"},
            {"name": "libold", "version": "3.0", "licenses": [{"license": {"id": "GPL-3.0-only"}}]},
        ]})
    )  # fmt: skip
    parts = licences._find_bundled("package", [], list(licences._read_bill(bill)))
    assert parts == (Component("crate", "new", "1.0", UNKNOWN),)


def test_an_empty_or_missing_file_and_a_module_of_the_package_are_no_library(tmp_path: Path) -> None:
    empty, module = tmp_path / "libempty.so", tmp_path / "fast.cpython-311-x86_64-linux-gnu.so"
    empty.touch()
    module.write_bytes(b"\x7fELF")
    assert licences._find_bundled("new", [empty, module, tmp_path / "libgone.so"], []) == ()


@pytest.mark.slow
def test_json_names_the_licence_texts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["licences", "--json"]) == 0
    listed = {each["name"]: each for each in json.loads(capsys.readouterr().out)["packages"]}
    assert listed["certifi"]["licence"] == "MPL-2.0"
    for name in ("opencv-python", "onnxruntime", "mahjong-companion", "numpy"):
        assert listed[name]["texts"], name
        assert all(Path(text).is_file() for text in listed[name]["texts"])


@pytest.mark.slow
def test_for_people_it_is_a_table_with_notes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["licences"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"library OpenSSL +│ 1\.1\.1", shown)
    assert re.search(r"│ +\d+ Rust crates", shown)
    assert "\nLGPL: " in shown
    assert "\nMPL-2.0: " in shown


def test_a_package_that_is_missing_is_named(tmp_path: Path) -> None:
    """A copy of the program's metadata alone, where nothing that it needs is installed."""
    (own,) = Path(sys.prefix).rglob("mahjong_companion-*.dist-info")
    shutil.copytree(own, tmp_path / own.name)
    code = (
        "import packaging.requirements, sys; from companion.cli import run; run(['--version'])\n"
        "sys.path[:] = [sys.argv[1], *(path for path in sys.path if 'site-packages' not in path)]\n"
        "sys.exit(run(['licences']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=False, cwd=REPOSITORY
    )
    assert done.returncode == 3
    assert re.fullmatch(
        r"companion: The package '[a-z-]+' is not installed: install the program again.\n", done.stderr
    )
