"""The commands that the laboratory offers: `companion bench` and films of simulated hands.

The laboratory (`lab/`) is next to this package in a source copy and is not installed with it. It is loaded by
name here, so that nothing in the product depends on it.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import typer

import companion
from companion.errors import MissingError

NO_LAB = (
    "{command} needs the source copy of the program: it draws and measures, and is not part of the installed"
    " package."
)


def load_lab(command: str) -> Any:
    """The module `lab.commands`. Raises MissingError, which names the command, without a source copy."""
    source = Path(companion.__file__).resolve().parents[1]
    if not (source / "lab" / "commands" / "__init__.py").is_file():
        raise MissingError(NO_LAB, command=command)
    return importlib.import_module("lab.commands")


def bench(context: typer.Context) -> None:
    """Measure the program: figures with units and runs. Only in a source copy."""
    load_lab("companion bench").run_bench(context.args)
