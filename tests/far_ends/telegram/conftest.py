"""A stock python-telegram-bot bot at a far end of its own."""

from collections.abc import AsyncIterator

import pytest_asyncio
import telegram

from .far_end import FarEnd
from .fixtures import far_end

__all__ = ["far_end"]


@pytest_asyncio.fixture
async def bot(far_end: FarEnd) -> AsyncIterator[telegram.Bot]:
    async with far_end.bot() as one:
        yield one
