"""What goes wrong between Telegram and us, and on our disk: nobody is left without an answer, nothing counts twice."""

from __future__ import annotations

import asyncio
import itertools
import logging
from pathlib import Path

import pytest
from telegram.error import InvalidToken

from bot.chats.telegram import TelegramBot, TwoPollersError
from bot.store import PostState, Tx
from tests.far_ends.telegram import ApiError, FarEnd, Person
from tests.far_ends.telegram.fixtures import far_end  # noqa: F401
from tests.telegram.desk import Desk, Pauses, button, desk

pytestmark = pytest.mark.filterwarnings("ignore:.*retry_after:telegram.warnings.PTBDeprecationWarning")

EDIT, SEND, ANSWER = "editMessageText", "sendMessage", "answerCallbackQuery"


def questions(one: Desk, person: Person, number: int) -> int:
    """How many messages show the question with a number."""
    return sum(m.words.startswith(f"Question {number} of") for m in one.far_end.messages(person))


async def posts(one: Desk, state: PostState) -> int:
    return len(await one.read(lambda tx: tx.posts.in_state(state)))


# Telegram refuses or does not answer


async def test_a_chat_that_has_to_wait_holds_up_nobody_else(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    pauses = Pauses()
    async with desk(far_end, tmp_path, sleep=pauses) as one:
        a, b = far_end.person("A"), far_end.person("B")
        await one.begins(a, b)
        far_end.faults.flood(SEND, chat_id=a.id, retry_after_s=30)
        one.tap(a, "D")
        one.tap(a, ":h")
        waiting = one.tap(a, ":k")
        a.sends("/help")
        await pauses.begun.wait()
        await one.presses(b, "D")
        await one.presses(b, ":n")
        assert questions(one, b, 2) == 1
        assert waiting.is_answered
        assert "/quiz" not in far_end.last(a).words
        pauses.over.set()
        await one.settled(a)
        assert pauses.asked == [30.0]
        assert "/quiz" in far_end.last(a).words


async def test_a_question_that_may_have_arrived_is_sent_again_only_on_demand(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.begins(a)
        await one.presses(a, "D")
        far_end.faults.server_error(SEND)
        await one.presses(a, ":n")
        assert questions(one, a, 2) == 0
        assert far_end.last(a).buttons == ["Send again"]
        await one.bot.tick()
        await one.presses(a, "Send again")
        assert questions(one, a, 2) == 1
        assert [m.buttons for m in far_end.messages(a) if "connection broke" in m.words] == [[]]
        await one.presses(a, "B")
        assert [attempt.grade for attempt in await one.attempts(a)] == [1, 1]


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_tap_proves_that_a_question_has_arrived(far_end: FarEnd, tmp_path: Path, restarted: bool) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.begins(a)
        await one.presses(a, "D")
        far_end.faults.reset_after(SEND)
        await one.presses(a, ":n")
        assert questions(one, a, 2) == 1
        assert await posts(one, PostState.UNCERTAIN) == 1
        if restarted:
            await one.restart()
        await one.presses(a, "B")
        assert await posts(one, PostState.UNCERTAIN) == 0
        query = await one.presses(a, "Send again")
        assert query.toast == "The message has arrived in the meantime."
        assert questions(one, a, 2) == 1
        assert len(await one.attempts(a)) == 2


async def test_what_was_leaving_when_the_program_ended_is_offered_once(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.begins(a)
        await one.presses(a, "D")
        await one.presses(a, ":n")

        def still_sending(tx: Tx) -> None:
            post = tx.posts.demand(1, "summary", far_end.clock.today(), session="s3", position=1)
            tx.posts.sending(post.id)

        await one.read(still_sending)
        for _ in range(2):
            await one.restart()
            await one.settled(a)
        assert sum("Send again" in message.buttons for message in far_end.messages(a)) == 1


@pytest.mark.parametrize("lost", ["before", "after"])
async def test_an_edit_whose_reply_is_lost_is_repeated_and_shown_once(
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
    lost: str,
) -> None:
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.begins(a)
        (far_end.faults.reset_before if lost == "before" else far_end.faults.reset_after)(EDIT)
        await one.presses(a, "D")
        assert "Right." in far_end.last(a).words
        assert sum("Right." in h.message.words for h in far_end.world.history if h.kind == "edited" and h.message) == 1


async def test_typed_feedback_that_may_be_lost_is_shown_in_the_question(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.begins(a)
        question = far_end.last(a)
        far_end.faults.reset_before(SEND)
        await one.types(a, "d")
        assert "Right." in question.words
        await one.presses(a, ":n")
        assert questions(one, a, 2) == 1


@pytest.mark.parametrize(
    ("method", "error"),
    [
        (ANSWER, "query is too old and response timeout expired or query ID is invalid"),
        (EDIT, "message is not modified: specified new message content and reply markup are exactly the same"),
        (EDIT, "message to edit not found"),
    ],
)
async def test_what_is_as_good_as_done_is_no_error(
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    method: str,
    error: str,
) -> None:
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.begins(a)
        far_end.faults.refuse(method, ApiError(400, f"Bad Request: {error}"))
        await one.presses(a, "D")
        assert len(await one.attempts(a)) == 1
        assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_a_refused_style_does_not_cost_the_question(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.types(a, "/start")
        far_end.faults.refuse(SEND, ApiError(400, "Bad Request: can't parse entities"))
        await one.presses(a, "1/begin")
        assert questions(one, a, 1) == 1


async def test_a_chat_that_has_become_another_one_breaks_nothing(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.begins(a)
        await one.presses(a, "D")
        far_end.faults.refuse(SEND, ApiError(400, "Bad Request: group chat was upgraded", migrate_to_chat_id=-100500))
        await one.presses(a, ":n")
        assert questions(one, a, 2) == 0
        await one.types(a, "/resume")
        assert questions(one, a, 2) == 1


async def test_who_blocks_us_is_left_alone_and_welcome_back(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a, b = far_end.person("A"), far_end.person("B")
        await one.begins(a, b)
        one.tap(a, "D")
        a.blocks()
        blocked = far_end.updates.kept[-1].update["update_id"]
        await one.presses(b, "D")
        await one.handled(blocked)
        place = await one.read(lambda tx: tx.place(1))
        assert place is not None
        assert place.unreachable_at is not None
        await one.restart(after_s=3600)
        await one.types(a, "/start")
        assert "unfinished" in far_end.last(a).words
        await one.presses(a, "1/go")
        assert "Right." in far_end.last(a).words
        place = await one.read(lambda tx: tx.place(1))
        assert place is not None
        assert place.unreachable_at is None


async def test_one_slow_line_holds_up_nobody_else(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a, b = far_end.person("A"), far_end.person("B")
        await one.begins(a, b)
        held = far_end.faults.hold(EDIT, chat_id=a.id)
        late = one.tap(a, ":h")
        one.tap(a, "D")
        await one.presses(b, "D")
        await one.presses(b, ":n")
        assert questions(one, b, 2) == 1
        held.release()
        await one.settled(a)
        assert late.is_answered
        assert "Right." in far_end.last(a).words


# Updates


async def test_an_update_that_comes_twice_counts_once(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.begins(a)
        far_end.updates.duplicate(3)
        await one.types(a, "d")
        await one.presses(a, ":n")
        assert questions(one, a, 2) == 1
        assert len(await one.attempts(a)) == 1


@pytest.mark.parametrize("restarted", [False, True])
async def test_an_old_letter_that_is_delivered_again_does_not_answer_the_next_question(
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
    restarted: bool,
) -> None:
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.begins(a)
        a.sends("d")
        letter = far_end.updates.kept[-1].update
        await one.settled(a)
        await one.presses(a, ":n")
        if restarted:
            await one.restart()
        far_end.updates.redeliver(letter)
        await one.settled(a)
        assert len(await one.attempts(a)) == 1


async def test_what_reaches_us_in_the_wrong_order_is_answered(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.begins(a)
        with far_end.updates.reordered():
            first, second = one.tap(a, "A"), one.tap(a, "D")
        await one.settled(a)
        assert (first.toast, second.toast) == ("Already recorded: D.", "")
        assert [attempt.grade for attempt in await one.attempts(a)] == [1]


POISON = [
    {"message": 5},
    {"message": {"from": 5, "chat": "x"}},
    {"message": {"message_id": 1, "date": 1, "chat": {"id": 1, "type": "private"}}},
    {"callback_query": {"id": "1", "from": {"id": "no number"}, "data": "1/list"}},
    {"callback_query": {"id": "1", "from": None}},
    {"poll": {"id": "1"}},
    {"poll_answer": {}},
    {"channel_post": {"chat": {}}},
    {"what": {"is": "this"}},
    {},
]


async def test_poison_is_put_aside_and_everything_else_goes_on(
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        poison = far_end.updates.poison()
        numbers = [far_end.updates.inject(update) for update in POISON]
        await one.begins(a)
        for number in (poison, *numbers):
            await one.handled(number)
        aside = [update.update_id for update, _ in await one.read(lambda tx: tx.inbox.quarantined())]
        assert poison not in aside  # it is none for us: polls are read without the library
        assert numbers[0] in aside
        assert questions(one, a, 1) == 1
        assert f"during update {numbers[0]}" in caplog.text


async def test_half_a_character_and_a_number_without_end_stop_nobody(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    pauses = Pauses()
    pauses.over.set()
    async with desk(far_end, tmp_path, sleep=pauses) as one:
        a = far_end.person("A")
        await one.begins(a)
        half = (
            b'{"update_id": 5, "message": {"message_id": 9, "date": 1, "chat": {"id": %d, "type": "private"}, '
            b'"from": {"id": %d, "is_bot": false, "first_name": "\\ud83d"}, "text": "\\ud83d"}}' % (a.id, a.id)
        )
        far_end.updates.raw_answers += [
            b"no JSON",
            b'{"ok": true, "result": 5}',
            b'{"ok": true, "result": [5, {"update_id": "x"}, {"update_id": 1%s}]}' % (b"0" * 40),
            b'{"ok": true, "result": [%s]}' % half,
        ]
        await one.types(a, "d")
        assert "Right." in far_end.last(a).words
        await one.until(lambda: "Press a button" in far_end.last(a).words)
        assert far_end.updates.raw_answers == []


async def test_what_is_no_text_is_answered(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("А", language_code="ru")
        await one.types(a, "/start")
        sender = {"id": a.id, "is_bot": False, "first_name": "А", "language_code": "ru"}
        sticker = {
            "file_id": "x", "file_unique_id": "x", "type": "regular", "width": 1, "height": 1,
            "is_animated": False, "is_video": False,
        }  # fmt: skip
        chat = {"id": a.id, "type": "private"}
        far_end.updates.inject(
            {"message": {"message_id": 9, "date": 1, "chat": chat, "from": sender, "sticker": sticker}}
        )
        await one.until(lambda: "Я понимаю только" in far_end.last(a).words)


async def test_an_edited_message_and_one_of_a_channel_do_nothing(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.begins(a)
        message = await one.types(a, "x")
        said = len(far_end.messages(a))
        a.edits(message, "d")
        a.sends("D", far_end.channel("C", a))
        await one.settled(a)
        assert len(far_end.messages(a)) == said
        assert await one.attempts(a) == []


# Pressing


async def test_somebody_who_presses_wildly_is_answered_and_costs_one_edit(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.begins(a)
        question, data = button(far_end, a, "D")
        taps = [a.taps(question, data, gone=True) for _ in range(100)]
        await one.settled(a)
        assert {tap.toast for tap in taps[1:]} == {"Already recorded: D."}
        assert all(tap.is_answered for tap in taps)
        assert len(far_end.calls(EDIT)) == 2  # the menu and the question
        assert len(await one.attempts(a)) == 1


async def test_case_56_three_presses_at_once_count_once_two_hundred_times(tmp_path: Path) -> None:
    async with FarEnd(checks=False) as quick, desk(quick, tmp_path) as one:
        people = [quick.person(f"A{number}") for number in range(25)]
        for person in people:
            person.sends("/start")
        await one.settled(*people)
        for person in people:
            one.tap(person, "1/begin")
        await one.settled(*people)
        for number, right in enumerate("DBCABCAD", 1):
            taps = []
            for person in people:
                question, data = button(quick, person, right)
                _, other = button(quick, person, "A" if right != "A" else "B")
                taps += [[person.taps(question, d, gone=True) for d in (data, data, other)]]
            await one.settled(*people)
            for first, *others in taps:
                assert first.toast == ""
                assert all(tap.is_answered for tap in others)
                # A press whose commit takes more than a second is answered without words.
                assert {tap.toast for tap in others} <= {"", f"Already recorded: {right}."}
            for person in people:
                one.tap(person, ":n")
            await one.settled(*people)
            assert all(questions(one, person, number + 1) == (number < 8) for person in people)
        for person in people:
            assert "8 points out of 8" in quick.last(person).words
            assert [attempt.revision for attempt in await one.attempts(person)] == [0] * 8


# Two programs, wrong tokens


async def test_a_second_poller_is_named_and_there_is_no_fight(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    pauses = Pauses()
    pauses.over.set()
    conflict = ApiError(409, "Conflict: terminated by other getUpdates request")
    async with desk(far_end, tmp_path, sleep=pauses) as one:
        await one.settled(far_end_person := _started(far_end))
        far_end.faults.refuse("getUpdates", conflict, times=None)
        far_end_person.sends("/help")
        await asyncio.wait({one.task})
        assert isinstance(one.task.exception(), TwoPollersError)
        far_end.faults.clear()
        one.task = asyncio.create_task(one.bot.run())
        await one.settled(far_end_person)


def _started(far_end: FarEnd) -> Person:  # noqa: F811
    person = far_end.person("A")
    person.sends("/start")
    return person


async def test_an_unknown_token_is_an_error_at_once(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        other = TelegramBot(one.context, "123456:wrong-token-of-nobody-000000000", api=far_end.url)
        with pytest.raises(InvalidToken):
            await other.run()


# The disk


async def test_who_presses_while_the_disk_is_full_is_told_and_counted_later(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    pauses = Pauses()
    async with desk(far_end, tmp_path, sleep=pauses) as one:
        a = far_end.person("A")
        await one.begins(a)
        one.store.moods = itertools.repeat(True)
        tap = one.tap(a, "D")
        await one.until(lambda: tap.is_answered)
        assert "cannot save anything" in tap.toast
        one.store.moods = itertools.repeat(False)
        pauses.over.set()
        await one.settled(a)
        assert "Right." in far_end.last(a).words
        assert len(await one.attempts(a)) == 1


async def test_a_disk_that_is_full_only_at_the_answer_loses_nothing(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    pauses = Pauses()
    async with desk(far_end, tmp_path, sleep=pauses) as one:
        a = far_end.person("А", language_code="ru")
        await one.begins(a)
        one.store.moods = itertools.chain([False], [True] * 2, itertools.repeat(False))
        tap = one.tap(a, "D")
        await one.until(lambda: tap.is_answered)
        assert tap.toast.startswith("Сейчас я ничего не могу сохранить")
        pauses.over.set()
        await one.settled(a)
        assert "Верно." in far_end.last(a).words
        assert len(await one.attempts(a)) == 1


async def test_who_types_while_the_disk_is_full_is_told_once(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    pauses = Pauses()
    async with desk(far_end, tmp_path, sleep=pauses) as one:
        a = far_end.person("A")
        await one.begins(a)
        one.store.moods = itertools.chain([True] * 3, itertools.repeat(False))
        a.sends("d")
        await one.until(lambda: "cannot save anything" in far_end.last(a).words)
        pauses.over.set()
        await one.until(lambda: "Right." in far_end.last(a).words)
        assert sum("cannot save anything" in message.words for message in far_end.messages(a)) == 1


async def test_a_question_whose_post_could_not_be_marked_leaves_later(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.begins(a)
        await one.presses(a, "D")
        one.store.moods = itertools.chain([False, False, True], itertools.repeat(False))
        await one.presses(a, ":n")
        assert questions(one, a, 2) == 0
        far_end.clock.advance(60)
        await one.bot.tick()
        await one.settled(a)
        assert questions(one, a, 2) == 1


# Bugs of ours


async def test_a_bug_costs_one_update_and_is_told_with_its_number(
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with desk(far_end, tmp_path) as one:
        a = far_end.person("A")
        await one.begins(a)

        def break_it(tx: Tx) -> None:
            tx._sql.write("UPDATE sessions SET plan = 'no plan'")

        await one.read(break_it)
        tap = one.tap(a, "D")
        await one.until(lambda: tap.is_answered)
        number = tap.toast.rpartition(" ")[2]
        assert "Something went wrong" in tap.toast
        assert f"incident {number}" in caplog.text
        assert len(await one.read(lambda tx: tx.inbox.quarantined())) == 1
        await one.types(a, "/help")
        assert "/quiz" in far_end.last(a).words


# Secrets


async def test_the_token_is_in_no_log_and_no_traceback(
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    pauses = Pauses()
    pauses.over.set()
    async with desk(far_end, tmp_path, sleep=pauses) as one:
        a = far_end.person("A")
        far_end.faults.reset_before("getUpdates")
        far_end.faults.server_error(SEND)
        await one.types(a, "/start")
        far_end.faults.reset_after(EDIT, times=8)
        await one.types(a, "/start")
        await one.presses(a, "1/begin")
        far_end.updates.poison()
        await one.presses(a, "D")
    secret = far_end.token.partition(":")[2]
    said = [logging.Formatter("%(name)s %(message)s").format(record) for record in caplog.records]
    assert len(said) > 20
    assert [words for words in said if secret in words] == []
    assert [record for record in caplog.records if secret in str(record.__dict__)] == []
