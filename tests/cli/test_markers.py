"""`companion markers`: the sheet that is printed shows the markers that are looked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.commands.markers import A4_MM, DOTS_A_MM, LEFT_MM, TOP_MM, draw_sheet
from companion.seeing.markers import CARD_MM, DICTIONARY, MARKER_MM


def test_the_sheet_is_written_once(call: Any, tmp_path: Path) -> None:
    path = tmp_path / "markers.pdf"
    assert call("markers", "--out", str(path), "--json").document == {"file": str(path)}
    content = path.read_bytes()
    assert content.startswith(b"%PDF-")
    assert b"/MediaBox [ 0 0 595.2 841.92 ]" in content
    assert call("markers", "--out", str(path)).status == 2
    assert path.read_bytes() == content


def test_another_kind_of_file_is_refused(call: Any, tmp_path: Path) -> None:
    answer = call("markers", "--out", str(tmp_path / "markers.png"))
    assert answer.status == 2
    assert ".pdf" in answer.err
    assert list(tmp_path.glob("*.p*")) == []


def test_the_four_markers_stand_on_the_sheet_in_their_sizes() -> None:
    sheet = np.asarray(draw_sheet())
    assert sheet.shape == (round(A4_MM[1] * DOTS_A_MM), round(A4_MM[0] * DOTS_A_MM))
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    outlines, numbers, _ = detector.detectMarkers(sheet)
    assert sorted(numbers.ravel().tolist()) == [0, 1, 2, 3]
    for outline, number in zip(outlines, numbers.ravel().tolist(), strict=True):
        sides_mm = np.linalg.norm(outline[0] - np.roll(outline[0], 1, axis=0), axis=1) / DOTS_A_MM
        assert np.allclose(sides_mm, MARKER_MM, atol=0.3)
        middle_mm = outline[0].mean(axis=0) / DOTS_A_MM
        card = np.array([LEFT_MM + CARD_MM * (number % 2), TOP_MM + CARD_MM * (number // 2)])
        assert np.allclose(middle_mm, card + CARD_MM / 2, atol=0.3)
