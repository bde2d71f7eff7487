"""Fixtures for every test that needs Telegram: `from tests.far_ends.telegram.fixtures import far_end  # noqa: F401`."""

from collections.abc import AsyncIterator

import pytest_asyncio

from .far_end import FarEnd


@pytest_asyncio.fixture
async def far_end() -> AsyncIterator[FarEnd]:
    """A far end of one's own; the test fails if aiogram's models disagreed with anything that was said."""
    async with FarEnd() as one:
        yield one
    one.assert_clean()
