"""Languages: catalogues, plurals, numbers, dates and the choice of a language. Knows no quiz, no bank, no store.

A message's id is its English text, so what a catalogue lacks is shown in English and logged once; CI sees that nothing
is lacking.
Catalogues are compiled in memory when a language is first used: nobody can forget to compile them.
"""

from __future__ import annotations

import io
import logging
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.core import get_global, negotiate_locale
from babel.dates import format_date, format_datetime, format_time, get_day_names, get_timezone_location
from babel.numbers import format_decimal, format_percent, get_decimal_symbol
from babel.support import NullTranslations, Translations

log = logging.getLogger(__name__)

DEFAULT = "en"
"""The language of the message ids, and of whoever speaks none that we have."""

DOMAIN = "bot"

FOUND_ZONES = 8
"""Zones that a search gives at most. Chosen by us: as many buttons as one looks through."""

_ALIKE = 0.8
"""How alike a mistyped name has to be, 0 to 1 as `difflib` counts. Chosen by us: `Moskow` is Moscow, `UTC+3` is not."""

Number = int | Fraction | Decimal


class _Lacking(NullTranslations):
    """What stands in for a message that a catalogue lacks: its English, and a line in the log the first time."""

    def __init__(self, tag: str) -> None:
        super().__init__()
        self._tag = tag
        self._known: set[str] = set()

    def _say(self, message: str) -> None:
        if message not in self._known:
            self._known.add(message)
            log.warning("the catalogue of %s lacks %r", self._tag, message)

    def gettext(self, message: str) -> str:
        self._say(message)
        return message

    def ngettext(self, one: str, many: str, n: int) -> str:
        self._say(one)
        return one if n == 1 else many

    def upgettext(self, context: str, message: str) -> str:
        self._say(f"{context}: {message}")
        return message


class Language:
    """One language: its words, plurals, numbers and dates."""

    def __init__(self, tag: str, catalogue: Path) -> None:
        self.tag = tag
        self._catalogue = catalogue
        self._locale = Locale.parse(tag)

    def __repr__(self) -> str:
        return f"Language({self.tag!r})"

    @cached_property
    def _translations(self) -> Translations:
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        with self._catalogue.open("rb") as file:
            catalogue = read_po(file, locale=self.tag, domain=DOMAIN)
        compiled = io.BytesIO()
        write_mo(compiled, catalogue)
        compiled.seek(0)
        translations = Translations(compiled, domain=DOMAIN)
        translations.add_fallback(_Lacking(self.tag))
        return translations

    def gettext(self, message: str, **values: object) -> str:
        """The message in this language, with `{name}` filled in."""
        return self._fill(self._translations.ugettext(message), values)

    def pgettext(self, context: str, message: str, **values: object) -> str:
        """The message in this language, told apart by its context."""
        return self._fill(str(self._translations.upgettext(context, message)), values)

    def ngettext(self, one: str, many: str, n: Number, **values: object) -> str:
        """The message in the form that the number asks for; `{n}` is the number as this language writes it.

        A number that is not whole takes the form of 2, which is right in Russian (1,5 балла) and English (1.5 points).
        """
        whole = abs(int(n)) if n == int(n) else 2
        return self._fill(self._translations.ungettext(one, many, whole), {"n": self.number(n), **values})

    @staticmethod
    def _fill(text: str, values: Mapping[str, object]) -> str:
        return text.format(**values) if values else text

    def number(self, n: Number) -> str:
        """A number as this language writes it, at most two decimals, rounded half up, with a true minus sign."""
        exact = Fraction(n)
        text = format_decimal(_rounded(abs(exact), 2, ROUND_HALF_UP), format="#,##0.##", locale=self._locale)
        return f"−{text}" if exact < 0 else text

    @property
    def decimal_point(self) -> str:
        """What stands between the whole and its decimals, a point or a comma."""
        return str(get_decimal_symbol(self._locale))

    def percent(self, share: Fraction) -> str:
        """A share as a percentage, rounded half up to whole per cent.

        What is not quite all is never shown as 100%, what is not quite nothing never as 0%: these get one decimal.

        Raises:
            ValueError: The share is not within 0 to 1.
        """
        if not 0 <= share <= 1:
            raise ValueError(f"{share} is not a share")
        shown = _rounded(share, 2, ROUND_HALF_UP)
        if (shown == 1) != (share == 1) or (shown == 0) != (share == 0):
            shown = max(_rounded(share, 3, ROUND_FLOOR), Decimal("0.001"))
        pattern = self._locale.percent_formats[None].pattern.replace("##0", "##0.#")
        return format_percent(shown, format=pattern, locale=self._locale)

    def day(self, day: date) -> str:
        """A date in words, such as `30 November 2026`."""
        return format_date(day, "long", locale=self._locale)

    def weekday(self, number: int) -> str:
        """A weekday in a few letters, 0 is Monday."""
        return str(get_day_names("abbreviated", "stand-alone", locale=self._locale)[number])

    def clock(self, moment: time | datetime) -> str:
        """The time of day, hours and minutes."""
        return format_time(moment, "HH:mm", locale=self._locale)

    def moment(self, moment: datetime) -> str:
        """Weekday, day and time in the zone the moment carries, such as `Mon 30 Nov, 09:00`."""
        return format_datetime(moment, "EEE d MMM, HH:mm", tzinfo=moment.tzinfo, locale=self._locale)

    def city(self, zone: str) -> str:
        """The city that stands for a zone: CLDR's exemplar city.

        Args:
            zone: An IANA name; an older one of the same zone gives the same city.

        Raises:
            LookupError: There is no such zone.
        """
        return str(get_timezone_location(zone, locale=self._locale, return_city=True))

    def country(self, territory: str) -> str:
        """The name of a country by its two letters; empty if there is none."""
        return str(self._locale.territories.get(territory, ""))

    @property
    def first_week_day(self) -> int:
        """The day a week begins with, 0 is Monday."""
        return int(self._locale.first_week_day)

    @property
    def name(self) -> str:
        """What the language calls itself, with a capital letter."""
        name = self._locale.get_display_name(self._locale) or self.tag
        return name[:1].upper() + name[1:]


