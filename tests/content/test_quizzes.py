"""Every quiz draws what its words promise."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.app import catalogues
from bot.bank import Quiz, plain
from bot.chats.menus import how
from bot.quiz import Plan, draw
from tests.content.bank import LANGUAGES, bank, by_module, entries, modules

SEEDS = [f"session{number}" for number in range(20)]


def drawn(quiz: Quiz, language: str, seed: str) -> Plan:
    plan = draw(quiz.blueprint, bank().live([language]), seed, twins=bank().twins)
    assert plan is not None
    return plan


def count(plan: Plan) -> Counter[str]:
    return Counter(bank().entries[planned.item].item.module for planned in plan)


def test_the_seed_quiz_comes_first() -> None:
    assert next(iter(bank().quizzes)) == "seed"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_module_has_a_quiz_of_all_its_items_under_its_own_title(language: str) -> None:
    for module, found in by_module():
        quiz = bank().quizzes[f"module-{module}"]
        assert quiz.title == bank().decks[module].title
        assert quiz.about[language]
        assert count(drawn(quiz, language, "x")) == {module: len(found)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "wanted", "minutes"), [("placement", 12, None), ("final-exam", 30, 45)])
def test_placement_and_final_exam_draw_evenly_from_all_modules(
    name: str, wanted: int, minutes: int | None, language: str
) -> None:
    quiz = bank().quizzes[name]
    assert (quiz.exam, quiz.minutes) == (True, minutes)
    plans = {seed: drawn(quiz, language, seed) for seed in SEEDS}
    for plan in plans.values():
        per_module = count(plan)
        assert len(plan) == wanted
        assert set(per_module) == set(modules())
        assert max(per_module.values()) - min(per_module.values()) <= 1
    assert len({tuple(planned.item for planned in plan) for plan in plans.values()}) == len(SEEDS)


def test_there_is_one_pool_of_daily_questions_and_it_holds_every_item_of_the_modules() -> None:
    pools = [quiz for quiz in bank().quizzes.values() if quiz.daily]
    assert [quiz.blueprint.id for quiz in pools] == ["daily"]
    items = {entry.item.id for entry in entries()}
    pairs = {frozenset(pair) for pair in bank().twins.items() if items.issuperset(pair)}
    plans = [{planned.item for planned in drawn(pools[0], "ru", seed)} for seed in SEEDS]
    for plan in plans:
        assert all(len(pair & plan) == 1 for pair in pairs)
        assert plan >= items.difference(*pairs)
    assert set().union(*plans) == items


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_module_names_the_modules_to_know_first(language: str) -> None:
    t = catalogues(None)[language]
    needing = [deck for deck in bank().decks.values() if deck.needs]
    assert len(needing) >= 5
    for deck in bank().decks.values():
        if deck.seed:
            continue
        shown = plain(how(bank(), bank().quizzes[f"module-{deck.id}"], t).words)
        for other in bank().decks.values():
            assert (other.title[language] in shown) == (other is deck or other.id in deck.needs), (deck.id, other.id)
