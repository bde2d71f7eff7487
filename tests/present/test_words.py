"""Every reason, every piece of news and every effect has words, in each language, and only in that language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from bot.app import catalogues, shipped
from bot.bank import Bank, Code, Entry, Paragraph, Picture, Rich, Span, load, plain
from bot.i18n import Language
from bot.present import LETTERS, Message, Verb, letter_of, mistakes, notice, preview, refusal, render, review
from bot.quiz import (
    LEARN,
    Ask,
    Attempt,
    Effect,
    Ending,
    GiveHint,
    Kind,
    Mark,
    News,
    Notice,
    Plan,
    Planned,
    Policy,
    Reason,
    Refuse,
    Response,
    Result,
    Retire,
    Session,
    Step,
    Summarise,
    Tell,
    exam,
    grade,
)
from tests.program import ROOT

LANGUAGES = catalogues(None)
BANKS = {"content": load(shipped("content")), "mixed": load(ROOT / "tests" / "terminal" / "bank")}
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
HOST = 7
DECKS = [(name, deck) for name, bank in BANKS.items() for deck in bank.decks]
EVERY_DECK = pytest.mark.parametrize(("bank", "deck"), DECKS, ids=[deck for _, deck in DECKS])
EVERY_LANGUAGE = pytest.mark.parametrize("tag", ["en", "ru"])


def items_of(bank: str, deck: str) -> list[str]:
    found = [name for name, entry in BANKS[bank].entries.items() if entry.item.module == deck]
    assert found
    return found


def session_of(*items: str, bank: Bank, policy: Policy = LEARN, tag: str = "en") -> Session:
    plan = Plan(tuple(Planned(item, bank.entries[item].item.options) for item in items))
    return Session("abc", 1, "solo:7", HOST, "", policy, (tag,), plan)


def responses(entry: Entry) -> Iterator[Response]:
    """One of every sort: right, each wrong one, partly right, skipped."""
    item = entry.item
    yield Response()
    match item.kind:
        case Kind.SINGLE:
            yield from (Response((option,)) for option in item.options)
        case Kind.MULTIPLE:
            yield Response(tuple(o for o in item.options if o in item.key))
            yield from (Response((option,)) for option in item.options)
        case Kind.TEXT:
            yield from (Response(text=text) for text in (*entry.accepted, "12345"))
        case Kind.NUMBER:
            yield from (Response(text=text) for text in (str(item.answer.value), "-12345"))  # type: ignore[union-attr]


def attempt_of(session: Session, entry: Entry, response: Response, position: int = 0) -> Attempt:
    judged = grade(entry.item, response, entry.accepted)
    return Attempt(session.id, position, entry.item.id, HOST, response, judged, 0, NOON, NOON.date())


def spans(message: Message) -> Iterator[Span]:
    yield from (Span(message.title), Span(message.verdict))
    words: list[Rich] = [message.head, message.recap, message.body, *(choice.words for choice in message.choices)]
    for block in (block for part in words for block in part):
        match block:
            case Paragraph(found):
                yield from found
            case Picture(_, alt):
                yield Span(alt)
            case Code():
                pass
    yield from (Span(choice.note) for choice in message.choices)
    yield from (Span(action.words) for action in message.actions)


def text_of(message: Message) -> str:
    return "\n".join(filter(None, (message.title, plain(message.head), told(message))))


def told(message: Message) -> str:
    """What stands below the options."""
    return "\n".join(filter(None, (message.verdict, plain(message.recap), plain(message.body))))


def messages_of(bank: Bank, item: str, t: Language) -> list[Message]:
    """Everything a person alone can read about one item, in both modes."""
    entry = bank.entries[item]
    found = list(preview(entry, bank, t))
    for policy in (LEARN, exam()):
        session = session_of(item, bank=bank, policy=policy, tag=t.tag)
        effects: list[Effect] = [Ask(0), GiveHint(HOST, 0)]
        for response in responses(entry):
            attempt = attempt_of(session, entry, response)
            result = Result(0, item, attempt, counts=True)
            effects += [Tell(HOST, 0, attempt, feedback=policy is LEARN), Summarise((result,))]
            if policy is not LEARN:
                effects.append(Ask(0, recorded=attempt, again=True))
                found += filter(None, [review(session, (result,), 0, bank, t)])
            effects.append(Refuse(Reason.ALREADY, attempt))
        found += render(Step(session, tuple(effects)), bank, (t,), t)
    return found


# --- reasons and news


@EVERY_LANGUAGE
@pytest.mark.parametrize("reason", Reason)
def test_every_refusal_is_one_line_of_at_most_200_characters(reason: Reason, tag: str) -> None:
    bank = BANKS["mixed"]
    t = LANGUAGES[tag]
    session = session_of("kind-text", "kind-single", bank=bank)
    long = attempt_of(session, bank.entries["kind-text"], Response(text="ы" * 4000))
    chosen = attempt_of(session, bank.entries["kind-single"], Response(("b",)), 1)
    skipped = attempt_of(session, bank.entries["kind-single"], Response(), 1)
    for recorded in (None, long, chosen, skipped):
        said = refusal(session, Refuse(reason, recorded), t)
        assert 5 < len(said) <= 200
        assert "\n" not in said
        assert "{" not in said
        assert (tag == "ru") == bool(re.search("[а-я]{3}", said.replace("ы", "")))


@pytest.mark.parametrize("reason", [Reason.ALREADY, Reason.SAME, Reason.STALE])
def test_refusal_says_what_is_recorded(reason: Reason) -> None:
    bank = BANKS["mixed"]
    session = session_of("kind-multiple", bank=bank)
    attempt = attempt_of(session, bank.entries["kind-multiple"], Response(("c", "a")))
    for tag in ("en", "ru"):
        assert refusal(session, Refuse(reason, attempt), LANGUAGES[tag]).endswith(": A, C.")


@EVERY_LANGUAGE
@pytest.mark.parametrize("news", News)
def test_every_piece_of_news_has_words_in_at_most_200_characters(news: News, tag: str) -> None:
    for count in (1, 2, 5, 21):
        said = notice(news, LANGUAGES[tag], name="A", count=count)
        assert 5 < len(said) <= 200
        assert "{" not in said
        assert (tag == "ru") == bool(re.search("[а-я]{3}", said))
        assert ("A" in said.split()) == (news in (News.JOINED, News.LEFT))


def test_no_two_reasons_to_act_differently_sound_the_same() -> None:
    session = session_of("kind-single", bank=BANKS["mixed"])
    same = [{Reason.ALREADY, Reason.SAME}, {Reason.NOT_NOW, Reason.NOT_DUE}]
    said: dict[str, set[Reason]] = {}
    for reason in Reason:
        said.setdefault(refusal(session, Refuse(reason), LANGUAGES["ru"]), set()).add(reason)
    assert [reasons for reasons in said.values() if len(reasons) > 1 and reasons not in same] == []


# --- effects


@EVERY_LANGUAGE
@EVERY_DECK
def test_every_effect_of_a_session_alone_is_said(bank: str, deck: str, tag: str) -> None:
    for item in items_of(bank, deck):
        found = BANKS[bank]
        entry = found.entries[item]
        session = session_of(item, bank=found)
        attempt = attempt_of(session, entry, Response())
        effects = (
            Ask(0),
            Mark(HOST, 0, ()),
            Tell(HOST, 0, attempt, feedback=True),
            Tell(HOST, 0, attempt, feedback=False),
            GiveHint(HOST, 0),
            Summarise((Result(0, item, attempt, counts=True),)),
            Summarise(()),
            Notice(News.TIME_UP),
            Refuse(Reason.CLOSED),
        )
        for effect in effects:
            (message,) = render(Step(session, (effect,)), found, (LANGUAGES[tag],), LANGUAGES[tag])
            assert text_of(message)
        assert render(Step(session, (Retire(0),)), found, (LANGUAGES[tag],), LANGUAGES[tag]) == ()


def test_question_of_an_item_that_is_gone_says_nothing() -> None:
    bank = BANKS["mixed"]
    session = session_of("kind-single", bank=bank)
    bare = replace(bank, entries={n: e for n, e in bank.entries.items() if n != "kind-single"})
    assert render(Step(session, (Ask(0),)), bare, (LANGUAGES["en"],), LANGUAGES["en"]) == ()


@pytest.mark.parametrize(
    ("response", "en", "ru"),
    [
        (Response(), "Skipped.", "Пропущено."),
        (Response(("a", "c")), "Right.", "Верно."),
        (Response(("a",)), "Partly right: 50%.", "Частично верно: 50\xa0%."),
        (Response(("b",)), "Wrong.", "Неверно."),
        (Response(("a", "b")), "Wrong.", "Неверно."),
    ],
)
def test_verdict_is_in_words(response: Response, en: str, ru: str) -> None:
    bank = BANKS["mixed"]
    session = session_of("kind-multiple", bank=bank)
    attempt = attempt_of(session, bank.entries["kind-multiple"], response)
    for tag, words in (("en", en), ("ru", ru)):
        t = LANGUAGES[tag]
        (message,) = render(Step(session, (Tell(HOST, 0, attempt, feedback=True),)), bank, (t,), t)
        assert message.verdict == words


@EVERY_DECK
def test_feedback_explains_the_very_option_that_was_chosen(bank: str, deck: str) -> None:
    for item in items_of(bank, deck):
        found = BANKS[bank]
        entry = found.entries[item]
        session = session_of(item, bank=found)
        for tag, words in entry.words.items():
            t = LANGUAGES[tag]
            for response in responses(entry):
                attempt = attempt_of(session, entry, response)
                (message,) = render(Step(session, (Tell(HOST, 0, attempt, feedback=True),)), found, (t,), t)
                said = told(message)
                assert plain(words.explanation) in said
                if entry.item.kind is Kind.SINGLE and response.chosen:
                    assert plain(words.options[response.chosen[0]].why) in said
                if attempt.grade != 1:
                    for option in entry.item.key:
                        assert plain(words.options[option].text) in said
                for source in entry.sources:
                    assert source.title in said


@EVERY_DECK
def test_question_never_shows_the_key_and_feedback_marks_it(bank: str, deck: str) -> None:
    for item in items_of(bank, deck):
        found = BANKS[bank]
        entry = found.entries[item]
        session = session_of(item, bank=found)
        t = LANGUAGES["en"]
        (asked,) = render(Step(session, (Ask(0),)), found, (t,), t)
        assert [choice.right for choice in asked.choices] == [None] * len(entry.item.options)
        assert [choice.letter for choice in asked.choices] == list(LETTERS[: len(entry.item.options)])
        assert not any(choice.note for choice in asked.choices)
        told = attempt_of(session, entry, Response())
        (message,) = render(Step(session, (Tell(HOST, 0, told, feedback=True),)), found, (t,), t)
        assert {choice.id for choice in message.choices if choice.right} == entry.item.key


def test_letters_follow_the_order_shown() -> None:
    planned = Planned("kind-multiple", ("c", "a", "b"))
    assert [letter_of(planned, option) for option in planned.options] == ["A", "B", "C"]
    assert len(LETTERS) == 12


def test_exam_tells_only_that_the_answer_is_recorded() -> None:
    bank = BANKS["mixed"]
    session = session_of("kind-single", bank=bank, policy=exam())
    attempt = attempt_of(session, bank.entries["kind-single"], Response(("a",)))
    t = LANGUAGES["en"]
    (message,) = render(Step(session, (Tell(HOST, 0, attempt, feedback=False),)), bank, (t,), t)
    assert plain(message.body) == "Recorded: A. You can change it until you go on."
    assert [choice.right for choice in message.choices] == [None, None]
    assert Verb.NEXT in {action.verb for action in message.actions}


# --- summaries


def test_summary_counts_what_counts_and_lists_what_was_missed() -> None:
    bank = BANKS["mixed"]
    session = session_of("kind-multiple", "kind-single", "wide-options", "kind-text", bank=bank)
    half = attempt_of(session, bank.entries["kind-multiple"], Response(("a",)))
    right = attempt_of(session, bank.entries["kind-single"], Response(("b",)), 1)
    results = (
        Result(0, "kind-multiple", half, counts=True),
        Result(1, "kind-single", right, counts=True),
        Result(2, "wide-options", None, counts=True),
        Result(3, "kind-text", None, counts=False),
    )
    for tag, line in (
        ("en", "Result: 1.5 points out of 3 (50%)."),
        ("ru", "Результат: 1,5 балла из 3 (50\xa0%)."),
    ):
        t = LANGUAGES[tag]
        (message,) = render(Step(session, (Summarise(results),)), bank, (t,), t)
        said = told(message)
        assert line in said
        assert plain(bank.entries["kind-text"].words[tag].stem) not in said
        assert {"en": "Four kinds: 75%", "ru": "Четыре вида: 75\xa0%"}[tag] in said
        assert [a.verb for a in message.actions] == [Verb.PRACTISE]
    assert mistakes(results) == ("kind-multiple", "wide-options")


def test_summary_without_anything_that_counts_claims_no_result() -> None:
    bank = BANKS["mixed"]
    session = replace(session_of("kind-single", bank=bank), ending=Ending.STOPPED)
    t = LANGUAGES["ru"]
    (message,) = render(Step(session, (Summarise(()),)), bank, (t,), t)
    assert plain(message.body) == "Тест остановлен.\nВы ни на что не ответили, поэтому результата нет."


def test_review_goes_through_every_answer_and_ends() -> None:
    bank = BANKS["mixed"]
    session = session_of("kind-single", "kind-text", bank=bank, policy=exam())
    results = (
        Result(0, "kind-single", attempt_of(session, bank.entries["kind-single"], Response(("a",))), counts=True),
        Result(1, "kind-text", None, counts=True),
    )
    first = review(session, results, 0, bank, LANGUAGES["en"])
    assert first is not None
    assert first.verdict == "Wrong."
    assert review(session, results, 1, bank, LANGUAGES["en"]) is None


# --- nothing is left in the other language

KNOWN_IN_RUSSIAN = frozenset({"dropout", "torch"})
"""Words of the trade that Russian texts write in Latin letters, outside code; names have a capital or a digit."""
GLOSS = re.compile(r"\([A-Za-z][^()а-яё]*\)")
"""The English term in brackets behind a Russian one."""
PLAIN_LATIN = re.compile(r"(?<![\w-])[a-z]{2,}(?![\w-])")


@EVERY_DECK
def test_russian_messages_have_no_english_leftovers(bank: str, deck: str) -> None:
    for item in items_of(bank, deck):
        found = BANKS[bank]
        entry = found.entries[item]
        if "ru" not in entry.words:
            continue
        own = {*(source.title for source in entry.sources), *entry.accepted, entry.valid_for}
        own |= {response.text for response in responses(entry)} | {form.rstrip("/") for form in entry.accepted}
        own = {form for form in own if re.search("[A-Za-z]", form)}
        messages = messages_of(found, item, LANGUAGES["ru"])
        assert len(messages) > 10
        for message in messages:
            for span in spans(message):
                if (
                    span.code
                    or span.link
                    or span.text in own
                    or any(s.version and s.version in span.text for s in entry.sources)
                ):
                    continue
                text = span.text
                for form in sorted(own, key=len, reverse=True):
                    text = text.replace(form, "") if form else text
                assert set(PLAIN_LATIN.findall(GLOSS.sub("", text))) <= KNOWN_IN_RUSSIAN, (item, text)
                assert "{" not in text or "{" in str(entry.words["ru"])


@EVERY_DECK
def test_english_messages_have_no_russian_leftovers(bank: str, deck: str) -> None:
    for item in items_of(bank, deck):
        found = BANKS[bank]
        entry = found.entries[item]
        for message in messages_of(found, item, LANGUAGES["en"]):
            for span in spans(message):
                if span.text not in entry.accepted:
                    text = span.text
                    for form in entry.accepted:
                        text = text.replace(form, "")
                    assert not re.search("[а-яё]", text, re.IGNORECASE), text


@EVERY_LANGUAGE
@EVERY_DECK
def test_words_of_actions_fit_a_button(bank: str, deck: str, tag: str) -> None:
    for item in items_of(bank, deck):
        for message in messages_of(BANKS[bank], item, LANGUAGES[tag]):
            assert all(0 < len(action.words) <= 38 for action in message.actions)


def test_grade_of_a_wrong_response_is_nothing() -> None:
    entry = BANKS["mixed"].entries["kind-number"]
    assert [grade(entry.item, r, entry.accepted) for r in responses(entry)] == [Fraction(0), Fraction(1), Fraction(0)]
