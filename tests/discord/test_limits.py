"""No content that the bank accepts exceeds a limit of Discord's, in any mode, alone or in both languages.

The limits are checked by simcord's validation of components, which is not ours, and once more in UTF-16 units.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from datetime import UTC, date, datetime
from fractions import Fraction
from pathlib import Path

from hypothesis import assume, given
from hypothesis import strategies as st
from simcord.components import ComponentValidationError, validate_components, walk_components

from bot.bank import Bank, ContentError, limits, load
from bot.bank.limits import length
from bot.chats import menus
from bot.chats.discord.layout import MAX_PAGES, Page, of_menu, of_message
from bot.chats.discord.text import escaped
from bot.present import Message, feedback, hint, question, review, summary
from bot.quiz import LEARN, Attempt, Kind, Phase, Plan, Planned, Policy, Response, Result, Session, exam, grade
from tests.discord.desk import kinds, languages, seed
from tests.discord.test_traps import TEMPLATES

EN, RU = languages()["en"], languages()["ru"]
AT = datetime(2026, 11, 30, tzinfo=UTC)

LOUD = "\\`*_~|<>#@[]()+-.:/1 \nж😀"
COMPONENTS_V2 = 1 << 15

MARK = "☑"
"""Ends every field, so that a test sees whether all of it arrived."""


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@st.composite
def words(draw: st.DrawFn, most: int, full: bool) -> str:
    """A field of at most so many UTF-16 units, loud or plain, often as long as it may be."""
    size = most if full else draw(st.sampled_from([most, most // 2, 5]))
    piece = draw(st.text(LOUD, min_size=1, max_size=12) | st.sampled_from(["слово ", "1.\n", "://", "**ж** ", "`b` "]))
    text = (piece * size)[: size // 2] if "😀" in piece else (piece * size)[: size - 3]
    return f"8 {text.replace('```', '`` ').rstrip()}{MARK}"


@st.composite
def decks(draw: st.DrawFn) -> str:
    """A deck of one item and its quiz, as an author might write it who goes to every limit."""
    full = draw(st.booleans())
    kind = draw(st.sampled_from(["multiple", "single", "text", "number"]))
    choice = kind in ("single", "multiple")
    options = "abcdefghijkl"[: limits.OPTIONS if full else draw(st.integers(2, limits.OPTIONS))] if choice else ""
    room = (limits.QUESTION - 2 * limits.STEM) // max(len(options), 1) // 2
    lines = [
        '[deck]\nid = "deck"\norder = 1',
        *(f"title.{tag} = {_toml(draw(words(limits.TITLE, full)))}" for tag in ("en", "ru")),
        '[[quiz]]\nid = "quiz"\nmodules = ["deck"]',
        *(f"title.{tag} = {_toml(draw(words(limits.TITLE, full)))}" for tag in ("en", "ru")),
        *(f"about.{tag} = {_toml(draw(words(limits.ABOUT, full)))}" for tag in ("en", "ru")),
        f'[[item]]\nid = "item"\nkind = "{kind}"\nlevel = 1\nfacts = ["T1"]',
    ]
    if choice:
        keys = [options[0]] if kind == "single" else draw(st.lists(st.sampled_from(options), min_size=1, unique=True))
        lines.append(f"key = {json.dumps(keys)}")
    if kind == "number":
        lines.append("answer = {value = 1.5, tolerance = 0.1}")
    sources = ", ".join(
        f"{{title = {_toml(draw(words(limits.SOURCE_TITLE, full)))}, url = 'https://e.org/{'x' * 280}', version = '1'}}"
        for _ in range(draw(st.integers(1, limits.SOURCES)))
    )
    lines.append(f"source = [{sources}]")
    for tag in ("en", "ru"):
        for field, most in (("stem", limits.STEM), ("hint", limits.HINT), ("explanation", limits.EXPLANATION)):
            lines.append(f"{field}.{tag} = {_toml(draw(words(most, full)))}")
        if kind == "text":
            lines.append(f"accept.{tag} = [{_toml('checkpoint ' + 'x' * (limits.ACCEPT - 12))}]")
    for option in options:
        lines.append(f"[item.options.{option}]")
        for tag in ("en", "ru"):
            text = draw(words(min(room, limits.OPTION - 2), full)).replace("\n", " ")
            lines.append(f"{tag} = {_toml(str(options.index(option)) + text)}")
            lines.append(f"why.{tag} = {_toml(draw(words(limits.WHY, full)))}")
    return "\n".join(lines)


COURSE = '[course]\nid = "course"\ntitle.en = "T"\ntitle.ru = "Т"\nabout.en = "A"\nabout.ru = "А"\n'


def bank_of(deck: str) -> Bank:
    """The bank of one deck; what it refuses is no example."""
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder) / "course"
        course.mkdir()
        (course / "course.toml").write_text(COURSE, encoding="utf-8")
        (course / "01-deck.toml").write_text(deck, encoding="utf-8")
        try:
            return load(Path(folder))
        except ContentError:
            assume(False)
            raise


def _session(bank: Bank, policy: Policy) -> Session:
    plan = Plan(tuple(Planned(entry.item.id, entry.item.options) for entry in bank.entries.values()))
    return Session("s" * 13, 1, "solo:1", 1, "quiz", policy, ("en",), plan, phase=Phase.CLOSED)


def _attempts(bank: Bank, session: Session, position: int) -> Iterator[Attempt]:
    """The right answer, all options or nonsense, the first option, and none."""
    item = bank.entries[session.plan[position].item].item
    responses = [Response()]
    if item.options:
        responses += [Response(tuple(o for o in item.options if o in item.key)), Response(item.options[:1])]
        if item.kind is Kind.MULTIPLE:
            responses.append(Response(item.options))
    else:
        responses.append(Response(text="*_" * 100))
    for response in responses:
        graded = grade(item, response, ()) if item.kind is not Kind.NUMBER or response.skipped else Fraction(0)
        yield Attempt(session.id, position, item.id, 1, response, graded, 0, AT, date(2026, 11, 30))


def messages(bank: Bank) -> Iterator[Message]:
    """Every message a solo session of all items can bring, in each mode and language, and questions in both."""
    for policy in (LEARN, exam(session_limit_s=60)):
        session = _session(bank, policy)
        results = []
        for position in range(len(session.plan)):
            for texts in ((EN,), (RU,), (EN, RU)):
                yield question(session, position, bank, texts)
                for attempt in _attempts(bank, session, position):
                    yield question(session, position, bank, texts, standing=attempt, chosen=attempt.response.chosen)
            for t in (EN, RU):
                yield hint(session, position, bank, t, learner=None)
                for attempt in _attempts(bank, session, position):
                    yield feedback(session, attempt, bank, t, last=True)
            results.append(
                Result(position, session.plan[position].item, list(_attempts(bank, session, position))[-1], counts=True)
            )
        for t in (EN, RU):
            yield summary(session, results, bank, t)
            for index in range(len(results)):
                if (shown := review(session, results, index, bank, t)) is not None:
                    yield shown


def check(page: Page) -> None:
    """Discord would take it."""
    components = page.view().to_components()
    try:
        validate_components(components, flags=COMPONENTS_V2)
    except ComponentValidationError as error:
        raise AssertionError(str(error)) from error
    parts = list(walk_components(components))
    assert len(parts) <= 40
    assert sum(length(part["content"]) for part in parts if part["type"] == 10) <= 4000
    for part in parts:
        if custom_id := part.get("custom_id"):
            assert len(custom_id) <= 100
            assert sum(template.fullmatch(custom_id) is not None for template in TEMPLATES) == 1
        assert length(part.get("label") or "") <= 80
        for option in part.get("options", ()):
            assert length(option["label"]) <= 100


def _arrived(message: Message, pages: list[Page]) -> None:
    """Nothing was left out: every field's end is there."""
    wanted = repr((message.head, message.choices, message.body)).count(MARK)
    found = sum(text.count(MARK) for page in pages for text in (*page.texts, page.attachment))
    assert found >= wanted


