"""The panel of the daily question: a menu whose buttons say everything, for moderators of the place it is for.

The platform has checked that whoever presses may administer the place. No platform is known here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from bot.bank import Bank, plain
from bot.chats.context import Context
from bot.chats.menus import Menu, said
from bot.chats.payload import Pick
from bot.i18n import Language
from bot.present import Message, line, preview, titled
from bot.present.daily import Panel, Past, duration, news, past, quiet, stands_still
from bot.present.daily import panel as panel_words
from bot.present.question import words_of
from bot.quiz import Step
from bot.store import Daily, Place, Post, Run, Tx
from bot.tutor.daily import choose, hand_over, keep, next_runs, post_now, remove, void_run

OPEN_H = (1, 3, 6, 10, 24)
"""How long a question may stay open, in hours. Chosen by us."""

QUIET = ((time(22), time(8)), (time(23), time(7)), (time(20), time(9)))
"""Quiet hours to choose from. Chosen by us."""

PAST = 7
"""Past runs shown. Chosen by us: a week."""

CITY = "city"
"""Kind of a post that asks for a city by a typed reply; its payload has `daily`."""

AGAIN = "again"
"""News of a notice: a post may not have arrived; its payload has `post` and `place`."""


@dataclass(frozen=True, slots=True)
class Turned:
    """What a press on the panel left."""

    menu: Menu | None = None
    """Takes the panel's place."""
    toast: str = ""
    step: Step | None = None
    """A question that was posted now."""
    preview: tuple[Message, ...] = ()
    """For the moderator alone."""
    ask_city: int = 0
    """The daily question whose zone is to be found by a typed city; 0 asks nothing."""


