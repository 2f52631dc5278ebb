"""A table that is served while a test runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.serve.served import Table, serving


@pytest.fixture
def table() -> Iterator[Table]:
    with serving() as made:
        yield made
