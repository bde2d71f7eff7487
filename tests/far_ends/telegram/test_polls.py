"""Polls: limits, votes, closing."""

from typing import Any

import pytest
import telegram
from telegram.error import BadRequest

from .actors import NotPossible, Person
from .far_end import FarEnd
from .world import CHANNEL_BOT_ID

# The server still sends `correct_option_id`, and python-telegram-bot 22.8 warns of it when it reads a poll.
pytestmark = pytest.mark.filterwarnings("ignore:.*correct_option_id:telegram.warnings.PTBDeprecationWarning")


@pytest.fixture
def a(far_end: FarEnd) -> Person:
    person = far_end.person("А")
    person.starts()
    return person


async def refused(call: Any) -> str:
    with pytest.raises(BadRequest) as caught:
        await call
    return str(caught.value).lower()


async def quiz(bot: telegram.Bot, chat_id: int, **more: Any) -> telegram.Message:
    given: dict[str, Any] = {
        "question": "Что выведет код?",
        "options": ["1", "2", "3"],
        "type": "quiz",
        "correct_option_ids": [1],
        "is_anonymous": False,
    }
    return await bot.send_poll(chat_id, **given | more)


async def test_a_quiz_comes_back_with_every_field_that_the_library_needs(bot: telegram.Bot, a: Person) -> None:
    poll = (await quiz(bot, a.id, explanation="Потому что.", description="Длинный код", open_period=600)).poll
    assert poll is not None
    assert (poll.correct_option_ids, poll.allows_revoting, poll.members_only) == ((1,), False, False)
    assert (poll.explanation, poll.description) == ("Потому что.", "Длинный код")
    assert len({option.persistent_id for option in poll.options}) == 3


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"question": "ж" * 301}, "poll question length must not exceed 300"),
        ({"question": "\u200b"}, "text must be non-empty"),
        ({"options": []}, "poll must have at least one answer option"),
        ({"options": [str(number) for number in range(13)]}, "poll can't have more than 12 options"),
        ({"options": ["ж" * 101, "2"]}, "poll options length must not exceed 100"),
        ({"options": ["", "2"]}, "text must be non-empty"),
        ({"options": ["1", "1 "]}, "poll_option_duplicate"),
        ({"correct_option_ids": []}, "correct quiz option list must be non-empty"),
        (
            {"correct_option_ids": [2, 0], "allows_multiple_answers": True},
            "correct quiz option list must be increasing",
        ),
        ({"correct_option_ids": [3]}, "wrong quiz correct_option_id"),
        ({"explanation": "ж" * 201}, "poll explanation is too long"),
        ({"explanation": "1\n2\n3\n4"}, "poll explanation is too long"),
        ({"description": "ж" * 1025}, "message caption is too long"),
        ({"open_period": 4}, "poll_close_date_invalid"),
        ({"open_period": 2_628_001}, "poll_close_date_invalid"),
        ({"members_only": True}, "poll voters can be restricted only in channel chats"),
        ({"type": "exam"}, "unsupported poll type specified"),
    ],
)
async def test_a_poll_out_of_its_limits_is_refused(
    bot: telegram.Bot, a: Person, change: dict[str, Any], refusal: str
) -> None:
    assert await refused(quiz(bot, a.id, **change)) == refusal


async def test_a_poll_at_its_limits_is_sent(bot: telegram.Bot, a: Person) -> None:
    sent = await quiz(
        bot,
        a.id,
        question="🧪" * 300,
        options=[f"{number:02}" + "ж" * 98 for number in range(12)],
        correct_option_ids=[0, 5, 11],
        allows_multiple_answers=True,
        explanation="ж" * 198 + "\nж",
        description="ж" * 1024,
        open_period=2_628_000,
    )
    assert sent.poll is not None
    assert sent.poll.correct_option_ids == (0, 5, 11)


async def test_nothing_but_custom_emoji_is_formatted_in_a_question(bot: telegram.Bot, a: Person) -> None:
    bold = telegram.MessageEntity("bold", 0, 3)
    sent = await quiz(bot, a.id, question_entities=[bold])
    assert sent.poll is not None
    assert sent.poll.question_entities == ()