def hold(bank: Bank) -> int:
    """Check all there is to say about a bank; gives how many messages that was."""
    count = 0
    for message in messages(bank):
        pages = of_message(message, EN, bank.root)
        assert 1 <= len(pages) <= MAX_PAGES
        assert all(not page.rows for page in pages[:-1])
        for page in pages:
            check(page)
        _arrived(message, pages)
        count += 1
    for t in (EN, RU):
        menus_ = [menus.quizzes(bank, t), menus.language(languages(), t), menus.privacy(t), menus.forgetting(t)]
        menus_ += [menus.how(bank, quiz, t) for quiz in menus.playable(bank, t)]
        for menu in menus_:
            for page in of_menu(menu, t):
                check(page)
    return count


@given(decks())
def test_no_content_that_the_bank_accepts_exceeds_a_limit(deck: str) -> None:
    assert hold(bank_of(deck)) > 10


def test_the_shipped_course_and_the_bank_of_tests_are_within_the_limits() -> None:
    assert min(hold(seed()), hold(kinds())) > 10


def test_a_question_in_both_languages_is_one_message() -> None:
    for bank in (seed(), kinds()):
        session = _session(bank, LEARN)
        asked = [question(session, position, bank, (EN, RU)) for position in range(len(session.plan))]
        assert asked
        assert all(len(of_message(message, EN, bank.root)) == 1 for message in asked)


def test_many_quizzes_are_a_menu_of_the_first_twenty_five() -> None:
    from bot.chats.menus import said
    from bot.chats.payload import Pick

    menu = said("Which quiz?", *((f"Quiz {n}", Pick("quiz", (f"q{n}",))) for n in range(40)))
    (page,) = of_menu(menu, EN)
    check(page)
    assert "/quiz start" in page.texts[-1]


@given(st.text(LOUD, max_size=60))
def test_words_are_shown_as_they_stand(text: str) -> None:
    """Every mark is escaped, every `@` is followed by a joiner; without these the words are as they were."""
    shown = escaped(text)
    assert re.sub(r"\\(?=[^\w\s])|\\(?=\.)", "", shown.replace("\u2060", "")).count("@") == text.count("@")
    assert "@" not in shown.replace("@\u2060", "")
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_~|<\[\]]", shown)
    assert not re.search(r"^ *[#>+-]", shown, re.MULTILINE)
    assert "://" not in shown
