"""What every chat adapter works with; `app` builds it once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.bank import Bank
from bot.i18n import Languages
from bot.store import Store


@dataclass(frozen=True, slots=True)
class Context:
    """The tutor's means. Clock and dice come from here, so that a test can hold them."""

    store: Store
    bank: Bank
    languages: Languages
    now: Callable[[], datetime]
    """The present moment, UTC-aware."""
    new_id: Callable[[], str]
    """A fresh id: 64 random bits in base 36."""
