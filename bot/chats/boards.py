"""Boards, streaks and linked accounts: commands and buttons, each in one transaction. No platform is known here.

A board is for the place and in its language; everything else is for the person who asked and belongs where nobody else
reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from zoneinfo import ZoneInfo

from bot.chats.context import Context
from bot.chats.many import Heard, Member
from bot.chats.menus import Menu, said
from bot.chats.payload import Pick
from bot.chats.starting import Asked
from bot.present import Row, Top, accounts, board_file, line, link_code
from bot.present import streak as streak_words
from bot.present import top as top_words
from bot.tutor import (
    Joined,
    OwnCode,
    Period,
    Standing,
    TooManyTries,
    WrongCode,
    board,
    everybody,
    hide,
    is_hidden,
    join,
    least_answers,
    names_shown,
    offer,
    set_least_answers,
    set_names_shown,
    set_ties_by_time,
    streak_of,
    ties_by_time,
    unlink,
)
from bot.tutor.links import withdraw

LEAST = (1, 3, 5, 10, 20, 50)
"""Answers it may take to be ranked, to choose from. Chosen by us."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a press left."""

    menu: Menu | None = None
    """Takes the place of the menu whose button was pressed."""
    toast: str = ""
    """Answers the press, for the person alone."""
    file: tuple[str, bytes] | None = None
    """Name and content, for the person alone."""


def heard(asked: Asked) -> Heard:
    """What a person who is alone with the tutor has said, in the form the use cases here take."""
    place = asked.tx.place(asked.to.place)
    assert place is not None  # whoever asks has made it known
    return Heard(asked.tx, place, Member(asked.to.learner, "", False, asked.to.t), asked.at, asked.new_id, asked.origin)


