"""Native quiz polls: whether an item becomes one, and what it then says. A pure decision, and nothing is ever cut off.

A poll suits a group: votes stay private, cost no edits, and are kept by Telegram for a day while we are down. It suits
an item whose words fit its limits without style. In a channel it tells nobody's name, so it gives no scores.
Source of the limits: Telegram Bot API 10.0, sendPoll and Poll; lengths are code points after parsing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bot.bank import Code, Entry, Paragraph, Picture, Rich, Words, plain
from bot.chats.telegram.text import Text, texts
from bot.i18n import Language
from bot.present import Message
from bot.quiz import Answerers, Change, Feedback, Kind, Planned, Session

QUESTION = 300
OPTION = 100
EXPLANATION = 200
EXPLANATION_FEEDS = 2
DESCRIPTION = 1024

OPEN = (timedelta(seconds=10), timedelta(days=30))
"""How long a poll that closes itself may be open. Source: Bot API 10.0, sendPoll.close_date, from
5 to 2 628 000 seconds; rounded to the safe side by us, because sending takes time."""

GROUPS = ("group", "supergroup")
"""Chats whose polls tell who voted. Source: Bot API 10.0: polls in channels are anonymous."""

CHANNEL = "channel"


@dataclass(frozen=True, slots=True)
class Poll:
    """What a native quiz poll says. Its options are the item's, in the order shown."""

    question: str
    options: tuple[str, ...]
    right: tuple[int, ...]
    """Places of the right options, rising."""
    several: bool
    revoting: bool
    """Whether a vote may be changed."""
    hidden: bool
    """Whether results stay hidden until the poll closes."""
    explanation: str = ""
    description: Text | None = None
    """Code of the stem, shown above the question."""
    anonymous: bool = False
    """Nobody learns who voted, so nobody is scored."""
    closes_at: datetime | None = None
    """When it closes itself, UTC, if that is settled already."""
    open_s: int | None = None
    """For how many seconds it is open, counted from sending. At most one of the two is given."""

    def parameters(self, now: datetime) -> dict[str, Any]:
        """What sendPoll is told. No parse mode anywhere, so nothing can be taken for markup.

        Source: Telegram Bot API 10.0, sendPoll.

        Args:
            now: When it is sent, UTC: its time begins then.
        """
        given: dict[str, Any] = {
            "question": self.question,
            "options": [{"text": option} for option in self.options],
            "type": "quiz",
            "is_anonymous": self.anonymous,
            "correct_option_ids": list(self.right),
            "allows_multiple_answers": self.several,
            "allows_revoting": self.revoting,
            "hide_results_until_closes": self.hidden,
            "protect_content": True,
        }
        if self.explanation:
            given["explanation"] = self.explanation
        if self.description is not None:
            given["description"] = self.description.characters
            given["description_entities"] = [entity.to_dict() for entity in self.description.entities]
        closes_at = self.closes_at if self.open_s is None else now + timedelta(seconds=self.open_s)
        if closes_at is not None:
            given["close_date"] = int(closes_at.timestamp())
        return given


def plan_rendering(
    session: Session,
    position: int,
    entry: Entry,
    languages: Sequence[Language],
    *,
    chat: str,
    wanted: bool,
    at: datetime,
) -> Poll | None:
    """Whether a question of a session for many becomes a poll.

    Args:
        session: For many.
        position: Which item of its plan.
        entry: The item.
        languages: The session's; two of them never fit a poll.
        chat: Telegram's type of the chat.
        wanted: Whether the place wants polls.
        at: Now, UTC.

    Returns:
        The poll; None for buttons.
    """
    planned, item = session.plan[position], entry.item
    if not wanted or chat not in (*GROUPS, CHANNEL) or len(languages) != 1:
        return None
    if item.kind not in (Kind.SINGLE, Kind.MULTIPLE) or session.policy.answerers is Answerers.JOINED:
        return None  # Telegram lets everybody vote, and we could tell nobody that it does not count
    limit = session.policy.item_limit_s
    closes_at = session.deadline if position == session.position else None
    if limit is not None and not OPEN[0] <= (closes_at - at if closes_at else timedelta(seconds=limit)) <= OPEN[1]:
        return None
    words = entry.words.get(languages[0].tag)
    if words is None or words.image is not None:
        return None
    question, description = _stem(words.stem, session, position)
    options = tuple(plain(words.options[option].text) for option in planned.options)
    if question is None or not _fit(options):
        return None
    hidden = session.policy.feedback is not Feedback.AT_ONCE
    return Poll(
        question=question,
        options=options,
        right=_places(planned, entry),
        several=item.kind is Kind.MULTIPLE,
        revoting=session.policy.change is Change.UNTIL_REVEAL,
        hidden=hidden,
        explanation=explanation(words),
        description=description,
        anonymous=chat == CHANNEL,
        closes_at=closes_at,
        open_s=None if closes_at is not None else limit,
    )


def _stem(stem: Rich, session: Session, position: int) -> tuple[str | None, Text | None]:
    """The question in plain words and its code apart; None if it does not fit or has something else."""
    if any(isinstance(block, Picture) for block in stem):
        return None, None
    asked = "\n".join(plain((block,)) for block in stem if isinstance(block, Paragraph))
    if len(session.plan) > 1:
        asked = f"[{position + 1}/{len(session.plan)}] {asked}"
    codes = [block for block in stem if isinstance(block, Code)]
    if not asked.strip() or len(asked) > QUESTION or "\n\n" in asked:
        return None, None
    if not codes:
        return asked, None
    (description, *_) = texts(Message(body=tuple(codes)))
    return (asked, description) if len(description.characters) <= DESCRIPTION else (None, None)


def _fit(options: Sequence[str]) -> bool:
    """Whether every option can be told from the others as Telegram shows it: short enough and on one line."""
    return all(0 < len(option.strip()) <= OPTION and "\n" not in option for option in options)


def _places(planned: Planned, entry: Entry) -> tuple[int, ...]:
    return tuple(i for i, option in enumerate(planned.options) if option in entry.item.key)


def explanation(words: Words) -> str:
    """What a poll explains: the brief, else the first sentence of the explanation if it fits, else nothing."""
    if words.brief and len(words.brief) <= EXPLANATION and words.brief.count("\n") <= EXPLANATION_FEEDS:
        return words.brief
    said = plain(words.explanation)
    sentence = re.match(r".+?[.!?…](?=\s|$)", said, re.DOTALL)
    first = sentence[0] if sentence else said
    return first if len(first) <= EXPLANATION and first.count("\n") <= EXPLANATION_FEEDS else ""


def chosen(planned: Planned, places: Sequence[int]) -> tuple[str, ...] | None:
    """The options of a vote by their ids.

    Returns:
        None if a place is none of the poll's: the vote is not for it.
    """
    if any(not 0 <= place < len(planned.options) for place in places):
        return None
    return tuple(planned.options[place] for place in sorted(places))
