"""Settings of every test: Hypothesis draws the same examples each time, and says how to repeat a failure.

`pytest --hypothesis-profile=search` draws new examples instead, and more of them.
`pytest --rewrite-transcripts` writes what the program says into the transcripts, for a person to read the difference.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "suite",
    derandomize=True,
    print_blob=True,
    deadline=None,  # nothing here is timed
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("search", settings.get_profile("suite"), derandomize=False, max_examples=2000)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-transcripts", action="store_true", help="write the transcripts instead of comparing")
