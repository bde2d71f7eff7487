"""The limiter, on a clock that stands until a test moves it."""

from __future__ import annotations

import asyncio

import pytest

from bot.chats.telegram.limiter import Limiter, Urgency


class ManualClock:
    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        woken = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, woken))
        await woken

    async def advance(self, seconds: float) -> None:
        """Let time pass; whoever wakes up acts at that very moment."""
        goal = self.now + seconds
        await calm()
        while due := [at for at, woken in self._sleepers if at <= goal + 1e-9 and not woken.done()]:
            self.now = max(self.now, min(due))
            for at, woken in self._sleepers:
                if at <= self.now and not woken.done():
                    woken.set_result(None)
            await calm()
        self.now = goal


async def calm() -> None:
    """Let every task go on as far as it can without the clock."""
    for _ in range(200):
        await asyncio.sleep(0)


class Queue:
    """Who has had a turn, and when."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.limiter = Limiter(self.clock, self.clock.sleep)
        self.turns: list[tuple[float, str]] = []
        self.tasks: list[asyncio.Task[None]] = []

    def wait(self, name: str, chat: int | None, urgency: Urgency = Urgency.REST) -> asyncio.Task[None]:
        async def take() -> None:
            await self.limiter.turn(chat, urgency)
            self.turns.append((round(self.clock.now, 3), name))

        task = asyncio.create_task(take())
        self.tasks.append(task)
        return task

    @property
    def names(self) -> list[str]:
        return [name for _, name in self.turns]

    @property
    def moments(self) -> list[float]:
        return [at for at, _ in self.turns]


@pytest.fixture
async def queue() -> Queue:
    return Queue()


async def test_thirty_calls_leave_at_once_and_thirty_more_in_each_second(queue: Queue) -> None:
    for number in range(65):
        queue.wait(str(number), chat=number + 1)
    await queue.clock.advance(0)
    assert queue.moments == [0.0] * 30
    await queue.clock.advance(1)
    assert 59 <= len(queue.turns) <= 60
    await queue.clock.advance(1)
    assert len(queue.turns) == 65


async def test_a_chat_gets_a_burst_of_five_and_then_one_a_second(queue: Queue) -> None:
    for number in range(8):
        queue.wait(str(number), chat=7)
    await queue.clock.advance(10)
    assert queue.moments == [0.0] * 5 + [1.0, 2.0, 3.0]
    assert queue.names == [str(number) for number in range(8)]


async def test_a_group_gets_twenty_a_minute(queue: Queue) -> None:
    for number in range(22):
        queue.wait(str(number), chat=-7)
    await queue.clock.advance(10)
    assert queue.moments == [0.0] * 20 + [3.0, 6.0]


async def test_a_busy_chat_holds_up_no_other(queue: Queue) -> None:
    for number in range(9):
        queue.wait(f"busy {number}", chat=1)
    queue.wait("other", chat=2)
    await queue.clock.advance(0)
    assert "other" in queue.names
    assert len(queue.turns) == 6


async def test_answers_go_before_questions_and_questions_before_the_rest(queue: Queue) -> None:
    for number in range(30):
        queue.wait("first", chat=100 + number)
    await queue.clock.advance(0)
    queue.turns.clear()
    queue.wait("rest", 1, Urgency.REST)
    queue.wait("question", 2, Urgency.QUESTION)
    queue.wait("answer", None, Urgency.ANSWER)
    await queue.clock.advance(1)
    assert queue.names == ["answer", "question", "rest"]


async def test_what_is_urgent_overtakes_what_waits_for_its_chat(queue: Queue) -> None:
    for _ in range(6):
        queue.wait("question", 1, Urgency.QUESTION)
    await queue.clock.advance(0.5)
    queue.wait("answer", None, Urgency.ANSWER)
    await queue.clock.advance(0)
    assert queue.turns[-1] == (0.5, "answer")
    await queue.clock.advance(1)
    assert queue.turns[-1] == (1.0, "question")


async def test_a_chat_that_was_told_to_wait_waits_and_nobody_else(queue: Queue) -> None:
    queue.limiter.back_off(1, 60)
    queue.wait("told", 1)
    queue.wait("other", 2)
    queue.wait("answer", None, Urgency.ANSWER)
    await queue.clock.advance(59)
    assert sorted(queue.names) == ["answer", "other"]
    await queue.clock.advance(1)
    assert queue.turns[-1] == (60.0, "told")


async def test_after_the_back_off_the_chat_gets_one_turn_a_second(queue: Queue) -> None:
    queue.limiter.back_off(1, 10)
    for number in range(3):
        queue.wait(str(number), 1)
    await queue.clock.advance(20)
    assert queue.moments == [10.0, 11.0, 12.0]


async def test_whoever_has_gone_takes_no_turn(queue: Queue) -> None:
    for _ in range(5):
        queue.wait("first", 1)
    gone = queue.wait("gone", 1)
    queue.wait("next", 1)
    await queue.clock.advance(0)
    gone.cancel()
    await queue.clock.advance(1)
    assert queue.turns[-1] == (1.0, "next")


async def test_a_limiter_that_stood_idle_begins_anew(queue: Queue) -> None:
    for _ in range(5):
        queue.wait("before", 1)
    await queue.clock.advance(100)
    queue.turns.clear()
    for _ in range(5):
        queue.wait("after", 1)
    await queue.clock.advance(0)
    assert queue.moments == [100.0] * 5
