"""Polls: what may be asked, who voted, when they close.

Source: Bot API 10.0, sendPoll; Client.cpp, `process_send_poll_query`; TDLib MessageContent.cpp, PollManager.cpp and
PollOption.cpp. Stricter than the server where it silently prefers one field: `open_period` with `close_date`.
The texts for explanation, description and dates out of range are unverified.
"""

import hashlib
import itertools
from typing import Any

from . import keyboards, limits, shapes
from .call import Call
from .errors import bad_request
from .messages import send
from .text import Formatted, formatted
from .world import Message, Poll, World


def send_poll(world: World, call: Call) -> dict[str, Any]:
    question = _plain(call.formatted("question", "question_entities", "question_parse_mode"), limits.QUESTION)
    if len(question.text) > limits.QUESTION:
        raise bad_request(f"Poll question length must not exceed {limits.QUESTION}")
    options = _options(call)
    kind = call.text("type") or "regular"
    if kind not in {"quiz", "regular"}:
        raise bad_request("Unsupported poll type specified")
    is_quiz = kind == "quiz"
    correct = _correct(call, len(options)) if is_quiz else []
    explanation = _explanation(call) if is_quiz else Formatted()
    description = call.formatted("description", "description_entities", "description_parse_mode")
    if len(description.text) > limits.DESCRIPTION:
        raise bad_request("Message caption is too long")
    anonymous = call.flag("is_anonymous", True)
    chat = world.find_chat(call.fields.get("chat_id"))
    world.check_access(chat, write=True)
    if chat.kind == "channel" and not anonymous:
        raise bad_request("non-anonymous polls can't be sent to channel chats")
    if chat.kind != "channel" and (call.flag("members_only") or call.fields.get("country_codes")):
        raise bad_request("Poll voters can be restricted only in channel chats")
    open_period, close_date = _closing(world, call)
    number = world.serial("poll")
    poll = Poll(
        number,
        question,
        options,
        [hashlib.sha256(f"{number}/{index}".encode()).hexdigest()[:8] for index in range(len(options))],
        is_quiz,
        correct,
        anonymous,
        multiple=call.flag("allows_multiple_answers"),
        revoting=call.flag("allows_revoting", not is_quiz),
        members_only=call.flag("members_only"),
        explanation=explanation,
        description=description,
        country_codes=call.fields.get("country_codes") or [],
        open_period=open_period,
        close_date=close_date,
        hides_results=call.flag("hide_results_until_closes"),
        shuffles=call.flag("shuffle_options"),
        closed=call.flag("is_closed"),
    )
    sent = send(world, call, keyboards.parsed(call.fields.get("reply_markup")), poll=poll)
    world.polls[poll.id] = poll
    world.poll_messages[poll.id] = chat.messages[sent["message_id"]]
    if close_date:
        world.clock.at(close_date, lambda: _close(poll))
    return sent


def _close(poll: Poll) -> None:
    """Time is up. No update: nobody may rely on one."""
    poll.closed = True


def _plain(text: Formatted, limit: int) -> Formatted:
    """A text in which only custom emoji may be formatted.

    Raises:
        ApiError: It shows nothing.
    """
    if not text.text:
        raise bad_request("Text must be non-empty")
    return Formatted(text.text, [entity for entity in text.entities if entity["type"] == "custom_emoji"])


def _options(call: Call) -> list[Formatted]:
    given = call.fields.get("options")
    if not isinstance(given, list):
        raise bad_request("Expected an Array of String as options")
    options = []
    for option in given:
        if isinstance(option, str):
            option = {"text": option}
        if not isinstance(option, dict) or not isinstance(option.get("text"), str):
            raise bad_request("Expected an option to be of type String")
        text = formatted(option["text"], option.get("text_entities"), option.get("text_parse_mode") or "")
        options.append(_plain(text, limits.OPTION))
        if len(text.text) > limits.OPTION:
            raise bad_request(f"Poll options length must not exceed {limits.OPTION}")
    if not options:
        raise bad_request("Poll must have at least one answer option")
    if len(options) > limits.OPTIONS:
        raise bad_request(f"Poll can't have more than {limits.OPTIONS} options")
    if len({option.text for option in options}) < len(options):
        raise bad_request("POLL_OPTION_DUPLICATE")
    return options


def _correct(call: Call, options: int) -> list[int]:
    given = call.fields.get("correct_option_ids")
    if given is None and call.fields.get("correct_option_id") is not None:
        given = [call.number("correct_option_id", -1)]
    if not given:
        raise bad_request("Correct quiz option list must be non-empty")
    if not isinstance(given, list):
        raise bad_request("Expected an Array of correct option identifiers")
    if not all(isinstance(index, int) for index in given):
        raise bad_request("Correct option identifier must be of type Number")
    if any(one >= other for one, other in itertools.pairwise(given)):
        raise bad_request("Correct quiz option list must be increasing")
    if any(not 0 <= index < options for index in given):
        raise bad_request("Wrong quiz correct_option_id")
    if len(given) > 1 and not call.flag("allows_multiple_answers"):
        raise bad_request("QUIZ_CORRECT_ANSWERS_TOO_MUCH")
    return given


def _explanation(call: Call) -> Formatted:
    explanation = call.formatted("explanation", "explanation_entities", "explanation_parse_mode")
    if len(explanation.text) > limits.EXPLANATION or explanation.text.count("\n") > limits.EXPLANATION_LINE_FEEDS:
        raise bad_request("Poll explanation is too long")
    return explanation


def _closing(world: World, call: Call) -> tuple[int | None, int | None]:
    open_period, close_date = call.number("open_period"), call.number("close_date")
    if open_period and close_date:
        raise bad_request("open_period and close_date can't be used together")
    shortest, longest = limits.OPEN_PERIOD_S
    seconds = open_period or (close_date - world.now() if close_date else 0)
    if (open_period or close_date) and not shortest <= seconds <= longest:
        raise bad_request("POLL_CLOSE_DATE_INVALID")
    if open_period:
        return open_period, world.now() + open_period
    return None, close_date or None


def stop_poll(world: World, call: Call) -> dict[str, Any]:
    markup = keyboards.parsed(call.fields.get("reply_markup"), inline_only=True)
    chat = world.find_chat(call.fields.get("chat_id"))
    world.check_access(chat, write=True)
    message: Message = world.find_message(chat, call.number("message_id"), "message with poll to stop")
    poll = message.poll
    if poll is None:
        raise bad_request("Message is not a poll")
    if message.sender is not world.bot and message.sender_chat is not chat:
        raise bad_request("Poll can't be stopped")
    if poll.closed:
        raise bad_request("poll has already been closed")
    keyboards.check_sizes(markup)
    poll.closed = True
    message.markup = markup
    world.note(chat, "stopped", world.bot, message)
    tell(world, poll)
    return shapes.poll(poll)


def tell(world: World, poll: Poll) -> None:
    """Send the state of a poll of the bot's own."""
    world.updates.add("poll", shapes.poll(poll), life_s=limits.UPDATE_LIFE_S, queue=f"poll {poll.id}")
