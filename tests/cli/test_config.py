"""Where files lie, and what moves them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import config


def test_models_are_those_of_the_checkout_unless_moved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("COMPANION_MODELS", raising=False)
    assert config.models_dir() == Path(__file__).resolve().parents[2] / "models"
    monkeypatch.setenv("COMPANION_MODELS", str(tmp_path / "elsewhere"))
    assert config.models_dir() == tmp_path / "elsewhere"


def test_the_data_folder_is_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "a" / "b"))
    assert config.data_dir() == tmp_path / "a" / "b"
    assert config.data_dir().is_dir()
    monkeypatch.delenv("COMPANION_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert config.data_dir() == tmp_path / "xdg" / "mahjong-companion"
