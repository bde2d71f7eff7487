"""A folder of content becomes a bank, or the author is told what is wrong with the folder."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from bot.bank import Bank, Code, ContentError, Paragraph, Picture, Proof, Source, Span, load, plain
from bot.quiz import Kind
from tests.bank.authors import COURSE, DECK, ITEM, changed, course, write


def problems(root: Path) -> list[str]:
    with pytest.raises(ContentError) as caught:
        load(root)
    return [str(problem) for problem in caught.value.problems]


def test_a_sound_course_becomes_a_bank(tmp_path: Path) -> None:
    bank = load(course(tmp_path))
    entry = bank.entries["leaf-of-the-oak"]
    assert bank.courses["trees"].title == {"en": "Trees", "ru": "Деревья"}
    assert bank.decks["leaves"].where == entry.where == "trees/01-leaves.toml"
    assert (entry.item.kind, entry.item.options, entry.item.key) == (Kind.SINGLE, ("a", "b", "c"), {"b"})
    assert (entry.item.module, entry.item.level, entry.item.shuffle) == ("leaves", 1, True)
    assert entry.sources == (Source("A field guide", "https://example.org/trees", "2nd edition"),)
    assert list(entry.words) == ["en", "ru"]
    assert entry.words["ru"].options["b"].text == (Paragraph((Span("Лопастной"),)),)
    assert plain(entry.words["en"].options["a"].why) == "Smooth edges are found on a beech."
    assert entry.words["en"].brief == "Rounded lobes, one for each side vein."


def test_modules_stand_by_order_and_items_as_in_their_file(tmp_path: Path) -> None:
    second = changed(ITEM, ("leaf-of-the-oak", "second"))
    first = changed(DECK, ('"leaves"', '"first"'), ("order = 1", "order = 0")) + changed(
        ITEM, ("leaf-of-the-oak", "zzz")
    )
    bank = load(course(tmp_path, item=ITEM + second, x9__toml=first))
    assert list(bank.decks) == ["first", "leaves"]
    assert list(bank.entries) == ["zzz", "leaf-of-the-oak", "second"]


def test_numbers_are_exact(tmp_path: Path) -> None:
    item = """
[[item]]
id = "a-third-of-a-metre"
kind = "number"
level = 3
answer = {value = 0.1, tolerance = 0.025}
stem.en = "How much?"
explanation.en = "So much."
"""
    bank = load(course(tmp_path, item=item, deck=DECK.replace('title.ru = "Листья"\n', "")))
    answer = bank.entries["a-third-of-a-metre"].item.answer
    assert answer is not None
    assert (answer.value, answer.tolerance) == (Decimal("0.1"), Decimal("0.025"))


def test_accepted_forms_of_all_languages_count_together(tmp_path: Path) -> None:
    item = """
[[item]]
id = "tree-with-acorns"
kind = "text"
level = 1
accept.en = ["oak", "oak tree"]
accept.ru = ["дуб", "oak"]
stem.en = "Which tree has acorns?"
stem.ru = "На каком дереве растут жёлуди?"
explanation.en = "Acorns are the nuts of the oak."
explanation.ru = "Жёлуди — это плоды дуба."
"""
    bank = load(course(tmp_path, item=item))
    assert bank.entries["tree-with-acorns"].accepted == ("oak", "oak tree", "дуб")


def test_further_fields_reach_the_entry(tmp_path: Path) -> None:
    item = changed(
        ITEM,
        (
            "level = 1",
            """level = 1
proof = "oak"
valid_for = "all oaks"
twin = "second"
image = {file = "images/oak.png", alt.en = "A leaf", alt.ru = "Лист"}
retired = true
shuffle = false
fixed = ["c"]
waive = {"style.length" = "names of shapes"}""",
        ),
        ('stem.en = "What', 'stem.en = "**What**'),
        ('brief.en = "Rounded', 'brief.en = "`Rounded`'),
    )
    root = course(tmp_path, item=item + changed(ITEM, ("leaf-of-the-oak", "second")))
    index = '[oak]\nscript = "1"\noutput = "2"\nversions = "Python 3.11.7"\ndate = "2026-11-30"\n'
    files = {"oak.py": "print('acorns')\n", "oak.out": "acorns\n", "index.toml": index}
    write(root, {f"trees/proofs/{name}": text for name, text in files.items()})
    write(root, {"trees/images/oak.png": b"\x89PNG"})
    bank = load(root)
    entry = bank.entries["leaf-of-the-oak"]
    assert entry.proof == Proof("oak", "print('acorns')", "acorns", "Python 3.11.7", date(2026, 11, 30))
    assert (entry.valid_for, entry.twin, entry.retired) == ("all oaks", "second", True)
    assert (entry.item.shuffle, entry.item.fixed, entry.waive) == (False, {"c"}, {"style.length": "names of shapes"})
    assert entry.words["ru"].image == Picture("trees/images/oak.png", "Лист")
    assert entry.words["en"].stem[0] == Paragraph(
        (Span("What", bold=True), Span(" does the edge of an oak leaf look like?"))
    )
    assert entry.words["en"].brief == "Rounded lobes, one for each side vein."
    assert [item.id for item in bank.live(["en", "ru"])] == ["second"]
    assert bank.twins == {"leaf-of-the-oak": "second"}


def test_quizzes_of_courses_and_modules_are_found(tmp_path: Path) -> None:
    quiz = """
