"""What discord.py 2.7 punishes late: each rule has a test that fails when it is broken.

Source of the traps: discord.py 2.7.1, `discord/ui/view.py` and `discord/ui/dynamic.py`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from discord import ui
from hypothesis import given
from hypothesis import strategies as st

from bot.chats.discord.items import Filled, Form, PickItem, TapItem, form
from bot.chats.discord.layout import Choosing, Page, Press
from bot.chats.payload import Pick, Tap, read
from bot.present import Verb
from tests.discord.desk import Desk, desk, languages

TEMPLATES: tuple[re.Pattern[str], ...] = (
    TapItem.__discord_ui_compiled_template__,
    PickItem.__discord_ui_compiled_template__,
)

IDS = st.text("0123456789abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=13)
TAPS = st.builds(
    Tap,
    IDS,
    st.integers(0, 999),
    st.sampled_from(Verb),
    st.text("abcdefghijklmnopqrstuvwxyz0123456789", max_size=2),
)
PICKS = st.builds(
    Pick,
    st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8),
    st.lists(st.from_regex(r"[A-Za-z0-9_-]{0,48}", fullmatch=True), max_size=3).map(tuple),
)

PAGE = Page(
    ("words",),
    (
        (Press("A", "1:s1:0:aa"), Press("Hint", "1:s1:0:h")),
        (Choosing("1:s1:0:s", "Choose", (("A", "a", False), ("B", "b", True)), several=True),),
    ),
)


async def played(at: Desk) -> None:
    guild = at.world.server()
    channel, a = at.world.channel(guild), at.world.person("A", "en-US", guild)
    for place in (channel, a.dm):
        await a.types(place, "quiz start", quiz="kinds")
        await a.chooses(place, "A", "B")
        await a.presses(place, "Submit")
        await a.presses(place, "Next")
        await a.writes(await a.presses(place, "Type an answer"), "checkpoint")
        await a.types(place, "quiz resume")
        await a.types(place, "quiz stop")


async def test_everything_that_can_be_pressed_is_a_dynamic_item_in_a_layout_that_never_ends() -> None:
    """A layout that mixes in an ordinary item takes the dynamic ones of the whole bot with it when it ends."""
    view = PAGE.view()
    assert view.timeout is None
    assert view.is_finished(), "the library would keep a clock for each hidden message"
    pressable = [item for item in view.walk_children() if item.is_dispatchable()]
    assert len(pressable) == 3
    assert all(isinstance(item, TapItem | PickItem) for item in pressable)


async def test_each_message_has_a_layout_of_its_own() -> None:
    """The library drops the dynamic items of a layout that is sent again without them."""
    first, second = PAGE.view(), PAGE.view()
    assert first is not second
    assert not {id(item) for item in first.walk_children()} & {id(item) for item in second.walk_children()}


async def test_the_library_remembers_no_layout_and_no_form(tmp_path: Path) -> None:
    """What it remembers grows with every message, ends after a while, and is gone after a restart."""
    async with desk(tmp_path) as at:
        await played(at)
        kept = at.client._connection._view_store
        assert (kept._views, kept._synced_message_views, kept._modals) == ({}, {}, {})
        assert set(kept._dynamic_items.values()) == {TapItem, PickItem}


async def test_old_buttons_answer_when_the_time_of_hidden_messages_is_over(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        guild = at.world.server()
        channel, a = at.world.channel(guild), at.world.person("A", "en-US", guild)
        await a.types(channel, "quiz start", quiz="loud")
        await a.types(channel, "quiz resume")
        await at.world.env.advance_time(16 * 60)
        assert set(at.client._connection._view_store._dynamic_items.values()) == {TapItem, PickItem}
        await a.presses(channel, "B")
        assert "your answer, right" in at.world.messages(channel)[-1].text


async def test_a_press_that_the_library_does_not_hand_on_is_taken_up(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        guild = at.world.server()
        channel, a = at.world.channel(guild), at.world.person("A", "en-US", guild)
        await a.types(channel, "quiz start", quiz="loud")
        at.client.remove_dynamic_items(TapItem, PickItem)
        pressed = await a.presses(channel, "B")
        assert pressed.acknowledged
        assert "your answer, right" in at.world.messages(channel)[-1].text


async def test_a_press_has_one_effect_and_one_answer(tmp_path: Path) -> None:
    """Where two templates fit, both items answer."""
    async with desk(tmp_path) as at:
        guild = at.world.server()
        channel, a = at.world.channel(guild), at.world.person("A", "en-US", guild)
        await a.types(channel, "quiz start", quiz="loud")
        await a.presses(channel, "B")
        assert at.world.calls("POST", "/callback") == 2
        assert at.world.calls("POST", "/webhooks") == 0


@given(TAPS | PICKS)
def test_every_payload_fits_exactly_one_template_and_is_read(payload: Tap | Pick) -> None:
    assert sum(template.fullmatch(str(payload)) is not None for template in TEMPLATES) == 1
    assert read(str(payload)) == payload


@given(TAPS, st.sampled_from([":extra", "\n", " ", "/x", "-"]))
def test_a_payload_with_more_behind_it_fits_no_template(payload: Tap, more: str) -> None:
    """The library looks at the whole id when something is pressed, but only at its beginning when it is made."""
    assert all(template.fullmatch(f"{payload}{more}") is None for template in TEMPLATES)
    assert read(f"{payload}{more}") is None


@given(st.sampled_from(Form), IDS, st.integers(0, 999), st.integers(1, 2**63))
def test_a_form_says_its_session_position_and_person_and_no_button_is_taken_for_it(
    kind: Form, session: str, position: int, user: int
) -> None:
    filled = Filled(kind, session, position, user)
    assert Filled.read(str(filled)) == filled
    assert len(str(filled)) <= 100
    assert all(template.fullmatch(str(filled)) is None for template in TEMPLATES)


@pytest.mark.parametrize("tag", ["en", "ru"])
@pytest.mark.parametrize("kind", list(Form))
async def test_a_form_is_within_the_limits(kind: Form, tag: str) -> None:
    modal = form(Filled(kind, "s" * 13, 999, 2**63), languages()[tag], "")
    assert len(modal.title) <= 45
    labels = [item for item in modal.walk_children() if isinstance(item, ui.Label)]
    assert labels
    assert all(len(label.text) <= 45 for label in labels)
    assert modal.is_finished()
