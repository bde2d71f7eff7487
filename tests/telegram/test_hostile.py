"""Hostile texts arrive as they are: no markup, no mention, no turned line, whoever wrote them. Cases of the formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.bank import Bank, Code, ContentError, Paragraph, Span, clean, load
from bot.chats.telegram.text import texts
from bot.present import Choice, Message
from tests.far_ends.telegram import FarEnd
from tests.far_ends.telegram.fixtures import far_end  # noqa: F401
from tests.far_ends.telegram.text import formatted
from tests.telegram.desk import desk

JOINER = "\u2060"

HOSTILE = st.lists(
    st.sampled_from(
        [
            "<b>", "</b>", "&", "&amp;", "<script>", "@everyone", "@here", "@example_user", "#tag", "# h", "> q",
            "*", "**", "_", "__init__", "`", "```", "~~", "[x](https://example.org)", "![i](y)", "tg://user?id=1", "\\",
            "-", "+", "=", "|", "{", "}", ".", "!", "1. ", "🧪", "👩‍🔬", "🙂", "\u202e", "\u202d", "\u2066", "\u2069",
            "||s||", "\u200b",
            "\u200e", "\u200f", "\u2028", "\r", "\t", "\n", " ", "שלום", "سلام", "е\u0301", "a\u030a", "слово", "word",
        ]
    ),
    max_size=12,
).map("".join)  # fmt: skip

OURS = {"bold", "italic", "code", "pre", "text_link"}
FOUND_BY_TELEGRAM = {"url", "email", "bot_command", "cashtag", "phone_number"}
"""What Telegram links by itself and what calls nobody."""


def as_stored(message: Message) -> tuple[str, list[dict[str, Any]]]:
    """What Telegram keeps of a message, without our joiners."""
    (page,) = texts(message)
    stored = formatted(page.characters, [entity.to_dict() for entity in page.entities])
    return stored.text.replace(JOINER, ""), stored.entities


@given(plain=HOSTILE, bold=HOSTILE, code=HOSTILE, option=HOSTILE)
def test_any_text_arrives_character_for_character_without_markup_or_mention(
    plain: str, bold: str, code: str, option: str
) -> None:
    plain, bold, code, option = (f"x{clean(text)}x" for text in (plain, bold, code, option))
    spans = (Span(plain), Span(" "), Span(bold, bold=True), Span(" "), Span(code, code=True))
    head = (Paragraph(spans), Code(code, "text"))
    shown, entities = as_stored(Message(head=head, choices=(Choice("a", "A", (Paragraph((Span(option),)),)),)))
    assert shown == f"{plain} {bold} {code}\n\n{code}\n\nA. {option}"
    kinds = [entity["type"] for entity in entities if entity["type"] not in FOUND_BY_TELEGRAM]
    assert sorted(kinds) == ["bold", "bold", "code", "pre"]


def author(folder: Path, words: list[dict[str, Any]]) -> Bank:
    """A bank with single-choice items, in order."""
    course = folder / "hostile"
    course.mkdir(parents=True, exist_ok=True)
    (course / "course.toml").write_text('[course]\nid = "hostile"\ntitle.en = "@here"\n', encoding="utf-8")
    parts = ['[deck]\nid = "deck"\ntitle.en = "Deck"\norder = 1\n[[quiz]]\nid = "all"\nshuffle = false\n']
    parts.append('title.en = "@here старт [нажми](tg://user?id=1)"\nmodules = ["deck"]\n')
    for number, item in enumerate(words):
        kind = item.get("kind", "single")
        parts.append(
            f'[[item]]\nid = "item-{number}"\nkind = "{kind}"\nlevel = 1\nfacts = ["H1"]\nshuffle = false\n'
            f'source = [{{title = "@here"}}]\nstem.en = {json.dumps(item["stem"], ensure_ascii=False)}\n'
            'explanation.en = "@everyone: so."\n'
        )
        if kind == "text":
            parts.append(f"accept.en = {json.dumps(item['accept'])}\n")
            continue
        parts.append('key = ["a"]\n')
        for letter, option in zip("abcdefghijkl", item["options"], strict=False):
            parts.append(
                f'[item.options.{letter}]\nen = {json.dumps(option, ensure_ascii=False)}\nwhy.en = "So {letter}."\n'
            )
    (course / "deck.toml").write_text("".join(parts), encoding="utf-8")
    return load(folder)


MENTIONS = [
    {"stem": "Что делает @everyone в чате?", "options": ["зовёт @here", "ничего", "<@&123456789012345678>", "<@!42>"]},
    {"stem": "Что делает __init__ и a*b*c в Python?", "options": [
        "вызов ** двух", "if a < b and c > d:", "C:\\_new\\*", "![x](y)", "1. первый", "``"]},
    {"stem": "Ответ скрыт ||здесь||?", "options": ["да", "нет"]},
]  # fmt: skip


async def test_cases_75_and_76_names_and_content_are_shown_as_they_are(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path, author(tmp_path / "content", MENTIONS)) as one:
        a = far_end.person("<b>@everyone</b> `x", last_name="||\u202eйинеч||", username="snake_case_name")
        await one.types(a, "/start")
        await one.presses(a, "1/begin")
        for number, item in enumerate(MENTIONS):
            question = far_end.last(a)
            shown = question.words.replace(JOINER, "")
            assert item["stem"] in shown
            assert all(
                f"{letter}. {option}" in shown for letter, option in zip("ABCDEF", item["options"], strict=False)
            )
            await one.presses(a, "A")
            assert "Right." in question.words, number
            await one.presses(a, ":n")
        kinds = {entity["type"] for message in far_end.messages(a) for entity in message.text.entities}
        assert kinds <= OURS | FOUND_BY_TELEGRAM
        assert "text_link" not in kinds
        assert all(call.fields.get("parse_mode") is None for call in far_end.calls())


async def test_case_30_offsets_count_utf_16_units(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    stem = '🧪👩\u200d🔬 Что выведет `print("🙂"*2)`? **Выберите один.**'
    bank = author(tmp_path / "content", [{"stem": stem, "options": ["`🙂🙂`", "`2`", "🧪 ошибка"]}])
    async with desk(far_end, tmp_path, bank) as one:
        a = far_end.person("A")
        await one.types(a, "/start item_item-0")
        message = far_end.last(a)
        shown = message.text.text.encode("utf-16-le")
        found = {
            entity["type"]: shown[2 * entity["offset"] : 2 * (entity["offset"] + entity["length"])].decode("utf-16-le")
            for entity in reversed(message.text.entities)
        }
        code = next(entity for entity in message.text.entities if entity["type"] == "code")
        assert (code["offset"], code["length"]) == (20, 13)
        assert (found["code"], found["bold"]) == ('print("🙂"*2)', "Выберите один.")


async def test_case_31_no_character_turns_a_line_around(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    words = [
        {"stem": "מהי בירת צרפת?", "options": ["פריז", "לונדון"]},
        {"stem": "Как пишется «мир» по-арабски?", "options": ["سلام", "\u202eмалас", "شمس"]},
    ]
    with pytest.raises(ContentError, match=r"U\+202E"):
        author(tmp_path / "content", words)
    words[1]["options"][1] = "малас"
    async with desk(far_end, tmp_path, author(tmp_path / "content", words)) as one:
        a = far_end.person("A")
        await one.types(a, "/start item_item-1")
        await one.presses(a, "A")
        assert "Right." in far_end.last(a).words
        await one.types(a, "/stop")
        await one.types(a, "/start item_item-0")
        assert "A. פריז" in far_end.last(a).words


TYPED = [
    (["doesn't"], ["doesn't", "doesn’t", "doesnʼt", "DOESN´T"], ["doesnt"]),
    (["«Обломов»"], ["«Обломов»", '"Обломов"', "“обломов”", "Обломов"], ["Обломова"]),
    (["1939-1945"], ["1939-1945", "1939–1945", "1939 — 1945", "1939−1945"], ["1939 1945"]),
    (["и т. д."], ["и т. д.", "и т.д.", "и т.\u00a0д."], []),
]


async def test_case_28_typed_answers_are_compared_without_the_habits_of_keyboards(
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
) -> None:
    words = [{"kind": "text", "stem": f"К{n}?", "accept": accept} for n, (accept, _, _) in enumerate(TYPED)]
    async with desk(far_end, tmp_path, author(tmp_path / "content", words)) as one:
        a = far_end.person("A")
        for number, (_, right, wrong) in enumerate(TYPED):
            for typed in (*right, *wrong):
                await one.types(a, f"/start item_item-{number}")
                await one.types(a, typed)
                assert far_end.last(a).words.startswith("Right.") == (typed in right), typed
                await one.types(a, "/stop")


async def test_a_hostile_typed_answer_comes_back_as_it_is(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    words = [{"kind": "text", "stem": "?", "accept": ["x"]}]
    async with desk(far_end, tmp_path, author(tmp_path / "content", words)) as one:
        a = far_end.person("A")
        await one.types(a, "/start item_item-0")
        await one.types(a, "<b>@everyone</b> `x` **y** [z](tg://user?id=1) #tag")
        told = far_end.last(a)
        assert "<b>@everyone</b> `x` **y** [z](tg://user?id=1) #tag" in told.words.replace(JOINER, "")
        assert {entity["type"] for entity in told.text.entities} <= {"bold", "italic"} | FOUND_BY_TELEGRAM


CASE = [
    {"stem": "Столица Франции?", "options": ["Париж", "Лион"]},
    {"stem": "2+2?", "options": ["4", "5"]},
    {"stem": "Чётное?", "options": ["8", "7"]},
]


async def test_case_59_a_restart_in_the_middle_loses_nothing_and_asks_nothing_twice(
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
) -> None:
    async with desk(far_end, tmp_path, author(tmp_path / "content", CASE)) as one:
        a = far_end.person("A")
        await one.types(a, "/start")
        await one.presses(a, "1/begin")
        await one.presses(a, "A")
        await one.presses(a, ":n")
        second = far_end.last(a)
        await one.restart(after_s=10)
        await one.presses(a, "A")
        assert "Right." in second.words
        await one.presses(a, ":n")
        await one.restart(after_s=4000)
        await one.presses(a, "A")
        await one.presses(a, ":n")
        assert "3 points out of 3" in far_end.last(a).words
        stems = [item["stem"] for item in CASE]
        assert [sum(stem in m.words for m in far_end.messages(a)) for stem in stems] == [1, 1, 1]
        await one.types(a, "/stop")
        assert far_end.last(a).buttons == ["All quizzes"]


async def test_case_60_a_bank_in_another_order_changes_no_open_session(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path, author(tmp_path / "content", CASE)) as one:
        a = far_end.person("A")
        await one.types(a, "/start")
        await one.presses(a, "1/begin")
        path = tmp_path / "content" / "hostile" / "deck.toml"
        head, *items = path.read_text(encoding="utf-8").split("[[item]]\n")
        path.write_text("[[item]]\n".join([head, *reversed(items)]), encoding="utf-8")
        await one.restart(bank=load(tmp_path / "content"))
        for item in CASE:
            assert item["stem"] in far_end.last(a).words
            await one.presses(a, "A")
            assert "Right." in far_end.last(a).words
            await one.presses(a, ":n")
        assert "3 points out of 3" in far_end.last(a).words


FORGED = ["", "1", "1:s1", "2:s1:0:aa", "1:s1:999:aa", "1:s1:0:z", "1/lang/xx", "1/again/99999999999", "ключ"]


@pytest.mark.parametrize("data", FORGED)
async def test_a_forged_or_old_payload_gets_a_polite_answer(far_end: FarEnd, tmp_path: Path, data: str) -> None:  # noqa: F811
    async with desk(far_end, tmp_path) as one:
        a, b = far_end.person("A"), far_end.person("B")
        await one.begins(a)
        await one.types(b, "/start")
        for person in (a, b):
            query = person.sends_data(far_end.last(person), data)
            await one.settled(person)
            assert query.toast
        assert await one.attempts(a) == []
        assert await one.read(lambda tx: tx.inbox.quarantined()) == []
