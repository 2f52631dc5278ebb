"""Fuzzes the C library with libFuzzer: `python -m firmware_bridge.fuzzing`, or `make fuzz`.

Each harness in firmware/fuzz begins with the shared vectors and keeps whatever input reaches something new. A
finding is an input at which a sanitizer stopped the harness, or a check in it did not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.framing import DELIMITER, FrameReader

HERE = Path(__file__).parent
SOURCE = HERE / "firmware"
HARNESSES = ("frame", "message", "session", "table")
INPUT_BYTES_MAX = 512
"""Some twenty steps of a session; longer inputs run slower and reach nothing else."""
MEMORY_MIB_MAX = 1024
FROM_A_SMALL_PROCESS = ("sh", "-c", '"$@"; exit $?', "fuzz")
"""Starts a harness from a shell: libFuzzer would take the largest size of this process for its own."""


@dataclass(frozen=True, slots=True)
class HarnessRun:
    """What one harness did: `runs` inputs tried, `edges` of the program reached, `inputs` kept because each
    reached something new. `finding`: the input that showed a fault, `report`: what the sanitizer said about
    it.
    """

    harness: str
    runs: int
    edges: int
    inputs: int
    finding: bytes | None
    report: str


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """Lines and branches of a source file that any kept input reaches; `missed` are the other lines."""

    file: Path
    lines: int
    missed: tuple[int, ...]
    branches: int
    branches_reached: int


def find_missing() -> str:
    """What is not installed and how to install it, or nothing."""
    if not (shutil.which("clang") and shutil.which("make")):
        return "There is no clang or no make here: apt-get install clang libclang-rt-dev make"
    resources = subprocess.run(["clang", "-print-resource-dir"], capture_output=True, text=True, check=True)
    if not list(Path(resources.stdout.strip()).glob("lib/*/libclang_rt.fuzzer*.a")):
        return "clang has no libFuzzer here: apt-get install libclang-rt-dev"
    return ""


def build(folder: Path, coverage: bool = False) -> None:
    """Build every harness into `folder`, with sanitizers or to count lines. Raises CalledProcessError."""
    command = ["make", "-s", "-C", str(SOURCE), f"BUILD={folder.resolve()}", "fuzzers"]
    subprocess.run(
        command + ["COVERAGE=1"] * coverage,
        check=True,
        env=os.environ | {"MAKEFLAGS": "-j2"},
        stdout=sys.stderr,
    )


def write_corpus(folder: Path) -> None:
    """One file an input in `folder`/HARNESS: the shared vectors in the form of each harness, and the inputs
    that once showed a fault.
    """
    inputs: dict[str, list[bytes]] = {harness: [] for harness in HARNESSES}
    for vector in _read_vectors():
        if "stuffed" in vector:
            inputs["frame"] += [bytes.fromhex(vector["plain"]), bytes.fromhex(vector["stuffed"]) + DELIMITER]
        if "wire" in vector:
            wire = bytes.fromhex(vector["wire"])
            inputs["frame"].append(wire)
            for body in FrameReader().feed(wire):
                if isinstance(body, bytes):
                    inputs["message"].append(body)
                    inputs["session"] += _make_session_scripts(body)
                    inputs["table"].append(_make_table_script(body))
    for harness, data in list_regressions():
        inputs[harness].append(data)
    for harness, each in inputs.items():
        (folder / harness).mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(each):
            (folder / harness / f"seed-{number:03}").write_bytes(data)


def list_regressions() -> Iterator[tuple[str, bytes]]:
    """Harness and input of each fault that was found once."""
    for line in (SOURCE / "fuzz" / "regressions.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            harness, data, _ = line.split(" ", 2)
            yield harness, bytes.fromhex(data)


def _read_vectors() -> Iterator[dict[str, str]]:
    for line in (HERE / "vectors.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def _make_session_scripts(body: bytes) -> list[bytes]:
    """Steps of fuzz/session.c: the frame comes before a session is open, in an open one, or is posted too."""
    kind, _, seq = body[:3]
    payload = bytes((len(body) - 3,)) + body[3:]
    begin, hello, written, pass_time = b"\0\0", b"\5\0", b"\3\xff", b"\2\5\x10"
    frame = bytes((1, 4 if seq else 0, kind)) + payload
    post = bytes((4, 0, kind)) + payload
    end = written + pass_time
    return [begin + frame + end, begin + hello + frame + end, begin + hello + frame + post + end]


def _make_table_script(body: bytes) -> bytes:
    """Steps of fuzz/table.c: hello, the frame, an acknowledgement, a throw of dice, a wall that loses
    a tile."""
    kind, _, seq = body[:3]
    hello = b"\2\2\x01\x0aMJCP\1\1\1\0\0\0"
    shuffle = b"\2\0\x40\1\0"
    frame = bytes((2, 0 if seq else 2, kind, len(body) - 3)) + body[3:]
    turns, acknowledge = b"\0\xff\5", b"\4"
    dice = b"\x08" + turns + b"\x09\3\5" + turns + b"\1\x08\2" + turns
    wall = b"\5\2\0" + turns + b"\6\xff\5\3\0" + turns + acknowledge + b"\7\x10" + turns
    return b"\0" + hello + turns + frame + turns + acknowledge + dice + shuffle + turns + wall


def fuzz(programs: Path, corpus: Path, harness: str, seconds: int, seed: int) -> HarnessRun:
    """Run one harness for `seconds` on one core; `corpus`/`harness` grows, a finding is stored next to it."""
    findings = corpus / f"{harness}-finding-"
    done = subprocess.run(
        [
            *FROM_A_SMALL_PROCESS,
            programs / f"fuzz-{harness}",
            f"-max_total_time={seconds}",
            f"-seed={seed}",
            f"-max_len={INPUT_BYTES_MAX}",
            f"-rss_limit_mb={MEMORY_MIB_MAX}",
            f"-artifact_prefix={findings}",
            "-timeout=10",
            "-use_value_profile=1",
            "-print_final_stats=1",
            corpus / harness,
        ],
        env=os.environ | {"ASAN_OPTIONS": "quarantine_size_mb=16"},
        capture_output=True,
        text=True,
        errors="replace",
    )
    runs = re.findall(r"number_of_executed_units: (\d+)", done.stderr)
    edges = re.findall(r"\bcov: (\d+)", done.stderr)
    kept = re.search(rf"Test unit written to (.*{re.escape(findings.name)}\S+)", done.stderr)
    finding = Path(kept[1]).read_bytes() if kept else b"" if done.returncode else None
    return HarnessRun(
        harness,
        int(runs[-1]) if runs else 0,
        int(edges[-1]) if edges else 0,
        len(list((corpus / harness).iterdir())),
        finding,
        _find_report(done.stderr) if done.returncode else "",
    )


def _find_report(errors: str) -> str:
    """The first line that says what is wrong, else the last ones."""
    for line in errors.splitlines():
        if re.search(r"runtime error|ERROR: \w+Sanitizer|ERROR: libFuzzer: (?!deadly)|does not hold", line):
            return line.strip()
    return "\n".join(errors.splitlines()[-5:])


def measure_coverage(programs: Path, corpus: Path) -> list[FileCoverage]:
    """What the corpora reach in all sources but the harnesses; `programs` were built to count lines. Raises
    CalledProcessError or FileNotFoundError without llvm-profdata and llvm-cov.
    """
    for harness in HARNESSES:
        subprocess.run(
            [programs / f"fuzz-{harness}", "-runs=0", corpus / harness],
            env=os.environ | {"LLVM_PROFILE_FILE": str(programs / f"{harness}.profraw")},
            capture_output=True,
            check=True,
        )
    merged = programs / "all.profdata"
    raw = [programs / f"{harness}.profraw" for harness in HARNESSES]
    subprocess.run([_find_tool("llvm-profdata"), "merge", "-o", merged, *raw], check=True)
    first, *others = (programs / f"fuzz-{harness}" for harness in HARNESSES)
    objects = [each for other in others for each in ("-object", other)]
    report = subprocess.run(
        [_find_tool("llvm-cov"), "export", "-format=lcov", f"-instr-profile={merged}", first, *objects],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    files = [_parse_coverage(record) for record in report.split("end_of_record\n") if record]
    return [each for each in files if each.file.parent.name != "fuzz"]


def _find_tool(name: str) -> str:
    """The tool of LLVM that fits clang: it may be called llvm-cov-14 outside clang's own folder."""
    return subprocess.run(
        ["clang", f"-print-prog-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()


def _parse_coverage(record: str) -> FileCoverage:
    """One file of lcov's text: SF names it, DA is a line and how often it ran, BRDA ends with how often a
    branch was taken.
    """
    lines = {int(line): int(times) for line, times in re.findall(r"^DA:(\d+),(\d+)", record, re.M)}
    branches = re.findall(r"^BRDA:.*,(\S+)$", record, re.M)
    return FileCoverage(
        Path(record.partition("SF:")[2].partition("\n")[0]),
        len(lines),
        tuple(line for line, times in lines.items() if not times),
        len(branches),
        sum(times not in ("-", "0") for times in branches),
    )


def main() -> int:
    """0 when nothing was found, 1 for a finding, 2 when something is not installed or cannot be built."""
    options = _make_parser().parse_args()
    if find_missing():
        print(find_missing(), file=sys.stderr)
        return 2
    work: Path = options.work
    try:
        write_corpus(work / "corpus")
        build(work / "sanitized")
        findings = _fuzz_all(work, options.seconds // len(HARNESSES), options.seed)
        _print_coverage(work)
    except subprocess.CalledProcessError as error:
        print(f"{Path(error.cmd[0]).name} failed with exit status {error.returncode}.", file=sys.stderr)
        return 2
    return 1 if findings else 0


def _fuzz_all(work: Path, seconds: int, seed: int) -> list[HarnessRun]:
    """The harnesses that found something."""
    print(f"{'harness':10}{'runs':>12}{'edges':>8}{'inputs':>8}")
    findings = []
    for harness in HARNESSES:
        done = fuzz(work / "sanitized", work / "corpus", harness, seconds, seed)
        print(f"{done.harness:10}{done.runs:12,}{done.edges:8,}{done.inputs:8,}", flush=True)
        if done.finding is not None:
            findings.append(done)
    for each in findings:
        data = each.finding.hex() if each.finding else "no input was kept"
        print(f"\n{each.harness}: {each.report}\n{data}")
    return findings


def _print_coverage(work: Path) -> None:
    build(work / "counted", coverage=True)
    try:
        covered = measure_coverage(work / "counted", work / "corpus")
    except FileNotFoundError:
        print("\nNo lines are counted without llvm-profdata and llvm-cov: apt-get install llvm")
        return
    print(f"\n{'file':20}{'lines':>12}{'branches':>12}  lines not reached")
    for file in covered:
        lines = f"{file.lines - len(file.missed)}/{file.lines}"
        branches = f"{file.branches_reached}/{file.branches}"
        print(f"{file.file.name:20}{lines:>12}{branches:>12}  {', '.join(map(str, file.missed))}")


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m firmware_bridge.fuzzing", description="Fuzz the C library."
    )
    parser.add_argument("--seconds", type=int, default=600, help="for all harnesses together (600)")
    parser.add_argument("--seed", type=int, default=1, help="of the mutations (1)")
    parser.add_argument(
        "--work",
        type=Path,
        default=Path(".cache/fuzz"),
        help="where inputs are kept for the next time (.cache/fuzz)",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