def _rounded(n: Fraction, places: int, rounding: str) -> Decimal:
    unit = Decimal(1).scaleb(-places)
    return (Decimal(n.numerator) / Decimal(n.denominator)).quantize(unit, rounding)


def offset(zone: str, at: datetime) -> str:
    """How far a zone's clocks are from UTC at a moment, such as `UTC+3`, `UTC−3:30`, or `UTC`."""
    ahead = at.astimezone(ZoneInfo(zone)).utcoffset() or timedelta()
    hours, minutes = divmod(round(abs(ahead).total_seconds() / 60), 60)
    if not hours and not minutes:
        return "UTC"
    return f"UTC{'−' if ahead < timedelta() else '+'}{hours}{f':{minutes:02}' if minutes else ''}"


def _folded(name: str) -> str:
    """A name as it is searched: no case, no accents (ё is е), no signs but single spaces."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(c))
    return " ".join(re.sub(r"[\W_]", " ", plain).split())


class Languages:
    """All languages we speak, and which one to speak to whom."""

    def __init__(self, root: Path, aliases: Mapping[str, str] | None = None) -> None:
        """Find the catalogues; they are read when first used.

        Args:
            root: The folder `locales`, one `<tag>/LC_MESSAGES/bot.po` per language.
            aliases: The operator's wish for languages we lack, such as `uk` to `ru`.

        Raises:
            FileNotFoundError: There is no English catalogue.
        """
        catalogues = sorted(root.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))
        self._by_tag = {path.parent.parent.name: Language(path.parent.parent.name, path) for path in catalogues}
        if DEFAULT not in self._by_tag:
            raise FileNotFoundError(f"no catalogue for {DEFAULT} in {root}")
        self._aliases = dict(aliases or {})
        self._unknown: set[str] = set()

    def __getitem__(self, tag: str) -> Language:
        return self._by_tag[tag]

    @property
    def tags(self) -> Sequence[str]:
        """The languages we speak, English first."""
        return sorted(self._by_tag, key=lambda tag: (tag != DEFAULT, tag))

    def negotiate(self, *wishes: str | None) -> Language:
        """The language for somebody.

        Args:
            wishes: Language tags by falling importance, in any spelling (`ru`, `ru-RU`, `RU_ru`); None, empty and
                unknown ones are passed over.

        Returns:
            The first wish that we speak, else English.
        """
        for wish in wishes:
            if wish and (tag := self._match(wish)):
                return self._by_tag[tag]
        return self._by_tag[DEFAULT]

    def speaks(self, wish: str | None) -> bool:
        """Whether a language tag names a language we have."""
        return bool(wish) and self._match(wish or "") is not None

    def _match(self, wish: str) -> str | None:
        try:
            language = Locale.parse(wish.strip().replace("-", "_")).language
        except (UnknownLocaleError, ValueError, TypeError):
            language = ""
        if matched := negotiate_locale([language, self._aliases.get(language, "")], list(self._by_tag)):
            return matched
        if len(self._unknown) < 1000 and wish not in self._unknown:
            self._unknown.add(wish)
            log.info("language %r is not spoken here", wish[:40])
        return None

    def of_environment(self, environ: Mapping[str, str]) -> Language:
        """The language of a terminal: the first of LANGUAGE (a list), LC_ALL, LC_MESSAGES and LANG that is set decides.

        C and POSIX mean English.
        """
        for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
            if value := environ.get(name, "").strip(":"):
                tags = [tag.partition(".")[0].partition("@")[0] for tag in value.split(":")]
                return self.negotiate(*(DEFAULT if tag in ("C", "POSIX") else tag for tag in tags))
        return self._by_tag[DEFAULT]

    # --- zones by the names of cities

    def find_zones(self, query: str, t: Language, at: datetime) -> list[tuple[str, str]]:
        """The zones whose city is meant, in whichever of our languages it is written.

        The beginning of a name finds it, the beginning of a word in it, the name of a country whose zones fit in the
        answer, an IANA name, and a name with a slip of the pen.

        Args:
            query: As it was typed; what is longer than 60 characters finds nothing.
            t: The language the cities are shown in.
            at: For the offsets shown.

        Returns:
            IANA name and label, such as `Berlin, UTC+1`; the best first, at most 8; empty if nothing is alike.
        """
        wanted = _folded(query) if len(query) <= 60 else ""
        if not wanted:
            return []
        found = [
            (rank, t.city(zone), zone)
            for zone, (cities, others) in self._zones.items()
            if (rank := _rank(wanted, cities, others)) is not None
        ]
        if not found:
            names = {city: zone for zone, (cities, _) in self._zones.items() for city in cities}
            close = get_close_matches(wanted, names, FOUND_ZONES, _ALIKE)
            found = [(i, "", zone) for i, zone in enumerate(dict.fromkeys(names[name] for name in close))]
        best = [zone for _, _, zone in sorted(found)[:FOUND_ZONES]]
        return [(zone, ", ".join(dict.fromkeys((t.city(zone), offset(zone, at))))) for zone in best]

    @cached_property
    def _zones(self) -> Mapping[str, tuple[list[str], list[str]]]:
        """By zone: its cities' names in all languages, and the other names it is found by, as they are searched."""
        found = {}
        territories: Mapping[str, str] = get_global("zone_territories")
        sizes = Counter(territories.values())
        for zone, territory in [*territories.items(), ("UTC", "ZZ")]:
            if territory == "ZZ" and zone != "UTC":
                continue  # Etc/GMT+3 and the like, which are no places
            try:
                cities = [_folded(language.city(zone)) for language in self._by_tag.values()]
            except LookupError:  # a zone that tzdata does not know yet
                continue
            others = [_folded(zone)]
            if sizes[territory] <= FOUND_ZONES:
                others += [_folded(language.country(territory)) for language in self._by_tag.values()]
            found[zone] = (cities, others)
        return found


def _rank(wanted: str, cities: Sequence[str], others: Sequence[str]) -> int | None:
    """How well names fit what was typed, 0 is best; None if they do not."""
    fits = (
        wanted in cities,
        any(city.startswith(wanted) for city in cities),
        any(f" {wanted}" in city for city in cities),
        wanted in others,
        any(f" {wanted}" in f" {other}" for other in others),
    )
    return fits.index(True) if any(fits) else None
