"""`companion bench club`: few tables, and every event is in the standings."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from lab.club.servers import MOSQUITTO, POSTGRES_PROGRAMS

LIMIT_S = 300


@pytest.mark.slow
@pytest.mark.skipif(MOSQUITTO is None or POSTGRES_PROGRAMS is None, reason="a server is missing")
def test_every_event_of_every_club_comes() -> None:
    command = [sys.executable, "-m", "companion", "bench", "club", "--json", "--tables", "5", "--rate", "5"]
    more = ["--seconds", "2", "--collectors", "2", "--hands", "160"]
    done = subprocess.run([*command, *more], capture_output=True, text=True, timeout=LIMIT_S, check=True)
    figures = json.loads(done.stdout)
    assert [(each["holds"], each["came"]) for each in figures["holds"]] == [(True, 50)]
    medians = {figure["what"]: figure["median"] for figure in figures["figures"]}
    p50, p99, longest = (medians[f"from event to standings, {name}"] for name in ("p50", "p99", "longest"))
    assert 0 < p50 <= p99 <= longest
    assert medians["growth of the database"] > 0
    assert medians["processor: collector"] > 0
