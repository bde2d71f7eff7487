"""What became of a call: why there is no message, and what a refusal of Telegram means."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from enum import Enum

from telegram.error import BadRequest

log = logging.getLogger(__name__)

_AS_GOOD_AS_DONE = (
    "message is not modified",
    "query is too old",
    "query id is invalid",
    "message to edit not found",
    "message can't be edited",
    "message to delete not found",
    "message to pin not found",
    "message to unpin not found",
    "message can't be deleted",
    "poll has already been closed",
    "message with poll to stop not found",
    "message is not a poll",
    "poll can't be stopped",
    "message_id_invalid",
)
"""Refusals after which nothing is left to do. Source: tdlib/telegram-bot-api, Client.cpp."""

_NOBODY_THERE = ("chat not found", "peer_id_invalid", "user not found", "group chat was upgraded")

_NO_RIGHTS = ("not enough rights", "need administrator rights", "have no rights to send", "chat_write_forbidden")

_NO_TOPIC = ("message thread not found", "topic_deleted", "topic_id_invalid")


class Lost(Enum):
    """Why there is no message."""

    NOT_SENT = "not_sent"
    """It surely did not leave, however often it was tried."""
    UNCERTAIN = "uncertain"
    """It may have arrived."""
    UNREACHABLE = "unreachable"
    """The person blocked us, or the chat is no more."""
    NO_RIGHTS = "no_rights"
    """We may not do that in this group or channel."""
    NO_TOPIC = "no_topic"
    """The topic is no more."""
    TOPIC_CLOSED = "topic_closed"
    REFUSED = "refused"
    """Telegram will not have it; the log says why."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The chat has become another one."""

    chat: int


@dataclass(frozen=True, slots=True)
class Polled:
    """A poll that was sent."""

    message: int
    poll: str


def refused(error: BadRequest, chat: int | None) -> Lost | None:
    """What a refusal means; None if nothing is left to do."""
    text = error.message.casefold()
    if any(known in text for known in _AS_GOOD_AS_DONE):
        return None
    for outcome, words in (
        (Lost.NO_RIGHTS, _NO_RIGHTS),
        (Lost.NO_TOPIC, _NO_TOPIC),
        (Lost.TOPIC_CLOSED, ("topic_closed",)),
    ):
        if any(known in text for known in words):
            log.info("chat %s cannot be written to: %s", chat, error.message)
            return outcome
    if any(known in text for known in _NOBODY_THERE):
        log.info("chat %s cannot be reached: %s", chat, error.message)
        return Lost.UNREACHABLE
    log.error("telegram refused a call for chat %s: %s", chat, error.message)
    return Lost.REFUSED
