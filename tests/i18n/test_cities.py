"""A zone is found by the name of its city, in both languages, whatever language is shown."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.i18n import FOUND_ZONES, Languages, offset
from locales.__main__ import ROOT

LANGUAGES = Languages(ROOT)
EN, RU = LANGUAGES["en"], LANGUAGES["ru"]
WINTER, SUMMER = datetime(2026, 11, 30, 9, tzinfo=UTC), datetime(2026, 7, 1, 9, tzinfo=UTC)
ZONES = sorted(LANGUAGES._zones)


def labels(query: str, tag: str = "ru", at: datetime = WINTER) -> list[str]:
    return [label for _, label in LANGUAGES.find_zones(query, LANGUAGES[tag], at)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        *[("Москва", "Москва, UTC+3"), ("мос", "Москва, UTC+3"), ("Moscow", "Москва, UTC+3")],
        *[("НЬЮ-ЙОРК", "Нью-Йорк, UTC−5"), ("нью йорк", "Нью-Йорк, UTC−5"), ("york", "Нью-Йорк, UTC−5")],
        *[("Moskow", "Москва, UTC+3"), ("Новосибрск", "Новосибирск, UTC+7"), ("  берлин ", "Берлин, UTC+1")],
        *[("Kolkata", "Калькутта, UTC+5:30"), ("St. John’s", "Сент-Джонс, UTC−3:30"), ("лондон", "Лондон, UTC")],
        *[("Europe/Berlin", "Берлин, UTC+1"), ("utc", "UTC"), ("Сербия", "Белград, UTC+1")],
    ],
)
def test_a_city_is_found_however_it_is_written(query: str, first: str) -> None:
    assert labels(query)[0] == first


def test_yo_and_ye_are_one_letter() -> None:
    assert LANGUAGES.find_zones("Бюзинген на Верхнём Рейне", EN, WINTER)[0][0] == "Europe/Busingen"


def test_the_city_is_shown_in_the_language_of_the_reader_with_the_offset_of_the_day() -> None:
    assert labels("берлин", "en") == ["Berlin, UTC+1"]
    assert labels("берлин", "en", SUMMER) == ["Berlin, UTC+2"]
    assert LANGUAGES.find_zones("берлин", EN, WINTER) == [("Europe/Berlin", "Berlin, UTC+1")]


@pytest.mark.parametrize("query", ["", " - ", "!", "Atlantis", "UTC+3", "м" * 61, "Россия"])
def test_what_is_no_city_finds_nothing(query: str) -> None:
    assert labels(query) == []


def test_a_search_that_fits_many_gives_a_few_in_order() -> None:
    found = labels("са")
    assert len(found) == FOUND_ZONES
    assert found == sorted(found)


@pytest.mark.parametrize("tag", ["en", "ru"])
def test_every_zone_is_found_by_its_own_name_in_every_language(tag: str) -> None:
    assert len(ZONES) > 400
    for zone in ZONES:
        assert LANGUAGES.find_zones(LANGUAGES[tag].city(zone), RU, WINTER)[0][0] == zone
        assert ZoneInfo(zone)


def test_an_older_name_of_a_zone_has_the_same_city() -> None:
    assert EN.city("Europe/Kiev") == EN.city("Europe/Kyiv") == "Kyiv"
    assert RU.city("Asia/Calcutta") == "Калькутта"
    assert RU.city("UTC") == "UTC"


@given(st.text(max_size=70))
def test_any_text_may_be_searched(query: str) -> None:
    found = LANGUAGES.find_zones(query, EN, WINTER)
    assert len(found) <= FOUND_ZONES
    assert {zone for zone, _ in found} <= set(ZONES)


@pytest.mark.parametrize("zone", ["Asia/Kathmandu", "Pacific/Chatham", "America/St_Johns", "Etc/UTC", "Asia/Tokyo"])
def test_an_offset_says_how_far_the_clocks_are(zone: str) -> None:
    shown = {
        "Asia/Kathmandu": "UTC+5:45",
        "Pacific/Chatham": "UTC+13:45",
        "America/St_Johns": "UTC−3:30",
        "Etc/UTC": "UTC",
        "Asia/Tokyo": "UTC+9",
    }
    assert offset(zone, WINTER) == shown[zone]
