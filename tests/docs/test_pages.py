"""The README is short, the pages leave nothing out, and every link leads somewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import typer
from documents import DOCUMENTS, FENCE, REPOSITORY, name_of

from companion import cli
from companion.rules.fields import ALL_FIELDS, REQUIRED, Field, default_of, explain

README_BYTES_MAX = 8_000
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(document: Path) -> set[str]:
    """The anchors of a document's headings, made as GitHub makes them."""
    text = FENCE.sub("", document.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


def test_the_readme_is_short() -> None:
    assert len((REPOSITORY / "README.md").read_bytes()) <= README_BYTES_MAX


def test_every_page_is_in_the_index() -> None:
    index = REPOSITORY / "docs" / "README.md"
    listed = set(LINK.findall(index.read_text(encoding="utf-8")))
    assert {page.name for page in index.parent.glob("*.md")} - {index.name} <= listed


def test_every_command_is_listed() -> None:
    page = (REPOSITORY / "docs" / "command-line.md").read_text(encoding="utf-8")
    commands = typer.main.get_command(cli.make_app()).commands
    assert [name for name in commands if f"`companion {name}`" not in page and f"`{name}`" not in page] == []


def test_the_fields_of_a_request_are_explained_as_in_their_table() -> None:
    page = (REPOSITORY / "docs" / "requests.md").read_text(encoding="utf-8")
    section = page.partition("## Fields of a request")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert rows == [row_of(field) for field in ALL_FIELDS.values()]


def row_of(field: Field) -> str:
    """The row of a field, as the page has to have it."""
    null = ", or null" if getattr(field.kind, "null", False) else ""
    default = default_of(field)
    if field.default is REQUIRED:
        left_out = "must be given"
    else:
        left_out = "" if default in (None, "", [], {}) else f"{json.dumps(default)} if left out"
    meaning = "; ".join(filter(None, (explain(field), left_out)))
    return f"| `{field.name}` | {field.kind.describe()}{null} | {meaning} |"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(document: Path) -> None:
    for link in LINK.findall(FENCE.sub("", document.read_text(encoding="utf-8"))):
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = document.parent / path if path else document
        assert target.exists(), f"{name_of(document)}: {link}"
        if anchor:
            assert anchor in anchors(target), f"{name_of(document)}: {link}"
