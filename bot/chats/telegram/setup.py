"""Setting up a group quiz: a menu whose buttons carry everything that is chosen, for the person who asked for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.bank import Bank, Quiz
from bot.chats.many import group_policy
from bot.chats.menus import Menu, playable, said
from bot.chats.payload import Pick
from bot.i18n import Language
from bot.present import line, titled
from bot.present.setup import asking, changing, joining, length_words, pace_words, rules
from bot.quiz import Policy

LENGTHS = (5, 10, 20, 0)
"""Questions at most; 0 asks them all. Chosen by us."""

PACES = ("h", "30", "60", "90", "a")
"""The host reveals; a limit per item in seconds; when all who take part have answered. Chosen by us."""

SETUP, BEGIN, POLLS, GIVE_UP = "g", "gb", "gp", "gx"
"""Menus of a group quiz: `g/<learner>`, `g/<learner>/<quiz>/<options>`, `gb/...` begins it, `gp/...` changes between
polls and buttons for the whole place, `gx/<learner>` gives it up."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a group quiz is run."""

    length: int = 5
    pace: str = "h"
    joined: bool = False
    """Whether only those who joined first may answer."""
    final: bool = False
    """Whether an answer is final; then each is told privately at once whether it was right."""

    def __str__(self) -> str:
        return f"{self.length}.{self.pace}.{'j' if self.joined else 'o'}.{'f' if self.final else 'c'}"

    @classmethod
    def read(cls, text: str) -> Options | None:
        """The options of a button; None if it is not ours."""
        match text.split("."):
            case [length, pace, ("j" | "o") as who, ("f" | "c") as change] if (
                length.isdecimal() and int(length) in LENGTHS and pace in PACES
            ):
                return cls(int(length), pace, who == "j", change == "f")
        return None

    @property
    def policy(self) -> Policy:
        """The rules of the session."""
        return group_policy(self.pace, joined=self.joined, final=self.final)


def choose(bank: Bank, t: Language, asker: int) -> Menu:
    """Which quiz."""
    found = playable(bank, t)
    buttons = [(titled(quiz.title, t), _pick(SETUP, asker, quiz.blueprint.id, str(Options()))) for quiz in found]
    return said(t.gettext("Which quiz?"), *buttons, (t.gettext("Never mind"), _pick(GIVE_UP, asker)))


def settings(quiz: Quiz, options: Options, t: Language, asker: int, *, polls: bool) -> Menu:
    """How it is run; each button shows what would be chosen next."""
    name = quiz.blueprint.id

    def to(changed: Options) -> Pick:
        return _pick(SETUP, asker, name, str(changed))

    longer = LENGTHS[(LENGTHS.index(options.length) + 1) % len(LENGTHS)]
    pace = PACES[(PACES.index(options.pace) + 1) % len(PACES)]
    how = rules(t, quiz, options.length, options.pace, joined=options.joined, final=options.final)
    return said(
        (*how, line(asking(t, polls=polls))),
        (t.gettext("Start the quiz"), _pick(BEGIN, asker, name, str(options))),
        (f"→ {length_words(t, longer)}", to(replace(options, length=longer))),
        (f"→ {pace_words(t, pace)}", to(replace(options, pace=pace))),
        (f"→ {joining(t, joined=not options.joined)}", to(replace(options, joined=not options.joined))),
        (f"→ {changing(t, final=not options.final)}", to(replace(options, final=not options.final))),
        (f"→ {asking(t, polls=not polls)}", _pick(POLLS, asker, name, str(options))),
        (t.gettext("Back"), _pick(SETUP, asker)),
        primary=0,
    )


def begun(quiz: Quiz, options: Options, t: Language, host: str) -> Menu:
    """What everybody reads when it begins."""
    words = rules(t, quiz, options.length, options.pace, joined=options.joined, final=options.final)
    return said((*words, line(t.gettext("Started by {name}.", name=host))))


def _pick(menu: str, asker: int, *more: str) -> Pick:
    return Pick(menu, (str(asker), *more))
