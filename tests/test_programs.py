"""What the tests start comes to an end, whatever it does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.programs import started

SILENT = [sys.executable, "-c", "import time; time.sleep(600)"]


def test_a_program_that_never_prints_is_waited_for_no_longer_than_its_limit() -> None:
    with started(SILENT, limit_s=0.2, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout.readline() == ""
        assert program.wait() == -9


def test_a_program_ends_with_the_test_that_fails() -> None:
    with pytest.raises(AssertionError, match="as a test"), started(SILENT) as program:
        raise AssertionError("as a test")
    assert program.returncode == -9
