"""The strength of the coach stands in docs/coach-values.md as its kept runs have it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from documents import REPOSITORY

from companion.rules import RULE_SETS
from lab.bench.coach import merge

RUNS = REPOSITORY / "docs" / "coach-runs"


def show_interval(figure: dict[str, float], digits: int) -> str:
    mean, low, high = (f"{figure[key]:+.{digits}f}" for key in ("mean", "low", "high"))
    return f"{mean} ({low} to {high})"


def write_cells(run: dict[str, Any]) -> list[str]:
    digits = 0 if run["rules"] == "hefei" else 2
    rates = ("win_rate", "others_win_rate", "deal_in_rate", "others_deal_in_rate")
    return [
        str(run["walls"]),
        show_interval(run["payment"], digits),
        show_interval(run["payment_with_luck"], digits),
        f"{100 * run['payment']['mean'] / run['mean_win']:+.0f}%",
        *(f"{100 * run[rate]:.1f}%" for rate in rates),
        f"{run['mean_win']:.1f}",
    ]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_strength_is_what_the_kept_runs_add_up_to(rules: str) -> None:
    run = merge([(rules, json.loads((RUNS / f"{rules}.json").read_text(encoding="utf-8")))])
    page = (REPOSITORY / "docs" / "coach-values.md").read_text(encoding="utf-8")
    table = page[page.index("| game | walls | mean payment a hand |") :]
    row = next(line for line in table.splitlines() if line.startswith(f"| {rules} |"))
    _, game, walls, paid, *rest, _ = (cell.strip() for cell in row.split("|"))
    assert (game, [walls, paid, *rest]) == (rules, write_cells(run))
