"""The store: one SQLite file, one process, one writer thread; what was acknowledged is on disk.

All SQL of the program lives here. Callers hand functions over `Tx` to `Store.run` and `Store.read`; they never see a
connection. Moments are stored as whole microseconds since 1970 UTC and come back as UTC-aware datetimes; dates are
ISO text. Unless a docstring says otherwise, an exception from this package is a bug in the caller.
"""

from bot.store.agenda import Agenda, Due
from bot.store.attempts import ItemProgress, Progress, Report
from bot.store.backup import backup, restore
from bot.store.boards import Boards, Tally
from bot.store.connection import Corrupt, Unavailable
from bot.store.dailies import Daily, Run
from bot.store.export import export, guard, guarded, unguard
from bot.store.inbox import Inbox, Update
from bot.store.info import Info, info, overdue
from bot.store.links import Account, Links
from bot.store.lock import InUse, room_for, there
from bot.store.migrations import TooNew
from bot.store.people import Learner, Place
from bot.store.posts import Post, Posts, PostState
from bot.store.removal import NOBODY
from bot.store.sessions import Changed, SlotTaken
from bot.store.store import Store
from bot.store.tx import Tx

__all__ = [
    "NOBODY",
    "Account",
    "Agenda",
    "Boards",
    "Changed",
    "Corrupt",
    "Daily",
    "Due",
    "InUse",
    "Inbox",
    "Info",
    "ItemProgress",
    "Learner",
    "Links",
    "Place",
    "Post",
    "PostState",
    "Posts",
    "Progress",
    "Report",
    "Run",
    "SlotTaken",
    "Store",
    "Tally",
    "TooNew",
    "Tx",
    "Unavailable",
    "Update",
    "backup",
    "export",
    "guard",
    "guarded",
    "info",
    "overdue",
    "restore",
    "room_for",
    "there",
    "unguard",
]
