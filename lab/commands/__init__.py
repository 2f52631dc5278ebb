"""The commands that the laboratory adds to `companion` in a source copy."""

from __future__ import annotations

from lab.commands.bench import run_bench
from lab.commands.films import plan_films

__all__ = ["plan_films", "run_bench"]
