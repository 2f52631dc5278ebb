"""A real browser for tests of the served page: Debian's Chromium, without a window."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

import companion.art

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip

FONTS = f"""<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<dir>{Path(companion.art.__file__).parent}</dir></fontconfig>"""
"""Chinese has letters in the browser where the machine has none: those of the product."""


@contextmanager
def open_browser(profile: Path, *flags: str) -> Iterator[webdriver.Chrome]:
    """A browser with its data in that folder, which is closed after the block."""
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("there is no Chromium here: .ci/setup test installs it")
    options = Options()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, *flags, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    profile.mkdir(exist_ok=True)
    fonts = profile / "fonts.conf"
    fonts.write_text(FONTS, encoding="utf-8")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(
        options=options, service=Service(DRIVER, env=os.environ | {"FONTCONFIG_FILE": str(fonts)})
    )
    try:
        yield driver
    finally:
        driver.quit()


def resize(browser: webdriver.Chrome, width: int, height: int) -> None:
    """Pages have that size, px."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
