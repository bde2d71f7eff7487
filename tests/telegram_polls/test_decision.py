"""Poll or buttons: a pure decision that cuts nothing off and names right options by id, never by place or text."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.app import catalogues
from bot.bank import Code, Entry, Option, Paragraph, Picture, Rich, Span, Words, load
from bot.chats.telegram.polls import EXPLANATION, OPTION, QUESTION, chosen, explanation, plan_rendering
from bot.quiz import Item, Kind, Plan, Planned, Session, daily, group

LANGUAGES = catalogues(None)

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def said(text: str) -> Rich:
    return (Paragraph((Span(text),)),)


def made(
    stem: Rich, options: dict[str, str], key: str, *, brief: str = "Потому.", why: str = "Потому. И ещё.", **more: Any
) -> Entry:
    kind = Kind.SINGLE if len(key) == 1 else Kind.MULTIPLE
    item = Item("made-by-hand", kind, tuple(options), frozenset(key))
    words = Words(stem, (), said(why), brief, {o: Option(said(t), said("Вот.")) for o, t in options.items()}, **more)
    return Entry(item, {"ru": words}, (), (), "made.toml")


def asked(entry: Entry, shown: str | None = None, **more: Any) -> Session:
    planned = Planned(entry.item.id, tuple(shown or entry.item.options))
    policy = more.pop("policy", daily(3600))
    return Session("s", 1, "daily:1:2026-11-30", 1, "", policy, ("ru",), Plan((planned,)), **more)


def decide(entry: Entry, session: Session | None = None, **more: Any) -> Any:
    context = {"chat": "supergroup", "wanted": True, "at": NOW, **more}
    return plan_rendering(session or asked(entry), 0, entry, (LANGUAGES["ru"],), **context)


CITIES = {"a": "Лион", "b": "Париж", "c": "Рим"}


def test_right_options_rise_in_the_order_shown_whatever_the_order_of_the_file() -> None:
    entry = made(said("Какие из этих городов — столицы?"), CITIES, "bc")
    poll = decide(entry, asked(entry, "cab"))
    assert poll.options == ("Рим", "Лион", "Париж")
    assert poll.right == (0, 2)
    assert poll.several


def test_a_vote_is_read_by_the_ids_of_the_options_shown() -> None:
    planned = Planned("made-by-hand", ("c", "a", "b"))
    assert chosen(planned, [2, 0]) == ("c", "b")
    assert chosen(planned, []) == ()
    assert chosen(planned, [3]) is None


@pytest.mark.parametrize("length", [OPTION, OPTION + 1])
def test_an_option_that_is_too_long_makes_it_buttons_and_is_never_cut(length: int) -> None:
    entry = made(said("Что это?"), {"a": "я" * length, "b": "ы"}, "a")
    poll = decide(entry)
    assert (poll is None) == (length > OPTION)
    assert poll is None or poll.options[0] == "я" * length


@pytest.mark.parametrize("length", [QUESTION, QUESTION + 1])
def test_a_stem_that_is_too_long_makes_it_buttons(length: int) -> None:
    assert (decide(made(said("я" * length), CITIES, "b")) is None) == (length > QUESTION)


def test_code_stands_in_the_description_as_code() -> None:
    poll = decide(made((*said("Что выведет?"), Code("print(1)", "python")), CITIES, "b"))
    assert poll.question == "Что выведет?"
    assert poll.description.characters == "print(1)"
    assert [entity.type for entity in poll.description.entities] == ["pre"]


def test_a_picture_two_languages_a_private_chat_and_the_wish_of_the_place_make_it_buttons() -> None:
    entry = made(said("Что это?"), CITIES, "b")
    assert decide(made(said("Что это?"), CITIES, "b", image=Picture("x.png", "икс"))) is None
    both = tuple(LANGUAGES[t] for t in ("ru", "en"))
    assert plan_rendering(asked(entry), 0, entry, both, chat="group", wanted=True, at=NOW) is None
    assert decide(entry, chat="private") is None
    assert decide(entry, wanted=False) is None
    assert decide(entry) is not None


def test_the_brief_explains_else_the_first_sentence_that_fits_else_nothing() -> None:
    words = made(said("Что?"), CITIES, "b", brief="Кратко.").words["ru"]
    assert explanation(words) == "Кратко."
    assert explanation(replace(words, brief="")) == "Потому."
    assert explanation(replace(words, brief="", explanation=said("я" * (EXPLANATION + 1) + ". Да."))) == ""


def test_what_is_revealed_later_hides_results_and_only_there_a_vote_may_change() -> None:
    entry = made(said("Что это?"), CITIES, "b")
    host = decide(entry, asked(entry, policy=group()))
    at_once = decide(entry, asked(entry, policy=daily(3600)))
    assert (host.hidden, host.revoting) == (True, True)
    assert (at_once.hidden, at_once.revoting) == (False, False)


def test_where_only_those_who_joined_may_answer_there_are_buttons() -> None:
    entry = made(said("Что это?"), CITIES, "b")
    assert decide(entry, asked(entry, policy=group(open_to_all=False))) is None


def test_only_in_a_channel_it_is_anonymous() -> None:
    entry = made(said("Что это?"), CITIES, "b")
    assert decide(entry, chat="channel").anonymous
    assert not decide(entry, chat="group").anonymous


def test_it_closes_with_the_item_and_counts_its_time_from_sending() -> None:
    entry = made(said("Что это?"), CITIES, "b")
    timed = asked(entry, policy=daily(3600))
    assert (decide(entry, timed).open_s, decide(entry, timed).closes_at) == (3600, None)
    opened = replace(timed, deadline=NOW + timedelta(seconds=60))
    assert (decide(entry, opened).open_s, decide(entry, opened).closes_at) == (None, NOW + timedelta(seconds=60))
    assert decide(entry, asked(entry, policy=group())).open_s is None


@pytest.mark.parametrize("seconds", [9, 31 * 24 * 3600])
def test_a_time_that_no_poll_can_keep_makes_it_buttons(seconds: int) -> None:
    entry = made(said("Что это?"), CITIES, "b")
    assert decide(entry, asked(entry, policy=daily(seconds))) is None
    opened = replace(asked(entry), deadline=NOW + timedelta(seconds=seconds))
    assert decide(entry, opened) is None


def test_everything_the_shipped_bank_has_either_fits_or_becomes_buttons() -> None:
    bank = load(Path(__file__).parents[2] / "content")
    polls = 0
    for entry in bank.entries.values():
        poll = decide(entry, asked(entry))
        if poll is None:
            continue
        polls += 1
        assert len(poll.question) <= QUESTION
        assert all(len(option) <= OPTION for option in poll.options)
        assert len(poll.explanation) <= EXPLANATION
        assert [entry.item.options[i] for i in poll.right] == [o for o in entry.item.options if o in entry.item.key]
    assert polls > len(bank.entries) / 2
