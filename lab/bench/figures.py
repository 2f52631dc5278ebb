"""How every benchmark reports a figure that it measured."""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from companion.rules import RULE_SETS

Json = dict[str, Any]


def figure(what: str, of: str, unit: str, values: Sequence[float], best: Callable[..., float]) -> Json:
    """One figure with its unit, the number of runs, their median and the best of them: min or max."""
    return {
        "what": what,
        "of": of,
        "unit": unit,
        "runs": len(values),
        "median": _round(statistics.median(values)),
        "best": _round(best(values)),
    }


def _round(value: float) -> float:
    return round(value) if value >= 100 else round(value, 3)


def run_learning(path: Path, learn: Callable[[str, int], Any], *, hands: int) -> None:
    """The command of a module that learns such a table: of all games or of those named, from `hands` hands
    of each unless the user sets another number."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--hands", type=int, default=hands, help="of each game")
    parser.add_argument("--rules", choices=RULE_SETS, nargs="*", default=list(RULE_SETS))
    given = parser.parse_args()
    renew_table(path, learn, given.rules, given.hands)


def renew_table(path: Path, learn: Callable[[str, int], Any], rules: Iterable[str], hands: int) -> None:
    """Learn these games anew; the others stay. Each is written as soon as it is learned."""
    table = json.loads(path.read_text()) if path.exists() else {}
    for name in rules:
        table[name] = learn(name, hands)
        path.write_text(json.dumps(table, separators=(",", ":")) + "\n")
