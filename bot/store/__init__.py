"""The store: one SQLite file, one process, one writer thread; what was acknowledged is on disk.

All SQL of the program lives here. Callers hand functions over `Tx` to `Store.run` and `Store.read`; they never see a
connection. Moments are stored as whole microseconds since 1970 UTC and come back as UTC-aware datetimes; dates are
ISO text. Unless a docstring says otherwise, an exception from this package is a bug in the caller.
"""

from bot.store.attempts import ItemProgress, Progress
from bot.store.connection import Corrupt, Unavailable
from bot.store.lock import InUse
from bot.store.migrations import TooNew
from bot.store.people import Learner, Place
from bot.store.sessions import Changed, SlotTaken
from bot.store.store import Store
from bot.store.tx import Tx

__all__ = [
    "Changed",
    "Corrupt",
    "InUse",
    "ItemProgress",
    "Learner",
    "Place",
    "Progress",
    "SlotTaken",
    "Store",
    "TooNew",
    "Tx",
    "Unavailable",
]
