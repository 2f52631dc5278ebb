"""The game that the manual prints as an example of a rule set, put where the manual says, is a whole one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).resolve().parents[2]
NEW_GAME, NEW_FIELD = Path(__file__).with_name("new_game.py"), Path(__file__).with_name("new_field.py")
TOKENS = """
    Field(
        name="tokens",
        part=FieldGroup.STAKES,
        kind=NumberKind(0, 9),
        help="The tokens of the winner",
        default=0,
        only_some=True,
        nothing=(0,),
        ask=Ask(AskedOn.MORE, "Tokens", "What the winner has won before."),
    ),
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the program with the printed file in variants/, and the entry in ALL, and nothing else."""
    shutil.copytree(REPOSITORY / "companion", tmp_path / "companion")
    (tmp_path / "models").symlink_to(REPOSITORY / "models")
    variants = tmp_path / "companion" / "rules" / "variants"
    (variants / "plain.py").write_text(printed(), encoding="utf-8")
    all_games = variants / "__init__.py"
    text = all_games.read_text(encoding="utf-8")
    listed = re.sub(r"(ALL: .* = \(.*)\)", r"\1, PLAIN)", text)
    assert listed != text
    imported = "from companion.rules.variants.plain import PLAIN\n\nALL"
    all_games.write_text(listed.replace("\nALL", imported), encoding="utf-8")
    return tmp_path


def printed() -> str:
    """The example as it is printed, wherever the manual has it."""
    pages = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
    blocks = [
        block
        for page in pages
        for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        if "PLAIN = RuleSet(" in block
    ]
    assert len(blocks) == 1
    return str(blocks[0])


@pytest.mark.long
def test_the_example_of_a_rule_set_is_a_whole_game(copy: Path, display: None, own_data_folder: Path) -> None:
    """It scores, finds waits and shanten, is played, kept and replayed, and is chosen in the window."""
    assert run(NEW_GAME, copy) == ["scored", "waited", "played", "kept", "shown"]


def test_one_entry_makes_a_field(copy: Path, display: None, own_data_folder: Path) -> None:
    """A field that the table of fields and the game's `uses` name is parsed, a flag, saved, and asked for."""
    table = copy / "companion" / "rules" / "fields.py"
    text = table.read_text(encoding="utf-8")
    assert text.count("\n)\n\nFIELDS") == 1
    table.write_text(text.replace("\n)\n\nFIELDS", f"{TOKENS})\n\nFIELDS"), encoding="utf-8")
    game = copy / "companion" / "rules" / "variants" / "plain.py"
    text = game.read_text(encoding="utf-8")
    text = text.replace('unit="points",', 'unit="points",\n    uses=frozenset({"tokens"}),')
    counted = 'pungs_of(reading, DRAGONS) + win.request.extra.get("tokens", 0)'
    game.write_text(text.replace("pungs_of(reading, DRAGONS)", counted), encoding="utf-8")
    assert run(NEW_FIELD, copy) == ["parsed", "flagged", "saved", "asked"]


def run(script: Path, copy: Path) -> list[str]:
    """What the script prints that is run in the copy."""
    folder = copy / "files"
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, str(script), str(folder)],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": f"{copy}{os.pathsep}{REPOSITORY}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.split()
