"""How a window is fitted to screens, without one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.look import Shade, find_desktop_shade, wants_less_motion
from companion.app.shell.boot import Geometry, fit_window, read_geometry, write_geometry
from companion.screen import Screen, choose_density


@pytest.mark.parametrize(
    ("size", "inches", "density"),
    [
        ((800, 480), 7.0, 0.83),
        ((1024, 600), 7.0, 1.06),
        ((1280, 800), 10.1, 0.93),
        ((2560, 1600), 10.0, 1.89),
        ((1920, 1080), 13.3, 1.25),
        ((1920, 1080), 24.0, 1.25),
        ((3840, 2160), 27.0, 2.51),
    ],
)
def test_a_dp_is_a_160th_of_an_inch_or_larger_where_there_is_more_room(
    size: tuple[int, int], inches: float, density: float
) -> None:
    dpi = (size[0] ** 2 + size[1] ** 2) ** 0.5 / inches
    assert choose_density(Screen(size, size, dpi)) == pytest.approx(density, abs=0.01)


@pytest.mark.parametrize("dpi", [None, 4.0, 900.0])
def test_a_screen_that_does_not_say_its_size_is_guessed(dpi: float | None) -> None:
    assert choose_density(Screen((1280, 800), (1280, 800), dpi)) == 1
    assert choose_density(Screen((2560, 1600), (2560, 1600), dpi)) == pytest.approx(1.67)
    assert choose_density(None) == 1


@pytest.mark.parametrize("size", [(1024, 600), (800, 1280), (1280, 800)])
def test_a_small_screen_is_filled(size: tuple[int, int]) -> None:
    assert fit_window(Screen(size, size), None, 1.0) == Geometry(size, (0, 0), screen=size)


def test_a_large_screen_is_not() -> None:
    screen = Screen((1920, 1080), (1920, 1040))
    assert fit_window(screen, None, 1.0) == Geometry((1280, 800), screen=(1920, 1080))
    assert fit_window(screen, None, 1.4).size == (1920, 1040), "seen from close by, it is a small one"


def test_a_window_comes_back_as_it_was_left_on_the_screen_that_there_is_now() -> None:
    kept = Geometry((1600, 900), (300, 150))
    on_it = replace(kept, screen=(1920, 1080))
    assert fit_window(Screen((1920, 1080), (1920, 1080)), kept, 1.0) == on_it
    assert fit_window(Screen((1920, 1080), (1920, 1080)), on_it, 1.0) == on_it
    low = Screen((1024, 600), (1024, 580))
    for each in (kept, on_it):
        assert fit_window(low, each, 1.0) == Geometry((1024, 580), (0, 0), screen=(1024, 600))


def test_a_small_screen_is_filled_by_a_window_that_filled_another_one() -> None:
    upright, lying = Screen((800, 1280), (800, 1280)), Screen((1024, 600), (1024, 600))
    for before, after in ((lying, upright), (upright, lying)):
        kept = replace(fit_window(before, None, 1.0), full=True, percent=115)
        filled = fit_window(after, kept, 1.0)
        assert filled == Geometry(after.size, (0, 0), full=True, percent=115, screen=after.size)


def test_saved_geometry_is_read_and_damage_is_ignored(tmp_path: Path) -> None:
    geometry = Geometry((1000, 700), (10, 20), full=True, percent=115)
    assert read_geometry(tmp_path) is None
    write_geometry(tmp_path, geometry)
    assert read_geometry(tmp_path) == geometry
    for damage in (b"", b"{}", b'{"size":[0,5]}', b'{"size":[900,700],"percent":-1}'):
        (tmp_path / "window.json").write_bytes(damage)
        assert read_geometry(tmp_path) is None


def test_nothing_is_drawn_before_there_is_a_window(
    kivy_window: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kivy.base import EventLoop
    from kivy.clock import Clock

    with monkeypatch.context() as patch:
        patch.setattr(EventLoop, "window", None)
        before = Clock.frames
        EventLoop.idle()
        assert Clock.frames == before
    EventLoop.idle()
    assert Clock.frames == before + 1


@pytest.mark.parametrize(
    ("name", "text", "less"),
    [
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n", True),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=1\n", False),
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=false\n", True),
        ("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations=true\n", False),
        ("gtk-4.0/settings.ini", "no settings", False),
        ("kdeglobals", "\udcff", False),
    ],
)
def test_nothing_moves_where_the_desktop_asks_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, less: bool
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert not wants_less_motion()
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert wants_less_motion() is less


@pytest.mark.parametrize(
    ("name", "text", "shade"),
    [
        ("kdeglobals", "[General]\nColorScheme=BreezeLight\n", Shade.LIGHT),
        ("kdeglobals", "[General]\nColorScheme=BreezeDark\n", Shade.DARK),
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-application-prefer-dark-theme=false\n", Shade.LIGHT),
        ("gtk-4.0/settings.ini", "[Settings]\ngtk-application-prefer-dark-theme=1\n", Shade.DARK),
        ("kdeglobals", "[General\n", Shade.DARK),
    ],
)
def test_the_window_is_as_light_as_the_desktop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, shade: Shade
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    assert find_desktop_shade() is shade
