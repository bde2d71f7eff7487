"""What a whole place is shown, on whatever platform: which posts leave, and what is shown once more after a crash."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.chats.many import GROUP, Many, Told
from bot.quiz import Phase, Session, Show, Step
from bot.store import Daily, Place, Post, Tx
from bot.tutor import QUESTION

PAGE = 200
"""Pending posts looked up at once. Chosen by us."""

LATELY = timedelta(hours=25)
"""How far back questions are looked up at the start: a daily question is open for a day at most."""

AFTER = timedelta(minutes=15)
"""For so long after a daily question has closed its answer is shown again at the start. Chosen by us."""


@dataclass(frozen=True, slots=True)
class Underway:
    """A post that leaves now."""

    place: Place
    session: Session | None
    """None for a notice."""
    daily: Daily | None
    """The daily question it belongs to; None in a group quiz."""

    @property
    def silent(self) -> bool:
        """Whether nobody's phone makes a sound."""
        return self.daily is not None and self.daily.silent

    @property
    def broken(self) -> bool:
        """Whether the daily question stands still, so that nothing of it may leave."""
        return self.daily is not None and bool(self.daily.broken)

    def pins(self, post: Post) -> bool:
        """Whether the message is to be pinned."""
        return self.daily is not None and self.daily.pin and post.kind == QUESTION


def set_out(tx: Tx, post: Post, platform: str) -> Underway | None:
    """The post is sending from now on; None if somebody else sends it, or it is not of this platform."""
    place = tx.place(post.place)
    if place is None or place.platform != platform or not tx.posts.sending(post.id):
        return None
    session = tx.session(post.session) if post.session is not None else None
    return Underway(place, session, tx.dailies.of_session(session.id) if session is not None else None)


def answerable(session: Session) -> bool:
    """Whether the present question takes answers."""
    return session.phase in (Phase.ASKED, Phase.OPEN)


def told_of(tx: Tx, many: Many, step: Step, platform: str) -> Told | None:
    """What a step that the clock or a panel has carried out leaves to be said; None on other platforms."""
    place = tx.place(step.session.place)
    return many.told(tx, place, step) if place is not None and place.platform == platform else None


def told_again(tx: Tx, many: Many, session: str, platform: str) -> Told | None:
    """What the message of a session's present question is to show now; nothing is posted anew."""
    known = tx.session(session)
    if known is None:
        return None
    position = known.position
    attempts = tuple(a for a in tx.counting_attempts(session) if a.position == position)
    last = position == len(known.plan) - 1
    again = told_of(tx, many, Step(known, (Show(position, attempts, last=last),)), platform)
    return None if again is None else replace(again, posts=())


def to_show_again(tx: Tx, platform: str, now: datetime) -> list[str]:
    """The sessions whose messages should show an answer, and a program that was killed may not have shown it."""
    posts = tx.posts.sent_since(platform, now - LATELY)
    sessions = {post.session for post in posts if post.kind == QUESTION and post.session is not None}
    known = (tx.session(session) for session in sorted(sessions))
    return [session.id for session in known if session is not None and _shows_an_answer(session, now)]


def _shows_an_answer(session: Session, now: datetime) -> bool:
    if session.slot == GROUP:
        return session.phase is Phase.REVEALED
    limit = session.policy.item_limit_s
    if not session.closed or session.opened_at is None or limit is None:
        return False
    return session.opened_at + timedelta(seconds=limit) + AFTER > now


def pinned(tx: Tx, place: int) -> int | None:
    """The message that was pinned in a place; None if none was."""
    known = tx.place(place)
    former = known.settings.get("pinned") if known is not None else None
    return int(former) if former else None


def keep_pinned(tx: Tx, place: int, message: int) -> None:
    """Remember which message is pinned in a place."""
    if (known := tx.place(place)) is not None:
        tx.set_place(replace(known, settings={**known.settings, "pinned": message}))
