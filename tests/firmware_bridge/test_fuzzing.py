"""The C library under libFuzzer, with sanitizers; what it found is then read by both codecs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from firmware_bridge import fuzzing
from firmware_bridge.framing import DELIMITER, wrap
from firmware_bridge.limits import BODY_BYTES_MAX, LENGTH_AT
from tests.firmware_bridge.codecs import differences
from tests.firmware_bridge.played import frames, in_c, play
from tests.programs import LIMIT_S

pytestmark = pytest.mark.slow

SECONDS = int(os.environ.get("BRIDGE_FUZZ_SECONDS", "16"))
"""For all harnesses together, beside what building them takes. `make fuzz` takes ten minutes."""
SEED = 1


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built harnesses."""
    if fuzzing.find_missing():
        pytest.skip(fuzzing.find_missing())
    folder = tmp_path_factory.mktemp("fuzzers")
    fuzzing.build(folder)
    return folder


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The inputs; they become more from test to test."""
    folder = tmp_path_factory.mktemp("corpus")
    fuzzing.write_corpus(folder)
    return folder


@pytest.mark.sampled
@pytest.mark.parametrize("harness", fuzzing.HARNESSES)
def test_no_input_breaks_the_c_library(programs: Path, corpus: Path, harness: str) -> None:
    seeds = len(list((corpus / harness).iterdir()))
    done = fuzzing.fuzz(programs, corpus, harness, round(SECONDS / len(fuzzing.HARNESSES)), SEED)
    assert done.finding is None, (
        f"{done.report}\nseed {SEED}, input {done.finding.hex()}, kept in {corpus}\n"
        f"Once the fault is mended, add the input to firmware/fuzz/regressions.txt."
    )
    assert done.runs > seeds > 100
    assert done.inputs > seeds


@pytest.mark.long
def test_both_codecs_agree_on_what_was_found(programs: Path, corpus: Path, built: Path) -> None:
    for harness in ("frame", "message"):
        fuzzing.fuzz(programs, corpus, harness, 1, SEED)
    streams = [each.read_bytes() + DELIMITER for each in sorted((corpus / "frame").iterdir())]
    bodies = [each.read_bytes()[:BODY_BYTES_MAX] for each in sorted((corpus / "message").iterdir())]
    frames = [wrap(body) for body in bodies if len(body) >= LENGTH_AT]
    assert len(streams) > 200
    assert len(frames) > 400
    assert differences(built, b"".join(streams + frames)) == []


@pytest.mark.long
def test_both_sessions_write_the_same_for_what_was_found(programs: Path, corpus: Path, built: Path) -> None:
    fuzzing.fuzz(programs, corpus, "session", 1, SEED)
    inputs = [each.read_bytes() for each in sorted((corpus / "session").iterdir())]
    devices = [play(each) for each in inputs]
    here = [frames(each.written) for each in devices]
    there = in_c(built, [each.script for each in devices])
    assert [data.hex() for data, mine, its in zip(inputs, here, there, strict=True) if mine != its] == []
    assert sum(map(len, here)) > 2_000


def test_a_read_beyond_the_payload_is_found(tmp_path: Path) -> None:
    """The decoder with a fault put into it."""
    if fuzzing.find_missing():
        pytest.skip(fuzzing.find_missing())
    source = shutil.copytree(fuzzing.SOURCE, tmp_path / "firmware")
    decoder = source / "mjb_message.c"
    sound = decoder.read_text(encoding="utf-8")
    faulty = sound.replace("(c->end - c->at) < size", "(c->end - c->at) + 1 < size")
    assert faulty != sound
    decoder.write_text(faulty, encoding="utf-8")
    program = tmp_path / "fuzz-message"
    subprocess.run(["make", "-s", "-C", source, f"BUILD={tmp_path}", program], check=True)
    fuzzing.write_corpus(tmp_path)
    done = fuzzing.fuzz(tmp_path, tmp_path, "message", 10, SEED)
    assert "heap-buffer-overflow" in done.report
    assert done.finding
    again = subprocess.run(
        [program, *tmp_path.glob("message-finding-*")], capture_output=True, check=False, timeout=LIMIT_S
    )
    assert b"heap-buffer-overflow" in again.stderr
