"""One transaction, as the functions handed to the store see it."""

from __future__ import annotations

from bot.store.agenda import Agenda
from bot.store.attempts import Attempts
from bot.store.boards import Boards
from bot.store.connection import Sql
from bot.store.crowds import Crowds
from bot.store.dailies import Dailies, Names
from bot.store.inbox import Inbox
from bot.store.links import Links
from bot.store.people import People
from bot.store.posts import Posts
from bot.store.removal import Removal
from bot.store.sessions import Sessions


class Tx(People, Sessions, Crowds, Attempts, Names, Removal):
    """What may be asked of the store and written to it: named methods, no SQL.

    It belongs to the store's thread: a function uses it while it runs and keeps no hold of it.
    """

    def __init__(self, sql: Sql) -> None:
        self._sql = sql
        self.due = Agenda(sql)
        self.posts = Posts(sql)
        self.inbox = Inbox(sql)
        self.dailies = Dailies(sql)
        self.boards = Boards(sql)
        self.links = Links(sql)
