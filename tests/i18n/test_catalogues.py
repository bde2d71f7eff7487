"""The catalogues are complete, in every language, as `make locales` would leave them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from bot.settings import LANGUAGES
from locales.__main__ import ROOT, lacks, merged, path_of, read, template, text_of

PLACEHOLDER = re.compile(r"\{(\w+)\}")
TAGS = sorted(path.parent.parent.name for path in ROOT.glob("*/LC_MESSAGES/bot.po"))
WANTED = template()


def _messages(tag: str) -> list[Message]:
    found = [message for message in read(tag) if message.id]
    assert len(found) > 100
    return found


def _forms(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string)


def _ids(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


def test_the_languages_of_the_settings_are_those_with_a_catalogue() -> None:
    assert sorted(LANGUAGES) == TAGS == ["en", "ru"]


@pytest.mark.parametrize("tag", TAGS)
def test_catalogue_has_every_message_of_the_program_and_no_other(tag: str) -> None:
    wanted = {(str(message.id), message.context) for message in WANTED if message.id}
    assert {(str(message.id), message.context) for message in _messages(tag)} == wanted


@pytest.mark.parametrize("tag", TAGS)
def test_no_translation_is_missing_or_fuzzy(tag: str) -> None:
    assert [m.id for m in _messages(tag) if lacks(m)] == []
    assert [m.id for m in _messages(tag) if m.fuzzy] == []


@pytest.mark.parametrize("tag", TAGS)
def test_placeholders_are_those_of_the_message(tag: str) -> None:
    differing = [
        (message.id, form)
        for message in _messages(tag)
        for form in _forms(message)
        if set(PLACEHOLDER.findall(form)) != set(PLACEHOLDER.findall(_ids(message)[-1]))
    ]
    assert differing == []


@pytest.mark.parametrize(("tag", "forms"), [("en", 2), ("ru", 3)])
def test_plurals_have_every_form_of_the_language(tag: str, forms: int) -> None:
    plural = [message for message in _messages(tag) if message.pluralizable]
    assert len(plural) >= 5
    assert {len(message.string) for message in plural} == {forms}
    assert read(tag).num_plurals == forms


@pytest.mark.parametrize("tag", TAGS)
def test_the_file_is_what_make_locales_would_write(tag: str) -> None:
    assert path_of(tag).read_text(encoding="utf-8") == text_of(merged(WANTED, read(tag), tag))


def test_the_template_is_what_make_locales_would_write() -> None:
    assert (ROOT / "bot.pot").read_text(encoding="utf-8") == text_of(WANTED)


def test_english_says_what_the_program_says() -> None:
    assert [m.id for m in _messages("en") if _forms(m) != _ids(m)] == []


def test_russian_quotes_and_dashes_are_russian() -> None:
    bad = re.compile(r'["“”]|\w - \w|\.\.\.')
    assert [form for m in _messages("ru") for form in _forms(m) if bad.search(form)] == []


def test_a_message_keeps_its_edges() -> None:
    """A translation ends as the message does: the same full stop, colon or none."""
    ends = re.compile(r"[.:?!…]?$")
    differing = [
        (message.id, form)
        for message in _messages("ru")
        for form in _forms(message)
        if ends.search(form)[0] != ends.search(_ids(message)[-1])[0]  # type: ignore[index]
    ]
    assert differing == []


def _calls() -> list[tuple[Path, ast.Call]]:
    names = {"gettext", "ngettext", "pgettext"}
    found = []
    for path in sorted((ROOT.parent / "bot").rglob("*.py")):
        if path.name == "i18n.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names:
                found.append((path, node))
    assert len(found) > 100
    return found


def test_only_literal_messages_are_translated() -> None:
    """A message put together at run time would be in no catalogue."""
    counts = {"gettext": 1, "ngettext": 2, "pgettext": 2}
    loose = [
        f"{path}:{call.lineno}"
        for path, call in _calls()
        for argument in call.args[: counts[call.func.attr]]  # type: ignore[attr-defined]
        if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str))
    ]
    assert loose == []


def test_every_placeholder_of_a_message_is_filled_where_it_is_used() -> None:
    unfilled = []
    for path, call in _calls():
        texts = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        given = {keyword.arg for keyword in call.keywords} | {"n"}
        if missing := {name for text in texts for name in PLACEHOLDER.findall(text)} - given:
            unfilled.append((f"{path}:{call.lineno}", missing))
    assert unfilled == []