[[quiz]]
id = "all-leaves"
title.en = "All leaves"
title.ru = "Все листья"
modules = ["leaves"]
count = 1
mode = "exam"
minutes = 5
daily = true
"""
    root = course(
        tmp_path,
        item=ITEM
        + quiz.replace("all-leaves", "oaks").replace('modules = ["leaves"]\ncount = 1', 'items = ["leaf-of-the-oak"]'),
    )
    write(root, {"trees/course.toml": COURSE + quiz})
    bank = load(root)
    drawn, named = bank.quizzes["all-leaves"], bank.quizzes["oaks"]
    assert (drawn.blueprint.modules, drawn.blueprint.count, drawn.blueprint.random) == (("leaves",), 1, True)
    assert (drawn.exam, drawn.minutes, drawn.daily, drawn.course) == (True, 5, True, "trees")
    assert (named.blueprint.items, named.blueprint.random) == (("leaf-of-the-oak",), False)


def test_a_bank_in_one_language_is_sound(tmp_path: Path) -> None:
    deck = DECK.replace('title.en = "Leaves"\n', "")
    item = "\n".join(line for line in ITEM.splitlines() if not line.startswith(("en =",)) and ".en =" not in line)
    bank = load(course(tmp_path, item=item, deck=deck))
    assert list(bank.entries["leaf-of-the-oak"].words) == ["ru"]
    assert not bank.entries["leaf-of-the-oak"].missing


def test_an_incomplete_language_is_not_offered_and_not_lost(tmp_path: Path) -> None:
    bank = load(course(tmp_path, item=changed(ITEM, ('why.ru = "Гладкий край бывает у бука."\n', ""))))
    entry = bank.entries["leaf-of-the-oak"]
    assert list(entry.words) == ["en"]
    assert entry.missing == {"ru": ("options.a.why",)}


def test_a_fenced_block_keeps_its_backslashes_and_tabs_become_spaces(tmp_path: Path) -> None:
    item = changed(
        ITEM,
        (
            'stem.en = "What does the edge of an oak leaf look like?"',
            "stem.en = '''\nLook:\n```python\nif r'C:\\new':\n\tpass\n```\nWhat now?'''",
        ),
    )
    words = load(course(tmp_path, item=item)).entries["leaf-of-the-oak"].words["en"]
    assert words.stem[1] == Code("if r'C:\\new':\n    pass", "python")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "has no courses"),
        ({"README.md": "x"}, "has no courses"),
        ({"stray.toml": "x"}, "stray.toml: stands outside a course"),
        ({"trees/notes.txt": "x"}, "trees/course.toml: is missing"),
        ({"trees/course.toml": COURSE}, "trees: has no modules"),
        ({"trees/course.toml": COURSE, "trees/a.toml": DECK}, "trees/a.toml: has no items"),
        ({"trees/course.toml": COURSE, "trees/a.toml": ITEM}, "trees/a.toml: deck: is missing"),
        ({"trees/course.toml": COURSE, "trees/a.toml": "x = " + "[" * 100_000}, "trees/a.toml: is nested too deeply"),
        ({"trees/course.toml": COURSE, "trees/a.toml": "x = " + "9" * 5000}, "trees/a.toml: is not TOML"),
        ({"trees/course.toml": COURSE, "trees/a.toml": b"\xff\xfex"}, "trees/a.toml: is not UTF-8 (line 1)"),
        ({"trees/course.toml": COURSE, "trees/a.toml/x": ""}, "trees/a.toml: cannot be read"),
    ],
)
def test_a_folder_that_is_no_bank_is_explained(tmp_path: Path, files: dict[str, str | bytes], said: str) -> None:
    assert any(said in line for line in problems(write(tmp_path, files)))


def test_a_missing_folder_and_a_file_in_its_place_are_explained(tmp_path: Path) -> None:
    assert "does not exist" in problems(tmp_path / "nowhere")[0]
    (tmp_path / "bank").write_text("")
    assert "is a file, not a folder" in problems(tmp_path / "bank")[0]


def test_links_may_not_lead_out_of_the_content(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"course.toml": COURSE, "deck.toml": DECK + ITEM, "x.png": b"x", "p.py": ""})
    item = changed(ITEM, ("level = 1", 'level = 1\nproof = "p"\nimage = {file = "x.png", alt.en = "A", alt.ru = "А"}'))
    root = course(tmp_path / "content", item=item)
    (root / "linked").symlink_to(outside)
    (root / "trees" / "linked.toml").symlink_to(outside / "deck.toml")
    (root / "trees" / "x.png").symlink_to(outside / "x.png")
    (root / "trees" / "proofs").symlink_to(outside)
    said = [line for line in problems(root) if "leads out of the content" in line]
    assert [line.split(": ")[0] for line in said] == [
        "linked",
        "trees/01-leaves.toml",
        "trees/01-leaves.toml",
        "trees/01-leaves.toml",
        "trees/linked.toml",
    ]


def test_modules_that_need_each_other_in_a_circle_are_reported(tmp_path: Path) -> None:
    other = changed(DECK, ('"leaves"', '"roots"')) + 'needs = ["leaves"]\n' + changed(ITEM, ("leaf-of", "root-of"))
    said = problems(course(tmp_path, deck=DECK + 'needs = ["roots"]\n', roots__toml=other))
    assert len(said) == 2
    assert all("needs itself through other modules" in line for line in said)


def test_a_quiz_that_asks_for_more_than_there_is_or_for_retired_items_is_reported(tmp_path: Path) -> None:
    quizzes = """