async def test_a_vote_tells_who_and_what_but_not_where(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    b, c = far_end.person("Б"), far_end.person("В")
    group = far_end.supergroup("Кружок", a, b, c)
    sent = await quiz(bot, group.id)
    b.votes(far_end.last(group), [1])
    c.votes(far_end.last(group), [0])
    with pytest.raises(NotPossible, match="cannot be changed"):
        b.votes(far_end.last(group), [2])
    answers = [update.poll_answer for update in await bot.get_updates() if update.poll_answer]
    assert sent.poll is not None
    assert [(one.user.first_name, one.option_ids) for one in answers if one.user] == [("Б", (1,)), ("В", (0,))]
    assert answers[0].option_persistent_ids == (sent.poll.options[1].persistent_id,)
    assert {one.poll_id for one in answers} == {sent.poll.id}
    states = [update.poll for update in await bot.get_updates() if update.poll]
    assert [state.total_voter_count for state in states] == [1, 2]


async def test_a_vote_taken_back_comes_empty(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    await quiz(bot, a.id, allows_revoting=True, allows_multiple_answers=True, correct_option_ids=[0, 2])
    a.votes(far_end.last(a), [2, 0])
    a.retracts(far_end.last(a))
    answers = [update.poll_answer for update in await bot.get_updates() if update.poll_answer]
    assert [one.option_ids for one in answers] == [(0, 2), ()]
    with pytest.raises(NotPossible, match="nothing to take back"):
        a.retracts(far_end.last(a))


async def test_one_choice_means_one_choice(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    await quiz(bot, a.id)
    for wrong in ([0, 1], [7]):
        with pytest.raises(NotPossible, match="cannot choose"):
            a.votes(far_end.last(a), wrong)


async def test_an_anonymous_poll_tells_no_votes(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    await quiz(bot, a.id, is_anonymous=True)
    a.votes(far_end.last(a), [1])
    assert not [update for update in await bot.get_updates() if update.poll_answer]


async def test_an_anonymous_administrator_votes_as_the_group(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    group = far_end.supergroup("Кружок", far_end.person("Б"), a)
    group.makes_admin(a, anonymous=True)
    await quiz(bot, group.id)
    a.votes(far_end.last(group), [1], anonymously=True)
    (answer,) = [update.poll_answer for update in await bot.get_updates() if update.poll_answer]
    assert answer.voter_chat is not None
    assert answer.user is not None
    assert (answer.voter_chat.id, answer.user.id) == (group.id, CHANNEL_BOT_ID)


async def test_a_channel_takes_only_anonymous_polls(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    channel = far_end.channel("Новости", a)
    assert await refused(quiz(bot, channel.id)) == "non-anonymous polls can't be sent to channel chats"
    await quiz(bot, channel.id, is_anonymous=True, members_only=True)


async def test_a_poll_is_stopped_once(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    sent = await quiz(bot, a.id)
    a.votes(far_end.last(a), [1])
    poll = await bot.stop_poll(a.id, sent.message_id)
    assert (poll.is_closed, poll.options[1].voter_count) == (True, 1)
    assert await refused(bot.stop_poll(a.id, sent.message_id)) == "poll has already been closed"
    with pytest.raises(NotPossible, match="closed"):
        a.votes(far_end.last(a), [1])
    states = [update.poll for update in await bot.get_updates() if update.poll]
    assert states[-1].is_closed
    text = await bot.send_message(a.id, "не опрос")
    assert await refused(bot.stop_poll(a.id, text.message_id)) == "message is not a poll"
    assert await refused(bot.stop_poll(a.id, 999)) == "message with poll to stop not found"


async def test_a_poll_closes_itself_without_a_word(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    b = far_end.person("Б")
    group = far_end.group("Кружок", a, b)
    await quiz(bot, group.id, open_period=60)
    far_end.clock.advance(59)
    a.votes(far_end.last(group), [0])
    before = len(await bot.get_updates())
    far_end.clock.advance(1)
    with pytest.raises(NotPossible, match="closed"):
        b.votes(far_end.last(group), [0])
    assert len(await bot.get_updates()) == before


async def test_hidden_results_show_when_it_closes(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    sent = await quiz(bot, a.id, hide_results_until_closes=True)
    a.votes(far_end.last(a), [1])
    states = [update.poll for update in await bot.get_updates() if update.poll]
    assert states[-1].options[1].voter_count == 0
    assert (await bot.stop_poll(a.id, sent.message_id)).options[1].voter_count == 1
