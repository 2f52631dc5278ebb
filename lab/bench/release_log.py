"""The log of what was read of test splits: one line of JSON for each time, in TEST_RUNS.jsonl beside the
models. Lines are only added."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion import __version__
from companion.errors import InputError, MissingError
from companion.vision.networks import load_manifest
from lab.bench.splits import Role

LOG = "TEST_RUNS.jsonl"
NOT_A_TEST = (
    "'{split}' is no test split (its role: {role}): only a reading of a test split is logged with --release."
)
UNWRITABLE = "Nothing can be added to '{path}': {why}."


def check_loggable(models: Path, split: str, role: Role | None) -> None:
    """Raises InputError for a split that is not a test split, MissingError where nothing can be logged."""
    if role is not Role.TEST:
        raise InputError(NOT_A_TEST, split=split, role=role or "none")
    _add(models / LOG, "")


def log_release(models: Path, figures: Mapping[str, Any]) -> None:
    """Adds what `reading_accuracy.bench` found to the log of a folder of models: date, version of the
    program, sha256 of models and manifest, split, figures as [right, of].

    Raises MissingError where the log cannot be written, ModelError for models that are not there.
    """
    manifest = load_manifest(models)
    line = {
        "date": datetime.now(UTC).date().isoformat(),
        "version": __version__,
        "finder": manifest.finder.sha256,
        "reader": manifest.reader.sha256,
        "manifest": hashlib.sha256((models / "manifest.json").read_bytes()).hexdigest(),
        "split": figures["split"],
        "seed": figures["seed"],
        "learned_from": len(figures["taught"]["photos"]) if figures["taught"] else 0,
        "learned_kinds": figures["taught"]["kinds"] if figures["taught"] else 0,
        "photos": figures["photos"],
        **_keep_counts(figures),
    }
    _add(models / LOG, json.dumps(line) + "\n")


def _add(path: Path, text: str) -> None:
    try:
        with path.open("a", encoding="utf-8") as log:
            log.write(text)
    except OSError as problem:
        raise MissingError(UNWRITABLE, path=path, why=problem.strerror) from problem


def _keep_counts(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Every share among the figures as [right, of]; those of faces and of backs stay together."""
    return {
        name: [value["right"], value["of"]] if "of" in value else _keep_counts(value)
        for name, value in figures.items()
        if isinstance(value, dict) and ("of" in value or name in ("faces", "backs"))
    }