class Dailies:
    """The use cases of the panel, over one transaction each."""

    def __init__(self, context: Context, polls: Callable[[Place], bool] | None = None) -> None:
        """Prepare.

        Args:
            context: The tutor's means.
            polls: Whether a place is asked by native polls; None where the platform has none.
        """
        self._context, self._polls = context, polls

    @property
    def _bank(self) -> Bank:
        return self._context.bank

    def open(self, tx: Tx, place: Place, moderator: int, t: Language, at: datetime) -> Menu:
        """The panel of a place; the first time with sensible settings, paused until somebody starts it."""
        known = tx.dailies.of_place(place.id)
        return self._panel(tx, known[0] if known else self._new(tx, place, moderator, t, at), t, at)

    def _new(self, tx: Tx, place: Place, moderator: int, t: Language, at: datetime) -> Daily:
        pools = [quiz for quiz in self._bank.quizzes.values() if quiz.daily] or list(self._bank.quizzes.values())
        locale = self._context.languages.negotiate(place.locale, t.tag).tag
        new = Daily(
            id=0,
            place=place.id,
            moderator=moderator,
            at=time(9),
            zone=place.zone or "UTC",
            weekdays=frozenset(range(7)),
            quiz=pools[0].blueprint.id if pools else "",
            locales=(locale,),
            open_s=10 * 3600,
            paused=True,
        )
        return keep(tx, new, at)

    def turn(self, tx: Tx, pick: Pick, by: int, t: Language, at: datetime, new_id: str) -> Turned:
        """A button of a panel was pressed: `daily`, then the id, then what is wanted."""
        number, *wanted = pick.values or ("0",)
        daily = tx.dailies.get(int(number)) if number.isdecimal() else None
        if daily is None:
            return Turned(said(t.gettext("This daily question no longer exists. To set up a new one: /daily")))
        match wanted:
            case ["hour"]:
                return Turned(self._hours(daily, t))
            case ["min", hour] if hour.isdecimal() and int(hour) < 24:
                return Turned(self._minutes(daily, int(hour), t))
            case ["zone"]:
                return Turned(ask_city=daily.id)
            case ["days"]:
                return Turned(self._days(daily, t))
            case ["quiz"]:
                return Turned(self._quizzes(daily, t))
            case ["lang"]:
                return Turned(self._languages(daily, t))
            case ["open"]:
                return Turned(self._open_for(daily, t))
            case ["quiet"]:
                return Turned(self._quiet_hours(daily, t))
            case ["past"]:
                return Turned(self._past(tx, daily, t))
            case ["void", on]:
                return self._void(tx, daily, on, t)
            case ["look"]:
                return self._look(tx, daily, t, new_id)
            case ["swap"]:
                return self._swap(tx, daily, t, at, new_id)
            case ["now"]:
                return self._now(tx, daily, t, at, new_id)
            case ["mine"]:
                return Turned(self._panel(tx, hand_over(tx, daily, by), t, at), t.gettext("It is yours now."))
            case ["drop"]:
                return Turned(self._sure(daily, t))
            case ["gone"]:
                remove(tx, daily)
                return Turned(said(t.gettext("The daily question is deleted. Past questions and answers are kept.")))
        changed = self._changed(tx, daily, wanted, at)
        if changed is None:
            return Turned(self._panel(tx, daily, t, at))
        kept = keep(tx, changed, at)
        return Turned(self._days(kept, t) if wanted[0] == "day" else self._panel(tx, kept, t, at))

    def _changed(self, tx: Tx, daily: Daily, wanted: list[str], at: datetime) -> Daily | None:
        """The daily question with one setting changed; None if nothing known was wanted."""
        match wanted:
            case ["at", clock] if len(clock) == 4 and clock.isdecimal() and int(clock[:2]) < 24 and int(clock[2:]) < 60:
                return replace(daily, at=time(int(clock[:2]), int(clock[2:])))
            case ["tz", name]:
                return self._moved(tx, daily, name.replace(".", "/"))
            case ["day", day] if day in tuple("0123456"):
                days = daily.weekdays ^ {int(day)}
                return replace(daily, weekdays=days) if days else None
            case ["q", name] if self._bank.quiz(name) is not None:
                return replace(daily, quiz=name, next_item="")
            case ["in", tags] if all(tag in self._context.languages.tags for tag in tags.split("-")):
                return replace(daily, locales=tuple(dict.fromkeys(tags.split("-"))), next_item="")
            case ["for", hours] if hours.isdecimal() and int(hours) in OPEN_H:
                return replace(daily, open_s=int(hours) * 3600)
            case ["hush", which] if which == "none":
                return replace(daily, quiet=None)
            case ["hush", which] if which.isdecimal() and int(which) < len(QUIET):
                return replace(daily, quiet=QUIET[int(which)])
            case ["flip", "reply"]:
                return replace(daily, reply=not daily.reply)
            case ["flip", "silent"]:
                return replace(daily, silent=not daily.silent)
            case ["flip", "pin"]:
                return replace(daily, pin=not daily.pin)
            case ["flip", "names"]:
                return replace(daily, names=not daily.names)
            case ["flip", "polls"] if self._polls is not None and (place := tx.place(daily.place)) is not None:
                tx.set_place(replace(place, settings={**place.settings, "polls": not self._polls(place)}))
                return daily
            case ["pause"]:
                return replace(daily, paused=True)
            case ["start"]:
                return replace(daily, paused=False, broken="")
            case ["skip"]:
                return replace(daily, skip=None if daily.skip else next_runs(tx, daily, at, 1)[0][0])
            case _:
                return None

    def _moved(self, tx: Tx, daily: Daily, zone: str) -> Daily | None:
        """With another zone, which becomes the place's as well."""
        try:
            ZoneInfo(zone)
        except (KeyError, ValueError, OSError):
            return None
        place = tx.place(daily.place)
        if place is not None:
            tx.set_place(replace(place, zone=zone))
        return replace(daily, zone=zone)

    def found(self, tx: Tx, number: int, query: str, t: Language, at: datetime) -> Menu:
        """Cities that were searched for, to choose from."""
        daily = tx.dailies.get(number)
        if daily is None:
            return said(t.gettext("This daily question no longer exists. To set up a new one: /daily"))
        cities = self._context.languages.find_zones(query, t, at)
        if not cities:
            again = (t.gettext("Search again"), Pick("daily", (str(number), "zone")))
            return said(
                t.gettext("I don’t know a city by that name. Try the nearest large one."), again, _back(daily, t)
            )
        buttons = [(label, _pick(daily, "tz", zone.replace("/", "."))) for zone, label in cities]
        return said(t.gettext("Which city’s time?"), *buttons, _back(daily, t))

    # --- menus

    def _panel(self, tx: Tx, daily: Daily, t: Language, at: datetime) -> Menu:
        zone = ZoneInfo(daily.zone)
        quiz = self._bank.quiz(daily.quiz)
        words = panel_words(
            t,
            Panel(
                at=daily.at,
                city=t.city(daily.zone),
                weekdays=daily.weekdays,
                quiz=titled(quiz.title, t) if quiz is not None else "—",
                locales=tuple(self._context.languages[tag].name for tag in daily.locales),
                open_s=daily.open_s,
                reply=daily.reply,
                silent=daily.silent,
                pin=daily.pin,
                names=daily.names,
                quiet=daily.quiet,
                paused=daily.paused,
                broken=daily.broken,
                runs=[moment.astimezone(zone) for _, moment in next_runs(tx, daily, at, 3)],
                skipped=daily.skip,
            ),
        )
        still = daily.paused or bool(daily.broken)
        run = (
            (t.gettext("Start") if not tx.dailies.runs(daily.id, 1) else t.gettext("Resume"), _pick(daily, "start"))
            if still
            else (t.gettext("Pause"), _pick(daily, "pause"))
        )
        buttons = [
            run,
            (t.gettext("Time"), _pick(daily, "hour")),
            (t.gettext("City"), _pick(daily, "zone")),
            (t.gettext("Days"), _pick(daily, "days")),
            (t.gettext("Questions"), _pick(daily, "quiz")),
            (t.gettext("Language"), _pick(daily, "lang")),
            (t.gettext("Open for"), _pick(daily, "open")),
            (t.gettext("Quiet hours"), _pick(daily, "quiet")),
            (t.gettext("Answer in the post") if daily.reply else t.gettext("Answer in a reply"), _flip(daily, "reply")),
            (t.gettext("Without names") if daily.names else t.gettext("With names"), _flip(daily, "names")),
            (t.gettext("With sound") if daily.silent else t.gettext("Without sound"), _flip(daily, "silent")),
            (t.gettext("Do not pin") if daily.pin else t.gettext("Pin"), _flip(daily, "pin")),
            *self._poll_button(tx, daily, t),
            (t.gettext("Preview"), _pick(daily, "look")),
            (t.gettext("Another question"), _pick(daily, "swap")),
            (t.gettext("Do not skip") if daily.skip else t.gettext("Skip the next"), _pick(daily, "skip")),
            (t.gettext("Post now"), _pick(daily, "now")),
            (t.gettext("Past"), _pick(daily, "past")),
            (t.gettext("Take over"), _pick(daily, "mine")),
            (t.gettext("Delete"), _pick(daily, "drop")),
        ]
        return said(words, *buttons, primary=0 if still else None)

    def _poll_button(self, tx: Tx, daily: Daily, t: Language) -> list[tuple[str, Pick]]:
        place = tx.place(daily.place)
        if self._polls is None or place is None:
            return []
        return [(t.gettext("With buttons") if self._polls(place) else t.gettext("As a poll"), _flip(daily, "polls"))]

    def _hours(self, daily: Daily, t: Language) -> Menu:
        hours = [(f"{hour:02}", _pick(daily, "min", f"{hour:02}")) for hour in range(24)]
        return said(t.gettext("What time? Choose the hour."), *hours, _back(daily, t))

    def _minutes(self, daily: Daily, hour: int, t: Language) -> Menu:
        clocks = [f"{hour:02}{minute:02}" for minute in range(0, 60, 5)]
        buttons = [(f"{clock[:2]}:{clock[2:]}", _pick(daily, "at", clock)) for clock in clocks]
        return said(t.gettext("What time? Choose the minutes."), *buttons, _back(daily, t))

    def _days(self, daily: Daily, t: Language) -> Menu:
        days = [
            (f"{'✓ ' if day in daily.weekdays else ''}{t.weekday(day)}", _pick(daily, "day", str(day)))
            for day in range(7)
        ]
        return said(t.gettext("On which days? At least one must remain."), *days, _back(daily, t))

    def _quizzes(self, daily: Daily, t: Language) -> Menu:
        quizzes = [(titled(q.title, t), _pick(daily, "q", q.blueprint.id)) for q in self._bank.quizzes.values()]
        return said(t.gettext("Which questions?"), *quizzes, _back(daily, t))

    def _languages(self, daily: Daily, t: Language) -> Menu:
        tags = list(self._context.languages.tags)
        wishes = [*([tag] for tag in tags), *([one, other] for one in tags for other in tags if one != other)]
        names = self._context.languages
        buttons = [(" + ".join(names[x].name for x in wish), _pick(daily, "in", "-".join(wish))) for wish in wishes]
        return said(t.gettext("In which language? One post can have two."), *buttons, _back(daily, t))

    def _open_for(self, daily: Daily, t: Language) -> Menu:
        buttons = [(duration(t, hours * 3600), _pick(daily, "for", str(hours))) for hours in OPEN_H]
        return said(t.gettext("How long may people answer?"), *buttons, _back(daily, t))

    def _quiet_hours(self, daily: Daily, t: Language) -> Menu:
        buttons = [(quiet(t, hours), _pick(daily, "hush", str(i))) for i, hours in enumerate(QUIET)]
        none = (t.gettext("None"), _pick(daily, "hush", "none"))
        words = t.gettext("A late question is not posted during quiet hours: it waits until they end, or is skipped.")
        return said(words, *buttons, none, _back(daily, t))

    def _past(self, tx: Tx, daily: Daily, t: Language) -> Menu:
        runs = tx.dailies.runs(daily.id, PAST)
        shown = [self._past_of(tx, run, t) for run in runs]
        voidable = [run for run in shown if run.state == "begun" and not run.void]
        buttons = [
            (t.gettext("Void {day}", day=t.day(run.on)), _pick(daily, "void", run.on.strftime("%Y%m%d")))
            for run in voidable
        ]
        return said(past(t, shown), *buttons, _back(daily, t))

    def _past_of(self, tx: Tx, run: Run, t: Language) -> Past:
        session = tx.session(run.session) if run.session is not None else None
        attempts = tx.counting_attempts(session.id) if session is not None else []
        entry = self._bank.entries.get(run.item or "")
        return Past(
            run.on,
            run.state,
            plain(words_of(entry, t).stem[:1]) if entry is not None else "",
            len(attempts),
            sum(attempt.grade == 1 for attempt in attempts),
            void=session is not None and 0 in session.dropped,
        )

    def _sure(self, daily: Daily, t: Language) -> Menu:
        words = t.gettext("Delete the daily question here? Past questions and answers are kept.")
        return said(words, (t.gettext("Yes, delete"), _pick(daily, "gone")), _back(daily, t))

    # --- deeds

    def _void(self, tx: Tx, daily: Daily, on: str, t: Language) -> Turned:
        run = tx.dailies.run(daily.id, date.fromisoformat(on)) if len(on) == 8 and on.isdecimal() else None
        done = run is not None and void_run(tx, run)
        toast = t.gettext("It counts for nobody now.") if done else t.gettext("There is nothing to void.")
        return Turned(self._past(tx, daily, t), toast)

    def _look(self, tx: Tx, daily: Daily, t: Language, seed: str) -> Turned:
        item = choose(tx, self._bank, daily, seed)
        if item is None:
            return Turned(toast=t.gettext("There is nothing to ask: choose other questions."))
        tx.dailies.save(replace(daily, next_item=item))
        shown = preview(self._bank.entries[item], self._bank, t)
        return Turned(preview=tuple(replace(message, actions=()) for message in shown))

    def _swap(self, tx: Tx, daily: Daily, t: Language, at: datetime, seed: str) -> Turned:
        bare = replace(daily, next_item="")
        item = choose(
            tx, self._bank, bare, seed, other_than=daily.next_item or choose(tx, self._bank, bare, seed) or ""
        )
        if item is None:
            return Turned(toast=t.gettext("There is no other question."))
        changed = replace(daily, next_item=item)
        tx.dailies.save(changed)
        return replace(self._look(tx, changed, t, seed), menu=self._panel(tx, changed, t, at))

    def _now(self, tx: Tx, daily: Daily, t: Language, at: datetime, new_id: str) -> Turned:
        step = post_now(tx, self._bank, daily, at, new_id)
        if step is None:
            return Turned(toast=t.gettext("Today’s question has already been asked, or there are no questions left."))
        return Turned(self._panel(tx, tx.dailies.get(daily.id) or daily, t, at), t.gettext("Posted."), step)


def news_of(tx: Tx, post: Post, t: Language) -> Message:
    """What a notice tells a moderator."""
    payload = post.payload
    daily = tx.dailies.get(int(payload["daily"])) if "daily" in payload else None
    about = tx.place(daily.place if daily is not None else int(payload.get("place", 0)))
    title = str(about.settings.get("title", "")) if about is not None else ""
    if payload["news"] == AGAIN:
        words = t.gettext("The connection broke, and I do not know whether my last message arrived there.")
        return Message(body=(line(f"{title}: {words}" if title else words),))
    if payload["news"] == "quiz":
        return Message(body=(line(stands_still(t, title, payload["why"])),))
    days = [date.fromisoformat(payload[day]) for day in ("on", "until") if day in payload]
    return Message(body=(line(news(t, payload, title, days)),))


def _pick(daily: Daily, *wanted: str) -> Pick:
    return Pick("daily", (str(daily.id), *wanted))


def _flip(daily: Daily, name: str) -> Pick:
    return _pick(daily, "flip", name)


def _back(daily: Daily, t: Language) -> tuple[str, Pick]:
    return (t.gettext("Back"), _pick(daily, "panel"))
