from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _eighty_columns() -> Iterator[None]:
    """Pages are as wide as the terminal of whoever runs the tests would have them."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"
    yield
    del os.environ["COLUMNS"]
    if before is not None:
        os.environ["COLUMNS"] = before