class Boards:
    """The use cases, over one transaction each. `alone` says whether the asker alone will read the answer."""

    def __init__(self, context: Context) -> None:
        self._context = context

    # --- boards

    def top(self, heard: Heard, period: Period = Period.WEEK, *, alone: bool) -> Menu:
        """The board of a place, with the asker's own line, for whom the name they have now is kept."""
        place, by = heard.place, heard.by
        t = by.t if alone else self._context.languages.negotiate(place.locale, by.t.tag)
        if place.private_to is not None:
            return self._own(heard, period)
        found = board(heard.tx, place, by.learner, period, heard.at, t.first_week_day)
        if found.own is not None and by.name not in ("", found.own.name):
            heard.tx.set_name(place.id, by.learner, by.name)
        words = top_words(
            t,
            Top(
                period=found.period,
                since=found.since,
                rows=[_row(standing, by) for standing in found.top],
                own=None if found.own is None else _row(found.own, by),
                people=found.people,
                by_time=found.by_time,
                least=found.least,
                hidden=found.hidden and alone,
                unranked=by.name if found.own is None and not found.hidden else "",
            ),
        )
        labels = {Period.WEEK: t.gettext("Week"), Period.MONTH: t.gettext("Month"), Period.ALL: t.gettext("All time")}
        buttons = [(label, Pick("top", (other,))) for other, label in labels.items() if other is not period]
        show = t.gettext("Show me") if found.hidden else t.gettext("Hide me")
        buttons.append((show if alone else t.gettext("Hide or show me"), Pick("top", (period, "hide"))))
        if by.moderator:
            buttons.append((t.gettext("Settings"), Pick("top", (period, "settings"))))
        return said(words, *buttons)

    @staticmethod
    def _own(heard: Heard, period: Period) -> Menu:
        """In a private chat there is no board; whether others show one is decided here as well."""
        t, hidden = heard.by.t, is_hidden(heard.tx, heard.by.learner)
        words = [line(t.gettext("Boards are for groups: send /top in one where we play together."))]
        if hidden:
            words.append(line(t.gettext("You are hidden from all boards.")))
        label = t.gettext("Show me") if hidden else t.gettext("Hide me")
        return said(tuple(words), (label, Pick("top", (period, "hide"))))

    def pressed(self, heard: Heard, pick: Pick, *, alone: bool) -> Pressed:
        """A button below a board was pressed: `top`, then the period, then what is wanted."""
        tx, place, by = heard.tx, heard.place, heard.by
        name, *wanted = pick.values or (Period.WEEK.value,)
        period = next((known for known in Period if known == name), Period.WEEK)
        if wanted == ["hide"]:
            hide(tx, by.learner, not is_hidden(tx, by.learner))
            toast = (
                by.t.gettext("You are no longer on any board, here or elsewhere. The same button brings you back.")
                if is_hidden(tx, by.learner)
                else by.t.gettext("You are on the boards again.")
            )
            return Pressed(self.top(heard, period, alone=alone), toast)
        if wanted and not by.moderator:
            return Pressed(toast=by.t.gettext("Only a moderator can do that."))
        match wanted:
            case ["settings"]:
                return Pressed(self._settings(heard, period))
            case ["file"]:
                standings = everybody(tx, place, period, heard.at, by.t.first_week_day)
                rows = (_row(standing, by) for standing in standings)
                return Pressed(file=(f"board-{period}.csv", board_file(by.t, rows)))
            case ["ties"]:
                set_ties_by_time(tx, place, not ties_by_time(tx, place))
                return Pressed(self._settings(heard, period))
            case ["names"]:
                set_names_shown(tx, place, not names_shown(tx, place))
                return Pressed(self._settings(heard, period))
            case ["least", number] if number.isdecimal() and int(number) in LEAST:
                set_least_answers(tx, place, int(number))
                return Pressed(self._settings(heard, period))
            case _:
                return Pressed(self.top(heard, period, alone=alone))

    def _settings(self, heard: Heard, period: Period) -> Menu:
        """What moderators choose for the boards and the group quizzes of a chat."""
        t, tx, place = heard.by.t, heard.tx, heard.place
        by_time, least = ties_by_time(tx, place), least_answers(tx, place)
        ties = t.gettext("Ties share a rank") if by_time else t.gettext("Let time break ties")
        chosen = (
            t.gettext("When points are equal, the faster person is ahead.")
            if by_time
            else t.gettext("People with the same points share a rank.")
        )
        needed = t.ngettext(
            "To be ranked, you need at least {n} answer.", "To be ranked, you need at least {n} answers.", least
        )
        named = names_shown(tx, place)
        names = (
            t.gettext("A group quiz names who was right.")
            if named
            else t.gettext("A group quiz says how many were right and names nobody.")
        )
        return said(
            f"{chosen}\n{needed}\n{names}",
            (ties, Pick("top", (period, "ties"))),
            (t.gettext("Without names") if named else t.gettext("With names"), Pick("top", (period, "names"))),
            *(
                (t.ngettext("From {n} answer on", "From {n} answers on", n), Pick("top", (period, "least", str(n))))
                for n in LEAST
                if n != least
            ),
            (t.gettext("Board as a file"), Pick("top", (period, "file"))),
            (t.gettext("Back"), Pick("top", (period,))),
        )

    # --- streaks

    def streak(self, heard: Heard, city: str = "") -> Menu:
        """How many days in a row the asker has answered: anywhere in a private chat, else in this place.

        Args:
            heard: Who asks, and where.
            city: Whose time the asker's days are to be counted by, as it was typed; empty only asks.
        """
        t, tx, place = heard.by.t, heard.tx, heard.place
        if city:
            return self._cities(heard, city)
        found = streak_of(tx, heard.by.learner, place, heard.at, t.first_week_day)
        zone = tx.zone_of(place.id)
        words = streak_words(
            t,
            days=found.days,
            best=found.best,
            today=found.today,
            frozen=found.frozen,
            city=t.city(zone) if zone else "",
        )
        if place.private_to is None:
            return said(words)
        return said((*words, line(t.gettext("Another city: send /streak with its name."))))

    def _cities(self, heard: Heard, query: str) -> Menu:
        t = heard.by.t
        found = self._context.languages.find_zones(query, t, heard.at)
        if not found:
            return said(t.gettext("I don’t know a city by that name. Try the nearest large one."))
        buttons = [(label, Pick("city", (zone.replace("/", "."),))) for zone, label in found]
        return said(t.gettext("Which city’s time?"), *buttons)

    def city(self, heard: Heard, pick: Pick) -> Menu:
        """A city was chosen for the asker's days; days that are past stay as they were counted."""
        zone = pick.values[0].replace(".", "/") if pick.values else ""
        try:
            ZoneInfo(zone)
        except (KeyError, ValueError, OSError):
            return said(heard.by.t.gettext("This button is out of date."))
        heard.tx.set_learner_zone(heard.by.learner, zone)
        return self.streak(heard)

    # --- linked accounts

    def link(self, heard: Heard, code: str = "", *, alone: bool = True) -> Menu:
        """Show a code, or join the account that types one to the one it was shown to.

        A code that is typed where others read is worth nothing from then on.

        After a right code the asker's learner is no more: whoever goes on looks the account up again.

        Args:
            heard: Who asks, and where.
            code: As it was typed; empty asks for a new one.
            alone: A code is shown only where nobody else reads.
        """
        t, tx, learner = heard.by.t, heard.tx, heard.by.learner
        if not alone:
            withdraw(tx, code)
            return said(t.gettext("Send me /link in a private chat: whoever sees the code could use it."))
        if not code:
            made = offer(tx, learner, heard.at, heard.new_id)
            return said(link_code(t, made.code, (made.until - heard.at) // timedelta(minutes=1)))
        match join(tx, learner, code, heard.at):
            case Joined(remains):
                linked = self._linked(heard, remains)
                done = line(t.gettext("Linked: answers, boards and settings are now shared."))
                return Menu((done, *linked.words), linked.buttons)
            case WrongCode(left):
                wrong = t.gettext("This code is wrong, already used, or older than ten minutes.")
                tries = (
                    t.ngettext("You have {n} try left this hour.", "You have {n} tries left this hour.", left)
                    if left
                    else t.gettext("That was the last try this hour.")
                )
                return said(f"{wrong} {tries}")
            case OwnCode():
                return said(t.gettext("This code is your own: send it to me on the other platform."))
            case TooManyTries():
                return said(t.gettext("Too many tries. Wait an hour and ask for a new code."))

    def unlink(self, heard: Heard) -> Menu:
        """Which accounts belong together, each linked one with the offer to let it go."""
        return self._linked(heard, heard.by.learner)

    def _linked(self, heard: Heard, learner: int) -> Menu:
        t = heard.by.t
        first, *others = heard.tx.links.accounts(learner)
        buttons = [
            (t.gettext("Unlink {platform}", platform=_name(a.platform)), Pick("unlink", (a.platform, a.account)))
            for a in others
        ]
        return said(accounts(t, _name(first.platform), [_name(a.platform) for a in others]), *buttons)

    def unlinked(self, heard: Heard, pick: Pick) -> Menu:
        """An account is to be let go. It may be the asker's: whoever goes on looks the account up again."""
        t = heard.by.t
        platform, account = pick.values if len(pick.values) == 2 else ("", "")
        if unlink(heard.tx, heard.by.learner, platform, account, heard.at) is None:
            return said(t.gettext("This account is not linked."))
        return said(t.gettext("{platform} is unlinked and starts over.", platform=_name(platform)))


def _name(platform: str) -> str:
    return platform.capitalize()


def _row(standing: Standing, asker: Member) -> Row:
    own = standing.learner == asker.learner
    name = asker.name or standing.name if own else standing.name  # how the asker is called now
    return Row(standing.rank, name, standing.score, standing.answers, standing.took, own)
