"""How often lamps flicker where this computer is: twice in each period of the mains, of 50 or 60 Hz."""

from __future__ import annotations

import os
from pathlib import Path

LOCALTIME, ZONES = Path("/etc/localtime"), Path("/usr/share/zoneinfo")
COUNTRIES_60 = frozenset({
    "AG", "AI", "AS", "AW", "BM", "BR", "BS", "BZ", "CA", "CO", "CR", "CU", "DO", "EC", "FM", "GT", "GU",
    "GY", "HN", "HT", "KN", "KR", "KY", "LR", "MF", "MH", "MP", "MS", "MX", "NI", "PA", "PE", "PH", "PR",
    "PW", "SA", "SR", "SV", "SX", "TC", "TT", "TW", "US", "VE", "VG", "VI",
})  # fmt: skip
"""With 60 Hz mains, by ISO 3166 (IEC, World plugs, https://www.iec.ch/world-plugs). Japan has both: 50 Hz in
Tokyo, by which its only time zone is named."""


def find_mains_hz(zones: Path = ZONES) -> int:
    """50 or 60, by the country of this computer's time zone; 50 where that is unknown, as in most countries.
    Languages say less: many a computer in Asia speaks American English."""
    zone = _find_zone(zones)
    try:
        lines = (zones / "zone.tab").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return 50
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    countries = {row[0] for row in rows if len(row) > 2 and row[2] == zone}
    return 60 if countries & COUNTRIES_60 else 50


def _find_zone(zones: Path) -> str:
    """This computer's time zone, as Asia/Taipei; older names lead to it."""
    named = os.environ.get("TZ", "").removeprefix(":")
    path = os.path.realpath(zones / named if named else LOCALTIME)
    return path.removeprefix(f"{os.path.realpath(zones)}/")
