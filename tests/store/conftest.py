from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import Store, Tx
from bot.store.connection import Sql, connect
from tests.store.world import open_store, use


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kontrolka.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with open_store(path) as store:
        yield store


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new data file, closed."""
    path = tmp_path_factory.mktemp("fresh") / "kontrolka.db"
    use(path)
    return path


@pytest.fixture
def tx(path: Path, fresh: Path) -> Iterator[Tx]:
    """One transaction over a new file, without threads."""
    shutil.copy(fresh, path)
    with closing(connect(path)) as db:
        db.execute("BEGIN IMMEDIATE")
        yield Tx(Sql(db))
