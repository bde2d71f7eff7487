"""Plans: what is drawn, in which order it is asked, and in which order options are shown."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.quiz import Blueprint, Item, Kind, Plan, Planned, draw, grade, shown_order
from tests.quiz.world import COUNTED, ITEMS, MANY, ONE, TYPED, chosen

SEEDS = [f"seed{number}" for number in range(200)]


def item(name: str, module: str = "m", **rest: object) -> Item:
    return Item(name, Kind.SINGLE, ("a", "b", "c"), frozenset("a"), module=module, **rest)  # type: ignore[arg-type]


BANK = [item(f"{module}-{number:02}", module) for module in ("xxx", "yyy", "zzz") for number in range(10)]


def asked(blueprint: Blueprint, bank: list[Item] | None = None, seed: str = "s", **rest: object) -> tuple[str, ...]:
    plan = draw(blueprint, BANK if bank is None else bank, seed, **rest)  # type: ignore[arg-type]
    assert plan is not None
    return plan.items


def modules(names: tuple[str, ...]) -> Counter[str]:
    return Counter(name[:3] for name in names)


# --- options


MAMMALS = Item("mammals", Kind.SINGLE, ("a", "b", "c", "d"), frozenset("d"), fixed=frozenset("d"))
EVEN = Item("even", Kind.SINGLE, ("a", "b", "c", "d"), frozenset("c"), shuffle=False)
WHERE = Item("where", Kind.SINGLE, ("a", "b", "c", "d", "e"), frozenset("a"), fixed=frozenset("de"))


def test_all_of_the_above_stays_last_over_200_shuffles() -> None:
    orders = {shown_order(MAMMALS, seed) for seed in SEEDS}
    assert {order[-1] for order in orders} == {"d"}
    assert {order[:3] for order in orders} == set(permutations("abc"))


def test_two_fixed_options_stay_in_the_last_two_places_over_200_shuffles() -> None:
    orders = {shown_order(WHERE, seed) for seed in SEEDS}
    assert {order[-2:] for order in orders} == {("d", "e")}
    assert len(orders) == 6


def test_a_fixed_option_keeps_its_place_in_the_middle_too() -> None:
    middle = Item("middle", Kind.SINGLE, ("a", "b", "c"), frozenset("a"), fixed=frozenset("b"))
    assert {shown_order(middle, seed) for seed in SEEDS} == {("a", "b", "c"), ("c", "b", "a")}


def test_an_item_whose_options_name_each_other_is_never_shuffled() -> None:
    assert {shown_order(EVEN, seed) for seed in SEEDS} == {("a", "b", "c", "d")}


def test_a_quiz_that_does_not_shuffle_shows_every_option_in_the_order_of_the_file() -> None:
    plans = {draw(Blueprint("quiz", items=("mammals",), shuffle=False), [MAMMALS], seed) for seed in SEEDS}
    assert plans == {Plan((Planned("mammals", ("a", "b", "c", "d")),))}


def test_every_order_of_options_comes_about_equally_often() -> None:
    found = Counter(shown_order(item("fair"), f"{seed}") for seed in range(1200))
    assert set(found) == set(permutations("abc"))
    assert all(150 <= count <= 250 for count in found.values())  # 200 expected, 4 standard deviations are 52


def test_the_right_option_stands_in_every_place_about_equally_often() -> None:
    found = Counter(shown_order(item("fair"), f"{seed}").index("a") for seed in range(1200))
    assert all(335 <= found[place] <= 465 for place in range(3))


def test_two_items_of_one_session_are_shuffled_apart() -> None:
    same = sum(shown_order(item("one"), seed) == shown_order(item("two"), seed) for seed in SEEDS)
    assert 10 <= same <= 60  # a sixth of 200 is 33


@given(st.permutations("abcdef"), st.text(max_size=10))
def test_the_order_shown_depends_on_ids_and_seed_alone(order: list[str], seed: str) -> None:
    reordered = Item("many", Kind.SINGLE, tuple(order), frozenset("a"))
    assert shown_order(reordered, seed) == shown_order(Item("many", Kind.SINGLE, tuple("abcdef"), frozenset("a")), seed)


@pytest.mark.parametrize("typed_item", [TYPED, COUNTED])
def test_an_item_without_options_shows_none(typed_item: Item) -> None:
    assert shown_order(typed_item, "s") == ()


# --- a running session and a bank that changes


def test_a_plan_keeps_its_order_when_options_and_items_are_reordered_in_the_bank() -> None:
    blueprint = Blueprint("quiz", modules=("",), random=True)
    before = draw(blueprint, ITEMS, "s42")
    other_options = Item("one", Kind.SINGLE, ("c", "b", "a"), frozenset("b"))
    after = draw(blueprint, [COUNTED, TYPED, other_options, MANY], "s42")
    assert before is not None
    assert before == after


def test_a_button_pressed_after_a_reorder_still_means_the_option_it_showed() -> None:
    plan = draw(Blueprint("quiz", items=("one",)), [ONE], "s42")
    assert plan is not None
    pressed = plan[0].options[plan[0].options.index("b")]
    reordered = Item("one", Kind.SINGLE, ("c", "b", "a"), frozenset("b"))
    assert grade(reordered, chosen(pressed)) == 1


# --- which items


def test_named_items_are_asked_in_the_order_they_are_named() -> None:
    assert asked(Blueprint("quiz", items=("zzz-01", "xxx-09", "yyy-00"))) == ("zzz-01", "xxx-09", "yyy-00")


def test_named_items_that_are_not_in_the_bank_are_left_out() -> None:
    assert asked(Blueprint("quiz", items=("zzz-01", "retired", "yyy-00"))) == ("zzz-01", "yyy-00")


def test_a_count_takes_the_first_of_the_named_items() -> None:
    assert asked(Blueprint("quiz", items=("zzz-01", "xxx-09", "yyy-00"), count=2)) == ("zzz-01", "xxx-09")


def test_modules_are_asked_in_the_order_of_the_bank() -> None:
    assert asked(Blueprint("quiz", modules=("zzz", "xxx"))) == tuple(i.id for i in BANK if i.module in ("xxx", "zzz"))


def test_a_count_is_taken_evenly_from_the_modules_and_asked_in_the_order_of_the_bank() -> None:
    names = asked(Blueprint("quiz", modules=("xxx", "yyy", "zzz"), count=7))
    assert modules(names) == {"xxx": 3, "yyy": 2, "zzz": 2}
    assert list(names) == sorted(names)


def test_a_small_module_gives_all_it_has_and_the_others_the_rest() -> None:
    bank = [*BANK[:10], item("yyy-00", "yyy")]
    assert modules(asked(Blueprint("quiz", modules=("xxx", "yyy"), count=6), bank)) == {"xxx": 5, "yyy": 1}


@pytest.mark.parametrize("seed", SEEDS[:20])
def test_a_random_draw_is_even_too(seed: str) -> None:
    names = asked(Blueprint("quiz", modules=("xxx", "yyy", "zzz"), count=9, random=True), seed=seed)
    assert modules(names) == {"xxx": 3, "yyy": 3, "zzz": 3}


def test_a_random_draw_gives_every_item_its_chance_and_every_place() -> None:
    drawn = [asked(Blueprint("quiz", modules=("xxx", "yyy", "zzz"), count=9, random=True), seed=seed) for seed in SEEDS]
    often = Counter(name for names in drawn for name in names)
    assert set(often) == {i.id for i in BANK}
    assert all(30 <= count <= 95 for count in often.values())  # 60 expected
    assert {names[0] for names in drawn} == {i.id for i in BANK}


def test_the_same_seed_draws_the_same_plan_and_another_seed_another() -> None:
    blueprint = Blueprint("quiz", modules=("xxx", "yyy", "zzz"), count=9, random=True)
    assert draw(blueprint, BANK, "s1") == draw(blueprint, list(reversed(BANK)), "s1")
    assert draw(blueprint, BANK, "s1") != draw(blueprint, BANK, "s2")


def test_a_learner_may_ask_for_fewer_items_but_not_for_more() -> None:
    blueprint = Blueprint("quiz", modules=("xxx", "yyy", "zzz"), count=9)
    assert len(asked(blueprint, length=4)) == 4
    assert len(asked(blueprint, length=100)) == 9
    assert len(asked(Blueprint("quiz", modules=("xxx",)), length=100)) == 10
    assert len(asked(Blueprint("quiz", modules=("xxx",)), length=3)) == 3


def test_more_than_there_is_gives_all_there_is() -> None:
    assert asked(Blueprint("quiz", modules=("xxx",), count=99)) == tuple(i.id for i in BANK[:10])


@pytest.mark.parametrize(
    "blueprint",
    [Blueprint("quiz", items=("retired",)), Blueprint("quiz", modules=("no-such",)), Blueprint("quiz")],
)
def test_nothing_left_to_ask_is_no_plan(blueprint: Blueprint) -> None:
    assert draw(blueprint, BANK, "s") is None


# --- twins


def test_of_two_twins_only_one_is_asked_whichever_of_them_names_the_other() -> None:
    blueprint = Blueprint("quiz", modules=("xxx",))
    for twins in ({"xxx-01": "xxx-02"}, {"xxx-02": "xxx-01"}, {"xxx-01": "xxx-02", "xxx-02": "xxx-01"}):
        names = asked(blueprint, twins=twins)
        assert "xxx-01" in names
        assert "xxx-02" not in names
        assert len(names) == 9


def test_either_twin_has_its_chance_in_a_random_quiz() -> None:
    blueprint = Blueprint("quiz", modules=("xxx",), random=True)
    drawn = [set(asked(blueprint, seed=seed, twins={"xxx-01": "xxx-02"})) & {"xxx-01", "xxx-02"} for seed in SEEDS]
    assert Counter(next(iter(names)) for names in drawn).keys() == {"xxx-01", "xxx-02"}
    assert all(len(names) == 1 for names in drawn)


def test_a_twin_left_out_makes_room_for_another_item() -> None:
    assert len(asked(Blueprint("quiz", modules=("xxx",), count=5), twins={"xxx-00": "xxx-01"})) == 5


def test_both_twins_are_asked_if_both_are_named() -> None:
    assert asked(Blueprint("quiz", items=("xxx-01", "xxx-02")), twins={"xxx-01": "xxx-02"}) == ("xxx-01", "xxx-02")


# --- what was asked before


def test_what_was_never_asked_is_drawn_first_then_what_was_asked_longest_ago() -> None:
    before = {f"xxx-{number:02}": 100 - number for number in range(8)}  # 08 and 09 never, 07 longest ago
    blueprint = Blueprint("quiz", modules=("xxx",), random=True)
    assert set(asked(blueprint, last_asked=before, length=1)) <= {"xxx-08", "xxx-09"}
    assert set(asked(blueprint, last_asked=before, length=3)) == {"xxx-07", "xxx-08", "xxx-09"}


def test_what_was_asked_before_does_not_upset_a_fixed_order() -> None:
    before = {f"xxx-{number:02}": 100 - number for number in range(10)}
    assert asked(Blueprint("quiz", modules=("xxx",), count=3), last_asked=before) == ("xxx-07", "xxx-08", "xxx-09")
    named = ("xxx-05", "xxx-01", "xxx-09")
    assert asked(Blueprint("quiz", items=named), last_asked=before) == named


# --- the plan itself


def test_a_plan_has_something_to_ask_and_nothing_twice() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Plan(())
    with pytest.raises(ValueError, match="twice"):
        Plan((Planned("one", ("a", "b")), Planned("one", ("b", "a"))))


def test_a_plan_gives_its_items_by_position() -> None:
    plan = Plan((Planned("one", ("b", "a")), Planned("typed", ())))
    assert len(plan) == 2
    assert plan[0].options == ("b", "a")
    assert plan.items == ("one", "typed")
    assert plan.to_json() == [["one", "b", "a"], ["typed"]]
    assert Plan.from_json(plan.to_json()) == plan
