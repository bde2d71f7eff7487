"""Votes become answers: of whom, where, once, and however late we come to them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import time
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.bank import Bank, load
from bot.quiz import Attempt, Phase, Session
from bot.store import Daily, Tx
from bot.tutor.daily import keep, post_now
from tests.far_ends.telegram import ApiError, FarEnd, Message, Person
from tests.telegram_groups.days import Days, Gathering, days


@cache
def cities() -> Bank:
    """A bank of four items, of which one fits no poll in Russian."""
    return load(Path(__file__).parent / "bank")


HOST, TIMED = "5.h.o.c", "5.30.o.c"

NO_POLLS = ApiError(400, "Bad Request: not enough rights to send polls to the chat")


@asynccontextmanager
async def circle(
    tmp_path: Path, *, options: str = HOST, kind: str = "supergroup"
) -> AsyncIterator[tuple[Gathering, list[Person]]]:
    """A group of three in which the first has begun a quiz; its first question is on its way or there."""
    async with FarEnd() as far_end, days(far_end, tmp_path, cities(), polls=True) as desk:
        people = [far_end.person(name, language_code="ru") for name in ("А", "Б", "В")]
        g = Gathering(desk)
        if kind == "supergroup":
            g.add(far_end, "Кружок", *people)
        else:
            g.place = far_end.group("Кружок", *people)
        await desk.calm()
        await g.says(people[0], "/quiz")
        await g.taps(people[0], "1/g/")
        if options == TIMED:
            await g.taps(people[0], f"1/g/1/cities/{TIMED}")
        yield g, people
        assert await desk.read(lambda tx: tx.inbox.quarantined()) == []
    far_end.assert_clean()


async def begun(g: Gathering, host: Person) -> Message:
    """The first question, sent."""
    await g.taps(host, "1/gb/")
    return g.desk.far_end.last(g.place)


async def attempts(desk: Days, person: Person) -> list[tuple[str, int, tuple[str, ...]]]:
    """What of a person counts: item, position, chosen."""

    def look(tx: Tx) -> list[Attempt]:
        learner = tx.known_learner("telegram", str(person.id))
        return [a for s in sessions(tx) for a in tx.counting_attempts(s.id) if a.learner == learner]

    return [(a.item, a.position, a.response.chosen) for a in await desk.read(look)]


def sessions(tx: Tx) -> list[Session]:
    return [session for n in range(60) if (session := tx.session(f"s{n}")) is not None]


def vote(g: Gathering, voter: Person, poll: str, places: list[int]) -> int:
    """A vote as Telegram would deliver it, from anywhere."""
    user = {"id": voter.id, "is_bot": False, "first_name": voter.user.first_name}
    answer = {"poll_id": poll, "user": user, "option_ids": places, "option_persistent_ids": []}
    return g.desk.far_end.updates.inject({"poll_answer": answer})


def sent(g: Gathering) -> list[dict[str, Any]]:
    return [record.fields for record in g.desk.far_end.calls("sendPoll")]


def texts(g: Gathering, words: str) -> list[Message]:
    return [m for m in g.desk.far_end.messages(g.place) if words in m.words]


def poll_to_come(far_end: FarEnd) -> str:
    """The id that the next poll will have."""
    coming = next(far_end.world._serials)
    far_end.world._serials = count(coming)
    name = far_end.world.serial("poll")
    far_end.world._serials = count(coming)
    return name


async def parked(desk: Days, number: int) -> None:
    """Wait until an update waits in the inbox."""
    while all(row.update_id != number for row in await desk.read(lambda tx: tx.inbox.waiting("telegram"))):
        await desk.bot.tick()


async def taken(desk: Days, number: int) -> None:
    """Let the seconds pass until an update has had its effect."""
    while any(row.update_id == number for row in await desk.read(lambda tx: tx.inbox.waiting("telegram"))):
        await desk.bot.tick()


async def waiting_for_nobody(desk: Days) -> None:
    """Let the seconds pass until nothing waits, neither here nor at Telegram."""
    while await desk.read(lambda tx: tx.inbox.waiting("telegram")) or desk.far_end.updates.pending():
        await desk.bot.tick()


# --- what is sent


async def test_a_host_paced_poll_hides_its_results_and_lets_votes_change_until_the_reveal(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, b, c)):
        poll = await begun(g, a)
        (fields,) = sent(g)
        assert (fields["type"], fields["is_anonymous"], fields["allows_revoting"]) == ("quiz", False, True)
        assert (fields["hide_results_until_closes"], fields["protect_content"]) == (True, True)
        assert "close_date" not in fields
        b.votes(poll, [0])
        await g.look()
        b.votes(poll, [1])
        c.votes(poll, [0])
        await g.look()
        c.retracts(poll)
        await g.look()
        assert not g.desk.far_end.calls("editMessageText")[2:]  # the menu became the announcement; no tally is edited
        await g.taps(a, "Показать ответ")
        assert poll.poll.closed
        assert await attempts(g.desk, b) == [("capital", 0, ("b",))]
        assert await attempts(g.desk, c) == [("capital", 0, ("a",))]  # a vote taken back changes nothing
        (revealed,) = texts(g, "Верных ответов: 1 из 2")
        assert revealed.reply_to == poll.id


async def test_a_timed_poll_closes_by_itself_and_its_answer_is_revealed_once(tmp_path: Path) -> None:
    async with circle(tmp_path, options=TIMED) as (g, (a, b, _)):
        poll = await begun(g, a)
        assert sent(g)[0]["close_date"] == int(g.desk.far_end.clock.now()) + 30
        b.votes(poll, [1])
        await g.look()
        await g.passes(33)
        await g.desk.restart()
        await g.desk.ticks()
        assert poll.poll.closed
        assert len(texts(g, "Верных ответов: 1 из 1")) == 1


async def test_several_right_answers_rise_in_the_order_shown_and_a_vote_is_read_by_option(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, b, _)):
        await begun(g, a)
        await g.says(a, "/skip")
        poll = g.desk.far_end.last(g.place)
        fields = sent(g)[-1]
        assert fields["correct_option_ids"] == sorted(fields["correct_option_ids"])
        assert fields["allows_multiple_answers"]
        words = [option.text for option in poll.poll.options]
        assert [words[place] for place in fields["correct_option_ids"]] == [w for w in words if w in ("Париж", "Рим")]
        b.votes(poll, [words.index("Париж"), words.index("Рим")])
        await g.look()
        ((_, _, chosen),) = await attempts(g.desk, b)
        assert set(chosen) == {"b", "c"}


async def test_polls_and_buttons_mix_in_one_quiz(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, b, _)):
        await begun(g, a)
        await g.says(a, "/skip")
        await g.says(a, "/skip")
        question = g.desk.far_end.last(g.place)
        assert question.poll is None  # one of its options is too long for a poll
        await g.taps(b, "A")
        assert [item for item, _, _ in await attempts(g.desk, b)] == ["long"]
        assert [m.poll.closed for m in g.desk.far_end.messages(g.place) if m.poll] == [True, True]


async def test_where_no_poll_may_be_sent_the_question_has_buttons(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, b, _)):
        g.desk.far_end.faults.refuse("sendPoll", NO_POLLS)
        question = await begun(g, a)
        assert question.poll is None
        await g.taps(b, "B")
        assert await attempts(g.desk, b) == [("capital", 0, ("b",))]


async def test_a_moderator_switches_polls_off_for_the_place(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, *_)):
        await g.taps(a, "1/gp/")
        assert (await begun(g, a)).poll is None


async def test_an_anonymous_poll_in_a_channel_shows_the_answer_and_scores_nobody(tmp_path: Path) -> None:
    async with FarEnd() as far_end, days(far_end, tmp_path, cities(), polls=True) as desk:
        a, b = (far_end.person(name, language_code="ru") for name in ("А", "Б"))
        a.starts()
        await desk.calm()
        channel = far_end.channel("Новости", a)
        await desk.calm()

        def chosen(tx: Tx) -> None:
            now = far_end.clock.today()
            place = tx.place_of("telegram", str(channel.id), at=now)
            tx.set_place(replace(place, locale="ru", settings={"channel": True, "polls": True}))
            daily = _daily(place.id, tx.learner_of("telegram", str(a.id), now))
            post_now(tx, desk.bank, keep(tx, daily, now), now, "s50")

        await desk.read(chosen)
        await desk.ticks()
        poll = far_end.last(channel)
        assert poll.poll.is_anonymous
        b.votes(poll, poll.poll.correct)
        await desk.passes(3603)
        assert poll.poll.closed
        revealed = far_end.last(channel)
        assert revealed.reply_to == poll.id
        assert "Никто не ответил" not in revealed.words
        assert "правильный ответ" in revealed.words
        assert await attempts(desk, b) == []
    far_end.assert_clean()


def _daily(place: int, moderator: int) -> Any:
    return Daily(
        id=0,
        place=place,
        moderator=moderator,
        at=time(9),
        zone="UTC",
        weekdays=frozenset(range(7)),
        quiz="cities",
        locales=("ru",),
        open_s=3600,
        next_item="river",
    )


async def test_the_panel_of_the_daily_question_switches_polls_off(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, *_)):
        await g.says(a, "/daily")
        await g.taps(a, "С кнопками")
        await g.taps(a, "1/daily/1/start")
        await g.taps(a, "1/daily/1/now")
        assert [m for m in g.desk.far_end.messages(g.place) if m.poll] == []


async def test_the_daily_question_is_a_poll_too(tmp_path: Path) -> None:
    async with FarEnd() as far_end, days(far_end, tmp_path, cities(), polls=True) as desk:
        a, b, c = (far_end.person(name, language_code="ru") for name in ("А", "Б", "В"))
        g = Gathering(desk)
        g.add(far_end, "Кружок", a, b, c)
        await desk.calm()
        await g.says(a, "/daily")
        await g.taps(a, "1/daily/1/start")
        await g.taps(a, "1/daily/1/now")
        poll = far_end.last(g.place)
        b.votes(poll, poll.poll.correct)
        await desk.calm()
        await desk.passes(10 * 3600 + 3)
        assert poll.poll.closed
        assert not sent(g)[0]["allows_revoting"]
        assert len(await attempts(desk, b)) == 1
        assert len(texts(g, "Верных ответов: 1 из 1")) == 1
    far_end.assert_clean()


# --- being down, and lost replies


async def test_votes_given_while_it_is_down_count_though_the_time_is_up(tmp_path: Path) -> None:
    async with circle(tmp_path, options=TIMED) as (g, (a, b, c)):
        poll = await begun(g, a)
        await g.desk.stop()
        b.votes(poll, [1])
        g.desk.far_end.clock.advance(300)
        await g.desk.start()
        await g.desk.bot.caught_up()
        await g.desk.ticks()
        assert await attempts(g.desk, b) == [("capital", 0, ("b",))]
        assert len(texts(g, "Верных ответов: 1 из 1")) == 1
        vote(g, c, poll.poll.id, [1])  # arrives after the reveal
        await g.look()
        assert await attempts(g.desk, c) == []


async def test_a_vote_that_overtakes_the_answer_to_send_poll_counts_when_the_poll_is_known(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, b, _)):
        desk = g.desk
        held = desk.far_end.faults.hold("sendPoll")
        g.tap(a, "1/gb/")
        await desk.until(lambda: held.hits)
        number = vote(g, b, poll_to_come(desk.far_end), [1])
        await parked(desk, number)
        assert await attempts(desk, b) == []
        held.release()
        await taken(desk, number)
        assert await attempts(desk, b) == [("capital", 0, ("b",))]


async def test_of_two_parked_votes_of_one_person_the_later_counts(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, b, _)):
        desk = g.desk
        held = desk.far_end.faults.hold("sendPoll")
        g.tap(a, "1/gb/")
        await desk.until(lambda: held.hits)
        poll = poll_to_come(desk.far_end)
        numbers = [vote(g, b, poll, [0]), vote(g, b, poll, [1])]
        for number in numbers:
            await parked(desk, number)
        held.release()
        for number in numbers:
            await taken(desk, number)
        assert await attempts(desk, b) == [("capital", 0, ("b",))]


async def test_a_parked_vote_does_not_undo_a_later_one_that_was_not_parked(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, b, _)):
        desk = g.desk
        held = desk.far_end.faults.hold("sendPoll")
        g.tap(a, "1/gb/")
        await desk.until(lambda: held.hits)
        poll = poll_to_come(desk.far_end)
        early = vote(g, b, poll, [0])
        await parked(desk, early)
        held.release()
        while not await desk.read(lambda tx: tx.posts.by_poll(poll)):
            pass
        await desk.handled(vote(g, b, poll, [1]))
        await taken(desk, early)
        assert await attempts(desk, b) == [("capital", 0, ("b",))]


async def test_a_press_under_a_poll_whose_sending_was_not_confirmed_makes_its_votes_count(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, b, c)):
        desk = g.desk
        desk.far_end.faults.reset_after("sendPoll")
        await g.taps(a, "1/gb/")
        (poll,) = [m for m in desk.far_end.messages(g.place) if m.poll]
        assert "не знаю" in desk.far_end.last(g.place).words
        b.votes(poll, [1])
        await desk.restart()
        c.taps(poll, "Подсказка")
        await waiting_for_nobody(desk)
        assert await attempts(desk, b) == [("capital", 0, ("b",))]
        assert len(sent(g)) == 1


async def test_after_send_again_the_new_poll_counts_and_votes_in_the_lost_one_are_given_up_after_a_day(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with circle(tmp_path) as (g, (a, b, c)):
        desk = g.desk
        desk.far_end.faults.reset_after("sendPoll")
        await g.taps(a, "1/gb/")
        await g.taps(a, "Отправить ещё раз")
        lost, new = [m for m in desk.far_end.messages(g.place) if m.poll]
        c.votes(new, [1])
        await desk.calm()
        b.votes(lost, [1])
        while len(await desk.read(lambda tx: tx.inbox.waiting("telegram"))) != 1:
            await desk.bot.tick()
        desk.far_end.clock.advance(24 * 3600)
        await waiting_for_nobody(desk)
        assert "given up" in caplog.text
        assert await attempts(desk, b) == []
        assert await attempts(desk, c) == [("capital", 0, ("b",))]


async def test_a_server_that_leaves_out_fields_of_a_poll_has_sent_it_all_the_same(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, b, _)):
        older = g.desk.far_end.faults.leave_out("members_only", "allows_revoting", "persistent_id")
        poll = await begun(g, a)
        b.votes(poll, [1])
        await g.look()
        await g.taps(a, "Показать ответ")
        assert older.hits
        assert await attempts(g.desk, b) == [("capital", 0, ("b",))]
        assert len(sent(g)) == 1
        assert len(texts(g, "Верных ответов: 1 из 1")) == 1


# --- who does not count, and steering


async def test_neither_an_outsider_nor_an_anonymous_administrator_is_scored(tmp_path: Path) -> None:
    async with circle(tmp_path, kind="group") as (g, (a, b, _)):
        poll = await begun(g, a)
        outsider = g.desk.far_end.person("Г")
        vote(g, outsider, poll.poll.id, [1])
        g.place.makes_admin(b, anonymous=True)
        b.votes(poll, [1], anonymously=True)
        await g.look()
        await g.taps(a, "Показать ответ")
        assert await attempts(g.desk, outsider) == []
        assert texts(g, "Никто не ответил")


async def test_a_vote_waits_while_telegram_does_not_say_who_is_a_member(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, b, _)):
        desk = g.desk
        poll = await begun(g, a)
        broken = desk.far_end.faults.server_error("getChatMember", times=4)
        b.votes(poll, [1])
        await desk.until(lambda: broken.hits == 4)
        assert await attempts(desk, b) == []
        desk.far_end.clock.advance(31)
        await waiting_for_nobody(desk)
        assert await attempts(desk, b) == [("capital", 0, ("b",))]


@pytest.mark.parametrize("command", ["/skip", "/stop", "/pause"])
async def test_skip_stop_and_pause_close_the_poll(command: str, tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, b, _)):
        poll = await begun(g, a)
        await g.says(a, command)
        assert poll.poll.closed
        vote(g, b, poll.poll.id, [1])
        await g.look()
        assert await attempts(g.desk, b) == []


async def test_after_a_pause_the_question_is_asked_anew(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, b, _)):
        poll = await begun(g, a)
        await g.says(a, "/pause")
        await g.says(a, "/resume")
        new = g.desk.far_end.last(g.place)
        assert (new.poll.closed, new.poll.question) == (False, poll.poll.question)
        b.votes(new, [1])
        await g.look()
        assert await attempts(g.desk, b) == [("capital", 0, ("b",))]
        await g.taps(a, "Показать ответ")
        assert len(texts(g, "Верных ответов: 1 из 1")) == 1


async def test_a_poll_that_arrives_after_its_question_is_over_is_closed_at_once(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, *_)):
        desk = g.desk
        held = desk.far_end.faults.hold("sendPoll")
        g.tap(a, "1/gb/")
        await desk.until(lambda: held.hits)
        a.sends("/reveal", g.place)
        while not await desk.read(lambda tx: any(s.phase is Phase.REVEALED for s in sessions(tx))):
            await desk.bot.tick()
        held.release()
        await desk.calm()
        (poll,) = [m for m in desk.far_end.messages(g.place) if m.poll]
        assert poll.poll.closed
        assert len(texts(g, "Никто не ответил")) == 1


async def test_a_poll_that_was_left_open_by_a_kill_is_closed_at_the_next_start(tmp_path: Path) -> None:
    async with circle(tmp_path) as (g, (a, *_)):
        poll = await begun(g, a)
        lost = g.desk.far_end.faults.server_error("stopPoll", times=4)
        await g.says(a, "/stop")
        assert lost.hits == 4
        assert not poll.poll.closed
        await g.desk.restart()
        await g.desk.calm()
        assert poll.poll.closed


# --- whatever comes


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("vote"), st.integers(0, 3), st.lists(st.integers(-1, 3), max_size=2, unique=True)),
        st.tuples(st.sampled_from(["reveal", "next", "skip", "pause", "resume", "restart"]), st.just(0), st.just([])),
    ),
    max_size=10,
)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=STEPS)
async def test_no_sequence_of_votes_scores_a_person_twice_or_an_outsider_at_all(
    steps: list[tuple[str, int, list[int]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with circle(tmp_path_factory.mktemp("votes")) as (g, people):
        await begun(g, people[0])
        outsider = g.desk.far_end.person("Г")
        for what, who, places in steps:
            polls = [m.poll.id for m in g.desk.far_end.messages(g.place) if m.poll]
            if what == "vote":
                for poll in polls:
                    vote(g, [*people, outsider][who], poll, places)
                await g.desk.calm()
            elif what == "restart":
                await g.desk.restart()
            else:
                await g.says(people[0], f"/{what}")
        assert await attempts(g.desk, outsider) == []
        for person in people:
            positions = [position for _, position, _ in await attempts(g.desk, person)]
            assert len(positions) == len(set(positions))