[[quiz]]
id = "greedy"
title.en = "A"
title.ru = "А"
modules = ["leaves"]
count = 1
[[quiz]]
id = "late"
title.en = "A"
title.ru = "А"
items = ["leaf-of-the-oak"]
"""
    said = problems(course(tmp_path, item=changed(ITEM, ("level = 1", "level = 1\nretired = true")) + quizzes))
    assert any("greedy: count: asks for 1 of 0 items" in line for line in said)
    assert any("late: items: `leaf-of-the-oak` is retired" in line for line in said)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("nan", "not a number"),
        ("inf", "not a number"),
        ("1e99", "not a number"),
        ("1e-99", "not a number"),
        ("9" * 31, "not a number"),
        ("true", "is a boolean"),
        ('"3"', "is a string"),
        ("2020-01-01", "is a date"),
    ],
)
def test_a_number_no_learner_could_type_is_reported(tmp_path: Path, value: str, said: str) -> None:
    item = f'[[item]]\nid = "abc"\nkind = "number"\nlevel = 1\nanswer.value = {value}\n'
    item += 'stem.en = "A?"\nexplanation.en = "A."\n'
    (line,) = problems(course(tmp_path, item=item))
    assert "abc: answer.value" in line
    assert said in line


def test_options_are_equal_when_nobody_could_tell_them_apart(tmp_path: Path) -> None:
    equal = changed(ITEM, ('"Лопастной"', '"Ёлка"'), ('"Зубчатый"', '"  е\u0308лка "'), ('"Он гладкий"', '"Елка"'))
    (line,) = problems(course(tmp_path, item=equal))
    assert "options.c.ru: reads the same as option b" in line


def test_options_in_code_may_differ_in_case_alone(tmp_path: Path) -> None:
    code = changed(ITEM, ('"It is lobed"', '"`true`"'), ('"It is toothed"', '"`True`"'))
    assert load(course(tmp_path, item=code)).entries


def test_a_question_too_long_for_one_message_in_two_languages_is_reported(tmp_path: Path) -> None:
    more = "".join(
        f'[item.options.x{n}]\nen = "{"long " * 38}{n}"\nru = "да {n}"\nwhy.en = "w"\nwhy.ru = "п"\n' for n in range(9)
    )
    lines = problems(course(tmp_path, item=ITEM + more))
    assert len(lines) == 1
    assert "stem and options in en need" in lines[0]


@pytest.mark.parametrize("count", [1, 13])
def test_one_option_and_thirteen_are_too_few_and_too_many(tmp_path: Path, count: int) -> None:
    start = ITEM.index("[item.options.a]")
    options = "".join(
        f'[item.options.{chr(97 + n)}]\nen = "{n}"\nru = "{n}"\nwhy.en = "w"\nwhy.ru = "п"\n' for n in range(count)
    )
    item = changed(ITEM[:start], ('key = ["b"]', 'key = ["a"]')) + options
    (line,) = problems(course(tmp_path, item=item))
    assert f"options: are {count}, not 2 to 12" in line


def test_a_problem_in_one_item_does_not_hide_the_next(tmp_path: Path) -> None:
    item = changed(ITEM, ("level = 1", "level = 7"))
    lines = problems(course(tmp_path, item=item + changed(item, ("leaf-of-the-oak", "second"))))
    assert [line.split(": ")[1] for line in lines] == ["leaf-of-the-oak", "second"]


def test_the_bank_knows_the_folder_it_was_read_from(tmp_path: Path) -> None:
    bank: Bank = load(course(tmp_path))
    assert (bank.root / "trees" / "course.toml").is_file()
