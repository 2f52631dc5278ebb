"""The picture of how often discards dealt in beside how often they were foreseen to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lab.bench.danger_plot import SIDE, draw_calibration

SVG = "{http://www.w3.org/2000/svg}"
FIGURES = {
    "hefei": {"calibration": [[0.002, 0.002, 1000], [0.01, 0.02, 1000], [0.1, 0.05, 1000]]},
    "hebei": {"calibration": [[0.0, 0.0, 2000], [0.01, 0.01, 1500], [0.1, 0.1, 500]]},
}


def test_a_dot_is_above_the_line_where_more_came_and_below_where_less_did() -> None:
    hefei, hebei = ElementTree.fromstring(draw_calibration(FIGURES)).findall(f"{SVG}g")
    ups = []
    for dot in hefei.findall(f"{SVG}circle"):
        ups.append(SIDE - float(dot.attrib["cy"]) - float(dot.attrib["cx"]))
    assert ups[0] == pytest.approx(0)
    assert ups[1] > 10
    assert ups[2] < -10
    assert len(hebei.findall(f"{SVG}circle")) == 3


def test_intervals_hold_what_came_and_are_narrower_of_more_discards() -> None:
    def measure(times: int) -> float:
        rows = [[foreseen, came, count * times] for foreseen, came, count in FIGURES["hefei"]["calibration"]]
        game = ElementTree.fromstring(draw_calibration({"hefei": {"calibration": rows}})).find(f"{SVG}g")
        assert game is not None
        bars = [line.attrib for line in game.findall(f"{SVG}line") if line.get("stroke") == "#27a"]
        dots = game.findall(f"{SVG}circle")
        for bar, dot in zip(bars, dots, strict=True):
            assert float(bar["y2"]) <= float(dot.attrib["cy"]) <= float(bar["y1"])
        return sum(float(bar["y1"]) - float(bar["y2"]) for bar in bars)

    assert measure(100) < 0.3 * measure(1)


def test_the_picture_is_written_and_a_wrong_file_is_one_sentence(tmp_path: Path) -> None:
    figures, wrong, out = (tmp_path / name for name in ("figures.json", "wrong.json", "picture.svg"))
    figures.write_text(json.dumps(FIGURES))
    wrong.write_text('{"hefei": 3}')

    def run(path: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "lab.bench.danger_plot", str(path), "--out", str(out)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    refused = run(wrong)
    assert refused.returncode == 2
    assert f"'{wrong}' does not hold what" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not out.exists()
    assert run(figures).returncode == 0
    assert ElementTree.parse(out).getroot().tag == f"{SVG}svg"
