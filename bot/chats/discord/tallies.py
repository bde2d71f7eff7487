"""Tallies: which posts are to show how many have answered, and when; what comes meanwhile is shown together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

EVERY = timedelta(seconds=5)
"""Between two edits of a post. Chosen by us: Discord takes about one a second in a channel."""

AGED = timedelta(hours=1)
"""Older messages may seldom be changed. Source: Discord developer reference, Opcodes and status codes, 30046."""

EVERY_WHEN_AGED = timedelta(minutes=15)
"""Between two edits of such a post. Chosen by us, so that the answer can still be shown in one."""


@dataclass(slots=True)
class _Tally:
    place: int
    not_before: datetime | None = None
    """None until it was shown once."""
    changed: bool = True


class Tallies:
    """Which tallies are due; nothing of it matters after a restart, the next answer shows them all."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._known: dict[tuple[str, int], _Tally] = {}

    def changed(self, place: int, session: str, position: int) -> None:
        """Somebody has answered."""
        tally = self._known.setdefault((session, position), _Tally(place))
        tally.changed = True

    def due(self) -> list[tuple[int, str, int]]:
        """Place, session and position of those to be shown now."""
        now, found = self._now(), []
        for key, tally in list(self._known.items()):
            if tally.not_before is not None and tally.not_before > now:
                continue
            if tally.changed:
                tally.changed, tally.not_before = False, now + EVERY
                found.append((tally.place, *key))
            else:
                del self._known[key]
        return found

    def shown(self, session: str, position: int, sent_at: datetime | None) -> None:
        """A tally is shown now.

        Args:
            session: The session.
            position: The position.
            sent_at: When its message was sent; None if that is not known.
        """
        if sent_at is not None and self._now() - sent_at > AGED:
            self.rest(session, position)

    def rest(self, session: str, position: int) -> None:
        """Discord wants the message to be changed less often."""
        tally = self._known.get((session, position))
        if tally is not None:
            tally.not_before = self._now() + EVERY_WHEN_AGED

    def drop(self, session: str, position: int) -> None:
        """The question is closed."""
        self._known.pop((session, position), None)
