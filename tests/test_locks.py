"""What is installed is what was tested: `locks/` fits pyproject.toml, and this `.venv` is it."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.tags import Tag, parse_tag
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
BUILD = PROJECT["build-system"]["requires"]
RUNTIME = PROJECT["project"]["dependencies"]
EXTRAS = PROJECT["project"]["optional-dependencies"]
INSTALLER = PROJECT["dependency-groups"]["installer"]
NEEDED = {"pip": INSTALLER, "runtime": [*BUILD, *RUNTIME], "test": [*BUILD, *RUNTIME, *EXTRAS["test"]]}
PIN = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[\w.]+)(?P<marker> ; [^\\]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
COMMENT = re.compile(r" *#[^:/]*(:|:installer\)|\.cache/lock/build\.txt)?")
PYTHONS, MACHINES = 3, 2


def lines(lock: str) -> list[str]:
    return (REPOSITORY / "locks" / f"{lock}.txt").read_text().splitlines()


def pins(lock: str) -> dict[str, tuple[Requirement, int]]:
    """Each package of the lock with the number of its hashes."""
    found: dict[str, tuple[Requirement, int]] = {}
    name = ""
    for line in lines(lock):
        if PIN.fullmatch(line):
            requirement = Requirement(line.removesuffix("\\"))
            name = requirement.name
            assert name not in found
            found[name] = requirement, 0
        elif HASH.fullmatch(line):
            requirement, number = found[name]
            found[name] = requirement, number + 1
    return found


def version(pin: Requirement) -> str:
    (specifier,) = pin.specifier
    assert specifier.operator == "=="
    return specifier.version


def on_this_machine(requirements: Iterable[Requirement]) -> Iterator[Requirement]:
    return (each for each in requirements if each.marker is None or each.marker.evaluate({"extra": ""}))


@pytest.mark.parametrize("needed", [*NEEDED["test"], *EXTRAS["train"], *INSTALLER])
def test_every_dependency_has_a_lower_and_an_upper_bound(needed: str) -> None:
    operators = {specifier.operator for specifier in Requirement(needed).specifier}
    assert operators == {">=", "<"}


@pytest.mark.parametrize("lock", NEEDED)
def test_a_lock_is_nothing_but_releases_and_hashes(lock: str) -> None:
    strange = [
        line
        for line in lines(lock)
        if line not in ("", "--only-binary :all:")
        and not any(form.fullmatch(line) for form in (PIN, HASH, COMMENT))
    ]
    assert strange == []
    assert "--only-binary :all:" in lines(lock)
    assert all(number for _, number in pins(lock).values())


@pytest.mark.parametrize("lock", NEEDED)
def test_a_lock_has_a_release_within_the_bounds_of_every_dependency(lock: str) -> None:
    locked = pins(lock)
    for needed in map(Requirement, NEEDED[lock]):
        pin, _ = locked[canonicalize_name(needed.name)]
        assert pin.marker is None
        assert needed.specifier.contains(version(pin)), f"{pin} is not {needed}: make lock"


def test_what_a_club_needs_is_installed_for_the_tests() -> None:
    assert set(EXTRAS["club"]) <= set(EXTRAS["test"])


def test_the_program_is_tested_with_the_packages_that_it_runs_with() -> None:
    """Where both are needed: a package may be needed on more machines for the tests."""
    runs, tested = (
        {name: (pin.specifier, number) for name, (pin, number) in pins(lock).items()}
        for lock in ("runtime", "test")
    )
    assert runs.items() <= tested.items()


def test_installed_packages_match_the_locks() -> None:
    locked = [pin for lock in ("pip", "test") for pin, _ in pins(lock).values()]
    here = {pin.name: version(pin) for pin in on_this_machine(locked)}
    assert {name: distribution(name).version for name in here} == here
    for name in here:
        required = map(Requirement, distribution(name).requires or [])
        assert {canonicalize_name(each.name) for each in on_this_machine(required)} <= here.keys()


def test_a_compiled_package_has_a_hash_for_each_python_and_machine() -> None:
    """A lock does not name files: `make lock` asks for each of them, here their number is checked."""
    few = []
    for pin, number in pins("test").values():
        if not any(on_this_machine([pin])):
            continue
        compiled = [tag for tag in tags(distribution(pin.name)) if tag.platform != "any"]
        every_python = {tag.abi for tag in compiled} & {"abi3", "none"}
        if compiled and number < MACHINES * (1 if every_python else PYTHONS):
            few.append(f"{pin}: {number}")
    assert few == []


def tags(installed: Distribution) -> Iterator[Tag]:
    for line in (installed.read_text("WHEEL") or "").splitlines():
        if line.startswith("Tag: "):
            yield from parse_tag(line.removeprefix("Tag: "))


def test_the_designs_of_training_are_locked() -> None:
    """Each npm package that training asks for, at one release, with its hash."""
    lock = json.loads((REPOSITORY / "models/training/npm/package-lock.json").read_text())
    packages = {place.removeprefix("node_modules/"): entry for place, entry in lock["packages"].items()}
    asked = packages.pop("")["dependencies"]
    assert asked.keys() == {
        *(f"@fontsource/{name}" for name in constant("handwriting", "NAMES")),
        *(f"@iconify-json/{name}" for name in constant("birds", "PACKAGES")),
    }
    assert asked == json.loads((REPOSITORY / "models/training/npm/package.json").read_text())["dependencies"]
    assert asked == {name: packages[name]["version"] for name in asked}
    assert all(entry["integrity"].startswith("sha512-") for entry in packages.values())


def constant(module: str, name: str) -> tuple[str, ...]:
    """A constant of a module of training, whose own packages are not installed here."""
    source = ast.parse((REPOSITORY / "models/training" / f"{module}.py").read_text())
    (value,) = (
        node.value
        for node in source.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
    )
    return tuple(ast.literal_eval(value))
