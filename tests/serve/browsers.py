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
SMALL = """
return [...document.querySelectorAll("button, select, .button, input:not([type=file])")]
  .map(each => [each.dataset.key ?? each.textContent, each.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < 48 || box.height < 48)).map(([name]) => name)"""
FAINT = """
const lightness = text => {
  const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map(each => each / 255)
    .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = element => {
  for (; element; element = element.parentElement) {
    const colour = getComputedStyle(element).backgroundColor;
    if (!/^rgba.*, 0\\)$/.test(colour)) return colour;
  }
  return "rgb(255, 255, 255)";
};
return [...document.querySelectorAll("body *")]
  .filter(each => each.offsetParent && each.offsetWidth > 1 && !each.disabled)
  .filter(each => [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
  .filter(each => {
    const pair = [getComputedStyle(each).color, ground(each)].map(lightness).sort((a, b) => b - a);
    return (pair[0] + 0.05) / (pair[1] + 0.05) < 4.5;
  }).map(each => each.textContent)"""


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


def turn_network(browser: webdriver.Chrome, *, on: bool) -> None:
    browser.execute_cdp_cmd("Network.enable", {})
    conditions = {"offline": not on, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)


def check_fit(browser: webdriver.Chrome, width: int) -> None:
    """Nothing scrolls sideways, no target is under 48 px, no text is fainter than 4.5 to 1."""
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.execute_script(SMALL) == []
    assert browser.execute_script(FAINT) == []
