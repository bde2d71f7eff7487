"""Every style rule has a bad example, can be waived with a reason, and leaves a good item alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.bank import Problem, lint, load
from bot.bank.rules import BANK_STYLE, STYLE
from tests.bank.authors import DECK, ITEM, changed, course

TERMS = """\
latin = ["Quercus"]

[[term]]
en = "leaf"
ru = "лист"
avoid = ["листок", "листик*"]
avoid_en = ["leaflet*"]

[[term]]
en = "lobed"
ru = "лопастной"
"""

Change = tuple[str, str]
STEM_EN = "What does the edge of an oak leaf look like?"
STEM_RU = "Как выглядит край дубового листа?"
HINT_RU = "Вспомните волны."
LINE_EN = "An oak leaf has rounded lobes. Each lobe ends where a side vein ends."

BAD: list[tuple[str, str, list[Change]]] = [
    ("style.source", "source", [(ITEM[ITEM.index("source =") : ITEM.index("stem.en")], "")]),
    ("style.negative", "stem.en", [(STEM_EN, "Which edge does an oak leaf not have?")]),
    ("style.negative", "stem.en", [(STEM_EN, "What isn't an oak?")]),
    ("style.negative", "stem.ru", [(STEM_RU, "Какого края не бывает у дуба?")]),
    ("style.long", "stem.en", [(STEM_EN, "What, " + "and what, " * 20 + "is it?")]),
    ("style.long", "options.c.ru", [("Зубчатый", "Зубчатый, " * 8 + "да")]),
    ("style.long", "explanation.en", [(LINE_EN, "An oak leaf has rounded lobes.")]),
    ("style.long", "explanation.en", [(LINE_EN, "One. Two. Three. Four.")]),
    ("style.reference", "options.c.en", [("It is toothed", "All of the above")]),
    ("style.reference", "options.c.en", [("It is toothed", "None of these")]),
    ("style.reference", "options.c.en", [("It is toothed", "Both A and B")]),
    ("style.reference", "options.c.ru", [("Зубчатый", "Всё перечисленное")]),
    ("style.reference", "options.c.ru", [("Зубчатый", "варианты А и Б")]),
    ("style.reference", "options.c.ru", [("Зубчатый", "ни один из вариантов")]),
    ("style.reference", "explanation.ru", [("У дубового листа округлые", "Ответ B верен: округлые")]),
    ("style.reference", "options.a.why.en", [("Smooth edges are", "Option C is wrong: edges are")]),
    ("style.length", "options.en", [("It is lobed", "It is lobed all the way round")]),
    ("style.length", "options.ru", [("Зубчатый", "Зубчатый, как пила у лесоруба")]),
    ("style.absolute", "options.c.en", [("It is toothed", "Always toothed")]),
    ("style.absolute", "options.c.ru", [("Зубчатый", "Всегда зубчатый")]),
    ("style.hedge", "options.en", [("It is lobed", "Usually lobed")]),
    ("style.hedge", "options.ru", [("Лопастной", "Обычно лопасти")]),
    ("style.clang", "options.en", [("It is lobed", "A rounded one"), ("look like?", "look like, rounded?")]),
    ("style.clang", "options.ru", [("Лопастной", "Краевой"), ("Как выглядит край", "Каков краевой узор")]),
    ("style.clang", "options.en", [("It is lobed", "It is `lobed`"), ("look like?", "look like, `lobed`?")]),
    ("style.code", "hint", [("Think of waves.", "Think of `waves`.")]),
    ("style.code", "stem", [('stem.en = "What', 'stem.en = "```\\nx\\n```\\nWhat')]),
    ("style.alphabet", "hint.ru", [(HINT_RU, "Вспомните waves.")]),
    ("style.alphabet", "hint.ru", [(HINT_RU, "Вспомните МП3.")]),
    ("style.alphabet", "hint.en", [("Think of waves.", "Think of волны.")]),
    ("style.quotes", "hint.ru", [(HINT_RU, "Вспомните “волны”.")]),
    ("style.quotes", "hint.en", [("Think of waves.", "Think of «waves».")]),
    ("style.dash", "hint.ru", [(HINT_RU, "Дуб - это волны.")]),
    ("style.dash", "hint.en", [("Think of waves.", "Oak – think of waves.")]),
    ("style.dash", "hint.ru", [(HINT_RU, "Дуб—это волны.")]),
    ("style.space", "hint.ru", [(HINT_RU, "Вспомните 20 мин отдыха.")]),
    ("style.space", "hint.en", [("Think of waves.", "Think of 5 s of rest.")]),
    ("style.yo", "hint.ru", [(HINT_RU, "Вспомните ещё.".replace("ё", "е"))]),
    ("style.yo", "hint.ru", [(HINT_RU, "Вспомните счетчики.")]),
    ("style.term", "hint.ru", [(HINT_RU, "Вспомните листики.")]),
    ("style.term", "hint.en", [("Think of waves.", "Think of leaflets.")]),
]  # fmt: skip


def linted(root: Path, *changes: Change, waive: str = "") -> list[Problem]:
    head = f"level = 1\nwaive = {{{waive}}}" if waive else "level = 1"
    return lint(load(course(root, item=changed(ITEM, ("level = 1", head), *changes), terms__toml=TERMS)))


def test_a_good_item_breaks_no_rule(tmp_path: Path) -> None:
    assert linted(tmp_path) == []


@pytest.mark.parametrize(("rule", "field", "changes"), BAD)
def test_a_bad_item_is_reported_where_it_is_bad(tmp_path: Path, rule: str, field: str, changes: list[Change]) -> None:
    found = [(problem.rule, problem.field) for problem in linted(tmp_path, *changes)]
    assert (rule, field) in found


@pytest.mark.parametrize(("rule", "field", "changes"), BAD)
def test_a_rule_waived_with_a_reason_is_silent(tmp_path: Path, rule: str, field: str, changes: list[Change]) -> None:
    assert not [p for p in linted(tmp_path, *changes, waive=f'"{rule}" = "a reason"') if p.rule in {rule, "waive"}]


def test_every_rule_has_a_bad_example() -> None:
    assert {rule for rule, _, _ in BAD} == set(STYLE)


def test_a_waiver_that_excuses_nothing_is_reported(tmp_path: Path) -> None:
    (problem,) = linted(tmp_path, waive='"style.dash" = "a reason"')
    assert (problem.field, problem.todo) == ("waive.style.dash", "take the waiver out")


@pytest.mark.parametrize(
    "changes",
    [
        [(STEM_EN, "Which edge does an oak leaf NOT have?")],
        [(STEM_EN, "What happens if the leaf does not fall?")],
        [(STEM_RU, "Чего не хватает дубу?")],
        [(STEM_RU, "Почему дуб не теряет листья?")],
        [(STEM_EN, "The tree is old. " + "It stands in a field, " * 10 + "alone. What is its edge?")],
        [("It is lobed", "`a`"), ("It is smooth", "`b`"), ("It is toothed", "`much_longer_name`"),
         ("Лопастной", "`a`"), ("Он гладкий", "`b`"), ("Зубчатый", "`much_longer_name`")],
        [("look like?", "look like, lobed?")],
        [("It is lobed", "2"), ("It is smooth", "16"), ("It is toothed", "1024")],
        [("It is toothed", "Always toothed"), ("It is lobed", "Always lobed")],
        [("It is toothed", "Usually teeth"), ("It is lobed", "Usually lobed")],
        [(HINT_RU, "Вспомните латынь: Quercus, DNA, https://example.org/oak.")],
        [(HINT_RU, "Вспомните страницы 10–12 и кое-что ещё.")],
        [("Think of waves.", "Think of well-known waves, e.g. the sea's.")],
        [(LINE_EN, "It has lobes, e.g. Rounded ones. See p. 5 too! It ends at a vein.")],
    ],
)  # fmt: skip
def test_what_only_looks_bad_is_left_alone(tmp_path: Path, changes: list[Change]) -> None:
    assert linted(tmp_path, *changes) == []


def test_a_retired_item_is_not_looked_at(tmp_path: Path) -> None:
    bad = changed(ITEM, (HINT_RU, "Дуб - это волны."), ("level = 1", "level = 1\nretired = true"))
    assert lint(load(course(tmp_path, item=bad))) == []


def test_missing_words_are_reported_one_by_one_and_a_missing_language_at_once(tmp_path: Path) -> None:
    (one,) = linted(tmp_path / "one", ('hint.ru = "Вспомните волны."\n', ""))
    assert (one.field, one.rule) == ("hint.ru", "missing")
    item = "\n".join(line for line in ITEM.splitlines() if not line.startswith("ru =") and ".ru =" not in line)
    (all_,) = lint(load(course(tmp_path / "all", item=item)))
    assert (all_.field, all_.rule) == ("ru", "missing")
    assert "options.c.why" in all_.what


def test_mistakes_in_the_terms_are_reported_in_their_file(tmp_path: Path) -> None:
    bad = 'latin = "one"\n[[term]]\nen = "oak"\navoid = ["x"]\nnote = "?"\n'
    problems = lint(load(course(tmp_path, terms__toml=bad)))
    assert [(p.file, p.item, p.field) for p in problems] == [
        ("trees/terms.toml", "", "latin"),
        ("trees/terms.toml", "term 1", "ru"),
        ("trees/terms.toml", "term 1", "note"),
    ]


def many(places: str, *, deck: str = DECK, words: tuple[str, str, str] = ("smooth1", "lobed12", "tooth12")) -> str:
    """A module of single items with the key at each of the places."""
    texts = "".join(
        changed(
            ITEM,
            ("leaf-of-the-oak", f"leaf-{number}"),
            ('key = ["b"]', f'key = ["{place}"]'),
            ("It is smooth", words[0]),
            ("It is lobed", words[1]),
            ("It is toothed", words[2]),
        )
        for number, place in enumerate(places)
    )
    return f"{deck}\n{texts}"


def balance(root: Path, module: str) -> list[tuple[str, str, str]]:
    empty = changed(DECK, ('"leaves"', '"roots"'))
    problems = lint(load(course(root, item=changed(ITEM, ("leaf-of", "root-of")), deck=empty, many__toml=module)))
    return [(p.rule, p.field, p.what) for p in problems if p.rule in BANK_STYLE]


def test_keys_at_one_place_are_reported_for_the_bank_the_module_and_in_a_row(tmp_path: Path) -> None:
    said = [what for rule, _, what in balance(tmp_path, many("abc" * 10 + "a" * 15)) if rule == "style.position"]
    assert any(what.startswith("in the bank the key is option 1 in 25 of") for what in said)
    assert any(what.startswith("in module leaves the key is option 1 in 25 of") for what in said)
    assert any(what == "the key is option 1 in 15 items in a row" for what in said)


def test_evenly_spread_keys_are_left_alone(tmp_path: Path) -> None:
    assert not [found for found in balance(tmp_path, many("abc" * 14)) if found[0] == "style.position"]


def test_a_key_too_often_longest_or_shortest_is_reported_per_language(tmp_path: Path) -> None:
    found = balance(tmp_path, many("abc" * 14, words=("a leaf", "a leaflet", "a leaf's")))
    lengths = {(field, what.split(" option")[0]) for rule, field, what in found if rule == "style.key-length"}
    assert ("options.en", "the key is the longest") in lengths
    assert ("options.ru", "the key is the longest") in lengths


def test_too_many_negative_stems_are_reported_even_in_capitals(tmp_path: Path) -> None:
    module = many("abc" * 14).replace(STEM_EN, "Which edge does an oak NOT have?")
    assert ("style.negative", "stem") in {(rule, field) for rule, field, _ in balance(tmp_path, module)}


def test_rules_over_many_items_wait_for_forty_and_spare_a_seed_deck(tmp_path: Path) -> None:
    assert balance(tmp_path / "few", many("a" * 38)) == []
    assert balance(tmp_path / "seed", many("a" * 60, deck=DECK + "seed = true\n")) == []
    assert balance(tmp_path / "enough", many("a" * 39)) != []
