"""Grading: exact fractions, one documented normaliser for text, and numbers by value."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.quiz import Item, Kind, Number, Response, grade, normalise, readings, score
from tests.quiz.world import MANY, ONE, TYPED, chosen, typed

# --- choices


@pytest.mark.parametrize(("options", "expected"), [("b", 1), ("a", 0), ("c", 0), ("ab", 0), ("abc", 0)])
def test_a_single_choice_is_right_or_wrong(options: str, expected: int) -> None:
    assert grade(ONE, chosen(*options)) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("ab", Fraction(1)),
        ("ba", Fraction(1)),
        ("a", Fraction(1, 2)),
        ("abc", Fraction(1, 2)),
        ("ac", Fraction(0)),
        ("abcd", Fraction(0)),
        ("c", Fraction(0)),
        ("cd", Fraction(0)),  # never below 0
    ],
)
def test_a_multiple_choice_earns_right_minus_wrong_of_all_right(options: str, expected: Fraction) -> None:
    assert grade(MANY, chosen(*options)) == expected


def test_partial_credit_is_exact() -> None:
    item = Item("thirds", Kind.MULTIPLE, tuple("abcd"), frozenset("abc"))
    assert grade(item, chosen("a")) == Fraction(1, 3)
    assert sum((grade(item, chosen(option)) for option in "abc"), Fraction(0)) == 1


@given(st.sets(st.sampled_from("abcdef"), min_size=1), st.sets(st.sampled_from("abcdef"), min_size=1))
def test_full_marks_are_earned_by_the_key_and_nothing_else(key: set[str], options: set[str]) -> None:
    item = Item("any", Kind.MULTIPLE, tuple("abcdef"), frozenset(key))
    earned = grade(item, chosen(*options))
    assert 0 <= earned <= 1
    assert (earned == 1) == (options == key)


@pytest.mark.parametrize(
    "item", [ONE, MANY, TYPED, Item("count", Kind.NUMBER, answer=Number(Decimal(0)))], ids=lambda item: item.kind
)
def test_a_skip_earns_nothing_whatever_is_asked(item: Item) -> None:
    assert grade(item, Response(), ("", "0")) == 0


def test_a_response_is_a_skip_only_if_nothing_at_all_was_sent() -> None:
    assert Response().skipped
    assert not chosen("a").skipped
    assert not typed("0").skipped


# --- text


@pytest.mark.parametrize(
    ("accepted", "right", "wrong"),
    [
        (
            "doesn't",
            ["doesn't", "doesn’t", "doesnʼt", "DOESN´T", "doesn`t", "doesn‘t", "doesn＇t"],
            ["doesnt", "does nt"],
        ),
        ("«Обломов»", ["«Обломов»", '"Обломов"', "“обломов”", "Обломов", "„Обломов“", "'Обломов'"], ["Обломова"]),
        ("1939-1945", ["1939-1945", "1939–1945", "1939 — 1945", "1939−1945", "1939‑1945"], ["1939 1945", "19391945"]),
        ("и т. д.", ["и т. д.", "и т.д.", "и\u00a0т.\u00a0д.", "И Т. Д"], ["и тд", "ит.д."]),
        ("ёлка", ["елка", "ЁЛКА", "е\u0308лка"], ["йолка"]),
        (
            "safetensors",
            ["safetensors", " Safetensors. ", "SAFETENSORS!", "ｓａｆｅｔｅｎｓｏｒｓ", "safetensors…"],
            ["safe tensors"],
        ),
        ("3,5 ГБ", ["3.5 гб", "3,5\u00a0ГБ", "3,5  гб"], ["35 гб", "3, 5 гб"]),
        ("диск 5″ SSD", ['диск 5" ssd', "диск 5 SSD"], ["диск 5' SSD"]),
        ("torch.save", ["torch.save", "torch. save", "«torch.save»"], ["torch save", "torchsave"]),
        ("ZeRO-3", ["zero-3", "ZeRO–3", "zero - 3"], ["zero 3", "zero3"]),
        ("Straße", ["STRASSE", "straße"], ["strase"]),
    ],
)
def test_typed_words_are_compared_as_people_type_them(accepted: str, right: list[str], wrong: list[str]) -> None:
    assert [form for form in right if grade(TYPED, typed(form), (accepted,)) != 1] == []
    assert [form for form in wrong if grade(TYPED, typed(form), (accepted,)) != 0] == []


def test_any_accepted_form_in_any_language_will_do() -> None:
    accepted = ("optimizer state", "состояние оптимизатора")
    assert grade(TYPED, typed("Состояние оптимизатора"), accepted) == 1
    assert grade(TYPED, typed("optimizer  state"), accepted) == 1
    assert grade(TYPED, typed("optimizer"), accepted) == 0
    assert grade(TYPED, typed("optimizer state"), ()) == 0


@given(st.text(alphabet=st.sampled_from("aяёе\u0308Ё ,.1'’´\"«»-—−!?…\u00a0ßŐ\u0345²")))
@example('е"\u0308')  # quotation marks gone, a letter meets its dots
@example("Ё\u0308")  # a letter that has its dots already
@example("' . - '")
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text())
def test_normalising_any_text_twice_changes_nothing_more(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text(alphabet="абвabc123", min_size=1, max_size=8))
def test_quotes_case_and_spaces_around_a_word_do_not_matter(word: str) -> None:
    for form in (f"«{word}»", f'"{word.upper()}"', f"  {word}\n", f"{word}.", f"'{word}'"):
        assert normalise(form) == normalise(word)


# --- numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,5", ["1.5"]),
        ("1.5", ["1.5"]),
        ("1 000", ["1000"]),
        ("1\u00a0000", ["1000"]),
        ("1\u202f000\u202f000", ["1000000"]),
        ("1_000", ["1000"]),
        ("1 000,5", ["1000.5"]),
        ("1,000", ["1", "1000"]),
        ("0,500", ["0.5"]),
        ("12,345", ["12.345", "12345"]),
        ("1,000,000", ["1000000"]),
        ("1,000.5", ["1000.5"]),
        ("1,0000", ["1"]),
        ("−3", ["-3"]),
        ("–3", ["-3"]),
        ("- 3", ["-3"]),
        ("+3", ["3"]),
        (" 3 ", ["3"]),
        ("007", ["7"]),
        (".5", ["0.5"]),
        (",5", ["0.5"]),
        ("1e3", ["1000"]),
        ("1E3", ["1000"]),
        ("1,5e-3", ["0.0015"]),
        ("１２", ["12"]),
        ("٣", ["3"]),
        ("9" * 30, ["9" * 30]),
    ],
)
def test_a_typed_number_is_read(text: str, expected: list[str]) -> None:
    assert set(readings(text)) == {Decimal(number) for number in expected}


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "-", "+", ".", ",", "three", "NaN", "nan", "inf", "-inf", "Infinity", "1e", "e3", "0x10"),
        *("1 5", "12 34", "1 0000", "1 000 00", "1. 5", "1 ,5", "--3", "3-4", "1/2", "½", "10²", "10₂", "5%", "3 GB"),
        *("1.000.000", "1,00,000", "1e100", "1e999999999", "9" * 31, "0." + "0" * 31, "1\n2", "1e3e3", "1__000"),
    ],
)
def test_what_is_not_a_number_and_nothing_else_is_not_read(text: str) -> None:
    assert readings(text) == ()


@given(st.text(alphabet="0123456789 ,._-+e\u00a0²½", max_size=40))
def test_reading_never_fails_and_gives_at_most_two_finite_numbers(text: str) -> None:
    found = readings(text)
    assert len(found) <= 2
    assert all(number.is_finite() for number in found)


@given(st.integers(-(10**20), 10**20))
def test_a_whole_number_is_read_with_its_thousands_parted_by_spaces_or_commas(number: int) -> None:
    for form in (f"{number}", f"{number:,}", f"{number:,}".replace(",", " "), f"{number:,}".replace(",", "\u202f")):
        assert Decimal(number) in readings(form)


@given(st.decimals(-(10**6), 10**6, places=4))
def test_a_decimal_is_read_with_a_point_and_with_a_comma(number: Decimal) -> None:
    assert number in readings(f"{number}")
    assert number in readings(f"{number}".replace(".", ","))


def number(value: str, tolerance: str = "0") -> Item:
    return Item("count", Kind.NUMBER, answer=Number(Decimal(value), Decimal(tolerance)))


@pytest.mark.parametrize(
    ("item", "right", "wrong"),
    [
        (number("3"), ["3", "3,0", "3.000", "03", "+3", "30e-1"], ["4", "-3", "2.9999999999999999999999999999"]),
        (number("1000"), ["1000", "1 000", "1,000", "1e3"], ["1", "1.000", "100"]),
        (number("1"), ["1,000", "1.000"], ["1 000"]),
        (number("0.1"), ["0,1", ".1"], ["0.10000000000000000000000000001"]),
        (number("-3"), ["−3", "-3", "–3"], ["3"]),
        (number("14", "0.5"), ["13.5", "14,5", "14"], ["13.49999", "14.50000000000000000000000000001"]),
        (number("15"), ["15"], ["1 5"]),
        (number("102"), ["102"], ["10²"]),
        (number("1e99"), ["1e99"], ["1e98", "9e98"]),
    ],
)
def test_a_number_is_right_by_value_within_its_tolerance(item: Item, right: list[str], wrong: list[str]) -> None:
    assert [form for form in right if grade(item, typed(form)) != 1] == []
    assert [form for form in wrong if grade(item, typed(form)) != 0] == []


# --- scores


@pytest.mark.parametrize("parts", [3, 6, 7, 10])
def test_parts_add_up_to_exactly_full_marks(parts: int) -> None:
    assert score([Fraction(1, parts)] * parts, 1) == 1
    assert score([Fraction(1)] * parts, parts) == 1


def test_a_pass_mark_is_met_exactly() -> None:
    assert score([Fraction(1)] * 7, 10) >= Fraction("0.7")
    assert score([Fraction(1)] * 2, 3) < Fraction("0.67")
    assert score([Fraction(1)] * 997, 1000) == Fraction(997, 1000)
    assert score([Fraction(1, 2)], 1) == Fraction(1, 2)


def test_more_than_full_marks_are_a_bug_of_who_counted() -> None:
    with pytest.raises(ValueError, match="3/2 of 1"):
        score([Fraction(3, 2)], 1)
    with pytest.raises(ValueError, match="1 of 0"):
        score([Fraction(1)], 0)


def test_items_without_an_answer_count_0_and_no_items_make_a_score_of_0() -> None:
    assert score([Fraction(1)], 4) == Fraction(1, 4)
    assert score([], 4) == 0
    assert score([], 0) == 0


@given(st.lists(st.fractions(0, 1, max_denominator=12), min_size=1, max_size=12))
def test_equal_grades_are_a_tie_in_whatever_order_they_are_added(grades: list[Fraction]) -> None:
    assert (
        score(grades, len(grades))
        == score(sorted(grades, reverse=True), len(grades))
        == score(iter(grades), len(grades))
    )
