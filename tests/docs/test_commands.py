"""Commands in the documents run as printed, print what is shown below them, and leave the clone clean."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from clone import Clone
from documents import DOCUMENTS, UNTESTED, Block, find_blocks, name_of

DEMO = "demo-output/"
TIMES = ((re.compile(r"^ *\d+\.\d{3} ", re.MULTILINE), "T "), (re.compile(r"\b\d+ ms\b"), "T ms"))
"""What differs from run to run: the seconds at the head of a line, and how long reading took."""
WRITES_ANEW = "COMPANION_FIGURES" in os.environ
"""Whether what is printed whole in the documents is written anew instead of compared."""
ELLIPSIS = "…"
SHORT = ("docs/house-rules.md", "docs/requests.md")
RUN = [
    pytest.param(document, marks=pytest.mark.slow if name_of(document) in SHORT else pytest.mark.long)
    for document in DOCUMENTS
    if any(block.is_run for block in find_blocks(document))
]


def run(script: str, clone: Clone, environment: dict[str, str]) -> tuple[int, str]:
    """The exit status of a script and what it printed; what it left running is ended."""
    shell = subprocess.Popen(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=clone.folder, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        out, _ = shell.communicate(timeout=180)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(shell.pid, signal.SIGKILL)
    return shell.returncode, out


def comparable(text: str) -> list[str]:
    for pattern, sign in TIMES:
        text = pattern.sub(sign, text)
    return [line.rstrip() for line in text.splitlines()]


def is_part(printed: str, output: str) -> bool:
    """Whether the lines of `printed` stand in `output`, in order; "…" alone on a line is anything between."""
    lines, at = comparable(output), 0
    for part in "\n".join(comparable(printed)).split("\n…\n"):
        wanted = part.removeprefix("…\n").removesuffix("\n…").split("\n")
        starts = range(at, len(lines) - len(wanted) + 1)
        found = next((start for start in starts if lines[start : start + len(wanted)] == wanted), None)
        if found is None:
            return False
        at = found + len(wanted)
    return True


def write_anew(document: Path, block: Block, out: str) -> None:
    """Put what was printed below the block, in place of what stands there."""
    text = document.read_text(encoding="utf-8")
    before, code, after = text.partition(f"```sh\n{block.code}```")
    old = f"```text\n{block.printed}```"
    assert code
    assert old in after
    document.write_text(before + code + after.replace(old, f"```text\n{out}```", 1), encoding="utf-8")


@pytest.mark.parametrize("document", RUN, ids=name_of)
def test_commands_run_as_printed(
    document: Path, clone: Clone, environment: dict[str, str], tmp_path: Path
) -> None:
    blocks = find_blocks(document)
    made = any("make demo" in block.code for block in blocks) or (clone.folder / DEMO).exists()
    if not made and any(DEMO in block.code for block in blocks):  # such a page is read after the README
        assert run("make demo", clone, environment)[0] == 0
    for block in blocks:
        if not block.is_run:
            continue
        where = f"{name_of(document)}, line {block.line}:\n{block.code}"
        status, out = run(block.code.replace("/tmp/", f"{tmp_path}/"), clone, environment)
        assert status == 0, f"{where}\n{out}"
        assert "Traceback" not in out, f"{where}\n{out}"
        if block.printed is not None and WRITES_ANEW and ELLIPSIS not in block.printed:
            write_anew(document, block, out)
        elif block.printed is not None:
            assert is_part(block.printed, out.replace(f"{tmp_path}/", "/tmp/")), f"{where}\n{out}"
    assert clone.changes == ""


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_commands_that_are_not_run_say_why(document: Path) -> None:
    for block in find_blocks(document):
        where = f"{name_of(document)}, line {block.line}"
        assert block.language, f"{where}: a block without a language: is it sh, text, json or python?"
        if block.language == "sh" and block.note:
            assert block.note.startswith(UNTESTED), where
            assert len(block.note) > len(UNTESTED) + 10, f"{where}: the reason is missing"


def test_printed_lines_are_found_in_order_only() -> None:
    output = "a\nb\n    0.123  c\nd\n"
    for printed in ("a\nb\n", "a\n…\nd\n", "…\nb\n    9.999  c\n…\n"):
        assert is_part(printed, output), printed
    for printed in ("a\nc\n", "d\n…\na\n", "b\n…\nb\n", "…\ne\n"):
        assert not is_part(printed, output), printed
