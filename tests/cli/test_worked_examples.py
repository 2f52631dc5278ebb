"""`companion score --batch` works through a file of all worked examples of all rule sets."""

import json
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent.parent / "golden"


def test_a_batch_of_all_worked_examples(companion: Any, tmp_path: Path) -> None:
    examples = [
        json.loads(line)
        for file in sorted(GOLDEN.glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    assert {example["request"]["rules"] for example in examples} == {
        "hefei", "hebei", "taiwanese", "hong_kong", "hangzhou",
    }  # fmt: skip
    batch = tmp_path / "worked.jsonl"
    batch.write_text("".join(json.dumps(example["request"]) + "\n" for example in examples), encoding="utf-8")
    run = companion("score", "--batch", batch)
    assert (run.status, run.err) == (0, "")
    answers = [json.loads(line) for line in run.out.splitlines()]
    assert [(answer["value"], answer["payments"]) for answer in answers] == [
        (example["value"], example["payments"]) for example in examples
    ]
