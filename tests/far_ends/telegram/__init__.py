"""A Bot API server on loopback: it has state, knows the limits, breaks on demand, and is not Telegram.

In a test the fixture `far_end` of `fixtures` gives one in the test's own loop; `python -m tests.far_ends.telegram`
runs it as a process of its own. Facts come from the source of the official server (tdlib/telegram-bot-api 01a3679c,
May 2026, and tdlib/td 022d6020, July 2026) and its documentation; what could not be verified says so where it stands.
"""

from .actors import NotPossible, Person, Place
from .errors import ApiError
from .far_end import FarEnd
from .faults import Fault
from .world import Message, Poll, Query, Topic

__all__ = ["ApiError", "FarEnd", "Fault", "Message", "NotPossible", "Person", "Place", "Poll", "Query", "Topic"]
