"""Every phase x command x mode: carried out (`+`) or refused with which reason.

The columns are the states a session can be in; `answered` is open with one answer recorded (of the host in a session
for one, of B in a session for many). `-` marks a state that the modes of a table do not have. A row names the command and who
sends it; in a session for many B takes part and C does not, yet.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any, get_args

import pytest

from bot.quiz import (
    Answer,
    Ask,
    AtPosition,
    Command,
    Expire,
    Feedback,
    Hint,
    Item,
    Join,
    Leave,
    Next,
    Notice,
    Opened,
    Pause,
    Phase,
    Reason,
    Refuse,
    Response,
    Resume,
    Reveal,
    Select,
    Session,
    Show,
    Skip,
    Start,
    Step,
    Stop,
    Summarise,
    Tell,
)
from tests.quiz.world import (
    CLOCK,
    COUNTED,
    HOST,
    MANY,
    MODERATOR,
    MODES,
    ONE,
    TYPED,
    B,
    C,
    Room,
    chosen,
    typed,
)

# ruff: noqa: E501 (a table is read across)

SOLO = """
command                          by                   new       asked       open        answered    revealed    paused:asked paused      closed
start                            host,clock           +         not_now     not_now     not_now     not_now     not_now      not_now     closed
start                            moderator,B,C        not_yours not_now     not_now     not_now     not_now     not_now      not_now     closed
join,leave                       host                 not_now   not_now     not_now     not_now     not_now     not_now      not_now     closed
join,leave                       clock                not_now   not_allowed not_allowed not_allowed not_allowed not_allowed  not_allowed closed
join,leave                       moderator,B,C        not_now   not_yours   not_yours   not_yours   not_yours   not_yours    not_yours   closed
opened                           clock                not_now   +           not_now     not_now     not_now     +            not_now     closed
expire,expire-early              clock                not_now   not_due     not_due     not_due     not_due     paused       paused      closed
opened,expire,expire-early       host                 not_now   not_allowed not_allowed not_allowed not_allowed not_allowed  not_allowed closed
opened,expire,expire-early       moderator,B,C        not_now   not_yours   not_yours   not_yours   not_yours   not_yours    not_yours   closed
select,answer,hint               host                 not_now   +           +           +           already     paused       paused      closed
same-answer                      host                 not_now   +           +           same        already     paused       paused      closed
select,answer,same-answer,hint   clock                not_now   not_allowed not_allowed not_allowed not_allowed not_allowed  not_allowed closed
select,answer,same-answer,hint   moderator,B,C        not_now   not_yours   not_yours   not_yours   not_yours   not_yours    not_yours   closed
skip                             host,clock           not_now   +           +           already     already     paused       paused      closed
next                             host,clock           not_now   unanswered  unanswered  +           +           paused       paused      closed
reveal                           host,clock           not_now   not_now     not_now     not_now     not_now     paused       paused      closed
pause                            host,clock           not_now   +           +           +           +           paused       paused      closed
resume                           host,clock           not_now   not_paused  not_paused  not_paused  not_paused  +            +           closed
skip,next,reveal,pause,resume    moderator,B,C        not_now   not_yours   not_yours   not_yours   not_yours   not_yours    not_yours   closed
stop                             host,moderator,clock not_now   +           +           +           +           +            +           closed
stop                             B,C                  not_now   not_yours   not_yours   not_yours   not_yours   not_yours    not_yours   closed
"""

AGAINST_THE_CLOCK = """
command                          by                   new       asked       open        answered    revealed    paused:asked paused      closed
expire                           clock                not_now   not_due     +           +           -           paused       paused      closed
pause                            host                 not_now   not_now     not_now     not_now     -           paused       paused      closed
"""

GROUP = """
command                          by                   new         asked          open           answered       revealed       paused:asked   paused         closed
start                            host,clock           +           not_now        not_now        not_now        not_now        not_now        not_now        closed
start                            moderator,B,C        not_allowed not_now        not_now        not_now        not_now        not_now        not_now        closed
join                             host,B               not_now     already_joined already_joined already_joined already_joined already_joined already_joined closed
join                             moderator,C          not_now     +              +              +              +              +              +              closed
leave                            host,B               not_now     +              +              +              +              +              +              closed
leave                            moderator,C          not_now     not_joined     not_joined     not_joined     not_joined     not_joined     not_joined     closed
join,leave                       clock                not_now     not_allowed    not_allowed    not_allowed    not_allowed    not_allowed    not_allowed    closed
opened                           clock                not_now     +              not_now        not_now        not_now        +              not_now        closed
expire,expire-early              clock                not_now     not_due        not_due        not_due        not_due        paused         paused         closed
opened,expire,expire-early       host,moderator,B,C   not_now     not_allowed    not_allowed    not_allowed    not_allowed    not_allowed    not_allowed    closed
select,answer,same-answer        host,moderator,C     not_now     +              +              +              late           paused         paused         closed
select,answer                    B                    not_now     +              +              +              already        paused         paused         closed
same-answer                      B                    not_now     +              +              same           already        paused         paused         closed
hint                             host,moderator,B,C   not_now     +              +              +              not_now        paused         paused         closed
select,answer,same-answer,hint   clock                not_now     not_allowed    not_allowed    not_allowed    not_allowed    not_allowed    not_allowed    closed
skip,reveal                      host,moderator,clock not_now     +              +              +              not_now        paused         paused         closed
next                             host,moderator,clock not_now     not_revealed   not_revealed   not_revealed   +              paused         paused         closed
pause                            host,moderator,clock not_now     +              +              +              +              paused         paused         closed
resume                           host,moderator,clock not_now     not_paused     not_paused     not_paused     not_paused     +              +              closed
stop                             host,moderator,clock not_now     +              +              +              +              +              +              closed
skip,reveal,next,pause           B,C                  not_now     not_allowed    not_allowed    not_allowed    not_allowed    not_allowed    not_allowed    closed
resume,stop                      B,C                  not_now     not_allowed    not_allowed    not_allowed    not_allowed    not_allowed    not_allowed    closed
"""

ONCE = """
command                          by                   new         asked          open           answered       revealed       paused:asked   paused         closed
select,answer,same-answer        B                    not_now     +              +              already        already        paused         paused         closed
"""

LIMITED = """
command                          by                   new         asked          open           answered       revealed       paused:asked   paused         closed
expire                           clock                not_now     not_due        +              +              not_due        paused         paused         closed
"""

JOINED_ONLY = """
command                          by                   new         asked          open           answered       revealed       paused:asked   paused         closed
select,answer,same-answer        moderator,C          not_now     not_joined     not_joined     not_joined     late           paused         paused         closed
hint                             moderator,C          not_now     not_joined     not_joined     not_joined     not_now        paused         paused         closed
"""

TABLES = {
    "learn": (SOLO,),
    "exam": (SOLO,),
    "exam with limits": (SOLO, AGAINST_THE_CLOCK),
    "exam with a limit for the whole": (SOLO, AGAINST_THE_CLOCK),
    "group": (GROUP,),
    "group, once": (GROUP, ONCE),
    "group, once, told at once": (GROUP, ONCE),
    "group by the clock": (GROUP, LIMITED),
    "group by the clock, once": (GROUP, ONCE, LIMITED),
    "group until all have answered": (GROUP,),
    "group until all have answered, once, told at once": (GROUP, ONCE, LIMITED),
    "group of those who joined": (GROUP, JOINED_ONLY),
    "daily": (GROUP, ONCE, LIMITED),
}
"""A later table replaces rows of an earlier one."""

STATES = (
    *("new", "asked", "open", "answered", "revealed"),
    *("paused:asked", "paused:open", "paused:answered", "paused:revealed"),
    "closed",
)
WITHOUT = {
    "learn": {"answered"},  # an answer reveals at once
    **{mode: {"revealed"} for mode, policy in MODES.items() if policy.feedback is Feedback.AT_END},
    "daily": {"revealed"},  # the reveal closes it
}
"""States that a mode does not have."""

PEOPLE = {"host": HOST, "moderator": MODERATOR, "clock": CLOCK, "B": B, "C": C}
COMMANDS: dict[str, Callable[[Room, int | None], Step]] = {
    "start": lambda room, by: room.do(Start, by),
    "join": lambda room, by: room.do(Join, by),
    "leave": lambda room, by: room.do(Leave, by),
    "opened": lambda room, by: room.do(Opened, by),
    "select": lambda room, by: room.do(Select, by, option="b"),
    "answer": lambda room, by: room.answer(by, "b"),  # type: ignore[arg-type]
    "same-answer": lambda room, by: room.answer(by, "a"),  # type: ignore[arg-type]
    "hint": lambda room, by: room.do(Hint, by),
    "skip": lambda room, by: room.do(Skip, by),
    "next": lambda room, by: room.do(Next, by),
    "reveal": lambda room, by: room.do(Reveal, by),
    "expire-early": lambda room, by: room.do(Expire, by),
    "expire": lambda room, by: room.do(Expire, by, at=room.now + timedelta(hours=10)),
    "pause": lambda room, by: room.do(Pause, by),
    "resume": lambda room, by: room.do(Resume, by),
    "stop": lambda room, by: room.do(Stop, by),
}


def room_in(mode: str, state: str) -> Room:
    """A room in one of the states, reached by commands alone."""
    room = Room.for_mode(mode)
    base = state.removeprefix("paused:")
    if base == "new":
        return room
    room.start()
    if not room.session.policy.solo:
        room.do(Join, B)
    if base != "asked":
        room.do(Opened, CLOCK)
    if base in ("answered", "revealed", "closed"):
        room.answer(HOST if room.session.policy.solo else B, "a")
    if base == "revealed" and not room.session.policy.solo:
        room.do(Reveal)
    if base == "closed":
        room.do(Stop)
    if state.startswith("paused:"):
        room.do(Pause, CLOCK)
    return room


def states_of(mode: str) -> tuple[str, ...]:
    return tuple(state for state in STATES if state.removeprefix("paused:") not in WITHOUT.get(mode, ()))


def table_of(mode: str) -> dict[tuple[str, str, str], str]:
    """What is expected, by command, person and state."""
    cells: dict[tuple[str, str, str], str] = {}
    for text in TABLES[mode]:
        header, *rows = (line.split() for line in text.strip().splitlines())
        for commands, people, *expected in rows:
            by_column = dict(zip(header[2:], expected, strict=True))
            for command in commands.split(","):
                for person in people.split(","):
                    for state in STATES:
                        column = state if state in by_column else state.split(":")[0]
                        cells[command, person, state] = by_column[column]
    return cells


def assert_refused(room: Room, before: Session, step: Step, reason: str, recorded: object) -> None:
    assert step.effects == (Refuse(Reason(reason), recorded),)  # type: ignore[arg-type]
    assert step.session is before
    assert step.attempt is None


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("mode", MODES)
def test_a_command_is_carried_out_or_refused_as_the_table_says(mode: str, command: str) -> None:
    expected = table_of(mode)
    for state in states_of(mode):
        for person, by in PEOPLE.items():
            room = room_in(mode, state)
            before, learner = room.session, HOST if by is None and room.session.policy.solo else by
            recorded = room.last(before.position, learner)
            step = COMMANDS[command](room, by)
            cell = expected[command, person, state]
            found = step.refused.reason if step.refused else "+"
            assert found == cell, f"{command} by {person} in {state}: {found} instead of {cell}"
            if cell != "+":
                assert_refused(room, before, step, cell, recorded)


@pytest.mark.parametrize("mode", MODES)
def test_the_table_has_every_command_of_the_machine_in_every_state_for_everybody(mode: str) -> None:
    table = table_of(mode)
    assert set(table) == {(c, p, s) for c in COMMANDS for p in PEOPLE for s in STATES}
    assert set(table.values()) <= {"+", "-", *Reason}
    names = {kind.__name__.lower() for kind in get_args(Command)}
    assert names == {name.split("-")[-1] for name in COMMANDS} - {"early"}


@pytest.mark.parametrize("mode", MODES)
def test_the_states_of_the_table_are_the_phases_they_are_called_after(mode: str) -> None:
    found = {state: room_in(mode, state).session for state in states_of(mode)}
    for state, session in found.items():
        phase = state.removeprefix("paused:").replace("answered", "open")
        assert session.phase == phase, state
        assert (session.paused_at is not None) == state.startswith("paused:"), state
    assert {session.phase for session in found.values()} >= set(Phase) - {Phase.REVEALED}


@pytest.mark.parametrize("name", [kind.__name__.lower() for kind in get_args(AtPosition)])
@pytest.mark.parametrize("mode", MODES)
def test_a_command_about_another_position_is_refused_in_every_state(mode: str, name: str) -> None:
    kinds = {kind.__name__.lower(): kind for kind in get_args(AtPosition)}
    rest: dict[str, Any] = {"answer": {"response": chosen("a")}, "select": {"option": "a"}}.get(name, {})
    for state in states_of(mode):
        for by in PEOPLE.values():
            for away in (-1, 1, 1000):
                room = room_in(mode, state)
                before = room.session
                step = room.do(kinds[name], by, position=before.position + away, **rest)
                reason = {"new": Reason.NOT_NOW, "closed": Reason.CLOSED}.get(state, Reason.STALE)
                assert_refused(room, before, step, reason, None)


SHOWN = {
    "new": (),
    "asked": (Ask,),
    "open": (Ask,),
    "answered": (Ask,),
    "revealed": (Show,),
    "closed": (Summarise,),
}


@pytest.mark.parametrize("mode", MODES)
def test_the_present_state_can_be_shown_in_every_state_and_showing_changes_nothing(mode: str) -> None:
    for state in states_of(mode):
        room = room_in(mode, state)
        before = json.dumps(room.session.to_json())
        kinds = (Notice,) if state.startswith("paused:") else SHOWN[state]
        if mode == "learn" and state == "revealed":
            kinds = (Tell,)
        assert tuple(type(effect) for effect in room.shown()) == kinds, state
        assert room.shown() == room.shown()
        assert json.dumps(room.session.to_json()) == before


# --- refusals that lie in the response, not in the state


@pytest.mark.parametrize(
    ("item", "response", "reason"),
    [
        (MANY, chosen(), Reason.NOTHING_CHOSEN),
        (MANY, chosen("e"), Reason.UNKNOWN_OPTION),
        (MANY, chosen("a", "e"), Reason.UNKNOWN_OPTION),
        (MANY, chosen("a", "a"), Reason.UNKNOWN_OPTION),
        (MANY, typed("a"), Reason.UNKNOWN_OPTION),
        (MANY, Response(("a",), "a"), Reason.UNKNOWN_OPTION),
        (ONE, chosen(), Reason.NOTHING_CHOSEN),
        (ONE, chosen("a", "b"), Reason.UNKNOWN_OPTION),
        (ONE, chosen("B"), Reason.UNKNOWN_OPTION),
        (ONE, typed("b"), Reason.UNKNOWN_OPTION),
        (TYPED, typed(""), Reason.NOTHING_CHOSEN),
        (TYPED, typed(" \n\u00a0"), Reason.NOTHING_CHOSEN),
        (TYPED, chosen("a"), Reason.NOTHING_CHOSEN),
        (TYPED, Response(("a",), "a"), Reason.NOTHING_CHOSEN),
        (COUNTED, typed(" "), Reason.NOTHING_CHOSEN),
        (COUNTED, chosen("a"), Reason.NOTHING_CHOSEN),
        (COUNTED, typed("three"), Reason.NOT_A_NUMBER),
        (COUNTED, typed("NaN"), Reason.NOT_A_NUMBER),
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_a_response_that_does_not_fit_its_item_is_refused(
    mode: str, item: Item, response: Response, reason: Reason
) -> None:
    room = Room.for_mode(mode, (item,)).start()
    before = room.session
    assert_refused(room, before, room.do(Answer, HOST, response=response), reason, None)
    assert room.attempts == []


@pytest.mark.parametrize(
    ("item", "response"),
    [
        (MANY, chosen("a")),
        (MANY, chosen("d", "a", "b", "c")),
        (ONE, chosen("c")),
        (TYPED, typed("  Safetensors!")),
        (COUNTED, typed("3,0")),
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_a_response_that_fits_its_item_is_recorded_as_it_was_sent(mode: str, item: Item, response: Response) -> None:
    room = Room.for_mode(mode, (item,)).start()
    room.do(Answer, HOST, response=response)
    assert [attempt.response for attempt in room.attempts] == [response]


@pytest.mark.parametrize(("item", "option"), [(MANY, "e"), (ONE, "a"), (TYPED, "a"), (COUNTED, "a")])
def test_only_an_option_of_a_multiple_choice_item_can_be_ticked(item: Item, option: str) -> None:
    room = Room.for_mode("learn", (item,)).start()
    before = room.session
    assert_refused(room, before, room.do(Select, option=option), Reason.UNKNOWN_OPTION, None)


@pytest.mark.parametrize("mode", MODES)
def test_an_item_that_is_gone_can_neither_be_answered_nor_ticked_nor_helped_with(mode: str) -> None:
    room = Room.for_mode(mode).start()
    room.gone.add(MANY.id)
    before = room.session
    for step in (room.answer(HOST, "a"), room.do(Select, option="a"), room.do(Hint)):
        assert_refused(room, before, step, Reason.GONE, None)


def test_every_reason_of_the_machine_is_met_in_this_file() -> None:
    particular = {"stale", "gone", "nothing_chosen", "unknown_option", "not_a_number"}
    assert {cell for mode in MODES for cell in table_of(mode).values()} | particular == {"+", "-", *Reason}
