"""The course keeps what it promises: enough items, complete in both languages, fit for a chat."""

from __future__ import annotations

import re
import tomllib
from collections import Counter

import pytest

from bot.bank import check, plain
from bot.bank.style.prose import code_spans, fields
from bot.quiz import Kind
from tests.content.bank import CONTENT, COURSE, LANGUAGES, bank, by_module, entries, modules


def test_the_content_has_no_problem() -> None:
    assert [str(problem) for problem in check(CONTENT)] == []


def test_only_the_seed_is_excused_from_rules() -> None:
    assert [entry.item.id for entry in entries() if entry.waive] == []


def test_there_are_nine_modules_of_at_least_ten_items_and_over_a_hundred_and_twenty_in_all() -> None:
    assert len(modules()) == 9
    assert {module: len(found) for module, found in by_module() if len(found) < 10} == {}
    assert len(entries()) >= 120


def test_at_most_three_items_in_ten_ask_to_recall() -> None:
    assert sum(entry.item.level == 1 for entry in entries()) <= 0.3 * len(entries())
    for module, found in by_module():
        assert sum(entry.item.level == 1 for entry in found) <= 0.3 * len(found), module


def test_there_are_items_of_every_kind_and_of_four_levels() -> None:
    assert set(Counter(entry.item.kind for entry in entries())) == set(Kind)
    assert {entry.item.level for entry in entries()} >= {1, 2, 3, 4}


def test_every_item_says_everything_in_both_languages() -> None:
    for entry in bank().entries.values():
        assert not entry.missing, entry.item.id
        for language in LANGUAGES:
            words = entry.words[language]
            assert words.hint, (entry.item.id, language)
            assert words.brief, (entry.item.id, language)
            assert all(option.why for option in words.options.values()), (entry.item.id, language)


def test_every_item_names_its_facts_and_a_source_with_a_version() -> None:
    for entry in entries():
        assert entry.facts, entry.item.id
        assert entry.sources, entry.item.id
    versioned = [entry for entry in entries() if any(source.version for source in entry.sources)]
    assert len(versioned) >= 0.8 * len(entries())


def test_identifiers_are_the_same_in_both_languages() -> None:
    compared = 0
    for entry in entries():
        codes = [
            {name: Counter(code_spans(words)) for name, words in fields(entry, language) if "accept" not in name}
            for language in LANGUAGES
        ]
        keys = [{name.rpartition(".")[0] or name: found for name, found in code.items()} for code in codes]
        assert keys[0] == keys[1], entry.item.id
        compared += sum(sum(found.values()) for found in keys[0].values())
    assert compared > 500


def test_one_russian_term_stands_for_one_concept() -> None:
    terms = tomllib.loads((COURSE / "terms.toml").read_text(encoding="utf-8"))["term"]
    assert len(terms) >= 60
    assert max(Counter(term["ru"] for term in terms).values()) == 1
    assert max(Counter(term["en"] for term in terms).values()) == 1
    assert sum(bool(term.get("avoid")) for term in terms) >= 30  # the words that lint reports


BARE_NUMBER = re.compile(r"-?\d[\d\u00a0 ]*(?:[.,]\d+)?")


@pytest.mark.parametrize("language", LANGUAGES)
def test_options_that_are_numbers_ascend_and_are_shown_so(language: str) -> None:
    checked = 0
    for entry in entries():
        texts = [plain(option.text) for option in entry.words[language].options.values()]
        if entry.item.kind is Kind.SINGLE and all(BARE_NUMBER.fullmatch(text) for text in texts):
            numbers = [float(re.sub(r"[\u00a0 ]", "", text).replace(",", ".")) for text in texts]
            assert numbers == sorted(numbers), entry.item.id
            assert not entry.item.shuffle, entry.item.id
            checked += 1
    assert checked > 20
